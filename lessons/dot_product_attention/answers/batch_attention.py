# %% right
def my_batch_attention(inputs):
    return torch.stack([torch.softmax(text @ text.T, dim=1) @ text for text in inputs])

# %% right
def my_batch_attention(inputs):
    weights = torch.bmm(inputs, inputs.transpose(1, 2)).softmax(dim=2)
    return torch.bmm(weights, inputs)

# %% right
def my_batch_attention(inputs):
    scores = torch.einsum("bqd,bkd->bqk", inputs, inputs)
    return torch.einsum("bqk,bkd->bqd", scores.softmax(-1), inputs)

# %% right
def my_batch_attention(inputs):
    scores = torch.bmm(inputs, inputs.permute(0, 2, 1))
    exps = (scores - scores.amax(-1, keepdim=True)).exp()
    return torch.bmm(exps / exps.sum(-1, keepdim=True), inputs)

# %% wrong: weights-as-well
my_batch_attention = lambda x: attention.scaled_dot_product_attention(x, x, x)
