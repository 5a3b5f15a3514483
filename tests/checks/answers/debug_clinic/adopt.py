# %% right
def my_adopt(ours, theirs):
    state = {f"out_proj.{kind}": value for kind, value in theirs.out_proj.state_dict().items()}
    for kind in ("weight", "bias"):
        parts = getattr(theirs, f"in_proj_{kind}").detach().chunk(3)
        state |= {f"{name}.{kind}": part for name, part in zip(("W_query", "W_key", "W_value"), parts)}
    ours.load_state_dict(state)

# %% right
def my_adopt(ours, theirs):
    state = {"out_proj.weight": theirs.out_proj.weight, "out_proj.bias": theirs.out_proj.bias}
    for kind in ("weight", "bias"):
        parts = getattr(theirs, f"in_proj_{kind}").unflatten(0, (3, -1))
        state |= {f"W_{name}.{kind}": part for name, part in zip(("query", "key", "value"), parts, strict=True)}
    ours.load_state_dict(state)

# %% right
def my_adopt(ours, theirs):
    for layer, weight, bias in zip(
        (ours.W_query, ours.W_key, ours.W_value),
        theirs.in_proj_weight.data.chunk(3),
        theirs.in_proj_bias.data.split(theirs.embed_dim),
        strict=True,
    ):
        layer.weight.data, layer.bias.data = weight.clone(), bias.clone()
    ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% right
def my_adopt(ours, theirs):
    state = {f"out_proj.{name}": number for name, number in theirs.out_proj.state_dict().items()}
    for kind in ("weight", "bias"):
        stacked = getattr(theirs, f"in_proj_{kind}").detach()
        for name, part in zip(["W_query", "W_key", "W_value"], stacked.tensor_split(3)):
            state[f"{name}.{kind}"] = part
    ours.load_state_dict(state)

# %% right
def my_adopt(ours, theirs):
    state = {f"out_proj.{name}": value for name, value in theirs.out_proj.state_dict().items()}
    for kind, stacked in (("weight", theirs.in_proj_weight), ("bias", theirs.in_proj_bias)):
        for name, piece in zip(["W_query", "W_key", "W_value"], stacked.detach().split(stacked.shape[0] // 3)):
            state[f"{name}.{kind}"] = piece
    ours.load_state_dict(state)

# %% right
def my_adopt(ours, theirs):
    weights = theirs.in_proj_weight.data.unflatten(0, (3, -1))
    biases = theirs.in_proj_bias.data.view(3, -1)
    for i, layer in enumerate([ours.W_query, ours.W_key, ours.W_value]):
        layer.weight.data = weights[i].clone()
        layer.bias.data = biases[i].clone()
    ours.out_proj.weight.data[:] = theirs.out_proj.weight.data
    ours.out_proj.bias.data[:] = theirs.out_proj.bias.data

# %% right
def my_adopt(ours, theirs):
    stacked_w = theirs.in_proj_weight.data.unflatten(0, (3, -1))
    stacked_b = theirs.in_proj_bias.data.reshape(3, -1)
    for i, layer in enumerate((ours.W_query, ours.W_key, ours.W_value)):
        layer.weight.data[:] = stacked_w[i]
        layer.bias.data[:] = stacked_b[i]
    for mine, yours in zip(ours.out_proj.parameters(), theirs.out_proj.parameters()):
        mine.data[:] = yours.data

# %% right
def my_adopt(ours, theirs):
    width = theirs.embed_dim
    with torch.no_grad():
        for i, layer in enumerate((ours.W_query, ours.W_key, ours.W_value)):
            layer.weight[:] = theirs.in_proj_weight[i * width : (i + 1) * width]
            layer.bias[:] = theirs.in_proj_bias[i * width : (i + 1) * width]
        ours.out_proj.weight.copy_(theirs.out_proj.weight)
        ours.out_proj.bias.copy_(theirs.out_proj.bias)

# %% right
def my_adopt(ours, theirs):
    source = theirs.state_dict()
    d = theirs.embed_dim
    state = {f"out_proj.{kind}": source[f"out_proj.{kind}"] for kind in ("weight", "bias")}
    for start, name in zip((0, d, 2 * d), ("W_query", "W_key", "W_value")):
        state[f"{name}.weight"] = source["in_proj_weight"][start:start + d]
        state[f"{name}.bias"] = source["in_proj_bias"][start:start + d]
    ours.load_state_dict(state)

# %% right
def fresh(numbers):
    return nn.Parameter(numbers.detach().clone())
def my_adopt(ours, theirs):
    width = theirs.in_proj_weight.shape[0] // 3
    for at, layer in enumerate((ours.W_query, ours.W_key, ours.W_value)):
        layer.weight = fresh(theirs.in_proj_weight[at * width:][:width])
        layer.bias = fresh(theirs.in_proj_bias[at * width:][:width])
    ours.out_proj.weight, ours.out_proj.bias = fresh(theirs.out_proj.weight), fresh(theirs.out_proj.bias)

# %% right
def my_adopt(ours, theirs):
    width = theirs.out_proj.in_features
    weights = theirs.in_proj_weight.data.view(3, width, width)
    biases = theirs.in_proj_bias.data.reshape(3, -1)
    for place, layer in [(2, ours.W_value), (1, ours.W_key), (0, ours.W_query)]:
        layer.weight.data[:] = weights[place]
        layer.bias.data[:] = biases[place]
    ours.out_proj.weight.data[...] = theirs.out_proj.weight.data
    ours.out_proj.bias.data[...] = theirs.out_proj.bias.data

# %% right
def my_adopt(ours, theirs):
    def fresh(tensor):
        return nn.Parameter(tensor.detach().clone())
    weights = theirs.in_proj_weight.unflatten(0, (3, -1))
    biases = theirs.in_proj_bias.view(3, -1)
    for i, name in enumerate(("W_query", "W_key", "W_value")):
        layer = getattr(ours, name)
        layer.weight, layer.bias = fresh(weights[i]), fresh(biases[i])
    ours.out_proj.weight, ours.out_proj.bias = fresh(theirs.out_proj.weight), fresh(theirs.out_proj.bias)

# %% wrong: - "`ours.load_state_dict(theirs.state_dict())` stops: the names"
def my_adopt(ours, theirs):
    ours.load_state_dict(theirs.state_dict())

# %% wrong: added-to
def my_adopt(ours, theirs):
    with torch.no_grad():
        parts = theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)
        for layer, weight, bias in zip((ours.W_query, ours.W_key, ours.W_value), *parts):
            layer.weight += weight
            layer.bias += bias
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong: bias-first-third
def my_adopt(ours, theirs):
    width = theirs.embed_dim
    for i, layer in enumerate([ours.W_query, ours.W_key, ours.W_value]):
        layer.weight.data.copy_(theirs.in_proj_weight[i * width:(i + 1) * width])
        layer.bias.data.copy_(theirs.in_proj_bias[:width])
    ours.out_proj.weight.data.copy_(theirs.out_proj.weight)
    ours.out_proj.bias.data.copy_(theirs.out_proj.bias)

# %% wrong: bias-forgotten
def my_adopt(ours, theirs):
    with torch.no_grad():
        for layer, weight in zip((ours.W_query, ours.W_key, ours.W_value), theirs.in_proj_weight.chunk(3)):
            layer.weight.copy_(weight)
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong: bias-forgotten + out-bias-forgotten
def my_adopt(ours, theirs):
    w_q, w_k, w_v = theirs.in_proj_weight.detach().chunk(3, dim=0)
    ours.W_query.weight.data = w_q.clone()
    ours.W_key.weight.data = w_k.clone()
    ours.W_value.weight.data = w_v.clone()
    ours.out_proj.weight.data = theirs.out_proj.weight.detach().clone()

# %% wrong: bias-swapped
def my_adopt(ours, theirs):
    with torch.no_grad():
        for layer, weight in zip((ours.W_query, ours.W_key, ours.W_value), theirs.in_proj_weight.chunk(3)):
            layer.weight.copy_(weight)
        for layer, bias in zip((ours.W_key, ours.W_query, ours.W_value), theirs.in_proj_bias.chunk(3)):
            layer.bias.copy_(bias)
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong: chunk-axis
def my_adopt(ours, theirs):
    with torch.no_grad():
        pieces = zip(theirs.in_proj_weight.chunk(3, dim=1), theirs.in_proj_bias.chunk(3))
        for layer, (weight, bias) in zip((ours.W_query, ours.W_key, ours.W_value), pieces):
            layer.weight.copy_(weight)
            layer.bias.copy_(bias)
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong: kv-swapped
def my_adopt(ours, theirs):
    with torch.no_grad():
        parts = theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)
        for layer, weight, bias in zip((ours.W_query, ours.W_value, ours.W_key), *parts):
            layer.weight.copy_(weight)
            layer.bias.copy_(bias)
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong: linear-layout
@torch.no_grad()
def my_adopt(ours, theirs):
    for i, layer in enumerate([ours.W_query, ours.W_key, ours.W_value]):
        layer.weight.copy_(theirs.in_proj_weight.chunk(3)[i].T)
        layer.bias.copy_(theirs.in_proj_bias.chunk(3)[i])
    ours.out_proj.weight.copy_(theirs.out_proj.weight)
    ours.out_proj.bias.copy_(theirs.out_proj.bias)

# %% wrong: linear-layout + out-weight-turned
def my_adopt(ours, theirs):
    with torch.no_grad():
        for layer, matrix, shift in zip((ours.W_query, ours.W_key, ours.W_value),
                                        theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)):
            layer.weight.copy_(matrix.T)
            layer.bias.copy_(shift)
        ours.out_proj.weight.copy_(theirs.out_proj.weight.T)
        ours.out_proj.bias.copy_(theirs.out_proj.bias)

# %% wrong: not-filled
def my_adopt(ours, theirs):
    import copy
    ours = copy.deepcopy(ours)
    q, k, v = theirs.in_proj_weight.detach().chunk(3)
    bq, bk, bv = theirs.in_proj_bias.detach().chunk(3)
    ours.load_state_dict({
        "W_query.weight": q, "W_query.bias": bq, "W_key.weight": k, "W_key.bias": bk,
        "W_value.weight": v, "W_value.bias": bv,
        "out_proj.weight": theirs.out_proj.weight.detach(), "out_proj.bias": theirs.out_proj.bias.detach(),
    })

# %% wrong: out-bias-forgotten
def my_adopt(ours, theirs):
    state = ours.state_dict()
    weights, biases = theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)
    for name, weight, bias in zip(("W_query", "W_key", "W_value"), weights, biases):
        state[name + ".weight"] = weight
        state[name + ".bias"] = bias
    state["out_proj.weight"] = theirs.out_proj.weight
    ours.load_state_dict(state)

# %% wrong: out-proj-forgotten
def my_adopt(ours, theirs):
    layers = [ours.W_query, ours.W_key, ours.W_value]
    weights = theirs.in_proj_weight.detach().chunk(3)
    biases = theirs.in_proj_bias.detach().chunk(3)
    for i in range(3):
        layers[i].weight.data.copy_(weights[i])
        layers[i].bias.data.copy_(biases[i])

# %% wrong: rows-by-head
def my_adopt(ours, theirs):
    heads = theirs.num_heads
    weight = theirs.in_proj_weight.detach().unflatten(0, (heads, 3, -1))  # (heads, 3, head_dim, width)
    bias = theirs.in_proj_bias.detach().unflatten(0, (heads, 3, -1))
    with torch.no_grad():
        for i, name in enumerate(["W_query", "W_key", "W_value"]):
            layer = getattr(ours, name)
            layer.weight.copy_(weight[:, i].flatten(0, 1))
            layer.bias.copy_(bias[:, i].flatten())
    ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong: rows-interleaved
def my_adopt(ours, theirs):
    with torch.no_grad():
        for start, layer in enumerate([ours.W_query, ours.W_key, ours.W_value]):
            layer.weight.copy_(theirs.in_proj_weight[start::3])
            layer.bias.copy_(theirs.in_proj_bias[start::3])
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong: width-fixed
def my_adopt(ours, theirs):
    w, b = theirs.in_proj_weight, theirs.in_proj_bias
    with torch.no_grad():
        ours.W_query.weight.copy_(w[:12])
        ours.W_query.bias.copy_(b[:12])
        ours.W_key.weight.copy_(w[12:24])
        ours.W_key.bias.copy_(b[12:24])
        ours.W_value.weight.copy_(w[24:])
        ours.W_value.bias.copy_(b[24:])
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())

# %% wrong: wrong-direction
def my_adopt(ours, theirs):
    with torch.no_grad():
        layers = (ours.W_query, ours.W_key, ours.W_value)
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        theirs.in_proj_bias.copy_(torch.cat([layer.bias for layer in layers]))
        theirs.out_proj.load_state_dict(ours.out_proj.state_dict())
