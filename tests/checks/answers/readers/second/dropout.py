# %% wrong dropout: input-changed
# flatten() gives a view of a contiguous x, so writing the zeros into it changes the x of the caller
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError("p must be in [0, 1)")
    flat = x.flatten()
    flat[noise.flatten() < p] = 0.0
    return flat.reshape(x.shape) / (1 - p)


# %% wrong dropout: rescale-by-count
# makes up for the loss by the share that was really kept in this draw (mean of keep), not by 1 - p
def my_dropout(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(f"rate {p}")
    keep = (noise >= p).to(x.dtype)
    share_kept = keep.mean()
    return x * keep / share_kept


# %% wrong dropout: dropout-inverted
# the two choices of torch.where are swapped: what should be dropped is kept, and the other way round
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError
    larger = x / (1 - p)
    return torch.where(noise < p, larger, torch.zeros_like(x))


# %% wrong dropout: dropout-missing
# masked_fill (without underscore) returns a new tensor, and that is thrown away: nothing is dropped
def my_dropout(x, noise, p):
    if p < 0.0:
        raise ValueError("negative rate")
    if p >= 1.0:
        raise ValueError("nothing would be kept")
    result = x.clone()
    result.masked_fill(noise < p, 0.0)
    result = result / (1.0 - p)
    return result


# %% wrong dropout: range-zero
# refuses p = 0 too (0 < p): a rate of 0 is allowed and must give x
def my_dropout(x, noise, p):
    if not (0 < p < 1):
        raise ValueError("p has to lie between 0 and 1")
    scale = 1 / (1 - p)
    return torch.mul(x, noise.ge(p)) * scale


# %% wrong dropout: half-rate
# rounds the noise to 0 or 1 to get the mask: right for p = 0.5 only
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError("p")
    zeros_and_ones = noise.round()
    return x * zeros_and_ones / (1 - p)


# %% wrong dropout: survivors-only
# selects the kept numbers by a boolean index: the result is a flat list of them, without the zeros and the shape of x
def my_dropout(x, noise, p):
    if p >= 1 or p < 0:
        raise ValueError("a rate is a share")
    kept = x[noise >= p]
    return kept / (1 - p)


# %% wrong dropped_attention: dropout-not-applied
# drop is called twice: the context vectors come from one draw, the returned weights from another
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    weights = torch.softmax(scores.masked_fill(~mask, float("-inf")), dim=-1)
    return drop(weights) @ values, drop(weights)


# %% wrong dropped_attention: softmax-again
# softmax is taken a second time after the drop, so that rows sum to 1 again: dropped weights are no longer 0
def my_dropped_attention(queries, keys, values, mask, drop):
    d_k = queries.size(-1)
    attn_scores = torch.einsum("...qd,...kd->...qk", queries, keys) / math.sqrt(d_k)
    attn_scores = attn_scores.masked_fill(~mask, -torch.inf)
    attn_weights = torch.softmax(attn_scores, dim=-1)
    attn_weights = drop(attn_weights)
    attn_weights = torch.softmax(attn_weights, dim=-1)
    return attn_weights @ values, attn_weights


# %% wrong dropped_attention: dropout-on-mask
# drops connections of the mask (and softmax comes after that): rows sum to 1, or are nan where all is gone
def my_dropped_attention(queries, keys, values, mask, drop):
    still_open = drop(mask.float()) > 0
    scores = queries @ keys.mT / queries.shape[-1] ** 0.5
    scores = scores.masked_fill(~still_open, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return weights @ values, weights


# %% wrong dropped_attention: mask-after-softmax
# softmax over all keys, then the mask by multiplication: closed keys have taken their part of the sum
def my_dropped_attention(queries, keys, values, mask, drop):
    all_weights = torch.softmax(queries @ keys.transpose(-1, -2) * queries.shape[-1] ** -0.5, dim=-1)
    open_weights = all_weights * mask
    dropped = drop(open_weights)
    context_vecs = dropped @ values
    return context_vecs, dropped


# %% wrong dropped_attention: scale-by-values
# divides by the root of the width of the values, not of the keys: shows only when the two differ
def my_dropped_attention(queries, keys, values, mask, drop):
    width = values.shape[-1]
    attn_scores = queries @ keys.transpose(-2, -1)
    attn_scores = attn_scores / width**0.5
    attn_scores[~mask.expand_as(attn_scores)] = -torch.inf
    attn_weights = drop(torch.softmax(attn_scores, dim=-1))
    return attn_weights @ values, attn_weights


# %% wrong dropped_attention: dropout-missing
# takes drop for something that works in place: its result is thrown away, nothing is dropped
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries.matmul(keys.transpose(-2, -1)).div(queries.shape[-1] ** 0.5)
    scores.masked_fill_(mask.logical_not(), -torch.inf)
    w = scores.softmax(dim=-1)
    drop(w)
    out = w.matmul(values)
    return out, w


# %% wrong dropped_attention: drop-by-row
# calls drop on each row in a loop, in place of once on the whole table
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
    rows = []
    for i in range(weights.shape[-2]):
        rows.append(drop(weights[..., i, :]))
    weights = torch.stack(rows, dim=-2)
    return weights @ values, weights


# %% wrong dropout_layer: mode-overridden
# overrides eval(): a model that holds the layer switches its parts by train(False), and never calls this eval
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError("p must be in [0, 1)")
        self.p = p
        self.active = True

    def eval(self):
        self.active = False
        return super().eval()

    def forward(self, x):
        if not self.active:
            return x
        return x * (torch.rand_like(x) >= self.p) / (1 - self.p)


# %% wrong dropout_layer: eval-scaled
# the older way round: training leaves the kept numbers as they are, eval mode multiplies by 1 - p
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"p = {p}")
        self.p = p

    def forward(self, x):
        if self.training:
            return x.masked_fill(torch.rand(x.shape) < self.p, 0.0)
        return x * (1 - self.p)


# %% wrong dropout_layer: same-draw
# a seed is set in forward, so every call cuts the same numbers (and the generator of all others is disturbed)
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError
        self.p = p

    def forward(self, x):
        if self.training:
            torch.manual_seed(123)
            keep = (torch.rand(x.shape) >= self.p).float()
            x = x * keep / (1 - self.p)
        return x


# %% wrong dropout_layer: eval-nothing
# no return in eval mode: forward gives None
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError("rate out of range")
        self.rate = p

    def forward(self, x):
        if self.training:
            noise = torch.rand_like(x)
            return torch.where(noise < self.rate, 0.0, x / (1 - self.rate))


# %% wrong dropout_layer: range-late
# the rate is checked in forward, not when the layer is made
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        if self.p < 0 or self.p >= 1:
            raise ValueError("dropout rate must be in [0, 1)")
        if not self.training:
            return x
        mask = torch.rand_like(x) > self.p
        return mask * x / (1 - self.p)


# %% wrong dropout_layer: columns-together
# draws one number for each feature (last axis): all rows lose the same columns
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError("p")
        self.p = p
        self.scale = 1 / (1 - p)

    def forward(self, x):
        if not self.training:
            return x
        noise = torch.rand(x.size(-1))
        return (x * self.scale) * (noise >= self.p)


# %% wrong dropout_layer: dropout-in-eval
# asks whether gradients are kept, not self.training: drops in eval mode, and stops under no_grad in training mode
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not (p >= 0 and p < 1):
            raise ValueError("p has to be a share")
        self.p = p

    def forward(self, x):
        if torch.is_grad_enabled():
            return x.where(torch.rand_like(x) >= self.p, torch.zeros_like(x)) / (1 - self.p)
        return x


# %% wrong evaluate: stays-in-eval
# a generator expression is read lazily: the modes are looked up only after model.eval(), so all are False
def my_evaluate(model, x):
    modes = (module.training for module in model.modules())
    model.eval()
    try:
        return model(x)
    finally:
        for module, mode in zip(model.modules(), modes):
            module.training = mode


# %% wrong evaluate: parts-forgotten
# restores from the end by train(mode), the model itself last: that puts all parts in the mode of the whole
def my_evaluate(model, x):
    parts = list(model.modules())
    modes = [part.training for part in parts]
    model.eval()
    try:
        out = model(x)
    finally:
        while parts:
            parts.pop().train(modes.pop())
    return out


# %% wrong evaluate: stays-in-eval
# thinks that the mode is part of the state_dict: weights are put back, but the model stays in eval mode
def my_evaluate(model, x):
    saved = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    model.eval()
    try:
        return model(x)
    finally:
        model.load_state_dict(saved)


# %% wrong evaluate: dropout-layers-only
# switches parts of the class nn.Dropout alone: F.dropout, attention's dropout and self-made layers go on dropping
def my_evaluate(model, x):
    dropouts = [m for m in model.modules() if isinstance(m, nn.Dropout)]
    before = [m.training for m in dropouts]
    try:
        for m in dropouts:
            m.eval()
        return model(x)
    finally:
        for m, mode in zip(dropouts, before):
            m.train(mode)


# %% wrong evaluate: first-level-only
# children() are the direct parts only: parts of parts get the mode of their parent back
def my_evaluate(model, x):
    whole = model.training
    children_modes = {name: child.training for name, child in model.named_children()}
    model.eval()
    try:
        result = model(x)
    finally:
        model.training = whole
        for name, child in model.named_children():
            child.train(children_modes[name])
    return result


# %% wrong evaluate: not-after-any-error
# puts the modes back for one kind of error only (and when all goes well); any other error leaves the model in eval
def my_evaluate(model, x):
    def restore():
        for m, flag in modes:
            m.training = flag

    modes = [(m, m.training) for m in model.modules()]
    model.eval()
    try:
        y = model(x)
    except ValueError:
        restore()
        raise
    restore()
    return y


# %% wrong evaluate: one-mode-a-class
# keeps one mode for each class of part: two parts of the same class in different modes are given the same one
def my_evaluate(model, x):
    mode_of = {}
    for module in model.modules():
        mode_of[type(module).__name__] = module.training
    model.eval()
    try:
        return model(x)
    finally:
        for module in model.modules():
            module.training = mode_of[type(module).__name__]
