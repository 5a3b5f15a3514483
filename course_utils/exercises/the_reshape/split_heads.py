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
    yield "heads of width 1", draw(2, 17, 3), 3
    yield "a batch of one, a single token", draw(1, 1, 6), 3
    yield "7 features for 2 heads", draw(2, 4, 7), 2
    yield Unasked("float64"), draw(2, 5, 12, dtype=torch.float64), 3


MISTAKES = """
view-no-transpose: A head's rows hold several tokens' numbers. Cut the features first, then `transpose(1, 2)`.
    num_tokens, num_heads, d_out // num_heads -> num_heads, num_tokens, d_out // num_heads
    x.transpose(1, 2) -> x
split-tokens: The tokens are shared out among your heads. Cut the features, the last axis: every head sees every token.
    x.view(…) -> torch.stack(x.chunk(num_heads, dim=1), dim=1)
    x.transpose(1, 2) -> x
split-not-moved: The heads' axis stands behind the tokens. It belongs right after the batch: `transpose(1, 2)`.
    x.transpose(1, 2) -> x
moved-before-cut: A head's rows run along the tokens. Cut the features while they are last, then move the heads.
    x.view(batch_size, num_tokens, num_heads, d_out ->
        x.transpose(1, 2).reshape(batch_size, num_heads, num_tokens, d_out
    return x.transpose(1, 2) -> return x
sizes-swapped: You have `head_dim` heads, `num_heads` wide. Cut the last axis as `(num_heads, head_dim)`.
    num_heads, d_out // num_heads) -> d_out // num_heads, num_heads)
features-dealt-out: Head 0 has every so many features. A head takes neighbours: cut as `(num_heads, head_dim)`.
    num_heads, d_out // num_heads) -> d_out // num_heads, num_heads)
    x.transpose(1, 2) -> x.permute(0, 3, 1, 2)
head-count-dim: Each head is as wide as all together. `d_out` is the total: a head has `d_out // num_heads`.
    d_out // num_heads) -> d_out)
fixed-width: A size is typed in that does not fit every input. Take `num_heads`, and read the sizes off `x.shape`.
    num_tokens, num_heads, d_out // num_heads) -> num_tokens, 4, d_out // 4)
shared-heads: All your heads have the same features, the first ones. Each needs its own slice.
    x.transpose(1, 2) -> torch.stack([x[:, :, 0] for head in range(num_heads)], dim=1)
slice-bounds: Your slices have the wrong bounds. Head *i* has `i * head_dim : (i + 1) * head_dim` of the features.
    x = x.view(…) -> head_dim = d_out // num_heads ⏎
        x = torch.stack([x[..., i * head_dim : i + head_dim] for i in range(num_heads)], dim=1)
    x.transpose(1, 2) -> x
lists-returned: A list or a tuple came back, one entry for each head. `torch.stack(…, dim=1)` makes one tensor of it.
    x.transpose(1, 2) -> list(x.unbind(2))
heads-before-batch: The heads stand before the batch. Put the batch first: look at the `dim` of a `stack`.
    x.transpose(1, 2) -> torch.stack(x.unbind(2))
not-divisible: An uneven width goes through. Begin with `if d_out % num_heads:` and raise a `ValueError`.
    if d_out % num_heads: ->
    raise ValueError(…) ->
    or
    raise ValueError(…) -> x = x[..., : d_out // num_heads * num_heads]
check-wrong-axis: You refuse a number of tokens, or of texts. The features are shared out: `d_out % num_heads`.
    if d_out % -> if num_tokens %
check-inverted: You refuse widths that can be shared out. There, `d_out % num_heads` is 0: raise where it is not.
    if d_out % num_heads -> if num_heads % d_out
error-kind: Where the width cannot be shared out, another error is raised: a `ValueError` is asked for.
    raise ValueError -> raise AssertionError
error-returned: Where the width cannot be shared out, you return something, or print it. Write `raise ValueError(…)`.
    raise ValueError -> return ValueError
float-size: A size must be a whole number: `/` gives a float. Write `d_out // num_heads`.
    d_out // num_heads) -> d_out / num_heads)
"""

exercise = Exercise(
    split_heads_solution, cases, MISTAKES, outputs=("heads",), behaviours=(repeats,), hints=(gradient_flows,)
)
