# %% wrong dropout: input-changed
# works on the tensor it was given (masked_fill_ with an underscore): the caller's x has zeros in it afterwards
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError("p must be in [0, 1)")
    x.masked_fill_(noise < p, 0.0)
    return x / (1 - p)


# %% wrong dropout: flat-result
# the loop of the page over all numbers, and the shape is never given back: everything comes out as one long row
def my_dropout(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(f"p is {p}")
    after = []
    for weight, drawn in zip(x.flatten().tolist(), noise.flatten().tolist()):
        after.append(0.0 if drawn < p else weight / (1 - p))
    return torch.tensor(after)


# %% wrong dropout: error-kind
# refuses a bad rate with assert: that raises an AssertionError, not the ValueError that the prompt asks for
def my_dropout(x, noise, p):
    assert 0 <= p < 1, "ValueError: the rate must be from 0 to below 1"
    keep = noise >= p
    return x * keep / (1 - p)


# %% wrong dropout: rescale-by-count
# divides by the share that was kept in this very draw, counted, in place of 1 - p, which is kept on average
def my_dropout(x, noise, p):
    if p < 0 or p >= 1:
        raise ValueError("no such rate")
    kept = (noise >= p).float()
    share_kept = kept.mean()
    return x * kept / share_kept


# %% wrong dropout: dropout-inverted
# torch.where the wrong way round: what is below p is kept, the rest becomes 0
def my_dropout(x, noise, p):
    if p >= 1:
        raise ValueError("p too large")
    if p < 0:
        raise ValueError("p too small")
    larger = x / (1 - p)
    return torch.where(noise < p, larger, torch.zeros_like(x))


# %% right dropout
# calls itself on each part of the first axis until single numbers are left; for a rate of 0 it hands back x itself
def my_dropout(x, noise, p):
    if not (0 <= p < 1):
        raise ValueError(f"a rate must be in [0, 1), got {p}")
    if p == 0:
        return x
    if x.dim() == 0:
        return x / (1 - p) if noise >= p else torch.zeros_like(x)
    if len(x) == 0:
        return torch.zeros_like(x)
    return torch.stack([my_dropout(part, part_noise, p) for part, part_noise in zip(x, noise)])


# %% right dropout
# starts from zeros and copies over, by a boolean index, only what is kept; a helper looks after the rate
def check_rate(rate):
    if rate < 0:
        raise ValueError("a rate below 0")
    if rate >= 1:
        raise ValueError("a rate of 1 or more drops everything")
    return 1 / (1 - rate)


def my_dropout(x, noise, p):
    factor = check_rate(p)
    result = torch.zeros_like(x)
    kept = ~(noise < p)
    result[kept] = x[kept] * factor
    return result


# %% wrong dropped_attention: dropout-missing
# calls drop, but throws its result away: drop does not change the table, it returns a new one. Nothing is dropped
def my_dropped_attention(queries, keys, values, mask, drop):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_scores = attn_scores.masked_fill(~mask, -torch.inf)
    attn_weights = torch.softmax(attn_scores, dim=-1)
    drop(attn_weights)
    context_vecs = attn_weights @ values
    return context_vecs, attn_weights


# %% wrong dropped_attention: dropout-before-softmax
# drops the scores, before the mask and softmax, and not the weights
def my_dropped_attention(queries, keys, values, mask, drop):
    root = math.sqrt(queries.size(-1))
    s = torch.einsum("...qd,...kd->...qk", queries, keys) / root
    s = drop(s)
    s = torch.where(mask, s, torch.tensor(float("-inf")))
    w = torch.softmax(s, dim=-1)
    return w @ values, w


# %% wrong dropped_attention: weights-before-drop
# the context vectors are made from the dropped weights, but the weights that are returned are those before dropout
def my_dropped_attention(queries, keys, values, mask, drop):
    scaled = (queries / queries.shape[-1] ** 0.5) @ keys.mT
    attn_weights = scaled.masked_fill(mask == False, float("-inf")).softmax(dim=-1)  # noqa: E712
    return torch.matmul(drop(attn_weights), values), attn_weights


# %% wrong dropped_attention: drop-by-row
# calls drop once for each query, on one row of the table after the other, not once on the whole table
def my_dropped_attention(queries, keys, values, mask, drop):
    attn_scores = queries @ keys.transpose(-2, -1) * queries.shape[-1] ** -0.5
    attn_scores = attn_scores.masked_fill(mask.logical_not(), -math.inf)
    attn_weights = torch.softmax(attn_scores, dim=-1)
    rows = []
    for i in range(attn_weights.shape[-2]):
        rows.append(drop(attn_weights[..., i, :]))
    attn_weights = torch.stack(rows, dim=-2)
    return attn_weights @ values, attn_weights


# %% wrong dropped_attention: - "`drop(weights, 0.5)` stops: `drop` takes 1 argument. It is h"
# hands a rate to drop as well, as the page's own drop(x, p=0.5) has one: the drop of the prompt takes weights only.
# It stops with a TypeError for any drop that takes one argument
def my_dropped_attention(queries, keys, values, mask, drop):
    d_k = queries.shape[-1]
    scores = queries @ keys.transpose(-1, -2)
    scores = scores / d_k**0.5
    scores[~mask.expand(scores.shape)] = -torch.inf
    weights = torch.softmax(scores, dim=-1)
    weights = drop(weights, 0.5)
    return weights @ values, weights


# %% right dropped_attention
# works on the table turned over (a column for each query), and turns it back before anything is dropped
def my_dropped_attention(queries, keys, values, mask, drop):
    turned = keys @ queries.transpose(-2, -1)  # (..., num_keys, num_queries)
    turned = turned / math.sqrt(queries.shape[-1])
    closed = ~mask.transpose(-2, -1)
    turned = turned.masked_fill(closed, -torch.inf)
    table = torch.softmax(turned, dim=-2).transpose(-2, -1)
    applied = drop(table)
    return torch.einsum("...qk,...kd->...qd", applied, values), applied


# %% right dropped_attention
# the mask becomes a table of 0 and -inf that is added; the scores come from a product cell by cell and a sum
def open_or_closed(mask, like):
    extra = torch.zeros(mask.shape, dtype=like.dtype)
    extra[~mask] = float("-inf")
    return extra


def my_dropped_attention(queries, keys, values, mask, drop):
    q = queries.unsqueeze(-2)  # (..., num_queries, 1, head_dim)
    k = keys.unsqueeze(-3)  # (..., 1, num_keys, head_dim)
    scores = (q * k).sum(-1) / q.shape[-1] ** 0.5
    kept = drop(torch.softmax(scores + open_or_closed(mask, queries), -1))
    return kept.matmul(values), kept


# %% wrong dropout_layer: dropout-in-eval
# looks at the mode only once, when the layer is made: it goes on dropping after .eval()
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError("p must be at least 0 and below 1")
        self.p = p
        self.is_training = self.training

    def forward(self, x):
        if self.is_training:
            return x * (torch.rand_like(x) >= self.p) / (1 - self.p)
        return x


# %% wrong dropout_layer: columns-together
# one random number for each feature only: all rows (and all texts of a batch) lose the same columns
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(p)
        self.rate = p

    def forward(self, x):
        if not self.training:
            return x
        noise = torch.rand(x.shape[-1])
        return torch.where(noise < self.rate, 0.0, x / (1 - self.rate))


# %% wrong dropout_layer: randn-for-rand
# randn in place of rand: the noise is bell-shaped and half of it negative, so far more than the share p is dropped
# (for p = 0 a half)
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0.0 or p >= 1.0:
            raise ValueError("The rate is a share, from 0 to below 1.")
        self.p = p

    def forward(self, x):
        if self.training:
            noise = torch.randn(x.shape)
            x = x.masked_fill(noise < self.p, 0.0) / (1 - self.p)
        return x


# %% wrong dropout_layer: no-range-check
# the rate is looked at in forward: the ValueError comes when the layer is used, not when it is made
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def keep(self, x):
        if self.p < 0 or self.p >= 1:
            raise ValueError(f"dropout rate {self.p}")
        return (torch.rand(x.size()) >= self.p).to(x.dtype)

    def forward(self, x):
        if not self.training:
            return x
        return self.keep(x).mul(x).div(1 - self.p)


# %% wrong dropout_layer: same-draw
# sets the seed in forward, "to be reproducible": each call drops the same places, not anew
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p >= 1 or p < 0:
            raise ValueError("bad p")
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        torch.manual_seed(123)
        mask = torch.rand(x.shape) >= self.p
        return mask * x * (1 / (1 - self.p))


# %% right dropout_layer
# a random generator of its own (not moved by torch.manual_seed), and noise drawn as one long row
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not (p >= 0 and p < 1):
            raise ValueError(f"p has to be in [0, 1), got {p}")
        self.share_kept = 1.0 - p
        self.generator = torch.Generator()
        self.generator.seed()

    def forward(self, x):
        if not self.training:
            return x
        noise = torch.rand(x.numel(), generator=self.generator).reshape(x.shape)
        return torch.where(noise < self.share_kept, x / self.share_kept, torch.zeros_like(x))


# %% right dropout_layer
# two small modules inside: one that draws, one that makes larger; the outer one only asks for the mode
class Cut(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        return x.masked_fill(torch.rand(x.shape, device=x.device) < self.p, 0)


class Enlarge(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.factor = 1 / (1 - p)

    def forward(self, x):
        return self.factor * x


class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        if p < 0 or p >= 1:
            raise ValueError("no share: " + str(p))
        self.steps = nn.Sequential(Cut(p), Enlarge(p))

    def forward(self, x):
        return self.steps(x) if self.training else x


# %% wrong evaluate: parts-forgotten
# keeps the mode of the model as a whole only: .train(was_training) gives every part that one mode
def my_evaluate(model, x):
    was_training = model.training
    model.eval()
    try:
        return model(x)
    finally:
        model.train(was_training)


# %% wrong evaluate: not-after-error
# gives the modes back only after a call that went well: when model(x) fails, all parts stay in eval mode
def my_evaluate(model, x):
    modes = {name: part.training for name, part in model.named_modules()}
    model.eval()
    result = model(x)
    for name, part in model.named_modules():
        part.training = modes[name]
    return result


# %% wrong evaluate: parts-forgotten
# gives the modes back from the inside out with .train(mode), which goes down into the parts again: the model itself
# comes last, and puts its own mode on all of its parts
def my_evaluate(model, x):
    modules = list(model.modules())
    modes = [m.training for m in modules]
    try:
        model.eval()
        output = model(x)
    finally:
        while modules:
            modules.pop().train(modes.pop())
    return output


# %% wrong evaluate: dropout-layers-only
# switches over only the nn.Dropout layers: a part that calls F.dropout(..., training=self.training), or passes
# dropout_p by its mode, goes on dropping
def my_evaluate(model, x):
    layers = [m for m in model.modules() if isinstance(m, nn.Dropout)]
    before = [layer.training for layer in layers]
    for layer in layers:
        layer.eval()
    try:
        return model(x)
    finally:
        for layer, mode in zip(layers, before):
            layer.train(mode)


# %% wrong evaluate: first-level-only
# children() are only the parts directly inside: the modes of parts inside of parts are not kept, they stay in eval
def my_evaluate(model, x):
    saved = [(model, model.training)]
    for child in model.children():
        saved.append((child, child.training))
    model.eval()
    try:
        out = model(x)
    finally:
        for part, mode in saved:
            part.training = mode
    return out


# %% right evaluate
# a context manager keeps the modes; they are given back with .train(mode), from the outside in, so that inner parts win
from contextlib import contextmanager


@contextmanager
def in_eval_mode(model):
    before = [(part, part.training) for part in model.modules()]
    model.eval()
    try:
        yield model
    finally:
        for part, mode in before:
            part.train(mode)


def my_evaluate(model, x):
    with in_eval_mode(model) as quiet:
        return quiet(x)


# %% right evaluate
# no finally: the error is caught, the modes given back, and the error raised again. Switches over only parts that train
def my_evaluate(model, x):
    were_training = {part for part in model.modules() if part.training}

    def switch(mode):
        for part in were_training:
            part.training = mode

    switch(False)
    try:
        answer = model(x)
    except BaseException:
        switch(True)
        raise
    switch(True)
    return answer
