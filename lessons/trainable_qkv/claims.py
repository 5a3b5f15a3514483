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

    losses, carrier, itself: lists with, for each step, the loss, and the askers' mean weight on their carrier and on
    themselves.
    """

    losses: list
    carrier: list
    itself: list
    points: float  # share of the askers of 500 examples that look most at their own carrier, at the end
    right: float  # share of right answers at the end
    right_when_even: float  # the same with all weights made equal


def parts(weights, inputs):
    """Return (each asker's weight on its own carrier, whether that is its largest, its weight on itself).

    Each is a tensor (batch, 3), the second bool. weights: (batch, 3, 8), rows of the askers. inputs: (batch, 8, 16).
    """
    own = (inputs[:, 5:, :10] @ inputs[:, :5, :10].transpose(-2, -1)).argmax(dim=-1, keepdim=True)  # (batch, 3, 1)
    on_itself = weights[..., 5:].diagonal(dim1=-2, dim2=-1)
    return weights.gather(-1, own)[..., 0], weights.argmax(dim=-1) == own[..., 0], on_itself


def examples(batch_size, change=None):
    """Return random (inputs, targets) of the task, (batch, 8, 16) and (batch, 3).

    change: "answered" writes the digit that an asker asks for into the asker as well, "any digit" a random one,
    "unmarked" sets the number that marks the askers to 0, "shuffled" hands the targets of each example to another one.
    """
    inputs, targets = data.retrieval_batch(batch_size)
    if change == "answered":
        inputs[:, 5:, 10:15] = F.one_hot(targets, 5).float()
    elif change == "any digit":
        inputs[:, 5:, 10:15] = F.one_hot(torch.randint(5, targets.shape), 5).float()
    elif change == "unmarked":
        inputs[..., 15] = 0.0
    elif change == "shuffled":
        targets = targets[torch.randperm(batch_size)]
    return inputs, targets


def at_first(seed, larger=1.0):
    """Return (head, read-out, which of its answers are right, the askers' weights) of the notebook's task at the start.

    The answers are those to 500 examples: bool (500, 3); the weights (500, 3, 8). larger: a factor on all queries and
    keys.
    """
    torch.manual_seed(seed)
    head, read_out = attention.SelfAttention(16, 12), nn.Linear(12, 5)
    with torch.no_grad():
        head.W_query.weight.mul_(larger)
        head.W_key.weight.mul_(larger)
        inputs, targets = data.retrieval_batch(500)
        context_vecs, attn_weights = head(inputs)
    return head, read_out, read_out(context_vecs[:, 5:]).argmax(dim=-1) == targets, attn_weights[:, 5:]


@cache
def trained(seed, change=None):
    """Train the notebook's head with another seed, and return a Run. change: as in `examples`."""
    head, read_out, *_ = at_first(seed)
    optimizer = torch.optim.AdamW([*head.parameters(), *read_out.parameters()], lr=0.003)
    losses, carrier, itself = [], [], []
    for _ in range(601):
        inputs, targets = examples(64, change)
        context_vecs, attn_weights = head(inputs)
        loss = F.cross_entropy(read_out(context_vecs[:, 5:]).flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        own, _, own_place = parts(attn_weights[:, 5:].detach(), inputs)
        losses.append(loss.item())
        carrier.append(own.mean().item())
        itself.append(own_place.mean().item())
    inputs, targets = examples(500, change)
    with torch.no_grad():
        context_vecs, attn_weights = head(inputs)
        even = head.W_value(inputs).mean(dim=1, keepdim=True).expand(-1, 3, -1)
        answers = [read_out(vecs).argmax(dim=-1) for vecs in (context_vecs[:, 5:], even)]
    right = [(answer == targets).float().mean().item() for answer in answers]
    points = parts(attn_weights[:, 5:], inputs)[1].float().mean().item()
    return Run(losses, carrier, itself, points, *right)


def first(numbers, holds):
    return next(step for step, number in enumerate(numbers) if holds(number))


WIDER = "one matrix for both parts, four times as wide"


def some_matrices(seed, num_tokens):
    """Return (inputs, three pairs of matrices): two different ones, one twice, a wider one twice."""
    torch.manual_seed(seed)
    inputs, narrow, other, wide = torch.randn(num_tokens, 3), torch.randn(3, 2), torch.randn(3, 2), torch.randn(3, 8)
    return inputs, [(narrow, other), (narrow, narrow), (wide, wide)]


@claim(
    "one-matrix-between-the-inputs", "Two different matrices let dog score big high without big scoring dog high",
    over="20 seeds", quick=True, apart=0.1, rival=WIDER,
)  # fmt: skip
def two_matrices_are_not_symmetric():
    """Yield how far the scores of random inputs are from symmetric, with two matrices and with one for both parts."""
    for seed in range(20):
        inputs, pairs = some_matrices(seed, 5)
        tables = [inputs @ first_matrix @ (inputs @ second).transpose(0, 1) for first_matrix, second in pairs]
        yield [(scores - scores.transpose(0, 1)).abs().max() for scores in tables]


@claim(
    "one-matrix-between-the-inputs", "They can also give a token a score below 0 with itself", over="20 seeds",
    quick=True, apart=-0.1, rival=WIDER,
)  # fmt: skip
def two_matrices_score_a_token_below_0():
    """Yield the lowest score of 100 random tokens with themselves, with two matrices and with one for both parts."""
    for seed in range(20):
        inputs, pairs = some_matrices(seed, 100)
        yield [((inputs @ first_matrix) * (inputs @ second)).sum(dim=-1).min() for first_matrix, second in pairs]


@claim("like-guessing", "The row is nearly even, about an eighth for each", over="5 seeds", quick=True)
def starts_even():
    weights = torch.stack([at_first(seed)[3] for seed in SEEDS])
    low, high = weights.min().item(), weights.max().item()
    return 0.08 < low and high < 0.18, f"every weight of 500 examples lies between {low:.3f} and {high:.3f}"


@claim(
    "like-guessing", "The matrices start small, and a token has only two ones, so the scores are all close to 0.",
    over="5 seeds", quick=True, apart=-0.2, rival="small matrices and tokens of 16 random numbers",
)  # fmt: skip
def small_matrices_start_even():
    """Yield the largest weight of 500 examples with the start of nn.Linear, and with ten times that start."""
    for seed in SEEDS:
        head, *_, weights = at_first(seed)
        full = head(torch.randn(500, 8, 16))[1].detach()
        yield weights.max(), at_first(seed, larger=10)[3].max(), full.max()


@claim("like-guessing", "no better than guessing", over="5 seeds", quick=True)
def starts_guessing():
    shares = [at_first(seed)[2].float().mean().item() for seed in SEEDS]
    return 0.15 < min(shares) and max(shares) < 0.25, f"{min(shares):.2f} to {max(shares):.2f} are right"


def right_without_digits(seed, drawn_anew):
    """Train the notebook's head for 300 steps; return the share right when no carrier shows its digit, 0 to 1.

    drawn_anew: whether each example draws its digits, as the page's do; else the digit of a mark is always the same.
    """
    head, read_out, *_ = at_first(seed)
    optimizer = torch.optim.AdamW([*head.parameters(), *read_out.parameters()], lr=0.003)

    def batch(batch_size):
        inputs, targets = data.retrieval_batch(batch_size)
        if not drawn_anew:
            digits = inputs[..., :10].argmax(dim=-1) % 5
            inputs[:, :5, 10:15] = F.one_hot(digits[:, :5], 5).float()
            targets = digits[:, 5:]
        return inputs, targets

    for _ in range(300):
        inputs, targets = batch(64)
        loss = F.cross_entropy(read_out(head(inputs)[0][:, 5:]).flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    inputs, targets = batch(1000)
    inputs[..., 10:15] = 0.0
    return (read_out(head(inputs)[0][:, 5:]).argmax(dim=-1) == targets).float().mean().item()


@claim("the-head-is-the-course", "is drawn anew each time, so nothing can be memorised", over="5 seeds", apart=-0.6)
def digits_drawn_anew_are_not_learnt():
    """Yield the share right without the carriers' digits, for digits drawn anew in training and for fixed ones."""
    for seed in SEEDS:
        yield right_without_digits(seed, True), right_without_digits(seed, False)


@claim("at-step-0-each-asker", "from about 1.5 to about 0.1", over="5 seeds")
def falls_in_a_hundred_steps():
    took = []
    for seed in SEEDS:
        losses = trained(seed).losses
        took.append(first(losses, lambda loss: loss < 0.2) - first(losses, lambda loss: loss < 1.4))
    return 60 < min(took) and max(took) < 140, f"from 1.4 to 0.2 in {min(took)} to {max(took)} steps"


@claim(
    "each-asker-finds-its-carrier",
    "Each asker ends at the one carrier of its own mark, with about 0.8 of its attention.",
    over="5 seeds, 500 examples each",
)  # fmt: skip
def each_finds_its_carrier():
    runs = [trained(seed) for seed in SEEDS]
    points, weights = min(run.points for run in runs), [run.carrier[-1] for run in runs]
    right, losses = min(run.right for run in runs), [run.losses[-1] for run in runs]
    found = f"at least {points:.1%} look most at it, with {min(weights):.2f} to {max(weights):.2f}; "
    found += f"at least {right:.1%} are right, the loss is at most {max(losses):.3f}"
    return min(points, right) > 0.99 and min(weights) > 0.7 and max(weights) < 0.9 and max(losses) < 0.05, found


@claim(
    "each-asker-finds-its-carrier",
    "Looking there would not bring the right digit, and its last number, 1, tells it from a carrier.",
    over="3 seeds", apart=-0.2, rival="a last number of 0 for all",
)  # fmt: skip
def askers_are_left_alone():
    """Yield an asker's weight on itself as on the page, and where it carries the digit that it asks for."""
    for seed in SEEDS[:3]:
        yield [trained(seed, change).itself[-1] for change in (None, "answered", "unmarked")]


@claim(
    "each-asker-finds-its-carrier",
    "With the right digit in the askers as well, each looked at itself with about half of its attention; with a random "
    "digit, as little as before; with a last number of 0 for all, with about a third.",
    over="3 seeds", apart=0.3,
)  # fmt: skip
def any_digit_does_not_do():
    """Yield an asker's weight on itself where it carries the digit that it asks for, and where a random one."""
    for seed in SEEDS[:3]:
        yield [trained(seed, change).itself[-1] for change in ("answered", "any digit")]


@claim(
    "at-step-0-each-asker", "Finding the right carrier is what makes the answers right.", over="5 seeds", apart=0.4,
    rival="a nonlinear read-out of even weights and of the asker",
)  # fmt: skip
def even_weights_answer_wrong():
    """Yield the share of right answers with the weights of the trained head, and with even weights in their place."""
    for seed in SEEDS:
        yield trained(seed).right, trained(seed).right_when_even, right_from_even_weights(seed)


def right_from_even_weights(seed):
    """Train values and a nonlinear read-out for 1,202 steps, with even weights; return its share of right answers.

    The read-out is given the mean of the values, and the inputs of the asker.
    """
    torch.manual_seed(seed)
    to_values = nn.Linear(16, 12, bias=False)
    read_out = nn.Sequential(nn.Linear(28, 64), nn.ReLU(), nn.Linear(64, 5))
    optimizer = torch.optim.AdamW([*to_values.parameters(), *read_out.parameters()], lr=0.003)

    def answer(inputs):
        means = to_values(inputs).mean(dim=1, keepdim=True).expand(-1, 3, -1)
        return read_out(torch.cat([means, inputs[:, 5:]], dim=-1))

    for _ in range(1202):
        inputs, targets = examples(64)
        loss = F.cross_entropy(answer(inputs).flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    inputs, targets = examples(500)
    return (answer(inputs).argmax(dim=-1) == targets).float().mean().item()


@claim(
    "recap-1-three-matrices-give",
    "gradient descent on the cross-entropy (negative log-likelihood) of the answers alone teaches a head where to "
    "look",
    over="3 seeds", apart=0.5, rival="answers of other examples",
)  # fmt: skip
def answers_teach_where_to_look():
    """Yield the share of askers that look most at their carrier: trained, untrained, and trained on other answers."""
    for seed in SEEDS[:3]:
        inputs, _ = examples(500)
        untrained = parts(at_first(seed)[0](inputs)[1][:, 5:], inputs)[1].float().mean()
        yield trained(seed).points, untrained, trained(seed, "shuffled").points


@claim("at-step-0-each-asker", "in just these steps the loss falls", over="5 seeds")
def loss_falls_with_the_finding():
    """Compare the step at which the loss is halved with that at which the right carrier has half of its final gain."""
    apart = []
    for seed in SEEDS:
        run = trained(seed)
        found = [weight > (0.125 + run.carrier[-1]) / 2 for weight in run.carrier]
        apart.append(found.index(True) - first(run.losses, lambda loss: loss < 0.8))
    return max(map(abs, apart)) < 30, f"half found and half the loss are {min(apart)} to {max(apart)} steps apart"
