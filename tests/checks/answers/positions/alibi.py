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

# %% wrong: abs-too-late
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.shape[-1])
    signed = places[:, None] - places[None, :]
    return torch.abs(attn_scores - slopes[:, None, None] * signed)

# %% wrong: added
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.size(-1))
    bias = slopes[None, :, None, None] * (places[:, None] - places[None, :]).abs()
    return attn_scores + bias

# %% wrong: counts-from-1
# token itself has distance 1
def my_alibi(attn_scores, slopes):
    n = attn_scores.shape[-1]
    distance = torch.zeros(n, n)
    for q in range(n):
        for k in range(n):
            distance[q, k] = abs(q - k) + 1
    return attn_scores - slopes[:, None, None] * distance

# %% wrong: distance-shared
def my_alibi(attn_scores, slopes):
    n = attn_scores.shape[-1]
    places = torch.arange(n)
    distance = (places[:, None] - places).abs() / n
    return attn_scores - slopes[:, None, None] * distance

# %% wrong: distance-zero
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.shape[-1])
    distance = torch.abs(places - places.T)
    return attn_scores - slopes[:, None, None] * distance

# %% wrong: first-head-changed
def my_alibi(attn_scores, slopes):
    out = attn_scores.clone()
    n = attn_scores.shape[-1]
    for head, slope in enumerate(slopes):
        for q in range(n):
            for k in range(n):
                out[:, head, q, k] -= slope * abs(q - k)
        return out

# %% wrong: from-the-end
def my_alibi(attn_scores, slopes):
    n = attn_scores.shape[-1]
    bias = slopes.view(-1, 1, 1) * torch.arange(1 - n, 1).view(1, 1, n)
    return attn_scores + bias

# %% wrong: from-the-start
def my_alibi(attn_scores, slopes):
    penalty = slopes[:, None] * torch.arange(attn_scores.shape[-1])
    return attn_scores - penalty[None, :, None, :]

# %% wrong: heads-from-batch
def my_alibi(attn_scores, slopes):
    i = torch.arange(attn_scores.shape[-1])
    out = attn_scores.clone()
    for h in range(attn_scores.shape[0]):
        out[:, h] = attn_scores[:, h] - slopes[h] * (i.view(-1, 1) - i.view(1, -1)).abs()
    return out

# %% wrong: input-changed
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.size(-1))
    attn_scores -= slopes[None, :, None, None] * (places[:, None] - places[None, :]).abs()
    return attn_scores

# %% wrong: mask-unasked
def my_alibi(attn_scores, slopes):
    n = attn_scores.shape[-1]
    i = torch.arange(n)
    return (attn_scores - slopes[:, None, None] * (i[:, None] - i)).tril()

# %% wrong: multiplied
def my_alibi(attn_scores, slopes):
    i = torch.arange(attn_scores.shape[-1])
    return slopes[:, None, None] * (attn_scores - (i[:, None] - i).abs())

# %% wrong: no-abs
def my_alibi(attn_scores, slopes):
    n = attn_scores.shape[-1]
    distance = torch.arange(n)[None, :] - torch.arange(n)[:, None]
    return attn_scores + slopes.view(-1, 1, 1) * distance

# %% wrong: one-side
def my_alibi(attn_scores, slopes):
    out = attn_scores.clone()
    n = attn_scores.shape[-1]
    for head, slope in enumerate(slopes):
        for q in range(n):
            for k in range(q):
                out[:, head, q, k] -= slope * (q - k)
    return out

# %% wrong: one-slope
def my_alibi(attn_scores, slopes):
    i = torch.arange(attn_scores.shape[-1])
    out = attn_scores
    for h in range(len(slopes)):
        out = out - slopes[h] * (i[:, None] - i).abs()
    return out

# %% wrong: one-step
def my_alibi(attn_scores, slopes):
    i = torch.arange(attn_scores.shape[-1])
    return attn_scores - slopes[:, None, None] * (i[:, None] - i).sign().abs()

# %% wrong: outer
def my_alibi(attn_scores, slopes):
    n = attn_scores.shape[-1]
    distance = torch.tensor([[abs(i - j) for j in range(n)] for i in range(n)])
    return attn_scores - torch.outer(slopes, distance)

# %% wrong: own-slopes
def my_alibi(attn_scores, slopes):
    num_heads = attn_scores.shape[1]
    places = torch.arange(attn_scores.shape[-1])
    own = torch.tensor([2 ** (-8 * (i + 1) / num_heads) for i in range(num_heads)])
    return attn_scores - own.view(1, -1, 1, 1) * (places[:, None] - places).abs()

# %% wrong: past-gains
def my_alibi(attn_scores, slopes):
    n = attn_scores.shape[-1]
    distance = torch.arange(n)[None, :] - torch.arange(n)[:, None]
    return attn_scores - slopes.view(-1, 1, 1) * distance

# %% wrong: places-of-heads
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.shape[1])
    return attn_scores - slopes[:, None, None] * (places[:, None] - places).abs()

# %% wrong: power
def my_alibi(attn_scores, slopes):
    i = torch.arange(attn_scores.shape[-1])
    return attn_scores - 2 ** (-slopes[:, None, None]) * (i[:, None] - i).abs()

# %% wrong: range-for-arange
def my_alibi(attn_scores, slopes):
    places = range(attn_scores.shape[-1])
    distance = abs(places[:, None] - places)
    return attn_scores - slopes[:, None, None] * distance

# %% wrong: slopes-on-keys
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.size(-1))
    return attn_scores - slopes * (places[:, None] - places[None, :]).abs()

# %% wrong: slopes-on-queries
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.size(-1))
    return attn_scores - slopes.unsqueeze(-1) * (places[:, None] - places[None, :]).abs()

# %% wrong: slopes-on-texts
def my_alibi(attn_scores, slopes):
    n = attn_scores.shape[-1]
    p = torch.arange(n)
    d = torch.abs(p[:, None] - p)
    return attn_scores - slopes.view(-1, 1, 1, 1) * d

# %% wrong: slopes-turned
def alibi_by_loops(attn_scores, slopes):
    lowered = attn_scores.clone()
    for head in range(len(slopes)):
        for query in range(attn_scores.shape[2]):
            for key in range(attn_scores.shape[3]):
                lowered[:, head, query, key] -= slopes[head] * abs(query - key)
    return lowered
my_alibi = lambda attn_scores, slopes: alibi_by_loops(attn_scores, slopes.flip(0))
