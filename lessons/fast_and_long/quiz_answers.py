"""Compute the answers of the quiz."""

import torch
import torch.nn.functional as F

from course_utils import attention, measure


def answers():
    seen = F.scaled_dot_product_attention(torch.rand(1, 4), torch.rand(8, 4), torch.eye(8), is_causal=True)
    ((_, key),) = seen.nonzero().tolist()
    yield "8 cached keys", f"Key {key} alone"

    old, new = torch.tensor([1.0, 1.0]), torch.tensor(3.0)  # two scores whose maximum is 1 and whose sum is 2
    wrong = (2 + 1, 2 * torch.exp(new - 1) + 1, 2 + torch.exp(new - 1))
    right = torch.exp(torch.cat([old, new[None]]) - new).sum()
    yield "computed in pieces", *(f"{number:.2f}" for number in (right, *wrong))

    heads = attention.MultiHeadAttention(64, 64, 4, causal=True)

    def factor(need_weights):
        with torch.no_grad():
            few, many = (
                measure.peak_bytes(lambda x: heads(x, need_weights=need_weights), torch.rand(1, size, 64))
                for size in (512, 2048)
            )
        return many / few

    table, fused = factor(need_weights=True), factor(need_weights=False)
    assert 14 < table < 17 and 3.5 < fused < 5
    yield "1,000 to 4,000", "The table grows 16 times, the fused kernel's 4 times"

    head, inputs = attention.CausalAttention(4, 3, context_length=6), torch.rand(6, 4)
    for part in (head.W_key, head.W_value):
        assert torch.allclose(part(inputs)[:5], part(inputs[:5]), atol=1e-5)
    last, _ = attention.scaled_dot_product_attention(head.W_query(inputs[5:]), head.W_key(inputs), head.W_value(inputs))
    assert torch.allclose(last, head(inputs)[0][5:], atol=1e-5)
    yield (
        "key–value cache",
        "The keys and values of the tokens so far: they never change, and every new query meets them",
    )

    window, layers = 100, 3
    places = torch.arange(400)
    near = ((places[:, None] >= places) & (places[:, None] < places + window)).double()
    yield "window of 100", str(int((torch.linalg.matrix_power(near, layers)[-1] > 0).sum()))
