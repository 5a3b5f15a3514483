"""Test disturbed arithmetic: rounded results change a little, exact ones do not, and affected cells are named."""

import nbformat
import pytest
import torch
from good_notebook import write
from nb.trembling import SIZE, Trembling
from nbformat.v4 import new_code_cell, new_output

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


@pytest.fixture
def page(tmp_path):
    """Return a function that writes a notebook of cells (source, stored output) below one that imports torch."""

    def cell(source, output):
        outputs = [new_output("execute_result", {"text/plain": repr(output)})] if output is not None else []
        return new_code_cell(source, outputs=outputs)

    return lambda *cells: write(tmp_path / "01_page.ipynb", "import torch", *(cell(*pair) for pair in cells))


def test_faults_are_named_up_to_a_cell_that_raises_and_nothing_is_stored(page, capsys):
    softmax = "torch.softmax(torch.tensor([0.3, 0.4, 0.7, 0.9]), dim=-1)"
    rounding = f"{softmax} * 1e7  # every digit of it"
    path = page(
        ("print(1)", None),
        (softmax, eval(softmax)),  # printed with care
        ("torch.ones(3).sum()", torch.tensor(3.0)),
        ("torch.rand(1)", torch.zeros(1)),  # not compared
        (rounding, eval(rounding)),
        ("torch.ones(3).sum()", torch.tensor(2.0)),  # a wrong number
        ("1 / 0", None),
        ("2", 3),
    )
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[4].metadata.tags = ["nbval-ignore-output"]
    nbformat.write(notebook, path)
    before = path.read_bytes()
    assert notebooks.main(["tremble", str(path), "--seed", "2"]) == 1
    printed, rounded, wrong, raised, count = capsys.readouterr().out.splitlines()
    assert 'cell 2 ("print(1)"): stdout: outputs stored: 0, printed: 1.' in printed
    assert f'cell 6 ("{rounding}"): text' in rounded and "units of its last digit" in rounded
    assert wrong.endswith(
        'cell 7 ("torch.ones(3).sum()"): text/plain: 2. is now 3., 10000 units of its last digit away, 1 may be.'
    )
    assert 'cell 8 ("1 / 0"): ZeroDivisionError: division by zero.' in raised
    assert count == "1 notebook run with disturbed arithmetic, 4 findings."
    assert path.read_bytes() == before


def test_where_nothing_is_found_all_is_well(page, capsys, monkeypatch):
    monkeypatch.setattr("nb.tremble.tremble", lambda paths, jobs, seed: [])
    assert notebooks.main(["tremble", str(page())]) == 0
    assert capsys.readouterr().out == "1 notebook run with disturbed arithmetic, 0 findings.\n"
