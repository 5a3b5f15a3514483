# %% wrong softmax: naive-overflow
def my_softmax(scores):
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% wrong softmax: softmax-all
def my_softmax(scores):
    return torch.softmax(scores.flatten(), dim=0).view(scores.shape)

# %% wrong softmax: softmax-axis
def my_softmax(scores):
    return torch.softmax(scores, dim=-2 if scores.dim() > 1 else -1)

# %% wrong softmax: softmax-axis
def my_softmax(scores):
    return torch.softmax(scores, dim=1)

# %% wrong softmax: exp-only
def my_softmax(scores):
    return torch.exp(scores - scores.amax(dim=-1, keepdim=True))

# %% wrong softmax: sum-unshifted
def my_softmax(scores):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps / torch.exp(scores).sum(dim=-1, keepdim=True)

# %% wrong tempered_softmax: scale-after
def softmax_by_hand(scores):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps / exps.sum(dim=-1, keepdim=True)


def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, got {temperature}.")
    return softmax_by_hand(scores) / temperature

# %% wrong tempered_softmax: no-check
def softmax_by_hand(scores):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps / exps.sum(dim=-1, keepdim=True)


def my_tempered_softmax(scores, temperature):
    return softmax_by_hand(scores / temperature)

# %% wrong tempered_softmax: zero-allowed
def softmax_by_hand(scores):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps / exps.sum(dim=-1, keepdim=True)


def my_tempered_softmax(scores, temperature):
    if temperature < 0:
        raise ValueError(f"temperature must be above 0, got {temperature}.")
    return softmax_by_hand(scores / temperature)

# %% wrong tempered_softmax: error-returned
def softmax_by_hand(scores):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps / exps.sum(dim=-1, keepdim=True)


def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        return ValueError(f"temperature must be above 0, got {temperature}.")
    return softmax_by_hand(scores / temperature)

# %% wrong tempered_softmax: error-kind
def softmax_by_hand(scores):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps / exps.sum(dim=-1, keepdim=True)


def my_tempered_softmax(scores, temperature):
    assert temperature > 0, f"temperature must be above 0, got {temperature}."
    return softmax_by_hand(scores / temperature)

# %% wrong tempered_softmax: error-says-nothing
def softmax_by_hand(scores):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps / exps.sum(dim=-1, keepdim=True)


def my_tempered_softmax(scores, temperature):
    if temperature <= 0:
        raise ValueError("bad temperature")
    return softmax_by_hand(scores / temperature)

# %% wrong scaled_scores: keys-full-turn
def my_scaled_scores(queries, keys):
    return queries @ keys.permute(*reversed(range(keys.dim()))) / queries.shape[-1] ** 0.5

# %% wrong scaled_scores: batch-mixed
def my_scaled_scores(queries, keys):
    return queries.flatten(0, -2) @ keys.flatten(0, -2).T / queries.shape[-1] ** 0.5

# %% wrong scaled_attention: keys-full-turn
def softmax_by_hand(scores):
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps / exps.sum(dim=-1, keepdim=True)


def my_scaled_attention(queries, keys, values):
    turned = keys.permute(*reversed(range(keys.dim())))
    attn_weights = softmax_by_hand(queries @ turned / queries.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights
