"""`my_merge_heads(x)`: the heads' features side by side again."""

import torch

from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked


def merge_heads_solution(x):
    batch_size, num_heads, num_tokens, head_dim = x.shape
    x = x.transpose(1, 2)  # (batch, num_tokens, num_heads, head_dim)
    return x.reshape(batch_size, num_tokens, num_heads * head_dim)


def cases(draw):
    yield "2 texts, 4 heads, 5 tokens, 3 wide", draw(2, 4, 5, 3)
    yield "2 heads, 4 tokens, 3 wide", draw(1, 2, 4, 3)
    yield "as many heads as tokens", draw(2, 3, 3, 2)
    yield "as many texts as heads", draw(3, 3, 4, 2)
    yield "one head", draw(2, 1, 5, 4)
    yield "heads of width 1", draw(2, 3, 5, 1)
    yield "a batch of one, a single token", draw(1, 3, 1, 2)
    yield Unasked("float64"), draw(2, 3, 5, 4, dtype=torch.float64)


MISTAKES = """
merge-no-transpose: The heads' axis was not moved back before the `reshape`, so a row holds numbers of several tokens.
    First `transpose(1, 2)`, then join the last two axes. (Is the result of your transpose used?)
    x = x.transpose(1, 2) -> x.transpose(1, 2)
merge-no-transpose: You joined tokens with features, because the heads' axis was not moved back. First
    `transpose(1, 2)`, then join the last two axes.
    x = x.transpose(1, 2) ->
    x.reshape(…) -> x.flatten(2)
merge-discarded: The heads are still apart: four axes come back. `reshape` changes nothing in place: return its result.
    return x.reshape(…) -> return x
    or
    x = x.transpose(1, 2) -> x.transpose(1, 2)
    return x.reshape(…) -> return x
not-contiguous: After `transpose` the numbers no longer lie in the order of the axes, and `view` refuses. Use `reshape`,
    or `.contiguous()` right before `view`: it gives a new tensor, and changes nothing in place.
    x.reshape( -> x.view(
heads-summed: The heads are added up. They should stand side by side.
    x.reshape(…) -> x.sum(dim=2)
weights-averaged: The heads are averaged. They should stand side by side.
    x.reshape(…) -> x.mean(dim=2)
first-head-only: Only the first head is left. Look for an index `[:, 0]`, or a loop that overwrites.
    x.reshape(…) -> x[:, :, 0]
first-head-only: Only the last head is left. Look for an index `[:, -1]`, or a loop that overwrites: collect the heads
    in a list.
    x.reshape(…) -> x[:, :, -1]
features-dealt-out: The heads' features take turns. A head's features stay neighbours: `transpose(1, 2)` puts the heads'
    axis before the features.
    x.transpose(1, 2) -> x.permute(0, 2, 3, 1)
transpose-wrong-axes: You exchanged tokens and features. It is heads and tokens that should change places:
    `transpose(1, 2)`.
    x.transpose(1, 2) -> x.transpose(2, 3)
transpose-wrong-axes: You exchanged batch and heads. A batch stands in front here: heads and tokens are axes 1 and 2.
    x.transpose(1, 2) -> x.transpose(0, 1)
transpose-wrong-axes: You exchanged heads and features. It is heads and tokens that should change places:
    `transpose(1, 2)`.
    x.transpose(1, 2) -> x.transpose(1, 3)
sizes-swapped: You took the number of heads for that of the tokens. The four sizes of `x` are `batch, num_heads,
    num_tokens, head_dim`, in this order.
    batch_size, num_heads, num_tokens, head_dim = -> batch_size, num_tokens, num_heads, head_dim =
sizes-swapped: In your `reshape`, tokens and features have changed places: `batch, num_tokens, num_heads * head_dim`.
    batch_size, num_tokens, num_heads * head_dim) -> batch_size, num_heads * head_dim, num_tokens)
sizes-swapped: Your loop takes as many heads as there are texts. The number of heads is `x.shape[1]`.
    x.reshape(…) -> torch.cat([x[:, :, head] for head in range(batch_size)], dim=-1)
width-of-one-head: You left out that the heads' features are joined: a row is `num_heads * head_dim` wide.
    num_heads * head_dim) -> head_dim)
fixed-width: Your sizes fit one input alone. Read them off `x.shape`.
    batch_size, num_tokens, num_heads * head_dim) -> 2, 5, 12)
    or
    num_heads * head_dim) -> 12)
    or
    x.reshape(…) -> torch.cat([x[:, :, head] for head in range(4)], dim=-1)
stack-for-cat: `stack` makes a new axis. The features of all heads belong on one: `cat` along the last axis.
    x.reshape(…) -> torch.stack(x.unbind(2))
    or
    x.reshape(…) -> torch.stack(x.unbind(2), dim=-1)
split-tokens: The heads lie one below the other, as if each held other tokens. They belong side by side: join along the
    features, the last axis.
    x.reshape(…) -> torch.cat(x.unbind(2), dim=1)
split-tokens: You joined tokens and heads. It is heads and features that belong on one axis: after `transpose(1, 2)`,
    the last two.
    x.reshape(…) -> x.flatten(1, 2)
batch-mixed: The texts stand one below the other in one long table: the axis of the batch is gone. Give your `reshape`
    three sizes, the batch first.
    batch_size, num_tokens, num_heads * head_dim) -> -1, num_heads * head_dim)
batch-mixed: Your loop or list runs over the texts, the first axis, and lays texts side by side. The heads are axis 1:
    `x[:, head]`, or `x.unbind(1)`.
    x.transpose(1, 2) -> x
    x.reshape(…) -> torch.cat(list(x), dim=-1)
    or
    x.transpose(1, 2) -> x
    x.reshape(…) -> torch.cat(list(x), dim=1)
    or
    x.transpose(1, 2) -> x
    x.reshape(…) -> torch.cat(list(x))
batch-mixed: The heads lie one below the other along the batch: `cat` takes `dim=0` unless told. They belong side by
    side: `dim=-1`.
    x.reshape(…) -> torch.cat(x.unbind(2))
result-turned: Tokens and features have changed places in the result: it should be `(batch, num_tokens, features)`. Turn
    heads and tokens first, `transpose(1, 2)`, then join the last two axes, and turn nothing more.
    x.reshape(…) -> x.flatten(2).transpose(1, 2)
seq-batch-swapped: Batch and tokens have changed places: the batch comes first.
    x.transpose(1, 2) -> x.permute(2, 0, 1, 3)
    batch_size, num_tokens, num_heads * head_dim) -> num_tokens, batch_size, num_heads * head_dim)
all-flattened: One long row came back: `flatten()` joins all axes. Say from which on: `flatten(2)`, after the transpose.
    x.reshape(…) -> x.flatten()
    or
    x.reshape(…) -> x.flatten(1)
    or
    x = x.transpose(1, 2) ->
    x.reshape(…) -> x.flatten()
    or
    x = x.transpose(1, 2) ->
    x.reshape(…) -> x.flatten(1)
"""

exercise = Exercise(
    merge_heads_solution,
    cases,
    MISTAKES,
    outputs=("merged_heads",),
    behaviours=(repeats,),
    hints=(gradient_flows,),
)
