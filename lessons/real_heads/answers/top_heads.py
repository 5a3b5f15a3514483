# %% right
def my_top_heads(scores, count):
    return torch.stack(torch.unravel_index(scores.flatten().argsort(descending=True)[:count], scores.shape), dim=1)

# %% right
def my_top_heads(scores, count):
    best = torch.topk(scores.reshape(-1), k=count)[1].tolist()
    return torch.tensor([divmod(place, scores.size(1)) for place in best])

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
