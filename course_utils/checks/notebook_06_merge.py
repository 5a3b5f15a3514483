"""Exercises of notebook 06 after the heads: lay them side by side again, and count what attention costs."""

import torch

from . import outcome, steps
from .behaviours import gradient_flows, repeats
from .legacy import Exercise

notebook_table = torch.zeros(2, 5, 12)  # what a notebook leaves lying about


# ---- merge_heads


def merge(x):
    batch_size, num_heads, num_tokens, head_dim = x.shape
    return x.transpose(1, 2).reshape(batch_size, num_tokens, num_heads * head_dim)


def merge_cases(draw):
    yield "2 texts, 4 heads, 5 tokens, 3 wide", draw(2, 4, 5, 3)
    yield "2 heads, 4 tokens, 3 wide", draw(1, 2, 4, 3)
    yield "as many heads as tokens", draw(2, 3, 3, 2)
    yield "as many texts as heads", draw(3, 3, 4, 2)
    yield "one head", draw(2, 1, 5, 4)
    yield "heads of width 1", draw(2, 3, 5, 1)
    yield "a batch of one, a single token", draw(1, 3, 1, 2)
    yield "float64", draw(2, 3, 5, 4, dtype=torch.float64)


merge_heads = Exercise(
    "merge_heads", merge, merge_cases, outputs=("merged_heads",), behaviours=(gradient_flows, repeats)
)

MERGE_NO_TRANSPOSE = (
    "The heads' axis was not moved back before the `reshape`, so a row holds numbers of several tokens. First "
    "`transpose(1, 2)`, then join the last two axes. (Is the result of your transpose used?)"
)
MERGE_DISCARDED = (
    "The heads are still apart: four axes come back. `reshape` changes nothing in place: return its result."
)
MERGES = {
    "merge-no-transpose": (MERGE_NO_TRANSPOSE, lambda x: x.reshape(x.shape[0], x.shape[2], -1)),
    "merge-discarded": (MERGE_DISCARDED, lambda x: x.transpose(1, 2)),
    "not-contiguous": (
        "After `transpose` the numbers no longer lie in the order of the axes, and `view` refuses. Use `reshape`, or "
        "`.contiguous()` before `view`.",
        lambda x: x.transpose(1, 2).view(x.shape[0], x.shape[2], -1),
    ),
    "heads-summed": ("The heads are added up. They should stand side by side.", lambda x: x.sum(dim=1)),
    "weights-averaged": ("The heads are averaged. They should stand side by side.", lambda x: x.mean(dim=1)),
    "first-head-only": (
        "Only the first head is left. Look for an index `[:, 0]`, or a loop that overwrites.",
        lambda x: x[:, 0],
    ),
    "features-dealt-out": (
        "The heads' features take turns. A head's features stay neighbours: `transpose(1, 2)` puts the heads' axis "
        "before the features.",
        lambda x: x.permute(0, 2, 3, 1).flatten(2),
    ),
    "transpose-wrong-axes": (
        "You exchanged tokens and features. It is heads and tokens that should change places: `transpose(1, 2)`.",
        lambda x: x.transpose(2, 3).reshape(x.shape[0], x.shape[2], -1),
    ),
    "sizes-swapped": (
        "You took the number of heads for that of the tokens. The four sizes of `x` are `batch, num_heads, num_tokens, "
        "head_dim`, in this order.",
        lambda x: x.transpose(1, 2).reshape(x.shape[0], x.shape[1], -1),
    ),
    "stack-for-cat": (
        "`stack` makes a new axis. The features of all heads belong on one: `cat` along the last axis.",
        lambda x: torch.stack(x.unbind(1)),
    ),
    "split-tokens": (
        "The heads lie one below the other, as if each held other tokens. They belong side by side: join along the "
        "features, the last axis.",
        lambda x: x.flatten(1, 2),
    ),
    "batch-mixed": (steps.BATCH_MIXED, lambda x: x.transpose(1, 2).reshape(-1, x.shape[1] * x.shape[3])),
    "seq-batch-swapped": (
        "Batch and tokens have changed places: the batch comes first.",
        lambda x: x.permute(2, 0, 1, 3).flatten(2),
    ),
    "detached": (steps.DETACHED, lambda x: merge(x.detach())),
    "global-leak": (steps.LEAK, lambda x: x.transpose(1, 2).reshape(notebook_table.shape)),
}
for mistake_id, (mistake_words, wrong_merge) in MERGES.items():
    merge_heads.mistake(mistake_id, mistake_words)(wrong_merge)


@merge_heads.mistake(
    "batch-mixed",
    "Your loop or list runs over the texts, the first axis, and lays texts side by side. The heads are axis 1: "
    "`x[:, head]`, or `x.unbind(1)`.",
)
def _(x):
    return torch.cat(list(x), dim=-1)


# ---- attention_cost: three counts, on paper


def cost(num_tokens, d_out, num_heads):
    return 4 * num_tokens * d_out**2, 2 * num_tokens**2 * d_out, num_heads * num_tokens**2


def cost_cases(draw):
    yield "100 tokens, 512 wide, 8 heads", 100, 512, 8
    yield "2,000 tokens, 512 wide, 8 heads", 2000, 512, 8
    yield "7 tokens, 6 wide, 2 heads", 7, 6, 2
    yield "one head", 10, 4, 1
    yield "a single token", 1, 12, 3


def counted(answer, *sizes):
    """The three counts as tensors; anything but three numbers is refused in words."""
    counts = answer(*sizes)
    if not isinstance(counts, tuple | list) or len(counts) != 3:
        raise outcome.Refused("Three numbers are asked for, in this order: `return projections, products, kept`.")
    return tuple(torch.as_tensor(count, dtype=torch.float64) for count in counts)


attention_cost = Exercise(
    "attention_cost",
    cost,
    cost_cases,
    outputs=("projections", "products", "kept_weights"),
    observe=counted,
    stub="my_cost",
)
COSTS = {
    "out-proj-uncounted": (
        "One projection is missing: queries, keys, values, and the output projection make four.",
        lambda n, d, h: (3 * n * d**2, 2 * n**2 * d, h * n**2),
    ),
    "one-projection": (
        "That is one projection. There are four: queries, keys, values and the output.",
        lambda n, d, h: (n * d**2, 2 * n**2 * d, h * n**2),
    ),
    "projection-width": (
        "A projection gives `d_out` numbers for each token, and each of them is a sum of `d_out` products: the width "
        "enters squared.",
        lambda n, d, h: (4 * n * d, 2 * n**2 * d, h * n**2),
    ),
    "projections-times-heads": (
        "The four projections serve all heads together: their width is the total, `d_out`. Leave `num_heads` out.",
        lambda n, d, h: (4 * n * d**2 * h, 2 * n**2 * d, h * n**2),
    ),
    "parameters-counted": (
        "You counted the numbers in the four matrices. Each token meets each of them: times `num_tokens`.",
        lambda n, d, h: (4 * d**2, 2 * n**2 * d, h * n**2),
    ),
    "additions-counted": (
        "You counted the additions as well. Multiplications alone are asked for: half of that.",
        lambda n, d, h: (8 * n * d**2, 4 * n**2 * d, h * n**2),
    ),
    "product-width": (
        "Each score is one sum of `head_dim` products: in the two products of attention the width enters once.",
        lambda n, d, h: (4 * n * d**2, 2 * n**2 * d**2, h * n**2),
    ),
    "mix-uncounted": (
        "There are two products: queries with keys, and weights with values. Each costs the same.",
        lambda n, d, h: (4 * n * d**2, n**2 * d, h * n**2),
    ),
    "cost-times-heads": (
        "More heads do not make the products dearer: each head is narrower by as much. Per head it is "
        "`num_tokens**2 * head_dim`, and `num_heads * head_dim` is `d_out`.",
        lambda n, d, h: (4 * n * d**2, 2 * n**2 * d * h, h * n**2),
    ),
    "one-head-counted": (
        "You counted one head's products. Add up all heads: `num_heads * head_dim` is `d_out`.",
        lambda n, d, h: (4 * n * d**2, 2 * n**2 * (d // h), h * n**2),
    ),
    "tokens-not-squared": (
        "Every query meets every key: the products and the weights grow with `num_tokens` squared.",
        lambda n, d, h: (4 * n * d**2, 2 * n * d, h * n),
    ),
    "heads-uncounted": (
        "Each head keeps a table of its own: the weights are `num_heads` tables.",
        lambda n, d, h: (4 * n * d**2, 2 * n**2 * d, n**2),
    ),
    "causal-half": (
        "You left the masked weights out. They are computed and kept too, as zeros: count the whole table.",
        lambda n, d, h: (4 * n * d**2, 2 * n**2 * d, h * n * (n + 1) // 2),
    ),
    "kept-times-width": (
        "A weight is one number for each query and key, whatever the width: leave the width out of the last count.",
        lambda n, d, h: (4 * n * d**2, 2 * n**2 * d, n**2 * d),
    ),
    "scale-model": (
        "The projections are `d_out` wide, for all heads together. Here they have the width of one head.",
        lambda n, d, h: (4 * n * d * (d // h), 2 * n**2 * d, h * n**2),
    ),
}
for mistake_id, (mistake_words, wrong_cost) in COSTS.items():
    attention_cost.mistake(mistake_id, mistake_words)(wrong_cost)
