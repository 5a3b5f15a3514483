# %% wrong qk_scores: linear-layout
# F.linear(x, W) multiplies by W transposed: stops with an error, or is wrong without one where d_in equals d_out
def my_qk_scores(inputs, W_query, W_key):
    queries = F.linear(inputs, W_query)
    keys = F.linear(inputs, W_key)
    return queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5

# %% wrong qk_scores: fixed-width
# the root of 2 copied from the page's example: right only for d_out = 2
def my_qk_scores(inputs, W_query, W_key):
    queries = inputs @ W_query
    keys = inputs @ W_key
    return queries @ keys.transpose(-2, -1) / 2**0.5

# %% wrong qk_scores: shared-projection
# makes the keys with W_query too (a line copied and not changed); W_key is never used
def my_qk_scores(inputs, W_query, W_key):
    q = torch.matmul(inputs, W_query)
    k = torch.matmul(inputs, W_query)
    d = q.size(-1)
    return torch.bmm(q, k.permute(0, 2, 1)) / math.sqrt(d)

# %% wrong qk_scores: keys-of-all-texts
# the letter of the batch differs between queries and keys, so einsum adds up the keys of all samples:
# right for a batch of one only
def my_qk_scores(inputs, W_query, W_key):
    queries = torch.einsum("bti,io->bto", inputs, W_query)
    keys = torch.einsum("bti,io->bto", inputs, W_key)
    scores = torch.einsum("bqo,ako->bqk", queries, keys)
    return scores / queries.shape[-1] ** 0.5

# %% wrong qk_scores: keys-not-transposed
# forgets to swap the two axes of the keys: the product of two (num_tokens, d_out) tables stops with an error
# (or means nothing where num_tokens equals d_out)
def my_qk_scores(inputs, W_query, W_key):
    queries, keys = inputs @ W_query, inputs @ W_key
    d_out = W_key.shape[1]
    return (queries @ keys) / d_out**0.5

# %% right qk_scores
# joins the two matrices into one (d_in, d_in) table first; no queries and keys as such
def my_qk_scores(inputs, W_query, W_key):
    d_out = W_query.shape[-1]
    between = W_query @ W_key.T / math.sqrt(d_out)
    return inputs @ between @ inputs.transpose(1, 2)

# %% right qk_scores
# baddbmm with alpha as the scale, and nothing of the table that is added (beta=0)
def my_qk_scores(inputs, W_query, W_key):
    queries, keys = inputs.matmul(W_query), inputs.matmul(W_key)
    batch, num_tokens, d_out = queries.shape
    nothing = queries.new_zeros(batch, num_tokens, num_tokens)
    return torch.baddbmm(nothing, queries, keys.transpose(1, 2), beta=0, alpha=d_out**-0.5)

# %% wrong load: linear-layout
# transposes only if the shapes do not fit as they are: a square matrix is copied untransposed, without an error
def my_load(linear, matrix):
    with torch.no_grad():
        if linear.weight.shape == matrix.shape:
            linear.weight.copy_(matrix)
        else:
            linear.weight.copy_(matrix.transpose(0, 1))
        if linear.bias is not None:
            linear.bias.zero_()

# %% wrong load: bias-kept
# zero_ without parentheses: names the method, does not call it, and the bias stays as it was
def my_load(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.T)
        if linear.bias is not None:
            linear.bias.zero_

# %% wrong load: bias-truth
# "if linear.bias:" asks whether a tensor of several numbers is true: stops with an error in a layer with bias
@torch.no_grad()
def my_load(linear, matrix):
    linear.weight.copy_(matrix.t())
    if linear.bias:
        linear.bias.fill_(0.0)

# %% wrong load: weight-kept
# writes into a clone of the weight: the layer itself keeps its old weight
def my_load(linear, matrix):
    weight = linear.weight.detach().clone()
    weight.copy_(matrix.transpose(-2, -1))
    if linear.bias is not None:
        nn.init.zeros_(linear.bias)

# %% wrong load: input-changed
# turns the caller's matrix itself round, in place (transpose_): afterwards x @ matrix stops with an error,
# or differs from linear(x) if it is square
def my_load(linear, matrix):
    with torch.no_grad():
        matrix.transpose_(0, 1)
        linear.weight.copy_(matrix)
        if linear.bias is not None:
            linear.bias.zero_()

# %% right load
# through load_state_dict, which copies under no_grad by itself
def my_load(linear, matrix):
    state = {"weight": matrix.detach().T}
    if linear.bias is not None:
        state["bias"] = torch.zeros_like(linear.bias)
    linear.load_state_dict(state)

# %% right load
# number by number in a loop over the inputs; bias found by getattr, early return
@torch.no_grad()
def my_load(linear, matrix):
    for i, row in enumerate(matrix):
        linear.weight[:, i] = row
    bias = getattr(linear, "bias", None)
    if bias is None:
        return
    bias[:] = 0

# %% wrong self_attention: detached
# mixes with detached weights: the numbers are right, but no gradient reaches W_query and W_key, they never train
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        attn_weights = torch.softmax(attn_scores, dim=-1).detach()
        return attn_weights @ values, attn_weights

# %% wrong self_attention: batch-required
# takes exactly three axes (unpacks batch, num_tokens, d_in): a text without a batch stops with an error
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        batch, num_tokens, _ = x.shape
        q = self.W_query(x).view(batch, num_tokens, self.d_out)
        k = self.W_key(x).view(batch, num_tokens, self.d_out)
        weights = F.softmax(torch.bmm(q, k.transpose(1, 2)) / math.sqrt(self.d_out), dim=2)
        return torch.bmm(weights, self.W_value(x)), weights

# %% wrong self_attention: one-layer
# key and query are one and the same layer: the names are there, but the two can never differ
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        keys = self.W_key(x)
        queries = self.W_query(x)
        context_vecs, attn_weights = attention.scaled_dot_product_attention(queries, keys, self.W_value(x))
        return context_vecs, attn_weights

# %% wrong self_attention: - "`W_value.weight` has the shape `(3, 3)`, and needs `(2, 3)`:"
# makes W_value d_in wide at both ends ("values keep the width of the tokens"): context vectors have width d_in
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_in, bias=False)

    def forward(self, x):
        asks, answers, delivers = self.W_query(x), self.W_key(x), self.W_value(x)
        fit = asks @ answers.mT
        fit = fit / asks.shape[-1] ** 0.5
        share = fit.softmax(-1)
        return share @ delivers, share

# %% wrong self_attention: no-scale
# two mistakes: the layers keep their bias (nn.Linear's default), and the division by the root is missing
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out)
        self.W_key = nn.Linear(d_in, d_out)
        self.W_value = nn.Linear(d_in, d_out)

    def forward(self, x):
        attn_scores = self.W_query(x) @ self.W_key(x).transpose(-2, -1)
        attn_weights = torch.softmax(attn_scores, dim=-1)
        return attn_weights @ self.W_value(x), attn_weights

# %% right self_attention
# inherits two of its layers and the scores from the page's Scorer
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
# layers made in a loop with add_module, PyTorch's own function for the context and einsum for the weights
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        for part in ("query", "key", "value"):
            self.add_module(f"W_{part}", nn.Linear(d_in, d_out, bias=False))
        self.factor = 1 / math.sqrt(d_out)

    def weights(self, q, k):
        s = torch.einsum("...qd,...kd->...qk", q * self.factor, k)
        return s.softmax(dim=-1)

    def forward(self, x):
        q, k, v = (layer(x) for layer in (self.W_query, self.W_key, self.W_value))
        return F.scaled_dot_product_attention(q, k, v), self.weights(q, k)

# %% wrong training_step: no-zero-grad
# zero_grad without parentheses is never called: gradients of earlier turns stay and are added
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss.item()

# %% wrong training_step: step-by-hand
# takes the step by hand (minus lr times gradient) in place of optimizer.step(): right for plain SGD only,
# not with momentum or AdamW
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    with torch.no_grad():
        for group in optimizer.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p -= group["lr"] * p.grad
    return loss.item()

# %% wrong training_step: two-backwards
# keeps the loss of the first call in a default argument and uses it again: a second call goes backward through
# the same graph, which stops with an error
def my_training_step(optimizer, compute_loss, memory=[]):
    if not memory:
        memory.append(compute_loss())
    optimizer.zero_grad()
    memory[0].backward()
    optimizer.step()
    return memory[0].item()

# %% wrong training_step: - "A plain number is asked for, and a `str` came back: `return "
# returns the loss as a text with four decimals, not as a number
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return f"{loss.item():.4f}"

# %% wrong training_step: detached
# computes the loss under no_grad ("only the step may change the numbers"): backward stops with an error
def my_training_step(optimizer, compute_loss):
    optimizer.zero_grad()
    with torch.no_grad():
        current = compute_loss()
        before = current.item()
    current.backward()
    optimizer.step()
    return before

# %% right training_step
# hands the optimizer a closure that clears, computes and goes backward; step returns the closure's loss
def my_training_step(optimizer, compute_loss):
    def turn():
        optimizer.zero_grad()
        loss = compute_loss()
        loss.backward()
        return loss

    return optimizer.step(turn).item()

# %% right training_step
# no zero_grad and no backward: torch.autograd.grad gives fresh gradients, which overwrite the old ones
def my_training_step(optimizer, compute_loss):
    params = [p for group in optimizer.param_groups for p in group["params"] if p.requires_grad]
    loss = compute_loss()
    number = loss.detach().item()
    for p, gradient in zip(params, torch.autograd.grad(loss, params, allow_unused=True)):
        p.grad = gradient
    optimizer.step()
    return number

