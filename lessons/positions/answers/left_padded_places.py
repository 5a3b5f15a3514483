# %% right
def my_left_padded_places(is_token):
    return F.relu(is_token.cumsum(-1) - 1).to(torch.int32)

# %% right
def my_left_padded_places(is_token):
    places = torch.zeros_like(is_token, dtype=torch.long)
    places[:, 1:] = is_token[:, :-1].cumsum(-1)
    return places

# %% right
def my_left_padded_places(is_token):
    rows = []
    for row in is_token.tolist():
        n = sum(row)
        rows.append([0] * (len(row) - n) + list(range(n)))
    return torch.tensor(rows, dtype=torch.int32)

# %% right
def my_left_padded_places(is_token):
    places = torch.zeros(is_token.shape, dtype=torch.int64)
    for text, row in enumerate(is_token):
        n = int(row.sum())
        places[text, is_token.shape[1] - n :] = torch.arange(n)
    return places

# %% wrong: - "For the places, a list came back. `torch.tensor` makes one t"
def my_left_padded_places(is_token):
    rows = []
    for row in is_token.tolist():
        n = sum(row)
        rows.append([0] * (len(row) - n) + list(range(n)))
    return rows

# %% wrong: - "It ran to its end and gave nothing back: the last line needs"
def my_left_padded_places(is_token):
    print((is_token.cumsum(-1) - 1).clamp(min=0))

# %% wrong: - "`is_token - 1` stops: `is_token` holds True and False, and h"
def my_left_padded_places(is_token):
    return (is_token - 1).cumsum(-1)

# %% wrong: - "`max(is_token.cumsum(-1) - 1, 0)` stops: Python's `max` comp"
def my_left_padded_places(is_token):
    return max(is_token.cumsum(-1) - 1, 0)

# %% wrong: places-float
def my_left_padded_places(is_token):
    return torch.clamp(is_token.float().cumsum(-1) - 1, min=0)
