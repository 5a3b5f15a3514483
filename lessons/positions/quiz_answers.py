"""Compute the answers of the quiz."""

import torch
from torch import nn

from course_utils import attention, checks


def turned(vector, angles):
    """Rotate each pair of a vector (num_pairs, 2) by its angle in radians, angles (num_pairs,)."""
    first, second = vector.unbind(-1)
    turns = (first * angles.cos() - second * angles.sin(), first * angles.sin() + second * angles.cos())
    return torch.stack(turns, dim=-1)


def answers():
    head, inputs, order = attention.SelfAttention(4, 3), torch.randn(5, 4), torch.tensor([3, 0, 4, 2, 1])
    assert torch.allclose(head(inputs[order])[0], head(inputs)[0][order], atol=1e-6)
    yield "No mask, no positions", "Nothing: the same outputs come, shuffled the same way"

    scores = torch.zeros(6, 6).masked_fill(~attention.causal_mask(6), -torch.inf)
    outputs = attention.softmax(scores)[:, 0]  # the value of the first token is 1, all others are 0
    yield "at the fifth token", f"{outputs[4]:.2f}", f"{outputs[3]:.2f}", f"{outputs[0]:.2f}"

    table = nn.Embedding(512, 4)
    drawn = table.weight.detach().clone()
    optimizer = torch.optim.SGD(table.parameters(), lr=0.1)
    table(torch.arange(128)).pow(2).sum().backward()
    optimizer.step()
    assert torch.equal(table(torch.arange(300))[128:], drawn[128:300]) and not torch.equal(table.weight, drawn)
    yield "512 rows", "It runs, and the later tokens get vectors that no text has trained"

    places = checks.left_padded_places.solution(torch.arange(6)[None] >= 2)[0]  # two paddings, four words
    yield "*padding tokens* at the left", f"Row {places[3]}", "Row 3", f"Row {places[2]}"

    # Find the place that gives the same score for every random query, key and speeds.
    fit = set(range(40))
    for _ in range(5):
        (query, key), speeds = torch.randn(2, 4, 2), torch.rand(4)
        asked = turned(query, 10 * speeds), turned(query, 20 * speeds)
        wanted = (asked[0] * turned(key, 7 * speeds)).sum()
        fit = {n for n in fit if torch.isclose((asked[1] * turned(key, n * speeds)).sum(), wanted, atol=1e-4)}
    (place,) = fit
    yield "score 2.5 for certain", f"Position {place}"

    # Rotated queries and keys give the same outputs 100 places further on; rotated values would change them.
    (queries, keys, values), speeds = torch.randn(3, 6, 4, 2), torch.rand(4)

    def attend(first, turn_values):
        places = range(first, first + 6)
        q, k, v = (
            torch.stack([turned(x, place * speeds) for x, place in zip(part, places, strict=True)])
            for part in (queries, keys, values)
        )
        delivered = v if turn_values else values
        return attention.scaled_dot_product_attention(q.flatten(1), k.flatten(1), delivered.flatten(1))[0]

    assert torch.allclose(attend(0, False), attend(100, False), atol=1e-3)
    assert not torch.allclose(attend(0, True), attend(100, True), atol=1e-1)
    yield "rotary positions rotate?", "Queries and keys"

    # With pairs of halves the scores differ from those of neighbours, but still depend only on the distance.
    (queries, keys), speeds = torch.randn(2, 1, 1, 6, 8), torch.rand(4)

    def scores(order, first):
        q, k = (checks.rotate.solution(x[..., order], torch.arange(6) + first, speeds) for x in (queries, keys))
        return q @ k.transpose(-2, -1)

    neighbours, halves = torch.arange(8), torch.arange(8).view(2, 4).T.flatten()
    assert torch.allclose(scores(halves, 0), scores(halves, 10), atol=1e-4)
    assert not torch.allclose(scores(neighbours, 0), scores(halves, 0), atol=1e-2)
    yield "pairs the halves of each head", "It runs, and the scores differ"

    scores = checks.alibi.solution(torch.zeros(1, 1, 6, 6), torch.tensor([0.5]))[0, 0, 5]  # query at place 5
    yield "slope of 1/2", f"{scores[3] - scores[0]:.1f}", "0.5", f"{-scores[0]:.1f}"
