# %% wrong causal_mask: mask-not-bool
# the triangle of ones as numbers: float, not a table of booleans
def my_causal_mask(num_tokens):
    return torch.tril(torch.ones(num_tokens, num_tokens))

# %% wrong causal_mask: mask-inverted
# True marks the future, what is to be hidden (as in code that fills where the mask is True): the opposite meaning
def my_causal_mask(num_tokens):
    return torch.triu(torch.ones(num_tokens, num_tokens), diagonal=1).bool()

# %% wrong causal_mask: mask-off-by-one
# off by one: diagonal=1 lets each token see the next one as well
def my_causal_mask(num_tokens):
    everything = torch.ones((num_tokens, num_tokens), dtype=torch.bool)
    return everything.tril(diagonal=1)

# %% right causal_mask
# right all the same: a loop gives the right table, and the check gives a hint
# the right table, made by loops, which the prompt forbids
def my_causal_mask(num_tokens):
    return torch.tensor([[j <= i for j in range(num_tokens)] for i in range(num_tokens)])

# %% wrong causal_mask: mask-off-by-one
# turns round the upper triangle with its diagonal: a token may not attend to itself
def my_causal_mask(num_tokens):
    upper = torch.ones(num_tokens, num_tokens).triu()
    return ~upper.bool()

# %% wrong causal_mask: one-row
# compares two rows with each other, not a row with a column: one axis only, all True
def my_causal_mask(num_tokens):
    keys = torch.arange(num_tokens)
    queries = torch.arange(num_tokens)
    return keys <= queries

# %% right causal_mask
# the running sum of the unit matrix
def my_causal_mask(num_tokens):
    return torch.eye(num_tokens).cumsum(dim=0) > 0

# %% right causal_mask
# PyTorch's additive mask for transformers, asked where it is 0
def my_causal_mask(num_tokens):
    return nn.Transformer.generate_square_subsequent_mask(num_tokens) == 0

# %% wrong additive_mask: zero-times-inf
# multiplies by minus infinity: 0 times infinity is nan, so all open cells become nan
def my_additive_mask(mask):
    return (1 - mask.float()) * float("-inf")

# %% wrong additive_mask: mask-inverted
# fills where the mask is True: the open cells get minus infinity, the closed ones 0
def my_additive_mask(mask):
    table = torch.zeros(mask.shape)
    table[mask] = -torch.inf
    return table

# %% wrong additive_mask: table-not-float
# zeros_like of a boolean mask is boolean: minus infinity becomes True, and no numbers come out
def my_additive_mask(mask):
    return torch.zeros_like(mask).masked_fill(~mask, -torch.inf)

# %% wrong additive_mask: mask-ignored
# does not look at the mask, only at its shape: always the causal table
def my_additive_mask(mask):
    return torch.triu(torch.full(mask.shape, float("-inf")), diagonal=1)

# %% wrong additive_mask: all-masked-uniform
# mends the nan of the product with nan_to_num, which also makes minus infinity a large finite number, -3.4e38
def my_additive_mask(mask):
    product = torch.logical_not(mask) * -torch.inf
    return torch.nan_to_num(product, nan=0.0)

# %% wrong additive_mask: - "`may.item()` stops: a single number is needed, and `may` has"
# two loops: right for a mask of two axes, an error for any other number of axes
def my_additive_mask(mask):
    out = []
    for row in mask:
        out.append([0.0 if may.item() else -math.inf for may in row])
    return torch.tensor(out)

# %% right additive_mask
# the logarithm: log 1 is 0, log 0 is minus infinity; in float64
def my_additive_mask(mask):
    return torch.log(mask.double())

# %% right additive_mask
# recursion down to single cells
def my_additive_mask(mask):
    if mask.dim() == 0:
        return torch.tensor(0.0 if mask else -math.inf)
    return torch.stack([my_additive_mask(part) for part in mask])

# %% wrong masked_weights: - "In the weights, the first difference is at `[1, 1, 0]`: it s"
# adds -10000 where hidden, as older code does: an empty row keeps weights, and huge hidden scores are still seen
def my_masked_weights(attn_scores, mask):
    extended_mask = (1.0 - mask.float()) * -10000.0
    attn_scores = attn_scores + extended_mask
    return nn.Softmax(dim=-1)(attn_scores)

# %% wrong masked_weights: all-masked-nan
# nothing is done for a row in which nothing is open: it comes out as nan
def my_masked_weights(attn_scores, mask):
    hidden = torch.where(mask, attn_scores, -torch.inf)
    return torch.softmax(hidden, dim=-1)

# %% wrong masked_weights: mask-in-place
# masked_fill_ with the underscore writes into the scores that were handed in
def my_masked_weights(attn_scores, mask):
    attn_scores.masked_fill_(~mask, float("-inf"))
    w = torch.softmax(attn_scores, dim=-1)
    return w.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)

# %% wrong masked_weights: - "`scores[~mask] = -torch.inf` stops: a mask of shape (3, 4) p"
# indexes the scores with the mask, which works only where both have the same shape, not for a mask with fewer axes
def my_masked_weights(attn_scores, mask):
    scores = attn_scores.clone()
    scores[~mask] = -torch.inf
    weights = F.softmax(scores, dim=-1)
    weights[torch.isnan(weights)] = 0
    return weights

# %% wrong masked_weights: mask-renormalised
# the row's maximum is taken with the hidden scores: beside a huge hidden score all open exponentials are 0
def my_masked_weights(attn_scores, mask):
    top = attn_scores.amax(dim=-1, keepdim=True)
    exps = torch.exp(attn_scores - top) * mask
    total = exps.sum(dim=-1, keepdim=True)
    return exps / total.clamp(min=1e-30)

# %% wrong masked_weights: empty-by-table
# asks whether anything is open in the whole mask, not in each row: single empty rows stay nan
def my_masked_weights(attn_scores, mask):
    if not mask.any():
        return torch.zeros_like(attn_scores)
    masked = attn_scores.masked_fill(~mask, -torch.inf)
    return masked.softmax(-1)

# %% wrong masked_weights: keepdim-missing
# keepdim forgotten: the row test lies along the keys, an error or (in a square table) empty columns in place of rows
def my_masked_weights(attn_scores, mask):
    weights = torch.softmax(attn_scores.masked_fill(mask == False, -torch.inf), dim=-1)
    nothing_open = ~mask.any(dim=-1)
    return weights.masked_fill(nothing_open, 0.0)

# %% right masked_weights
# own softmax: the maximum of the open scores, exponentials only where open, empty rows divided by 1
def my_masked_weights(attn_scores, mask):
    top = torch.where(mask, attn_scores, -torch.inf).amax(dim=-1, keepdim=True)
    exps = torch.where(mask, torch.exp(attn_scores - top), 0.0)
    total = exps.sum(dim=-1, keepdim=True)
    return exps / torch.where(total == 0, 1.0, total)

# %% right masked_weights
# a loop over all rows, with softmax over the open keys alone
def my_masked_weights(attn_scores, mask):
    num_keys = attn_scores.shape[-1]
    all_scores = attn_scores.reshape(-1, num_keys)
    all_masks = mask.expand(attn_scores.shape).reshape(-1, num_keys)
    out = torch.zeros_like(all_scores)
    for r, (row, open_keys) in enumerate(zip(all_scores, all_masks)):
        if open_keys.any():
            out[r, open_keys] = torch.softmax(row[open_keys], dim=0)
    return out.reshape(attn_scores.shape)

# %% wrong who_sees: table-transposed
# stacks the turns as rows: row j says who saw token j, the table is turned on its side
def my_who_sees(attend, inputs):
    before = attend(inputs)
    turns = []
    for j in range(len(inputs)):
        changed = inputs.clone()
        changed[j] += 1.0
        turns.append((attend(changed) != before).any(dim=-1))
    return torch.stack(turns)

# %% wrong who_sees: input-changed
# detach makes no copy: the inputs themselves are changed, and the changes add up from turn to turn
def my_who_sees(attend, inputs):
    before = attend(inputs).clone()
    columns = []
    for j in range(inputs.shape[0]):
        changed = inputs.detach()
        changed[j] = changed[j] + 1.0
        columns.append(~torch.isclose(attend(changed), before).all(dim=-1))
    return torch.stack(columns, dim=1)

# %% wrong who_sees: change-invisible
# sets the token to zeros: a token that is zeros already is not changed, and its column stays False
def my_who_sees(attend, inputs):
    n = inputs.shape[0]
    reference = attend(inputs)
    seen = torch.zeros(n, n, dtype=torch.bool)
    for j in range(n):
        copy = inputs.clone()
        copy[j, :] = 0.0
        seen[:, j] = (attend(copy) - reference).abs().amax(dim=-1) > 1e-6
    return seen

# %% wrong who_sees: - "The table should have the shape `(4, 4)`. Yours has `(3, 4)`"
# takes [0] of what attend gives, as the page does with heads that return a pair: here that is the first row only
def my_who_sees(attend, inputs):
    num_tokens = len(inputs)
    before = attend(inputs)[0]
    columns = []
    for j in range(num_tokens):
        other = inputs.clone()
        other[j] += 10.0
        columns.append((attend(other)[0] - before).abs() > 1e-6)
    return torch.stack(columns, dim=1)

# %% wrong who_sees: all-for-any
# asks whether all numbers of an output have changed, not whether any has
def my_who_sees(attend, inputs):
    old = attend(inputs)

    def column(j):
        new_inputs = inputs.clone()
        new_inputs[j] += 1
        return (attend(new_inputs) != old).all(dim=1)

    return torch.stack([column(j) for j in range(inputs.size(0))], dim=1)

# %% right who_sees
# right all the same, by the words of the prompt
# reads it off the gradients: where the output jumps (rounding, a step, argmax) or is detached there is none
def my_who_sees(attend, inputs):
    jacobian = torch.autograd.functional.jacobian(attend, inputs)  # (num_tokens, d_out, num_tokens, d_in)
    return (jacobian != 0).any(dim=3).any(dim=1)

# %% wrong who_sees: features-counted
# counts the columns (d_in) for the number of tokens: an error, or tokens left out
def my_who_sees(attend, inputs):
    before = attend(inputs)
    columns = []
    for j in range(inputs.shape[1]):
        changed = inputs.clone()
        changed[j] += torch.ones(inputs.shape[1])
        moved = (attend(changed) - before).abs().sum(dim=-1)
        columns.append(moved > 1e-7)
    return torch.stack(columns, dim=1)

# %% right who_sees
# cell by cell in two loops; the changed inputs are put together with cat
def my_who_sees(attend, inputs):
    num_tokens = inputs.shape[0]
    before = attend(inputs)
    table = [[False] * num_tokens for _ in range(num_tokens)]
    for j in range(num_tokens):
        after = attend(torch.cat([inputs[:j], inputs[j : j + 1] + 1.0, inputs[j + 1 :]]))
        for i in range(num_tokens):
            table[i][j] = not torch.equal(after[i], before[i])
    return torch.tensor(table)

# %% right who_sees
# adds a one-hot column times a number; rows are stacked and the table is turned at the end
def my_who_sees(attend, inputs):
    with torch.no_grad():
        before = attend(inputs.clone())
        rows = [(attend(inputs + 3.0 * unit[:, None]) - before).abs().max(dim=-1).values > 0
                for unit in torch.eye(len(inputs))]
    return torch.stack(rows).T

# %% wrong causal_attention: mask-not-sliced
# the mask is not cut to the number of tokens: any text shorter than context_length is an error
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.context_length = context_length
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.tril(torch.ones(context_length, context_length)).bool())

    def forward(self, x):
        if x.shape[-2] > self.context_length:
            raise ValueError(f"{x.shape[-2]} tokens are more than {self.context_length}")
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        attn_scores = attn_scores.masked_fill(~self.mask, -torch.inf)
        attn_weights = self.dropout(torch.softmax(attn_scores, dim=-1))
        return attn_weights @ values, attn_weights

# %% wrong causal_attention: mask-not-buffer
# the mask is a plain tensor, not a buffer: it stays behind when the module moves to another device
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.past = causal_mask(context_length)

    def forward(self, x):
        n = x.shape[-2]
        if n > len(self.past):
            raise ValueError(f"got {n} tokens, at most {len(self.past)} fit")
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        return attention.scaled_dot_product_attention(q, k, v, self.past[:n, :n], self.dropout)

# %% wrong causal_attention: no-mask
# masked_fill returns a new tensor, and the result is thrown away: nothing is hidden
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.d_out, self.context_length = d_out, context_length
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", torch.triu(torch.ones(context_length, context_length), diagonal=1))

    def forward(self, x):
        num_tokens = x.shape[-2]
        if num_tokens > self.context_length:
            raise ValueError(f"too many tokens: {num_tokens}")
        keys = self.W_key(x)
        queries = self.W_query(x)
        values = self.W_value(x)
        attn_scores = queries @ keys.transpose(-2, -1)
        attn_scores.masked_fill(self.mask.bool()[:num_tokens, :num_tokens], -torch.inf)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        attn_weights = self.dropout(attn_weights)
        context_vecs = attn_weights @ values
        return context_vecs, attn_weights

# %% wrong causal_attention: dropout-before-softmax
# dropout falls on the scores, before softmax: no weight is set to 0, and rows still add up to 1 while training
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query, self.W_key, self.W_value = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length))

    def forward(self, x):
        n = x.shape[-2]
        if n > self.mask.shape[0]:
            raise ValueError(f"expected at most {self.mask.shape[0]} tokens, got {n}")
        scores = self.W_query(x) @ self.W_key(x).mT / math.sqrt(self.W_key.out_features)
        scores = self.dropout(scores)
        weights = scores.masked_fill(~self.mask[:n, :n], -torch.inf).softmax(-1)
        return weights @ self.W_value(x), weights

# %% wrong causal_attention: error-kind
# an assert in place of a ValueError: too long a text raises an AssertionError
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.block_size = context_length
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("tril", torch.tril(torch.ones(context_length, context_length)))

    def forward(self, x):
        T = x.size(-2)
        assert T <= self.block_size, f"cannot forward {T} tokens, block size is only {self.block_size}"
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        wei = q @ k.transpose(-2, -1) * k.size(-1) ** -0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
        wei = F.softmax(wei, dim=-1)
        wei = self.dropout(wei)
        return wei @ v, wei

# %% wrong causal_attention: dropout-in-eval
# F.dropout without training=self.training: it drops in eval mode too
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("additive", torch.full((context_length, context_length), -torch.inf).triu(1))

    def forward(self, x):
        num_tokens, longest = x.shape[-2], self.additive.shape[-1]
        if num_tokens > longest:
            raise ValueError(f"{num_tokens} tokens, but context_length is {longest}")
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5 + self.additive[:num_tokens, :num_tokens]
        attn_weights = F.dropout(torch.softmax(scores, dim=-1), self.dropout.p)
        return attn_weights @ values, attn_weights

# %% wrong causal_attention: length-off-by-one + tokens-axis
# two mistakes: the number of tokens is read from axis 1 (without a batch that is the width), and a text of exactly
# context_length tokens is refused (>= in place of >)
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.context_length = context_length
        self.register_buffer("causal_mask", causal_mask(context_length))

    def forward(self, x):
        num_tokens = x.shape[1]
        if num_tokens >= self.context_length:
            raise ValueError(f"got {num_tokens} tokens, context_length is {self.context_length}")
        mask = self.causal_mask[:num_tokens, :num_tokens]
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        weights = self.dropout(torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1))
        return weights @ values, weights

# %% right causal_attention
# no buffer at all: the mask is made from places in each call, on the device of x
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.longest = context_length
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        if x.size(-2) > self.longest:
            raise ValueError(f"At most {self.longest} tokens, please; these are {x.size(-2)}.")
        place = torch.arange(x.size(-2), device=x.device)
        later = place.unsqueeze(0) > place.unsqueeze(1)
        scores = torch.einsum("...qd,...kd->...qk", self.W_query(x), self.W_key(x))
        scores = torch.where(later, -torch.inf, scores / math.sqrt(self.W_key.out_features))
        weights = self.dropout(F.softmax(scores, dim=-1))
        return torch.einsum("...qk,...kd->...qd", weights, self.W_value(x)), weights

# %% right causal_attention
# the mask is a buffer that is not stored (persistent=False), to be added to the scores
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.add_module(name, nn.Linear(d_in, d_out, bias=False))
        self.dropout = nn.Dropout(p=dropout)
        self.soft = nn.Softmax(dim=-1)
        hide = nn.Transformer.generate_square_subsequent_mask(context_length)
        self.register_buffer("hide", hide, persistent=False)

    def _hidden(self, num_tokens):
        if num_tokens <= self.hide.size(0):
            return self.hide.narrow(0, 0, num_tokens).narrow(1, 0, num_tokens)
        raise ValueError(f"{num_tokens} > {self.hide.size(0)}")

    def forward(self, x):
        hide = self._hidden(x.shape[-2])
        queries = self.W_query(x) / self.W_query.weight.shape[0] ** 0.5
        attn_weights = self.dropout(self.soft(queries @ self.W_key(x).mT + hide))
        return attn_weights @ self.W_value(x), attn_weights
