"""The exercise of notebook 08 on somebody else's layer: its layout, its mask and its weights, in our terms."""

import torch
from torch import nn

from .. import attention
from . import outcome, steps
from .behaviours import repeats
from .legacy import Exercise
from .notebook_08 import filled, made

IN_TRAINING = "Your code puts the layer into training mode, in which it may drop weights. Call it as it is."
BATCH_FIRST_SET = (
    "Your code sets the layer's `batch_first`. The layer is somebody else's, and would misread its next inputs: leave "
    "it as it is, and turn the tensors."
)

notebook_weight = torch.full((3, 3), 0.25)  # lies about in the notebook


def causal_layer_(layer, inputs):
    inputs = inputs.transpose(0, 1)
    blocked = ~attention.causal_mask(len(inputs))
    context_vecs, attn_weights = layer(inputs, inputs, inputs, attn_mask=blocked, average_attn_weights=False)
    return context_vecs.transpose(0, 1), attn_weights


def calling(
    turn=lambda inputs: inputs.transpose(0, 1),
    mask=lambda num_tokens: ~attention.causal_mask(num_tokens),
    call=lambda layer, x, blocked: layer(x, x, x, attn_mask=blocked, average_attn_weights=False),
    back=lambda context_vecs, attn_weights: (context_vecs.transpose(0, 1), attn_weights),
):
    """An answer with some of its steps replaced."""

    def answer(layer, inputs):
        x = turn(inputs)
        return back(*call(layer, x, mask(len(x))))

    return answer


def run_layer(answer, width, num_heads, inputs, weights):
    layer = filled(made(nn.MultiheadAttention, width, num_heads), weights, 0.5)
    context_vecs, attn_weights = outcome.as_tensors(answer(layer, inputs), ("context_vecs", "attn_weights"))
    if layer.training:
        raise outcome.Refused(IN_TRAINING)
    if layer.batch_first:
        raise outcome.Refused(BATCH_FIRST_SET)
    return context_vecs, attn_weights


def layer_cases(draw):
    for label, width, num_heads, shape in (
        ("2 texts of 5 tokens, 12 wide, 3 heads", 12, 3, (2, 5, 12)),
        ("4 texts of 3 tokens, 6 wide, 2 heads", 6, 2, (4, 3, 6)),
        ("as many texts as tokens", 8, 2, (3, 3, 8)),
        ("one head", 5, 1, (2, 4, 5)),
        ("a batch of one", 8, 4, (1, 6, 8)),
        ("a single token", 4, 2, (3, 1, 4)),
    ):
        yield label, width, num_heads, draw(*shape), type(draw)(seed=width)


causal_layer = Exercise(
    "causal_layer", causal_layer_, layer_cases, outputs=("context_vecs", "attn_weights"), observe=run_layer,
    rows="attn_weights", behaviours=(repeats,), make=calling,
)  # fmt: skip


def masked_by(mask):
    return lambda num_tokens: mask(attention.causal_mask(num_tokens))


def same(inputs):
    return inputs


def together(context_vecs, attn_weights):
    return context_vecs, attn_weights


causal_layer.wrong_steps({
    "sdpa-polarity": (
        "The mask means the opposite here. `nn.MultiheadAttention` blocks where it is True, ours and SDPA allow: turn "
        "it round with `~`.",
        "mask", masked_by(lambda mask: mask),
    ),
    "mask-lower": (
        "The past is hidden and the future shown. Blocked are the places above the diagonal: look at `triu`, `tril` "
        "and the `transpose`.",
        "mask", masked_by(lambda mask: ~mask.transpose(0, 1)),
    ),
    "mask-off-by-one": (
        "Each token may still see the next one. Block from one place above the diagonal: `triu(diagonal=1)`.",
        "mask", masked_by(lambda mask: torch.ones_like(mask).triu(2)),
    ),
    "mask-missing": (
        "Nothing is hidden: every token sees all the others. Hand a mask over as `attn_mask`.",
        "mask", lambda num_tokens: None,
    ),
    "mask-added-01": (
        "A float mask is added to the scores. Zeros and ones barely move them: make it bool, or fill it with "
        "`-torch.inf`.",
        "mask", masked_by(lambda mask: (~mask).float()),
    ),
    "weights-averaged": (
        "The weights come back averaged over the heads, which is PyTorch's default. Ask for each head: "
        "`average_attn_weights=False`.",
        "call", lambda layer, x, blocked: layer(x, x, x, attn_mask=blocked),
    ),
    "need-weights-false": (
        "`need_weights=False` gives None in place of the weights: leave it out.",
        "call",
        lambda layer, x, blocked: layer(x, x, x, attn_mask=blocked, need_weights=False, average_attn_weights=False),
    ),
    "is-causal-alone": (
        "`is_causal=True` is only a hint to this layer, and an error without a mask: hand over `attn_mask` as well.",
        "call", lambda layer, x, blocked: layer(x, x, x, is_causal=True, average_attn_weights=False),
    ),
    "padding-for-mask": (
        "The mask was handed over as `key_padding_mask`, which is for padding, one row for each text. Who may look "
        "where is `attn_mask`.",
        "call", lambda layer, x, blocked: layer(x, x, x, key_padding_mask=blocked, average_attn_weights=False),
    ),
    "dropout-in-eval": (
        IN_TRAINING,
        "call", lambda layer, x, blocked: layer.train()(x, x, x, attn_mask=blocked, average_attn_weights=False),
    ),
    "output-not-turned": (
        "The context vectors come back as `(num_tokens, batch, width)`. Exchange axes 0 and 1 on the way out, too.",
        "back", together,
    ),
    "output-viewed": (
        "`view` and `reshape` put the numbers into another shape in the order in which they lie: the texts get mixed. "
        "Exchange the axes: `transpose(0, 1)`.",
        "back", lambda vecs, attn_weights: (vecs.reshape(vecs.shape[1], vecs.shape[0], -1), attn_weights),
    ),
    "weights-turned": (
        "The weights are turned as well. They come with the batch in front, whatever the layout: leave them as they "
        "are.",
        "back", lambda context_vecs, attn_weights: (context_vecs.transpose(0, 1), attn_weights.transpose(0, 1)),
    ),
    "weights-transposed": (
        "The weights come back on their side: a row is a query.",
        "back", lambda context_vecs, attn_weights: (context_vecs.transpose(0, 1), attn_weights.transpose(-2, -1)),
    ),
    "outputs-swapped": (
        "The two results have changed places: `return context_vecs, attn_weights`.",
        "back", lambda context_vecs, attn_weights: (attn_weights, context_vecs.transpose(0, 1)),
    ),
})  # fmt: skip


@causal_layer.mistake(
    "seq-batch-swapped",
    "This layer was made without `batch_first`: it takes axis 0 for the tokens, so yours look at the same place in "
    "other texts. Exchange axes 0 and 1 on the way in and on the way out.",
)
def _(layer, inputs):
    return calling(turn=same, back=together)(layer, inputs)


@causal_layer.mistake(
    "as-it-comes",
    "The layer is called as it stands, and three things are left to do: exchange axes 0 and 1 on the way in and out, "
    "hand over a mask with True for blocked, and ask for the weights of each head.",
)
def _(layer, inputs):
    return layer(inputs, inputs, inputs)


@causal_layer.mistake(
    "mask-of-the-batch",
    "Your mask has the size of the batch. Once axes 0 and 1 are exchanged, the number of tokens is `shape[0]`.",
)
def _(layer, inputs):
    x = inputs.transpose(0, 1)
    blocked = ~attention.causal_mask(x.shape[1])
    context_vecs, attn_weights = layer(x, x, x, attn_mask=blocked, average_attn_weights=False)
    return context_vecs.transpose(0, 1), attn_weights


@causal_layer.mistake("global-leak", steps.LEAK)
def _(layer, inputs):
    return calling(back=lambda vecs, weights: (vecs.transpose(0, 1), weights + 0 * notebook_weight.sum()))(
        layer, inputs
    )


@causal_layer.mistake("batch-first-set", BATCH_FIRST_SET)
def _(layer, inputs):
    layer.batch_first = True
    blocked = ~attention.causal_mask(inputs.shape[1])
    return layer(inputs, inputs, inputs, attn_mask=blocked, average_attn_weights=False)
