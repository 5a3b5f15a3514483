"""Wrong answers to the exercise of notebook 08 on copying our weights into PyTorch's layer."""

import torch

from . import notebook_08, steps
from .notebook_08 import copy_heads_, stacked

notebook_weight = torch.full((3, 3), 0.25)  # lies about in the notebook


def by_head(ours, theirs):
    """As some other code stores it: query, key and value of head 0, then those of head 1."""
    parts = [getattr(ours, f"W_{name}").weight.unflatten(0, (ours.num_heads, -1)) for name in ("query", "key", "value")]
    theirs.in_proj_weight.copy_(torch.stack(parts, dim=1).flatten(0, 2))


def write(turn):
    return lambda ours, theirs: theirs.in_proj_weight.copy_(turn(ours))


NEW_LAYER = (
    "PyTorch's layer keeps its old numbers in `in_proj_weight`. Making a new tensor changes nothing: write into the "
    "one that is there, with `copy_`."
)
notebook_08.copy_heads.wrong_steps({
    "qk-swapped": (
        "Query and key have changed places. In `in_proj_weight` the rows for queries stand first, then keys, then "
        "values.",
        "weight", write(lambda ours: stacked(ours, "key query value")),
    ),
    "order-reversed": (
        "The three matrices stand in the wrong order. It is queries, keys, values, from the top.",
        "weight", write(lambda ours: stacked(ours, "value key query")),
    ),
    "kv-swapped": (
        "Key and value have changed places. From the top: queries, keys, values.",
        "weight", write(lambda ours: stacked(ours, "query value key")),
    ),
    "linear-layout": (
        "The matrices are turned on their side. Both modules store a weight as `(d_out, d_in)`: between the two, no "
        "transpose.",
        "weight", write(lambda ours: stacked(ours, turned=True)),
    ),
    "view-for-cat": (
        "The three matrices are joined side by side and then read in another shape, which cuts their rows apart. Put "
        "them one below the other: `torch.cat(…, dim=0)`.",
        "weight",
        write(lambda ours: torch.cat(stacked(ours).chunk(3), dim=1).reshape(3 * ours.W_query.out_features, -1)),
    ),
    "cat-side-by-side": (
        "The three matrices stand side by side. They belong one below the other, `(3 * d_out, d_in)`: "
        "`torch.cat(…, dim=0)`.",
        "weight", write(lambda ours: torch.cat(stacked(ours).chunk(3), dim=1)),
    ),
    "stack-for-cat": (
        "`stack` makes a new axis, `(3, d_out, d_in)`. The matrices belong one below the other: `torch.cat`.",
        "weight",
        write(lambda ours: torch.stack(stacked(ours).chunk(3))),
    ),
    "by-head": (
        "Your rows go head by head. Here all queries of all heads stand first, then all keys, then all values.",
        "weight", by_head,
    ),
    "shared-projection": (
        "All three parts are filled with `W_query`: keys and values have matrices of their own.",
        "weight", write(lambda ours: stacked(ours, "query query query")),
    ),
    "in-proj-missing": (NEW_LAYER, "weight", lambda ours, theirs: stacked(ours)),
    "bias-kept": (
        "`in_proj_bias` keeps its old numbers. Ours adds no bias to queries, keys and values: `zero_()`.",
        "bias", lambda ours, theirs: None,
    ),
    "no-out-proj": (
        "`theirs.out_proj` keeps its old numbers: copy its weight and its bias too.",
        "out", lambda ours, theirs: None,
    ),
    "out-bias-missing": (
        "The weight of `out_proj` is copied, and its bias is not.",
        "out", lambda ours, theirs: theirs.out_proj.weight.copy_(ours.out_proj.weight),
    ),
    "out-bias-zeroed": (
        "The bias of `out_proj` is set to zero. Ours has one: copy it.",
        "out", lambda ours, theirs: (theirs.out_proj.weight.copy_(ours.out_proj.weight), theirs.out_proj.bias.zero_()),
    ),
    "out-proj-turned": (
        "The weight of `out_proj` is turned on its side. It is an `nn.Linear` in both modules: copy it as it stands.",
        "out",
        lambda ours, theirs: (
            theirs.out_proj.weight.copy_(ours.out_proj.weight.transpose(0, 1)),
            theirs.out_proj.bias.copy_(ours.out_proj.bias),
        ),
    ),
})  # fmt: skip


@notebook_08.copy_heads.mistake(
    "no-grad-missing",
    "PyTorch refuses to write into a parameter while it keeps notes for training. Put the writes under `with "
    "torch.no_grad():`.",
)
def _(ours, theirs):
    theirs.in_proj_weight.copy_(stacked(ours))


@notebook_08.copy_heads.mistake(
    "tensor-for-parameter",
    "A parameter cannot be replaced by a plain tensor. Write the numbers into the one that is there, with `copy_` "
    "under `torch.no_grad()`.",
)
def _(ours, theirs):
    theirs.in_proj_weight = stacked(ours)


@notebook_08.copy_heads.mistake(
    "by-name",
    "The two modules name their parts differently, so `load_state_dict` finds none of its names. Fill the parameters "
    "of `theirs` one by one.",
)
def _(ours, theirs):
    theirs.load_state_dict(ours.state_dict())


@notebook_08.copy_heads.mistake("shared-memory", "The two modules share memory.")
def _(ours, theirs):
    copy_heads_(ours, theirs)
    theirs.out_proj = ours.out_proj


@notebook_08.copy_heads.mistake("frozen", "PyTorch's layer can no longer be trained: leave `requires_grad` as it was.")
def _(ours, theirs):
    copy_heads_(ours, theirs)
    theirs.requires_grad_(False)


@notebook_08.copy_heads.mistake("input-changed", "Your code changes the weights of `ours`.")
def _(ours, theirs):
    copy_heads_(ours, theirs)
    ours.W_query.weight.data.zero_()


@notebook_08.copy_heads.mistake("global-leak", steps.LEAK)
def _(ours, theirs):
    copy_heads_(ours, theirs)
    theirs.in_proj_weight.data[:3, :3] = notebook_weight
