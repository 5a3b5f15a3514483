# %% wrong qk_scores: softmax-too-early
# softmax at the end: gives the weights, not the scaled scores
def my_qk_scores(inputs, W_query, W_key):
    q, k = inputs @ W_query, inputs @ W_key
    return torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, dim=-1)

# %% wrong qk_scores: joint-not-turned
# multiplies the two matrices to one and forgets the transpose of W_key: W_query @ W_key fits only if d_in is d_out
def my_qk_scores(inputs, W_query, W_key):
    joint = W_query @ W_key
    return inputs @ joint @ inputs.transpose(-2, -1) / W_query.shape[1] ** 0.5

# %% wrong qk_scores: linear-layout
# takes the matrices for the stored weight of nn.Linear: F.linear transposes them, which stops where d_in is not d_out
def my_qk_scores(inputs, W_query, W_key):
    queries = F.linear(inputs, W_query)
    keys = F.linear(inputs, W_key)
    return torch.matmul(queries, keys.transpose(-2, -1)) / math.sqrt(queries.size(-1))

# %% wrong qk_scores: scale-model
# joins the matrices right (W_query W_key^T) but then reads the width off the joint matrix, which is d_in
def my_qk_scores(inputs, W_query, W_key):
    joint = W_query @ W_key.T
    return inputs @ joint @ inputs.mT / joint.shape[-1] ** 0.5

# %% wrong qk_scores: keys-from-queries
# copy and paste: the keys are made from the queries, not from the inputs; stops unless d_out is d_in
def my_qk_scores(inputs, W_query, W_key):
    x = inputs
    x = x @ W_query
    queries = x
    x = x @ W_key
    keys = x
    return queries @ keys.transpose(1, 2) / queries.shape[2] ** 0.5

# %% wrong qk_scores: first-text-only
# loop over the batch that returns inside the loop: only the first sample
def my_qk_scores(inputs, W_query, W_key):
    out = []
    for sample in inputs:
        q = sample @ W_query
        k = sample @ W_key
        out.append(q @ k.T / W_query.shape[1] ** 0.5)
        return torch.stack(out)

# %% wrong qk_scores: keys-full-turn
# .T on a batch turns the batch round as well (PyTorch's .T on three axes): the product does not fit
def my_qk_scores(inputs, W_query, W_key):
    queries = inputs @ W_query
    keys = inputs @ W_key
    return queries @ keys.T / queries.shape[-1] ** 0.5

# %% wrong load: something-returned
# copies and zeroes right, and then returns the layer, where nothing was to be returned
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.T)
        if linear.bias is not None:
            linear.bias.zero_()
    return linear

# %% wrong load: reshape-for-transpose
# reshapes where a transpose was needed: the shape fits, the numbers land in other places
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.reshape(linear.weight.shape))
        if linear.bias is not None:
            linear.bias.zero_()

# %% wrong load: bias-removed
# the bias is taken out of the layer (None) in place of becoming zero
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.transpose(0, 1))
    linear.bias = None

# %% wrong load: result-unused
# rebinds the local name to a new layer: the one that was handed in stays as it was
def my_load(linear, matrix):
    d_in, d_out = matrix.shape
    linear = nn.Linear(d_in, d_out, bias=False)
    with torch.no_grad():
        linear.weight.copy_(matrix.T)

# %% wrong load: bias-inverted
# the bias block stands under "is None": a layer with bias keeps it, one without stops with an error
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.mT)
        if linear.bias is None:
            linear.bias.zero_()

# %% wrong load: bias-truth
# asks "if linear.bias": a tensor of several numbers is neither true nor false, it stops in a layer with bias
def my_load(linear, matrix):
    linear.weight.data.copy_(matrix.T)
    if linear.bias:
        linear.bias.data.fill_(0)

# %% wrong load: added
# += where it should write: adds the matrix to the numbers that the layer started with
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight += matrix.transpose(-2, -1)
        if linear.bias is not None:
            linear.bias.zero_()

# %% wrong self_attention: names
# three layers in a ModuleDict: the parameters are called layers.W_query.weight, the names are not those asked for
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.layers = nn.ModuleDict({n: nn.Linear(d_in, d_out, bias=False) for n in ("W_query", "W_key", "W_value")})

    def forward(self, x):
        q, k, v = (self.layers[n](x) for n in ("W_query", "W_key", "W_value"))
        w = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5, dim=-1)
        return w @ v, w

# %% wrong self_attention: one-layer
# one layer under three names: queries, keys and values are always the same
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = self.W_key = self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        return attention.scaled_dot_product_attention(queries, keys, values)

# %% wrong self_attention: scale-model
# the root is that of d_in, kept in __init__ as the scale
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.scale = d_in ** -0.5

    def forward(self, x):
        scores = torch.einsum("...qd,...kd->...qk", self.W_query(x), self.W_key(x)) * self.scale
        weights = F.softmax(scores, dim=-1)
        return weights @ self.W_value(x), weights

# %% wrong self_attention: softmax-axis
# dim=1 in softmax: the last axis with a plain text, the axis of queries with a batch
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for name in ("W_query", "W_key", "W_value"):
            setattr(self, name, nn.Linear(d_in, d_out, bias=False))

    def forward(self, x):
        queries, keys = self.W_query(x), self.W_key(x)
        scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        weights = torch.softmax(scores, dim=1)
        return weights @ self.W_value(x), weights

# %% wrong self_attention: widths-swapped
# nn.Linear(d_out, d_in): thinks of the stored weight's order; stops unless both widths are equal
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_out, d_in, bias=False)
        self.W_key = nn.Linear(d_out, d_in, bias=False)
        self.W_value = nn.Linear(d_out, d_in, bias=False)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        w = torch.softmax(q @ k.transpose(-2, -1) / k.shape[-1] ** 0.5, dim=-1)
        return w @ v, w

# %% wrong self_attention: detached
# detaches the weights, as the page does for printing, before the mix: W_query and W_key never get a gradient
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1)
        attn_weights = attention.softmax(scores / self.W_query.out_features ** 0.5).detach()
        return attn_weights @ self.W_value(x), attn_weights

# %% wrong self_attention: scores-returned
# F.scaled_dot_product_attention for the vectors, and as "weights" the scores before softmax
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
        context_vecs = F.scaled_dot_product_attention(q, k, v)
        attn_weights = q @ k.mT / math.sqrt(q.shape[-1])
        return context_vecs, attn_weights

# %% wrong training_step: zero-grad-late
# clears between backward and step: the step finds no gradient, nothing moves
def my_training_step(optimizer, compute_loss):
    loss = compute_loss()
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()

# %% wrong training_step: loss-after
# computes the loss a second time after the step and returns that: the loss after, not before
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    compute_loss().backward()
    optimizer.step()
    with torch.no_grad():
        return compute_loss().item()

# %% wrong training_step: step-first
# steps first, on the gradient that is left of the last turn (none in the first), and goes backward afterwards
def my_training_step(optimizer, compute_loss):
    optimizer.step()
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    return loss.item()

# %% wrong training_step: item-too-early
# backward on the plain number: loss is made a float by .item() at once, which has no backward (AttributeError)
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss().item()
    loss.backward()
    optimizer.step()
    return loss

# %% wrong training_step: whole-loop
# a whole training of twenty turns in place of one
def my_training_step(optimizer, compute_loss):
    first = None
    for turn in range(20):
        optimizer.zero_grad()
        loss = compute_loss()
        if first is None:
            first = loss.item()
        loss.backward()
        optimizer.step()
    return first

# %% wrong training_step: two-backwards
# backward twice on the same loss (retain_graph silences the error): the gradient is added up to double
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    before = loss.item()
    loss.backward(retain_graph=True)
    loss.backward()
    optimizer.step()
    return before

# %% wrong training_step: loss-as-tensor
# detach gives a tensor, not the plain number that was asked for
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss.detach()
