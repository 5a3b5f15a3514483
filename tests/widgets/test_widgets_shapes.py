"""Test that ShapeTracer's stages are what torch and the course compute, and that its wrong ways really mix tokens."""

import re

import pytest
import torch
from PIL import ImageColor

from course_utils import attention
from course_utils.theme import luminance
from course_utils.widgets import ShapeTracer
from course_utils.widgets.shapes.shapes import foreign_rows, paths, summary

SIZES = [(3, 2, 2), (4, 2, 3), (6, 4, 4), (2, 8, 2), (5, 3, 1), (1, 2, 3), (4, 1, 5), (1, 1, 1)]


@pytest.mark.parametrize("sizes", SIZES)
def test_right_way_is_split_and_merge(sizes):
    num_tokens, num_heads, head_dim = sizes
    x, split, heads, rows, output = (numbers for *_, numbers in paths(*sizes)["right way"])
    assert x.tolist() == torch.arange(num_tokens * num_heads * head_dim).view(num_tokens, -1).tolist()
    assert torch.equal(heads, attention.split_heads(x, num_heads))
    assert torch.equal(output, attention.merge_heads(heads))
    assert torch.equal(split, rows) and torch.equal(output, x)


@pytest.mark.parametrize("sizes", SIZES)
def test_wrong_ways_keep_the_shapes_and_mix_tokens(sizes):
    num_tokens, num_heads, head_dim = sizes
    d_out, ways = num_heads * head_dim, paths(*sizes)
    x, wrong, _, output = (numbers for *_, numbers in ways["wrong split"])
    assert wrong.tolist() == x.reshape(num_heads, num_tokens, head_dim).tolist()
    assert torch.equal(output, attention.merge_heads(wrong))
    merged = ways["wrong merge"][-1][-1]
    assert torch.equal(merged, attention.split_heads(x, num_heads).reshape(num_tokens, d_out))
    mixes = num_tokens > 1 and num_heads > 1
    for name, result in {"right way": x, "wrong split": output, "wrong merge": merged}.items():
        foreign, _ = foreign_rows(ways[name], d_out)
        assert result.shape == x.shape
        assert bool(foreign) == (not torch.equal(result, x)) == (mixes and name != "right way")
        assert summary(ways[name], d_out).startswith("Mixed" if foreign else "Nothing")


def test_foreign_rows_counted_by_hand_and_the_text_tells_how_many_rows_mix_tokens():
    ways = paths(3, 2, 2)
    assert foreign_rows(ways["wrong split"], 4) == (
        [("head 0, row b", [2, 3]), ("head 0, row c", [4, 5]), ("head 1, row a", [6, 7]), ("head 1, row b", [8, 9])],
        6,
    )
    assert "row a: a0 a1 b0 b1." in summary(ways["wrong merge"], 4)
    assert repr(ShapeTracer()) == (
        "ShapeTracer: 3 tokens, 2 heads x 2 features; (3, 4) -> (3, 2, 2) -> (2, 3, 2) -> (3, 2, 2) -> (3, 4); "
        "rows that hold another token's numbers: right way 0 of 3, wrong split 4 of 6, wrong merge 3 of 3"
    )
    assert "wrong split (2, 3, 2)" in ShapeTracer(way=1).alt()
    assert ShapeTracer().alt() != ShapeTracer(way=2).alt()


def cells_of(view, way):
    """Return for each stage of a way its cells: (fill, number, index, place in words, ink, text), all strings."""
    cell = r'<rect [^>]*fill="(#\w+)" data-n="(\d+)" data-i="(\d+)" data-at="([^"]*)"/><text [^>]*fill="(#\w+)">(\w+)<'
    return [re.findall(cell, stage) for stage in view.ways[way]["html"].split('<div class="av-shapes"')[1:]]


@pytest.mark.parametrize("sizes", SIZES)
def test_every_number_stands_once_in_each_stage(sizes):
    view = ShapeTracer(*sizes)
    for way, stages in enumerate(paths(*sizes).values()):
        for cells, (*_, numbers) in zip(cells_of(view, way), stages, strict=True):
            assert [int(n) for _, n, *_ in cells] == numbers.flatten().tolist()
            assert [int(i) for _, _, i, *_ in cells] == list(range(numbers.numel()))


def test_places_in_words_and_cells_can_be_read():
    input_, split, heads, _, output = cells_of(ShapeTracer(), 0)
    places = [
        next(at.replace("\u00a0", " ") for _, n, _, at, _, _ in cells if n == "7")
        for cells in (input_, split, heads, output)
    ]
    assert places == ["row b, column 3", "row b, head 1, column 1", "head 1, row b, column 1", "row b, column 3"]
    assert ShapeTracer().names[7] == "token b, feature 3"
    for fill, *_, ink, _ in cells_of(ShapeTracer(6, 4, 4), 0)[0]:
        light, dark = sorted((luminance(ImageColor.getrgb(fill)), luminance(ImageColor.getrgb(ink))), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5
