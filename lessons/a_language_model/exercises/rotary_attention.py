"""`MyRotaryAttention(d_in, d_out, num_heads, key_heads, rotate)`: the attention of a model that writes."""

import torch
from torch import nn

from course_utils import attention
from course_utils.checks import outcome
from course_utils.checks.modules import BEHAVIOURS, HINTS
from course_utils.lessons import shared
from course_utils.lessons.a_language_model.exercises.with_a_cache import RecordingCache, WithACache
from course_utils.lessons.arguments import CONTEXT_AND_WEIGHTS
from course_utils.lessons.findings import finding
from course_utils.lessons.the_reshape.exercises.scores_of_heads import SCORES_OF_HEADS
from course_utils.models import made_up
from course_utils.models.rotary import Rotary


class RotaryAttentionSolution(nn.Module):
    def __init__(self, d_in, d_out, num_heads, key_heads, rotate):
        super().__init__()
        self.num_heads, self.key_heads, self.rotate = num_heads, key_heads, rotate
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        shared_width = d_out // num_heads * key_heads
        self.W_key, self.W_value = (nn.Linear(d_in, shared_width, bias=False) for _ in range(2))
        self.out_proj = nn.Linear(d_out, d_out, bias=False)

    def split(self, x, num_heads):
        return x.view(*x.shape[:2], num_heads, -1).transpose(1, 2)  # (batch, num_heads, num_tokens, head_dim)

    def forward(self, x, cache=None):
        past = 0 if cache is None else cache.num_tokens
        places = torch.arange(past, past + x.shape[1])
        queries = self.rotate(self.split(self.W_query(x), self.num_heads), places)
        keys = self.rotate(self.split(self.W_key(x), self.key_heads), places)
        values = self.split(self.W_value(x), self.key_heads)
        if cache is not None:
            keys, values = cache.add(keys, values)  # of all tokens so far
        keys = keys.repeat_interleave(self.num_heads // self.key_heads, dim=1)
        values = values.repeat_interleave(self.num_heads // self.key_heads, dim=1)
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        mask = torch.ones(attn_scores.shape[-2:], dtype=torch.bool).tril(past)  # (num_tokens, num_keys)
        attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
        context_vecs = (attn_weights @ values).transpose(1, 2)  # (batch, num_tokens, num_heads, head_dim)
        return self.out_proj(context_vecs.flatten(2)), attn_weights


def halves_rotated(x, places):
    """Return x (..., num_tokens, head_dim) rotated by places (num_tokens,), as rotary position embeddings do.

    Pair i, number i of the first half and number i of the second, turns by place * 0.3**i, in radians.
    """
    angles = places[:, None].to(x.dtype) * 0.3 ** torch.arange(x.shape[-1] // 2)
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * angles.cos() - second * angles.sin(), first * angles.sin() + second * angles.cos()], -1)


def cases(draw):
    neighbours = Rotary(4, 9.0, 32)
    yield "2 texts of 5 tokens, 6 wide to 16, 4 heads share 2 keys", (6, 16, 4, 2, neighbours), draw(2, 5, 6)
    yield "6 heads share 3, pairs of halves", (8, 24, 6, 3, halves_rotated), draw(3, 4, 8)
    yield "all heads share 1", (5, 12, 3, 1, neighbours), draw(1, 7, 5)
    yield "as many keys as heads", (6, 12, 3, 3, halves_rotated), draw(2, 3, 6)
    yield "as many texts as tokens", (8, 8, 2, 1, neighbours), draw(4, 4, 8)
    yield "a single token", (4, 8, 2, 1, halves_rotated), draw(2, 1, 4)
    yield "25 tokens", (3, 8, 2, 1, neighbours), draw(1, 25, 3)
    yield "4 heads share 2, with a cache: 3 tokens, then 1 and 1", (6, 16, 4, 2, neighbours), draw(2, 5, 6), (3, 1, 1)
    yield "with a cache: 2 tokens, then 4", (8, 24, 6, 3, halves_rotated), draw(1, 6, 8), (2, 4)
    yield "with a cache: one token after the other", (4, 8, 2, 1, neighbours), draw(2, 4, 4), (1, 1, 1, 1)
    yield "large inputs", (6, 16, 4, 2, neighbours), draw(2, 5, 6) * 30


def begins_at_the_cache(exercise, answer: type):
    """Yield ("places-counted", message) if a text gets other keys when it is read a second time, with a new cache."""
    sizes, x = exercise.case(0).args
    layer, caches = exercise.instance(answer, sizes), [RecordingCache(x.shape[1]) for _ in range(2)]
    for cache in caches:
        layer(x, cache=cache)
    if not outcome.close(caches[0].added[0], caches[1].added[0]):
        yield finding(exercise, "places-counted")


def reads_long_texts(exercise, answer):
    """Yield ("long-text", message) if a language model with the answer's attention raises or gives wrong scores.

    answer: a class. 512 tokens are read at once, and in two parts with a cache; right are the scores without a cache
    of the same model with its own attention.
    """
    model = made_up.language_model()
    width, num_heads, key_heads = model.config.width, model.config.num_heads, model.config.key_heads
    sizes = (width, width, num_heads, key_heads, model.rotate)
    mine = model.with_attention(lambda: exercise.made(answer, sizes))
    ids = [place * 7 % 250 for place in range(512)]
    try:
        read, expected = mine.reader(600), model(ids).logits
        pairs = [(mine(ids).logits, expected), (read(ids[:9]), expected[8]), (read(ids[9:]), expected[-1])]
    except (RuntimeError, IndexError):
        pairs = [(torch.zeros(1), torch.ones(1))]
    if not all(outcome.close(ours, theirs) for ours, theirs in pairs):
        yield finding(exercise, "long-text")


def stores_shared_keys(exercise, answer):
    """Yield ("stored-spread", hint) if the answer gives the cache each key once for every head that shares it.

    It is a hint, since it changes no number. answer: a class.
    """
    sizes, x = exercise.case(0).args
    cache = RecordingCache(x.shape[1])
    exercise.instance(answer, sizes)(x, cache=cache)
    if cache.added[0].shape[1] > sizes[3]:
        yield (
            "stored-spread",
            "The numbers are right, and your cache holds each key once for every head that shares it. `cache.add` "
            "first, then `repeat_interleave`: so the cache stays small.",
        )


MISTAKES = """
=softmax-of-torch:
    attention.softmax(…) -> torch.softmax(…, dim=-1)
not-turned: Nothing is rotated, so no score knows a position. Rotate queries and keys: `self.rotate(queries, places)`.
    self.rotate(self.split(self.W_query(x), self.num_heads), places) -> self.split(self.W_query(x), self.num_heads)
    self.rotate(self.split(self.W_key(x), self.key_heads), places) -> self.split(self.W_key(x), self.key_heads)
queries-only: Only the queries are rotated. A score knows the distance only if the keys are rotated as well.
    self.rotate(self.split(self.W_key(x), self.key_heads), places) -> self.split(self.W_key(x), self.key_heads)
keys-only: Only the keys are rotated. A score knows the distance only if the queries are rotated as well.
    self.rotate(self.split(self.W_query(x), self.num_heads), places) -> self.split(self.W_query(x), self.num_heads)
values-turned: The values are rotated too. They say what is delivered: rotate queries and keys alone.
    values = self.split(self.W_value(x), self.key_heads) ->
        values = self.rotate(self.split(self.W_value(x), self.key_heads), places)
places-from-0: With a cache, places go on where they stopped: the first new one is `cache.num_tokens`, not 0.
    torch.arange(past, past + x.shape[1]) -> torch.arange(x.shape[1])
key-places-from-0: With a cache, the keys' places begin at 0 with each part. They are the same as the queries' places:
    `self.rotate(keys, places)`.
    self.rotate(self.split(self.W_key(x), self.key_heads), places) ->
        self.rotate(self.split(self.W_key(x), self.key_heads), torch.arange(x.shape[1]))
group-size: Each key is spread to `key_heads` heads. Those that share it are `num_heads // key_heads`.
    self.num_heads // self.key_heads ->> self.key_heads
past-hidden: With a cache, your mask begins anew at each part. Row 0 sees the past and itself: `.tril(past)`.
    .tril(past) -> .tril()
one-ahead: Each token sees one place ahead. With `past` tokens before it, the diagonal is `past`: `.tril(past)`.
    .tril(past) -> .tril(past + 1)
self-excluded: No token sees itself. With `past` tokens before it, the diagonal is `past`: `.tril(past)`.
    .tril(past) -> .tril(past - 1)
no-mask: Tokens see what comes after them. Hide it before softmax, with `masked_fill(~mask, -torch.inf)`.
    .masked_fill(~mask, -torch.inf) ->
heads-take-turns: Your heads take turns, 0 1 0 1. Neighbours share a key, 0 0 1 1: `repeat_interleave(…, dim=1)`.
    .repeat_interleave(self.num_heads // self.key_heads, dim=1) ->>
        .repeat(1, self.num_heads // self.key_heads, 1, 1)
values-take-turns: The heads share keys as neighbours, and values in turns. Spread both: `repeat_interleave(…, dim=1)`.
    values.repeat_interleave(self.num_heads // self.key_heads, dim=1) ->
        values.repeat(1, self.num_heads // self.key_heads, 1, 1)
keys-take-turns: The heads share values as neighbours, and keys in turns. Spread both: `repeat_interleave(…, dim=1)`.
    keys.repeat_interleave(self.num_heads // self.key_heads, dim=1) ->
        keys.repeat(1, self.num_heads // self.key_heads, 1, 1)
past-late: With a cache, tokens that come together see what stands after them. Mask these too, with `.tril(past)`, and
    read `past` before `cache.add`.
    .tril(past) -> .tril(past if cache is None else cache.num_tokens)
mask-lower: Each token sees itself and what comes after it. The past lies below the diagonal: `.tril(past)`.
    .tril(past) -> .triu(past)
mask-of-new: Your mask has as many columns as rows. With a cache there are more keys: `(num_tokens, num_keys)`.
    torch.ones(attn_scores.shape[-2:], dtype=torch.bool).tril(past) -> attention.causal_mask(x.shape[1])
turned-twice: The keys are rotated twice. What `cache.add` gives back is rotated already: leave the second rotation out.
    keys = keys.repeat -> keys = self.rotate(keys, torch.arange(keys.shape[2])) ⏎ keys = keys.repeat
    or
    keys, values = cache.add(keys, values) -> keys, values = cache.add(keys, values)
        ⏎ keys = self.rotate(keys, torch.arange(keys.shape[2]))
one-place: All tokens stand at one place. Each needs its own: `torch.arange(past, past + num_tokens)`.
    torch.arange(past, past + x.shape[1]) -> torch.tensor([past])
stored-plain: The cache is given keys that are not rotated. It stores them “already rotated”: `self.rotate`, then
    `cache.add`.
    self.rotate(self.split(self.W_key(x), self.key_heads), places) -> self.split(self.W_key(x), self.key_heads)
    keys = keys.repeat -> keys = self.rotate(keys, torch.arange(keys.shape[2])) ⏎ keys = keys.repeat
places-counted: Your class counts the tokens itself, and a new text goes on where the last one stopped. The cache knows
    how many came before: `cache.num_tokens`.
    past = 0 if cache is None else cache.num_tokens -> past = 0 if cache is None else getattr(self, "seen", 0)
        ⏎ self.seen = past + x.shape[1]
    or
    places = torch.arange(past, past + x.shape[1]) -> seen = getattr(self, "seen", 0)
        ⏎ places = torch.arange(seen, seen + x.shape[1])
        ⏎ self.seen = 0 if cache is None else seen + x.shape[1]
key-width: `W_key` and `W_value` have another width. They serve `key_heads` heads: `d_out // num_heads * key_heads`.
    shared_width = d_out // num_heads * key_heads -> shared_width = d_out
    or
    shared_width = d_out // num_heads * key_heads -> shared_width = d_out // key_heads
    or
    shared_width = d_out // num_heads * key_heads -> shared_width = d_out // num_heads
long-text: On 512 tokens, in a language model, your class stops or gives other numbers. A mask of one size is too small
    there. Make it for the tokens that have come: `torch.ones(num_tokens, num_keys, dtype=torch.bool).tril(past)`.
    self.out_proj = nn.Linear(…) -> self.out_proj = nn.Linear(…)
        ⏎ self.register_buffer("mask", attention.causal_mask(64), persistent=False)
    torch.ones(attn_scores.shape[-2:], dtype=torch.bool).tril(past) ->
        self.mask[past : past + x.shape[1], : keys.shape[2]]
extra-bias:
    self.out_proj = nn.Linear(d_out, d_out, bias=False) -> self.out_proj = nn.Linear(d_out, d_out)
merge-no-transpose: One row holds numbers of several tokens. Keep what `transpose(1, 2)` gives, then join the last axes.
    (attn_weights @ values).transpose(1, 2) -> (attn_weights @ values).reshape(*x.shape[:2], -1)
features-dealt-out: The heads' features take turns. Put the heads before the features, then join the last two axes.
    values).transpose(1, 2) -> values).permute(0, 2, 3, 1)
weights-averaged: The weights are averaged over the heads. Each head's table is asked for: keep the heads' axis.
    flatten(2)), attn_weights -> flatten(2)), attn_weights.mean(dim=1)
no-out-proj: The merged heads come back as they are. The last step is `self.out_proj`: return what it makes of them.
    self.out_proj(context_vecs.flatten(2)) -> context_vecs.flatten(2)
split-by-view: Split cuts the tokens, not the features: first `view(batch, num_tokens, heads, -1)`, then `transpose`.
    x.view(*x.shape[:2], num_heads, -1).transpose(1, 2) -> x.reshape(len(x), num_heads, x.shape[1], -1)
"""

exercise = WithACache(
    RotaryAttentionSolution,
    cases,
    MISTAKES,
    shared=(SCORES_OF_HEADS, shared.SOFTMAX, shared.SCORES, shared.MIX, shared.HIDE, shared.MODULE),
    behaviours=(*BEHAVIOURS, begins_at_the_cache, reads_long_texts),
    hints=(*HINTS, stores_shared_keys),
    **CONTEXT_AND_WEIGHTS,
)
