# %% wrong causal_mask: mask-lower
# the upper triangle: sees itself and the future, not the past
def my_causal_mask(num_tokens):
    return torch.triu(torch.ones(num_tokens, num_tokens)).bool()

# %% wrong causal_mask: mask-inverted
# the other meaning of True: True where a token may not attend
def my_causal_mask(num_tokens):
    place = torch.arange(num_tokens)
    return place[None, :] > place[:, None]

# %% wrong causal_mask: mask-off-by-one
# the diagonal is missing: a token may not attend to itself
def my_causal_mask(num_tokens):
    rows = torch.arange(num_tokens).unsqueeze(1)
    columns = torch.arange(num_tokens).unsqueeze(0)
    return columns < rows

# %% wrong causal_mask: mask-not-bool
# ones and zeros as float32, not booleans
def my_causal_mask(num_tokens):
    return torch.tril(torch.ones(num_tokens, num_tokens))

# %% right causal_mask
# right all the same: a loop gives the right table, and the check gives a hint
# two loops, which the prompt forbids
def my_causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool)
    for i in range(num_tokens):
        for j in range(i + 1):
            mask[i, j] = True
    return mask

# %% wrong causal_mask: mask-off-by-one
# one ahead: diagonal=1 lets each token see the next one too
def my_causal_mask(num_tokens):
    everything = torch.ones((num_tokens, num_tokens), dtype=torch.bool)
    return everything.tril(diagonal=1)

# %% wrong causal_mask: one-row
# tril of a single row: stops with an error, it needs two axes
def my_causal_mask(num_tokens):
    return torch.ones(num_tokens, dtype=torch.bool).tril()

# %% right causal_mask
# running sum down the unit matrix
def my_causal_mask(num_tokens):
    return torch.eye(num_tokens).cumsum(dim=0) > 0

# %% right causal_mask
# column number and row number from one flat count
def my_causal_mask(num_tokens):
    count = torch.arange(num_tokens * num_tokens)
    column = count.remainder(num_tokens)
    row = count.div(num_tokens, rounding_mode="floor")
    return torch.le(column, row).view(num_tokens, num_tokens)

# %% wrong additive_mask: zero-times-inf
# multiplies with minus infinity: 0 times infinity is nan where a query may attend
def my_additive_mask(mask):
    return (~mask) * -torch.inf

# %% wrong additive_mask: mask-inverted
# turned round: minus infinity where it may attend
def my_additive_mask(mask):
    return torch.where(mask, -torch.inf, 0.0)

# %% wrong additive_mask: all-masked-uniform
# minus a billion in place of minus infinity
def my_additive_mask(mask):
    table = torch.zeros(mask.shape)
    table[~mask] = -1e9
    return table

# %% wrong additive_mask: table-not-float
# zeros_like of a boolean mask is boolean: filling gives True, not minus infinity
def my_additive_mask(mask):
    table = torch.zeros_like(mask)
    return table.masked_fill(~mask, float("-inf"))

# %% wrong additive_mask: nothing-hidden
# masked_fill returns a new tensor, which is thrown away: all zeros come back
def my_additive_mask(mask):
    M = torch.zeros(mask.shape)
    M.masked_fill(~mask, -torch.inf)
    return M

# %% wrong additive_mask: mask-ignored
# looks at the size only and makes the causal table; the mask itself is not read
def my_additive_mask(mask):
    n = mask.shape[-1]
    return torch.full((n, n), -torch.inf).triu(diagonal=1)

# %% wrong additive_mask: subtracted-bool
# subtracts a boolean tensor from 1: PyTorch stops with an error
def my_additive_mask(mask):
    closed = 1 - mask
    return torch.zeros(mask.shape).masked_fill(closed == 1, -math.inf)

# %% right additive_mask
# the logarithm: log 1 is 0, log 0 is minus infinity
def my_additive_mask(mask):
    return torch.log(mask.float())

# %% right additive_mask
# a list over all cells, in float64, put into the shape of the mask
def my_additive_mask(mask):
    cells = [0.0 if is_open else float("-inf") for is_open in mask.flatten().tolist()]
    return torch.tensor(cells, dtype=torch.float64).reshape(mask.shape)

# %% wrong masked_weights: all-masked-nan
# rows in which nothing is open come out as nan: the second step is missing
def my_masked_weights(attn_scores, mask):
    return torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)

# %% wrong masked_weights: all-masked-uniform
# minus a billion in place of minus infinity: a row with nothing open gets equal weights, not zeros
def my_masked_weights(attn_scores, mask):
    hidden = mask.logical_not()
    scores = attn_scores.masked_fill(hidden, -1e9)
    return F.softmax(scores, dim=-1)

# %% wrong masked_weights: mask-in-place
# changes the scores that were handed in: masked_fill_ writes in place
def my_masked_weights(attn_scores, mask):
    attn_scores.masked_fill_(~mask, -torch.inf)
    weights = torch.softmax(attn_scores, dim=-1)
    return weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)

# %% wrong masked_weights: mask-after-softmax
# erases after softmax and does not share out again: rows add up to less than 1
def my_masked_weights(attn_scores, mask):
    all_weights = torch.softmax(attn_scores, dim=-1)
    return all_weights * mask

# %% wrong masked_weights: mask-renormalised
# erases after softmax and shares out again: a huge hidden score takes all, the open keys are left with 0
def my_masked_weights(attn_scores, mask):
    erased = attn_scores.softmax(dim=-1) * mask
    totals = erased.sum(dim=-1, keepdim=True)
    return torch.where(totals > 0, erased / totals, torch.zeros_like(erased))

# %% wrong masked_weights: mask-inverted
# True taken for hidden
def my_masked_weights(attn_scores, mask):
    weights = torch.softmax(attn_scores.masked_fill(mask, -torch.inf), dim=-1)
    return weights.masked_fill(mask.all(dim=-1, keepdim=True), 0.0)

# %% wrong masked_weights: naive-overflow
# own softmax without subtracting the maximum: huge scores overflow
def my_masked_weights(attn_scores, mask):
    exps = torch.exp(attn_scores) * mask
    total = exps.sum(dim=-1, keepdim=True)
    total[total == 0] = 1.0
    return exps / total

# %% wrong masked_weights: - "`scores[~mask] = -torch.inf` stops: a mask of shape (3, 4) p"
# indexing with the mask: an error when the mask has fewer axes than the scores
def my_masked_weights(attn_scores, mask):
    scores = attn_scores.clone()
    scores[~mask] = -torch.inf
    weights = torch.softmax(scores, dim=-1)
    weights[~mask] = 0.0
    return weights

# %% wrong masked_weights: ready-made
# the course's softmax, which the prompt forbids
def my_masked_weights(attn_scores, mask):
    return attention.softmax(torch.where(mask, attn_scores, -torch.inf))

# %% right masked_weights
# own softmax on lowered scores, with where
def my_masked_weights(attn_scores, mask):
    mask = mask.expand(attn_scores.shape)
    hidden = torch.where(mask, attn_scores, torch.full_like(attn_scores, -torch.inf))
    top = hidden.amax(dim=-1, keepdim=True)
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    exps = torch.exp(hidden - top)
    return exps / exps.sum(dim=-1, keepdim=True).clamp(min=1e-30)

# %% right masked_weights
# row by row, softmax over the open keys alone
def my_masked_weights(attn_scores, mask):
    rows = attn_scores.reshape(-1, attn_scores.shape[-1])
    opens = mask.expand_as(attn_scores).reshape(-1, attn_scores.shape[-1])
    result = torch.zeros_like(rows)
    for i in range(rows.shape[0]):
        if opens[i].any():
            result[i, opens[i]] = torch.softmax(rows[i][opens[i]], dim=0)
    return result.reshape(attn_scores.shape)

# %% wrong who_sees: table-transposed
# stacked as rows: row and column are exchanged
def my_who_sees(attend, inputs):
    before = attend(inputs)
    seen = []
    for j in range(len(inputs)):
        changed = inputs.clone()
        changed[j] += 1.0
        seen.append(((attend(changed) - before).abs() > 1e-6).any(dim=-1))
    return torch.stack(seen)

# %% wrong who_sees: change-invisible
# doubles the token: a token of zeros does not change
def my_who_sees(attend, inputs):
    n = inputs.shape[0]
    base = attend(inputs)
    table = torch.zeros(n, n, dtype=torch.bool)
    for j in range(n):
        other = inputs.clone()
        other[j] = 2 * other[j]
        table[:, j] = ~torch.isclose(attend(other), base).all(dim=1)
    return table

# %% wrong who_sees: input-changed
# no clone: the table is right, but the inputs of the caller are changed (changed = inputs is no copy)
def my_who_sees(attend, inputs):
    before = attend(inputs).clone()
    columns = []
    for j in range(inputs.shape[0]):
        changed = inputs
        changed[j] = changed[j] + 1.0
        columns.append((attend(changed) - before).abs().amax(dim=-1) > 1e-6)
        before = attend(changed)
    return torch.stack(columns, dim=1)

# %% wrong who_sees: changes-kept
# the copy is made once, before the loop: changes pile up, and later columns show earlier tokens too
def my_who_sees(attend, inputs):
    before = attend(inputs)
    copy = inputs.clone()
    columns = []
    for token in range(len(inputs)):
        copy[token] += 1.0
        moved = (attend(copy) - before).abs().sum(dim=-1)
        columns.append(moved > 1e-6)
    return torch.stack(columns, dim=1)

# %% wrong who_sees: signed-change
# differences added up with their signs: an output that sinks on the whole does not count as changed
def my_who_sees(attend, inputs):
    first = attend(inputs)
    columns = []
    for j, token in enumerate(inputs):
        changed = torch.cat([inputs[:j], token[None] + 1.0, inputs[j + 1:]])
        difference = (attend(changed) - first).sum(dim=-1)
        columns.append(difference > 1e-6)
    return torch.stack(columns, dim=1)

# %% wrong who_sees: - "The table should have the shape `(4, 4)`. Yours has `(3, 4)`"
# takes the first of two results, as the page's heads give: here attend gives one tensor, and [0] is its first row
def my_who_sees(attend, inputs):
    columns = []
    for j in range(inputs.shape[0]):
        changed = inputs.clone()
        changed[j] += 1.0
        moved = (attend(changed)[0] - attend(inputs)[0]).abs()
        columns.append(moved > 1e-6)
    return torch.stack(columns, dim=1)

# %% wrong who_sees: first-left-out
# starts with token 1, as the leak test of the page does: the first column is missing
def my_who_sees(attend, inputs):
    before = attend(inputs)
    columns = []
    for at in range(1, len(inputs)):
        changed = torch.cat([inputs[:at], inputs[at : at + 1] + 1.0, inputs[at + 1 :]])
        columns.append((attend(changed) - before).abs().amax(dim=-1) > 1e-6)
    return torch.stack(columns, dim=1)

# %% wrong who_sees: size-returned
# returns how far each output moved, not booleans
def my_who_sees(attend, inputs):
    before = attend(inputs)
    table = torch.empty(len(inputs), len(inputs))
    for j in range(len(inputs)):
        changed = inputs.clone()
        changed[j] += 1.0
        table[:, j] = (attend(changed) - before).abs().amax(dim=-1)
    return table

# %% right who_sees
# two loops, cell by cell; the token is replaced by one drawn at random
def my_who_sees(attend, inputs):
    n = len(inputs)
    table = torch.zeros(n, n, dtype=torch.bool)
    for j in range(n):
        replaced = inputs.detach().clone()
        replaced[j] = 3 * torch.randn_like(replaced[j])
        old, new = attend(inputs), attend(replaced)
        for i in range(n):
            table[i, j] = not torch.allclose(old[i], new[i])
    return table

# %% right who_sees
# all changed inputs made at once with a one-hot table; list comprehension, turned on its side at the end
def my_who_sees(attend, inputs):
    n = inputs.shape[0]
    nudges = F.one_hot(torch.arange(n), n).to(inputs.dtype)  # (n, n): turn j nudges token j
    before = attend(inputs)
    turns = [attend(inputs + nudge.unsqueeze(-1)) for nudge in nudges]
    return torch.stack([(after - before).norm(dim=-1) > 1e-6 for after in turns]).T

# %% wrong causal_attention: mask-not-sliced
# the mask is not cut to the number of tokens: shorter texts stop with an error
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.context_length = context_length
        self.register_buffer("mask", causal_mask(context_length))

    def forward(self, x):
        if x.shape[-2] > self.context_length:
            raise ValueError(f"got {x.shape[-2]} tokens, at most {self.context_length}")
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        weights = torch.softmax(scores.masked_fill(~self.mask, -torch.inf), dim=-1)
        weights = self.dropout(weights)
        return weights @ values, weights

# %% wrong causal_attention: no-length-check
# no ValueError for too many tokens: PyTorch's own error about shapes comes
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("hidden", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        n = x.shape[-2]
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = (q @ k.mT) / math.sqrt(k.shape[-1])
        scores = scores.masked_fill(self.hidden[:n, :n], float("-inf"))
        attn_weights = self.dropout(scores.softmax(-1))
        return attn_weights @ v, attn_weights

# %% wrong causal_attention: length-off-by-one
# refuses a text that is exactly as long as context_length
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("causal_mask", torch.tril(torch.ones(context_length, context_length)) == 1)

    def forward(self, x):
        num_tokens = x.shape[-2]
        if num_tokens >= len(self.causal_mask):
            raise ValueError(f"{num_tokens} tokens are too many")
        mask = self.causal_mask[:num_tokens, :num_tokens]
        return attention.scaled_dot_product_attention(
            self.W_query(x), self.W_key(x), self.W_value(x), mask, self.dropout)

# %% wrong causal_attention: dropout-before-softmax
# dropout on the scores, before softmax: in training no weight of an open key is cut, and rows still add up to 1
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.context_length = context_length
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        t = x.shape[-2]
        if t > self.context_length:
            raise ValueError(f"{t} > {self.context_length}")
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = self.dropout(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5)
        scores = scores.masked_fill(~causal_mask(t), -torch.inf)
        attn_weights = torch.softmax(scores, dim=-1)
        return attn_weights @ v, attn_weights

# %% wrong causal_attention: dropout-on-output
# returns the weights before dropout: in training they are not those that mixed the values
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.ones(context_length, context_length, dtype=torch.bool).tril())

    def forward(self, x):
        n = x.size(-2)
        if n > self.mask.size(0):
            raise ValueError(f"context_length is {self.mask.size(0)}, got {n}")
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = torch.einsum("...id,...jd->...ij", q, k) / q.size(-1) ** 0.5
        attn_scores = torch.where(self.mask[:n, :n], attn_scores, -torch.inf)
        attn_weights = torch.softmax(attn_scores, dim=-1)
        context_vecs = self.dropout(attn_weights) @ v
        return context_vecs, attn_weights

# %% wrong causal_attention: dropout-in-eval
# F.dropout without training=self.training: drops in eval mode too
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("causal_mask", causal_mask(context_length))

    def forward(self, x):
        n = x.shape[-2]
        if n > self.causal_mask.shape[0]:
            raise ValueError(f"too many tokens: {n}")
        scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1)
        scores = scores / self.W_key.out_features**0.5
        scores = scores.masked_fill(~self.causal_mask[:n, :n], -torch.inf)
        weights = F.dropout(torch.softmax(scores, dim=-1), self.dropout.p)
        return weights @ self.W_value(x), weights

# %% wrong causal_attention: tokens-axis
# counts the tokens on axis 1: right with one batch axis only, without a batch it is d_in
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("future", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def forward(self, x):
        num_tokens = x.shape[1]
        if num_tokens > self.future.shape[0]:
            raise ValueError("the text has %d tokens, too many" % num_tokens)
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
        scores = scores.masked_fill(self.future[:num_tokens, :num_tokens], -torch.inf)
        attn_weights = self.dropout(torch.softmax(scores, dim=-1))
        return attn_weights @ values, attn_weights

# %% wrong causal_attention: mask-after-softmax
# erases with tril after softmax, and does not share out again: rows add up to less than 1
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.context_length = context_length

    def forward(self, x):
        if x.shape[-2] > self.context_length:
            raise ValueError(f"{x.shape[-2]} tokens do not fit into {self.context_length}")
        queries, keys = self.W_query(x), self.W_key(x)
        attn_weights = torch.softmax(queries @ keys.mT / queries.shape[-1] ** 0.5, dim=-1)
        attn_weights = self.dropout(attn_weights.tril())
        return attn_weights @ self.W_value(x), attn_weights

# %% wrong causal_attention: - "`nn.Parameter(attention.causal_mask(context_length))` stops:"
# the mask as a parameter: booleans cannot be trained, making the object stops with an error
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.mask = nn.Parameter(attention.causal_mask(context_length))

    def forward(self, x):
        n = x.shape[-2]
        if n > len(self.mask):
            raise ValueError(f"got {n} tokens")
        return attention.scaled_dot_product_attention(
            self.W_query(x), self.W_key(x), self.W_value(x), self.mask[:n, :n], self.dropout)

# %% right causal_attention
# no buffer: the mask is made in forward; weights come from PyTorch's function with a unit matrix as values
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.limit = context_length
        self.dropout = nn.Dropout(dropout)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_query = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        *batch, num_tokens, _ = x.shape
        if num_tokens > self.limit:
            raise ValueError(f"at most {self.limit} tokens, received {num_tokens}")
        unit = torch.eye(num_tokens, dtype=x.dtype, device=x.device).expand(*batch, num_tokens, num_tokens)
        shares = F.scaled_dot_product_attention(self.W_query(x), self.W_key(x), unit, is_causal=True)
        shares = self.dropout(shares)
        return shares @ self.W_value(x), shares

# %% right causal_attention
# inherits from the class of trainable_qkv; an additive buffer, einsum
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def scores(self, x):
        return torch.einsum("...qd,...kd->...qk", self.W_query(x), self.W_key(x)) / self.W_key.out_features**0.5


class MyCausalAttention(MySelfAttention):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__(d_in, d_out)
        self.dropout = nn.Dropout(dropout)
        minus = torch.full((context_length, context_length), -torch.inf).triu(1)
        self.register_buffer("minus", minus, persistent=False)

    def forward(self, x):
        t = x.shape[-2]
        if t > self.minus.shape[0]:
            raise ValueError(f"{t} tokens, but the mask was made for {self.minus.shape[0]}")
        applied = self.dropout((self.scores(x) + self.minus[:t, :t]).softmax(dim=-1))
        return torch.einsum("...qk,...kd->...qd", applied, self.W_value(x)), applied
