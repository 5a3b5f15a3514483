# %% wrong row_weights: keys-full-turn
def my_row_weights(queries, keys):
    scores = queries @ keys.permute(*reversed(range(keys.dim()))) / queries.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1)

# %% wrong row_weights: keys-fixed-axes
def my_row_weights(queries, keys):
    return torch.softmax(queries @ keys.transpose(1, 2) / queries.shape[-1] ** 0.5, dim=-1)

# %% wrong one_row: scale-no-root
def my_one_row(queries, keys, row):
    return torch.softmax(keys @ queries[row] / queries.shape[-1], dim=-1)

# %% wrong one_row: scale-wrong-axis
def my_one_row(queries, keys, row):
    return torch.softmax(keys @ queries[row] / len(keys) ** 0.5, dim=-1)

# %% wrong many_heads: batch-mixed
def my_many_heads(queries, keys, values, num_heads):
    parts = (attention.split_heads(part, num_heads).flatten(0, 1) for part in (queries, keys, values))
    context_vecs, _ = attention.scaled_dot_product_attention(*parts)
    return attention.merge_heads(context_vecs.unflatten(0, (num_heads, -1)).transpose(0, 1))

# %% wrong many_heads: split-not-turned
def cut(part, num_heads):
    """The features in heads, and the heads' axis still behind the tokens."""
    return part.view(len(part), part.shape[1], num_heads, -1)


def my_many_heads(queries, keys, values, num_heads):
    parts = (cut(part, num_heads) for part in (queries, keys, values))
    context_vecs, _ = attention.scaled_dot_product_attention(*parts)
    return context_vecs.reshape(queries.shape)

# %% wrong many_heads: keys-as-long-as-queries
def my_many_heads(queries, keys, values, num_heads):
    batch_size, num_tokens, d_out = queries.shape
    queries, keys, values = (
        part.view(batch_size, num_tokens, num_heads, d_out // num_heads).transpose(1, 2)
        for part in (queries, keys, values)
    )
    return attention.merge_heads(attention.scaled_dot_product_attention(queries, keys, values)[0])

# %% wrong many_heads: values-unsplit
def my_many_heads(queries, keys, values, num_heads):
    parts = attention.split_heads(queries, num_heads), attention.split_heads(keys, num_heads), values
    context_vecs, _ = attention.scaled_dot_product_attention(*parts)
    return context_vecs.transpose(1, 2).reshape(queries.shape)

# %% wrong attend_to: defaults-in-wrong-order
def my_attend_to(queries, keys=None, values=None):
    values = keys if values is None else values
    keys = queries if keys is None else keys
    return attention.scaled_dot_product_attention(queries, keys, values)

# %% wrong attend_to: values-required
def my_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    return attention.scaled_dot_product_attention(queries, keys, values)

# %% wrong any_width: names
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))

    def forward(self, x):
        return x, x

# %% wrong any_width: super-forgotten
class MyAnyWidth(torch.nn.Module):
    def __init__(self, d_in, d_out):
        self.W_query = torch.nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        return x, x

# %% wrong adopt: names-differ
def my_adopt(ours, theirs):
    ours.load_state_dict(theirs.state_dict())

# %% wrong adopt: names-differ
def my_adopt(ours, theirs):
    ours.load_state_dict(theirs.state_dict(), strict=False)

# %% wrong same_outputs: dropout-left-on
def close(ours, theirs):
    return torch.allclose(ours, theirs, rtol=1e-4, atol=1e-5)


def my_same_outputs(ours, theirs, inputs):
    return close(ours(inputs)[0], theirs(inputs)[0])

# %% wrong same_outputs: stays-in-eval
def close(ours, theirs):
    return torch.allclose(ours, theirs, rtol=1e-4, atol=1e-5)


def my_same_outputs(ours, theirs, inputs):
    return close(ours.eval()(inputs)[0], theirs.eval()(inputs)[0])

# %% wrong same_outputs: always-train
def close(ours, theirs):
    return torch.allclose(ours, theirs, rtol=1e-4, atol=1e-5)


def my_same_outputs(ours, theirs, inputs):
    verdict = close(ours.eval()(inputs)[0], theirs.eval()(inputs)[0])
    ours.train(), theirs.train()
    return verdict

# %% wrong same_outputs: parts-forgotten
def close(ours, theirs):
    return torch.allclose(ours, theirs, rtol=1e-4, atol=1e-5)


def my_same_outputs(ours, theirs, inputs):
    modes = ours.training, theirs.training
    verdict = close(ours.eval()(inputs)[0], theirs.eval()(inputs)[0])
    ours.train(modes[0]), theirs.train(modes[1])
    return verdict

# %% wrong same_outputs: one-put-back
def close(ours, theirs):
    return torch.allclose(ours, theirs, rtol=1e-4, atol=1e-5)


def my_same_outputs(ours, theirs, inputs):
    modes = [part.training for part in ours.modules()]
    verdict = close(ours.eval()(inputs)[0], theirs.eval()(inputs)[0])
    for part, training in zip(ours.modules(), modes, strict=True):
        part.training = training
    return verdict
