"""Attention as the course derives it: one function or module for each step, tested against PyTorch's own attention.

Shapes are written as (batch, num_tokens, width). Scores and weights have shape (..., num_queries, num_keys), so that
each row belongs to one query. A mask has dtype bool, and True means "may attend".

The course's names: sizes are batch_size, num_tokens, num_heads and head_dim; widths are d_in and d_out, and d_out is
the total of all heads. attn_scores are before softmax, attn_weights after it; context_vecs are the outputs.
"""

from numbers import Integral, Real

import torch
import torch.nn.functional as F
from torch import nn


def softmax(scores, dim=-1):
    """Turn scores into weights that are never negative and sum to 1 along `dim`.

    scores: a floating-point tensor of any shape. The largest score along `dim` is subtracted first, so that no
    exponential overflows.
    Returns weights of the same shape; where every score along `dim` is -inf, the weights are 0. (torch.softmax gives
    nan there, and the same everywhere else. It is faster, so the functions below call that.)
    Errors: ValueError if the scores are not a floating-point tensor.
    """
    _check_tensors(scores=scores)
    if not scores.is_floating_point():
        raise ValueError(f"softmax needs floating-point scores, got {scores.dtype}: convert them with .float().")
    if scores.numel() == 0:  # amax raises an error for an empty row
        return scores.clone()
    highest = scores.detach().amax(dim=dim, keepdim=True)
    highest = highest.masked_fill(highest == -torch.inf, 0.0)  # -inf - (-inf) would be nan
    exps = torch.exp(scores - highest)
    totals = exps.sum(dim=dim, keepdim=True)
    return exps / totals.masked_fill(totals == 0, 1.0)


def scaled_dot_product_attention(queries, keys, values, mask=None, dropout=None, scale=None):
    """Mix the values with the attention weights of each query: softmax(scale * queries @ keys^T) @ values.

    queries: (..., num_queries, head_dim). keys: (..., num_keys, head_dim). values: (..., num_keys, value_dim).
    mask: bool, True = may attend; it must broadcast to (..., num_queries, num_keys) without adding axes to that shape.
    dropout: an nn.Dropout (or any callable) that is applied to the weights. scale: the factor on the scores, as in
    PyTorch; None means 1 over the square root of head_dim.
    Returns context_vecs (..., num_queries, value_dim) and attn_weights (..., num_queries, num_keys); the weights are
    those that multiplied the values, after mask and dropout.
    A query that may attend to nothing gets zero weights and a zero context vector.
    Errors: ValueError if shapes or dtypes do not fit together, for an invalid mask, and for a dropout that is not
    callable.
    """
    scores_shape = _check_qkv(queries, keys, values)
    if dropout is not None and not callable(dropout):
        raise ValueError(f"dropout must be an nn.Dropout, another callable or None, got {dropout!r}.")
    scale = queries.shape[-1] ** -0.5 if scale is None else scale
    # Scale the queries, not the scores: in float16, unscaled scores may overflow.
    attn_scores = (queries * scale) @ keys.transpose(-2, -1)  # (..., num_queries, num_keys)
    if mask is None:
        attn_weights = torch.softmax(attn_scores, dim=-1)
    else:
        _check_mask(mask, scores_shape)
        # torch.softmax makes nan of a row of -inf. So a query without a key keeps its scores, and its weights become 0.
        some_key = mask.any(dim=-1, keepdim=True)  # (..., num_queries, 1)
        attn_scores = torch.where(mask | ~some_key, attn_scores, -torch.inf)
        attn_weights = torch.where(some_key, torch.softmax(attn_scores, dim=-1), 0.0)
    if dropout is not None:
        attn_weights = dropout(attn_weights)
    return attn_weights @ values, attn_weights


def causal_mask(num_tokens, device=None):
    """Return the mask that lets each token attend to itself and to the tokens before it.

    The mask has shape (num_tokens, num_tokens) and dtype bool, and is True on and below the diagonal. It is created
    on `device` (default: PyTorch's default device).
    Errors: ValueError if num_tokens is not a whole number of at least 0.
    """
    _check_sizes(least=0, num_tokens=num_tokens)
    return torch.ones(num_tokens, num_tokens, dtype=torch.bool, device=device).tril()


def padding_mask(valid_lens, num_keys):
    """Return the mask that lets every query of sample i attend to the first valid_lens[i] keys, and not to padding.

    valid_lens: a tensor or list of shape (batch,), whole numbers from 0 to num_keys.
    Returns a bool mask (batch, 1, 1, num_keys), which broadcasts over heads and queries, on valid_lens' device.
    Errors: ValueError if the lengths are not whole numbers, are not one per sample, or are out of range, and for
    num_keys below 0.
    """
    _check_sizes(least=0, num_keys=num_keys)
    valid_lens = torch.as_tensor(valid_lens)
    if valid_lens.dim() != 1:
        raise ValueError(f"valid_lens needs shape (batch,), one length per sample, got {tuple(valid_lens.shape)}.")
    if valid_lens.is_floating_point() or valid_lens.dtype == torch.bool:
        raise ValueError(f"valid_lens must be whole numbers, got {valid_lens.dtype}.")
    if ((valid_lens < 0) | (valid_lens > num_keys)).any():
        raise ValueError(f"valid_lens must lie between 0 and num_keys = {num_keys}, got {valid_lens.tolist()}.")
    positions = torch.arange(num_keys, device=valid_lens.device)
    return (positions < valid_lens[:, None])[:, None, None, :]


def split_heads(x, num_heads):
    """Split the last axis into num_heads slices of equal width; head i gets slice i.

    x: (..., num_tokens, d_out). Returns (..., num_heads, num_tokens, head_dim), where head_dim = d_out // num_heads.
    Errors: ValueError if d_out is not divisible by num_heads, num_heads is below 1, or x has fewer than two axes.
    """
    _check_tensors(x=x)
    if x.dim() < 2:
        raise ValueError(f"split_heads needs (..., num_tokens, d_out), got shape {tuple(x.shape)}.")
    head_dim = _head_dim(x.shape[-1], num_heads)
    return x.unflatten(-1, (num_heads, head_dim)).transpose(-3, -2)


def merge_heads(x):
    """Concatenate the features of the heads: the inverse of split_heads.

    x: (..., num_heads, num_tokens, head_dim). Returns (..., num_tokens, num_heads * head_dim).
    Errors: ValueError if x has fewer than three axes.
    """
    _check_tensors(x=x)
    if x.dim() < 3:
        raise ValueError(f"merge_heads needs (..., num_heads, num_tokens, head_dim), got shape {tuple(x.shape)}.")
    return x.transpose(-3, -2).flatten(-2)


class SelfAttention(nn.Module):
    """A single attention head with trainable projections to queries, keys and values.

    d_in, d_out: the widths of inputs and outputs. qkv_bias: whether the three projections add a bias.
    Errors: ValueError for a width that is not a whole number of at least 1.
    """

    def __init__(self, d_in, d_out, qkv_bias=False):
        super().__init__()
        _check_sizes(d_in=d_in, d_out=d_out)
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_value = nn.Linear(d_in, d_out, bias=qkv_bias)

    def forward(self, x):
        """Let every token of x attend to all tokens of x.

        x: (..., num_tokens, d_in).
        Returns context_vecs (..., num_tokens, d_out) and attn_weights (..., num_tokens, num_tokens).
        Errors: ValueError if the last axis of x is not d_in, or if the dtype of x is not that of the module's weights.
        """
        return self._attend(x)

    def _attend(self, x, mask=None, dropout=None):
        """Let the tokens of x attend to one another; return (context_vecs, attn_weights) as forward does.

        x: (..., num_tokens, d_in). mask, dropout: as in scaled_dot_product_attention. Errors: those of forward.
        """
        _check_inputs("inputs", x, self.W_query)
        return scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x), mask, dropout)


class CausalAttention(SelfAttention):
    """A single attention head with a causal mask (no token attends to a later one) and dropout on the weights.

    d_in, d_out, qkv_bias: as in SelfAttention. context_length: the largest number of tokens in an input.
    dropout: the probability that a weight is dropped in training, in [0, 1).
    Errors: ValueError for sizes below 1 or dropout out of range.
    """

    def __init__(self, d_in, d_out, context_length, dropout=0.0, qkv_bias=False):
        super().__init__(d_in, d_out, qkv_bias)
        _check_sizes(context_length=context_length)
        self.dropout = _dropout_layer(dropout)
        # The mask follows from context_length, so it is left out of the state_dict, which then fits any context_length.
        self.register_buffer("causal_mask", causal_mask(context_length), persistent=False)

    def forward(self, x):
        """Let every token of x attend to itself and to the tokens before it.

        x: (..., num_tokens, d_in).
        Returns context_vecs (..., num_tokens, d_out) and attn_weights (..., num_tokens, num_tokens) after dropout.
        Errors: those of SelfAttention, and ValueError if there are more tokens than context_length.
        """
        _check_inputs("inputs", x, self.W_query)
        num_tokens, context_length = x.shape[-2], len(self.causal_mask)
        if num_tokens > context_length:
            raise ValueError(f"got {num_tokens} tokens, but context_length is {context_length}: shorten the input.")
        return self._attend(x, self.causal_mask[:num_tokens, :num_tokens], self.dropout)


class StackedHeads(nn.Module):
    """Several CausalAttention heads that run one after the other; their outputs are concatenated, without an out_proj.

    head_dim: the width of each head's output. num_heads: the number of heads.
    d_in, context_length, dropout, qkv_bias: as in CausalAttention.
    Errors: ValueError for sizes below 1 or dropout out of range.
    """

    def __init__(self, d_in, head_dim, context_length, num_heads, dropout=0.0, qkv_bias=False):
        super().__init__()
        _check_sizes(head_dim=head_dim, num_heads=num_heads)
        self.heads = nn.ModuleList(
            CausalAttention(d_in, head_dim, context_length, dropout, qkv_bias) for _ in range(num_heads)
        )

    def forward(self, x):
        """Run all heads on x, and concatenate their outputs.

        x: (..., num_tokens, d_in).
        Returns context_vecs (..., num_tokens, num_heads * head_dim) and attn_weights (..., num_heads, num_tokens,
        num_tokens).
        Errors: those of CausalAttention.
        """
        context_vecs, attn_weights = zip(*(head(x) for head in self.heads), strict=True)
        return torch.cat(context_vecs, dim=-1), torch.stack(attn_weights, dim=-3)


class KeyValueCache:
    """A cache of the keys and values of all tokens so far, for a layer that generates text token by token.

    most_tokens: the capacity, in tokens; the buffers are allocated once, at the first call of `add`. num_tokens: how
    many tokens are stored. A cache belongs to one layer and one batch.
    The stored tensors have no gradient: a cache is for generating, not for training.
    Errors: ValueError if most_tokens is not a whole number of at least 1.
    """

    def __init__(self, most_tokens):
        _check_sizes(most_tokens=most_tokens)
        self.most_tokens, self.num_tokens = most_tokens, 0
        self._keys = self._values = None

    def add(self, keys, values):
        """Append the keys and values of the next tokens to the cache, in place.

        keys: (..., num_new, head_dim). values: (..., num_new, value_dim).
        Returns the keys (..., num_tokens, head_dim) and the values (..., num_tokens, value_dim) of all tokens so far,
        the new ones last. Both are views of the buffers, not copies.
        Errors: ValueError if the cache has no room for the new tokens, or if their other axes differ from those of the
        stored tokens.
        """
        past, now = self.num_tokens, self.num_tokens + keys.shape[-2]
        if now > self.most_tokens:
            room = f"the cache has room for {self.most_tokens} tokens and holds {past}"
            raise ValueError(f"{room}, so {keys.shape[-2]} more do not fit: make room for more, or begin a new one.")
        if self._keys is None:
            self._keys, self._values = (
                part.new_zeros(*part.shape[:-2], self.most_tokens, part.shape[-1]) for part in (keys, values)
            )
        for kept, part in ((self._keys, keys), (self._values, values)):
            if kept[..., :0, :].shape != part[..., :0, :].shape:
                shapes = f"{tuple(kept[..., :past, :].shape)} before, and {tuple(part.shape)} now"
                raise ValueError(f"a cache is for one layer and one batch, but its tokens had shape {shapes}.")
            kept[..., past:now, :] = part.detach()
        self.num_tokens = now
        return self._keys[..., :now, :], self._values[..., :now, :]


class MultiHeadAttention(nn.Module):
    """A multi-head attention layer with one set of projections for all heads: project, split, attend, merge, project.

    d_in: the width of the query inputs. d_out: the total width of all heads. kdim, vdim: the widths of the key and
    value inputs (default d_in). dropout: the probability that a weight is dropped in training, in [0, 1).
    causal: whether later tokens are hidden. qkv_bias, out_bias: whether the three input projections, and the output
    projection, add a bias.
    key_heads: the number of key and value heads, which the num_heads query heads share: neighbouring query heads use
    the same one (default num_heads: each query head has its own; 1: multi-query attention).
    rotate: a function (x, places) -> x for rotary positions, or None. It turns the queries, and then the keys, after
    they are split: x is (..., num_heads, num_tokens, head_dim) or (..., key_heads, num_tokens, head_dim), and places
    (num_tokens,) holds the places of these tokens, whole numbers from 0 (with a cache: from its num_tokens). It returns
    a tensor of the shape and dtype of x. Both customs of pairs can be written so: positions derives them.
    Errors: ValueError for sizes below 1, d_out not divisible by num_heads, num_heads not divisible by key_heads,
    dropout out of range, or a rotate that is not callable.
    """

    def __init__(
        self, d_in, d_out, num_heads, *, kdim=None, vdim=None, dropout=0.0, causal=False, qkv_bias=False, out_bias=True,
        key_heads=None, rotate=None,
    ):  # fmt: skip
        super().__init__()
        kdim = d_in if kdim is None else kdim
        vdim = d_in if vdim is None else vdim
        key_heads = num_heads if key_heads is None else key_heads
        _check_sizes(d_in=d_in, kdim=kdim, vdim=vdim)
        head_dim = _head_dim(d_out, num_heads)
        _check_sizes(key_heads=key_heads)
        if num_heads % key_heads:
            raise ValueError(
                f"num_heads must be divisible by key_heads, got num_heads = {num_heads} and key_heads = {key_heads}: "
                "every head of keys and values serves an equal share of the heads."
            )
        if rotate is not None and not callable(rotate):
            raise ValueError(f"rotate must be a function (x, places) -> x, or None, got {rotate!r}.")
        self.num_heads, self.key_heads, self.causal, self.rotate = num_heads, key_heads, causal, rotate
        self.W_query = nn.Linear(d_in, d_out, bias=qkv_bias)
        self.W_key = nn.Linear(kdim, head_dim * key_heads, bias=qkv_bias)
        self.W_value = nn.Linear(vdim, head_dim * key_heads, bias=qkv_bias)
        self.out_proj = nn.Linear(d_out, d_out, bias=out_bias)
        self.dropout = _dropout_layer(dropout)

    def forward(self, queries, keys=None, values=None, *, mask=None, need_weights=True, cache=None):
        """Let every query attend to the keys, and mix the values.

        queries: (..., num_queries, d_in). keys: (..., num_keys, kdim), default queries.
        values: (..., num_keys, vdim), default keys.
        mask: bool, True = may attend, of shape (num_queries, num_keys) or (batch, num_heads, num_queries, num_keys);
        each axis may be 1. need_weights: False uses PyTorch's fused kernel, which is faster and gives no weights.
        cache: a KeyValueCache, for a causal module only. The given tokens come after those in the cache, and are added
        to it; num_keys in the mask and in the weights then counts all tokens of the cache.
        Returns context_vecs (..., num_queries, d_out) and attn_weights (..., num_heads, num_queries, num_keys)
        after dropout, or None in place of the weights if need_weights is False.
        Errors: ValueError if widths, lengths, mask or cache do not fit, or if rotate returns anything but a tensor of
        the shape and dtype that it was given.
        """
        keys = queries if keys is None else keys
        values = keys if values is None else values
        _check_inputs("queries", queries, self.W_query)
        _check_inputs("keys", keys, self.W_key)
        _check_inputs("values", values, self.W_value)
        if self.causal and queries.shape[-2] != keys.shape[-2]:
            lengths = f"{keys.shape[-2]} keys and {queries.shape[-2]} queries"
            raise ValueError(f"causal=True needs as many keys as queries, got {lengths}.")
        if cache is not None:
            _check_cache(cache, self.causal)
        queries = split_heads(self.W_query(queries), self.num_heads)  # (..., num_heads, num_queries, head_dim)
        keys = split_heads(self.W_key(keys), self.key_heads)  # (..., key_heads, num_keys, head_dim)
        values = split_heads(self.W_value(values), self.key_heads)  # (..., key_heads, num_keys, head_dim)
        *leading, _, num_queries, num_new = _check_qkv(queries[..., : self.key_heads, :, :], keys, values)
        if mask is not None:
            num_keys = num_new if cache is None else cache.num_tokens + num_new
            _check_heads_mask(mask, torch.Size((*leading, self.num_heads, num_queries, num_keys)))
        if self.rotate is not None:
            first_place = 0 if cache is None else cache.num_tokens
            queries, keys = self._rotated(queries, first_place), self._rotated(keys, first_place)
        if cache is not None:
            keys, values = cache.add(keys, values)
        attend = self._attend_explicit if need_weights else self._attend_fused
        context_vecs, attn_weights = attend(queries, keys, values, mask)
        return self.out_proj(merge_heads(context_vecs)), attn_weights  # (..., num_queries, d_out)

    def _rotated(self, x, first_place):
        """Return rotate(x, positions) for x, the queries or keys (..., heads, num_tokens, head_dim) of some heads.

        first_place: the first token's position; the others follow it. Errors: ValueError if the result is not like x.
        """
        places = torch.arange(first_place, first_place + x.shape[-2], device=x.device)
        turned = self.rotate(x, places)
        if not torch.is_tensor(turned) or turned.shape != x.shape or turned.dtype != x.dtype:
            received = f"{tuple(turned.shape)}, {turned.dtype}" if torch.is_tensor(turned) else type(turned).__name__
            raise ValueError(
                f"rotate must return a tensor like the one it is given, {tuple(x.shape)}, {x.dtype}, got {received}."
            )
        return turned

    def _attend_explicit(self, queries, keys, values, mask):
        """Compute attention step by step; return (context_vecs, attn_weights), as scaled_dot_product_attention does.

        queries: (..., num_heads, num_queries, head_dim). keys, values: (..., key_heads, num_keys, head_dim), each
        key head for an equal group of queries' heads. mask: bool, True = may attend, or None; a causal module combines
        it here with the causal mask.
        """
        group = self.num_heads // self.key_heads  # the number of query heads that share one key head
        if group > 1:
            keys, values = (part.repeat_interleave(group, dim=-3) for part in (keys, values))
        open_keys = self._with_causal(mask, queries, keys)
        if mask is not None or open_keys is None:
            return scaled_dot_product_attention(queries, keys, values, open_keys, self.dropout)
        # The same formula with the causal mask alone, which leaves every query a key. Added in place, as 0 and -inf, it
        # saves two passes over all scores, and the memory for their results.
        attn_scores = (queries * queries.shape[-1] ** -0.5) @ keys.transpose(-2, -1)
        attn_scores += torch.where(open_keys, 0.0, -torch.inf)
        attn_weights = self.dropout(torch.softmax(attn_scores, dim=-1))
        return attn_weights @ values, attn_weights

    def _attend_fused(self, queries, keys, values, mask):
        """Compute attention with PyTorch's fused kernel; return (context_vecs, None).

        queries, keys, values, mask: as in _attend_explicit.
        """
        # The kernel's own causal mask is faster, but it allows no other mask, and it takes query 0 and key 0 for the
        # same token, which is wrong once a cache holds earlier keys.
        is_causal = self.causal and mask is None and queries.shape[-2] == keys.shape[-2]
        if not is_causal:
            mask = self._with_causal(mask, queries, keys)
        dropout_p = self.dropout.p if self.dropout.training else 0.0
        options = {"is_causal": is_causal, "enable_gqa": self.key_heads < self.num_heads}
        return F.scaled_dot_product_attention(queries, keys, values, mask, dropout_p, **options), None

    def _with_causal(self, mask, queries, keys):
        """Return the mask, combined with the causal mask (num_queries, num_keys) if the module is causal.

        mask: bool, True = may attend, or None for all open. It is returned unchanged, None or not, for a single
        query, and if the module is not causal. queries, keys: (..., num_queries or num_keys, head_dim), of which only
        the lengths are used; the queries are the last tokens.
        """
        num_queries, num_keys = queries.shape[-2], keys.shape[-2]
        if not self.causal or num_queries == 1:  # a single query is the last token, which may attend to all
            return mask
        causal = torch.ones(num_queries, num_keys, dtype=torch.bool, device=queries.device)
        causal = causal.tril(num_keys - num_queries)  # aligned at the end: the last query may attend to the last key
        return causal if mask is None else mask & causal


def _check_sizes(least=1, **sizes):
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, Integral) or size < least:
            raise ValueError(f"{name} must be a whole number of at least {least}, got {size!r}.")


def _check_tensors(**tensors):
    for name, tensor in tensors.items():
        if not torch.is_tensor(tensor):
            raise ValueError(f"{name} must be a tensor, got {type(tensor).__name__}: try torch.as_tensor({name}).")


def _head_dim(d_out, num_heads):
    """Return d_out // num_heads. Errors: ValueError for sizes below 1, or if a remainder is left."""
    _check_sizes(d_out=d_out, num_heads=num_heads)
    if d_out % num_heads:
        sizes = f"d_out = {d_out} and num_heads = {num_heads}: every head takes an equal share of the features"
        raise ValueError(f"d_out must be divisible by num_heads, got {sizes}.")
    return d_out // num_heads


def _dropout_layer(dropout):
    """Return an nn.Dropout with this probability. Errors: ValueError if it does not lie in [0, 1)."""
    if not isinstance(dropout, Real) or not 0 <= dropout < 1:
        raise ValueError(f"dropout must be a number in [0, 1), the chance of a weight to be dropped, got {dropout!r}.")
    return nn.Dropout(dropout)


def _check_inputs(name, x, layer):
    """Check that x is a tensor (..., num_tokens, in_features) that fits an nn.Linear, `layer`, in width and dtype.

    Under autocast the dtype may differ. Errors: ValueError with `name`, that of x, if it does not fit.
    """
    _check_tensors(**{name: x})
    if x.dim() < 2 or x.shape[-1] != layer.in_features:
        raise ValueError(f"{name} need shape (..., num_tokens, {layer.in_features}), got {tuple(x.shape)}.")
    may_cast = x.is_floating_point() and torch.is_autocast_enabled(x.device.type)
    if x.dtype != layer.weight.dtype and not may_cast:
        raise ValueError(f"{name} are {x.dtype}, the module's weights {layer.weight.dtype}: convert one to the other.")


def _check_qkv(queries, keys, values):
    """Return the shape of the scores, torch.Size (..., num_queries, num_keys), after a check of the three tensors.

    Errors: ValueError if they are not tensors of shapes and of one floating-point dtype that fit together.
    """
    _check_tensors(queries=queries, keys=keys, values=values)
    shapes = f"queries {tuple(queries.shape)}, keys {tuple(keys.shape)}, values {tuple(values.shape)}"
    if min(queries.dim(), keys.dim(), values.dim()) < 2:
        raise ValueError(f"queries, keys and values need at least two axes (..., num_tokens, width), got {shapes}.")
    if queries.shape[-1] != keys.shape[-1]:
        raise ValueError(f"queries and keys need the same width for a dot product, got {shapes}.")
    if keys.shape[-2] != values.shape[-2]:
        raise ValueError(f"every key needs one value, got {shapes}.")
    if not (queries.dtype == keys.dtype == values.dtype and queries.is_floating_point()):
        dtypes = f"{queries.dtype}, {keys.dtype} and {values.dtype}"
        raise ValueError(f"queries, keys and values need one floating-point dtype, got {dtypes}.")
    empty = [part[..., :0, :0] for part in (queries, keys, values)]  # torch.broadcast_shapes would import sympy
    try:
        torch.broadcast_tensors(*empty)
        leading = torch.broadcast_tensors(*empty[:2])[0].shape[:-2]
    except RuntimeError:
        raise ValueError(f"the leading axes of queries, keys and values do not fit together, got {shapes}.") from None
    return torch.Size((*leading, queries.shape[-2], keys.shape[-2]))


def _check_mask(mask, scores_shape):
    """Check that a mask is a bool tensor that broadcasts to scores_shape without adding axes. Errors: ValueError."""
    _check_tensors(mask=mask)
    if mask.dtype != torch.bool:
        added = mask.is_floating_point() and bool((mask < 0).any())  # an additive mask: 0 is open, -inf is closed
        remedy = f"try mask == {0 if added else 1}"
        raise ValueError(f"mask must be bool with True = may attend, got {mask.dtype}: {remedy}.")
    pairs = zip(reversed(mask.shape), reversed(scores_shape), strict=False)
    if mask.dim() > len(scores_shape) or any(size not in (1, needed) for size, needed in pairs):
        raise ValueError(f"mask of shape {tuple(mask.shape)} does not broadcast to the scores' {tuple(scores_shape)}.")


def _check_cache(cache, causal):
    if not isinstance(cache, KeyValueCache):
        raise ValueError(f"cache must be a KeyValueCache, got {type(cache).__name__}: try KeyValueCache(most_tokens).")
    if not causal:
        raise ValueError("a cache needs causal=True: else each new token would change the outputs of those before it.")


def _check_heads_mask(mask, scores_shape):
    """Check that a bool mask for several heads has two or four axes, and broadcasts to scores_shape.

    scores_shape: (..., num_heads, num_queries, num_keys), a torch.Size. Errors: ValueError if it does not fit.
    """
    _check_tensors(mask=mask)
    if mask.dim() not in (2, 4):
        raise ValueError(
            "a mask for many heads has two axes (num_queries, num_keys) or four (batch, num_heads, num_queries, "
            f"num_keys), any of them 1 to broadcast; else the heads' axis is ambiguous. Got {tuple(mask.shape)}."
        )
    _check_mask(mask, scores_shape)
