"""Claims of the notebook positions that go beyond its outputs."""

import functools
import math
import re

import torch
import torch.nn.functional as F
from claiming import claims_of, definitions, differences_below, sources

from course_utils import attention, checks, properties

claim = claims_of("positions")

SPEEDS = torch.tensor([1.0, 0.1, 0.01, 0.001])
SEEDS = range(5)
KINDS = ("the mask alone", "a table", "sinusoids", "rotary", "ALiBi")
LENGTHS = (32, 64, 128, 256)
LONGER_ROWS = {
    "a table": {"positions": "a table"},
    "sinusoids": {"positions": "sinusoids"},
    "rotary": {"positions": "rotary"},
    "ALiBi, slope 1/8": {"positions": "ALiBi", "slope": 1 / 8},
    "ALiBi, slope 1": {"positions": "ALiBi"},
    "a table, random starts": {"positions": "a table", "starts": 225},
    "sinusoids, random starts": {"positions": "sinusoids", "starts": 225},
}


@functools.cache
def page():
    """Return the definitions of the notebook, a namespace."""
    return definitions(
        "positions", "def-sinusoids-places-speeds", "def-rotate-halves", "class-letterbefore-nn-module",
        "def-train-letter-before", rotate=checks.rotate.solution,
    )  # fmt: skip


@functools.cache
def trained(kind, seed):
    return page().train_letter_before(kind, seed=seed)


@functools.cache
def shares():
    """Return a dict from each kind to its shares right, (seeds, 3), at 16, 32 and 64 letters."""
    return {
        kind: torch.tensor(
            [[page().share_named(trained(kind, seed), length) for length in (16, 32, 64)] for seed in SEEDS]
        )
        for kind in KINDS
    }


def told(column):
    return "; ".join(
        f"{kind} " + " ".join(f"{share:.2f}" for share in rows[:, column]) for kind, rows in shares().items()
    )


@functools.cache
def longer(row):
    """Train the models of a row of the stored table with five seeds; return their shares right, (seeds, lengths)."""
    found = []
    for seed in SEEDS:
        model = page().train_letter_before(**LONGER_ROWS[row], size=(32, 32), steps=500, seed=seed)
        found.append([page().share_named(model, length, last=16) for length in LENGTHS])
    return torch.tensor(found)  # (seeds, lengths)


def as_stored(row):
    """Return whether trainings give the stored means of a row of the notebook's table, and in words what they give."""
    line = next(line for line in sources("positions")["the-longer-table"].splitlines() if line.startswith(f"| {row} |"))
    stored = torch.tensor([float(mean) for mean in re.findall(r"\| ([01]\.\d\d)", line)])  # (lengths,)
    found = longer(row)
    parts = zip(found.mean(dim=0), found.amin(dim=0), found.amax(dim=0), strict=True)
    words = " | ".join(f"{mean:.2f} ({least:.2f} to {most:.2f})" for mean, least, most in parts)
    spread = found.amax(dim=0) - found.amin(dim=0)  # trainings differ between processors
    return len(stored) == len(LENGTHS) and bool(
        ((found.mean(dim=0) - stored).abs() < 0.05 + spread / 2).all()
    ), f"| {row} | {words} |"


@claim("places-in-the-inputs-are", "So is a mask, with no places at all.", over="20 heads of 4 lengths", quick=True)
def a_mask_alone_notices():
    noticed = 0
    for seed in range(20):
        torch.manual_seed(seed)
        num_tokens = (3, 6, 12, 24)[seed % 4]
        head = attention.CausalAttention(8, 8, num_tokens)
        noticed += not properties.permutation_equivariant(head, torch.randn(2, num_tokens, 8))
    return noticed == 20, f"{noticed} of 20 notice a shuffle"


@claim(
    "no-the-words-have-rows", "A place is counted from the first real word.", over="20 texts behind 1 to 4 paddings",
    quick=True,
)  # fmt: skip
def paddings_in_front():
    """Compare context vectors behind padding with those of the text alone, with places by column and as counted."""
    worst, least = 0.0, torch.inf
    for seed in range(20):
        torch.manual_seed(seed)
        pads, num_words = 1 + seed % 4, int(torch.randint(2, 8, ()))
        table, text = torch.randn(16, 8), torch.randn(num_words, 8)
        padded = torch.cat([torch.zeros(pads, 8), text])
        is_token = torch.arange(len(padded)) >= pads
        counted = checks.left_padded_places.solution(is_token[None])[0]

        def attend(x, places, is_token, table=table):
            x = x + table[places]
            return attention.scaled_dot_product_attention(x, x, x, is_token[None])[0]

        alone = attend(text, torch.arange(num_words), is_token[pads:])
        worst = max(worst, (attend(padded, counted, is_token)[pads:] - alone).abs().max().item())
        by_column = attend(padded, torch.arange(len(padded)), is_token)[pads:]
        least = min(least, (by_column - alone).abs().max().item())
    return worst < 1e-5 and least > 0.01, f"counted: at most {worst:.1e} apart; by column: at least {least:.2f}"


@claim("no-longer-the-matrices-mix", "the rule of the cosines is gone", over="50 pairs of matrices", quick=True)
def behind_matrices_the_place_counts():
    """Compare how much the scores of one distance vary over places with how much all scores vary."""
    rows, ratios = page().sinusoids(torch.arange(200), SPEEDS), []
    for seed in range(50):
        torch.manual_seed(seed)
        head = attention.SelfAttention(8, 8)
        with torch.no_grad():
            scores = head.W_query(rows) @ head.W_key(rows).transpose(-2, -1)
        ratios.append((scores.diagonal(2).std() / scores.std()).item())
    before = (rows @ rows.transpose(0, 1)).diagonal(2).std()
    holds = min(ratios) > 0.1 and before < 1e-4
    spread = f"{min(ratios):.2f} to {max(ratios):.2f}"
    return holds, f"at distance 2, the spread is {spread} of that of all scores; before 0"


@claim(
    "the-weights-stay-as-they", "The weights stay as they were, wherever the text stands.",
    over="10 texts, moved by 1 to 5,000 places", quick=True,
)  # fmt: skip
@differences_below(0.002)
def rotary_weights_do_not_move():
    for seed in range(10):
        torch.manual_seed(seed)
        queries, keys, values = torch.randn(3, 12, 8)
        found = []
        for first in (0, 1, 50, 500, 5000):
            places = torch.arange(first, first + 12)
            turned = (page().rotate(x, places, SPEEDS) for x in (queries, keys))
            found.append(attention.scaled_dot_product_attention(*turned, values)[1])
        yield torch.stack(found) - found[0]


@claim(
    "four-pairs-four-speeds", "Each is turned with its own speed, as the hands before.",
    over="200 drawn cases, against a loop over tokens and pairs", quick=True,
)  # fmt: skip
@differences_below(1e-5)
def turned_as_a_loop_turns():
    for seed in range(200):
        torch.manual_seed(seed)
        pairs, num_tokens = 1 + seed % 5, 1 + seed % 7
        x, speeds = torch.randn(1 + seed % 2, 1 + seed % 3, num_tokens, 2 * pairs), torch.rand(pairs)
        places, plain = torch.randint(0, 30, (num_tokens,)), torch.empty_like(x)
        for n, place in enumerate(places.tolist()):
            for pair, speed in enumerate(speeds.tolist()):
                first, second = x[..., n, 2 * pair], x[..., n, 2 * pair + 1]
                cos, sin = math.cos(place * speed), math.sin(place * speed)
                plain[..., n, 2 * pair] = first * cos - second * sin
                plain[..., n, 2 * pair + 1] = first * sin + second * cos
        yield page().rotate(x, places, speeds) - plain


@claim(
    "either-custom-is-good", "Either custom is good: the score depends on the distance alone.",
    over="20 heads of 4 widths", quick=True,
)  # fmt: skip
def both_customs_know_the_distance_alone():
    right, least = 0, torch.inf
    for seed in range(20):
        torch.manual_seed(seed)
        head_dim = (4, 8, 32, 64)[seed % 4]
        (queries, keys), speeds = torch.randn(2, 1, 9, head_dim), 10000 ** (-torch.arange(0, head_dim, 2) / head_dim)

        def scores_at(places, way, queries=queries, keys=keys, speeds=speeds):
            return way(queries, places, speeds) @ way(keys, places, speeds).transpose(-2, -1)

        ways = page().rotate, page().rotate_halves
        right += sum(properties.distance_alone(functools.partial(scores_at, way=way), 9) for way in ways)
        two = (scores_at(torch.arange(9), way=way) for way in ways)
        least = min(least, torch.dist(*two).item())
    return (
        right == 40 and least > 1,
        f"{right} of 40 depend on the distance alone; the two are at least {least:.1f} apart",
    )


@claim(
    "three-of-five-stay", "So paddings at the left do rotary and ALiBi no harm", over="20 texts behind 1 to 4 paddings",
    quick=True,
)  # fmt: skip
@differences_below(1e-4)
def paddings_do_relative_ways_no_harm():
    for seed in range(20):
        torch.manual_seed(seed)
        pads, num_words = 1 + seed % 4, int(torch.randint(2, 8, ()))
        columns = torch.arange(pads + num_words)
        queries, keys, values = torch.randn(3, 1, 1, len(columns), 8)
        found = []
        for cut in (0, pads):  # with padding, and without
            mask = (columns >= pads) & attention.causal_mask(len(columns))
            places = columns[: len(columns) - cut]
            q, k, v = (part[..., cut:, :] for part in (queries, keys, values))
            turned = (page().rotate(part, places, SPEEDS) for part in (q, k))
            rotary, _ = attention.scaled_dot_product_attention(*turned, v, mask[cut:, cut:])
            scores = checks.alibi.solution(q @ k.transpose(-2, -1), torch.tensor([0.5]))
            penalised = attention.softmax(scores.masked_fill(~mask[cut:, cut:], -torch.inf)) @ v
            found.append(torch.cat([rotary, penalised])[..., -num_words:, :])
        yield found[0] - found[1]


@claim("at-the-length-of-training", "At 16 letters all but the mask alone are nearly always right.", over="5 seeds")
def right_at_the_length_of_training():
    low = shares()["the mask alone"][:, 0].max() < 0.3
    return bool(low) and all(shares()[kind][:, 0].min() > 0.9 for kind in KINDS[1:]), told(0)


@claim(
    "at-the-length-of-training", "In texts twice as long, the table and the sinusoids have lost nearly all of it",
    over="5 seeds",
)  # fmt: skip
def two_lose_nearly_all():
    found = torch.cat([shares()[kind][:, 1] for kind in ("a table", "sinusoids")])
    return bool(found.max() < 0.35 and found.mean() < 0.12), told(1)


@claim("at-the-length-of-training", "Turned queries and keys hold out longer", over="5 seeds, 32 and 64 letters")
def rotary_holds_out_longer():
    others = torch.stack([shares()[kind] for kind in KINDS[:3]]).amax(dim=0)
    holds = (shares()["rotary"][:, 1] > others[:, 1]).all() and shares()["rotary"][:, 2].mean() > others[:, 2].mean()
    return bool(holds), f"at 32: {told(1)}. At 64: {told(2)}"


@claim("at-the-length-of-training", "They lose too", over="5 seeds")
def rotary_loses_too():
    rows = shares()["rotary"]
    found = " ".join(f"{share:.2f}" for share in rows[:, 2])
    return bool((rows[:, 2] < rows[:, 0] - 0.1).all()), f"rotary at 64: {found}"


@claim(
    "at-the-length-of-training",
    "Were the head to see the last 16 letters only, it should be right again in a text of any length.",
    over="5 seeds, 32, 64 and 200 letters",
)  # fmt: skip
def rotary_is_right_in_a_window():
    found = []
    for seed in SEEDS:
        model = trained("rotary", seed)
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
    "at-the-length-of-training", "With a slope of 1, ALiBi is as right at 64 as at 16", over="5 seeds, 16 to 64 letters"
)
def a_steep_slope_holds():
    rows = shares()["ALiBi"]
    return bool(rows.min() > 0.95), f"right: {rows.min():.3f} to {rows.max():.3f}"


@claim("rotary-alone-is-right", "right in fewer than half, at 64 letters as at 16.", over="5 seeds")
def a_gentle_slope_holds_at_less():
    found = []
    for seed in SEEDS:
        model = page().train_letter_before("ALiBi", slope=1 / 8, seed=seed)
        found.append([page().share_named(model, length) for length in (16, 64)])
    at_16, at_64 = torch.tensor(found).unbind(-1)
    holds = at_16.max() < 0.5 and (at_16 - at_64).abs().max() < 0.08
    return bool(holds), f"at 16 {at_16.min():.2f} to {at_16.max():.2f}, at 64 {at_64.min():.2f} to {at_64.max():.2f}"


@claim("rotary-alone-is-right", "The head has learnt to score a letter low with itself.", over="5 seeds")
def a_letter_scores_low_with_itself():
    """Compare the scores of a letter with itself and with the others, without the penalty."""
    found = []
    for seed in SEEDS:
        model = trained("ALiBi", seed)
        with torch.no_grad():
            letters = model.letters.weight
            scores = model.queries(letters) @ model.keys(letters).transpose(-2, -1) / 32**0.5
        found.append((scores.diagonal().mean().item(), scores[~torch.eye(26).bool()].mean().item()))
    holds = all(own < others - 1 for own, others in found)
    return holds, "; ".join(f"{own:.2f} and {others:.2f}" for own, others in found)


@claim(
    "rotary-alone-is-right", "A penalty says near; it cannot say where.",
    over="5 seeds, 5 slopes, the letter two before and four before",
)  # fmt: skip
def no_slope_points_further_back():
    found, turned = [], []
    for seed in SEEDS:
        for back in (2, 4):
            slope = (1 / 8, 1 / 4, 1 / 2, 1, 2)[(seed + back) % 5]
            model = page().train_letter_before("ALiBi", slope=slope, back=back, seed=seed)
            found.append(page().share_named(model, 16, back))
            turned.append(page().share_named(page().train_letter_before("rotary", back=back, seed=seed), 16, back))
    return max(found) < 0.5 and min(turned) > 0.9, f"ALiBi at most {max(found):.2f}, rotary at least {min(turned):.2f}"


@claim("the-longer-table", "names most letters in one of 32", over="5 seeds")
def random_starts_mend_the_table():
    found = []
    for seed in SEEDS:
        model = page().train_letter_before("a table", starts=241, seed=seed)
        found.append([page().share_named(model, length) for length in (16, 32, 64)])
    found = torch.tensor(found)
    holds = found[:, 0].min() > 0.9 and found[:, 1].min() > 0.5 and found[:, 2].min() > 0.2
    return bool(holds), "at 32 and 64: " + "; ".join(f"{a:.2f}, {b:.2f}" for a, b in found[:, 1:].tolist())


OVER_FIVE = "5 seeds, 32 to 256 letters"


@claim("the-longer-table", "| a table |", over=OVER_FIVE)
def stored_table():
    return as_stored("a table")


@claim("the-longer-table", "| sinusoids |", over=OVER_FIVE)
def stored_sinusoids():
    return as_stored("sinusoids")


@claim("the-longer-table", "| rotary |", over=OVER_FIVE)
def stored_rotary():
    return as_stored("rotary")


@claim("the-longer-table", "| ALiBi, slope 1/8 |", over=OVER_FIVE)
def stored_gentle_slope():
    return as_stored("ALiBi, slope 1/8")


@claim("the-longer-table", "| ALiBi, slope 1 |", over=OVER_FIVE)
def stored_steep_slope():
    return as_stored("ALiBi, slope 1")


@claim("the-longer-table", "| a table, random starts |", over=OVER_FIVE)
def stored_table_random_starts():
    return as_stored("a table, random starts")


@claim("the-longer-table", "| sinusoids, random starts |", over=OVER_FIVE)
def stored_sinusoids_random_starts():
    return as_stored("sinusoids, random starts")


@claim(
    "what-the-longer-table-says", "at 128 and at 256 letters, the two last rows are right more often than rotary",
    over="5 seeds, by their means",
)  # fmt: skip
def random_starts_outlast_rotary():
    rows = ("rotary", "a table, random starts", "sinusoids, random starts")
    means = {row: longer(row).mean(dim=0)[2:] for row in rows}
    holds = all((means[row] > means["rotary"]).all() for row in rows[1:])
    return holds, "; ".join(f"{row} {mean[0]:.2f} and {mean[1]:.2f}" for row, mean in means.items())


@claim("what-the-wrong-custom-costs", "in five of them beside this page, it named from 9 to 68 %.", over="5 seeds")
def the_wrong_custom_costs():
    found = []
    for seed in SEEDS:
        model = page().train_letter_before("rotary", seed=seed)
        states = [page().share_named(model, 16)]
        model.rotate = page().rotate_halves
        states.append(page().share_named(model, 16))
        with torch.no_grad():
            for layer in (model.queries, model.keys):
                layer.weight.copy_(checks.half_split.solution(layer.weight, 1))
        found.append([*states, page().share_named(model, 16)])
    found = torch.tensor(found)
    wrong = " ".join(f"{share:.2f}" for share in found[:, 1])
    holds = found[:, 1].max() < 0.85 and found[:, 1].min() < 0.6 and found[:, ::2].min() > 0.95
    return bool(holds), f"{wrong}; before and after at least {found[:, ::2].min():.2f}"


@claim("44-is-nearly-seven-times", "A second hand, ten times slower, tells the two apart.", over="")
def a_second_hand_tells_44_from_0():
    one, two = (page().sinusoids(torch.tensor([0, 44]), SPEEDS[:hands]) for hands in (1, 2))
    apart = [(rows[0] - rows[1]).norm().item() for rows in (one, two)]
    return apart[0] < 0.02 and apart[1] > 1, f"apart with one hand {apart[0]:.3f}, with two {apart[1]:.3f}"
