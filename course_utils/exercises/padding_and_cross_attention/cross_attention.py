"""`MyCrossAttention(d_in, d_out, num_heads, kdim, vdim)`: many heads, queries of one sequence, keys of another."""

import torch
from torch import nn

from course_utils import attention
from course_utils.checks import outcome
from course_utils.checks.exercise import Unasked
from course_utils.checks.form import Form
from course_utils.checks.modules import BEHAVIOURS, ModuleExercise
from course_utils.checks.rules import forbids

from . import cross_attention_by_hand as by_hand
from .cross_attention_layers import LAYERS
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
    yield (
        Unasked("float64"),
        (3, 8, 2, 5, 7),
        *inputs(2, (4, 3), (6, 5), (6, 7), dtype=torch.float64),
        torch.tensor([6, 2]),
    )


def forgets_what_was_left_out(exercise, answer):
    """Yield ("state-leak", message) if a call without values and lengths changes after a call that had them.

    exercise: the Exercise, whose first case without values is tried. answer: the learner's class.
    """
    sizes, queries, keys, _, valid_lens = next(case.args for case in exercise.cases() if None in case.args)
    after, fresh = exercise.built(answer, sizes), exercise.built(answer, sizes)
    after(queries, keys, keys.flip(-2), valid_lens)
    if not all(map(outcome.close, after(queries, keys), fresh(queries, keys))):
        yield (
            "state-leak",
            "After a call with values or lengths, one without them still uses those: your `forward` keeps something "
            "on `self`. Keep what belongs to one call in plain variables.",
        )


MISTAKES = f"""{KEYS_COUNTED}
cross-from-queries: The keys come from the queries' sequence: the result never saw the other one. `W_key` takes `keys`.
    self.W_key(keys) -> self.W_key(queries)
    or
    self.W_key(keys) -> self.W_key(queries)
    values = keys if -> values = queries if
    or
    values = keys if -> keys = queries ⏎ values = keys if
queries-from-keys: The queries come from the keys' sequence, so it asks itself. `W_query` takes `queries`.
    self.W_query(queries) -> self.W_query(keys)
qk-swapped: The table lies on its side. A row is a query: `W_query` takes `queries`, which stand left of the `@`.
    self.W_query(queries), self.W_key(keys) -> self.W_key(keys), self.W_query(queries)
values-from-queries: Without values, yours come from the queries. They belong to the keys: `values = keys`.
    values = keys if -> values = queries if
values-ignored: The values that were given are not used: `W_value` takes `values`, and the keys only if there are none.
    values = keys if values is None else values -> values = keys
values-required: Without values your `forward` stops. Then take the keys: `values = keys if values is None else values`.
    values = keys if values is None else values ->
values-or-keys: A whole tensor is neither true nor false. Ask whether it is there: `keys if values is None else values`.
    values = keys if values is None else values -> values = values or keys
values-projected-keys: Without values, yours are what `W_key` gives. Give `W_value` the keys as they came in: choose the
    values in the first line of `forward`, before any layer.
    values = keys if values is None else values ->
    self.W_value(values) -> self.W_key(keys) if values is None else self.W_value(values)
shared-projection: Queries and keys come from one layer. Each has its own: `self.W_query(queries)`, `self.W_key(keys)`.
    self.W_key(keys) -> self.W_query(keys)
shared-projection: Keys and values come from one layer. Each has its own: `self.W_key(keys)`, `self.W_value(values)`.
    self.W_value(values) -> self.W_key(values)
v-unprojected: The values are used as they came in. They need their layer, `self.W_value(values)`.
    self.W_value(values) -> values
lens-required: Without lengths your `forward` stops. Where none are given, nothing is padding: no mask.
    None if valid_lens is None else attention.padding_mask -> attention.padding_mask
lens-as-truth: A whole tensor is neither true nor false. Ask whether it is there: `valid_lens is None`.
    None if valid_lens is None else attention.padding_mask(…) -> attention.padding_mask(…) if valid_lens else None
mask-from-queries: Without lengths, you take as many keys as there are queries. Nothing is padding then: no mask.
    None if valid_lens is None else attention.padding_mask(valid_lens, -> attention.padding_mask(
        torch.full((len(keys),), queries.shape[-2]) if valid_lens is None else valid_lens,
mask-from-batch: Your mask is as long as there are texts. Count how many keys there are: `keys.shape[-2]`.
    keys.shape[-2] -> len(keys)
keys-from-lens: Keys behind the longest text are cut off. The weights need a column for each: count to `keys.shape[-2]`.
    keys.shape[-2] -> int(valid_lens.max())
    projected = -> if mask is not None:
        ⏎     keys, values = (x[:, : mask.shape[-1]] for x in (keys, values)) ⏎ projected =
keys-counted-by-heads: Your mask is as long as there are heads: after the split, axis 1 counts them. Take
    `keys.shape[-2]`.
    keys.shape[-2] -> self.num_heads
    or
    attention.padding_mask(valid_lens, keys.shape[-2]) ->
        (torch.arange(self.num_heads) < valid_lens[:, None])[:, None, None, :]
axes-missing: Your mask has too few axes. The scores have four, texts, heads, queries, keys: `(batch, 1, 1, num_keys)`.
    attention.padding_mask(…) -> attention.padding_mask(…)[:, 0]
pad-over-queries: Your mask closes rows, which are queries: padded keys stay open to others. Its last axis should be the
    keys'.
    attention.padding_mask(…) -> attention.padding_mask(…).mT
mask-inverted: Your mask opens what should be closed. True = may attend: close where it is False.
    attention.padding_mask -> ~attention.padding_mask
mask-ignored: Padding is attended: your mask has no effect, or there is none. Close the scores with it, before softmax.
    *heads, mask -> *heads
mask-zero-fill: The padding is set to zero before it is attended. A key of zeros has a score of 0, which is a score like
    others: close the scores, with a mask.
    values = keys if -> if valid_lens is not None:
        ⏎     keys = keys * attention.padding_mask(valid_lens, keys.shape[-2])[:, 0].mT ⏎ values = keys if
    *heads, mask -> *heads
    or
    projected = -> if mask is not None: ⏎     keys, values = keys * mask[:, 0].mT, values * mask[:, 0].mT ⏎ projected =
    *heads, mask -> *heads
values-zeroed: The padded values count as zero, and keep their weights: the others get too little. Close the scores.
    projected = -> if mask is not None: ⏎     values = values * mask[:, 0].mT ⏎ projected =
    *heads, mask -> *heads
heads-forgotten: There is one wide head: the features are never split. `attention.split_heads` comes first.
    attention.padding_mask(…) -> attention.padding_mask(…)[:, 0]
    (attention.split_heads(x, self.num_heads) for x in projected) -> projected
    attention.merge_heads(context_vecs) -> context_vecs
    or
    (attention.split_heads(x, self.num_heads) for x in projected) -> projected
    attention.merge_heads(context_vecs) -> context_vecs
heads-fixed: Your `forward` fits one number of heads alone. Keep `num_heads` on `self`, and use that.
    split_heads(x, self.num_heads) -> split_heads(x, 2)
    or
    split_heads(x, self.num_heads) -> split_heads(x, 5)
arguments-swapped: `attention.split_heads` takes the tensor first: `split_heads(x, self.num_heads)`.
    split_heads(x, self.num_heads) -> split_heads(self.num_heads, x)
arguments-swapped: `forward` takes its inputs in this order: `queries, keys, values=None, valid_lens=None`.
    values=None, valid_lens=None) -> valid_lens=None, values=None)
length-0-open: A text of length 0 attends to padding. Its rows should be 0: leave its length as it is.
    padding_mask(valid_lens, -> padding_mask(valid_lens.clamp(min=1),
fixed-batch: Your code fits one number of texts alone. Read it off the input: `queries.shape[0]`, or `len(queries)`.
    attention.split_heads(x, self.num_heads) ->
        x.view(2, x.shape[1], self.num_heads, x.shape[-1] // self.num_heads).transpose(1, 2)
view-no-transpose: Your split cuts in the wrong places and mixes tokens: first `(batch, tokens, heads, head_dim)`, then
    turn axes 1 and 2. `attention.split_heads` does it.
    attention.split_heads(x, self.num_heads) -> x.reshape(len(x), self.num_heads, x.shape[1], -1)
heads-not-turned: The heads' axis stands behind the tokens, which are taken for heads. After the split, turn axes 1 and
    2: `(batch, heads, tokens, head_dim)`.
    attention.split_heads(x, self.num_heads) -> x.unflatten(-1, (self.num_heads, -1))
    or
    attention.split_heads(x, self.num_heads) -> x.unflatten(-1, (self.num_heads, -1))
    attention.merge_heads(context_vecs) -> context_vecs.flatten(2)
split-tokens: Your heads split the tokens, not the features: each sees a part of the text. The last axis is to be cut.
    attention.split_heads(x, self.num_heads) -> x.reshape(len(x), self.num_heads, -1, x.shape[-1])
    attention.merge_heads(context_vecs) -> context_vecs.reshape(*projected[0].shape[:2], -1)
float-size: A size must be a whole number: `/` gives a float. Write `d_out // num_heads`.
    attention.split_heads(x, self.num_heads) -> x.view(*x.shape[:2], self.num_heads, x.shape[-1] / self.num_heads)
merge-no-transpose: Merging mixes tokens and features: the heads' axis must stand beside the features' first.
    `attention.merge_heads` does both.
    attention.merge_heads(context_vecs) -> context_vecs.reshape(*projected[0].shape[:2], -1)
merge-discarded: Your result still has the heads' shape. Return the merged one, `(batch, num_queries, d_out)`.
    self.out_proj(…), attn_weights -> attention.split_heads(self.out_proj(…), self.num_heads), attn_weights
merge-missing: The heads are not merged, and `out_proj` takes all `d_out` features: `attention.merge_heads` comes first.
    attention.merge_heads(context_vecs) -> context_vecs
out-proj-before-merge: `out_proj` gets the features of one head. It takes all `d_out`: merge the heads first.
    self.out_proj(attention.merge_heads(context_vecs)) -> attention.merge_heads(self.out_proj(context_vecs))
no-out-proj: The heads lie side by side, and nothing mixes them: the last step is `self.out_proj`.
    self.out_proj(attention.merge_heads(context_vecs)) -> attention.merge_heads(context_vecs)
residual-added: The queries are added to the result. That belongs to a block, around attention: here `out_proj` is last.
    self.out_proj(…), attn_weights -> queries + self.out_proj(…), attn_weights
    or
    self.out_proj(…), attn_weights -> self.out_proj(…) + queries, attn_weights
    or
    self.out_proj(…), attn_weights -> self.W_query(queries) + self.out_proj(…), attn_weights
outputs-swapped: The two results have changed places: `return context_vecs, attn_weights`.
    self.out_proj(…), attn_weights -> attn_weights, self.out_proj(…)
weights-missing: The weights are asked for as well: `return context_vecs, attn_weights`.
    context_vecs)), attn_weights -> context_vecs))
seq-batch-swapped: Tokens look at the same place in other texts, as if axis 0 were theirs. The batch comes first: turn
    the last two axes alone.
    attention.split_heads(x, self.num_heads) -> attention.split_heads(x.transpose(0, 1), self.num_heads)
    attention.merge_heads(context_vecs) -> attention.merge_heads(context_vecs).transpose(0, 1)
batch-mixed: The texts of the batch are one long text: a change in one changes the others. Keep the first axis apart.
    attention.split_heads(x, self.num_heads) -> attention.split_heads(x.flatten(0, 1)[None], self.num_heads)
    *heads, mask -> *heads
    attention.merge_heads(context_vecs) -> attention.merge_heads(context_vecs).view(*queries.shape[:2], -1)
dropout-added:
    self.out_proj = -> self.dropout = nn.Dropout(0.5) ⏎ self.out_proj =
    self.out_proj(…), attn_weights -> self.dropout(self.out_proj(…)), attn_weights
dropout-in-eval:
    self.out_proj(…), attn_weights -> nn.functional.dropout(self.out_proj(…), 0.3), attn_weights
state-leak:
    self.W_key(keys) -> self.__dict__.setdefault("keys", self.W_key(keys))
    or
    self.num_heads = num_heads -> self.num_heads, self.mask = num_heads, None
    mask = None if valid_lens is None else attention.padding_mask(…) ->
        if valid_lens is not None: ⏎     self.mask = attention.padding_mask(…) ⏎ mask = self.mask
    or
    self.num_heads = num_heads -> self.num_heads, self.values = num_heads, None
    values = keys if values is None else values ->
        if values is not None: ⏎     self.values = values ⏎ values = keys if self.values is None else self.values
"""

exercise = ModuleExercise(
    CrossAttentionSolution,
    cases,
    MISTAKES,
    shared=(LAYERS,),
    also=(Form(by_hand.__name__, "ByHand", by_hand.MISTAKES, shared=(*by_hand.SHARED, MISTAKES, LAYERS)),),
    outputs=("context_vecs", "attn_weights"),
    rows="attn_weights",
    behaviours=(*BEHAVIOURS, forgets_what_was_left_out),
    rules=(
        forbids(
            "MultiHeadAttention",
            "StackedHeads",
            "CausalAttention",
            "SelfAttention",
            prompt="Functions of `attention` are welcome, its classes are not",
        ),
    ),
)
