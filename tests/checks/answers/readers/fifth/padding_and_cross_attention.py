# %% wrong padding_mask: - "`positions < valid_lens` stops: (6,) meets (3,). Counted fro"
# compares (num_keys,) with (batch,), no axis added: an error, unless there happen to be as many texts as keys
def my_padding_mask(valid_lens, num_keys):
    positions = torch.arange(num_keys)
    real = positions < valid_lens
    return real.view(len(valid_lens), 1, 1, num_keys)

# %% wrong padding_mask: keys-from-lens
# as wide as the longest text, not num_keys
def my_padding_mask(valid_lens, num_keys):
    longest = int(valid_lens.max())
    return (torch.arange(longest)[None] < valid_lens.unsqueeze(1)).unsqueeze(1).unsqueeze(1)

# %% wrong padding_mask: mask-not-bool
# the mask holds whole numbers 0 and 1 in place of bool
def my_padding_mask(valid_lens, num_keys):
    lens = valid_lens.view(-1, 1, 1, 1)
    return torch.where(torch.arange(num_keys) < lens, 1, 0)

# %% wrong padding_mask: mask-off-by-one
# positions counted from 1 with <: the last real key of each text is closed
def my_padding_mask(valid_lens, num_keys):
    places = torch.arange(1, num_keys + 1).expand(len(valid_lens), num_keys)
    return torch.lt(places, valid_lens[:, None])[:, None, None, :]

# %% wrong padding_mask: pad-over-queries
# the axis of the lengths stands where the queries are: (batch, 1, num_keys, 1)
def my_padding_mask(valid_lens, num_keys):
    k = torch.arange(num_keys)[None, None, :, None]
    return k < valid_lens[:, None, None, None]

# %% right padding_mask
# right all the same: a loop gives the right table, and the check gives a hint
# a loop (in a list), which the prompt forbids
def my_padding_mask(valid_lens, num_keys):
    rows = [[key < n for key in range(num_keys)] for n in valid_lens.tolist()]
    return torch.tensor(rows, dtype=torch.bool).reshape(len(rows), 1, 1, num_keys)

# %% right padding_mask
# picks rows of a triangle: row n has its first n cells open
def my_padding_mask(valid_lens, num_keys):
    triangle = torch.ones(num_keys + 1, num_keys, dtype=torch.bool).tril(diagonal=-1)
    return triangle[valid_lens.long()].unsqueeze(1).unsqueeze(1)

# %% right padding_mask
# marks the end of each text by one_hot, and cumsum tells what comes after it
def my_padding_mask(valid_lens, num_keys):
    ends = F.one_hot(valid_lens.long(), num_keys + 1)
    ended = ends.cumsum(dim=-1)[:, :num_keys]
    return ended.eq(0)[:, None, None]

# %% wrong padded_softmax: nan-gradient
# closes by adding -inf, and mends empty rows by torch.where at the very end: the zeros are right, but the gradient of
# such a row is nan
def my_padded_softmax(scores, mask):
    scores = scores + torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)
    highest = scores.amax(dim=-1, keepdim=True)
    exps = torch.exp(scores - highest)
    weights = exps / exps.sum(dim=-1, keepdim=True)
    return torch.where(mask.any(dim=-1, keepdim=True), weights, torch.zeros_like(weights))

# %% wrong padded_softmax: max-over-closed
# subtracts the maximum of all scores, closed ones too: a large closed score makes all open exponentials 0
def my_padded_softmax(scores, mask):
    top = scores.max(dim=-1, keepdim=True).values
    exps = torch.exp(scores - top) * mask
    total = exps.sum(-1, keepdim=True)
    return exps / torch.where(total > 0, total, torch.ones_like(total))

# %% wrong padded_softmax: all-masked-uniform
# closes by -1e9 in place of minus infinity: a row with nothing open gets equal weights
def my_padded_softmax(scores, mask):
    closed = torch.where(mask, scores, torch.tensor(-1e9))
    shifted = closed - closed.max(dim=-1, keepdim=True)[0]
    e = shifted.exp()
    return e / e.sum(dim=-1, keepdim=True)

# %% wrong padded_softmax: scores-cut-off
# limits the scores to 50 in place of subtracting the maximum: larger scores all count alike
def my_padded_softmax(scores, mask):
    exps = torch.exp(scores.clamp(max=50.0)).masked_fill(~mask, 0.0)
    sums = exps.sum(dim=-1, keepdim=True)
    return exps / sums.masked_fill(sums == 0, 1.0)

# %% wrong padded_softmax: mask-as-index
# sets closed scores by a boolean index: an error when the mask has not the very shape of the scores
def my_padded_softmax(scores, mask):
    s = scores.clone()
    s[~mask] = -torch.inf
    m = s.max(-1, keepdim=True).values
    m = torch.where(m == -torch.inf, 0.0, m)
    numerator = torch.exp(s - m)
    denominator = numerator.sum(-1, keepdim=True)
    return numerator / denominator.masked_fill(denominator == 0, 1.0)

# %% wrong padded_softmax: global-max
# one maximum for the whole tensor in place of one for each row: a row far below it becomes all zeros
def my_padded_softmax(scores, mask):
    s = scores.masked_fill(torch.logical_not(mask), float("-inf"))
    biggest = s.max()
    if biggest == -torch.inf:
        biggest = torch.tensor(0.0)
    e = torch.exp(s - biggest)
    total = e.sum(dim=-1, keepdim=True)
    total = total + (total == 0)
    return e / total

# %% right padded_softmax
# finite fill before the exponential, then times the mask; the sum is clamped to 1, below which no open row can be
def my_padded_softmax(scores, mask):
    lowest = torch.finfo(scores.dtype).min
    filled = torch.where(mask, scores, lowest)
    highest = filled.detach().amax(-1, keepdim=True)
    exps = torch.exp(filled - highest) * mask
    return exps / exps.sum(-1, keepdim=True).clamp(min=1.0)

# %% right padded_softmax
# row by row in a loop over the flattened table: only the open scores of a row are looked at
def my_padded_softmax(scores, mask):
    open_cells = mask.expand(scores.shape).reshape(-1, scores.shape[-1])
    rows = []
    for row, may in zip(scores.reshape(-1, scores.shape[-1]), open_cells):
        weights = row.new_zeros(row.shape)
        if may.any():
            e = torch.exp(row[may] - row[may].max())
            weights[may] = e / e.sum()
        rows.append(weights)
    return torch.stack(rows).reshape(scores.shape)

# %% wrong left_padded_mask: length-0-whole
# a slice from -n: with a length of 0 it is [-0:], and opens every token of an empty text
def my_left_padded_mask(valid_lens, num_tokens):
    real = torch.zeros(len(valid_lens), num_tokens, dtype=torch.bool)
    for i, n in enumerate(valid_lens.tolist()):
        real[i, -n:] = True
    return real[:, None, None] & attention.causal_mask(num_tokens)

# %% wrong left_padded_mask: padding-sees-itself
# opens the diagonal for every token, to have no empty rows: so each padding attends to itself, a padding
def my_left_padded_mask(valid_lens, num_tokens):
    start = num_tokens - valid_lens
    real = torch.arange(num_tokens) >= start[:, None]
    both = real[:, None, None, :] & attention.causal_mask(num_tokens)
    return both | torch.eye(num_tokens, dtype=torch.bool)

# %% wrong left_padded_mask: pad-off-by-one
# one place too late: > in place of >=, so that the first real token of each text counts as padding
def my_left_padded_mask(valid_lens, num_tokens):
    positions = torch.arange(num_tokens).view(1, 1, 1, -1)
    padding = positions > (num_tokens - valid_lens).view(-1, 1, 1, 1)
    return padding.logical_and(torch.ones(num_tokens, num_tokens).tril().bool())

# %% wrong left_padded_mask: flipped-together
# joins the two masks at the right-hand padding and flips the result: the causal part is flipped as well
def my_left_padded_mask(valid_lens, num_tokens):
    mask = attention.padding_mask(valid_lens, num_tokens) & attention.causal_mask(num_tokens)
    return mask.flip(dims=[-1])

# %% wrong left_padded_mask: axes-missing
# no axis for the heads: (batch, num_tokens, num_tokens)
def my_left_padded_mask(valid_lens, num_tokens):
    keys = torch.arange(num_tokens)
    begins = num_tokens - valid_lens[:, None]
    return (keys >= begins)[:, None, :] & attention.causal_mask(num_tokens)

# %% wrong left_padded_mask: pad-over-queries
# the padding is closed over the queries (rows), not over the keys: real tokens still attend to padding
def my_left_padded_mask(valid_lens, num_tokens):
    row = torch.arange(num_tokens)[:, None]
    column = torch.arange(num_tokens)[None, :]
    first = (num_tokens - valid_lens)[:, None, None, None]
    return (row >= first) & (column <= row)

# %% right left_padded_mask
# three plain loops, cell by cell
def my_left_padded_mask(valid_lens, num_tokens):
    out = torch.zeros(len(valid_lens), 1, num_tokens, num_tokens, dtype=torch.bool)
    for text, n in enumerate(valid_lens.tolist()):
        for query in range(num_tokens - n, num_tokens):
            for key in range(num_tokens - n, query + 1):
                out[text, 0, query, key] = True
    return out

# %% right left_padded_mask
# right-hand padding mask turned round along the keys, then times (of bools) the triangle with the paddings' rows closed
def my_left_padded_mask(valid_lens, num_tokens):
    keys = attention.padding_mask(valid_lens, num_tokens).flip(-1)
    queries = keys.transpose(-2, -1)
    return keys * queries * attention.causal_mask(num_tokens)

# %% wrong folded_with_lengths: heads-miscounted
# repeat_interleave by the number of texts, not of heads: fits only if there are as many heads as texts, else an error
def my_folded_with_lengths(queries, keys, values, valid_lens):
    lens = valid_lens.repeat_interleave(len(valid_lens))
    mask = attention.padding_mask(lens, keys.shape[1])[:, 0]
    return attention.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong folded_with_lengths: lens-repeat
# the lengths take turns (expand with the heads in front): tables get the other texts' lengths
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = queries.shape[0] // valid_lens.shape[0]
    lens = valid_lens.expand(num_heads, -1).flatten()
    mask = torch.arange(keys.shape[-2])[None, None] < lens[:, None, None]
    return attention.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong folded_with_lengths: mask-from-queries
# takes the number of queries for the number of keys: an error where the two differ
def my_folded_with_lengths(queries, keys, values, valid_lens):
    tables, num_tokens, width = queries.shape
    lens = torch.repeat_interleave(valid_lens, tables // len(valid_lens))
    mask = attention.padding_mask(lens, num_tokens).squeeze(1)
    return attention.scaled_dot_product_attention(queries, keys, values, mask=mask)

# %% wrong folded_with_lengths: unfolded
# unfolds the heads and gives the results back with four axes, not folded as they came
def my_folded_with_lengths(queries, keys, values, valid_lens):
    batch = len(valid_lens)
    q, k, v = (part.unflatten(0, (batch, -1)) for part in (queries, keys, values))
    context_vecs, attn_weights = attention.scaled_dot_product_attention(
        q, k, v, attention.padding_mask(valid_lens, keys.shape[1]))
    return context_vecs, attn_weights

# %% wrong folded_with_lengths: all-masked-nan
# PyTorch's softmax on the masked scores: a text of length 0 becomes nan in place of zeros
def my_folded_with_lengths(queries, keys, values, valid_lens):
    heads = len(queries) // len(valid_lens)
    scores = torch.bmm(queries, keys.transpose(1, 2)) / queries.shape[-1] ** 0.5
    for table in range(len(queries)):
        scores[table, :, valid_lens[table // heads]:] = -torch.inf
    weights = torch.softmax(scores, dim=-1)
    return torch.bmm(weights, values), weights

# %% wrong folded_with_lengths: mask-broadcast
# the mask keeps its four axes and meets scores of three: the function refuses it with a ValueError
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = queries.size(0) // valid_lens.size(0)
    each = valid_lens.unsqueeze(1).repeat(1, num_heads).view(-1)
    return attention.scaled_dot_product_attention(queries, keys, values, attention.padding_mask(each, keys.size(1)))

# %% right folded_with_lengths
# table by table, each with its real keys alone; the weights of the rest stay 0
def my_folded_with_lengths(queries, keys, values, valid_lens):
    heads = len(queries) // len(valid_lens)
    vecs = queries.new_zeros(len(queries), queries.shape[1], values.shape[2])
    weights = queries.new_zeros(len(queries), queries.shape[1], keys.shape[1])
    for table in range(len(queries)):
        n = int(valid_lens[table // heads])
        if n == 0:
            continue
        scores = queries[table] @ keys[table, :n].T / math.sqrt(queries.shape[2])
        weights[table, :, :n] = scores.softmax(dim=1)
        vecs[table] = weights[table, :, :n].clone() @ values[table, :n]
    return vecs, weights

# %% right folded_with_lengths
# unfolds, attends with the mask of four axes, and folds both results again
def my_folded_with_lengths(queries, keys, values, valid_lens):
    texts = valid_lens.numel()
    unfolded = [part.reshape(texts, -1, *part.shape[1:]) for part in (queries, keys, values)]
    mask = torch.arange(keys.shape[1]) < valid_lens.reshape(texts, 1, 1, 1)
    results = attention.scaled_dot_product_attention(*unfolded, mask=mask)
    return tuple(result.flatten(0, 1) for result in results)

# %% wrong cross_attention: values-or-keys
# `values or keys` asks a tensor whether it is true: an error as soon as values are handed in
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        values = values or keys
        mask = None if valid_lens is None else attention.padding_mask(valid_lens, keys.shape[1])
        q, k, v = (attention.split_heads(part, self.num_heads)
                   for part in (self.W_query(queries), self.W_key(keys), self.W_value(values)))
        vecs, weights = attention.scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(attention.merge_heads(vecs)), weights

# %% wrong cross_attention: values-projected-keys
# without values it takes the projected keys as they are: W_value is never used then
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        q = attention.split_heads(self.W_query(queries), self.h)
        k = attention.split_heads(self.W_key(keys), self.h)
        if values is None:
            v = k
        else:
            v = attention.split_heads(self.W_value(values), self.h)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if valid_lens is not None:
            scores = scores.masked_fill(~attention.padding_mask(valid_lens, k.shape[-2]), -torch.inf)
        w = attention.softmax(scores)
        return self.out_proj(attention.merge_heads(w @ v)), w

# %% wrong cross_attention: state-leak
# keeps the last lengths and uses them again when none are given: without valid_lens something is still padding
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads, self.mask = num_heads, None
        self.W_query, self.W_key, self.W_value = (nn.Linear(w, d_out, bias=False) for w in (d_in, kdim, vdim))
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            values = keys
        if valid_lens is not None:
            self.mask = attention.padding_mask(valid_lens, keys.shape[1])
        split = [attention.split_heads(f(x), self.num_heads)
                 for f, x in ((self.W_query, queries), (self.W_key, keys), (self.W_value, values))]
        context_vecs, attn_weights = attention.scaled_dot_product_attention(*split, mask=self.mask)
        return self.out_proj(attention.merge_heads(context_vecs)), attn_weights

# %% wrong cross_attention: ready-made
# wraps the course's class, which the hint says is not welcome (only its functions are)
class MyCrossAttention(attention.MultiHeadAttention):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__(d_in, d_out, num_heads, kdim=kdim, vdim=vdim)

    def forward(self, queries, keys, values=None, valid_lens=None):
        mask = None
        if valid_lens is not None:
            mask = attention.padding_mask(valid_lens, keys.shape[-2])
        return super().forward(queries, keys, values, mask=mask)

# %% wrong cross_attention: merge-no-transpose
# merges the heads by a reshape without the transpose: numbers of several queries get mixed in a row
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads, self.d_out = num_heads, d_out
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        values = keys if values is None else values
        lens = torch.full((len(keys),), keys.shape[1]) if valid_lens is None else valid_lens
        q = attention.split_heads(self.W_query(queries), self.num_heads)
        k = attention.split_heads(self.W_key(keys), self.num_heads)
        v = attention.split_heads(self.W_value(values), self.num_heads)
        mixed, weights = attention.scaled_dot_product_attention(q, k, v, attention.padding_mask(lens, keys.shape[1]))
        return self.out_proj(mixed.reshape(len(queries), -1, self.d_out)), weights

# %% wrong cross_attention: mask-from-queries
# makes the padding mask as wide as there are queries, not keys: an error (or a wrong mask) where they differ
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.num_heads = num_heads

    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            values = keys
        batch, num_tokens = queries.shape[:2]
        mask = None
        if valid_lens is not None:
            mask = attention.padding_mask(valid_lens, num_tokens)
        queries, keys, values = self.W_query(queries), self.W_key(keys), self.W_value(values)
        queries, keys, values = (attention.split_heads(p, self.num_heads) for p in (queries, keys, values))
        vecs, weights = attention.scaled_dot_product_attention(queries, keys, values, mask)
        return self.out_proj(attention.merge_heads(vecs)), weights

# %% right cross_attention
# text by text with the real keys alone; the weights of the padding are filled up with zeros
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        values = keys if values is None else values
        num_keys = keys.shape[1]
        lens = [num_keys] * len(keys) if valid_lens is None else [int(n) for n in valid_lens]
        vecs, tables = [], []
        for i, n in enumerate(lens):
            q = attention.split_heads(self.W_query(queries[i]), self.num_heads)
            k = attention.split_heads(self.W_key(keys[i, :n]), self.num_heads)
            v = attention.split_heads(self.W_value(values[i, :n]), self.num_heads)
            w = attention.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5)
            vecs.append(attention.merge_heads(w @ v))
            tables.append(F.pad(w, (0, num_keys - n)))
        return self.out_proj(torch.stack(vecs)), torch.stack(tables)

# %% right cross_attention
# einsum, no split; the layers are made in a dictionary and set by name; the mask is added as its logarithm
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        for name, width in {"W_query": d_in, "W_key": kdim, "W_value": vdim}.items():
            self.add_module(name, nn.Linear(width, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out)
        self.cut = (num_heads, d_out // num_heads)

    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            values = keys
        q, k, v = (f(x).unflatten(-1, self.cut)
                   for f, x in zip((self.W_query, self.W_key, self.W_value), (queries, keys, values)))
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) * self.cut[1] ** -0.5
        if valid_lens is not None:
            is_real = torch.arange(keys.shape[1])[None] < torch.as_tensor(valid_lens)[:, None]
            scores = scores + torch.log(is_real.float())[:, None, None]
        weights = attention.softmax(scores)
        return self.out_proj(torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(-2)), weights
