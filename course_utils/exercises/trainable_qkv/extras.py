"""Mistakes that add something to one head of attention: an activation, another layer, a norm, a mask."""

EXTRAS = """
activation: A `relu`, or the like, stands behind a layer. Queries, keys and values are what the layers give.
    self.W_query(x), self.W_key(x) -> torch.relu(self.W_query(x)), self.W_key(x)
    or
    self.W_query(x), self.W_key(x) -> self.W_query(x), torch.relu(self.W_key(x))
    or
    self.W_query(x), self.W_key(x) -> torch.relu(self.W_query(x)), torch.relu(self.W_key(x))
    or
    self.W_value(x) -> torch.relu(self.W_value(x))
    or
    self.W_query(x), self.W_key(x), self.W_value(x) ->
        torch.relu(self.W_query(x)), torch.relu(self.W_key(x)), torch.relu(self.W_value(x))
    or
    self.W_query(x), self.W_key(x), self.W_value(x) ->
        torch.tanh(self.W_query(x)), torch.tanh(self.W_key(x)), torch.tanh(self.W_value(x))
activation: A `relu`, or the like, stands behind the mix. A context vector is the mix alone: `attn_weights @ values`.
    return attn_weights @ values, -> return torch.relu(attn_weights @ values),
    or
    return attn_weights @ values, -> return torch.tanh(attn_weights @ values),
extra-layer: A fourth layer stands behind the mix. A context vector is the mix alone: `attn_weights @ values`.
    self.W_value = nn.Linear(d_in, d_out, bias=False) ->
        self.W_value = nn.Linear(d_in, d_out, bias=False) ⏎ self.out_proj = nn.Linear(d_out, d_out)
    return attn_weights @ values, -> return self.out_proj(attn_weights @ values),
normalised: The context vectors are normalised. A context vector is the mix alone: `attn_weights @ values`.
    return attn_weights @ values, -> return nn.functional.layer_norm(attn_weights @ values, values.shape[-1:]),
    or
    return attn_weights @ values, -> return nn.functional.normalize(attn_weights @ values, dim=-1),
one-token: The context vector of one token comes back. Each token has its own: leave out the index.
    return attn_weights @ values, -> return (attn_weights @ values)[..., -1, :],
    or
    return attn_weights @ values, -> return (attn_weights @ values)[..., 0, :],
tokens-averaged: The context vectors are averaged over the tokens. Each token has its own: leave out the mean.
    return attn_weights @ values, -> return (attn_weights @ values).mean(dim=-2),
weights-averaged: The weights come back averaged. Return them as they were applied, one row for each query.
    return attn_weights @ values, attn_weights -> return attn_weights @ values, attn_weights.mean(dim=0)
    or
    return attn_weights @ values, attn_weights -> return attn_weights @ values, attn_weights.mean(dim=-2)
"""
