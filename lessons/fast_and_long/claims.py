"""Claims of the notebook fast_and_long that go beyond its outputs."""

import torch
import torch.nn.functional as F
from claiming import claims_of, differences_below
from torch import nn

from course_utils import attention, checks, measure

claim = claims_of("fast_and_long")


def heads(num_tokens, width=16):
    """Return random queries, keys and values, each (1, 4, num_tokens, width), as one tensor."""
    return torch.randn(3, 1, 4, num_tokens, width)


def causal(*parts):
    return F.scaled_dot_product_attention(*parts, is_causal=True)


def explicit(queries, keys, values):
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    attn_scores = attn_scores.masked_fill(~attention.causal_mask(queries.shape[-2]), -torch.inf)
    return attention.softmax(attn_scores) @ values


def tables(num_tokens, kept):
    """Return a form of attention that stores its tables, with fresh memory for them at each call, or in room kept.

    Both do the same steps, with torch.softmax. num_tokens: of the inputs, which have 4 heads. kept: whether the room
    for the tables is made here, once.
    """
    scores, weights = torch.empty(2, 1, 4, num_tokens, num_tokens) if kept else (None, None)

    def attend(queries, keys, values):
        products = torch.matmul(queries, keys.mT, out=scores)
        scaled = torch.div(products, queries.shape[-1] ** 0.5, out=weights)
        masked = torch.where(attention.causal_mask(num_tokens), scaled, torch.tensor(-torch.inf), out=scores)
        return torch.softmax(masked, dim=-1, out=weights) @ values

    return attend


def milliseconds(form, *inputs):
    return 1000 * measure.seconds(form, *inputs, rounds=2, enough=0.02)


@claim(
    "the-context-vector-of-the", "The last weighted sum, divided by the last sum, is the context vector",
    over="20 seeds, rows of 1 to 40 keys, blocks of 1 to 7, scores up to 300", quick=True,
)  # fmt: skip
@differences_below(1e-12)
def blockwise_rows():
    """Compare rows computed in blocks with the softmax of the whole row."""
    for seed in range(20):
        torch.manual_seed(seed)
        num_keys, block = int(torch.randint(1, 41, ())), int(torch.randint(1, 8, ()))
        scores, values = 100 * torch.randn(num_keys).double(), torch.randn(num_keys, 4).double()
        highest, total, mixed = torch.tensor(-torch.inf).double(), 0.0, torch.zeros(4).double()
        for part, value in zip(scores.split(block), values.split(block), strict=True):
            new = torch.maximum(highest, part.max())
            shrink, exps = torch.exp(highest - new), torch.exp(part - new)
            total, mixed, highest = total * shrink + exps.sum(), mixed * shrink + exps @ value, new
        yield mixed / total - torch.softmax(scores, 0) @ values


@claim(
    "memory-is-as-predicted-the",
    "Twice the tokens cost four times the memory where a table is stored. Where none is stored, memory grows roughly "
    "in proportion",
    over="3 widths, 4 and 1 texts",
)  # fmt: skip
def memory_slopes():
    """Measure how peak memory of a forward pass grows with the tokens, from 512 to 2,048."""
    found = []
    for width, batch in ((8, 1), (16, 4), (64, 1)):
        sizes = [512, 1024, 2048] if batch == 1 else [512, 1024]
        for form in (explicit, causal):
            with torch.no_grad():
                peaks = [measure.peak_bytes(form, *torch.randn(3, batch, 4, size, width)) for size in sizes]
            found.append(measure.slope(sizes, peaks))
    holds = all(1.9 < slope < 2.1 for slope in found[::2]) and all(0.9 < slope < 1.5 for slope in found[1::2])
    return holds, "slopes, explicit and fused in turn: " + " ".join(f"{slope:.2f}" for slope in found)


@claim("no-table-saves-most", "At this length the largest saving comes from storing no table", over="3 widths")
def largest_step():
    """Measure the times of four forms of attention, and the factor from each to the next."""
    found = []
    for width in (8, 16, 64):
        forms, inputs = (explicit, tables(2048, kept=False), F.scaled_dot_product_attention, causal), heads(2048, width)
        times = [milliseconds(form, *inputs) for form in forms]
        found.append([before / after for before, after in zip(times, times[1:], strict=False)])
    holds = all(max(factors) == factors[1] for factors in found)
    return holds, "; ".join(", ".join(f"{factor:.1f}" for factor in factors) for factors in found)


@claim(
    "no-table-saves-most",
    "How large it is depends on the system's memory: where no fresh memory had to be handed out, it was three to "
    "four times as fast",
    over="3 widths", apart=1,
)  # fmt: skip
def step_without_fresh_memory():
    """Yield how many times as fast it is to store no table, with fresh memory for tables and with room kept."""
    for width in (8, 16, 64):
        inputs = heads(2048, width)
        none = milliseconds(F.scaled_dot_product_attention, *inputs)
        yield [milliseconds(tables(2048, kept), *inputs) / none for kept in (False, True)]


@claim(
    "memory-is-as-predicted-the",
    "a table for 2,048 tokens is so large that the system must hand out fresh memory for it at each call",
    over="3 widths", apart=0.3,
)  # fmt: skip
def slopes_without_fresh_memory():
    """Yield how steeply the time of a stored table grows, with fresh memory at each call and with room kept."""
    torch.empty(7_500_000)  # 30 MB: once it has been freed, glibc keeps freed memory of up to that size
    for width in (8, 16, 64):
        yield [
            measure.slope((512, 2048), [milliseconds(tables(size, kept), *heads(size, width)) for size in (512, 2048)])
            for kept in (False, True)
        ]


@claim(
    "memory-is-as-predicted-the", "it skips blocks that lie wholly in the future, of which short texts have few",
    over="5 widths", apart=0.2,
)  # fmt: skip
def what_is_causal_skips():
    """Yield how many times as fast is_causal is as no mask, with 2,048 tokens and with 512."""
    for width in (8, 16, 32, 64, 128):
        yield [
            milliseconds(F.scaled_dot_product_attention, *inputs) / milliseconds(causal, *inputs)
            for inputs in (heads(2048, width), heads(512, width))
        ]


@claim(
    "a-mask-is-a-table", "Nearly four times: memory is quadratic again.", over="5 widths, lengths of 1,024 and 2,048",
    quick=True, apart=1.5, rival="the causal mask as a rule",
)  # fmt: skip
def joined_masks():
    """Yield how memory grows when the tokens double, with a padding mask joined with the causal mask, and alone.

    The rival hides the same future, by `is_causal` and without a table.
    """
    for width in (8, 12, 16, 32, 64):
        grown = []
        for joined in (True, False):

            def form(queries, keys, values, joined=joined):
                num_tokens = queries.shape[-2]
                mask = attention.padding_mask([num_tokens - 5], num_tokens)
                mask = mask & attention.causal_mask(num_tokens) if joined else mask
                return F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)

            few, many = (measure.peak_bytes(form, *heads(size, width)) for size in (1024, 2048))
            grown.append(many / few)
        few, many = (measure.peak_bytes(causal, *heads(size, width)) for size in (1024, 2048))
        yield *grown, many / few


@claim(
    "a-mask-is-a-table",
    "PyTorch makes a second table of it for the kernel, one of floats, which is four times as large.",
    over="3 lengths, extra MB in a call", quick=True, apart=1, rival="a mask that is floats already",
)  # fmt: skip
def bool_masks_are_copied():
    """Yield how many MB more than is_causal a call needs: with a bool mask, with none, and with floats."""
    for size in (512, 1024, 2048):
        mask, parts = attention.causal_mask(size)[None, None].clone(), heads(size)
        floats = torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)
        rule, found = measure.peak_bytes(causal, *parts), []
        for one in (mask, None, floats):
            peak = measure.peak_bytes(lambda *parts, m=one: F.scaled_dot_product_attention(*parts, m), *parts)
            found.append((peak - rule) / 1e6)
        yield found


@claim(
    "80-200-tokens-to-project",
    "A token projected alone took several times as long as one of 200 projected together.",
    over="3 lengths", quick=True,
)  # fmt: skip
def one_row_uses_a_matrix_badly():
    layer, times = nn.Linear(256, 256, bias=False), []
    with torch.no_grad():
        alone = milliseconds(layer, torch.rand(1, 1, 256))
        for num_tokens in (100, 200, 400):
            times.append(num_tokens * alone / milliseconds(layer, torch.rand(1, num_tokens, 256)))
    return min(times) > 3, "times as long: " + " ".join(f"{one:.1f}" for one in times)


@claim("80-200-tokens-to-project", "The past keys cost little here.", over="2 pasts, against none", quick=True)
def keys_so_far_cost_little():
    wide, token = attention.MultiHeadAttention(256, 256, 4, causal=True).eval(), torch.rand(1, 1, 256)
    room = torch.rand(2, 1, 4, 400, 64)
    step = checks.preallocated_step.solution
    with torch.no_grad():
        first, *later = (1000 * measure.seconds(lambda n=n: step(wide, token, (*room, n))) for n in (0, 200, 399))
    words = ", ".join(f"{time:.3f}" for time in (first, *later))
    return max(later) < 2 * first, f"milliseconds of a step after 0, 200 and 399 tokens: {words}"


@claim(
    "a-mask-is-a-table",
    "you do not need the joined mask: the rows of the real tokens are the same with is_causal=True alone",
    over="10 seeds, 1 to 63 real tokens",
)  # fmt: skip
@differences_below(1e-5)
def right_padding_needs_no_mask():
    for seed in range(10):
        torch.manual_seed(seed)
        real = int(torch.randint(1, 64, ()))
        parts = heads(64)
        mask = attention.padding_mask([real], 64) & attention.causal_mask(64)
        difference = F.scaled_dot_product_attention(*parts, attn_mask=mask) - causal(*parts)
        yield difference[..., :real, :]


@claim(
    "recomputed-on-the-way-back", "It makes the weights twice, stores less, and is the faster of the two",
    over="3 lengths",
)  # fmt: skip
def back_and_forth():
    found = []
    for num_tokens in (512, 1024, 2048):

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


@claim("copying-the-past", "this late step is the faster one", over="5 seeds, 3 lengths")
def room_made_once_is_faster():
    """Compare a step that joins the past with one that has room for it."""
    ratios = []
    for seed in range(5):
        torch.manual_seed(seed)
        wide, token = attention.MultiHeadAttention(256, 256, 4, causal=True).eval(), torch.rand(1, 1, 256)
        for num_past in (1000, 2000, 4000):
            past, room = torch.rand(2, 1, 4, num_past, 64), torch.rand(2, 1, 4, num_past + 1, 64)
            with torch.no_grad():
                joined = measure.seconds(checks.cached_step.solution, wide, token, past)
                ready = measure.seconds(checks.preallocated_step.solution, wide, token, (*room, num_past))
            ratios.append(ready / joined)
    return max(ratios) < 1, f"the step takes {min(ratios):.0%} to {max(ratios):.0%} of the time"


@claim("copying-the-past", "How much it saves depends on the machine, its memory and the length", over="5 lengths")
def copying_grows():
    """Measure which share of a step is copying, which room made once saves, with pasts of five lengths."""
    wide, token, shares = attention.MultiHeadAttention(256, 256, 4, causal=True).eval(), torch.rand(1, 1, 256), []
    step = checks.cached_step.solution
    with torch.no_grad():
        for num_past in (100, 500, 1000, 2000, 4000):
            past, new = torch.rand(2, 1, 4, num_past, 64), torch.rand(1, 4, 1, 64)
            whole = measure.seconds(lambda past=past: step(wide, token, past))
            copying = measure.seconds(lambda past=past, new=new: [torch.cat([part, new], dim=-2) for part in past])
            shares.append(copying / whole)
    return shares[-1] > shares[0], "shares of copying: " + " ".join(f"{share:.0%}" for share in shares)


def random_sizes(seed):
    """Return random sizes: (batch, query heads, key heads, num_tokens, head_dim)."""
    torch.manual_seed(seed)
    batch, key_heads, group, num_tokens, head_dim = (int(torch.randint(1, most, ())) for most in (4, 4, 5, 41, 25))
    return batch, key_heads * group, key_heads, num_tokens, head_dim


@claim("your-turn-blockwise-row", "for any number of keys and blocks of any size", over="200 drawn rows", quick=True)
@differences_below(1e-5)
def blockwise_is_pytorch():
    """Compare the exercise's solution with scaled_dot_product_attention of a single query."""
    for seed in range(200):
        _, _, _, num_keys, head_dim = random_sizes(seed)
        query, keys = 2 * torch.randn(head_dim), 2 * torch.randn(num_keys, head_dim)
        values, block_size = torch.randn(num_keys, 1 + seed % 7), 1 + seed % 9
        whole = F.scaled_dot_product_attention(query[None], keys, values)[0]
        yield checks.blockwise_row.solution(query, keys, values, block_size) - whole


@claim("heads-that-share", "query heads 0 to 3 use key head 0", over="200 drawn cases", quick=True)
@differences_below(1e-5)
def groups_are_pytorchs():
    """Compare the exercise's solution with enable_gqa, and the course's class with and without weights."""
    for seed in range(200):
        batch, num_heads, key_heads, num_tokens, head_dim = random_sizes(seed)
        queries = torch.randn(batch, num_heads, num_tokens, head_dim)
        keys, values = torch.randn(2, batch, key_heads, num_tokens, head_dim)
        theirs = F.scaled_dot_product_attention(queries, keys, values, is_causal=True, enable_gqa=True)
        yield checks.gqa.solution(queries, keys, values)[0] - theirs
        width = num_heads * head_dim
        heads_of = attention.MultiHeadAttention(width, width, num_heads, causal=True, key_heads=key_heads)
        x = torch.randn(batch, num_tokens, width)
        with torch.no_grad():
            yield heads_of(x)[0] - heads_of(x, need_weights=False)[0]


@claim("cache-of-the-course", "or any number at once", over="200 drawn cases, in drawn pieces")
@differences_below(1e-5)
def pieces_are_the_whole():
    """Compare a text read through a cache, in pieces of random lengths, with one pass over it."""
    for seed in range(200):
        batch, num_heads, key_heads, num_tokens, _ = random_sizes(seed)
        heads_of = attention.MultiHeadAttention(12, 8 * num_heads, num_heads, causal=True, key_heads=key_heads)
        x = torch.randn(batch, num_tokens, 12)
        cuts = (torch.rand(num_tokens - 1) < 0.4).nonzero().flatten() + 1
        with torch.no_grad():
            for need_weights in (False, True):
                cache = attention.KeyValueCache(num_tokens)
                parts = x.tensor_split(cuts, dim=1)
                read = torch.cat([heads_of(part, cache=cache, need_weights=need_weights)[0] for part in parts], dim=1)
                yield read - heads_of(x)[0]
