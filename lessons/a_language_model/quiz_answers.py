"""Compute the answers of the quiz."""

import torch
from computed import wrong_of

from course_utils import attention, checks
from course_utils.models.rotary import Rotary


def answers():
    scores, shares = torch.tensor([3.0, 1.0]), checks.all()["token_shares"].solution
    before, after = (shares(scores, temperature, None)[0].item() for temperature in (1.0, 2.0))
    assert before > after > 0.5
    yield (
        "Two logits are 3 and 1",
        f"It falls from {before:.2f} to {after:.2f}",
        f"It falls from {before:.2f} to {before / 2:.2f}",
    )

    loss = checks.all()["text_loss"].solution
    first, other = (loss(torch.zeros(6, 8), torch.randint(8, (6,))).item() for _ in range(2))
    assert abs(first - other) < 1e-6
    yield "A vocabulary has 8 tokens", f"About {first:.2f}, whatever the text", f"{1 / 8}, whatever the text"

    layer, cache = attention.MultiHeadAttention(8, 8, 2, causal=True), attention.KeyValueCache(6)
    layer(torch.rand(5, 8), cache=cache)
    rows, columns = layer(torch.rand(1, 8), cache=cache)[1].shape[-2:]
    yield "reads 5 tokens, and then 1", f"{rows} row and {columns} columns", f"{columns} rows and {columns} columns"

    def key_head(gqa):  # whose values each head delivers
        values = torch.arange(3.0).view(1, 3, 1, 1).expand(1, 3, 4, 2)
        return int(gqa(torch.rand(1, 9, 4, 2), torch.rand(1, 3, 4, 2), values)[0][0, 5, 0, 0])

    right, in_turns = (key_head(gqa) for gqa in (checks.all()["gqa"].solution, wrong_of("gqa", "heads-take-turns")))
    yield "9 heads of queries share 3", f"Those of key head {right}", f"Those of key head {in_turns}"

    rotate, (queries, keys) = Rotary(8, 100.0, 128), torch.randn(2, 5, 8).double()
    near, far = (
        rotate(queries, places) @ rotate(keys, places).T for places in (torch.arange(5), torch.arange(100, 105))
    )
    torch.testing.assert_close(near, far, rtol=0, atol=1e-5)
    yield "as if the text began at position 100", "Nothing: a score knows distances alone"
