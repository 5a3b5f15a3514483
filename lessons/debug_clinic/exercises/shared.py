"""Mistakes that several exercises of this folder share; an exercise takes the rows of a table that fit its solution."""

from course_utils.lessons import shared

TABLES = """
softmax-all: One softmax covers a whole table, as after `flatten`: all of it adds up to 1. Each row needs its own.
    torch.softmax(…, dim=-1) -> torch.softmax((…).flatten(-2), dim=-1).view_as(…)
    or
    attention.softmax(…) -> attention.softmax((…).flatten(-2)).view_as(…)
"""
SOFTMAX = TABLES + shared.SOFTMAX_OF_SMALL_SCORES + shared.SOFTMAX_OF_ONE_HEAD
FIXED_AXES = """
keys-fixed-axes: The keys are turned right for one number of axes alone. Count from the end: `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.transpose(0, 1)
    or
    keys.transpose(-2, -1) -> keys.transpose(1, 2)
keys-full-turn: All axes of the keys are turned round, the batch with them. Turn the last two: `.transpose(-2, -1)`.
    keys.transpose(-2, -1) -> keys.permute(*reversed(range(keys.dim())))
scale-fixed-axis: For some numbers of axes, you divide by the root of another axis than the width. It is `shape[-1]`.
    / keys.shape[-1] ** 0.5 -> / keys.shape[1] ** 0.5
    or
    / queries.shape[-1] ** 0.5 -> / queries.shape[1] ** 0.5
softmax-fixed-axis: Softmax runs over the keys for one number of axes alone. From the end, they are always `dim=-1`.
    torch.softmax(…, dim=-1) -> torch.softmax(…, dim=1)
    or
    attention.softmax(…) -> attention.softmax(…, dim=1)
"""
THREE_AXES = """
three-axes-only: `torch.bmm` takes three axes and no others. Any number goes with `queries @ keys.transpose(-2, -1)`.
    queries @ keys.transpose(-2, -1) -> torch.bmm(queries, keys.transpose(-2, -1))
    or
    queries @ keys.transpose(-2, -1) -> (torch.bmm(queries, keys.transpose(-2, -1)) if queries.dim() > 2
        else queries @ keys.transpose(-2, -1))
three-axes-only: It fits three axes alone. Any number goes with `queries @ keys.transpose(-2, -1)`.
    queries @ keys.transpose(-2, -1) -> torch.bmm(queries, keys.transpose(1, 2))
letters-fixed: Your `einsum` has letters for one number of axes alone. `...` stands for any: `"...qd,...kd->...qk"`.
    queries @ keys.transpose(-2, -1) -> torch.einsum("bqd,bkd->bqk", queries, keys)
"""
FOUR_AXES = FIXED_AXES + THREE_AXES
OF_QUERIES = """
scale-after: The weights are divided, not the scores: rows no longer add up to 1. Divide before softmax.
    / queries.shape[-1] ** 0.5 ->
    torch.softmax(…, dim=-1) -> torch.softmax(…, dim=-1) / queries.shape[-1] ** 0.5
    or
    / queries.shape[-1] ** 0.5 ->
    attention.softmax(…) -> attention.softmax(…) / queries.shape[-1] ** 0.5
scale-precedence: You divided by twice the width, as `** 1/2` without brackets does. Divide by its root: `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / queries.shape[-1] ** 1 / 2
root-cut: The root was made a whole number, which it seldom is. Leave it as it is: `** 0.5`.
    / queries.shape[-1] ** 0.5 -> / int(queries.shape[-1] ** 0.5)
"""
MAXIMUM_OF_ALL = """
max-of-all: A row far below the largest score of all is 0 / 0: subtract each row's own maximum, or use `torch.softmax`.
    torch.softmax(…, dim=-1) -> (torch.exp((…) - (…).max()) / torch.exp((…) - (…).max()).sum(dim=-1, keepdim=True))
"""
COSINE = """
cosine: You divide by the lengths of queries and keys, as cosine similarity does. A score is the dot product alone, `@`.
    queries @ keys.transpose(-2, -1) -> torch.nn.functional.normalize(queries, dim=-1)
        @ torch.nn.functional.normalize(keys, dim=-1).transpose(-2, -1)
"""
SCORES = shared.SCORES + OF_QUERIES + OF_QUERIES.replace("queries", "keys") + COSINE
TIMES_INF = """
times-minus-inf: A hidden score below 0 becomes huge: do not multiply, fill in, `masked_fill(~mask, -torch.inf)`.
    .masked_fill(~mask, -torch.inf) -> .mul(torch.where(mask, 1.0, -torch.inf))
"""
NO_MASK = """
mask-not-asked: Later keys are hidden, and no mask is asked for: every query meets all keys.
    torch.softmax(…, dim=-1) -> torch.softmax((…).masked_fill(torch.ones_like(…).triu(1) > 0, -torch.inf), dim=-1)
    or
    attention.softmax(…) -> attention.softmax((…).masked_fill(torch.ones_like(…).triu(1) > 0, -torch.inf))
"""
HIDE = shared.HIDE + TIMES_INF
RETURNED = """
weights-missing: `None` comes back for the weights. `attention.scaled_dot_product_attention` gives both: return them.
    return attn_weights @ values, attn_weights -> return attn_weights @ values, None
other-weights: The context vectors are right; the weights beside them lack the scale. Return those that were applied.
    return attn_weights @ values, attn_weights ->
        return attn_weights @ values, torch.softmax(queries @ keys.transpose(-2, -1), dim=-1)
scores-returned: The context vectors are right. Beside them stand the scores: return what softmax made of them.
    return attn_weights @ values, attn_weights ->
        return attn_weights @ values, queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
"""
PAIRS = shared.RESULTS + RETURNED
