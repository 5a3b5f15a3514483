# %% right
def my_fused_attention(queries, keys, values, key_padding_mask):
    mask = key_padding_mask.logical_not().unsqueeze(1).unsqueeze(2)
    return attention.scaled_dot_product_attention(queries, keys, values, mask)[0]

# %% right
def my_fused_attention(queries, keys, values, key_padding_mask):
    batch, heads, num_queries, _ = queries.shape
    mask = (key_padding_mask == 0).view(batch, 1, 1, -1).expand(batch, heads, num_queries, -1)
    return F.scaled_dot_product_attention(queries, keys, values, mask, 0.0)

# %% right
def my_fused_attention(queries, keys, values, key_padding_mask):
    *front, num_queries, _ = queries.shape
    full = key_padding_mask.reshape(len(key_padding_mask), 1, 1, -1)
    full = (full ^ True).expand(*front, num_queries, keys.shape[-2]).contiguous()
    sdpa = F.scaled_dot_product_attention
    return sdpa(query=queries, key=keys, value=values, attn_mask=full, dropout_p=0.0)

# %% right
def my_fused_attention(queries, keys, values, key_padding_mask):
    done = []
    for q, k, v, padded in zip(queries, keys, values, key_padding_mask):
        open_places = torch.nonzero(~padded).flatten()
        if len(open_places) == 0:
            done.append(q.new_zeros(*q.shape[:-1], v.shape[-1]))
            continue
        done.append(F.scaled_dot_product_attention(q, k[:, open_places], v[:, open_places]))
    return torch.stack(done)

# %% wrong: - "It gives a tuple of 2 back. One thing is asked for: the cont"
my_fused_attention = lambda *qkv: attention.scaled_dot_product_attention(*qkv[:3])
