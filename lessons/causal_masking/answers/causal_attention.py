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
