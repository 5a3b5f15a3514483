"""The exercise of notebook 08 on moving to PyTorch's layer: our weights, copied into it."""

import torch
from torch import nn

from .. import attention
from .behaviours import repeats
from .legacy import Exercise


def filled(module, draw, scale=1.0):
    """The module in eval mode with numbers of ours in every parameter."""
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.copy_(draw(*parameter.shape) * scale)
    return module.eval()


def made(kind, *args, **options):
    """A module whose first, random weights leave the learner's random numbers alone."""
    with torch.random.fork_rng(devices=[]):
        return kind(*args, **options)


# ---- copy_heads: the course's weights into nn.MultiheadAttention


def copy_heads_(ours, theirs):
    layers = (ours.W_query, ours.W_key, ours.W_value)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.weight for layer in layers]))
        theirs.in_proj_bias.zero_()
        theirs.out_proj.weight.copy_(ours.out_proj.weight)
        theirs.out_proj.bias.copy_(ours.out_proj.bias)


def copying(weight=None, bias=None, out=None):
    """An answer with one of its lines replaced; each line takes (ours, theirs)."""
    lines = [
        weight or (lambda ours, theirs: theirs.in_proj_weight.copy_(stacked(ours))),
        bias or (lambda ours, theirs: theirs.in_proj_bias.zero_()),
        out or (lambda ours, theirs: theirs.out_proj.load_state_dict(ours.out_proj.state_dict())),
    ]

    def answer(ours, theirs):
        with torch.no_grad():
            for line in lines:
                line(ours, theirs)

    return answer


def stacked(ours, order="query key value", turned=False):
    weights = [getattr(ours, f"W_{name}").weight for name in order.split()]
    return torch.cat([weight.transpose(0, 1) if turned else weight for weight in weights])


def copied(answer, width, num_heads, inputs, weights):
    """PyTorch's layer with what the answer wrote into it."""
    ours = made(attention.MultiHeadAttention, width, width, num_heads)
    theirs = made(nn.MultiheadAttention, width, num_heads, batch_first=True)
    filled(ours, weights, 0.5)
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.fill_(0.5)
    answer(ours, theirs.eval())
    return ours, theirs


def run_copied(answer, width, num_heads, inputs, weights):
    _, theirs = copied(answer, width, num_heads, inputs, weights)
    return theirs(inputs, inputs, inputs, average_attn_weights=False)


def copy_cases(draw):
    for label, width, num_heads, shape in (
        ("2 texts of 5 tokens, 12 wide, 3 heads", 12, 3, (2, 5, 12)),
        ("3 texts of 4 tokens, 6 wide, 2 heads", 6, 2, (3, 4, 6)),
        ("one head", 5, 1, (2, 3, 5)),
        ("a batch of one, a single token", 8, 4, (1, 1, 8)),
    ):
        yield label, width, num_heads, draw(*shape), type(draw)(seed=width)


def is_a_copy(exercise, answer):
    """Theirs can still be trained, ours is as it was, and they share no memory."""
    args = exercise.cases()[0].args
    ours, theirs = copied(answer, *args)
    fresh, _ = copied(lambda ours, theirs: None, *args[:3], exercise.cases()[0].args[3])
    if not all(map(torch.equal, ours.parameters(), fresh.parameters())):
        yield "input-changed", "Your code changes the weights of `ours`. Read from `ours`, write into `theirs`."
    if not all(parameter.requires_grad for parameter in theirs.parameters()):
        yield "frozen", "PyTorch's layer can no longer be trained: leave `requires_grad` as it was."
    memory = {parameter.data_ptr() for parameter in ours.parameters()}
    if memory & {parameter.data_ptr() for parameter in theirs.parameters()}:
        yield (
            "shared-memory",
            "The two modules share memory: train one, and the other changes too. Write the numbers into the layer's "
            "own parameters with `copy_`.",
        )


copy_heads = Exercise(
    "copy_heads", copy_heads_, copy_cases, outputs=("context_vecs", "attn_weights"), observe=run_copied,
    rows="attn_weights", behaviours=(is_a_copy, repeats), make=copying,
)  # fmt: skip
