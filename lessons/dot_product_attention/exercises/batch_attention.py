"""`my_batch_attention(inputs)`: attention in which every word is a query, in every text of a batch."""

import torch

from course_utils.checks.behaviours import gradient_flows
from course_utils.checks.exercise import Exercise
from course_utils.checks.rules import forbids, no_loop
from course_utils.lessons import shared


def batch_attention_solution(inputs):
    scores = inputs @ inputs.transpose(-2, -1)  # (batch, num_tokens, num_tokens)
    return torch.softmax(scores, dim=-1) @ inputs  # (batch, num_tokens, d_in)


def cases(draw):
    yield "2 texts of 4 tokens, width 3", draw(2, 4, 3)
    yield "3 texts of 2 tokens, width 4", draw(3, 2, 4)
    yield "as many tokens as numbers", draw(2, 3, 3)
    yield "as many texts as tokens", draw(3, 3, 2)
    yield "everything of length 3", draw(3, 3, 3)
    yield "a batch of one", draw(1, 11, 2)
    yield "a single token", draw(3, 1, 2)


# The scores are symmetric here: softmax over the queries and transposed weights are one and the same wrong answer.
MISTAKES = """
softmax-axis: As they mix, the weights lie on their side: softmax runs over the queries, or they were turned. `dim=-1`.
scaled-too-early: The scores are divided, which comes later. Leave the division out.
    inputs.transpose(-2, -1) -> inputs.transpose(-2, -1) / inputs.shape[-1] ** 0.5
keys-not-transposed: Queries and keys do not meet along their width. Turn the keys' last two axes: `.transpose(-2, -1)`.
    inputs.transpose(-2, -1) -> inputs
columns-compared: Your scores compare columns. Tokens are rows, so turn the keys: `inputs @ inputs.transpose(-2, -1)`.
    inputs @ inputs.transpose(-2, -1) -> inputs.transpose(-2, -1) @ inputs
    torch.softmax(scores, dim=-1) @ inputs -> inputs @ torch.softmax(scores, dim=-1)
texts-turned: Texts and tokens have changed places in the keys. Turn the last two axes alone: `.transpose(-2, -1)`.
    transpose(-2, -1) -> transpose(0, 1)
view-no-transpose: The keys are cut anew, as by `view`, and not turned. Turn the last two axes: `.transpose(-2, -1)`.
    .transpose(-2, -1) -> .view(inputs.shape[0], inputs.shape[2], inputs.shape[1])
keys-full-turn: All axes of the keys are turned, the batch too, as by `.T`. Turn the last two: `.transpose(-2, -1)`.
    transpose(-2, -1) -> permute(2, 1, 0)
batch-mixed: The texts of the batch were run together into one long one, as by `flatten`. Keep their axis apart.
    scores = -> texts = inputs; inputs = inputs.flatten(0, 1); scores =
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs).view_as(texts)
seq-batch-swapped: Tokens look at the same place in other texts. The batch comes first: turn the last two axes alone.
    scores = -> inputs = inputs.transpose(0, 1); scores =
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs).transpose(0, 1)
weights-returned: These are the weights. One step is missing: `weights @ inputs`.
    torch.softmax(scores, dim=-1) @ inputs -> torch.softmax(scores, dim=-1)
weights-as-well: Only the context vectors are asked for: leave the weights out of your `return`.
    torch.softmax(scores, dim=-1) @ inputs -> torch.softmax(scores, dim=-1) @ inputs, torch.softmax(scores, dim=-1)
squeezed: Axes of length 1 are gone, as by `squeeze`: a batch of one text, or a text of one token. Keep them.
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs).squeeze()
batch-mixed: The texts stand one below the other, on one axis. Keep them apart: `torch.stack`, not `torch.cat`.
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs).flatten(0, 1)
texts-summed: The scores of all texts are added up. Each text has its own table: keep its letter, `"bqd,bkd->bqk"`.
    inputs @ inputs.transpose(-2, -1) -> (inputs @ inputs.transpose(-2, -1)).sum(dim=0)
texts-averaged: The weights are averaged over the texts. Each text has its own: leave the mean out.
    torch.softmax(scores, dim=-1) @ inputs -> torch.softmax(scores, dim=-1).mean(dim=0) @ inputs
first-text-asks: The first text's queries serve all texts. Each has its own: `inputs`, and not `inputs[0]`.
    inputs @ inputs.transpose -> inputs[0] @ inputs.transpose
"""

SHARED = (shared.SOFTMAX_OF_SMALL_SCORES, shared.SOFTMAX_OF_ONE_HEAD)
RULES = (forbids("scaled_dot_product_attention", "MultiheadAttention", prompt="with no ready-made attention"),)
HINTS = (no_loop, gradient_flows)
exercise = Exercise(
    batch_attention_solution, cases, MISTAKES, shared=SHARED, outputs=("context_vecs",), rules=RULES, hints=HINTS
)
