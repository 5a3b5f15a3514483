# %% wrong repeat_segment: each-token-repeated
# repeat_interleave repeats each token on its own (AAABBB), not the whole segment (ABAB)
def my_repeat_segment(segments, num_tokens):
    times = math.ceil(num_tokens / segments.shape[1])
    return segments.repeat_interleave(times, dim=1)[:, :num_tokens]

# %% wrong repeat_segment: last-round-missing
# rounds the number of repetitions down, so the last, unfinished round is missing and the rows are too short
def my_repeat_segment(segments, num_tokens):
    rounds = num_tokens // segments.shape[-1]
    return torch.cat([segments for _ in range(rounds)], dim=-1)[:, :num_tokens]

# %% wrong repeat_segment: remainder-by-rows
# len(segments) is the number of rows (the batch), not the length of a segment: the remainder is taken of the wrong one
def my_repeat_segment(segments, num_tokens):
    length = len(segments)
    where = [place % length for place in range(num_tokens)]
    return segments[:, where]

# %% wrong repeat_segment: cut-at-the-front
# cuts from the end: keeps the last num_tokens places of the long row, so a row need not begin with its segment
def my_repeat_segment(segments, num_tokens):
    batch, length = segments.shape
    long_rows = segments.repeat(1, num_tokens // length + 1)
    return long_rows[:, -num_tokens:]

# %% wrong repeat_segment: - "`segments.expand(segments.shape[0], num_tokens)` stops: `exp"
# expand cannot repeat an axis that is longer than 1: it stops with an error
def my_repeat_segment(segments, num_tokens):
    return segments.expand(segments.shape[0], num_tokens)

# %% wrong repeat_segment: zeros-after
# writes the segment once and once more behind it, as in PLANETSPLANETS; a third round and later ones stay 0
def my_repeat_segment(segments, num_tokens):
    n = segments.size(1)
    out = torch.zeros(segments.size(0), num_tokens, dtype=segments.dtype)
    for place in range(min(2 * n, num_tokens)):
        out[:, place] = segments[:, place % n]
    return out

# %% right repeat_segment
# recursion: a segment that is too short is put beside itself, until it is long enough (doubling keeps the period)
def my_repeat_segment(segments, num_tokens):
    if segments.shape[1] >= num_tokens:
        return segments[:, :num_tokens]
    return my_repeat_segment(torch.cat((segments, segments), dim=1), num_tokens)

# %% right repeat_segment
# a new axis of rounds, expanded and flattened again
def my_repeat_segment(segments, num_tokens):
    batch, length = segments.shape
    rounds = -(-num_tokens // length)
    return segments.unsqueeze(1).expand(batch, rounds, length).reshape(batch, rounds * length).narrow(1, 0, num_tokens)

# %% wrong previous_score: argmax-hits
# counts how often the token before has the highest weight, in place of the mean of the weight on it
def my_previous_score(attn_weights):
    num_tokens = attn_weights.shape[-1]
    favourite = attn_weights.argmax(dim=-1)[..., 1:]
    return (favourite == torch.arange(num_tokens - 1)).float().mean(dim=-1)

# %% wrong previous_score: mean-over-all-rows
# starts at row 0, whose "token before" is index -1: that reads the last token, and counts a query that has none before
def my_previous_score(attn_weights):
    rows = torch.arange(attn_weights.shape[-2])
    return attn_weights[..., rows, rows - 1].mean(dim=-1)

# %% wrong previous_score: wrong-axes
# diagonal without dim1 and dim2 runs over the first two axes; right only for a single (num_tokens, num_tokens) table
def my_previous_score(attn_weights):
    one_back = attn_weights.diagonal(offset=-1)
    return one_back.mean(dim=-1)

# %% wrong previous_score: all-before
# takes all tokens before the query (the whole lower triangle), not only the one right before
def my_previous_score(attn_weights):
    before = attn_weights.tril(diagonal=-1).sum(dim=-1)  # (..., num_tokens)
    return before[..., 1:].mean(dim=-1)

# %% wrong previous_score: last-row-missing
# off by one: range(1, num_tokens - 1) leaves the last query out
def my_previous_score(attn_weights):
    num_tokens = attn_weights.shape[-1]
    total, count = 0.0, 0
    for q in range(1, num_tokens - 1):
        total = total + attn_weights[..., q, q - 1]
        count += 1
    return total / count

# %% wrong previous_score: - "`num_layers, num_heads, num_tokens, _ = attn_weights.shape` "
# works only for exactly four axes (layers, heads, tokens, tokens): with fewer or more the unpacking stops with an error
def my_previous_score(attn_weights):
    num_layers, num_heads, num_tokens, _ = attn_weights.shape
    result = torch.zeros(num_layers, num_heads)
    for layer in range(num_layers):
        for head in range(num_heads):
            table = attn_weights[layer, head]
            result[layer, head] = sum(table[i + 1, i] for i in range(num_tokens - 1)) / (num_tokens - 1)
    return result

# %% right previous_score
# a table with a 1 one step back, and einsum
def my_previous_score(attn_weights):
    n = attn_weights.shape[-1]
    step_back = torch.eye(n, dtype=attn_weights.dtype).roll(1, dims=0)
    step_back[0] = 0
    return torch.einsum("...qk,qk->...", attn_weights, step_back) / (n - 1)

# %% right previous_score
# cuts off the first row and the last column, then reads the main diagonal
def my_previous_score(attn_weights):
    smaller = attn_weights[..., 1:, :-1]
    return torch.stack([smaller[..., i, i] for i in range(smaller.shape[-1])]).mean(0)

# %% wrong induction_score: same-token
# adds up the weight on the earlier places of the same token itself, not on what followed them
def my_induction_score(attn_weights, tokens):
    earlier = (tokens[:, None] == tokens).tril(-1)
    has_one = earlier.any(dim=-1)
    return (attn_weights * earlier).sum(dim=-1)[..., has_one].mean(dim=-1)

# %% wrong induction_score: cells-mean
# one mean over all marked cells: a query with two such keys gets their mean (and counts twice), not their sum
def my_induction_score(attn_weights, tokens):
    cells = []
    for q in range(len(tokens)):
        for k in range(1, q + 1):
            if tokens[k - 1] == tokens[q]:
                cells.append(attn_weights[..., q, k])
    return torch.stack(cells).mean(dim=0)

# %% wrong induction_score: wraps-round
# the loop over keys begins at 0, where tokens[k - 1] is the LAST token: key 0 is counted for queries like the last one
def my_induction_score(attn_weights, tokens):
    per_query = []
    for q in range(len(tokens)):
        keys = [k for k in range(q + 1) if tokens[k - 1] == tokens[q]]
        if keys:
            per_query.append(attn_weights[..., q, keys].sum(dim=-1))
    return torch.stack(per_query, dim=-1).mean(dim=-1)

# %% wrong induction_score: zeros-left-out
# leaves out queries that give such keys no weight: divides by the number of queries with a weight above 0
def my_induction_score(attn_weights, tokens):
    same = tokens[:, None] == tokens
    follows = F.pad(same, (1, 0))[:, :-1].tril()
    weight = (attn_weights * follows).sum(dim=-1)  # (..., num_tokens)
    return weight.sum(dim=-1) / (weight > 0).sum(dim=-1)

# %% wrong induction_score: last-only
# only the most recent earlier place counts; the weight after the places before that one is forgotten
def my_induction_score(attn_weights, tokens):
    last_seen, found = {}, []
    for place, token in enumerate(tokens.tolist()):
        if token in last_seen:
            found.append(attn_weights[..., place, last_seen[token] + 1])
        last_seen[token] = place
    return torch.stack(found, dim=-1).mean(dim=-1)

# %% wrong induction_score: neighbour-missed
# tril(-1) excludes the query itself as key: in AA the second A should count its own weight
def my_induction_score(attn_weights, tokens):
    marks = torch.zeros(len(tokens), len(tokens), dtype=torch.bool)
    marks[:, 1:] = tokens.unsqueeze(1) == tokens[:-1].unsqueeze(0)
    rows = marks.tril().any(dim=1)
    marks = marks.tril(-1)
    return attn_weights.masked_fill(~marks, 0.0).sum(dim=-1)[..., rows].mean(dim=-1)

# %% right induction_score
# a dictionary of all earlier places of a token, one pass over the text
def my_induction_score(attn_weights, tokens):
    places, total, count = {}, torch.zeros(attn_weights.shape[:-2], dtype=attn_weights.dtype), 0
    for q, token in enumerate(tokens.tolist()):
        if token in places:
            count += 1
            for p in places[token]:
                total = total + attn_weights[..., q, p + 1]
        places.setdefault(token, []).append(q)
    return total / count

# %% right induction_score
# einsum with a table of floats; compares tokens one place further left instead of moving the table
def my_induction_score(attn_weights, tokens):
    num_tokens = tokens.shape[0]
    before = torch.cat([torch.full((1,), -1, dtype=tokens.dtype), tokens[:-1]])  # -1 is no token
    table = ((before[None, :] == tokens[:, None]) & causal_mask(num_tokens)).to(attn_weights.dtype)
    return torch.einsum("...qk,qk->...", attn_weights, table) / table.amax(dim=1).sum()

# %% wrong measure_without: not-silenced
# calls silenced() without "with": a context manager does nothing until it is entered, so all numbers are the whole's
def my_measure_without(layers, measure):
    num_heads = layers[0].attention.num_heads
    found = torch.zeros(len(layers), num_heads)
    for i, layer in enumerate(layers):
        for head in range(num_heads):
            silenced(layer.attention, head)
            found[i, head] = measure()
    return found

# %% wrong measure_without: all-but-one
# silences all the OTHER heads of the layer and keeps this one
def my_measure_without(layers, measure):
    rows = []
    for layer in layers:
        heads = set(range(layer.attention.num_heads))
        row = []
        for head in sorted(heads):
            with silenced(layer.attention, *(heads - {head})):
                row.append(measure())
        rows.append(row)
    return torch.tensor(rows)

# %% wrong measure_without: rounded
# the tensor is made for whole numbers (dtype long): a share such as 0.87 is cut down to 0
def my_measure_without(layers, measure):
    result = torch.zeros((len(layers), layers[0].attention.num_heads), dtype=torch.long)
    for l in range(result.shape[0]):
        for h in range(result.shape[1]):
            with silenced(layers[l].attention, h):
                result[l, h] = measure()
    return result

# %% wrong measure_without: all-before
# the heads pile up: with head 2, heads 0 and 1 are still silenced, not one at a time
def my_measure_without(layers, measure):
    def one_layer(att):
        values = []
        for count in range(1, att.num_heads + 1):
            with silenced(att, *range(count)):
                values.append(float(measure()))
        return torch.tensor(values)

    return torch.stack([one_layer(layer.attention) for layer in layers])

# %% wrong measure_without: counted-from-one
# counts heads from 1: head 0 is never silenced, and the last number is no head: silenced() refuses it with an error
def my_measure_without(layers, measure):
    num_heads = layers[0].attention.num_heads
    out = torch.zeros(len(layers), num_heads)
    for i in range(len(layers)):
        for head in range(1, num_heads + 1):
            with silenced(layers[i].attention, head):
                out[i, head - 1] = measure()
    return out

# %% wrong measure_without: difference-returned
# gives back how much was lost, whole minus without, and not what was measured without the head
def my_measure_without(layers, measure):
    whole = measure()
    out = torch.empty(len(layers), layers[0].attention.num_heads)
    for i, layer in enumerate(layers):
        for head in range(layer.attention.num_heads):
            with silenced(layer.attention, head):
                out[i, head] = whole - measure()
    return out

# %% right measure_without
# without silenced(): zeros in the columns of out_proj that read the head, put back afterwards
def my_measure_without(layers, measure):
    found = []
    for layer in layers:
        att = layer.attention
        width = att.out_proj.in_features // att.num_heads
        for start in range(0, att.out_proj.in_features, width):
            kept = att.out_proj.weight.detach().clone()
            with torch.no_grad():
                att.out_proj.weight[:, start:start + width] = 0.0
            try:
                found.append(float(measure()))
            finally:
                with torch.no_grad():
                    att.out_proj.weight.copy_(kept)
    return torch.tensor(found).reshape(len(layers), -1)

# %% right measure_without
# a list inside another and a helper; float64 numbers
def my_measure_without(layers, measure):
    def without(layer, head):
        with silenced(layer.attention, head):
            return measure()

    return torch.tensor([[without(layer, head) for head in range(layer.attention.num_heads)] for layer in layers],
                        dtype=torch.float64)
