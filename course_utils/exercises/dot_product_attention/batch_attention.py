"""`my_batch_attention(inputs)`: attention in which every word is a query, in every text of a batch."""

import torch

from course_utils.checks.behaviours import gradient_flows, repeats
from course_utils.checks.exercise import Exercise, Unasked
from course_utils.checks.rules import no_loop
from course_utils.exercises import shared


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
    yield Unasked("float64"), draw(2, 5, 3, dtype=torch.float64)


# The scores are symmetric here: softmax over the queries and transposed weights are one and the same wrong answer.
MISTAKES = """
softmax-axis: As they mix, the weights lie on their side: softmax runs over the queries, or they were turned. `dim=-1`.
softmax-all: One softmax covers the whole table: all weights together add up to 1. Each row needs its own: `dim=-1`.
    torch.softmax(scores, dim=-1) -> torch.softmax(scores.flatten(-2), dim=-1).view_as(scores)
sigmoid: You took a sigmoid: each score is turned alone, and a row does not add up to 1. Softmax divides by its sum.
    torch.softmax(scores, dim=-1) -> torch.sigmoid(scores)
no-keepdim: What was taken of the rows falls on the columns: its axis is gone. Keep it, with `keepdim=True`.
    torch.softmax(scores, dim=-1) -> (torch.exp(scores) / torch.exp(scores).sum(dim=-1))
softmax-twice: Softmax is taken twice, so the weights are too even. Once is enough.
    torch.softmax(scores, dim=-1) -> torch.softmax(torch.softmax(scores, dim=-1), dim=-1)
softmax-too-late: Your softmax falls on the result of the mix. It belongs before it: it makes the weights of the scores.
    torch.softmax(scores, dim=-1) @ inputs -> torch.softmax(scores @ inputs, dim=-1)
scaled-too-early: The scores are divided, which comes later. Leave it out, or give a ready-made function `scale=1.0`.
    inputs.transpose(-2, -1) -> inputs.transpose(-2, -1) / inputs.shape[-1] ** 0.5
    or
    inputs.transpose(-2, -1) -> inputs.transpose(-2, -1) / inputs.shape[1] ** 0.5
    or
    inputs.transpose(-2, -1) -> inputs.transpose(-2, -1) / inputs.shape[-1]
cosine: You divided by the lengths: that is the cosine. A score is the bare dot product, and length counts in it.
    inputs @ inputs.transpose(-2, -1) -> torch.cosine_similarity(inputs[:, :, None], inputs[:, None], dim=-1)
keys-not-transposed: Queries and keys do not meet along their width. Turn the keys' last two axes: `.transpose(-2, -1)`.
    inputs.transpose(-2, -1) -> inputs
columns-compared: Your scores compare columns. Tokens are rows, so turn the keys: `inputs @ inputs.transpose(-2, -1)`.
    inputs @ inputs.transpose(-2, -1) -> inputs.transpose(-2, -1) @ inputs
    or
    inputs @ inputs.transpose(-2, -1) -> inputs.transpose(-2, -1) @ inputs
    torch.softmax(scores, dim=-1) @ inputs -> inputs @ torch.softmax(scores, dim=-1)
    or
    inputs @ inputs.transpose(-2, -1) -> inputs.transpose(-2, -1) @ inputs
    torch.softmax(scores, dim=-1) @ inputs -> inputs @ torch.softmax(scores, dim=-1).transpose(-2, -1)
texts-turned: Texts and tokens have changed places in the keys. Turn the last two axes alone: `.transpose(-2, -1)`.
    transpose(-2, -1) -> transpose(0, 1)
view-no-transpose: The keys are cut anew, as by `view`, and not turned. Turn the last two axes: `.transpose(-2, -1)`.
    .transpose(-2, -1) -> .view(inputs.shape[0], inputs.shape[2], inputs.shape[1])
keys-full-turn: All axes of the keys are turned, the batch too, as by `.T`. Turn the last two: `.transpose(-2, -1)`.
    transpose(-2, -1) -> permute(2, 1, 0)
batch-mixed: The texts of the batch were run together into one long one, as by `flatten`. Keep their axis apart.
    scores = -> texts = inputs; inputs = inputs.flatten(0, 1); scores =
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs).view_as(texts)
    or
    scores = -> inputs = inputs.flatten(0, 1); scores =
seq-batch-swapped: Tokens look at the same place in other texts. The batch comes first: turn the last two axes alone.
    scores = -> inputs = inputs.transpose(0, 1); scores =
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs).transpose(0, 1)
texts-joined: The texts stand one below the other in one long table. Keep their axis: `torch.stack`, not `torch.cat`.
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs).flatten(0, 1)
first-only: Only the first text comes back, as by an index or a `return` inside a loop. All texts are asked for.
    scores = -> inputs = inputs[0]; scores =
    or
    scores = -> inputs = inputs[:1]; scores =
last-only: Only the last text comes back, as when a loop overwrites its result. Keep each, and `torch.stack` them.
    scores = -> inputs = inputs[-1]; scores =
keys-of-all-texts: Every text looks at all texts added up. It has keys of its own: the batch is one axis, or one letter.
    inputs.transpose(-2, -1) -> inputs.sum(dim=0).transpose(-2, -1)
first-keys-only: Every text looks at the first one. Each text has keys of its own: all of `inputs`, not `inputs[0]`.
    inputs.transpose(-2, -1) -> inputs[0].transpose(-2, -1)
    or
    inputs.transpose(-2, -1) -> inputs[0].transpose(-2, -1)
    dim=-1) @ inputs -> dim=-1) @ inputs[0]
scores-of-all-texts: The scores of all texts are added up. Each text has its own: keep the axis of the batch.
    torch.softmax(scores, -> torch.softmax(scores.sum(dim=0),
weights-returned: These are the weights. One step is missing: `weights @ inputs`.
    torch.softmax(scores, dim=-1) @ inputs -> torch.softmax(scores, dim=-1)
scores-returned: These are the scores. Two steps are missing: softmax, and `weights @ inputs`.
    torch.softmax(scores, dim=-1) @ inputs -> scores
weights-as-well: Only the context vectors are asked for: leave the weights out of your `return`.
    torch.softmax(scores, dim=-1) @ inputs -> torch.softmax(scores, dim=-1) @ inputs, torch.softmax(scores, dim=-1)
not-mixed: Each token is weighted, and none are mixed: `weights @ inputs`, in an `einsum` `bqk,bkd->bqd`.
    torch.softmax(scores, dim=-1) @ inputs -> torch.softmax(scores, dim=-1).sum(dim=1)[..., None] * inputs
attention-twice: The inputs go through attention twice. Once is asked for.
    scores = -> inputs = torch.softmax(inputs @ inputs.transpose(-2, -1), dim=-1) @ inputs; scores =
squeezed: Axes of length 1 are gone, as by `squeeze`: a batch of one text, or a text of one token. Keep them.
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs).squeeze()
result-transposed: The context vectors lie on their side. A row belongs to a token: turn nothing after the mix.
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs).transpose(-2, -1)
mean-of-tokens: The tokens are averaged. Each has a context vector of its own: leave the mean out.
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs).mean(dim=1)
inputs-added: You added the inputs to the mix. A context vector is the mix alone: leave the addition out.
    dim=-1) @ inputs -> dim=-1) @ inputs + inputs
inputs-returned: The inputs come back as they were: each row of weights mixes them, `weights @ inputs`, `bqk,bkd->bqd`.
    torch.softmax(scores, dim=-1) @ inputs -> inputs
distance: The scores say how far tokens lie apart. A score is a dot product: `inputs @ inputs.transpose(-2, -1)`.
    inputs @ inputs.transpose(-2, -1) -> -torch.cdist(inputs, inputs)
    or
    inputs @ inputs.transpose(-2, -1) -> torch.cdist(inputs, inputs)
    or
    inputs @ inputs.transpose(-2, -1) -> -torch.cdist(inputs, inputs) ** 2
future-hidden: Tokens do not see what comes after them, as with a causal mask. Here every word sees every word.
    torch.softmax(scores, -> torch.softmax(scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), -torch.inf),
itself-hidden: Tokens do not see themselves, where there are others. Here every word sees every word: hide nothing.
    torch.softmax(scores, -> torch.softmax(scores - 1e9 * torch.eye(scores.shape[-1]),
    or
    torch.softmax(scores, -> torch.softmax(scores.masked_fill(torch.eye(scores.shape[-1]).bool(), -torch.inf),
weights-of-all-texts: The weights of all texts are averaged. Each text has its own: leave the `mean` over texts out.
    torch.softmax(scores, dim=-1) @ -> torch.softmax(scores, dim=-1).mean(dim=0) @
    or
    torch.softmax(scores, -> torch.softmax(scores.mean(dim=0),
elementwise: `*` multiplies number by number. Scores and mix are products of matrices: `@`.
    inputs @ inputs.transpose(-2, -1) -> inputs * inputs
    torch.softmax(scores, dim=-1) @ inputs -> torch.softmax(scores, dim=-1) * inputs
    or
    inputs @ inputs.transpose(-2, -1) -> inputs * inputs
one-query: One context vector for each text comes back. Each token asks: there are as many as tokens.
    dim=-1) @ inputs -> dim=-1)[:, -1:] @ inputs
    or
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs)[:, -1]
    or
    dim=-1) @ inputs -> dim=-1)[:, :1] @ inputs
    or
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs)[:, 0]
best-only: Each token copies the one with its highest score. All tokens are mixed, by weights: softmax, then `@`.
    torch.softmax(scores, dim=-1) -> (scores == scores.amax(dim=-1, keepdim=True)).float()
sign: The sign is turned: the largest weight goes to the smallest score. Take the product as it is, without a minus.
    torch.softmax(scores -> torch.softmax(-scores
"""

exercise = Exercise(
    batch_attention_solution,
    cases,
    MISTAKES,
    shared=(shared.SOFTMAX_OF_SMALL_SCORES, shared.SOFTMAX_OF_ONE_HEAD),
    outputs=("context_vecs",),
    behaviours=(repeats,),
    hints=(no_loop, gradient_flows),
)
