# %% wrong dropout: rescale-multiplied
# multiplies what is kept by 1 - p in place of dividing: it becomes smaller, not larger
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError(f"p must be in [0, 1), got {p}")
    return x * (noise >= p) * (1 - p)

# %% wrong dropout: edge-dropped
# noise that equals p is dropped too: the prompt says below p (with p = 0, a noise of exactly 0 drops something)
def my_dropout(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(f"a rate of {p} makes no sense")
    kept = noise > p
    return torch.where(kept, x / (1 - p), 0.0)

# %% wrong dropout: input-changed
# writes the zeros into x itself: the tensor that was handed in is changed
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError("rate out of range")
    out = x
    out[noise < p] = 0
    return out / (1 - p)

# %% wrong dropout: rescale-by-count
# makes up with the share that was really kept in this draw, in place of 1 - p
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError(f"p = {p}")
    keep = (noise >= p).to(x.dtype)
    share_kept = keep.mean()
    return x * keep / share_kept

# %% wrong dropout: range-zero
# refuses a rate of 0 as well, which is allowed and drops nothing
def my_dropout(x, noise, p):
    if p <= 0 or p >= 1:
        raise ValueError(f"p must lie between 0 and 1, but is {p}")
    return (x / (1 - p)).masked_fill(noise < p, 0.0)

# %% wrong dropout: if-on-table
# a Python if on a whole tensor: the truth of many numbers is ambiguous, RuntimeError
def my_dropout(x, noise, p):
    if not (0 <= p < 1):
        raise ValueError(f"invalid rate {p}")
    if noise < p:
        return torch.zeros_like(x)
    return x / (1 - p)

# %% right dropout
# masked_fill on a larger copy
def my_dropout(x, noise, p):
    keep_share = 1 - p
    if keep_share <= 0 or keep_share > 1:
        raise ValueError(f"rate {p} is not in [0, 1)")
    return x.div(keep_share).masked_fill(noise.lt(p), 0)

# %% right dropout
# number by number in plain Python, then back into the shape
def my_dropout(x, noise, p):
    if p < 0:
        raise ValueError(f"rate below 0: {p}")
    if p >= 1:
        raise ValueError(f"rate of 1 or more: {p}")
    numbers = []
    for number, drawn in zip(x.flatten().tolist(), noise.flatten().tolist()):
        numbers.append(0.0 if drawn < p else number / (1 - p))
    return torch.tensor(numbers, dtype=x.dtype).reshape(x.shape)

# %% wrong dropped_attention: dropout-before-softmax
# drops the scores, before softmax: a score of 0 still gets weight
def my_dropped_attention(queries, keys, values, mask, drop):
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    attn_scores = drop(attn_scores)
    attn_scores = attn_scores.masked_fill(~mask, -torch.inf)
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights

# %% wrong dropped_attention: dropout-not-applied
# calls drop twice: the weights returned come from another draw than those that were applied
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
    weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    return drop(weights) @ values, drop(weights)

# %% wrong dropped_attention: weights-before-drop
# returns the weights as they were before dropping; the context vectors are right
def my_dropped_attention(queries, keys, values, mask, drop):
    scale = queries.shape[-1] ** -0.5
    att = torch.einsum("...qd,...kd->...qk", queries, keys) * scale
    att = F.softmax(torch.where(mask, att, float("-inf")), dim=-1)
    y = drop(att) @ values
    return y, att

# %% wrong dropped_attention: dropout-renormalised
# divides each row by its sum again after dropping: rows add up to 1, and an empty row becomes nan
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = (queries @ keys.transpose(-2, -1)) / queries.shape[-1] ** 0.5
    weights = torch.softmax(scores.masked_fill(mask.logical_not(), -torch.inf), dim=-1)
    weights = drop(weights)
    weights = weights / weights.sum(dim=-1, keepdim=True)
    return weights @ values, weights

# %% wrong dropped_attention: drop-by-row
# calls drop once for each row of queries, not once on the whole table
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    attn_weights = torch.softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
    rows = [drop(attn_weights[..., i, :]) for i in range(attn_weights.shape[-2])]
    dropped = torch.stack(rows, dim=-2)
    return dropped @ values, dropped

# %% wrong dropped_attention: dropout-missing
# calls drop as if it worked in place, and throws its result away: nothing is dropped
def my_dropped_attention(queries, keys, values, mask, drop):
    d_k = queries.shape[-1]
    additive = torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / d_k**0.5 + additive, dim=-1)
    drop(attn_weights)
    context_vecs = attn_weights @ values
    return context_vecs, attn_weights

# %% wrong dropped_attention: mask-after-softmax + no-scale
# two mistakes: the mask erases weights after softmax without sharing out 1 again, and the scores are not scaled
def my_dropped_attention(queries, keys, values, mask, drop):
    weights = torch.softmax(queries @ keys.transpose(-2, -1), dim=-1)
    weights = weights * mask
    weights = drop(weights)
    return weights @ values, weights

# %% right dropped_attention
# an additive mask from a logarithm, einsum for the mix
def my_dropped_attention(queries, keys, values, mask, drop):
    scores = torch.einsum("...id,...jd->...ij", queries / queries.size(-1) ** 0.5, keys)
    applied = drop(torch.softmax(scores + mask.to(scores.dtype).log(), -1))
    return torch.einsum("...ij,...jv->...iv", applied, values), applied

# %% right dropped_attention
# where in place of masked_fill, rows with nothing open made zeros before drop is called
def my_dropped_attention(queries, keys, values, mask, drop):
    def open_softmax(scores):
        closed = torch.full_like(scores, -torch.inf)
        return torch.nan_to_num(F.softmax(torch.where(mask, scores, closed), dim=-1), nan=0.0)

    root = math.sqrt(keys.shape[-1])
    attn_weights = drop(open_softmax(torch.matmul(queries, keys.transpose(-1, -2)) / root))
    return torch.matmul(attn_weights, values), attn_weights

# %% wrong dropout_layer: dropout-in-eval
# self.train is a method, and always true: the layer drops in eval mode as well (self.training was meant)
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError(f"p must be in [0, 1), got {p}")
        self.p = p

    def forward(self, x):
        if self.train:
            return x * (torch.rand_like(x) >= self.p) / (1 - self.p)
        return x

# %% wrong dropout_layer: same-draw
# draws once and keeps the noise for later calls of the same shape: not anew at each call
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"rate {p} is not in [0, 1)")
        self.p = p
        self.noise = None

    def forward(self, x):
        if not self.training:
            return x
        if self.noise is None or self.noise.shape != x.shape:
            self.noise = torch.rand(x.shape)
        return torch.where(self.noise < self.p, 0.0, x / (1 - self.p))

# %% wrong dropout_layer: eval-scaled
# dropout as first published: nothing is made larger in training, and eval mode multiplies by 1 - p
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError(f"bad rate {p}")
        self.keep_prob = 1 - p

    def forward(self, x):
        if self.training:
            return x * (torch.rand_like(x) < self.keep_prob)
        else:
            return x * self.keep_prob

# %% wrong dropout_layer: randn-for-rand
# normal noise (randn) in place of evenly spread noise (rand): the share dropped is not p
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p
        if self.p < 0 or self.p >= 1:
            raise ValueError(f"p = {p} makes no sense")

    def forward(self, x):
        if not self.training:
            return x
        noise = torch.randn(x.shape)
        keep = (noise >= self.p).float()
        return x * keep / (1 - self.p)

# %% wrong dropout_layer: range-late
# the rate is checked in forward, not when the layer is made: MyDropout(1.5) raises nothing
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        if self.p < 0 or self.p >= 1:
            raise ValueError(f"dropout rate must be in [0, 1), got {self.p}")
        if self.training:
            dropped = torch.rand_like(x) < self.p
            return (x / (1 - self.p)).masked_fill(dropped, 0.0)
        return x

# %% wrong dropout_layer: - "The numbers are right at first. In a further test, a second "
# p is not kept in self: in training mode, forward stops with a NameError (eval mode works)
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError(f"p must be at least 0 and below 1, got {p}")

    def forward(self, x):
        if self.training:
            keep = torch.rand(x.shape) >= p
            return x * keep / (1 - p)
        return x

# %% wrong dropout_layer: range-one
# a rate of exactly 1 is let through, and then divides by 0 in training
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0.0 or p > 1.0:
            raise ValueError("dropout probability has to be between 0 and 1, but got {}".format(p))
        self.p = p
        self.scale = lambda kept: kept / (1 - self.p)

    def forward(self, x):
        if not self.training:
            return x
        mask = torch.rand(*x.shape) >= self.p
        return self.scale(x * mask)

# %% right dropout_layer
# rounding down of noise + keep gives 0 or 1, as in some published code; the rate kept under another name
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not (p >= 0 and p < 1):
            raise ValueError(f"MyDropout: {p!r} is no rate")
        self.keep = 1.0 - p

    def forward(self, x):
        if not self.training or self.keep == 1.0:
            return x
        ones_and_zeros = torch.floor(torch.rand_like(x) + self.keep)
        return x.div(self.keep) * ones_and_zeros

# %% right dropout_layer
# a copy of x, zeros written by index; a helper that checks the rate
def checked(rate):
    if 0 <= rate < 1:
        return rate
    raise ValueError(f"rate out of range: {rate}")


class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.rate = checked(p)

    def forward(self, x):
        return self._dropped(x) if self.training else x

    def _dropped(self, x):
        larger = x * (1 / (1 - self.rate))
        larger[torch.rand(x.shape, device=x.device) < self.rate] = 0
        return larger

# %% wrong evaluate: parts-forgotten
# keeps the mode of the whole model only: parts that were in eval mode on purpose are switched to training
def my_evaluate(model, x):
    was_training = model.training
    model.eval()
    try:
        return model(x)
    finally:
        model.train(was_training)

# %% wrong evaluate: not-after-error
# no try and finally: when the call fails, the model is left in eval mode
def my_evaluate(model, x):
    modes = [part.training for part in model.modules()]
    model.eval()
    out = model(x)
    for part, mode in zip(model.modules(), modes):
        part.training = mode
    return out

# %% wrong evaluate: stays-in-eval
# round brackets make a generator, which reads the modes only after eval(): all are False by then
def my_evaluate(model, x):
    modes = (part.training for part in model.modules())
    model.eval()
    try:
        return model(x)
    finally:
        for part, mode in zip(model.modules(), modes):
            part.training = mode

# %% wrong evaluate: dropout-layers-only
# switches off nn.Dropout layers alone: layers of other classes that drop in training mode go on dropping
def my_evaluate(model, x):
    switched = []
    for part in model.modules():
        if isinstance(part, nn.Dropout) and part.training:
            part.training = False
            switched.append(part)
    try:
        return model(x)
    finally:
        for part in switched:
            part.training = True

# %% wrong evaluate: parts-forgotten
# calls .train() on each part that was training: that switches its own parts too, and nobody switches them back
def my_evaluate(model, x):
    were_training = [m for m in model.modules() if m.training]
    model.eval()
    try:
        result = model(x)
    finally:
        for m in were_training:
            m.train()
    return result

# %% wrong evaluate: first-level-only
# children() are the direct parts only: the modes of the parts within parts are not kept, they stay in eval mode
def my_evaluate(model, x):
    saved = {name: child.training for name, child in model.named_children()}
    own = model.training
    model.eval()
    try:
        return model(x)
    finally:
        model.training = own
        for name, child in model.named_children():
            child.training = saved[name]

# %% wrong evaluate: always-train
# two mistakes: always ends in training mode, whatever it was before, and not at all when the call fails
def my_evaluate(model, x):
    model.eval()
    with torch.no_grad():
        y = model(x)
    model.train()
    return y

# %% right evaluate
# a context manager with a dict from part to mode
import contextlib


@contextlib.contextmanager
def eval_mode(model):
    modes = {part: part.training for part in model.modules()}
    model.eval()
    try:
        yield model
    finally:
        for part in modes:
            part.training = modes[part]


def my_evaluate(model, x):
    with eval_mode(model) as quiet:
        return quiet(x)

# %% right evaluate
# train(mode) for each part, the whole before its parts, so that the parts have the last word; error passed on
def my_evaluate(model, x):
    before = [(part, part.training) for part in model.modules()]

    def restore():
        for part, mode in before:
            part.train(mode)

    try:
        answer = model.eval()(x)
    except BaseException:
        restore()
        raise
    restore()
    return answer
