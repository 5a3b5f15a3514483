# %% right
MyCausalAttention = attention.CausalAttention

# %% right
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

# %% right
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

# %% right
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

# %% right
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

# %% wrong: - "It stops with `ValueError`: mask of shape (3, 3) does not br"
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

# %% wrong: - "`nn.Parameter(attention.causal_mask(context_length))` stops:"
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

# %% wrong: dropout-before-softmax
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

# %% wrong: dropout-in-eval
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

# %% wrong: dropout-not-applied
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

# %% wrong: dropout-on-output
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

# %% wrong: extra-parameter
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

# %% wrong: length-off-by-one
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

# %% wrong: length-off-by-one + tokens-axis
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

# %% wrong: mask-after-softmax
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

# %% wrong: mask-cut-at-end
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

# %% wrong: mask-not-buffer
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

# %% wrong: mask-not-sliced
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

# %% wrong: no-length-check
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

# %% wrong: tokens-axis
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
