"""Right answers to the exercises of *Beyond text*, and wrong ones with the words they hear."""

import itertools
import random

import torch
import torch.nn.functional as F


def patches_by_unfold(pictures, side):
    cut = pictures.unfold(2, side, side).unfold(3, side, side)
    return cut.permute(0, 2, 3, 1, 4, 5).flatten(3).flatten(1, 2)


def patches_one_by_one(pictures, side):
    batch, colours, height, width = pictures.shape
    out = torch.zeros(batch, (height // side) * (width // side), colours * side**2, dtype=pictures.dtype)
    for n in range(out.shape[1]):
        row, column = divmod(n, width // side)
        patch = pictures[:, :, row * side : (row + 1) * side, column * side : (column + 1) * side]
        out[:, n] = patch.reshape(batch, -1)
    return out


def patches_by_split(pictures, side):
    bands = pictures.split(side, dim=2)
    return torch.stack([patch.flatten(1) for band in bands for patch in band.split(side, dim=3)], dim=1)


def patches_by_convolution(pictures, side):
    colours = pictures.shape[1]
    pick = torch.eye(colours * side * side, dtype=pictures.dtype).view(-1, colours, side, side)
    return F.conv2d(pictures, pick, stride=side).flatten(2).mT


def spectra_by_unfold(samples, size):
    return torch.abs(torch.fft.rfft(samples.unfold(1, size, size)))


def spectra_by_length(samples, size):
    starts = range(0, samples.shape[1] - size + 1, size)
    return torch.stack([torch.fft.rfft(samples[:, start:], n=size).abs() for start in starts], 1)


def spectra_by_waves(samples, size):
    """Sines and cosines by hand."""
    rest = samples.shape[1] % size
    frames = (samples[:, :-rest] if rest else samples).unflatten(1, (-1, size))
    turns = torch.arange(size // 2 + 1, dtype=samples.dtype)[:, None] * torch.arange(size) * (2 * torch.pi / size)
    return torch.hypot(frames @ turns.cos().T, frames @ turns.sin().T)


def spectra_by_stft(samples, size):
    waves = torch.stft(
        samples, size, size, window=torch.ones(size, dtype=samples.dtype), center=False, return_complex=True
    )
    return waves.abs().mT


def basket_mask_row_by_row(items):
    return torch.tensor([[thing != -1 for thing in basket] for basket in items.tolist()])[:, None, None]


def basket_mask_by_sign(items):
    return (items >= 0).unsqueeze(1).unsqueeze(1)


def basket_mask_by_ne(items):
    return items.ne(-1).view(len(items), 1, 1, -1)


def basket_mask_filled(items):
    mask = torch.ones(items.shape, dtype=torch.bool)
    mask[items == -1] = False
    return mask[:, None, None, :]


def free_in_all_orders(answer, items):
    before = answer(items)
    orders = itertools.permutations(range(items.shape[1]))
    return all(torch.allclose(answer(items[:, list(order)]), before, atol=1e-4) for order in orders)


def free_each_on_its_own(answer, items):
    with torch.no_grad():
        before = answer(items.clone()).clone()
        for _ in range(30):
            mixed = torch.stack([basket[torch.randperm(len(basket))] for basket in items])
            if (answer(mixed) - before).abs().max() > 1e-4:
                return False
    return True


def free_by_python(answer, items):
    places, stays = list(range(items.shape[1])), True
    before = answer(items)
    for _ in range(12):
        random.shuffle(places)
        stays = stays and bool(torch.isclose(answer(items[:, places]), before, atol=1e-5).all())
    return stays


def free_in_one_batch(answer, items):
    """All orders at once, as one long batch."""
    orders = [torch.arange(items.shape[1]), *(torch.randperm(items.shape[1]) for _ in range(20))]
    answers = answer(torch.cat([items[:, order] for order in orders])).chunk(len(orders))
    return all(torch.allclose(one, answers[0], atol=1e-5) for one in answers)


def free_by_error(answer, items):
    before = answer(items)
    try:
        for _ in range(10):
            order = torch.rand(items.shape[:2]).argsort(dim=1)[:, :, None].expand(items.shape)
            torch.testing.assert_close(answer(items.gather(1, order)), before, rtol=1e-4, atol=1e-4)
    except AssertionError:
        return False
    return True


RIGHT = {
    "patches": [patches_by_unfold, patches_one_by_one, patches_by_split, patches_by_convolution],
    "frame_spectra": [spectra_by_unfold, spectra_by_length, spectra_by_waves, spectra_by_stft],
    "basket_mask": [basket_mask_row_by_row, basket_mask_by_sign, basket_mask_by_ne, basket_mask_filled],
    "order_free": [free_in_all_orders, free_each_on_its_own, free_by_python, free_in_one_batch, free_by_error],
}


def free_after_one(answer, items):
    return torch.allclose(answer(items), answer(items[:, torch.randperm(items.shape[1])]), atol=1e-5)


def free_turned_round(answer, items):
    return torch.allclose(answer(items), answer(items.flip(1)), atol=1e-5)


SAID = [
    ("patches", lambda pictures, side: pictures.reshape(len(pictures), -1, pictures.shape[1] * side**2), "strips"),
    ("patches", lambda pictures, side: F.unfold(pictures, side, stride=side), "A column is a patch"),
    ("frame_spectra", lambda samples, size: torch.fft.rfft(samples.unfold(1, size, size)), "complex numbers"),
    ("frame_spectra", lambda samples, size: torch.fft.rfft(samples.view(len(samples), -1, size)).abs(), "left over"),
    ("basket_mask", lambda items: (items > 0)[:, None, None], "Thing number 0 is closed"),
    ("order_free", free_after_one, "rests on one other order"),
    ("order_free", free_turned_round, "rests on one other order"),
    ("order_free", lambda answer, items: True, "`answer` is never called"),
]
