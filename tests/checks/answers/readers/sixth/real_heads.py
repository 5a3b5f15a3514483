# %% wrong same_pattern: itself-marked
# forgets "elsewhere": each word is marked on itself, the whole diagonal is True
def my_same_pattern(tokens):
    return torch.tensor([[query == key for key in tokens] for query in tokens])

# %% wrong same_pattern: back-only
# marks earlier places only, as if there were a causal mask: a repetition that comes later is left out
def my_same_pattern(tokens):
    n = len(tokens)
    pattern = torch.zeros(n, n, dtype=torch.bool)
    for row in range(n):
        for column in range(row):
            if tokens[row] == tokens[column]:
                pattern[row, column] = True
    return pattern

# %% wrong same_pattern: part-of-word
# `in` between two strings looks for a part of a word: "a" is found in "cat", and the table is not even symmetric
def my_same_pattern(tokens):
    return torch.tensor([[query in key and i != j for j, key in enumerate(tokens)]
                         for i, query in enumerate(tokens)])

# %% wrong same_pattern: first-only
# tokens.index gives the first place of a word only: the third "the" is marked on the first, the second not at all
def my_same_pattern(tokens):
    table = [[False] * len(tokens) for _ in tokens]
    for place, word in enumerate(tokens):
        first = tokens.index(word)
        if first != place:
            table[place][first] = True
            table[first][place] = True
    return torch.tensor(table)

# %% wrong same_pattern: repeated-with-others
# takes any two words that occur more than once, also two different ones ("the" and "cat", if both are repeated)
def my_same_pattern(tokens):
    repeated = torch.tensor([tokens.count(token) > 1 for token in tokens])
    pattern = repeated[:, None] & repeated
    return pattern & ~torch.eye(len(tokens), dtype=torch.bool)

# %% wrong same_pattern: words-in-a-tensor
# tensors of strings do not exist: torch.tensor(tokens) stops
def my_same_pattern(tokens):
    words = torch.tensor(tokens)
    same = words[:, None] == words
    return same.fill_diagonal_(False)

# %% right same_pattern
# numpy compares the strings, torch takes the table over
def my_same_pattern(tokens):
    words = np.array(tokens)
    same = torch.from_numpy(words[:, None] == words[None, :])
    return same ^ torch.eye(len(tokens), dtype=torch.bool)

# %% right same_pattern
# every word gets the number of its first place; numbers are compared, the diagonal is cut away by triu and tril
def my_same_pattern(tokens):
    ids = torch.tensor([tokens.index(token) for token in tokens])
    equal = ids.unsqueeze(1).eq(ids.unsqueeze(0))
    return equal.triu(1) | equal.tril(-1)

# %% wrong pattern_scores: all-rows
# the mean over all rows, also over those without a mark
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern has no mark")
    return (attn_weights * pattern).sum(dim=-1).mean(dim=-1)

# %% wrong pattern_scores: cells-mean
# the mean over the marks in place of the sum in each row: two marks in a row are averaged, and weigh as two rows
def my_pattern_scores(attn_weights, pattern):
    num_marks = int(pattern.sum())
    if num_marks == 0:
        raise ValueError("no marks")
    total = torch.einsum("lhqk,qk->lh", attn_weights, pattern.float())
    return total / num_marks

# %% wrong pattern_scores: rows-of-columns
# chooses by columns: any(dim=0) says which keys have a mark, not which queries
def my_pattern_scores(attn_weights, pattern):
    chosen = pattern.any(dim=0)
    if not chosen.any():
        raise ValueError("a pattern needs a mark")
    on_marks = torch.where(pattern, attn_weights, torch.zeros(())).sum(dim=-1)
    return on_marks[..., chosen].mean(dim=-1)

# %% wrong pattern_scores: no-check
# returns nan for a pattern without any mark: the ValueError is forgotten
def my_pattern_scores(attn_weights, pattern):
    has_mark = pattern.any(dim=-1)
    on_marks = (attn_weights * pattern).sum(-1)[..., has_mark]
    return on_marks.mean(-1)

# %% wrong pattern_scores: check-all
# refuses too much: a single row without a mark already makes a ValueError (all in place of any)
def my_pattern_scores(attn_weights, pattern):
    rows = pattern.any(dim=-1)
    if not rows.all():
        raise ValueError("some query has no mark")
    return (attn_weights * pattern).sum(dim=-1)[..., rows].mean(dim=-1)

# %% wrong pattern_scores: input-changed
# erases in place (masked_fill_): the weights that were handed in are destroyed, the second pattern scores wrongly
def my_pattern_scores(attn_weights, pattern):
    with_mark = [q for q in range(pattern.shape[0]) if bool(pattern[q].any())]
    if len(with_mark) == 0:
        raise ValueError("This pattern marks nothing.")
    attn_weights.masked_fill_(~pattern, 0)
    return attn_weights[:, :, with_mark].sum(dim=3).mean(dim=2)

# %% right pattern_scores
# loops over layers, heads and rows, as in the page's example
def my_pattern_scores(attn_weights, pattern):
    rows = [row for row in range(len(pattern)) if pattern[row].any()]
    if not rows:
        raise ValueError("the pattern marks nothing")
    num_layers, num_heads = attn_weights.shape[:2]
    scores = torch.zeros(num_layers, num_heads)
    for layer in range(num_layers):
        for head in range(num_heads):
            on_marks = [attn_weights[layer, head, row][pattern[row]].sum() for row in rows]
            scores[layer, head] = torch.stack(on_marks).mean()
    return scores

# %% right pattern_scores
# one sum over both axes, divided by the number of rows that have a mark
def my_pattern_scores(attn_weights, pattern):
    num_rows = torch.count_nonzero(pattern.sum(dim=1)).item()
    try:
        share = 1 / num_rows
    except ZeroDivisionError:
        raise ValueError("a pattern needs at least one mark") from None
    return attn_weights.masked_fill(pattern.logical_not(), 0.0).flatten(-2).sum(-1) * share

# %% wrong top_heads: places-swapped
# head and layer in the wrong order
def my_top_heads(scores, count):
    places = scores.flatten().topk(count).indices
    num_heads = scores.shape[1]
    return torch.stack([places % num_heads, places // num_heads], dim=1)

# %% wrong top_heads: wrong-width
# counts in steps of the number of layers: scores.shape[0] in place of the number of heads
def my_top_heads(scores, count):
    num = scores.shape[0]
    best = torch.topk(scores.reshape(-1), count)[1]
    return torch.tensor([[int(place) // num, int(place) % num] for place in best])

# %% wrong top_heads: lowest
# argsort sorts upwards: the smallest numbers come first
def my_top_heads(scores, count):
    _, num_heads = scores.shape
    order = scores.flatten().argsort()[:count]
    return torch.stack((order // num_heads, order % num_heads), dim=-1)

# %% wrong top_heads: fixed-width
# 12 heads are typed in: right for MiniLM alone
def my_top_heads(scores, count):
    flat = scores.flatten().tolist()
    order = sorted(range(len(flat)), key=lambda place: flat[place], reverse=True)
    return torch.tensor([divmod(place, 12) for place in order[:count]])

# %% wrong top_heads: per-layer
# takes the best of each layer first, then those of them: two strong heads in one layer cannot both be found
def my_top_heads(scores, count):
    best_in_layer, heads = scores.max(dim=1)
    layers = best_in_layer.argsort(descending=True)[:count]
    return torch.stack([layers, heads[layers]], dim=1)

# %% wrong top_heads: input-changed
# overwrites the found ones with -inf in the scores that were handed in: they are not the caller's numbers any more
def my_top_heads(scores, count):
    found = []
    for _ in range(count):
        layer, head = divmod(scores.argmax().item(), scores.shape[1])
        found.append([layer, head])
        scores[layer, head] = -torch.inf
    return torch.tensor(found)

# %% right top_heads
# Python's sorted over a list of triples
def my_top_heads(scores, count):
    triples = []
    for layer, row in enumerate(scores.tolist()):
        for head, score in enumerate(row):
            triples.append((score, layer, head))
    triples.sort(key=lambda triple: -triple[0])
    return torch.tensor([triple[1:] for triple in triples[:count]])

# %% right top_heads
# unravel_index does the dividing; whole numbers of 32 bits
def my_top_heads(scores, count):
    order = torch.argsort(scores.ravel(), descending=True)[:count]
    return torch.stack(torch.unravel_index(order, scores.shape)).T.to(torch.int32)

# %% wrong without_head: rows-for-columns
# sets rows of out_proj.weight to zero: that takes output features away, not what the head delivers
def my_without_head(attention, x, head):
    width = attention.out_proj.in_features // attention.num_heads
    weight = attention.out_proj.weight
    kept = weight.detach().clone()
    with torch.no_grad():
        weight[head * width:(head + 1) * width] = 0.0
        output, _ = attention(x)
        weight.copy_(kept)
    return output

# %% wrong without_head: not-restored
# keeps the weight without clone: the kept tensor shares the memory and is set to zero as well, nothing comes back
def my_without_head(attention, x, head):
    head_dim = attention.out_proj.in_features // attention.num_heads
    columns = slice(head * head_dim, head * head_dim + head_dim)
    before = attention.out_proj.weight.detach()
    with torch.no_grad():
        attention.out_proj.weight[:, columns] = 0
        context_vecs = attention(x)[0]
        attention.out_proj.weight.copy_(before)
    return context_vecs

# %% wrong without_head: output-columns
# silences the head's values AFTER out_proj: sets its slice of the output to zero, where the heads are mixed already
def my_without_head(attention, x, head):
    output = attention(x)[0].clone()
    size = output.shape[-1] // attention.num_heads
    output[..., head * size:(head + 1) * size] = 0.0
    return output

# %% wrong without_head: heads-interleaved
# takes the columns head, head + num_heads, ...: the heads lie side by side, not in turns
def my_without_head(attention, x, head):
    linear = attention.out_proj
    old = linear.weight.detach().clone()
    try:
        with torch.no_grad():
            linear.weight[:, head::attention.num_heads] = 0
            result, _ = attention(x)
    finally:
        with torch.no_grad():
            linear.weight.copy_(old)
    return result

# %% wrong without_head: no-grad-missing
# writes into the parameter without torch.no_grad(): stops with a RuntimeError about a leaf that requires grad
def my_without_head(attention, x, head):
    head_dim = attention.out_proj.in_features // attention.num_heads
    saved = attention.out_proj.weight.detach().clone()
    attention.out_proj.weight[:, head * head_dim:(head + 1) * head_dim] = 0.0
    out, _ = attention(x)
    attention.out_proj.weight.copy_(saved)
    return out

# %% wrong without_head: query-zeroed
# sets the head's queries to zero in place of what it delivers: it then takes the plain mean of the values
def my_without_head(attention, x, head):
    head_dim = attention.out_proj.in_features // attention.num_heads
    rows = torch.arange(head * head_dim, (head + 1) * head_dim)
    kept = attention.W_query.weight.detach().clone()
    with torch.no_grad():
        attention.W_query.weight[rows] = 0.0
        silent = attention(x)[0]
        attention.W_query.weight.copy_(kept)
    return silent

# %% right without_head
# works on a deep copy, so the layer itself is never touched
import copy


def my_without_head(attention, x, head):
    double = copy.deepcopy(attention)
    head_dim = double.out_proj.in_features // double.num_heads
    keep = torch.ones(double.num_heads, head_dim)
    keep[head] = 0
    double.out_proj.weight.data *= keep.flatten()
    return double(x)[0]

# %% right without_head
# touches no weight: mixes the values again with the weights that the layer returns, and leaves the head out
def my_without_head(attention, x, head):
    _, attn_weights = attention(x)
    context_vecs = attn_weights @ split_heads(attention.W_value(x), attention.num_heads)
    others = torch.arange(attention.num_heads) != head
    return attention.out_proj(merge_heads(context_vecs * others[:, None, None]))
