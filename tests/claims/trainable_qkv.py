"""Claims of the notebook trainable_qkv that go beyond its outputs."""

from functools import cache
from typing import NamedTuple

import torch
import torch.nn.functional as F
from claiming import claims_of
from torch import nn

from course_utils import attention, data

claim = claims_of("trainable_qkv")

SEEDS = range(10, 15)


class Run(NamedTuple):
    """The result of a training.

    losses, carrier, others: for each step, the loss, the mean weight on the right carrier, and that on all askers.
    """

    losses: list
    carrier: list
    others: list
    points: float  # share of the askers of 500 examples that look most at their own carrier, at the end
    before: float  # share of right answers before training
    spread: tuple  # smallest and largest weight before training


def parts(weights, inputs):
    """Return the weight of each asker on its own carrier, whether that is its largest, and its weight on all askers.

    Each is (batch, 3). weights: (batch, 3, 8), the rows of the askers. inputs: (batch, 8, 16).
    """
    own = (inputs[:, 5:, :10] @ inputs[:, :5, :10].transpose(-2, -1)).argmax(dim=-1, keepdim=True)  # (batch, 3, 1)
    return weights.gather(-1, own)[..., 0], weights.argmax(dim=-1) == own[..., 0], weights[..., 5:].sum(dim=-1)


@cache
def trained(seed):
    """Train the notebook's head with another seed, and return a Run."""
    torch.manual_seed(seed)
    head, read_out = attention.SelfAttention(16, 12), nn.Linear(12, 5)
    optimizer = torch.optim.AdamW([*head.parameters(), *read_out.parameters()], lr=0.003)
    test = data.retrieval_batch(500)

    def answer(x):
        context_vecs, attn_weights = head(x)
        return read_out(context_vecs[:, 5:]), attn_weights[:, 5:]

    with torch.no_grad():
        guesses, at_first = answer(test.inputs)
    before = (guesses.argmax(dim=-1) == test.targets).float().mean().item()
    losses, carrier, others = [], [], []
    for _ in range(601):
        train = data.retrieval_batch(64)
        digit_scores, attn_weights = answer(train.inputs)
        loss = F.cross_entropy(digit_scores.flatten(0, 1), train.targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        own, _, askers = parts(attn_weights.detach(), train.inputs)
        losses.append(loss.item())
        carrier.append(own.mean().item())
        others.append(askers.mean().item())
    with torch.no_grad():
        points = parts(answer(test.inputs)[1], test.inputs)[1].float().mean().item()
    return Run(losses, carrier, others, points, before, (at_first.min().item(), at_first.max().item()))


def first(numbers, holds):
    return next(step for step, number in enumerate(numbers) if holds(number))


@claim("dog-looks-most-at-itself", "four of six words look more at another word", over="", quick=True)
def likeness_is_not_enough():
    tokens, inputs = data.load("six_tokens")
    most = attention.softmax(inputs @ inputs.transpose(0, 1)).argmax(dim=-1).tolist()
    elsewhere = [token for index, token in enumerate(tokens) if most[index] != index]
    return len(elsewhere) == 4, f"{', '.join(elsewhere)} do"


@claim(
    "one-matrix-between-the-inputs", "Only two different matrices let dog score big high without big scoring dog high",
    over="20 seeds", quick=True,
)  # fmt: skip
def two_matrices_are_not_symmetric():
    apart = []
    for seed in range(20):
        torch.manual_seed(seed)
        inputs, first_matrix, second = torch.randn(5, 3), torch.randn(3, 2), torch.randn(3, 2)
        for other in (first_matrix, second):
            scores = inputs @ first_matrix @ other.transpose(0, 1) @ inputs.transpose(0, 1)
            apart.append((scores - scores.transpose(0, 1)).abs().max().item())
    one, two = apart[::2], apart[1::2]
    return max(one) < 1e-4 and min(
        two
    ) > 0.1, f"from symmetric: one matrix {max(one):.0e} at most, two {min(two):.1f} at least"


@claim("like-guessing", "The row is nearly even, about an eighth for each", over="5 seeds")
def starts_even():
    low, high = (pick(trained(seed).spread[end] for seed in SEEDS) for end, pick in ((0, min), (1, max)))
    return 0.08 < low and high < 0.18, f"every weight of 500 examples lies between {low:.3f} and {high:.3f}"


@claim("like-guessing", "no better than guessing", over="5 seeds")
def starts_guessing():
    shares = [trained(seed).before for seed in SEEDS]
    return 0.15 < min(shares) and max(shares) < 0.25, f"{min(shares):.2f} to {max(shares):.2f} are right"


@claim("the-loss-falls", "most of the way within about a hundred steps", over="5 seeds")
def falls_in_a_hundred_steps():
    took = []
    for seed in SEEDS:
        losses = trained(seed).losses
        took.append(first(losses, lambda loss: loss < 0.2) - first(losses, lambda loss: loss < 1.4))
    return 60 < min(took) and max(took) < 140, f"from 1.4 to 0.2 in {min(took)} to {max(took)} steps"


@claim(
    "each-asker-finds-its-carrier",
    "Each asker ends at the one carrier of its own mark, with about 0.8 of its attention",
    over="5 seeds, 500 examples each",
)  # fmt: skip
def each_finds_its_carrier():
    runs = [trained(seed) for seed in SEEDS]
    points, weights = min(run.points for run in runs), [run.carrier[-1] for run in runs]
    found = f"at least {points:.1%} look most at it, with {min(weights):.2f} to {max(weights):.2f}"
    return points > 0.99 and min(weights) > 0.7 and max(weights) < 0.95, found


@claim("each-asker-finds-its-carrier", "It does not look at itself", over="5 seeds")
def askers_are_left_alone():
    weights = [trained(seed).others[-1] for seed in SEEDS]
    return max(weights) < 0.05, f"all three askers together get at most {max(weights):.3f}"


@claim("at-step-0-each-asker", "in just these steps the loss falls", over="5 seeds")
def loss_falls_with_the_finding():
    """Compare the step at which the loss is halved with that at which the right carrier has half of its final gain."""
    apart = []
    for seed in SEEDS:
        run = trained(seed)
        found = [weight > (0.125 + run.carrier[-1]) / 2 for weight in run.carrier]
        apart.append(found.index(True) - first(run.losses, lambda loss: loss < 0.8))
    return max(map(abs, apart)) < 30, f"half found and half the loss are {min(apart)} to {max(apart)} steps apart"
