"""`my_merge_heads(x)`: the heads' features side by side again."""

from course_utils.checks.behaviours import gradient_flows
from course_utils.checks.exercise import Exercise


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
    yield "heads of width 1", draw(2, 3, 17, 1)
    yield "a batch of one, a single token", draw(1, 3, 1, 2)


MISTAKES = """
merge-no-transpose: One row holds numbers of several tokens. First `x = x.transpose(1, 2)`, then join the last axes.
    x = x.transpose(1, 2) -> x.transpose(1, 2)
not-contiguous: After `transpose`, `view` refuses. Use `reshape`, or `.contiguous()` right before `view`.
    x.reshape( -> x.view(
heads-summed: The heads are made one, as by `sum` or `max`. They should stand side by side: join heads and features.
    x.reshape(…) -> x.sum(dim=2)
weights-averaged: The heads are averaged. They should stand side by side: join the heads' axis and the features'.
    x.reshape(…) -> x.mean(dim=2)
heads-left-out: The first head or the last is left out. All stand side by side, from 0 to `num_heads - 1`.
    x.reshape(…) -> torch.cat([x[:, :, head] for head in range(num_heads - 1)], dim=-1)
shared-heads: One head stands in the places of all. Each has its own place: `x[:, i]`, one after the other.
    x.reshape(…) -> torch.cat([x[:, :, 0]] * num_heads, dim=-1)
slice-bounds: Your heads overwrite each other. Head *i* belongs at `i * head_dim : (i + 1) * head_dim` of the features.
    return x.reshape(…) -> merged = torch.zeros(batch_size, num_tokens, num_heads * head_dim)
        ⏎ for i in range(num_heads): ⏎     merged[:, :, i : i + head_dim] = x[:, :, i] ⏎ return merged
features-dealt-out: The heads' features take turns. Put the heads before the features, then join the last two axes.
    x.transpose(1, 2) -> x.permute(0, 2, 3, 1)
transpose-wrong-axes: Other axes have changed places than heads and tokens: these are axes 1 and 2, `transpose(1, 2)`.
    x.transpose(1, 2) -> x.transpose(2, 3)
fixed-width: A size or a number of heads is typed in, and does not fit every input. Read it off `x.shape`.
    x.reshape(…) -> torch.cat([x[:, :, head] for head in range(2)], dim=-1)
batch-mixed: The axis of the batch is gone: the texts stand one below the other. Name three sizes, the batch first.
    batch_size, num_tokens, num_heads * head_dim) -> -1, num_heads * head_dim)
batch-mixed: Texts are joined where heads should be. The heads are axis 1 of `x`: `x[:, head]`, or `x.unbind(1)`.
    x.transpose(1, 2) -> x
    x.reshape(…) -> torch.cat(list(x), dim=-1)
all-flattened: All axes are joined, or all but the batch. Join the last two: `flatten(2)`, after `transpose(1, 2)`.
    x.reshape(…) -> x.flatten(1)
heads-reversed: The last head comes first. Keep their order: head 0 has the first features of each row.
    x.reshape(…) -> x.flip(2).reshape(…)
cat-of-tokens: The heads stand one below the other, along the tokens. Join them along the features: `dim=-1`.
    x.reshape(…) -> torch.cat(x.unbind(2), dim=1)
tokens-joined: Tokens and heads are joined. Join heads and features, which are the last two axes then: `flatten(2)`.
    x.reshape(…) -> x.flatten(1, 2)
"""

exercise = Exercise(merge_heads_solution, cases, MISTAKES, outputs=("merged_heads",), hints=(gradient_flows,))
