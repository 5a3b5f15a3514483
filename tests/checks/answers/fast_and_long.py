"""Right answers to the exercises of *Fast and long*, and wrong ones with the words they hear."""

import math

import torch
import torch.nn.functional as F

from course_utils import attention


def split_one(x, num_heads):
    return x.view(x.shape[0], x.shape[1], num_heads, -1).transpose(1, 2)


def step_by_dict(heads, token, cache):
    new = {name: split_one(heads.get_submodule(f"W_{name}")(token), heads.num_heads) for name in ("key", "value")}
    if cache:
        new = {name: torch.cat((cache[name], part), 2) for name, part in new.items()}
    query = split_one(heads.W_query(token), heads.num_heads)
    weights = (query @ new["key"].mT / math.sqrt(query.size(-1))).softmax(-1)
    out = (weights @ new["value"]).transpose(1, 2).reshape(token.shape[0], 1, -1)
    return heads.out_proj(out), new


def step_before_the_split(heads, token, cache):
    """The cache holds keys and values with all heads side by side."""
    keys, values = heads.W_key(token), heads.W_value(token)
    if cache is not None:
        keys, values = torch.cat([cache[0], keys], dim=1), torch.cat([cache[1], values], dim=1)
    parts = (attention.split_heads(part, heads.num_heads) for part in (heads.W_query(token), keys, values))
    return heads.out_proj(attention.merge_heads(attention.scaled_dot_product_attention(*parts)[0])), [keys, values]


def step_newest_first(heads, token, cache):
    """Attention does not mind the order of its keys, as long as the values stand in the same."""
    query, key, value = (
        split_one(layer(token), heads.num_heads) for layer in (heads.W_query, heads.W_key, heads.W_value)
    )
    past = cache if cache is not None else (key[:, :, :0], value[:, :, :0])
    keys, values = torch.cat([key, past[0]], dim=-2), torch.cat([value, past[1]], dim=-2)
    return heads.out_proj(attention.merge_heads(F.scaled_dot_product_attention(query, keys, values))), (keys, values)


@torch.no_grad()
def step_without_gradients(heads, token, cache):
    return step_before_the_split(heads, token, cache)


def row_by_split(query, keys, values, block_size):
    highest, total, mixed = -math.inf, 0.0, 0.0
    for block, block_values in zip(keys.split(block_size), values.split(block_size), strict=True):
        scores = block @ query / math.sqrt(query.numel())
        before, highest = highest, max(highest, scores.max().item())
        shrink, exps = math.exp(before - highest), (scores - highest).exp()
        total, mixed = total * shrink + exps.sum(), mixed * shrink + (exps[:, None] * block_values).sum(0)
    return mixed / total


def row_that_stays_divided(query, keys, values, block_size):
    """The logarithm of the sum is kept, and the mix is divided by the sum all the time."""
    log_total, context_vec, start = torch.tensor(-torch.inf), torch.zeros(values.size(1)), 0
    while start < keys.size(0):
        scores = keys[start : start + block_size].mv(query) * query.size(0) ** -0.5
        new = torch.logaddexp(log_total, torch.logsumexp(scores, 0))
        context_vec = context_vec * torch.exp(log_total - new)
        context_vec = context_vec + torch.exp(scores - new) @ values[start : start + block_size]
        log_total, start = new, start + block_size
    return context_vec


def row_of_blocks(query, keys, values, block_size):
    """Each block gives three numbers of its own, and these are joined at the end, as where blocks run side by side."""
    parts = []
    for start in range(0, len(keys), block_size):
        scores = torch.einsum("d,kd->k", query, keys[start : start + block_size]) / len(query) ** 0.5
        exps = torch.exp(scores - scores.max())
        parts.append((scores.max(), exps.sum(), exps @ values[start : start + block_size]))
    highest, totals, mixes = map(torch.stack, zip(*parts, strict=True))
    shares = torch.exp(highest - highest.max())
    return (shares @ mixes) / (shares @ totals)


def row_in_two_rounds(query, keys, values, block_size):
    blocks = [slice(start, start + block_size) for start in range(0, len(keys), block_size)]
    highest = max((keys[block] @ query).max() for block in blocks)
    total, mixed = 0, torch.zeros(values.shape[1])
    for block in blocks:
        exps = torch.exp((keys[block] @ query - highest) / query.shape[0] ** 0.5)
        total, mixed = total + exps.sum(), mixed + exps @ values[block]
    return mixed / total


def row_key_by_key(query, keys, values, block_size):
    highest, total, mixed = torch.tensor(-torch.inf), torch.tensor(0.0), torch.zeros(values.shape[1])
    for key, value in zip(keys, values, strict=True):
        score = torch.dot(query, key) / len(query) ** 0.5
        if score > highest:
            shrink, highest = torch.exp(highest - score), score
            total, mixed = total * shrink, mixed * shrink
        weight = torch.exp(score - highest)
        total, mixed = total + weight, mixed + weight * value
    return mixed / total


def bytes_by_counting(layers, key_heads, head_dim, num_tokens, bytes_each):
    total = 0
    for _ in range(layers):
        total += sum(num_tokens * key_heads * head_dim for _ in ("keys", "values"))
    return total * bytes_each


def bytes_of_a_tensor(layers, key_heads, head_dim, num_tokens, bytes_each):
    """On the device `meta`, a tensor has a shape and no numbers."""
    cache = torch.empty(2, layers, key_heads, num_tokens, head_dim, dtype=torch.int8, device="meta")
    return cache.nbytes * bytes_each


def bytes_by_product(*sizes):
    return torch.tensor([2, *sizes]).prod()


def gqa_by_groups(queries, keys, values):
    batch_size, num_heads, num_tokens, head_dim = queries.shape
    groups = queries.reshape(batch_size, keys.shape[1], -1, num_tokens, head_dim)
    scores = torch.einsum("bgrqd,bgkd->bgrqk", groups, keys) / math.sqrt(head_dim)
    scores = scores.masked_fill(torch.ones(num_tokens, num_tokens, dtype=torch.bool).triu(1), -math.inf)
    weights = scores.softmax(-1)
    mixed = torch.einsum("bgrqk,bgkd->bgrqd", weights, values)
    return mixed.flatten(1, 2), weights.flatten(1, 2)


def gqa_by_heads(queries, keys, values):
    group = queries.size(1) // keys.size(1)
    pairs = [
        attention.scaled_dot_product_attention(
            queries[:, head], keys[:, head // group], values[:, head // group], attention.causal_mask(queries.size(2))
        )
        for head in range(queries.size(1))
    ]
    return [torch.stack(parts, dim=1) for parts in zip(*pairs, strict=True)]


def gqa_by_expand(queries, keys, values):
    def spread(x):
        batch_size, key_heads, num_tokens, width = x.shape
        x = x[:, :, None].expand(batch_size, key_heads, queries.shape[1] // key_heads, num_tokens, width)
        return x.reshape(batch_size, -1, num_tokens, width)

    scores = queries @ spread(keys).mT * queries.shape[-1] ** -0.5
    scores = scores + torch.full(scores.shape[-2:], -torch.inf, dtype=scores.dtype).triu(1)
    weights = torch.softmax(scores, dim=-1)
    return weights @ spread(values), weights


def gqa_of_one_hot_values(queries, keys, values):
    """PyTorch's function mixes the values 1, 0, 0 …; 0, 1, 0 … to the weights."""
    one_hot = torch.eye(keys.shape[2], dtype=keys.dtype).expand(*keys.shape[:2], -1, -1)
    mixes = (
        F.scaled_dot_product_attention(queries, keys, what, is_causal=True, enable_gqa=True)
        for what in (values, one_hot)
    )
    return tuple(mixes)


def gqa_by_index(queries, keys, values):
    which = torch.arange(queries.shape[1]) * keys.shape[1] // queries.shape[1]
    return attention.scaled_dot_product_attention(
        queries, keys[:, which], values[:, which], attention.causal_mask(keys.shape[2])
    )


def room_by_slices(heads, token, cache):
    query, key, value = (
        split_one(layer(token), heads.num_heads) for layer in (heads.W_query, heads.W_key, heads.W_value)
    )
    keys, values, past = cache
    keys[:, :, past : past + 1], values[:, :, past : past + 1] = key, value
    so_far = slice(past + 1)
    out, _ = attention.scaled_dot_product_attention(query, keys[:, :, so_far], values[:, :, so_far])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past + 1)


def room_under_a_mask(heads, token, cache):
    """The whole room is attended, and what has not come is closed."""
    keys, values, past = cache
    for room, layer in ((keys, heads.W_key), (values, heads.W_value)):
        room.index_copy_(2, torch.tensor([past]), split_one(layer(token), heads.num_heads))
    mask = torch.arange(keys.shape[2]) <= past
    query = split_one(heads.W_query(token), heads.num_heads)
    out = F.scaled_dot_product_attention(query, keys, values, attn_mask=mask[None, None, None])
    return heads.out_proj(out.transpose(1, 2).flatten(2)), [keys, values, past + 1]


@torch.no_grad()
def room_by_copy(heads, token, cache):
    *rooms, past = cache
    for room, layer in zip(rooms, (heads.W_key, heads.W_value), strict=True):
        room.select(2, past).copy_(layer(token).view(len(token), heads.num_heads, -1))
    keys, values = (room.narrow(2, 0, past + 1) for room in rooms)
    query = attention.split_heads(heads.W_query(token), heads.num_heads)
    weights = torch.softmax(query @ keys.mT / keys.shape[-1] ** 0.5, dim=-1)
    return heads.out_proj(attention.merge_heads(weights @ values)), (*rooms, past + 1)


def room_filled_to_its_end(heads, token, cache):
    keys, values, past = cache
    keys[:, :, past:] = split_one(heads.W_key(token), heads.num_heads)
    values[:, :, past:] = split_one(heads.W_value(token), heads.num_heads)
    past += 1
    query = split_one(heads.W_query(token), heads.num_heads)
    out = F.scaled_dot_product_attention(query, keys[:, :, :past], values[:, :, :past])
    return heads.out_proj(attention.merge_heads(out)), (keys, values, past)


RIGHT = {
    "blockwise_row": [
        row_by_split,
        row_that_stays_divided,
        row_of_blocks,
        row_in_two_rounds,
        row_key_by_key,
    ],
    "cached_step": [step_by_dict, step_before_the_split, step_newest_first, step_without_gradients],
    "preallocated_step": [room_by_slices, room_under_a_mask, room_by_copy, room_filled_to_its_end],
    "cache_bytes": [bytes_by_counting, bytes_of_a_tensor, bytes_by_product],
    "gqa": [gqa_by_groups, gqa_by_heads, gqa_by_expand, gqa_of_one_hot_values, gqa_by_index],
}


def row_gathered(query, keys, values, block_size):
    rows = [block @ query / query.shape[-1] ** 0.5 for block in keys.split(block_size)]
    highest = max(row.max() for row in rows)
    exps = [torch.exp(row - highest) for row in rows]
    return sum(row @ block for row, block in zip(exps, values.split(block_size), strict=True)) / sum(map(sum, exps))


def row_in_blocks_of_two(query, keys, values, block_size):
    return row_by_split(query, keys, values, 2)


def room_without_a_count(heads, token, cache):
    context_vec, (keys, values, _) = room_by_slices(heads, token, cache)
    return context_vec, (keys, values, True)


def room_handed_over(heads, token, cache):
    context_vec, (keys, values, past) = room_by_slices(heads, token, cache)
    return context_vec, {"keys": keys, "values": values, "past": past}


SAID = [
    ("cached_step", lambda heads, token, cache: heads(token)[0], "return context_vec, cache"),
    (
        "cached_step",
        lambda heads, token, cache: (step_by_dict(heads, token, cache)[0][:, 0], cache),
        "`context_vec` is `(batch, 1, d_out)`",
    ),
    ("cached_step", lambda heads, token, cache: heads(token), "sees itself alone"),
    ("blockwise_row", row_gathered, "keeps the scores of all blocks"),
    ("blockwise_row", row_in_blocks_of_two, "a `block_size` of 1 your code holds a row of 2"),
    (
        "blockwise_row",
        lambda query, keys, values, block_size: F.scaled_dot_product_attention(query[None], keys, values)[0],
        "a row of 50 scores",
    ),
    ("blockwise_row", lambda query, keys, values, block_size: row_of_blocks(query, keys, values, 99), "a row of 50"),
    ("preallocated_step", room_without_a_count, "`past` should be a whole number"),
    ("preallocated_step", room_handed_over, "Three parts came as the cache"),
    ("preallocated_step", lambda heads, token, cache: (heads(token)[0], (None, None, 1)), "parts of the cache are"),
    ("preallocated_step", lambda heads, token, cache: (cache, heads(token)[0]), "have changed places"),
    ("preallocated_step", lambda heads, token, cache: (heads(token)[0][:, 0], cache), "The axis of the token is lost"),
    ("cache_bytes", lambda *sizes: f"{bytes_by_counting(*sizes)} bytes", "The text `240 bytes` came back"),
    ("cache_bytes", lambda *sizes: (bytes_by_counting(*sizes), sizes), "One number is asked for"),
    ("cache_bytes", lambda *sizes: sum, "came back where a number is asked for"),
    ("gqa", lambda *parts: F.scaled_dot_product_attention(*parts, enable_gqa=True), "Two results are asked for"),
]
