# %% wrong same_pattern: nothing-marked
# compares with `is not` for "elsewhere": the same word is mostly the same string object in Python, so nothing is marked
def my_same_pattern(tokens):
    table = []
    for query in tokens:
        table.append([query == key and query is not key for key in tokens])
    return torch.tensor(table)


# %% wrong same_pattern: part-of-word
# `in` on strings looks for a piece: "a" is found in "cat", "he" in "the"
def my_same_pattern(tokens):
    return torch.tensor([[i != j and key in query for j, key in enumerate(tokens)] for i, query in enumerate(tokens)])


# %% wrong same_pattern: index-for-itself
# takes tokens.index(query) for the query's own place: from the second occurrence on, the word marks itself and leaves
# out the first one
def my_same_pattern(tokens):
    n = len(tokens)
    marks = torch.zeros(n, n, dtype=torch.bool)
    for row, query in enumerate(tokens):
        for column in range(n):
            if tokens[column] == query and column != tokens.index(query):
                marks[row, column] = True
    return marks


# %% wrong same_pattern: repeated-with-others
# asks for words that occur more than once at all: two different repeated words mark each other as well
def my_same_pattern(tokens):
    from collections import Counter
    count = Counter(tokens)
    repeated = torch.tensor([count[token] > 1 for token in tokens])
    return repeated[:, None] & repeated[None, :] & ~torch.eye(len(tokens), dtype=torch.bool)


# %% wrong same_pattern: - "`same - torch.eye(len(tokens), dtype=torch.bool)` stops: `to"
# minus is not defined for two boolean tensors: stops with an error
def my_same_pattern(tokens):
    numbers = torch.tensor([tokens.index(token) for token in tokens])
    same = numbers[:, None] == numbers[None, :]
    return same - torch.eye(len(tokens), dtype=torch.bool)


# %% wrong same_pattern: columns-marked
# [[False] * n] * n holds the same list n times: a mark set in one row stands in all rows
def my_same_pattern(tokens):
    n = len(tokens)
    table = [[False] * n] * n
    for i in range(n):
        for j in range(n):
            if i != j and tokens[i] == tokens[j]:
                table[i][j] = True
    return torch.tensor(table)


# %% wrong same_pattern: ahead-only
# goes through pairs once each and marks only one of the two cells: the earlier word looks at the later, never back
def my_same_pattern(tokens):
    from itertools import combinations
    pattern = torch.zeros((len(tokens), len(tokens))).bool()
    for i, j in combinations(range(len(tokens)), 2):
        pattern[i, j] = tokens[i] == tokens[j]
    return pattern


# %% wrong pattern_scores: check-all
# refuses every pattern that has a row without a mark (all in place of any): nearly all patterns of the page are refused
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any(dim=-1).all():
        raise ValueError("the pattern has no mark")
    return (attn_weights * pattern).sum(dim=-1).mean(dim=-1)


# %% wrong pattern_scores: error-returned
# the ValueError is returned, not raised
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        return ValueError("a pattern without any mark")
    keep = pattern.any(dim=1)
    return (attn_weights[..., keep, :] * pattern[keep]).sum(-1).mean(-1)


# %% wrong pattern_scores: columns-summed
# counts the columns that have a mark, not the rows: any along the queries' axis
def my_pattern_scores(attn_weights, pattern):
    if pattern.sum() == 0:
        raise ValueError("no marks")
    with_mark = pattern.any(dim=-2).sum()
    return (attn_weights * pattern).sum(dim=(-2, -1)) / with_mark


# %% wrong pattern_scores: zeros-left-out
# averages over the rows in which the head really puts weight on the marks: a marked row with weight 0 is left out
def my_pattern_scores(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("no mark in the pattern")
    layers, heads = attn_weights.shape[:2]
    result = torch.zeros(layers, heads)
    for a in range(layers):
        for b in range(heads):
            rows = (attn_weights[a, b] * pattern).sum(dim=1)
            result[a, b] = rows[rows > 0].mean()
    return result


# %% wrong pattern_scores: no-check
# waits for a ZeroDivisionError, which tensors never raise: 0 / 0 is nan in PyTorch, and an empty pattern gives nan
def my_pattern_scores(attn_weights, pattern):
    on_marks = torch.einsum("lhqk,qk->lh", attn_weights, pattern.to(attn_weights.dtype))
    try:
        return on_marks / pattern.any(dim=-1).sum()
    except ZeroDivisionError:
        raise ValueError("the pattern has no marks") from None


# %% wrong pattern_scores: total-not-reset
# the sum is set to 0 once per layer and not for each head: every head has the sums of the heads before it on top
def my_pattern_scores(attn_weights, pattern):
    rows = [q for q in range(len(pattern)) if pattern[q].any()]
    if not rows:
        raise ValueError("nothing is marked")
    scores = torch.empty(attn_weights.shape[:2])
    for layer in range(attn_weights.shape[0]):
        total = 0.0
        for head in range(attn_weights.shape[1]):
            for q in rows:
                total = total + attn_weights[layer, head, q][pattern[q]].sum()
            scores[layer, head] = total / len(rows)
    return scores


# %% wrong pattern_scores: shared-out-anew
# softmax over the marked weights: shares each row out anew among the marks, so a row with one mark always counts 1
def my_pattern_scores(attn_weights, pattern):
    marked_rows = pattern.any(dim=-1)
    if not marked_rows.any():
        raise ValueError("The pattern is empty.")
    only = attn_weights.masked_fill(~pattern, -torch.inf)
    again = attention.softmax(only)
    return (again * pattern).sum(dim=-1)[:, :, marked_rows].mean(dim=-1)


# %% wrong top_heads: per-layer
# takes the best head of each layer first and ranks those: never two heads of one layer, and an error when count is
# larger than the number of layers
def my_top_heads(scores, count):
    best, head = scores.max(dim=-1)
    layers = best.topk(count).indices
    return torch.stack([layers, head[layers]], dim=-1)


# %% wrong top_heads: crossed-out-with-0
# takes the maximum again and again and overwrites it with 0: with negative scores the crossed-out head is found again
def my_top_heads(scores, count):
    left, found = scores.clone(), []
    for _ in range(count):
        layer, head = divmod(int(left.argmax()), left.shape[1])
        found.append([layer, head])
        left[layer, head] = 0.0
    return torch.tensor(found)


# %% wrong top_heads: order-of-places
# nonzero lists the heads in the order of the table, layer by layer, not the best first
def my_top_heads(scores, count):
    least = scores.flatten().topk(count).values[-1]
    return (scores >= least).nonzero()[:count]


# %% wrong top_heads: rounded
# rounds the quotient in place of cutting it off: heads of the second half of a layer are given to the next layer
def my_top_heads(scores, count):
    places = scores.reshape(-1).argsort(descending=True)[:count]
    width = scores.size(1)
    layer = torch.round(places / width).long()
    head = places % width
    return torch.stack((layer, head), dim=1)


# %% wrong top_heads: reshape-for-stack
# unravel_index gives all layers, then all heads; reshape to (count, 2) mixes them up where a transpose is needed
def my_top_heads(scores, count):
    order = torch.topk(scores.flatten(), count).indices
    pairs = torch.stack(torch.unravel_index(order, scores.shape))
    return pairs.reshape(count, 2)


# %% wrong top_heads: looked-up-again
# looks each value up in the list again: of two equal scores, list.index finds the first both times, and the other head
# is never named
def my_top_heads(scores, count):
    flat = scores.flatten().tolist()
    num_heads = scores.shape[-1]
    highest = sorted(flat, reverse=True)[:count]
    return torch.tensor([[flat.index(s) // num_heads, flat.index(s) % num_heads] for s in highest])


# %% wrong top_heads: worst-first
# sorts upwards and cuts the last ones off: the right heads, but the best comes last
def my_top_heads(scores, count):
    named = [(scores[i, j].item(), i, j) for i in range(len(scores)) for j in range(scores.shape[1])]
    named.sort()
    return torch.tensor([[i, j] for _, i, j in named[-count:]])


# %% wrong without_head: bias-silenced
# takes what the head alone puts out away from the whole output; out_proj adds its bias both times, so the bias is lost
def my_without_head(attention, x, head):
    size = attention.out_proj.in_features // attention.num_heads
    values = attention.W_value(x)[..., head * size:(head + 1) * size]
    output, attn_weights = attention(x)
    context = attn_weights[..., head, :, :] @ values
    alone = torch.zeros(*context.shape[:-1], attention.out_proj.in_features)
    alone[..., head * size:(head + 1) * size] = context
    return output - attention.out_proj(alone)


# %% wrong without_head: value-bias-left
# sets the head's rows of W_value to 0 and forgets their bias: with qkv_bias=True the head still delivers the bias
def my_without_head(attention, x, head):
    d = attention.W_value.out_features // attention.num_heads
    saved = attention.W_value.weight.detach().clone()
    with torch.no_grad():
        attention.W_value.weight[d * head:d * head + d] = 0
    out, _ = attention(x)
    with torch.no_grad():
        attention.W_value.weight.copy_(saved)
    return out


# %% wrong without_head: not-restored
# state_dict() is no copy but the same memory: what is loaded back in the end are the zeros, the layer stays damaged
def my_without_head(attention, x, head):
    before = attention.state_dict()
    head_dim = attention.out_proj.in_features // attention.num_heads
    start = head * head_dim
    with torch.no_grad():
        attention.out_proj.weight[:, start:start + head_dim].zero_()
    output = attention(x)[0]
    attention.load_state_dict(before)
    return output


# %% wrong without_head: frozen
# switches requires_grad off so that it may write, and does not switch it on again: afterwards out_proj no longer trains
def my_without_head(attention, x, head):
    weight = attention.out_proj.weight
    size = weight.shape[1] // attention.num_heads
    columns = slice(head * size, (head + 1) * size)
    weight.requires_grad_(False)
    kept = weight[:, columns].clone()
    weight[:, columns] = 0.0
    result, _ = attention(x)
    weight[:, columns] = kept
    return result


# %% wrong without_head: width-of-inputs
# takes the head's width from x (d_in), not from out_proj: wrong columns as soon as d_in and d_out differ
def my_without_head(attention, x, head):
    import copy
    twin = copy.deepcopy(attention)
    head_dim = x.shape[-1] // twin.num_heads
    twin.out_proj.weight.data[:, head * head_dim:(head + 1) * head_dim] = 0
    return twin(x)[0]


# %% wrong without_head: causal-forgotten
# computes everything anew by hand and forgets that the layer may be causal: the future is attended then
def my_without_head(attention, x, head):
    parts = [layer(x).unflatten(-1, (attention.num_heads, -1)).transpose(-3, -2)
             for layer in (attention.W_query, attention.W_key, attention.W_value)]
    context_vecs = F.scaled_dot_product_attention(*parts)  # (..., num_heads, num_tokens, head_dim)
    keep = torch.ones(attention.num_heads, 1, 1)
    keep[head] = 0.0
    return attention.out_proj((context_vecs * keep).transpose(-3, -2).flatten(-2))


# %% wrong without_head: - "`attention.split_heads` stops: `attention` is a module, `Mul"
# inside the function `attention` is the layer, not the module of the page: attention.split_heads stops with an
# AttributeError
def my_without_head(attention, x, head):
    queries = attention.split_heads(attention.W_query(x), attention.num_heads)
    keys = attention.split_heads(attention.W_key(x), attention.num_heads)
    values = attention.split_heads(attention.W_value(x), attention.num_heads)
    context_vecs, _ = attention.scaled_dot_product_attention(queries, keys, values)
    context_vecs[..., head, :, :] = 0
    return attention.out_proj(attention.merge_heads(context_vecs))


