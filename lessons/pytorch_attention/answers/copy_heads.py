# %% right
def my_copy_heads(ours, theirs):
    for part, layer in zip(theirs.in_proj_weight.data.chunk(3), (ours.W_query, ours.W_key, ours.W_value)):
        part[:] = layer.weight.data
    nn.init.zeros_(theirs.in_proj_bias)
    for mine, yours in zip(theirs.out_proj.parameters(), ours.out_proj.parameters()):
        mine.data[...] = yours.data

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
