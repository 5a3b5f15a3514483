"""`my_measure_without(layers, measure)`: a table of what is measured with each head silenced, one at a time."""

import torch
from torch import nn

from course_utils.attention import MultiHeadAttention
from course_utils.checks.behaviours import repeats
from course_utils.checks.exercise import Exercise
from course_utils.checks.form import Form
from course_utils.models.ablation import silenced


def measure_without_solution(layers, measure):
    table = torch.zeros(len(layers), layers[0].attention.num_heads)  # (num_layers, num_heads)
    for number, layer in enumerate(layers):
        for head in range(table.shape[1]):
            with silenced(layer.attention, head):
                table[number, head] = measure()
    return table


def cases(draw):
    yield "2 layers of 4 heads", 2, 4, draw(5, 12)
    yield "3 layers of 2 heads", 3, 2, draw(4, 6)
    yield "as many layers as heads", 3, 3, draw(4, 9)
    yield "one layer of 5 heads", 1, 5, draw(3, 10)
    yield "one head in each layer", 2, 1, draw(4, 3)


class Layer(nn.Module):
    """A layer that has nothing but its attention, in which heads can be silenced."""

    def __init__(self, width, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(width, width, num_heads)


def table_and_afterwards(answer, num_layers, num_heads, x):
    """Return an answer's table, and what is measured after the call, when no head should be silenced, as (1,).

    answer: the learner's function of (layers, measure). num_layers, num_heads: how many of them the layers have. x: the
    inputs, (..., width); `measure` returns the mean square of the last layer's output.
    """
    layers = nn.ModuleList(Layer(x.shape[-1], num_heads) for _ in range(num_layers))
    with torch.no_grad():
        for place, parameter in enumerate(layers.parameters()):
            parameter.copy_(torch.sin(torch.arange(parameter.numel()) * (place + 1.3)).view_as(parameter))

    @torch.no_grad()
    def measure():
        result = x
        for layer in layers:
            result = result + layer.attention(result)[0]
        return result.square().mean().item()

    return answer(layers, measure), torch.tensor([measure()])


def in_lists(layers, measure):
    """Return the solution's table, made of a list for each layer."""
    rows = []
    for layer in layers:
        row = []
        for head in range(layer.attention.num_heads):
            with silenced(layer.attention, head):
                row.append(measure())
        rows.append(row)
    return torch.tensor(rows)


IN_LISTS = """
list-returned:
    torch.tensor(rows) -> rows
one-list: All numbers stand in one row. Give each layer a row of its own: `(num_layers, num_heads)`.
    rows.append(row) -> rows += row
    or
    torch.tensor(rows) -> torch.tensor(rows).flatten()[None]
one-column: All numbers stand in one column. Give each layer a row of its own: `(num_layers, num_heads)`.
    torch.tensor(rows) -> torch.tensor(rows).view(-1, 1)
cells-in-brackets: There is a third axis, of length 1. Each place holds a number itself: `(num_layers, num_heads)`.
    row.append(measure()) -> row.append([measure()])
first-layer-kept: Only the first layer comes back. Give each layer its row, and `return` below both loops.
    rows.append(row) -> return torch.tensor([row])
    or
    rows.append(row) -> return torch.tensor(row)
last-layer-kept: Only the last layer comes back. Make the table before the loops, or add a row for each layer.
    rows.append(row) -> rows = [row]
    or
    torch.tensor(rows) -> torch.tensor(rows[-1])
last-of-each: One number for each layer comes back, that of its last head. Keep those of all its heads, in one row.
    row.append(measure()) -> row = [measure()]
layer-mean: One number for each layer comes back. Each head has a number of its own: no mean, no sum, no maximum.
    torch.tensor(rows) -> torch.tensor(rows).mean(dim=-1)
    or
    torch.tensor(rows) -> torch.tensor(rows).sum(dim=-1)
    or
    torch.tensor(rows) -> torch.tensor(rows).amax(dim=-1)
layers-together: One number for each head comes back, of all layers together. Give each layer a row of its own.
    torch.tensor(rows) -> torch.tensor(rows).sum(dim=0)
measure-takes-nothing: `measure` takes nothing: call it with empty brackets, `measure()`.
    measure() -> measure(layers)
    or
    measure() -> measure(layers, head)
row-made-once: Each layer's numbers follow those of the layers before. Begin a new row, `row = []`, for each layer.
    rows = []…row = [] -> rows, row = [], []…
measure-not-called: `measure` is a function: call it, `measure()`.
    measure() -> measure
cut-wrong: The table is cut into rows of another length. A row is one layer: `reshape(num_layers, num_heads)`.
    torch.tensor(rows) -> torch.tensor(rows).view(-1, len(layers))
cut-in-wrong-order: The shape is right, the order is not: the layers follow one another in a row. A row is one layer.
    Let the outer loop run over the layers.
    torch.tensor(rows) -> torch.tensor(rows).T.reshape(len(layers), -1)
"""


def by_hand(layers, measure):
    """Return the solution's table without `silenced`: zeros where `out_proj` reads the head, then its numbers again."""
    table = torch.zeros(len(layers), layers[0].attention.num_heads)
    for number, layer in enumerate(layers):
        weight = layer.attention.out_proj.weight
        head_dim = weight.shape[1] // table.shape[1]
        for head in range(table.shape[1]):
            kept = weight.detach().clone()
            with torch.no_grad():
                weight[:, head * head_dim : (head + 1) * head_dim] = 0
                table[number, head] = measure()
                weight.copy_(kept)
    return table


BY_HAND = """
not-restored: Heads stay silenced, from turn to turn more. Call `measure()` inside of `with silenced(…):`, which brings
    its head back at its end; by hand, write a `.clone()` of the weight back.
    weight.copy_(kept) ->
rows-for-columns: Rows of `out_proj.weight` are 0. A head enters by columns, `weight[:, start:end]`: `silenced` does it.
    weight[:, head -> weight[head
inputs-zeroed: You silenced some of the inputs, for all heads. One head alone: `silenced(attention, head)`.
    layer.attention.out_proj.weight -> layer.attention.W_value.weight
query-zeroed: Only the head's queries or keys are silent: it still delivers. Use `silenced(attention, head)`.
    layer.attention.out_proj.weight -> layer.attention.W_query.weight
    weight[:, head -> weight[head
"""
MISTAKES = """
not-restored: Heads stay silenced, from turn to turn more. At its end, a `with silenced(…):` brings its head back.
    for number, layer -> from contextlib import ExitStack ⏎ stack = ExitStack() ⏎ for number, layer
    with silenced(layer.attention, head):…table[number -> stack.enter_context(silenced(layer.attention, head))
        ⏎ table[number
all-before: A head and all those before it are silent. One at a time: `silenced(attention, head)`.
    silenced(layer.attention, head) -> silenced(layer.attention, *range(head + 1))
heads-before: The heads before the one that is meant are silent, and it is not: `silenced(attention, head)`.
    silenced(layer.attention, head) -> silenced(layer.attention, *range(head))
all-but-one: All heads of the layer but one are silent. Asked for is the other way round: `silenced(attention, head)`.
    silenced(layer.attention, head) -> silenced(layer.attention, *{*range(table.shape[1])} - {head})
whole-layer: The whole layer is silent. One head at a time: `silenced(attention, head)`, without a `range`.
    silenced(layer.attention, head) -> silenced(layer.attention, *range(table.shape[1]))
one-head-only: Head 0 is silent each time. Use the head of the loop: `silenced(attention, head)`.
    silenced(layer.attention, head) -> silenced(layer.attention, 0)
list-of-heads: `silenced` takes numbers, one after the other, and no list: `silenced(attention, head)`.
    silenced(layer.attention, head) -> silenced(layer.attention, [head])
head-off-by-one: The head after the one that is meant is silent. Heads are counted from 0: `range(num_heads)`.
    silenced(layer.attention, head) -> silenced(layer.attention, (head + 1) % table.shape[1])
counted-from-one: A head beyond the last is asked for. Heads are counted from 0: `range(num_heads)`.
    range(table.shape[1]) -> range(1, table.shape[1] + 1)
first-head-missing: Head 0 is left out: its column is still 0. Heads are counted from 0: `range(num_heads)`.
    range(table.shape[1]) -> range(1, table.shape[1])
last-head-missing: The last head is left out: its column is still 0. `range(num_heads)` reaches it.
    range(table.shape[1]) -> range(table.shape[1] - 1)
heads-reversed: The heads of each layer stand in reverse order: column 0 is head 0.
    table[number, head] -> table[number, -1 - head]
layers-reversed: The layers stand in reverse order: row 0 is layer 0, the one that reads the tokens first.
    table[number, head] -> table[-1 - number, head]
every-layer: This head is silent in every layer at once. Take one layer: `layers[number].attention`.
    with silenced(layer.attention, head): -> from contextlib import ExitStack
        ⏎ with ExitStack() as stack: ⏎     for each in layers:
        ⏎         stack.enter_context(silenced(each.attention, head))
first-layer-only: The head is silent in layer 0 each time. Use the layer of the loop: `layers[number].attention`.
    silenced(layer.attention -> silenced(layers[0].attention
indices-swapped: Layer and head have changed places. The layer's number belongs in `layers[…]`, the head's in
    `silenced(…, head)`.
    silenced(layer.attention, head) -> silenced(layers[head].attention, number)
not-silenced: Every number is that of the whole model: `measure()` runs when no head is silenced. Call it indented
    under `with silenced(…):`. After the block, or without `with`, all are back.
    with silenced(layer.attention, head):…table[number, head] -> silenced(layer.attention, head) ⏎ table[number, head]
axes-swapped: Rows and columns have changed places: a row for each layer, `(num_layers, num_heads)`.
    return table -> return table.transpose(0, 1)
    or
    table[number, head] -> table[head, number]
last-only: Only the last number comes back. Keep each in its place in a table.
    table[number, head] = -> table =
    or
    return table -> return table[-1, -1]
    or
    table[number, head] = -> found =
    return table -> return torch.tensor([found])
return-in-loop: Not all heads have had their turn. A `return` ends every loop: it belongs below both.
    table[number, head] = measure() -> return measure()
    or
    for head in range(table.shape[1]):…= measure() -> for head in range(table.shape[1]):…= measure() ⏎ return table
nothing-stored: The table is still full of zeros. Store what `measure()` gives back: `table[number, head] = measure()`.
    table[number, head] = measure() -> measure()
row-overwritten: All columns hold the last head's number. Silence `head`, and store in `table[number, head]`.
    table[number, head] -> table[number]
column-overwritten: All rows hold the last layer's numbers. Silence in `layers[number]`, store in `table[number, head]`.
    table[number, head] -> table[:, head]
difference-returned: You returned how much was lost or won. Asked for is what was measured: `measure()` alone.
    for number -> whole = measure() ⏎ for number
    = measure() -> = whole - measure()
    or
    for number -> whole = measure() ⏎ for number
    = measure() -> = measure() - whole
share-returned: You divided by what the whole model gives. Asked for is what was measured: `measure()` alone.
    for number -> whole = measure() ⏎ for number
    = measure() -> = measure() / whole
    or
    for number -> whole = measure() ⏎ for number
    = measure() -> = (measure() - whole) / whole
heads-typed-in: The number of heads is 4, as in the page's model. Read it off: `layers[0].attention.num_heads`.
    layers[0].attention.num_heads -> 4
    or
    layers[0].attention.num_heads -> 4
    range(table.shape[1]) -> range(layer.attention.num_heads)
    or
    range(table.shape[1]) -> range(4)
sizes-typed-in: The sizes are those of the page's model, 2 layers and 4 heads. Read them off: `len(layers)` and
    `layers[0].attention.num_heads`.
    len(layers), layers[0].attention.num_heads -> 2, 4
    or
    len(layers), layers[0].attention.num_heads -> 2, 4
    for number, layer in enumerate(layers): -> for number in range(2): ⏎     layer = layers[number]
layers-typed-in: The number of layers is 2, as in the page's model. Read it off: `len(layers)`.
    len(layers) -> 2
function-stored: A function was put into the table. Call it, and store what it gives back: `measure()`.
    = measure() -> = measure
layer-for-attention: The layer has no heads, its attention has: `silenced(layers[number].attention, head)`.
    silenced(layer.attention, head) -> silenced(layer, head)
rounded: The numbers are cut to whole ones. Make a table of floats: `torch.zeros(num_layers, num_heads)`.
    torch.zeros(len(layers), layers[0].attention.num_heads) ->
        torch.zeros(len(layers), layers[0].attention.num_heads, dtype=torch.long)
two-at-once: A second head is silent as well. One at a time: `silenced(attention, head)`.
    silenced(layer.attention, head) -> silenced(layer.attention, head, (head + 1) % table.shape[1])
layer-as-index: A layer is no index of a table. Count them: `for number, layer in enumerate(layers)`.
    table[number, head] -> table[layer, head]
"""

exercise = Exercise(
    measure_without_solution,
    cases,
    MISTAKES,
    also=(Form(__name__, "in_lists", IN_LISTS), Form(__name__, "by_hand", BY_HAND)),
    outputs=("table", "measured_afterwards"),
    observe=table_and_afterwards,
    behaviours=(repeats,),
)
