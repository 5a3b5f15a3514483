# %% right
def my_load(linear, matrix):
    linear.weight.data.copy_(matrix.T)
    if linear.bias is not None:
        linear.bias.data.fill_(0)

# %% right
def my_load(linear, matrix):
    state = {"weight": matrix.T}
    if "bias" in linear.state_dict():
        state["bias"] = torch.zeros_like(linear.bias)
    linear.load_state_dict(state)

# %% right
def my_load(linear, matrix):
    state = {"weight": matrix.detach().T}
    if "bias" in linear.state_dict():
        state["bias"] = torch.zeros(matrix.shape[1])
    linear.load_state_dict(state)

# %% right
@torch.no_grad()
def my_load(linear, matrix):
    for out in range(matrix.shape[1]):
        linear.weight[out, :] = matrix[:, out]
    if linear.bias is not None:
        nn.init.zeros_(linear.bias)

# %% right
def my_load(linear, matrix):
    with torch.no_grad():
        for i in range(matrix.shape[0]):
            linear.weight[:, i] = matrix[i]
        if linear.bias is not None:
            linear.bias[:] = 0

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

# %% wrong: added
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight += matrix.T
        if linear.bias is not None:
            linear.bias *= 0

# %% wrong: bias-inverted
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.mT)
        if linear.bias is None:
            linear.bias.zero_()

# %% wrong: bias-kept
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.transpose(-2, -1))

# %% wrong: bias-length
def my_load(linear, matrix):
    linear.weight = nn.Parameter(matrix.T)
    if linear.bias is not None:
        linear.bias = nn.Parameter(torch.zeros(matrix.shape[0]))

# %% wrong: bias-none
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.transpose(-2, -1))
        linear.bias.zero_()

# %% wrong: bias-removed
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.transpose(0, 1))
    linear.bias = None

# %% wrong: input-changed
def my_load(linear, matrix):
    with torch.no_grad():
        matrix.transpose_(0, 1)
        linear.weight.copy_(matrix)
        if linear.bias is not None:
            linear.bias.zero_()

# %% wrong: linear-layout
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix)
        if linear.bias is not None:
            linear.bias.zero_()

# %% wrong: reshape-for-transpose
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.reshape(linear.weight.shape))
        if linear.bias is not None:
            linear.bias.zero_()

# %% wrong: result-unused
def my_load(linear, matrix):
    linear = nn.Linear(*matrix.shape)
    linear.weight = nn.Parameter(matrix.transpose(-2, -1))

# %% wrong: something-returned
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(torch.transpose(matrix, 0, 1))
        if linear.bias is not None:
            linear.bias.zero_()
    return linear

# %% wrong: weight-kept
def my_load(linear, matrix):
    weight = linear.weight.detach().clone()
    weight.copy_(matrix.transpose(-2, -1))
    if linear.bias is not None:
        linear.bias.data.fill_(0.0)

# %% wrong: weight-with-bias-only
def my_load(linear, matrix):
    if linear.bias is None:
        return
    with torch.no_grad():
        linear.bias.zero_()
        linear.weight.copy_(matrix.transpose(0, 1))
