# %% right
def my_basket_mask(items):
    return (items + 1).bool()[:, None, None, :]

# %% right
def my_basket_mask(items):
    return (items >= 0).unsqueeze(1).unsqueeze(1)

# %% right
def my_basket_mask(items):
    return items.ne(-1).view(len(items), 1, 1, -1)

# %% right
def my_basket_mask(items):
    return torch.where(items == -1, False, True)[:, None, None]

# %% right
def my_basket_mask(items):
    return torch.tensor([[thing != -1 for thing in basket] for basket in items.tolist()])[:, None, None]

# %% right
def my_basket_mask(items):
    empty = torch.eq(items, -1)
    return torch.logical_not(empty).reshape(items.shape[0], 1, 1, items.shape[1])

# %% right
def my_basket_mask(items):
    mask = torch.ones(items.shape, dtype=torch.bool)
    mask[items == -1] = False
    return mask[:, None, None, :]

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

# %% wrong: axes-grown
def my_basket_mask(items):
    there = items != -1
    return there[:, None, :, None] & there[:, None, None, :]

# %% wrong: axes-missing
def my_basket_mask(items):
    return items != -1

# %% wrong: causal-added
def my_basket_mask(items):
    return (items != -1)[:, None, None, :] & attention.causal_mask(items.shape[1])

# %% wrong: closed-from-the-first-gap
def my_basket_mask(items):
    mask = torch.zeros_like(items).bool()
    for i in range(items.shape[0]):
        for j in range(items.shape[1]):
            if items[i, j] == -1:
                break
            mask[i, j] = True
    return mask[:, None, None, :]

# %% wrong: counted-from-the-front
def my_basket_mask(items):
    ordered = items.sort(dim=-1, descending=True).values
    return (ordered != -1)[:, None, None, :]

# %% wrong: input-changed
def my_basket_mask(items):
    items[items != -1] = 1
    items[items == -1] = 0
    return items.bool()[:, None, None, :]

# %% wrong: is-for-equals
def my_basket_mask(items):
    return (items != "-1")[:, None, None, :]

# %% wrong: last-place-closed
def my_basket_mask(items):
    mask = torch.ones_like(items, dtype=torch.bool)
    mask[:, -1] = False
    return mask[:, None, None, :]

# %% wrong: - "In your mask, `True` and `False` have changed places. Look f"
def my_basket_mask(items):
    return (items == -1)[:, None, None, :]

# %% wrong: one-for-the-basket
def my_basket_mask(items):
    return (items != -1).any(dim=1)[:, None, None, None]

# %% wrong: places-returned
def my_basket_mask(items):
    return torch.nonzero(items != -1)

# %% wrong: things-alone
def my_basket_mask(items):
    return items[items != -1][:, None, None]

# %% wrong: things-as-lengths
def my_basket_mask(items):
    return attention.padding_mask(items, items.shape[1])

# %% wrong: zero-closed-empty-open
def my_basket_mask(items):
    return items.bool()[:, None, None, :]

# %% wrong: zero-is-a-thing
my_basket_mask = lambda items: (items > 0)[:, None, None]
