"""Claims of the notebook dot_product_attention that go beyond its outputs."""

import functools
import itertools

import torch
import torch.nn.functional as F
from claiming import claims_of, definitions

from course_utils import data
from course_utils.models import minilm

claim = claims_of("dot_product_attention")

ALIKE = [
    ("cold", "icy"), ("big", "large"), ("small", "little"), ("car", "truck"), ("happy", "glad"), ("king", "queen"),
    ("doctor", "nurse"), ("river", "stream"), ("fast", "quick"), ("house", "home"), ("dog", "puppy"),
    ("begin", "start"),
]  # fmt: skip
OPPOSITE = [
    ("hot", "cold"), ("old", "new"), ("good", "bad"), ("rich", "poor"), ("big", "small"), ("black", "white"),
    ("fast", "slow"), ("up", "down"), ("love", "hate"), ("war", "peace"), ("early", "late"), ("win", "lose"),
    ("open", "close"), ("buy", "sell"),
]  # fmt: skip
COLD = [
    "A cold wind blew in.",
    "He gave a cold answer.",
    "She caught a cold last week.",
    "The soup is already cold.",
    "They fought in a cold war.",
    "The murder was a cold case.",
    "His cold eyes frightened me.",
    "We swam in the cold lake.",
    "The trail went cold.",
    "The engine needs a cold start.",
]
SIZES = [(6, 3), (6, 16), (20, 3), (50, 8)]


def weights_of(inputs):
    return torch.softmax(inputs @ inputs.transpose(-2, -1), dim=-1)


def draws(seeds=20):
    """Yield random embeddings (num_tokens, width) of several sizes, with numbers from 0 to 1 as in the notebook."""
    for seed, (num_tokens, width) in itertools.product(range(seeds), SIZES):
        yield torch.rand(num_tokens, width, generator=torch.Generator().manual_seed(seed))


@functools.cache
def model():
    return minilm.load()


def cosines_of(names):
    """Return the cosines between words in the model's table, (num_words, num_words)."""
    ids = [model().tokenizer.encode(name).ids[1] for name in names]
    table = F.normalize(model().word_embeddings[ids], dim=-1)
    return table @ table.transpose(0, 1)


@claim("cold-and-icy-have-nearly", "words of similar meaning tend to lie close together", over="12 pairs of words")
def similar_words_are_close():
    names = [word for pair in ALIKE for word in pair]
    cosines = cosines_of(names)
    partners = torch.arange(len(names)) ^ 1
    alike = cosines[torch.arange(len(names)), partners]
    nearest = cosines.masked_fill(torch.eye(len(names)).bool(), -1).argmax(dim=-1)
    others = (cosines.sum() - len(names) - alike.sum()) / (len(names) ** 2 - 2 * len(names))
    right = (nearest == partners).sum().item()
    found = f"mean cosine {alike.mean():.2f} in a pair, {others:.2f} elsewhere; {right} of {len(names)} are nearest"
    return alike.min().item() > others.item() + 0.2 and right > 0.8 * len(names), found


@claim("three-numbers-again-cold-came", "What comes next in a model can tell the two apart", over="10 sentences")
def cold_differs_with_its_text():
    vectors = []
    for sentence in COLD:
        read = model()(sentence)
        vectors.append(read.hidden_states[-1][read.tokens.index("cold")])
    cosines = [F.cosine_similarity(a, b, dim=0).item() for a, b in itertools.combinations(vectors, 2)]
    return max(cosines) < 0.95, f"cosines of cold in two texts: {min(cosines):.2f} to {max(cosines):.2f}"


@claim("dividing-by-the-sum-forgets", "one weight is e ≈ 2.72 times the other", over="20 seeds")
def a_gap_of_one_multiplies_by_e():
    factors = []
    for seed in range(20):
        scores = 20 * torch.rand(8, generator=torch.Generator().manual_seed(seed))
        scores[1] = scores[0] + 1
        weights = torch.softmax(scores.double(), dim=0)
        factors.append((weights[1] / weights[0]).item())
    return max(factors) - min(factors) < 1e-4, f"factors from {min(factors):.4f} to {max(factors):.4f}"


@claim(
    "rows-ask-columns-are-asked", "Each row of exponentials was divided by its own sum, and those sums differ",
    over="3 seeds, 4 sizes", quick=True, apart=0.01,
)  # fmt: skip
def weights_are_not_symmetric():
    for inputs in draws(3):
        exponentials = torch.exp(inputs @ inputs.transpose(0, 1))
        for_all = exponentials / exponentials.sum(dim=-1).mean()  # one sum for all rows
        yield [(table - table.transpose(0, 1)).abs().max() for table in (weights_of(inputs), for_all)]


@claim(
    "the-column-darkens-in-every", "A long vector draws attention from everything that points its way",
    over="20 seeds, 4 sizes", quick=True,
)  # fmt: skip
def a_long_vector_draws_attention():
    grown = total = own = tables = 0
    for factor, inputs in itertools.product((1.2, 3), draws()):
        longer = inputs.clone()
        longer[0] *= factor
        more = weights_of(longer)[:, 0] > weights_of(inputs)[:, 0]
        grown, total = grown + more[1:].sum().item(), total + len(more) - 1
        own, tables = own + more[0].item(), tables + 1
    found = f"it gets more in {grown} of {total} rows of other words, and in its own in {own} of {tables}"
    return grown == total, f"made 1.2 or 3 times as long, {found}"


@claim(
    "the-column-darkens-in-every", "In the other rows the weight grows the more, the larger their own first number is",
    over="",
)  # fmt: skip
def rows_with_a_large_first_number_give_more():
    _, inputs = data.load("six_tokens")
    moved = inputs.clone()
    moved[3, 0] = 2.0
    others = [0, 1, 2, 4, 5]
    growth = (weights_of(moved) - weights_of(inputs))[others, 3]
    same = torch.equal(growth.argsort(), inputs[others, 0].argsort())
    return same, " ".join(f"{number:.2f}: +{more:.2f}" for number, more in zip(inputs[others, 0], growth, strict=True))


@claim("mixing-draws-together", "Here mixing draws the vectors together", over="20 seeds, 4 sizes")
def mixes_are_closer_together():
    ratios = [(torch.pdist(weights_of(x) @ x).mean() / torch.pdist(x).mean()).item() for x in draws()]
    return max(ratios) < 1, f"mean distance after the mix, for 1 before: {min(ratios):.2f} to {max(ratios):.2f}"


@claim(
    "no-word-asks-for-its-opposite", "Real words of opposite meaning do not point away from each other",
    over="14 pairs of words", apart=0.15,
)  # fmt: skip
def opposites_are_neighbours():
    cosines = cosines_of([word for pair in OPPOSITE for word in pair])
    for i in range(0, len(cosines), 2):
        others = cosines[i : i + 2].sum() - 2 - 2 * cosines[i, i + 1]
        yield cosines[i, i + 1], others / (2 * len(cosines) - 4)


@claim(
    "no-word-asks-for-its-opposite",
    "When does one word look more at another than at itself? Only if the other's shadow on its arrow is longer than "
    "that arrow.",
    over="5 seeds, 4 widths", quick=True, apart=0.5,
)  # fmt: skip
def a_longer_shadow_is_needed():
    """Yield the score of random pairs, for 1 with itself: the least with a longer shadow, the mean without it."""
    for seed, width in itertools.product(range(5), (2, 3, 16, 64)):
        torch.manual_seed(seed)
        verbs, subjects = torch.randn(2, 4000, width)
        subjects = subjects * torch.rand(4000, 1) * width
        score, own = (verbs * subjects).sum(dim=-1), (verbs * verbs).sum(dim=-1)
        cosines = F.cosine_similarity(verbs, subjects, dim=-1)
        longer = subjects.norm(dim=-1) * cosines > verbs.norm(dim=-1)
        yield (score / own)[longer].min(), (score / own)[~longer].mean()


@claim("no-word-asks-for-its-opposite", "hot and cold lie as close together as cold and icy", over="", quick=True)
def hot_is_near_cold():
    cosines = cosines_of(["hot", "cold", "icy"])
    return abs(cosines[0, 1] - cosines[1, 2]) < 0.05, f"cosines {cosines[0, 1]:.2f} and {cosines[1, 2]:.2f}"


@claim("sharp-flat-and-between", "The one in between comes closest to the curve", over="8 seeds", quick=True)
def a_middle_width_is_best():
    found = []
    for seed in range(1, 9):
        page = definitions(
            "dot_product_attention",
            "points-of-a-curve",
            change=lambda source, seed=seed: source.replace("manual_seed(0)", f"manual_seed({seed})"),
        )
        found.append([(page.smooth(width) - torch.sin(page.asked)).abs().mean().item() for width in (0.1, 0.4, 5)])
    holds = all(middle < 0.9 * min(narrow, wide) for narrow, middle, wide in found)
    return holds, "; ".join(" ".join(f"{error:.2f}" for error in errors) for errors in found)
