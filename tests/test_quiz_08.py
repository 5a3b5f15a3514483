"""The answers of the quiz of notebook 08 are computed, not believed."""

import torch
import torch.nn.functional as F
from torch import nn

from course_utils import attention, measure, quiz


def choices(phrase):
    """The choices of the question that holds the phrase: text -> whether it is right."""
    (question,) = [question for question in quiz.load("08") if phrase in question["question"]]
    return {choice["text"]: choice["right"] for choice in question["choices"]}


def right(phrase):
    (text,) = [text for text, is_right in choices(phrase).items() if is_right]
    return text


def test_the_shapes_of_the_weights():
    layer, x = nn.MultiheadAttention(12, 3, batch_first=True), torch.rand(2, 5, 12)
    vecs, weights = layer(x, x, x)
    assert right("12, 3, batch_first") == str(tuple(weights.shape))
    per_head = layer(x, x, x, average_attn_weights=False)[1]
    assert {str(tuple(per_head.shape)), str(tuple(vecs.shape))} <= choices("12, 3, batch_first").keys()


def test_the_mask_read_the_other_way_round():
    layer, x = nn.MultiheadAttention(12, 3, batch_first=True), torch.rand(2, 5, 12)
    weights = layer(x, x, x, attn_mask=attention.causal_mask(5))[1]
    assert (weights[:, 0] > 0).tolist() == [[False, True, True, True, True]] * 2 and weights[:, 4].isnan().all()
    assert right("What does row 0 see?") == "Every token but itself"


def test_one_query_and_is_causal():
    weights = F.scaled_dot_product_attention(torch.rand(1, 4), torch.rand(8, 4), torch.eye(8), is_causal=True)
    assert weights.nonzero().tolist() == [[0, 0]] and right("8 cached keys") == "Key 0 alone"


def test_the_memory_at_four_times_the_length():
    heads = attention.MultiHeadAttention(64, 64, 4, causal=True)

    def factor(need_weights):
        with torch.no_grad():
            few, many = (
                measure.peak_bytes(lambda x: heads(x, need_weights=need_weights), torch.rand(1, size, 64))
                for size in (512, 2048)
            )
        return many / few

    assert 14 < factor(need_weights=True) < 17 and 3.5 < factor(need_weights=False) < 5
    assert right("1,000 to 4,000") == "The table grows 16 times, the fused kernel's 4 times"
