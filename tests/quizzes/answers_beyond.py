"""Compute the answers of the quizzes on positions and on tokens that are not words."""

import torch
import torch.nn.functional as F
from computed import answers
from torch import nn

from course_utils import attention, checks


def turned(vector, angles):
    """Rotate each pair of a vector (num_pairs, 2) by its angle in radians, angles (num_pairs,)."""
    first, second = vector.unbind(-1)
    turns = (first * angles.cos() - second * angles.sin(), first * angles.sin() + second * angles.cos())
    return torch.stack(turns, dim=-1)


@answers
def positions():
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
    yield "paddings at the left", f"Row {places[3]}", "Row 3", f"Row {places[2]}"

    # Find the place that gives the same score for every random query, key and speeds.
    fit = set(range(40))
    for _ in range(5):
        (query, key), speeds = torch.randn(2, 4, 2), torch.rand(4)
        asked = turned(query, 10 * speeds), turned(query, 20 * speeds)
        wanted = (asked[0] * turned(key, 7 * speeds)).sum()
        fit = {n for n in fit if torch.isclose((asked[1] * turned(key, n * speeds)).sum(), wanted, atol=1e-4)}
    (place,) = fit
    yield "score 2.5 for certain", f"Place {place}"

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
    yield "rotary positions turn?", "Queries and keys"

    # With pairs of halves the scores differ from those of neighbours, but still depend only on the distance.
    (queries, keys), speeds = torch.randn(2, 1, 1, 6, 8), torch.rand(4)

    def scores(order, first):
        q, k = (checks.rotate.solution(x[..., order], torch.arange(6) + first, speeds) for x in (queries, keys))
        return q @ k.transpose(-2, -1)

    neighbours, halves = torch.arange(8), torch.arange(8).view(2, 4).T.flatten()
    assert torch.allclose(scores(halves, 0), scores(halves, 10), atol=1e-4)
    assert not torch.allclose(scores(neighbours, 0), scores(halves, 0), atol=1e-2)
    yield "pairs the halves of each head", "It runs, and the scores are others"

    scores = checks.alibi.solution(torch.zeros(1, 1, 6, 6), torch.tensor([0.5]))[0, 0, 5]  # query at place 5
    yield "slope of 1/2", f"{scores[3] - scores[0]:.1f}", "0.5", f"{-scores[0]:.1f}"


@answers
def beyond_text():
    photo = torch.rand(3, 32, 48)
    patches = photo.unfold(1, 8, 8).unfold(2, 8, 8).permute(1, 2, 0, 3, 4).flatten(0, 1).flatten(1)
    num_tokens, width = patches.shape
    yield (
        "32 pixels high and 48 wide",
        f"{num_tokens} tokens of {width} numbers",
        f"{num_tokens} tokens of {width // 3} numbers",
    )

    picture = torch.arange(24).view(4, 6)
    assert torch.equal(picture.view(6, 4)[0], picture[0, :4])
    yield "`picture.view(6, 4)`", "Four pixels side by side, from the top row"

    layer, patches = attention.MultiHeadAttention(8, 8, 2), torch.randn(9, 8)
    average, shuffled = (layer(x)[0].mean(dim=0) for x in (patches, patches[torch.randperm(9)]))
    assert torch.allclose(average, shuffled, atol=1e-5)
    yield "The average of all outputs", "Nothing"

    # Moved by two pixels, the patches are the same in another order; moved by one, they are others.
    sheet = torch.zeros(8, 8)
    sheet[1:7, 2:6] = torch.rand(6, 4)

    def patches(moved):
        cut = sheet.roll(moved, dims=1).unfold(0, 2, 2).unfold(1, 2, 2).reshape(16, 4)
        return sorted(map(tuple, cut.tolist()))

    assert patches(2) == patches(0) != patches(1)
    yield "moves two pixels to the right", "It stays: the same patches are there, in another order"

    def weights(side):
        return (64 // side) ** 4  # each of (64 / side) ** 2 patches looks at all of them

    yield (
        "half as high and half as wide",
        f"{weights(4) // weights(8)} times",
        f"{(64 // 4) ** 2 // (64 // 8) ** 2} times",
    )

    # For many pairs of frames, the cosine of raw samples is near 0 on average, that of their spectra nearly 1.
    starts, times = torch.rand(200, 2, 1) * 2 * torch.pi, torch.arange(160) / 8000
    frames = torch.sin(2 * torch.pi * torch.tensor([[770.0], [1209.0]]) * times + starts).sum(dim=1)
    raw, heard = (F.cosine_similarity(x[:100], x[100:], dim=-1) for x in (frames, torch.fft.rfft(frames).abs()))
    assert raw.mean().abs() < 0.2 and raw.abs().median() < 0.7 and heard.min() > 0.95
    yield "a cosine near 0", "The frames begin at different moments of the waves"

    numbers = torch.fft.rfft(torch.rand(160)).numel()
    frequencies = torch.fft.rfftfreq(160, 1 / 8000)
    assert (frequencies[0], frequencies[-1]) == (0, 4000)
    yield (
        "frames of 160 samples",
        f"{160 / 8000 * 1000:.0f} ms and {numbers} numbers",
        f"{160 / 8000 * 1000:.0f} ms and 160 numbers",
    )
