"""`my_causal_layer(layer, inputs)`: a causal call of a given layer, with results in the course's layout."""

from torch import nn

from course_utils import attention
from course_utils.checks import outcome
from course_utils.checks.exercise import Exercise
from course_utils.lessons.arguments import CONTEXT_AND_WEIGHTS
from course_utils.lessons.filled_modules import filled


def causal_layer_solution(layer, inputs):
    x = inputs.transpose(0, 1)  # (num_tokens, batch, width)
    blocked = ~attention.causal_mask(len(x))
    context_vecs, attn_weights = layer(x, x, x, attn_mask=blocked, average_attn_weights=False)
    return context_vecs.transpose(0, 1), attn_weights


def of_an_untouched_layer(answer, layer, inputs):
    """Call an answer with an nn.MultiheadAttention and inputs; return its (context_vecs, attn_weights), two tensors.

    The layer is in eval mode, with batch_first=False. Errors: Refused for another result, or if either changes.
    """
    result = outcome.as_tensors(answer(layer, inputs), ("context_vecs", "attn_weights"))
    if layer.training:
        raise outcome.Refused(
            "Your code puts the layer into training mode, in which it may drop weights. Call it as it is."
        )
    if layer.batch_first:
        raise outcome.Refused(
            "Your code sets the layer's `batch_first`. The layer is somebody else's, and would misread its next "
            "inputs: leave it as it is, and turn the tensors."
        )
    return result


def cases(draw):
    for label, num_heads, shape in (
        ("2 texts of 5 tokens, 12 wide, 3 heads", 3, (2, 5, 12)),
        ("4 texts of 3 tokens, 6 wide, 2 heads", 2, (4, 3, 6)),
        ("as many texts as tokens", 2, (3, 3, 8)),
        ("as many texts as tokens, as wide as long", 2, (4, 4, 4)),
        ("one head", 1, (2, 13, 5)),
        ("a batch of one", 4, (1, 6, 8)),
        ("a single token", 2, (3, 1, 4)),
    ):
        yield label, filled(draw, nn.MultiheadAttention, shape[-1], num_heads), draw(*shape)


MISTAKES = """
sdpa-polarity: The mask means the opposite here. `nn.MultiheadAttention` blocks where it is True: turn it round.
    ~attention -> attention
not-all-turned: Only some of the three are turned. Exchange axes 0 and 1 once: `layer(x, x, x, …)`.
    layer(x, x, x, -> layer(x, inputs, inputs,
weights-averaged: The weights are averaged over the heads, PyTorch's default. Ask: `average_attn_weights=False`.
    , average_attn_weights=False ->
    or
    , average_attn_weights=False ->
    .transpose(0, 1), attn_weights -> .transpose(0, 1), attn_weights[:, None].expand(-1, layer.num_heads, -1, -1)
not-turned-back: Axis 0 of your vectors is the tokens'. Exchange axes 0 and 1 of them on the way out, too.
    context_vecs.transpose(0, 1) -> context_vecs
weights-turned: The weights come with the texts first already. Turn the context vectors alone.
    .transpose(0, 1), attn_weights -> .transpose(0, 1), attn_weights.transpose(0, 1)
mask-missing: Nothing is hidden: every token sees all the others. Hand a mask over as `attn_mask`.
    attn_mask=blocked, ->
mask-off-by-one: No token sees itself. Begin to block one place above the diagonal: `triu(diagonal=1)`.
    ~attention.causal_mask(len(x)) -> ~attention.causal_mask(len(x)).tril(-1)
mask-added-01: A float mask is added to the scores, and numbers near 1 barely move them: make it bool, True for blocked.
    attn_mask=blocked -> attn_mask=blocked.float()
zero-times-inf: There is `nan` everywhere: 0 times infinity is not a number. Hand over a bool mask.
    attn_mask=blocked -> attn_mask=blocked * -float("inf")
dropout-in-eval:
    layer(x, -> layer.train()(x,
batch-first-set:
    x = inputs.transpose(0, 1) -> layer.batch_first = True ⏎ x = inputs
    len(x) -> x.shape[1]
    context_vecs.transpose(0, 1) -> context_vecs
input-viewed: The texts are mixed on the way in, as by `view` or `reshape`. Exchange the axes: `transpose(0, 1)`.
    inputs.transpose(0, 1) -> inputs.reshape(inputs.shape[1], inputs.shape[0], -1)
    or
    inputs.transpose(0, 1) -> inputs.reshape(inputs.shape[1], inputs.shape[0], -1)
    context_vecs.transpose(0, 1) -> context_vecs.reshape(inputs.shape)
seq-batch-swapped: Tokens look at other texts: axis 0 is for tokens. Exchange axes 0 and 1, before and after.
    inputs.transpose(0, 1) -> inputs
    context_vecs.transpose(0, 1) -> context_vecs
    or
    inputs.transpose(0, 1) -> inputs
    len(x) -> x.shape[1]
    context_vecs.transpose(0, 1) -> context_vecs
as-it-comes: The layer is called as it stands, and three things are left to do: exchange axes 0 and 1 on the way in and
    out, hand over a mask with True for blocked, and ask for the weights of each head.
    inputs.transpose(0, 1) -> inputs
    , attn_mask=blocked, average_attn_weights=False ->
    context_vecs.transpose(0, 1) -> context_vecs
inputs-once: The layer asks for queries, keys and values. In self-attention they are the same: `layer(x, x, x, …)`.
    layer(x, x, x, -> layer(x,
"""

exercise = Exercise(causal_layer_solution, cases, MISTAKES, observe=of_an_untouched_layer, **CONTEXT_AND_WEIGHTS)
