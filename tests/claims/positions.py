"""What Positions says beyond its outputs."""

import functools
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from claiming import claim
from notebook_files import PUBLISHED
from notebook_format import read_notebook
from torch import nn

from course_utils import attention, properties

SPEEDS = torch.tensor([1.0, 0.1, 0.01, 0.001])
SEEDS = range(5)
KINDS = ("the mask alone", "a table", "sinusoids", "rotary")


class Silent:
    """In place of `session`: a training without a bar."""

    @staticmethod
    def progress(steps, label):
        return range(steps)


@functools.cache
def page():
    """The definitions of the page, by name."""
    cells = {cell.id: cell.source for cell in read_notebook(PUBLISHED / "09_positions.ipynb").cells}
    names = {"torch": torch, "F": F, "nn": nn, "attention": attention, "session": Silent}
    for key in ("def-sinusoids-places-speeds", "def-rotate-x-places-speeds"):
        exec(cells[key].split("\n\n\n")[0].split("\n\nwith ")[0], names)
    for key in ("class-letterbefore-nn-module", "def-train-letter-before"):
        exec(cells[key], names)
    return SimpleNamespace(**names)


@functools.cache
def shares():
    """For each kind, a row for each seed: the share right at 16, 32 and 64 letters."""
    found = {kind: [] for kind in KINDS}
    for seed in SEEDS:
        for kind in KINDS:
            model = page().train_letter_before(kind, seed)
            with torch.no_grad():
                found[kind].append([page().share_named(model, num_tokens) for num_tokens in (16, 32, 64)])
    return {kind: torch.tensor(rows) for kind, rows in found.items()}  # (seeds, 3) each


def told(column):
    return "; ".join(
        f"{kind} " + " ".join(f"{share:.2f}" for share in rows[:, column]) for kind, rows in shares().items()
    )


@claim(
    "positions",
    "places-in-the-inputs-are",
    "So is a mask, with no places at all.",
    over="20 heads of 4 lengths",
    quick=True,
)
def a_mask_alone_notices():
    noticed = 0
    for seed in range(20):
        torch.manual_seed(seed)
        num_tokens = (3, 6, 12, 24)[seed % 4]
        head = attention.CausalAttention(8, 8, num_tokens)
        noticed += not properties.permutation_equivariant(head, torch.randn(2, num_tokens, 8))
    return noticed == 20, f"{noticed} of 20 notice a shuffle"


@claim(
    "positions",
    "no-longer-the-matrices-mix",
    "the rule of the cosines is gone",
    over="50 pairs of matrices",
    quick=True,
)
def behind_matrices_the_place_counts():
    """How far the scores of one distance differ from place to place, beside how far all scores do."""
    rows, ratios = page().sinusoids(torch.arange(200), SPEEDS), []
    for seed in range(50):
        torch.manual_seed(seed)
        head = attention.SelfAttention(8, 8)
        with torch.no_grad():
            scores = head.W_query(rows) @ head.W_key(rows).transpose(-2, -1)
        ratios.append((scores.diagonal(2).std() / scores.std()).item())
    before = (rows @ rows.transpose(0, 1)).diagonal(2).std()
    holds = min(ratios) > 0.1 and before < 1e-4
    return (
        holds,
        f"at distance 2, the spread is {min(ratios):.2f} to {max(ratios):.2f} of that of all scores; before 0",
    )


@claim(
    "positions",
    "the-weights-stay-as-they",
    "The weights stay as they were, wherever the text stands.",
    over="10 texts, moved by 1 to 5,000 places",
    quick=True,
)
def rotary_weights_do_not_move():
    largest = 0.0
    for seed in range(10):
        torch.manual_seed(seed)
        queries, keys, values = torch.randn(3, 12, 8)
        found = []
        for first in (0, 1, 50, 500, 5000):
            places = torch.arange(first, first + 12)
            turned = (page().rotate(x, places, SPEEDS) for x in (queries, keys))
            found.append(attention.scaled_dot_product_attention(*turned, values)[1])
        largest = max(largest, (torch.stack(found) - found[0]).abs().max().item())
    return largest < 0.002, f"the largest change of a weight is {largest:.5f}"


@claim(
    "positions",
    "at-the-length-of-training",
    "At the length of training the three that have places are nearly always right.",
    over="5 seeds",
)
def right_at_the_length_of_training():
    return all(shares()[kind][:, 0].min() > 0.9 for kind in KINDS[1:]), told(0)


@claim(
    "positions",
    "at-the-length-of-training",
    "In texts of twice the length, the table and the sinusoids fall nearly to guessing, one in 26.",
    over="5 seeds",
)
def two_fall_to_guessing():
    return all(shares()[kind][:, 1].max() < 0.1 for kind in ("a table", "sinusoids")), told(1)


@claim("positions", "at-the-length-of-training", "The mask alone does better", over="5 seeds")
def the_mask_alone_does_better():
    others = torch.stack([shares()[kind][:, 1] for kind in ("a table", "sinusoids")]).amax(dim=0)
    return bool((shares()["the mask alone"][:, 1] > others).all()), told(1)


@claim(
    "positions", "at-the-length-of-training", "Turned queries and keys hold out best", over="5 seeds, 32 and 64 letters"
)
def rotary_holds_out_best():
    others = torch.stack([shares()[kind] for kind in KINDS[:3]]).amax(dim=0)[:, 1:]
    return bool((shares()["rotary"][:, 1:] > others).all()), f"at 32: {told(1)}. At 64: {told(2)}"


@claim("positions", "at-the-length-of-training", "They lose too", over="5 seeds")
def rotary_loses_too():
    rows = shares()["rotary"]
    return bool(
        (rows[:, 2] < rows[:, 0] - 0.1).all()
    ), f"rotary at 64: {' '.join(f'{share:.2f}' for share in rows[:, 2])}"


@claim(
    "positions",
    "at-the-length-of-training",
    "Were the head to see the last 16 letters only, it would be right again in a text of any length.",
    over="5 seeds, 32, 64 and 200 letters",
)
def rotary_is_right_in_a_window():
    found = []
    for seed in SEEDS:
        model = page().train_letter_before("rotary", seed)
        for num_tokens in (32, 64, 200):
            codes, places = torch.randint(26, (200, num_tokens)), torch.arange(num_tokens)
            back = places[:, None] - places
            with torch.no_grad():
                x = model.letters(codes)
                turned = (page().rotate(part(x), places, model.speeds) for part in (model.queries, model.keys))
                mask = (back >= 0) & (back < 16)
                context_vecs, _ = attention.scaled_dot_product_attention(*turned, model.values(x), mask)
                named = model.read_out(context_vecs).argmax(dim=-1)
            found.append((named[:, -8:] == codes[:, -9:-1]).float().mean().item())
    return min(found) > 0.95, f"right: {min(found):.3f} to {max(found):.3f}"


@claim(
    "positions",
    "at-the-length-of-training",
    "mostly names the one that has come most often",
    over="5 seeds, 32 letters",
)
def the_mask_alone_names_the_most_frequent_letter():
    """How often the letter that is named is one that no other letter has come more often than."""
    shares = []
    for seed in SEEDS:
        model = page().train_letter_before("the mask alone", seed)
        codes = torch.randint(26, (500, 32))
        with torch.no_grad():
            named = model(codes)[:, -1].argmax(dim=-1)
        times = torch.nn.functional.one_hot(codes, 26).sum(dim=1)  # (texts, letters)
        shares.append((times[torch.arange(500), named] == times.max(dim=-1).values).float().mean().item())
    return min(shares) > 0.5, f"the most frequent: {min(shares):.2f} to {max(shares):.2f}"


@claim(
    "positions", "44-is-nearly-seven-times", "A second hand that turns ten times slower tells the two apart.", over=""
)
def a_second_hand_tells_44_from_0():
    one, two = (page().sinusoids(torch.tensor([0, 44]), SPEEDS[:hands]) for hands in (1, 2))
    apart = [(rows[0] - rows[1]).norm().item() for rows in (one, two)]
    return apart[0] < 0.02 and apart[1] > 1, f"apart with one hand {apart[0]:.3f}, with two {apart[1]:.3f}"
