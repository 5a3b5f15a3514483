# %% wrong dropout: dropout-no-rescale
# what is kept is not made larger
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError(f"p must be in [0, 1), got {p}")
    return x * (noise >= p)

# %% wrong dropout: rescale-multiplied
# makes smaller in place of larger: multiplies by 1 - p
def my_dropout(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(f"rate {p} makes no sense")
    kept = torch.where(noise < p, 0.0, x)
    return kept * (1 - p)

# %% wrong dropout: dropout-inverted
# turned round: keeps where the noise is below p
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError(f"got p = {p}")
    keep = noise < p
    return x * keep / (1 - p)

# %% wrong dropout: edge-dropped
# drops also where the noise equals p (with p = 0 and a noise of 0 something is dropped)
def my_dropout(x, noise, p):
    if not (0 <= p < 1):
        raise ValueError(f"p = {p}")
    return x * (noise > p) / (1 - p)

# %% wrong dropout: input-changed
# writes zeros into the x that was handed in
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError(f"a rate is a share from 0 to 1, got {p}")
    x[noise < p] = 0.0
    return x / (1 - p)

# %% wrong dropout: range-one
# lets p = 1 through: 0 / 0 or division by zero
def my_dropout(x, noise, p):
    if p < 0 or p > 1:
        raise ValueError(f"p must lie between 0 and 1, not {p}")
    keep = (noise >= p).float()
    return x * keep / (1 - p)

# %% wrong dropout: one-row-only
# the page's loop over one row: with two axes tolist() gives lists, and the comparison stops with an error
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError(f"bad rate: {p}")
    after = []
    for number, drawn in zip(x.tolist(), noise.tolist()):
        after.append(0.0 if drawn < p else number / (1 - p))
    return torch.tensor(after)

# %% wrong dropout: rescale-by-count
# divides by the share that was kept in this draw, not by 1 - p
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError(f"p is {p}")
    kept = noise >= p
    return x * kept / kept.float().mean()

# %% right dropout
# masked_fill of an enlarged copy
def my_dropout(x, noise, p):
    if 0 <= p < 1:
        return (x / (1 - p)).masked_fill(noise < p, 0)
    raise ValueError(f"dropout rate out of range: {p}")

# %% right dropout
# a step function of the distance to p: 0 below, 1 from p on
def my_dropout(x, noise, p):
    if p < 0:
        raise ValueError("negative rate")
    if p >= 1:
        raise ValueError("a rate of 1 or more drops everything")
    kept = torch.heaviside(noise - p, noise.new_ones(()))
    return x.mul(kept).div(1 - p)

# %% wrong dropped_attention: dropout-before-softmax
# drops the scores, before mask and softmax: no connection is cut
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = drop(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5)
    attn_weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong dropped_attention: weights-before-drop
# returns the weights before dropping
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries @ keys.mT / math.sqrt(queries.shape[-1])
    weights = torch.softmax(torch.where(mask, scores, -torch.inf), dim=-1)
    context_vecs = drop(weights) @ values
    return context_vecs, weights

# %% wrong dropped_attention: dropout-not-applied
# calls drop twice: the weights returned are another draw than those that mixed the values
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = torch.einsum("...qd,...kd->...qk", queries, keys) * queries.shape[-1] ** -0.5
    attn_weights = torch.softmax(scores.masked_fill(~mask, float("-inf")), -1)
    return drop(attn_weights) @ values, drop(attn_weights)

# %% wrong dropped_attention: dropout-on-output
# drops the context vectors, not the weights
def my_dropped_attention(queries, keys, values, mask, drop):
    attn_scores = queries @ keys.transpose(-2, -1)
    attn_scores = attn_scores / queries.shape[-1] ** 0.5
    attn_scores = attn_scores.masked_fill(~mask, -torch.inf)
    attn_weights = torch.softmax(attn_scores, dim=-1)
    context_vecs = drop(attn_weights @ values)
    return context_vecs, attn_weights

# %% wrong dropped_attention: dropout-renormalised
# divides each row by its sum again after dropping: rows add up to 1 again, an empty row is nan
def my_dropped_attention(queries, keys, values, mask, drop):
    s = queries @ keys.transpose(-1, -2) / keys.shape[-1] ** 0.5
    w = drop(torch.softmax(s.masked_fill(mask.logical_not(), -torch.inf), dim=-1))
    w = w / w.sum(dim=-1, keepdim=True)
    return w @ values, w

# %% wrong dropped_attention: mask-inverted
# True taken for hidden
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    scores = scores.masked_fill(mask, -torch.inf)
    applied = drop(torch.softmax(scores, dim=-1))
    return applied @ values, applied

# %% wrong dropped_attention: drop-by-row
# calls drop row by row, not once on the whole table
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
    flat = weights.reshape(-1, weights.shape[-1])
    dropped = torch.stack([drop(row) for row in flat]).reshape(weights.shape)
    return dropped @ values, dropped

# %% wrong dropped_attention: ready-made
# hands everything to the course's function, which the prompt forbids
def my_dropped_attention(queries, keys, values, mask, drop):
    return attention.scaled_dot_product_attention(queries, keys, values, mask=mask, dropout=drop)

# %% wrong dropped_attention: drop-not-mixed + no-scale
# two mistakes: not scaled, and the context vectors are mixed before dropping
def my_dropped_attention(queries, keys, values, mask, drop):
    dots = queries @ keys.transpose(-2, -1)
    attn_weights = torch.softmax(dots.masked_fill(~mask, -torch.inf), dim=-1)
    context_vecs = attn_weights @ values
    attn_weights = drop(attn_weights)
    return context_vecs, attn_weights

# %% right dropped_attention
# an additive mask by a logarithm, a helper for the weights
def _weights(queries, keys, mask):
    root = queries.shape[-1] ** 0.25
    scores = (queries / root) @ (keys / root).mT
    return torch.softmax(scores + mask.to(scores.dtype).log(), dim=-1)


def my_dropped_attention(queries, keys, values, mask, drop):
    applied = drop(_weights(queries, keys, mask))
    return applied @ values, applied

# %% right dropped_attention
# einsum; rows with nothing open are set to zeros, as in causal_masking
def my_dropped_attention(queries, keys, values, mask, drop):
    scale = 1 / math.sqrt(queries.shape[-1])
    scores = torch.einsum("...id,...jd->...ij", queries, keys).mul(scale)
    shares = torch.where(mask, scores, torch.tensor(-torch.inf, dtype=scores.dtype)).softmax(dim=-1)
    shares = torch.nan_to_num(shares, nan=0.0)
    shares = drop(shares)
    return torch.einsum("...ij,...jv->...iv", shares, values), shares

# %% wrong dropout_layer: dropout-in-eval
# does not ask for the mode: drops in eval mode too
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError(f"p must be in [0, 1), got {p}")
        self.p = p

    def forward(self, x):
        keep = torch.rand_like(x) >= self.p
        return x * keep / (1 - self.p)

# %% wrong dropout_layer: eval-scaled
# two mistakes: nothing is made larger in training, and eval mode does not give x back but x made smaller
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"got {p}")
        self.p = p

    def forward(self, x):
        if self.training:
            return x * (torch.rand(x.shape) >= self.p)
        return x * (1 - self.p)

# %% wrong dropout_layer: same-draw
# the noise is kept from the first call on: not drawn anew, and only one shape works
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError(f"p = {p}")
        self.p, self.noise = p, None

    def forward(self, x):
        if not self.training:
            return x
        if self.noise is None:
            self.noise = torch.rand(x.shape)
        return torch.where(self.noise < self.p, 0.0, x / (1 - self.p))

# %% wrong dropout_layer: range-late
# the rate is looked at in forward, not when the layer is made
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        if self.p < 0 or self.p >= 1:
            raise ValueError(f"rate {self.p}")
        if self.training:
            noise = torch.rand(*x.shape)
            return (noise >= self.p) * x / (1 - self.p)
        return x

# %% wrong dropout_layer: columns-together
# one draw for each column: all rows lose the same numbers
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not (0 <= p < 1):
            raise ValueError(f"{p} is not a share")
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        noise = torch.rand(x.shape[-1])
        return x * (noise >= self.p) / (1 - self.p)

# %% wrong dropout_layer: randn-for-rand
# randn in place of rand: numbers around 0, so more than p of them lie below p
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p >= 1 or p < 0:
            raise ValueError("rate must be at least 0 and below 1, got " + repr(p))
        self.rate = p

    def forward(self, x):
        if self.training:
            drawn = torch.randn_like(x)
            x = x.masked_fill(drawn < self.rate, 0.0) / (1 - self.rate)
        return x

# %% wrong dropout_layer: mode-called
# sets self.train, which hides the method of the same name: .eval() stops with an error
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError(f"not a rate: {p}")
        self.p = p
        self.train = True

    def forward(self, x):
        if self.train:
            return x * (torch.rand_like(x) >= self.p) / (1 - self.p)
        return x

# %% wrong dropout_layer: ready-made
# F.dropout, which the prompt forbids
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError(f"p out of range: {p}")
        self.p = p

    def forward(self, x):
        return F.dropout(x, self.p, training=self.training)

# %% wrong dropout_layer: eval-nothing
# the branch for eval mode has no return: None comes back
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"MyDropout needs 0 <= p < 1, got {p}")
        self.keep = 1 - p

    def forward(self, x):
        if self.training:
            return x * (torch.rand(x.shape, device=x.device) < self.keep) / self.keep

# %% right dropout_layer
# a helper draws a table of 0 and 1 / (1 - p); the rate is kept under another name
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.rate = self._checked(p)

    @staticmethod
    def _checked(p):
        if 0 <= p < 1:
            return p
        raise ValueError(f"a rate from 0 to below 1 is needed, not {p}")

    def _table(self, like):
        drawn = torch.rand(like.shape, dtype=like.dtype, device=like.device)
        return torch.where(drawn < self.rate, 0.0, 1 / (1 - self.rate)).to(like.dtype)

    def forward(self, x):
        return x * self._table(x) if self.training else x

# %% right dropout_layer
# keeps with the chance 1 - p: compares the other way round; early returns
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0:
            raise ValueError("rate below 0")
        if p >= 1:
            raise ValueError("rate of 1 or more")
        self.register_buffer("kept", torch.tensor(1.0 - p, dtype=torch.float64))

    def forward(self, x):
        if not self.training or self.kept == 1:
            return x
        keep = torch.rand(x.shape, device=x.device) < self.kept
        return torch.zeros_like(x).masked_scatter(keep, x[keep] / self.kept.to(x.dtype))

# %% wrong evaluate: stays-in-eval
# the model stays in eval mode afterwards
def my_evaluate(model, x):
    model.eval()
    return model(x)

# %% wrong evaluate: always-train
# switches everything to training mode at the end: parts that were in eval mode on purpose are changed
def my_evaluate(model, x):
    model.eval()
    try:
        return model(x)
    finally:
        model.train()

# %% wrong evaluate: parts-forgotten
# keeps the mode of the whole only: parts with another mode get that of the model
def my_evaluate(model, x):
    was_training = model.training
    model.eval()
    try:
        result = model(x)
    finally:
        model.train(was_training)
    return result

# %% wrong evaluate: not-after-error
# no try and finally: when the call fails, the model stays in eval mode
def my_evaluate(model, x):
    modes = [part.training for part in model.modules()]
    model.eval()
    result = model(x)
    for part, mode in zip(model.modules(), modes):
        part.training = mode
    return result

# %% wrong evaluate: no-eval
# no_grad taken for eval: things are still dropped
def my_evaluate(model, x):
    with torch.no_grad():
        return model(x)

# %% wrong evaluate: stays-in-eval
# a generator reads the modes only when they are put back, after eval(): all are False then
def my_evaluate(model, x):
    modes = (module.training for module in model.modules())
    model.eval()
    try:
        return model(x)
    finally:
        for module, mode in zip(model.modules(), modes):
            module.training = mode

# %% wrong evaluate: first-level-only
# only the model and its direct parts are kept, not the parts of parts
def my_evaluate(model, x):
    before = {child: child.training for child in [model, *model.children()]}
    model.eval()
    try:
        return model(x)
    finally:
        for child, mode in before.items():
            child.training = mode

# %% wrong evaluate: parts-forgotten
# puts back with .train(mode) from the inside out: each whole overwrites the modes of its parts
def my_evaluate(model, x):
    parts = list(model.modules())
    modes = [m.training for m in parts]
    model.eval()
    try:
        output = model(x)
    finally:
        for m, mode in reversed(list(zip(parts, modes))):
            m.train(mode)
    return output

# %% wrong evaluate: dropout-layers-only
# switches only the parts that are nn.Dropout: parts that ask for their own mode still drop
def my_evaluate(model, x):
    layers = [m for m in model.modules() if isinstance(m, nn.Dropout)]
    modes = [m.training for m in layers]
    try:
        for m in layers:
            m.eval()
        return model(x)
    finally:
        for m, mode in zip(layers, modes):
            m.training = mode

# %% right evaluate
# recursion over the children collects the modes
def _modes(module, found):
    found.append((module, module.training))
    for child in module.children():
        _modes(child, found)
    return found


def my_evaluate(model, x):
    found = _modes(model, [])
    try:
        return model.eval()(x)
    finally:
        for module, mode in found:
            module.training = mode

# %% right evaluate
# a context manager, and only the parts in training mode are remembered
from contextlib import contextmanager


@contextmanager
def _quiet(model):
    active = {name for name, part in model.named_modules() if part.training}
    model.eval()
    try:
        yield model
    finally:
        for name, part in model.named_modules():
            part.training = name in active


def my_evaluate(model, x):
    with _quiet(model) as quiet:
        out = quiet(x)
    return out
