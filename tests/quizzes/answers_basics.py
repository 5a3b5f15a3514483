"""Compute the answers of the quizzes on scores, softmax and projections."""

import pytest
import torch
from computed import answers, pair, row, shape
from torch import nn

from course_utils import attention, data


@answers
def start_here():
    table = torch.rand(2, 3)
    yield "sum(dim=0)", shape(table.sum(dim=0)), shape(table.sum(dim=1)), shape(table.sum(dim=0, keepdim=True))

    table = torch.rand(2, 3)
    with pytest.raises(RuntimeError):
        table / table.sum(dim=-1)
    yield "table / sums", "It fails"

    table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    yield "view(3, 2)", row(table.view(3, 2)[0]), row(table.transpose(0, 1)[0]), row(table[0])

    weights, table = torch.tensor([0.5, 0.3, 0.2]), torch.rand(3, 4)
    mixed = 0.5 * table[0] + 0.3 * table[1] + 0.2 * table[2]
    assert torch.allclose(weights @ table, mixed, atol=1e-5) and (weights @ table).shape == (4,)
    yield "weights @ table", "Four numbers: the rows of `table`, mixed"

    # Also check the weights in the question's explanation against the model's.
    for word, robot, hill in (("weak", 0.53, 0.14), ("steep", 0.11, 0.55)):
        sentence = data.load("sentence_pairs")[word]
        weights = sentence.attn_weights[3, 1, sentence.tokens.index("it")]
        assert weights[sentence.tokens.index("robot")].item() == pytest.approx(robot, abs=0.006)
        assert weights[sentence.tokens.index("hill")].item() == pytest.approx(hill, abs=0.006)
    yield "can its row of weights change?", "Yes: it may turn from *robot* to *hill*"


@answers
def dot_product_attention():
    keys = torch.tensor([[1.0, 5.0], [3.0, 0.0], [-2.0, 1.0]])
    scores = keys @ torch.tensor([2.0, 0.0])
    assert scores.tolist() == [2, 6, -4] and keys.norm(dim=-1).argmax() == 0
    yield "highest score", "PQR"[scores.argmax()], "P, the longest"

    scores = torch.tensor([2.0, -1.0, 0.0])
    found = torch.softmax(scores, dim=0), scores.exp(), scores / scores.sum()
    yield "2, -1 and 0", *(f"{numbers[1]:.2f}" for numbers in found)

    rows, columns = (attention.softmax(torch.zeros(2, 3), dim=dim)[0, 0].item() for dim in (-1, -2))
    yield "all six", f"1/{1 / rows:.0f}", f"1/{1 / columns:.0f}", f"1/{torch.zeros(2, 3).numel()}"

    weights = torch.softmax(torch.tensor([3.0, 1.0, 0.5, -4.0]), dim=0)
    yield "2 more than another", f"Its weight is about {weights[0] / weights[1]:.2f} times the other"

    short, long = (torch.rand(num_tokens, 2) for num_tokens in (1000, 3000))
    scores = [(inputs @ inputs.transpose(0, 1)).numel() for inputs in (short, long)]
    assert scores == [1_000_000, 9_000_000]
    yield "1,000 words", f"{scores[1] / scores[0]:.0f}", f"{len(long) / len(short):.0f}"

    values = torch.rand(3, 4)
    assert torch.equal(torch.tensor([0.0, 1.0, 0.0]) @ values, values[1])
    yield "0, 1 and 0", "The second value"

    queries, keys, values = torch.rand(3, 5, 4)
    before, after = (attention.scaled_dot_product_attention(queries, keys, part) for part in (values, 2 * values))
    assert torch.allclose(after[0], 2 * before[0], atol=1e-5) and torch.equal(after[1], before[1])
    yield "All values are doubled", "The context vectors double, the weights stay"

    inputs = torch.rand(2, 5, 3)
    yield (
        "transpose(-2, -1)",
        shape(inputs.transpose(-2, -1)),
        shape(inputs.transpose(0, 2)),
        shape(inputs.permute(1, 0, 2)),
    )


@answers
def softmax_and_scaling():
    naive = torch.exp(torch.tensor([1000.0, 1000.0]))
    yield "1000 and 1000", pair(naive / naive.sum()), pair(naive)

    scores = torch.tensor([1.0, 3.0, -2.0])
    assert torch.allclose(attention.softmax(scores + 7), attention.softmax(scores))
    yield "add 7 to every score", "Nothing"

    scores, softmax = torch.tensor([2.0, 1.0]), attention.softmax
    found = softmax(scores / 10), softmax(scores), softmax(scores * 10), softmax(scores) / 10
    yield "temperature 10", *map(pair, found)

    scores, softmax = torch.tensor([8.0, 4.0]), attention.softmax
    found = softmax(scores / 16**0.5), softmax(scores / 16), softmax(scores), softmax(scores) / 16**0.5
    yield "`head_dim` is 16", *map(pair, found)

    yield "768 wide", f"{(768 / 12) ** 0.5:.0f}", f"{768**0.5:.1f}", f"{768 / 12:.0f}", f"{12**0.5:.1f}"

    for scores in (torch.tensor([1.0, 0.0]), torch.tensor([41.0, 40.0, 38.0, -3.0])):
        weights = attention.softmax(scores)
        assert f"{weights[0] / weights[1]:.1f}" == "2.7"
    yield "larger by 1", "The first is about 2.7 times the second"

    narrow, wide = ((torch.randn(20000, width) * torch.randn(20000, width)).sum(dim=-1).var() for width in (32, 128))
    assert 3.5 < wide / narrow < 4.5
    yield "from a width of 32 to 128", "It becomes four times as large"

    queries, keys = torch.randn(300, 1, 1024), torch.randn(300, 16, 1024)

    def sizes(factor):
        weights = attention.softmax(factor * queries @ keys.transpose(-2, -1))
        gradients = weights.transpose(-2, -1) * (torch.eye(16) - weights) @ keys * factor
        return gradients.flatten(1).norm(dim=-1)

    without, divided = sizes(1.0), sizes(1024**-0.5)
    usual = divided.median()
    assert (without < usual / 100).float().mean() > 0.5 and 0.15 < (without > 5 * usual).float().mean() < 0.25
    yield "What gradients do its queries get?", "More than half get next to nothing, and about one in five far more"


@answers
def trainable_qkv():
    weight = nn.Linear(3, 2).weight
    yield "`nn.Linear(3, 2)`", shape(weight), shape(weight.transpose(0, 1))

    head, inputs = attention.SelfAttention(4, 3), torch.rand(5, 4)
    scores = head.W_query(inputs) @ head.W_key(inputs).transpose(-2, -1)
    swapped = head.W_key(inputs) @ head.W_query(inputs).transpose(-2, -1)
    assert torch.allclose(swapped, scores.transpose(-2, -1), atol=1e-5)
    assert not torch.allclose(swapped, scores, atol=1e-5)
    yield "change places", "The scores are mirrored: *big* now gives *dog* the score that it had from *dog*"

    context_vecs, attn_weights = attention.SelfAttention(4, 6)(torch.rand(2, 5, 4))
    yield "SelfAttention(4, 6)", shape(attn_weights), shape(context_vecs)

    head = attention.SelfAttention(3, 2)
    nn.init.zeros_(head.W_query.weight)
    (weight,) = head(torch.rand(5, 3))[1].unique().tolist()
    yield "`W_query` are 0", f"All {weight:.1f}"

    head, inputs = attention.SelfAttention(3, 2), torch.rand(5, 3)
    _, before = head(inputs)
    nn.init.zeros_(head.W_value.weight)
    context_vecs, attn_weights = head(inputs)
    assert torch.equal(attn_weights, before) and not context_vecs.any()
    yield "`W_value` are 0", "The same weights as before, and context vectors of 0"

    inputs, matrix = torch.rand(5, 4), torch.randn(4, 3)
    scores = (inputs @ matrix) @ (inputs @ matrix).transpose(-2, -1)
    assert torch.allclose(scores, scores.transpose(-2, -1), atol=1e-5)
    yield (
        "one matrix for both",
        "Score an adjective high for a noun, without scoring the noun as high for the adjective",
    )

    queries, keys, values = torch.rand(10, 64), torch.rand(10, 64), torch.rand(10, 16)
    context_vecs, attn_weights = attention.scaled_dot_product_attention(queries, keys, values)
    yield "values 16", shape(context_vecs), shape(queries), shape(attn_weights)

    w, grads = nn.Parameter(torch.tensor(1.0)), []
    for _ in range(2):
        ((2 * w - 6) ** 2).backward()
        grads.append(w.grad.item())
    yield "w.grad", f"{grads[1]:.0f}", f"{grads[0]:.0f}", f"{grads[0] ** 2:.0f}"
