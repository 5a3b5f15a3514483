"""`my_adopt(ours, theirs)`: PyTorch's weights, copied into the course's layer."""

import torch
from torch import nn

from course_utils import attention
from course_utils.checks import outcome
from course_utils.checks.exercise import Exercise
from course_utils.lessons.arguments import CONTEXT_AND_WEIGHTS
from course_utils.lessons.filled_modules import filled, trains_by_itself
from course_utils.lessons.findings import finding


def adopt_solution(ours, theirs):
    with torch.no_grad():
        weights, biases = theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)
        for i, layer in enumerate((ours.W_query, ours.W_key, ours.W_value)):
            layer.weight.copy_(weights[i])
            layer.bias.copy_(biases[i])
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())


def cases(draw):
    yield "2 texts of 5 tokens, 12 wide, 3 heads", 12, 3, draw(2, 5, 12)
    yield "12 wide, 2 heads", 12, 2, draw(2, 4, 12)
    yield "9 wide, 3 heads", 9, 3, draw(2, 4, 9)
    yield "3 texts of 4 tokens, 6 wide, 2 heads", 6, 2, draw(3, 4, 6)
    yield "one head", 5, 1, draw(2, 3, 5)
    yield "a batch of one, a single token", 8, 4, draw(1, 1, 8)


def two_modules(answer, width, num_heads):
    """Call answer(ours, theirs), which copies PyTorch's weights into ours; return (ours, theirs, what it returned).

    width, num_heads: of both modules, which are made here. No bias of PyTorch's module is 0. Errors: Refused if the
    answer changes that module.
    """
    ours = filled(width, attention.MultiHeadAttention, width, width, num_heads, qkv_bias=True)
    theirs, before = (filled(width, nn.MultiheadAttention, width, num_heads, batch_first=True) for _ in range(2))
    with torch.no_grad():
        for parameter in ours.parameters():
            parameter.fill_(0.5)
    returned = answer(ours, theirs)
    if not all(map(torch.equal, theirs.parameters(), before.parameters())):
        raise outcome.Refused("Your code writes into `theirs`. Read from `theirs`, write into `ours`.")
    return ours, theirs, returned


def adopted(answer, width, num_heads, inputs):
    """Return (context_vecs, attn_weights) of our module, in eval mode, after answer(ours, theirs) has filled it.

    width, num_heads: as in `two_modules`. inputs: (batch, num_tokens, width).
    """
    ours, _, _ = two_modules(answer, width, num_heads)
    return ours(inputs)


def is_a_copy(exercise, answer):
    """Yield (mistake id, message) for what an answer does besides copying the weights into our module.

    The ids: "something-returned", "key-bias-forgotten", and those of `trains_by_itself`.
    """
    width, num_heads, _ = exercise.case(0).args
    ours, theirs, returned = two_modules(answer, width, num_heads)
    if returned is not None:
        yield finding(exercise, "something-returned")
    if not torch.equal(ours.W_key.bias, theirs.in_proj_bias[width : 2 * width]):
        yield finding(exercise, "key-bias-forgotten")
    yield from trains_by_itself(exercise, ours, theirs)


MISTAKES = """
qk-swapped: This is the bug as it was: query and key have changed places. From the top: queries, keys, values.
    ours.W_query, ours.W_key, ours.W_value -> ours.W_key, ours.W_query, ours.W_value
kv-swapped: Key and value have changed places. From the top: queries, keys, values.
    ours.W_query, ours.W_key, ours.W_value -> ours.W_query, ours.W_value, ours.W_key
weight-swapped: Halfway: the biases are in their places, and the weights of query and key are still exchanged.
    weights[i] -> weights[(1, 0, 2)[i]]
bias-swapped: Halfway: the biases of query and key are still exchanged. From the top: queries, keys, values.
    biases[i] -> biases[(1, 0, 2)[i]]
bias-forgotten: The biases of queries, keys and values have not arrived. Once trained, they are not 0: `in_proj_bias`.
    layer.bias.copy_(biases[i]) -> pass
key-bias-forgotten: The bias of the keys has not arrived. It adds the same to all scores of a row, so no output shows
    it. Copy it all the same.
    layer.bias.copy_(biases[i]) -> if layer is not ours.W_key: layer.bias.copy_(biases[i])
bias-first-third: All three layers get the queries' bias. Cut `in_proj_bias` as the weights, `chunk(3)`.
    biases[i] -> biases[0]
rows-by-head: The rows are taken head by head. They stand in three blocks, queries, then keys, then values: `chunk(3)`.
    theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3) -> ([part.unflatten(0, (theirs.num_heads, 3, -1))[
        :, i].flatten(0, 1) for i in range(3)] for part in (theirs.in_proj_weight, theirs.in_proj_bias))
chunk-axis: The stacked weight is cut across its columns. It is `(3 * width, width)`: cut its rows, `chunk(3, dim=0)`.
    theirs.in_proj_weight.chunk(3) -> theirs.in_proj_weight.chunk(3, dim=1)
width-fixed: The parts are 12 wide, and `theirs` may be narrower or wider: `chunk(3)`, or `split(theirs.embed_dim)`.
    theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3) ->
        theirs.in_proj_weight.split(12), theirs.in_proj_bias.split(12)
rows-interleaved: Each layer gets every third row. They stand in blocks, queries, then keys, then values: `chunk(3)`.
    theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3) -> ([part[i::3] for i in range(3)]
        for part in (theirs.in_proj_weight, theirs.in_proj_bias))
linear-layout: The weights arrive transposed. Both sides store `(d_out, d_in)`: copy them as they are.
    layer.weight.copy_(weights[i]) -> layer.weight.copy_(weights[i].T)
out-proj-forgotten: `out_proj` keeps its old numbers. Copy its weight and its bias as well.
    ours.out_proj.load_state_dict(theirs.out_proj.state_dict()) ->
out-bias-forgotten: The bias of `out_proj` has not arrived. Copy it as well.
    ours.out_proj.load_state_dict(theirs.out_proj.state_dict()) -> ours.out_proj.weight.copy_(theirs.out_proj.weight)
out-weight-turned: The weight of `out_proj` arrives transposed: copy it as it is.
    ours.out_proj.load_state_dict(theirs.out_proj.state_dict()) ->
        ours.out_proj.weight.copy_(theirs.out_proj.weight.T) ⏎ ours.out_proj.bias.copy_(theirs.out_proj.bias)
names-differ: Only `out_proj` has arrived. Cut `in_proj_weight` and `in_proj_bias` with `chunk(3)`, and copy.
    for i, layer …ours.out_proj.load_state_dict(theirs.out_proj.state_dict()) ->
        ours.load_state_dict(theirs.state_dict(), strict=False)
added-to: The numbers are added to those that were there. Copy them over: `layer.weight.copy_(…)`.
    layer.weight.copy_( -> layer.weight.add_(
    layer.bias.copy_( -> layer.bias.add_(
not-filled: `ours` is as it was: something else was filled, or nothing. Write into its own parameters, with `copy_`.
    with torch.no_grad(): -> from copy import deepcopy ⏎ ours = deepcopy(ours) ⏎ with torch.no_grad():
shared-memory: The two modules share memory: train one, and the other changes too. Write the numbers into the layers'
    own parameters with `copy_`.
    layer.weight.copy_(weights[i]) -> layer.weight.data = weights[i].data
frozen: `ours` can no longer be trained: leave `requires_grad` as it was.
    with torch.no_grad(): -> ours.requires_grad_(False) ⏎ with torch.no_grad():
something-returned: The numbers are right, and your function gives something back. The prompt says “Return nothing”.
    `ours` is filled, and whoever called has it: leave out the `return`.
    ours.out_proj.load_state_dict(…) -> ours.out_proj.load_state_dict(theirs.out_proj.state_dict()) ⏎ return ours
"""

exercise = Exercise(adopt_solution, cases, MISTAKES, observe=adopted, behaviours=(is_a_copy,), **CONTEXT_AND_WEIGHTS)
