"""Exercises of notebook 00: the five moves, each with one tensor as its answer."""

import torch

from .legacy import Exercise


def value(name, solution):
    """An exercise whose answer is a tensor, not a function."""
    return Exercise(name, solution, lambda draw: [("the tensor",)], outputs=("tensor",), observe=lambda answer: answer)


TABLE = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
PRICES = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
SHARES = torch.tensor([0.5, 0.3, 0.2])
TWO_TOKENS = torch.arange(12).view(2, 6)

batch = value("batch", torch.zeros(4, 5, 3))
batch.mistake("axes-reversed", "The axes are in reverse. The batch comes first: texts, tokens, numbers.")(
    torch.zeros(3, 5, 4)
)
batch.mistake("seq-batch-swapped", "Texts and tokens have changed places: four texts come first, then five tokens.")(
    torch.zeros(5, 4, 3)
)
batch.mistake("one-table", "This is a table, without an axis for the texts: give `torch.zeros` three numbers.")(
    torch.zeros(4, 15)
)
batch.mistake("ones", "The shape is right, and it is full of ones: zeros are asked for, `torch.zeros`.")(
    torch.ones(4, 5, 3)
)

means = value("means", TABLE.mean(dim=-1, keepdim=True))
means.mistake("mean-axis", "These are the means of the columns. Along each row is `dim=-1`.")(
    TABLE.mean(0, keepdim=True)
)
means.mistake("no-keepdim", "The numbers are right, and the axis is gone: `keepdim=True` keeps it, with length 1.")(
    TABLE.mean(dim=-1)
)
means.mistake("mean-of-all", "This is one mean for the whole table. Say along which axis: `dim=-1`.")(TABLE.mean())
means.mistake("sum", "These are the sums. The mean divides them by the number of columns: use `mean`.")(
    TABLE.sum(dim=-1, keepdim=True)
)

mix = value("mix", SHARES @ PRICES)
mix.mistake("products-not-summed", "The rows are weighted, and not yet added up: `weights @ other` does both.")(
    SHARES[:, None] * PRICES
)
mix.mistake("sum-axis", "You added up along each row. Add the rows up, one below the other: `weights @ other`.")(
    (SHARES[:, None] * PRICES).sum(dim=-1)
)
mix.mistake("mean", "You took the mean. The weights are shares already: take the sum.")(
    (SHARES[:, None] * PRICES).mean(0)
)
mix.mistake("no-weights", "The rows are added up without their weights: `weights @ other`.")(PRICES.sum(dim=0))
mix.mistake("extra-axis", "The numbers are right, with an axis of length 1 too many: leave out the extra brackets.")(
    SHARES[None] @ PRICES
)

shares = value("shares", TABLE / TABLE.sum(dim=-1, keepdim=True))
shares.mistake("softmax-axis", "Your columns add up to 1. Along each row is `dim=-1`.")(TABLE / TABLE.sum(dim=0))
shares.mistake("softmax-all", "The whole table adds up to 1. Each row needs its own sum: `dim=-1, keepdim=True`.")(
    TABLE / TABLE.sum()
)
shares.mistake("mean", "You divided by the means, so each row adds up to 3: divide by the sums.")(
    TABLE / TABLE.mean(dim=-1, keepdim=True)
)
shares.mistake("divided-by-max", "You divided by the largest number of each row: divide by the sum.")(
    TABLE / TABLE.amax(dim=-1, keepdim=True)
)
shares.mistake("softmax", "This is a softmax, which comes in notebook 1. Here divide the bare numbers by their sum.")(
    torch.softmax(TABLE, dim=-1)
)
shares.mistake("sums-only", "These are the sums. Divide the table by them: `table / …`.")(TABLE.sum(-1, keepdim=True))

pieces = value("pieces", TWO_TOKENS.view(2, 3, 2).transpose(0, 1))
pieces.mistake(
    "view-no-transpose",
    "`view` alone keeps the order of the numbers: your first piece holds four numbers of one token. Cut the last axis "
    "first, `view(2, 3, 2)`, then exchange axes 0 and 1.",
)(TWO_TOKENS.view(3, 2, 2))
pieces.mistake("not-moved", "The pieces are cut, and not yet in front: `.transpose(0, 1)` is missing.")(
    TWO_TOKENS.view(2, 3, 2)
)
pieces.mistake("wrong-cut", "You cut two pieces of three. Three pieces of two are asked for: `view(2, 3, 2)`.")(
    TWO_TOKENS.view(2, 2, 3).transpose(0, 1)
)
pieces.mistake("last-axes-swapped", "The last two axes changed places. Exchange the first two: `.transpose(0, 1)`.")(
    TWO_TOKENS.view(2, 3, 2).transpose(-2, -1)
)
pieces.mistake("full-turn", "All axes were turned round. Exchange the first two alone: `.transpose(0, 1)`.")(
    TWO_TOKENS.view(2, 3, 2).permute(1, 2, 0)
)
