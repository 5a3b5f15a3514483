# %% wrong padding_mask: length-0-whole
# picks row valid_lens - 1 of a triangle: for a length of 0 that is row -1, the last, and everything is open
def my_padding_mask(valid_lens, num_keys):
    triangle = torch.ones(num_keys, num_keys, dtype=torch.bool).tril()
    return triangle[valid_lens - 1][:, None, None, :]


# %% wrong padding_mask: keys-from-lens
# positions are only as many as the longest text has, not num_keys
def my_padding_mask(valid_lens, num_keys):
    positions = torch.arange(int(valid_lens.max()))
    real = positions[None, :] < valid_lens[:, None]
    return real.unsqueeze(1).unsqueeze(1)


# %% right padding_mask
# right all the same: a loop gives the right table, and the check gives a hint
# a loop (hidden in list comprehensions), which the prompt forbids
def my_padding_mask(valid_lens, num_keys):
    rows = [[key < n for key in range(num_keys)] for n in valid_lens.tolist()]
    return torch.tensor(rows, dtype=torch.bool).reshape(len(valid_lens), 1, 1, num_keys)


# %% wrong padding_mask: mask-off-by-one
# <= lets in one key too many: position valid_len is padding already
def my_padding_mask(valid_lens, num_keys):
    keys = torch.arange(num_keys).view(1, 1, 1, num_keys)
    lens = valid_lens.view(-1, 1, 1, 1)
    return keys <= lens


# %% wrong padding_mask: pad-over-queries
# the lengths stand on the axis of the queries: (batch, 1, num_keys, 1)
def my_padding_mask(valid_lens, num_keys):
    ok = torch.arange(num_keys) < valid_lens.unsqueeze(-1)
    return ok[:, None, :, None]


# %% wrong padding_mask: mask-inverted
# True where there is padding, the meaning of PyTorch's key_padding_mask: here True = may attend
def my_padding_mask(valid_lens, num_keys):
    positions = torch.arange(num_keys).repeat(len(valid_lens), 1)
    is_padding = torch.ge(positions, valid_lens[:, None])
    return is_padding[:, None, None]


# %% right padding_mask
# one-hot at the end of each text, summed up along the keys
def my_padding_mask(valid_lens, num_keys):
    ends = F.one_hot(valid_lens.long(), num_keys + 1)  # (batch, num_keys + 1)
    passed = ends.cumsum(dim=-1)[:, :num_keys]
    return (passed == 0).view(-1, 1, 1, num_keys)


# %% right padding_mask
# a triangle with a row for each possible length, 0 included, and an index
def my_padding_mask(valid_lens, num_keys):
    rows = torch.ones(num_keys + 1, num_keys).tril(diagonal=-1).bool()
    return rows.index_select(0, valid_lens).unsqueeze(-2).unsqueeze(-2)


# %% wrong padded_softmax: max-over-closed
# the maximum is taken before the mask: a closed key with a huge score makes every open one underflow to 0
def my_padded_softmax(scores, mask):
    highest = scores.max(dim=-1, keepdim=True).values
    exps = torch.exp(scores - highest) * mask
    total = exps.sum(dim=-1, keepdim=True)
    return exps / torch.where(total == 0, torch.ones_like(total), total)


# %% wrong padded_softmax: nan-gradient
# mends the result with nan_to_num: zeros come out, but the gradient still goes through the nan
def my_padded_softmax(scores, mask):
    wall = torch.zeros(mask.shape, dtype=scores.dtype).masked_fill(~mask, -torch.inf)
    closed = scores + wall
    exps = torch.exp(closed - closed.amax(dim=-1, keepdim=True))
    weights = exps / exps.sum(dim=-1, keepdim=True)
    return torch.nan_to_num(weights, nan=0.0)


# %% wrong padded_softmax: all-masked-uniform
# -1e9 in place of minus infinity: a row with nothing open gets equal weights
def my_padded_softmax(scores, mask):
    s = scores.masked_fill(mask == False, -1e9)  # noqa: E712
    s = s - s.max(dim=-1, keepdim=True)[0]
    e = torch.exp(s)
    return e / e.sum(-1, keepdim=True)


# %% wrong padded_softmax: global-max
# one maximum for the whole table: a row of much smaller scores underflows to zeros
def my_padded_softmax(scores, mask):
    masked = torch.where(mask, scores, torch.tensor(-torch.inf, dtype=scores.dtype))
    top = masked.max()
    if top == -torch.inf:
        top = torch.zeros_like(top)
    exps = torch.exp(masked - top)
    sums = exps.sum(dim=-1, keepdim=True)
    return exps / sums.masked_fill(sums == 0, 1.0)


# %% wrong padded_softmax: mask-after-softmax
# normalises over all keys and masks afterwards: the rows no longer sum to 1
def my_padded_softmax(scores, mask):
    shifted = scores - scores.amax(-1, keepdim=True)
    exps = shifted.exp()
    weights = exps / exps.sum(-1, keepdim=True)
    return weights * mask


# %% wrong padded_softmax: naive-overflow
# no maximum is subtracted: large scores overflow to inf, and inf / inf is nan
def my_padded_softmax(scores, mask):
    exps = torch.exp(scores).masked_fill(~mask, 0.0)
    totals = exps.sum(dim=-1, keepdim=True)
    totals = totals + (totals == 0)
    return exps / totals


# %% right padded_softmax
# empty rows get a score of 0 for a key before all else, and are closed again by a product at the end
def my_padded_softmax(scores, mask):
    scores, mask = torch.broadcast_tensors(scores, mask)
    has_any = mask.any(dim=-1, keepdim=True)
    safe = torch.where(mask, scores, torch.tensor(-torch.inf, dtype=scores.dtype))
    safe = torch.where(has_any, safe, torch.zeros_like(safe))
    exps = torch.exp(safe - safe.amax(dim=-1, keepdim=True).detach())
    return exps / exps.sum(dim=-1, keepdim=True) * has_any


# %% right padded_softmax
# row by row in a loop, and only over the open keys of each
def my_padded_softmax(scores, mask):
    table = scores.reshape(-1, scores.shape[-1])
    open_keys = mask.expand(scores.shape).reshape(table.shape)
    rows = []
    for row, is_open in zip(table, open_keys):
        weights = torch.zeros_like(row)
        if is_open.any():
            chosen = row[is_open]
            exps = torch.exp(chosen - chosen.max())
            weights = weights.masked_scatter(is_open, exps / exps.sum())
        rows.append(weights)
    return torch.stack(rows).reshape(scores.shape)


# %% wrong left_padded_mask: length-0-whole
# [-n:] with n = 0 is [0:], the whole row: a text of length 0 has all its padding open
def my_left_padded_mask(valid_lens, num_tokens):
    real = torch.zeros(len(valid_lens), num_tokens, dtype=torch.bool)
    for i, n in enumerate(valid_lens):
        real[i, -int(n):] = True
    return real[:, None, None, :] & attention.causal_mask(num_tokens)


# %% wrong left_padded_mask: pad-at-end
# the first valid_lens tokens are open, as if the padding stood at the end
def my_left_padded_mask(valid_lens, num_tokens):
    padding = attention.padding_mask(valid_lens, num_tokens)
    return padding & attention.causal_mask(num_tokens)


# %% wrong left_padded_mask: masks-ored
# joined with "or": later tokens are open again, and so is padding that lies in the past
def my_left_padded_mask(valid_lens, num_tokens):
    start = num_tokens - valid_lens
    real = torch.arange(num_tokens) >= start[:, None]
    return torch.logical_or(real[:, None, None, :], attention.causal_mask(num_tokens)[None, None])


# %% wrong left_padded_mask: pad-off-by-one
# off by one: > leaves out the first real token of each text
def my_left_padded_mask(valid_lens, num_tokens):
    begins = (num_tokens - valid_lens).view(-1, 1, 1, 1)
    keys = torch.arange(num_tokens)
    return (keys > begins) & (keys[None, :] <= keys[:, None])


# %% wrong left_padded_mask: padding-sees-itself
# opens the diagonal for everybody "so that no row is empty": a padding then attends to itself, which is padding
def my_left_padded_mask(valid_lens, num_tokens):
    position = torch.arange(num_tokens)
    real = position[None] >= num_tokens - valid_lens[:, None]  # (batch, num_tokens)
    mask = real[:, None, None, :] & attention.causal_mask(num_tokens)
    return mask | torch.eye(num_tokens, dtype=torch.bool)


# %% wrong left_padded_mask: mask-lower
# turns the whole right-padded mask round, rows and columns: now each token sees itself and the later ones
def my_left_padded_mask(valid_lens, num_tokens):
    right = attention.padding_mask(valid_lens, num_tokens) & attention.causal_mask(num_tokens)
    return right.flip(dims=(-2, -1))


# %% right left_padded_mask
# only the padding is turned round, then multiplied with the triangle
def my_left_padded_mask(valid_lens, num_tokens):
    at_front = attention.padding_mask(valid_lens, num_tokens).flip(-1)
    return (at_front.int() * attention.causal_mask(num_tokens).int()).bool()


# %% right left_padded_mask
# filled cell by cell: text, query, key
def my_left_padded_mask(valid_lens, num_tokens):
    mask = torch.zeros(len(valid_lens), 1, num_tokens, num_tokens, dtype=torch.bool)
    for text, length in enumerate(valid_lens):
        first = num_tokens - int(length)
        for query in range(first, num_tokens):
            mask[text, 0, query, first : query + 1] = True
    return mask


# %% wrong folded_with_lengths: lens-repeat
# repeat takes turns between the texts, but the tables of one text lie together: repeat_interleave was needed
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = queries.shape[0] // valid_lens.shape[0]
    mask = attention.padding_mask(valid_lens.repeat(num_heads), keys.shape[1])[:, 0]
    return attention.scaled_dot_product_attention(queries, keys, values, mask)


# %% wrong folded_with_lengths: heads-fixed
# takes five heads, as on the page: fits no other number of heads
def my_folded_with_lengths(queries, keys, values, valid_lens):
    lens = valid_lens.repeat_interleave(5)
    allowed = torch.arange(keys.shape[1]) < lens[:, None]
    return attention.scaled_dot_product_attention(queries, keys, values, allowed[:, None, :])


# %% wrong folded_with_lengths: mask-broadcast
# the mask keeps its four axes, (tables, 1, 1, num_keys): the function refuses it
def my_folded_with_lengths(queries, keys, values, valid_lens):
    heads = len(queries) // len(valid_lens)
    mask = attention.padding_mask(valid_lens.repeat_interleave(heads), keys.shape[-2])
    context_vecs, attn_weights = attention.scaled_dot_product_attention(queries, keys, values, mask=mask)
    return context_vecs, attn_weights


# %% wrong folded_with_lengths: mask-from-queries
# the mask is as long as the queries are many: fits only where there are as many keys as queries
def my_folded_with_lengths(queries, keys, values, valid_lens):
    tables, num_tokens, _ = queries.shape
    per_table = valid_lens.repeat_interleave(tables // len(valid_lens))
    mask = attention.padding_mask(per_table, num_tokens).squeeze(1)
    return attention.scaled_dot_product_attention(queries, keys, values, mask)


# %% wrong folded_with_lengths: unfolded
# unfolds to four axes to use the mask as it is, and forgets to fold the results again
def my_folded_with_lengths(queries, keys, values, valid_lens):
    batch = len(valid_lens)
    q, k, v = (part.unflatten(0, (batch, -1)) for part in (queries, keys, values))
    mask = attention.padding_mask(valid_lens, k.shape[-2])
    return attention.scaled_dot_product_attention(q, k, v, mask)


# %% wrong folded_with_lengths: lens-repeat
# unfolds heads first, texts second, (num_heads, batch, ...), so that lengths meet the wrong tables
def my_folded_with_lengths(queries, keys, values, valid_lens):
    batch = valid_lens.numel()
    h = queries.shape[0] // batch
    q = queries.reshape(h, batch, *queries.shape[1:])
    k = keys.reshape(h, batch, *keys.shape[1:])
    v = values.reshape(h, batch, *values.shape[1:])
    mask = attention.padding_mask(valid_lens, keys.shape[1])[:, 0]
    vecs, weights = attention.scaled_dot_product_attention(q, k, v, mask)
    return vecs.flatten(0, 1), weights.flatten(0, 1)


# %% right folded_with_lengths
# unfolds, attends with the four-axes mask, folds again
def my_folded_with_lengths(queries, keys, values, valid_lens):
    def unfold(part):
        return part.reshape(valid_lens.shape[0], -1, *part.shape[-2:])

    mask = attention.padding_mask(valid_lens, keys.shape[-2])
    results = attention.scaled_dot_product_attention(unfold(queries), unfold(keys), unfold(values), mask)
    return tuple(result.flatten(0, 1) for result in results)


# %% right folded_with_lengths
# table after table; the closed keys are cut off, and the weights filled up with zeros again
def my_folded_with_lengths(queries, keys, values, valid_lens):
    heads = queries.shape[0] // valid_lens.shape[0]
    vecs, weights = [], []
    for table in range(queries.shape[0]):
        n = int(valid_lens[table // heads])
        q, k, v = queries[table], keys[table, :n], values[table, :n]
        w = torch.softmax(q @ k.T / q.shape[-1] ** 0.5, dim=-1)
        vecs.append(w @ v)
        weights.append(F.pad(w, (0, keys.shape[1] - n)))
    return torch.stack(vecs), torch.stack(weights)


# %% wrong cross_attention: lens-as-truth
# "if valid_lens:" asks a whole tensor for true or false: stops with more than one text
# (and with one text of length 0 it would mask nothing)
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            values = keys
        mask = None
        if valid_lens:
            mask = attention.padding_mask(valid_lens, keys.shape[1])
        q = attention.split_heads(self.W_query(queries), self.num_heads)
        k = attention.split_heads(self.W_key(keys), self.num_heads)
        v = attention.split_heads(self.W_value(values), self.num_heads)
        vecs, weights = attention.scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(attention.merge_heads(vecs)), weights


# %% wrong cross_attention: values-projected-keys
# without values it takes the keys after their projection, not the keys that came in:
# W_value is left out (or, with other widths, meets a width that does not fit)
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.h = num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(w, d_out, bias=False) for w in (d_in, kdim, vdim))
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        num_keys = keys.shape[-2]
        queries = attention.split_heads(self.W_query(queries), self.h)
        keys = attention.split_heads(self.W_key(keys), self.h)
        values = keys if values is None else attention.split_heads(self.W_value(values), self.h)
        scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        if valid_lens is not None:
            scores = scores.masked_fill(~attention.padding_mask(valid_lens, num_keys), -torch.inf)
        weights = attention.softmax(scores)
        return self.out_proj(attention.merge_heads(weights @ values)), weights


# %% wrong cross_attention: mask-from-queries
# the mask has as many places as there are queries: stops, or hides the wrong keys, where the numbers differ
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out, bias=True)

    def forward(self, queries, keys, values=None, valid_lens=None):
        values = keys if values is None else values
        batch, num_tokens, _ = queries.shape
        mask = None if valid_lens is None else attention.padding_mask(valid_lens, num_tokens)
        parts = (self.W_query(queries), self.W_key(keys), self.W_value(values))
        split = [attention.split_heads(part, self.num_heads) for part in parts]
        context_vecs, attn_weights = attention.scaled_dot_product_attention(*split, mask=mask)
        return self.out_proj(attention.merge_heads(context_vecs)), attn_weights


# %% wrong cross_attention: weights-averaged
# the weights are averaged over the heads: (batch, num_queries, num_keys), not per head
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            return self(queries, keys, keys, valid_lens)
        split = attention.split_heads
        q, k, v = self.W_query(queries), self.W_key(keys), self.W_value(values)
        q, k, v = split(q, self.num_heads), split(k, self.num_heads), split(v, self.num_heads)
        if valid_lens is None:
            out, weights = attention.scaled_dot_product_attention(q, k, v)
        else:
            mask = attention.padding_mask(valid_lens, k.shape[2])
            out, weights = attention.scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(attention.merge_heads(out)), weights.mean(dim=1)


# %% wrong cross_attention: widths-swapped
# kdim and vdim are mixed up: W_key takes vdim, W_value takes kdim
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(kdim, d_out, bias=False)
        self.W_key = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            values = keys
        n = keys.shape[1]
        lens = torch.full((keys.shape[0],), n) if valid_lens is None else valid_lens
        heads = [attention.split_heads(layer(part), self.num_heads) for layer, part in
                 ((self.W_query, queries), (self.W_key, keys), (self.W_value, values))]
        vecs, weights = attention.scaled_dot_product_attention(*heads, attention.padding_mask(lens, n))
        return self.out_proj(attention.merge_heads(vecs)), weights


# %% wrong cross_attention: no-out-proj
# out_proj is made but never called: the heads' notes are returned side by side
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.H = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        v_in = values if values is not None else keys
        Q, K, V = (attention.split_heads(p, self.H) for p in
                   (self.W_query(queries), self.W_key(keys), self.W_value(v_in)))
        S = torch.einsum("bhqd,bhkd->bhqk", Q, K) / math.sqrt(Q.shape[-1])
        if valid_lens is not None:
            real = torch.arange(K.shape[2]) < valid_lens[:, None]
            S = S.masked_fill(~real[:, None, None], -torch.inf)
        A = attention.softmax(S)
        return attention.merge_heads(A @ V), A


# %% right cross_attention
# heads folded into the batch, and the lengths repeated for each head
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def fold(self, part):
        return attention.split_heads(part, self.num_heads).flatten(0, 1)

    def forward(self, queries, keys, values=None, valid_lens=None):
        values = keys if values is None else values
        mask = None
        if valid_lens is not None:
            lens = torch.as_tensor(valid_lens).repeat_interleave(self.num_heads)
            mask = attention.padding_mask(lens, keys.shape[1])[:, 0]
        vecs, weights = attention.scaled_dot_product_attention(
            self.fold(self.W_query(queries)), self.fold(self.W_key(keys)), self.fold(self.W_value(values)), mask)
        vecs, weights = (t.unflatten(0, (queries.shape[0], self.num_heads)) for t in (vecs, weights))
        return self.out_proj(attention.merge_heads(vecs)), weights


# %% right cross_attention
# PyTorch's function twice: once with the values, once with the identity, which brings the weights out
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.shape = (num_heads, d_out // num_heads)
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            values = keys
        q, k, v = (table.unflatten(-1, self.shape).permute(0, 2, 1, 3)
                   for table in (self.W_query(queries), self.W_key(keys), self.W_value(values)))
        mask = None if valid_lens is None else attention.padding_mask(valid_lens, k.shape[-2])
        identity = torch.eye(k.shape[-2], dtype=k.dtype).expand(*k.shape[:2], -1, -1)
        notes = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        weights = F.scaled_dot_product_attention(q, k, identity, attn_mask=mask)
        return self.out_proj(notes.permute(0, 2, 1, 3).flatten(2)), weights
