"""What Beyond text says beyond its outputs."""

import functools
import re
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from claiming import claim
from notebook_files import PUBLISHED
from notebook_format import read_notebook
from torch import nn

from course_utils import attention, checks, data

KEYS, SEEDS = "123456789", range(5)
READERS = {  # the rows of the stored table: with places, with attention, all pictures in one other order
    "no places, no attention": (False, False, False),
    "attention without places": (False, True, False),
    "places without attention": (True, False, False),
    "places and attention": (True, True, False),
    "both, all pictures in one other order": (True, True, True),
}
FINDERS = ("one head", "average", "all in a row")


class Silent:
    """In place of `session`: a training without a bar."""

    @staticmethod
    def progress(steps, label):
        return range(steps)


@functools.cache
def cells():
    return {cell.id: cell.source for cell in read_notebook(PUBLISHED / "14_beyond_text.ipynb").cells}


@functools.cache
def page():
    """The definitions of the page, by name."""
    names = {"torch": torch, "F": F, "nn": nn, "attention": attention, "checks": checks, "data": data}
    names["session"] = Silent
    for key in ("def-frame-of-key", "def-band-weights", "def-draw-squares", "digits-load-cut", "def-digit-reader"):
        exec(cells()[key].split("\nprint(")[0], names)
    for key in ("def-train-reader", "def-moved-digits", "def-draw-orders", "def-printer-finder", "train-finders"):
        exec(cells()[key].split("\n\nby_one_patch")[0].split("\n\nfinders =")[0], names)
    return SimpleNamespace(**names)


def told_row(found):
    """A row of a stored table: the mean of five, and in brackets the lowest and the highest."""
    return f"{sum(found) / len(found):.2f} ({min(found):.2f} to {max(found):.2f})"


def stored(cell, row):
    """The numbers of a row of a table of the page."""
    (line,) = [line for line in cells()[cell].split("\n") if line.startswith(f"| {row} |")]
    return [float(number) for number in re.findall(r"\d\.\d+", line)]


@functools.cache
def readers(row):
    """The trained readers of a row of the table of digits, one for each seed, and the patches they were trained on."""
    *kind, other = READERS[row]
    found = []
    for seed in SEEDS:
        torch.manual_seed(seed)
        cut = page().digit_patches[:, torch.randperm(16)] if other else page().digit_patches
        found.append((page().train_reader(page().DigitReader(*kind), cut, ""), cut))
    return found


@functools.cache
def named(row):
    """The share of the digits that each reader of a row names rightly."""
    return [page().share_right(*reader) for reader in readers(row)]


def on_a_larger_sheet(with_attention):
    """The share right of digits somewhere on a sheet of 12 by 12, nine spots, for each of five trainings."""

    def placed(pixels):
        right, down = torch.randint(3, (2, len(pixels))) * 2
        sheets, near = torch.zeros(len(pixels), 12, 12), torch.arange(8)
        which, rows, columns = torch.arange(len(pixels)), down[:, None] + near, right[:, None] + near
        sheets[which[:, None, None], rows[:, :, None], columns[:, None, :]] = pixels
        return checks.patches.solution(sheets[:, None], 2)

    found = []
    for seed in SEEDS:
        torch.manual_seed(seed)
        model = page().DigitReader(True, with_attention, num_patches=36)
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
        for _ in range(500):
            batch = torch.randint(1437, (64,))
            loss = F.cross_entropy(model(placed(page().pixels[batch])), page().digits[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            tested = placed(page().pixels[1437:].repeat(3, 1, 1))
            found.append((model(tested).argmax(dim=-1) == page().digits[1437:].repeat(3)).float().mean().item())
    return found


@functools.cache
def finders(name):
    """The share found by five trainings of one finder: a row for each seed, of known goods and of others."""
    found = []
    for seed in SEEDS:
        torch.manual_seed(seed)
        names = vars(page()).copy()
        exec(cells()["def-draw-orders"].split("\n\n\n")[0], names)  # other codes for each seed
        wide = {"average": (14, lambda things: things.mean(dim=1)), "all in a row": (84, lambda things: things.flatten(1))}
        model = names["Wide"](*wide[name]) if name in wide else names["OneHead"]()
        train = page().train_finder
        train.__globals__["known"] = names["known"]
        train(model, "", lr=0.003 if name in wide else 0.02)
        found.append([page().share_found(model, names[part]) for part in ("known", "never_seen")])
    return torch.tensor(found)


@functools.cache
def shares(with_places):
    """A row for each of five seeds: the share right of pictures as drawn, and of shuffled ones."""
    found = []
    for seed in range(5):
        torch.manual_seed(seed)
        model = page().LeftOrRight(with_places)
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
        for _ in range(200):
            pictures, left = page().draw_squares(64)
            loss = F.cross_entropy(model(pictures), left.long())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        pictures, left = page().draw_squares(2000)
        shuffled = pictures.take_along_dim(torch.rand(len(pictures), 16, 1).argsort(dim=1), dim=1)
        with torch.no_grad():
            found.append([(model(x).argmax(dim=-1) == left).float().mean() for x in (pictures, shuffled)])
    return torch.tensor(found)  # (seeds, 2)


def told(numbers):
    return " ".join(f"{number:.3f}" for number in numbers)


@claim(
    "beyond_text",
    "none-the-photo-and-its",
    "The photo and its snippets in a hat are the same to this layer.",
    over="10 layers and orders",
    quick=True,
)
def an_average_does_not_notice():
    largest = 0.0
    for seed in range(10):
        torch.manual_seed(seed)
        layer, patches = attention.MultiHeadAttention(48, 32, 2), torch.rand(72, 48)
        with torch.no_grad():
            averages = [layer(x)[0].mean(dim=0) for x in (patches, patches[torch.randperm(72)])]
        largest = max(largest, (averages[0] - averages[1]).abs().max().item())
    return largest < 1e-5, f"the largest change is {largest:.7f}"


@claim("beyond_text", "without-places-the-model", "Without places the model is a coin.", over="5 seeds")
def without_places_a_coin():
    return bool(((shares(False) - 0.5).abs() < 0.05).all()), f"right: {told(shares(False)[:, 0])}"


@claim("beyond_text", "without-places-the-model", "With places it is hardly ever wrong", over="5 seeds")
def with_places_right():
    return bool((shares(True)[:, 0] > 0.95).all()), f"right: {told(shares(True)[:, 0])}"


@claim("beyond_text", "without-places-the-model", "a coin again when the patches are shuffled", over="5 seeds")
def shuffled_a_coin_again():
    return bool(((shares(True)[:, 1] - 0.5).abs() < 0.05).all()), f"right: {told(shares(True)[:, 1])}"


@claim(
    "beyond_text",
    "about-0-on-average",
    "About 0 on average, and anything between −1 and 1.",
    over="9 keys, 5 seeds of 100 pairs",
    quick=True,
)
def samples_of_one_key_disagree():
    means, lows, highs = [], [], []
    for seed in range(5):
        torch.manual_seed(seed)
        for key in KEYS:
            frames = torch.stack([page().frame(key) for _ in range(200)])
            cosines = F.cosine_similarity(frames[:100], frames[100:], dim=-1)
            means.append(cosines.mean().item()), lows.append(cosines.min().item()), highs.append(cosines.max().item())
    holds = max(map(abs, means)) < 0.2 and max(lows) < -0.8 and min(highs) > 0.8
    return (
        holds,
        f"means {min(means):.2f} to {max(means):.2f}, lows up to {max(lows):.2f}, highs from {min(highs):.2f}",
    )


@claim(
    "beyond_text", "the-same-key-the-same", "The same key, nearly the same vector.", over="9 keys, 5 seeds of 100 pairs"
)
def spectra_of_one_key_agree():
    lows = []
    for seed in range(5):
        torch.manual_seed(seed)
        for key in KEYS:
            heard = torch.fft.rfft(torch.stack([page().frame(key) for _ in range(200)])).abs()
            lows.append(F.cosine_similarity(heard[:100], heard[100:], dim=-1).min().item())
    return min(lows) > 0.95, f"the lowest cosine of a key is {min(lows):.3f} to {max(lows):.3f}"


@claim(
    "beyond_text",
    "the-low-band-finds-the",
    "The low band finds the row of the telephone, 4 5 6. The high band finds the column, 1 4 7.",
    over="20 draws, all 9 keys",
    quick=True,
)
def bands_find_rows_and_columns():
    row, column = torch.arange(9) // 3, torch.arange(9) % 3
    right = {"low": row[:, None] == row, "high": column[:, None] == column}
    found, least = 0, 1.0
    for seed in range(20):
        torch.manual_seed(seed)
        for name, band in {"low": slice(0, 20), "high": slice(20, 81)}.items():
            weights = page().band_weights(KEYS, band)
            found += torch.equal(weights > 0.1, right[name])
            least = min(least, weights[right[name]].min().item())
    return found == 40, f"{found} of 40 tables; the least weight of a key that shares the tone is {least:.2f}"


@claim(
    "beyond_text",
    "in-4127364-the-low",
    "the two 4s get most, and keys that share one tone get a little",
    over="20 draws",
)
def the_whole_spectrum_finds_the_key():
    fits = 0
    for seed in range(20):
        torch.manual_seed(seed)
        weights = page().band_weights("4127364", slice(0, 81))[0]
        same, one_tone, none = weights[[0, 6]], weights[[1, 3, 5]], weights[[2, 4]]
        fits += bool(same.min() > 0.3 and one_tone.max() < 0.1 and one_tone.min() > none.max())
    return fits == 20, f"{fits} of 20 fit; last: {told(weights)}"
