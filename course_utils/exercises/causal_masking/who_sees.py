"""`my_who_sees(attend, inputs)`: a table of booleans that says which output changes when which token changes."""

import torch
import torch.nn.functional as F

from course_utils import attention
from course_utils.checks.behaviours import repeats
from course_utils.checks.exercise import Exercise


def who_sees_solution(attend, inputs):
    before, columns = attend(inputs), []
    for j in range(len(inputs)):
        changed = inputs.clone()
        changed[j] += 1.0
        columns.append((attend(changed) - before).abs().amax(dim=-1) > 1e-5)  # (num_tokens,)
    return torch.stack(columns, dim=1)


def attending(mask):
    """Return a function of inputs (num_tokens, width) that attends under a mask and returns outputs of the same shape.

    mask: bool, True where a query may attend. The values are made of the differences within each token.
    """

    def attend(x):
        values = 3 * (x - x.roll(1, dims=-1)) + x[..., :1]
        return attention.scaled_dot_product_attention(0.5 * x, x, values, mask)[0]

    return attend


def table_and_inputs(answer, attend, inputs):
    """Return (table, inputs): an answer's result, and the inputs after the call, which show whether it changed them.

    answer: the learner's function. attend: a function of inputs. inputs: (num_tokens, width).
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
table-transposed: The table lies on its side. A changed token fills a column: `torch.stack(columns, dim=1)`.
    torch.stack(columns, dim=1) -> torch.stack(columns)
joined-in-one: All columns stand one behind the other, in one row. Put them side by side: `torch.stack(…, dim=1)`.
    torch.stack(columns, dim=1) -> torch.cat(columns)
mask-inverted: True and False have changed places: True means that the output is *not* the same as before.
    > 1e-5 -> <= 1e-5
change-invisible: A token of zeros does not change: doubled, or set to 0, it is the same. Add 1 to all its numbers.
    changed[j] += 1.0 -> changed[j] *= 2
one-number-changed: An attention may look at some numbers of a token alone. Change all of them: `changed[j] += 1`.
    changed[j] += 1.0 -> changed[j, 0] += 1.0
    or
    changed[j] += 1.0 -> changed[j, -1] += 1.0
feature-changed: You change a column, which is one feature of all tokens. Token *j* is a row: `changed[j] += 1`.
    changed[j] += 1.0 -> changed[:, j] += 1.0
rows-not-joined: The table has an axis too many. An output has moved if *any* of its numbers has: `.any(dim=-1)`.
    .abs().amax(dim=-1) -> .abs()
outputs-joined: You ask whether anything at all has changed, for all outputs together. Ask for each: `.any(dim=-1)`.
    .abs().amax(dim=-1) > 1e-5 -> .abs().max().expand(len(inputs)) > 1e-5
    or
    columns.append(…) -> columns.append(not torch.allclose(attend(changed), before))
all-for-any: An output counts as changed only if *all* its numbers are. One is enough: `.any(dim=-1)`.
    .amax(dim=-1) -> .amin(dim=-1)
one-number-compared: You compare one number of each output. Another may have moved: ask for any of them, `.any(dim=-1)`.
    .abs().amax(dim=-1) -> .abs()[:, 0]
    or
    .abs().amax(dim=-1) -> .abs()[:, -1]
signed-change: Numbers that fall count as unchanged, or make up for those that rise. Take sizes first: `.abs()`.
    .abs().amax(dim=-1) -> .sum(dim=-1)
    or
    .abs().amax(dim=-1) -> .amax(dim=-1)
    or
    .abs().amax(dim=-1) > 1e-5 -> .sum(dim=-1) != 0
features-joined: You ask which *features* have moved. The table is about tokens: `any` along the last axis, `dim=-1`.
    .amax(dim=-1) -> .amax(dim=0)
size-returned: The size of each change comes back. True or False is asked for: compare with a small number, `> 1e-5`.
    > 1e-5) -> )
before-too-late: Nothing moves: both outputs are of one tensor, or the change is too small to be seen. Call
    `attend(inputs)` once, above the loop; add 1 to a clone, and call `attend` on that.
    attend(changed) -> attend(inputs)
first-left-out: The first column is missing, or all False. Each token must change, the first too: `range(len(inputs))`.
    range(len(inputs)) -> range(1, len(inputs))
    or
    torch.stack(columns, dim=1) -> torch.stack(columns, dim=1) & (torch.arange(len(inputs)) > 0)
last-left-out: The last column is missing, or all False. Each token is changed, the last, too: `range(len(inputs))`.
    range(len(inputs)) -> range(len(inputs) - 1)
    or
    torch.stack(columns, dim=1) -> torch.stack(columns, dim=1) & (torch.arange(len(inputs)) < len(inputs) - 1)
causal-assumed: The table is a causal mask, whatever `attend` does. Call `attend`, and see which outputs move.
    torch.stack(columns, dim=1) -> torch.ones(len(inputs), len(inputs)).bool().tril()
previous-turn: Each turn is compared with the turn before it. Compare with one `attend(inputs)`, above the loop.
    # (num_tokens,) -> ⏎ before = attend(changed)
others-only: The diagonal is False. An output sees its own token too, if the mask lets it: compare all outputs.
    torch.stack(columns, dim=1) -> torch.stack(columns, dim=1) & ~torch.eye(len(inputs)).bool()
future-only: Only outputs before the changed token are compared, as in a leak test. Here all of them are asked for.
    torch.stack(columns, dim=1) -> torch.stack(columns, dim=1).triu(1)
later-only: Only outputs from the changed token on are compared. An earlier one may see it, too: compare all of them.
    torch.stack(columns, dim=1) -> torch.stack(columns, dim=1).tril()
first-only: Only token 0 is changed. The table has a column for each: `return` after the loop, not inside.
    # (num_tokens,) -> ⏎ return torch.stack(columns, dim=1)
last-only: Only the last token has its column. Keep one for each: change token after token, in a loop over all.
    for j in range(len(inputs)): -> for j in [len(inputs) - 1]:
    or
    columns.append( -> columns = list(torch.zeros(len(inputs), len(inputs), dtype=torch.bool)); columns[-1] = (
outputs-joined: A column is a single number. It has one for each output: `.any(dim=-1)`, and no `[0]` behind `attend`.
    .abs().amax(dim=-1) > 1e-5 -> .abs().max() > 1e-5
first-of-pair: A column is a single number. It has one for each output: `.any(dim=-1)`, and no `[0]` behind `attend`.
    attend(inputs), [] -> attend(inputs)[0], []
    attend(changed) -> attend(changed)[0]
first-of-pair: Only output 0 is compared. `attend` gives one tensor here, no pair, and `[0]` is its first row.
    attend(inputs), [] -> attend(inputs)[0], []
    columns.append((attend(changed) - before).abs().amax(dim=-1) -> columns.append(
        (attend(changed)[0] - before).abs().amax(dim=-1).expand(len(inputs))
    or
    attend(inputs), [] -> attend(inputs)[0], []
    attend(changed) -> attend(changed)[0]
    torch.stack(columns, dim=1) -> torch.stack(columns)
two-results: `attend` gives one tensor here, not a pair: keep it under one name.
    before, columns = attend(inputs), [] -> (before, _), columns = attend(inputs), []
features-counted: You go through the features, `inputs.shape[1]`. The table has a column for each token: `len(inputs)`.
    range(len(inputs)) -> range(inputs.shape[1])
changes-kept: The changes pile up: each token stays changed after its turn. Begin each turn with `inputs.clone()`.
    before, columns = attend(inputs), [] -> before, columns, changed = attend(inputs), [], inputs.clone()
    changed = inputs.clone() ->
input-changed: The changes pile up, in `inputs` itself. Begin each turn with `inputs.clone()`.
    inputs.clone() -> inputs
token-taken-out: There are fewer outputs than before, and they cannot be compared. Leave all tokens in, and change one:
    `changed = inputs.clone()`, then `changed[j] += 1`.
    changed = inputs.clone() -> changed = torch.cat([inputs[:j], inputs[j + 1 :]])
    changed[j] += 1.0 ->
    or
    changed = inputs.clone() -> changed = inputs[: j + 1] + 1.0
    changed[j] += 1.0 ->
token-alone: `attend` gets the changed token without the others. Hand in the whole text with one token changed:
    `changed = inputs.clone()`, then `changed[j] += 1`.
    changed = inputs.clone() -> changed = inputs[j : j + 1] + 1.0
    changed[j] += 1.0 ->
    or
    changed = inputs.clone() -> changed = inputs[j] + 1.0
    changed[j] += 1.0 ->
everything-changed: More tokens than one change at once, so nobody can say which of them moved an output. Change one
    alone: `changed = inputs.clone()`, then `changed[j] += 1`.
    changed = inputs.clone() -> changed = inputs + 1.0
    changed[j] += 1.0 ->
inputs-compared: The outputs are compared with the inputs. Compare them with those before the change, `attend(inputs)`.
    (attend(changed) - before) -> (attend(changed) - inputs)
attend-not-called: Inputs are compared with inputs. It is outputs that move: `attend(changed)` with `attend(inputs)`.
    (attend(changed) - before) -> (changed - inputs)
diagonal-only: The table is False but on its diagonal. A changed token may move other outputs: compare all of them.
    torch.stack(columns, dim=1) -> torch.stack(columns, dim=1) & torch.eye(len(inputs)).bool()
    or
    torch.stack(columns, dim=1) -> torch.stack(columns, dim=1).any(dim=0).diag()
small-changes-lost: Outputs that move a little count as unchanged. Compare with a small number, such as `> 1e-5`.
    > 1e-5 -> > 0.5
    or
    > 1e-5 -> > 1.0
    or
    > 1e-5 -> > 0.1
    or
    (attend(changed) - before).abs().amax(dim=-1) > 1e-5 -> (attend(changed).round() != before.round()).any(dim=-1)
    or
    (attend(changed) - before).abs().amax(dim=-1) > 1e-5 -> (attend(changed).long() != before.long()).any(dim=-1)
brackets-missing: `inputs.clone` without brackets is a function, and no tensor: `inputs.clone()`.
    inputs.clone() -> inputs.clone
"""

exercise = Exercise(
    who_sees_solution,
    cases,
    MISTAKES,
    outputs=("table", "inputs_afterwards"),
    observe=table_and_inputs,
    behaviours=(repeats,),
)
