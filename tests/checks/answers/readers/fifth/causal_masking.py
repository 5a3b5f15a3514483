# %% wrong causal_mask: mask-lower
# torch.triu: the triangle above the diagonal is True, each token sees the future.
def my_causal_mask(num_tokens):
    return torch.ones(num_tokens, num_tokens, dtype=torch.bool).triu()

# %% wrong causal_mask: mask-off-by-one
# diagonal=-1: the diagonal itself is closed, and a token may not attend to itself.
def my_causal_mask(num_tokens):
    return torch.tril(torch.ones(num_tokens, num_tokens), diagonal=-1).bool()

# %% wrong causal_mask: mask-inverted
# The opposite meaning of True (as in nn.MultiheadAttention): True marks what is to be hidden.
def my_causal_mask(num_tokens):
    place = torch.arange(num_tokens)
    return place[None, :] > place[:, None]

# %% wrong causal_mask: mask-not-bool
# A triangle of numbers, 1.0 and 0.0, not of booleans.
def my_causal_mask(num_tokens):
    return torch.tril(torch.ones((num_tokens, num_tokens)))

# %% right causal_mask
# right all the same: a loop gives the right table, and the check gives a hint
# Written with a nested list comprehension, which is a loop; the prompt says no loop.
def my_causal_mask(num_tokens):
    return torch.tensor([[key <= query for key in range(num_tokens)] for query in range(num_tokens)])

# %% wrong causal_mask: one-row
# Compares arange with itself without the new axes: one row of num_tokens Trues, not a table.
def my_causal_mask(num_tokens):
    query = torch.arange(num_tokens)
    key = torch.arange(num_tokens)
    return key <= query

# %% right causal_mask
# A running sum down the columns of the identity table.
def my_causal_mask(num_tokens):
    return torch.eye(num_tokens).cumsum(dim=0) > 0

# %% right causal_mask
# Differences of places from an outer subtraction, then torch.where.
def my_causal_mask(num_tokens):
    n = torch.arange(num_tokens)
    distance = torch.sub(n.unsqueeze(1), n.unsqueeze(0))
    return torch.where(distance >= 0, True, False)

# %% wrong additive_mask: zero-times-inf
# Multiplies by minus infinity: 0 times infinity is nan in every open cell.
def my_additive_mask(mask):
    return (~mask).float() * -torch.inf

# %% wrong additive_mask: mask-inverted
# Where's two results exchanged: minus infinity for the open cells.
def my_additive_mask(mask):
    zero, minus_infinity = torch.tensor(0.0), torch.tensor(-torch.inf)
    return torch.where(mask, minus_infinity, zero)

# %% wrong additive_mask: all-masked-uniform
# Minus a billion in place of minus infinity.
def my_additive_mask(mask):
    table = torch.zeros(mask.shape)
    table[~mask] = -1e9
    return table

# %% wrong additive_mask: plus-infinity
# Plus infinity: the sign is forgotten.
def my_additive_mask(mask):
    return torch.zeros(mask.shape).masked_fill(mask.logical_not(), float("inf"))

# %% wrong additive_mask: table-not-float
# Fills a zeros_like of the mask, which is boolean too: minus infinity becomes True, and no number is left.
def my_additive_mask(mask):
    table = torch.zeros_like(mask)
    table[mask == 0] = -torch.inf
    return table

# %% wrong additive_mask: open-not-zero
# The open cells become 1 (the True of the mask as a number), not 0.
def my_additive_mask(mask):
    return mask.float().masked_fill(~mask, -torch.inf)

# %% right additive_mask
# The logarithm of 1 and 0 is 0 and minus infinity.
def my_additive_mask(mask):
    return mask.double().log()

# %% right additive_mask
# Looks each cell up in a table of two numbers, with the mask as index.
def my_additive_mask(mask):
    choices = torch.tensor([-math.inf, 0.0])
    return choices[mask.long()]

# %% wrong masked_weights: all-masked-nan
# A row with nothing open stays nan: 0 / 0 is not caught.
def my_masked_weights(attn_scores, mask):
    hidden = torch.logical_not(mask)
    return attn_scores.masked_fill(hidden, float("-inf")).softmax(dim=-1)

# %% wrong masked_weights: mask-in-place
# masked_fill_ with the underscore changes the scores that were handed in.
def my_masked_weights(attn_scores, mask):
    attn_scores.masked_fill_(~mask, -torch.inf)
    weights = torch.softmax(attn_scores, dim=-1)
    return weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)

# %% wrong masked_weights: finite-fill
# Hides with -1e9: where open scores are huge and negative too, hidden keys get weight, and then
# the weights are cut to 0, so rows with open scores near -1e9 or below do not add up to 1
# (and in float16 a billion does not fit).
def my_masked_weights(attn_scores, mask):
    weights = torch.softmax(attn_scores.masked_fill(~mask, -1e9), dim=-1)
    return weights * mask

# %% wrong masked_weights: mask-inverted
# The mask read as True = hide: what may be attended to gets 0 and the rest shares out 1.
def my_masked_weights(attn_scores, mask):
    scores = attn_scores.masked_fill(mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return torch.nan_to_num(weights, nan=0.0)

# %% wrong masked_weights: naive-overflow
# Softmax of exponentials by hand without taking off the maximum: huge scores overflow to inf, inf / inf is nan.
def my_masked_weights(attn_scores, mask):
    exps = torch.exp(attn_scores) * mask
    total = exps.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, exps / total, torch.zeros_like(exps))

# %% wrong masked_weights: any-for-all
# Fills whole rows when ANY key is closed (~mask.all): rows with a single hidden key become zeros too.
def my_masked_weights(attn_scores, mask):
    weights = torch.softmax(torch.where(mask, attn_scores, -torch.inf), dim=-1)
    complete = mask.all(dim=-1, keepdim=True)
    return weights.masked_fill(~complete, 0.0)

# %% right masked_weights
# By hand: the maximum over open keys alone, exps of hidden keys zeroed with where. The total of a row with
# something open is at least 1 (the largest gives e to the 0), so clamping at 1 touches empty rows alone.
def my_masked_weights(attn_scores, mask):
    mask = mask.expand(attn_scores.shape)
    lowest = torch.finfo(attn_scores.dtype).min
    top = torch.where(mask, attn_scores, lowest).amax(dim=-1, keepdim=True)
    gaps = torch.where(mask, attn_scores - top, -torch.inf)
    exps = torch.exp(gaps)
    return exps / exps.sum(dim=-1, keepdim=True).clamp(min=1.0)

# %% right masked_weights
# Empty rows are opened first, so that softmax never sees nothing, and are erased afterwards by a product.
def my_masked_weights(attn_scores, mask):
    has_open = mask.any(dim=-1, keepdim=True)
    bias = torch.zeros(mask.shape, dtype=attn_scores.dtype).masked_fill(~(mask | ~has_open), -torch.inf)
    return F.softmax(attn_scores + bias, dim=-1) * has_open

# %% wrong who_sees: table-transposed
# Stacks the columns as rows (dim=0): the table lies on its side.
def my_who_sees(attend, inputs):
    before = attend(inputs)
    columns = []
    for j in range(len(inputs)):
        changed = inputs.clone()
        changed[j] += 1.0
        columns.append((attend(changed) != before).any(dim=-1))
    return torch.stack(columns)

# %% wrong who_sees: input-changed
# No clone: `changed` is another name for inputs, so the caller's inputs are changed and the changes pile up.
def my_who_sees(attend, inputs):
    before = attend(inputs)
    table = torch.zeros(len(inputs), len(inputs), dtype=torch.bool)
    for j in range(len(inputs)):
        changed = inputs
        changed[j] = changed[j] + 1.0
        table[:, j] = (attend(changed) - before).abs().amax(dim=-1) > 1e-6
    return table

# %% wrong who_sees: change-invisible
# Doubles the token: a token of zeros stays as it was, and its column comes out False.
def my_who_sees(attend, inputs):
    n = inputs.shape[0]
    original = attend(inputs)
    result = torch.zeros(n, n, dtype=torch.bool)
    for token in range(n):
        copy = inputs.clone()
        copy[token] *= 2
        result[:, token] = ~torch.isclose(attend(copy), original).all(dim=-1)
    return result

# %% wrong who_sees: all-for-any
# all(dim=-1) over "is different": an output counts as changed only if every one of its numbers moved.
def my_who_sees(attend, inputs):
    base = attend(inputs)
    eye = torch.eye(inputs.shape[0])
    columns = [(attend(inputs + eye[:, j : j + 1]) != base).all(dim=-1) for j in range(inputs.shape[0])]
    return torch.stack(columns, dim=1)

# %% wrong who_sees: - "The table holds numbers, such as 3.418: compare, and return "
# Returns how far each output moved, as numbers, not a table of booleans.
def my_who_sees(attend, inputs):
    before = attend(inputs)
    moved = []
    for j in range(inputs.shape[0]):
        changed = inputs.clone()
        changed[j] = changed[j] + 1.0
        moved.append((attend(changed) - before).abs().sum(dim=-1))
    return torch.stack(moved, dim=1)

# %% wrong who_sees: first-left-out
# Starts at 1 as the leak test on the page does: token 0 is never changed, and the table has a column too few.
def my_who_sees(attend, inputs):
    before = attend(inputs)
    columns = []
    for j in range(1, inputs.shape[0]):
        changed = torch.cat([inputs[:j], inputs[j : j + 1] + 1.0, inputs[j + 1 :]])
        columns.append(~torch.isclose(attend(changed), before).all(dim=-1))
    return torch.stack(columns, dim=1)

# %% right who_sees
# Replaces the token with fresh numbers of its own, cell by cell with plain Python booleans.
def my_who_sees(attend, inputs):
    n = len(inputs)
    old = attend(inputs)
    table = [[False] * n for _ in range(n)]
    for j in range(n):
        other = inputs.clone()
        other[j] = other[j] + torch.linspace(1.0, 2.0, inputs.shape[1])
        new = attend(other)
        for i in range(n):
            table[i][j] = not torch.allclose(new[i], old[i], rtol=0, atol=1e-7)
    return torch.tensor(table)

# %% right who_sees
# A helper that makes one column, without gradients; index_add in place of item assignment.
@torch.no_grad()
def my_who_sees(attend, inputs):
    before = attend(inputs)

    def column(j):
        step = torch.full_like(inputs[:1], 3.0)
        after = attend(inputs.index_add(0, torch.tensor([j]), step))
        return torch.ne(after, before).sum(dim=1) > 0

    return torch.stack([column(j) for j in range(inputs.size(0))], dim=-1)

# %% wrong causal_attention: - "`nn.Parameter(attention.causal_mask(context_length))` stops:"
# The mask is made an nn.Parameter: a table of booleans cannot have gradients, so making an object stops with an error.
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.context_length = context_length
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.mask = nn.Parameter(attention.causal_mask(context_length))

    def forward(self, x):
        num_tokens = x.shape[-2]
        if num_tokens > self.context_length:
            raise ValueError(f"{num_tokens} tokens are more than {self.context_length}")
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return attention.scaled_dot_product_attention(q, k, v, self.mask[:num_tokens, :num_tokens], self.dropout)

# %% wrong causal_attention: dropout-on-output
# Dropout falls on the context vectors after the mix, not on the weights after softmax.
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length))

    def forward(self, x):
        n = x.shape[-2]
        if n > len(self.mask):
            raise ValueError(f"got {n} tokens, at most {len(self.mask)} fit")
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        weights = torch.softmax(scores.masked_fill(~self.mask[:n, :n], -torch.inf), dim=-1)
        return self.dropout(weights @ values), weights

# %% wrong causal_attention: no-length-check
# No check of the length: slicing stops at the mask's end, so a longer text ends in a RuntimeError from masked_fill
# (shapes), not in a ValueError.
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("hidden", torch.ones(context_length, context_length).triu(1).bool())

    def forward(self, x):
        t = x.size(-2)
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        logits = (q @ k.mT) * q.size(-1) ** -0.5
        logits = logits.masked_fill(self.hidden[:t, :t], -torch.inf)
        attn = self.dropout(logits.softmax(-1))
        return attn @ v, attn

# %% wrong causal_attention: length-off-by-one
# Refuses a text of exactly context_length tokens (>= where > was meant).
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.context_length = context_length
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("causal", torch.tril(torch.ones(context_length, context_length)).bool())

    def forward(self, x):
        if x.shape[-2] >= self.context_length:
            raise ValueError(f"text of {x.shape[-2]} tokens is too long for {self.context_length}")
        mask = self.causal[: x.shape[-2], : x.shape[-2]]
        attn_scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1) / self.W_key.out_features**0.5
        attn_weights = self.dropout(attention.softmax(attn_scores.masked_fill(~mask, -torch.inf)))
        return attn_weights @ self.W_value(x), attn_weights

# %% wrong causal_attention: tokens-axis
# The number of tokens is read off x.shape[1]: right for one batch axis, wrong for a single text or two batch axes.
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.context_length = context_length
        self.register_buffer("past", attention.causal_mask(context_length))

    def forward(self, x):
        num_tokens = x.shape[1]
        if num_tokens > self.context_length:
            raise ValueError(f"got {num_tokens} tokens, but context_length is {self.context_length}.")
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        scores = scores.masked_fill(self.past[:num_tokens, :num_tokens] == 0, -torch.inf)
        attn_weights = self.dropout(torch.softmax(scores, dim=-1))
        return attn_weights @ values, attn_weights

# %% wrong causal_attention: dropout-on-output
# Mixes with the weights after dropout but returns the weights before it: not "as they were applied". Shows only in
# training.
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("M", torch.full((context_length, context_length), -torch.inf).triu(1))

    def forward(self, x):
        n = x.shape[-2]
        if n > self.M.shape[0]:
            raise ValueError(f"{n} tokens, the longest text may have {self.M.shape[0]}")
        scores = self.W_query(x) @ self.W_key(x).mT / math.sqrt(self.W_query.out_features)
        weights = torch.softmax(scores + self.M[:n, :n], dim=-1)
        return self.dropout(weights) @ self.W_value(x), weights

# %% right causal_attention
# An additive mask of 0 and minus infinity as the buffer; a helper method makes the weights.
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("future", torch.full((context_length, context_length), -torch.inf).triu(diagonal=1))

    def weigh(self, q, k):
        n = q.shape[-2]
        logits = torch.einsum("...qd,...kd->...qk", q / q.shape[-1] ** 0.5, k)
        return self.dropout((logits + self.future[:n, :n]).softmax(dim=-1))

    def forward(self, x):
        if x.shape[-2] > self.future.shape[-1]:
            raise ValueError(f"too many tokens: {x.shape[-2]}")
        weights = self.weigh(self.W_query(x), self.W_key(x))
        return weights @ self.W_value(x), weights

# %% right causal_attention
# Way 1 of the page: softmax first, erase with a buffer of 0 and 1, share out again, then dropout. The maximum is taken
# over the past alone, so nothing overflows.
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(p=dropout)
        self.register_buffer("keep", torch.ones(context_length, context_length).tril())

    def forward(self, x):
        longest, n = self.keep.shape[0], x.shape[-2]
        if not n <= longest:
            raise ValueError("text of %d tokens, but only %d are allowed" % (n, longest))
        keep = self.keep[:n, :n]
        scores = self.W_query(x) @ self.W_key(x).transpose(-1, -2) / self.W_key.out_features**0.5
        top = torch.where(keep > 0, scores, -torch.inf).amax(dim=-1, keepdim=True)
        exps = torch.exp((scores - top).clamp(max=0.0)) * keep
        weights = self.dropout(exps / exps.sum(dim=-1, keepdim=True))
        return torch.matmul(weights, self.W_value(x)), weights
