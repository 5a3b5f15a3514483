# %% right
def my_left_padded_places(is_token):
    return F.relu(is_token.cumsum(-1) - 1).to(torch.int32)

# %% right
def my_left_padded_places(is_token):
    return torch.cumsum(is_token, dim=1) - is_token.long()

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
    rows = []
    for row in is_token:
        num_paddings = len(row) - int(row.sum())
        rows.append(F.pad(torch.arange(len(row) - num_paddings), (num_paddings, 0)))
    return torch.stack(rows)

# %% right
def my_left_padded_places(is_token):
    places = torch.zeros(is_token.shape, dtype=torch.int64)
    for text, row in enumerate(is_token):
        n = int(row.sum())
        places[text, is_token.shape[1] - n :] = torch.arange(n)
    return places

# %% right
def my_left_padded_places(is_token):
    places = torch.zeros(is_token.shape, dtype=torch.long)
    for text in range(is_token.shape[0]):
        count = 0
        for at in range(is_token.shape[1]):
            if is_token[text, at]:
                places[text, at] = count
                count += 1
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

# %% wrong: batch-mixed
def my_left_padded_places(is_token):
    return (is_token.cumsum(0) - 1).clamp(0)

# %% wrong: clamped-from-above
def my_left_padded_places(is_token):
    return (is_token.cumsum(-1) - 1).clamp(max=0)

# %% wrong: counted-backwards
def my_left_padded_places(is_token):
    n = is_token.shape[-1]
    return (n - 1 - torch.arange(n)) * is_token

# %% wrong: counts-from-1
def my_left_padded_places(is_token):
    return is_token.cumsum(-1) * is_token

# %% wrong: empty-text
def my_left_padded_places(is_token):
    first = is_token.int().argmax(dim=-1, keepdim=True)
    return (torch.arange(is_token.shape[-1]) - first).clamp(min=0)

# %% wrong: flipped
def my_left_padded_places(is_token):
    return (is_token.flip(-1).cumsum(-1) - 1).clamp(min=0)

# %% wrong: lens-for-paddings
def my_left_padded_places(is_token):
    lengths = is_token.sum(dim=-1, keepdim=True)
    return (torch.arange(is_token.shape[-1]) - lengths).clamp(min=0)

# %% wrong: lens-from-longest
def my_left_padded_places(is_token):
    longest = is_token.sum(-1).max()
    places = torch.zeros(is_token.shape, dtype=torch.long)
    for i, row in enumerate(is_token):
        n = int(row.sum())
        places[i, longest - n :] = torch.arange(n)
    return places

# %% wrong: moved-to-the-front
def my_left_padded_places(is_token):
    return torch.nn.utils.rnn.pad_sequence([torch.arange(n) for n in is_token.sum(-1).tolist()], batch_first=True)

# %% wrong: moved-together
def my_left_padded_places(is_token):
    num_paddings = (~is_token[0]).sum()
    return (torch.arange(is_token.shape[-1]) - num_paddings).clamp(min=0).expand(is_token.shape)

# %% wrong: no-keepdim
def my_left_padded_places(is_token):
    lengths = is_token.sum(dim=-1)
    start = is_token.shape[-1] - lengths
    return (torch.arange(is_token.shape[-1]) - start).clamp(min=0)

# %% wrong: padding-counted
def my_left_padded_places(is_token):
    return (torch.cumsum(~is_token, dim=1) - 1).clamp(min=0)

# %% wrong: padding-negative
def my_left_padded_places(is_token):
    return is_token.long().cumsum(-1) - 1

# %% wrong: padding-one
def my_left_padded_places(is_token):
    position_ids = is_token.long().cumsum(-1) - 1
    position_ids.masked_fill_(is_token == 0, 1)
    return position_ids

# %% wrong: paddings-typed
# two paddings in front
def my_left_padded_places(is_token):
    places = (torch.arange(is_token.shape[1]) - 2).clamp(min=0)
    return places.repeat(is_token.shape[0], 1)

# %% wrong: places-float
def my_left_padded_places(is_token):
    return torch.clamp(is_token.float().cumsum(-1) - 1, min=0)

# %% wrong: places-of-the-row
def my_left_padded_places(is_token):
    batch, num_tokens = is_token.shape
    return torch.arange(num_tokens).repeat(batch, 1)

# %% wrong: texts-joined
def my_left_padded_places(is_token):
    return is_token.nonzero()[:, 1]
