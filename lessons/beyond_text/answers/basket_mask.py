# %% right
def my_basket_mask(items):
    return (items + 1).bool()[:, None, None, :]

# %% right
def my_basket_mask(items):
    return items.ne(-1).view(len(items), 1, 1, -1)

# %% right
def my_basket_mask(items):
    empty = torch.eq(items, -1)
    return torch.logical_not(empty).reshape(items.shape[0], 1, 1, items.shape[1])

# %% right
def my_basket_mask(items):
    rows = []
    for basket in items:
        rows.append(torch.tensor([thing.item() >= 0 for thing in basket]))
    return torch.stack(rows).unsqueeze(1).unsqueeze(2)

# %% wrong: - "For the mask, a list came back. `torch.tensor` makes one ten"
def my_basket_mask(items):
    return [[[[thing != -1 for thing in basket]]] for basket in items.tolist()]

# %% wrong: - "It ran to its end and gave nothing back: the last line needs"
def my_basket_mask(items):
    mask = items != -1
    mask[:, None, None, :]

# %% wrong: - "`items != -1` stops as a condition: one True or False is nee"
def my_basket_mask(items):
    if items != -1:
        return True
    return False

# %% wrong: - "In your mask, `True` and `False` have changed places. Look f"
def my_basket_mask(items):
    return (items == -1)[:, None, None, :]
