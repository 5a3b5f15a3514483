"""`MyCrossAttention(d_in, d_out, num_heads, kdim, vdim)`: many heads, queries of one sequence, keys of another."""

import torch
from torch import nn

from course_utils import attention
from course_utils.checks import outcome
from course_utils.checks.exercise import Unasked
from course_utils.checks.form import Form
from course_utils.checks.modules import BEHAVIOURS, ModuleExercise
from course_utils.checks.rules import forbids
from course_utils.lessons.arguments import CONTEXT_AND_WEIGHTS

from . import cross_attention_by_hand as by_hand
from .under_a_mask import KEYS_COUNTED


class CrossAttentionSolution(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        values = keys if values is None else values
        mask = None if valid_lens is None else attention.padding_mask(valid_lens, keys.shape[-2])
        projected = self.W_query(queries), self.W_key(keys), self.W_value(values)
        heads = (attention.split_heads(x, self.num_heads) for x in projected)
        context_vecs, attn_weights = attention.scaled_dot_product_attention(*heads, mask)
        return self.out_proj(attention.merge_heads(context_vecs)), attn_weights


def cases(draw):
    def inputs(batch_size, queries, keys, values=None, dtype=torch.float32):
        return tuple(0.4 * draw(batch_size, *shape, dtype=dtype) for shape in (queries, keys, values) if shape)

    yield "3, 5 and 7 wide, 4 queries, 6 keys, 2 heads", (3, 8, 2, 5, 7), *inputs(2, (4, 3), (6, 5), (6, 7))
    yield "padding: lengths 3 and 2", (3, 8, 4, 5, 7), *inputs(2, (2, 3), (6, 5), (6, 7)), torch.tensor([3, 2])
    yield "no values given", (4, 6, 3, 4, 4), *inputs(2, (3, 4), (5, 4))
    yield "no values given, 4 lengths", (3, 6, 2, 5, 5), *inputs(4, (2, 3), (4, 5)), None, torch.tensor([2, 4, 1, 3])
    yield "values as wide as keys", (3, 6, 3, 4, 4), *inputs(2, (2, 3), (5, 4), (5, 4))
    yield "as many queries as keys", (4, 6, 2, 4, 4), *inputs(2, (23, 4), (23, 4)), None, torch.tensor([23, 3])
    yield "a text of length 0", (3, 8, 4, 3, 2), *inputs(2, (3, 3), (4, 3), (4, 2)), torch.tensor([3, 0])
    yield "one head, a batch of one, a single key", (2, 4, 1, 3, 5), *inputs(1, (3, 2), (1, 3), (1, 5))
    yield "a batch of one, 2 keys of 3", (2, 6, 2, 4, 3), *inputs(1, (4, 2), (3, 4), (3, 3)), torch.tensor([2])
    yield "large inputs", (3, 6, 3, 5, 2), *(30 * x for x in inputs(2, (3, 3), (5, 5), (5, 2))), torch.tensor([4, 3])
    yield Unasked("float64"), (3, 8, 2, 5, 7), *inputs(2, (4, 3), (6, 5), (6, 7), torch.float64), torch.tensor([6, 2])


def forgets_what_was_left_out(exercise, answer: type):
    """Yield ("state-leak", message) if a call without values and valid_lens depends on one before with them."""
    sizes, queries, keys, _, valid_lens = next(case.args for case in exercise.cases() if None in case.args)
    after, fresh = exercise.instance(answer, sizes), exercise.instance(answer, sizes)
    after(queries, keys, keys.flip(-2), valid_lens)
    if not all(map(outcome.close, after(queries, keys), fresh(queries, keys))):
        yield (
            "state-leak",
            "After a call with values or lengths, one without them still uses those: your `forward` keeps something "
            "on `self`. Keep what belongs to one call in plain variables.",
        )


MISTAKES = f"""{KEYS_COUNTED}
values-from-queries: Without values, yours come from the queries. They belong to the keys: `values = keys`.
    values = keys if -> values = queries if
values-ignored: The values that were given are not used: `W_value` takes `values`, and the keys only if there are none.
    values = keys if values is None else values -> values = keys
values-required: Without values your `forward` stops. Then take the keys: `values = keys if values is None else values`.
    values = keys if values is None else values ->
values-projected-keys: Yours are what `W_key` gives. Give `W_value` the keys as they came in: choose before any layer.
    values = keys if values is None else values ->
    self.W_value(values) -> self.W_key(keys) if values is None else self.W_value(values)
lens-required: Without lengths your `forward` stops. Where none are given, nothing is padding: no mask.
    None if valid_lens is None else attention.padding_mask -> attention.padding_mask
mask-ignored: Padding is attended: your mask has no effect, or there is none. Close the scores with it, before softmax.
    *heads, mask -> *heads
view-no-transpose: Your split mixes tokens. Cut the last axis, then turn axes 1 and 2: `attention.split_heads`.
    attention.split_heads(x, self.num_heads) -> x.reshape(len(x), self.num_heads, x.shape[1], -1)
sizes-swapped: You have `head_dim` heads, `num_heads` wide. `attention.split_heads` takes the number of heads.
    attention.split_heads(x, self.num_heads) -> attention.split_heads(x, self.out_proj.in_features // self.num_heads)
merge-no-transpose: Merging mixes tokens and features. Turn the heads back first: `attention.merge_heads`.
    attention.merge_heads(context_vecs) -> context_vecs.reshape(*projected[0].shape[:2], -1)
no-out-proj: The heads lie side by side, and nothing mixes them: the last step is `self.out_proj`.
    self.out_proj(attention.merge_heads(context_vecs)) -> attention.merge_heads(context_vecs)
extra-bias:
    , bias=False ->>
dropout-added:
    self.out_proj = -> self.dropout = nn.Dropout(0.5) ⏎ self.out_proj =
    self.out_proj(…), attn_weights -> self.dropout(self.out_proj(…)), attn_weights
dropout-in-eval:
    self.out_proj(…), attn_weights -> nn.functional.dropout(self.out_proj(…), 0.3), attn_weights
"""

FORMS = (Form(by_hand.__name__, "ByHand", by_hand.MISTAKES, shared=(*by_hand.SHARED, MISTAKES)),)
CLASSES = ("MultiHeadAttention", "StackedHeads", "CausalAttention", "SelfAttention")
exercise = ModuleExercise(
    CrossAttentionSolution,
    cases,
    MISTAKES,
    also=FORMS,
    behaviours=(*BEHAVIOURS, forgets_what_was_left_out),
    rules=(forbids(*CLASSES, prompt="Functions of `attention` are welcome, its classes are not"),),
    **CONTEXT_AND_WEIGHTS,
)
