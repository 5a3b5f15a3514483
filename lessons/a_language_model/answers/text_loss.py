# %% right
def my_text_loss(logits, ids):
    return F.cross_entropy(logits[:-1], ids[1:])

# %% right
def my_text_loss(logits, ids):
    marks = F.one_hot(ids[1:], logits.shape[-1])
    return -(F.log_softmax(logits[:-1], -1) * marks).sum() / len(marks)

# %% right
def my_text_loss(logits, ids):
    total = 0
    for i in range(1, len(ids)):
        shares = torch.softmax(logits[i - 1], dim=-1)
        total -= math.log(shares[ids[i]].item())
    return total / (len(ids) - 1)

# %% right
def my_text_loss(logits, ids):
    x = logits[:-1].numpy()
    x = x - x.max(axis=1, keepdims=True)
    logs = x - np.log(np.exp(x).sum(axis=1, keepdims=True))
    return -np.mean([logs[i, token] for i, token in enumerate(ids[1:].tolist())])

# %% wrong: - "For the loss, a list came back. `torch.tensor` makes one ten"
def my_text_loss(logits, ids):
    losses = []
    for i in range(1, len(ids)):
        losses.append(-math.log(torch.softmax(logits[i - 1], dim=-1)[ids[i]]))
    return losses

# %% wrong: - "In the loss, the first difference is this: it should be 4.15"
def my_text_loss(logits, ids):
    shares = torch.softmax(logits[:-1], dim=-1)[torch.arange(len(ids) - 1), ids[1:]]
    return (1 / shares).mean()

# %% wrong: - "In your loss, an axis of length 1 is too many, and the numbe"
def my_text_loss(logits, ids):
    log_shares = F.log_softmax(logits[:-1], dim=-1)
    return -log_shares[torch.arange(len(ids) - 1), ids[1:]].mean(dim=0, keepdim=True)

# %% wrong: - "It gives a tuple of 2 back. One thing is asked for: the loss"
def my_text_loss(logits, ids):
    return F.cross_entropy(logits[:-1], ids[1:]), len(ids)

# %% wrong: - "It stops with `IndexError`: shape mismatch: indexing tensors"
def my_text_loss(logits, ids):
    log_shares = torch.log_softmax(logits[:-1], dim=-1)
    return -log_shares[torch.arange(len(ids)), ids[1:]].mean()

# %% wrong: - "It stops with `RuntimeError`: Index tensor must have the sam"
def my_text_loss(logits, ids):
    log_shares = torch.log_softmax(logits[:-1], dim=-1)
    return -torch.gather(log_shares, 1, ids[1:]).mean()

# %% wrong: - "It stops with `RuntimeError`: expected target dtype to be Lo"
def my_text_loss(logits, ids):
    return F.cross_entropy(logits[:-1], ids[1:].float())

# %% wrong: - "It stops with `ValueError`: Expected input batch_size (8) to"
def my_text_loss(logits, ids):
    return F.cross_entropy(logits[:-1].T, ids[1:])

# %% wrong: - "`F.cross_entropy(ids[1:], logits[:-1])` stops: `ids[1:]` hol"
def my_text_loss(logits, ids):
    return F.cross_entropy(ids[1:], logits[:-1])

# %% wrong: - "`ids[i + 1]` stops: axis 0 of (5,) has 5 places, from 0 to 4"
def my_text_loss(logits, ids):
    losses = []
    for i in range(len(ids)):
        losses.append(-torch.log_softmax(logits[i], dim=-1)[ids[i + 1]])
    return torch.stack(losses).mean()

# %% wrong: - "In your loss, every sign is turned around. Look for a minus "
def my_text_loss(logits, ids):
    log_shares = F.log_softmax(logits[:-1], dim=-1)
    return log_shares[torch.arange(len(ids) - 1), ids[1:]].mean()

# %% wrong: row-of-each + every-pair
def my_text_loss(logits, ids):
    shares = torch.softmax(logits[:-1], dim=-1)[:, ids[1:]]
    return -torch.log(shares)

# %% wrong: softmax-all
def my_text_loss(logits, ids):
    exps = logits[:-1].exp()
    total = exps.sum()
    return -(exps[torch.arange(len(ids) - 1), ids[1:]] / total).log().mean()
