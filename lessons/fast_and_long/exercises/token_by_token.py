"""The calls of `my_cached_step`, token by token, and its behaviours towards the cache that it is given."""

import torch

from course_utils.checks import outcome
from course_utils.lessons.findings import finding
from course_utils.lessons.pytorch_attention.exercises.as_many_keys_as_values import AsManyKeysAsValues


def pair(answer, heads, token, cache, asked="cache"):
    """Call answer(heads, token, cache); return its (context_vec, cache). Errors: Refused unless it is such a pair.

    heads: a MultiHeadAttention. token: (batch, 1, d_in). cache: what the last step returned as cache. asked: what the
    prompt asks for as the cache, as code. context_vec: (batch, 1, d_out).
    """
    result = answer(heads, token, cache)
    if result is None:
        raise outcome.Refused("It ran to its end and gave nothing back: the last line needs a `return`.")
    if not isinstance(result, tuple | list) or len(result) != 2:
        template = "Two things are asked for, in this order: `return context_vec, {cache}`."
        raise outcome.Refused(template, cache=asked)
    if not torch.is_tensor(result[0]) and torch.is_tensor(result[1]):
        raise outcome.Refused("The two have changed places: the context vector comes first, then the cache.")
    [context_vec] = outcome.as_tensors(result[0], ("context_vec",))
    shape = (token.shape[0], 1, heads.out_proj.out_features)
    if context_vec.shape != shape:
        template = "`context_vec` needs the shape `(batch, 1, d_out) = {needed}`, and has `{yours}`."
        raise outcome.Refused(template, needed=shape, yours=tuple(context_vec.shape))
    return context_vec, result[1]


def step(answer, heads, token, cache):
    """Call an answer for one token; return its (context_vec, cache).

    Errors: Refused for another result, or None as cache. heads: a MultiHeadAttention. token: (batch, 1, d_in). cache:
    from the last step, None at first.
    """
    context_vec, cache = pair(answer, heads, token, cache)
    if cache is None:
        raise outcome.Refused("None comes back for the cache. Return the joined keys and values, for the next token.")
    return context_vec, cache


def token_by_token(answer, heads, inputs):
    """Call an answer for each token in turn; return the context vectors of all, (batch, num_tokens, d_out).

    heads: a MultiHeadAttention. inputs: (batch, num_tokens, d_in).
    """
    cache, context_vecs = None, []
    with AsManyKeysAsValues():
        for token in inputs.split(1, dim=1):
            context_vec, cache = step(answer, heads, token, cache)
            context_vecs.append(context_vec)
    return torch.cat(context_vecs, dim=1)


def text_after_text(answer, heads, inputs):
    """Call an answer for other tokens, then for each token of `inputs`; return the context vectors of `inputs`.

    They are (batch, num_tokens, d_out). heads: a MultiHeadAttention. inputs: (batch, num_tokens, d_in). Errors: Refused
    if what was read first changes the result for the first token of a text.
    """
    if _has_a_past(answer, heads, *inputs[:, :2].split(1, dim=1)):
        raise outcome.Refused(
            "Where `cache` is None, a new text begins, and your code goes on with what an earlier call left behind. "
            "Read the past from the argument `cache` alone: no list outside, nothing on `heads`."
        )
    return token_by_token(answer, heads, inputs)


def _has_a_past(answer, heads, token, other):
    """Return whether an answer gives another result for a first token after another text has begun.

    Return False if a call raises. token, other: the first tokens of two texts, (batch, 1, d_in).
    """
    context_vecs = []
    try:
        for first in (token, other, token):
            with torch.random.fork_rng(devices=[]):
                torch.default_generator.manual_seed(0)  # dropout then drops the same places each time
                context_vecs.append(step(answer, heads, first, None)[0].detach().clone())
    except Exception:
        return False
    return not outcome.close(context_vecs[0], context_vecs[2])


def leaves_the_old_cache(exercise, answer):
    """Yield ("cache-in-place" or "cache-elsewhere", message) if two continuations of a text cannot share its cache.

    They cannot if a step changes the cache that it is given, or keeps the past elsewhere.
    """
    heads, inputs = exercise.case(0).args
    first, second, other, third = inputs.split(1, dim=1)[:4]
    _, beginning = step(answer, heads, first, None)
    before = list(_tensors(beginning))
    _, longer = step(answer, heads, second, beginning)
    step(answer, heads, other, beginning)
    after = list(_tensors(beginning))
    if len(after) != len(before) or not all(map(torch.equal, after, before)):
        yield finding(exercise, "cache-in-place")
        return
    context_vec, _ = step(answer, heads, third, longer)
    expected = token_by_token(exercise.solution, heads, torch.cat([first, second, third], dim=1))[:, -1:]
    if not outcome.close(context_vec.detach(), expected.detach()):
        yield finding(exercise, "cache-elsewhere")


def _tensors(cache):
    """Yield a copy of each tensor in a cache: a tensor, list, tuple, dict or object with attributes, nested too."""
    if torch.is_tensor(cache):
        yield cache.detach().clone()
    elif isinstance(cache, list | tuple):
        for part in cache:
            yield from _tensors(part)
    else:
        yield from _tensors(list((cache if isinstance(cache, dict) else getattr(cache, "__dict__", {})).values()))


def projects_each_token_once(exercise, answer):
    """Yield ("recomputed", hint) if an answer projects the past again at each step, which the prompt leaves free."""
    (heads, inputs), lengths = exercise.case(0).args, []
    for layer in (heads.W_key, heads.W_value):
        layer.register_forward_hook(lambda module, args, result: lengths.append(args[0].shape[-2]))
    token_by_token(answer, heads, inputs)
    if sum(lengths) > 2 * inputs.shape[1]:
        yield (
            "recomputed",
            "The numbers are right, but each step makes the keys and values of all the past again, which is what the "
            "cache should save. Keep keys and values in it, not inputs, and project the new token alone.",
        )
