"""Test that cells are parsed as IPython runs them, and which of their statements an answer depends on."""

import ast

import nbformat
import pytest
from nb.magics import parse
from nb.slices import Code, set_aside

PARSED = {  # source of a cell -> its statements, and the line in the cell on which the first begins
    "%%time\n\ndef f():\n    pass": ("def f():\n    pass", 3),
    "\n \n%%time\nx = 1": ("x = 1", 4),
    "%%capture out\n%%time --no-raise-error\nx = 1": ("x = 1", 3),
    "%%prun -q -s cumulative x = 2\ny = x": ("x = 2\ny = x", 1),
    "%%timeit -n 1 x = 2\ny = x": ("class _:\n    x = 2\n    y = x", 1),  # under %timeit, no name stays bound
    "%time x = f()": ("x = f()", 1),
    "\ny = %time f()": ("y = f()", 2),
    "x = 1\n%timeit  f(x)": ("x = 1\n\nclass _:\n    f(x)", 1),
    "for i in x:\n    %time f(i)": ("for i in x:\n    f(i)", 1),
    "x = 1\n%time f(": ("x = 1\nget_ipython().run_line_magic('time', 'f(')", 1),
    "%%bash\nls": ("get_ipython().run_cell_magic('bash', '', 'ls\\n')", 1),
    "%matplotlib inline": ("get_ipython().run_line_magic('matplotlib', 'inline')", 1),
    "names = !ls": ("names = get_ipython().getoutput('ls')", 1),
    "f?": ("get_ipython().run_line_magic('pinfo', 'f')", 1),
    "get_ipython().run_line_magic(name)": ("get_ipython().run_line_magic(name)", 1),
}


@pytest.mark.parametrize("source", PARSED)
def test_a_cell_is_parsed_as_ipython_runs_it(source):
    text, statements = parse(source)
    assert (ast.unparse(ast.Module(statements, [])), statements[0].lineno) == PARSED[source]
    compile(text, "cell", "exec")


def notebook(*sources: str, kind="code"):
    make = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}[kind]
    return nbformat.v4.new_notebook(cells=[make(source) for source in sources])


BROKEN = {  # source of a cell that cannot be read -> the type of the error, and its line
    "for i in x:\n    i\n  i": (IndentationError, 3),
    "%%time\n\nx = (": (SyntaxError, 3),
    "print 'x'": (SyntaxError, 1),
    "x = 1\n\tif x:\n  y": (IndentationError, 3),
    "x = '\ud800'": (UnicodeEncodeError, None),
    f"x = {'-' * 200_000}1": ((MemoryError, RecursionError), None),
    f"x = {'(' * 5_000}": ((SyntaxError, MemoryError), 1),
    "\0": ((SyntaxError, ValueError), None),
    "%%time -z\nx = 1": (Exception, None),
}


@pytest.mark.parametrize("source", BROKEN, ids=lambda source: ascii(source[:12]))
def test_a_cell_that_cannot_be_read_costs_what_is_in_it(source):
    kinds, line = BROKEN[source]
    code = Code(notebook("def my_scores(query, keys): ...", source, "checks.scores(my_scores)"))
    assert code.broken.keys() == {1} and isinstance(code.broken[1], kinds)
    assert line is None or code.broken[1].lineno == line
    assert [statement.cell for statement, _ in code.needed(code.calls["scores"])] == [0]


ACTING = {  # cells above the check -> what stands beside the answer, and what the answer needs
    "print(my_scores)": ([], []),
    "def my_scores(): ...\nprint(my_scores)": (["print(my_scores)"], ["def my_scores(): ..."]),
    "def my_scores(): ...\nchecks.weights(1)": ([], ["def my_scores(): ..."]),
    "from torch import *": (["from torch import *"], []),
    "import torch\nmy_scores = torch.ones(3)\ntorch.manual_seed(1)": (
        ["torch.manual_seed(1)"],
        ["import torch", "my_scores = torch.ones(3)"],
    ),
    "import a\n---\na.b()\na.c = 1\n---\nmy_scores = a.d": ([], ["import a", "my_scores = a.d"]),
    "table = {}\n---\ntable['x'] = 1\n---\nmy_scores = lambda: table": (
        [],
        ["table = {}", "table['x'] = 1", "my_scores = lambda: table"],
    ),
    "my_scores = []\n---\nfor i in range(3):\n    my_scores.append(i)": (
        [],
        ["my_scores = []", "for i in range(3):\n    my_scores.append(i)"],
    ),
    "my_scores = make()\n---\nnn.init.zeros_(my_scores)\n---\nsetattr(my_scores, 'a', 1)\n---\nprint(my_scores)": (
        [],
        ["my_scores = make()", "nn.init.zeros_(my_scores)", "setattr(my_scores, 'a', 1)"],
    ),
    "my_scores = 1\n---\n@adds(my_scores)\ndef forward(): ...": (
        [],
        ["my_scores = 1", "@adds(my_scores)\ndef forward(): ..."],
    ),
    "model = make()\nmy_scores = 1\nmodel(1)\n---\nmodel.train()": (["model = make()", "model(1)"], ["my_scores = 1"]),
}


@pytest.mark.parametrize("cells", ACTING)
def test_what_acts_on_an_answer(cells):
    """What an answer depends on may stand in any cell above; what else stands in its own cell is run beside it."""
    code = Code(notebook(*cells.split("\n---\n"), "checks.scores(my_scores)\nmy_scores = None"))
    acting = code.needed(code.calls["scores"])
    texts = {key: [ast.unparse(one.node) for one, needed in acting if needed is key] for key in (False, True)}
    expected = [[ast.unparse(ast.parse(source)) for source in sources] for sources in ACTING[cells]]
    assert [texts[False], texts[True]] == expected


def test_what_awaits_is_run_and_leaves_no_loop():
    code = Code(notebook("import asyncio\nx = await asyncio.sleep(0, 3)\nasync for y in z(): pass"))
    names = {}
    code.run(code.statements[:2], names)
    assert names["x"] == 3
    with pytest.raises(NameError):
        code.run(code.statements[2:], names)
    code.run(code.statements[:2], names)


def test_what_stands_in_cells_that_are_no_code_is_known():
    told = set_aside(
        notebook("def my_scores(): ...", "checks.scores(my_scores)", "# A heading\n\nwords", kind="markdown")
    )
    assert told == dict.fromkeys(("my_scores", "checks.scores"), "a Markdown cell")
