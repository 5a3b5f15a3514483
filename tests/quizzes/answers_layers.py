"""Compute the answers of the quizzes on masks, dropout, heads and padding."""

from unittest import mock

import torch
import torch.nn.functional as F
from computed import answers, asked, pair, shape
from torch import nn

from course_utils import attention, properties


@answers
def causal_masking():
    head, inputs = attention.SelfAttention(4, 3), torch.rand(2, 5, 4)
    assert properties.permutation_equivariant(head, inputs)
    places = [1, 0, 2, 3, 4]
    assert torch.allclose(head(inputs[:, places])[0], head(inputs)[0][:, places], atol=1e-6)
    yield "exchange the first two", "The first two outputs are exchanged, all others stay as they were"

    mask = attention.causal_mask(6)
    yield "causal mask of 6", *(str(cells) for cells in (mask.sum().item(), mask.tril(-1).sum().item(), mask.numel()))

    scores, past = torch.tensor([0.0, 0.0, 5.0]), torch.tensor([True, True, False])
    found = (torch.softmax(scores.masked_fill(~past, fill), dim=-1) for fill in (0.0, -torch.inf, 5.0))
    yield "0, 0 and 5", *("{:.2f}, {:.2f} and {:.2f}".format(*weights.tolist()) for weights in found)

    layer, inputs = nn.MultiheadAttention(4, 1, batch_first=True), torch.rand(1, 5, 4)
    _, attn_weights = layer(inputs, inputs, inputs, attn_mask=attention.causal_mask(5))
    assert (attn_weights[0, 0] > 0).tolist() == [False, True, True, True, True]
    yield "nn.MultiheadAttention", "Everything but itself"

    head = attention.CausalAttention(4, 3, context_length=7)
    with mock.patch.object(attention, "scaled_dot_product_attention") as attend:
        head(torch.rand(2, 5, 4))
    *_, mask, _ = attend.call_args.args
    yield "`context_length` 7", shape(mask), shape(head.causal_mask)

    head, inputs = attention.CausalAttention(4, 3, context_length=6), torch.rand(6, 4)
    moved = (head(inputs + torch.eye(6)[:, 3:4])[0] != head(inputs)[0]).any(dim=-1)
    first, second, third = moved.nonzero().flatten().tolist()
    yield "token 3", f"{first}, {second} and {third}"

    head, texts, past = attention.SelfAttention(4, 3), torch.randn(2, 5, 4), attention.causal_mask(5)

    def erased(x):
        return (head(x)[1] * past) @ head.W_value(x)

    assert not properties.no_leak(erased, texts)
    yield "does not share out again", "Yes: softmax has divided by a sum that holds the scores of the future"

    head, text = attention.CausalAttention(4, 3, context_length=9), torch.randn(9, 4)
    row, rows = head(text)[0][3], head(text)[0]
    assert torch.allclose(row, head(text[:4])[0][-1], atol=1e-6)
    assert not torch.allclose(row, rows[-1], atol=1e-3) and not torch.allclose(row, rows[:3].mean(dim=0), atol=1e-3)
    yield "a text of nine letters once", "the last row of its result for the first four letters"


@answers
def dropout():
    numbers = nn.Dropout(0.2)(torch.full((100, 100), 4.0)).unique().tolist()
    yield (
        "full of 4",
        " and ".join(f"{number:.0f}" for number in numbers),
        "0 and 4",
        f"0 and {4 / 0.2:.0f}",
        f"{4 * 0.8:.1f} only",
    )

    sums = nn.Dropout(0.3)(torch.full((20_000, 8), 1 / 8)).sum(dim=-1)
    assert len(sums.unique()) > 5
    yield "add up to?", f"Something else in each draw, and {sums.mean():.0f} on average"

    cut = (nn.Dropout(0.25)(torch.full((20_000, 4), 1 / 4)) == 0).sum(dim=-1)
    least, most, mean = cut.min(), cut.max(), cut.float().mean()
    yield "four equal weights", f"Any number from {least} to {most}, and {mean:.0f} on average"

    share = (torch.rand(100_000, 2) < 0.1).all(dim=-1).float().mean()
    yield "lose both", *(f"In {number:.2f} of the draws" for number in (share, 0.1, 2 * 0.1))

    scores = torch.tensor([2.0, 0.0])
    dropped = scores * torch.tensor([0.0, 1.0])
    hidden = torch.tensor([-torch.inf, 0.0])
    yield "scores 2 and 0", *(pair(attention.softmax(numbers)) for numbers in (dropped, scores, hidden))

    model, x = nn.Dropout(0.5), torch.ones(1000)
    with torch.no_grad():
        assert not torch.equal(model(x), model(x))
    assert not torch.equal(model.train()(x), model(x))
    model.eval()
    assert torch.equal(model(x), model(x))
    yield "Which line", "`model.eval()`", "`model.train()`", "`torch.no_grad()`"

    class Careless(nn.Module):
        def forward(self, x):
            return F.scaled_dot_product_attention(x, x, x, dropout_p=0.1)

    model, x = Careless().eval(), torch.rand(40, 30, 8)
    assert not torch.equal(model(x), model(x))
    yield "dropout_p=0.1", "It goes on dropping"


@answers
def the_reshape():
    x = torch.arange(2 * 5 * 12).view(2, 5, 12)
    token = x.view(2, 4, 5, 3)[0, 0] // 12  # from which token each number of head 0 comes
    assert token.shape == (5, 3) and set(token.flatten().tolist()) == {0, 1} and (token == 1).sum() == 3
    yield "without a transpose", "The right shape, with tokens mixed between the heads"

    _, num_tokens, head_dim = attention.split_heads(torch.rand(10, 768), 12).shape
    yield "768 wide", f"{head_dim} numbers, all {num_tokens} tokens", f"768 numbers, all {num_tokens} tokens"

    few, many = (attention.MultiHeadAttention(16, 16, num_heads) for num_heads in (2, 4))
    numel = [sum(parameter.numel() for parameter in layer.parameters()) for layer in (few, many)]
    weights = [layer(torch.rand(1, 5, 16))[1].numel() for layer in (few, many)]
    assert numel[0] == numel[1] and weights[1] == 2 * weights[0]
    yield "What doubles?", "The numbers kept as weights", "The number of parameters"

    x = torch.rand(4, 5, 3)
    turned = x.transpose(0, 1)
    yield "are its strides after", *(str(tensor.stride()) for tensor in (turned, x, turned.contiguous()))

    vecs, right, wrong = torch.rand(2, 4, 5, 3), [], []
    for choice in asked("the_reshape", "merges the heads")["choices"]:
        try:
            merged = eval(choice["text"].strip("`"), {"vecs": vecs})
        except RuntimeError:  # view() of a tensor that is not contiguous
            merged = torch.empty(0)
        (right if torch.equal(merged, attention.merge_heads(vecs)) else wrong).append(choice["text"])
    (only,) = right
    yield "merges the heads", only, *wrong


@answers
def several_heads():
    notes = [torch.rand(2, 5, 3) for _ in range(4)]
    yield (
        "torch.stack(notes, dim=-1)",
        shape(torch.stack(notes, dim=-1)),
        shape(torch.cat(notes, dim=-1)),
        shape(torch.cat(notes)),
    )

    vecs = torch.rand(1, 4, 5, 3)
    others = vecs.clone()
    others[:, 0] += 1
    changed = (attention.merge_heads(vecs) != attention.merge_heads(others)).any(dim=1).nonzero()[:, 1]
    assert changed.tolist() == [0, 1, 2]
    yield "leave `out_proj` out", "Write outside its own features"


@answers
def padding_and_cross_attention():
    mask = attention.padding_mask([3, 2], 6)
    yield "padding_mask([3, 2], 6)", shape(mask), shape(mask[:, 0, 0])

    share = attention.softmax(torch.zeros(4))[2:].sum().item()
    yield "goes to padding", f"1/{1 / share:.0f}"

    weights = torch.softmax(torch.full((4,), -1e9), dim=-1).unique().item()
    assert torch.softmax(torch.full((4,), -torch.inf), dim=-1).isnan().all()
    assert not attention.softmax(torch.full((4,), -torch.inf)).any()
    yield "-1e9", f"All {weights}", "All nan", "All 0"

    real, causal = attention.padding_mask([3], 5)[0, 0], attention.causal_mask(5)
    assert (real | causal)[0, :3].all() and not (real & causal)[0, 1:].any()
    yield "joined with `|`", "Tokens see later real tokens"

    layer = attention.MultiHeadAttention(12, 20, 4, kdim=30, vdim=7)
    out, weights = layer(torch.rand(8, 12), torch.rand(5, 30), torch.rand(5, 7))
    yield "8 queries of width 12", f"Result {shape(out)}, weights {shape(weights)}"

    queries, keys = torch.rand(2, 3, 4, 5), torch.rand(2, 3, 6, 5)
    _, weights = attention.scaled_dot_product_attention(queries, keys, keys, attention.padding_mask([3, 2], 6))
    assert shape(weights) == "(2, 3, 4, 6)"
    closed = [(weights[text, 2] == 0).all(dim=0).nonzero().flatten().tolist() for text in (1, 0)]
    yield "attn_weights[1, 2]", *(f"{', '.join(map(str, found[:-1]))} and {found[-1]}" for found in closed)
