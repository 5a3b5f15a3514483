"""The exercise of notebook 10 that silences a head: what its layer puts out when it delivers nothing."""

import torch

from course_utils.attention import MultiHeadAttention, merge_heads, split_heads

from . import steps
from .behaviours import repeats
from .draw import Draw
from .legacy import Exercise
from .outcome import Refused

notebook_inputs = torch.tensor([[0.1, 0.9, 0.3], [0.5, 0.2, 0.7]])  # what a notebook leaves lying about
NOT_RESTORED = (
    "The head stays silenced: the layer no longer gives what it gave before. Keep the weight with `.clone()`, since "
    "without it you keep the same memory, zeros and all. Write it back before you return."
)


# ---- without_head: what a layer puts out when one head delivers nothing


def without(attention, x, head):
    kept = attention.out_proj.weight.detach().clone()
    head_dim = attention.out_proj.in_features // attention.num_heads
    try:
        with torch.no_grad():
            attention.out_proj.weight[:, head * head_dim : (head + 1) * head_dim] = 0
        return attention(x)[0]
    finally:
        with torch.no_grad():
            attention.out_proj.weight.copy_(kept)


def without_cases(draw):
    yield "4 heads of width 3, head 1", (5, 12, 4), draw(6, 5), 1
    yield "the first head", (4, 8, 2), draw(5, 4), 0
    yield "the last head of a batch", (6, 10, 5), draw(2, 3, 6), 4
    yield "as many heads as numbers in each", (9, 9, 3), draw(4, 9), 1
    yield "one head alone", (4, 6, 1), draw(5, 4), 0
    yield "float64", (3, 8, 4), draw(2, 5, 3, dtype=torch.float64), 2


def built(sizes, dtype):
    """A layer whose weights depend on no seed, biases among them."""
    attention, draw = MultiHeadAttention(*sizes, qkv_bias=True).to(dtype), Draw(seed=3)
    with torch.no_grad():
        for parameter in attention.parameters():
            parameter.copy_(draw(*parameter.shape, dtype=dtype))
    return attention.eval()


def observe(answer, sizes, x, head):
    """Returns what came back, and what the layer puts out afterwards."""
    attention = built(sizes, x.dtype)
    found = answer(attention, x, head)
    if isinstance(found, tuple):
        raise Refused("A pair comes back. The layer's output alone is asked for: `attention(x)[0]`.")
    return found, attention(x)[0]


def stays_trainable(exercise, answer):
    """Every parameter is trained as before."""
    sizes, x, head = exercise.cases()[0].args
    attention = built(sizes, x.dtype)
    answer(attention, x, head)
    if not all(parameter.requires_grad for parameter in attention.parameters()):
        yield "frozen", "The layer can no longer be trained: leave `requires_grad` as it was."


def others_deliver(change):
    """An answer that changes the context vectors (..., num_heads, num_tokens, head_dim) before they are merged."""

    def answer(attention, x, head):
        _, attn_weights = attention(x)
        context_vecs = attn_weights @ split_heads(attention.W_value(x), attention.num_heads)
        return change(attention, context_vecs, head)

    return answer


def zeroed(where, restore=True, bias=False):
    """An answer that writes zeros into a copy of out_proj.weight at where(weight, head, head_dim)."""

    def answer(attention, x, head):
        kept = {name: tensor.clone() for name, tensor in attention.state_dict().items()}
        head_dim = attention.out_proj.in_features // attention.num_heads
        with torch.no_grad():
            attention.out_proj.weight[where(attention, head, head_dim)] = 0
            if bias:
                attention.out_proj.bias.zero_()
        found = attention(x)[0]
        if restore:
            attention.load_state_dict(kept)
        return found

    return answer


def columns(attention, head, head_dim):
    return slice(None), slice(head * head_dim, (head + 1) * head_dim)


without_head = Exercise(
    "without_head", without, without_cases, observe=observe, outputs=("output", "layer_afterwards"),
    behaviours=(stays_trainable, repeats),
)  # fmt: skip

WRONG = {
    "rows-for-columns": (
        "You set rows of `out_proj.weight` to zero. `nn.Linear` stores `(d_out, d_in)`: what a head delivers enters by "
        "columns, `weight[:, start:end]`.",
        zeroed(lambda attention, head, head_dim: slice(head * head_dim, (head + 1) * head_dim)),
    ),
    "head-off-by-one": (
        "Another head was silenced, the one after. Heads are counted from 0: head 0 has the columns from 0 on.",
        zeroed(lambda attention, head, head_dim: columns(attention, (head + 1) % attention.num_heads, head_dim)),
    ),
    "head-count-dim": (
        "The slice is as wide as there are heads. A head is `head_dim` wide: `in_features // num_heads`.",
        zeroed(lambda attention, head, head_dim: columns(attention, head, attention.num_heads)),
    ),
    "one-column": (
        "One column was set to zero. A head has `head_dim` of them: `head * head_dim : (head + 1) * head_dim`.",
        zeroed(lambda attention, head, head_dim: (slice(None), head)),
    ),
    "heads-interleaved": (
        "You took each so many-th column. Heads stand one after another, each in one block: "
        "`head * head_dim : (head + 1) * head_dim`.",
        zeroed(lambda attention, head, head_dim: (slice(None), slice(head, None, attention.num_heads))),
    ),
    "from-head-on": (
        "All columns from this head on are zero. The slice needs its end: `(head + 1) * head_dim`.",
        zeroed(lambda attention, head, head_dim: (slice(None), slice(head * head_dim, None))),
    ),
    "not-restored": (
        NOT_RESTORED,
        zeroed(columns, restore=False),
    ),
    "bias-silenced": (
        "The bias of `out_proj` was set to zero too. It belongs to no head: leave it.",
        zeroed(columns, bias=True),
    ),
    "mask-inverted": (
        "All heads but this one were silenced. Set its own columns to zero, and leave the others.",
        others_deliver(
            lambda attention, context_vecs, head: attention.out_proj(
                merge_heads(context_vecs * _only(context_vecs, head).to(context_vecs.dtype))
            )
        ),
    ),
    "no-out-proj": (
        "The heads come back only joined. The layer ends with `out_proj`.",
        others_deliver(
            lambda attention, context_vecs, head: merge_heads(context_vecs * ~_only(context_vecs, head))
        ),
    ),
    "rescaled": (
        "The other heads were made larger to make up for the missing one. Leave them as they are.",
        others_deliver(
            lambda attention, context_vecs, head: attention.out_proj(
                merge_heads(context_vecs * ~_only(context_vecs, head))
                * (attention.num_heads / max(attention.num_heads - 1, 1))
            )
        ),
    ),
    "head-contribution": (
        "This is what the head alone delivers. Asked for is what is left without it.",
        others_deliver(
            lambda attention, context_vecs, head: (
                merge_heads(context_vecs * _only(context_vecs, head)) @ attention.out_proj.weight.mT
            )
        ),
    ),
    "not-silenced": (
        "This is the output of the whole layer: no head is missing. Write the zeros into `out_proj.weight` itself, not "
        "into a copy, and before you call `attention(x)`.",
        lambda attention, x, head: attention(x)[0],
    ),
}  # fmt: skip


def _only(context_vecs, head):
    """True for this head; (num_heads, 1, 1)."""
    return (torch.arange(context_vecs.shape[-3]) == head)[:, None, None]


for _id, (_words, _answer) in WRONG.items():
    without_head.mistake(_id, _words)(_answer)


@without_head.mistake("not-restored", NOT_RESTORED)
def _(attention, x, head):
    kept = attention.out_proj.weight.detach()
    head_dim = attention.out_proj.in_features // attention.num_heads
    with torch.no_grad():
        attention.out_proj.weight[columns(attention, head, head_dim)] = 0
        found = attention(x)[0]
        attention.out_proj.weight.copy_(kept)
    return found


@without_head.mistake(
    "query-zeroed",
    "The head no longer asks, so its weights are even, but it still delivers. Set to zero what `out_proj` takes from "
    "it.",
)
def _(attention, x, head):
    kept = {name: tensor.clone() for name, tensor in attention.state_dict().items()}
    head_dim = attention.out_proj.in_features // attention.num_heads
    rows = slice(head * head_dim, (head + 1) * head_dim)
    with torch.no_grad():
        attention.W_query.weight[rows], attention.W_query.bias[rows] = 0, 0
    found = attention(x)[0]
    attention.load_state_dict(kept)
    return found


@without_head.mistake(
    "no-grad-missing",
    "PyTorch refuses to write into a parameter while it keeps notes for training. Put the writes under `with "
    "torch.no_grad():`.",
)
def _(attention, x, head):
    attention.out_proj.weight[:, :3] = 0
    return attention(x)[0]


@without_head.mistake("frozen", "The layer can no longer be trained: leave `requires_grad` as it was.")
def _(attention, x, head):
    found = without(attention, x, head)
    attention.requires_grad_(False)
    return found


@without_head.mistake("input-changed", "Your code changes `x`. Silence the head, not its input.")
def _(attention, x, head):
    found = without(attention, x, head)
    x.zero_()
    return found


@without_head.mistake("global-leak", steps.LEAK)
def _(attention, x, head):
    return without(attention, notebook_inputs[:1, :1].expand(2, x.shape[-1]).to(x.dtype), head)
