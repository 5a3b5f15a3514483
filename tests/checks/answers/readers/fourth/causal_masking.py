# %% wrong causal_mask: one-row
# compares arange with itself without turning one of them into a column: one axis, all True
def my_causal_mask(num_tokens):
    place = torch.arange(num_tokens)
    return place <= place

# %% right causal_mask
# right all the same: a loop gives the right table, and the check gives a hint
# the right table, but built by two loops inside a list, and the prompt says no loop
def my_causal_mask(num_tokens):
    return torch.tensor([[key <= query for key in range(num_tokens)] for query in range(num_tokens)])

# %% wrong causal_mask: one-row
# torch.ones(num_tokens) has one axis, and tril needs two: stops with an error
def my_causal_mask(num_tokens):
    mask = torch.tril(torch.ones(num_tokens))
    return mask.bool()

# %% wrong causal_mask: mask-not-bool
# .bool() gives a new tensor, which is thrown away: returns ones and zeros as floats, not booleans
def my_causal_mask(num_tokens):
    mask = torch.tril(torch.ones(num_tokens, num_tokens))
    mask.bool()
    return mask

# %% wrong causal_mask: mask-lower
# adds up the unit table along the columns (dim=1): the upper triangle, each token sees itself and the future
def my_causal_mask(num_tokens):
    start = torch.eye(num_tokens)
    return start.cumsum(dim=1) > 0

# %% right causal_mask
# row i of the unit table, summed down the rows
def my_causal_mask(num_tokens):
    return torch.eye(num_tokens, dtype=torch.long).cumsum(dim=0).bool()

# %% right causal_mask
# the places of the triangle as indices, written into a table of False
def my_causal_mask(num_tokens):
    query, key = torch.tril_indices(num_tokens, num_tokens)
    table = torch.zeros(num_tokens, num_tokens, dtype=torch.bool)
    table[query, key] = True
    return table

# %% wrong additive_mask: open-not-zero
# starts from the mask as numbers and fills only the hidden cells: the open ones are 1, not 0
def my_additive_mask(mask):
    return mask.float().masked_fill(~mask, -torch.inf)

# %% wrong additive_mask: table-not-float
# zeros_like copies the dtype as well, so the table is boolean, and minus infinity turns into True
def my_additive_mask(mask):
    table = torch.zeros_like(mask)
    table[~mask] = -torch.inf
    return table

# %% wrong additive_mask: nothing-hidden
# masked_fill (without underscore) returns a new tensor, which is not kept: the result is all zeros
def my_additive_mask(mask):
    zeros = torch.zeros(mask.shape)
    zeros.masked_fill(mask.logical_not(), float("-inf"))
    return zeros

# %% wrong additive_mask: all-masked-uniform
# the lowest finite number of float32 in place of minus infinity
def my_additive_mask(mask):
    lowest = torch.finfo(torch.float32).min
    return torch.where(mask, 0.0, lowest)

# %% wrong additive_mask: - "`num_queries, num_keys = mask.shape` stops: `mask.shape` is "
# two nested loops over a table of two axes: masks with one, three or four axes stop with an error
def my_additive_mask(mask):
    num_queries, num_keys = mask.shape
    M = torch.zeros(num_queries, num_keys)
    for i in range(num_queries):
        for j in range(num_keys):
            if not mask[i, j]:
                M[i, j] = -math.inf
    return M

# %% right additive_mask
# the logarithm of 1 is 0, and that of 0 is minus infinity
def my_additive_mask(mask):
    return mask.float().log()

# %% right additive_mask
# starts from minus infinity everywhere and opens cells; float64, as the prompt leaves the dtype open
def my_additive_mask(mask):
    M = torch.full(mask.shape, -math.inf, dtype=torch.float64)
    M[mask] = 0
    return M

# %% wrong masked_weights: mask-renormalised
# own softmax that subtracts the maximum of all scores, the hidden ones included: if a hidden score is far larger than
# the open ones, all open exponentials are 0 and the row gets zeros
def my_masked_weights(attn_scores, mask):
    exps = torch.exp(attn_scores - attn_scores.amax(dim=-1, keepdim=True)) * mask
    total = exps.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, exps / total, 0.0)

# %% wrong masked_weights: - "`scores[~mask] = -torch.inf` stops: a mask of shape (3, 4) p"
# writes through scores[~mask], which needs a mask with all leading axes: a mask with fewer axes than the scores
# stops with an error
def my_masked_weights(attn_scores, mask):
    scores = attn_scores.clone()
    scores[~mask] = -torch.inf
    weights = torch.softmax(scores, dim=-1)
    return weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)

# %% wrong masked_weights: mask-zero-fill
# multiplies the scores by the mask, so hidden cells have a score of 0, an ordinary score, and get weight
def my_masked_weights(attn_scores, mask):
    hidden_scores = attn_scores * mask
    attn_weights = F.softmax(hidden_scores, dim=-1)
    nothing_open = (mask.sum(dim=-1, keepdim=True) == 0)
    return attn_weights.masked_fill(nothing_open, 0.0)

# %% wrong masked_weights: all-masked-uniform
# repairs rows with nothing open by setting their scores to 0 before softmax, and never makes their weights zero:
# such a row gets equal weights
def my_masked_weights(attn_scores, mask):
    some_open = mask.any(dim=-1, keepdim=True)
    masked_scores = attn_scores.masked_fill(~mask, -torch.inf)
    masked_scores = torch.where(some_open, masked_scores, torch.zeros_like(masked_scores))
    return torch.softmax(masked_scores, dim=-1)

# %% wrong masked_weights: mask-in-place
# masked_fill_ with underscore writes minus infinity into the caller's scores
def my_masked_weights(attn_scores, mask):
    attn_scores.masked_fill_(~mask, float("-inf"))
    return torch.nan_to_num(torch.softmax(attn_scores, dim=-1), nan=0.0)

# %% right masked_weights
# additive mask, softmax, and nan turned into 0 afterwards
def my_masked_weights(attn_scores, mask):
    M = torch.zeros(mask.shape, dtype=attn_scores.dtype).masked_fill(~mask, -torch.inf)
    return (attn_scores + M).softmax(-1).nan_to_num(nan=0.0)

# %% right masked_weights
# own softmax: the maximum of the open scores only; the sum is at least 1 unless nothing is open, so clamp at 1 is safe
def my_masked_weights(attn_scores, mask):
    low = torch.finfo(attn_scores.dtype).min
    open_scores = torch.where(mask, attn_scores, low)
    top = open_scores.amax(dim=-1, keepdim=True)
    exps = torch.exp(open_scores - top)
    exps = torch.where(mask, exps, 0.0)
    return exps / exps.sum(dim=-1, keepdim=True).clamp(min=1.0)

# %% wrong who_sees: changes-kept
# clones once, before the loop: the changes of earlier tokens stay in, so column j shows tokens 0 to j together
def my_who_sees(attend, inputs):
    before = attend(inputs)
    copy = inputs.clone()
    columns = []
    for j in range(len(inputs)):
        copy[j] += 1.0
        columns.append((attend(copy) != before).any(dim=-1))
    return torch.stack(columns, dim=1)

# %% wrong who_sees: all-for-any
# all in place of any: an output of which only some numbers change counts as unchanged
def my_who_sees(attend, inputs):
    n = inputs.shape[0]
    table = torch.zeros(n, n, dtype=torch.bool)
    base = attend(inputs)
    for j in range(n):
        other = inputs.clone()
        other[j] = other[j] + 3.0
        table[:, j] = ((attend(other) - base).abs() > 1e-6).all(dim=-1)
    return table

# %% wrong who_sees: change-invisible
# changes a token by setting it to zeros: a token that is zeros already does not change, and its column is all False
def my_who_sees(attend, inputs):
    outputs = attend(inputs)

    def column(j):
        keep = torch.ones(len(inputs), 1)
        keep[j] = 0.0
        return ~torch.isclose(attend(inputs * keep), outputs).all(dim=1)

    return torch.stack([column(j) for j in range(len(inputs))], dim=1)

# %% wrong who_sees: - "The table should have the shape `(4, 4)`. Yours has `(3, 4)`"
# takes [0] of the result, as with the page's heads that return a pair: here that is the output of token 0 alone
def my_who_sees(attend, inputs):
    before = attend(inputs)[0]
    columns = []
    for j in range(inputs.shape[0]):
        changed = inputs.clone()
        changed[j] += 1
        after = attend(changed)[0]
        columns.append((after - before).abs() > 1e-6)
    return torch.stack(columns, dim=1)

# %% wrong who_sees: first-left-out
# the loop starts at token 1, as in the page's leak test: the column of token 0 is missing, one column too few
def my_who_sees(attend, inputs):
    columns = []
    for at in range(1, len(inputs)):
        changed = torch.cat([inputs[:at], inputs[at : at + 1] + 1.0, inputs[at + 1 :]])
        columns.append((attend(changed) - attend(inputs)).abs().amax(dim=-1) > 1e-6)
    return torch.stack(columns, dim=1)

# %% right who_sees
# changes each token in two ways at random, and counts a change if either shows; rows first, turned round at the end
def my_who_sees(attend, inputs):
    with torch.no_grad():
        before = attend(inputs)
        by_token = []
        for j in range(inputs.shape[0]):
            moved = torch.zeros(inputs.shape[0], dtype=torch.bool)
            for _ in range(2):
                changed = inputs.clone()
                changed[j] += 2 * torch.randn_like(changed[j])
                moved |= attend(changed).ne(before).any(dim=-1)
            by_token.append(moved)
    return torch.stack(by_token).T

# %% right who_sees
# cell by cell, with one_hot as the nudge and a comparison of each output with allclose
def my_who_sees(attend, inputs):
    num_tokens = len(inputs)
    before = attend(inputs)
    seen = [[False] * num_tokens for _ in range(num_tokens)]
    for j in range(num_tokens):
        nudge = F.one_hot(torch.tensor(j), num_tokens)[:, None] * torch.linspace(1.0, 2.0, inputs.shape[1])
        after = attend(inputs + nudge)
        for i in range(num_tokens):
            seen[i][j] = not torch.allclose(after[i], before[i], rtol=1e-6, atol=1e-7)
    return torch.tensor(seen)

# %% wrong causal_attention: mask-shrinks
# cuts the kept mask itself to the input: after one short text it is too small, and a longer text that is allowed fails
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.context_length = context_length
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).tril())

    def forward(self, x):
        n = x.shape[-2]
        if n > self.context_length:
            raise ValueError(f"at most {self.context_length} tokens, got {n}")
        self.mask = self.mask[:n, :n]
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        weights = self.dropout(torch.softmax(scores.masked_fill(~self.mask, -torch.inf), dim=-1))
        return weights @ values, weights

# %% wrong causal_attention: dropout-in-eval
# keeps the share only and calls F.dropout without saying whether it trains: it drops weights after eval() as well
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.p = dropout
        self.register_buffer("future", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def forward(self, x):
        t = x.size(-2)
        if t > self.future.size(0):
            raise ValueError(f"{t} tokens are more than context_length {self.future.size(0)}")
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        att = (q @ k.mT) * (k.size(-1) ** -0.5)
        att = att.masked_fill(self.future[:t, :t], float("-inf")).softmax(dim=-1)
        att = F.dropout(att, self.p)
        return att @ v, att

# %% wrong causal_attention: - "It stops with `ValueError`: mask of shape (3, 3) does not br"
# reads the number of tokens from x.shape[1]: right for one batch axis only; without a batch that is d_in
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("causal_mask", causal_mask(context_length))

    def forward(self, x):
        num_tokens = x.shape[1]
        if num_tokens > len(self.causal_mask):
            raise ValueError(f"got {num_tokens} tokens, at most {len(self.causal_mask)} are allowed")
        mask = self.causal_mask[:num_tokens, :num_tokens]
        return attention.scaled_dot_product_attention(
            self.W_query(x), self.W_key(x), self.W_value(x), mask, dropout=self.dropout)

# %% wrong causal_attention: no-length-check
# a text that is too long is cut to context_length without a word, in place of a ValueError
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query, self.W_key, self.W_value = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.dropout = nn.Dropout(dropout)
        self.context_length = context_length
        self.register_buffer("past", torch.tril(torch.ones(context_length, context_length)) == 1)

    def forward(self, x):
        x = x[..., : self.context_length, :]
        num_tokens = x.shape[-2]
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = torch.einsum("...qd,...kd->...qk", q, k) / math.sqrt(q.shape[-1])
        attn_scores = torch.where(self.past[:num_tokens, :num_tokens], attn_scores, -torch.inf)
        attn_weights = self.dropout(F.softmax(attn_scores, dim=-1))
        return attn_weights @ v, attn_weights

# %% wrong causal_attention: dropout-before-softmax
# dropout on the masked scores, before softmax, not on the weights after it: shows in training only
# (a dropped score is 0, not hidden; 0 times minus infinity is nan)
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", causal_mask(context_length))

    def forward(self, x):
        num_tokens = x.shape[-2]
        if num_tokens > self.mask.shape[0]:
            raise ValueError(f"too many tokens: {num_tokens}, context_length is {self.mask.shape[0]}")
        scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1)
        scores = scores / self.W_query.out_features**0.5
        scores = scores.masked_fill(~self.mask[:num_tokens, :num_tokens], -torch.inf)
        weights = torch.softmax(self.dropout(scores), dim=-1)
        return weights @ self.W_value(x), weights

# %% right causal_attention
# keeps no mask at all: compares places anew in each call, on the device of x; raises from a helper
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        make = lambda: nn.Linear(d_in, d_out, bias=False)
        self.W_query, self.W_key, self.W_value = make(), make(), make()
        self.dropout = nn.Dropout(dropout)
        self.context_length = context_length

    def future(self, x):
        n = x.shape[-2]
        if n > self.context_length:
            raise ValueError(f"{n} tokens do not fit into a context_length of {self.context_length}")
        place = torch.arange(n, device=x.device)
        return place.unsqueeze(0) > place.unsqueeze(1)

    def forward(self, x):
        future = self.future(x)
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        s = (q @ k.transpose(-2, -1)).div(q.shape[-1] ** 0.5).masked_fill(future, -torch.inf)
        exps = torch.exp(s - s.amax(dim=-1, keepdim=True))
        w = self.dropout(exps / exps.sum(dim=-1, keepdim=True))
        return w @ v, w

# %% right causal_attention
# a class on top of one's own class of trainable_qkv; an additive mask as a buffer named M, not stored
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def scores(self, x):
        queries, keys = self.W_query(x), self.W_key(x)
        return queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5


class MyCausalAttention(MySelfAttention):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__(d_in, d_out)
        self.dropout = nn.Dropout(dropout)
        table = torch.full((context_length, context_length), -torch.inf).triu(diagonal=1)
        self.register_buffer("M", table, persistent=False)

    def forward(self, x):
        num_tokens = x.shape[-2]
        if num_tokens > len(self.M):
            raise ValueError(f"got {num_tokens} tokens, but no more than {len(self.M)} are possible")
        attn_weights = torch.softmax(self.scores(x) + self.M[:num_tokens, :num_tokens], dim=-1)
        attn_weights = self.dropout(attn_weights)
        return attn_weights @ self.W_value(x), attn_weights

