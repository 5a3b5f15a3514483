"""`my_measure_without(layers, measure)`: a table of what is measured with each head ablated, one at a time."""

import torch
from torch import nn

from course_utils.attention import MultiHeadAttention
from course_utils.checks.exercise import Exercise
from course_utils.models.ablation import ablated


def measure_without_solution(layers, measure):
    table = torch.zeros(len(layers), layers[0].attention.num_heads)  # (num_layers, num_heads)
    for number, layer in enumerate(layers):
        for head in range(table.shape[1]):
            with ablated(layer.attention, head):
                table[number, head] = measure()
    return table


def cases(draw):
    yield "2 layers of 4 heads", 2, 4, draw(5, 12)
    yield "3 layers of 2 heads", 3, 2, draw(4, 6)
    yield "as many layers as heads", 3, 3, draw(4, 9)
    yield "one layer of 5 heads", 1, 5, draw(3, 10)
    yield "one head in each layer", 2, 1, draw(4, 3)


class Layer(nn.Module):
    """A layer that has nothing but its attention, in which heads can be ablated."""

    def __init__(self, width, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(width, width, num_heads)


def table_and_afterwards(answer, num_layers, num_heads, x):
    """Call answer(layers, measure); return (its table, a tensor (1,) with what `measure` gives afterwards).

    By then, no head should be ablated. The layers are new: num_layers with num_heads each. x: the inputs, (batch,
    num_tokens, width). measure(), of no arguments, returns the mean square of the last layer's output, a float.
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


MISTAKES = """
not-restored: Heads stay ablated, from round to round more. At its end, a `with ablated(…):` brings its head back.
    for number, layer -> from contextlib import ExitStack ⏎ stack = ExitStack() ⏎ for number, layer
    with ablated(layer.attention, head):…table[number -> stack.enter_context(ablated(layer.attention, head))
        ⏎ table[number
    or
    with ablated(layer.attention, head): -> weight = layer.attention.out_proj.weight
        ⏎ with torch.no_grad(): ⏎     weight.unflatten(1, (table.shape[1], -1))[:, head] = 0
sizes-typed: The sizes of one model are typed in. Read them off: `len(layers)`, `layers[0].attention.num_heads`.
    torch.zeros(len(layers), layers[0].attention.num_heads) -> torch.zeros(2, 4)
    for number, layer in enumerate(layers): -> for number in range(2): ⏎     layer = layers[number]
all-before: A head and all those before it are ablated. One at a time: `ablated(attention, head)`.
    ablated(layer.attention, head) -> ablated(layer.attention, *range(head + 1))
whole-layer: All heads of the layer are ablated each time. One at a time: `ablated(attention, head)`.
    ablated(layer.attention, head) -> ablated(layer.attention, *range(table.shape[1]))
all-but-one: All heads of the layer but one are ablated. Asked for is the reverse: `ablated(attention, head)`.
    ablated(layer.attention, head) -> ablated(layer.attention, *{*range(table.shape[1])} - {head})
counted-from-one: A head beyond the last is asked for. Heads are counted from 0: `range(num_heads)`.
    range(table.shape[1]) -> range(1, table.shape[1] + 1)
every-layer: This head is ablated in every layer at once. Take one layer: `layers[number].attention`.
    with ablated(layer.attention, head): -> from contextlib import ExitStack
        ⏎ with ExitStack() as stack: ⏎     for each in layers:
        ⏎         stack.enter_context(ablated(each.attention, head))
indices-swapped: Layer and head have changed places: `layers[layer]`, then `ablated(…, head)`.
    ablated(layer.attention, head) -> ablated(layers[head].attention, number)
not-silenced: No head is ablated when you measure. Call `measure()` indented under `with ablated(…):`.
    with ablated(layer.attention, head):…table[number, head] -> ablated(layer.attention, head) ⏎ table[number, head]
nothing-stored: The table is still full of zeros. Store what `measure()` gives back: `table[number, head] = measure()`.
    table[number, head] = measure() -> measure()
difference-returned: You returned how much was lost or won. Asked for is what was measured: `measure()` alone.
    for number -> whole = measure() ⏎ for number
    = measure() -> = whole - measure()
    or
    for number -> whole = measure() ⏎ for number
    = measure() -> = measure() - whole
heads-typed-in: The number of heads is 4, as in the page's model. Read it off: `layers[0].attention.num_heads`.
    layers[0].attention.num_heads -> 4
function-stored: A function was put into the table. Call it, and store what it gives back: `measure()`.
    = measure() -> = measure
layer-for-attention: The layer has no heads, its attention has: `ablated(layers[number].attention, head)`.
    ablated(layer.attention, head) -> ablated(layer, head)
query-zeroed: Only the head's queries or keys are zero: it still delivers. Use `ablated(attention, head)`.
    with ablated(layer.attention, head):…table[number, head] = measure() ->
        weight = layer.attention.W_query.weight ⏎ kept = weight.detach().clone() ⏎ with torch.no_grad():
        ⏎     weight.unflatten(0, (table.shape[1], -1))[head] = 0
        ⏎     table[number, head] = measure() ⏎     weight.copy_(kept)
layers-in-columns: Each row is a head, each column a layer. A row is one layer: `table[number, head]`.
    return table -> return table.T
cut-in-wrong-order: The layers follow one another in a row. A row is one layer: the outer loop runs over them.
    return table -> return table.T.reshape(len(layers), -1)
one-row-for-all: The heads of all layers stand in one row. Each layer has its own: `(num_layers, num_heads)`.
    return table -> return table.flatten()
one-column: One column of `out_proj` is zero, and a head has a block of them. `ablated(attention, head)` knows which.
    with ablated(layer.attention, head):…table[number, head] = measure() ->
        weight = layer.attention.out_proj.weight ⏎ kept = weight.detach().clone() ⏎ with torch.no_grad():
        ⏎     weight[:, head] = 0 ⏎     table[number, head] = measure() ⏎     weight.copy_(kept)
"""

OUTPUTS = ("table", "measured_afterwards")
exercise = Exercise(measure_without_solution, cases, MISTAKES, outputs=OUTPUTS, observe=table_and_afterwards)
