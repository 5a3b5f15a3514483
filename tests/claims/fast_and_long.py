"""What fast_and_long says beyond its outputs."""

import torch
import torch.nn.functional as F
from claiming import claim

from course_utils import attention, measure


def heads(num_tokens, width=16):
    """Queries, keys and values: each (1, 4, num_tokens, width)."""
    return torch.randn(3, 1, 4, num_tokens, width)


def causal(*parts):
    return F.scaled_dot_product_attention(*parts, is_causal=True)


def explicit(queries, keys, values):
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    attn_scores = attn_scores.masked_fill(~attention.causal_mask(queries.shape[-2]), -torch.inf)
    return attention.softmax(attn_scores) @ values


@claim(
    "fast_and_long", "the-context-vector-of-the", "The last mix, divided by the last sum, is the context vector",
    over="20 seeds, rows of 1 to 40 keys, blocks of 1 to 7, scores up to 300", quick=True,
)  # fmt: skip
def blockwise_rows():
    """Any blocks give the row that the whole softmax gives."""
    worst = 0.0
    for seed in range(20):
        torch.manual_seed(seed)
        num_keys, block = int(torch.randint(1, 41, ())), int(torch.randint(1, 8, ()))
        scores, values = 100 * torch.randn(num_keys).double(), torch.randn(num_keys, 4).double()
        highest, total, mixed = torch.tensor(-torch.inf).double(), 0.0, torch.zeros(4).double()
        for part, value in zip(scores.split(block), values.split(block), strict=True):
            new = torch.maximum(highest, part.max())
            shrink, exps = torch.exp(highest - new), torch.exp(part - new)
            total, mixed, highest = total * shrink + exps.sum(), mixed * shrink + exps @ value, new
        worst = max(worst, (mixed / total - torch.softmax(scores, 0) @ values).abs().max().item())
    return worst < 1e-12, f"the largest difference is {worst:.1e}"


@claim(
    "fast_and_long", "memory-is-as-predicted-the",
    "Twice the tokens cost four times the memory where a table is stored, and about twice where none is",
    over="3 widths, 4 and 1 texts",
)  # fmt: skip
def memory_slopes():
    """Peak memory forward, from 512 to 2,048 tokens."""
    found = []
    for width, batch in ((8, 1), (16, 4), (64, 1)):
        sizes = [512, 1024, 2048] if batch == 1 else [512, 1024]
        for form in (explicit, causal):
            with torch.no_grad():
                peaks = [measure.peak_bytes(form, *torch.randn(3, batch, 4, size, width)) for size in sizes]
            found.append(measure.slope(sizes, peaks))
    holds = all(1.9 < slope < 2.1 for slope in found[::2]) and all(0.9 < slope < 1.5 for slope in found[1::2])
    return holds, "slopes, explicit and fused in turn: " + " ".join(f"{slope:.2f}" for slope in found)


@claim("fast_and_long", "no-table-saves-most", "At this length the largest step is to store no table", over="4 widths")
def largest_step():
    """Time of the four forms; each factor."""
    found = []
    for num_tokens, width in ((2048, 8), (2048, 16), (2048, 32), (2048, 64)):
        mask = attention.causal_mask(num_tokens)

        def plain(queries, keys, values, mask=mask):
            scores = (queries @ keys.mT / queries.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
            return torch.softmax(scores, dim=-1) @ values

        forms = (explicit, plain, F.scaled_dot_product_attention, causal)
        with torch.no_grad():
            times = [measure.seconds(form, *heads(num_tokens, width), rounds=2) for form in forms]
        found.append([before / after for before, after in zip(times, times[1:], strict=False)])
    holds = all(max(factors) == factors[1] for factors in found)
    return holds, "; ".join(", ".join(f"{factor:.1f}" for factor in factors) for factors in found)


@claim(
    "fast_and_long", "a-mask-is-a-table", "Nearly four times: the square is back",
    over="3 widths, lengths of 1,024 and 2,048", quick=True,
)  # fmt: skip
def joined_masks():
    """A padding mask alone stays in step; joined with the causal one it is a table."""
    found = []
    for width in (8, 16, 64):
        for joined in (False, True):

            def form(queries, keys, values, joined=joined):
                num_tokens = queries.shape[-2]
                mask = attention.padding_mask([num_tokens - 5], num_tokens)
                mask = mask & attention.causal_mask(num_tokens) if joined else mask
                return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)

            few, many = (measure.peak_bytes(form, *heads(size, width)) for size in (1024, 2048))
            found.append(many / few)
    alone, joined = found[::2], found[1::2]
    holds = all(factor < 2.3 for factor in alone) and all(factor > 2.5 for factor in joined) and joined[1] > 3.4
    return holds, f"padding alone {[round(x, 1) for x in alone]}, joined {[round(x, 1) for x in joined]}"


@claim(
    "fast_and_long", "a-mask-is-a-table",
    "With padding at the end you do not need it: the rows of the real tokens are the same with is_causal=True alone",
    over="10 seeds, 1 to 63 real tokens",
)  # fmt: skip
def right_padding_needs_no_mask():
    worst = 0.0
    for seed in range(10):
        torch.manual_seed(seed)
        real = int(torch.randint(1, 64, ()))
        parts = heads(64)
        mask = attention.padding_mask([real], 64) & attention.causal_mask(64)
        difference = F.scaled_dot_product_attention(*parts, attn_mask=mask) - causal(*parts)
        worst = max(worst, difference[..., :real, :].abs().max().item())
    return worst < 1e-5, f"the largest difference is {worst:.1e}"


@claim("fast_and_long", "recomputed-on-the-way-back", "It computes more, stores less, and is the faster of the two",
       over="4 lengths")  # fmt: skip
def back_and_forth():
    found = []
    for num_tokens in (256, 512, 1024, 2048):

        def both_ways(form, num_tokens=num_tokens):
            def call(*parts):
                parts = [part.detach().requires_grad_() for part in parts]
                form(*parts).sum().backward()
                return [part.grad for part in parts]

            inputs = heads(num_tokens)
            return measure.peak_bytes(call, *inputs) / 1e6, 1000 * measure.seconds(call, *inputs, rounds=2)

        found.append((*both_ways(explicit), *both_ways(causal)))
    holds = all(few < many and fast < slow for many, slow, few, fast in found)
    return holds, "; ".join("{:.0f} MB {:.0f} ms, {:.1f} MB {:.0f} ms".format(*one) for one in found)


@claim(
    "fast_and_long", "copying-the-past", "How large a part depends on the machine, its memory and the length.",
    over="5 lengths",
)  # fmt: skip
def copying_grows():
    """The share of copying in a step is larger with a long past than with a short one."""
    wide, token, shares = attention.MultiHeadAttention(256, 256, 4, causal=True).eval(), torch.rand(1, 1, 256), []
    from course_utils import checks

    step = checks.cached_step.solution
    with torch.no_grad():
        for num_past in (100, 500, 1000, 2000, 4000):
            past, new = torch.rand(2, 1, 4, num_past, 64), torch.rand(1, 4, 1, 64)
            whole = measure.seconds(lambda past=past: step(wide, token, past))
            copying = measure.seconds(lambda past=past, new=new: [torch.cat([part, new], dim=-2) for part in past])
            shares.append(copying / whole)
    return shares[-1] > shares[0], "shares of copying: " + " ".join(f"{share:.0%}" for share in shares)
