"""Wrong answers to the exercise of notebook 08 on a key-value cache."""

import torch
import torch.nn.functional as F

from ..attention import merge_heads, split_heads
from . import notebook_08_cache, steps
from .notebook_08_cache import attend, extend, stepping

notebook_token = torch.full((1, 1, 1), 0.25)  # lies about in the notebook


def joined(dim):
    return lambda cache, *new: new if cache is None else tuple(map(lambda *pair: torch.cat(pair, dim), cache, new))


def scoring(score):
    return lambda query, keys, values: torch.softmax(score(query, keys), dim=-1) @ values


notebook_08_cache.cached_step.wrong_steps({
    "cache-ignored": (
        "Each token sees itself alone: the cache that comes in is not used, or only half of it. Put the new key *and* "
        "the new value behind those of the cache with `torch.cat`.",
        "join", lambda cache, keys, values: (keys, values),
    ),
    "cache-not-updated": (
        "The cache never grows past its first token: what came in is returned again. Return the joined keys and "
        "values.",
        "keep", lambda keys, values, cache: (keys, values) if cache is None else cache,
    ),
    "cache-last-only": (
        "Your cache holds the newest token only. Return the joined keys and values: all the past and the new token.",
        "keep", lambda keys, values, cache: (keys[..., -1:, :], values[..., -1:, :]),
    ),
    "cache-swapped": (
        "Keys and values change places from one step to the next: return the cache in the order in which you read it.",
        "keep", lambda keys, values, cache: (values, keys),
    ),
    "cat-wrong-axis": (
        "The past is joined along another axis than the tokens'. They are on the last but one, after the heads: "
        "`dim=-2`.",
        "join", joined(1),
    ),
    "batch-mixed": (
        "The past is joined along the batch. Tokens are on the last axis but one: `dim=-2`.", "join", joined(0),
    ),
    "order-mismatch": (
        "Keys and values stand in different orders, so a weight meets another token's value. Put the new one behind "
        "the past in both.",
        "join",
        lambda cache, keys, values: extend(cache, keys, values) if cache is None
        else (torch.cat([keys, cache[0]], dim=-2), torch.cat([cache[1], values], dim=-2)),
    ),
    "causal-top-left": (
        "`is_causal=True` counts queries and keys from the first on, so your one query sees the first key alone. Here "
        "all keys are of the past: no mask is needed.",
        "mix", lambda query, keys, values: F.scaled_dot_product_attention(query, keys, values, is_causal=True),
    ),
    "self-excluded": (
        "The new token does not see itself: its own key and value belong into the step, too.",
        "mix", lambda query, keys, values: attend(query, keys[..., :-1, :], values[..., :-1, :])
        if keys.shape[-2] > 1 else attend(query, keys, values),
    ),
    "no-scale": (steps.SCALE["no-scale"][0].replace("queries", "query"), "mix", scoring(steps.raw_scores)),
    "scale-no-root": (
        steps.SCALE["scale-no-root"][0], "mix",
        scoring(lambda query, keys: steps.raw_scores(query, keys) / query.shape[-1]),
    ),
    "scale-model": (
        "You divided by the root of the whole width. Each head divides by the root of its own: `head_dim`, the last "
        "axis after the split.",
        "mix",
        scoring(lambda query, keys: steps.raw_scores(query, keys) / (query.shape[-1] * query.shape[1]) ** 0.5),
    ),
    "scale-wrong-axis": (
        "You divided by the root of the number of tokens. It should be the root of the head's width, "
        "`query.shape[-1]`.",
        "mix", scoring(lambda query, keys: steps.raw_scores(query, keys) / keys.shape[-2] ** 0.5),
    ),
    "softmax-axis": (
        "Every past value counts in full, as if each weight were 1. Does your softmax run over the queries? There is "
        "only one: take `dim=-1`. Or do you add to the cache with `+`? Join with `torch.cat`.",
        "mix",
        lambda query, keys, values: torch.softmax(steps.scaled_scores(query, keys), dim=-2) @ values,
    ),
    "weights-on-keys": (
        steps.MIX["weights-on-keys"][0], "mix", lambda query, keys, values: attend(query, keys, keys),
    ),
    "qk-swapped": (
        "Query and key have changed places: the query comes from `W_query`, the key from `W_key`.",
        "project", lambda heads, token: (heads.W_key(token), heads.W_query(token), heads.W_value(token)),
    ),
    "shared-projection": (
        "Query and key are made by the same layer: the key needs `W_key`.",
        "project", lambda heads, token: (heads.W_query(token), heads.W_query(token), heads.W_value(token)),
    ),
    "no-out-proj": (
        "The heads are put side by side, and never mixed: send them through `heads.out_proj`.",
        "finish", lambda heads, context_vecs: merge_heads(context_vecs),
    ),
    "first-head-only": (
        "Only the first head is used: its output stands in the place of all the others.",
        "finish",
        lambda heads, context_vecs: heads.out_proj(merge_heads(context_vecs[:, :1].expand_as(context_vecs))),
    ),
})  # fmt: skip


@notebook_08_cache.cached_step.mistake("recomputed", "Each step makes the keys and values of all the past again.")
def _(heads, token, cache):
    inputs = token if cache is None else torch.cat([cache, token], dim=1)
    return heads(inputs)[0][:, -1:], inputs


@notebook_08_cache.cached_step.mistake("cache-in-place", "Your code changes the cache that it was given.")
def _(heads, token, cache):
    cache = [] if cache is None else cache
    cache.append([split_heads(part, heads.num_heads) for part in (heads.W_key(token), heads.W_value(token))])
    keys, values = (torch.cat(parts, dim=-2) for parts in zip(*cache, strict=True))
    query = split_heads(heads.W_query(token), heads.num_heads)
    return heads.out_proj(merge_heads(attend(query, keys, values))), cache


CACHE_FIRST_NONE = (
    "At the first token there is no cache yet: it is None. Ask first, `if cache is not None`, before you join."
)


@notebook_08_cache.cached_step.mistake("cache-first-none", CACHE_FIRST_NONE)
def _(heads, token, cache):
    past_keys, past_values = cache
    return stepping()(heads, token, (past_keys, past_values))


@notebook_08_cache.cached_step.mistake("cache-first-none", CACHE_FIRST_NONE)
def _(heads, token, cache):
    return stepping()(heads, token, (cache[0], cache[1]))


@notebook_08_cache.cached_step.mistake(
    "heads-unsplit",
    "Keys and queries meet in their whole width, as one wide head. Split them before the scores: "
    "`attention.split_heads(…, heads.num_heads)`.",
)
def _(heads, token, cache):
    keys, values = extend(cache, heads.W_key(token), heads.W_value(token))
    return heads.out_proj(attend(heads.W_query(token), keys, values)), (keys, values)


@notebook_08_cache.cached_step.mistake(
    "cache-missing", "Two things are asked for, in this order: `return context_vec, cache`."
)
def _(heads, token, cache):
    return stepping()(heads, token, cache)[0]


@notebook_08_cache.cached_step.mistake("random", "Something is drawn at random in each step.")
def _(heads, token, cache):
    return stepping(mix=lambda query, keys, values: F.dropout(attend(query, keys, values), 0.3))(heads, token, cache)


@notebook_08_cache.cached_step.mistake("global-leak", steps.LEAK)
def _(heads, token, cache):
    return stepping()(heads, token + 0 * notebook_token, cache)
