# %% right
def my_same_pattern(tokens):
    words = np.array(tokens)
    same = words[:, None] == words[None, :]
    np.fill_diagonal(same, False)
    return torch.from_numpy(same)

# %% right
def my_same_pattern(tokens):
    words = np.array(tokens)
    same = torch.from_numpy(words[:, None] == words[None, :])
    return same ^ torch.eye(len(tokens), dtype=torch.bool)

# %% right
def my_same_pattern(tokens):
    ids = torch.tensor([tokens.index(token) for token in tokens])
    equal = ids.unsqueeze(1).eq(ids.unsqueeze(0))
    return equal.triu(1) | equal.tril(-1)

# %% right
def my_same_pattern(tokens):
    ids = torch.tensor([tokens.index(token) for token in tokens])
    pattern = ids.unsqueeze(1) - ids == 0
    pattern.fill_diagonal_(False)
    return pattern

# %% right
def my_same_pattern(tokens):
    ids = torch.tensor([sorted(set(tokens)).index(token) for token in tokens])
    return (ids[:, None] == ids[None, :]) & ~torch.eye(len(tokens), dtype=torch.bool)

# %% right
def my_same_pattern(tokens):
    vocabulary = sorted(set(tokens))
    onehot = F.one_hot(torch.tensor([vocabulary.index(t) for t in tokens]), len(vocabulary))
    same = (onehot @ onehot.T).bool()
    return same.fill_diagonal_(False)

# %% right
def my_same_pattern(tokens):
    pattern = torch.zeros(len(tokens), len(tokens), dtype=torch.bool)
    for i in range(len(tokens)):
        for j in range(len(tokens)):
            if i != j and tokens[i] == tokens[j]:
                pattern[i, j] = True
    return pattern

# %% right
def my_same_pattern(tokens):
    number = {word: i for i, word in enumerate(dict.fromkeys(tokens))}
    ids = torch.tensor([number[word] for word in tokens])
    places = torch.arange(len(tokens))
    return ids.eq(ids.unsqueeze(-1)).logical_and(places.ne(places.unsqueeze(-1)))

# %% right
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

# %% wrong: - "A pattern is boolean, like a mask, and your marks are number"
def my_same_pattern(tokens):
    words = sorted(set(tokens))
    ids = torch.tensor([words.index(token) for token in tokens])
    same = (ids[:, None] == ids).long()
    return same - torch.eye(len(tokens), dtype=torch.long)

# %% wrong: - "For the pattern, a list came back. `torch.tensor` makes one "
def my_same_pattern(tokens):
    n = range(len(tokens))
    return [[tokens[q] == tokens[k] and q != k for k in n] for q in n]

# %% wrong: - "Line 3 of `my_same_pattern` reads `I`, and nothing has that "
def my_same_pattern(tokens):
    n = len(tokens)
    return torch.tensor([[tokens[I] == tokens[j] and I != j for j in range(n)] for i in range(n)])

# %% wrong: - "`same - torch.eye(len(tokens), dtype=torch.bool)` stops: `to"
def my_same_pattern(tokens):
    numbers = torch.tensor([tokens.index(token) for token in tokens])
    same = numbers[:, None] == numbers[None, :]
    return same - torch.eye(len(tokens), dtype=torch.bool)

# %% wrong: - "`tokens[:, None]` stops: `tokens` is a list, and takes one w"
def my_same_pattern(tokens):
    same = tokens[:, None] == tokens[None, :]
    return same & ~torch.eye(len(tokens), dtype=torch.bool)

# %% wrong: ahead-only
def same_by_loop(tokens):
    return torch.tensor([[a == b and i != j for j, b in enumerate(tokens)] for i, a in enumerate(tokens)])
def my_same_pattern(tokens):
    return same_by_loop(tokens).triu()

# %% wrong: back-only
def same_by_loop(tokens):
    return torch.tensor([[a == b and i != j for j, b in enumerate(tokens)] for i, a in enumerate(tokens)])
def my_same_pattern(tokens):
    return same_by_loop(tokens).tril()

# %% wrong: columns-marked
def my_same_pattern(tokens):
    n = len(tokens)
    table = [[False] * n] * n
    for i in range(n):
        for j in range(n):
            if i != j and tokens[i] == tokens[j]:
                table[i][j] = True
    return torch.tensor(table)

# %% wrong: diagonal-only
def my_same_pattern(tokens):
    return torch.eye(len(tokens)).bool()

# %% wrong: first-letters
def my_same_pattern(tokens):
    ids = torch.tensor([ord(token[0]) for token in tokens])
    same = ids[:, None] == ids[None, :]
    return same & ~torch.eye(len(tokens), dtype=torch.bool)

# %% wrong: first-match-only
def my_same_pattern(tokens):
    n = len(tokens)
    pattern = torch.zeros((n, n), dtype=torch.bool)
    for i, query in enumerate(tokens):
        for j, key in enumerate(tokens):
            if query == key and i != j:
                pattern[i, j] = True
                break
    return pattern

# %% wrong: first-only
def my_same_pattern(tokens):
    pattern = torch.zeros(len(tokens), len(tokens), dtype=torch.bool)
    for i, token in enumerate(tokens):
        pattern[i, tokens.index(token)] = tokens.index(token) != i
    return pattern

# %% wrong: index-for-itself
def my_same_pattern(tokens):
    rows = []
    for query in tokens:
        row = [key == query for key in tokens]
        row[tokens.index(query)] = False
        rows.append(row)
    return torch.tensor(rows)

# %% wrong: itself-marked
def my_same_pattern(tokens):
    return torch.tensor([[a == b for b in tokens] for a in tokens])

# %% wrong: mask-inverted
def my_same_pattern(tokens):
    return torch.tensor([[a != b for b in tokens] for a in tokens])

# %% wrong: objects-compared
def my_same_pattern(tokens):
    return torch.tensor([[q == k and q is not k for k in tokens] for q in tokens])

# %% wrong: part-of-word
def my_same_pattern(tokens):
    return torch.tensor([[i != j and key in query for j, key in enumerate(tokens)] for i, query in enumerate(tokens)])

# %% wrong: repeated-with-others
def my_same_pattern(tokens):
    repeated = torch.tensor([tokens.count(token) > 1 for token in tokens])
    pattern = repeated[:, None] & repeated[None, :]
    return pattern.fill_diagonal_(False)

# %% wrong: whole-rows
def my_same_pattern(tokens):
    n = len(tokens)
    table = torch.zeros(n, n, dtype=torch.bool)
    for q in range(n):
        if tokens.count(tokens[q]) > 1:
            table[q] = True
    table.fill_diagonal_(False)
    return table

# %% wrong: words-in-a-tensor
def my_same_pattern(tokens):
    t = torch.tensor(tokens)
    return (t[:, None] == t) & ~torch.eye(len(tokens)).bool()
