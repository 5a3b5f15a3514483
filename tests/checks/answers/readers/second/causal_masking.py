# %% wrong causal_mask: mask-off-by-one
# torch.tril of booleans with diagonal=1: every token may see one token of the future
def my_causal_mask(num_tokens):
    everything = torch.ones(num_tokens, num_tokens, dtype=torch.bool)
    return everything.tril(1)

# %% wrong causal_mask: mask-additive
# fills the mask with minus infinity as way 2 and 3 do: a table of numbers, not booleans
def my_causal_mask(num_tokens):
    return torch.full((num_tokens, num_tokens), -torch.inf).triu(diagonal=1)

# %% wrong causal_mask: mask-lower
# turned the wrong way by indexing: the row holds the queries' places, keys down the side (upper triangle True)
def my_causal_mask(num_tokens):
    query_place = torch.arange(num_tokens).unsqueeze(0)
    key_place = torch.arange(num_tokens).unsqueeze(1)
    return key_place <= query_place

# %% wrong causal_mask: no-mask
# tril_indices exists, but the first of its two results alone is used: whole rows become True
def my_causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool)
    rows, cols = torch.tril_indices(num_tokens, num_tokens)
    mask[rows] = True
    return mask

# %% right causal_mask
# right all the same: a loop gives the right table, and the check gives a hint
# a loop over the rows, though the prompt says no loop. The table is right
def my_causal_mask(num_tokens):
    mask = torch.zeros(num_tokens, num_tokens, dtype=torch.bool)
    for i in range(num_tokens):
        mask[i, : i + 1] = True
    return mask

# %% wrong causal_mask: mirrored
# mirrored left to right (anti-diagonal): a triangle, but in the wrong corner
def my_causal_mask(num_tokens):
    n = torch.arange(num_tokens)
    return n[:, None] + n[None, :] >= num_tokens - 1

# %% wrong causal_mask: self-only
# both comparisons joined with &: only the diagonal stays True
def my_causal_mask(num_tokens):
    place = torch.arange(num_tokens)
    not_later = place[None, :] <= place[:, None]
    not_earlier = place[None, :] >= place[:, None]
    return not_later & not_earlier

# %% wrong additive_mask: mask-inverted
# takes the logarithm of ~mask in place of mask: 0 where hidden and minus infinity where open
def my_additive_mask(mask):
    return torch.log((~mask).float())

# %% wrong additive_mask: all-masked-uniform
# a very negative number, the smallest of float32, in place of minus infinity
def my_additive_mask(mask):
    table = torch.zeros(mask.shape)
    return table.masked_fill(~mask, torch.finfo(torch.float32).min)

# %% wrong additive_mask: nothing-hidden
# masked_fill without the underscore, its result thrown away: the table stays all zeros
def my_additive_mask(mask):
    table = torch.zeros(mask.shape)
    table.masked_fill(mask.logical_not(), float("-inf"))
    return table

# %% wrong additive_mask: table-not-float
# zeros_like(mask) is a table of booleans: minus infinity becomes True, 0 becomes False
def my_additive_mask(mask):
    table = torch.zeros_like(mask)
    table[~mask] = -torch.inf
    return table

# %% wrong additive_mask: open-not-zero
# one at the open places, not 0: log forgotten, the mask of 1 and minus infinity lifts the open scores
def my_additive_mask(mask):
    return mask.float().masked_fill(mask == 0, -math.inf)

# %% wrong additive_mask: mask-ignored
# reads only the size of the mask and makes the causal table anew: wrong for any other mask and other shapes
def my_additive_mask(mask):
    n = mask.shape[-1]
    return torch.triu(torch.full((n, n), float("-inf")), diagonal=1)

# %% wrong additive_mask: plus-infinity
# plus infinity: 1 / mask - 1 gives 0 where open, but +inf where hidden (the sign was not thought of)
def my_additive_mask(mask):
    return 1.0 / mask.float() - 1.0

# %% wrong masked_weights: mask-renormalised
# softmax first, weights of hidden keys erased, rows shared out again: way 1. A row whose open scores are far below a
# hidden one loses everything (0 / 0, patched to 0), and scores may be huge
def my_masked_weights(attn_scores, mask):
    w = torch.softmax(attn_scores, dim=-1) * mask
    total = w.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, w / total, torch.zeros_like(w))

# %% wrong masked_weights: empty-by-column
# any over dim=-2: asks which keys are seen by anybody, not which queries see something; empty rows stay nan
# and a key that nobody sees is set to zero, which it is already
def my_masked_weights(attn_scores, mask):
    hidden = attn_scores.masked_fill(~mask, -torch.inf)
    weights = torch.softmax(hidden, dim=-1)
    seen = mask.any(dim=-2, keepdim=True)
    return weights.masked_fill(~seen, 0.0)

# %% wrong masked_weights: all-masked-uniform
# nan_to_num stands before softmax: minus infinity becomes the smallest float, empty rows come out even
def my_masked_weights(attn_scores, mask):
    scores = torch.nan_to_num(attn_scores.masked_fill(~mask, float("-inf")))
    return F.softmax(scores, dim=-1)

# %% wrong masked_weights: zero-hidden
# the scores are multiplied by the mask before minus infinity is filled in at each place that is 0: an open score
# that is exactly 0 is hidden too
def my_masked_weights(attn_scores, mask):
    gated = attn_scores * mask
    gated = gated.masked_fill(gated == 0, -torch.inf)
    weights = torch.softmax(gated, dim=-1)
    return torch.where(mask.any(dim=-1, keepdim=True), weights, 0.0)

# %% wrong masked_weights: - "`scores[~mask] = -torch.inf` stops: a mask of shape (3, 4) p"
# boolean indexing of the scores: attn_scores[~mask] needs a mask of all the axes, stops when the mask has fewer
def my_masked_weights(attn_scores, mask):
    scores = attn_scores.clone()
    scores[~mask] = -torch.inf
    weights = torch.softmax(scores, dim=-1)
    weights[~mask] = 0.0
    return weights

# %% wrong masked_weights: naive-overflow
# own softmax without the row's maximum: exp of huge scores is inf, and inf / inf
def my_masked_weights(attn_scores, mask):
    exps = torch.exp(attn_scores) * mask
    total = exps.sum(dim=-1, keepdim=True)
    return exps / total.clamp(min=1e-9)

# %% wrong masked_weights: mask-renormalised
# own softmax, safe for huge scores, but the maximum is taken over hidden keys too: if a hidden one is far higher,
# the open exponentials are all 0 and so is the whole row
def my_masked_weights(attn_scores, mask):
    shifted = attn_scores - attn_scores.amax(dim=-1, keepdim=True)
    exps = torch.where(mask, torch.exp(shifted), 0.0)
    sums = exps.sum(dim=-1, keepdim=True)
    return exps / torch.where(sums == 0, torch.ones_like(sums), sums)

# %% wrong who_sees: changes-kept
# builds up changes: the copy is made once before the loop, so turn j has all tokens up to j changed
def my_who_sees(attend, inputs):
    before = attend(inputs)
    copy = inputs.clone()
    columns = []
    for j in range(len(inputs)):
        copy[j] += 1.0
        columns.append((attend(copy) != before).any(dim=-1))
    return torch.stack(columns, dim=1)

# %% wrong who_sees: token-taken-out
# cuts tokens off in place of changing one: compares with the outputs of the shortened text, whose shape does not fit
def my_who_sees(attend, inputs):
    before = attend(inputs)
    seen = []
    for j in range(inputs.shape[0]):
        shorter = torch.cat([inputs[:j], inputs[j + 1:]])
        after = attend(shorter)
        seen.append((after != before).any(dim=-1))
    return torch.stack(seen, dim=1)

# %% wrong who_sees: all-for-any
# all(dim=-1): output i counts as moved only if every one of its numbers moved
def my_who_sees(attend, inputs):
    base = attend(inputs)
    table = torch.zeros(len(inputs), len(inputs), dtype=torch.bool)
    for j in range(len(inputs)):
        other = inputs.clone()
        other[j] = other[j] + 1.0
        table[:, j] = (attend(other) != base).all(dim=-1)
    return table

# %% wrong who_sees: signed-change
# the sum of the differences: positive and negative moves can cancel; and a move downwards counts as none (> 0)
def my_who_sees(attend, inputs):
    n = inputs.shape[0]
    y = attend(inputs)
    out = torch.empty(n, n, dtype=torch.bool)
    for token in range(n):
        nudged = inputs.clone()
        nudged[token] += 1
        out[:, token] = (attend(nudged) - y).sum(-1) > 0
    return out

# %% wrong who_sees: token-alone
# hands in a text of one changed token (a slice), not the text with one token changed: broadcasts against all outputs
def my_who_sees(attend, inputs):
    before = attend(inputs)
    columns = []
    for j in range(len(inputs)):
        after = attend(inputs[j:j + 1] + 1.0)
        columns.append((after - before).abs().amax(dim=-1) > 1e-6)
    return torch.stack(columns, dim=1)

# %% wrong who_sees: size-returned
# returns how far the outputs moved, numbers in place of booleans
def my_who_sees(attend, inputs):
    start = attend(inputs)
    moves = []
    for j in range(len(inputs)):
        step = torch.zeros_like(inputs)
        step[j] = 1.0
        moves.append((attend(inputs + step) - start).abs().amax(dim=-1))
    return torch.stack(moves, dim=1)

# %% wrong who_sees: change-invisible
# zeroes token j to change it: a token that is zeros already does not change, its column stays False
def my_who_sees(attend, inputs):
    reference = attend(inputs)

    def column(j):
        blanked = inputs.clone()
        blanked[j].zero_()
        return ~torch.isclose(attend(blanked), reference).all(dim=-1)

    return torch.stack([column(j) for j in range(inputs.shape[0])], dim=-1)

# %% wrong causal_attention: dropout-before-softmax
# dropout on the scores before softmax, as a step earlier than asked for: hidden or not, some scores become 0
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
        n = x.shape[-2]
        if n > self.context_length:
            raise ValueError(f"{n} tokens, at most {self.context_length}")
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = self.dropout(q @ k.mT / k.shape[-1] ** 0.5)
        w = torch.softmax(scores.masked_fill(~self.mask[:n, :n], -torch.inf), dim=-1)
        return w @ v, w

# %% wrong causal_attention: dropout-not-applied
# dropout twice: once for the mix, once more for what is returned, so the returned weights are not those applied
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("past", torch.ones(context_length, context_length).tril().bool())

    def forward(self, x):
        tokens = x.size(-2)
        if tokens > len(self.past):
            raise ValueError(f"got {tokens} tokens, at most {len(self.past)}")
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = torch.einsum("...qd,...kd->...qk", queries, keys) / math.sqrt(queries.size(-1))
        weights = scores.masked_fill(~self.past[:tokens, :tokens], -torch.inf).softmax(-1)
        return self.dropout(weights) @ values, self.dropout(weights)

# %% wrong causal_attention: no-length-check
# cuts a text that is too long in silence to context_length tokens, where a ValueError was asked for
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            self.add_module(name, nn.Linear(d_in, d_out, bias=False))
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("causal_mask", causal_mask(context_length))

    def forward(self, x):
        x = x[..., : self.causal_mask.shape[0], :]
        n = x.shape[-2]
        q, k = self.W_query(x), self.W_key(x)
        s = (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).masked_fill(~self.causal_mask[:n, :n], -torch.inf)
        w = self.dropout(torch.softmax(s, dim=-1))
        return w @ self.W_value(x), w

# %% wrong causal_attention: length-off-by-one
# >= in the check of the length: a text of exactly context_length tokens is refused
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.context_length = context_length
        self.register_buffer("M", torch.where(causal_mask(context_length), 0.0, -torch.inf))

    def forward(self, x):
        num_tokens = x.shape[-2]
        if num_tokens >= self.context_length:
            raise ValueError(f"got {num_tokens} tokens, room for {self.context_length}")
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = queries @ keys.mT / queries.shape[-1] ** 0.5 + self.M[:num_tokens, :num_tokens]
        attn_weights = self.dropout(attention.softmax(attn_scores))
        return attn_weights @ values, attn_weights

# %% wrong causal_attention: mask-cut-at-end
# cuts the mask from the wrong end in its rows ([-n:, :n]): the lower left corner. A text shorter than context_length
# sees the future
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.max_len = context_length
        self.register_buffer("mask", causal_mask(context_length))

    def forward(self, x):
        n = x.shape[-2]
        if n > self.max_len:
            raise ValueError(f"text of {n} tokens is longer than {self.max_len}")
        mask = self.mask[-n:, :n]
        ctx, w = attention.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x), mask)
        w = self.dropout(w)
        return w @ self.W_value(x), w

# %% wrong causal_attention: dropout-in-eval
# F.dropout with its default training=True: weights are dropped in eval mode too
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("causal_mask", causal_mask(context_length))

    def forward(self, x):
        n, most = x.shape[-2], self.causal_mask.shape[0]
        if n > most:
            raise ValueError(f"got {n} tokens, context_length is {most}")
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        scores = scores.masked_fill(~self.causal_mask[:n, :n], -torch.inf)
        weights = F.dropout(torch.softmax(scores, dim=-1), self.dropout.p)
        return weights @ values, weights

# %% wrong causal_attention: extra-parameter
# the mask is an nn.Parameter: it is trained by an optimizer (a table of 0 and minus infinity, with gradient)
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        future = torch.full((context_length, context_length), -torch.inf).triu(1)
        self.mask = nn.Parameter(future)

    def forward(self, x):
        length = x.shape[-2]
        if length > self.mask.shape[-1]:
            raise ValueError(f"{length} tokens are more than {self.mask.shape[-1]}")
        scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1) / self.W_key.out_features ** 0.5
        weights = torch.softmax(scores + self.mask[:length, :length], dim=-1)
        weights = self.dropout(weights)
        return weights @ self.W_value(x), weights
