"""`my_without_head(attention, x, head)`: the output of a layer in which one of the heads contributes nothing."""

import torch

from course_utils.attention import MultiHeadAttention
from course_utils.checks import outcome
from course_utils.checks.exercise import Exercise
from course_utils.lessons.filled_modules import filled
from course_utils.lessons.findings import finding


def without_head_solution(attention, x, head):
    kept = attention.out_proj.weight.detach().clone()
    head_dim = attention.out_proj.in_features // attention.num_heads
    with torch.no_grad():
        attention.out_proj.weight[:, head * head_dim : (head + 1) * head_dim] = 0
    try:
        output, _ = attention(x)
    finally:
        with torch.no_grad():
            attention.out_proj.weight.copy_(kept)
    return output


def cases(draw):
    yield "4 heads of width 3, head 1", (5, 12, 4), draw(6, 5), 1
    yield "the first head", (4, 8, 2), draw(5, 4), 0
    yield "the last head, in a batch", (6, 10, 5), draw(2, 3, 6), 4
    yield "as many heads as numbers in each", (9, 9, 3), draw(4, 9), 1
    yield "one head alone", (4, 6, 1), draw(5, 4), 0
    yield "a causal layer", (6, 12, 3), draw(2, 5, 6), 1, True


def output_and_afterwards(answer, sizes, x, head, causal=False):
    """Call answer(layer, x, head) on a new MultiHeadAttention; return (its result, the whole layer's output later).

    The answer should return the output without that head. sizes (a tuple), causal: the arguments of the layer.
    x: its input. head: the index of the head. Errors: Refused if the answer returns a tuple.
    """
    attention = filled(3, MultiHeadAttention, *sizes, causal=causal, qkv_bias=True).to(x.dtype)
    output = answer(attention, x, head)
    if isinstance(output, tuple):
        raise outcome.Refused("A pair comes back. The layer's output alone is asked for: `attention(x)[0]`.")
    return output, attention(x)[0]


def stays_trainable(exercise, answer):
    """Yield ("frozen", message) if an answer leaves requires_grad=False on a parameter of the layer it is given."""
    sizes, x, head = exercise.case(0).args
    attention = filled(3, MultiHeadAttention, *sizes, qkv_bias=True).to(x.dtype)
    answer(attention, x, head)
    if not all(parameter.requires_grad for parameter in attention.parameters()):
        yield "frozen", "The layer can no longer be trained: leave `requires_grad` as it was."


def restores_after_an_error(exercise, answer):
    """Yield ("not-restored-after-error", message) if the layer's output changes when an answer stops in the layer."""
    sizes, x, head = exercise.case(0).args
    attention = filled(3, MultiHeadAttention, *sizes, qkv_bias=True).to(x.dtype)
    before = attention(x)[0]
    try:
        answer(attention, x[..., 1:], head)  # too narrow for the layer
    except Exception:
        if not outcome.close(attention(x)[0], before):
            yield finding(exercise, "not-restored-after-error")


MISTAKES = """
rows-for-columns: You set rows to zero. `nn.Linear` stores `(d_out, d_in)`: take columns, `weight[:, start:end]`.
    weight[:, head -> weight[head
head-count-dim: The slice is as wide as there are heads. A head is `head_dim` wide: `in_features // num_heads`.
    attention.out_proj.in_features // attention.num_heads -> attention.num_heads
width-typed: 32 is the width of a head in the page's model. Others differ: `out_proj.in_features // num_heads`.
    attention.out_proj.in_features // attention.num_heads -> 32
width-of-inputs: The width of a head is taken from `x`. Divide what enters `out_proj`: `attention.out_proj.in_features`.
    attention.out_proj.in_features -> x.shape[-1]
one-column: One column was set to zero. A head has `head_dim` of them: `head * head_dim : (head + 1) * head_dim`.
    head * head_dim : (head + 1) * head_dim -> head
slice-from-head: The slice begins at column `head`. It should be `head * head_dim : (head + 1) * head_dim`.
    head * head_dim : (head + 1) * head_dim -> head : head + head_dim
heads-interleaved: Every so many-th column is zero. A head is one block: `head * head_dim : (head + 1) * head_dim`.
    head * head_dim : (head + 1) * head_dim -> head :: attention.num_heads
not-restored: The head stays ablated. Keep the weight with `.clone()`, and write it back at the end; or, if you gave
    the layer a hook, remove it: `handle.remove()`.
    attention.out_proj.weight.copy_(kept) -> pass
not-restored-after-error: After an error in `attention(x)`, the head stays ablated: what stands below is never reached.
    Restore the layer in `finally:`, after `try:`.
    try: -> if True:
    finally: -> if True:
not-silenced: This is the output of the whole layer: no head is missing. Write the zeros into `out_proj.weight` itself,
    not into a copy, in a slice that is not empty, and call `attention(x)` while they stand there.
    attention.out_proj.weight[:, -> attention.out_proj.weight.clone()[:,
output-columns: Features of the *output* are zero, where all heads are mixed. Zero columns of `out_proj.weight` instead.
    with torch.no_grad():…attention.out_proj.weight[:, head * head_dim : (head + 1) * head_dim] = 0…return output ->
        output = attention(x)[0].clone() ⏎ output[..., head * head_dim : (head + 1) * head_dim] = 0 ⏎ return output
query-zeroed: The head's queries or keys are zero, and it still delivers. Zero columns of `out_proj.weight` instead.
    attention.out_proj.weight ->> attention.W_query.weight
    [:, head -> [head
    or
    attention.out_proj.weight ->> attention.W_key.weight
    [:, head -> [head
value-bias-left: The head still delivers, at least the bias of its values. Zero columns of `out_proj.weight` instead.
    attention.out_proj.weight ->> attention.W_value.weight
    [:, head -> [head
pair-returned:
    output, _ = attention(x) -> output = attention(x)
return-missing:
    return output ->
causal-forgotten: A causal layer sees the future here. Ask `attention.causal`, or let the layer attend: `attention(x)`.
    output, _ = attention(x) -> causal, attention.causal = attention.causal, False
        ⏎ output, _ = attention(x) ⏎ attention.causal = causal
bias-silenced: The bias of `out_proj` is missing from the output. It belongs to no head: leave it.
    return output -> return output - attention.out_proj.bias
"""

exercise = Exercise(
    without_head_solution,
    cases,
    MISTAKES,
    outputs=("output", "layer_afterwards"),
    observe=output_and_afterwards,
    behaviours=(stays_trainable, restores_after_an_error),
)
