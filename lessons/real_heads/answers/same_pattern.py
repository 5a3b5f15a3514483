# %% right
def my_same_pattern(tokens):
    words = np.array(tokens)
    same = words[:, None] == words[None, :]
    np.fill_diagonal(same, False)
    return torch.from_numpy(same)

# %% right
def my_same_pattern(tokens):
    vocabulary = sorted(set(tokens))
    onehot = F.one_hot(torch.tensor([vocabulary.index(t) for t in tokens]), len(vocabulary))
    same = (onehot @ onehot.T).bool()
    return same.fill_diagonal_(False)

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
