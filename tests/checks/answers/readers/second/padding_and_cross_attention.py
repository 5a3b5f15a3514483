# %% wrong padding_mask: length-0-whole
# takes row valid_len - 1 of a triangle: for a length of 0 that is row -1, the last one, and all keys are open
def my_padding_mask(valid_lens, num_keys):
    triangle = torch.tril(torch.ones(num_keys, num_keys, dtype=torch.bool))
    return triangle[valid_lens - 1][:, None, None, :]


# %% wrong padding_mask: full-row-stops
# a 1 at the first padding, summed up: a text with no padding at all has no such place, and one_hot stops with an error
def my_padding_mask(valid_lens, num_keys):
    first_pad = F.one_hot(valid_lens, num_keys)
    is_padding = first_pad.cumsum(dim=-1).bool()
    return (~is_padding).view(-1, 1, 1, num_keys)


# %% wrong padding_mask: slice-by-lens
# a slice up to a tensor of several lengths is no slice: stops with an error (runs for a batch of 1 only)
def my_padding_mask(valid_lens, num_keys):
    mask = torch.zeros(len(valid_lens), 1, 1, num_keys, dtype=torch.bool)
    mask[..., :valid_lens] = True
    return mask


# %% wrong padding_mask: lens-no-axis
# compares (num_keys,) with (batch,), no axis added: an error, or, where both are equal, one row for the whole batch
def my_padding_mask(valid_lens, num_keys):
    positions = torch.arange(num_keys)
    real = positions < valid_lens
    return real.expand(len(valid_lens), num_keys)[:, None, None, :]


# %% wrong padding_mask: keys-from-lens
# as many places as the longest text has, in place of num_keys: too short when all texts are padded
def my_padding_mask(valid_lens, num_keys):
    longest = valid_lens.max()
    open_keys = torch.arange(longest)[None, :] < valid_lens[:, None]
    return open_keys.unsqueeze(1).unsqueeze(1)


# %% right padding_mask
# right all the same: a loop gives the right table, and the check gives a hint
# the result is right, but a comprehension over the lengths is a loop, and the prompt says without a loop
def my_padding_mask(valid_lens, num_keys):
    rows = [[k < n for k in range(num_keys)] for n in valid_lens.tolist()]
    return torch.tensor(rows, dtype=torch.bool).reshape(len(rows), 1, 1, num_keys)


# %% wrong padding_mask: mask-off-by-one
# counts positions from 1 and compares with <: the last real token of each text is closed
def my_padding_mask(valid_lens, num_keys):
    steps = torch.arange(1, num_keys + 1).repeat(valid_lens.numel(), 1)
    mask = steps.lt(valid_lens.reshape(-1, 1))
    return mask.reshape(-1, 1, 1, num_keys)


# %% wrong padded_softmax: nan-gradient
# adds a table of 0 and -inf, as in the formula, and replaces nan at the end: weights are right, the gradient has nan
def my_padded_softmax(scores, mask):
    to_add = torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)
    closed = scores + to_add
    exps = torch.exp(closed - closed.amax(dim=-1, keepdim=True))
    weights = exps / exps.sum(dim=-1, keepdim=True)
    return torch.where(weights.isnan(), torch.zeros_like(weights), weights)


# %% wrong padded_softmax: max-over-closed
# subtracts the maximum of all keys, closed ones too: a large closed score makes all open ones 0
def my_padded_softmax(scores, mask):
    highest = scores.max(dim=-1, keepdim=True).values
    exps = torch.exp(scores - highest) * mask
    total = exps.sum(dim=-1, keepdim=True)
    return exps / total.masked_fill(total == 0, 1.0)


# %% wrong padded_softmax: global-max
# subtracts the maximum of the whole tensor, not of each row: a row far below the largest one becomes all zeros
def my_padded_softmax(scores, mask):
    scores = scores.masked_fill(~mask, -torch.inf)
    top = scores.max()
    if top == -torch.inf:
        top = torch.tensor(0.0)
    e = torch.exp(scores - top)
    s = e.sum(-1, keepdim=True)
    return e / torch.where(s == 0, 1.0, s)


# %% wrong padded_softmax: scores-cut-off
# keeps exp from overflowing by cutting scores off at 50: large scores that differ get the same weight
def my_padded_softmax(scores, mask):
    small_enough = scores.clamp(max=50.0)
    exps = torch.exp(small_enough).masked_fill(~mask, 0.0)
    totals = exps.sum(dim=-1, keepdim=True)
    totals = totals + (totals == 0)
    return exps / totals


# %% wrong padded_softmax: detached
# no nan in the gradient by having no gradient: all is done under no_grad, nothing can be trained through it
def my_padded_softmax(scores, mask):
    with torch.no_grad():
        s = scores.masked_fill(~mask, -torch.inf)
        exps = torch.exp(s - s.amax(-1, keepdim=True))
        weights = exps / exps.sum(-1, keepdim=True)
        return weights.nan_to_num(0.0)


# %% wrong padded_softmax: mask-as-index
# a boolean index does not broadcast: a mask smaller than the scores is an error (and the caller's scores are changed)
def my_padded_softmax(scores, mask):
    scores[~mask] = -torch.inf
    highest = scores.amax(dim=-1, keepdim=True)
    highest = highest.masked_fill(highest == -torch.inf, 0.0)
    exps = torch.exp(scores - highest)
    totals = exps.sum(dim=-1, keepdim=True)
    return exps / totals.masked_fill(totals == 0, 1.0)


# %% wrong padded_softmax: keepdim-missing
# the sum without keepdim: row sums are laid along the keys, an error or, for square tables, wrong divisors
def my_padded_softmax(scores, mask):
    closed = scores.masked_fill(~mask, -torch.inf)
    row_max = closed.amax(dim=-1, keepdim=True)
    row_max = row_max.masked_fill(row_max == -torch.inf, 0.0)
    exps = torch.exp(closed - row_max)
    sums = exps.sum(dim=-1)
    sums = sums.masked_fill(sums == 0, 1.0)
    return exps / sums


# %% wrong left_padded_mask: length-0-whole
# counts from the end by -n: for a length of 0 the slice -0: is everything, and the empty text is open
def my_left_padded_mask(valid_lens, num_tokens):
    real = torch.zeros(len(valid_lens), 1, 1, num_tokens, dtype=torch.bool)
    for i, n in enumerate(valid_lens.tolist()):
        real[i, :, :, -n:] = True
    return real & attention.causal_mask(num_tokens)


# %% wrong left_padded_mask: padding-sees-itself
# opens the diagonal, so that no row is empty: the paddings attend to themselves
def my_left_padded_mask(valid_lens, num_tokens):
    start = num_tokens - valid_lens
    real = torch.arange(num_tokens) >= start[:, None]
    mask = real[:, None, None, :] & attention.causal_mask(num_tokens)
    return mask | torch.eye(num_tokens, dtype=torch.bool)


# %% wrong left_padded_mask: flipped-together
# joins first and flips then: the causal triangle is turned round with the padding
def my_left_padded_mask(valid_lens, num_tokens):
    padding = attention.padding_mask(valid_lens, num_tokens)
    both = padding & attention.causal_mask(num_tokens)
    return both.flip(-1)


# %% wrong left_padded_mask: pad-at-end
# flips axis -2, which has length 1: nothing is flipped, and the padding is still taken to be at the end
def my_left_padded_mask(valid_lens, num_tokens):
    causal = attention.causal_mask(num_tokens)
    left = torch.flip(attention.padding_mask(valid_lens, num_tokens), dims=[-2])
    return torch.logical_and(left, causal)


# %% wrong left_padded_mask: lens-as-start
# takes valid_lens for the number of paddings: opens from position valid_len on, not from num_tokens - valid_len
def my_left_padded_mask(valid_lens, num_tokens):
    positions = torch.arange(num_tokens)
    not_padding = positions[None, :] >= valid_lens[:, None]
    not_future = positions[None, :] <= positions[:, None]
    return not_padding[:, None, None, :] & not_future[None, None]


# %% wrong left_padded_mask: pad-over-queries
# closes the rows of the padding, not its columns: real tokens go on attending to padding
def my_left_padded_mask(valid_lens, num_tokens):
    first_real = (num_tokens - valid_lens).view(-1, 1, 1, 1)
    queries = torch.arange(num_tokens).view(1, 1, -1, 1)
    return (queries >= first_real) & attention.causal_mask(num_tokens)


# %% wrong left_padded_mask: moved-together
# moves the whole batch by the padding of the longest text: shorter ones end too early
def my_left_padded_mask(valid_lens, num_tokens):
    mask = attention.padding_mask(valid_lens, num_tokens)
    shift = int(num_tokens - valid_lens.max())
    mask = mask.roll(shift, dims=-1)
    return mask & attention.causal_mask(num_tokens)[None, None]


# %% wrong folded_with_lengths: heads-fixed
# the five heads of the page, written in: wrong (an error) for any other number
def my_folded_with_lengths(queries, keys, values, valid_lens):
    lens = valid_lens.repeat_interleave(5)
    mask = attention.padding_mask(lens, keys.shape[1]).squeeze(1)
    return attention.scaled_dot_product_attention(queries, keys, values, mask)


# %% wrong folded_with_lengths: mask-too-flat
# squeeze() takes away both axes of length 1: the lengths end up on the axis of the queries
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = queries.shape[0] // valid_lens.shape[0]
    lens = valid_lens.repeat_interleave(num_heads)
    mask = attention.padding_mask(lens, keys.shape[-2]).squeeze()
    scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    weights = attention.softmax(scores.masked_fill(~mask, -torch.inf))
    return weights @ values, weights


# %% wrong folded_with_lengths: mask-from-queries
# makes the mask as long as there are queries, not keys
def my_folded_with_lengths(queries, keys, values, valid_lens):
    tables, num_tokens, width = queries.shape
    heads = tables // len(valid_lens)
    each = torch.repeat_interleave(valid_lens, heads)
    mask = attention.padding_mask(each, num_tokens)[:, 0]
    return attention.scaled_dot_product_attention(queries, keys, values, mask)


# %% wrong folded_with_lengths: lens-repeat
# unfolds as (heads, batch): the layout is all heads of text 0 first, so heads get other texts' lengths
def my_folded_with_lengths(queries, keys, values, valid_lens):
    batch = len(valid_lens)
    q, k, v = (part.unflatten(0, (-1, batch)) for part in (queries, keys, values))  # (heads, batch, tokens, width)
    mask = attention.padding_mask(valid_lens, k.shape[-2])[:, 0]
    vecs, weights = attention.scaled_dot_product_attention(q, k, v, mask)
    return vecs.flatten(0, 1), weights.flatten(0, 1)


# %% wrong folded_with_lengths: unfolded
# the results are not folded: (batch, num_heads, ...) in place of (batch * num_heads, ...)
def my_folded_with_lengths(queries, keys, values, valid_lens):
    heads = len(queries) // len(valid_lens)
    shape = (len(valid_lens), heads)
    q, k, v = queries.unflatten(0, shape), keys.unflatten(0, shape), values.unflatten(0, shape)
    return attention.scaled_dot_product_attention(q, k, v, attention.padding_mask(valid_lens, k.shape[2]))


# %% wrong folded_with_lengths: heads-miscounted
# repeats each length as often as there are texts, not heads: fits only where the two numbers are equal
def my_folded_with_lengths(queries, keys, values, valid_lens):
    repeats = valid_lens.size(0)
    lens = valid_lens.unsqueeze(1).expand(-1, repeats).flatten()
    mask = attention.padding_mask(lens, keys.size(1))[:, 0]
    context_vecs, attn_weights = attention.scaled_dot_product_attention(queries, keys, values, mask)
    return context_vecs, attn_weights


# %% wrong folded_with_lengths: mask-zero-fill
# sets padded keys and values to zero and uses no mask: a key of zeros still gets weight
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = queries.shape[0] // len(valid_lens)
    keys, values = keys.clone(), values.clone()
    for table in range(queries.shape[0]):
        real = int(valid_lens[table // num_heads])
        keys[table, real:] = 0.0
        values[table, real:] = 0.0
    return attention.scaled_dot_product_attention(queries, keys, values)


# %% wrong cross_attention: values-projected-keys
# without values, takes the projected keys as they are: W_value is skipped then
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        q = self.W_query(queries)
        k = self.W_key(keys)
        v = k if values is None else self.W_value(values)
        q, k, v = (attention.split_heads(part, self.num_heads) for part in (q, k, v))
        mask = None if valid_lens is None else attention.padding_mask(valid_lens, k.shape[-2])
        vecs, weights = attention.scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(attention.merge_heads(vecs)), weights


# %% wrong cross_attention: values-or-keys
# `values or keys` asks a tensor for True or False: an error as soon as values are handed in
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.h = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out, bias=True)

    def forward(self, queries, keys, values=None, valid_lens=None):
        values = values or keys
        q = attention.split_heads(self.W_query(queries), self.h)
        k = attention.split_heads(self.W_key(keys), self.h)
        v = attention.split_heads(self.W_value(values), self.h)
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        if valid_lens is not None:
            scores = scores.masked_fill(~attention.padding_mask(valid_lens, k.shape[2]), -torch.inf)
        weights = attention.softmax(scores)
        return self.out_proj(attention.merge_heads(weights @ v)), weights


# %% wrong cross_attention: widths-swapped
# kdim and vdim are exchanged: the keys' layer takes vdim numbers and the values' layer kdim
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query, self.W_value, self.W_key = [nn.Linear(width, d_out, bias=False) for width in (d_in, kdim, vdim)]
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            values = keys
        mask = None
        if valid_lens is not None:
            mask = attention.padding_mask(valid_lens, keys.shape[1])
        projected = [self.W_query(queries), self.W_key(keys), self.W_value(values)]
        projected = [attention.split_heads(p, self.num_heads) for p in projected]
        context, attn_weights = attention.scaled_dot_product_attention(*projected, mask=mask)
        return self.out_proj(attention.merge_heads(context)), attn_weights


# %% wrong cross_attention: state-leak
# keeps the mask in self: a later call without valid_lens still closes the keys of the call before
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.mask = None
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            values = keys
        if valid_lens is not None:
            self.mask = attention.padding_mask(valid_lens, keys.shape[-2])
        out, weights = attention.scaled_dot_product_attention(
            attention.split_heads(self.W_query(queries), self.num_heads),
            attention.split_heads(self.W_key(keys), self.num_heads),
            attention.split_heads(self.W_value(values), self.num_heads),
            self.mask)
        return self.out_proj(attention.merge_heads(out)), weights


# %% wrong cross_attention: mask-from-queries
# the padding mask is as long as the queries, not the keys: an error, or wrong keys, where the lengths differ
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        batch, num_tokens, _ = queries.shape
        values = keys if values is None else values
        q, k, v = self.W_query(queries), self.W_key(keys), self.W_value(values)
        q, k, v = [attention.split_heads(t, self.heads) for t in (q, k, v)]
        if valid_lens is None:
            mask = None
        else:
            mask = attention.padding_mask(valid_lens, num_tokens)
        notes, w = attention.scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(attention.merge_heads(notes)), w


# %% wrong cross_attention: out-proj-width
# out_proj goes back to d_in, as if something were to be added to the queries: the output must be d_out wide
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_in)

    def _heads(self, layer, x):
        return attention.split_heads(layer(x), self.num_heads)

    def forward(self, queries, keys, values=None, valid_lens=None):
        q, k = self._heads(self.W_query, queries), self._heads(self.W_key, keys)
        v = self._heads(self.W_value, keys if values is None else values)
        lens = torch.full((len(keys),), keys.shape[1]) if valid_lens is None else valid_lens
        vecs, weights = attention.scaled_dot_product_attention(q, k, v, attention.padding_mask(lens, keys.shape[1]))
        return self.out_proj(attention.merge_heads(vecs)), weights


# %% wrong cross_attention: all-masked-nan
# torch.softmax, not the course's: a text of length 0 gives nan, where it should give zeros
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            values = keys
        b, nq, _ = queries.shape
        nk = keys.shape[1]
        q = self.W_query(queries).view(b, nq, self.num_heads, self.head_dim).transpose(1, 2)
        k = self.W_key(keys).view(b, nk, self.num_heads, self.head_dim).transpose(1, 2)
        v = self.W_value(values).view(b, nk, self.num_heads, self.head_dim).transpose(1, 2)
        scores = q @ k.transpose(2, 3) / self.head_dim**0.5
        if valid_lens is not None:
            real = torch.arange(nk) < valid_lens[:, None]
            scores = scores.masked_fill(~real[:, None, None], float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        out = (weights @ v).transpose(1, 2).reshape(b, nq, -1)
        return self.out_proj(out), weights
