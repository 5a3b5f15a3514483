"""`my_who_sees(attend, inputs)`: a table of booleans that says which output changes when which token changes."""

import torch
import torch.nn.functional as F

from course_utils import attention
from course_utils.checks.exercise import Exercise


def who_sees_solution(attend, inputs):
    before, columns = attend(inputs), []
    for j in range(len(inputs)):
        changed = inputs.clone()
        changed[j] += 1.0
        columns.append((attend(changed) - before).abs().amax(dim=-1) > 1e-5)  # (num_tokens,)
    return torch.stack(columns, dim=1)


def attending(mask):
    """Return a function, self-attention under a mask, from inputs (num_tokens, width) to outputs of the same shape.

    mask: (num_tokens, num_tokens) bool, True = may attend. Queries are half the inputs, keys the inputs, and values a
    fixed mix of the numbers of each token.
    """

    def attend(x):
        values = 3 * (x - x.roll(1, dims=-1)) + x[..., :1]
        return attention.scaled_dot_product_attention(0.5 * x, x, values, mask)[0]

    return attend


def table_and_inputs(answer, attend, inputs):
    """Call answer(attend, inputs); return (its table, the same inputs, which show whether it changed them).

    attend: the function that the answer examines. inputs: (num_tokens, width).
    """
    return answer(attend, inputs), inputs


def cases(draw):
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    everything = attending(torch.ones(5, 5, dtype=torch.bool))
    window = causal & ~torch.ones(5, 5).tril(-2).bool()
    scattered = torch.tensor([[1, 0, 0, 1], [1, 1, 0, 0], [0, 0, 1, 0], [0, 1, 1, 1]]).bool()
    one_and_minus = torch.tensor([1.0, -1.0])
    with_zeros = draw(5, 3) * torch.tensor([[1.0], [1], [0], [1], [1]])
    yield "4 tokens, 3 wide, attention with holes", attending(scattered), draw(4, 3)
    yield "causal attention, 5 tokens", attending(causal), draw(5, 3)
    yield "attention to everything", everything, draw(5, 3)
    yield "the present word and the last", attending(window), draw(5, 4)
    yield "the future and itself", attending(causal.transpose(0, 1)), draw(5, 4)
    yield "a token of zeros", attending(causal), with_zeros
    yield "each token sees itself alone", attending(torch.eye(4).bool()), draw(4, 3)
    yield "attention blind to the first and the last number", lambda x: attending(causal)(x[:, 1:-1]), draw(5, 4)
    yield "outputs whose first number never moves", lambda x: F.pad(attending(causal)(x), (1, 0)), draw(5, 3)
    yield "outputs whose last number never moves", lambda x: F.pad(attending(causal)(x), (0, 1)), draw(5, 3)
    yield "outputs that can only fall", lambda x: -x.cumsum(dim=0), draw(4, 3)
    yield "outputs of what came before", lambda x: F.pad(x[:-1].cumsum(dim=0), (0, 0, 1, 0)), draw(11, 3)
    yield "outputs of a number and its negative", lambda x: x.cumsum(dim=0)[:, :1] * one_and_minus, draw(4, 3)
    yield "outputs wider than the inputs", lambda x: attending(causal)(x).repeat(1, 3), draw(5, 3)
    yield "a single token", attending(torch.ones(1, 1).bool()), draw(1, 3)


MISTAKES = """
change-invisible: A token of zeros does not change: doubled, or set to 0, it is the same. Add 1 to all its numbers.
    changed[j] += 1.0 -> changed[j] *= 2
change-too-small: Your change is so small that rounding swallows it. Add 1 to all numbers of the token.
    changed[j] += 1.0 -> changed[j] += 1e-8
    > 1e-5 -> > 0
all-for-any: An output counts as changed only if *all* its numbers are. One is enough: `.any(dim=-1)`.
    .amax(dim=-1) -> .amin(dim=-1)
signed-change: Numbers that fall count as unchanged, or make up for those that rise. Take sizes first: `.abs()`.
    .abs().amax(dim=-1) -> .sum(dim=-1)
not-joined: Each number of an output is compared, and a token has one answer. Join its numbers: `.any(dim=-1)`.
    .abs().amax(dim=-1) > 1e-5 -> .abs() > 1e-5
    or
    .abs().amax(dim=-1) > 1e-5 -> .abs() > 1e-5
    torch.stack(columns, dim=1) -> torch.stack(columns, dim=-1)
    or
    .abs().amax(dim=-1) > 1e-5 -> .abs() > 1e-5
    torch.stack(columns, dim=1) -> torch.stack(columns)
outputs-with-inputs: Outputs and inputs are compared. Compare two outputs, `attend(changed)` and `attend(inputs)`.
    (attend(changed) - before) -> (attend(changed) - inputs)
    or
    (attend(changed) - before) -> (attend(changed) - changed)
    or
    (attend(changed) - before) -> (changed - before)
before-too-late: Nothing moves. Call `attend(inputs)` above the loop; add 1 to a clone, and call `attend` on that.
    attend(changed) -> attend(inputs)
first-left-out: The first column is missing, or all False. Each token must change, the first too: `range(len(inputs))`.
    range(len(inputs)) -> range(1, len(inputs))
future-only: Only outputs before the changed token are compared, as in a leak test. Here all of them are asked for.
    torch.stack(columns, dim=1) -> torch.stack(columns, dim=1).triu(1)
past-only: Outputs before the changed token are never compared: above the diagonal all is False. Compare all of them.
    torch.stack(columns, dim=1) -> torch.stack(columns, dim=1).tril()
outputs-joined: A column is a single number. It has one for each output: `.any(dim=-1)`, and no `[0]` behind `attend`.
    .abs().amax(dim=-1) > 1e-5 -> .abs().max() > 1e-5
    or
    (attend(changed) - before).abs().amax(dim=-1) > 1e-5 -> (attend(changed) != before).any().expand(len(inputs))
features-counted: You go through the features, `inputs.shape[1]`. The table has a column for each token: `len(inputs)`.
    range(len(inputs)) -> range(inputs.shape[1])
changes-kept: The changes pile up: each token stays changed after its turn. Begin each turn with `inputs.clone()`.
    before, columns = attend(inputs), [] -> before, columns, changed = attend(inputs), [], inputs.clone()
    changed = inputs.clone() ->
input-changed: The changes pile up, in `inputs` itself. Begin each turn with `inputs.clone()`.
    inputs.clone() -> inputs
token-taken-out: There are fewer outputs than before. Leave all tokens in, and change one: `changed[j] += 1`.
    changed = inputs.clone() -> changed = torch.cat([inputs[:j], inputs[j + 1 :]])
    changed[j] += 1.0 ->
token-alone: `attend` gets one token alone. Hand in the whole text: `inputs.clone()`, then `changed[j] += 1`.
    changed = inputs.clone() -> changed = inputs[j : j + 1] + 1.0
    changed[j] += 1.0 ->
signed-change: Numbers that fall count as unchanged. Take the size of each change first: `.abs()`.
    .abs().amax(dim=-1) -> .amax(dim=-1)
sums-compared: You compare sums, in which changes cancel. Compare each number, then join with `.any(dim=-1)`.
    (attend(changed) - before).abs().amax(dim=-1) -> (attend(changed).sum(dim=-1) - before.sum(dim=-1)).abs()
first-number-only: You compare the first number of each output alone. Compare all: `.any(dim=-1)`, not `[:, 0]`.
    .abs().amax(dim=-1) -> .abs()[:, 0]
one-number-changed: You change the first number of a token alone. Attention may overlook it: change all, `changed[j]`.
    changed[j] += -> changed[j, 0] +=
tolerance-too-large: Small changes count as none. Make the step large and the bound small: `+= 1.0`, and `> 1e-5`.
    changed[j] += 1.0 -> changed[j] += 0.01
    > 1e-5 -> > 1e-2
attend-unused: `attend` is not called, so nothing is measured. Compare `attend(changed)` with `attend(inputs)`.
    return torch.stack(columns, dim=1) -> return torch.ones(len(inputs), len(inputs)).bool().tril()
    or
    (attend(changed) - before) -> (changed - inputs)
any-over-tokens: You ask over the tokens, `dim=0`. A token's numbers lie on the last axis: `.any(dim=-1)`.
    .amax(dim=-1) -> .amax(dim=0)
token-taken-out: You take a token out, and `attend` meets another length. Leave all in, and change one.
    before, columns = …return torch.stack(columns, dim=1) -> before = attend(inputs)
        ⏎ table = torch.zeros(len(inputs), len(inputs)).bool() ⏎ for j in range(len(inputs)):
        ⏎     rest = torch.arange(len(inputs)) != j
        ⏎     table[rest, j] = ((attend(inputs[rest]) - before[rest]).abs() > 1e-5).any(dim=-1) ⏎ return table
last-left-out: The last token is never changed: its column is missing, or all False. Go on to the end.
    range(len(inputs)) -> range(len(inputs) - 1)
first-left-out: The first token is never changed: its column stays False. Begin at 0: `range(len(inputs))`.
    torch.stack(columns, dim=1) -> F.pad(torch.stack(columns, dim=1)[:, 1:], (1, 0))
"""

OUTPUTS = ("table", "inputs_afterwards")
exercise = Exercise(who_sees_solution, cases, MISTAKES, outputs=OUTPUTS, observe=table_and_inputs)
