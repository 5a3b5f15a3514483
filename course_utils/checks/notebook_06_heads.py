"""Exercise of notebook 06 that splits the features into heads, and words that other exercises on heads share."""

import torch

from . import steps
from .behaviours import gradient_flows, repeats
from .legacy import Exercise
from .notebook_06 import notebook_heads

BOTH = (gradient_flows, repeats)

NO_TRANSPOSE = (
    "Your `view` or `reshape` goes straight to `(batch, num_heads, num_tokens, head_dim)`. It only counts numbers off "
    "in their order, and a head's rows fill up with other tokens' numbers. Cut the features first, `view(batch, "
    "num_tokens, num_heads, head_dim)`, then move the axis: `transpose(1, 2)`."
)
SPLIT_TOKENS = (
    "Your heads share out the tokens, so each sees a part of the text. They should share out the features, the last "
    "axis: every head sees every token."
)
HEADS_FIRST = "The heads stand before the batch. The batch stays first: `stack` takes a `dim`, or move the axis back."
NOT_DIVISIBLE = (
    "A width that cannot be shared out evenly goes through, or fails far from its cause. Begin with "
    "`if d_out % num_heads:` and raise a `ValueError`."
)


def check_divisible(d_out, num_heads):
    if d_out % num_heads:
        raise ValueError(f"d_out = {d_out} is not divisible by num_heads = {num_heads}.")


SCALE_MODEL = (
    "You divided by the root of all heads' width together. The dot product runs over one head: take the root of "
    "`head_dim`, the last axis after the split."
)
SOFTMAX_HEADS = "Your softmax runs over the heads (`dim=1`). The keys are on the last axis: `dim=-1`."
SCALE_HEADS = (
    "You divided by the root of the number of heads. It should be the root of the width of one head, `head_dim`: the "
    "last axis after the split."
)


def split(x, num_heads):
    batch_size, num_tokens, d_out = x.shape
    check_divisible(d_out, num_heads)
    return x.view(batch_size, num_tokens, num_heads, d_out // num_heads).transpose(1, 2)


def straight_view(x, num_heads):
    return x.reshape(x.shape[0], num_heads, x.shape[1], -1)


def split_cases(draw):
    yield "2 texts of 5 tokens, 12 wide, 4 heads", draw(2, 5, 12), 4
    yield "4 tokens, 6 wide, 2 heads", draw(1, 4, 6), 2
    yield "as many heads as tokens", draw(2, 3, 6), 3
    yield "as many texts as tokens", draw(4, 4, 8), 2
    yield "one head", draw(2, 5, 4), 1
    yield "heads of width 1", draw(2, 5, 3), 3
    yield "a batch of one, a single token", draw(1, 1, 6), 3
    yield "float64", draw(2, 5, 12, dtype=torch.float64), 3
    yield "7 features for 2 heads", draw(2, 4, 7), 2


split_heads = Exercise("split_heads", split, split_cases, outputs=("heads",), behaviours=BOTH)


def wrong_split(id, words):
    """Add a wrong answer; widths that cannot be shared out are refused as they should be."""

    def add(cut):
        def answer(x, num_heads):
            check_divisible(x.shape[-1], num_heads)
            return cut(x, num_heads, x.shape[-1] // num_heads)

        return split_heads.mistake(id, words)(answer)

    return add


@wrong_split("view-no-transpose", NO_TRANSPOSE)
def _(x, num_heads, head_dim):
    return x.reshape(x.shape[0], num_heads, x.shape[1], head_dim)


@wrong_split("split-tokens", SPLIT_TOKENS)
def _(x, num_heads, head_dim):
    return x.reshape(x.shape[0], num_heads, x.shape[1] // num_heads, x.shape[-1])


@wrong_split(
    "split-not-moved",
    "The features are cut, and the heads' axis has stayed behind the tokens. Move it: `transpose(1, 2)`.",
)
def _(x, num_heads, head_dim):
    return x.reshape(*x.shape[:2], num_heads, head_dim)


@wrong_split(
    "transpose-wrong-axes",
    "You exchanged heads and features. It is heads and tokens that should change places: `transpose(1, 2)`.",
)
def _(x, num_heads, head_dim):
    return x.reshape(*x.shape[:2], num_heads, head_dim).transpose(2, 3)


@wrong_split(
    "transpose-wrong-axes",
    "You exchanged axes 0 and 1, batch and tokens. A batch stands in front here, so tokens and heads are axes 1 and 2.",
)
def _(x, num_heads, head_dim):
    return x.reshape(*x.shape[:2], num_heads, head_dim).transpose(0, 1)


@wrong_split(
    "moved-before-cut",
    "You exchanged tokens and features first, and cut afterwards. Cut the features while they are the last axis, then "
    "move the heads.",
)
def _(x, num_heads, head_dim):
    return x.transpose(1, 2).reshape(x.shape[0], num_heads, x.shape[1], head_dim)


@wrong_split(
    "sizes-swapped",
    "In your `view`, `num_heads` and `head_dim` have changed places: the heads come first, then the features of each.",
)
def _(x, num_heads, head_dim):
    return x.reshape(*x.shape[:2], head_dim, num_heads).transpose(1, 2)


@wrong_split(
    "features-dealt-out",
    "Your heads take turns: head 0 has every so many features, as cards are dealt out. A head takes neighbours: cut "
    "the last axis as `(num_heads, head_dim)`.",
)
def _(x, num_heads, head_dim):
    return x.reshape(*x.shape[:2], head_dim, num_heads).permute(0, 3, 1, 2)


@wrong_split(
    "head-count-dim",
    "Each of your heads is as wide as all of them together. `d_out` is the total: a head has `d_out // num_heads`.",
)
def _(x, num_heads, head_dim):
    return x.reshape(*x.shape[:2], num_heads, x.shape[-1]).transpose(1, 2)


@wrong_split("shared-heads", "All your heads have the same features, the first ones. Each needs its own slice.")
def _(x, num_heads, head_dim):
    return x[:, None, :, :head_dim].expand(-1, num_heads, -1, -1)


@wrong_split("first-head-only", "Only the first head comes back. A `return` inside a loop ends it in its first turn.")
def _(x, num_heads, head_dim):
    return x[:, None, :, :head_dim]


@wrong_split("heads-before-batch", HEADS_FIRST)
def _(x, num_heads, head_dim):
    return torch.stack(x.split(head_dim, dim=-1))


@wrong_split("batch-mixed", steps.BATCH_MIXED)
def _(x, num_heads, head_dim):
    return x.reshape(-1, num_heads, head_dim).transpose(0, 1)


@wrong_split(
    "seq-batch-swapped", "Batch and tokens have changed places. The batch comes first: `batch_size, num_tokens, d_out`."
)
def _(x, num_heads, head_dim):
    return x.reshape(*x.shape[:2], num_heads, head_dim).permute(1, 2, 0, 3)


@wrong_split(
    "reshape-discarded",
    "The input comes back as it was. `view` and `transpose` change nothing in place: give their result a name.",
)
def _(x, num_heads, head_dim):
    return x.clone()


@wrong_split("detached", steps.DETACHED)
def _(x, num_heads, head_dim):
    return split(x.detach(), num_heads)


@split_heads.mistake("not-divisible", NOT_DIVISIBLE)
def _(x, num_heads):
    head_dim = x.shape[-1] // num_heads
    return split(x[..., : num_heads * head_dim], num_heads)


@split_heads.mistake("not-divisible", NOT_DIVISIBLE)
def _(x, num_heads):
    return x.view(*x.shape[:2], num_heads, x.shape[-1] // num_heads).transpose(1, 2)


@split_heads.mistake("float-size", "A size must be a whole number: `/` gives a float. Write `d_out // num_heads`.")
def _(x, num_heads):
    check_divisible(x.shape[-1], num_heads)
    return x.view(*x.shape[:2], num_heads, x.shape[-1] / num_heads).transpose(1, 2)


@split_heads.mistake(
    "error-kind", "Where the width cannot be shared out, another error is raised: a `ValueError` is asked for."
)
def _(x, num_heads):
    assert x.shape[-1] % num_heads == 0, "d_out must be divisible"
    return split(x, num_heads)


@split_heads.mistake("global-leak", steps.LEAK)
def _(x, num_heads):
    return split(x, notebook_heads)
