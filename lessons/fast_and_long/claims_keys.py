"""Claims of the notebook fast_and_long about shared keys, windows and latents."""

import functools

import torch
import torch.nn.functional as F
from claiming import claims_of, definitions, differences_below

from course_utils import attention, data, measure
from course_utils.lessons.fast_and_long.claims import causal, heads, random_sizes

claim = claims_of("fast_and_long")


@functools.cache
def page():
    """Return the definitions of the notebook, a namespace."""
    return definitions("fast_and_long", "sliding-window", "blocks-and-the-ones-before", "in-blocks", "letter-and-sign")


def both_right(draw, key_heads, seed, steps=601):
    """Train as the notebook does, with another seed; return the share of askers whose two digits are right.

    draw: the function that draws batches. key_heads: how many key–value heads. steps: of training.
    """

    def change(source):
        return source.replace("torch.manual_seed(0)", f"torch.manual_seed({seed})")

    return definitions("fast_and_long", "train-sharing", change=change).train_sharing(key_heads, draw, steps)


@claim("one-key-two-questions", "What they meet is the same for both", over="3 seeds", apart=0.25)
def one_key_for_two_questions():
    """Yield what one key head finds if both questions are about the same marks, and if they are about two."""
    for seed in range(1, 4):
        yield [both_right(draw, 1, seed) for draw in (data.two_marks_batch, page().letter_and_sign_batch)]


@claim("one-key-too-few", "Two are enough for two questions.", over="5 seeds", apart=0.25)
def two_keys_for_two_questions():
    for seed in range(1, 6):
        yield [both_right(page().letter_and_sign_batch, key_heads, seed) for key_heads in (2, 1)]


@claim("steps-or-numbers", "601 steps were too few", over="3 seeds, eight times the steps", apart=0.1)
def one_key_and_more_steps():
    for seed in range(1, 4):
        yield [both_right(page().letter_and_sign_batch, 1, seed, steps) for steps in (8 * 601, 601)]


@claim(
    "steps-or-numbers",
    "(From other starts, in separate trainings, it took up to eight times as many steps.)",
    over="2 seeds",
)
def eight_times_the_steps_are_enough():
    found = [both_right(page().letter_and_sign_batch, 1, seed, 8 * 601) for seed in (7001, 7002)]
    return min(found) > 0.95, "both digits right: " + " ".join(f"{right:.3f}" for right in found)


@claim(
    "steps-or-numbers", "after 300 steps of the two marks, one key head was ahead of four key heads all five times",
    over="5 seeds, one key head against four", apart=0.01,
)  # fmt: skip
def one_key_learns_two_marks_sooner():
    for seed in range(5001, 5006):
        yield [both_right(data.two_marks_batch, key_heads, seed, 300) for key_heads in (1, 4)]


@claim(
    "steps-or-numbers", "With letter and sign, four were far ahead of one.",
    over="5 seeds after 300 steps, four key heads against one", apart=0.3,
)  # fmt: skip
def four_keys_learn_letter_and_sign_sooner():
    for seed in range(5001, 5006):
        yield [both_right(page().letter_and_sign_batch, key_heads, seed, 300) for key_heads in (4, 1)]


@claim(
    "steps-or-numbers",
    "Two of the numbers can put the ten letters on a circle, the other two the ten signs. A query that points at one "
    "point of a circle then finds its carrier.",
    over="5 draws of 2,000 texts", quick=True, apart=0.4,
)  # fmt: skip
def two_circles():
    """Yield the share of askers with both digits right: keys with two circles set by hand, and with the letters' alone.

    The weights are those of the notebook's sizes: four heads of queries, 4 wide, which share one key–value head.
    """
    circle, ring = (points_on_a_circle(number) for number in (10, 5))  # (2, 10) of letters or signs, (2, 5) of digits
    for seed in range(5):
        torch.manual_seed(seed)
        inputs, targets = page().letter_and_sign_batch(2000)
        shares = []
        for signs in (circle, 0):
            finder = attention.MultiHeadAttention(26, 16, 4, key_heads=1)
            with torch.no_grad():
                for parameter in finder.parameters():
                    parameter.zero_()
                finder.W_key.weight[:2, :10], finder.W_key.weight[2:, 16:] = circle, signs
                finder.W_query.weight[:2, :10] = 200 * circle  # head 0 asks by the letter
                finder.W_query.weight[6:8, 16:] = 200 * circle  # head 1 by the sign
                finder.W_value.weight[:2, 10:15] = ring
                finder.out_proj.weight.copy_(torch.eye(16))
                vecs = finder(inputs)[0][:, 5:].unflatten(-1, (4, 4))[..., :2, :2]  # (batch, 3, 2, 2)
            right = (vecs @ ring).argmax(dim=-1) == targets
            shares.append(right.all(dim=-1).float().mean())
        yield shares


def points_on_a_circle(number):
    angles = torch.arange(number) * 2 * torch.pi / number
    return torch.stack([angles.cos(), angles.sin()])


@claim(
    "sinks-beside-the-window",
    "As long as the text is longer than the receptive field, each sink adds one token to it.",
    over="windows of 2 to 9, 1 to 4 layers, 0 to 3 sinks", quick=True,
)  # fmt: skip
def reach_of_windows():
    """Count the tokens in the last one's receptive field, and compare with 1 + layers · (window - 1) + sinks."""
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


def as_a_mask(*parts):
    return F.scaled_dot_product_attention(*parts, attn_mask=page().sliding_window(parts[0].shape[-2], 64))


@claim(
    "hidden-and-computed", "A window saves time only if what it hides is not computed.",
    over="4 widths, one thread, 2,048 tokens", apart=-1,
)  # fmt: skip
def blocks_are_faster():
    """Yield the time of the window in blocks, and as a mask, in times of causal attention without a window."""
    for width in (8, 16, 32, 64):
        parts, mask = heads(2048, width), page().sliding_window(2048, 64)
        forms = (
            lambda *parts: page().in_blocks(*parts, 64),
            lambda *parts, mask=mask: F.scaled_dot_product_attention(*parts, attn_mask=mask),
        )
        yield [measure.seconds(form, *parts) / measure.seconds(causal, *parts) for form in forms]


@claim(
    "a-window-of-keys", "the only one whose time grows in proportion to the text",
    over="2 others, 1,024 to 4,096 tokens", apart=-0.3,
)  # fmt: skip
def blocks_grow_in_step():
    """Yield how steeply the time of the window in blocks grows, and that of each of the two others."""
    sizes, slopes = [1024, 2048, 4096], []
    for form in (lambda *parts: page().in_blocks(*parts, 64), causal, as_a_mask):
        slopes.append(measure.slope(sizes, [measure.seconds(form, *heads(size), rounds=2) for size in sizes]))
    for other in slopes[1:]:
        yield slopes[0], other


@claim(
    "a-window-of-keys",
    "It needs more memory than is_causal: about 2 MB for the copied pieces",
    over="width 16",
    quick=True,
)
def pieces_are_copies():
    """Measure the peak of the window in blocks: as it is, with pieces made before, and with a mask of floats, too."""
    parts = heads(2048)
    blocks = page().cut(parts[0], 64)
    pieces = [page().with_block_before(part, 64) for part in parts[1:]]
    mask = page().sliding_window(128, 64)[64:].repeat(blocks.shape[1], 1, 1)[None]
    floats = torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)
    whole = measure.peak_bytes(lambda *parts: page().in_blocks(*parts, 64), *parts) / 1e6
    bool_ready, floats_ready = (
        measure.peak_bytes(lambda *ready, m=m: F.scaled_dot_product_attention(*ready, m), blocks, *pieces) / 1e6
        for m in (mask, floats)
    )
    made = sum(piece.nbytes for piece in pieces) / 1e6
    holds = 1.8 < made < 2.3 and 0.8 < bool_ready - floats_ready < 1.3 and whole > 1 + floats_ready
    return holds, f"{whole:.1f} MB, pieces {made:.1f}; pieces ready {bool_ready:.1f}, mask of floats {floats_ready:.1f}"


@claim("where-this-page-was-made", "with it switched off, eval is as train", over="4 lengths", quick=True, apart=1.5)
def fast_path_off():
    """Yield the peak memory of eval mode in times of train mode's, with the fast path and with it switched off."""
    layer = torch.nn.MultiheadAttention(64, 4, batch_first=True)
    for num_tokens in (256, 512, 1024, 2048):
        x = torch.rand(1, num_tokens, 64)

        def peak(training, x=x):
            layer.train(training)
            with torch.no_grad():
                return measure.peak_bytes(lambda: layer(x, x, x, need_weights=False))

        with_it, train = peak(False), peak(True)
        torch.backends.mha.set_fastpath_enabled(False)
        try:
            without = peak(False)
        finally:
            torch.backends.mha.set_fastpath_enabled(True)
        yield with_it / train, without / train


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
