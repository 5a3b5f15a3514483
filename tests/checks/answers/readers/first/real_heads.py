# %% wrong same_pattern: itself-marked
# forgets "elsewhere": the diagonal is marked too
def my_same_pattern(tokens):
    return torch.tensor([[query == key for key in tokens] for query in tokens])

# %% wrong same_pattern: back-only
# marks only earlier places (k < q), not the later ones
def my_same_pattern(tokens):
    n = len(tokens)
    pattern = torch.zeros(n, n, dtype=torch.bool)
    for q in range(n):
        for k in range(q):
            pattern[q, k] = tokens[q] == tokens[k]
    return pattern

# %% wrong same_pattern: pattern-not-bool
# float table of 0 and 1, not bool
def my_same_pattern(tokens):
    table = torch.zeros(len(tokens), len(tokens))
    for i, query in enumerate(tokens):
        for j, key in enumerate(tokens):
            if i != j and query == key:
                table[i, j] = 1
    return table

# %% wrong same_pattern: nothing-marked
# compares the words to find out "elsewhere": the second condition can never hold with the first, all False
def my_same_pattern(tokens):
    rows = []
    for query in tokens:
        rows.append([key == query and key != query for key in tokens])
    return torch.tensor(rows)

# %% wrong same_pattern: index-for-itself
# uses tokens.index for the place of the query: finds the first place of a repeated word only
def my_same_pattern(tokens):
    rows = []
    for query in tokens:
        row = [key == query for key in tokens]
        row[tokens.index(query)] = False
        rows.append(row)
    return torch.tensor(rows)

# %% wrong same_pattern: words-in-a-tensor
# torch.tensor(tokens): a list of strings cannot become a tensor
def my_same_pattern(tokens):
    t = torch.tensor(tokens)
    return (t[:, None] == t) & ~torch.eye(len(tokens)).bool()

# %% wrong same_pattern: list-returned
# returns a nested list in place of a tensor
def my_same_pattern(tokens):
    n = range(len(tokens))
    return [[tokens[q] == tokens[k] and q != k for k in n] for q in n]

# %% right same_pattern
# numbers for the words, then a table of equality; diagonal filled
def my_same_pattern(tokens):
    vocabulary = sorted(set(tokens))
    numbers = torch.tensor([vocabulary.index(token) for token in tokens])
    table = numbers.unsqueeze(0).eq(numbers.unsqueeze(1))
    return table.fill_diagonal_(False)

# %% right same_pattern
# two halves: pairs above the diagonal, and their mirror; numpy array of strings
def my_same_pattern(tokens):
    words = np.array(tokens, dtype=object)
    same = torch.from_numpy((words[:, None] == words[None, :]).astype(bool))
    above = same.triu(1)
    return above | above.T

# %% wrong pattern_scores: all-rows
# the mean over all rows, also those without a mark
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern has no mark")
    return (attn_weights * pattern).sum(dim=-1).mean(dim=-1)

# %% wrong pattern_scores: cells-mean
# averages over the marks, not over the rows that have one
def my_pattern_scores(attn_weights, pattern):
    if pattern.sum() == 0:
        raise ValueError("empty pattern")
    on_marks = attn_weights[..., pattern]
    return on_marks.mean(dim=-1)

# %% wrong pattern_scores: no-check
# no ValueError for a pattern without a mark: nan comes out
def my_pattern_scores(attn_weights, pattern):
    marked_rows = pattern.any(dim=-1)
    on_marks = torch.einsum("lhqk,qk->lhq", attn_weights, pattern.to(attn_weights.dtype))
    return on_marks[:, :, marked_rows].mean(dim=-1)

# %% wrong pattern_scores: columns-summed
# sums over the queries (columns) in place of the keys
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("mark something")
    marks = attn_weights * pattern
    chosen = pattern.any(dim=0)
    return marks.sum(dim=-2)[..., chosen].mean(dim=-1)

# %% wrong pattern_scores: no-mean
# the sum over the rows, not the mean
def my_pattern_scores(attn_weights, pattern):
    if not bool(pattern.any()):
        raise ValueError("no marks in the pattern")
    return attn_weights.masked_fill(~pattern, 0.0).sum(dim=(-2, -1))

# %% wrong pattern_scores: weights-averaged
# averages over the heads as well: one number for each layer
def my_pattern_scores(attn_weights, pattern):
    rows = [r for r in range(len(pattern)) if pattern[r].any()]
    if not rows:
        raise ValueError("pattern without any mark")
    per_layer = []
    for layer in attn_weights:
        on_marks = [layer[:, r][:, pattern[r]].sum(dim=-1) for r in rows]
        per_layer.append(torch.stack(on_marks).mean())
    return torch.stack(per_layer)

# %% wrong pattern_scores: check-all
# raises whenever any row lacks a mark: all() in place of any()
def my_pattern_scores(attn_weights, pattern):
    has_mark = pattern.any(dim=-1)
    if not has_mark.all():
        raise ValueError("every row needs a mark")
    return (attn_weights * pattern).sum(-1)[..., has_mark].mean(-1)

# %% right pattern_scores
# head by head in loops, as on the page
def my_pattern_scores(attn_weights, pattern):
    rows = pattern.any(dim=1).nonzero().flatten().tolist()
    if len(rows) == 0:
        raise ValueError("a pattern needs at least one mark")
    layers, heads = attn_weights.shape[:2]
    scores = torch.zeros(layers, heads)
    for layer in range(layers):
        for head in range(heads):
            found = [attn_weights[layer, head, row, pattern[row]].sum().item() for row in rows]
            scores[layer, head] = sum(found) / len(found)
    return scores

# %% right pattern_scores
# a weighted sum: each mark counts 1 / number of rows with a mark
def my_pattern_scores(attn_weights, pattern):
    number = pattern.any(dim=-1).sum()
    if number == 0:
        raise ValueError("nothing is marked")
    share = pattern.double() / number
    return torch.tensordot(attn_weights.double(), share, dims=2).to(attn_weights.dtype)

# %% wrong top_heads: wrong-width
# divides by the number of layers in place of the number of heads
def my_top_heads(scores, count):
    places = scores.flatten().topk(count).indices
    return torch.stack([places // scores.shape[0], places % scores.shape[0]], dim=-1)

# %% wrong top_heads: axes-joined
# (2, count): stack without dim=-1
def my_top_heads(scores, count):
    num_heads = scores.size(1)
    best = torch.topk(scores.reshape(-1), count).indices
    return torch.stack((best // num_heads, best % num_heads))

# %% wrong top_heads: places-swapped
# head and layer changed round
def my_top_heads(scores, count):
    order = scores.flatten().argsort(descending=True)[:count]
    pairs = [[int(p) % scores.shape[1], int(p) // scores.shape[1]] for p in order]
    return torch.tensor(pairs)

# %% wrong top_heads: lowest
# sorts ascending: the worst first
def my_top_heads(scores, count):
    places = scores.flatten().argsort()[:count]
    layer = places // scores.shape[-1]
    head = places % scores.shape[-1]
    return torch.stack([layer, head], dim=1)

# %% wrong top_heads: per-layer
# topk of the table works along each row: the best heads of every layer
def my_top_heads(scores, count):
    return scores.topk(count).indices

# %% wrong top_heads: true-division
# / in place of //: layers with a fraction, floats
def my_top_heads(scores, count):
    indices = scores.flatten().topk(count).indices
    n = scores.shape[1]
    return torch.stack([indices / n, indices % n], dim=-1)

# %% wrong top_heads: order-of-places
# finds the right heads by a threshold, but returns them in the order of their places, not the best first
def my_top_heads(scores, count):
    threshold = scores.flatten().sort(descending=True).values[count - 1]
    return (scores >= threshold).nonzero()

# %% right top_heads
# takes the largest count times, by hand
def my_top_heads(scores, count):
    left = scores.clone()
    found = []
    for _ in range(count):
        layer, head = divmod(left.argmax().item(), left.shape[1])
        found.append([layer, head])
        left[layer, head] = -torch.inf
    return torch.tensor(found)

# %% right top_heads
# unravel_index, and int32 numbers
def my_top_heads(scores, count):
    order = torch.sort(scores.reshape(-1), descending=True, stable=True).indices[:count]
    layers, heads = torch.unravel_index(order, scores.shape)
    return torch.column_stack((layers, heads)).int()

# %% wrong without_head: rows-for-columns
# zeroes rows of out_proj.weight (features that come out), not columns
def my_without_head(attention, x, head):
    weight = attention.out_proj.weight
    width = attention.out_proj.in_features // attention.num_heads
    kept = weight.detach().clone()
    with torch.no_grad():
        weight[head * width:(head + 1) * width] = 0
        output = attention(x)[0]
        weight.copy_(kept)
    return output

# %% wrong without_head: not-restored
# never puts the weight back
def my_without_head(attention, x, head):
    head_dim = attention.out_proj.in_features // attention.num_heads
    start, end = head * head_dim, head * head_dim + head_dim
    with torch.no_grad():
        attention.out_proj.weight[:, start:end] = 0.0
    output, _ = attention(x)
    return output

# %% wrong without_head: not-restored
# keeps a view, not a copy: what is written back are the zeros
def my_without_head(attention, x, head):
    w = attention.out_proj.weight
    hd = w.shape[1] // attention.num_heads
    columns = slice(hd * head, hd * (head + 1))
    with torch.no_grad():
        before = w[:, columns]
        w[:, columns] = 0
        vecs = attention(x)[0]
        w[:, columns] = before
    return vecs

# %% wrong without_head: pair-returned
# returns the pair with the weights, not the output alone
def my_without_head(attention, x, head):
    layer = attention.out_proj
    size = layer.in_features // attention.num_heads
    original = layer.weight.detach().clone()
    try:
        with torch.no_grad():
            layer.weight[:, head * size:(head + 1) * size].zero_()
        result = attention(x)
    finally:
        with torch.no_grad():
            layer.weight.copy_(original)
    return result

# %% wrong without_head: heads-interleaved
# every num_heads-th column in place of neighbouring ones
def my_without_head(attention, x, head):
    weight = attention.out_proj.weight
    saved = weight.detach().clone()
    with torch.no_grad():
        weight[:, head::attention.num_heads] = 0
        out, _ = attention(x)
        weight.copy_(saved)
    return out

# %% wrong without_head: no-grad-missing
# no torch.no_grad(): writing into a leaf that requires grad is an error
def my_without_head(attention, x, head):
    head_dim = attention.out_proj.in_features // attention.num_heads
    old = attention.out_proj.weight.detach().clone()
    attention.out_proj.weight[:, head * head_dim:(head + 1) * head_dim] = 0
    out = attention(x)[0]
    attention.out_proj.weight.copy_(old)
    return out

# %% wrong without_head: value-bias-left
# silences the values: sets the head's rows of W_value.weight to 0 but forgets its bias, which real models have
def my_without_head(attention, x, head):
    head_dim = attention.W_value.out_features // attention.num_heads
    rows = slice(head * head_dim, (head + 1) * head_dim)
    kept = attention.W_value.weight.detach().clone()
    with torch.no_grad():
        attention.W_value.weight[rows] = 0
        output = attention(x)[0]
        attention.W_value.weight.copy_(kept)
    return output

# %% right without_head
# works on a deep copy; the layer itself is never touched
def my_without_head(attention, x, head):
    import copy
    twin = copy.deepcopy(attention)
    width = twin.out_proj.in_features // twin.num_heads
    mask = torch.ones(twin.out_proj.in_features)
    mask[head * width:(head + 1) * width] = 0
    twin.out_proj.weight.data *= mask
    return twin(x)[0]

# %% right without_head
# a hook zeroes what out_proj reads of this head; the weights are never touched
def my_without_head(attention, x, head):
    def silence(module, args):
        (notes,) = args
        per_head = notes.unflatten(-1, (attention.num_heads, -1)).clone()
        per_head[..., head, :] = 0.0
        return (per_head.flatten(-2),)

    handle = attention.out_proj.register_forward_pre_hook(silence)
    try:
        output, _ = attention(x)
    finally:
        handle.remove()
    return output
