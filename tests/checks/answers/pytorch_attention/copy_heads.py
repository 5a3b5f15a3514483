# %% right
def my_copy_heads(ours, theirs):
    for part, layer in zip(theirs.in_proj_weight.data.chunk(3), (ours.W_query, ours.W_key, ours.W_value)):
        part[:] = layer.weight.data
    nn.init.zeros_(theirs.in_proj_bias)
    for mine, yours in zip(theirs.out_proj.parameters(), ours.out_proj.parameters()):
        mine.data[...] = yours.data

# %% right
def my_copy_heads(ours, theirs):
    theirs.in_proj_weight.data.copy_(torch.vstack((ours.W_query.weight, ours.W_key.weight, ours.W_value.weight)))
    nn.init.zeros_(theirs.in_proj_bias)
    for ours_part, theirs_part in zip(ours.out_proj.parameters(), theirs.out_proj.parameters(), strict=True):
        theirs_part.data.copy_(ours_part.data)

# %% right
def my_copy_heads(ours, theirs):
    state = {f"out_proj.{name}": tensor for name, tensor in ours.out_proj.state_dict().items()}
    state["in_proj_weight"] = torch.cat([getattr(ours, f"W_{n}").weight.detach() for n in ("query", "key", "value")])
    state["in_proj_bias"] = torch.zeros_like(theirs.in_proj_bias)
    theirs.load_state_dict(state)

# %% right
def my_copy_heads(ours, theirs):
    state = ours.state_dict()
    weight = torch.cat([state[f"W_{name}.weight"] for name in ("query", "key", "value")], dim=0)
    out = {name: value.clone() for name, value in state.items() if name.startswith("out_proj")}
    theirs.load_state_dict({"in_proj_weight": weight, "in_proj_bias": torch.zeros(len(weight)), **out})

# %% right
def my_copy_heads(ours, theirs):
    width = ours.W_query.out_features
    with torch.no_grad():
        for place, layer in enumerate((ours.W_query, ours.W_key, ours.W_value)):
            theirs.in_proj_weight[place * width : (place + 1) * width] = layer.weight
        theirs.in_proj_bias[:] = 0
    theirs.out_proj.load_state_dict(ours.out_proj.state_dict())

# %% right
def my_copy_heads(ours, theirs):
    theirs.in_proj_weight = nn.Parameter(torch.cat([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight]))
    theirs.in_proj_bias = nn.Parameter(torch.zeros_like(theirs.in_proj_bias))
    theirs.out_proj.weight = nn.Parameter(ours.out_proj.weight.clone())
    theirs.out_proj.bias = nn.Parameter(ours.out_proj.bias.clone())

# %% right
def my_copy_heads(ours, theirs):
    mine = ours.state_dict()
    big = torch.cat([mine[f"W_{part}.weight"] for part in ("query", "key", "value")])
    theirs.load_state_dict({
        "in_proj_weight": big,
        "in_proj_bias": torch.zeros(big.shape[0]),
        "out_proj.weight": mine["out_proj.weight"],
        "out_proj.bias": mine["out_proj.bias"],
    })

# %% right
def my_copy_heads(ours, theirs):
    sources = (ours.W_query, ours.W_key, ours.W_value)
    for piece, source in zip(theirs.in_proj_weight.data.chunk(3, dim=0), sources):
        piece[:] = source.weight.data
    theirs.in_proj_bias.data *= 0
    for name, parameter in theirs.out_proj.named_parameters():
        parameter.data.copy_(getattr(ours.out_proj, name).data)

# %% right
def my_copy_heads(ours, theirs):
    stacked = torch.cat([getattr(ours, name).weight.detach() for name in ("W_query", "W_key", "W_value")])
    state = {
        "in_proj_weight": stacked,
        "in_proj_bias": torch.zeros_like(stacked[:, 0]),
        "out_proj.weight": ours.out_proj.weight.detach(),
        "out_proj.bias": ours.out_proj.bias.detach(),
    }
    theirs.load_state_dict(state)

# %% right
def my_copy_heads(ours, theirs):
    def fill(target, source):
        target.detach().copy_(source.detach())
    layers = (ours.W_query, ours.W_key, ours.W_value)
    for view, layer in zip(theirs.in_proj_weight.detach().chunk(3), layers):
        fill(view, layer.weight)
    nn.init.zeros_(theirs.in_proj_bias)
    fill(theirs.out_proj.weight, ours.out_proj.weight)
    fill(theirs.out_proj.bias, ours.out_proj.bias)

# %% wrong: - "In the in proj bias, the first difference is at `[0]`: it sh"
def copy_by_slices(ours, theirs):
    width = ours.W_query.out_features
    with torch.no_grad():
        for place, layer in enumerate((ours.W_query, ours.W_key, ours.W_value)):
            theirs.in_proj_weight[place * width : (place + 1) * width] = layer.weight
        theirs.in_proj_bias[:] = 0
    theirs.out_proj.load_state_dict(ours.out_proj.state_dict())
def my_copy_heads(ours, theirs):
    copy_by_slices(ours, theirs)
    theirs.in_proj_bias.data.add_(0.1)

# %% wrong: - "`theirs.in_proj_weight = stacked(ours)` stops: `in_proj_weig"
def stacked(ours, order="query key value", turned=False):
    weights = [getattr(ours, f"W_{name}").weight for name in order.split()]
    return torch.cat([weight.transpose(0, 1) if turned else weight for weight in weights])
def my_copy_heads(ours, theirs):
    theirs.in_proj_weight = stacked(ours)

# %% wrong: - "`theirs.in_proj_weight[i * width : (i + 1) * width].copy_(la"
def my_copy_heads(ours, theirs):
    width = ours.W_query.weight.shape[0]
    for i, layer in enumerate([ours.W_query, ours.W_key, ours.W_value]):
        theirs.in_proj_weight[i * width : (i + 1) * width].copy_(layer.weight)
    theirs.in_proj_bias.fill_(0.0)
    theirs.out_proj.weight.copy_(ours.out_proj.weight)
    theirs.out_proj.bias.copy_(ours.out_proj.bias)

# %% wrong: bias-kept
def my_copy_heads(ours, theirs):
    theirs.in_proj_weight.data = torch.vstack([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight]).detach()
    theirs.out_proj.load_state_dict(ours.out_proj.state_dict())

# %% wrong: bias-not-zero
def my_copy_heads(ours, theirs):
    stacked = torch.vstack((ours.W_query.weight, ours.W_key.weight, ours.W_value.weight))
    with torch.no_grad():
        theirs.in_proj_weight[:] = stacked
        theirs.in_proj_bias[:] = ours.out_proj.bias.repeat(3)
        theirs.out_proj.weight[:] = ours.out_proj.weight
        theirs.out_proj.bias[:] = ours.out_proj.bias

# %% wrong: by-head
def my_copy_heads(ours, theirs):
    q, k, v = (m.weight.chunk(ours.num_heads) for m in (ours.W_query, ours.W_key, ours.W_value))
    rows = []
    for head in range(ours.num_heads):
        rows += [q[head], k[head], v[head]]
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat(rows))
        theirs.in_proj_bias.zero_()
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)

# %% wrong: by-name
def my_copy_heads(ours, theirs):
    in_proj_weight, in_proj_bias = theirs.in_proj_weight, theirs.in_proj_bias
    with torch.no_grad():
        in_proj_weight = torch.cat([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight])
        in_proj_bias = torch.zeros(len(in_proj_weight))
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)

# %% wrong: cat-side-by-side
def my_copy_heads(ours, theirs):
    names = ["W_query", "W_key", "W_value"]
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([getattr(ours, n).weight for n in names], dim=1))
        theirs.in_proj_bias.copy_(torch.zeros_like(theirs.in_proj_bias))
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)

# %% wrong: fixed-width
def my_copy_heads(ours, theirs):
    with torch.no_grad():
        theirs.in_proj_weight[0:12] = ours.W_query.weight
        theirs.in_proj_weight[12:24] = ours.W_key.weight
        theirs.in_proj_weight[24:36] = ours.W_value.weight
        theirs.in_proj_bias[:] = 0
        theirs.out_proj.weight[:] = ours.out_proj.weight
        theirs.out_proj.bias[:] = ours.out_proj.bias

# %% wrong: frozen
def copy_heads_(ours, theirs):
    layers = (ours.W_query, ours.W_key, ours.W_value)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        theirs.in_proj_bias.zero_()
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)
def my_copy_heads(ours, theirs):
    copy_heads_(ours, theirs)
    theirs.requires_grad_(False)

# %% wrong: in-proj-missing
def my_copy_heads(ours, theirs):
    theirs.load_state_dict(ours.state_dict(), strict=False)
    nn.init.zeros_(theirs.in_proj_bias)

# %% wrong: linear-layout
def my_copy_heads(ours, theirs):
    d = ours.out_proj.out_features
    with torch.no_grad():
        for i, layer in enumerate([ours.W_query, ours.W_key, ours.W_value]):
            theirs.in_proj_weight[i * d : (i + 1) * d] = layer.weight.T
        theirs.in_proj_bias.zero_()
        theirs.out_proj.load_state_dict(ours.out_proj.state_dict())

# %% wrong: no-out-proj
def my_copy_heads(ours, theirs):
    q, k, v = ours.W_query.weight, ours.W_key.weight, ours.W_value.weight
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([q, k, v]))
        theirs.in_proj_bias.zero_()

# %% wrong: nothing-filled
def my_copy_heads(ours, theirs):
    in_weight, in_bias = theirs.in_proj_weight, theirs.in_proj_bias
    out_weight, out_bias = theirs.out_proj.weight, theirs.out_proj.bias
    with torch.no_grad():
        in_weight = torch.cat([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight])
        in_bias = torch.zeros(len(in_weight))
        out_weight = ours.out_proj.weight.clone()
        out_bias = ours.out_proj.bias.clone()

# %% wrong: out-bias-kept
def my_copy_heads(ours, theirs):
    tall = torch.cat([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight], dim=0)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(tall)
        theirs.in_proj_bias.zero_()
        theirs.out_proj.weight.copy_(ours.out_proj.weight)

# %% wrong: out-bias-zeroed
def my_copy_heads(ours, theirs):
    with torch.no_grad():
        in_weights = [layer.weight for layer in (ours.W_query, ours.W_key, ours.W_value)]
        theirs.in_proj_weight.copy_(torch.cat(in_weights))
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        for bias in (theirs.in_proj_bias, theirs.out_proj.bias):
            bias.zero_()

# %% wrong: qk-swapped
def my_copy_heads(ours, theirs):
    stacked = torch.cat((ours.W_key.weight, ours.W_query.weight, ours.W_value.weight), dim=0)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(stacked)
        theirs.in_proj_bias.zero_()
        theirs.out_proj.load_state_dict(ours.out_proj.state_dict())

# %% wrong: shared-memory
def copy_heads_(ours, theirs):
    layers = (ours.W_query, ours.W_key, ours.W_value)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        theirs.in_proj_bias.zero_()
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)
def my_copy_heads(ours, theirs):
    copy_heads_(ours, theirs)
    theirs.out_proj = ours.out_proj

# %% wrong: wrong-direction
def my_copy_heads(ours, theirs):
    with torch.no_grad():
        ours.W_query.weight.copy_(theirs.in_proj_weight.chunk(3)[0])
        ours.out_proj.weight.copy_(theirs.out_proj.weight)
