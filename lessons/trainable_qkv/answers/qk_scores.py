# %% right
my_qk_scores = lambda inputs, W_query, W_key: inputs @ (W_query @ W_key.T) @ inputs.mT / math.sqrt(W_query.shape[1])

# %% right
def my_qk_scores(inputs, W_query, W_key):
    small = W_query / W_query.shape[-1] ** 0.5
    return torch.einsum("bid,do,eo,bje->bij", inputs, small, W_key, inputs)

# %% right
def my_qk_scores(inputs, W_query, W_key):
    tables = []
    for sample in inputs:
        asks, answers = sample.mm(W_query), sample.mm(W_key)
        tables.append(asks.mm(answers.t()).div(math.sqrt(asks.shape[1])))
    return torch.stack(tables, dim=0)

# %% right
def my_qk_scores(inputs, W_query, W_key):
    batch_size = len(inputs)
    queries = torch.bmm(inputs, W_query.expand(batch_size, -1, -1))
    keys = torch.bmm(inputs, W_key.expand(batch_size, -1, -1))
    return torch.baddbmm(torch.zeros((), dtype=keys.dtype), queries, keys.mT, beta=0, alpha=keys.shape[-1] ** -0.5)

# %% wrong: no-scale
def my_qk_scores(inputs, W_query, W_key):
    both = W_query @ W_key.T
    return inputs @ both @ inputs.transpose(1, 2)
