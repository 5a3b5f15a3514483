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
    left, kept = logits.clone(), []
    for _ in range(min(1 if temperature == 0 else top_k or len(logits), len(logits))):
        kept.append(left.argmax().item())
        left[kept[-1]] = -math.inf
    scores = torch.full_like(logits, -math.inf)
    scores[kept] = logits[kept] / (temperature or 1)
    return torch.log_softmax(scores, dim=0).exp()

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

# %% wrong: - "In your shares, each number is the logarithm of the right on"
def my_token_shares(logits, temperature, top_k):
    order = torch.sort(logits, descending=True, stable=True).indices
    if temperature == 0:
        return F.one_hot(order[0], len(logits)).float()
    scores = torch.full_like(logits, -torch.inf)
    scores[order[:top_k]] = logits[order[:top_k]] / temperature
    return torch.log_softmax(scores, dim=-1)
