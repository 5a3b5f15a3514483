# %% wrong qk_scores: scale-model
# the root of the width of the inputs, d_in, in place of that of the queries
def my_qk_scores(inputs, W_query, W_key):
    queries, keys = inputs @ W_query, inputs @ W_key
    return queries @ keys.transpose(-2, -1) / inputs.shape[-1] ** 0.5

# %% wrong qk_scores: keys-fixed-axes
# transposes axes 0 and 1 of the keys: the batch and the tokens change places
def my_qk_scores(inputs, W_query, W_key):
    q = torch.matmul(inputs, W_query)
    k = torch.matmul(inputs, W_key)
    return torch.matmul(q, k.transpose(0, 1)) / math.sqrt(q.shape[-1])

# %% wrong qk_scores: qk-swapped
# keys ask and queries answer: the table of scores is turned on its side
def my_qk_scores(inputs, W_query, W_key):
    d_out = W_key.shape[1]
    scores = torch.einsum("bid,bjd->bij", inputs @ W_key, inputs @ W_query)
    return scores / d_out**0.5

# %% wrong qk_scores: softmax-too-early
# goes on to softmax: returns weights, not scores
def my_qk_scores(inputs, W_query, W_key):
    queries = inputs @ W_query
    keys = inputs @ W_key
    return attention.softmax(queries @ keys.mT / queries.shape[-1] ** 0.5)

# %% wrong qk_scores: linear-layout
# treats the matrices as nn.Linear stores them: F.linear transposes them, an error unless d_in equals d_out
def my_qk_scores(inputs, W_query, W_key):
    queries = F.linear(inputs, W_query)
    keys = F.linear(inputs, W_key)
    return torch.bmm(queries, keys.transpose(1, 2)) / queries.shape[-1] ** 0.5

# %% wrong qk_scores: no-scale
# not scaled at all
def my_qk_scores(inputs, W_query, W_key):
    both = W_query @ W_key.T
    return inputs @ both @ inputs.transpose(1, 2)

# %% right qk_scores
# one einsum for everything, the root inside the query matrix
def my_qk_scores(inputs, W_query, W_key):
    small = W_query / W_query.shape[-1] ** 0.5
    return torch.einsum("bid,do,eo,bje->bij", inputs, small, W_key, inputs)

# %% right qk_scores
# sample by sample; both projections in one product of the matrices side by side
def my_qk_scores(inputs, W_query, W_key):
    d_out = W_query.shape[1]
    tables = []
    for x in inputs:
        queries, keys = (x @ torch.cat([W_query, W_key], dim=1)).split(d_out, dim=1)
        tables.append(queries @ keys.T / math.sqrt(d_out))
    return torch.stack(tables)

# %% wrong load: reshape-for-transpose
# view in place of transpose: the numbers fit the shape, but stand in other places
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.reshape(linear.weight.shape))
        if linear.bias is not None:
            linear.bias.zero_()

# %% wrong load: bias-none
# takes for granted that there is a bias: None has no zero_
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.transpose(0, 1))
        linear.bias.zero_()

# %% wrong load: bias-kept
# the brackets of zero_ are missing, so it is never called, and the bias stays as it was
def my_load(linear, matrix):
    has_bias = linear.bias is not None
    with torch.no_grad():
        linear.weight.copy_(matrix.mT)
        if has_bias:
            linear.bias.zero_

# %% wrong load: parameter-replaced
# puts a plain tensor where a Parameter must stand: a TypeError
def my_load(linear, matrix):
    linear.weight = matrix.transpose(-2, -1)
    if linear.bias is not None:
        nn.init.zeros_(linear.bias)

# %% wrong load: something-returned
# gives back the layer, where the prompt says to return nothing
def my_load(linear, matrix):
    with torch.no_grad():
        for i in range(matrix.shape[0]):
            for o in range(matrix.shape[1]):
                linear.weight[o, i] = matrix[i, o]
        if linear.bias is not None:
            linear.bias.fill_(0.0)
    return linear

# %% wrong load: added
# adds the matrix to the random weights that are there, in place of overwriting them
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight += matrix.T
        if linear.bias is not None:
            linear.bias *= 0

# %% right load
# load_state_dict with a dictionary made for it
def my_load(linear, matrix):
    state = {"weight": matrix.detach().T}
    if linear.bias is not None:
        state["bias"] = torch.zeros_like(linear.bias)
    linear.load_state_dict(state)

# %% right load
# no_grad as a decorator, slices, and getattr
@torch.no_grad()
def my_load(linear, matrix):
    for column in range(matrix.shape[1]):
        linear.weight[column] = matrix[:, column]
    bias = getattr(linear, "bias", None)
    if isinstance(bias, torch.Tensor):
        bias.sub_(bias.clone())

# %% wrong self_attention: extra-bias
# the three layers keep nn.Linear's bias
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out) for _ in range(3))

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        w = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
        return w @ v, w


# %% wrong self_attention: one-layer
# one layer under three names: query, key and value share their weights
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        layer = nn.Linear(d_in, d_out, bias=False)
        self.W_query = layer
        self.W_key = layer
        self.W_value = layer

    def forward(self, x):
        return attention.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x))


# %% wrong self_attention: softmax-axis
# softmax along dim=1: right for a single text, but with a batch it runs along the queries, not the keys
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        scores = torch.einsum("...id,...jd->...ij", self.W_query(x), self.W_key(x))
        attn_weights = (scores / math.sqrt(self.d_out)).softmax(dim=1)
        return attn_weights @ self.W_value(x), attn_weights


# %% wrong self_attention: v-unprojected
# the inputs themselves are mixed, W_value is never used: the result is d_in wide
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries, keys = self.W_query(x), self.W_key(x)
        attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5)
        context_vecs = attn_weights @ x
        return context_vecs, attn_weights


# %% wrong self_attention: names
# the layers are made anew in every call: other random weights each time, nothing to load or train
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.sizes = d_in, d_out

    def forward(self, x):
        self.W_query = nn.Linear(*self.sizes, bias=False)
        self.W_key = nn.Linear(*self.sizes, bias=False)
        self.W_value = nn.Linear(*self.sizes, bias=False)
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / self.sizes[1] ** 0.5, dim=-1)
        return attn_weights @ values, attn_weights


# %% wrong self_attention: batch-required
# unpacks three sizes from the shape: a single text without a batch stops with an error
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        batch, num_tokens, d_in = x.shape
        queries, keys, values = [layer(x) for layer in (self.W_query, self.W_key, self.W_value)]
        attn_weights = attention.softmax(queries @ keys.transpose(1, 2) / queries.shape[-1] ** 0.5)
        return attn_weights @ values, attn_weights


# %% right self_attention
# builds on a base class, names set with setattr, the course's attention
class ThreeParts(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for part in ("query", "key", "value"):
            setattr(self, f"W_{part}", nn.Linear(d_in, d_out, bias=False))


class MySelfAttention(ThreeParts):
    def forward(self, x):
        parts = [getattr(self, f"W_{part}")(x) for part in ("query", "key", "value")]
        return attention.scaled_dot_product_attention(*parts)


# %% right self_attention
# PyTorch's function mixes; the weights come from the same function with an identity as values
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_query = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries, keys = self.W_query(x), self.W_key(x)
        num_tokens = x.shape[-2]
        identity = torch.eye(num_tokens, dtype=x.dtype, device=x.device).expand(*x.shape[:-1], num_tokens)
        attn_weights = F.scaled_dot_product_attention(queries, keys, identity)
        return attn_weights @ self.W_value(x), attn_weights


# %% wrong training_step: no-zero-grad
# nothing clears the gradients: each call adds to what the one before left
def my_training_step(optimizer, compute_loss):
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss.item()

# %% wrong training_step: zero-grad-late
# the old gradient is cleared between backward and step: the new one goes too, and nothing moves
def my_training_step(optimizer, compute_loss):
    loss = compute_loss()
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()

# %% wrong training_step: loss-after
# computes the loss anew after the step, and returns that
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    compute_loss().backward()
    optimizer.step()
    with torch.no_grad():
        loss_now = compute_loss()
    return loss_now.item()

# %% wrong training_step: loss-as-tensor
# returns the loss as a tensor, not as a plain number
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad(set_to_none=True)
    loss = compute_loss()
    before = loss.detach().clone()
    loss.backward()
    optimizer.step()
    return before

# %% wrong training_step: step-before-backward
# the step comes before backward, when the gradients have just been cleared: nothing ever moves
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    optimizer.step()
    loss.backward()
    return loss.item()

# %% wrong training_step: item-too-early
# item() too early: a plain number has no backward, an AttributeError
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss().item()
    loss.backward()
    optimizer.step()
    return loss

# %% right training_step
# hands the optimizer a closure; step returns the loss that the closure computed
def my_training_step(optimizer, compute_loss):
    def closure():
        optimizer.zero_grad()
        loss = compute_loss()
        loss.backward()
        return loss

    return optimizer.step(closure).item()

# %% right training_step
# clears after the loss is computed and before backward, group by group, by hand
def my_training_step(optimizer, compute_loss):
    loss = compute_loss()
    before = float(loss.detach())
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            parameter.grad = None
    loss.backward()
    optimizer.step()
    return before
