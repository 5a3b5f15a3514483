"""`my_training_step(optimizer, compute_loss)`: one turn of the training loop."""

import torch
from torch import nn

from course_utils.checks.exercise import Exercise
from course_utils.checks.outcome import Refused


def training_step_solution(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss.item()


def cases(draw):
    yield "plain descent", draw(3), "SGD", {"lr": 0.1}
    yield "with momentum", draw(4), "SGD", {"lr": 0.05, "momentum": 0.9}
    yield "AdamW", draw(2, 3), "AdamW", {"lr": 0.1}


LOSS, BACKWARD, STEP = 1.0, 2.0, 3.0  # the events of a turn


def three_turns(answer, start, optimizer, settings):
    """Call an answer three times; return the losses, the parameter after each turn, and the events, as three tensors.

    answer: a function of an optimizer and `compute_loss`. start: the parameter's first value. optimizer: the name of a
    class in torch.optim. settings: its keyword arguments, a dict. The losses are (3,), the parameters (3, size), flat.
    The events are (num_events,), in their order: LOSS for a loss computed, BACKWARD for its gradient, STEP for a step.
    Errors: Refused if a loss is not an int or float, or if the first call takes several steps.
    """
    parameter, events, losses, path = nn.Parameter(start.clone()), [], [], []
    optimizer = getattr(torch.optim, optimizer)([parameter], **settings)
    optimizer.register_step_post_hook(lambda *_: events.append(STEP))

    def compute_loss():
        events.append(LOSS)
        loss = ((parameter - 1) ** 2).sum() * (1 + 0.1 * events.count(LOSS))  # grows, as if the batch changed
        if loss.requires_grad:
            loss.register_hook(lambda _: events.append(BACKWARD))
        return loss

    for turn in range(3):
        losses.append(plain_number(answer(optimizer, compute_loss)))
        path.append(parameter.detach().flatten().clone())
        steps, losses_computed = events.count(STEP), events.count(LOSS)
        if turn == 0 and (steps > 2 or min(steps, losses_computed) > 1):
            raise Refused(
                "One call of your function takes more than one step. It is one turn of the loop, and will be called "
                "again and again: leave the loop out."
            )
    return torch.tensor(losses), torch.stack(path), torch.tensor(events)


def plain_number(loss):
    """Return a loss as a float. Errors: Refused if it is not an int or float."""
    if loss is None:
        raise Refused("It gives nothing back: the last line should be `return loss.item()`.")
    if torch.is_tensor(loss):
        raise Refused("The loss comes back as a tensor. A plain number is asked for: `return loss.item()`.")
    if isinstance(loss, bool) or not isinstance(loss, int | float):
        template = "A plain number is asked for, and a `{type}` came back: `return loss.item()`."
        raise Refused(template, type=type(loss).__name__)
    return float(loss)


MISTAKES = """
zero-grad-on-loss: It is the optimizer that knows the parameters: `optimizer.zero_grad()`, not `loss.zero_grad()`.
    optimizer.zero_grad() ->
    loss.backward() -> loss.zero_grad() ⏎ loss.backward()
backward-on-optimizer: It is the loss that goes backward: `loss.backward()`, not `optimizer.backward()`.
    loss.backward() -> optimizer.backward()
no-zero-grad: The old gradients are still there: `backward` adds to them. Begin with `optimizer.zero_grad()`.
    optimizer.zero_grad() ->
zero-grad-late: The gradients are cleared between `backward` and `step`, which then does nothing. Clear them first.
    loss.backward() -> loss.backward() ⏎ optimizer.zero_grad()
    or
    loss.backward() -> loss.backward() ⏎ optimizer.zero_grad(set_to_none=False)
no-step: The optimizer takes no step: `optimizer.step()`, with its brackets. The order is zero, loss, backward, step.
    optimizer.step() ->
step-by-hand: The step is one of plain descent. The optimizer you were given may do more: `optimizer.step()`.
    optimizer.step() -> for group in optimizer.param_groups: ⏎     for one in group["params"]:
        ⏎         one.data -= group["lr"] * one.grad
no-backward: No gradient reaches the parameters: `loss.backward()` on the loss as it came, after `zero_grad`.
    loss.backward() ->
step-before-backward: The step comes before `backward`, without the turn's gradients. Zero, loss, backward, step.
    optimizer.zero_grad() ->
    loss.backward()…optimizer.step() -> optimizer.step() ⏎ optimizer.zero_grad() ⏎ loss.backward()
    or
    loss.backward()…optimizer.step() -> optimizer.step() ⏎ loss.backward()
step-first: The step comes first, before the loss and its gradients. The order is zero, loss, backward, step.
    optimizer.zero_grad() -> optimizer.step() ⏎ optimizer.zero_grad()
    optimizer.step() ->
loss-after: You returned a loss computed after the step. Return the one that `backward` was called on.
    return loss.item() -> return compute_loss().item()
computed-twice: The loss is computed twice in one turn, on two batches if they are random. Keep one in a variable.
    loss.backward() -> loss.backward() ⏎ loss = compute_loss()
    or
    loss = compute_loss() -> before = compute_loss().item() ⏎ loss = compute_loss()
    return loss.item() -> return before
two-backwards: `backward` meets one loss twice. In each turn, compute the loss anew and call `backward` once.
    loss.backward() -> loss.backward(retain_graph=True) ⏎ loss.backward()
no-return:
    return loss.item() -> loss.item()
brackets-missing:
    return loss.item() -> return loss.item
item-too-early: `.item()` comes too early: a number has no `backward`. Keep the loss, take its number in the `return`.
    loss = compute_loss() -> loss = compute_loss().item()
loss-not-called: `compute_loss` is a function: call it, `compute_loss()`.
    loss = compute_loss() -> loss = compute_loss
loss-cut: The loss is cut to a whole number, as by `int`. Return it as it is: `loss.item()`.
    return loss.item() -> return int(loss.item())
"""

OUTPUTS = ("losses_of_three_turns", "parameters_after_each_turn", "order_of_loss_backward_and_step")
exercise = Exercise(training_step_solution, cases, MISTAKES, outputs=OUTPUTS, observe=three_turns)
