# %% wrong repeat_segment: each-token-repeated
# repeats every letter on its own (PPPLLLAAA) in place of the segment as a whole (PLAPLAPLA)
def my_repeat_segment(segments, num_tokens):
    times = -(-num_tokens // segments.shape[1])
    return segments.repeat_interleave(times, dim=1)[:, :num_tokens]

# %% wrong repeat_segment: remainder-by-rows
# takes the remainder by the number of segments (len is the batch), not by the length of a segment
def my_repeat_segment(segments, num_tokens):
    places = torch.arange(num_tokens) % len(segments)
    return segments[:, places]

# %% wrong repeat_segment: last-round-missing
# only whole repetitions: the last, cut one is missing, so the rows are too short unless the length divides num_tokens
def my_repeat_segment(segments, num_tokens):
    batch, length = segments.shape
    whole_times = num_tokens // length
    return torch.cat([segments for _ in range(whole_times)], dim=1)

# %% wrong repeat_segment: - "The tokens should have the shape `(3, 10)`. Yours has `(3, 4"
# thinks of Python lists: `segments * times` multiplies the numbers of a tensor, and repeats nothing
def my_repeat_segment(segments, num_tokens):
    times = num_tokens // segments.shape[1] + 1
    longer = segments * times
    return longer[:, :num_tokens]

# %% wrong repeat_segment: first-row-only
# goes on with the first row alone: every row of the result is the first segment (squeezed out of the batch)
def my_repeat_segment(segments, num_tokens):
    segment = segments[0].tolist()
    row = [segment[place % len(segment)] for place in range(num_tokens)]
    return torch.tensor(row).expand(len(segments), num_tokens)

# %% wrong repeat_segment: starts-late
# counts places from 1, so that every row begins with the second letter of its segment
def my_repeat_segment(segments, num_tokens):
    out = []
    for segment in segments:
        picked = []
        for place in range(1, num_tokens + 1):
            picked.append(segment[place % segments.shape[-1]])
        out.append(torch.stack(picked))
    return torch.stack(out)

# %% right repeat_segment
# lists and itertools.cycle, one row after another
from itertools import cycle, islice


def my_repeat_segment(segments, num_tokens):
    rows = [list(islice(cycle(row), num_tokens)) for row in segments.tolist()]
    return torch.tensor(rows, dtype=segments.dtype)

# %% right repeat_segment
# recursion: doubles itself until it is long enough
def my_repeat_segment(segments, num_tokens):
    if segments.shape[1] >= num_tokens:
        return segments[:, :num_tokens].clone()
    return my_repeat_segment(torch.cat([segments, segments], dim=1), num_tokens)

# %% wrong previous_score: wrong-axes
# diagonal without dim1 and dim2: takes the first two axes (layers and heads), right for a single table only
def my_previous_score(attn_weights):
    return attn_weights.diagonal(offset=-1).mean(dim=-1)

# %% wrong previous_score: next-for-previous
# the wrong side of the diagonal: offset=1 is the token after, not the one before
def my_previous_score(attn_weights):
    one_step = torch.diagonal(attn_weights, offset=1, dim1=-2, dim2=-1)
    return one_step.mean(-1)

# %% wrong previous_score: mean-over-all-rows
# divides by all tokens, though the first has no token before it: should be num_tokens - 1
def my_previous_score(attn_weights):
    n = attn_weights.shape[-1]
    total = 0
    for q in range(1, n):
        total = total + attn_weights[..., q, q - 1]
    return total / n

# %% wrong previous_score: mean-over-all-rows
# also takes row 0, where row - 1 is -1, the last key: one cell too many in the mean
def my_previous_score(attn_weights):
    rows = torch.arange(attn_weights.size(-2))
    return attn_weights[..., rows, rows - 1].mean(dim=-1)

# %% wrong previous_score: all-averaged
# averages over everything, also over the axes in front: one number in place of one for each head
def my_previous_score(attn_weights):
    rows = torch.arange(1, attn_weights.shape[-1])
    on_previous = attn_weights[..., rows, rows - 1]
    return on_previous.mean()

# %% wrong previous_score: all-cells
# multiplies with a shifted identity and takes the mean of the whole table: zeros of all other cells count in the mean
def my_previous_score(attn_weights):
    n = attn_weights.shape[-1]
    marks = torch.cat([torch.zeros(1, n), torch.eye(n)[:-1]])
    return (attn_weights * marks).mean(dim=(-2, -1))

# %% right previous_score
# einsum with a table of marks
def my_previous_score(attn_weights):
    n = attn_weights.shape[-1]
    marks = torch.diag(torch.ones(n - 1, dtype=attn_weights.dtype), -1)
    return torch.einsum("...qk,qk->...", attn_weights, marks) / marks.sum()

# %% right previous_score
# cuts off the first row and the last column: what is looked for is then the main diagonal of each table
def my_previous_score(attn_weights):
    *front, num_tokens, _ = attn_weights.shape
    tables = attn_weights[..., 1:, :-1].reshape(-1, num_tokens - 1, num_tokens - 1)
    scores = [table.trace() / (num_tokens - 1) for table in tables]
    return torch.stack(scores).reshape(front)

# %% wrong induction_score: same-token
# looks at the earlier place of the same token itself, not at the key right after it
def my_induction_score(attn_weights, tokens):
    same = (tokens[:, None] == tokens).tril(-1)
    rows = same.any(dim=-1)
    return (attn_weights * same).sum(dim=-1)[..., rows].mean(dim=-1)

# %% wrong induction_score: all-rows
# averages over all queries, also over those whose token did not stand there before
def my_induction_score(attn_weights, tokens):
    n = len(tokens)
    marks = torch.zeros(n, n, dtype=torch.bool)
    for q in range(n):
        for k in range(1, q + 1):
            marks[q, k] = tokens[k - 1] == tokens[q]
    return (attn_weights * marks).sum(dim=-1).mean(dim=-1)

# %% wrong induction_score: neighbour-missed
# k < q in place of k <= q: in AA the second A does not count itself, though it came right after the first
def my_induction_score(attn_weights, tokens):
    per_query = []
    for q, token in enumerate(tokens.tolist()):
        after = [k for k in range(1, q) if tokens[k - 1].item() == token]
        if after:
            per_query.append(attn_weights[..., q, after].sum(-1))
    return torch.stack(per_query).mean(0)

# %% wrong induction_score: wraps-round
# moves the table with roll, so that the last column comes round to the front: key 0 counts, though nothing precedes it
def my_induction_score(attn_weights, tokens):
    who_is_same = tokens[:, None] == tokens
    followed = who_is_same.roll(1, dims=1).tril()
    chosen = followed.any(dim=1)
    on_marks = attn_weights.masked_fill(~followed, 0.0).sum(-1)
    return on_marks[..., chosen].mean(-1)

# %% wrong induction_score: last-only
# takes the last earlier place only, and stops: the weight on what followed the older ones is left out
def my_induction_score(attn_weights, tokens):
    found = []
    for q in range(len(tokens)):
        for k in range(q, 0, -1):
            if tokens[k - 1] == tokens[q]:
                found.append(attn_weights[..., q, k])
                break
    return torch.stack(found, dim=-1).mean(dim=-1)

# %% wrong induction_score: cells-mean
# the mean over all marked cells: a query with two such keys gets their mean, not their sum, and counts twice
def my_induction_score(attn_weights, tokens):
    n = tokens.shape[0]
    shifted = F.pad(tokens[:, None].eq(tokens), (1, 0))[:, :n].tril()
    q, k = shifted.nonzero(as_tuple=True)
    return attn_weights[..., q, k].mean(dim=-1)

# %% right induction_score
# a set of earlier followers for each token, kept in a dict that grows
def my_induction_score(attn_weights, tokens):
    followers, sums = {}, []
    letters_read = tokens.tolist()
    for q, token in enumerate(letters_read):
        if q > 0:
            followers.setdefault(letters_read[q - 1], []).append(q)
        if followers.get(token):
            sums.append(attn_weights[..., q, followers[token]].sum(dim=-1))
    return sum(sums) / len(sums)

# %% right induction_score
# one_hot and a matrix product make the table of who is the same; einsum adds up
def my_induction_score(attn_weights, tokens):
    one_hot = F.one_hot(tokens).to(attn_weights.dtype)
    previous = torch.zeros_like(one_hot)
    previous[1:] = one_hot[:-1]
    marks = (one_hot @ previous.T).tril()
    has_one = (marks.sum(dim=-1) > 0).to(attn_weights.dtype)
    return torch.einsum("...qk,qk->...", attn_weights, marks) / has_one.sum()

# %% wrong measure_without: not-silenced
# measures after the with block, when the head is back already: every number is that of the whole model
def my_measure_without(layers, measure):
    found = torch.zeros(len(layers), layers[0].attention.num_heads)
    for i in range(found.shape[0]):
        for head in range(found.shape[1]):
            with silenced(layers[i].attention, head):
                pass
            found[i, head] = measure()
    return found

# %% wrong measure_without: layer-for-attention
# hands the layer to silenced, not its attention: stops with a ValueError
def my_measure_without(layers, measure):
    rows = []
    for layer in layers:
        row = []
        for h in range(layer.attention.num_heads):
            with silenced(layer, h):
                row.append(measure())
        rows.append(row)
    return torch.tensor(rows)

# %% wrong measure_without: all-before
# silences all heads up to this one, not one at a time
def my_measure_without(layers, measure):
    num_heads = layers[0].attention.num_heads
    result = torch.zeros(len(layers), num_heads)
    for i, layer in enumerate(layers):
        for count in range(1, num_heads + 1):
            with silenced(layer.attention, *range(count)):
                result[i, count - 1] = measure()
    return result

# %% wrong measure_without: difference-returned
# returns what is lost (whole minus without), not what was measured
def my_measure_without(layers, measure):
    whole = measure()
    out = []
    for layer in layers:
        losses_here = []
        for head in range(layer.attention.num_heads):
            with silenced(layer.attention, head):
                losses_here.append(whole - measure())
        out.append(losses_here)
    return torch.tensor(out)

# %% wrong measure_without: every-layer
# silences the head of this number in all layers at once, and writes the number into each row
def my_measure_without(layers, measure):
    from contextlib import ExitStack
    num_heads = layers[0].attention.num_heads
    table = torch.zeros(len(layers), num_heads)
    for head in range(num_heads):
        with ExitStack() as stack:
            for layer in layers:
                stack.enter_context(silenced(layer.attention, head))
            table[:, head] = measure()
    return table

# %% wrong measure_without: axes-swapped + heads-typed-in
# two mistakes: 4 heads are typed in (those of the page's model), and the result is turned, (num_heads, num_layers)
def my_measure_without(layers, measure):
    without = torch.zeros(4, len(layers))
    for head in range(4):
        for number in range(len(layers)):
            with silenced(layers[number].attention, head):
                without[head, number] = measure()
    return without

# %% right measure_without
# one flat list over itertools.product, reshaped at the end
import itertools


def measured_without(layer, head, measure):
    with silenced(layer.attention, head):
        return float(measure())


def my_measure_without(layers, measure):
    num_layers, num_heads = len(layers), layers[0].attention.num_heads
    places = itertools.product(layers, range(num_heads))
    return torch.tensor([measured_without(layer, head, measure) for layer, head in places]).view(num_layers, num_heads)

# %% right measure_without
# without silenced: takes the head's columns out of out_proj by hand, and puts them back even after an error
def my_measure_without(layers, measure):
    rows = []
    for layer in layers:
        att = layer.attention
        head_dim = att.out_proj.in_features // att.num_heads
        row = []
        for head in range(att.num_heads):
            kept = att.out_proj.weight.detach().clone()
            try:
                with torch.no_grad():
                    att.out_proj.weight[:, head * head_dim:(head + 1) * head_dim] = 0
                row.append(torch.as_tensor(measure(), dtype=torch.float32))
            finally:
                with torch.no_grad():
                    att.out_proj.weight.copy_(kept)
        rows.append(torch.stack(row))
    return torch.stack(rows)
