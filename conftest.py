"""In every run of pytest: nbval compares numbers as numbers, and no learner's progress is written."""

import os
import sys
from functools import partial

import pytest

# jsonschema, which nbval imports, does without this package where it is missing, and knows no IRIs then. To import it
# takes two seconds of a processor, in each process of a test run.
sys.modules.setdefault("rfc3987_syntax", None)

from nbval.plugin import IPyNbCell  # noqa: E402
from notebook_outputs import differences  # noqa: E402

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
    """In place of nbval's own comparison; what it leaves in the traceback is part of nbval's message."""
    cell.comparison_traceback = differences(stored, new)
    return not cell.comparison_traceback


def _skip_where_weights_are_missing(cells):
    if not cells:
        return
    from course_utils import data  # here, since it loads torch, and most runs have no need of it

    if not data.is_right("minilm/model.safetensors"):
        for cell in cells:
            cell.add_marker(pytest.mark.skip(reason="the real model's weights are missing: `make data` fetches them"))
