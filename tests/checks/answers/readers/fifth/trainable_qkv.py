# %% wrong qk_scores: scale-model
# Divides by the root of d_in, the width of the inputs, and not of the queries.
def my_qk_scores(inputs, W_query, W_key):
    q = inputs @ W_query
    k = inputs @ W_key
    return q @ k.transpose(-2, -1) / inputs.shape[-1] ** 0.5

# %% wrong qk_scores: no-scale
# No division at all: unscaled scores.
def my_qk_scores(inputs, W_query, W_key):
    return torch.einsum("bqi,io,jo,bkj->bqk", inputs, W_query, W_key, inputs)

# %% wrong qk_scores: qk-swapped
# Query and key exchanged: rows and columns of the scores change places.
def my_qk_scores(inputs, W_query, W_key):
    queries, keys = inputs @ W_query, inputs @ W_key
    return torch.bmm(keys, queries.transpose(1, 2)) / math.sqrt(W_key.shape[1])

# %% wrong qk_scores: linear-layout
# The matrices are treated as nn.Linear weights, (d_out, d_in), and transposed: an error unless d_in equals d_out.
def my_qk_scores(inputs, W_query, W_key):
    queries, keys = F.linear(inputs, W_query), F.linear(inputs, W_key)
    return queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5

# %% wrong qk_scores: fixed-width
# Writes the page's 2**0.5 (its d_out is 2) for every width.
def my_qk_scores(inputs, W_query, W_key):
    queries = inputs @ W_query
    keys = inputs @ W_key
    attn_scores = queries @ keys.mT / 2**0.5
    return attn_scores

# %% wrong qk_scores: shared-projection
# Both queries and keys are made with W_query (copy and paste): the scores are symmetric, and W_key is never used.
def my_qk_scores(inputs, W_query, W_key):
    d_out = W_query.size(-1)
    queries = torch.matmul(inputs, W_query)
    keys = torch.matmul(inputs, W_query)
    return torch.matmul(queries, keys.transpose(-2, -1)).div(d_out**0.5)

# %% right qk_scores
# Both matrices are joined into one (d_in, d_in) table between the inputs.
def my_qk_scores(inputs, W_query, W_key):
    between = (W_query @ W_key.T) / math.sqrt(W_query.shape[1])
    return inputs @ between @ inputs.transpose(-2, -1)

# %% right qk_scores
# baddbmm with alpha as the factor, beta=0.
def my_qk_scores(inputs, W_query, W_key):
    q, k = inputs @ W_query, inputs @ W_key
    start = torch.zeros(1, 1, 1, dtype=q.dtype)
    return torch.baddbmm(start, q, k.transpose(1, 2), beta=0, alpha=q.shape[-1] ** -0.5)

# %% wrong load: linear-layout
# Copies without transposing: an error, or for d_in equal to d_out silently the wrong layer.
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix)
        if linear.bias is not None:
            linear.bias.zero_()

# %% wrong load: reshape-for-transpose
# Views into the other shape in place of transposing: no error, numbers in the wrong places.
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.reshape(linear.weight.shape))
        if linear.bias is not None:
            linear.bias.fill_(0.0)

# %% wrong load: bias-none
# Takes for granted that there is a bias: None has no zero_(), and a layer with bias=False stops with an error.
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.T)
        linear.bias.zero_()

# %% wrong load: bias-kept
# Ignores the bias: a layer with bias still adds its random numbers.
def my_load(linear, matrix):
    new_weight = matrix.t()
    with torch.no_grad():
        for i in range(new_weight.shape[0]):
            linear.weight[i] = new_weight[i]

# %% wrong load: no-grad-missing
# No torch.no_grad(): writing in place into a parameter that is being trained stops with an error.
def my_load(linear, matrix):
    linear.weight.copy_(matrix.transpose(0, 1))
    if linear.bias is not None:
        linear.bias.zero_()

# %% wrong load: bias-truth
# Asks `if linear.bias:` - the truth of a tensor of several numbers is ambiguous, so a layer with bias stops with an
# error.
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.transpose(-2, -1))
        if linear.bias:
            linear.bias.zero_()

# %% right load
# load_state_dict with the transposed matrix, and zeros for a bias if there is one.
def my_load(linear, matrix):
    state = {"weight": matrix.detach().T}
    if "bias" in linear.state_dict():
        state["bias"] = torch.zeros(matrix.shape[1])
    linear.load_state_dict(state)

# %% right load
# Column by column of the matrix, with no_grad as a decorator and zeros_ from nn.init.
@torch.no_grad()
def my_load(linear, matrix):
    for out in range(matrix.shape[1]):
        linear.weight[out, :] = matrix[:, out]
    if linear.bias is not None:
        nn.init.zeros_(linear.bias)

# %% wrong self_attention: extra-bias
# nn.Linear with its default bias: the prompt wants layers without bias.
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out)
        self.W_key = nn.Linear(d_in, d_out)
        self.W_value = nn.Linear(d_in, d_out)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5)
        return attn_weights @ values, attn_weights

# %% wrong self_attention: softmax-axis
# Softmax with dim=1: without a batch that is the keys, but with a batch it runs over the queries.
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        attn_scores = self.W_query(x) @ self.W_key(x).mT / math.sqrt(self.d_out)
        attn_weights = torch.softmax(attn_scores, dim=1)
        return attn_weights @ self.W_value(x), attn_weights

# %% wrong self_attention: v-unprojected
# Mixes the inputs x and not the values: the value layer is there and never used.
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))

    def forward(self, x):
        q, k = self.W_query(x), self.W_key(x)
        _, attn_weights = attention.scaled_dot_product_attention(q, k, k)
        return attn_weights @ x, attn_weights

# %% wrong self_attention: super-forgotten
# super().__init__() is missing: PyTorch cannot take the layers, and making an object stops with an error.
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        return attention.scaled_dot_product_attention(queries, keys, values)

# %% wrong self_attention: dropout-in-eval
# Makes new random layers in every call of forward: the weights copied into the object are thrown away.
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.sizes = (d_in, d_out)
        self.make_layers()

    def make_layers(self):
        self.W_query = nn.Linear(*self.sizes, bias=False)
        self.W_key = nn.Linear(*self.sizes, bias=False)
        self.W_value = nn.Linear(*self.sizes, bias=False)

    def forward(self, x):
        self.make_layers()
        return attention.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x))

# %% wrong self_attention: scale-model
# Divides by the root of the input's width (x.shape[-1]) and not by that of the queries.
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        scores = torch.einsum("...qd,...kd->...qk", self.W_query(x), self.W_key(x))
        weights = F.softmax(scores * x.shape[-1] ** -0.5, dim=-1)
        return torch.einsum("...qk,...kd->...qd", weights, self.W_value(x)), weights

# %% right self_attention
# Inherits two layers from the page's Scorer and adds the third.
class Scorer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries, keys = self.W_query(x), self.W_key(x)
        return queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5


class MySelfAttention(Scorer):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        attn_weights = super().forward(x).softmax(dim=-1)
        return attn_weights @ self.W_value(x), attn_weights

# %% right self_attention
# A softmax submodule; the context vectors come from PyTorch's function, the weights are made beside it.
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.to_weights = nn.Softmax(dim=-1)

    def forward(self, x):
        q, k, v = (layer(x) for layer in (self.W_query, self.W_key, self.W_value))
        attn_weights = self.to_weights(torch.matmul(q, k.mT).div(math.sqrt(q.size(-1))))
        return F.scaled_dot_product_attention(q, k, v), attn_weights

# %% wrong training_step: no-zero-grad
# zero_grad is forgotten: from the second call on, the gradient is the sum of old and new.
def my_training_step(optimizer, compute_loss):
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss.item()

# %% wrong training_step: zero-grad-late
# Clears the gradient after backward and before the step: nothing ever moves.
def my_training_step(optimizer, compute_loss):
    loss = compute_loss()
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()

# %% wrong training_step: loss-after
# Returns the loss computed anew after the step, not the one before it.
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    compute_loss().backward()
    optimizer.step()
    return compute_loss().item()

# %% wrong training_step: loss-not-called
# Takes compute_loss for the loss itself and does not call it: a function has no backward(), so it stops with an error.
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss
    loss.backward()
    optimizer.step()
    return loss.item()

# %% wrong training_step: item-too-early
# Turns the loss into a plain number before backward(): a float has no backward, an error.
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = float(compute_loss())
    loss.backward()
    optimizer.step()
    return loss

# %% wrong training_step: loss-as-tensor
# The loss is returned as a tensor, not as a plain number.
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss.detach()

# %% right training_step
# Clears by setting each parameter's grad to None, over the groups of the optimizer.
def my_training_step(optimizer, compute_loss):
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            parameter.grad = None
    loss = compute_loss()
    loss.backward()
    before = loss.detach().tolist()
    optimizer.step()
    return before

# %% right training_step
# The closure form: optimizer.step calls it once (SGD, Adam) and hands the loss back.
def my_training_step(optimizer, compute_loss):
    def closure():
        optimizer.zero_grad()
        loss = compute_loss()
        loss.backward()
        return loss

    return optimizer.step(closure).item()
