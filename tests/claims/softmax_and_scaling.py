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


def share_without_gradient(seed, width, divided):
    sizes = gradients(weights_of(seed, width, divided)).abs().mean(dim=(-2, -1))
    return (sizes < 0.01 * gradients(EVEN).abs().mean()).float().mean().item()


class Trained(NamedTuple):
    """The result of a training.

    losses: one for each step. right: the share of 3,000 answers that are right. stuck_at_first: the share of askers
    with almost no gradient at the start. stuck_wrong: the same at the end, among those whose answer is wrong.
    """

    losses: list
    right: float
    stuck_at_first: float
    stuck_wrong: float


@cache
def train(seed, width, scale, steps, small=False, batch=64):
    """Train the notebook's head on its task, and return a Trained. small: keep the initial weights of nn.Linear."""
    torch.manual_seed(seed)
    to_queries, to_keys, to_values = (nn.Linear(16, width, bias=False) for _ in range(3))
    read_out = nn.Linear(width, 5)
    for layer in () if small else (to_queries, to_keys):
        nn.init.normal_(layer.weight, std=0.5**0.5)
    optimizer = torch.optim.AdamW(nn.ModuleList([to_queries, to_keys, to_values, read_out]).parameters(), lr=0.003)

    def answer(x):
        parts = to_queries(x[:, 5:]), to_keys(x), to_values(x)
        context_vecs, attn_weights = attention.scaled_dot_product_attention(*parts, scale=scale)
        return read_out(context_vecs), attn_weights

    def stuck(x):
        """Return which askers get almost no gradient; the sizes of a row's gradients sum to that of 2 w (1 - w)."""
        weights = answer(x)[1].detach()
        return (2 * weights * (1 - weights)).sum(dim=-1) < 0.01 * 2 * (1 - 1 / 8)

    fresh, losses = data.retrieval_batch(1000), []
    at_first = stuck(fresh.inputs).float().mean().item()
    for _ in range(steps):
        examples = data.retrieval_batch(batch)
        loss = F.cross_entropy(answer(examples.inputs)[0].flatten(0, 1), examples.targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    right = answer(fresh.inputs)[0].argmax(dim=-1) == fresh.targets
    wrong = stuck(fresh.inputs)[~right].float().mean().item()
    return Trained(losses, right.float().mean().item(), at_first, wrong)


def steps_needed(losses):
    """Return the step at which the loss is first below 0.3, or the number of all steps if it never is."""
    return next((step for step, loss in enumerate(losses) if loss < 0.3), len(losses))


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


@claim("one-key-or-about-ten", "without the root, one key of 16 has nearly all the weight", over="8 seeds")
def one_key_takes_all():
    largest = [weights_of(seed, 1024, False).amax(dim=-1).mean().item() for seed in range(8)]
    return min(largest) > 0.9, f"on average it has {min(largest):.2f} to {max(largest):.2f}"


@claim("saturated", "With the root none do, at any width.", over="8 seeds, 11 widths", quick=True)
def none_without_gradient():
    shares = [share_without_gradient(seed, 2**power, True) for seed in range(8) for power in range(11)]
    without = [share_without_gradient(seed, 1024, False) for seed in range(8)]
    found = f"at most {max(shares):.1%} with it; at width 1024 without it {min(without):.0%} to {max(without):.0%}"
    return max(shares) == 0 and 0.65 < min(without) and max(without) < 0.8, found


@claim(
    "most-get-none-a-few-get-huge-ones", "most queries get next to none, and a few get huge ones", over="8 seeds",
    quick=True,
)  # fmt: skip
def few_get_huge_gradients():
    sizes = {}
    for divided in (False, True):
        factor = 1024**-0.5 if divided else 1.0
        by_query = [factor * gradients(weights_of(seed, 1024, divided)) @ vectors(seed, 1024)[1] for seed in range(8)]
        sizes[divided] = [rows.flatten(1).norm(dim=-1) for rows in by_query]
    low = max((raw.median() / even.median()).item() for raw, even in zip(sizes[False], sizes[True], strict=True))
    mean = min((raw.mean() / even.mean()).item() for raw, even in zip(sizes[False], sizes[True], strict=True))
    high = min((raw.max() / even.max()).item() for raw, even in zip(sizes[False], sizes[True], strict=True))
    found = (
        f"of those with the root: the median at most {low:.2%}, the mean at least {mean:.1f}, the largest {high:.0f}"
    )
    return low < 0.02 and mean > 2 and high > 20, f"{found} times"


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
    "With the root nearly every query gets about as much as every other, at both widths (and at 16, beside this page).",
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
            [steps_needed(train(seed, 64, root**-0.5, 200, small).losses) for seed in range(6)] for root in (64, 768)
        ]
        ratios.append(statistics.mean(needed[1]) / statistics.mean(needed[0]))
    return all(1.35 < ratio < 1.65 for ratio in ratios), "; ".join(f"{ratio:.2f} times as many" for ratio in ratios)


@claim(
    "the-root-decides", "With the root every head finds all answers. Without it few do, if any.", over="8 other seeds"
)
def root_decides():
    shares = {
        name: [f"{train(seed, 256, scale, 150, batch=16).right:.2f}" for seed in range(100, 108)]
        for name, scale in (("with", 256**-0.5), ("without", 1.0))
    }
    wrong = sum(float(share) < 0.9 for share in shares["without"])
    found = "; ".join(f"{name} {' '.join(found)}" for name, found in shares.items())
    return set(shares["with"]) == {"1.00"} and wrong >= 3, found


@claim("when-the-root-matters", "such a head learns this task faster without it", over="5 seeds, 3 widths")
def small_start_needs_no_root():
    found = []
    for width in (16, 64, 256):
        needed = [
            [steps_needed(train(s, width, scale, 200, True).losses) for s in range(5)] for scale in (1.0, width**-0.5)
        ]
        found.append((width, max(needed[0]), min(needed[1])))
    words = "; ".join(
        f"width {width}: at most {without} steps, with the root at least {least}" for width, without, least in found
    )
    return all(without < least for _, without, least in found), words


@claim(
    "the-root-decides", "after the training most of the wrong answers come from such tokens. They are stuck.",
    over="8 other seeds",
)  # fmt: skip
def wrong_answers_are_stuck():
    heads = [train(seed, 256, 1.0, 150, batch=16) for seed in range(100, 108)]
    first = [head.stuck_at_first for head in heads]
    wrong = sum(1 - head.right for head in heads)
    stuck = sum(head.stuck_wrong * (1 - head.right) for head in heads if head.right < 1) / wrong
    found = f"{min(first):.0%} to {max(first):.0%} stuck at the start; of all wrong answers {stuck:.0%}"
    return 0.35 < min(first) and max(first) < 0.7 and stuck > 0.55, found


@claim(
    "when-the-root-matters",
    "heads of width 16, 64 and 1024 learn this task too, all within 300 steps, the narrower the slower",
    over="3 widths, 3 seeds each",
)  # fmt: skip
def one_start_serves_all_widths():
    shares = [train(seed, width, width**-0.5, 300, batch=16).right for width in (16, 64, 1024) for seed in range(3)]
    early = [sum(train(seed, width, width**-0.5, 60, batch=16).right for seed in range(3)) for width in (16, 64, 1024)]
    found = f"after 300 steps at least {min(shares):.3f}; after 60, by width: {' '.join(f'{x / 3:.2f}' for x in early)}"
    return min(shares) > 0.995 and early == sorted(early), found
