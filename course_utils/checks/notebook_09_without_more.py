"""Further wrong answers to the last exercise of notebook 09: a table of another shape, and numbers put elsewhere."""

import torch

from course_utils.models.ablation import silenced

from . import notebook_09_without
from .notebook_09_without import without_each


def numbers(layers, measure):
    """What is measured without each head, layer after layer, in one row."""
    return without_each()(layers, measure).flatten()


def one_head_after_the_other(layers, measure):
    """The same, with the loops exchanged: head 0 of all layers, then head 1."""
    return without_each()(layers, measure).transpose(0, 1).flatten()


def last_of_each_layer(layers, measure):
    table = without_each()(layers, measure)
    return table[:, -1:].expand(table.shape).clone()


def in_sizes(num_layers=None, columns=None, num_heads=None):
    """An answer with some of its sizes typed in: of the table, and of the loop over the heads."""

    def answer(layers, measure):
        table = torch.zeros(num_layers or len(layers), columns or layers[0].attention.num_heads)
        for number, row in enumerate(table):
            for head in range(num_heads or layers[0].attention.num_heads):
                with silenced(layers[number].attention, head):
                    row[head] = measure()
        return table

    return answer


def places_swapped(layers, measure):
    table, numbers = torch.zeros(len(layers), layers[0].attention.num_heads), without_each()(layers, measure)
    for number, head in torch.cartesian_prod(*map(torch.arange, table.shape)):
        table[head, number] = numbers[number, head]
    return table


def stored_uncalled(layers, measure):
    table = torch.zeros(len(layers), layers[0].attention.num_heads)
    table[0, 0] = measure


def counted_from_one(layers, measure):
    for head in range(1, layers[0].attention.num_heads + 1):
        with silenced(layers[0].attention, head):
            measure()


def whole_layers_given(layers, measure):
    with silenced(layers[0], 0):
        measure()


ONE_ROW = notebook_09_without.measure_without.words("one-list")
CUT = (
    "The numbers were taken layer by layer, and cut into rows of another length. A row holds the heads of one layer: "
    "`reshape(num_layers, num_heads)`."
)
HEADS_TYPED_IN = (
    "4 is typed in, the number of heads in the page's model. Other models have other numbers: read it off, "
    "`layers[0].attention.num_heads`."
)
WITHOUT = {
    "cut-wrong": (
        CUT,
        lambda layers, measure: numbers(layers, measure).view(layers[0].attention.num_heads, len(layers)),
    ),
    "cut-in-wrong-order": (
        "The shape is right, the order is not: your outer loop runs over the heads, so the layers follow one another "
        "in each row. Let the outer loop run over the layers.",
        lambda layers, measure: one_head_after_the_other(layers, measure).view(len(layers), -1),
    ),
    "one-column": (
        "All numbers stand in one column. Give each layer a row of its own: `(num_layers, num_heads)`.",
        lambda layers, measure: numbers(layers, measure)[:, None],
    ),
    "one-list": (ONE_ROW, lambda layers, measure: numbers(layers, measure)[None]),
    "cells-in-brackets": (
        "Each number stands in brackets of its own, as a third axis of length 1. Put the number itself into the table.",
        lambda layers, measure: without_each()(layers, measure)[..., None],
    ),
    "nothing-stored": (
        "The table is still full of zeros. Store what `measure()` gives back: `table[number, head] = measure()`.",
        lambda layers, measure: torch.zeros_like(without_each()(layers, measure)),
    ),
    "row-overwritten": (
        "All columns of a row hold one number: each head overwrites the whole row. Name the column as well, "
        "`table[number, head]`.",
        last_of_each_layer,
    ),
    "heads-typed-in": (HEADS_TYPED_IN, in_sizes(columns=4)),
    "sizes-typed-in": (
        "The sizes of the page's model are typed in, 2 layers and 4 heads. Read them off: `len(layers)` and "
        "`layers[0].attention.num_heads`.",
        in_sizes(2, 4, 4),
    ),
    "function-stored": (
        "`measure` is a function, and it was put into the table uncalled. Call it: `measure()`.",
        stored_uncalled,
    ),
    "counted-from-one": (
        "Your heads begin at 1, so the last one does not exist. Heads are counted from 0: `range(num_heads)`.",
        counted_from_one,
    ),
    "layer-for-attention": (
        "You silence a head of the layer. The heads are in its attention: `silenced(layers[number].attention, head)`.",
        whole_layers_given,
    ),
}
for _id, (_words, _answer) in WITHOUT.items():
    notebook_09_without.measure_without.mistake(_id, _words)(_answer)
notebook_09_without.measure_without.mistake("heads-typed-in", HEADS_TYPED_IN)(in_sizes(columns=4, num_heads=4))
notebook_09_without.measure_without.mistake("axes-swapped", notebook_09_without.measure_without.words("axes-swapped"))(
    places_swapped
)
