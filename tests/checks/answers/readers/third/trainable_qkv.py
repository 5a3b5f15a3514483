# %% wrong qk_scores: scale-model
# divides by the root of the inputs' width d_in, not of the queries' width d_out
def my_qk_scores(inputs, W_query, W_key):
    queries = inputs @ W_query
    keys = inputs @ W_key
    return queries @ keys.transpose(-2, -1) / inputs.shape[-1] ** 0.5

# %% wrong qk_scores: shared-projection
# copied the line and did not change the matrix: the keys are made with W_query too
def my_qk_scores(inputs, W_query, W_key):
    q = torch.matmul(inputs, W_query)
    k = torch.matmul(inputs, W_query)
    return torch.matmul(q, k.mT) / math.sqrt(q.shape[-1])

# %% wrong qk_scores: linear-layout
# F.linear wants a weight of (d_out, d_in): an error here, and the transposed matrix where both widths are equal
def my_qk_scores(inputs, W_query, W_key):
    queries = F.linear(inputs, W_query)
    keys = F.linear(inputs, W_key)
    d_out = queries.shape[-1]
    return queries @ keys.transpose(-2, -1) / d_out**0.5

# %% wrong qk_scores: keys-fixed-axes
# exchanges the axes 0 and 1 of the keys, batch and tokens: does not fit, or mixes samples
def my_qk_scores(inputs, W_query, W_key):
    queries, keys = inputs @ W_query, inputs @ W_key
    return (queries @ keys.transpose(0, 1)) / W_key.shape[1] ** 0.5

# %% wrong qk_scores: softmax-too-early
# goes one step too far: returns the weights after softmax, not the scores
def my_qk_scores(inputs, W_query, W_key):
    queries, keys = inputs @ W_query, inputs @ W_key
    scores = queries @ keys.transpose(1, 2) * queries.size(-1) ** -0.5
    return attention.softmax(scores)

# %% wrong qk_scores: qk-swapped
# rows belong to keys and columns to queries: the table is turned on its side
def my_qk_scores(inputs, W_query, W_key):
    scaled = torch.einsum("btd,de->bte", inputs, W_query) / W_query.shape[-1] ** 0.5
    keys = torch.einsum("btd,de->bte", inputs, W_key)
    return torch.einsum("bqe,bke->bkq", scaled, keys)

# %% right qk_scores
# the two matrices are multiplied first: x W_query W_key^T x^T
def my_qk_scores(inputs, W_query, W_key):
    form = W_query @ W_key.T / W_query.shape[1] ** 0.5
    return inputs @ form @ inputs.transpose(1, 2)

# %% right qk_scores
# baddbmm with beta=0, one sample after the other projected in a loop
def my_qk_scores(inputs, W_query, W_key):
    q = torch.stack([sample.mm(W_query) for sample in inputs])
    k = torch.stack([sample.mm(W_key) for sample in inputs])
    empty = inputs.new_zeros(len(inputs), inputs.shape[1], inputs.shape[1])
    return torch.baddbmm(empty, q, k.transpose(1, 2), beta=0, alpha=1 / math.sqrt(k.shape[2]))

# %% wrong load: reshape-for-transpose
# view in place of transpose: the shape fits, the numbers stand in other places
def my_load(linear, matrix):
    d_in, d_out = matrix.shape
    with torch.no_grad():
        linear.weight.copy_(matrix.reshape(d_out, d_in))
        if linear.bias is not None:
            linear.bias.zero_()

# %% wrong load: bias-truth
# `if linear.bias:` asks for the truth of a tensor: an error when the bias has more than one number
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.T)
        if linear.bias:
            linear.bias.zero_()

# %% wrong load: bias-kept
# the bias is forgotten: a layer with bias keeps it, and gives x @ matrix plus something
def my_load(linear, matrix):
    linear.load_state_dict({"weight": matrix.transpose(0, 1)}, strict=False)

# %% wrong load: weight-kept
# writes into a clone of the weight: the layer itself is not changed
def my_load(linear, matrix):
    weight = linear.weight.detach().clone()
    weight.copy_(matrix.transpose(-2, -1))
    if linear.bias is not None:
        linear.bias.data.fill_(0.0)

# %% wrong load: no-grad-missing
# torch.no_grad() is missing: PyTorch refuses to write into a trained weight in place, RuntimeError
def my_load(linear, matrix):
    linear.weight.copy_(matrix.t())
    if linear.bias is not None:
        linear.bias.zero_()

# %% wrong load: bias-none
# assumes a bias: in a layer without one, linear.bias is None and has no zero_
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight[:] = matrix.T
        linear.bias.zero_()

# %% right load
# load_state_dict, with a bias of zeros where the layer has one
def my_load(linear, matrix):
    state = {"weight": matrix.T}
    if "bias" in linear.state_dict():
        state["bias"] = torch.zeros_like(linear.bias)
    linear.load_state_dict(state)

# %% right load
# number by number in two loops, under the decorator; nn.init fills the bias
@torch.no_grad()
def my_load(linear, matrix):
    for i, row in enumerate(matrix):
        for o, number in enumerate(row):
            linear.weight[o, i] = number
    if linear.bias is None:
        return
    nn.init.zeros_(linear.bias)

# %% wrong self_attention: batch-required
# unpacks exactly three axes of x, as GPT code does: an error without a batch, or with more batch axes
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = F.softmax(att, dim=-1)
        return att @ v, att

# %% wrong self_attention: extra-bias
# bias=False is forgotten: the layers have a bias
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out)
        self.W_key = nn.Linear(d_in, d_out)
        self.W_value = nn.Linear(d_in, d_out)

    def forward(self, x):
        return attention.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x))

# %% wrong self_attention: detached
# torch.no_grad() inside forward: the numbers are right, but nothing can be trained
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        with torch.no_grad():
            queries = self.W_query(x)
            keys = self.W_key(x)
            values = self.W_value(x)
            scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
            attn_weights = torch.softmax(scores, dim=-1)
            return attn_weights @ values, attn_weights

# %% wrong self_attention: scores-returned
# returns the scores before softmax as the second thing; the context vectors are right
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))

    def scores(self, x):
        return self.W_query(x) @ self.W_key(x).mT / self.W_query.out_features**0.5

    def forward(self, x):
        attn_scores = self.scores(x)
        context_vecs = attn_scores.softmax(dim=-1) @ self.W_value(x)
        return context_vecs, attn_scores

# %% wrong self_attention: qk-swapped
# query and key have changed places in the product: keys ask and queries answer
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        keys, queries, values = self.W_key(x), self.W_query(x), self.W_value(x)
        scores = torch.einsum("...id,...jd->...ij", keys, queries) / keys.shape[-1] ** 0.5
        weights = torch.softmax(scores, -1)
        return torch.einsum("...ij,...jd->...id", weights, values), weights

# %% wrong self_attention: - "`self.W_query` is an `nn.Parameter`. A layer is asked for: `"
# matrices of (d_in, d_out) as nn.Parameter, as earlier on the page, in place of three nn.Linear
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.rand(d_in, d_out))
        self.W_key = nn.Parameter(torch.rand(d_in, d_out))
        self.W_value = nn.Parameter(torch.rand(d_in, d_out))

    def forward(self, x):
        keys = x @ self.W_key
        attn_scores = (x @ self.W_query) @ keys.transpose(-2, -1)
        attn_weights = torch.softmax(attn_scores / keys.shape[-1] ** 0.5, dim=-1)
        return attn_weights @ (x @ self.W_value), attn_weights

# %% wrong self_attention: softmax-axis + scale-model
# two mistakes: divides by the root of d_in, and softmax runs along the queries (dim=-2)
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.scale = d_in**0.5
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        table = self.W_query(x) @ self.W_key(x).transpose(-1, -2)
        table = table / self.scale
        weights = table.softmax(dim=-2)
        return weights @ self.W_value(x), weights

# %% right self_attention
# layers made with setattr in a loop, softmax as a submodule of its own, a helper method
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in ("W_value", "W_key", "W_query"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))
        self.to_weights = nn.Softmax(dim=-1)

    def weights_of(self, x):
        q, k = self.W_query(x), self.W_key(x)
        return self.to_weights(torch.einsum("...qd,...kd->...qk", q, k).div(math.sqrt(q.size(-1))))

    def forward(self, x):
        w = self.weights_of(x)
        return w.matmul(self.W_value(x)), w

# %% right self_attention
# context vectors from PyTorch's function, the weights from the same function with the unit vectors as values
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super(MySelfAttention, self).__init__()
        self.W_query = nn.Linear(d_in, d_out, False)
        self.W_key = nn.Linear(d_in, d_out, False)
        self.W_value = nn.Linear(d_in, d_out, False)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        num_tokens = x.shape[-2]
        units = torch.eye(num_tokens, dtype=x.dtype, device=x.device).expand(*x.shape[:-2], -1, -1)
        return F.scaled_dot_product_attention(q, k, v), F.scaled_dot_product_attention(q, k, units)

# %% wrong training_step: zero-grad-late
# clears the gradients between backward and step: nothing is left to step along
def my_training_step(optimizer, compute_loss):
    loss = compute_loss()
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()

# %% wrong training_step: no-zero-grad
# never clears the gradients: from the second call on, old ones are added in
def my_training_step(optimizer, compute_loss):
    loss = compute_loss()
    value = loss.item()
    loss.backward()
    optimizer.step()
    return value

# %% wrong training_step: loss-as-tensor
# returns a tensor, detached, and not a plain number
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss.detach()

# %% wrong training_step: loss-after
# returns the loss after the step: it is computed once more at the end
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    compute_loss().backward()
    optimizer.step()
    with torch.no_grad():
        return compute_loss().item()

# %% wrong training_step: item-too-early
# turns the loss into a plain number too early: a float has no backward, AttributeError
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss().item()
    loss.backward()
    optimizer.step()
    return loss

# %% wrong training_step: no-step
# the brackets behind optimizer.step are missing: no step is taken
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step
    return float(loss)

# %% right training_step
# the optimizer is given a closure, and hands back the loss from before its step
def my_training_step(optimizer, compute_loss):
    def closure():
        optimizer.zero_grad()
        loss = compute_loss()
        loss.backward()
        return loss

    return optimizer.step(closure).item()

# %% right training_step
# clears the gradients by hand, parameter by parameter
def my_training_step(optimizer, compute_loss):
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            parameter.grad = None
    loss = compute_loss()
    before = float(loss.detach())
    loss.backward()
    optimizer.step()
    return before
