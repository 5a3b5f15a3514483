# %% right
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        return torch.eye(len(logits), dtype=logits.dtype)[torch.argmax(logits)]
    shares = ((logits - logits.max()) / temperature).exp()
    if top_k is not None:
        rest = logits.argsort(descending=True, stable=True)[top_k:]
        shares[rest] = 0
    return shares / shares.sum()

# %% right
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        top_k, temperature = 1, 1.0
    k = len(logits) if top_k is None else min(top_k, len(logits))
    values, indices = torch.sort(logits, descending=True, stable=True)
    weights = F.softmax(values[:k] / temperature, dim=0)
    return torch.zeros_like(logits).scatter(0, indices[:k], weights)

# %% right
def my_token_shares(logits, temperature, top_k):
    left, kept = logits.clone(), []
    for _ in range(min(1 if temperature == 0 else top_k or len(logits), len(logits))):
        kept.append(left.argmax().item())
        left[kept[-1]] = -math.inf
    scores = torch.full_like(logits, -math.inf)
    scores[kept] = logits[kept] / (temperature or 1)
    return torch.log_softmax(scores, dim=0).exp()

# %% right
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        return F.one_hot(logits.argmax(), len(logits)).float()
    order = sorted(range(len(logits)), key=lambda i: logits[i], reverse=True)[:top_k]
    exps = [math.exp((logits[i] - logits.max()) / temperature) if i in order else 0.0 for i in range(len(logits))]
    return torch.tensor([x / sum(exps) for x in exps], dtype=logits.dtype)

# %% right
def my_token_shares(logits, temperature, top_k):
    order = np.argsort(-logits.numpy(), kind="stable")
    x = logits.double().numpy()
    if temperature == 0:
        p = np.eye(len(x))[order[0]]
    else:
        keep = order[: len(x) if top_k is None else top_k]
        p = np.zeros(len(x))
        p[keep] = np.exp((x[keep] - x.max()) / temperature)
        p /= p.sum()
    return torch.from_numpy(p).to(logits.dtype)

# %% right
def my_token_shares(logits, temperature, top_k):
    n = len(logits)
    places = sorted(range(n), key=lambda i: -logits[i].item())
    if top_k is None or top_k > n:
        top_k = n
    if temperature == 0:
        top_k, temperature = 1, 1
    shares = torch.zeros_like(logits)
    biggest = logits.max()
    for i in places[:top_k]:
        shares[i] = torch.exp((logits[i] - biggest) / temperature)
    return shares / shares.sum()

# %% right
def my_token_shares(logits, temperature, top_k):
    earlier = torch.arange(len(logits))[:, None] > torch.arange(len(logits))
    larger = (logits > logits[:, None]) | ((logits == logits[:, None]) & earlier)
    rank = larger.sum(dim=-1)
    if temperature == 0:
        return (rank == 0).to(logits.dtype)
    if top_k is not None:
        logits = torch.where(rank < top_k, logits, -torch.inf)
    return attention.softmax(logits / temperature)

# %% right
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        shares = torch.zeros(len(logits))
        shares[logits.argmax()] = 1.0
        return shares
    shares = torch.softmax(logits / temperature, dim=-1)
    if top_k is None:
        return shares
    kept = torch.sort(shares, descending=True, stable=True).indices[:top_k]
    left = torch.zeros_like(shares)
    left[kept] = shares[kept]
    return left / left.sum()

# %% right
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        shares = torch.zeros_like(logits)
        shares[logits.argmax()] = 1
        return shares
    keep = torch.argsort(logits, descending=True, stable=True)
    if top_k is not None:
        keep = keep[:top_k]
    mask = torch.zeros(len(logits), dtype=torch.bool)
    mask[keep] = True
    return torch.softmax((logits / temperature).masked_fill(~mask, float("-inf")), dim=-1)

# %% wrong: - "For the shares, a list came back. `torch.tensor` makes one t"
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        return F.one_hot(logits.argmax(), len(logits)).float()
    order = sorted(range(len(logits)), key=lambda i: logits[i], reverse=True)[:top_k]
    exps = [math.exp((logits[i] - logits.max()) / temperature) if i in order else 0.0 for i in range(len(logits))]
    return [x / sum(exps) for x in exps]

# %% wrong: - "In your shares, the rows are not divided by their own sums, "
def my_token_shares(logits, temperature, top_k):
    order = torch.sort(logits, descending=True, stable=True).indices
    if temperature == 0:
        return F.one_hot(order[0], len(logits)).float()
    scores = torch.full_like(logits, -torch.inf)
    scores[order[:top_k]] = (logits[order[:top_k]] - logits.max()) / temperature
    return torch.exp(scores)

# %% wrong: - "It ran to its end and gave nothing back: the last line needs"
def my_token_shares(logits, temperature, top_k):
    order = torch.sort(logits, descending=True, stable=True).indices[:top_k]
    scores = torch.full_like(logits, -torch.inf)
    scores[order] = logits[order]
    if temperature == 0:
        return torch.argmax(scores)
    print(torch.softmax(scores / temperature, dim=-1))

# %% wrong: - "The shares has the dtype `torch.bool` where `torch.float32` "
def my_token_shares(logits, temperature, top_k):
    order = torch.sort(logits, descending=True, stable=True).indices[:top_k]
    scores = torch.full_like(logits, -torch.inf)
    scores[order] = logits[order]
    if temperature == 0:
        return scores == scores.max()
    return torch.softmax(scores / temperature, dim=-1)

# %% wrong: bare-sum
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        shares = torch.zeros(len(logits))
        shares[logits.argmax()] = 1.0
        return shares
    kept = torch.sort(logits, descending=True, stable=True).indices[:top_k]
    left = torch.zeros_like(logits)
    left[kept] = logits[kept] / temperature
    return left / left.sum()

# %% wrong: first-places
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        return F.one_hot(logits.argmax(), len(logits)).float()
    scores = logits / temperature
    if top_k is not None:
        scores[top_k:] = -torch.inf
    return torch.softmax(scores, dim=-1)

# %% wrong: input-changed
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        return F.one_hot(logits.argmax(), len(logits)).float()
    if top_k is not None:
        order = torch.sort(logits, descending=True, stable=True).indices
        logits[order[top_k:]] = -torch.inf
    return torch.softmax(logits / temperature, dim=-1)

# %% wrong: kept-alone
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        shares = torch.zeros_like(logits)
        shares[logits.argmax()] = 1
        return shares
    values = torch.sort(logits, descending=True, stable=True).values[:top_k]
    return torch.softmax(values / temperature, dim=-1)

# %% wrong: largest-left-out
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        return F.one_hot(logits.argmax(), len(logits)).float()
    order = torch.sort(logits, descending=True, stable=True).indices
    scores = logits / temperature
    scores[order[:top_k]] = -torch.inf
    return torch.softmax(scores, dim=-1)

# %% wrong: last-of-equal
def my_token_shares(logits, temperature, top_k):
    order = torch.argsort(logits).flip(0)
    if temperature == 0:
        return F.one_hot(order[0], len(logits)).float()
    scores = torch.full_like(logits, -torch.inf)
    scores[order[:top_k]] = logits[order[:top_k]] / temperature
    return torch.softmax(scores, dim=-1)

# %% wrong: - "In your shares, each number is the logarithm of the right on"
def my_token_shares(logits, temperature, top_k):
    order = torch.sort(logits, descending=True, stable=True).indices
    if temperature == 0:
        return F.one_hot(order[0], len(logits)).float()
    scores = torch.full_like(logits, -torch.inf)
    scores[order[:top_k]] = logits[order[:top_k]] / temperature
    return torch.log_softmax(scores, dim=-1)

# %% wrong: naive-overflow
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        return F.one_hot(logits.argmax(), len(logits)).float()
    order = torch.sort(logits, descending=True, stable=True).indices[:top_k]
    shares = torch.zeros_like(logits)
    shares[order] = torch.exp(logits[order] / temperature)
    return shares / shares.sum()

# %% wrong: no-scale
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        return F.one_hot(logits.argmax(), len(logits)).float()
    order = torch.sort(logits, descending=True, stable=True).indices[:top_k]
    scores = torch.full_like(logits, -torch.inf)
    scores[order] = logits[order]
    return torch.softmax(scores, dim=-1)

# %% wrong: order-of-scores
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        shares = torch.zeros_like(logits)
        shares[0] = 1
        return shares
    values = torch.sort(logits, descending=True, stable=True).values
    if top_k is not None:
        values[top_k:] = -torch.inf
    return torch.softmax(values / temperature, dim=-1)

# %% wrong: place-returned
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        return logits.argmax()
    order = torch.sort(logits, descending=True, stable=True).indices[:top_k]
    scores = torch.full_like(logits, -torch.inf)
    scores[order] = logits[order] / temperature
    return torch.softmax(scores, dim=-1)

# %% wrong: random
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        return F.one_hot(logits.argmax(), len(logits)).float()
    order = torch.sort(logits, descending=True, stable=True).indices[:top_k]
    scores = torch.full_like(logits, -torch.inf)
    scores[order] = logits[order] / temperature
    shares = torch.softmax(scores, dim=-1)
    return torch.multinomial(shares, 1)

# %% wrong: scale-after
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        return F.one_hot(logits.argmax(), len(logits)).float()
    order = torch.sort(logits, descending=True, stable=True).indices[:top_k]
    scores = torch.full_like(logits, -torch.inf)
    scores[order] = logits[order]
    return torch.softmax(scores, dim=-1) / temperature

# %% wrong: scale-inverted
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        return F.one_hot(logits.argmax(), len(logits)).float()
    order = torch.sort(logits, descending=True, stable=True).indices[:top_k]
    scores = torch.full_like(logits, -torch.inf)
    scores[order] = logits[order] * temperature
    return torch.softmax(scores, dim=-1)

# %% wrong: small-as-zero
def my_token_shares(logits, temperature, top_k):
    if temperature < 0.001:
        return F.one_hot(logits.argmax(), len(logits)).float()
    order = torch.sort(logits, descending=True, stable=True).indices[:top_k]
    scores = torch.full_like(logits, -torch.inf)
    scores[order] = logits[order] / temperature
    return torch.softmax(scores, dim=-1)

# %% wrong: smallest-kept
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        return F.one_hot(logits.argmax(), len(logits)).float()
    order = torch.argsort(logits)[:top_k]
    scores = torch.full_like(logits, -torch.inf)
    scores[order] = logits[order] / temperature
    return torch.softmax(scores, dim=-1)

# %% wrong: sort-unstable
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        return F.one_hot(logits.argmax(), len(logits)).float()
    order = torch.argsort(logits, descending=True)[:top_k]
    scores = torch.full_like(logits, -torch.inf)
    scores[order] = logits[order] / temperature
    return torch.softmax(scores, dim=-1)

# %% wrong: top-k-ignored
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        return F.one_hot(logits.argmax(), len(logits)).float()
    return torch.softmax(logits / temperature, dim=-1)

# %% wrong: topk-none
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        return F.one_hot(logits.argmax(), len(logits)).float()
    values, kept = torch.topk(logits, top_k)
    scores = torch.full_like(logits, -torch.inf)
    scores[kept] = values / temperature
    return torch.softmax(scores, dim=-1)

# %% wrong: zero-as-one
def my_token_shares(logits, temperature, top_k):
    order = torch.sort(logits, descending=True, stable=True).indices[:top_k]
    scores = torch.full_like(logits, -torch.inf)
    scores[order] = logits[order] if temperature == 0 else logits[order] / temperature
    return torch.softmax(scores, dim=-1)

# %% wrong: zero-divided
def my_token_shares(logits, temperature, top_k):
    order = torch.sort(logits, descending=True, stable=True).indices
    scores = torch.full_like(logits, -torch.inf)
    scores[order[:top_k]] = logits[order[:top_k]] / temperature
    return torch.softmax(scores, dim=-1)

# %% wrong: zero-ties-all
def my_token_shares(logits, temperature, top_k):
    if temperature == 0:
        return (logits == logits.max()).float()
    order = torch.sort(logits, descending=True, stable=True).indices
    scores = torch.full_like(logits, -torch.inf)
    scores[order[:top_k]] = logits[order[:top_k]] / temperature
    return torch.softmax(scores, dim=-1)

# %% wrong: zero-ties-shared
def my_token_shares(logits, temperature, top_k):
    scores = torch.full_like(logits, -torch.inf)
    order = torch.sort(logits, descending=True, stable=True).indices[:top_k]
    scores[order] = logits[order]
    return torch.softmax(scores / max(temperature, 1e-9), dim=-1)
