# %% right
def my_repeat_segment(segments, num_tokens):
    return torch.stack([segments[:, place % segments.size(1)] for place in range(num_tokens)], dim=1)

# %% right
def my_repeat_segment(segments, num_tokens):
    rounds = num_tokens // segments.shape[1] + 1
    return segments.repeat(1, rounds)[:, :num_tokens]

# %% right
def my_repeat_segment(segments, num_tokens):
    places = (torch.arange(num_tokens) % segments.shape[-1]).expand(len(segments), -1)
    return torch.gather(segments, 1, places)

# %% right
def my_repeat_segment(segments, num_tokens):
    rows = segments
    while rows.shape[-1] < num_tokens:
        rows = torch.cat([rows, segments], dim=-1)
    return rows[..., :num_tokens]

# %% right
def my_repeat_segment(segments, num_tokens):
    if segments.shape[1] >= num_tokens:
        return segments[:, :num_tokens]
    return my_repeat_segment(torch.cat([segments, segments], dim=1), num_tokens)

# %% right
from itertools import cycle, islice
def my_repeat_segment(segments, num_tokens):
    rows = [list(islice(cycle(row), num_tokens)) for row in segments.tolist()]
    return torch.tensor(rows, dtype=segments.dtype)

# %% right
def my_repeat_segment(segments, num_tokens):
    batch, length = segments.shape
    rounds = -(-num_tokens // length)
    return segments.unsqueeze(1).expand(batch, rounds, length).reshape(batch, rounds * length).narrow(1, 0, num_tokens)

# %% right
import itertools
def my_repeat_segment(segments, num_tokens):
    rows = []
    for row in segments.tolist():
        rows.append(list(itertools.islice(itertools.cycle(row), num_tokens)))
    return torch.tensor(rows, dtype=segments.dtype)

# %% right
def my_repeat_segment(segments, num_tokens):
    def grow(row, length):
        if length >= num_tokens:
            return row[:, :num_tokens]
        return grow(torch.hstack([row, segments]), length + segments.shape[1])
    return grow(segments, segments.shape[1])

# %% wrong: - "In your tokens, each row is what the first alone should be. "
def my_repeat_segment(segments, num_tokens):
    segment = segments[0].tolist()
    row = [segment[place % len(segment)] for place in range(num_tokens)]
    return torch.tensor(row).expand(len(segments), num_tokens)

# %% wrong: - "It stops with `RuntimeError`: Index tensor must have the sam"
def my_repeat_segment(segments, num_tokens):
    idx = torch.arange(num_tokens).remainder(segments.size(-1))
    return torch.gather(segments, 1, idx)

# %% wrong: - "The tokens should have the shape `(3, 10)`. Yours has `(3, 4"
def my_repeat_segment(segments, num_tokens):
    times = num_tokens // segments.shape[1] + 1
    longer = segments * times
    return longer[:, :num_tokens]

# %% wrong: - "`segments.expand(segments.shape[0], num_tokens)` stops: `exp"
def my_repeat_segment(segments, num_tokens):
    return segments.expand(segments.shape[0], num_tokens)

# %% wrong: batch-mixed
def my_repeat_segment(segments, num_tokens):
    return torch.from_numpy(np.resize(segments.numpy(), (len(segments), num_tokens)))

# %% wrong: batch-repeated
def my_repeat_segment(segments, num_tokens):
    copies = [segments]
    total = segments.size(1)
    while total < num_tokens:
        copies.append(segments)
        total += segments.size(1)
    return torch.cat(copies)[:, :num_tokens]

# %% wrong: cut-at-the-front
def my_repeat_segment(segments, num_tokens):
    batch, length = segments.shape
    long_rows = segments.repeat(1, num_tokens // length + 1)
    return long_rows[:, -num_tokens:]

# %% wrong: cut-by-rows
def my_repeat_segment(segments, num_tokens):
    grown = segments
    while grown.shape[1] < num_tokens:
        grown = torch.cat([grown, segments], dim=1)
    return grown[:num_tokens]

# %% wrong: each-token-repeated
def my_repeat_segment(segments, num_tokens):
    times = -(-num_tokens // segments.shape[1])
    return segments.repeat_interleave(times, dim=1)[:, :num_tokens]

# %% wrong: last-round-missing
def my_repeat_segment(segments, num_tokens):
    batch, length = segments.shape
    return segments.repeat(1, num_tokens // length)

# %% wrong: places-of-rows
def my_repeat_segment(segments, num_tokens):
    places = torch.arange(num_tokens) % segments.shape[-1]
    return segments[places]

# %% wrong: remainder-by-rows
def my_repeat_segment(segments, num_tokens):
    positions = torch.arange(num_tokens)
    period = len(segments)
    return segments[:, positions % period]

# %% wrong: rest-from-the-end
def my_repeat_segment(segments, num_tokens):
    length = segments.shape[-1]
    whole, rest = divmod(num_tokens, length)
    return torch.cat([segments.repeat(1, whole), segments[:, length - rest:]], dim=1)

# %% wrong: round-once
def my_repeat_segment(segments, num_tokens):
    missing = num_tokens - segments.shape[-1]
    return F.pad(segments[None], (0, missing), mode="circular")[0]

# %% wrong: short-not-cut
def my_repeat_segment(segments, num_tokens):
    length = segments.shape[1]
    columns = list(segments.unbind(dim=1))
    for place in range(length, num_tokens):
        columns.append(columns[place - length])
    return torch.stack(columns, dim=1)

# %% wrong: stretched
def my_repeat_segment(segments, num_tokens):
    last = segments.shape[1] - 1
    places = torch.linspace(0, last, num_tokens).long()
    return segments[:, places]

# %% wrong: zeros-after
def my_repeat_segment(segments, num_tokens):
    n = segments.size(1)
    out = torch.zeros(segments.size(0), num_tokens, dtype=segments.dtype)
    for place in range(min(2 * n, num_tokens)):
        out[:, place] = segments[:, place % n]
    return out
