"""Claims of the notebook the_reshape that go beyond its outputs."""

import itertools

import torch
import torch.nn.functional as F
from claiming import claims_of
from torch import nn

from course_utils import attention, properties

claim = claims_of("the_reshape")

SIZES = list(itertools.product((2, 3, 4, 6, 12), (2, 3, 5, 8)))  # num_heads, num_tokens
ONE_WRONG = ((True, False), (False, True))  # split, merge


class Layer(nn.Module):
    """Causal multi-head attention whose split or merge can be a single, wrong `reshape`."""

    def __init__(self, d_in, d_out, num_heads, wrong_split, wrong_merge):
        super().__init__()
        self.inner = attention.MultiHeadAttention(d_in, d_out, num_heads)
        self.wrong_split, self.wrong_merge = wrong_split, wrong_merge

    def split(self, x):
        if self.wrong_split:
            return x.reshape(len(x), self.inner.num_heads, x.shape[1], -1)
        return attention.split_heads(x, self.inner.num_heads)

    def forward(self, x):
        parts = [self.split(layer(x)) for layer in (self.inner.W_query, self.inner.W_key, self.inner.W_value)]
        mask = attention.causal_mask(x.shape[1])
        vecs, weights = attention.scaled_dot_product_attention(*parts, mask=mask)
        merged = vecs.reshape(len(x), x.shape[1], -1) if self.wrong_merge else attention.merge_heads(vecs)
        return self.inner.out_proj(merged), weights


def layers(wrong_split, wrong_merge):
    """Yield Layers of several sizes and seeds, each with inputs (2, num_tokens, 6)."""
    for (num_heads, num_tokens), seed in itertools.product(SIZES, range(5)):
        torch.manual_seed(seed)
        yield Layer(6, 12, num_heads, wrong_split, wrong_merge).eval(), 4 * torch.randn(2, num_tokens, 6)


@claim(
    "the-future-comes-in", "One wrong reshape, and the future comes in past a mask that is right.",
    over="20 sizes, 5 seeds each", quick=True,
)  # fmt: skip
def one_wrong_reshape_leaks():
    closed = [properties.no_leak(layer, inputs) for wrong in ONE_WRONG for layer, inputs in layers(*wrong)]
    right = [properties.no_leak(layer, inputs) for layer, inputs in layers(False, False)]
    return not any(closed) and all(right), f"{len(closed) - sum(closed)} of {len(closed)} leak, of the right ones none"


class DealtOut(Layer):
    """A Layer whose split deals the features out in turn, one to each head: another wrong split of the right shape."""

    def split(self, x):
        return x.view(len(x), x.shape[1], -1, self.inner.num_heads).permute(0, 3, 1, 2)


@torch.no_grad()
def leak(layer, inputs):
    """Return the largest difference, a float, that a change of the last token makes in the outputs before it."""
    changed = inputs.clone()
    changed[:, -1] += 1.0
    return (layer(changed)[0] - layer(inputs)[0])[:, :-1].abs().max().item()


@claim(
    "recap-1-one-row-of",
    "One wrong reshape has the right shape and lets the future in, whatever the mask says.",
    over="20 sizes, 5 seeds each", quick=True, apart=0.0001,
    rival="a split that deals the features out in turn",
)  # fmt: skip
def the_reshape_leaks():
    """Yield how far a later token moves earlier outputs: with a wrong split or merge, with none, and with the rival."""
    for wrong in ONE_WRONG:
        for (layer, inputs), (right, _) in zip(layers(*wrong), layers(False, False), strict=True):
            dealt = DealtOut(6, 12, layer.inner.num_heads, False, False).eval()
            dealt.load_state_dict(layer.state_dict())
            yield leak(layer, inputs), leak(right, inputs), leak(dealt, inputs)


@claim("the-future-comes-in", "But two wrong ones together pass it.", over="20 sizes, 5 seeds each")
def two_wrong_reshapes_do_not_leak():
    closed = [properties.no_leak(layer, inputs) for layer, inputs in layers(True, True)]
    return all(closed), f"{sum(closed)} of {len(closed)} pass"


@claim(
    "recap-1-one-row-of", "Two wrong ones pass, and the heads split the text",
    over="15 sizes of 3 to 8 tokens, 5 seeds each",
)  # fmt: skip
def the_last_output_does_not_depend_on_the_first_token():
    moved = []
    for layer, inputs in layers(True, True):
        if inputs.shape[1] < 3:  # of two tokens, one head may hold numbers of both
            continue
        changed = inputs.clone()
        changed[:, 0] += 1.0
        moved.append(not torch.equal(layer(inputs)[0][:, -1], layer(changed)[0][:, -1]))
    return not any(moved), f"in {sum(moved)} of {len(moved)} the last output depends on the first token"


def shares_in_the_guessing_game(num_heads, wrong, seed):
    """Train a Layer on the guessing game of causal_masking; return its shares right in training and in use.

    In the game, a text has nine different letters, and the next one is to be named. wrong: (wrong_split, wrong_merge).
    """

    def texts(batch_size):
        return torch.rand(batch_size, 26).argsort(dim=-1)[:, :9]

    def scores(codes):
        places = F.one_hot(torch.arange(codes.shape[1]), 9).expand(*codes.shape, 9)
        return read_out(layer(torch.cat([F.one_hot(codes, 26), places], dim=-1).float())[0])

    torch.manual_seed(seed)
    layer, read_out = Layer(35, 24, num_heads, *wrong), nn.Linear(24, 26)
    optimizer = torch.optim.AdamW([*layer.parameters(), *read_out.parameters()], lr=0.02)
    for _ in range(200):
        codes = texts(64)
        loss = F.cross_entropy(scores(codes)[:, :-1].flatten(0, 1), codes[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    codes = texts(1000)
    with torch.no_grad():
        training = (scores(codes)[:, :-1].argmax(dim=-1) == codes[:, 1:]).float().mean().item()
        use = [scores(codes[:, :n])[:, -1].argmax(dim=-1) == codes[:, n] for n in range(1, 9)]
    return training, torch.stack(use).float().mean().item()


@claim(
    "the-future-comes-in",
    "a layer with one of the two slips predicts more than half of the letters in training, and less than 5 % at "
    "inference",
    over="5 seeds, 2 and 4 heads",
)  # fmt: skip
def the_guessing_game_with_a_slip():
    cases = itertools.product((2, 4), ONE_WRONG, range(5))
    training, use = zip(*(shares_in_the_guessing_game(*case) for case in cases), strict=True)
    found = f"in training {min(training):.2f} to {max(training):.2f}, in use {min(use):.2f} to {max(use):.2f}"
    return min(training) > 0.5 and max(use) < 0.05, found


@claim(
    "strides-worked-out", "no `view` can make one axis of these 12.",
    over="16 sizes, heads wider than 1", quick=True,
)  # fmt: skip
def view_refuses():
    refused, sizes = 0, [size for size in SIZES if size[0] < 12]  # with 12 heads of width 1 a view works
    for num_heads, num_tokens in sizes:
        transposed = torch.rand(2, num_heads, num_tokens, 12 // num_heads).transpose(1, 2)
        try:
            transposed.view(2, num_tokens, 12)
        except RuntimeError:
            refused += 1
    return refused == len(sizes), f"refused at {refused} of {len(sizes)} sizes"


@claim(
    "the-course-s-class-attention", "PyTorch's function, on the split queries, keys and values.",
    over="20 sizes, 5 seeds each",
)  # fmt: skip
def pytorch_agrees():
    apart = []
    for layer, inputs in layers(False, False):
        inner = layer.inner
        parts = [attention.split_heads(f(inputs), inner.num_heads) for f in (inner.W_query, inner.W_key, inner.W_value)]
        fused = F.scaled_dot_product_attention(*parts, is_causal=True)
        apart.append((inner.out_proj(attention.merge_heads(fused)) - layer(inputs)[0]).abs().max().item())
    return max(apart) < 1e-4, f"at most {max(apart):.0e} apart"
