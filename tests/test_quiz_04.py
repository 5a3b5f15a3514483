"""The answers of the quiz of notebook 04 are computed, not believed."""

import torch
from torch import nn

from course_utils import attention, properties, quiz


def choices(phrase):
    """The choices of the question that holds the phrase: text -> whether it is right."""
    (question,) = [question for question in quiz.load("04") if phrase in question["question"]]
    return {choice["text"]: choice["right"] for choice in question["choices"]}


def right(phrase):
    (text,) = [text for text, is_right in choices(phrase).items() if is_right]
    return text


def listed(numbers):
    return "{:.2f}, {:.2f} and {:.2f}".format(*numbers.tolist())


def test_plain_attention_shuffles_its_outputs():
    assert properties.permutation_equivariant(attention.SelfAttention(4, 3), torch.rand(2, 5, 4))
    assert right("exchange the first two") == "The first two outputs are exchanged, all others stay as they were"


def test_the_cells_of_a_causal_mask():
    mask = attention.causal_mask(6)
    assert right("causal mask of 6") == str(mask.sum().item())
    assert {str(mask.tril(-1).sum().item()), "36"} <= choices("causal mask of 6").keys()


def test_the_weights_with_a_score_of_zero():
    scores, past = torch.tensor([0.0, 0.0, 5.0]), torch.tensor([True, True, False])
    assert choices("0, 0 and 5") == {
        listed(torch.softmax(scores.masked_fill(~past, 0.0), dim=-1)): True,
        listed(torch.softmax(scores.masked_fill(~past, -torch.inf), dim=-1)): False,
        listed(torch.softmax(scores, dim=-1)): False,
    }


def test_the_first_token_of_pytorchs_layer():
    layer, x = nn.MultiheadAttention(4, 1, batch_first=True), torch.rand(1, 5, 4)
    _, attn_weights = layer(x, x, x, attn_mask=attention.causal_mask(5))
    assert (attn_weights[0, 0] > 0).tolist() == [False, True, True, True, True]
    assert right("nn.MultiheadAttention") == "Everything but itself"


def test_the_mask_that_is_used(monkeypatch):
    used = []
    monkeypatch.setattr(
        attention, "scaled_dot_product_attention", lambda *parts: used.append(tuple(parts[3].shape)) or parts[:2]
    )
    attention.CausalAttention(4, 3, context_length=7)(torch.rand(2, 5, 4))
    assert [right("`context_length` 7")] == [str(shape) for shape in used]


def test_the_outputs_that_move():
    head, x = attention.CausalAttention(4, 3, context_length=6), torch.rand(6, 4)
    moved = (head(x + torch.eye(6)[:, 3:4])[0] != head(x)[0]).any(dim=-1)
    assert moved.nonzero().flatten().tolist() == [3, 4, 5] and right("token 3") == "3, 4 and 5"
