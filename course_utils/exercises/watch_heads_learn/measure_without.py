"""`my_measure_without(layers, measure)`: what is measured with each head silenced, one at a time."""

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
    """What stands around the attention, as far as a head can be found in it."""

    def __init__(self, width, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(width, width, num_heads)


def table_and_afterwards(answer, num_layers, num_heads, x):
    """Returns the table, and what is measured afterwards."""
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
    """The solution with a list for each layer."""
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
cells-in-brackets: Each number stands in brackets of its own, a third axis of length 1. Append the number itself.
    row.append(measure()) -> row.append([measure()])
first-layer-kept: You return after the first layer: the `return` stands inside the loop, one level too deep.
    rows.append(row) -> return torch.tensor([row])
    or
    rows.append(row) -> return torch.tensor(row)
last-layer-kept: Only the last layer comes back. Make the table before the loops, or add a row for each layer.
    rows.append(row) -> rows = [row]
    or
    torch.tensor(rows) -> torch.tensor(row)
last-of-each: One number for each layer comes back, that of its last head. Begin the list of a row before the loop over
    the heads, not in it.
    row.append(measure()) -> row = [measure()]
layer-mean: One number for each layer comes back. Each head has a number of its own: no mean, no sum.
    torch.tensor(rows) -> torch.tensor(rows).mean(dim=-1)
row-made-once: The list of a row is made only once, so each layer's numbers follow those of the layers before. Begin a
    new one, `row = []`, inside the loop over the layers.
    rows = []…row = [] -> rows, row = [], []…
measure-not-called: `measure` is a function: call it, `measure()`.
    measure() -> measure
cut-wrong: The table is cut into rows of another length. A row is one layer: `reshape(num_layers, num_heads)`.
    torch.tensor(rows) -> torch.tensor(rows).view(-1, len(layers))
cut-in-wrong-order: The shape is right, the order is not: your outer loop runs over the heads, so the layers follow one
    another in each row. Let the outer loop run over the layers.
    torch.tensor(rows) -> torch.tensor(rows).T.reshape(len(layers), -1)
"""


def by_hand(layers, measure):
    """The solution without `silenced`: zeros in what `out_proj` reads of the head, then its numbers again."""
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
not-restored: The heads stay silenced: from one turn to the next there are fewer. Put `measure()` inside
    `with silenced(…):`, which brings the head back at its end; by hand, write a `.clone()` of the weight back.
    weight.copy_(kept) ->
    or
    .clone() ->
rows-for-columns: You set rows of `out_proj.weight` to zero. A head's numbers enter by columns, `weight[:, start:end]`;
    `silenced(attention, head)` does it for you.
    weight[:, head -> weight[head
query-zeroed: You silenced the head's queries or keys. It looks elsewhere, but it still delivers: use
    `silenced(attention, head)`, or zeros in what `out_proj` reads of the head.
    layer.attention.out_proj.weight -> layer.attention.W_query.weight
    weight[:, head -> weight[head
    or
    layer.attention.out_proj.weight -> layer.attention.W_key.weight
    weight[:, head -> weight[head
"""
MISTAKES = """
not-restored: Heads stay silenced, from turn to turn more. At its end, `with silenced(…):` brings its head back.
    for number, layer -> from contextlib import ExitStack ⏎ stack = ExitStack() ⏎ for number, layer
    with silenced(layer.attention, head):…table[number -> stack.enter_context(silenced(layer.attention, head))
        ⏎ table[number
all-before: You silence a head and all those before it. One at a time: `silenced(attention, head)`.
    silenced(layer.attention, head) -> silenced(layer.attention, *range(head + 1))
heads-before: You silence the heads before the one that is meant, not the head itself: `silenced(attention, head)`.
    silenced(layer.attention, head) -> silenced(layer.attention, *range(head))
all-but-one: You silence all heads of the layer but one. Asked for is the other way round: only `head`.
    silenced(layer.attention, head) -> silenced(layer.attention, *{*range(table.shape[1])} - {head})
whole-layer: You silence the whole layer. One head at a time: `silenced(attention, head)`, without a `range`.
    silenced(layer.attention, head) -> silenced(layer.attention, *range(table.shape[1]))
one-head-only: The same head is silenced each time, number 0. Use the head of the loop: `silenced(attention, head)`.
    silenced(layer.attention, head) -> silenced(layer.attention, 0)
list-of-heads: `silenced` takes numbers, one after the other, and no list: `silenced(attention, head)`.
    silenced(layer.attention, head) -> silenced(layer.attention, [head])
head-off-by-one: You silence the head after the one that is meant. Heads are counted from 0.
    silenced(layer.attention, head) -> silenced(layer.attention, (head + 1) % table.shape[1])
counted-from-one: Your heads begin at 1, so the last one does not exist. Heads are counted from 0: `range(num_heads)`.
    range(table.shape[1]) -> range(1, table.shape[1] + 1)
    or
    silenced(layer.attention, head) -> silenced(layer.attention, head + 1)
first-head-missing: Head 0 is left out: its column is still 0. Heads are counted from 0: `range(num_heads)`.
    range(table.shape[1]) -> range(1, table.shape[1])
last-head-missing: The last head is left out: its column is still 0. `range(num_heads)` reaches it.
    range(table.shape[1]) -> range(table.shape[1] - 1)
heads-reversed: The heads of each layer stand in reverse order: column 0 is head 0.
    table[number, head] -> table[number, -1 - head]
layers-reversed: The layers stand in reverse order: row 0 is layer 0, the one that reads the tokens first.
    table[number, head] -> table[-1 - number, head]
every-layer: You silence this head in every layer at once. Take one layer: `layers[number].attention`.
    with silenced(layer.attention, head): -> from contextlib import ExitStack
        ⏎ with ExitStack() as stack: ⏎     for each in layers:
        ⏎         stack.enter_context(silenced(each.attention, head))
first-layer-only: The head is silenced in layer 0 each time. Use the layer of the loop: `layers[number].attention`.
    silenced(layer.attention -> silenced(layers[0].attention
indices-swapped: Layer and head have changed places: the layer is chosen with the number of the head. The first loop's
    number belongs in `layers[…]`, the second's in `silenced(…, head)`.
    silenced(layer.attention, head) -> silenced(layers[head].attention, number)
not-silenced: Every number is that of the whole model: `measure()` runs when no head is silenced. Call it inside the
    block, indented under `with silenced(…):`, which names the head. After the block, or without `with`, all are back.
    with silenced(layer.attention, head):…table[number, head] -> silenced(layer.attention, head) ⏎ table[number, head]
axes-swapped: Rows and columns have changed places: a row for each layer, `(num_layers, num_heads)`.
    return table -> return table.transpose(0, 1)
    or
    table[number, head] -> table[head, number]
one-list: All numbers stand in one row. Give each layer a row of its own: `(num_layers, num_heads)`.
    return table -> return table.flatten()
last-only: Only the last number comes back. Keep each in its place in a table.
    table[number, head] = -> table =
    or
    return table -> return table[-1, -1]
    or
    table[number, head] = -> found =
    return table -> return torch.tensor([found])
return-in-loop: You return before all heads have had their turn: the `return` stands inside a loop. Move it to the left,
    below both.
    table[number, head] = measure() -> table[number, head] = measure() ⏎ return table
    or
    table[number, head] = measure() -> return measure()
    or
    for head in range(table.shape[1]):…= measure() -> for head in range(table.shape[1]):…= measure() ⏎ return table
nothing-stored: The table is still full of zeros. Store what `measure()` gives back: `table[number, head] = measure()`.
    table[number, head] = measure() -> measure()
row-overwritten: All columns of a row hold one number: each head overwrites the whole row. Name the column as well,
    `table[number, head]`.
    table[number, head] -> table[number]
column-overwritten: All rows of a column hold one number: each layer overwrites those before: `table[number, head]`.
    table[number, head] -> table[:, head]
difference-returned: You returned how much was lost or won. Asked for is what was measured: `measure()`, without the
    whole model's number.
    for number -> whole = measure() ⏎ for number
    = measure() -> = whole - measure()
    or
    for number -> whole = measure() ⏎ for number
    = measure() -> = measure() - whole
share-returned: You divided by what the whole model gives. Asked for is what was measured: `measure()` alone.
    for number -> whole = measure() ⏎ for number
    = measure() -> = measure() / whole
heads-typed-in: 4 is typed in, the number of heads in the page's model. Other models have other numbers: read it off,
    `layers[0].attention.num_heads`.
    layers[0].attention.num_heads -> 4
    or
    layers[0].attention.num_heads -> 4
    range(table.shape[1]) -> range(layer.attention.num_heads)
    or
    range(table.shape[1]) -> range(4)
sizes-typed-in: The sizes of the page's model are typed in, 2 layers and 4 heads. Read them off: `len(layers)` and
    `layers[0].attention.num_heads`.
    len(layers), layers[0].attention.num_heads -> 2, 4
    or
    len(layers), layers[0].attention.num_heads -> 2, 4
    for number, layer in enumerate(layers): -> for number in range(2): ⏎     layer = layers[number]
layers-typed-in: 2 is typed in, the number of layers in the page's model. Read it off: `len(layers)`.
    len(layers) -> 2
function-stored: `measure` is a function, and it was put into the table uncalled. Call it: `measure()`.
    = measure() -> = measure
layer-for-attention: You silence a head of the layer. The heads are in its attention:
    `silenced(layers[number].attention, head)`.
    silenced(layer.attention, head) -> silenced(layer, head)
rounded: The numbers were cut to whole ones: the table holds whole numbers. Make it with `torch.zeros(rows, columns)`.
    torch.zeros(len(layers), layers[0].attention.num_heads) ->
        torch.zeros(len(layers), layers[0].attention.num_heads, dtype=torch.long)
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
