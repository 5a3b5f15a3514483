"""Claims of the notebook fast_and_long about shared keys, windows and latents."""

import functools

import torch
import torch.nn.functional as F
from claiming import claims_of, definitions, differences_below
from fast_and_long import causal, heads, random_sizes

from course_utils import attention, data, measure

claim = claims_of("fast_and_long")


@functools.cache
def page():
    """Return the definitions of the notebook, a namespace."""
    return definitions("fast_and_long", "sliding-window", "in-blocks", "letter-and-sign")


def both_right(draw, key_heads, seed, width=16):
    """Train as the notebook does, with another seed; return the share of askers whose two digits are right.

    draw: the function that draws batches. key_heads: how many key–value heads. width: of all query heads together.
    """

    def change(source):
        wide = source.replace("(26, 16, 4", f"(26, {width}, 4").replace("nn.Linear(16, 10)", f"nn.Linear({width}, 10)")
        return wide.replace("torch.manual_seed(0)", f"torch.manual_seed({seed})")

    return definitions("fast_and_long", "train-sharing", change=change).train_sharing(key_heads, draw)


@claim(
    "one-key-two-questions", "One does it as well, with a quarter of the numbers", over="5 seeds of 1, 3 of 4 and of 2"
)
def one_key_is_enough():
    """Train 4, 2 and 1 key–value heads on two questions about the same marks."""
    seeds = {4: 3, 2: 3, 1: 5}
    found = {number: [both_right(data.two_marks_batch, number, seed) for seed in range(most)]
             for number, most in seeds.items()}  # fmt: skip
    return min(map(min, found.values())) > 0.98, in_words(found)


@claim("one-key-too-few", "Two are enough for two questions, one is too few", over="5 seeds each")
def one_key_is_too_few():
    """Train 2 and 1 key–value heads on one question about letters and one about signs."""
    found = {number: [both_right(page().letter_and_sign_batch, number, seed) for seed in range(5)] for number in (2, 1)}
    return min(found[2]) > 0.95 and max(found[1]) < 0.75, in_words(found)


@claim(
    "one-key-too-few",
    "Eight numbers can: with heads 8 wide, one key–value head got above 95 % with each of five seeds", over="5 seeds",
)  # fmt: skip
def a_wider_key_is_enough():
    found = {1: [both_right(page().letter_and_sign_batch, 1, seed, width=32) for seed in range(5)]}
    return min(found[1]) > 0.95, in_words(found)


def in_words(found):
    return "; ".join(f"{number} key heads: " + " ".join(f"{x:.3f}" for x in all_of) for number, all_of in found.items())


@claim(
    "sinks-beside-the-window", "A sink opens no way into the past, having heard of itself alone: each sink adds one",
    over="windows of 2 to 9, 1 to 4 layers, 0 to 3 sinks", quick=True,
)  # fmt: skip
def reach_of_windows():
    """Count the tokens that the last one hears, and compare with 1 + layers · (window - 1) + sinks."""
    tried = 0
    for window in range(2, 10):
        for layers in range(1, 5):
            for sinks in range(4):
                mask = page().sliding_window(64, window)
                mask[:, :sinks] = attention.causal_mask(64)[:, :sinks]
                heard = int((torch.linalg.matrix_power(mask.double(), layers)[-1] > 0).sum())
                if heard != 1 + layers * (window - 1) + sinks:
                    return False, f"window {window}, {layers} layers, {sinks} sinks: {heard}"
                tried += 1
    return True, f"in {tried} of {tried} the reach is 1 + layers · (window - 1) + sinks"


@claim("sinks-beside-the-window", "In row 4 the others have its weight", over="200 drawn rows", quick=True)
@differences_below(1e-5)
def without_the_first():
    for seed in range(200):
        torch.manual_seed(seed)
        scores = torch.randn(2 + seed % 30).double()
        scores[0] += 3
        row = torch.softmax(scores, dim=-1)
        yield torch.softmax(scores[1:], dim=-1) - row[1:] / (1 - row[0])


@claim(
    "ring-buffer", "Attention does not mind, if the values stand in the same",
    over="200 drawn cases: as a mask, in blocks, as a ring buffer", quick=True,
)  # fmt: skip
@differences_below(1e-5)
def three_windows():
    for seed in range(200):
        batch, num_heads, _, _, head_dim = random_sizes(seed)
        window, blocks = 1 + seed % 9, 1 + seed % 5
        num_tokens = window * blocks
        queries, keys, values = torch.randn(3, batch, num_heads, num_tokens, head_dim)
        mask = page().sliding_window(num_tokens, window)
        scores = (queries @ keys.mT / head_dim**0.5).masked_fill(~mask, -torch.inf)
        plain = torch.softmax(scores, dim=-1) @ values
        room, rows = torch.full((2, batch, num_heads, window, head_dim), torch.nan), []
        for at in range(num_tokens):
            room[0][:, :, at % window], room[1][:, :, at % window] = keys[:, :, at], values[:, :, at]
            filled = slice(min(at + 1, window))
            rows.append(F.scaled_dot_product_attention(
                queries[:, :, at : at + 1], room[0][:, :, filled], room[1][:, :, filled]))  # fmt: skip
        masked = F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
        for form in (masked, page().in_blocks(queries, keys, values, window), torch.cat(rows, dim=-2)):
            yield form - plain


@claim(
    "a-window-of-keys", "In blocks the window is the fastest of the three", over="2 widths, one thread, 2,048 tokens"
)
def blocks_are_faster():
    """Time the window in blocks, causal attention without a window, and the window as a mask, the slowest of them."""
    found = []
    for width in (16, 64):
        parts, mask = heads(2048, width), page().sliding_window(2048, 64)
        forms = (
            lambda *parts: page().in_blocks(*parts, 64),
            causal,
            lambda *parts, mask=mask: F.scaled_dot_product_attention(*parts, attn_mask=mask),
        )
        found.append([1000 * measure.seconds(form, *parts) for form in forms])
    holds = all(blocks < whole < masked for blocks, whole, masked in found)
    return holds, "in blocks, causal, as a mask: " + "; ".join(", ".join(f"{ms:.1f} ms" for ms in one) for one in found)


@claim("a-window-of-keys", "the only one whose time grows in step with the text", over="1,024 to 8,192 tokens")
def blocks_grow_in_step():
    sizes, found = [1024, 2048, 4096, 8192], {}
    for name, form in (("causal", causal), ("in blocks", lambda *parts: page().in_blocks(*parts, 64))):
        found[name] = measure.slope(sizes, [measure.seconds(form, *heads(size), rounds=2) for size in sizes])
    return found["in blocks"] < 1.35 and found["causal"] > 1.6, str({n: round(x, 2) for n, x in found.items()})


@claim(
    "latents-are-shared",
    "Seen from the kernel this is multi-query attention: four queries, one key of 12 numbers, which is its own value",
    over="200 drawn cases", quick=True,
)  # fmt: skip
@differences_below(1e-5)
def keys_never_made():
    for seed in range(200):
        batch, num_heads, _, num_tokens, head_dim = random_sizes(seed)
        latent = 1 + seed % 13
        latents = torch.randn(batch, 1, num_tokens, latent)
        queries = torch.randn(batch, num_heads, num_tokens, head_dim)
        W_K, W_V = torch.randn(2, num_heads, head_dim, latent) / latent**0.5
        made = F.scaled_dot_product_attention(queries, latents @ W_K.mT, latents @ W_V.mT, is_causal=True)
        mixed = F.scaled_dot_product_attention(
            queries @ W_K, latents, latents, is_causal=True, scale=head_dim**-0.5, enable_gqa=True)  # fmt: skip
        yield mixed @ W_V.mT - made
