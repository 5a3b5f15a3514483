"""Wrong answers to the last exercise of notebook 06: masks, dropout, layers, and the order of the steps."""

import torch
from torch import nn

from .. import attention
from . import notebook_06_multi_head, steps
from .modules import IN_A_LIST, MASK_SHRINKS, MISSING
from .notebook_06_heads import NOT_DIVISIBLE, SCALE_HEADS, SOFTMAX_HEADS, check_divisible, straight_view
from .notebook_06_multi_head import MultiHead


def wrong(id, words, **methods):
    """Add a class in which some methods are wrong."""
    notebook_06_multi_head.multi_head.mistake(id, words)(type("Wrong", (MultiHead,), methods))


def masked(fill):
    """The step from scores to weights, made from scores and mask."""

    def weigh(self, attn_scores):
        num_tokens = attn_scores.shape[-1]
        return fill(attn_scores, self.mask[:num_tokens, :num_tokens])

    return weigh


def filled(change, softmax=attention.softmax):
    """The same with -inf where the changed mask is False."""
    return masked(lambda scores, mask: softmax(scores.masked_fill(~change(mask), -torch.inf), dim=-1))


wrong(
    "mask-missing",
    "Your heads see the future: every row should end at its own token. Mask the scores before softmax.",
    weigh=lambda self, attn_scores: attention.softmax(attn_scores),
)
for softmax in (attention.softmax, torch.softmax):  # which make zeros and nan of a row with nothing to attend to
    wrong(
        "mask-inverted",
        "Your mask is the wrong way round: it hides what may be attended. Fill what lies in the future: with True for "
        "*may attend*, that is `~mask`.",
        weigh=filled(lambda mask: ~mask, softmax),
    )
    wrong(
        "mask-off-by-one",
        "Your mask hides each token from itself too, and the first row has nothing left: look at the `diagonal`.",
        weigh=filled(lambda mask: mask.tril(-1), softmax),
    )
for softmax in (attention.softmax, torch.softmax):  # over the heads a masked place has nothing left either
    wrong(
        "softmax-heads",
        SOFTMAX_HEADS,
        weigh=masked(lambda scores, mask, softmax=softmax: softmax(scores.masked_fill(~mask, -torch.inf), dim=1)),
    )
wrong(
    "mask-lower",
    "Your mask keeps the future and hides the past: take the lower triangle, `tril`.",
    weigh=filled(lambda mask: mask.mT),
)
wrong(
    "mask-off-by-one",
    "Each row sees one token of the future: look at the `diagonal` of your mask.",
    weigh=filled(lambda mask: torch.ones_like(mask).tril(1)),
)
wrong(
    "mask-zero-fill",
    "Masked scores are set to 0, and softmax makes e⁰ of that: fill with `-torch.inf`.",
    weigh=masked(lambda scores, mask: attention.softmax(scores.masked_fill(~mask, 0.0))),
)
wrong(
    "mask-added-01",
    "A mask of 0 and 1 is added to the scores: the future stays in sight. Fill with `-torch.inf` where it is False.",
    weigh=masked(lambda scores, mask: attention.softmax(scores + mask)),
)
wrong(
    "mask-after-softmax",
    "The mask comes after softmax, so rows no longer add up to 1. Mask the scores, before softmax.",
    weigh=masked(lambda scores, mask: attention.softmax(scores) * mask),
)
wrong(
    "mask-normalised",
    "Your weights are the mask divided by its row sums: the scores have no part in them. Mask the scores.",
    weigh=masked(lambda scores, mask: (mask / mask.sum(-1, True)).to(scores.dtype).expand_as(scores)),
)
wrong(
    "mask-not-sliced",
    "The mask has the size of the full context. Cut it to the tokens there are: `[:num_tokens, :num_tokens]`.",
    weigh=lambda self, attn_scores: attention.softmax(attn_scores.masked_fill(~self.mask, -torch.inf)),
)
wrong(
    "scale-after",
    "You divided after softmax, so the rows no longer add up to 1. Divide the scores, before softmax.",
    score=staticmethod(steps.raw_scores),
    normalise=lambda self, scores: attention.softmax(scores) / (self.out_proj.in_features / self.num_heads) ** 0.5,
)


wrong(
    "scale-heads",
    SCALE_HEADS,
    attend=lambda self, queries, keys, values: MultiHead.attend(
        self, queries * (queries.shape[-1] / self.num_heads**2) ** 0.5, keys, values
    ),
)


def with_plain_mask(self, d_in, d_out, num_heads, context_length, dropout):
    MultiHead.__init__(self, d_in, d_out, num_heads, context_length, dropout)
    del self.mask
    self.mask = attention.causal_mask(context_length)


def with_dropout(function):
    class Dropout(nn.Module):
        def forward(self, x):
            return function(x) if self.training or function is nn.functional.dropout else x

    def init(self, d_in, d_out, num_heads, context_length, dropout):
        MultiHead.__init__(self, d_in, d_out, num_heads, context_length, dropout)
        self.dropout = Dropout()

    return init


def before_softmax(self, queries, keys, values):
    queries, keys, values = (self.split(part, self.num_heads) for part in (queries, keys, values))
    attn_weights = self.weigh(self.dropout(self.score(queries, keys)))
    return self.project(self.merge(attn_weights @ values)), attn_weights


def after_merge(self, queries, keys, values):
    queries, keys, values = (self.split(part, self.num_heads) for part in (queries, keys, values))
    attn_weights = self.weigh(self.score(queries, keys))
    return self.project(self.dropout(self.merge(attn_weights @ values))), attn_weights


wrong("mask-not-buffer", "The mask is a plain tensor on `self`.", __init__=with_plain_mask)
wrong(
    "dropout-no-rescale", "Survivors keep their size.", __init__=with_dropout(lambda x: x * (torch.rand_like(x) > 0.5))
)
wrong("dropout-in-eval", "It still drops after `.eval()`.", __init__=with_dropout(nn.functional.dropout))
wrong("dropout-before-softmax", "Dropout acts on the scores.", attend=before_softmax)
wrong("dropout-on-output", "Dropout acts on the context vectors only.", attend=after_merge)


def with_heads_in_list(self, d_in, d_out, num_heads, context_length, dropout):
    nn.Module.__init__(self)
    check_divisible(d_out, num_heads)
    self.heads = [nn.Linear(d_in, d_out // num_heads) for _ in range(num_heads)]


def without_check(self, d_in, d_out, num_heads):
    MultiHead.make_layers(self, d_in, d_out // num_heads * num_heads, num_heads)


def never_checked(self, d_in, d_out, num_heads):
    self.num_heads = num_heads
    self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
    self.out_proj = nn.Linear(d_out, d_out)


def split_by_view(x, num_heads):
    return x.view(*x.shape[:2], num_heads, x.shape[-1] // num_heads).transpose(1, 2)


def too_wide(self, d_in, d_out, num_heads):
    check_divisible(d_out, num_heads)
    MultiHead.make_layers(self, d_in, d_out * num_heads, num_heads)


def other_names(self, d_in, d_out, num_heads):
    check_divisible(d_out, num_heads)
    self.num_heads, self.projection = num_heads, nn.Linear(d_out, d_out)
    self.query, self.key, self.value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))


def with_biases(self, d_in, d_out, num_heads):
    MultiHead.make_layers(self, d_in, d_out, num_heads)
    for name in ("W_query", "W_key", "W_value"):
        setattr(self, name, nn.Linear(d_in, d_out))


def folded_into_tokens(self, x):
    context_vecs, attn_weights = MultiHead.attend(
        self, *(layer(x).flatten(0, 1)[None] for layer in (self.W_query, self.W_key, self.W_value))
    )
    return context_vecs.view(*x.shape[:2], -1), attn_weights


def in_full_width(self, queries, keys, values):
    attn_weights = self.dropout(self.weigh(self.score(queries, keys)))
    return self.project(attn_weights @ values), attn_weights[:, None].expand(-1, self.num_heads, -1, -1)


def swapped(self, x):
    context_vecs, attn_weights = MultiHead.forward(self, x.transpose(0, 1))
    return context_vecs.transpose(0, 1), attn_weights


def first_only(self, queries, keys, values):
    context_vecs, attn_weights = MultiHead.attend(self, queries, keys, values)
    head_dim = queries.shape[-1] // self.num_heads
    mixed = attn_weights[:, 0] @ values[..., :head_dim]
    return self.project(nn.functional.pad(mixed, (0, values.shape[-1] - head_dim))), attn_weights


wrong("heads-in-list", IN_A_LIST, __init__=with_heads_in_list)
wrong("not-divisible", NOT_DIVISIBLE, make_layers=without_check)
wrong("not-divisible", NOT_DIVISIBLE, make_layers=never_checked, split=staticmethod(split_by_view))
wrong(
    "head-count-dim",
    "Your projections are `num_heads` times too wide. `d_out` is the total of all heads: do not multiply it.",
    make_layers=too_wide,
)
wrong("names", MISSING.format("`self.W_query`, `self.W_key`, `self.W_value`, `self.out_proj`"), make_layers=other_names)
wrong("extra-bias", "The three projections add a bias.", make_layers=with_biases)
wrong(
    "no-out-proj",
    "The merged heads come back as they are: `self.out_proj` is there and not used. It is the last step.",
    project=lambda self, context_vecs: context_vecs,
)
wrong(
    "out-proj-early",
    "`self.out_proj` is applied to the values, and not to what the heads found. Move it to the end.",
    attend=lambda self, queries, keys, values: (lambda result: (result[0], result[1]))(
        MultiHead.attend(self, queries, keys, self.out_proj(values))
    ),
)
wrong(
    "first-head-only",
    "Only the first head's output arrives: the others' places are empty. Look for an index, or a loop that returns.",
    attend=first_only,
)
wrong(
    "heads-missing",
    "There is one wide head, and its weights are repeated. Split queries, keys and values before the scores.",
    attend=in_full_width,
)
wrong("batch-mixed", steps.BATCH_MIXED, forward=folded_into_tokens)
wrong("seq-batch-swapped", steps.SEQ_BATCH_SWAPPED, forward=swapped)
wrong(
    "kv-swapped",
    "The three projections have changed places: `W_query` makes the queries, `W_key` the keys, `W_value` the values.",
    forward=lambda self, x: self.attend(self.W_query(x), self.W_value(x), self.W_key(x)),
)
wrong(
    "shared-projection",
    "Queries and keys come from the same layer: the keys need `self.W_key(x)`.",
    forward=lambda self, x: self.attend(self.W_query(x), self.W_query(x), self.W_value(x)),
)
wrong(
    "shared-projection",
    "Queries and keys come from the same layer: the queries need `self.W_query(x)`.",
    forward=lambda self, x: self.attend(self.W_key(x), self.W_key(x), self.W_value(x)),
)


def one_by_view(wrong_one):
    """Two of the three are split as they should be, one goes straight to the shape."""

    def attend(self, *parts):
        heads = [
            (straight_view if index == wrong_one else self.split)(part, self.num_heads)
            for index, part in enumerate(parts)
        ]
        attn_weights = self.dropout(self.weigh(self.score(*heads[:2])))
        return self.project(self.merge(attn_weights @ heads[2])), attn_weights

    return attend


for index, name in enumerate(("queries", "keys", "values")):
    wrong(
        "view-no-transpose",
        f"Your {name} are split by a `view` alone, and a head's rows fill up with other tokens' numbers. Split them "
        "as the two others: `view(batch, num_tokens, num_heads, head_dim)`, then `transpose(1, 2)`.",
        attend=one_by_view(index),
    )


def shrinking(self, attn_scores):
    num_tokens = attn_scores.shape[-1]
    self.mask = self.mask[:num_tokens, :num_tokens]
    return MultiHead.weigh(self, attn_scores)


wrong("mask-shrinks", MASK_SHRINKS, weigh=shrinking)
wrong(
    "outputs-swapped",
    "The two results have changed places: `return context_vecs, attn_weights`.",
    forward=lambda self, x: MultiHead.forward(self, x)[::-1],
)
wrong("detached", steps.DETACHED, project=lambda self, context_vecs: self.out_proj(context_vecs.detach()))
