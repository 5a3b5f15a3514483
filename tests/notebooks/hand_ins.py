"""Right sheets as they come in from other editors (FORMS) and other habits (HABITS), made in code.

A form is a file around the cells of SHEET. A habit is a list of cells that answer one exercise, the check among them.
"""

import io
import json
import textwrap
import zipfile

from course_utils import checks

EXERCISES = checks.all()
SETUP = """import math
import torch
import torch.nn.functional as F
from torch import nn
from course_utils import attention, checks"""


def answer(name: str) -> str:
    """Return a right answer to an exercise as a learner would have typed it, under the name of its stub."""
    exercise = EXERCISES[name]
    return exercise.forms[0].source.strip().replace(exercise.forms[0].name, exercise.stub)


def check(name: str) -> str:
    return f"checks.{name}({EXERCISES[name].stub})"


ON_SHEET = ("scores", "context_vector")
SHEET = ["# My sheet", SETUP, "Some words.", *(part(name) for name in ON_SHEET for part in (answer, check))]


def cells() -> list[dict]:
    """Return cells in format 4.0, without ids: those whose source begins with a capital or # are Markdown."""
    return [
        {"cell_type": "markdown", "metadata": {}, "source": [source]}
        if source[:1].isupper() or source.startswith("#")
        else {"cell_type": "code", "source": source.splitlines(keepends=True), "metadata": {}}
        | {"execution_count": None, "outputs": []}
        for source in SHEET
    ]


def stored(change=None, top=None, **layout) -> bytes:
    """Return a notebook as JSON. change(cell): changes each cell. top: other entries of it."""
    made = cells()
    for cell in made if change else ():
        change(cell)
    notebook = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 0} | (top or {})
    return json.dumps(notebook, **layout).encode()


def code(kind="code", /, **entries):
    """Return a change that gives the cells of a kind these entries; ... removes one."""

    def change(cell):
        for key, value in entries.items() if cell["cell_type"] == kind else ():
            cell.pop(key, None) if value is ... else cell.update({key: value})

    return change


def shown(**entries):
    return code(outputs=[{"output_type": "display_data", "data": {"text/plain": "x"}, "metadata": {}} | entries])


def zipped(*names: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            info = zipfile.ZipInfo("x")
            info.filename = name  # as it is, with the \ that Windows writes
            archive.writestr(info, stored())
    return file.getvalue()


def third() -> bytes:
    """Return the sheet in format 3: worksheets, headings, and `input` for the source of code."""
    old = []
    for cell in cells():
        if cell["cell_type"] == "code":
            old.append({"cell_type": "code", "collapsed": False, "input": cell["source"], "language": "python"})
            old[-1] |= {"metadata": {}, "outputs": [], "prompt_number": 1}
        else:
            old.append({"cell_type": "heading", "level": 1, "metadata": {}, "source": cell["source"]})
    sheet = {"nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": old}]}
    return json.dumps({"metadata": {"name": ""}} | sheet).encode()


def joined(cell):
    cell["source"] = "".join(cell["source"])


ONE_ID = {"id": "same", "metadata": {"pycharm": {"name": "#%%\n"}}}
DATASPELL = {"kernelspec": {"name": "python3"}, "datalore": {"version": 1, "packages": [], "base_environment": None}}
COLAB = {"colab": {"provenance": [], "toc_visible": True}, "accelerator": "GPU", "language_info": {"name": "python"}}
FORMS = {  # name -> (the ending of the file, its content)
    "PyCharm, jetTransient": ("ipynb", stored(shown(jetTransient={"display_id": None}))),
    "DataSpell, transient": ("ipynb", stored(shown(transient={"display_id": "a"}), {"metadata": DATASPELL}, indent=1)),
    "PyCharm, one id for all": ("ipynb", stored(code(**ONE_ID), {"nbformat_minor": 5})),
    "VS Code of 2020, outputs in text": ("ipynb", stored(code("markdown", outputs=[], execution_count=None))),
    "VS Code, other cell types": ("ipynb", stored(code(languageId="python", kind=2), {"nbformat_minor": 99})),
    "Azure Data Studio, no outputs": ("ipynb", stored(code(outputs=..., azdata_cell_guid="1-2"))),
    "Azure Data Studio, outputs null": ("ipynb", stored(code(outputs=None, execution_count=...))),
    "Colab": ("ipynb", stored(code(outputs=[None], id="x Y/z"), {"nbformat_minor": 0, "metadata": COLAB})),
    "Colab, format first": ("ipynb", json.dumps(dict(reversed(json.loads(stored()).items()))).encode()),
    "Kaggle, one line": ("ipynb", stored(joined, separators=(",", ":"))),
    "nteract, unknown keys": ("ipynb", stored(code(inputHidden=True, outputHidden=False), {"version": "0.28"})),
    "Deepnote, no metadata": ("ipynb", stored(code(metadata=..., cell_id="00001"), {"metadata": None})),
    "Databricks, errors of its own": ("ipynb", stored(code(outputs=[{"output_type": "ipynbError", "data": ""}]))),
    "Hydrogen, streams without text": ("ipynb", stored(code(outputs=[{"output_type": "stream", "text": None}]))),
    "EIN, no format": ("ipynb", stored(None, {"nbformat": None, "nbformat_minor": "4"})),
    "Jupyter of 2014, format 3": ("ipynb", third()),
    "Notepad, a byte order mark": ("ipynb", b"\xef\xbb\xbf" + stored(indent=1).replace(b"\n", b"\r\n")),
    "a camera's ending": ("IPYNB", stored()),
    "Edge, .ipynb.txt": ("ipynb.txt", stored()),
    "Safari, .ipynb.json": ("ipynb.json", stored(indent=1)),
    "Chrome, .json": ("json", stored()),
    "a zip of macOS": ("zip", zipped("week_2/sheet.ipynb", "__MACOSX/week_2/._sheet.ipynb", "week_2/.hidden.ipynb")),
    "a zip of Windows": ("zip", zipped("week_2\\sheet.ipynb")),
}  # fmt: skip


def under(line: str, name: str) -> tuple:
    return name, [f"{line}\n{answer(name)}", check(name)]


def above(code: str, name: str) -> tuple:
    return name, [f"{code}\n\n{answer(name)}", check(name)]


def below(code: str, name: str) -> tuple:
    return name, [f"{answer(name)}\n\n{code}", check(name)]


def after(name: str, *others: str) -> tuple:
    return name, [*others, answer(name), check(name)]


def in_parts() -> tuple:
    """Return a class whose method comes by a decorator, as in books that explain a class bit by bit."""
    head, _, method = answer("self_attention").partition("    def forward")
    method = textwrap.dedent(f"    def forward{method}")
    adds = "def add_to(kind):\n    return lambda method: setattr(kind, method.__name__, method)"
    return "self_attention", [adds, head, f"@add_to(MySelfAttention)\n{method}", check("self_attention")]


def replaced() -> tuple:
    """Return a class whose wrong method is replaced in a later cell."""
    right = answer("causal_attention")
    wrong = right.replace("    def forward", "    def backward")
    method = textwrap.dedent(right[right.index("    def forward") :])
    return "causal_attention", [wrong, f"{method}\nMyCausalAttention.forward = forward", check("causal_attention")]


TRAINING = """layer = nn.Linear(2, 2)
for _ in range(20):
    layer(torch.ones(2)).sum().backward()"""
TABLE = "table = torch.tensor([[1.0, 2, 3], [4, 5, 6]])"
HABITS = {  # name -> (exercise, the code cells that answer it, its check among them)
    "%%time": under("%%time\n", "softmax"),
    "%%capture, %%time": under("%%capture out\n%%time", "causal_mask"),
    "%%prun": under("%%prun -q", "scaled_scores"),
    "%time binds": ("means", [TABLE, "%time " + answer("means"), check("means")]),
    "%time, %timeit below": below(
        "%timeit -n 1 -r 1 my_batch_attention(torch.ones(1, 2, 3))\n%time my_batch_attention(torch.ones(1, 2, 3))",
        "batch_attention",
    ),
    "a magic in a function": below("def times():\n    %timeit -n 1 -r 1 torch.ones(2)\ntimes()", "many_heads"),
    "!, ?": ("merge_heads", [f"!echo ready\n{answer('merge_heads')}\nmy_merge_heads?", check("merge_heads")]),
    "%matplotlib, %load_ext": above("%load_ext autoreload\n%matplotlib inline", "split_heads"),
    "display": below("display(my_padding_mask(torch.tensor([1, 2]), 3))", "padding_mask"),
    "await": above("import asyncio\nawait asyncio.sleep(0)", "row_weights"),
    "an assertion that fails": below("assert my_patches(torch.ones(1, 1, 2, 2), 1) is None", "patches"),
    "a question": below("name = input('Your name? ')", "text_loss"),
    "Colab's drive": below("from google.colab import drive\ndrive.mount('/content/drive')", "dropout"),
    "training": below(TRAINING, "left_padded_mask"),
    "a thread that waits": above(
        "import threading, time\nthreading.Thread(target=time.sleep, args=(1000,)).start()", "cache_bytes"
    ),
    "an exit handler that waits": above("import atexit, time\natexit.register(time.sleep, 1000)", "write"),
    "other languages": after("basket_mask", "%%bash\necho ready", "%%html\n<b>ready</b>", "%%latex\n$x$"),
    "an indentation error elsewhere": after("half_split", "for i in range(3):\n    print(i)\n  print('done')"),
    "signs without an end elsewhere": after("gqa", f"x = {'-' * 20_000}1"),
    "a first try that raises": after("alibi", "my_alibi = torch.alibi(4)"),
    "from __future__": (
        "repeat_segment",
        ["from __future__ import annotations", answer("repeat_segment").replace("segments,", "segments: Tensor,")]
        + [check("repeat_segment")],
    ),
    "from … import *": (
        "fused_attention",
        ["from torch.nn.functional import *", answer("fused_attention").replace("F.", ""), check("fused_attention")],
    ),
    "all in one cell": ("same_pattern", [f"%%time\n{answer('same_pattern')}\n{check('same_pattern')}"]),
    "if __name__": (
        "top_heads",
        [f"if __name__ == '__main__':\n{textwrap.indent(answer('top_heads'), '    ')}", check("top_heads")],
    ),
    "a list of helpers": (
        "additive_mask",
        ["helpers = []", "helpers.append(torch.zeros)", answer("additive_mask").replace("torch.zeros", "helpers[0]")]
        + [check("additive_mask")],
    ),
    "a tensor filled later": (
        "batch",
        ["my_batch = torch.ones(4, 5, 3)", "for row in range(4):\n    my_batch[row] = 0", check("batch")],
    ),
    "a class in parts": in_parts(),
    "a method replaced": replaced(),
}
