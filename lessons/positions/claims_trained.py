"""Claims of the notebook positions about trained models."""

import functools
import re

import torch
import torch.nn.functional as F
from claiming import claims_of, sources

from course_utils import attention
from course_utils.lessons.positions.claims import page

claim = claims_of("positions")

SEEDS = range(5)
KINDS = ("the mask alone", "a table", "sinusoids", "rotary", "ALiBi")
LENGTHS = (32, 64, 128, 256)
LONGER_ROWS = {
    "a table": {"way": "a table"},
    "sinusoids": {"way": "sinusoids"},
    "rotary": {"way": "rotary"},
    "ALiBi, slope 1/8": {"way": "ALiBi", "slope": 1 / 8},
    "ALiBi, slope 1": {"way": "ALiBi"},
    "a table, random starts": {"way": "a table", "starts": 225},
    "sinusoids, random starts": {"way": "sinusoids", "starts": 225},
}


@functools.cache
def trained(kind, seed):
    return page().train_letter_before(kind, seed=seed)


@functools.cache
def accuracies(kind):
    """Return the accuracies of a kind, (seeds, 3), at 16, 32 and 64 letters."""
    return torch.tensor(
        [[page().accuracy_at(trained(kind, seed), length) for length in (16, 32, 64)] for seed in SEEDS]
    )


def in_words(column, kinds=KINDS):
    return "; ".join(f"{kind} " + " ".join(f"{share:.2f}" for share in accuracies(kind)[:, column]) for kind in kinds)


@functools.cache
def longer(row):
    """Train the models of a row of the stored table, a key of LONGER_ROWS, with five seeds; cached.

    Return their accuracies, a tensor (seeds, lengths).
    """
    found = []
    for seed in SEEDS:
        model = page().train_letter_before(**LONGER_ROWS[row], size=(32, 32), steps=500, seed=seed)
        found.append([page().accuracy_at(model, length, last=16) for length in LENGTHS])
    return torch.tensor(found)  # (seeds, lengths)


def as_stored(row):
    """Return (whether trainings give the stored means of a row of the notebook's table, what they give, as a row)."""
    line = next(line for line in sources("positions")["the-longer-table"].splitlines() if line.startswith(f"| {row} |"))
    stored = torch.tensor([float(mean) for mean in re.findall(r"\| ([01]\.\d\d)", line)])  # (lengths,)
    found = longer(row)
    parts = zip(found.mean(dim=0), found.amin(dim=0), found.amax(dim=0), strict=True)
    words = " | ".join(f"{mean:.2f} ({least:.2f} to {most:.2f})" for mean, least, most in parts)
    spread = found.amax(dim=0) - found.amin(dim=0)  # trainings differ between processors
    return len(stored) == len(LENGTHS) and bool(
        ((found.mean(dim=0) - stored).abs() < 0.05 + spread / 2).all()
    ), f"| {row} | {words} |"


@claim("at-the-length-of-training", "At 16 letters all but the mask alone are", over="5 seeds")
def right_at_the_length_of_training():
    low = accuracies("the mask alone")[:, 0].max() < 0.3
    return bool(low) and all(accuracies(kind)[:, 0].min() > 0.9 for kind in KINDS[1:]), in_words(0)


@claim(
    "at-the-length-of-training", "In texts twice as long, the table and the sinusoids have lost nearly all of it",
    over="5 seeds",
)  # fmt: skip
def two_lose_nearly_all():
    found = torch.cat([accuracies(kind)[:, 1] for kind in KINDS[1:3]])
    return bool(found.max() < 0.35 and found.mean() < 0.12), in_words(1, KINDS[1:3])


@claim(
    "at-the-length-of-training", "Rotated queries and keys hold out longer", over="5 seeds, 32 letters", apart=0.3,
    rival="sinusoids and four times the steps",
)  # fmt: skip
def rotary_holds_out_longer():
    """Compare rotations with rows of the same angles, added to the inputs."""
    for seed in SEEDS:
        longer_trained = page().train_letter_before("sinusoids", seed=seed, steps=1200)
        yield (
            *(accuracies(kind)[seed, 1] for kind in ("rotary", "sinusoids")),
            page().accuracy_at(longer_trained, 32),
        )


@claim(
    "at-the-length-of-training",
    "At 64 letters they fail, too, because of distances that no text in training had.",
    over="5 seeds, the accuracy without these distances and with them", apart=0.08,
    rival="as few letters as in training, at distances up to 63",
)  # fmt: skip
def new_distances_harm():
    """Compare rotary at 64 letters with each distance cut to 15 at most, as it is, and with 16 keys for each query."""
    for seed in SEEDS:
        codes = torch.randint(26, (300, 64))
        yield (
            named_before(trained("rotary", seed), codes, farthest=15),
            named_before(trained("rotary", seed), codes),
            named_before(trained("rotary", seed), codes, keys_kept=16),
        )


def named_before(model, codes, farthest=63, keys_kept=64):
    """Return a rotary model's accuracy on the letter before, for the last 8 letters of texts of letters (texts, 64).

    farthest: keys farther off are scored as at this distance. keys_kept: each query may attend to its own key, to that
    before it, and to others drawn at random, as many in all.
    """
    places = torch.arange(64)
    with torch.no_grad():
        x, found = model.letters(codes), []
        queries, keys, values = (part(x) for part in (model.head.W_query, model.head.W_key, model.head.W_value))
        for n in range(56, 64):  # a key `back` positions before the query is rotated by -back
            near = model.rotate(keys[:, : n + 1], -(n - places[: n + 1]).clamp(max=farthest), model.speeds)
            scores = queries[:, n, None] @ near.transpose(-2, -1) / 32**0.5
            drawn = torch.rand(len(codes), 1, n + 1)
            drawn[..., -2:] = 2.0
            kept = drawn >= drawn.sort(dim=-1, descending=True).values[..., min(keys_kept, n + 1) - 1, None]
            weights = attention.softmax(scores.masked_fill(~kept, -torch.inf))
            found.append(model.read_out(weights @ values[:, : n + 1])[:, 0].argmax(dim=-1))
    return (torch.stack(found, dim=1) == codes[:, 55:63]).float().mean().item()


@claim("at-the-length-of-training", "shuffle them, and the same comes out", over="5 seeds, against a table", apart=0.01)
def the_mask_alone_has_no_order():
    """Compare how far a shuffle of all letters but the last moves the last output, with a table and without."""
    for seed in SEEDS:
        models = trained("a table", seed), trained("the mask alone", seed)
        torch.manual_seed(seed)
        letters = torch.randint(26, (20, 12))
        shuffled = letters[:, :11].take_along_dim(torch.rand(20, 11).argsort(dim=1), dim=1)  # each text in its own way
        shuffled = torch.cat([shuffled, letters[:, 11:]], dim=1)
        with torch.no_grad():
            moved = [(model(letters) - model(shuffled))[:, -1].abs().max() for model in models]
        yield moved


@claim("at-the-length-of-training", "mostly names the one that has come most often", over="5 seeds, 32 letters")
def the_mask_alone_names_the_most_frequent_letter():
    """Measure how often the named letter is one of the most frequent letters so far."""
    found = []
    for seed in SEEDS:
        codes = torch.randint(26, (500, 32))
        with torch.no_grad():
            named = trained("the mask alone", seed)(codes)[:, -1].argmax(dim=-1)
        times = F.one_hot(codes, 26).sum(dim=1)  # (texts, letters)
        found.append((times[torch.arange(500), named] == times.max(dim=-1).values).float().mean().item())
    return min(found) > 0.5, f"the most frequent: {min(found):.2f} to {max(found):.2f}"


@claim(
    "at-the-length-of-training", "With a slope of 1, ALiBi is as accurate at 64 letters as at 16",
    over="3 seeds, the share at 64 by that at 16, against a slope of 1/32", apart=0.15,
)  # fmt: skip
def a_steep_slope_holds():
    for seed in range(3):
        models = trained("ALiBi", seed), page().train_letter_before("ALiBi", slope=1 / 32, seed=seed)
        yield [page().accuracy_at(model, 64) / page().accuracy_at(model, 16) for model in models]


def random_starts_against_none(kind):
    """Yield accuracies at 32 letters: with random starts, without, and without with four times the steps; 5 seeds."""
    for seed in SEEDS:
        yield [
            page().accuracy_at(page().train_letter_before(kind, starts=starts, steps=steps, seed=seed), 32)
            for starts, steps in ((241, 300), (1, 300), (1, 1200))
        ]


@claim(
    "what-a-random-start-does", "names most letters in one of 32", over="5 seeds, against no random starts", apart=0.4,
    rival="four times the steps",
)  # fmt: skip
def random_starts_mend_the_table():
    return random_starts_against_none("a table")


@claim(
    "what-the-longer-table-says", "A random start mends sinusoids as well", over="5 seeds at 32 letters", apart=0.4,
    rival="four times the steps",
)  # fmt: skip
def random_starts_mend_sinusoids():
    return random_starts_against_none("sinusoids")


OVER_FIVE = "5 seeds, 32 to 256 letters"
claim("the-longer-table", "| a table |", over=OVER_FIVE)(lambda: as_stored("a table"))
claim("the-longer-table", "| sinusoids |", over=OVER_FIVE)(lambda: as_stored("sinusoids"))
claim("the-longer-table", "| rotary |", over=OVER_FIVE)(lambda: as_stored("rotary"))
claim("the-longer-table", "| ALiBi, slope 1/8 |", over=OVER_FIVE)(lambda: as_stored("ALiBi, slope 1/8"))
claim("the-longer-table", "| ALiBi, slope 1 |", over=OVER_FIVE)(lambda: as_stored("ALiBi, slope 1"))
claim("the-longer-table", "| a table, random starts |", over=OVER_FIVE)(lambda: as_stored("a table, random starts"))
claim("the-longer-table", "| sinusoids, random starts |", over=OVER_FIVE)(lambda: as_stored("sinusoids, random starts"))


@claim(
    "what-the-longer-table-says", "at 128 and at 256 letters, the two last rows are right more often than rotary",
    over="5 seeds, by their means",
)  # fmt: skip
def random_starts_outlast_rotary():
    rows = ("rotary", "a table, random starts", "sinusoids, random starts")
    means = {row: longer(row).mean(dim=0)[2:] for row in rows}
    holds = all((means[row] > means["rotary"]).all() for row in rows[1:])
    return holds, "; ".join(f"{row} {mean[0]:.2f} and {mean[1]:.2f}" for row, mean in means.items())
