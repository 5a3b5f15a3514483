# %% wrong repeat_segment: each-token-repeated
# repeat_interleave: every letter several times in a row (AABBCC) in place of the segment over and over (ABCABC)
def my_repeat_segment(segments, num_tokens):
    times = num_tokens // segments.shape[1] + 1
    return segments.repeat_interleave(times, dim=1)[:, :num_tokens]

# %% wrong repeat_segment: last-round-missing
# number of repeats rounded down: the last, unfinished round is missing unless num_tokens is a multiple of the length
def my_repeat_segment(segments, num_tokens):
    batch, length = segments.shape
    whole_rounds = num_tokens // length
    return segments.repeat(1, whole_rounds)[:, :num_tokens]

# %% wrong repeat_segment: twice-only
# the segment is put down twice only, so a result of more than two rounds comes out too short
def my_repeat_segment(segments, num_tokens):
    doubled = torch.cat((segments, segments), dim=-1)
    return doubled[:, 0:num_tokens]

# %% wrong repeat_segment: remainder-by-rows
# takes the remainder by the batch size (shape[0]) in place of the segment's length
def my_repeat_segment(segments, num_tokens):
    n = segments.shape[0]
    places = torch.tensor([i % n for i in range(num_tokens)])
    return segments[:, places]

# %% wrong repeat_segment: starts-late
# off by one: places are counted from 1, so each row begins with the second letter of the segment
def my_repeat_segment(segments, num_tokens):
    out = torch.zeros(len(segments), num_tokens, dtype=segments.dtype)
    for b, seg in enumerate(segments):
        for t in range(1, num_tokens + 1):
            out[b, t - 1] = seg[t % len(seg)]
    return out

# %% wrong repeat_segment: - "It stops with `RuntimeError`: Index tensor must have the sam"
# gather gets a flat list of places, needs an index with as many axes as segments: stops with an error
def my_repeat_segment(segments, num_tokens):
    idx = torch.arange(num_tokens).remainder(segments.size(-1))
    return torch.gather(segments, 1, idx)

# %% right repeat_segment
# recursion: puts the row behind itself until it is long enough, then cuts
def my_repeat_segment(segments, num_tokens):
    if segments.shape[1] >= num_tokens:
        return segments[:, :num_tokens]
    return my_repeat_segment(torch.cat([segments, segments], dim=1), num_tokens)

# %% right repeat_segment
# Python lists and itertools, row by row
import itertools


def my_repeat_segment(segments, num_tokens):
    rows = []
    for row in segments.tolist():
        rows.append(list(itertools.islice(itertools.cycle(row), num_tokens)))
    return torch.tensor(rows, dtype=segments.dtype)

# %% wrong previous_score: mean-over-all-rows
# divides by all queries, also by the first, which has no token before it
def my_previous_score(attn_weights):
    num_tokens = attn_weights.shape[-1]
    return attn_weights.diagonal(offset=-1, dim1=-2, dim2=-1).sum(dim=-1) / num_tokens

# %% wrong previous_score: wrong-axes
# diagonal without dim1 and dim2: reads the first two axes (right for one table only)
def my_previous_score(attn_weights):
    below = torch.diagonal(attn_weights, offset=-1)
    return below.mean(dim=-1)

# %% wrong previous_score: mean-over-all-rows
# rows begin at 0, and rows - 1 is then -1: the first query reads the last key
def my_previous_score(attn_weights):
    rows = torch.arange(attn_weights.size(-2))
    cells = attn_weights[..., rows, rows - 1]
    return cells.mean(-1)

# %% wrong previous_score: next-for-previous
# rows and columns swapped: reads the token after (above the diagonal)
def my_previous_score(attn_weights):
    cols = range(1, attn_weights.shape[-1])
    picked = [attn_weights[..., c - 1, c] for c in cols]
    return torch.stack(picked, dim=-1).mean(dim=-1)

# %% wrong previous_score: all-averaged
# mean over everything, also over layers and heads: one number in place of one for each head
def my_previous_score(attn_weights):
    n = attn_weights.shape[-1]
    one_back = torch.ones(n, n, dtype=torch.bool).tril(-1) & torch.ones(n, n, dtype=torch.bool).triu(-1)
    return attn_weights[..., one_back].mean()

# %% wrong previous_score: all-before
# adds up the weight on all earlier tokens, not only on the one right before
def my_previous_score(attn_weights):
    earlier = attn_weights.tril(diagonal=-1)
    per_query = earlier.sum(dim=-1)[..., 1:]
    return per_query.mean(dim=-1)

# %% right previous_score
# einsum with an eye that was shifted by one row
def my_previous_score(attn_weights):
    n = attn_weights.shape[-1]
    shifted = torch.eye(n, dtype=attn_weights.dtype).roll(1, dims=0)
    shifted[0] = 0
    return torch.einsum("...qk,qk->...", attn_weights, shifted) / (n - 1)

# %% right previous_score
# flattens all axes in front, loops over tables and rows with Python numbers, and restores the axes
def my_previous_score(attn_weights):
    *front, n, _ = attn_weights.shape
    tables = attn_weights.reshape(-1, n, n)
    scores = []
    for table in tables:
        total = 0.0
        for q in range(1, n):
            total = total + table[q, q - 1]
        scores.append(total / (n - 1))
    return torch.stack(scores).reshape(front)

# %% wrong induction_score: same-token
# marks the earlier place of the same token itself, not the key that came right after it
def my_induction_score(attn_weights, tokens):
    same = (tokens[:, None] == tokens).tril(-1)
    on_marks = (attn_weights * same).sum(dim=-1)
    return on_marks[..., same.any(dim=-1)].mean(dim=-1)

# %% wrong induction_score: all-rows
# mean over all queries in place of those whose token stood there before
def my_induction_score(attn_weights, tokens):
    n = len(tokens)
    total = torch.zeros(attn_weights.shape[:-2])
    for q in range(n):
        for k in range(1, q + 1):
            if tokens[k - 1] == tokens[q]:
                total += attn_weights[..., q, k]
    return total / n

# %% wrong induction_score: neighbour-missed
# leaves out the key that is the query itself (k < q in place of k <= q): wrong where a token stands twice in a row
def my_induction_score(attn_weights, tokens):
    rows = []
    for q, token in enumerate(tokens.tolist()):
        keys = [k for k in range(1, q) if tokens[k - 1] == token]
        if keys:
            rows.append(attn_weights[..., q, keys].sum(dim=-1))
    return torch.stack(rows).mean(dim=0)

# %% wrong induction_score: wraps-round
# roll wraps around: the last column comes back as column 0, so key 0 is marked for queries like the last token
def my_induction_score(attn_weights, tokens):
    table = (tokens.unsqueeze(1) == tokens.unsqueeze(0)).roll(1, dims=1).tril()
    chosen = table.sum(dim=1) > 0
    weight = torch.einsum("...qk,qk->...q", attn_weights, table.float())
    return weight[..., chosen].mean(-1)

# %% wrong induction_score: last-only
# only the latest earlier place counts (break after the first match from behind), not all of them
def my_induction_score(attn_weights, tokens):
    found = []
    for q in range(len(tokens)):
        for earlier in range(q - 1, -1, -1):
            if tokens[earlier] == tokens[q]:
                found.append(attn_weights[..., q, earlier + 1])
                break
    return torch.stack(found, dim=-1).mean(dim=-1)

# %% wrong induction_score: future-marked
# forgot to cut with tril(): each token is the same as itself, so key q + 1 is marked and nearly all rows are counted
def my_induction_score(attn_weights, tokens):
    same = tokens[:, None] == tokens[None, :]
    marks = F.pad(same, (1, -1), value=False)
    per_row = (attn_weights * marks).sum(-1)
    has_mark = marks.any(-1)
    return per_row[..., has_mark].mean(-1)

# %% wrong induction_score: - "`attn_weights[q, k]` stops: axis 0 of (2, 7, 7) has 2 places"
# written for one table: attn_weights[q, k] without the dots, and turned into a Python number; fails with heads in front
def my_induction_score(attn_weights, tokens):
    per_query = {}
    for q in range(len(tokens)):
        for k in range(1, q + 1):
            if int(tokens[k - 1]) == int(tokens[q]):
                per_query[q] = per_query.get(q, 0.0) + float(attn_weights[q, k])
    return torch.tensor(sum(per_query.values()) / len(per_query))

# %% right induction_score
# a dictionary remembers where each token's followers stand, one pass over the tokens
def my_induction_score(attn_weights, tokens):
    followers, rows, previous = {}, [], None
    for q, token in enumerate(tokens.tolist()):
        if previous is not None:
            followers.setdefault(previous, []).append(q)
        if token in followers:
            rows.append(attn_weights[..., q, followers[token]].sum(dim=-1))
        previous = token
    return torch.stack(rows, dim=-1).mean(dim=-1)

# %% right induction_score
# one_hot table of who is the same, a matrix product with a shift matrix, divided by the number of rows
def my_induction_score(attn_weights, tokens):
    n = tokens.numel()
    names = torch.unique(tokens, return_inverse=True)[1]
    letters = F.one_hot(names).float()
    shift = torch.diag(torch.ones(n - 1), 1)  # moves a table one column to the right
    marks = torch.tril((letters @ letters.T) @ shift).to(attn_weights.dtype)
    weight_of_rows = (attn_weights * marks).sum(dim=(-2, -1))
    return weight_of_rows / (marks.sum(dim=1) > 0).sum()

# %% wrong measure_without: not-silenced
# measures after the with block, when the head is back: always the whole model
def my_measure_without(layers, measure):
    num_heads = layers[0].attention.num_heads
    found = torch.zeros(len(layers), num_heads)
    for i, layer in enumerate(layers):
        for head in range(num_heads):
            with silenced(layer.attention, head):
                pass
            found[i, head] = measure()
    return found

# %% wrong measure_without: all-before
# silences more and more heads (0, then 0 and 1, ...) in place of one at a time
def my_measure_without(layers, measure):
    rows = []
    for layer in layers:
        row, off = [], []
        for head in range(layer.attention.num_heads):
            off.append(head)
            with silenced(layer.attention, *off):
                row.append(float(measure()))
        rows.append(row)
    return torch.tensor(rows)

# %% wrong measure_without: not-silenced
# calls silenced without `with`: nothing is ever silenced
def my_measure_without(layers, measure):
    def one(layer, head):
        silenced(layer.attention, head)
        return measure()

    heads = range(layers[0].attention.num_heads)
    return torch.tensor([[one(layer, h) for h in heads] for layer in layers])

# %% wrong measure_without: layer-for-attention
# hands over the layer in place of its attention: silenced refuses it with a ValueError
def my_measure_without(layers, measure):
    out = torch.zeros(len(layers), layers[0].attention.num_heads)
    for i in range(out.shape[0]):
        for h in range(out.shape[1]):
            with silenced(layers[i], h):
                out[i, h] = measure()
    return out

# %% wrong measure_without: axes-swapped
# axes swapped: (num_heads, num_layers) comes back
def my_measure_without(layers, measure):
    result = []
    for head in range(layers[0].attention.num_heads):
        column = []
        for layer in layers:
            with silenced(layer.attention, head):
                column.append(measure())
        result.append(torch.tensor(column))
    return torch.stack(result, dim=0)

# %% wrong measure_without: not-restored
# zeroes the columns by hand and never writes them back: heads stay silent, later ones are measured without earlier ones
def my_measure_without(layers, measure):
    num_heads = layers[0].attention.num_heads
    table = torch.empty(len(layers), num_heads)
    for i in range(len(layers)):
        projection = layers[i].attention.out_proj
        width = projection.in_features // num_heads
        for h in range(num_heads):
            with torch.no_grad():
                projection.weight[:, h * width:(h + 1) * width] = 0.0
            table[i, h] = measure()
    return table

# %% wrong measure_without: difference-returned + heads-typed-in
# two mistakes: returns the change against the whole model, not what was measured; and always takes four heads
def my_measure_without(layers, measure):
    baseline = measure()
    scores = torch.zeros(len(layers), 4)
    for number, block in enumerate(layers):
        for head in range(4):
            with silenced(block.attention, head):
                scores[number, head] = measure() - baseline
    return scores

# %% right measure_without
# one flat list over pairs from itertools.product, then view; the with block stands in a helper
from itertools import product


def my_measure_without(layers, measure):
    def quiet(pair):
        with silenced(layers[pair[0]].attention, pair[1]):
            return torch.as_tensor(measure(), dtype=torch.float32)

    pairs = list(product(range(len(layers)), range(layers[0].attention.num_heads)))
    return torch.stack([quiet(pair) for pair in pairs]).view(len(layers), -1)

# %% right measure_without
# silences by a hook on out_proj in place of `silenced`, float64 result, hook removed even after an error
def my_measure_without(layers, measure):
    out = torch.zeros(len(layers), layers[0].attention.num_heads, dtype=torch.float64)
    for i, layer in enumerate(layers):
        dim = layer.attention.out_proj.in_features // layer.attention.num_heads
        for h in range(layer.attention.num_heads):
            def mute(module, args, start=h * dim, stop=(h + 1) * dim):
                merged = args[0].clone()
                merged[..., start:stop] = 0
                return (merged,)

            handle = layer.attention.out_proj.register_forward_pre_hook(mute)
            try:
                out[i, h] = measure()
            finally:
                handle.remove()
    return out
