# %% wrong dropout: range-zero
# refuses p = 0 as well: a rate of 0 makes sense (nothing is dropped), only rates below 0 must be refused
def my_dropout(x, noise, p):
    if p <= 0 or p >= 1:
        raise ValueError("the rate must lie between 0 and 1")
    keep = (noise >= p).to(x.dtype)
    return keep * x / (1 - p)


# %% wrong dropout: - "In the result, the first difference is at `[0, 0]`: it shoul"
# divides by the share that was really kept in this draw, not by 1 - p (the share kept on average)
def my_dropout(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(f"p = {p}")
    kept = noise >= p
    share = kept.float().mean()
    return torch.where(kept, x / share, torch.zeros_like(x))


# %% wrong dropout: if-on-table
# asks a whole tensor in an if: stops with "Boolean value of Tensor with more than one value is ambiguous"
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError("no such rate")
    if noise < p:
        return torch.zeros_like(x)
    else:
        return x / (1 - p)


# %% wrong dropout: input-changed
# flatten() of a contiguous tensor is a view: the loop writes the zeros into x itself, which should stay as it was
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError("p must be in [0, 1)")
    flat = x.flatten()
    for i, drawn in enumerate(noise.flatten().tolist()):
        if drawn < p:
            flat[i] = 0.0
        else:
            flat[i] = flat[i] / (1 - p)
    return flat.view(x.shape)


# %% wrong dropout: dropout-inverted
# the wrong way round: keeps where the noise is below p, and drops the rest
def my_dropout(x, noise, p):
    if p < 0:
        raise ValueError("p is negative")
    if p >= 1:
        raise ValueError("p is 1 or more")
    D = noise < p
    scale = 1 / (1 - p)
    return scale * (D * x)


# %% wrong dropout: error-kind
# an assert raises AssertionError, the prompt wants a ValueError
def my_dropout(x, noise, p):
    assert 0 <= p < 1, ValueError("p must be at least 0 and below 1")
    return x.masked_fill(noise < p, 0.0) / (1.0 - p)


# %% right dropout
# number by number, with lists, and put back into shape at the end
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError(f"a rate of {p} makes no sense")
    result = []
    for number, drawn in zip(x.reshape(-1), noise.reshape(-1)):
        result.append(number * 0 if drawn < p else number / (1 - p))
    if not result:
        return x.clone()
    return torch.stack(result).reshape(x.shape)


# %% right dropout
# a copy, changed in place by an index
def my_dropout(x, noise, p):
    if not (p >= 0 and p < 1):
        raise ValueError("0 <= p < 1, please")
    bigger = x.clone()
    bigger[noise < p] = 0
    bigger[noise >= p] *= 1 / (1 - p)
    return bigger


# %% wrong dropped_attention: dropout-before-softmax
# drops the masked scores, before softmax: minus infinity and cut scores are mixed up, and no weight is cut
def my_dropped_attention(queries, keys, values, mask, drop):
    d_k = queries.shape[-1]
    attn_scores = queries @ keys.transpose(-2, -1) / d_k**0.5
    attn_scores = drop(attn_scores)
    attn_scores = attn_scores.masked_fill(~mask, float("-inf"))
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights


# %% wrong dropped_attention: drop-by-row
# calls drop row by row, not once on the whole table
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) / math.sqrt(keys.shape[-1])
    scores = torch.where(mask, scores, torch.tensor(-torch.inf, dtype=scores.dtype))
    weights = torch.softmax(scores, dim=-1)
    rows = [drop(row) for row in weights.unbind(-2)]
    weights = torch.stack(rows, dim=-2)
    return weights @ values, weights


# %% wrong dropped_attention: weights-before-drop
# mixes with the dropped weights, but hands back the weights as they were before dropping
def my_dropped_attention(queries, keys, values, mask, drop):
    logits = queries @ keys.mT / queries.size(-1) ** 0.5
    logits = logits.masked_fill(mask.logical_not(), -math.inf)
    probs = torch.softmax(logits, -1)
    context_vecs = drop(probs) @ values
    return context_vecs, probs


# %% wrong dropped_attention: dropout-renormalised
# divides every row by its sum after dropping, so that it adds up to 1 again (and an empty row becomes 0 / 0)
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = (queries @ keys.transpose(-1, -2)) * keys.shape[-1] ** -0.5
    weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
    weights = drop(weights)
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ values, weights


# %% wrong dropped_attention: no-scale
# no division by the root of the width: attention, but not scaled attention
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries @ keys.transpose(-2, -1)
    scores[~mask.expand_as(scores)] = -torch.inf
    attn_weights = drop(torch.softmax(scores, dim=-1))
    return attn_weights @ values, attn_weights


# %% wrong dropped_attention: mask-inverted
# True and False the wrong way round: closes what may be attended
def my_dropped_attention(queries, keys, values, mask, drop):
    width = keys.shape[-1]
    s = torch.matmul(queries, keys.transpose(-2, -1)).div(math.sqrt(width))
    s = s.masked_fill(mask, -torch.inf)
    w = torch.softmax(s, dim=-1)
    w = drop(w)
    return torch.matmul(w, values), w


# %% right dropped_attention
# the mask as a table of 0 and minus infinity that is added, the queries scaled, and einsum for both products
def my_dropped_attention(queries, keys, values, mask, drop):
    bias = torch.zeros(mask.shape, dtype=queries.dtype).masked_fill(~mask, -torch.inf)
    scores = torch.einsum("...qd,...kd->...qk", queries / math.sqrt(queries.shape[-1]), keys) + bias
    applied = drop(torch.softmax(scores, dim=-1))
    return torch.einsum("...qk,...kv->...qv", applied, values), applied


# %% right dropped_attention
# keys on the rows until softmax, which then goes along axis -2; turned before the one call of drop
def my_dropped_attention(queries, keys, values, mask, drop):
    root = queries.shape[-1] ** 0.5
    upright = (keys @ queries.transpose(-2, -1)) / root  # (..., num_keys, num_queries)
    upright = torch.where(mask.transpose(-2, -1), upright, torch.full_like(upright, -torch.inf))
    table = torch.softmax(upright, dim=-2).transpose(-2, -1)
    table = drop(table)
    context_vecs = table.matmul(values)
    return context_vecs, table


# %% wrong dropout_layer: dropout-in-eval
# self.train is a method, which counts as True: the layer drops in eval mode too (it should ask self.training)
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError("p must be in [0, 1)")
        self.p = p

    def forward(self, x):
        if self.train:
            return x * (torch.rand_like(x) >= self.p) / (1 - self.p)
        return x


# %% wrong dropout_layer: columns-together
# one random number for each column only: whole columns are dropped together, in every row and every text alike
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError("not a rate")
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        noise = torch.rand(x.shape[-1])
        return torch.where(noise < self.p, torch.zeros_like(x), x / (1 - self.p))


# %% wrong dropout_layer: range-late
# the rate is looked at only when the layer is called, not when it is made
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        if self.p < 0 or self.p >= 1:
            raise ValueError("dropout rate must be in [0, 1)")
        if self.training:
            keep = torch.rand(x.shape) >= self.p
            x = x * keep / (1 - self.p)
        return x


# %% wrong dropout_layer: eval-scaled
# makes up for the loss in eval mode (times 1 - p) in place of in training (divided by 1 - p): eval does not give x back
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p >= 1 or p < 0:
            raise ValueError(p)
        self.rate = p

    def forward(self, x):
        if self.training:
            return x.masked_fill(torch.rand(x.shape) < self.rate, 0.0)
        else:
            return x * (1 - self.rate)


# %% wrong dropout_layer: same-draw
# draws the random numbers under a fixed seed, so each call drops the same places
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError("p")
        self.p = p

    def forward(self, x):
        if self.training:
            generator = torch.Generator().manual_seed(123)
            noise = torch.rand(x.shape, generator=generator)
            x = x * (noise >= self.p) / (1 - self.p)
        return x


# %% right dropout_layer
# right all the same, by the words of the prompt
# works under no_grad: the numbers are right, but no gradient comes back through the layer in training
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError("a rate is at least 0 and less than 1")
        self.p = p

    @torch.no_grad()
    def forward(self, x):
        if not self.training:
            return x
        mask = (torch.rand_like(x) > self.p).float()
        return mask * x / (1.0 - self.p)


# %% right dropout_layer
# a table of factors: floor(rand + keep) is 1 with a chance of keep
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"p must be at least 0 and below 1, got {p}")
        self.keep = 1 - p

    def forward(self, x):
        if self.training is False:
            return x
        factors = torch.floor(torch.rand(x.shape, dtype=torch.float64) + self.keep) / self.keep
        return x * factors.to(x.dtype)


# %% right dropout_layer
# a helper method draws; where in place of a product; rand of the flat size, put into shape
class MyDropout(nn.Module):
    def __init__(self, p):
        if p < 0 or 1 <= p:
            raise ValueError("the rate is a share below 1")
        super().__init__()
        self.register_buffer("p", torch.tensor(float(p), dtype=torch.float64))

    def dropped_places(self, shape):
        return torch.rand(math.prod(shape)).reshape(shape) < self.p

    def forward(self, x):
        if self.training:
            zero = torch.zeros((), dtype=x.dtype)
            return torch.where(self.dropped_places(x.shape), zero, x / (1 - float(self.p)))
        return x


# %% wrong evaluate: parts-forgotten
# puts the modes back from the innermost part outwards with .train(mode), which goes down again:
# each parent overwrites the modes of its parts
def my_evaluate(model, x):
    parts = list(model.modules())
    modes = [part.training for part in parts]
    model.eval()
    try:
        return model(x)
    finally:
        for part, mode in reversed(list(zip(parts, modes))):
            part.train(mode)


# %% wrong evaluate: first-level-only
# children() are only the direct parts: parts of parts are not remembered
def my_evaluate(model, x):
    was = model.training
    remembered = {child: child.training for child in model.children()}
    model.eval()
    try:
        out = model(x)
    finally:
        model.training = was
        for child, mode in remembered.items():
            child.training = mode
    return out


# %% wrong evaluate: one-mode-a-class
# the modes are kept by the name of the class: two parts of one class share one entry, and the later one wins
def my_evaluate(model, x):
    modes = {}
    for module in model.modules():
        modes[type(module).__name__] = module.training
    try:
        model.eval()
        return model(x)
    finally:
        for module in model.modules():
            module.training = modes[type(module).__name__]


# %% wrong evaluate: stays-in-eval
# reads the modes after model.eval(): all are False by then, and the whole model stays in eval mode
def my_evaluate(model, x):
    model.eval()
    before = [m.training for m in model.modules()]
    try:
        result = model(x)
    finally:
        for m, mode in zip(model.modules(), before):
            m.training = mode
    return result


# %% wrong evaluate: not-after-error
# puts the modes back after a good call only; when the call fails, the model stays in eval mode
def my_evaluate(model, x):
    modes = [(part, part.training) for part in model.modules()]
    model.eval()
    y = model(x)
    for part, mode in modes:
        part.training = mode
    return y


# %% wrong evaluate: dropout-layers-only
# switches off only what is an nn.Dropout: a part that asks for its own mode (self.training) goes on dropping
def my_evaluate(model, x):
    dropouts = [m for m in model.modules() if isinstance(m, nn.Dropout)]
    modes = [m.training for m in dropouts]
    for m in dropouts:
        m.eval()
    try:
        return model(x)
    finally:
        for m, mode in zip(dropouts, modes):
            m.train(mode)


# %% right evaluate
# keeps those that were in training mode as a set, and goes through all of them afterwards
def my_evaluate(model, x):
    trained = {module for module in model.modules() if module.training}
    try:
        return model.eval()(x)
    finally:
        for module in model.modules():
            module.training = module in trained


# %% right evaluate
# a context manager of its own, and named_modules
def my_evaluate(model, x):
    from contextlib import contextmanager

    @contextmanager
    def in_eval_mode():
        modes = {name: part.training for name, part in model.named_modules()}
        model.train(False)
        try:
            yield
        finally:
            for name, part in model.named_modules():
                part.training = modes[name]

    with in_eval_mode():
        result = model(x)
    return result
