# %% wrong same_pattern: itself-marked
# forgot "elsewhere": the diagonal is marked too, each word against itself
def my_same_pattern(tokens):
    return torch.tensor([[query == key for key in tokens] for query in tokens])

# %% wrong same_pattern: back-only
# only earlier places are marked (tril), the later ones are left out
def my_same_pattern(tokens):
    n = len(tokens)
    table = torch.zeros(n, n, dtype=torch.bool)
    for i in range(n):
        for j in range(i):
            table[i, j] = tokens[i] == tokens[j]
    return table

# %% wrong same_pattern: words-in-a-tensor
# torch.tensor of strings: a tensor holds numbers only, stops with an error
def my_same_pattern(tokens):
    words = torch.tensor(tokens)
    same = words[:, None] == words[None, :]
    return same & ~torch.eye(len(tokens), dtype=torch.bool)

# %% wrong same_pattern: nothing-marked
# "elsewhere" written as `key is not query`: equal strings are mostly one object in Python, so nearly nothing is marked
def my_same_pattern(tokens):
    rows = []
    for query in tokens:
        rows.append([key == query and key is not query for key in tokens])
    return torch.tensor(rows)

# %% wrong same_pattern: first-only
# list.index finds the first place only: a word that stands three times is marked at its first place alone
def my_same_pattern(tokens):
    pattern = torch.full((len(tokens), len(tokens)), False)
    for row, word in enumerate(tokens):
        first = tokens.index(word)
        if first != row:
            pattern[row, first] = True
            pattern[first, row] = True
    return pattern

# %% wrong same_pattern: pattern-not-bool
# numbers 0.0 and 1.0 in place of a boolean tensor
def my_same_pattern(tokens):
    ids = {word: number for number, word in enumerate(dict.fromkeys(tokens))}
    coded = torch.tensor([ids[word] for word in tokens])
    same = (coded.view(-1, 1) == coded.view(1, -1)).float()
    return same - torch.eye(len(tokens))

# %% right same_pattern
# one_hot of word numbers, product of the table with itself, diagonal filled with False
def my_same_pattern(tokens):
    vocabulary = sorted(set(tokens))
    onehot = F.one_hot(torch.tensor([vocabulary.index(t) for t in tokens]), len(vocabulary))
    same = (onehot @ onehot.T).bool()
    return same.fill_diagonal_(False)

# %% right same_pattern
# NumPy compares the strings by broadcasting
def my_same_pattern(tokens):
    words = np.array(tokens)
    same = words[:, None] == words[None, :]
    np.fill_diagonal(same, False)
    return torch.from_numpy(same)

# %% wrong pattern_scores: all-rows
# mean over all rows, also over those without a mark
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern has no mark")
    return (attn_weights * pattern).sum(dim=-1).mean(dim=-1)

# %% wrong pattern_scores: no-check
# no ValueError for a pattern without any mark: the mean over no rows gives nan
def my_pattern_scores(attn_weights, pattern):
    on_marks = torch.einsum("lhqk,qk->lhq", attn_weights, pattern.to(attn_weights.dtype))
    chosen = pattern.any(dim=-1)
    return on_marks[..., chosen].mean(dim=-1)

# %% wrong pattern_scores: cells-mean
# divides by the number of marks, not of rows with a mark: too small where a row has several marks
def my_pattern_scores(attn_weights, pattern):
    count = pattern.sum()
    if count == 0:
        raise ValueError("no marks in this pattern")
    total = attn_weights.masked_fill(~pattern, 0.0).sum(dim=(-2, -1))
    return total / count

# %% wrong pattern_scores: check-all
# refuses every pattern that has one row without a mark (all in place of any)
def my_pattern_scores(attn_weights, pattern):
    marked_rows = pattern.any(dim=-1)
    if not marked_rows.all():
        raise ValueError("pattern needs marks")
    return (attn_weights * pattern).sum(-1)[..., marked_rows].mean(-1)

# %% wrong pattern_scores: rows-of-columns
# any over the wrong axis: chooses rows by which columns have a mark
def my_pattern_scores(attn_weights, pattern):
    chosen = pattern.any(dim=0)
    if not chosen.any():
        raise ValueError("empty pattern")
    on_marks = (pattern * attn_weights).sum(dim=-1)
    return on_marks[:, :, chosen].mean(dim=-1)

# %% wrong pattern_scores: error-returned
# returns the ValueError in place of raising it
def my_pattern_scores(attn_weights, pattern):
    rows = [q for q in range(pattern.shape[0]) if pattern[q].any()]
    if len(rows) == 0:
        return ValueError("This pattern has no marks.")
    per_row = [attn_weights[:, :, q][..., pattern[q]].sum(dim=-1) for q in rows]
    return sum(per_row) / len(per_row)

# %% wrong pattern_scores: max-for-sum
# takes the largest weight on the marks of a row, in place of their sum
def my_pattern_scores(attn_weights, pattern):
    if pattern.sum() < 1:
        raise ValueError("nothing is marked")
    best, _ = torch.where(pattern, attn_weights, 0.0).max(dim=-1)
    return best[..., pattern.any(dim=1)].mean(dim=-1)

# %% right pattern_scores
# four nested loops, as in the page's cell for one head
def my_pattern_scores(attn_weights, pattern):
    layers, heads, num_queries, num_keys = attn_weights.shape
    if not bool(pattern.any()):
        raise ValueError("a pattern needs at least one mark")
    scores = torch.zeros(layers, heads)
    for layer in range(layers):
        for head in range(heads):
            sums = []
            for q in range(num_queries):
                if pattern[q].any():
                    sums.append(sum(float(attn_weights[layer, head, q, k]) for k in range(num_keys) if pattern[q, k]))
            scores[layer, head] = sum(sums) / len(sums)
    return scores

# %% right pattern_scores
# one weight for each cell, then a single matrix product over all cells
def my_pattern_scores(attn_weights, pattern):
    num_rows = torch.count_nonzero(torch.count_nonzero(pattern, dim=1))
    if num_rows == 0:
        raise ValueError("the pattern marks nothing")
    share = pattern.to(attn_weights.dtype) / num_rows
    return attn_weights.flatten(-2) @ share.flatten()

# %% wrong top_heads: places-swapped
# columns swapped: head first, then layer
def my_top_heads(scores, count):
    places = scores.flatten().topk(count).indices
    num_heads = scores.shape[1]
    return torch.stack([places % num_heads, places // num_heads], dim=1)

# %% wrong top_heads: wrong-width
# divides by the number of layers (shape[0]) in place of the number of heads
def my_top_heads(scores, count):
    order = scores.reshape(-1).argsort(descending=True)[:count]
    rows = scores.shape[0]
    return torch.stack((order // rows, order % rows), dim=-1)

# %% wrong top_heads: lowest
# sorts in rising order: the worst heads come first
def my_top_heads(scores, count):
    everything = [(scores[i, j].item(), i, j) for i in range(scores.shape[0]) for j in range(scores.shape[1])]
    everything.sort()
    return torch.tensor([[i, j] for _, i, j in everything[:count]])

# %% wrong top_heads: axes-joined
# stack without dim: shape (2, count), all layers in one row and all heads in the other
def my_top_heads(scores, count):
    flat = scores.flatten().topk(count).indices
    layer = torch.div(flat, scores.size(1), rounding_mode="floor")
    head = flat - layer * scores.size(1)
    return torch.stack([layer, head])

# %% wrong top_heads: true-division
# a simple / in place of //: the layers become broken numbers such as 3.0833, and the table is of floats
def my_top_heads(scores, count):
    indices = torch.topk(scores.view(-1), k=count).indices
    n_heads = scores.shape[-1]
    pairs = [[i / n_heads, i % n_heads] for i in indices.tolist()]
    return torch.tensor(pairs)

# %% wrong top_heads: crossed-out-with-0
# two mistakes: overwrites the caller's own tensor; and 0 as "done" mark is not small where scores are below 0
def my_top_heads(scores, count):
    found = []
    for _ in range(count):
        place = int(scores.argmax())
        layer, head = divmod(place, scores.shape[1])
        found.append([layer, head])
        scores[layer, head] = 0
    return torch.tensor(found)

# %% right top_heads
# torch.unravel_index on a full sort
def my_top_heads(scores, count):
    order = scores.ravel().sort(descending=True).indices[:count]
    return torch.stack(torch.unravel_index(order, scores.shape), dim=-1)

# %% right top_heads
# plain Python: sorted list of pairs, int32 result
def my_top_heads(scores, count):
    pairs = [(layer, head) for layer in range(len(scores)) for head in range(len(scores[layer]))]
    best = sorted(pairs, key=lambda pair: -scores[pair].item())[:count]
    return torch.tensor(best, dtype=torch.int32).reshape(count, 2)

# %% wrong without_head: rows-for-columns
# zeroes rows of out_proj.weight (what comes out) in place of columns (what comes in)
def my_without_head(attention, x, head):
    head_dim = attention.out_proj.in_features // attention.num_heads
    mine = slice(head * head_dim, (head + 1) * head_dim)
    kept = attention.out_proj.weight.detach().clone()
    with torch.no_grad():
        attention.out_proj.weight[mine] = 0
        output, _ = attention(x)
        attention.out_proj.weight.copy_(kept)
    return output

# %% wrong without_head: not-restored
# keeps the weight without clone(): `kept` is the same memory, so the zeros are written back and the head stays silent
def my_without_head(attention, x, head):
    weight = attention.out_proj.weight
    kept = weight.detach()
    size = weight.shape[1] // attention.num_heads
    with torch.no_grad():
        weight[:, size * head:size * head + size] = 0.0
        out = attention(x)[0]
        weight.copy_(kept)
    return out

# %% wrong without_head: not-restored
# return before the weight is written back: the line after it never runs
def my_without_head(attention, x, head):
    W = attention.out_proj.weight
    saved = W.detach().clone()
    d = attention.out_proj.in_features // attention.num_heads
    with torch.no_grad():
        for column in range(head * d, head * d + d):
            W[:, column].zero_()
        return attention(x)[0]
    W.copy_(saved)

# %% wrong without_head: heads-interleaved
# takes every num_heads-th column (head, head + num_heads, ...), as if the heads lay interleaved
def my_without_head(attention, x, head):
    proj = attention.out_proj
    backup = proj.weight.data.clone()
    proj.weight.data[:, head::attention.num_heads] = 0
    result, _weights = attention(x)
    proj.weight.data.copy_(backup)
    return result

# %% wrong without_head: output-columns
# zeroes features of the output, after out_proj has already mixed the heads
def my_without_head(attention, x, head):
    out = attention(x)[0].clone()
    per_head = out.shape[-1] // attention.num_heads
    out[..., head * per_head:(head + 1) * per_head] = 0
    return out

# %% wrong without_head: value-bias-left
# silences W_value instead, but its weight only: a layer with a value bias goes on delivering that bias
def my_without_head(attention, x, head):
    head_dim = attention.W_value.out_features // attention.num_heads
    start, stop = head * head_dim, (head + 1) * head_dim
    before = attention.W_value.weight[start:stop].detach().clone()
    try:
        with torch.no_grad():
            attention.W_value.weight[start:stop] = 0
        y, _ = attention(x)
    finally:
        with torch.no_grad():
            attention.W_value.weight[start:stop] = before
    return y

# %% wrong without_head: no-grad-missing
# writes into the parameter without torch.no_grad(): RuntimeError, a leaf that needs a gradient is changed in place
def my_without_head(attention, x, head):
    width = attention.out_proj.in_features
    head_dim = width // attention.num_heads
    keep = attention.out_proj.weight.detach().clone()
    attention.out_proj.weight[:, head * head_dim:(head + 1) * head_dim] = 0
    output = attention(x)[0]
    attention.out_proj.weight.copy_(keep)
    return output

# %% right without_head
# works on a deep copy, so the layer itself is never touched
import copy


def my_without_head(attention, x, head):
    twin = copy.deepcopy(attention)
    blocks = twin.out_proj.weight.data.view(twin.out_proj.out_features, twin.num_heads, -1)
    blocks[:, head] = 0
    return twin(x)[0]

# %% right without_head
# functional_call with another weight for out_proj, made by a 0/1 row of factors
from torch.func import functional_call


def my_without_head(attention, x, head):
    heads = torch.arange(attention.num_heads).repeat_interleave(attention.out_proj.in_features // attention.num_heads)
    factors = (heads != head).to(attention.out_proj.weight.dtype)
    context_vecs, _ = functional_call(attention, {"out_proj.weight": attention.out_proj.weight * factors}, (x,))
    return context_vecs
