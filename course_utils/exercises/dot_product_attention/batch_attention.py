"""`my_batch_attention(inputs)`: every word asks, in every text of a batch."""

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
    yield "a batch of one", draw(1, 4, 2)
    yield "a single token", draw(3, 1, 2)
    yield Unasked("float64"), draw(2, 5, 3, dtype=torch.float64)


# The scores are symmetric here: softmax down the columns gives the right weights on their side. One answer, two names.
MISTAKES = """
softmax-axis: Either your softmax runs down the columns, or the weights are transposed before the mix: on this page the
    two give the same. Look at the `dim` of your softmax, which should be `-1`, and for a transpose in the last product.
    dim=-1 -> dim=-2
softmax-all: Your softmax takes the whole table at once: all weights together add up to 1. Each row needs a sum of its
    own: look at the `dim` of your sum or softmax.
    torch.softmax(scores, dim=-1) -> torch.softmax(scores.flatten(), dim=0).view_as(scores)
softmax-all: Each text has one softmax over its whole table: all its weights together add up to 1. Each row needs a sum
    of its own: look at the `dim` of your sum or softmax.
    torch.softmax(scores, dim=-1) -> torch.softmax(scores.flatten(-2), dim=-1).view_as(scores)
no-softmax: The scores are used as they are: no softmax has made weights of them. Put it between scores and mix.
    torch.softmax(scores, dim=-1) -> scores
exp-only: The exponentials are there, and the division is missing: divide them by their sum along each row.
    torch.softmax(scores, dim=-1) -> torch.exp(scores)
sigmoid: You took a sigmoid: each score is turned alone, and a row does not add up to 1. Softmax divides by its sum.
    torch.softmax(scores, dim=-1) -> torch.sigmoid(scores)
no-keepdim: Your sums have lost an axis, so they are divided into the columns instead of the rows. Give the sum
    `keepdim=True`.
    torch.softmax(scores, dim=-1) -> (torch.exp(scores) / torch.exp(scores).sum(dim=-1))
softmax-twice: Softmax is taken twice, so the weights are too even. Once is enough.
    torch.softmax(scores, dim=-1) -> torch.softmax(torch.softmax(scores, dim=-1), dim=-1)
softmax-too-late: Your softmax falls on the result of the mix. It belongs before it: it makes the weights of the scores.
    torch.softmax(scores, dim=-1) @ inputs -> torch.softmax(scores @ inputs, dim=-1)
scaled-too-early: The scores are divided by the root of the width. That is a good idea, and comes in the next notebook:
    leave it out here, or give `scale=1.0` to a function that does it.
    inputs.transpose(-2, -1) -> inputs.transpose(-2, -1) / inputs.shape[-1] ** 0.5
scaled-too-early: The scores are divided. Nothing divides them here yet: leave it out.
    inputs.transpose(-2, -1) -> inputs.transpose(-2, -1) / inputs.shape[1] ** 0.5
    or
    inputs.transpose(-2, -1) -> inputs.transpose(-2, -1) / inputs.shape[-1]
cosine: You divided by the lengths: that is the cosine. A score is the bare dot product, and length counts in it.
    inputs.transpose(-2, -1) -> torch.cosine_similarity(inputs[:, :, None], inputs[:, None], dim=-1)
    inputs @ ->
keys-not-transposed: The keys stand in the product as they are. Queries and keys meet along their width: turn the last
    two axes of the keys with `.transpose(-2, -1)`.
    inputs.transpose(-2, -1) -> inputs
columns-compared: Your scores compare the columns, one number of all tokens with another: the transpose stands on the
    left. Queries stay as they are, and the keys are turned: `inputs @ inputs.transpose(-2, -1)`.
    inputs @ inputs.transpose(-2, -1) -> inputs.transpose(-2, -1) @ inputs
    or
    inputs @ inputs.transpose(-2, -1) -> inputs.transpose(-2, -1) @ inputs
    torch.softmax(scores, dim=-1) @ inputs -> inputs @ torch.softmax(scores, dim=-1)
    or
    inputs @ inputs.transpose(-2, -1) -> inputs.transpose(-2, -1) @ inputs
    torch.softmax(scores, dim=-1) @ inputs -> inputs @ torch.softmax(scores, dim=-1).transpose(-2, -1)
texts-turned: `transpose(0, 1)` exchanges texts and tokens. Queries and keys meet within a text: turn the last two axes,
    `.transpose(-2, -1)`.
    transpose(-2, -1) -> transpose(0, 1)
view-no-transpose: `view` does not turn the keys on their side: it fills the new rows with their numbers in the old
    order. Turn the last two axes with `.transpose(-2, -1)`.
    .transpose(-2, -1) -> .view(inputs.shape[0], inputs.shape[2], inputs.shape[1])
keys-full-turn: `.T` turns all axes round, the batch with them, and so does `transpose(0, 2)`. Name the two that should
    change places: `.transpose(-2, -1)`.
    transpose(-2, -1) -> permute(2, 1, 0)
batch-mixed: The texts of the batch were run together into one long one: a change in one changes the others. Keep the
    first axis, and leave out the `view`, `reshape` or `flatten`.
    scores = -> texts = inputs; inputs = inputs.flatten(0, 1); scores =
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs).view_as(texts)
batch-mixed: The texts of the batch were run together into one long one, and they still are. Keep the first axis, and
    leave out the `view`, `reshape` or `flatten`.
    scores = -> inputs = inputs.flatten(0, 1); scores =
seq-batch-swapped: Axes 0 and 1 are exchanged: your tokens look at the same place in other texts. The batch comes first,
    `(batch, num_tokens, width)`: turn only the last two axes.
    scores = -> inputs = inputs.transpose(0, 1); scores =
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs).transpose(0, 1)
texts-joined: The results of the texts stand one below the other in one long table. `torch.stack` keeps the axis of the
    texts, where `torch.cat` glues them together.
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs).flatten(0, 1)
first-only: Only the first text of the batch was handled. Leave out the `[0]`, or the `return` inside the loop.
    scores = -> inputs = inputs[0]; scores =
    or
    scores = -> inputs = inputs[:1]; scores =
last-only: Only the last text of the batch comes back. Your loop overwrites its result: keep each, and `torch.stack`
    them.
    scores = -> inputs = inputs[-1]; scores =
keys-of-all-texts: Every text looks at all texts added up: in your sum, the batch of the keys has a letter or an axis
    of its own. Each text has keys of its own.
    inputs.transpose(-2, -1) -> inputs.sum(dim=0).transpose(-2, -1)
first-keys-only: Every text looks at the first one: its keys come from `inputs[0]`. Each text has keys of its own.
    inputs.transpose(-2, -1) -> inputs[0].transpose(-2, -1)
    or
    inputs.transpose(-2, -1) -> inputs[0].transpose(-2, -1)
    dim=-1) @ inputs -> dim=-1) @ inputs[0]
weights-returned: These are the weights. One step is missing: `weights @ inputs`.
    torch.softmax(scores, dim=-1) @ inputs -> torch.softmax(scores, dim=-1)
scores-returned: These are the scores. Two steps are missing: softmax, and `weights @ inputs`.
    torch.softmax(scores, dim=-1) @ inputs -> scores
weights-as-well: Only the context vectors are asked for: leave the weights out of your `return`.
    torch.softmax(scores, dim=-1) @ inputs -> torch.softmax(scores, dim=-1) @ inputs, torch.softmax(scores, dim=-1)
squeezed: `squeeze` takes away every axis of length 1, and with it a batch of one text, or of one token. Leave it out.
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs).squeeze()
result-transposed: The context vectors lie on their side. A row belongs to a token: leave out the last transpose.
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs).transpose(-2, -1)
mean-of-tokens: You took the mean over the tokens at the end. Each token has a context vector of its own: leave it out.
    return torch.softmax(scores, dim=-1) @ inputs -> return (torch.softmax(scores, dim=-1) @ inputs).mean(dim=1)
inputs-added: You added the inputs to the mix. A context vector is the mix alone: leave the addition out.
    return torch.softmax(scores, dim=-1) @ inputs -> return torch.softmax(scores, dim=-1) @ inputs + inputs
inputs-returned: The inputs come back as they were: the mix is not what you return, or it adds up the weights alone. In
    an `einsum`, the inputs that are mixed carry the letter of the keys: `bqk,bkd->bqd`.
    torch.softmax(scores, dim=-1) @ inputs -> inputs
"""

exercise = Exercise(
    batch_attention_solution,
    cases,
    MISTAKES,
    shared=(shared.SOFTMAX_OF_ONE_HEAD,),
    outputs=("context_vecs",),
    behaviours=(repeats,),
    hints=(no_loop("No loop"), gradient_flows),
)
