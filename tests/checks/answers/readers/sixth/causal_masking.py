# %% wrong causal_mask: mask-off-by-one
# diagonal=-1 cuts off the diagonal: a token may not attend to itself
def my_causal_mask(num_tokens):
    full = torch.ones(num_tokens, num_tokens, dtype=torch.bool)
    return torch.tril(full, diagonal=-1)

# %% wrong causal_mask: mask-lower
# the row and the column of places are swapped: True is the future (and the token itself)
def my_causal_mask(num_tokens):
    place = torch.arange(num_tokens)
    return place[:, None] <= place[None, :]

# %% wrong causal_mask: mask-not-bool
# a table of 0 and 1, not of booleans
def my_causal_mask(num_tokens):
    return torch.ones(num_tokens, num_tokens).tril()

# %% wrong causal_mask: mask-inverted
# the meaning of nn.MultiheadAttention: True where a query may NOT attend
def my_causal_mask(num_tokens):
    i = torch.arange(num_tokens)
    may_attend = i.unsqueeze(0) <= i.unsqueeze(1)
    return ~may_attend

# %% right causal_mask
# right all the same: a loop gives the right table, and the check gives a hint
# fills the triangle row by row in a loop: the prompt says no loop
def my_causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool)
    for i in range(num_tokens):
        mask[i, : i + 1] = True
    return mask

# %% wrong causal_mask: one-row
# compares the row with the row, so only one row of all True comes out: (num_tokens,)
def my_causal_mask(num_tokens):
    queries = torch.arange(num_tokens)
    keys = torch.arange(num_tokens)
    return keys <= queries

# %% right causal_mask
# running sums down the columns of the identity
def my_causal_mask(num_tokens):
    return torch.eye(num_tokens, dtype=torch.long).cumsum(dim=0) == 1

# %% right causal_mask
# the places of the triangle, written one by one into a table of False
def my_causal_mask(num_tokens):
    rows, columns = torch.tril_indices(num_tokens, num_tokens)
    mask = torch.full((num_tokens, num_tokens), False)
    mask[rows, columns] = True
    return mask

# %% wrong additive_mask: zero-times-inf
# 0 times infinity is nan: where the query may attend, the table holds nan
def my_additive_mask(mask):
    hidden = (~mask).float()
    return hidden * float("-inf")

# %% wrong additive_mask: all-masked-uniform
# minus a billion in place of minus infinity
def my_additive_mask(mask):
    table = torch.zeros(mask.shape)
    table[~mask] = -1e9
    return table

# %% wrong additive_mask: mask-inverted
# the two are exchanged: minus infinity where the query may attend
def my_additive_mask(mask):
    return torch.zeros(mask.shape).masked_fill(mask, -torch.inf)

# %% wrong additive_mask: open-not-zero
# the open cells get 1, since True counts as 1, in place of 0
def my_additive_mask(mask):
    return mask.float().masked_fill(mask.logical_not(), -math.inf)

# %% wrong additive_mask: table-not-float
# zeros_like copies the dtype of the mask too: the table stays boolean and cannot hold minus infinity
def my_additive_mask(mask):
    table = torch.zeros_like(mask)
    table.masked_fill_(~mask, float("-inf"))
    return table

# %% wrong additive_mask: - "`num_queries, num_keys = mask.shape` stops: `mask.shape` is "
# walks through rows and columns: only for masks of two axes (for others it stops with an error)
def my_additive_mask(mask):
    num_queries, num_keys = mask.shape
    table = torch.zeros(num_queries, num_keys)
    for i in range(num_queries):
        for j in range(num_keys):
            if not mask[i, j]:
                table[i, j] = -torch.inf
    return table

# %% right additive_mask
# the logarithm of 1 is 0, that of 0 is minus infinity
def my_additive_mask(mask):
    return mask.to(torch.float32).log()

# %% right additive_mask
# looks the two numbers up in a table of two, with the mask as index
def my_additive_mask(mask):
    numbers = torch.tensor([-torch.inf, 0.0])
    return numbers[mask.long()]

# %% wrong masked_weights: all-masked-nan
# rows with nothing open are left as nan
def my_masked_weights(attn_scores, mask):
    hidden = torch.where(mask, attn_scores, -torch.inf)
    return F.softmax(hidden, dim=-1)

# %% wrong masked_weights: mask-in-place
# masked_fill_ with the underscore writes minus infinity into the caller's scores
def my_masked_weights(attn_scores, mask):
    attn_scores.masked_fill_(~mask, -torch.inf)
    weights = torch.softmax(attn_scores, dim=-1)
    return weights.masked_fill(~mask, 0.0)

# %% wrong masked_weights: mask-zero-fill
# the score of a hidden key becomes 0 by multiplying with the mask: an ordinary score, so it leaks,
# and is wiped after softmax without sharing out again
def my_masked_weights(attn_scores, mask):
    weights = torch.softmax(attn_scores * mask, dim=-1)
    return weights * mask

# %% wrong masked_weights: - "In the weights, the first difference is at `[0, 0]`: it shou"
# a finite -1e9: where the open scores are themselves below that, the hidden keys win;
# only rows with nothing open are repaired
def my_masked_weights(attn_scores, mask):
    weights = torch.softmax(attn_scores.masked_fill(~mask, -1e9), dim=-1)
    return weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)

# %% wrong masked_weights: naive-overflow
# exponentials without subtracting the row's maximum: huge scores overflow, inf / inf is nan
def my_masked_weights(attn_scores, mask):
    exps = torch.exp(attn_scores) * mask
    totals = exps.sum(dim=-1, keepdim=True)
    return exps / totals.masked_fill(totals == 0, 1.0)

# %% wrong masked_weights: - "`scores[closed] = -torch.inf` stops: a mask of shape (3, 4) "
# indexing with the mask: fits only a mask with all axes of the scores, an error with fewer
def my_masked_weights(attn_scores, mask):
    scores = attn_scores.clone()
    closed = torch.logical_not(mask)
    scores[closed] = -torch.inf
    weights = torch.softmax(scores, dim=-1)
    weights[torch.isnan(weights)] = 0.0
    return weights

# %% right masked_weights
# hides by adding, and turns nan into 0 afterwards
def my_masked_weights(attn_scores, mask):
    closed = torch.zeros_like(mask, dtype=attn_scores.dtype).masked_fill(~mask, -torch.inf)
    return torch.nan_to_num(torch.softmax(attn_scores + closed, dim=-1), nan=0.0)

# %% right masked_weights
# own softmax; a row with nothing open gets the maximum 0, and a total of 1
def my_masked_weights(attn_scores, mask):
    mask = mask.expand(attn_scores.shape)
    low = attn_scores.masked_fill(~mask, -math.inf)
    top = torch.where(mask.any(-1, keepdim=True), low.amax(-1, keepdim=True), 0.0)
    exps = (low - top).exp()
    totals = exps.sum(-1, keepdim=True)
    return exps / torch.where(totals == 0, 1.0, totals)

# %% wrong who_sees: table-transposed
# the columns are stacked as rows: the table is turned on its side
def my_who_sees(attend, inputs):
    before = attend(inputs)
    columns = []
    for j in range(len(inputs)):
        other = inputs.clone()
        other[j] += 1.0
        columns.append((attend(other) != before).any(dim=-1))
    return torch.stack(columns)

# %% wrong who_sees: change-invisible
# doubles the token: a token of zeros stays what it was, and seems to be seen by nobody
def my_who_sees(attend, inputs):
    n = inputs.shape[0]
    seen = torch.zeros(n, n, dtype=torch.bool)
    before = attend(inputs)
    for j in range(n):
        factor = torch.ones(n, 1)
        factor[j] = 2.0
        seen[:, j] = (attend(inputs * factor) - before).abs().amax(dim=-1) > 1e-6
    return seen

# %% wrong who_sees: changes-kept
# one copy for all turns: changes pile up, and are compared with the outputs of the first
def my_who_sees(attend, inputs):
    before, copy, columns = attend(inputs), inputs.clone(), []
    for j in range(inputs.shape[0]):
        copy[j] = copy[j] + 1.0
        columns.append(torch.any(attend(copy) != before, dim=1))
    return torch.stack(columns, dim=1)

# %% wrong who_sees: input-changed
# no clone: another name for the same table, so the caller's inputs are changed
# and are not set back
def my_who_sees(attend, inputs):
    table = torch.empty(len(inputs), len(inputs), dtype=torch.bool)
    for j in range(len(inputs)):
        before = attend(inputs)
        changed = inputs
        changed[j] += 1.0
        table[:, j] = ~torch.isclose(attend(changed), before).all(dim=-1)
    return table

# %% wrong who_sees: all-for-any
# all in place of any: an output counts as changed only if every one of its numbers changes
def my_who_sees(attend, inputs):
    before = attend(inputs)

    def column(j):
        bump = F.one_hot(torch.tensor(j), len(inputs))[:, None].to(inputs.dtype)
        return (attend(inputs + bump) != before).all(dim=-1)

    return torch.stack([column(j) for j in range(len(inputs))], dim=1)

# %% wrong who_sees: - "The table holds numbers, such as 2.295: compare, and return "
# returns how far each output moved, as numbers, and no booleans
def my_who_sees(attend, inputs):
    before = attend(inputs).detach()
    moved = []
    for j in range(inputs.shape[0]):
        changed = torch.cat([inputs[:j], inputs[j : j + 1] + 1.0, inputs[j + 1 :]])
        moved.append((attend(changed).detach() - before).norm(dim=-1))
    return torch.stack(moved, dim=1)

# %% right who_sees
# builds the changed table with cat, and each cell by torch.equal
def my_who_sees(attend, inputs):
    n = inputs.shape[0]
    before = attend(inputs)
    after = [attend(torch.cat([inputs[:j], inputs[j : j + 1] + 1.0, inputs[j + 1 :]])) for j in range(n)]
    return torch.tensor([[not torch.equal(after[j][i], before[i]) for j in range(n)] for i in range(n)])

# %% right who_sees
# changes the tokens from the last to the first, by a different amount in each number, without notes for training
@torch.no_grad()
def my_who_sees(attend, inputs):
    n, d_in = inputs.shape
    before = attend(inputs.clone())
    table = torch.full((n, n), False)
    amounts = torch.linspace(0.7, 1.9, d_in, dtype=inputs.dtype)
    for j in reversed(range(n)):
        trial = inputs.clone()
        trial[j].add_(amounts)
        table[:, j] = (attend(trial) - before).abs().sum(dim=-1) > 0
    return table

# %% wrong causal_attention: mask-not-sliced
# the mask is used as it was made, for context_length tokens: shorter texts stop with an error
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", causal_mask(context_length))

    def forward(self, x):
        if x.shape[-2] > len(self.mask):
            raise ValueError(f"too many tokens: {x.shape[-2]}")
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        weights = torch.softmax(scores.masked_fill(~self.mask, -torch.inf), dim=-1)
        weights = self.dropout(weights)
        return weights @ values, weights


# %% wrong causal_attention: dropout-on-output
# dropout is applied for the mix, but the weights are returned as they were before it
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.context_length = context_length
        self.W_query, self.W_key, self.W_value = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("past", torch.ones(context_length, context_length).tril().bool())

    def forward(self, x):
        n = x.size(-2)
        if n > self.context_length:
            raise ValueError(f"{n} tokens do not fit into {self.context_length}")
        context_vecs, attn_weights = attention.scaled_dot_product_attention(
            self.W_query(x), self.W_key(x), self.W_value(x), self.past[:n, :n])
        return self.dropout(attn_weights) @ self.W_value(x), attn_weights


# %% wrong causal_attention: length-off-by-one
# off by one in the guard: a text of exactly context_length tokens is refused
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", causal_mask(context_length))
        self.context_length = context_length

    def forward(self, x):
        num_tokens = x.shape[-2]
        if num_tokens >= self.context_length:
            raise ValueError(f"got {num_tokens} tokens, at most {self.context_length} are allowed")
        mask = self.mask[:num_tokens, :num_tokens]
        return attention.scaled_dot_product_attention(
            self.W_query(x), self.W_key(x), self.W_value(x), mask, self.dropout)


# %% wrong causal_attention: no-length-check
# no guard: a text longer than context_length stops with a RuntimeError about sizes, not with a ValueError
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("future", torch.triu(torch.ones(context_length, context_length), diagonal=1).bool())

    def forward(self, x):
        n = x.shape[-2]
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = torch.einsum("...id,...jd->...ij", q, k) / math.sqrt(q.shape[-1])
        scores = scores.masked_fill(self.future[:n, :n], -torch.inf)
        attn_weights = self.dropout(F.softmax(scores, dim=-1))
        return attn_weights @ v, attn_weights


# %% wrong causal_attention: dropout-in-eval
# F.dropout with its own training=True: weights are dropped in eval mode as well
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", causal_mask(context_length))

    def forward(self, x):
        t = x.shape[-2]
        if t > self.mask.shape[0]:
            raise ValueError(f"{t} tokens, but the mask is made for {self.mask.shape[0]}")
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = (q @ k.mT) * q.shape[-1] ** -0.5
        attn_weights = scores.masked_fill(~self.mask[:t, :t], -torch.inf).softmax(dim=-1)
        attn_weights = F.dropout(attn_weights, p=self.dropout.p)
        return attn_weights @ v, attn_weights


# %% wrong causal_attention: mask-lower
# triu for tril: each token sees itself and the tokens after it
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.limit = context_length
        self.dropout = nn.Dropout(dropout)
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.register_buffer("may_attend", torch.ones(context_length, context_length, dtype=torch.bool).triu())

    def forward(self, x):
        num_tokens = x.shape[-2]
        if num_tokens > self.limit:
            raise ValueError(f"at most {self.limit} tokens, got {num_tokens}")
        corner = self.may_attend[:num_tokens, :num_tokens]
        scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1)
        scores = scores / self.W_query.out_features ** 0.5
        attn_weights = self.dropout(attention.softmax(torch.where(corner, scores, -torch.inf)))
        return attn_weights @ self.W_value(x), attn_weights


# %% right causal_attention
# the additive mask as a buffer, cut to the text
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.add_module(name, nn.Linear(d_in, d_out, bias=False))
        self.dropout = nn.Dropout(dropout)
        table = torch.full((context_length, context_length), -torch.inf).triu(diagonal=1)
        self.register_buffer("closed", table)

    def forward(self, x):
        n, most = x.shape[-2], self.closed.shape[-1]
        if n <= most:
            queries = self.W_query(x) / math.sqrt(self.W_query.out_features)
            scores = queries @ self.W_key(x).transpose(-2, -1) + self.closed[:n, :n]
            attn_weights = self.dropout(torch.softmax(scores, dim=-1))
            return attn_weights @ self.W_value(x), attn_weights
        raise ValueError(f"{n} tokens are more than {most}")


# %% right causal_attention
# grows out of the course's SelfAttention, with a helper, and erases and shares out again (way 1)
class MyCausalAttention(attention.SelfAttention):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__(d_in, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("triangle", torch.tril(torch.ones(context_length, context_length)), persistent=False)

    def corner(self, num_tokens):
        most = len(self.triangle)
        if num_tokens > most:
            raise ValueError(f"context_length is {most}, the text has {num_tokens} tokens")
        return self.triangle[:num_tokens, :num_tokens] == 1

    def forward(self, x):
        past = self.corner(x.shape[-2])
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
        top = scores.masked_fill(~past, -torch.inf).amax(dim=-1, keepdim=True)
        exps = torch.exp((scores - top).clamp(max=0.0)) * past
        attn_weights = self.dropout(exps / exps.sum(dim=-1, keepdim=True))
        return attn_weights @ values, attn_weights
