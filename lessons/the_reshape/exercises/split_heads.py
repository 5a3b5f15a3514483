"""`my_split_heads(x, num_heads)`: each head gets its own slice of the features."""

from course_utils.checks.behaviours import gradient_flows
from course_utils.checks.exercise import Exercise


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


MISTAKES = """
view-no-transpose: A head's rows hold several tokens' numbers. Cut the features first, then `transpose(1, 2)`.
    num_tokens, num_heads, d_out // num_heads -> num_heads, num_tokens, d_out // num_heads
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
not-divisible: A width that cannot be shared out needs a `ValueError` of yours: begin with `if d_out % num_heads:`.
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
heads-overlap: Your heads overlap. Head *i* begins at `i * head_dim`: `x[..., i * head_dim : (i + 1) * head_dim]`.
    x = x.view(…) -> head_dim = d_out // num_heads
        ⏎ return torch.stack([x[..., i : i + head_dim] for i in range(num_heads)], dim=1)
slices-late: Your slices begin one feature too late. Head *i* has `i * head_dim : (i + 1) * head_dim`, with no `+ 1`.
    x = x.view(…) -> size = d_out // num_heads
        ⏎ return torch.stack([x[..., i * size + 1 : (i + 1) * size + 1] for i in range(num_heads)], dim=1)
tokens-shared-out: You cut the tokens. It is the features that are shared out: `x.chunk(num_heads, dim=-1)`.
    x = x.view(…) -> return torch.stack(x.chunk(num_heads, dim=1), dim=1)
not-cut: Each head has all features. Share them out: cut the last axis as `(num_heads, head_dim)`.
    x = x.view(…) -> return x.unsqueeze(1).repeat(1, num_heads, 1, 1)
"""

exercise = Exercise(split_heads_solution, cases, MISTAKES, outputs=("heads",), hints=(gradient_flows,))
