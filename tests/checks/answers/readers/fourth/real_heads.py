# %% wrong same_pattern: itself-marked
# forgets "elsewhere": every word is marked as being the same as itself, the diagonal is True
def my_same_pattern(tokens):
    return torch.tensor([[query == key for key in tokens] for query in tokens])

# %% wrong same_pattern: back-only
# marks only earlier places (key before query), as with a causal mask; later places of the same word are missing
def my_same_pattern(tokens):
    n = len(tokens)
    marks = torch.zeros(n, n, dtype=torch.bool)
    for q in range(n):
        for k in range(q):
            marks[q, k] = tokens[q] == tokens[k]
    return marks

# %% wrong same_pattern: pattern-not-bool
# a table of 0. and 1. (float32), not a boolean one
def my_same_pattern(tokens):
    size = len(tokens)
    pattern = torch.zeros(size, size)
    for i, a in enumerate(tokens):
        for j, b in enumerate(tokens):
            if i != j and a == b:
                pattern[i, j] = 1
    return pattern

# %% wrong same_pattern: index-for-itself
# finds the query's place with tokens.index, which always gives the first place of the word: the row of a second "the"
# marks itself and leaves out the first one
def my_same_pattern(tokens):
    rows = []
    for word in tokens:
        own_place = tokens.index(word)
        rows.append([other == word and place != own_place for place, other in enumerate(tokens)])
    return torch.tensor(rows)

# %% wrong same_pattern: words-in-a-tensor
# wants to compare the words as tensors as in watch_heads_learn, but torch.tensor takes no strings: stops with an error
def my_same_pattern(tokens):
    words = torch.tensor(tokens)
    same = words[:, None] == words
    return same & ~torch.eye(len(words), dtype=torch.bool)

# %% right same_pattern
# gives each word a number through a dict, compares the numbers as tensors, and takes the diagonal out
def my_same_pattern(tokens):
    number = {word: i for i, word in enumerate(dict.fromkeys(tokens))}
    ids = torch.tensor([number[word] for word in tokens])
    places = torch.arange(len(tokens))
    return ids.eq(ids.unsqueeze(-1)).logical_and(places.ne(places.unsqueeze(-1)))

# %% right same_pattern
# numpy strings, compared by broadcasting; the table is turned into a tensor at the end
def my_same_pattern(tokens):
    words = np.array(tokens)
    table = words[:, None] == words[None, :]
    np.fill_diagonal(table, False)
    return torch.from_numpy(table)

# %% wrong pattern_scores: all-rows
# averages over all rows: those without a mark count as 0
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern has no mark")
    on_marks = (attn_weights * pattern).sum(dim=-1)
    return on_marks.mean(dim=-1)

# %% wrong pattern_scores: cells-mean
# the mean over the marked cells in place of the rows: a row with two marks is not added up
def my_pattern_scores(attn_weights, pattern):
    if pattern.sum() == 0:
        raise ValueError("nothing is marked")
    cells = attn_weights[..., pattern]  # (layers, num_heads, number of marks)
    return cells.mean(dim=-1)

# %% wrong pattern_scores: check-all
# refuses too much: a ValueError as soon as one row has no mark, where only a pattern without any mark is one
def my_pattern_scores(attn_weights, pattern):
    chosen = pattern.any(dim=-1)
    if not chosen.all():
        raise ValueError("the pattern has rows without a mark")
    return torch.einsum("lhqk,qk->lhq", attn_weights, pattern.to(attn_weights.dtype)).mean(dim=-1)

# %% wrong pattern_scores: error-returned
# returns the ValueError in place of raising it
def my_pattern_scores(attn_weights, pattern):
    has_mark = pattern.any(dim=-1)
    if has_mark.sum() == 0:
        return ValueError("a pattern needs at least one mark")
    per_row = attn_weights.masked_fill(~pattern, 0).sum(-1)
    return per_row[..., has_mark].mean(-1)

# %% wrong pattern_scores: columns-summed
# wrong axis: adds up over the queries in each column and averages over the columns that have a mark
def my_pattern_scores(attn_weights, pattern):
    columns = pattern.any(dim=0)
    if not columns.any():
        raise ValueError("no marks")
    marked = torch.where(pattern, attn_weights, torch.zeros_like(attn_weights))
    return marked.sum(dim=-2)[:, :, columns].mean(dim=2)

# %% right pattern_scores
# loops over layers, heads, and rows that have a mark, as in the page's cell for head 0.2
def my_pattern_scores(attn_weights, pattern):
    rows = [row for row in range(len(pattern)) if pattern[row].any()]
    if len(rows) == 0:
        raise ValueError("this pattern has no mark at all")

    def score(weights):
        return torch.stack([weights[row][pattern[row]].sum() for row in rows]).mean()

    return torch.stack([torch.stack([score(head) for head in layer]) for layer in attn_weights])

# %% right pattern_scores
# one sum over both axes, as a product of two flat tables; divided by the number of rows with a mark
def my_pattern_scores(attn_weights, pattern):
    num_rows = int(pattern.any(dim=1).sum())
    if num_rows < 1:
        raise ValueError("mark something")
    return attn_weights.flatten(2) @ pattern.flatten().to(attn_weights.dtype) / num_rows

# %% wrong top_heads: fixed-width
# 12 heads are written into the code: wrong for a table with another number of heads
def my_top_heads(scores, count):
    places = scores.flatten().topk(count).indices
    return torch.stack((places // 12, places % 12), dim=1)

# %% wrong top_heads: places-swapped
# the columns are swapped: head first and then layer
def my_top_heads(scores, count):
    num_heads = scores.shape[1]
    best = scores.reshape(-1).argsort(descending=True)[:count]
    pairs = []
    for place in best.tolist():
        layer, head = place // num_heads, place % num_heads
        pairs.append([head, layer])
    return torch.tensor(pairs)

# %% wrong top_heads: worst-first
# argsort goes upwards: the last `count` are the right heads, but the best comes last
def my_top_heads(scores, count):
    order = torch.argsort(scores.flatten())
    last = order[-count:]
    width = scores.size(-1)
    return torch.stack([torch.div(last, width, rounding_mode="floor"), last.remainder(width)], dim=-1)

# %% wrong top_heads: axes-joined
# stack without dim puts layers above heads: the shape is (2, count), not (count, 2)
def my_top_heads(scores, count):
    _, indices = torch.topk(scores.flatten(), k=count)
    heads = scores.shape[-1]
    return torch.stack([indices // heads, indices % heads])

# %% wrong top_heads: true-division
# / in place of //: the layers are fractions such as 3.0833, and the result is no table of whole numbers
def my_top_heads(scores, count):
    num_layers, num_heads = scores.shape
    flat = scores.flatten().topk(count).indices
    return torch.cat([(flat / num_heads)[:, None], (flat % num_heads)[:, None]], dim=1)

# %% right top_heads
# unravel_index does the // and the %
def my_top_heads(scores, count):
    best = torch.sort(scores.ravel(), descending=True).indices[:count]
    return torch.stack(torch.unravel_index(best, scores.shape), dim=-1)

# %% right top_heads
# no topk: takes the largest, writes -inf over it in a copy, and goes on
def my_top_heads(scores, count):
    left, found = scores.clone(), torch.empty(count, 2, dtype=torch.int32)
    for i in range(count):
        layer, head = divmod(left.argmax().item(), left.shape[1])
        found[i, 0], found[i, 1] = layer, head
        left[layer, head] = -math.inf
    return found

# %% wrong without_head: rows-for-columns
# zeros in rows of out_proj.weight: these are what it puts out, not what it reads of the head
def my_without_head(attention, x, head):
    weight = attention.out_proj.weight
    kept = weight.detach().clone()
    head_dim = attention.out_proj.in_features // attention.num_heads
    with torch.no_grad():
        weight[head * head_dim : (head + 1) * head_dim] = 0.0
        out, _ = attention(x)
        weight.copy_(kept)
    return out

# %% wrong without_head: not-restored
# keeps the weight without clone(): "kept" is the same memory, so copying it back changes nothing, the layer stays
# without the head
def my_without_head(attention, x, head):
    linear = attention.out_proj
    size = linear.in_features // attention.num_heads
    kept = linear.weight.detach()
    with torch.no_grad():
        linear.weight[:, head * size : head * size + size].zero_()
        output = attention(x)[0]
        linear.weight.copy_(kept)
    return output

# %% wrong without_head: heads-interleaved
# takes every num_heads-th column (head, head + num_heads, ...): the heads stand in blocks, not in turns
def my_without_head(attention, x, head):
    before = attention.out_proj.weight.data.clone()
    attention.out_proj.weight.data[:, head :: attention.num_heads] = 0
    result = attention(x)[0]
    attention.out_proj.weight.data = before
    return result

# %% wrong without_head: no-grad-missing
# writes without torch.no_grad(): PyTorch refuses an in-place change of a parameter, RuntimeError
def my_without_head(attention, x, head):
    head_dim = attention.out_proj.in_features // attention.num_heads
    columns = torch.arange(head * head_dim, (head + 1) * head_dim)
    kept = attention.out_proj.weight.detach().clone()
    attention.out_proj.weight[:, columns] = 0
    output, attn_weights = attention(x)
    attention.out_proj.weight.copy_(kept)
    return output

# %% wrong without_head: value-bias-left
# silences the head at W_value, by its weight alone: where W_value has a bias (qkv_bias=True, as in the real model),
# the head still delivers that
def my_without_head(attention, x, head):
    values = attention.W_value
    size = values.out_features // attention.num_heads
    rows = slice(head * size, (head + 1) * size)
    with torch.no_grad():
        kept = values.weight[rows].clone()
        values.weight[rows] = 0
        try:
            return attention(x)[0]
        finally:
            values.weight[rows] = kept

# %% right without_head
# functional_call with a masked weight: the layer itself is never touched
def my_without_head(attention, x, head):
    weight = attention.out_proj.weight
    of_column = torch.arange(weight.shape[1]) // (weight.shape[1] // attention.num_heads)
    masked = torch.where(of_column == head, torch.zeros_like(weight), weight)
    return torch.func.functional_call(attention, {"out_proj.weight": masked}, (x,))[0]

# %% right without_head
# the context manager that the setup cell imports, and that the reader knows from watch_heads_learn
def my_without_head(attention, x, head):
    with silenced(attention, head):
        output, _ = attention(x)
    return output
