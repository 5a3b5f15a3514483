"""Claims of the notebook beyond_text about its readers of digits."""

import functools

import torch
import torch.nn.functional as F
from claiming import claims_of, definitions

from course_utils import checks
from course_utils.lessons.beyond_text.claims import SEEDS, in_words, page, stored

claim = claims_of("beyond_text")

# row of the stored table, and one more -> (with positions, with attention, all pictures in one other order)
READERS = {
    "no positions, no attention": (False, False, False),
    "attention without positions": (False, True, False),
    "positions without attention": (True, False, False),
    "positions and attention": (True, True, False),
    "both, all pictures in one other order": (True, True, True),
}


def row_in_words(found):
    """Return shares, a list of numbers, as text like that of the stored tables: "mean (lowest to highest)"."""
    return f"{sum(found) / len(found):.2f} ({min(found):.2f} to {max(found):.2f})"


@functools.cache
def readers(row):
    """Train the readers of a row of the table of digits, a key of READERS; cached.

    Return a list with (reader, the patches of all digits as it sees them) for each seed.
    """
    *kind, other = READERS[row]
    found = []
    for seed in SEEDS:
        torch.manual_seed(seed)
        cut = page().digit_patches[:, torch.randperm(16)] if other else page().digit_patches
        found.append((page().train_classifier(page().DigitClassifier(*kind), cut, ""), cut))
    return found


@functools.cache
def named(row):
    """Return the share of digits, 0 to 1, that each reader of a row of READERS names correctly, a list; cached."""
    return [page().accuracy_on(*reader) for reader in readers(row)]


@functools.cache
def on_sheets(spots):
    """Return the patches of sheets of 12 by 12 pixels with each digit on each of its spots, (spots², 1797, 36, 4).

    spots: in how many ways a digit may lie in each direction, 3 for nine spots in all, 1 for the middle alone. Cached.
    """
    sheets = torch.zeros(spots, spots, len(page().pixels), 12, 12)
    edges = [2 * (spot + (3 - spots) // 2) for spot in range(spots)]  # where a digit begins, in pixels
    for down, top in enumerate(edges):
        for right, left in enumerate(edges):
            sheets[down, right, :, top : top + 8, left : left + 8] = page().pixels
    return checks.patches.solution(sheets.flatten(0, 2)[:, None], 2).unflatten(0, (spots * spots, -1))


@functools.cache
def on_a_larger_sheet(seed, with_attention, spots=3, steps=500):
    """Train a reader on digits on larger sheets; return the share, 0 to 1, that it names correctly; cached.

    with_attention: whether the reader has attention. spots: as in `on_sheets`; each time one is drawn. steps: of the
    training.
    """

    def placed(numbers):
        right, down = torch.randint(spots, (2, len(numbers)))
        return on_sheets(spots)[spots * down + right, numbers]

    torch.manual_seed(seed)
    model = page().DigitClassifier(True, with_attention, num_patches=36)
    fit(model, placed, steps)
    tested = torch.arange(1437, 1797).repeat(3)
    return (model(placed(tested)).argmax(dim=-1) == page().digits[tested]).float().mean().item()


def fit(model, draw_patches, steps=500):
    """Train a reader, in place, as the notebook does; return it with frozen parameters.

    draw_patches: a function from picture numbers, (64,) from 0 to 1436, to their patches, the inputs of the reader.
    steps: of the training.
    """
    optimizer = torch.optim.AdamW(model.parameters())
    rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01, total_steps=steps)
    for _ in range(steps):
        batch = torch.randint(1437, (64,))
        loss = F.cross_entropy(model(draw_patches(batch)), page().digits[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        rate.step()
    return model.requires_grad_(False)


TABLE = "more-than-half-from"


def rows_in_words(rows):
    return "; ".join(f"{row}: {row_in_words(named(row))}" for row in rows)


def holds_stored(rows):
    """Return whether five trainings give the stored mean of each row of the table of digits, within 0.03."""
    return all(abs(torch.tensor(named(row)).mean() - stored(TABLE, row)[0]) < 0.03 for row in rows)


@claim(TABLE, "More than half, from patches without an order", over="5 seeds")
def half_without_positions():
    rows = ("no positions, no attention", "attention without positions")
    return holds_stored(rows) and min(map(min, map(named, rows))) > 0.5, rows_in_words(rows)


@claim(TABLE, "On average, positions add about 0.3, and attention 0.02 at most.", over="5 seeds")
def positions_add_and_attention_does_not():
    rows = list(READERS)[:4]
    means = torch.tensor([named(row) for row in rows]).mean(dim=1).view(2, 2)  # [with positions, with attention]
    positions, attends = means[1] - means[0], means[:, 1] - means[:, 0]
    holds = holds_stored(rows) and ((positions - 0.3).abs() < 0.06).all() and attends.max() < 0.04
    return bool(holds), f"positions add {in_words(positions)}, attention {in_words(attends)}; {rows_in_words(rows)}"


@claim("a-place-is-a-name", "the classifier with positions is right in 0.90", over="5 seeds, another order for each")
def one_other_order_costs_nothing():
    row = "both, all pictures in one other order"
    before, after = (torch.tensor(named(each)).mean() for each in ("positions and attention", row))
    holds = (after - 0.9).abs() < 0.03 and before - after < 0.04
    return bool(holds), f"it costs {before - after:.3f}; {rows_in_words([row])}"


@claim("a-place-is-a-name", "the one with positions is right hardly more often than a guess.", over="5 seeds")
def each_shuffled_on_its_own():
    stay, right = [], []
    for seed in SEEDS:
        torch.manual_seed(seed)
        cut = page().digit_patches
        shuffled = cut.take_along_dim(torch.rand(len(cut), 16, 1).argsort(dim=1), dim=1)[1437:]
        rows = ("attention without positions", "positions and attention")
        without, with_positions = (readers(row)[seed][0] for row in rows)
        stay.append((without(cut[1437:]).argmax(dim=-1) == without(shuffled).argmax(dim=-1)).sum().item())
        right.append((with_positions(shuffled).argmax(dim=-1) == page().digits[1437:]).float().mean().item())
    return min(stay) >= 359 and max(right) < 0.16, f"{stay} of 360 stay; with positions right: {in_words(right)}"


@claim(
    "where-attention-pays",
    "over eight trainings, of which these are the first five, it adds about 0.1 on average, and in some far less.",
    over="8 seeds",
)  # fmt: skip
def attention_pays_on_a_larger_sheet():
    rows = {"positions without attention": False, "positions and attention": True}
    found = {row: [on_a_larger_sheet(seed, attends) for seed in range(8)] for row, attends in rows.items()}
    of_five = {row: sum(shares[:5]) / 5 for row, shares in found.items()}
    kept = [abs(mean - stored("where-attention-pays", row)[0]) < 0.04 for row, mean in of_five.items()]
    without, attending = map(torch.tensor, found.values())
    gained = attending - without
    words = "; ".join(f"{row}: {row_in_words(shares)}" for row, shares in found.items())
    holds = all(kept) and 0.05 < gained.mean() < 0.15 and gained.min() < 0.06 and attending.max() < 0.7
    return bool(holds), f"{words}; gained {gained.min():.2f} to {gained.max():.2f}"


@claim(
    "where-attention-pays", "With every digit in the middle of that sheet, it adds less than half of those 0.14.",
    over="4 seeds", apart=0.04,
)  # fmt: skip
def attention_pays_where_digits_lie_anywhere():
    middle = [[on_a_larger_sheet(seed, attends, spots=1) for seed in range(4)] for attends in (False, True)]
    yield 0.1, (sum(middle[1]) - sum(middle[0])) / 4  # the 0.1 of nine spots is held by the claim above


@claim(
    "where-attention-pays", "with four times as many, attention still adds about 0.1", over="3 seeds",
)  # fmt: skip
def attention_pays_after_longer_training():
    found = [[on_a_larger_sheet(seed, attends, steps=2000) for seed in range(3)] for attends in (False, True)]
    gained = (sum(found[1]) - sum(found[0])) / 3
    words = "; ".join(map(row_in_words, found))
    return 0.04 < gained < 0.16, f"without attention and with it: {words}; gained {gained:.2f}"


def moved_patches(right, down=0):
    return checks.patches.solution(page().moved(page().pixels, right, down)[:, None], 2)


@claim(
    "the-names-are-wrong",
    "Without positions the pieces are the same but for the edge, and nearly as many digits are read as before.",
    over="5 seeds, right and left", apart=0.5,
)  # fmt: skip
def moved_by_a_patch():
    for right in (-2, 2):
        cut = moved_patches(right)
        lost = [
            [
                before - page().accuracy_on(reader, cut)
                for (reader, _), before in zip(readers(row), named(row), strict=True)
            ]
            for row in ("positions and attention", "attention without positions")
        ]
        yield from zip(*lost, strict=True)


@claim(
    "the-names-are-wrong",
    "trained so, in a separate experiment, this classifier names about six in ten of the shifted digits correctly",
    over="5 seeds", apart=0.35,
)  # fmt: skip
def moved_pictures_teach():
    to_the_right = moved_patches(2)
    moved = torch.stack([moved_patches(right, down) for right in (-2, 0, 2) for down in (-2, 0, 2)])
    for seed, (reader, _) in enumerate(readers("positions and attention")):
        torch.manual_seed(seed)
        model = page().DigitClassifier(True, True)
        taught = fit(model, lambda batch: moved[torch.randint(9, batch.shape), batch])
        yield page().accuracy_on(taught, to_the_right), page().accuracy_on(reader, to_the_right)


@claim(
    TABLE,
    "so that the same hands are in training and test, and the classifier with both is right in about 0.96",
    over="5 seeds",
    apart=0.02,
)  # fmt: skip
def the_last_ones_are_harder():
    for seed, share in enumerate(named("positions and attention")):
        torch.manual_seed(seed)
        order = torch.randperm(1797)
        drawn = definitions("beyond_text", "def-digit-reader", "def-train-reader", digits=page().digits[order])
        cut = page().digit_patches[order]
        yield drawn.accuracy_on(drawn.train_classifier(drawn.DigitClassifier(True, True), cut, ""), cut), share


@claim(
    "by-one-pixel-all-patches",
    "To the side, both classifiers with attention then lose more than 30 points of a hundred",
    over="5 seeds, right and left",
)  # fmt: skip
def moved_by_a_pixel():
    lost = []
    for row in ("positions and attention", "attention without positions"):
        for right in (-1, 1):
            cut = moved_patches(right)
            for (reader, _), before in zip(readers(row), named(row), strict=True):
                lost.append(before - page().accuracy_on(reader, cut))
    return min(lost) > 0.3, f"they lose {min(lost):.2f} to {max(lost):.2f}"
