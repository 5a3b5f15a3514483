"""The exercise of notebook 03 that asks for one step of training."""

import torch
from torch import nn

from . import steps
from .legacy import Exercise
from .outcome import Refused

notebook_matrix = torch.tensor([[0.2961, 0.5166], [0.2517, 0.6886]])  # lies about in the notebook


def step_once(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss.item()


def step_cases(draw):
    yield "plain descent", draw(3), "SGD", {"lr": 0.1}
    yield "with momentum", draw(4), "SGD", {"lr": 0.05, "momentum": 0.9}
    yield "AdamW", draw(2, 3), "AdamW", {"lr": 0.1}


def three_steps(answer, start, optimizer, settings):
    """Returns the losses (3,) that came back, the parameter after each step (3, ...), and how often a loss was made."""
    parameter, calls, losses, path = nn.Parameter(start.clone()), [], [], []
    optimizer = getattr(torch.optim, optimizer)([parameter], **settings)

    def compute_loss():
        calls.append(1)
        return ((parameter - 1) ** 2).sum() * (1 + 0.1 * len(calls))

    for _ in range(3):
        losses.append(plain_number(answer(optimizer, compute_loss)))
        path.append(parameter.detach().flatten().clone())
    return torch.tensor(losses), torch.stack(path), torch.tensor([float(len(calls))])


def plain_number(loss):
    if loss is None:
        raise Refused("It gives nothing back: the last line should be `return loss.item()`.")
    if torch.is_tensor(loss):
        raise Refused(
            "The loss comes back as a tensor, with all its notes for training. A number is asked for: `.item()`."
        )
    if isinstance(loss, bool) or not isinstance(loss, int | float):
        raise Refused(f"A plain number is asked for, and a `{type(loss).__name__}` came back: `return loss.item()`.")
    return float(loss)


training_step = Exercise(
    "training_step", step_once, step_cases, observe=three_steps,
    outputs=("losses_of_three_steps", "parameters_after_each_step", "number_of_losses_made"),
)  # fmt: skip


@training_step.mistake(
    "no-zero-grad",
    "The old gradients are still there: `backward` adds to them. Begin with `optimizer.zero_grad()`.",
)
def _(optimizer, compute_loss):
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss.item()


@training_step.mistake(
    "zero-grad-late",
    "The gradients are cleared between `backward` and `step`, so the step does nothing. Clear them first of all.",
)
def _(optimizer, compute_loss):
    loss = compute_loss()
    loss.backward()
    optimizer.zero_grad(set_to_none=False)
    optimizer.step()
    return loss.item()


@training_step.mistake(
    "no-step",
    "Nothing moves: either `loss.backward()` or `optimizer.step()` is missing. The order is zero, loss, backward, "
    "step.",
)
def _(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    return loss.item()


@training_step.mistake(
    "step-before-backward",
    "The step comes before `backward`, and uses the gradients of the last turn: exchange the two lines.",
)
def _(optimizer, compute_loss):
    loss = compute_loss()
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()
    return loss.item()


@training_step.mistake(
    "loss-after", "You returned the loss after the step. Return the one that `backward` was called on."
)
def _(optimizer, compute_loss):
    step_once(optimizer, compute_loss)
    return compute_loss().item()


@training_step.mistake(
    "computed-twice",
    "The loss is computed twice in one turn. With random batches that is a second batch: keep the first in a variable.",
)
def _(optimizer, compute_loss):
    optimizer.zero_grad()
    compute_loss().backward()
    loss = compute_loss().item()
    optimizer.step()
    return loss


@training_step.mistake("two-steps", "The optimizer steps twice on one gradient. One `optimizer.step()` is enough.")
def _(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    optimizer.step()
    return loss.item()


@training_step.mistake("loss-as-tensor", "The loss comes back as a tensor: return `loss.item()`.")
def _(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss


@training_step.mistake("no-return", "It gives nothing back: the last line should be `return loss.item()`.")
def _(optimizer, compute_loss):
    step_once(optimizer, compute_loss)


@training_step.mistake(
    "detached", "There is no gradient to send back: call `backward` on the loss itself, and take `.item()` afterwards."
)
def _(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss().detach()
    loss.backward()
    optimizer.step()
    return loss.item()


@training_step.mistake("loss-not-called", "`compute_loss` is a function: call it, `compute_loss()`.")
def _(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss
    loss.backward()
    optimizer.step()
    return loss.item()


@training_step.mistake("global-leak", steps.LEAK)
def _(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = (2 * notebook_matrix - 6).square().sum()
    optimizer.step()
    return loss.item()
