# %% wrong padding_mask: lens-no-axis
# compares positions and lengths without an axis between: (num_keys,) against (batch,) stops with an error,
# or compares wrongly where there are as many keys as texts
def my_padding_mask(valid_lens, num_keys):
    mask = torch.arange(num_keys) < valid_lens
    return mask[:, None, None, :]


# %% wrong padding_mask: mask-inverted
# True = closed, as nn.MultiheadAttention wants it: the mask is turned round
def my_padding_mask(valid_lens, num_keys):
    positions = torch.arange(num_keys).unsqueeze(0)
    is_padding = positions >= valid_lens.unsqueeze(1)
    return is_padding.unsqueeze(1).unsqueeze(1)


# %% right padding_mask
# right all the same: a loop gives the right table, and the check gives a hint
# a loop over the texts, which the prompt forbids
def my_padding_mask(valid_lens, num_keys):
    mask = torch.zeros(len(valid_lens), 1, 1, num_keys, dtype=torch.bool)
    for i, n in enumerate(valid_lens.tolist()):
        mask[i, :, :, :n] = True
    return mask


# %% wrong padding_mask: keys-from-lens
# takes the longest length for the number of keys: too few columns when every text has padding
def my_padding_mask(valid_lens, num_keys):
    longest = int(valid_lens.max())
    steps = torch.arange(longest)[None, None, None]
    return steps < valid_lens.reshape(-1, 1, 1, 1)


# %% wrong padding_mask: mask-additive
# returns a float table of 0 and minus infinity, to be added to scores, not a bool mask
def my_padding_mask(valid_lens, num_keys):
    open_keys = torch.arange(num_keys) < valid_lens[:, None]
    table = torch.zeros(open_keys.shape).masked_fill(~open_keys, float("-inf"))
    return table[:, None, None, :]


# %% wrong padding_mask: mask-off-by-one
# counts the positions from 1 and keeps the < : one real token too few is open in every text
def my_padding_mask(valid_lens, num_keys):
    places = torch.ones(len(valid_lens), num_keys).cumsum(dim=1)
    return torch.lt(places, valid_lens.view(-1, 1)).view(len(valid_lens), 1, 1, num_keys)


# %% right padding_mask
# looks the rows up in a triangular table: row n has n open keys
def my_padding_mask(valid_lens, num_keys):
    table = torch.ones(num_keys + 1, num_keys, dtype=torch.bool).tril(-1)
    return table[valid_lens.long()].reshape(-1, 1, 1, num_keys)


# %% right padding_mask
# turned comparison on a grid made by expand, and turned round
def my_padding_mask(valid_lens, num_keys):
    batch = valid_lens.shape[0]
    grid = torch.arange(num_keys).expand(batch, 1, 1, num_keys)
    return ~torch.ge(grid, valid_lens.view(batch, 1, 1, 1))


# %% wrong padded_softmax: nan-gradient
# adds a table of 0 and -inf and swaps the nan of empty rows for 0 at the end: the weights are right, but in the
# backward pass the nan flows through the sum into the gradient of the scores
def my_padded_softmax(scores, mask):
    closing = torch.zeros(mask.shape, dtype=scores.dtype).masked_fill(~mask, -torch.inf)
    closed = scores + closing
    exps = torch.exp(closed - closed.amax(dim=-1, keepdim=True))
    return torch.nan_to_num(exps / exps.sum(dim=-1, keepdim=True), nan=0.0)


# %% wrong padded_softmax: mask-as-index
# closes by boolean indexing, which does not broadcast: an IndexError when the mask is smaller than the scores
def my_padded_softmax(scores, mask):
    s = scores.clone()
    s[~mask] = -torch.inf
    top = s.max(dim=-1, keepdim=True).values
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    e = torch.exp(s - top)
    total = e.sum(dim=-1, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)


# %% wrong padded_softmax: max-over-closed
# takes the maximum over the closed keys as well: where a closed score is far above the open ones, these all become 0
def my_padded_softmax(scores, mask):
    exps = torch.exp(scores - scores.max(dim=-1, keepdim=True)[0])
    exps = exps * mask
    total = exps.sum(dim=-1, keepdim=True)
    return exps / total.clamp(min=1e-30)


# %% wrong padded_softmax: all-masked-uniform
# closes with -1e9 and not minus infinity: a row with nothing open gets equal weights in place of zeros
def my_padded_softmax(scores, mask):
    filled = torch.where(mask, scores, torch.tensor(-1e9, dtype=scores.dtype))
    shifted = filled - filled.amax(-1, keepdim=True)
    numerators = shifted.exp()
    return numerators / numerators.sum(-1, keepdim=True)


# %% wrong padded_softmax: max-is-a-pair
# forgets that max with a dim gives back values and places: the tuple cannot be subtracted, TypeError
def my_padded_softmax(scores, mask):
    masked = scores.masked_fill(~mask, -torch.inf)
    highest = torch.max(masked, dim=-1, keepdim=True)
    exps = torch.exp(masked - highest)
    sums = exps.sum(dim=-1, keepdim=True)
    sums = sums.masked_fill(sums == 0, 1.0)
    return exps / sums


# %% wrong padded_softmax: naive-overflow
# leaves out the maximum because the empty row was easier that way: large scores overflow to inf, and inf / inf is nan
def my_padded_softmax(scores, mask):
    weights = torch.exp(scores.masked_fill(mask.logical_not(), -torch.inf))
    denominators = torch.sum(weights, dim=-1, keepdim=True)
    empty = denominators == 0
    return weights / (denominators + empty)


# %% wrong padded_softmax: global-max
# takes one maximum for the whole tensor: rows far below it underflow to a sum of 0 and come out as zeros
def my_padded_softmax(scores, mask):
    closed = scores.masked_fill(~mask, -torch.inf)
    top = closed.max()
    if top == -torch.inf:
        top = torch.zeros_like(top)
    exps = torch.exp(closed - top)
    totals = exps.sum(dim=-1, keepdim=True)
    return exps / totals.masked_fill(totals == 0, 1.0)


# %% right padded_softmax
# a loop over all rows, the softmax is taken of the open keys alone
def my_padded_softmax(scores, mask):
    scores, mask = torch.broadcast_tensors(scores, mask)
    num_keys = scores.shape[-1]
    rows = []
    for row, is_open in zip(scores.reshape(-1, num_keys), mask.reshape(-1, num_keys)):
        weights = torch.zeros_like(row)
        if is_open.any():
            picked = row[is_open]
            exps = torch.exp(picked - picked.max())
            weights = weights.masked_scatter(is_open, exps / exps.sum())
        rows.append(weights)
    return torch.stack(rows).reshape(scores.shape)


# %% right padded_softmax
# closed keys get the lowest finite number before the maximum; exponentials are multiplied by the mask
def my_padded_softmax(scores, mask):
    keep = mask.to(scores.dtype)
    lowest = torch.finfo(scores.dtype).min
    highest = torch.where(mask, scores, lowest).amax(dim=-1, keepdim=True).detach()
    difference = torch.where(mask, scores - highest, 0.0)
    exps = torch.exp(difference) * keep
    return exps / exps.sum(dim=-1, keepdim=True).clamp(min=0.5)


# %% wrong left_padded_mask: length-0-whole
# opens the columns with [-n:] in a loop: for a text of length 0 that is [-0:], the whole row of keys
def my_left_padded_mask(valid_lens, num_tokens):
    real = torch.zeros(len(valid_lens), 1, 1, num_tokens, dtype=torch.bool)
    for i, n in enumerate(valid_lens.tolist()):
        real[i, 0, 0, -n:] = True
    return real & attention.causal_mask(num_tokens)


# %% wrong left_padded_mask: flipped-together
# joins right padding with the causal mask and flips the result: the triangle is flipped with it
def my_left_padded_mask(valid_lens, num_tokens):
    right_padded = attention.padding_mask(valid_lens, num_tokens) & attention.causal_mask(num_tokens)
    return torch.flip(right_padded, dims=[-1])


# %% wrong left_padded_mask: lens-as-start
# takes valid_lens for the number of paddings: opens from position valid_lens on, not from num_tokens - valid_lens on
def my_left_padded_mask(valid_lens, num_tokens):
    positions = torch.arange(num_tokens)
    no_padding = positions >= valid_lens[:, None]
    not_later = positions[None, :] <= positions[:, None]
    return no_padding[:, None, None, :] & not_later[None, None]


# %% wrong left_padded_mask: padding-sees-itself
# opens the diagonal for every token so that no row is empty: paddings then attend to themselves
def my_left_padded_mask(valid_lens, num_tokens):
    starts = num_tokens - valid_lens
    keys = torch.arange(num_tokens).view(1, 1, 1, -1) >= starts.view(-1, 1, 1, 1)
    mask = keys & attention.causal_mask(num_tokens)
    return mask | torch.eye(num_tokens, dtype=torch.bool)


# %% wrong left_padded_mask: masks-ored
# joins the two masks by "or": what one closes the other opens
def my_left_padded_mask(valid_lens, num_tokens):
    padding = attention.padding_mask(valid_lens, num_tokens).flip(-1)
    return torch.logical_or(padding, attention.causal_mask(num_tokens))


# %% wrong left_padded_mask: pad-off-by-one
# uses > in place of >= at the first real token: each text loses its first word
def my_left_padded_mask(valid_lens, num_tokens):
    tril = torch.tril(torch.ones(num_tokens, num_tokens)).bool()
    first_real = (num_tokens - valid_lens)[:, None, None]
    cols = torch.arange(num_tokens)[None, None, :]
    return (tril & (cols > first_real)).unsqueeze(1)


# %% right left_padded_mask
# three nested loops, the conditions as they are said
def my_left_padded_mask(valid_lens, num_tokens):
    mask = torch.zeros(len(valid_lens), 1, num_tokens, num_tokens, dtype=torch.bool)
    for text, n in enumerate(valid_lens):
        for query in range(num_tokens):
            for key in range(num_tokens):
                mask[text, 0, query, key] = num_tokens - int(n) <= key <= query
    return mask


# %% right left_padded_mask
# counts from the back: a square of real queries and real keys, and a triangle from cumsum
def my_left_padded_mask(valid_lens, num_tokens):
    from_the_back = torch.arange(num_tokens, 0, -1)
    real = from_the_back <= valid_lens[:, None]
    square = real[:, :, None] & real[:, None, :]
    triangle = torch.eye(num_tokens).cumsum(dim=0) > 0
    return torch.stack([square & triangle], dim=1)


# %% wrong folded_with_lengths: lens-repeat
# unfolds with the axes in the wrong order (heads first): the same as repeat, tables get the other texts' lengths
def my_folded_with_lengths(queries, keys, values, valid_lens):
    batch = len(valid_lens)
    num_heads = queries.shape[0] // batch
    q, k, v = (t.unflatten(0, (num_heads, batch)).transpose(0, 1) for t in (queries, keys, values))
    mask = attention.padding_mask(valid_lens, keys.shape[1])
    vecs, weights = attention.scaled_dot_product_attention(q, k, v, mask)
    return vecs.transpose(0, 1).flatten(0, 1), weights.transpose(0, 1).flatten(0, 1)


# %% wrong folded_with_lengths: heads-miscounted
# repeats each length batch times in place of num_heads times: fits only where there are as many heads as texts
def my_folded_with_lengths(queries, keys, values, valid_lens):
    lens = torch.repeat_interleave(valid_lens, valid_lens.shape[0])
    mask = attention.padding_mask(lens, keys.shape[-2]).squeeze(1)
    return attention.scaled_dot_product_attention(queries, keys, values, mask=mask)


# %% wrong folded_with_lengths: mask-broadcast
# hands on the mask with its four axes: the scores have three, attention refuses it with a ValueError
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = len(queries) // len(valid_lens)
    mask = attention.padding_mask(valid_lens.repeat_interleave(num_heads), keys.shape[1])
    return attention.scaled_dot_product_attention(queries, keys, values, mask)


# %% wrong folded_with_lengths: mask-from-queries
# reads the number of keys from the queries: stops when the two sequences differ in length
def my_folded_with_lengths(queries, keys, values, valid_lens):
    rows, n, width = queries.shape
    lens = valid_lens.repeat_interleave(rows // valid_lens.numel())
    open_keys = torch.arange(n)[None, :] < lens[:, None]
    scores = torch.bmm(queries, keys.transpose(1, 2)) / width**0.5
    weights = attention.softmax(scores.masked_fill(~open_keys[:, None, :], -torch.inf))
    return torch.bmm(weights, values), weights


# %% wrong folded_with_lengths: - "In your attn weights, axes must be joined, and the numbers a"
# gives back the weights unfolded, (batch, num_heads, num_queries, num_keys); the prompt asks for folded
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_texts = valid_lens.shape[0]
    num_heads = queries.shape[0] // num_texts
    mask = attention.padding_mask(valid_lens, keys.shape[1])[:, 0].repeat_interleave(num_heads, dim=0)
    context_vecs, attn_weights = attention.scaled_dot_product_attention(queries, keys, values, mask)
    return context_vecs, attn_weights.reshape(num_texts, num_heads, *attn_weights.shape[1:])


# %% wrong folded_with_lengths: no-scale
# forgets to divide the scores by the root of the width
def my_folded_with_lengths(queries, keys, values, valid_lens):
    per_text = queries.size(0) // valid_lens.size(0)
    lens = torch.stack([valid_lens] * per_text, dim=1).flatten()
    scores = torch.einsum("nqd,nkd->nqk", queries, keys)
    keep = attention.padding_mask(lens, keys.size(1))[:, 0]
    scores = torch.where(keep, scores, -torch.inf)
    weights = attention.softmax(scores)
    return torch.einsum("nqk,nkd->nqd", weights, values), weights


# %% right folded_with_lengths
# unfolds to four axes, attends there with the plain padding mask, and folds both results again
def my_folded_with_lengths(queries, keys, values, valid_lens):
    def unfold(t):
        return t.reshape(len(valid_lens), -1, *t.shape[-2:])

    mask = attention.padding_mask(valid_lens, keys.shape[-2])
    results = attention.scaled_dot_product_attention(unfold(queries), unfold(keys), unfold(values), mask)
    return tuple(result.flatten(0, 1) for result in results)


# %% right folded_with_lengths
# no mask: table by table, each query meets the real keys alone; the weights are filled up with zeros
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = queries.shape[0] // valid_lens.shape[0]
    weights = queries.new_zeros(queries.shape[0], queries.shape[1], keys.shape[1])
    for table in range(queries.shape[0]):
        n = int(valid_lens[table // num_heads])
        if n == 0:
            continue
        scores = queries[table] @ keys[table, :n].T / math.sqrt(queries.shape[-1])
        weights[table, :, :n] = torch.softmax(scores, dim=-1)
    return torch.matmul(weights, values), weights


# %% wrong cross_attention: values-or-keys
# writes "values or keys": the truth value of a tensor is ambiguous, RuntimeError as soon as values are given
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
        q = attention.split_heads(self.W_query(queries), self.num_heads)
        k = attention.split_heads(self.W_key(keys), self.num_heads)
        v = attention.split_heads(self.W_value(values), self.num_heads)
        mask = None if valid_lens is None else attention.padding_mask(valid_lens, k.shape[2])
        vecs, weights = attention.scaled_dot_product_attention(q, k, v, mask)
        return self.out_proj(attention.merge_heads(vecs)), weights


# %% wrong cross_attention: ready-made
# inherits everything from the course's class, which the hint forbids ("its class is not" welcome)
class MyCrossAttention(attention.MultiHeadAttention):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__(d_in, d_out, num_heads, kdim=kdim, vdim=vdim)

    def forward(self, queries, keys, values=None, valid_lens=None):
        mask = None
        if valid_lens is not None:
            mask = attention.padding_mask(valid_lens, keys.shape[1])
        return super().forward(queries, keys, values, mask=mask)


# %% wrong cross_attention: mask-from-queries
# makes the padding mask as long as the queries: it does not fit when there are more or fewer keys
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)
        self.heads = num_heads

    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            values = keys
        b, n, _ = queries.shape
        q, k, v = self.W_query(queries), self.W_key(keys), self.W_value(values)
        q, k, v = [attention.split_heads(t, self.heads) for t in (q, k, v)]
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) / math.sqrt(q.shape[-1])
        if valid_lens is not None:
            mask = attention.padding_mask(valid_lens, n)
            scores = scores.masked_fill(~mask, -torch.inf)
        w = attention.softmax(scores)
        y = torch.einsum("bhqk,bhkd->bqhd", w, v).reshape(b, n, -1)
        return self.out_proj(y), w


# %% wrong cross_attention: values-ignored
# ignores the values it is given: always projects the keys (stops when vdim is not kdim)
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        widths = {"W_query": d_in, "W_key": kdim, "W_value": vdim}
        for name, width in widths.items():
            self.add_module(name, nn.Linear(width, d_out, bias=False))
        self.out_proj = nn.Linear(d_out, d_out, bias=True)

    def forward(self, queries, keys, values=None, valid_lens=None):
        split_queries = attention.split_heads(self.W_query(queries), self.num_heads)
        split_keys = attention.split_heads(self.W_key(keys), self.num_heads)
        split_values = attention.split_heads(self.W_value(keys), self.num_heads)
        if valid_lens is None:
            mask = torch.ones(1, 1, 1, keys.shape[1], dtype=torch.bool)
        else:
            mask = attention.padding_mask(valid_lens, keys.shape[1])
        head_vecs, attn_weights = attention.scaled_dot_product_attention(split_queries, split_keys, split_values, mask)
        return self.out_proj(attention.merge_heads(head_vecs)), attn_weights


# %% wrong cross_attention: scale-model
# divides by the root of d_out, not of the width of one head
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.n_head = num_heads
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        values = keys if values is None else values
        B, Tq, Tk = queries.size(0), queries.size(1), keys.size(1)
        q = self.W_query(queries).view(B, Tq, self.n_head, -1).transpose(1, 2)
        k = self.W_key(keys).view(B, Tk, self.n_head, -1).transpose(1, 2)
        v = self.W_value(values).view(B, Tk, self.n_head, -1).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) / math.sqrt(self.d_out)
        if valid_lens is not None:
            att = att.masked_fill(~attention.padding_mask(valid_lens, Tk), float("-inf"))
        att = attention.softmax(att)
        y = (att @ v).transpose(1, 2).contiguous().view(B, Tq, self.d_out)
        return self.out_proj(y), att


# %% wrong cross_attention: lens-required
# the padding mask is made whether there are lengths or not: an error without valid_lens
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
        parts = zip((self.W_query, self.W_key, self.W_value), (queries, keys, values))
        split = [attention.split_heads(layer(part), self.num_heads) for layer, part in parts]
        mask = attention.padding_mask(valid_lens, keys.shape[-2])
        vecs, weights = attention.scaled_dot_product_attention(*split, mask=mask)
        return self.out_proj(attention.merge_heads(vecs)), weights


# %% wrong cross_attention: out-proj-without-bias
# two mistakes: returns the mean of the weights over the heads, as PyTorch does by default, and out_proj has no bias
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query, self.W_key, self.W_value, self.out_proj = (
            nn.Linear(width, d_out, bias=False) for width in (d_in, kdim, vdim, d_out)
        )

    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            values = keys
        mask = None
        if valid_lens is not None:
            mask = attention.padding_mask(valid_lens, keys.shape[1])
        context, weights = attention.scaled_dot_product_attention(
            attention.split_heads(self.W_query(queries), self.num_heads),
            attention.split_heads(self.W_key(keys), self.num_heads),
            attention.split_heads(self.W_value(values), self.num_heads),
            mask=mask,
        )
        return self.out_proj(attention.merge_heads(context)), weights.mean(dim=1)


# %% right cross_attention
# one head after the other, on slices of the features; without lengths every length is the number of keys
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.head_dim = d_out // num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        values = keys if values is None else values
        batch, num_keys = keys.shape[:2]
        if valid_lens is None:
            valid_lens = torch.full((batch,), num_keys)
        open_keys = torch.arange(num_keys) < torch.as_tensor(valid_lens)[:, None]
        notes, tables = [], []
        cut = [t.split(self.head_dim, -1) for t in (self.W_query(queries), self.W_key(keys), self.W_value(values))]
        for q, k, v in zip(*cut):
            scores = torch.bmm(q, k.mT) * self.head_dim**-0.5
            table = attention.softmax(scores.masked_fill(~open_keys[:, None], -torch.inf))
            tables.append(table)
            notes.append(torch.bmm(table, v))
        return self.out_proj(torch.cat(notes, dim=-1)), torch.stack(tables, dim=1)


# %% right cross_attention
# einsum throughout; the weights set to zero with where after exp, the mask on three axes
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def heads(self, x):
        return x.reshape(*x.shape[:2], self.num_heads, x.shape[2] // self.num_heads)

    def forward(self, queries, keys, values=None, valid_lens=None):
        if values is None:
            return self.forward(queries, keys, keys, valid_lens)
        q, k, v = self.heads(self.W_query(queries)), self.heads(self.W_key(keys)), self.heads(self.W_value(values))
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) / math.sqrt(q.shape[-1])
        if valid_lens is not None:
            closed = torch.arange(keys.shape[1])[None] >= valid_lens[:, None]
            scores = scores.masked_fill(closed[:, None, None], -torch.inf)
        weights = attention.softmax(scores)
        mixed = torch.einsum("bhqk,bkhd->bqhd", weights, v)
        return self.out_proj(mixed.flatten(2)), weights
