"""Compare the speed of MultiHeadAttention with PyTorch's layers, of windows and of key-value caches (`make bench`)."""

import statistics
import time

import torch
import torch.nn.functional as F
from torch import nn

from course_utils.attention import KeyValueCache, MultiHeadAttention, causal_mask, merge_heads, split_heads
from course_utils.stopping import stoppable

BATCH_SIZE, WIDTH, NUM_HEADS = 8, 768, 12
ROUNDS = 15
WINDOW, LONG = 64, 2048
PAST, HEAD_DIM = 4000, 64


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
    """Return a function that applies nn.MultiheadAttention with a causal mask to a tensor (batch, tokens, width).

    It returns what the layer returns: (output, the weights of each head or None). train: training mode, else evaluation
    mode. need_weights: whether it is asked for the weights. A head has HEAD_DIM features.
    """
    layer = nn.MultiheadAttention(width, width // HEAD_DIM, batch_first=True).train(train)
    options = {"is_causal": True, "need_weights": need_weights, "average_attn_weights": False}

    def attend(x):
        return layer(x, x, x, attn_mask=nn.Transformer.generate_square_subsequent_mask(x.shape[1]), **options)

    return attend


def contenders() -> dict:
    """Return name -> function of a tensor (batch, tokens, WIDTH): causal attention with NUM_HEADS heads.

    Each function returns what its layer returns: the output alone, or (output, weights or None).
    """
    ours = MultiHeadAttention(WIDTH, WIDTH, NUM_HEADS, causal=True)
    return {
        "MultiHeadAttention, fused": lambda x: ours(x, need_weights=False),
        "MultiHeadAttention, weights": ours,
        "hand-fused SDPA layer": HandFused(),
        "nn.MultiheadAttention, train": pytorch_layer(train=True),
        "nn.MultiheadAttention, eval": pytorch_layer(train=False),
    }


def with_weights(width: int) -> dict:
    """Return name -> function of a tensor (batch, tokens, width): causal layers that return (output, weights per head).

    PyTorch's comes first.
    """
    return {
        "nn.MultiheadAttention": pytorch_layer(train=True, width=width, need_weights=True),
        "MultiHeadAttention": MultiHeadAttention(width, width, width // HEAD_DIM, causal=True, qkv_bias=True),
    }


def and_back(layer):
    """Return a function of a tensor that calls a layer on it, and computes the gradients of the output's sum."""

    def step(x):
        with torch.enable_grad():
            layer(x)[0].sum().backward()

    return step


def windows() -> dict:
    """Return three ways to attend to the past: name -> function from (queries, keys, values) to context vectors.

    It takes the three as one tuple. All tensors have shape (batch, heads, LONG, HEAD_DIM). One way attends to all
    tokens, two to the last WINDOW tokens: by a mask, or by computing only the blocks that are needed.
    """
    band = causal_mask(LONG).triu(1 - WINDOW)
    at = torch.arange(WINDOW)
    behind = at[:, None] - torch.arange(2 * WINDOW) + WINDOW  # how far each key lies behind each query
    near = ((behind >= 0) & (behind < WINDOW)).repeat(LONG // WINDOW, 1, 1)  # (num_blocks, WINDOW, 2 * WINDOW)
    near[0, :, :WINDOW] = False  # the first block has no block before it, only padding

    def in_blocks(qkv):
        queries, keys, values = qkv
        pieces = (F.pad(x, (0, 0, WINDOW, 0)).unfold(-2, 2 * WINDOW, WINDOW).mT for x in (keys, values))
        blocks = (x.transpose(1, 2).flatten(0, 1) for x in (queries.unflatten(-2, (-1, WINDOW)), *pieces))
        mask = near.repeat(len(queries), 1, 1)[:, None]  # the fused kernel needs four axes
        vecs = F.scaled_dot_product_attention(*blocks, mask)
        return vecs.unflatten(0, (len(queries), -1)).transpose(1, 2).flatten(-3, -2)

    return {
        "causal kernel, all tokens": lambda qkv: F.scaled_dot_product_attention(*qkv, is_causal=True),
        "window as a mask": lambda qkv: F.scaled_dot_product_attention(*qkv, attn_mask=band),
        "window in blocks": in_blocks,
    }


def late_steps() -> dict:
    """Return name -> function that computes one token after PAST cached ones, with 8 heads and 8, 2 or 1 key heads.

    Each takes the token, a tensor (1, 1, 8 * HEAD_DIM), and returns (a tensor of the same shape, None).
    """

    def step_with(key_heads):
        width = 8 * HEAD_DIM
        layer, cache = MultiHeadAttention(width, width, 8, causal=True, key_heads=key_heads), KeyValueCache(PAST + 1)
        layer(torch.rand(1, PAST, width), need_weights=False, cache=cache)

        def step(token):
            cache.num_tokens = PAST  # so that each round writes to the same place in the cache
            return layer(token, need_weights=False, cache=cache)

        return step

    return {f"8 heads, key heads: {key_heads}": step_with(key_heads) for key_heads in (8, 2, 1)}


def print_ratios(title: str, times: dict[str, float], of="the first", base: float | None = None):
    """Print a title, and a line for each of some times in milliseconds with its ratio to one of them, called `of`.

    base: the time that the others are compared with; None: the first of `times`.
    """
    base = base or next(iter(times.values()))
    print(f"\n{title}")
    for name, ms in times.items():
        print(f"  {name:30s} {ms:9.2f}   {ms / base:5.2f} x {of}")


def medians(layers: dict, x) -> dict[str, float]:
    """Return name -> median milliseconds of a call of each function of x in `layers`, name -> function.

    Each of ROUNDS rounds calls every layer once, so that noise hits all alike; two rounds before them warm up.
    """
    times = {name: [] for name in layers}
    for round_number in range(ROUNDS + 2):
        for name, layer in layers.items():
            start = time.perf_counter()
            layer(x)
            if round_number >= 2:
                times[name].append((time.perf_counter() - start) * 1000)
    return {name: statistics.median(values) for name, values in times.items()}


@torch.no_grad()
def main():
    torch.manual_seed(0)
    layers = contenders()
    print(f"causal attention, batch {BATCH_SIZE}, {NUM_HEADS} heads, width {WIDTH}")
    print(f"milliseconds, median of {ROUNDS} rounds, {torch.get_num_threads()} threads")
    for num_tokens in (128, 256, 512, 1024, 2048):
        if num_tokens == 1024:  # the layers left out take seconds from here on; fast_and_long measures them
            layers = {name: layer for name, layer in layers.items() if "weights" not in name and "eval" not in name}
        times = medians(layers, torch.rand(BATCH_SIZE, num_tokens, WIDTH))
        fastest = min(ms for name, ms in times.items() if not name.startswith("MultiHeadAttention"))
        print_ratios(f"{num_tokens} tokens", times, "the fastest of PyTorch's", fastest)
    for width in (256, 768):
        forward = with_weights(width)
        ways = {"forward": forward, "forward and back": {name: and_back(layer) for name, layer in forward.items()}}
        for num_tokens in (64, 512):
            for way, layers in ways.items():
                times = medians(layers, torch.rand(4, num_tokens, width))
                print_ratios(f"with weights, {way}: {num_tokens} tokens, width {width}, batch 4", times)
    times = medians(windows(), torch.rand(3, 1, 4, LONG, HEAD_DIM))
    print_ratios(f"a window of {WINDOW} at {LONG:,} tokens", times)
    print_ratios(f"one new token, {PAST:,} past", medians(late_steps(), torch.rand(1, 1, 8 * HEAD_DIM)))


if __name__ == "__main__":
    with stoppable("Stopped."):
        main()
