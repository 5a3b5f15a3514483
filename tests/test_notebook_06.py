"""Notebook 06: the walk on numbers goes through with any number of heads that divides the width, and says what is wrong
with 3; the answers of the quiz are computed, not believed."""

import matplotlib
import pytest
import torch
from notebook_files import PUBLISHED
from notebook_format import read_notebook

from course_utils import attention, quiz

PAGE = PUBLISHED / "06_multi_head.ipynb"
CONSTANT = "NUM_HEADS = 2"


@pytest.fixture
def walk(monkeypatch):
    """Runs the setup of the notebook and the cells of the walk, with another number of heads; returns their names."""
    cells = read_notebook(PAGE).cells
    setup = next(cell for cell in cells if "setup" in cell.metadata.get("tags", []))
    first = next(index for index, cell in enumerate(cells) if cell.id == "the-walk")
    last = next(index for index in range(first + 1, len(cells)) if cells[index].source.startswith("## "))
    codes = [cell for cell in [setup, *cells[first:last]] if cell.cell_type == "code"]
    assert sum(CONSTANT in cell.source for cell in codes) == 1

    def run(num_heads):
        names = {}
        for cell in codes:
            exec(compile(cell.source.replace(CONSTANT, f"NUM_HEADS = {num_heads}"), cell.id, "exec"), names)
        return names

    with matplotlib.rc_context():
        yield run
    torch.set_printoptions(profile="default")


@pytest.mark.parametrize("num_heads", [1, 2, 4, 8])
def test_the_walk_with_another_number_of_heads(num_heads, walk):
    names = walk(num_heads)
    context_vecs, attn_weights = names["layer"](names["walk_inputs"])
    assert attn_weights.shape == (1, num_heads, 4, 4)
    torch.testing.assert_close((names["summary"], names["weights"]), (context_vecs, attn_weights))


def test_the_walk_with_three_heads_says_what_is_wrong(walk):
    with pytest.raises(ValueError, match="divisible by num_heads, got d_out = 8 and num_heads = 3"):
        walk(3)


def right(phrase):
    """The text of the right choice of the question that holds the phrase."""
    (question,) = [question for question in quiz.load("06") if phrase in question["question"]]
    (text,) = [choice["text"] for choice in question["choices"] if choice["right"]]
    return text


def test_the_quiz_on_the_wrong_view():
    x = torch.arange(2 * 5 * 12).view(2, 5, 12)
    head_0 = x.view(2, 4, 5, 3)[0, 0]
    assert set((head_0 // 12).flatten().tolist()) == {0, 1}  # tokens 0 and 1 alone
    assert (head_0 // 12 == 1).sum() == 3
    assert right("without a transpose").startswith("The right shape, with tokens mixed")


def test_the_quiz_on_widths_and_shapes():
    assert right("768 wide") == f"{768 // 12} features of all 10 tokens"
    notes = [torch.rand(2, 5, 3) for _ in range(4)]
    assert right("torch.stack(notes, dim=-1)") == str(tuple(torch.stack(notes, dim=-1).shape))


def test_the_quiz_on_the_output_projection():
    vecs = torch.rand(1, 4, 5, 3)
    others = vecs.clone()
    others[:, 0] += 1
    changed = (attention.merge_heads(vecs) != attention.merge_heads(others)).any(dim=1).nonzero()[:, 1]
    assert changed.tolist() == [0, 1, 2] and right("leave `out_proj` out").startswith(
        "The heads' notes stay side by side"
    )


def test_the_quiz_on_what_doubles():
    few, many = (attention.MultiHeadAttention(16, 16, num_heads) for num_heads in (2, 4))
    numel = [sum(parameter.numel() for parameter in layer.parameters()) for layer in (few, many)]
    weights = [layer(torch.rand(1, 5, 16))[1].numel() for layer in (few, many)]
    assert numel[0] == numel[1] and weights[1] == 2 * weights[0]
    assert right("What doubles?") == "The numbers kept as weights"


def test_the_quiz_on_the_merge():
    vecs, found = torch.rand(2, 4, 5, 3), []
    (question,) = [question for question in quiz.load("06") if "merges the heads" in question["question"]]
    for choice in question["choices"]:
        try:
            merged = eval(choice["text"].strip("`"), {"vecs": vecs})
            found.append(torch.equal(merged, attention.merge_heads(vecs)))
        except RuntimeError:
            found.append(False)
    assert found == [choice["right"] for choice in question["choices"]]
