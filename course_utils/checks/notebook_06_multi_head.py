"""The last exercise of notebook 06: the whole class, with many causal heads and dropout on the weights."""

import torch
from torch import nn

from .. import attention
from . import steps
from .legacy import BEHAVIOURS, ModuleExercise
from .modules import keeps_its_mask
from .notebook_06 import SHARED_HEADS, WEIGHTS_AVERAGED
from .notebook_06_heads import NO_TRANSPOSE, SCALE_MODEL, SPLIT_TOKENS, check_divisible, straight_view
from .notebook_06_merge import MERGE_NO_TRANSPOSE


class MultiHead(nn.Module):
    """Causal heads with dropout on the weights, each step a method, so that a wrong answer replaces one."""

    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        self.make_layers(d_in, d_out, num_heads)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length), persistent=False)

    def make_layers(self, d_in, d_out, num_heads):
        check_divisible(d_out, num_heads)
        self.num_heads = num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, x):
        return self.attend(self.W_query(x), self.W_key(x), self.W_value(x))

    def attend(self, queries, keys, values):
        queries, keys, values = (self.split(part, self.num_heads) for part in (queries, keys, values))
        attn_weights = self.dropout(self.weigh(self.score(queries, keys)))
        context_vecs = self.merge(self.mix(attn_weights, queries, keys, values))
        return self.project(context_vecs), self.back(attn_weights)

    split = staticmethod(attention.split_heads)
    merge = staticmethod(attention.merge_heads)
    score = staticmethod(steps.scaled_scores)
    mix = staticmethod(steps.mix)
    normalise = staticmethod(attention.softmax)
    back = staticmethod(lambda attn_weights: attn_weights)

    def weigh(self, attn_scores):
        num_tokens = attn_scores.shape[-1]
        return self.normalise(attn_scores.masked_fill(~self.mask[:num_tokens, :num_tokens], -torch.inf))

    def project(self, context_vecs):
        return self.out_proj(context_vecs)


def multi_head_cases(draw):
    yield "2 texts of 5 tokens, 3 wide to 8, 4 heads", (3, 8, 4, 7, 0.5), draw(2, 5, 3)
    yield "a full context", (4, 6, 3, 4, 0.1), draw(3, 4, 4)
    yield "as many heads as tokens", (3, 6, 3, 5, 0.1), draw(2, 3, 3)
    yield "as many texts as heads, widths alike", (6, 6, 2, 6, 0.1), draw(2, 4, 6)
    yield "one head", (3, 4, 1, 6, 0.1), draw(2, 5, 3)
    yield "a batch of one, a single token", (5, 6, 2, 4, 0.1), draw(1, 1, 5)
    yield "large inputs", (3, 8, 2, 7, 0.1), draw(2, 5, 3) * 30
    yield "7 features for 2 heads", (3, 7, 2, 6, 0.1), draw(2, 4, 3)
    yield "float64", (3, 8, 4, 7, 0.1), draw(2, 5, 3, dtype=torch.float64)


def drops_weights(exercise, answer):
    """In training, some of the returned weights are 0, and the others are larger by 1 / (1 - p)."""
    sizes, x = exercise.cases()[0].args
    model = exercise.built(answer, sizes)
    (_, steady), (_, dropped) = model(x), model.train()(x)
    survivors = dropped > 0
    if torch.allclose(dropped, steady):
        yield (
            "dropout-on-output",
            "While training, the weights that come back are whole. Dropout belongs on the weights, after softmax and "
            "before the mix: `attn_weights = self.dropout(attn_weights)`. Mix with those, and return those.",
        )
    elif torch.allclose(dropped.sum(dim=-1), torch.ones(())):
        yield (
            "dropout-before-softmax",
            "While training, the rows still add up to 1: your dropout acts on the scores. Move it behind softmax.",
        )
    elif torch.allclose(dropped[survivors], steady[survivors]):
        yield (
            "dropout-no-rescale",
            "The weights that were not dropped have kept their size. They should grow by 1 / (1 - p): take "
            "`nn.Dropout`.",
        )


multi_head = ModuleExercise(
    "multi_head", MultiHead, multi_head_cases, outputs=("context_vecs", "attn_weights"), rows="attn_weights",
    stub="MyMultiHeadAttention", behaviours=(*BEHAVIOURS, keeps_its_mask, drops_weights),
    make=lambda **methods: type("Wrong", (MultiHead,), {name: staticmethod(step) for name, step in methods.items()}),
)  # fmt: skip
multi_head.wrong_steps(steps.SOFTMAX, "softmax-axis", "softmax-all", "no-softmax", "exp-only")
multi_head.wrong_steps(steps.STABLE, "naive-overflow")
multi_head.wrong_steps(steps.SCORES)
multi_head.wrong_steps(steps.SCALE)
multi_head.wrong_steps(steps.MIX)
multi_head.wrong_steps(
    {
        "view-no-transpose": (NO_TRANSPOSE, "split", straight_view),
        "split-tokens": (
            SPLIT_TOKENS,
            "split",
            lambda x, num_heads: x.reshape(x.shape[0], num_heads, x.shape[1] // num_heads, x.shape[-1]),
        ),
        "shared-heads": (
            SHARED_HEADS,
            "split",
            lambda x, num_heads: attention.split_heads(x, num_heads)[:, :1].expand(-1, num_heads, -1, -1),
        ),
        "scale-model": (
            SCALE_MODEL,
            "score",
            lambda queries, keys: steps.raw_scores(queries, keys) / (queries.shape[1] * queries.shape[-1]) ** 0.5,
        ),
        "merge-no-transpose": (
            MERGE_NO_TRANSPOSE,
            "merge",
            lambda vecs: vecs.reshape(vecs.shape[0], vecs.shape[2], -1),
        ),
        "merge-discarded": (
            "The heads are still apart when `out_proj` meets them. `reshape` changes nothing in place: give its result "
            "a name, and project that.",
            "merge",
            lambda vecs: vecs.transpose(1, 2),
        ),
        "not-contiguous": (
            "After `transpose` the numbers no longer lie in the order of the axes, and `view` refuses: use `reshape`.",
            "merge",
            lambda vecs: vecs.transpose(1, 2).view(vecs.shape[0], vecs.shape[2], -1),
        ),
        "stack-for-cat": (
            "`stack` makes a new axis. The features of all heads belong on one: `cat` along the last axis.",
            "merge",
            lambda vecs: torch.stack(vecs.unbind(1)),
        ),
        "weights-averaged": (WEIGHTS_AVERAGED, "back", lambda weights: weights.mean(dim=1)),
        "weights-returned-transposed": (
            "The weights come back on their side: a row is a query.",
            "back",
            lambda weights: weights.transpose(-2, -1),
        ),
    }
)
