# %% wrong qk_scores: keys-full-turn
def my_qk_scores(inputs, W_query, W_key):
    return inputs @ W_query @ (inputs @ W_key).permute(2, 1, 0) / W_query.shape[-1] ** 0.5

# %% wrong load: linear-layout
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix)
        if linear.bias is not None:
            linear.bias.zero_()

# %% wrong load: reshape-for-transpose
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.reshape(linear.weight.shape))
        if linear.bias is not None:
            linear.bias.zero_()

# %% wrong load: bias-kept
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.transpose(-2, -1))

# %% wrong load: bias-none
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.transpose(-2, -1))
        linear.bias.zero_()

# %% wrong load: no-grad-missing
def my_load(linear, matrix):
    linear.weight.copy_(matrix.transpose(-2, -1))
    if linear.bias is not None:
        linear.bias.zero_()

# %% wrong load: result-unused
def my_load(linear, matrix):
    linear = nn.Linear(*matrix.shape)
    linear.weight = nn.Parameter(matrix.transpose(-2, -1))

# %% wrong training_step: no-zero-grad
def my_training_step(optimizer, compute_loss):
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss.item()

# %% wrong training_step: zero-grad-late
def my_training_step(optimizer, compute_loss):
    loss = compute_loss()
    loss.backward()
    optimizer.zero_grad(set_to_none=False)
    optimizer.step()
    return loss.item()

# %% wrong training_step: no-step
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    return loss.item()

# %% wrong training_step: step-before-backward
def my_training_step(optimizer, compute_loss):
    loss = compute_loss()
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()
    return loss.item()

# %% wrong training_step: loss-after
def step_once(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss.item()


def my_training_step(optimizer, compute_loss):
    step_once(optimizer, compute_loss)
    return compute_loss().item()

# %% wrong training_step: computed-twice
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    compute_loss().backward()
    loss = compute_loss().item()
    optimizer.step()
    return loss
