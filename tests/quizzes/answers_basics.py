"""Compute the answers of the quizzes on scores, softmax and projections."""

import pytest
import torch
from computed import answers, pair, row, shape
from torch import nn

from course_utils import attention, data

# 00


@answers("start_here", "sum(dim=0)")
def _():
    table = torch.rand(2, 3)
    return shape(table.sum(dim=0)), shape(table.sum(dim=1)), shape(table.sum(dim=0, keepdim=True))


@answers("start_here", "table / sums")
def _():
    table = torch.rand(2, 3)
    with pytest.raises(RuntimeError):
        table / table.sum(dim=-1)
    return "It fails"


@answers("start_here", "view(3, 2)")
def _():
    table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    return row(table.view(3, 2)[0]), row(table.transpose(0, 1)[0]), row(table[0])


@answers("start_here", "weights @ table")
def _():
    weights, table = torch.tensor([0.5, 0.3, 0.2]), torch.rand(3, 4)
    mixed = 0.5 * table[0] + 0.3 * table[1] + 0.2 * table[2]
    assert torch.allclose(weights @ table, mixed) and (weights @ table).shape == (4,)
    return "Four numbers: the rows of `table`, mixed"


@answers("start_here", "can its row of weights change?")
def _():
    """Also check the weights in the question's explanation against the model's."""
    for word, robot, hill in (("weak", 0.53, 0.14), ("steep", 0.11, 0.55)):
        sentence = data.load("sentence_pairs")[word]
        weights = sentence.attn_weights[3, 1, sentence.tokens.index("it")]
        assert weights[sentence.tokens.index("robot")].item() == pytest.approx(robot, abs=0.006)
        assert weights[sentence.tokens.index("hill")].item() == pytest.approx(hill, abs=0.006)
    return "Yes: it may turn from *robot* to *hill*"


# 01


@answers("dot_product_attention", "highest score")
def _():
    keys = torch.tensor([[1.0, 5.0], [3.0, 0.0], [-2.0, 1.0]])
    scores = keys @ torch.tensor([2.0, 0.0])
    assert scores.tolist() == [2, 6, -4] and keys.norm(dim=-1).argmax() == 0
    return "PQR"[scores.argmax()], "P, the longest"


@answers("dot_product_attention", "2, -1 and 0")
def _():
    scores = torch.tensor([2.0, -1.0, 0.0])
    found = torch.softmax(scores, dim=0), scores.exp(), scores / scores.sum()
    return tuple(f"{numbers[1]:.2f}" for numbers in found)


@answers("dot_product_attention", "all six")
def _():
    rows, columns = (attention.softmax(torch.zeros(2, 3), dim=dim)[0, 0].item() for dim in (-1, -2))
    return f"1/{1 / rows:.0f}", f"1/{1 / columns:.0f}", f"1/{torch.zeros(2, 3).numel()}"


@answers("dot_product_attention", "2 more than another")
def _():
    weights = torch.softmax(torch.tensor([3.0, 1.0, 0.5, -4.0]), dim=0)
    return f"Its weight is about {weights[0] / weights[1]:.2f} times the other"


@answers("dot_product_attention", "1,000 words")
def _():
    short, long = (torch.rand(num_tokens, 2) for num_tokens in (1000, 3000))
    scores = [(inputs @ inputs.transpose(0, 1)).numel() for inputs in (short, long)]
    assert scores == [1_000_000, 9_000_000]
    return f"{scores[1] / scores[0]:.0f}", f"{len(long) / len(short):.0f}"


@answers("dot_product_attention", "0, 1 and 0")
def _():
    values = torch.rand(3, 4)
    assert torch.equal(torch.tensor([0.0, 1.0, 0.0]) @ values, values[1])
    return "The second value"


@answers("dot_product_attention", "All values are doubled")
def _():
    queries, keys, values = torch.rand(3, 5, 4)
    before, after = (attention.scaled_dot_product_attention(queries, keys, part) for part in (values, 2 * values))
    assert torch.allclose(after[0], 2 * before[0]) and torch.equal(after[1], before[1])
    return "The context vectors double, the weights stay"


@answers("dot_product_attention", "transpose(-2, -1)")
def _():
    inputs = torch.rand(2, 5, 3)
    return shape(inputs.transpose(-2, -1)), shape(inputs.transpose(0, 2)), shape(inputs.permute(1, 0, 2))


# 02


@answers("softmax_and_scaling", "1000 and 1000")
def _():
    naive = torch.exp(torch.tensor([1000.0, 1000.0]))
    return pair(naive / naive.sum()), pair(naive)


@answers("softmax_and_scaling", "add 7 to every score")
def _():
    scores = torch.tensor([1.0, 3.0, -2.0])
    assert torch.allclose(attention.softmax(scores + 7), attention.softmax(scores))
    return "Nothing"


@answers("softmax_and_scaling", "temperature 10")
def _():
    scores, softmax = torch.tensor([2.0, 1.0]), attention.softmax
    found = softmax(scores / 10), softmax(scores), softmax(scores * 10), softmax(scores) / 10
    return tuple(map(pair, found))


@answers("softmax_and_scaling", "`head_dim` is 16")
def _():
    scores, softmax = torch.tensor([8.0, 4.0]), attention.softmax
    found = softmax(scores / 16**0.5), softmax(scores / 16), softmax(scores), softmax(scores) / 16**0.5
    return tuple(map(pair, found))


@answers("softmax_and_scaling", "768 wide")
def _():
    return f"{(768 / 12) ** 0.5:.0f}", f"{768**0.5:.1f}", f"{768 / 12:.0f}", f"{12**0.5:.1f}"


@answers("softmax_and_scaling", "larger by 1")
def _():
    for scores in (torch.tensor([1.0, 0.0]), torch.tensor([41.0, 40.0, 38.0, -3.0])):
        weights = attention.softmax(scores)
        assert f"{weights[0] / weights[1]:.1f}" == "2.7"
    return "The first is about 2.7 times the second"


@answers("softmax_and_scaling", "from a width of 32 to 128")
def _():
    narrow, wide = ((torch.randn(20000, width) * torch.randn(20000, width)).sum(dim=-1).var() for width in (32, 128))
    assert 3.5 < wide / narrow < 4.5
    return "It becomes four times as large"


@answers("softmax_and_scaling", "What gradients do its queries get?")
def _():
    queries, keys = torch.randn(300, 1, 1024), torch.randn(300, 16, 1024)

    def sizes(factor):
        weights = attention.softmax(factor * queries @ keys.transpose(-2, -1))
        gradients = weights.transpose(-2, -1) * (torch.eye(16) - weights) @ keys * factor
        return gradients.flatten(1).norm(dim=-1)

    without, divided = sizes(1.0), sizes(1024**-0.5)
    usual = divided.median()
    assert (without < usual / 100).float().mean() > 0.5 and 0.15 < (without > 5 * usual).float().mean() < 0.25
    return "More than half get next to nothing, and about one in five far more"


# 03


@answers("trainable_qkv", "`nn.Linear(3, 2)`")
def _():
    weight = nn.Linear(3, 2).weight
    return shape(weight), shape(weight.transpose(0, 1))


@answers("trainable_qkv", "change places")
def _():
    head, inputs = attention.SelfAttention(4, 3), torch.rand(5, 4)
    scores = head.W_query(inputs) @ head.W_key(inputs).transpose(-2, -1)
    swapped = head.W_key(inputs) @ head.W_query(inputs).transpose(-2, -1)
    assert torch.allclose(swapped, scores.transpose(-2, -1)) and not torch.allclose(swapped, scores)
    return "The scores are mirrored: *big* now gives *dog* the score that it had from *dog*"


@answers("trainable_qkv", "SelfAttention(4, 6)")
def _():
    context_vecs, attn_weights = attention.SelfAttention(4, 6)(torch.rand(2, 5, 4))
    return shape(attn_weights), shape(context_vecs)


@answers("trainable_qkv", "`W_query` are 0")
def _():
    head = attention.SelfAttention(3, 2)
    nn.init.zeros_(head.W_query.weight)
    (weight,) = head(torch.rand(5, 3))[1].unique().tolist()
    return f"All {weight:.1f}"


@answers("trainable_qkv", "`W_value` are 0")
def _():
    head, inputs = attention.SelfAttention(3, 2), torch.rand(5, 3)
    _, before = head(inputs)
    nn.init.zeros_(head.W_value.weight)
    context_vecs, attn_weights = head(inputs)
    assert torch.equal(attn_weights, before) and not context_vecs.any()
    return "The same weights as before, and context vectors of 0"


@answers("trainable_qkv", "one matrix for both")
def _():
    inputs, matrix = torch.rand(5, 4), torch.randn(4, 3)
    scores = (inputs @ matrix) @ (inputs @ matrix).transpose(-2, -1)
    assert torch.allclose(scores, scores.transpose(-2, -1))
    return "Score an adjective high for a noun, without scoring the noun as high for the adjective"


@answers("trainable_qkv", "values 16")
def _():
    queries, keys, values = torch.rand(10, 64), torch.rand(10, 64), torch.rand(10, 16)
    context_vecs, attn_weights = attention.scaled_dot_product_attention(queries, keys, values)
    return shape(context_vecs), shape(queries), shape(attn_weights)


@answers("trainable_qkv", "w.grad")
def _():
    w, grads = nn.Parameter(torch.tensor(1.0)), []
    for _ in range(2):
        ((2 * w - 6) ** 2).backward()
        grads.append(w.grad.item())
    return f"{grads[1]:.0f}", f"{grads[0]:.0f}", f"{grads[0] ** 2:.0f}"
