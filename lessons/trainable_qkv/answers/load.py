# %% right
def my_load(linear, matrix):
    linear.weight.data.copy_(matrix.T)
    if linear.bias is not None:
        linear.bias.data.fill_(0)

# %% right
def my_load(linear, matrix):
    state = {"weight": matrix.detach().T}
    if "bias" in linear.state_dict():
        state["bias"] = torch.zeros(matrix.shape[1])
    linear.load_state_dict(state)

# %% right
@torch.no_grad()
def my_load(linear, matrix):
    for i, row in enumerate(matrix):
        linear.weight[:, i] = row
    bias = getattr(linear, "bias", None)
    if bias is None:
        return
    bias[:] = 0

# %% right
def my_load(linear, matrix):
    with torch.no_grad():
        for parameter in linear.parameters():
            nn.init.zeros_(parameter)
        for i in range(linear.out_features):
            linear.weight[i] += matrix[:, i]

# %% wrong: - "`linear.bias` stops as a condition: one True or False is nee"
def my_load(linear, matrix):
    linear.weight.data.copy_(matrix.T)
    if linear.bias:
        linear.bias.data.fill_(0)

# %% wrong: - "`linear.weight = matrix.transpose(-2, -1)` stops: `weight` i"
def my_load(linear, matrix):
    linear.weight = matrix.transpose(-2, -1)
    if linear.bias is not None:
        nn.init.zeros_(linear.bias)
