# %% wrong padding_mask: mask-off-by-one
# off by one: <= opens the first padding as well
def my_padding_mask(valid_lens, num_keys):
    positions = torch.arange(num_keys)
    return (positions <= valid_lens[:, None])[:, None, None, :]

# %% wrong padding_mask: axes-missing
# two axes only, (batch, num_keys): the axes for heads and queries are missing
def my_padding_mask(valid_lens, num_keys):
    return torch.arange(num_keys) < valid_lens.unsqueeze(1)

# %% wrong padding_mask: mask-inverted
# True = padding: the mask is turned round
def my_padding_mask(valid_lens, num_keys):
    batch = valid_lens.shape[0]
    where = torch.arange(num_keys).expand(batch, num_keys)
    return (where >= valid_lens.view(batch, 1)).view(batch, 1, 1, num_keys)

# %% right padding_mask
# right all the same: a loop gives the right table, and the check gives a hint
# fills it with a loop over the texts, which the prompt forbids; the values are right
def my_padding_mask(valid_lens, num_keys):
    allowed = torch.zeros(len(valid_lens), num_keys, dtype=torch.bool)
    for text in range(len(valid_lens)):
        allowed[text, : valid_lens[text]] = True
    return allowed[:, None, None, :]

# %% wrong padding_mask: lens-no-axis
# compares (num_keys,) with (batch,), no axis added: error, or wrong when batch equals num_keys
def my_padding_mask(valid_lens, num_keys):
    mask = torch.arange(num_keys) < valid_lens
    return mask[:, None, None, :]

# %% wrong padding_mask: keys-from-lens
# uses the longest length in place of num_keys: too narrow if no text fills all places
def my_padding_mask(valid_lens, num_keys):
    longest = int(valid_lens.max())
    keys = torch.arange(longest)[None, None, None, :]
    return keys < valid_lens[:, None, None, None]

# %% wrong padding_mask: pad-over-queries
# lengths on the axis of the queries: (batch, 1, num_keys, 1)
def my_padding_mask(valid_lens, num_keys):
    real = torch.arange(num_keys)[None, :] < valid_lens[:, None]
    return real[:, None, :, None]

# %% right padding_mask
# cumulative sum of ones, compared from the other side
def my_padding_mask(valid_lens, num_keys):
    counted = torch.ones(valid_lens.shape[0], 1, 1, num_keys, dtype=torch.long).cumsum(dim=-1)
    return torch.le(counted, valid_lens.reshape(-1, 1, 1, 1))

# %% right padding_mask
# picks rows of a lower triangle: row n has n open keys
def my_padding_mask(valid_lens, num_keys):
    staircase = torch.ones(num_keys + 1, num_keys, dtype=torch.bool).tril(diagonal=-1)
    rows = staircase[valid_lens]
    return rows.unsqueeze(1).unsqueeze(1)

# %% wrong padded_softmax: all-masked-uniform
# fills with -1e9 in place of -inf: a row with nothing open gets equal weights
def my_padded_softmax(scores, mask):
    scores = scores.masked_fill(~mask, -1e9)
    exps = torch.exp(scores - scores.max(dim=-1, keepdim=True).values)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong padded_softmax: naive-overflow
# forgets the maximum: large scores overflow to inf / inf
def my_padded_softmax(scores, mask):
    exps = torch.exp(scores).masked_fill(~mask, 0.0)
    total = exps.sum(-1, keepdim=True)
    total = torch.where(total == 0, torch.ones_like(total), total)
    return exps / total

# %% wrong padded_softmax: nan-gradient
# adds 0 or -inf and mends the nan afterwards: the weights are right, the gradient of an empty row is nan
def my_padded_softmax(scores, mask):
    penalty = torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)
    closed = scores + penalty
    exps = torch.exp(closed - closed.amax(dim=-1, keepdim=True))
    weights = exps / exps.sum(dim=-1, keepdim=True)
    return torch.nan_to_num(weights, nan=0.0)

# %% wrong padded_softmax: all-masked-nan
# mends the maximum, but not the sum: 0 / 0 in an empty row
def my_padded_softmax(scores, mask):
    s = torch.where(mask, scores, torch.tensor(-torch.inf))
    top = s.amax(-1, keepdim=True)
    top = top.masked_fill(top == -torch.inf, 0.0)
    e = (s - top).exp()
    return e / e.sum(-1, keepdim=True)

# %% wrong padded_softmax: max-over-closed
# the maximum is taken over all scores, closed ones too: a large closed score pushes the open ones to 0
def my_padded_softmax(scores, mask):
    shifted = scores - scores.max(dim=-1, keepdim=True)[0]
    exps = torch.exp(shifted) * mask
    sums = exps.sum(dim=-1, keepdim=True)
    sums = sums + (sums == 0)
    return exps / sums

# %% wrong padded_softmax: mask-inverted
# closes the open ones: masked_fill with mask in place of ~mask
def my_padded_softmax(scores, mask):
    attn_scores = scores.masked_fill(mask, -torch.inf)
    highest = attn_scores.max(dim=-1, keepdim=True).values
    highest = highest.masked_fill(highest == -torch.inf, 0.0)
    exps = torch.exp(attn_scores - highest)
    totals = exps.sum(dim=-1, keepdim=True)
    return exps / totals.masked_fill(totals == 0, 1.0)

# %% wrong padded_softmax: mask-after-softmax
# softmax over all keys first, then zeros: the rows do not sum to 1 any more
def my_padded_softmax(scores, mask):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    weights = exps / exps.sum(dim=-1, keepdim=True)
    return weights.masked_fill(~mask, 0.0)

# %% right padded_softmax
# finite stand-in for the maximum, exponentials multiplied by the mask; clamp of the sum
def my_padded_softmax(scores, mask):
    lowest = torch.finfo(scores.dtype).min
    open_scores = torch.where(mask, scores, lowest)
    top = open_scores.detach().max(dim=-1, keepdim=True).values
    exps = torch.where(mask, torch.exp(open_scores - top), 0.0)
    has_any = mask.any(dim=-1, keepdim=True)
    total = exps.sum(-1, keepdim=True)
    return exps / torch.where(has_any, total, 1.0)

# %% right padded_softmax
# mends the nan afterwards with nan_to_num; masked_fill lets no gradient through, so that of the scores is 0, not nan
def my_padded_softmax(scores, mask):
    closed = scores.masked_fill(~mask, -torch.inf)
    highest = closed.amax(dim=-1, keepdim=True)
    exps = torch.exp(closed - highest)
    weights = exps / exps.sum(dim=-1, keepdim=True)
    return torch.nan_to_num(weights, nan=0.0)

# %% right padded_softmax
# flat loop over rows, early handling of empty rows; torch.stack at the end
def my_padded_softmax(scores, mask):
    mask = mask.expand(scores.shape)
    rows = []
    for row, is_open in zip(scores.reshape(-1, scores.shape[-1]), mask.reshape(-1, scores.shape[-1])):
        if not is_open.any():
            rows.append(torch.zeros_like(row))
            continue
        row = row.masked_fill(~is_open, -torch.inf)
        e = torch.exp(row - row.max())
        rows.append(e / e.sum())
    return torch.stack(rows).reshape(scores.shape)

# %% wrong left_padded_mask: pad-at-end
# pads at the end, not in front
def my_left_padded_mask(valid_lens, num_tokens):
    return attention.padding_mask(valid_lens, num_tokens) & attention.causal_mask(num_tokens)

# %% wrong left_padded_mask: masks-ored
# joins with | in place of &
def my_left_padded_mask(valid_lens, num_tokens):
    start = num_tokens - valid_lens
    real = torch.arange(num_tokens) >= start[:, None]
    return real[:, None, None, :] | attention.causal_mask(num_tokens)

# %% wrong left_padded_mask: pad-off-by-one
# off by one: > in place of >=, the first real token is closed
def my_left_padded_mask(valid_lens, num_tokens):
    first = (num_tokens - valid_lens).view(-1, 1, 1, 1)
    keys = torch.arange(num_tokens).view(1, 1, 1, -1)
    queries = keys.transpose(-1, -2)
    return (keys > first) & (keys <= queries)

# %% wrong left_padded_mask: lens-as-start
# begins at valid_lens in place of num_tokens - valid_lens
def my_left_padded_mask(valid_lens, num_tokens):
    positions = torch.arange(num_tokens)
    not_padding = positions[None, :] >= valid_lens[:, None]
    causal = attention.causal_mask(num_tokens)
    return not_padding[:, None, None, :] & causal[None, None]

# %% wrong left_padded_mask: padding-only
# forgets the future: padding only, and (batch, 1, 1, num_tokens)
def my_left_padded_mask(valid_lens, num_tokens):
    mask = attention.padding_mask(valid_lens, num_tokens)
    return mask.flip(-1)

# %% wrong left_padded_mask: axes-missing
# only one axis is added: the result has three axes, (batch, num_tokens, num_tokens)
def my_left_padded_mask(valid_lens, num_tokens):
    real = torch.arange(num_tokens) >= (num_tokens - valid_lens)[:, None]
    return real[:, None, :] & torch.ones(num_tokens, num_tokens).bool().tril()

# %% wrong left_padded_mask: flipped-together
# flips the finished mask (padding and causal) along the keys: the future is flipped too
def my_left_padded_mask(valid_lens, num_tokens):
    right_padded = attention.padding_mask(valid_lens, num_tokens) & attention.causal_mask(num_tokens)
    return right_padded.flip(dims=[-1])

# %% right left_padded_mask
# the course's mask flipped along the keys, before it meets the causal one
def my_left_padded_mask(valid_lens, num_tokens):
    padding = attention.padding_mask(valid_lens, num_tokens).flip(-1)
    both = torch.logical_and(padding, attention.causal_mask(num_tokens))
    return both

# %% right left_padded_mask
# loops: fills the triangle at the bottom right of each text
def my_left_padded_mask(valid_lens, num_tokens):
    masks = torch.zeros(len(valid_lens), 1, num_tokens, num_tokens, dtype=torch.bool)
    for i, length in enumerate(valid_lens.tolist()):
        first = num_tokens - length
        for query in range(first, num_tokens):
            masks[i, 0, query, first:query + 1] = True
    return masks

# %% wrong folded_with_lengths: lens-repeat
# repeat in place of repeat_interleave: lengths take turns
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = queries.shape[0] // len(valid_lens)
    lens = valid_lens.repeat(num_heads)
    mask = attention.padding_mask(lens, keys.shape[1])[:, 0]
    return attention.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong folded_with_lengths: mask-broadcast
# hands on the mask with four axes: the course's function refuses it (ValueError)
def my_folded_with_lengths(queries, keys, values, valid_lens):
    heads = queries.size(0) // valid_lens.size(0)
    mask = attention.padding_mask(valid_lens.repeat_interleave(heads), keys.size(1))
    return attention.scaled_dot_product_attention(queries, keys, values, mask=mask)

# %% wrong folded_with_lengths: lens-not-repeated
# takes the lengths as they are: the mask has batch rows, the scores batch * num_heads
def my_folded_with_lengths(queries, keys, values, valid_lens):
    mask = attention.padding_mask(valid_lens, keys.shape[-2]).squeeze(1)
    vecs, weights = attention.scaled_dot_product_attention(queries, keys, values, mask)
    return vecs, weights

# %% wrong folded_with_lengths: heads-fixed
# five heads as on the page: fails for every other number
def my_folded_with_lengths(queries, keys, values, valid_lens):
    lens = valid_lens.repeat_interleave(5)
    mask = attention.padding_mask(lens, keys.shape[1])[:, 0]
    scores = torch.bmm(queries, keys.transpose(1, 2)) / queries.shape[-1] ** 0.5
    weights = attention.softmax(scores.masked_fill(~mask, -torch.inf))
    return torch.bmm(weights, values), weights

# %% wrong folded_with_lengths: mask-from-queries
# builds the mask as long as the queries, not the keys: fits only when both are the same
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_tables, num_tokens, _ = queries.shape
    each = num_tables // valid_lens.shape[0]
    mask = attention.padding_mask(valid_lens.repeat_interleave(each), num_tokens)[:, 0]
    return attention.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong folded_with_lengths: unfolded
# unfolds the results: returns (batch, num_heads, ...), the prompt wants them folded
def my_folded_with_lengths(queries, keys, values, valid_lens):
    batch = len(valid_lens)
    q, k, v = (part.unflatten(0, (batch, -1)) for part in (queries, keys, values))
    mask = attention.padding_mask(valid_lens, keys.shape[1])
    return attention.scaled_dot_product_attention(q, k, v, mask)

# %% wrong folded_with_lengths: outputs-swapped
# returns the pair in the wrong order: weights first
def my_folded_with_lengths(queries, keys, values, valid_lens):
    n = queries.shape[0] // valid_lens.shape[0]
    longer = torch.repeat_interleave(valid_lens, n)
    open_keys = torch.arange(keys.shape[1]) < longer[:, None]
    scores = queries @ keys.mT * queries.shape[-1] ** -0.5
    weights = attention.softmax(scores.masked_fill(~open_keys[:, None], -torch.inf))
    return weights, weights @ values

# %% right folded_with_lengths
# unfolds, attends with four axes, and folds again
def my_folded_with_lengths(queries, keys, values, valid_lens):
    batch = valid_lens.shape[0]
    parts = [t.unflatten(0, (batch, t.shape[0] // batch)) for t in (queries, keys, values)]
    mask = attention.padding_mask(valid_lens, keys.size(1))
    vecs, weights = attention.scaled_dot_product_attention(*parts, mask=mask)
    return vecs.flatten(0, 1), weights.flatten(0, 1)

# %% right folded_with_lengths
# table by table with the real keys alone, zeros elsewhere; no mask at all
def my_folded_with_lengths(queries, keys, values, valid_lens):
    tables = len(queries)
    num_heads = tables // len(valid_lens)
    weights = torch.zeros(tables, queries.shape[1], keys.shape[1])
    vecs = torch.zeros(tables, queries.shape[1], values.shape[2])
    for i in range(tables):
        n = int(valid_lens[i // num_heads])
        if n == 0:
            continue
        w = torch.softmax(queries[i] @ keys[i, :n].T / math.sqrt(queries.shape[2]), dim=-1)
        weights[i, :, :n] = w
        vecs[i] = w @ values[i, :n]
    return vecs, weights

# %% wrong cross_attention: values-from-queries
# values default to the queries in place of the keys: fails (or is wrong) where the lengths or widths differ
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
            values = queries
        mask = None if valid_lens is None else attention.padding_mask(valid_lens, keys.shape[1])
        q = attention.split_heads(self.W_query(queries), self.num_heads)
        k = attention.split_heads(self.W_key(keys), self.num_heads)
        v = attention.split_heads(self.W_value(values), self.num_heads)
        vecs, weights = attention.scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(attention.merge_heads(vecs)), weights

# %% wrong cross_attention: lens-required
# valid_lens=None is not handled: padding_mask stops with an error
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        values = keys if values is None else values
        q, k, v = self.W_query(queries), self.W_key(keys), self.W_value(values)
        q, k, v = [attention.split_heads(part, self.heads) for part in (q, k, v)]
        mask = attention.padding_mask(valid_lens, keys.shape[-2])
        out, weights = attention.scaled_dot_product_attention(q, k, v, mask=mask)
        return self.out_proj(attention.merge_heads(out)), weights

# %% wrong cross_attention: one-width
# all three layers take d_in: kdim and vdim are not used
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query, self.W_key, self.W_value = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            values = keys
        split = lambda x: attention.split_heads(x, self.num_heads)
        q, k, v = split(self.W_query(queries)), split(self.W_key(keys)), split(self.W_value(values))
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if valid_lens is not None:
            scores = scores.masked_fill(~attention.padding_mask(valid_lens, k.shape[2]), -torch.inf)
        w = attention.softmax(scores)
        return self.out_proj(attention.merge_heads(w @ v)), w

# %% wrong cross_attention: pad-over-queries
# padding mask on the axis of the queries: the mask is turned, with the queries' number of tokens
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out, bias=True)

    def forward(self, queries, keys, values=None, valid_lens=None):
        v_in = keys if values is None else values
        q = attention.split_heads(self.W_query(queries), self.num_heads)
        k = attention.split_heads(self.W_key(keys), self.num_heads)
        v = attention.split_heads(self.W_value(v_in), self.num_heads)
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.shape[-1])
        if valid_lens is not None:
            real = torch.arange(queries.shape[1]) < valid_lens[:, None]
            scores = scores.masked_fill(~real[:, None, :, None], -torch.inf)
        weights = attention.softmax(scores)
        heads = torch.einsum("bhqk,bhkd->bhqd", weights, v)
        return self.out_proj(attention.merge_heads(heads)), weights

# %% wrong cross_attention: weights-averaged
# returns the weights averaged over the heads, the prompt wants them per head
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        mask = None
        if values is None:
            values = keys
        if valid_lens is not None:
            mask = attention.padding_mask(valid_lens, keys.shape[1])
        projected = self.W_query(queries), self.W_key(keys), self.W_value(values)
        parts = [attention.split_heads(p, self.num_heads) for p in projected]
        notes, attn_weights = attention.scaled_dot_product_attention(*parts, mask=mask)
        return self.out_proj(attention.merge_heads(notes)), attn_weights.mean(dim=1)

# %% wrong cross_attention: all-masked-nan
# torch.softmax in place of the course's: a text of length 0 gives nan
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def split(self, x):
        batch, tokens, _ = x.shape
        return x.view(batch, tokens, self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, queries, keys, values=None, valid_lens=None):
        values = values if values is not None else keys
        q, k, v = self.split(self.W_query(queries)), self.split(self.W_key(keys)), self.split(self.W_value(values))
        scores = q @ k.mT / self.head_dim**0.5
        if valid_lens is not None:
            open_keys = torch.arange(k.shape[2])[None] < valid_lens[:, None]
            scores = torch.where(open_keys[:, None, None], scores, -torch.inf)
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ v).transpose(1, 2).flatten(2)
        return self.out_proj(out), weights

# %% wrong cross_attention: values-or-keys
# writes "values or keys": the truth of a tensor with many numbers is an error
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
        q, k, v = self.W_query(queries), self.W_key(keys), self.W_value(values)
        context, weights = attention.scaled_dot_product_attention(
            *(attention.split_heads(t, self.num_heads) for t in (q, k, v)), mask=mask
        )
        return self.out_proj(attention.merge_heads(context)), weights

# %% right cross_attention
# head by head with chunk, padding by a score of -inf, all lengths full if none are given
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        widths = {"W_query": d_in, "W_key": kdim, "W_value": vdim}
        for name, width in widths.items():
            self.add_module(name, nn.Linear(width, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out)
        self.n = num_heads

    def forward(self, queries, keys, values=None, valid_lens=None):
        values = keys if values is None else values
        if valid_lens is None:
            valid_lens = torch.full((keys.shape[0],), keys.shape[1])
        mask = attention.padding_mask(valid_lens, keys.shape[1])[:, 0]
        found = [
            attention.scaled_dot_product_attention(q, k, v, mask)
            for q, k, v in zip(
                self.W_query(queries).chunk(self.n, -1), self.W_key(keys).chunk(self.n, -1),
                self.W_value(values).chunk(self.n, -1),
            )
        ]
        vecs = torch.cat([pair[0] for pair in found], dim=-1)
        return self.out_proj(vecs), torch.stack([pair[1] for pair in found], dim=1)

# %% right cross_attention
# folds heads into the batch, bmm, lengths by repeat_interleave; softmax of its own
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def fold(self, x):
        return attention.split_heads(x, self.num_heads).flatten(0, 1)

    def forward(self, queries, keys, values=None, valid_lens=None):
        batch = queries.shape[0]
        if values is None:
            values = keys
        q, k, v = self.fold(self.W_query(queries)), self.fold(self.W_key(keys)), self.fold(self.W_value(values))
        scores = torch.bmm(q, k.transpose(1, 2)) * q.shape[-1] ** -0.5
        if valid_lens is not None:
            lens = valid_lens.repeat_interleave(self.num_heads)
            closed = torch.arange(k.shape[1])[None, None, :] >= lens[:, None, None]
            scores.masked_fill_(closed, -torch.inf)
        weights = attention.softmax(scores)
        out = torch.bmm(weights, v).unflatten(0, (batch, self.num_heads))
        return self.out_proj(attention.merge_heads(out)), weights.unflatten(0, (batch, self.num_heads))
