# %% wrong training_step: - "`compute_loss(optimizer)` stops: `compute_loss` takes no arg"
# list
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss(optimizer)
    loss.backward()
    optimizer.step()
    return loss.item()
