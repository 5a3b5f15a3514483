"""Test the numbers of heads in views: what is refused, what is sent, and what JavaScript makes of it, against torch."""

import math
import re

import numpy as np
import pytest
import torch
from node import run
from test_widgets_encoder import FLOATS, layer

from course_utils import course, data
from course_utils.attention import MultiHeadAttention
from course_utils.models.head_numbers import head_numbers
from course_utils.widgets import HeadsView, SentenceView

SENTENCES, NUMBERS = data.load("sentence_pairs"), data.load("head_numbers")
WEAK, STEEP = SENTENCES["weak"], SENTENCES["steep"]
LAYER, HEAD = 3, 1


def view_of(*words):
    """Return a SentenceView of one stored sentence, or of two, with the numbers of its only head."""
    first, *second = (SENTENCES[word] for word in words)
    options = {"numbers": NUMBERS[words[0]]}
    if second:
        options = {"compare": second[0].attn_weights[LAYER, [HEAD]], "compare_tokens": second[0].tokens}
        options["numbers"] = [NUMBERS[word] for word in words]
    return SentenceView(first.attn_weights[LAYER, [HEAD]], first.tokens, **options)


def computed(view, code, **names):
    """Run JavaScript with `sentences`, the decoded numbers of a view's first head, and return its result."""
    _, _, width, dim, start = view.numbers["heads"][0]
    sizes = {"rows": view.shape[2], "columns": view.shape[3], "width": width, "dim": dim}
    unpack = f"const sentences = unpacked(data, {start}, sizes, {2 if view.other else 1});\n"
    return run(unpack + code, "head_numbers.js", data=view.numbers_data, sizes=sizes, **names)


@pytest.mark.needs_node
@pytest.mark.parametrize("word", SENTENCES)
def test_products_add_up_to_the_score_scores_make_the_weights_and_vectors_the_queries(word):
    """For every query and key: 32 products, their sum over the root of 32, and softmax of a row are the model's."""
    numbers, view = NUMBERS[word], view_of(word)
    code = """const range = [...Array(sizes.rows).keys()];
        const [one] = sentences;
        const total = (q, j) => terms(one, q, j).reduce((a, b) => a + b) + one.bias[j];
        return [range.map((q) => range.map((k) => products(one, q, k))), range.map((q) => scores(one, q)),
            range.map((q) => Array.from({ length: one.dim }, (_, j) => total(q, j)))];"""
    all_products, all_scores, queries = map(torch.tensor, computed(view, code))
    expected = numbers.queries @ numbers.keys.T
    torch.testing.assert_close(all_products.sum(-1), expected, rtol=0, atol=1e-4)
    torch.testing.assert_close(all_products, numbers.queries[:, None] * numbers.keys[None], rtol=0, atol=1e-5)
    torch.testing.assert_close(all_scores, expected / 32**0.5, rtol=0, atol=1e-4)
    torch.testing.assert_close(all_scores.softmax(-1), SENTENCES[word].attn_weights[LAYER, HEAD], rtol=0, atol=1e-3)
    torch.testing.assert_close(queries, numbers.queries, rtol=0, atol=3e-3)  # W_query and inputs are rounded


@pytest.mark.needs_node
def test_what_is_delivered_is_the_weighted_sum_of_the_values():
    weights = STEEP.attn_weights[LAYER, HEAD, 9]
    code = "return weights.map((weight, key) => delivered(sentences[1], key, weight));"
    parts = torch.tensor(computed(view_of("weak", "steep"), code, weights=weights.tolist()))
    torch.testing.assert_close(parts.sum(0), weights @ NUMBERS["steep"].values, rtol=0, atol=1e-4)


@pytest.mark.needs_node
def test_numbers_that_a_page_computes_are_those_of_pytorch():
    attention, inputs = MultiHeadAttention(12, 24, 3, qkv_bias=True), torch.randn(5, 12)
    code = f"""{FLOATS}
for (const name in layers) layers[name] = floats(layers[name]);
const attention = new MultiHeadAttention(layers, 3), x = Float32Array.from(inputs);
const numbers = modules["head_numbers.js"].numbersOf(x, attention.forward(x), layers.W_query, 3, 2);
return Object.entries(numbers).map(([name, part]) => [name, part.length ? [...part] : part]);"""
    layers = {name: layer(getattr(attention, name)) for name in ("W_query", "W_key", "W_value", "out_proj")}
    found = dict(run(code, "attention.js", "head_numbers.js", layers=layers, inputs=inputs.flatten().tolist()))
    for name, part in head_numbers(attention, inputs, 2)._asdict().items():
        got = torch.tensor(found["weight" if name == "W_query" else name]).view(part.shape)
        torch.testing.assert_close(got, part, rtol=0, atol=1e-5)
    assert (found["width"], found["dim"]) == (12, 8)


@pytest.mark.needs_node
def test_what_a_step_says_is_said_with_these_numbers():
    it, robot = WEAK.tokens.index("it"), WEAK.tokens.index("robot")
    numbers = NUMBERS["weak"]
    code = f"""const {{ unpacked, products, largestOf }} = modules["head_numbers.js"];
        const [one] = unpacked(data, 0, sizes, 1);
        const feature = largestOf(products(one, {it}, {robot}));
        const arc = {{ numbers: one, weights, query: {it}, key: {robot}, feature, names: {{ query: "it", keys }} }};
        return STEPS.map((step) => [written(step.value(arc)), step.says(arc)]);"""
    view, sizes = view_of("weak"), {"rows": 15, "columns": 15, "width": 384, "dim": 32}
    weights = WEAK.attn_weights[LAYER, HEAD, it].tolist()
    said = run(code, "arc_steps.js", data=view.numbers_data, sizes=sizes, weights=weights, keys=WEAK.tokens)
    product = numbers.queries[it] * numbers.keys[robot]
    place = int(product.abs().argmax())
    dot, score = product.sum(), product.sum() / 32**0.5
    row = numbers.queries[it] @ numbers.keys.T / 32**0.5
    length = numbers.values[robot].norm()
    needed = [
        (weights[robot], [weights[robot], score.exp(), row.exp().sum()]),
        (score, [score, dot, 32**0.5]),
        (dot, [dot, product[place]]),
        (numbers.queries[it, place], [numbers.queries[it, place], numbers.bias[place]]),
        (weights[robot], [length, weights[robot] * length]),
    ]
    for (value, words), (expected, numbers_said) in zip(said, needed, strict=True):
        assert value == _written(expected)
        for number in numbers_said:
            assert _written(number) in words
    assert f"number {place}, counted from 0, is the largest" in said[2][1] and "the largest of 15" in said[1][1]


@pytest.mark.needs_node
@pytest.mark.parametrize("word", SENTENCES)
def test_what_a_step_reckons_is_what_a_calculator_finds(word):
    """The power of e and the product of each query and key, from the numbers as they are written."""
    read, numbers = SENTENCES[word], NUMBERS[word]
    code = """const { unpacked, products, largestOf } = modules["head_numbers.js"];
        const [one] = unpacked(data, 0, sizes, 1);
        return weights.flatMap((row, query) => row.map((_, key) => {
          const feature = largestOf(products(one, query, key));
          const arc = { numbers: one, weights: row, query, key, feature, names: { query: "q", keys } };
          return [STEPS[0].says(arc), STEPS[2].says(arc)];
        }));"""
    view, count = view_of(word), len(read.tokens)
    weights = read.attn_weights[LAYER, HEAD].tolist()
    sizes = {"rows": count, "columns": count, "width": 384, "dim": 32}
    keys = ["k"] * count
    said = run(code, "arc_steps.js", data=view.numbers_data, sizes=sizes, weights=weights, keys=keys)
    assert len(said) == count**2 and numbers.queries.shape[0] == count
    for share, product in said:
        power, power_found = re.search(r"e<sup>(.+?)</sup> is ([^ ,]+),", share.replace("−", "-")).groups()
        assert _written(math.exp(float(power))) == power_found, share
        first, second, found = re.search(r": (\S+) × (\S+) = (\S+)\.$", product.replace("−", "-")).groups()
        assert _written(float(first) * float(second)).replace("−", "-") == found, product


def _written(number):
    return f"{float(number):.2f}".replace("-", "−")


@pytest.mark.needs_node
def test_the_steps_name_notebooks_of_the_course_and_a_token_is_no_html_in_them():
    titles = {entry.file: entry.title for entry in course.notebooks()}
    steps = run("return STEPS.map(({ file, title }) => [file, title]);", "arc_steps.js")
    assert len(steps) == 5 and all(titles[file] == title for file, title in steps)
    code = """const numbers = { width: 1, dim: 1, bias: [0], weight: new Float32Array(1), inputs: new Float32Array(1),
            queries: new Float32Array(1), keys: new Float32Array(1), values: new Float32Array(1) };
        const arc = { numbers, weights: [1], query: 0, key: 0, feature: 0, names: { query: "<b>", keys: ["<img>"] } };
        return STEPS.map((step) => step.says(arc)).join("");"""
    assert not re.search("<img|<em><b>", run(code, "arc_steps.js"))


@pytest.mark.needs_node
@pytest.mark.parametrize(
    ("path", "has_pages", "address"),
    [
        ("/site/13_real_heads.html", True, "03_a.html"),
        ("/lab/tree/work/13_real_heads.ipynb", False, "03_a.ipynb"),
        ("/lab", False, None),
        ("/home/me/exported.html", False, None),
    ],
)
def test_a_link_leads_to_a_notebook_where_there_is_one(path, has_pages, address):
    code = "return addressOf('03_a', path, hasPages);"
    assert run(code, "arc_steps.js", path=path, hasPages=has_pages) == address


def changed(**parts):
    return NUMBERS["weak"]._replace(**parts)


def test_the_kernel_answers_when_a_head_is_opened():
    asked = []

    def numbers(layer, head):
        asked.append((layer, head))
        if layer == 5:
            raise KeyError("no such layer")
        # The substitute for a model whose weights are missing gives nan: such numbers are none.
        return {(3, 1): NUMBERS["weak"], (0, 3): changed(inputs=torch.full((15, 384), np.nan))}.get((layer, head))

    view = HeadsView(WEAK.attn_weights, WEAK.tokens, layer=3, head=1, numbers=numbers)
    assert view.numbers["heads"] == [[3, 1, 384, 32, 0]] and asked == [(3, 1)]
    for count, head in enumerate((2, 3), 1):
        view.set_state({"wanted": [0, head, count]})
        assert view.numbers["heads"] == [] and "are not here" in view.numbers["note"]
    view.set_state({"wanted": [5, 0, 3]})
    assert view.numbers["note"] == "KeyError: 'no such layer'"
    view.set_state({"wanted": [3, 1, 4]})
    assert view.numbers["heads"] == [[3, 1, 384, 32, 0]] and view.numbers["note"] == ""
    assert asked == [(3, 1), (0, 2), (0, 3), (5, 0), (3, 1)]


def test_a_page_stores_few_numbers_and_asks_no_kernel():
    plain = SentenceView(WEAK.attn_weights, WEAK.tokens, layer=3, head=1)
    view = SentenceView(WEAK.attn_weights, WEAK.tokens, layer=3, head=1, numbers={(3, 1): NUMBERS["weak"]})
    view.set_state({"wanted": [0, 0, 1]})  # the page has the head all the same
    page = view.to_shared_html()
    assert len(page) - len(plain.to_shared_html()) < 60_000
    assert '"heads": [[3, 1, 384, 32, 0]]' in page and "state.numbers.live = false;" in page
    assert "state.numbers" not in plain.to_shared_html()
