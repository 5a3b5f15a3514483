"""Configure every run of pytest: nbval compares printed numbers as numbers, and no learner's progress is written."""

import os
import sys
from functools import partial

import pytest

# nbval imports jsonschema, which imports rfc3987_syntax to check IRIs. That import takes two seconds of CPU time in
# each process of a test run. This entry makes jsonschema treat the package as missing and go without the check.
sys.modules.setdefault("rfc3987_syntax", None)

from nb.outputs import differences  # noqa: E402
from nbval.plugin import IPyNbCell  # noqa: E402

pytest_plugins = ["nbval.plugin"]


def pytest_configure():
    os.environ["COURSE_PROGRESS"] = "off"  # kernels and other processes that tests start inherit it


def pytest_collection_modifyitems(items):
    cells = [item for item in items if isinstance(item, IPyNbCell)]
    for cell in cells:
        cell.compare_outputs = partial(_compare, cell)
        cell.output_timeout = 60  # seconds; nbval's 5 can be too few on a busy machine
    _skip_where_weights_are_missing([cell for cell in cells if cell.path.name.endswith("_real_heads.ipynb")])


def _compare(cell, new, stored):
    """Return whether a cell's new outputs match the stored ones; this replaces nbval's own comparison.

    The differences are kept in `cell.comparison_traceback`, which nbval prints as part of its message.
    """
    cell.comparison_traceback = differences(stored, new)
    return not cell.comparison_traceback


def _skip_where_weights_are_missing(cells):
    if not cells:
        return
    from course_utils import data  # imported here because it loads torch, which most runs do not need

    if not data.is_right("minilm/model.safetensors"):
        for cell in cells:
            cell.add_marker(pytest.mark.skip(reason="the real model's weights are missing: `make data` fetches them"))
