"""`my_split_heads(x, num_heads)`: each head gets its own slice of the features."""

import torch

from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked


def split_heads_solution(x, num_heads):
    batch_size, num_tokens, d_out = x.shape
    if d_out % num_heads:
        raise ValueError(f"d_out = {d_out} is not divisible by num_heads = {num_heads}.")
    x = x.view(batch_size, num_tokens, num_heads, d_out // num_heads)  # cut the features
    return x.transpose(1, 2)  # (batch, num_heads, num_tokens, head_dim)


def cases(draw):
    yield "2 texts of 5 tokens, 12 wide, 4 heads", draw(2, 5, 12), 4
    yield "4 tokens, 6 wide, 2 heads", draw(1, 4, 6), 2
    yield "as many heads as tokens", draw(2, 3, 6), 3
    yield "as many texts as tokens", draw(4, 4, 8), 2
    yield "one head", draw(2, 5, 4), 1
    yield "heads of width 1", draw(2, 5, 3), 3
    yield "a batch of one, a single token", draw(1, 1, 6), 3
    yield "7 features for 2 heads", draw(2, 4, 7), 2
    yield Unasked("float64"), draw(2, 5, 12, dtype=torch.float64), 3


MISTAKES = """
view-no-transpose: Your `view` or `reshape` goes straight to `(batch, num_heads, num_tokens, head_dim)`. It only counts
    numbers off in their order, and a head's rows fill up with other tokens' numbers. Cut the features first,
    `view(batch, num_tokens, num_heads, head_dim)`, then move the axis: `transpose(1, 2)`.
    num_tokens, num_heads, d_out // num_heads -> num_heads, num_tokens, d_out // num_heads
    x.transpose(1, 2) -> x
view-no-transpose: Your `view` goes to `(batch, num_heads, num_tokens, head_dim)`, and the `transpose` then takes the
    heads back behind the tokens. Cut the features first: `view(batch, num_tokens, num_heads, head_dim)`.
    num_tokens, num_heads, d_out // num_heads -> num_heads, num_tokens, d_out // num_heads
split-tokens: Your heads share out the tokens, so each sees a part of the text. They should share out the features, the
    last axis: every head sees every token.
    num_tokens, num_heads, d_out // num_heads -> num_heads, num_tokens // num_heads, d_out
    x.transpose(1, 2) -> x
    or
    x.view(…) -> torch.stack(x.chunk(num_heads, dim=1), dim=1)
    x.transpose(1, 2) -> x
split-tokens: Your slices are cut out of the tokens: `x[:, …]` is axis 1. Cut the features, the last axis: `x[..., …]`.
    x = x.view(…) -> head_dim = d_out // num_heads ⏎
        x = torch.stack([x[:, i * head_dim : (i + 1) * head_dim] for i in range(num_heads)], dim=1)
    x.transpose(1, 2) -> x
split-not-moved: The features are cut, and the heads' axis has stayed behind the tokens. Move it: `transpose(1, 2)`.
    x.transpose(1, 2) -> x
transpose-wrong-axes: You exchanged heads and features. It is heads and tokens that should change places:
    `transpose(1, 2)`.
    x.transpose(1, 2) -> x.transpose(2, 3)
transpose-wrong-axes: You exchanged axes 0 and 1, batch and tokens. A batch stands in front here, so tokens and heads
    are axes 1 and 2.
    x.transpose(1, 2) -> x.transpose(0, 1)
transpose-wrong-axes: The axes come out in another order than `(batch, num_heads, num_tokens, head_dim)`. After the cut,
    tokens and heads change places, and nothing else: `transpose(1, 2)`.
    x.transpose(1, 2) -> x.transpose(1, 3)
    or
    x.transpose(1, 2) -> x.permute(0, 2, 3, 1)
    or
    x.transpose(1, 2) -> x.permute(0, 3, 1, 2)
moved-before-cut: You exchanged tokens and features first, and cut afterwards. Cut the features while they are the last
    axis, then move the heads.
    x.view(batch_size, num_tokens, num_heads, d_out ->
        x.transpose(1, 2).reshape(batch_size, num_heads, num_tokens, d_out
    return x.transpose(1, 2) -> return x
sizes-swapped: In your `view`, `num_heads` and `head_dim` have changed places: the heads come first, then the features
    of each. (Of `split`: it takes the width of a piece, `chunk` takes their number.)
    num_heads, d_out // num_heads) -> d_out // num_heads, num_heads)
features-dealt-out: Your heads take turns: head 0 has every so many features, as cards are dealt out. A head takes
    neighbours: cut the last axis as `(num_heads, head_dim)`.
    num_heads, d_out // num_heads) -> d_out // num_heads, num_heads)
    x.transpose(1, 2) -> x.permute(0, 3, 1, 2)
head-count-dim: Each of your heads is as wide as all of them together. `d_out` is the total: a head has
    `d_out // num_heads`.
    d_out // num_heads) -> d_out)
fixed-width: Your cut has sizes that fit one input alone. Read them off `x.shape`, and the width of a head is
    `d_out // num_heads`.
    d_out // num_heads) -> 3)
    or
    x.view(batch_size, num_tokens, num_heads, d_out // num_heads) -> x.view(2, 5, 4, 3)
    or
    num_tokens, num_heads, d_out // num_heads) -> num_tokens, 4, d_out // 4)
shared-heads: All your heads have the same features, the first ones. Each needs its own slice.
    x.transpose(1, 2) -> torch.stack([x[:, :, 0] for head in range(num_heads)], dim=1)
first-head-only: Only the first head comes back. A `return` inside a loop ends it in its first turn.
    x.transpose(1, 2) -> x.transpose(1, 2)[:, :1]
    or
    x.transpose(1, 2) -> x[:, :, 0]
slices-overlap: Each of your slices begins one feature after the one before. They should lie end to end: head *i* begins
    at `i * head_dim`.
    x.view(…) -> x.unfold(-1, d_out // num_heads, 1)[:, :, :num_heads]
slice-bounds: Your slices are `num_heads` wide. A head is `head_dim` wide: from `i * head_dim` to `(i + 1) * head_dim`.
    x = x.view(…) -> x = torch.stack([x[..., i * num_heads : (i + 1) * num_heads] for i in range(num_heads)], dim=1)
    x.transpose(1, 2) -> x
slice-bounds: Your slices end too early: head *i* begins at `i * head_dim`, and ends at `(i + 1) * head_dim`.
    x = x.view(…) -> head_dim = d_out // num_heads ⏎
        x = torch.stack([x[..., i * head_dim : i + head_dim] for i in range(num_heads)], dim=1)
    x.transpose(1, 2) -> x
    or
    x = x.view(…) -> head_dim = d_out // num_heads ⏎
        x = torch.stack([x[..., i * head_dim : (i + 1) * head_dim - 1] for i in range(num_heads)], dim=1)
    x.transpose(1, 2) -> x
slice-bounds: Your slices end too late, and lie over one another: head *i* begins at `i * head_dim`, and ends at
    `(i + 1) * head_dim`, which is left out.
    x = x.view(…) -> head_dim = d_out // num_heads ⏎
        x = torch.stack([x[..., i * head_dim : (i + 1) * head_dim + 1] for i in range(num_heads)], dim=1)
    x.transpose(1, 2) -> x
lists-returned: A list came back, one entry for each head. `torch.stack(…, dim=1)` makes one tensor of it.
    x.transpose(1, 2) -> list(x.unbind(2))
    or
    x.transpose(1, 2) -> x.unbind(2)
cat-for-stack: The slices are joined on an axis that was there. The heads need an axis of their own:
    `torch.stack(…, dim=1)`.
    x.transpose(1, 2) -> torch.cat(x.unbind(2), dim=1)
    or
    x.transpose(1, 2) -> torch.cat(x.unbind(2))
texts-and-heads-folded: Texts and heads lie on one axis. Each keeps its own: leave out the `flatten`, or the `view`
    after the transpose.
    x.transpose(1, 2) -> x.transpose(1, 2).flatten(0, 1)
heads-before-batch: The heads stand before the batch. The batch stays first: `stack` takes a `dim`, or move the axis
    back.
    x.transpose(1, 2) -> torch.stack(x.unbind(2))
batch-mixed: The texts of the batch were run together into one long one: a change in one changes the others. Keep the
    first axis, and leave out the `view`, `reshape` or `flatten`.
    batch_size, num_tokens, num_heads, d_out // -> -1, num_heads, d_out //
    x.transpose(1, 2) -> x.transpose(0, 1)
seq-batch-swapped: Batch and tokens have changed places. The batch comes first: `batch_size, num_tokens, d_out`.
    x.transpose(1, 2) -> x.permute(1, 2, 0, 3)
    or
    batch_size, num_tokens, d_out = -> num_tokens, batch_size, d_out =
reshape-discarded: The input comes back as it was. `view` and `transpose` change nothing in place: give their result a
    name.
    x = x.view( -> x.view(
    return x.transpose(1, 2) -> x.transpose(1, 2) ⏎ return x
reshape-discarded: The features are not cut. `view` changes nothing in place: give its result a name, `x = x.view(…)`.
    x = x.view( -> x.view(
    or
    x = x.view(…)  # -> #
not-divisible: A width that cannot be shared out evenly goes through, or fails far from its cause. Begin with
    `if d_out % num_heads:` and raise a `ValueError`.
    if d_out % num_heads: ->
    raise ValueError(…) ->
    or
    raise ValueError(…) -> x = x[..., : d_out // num_heads * num_heads]
check-wrong-axis: You ask whether the tokens, or the texts, can be shared out. It is the features that are:
    `d_out % num_heads`, with `d_out` the last axis.
    if d_out % -> if num_tokens %
    or
    if d_out % -> if batch_size %
check-inverted: Your condition is the wrong way round: it refuses widths that can be shared out. `d_out % num_heads` is
    0 where they can.
    if d_out % num_heads -> if d_out % num_heads == 0
    or
    if d_out % num_heads -> if not d_out % num_heads
    or
    if d_out % num_heads -> if d_out // num_heads
check-inverted: You ask whether the heads can be shared out among the features. Turn it round: `d_out % num_heads`.
    if d_out % num_heads -> if num_heads % d_out
error-kind: Where the width cannot be shared out, another error is raised: a `ValueError` is asked for.
    if d_out % num_heads: -> assert d_out % num_heads == 0
    raise ValueError(…) ->
    or
    raise ValueError -> raise TypeError
    or
    raise ValueError -> raise Exception
error-returned: Where the width cannot be shared out, you return something, or print it. The error has to be raised:
    `raise ValueError(…)`.
    raise ValueError -> return ValueError
    or
    raise ValueError(…) -> return
    or
    raise ValueError( -> return str(
float-size: A size must be a whole number: `/` gives a float. Write `d_out // num_heads`.
    d_out // num_heads) -> d_out / num_heads)
    or
    x.view(batch_size, num_tokens, num_heads, d_out // -> x.reshape(batch_size, num_tokens, num_heads, d_out /
"""

exercise = Exercise(
    split_heads_solution,
    cases,
    MISTAKES,
    outputs=("heads",),
    behaviours=(repeats,),
    hints=(gradient_flows,),
)
