"""Claims of the notebook pytorch_attention that go beyond its outputs."""

import torch
import torch.nn.functional as F
from claiming import claims_of
from torch import nn
from torch.nn.attention.bias import causal_lower_right

from course_utils import attention, data, properties

claim = claims_of("pytorch_attention")

SIZES = [(12, 3, 2, 5), (8, 2, 1, 4), (16, 4, 3, 7), (6, 1, 2, 3), (32, 8, 4, 9)]  # width, heads, batch, tokens


def layers():
    """Yield five nn.MultiheadAttention layers of different sizes, each with inputs (batch, num_tokens, width)."""
    for seed, (width, num_heads, batch, num_tokens) in enumerate(SIZES):
        torch.manual_seed(seed)
        layer = nn.MultiheadAttention(width, num_heads, batch_first=True)
        yield layer, torch.randn(batch, num_tokens, width)


@claim("the-leak-test-finds-it", "finds the mistake in both cases: run the test", over="5 seeds and sizes", quick=True)
def leak_test_finds_it():
    """Check that an inverted mask leaks with and without weights, and gives nan only with weights."""
    found = []
    for layer, inputs in layers():
        mask = attention.causal_mask(inputs.shape[1])
        for asked in (True, False):

            def attend(x, layer=layer, mask=mask, asked=asked):
                return layer(x, x, x, attn_mask=mask, need_weights=asked)[0]

            found.append((asked, properties.no_leak(attend, inputs), int(attend(inputs)[0].isnan().any(-1).sum())))
    holds = all(not safe and rows == int(asked) for asked, safe, rows in found)
    return holds, f"{sum(not safe for _, safe, _ in found)} of {len(found)} are found"


@claim("numbers-are-added", "0 and 1 close none", over="5 seeds and sizes", quick=True)
def numbers_close_nothing():
    least = 1.0
    for layer, inputs in layers():
        mask = attention.causal_mask(inputs.shape[1]).float()
        least = min(least, layer(inputs, inputs, inputs, attn_mask=mask)[1].min().item())
    return least > 0, f"the least weight is {least:.3f}"


@claim("no-error-and-the-right", "No error and the right shape", over="5 seeds and sizes")
def misread_layout():
    """Check that a layer made without batch_first gives the right shape, and mixes texts if there are several."""
    found = []
    for layer, inputs in layers():
        tokens_first = nn.MultiheadAttention(layer.embed_dim, layer.num_heads)

        def misread(x, tokens_first=tokens_first):
            return tokens_first(x, x, x)[0]

        mixed = len(inputs) == 1 or not properties.samples_independent(misread, inputs)
        found.append(misread(inputs).shape == inputs.shape and mixed)
    return all(found), f"{sum(found)} of {len(found)}"


@claim(
    "is-causal-lays-its-triangle", "One and two. is_causal lays its triangle into the top left",
    over="6 pairs of numbers of queries and keys",
)  # fmt: skip
def corners():
    """Check that query i of is_causal sees keys 0 to i, and that causal_lower_right is the causal mask's last rows."""
    holds = True
    for num_queries, num_keys in ((2, 5), (1, 8), (3, 4), (5, 5), (4, 16), (7, 9)):
        queries, keys, identity = torch.randn(num_queries, 4), torch.randn(num_keys, 4), torch.eye(num_keys)
        seen = (F.scaled_dot_product_attention(queries, keys, identity, is_causal=True) > 0).sum(dim=-1)
        holds &= seen.tolist() == [row + 1 for row in range(num_queries)]
        right = causal_lower_right(num_queries, num_keys)
        mask = attention.causal_mask(num_keys)[-num_queries:]
        results = [F.scaled_dot_product_attention(queries, keys, identity, attn_mask=one) for one in (right, mask)]
        holds &= torch.allclose(*results, atol=1e-6)
    return holds, "the corner is the top left one in all six" if holds else "not in all six"


@claim(
    "the-hint-believed",
    "| need_weights=False, no key_padding_mask | the hint; the mask is ignored | hidden |",
    over="5 seeds and sizes",
    quick=True,
)
def the_hint_and_three_masks():
    """Hand over masks that block nothing, the past or half at random, beside is_causal=True, with and without weights.

    With weights, the result must be that of the mask alone; without, that of the causal mask.
    """
    holds = True
    for layer, inputs in layers():
        num_tokens = inputs.shape[1]
        causal, drawn = attention.causal_mask(num_tokens), torch.rand(num_tokens, num_tokens) < 0.5
        for blocked in (torch.zeros_like(causal), causal.T & ~causal, drawn & ~torch.eye(num_tokens, dtype=torch.bool)):
            for asked, counts in ((True, blocked), (False, ~causal)):
                hinted = layer(inputs, inputs, inputs, attn_mask=blocked, is_causal=True, need_weights=asked)[0]
                by_mask = layer(inputs, inputs, inputs, attn_mask=counts, need_weights=asked)[0]
                holds &= torch.allclose(hinted, by_mask, atol=1e-6)
    return holds, "the mask counts with weights, the hint without" if holds else "not in all cases"


@claim(
    "the-hint-believed", "the fast path, with a mask (in a separate experiment) | the mask", over="8 numbers of heads",
    quick=True,
)  # fmt: skip
def a_mask_on_the_fast_path():
    """Hand over the hint beside a mask that blocks half of the cells, without gradients; see which of them counts."""
    found = {}
    for num_heads in range(1, 9):
        torch.manual_seed(num_heads)
        layer = nn.MultiheadAttention(4 * num_heads, num_heads, batch_first=True).eval()
        x, blocked = torch.randn(2, 7, 4 * num_heads), torch.rand(7, 7) < 0.5
        blocked.fill_diagonal_(False)
        with torch.no_grad():
            hinted = layer(x, x, x, attn_mask=blocked, is_causal=True, need_weights=False)[0]
            by_mask = layer(x, x, x, attn_mask=blocked, need_weights=False)[0]
        found[num_heads] = torch.allclose(hinted, by_mask, atol=1e-5)
    return found == {heads: heads % 2 == 0 for heads in found}, f"the mask is read: {found}"


@claim("the-hint-believed", "the fast path, hint alone | neither, and no error | open", over="5 widths, 2 to 16 heads")
def the_hint_on_the_fast_path():
    """Compare a layer in eval mode without gradients, with the hint and without it: on the fast path they are alike."""
    differences = []
    for seed, (width, num_heads) in enumerate(((8, 2), (12, 4), (24, 6), (32, 8), (64, 16))):
        torch.manual_seed(seed)
        layer, x = nn.MultiheadAttention(width, num_heads, batch_first=True).eval(), torch.randn(2, 7, width)
        with torch.no_grad():
            differences.append((layer(x, x, x, is_causal=True)[0] - layer(x, x, x)[0]).abs().max().item())
    return max(differences) < 1e-6, f"with and without the hint differ by at most {max(differences):.1e}"


@claim("no-mode", "the model in use gives another answer at every call", over="5 seeds, p from 0.1", apart=0.1)
def function_without_mode():
    """Yield how far two calls of a module in use lie apart: with its dropout_p handed over, and with its mode asked."""
    dropout = nn.Dropout(0.1).eval()
    for seed in range(5):
        torch.manual_seed(seed)
        dropout.p, parts = 0.1 * (seed + 1), torch.randn(3, 2, 4, 6, 8)
        for_each = []
        for dropout_p in (dropout.p, dropout.p if dropout.training else 0.0):
            first, second = (F.scaled_dot_product_attention(*parts, dropout_p=dropout_p) for call in range(2))
            for_each.append((first - second).abs().max())
        yield for_each


@claim("whoever-looks-at-the-average", "no other token more than 0.08", over="")
def average_of_it():
    real = data.load("sentence_pairs")["weak"]
    row = real.attn_weights[3].mean(dim=0)[real.tokens.index("it")].sort(descending=True).values
    return round(row[0].item(), 2) == 0.35 and round(row[1].item(), 2) == 0.08, f"{row[0]:.3f}, then {row[1]:.3f}"


@claim("heads-like-the-average", "The average shares a strong first column with nearly all heads", over="6 sentences")
def average_and_heads():
    """Compare the mean weight of the first column over the heads of layer 3: head 11 has little, the others much."""
    columns = torch.stack([one.attn_weights[3, :, :, 0].mean(dim=-1) for one in data.load("sentence_pairs").values()])
    others = columns[:, :11]
    holds = others.min() > 0.25 and columns[:, 11].max() < 0.1
    return bool(holds), f"head 11 at most {columns[:, 11].max():.2f}, the others at least {others.min():.2f}"


@claim(
    "heads-like-the-average",
    "In the other columns its correlation is highest with heads 6 and 7.",
    over="6 sentences",
    quick=True,
)
def average_beside_the_first_column():
    """Correlate each head of layer 3 with the average of all, without the first column."""
    most, found = [], []
    for sentence in data.load("sentence_pairs").values():
        heads = sentence.attn_weights[3, :, :, 1:].flatten(1)
        alike = torch.stack([torch.corrcoef(torch.stack([head, heads.mean(dim=0)]))[0, 1] for head in heads])
        most.append(set(alike.topk(2).indices.tolist()))
        found.append(" ".join(f"{one:.2f}" for one in alike))
    return all(heads == {6, 7} for heads in most), "; ".join(found)
