# %% right
def my_adopt(ours, theirs):
    state = {f"out_proj.{kind}": value for kind, value in theirs.out_proj.state_dict().items()}
    for kind in ("weight", "bias"):
        parts = getattr(theirs, f"in_proj_{kind}").detach().chunk(3)
        state |= {f"{name}.{kind}": part for name, part in zip(("W_query", "W_key", "W_value"), parts)}
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
    weights = theirs.in_proj_weight.data.unflatten(0, (3, -1))
    biases = theirs.in_proj_bias.data.view(3, -1)
    for i, layer in enumerate([ours.W_query, ours.W_key, ours.W_value]):
        layer.weight.data = weights[i].clone()
        layer.bias.data = biases[i].clone()
    ours.out_proj.weight.data[:] = theirs.out_proj.weight.data
    ours.out_proj.bias.data[:] = theirs.out_proj.bias.data

# %% right
def my_adopt(ours, theirs):
    width = theirs.embed_dim
    with torch.no_grad():
        for i, layer in enumerate((ours.W_query, ours.W_key, ours.W_value)):
            layer.weight[:] = theirs.in_proj_weight[i * width : (i + 1) * width]
            layer.bias[:] = theirs.in_proj_bias[i * width : (i + 1) * width]
        ours.out_proj.weight.copy_(theirs.out_proj.weight)
        ours.out_proj.bias.copy_(theirs.out_proj.bias)

# %% wrong: - "Your code writes into `theirs`. Read from `theirs`, write in"
def my_adopt(ours, theirs):
    with torch.no_grad():
        theirs.out_proj.load_state_dict(ours.out_proj.state_dict())
        theirs.in_proj_weight.copy_(torch.cat([ours.W_query.weight, ours.W_key.weight, ours.W_value.weight]))

# %% wrong: - "`ours.load_state_dict(theirs.state_dict())` stops: the names"
def my_adopt(ours, theirs):
    ours.load_state_dict(theirs.state_dict())
