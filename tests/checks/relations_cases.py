"""Cases for test_relations.py: right tensors, wrong ones made from them, and the words that must describe how."""

import torch

GENERATOR = torch.Generator().manual_seed(0)


def randn(*shape):
    return torch.randn(shape, generator=GENERATOR)


# The right tensors, each entry for two inputs or more. Each row of CASES uses one entry.
RIGHT = {
    "scores": [randn(3, 5), randn(4, 6)],
    "square": [randn(2, 4, 4), randn(3, 5, 5)],
    "positive": [randn(2, 3, 5).exp(), randn(3, 4, 6).exp()],
    "weights": [randn(2, 3, 5, 5).softmax(-1), randn(3, 4, 4, 4).softmax(-1)],
    "causal": [(randn(2, n, n) + torch.full((n, n), -torch.inf).triu(1)).softmax(-1) for n in (4, 6)],
    "heads": [randn(2, 4, 5, 3), randn(3, 2, 4, 6)],
    "merged": [randn(2, 5, 12), randn(3, 4, 8)],
    "row": [randn(5), randn(7), randn(4), randn(6)],
    "mask": [torch.ones(n, n, dtype=torch.bool).tril() for n in (5, 7)],
    "padding": [torch.arange(6) < torch.tensor(lens)[:, None, None, None] for lens in ([3, 6, 1], [2, 5])],
    "additive": [torch.full((n, n), -torch.inf).triu(1) for n in (5, 7)],
}


def put(right, index, value):
    """Return a copy of `right` in which the part at `index` is `value`, or wrong numbers if value is None."""
    wrong = right.clone()
    wrong[index] = wrong[index] * 3 + 1 if value is None else value
    return wrong


def keep(right, index, rest):
    """Return a copy of `right` that is right only at `index`; elsewhere it is `rest`, or wrong if that is None."""
    wrong = right * 3 + 1 if rest is None else torch.full_like(right, rest)
    wrong[index] = right[index]
    return wrong


def unmerged(right, heads=2):
    return right.unflatten(-1, (heads, -1)).transpose(1, 2)


def shifted(right):
    return torch.cat([torch.zeros_like(right[..., :1, :]), right[..., :-1, :]], dim=-2)


CASES = [
    # (key of RIGHT, function from the right tensor to the wrong one, words that must be in the message)
    ("square", lambda x: x.mT, "rows and columns have changed places"),
    ("weights", lambda x: x.mT, "A row is a query"),
    ("scores", lambda x: x.T, "`.transpose(0, 1)` puts it right"),
    ("padding", lambda x: x.expand(-1, -1, 6, -1), "the same row stands several times along `dim=-2`"),
    ("heads", lambda x: x.transpose(1, 2), "`.transpose(1, 2)` puts it right"),
    ("heads", lambda x: x.permute(1, 2, 0, 3), "`.permute(2, 0, 1, 3)` puts it right"),
    ("mask", lambda x: ~x, "`True` and `False` have changed places"),
    ("additive", lambda x: torch.where(x == 0, -torch.inf, 0.0), "`0` and `-inf` have changed places"),
    ("mask", torch.zeros_like, "all is `False`"),
    ("mask", torch.ones_like, "all is `True`"),
    ("weights", lambda x: 1 - x, "each number is 1 minus the right one"),
    ("scores", lambda x: -x, "every sign is turned around"),
    ("scores", lambda x: -2 * x, "every number is -2 times"),
    ("merged", lambda x: x * x.shape[1], "too large by the factor n"),
    ("merged", lambda x: x * x.shape[1] ** 0.5, "too large by the factor √n"),
    ("merged", lambda x: x / x.shape[1], "too small by the factor n"),
    ("merged", lambda x: x / x.shape[1] ** 0.5, "too small by the factor √n"),
    ("positive", torch.log, "each number is the logarithm of the right one"),
    ("weights", torch.log, "each number is the logarithm of the right one"),
    ("weights", lambda x: x.log() + randn(*x.shape[:-1], 1), "those before softmax"),
    ("weights", lambda x: x.softmax(-1), "softmax is taken twice"),
    ("scores", lambda x: x.softmax(-1), "softmax is taken, and the numbers before it"),
    ("weights", lambda x: x * randn(*x.shape[:-1], 1).exp(), "the rows are not divided by their own sums"),
    ("positive", lambda x: x / x.sum(-1, keepdim=True), "the rows are divided by their sums"),
    ("positive", lambda x: x / x.sum(-2, keepdim=True), "the columns are divided by their sums"),
    ("weights", lambda x: x.log().softmax(-2), "the columns add up to 1, and the rows do not"),
    ("weights", lambda x: x.flatten(2).softmax(-1).view_as(x), "all numbers of a table together add up to 1"),
    ("weights", lambda x: x.log().mul(2).softmax(1), "the numbers along `dim=-3` add up to 1"),
    ("scores", lambda x: x - 0.5, "-0.5 is added to every number"),
    ("scores", lambda x: x * 1.0003, "every number is 1.0003 times"),
    ("weights", torch.zeros_like, "all is 0"),
    ("weights", torch.ones_like, "all numbers are the same"),
    ("scores", lambda x: x.mean(-1, keepdim=True).exp().expand_as(x), "all numbers of a row are the same"),
    ("scores", lambda x: x.exp().sum(0).expand_as(x), "all rows are the same"),
    ("scores", lambda x: x.mean(0).expand_as(x), "each row is the mean of all right rows"),
    ("merged", lambda x: x[:1].expand_as(x), "each table is what the first alone should be"),
    ("row", lambda x: x[-1].expand_as(x), "each number is what the last alone should be"),
    ("merged", lambda x: keep(x, (slice(None), 0), 0), "the first row alone, `[:, 0]`, is filled"),
    ("weights", lambda x: keep(x, (slice(None), slice(None), -1), 0), "the last row alone, `[..., -1, :]`, is filled"),
    ("heads", lambda x: keep(x, 0, 0), "the first text alone, `[0]`, is filled"),
    ("heads", lambda x: keep(x, (slice(None), 0), 0), "the first head alone, `[:, 0]`, is filled"),
    ("mask", lambda x: torch.eye(len(x), dtype=torch.bool), "the diagonal alone is filled"),
    ("mask", lambda x: x.tril(-1), "the diagonal alone is wrong"),
    ("mask", lambda x: torch.ones_like(x).tril(1), "stands one column too late"),
    ("padding", lambda x: torch.cat([torch.ones_like(x[..., :1]), x[..., :-1]], -1), "one column too late"),
    ("merged", shifted, "what belongs in `[:, 0]` stands in `[:, 1]`"),
    ("merged", lambda x: torch.cat([x[:, 1:], x[:, :1] * 3], 1), "what belongs in `[:, 1]` stands in `[:, 0]`"),
    ("scores", lambda x: put(x, 0, None), "the first row alone, `[0]`, is wrong"),
    ("scores", lambda x: put(x, -1, None), "the last row alone, `[-1]`, is wrong"),
    ("scores", lambda x: put(x, (slice(None), 0), None), "the first column alone, `[:, 0]`, is wrong"),
    ("padding", lambda x: x | (torch.arange(6) == 4), "too much is open"),
    ("padding", lambda x: x & (torch.arange(6) != 1), "too much is hidden"),
    ("causal", lambda x: put(put(x, (0, 2, 1), 0), (1, 0, 0), 0), "places that hold 0 and should not"),
    ("merged", lambda x: x[:, None], "`.squeeze(1)` takes it away"),
    ("padding", lambda x: x[:, 0], "`.unsqueeze(2)` puts it in"),
    ("heads", lambda x: x.flatten(0, 1), "axis 0 must be cut into 2"),
    ("merged", lambda x: x.unflatten(-1, (2, -1)), "`.flatten(2, 3)`"),
    ("merged", unmerged, "`.transpose(1, 2).flatten(2, 3)`"),
    ("merged", lambda x: x.unflatten(-1, (2, -1)).flatten(0, 1).transpose(1, 2), ".reshape(…)`"),
    ("heads", lambda x: x[:, 0], "only the first head came back"),
    ("heads", lambda x: x[:, -1:], "only the last head came back"),
    ("heads", lambda x: x.mean(1), "the mean of all heads came back"),
    ("heads", lambda x: x.sum(1), "the sum of all heads came back"),
    ("merged", lambda x: x[:, :-1], "one row is too few at the end"),
    ("merged", lambda x: x[:, 1:], "one row is too few at the beginning"),
    ("merged", lambda x: torch.cat([x, x[:, :1]], dim=1), "one row is too many at the end"),
    ("heads", lambda x: x.transpose(1, 2).reshape(x.shape), "A `.transpose(1, 2)` is missing"),
    ("merged", lambda x: unmerged(x).reshape(x.shape), "the right numbers are all there, in the wrong places"),
]  # fmt: skip
