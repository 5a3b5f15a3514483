"""Compute the answers of the quiz."""

import torch
import torch.nn.functional as F

from course_utils import attention


def answers():
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
    yield "the average of all outputs", "Nothing"

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
