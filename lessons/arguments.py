"""Arguments of `Exercise` that many exercises share: `Exercise(solution, cases, MISTAKES, **TRAINABLE)`."""

from course_utils.checks.behaviours import gradient_flows

TRAINABLE = {"hints": (gradient_flows,)}
WEIGHTS = {"outputs": ("weights",), "rows": "weights"}
CONTEXT_AND_WEIGHTS = {"outputs": ("context_vecs", "attn_weights"), "rows": "attn_weights"}
