# %% wrong padding_mask: mask-off-by-one
# off by one: counts positions from 1 but still compares with <, so the last real token of each text is closed
def my_padding_mask(valid_lens, num_keys):
    positions = torch.arange(1, num_keys + 1)
    is_real = positions.unsqueeze(0) < valid_lens.unsqueeze(1)
    return is_real.unsqueeze(1).unsqueeze(1)

# %% wrong padding_mask: keys-from-lens
# ignores num_keys: the mask is as wide as the longest text of the batch, too narrow if no text fills all places
def my_padding_mask(valid_lens, num_keys):
    longest = int(valid_lens.max())
    allowed = torch.arange(longest)[None, :] < valid_lens[:, None]
    return allowed.view(len(valid_lens), 1, 1, longest)

# %% right padding_mask
# right all the same: a loop gives the right table, and the check gives a hint
# the prompt forbids a loop, and a list comprehension over the texts is one (the result is right)
def my_padding_mask(valid_lens, num_keys):
    rows = [[True] * int(n) + [False] * (num_keys - int(n)) for n in valid_lens]
    return torch.tensor(rows, dtype=torch.bool).reshape(-1, 1, 1, num_keys)

# %% wrong padding_mask: full-row-stops
# F.one_hot with num_keys classes marks the first padding; a text of full length has no such place, and it
# stops with an error (Class values must be smaller than num_classes)
def my_padding_mask(valid_lens, num_keys):
    first_padding = F.one_hot(valid_lens, num_keys)
    is_padding = first_padding.cumsum(dim=-1) > 0
    return ~is_padding[:, None, None, :]

# %% wrong padding_mask: axes-missing
# forgot the axis of the heads: the mask is (batch, 1, num_keys), as in the page's example without heads
def my_padding_mask(valid_lens, num_keys):
    lens = valid_lens.reshape(-1, 1, 1)
    return torch.lt(torch.arange(num_keys), lens)

# %% right padding_mask
# rows of a lower triangle are looked up by length: row n has n ones
def my_padding_mask(valid_lens, num_keys):
    table = torch.ones(num_keys + 1, num_keys).tril(diagonal=-1).bool()
    return table[valid_lens][:, None, None]

# %% right padding_mask
# subtracts and looks at the sign, with the four axes from the start
def my_padding_mask(valid_lens, num_keys):
    left_over = valid_lens.view(-1, 1, 1, 1) - torch.arange(num_keys).view(1, 1, 1, -1)
    return left_over.clamp(min=0).to(torch.bool)

# %% wrong padded_softmax: nan-gradient
# closes by adding -inf and repairs the nan at the end with nan_to_num: the weights are right, but the gradient of an
# empty row is still nan
def my_padded_softmax(scores, mask):
    closed = scores + torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)
    exps = torch.exp(closed - closed.max(dim=-1, keepdim=True).values)
    return torch.nan_to_num(exps / exps.sum(dim=-1, keepdim=True))

# %% wrong padded_softmax: max-over-closed
# takes the maximum over all scores, also the closed ones: if padding has a far larger score than the open keys,
# every open exponential underflows to 0 and the row comes out as zeros
def my_padded_softmax(scores, mask):
    top = scores.amax(dim=-1, keepdim=True)
    exps = torch.exp(scores - top) * mask
    total = exps.sum(dim=-1, keepdim=True)
    return exps / torch.where(total == 0, torch.ones_like(total), total)

# %% wrong padded_softmax: empty-whole
# treats the empty case for the whole tensor only: as soon as one row is open, the empty rows beside it are nan
def my_padded_softmax(scores, mask):
    if not mask.any():
        return torch.zeros_like(scores)
    s = torch.where(mask, scores, torch.tensor(float("-inf")))
    s = s - s.max(-1, keepdim=True)[0]
    e = s.exp()
    return e / e.sum(-1, keepdim=True)

# %% wrong padded_softmax: keepdim-missing
# forgot keepdim=True at the maximum and the sum: (..., num_keys) minus (...) stops with an error, or, where the
# sizes happen to agree, mixes up the rows
def my_padded_softmax(scores, mask):
    masked = scores.masked_fill(mask.logical_not(), -torch.inf)
    highest = masked.amax(dim=-1)
    highest = highest.masked_fill(highest == -torch.inf, 0.0)
    weights = torch.exp(masked - highest)
    denominator = weights.sum(dim=-1)
    return weights / denominator.masked_fill(denominator == 0, 1.0)

# %% wrong padded_softmax: mask-zero-fill
# closes keys by multiplying the scores by 0: a score of 0 has the exponential 1, so closed keys get weight
# (and an empty row equal weights)
def my_padded_softmax(scores, mask):
    kept = scores * mask.float()
    kept = kept - kept.amax(dim=-1, keepdim=True)
    numerators = torch.exp(kept)
    return numerators.div(numerators.sum(dim=-1, keepdim=True))

# %% right padded_softmax
# a loop over rows: the softmax of the open scores alone, put back to their places; empty rows stay zero
def my_padded_softmax(scores, mask):
    scores, mask = torch.broadcast_tensors(scores, mask)
    rows = []
    for row, is_open in zip(scores.reshape(-1, scores.shape[-1]), mask.reshape(-1, scores.shape[-1])):
        weights = torch.zeros_like(row)
        if is_open.any():
            some = row[is_open]
            exps = torch.exp(some - some.max())
            weights = weights.index_put((is_open.nonzero()[:, 0],), exps / exps.sum())
        rows.append(weights)
    return torch.stack(rows).reshape(scores.shape)

# %% right padded_softmax
# exp of the score minus the row's log-sum-exp; empty rows are opened with scores 0 and multiplied away at the end
def my_padded_softmax(scores, mask):
    mask = mask.expand_as(scores)
    empty = ~mask.any(dim=-1, keepdim=True)
    safe = scores.masked_fill(~mask, -torch.inf).masked_fill(empty, 0.0)
    log_total = torch.logsumexp(safe, dim=-1, keepdim=True)
    return torch.exp(safe - log_total) * mask

# %% wrong left_padded_mask: length-0-whole
# the slice -n: takes the last n places, but for a text of length 0 it is -0:, which opens all places
def my_left_padded_mask(valid_lens, num_tokens):
    real = torch.zeros(len(valid_lens), num_tokens, dtype=torch.bool)
    for i, n in enumerate(valid_lens.tolist()):
        real[i, -n:] = True
    return real[:, None, None, :] & causal_mask(num_tokens)

# %% wrong left_padded_mask: flipped-together
# builds the mask for padding at the end and flips the joined one: the causal triangle is flipped along with it,
# so tokens see later ones and not earlier ones
def my_left_padded_mask(valid_lens, num_tokens):
    joined = padding_mask(valid_lens, num_tokens) & causal_mask(num_tokens)
    return joined.flip(-1)

# %% wrong left_padded_mask: padding-sees-itself
# lets every token see itself so that no row is empty: a padding then attends to padding, which is forbidden
def my_left_padded_mask(valid_lens, num_tokens):
    start = (num_tokens - valid_lens)[:, None, None, None]
    q = torch.arange(num_tokens)[:, None]
    k = torch.arange(num_tokens)[None, :]
    return ((k >= start) & (k <= q)) | (k == q)

# %% wrong left_padded_mask: lens-as-start
# forgot num_tokens - : takes the places from valid_len on as real, so 3 real tokens of 5 begin at place 3, not 2
def my_left_padded_mask(valid_lens, num_tokens):
    places = torch.arange(num_tokens)
    is_real = places >= valid_lens.unsqueeze(-1)
    both = torch.logical_and(is_real.unsqueeze(1), torch.tril(torch.ones(num_tokens, num_tokens)).bool())
    return both.unsqueeze(1)

# %% wrong left_padded_mask: mask-not-bool
# multiplies masks of 0 and 1: the right pattern, but int64 and not bool
def my_left_padded_mask(valid_lens, num_tokens):
    real = padding_mask(valid_lens, num_tokens).flip(-1).long()
    past = causal_mask(num_tokens).long()
    return real * past

# %% right left_padded_mask
# loops over texts, queries and keys, cell by cell; no loop is forbidden here
def my_left_padded_mask(valid_lens, num_tokens):
    cells = []
    for length in valid_lens:
        begin = num_tokens - int(length)
        cells.append([[[begin <= key <= query for key in range(num_tokens)] for query in range(num_tokens)]])
    return torch.tensor(cells, dtype=torch.bool).reshape(len(valid_lens), 1, num_tokens, num_tokens)

# %% right left_padded_mask
# a square of ones for the real tokens of each text (real query times real key), cut by tril: no causal_mask
def my_left_padded_mask(valid_lens, num_tokens):
    real = torch.arange(num_tokens).flip(0) < valid_lens[:, None]
    square = torch.einsum("bq,bk->bqk", real.float(), real.float())
    return square.tril().bool().unsqueeze(1)

# %% wrong folded_with_lengths: lens-repeat
# takes the folded axis as heads first, then texts: tables get the other text's length, like repeat
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = queries.shape[0] // valid_lens.shape[0]
    lens = valid_lens.expand(num_heads, -1).reshape(-1)
    mask = torch.arange(keys.shape[1]) < lens[:, None]
    return attention.scaled_dot_product_attention(queries, keys, values, mask[:, None])

# %% wrong folded_with_lengths: mask-broadcast
# hands the four axes of padding_mask to scores with three: attention stops with a ValueError
def my_folded_with_lengths(queries, keys, values, valid_lens):
    per_text = len(queries) // len(valid_lens)
    mask = padding_mask(torch.repeat_interleave(valid_lens, per_text), keys.size(-2))
    context_vecs, attn_weights = attention.scaled_dot_product_attention(queries, keys, values, mask=mask)
    return context_vecs, attn_weights

# %% wrong folded_with_lengths: mask-from-queries
# takes the width of the mask from the queries: right for self-attention, an error where there are fewer or more
# queries than keys
def my_folded_with_lengths(queries, keys, values, valid_lens):
    tables, num_tokens, _ = queries.shape
    n = valid_lens.repeat_interleave(tables // len(valid_lens)).view(tables, 1, 1)
    is_real = torch.arange(num_tokens).view(1, 1, -1) < n
    scores = torch.bmm(queries, keys.transpose(1, 2)) / queries.shape[-1] ** 0.5
    weights = attention.softmax(scores.masked_fill(~is_real, -torch.inf))
    return torch.bmm(weights, values), weights

# %% wrong folded_with_lengths: unfolded
# returns both results unfolded, (batch, num_heads, ...), where the prompt wants them folded
def my_folded_with_lengths(queries, keys, values, valid_lens):
    batch = len(valid_lens)
    q, k, v = (x.unflatten(0, (batch, -1)) for x in (queries, keys, values))
    return attention.scaled_dot_product_attention(q, k, v, padding_mask(valid_lens, keys.shape[1]))

# %% wrong folded_with_lengths: mask-after-softmax
# sets the weights of padding to 0 after softmax and does not divide again: the rows sum to less than 1
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = len(queries) // len(valid_lens)
    _, attn_weights = attention.scaled_dot_product_attention(queries, keys, values)
    attn_weights = attn_weights.clone()
    for table in range(len(queries)):
        attn_weights[table, :, valid_lens[table // num_heads]:] = 0.0
    return attn_weights @ values, attn_weights

# %% right folded_with_lengths
# unfolds, attends with four axes, and folds again
def my_folded_with_lengths(queries, keys, values, valid_lens):
    batch = valid_lens.numel()
    heads = queries.shape[0] // batch
    split = [t.view(batch, heads, *t.shape[1:]) for t in map(torch.Tensor.contiguous, (queries, keys, values))]
    mixed, weights = attention.scaled_dot_product_attention(*split, padding_mask(valid_lens, keys.shape[1]))
    return mixed.flatten(0, 1), weights.flatten(0, 1)

# %% right folded_with_lengths
# PyTorch's function twice: with the identity as values it gives the weights, and then the weights are mixed by bmm
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_tables, num_keys = keys.shape[0], keys.shape[1]
    text_of_table = torch.arange(num_tables) // (num_tables // valid_lens.shape[0])
    allowed = torch.arange(num_keys)[None, None, :] < valid_lens[text_of_table][:, None, None]
    allowed = allowed.expand(-1, queries.shape[1], -1)
    identity = torch.eye(num_keys, dtype=queries.dtype).expand(num_tables, -1, -1)
    attn_weights = F.scaled_dot_product_attention(queries, keys, identity, attn_mask=allowed)
    return attn_weights.bmm(values), attn_weights

# %% wrong cross_attention: state-leak
# keeps the mask of the last call: a later call without valid_lens still uses it
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
        values = keys if values is None else values
        if valid_lens is not None:
            self.mask = padding_mask(valid_lens, keys.shape[-2])
        q, k, v = (split_heads(x, self.num_heads)
                   for x in (self.W_query(queries), self.W_key(keys), self.W_value(values)))
        vecs, weights = attention.scaled_dot_product_attention(q, k, v, self.mask)
        return self.out_proj(merge_heads(vecs)), weights

# %% wrong cross_attention: lens-as-truth
# asks "if valid_lens:", which for a tensor of two or more lengths stops with an error (ambiguous), and for a
# single text of length 0 forgets the mask
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.h, self.d = num_heads, d_out // num_heads
        for name, width in (("W_query", d_in), ("W_key", kdim), ("W_value", vdim)):
            setattr(self, name, nn.Linear(width, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            values = keys
        q = self.W_query(queries).unflatten(-1, (self.h, self.d)).transpose(1, 2)
        k = self.W_key(keys).unflatten(-1, (self.h, self.d)).transpose(1, 2)
        v = self.W_value(values).unflatten(-1, (self.h, self.d)).transpose(1, 2)
        scores = q @ k.mT / self.d**0.5
        if valid_lens:
            scores = scores.masked_fill(~padding_mask(valid_lens, keys.shape[1]), -torch.inf)
        weights = attention.softmax(scores)
        return self.out_proj((weights @ v).transpose(1, 2).flatten(2)), weights

# %% wrong cross_attention: ready-made
# the course's class is forbidden, and this inherits from it (the numbers are right)
class MyCrossAttention(attention.MultiHeadAttention):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__(d_in, d_out, num_heads, kdim=kdim, vdim=vdim)

    def forward(self, queries, keys, values=None, valid_lens=None):
        mask = None
        if valid_lens is not None:
            mask = padding_mask(valid_lens, keys.shape[1])
        return super().forward(queries, keys, values, mask=mask)

# %% wrong cross_attention: scale-model + weights-averaged
# two mistakes: divides the scores by the root of d_out, not of the head's width, and returns the weights
# averaged over the heads, as PyTorch's class does
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads, self.d_out = num_heads, d_out
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        values = values if values is not None else keys
        q = split_heads(self.W_query(queries), self.num_heads)
        k = split_heads(self.W_key(keys), self.num_heads)
        v = split_heads(self.W_value(values), self.num_heads)
        attn_scores = torch.einsum("bhqd,bhkd->bhqk", q, k) * self.d_out**-0.5
        if valid_lens is not None:
            attn_scores = attn_scores.masked_fill(~padding_mask(valid_lens, k.shape[2]), -torch.inf)
        attn_weights = attention.softmax(attn_scores)
        context_vecs = torch.einsum("bhqk,bhkd->bhqd", attn_weights, v)
        return self.out_proj(merge_heads(context_vecs)), attn_weights.mean(dim=1)

# %% wrong cross_attention: values-projected-keys
# takes the keys as values after they were projected and split: without values, W_value is left out
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out, bias=True)

    def project(self, layer, x):
        return split_heads(layer(x), self.num_heads)

    def forward(self, queries, keys, values=None, valid_lens=None):
        queries = self.project(self.W_query, queries)
        keys = self.project(self.W_key, keys)
        values = keys if values is None else self.project(self.W_value, values)
        mask = None if valid_lens is None else padding_mask(valid_lens, keys.shape[-2])
        context_vecs, attn_weights = attention.scaled_dot_product_attention(queries, keys, values, mask)
        return self.out_proj(merge_heads(context_vecs)), attn_weights

# %% right cross_attention
# loops over texts and heads and cuts the padding off in place of a mask, as the page's slow way
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.head_dim = d_out // num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(w, d_out, bias=False) for w in (d_in, kdim, vdim))
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        batch, num_keys = keys.shape[:2]
        lens = [num_keys] * batch if valid_lens is None else [int(n) for n in valid_lens]
        q, k = self.W_query(queries), self.W_key(keys)
        v = self.W_value(keys if values is None else values)
        all_vecs, all_weights = [], []
        for text, n in enumerate(lens):
            vecs, weights = [], []
            for qh, kh, vh in zip(*(x[text].split(self.head_dim, dim=-1) for x in (q, k, v))):
                w = attention.softmax(qh @ kh[:n].T / math.sqrt(self.head_dim))
                vecs.append(w @ vh[:n])
                weights.append(F.pad(w, (0, num_keys - n)))
            all_vecs.append(torch.cat(vecs, dim=-1))
            all_weights.append(torch.stack(weights))
        return self.out_proj(torch.stack(all_vecs)), torch.stack(all_weights)

# %% right cross_attention
# einsum without split_heads, merge_heads or padding_mask; without values it calls itself with the keys
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.n_head = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            return self.forward(queries, keys, keys, valid_lens)
        heads = (self.n_head, self.out_proj.in_features // self.n_head)
        q = self.W_query(queries).unflatten(-1, heads)
        k = self.W_key(keys).unflatten(-1, heads)
        v = self.W_value(values).unflatten(-1, heads)
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / heads[1] ** 0.5
        if valid_lens is not None:
            places = torch.arange(keys.shape[1]).view(1, 1, 1, -1)
            scores = torch.where(places < torch.as_tensor(valid_lens).view(-1, 1, 1, 1), scores, -torch.inf)
        weights = attention.softmax(scores)
        return self.out_proj(torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(-2)), weights

