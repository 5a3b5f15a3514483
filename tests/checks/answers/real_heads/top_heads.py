# %% right
def my_top_heads(scores, count):
    return torch.stack(torch.unravel_index(scores.flatten().argsort(descending=True)[:count], scores.shape), dim=1)

# %% right
def my_top_heads(scores, count):
    best = torch.topk(scores.reshape(-1), k=count)[1].tolist()
    return torch.tensor([divmod(place, scores.size(1)) for place in best])

# %% right
def my_top_heads(scores, count):
    order = torch.argsort(scores.ravel(), descending=True)[:count]
    return torch.stack(torch.unravel_index(order, scores.shape)).T.to(torch.int32)

# %% right
def my_top_heads(scores, count):
    order = torch.sort(scores.reshape(-1), descending=True, stable=True).indices[:count]
    layers, heads = torch.unravel_index(order, scores.shape)
    return torch.column_stack((layers, heads)).int()

# %% right
def my_top_heads(scores, count):
    places = [(layer, head) for layer in range(scores.shape[0]) for head in range(scores.shape[1])]
    places.sort(key=lambda place: scores[place].item(), reverse=True)
    return torch.tensor(places[:count])

# %% right
def my_top_heads(scores, count):
    table = scores.tolist()
    pairs = [(layer, head) for layer in range(len(table)) for head in range(len(table[0]))]
    pairs.sort(key=lambda pair: table[pair[0]][pair[1]], reverse=True)
    return torch.tensor(pairs[:count])

# %% right
def my_top_heads(scores, count):
    pairs = [(layer, head) for layer in range(len(scores)) for head in range(len(scores[layer]))]
    best = sorted(pairs, key=lambda pair: -scores[pair].item())[:count]
    return torch.tensor(best, dtype=torch.int32).reshape(count, 2)

# %% right
def my_top_heads(scores, count):
    left = scores.clone()
    found = []
    for _ in range(count):
        layer, head = divmod(left.argmax().item(), left.shape[1])
        found.append([layer, head])
        left[layer, head] = -torch.inf
    return torch.tensor(found)

# %% right
def my_top_heads(scores, count):
    left, found = scores.clone(), torch.empty(count, 2, dtype=torch.int32)
    for i in range(count):
        layer, head = divmod(left.argmax().item(), left.shape[1])
        found[i, 0], found[i, 1] = layer, head
        left[layer, head] = -math.inf
    return found

# %% right
def my_top_heads(scores, count):
    triples = []
    for layer, row in enumerate(scores.tolist()):
        for head, score in enumerate(row):
            triples.append((score, layer, head))
    triples.sort(key=lambda triple: -triple[0])
    return torch.tensor([triple[1:] for triple in triples[:count]])

# %% wrong: - "In your places, rows and columns have changed places. Look f"
def my_top_heads(scores, count):
    order = scores.flatten().argsort(descending=True)[:count]
    return torch.stack([order // scores.shape[1], order % scores.shape[1]])

# %% wrong: - "In your places, the rows stand in reversed order along `dim="
def top_by_flat_index(scores, count):
    best = scores.flatten().topk(count).indices  # (count,)
    return torch.stack([best // scores.shape[-1], best % scores.shape[-1]], dim=-1)  # (count, 2)
def my_top_heads(scores, count):
    return top_by_flat_index(scores, count).flip(0)

# %% wrong: axes-joined
def my_top_heads(scores, count):
    num_heads = scores.size(1)
    best = torch.topk(scores.reshape(-1), count).indices
    return torch.stack((best // num_heads, best % num_heads))

# %% wrong: crossed-out-with-0
def my_top_heads(scores, count):
    left, found = scores.clone(), []
    for _ in range(count):
        layer, head = divmod(left.argmax().item(), scores.shape[1])
        found.append([layer, head])
        left[layer, head] = 0
    return torch.tensor(found)

# %% wrong: fixed-width
def my_top_heads(scores, count):
    places = scores.flatten().topk(count).indices
    return torch.stack((places // 12, places % 12), dim=1)

# %% wrong: flat-index
def my_top_heads(scores, count):
    return scores.flatten().topk(count).indices

# %% wrong: input-changed
def my_top_heads(scores, count):
    found = []
    for _ in range(count):
        layer, head = divmod(scores.argmax().item(), scores.shape[1])
        found.append([layer, head])
        scores[layer, head] = -torch.inf
    return torch.tensor(found)

# %% wrong: looked-up-again
def my_top_heads(scores, count):
    best = scores.flatten().sort(descending=True).values[:count]
    return torch.stack([(scores == value).nonzero()[0] for value in best])

# %% wrong: lowest
def my_top_heads(scores, count):
    places = scores.flatten().argsort()[:count]
    layer = places // scores.shape[-1]
    head = places % scores.shape[-1]
    return torch.stack([layer, head], dim=1)

# %% wrong: order-of-places
def my_top_heads(scores, count):
    least = scores.flatten().topk(count).values[-1]
    return (scores >= least).nonzero()[:count]

# %% wrong: per-layer
def my_top_heads(scores, count):
    return scores.topk(min(count, scores.shape[-1]), dim=-1).indices

# %% wrong: places-swapped
def my_top_heads(scores, count):
    places = scores.flatten().topk(count).indices
    num_heads = scores.shape[1]
    return torch.stack([places % num_heads, places // num_heads], dim=1)

# %% wrong: reshape-for-stack
def my_top_heads(scores, count):
    order = torch.topk(scores.flatten(), count).indices
    pairs = torch.stack(torch.unravel_index(order, scores.shape))
    return pairs.reshape(count, 2)

# %% wrong: rounded
def my_top_heads(scores, count):
    places = scores.reshape(-1).argsort(descending=True)[:count]
    width = scores.size(1)
    layer = torch.round(places / width).long()
    head = places % width
    return torch.stack((layer, head), dim=1)

# %% wrong: scores-returned
def my_top_heads(scores, count):
    return scores.flatten().topk(count).values

# %% wrong: size-for-score
def my_top_heads(scores, count):
    best = scores.abs().flatten().topk(count).indices
    n = scores.shape[-1]
    return torch.stack((best // n, best % n), dim=-1)

# %% wrong: table-turned
def my_top_heads(scores, count):
    num_heads = scores.shape[1]
    places = scores.T.flatten().topk(count).indices
    return torch.stack([places // num_heads, places % num_heads], dim=-1)

# %% wrong: true-division
def my_top_heads(scores, count):
    indices = scores.flatten().topk(count).indices
    n = scores.shape[1]
    return torch.stack([indices / n, indices % n], dim=-1)

# %% wrong: wrong-width
def my_top_heads(scores, count):
    places = scores.flatten().topk(count).indices
    return torch.stack([places // scores.shape[0], places % scores.shape[0]], dim=-1)
