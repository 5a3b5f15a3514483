# %% wrong repeat_segment: batch-mixed
# np.resize remembered from a NumPy course: it lays all rows end to end and repeats that ribbon, so a row of the
# result runs on into the next row's segment; right only for a batch of one
def my_repeat_segment(segments, num_tokens):
    return torch.from_numpy(np.resize(segments.numpy(), (len(segments), num_tokens)))


# %% wrong repeat_segment: round-once
# circular padding goes round once only: it stops with an error when more than two copies of the segment are needed
# (and num_tokens below the length only happens to work)
def my_repeat_segment(segments, num_tokens):
    missing = num_tokens - segments.shape[-1]
    return F.pad(segments[None], (0, missing), mode="circular")[0]


# %% wrong repeat_segment: one-row-of-batch
# gather with an index of one row: gather does not broadcast, so only the first row of the batch comes back
def my_repeat_segment(segments, num_tokens):
    places = torch.arange(num_tokens).remainder(segments.size(1)).unsqueeze(0)
    return torch.gather(segments, 1, places)


# %% wrong repeat_segment: cut-by-rows
# the repeating is right, the cut is along the wrong axis: it cuts the batch to num_tokens rows, and the rows stay long
def my_repeat_segment(segments, num_tokens):
    grown = segments
    while grown.shape[1] < num_tokens:
        grown = torch.cat([grown, segments], dim=1)
    return grown[:num_tokens]


# %% wrong repeat_segment: fixed-remainder
# takes the 7 of the hint (PLANETS) for the length of every segment
def my_repeat_segment(segments, num_tokens):
    out = segments.new_zeros(len(segments), num_tokens)
    for b in range(len(segments)):
        for place in range(num_tokens):
            out[b, place] = segments[b, place % 7]
    return out


# %% wrong repeat_segment: stretched
# stretches the segment over the places (each letter several times running) where it should begin again
def my_repeat_segment(segments, num_tokens):
    last = segments.shape[1] - 1
    places = torch.linspace(0, last, num_tokens).long()
    return segments[:, places]


# %% wrong repeat_segment: short-not-cut
# appends column by column from the end of the segment on, and forgets that num_tokens may be smaller than the length:
# then nothing is cut and the whole segment comes back
def my_repeat_segment(segments, num_tokens):
    length = segments.shape[1]
    columns = list(segments.unbind(dim=1))
    for place in range(length, num_tokens):
        columns.append(columns[place - length])
    return torch.stack(columns, dim=1)


# %% wrong previous_score: argmax-hits
# counts how often the largest weight of a row lies one step back, in place of how much weight lies there
def my_previous_score(attn_weights):
    strongest = attn_weights.argmax(dim=-1)[..., 1:]
    before = torch.arange(attn_weights.shape[-1] - 1)
    return (strongest == before).float().mean(dim=-1)


# %% wrong previous_score: wrong-axes
# diagonal without dim1 and dim2 reads the first two axes: right for one table, wrong (or an odd shape) with axes in
# front
def my_previous_score(attn_weights):
    return torch.diagonal(attn_weights, offset=-1).mean(dim=-1)


# %% wrong previous_score: all-before
# misread "the token before" as "all tokens before": adds up everything below the diagonal
def my_previous_score(attn_weights):
    earlier = attn_weights.tril(-1).sum(dim=-1)  # (..., num_tokens)
    return earlier[..., 1:].mean(dim=-1)


# %% wrong previous_score: flat-start
# the walk through the flattened table starts one place too early, at num_tokens - 1: it reads the last cell of row 0,
# then the cells TWO steps back
def my_previous_score(attn_weights):
    n = attn_weights.size(-1)
    cells = attn_weights.flatten(-2)[..., n - 1::n + 1]
    return cells.mean(-1)


# %% wrong previous_score: zeros-left-out
# misread "all queries that have one": leaves out the queries whose weight on the token before is 0, so that a head
# which never looks there also gives nan
def my_previous_score(attn_weights):
    rows = torch.arange(1, attn_weights.shape[-1])
    weights = attn_weights[..., rows, rows - 1]
    has_one = weights > 0
    return (weights * has_one).sum(dim=-1) / has_one.sum(dim=-1)


# %% wrong previous_score: - "`num_layers, num_heads, num_tokens, _ = attn_weights.shape` "
# unpacks exactly four axes (layers, heads, queries, keys): stops with an error for one table or for five axes
def my_previous_score(attn_weights):
    num_layers, num_heads, num_tokens, _ = attn_weights.shape
    scores = torch.zeros(num_layers, num_heads)
    for layer in range(num_layers):
        for head in range(num_heads):
            picked = [attn_weights[layer, head, q, q - 1] for q in range(1, num_tokens)]
            scores[layer, head] = sum(picked) / len(picked)
    return scores


# %% wrong previous_score: block-mean
# the diagonal of the shifted table is never taken: the mean runs over the whole smaller table
def my_previous_score(attn_weights):
    shifted = attn_weights[..., 1:, :-1]  # its own diagonal is one step back
    return shifted.mean(dim=-1).mean(dim=-1)


# %% wrong induction_score: wraps-round
# roll wraps round: the last column of the table of who is the same lands on key 0, and tril does not cut it there.
# So key 0 counts for all queries that are the same as the last token
def my_induction_score(attn_weights, tokens):
    same = tokens[:, None] == tokens
    after = same.roll(1, dims=1).tril()
    chosen = after.any(dim=-1)
    on_marks = (attn_weights * after).sum(dim=-1)
    return on_marks[..., chosen].mean(dim=-1)


# %% wrong induction_score: future-marked
# cuts with tril first and moves to the right afterwards: the token's own next place (key q + 1, the future) stays
# marked, so every query but the last counts as one that stood there before
def my_induction_score(attn_weights, tokens):
    same = (tokens[:, None] == tokens).tril()
    after = F.pad(same, (1, 0))[:, :-1]
    has_key = after.any(dim=1)
    weight = torch.where(after, attn_weights, torch.zeros(()))
    return weight.sum(dim=-1)[..., has_key].mean(dim=-1)


# %% wrong induction_score: cells-mean
# the counter stands in the inner loop: divides by the number of marked cells, not by the number of queries
def my_induction_score(attn_weights, tokens):
    total, count = torch.zeros(attn_weights.shape[:-2]), 0
    for q in range(len(tokens)):
        for k in range(1, q + 1):
            if tokens[k - 1] == tokens[q]:
                total = total + attn_weights[..., q, k]
                count += 1
    return total / count


# %% wrong induction_score: first-only
# list.index finds the first place only: the weight after later occurrences of the same token is not added
def my_induction_score(attn_weights, tokens):
    letters = tokens.tolist()
    found = []
    for q, letter in enumerate(letters):
        first = letters.index(letter)
        if first < q:
            found.append(attn_weights[..., q, first + 1])
    return torch.stack(found, dim=-1).mean(dim=-1)


# %% wrong induction_score: max-for-sum
# takes the largest of the weights on the marked keys, where they should be added up
def my_induction_score(attn_weights, tokens):
    n = len(tokens)
    marks = torch.zeros(n, n, dtype=torch.bool)
    marks[:, 1:] = tokens[:, None] == tokens[None, :-1]
    marks = marks & torch.ones(n, n, dtype=torch.bool).tril()
    best = attn_weights.masked_fill(~marks, 0.0).amax(dim=-1)
    return best[..., marks.any(dim=-1)].mean(dim=-1)


# %% wrong induction_score: cells-of-first-axes
# indexes the first two axes with query and key: right for one table only, with axes in front it reads layers and heads
def my_induction_score(attn_weights, tokens):
    sums = []
    for q in range(len(tokens)):
        keys = [k for k in range(1, q + 1) if tokens[k - 1] == tokens[q]]
        if keys:
            sums.append(attn_weights[q, keys].sum())
    return torch.stack(sums).mean()


# %% wrong induction_score: moved-down
# shifts the table down in place of to the right: marks the keys equal to the token BEFORE the query, not the keys
# that followed the same token
def my_induction_score(attn_weights, tokens):
    same = (tokens[:, None] == tokens[None, :]).long()
    moved = torch.zeros_like(same)
    moved[1:] = same[:-1]
    marks = moved.tril(-1).bool()
    per_query = torch.einsum("...qk,qk->...q", attn_weights, marks.to(attn_weights.dtype))
    rows = marks.sum(dim=1).nonzero().flatten()
    return per_query.index_select(-1, rows).mean(dim=-1)


# %% wrong measure_without: all-before
# silences head 0, then 0 and 1, then 0 to 2 ...: more and more heads of the layer, not one at a time
def my_measure_without(layers, measure):
    num_heads = layers[0].attention.num_heads
    found = torch.zeros(len(layers), num_heads)
    for i, layer in enumerate(layers):
        for head in range(num_heads):
            with silenced(layer.attention, *range(head + 1)):
                found[i, head] = measure()
    return found


# %% wrong measure_without: not-restored
# enters the silence by hand and never leaves it: while the loops run, all heads before (of the layers before, too)
# stay silent
def my_measure_without(layers, measure):
    found, quiet = [], []
    for layer in layers:
        row = []
        for head in range(layer.attention.num_heads):
            quiet.append(silenced(layer.attention, head))
            quiet[-1].__enter__()
            row.append(float(measure()))
        found.append(row)
    return torch.tensor(found)


# %% wrong measure_without: rounded
# torch.full with the whole number 0 makes an integer tensor: a measured 0.93 is stored as 0
def my_measure_without(layers, measure):
    without = torch.full((len(layers), layers[0].attention.num_heads), 0)
    for i in range(without.shape[0]):
        for j in range(without.shape[1]):
            with silenced(layers[i].attention, j):
                without[i, j] = measure()
    return without


# %% wrong measure_without: every-layer
# silences head number h in all layers at once, and writes the one result into the whole column
def my_measure_without(layers, measure):
    from contextlib import ExitStack
    out = torch.zeros(len(layers), layers[0].attention.num_heads)
    for head in range(out.shape[1]):
        with ExitStack() as stack:
            for layer in layers:
                stack.enter_context(silenced(layer.attention, head))
            out[:, head] = measure()
    return out


# %% wrong measure_without: cut-in-wrong-order
# heads in the outer loop, layers in the inner one, and then a reshape to (layers, heads): right shape, numbers in the
# wrong cells
def my_measure_without(layers, measure):
    num_heads = layers[0].attention.num_heads
    measured = []
    for head in range(num_heads):
        for layer in layers:
            with silenced(layer.attention, head):
                measured.append(measure())
    return torch.tensor(measured).reshape(len(layers), num_heads)


# %% wrong measure_without: query-zeroed
# wrong idea of silencing: sets the head's queries to 0 (and puts them back). Such a head still delivers, the plain mean
# of the values it may see
def my_measure_without(layers, measure):
    rows = []
    for layer in layers:
        mha = layer.attention
        size = mha.W_query.out_features // mha.num_heads
        kept, row = mha.W_query.weight.detach().clone(), []
        for head in range(mha.num_heads):
            with torch.no_grad():
                mha.W_query.weight[head * size:(head + 1) * size] = 0.0
            row.append(float(measure()))
            with torch.no_grad():
                mha.W_query.weight.copy_(kept)
        rows.append(row)
    return torch.tensor(rows)


# %% wrong measure_without: not-silenced
# only notes inside the block what is to be called; the calls come after it, when all heads are back: the same number
# (of the whole model) everywhere
def my_measure_without(layers, measure):
    pending = []
    for layer in layers:
        for head in range(layer.attention.num_heads):
            with silenced(layer.attention, head):
                pending.append(lambda: measure())
    results = [later() for later in pending]
    return torch.tensor(results).view(len(layers), -1)


