"""Claims of the notebook several_heads that go beyond its outputs."""

import functools

import torch
from claiming import claims_of, definitions

from course_utils import data

claim = claims_of("several_heads")

SEEDS = range(5)
MEANT = {"weak": "robot", "steep": "hill", "sleepy": "cat", "deep": "river", "wide": "piano", "narrow": "door"}
NOUNS = {"robot", "hill", "cat", "river", "piano", "door"}


def defined(*ids, seed):
    """Return what cells of the notebook define, a namespace, with another seed for its trainings."""
    reseeded = f"torch.manual_seed({seed})"
    return definitions("several_heads", *ids, change=lambda source: source.replace("torch.manual_seed(0)", reseeded))


@functools.cache
def tried(reader, num_heads, seed):
    """Train a layer as the notebook does; return its shares right (first digit, second, both) and the heads' weights.

    reader: the name of the read-out, "linear" or "feed_forward". The weights have a row for each head, and a column for
    each of the two marks.
    """
    page = defined("def-train-finder-of-two", "def-try-out", "train-with-feed-forward", seed=seed)
    right, on_asked = page.try_out(*page.train_finder(num_heads, getattr(page, reader)))
    first, second = right.float().mean(dim=(0, 1)).tolist()
    return first, second, right.all(dim=-1).float().mean().item(), on_asked


def joined(numbers):
    return " ".join(f"{number:.2f}" for number in numbers)


@claim("same-width-same-training", "one head fails, two heads do it", over="5 seeds")
def two_heads_and_one():
    one, two = ([tried("linear", num_heads, seed)[2] for seed in SEEDS] for num_heads in (1, 2))
    return max(one) < 0.4 and min(two) > 0.98, f"both digits right: {joined(one)} with one head, {joined(two)} with two"


@claim(
    "each-head-has-a-mark",
    "at one a little more than at the other. That one's digit is right, the other is little better than a guess.",
    over="5 seeds",
)  # fmt: skip
def one_head_serves_one_question():
    holds, found = [], []
    for seed in SEEDS:
        first, second, _, on_asked = tried("linear", 1, seed)
        shares, right = on_asked[0].tolist(), (first, second)
        more = shares.index(max(shares))
        holds.append(right[more] > 0.95 and right[1 - more] < 0.4 and 0 < shares[more] - shares[1 - more] < 0.15)
        found.append(f"weights {joined(shares)}, right {joined(right)}")
    return all(holds), "; ".join(found)


@claim("each-head-has-a-mark", "which head takes which mark depends on the random start", over="5 seeds")
def each_head_takes_one_mark():
    on_asked = [tried("linear", 2, seed)[3] for seed in SEEDS]
    taken = [tuple(table.argmax(dim=-1).tolist()) for table in on_asked]
    apart = all(table.max(dim=-1).values.min() > 0.6 and table.min(dim=-1).values.max() < 0.3 for table in on_asked)
    return apart and set(taken) == {(0, 1), (1, 0)}, f"the marks of heads 0 and 1: {taken}"


@claim(
    "one-head-asks-who-the",
    "In all six, head 8 looks most at the adjective, and head 1 at one of the two nouns: in five of them at the "
    "one that is meant.",
    over="6 sentences", quick=True,
)  # fmt: skip
def the_two_heads_in_six_sentences():
    most = {}
    for adjective, sentence in data.load("sentence_pairs").items():
        rows = sentence.attn_weights[3, :, sentence.tokens.index("it")]
        most[adjective] = tuple(sentence.tokens[rows[head].argmax()] for head in (1, 8))
    at_adjective = all(said == adjective for adjective, (_, said) in most.items())
    meant = sum(noun == MEANT[adjective] for adjective, (noun, _) in most.items())
    return at_adjective and meant == 5 and {noun for noun, _ in most.values()} <= NOUNS and len(most) == 6, str(most)


@claim("two-thirds-to-one-third", "It gets all of them, or nearly.", over="5 seeds")
def a_feed_forward_reader():
    both = [tried("feed_forward", 1, seed)[2] for seed in SEEDS]
    return min(both) > 0.98, f"both digits right: {joined(both)}"


@claim("two-thirds-to-one-third", "about two thirds on one mark, a quarter to a third on the other", over="5 seeds")
def shares_of_the_bent_reader():
    shares = [sorted(tried("feed_forward", 1, seed)[3][0].tolist()) for seed in SEEDS]
    holds = all(0.2 < less < 0.4 and 0.55 < more < 0.75 for less, more in shares)
    return holds, "; ".join(map(joined, shares))


@claim(
    "right-and-no-head-that-points",
    "With 12 narrow heads nearly all of the digits are right, and none of the heads points.", over="3 seeds",
)  # fmt: skip
def narrow_heads():
    right, best = pointing(12, range(3))
    return min(right) > 0.94 and max(best) < 0.35, f"right {joined(right)}; the best head points {joined(best)}"


@claim(
    "that-is-what-heads-of",
    "of six heads of width 2, in five trainings beside this page, the best one pointed at the right carrier "
    "about half of the time",
    over="5 seeds",
)  # fmt: skip
def heads_of_width_two():
    right, best = pointing(6, SEEDS)
    return all(0.4 < share < 0.65 for share in best), f"right {joined(right)}; the best head points {joined(best)}"


def pointing(num_heads, seeds):
    """Train layers as the notebook does; return the shares of digits right, and how often each one's best head points.

    A head points if its largest weight is on the right carrier.
    """
    right, best = [], []
    for seed in seeds:
        page = defined("def-train-narrow", seed=seed)
        finder, read_out = page.train_on_one_mark(num_heads)
        torch.manual_seed(1)
        fresh = data.retrieval_batch(1000)
        marks = fresh.inputs[..., :10]
        carrier = (marks[:, 5:] @ marks[:, :5].transpose(-2, -1)).argmax(dim=-1)
        with torch.no_grad():
            vecs, weights = finder(fresh.inputs)
            right.append((read_out(vecs[:, 5:]).argmax(dim=-1) == fresh.targets).float().mean().item())
        hits = weights[:, :, 5:].argmax(dim=-1) == carrier[:, None]
        best.append(hits.float().mean(dim=(0, 2)).max().item())
    return right, best
