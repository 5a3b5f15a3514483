"""`my_copy_heads(ours, theirs)`: the course's weights, written into `nn.MultiheadAttention`."""

import torch
from torch import nn

from course_utils import attention
from course_utils.checks import outcome
from course_utils.checks.exercise import Exercise
from course_utils.lessons.filled_modules import filled, trains_by_itself
from course_utils.lessons.findings import finding

PARAMETERS = ("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias")
LOST = "`theirs.{name}` is no longer a parameter. Write numbers into the one there was, with `copy_` or `zero_`."


def copy_heads_solution(ours, theirs):
    layers = (ours.W_query, ours.W_key, ours.W_value)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))  # (3 * d_out, d_in)
        theirs.in_proj_bias.zero_()
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)


def parameters_afterwards(answer, ours, theirs):
    """Call an answer to copy weights from `ours` to `theirs`.

    Return every parameter of `theirs`, a tuple as in PARAMETERS. ours: a MultiHeadAttention. theirs: an
    nn.MultiheadAttention, to be filled. The outputs would not show all parameters: the bias of the keys changes no
    output. Errors: Refused if the weights of `ours` change, or a parameter of `theirs` is lost.
    """
    before = [parameter.clone() for parameter in ours.parameters()]
    answer(ours, theirs)
    if not all(map(torch.equal, ours.parameters(), before)):
        raise outcome.Refused("Your code changes the weights of `ours`. Read from `ours`, write into `theirs`.")
    parameters = dict(theirs.named_parameters())
    for name in PARAMETERS:
        if name not in parameters:
            raise outcome.Refused(LOST, name=name)
    return tuple(parameters[name] for name in PARAMETERS)


def cases(draw):
    for label, width, num_heads in (
        ("modules 12 wide with 3 heads", 12, 3),
        ("modules 6 wide with 2 heads", 6, 2),
        ("one head, 5 wide", 5, 1),
        ("modules 8 wide with 4 heads", 8, 4),
    ):
        ours = filled(draw, attention.MultiHeadAttention, width, width, num_heads)
        yield label, ours, filled(draw, nn.MultiheadAttention, width, num_heads, batch_first=True)


def is_a_copy(exercise, answer):
    """Yield (mistake id, message) for what an answer does besides copying the weights into PyTorch's module.

    The ids: "frozen", "shared-memory", and "something-returned". answer: the learner's function.
    """
    ours, theirs = exercise.case(0).args
    returned = answer(ours, theirs)
    yield from trains_by_itself(exercise, theirs, ours)
    if returned is not None:
        yield finding(exercise, "something-returned")


MISTAKES = """
bias-kept: Not all of `in_proj_bias` is zero. Ours adds no bias to queries, keys and values: `in_proj_bias.zero_()`.
    theirs.in_proj_bias.zero_() -> torch.zeros_like(theirs.in_proj_bias)
no-out-proj: `theirs.out_proj` keeps its old numbers: copy its weight and its bias too.
    theirs.out_proj.weight.copy_(ours.out_proj.weight) ->
    theirs.out_proj.bias.copy_(ours.out_proj.bias) ->
out-bias-kept: The bias of `theirs.out_proj` keeps its old numbers: copy it, as you did the weight.
    theirs.out_proj.bias.copy_(ours.out_proj.bias) ->
out-bias-zeroed: The bias of `out_proj` is zero. Ours has one: copy it.
    theirs.out_proj.bias.copy_(ours.out_proj.bias) -> theirs.out_proj.bias.zero_()
qk-swapped: Query and key have changed places. From the top, `in_proj_weight` holds queries, keys, values.
    (ours.W_query, ours.W_key, ours.W_value) -> (ours.W_key, ours.W_query, ours.W_value)
linear-layout: The matrices are turned on their side. Both modules store a weight as `(d_out, d_in)`: no transpose.
    layer.weight for -> layer.weight.T for
    or
    layer.weight for -> layer.weight.T for
    theirs.out_proj.weight.copy_(ours.out_proj.weight) -> theirs.out_proj.weight.copy_(ours.out_proj.weight.T)
cat-side-by-side: The three matrices stand side by side. They belong one below the other: `torch.cat(…, dim=0)`.
    torch.cat(…)) -> torch.cat(…, dim=1))
by-head: Your rows go head by head. Here all queries of all heads stand first, then all keys, then all values.
    torch.cat(…)) ->
        torch.stack([layer.weight.unflatten(0, (ours.num_heads, -1)) for layer in layers], dim=1).flatten(0, 2))
shared-projection: Parts of `in_proj_weight` are alike. They are `W_query`, `W_key`, `W_value`, from the top.
    (ours.W_query, ours.W_key, ours.W_value) -> (ours.W_query, ours.W_key, ours.W_key)
in-proj-missing: `in_proj_weight` keeps its old numbers. Write into the one that is there, with `copy_`.
    theirs.in_proj_weight.copy_(…) -> in_proj_weight = …
bias-not-zero: `in_proj_bias` holds new numbers, and not zeros. Ours adds nothing to queries, keys, values: `zero_()`.
    in_proj_bias.zero_() -> in_proj_bias.copy_(ours.out_proj.bias.repeat(3))
parameter-removed:
    in_proj_bias.zero_() -> in_proj_bias = None
by-name: Only `out_proj` is filled. Write into `theirs.in_proj_weight` and `theirs.in_proj_bias` as well, with `copy_`:
    neither `in_proj_weight = …` nor `load_state_dict(…, strict=False)` does so.
    theirs.in_proj_weight.copy_(…) -> theirs.load_state_dict(ours.state_dict(), strict=False)
    theirs.in_proj_bias.zero_() ->
shared-memory: The two modules share memory: train one, and the other changes too. Write the numbers into the layer's
    own parameters with `copy_`.
    theirs.out_proj.weight.copy_(ours.out_proj.weight) -> theirs.out_proj = ours.out_proj
frozen: PyTorch's layer can no longer be trained: leave `requires_grad` as it was.
    theirs.out_proj.bias.copy_(…) -> theirs.out_proj.bias.copy_(…) ⏎ theirs.requires_grad_(False)
wrong-direction: Your code changes the weights of `ours`. What is written into stands in front: `theirs….copy_(ours…)`.
    theirs.out_proj.weight.copy_(ours.out_proj.weight) -> ours.out_proj.weight.copy_(theirs.out_proj.weight)
nothing-filled: PyTorch's layer has its old numbers. Write into `theirs`: `theirs.in_proj_weight.copy_(…)`.
    layers = -> theirs = nn.MultiheadAttention(ours.out_proj.in_features, ours.num_heads); layers =
fixed-width: Your code fits the width of this page's modules, 12. Other modules come, too: read it off the weights.
    theirs.in_proj_weight.copy_(…) ->
        for at, layer in enumerate(layers): ⏎     theirs.in_proj_weight[12 * at : 12 * at + 12] = layer.weight
something-returned: The prompt says “Return nothing”. The layer is filled: leave out the `return`.
    theirs.out_proj.bias.copy_(…) -> theirs.out_proj.bias.copy_(…) ⏎ return theirs
"""

exercise = Exercise(
    copy_heads_solution, cases, MISTAKES, outputs=PARAMETERS, observe=parameters_afterwards, behaviours=(is_a_copy,)
)
