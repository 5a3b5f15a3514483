"""Compare the speed of MultiHeadAttention with PyTorch's layers (`make bench`)."""

import statistics
import time

import torch
import torch.nn.functional as F
from torch import nn

from course_utils.attention import MultiHeadAttention, merge_heads, split_heads

BATCH_SIZE, WIDTH, NUM_HEADS, HEAD_DIM = 8, 768, 12, 64
ROUNDS = 15


class HandFused(nn.Module):
    """A causal layer as fast as we can write it, of (batch, tokens, WIDTH): one projection, and fused attention."""

    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out_proj = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        queries, keys, values = (split_heads(part, NUM_HEADS) for part in self.qkv(x).chunk(3, dim=-1))
        return self.out_proj(merge_heads(F.scaled_dot_product_attention(queries, keys, values, is_causal=True)))


def pytorch_layer(train: bool, width=WIDTH, need_weights=False):
    """Return a function of a tensor (batch, tokens, width): nn.MultiheadAttention with a causal mask."""
    layer = nn.MultiheadAttention(width, width // HEAD_DIM, batch_first=True).train(train)
    options = {"is_causal": True, "need_weights": need_weights, "average_attn_weights": False}

    def attend(x):
        return layer(x, x, x, attn_mask=nn.Transformer.generate_square_subsequent_mask(x.shape[1]), **options)

    return attend


def and_back(layer):
    """Return a function of a tensor that calls a layer on it, and computes the gradients of the output's sum."""
    return torch.enable_grad()(lambda x: layer(x)[0].sum().backward())


def print_ratios(title: str, times: dict[str, float], of="the first", base: float | None = None):
    """Print a title, and some times in milliseconds with their ratio to `base`, called `of`; None: to the first."""
    base = base or next(iter(times.values()))
    print(f"\n{title}")
    for name, ms in times.items():
        print(f"  {name:30s} {ms:9.2f}   {ms / base:5.2f} x {of}")


def medians(layers: dict, x) -> dict[str, float]:
    """Return name -> median milliseconds of a call. Each round calls every layer once, so that noise hits all alike."""
    times = {name: [] for name in layers}
    for round_number in range(ROUNDS + 2):  # two to warm up
        for name, layer in layers.items():
            start = time.perf_counter()
            layer(x)
            if round_number >= 2:
                times[name].append((time.perf_counter() - start) * 1000)
    return {name: statistics.median(values) for name, values in times.items()}


@torch.no_grad()
def main():
    torch.manual_seed(0)
    ours = MultiHeadAttention(WIDTH, WIDTH, NUM_HEADS, causal=True)
    layers = {
        "MultiHeadAttention, fused": lambda x: ours(x, need_weights=False),
        "MultiHeadAttention, weights": ours,
        "hand-fused SDPA layer": HandFused(),
        "nn.MultiheadAttention, train": pytorch_layer(train=True),
        "nn.MultiheadAttention, eval": pytorch_layer(train=False),
    }
    print(f"causal attention, batch {BATCH_SIZE}, {NUM_HEADS} heads, width {WIDTH}")
    print(f"milliseconds, median of {ROUNDS} rounds, {torch.get_num_threads()} threads")
    for num_tokens in (128, 256, 512, 1024, 2048):
        if num_tokens == 1024:  # the layers left out take seconds from here on; fast_and_long measures them
            layers = {name: layer for name, layer in layers.items() if "weights" not in name and "eval" not in name}
        times = medians(layers, torch.rand(BATCH_SIZE, num_tokens, WIDTH))
        fastest = min(ms for name, ms in times.items() if not name.startswith("MultiHeadAttention"))
        print_ratios(f"{num_tokens} tokens", times, "the fastest of PyTorch's", fastest)
    for width in (256, 768):
        forward = {
            "nn.MultiheadAttention": pytorch_layer(train=True, width=width, need_weights=True),
            "MultiHeadAttention": MultiHeadAttention(width, width, width // HEAD_DIM, causal=True, qkv_bias=True),
        }
        ways = {"forward": forward, "forward and back": {name: and_back(layer) for name, layer in forward.items()}}
        for num_tokens in (64, 512):
            for way, layers in ways.items():
                times = medians(layers, torch.rand(4, num_tokens, width))
                print_ratios(f"with weights, {way}: {num_tokens} tokens, width {width}, batch 4", times)
