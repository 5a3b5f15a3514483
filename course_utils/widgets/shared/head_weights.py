"""Attention weights as views take them: checked, packed for the browser, and summed up by their entropy."""

import numpy as np

from course_utils import inputs

ONE_MEGABYTE = 1_000_000


@np.errstate(invalid="ignore")
def entropies(weights):
    """Return the mean entropy of the rows of each matrix of weights, in nats, as an array (...).

    weights: an array (..., rows, columns). Rows with nan are left out; a matrix in which every row has nan gives nan.
    """
    weights = np.asarray(weights, dtype="f8")
    rows = np.where(weights > 0, -weights * np.log(np.where(weights > 0, weights, 1)), weights * 0).sum(-1)
    counted = (~np.isnan(rows)).sum(-1)
    return np.where(counted > 0, np.nansum(rows, -1) / np.maximum(counted, 1), np.nan)


def pack(weights, high, limit=ONE_MEGABYTE):
    """Return an array of weights, of any shape, as bytes, one weight after the other, as numbers.js decodes them.

    Each weight is a little-endian float32 if all together take at most `limit` bytes. Otherwise each takes one byte:
    0 to 254 for weights from 0 to `high`, the largest finite weight (a larger one counts as high), and 255 for nan; a
    weight is then less than high / 254 off, and so is the sum of a row.
    """
    if weights.size * 4 <= limit:
        return weights.astype("<f4").tobytes()
    steps = np.clip(weights * (254 / (high or 1)), 0, 254)  # nan stays nan
    # Round the running sums: if each of 500 small weights were rounded down, a row would lose a third of its sum.
    ends = np.rint(np.cumsum(np.nan_to_num(steps), axis=-1))
    whole = np.diff(ends, axis=-1, prepend=0).clip(0, 254)
    return np.where(np.isnan(steps), 255, whole).astype("u1").tobytes()


def check_weights(weights, tokens, key_tokens, name="attn_weights"):
    """Check weights against their labels; return the array with four axes, (layers, num_heads, num_queries, num_keys).

    weights: an array with these four axes, or without the first. tokens, key_tokens: one label per query, and per key.
    name: how an error message about negative weights calls them.
    Errors: ValueError if the shape does not fit the labels, if there is nothing to show, and for weights below 0.
    """
    if weights.ndim not in (3, 4):
        raise ValueError(
            "attn_weights need three axes (num_heads, num_queries, num_keys), or four with layers or samples in front, "
            f"got shape {weights.shape}."
        )
    if 0 in weights.shape:
        raise ValueError(f"attn_weights are empty, shape {weights.shape}: there is no head, query or key to show.")
    if weights.shape[-2:] != (len(tokens), len(key_tokens)):
        raise ValueError(
            f"attn_weights of shape {weights.shape} have {weights.shape[-2]} queries and {weights.shape[-1]} keys, "
            f"but there are {len(tokens)} tokens and {len(key_tokens)} key_tokens: give one label for each."
        )
    inputs.check_shares(weights, name, rows=tokens)
    return weights.reshape(-1, *weights.shape[-3:])
