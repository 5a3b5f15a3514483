"""Test that the page on raising torch lists every use of a private name of torch in the code, with the file."""

import ast
import re

from nb.files import COURSE

FILES = [path for folder in ("course_utils", "lessons", "tools") for path in sorted((COURSE / folder).rglob("*.py"))]
TEXT = re.compile(r"torch\.[\w.]+|_torch\w+")  # a string that names a module or an attribute of torch
ROW = re.compile(r"^\| (`[^|]+`) \| `([\w/.]+\.py)` \| \S.* \|$", re.MULTILINE)
SAMPLE = """
import torch._inductor.config
import torch.nn.functional as F
from torch.utils import _pytree
from torch.nn import Linear

torch._C.one().two
torch.softmax(x._own, dim=-1).__class__
vars(answer).get("_torchdynamo_other")
"""


def private(code):
    """Return the private names of torch that some source code uses, a set: in imports, attributes and strings."""
    names = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Attribute):
            names.add(ast.unparse(node))
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and TEXT.fullmatch(node.value):
            names.add(node.value)
    names = {name for name in names if re.fullmatch(r"(torch|nn|F)\.[\w.]+|_torch\w+", name)}
    names = {name for name in names if re.search(r"(^|\.)_[^_]", name)}
    return {name for name in names if not any(other.startswith(f"{name}.") for other in names)}


def listed():
    """Return a set of (file, name) for the rows of the page's table."""
    rows = ROW.findall((COURSE / "docs" / "maintaining" / "raise_torch.md").read_text("utf-8"))
    return {(file, name) for names, file in rows for name in re.findall(r"`([^`]+)`", names)}


def test_private_names_are_found_wherever_they_stand():
    assert private(SAMPLE) == {"torch._inductor.config", "torch.utils._pytree", "torch._C.one", "_torchdynamo_other"}


def test_each_private_name_is_listed():
    used = {(path.relative_to(COURSE).as_posix(), name) for path in FILES for name in private(path.read_text("utf-8"))}
    # of a chain of attributes, the beginning may be listed
    assert [(file, name) for file, name in used if not any((file, one) in listed() for one in _beginnings(name))] == []


def _beginnings(name):
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts) + 1)]


def test_what_is_listed_is_used():
    for file, name in listed():
        assert name.rpartition(".")[2] in (COURSE / file).read_text("utf-8"), (file, name)
    assert len(listed()) >= 8
