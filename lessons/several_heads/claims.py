"""Claims of the notebook several_heads that go beyond its outputs."""

import functools

import torch
from claiming import claims_of, definitions
from torch import nn

from course_utils import attention, data

claim = claims_of("several_heads")

SEEDS = range(5)
MEANT = {"weak": "robot", "steep": "hill", "sleepy": "cat", "deep": "river", "wide": "piano", "narrow": "door"}
NOUNS = {"robot", "hill", "cat", "river", "piano", "door"}


def defined(*ids, seed, steps=601):
    """Return what cells of the notebook define, a SimpleNamespace, with another seed and number of training steps.

    ids: of the cells. seed: in place of the page's 0. steps: of each training.
    """

    def change(source):
        return source.replace("torch.manual_seed(0)", f"torch.manual_seed({seed})").replace("(601,", f"({steps},")

    return definitions("several_heads", *ids, change=change)


@functools.cache
def trained(reader, num_heads, seed, steps=601):
    """Train a layer as the notebook does; return (the notebook's definitions, a namespace; the layer; its read-out).

    reader: the name of the read-out, "linear" or "feed_forward". The result is cached.
    """
    page = defined("def-train-finder-of-two", "def-try-out", "train-with-feed-forward", seed=seed, steps=steps)
    return page, *page.train_finder(num_heads, getattr(page, reader))


def tried(reader, num_heads, seed, steps=601):
    """Return (share of first digits right, of second digits, of both, weights of the heads) of a trained layer.

    The weights are a tensor (num_heads, 2), with a column for each of the two marks. Parameters: as for `trained`.
    """
    page, finder, read_out = trained(reader, num_heads, seed, steps)
    right, on_asked = page.try_out(finder, read_out)
    first, second = right.float().mean(dim=(0, 1)).tolist()
    return first, second, right.all(dim=-1).float().mean().item(), on_asked


PAIRS = (
    ("read_out(vecs[:, 5:]).unflatten(-1, (2, 5))", "read_out(vecs[:, 5:])"),
    (
        "F.cross_entropy(digit_scores.flatten(0, 2), train.targets.flatten())",
        "F.cross_entropy(digit_scores.flatten(0, 1), (train.targets @ torch.tensor([5, 1])).flatten())",
    ),
)


@functools.cache
def pairs_right(seed):
    """Train the one head with one linear layer of 25 scores, one for each pair; return the accuracy on both digits."""

    def change(source):
        for old, new in (*PAIRS, ("torch.manual_seed(0)", f"torch.manual_seed({seed})")):
            source = source.replace(old, new)
        return source

    found = definitions("several_heads", "def-train-finder-of-two", "def-try-out", change=change)
    finder, read_out = found.train_finder(1, lambda: nn.Linear(12, 25))
    with torch.no_grad():
        pairs = read_out(finder(found.fresh.inputs)[0][:, 5:]).argmax(dim=-1)
    return (pairs == found.fresh.targets @ torch.tensor([5, 1])).float().mean().item()


def other_right(seed, read_out, width=12):
    """Return the accuracy on both digits of one head of another width or with another read-out, a function."""
    page = definitions(
        "several_heads", "def-train-finder-of-two", "def-try-out",
        change=lambda source: source.replace("(26, 12,", f"(26, {width},").replace("_seed(0)", f"_seed({seed})"),
    )  # fmt: skip
    return page.try_out(*page.train_finder(1, read_out))[0].all(dim=-1).float().mean().item()


@functools.cache
def two_linear_layers(seed):
    """Return the accuracy with the page's feed-forward read-out without its ReLU: as wide, and linear."""
    return other_right(seed, lambda: nn.Sequential(nn.Linear(12, 64), nn.Linear(64, 10)))


def joined(numbers):
    return " ".join(f"{number:.2f}" for number in numbers)


@claim(
    "same-width-same-training", "with this read-out one head fails, two heads do it", over="5 seeds", apart=0.5,
    rival="one head twice as wide",
)  # fmt: skip
def two_heads_and_one():
    """Yield the share of askers with both digits right: with two heads, with one, and with one of width 24."""
    for seed in SEEDS:
        wide = other_right(seed, lambda: nn.Linear(24, 10), width=24)
        yield tried("linear", 2, seed)[2], tried("linear", 1, seed)[2], wide


@claim(
    "each-head-has-a-mark",
    "at one a little more than at the other. That one's digit is right; the other is wrong more often than "
    "right", over="5 seeds",
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


@claim(
    "each-head-has-a-mark",
    "the other is wrong more often than right, even after four times the training",
    over="3 seeds",
)
def one_head_trained_for_longer():
    worse = [min(tried("linear", 1, seed, steps=2404)[:2]) for seed in range(3)]
    return max(worse) < 0.5, f"right: {joined(worse)}"


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


@claim(
    "two-thirds-to-one-third", "It gets all of them, or nearly.", over="5 seeds", apart=0.5,
    rival="two linear layers of that width, without the nonlinearity",
)  # fmt: skip
def a_feed_forward_read_out():
    """Yield the share of askers with both digits right: with a feed-forward read-out, a linear one, and the rival."""
    for seed in SEEDS:
        yield tried("feed_forward", 1, seed)[2], tried("linear", 1, seed)[2], two_linear_layers(seed)


@claim(
    "two-thirds-to-one-third", "one linear layer with a score for each of the 25 pairs gets all of them right, too",
    over="5 seeds", apart=0.5, rival="two linear layers of 64 numbers, five scores for each digit",
)  # fmt: skip
def a_score_for_each_pair():
    """Yield the accuracy on both digits: with 25 scores, with five for each digit, and with more numbers for these."""
    for seed in SEEDS:
        right = pairs_right(seed)
        yield (right, tried("linear", 1, seed)[2], two_linear_layers(seed)) if right > 0.97 else (0, 0, 0)


@claim("two-thirds-to-one-third", "The row carries the order in its weights", over="5 seeds", apart=0.3)
def the_order_is_in_the_shares():
    """Yield the share of askers with both digits right: with the weights as they are, and with equal ones.

    The weights on the two carriers are replaced by their mean. Where they are exchanged instead, the digits must come
    out exchanged.
    """
    for seed in SEEDS:
        page, finder, read_out = trained("feed_forward", 1, seed)
        inputs, targets = page.fresh.inputs, page.fresh.targets
        carriers = torch.stack([page.first_carriers, page.second_carriers], dim=2).argmax(dim=-1)  # (1000, 3, 2)
        with torch.no_grad():
            weights, values = finder(inputs)[1][:, 0, 5:], finder.W_value(inputs)
            on_asked = weights.gather(-1, carriers)
            variants = [on_asked, on_asked.mean(dim=-1, keepdim=True).expand_as(on_asked), on_asked.flip(-1)]
            rows = [finder.out_proj(weights.scatter(-1, carriers, shares) @ values) for shares in variants]
            digits = [read_out(row).unflatten(-1, (2, 5)).argmax(dim=-1) for row in rows]
        as_it_is, evened, exchanged = (
            (found == wanted).all(dim=-1).float().mean().item()
            for found, wanted in zip(digits, (targets, targets, targets.flip(-1)), strict=True)
        )
        yield (as_it_is, evened) if exchanged > 0.97 and 0.45 < evened < 0.6 else (0, 0)


@claim("two-thirds-to-one-third", "about two thirds on one mark, a quarter to a third on the other", over="5 seeds")
def weights_under_the_nonlinear_read_out():
    shares = [sorted(tried("feed_forward", 1, seed)[3][0].tolist()) for seed in SEEDS]
    holds = all(0.2 < less < 0.4 and 0.55 < more < 0.75 for less, more in shares)
    return holds, "; ".join(map(joined, shares))


@claim(
    "right-and-no-head-that-points",
    "With 12 narrow heads nearly all of the digits are right, and none of the heads points.", over="3 seeds",
)  # fmt: skip
def narrow_heads():
    right, best = zip(*(pointing(12, seed) for seed in range(3)), strict=True)
    return min(right) > 0.94 and max(best) < 0.35, f"right {joined(right)}; the best head points {joined(best)}"


@claim(
    "right-and-no-head-that-points",
    "from the number of one head alone, even the best of read-outs gets about half of the digits at most",
    over="3 seeds", apart=0.4,
)  # fmt: skip
def together():
    """Yield the accuracy with all heads, and what the best read-out gets from the best head's number alone.

    That read-out knows the most frequent digit in each of 200 ranges of the number, from 60,000 other askers.
    """
    for seed in range(3):
        finder, _ = trained_narrow(12, seed)
        numbers, digits = zip(*(vecs_of_askers(finder, size) for size in (20_000, 5000)), strict=True)
        shares = []
        for known, new in zip(*numbers, strict=True):
            limits = known.quantile(torch.linspace(0, 1, 201)[1:-1])
            table = torch.zeros(200, 5).index_put_(
                (torch.bucketize(known, limits), digits[0]), torch.tensor(1.0), accumulate=True
            )
            shares.append((table.argmax(dim=-1)[torch.bucketize(new, limits)] == digits[1]).float().mean().item())
        yield pointing(12, seed)[0], max(shares)


@torch.no_grad()
def vecs_of_askers(finder, num_texts):
    """Return what 12 heads of width 1 give the askers of new texts, (12, askers), and the digits they want."""
    fresh = data.retrieval_batch(num_texts)
    values = attention.split_heads(finder.W_value(fresh.inputs), 12)  # (num_texts, 12, 8, 1)
    return (finder(fresh.inputs)[1] @ values)[:, :, 5:, 0].transpose(0, 1).flatten(1), fresh.targets.flatten()


@claim(
    "why-a-narrow-head-cannot", "Under a causal mask each query has ends of its own",
    over="8 seeds", apart=0.5,
)  # fmt: skip
def ends_under_a_mask():
    """Yield the share of tables of a head of width 1 with more than two winners, with a causal mask and without."""
    for seed in range(8):
        torch.manual_seed(seed)
        texts = torch.randn(500, 8, 6)
        tables = [head(texts)[1] for head in (attention.CausalAttention(6, 1, 8), attention.SelfAttention(6, 1))]
        yield [sum(len(set(row)) > 2 for row in table.argmax(dim=-1).tolist()) / len(texts) for table in tables]


@claim(
    "recap-1-one-row-of",
    "A head of width 1 cannot point: of the keys that a query sees, it can only prefer one of two ends.",
    over="8 seeds", quick=True, apart=-0.3, rival="a head of width 12 whose scores are a hundred times smaller",
)  # fmt: skip
def two_winners_at_most():
    """Yield the fraction of tables with more than two winners: at width 1, at width 12, and there with small scores."""
    for seed in range(8):
        torch.manual_seed(seed)
        texts, narrow, wide = torch.randn(500, 8, 6), attention.SelfAttention(6, 1), attention.SelfAttention(6, 12)
        small = attention.SelfAttention(6, 12)
        small.load_state_dict({name: weight / 10 for name, weight in wide.state_dict().items()})
        tables = [head(texts)[1].argmax(dim=-1).tolist() for head in (narrow, wide, small)]
        yield [sum(len(set(row)) > 2 for row in table) / len(texts) for table in tables]


@claim(
    "that-is-what-heads-of",
    "of six heads of width 2, in five trainings of a separate experiment, the best one pointed at the right "
    "carrier about half of the time",
    over="5 seeds",
)  # fmt: skip
def heads_of_width_two():
    right, best = zip(*(pointing(6, seed) for seed in SEEDS), strict=True)
    return all(0.4 < share < 0.65 for share in best), f"right {joined(right)}; the best head points {joined(best)}"


@functools.cache
def trained_narrow(num_heads, seed):
    """Train a layer on one mark as the notebook does; return it and its read-out."""
    return defined("def-train-narrow", seed=seed).train_on_one_mark(num_heads)


def pointing(num_heads, seed):
    """Return the share of digits that a layer trained on one mark gets right, and how often its best head points.

    A head points if its largest weight is on the right carrier.
    """
    finder, read_out = trained_narrow(num_heads, seed)
    torch.manual_seed(1)
    fresh = data.retrieval_batch(1000)
    marks = fresh.inputs[..., :10]
    carrier = (marks[:, 5:] @ marks[:, :5].transpose(-2, -1)).argmax(dim=-1)
    with torch.no_grad():
        vecs, weights = finder(fresh.inputs)
        right = (read_out(vecs[:, 5:]).argmax(dim=-1) == fresh.targets).float().mean().item()
    hits = weights[:, :, 5:].argmax(dim=-1) == carrier[:, None]
    return right, hits.float().mean(dim=(0, 2)).max().item()
