"""Test disturbed arithmetic: rounded results change a little, exact ones do not, and affected cells are named."""

import nbformat
import pytest
import torch
from nb.run import run_notebooks
from nb.tremble import tremble
from nb.trembling import SIZE, Trembling
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import notebooks


def disturbed(function, seed=1):
    with Trembling(seed):
        return function()


NUMBERS = torch.linspace(-2.1, 3.3, 60).view(6, 10)


def gradient():
    weights = torch.full((10,), 0.1, requires_grad=True)
    (NUMBERS @ weights).exp().sum().backward()
    return weights.grad


def masked():
    from torch.nn.attention.bias import causal_lower_right  # not above: it loads PyTorch's compiler, for seconds

    keys = NUMBERS[None, None]
    return torch.nn.functional.scaled_dot_product_attention(keys[:, :, -2:], keys, keys, causal_lower_right(2, 6))


MOVED = {
    "sum": lambda: NUMBERS.sum(dim=-1),
    "matmul": lambda: NUMBERS @ NUMBERS.T,
    "softmax": lambda: torch.softmax(NUMBERS, dim=-1),
    "softmax of whole numbers": lambda: torch.softmax(torch.tensor([1.0, 2.0, 4.0]), dim=-1),
    "linear": lambda: torch.nn.functional.linear(NUMBERS, NUMBERS),
    "in place": lambda: NUMBERS.clone().div_(0.3),
    "layer norm": lambda: torch.nn.functional.layer_norm(NUMBERS, (10,)),
    "PyTorch's attention": lambda: torch.nn.functional.scaled_dot_product_attention(*[NUMBERS[None, None]] * 3),
    "a gradient": gradient,
    "a mask that is a subclass of Tensor": masked,
}


@pytest.mark.parametrize("function", MOVED.values(), ids=MOVED)
def test_what_is_rounded_moves_by_a_few_parts_in_ten_million(function):
    exact, moved = function(), disturbed(function)
    assert (moved != exact).any()
    torch.testing.assert_close(moved, exact, rtol=20 * SIZE, atol=1e-5)
    assert torch.equal(moved, disturbed(function))
    assert not torch.equal(moved, disturbed(function, seed=2))


WHOLE = torch.arange(12.0).view(3, 4)
EXACT = {
    "sum": lambda: WHOLE.sum(dim=0),
    "matmul": lambda: WHOLE @ WHOLE.T,
    "mean": lambda: (WHOLE / 2).mean(dim=-1),
    "softmax": lambda: torch.softmax(torch.tensor([0.0, 0.0, -torch.inf]), dim=-1),
    "nan": lambda: torch.softmax(torch.tensor([-torch.inf, -torch.inf]), dim=-1).isnan(),
    "float64": lambda: NUMBERS.double().sum(),
    "no arithmetic": lambda: NUMBERS.T.contiguous(),
    "nothing": lambda: torch.empty(0, 3).sum(dim=-1),
}


@pytest.mark.parametrize("function", EXACT.values(), ids=EXACT)
def test_what_is_exact_everywhere_stays(function):
    assert torch.equal(function(), disturbed(function))


class Labelled(torch.Tensor):
    """A subclass of Tensor, which results computed from it must keep."""


def test_tensors_of_other_classes_are_made_and_keep_their_class():
    def double():
        numbers = torch.Tensor._make_subclass(Labelled, NUMBERS)
        return Labelled([2.0, 3.0]), numbers * 2

    made, doubled = disturbed(double)
    assert type(made) is type(doubled) is Labelled
    assert made.tolist() == [2.0, 3.0] and torch.equal(doubled, NUMBERS * 2)
    assert torch.Tensor.__new__ is torch._C.TensorBase.__new__


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Return a notebook with the outputs of a real run, as bytes."""
    sources = [
        "import torch",
        "torch.softmax(torch.tensor([0.3, 0.4]), dim=-1)",
        "torch.softmax(torch.tensor([0.3, 0.4, 0.7, 0.9]), dim=-1) * 1e7  # every digit of it",
        "print(torch.ones(3).sum())",
    ]
    path = tmp_path_factory.mktemp("stored") / "01_page.ipynb"
    cells = [new_markdown_cell("# 1 · A"), *map(new_code_cell, sources)]
    nbformat.write(new_notebook(cells=cells), path)
    assert run_notebooks([path], jobs=1) == []
    return path.read_bytes()


@pytest.fixture
def page(stored, tmp_path):
    """Return the path of a notebook with the outputs of a real run, which a test may change."""
    path = tmp_path / "01_page.ipynb"
    path.write_bytes(stored)
    return path


def changed(path, change):
    notebook = nbformat.read(path, as_version=4)
    change(notebook.cells)
    nbformat.write(notebook, path)
    return path.read_bytes()


def test_a_cell_that_prints_rounding_is_named_and_nothing_is_stored(page, capsys):
    before = page.read_bytes()
    assert notebooks.main(["tremble", str(page), "--seed", "2"]) == 1
    finding, count = capsys.readouterr().out.splitlines()
    assert (
        'cell 4 ("torch.softmax(torch.tensor([0.3, 0.4, 0.7, 0.9]), dim=-1) * 1e7  # every digit of it"): text'
        in finding
    )
    assert "units of its last digit" in finding
    assert count == "1 notebook run with disturbed arithmetic, 1 findings."
    assert page.read_bytes() == before


def test_a_page_that_prints_with_care_passes(page, capsys):
    changed(page, lambda cells: cells[3].metadata.update(tags=["nbval-ignore-output"]))
    assert notebooks.main(["tremble", str(page)]) == 0
    assert capsys.readouterr().out == "1 notebook run with disturbed arithmetic, 0 findings.\n"


def test_a_wrong_stored_number_is_named(page):
    def write_a_wrong_sum(cells):
        cells[3].metadata.tags = ["nbval-ignore-output"]
        cells[4].outputs[0].text = "tensor(2.)\n"

    changed(page, write_a_wrong_sum)
    (line,) = tremble([page], jobs=1, seed=1)
    assert line.endswith('cell 5 ("print(torch.ones(3).sum())"): stdout: 2. is now 3., 10000 units of its last digit '
                         "away, 1 may be.")  # fmt: skip


def test_a_cell_that_raises_is_named_and_those_before_it_are_compared(page):
    def raise_at_the_end(cells):
        cells[1].outputs = [nbformat.v4.new_output("stream", text="imported\n")]
        cells[3].metadata.tags = ["nbval-ignore-output"]
        cells[4].source = "1 / 0"
        cells.append(new_code_cell("2", execution_count=6))

    changed(page, raise_at_the_end)
    first, second = tremble([page], jobs=1, seed=1)
    assert 'cell 2 ("import torch"): stdout: outputs stored: 1, printed: 0.' in first
    assert 'cell 5 ("1 / 0"): ZeroDivisionError: division by zero.' in second
