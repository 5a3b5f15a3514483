# %% wrong qk_scores: scale-model
# divides by the root of the width of the inputs, not of the queries
def my_qk_scores(inputs, W_query, W_key):
    queries = inputs @ W_query
    keys = inputs @ W_key
    return queries @ keys.transpose(-2, -1) / inputs.shape[-1] ** 0.5

# %% wrong qk_scores: no-scale
# not scaled
def my_qk_scores(inputs, W_query, W_key):
    q, k = torch.matmul(inputs, W_query), torch.matmul(inputs, W_key)
    return torch.einsum("bid,bjd->bij", q, k)

# %% wrong qk_scores: qk-swapped
# queries and keys swapped: rows belong to keys, the table is turned on its side
def my_qk_scores(inputs, W_query, W_key):
    queries, keys = inputs @ W_query, inputs @ W_key
    scores = keys @ queries.mT
    return scores / math.sqrt(keys.shape[-1])

# %% wrong qk_scores: keys-fixed-axes
# transpose(0, 1) exchanges samples and tokens: an error unless there are as many samples as tokens
def my_qk_scores(inputs, W_query, W_key):
    queries, keys = inputs @ W_query, inputs @ W_key
    return queries @ keys.transpose(0, 1) / W_query.shape[1] ** 0.5

# %% wrong qk_scores: softmax-too-early
# goes on to softmax: weights, not scores
def my_qk_scores(inputs, W_query, W_key):
    queries = inputs @ W_query  # (batch, num_tokens, d_out)
    keys = inputs @ W_key
    attn_scores = queries @ keys.transpose(1, 2) / queries.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights

# %% wrong qk_scores: linear-layout
# transposes the matrices as if they were weights of nn.Linear: an error unless d_in equals d_out, else wrong numbers
def my_qk_scores(inputs, W_query, W_key):
    queries = F.linear(inputs, W_query)
    keys = F.linear(inputs, W_key)
    return torch.bmm(queries, keys.transpose(1, 2)) / queries.size(-1) ** 0.5

# %% wrong qk_scores: shared-projection
# W_query used for the keys as well (copied line): W_key is never used
def my_qk_scores(inputs, W_query, W_key):
    queries = inputs @ W_query
    keys = inputs @ W_query
    root = queries.shape[-1] ** 0.5
    return queries @ keys.transpose(-2, -1) / root

# %% right qk_scores
# both matrices multiplied into one first
def my_qk_scores(inputs, W_query, W_key):
    both = W_query @ W_key.T / W_query.shape[1] ** 0.5  # (d_in, d_in)
    return inputs @ both @ inputs.transpose(-2, -1)

# %% right qk_scores
# loop over the samples with addmm-free products, stacked
def my_qk_scores(inputs, W_query, W_key):
    tables = []
    for sample in inputs:
        asks, answers = sample.mm(W_query), sample.mm(W_key)
        tables.append(asks.mm(answers.t()).div(math.sqrt(asks.shape[1])))
    return torch.stack(tables, dim=0)

# %% wrong load: linear-layout
# copies without transposing: an error, or silently wrong where d_in equals d_out
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix)
        if linear.bias is not None:
            linear.bias.zero_()

# %% wrong load: bias-kept
# leaves the bias as it was
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.transpose(-2, -1))

# %% wrong load: bias-none
# zeroes the bias without asking whether there is one: None has no zero_
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.T)
        linear.bias.zero_()

# %% wrong load: no-grad-missing
# no torch.no_grad(): writing into a parameter stops with an error
def my_load(linear, matrix):
    linear.weight.copy_(matrix.T)
    if linear.bias is not None:
        linear.bias.zero_()

# %% wrong load: reshape-for-transpose
# view into the shape of the weight in place of transposing: shapes fit, numbers stand in wrong places
def my_load(linear, matrix):
    d_out, d_in = linear.weight.shape
    with torch.no_grad():
        linear.weight[:] = matrix.view(d_out, d_in)
        if linear.bias is not None:
            linear.bias[:] = 0.0

# %% wrong load: bias-truth
# "if linear.bias" asks for the truth of a whole tensor: an error with a bias of more than one number
@torch.no_grad()
def my_load(linear, matrix):
    linear.weight.copy_(matrix.t())
    if linear.bias:
        linear.bias.fill_(0)

# %% wrong load: result-unused
# fills a new layer, which only the function knows: the layer handed in stays as it was
def my_load(linear, matrix):
    linear = nn.Linear(matrix.shape[0], matrix.shape[1], bias=False)
    with torch.no_grad():
        linear.weight.copy_(matrix.T)

# %% wrong load: something-returned
# returns the layer, though nothing is to be returned
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(torch.transpose(matrix, 0, 1))
        if linear.bias is not None:
            linear.bias.zero_()
    return linear

# %% right load
# load_state_dict with a dictionary made for the layer
def my_load(linear, matrix):
    state = {"weight": matrix.detach().T}
    if linear.bias is not None:
        state["bias"] = torch.zeros_like(linear.bias)
    linear.load_state_dict(state)

# %% right load
# a loop over the outputs; every parameter starts at zero
def my_load(linear, matrix):
    with torch.no_grad():
        for parameter in linear.parameters():
            nn.init.zeros_(parameter)
        for i in range(linear.out_features):
            linear.weight[i] += matrix[:, i]

# %% wrong self_attention: extra-bias
# the layers have a bias: bias=False forgotten
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out)
        self.W_key = nn.Linear(d_in, d_out)
        self.W_value = nn.Linear(d_in, d_out)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        attn_weights = torch.softmax(scores, dim=-1)
        return attn_weights @ values, attn_weights

# %% wrong self_attention: super-forgotten
# super().__init__() is missing: making the object stops with an error
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        return attention.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x))

# %% wrong self_attention: weights-missing
# only the context vectors are returned
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))

    def forward(self, x):
        return F.scaled_dot_product_attention(self.W_query(x), self.W_key(x), self.W_value(x))

# %% wrong self_attention: qk-swapped
# keys ask and queries answer: the scores are turned on their side
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.root = d_out**0.5

    def forward(self, x):
        scores = torch.einsum("...id,...jd->...ij", self.W_key(x), self.W_query(x)) / self.root
        weights = scores.softmax(-1)
        return weights @ self.W_value(x), weights

# %% wrong self_attention: scale-model
# divides by the root of d_in, the width of the inputs
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_in = d_in
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        q = self.W_query(x)
        k = self.W_key(x)
        v = self.W_value(x)
        attn_weights = attention.softmax(q @ k.mT / math.sqrt(self.d_in))
        return attn_weights @ v, attn_weights

# %% wrong self_attention: softmax-axis
# softmax with dim=1: with one batch axis these are the queries, so columns add up to 1 (right without a batch only)
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries = self.W_query(x)
        attn_scores = queries @ self.W_key(x).transpose(-2, -1)
        attn_weights = torch.softmax(attn_scores / queries.shape[-1] ** 0.5, dim=1)
        context_vecs = attn_weights @ self.W_value(x)
        return context_vecs, attn_weights

# %% wrong self_attention: names
# other names than the prompt asks for
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.q_proj = nn.Linear(d_in, d_out, bias=False)
        self.k_proj = nn.Linear(d_in, d_out, bias=False)
        self.v_proj = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        return attention.scaled_dot_product_attention(self.q_proj(x), self.k_proj(x), self.v_proj(x))

# %% wrong self_attention: v-unprojected
# the values are the inputs themselves, as in dot_product_attention: W_value is made, and never used
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries, keys = self.W_query(x), self.W_key(x)
        weights = torch.softmax(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5, dim=-1)
        return weights @ x, weights

# %% wrong self_attention: - "`self.W_query` is an `nn.Parameter`. A layer is asked for: `"
# plain matrices as parameters in place of the nn.Linear that the prompt asks for
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Parameter(torch.randn(d_in, d_out))
        self.W_key = nn.Parameter(torch.randn(d_in, d_out))
        self.W_value = nn.Parameter(torch.randn(d_in, d_out))

    def forward(self, x):
        return attention.scaled_dot_product_attention(x @ self.W_query, x @ self.W_key, x @ self.W_value)

# %% right self_attention
# inherits from a class with two of the layers; einsum
class _Scorer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_query = nn.Linear(d_in, d_out, bias=False)

    def scores(self, x):
        q = self.W_query(x)
        return torch.einsum("...id,...jd->...ij", q, self.W_key(x)) * q.shape[-1] ** -0.5


class MySelfAttention(_Scorer):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        shares = self.scores(x).softmax(dim=-1)
        return torch.einsum("...ij,...jd->...id", shares, self.W_value(x)), shares

# %% right self_attention
# layers made in a loop with add_module; the course's attention does the rest
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for part in ("query", "key", "value"):
            self.add_module(f"W_{part}", nn.Linear(in_features=d_in, out_features=d_out, bias=False))

    def forward(self, x):
        return attention.scaled_dot_product_attention(*[layer(x) for layer in self.children()])

# %% wrong training_step: no-zero-grad
# zero_grad forgotten: gradients of earlier turns add up
def my_training_step(optimizer, compute_loss):
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss.item()

# %% wrong training_step: zero-grad-late
# clears the gradient between backward and step: nothing moves
def my_training_step(optimizer, compute_loss):
    loss = compute_loss()
    loss.backward()
    optimizer.zero_grad()
    optimizer.step()
    return float(loss)

# %% wrong training_step: step-before-backward
# steps before going backward: the step uses no gradient, as zero_grad has just cleared it
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    optimizer.step()
    loss.backward()
    return loss.item()

# %% wrong training_step: loss-after
# returns the loss after the step: computed a second time
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    compute_loss().backward()
    optimizer.step()
    return compute_loss().item()

# %% wrong training_step: loss-as-tensor
# returns the tensor, with its notes for training, not a plain number
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss

# %% wrong training_step: item-too-early
# item() too early: a plain number has no backward, stops with an error
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    value = compute_loss().item()
    value.backward()
    optimizer.step()
    return value

# %% wrong training_step: whole-loop
# the whole loop of the page in place of one turn: twenty steps, and the loss of the last
def my_training_step(optimizer, compute_loss):
    for step in range(20):
        optimizer.zero_grad()
        loss = compute_loss()
        loss.backward()
        optimizer.step()
    return loss.item()

# %% right training_step
# a closure handed to the optimizer, which returns the loss
def my_training_step(optimizer, compute_loss):
    def closure():
        optimizer.zero_grad()
        loss = compute_loss()
        loss.backward()
        return loss

    return optimizer.step(closure).item()

# %% right training_step
# clears by hand, after the loss is computed
def my_training_step(optimizer, compute_loss):
    loss = compute_loss()
    before = loss.detach().tolist()
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            parameter.grad = None
    loss.backward()
    optimizer.step()
    return before
