"""Claims of the notebook softmax_and_scaling that go beyond its outputs."""

import statistics
from functools import cache
from typing import NamedTuple

import torch
import torch.nn.functional as F
from claiming import claims_of
from torch import nn

from course_utils import attention, data

claim = claims_of("softmax_and_scaling")

WIDTHS = (16, 64, 256, 1024)
EVEN = torch.full((1, 16), 1 / 16)


def gradients(weights):
    """Return the gradient of each weight by each score of its row, with the notebook's formula.

    weights: (…, 1, num_keys); returns (…, num_keys, num_keys).
    """
    return weights.transpose(-2, -1) * (torch.eye(weights.shape[-1]) - weights)


def vectors(seed, width):
    """Return 500 queries (500, 1, width) with 16 keys each (500, 16, width), all numbers of variance 1."""
    torch.manual_seed(seed)
    return torch.randn(500, 1, width), torch.randn(500, 16, width)


def weights_of(seed, width, divided):
    queries, keys = vectors(seed, width)
    return attention.softmax(queries @ keys.transpose(-2, -1) * (width**-0.5 if divided else 1.0))


def saturated_share(seed, width, divided):
    sizes = gradients(weights_of(seed, width, divided)).abs().mean(dim=(-2, -1))
    return (sizes < 0.01 * gradients(EVEN).abs().mean()).float().mean().item()


MANY_KEYS = "64 times as many keys, at a width of 16"  # a rival of the width of 1024


@cache
def many_keys(seed):
    """Return 200 narrow queries (200, 1, 16), with 1024 keys each (200, 1024, 16), and their weights (200, 1, 1024)."""
    torch.manual_seed(seed)
    queries, keys = torch.randn(200, 1, 16), torch.randn(200, 1024, 16)
    return queries, keys, attention.softmax(queries @ keys.mT)


class Trained(NamedTuple):
    """The result of a training, with 3,000 fresh tokens that ask.

    losses: one for each step. right: dict from a number of steps to which tokens were answered rightly, bool (3000,).
    elsewhere: which looked most at another token than the one that carries their letter, after the last step, bool
    (3000,). stuck: which had almost no gradient at the start, bool (3000,).
    """

    losses: list
    right: dict
    elsewhere: torch.Tensor
    stuck: torch.Tensor

    def perfect(self, steps):
        return self.right[steps].float().mean().item() > 0.995

    def share(self, steps):
        return self.right[steps].float().mean().item()


@cache
def train(seed, width, scale, steps, small=False, batch=16, until=0.0, lr=0.003):
    """Train the notebook's head on its task, and return a Trained.

    steps: after which numbers of steps it is tried, a tuple. small: keep the initial weights of nn.Linear. until: the
    loss at which the training ends before its time. lr: the learning rate.
    """
    torch.manual_seed(seed)
    to_queries, to_keys, to_values = (nn.Linear(16, width, bias=False) for _ in range(3))
    read_out = nn.Linear(width, 5)
    for layer in () if small else (to_queries, to_keys):
        nn.init.normal_(layer.weight, std=0.5**0.5)
    optimizer = torch.optim.AdamW(nn.ModuleList([to_queries, to_keys, to_values, read_out]).parameters(), lr=lr)

    def answer(x):
        parts = to_queries(x[:, 5:]), to_keys(x), to_values(x)
        context_vecs, attn_weights = attention.scaled_dot_product_attention(*parts, scale=scale)
        return read_out(context_vecs), attn_weights

    fresh, losses, right = data.retrieval_batch(1000), [], {}
    with torch.no_grad():
        weights = answer(fresh.inputs)[1]
    stuck = (weights * (1 - weights)).sum(dim=-1) < 0.01 * (1 - 1 / 8)  # the sizes of a row's gradients sum to twice it
    for step in range(1, max(steps) + 1):
        examples = data.retrieval_batch(batch)
        loss = F.cross_entropy(answer(examples.inputs)[0].flatten(0, 1), examples.targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if losses[-1] < until:
            break
        if step in steps:
            with torch.no_grad():
                scores, weights = answer(fresh.inputs)
            right[step] = (scores.argmax(dim=-1) == fresh.targets).flatten()
    letters = fresh.inputs[..., :10]  # one-hot
    carriers = (letters[:, 5:] @ letters[:, :5].mT).argmax(dim=-1)  # (1000, 3)
    elsewhere = weights.argmax(dim=-1) != carriers
    return Trained(losses, right, elsewhere.flatten(), stuck.flatten())


@claim("the-variance-is-about-head", "it doubles when the width doubles", over="7 widths, 5 seeds")
def variance_doubles():
    ratios = []
    for seed in range(5):
        torch.manual_seed(seed)
        found = [
            (torch.randn(500, 1, width) @ torch.randn(500, 16, width).mT).var().item()
            for width in (8, 16, 32, 64, 128, 256, 512, 1024)
        ]
        ratios += [wide / narrow for narrow, wide in zip(found, found[1:], strict=False)]
    return all(1.7 < ratio < 2.3 for ratio in ratios), f"{min(ratios):.2f} to {max(ratios):.2f} times"


@claim("one-key-or-about-ten", "without the root, one key of 16 has nearly all the weight", over="8 seeds", apart=0.5)
def one_key_takes_all():
    for seed in range(8):
        yield [weights_of(seed, 1024, divided).amax(dim=-1).mean() for divided in (False, True)]


@claim(
    "recap-1-softmax-looks-at", "one key then takes nearly all the weight of most rows at initialisation",
    over="8 seeds", apart=0.7, rival=MANY_KEYS,
)  # fmt: skip
def one_key_takes_most_rows():
    """Yield the share of rows of width 1024 in which one key has more than 0.9, without the root and with it."""
    for seed in range(8):
        rows = [weights_of(seed, 1024, divided) for divided in (False, True)] + [many_keys(seed)[2]]
        yield [(weights.amax(dim=-1) > 0.9).float().mean() for weights in rows]


@claim(
    "saturated", "With the root none are, at any of these widths.", over="8 seeds, 11 widths", apart=0.6,
    rival=MANY_KEYS,
)  # fmt: skip
def none_is_saturated():
    for seed in range(8):
        scaled = max(saturated_share(seed, 2**power, True) for power in range(11))
        weights = many_keys(seed)[2]
        narrow = (weights * (1 - weights)).sum(dim=-1) < 0.01 * (1 - 1 / 1024)
        yield saturated_share(seed, 1024, False), scaled, narrow.float().mean()


@claim(
    "saturated", "the share is more than half with 2 keys, and falls to about one in ten with 256", over="5 seeds",
    quick=True,
)  # fmt: skip
def fewer_with_more_keys():
    shares = {}
    for seed in range(5):
        torch.manual_seed(seed)
        for num_keys in (2, 16, 256):
            weights = attention.softmax(torch.randn(500, 1, 64) @ torch.randn(500, num_keys, 64).mT).flatten(1)
            sizes = (weights * (1 - weights)).sum(dim=-1)  # the sizes of all gradients of a row sum to twice this
            shares.setdefault(num_keys, []).append((sizes < 0.01 * (1 - 1 / num_keys)).float().mean().item())
    found = "; ".join(f"{num_keys} keys: {min(found):.0%} to {max(found):.0%}" for num_keys, found in shares.items())
    return min(shares[2]) > 0.5 and min(shares[16]) > max(shares[256]) and 0.05 < max(shares[256]) < 0.16, found


@cache
def reaching(seed):
    """Return how much reaches each of 500 queries of width 1024, without the root and with it, as medians with it."""
    keys = vectors(seed, 1024)[1]
    raw, even = (
        (gradients(weights_of(seed, 1024, divided)) @ (factor * keys)).flatten(1).norm(dim=-1)
        for divided, factor in ((False, 1.0), (True, 1024**-0.5))
    )
    return raw / even.median(), even / even.median()


@claim(
    "most-get-none-a-few-get-huge-ones", "more than half of the queries get next to nothing", over="8 seeds",
    quick=True, apart=0.5, rival=MANY_KEYS,
)  # fmt: skip
def most_get_next_to_nothing():
    for seed in range(8):
        yield [(sizes < 0.01).float().mean() for sizes in (*reaching(seed), narrow_reaching(seed))]


def narrow_reaching(seed):
    """Return how much reaches each query of `many_keys` without the root, as medians with it, (200,)."""
    queries, keys, raw = many_keys(seed)

    def sizes(weights, factor):
        weights = weights.mT  # (200, 1024, 1)
        return (factor * weights * (keys - (weights * keys).sum(dim=1, keepdim=True))).flatten(1).norm(dim=-1)

    return sizes(raw, 1.0) / sizes(attention.softmax(queries @ keys.mT / 4), 1 / 4).median()


@claim("most-get-none-a-few-get-huge-ones", "there a second key comes close", over="8 seeds", quick=True, apart=0.8)
def a_second_key_comes_close():
    """Yield the share of rows whose second key has more than 0.01, where far more reaches the query and elsewhere."""
    for seed in range(8):
        second = weights_of(seed, 1024, False).topk(2).values[:, 0, 1]
        far_more = reaching(seed)[0] > 5
        yield [(second[chosen] > 0.01).float().mean() for chosen in (far_more, ~far_more)]


@claim("most-get-none-a-few-get-huge-ones", "about one in five gets far more", over="8 seeds", quick=True, apart=0.15)
def some_get_far_more():
    for seed in range(8):
        yield [(sizes > 5).float().mean() for sizes in reaching(seed)]


@claim(
    "plots-gradients-that-reach",
    "nearly half lie at the left end or beyond it, and about one",
    over="8 seeds",
    quick=True,
)  # fmt: skip
def half_below_and_a_fifth_above():
    low, high, spread = [], [], []
    for seed in range(8):
        keys = vectors(seed, 1024)[1]
        raw, even = (
            (factor * gradients(weights_of(seed, 1024, divided)) @ keys).flatten(1).norm(dim=-1)
            for divided, factor in ((False, 1.0), (True, 1024**-0.5))
        )
        low.append((raw < 1e-4).float().mean().item())
        high.append((raw > 1).float().mean().item())
        spread.append((even.max() / even.min()).item())
    holds = 0.4 < min(low) and max(low) < 0.5 and 0.15 < min(high) and max(high) < 0.26 and max(spread) < 3
    shares = f"{min(low):.0%} to {max(low):.0%} below 0.0001, {min(high):.0%} to {max(high):.0%} above 1"
    return holds, f"{shares}; with the root the largest is at most {max(spread):.1f} times the smallest"


@claim(
    "most-get-none-a-few-get-huge-ones",
    "nearly every query gets about as much as every other, at both widths (and at 16, in a separate experiment).",
    over="5 seeds, 4 widths",
)  # fmt: skip
def alike_with_the_root():
    spread = []
    for seed in range(5):
        for width in WIDTHS:
            by_query = gradients(weights_of(seed, width, True)) @ vectors(seed, width)[1] * width**-0.5
            sizes = by_query.flatten(1).norm(dim=-1)
            spread += [(sizes.quantile(part) / sizes.median()).item() for part in (0.05, 0.95)]
    return min(spread) > 0.6 and max(
        spread
    ) < 1.5, f"nine of ten lie between {min(spread):.2f} and {max(spread):.2f} medians"


@claim(
    "the-root-of-the-model",
    "a head of 64 that divides by the root of 768 needs about one and a half times as many steps",
    over="6 seeds, two starts",
)  # fmt: skip
def too_large_a_root():
    ratios = []
    for small in (False, True):
        needed = [
            [len(train(seed, 64, root**-0.5, (300,), small, batch=64, until=0.3).losses) for seed in range(6)]
            for root in (64, 768)
        ]
        ratios.append(statistics.mean(needed[1]) / statistics.mean(needed[0]))
    return all(1.35 < ratio < 1.65 for ratio in ratios), "; ".join(f"{ratio:.2f} times as many" for ratio in ratios)


OTHERS = range(100, 108)  # seeds
LONGER = 5  # how many of them are trained four times as long without the root


@cache
def without_the_root():
    return [train(seed, 256, 1.0, (150, 600) if seed < 100 + LONGER else (150,)) for seed in OTHERS]


@claim(
    "the-root-decides", "With the root every head finds all answers", over="8 other seeds", apart=3,
    rival="a third of the learning rate, without the root",
)  # fmt: skip
def root_decides():
    scaled = [train(seed, 256, 256**-0.5, (150,)) for seed in OTHERS]
    slower = [train(seed, 256, 1.0, (150,), lr=0.001) for seed in OTHERS]
    for four in (slice(0, 4), slice(4, 8)):
        yield [sum(head.perfect(150) for head in heads[four]) for heads in (scaled, without_the_root(), slower)]


@claim(
    "the-root-decides", "With four times as many steps some more get there, and some still do not",
    over=f"{LONGER} other seeds",
)  # fmt: skip
def some_get_there_later():
    shares = [(head.share(150), head.share(600)) for head in without_the_root()[:LONGER]]
    early, late = (sum(share > 0.995 for share in column) for column in zip(*shares, strict=True))
    return early < late < LONGER, "; ".join(f"{share:.2f}, then {later:.2f}" for share, later in shares)


@claim(
    "the-root-decides",
    "and got about as many wrong answers as the others",
    over="8 other seeds",
)
def no_gradient_at_first_is_no_reason():
    heads = without_the_root()
    wrong = torch.cat([~head.right[150] for head in heads])
    stuck = torch.cat([head.stuck for head in heads])
    shares = [wrong[stuck].float().mean().item(), wrong[~stuck].float().mean().item()]
    found = f"{stuck.float().mean():.0%} start stuck: {shares[0]:.1%} of these are wrong, {shares[1]:.1%} of the others"
    return abs(shares[0] - shares[1]) < 0.06, found


@claim("the-root-decides", "they look most at a wrong token", over="8 other seeds", apart=0.3)
def wrong_answers_look_elsewhere():
    for head in without_the_root():
        right = head.right[max(head.right)]
        if not right.all():
            yield [head.elsewhere[chosen].float().mean() for chosen in (~right, right)]


@claim("when-the-root-matters", "such a head learns this task faster without it", over="3 widths, 5 seeds", apart=20)
def small_start_needs_no_root():
    for width in (16, 64, 256):
        for seed in range(5):
            yield [
                len(train(seed, width, scale, (300,), True, batch=64, until=0.3).losses) for scale in (width**-0.5, 1.0)
            ]


@claim(
    "the-root-decides",
    "With it, heads of width 16 and of width 64 all find all answers within 300 steps. Without it, more than half of "
    "ten heads do at width 16, and fewer than half at width 64",
    over="2 widths, 10 seeds",
)  # fmt: skip
def narrower_heads_need_it_less():
    seeds = (*range(7001, 7006), *range(7101, 7106))
    found = {}
    for width in (16, 64):
        found[width, "with"] = all(train(seed, width, width**-0.5, (300,)).perfect(300) for seed in seeds[:5])
        found[width, "without"] = sum(train(seed, width, 1.0, (300,)).perfect(300) for seed in seeds)
    holds = found[16, "with"] and found[64, "with"] and found[64, "without"] < 5 < found[16, "without"]
    return holds, f"without the root {found[16, 'without']} of ten at 16, {found[64, 'without']} of ten at 64"
