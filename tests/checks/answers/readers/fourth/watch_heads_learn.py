# %% wrong repeat_segment: each-token-repeated
# repeat_interleave repeats every letter in place (PPPLLL...) and not the segment as a whole (PLAPLAPLA)
def my_repeat_segment(segments, num_tokens):
    length = segments.shape[1]
    times = num_tokens // length + 1
    return segments.repeat_interleave(times, dim=1)[:, :num_tokens]

# %% wrong repeat_segment: last-round-missing
# rounds the number of copies down: what is left over after the last whole segment is missing, so the rows are too
# short wherever num_tokens is no multiple of the length
def my_repeat_segment(segments, num_tokens):
    batch, length = segments.shape
    whole_copies = num_tokens // length
    repeated = segments.repeat(1, whole_copies)
    return repeated[:, :num_tokens]

# %% wrong repeat_segment: remainder-by-rows
# takes the length from len(segments), which is the batch: the remainder is taken of the number of rows
def my_repeat_segment(segments, num_tokens):
    places = torch.arange(num_tokens) % len(segments)
    return segments[:, places]

# %% wrong repeat_segment: starts-late
# off by one: counts places from 1, so each row starts with the segment's second letter
def my_repeat_segment(segments, num_tokens):
    out = torch.zeros(segments.shape[0], num_tokens, dtype=segments.dtype)
    for b in range(segments.shape[0]):
        for place in range(1, num_tokens + 1):
            out[b, place - 1] = segments[b, place % segments.shape[1]]
    return out

# %% wrong repeat_segment: batch-repeated
# joins with torch.cat until it is long enough, but along axis 0: the copies lie below each other, the rows get
# no longer: (copies * batch, length)
def my_repeat_segment(segments, num_tokens):
    copies = [segments]
    total = segments.size(1)
    while total < num_tokens:
        copies.append(segments)
        total += segments.size(1)
    return torch.cat(copies)[:, :num_tokens]

# %% right repeat_segment
# joins copies until the row is long enough, then cuts; also right where num_tokens is less than the length
def my_repeat_segment(segments, num_tokens):
    result = segments
    while result.size(1) < num_tokens:
        result = torch.cat((result, segments), dim=1)
    return result[:, :num_tokens]

# %% right repeat_segment
# Python lists and itertools.cycle, and a tensor made of them at the end
from itertools import cycle, islice
def my_repeat_segment(segments, num_tokens):
    rows = [list(islice(cycle(row), num_tokens)) for row in segments.tolist()]
    return torch.tensor(rows, dtype=segments.dtype)

# %% wrong previous_score: next-for-previous
# wrong side of the diagonal: offset=+1 reads the weight on the NEXT token
def my_previous_score(attn_weights):
    one_step = attn_weights.diagonal(offset=1, dim1=-2, dim2=-1)
    return one_step.mean(dim=-1)

# %% wrong previous_score: mean-over-all-rows
# starts at row 0, whose "row before" is -1: the first query counts with its weight on the LAST token
def my_previous_score(attn_weights):
    n = attn_weights.shape[-1]
    rows = torch.arange(n)
    return attn_weights[..., rows, rows - 1].mean(dim=-1)

# %% wrong previous_score: mean-over-all-rows
# divides by the number of all tokens, also the first one, which has none before it
def my_previous_score(attn_weights):
    num_tokens = attn_weights.shape[-1]
    total = 0
    for q in range(1, num_tokens):
        total = total + attn_weights[..., q, q - 1]
    return total / num_tokens

# %% wrong previous_score: wrong-axes
# forgets to say which axes: diagonal() takes axes 0 and 1, that is layers and heads, not queries and keys
def my_previous_score(attn_weights):
    return attn_weights.diagonal(offset=-1).mean(dim=-1)

# %% wrong previous_score: mean-over-all-rows + all-averaged
# two mistakes: mean without dim gives one single number for all heads together, not one for each; and row 0 counts
# too, with its weight on the last token (row - 1 is -1)
def my_previous_score(attn_weights):
    rows = torch.arange(attn_weights.size(-2))
    before = attn_weights[..., rows, rows - 1]
    return torch.mean(before)

# %% right previous_score
# einsum of a table with ones one step below the diagonal; divided by num_tokens - 1
def my_previous_score(attn_weights):
    n = attn_weights.shape[-1]
    marks = torch.diag(torch.ones(n - 1, dtype=attn_weights.dtype), -1)
    return torch.einsum("...qk,qk->...", attn_weights, marks) / (n - 1)

# %% right previous_score
# cuts off the first row and the last column, and then takes the trace by a loop over the main diagonal
def my_previous_score(attn_weights):
    cut = attn_weights[..., 1:, :-1]
    cells = [cut[..., i, i] for i in range(cut.shape[-1])]
    return torch.stack(cells, dim=-1).mean(-1)

# %% wrong induction_score: same-token
# marks the places where the same token stood, and not the places right after them: no step to the right
def my_induction_score(attn_weights, tokens):
    same = (tokens[:, None] == tokens).tril(-1)
    on_marks = (attn_weights * same).sum(dim=-1)
    return on_marks[..., same.any(dim=-1)].mean(dim=-1)

# %% wrong induction_score: all-rows
# averages over all queries, also those whose token never stood there before (they count as 0)
def my_induction_score(attn_weights, tokens):
    n = len(tokens)
    pattern = torch.zeros(n, n)
    for q in range(n):
        for k in range(1, q + 1):
            if tokens[k - 1] == tokens[q]:
                pattern[q, k] = 1
    return (attn_weights * pattern).sum(dim=-1).mean(dim=-1)

# %% wrong induction_score: neighbour-missed
# the key may not be the query itself here (k < q): in AA the second A is left out
def my_induction_score(attn_weights, tokens):
    sums = []
    for query in range(len(tokens)):
        places = [key for key in range(1, query) if tokens[key - 1] == tokens[query]]
        if places:
            sums.append(attn_weights[..., query, places].sum(dim=-1))
    return torch.stack(sums).mean(dim=0)

# %% wrong induction_score: last-only
# only the LAST place where the token stood counts: breaks out of the loop, while all such places should be added up
def my_induction_score(attn_weights, tokens):
    found = []
    for q in range(1, len(tokens)):
        for k in range(q, 0, -1):
            if tokens[k - 1].item() == tokens[q].item():
                found.append(attn_weights[..., q, k])
                break
    return torch.stack(found, dim=-1).mean(dim=-1)

# %% wrong induction_score: wraps-round
# torch.roll moves the table to the right, but lets the last column come round to column 0: for a token that stands
# at the end too, key 0 is marked although nothing stood before it
def my_induction_score(attn_weights, tokens):
    table = torch.roll(tokens.unsqueeze(1) == tokens.unsqueeze(0), shifts=1, dims=1).tril()
    has_one = table.any(dim=1)
    weight_on_marks = attn_weights.masked_fill(~table, 0.0).sum(-1)
    return weight_on_marks[..., has_one].mean(-1)

# %% right induction_score
# one_hot: a product of the one-hot rows says who is the same; F.pad moves it to the right; einsum adds up
def my_induction_score(attn_weights, tokens):
    hot = F.one_hot(tokens).to(attn_weights.dtype)
    same = hot @ hot.T
    moved = F.pad(same, (1, 0))[:, :-1].tril()
    rows = (moved.sum(dim=1) > 0).to(attn_weights.dtype)
    total = torch.einsum("...qk,qk->...", attn_weights, moved)
    return total / rows.sum()

# %% right induction_score
# remembers in a dict where each letter has stood so far, and keeps a running sum and a count
def my_induction_score(attn_weights, tokens):
    seen, total, count = {}, 0.0, 0
    for q, letter in enumerate(tokens.tolist()):
        earlier = seen.setdefault(letter, [])
        if earlier:
            for place in earlier:
                total = total + attn_weights[..., q, place + 1]
            count += 1
        earlier.append(q)
    return total / count

# %% wrong measure_without: not-silenced
# measures after the with block, when the head is back: every cell holds the whole model's number
def my_measure_without(layers, measure):
    table = torch.zeros(len(layers), layers[0].attention.num_heads)
    for i, layer in enumerate(layers):
        for head in range(layer.attention.num_heads):
            with silenced(layer.attention, head):
                pass
            table[i, head] = measure()
    return table

# %% wrong measure_without: all-before
# silences heads 0 up to this one together, in place of one at a time
def my_measure_without(layers, measure):
    results = []
    for layer in layers:
        row = []
        for head in range(layer.attention.num_heads):
            with silenced(layer.attention, *range(head + 1)):
                row.append(float(measure()))
        results.append(row)
    return torch.tensor(results)

# %% wrong measure_without: layer-for-attention
# hands the layer to silenced, not its attention: the layer has no num_heads and no out_proj, and silenced refuses it
def my_measure_without(layers, measure):
    num_heads = layers[0].attention.num_heads
    found = torch.zeros(len(layers), num_heads)
    for number in range(len(layers)):
        for head in range(num_heads):
            with silenced(layers[number], head):
                found[number, head] = measure()
    return found

# %% wrong measure_without: difference-returned
# returns how much was lost against the whole model (difference), not the number that was measured
def my_measure_without(layers, measure):
    whole = measure()
    heads = layers[0].attention.num_heads
    drops = torch.empty(len(layers), heads)
    for i in range(len(layers)):
        for h in range(heads):
            with silenced(layers[i].attention, h):
                drops[i, h] = whole - measure()
    return drops

# %% wrong measure_without: axes-swapped
# the indices are the wrong way round: the heads are the rows, the layers the columns, (num_heads, num_layers)
def my_measure_without(layers, measure):
    def one(layer, head):
        with silenced(layer.attention, head):
            return measure()

    return torch.tensor([[one(layer, head) for layer in layers] for head in range(layers[0].attention.num_heads)])

# %% right measure_without
# one loop over numbers 0 to layers * heads - 1, with divmod; a list, reshaped at the end
def my_measure_without(layers, measure):
    num_layers, num_heads = len(layers), layers[0].attention.num_heads
    numbers = []
    for index in range(num_layers * num_heads):
        which_layer, which_head = divmod(index, num_heads)
        with silenced(layers[which_layer].attention, which_head):
            numbers.append(float(measure()))
    return torch.tensor(numbers).reshape(num_layers, num_heads)

# %% right measure_without
# does not use silenced: puts zeros into the head's columns of out_proj by hand, and brings them back in finally
def my_measure_without(layers, measure):
    rows = []
    for layer in layers:
        att = layer.attention
        weight = att.out_proj.weight.data
        size = weight.shape[1] // att.num_heads
        row = []
        for head in range(att.num_heads):
            columns = slice(head * size, (head + 1) * size)
            saved = weight[:, columns].clone()
            weight[:, columns] = 0
            try:
                row.append(torch.as_tensor(measure(), dtype=torch.float32))
            finally:
                weight[:, columns] = saved
        rows.append(torch.stack(row))
    return torch.stack(rows)
