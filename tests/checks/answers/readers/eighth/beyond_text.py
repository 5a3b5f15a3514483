# %% wrong order_free: - "`answer(items, torch.randperm(items.shape[1]))` stops: `answ"
# two arguments
def my_order_free(answer, items):
    before = answer(items)
    for _ in range(10):
        if not torch.allclose(before, answer(items, torch.randperm(items.shape[1]))):
            return False
    return True

# %% wrong order_free: - "`answer(items.tolist())` stops: `answer` is handed `items.to"
# list
def my_order_free(answer, items):
    before = answer(items.tolist())
    return True
