# %% right
def my_repeat_segment(segments, num_tokens):
    return torch.stack([segments[:, place % segments.size(1)] for place in range(num_tokens)], dim=1)

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
