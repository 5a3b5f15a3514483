"""`MyFromMemory(d_in, d_out, num_heads, context_length, dropout=0.0)`: the class of `multi_head`, once more.

Its solution, inputs and mistakes are those of `multi_head`; functions of the course and of PyTorch may be used here.
"""

from course_utils.checks.modules import ModuleExercise
from course_utils.lessons.arguments import CONTEXT_AND_WEIGHTS
from course_utils.lessons.the_reshape.exercises import multi_head

LAST_STEP = """
residual-added: The inputs are added to the result. That belongs to a block, around attention: here `out_proj` is last.
    self.out_proj(…), attn_weights -> x + self.out_proj(…), attn_weights
weights-unmasked: The context vectors are masked, and the weights that come back are not. Return those that were used.
    self.out_proj(…), attn_weights -> self.out_proj(…), attention.softmax(attn_scores)
weights-are-none: None comes back for the weights. `attention.scaled_dot_product_attention` gives them.
    self.out_proj(…), attn_weights -> self.out_proj(…), None
"""
SHARED = (LAST_STEP, *multi_head.SHARED)
exercise = ModuleExercise(
    multi_head.MultiHeadAttentionSolution,
    multi_head.cases,
    multi_head.MISTAKES,
    shared=SHARED,
    behaviours=multi_head.MUST_HOLD,
    **CONTEXT_AND_WEIGHTS,
)
exercise.name, exercise.stub = "from_memory", "MyFromMemory"  # by default, those of multi_head
