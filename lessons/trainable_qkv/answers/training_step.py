# %% right
def my_training_step(optimizer, compute_loss):
    loss = compute_loss()
    before = loss.item()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return before

# %% right
def my_training_step(optimizer, compute_loss):
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            parameter.grad = None
    loss = compute_loss()
    before = float(loss.detach())
    loss.backward()
    optimizer.step()
    return before

# %% right
def my_training_step(optimizer, compute_loss):
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            parameter.grad = None
    loss = compute_loss()
    torch.autograd.backward(loss)
    optimizer.step()
    return loss.detach().numpy().item()

# %% right
def my_training_step(optimizer, compute_loss):
    params = [p for group in optimizer.param_groups for p in group["params"] if p.requires_grad]
    loss = compute_loss()
    number = loss.detach().item()
    for p, gradient in zip(params, torch.autograd.grad(loss, params, allow_unused=True)):
        p.grad = gradient
    optimizer.step()
    return number

# %% wrong: - "A plain number is asked for, and a `str` came back: `return "
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return f"{loss.item():.4f}"

# %% wrong: - "`compute_loss(optimizer)` stops: `compute_loss` takes no arg"
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss(optimizer)
    loss.backward()
    optimizer.step()
    return loss.item()

# %% wrong: - "The loss comes back as a tensor. A plain number is asked for"
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss.detach()

# %% wrong: - "One call of your function takes more than one step. It is on"
def my_training_step(optimizer, compute_loss):
    for step in range(20):
        optimizer.zero_grad()
        loss = compute_loss()
        loss.backward()
        optimizer.step()
    return loss.item()
