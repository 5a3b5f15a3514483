"""`my_fused_attention(queries, keys, values, key_padding_mask)`: SDPA with the padding mask of PyTorch's layer."""

import torch
import torch.nn.functional as F

from course_utils.checks.behaviours import gradient_flows
from course_utils.checks.exercise import Exercise
from course_utils.checks.rules import demands

from .as_many_keys_as_values import Calls


def fused_attention_solution(queries, keys, values, key_padding_mask):
    mask = ~key_padding_mask[:, None, None, :]  # (batch, 1, 1, num_keys), True = may attend
    return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)


def cases(draw):
    for label, (batch, heads, num_queries, num_keys, width), valid_lens in (
        ("5 queries, 6 keys, of which 3 and 6 are real", (2, 3, 5, 6, 4), [3, 6]),
        ("2 texts of 6 tokens, 2 and 5 of them real", (2, 3, 6, 6, 4), [2, 5]),
        ("as many texts as heads", (3, 3, 13, 13, 2), [13, 1, 2]),
        ("as many texts as queries", (4, 2, 4, 5, 3), [1, 5, 3, 2]),
        ("nothing but padding in the second text", (2, 1, 3, 4, 2), [4, 0]),
        ("padding in front", (2, 2, 3, 5, 3), [2, 4]),
        ("a batch of one, a single token", (1, 2, 1, 1, 3), [1]),
    ):
        padding = torch.arange(num_keys) >= torch.tensor(valid_lens)[:, None]  # (batch, num_keys)
        padding = padding.flip(-1) if label == "padding in front" else padding
        shapes = ((batch, heads, num, width) for num in (num_queries, num_keys, num_keys))
        yield label, *(draw(*shape) for shape in shapes), padding


def calls_pytorchs(exercise, answer):
    """Yield ("not-fused", message) if an answer does not call PyTorch's scaled_dot_product_attention.

    The course's function of the same name does not count.
    """
    with Calls(F.scaled_dot_product_attention) as calls:
        answer(*exercise.case(0).args)
    if not calls.count:
        yield (
            "not-fused",
            "The numbers are right. SDPA is PyTorch's function, and the course's of the same name is not fused: "
            "call `F.scaled_dot_product_attention`.",
        )


MISTAKES = """
all-masked-uniform: A text of nothing but padding attends to it, as with a large negative number in place of minus
    infinity. Use a bool mask.
    attn_mask=mask -> attn_mask=~mask * -1e9
all-masked-nan: A text of nothing but padding gives `nan`: 0 / 0. SDPA with a bool mask gives zeros there.
    F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask) ->
        (queries @ keys.mT / keys.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf).softmax(dim=-1) @ values
mask-by-other-name: SDPA has no `key_padding_mask`. It knows one mask, `attn_mask`, that fits the scores.
    attn_mask=mask -> key_padding_mask=key_padding_mask
values-zeroed: The padding's values are 0, and its keys still take their share of each row. Close the keys: `attn_mask`.
    values, attn_mask=mask -> values.masked_fill(key_padding_mask[:, None, :, None], 0.0)
sdpa-polarity: The padding is attended, and nothing else. SDPA takes True for *may attend*: turn yours round with `~`.
    ~key_padding_mask -> key_padding_mask
pad-over-queries: The mask closes rows, which are queries: padded keys are still attended. Write `[:, None, None, :]`.
    [:, None, None, :] -> [:, None, :, None]
pad-both-ways: The rows of padding are closed, too, and queries may be of another text. Close keys alone:
    `[:, None, None, :]`.
    [:, None, None, :] -> [:, None, None, :] & ~key_padding_mask[:, None, :, None]
mask-two-axes: A mask of two axes is read as `(num_queries, num_keys)`. Put in two: `[:, None, None, :]`.
    [:, None, None, :] ->
mask-three-axes: With three axes, your batch lies over the heads. Put in two, `[:, None, None, :]`.
    [:, None, None, :] -> [:, None, :]
mask-axes-last: The new axes stand behind the keys, which should be last: put both in the middle, `[:, None, None, :]`.
    [:, None, None, :] -> [..., None, None]
first-sample-only: The padding of the first text is used for all. Each text has its own: `[:, None, None, :]`.
    [:, None, None, :] -> [:1, None, None, :]
padding-of-any: A key that is padding in one text is left out of all. Keep the batch's axis: `[:, None, None, :]`.
    key_padding_mask[:, None, None, :] -> key_padding_mask.any(dim=0, keepdim=True)
counted-from-left: Your code counts the real keys, and takes as many from the left. Padding may stand in front as well:
    use `key_padding_mask` as it came.
    ~key_padding_mask[:, None, None, :] ->
        (torch.arange(keys.shape[-2]) < (~key_padding_mask).sum(dim=-1, keepdim=True))[:, None, None]
mask-missing: The padding is attended like any other key: hand the mask over as `attn_mask`.
    , attn_mask=mask ->
mask-added-01: A float mask is added to the scores, and numbers near 1 barely move them. Hand over a bool mask.
    attn_mask=mask -> attn_mask=mask.to(queries.dtype)
zero-times-inf: There is `nan` everywhere: 0 times infinity is not a number. Hand over a bool mask.
    attn_mask=mask -> attn_mask=~mask * -torch.inf
mask-zero-fill: The padded keys count as zero, with a score of 0: mask the scores, with `attn_mask`.
    keys, values, attn_mask=mask -> keys * mask.transpose(-2, -1), values
    or
    keys, values, attn_mask=mask -> keys * mask.transpose(-2, -1), values * mask.transpose(-2, -1)
keys-infinite: The scores of padded keys are infinite or huge, or `nan`. Mask the scores, with `attn_mask`.
    keys, values, attn_mask=mask -> keys.masked_fill(~mask.transpose(-2, -1), -torch.inf), values
causal-added: Later tokens are hidden as well, and nobody asked for that: the mask is of the padding alone.
    attn_mask=mask -> attn_mask=mask & torch.ones(queries.shape[-2], keys.shape[-2], dtype=torch.bool).tril()
scale-no-root: The scores are divided by the width. SDPA divides by its root itself: leave `scale` out.
    attn_mask=mask -> attn_mask=mask, scale=1 / queries.shape[-1]
first-of-pair: SDPA returns one tensor, not a pair: a second name beside it, or a `[0]`, takes its texts apart.
    return F.scaled_dot_product_attention(…) -> context_vecs, _ = F.scaled_dot_product_attention(…) ⏎
        return context_vecs
"""

HINTS = (gradient_flows, calls_pytorchs)
RULES = (demands("scaled_dot_product_attention", prompt="which calls SDPA"),)
exercise = Exercise(fused_attention_solution, cases, MISTAKES, outputs=("context_vecs",), hints=HINTS, rules=RULES)
