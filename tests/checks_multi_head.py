"""A check of the class that notebook 06 will build, declared here to prove that the engine is ready for it."""

import torch
from torch import nn

from course_utils import attention
from course_utils.checks.modules import BEHAVIOURS, ModuleExercise

causal, split_heads, merge_heads = attention.causal_mask, attention.split_heads, attention.merge_heads


class Reference(nn.Module):
    """Causal heads with dropout on the weights; keys may come from another sequence."""

    def __init__(self, d_in, d_out, num_heads, context_length):
        super().__init__()
        self.make_layers(d_in, d_out, num_heads)
        self.dropout = nn.Dropout(0.5)
        self.register_buffer("mask", causal(context_length), persistent=False)

    def make_layers(self, d_in, d_out, num_heads):
        if d_out % num_heads:
            raise ValueError(f"d_out = {d_out} is not divisible by num_heads = {num_heads}.")
        self.num_heads = num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)

    def split(self, x):
        return split_heads(x, self.num_heads)

    def scores(self, queries, keys):
        return queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5

    def weights(self, attn_scores):
        num_queries, num_keys = attn_scores.shape[-2:]
        return torch.softmax(attn_scores.masked_fill(~self.mask[:num_queries, :num_keys], -torch.inf), dim=-1)

    def merge(self, context_vecs):
        return merge_heads(context_vecs)

    def forward(self, x, others=None):
        others = x if others is None else others
        return self.attend(self.W_query(x), self.W_key(others), self.W_value(others))

    def attend(self, queries, keys, values):
        queries, keys, values = self.split(queries), self.split(keys), self.split(values)
        attn_weights = self.dropout(self.weights(self.scores(queries, keys)))
        return self.out_proj(self.merge(attn_weights @ values)), attn_weights


def cases(draw):
    yield "2 texts of 5 tokens, 3 wide to 8, 4 heads", (3, 8, 4, 7), draw(2, 5, 3)
    yield "a full context", (4, 6, 3, 4), draw(3, 4, 4)
    yield "as many heads as tokens", (3, 6, 3, 5), draw(2, 3, 3)
    yield "one head", (3, 4, 1, 6), draw(2, 5, 3)
    yield "a batch of one, a single token", (5, 6, 2, 4), draw(1, 1, 5)
    yield "another sequence", (3, 8, 2, 6), draw(2, 4, 3), draw(2, 6, 3)
    yield "widths that cannot be shared out", (3, 7, 2, 6), draw(2, 4, 3)
    yield "float64", (3, 8, 4, 7), draw(2, 5, 3, dtype=torch.float64)


def drops_weights(exercise, answer):
    """In training, some of the returned weights are 0, and the others are larger by 1 / (1 - p)."""
    sizes, x = exercise.cases()[0].args
    model = exercise.built(answer, sizes)
    (_, steady), (_, dropped) = model(x), model.train()(x)
    survivors = dropped > 0
    if torch.allclose(dropped, steady):
        yield "dropout-on-output", "While training, no weight is dropped."
    elif torch.allclose(dropped.sum(dim=-1), torch.ones(())):
        yield "dropout-before-softmax", "While training, the rows still add up to 1."
    elif torch.allclose(dropped[survivors], steady[survivors]):
        yield "dropout-no-rescale", "The weights that were not dropped have kept their size."


multi_head = ModuleExercise(
    "multi_head", Reference, cases, outputs=("context_vecs", "attn_weights"), rows="attn_weights", stub="MyMultiHead",
    behaviours=(*BEHAVIOURS, drops_weights),
)  # fmt: skip


def wrong(id, **methods):
    """Add a class in which some methods are wrong."""
    multi_head.mistake(id, f"The mistake {id}.")(type("Wrong", (Reference,), methods))


def masked(fill):
    def weights(self, attn_scores):
        num_queries, num_keys = attn_scores.shape[-2:]
        return fill(attn_scores, self.mask[:num_queries, :num_keys])

    return weights


def causal_up(mask):
    return torch.ones_like(mask).triu()


def leaving(diagonal):
    def weights(self, attn_scores):
        mask = torch.ones(attn_scores.shape[-2:], dtype=torch.bool).tril(diagonal)
        return attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))

    return weights


def with_plain_mask(self, d_in, d_out, num_heads, context_length):
    Reference.__init__(self, d_in, d_out, num_heads, context_length)
    del self.mask
    self.mask = causal(context_length)


def with_dropout(function):
    class Dropout(nn.Module):
        def forward(self, x):
            return function(x) if self.training or function is nn.functional.dropout else x

    def init(self, d_in, d_out, num_heads, context_length):
        Reference.__init__(self, d_in, d_out, num_heads, context_length)
        self.dropout = Dropout()

    return init


def before_softmax(self, queries, keys, values):
    queries, keys, values = self.split(queries), self.split(keys), self.split(values)
    attn_weights = self.weights(self.dropout(self.scores(queries, keys)))
    return self.out_proj(self.merge(attn_weights @ values)), attn_weights


def with_heads_in_list(self, d_in, d_out, num_heads, context_length):
    nn.Module.__init__(self)
    self.heads = [nn.Linear(d_in, d_out // num_heads) for _ in range(num_heads)]


def without_check(self, d_in, d_out, num_heads):
    head_dim = d_out // num_heads
    Reference.make_layers(self, d_in, head_dim * num_heads, num_heads)


def only_after_merge(self, queries, keys, values):
    queries, keys, values = self.split(queries), self.split(keys), self.split(values)
    attn_weights = self.weights(self.scores(queries, keys))
    return self.out_proj(self.dropout(self.merge(attn_weights @ values))), attn_weights


def averaged(self, queries, keys, values):
    context_vecs, attn_weights = Reference.attend(self, queries, keys, values)
    return context_vecs, attn_weights.mean(dim=1)


def unprojected(self, queries, keys, values):
    queries, keys, values = self.split(queries), self.split(keys), self.split(values)
    attn_weights = self.dropout(self.weights(self.scores(queries, keys)))
    return self.merge(attn_weights @ values), attn_weights


wrong("view-no-transpose", split=lambda self, x: x.reshape(len(x), self.num_heads, x.shape[1], -1))
wrong("split-tokens", split=lambda self, x: x.reshape(len(x), self.num_heads, -1, x.shape[-1]))
wrong("merge-no-transpose", merge=lambda self, vecs: vecs.reshape(len(vecs), vecs.shape[2], -1))
wrong("no-scale", scores=lambda self, queries, keys: queries @ keys.transpose(-2, -1))
wrong(
    "scale-model",
    scores=lambda self, queries, keys: queries @ keys.transpose(-2, -1) / self.out_proj.in_features**0.5,
)
wrong("mask-inverted", weights=masked(lambda scores, mask: attention.softmax(scores.masked_fill(mask, -torch.inf))))
wrong(
    "mask-lower",
    weights=masked(lambda scores, mask: attention.softmax(scores.masked_fill(~causal_up(mask), -torch.inf))),
)
wrong("mask-off-by-one", weights=leaving(1))
wrong("mask-zero-fill", weights=masked(lambda scores, mask: attention.softmax(scores.masked_fill(~mask, 0.0))))
wrong("mask-added-01", weights=masked(lambda scores, mask: attention.softmax(scores + mask)))
wrong("mask-after-softmax", weights=masked(lambda scores, mask: attention.softmax(scores) * mask))
wrong("mask-normalised", weights=masked(lambda s, mask: (mask / mask.sum(-1, True)).to(s.dtype).expand_as(s)))
wrong("mask-not-sliced", weights=lambda self, s: attention.softmax(s.masked_fill(~self.mask, -torch.inf)))
wrong("mask-not-buffer", __init__=with_plain_mask)
wrong("dropout-no-rescale", __init__=with_dropout(lambda x: x * (torch.rand_like(x) > 0.5)))
wrong("dropout-in-eval", __init__=with_dropout(nn.functional.dropout))
wrong("dropout-before-softmax", attend=before_softmax)
wrong("dropout-on-output", attend=only_after_merge)
wrong("weights-averaged", attend=averaged)
wrong("no-out-proj", attend=unprojected)
wrong("not-divisible", make_layers=without_check)
wrong("heads-in-list", __init__=with_heads_in_list)
wrong("cross-from-queries", forward=lambda self, x, others=None: Reference.forward(self, x))
wrong(
    "values-from-queries",
    forward=lambda self, x, others=None: self.attend(
        self.W_query(x), self.W_key(x if others is None else others), self.W_value(x)
    ),
)
wrong("shared-heads", split=lambda self, x: split_heads(x, self.num_heads)[:, :1].expand(-1, self.num_heads, -1, -1))
