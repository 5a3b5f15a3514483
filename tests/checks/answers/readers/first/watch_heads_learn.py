# %% wrong repeat_segment: each-token-repeated
# repeat_interleave: each token several times in a row, not the segment over and over
def my_repeat_segment(segments, num_tokens):
    times = -(-num_tokens // segments.shape[1])
    return segments.repeat_interleave(times, dim=1)[:, :num_tokens]

# %% wrong repeat_segment: last-round-missing
# repeats whole segments only and is too short when num_tokens is no multiple of the length
def my_repeat_segment(segments, num_tokens):
    batch, length = segments.shape
    return segments.repeat(1, num_tokens // length)

# %% wrong repeat_segment: not-cut
# forgets to cut to num_tokens
def my_repeat_segment(segments, num_tokens):
    length = segments.size(1)
    copies = [segments]
    while len(copies) * length < num_tokens:
        copies.append(segments)
    return torch.cat(copies, dim=1)

# %% wrong repeat_segment: rows-looked-up
# indexes the rows, not the columns: segments[places] picks texts
def my_repeat_segment(segments, num_tokens):
    places = torch.arange(num_tokens) % segments.shape[1]
    return segments[places]

# %% wrong repeat_segment: remainder-by-rows
# remainder by the batch size in place of the length
def my_repeat_segment(segments, num_tokens):
    positions = torch.arange(num_tokens)
    period = len(segments)
    return segments[:, positions % period]

# %% wrong repeat_segment: starts-late
# counts the places from 1: starts with the second token
def my_repeat_segment(segments, num_tokens):
    places = torch.arange(1, num_tokens + 1).remainder(segments.shape[-1])
    return segments[:, places]

# %% wrong repeat_segment: first-row-only
# works for one row only: every row of the result repeats the first segment
def my_repeat_segment(segments, num_tokens):
    batch, length = segments.shape
    result = torch.zeros(batch, num_tokens, dtype=torch.long)
    for place in range(num_tokens):
        result[:, place] = segments[0, place % length]
    return result

# %% right repeat_segment
# gather along the columns, with expanded places
def my_repeat_segment(segments, num_tokens):
    batch, length = segments.shape
    places = torch.arange(num_tokens).remainder(length).expand(batch, -1)
    return torch.gather(segments, 1, places)

# %% right repeat_segment
# recursion: grows by one segment until it is long enough
def my_repeat_segment(segments, num_tokens):
    def grow(row, length):
        if length >= num_tokens:
            return row[:, :num_tokens]
        return grow(torch.hstack([row, segments]), length + segments.shape[1])

    return grow(segments, segments.shape[1])

# %% wrong previous_score: next-for-previous
# offset=+1: the diagonal above, the weight on the next token
def my_previous_score(attn_weights):
    return attn_weights.diagonal(offset=1, dim1=-2, dim2=-1).mean(dim=-1)

# %% wrong previous_score: mean-over-all-rows
# divides by all queries, also the first one, which has no token before
def my_previous_score(attn_weights):
    num_tokens = attn_weights.shape[-1]
    below = attn_weights.diagonal(offset=-1, dim1=-2, dim2=-1)
    return below.sum(dim=-1) / num_tokens

# %% wrong previous_score: wrong-axes
# diagonal without dims: takes axes 0 and 1, right only if there are no axes in front
def my_previous_score(attn_weights):
    one_back = torch.diagonal(attn_weights, offset=-1)
    return one_back.mean(-1)

# %% wrong previous_score: mean-over-all-rows
# row 0 takes part with column -1: the last key
def my_previous_score(attn_weights):
    rows = torch.arange(attn_weights.size(-1))
    return attn_weights[..., rows, rows - 1].mean(dim=-1)

# %% wrong previous_score: all-averaged
# averages over the axes in front as well: one number for all heads
def my_previous_score(attn_weights):
    total, count = 0.0, 0
    for q in range(1, attn_weights.shape[-2]):
        total = total + attn_weights[..., q, q - 1].mean()
        count += 1
    return total / count

# %% wrong previous_score: itself-for-previous
# the main diagonal: weight on itself
def my_previous_score(attn_weights):
    return torch.einsum("...ii->...i", attn_weights).mean(dim=-1)

# %% wrong previous_score: no-mean
# the sum, not the mean
def my_previous_score(attn_weights):
    t = attn_weights.shape[-1]
    cells = torch.diag(torch.ones(t - 1), diagonal=-1)
    return (attn_weights * cells).sum(dim=(-2, -1))

# %% right previous_score
# a loop over queries, stacked
def my_previous_score(attn_weights):
    found = [attn_weights[..., query, query - 1] for query in range(1, attn_weights.shape[-2])]
    return torch.stack(found, dim=-1).mean(dim=-1)

# %% right previous_score
# multiplies with a table of shares and sums
def my_previous_score(attn_weights):
    n = attn_weights.shape[-1]
    table = torch.diag_embed(torch.full((n - 1,), 1 / (n - 1), dtype=attn_weights.dtype), offset=-1)
    return torch.einsum("...qk,qk->...", attn_weights, table)

# %% wrong induction_score: same-token
# looks at the keys with the same token, not those right after them
def my_induction_score(attn_weights, tokens):
    same = (tokens[:, None] == tokens[None, :]).tril(-1)
    has_any = same.any(dim=-1)
    return (attn_weights * same).sum(dim=-1)[..., has_any].mean(dim=-1)

# %% wrong induction_score: all-rows
# averages over all queries, also those whose token never stood there before
def my_induction_score(attn_weights, tokens):
    n = len(tokens)
    follows = torch.zeros(n, n)
    for q in range(n):
        for k in range(1, q + 1):
            if tokens[k - 1] == tokens[q]:
                follows[q, k] = 1
    return (attn_weights * follows).sum(-1).mean(-1)

# %% wrong induction_score: neighbour-missed
# k < q in place of k <= q: the query itself never counts (AA), and such rows are left out
def my_induction_score(attn_weights, tokens):
    rows = []
    for q in range(tokens.shape[0]):
        keys = [k for k in range(1, q) if tokens[k - 1] == tokens[q]]
        if keys:
            rows.append(attn_weights[..., q, keys].sum(dim=-1))
    return torch.stack(rows).mean(dim=0)

# %% wrong induction_score: last-only
# counts only the latest earlier place, not all of them
def my_induction_score(attn_weights, tokens):
    scores = []
    seen = {}
    for q, token in enumerate(tokens.tolist()):
        if token in seen:
            scores.append(attn_weights[..., q, seen[token] + 1])
        seen[token] = q
    return torch.stack(scores, dim=-1).mean(dim=-1)

# %% wrong induction_score: row-mean
# the mean over the matching keys in place of their sum
def my_induction_score(attn_weights, tokens):
    per_query = []
    for q in range(len(tokens)):
        hits = [attn_weights[..., q, k] for k in range(1, q + 1) if tokens[k - 1] == tokens[q]]
        if len(hits) > 0:
            per_query.append(sum(hits) / len(hits))
    return sum(per_query) / len(per_query)

# %% wrong induction_score: future-and-roll
# forgets to cut: keys after the query count too, and roll brings the last column round to the first
def my_induction_score(attn_weights, tokens):
    same = tokens[:, None] == tokens
    moved = same.roll(1, dims=1)
    kept = moved.any(dim=1)
    return (attn_weights * moved).sum(dim=-1)[..., kept].mean(dim=-1)

# %% wrong induction_score: qk-swapped
# queries and keys changed round: reads attn_weights[k, q]
def my_induction_score(attn_weights, tokens):
    total, n = 0, 0
    length = tokens.numel()
    for q in range(length):
        row, found = 0, False
        for k in range(1, q + 1):
            if tokens[k - 1].item() == tokens[q].item():
                row = row + attn_weights[..., k, q]
                found = True
        if found:
            total = total + row
            n += 1
    return total / n

# %% right induction_score
# loops with a dict of the places seen before
def my_induction_score(attn_weights, tokens):
    places, sums = {}, []
    for q, token in enumerate(tokens.tolist()):
        if token in places:
            after = [p + 1 for p in places[token]]
            sums.append(attn_weights[..., q, after].sum(-1))
        places.setdefault(token, []).append(q)
    return torch.stack(sums).mean(0)

# %% right induction_score
# one_hot: who is the same by a product, shifted with F.pad
def my_induction_score(attn_weights, tokens):
    one_hot = F.one_hot(tokens).to(attn_weights.dtype)
    same = one_hot @ one_hot.T
    follows = F.pad(same[:, :-1], (1, 0)).tril()
    rows = follows.sum(dim=1) > 0
    mass = torch.einsum("...qk,qk->...q", attn_weights, follows)
    return (mass * rows).sum(dim=-1) / rows.sum()

# %% wrong measure_without: not-silenced
# measures after the block, when the head is back
def my_measure_without(layers, measure):
    num_heads = layers[0].attention.num_heads
    results = torch.zeros(len(layers), num_heads)
    for i in range(len(layers)):
        for head in range(num_heads):
            with silenced(layers[i].attention, head):
                pass
            results[i, head] = measure()
    return results

# %% wrong measure_without: all-before
# silences all heads up to this one, more and more, not one at a time
def my_measure_without(layers, measure):
    rows = []
    for layer in layers:
        row = []
        for head in range(layer.attention.num_heads):
            with silenced(layer.attention, *range(head + 1)):
                row.append(measure())
        rows.append(row)
    return torch.tensor(rows)

# %% wrong measure_without: layer-for-attention
# hands the layer, not its attention, to silenced: ValueError
def my_measure_without(layers, measure):
    found = torch.zeros(len(layers), layers[0].attention.num_heads)
    for number, layer in enumerate(layers):
        for head in range(layer.attention.num_heads):
            with silenced(layer, head):
                found[number, head] = measure()
    return found

# %% wrong measure_without: axes-swapped
# the table the other way round: (num_heads, num_layers)
def my_measure_without(layers, measure):
    heads = layers[0].attention.num_heads
    table = torch.zeros(heads, len(layers))
    for head in range(heads):
        for depth, layer in enumerate(layers):
            with silenced(layer.attention, head):
                table[head, depth] = measure()
    return table

# %% wrong measure_without: list-returned
# returns a list of lists, not a tensor
def my_measure_without(layers, measure):
    def without(layer, head):
        with silenced(layer.attention, head):
            return measure()

    return [[without(layer, head) for head in range(layer.attention.num_heads)] for layer in layers]

# %% wrong measure_without: every-layer
# silences the same head in all layers at once: every row is the same
def my_measure_without(layers, measure):
    from contextlib import ExitStack
    num_heads = layers[0].attention.num_heads
    result = torch.zeros(len(layers), num_heads)
    for head in range(num_heads):
        with ExitStack() as stack:
            for layer in layers:
                stack.enter_context(silenced(layer.attention, head))
            result[:, head] = measure()
    return result

# %% wrong measure_without: difference-returned
# returns how much was lost (whole minus without), not what was measured
def my_measure_without(layers, measure):
    whole = measure()
    out = torch.empty(len(layers), layers[0].attention.num_heads)
    for i, layer in enumerate(layers):
        for j in range(out.shape[1]):
            with silenced(layer.attention, j):
                out[i, j] = whole - measure()
    return out

# %% right measure_without
# stack of rows, a helper with the with-block
def my_measure_without(layers, measure):
    def measured(attention_layer, head):
        with silenced(attention_layer, head):
            value = measure()
        return torch.as_tensor(value, dtype=torch.float32)

    rows = []
    for layer in layers:
        heads = range(layer.attention.num_heads)
        rows.append(torch.stack([measured(layer.attention, head) for head in heads]))
    return torch.stack(rows)

# %% right measure_without
# without silenced: zeroes the columns of out_proj itself and puts the weight back; returns float64
def my_measure_without(layers, measure):
    results = []
    for layer in layers:
        module = layer.attention
        width = module.out_proj.in_features // module.num_heads
        for head in range(module.num_heads):
            kept = module.out_proj.weight.detach().clone()
            with torch.no_grad():
                module.out_proj.weight[:, head * width:(head + 1) * width] = 0.0
            results.append(float(measure()))
            with torch.no_grad():
                module.out_proj.weight.copy_(kept)
    return torch.tensor(results, dtype=torch.float64).view(len(layers), -1)
