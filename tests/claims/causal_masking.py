"""Claims of the notebook causal_masking that go beyond its outputs."""

import functools

import torch
from claiming import claims_of, definitions

from course_utils import attention, properties

claim = claims_of("causal_masking")

PAST = attention.causal_mask(5)
ATTEMPTS = {
    "erased": lambda scores: attention.softmax(scores) * PAST,
    "score 0": lambda scores: attention.softmax(scores.masked_fill(~PAST, 0.0)),
    "mask added": lambda scores: attention.softmax(scores + PAST),
}
GAME = ("def-draw-texts-batch-size", "class-nextletter-nn-module-def", "def-train-next-letter-model")
GAME += ("def-share-right-in-use",)


@functools.cache
def game():
    """Return the definitions of the notebook's guessing game, a namespace."""
    return definitions("causal_masking", *GAME)


@functools.cache
def trained(kind, seed):
    """Train a model of the game; return it, its share right in training, and its share right in use.

    kind: "causal", "peeking" or "without places".
    """
    torch.manual_seed(seed)
    made = {"causal": lambda: attention.CausalAttention(35, 24, context_length=9)}
    head = made.get(kind, lambda: attention.SelfAttention(35, 24))()
    model = game().NextLetter(head, places=kind != "without places")
    game().train_next_letter(model, "")
    return model, game().share_right(model), game().share_right_in_use(model)


def attending(weigh, head):
    """Return a function that attends with a head's projections; weigh: function from scores to weights."""

    def attend(x):
        scores = head.W_query(x) @ head.W_key(x).transpose(-2, -1) / 3**0.5
        return weigh(scores) @ head.W_value(x)

    return attend


def heads_and_texts(seeds):
    for seed in range(seeds):
        torch.manual_seed(seed)
        yield attention.SelfAttention(4, 3), torch.randn(2, 5, 4)


@claim("all-three-leak", "All three leak.", over="20 seeds", quick=True)
def almost_masks_leak():
    """Test each of the three attempts for leaks, on random heads and texts."""
    leaks = {
        name: sum(not properties.no_leak(attending(weigh, head), texts) for head, texts in heads_and_texts(20))
        for name, weigh in ATTEMPTS.items()
    }
    return set(leaks.values()) == {20}, ", ".join(f"{name}: {count} of 20" for name, count in leaks.items())


@claim("the-future-stays-in-the-denominator", "sharing out again closes the leak", over="20 seeds")
def sharing_out_again_closes_it():
    """Test the erased weights for leaks after each row is divided by what is left of it."""

    def way_1(scores):
        kept = ATTEMPTS["erased"](scores)
        return kept / kept.sum(dim=-1, keepdim=True)

    closed = sum(properties.no_leak(attending(way_1, head), texts) for head, texts in heads_and_texts(20))
    return closed == 20, f"no leak in {closed} of 20"


@claim(
    "nothing-is-kept-beside-200", "In float32 the smallest number above 0 is about e to the power of -103",
    over="nine gaps", quick=True,
)  # fmt: skip
def way_1_breaks_from_some_gap_on():
    """Compute both ways on two open scores beside a huge hidden one, and find where nan begins."""
    broken, open_keys = [], torch.tensor([True, True, False])
    for high in (5, 20, 50, 80, 100, 110, 150, 200, 1000):
        row = torch.tensor([0.0, 1.0, float(high)])
        kept = attention.softmax(row) * open_keys
        if (kept / kept.sum()).isnan().any():
            broken.append(high)
        if not torch.allclose(
            attention.softmax(row.masked_fill(~open_keys, -torch.inf)), torch.tensor([0.2689, 0.7311, 0.0]), atol=1e-4
        ):
            return False, f"way 2 fails beside {high}"
    return broken == [110, 150, 200, 1000], f"way 1 gives nan beside {broken}, way 2 nowhere"


@claim("it-copies-the-answer-which", "it names one of them, and is right about one time in eight", over="5 seeds")
def without_places_one_in_eight():
    """Measure the share right of a head that sees all letters but not their places."""
    shares = [trained("without places", seed)[1] for seed in range(5)]
    return all(0.10 < share < 0.15 for share in shares), " ".join(f"{share:.1%}" for share in shares)


@claim("worse-than-guessing-it-learnt", "Perfect in training, useless in use.", over="5 seeds")
def peeking_is_useless_in_use():
    """Measure the shares right in training and in use of a head that sees the future."""
    found = [trained("peeking", seed)[1:] for seed in range(5)]
    holds = all(training > 0.99 and in_use < 0.02 for training, in_use in found)
    return holds, " ".join(f"{training:.1%} and {in_use:.1%}" for training, in_use in found)


@claim("the-share-fell-from-all", "What it scores in training, it scores in use as well.", over="5 seeds")
def causal_scores_the_same_in_use():
    """Measure the shares right in training and in use of a causal head."""
    found = [trained("causal", seed)[1:] for seed in range(5)]
    holds = all(abs(training - in_use) < 0.02 and training < 0.1 for training, in_use in found)
    return holds, " ".join(f"{training:.1%} and {in_use:.1%}" for training, in_use in found)


@claim("row-n-of-the-whole", "With the causal head they are the same, row by row.", over="12 sizes")
def rows_of_the_whole_are_those_of_beginnings():
    """Compare row n of a pass over the whole text with the last row of a pass over its first n tokens."""
    gaps = {"causal": 0.0, "plain": float("inf")}
    for width in (2, 16, 128):
        for num_tokens in (2, 5, 17, 64):
            for seed in range(2):
                torch.manual_seed(seed)
                causal = attention.CausalAttention(width, width, num_tokens)
                plain = attention.SelfAttention(width, width)
                text = torch.randn(num_tokens, width)
                for name, head, worse in (("causal", causal, max), ("plain", plain, min)):
                    beginnings = torch.stack([head(text[: n + 1])[0][-1] for n in range(num_tokens)])
                    gaps[name] = worse(gaps[name], (head(text)[0] - beginnings).abs().max().item())
    holds = gaps["causal"] < 1e-5 and gaps["plain"] > 0.01
    return holds, f"causal at most {gaps['causal']:.0e} apart, without a mask at least {gaps['plain']:.2f}"


@claim("the-mask-closes-the-leak", "It brings order as well", over="20 seeds")
def the_mask_brings_order():
    """Run the permutation test and the leak test on random causal heads."""
    found = []
    for seed in range(20):
        torch.manual_seed(seed)
        head, texts = attention.CausalAttention(4, 3, 7), torch.randn(2, 5, 4)
        found.append(properties.no_leak(head, texts) and not properties.permutation_equivariant(head, texts))
    return all(found), f"{sum(found)} of 20 heads"


@claim("with-1e9-all-gaps-are", "the three hidden keys get a third each, and nothing tells you", over="seven fills")
def large_negative_fills_share_out_evenly():
    """Compute the weights of rows that are filled with one large negative number."""
    fills = (-1e3, -1e4, -1e5, -1e9, -1e20, -1e30, torch.finfo().min)
    rows = torch.stack([torch.softmax(torch.full((3,), fill), dim=-1) for fill in fills])
    return bool(torch.allclose(rows, torch.tensor(1 / 3))), f"weights from {rows.min():.4f} to {rows.max():.4f}"
