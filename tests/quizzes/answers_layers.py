"""Compute the answers of the quizzes on masks, dropout, heads and padding."""

from unittest import mock

import torch
import torch.nn.functional as F
from computed import answers, asked, pair, shape
from torch import nn

from course_utils import attention, properties

# 04


@answers("causal_masking", "exchange the first two")
def _():
    head, inputs = attention.SelfAttention(4, 3), torch.rand(2, 5, 4)
    assert properties.permutation_equivariant(head, inputs)
    places = [1, 0, 2, 3, 4]
    assert torch.allclose(head(inputs[:, places])[0], head(inputs)[0][:, places], atol=1e-6)
    return "The first two outputs are exchanged, all others stay as they were"


@answers("causal_masking", "causal mask of 6")
def _():
    mask = attention.causal_mask(6)
    return tuple(str(cells) for cells in (mask.sum().item(), mask.tril(-1).sum().item(), mask.numel()))


@answers("causal_masking", "0, 0 and 5")
def _():
    scores, past = torch.tensor([0.0, 0.0, 5.0]), torch.tensor([True, True, False])
    found = (torch.softmax(scores.masked_fill(~past, fill), dim=-1) for fill in (0.0, -torch.inf, 5.0))
    return tuple("{:.2f}, {:.2f} and {:.2f}".format(*weights.tolist()) for weights in found)


@answers("causal_masking", "nn.MultiheadAttention")
def _():
    layer, inputs = nn.MultiheadAttention(4, 1, batch_first=True), torch.rand(1, 5, 4)
    _, attn_weights = layer(inputs, inputs, inputs, attn_mask=attention.causal_mask(5))
    assert (attn_weights[0, 0] > 0).tolist() == [False, True, True, True, True]
    return "Everything but itself"


@answers("causal_masking", "`context_length` 7")
def _():
    head = attention.CausalAttention(4, 3, context_length=7)
    with mock.patch.object(attention, "scaled_dot_product_attention") as attend:
        head(torch.rand(2, 5, 4))
    *_, mask, _ = attend.call_args.args
    return shape(mask), shape(head.causal_mask)


@answers("causal_masking", "token 3")
def _():
    head, inputs = attention.CausalAttention(4, 3, context_length=6), torch.rand(6, 4)
    moved = (head(inputs + torch.eye(6)[:, 3:4])[0] != head(inputs)[0]).any(dim=-1)
    first, second, third = moved.nonzero().flatten().tolist()
    return f"{first}, {second} and {third}"


@answers("causal_masking", "does not share out again")
def _():
    head, texts, past = attention.SelfAttention(4, 3), torch.randn(2, 5, 4), attention.causal_mask(5)

    def erased(x):
        return (head(x)[1] * past) @ head.W_value(x)

    assert not properties.no_leak(erased, texts)
    return "Yes: softmax has divided by a sum that holds the scores of the future"


@answers("causal_masking", "a text of nine letters once")
def _():
    head, text = attention.CausalAttention(4, 3, context_length=9), torch.randn(9, 4)
    row, rows = head(text)[0][3], head(text)[0]
    assert torch.allclose(row, head(text[:4])[0][-1], atol=1e-6)
    assert not torch.allclose(row, rows[-1], atol=1e-3) and not torch.allclose(row, rows[:3].mean(dim=0), atol=1e-3)
    return "the last row of its result for the first four letters"


# 05


@answers("dropout", "full of 4")
def _():
    numbers = nn.Dropout(0.2)(torch.full((100, 100), 4.0)).unique().tolist()
    return " and ".join(f"{number:.0f}" for number in numbers), "0 and 4", f"0 and {4 / 0.2:.0f}", f"{4 * 0.8:.1f} only"


@answers("dropout", "add up to?")
def _():
    sums = nn.Dropout(0.3)(torch.full((20_000, 8), 1 / 8)).sum(dim=-1)
    assert len(sums.unique()) > 5
    return f"Something else in each draw, and {sums.mean():.0f} on average"


@answers("dropout", "four equal weights")
def _():
    cut = (nn.Dropout(0.25)(torch.full((20_000, 4), 1 / 4)) == 0).sum(dim=-1)
    least, most, mean = cut.min(), cut.max(), cut.float().mean()
    return f"Any number from {least} to {most}, and {mean:.0f} on average"


@answers("dropout", "lose both")
def _():
    share = (torch.rand(100_000, 2) < 0.1).all(dim=-1).float().mean()
    return tuple(f"In {number:.2f} of the draws" for number in (share, 0.1, 2 * 0.1))


@answers("dropout", "scores 2 and 0")
def _():
    scores = torch.tensor([2.0, 0.0])
    dropped = scores * torch.tensor([0.0, 1.0])
    hidden = torch.tensor([-torch.inf, 0.0])
    return tuple(pair(attention.softmax(numbers)) for numbers in (dropped, scores, hidden))


@answers("dropout", "Which line")
def _():
    model, x = nn.Dropout(0.5), torch.ones(1000)
    with torch.no_grad():
        assert not torch.equal(model(x), model(x))
    assert not torch.equal(model.train()(x), model(x))
    model.eval()
    assert torch.equal(model(x), model(x))
    return "`model.eval()`", "`model.train()`", "`torch.no_grad()`"


@answers("dropout", "dropout_p=0.1")
def _():
    class Careless(nn.Module):
        def forward(self, x):
            return F.scaled_dot_product_attention(x, x, x, dropout_p=0.1)

    model, x = Careless().eval(), torch.rand(40, 30, 8)
    assert not torch.equal(model(x), model(x))
    return "It goes on dropping"


# 06 and 07


@answers("the_reshape", "without a transpose")
def _():
    x = torch.arange(2 * 5 * 12).view(2, 5, 12)
    token = x.view(2, 4, 5, 3)[0, 0] // 12  # from which token each number of head 0 comes
    assert token.shape == (5, 3) and set(token.flatten().tolist()) == {0, 1} and (token == 1).sum() == 3
    return "The right shape, with tokens mixed between the heads"


@answers("the_reshape", "768 wide")
def _():
    _, num_tokens, head_dim = attention.split_heads(torch.rand(10, 768), 12).shape
    return f"{head_dim} numbers, all {num_tokens} tokens", f"768 numbers, all {num_tokens} tokens"


@answers("several_heads", "torch.stack(notes, dim=-1)")
def _():
    notes = [torch.rand(2, 5, 3) for _ in range(4)]
    return shape(torch.stack(notes, dim=-1)), shape(torch.cat(notes, dim=-1)), shape(torch.cat(notes))


@answers("several_heads", "leave `out_proj` out")
def _():
    vecs = torch.rand(1, 4, 5, 3)
    others = vecs.clone()
    others[:, 0] += 1
    changed = (attention.merge_heads(vecs) != attention.merge_heads(others)).any(dim=1).nonzero()[:, 1]
    assert changed.tolist() == [0, 1, 2]
    return "Write outside its own features"


@answers("the_reshape", "What doubles?")
def _():
    few, many = (attention.MultiHeadAttention(16, 16, num_heads) for num_heads in (2, 4))
    numel = [sum(parameter.numel() for parameter in layer.parameters()) for layer in (few, many)]
    weights = [layer(torch.rand(1, 5, 16))[1].numel() for layer in (few, many)]
    assert numel[0] == numel[1] and weights[1] == 2 * weights[0]
    return "The numbers kept as weights", "The number of parameters"


@answers("the_reshape", "are its strides after")
def _():
    x = torch.rand(4, 5, 3)
    turned = x.transpose(0, 1)
    return tuple(str(tensor.stride()) for tensor in (turned, x, turned.contiguous()))


@answers("the_reshape", "merges the heads")
def _():
    vecs, right, wrong = torch.rand(2, 4, 5, 3), [], []
    for choice in asked("the_reshape", "merges the heads")["choices"]:
        try:
            merged = eval(choice["text"].strip("`"), {"vecs": vecs})
        except RuntimeError:  # view() of a tensor that is not contiguous
            merged = torch.empty(0)
        (right if torch.equal(merged, attention.merge_heads(vecs)) else wrong).append(choice["text"])
    (only,) = right
    return only, *wrong


# 07


@answers("padding_and_cross_attention", "padding_mask([3, 2], 6)")
def _():
    mask = attention.padding_mask([3, 2], 6)
    return shape(mask), shape(mask[:, 0, 0])


@answers("padding_and_cross_attention", "goes to padding")
def _():
    share = attention.softmax(torch.zeros(4))[2:].sum().item()
    return f"1/{1 / share:.0f}"


@answers("padding_and_cross_attention", "-1e9")
def _():
    weights = torch.softmax(torch.full((4,), -1e9), dim=-1).unique().item()
    assert torch.softmax(torch.full((4,), -torch.inf), dim=-1).isnan().all()
    assert not attention.softmax(torch.full((4,), -torch.inf)).any()
    return f"All {weights}", "All nan", "All 0"


@answers("padding_and_cross_attention", "joined with `|`")
def _():
    real, causal = attention.padding_mask([3], 5)[0, 0], attention.causal_mask(5)
    assert (real | causal)[0, :3].all() and not (real & causal)[0, 1:].any()
    return "Tokens see later real tokens"


@answers("padding_and_cross_attention", "8 queries of width 12")
def _():
    layer = attention.MultiHeadAttention(12, 20, 4, kdim=30, vdim=7)
    out, weights = layer(torch.rand(8, 12), torch.rand(5, 30), torch.rand(5, 7))
    return f"Result {shape(out)}, weights {shape(weights)}"


@answers("padding_and_cross_attention", "attn_weights[1, 2]")
def _():
    queries, keys = torch.rand(2, 3, 4, 5), torch.rand(2, 3, 6, 5)
    _, weights = attention.scaled_dot_product_attention(queries, keys, keys, attention.padding_mask([3, 2], 6))
    assert shape(weights) == "(2, 3, 4, 6)"
    closed = [(weights[text, 2] == 0).all(dim=0).nonzero().flatten().tolist() for text in (1, 0)]
    return tuple(f"{', '.join(map(str, found[:-1]))} and {found[-1]}" for found in closed)
