"""An exercise whose answer is a module that reads a text in parts, with a cache of keys and values."""

import torch
import torch.nn.functional as F

from course_utils import attention
from course_utils.checks import outcome
from course_utils.checks.modules import ModuleExercise
from course_utils.lessons.arguments import CONTEXT_AND_WEIGHTS

NOT_ADDED = (
    "The cache should now hold {now} tokens, and holds {holds}. If there is a cache, call "
    "`keys, values = cache.add(keys, values)`, once."
)
NOT_ALL_KEYS = (
    "With a cache the weights need the shape `(batch, num_heads, num_tokens, num_keys) = {needed}`, and have "
    "`{yours}`: the new queries meet the keys of all tokens, which `cache.add` gives back."
)
STORED_PLAIN = (
    "The cache is given keys that are not rotated by their positions. It stores the new keys “already rotated”: first "
    "`keys = self.rotate(keys, places)`, then `cache.add`."
)


class RecordingCache(attention.KeyValueCache):
    """A KeyValueCache that keeps in `added` the keys of each call of `add`, as they came."""

    def __init__(self, most_tokens):
        super().__init__(most_tokens)
        self.added = []

    def add(self, keys, values):
        self.added.append(keys.detach().clone())
        return super().add(keys, values)


class WithACache(ModuleExercise):
    """An exercise on a module that takes a cache. cases: yields (label, sizes, x), and perhaps the lengths of parts."""

    def _call(self, answer, sizes, x, lengths=None):
        """Return what an instance of the class `answer` returns for x (batch, num_tokens, d_in).

        sizes: a tuple, the arguments of the class. lengths: None to read x at once, without a cache; or the numbers of
        tokens of the parts in which `in_parts` reads x, after another text with a cache of its own.
        """
        module = self.instance(answer, sizes, x.dtype)
        if lengths is None:
            return module(x)
        in_parts(module, x.flip(1)[:, :2], (2,), *sizes[2:4])
        return in_parts(module, x, lengths, *sizes[2:4])


def in_parts(module, x, lengths, num_heads, key_heads):
    """Read x (batch, num_tokens, d_in) in parts, with a new cache; return (context_vecs, attn_weights) of the whole.

    attn_weights, of all parts, is (batch, num_heads, num_tokens, num_tokens), with 0 for keys that had not come yet.
    module: the attention, with num_heads heads of queries and key_heads of keys. lengths: the parts' numbers of tokens,
    a tuple. Errors: Refused if the cache is not filled, or with keys that are not rotated by their places, or if the
    weights lack the past.
    """
    cache, parts = RecordingCache(x.shape[1]), []
    for number, part in enumerate(x.split(lengths, dim=1)):
        parts.append(outcome.as_tensors(module(part, cache=cache), CONTEXT_AND_WEIGHTS["outputs"]))
        now = sum(lengths[: number + 1])
        if cache.num_tokens != now:
            raise outcome.Refused(NOT_ADDED, now=now, holds=cache.num_tokens)
        if plain_keys(module, part, cache, key_heads):
            raise outcome.Refused(STORED_PLAIN)
        shape = (len(x), num_heads, part.shape[1], now)
        if parts[-1][1].shape != shape:
            raise outcome.Refused(NOT_ALL_KEYS, needed=shape, yours=tuple(parts[-1][1].shape))
    context_vecs, tables = zip(*parts, strict=True)
    tables = [F.pad(table, (0, x.shape[1] - table.shape[-1])) for table in tables]
    return torch.cat(context_vecs, dim=1), torch.cat(tables, dim=-2)


def plain_keys(module, part, cache, key_heads):
    """Return whether the module added keys to the cache without turning them by their places; False for the first part.

    part: the inputs that were read last. cache: the RecordingCache. key_heads: the number of heads of the keys.
    """
    keys = attention.split_heads(module.W_key(part), key_heads).detach()[:, 0]  # head 0 is the same if they are spread
    return len(cache.added) > 1 and cache.added[-1].dim() == 4 and outcome.close(cache.added[-1][:, 0], keys)
