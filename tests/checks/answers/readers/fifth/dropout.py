# %% wrong dropout: rescale-by-count
# divides by the share that this draw has kept, in place of 1 - p, so that the single draw (not the average) is made up
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError("p must be from 0 to below 1")
    kept = (noise >= p).float()
    return x * kept / kept.mean()

# %% wrong dropout: range-zero
# refuses p = 0 as well, although only rates below 0 or of 1 and more are to be refused
def my_dropout(x, noise, p):
    if not 0 < p < 1:
        raise ValueError(f"a rate of {p} makes no sense")
    scale = 1 / (1 - p)
    return torch.where(noise < p, torch.zeros_like(x), x * scale)

# %% wrong dropout: edge-dropped
# a noise of exactly p is dropped too: the prompt drops only what is below p
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError("rate")
    dropped = noise <= p
    return (x / (1 - p)).masked_fill(dropped, 0)

# %% wrong dropout: input-changed
# writes the zeros into x itself (out = x is no copy), so the caller's x is changed
def my_dropout(x, noise, p):
    if not (0 <= p < 1):
        raise ValueError("p")
    out = x
    out[noise < p] = 0
    return out / (1 - p)

# %% wrong dropout: one-row-only
# the page's loop over one row: fits a vector only, a table stops with an error (a row is not a number)
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError("the rate must be in [0, 1)")
    result = []
    for number, drawn in zip(x.tolist(), noise.tolist()):
        if drawn < p:
            result.append(0.0)
        else:
            result.append(number / (1 - p))
    return torch.tensor(result)

# %% wrong dropout: error-returned
# gives the ValueError back in place of raising it
def my_dropout(x, noise, p):
    if p >= 1 or p < 0:
        return ValueError("p is no share")
    mask = torch.ones_like(x)
    mask[noise < p] = 0
    return mask * x / (1 - p)

# %% right dropout
# recursion over the first axis down to single numbers
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError("rate must be at least 0 and below 1")
    if x.dim() == 0:
        return x * 0 if noise < p else x / (1 - p)
    if len(x) == 0:
        return x.clone()
    return torch.stack([my_dropout(part, drawn, p) for part, drawn in zip(x, noise)])

# %% right dropout
# scales a copy and then writes zeros into the copy by a boolean index; early return for p = 0
def my_dropout(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(f"got {p}")
    larger = x.clone()
    if p == 0:
        return larger
    larger = larger / (1 - p)
    larger[torch.lt(noise, p)] = 0.0
    return larger

# %% wrong dropped_attention: keys-full-turn
# keys.T turns all axes round: right for one text, an error (shapes) as soon as there is a batch axis
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries @ keys.T / queries.shape[-1] ** 0.5
    scores = scores.masked_fill(~mask, -torch.inf)
    weights = drop(torch.softmax(scores, dim=-1))
    return weights @ values, weights

# %% wrong dropped_attention: dropout-renormalised
# divides each row by its sum after dropping, so that it adds up to 1 again (0 / 0 in a row that lost all)
def my_dropped_attention(queries, keys, values, mask, drop):
    d_k = keys.size(-1)
    attn = torch.einsum("...qd,...kd->...qk", queries, keys) / math.sqrt(d_k)
    attn = torch.softmax(attn.masked_fill(mask.logical_not(), float("-inf")), -1)
    attn = drop(attn)
    attn = attn / attn.sum(-1, keepdim=True)
    return attn @ values, attn

# %% wrong dropped_attention: drop-by-row
# drops row by row in a loop: drop is called once for each query, not once on the whole table
def my_dropped_attention(queries, keys, values, mask, drop):
    attn_scores = queries @ keys.transpose(-2, -1)
    attn_scores = attn_scores / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    rows = [drop(attn_weights[..., i, :]) for i in range(attn_weights.shape[-2])]
    attn_weights = torch.stack(rows, dim=-2)
    return attn_weights @ values, attn_weights

# %% wrong dropped_attention: dropout-before-softmax
# drops the scores after the mask and before softmax: a cut score of 0 still gets weight
def my_dropped_attention(queries, keys, values, mask, drop):
    raw = queries @ keys.mT
    scaled = drop(raw / queries.shape[-1] ** 0.5)
    scaled = torch.where(mask, scaled, torch.tensor(-torch.inf))
    w = scaled.softmax(dim=-1)
    return w @ values, w

# %% wrong dropped_attention: dropout-not-applied
# drops the context vectors as well: a second call of drop, on something that is not the table of weights
def my_dropped_attention(queries, keys, values, mask, drop):
    def weights_of(q, k):
        s = (q * q.shape[-1] ** -0.5) @ k.transpose(-1, -2)
        s = s.masked_fill(mask == 0, -torch.inf)
        return torch.softmax(s, dim=-1)

    table = drop(weights_of(queries, keys))
    mixed = drop(table @ values)
    return mixed, table

# %% wrong dropped_attention: scale-by-values
# divides by the root of the width of the values, in place of that of the keys: seen only where the two differ
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = torch.matmul(queries, keys.transpose(-2, -1))
    scores = scores / values.shape[-1] ** 0.5
    scores[..., ~mask] = -torch.inf
    attn_weights = drop(torch.softmax(scores, dim=-1))
    context_vecs = attn_weights @ values
    return context_vecs, attn_weights

# %% right dropped_attention
# the mask is added: the logarithm of 1 and 0 is 0 and -inf; einsum; queries scaled before the product
def my_dropped_attention(queries, keys, values, mask, drop):
    bias = torch.log(mask.to(queries.dtype))
    scaled = queries / math.sqrt(queries.size(-1))
    table = torch.softmax(torch.einsum("...id,...jd->...ij", scaled, keys) + bias, dim=-1)
    table = drop(table)
    return torch.einsum("...ij,...jd->...id", table, values), table

# %% right dropped_attention
# mixes the values by a sum over a product with more axes, no @ in it; mask by torch.where
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = (queries.unsqueeze(-2) * keys.unsqueeze(-3)).sum(-1) * keys.shape[-1] ** -0.5
    closed = torch.full_like(scores, -torch.inf)
    attn_weights = drop(torch.softmax(torch.where(mask, scores, closed), -1))
    context_vecs = (attn_weights.unsqueeze(-1) * values.unsqueeze(-3)).sum(-2)
    return context_vecs, attn_weights

# %% wrong dropout_layer: dropout-in-eval
# asks self.train, which is a method and always true, in place of self.training: it drops in eval mode too
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError("p must be in [0, 1)")
        self.p = p

    def forward(self, x):
        if not self.train:
            return x
        keep = torch.rand_like(x) >= self.p
        return x * keep / (1 - self.p)

# %% wrong dropout_layer: same-draw
# keeps the first draw for a shape and uses it again: not anew at each call
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError("rate out of range")
        self.p = p
        self.keep = None

    def forward(self, x):
        if not self.training:
            return x
        if self.keep is None or self.keep.shape != x.shape:
            self.keep = (torch.rand(x.shape) >= self.p) / (1 - self.p)
        return x * self.keep

# %% wrong dropout_layer: range-late
# the rate is looked at in forward only: a wrong rate is refused when the layer is called, not when it is made
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        if self.p < 0 or self.p >= 1:
            raise ValueError(f"p = {self.p}")
        if self.training:
            noise = torch.rand_like(x)
            return torch.where(noise < self.p, 0.0, x / (1 - self.p))
        return x

# %% right dropout_layer
# right all the same, by the words of the prompt
# everything under no_grad: right numbers, but no gradient gets through the layer in training
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p >= 1 or p < 0:
            raise ValueError("p")
        self.rate = p

    def forward(self, x):
        if self.training is False:
            return x
        with torch.no_grad():
            mask = (torch.rand_like(x) > self.rate).float()
            out = x * mask / (1 - self.rate)
        return out

# %% wrong dropout_layer: columns-together
# one random number for each column: all rows lose the same columns, in place of a draw for each number
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not (p >= 0 and p < 1):
            raise ValueError("A rate is a share.")
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        columns = torch.rand(x.shape[-1])
        return x.masked_fill(columns < self.p, 0.0) / (1 - self.p)

# %% wrong dropout_layer: eval-scaled
# makes up for the loss in use, not in training: the rest is not made larger, and eval mode gives x * (1 - p)
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0:
            raise ValueError("too small")
        if p >= 1:
            raise ValueError("too large")
        self.share_kept = 1 - p

    def forward(self, x):
        if self.training:
            return x * (torch.rand_like(x) < self.share_kept)
        return x * self.share_kept

# %% right dropout_layer
# rounds down random numbers shifted by the share kept, clamped to 0 and 1; another attribute name, early return
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError("the rate is a share below 1")
        self.kept = 1.0 - p

    def forward(self, x):
        if not self.training or self.kept == 1.0:
            return x
        switches = torch.floor(torch.rand(x.shape, device=x.device, dtype=x.dtype) + self.kept).clamp(0, 1)
        return x * switches / self.kept

# %% right dropout_layer
# a flat draw cut to shape by a helper, written with torch.where; a small buffer holds the rate
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if float(p) < 0.0 or float(p) >= 1.0:
            raise ValueError(f"no such rate: {p}")
        self.register_buffer("rate", torch.tensor(float(p)))

    def _lost(self, x):
        return torch.rand(x.numel(), device=x.device).reshape(x.shape) < self.rate

    def forward(self, x):
        if self.training:
            larger = x / (1 - self.rate.item())
            return torch.where(self._lost(x), torch.zeros_like(larger), larger)
        return x

# %% wrong evaluate: stays-in-eval
# modules() is a generator: after the list of modes it is used up, so the second loop puts nothing back
def my_evaluate(model, x):
    parts = model.modules()
    modes = [part.training for part in parts]
    model.eval()
    try:
        return model(x)
    finally:
        for part, mode in zip(parts, modes):
            part.training = mode

# %% wrong evaluate: parts-forgotten
# puts the modes back with .train(mode), parts first and the whole last: that overwrites all parts with its own mode
def my_evaluate(model, x):
    saved = [(m, m.training) for m in model.modules()]
    try:
        model.eval()
        result = model(x)
    finally:
        while saved:
            m, was_training = saved.pop()
            m.train(was_training)
    return result

# %% wrong evaluate: dropout-layers-only
# switches only layers of the class nn.Dropout: F.dropout(training=self.training) and a dropout layer
# of one's own, which is another class, drop on
def my_evaluate(model, x):
    switched = []
    for layer in model.modules():
        if isinstance(layer, nn.Dropout) and layer.training:
            layer.eval()
            switched.append(layer)
    try:
        out = model(x)
    finally:
        for layer in switched:
            layer.train()
    return out

# %% wrong evaluate: no-eval
# takes no_grad for eval: in training mode it still drops
def my_evaluate(model, x):
    with torch.no_grad():
        output = model(x)
    return output

# %% wrong evaluate: parts-forgotten
# keeps the mode of the whole model only, and hands it to all parts: what was in eval mode on purpose is in training
def my_evaluate(model, x):
    before = model.training
    model.eval()
    try:
        return model(x)
    finally:
        model.train(before)

# %% wrong evaluate: not-after-error
# the modes are put back after the call, without finally: if the call fails, the model stays in eval mode
def my_evaluate(model, x):
    modes = {}
    for name, part in model.named_modules():
        modes[name] = part.training
    y = model.eval()(x)
    for name, part in model.named_modules():
        part.training = modes[name]
    return y

# %% right evaluate
# a context manager of its own; remembers only the parts that were in training
def my_evaluate(model, x):
    from contextlib import contextmanager

    @contextmanager
    def resting(module):
        busy = [part for part in module.modules() if part.training]
        module.eval()
        try:
            yield module
        finally:
            for part in busy:
                part.training = True

    with resting(model) as still:
        return still(x)

# %% right evaluate
# no finally: the failure is caught, the modes put back, and the same failure raised again
def my_evaluate(model, x):
    modes = [part.training for part in model.modules()]

    def put_back():
        for part, mode in zip(model.modules(), modes):
            setattr(part, "training", mode)

    model.eval()
    try:
        result = model(x)
    except BaseException:
        put_back()
        raise
    put_back()
    return result
