"""`my_who_sees(attend, inputs)`: which output moves when which token changes, as a table of booleans."""

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
    """Attention whose rows see what the mask opens; the values are three times the inputs' differences."""

    def attend(x):
        values = 3 * (x - x.roll(1, dims=-1)) + x[..., :1]
        return attention.scaled_dot_product_attention(0.5 * x, x, values, mask)[0]

    return attend


def table_and_inputs(answer, attend, inputs):
    """The inputs are looked at afterwards, so that changing them is seen as what it is."""
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
    yield "attention blind to the first number", lambda x: attending(causal)(x[:, 1:]), draw(5, 3)
    yield "outputs whose first number never moves", lambda x: F.pad(attending(causal)(x), (1, 0)), draw(5, 3)
    yield "outputs whose last number never moves", lambda x: F.pad(attending(causal)(x), (0, 1)), draw(5, 3)
    yield "outputs that can only fall", lambda x: -x.cumsum(dim=0), draw(4, 3)
    yield "outputs of what came before", lambda x: F.pad(x[:-1].cumsum(dim=0), (0, 0, 1, 0)), draw(4, 3)
    yield "outputs of a number and its negative", lambda x: x.cumsum(dim=0)[:, :1] * one_and_minus, draw(4, 3)
    yield "outputs wider than the inputs", lambda x: attending(causal)(x).repeat(1, 3), draw(5, 3)
    yield "a single token", attending(torch.ones(1, 1).bool()), draw(1, 3)


MISTAKES = """
table-transposed: The table lies on its side. One turn of the loop changes one token, and gives a *column*:
    `torch.stack(columns, dim=1)`.
    torch.stack(columns, dim=1) -> torch.stack(columns)
joined-in-one: All columns stand one behind the other in one long row. Put them side by side: `torch.stack(…, dim=1)`.
    torch.stack(columns, dim=1) -> torch.cat(columns)
mask-inverted: True and False have changed places: True should mean that the output changed, so look for what is *not*
    equal.
    > 1e-5 -> <= 1e-5
change-invisible: Your change does not show everywhere: a token of zeros, doubled or set to 0, is a token of zeros. Add
    something, to all its numbers.
    changed[j] += 1.0 -> changed[j] = 0.0
    or
    changed[j] += 1.0 -> changed[j] *= 2
one-number-changed: You changed the first number of the token alone. An attention that looks at the others does not
    notice: change them all, `changed[j] += 1`.
    changed[j] += 1.0 -> changed[j, 0] += 1.0
feature-changed: You change a column, which is one feature of all tokens. Token *j* is a row: `changed[j] += 1`.
    changed[j] += 1.0 -> changed[:, j] += 1.0
rows-not-joined: You compare number by number, and the table has an axis too many. An output has changed if *any* of its
    numbers has: `.any(dim=-1)`.
    .abs().amax(dim=-1) -> .abs()
outputs-joined: You ask whether anything at all has changed, for all outputs together. Ask it for each: `.any(dim=-1)`.
    .abs().amax(dim=-1) > 1e-5 -> .abs().max().expand(len(inputs)) > 1e-5
    or
    .abs().amax(dim=-1) > 1e-5 -> .abs().max() > 1e-5
    or
    columns.append((attend(changed) - before).abs().amax(dim=-1) > 1e-5) ->
        columns.append(not torch.allclose(attend(changed), before))
all-for-any: You ask whether *all* numbers of an output have changed. One is enough: `any`, not `all`.
    .amax(dim=-1) -> .amin(dim=-1)
one-number-compared: You compare one number of each output. The others may have moved: ask for any of them,
    `.any(dim=-1)`.
    .abs().amax(dim=-1) -> .abs()[:, 0]
signed-change: Numbers that fall count as unchanged, or make up for those that rise. Take the size of each change first:
    `.abs()`.
    .abs().amax(dim=-1) -> .sum(dim=-1)
    or
    .abs().amax(dim=-1) -> .amax(dim=-1)
    or
    .abs().amax(dim=-1) -> .mean(dim=-1)
    or
    .abs().amax(dim=-1) > 1e-5 -> .sum(dim=-1) != 0
features-joined: You ask which *features* have moved. The table is about tokens: `any` goes along the last axis,
    `dim=-1`.
    .amax(dim=-1) -> .amax(dim=0)
size-returned: You keep the size of the change. True or False is asked for: compare it with a small number, `> 1e-5`.
    > 1e-5) -> )
before-too-late: Nothing moves: the outputs before are taken after the change, or from the changed tensor, or the change
    is too small to be seen. Call `attend(inputs)` once, above the loop; add 1 to a clone, and call `attend` on that.
    changed[j] += 1.0 -> changed[j] += 1.0 ⏎ before = attend(changed)
    or
    attend(changed) -> attend(inputs)
first-left-out: The first column is missing: your loop begins at 1, as in the leak test, where token 0 has nothing
    before it. Here each token is changed: `range(len(inputs))`.
    range(len(inputs)) -> range(1, len(inputs))
last-left-out: The last column is missing: your loop ends one too early. `range(len(inputs))` goes through all of them.
    range(len(inputs)) -> range(len(inputs) - 1)
others-only: You left out the token itself, on the diagonal. An output sees its own token too, if the mask lets it.
    torch.stack(columns, dim=1) -> torch.stack(columns, dim=1) & ~torch.eye(len(inputs)).bool()
future-only: You compare only outputs before the changed token. That is the leak test; here all outputs are asked for.
    torch.stack(columns, dim=1) -> torch.stack(columns, dim=1).triu(1)
later-only: You compare only the outputs from the changed token on. An earlier one may see it too, where nothing is
    hidden: ask all of them.
    torch.stack(columns, dim=1) -> torch.stack(columns, dim=1).tril()
first-only: The `return` stands inside the loop, one level too deep: only the first token is ever changed.
    # (num_tokens,) -> ⏎ return torch.stack(columns, dim=1)
last-only: Only the last token is changed. The table has a column for each: a loop over all of them.
    for j in range(len(inputs)): -> for j in [len(inputs) - 1]:
    or
    columns.append( -> columns = list(torch.zeros(len(inputs), len(inputs), dtype=torch.bool)); columns[-1] = (
first-of-pair: `attend` gives one tensor here, `(num_tokens, d_out)`, and your `[0]` takes the first token out of it.
    Leave it away.
    attend(inputs), [] -> attend(inputs)[0], []
    attend(changed) -> attend(changed)[0]
two-results: `attend` gives one tensor here, not a pair: leave out the second name, and the `_`.
    before, columns = attend(inputs), [] -> (before, _), columns = attend(inputs), []
features-counted: You go through the features, `inputs.shape[1]`. The table has a column for each token:
    `len(inputs)`.
    range(len(inputs)) -> range(inputs.shape[1])
changes-kept: The changes pile up: the copy is made once, above the loop, and token *j* stays changed in it. Make the
    copy inside the loop, `changed = inputs.clone()`.
    before, columns = attend(inputs), [] -> before, columns, changed = attend(inputs), [], inputs.clone()
    changed = inputs.clone() ->
input-changed: The changes pile up: after the turn of token *j* it stays changed, in `inputs` itself. Begin each turn
    with `inputs.clone()`.
    inputs.clone() -> inputs
token-taken-out: Your text is shorter than before, so its outputs do not stand beside the old ones. Leave all tokens in,
    and change one: `changed = inputs.clone()`, then `changed[j] += 1`.
    changed = inputs.clone() -> changed = torch.cat([inputs[:j], inputs[j + 1 :]])
    changed[j] += 1.0 ->
    or
    changed = inputs.clone() -> changed = inputs[: j + 1] + 1.0
    changed[j] += 1.0 ->
token-alone: `attend` gets the changed token alone, without the others. Hand in the whole text with one token changed:
    `changed = inputs.clone()`, then `changed[j] += 1`.
    changed = inputs.clone() -> changed = inputs[j : j + 1] + 1.0
    changed[j] += 1.0 ->
    or
    changed = inputs.clone() -> changed = inputs[j] + 1.0
    changed[j] += 1.0 ->
everything-changed: All tokens change at once, so nobody can say which of them moved an output. Change one alone:
    `changed = inputs.clone()`, then `changed[j] += 1`.
    changed = inputs.clone() -> changed = inputs + 1.0
    changed[j] += 1.0 ->
    or
    changed = inputs.clone() -> changed = torch.zeros_like(inputs)
    or
    changed = inputs.clone() -> changed = torch.zeros_like(inputs)
    changed[j] += 1.0 -> changed[j] = inputs[j] + 1.0
inputs-compared: You compare the outputs with the inputs. Compare them with the outputs before the change,
    `attend(inputs)`.
    (attend(changed) - before) -> (attend(changed) - inputs)
attend-not-called: You compare the changed inputs with the inputs. The outputs are what may have moved:
    `attend(changed)` with `attend(inputs)`.
    (attend(changed) - before) -> (changed - inputs)
"""

exercise = Exercise(
    who_sees_solution,
    cases,
    MISTAKES,
    outputs=("table", "inputs_afterwards"),
    observe=table_and_inputs,
    behaviours=(repeats,),
)
