# %% wrong same_pattern: - "`tokens[:, None]` stops: `tokens` is a list, and takes one w"
# treats the list of strings like a tensor: tokens[:, None] stops with a TypeError
def my_same_pattern(tokens):
    same = tokens[:, None] == tokens[None, :]
    return same & ~torch.eye(len(tokens), dtype=torch.bool)

# %% wrong same_pattern: part-of-word
# "in" between two strings asks for a part of the word: "a" is in "cat", so other words are marked
def my_same_pattern(tokens):
    return torch.tensor([[query in key and i != j for j, key in enumerate(tokens)] for i, query in enumerate(tokens)])

# %% wrong same_pattern: repeated-with-others
# marks any two words that each occur more than once, also two different ones ("the" and "cat")
def my_same_pattern(tokens):
    repeated = torch.tensor([tokens.count(token) > 1 for token in tokens])
    pattern = repeated[:, None] & repeated[None, :]
    return pattern.fill_diagonal_(False)

# %% wrong same_pattern: first-only
# list.index finds the first place only: later places of the word are not marked
def my_same_pattern(tokens):
    n = len(tokens)
    pattern = torch.zeros(n, n, dtype=torch.bool)
    for row, word in enumerate(tokens):
        first = tokens.index(word)
        if first != row:
            pattern[row, first] = True
    return pattern

# %% wrong same_pattern: pattern-not-bool
# the table holds whole numbers 0 and 1, not booleans
def my_same_pattern(tokens):
    words = sorted(set(tokens))
    ids = torch.tensor([words.index(token) for token in tokens])
    same = (ids[:, None] == ids).long()
    return same - torch.eye(len(tokens), dtype=torch.long)

# %% wrong same_pattern: ahead-only
# goes through each pair once and marks one of its two cells: a later place never looks back at the earlier one
def my_same_pattern(tokens):
    marks = torch.full((len(tokens), len(tokens)), False)
    for i in range(len(tokens)):
        for j in range(i + 1, len(tokens)):
            if tokens[i] == tokens[j]:
                marks[i, j] = True
    return marks

# %% right same_pattern
# NumPy compares the words, torch takes the table over
def my_same_pattern(tokens):
    words = np.array(tokens, dtype=object)
    table = (words[:, None] == words[None, :]).astype(bool)
    np.fill_diagonal(table, False)
    return torch.from_numpy(table)

# %% right same_pattern
# groups the places of each word in a dictionary, and marks all pairs in a group
def my_same_pattern(tokens):
    places = {}
    for place, token in enumerate(tokens):
        places.setdefault(token, []).append(place)
    pattern = torch.zeros(len(tokens), len(tokens)).bool()
    for group in places.values():
        for query in group:
            for key in group:
                pattern[query, key] = query != key
    return pattern

# %% wrong pattern_scores: error-kind
# a pattern without a mark gives an AssertionError, where a ValueError is asked for
def my_pattern_scores(attn_weights, pattern):
    assert pattern.any(), "the pattern has no mark"
    on_marks = (attn_weights * pattern).sum(dim=-1)
    return on_marks[..., pattern.any(dim=-1)].mean(dim=-1)

# %% wrong pattern_scores: check-all
# refuses too much: a ValueError as soon as one row has no mark, although only a pattern without ANY mark is an error
def my_pattern_scores(attn_weights, pattern):
    has_mark = pattern.any(dim=-1)
    if not has_mark.all():
        raise ValueError("there are rows without a mark")
    return (attn_weights * pattern).sum(dim=-1).mean(dim=-1)

# %% wrong pattern_scores: rows-of-columns
# any() over dim 0 says which KEYS are marked; it is used to choose queries (an error where the table is not square)
def my_pattern_scores(attn_weights, pattern):
    if pattern.sum() == 0:
        raise ValueError("no marks")
    chosen = pattern.any(dim=0)
    per_query = attn_weights.masked_fill(~pattern, 0).sum(-1)
    return per_query[:, :, chosen].mean(-1)

# %% wrong pattern_scores: sizes-fixed
# the numbers of this model, 6 layers and 12 heads, are typed in: a model of another size is not read, or stops
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("a pattern needs at least one mark")
    rows = [r for r in range(len(pattern)) if pattern[r].any()]
    scores = torch.zeros(6, 12)
    for layer in range(6):
        for head in range(12):
            sums = [attn_weights[layer, head, r][pattern[r]].sum() for r in rows]
            scores[layer, head] = torch.stack(sums).mean()
    return scores

# %% wrong pattern_scores: cells-mean
# divides by the number of marks, not by the number of rows that have one: rows with two marks count double
def my_pattern_scores(attn_weights, pattern):
    marks = int(pattern.sum())
    if marks == 0:
        raise ValueError("nothing is marked")
    return torch.einsum("lhqk,qk->lh", attn_weights, pattern.to(attn_weights.dtype)) / marks

# %% wrong pattern_scores: max-for-sum
# takes the highest weight on the marks of a row, where the weights should be added up
def my_pattern_scores(attn_weights, pattern):
    if not bool(pattern.any()):
        raise ValueError("pattern is empty")
    rows = pattern.any(dim=-1).nonzero().flatten()
    strongest = (attn_weights * pattern).max(dim=-1).values
    return strongest.index_select(-1, rows).mean(dim=-1)

# %% right pattern_scores
# a loop over rows that adds up, and divides at the end; the error comes last
def my_pattern_scores(attn_weights, pattern):
    total, count = 0, 0
    for row, marks in enumerate(pattern):
        if marks.any():
            total = total + attn_weights[..., row, marks].sum(dim=-1)
            count += 1
    if count == 0:
        raise ValueError("the pattern has no mark")
    return total / count

# %% right pattern_scores
# matrix product with flattened tables; each mark weighs 1 over the number of rows with a mark
def my_pattern_scores(attn_weights, pattern):
    count = pattern.any(dim=-1).sum()
    if count < 1:
        raise ValueError("mark something")
    share = pattern.to(attn_weights.dtype) / count
    return attn_weights.flatten(-2) @ share.flatten()

# %% wrong top_heads: looked-up-again
# looks the values up with ==: where two heads have the same score, the first of them is returned twice
def my_top_heads(scores, count):
    best = scores.flatten().sort(descending=True).values[:count]
    return torch.stack([(scores == value).nonzero()[0] for value in best])

# %% wrong top_heads: crossed-out-with-0
# crosses a found head out with 0: where scores are negative, the crossed-out head wins again
def my_top_heads(scores, count):
    left, found = scores.clone(), []
    for _ in range(count):
        layer, head = divmod(left.argmax().item(), scores.shape[1])
        found.append([layer, head])
        left[layer, head] = 0
    return torch.tensor(found)

# %% wrong top_heads: true-division
# / in place of //: the layers are broken numbers such as 3.0833, and the tensor is of floats
def my_top_heads(scores, count):
    flat = scores.reshape(-1).topk(count).indices
    num_heads = scores.size(-1)
    return torch.stack((flat / num_heads, flat % num_heads), dim=1)

# %% wrong top_heads: - "In your places, rows and columns have changed places. Look f"
# stacks along axis 0: the shape is (2, count), first all layers, then all heads
def my_top_heads(scores, count):
    order = scores.flatten().argsort(descending=True)[:count]
    return torch.stack([order // scores.shape[1], order % scores.shape[1]])

# %% wrong top_heads: wrong-width
# divides by the number of layers, shape[0], where a layer of the long list has shape[1] heads
def my_top_heads(scores, count):
    num_layers = scores.shape[0]
    places = scores.flatten().topk(count).indices.tolist()
    return torch.tensor([[p // num_layers, p % num_layers] for p in places])

# %% wrong top_heads: per-layer
# takes only the best head of each layer and ranks those: two heads of one layer never both appear, and there
# are never more than layers
def my_top_heads(scores, count):
    best_score, best_head = scores.max(dim=1)
    layers = best_score.argsort(descending=True)[:count]
    return torch.stack([layers, best_head[layers]], dim=-1)

# %% right top_heads
# plain Python: sorts all pairs by their score
def my_top_heads(scores, count):
    table = scores.tolist()
    pairs = [(layer, head) for layer in range(len(table)) for head in range(len(table[0]))]
    pairs.sort(key=lambda pair: table[pair[0]][pair[1]], reverse=True)
    return torch.tensor(pairs[:count])

# %% right top_heads
# argmax again and again, with minus infinity where one was found (in a copy); unravel_index
def my_top_heads(scores, count):
    rest = scores.detach().clone().double()
    out = torch.empty(count, 2, dtype=torch.int32)
    for i in range(count):
        where = torch.unravel_index(rest.argmax(), rest.shape)
        out[i] = torch.stack(where).int()
        rest[where] = -math.inf
    return out

# %% wrong without_head: value-bias-left
# silences the value projection, but only its weight: with qkv_bias the head still delivers the bias of its values
def my_without_head(attention, x, head):
    size = attention.out_proj.in_features // attention.num_heads
    rows = slice(head * size, (head + 1) * size)
    kept = attention.W_value.weight.detach().clone()
    with torch.no_grad():
        attention.W_value.weight[rows] = 0
        output = attention(x)[0]
        attention.W_value.weight.copy_(kept)
    return output

# %% wrong without_head: bias-silenced
# subtracts what out_proj makes of this head alone, and with it out_proj's bias, which belongs to no head
def my_without_head(attention, x, head):
    seen = []
    handle = attention.out_proj.register_forward_pre_hook(lambda module, args: seen.append(args[0]))
    output, _ = attention(x)
    handle.remove()
    alone = torch.zeros_like(seen[0])
    dim = alone.shape[-1] // attention.num_heads
    alone[..., head * dim:(head + 1) * dim] = seen[0][..., head * dim:(head + 1) * dim]
    return output - attention.out_proj(alone)

# %% wrong without_head: not-restored
# the hook stays: the head is silent for ever after, the layer is not as it was
def my_without_head(attention, x, head):
    head_dim = attention.out_proj.in_features // attention.num_heads

    def zero_it(module, args):
        vecs = args[0].clone()
        vecs[..., head_dim * head:head_dim * head + head_dim] = 0
        return (vecs,)

    attention.out_proj.register_forward_pre_hook(zero_it)
    return attention(x)[0]

# %% wrong without_head: width-of-inputs
# head_dim from the width of x (d_in), not from the width of all heads: wrong columns where the two widths differ
def my_without_head(attention, x, head):
    head_dim = x.shape[-1] // attention.num_heads
    weight = attention.out_proj.weight
    original = weight.detach().clone()
    with torch.no_grad():
        weight[:, head * head_dim:(head + 1) * head_dim] = 0.0
        out, _ = attention(x)
        weight.copy_(original)
    return out

# %% wrong without_head: causal-forgotten
# computes the layer anew by hand and forgets that it may be causal: later tokens are seen
def my_without_head(attention, x, head):
    q, k, v = (split_heads(layer(x), attention.num_heads)
               for layer in (attention.W_query, attention.W_key, attention.W_value))
    weights = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    keep = torch.arange(attention.num_heads) != head
    context = (weights @ v) * keep[:, None, None]
    return attention.out_proj(merge_heads(context))

# %% wrong without_head: query-zeroed
# silences the head's queries: its scores become equal and it delivers the plain mean, not nothing
def my_without_head(attention, x, head):
    d = attention.W_query.out_features // attention.num_heads
    old = {name: value.clone() for name, value in attention.state_dict().items()}
    with torch.no_grad():
        attention.W_query.weight[head * d:(head + 1) * d] = 0.0
        if attention.W_query.bias is not None:
            attention.W_query.bias[head * d:(head + 1) * d] = 0.0
        result = attention(x)[0]
    attention.load_state_dict(old)
    return result

# %% right without_head
# functional_call: the layer runs once with another weight and is never touched
def my_without_head(attention, x, head):
    weight = attention.out_proj.weight.clone()
    weight.unflatten(1, (attention.num_heads, -1))[:, head] = 0
    output, _ = torch.func.functional_call(attention, {"out_proj.weight": weight}, (x,))
    return output

# %% right without_head
# a deepcopy is changed, columns multiplied by 0 through repeat_interleave
def my_without_head(attention, x, head):
    from copy import deepcopy
    twin = deepcopy(attention)
    keep = F.one_hot(torch.tensor(head), twin.num_heads).eq(0).repeat_interleave(
        twin.out_proj.in_features // twin.num_heads)
    twin.out_proj.weight.data.mul_(keep)
    return twin(x)[0]
