"""The calls of `my_preallocated_step`, token by token with a preallocated cache, and its behaviours."""

import torch

from course_utils import attention
from course_utils.checks import outcome
from course_utils.lessons.findings import finding
from course_utils.lessons.pytorch_attention.exercises.as_many_keys_as_values import AsManyKeysAsValues

from .token_by_token import pair

UNUSED = 2.0  # stands in places that nothing was written to yet, which may hold anything


def room_for(heads, inputs, most_tokens, past, unused=UNUSED):
    """Return a cache with room for `most_tokens`, which holds the keys and values of the first `past` tokens.

    heads: a MultiHeadAttention. inputs: (batch, num_tokens, d_in). unused: the number in all other places. The cache is
    (keys, values, past); keys and values are (batch, num_heads, most_tokens, head_dim).
    """
    head_dim = heads.W_key.out_features // heads.num_heads
    shape = (len(inputs), heads.num_heads, most_tokens, head_dim)
    room = [torch.full(shape, unused, dtype=inputs.dtype) for _ in range(2)]
    for part, layer in zip(room, (heads.W_key, heads.W_value), strict=True):
        with torch.no_grad():
            part[:, :, :past] = attention.split_heads(layer(inputs[:, :past]), heads.num_heads)
    return *room, past


def step(answer, heads, token, cache):
    """Call an answer for one token; return its (context_vec, cache), the cache being (keys, values, past).

    heads: a MultiHeadAttention. token: (batch, 1, d_in). cache: as from `room_for`. Errors: Refused for another result.
    """
    context_vec, cache = pair(answer, heads, token, cache, "(keys, values, past)")
    return context_vec, _cache(cache)


def _cache(cache):
    """Return a cache as it is, if it is (keys, values, past), two tensors and a whole number.

    Errors: Refused if not.
    """
    if not isinstance(cache, tuple | list) or len(cache) != 3:
        raise outcome.Refused("Three parts came as the cache, and three should come back: `(keys, values, past)`.")
    if not all(map(torch.is_tensor, cache[:2])):
        raise outcome.Refused("The first two parts of the cache are tensors, the room for keys and for values.")
    past = cache[2]
    if isinstance(past, bool) or torch.is_tensor(past) and past.numel() != 1 or not hasattr(past, "__index__"):
        template = "`past` should be a whole number: how many tokens have come. It is `{past}`."
        raise outcome.Refused(template, past=repr(past))
    return cache


def token_by_token(answer, heads, inputs, most_tokens, past):
    """Call an answer token by token; return (context_vecs, keys, values), three tensors.

    `room_for` makes the cache and fills in the first `past` tokens; the answer steps through all others.
    heads, inputs, most_tokens, past: as in `room_for`. context_vecs: (batch, num_tokens - past, d_out). keys, values:
    (batch, num_heads, num_tokens, head_dim), read from the cache of `room_for`: they are right only if each step writes
    there.
    """
    room = cache = room_for(heads, inputs, most_tokens, past)
    context_vecs = []
    with AsManyKeysAsValues():
        for token in inputs[:, past:].split(1, dim=1):
            context_vec, cache = step(answer, heads, token, cache)
            context_vecs.append(context_vec)
    return torch.cat(context_vecs, dim=1), *(part[:, :, : inputs.shape[1]] for part in room[:2])


def two_texts_in_turn(exercise, answer):
    """Yield ("cache-elsewhere", message) if two texts, read in turn with a cache each, get wrong context vectors.

    Then the answer keeps a text's past outside of the cache.
    """
    heads, inputs, most_tokens, _ = exercise.case(0).args
    texts = inputs, inputs.flip(1)
    expected = [token_by_token(exercise.solution, heads, text, most_tokens, 0)[0] for text in texts]
    caches = [room_for(heads, text, most_tokens, 0) for text in texts]
    for at in range(inputs.shape[1]):
        for i, text in enumerate(texts):
            context_vec, caches[i] = step(answer, heads, text[:, at : at + 1], caches[i])
            if not outcome.close(context_vec.detach(), expected[i][:, at : at + 1].detach()):
                yield finding(exercise, "cache-elsewhere")
                return


def room_may_hold_nan(exercise, answer):
    """Yield ("nan-in-room", message) if a nan in a place of the cache not yet written to makes a context vector nan."""
    heads, inputs, most_tokens, _ = exercise.case(0).args
    context_vec, _ = step(answer, heads, inputs[:, :1], room_for(heads, inputs, most_tokens, 0, unused=torch.nan))
    if context_vec.isnan().any():
        yield finding(exercise, "nan-in-room")


def leaves_the_rest_alone(exercise, answer):
    """Yield ("writes-more", hint) if a step writes into a later place of the cache than its own."""
    heads, inputs, most_tokens, _ = exercise.case(0).args
    keys, values, past = room_for(heads, inputs, most_tokens, 1)
    step(answer, heads, inputs[:, 1:2], (keys, values, past))
    if not all((part[:, :, 2:] == UNUSED).all() for part in (keys, values)):
        yield (
            "writes-more",
            "The numbers are right, and your step writes into more places than its own. One is enough: "
            "`keys[:, :, past]`.",
        )
