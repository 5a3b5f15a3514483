"""Test what the views' JavaScript computes, in Node without a browser, against numpy and torch."""

import html
import json
import re
import shutil
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from node import run, run_module

from course_utils import inputs, theme, widgets
from course_utils.widgets.lab.lab import _place_of
from course_utils.widgets.predict.predict import OFF
from course_utils.widgets.shared.head_weights import entropies
from course_utils.widgets.shared.modules import FOLDER, bundle, find

pytestmark = pytest.mark.needs_node


def test_every_module_finds_what_it_imports(tmp_path):
    """Node loads each file as a module of its own, and fails if one imports a name that another does not export."""
    shutil.copytree(FOLDER, tmp_path, dirs_exist_ok=True)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    scripts = [find(getattr(widgets, name).script).relative_to(FOLDER).as_posix() for name in widgets.__all__]
    code = f"for (const name of {json.dumps(scripts)}) console.log(typeof (await import(`./${{name}}`)).render);"
    assert run_module(code, cwd=tmp_path).split() == ["function"] * len(scripts)


def test_equal_names_in_two_files_do_not_collide(tmp_path):
    importing = 'import { b } from "./b.js";\nconst hidden = 1;\nexport const a = [hidden, b];\n'
    (tmp_path / "a.js").write_text(importing)
    (tmp_path / "b.js").write_text("const hidden = 2;\nexport const b = [hidden, typeof a];\n")
    code = f'{bundle("a.js", folder=tmp_path)}console.log(JSON.stringify(modules["a.js"].a), typeof hidden);'
    assert run_module(code).strip() == '[1,[2,"undefined"]] undefined'


def _draws():
    """Yield weights to test with, (matrices, rows, columns): random ones, with zeros, with nan, and edge cases."""
    generator = np.random.default_rng(0)
    for shape in ((3, 4, 5), (2, 3, 1), (1, 1, 1)):
        weights = generator.dirichlet(np.ones(shape[-1]), shape[:-1]).astype("f4")
        yield pytest.param(weights, id=f"drawn {shape}")
        yield pytest.param(np.where(generator.random(shape) < 0.3, 0, weights), id=f"with zeros {shape}")
        damaged = weights.copy()
        damaged[0, 0, -1] = np.nan
        yield pytest.param(damaged, id=f"with nan {shape}")
    yield pytest.param(np.zeros((2, 2, 3), "f4"), id="zeros")
    yield pytest.param(np.full((1, 2, 2), np.nan, "f4"), id="nan alone")
    yield pytest.param(np.array([[[np.inf, 0.5], [0.25, 0.75]]], "f4"), id="with infinity")


DRAWS = list(_draws())


@pytest.mark.parametrize("weights", DRAWS)
def test_entropy(weights):
    matrices, rows, columns = weights.shape
    code = """const values = decode(view, starts.length * rows * columns);
        return starts.map((start) => entropy({ values, start, rows, columns }));"""
    starts = [matrix * rows * columns for matrix in range(matrices)]
    found = run(code, "numbers.js", view=weights.astype("<f4"), starts=starts, rows=rows, columns=columns)
    with np.errstate(invalid="ignore"):  # infinity times 0
        np.testing.assert_allclose(np.array(found, dtype="f8"), entropies(weights), rtol=1e-9, atol=1e-12)
    by_torch = torch.special.entr(torch.tensor(weights, dtype=torch.float64)).sum(-1)
    np.testing.assert_allclose(np.array(found, dtype="f8"), by_torch.nanmean(-1), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("size", [1, 2, 5, 64])
@pytest.mark.parametrize("scale", [1.0, 5000.0])
def test_softmax(size, scale):
    generator = torch.Generator().manual_seed(size)
    scores = scale * torch.randn(6, size, generator=generator, dtype=torch.float64)
    mask = torch.rand(6, size, generator=generator) < 0.6
    mask[0], mask[1] = True, False  # everything open, nothing open
    scores[2, 0], scores[3] = -torch.inf, -torch.inf  # hidden already before the mask
    found = run(
        "return rows.map((row, i) => softmax(row, mask[i]));", "numbers.js", rows=scores.tolist(), mask=mask.tolist()
    )
    expected = scores.masked_fill(~mask, -torch.inf).softmax(-1).nan_to_num(0.0)  # weights of 0 where nothing is open
    torch.testing.assert_close(torch.tensor(found, dtype=torch.float64), expected)


def test_rounded():
    halfway = [eighths / 8 for eighths in range(-17, 18)]  # 1/8 is as near to 0.12 as to 0.13
    values = [*np.random.default_rng(0).normal(size=50).round(5).tolist(), *halfway]
    expected = [f"{value:.2f}" for value in values] + ["0.00", "nan", "nan"]
    assert run("return values.map(rounded);", "numbers.js", values=[*values, 0, np.nan, None]) == expected


@pytest.mark.parametrize("name", [theme.WEIGHTS_MAP, theme.SIGNED_MAP])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-0.5, 0.5), (0.0, 0.25), (1.0, 1.0)])
def test_colours(name, dark, low, high):
    values = np.random.default_rng(0).uniform(low - 0.2, high + 0.2, 200).tolist() + [low, high, np.nan]
    code = "return values.map((value) => css(colourOf({ colours: palette(view), dark, low, high }, value)));"
    found = run(code, "colours.js", view=theme.table(name), values=values, dark=dark, low=low, high=high)
    table = np.frombuffer(theme.table(name), "u1").reshape(2, 256, 3)[int(dark)].astype(int)
    steps = np.floor((np.array(values[:-1]) - low) / (high - low or 1) * 256).clip(0, 255).astype(int)
    expected = [f"rgb({red},{green},{blue})" for red, green, blue in table[steps]]
    assert found == [*expected, "rgb(122,122,122)" if dark else "rgb(191,191,191)"]


@pytest.mark.parametrize("name", [theme.WEIGHTS_MAP, theme.SIGNED_MAP])
def test_numbers_on_cells_have_the_ink_that_can_be_read(name):
    code = "const { light, dark } = palette(view); return [...light, ...dark].map(ink);"
    found = run(code, "colours.js", view=theme.table(name))
    assert found == [theme.ink(colour) for colour in np.frombuffer(theme.table(name), "u1").reshape(-1, 3)]


def test_texts_are_escaped_and_names_cut_short_between_two_characters():
    words = ["plain", "<b>", "&amp;", '"quoted"', "</script>", "שלום", "a name of many letters", "twelve chars"]
    escaped, short = run("return [words.map(escaped), words.map(short)];", "svg.js", words=words)
    assert [html.unescape(text) for text in escaped] == words
    assert not re.search('[<>"]', "".join(escaped))
    assert max(map(len, short)) == 12
    assert [name for name, word in zip(short, words, strict=True) if name != word] == ["a name of m…"]
    # A name must not be cut inside an emoji: half of one is a lone surrogate, which no saved picture can hold.
    names = ["一二三四五六七", "一二三四五六", "0123456789🤖🤖", "01234567890🤖"]
    cut = run("return names.map((name) => [short(name), widthOf(short(name))])", "svg.js", names=names)
    assert cut == [["一二三四五…", 11], ["一二三四五六", 12], ["0123456789…", 11], ["01234567890…", 12]]
    assert [name for name, _ in cut] == [inputs.cut(name, 12) for name in names]


@pytest.mark.parametrize("now", ["b a b", "a", "c", "", "b b a a a"])
@pytest.mark.parametrize("place", [0, 1, 3])
def test_a_word_is_found_among_new_tokens_as_in_python(place, now):
    before, now = "a b c a".split(), now.split()
    found = run("return placeOfWord(before, place, now)", "lab.js", before=before, place=place, now=now)
    assert found == _place_of(before[place], before[:place].count(before[place]), now, place)


def test_heads_stand_in_even_rows_where_they_can():
    counts = list(range(1, 145))
    columns = dict(zip(counts, run("return counts.map(columnsFor);", "room.js", counts=counts), strict=True))
    assert all(columns[heads] <= min(heads, 12) for heads in counts)
    assert [heads for heads in (1, 2, 3, 4, 6, 8, 9, 12, 16, 24, 72, 144) if heads % columns[heads]] == []


def picture(svg):
    return ElementTree.fromstring(svg.replace('xmlns="http://www.w3.org/2000/svg"', ""))


@pytest.mark.parametrize("weights", DRAWS)
def test_links_are_as_thick_as_their_weights(weights):
    _, rows, columns = weights.shape
    high = float(np.max(weights, initial=0, where=np.isfinite(weights))) or 1.0
    names = {"rowNames": [f"q{i}" for i in range(rows)], "columnNames": [f"k{i}" for i in range(columns)]}
    map_ = {"start": 0, "rows": rows, "columns": columns, "row": rows - 1, "column": None, "high": high, **names}
    code = "return linksPicture({ ...map, values: [...new Float32Array(view.buffer.slice(1))] });"
    found = picture(run(code, "links.js", view=weights.astype("<f4"), map=map_))
    shares = np.minimum(weights[0, -1] / high, 1)
    widths = [float(path.get("stroke-width")) for path in found.iter("path")]
    np.testing.assert_allclose(widths, 1 + 7 * shares[shares >= 0.01], rtol=1e-6)  # no line for nan or below 0.01
    assert [text.text for text in found.iter("text")] == names["rowNames"] + names["columnNames"]


@pytest.mark.parametrize("rows", [1, 2, 17])
def test_a_click_on_a_name_finds_its_query(rows):
    code = """const ys = Array.from({ length: rows }, (_, row) => ((row + 0.5) * 400) / rows);
        return [ys.map((y) => queryAt(40, y, 400, rows)), queryAt(40, -3, 400, rows), queryAt(40, 400, 400, rows),
            queryAt(140, 200, 400, rows)];"""
    assert run(code, "links.js", rows=rows) == [list(range(rows)), 0, rows - 1, None]


@pytest.mark.parametrize(
    "curves",
    [
        {"loss": [2.0, 1.5, None, 0.25], "gain": [-1.0, 0.0, 0.5, 0.75]},
        {"loss": [3.0]},
        {"flat": [0.0, 0.0, 0.0]},
        {"nothing": [None, None]},
    ],
)
def test_curves_stand_where_their_numbers_are(curves):
    positions = [str(10 * i) for i in range(len(next(iter(curves.values()))))]
    code = "return curvesPicture(curves, positions, 0);"
    found = picture(run(code, "curves.js", curves=curves, positions=positions))
    numbers = [value for values in curves.values() for value in values if value is not None]
    low, high = min([0.0, *numbers]), max([0.0, *numbers, 1e-9])
    for (name, values), line in zip(curves.items(), found.iter("polyline"), strict=True):
        points = np.array([point.split(",") for point in line.get("points").split()], dtype="f8").reshape(-1, 2)
        there = [(i, value) for i, value in enumerate(values) if value is not None]
        expected = [
            (46 + i * 284 / max(1, len(values) - 1), 10 + (high - value) / (high - low) * 94) for i, value in there
        ]
        np.testing.assert_allclose(points, np.array(expected).reshape(-1, 2))
        first = "nan" if values[0] is None else f"{values[0]:.2f}"
        assert f"{name} {first}" in [text.text for text in found.iter("text")]
    assert len(list(found.iter("circle"))) == sum(values[0] is not None for values in curves.values())


PLACES = [
    {"x": 60 * i, "top": 100 * line, "bottom": 100 * line + 20, "line": line} for line in (1, 2) for i in range(5)
]


@pytest.mark.parametrize("start", [0, 2, 9])
def test_an_arc_leads_from_one_word_to_the_other(start):
    code = "return places.map((to) => arc(places[start], to, 80, 300));"
    found = run(code, "arcs.js", places=PLACES, start=start)
    for place, path in zip(PLACES, found, strict=True):
        x, top, *handles, end, bottom = map(float, re.findall(r"-?[\d.]+", path))
        here = PLACES[start]
        if place is here:
            assert (x, end) == (here["x"] - 5, here["x"] + 5) and max(handles[1::2]) < here["top"]
            continue
        assert (x, end) == (here["x"], place["x"])
        if place["line"] == here["line"]:  # above the line, and higher for words farther apart
            assert top == bottom == here["top"]
            assert here["top"] - min(handles[1::2]) == pytest.approx(80 / 0.75 * (abs(end - x) / 300) ** 0.5, abs=0.06)
        else:  # the arc runs between the two lines
            assert (top, bottom) == ((120, 200) if start < 5 else (200, 120))


@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.parametrize("query", range(4))
def test_the_sentence_of_a_word_is_the_one_of_its_picture(asked, query):
    weights = np.random.default_rng(3).dirichlet(np.ones(4) / 3, (1, 4)).astype("f4")
    view = widgets.SentenceView(weights, "abcd", query=query, asked=asked)
    row = weights[0, :, query] if asked else weights[0, query]
    pairs = [[name, float(weight)] for name, weight in zip("abcd", row, strict=True)]
    code = "return summary(word, pairs, asked, (value) => value.toFixed(2));"
    assert run(code, "arcs.js", word="abcd"[query], pairs=pairs, asked=asked) == view.alt() + "."


def test_a_sentence_says_that_nothing_is_looked_at_and_what_is_nan_and_weights_move_evenly():
    found = run("return [0, 0.25, 1].map((share) => between([0, 1], [1, 0.5], share));", "arcs.js")
    assert found == [[0, 1], [0.25, 0.875], [1, 0.5]]
    code = "return [summary('it', [['a', 0.001]], false, String), summary('it', [['a', NaN]], true, String)];"
    assert run(code, "arcs.js") == ["it looks at nothing.", "Nothing looks at it. Left out: 1 nan."]


@pytest.mark.parametrize("name", ["constructor", "toString", "__proto__"])
def test_a_word_may_be_what_every_object_has(name):
    """A table of words, as an object, would have an entry for it that nobody wrote."""
    code = "return [summary(name, [['a', 1]], false, String), summary('it', [[name, 1]], false, String)];"
    assert run(code, "arcs.js", name=name) == [f"{name} looks most at a (1).", f"it looks most at {name} (1)."]
    assert run("return axisName(name);", "words.js", name=name) == name


def test_heights_become_shares_in_proportion_their_sum_is_told_and_how_far_off_they_are():
    heights = np.random.default_rng(0).random(5).tolist()
    shares = run("return asShares(heights);", "judged.js", heights=heights)
    assert np.array(shares) == pytest.approx(np.array(heights) / sum(heights))
    assert run("return asShares([0, 0]);", "judged.js") == [0.5, 0.5]
    told = run("return [[0.75, 0.25], [0.75, 0.1], [0.3333, 0.3333, 0.3333]].map(onSum);", "judged.js")
    assert told == ["", "Together they are 0.85. Committed, they are scaled to 1.", ""]
    # A guess is judged as in Python. Of a choice, and of cells, tests/browser/test_predict.py has the words.
    guess, truth = np.random.default_rng(1).dirichlet(np.ones(4), 2).round(6).tolist()
    words = run("return judged('bars', guess, truth, [...'abcd']);", "judged.js", guess=guess, truth=truth)
    off, most = OFF["bars"](guess, truth), int(np.argmax(truth))
    assert f"{1 - off:.2f} lies where it is, and {off:.2f} elsewhere" in words
    assert f"that of {'abcd'[most]}: {truth[most]:.2f}, and you drew {guess[most]:.2f}" in words
    code = "return judged('cells', [[true, false]], [[true, false]], []);"
    assert run(code, "judged.js") == "All 2 cells are as you said."


@pytest.mark.parametrize(
    ("kind", "guess"), [("choice", 2), ("bars", [0.2, 0.3, 0.5]), ("cells", [[True, False], [False, True], [True] * 2])]
)
def test_what_is_no_guess_is_told_from_one(kind, guess):
    odd = [None, "__proto__", 7, -1, 0.5, [], [1, None, 2], [[True], [False]], {"length": 3}]
    code = "return guesses.map((guess) => isGuess(kind, guess, [...'abc'], [...'de']));"
    assert run(code, "judged.js", kind=kind, guesses=[*odd, guess]) == [False] * len(odd) + [True]


def test_places_moved_together_keep_their_distance_and_stay_in_the_text():
    moves = [(place, other, to) for place in range(8) for other in range(8) for to in range(8)]
    code = "return moves.map(([place, other, to]) => movedTogether(place, other, to, 7));"
    for (place, other, to), (moved, taken) in zip(moves, run(code, "rotary.js", moves=moves), strict=True):
        assert taken - moved == other - place and 0 <= min(moved, taken) and max(moved, taken) <= 7
        free = [at for at in range(8) if 0 <= at + other - place <= 7]
        assert moved == min(free, key=lambda at: abs(at - to))  # as near to the wanted place as possible
