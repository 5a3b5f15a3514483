# %% right
my_batch_attention = lambda inputs: F.scaled_dot_product_attention(inputs, inputs, inputs, scale=1.0)

# %% right
def my_batch_attention(inputs):
    return torch.stack([torch.softmax(text @ text.T, dim=1) @ text for text in inputs])

# %% right
def my_batch_attention(inputs):
    weights = torch.bmm(inputs, inputs.transpose(1, 2)).softmax(dim=2)
    return torch.bmm(weights, inputs)

# %% right
def my_batch_attention(inputs):
    def one_text(x):
        return torch.softmax(x @ x.T, dim=-1) @ x
    return torch.vmap(one_text)(inputs)

# %% right
def my_batch_attention(inputs):
    scores = torch.einsum("bqd,bkd->bqk", inputs, inputs)
    return torch.einsum("bqk,bkd->bqd", scores.softmax(-1), inputs)

# %% right
def my_batch_attention(inputs):
    out = []
    for text in inputs:
        out.append(torch.softmax(text @ text.T, dim=-1) @ text)
    return torch.stack(out)

# %% right
def my_batch_attention(inputs):
    pairs = inputs[:, :, None, :] * inputs[:, None, :, :]
    weights = F.softmax(pairs.sum(dim=-1), dim=-1)
    return (weights[..., None] * inputs[:, None]).sum(dim=2)

# %% right
def my_batch_attention(inputs):
    scores = torch.bmm(inputs, inputs.permute(0, 2, 1))
    exps = (scores - scores.amax(-1, keepdim=True)).exp()
    return torch.bmm(exps / exps.sum(-1, keepdim=True), inputs)

# %% right
def my_batch_attention(inputs):
    asked = inputs.unsqueeze(2)
    answers = inputs.unsqueeze(1)
    scores = (asked * answers).sum(dim=-1)
    weights = scores.softmax(dim=-1)
    return (weights.unsqueeze(-1) * answers).sum(dim=2)

# %% right
def my_batch_attention(inputs):
    b, n, _ = inputs.shape
    scores = torch.baddbmm(inputs.new_zeros(b, n, n), inputs, inputs.movedim(-1, -2), beta=0)
    exps = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exps.bmm(inputs) / exps.sum(dim=-1, keepdim=True)

# %% right
def my_batch_attention(inputs):
    zero = inputs.new_zeros(inputs.shape[0], inputs.shape[1], inputs.shape[1])
    scores = torch.baddbmm(zero, inputs, inputs.mT)
    exps = torch.exp(scores - scores.amax(-1, keepdim=True))
    return (exps @ inputs) / exps.sum(-1, keepdim=True)

# %% wrong: batch-mixed
def my_batch_attention(inputs):
    flat = inputs.flatten(0, 1)
    weights = torch.softmax(flat @ flat.transpose(0, 1), dim=-1)
    return (weights @ flat).view(inputs.shape)

# %% wrong: columns-compared
def my_batch_attention(inputs):
    scores = inputs.mT @ inputs
    return inputs @ torch.softmax(scores, dim=-1)

# %% wrong: first-text-asks
def my_batch_attention(inputs):
    out = []
    for text in inputs:
        weights = torch.softmax(inputs[0] @ text.T, dim=-1)
        out.append(weights @ text)
    return torch.stack(out)

# %% wrong: keys-full-turn
def my_batch_attention(inputs):
    return torch.softmax(inputs @ inputs.permute(2, 1, 0), dim=-1) @ inputs

# %% wrong: no-softmax
def my_batch_attention(inputs):
    keys = inputs.permute(0, 2, 1)
    attn = torch.bmm(inputs, keys)
    return torch.bmm(attn, inputs)

# %% wrong: scaled-too-early
def my_batch_attention(inputs):
    return F.scaled_dot_product_attention(inputs, inputs, inputs)

# %% wrong: softmax-axis
def my_batch_attention(inputs):
    scores = torch.bmm(inputs, inputs.transpose(1, 2))
    return torch.bmm(scores.softmax(dim=1), inputs)

# %% wrong: softmax-first-axis
def my_batch_attention(inputs):
    scores = inputs @ inputs.transpose(-2, -1)
    return F.softmax(scores) @ inputs

# %% wrong: squeezed
def my_batch_attention(inputs):
    keys = inputs.permute(0, 2, 1)
    weights = torch.softmax(torch.bmm(inputs, keys), dim=2)
    context = torch.bmm(weights, inputs)
    return context.squeeze()

# %% wrong: texts-averaged
def my_batch_attention(inputs):
    scores = inputs @ inputs.transpose(-2, -1)
    weights = torch.softmax(scores, dim=-1).mean(dim=0)
    return weights @ inputs

# %% wrong: texts-summed
def my_batch_attention(inputs):
    attn_scores = torch.einsum("bqd,bkd->qk", inputs, inputs)
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ inputs

# %% wrong: texts-turned
def my_batch_attention(inputs):
    attn_weights = torch.softmax(inputs @ inputs.transpose(0, 1), dim=-1)
    return attn_weights @ inputs

# %% wrong: view-no-transpose
def my_batch_attention(inputs):
    b, t, d = inputs.shape
    keys_as_columns = inputs.view(b, d, t)
    weights = F.softmax(inputs @ keys_as_columns, dim=-1)
    return weights @ inputs

# %% wrong: weights-as-well
my_batch_attention = lambda x: attention.scaled_dot_product_attention(x, x, x)

# %% wrong: weights-returned
def my_batch_attention(inputs):
    return torch.softmax(inputs @ inputs.transpose(-2, -1), dim=-1)
