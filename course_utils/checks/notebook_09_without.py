"""The exercise of notebook 09 that measures what happens without each head."""

import itertools

import torch
from torch import nn

from course_utils.attention import MultiHeadAttention

from .behaviours import repeats
from .legacy import Exercise
from .outcome import Refused

# ---- measure_without: a measure, with each head silenced in turn


def columns_of(attention, head):
    head_dim = attention.out_proj.in_features // attention.num_heads
    return slice(head * head_dim, (head + 1) * head_dim)


def without_each(heads=lambda layer, head, count: [head], also=lambda layers, number: [number], put_back=True):
    """An answer that silences heads(layer, head, count) in the layers also(layers, number), and may forget to undo."""

    def answer(layers, measure):
        table = torch.zeros(len(layers), layers[0].attention.num_heads)
        for number, head in itertools.product(range(table.shape[0]), range(table.shape[1])):
            touched = [layers[i].attention for i in also(layers, number)]
            kept = [attention.out_proj.weight.detach().clone() for attention in touched]
            with torch.no_grad():
                for attention, one in itertools.product(touched, heads(number, head, table.shape[1])):
                    attention.out_proj.weight[:, columns_of(attention, one)] = 0
                table[number, head] = measure()
                for attention, weight in zip(touched, kept, strict=True):
                    if put_back:
                        attention.out_proj.weight.copy_(weight)
        return table

    return answer


class Layer(nn.Module):
    def __init__(self, width, num_heads):
        super().__init__()
        self.attention = MultiHeadAttention(width, width, num_heads)


def without_cases(draw):
    yield "2 layers of 4 heads", 2, 4, draw(5, 12)
    yield "3 layers of 2 heads", 3, 2, draw(4, 6)
    yield "as many layers as heads", 3, 3, draw(4, 9)
    yield "one layer of 5 heads", 1, 5, draw(3, 10)
    yield "one head in each layer", 2, 1, draw(4, 3)


def observe(answer, num_layers, num_heads, x):
    """Returns the table, what is measured afterwards, and how often it was measured."""
    layers, calls = nn.ModuleList(Layer(x.shape[-1], num_heads) for _ in range(num_layers)), []
    with torch.no_grad():
        for place, parameter in enumerate(layers.parameters()):
            parameter.copy_(torch.sin(torch.arange(parameter.numel()) * (place + 1.3)).view_as(parameter))

    def measure():
        calls.append(1)
        with torch.no_grad():
            result = x
            for layer in layers:
                result = result + layer.attention(result)[0]
            return result.square().mean().item()

    table = answer(layers, measure)
    if isinstance(table, list):
        table = torch.tensor(table)
    if torch.is_tensor(table) and len(calls) not in (0, num_layers * num_heads):
        raise Refused(_counted(len(calls), num_layers, num_heads))
    return table, torch.tensor([measure()])


def _counted(calls, num_layers, num_heads):
    """What it tells when measure() was not called once for each head."""
    found = f"`measure()` was called {calls} times for {num_layers * num_heads} heads."
    if calls == 1:
        return "`measure()` was called once. Call it for each head: inside both loops, and before any `return`."
    if calls == num_layers:
        return f"{found} That is once for each layer: call it in the inner loop, inside the `with` block."
    return f"{found} With no head silenced nothing needs to be measured, and each head once is enough."


measure_without = Exercise(
    "measure_without", without_each(), without_cases, observe=observe, outputs=("table", "measured_afterwards"),
    behaviours=(repeats,),
)  # fmt: skip


WITHOUT = {
    "not-restored": (
        "The heads stay silenced: from one turn to the next there are fewer. Put `measure()` inside "
        "`with silenced(…):`, which brings the head back at its end.",
        without_each(put_back=False),
    ),
    "all-before": (
        "You silence a head and all those before it. One at a time: `silenced(attention, head)`.",
        without_each(heads=lambda layer, head, count: range(head + 1)),
    ),
    "all-but-one": (
        "You silence all heads of the layer but one. Asked for is the other way round: only `head`.",
        without_each(heads=lambda layer, head, count: [one for one in range(count) if one != head]),
    ),
    "whole-layer": (
        "You silence the whole layer. One head at a time: `silenced(attention, head)`, without a `range`.",
        without_each(heads=lambda layer, head, count: range(count)),
    ),
    "head-off-by-one": (
        "You silence the head after the one that is meant. Heads are counted from 0.",
        without_each(heads=lambda layer, head, count: [(head + 1) % count]),
    ),
    "heads-reversed": (
        "The heads of each layer stand in reverse order: column 0 is head 0.",
        without_each(heads=lambda layer, head, count: [count - 1 - head]),
    ),
    "every-layer": (
        "You silence this head in every layer at once. Take one layer: `layers[number].attention`.",
        without_each(also=lambda layers, number: range(len(layers))),
    ),
    "first-layer-only": (
        "The head is silenced in layer 0 each time. Use the layer of the loop: `layers[number].attention`.",
        without_each(also=lambda layers, number: [0]),
    ),
    "layers-reversed": (
        "The layers stand in reverse order: row 0 is layer 0, the one that reads the tokens first.",
        without_each(also=lambda layers, number: [len(layers) - 1 - number]),
    ),
    "not-silenced": (
        "Every number is that of the whole model: `measure()` runs when no head is silenced. Call it inside the block, "
        "indented under `with silenced(…):`. After the block, or without `with`, all heads are back.",
        without_each(heads=lambda *_: []),
    ),
    "axes-swapped": (
        "Rows and columns have changed places: a row for each layer, `(num_layers, num_heads)`.",
        lambda layers, measure: without_each()(layers, measure).transpose(0, 1),
    ),
    "one-list": (
        "All numbers stand in one row. Give each layer a row of its own: `(num_layers, num_heads)`.",
        lambda layers, measure: without_each()(layers, measure).flatten(),
    ),
    "layer-mean": (
        "One number for each layer comes back. Each head has a number of its own: no mean, no sum.",
        lambda layers, measure: without_each()(layers, measure).mean(dim=-1),
    ),
    "last-only": (
        "Only the last number comes back. Keep each in its place in a table.",
        lambda layers, measure: without_each()(layers, measure)[-1, -1],
    ),
    "last-layer-kept": (
        "Only the last layer comes back. Make the table before the loops, or add a row at the end of each layer.",
        lambda layers, measure: without_each()(layers, measure)[-1:],
    ),
    "first-layer-kept": (
        "You return after the first layer: the `return` stands inside the loop, one level too deep.",
        lambda layers, measure: without_each()(layers[:1], measure),
    ),
    "measure-not-called": (
        "`measure` is a function: call it, `measure()`.",
        lambda layers, measure: torch.tensor([[measure for head in range(2)] for layer in layers]),
    ),
    "rounded": (
        "The numbers were cut to whole ones: the table holds whole numbers. Make it with `torch.zeros(rows, columns)`.",
        lambda layers, measure: without_each()(layers, measure).long(),
    ),
}
for _id, (_words, _answer) in WITHOUT.items():
    measure_without.mistake(_id, _words)(_answer)
