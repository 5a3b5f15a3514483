"""Print the course's figures: MultiHeadAttention beside PyTorch's own layers, measured in one run (`make bench`)."""

import statistics
import time

import torch
import torch.nn.functional as F
from torch import nn

from course_utils.attention import MultiHeadAttention, merge_heads, split_heads

BATCH_SIZE, WIDTH, NUM_HEADS = 8, 768, 12
ROUNDS = 15


class HandFused(nn.Module):
    """The fastest layer we can write by hand: one projection for queries, keys and values, then the fused kernel."""

    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out_proj = nn.Linear(WIDTH, WIDTH)

    def forward(self, x):
        queries, keys, values = (split_heads(part, NUM_HEADS) for part in self.qkv(x).chunk(3, dim=-1))
        return self.out_proj(merge_heads(F.scaled_dot_product_attention(queries, keys, values, is_causal=True)))


def pytorch_layer(train):
    layer = nn.MultiheadAttention(WIDTH, NUM_HEADS, batch_first=True).train(train)

    def attend(x):
        mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
        return layer(x, x, x, attn_mask=mask, is_causal=True, need_weights=False)

    return attend


def contenders():
    ours = MultiHeadAttention(WIDTH, WIDTH, NUM_HEADS, causal=True)
    return {
        "MultiHeadAttention, fused": lambda x: ours(x, need_weights=False),
        "MultiHeadAttention, weights": ours,
        "hand-fused SDPA layer": HandFused(),
        "nn.MultiheadAttention, train": pytorch_layer(train=True),
        "nn.MultiheadAttention, eval": pytorch_layer(train=False),
    }


def medians(layers, x):
    """Median milliseconds of each layer, over rounds in which every layer has its turn: noise hits all alike."""
    times = {name: [] for name in layers}
    for round_number in range(ROUNDS + 2):
        for name, layer in layers.items():
            start = time.perf_counter()
            layer(x)
            if round_number >= 2:  # the first two warm up
                times[name].append((time.perf_counter() - start) * 1000)
    return {name: statistics.median(values) for name, values in times.items()}


@torch.no_grad()
def main():
    torch.manual_seed(0)
    layers = contenders()
    print(f"causal attention, batch {BATCH_SIZE}, {NUM_HEADS} heads, width {WIDTH}")
    print(f"milliseconds, median of {ROUNDS} rounds, {torch.get_num_threads()} threads")
    for num_tokens in (128, 256, 512, 1024, 2048):
        if num_tokens == 1024:  # the explicit forms take seconds from here on; 08 measures them
            layers = {name: layer for name, layer in layers.items() if "weights" not in name and "eval" not in name}
        times = medians(layers, torch.rand(BATCH_SIZE, num_tokens, WIDTH))
        fastest = min(ms for name, ms in times.items() if not name.startswith("MultiHeadAttention"))
        print(f"\n{num_tokens} tokens")
        for name, ms in times.items():
            print(f"  {name:30s} {ms:9.1f}   {ms / fastest:5.2f} x the fastest of PyTorch's")


if __name__ == "__main__":
    main()
