# %% right
def my_alibi(attn_scores, slopes):
    steps = torch.ones(attn_scores.shape[-2:], dtype=attn_scores.dtype).tril(-1).cumsum(0)
    return attn_scores - torch.einsum("h,qk->hqk", slopes, steps + steps.mT)

# %% right
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.size(-1))
    distance = torch.maximum(places - places.unsqueeze(1), places.unsqueeze(1) - places)
    return torch.stack([attn_scores[:, head] - slope * distance for head, slope in enumerate(slopes)], dim=1)

# %% right
def my_alibi(attn_scores, slopes):
    lowered = attn_scores.clone()
    for head in range(len(slopes)):
        for query in range(attn_scores.shape[2]):
            for key in range(attn_scores.shape[3]):
                lowered[:, head, query, key] -= slopes[head] * abs(query - key)
    return lowered

# %% right
def my_alibi(attn_scores, slopes):
    batch, num_heads, num_tokens, _ = attn_scores.shape
    out = torch.zeros_like(attn_scores)
    for h in range(num_heads):
        for q in range(num_tokens):
            for k in range(num_tokens):
                out[:, h, q, k] = attn_scores[:, h, q, k] - slopes[h] * abs(q - k)
    return out

# %% wrong: - "For the attn scores, a list came back. One tensor is made of"
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.shape[-1])
    distance = (places[:, None] - places).abs()
    return [attn_scores[:, i] - slopes[i] * distance for i in range(len(slopes))]

# %% wrong: - "It ran to its end and gave nothing back: the last line needs"
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.shape[-1])
    distance = torch.abs(places[:, None] - places)
    attn_scores = attn_scores - slopes[:, None, None] * distance

# %% wrong: - "`attn_scores[head]` stops: axis 0 of (2, 3, 5, 5) has 2 plac"
def my_alibi(attn_scores, slopes):
    out = attn_scores.clone()
    places = torch.arange(attn_scores.shape[-1])
    distance = (places[:, None] - places).abs()
    for head, slope in enumerate(slopes):
        out[head] = attn_scores[head] - slope * distance
    return out
