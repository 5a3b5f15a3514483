"""Configure every run of pytest: nbval compares printed numbers as numbers, and no learner's progress is written."""

import os
import sys
from collections import defaultdict
from functools import partial
from unittest import mock

import pytest

# nbval imports jsonschema, which imports rfc3987_syntax to check IRIs. That import takes two seconds of CPU time in
# each process of a test run. This entry makes jsonschema treat the package as missing and go without the check.
sys.modules.setdefault("rfc3987_syntax", None)

from nb.files import PUBLISHED  # noqa: E402
from nb.outputs import differences  # noqa: E402
from nbval.plugin import IPyNbCell  # noqa: E402

pytest_plugins = ["nbval.plugin", "needs"]


OUTPUTS = defaultdict(dict)  # path of a notebook -> {id of a cell: its outputs}, of the cells that nbval passed


def pytest_configure():
    os.environ["COURSE_PROGRESS"] = "off"  # kernels and other processes that tests start inherit it


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    cells = [item for item in items if isinstance(item, IPyNbCell)]
    for cell in cells:
        cell.compare_outputs = partial(_compare, cell)
        cell.output_timeout = 60  # seconds; nbval's 5 can be too few on a busy machine
        if cell.path.name.endswith("_real_heads.ipynb"):
            cell.add_marker("needs_weights")


# The web edition takes its live views from these runs of the notebooks, so that they need not run once more for it.


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    if not isinstance(item, IPyNbCell):
        return (yield)
    from publish.views import ASK_FOR_HTML  # not above: it takes time, which most runs need not spend

    with mock.patch.dict(os.environ, ASK_FOR_HTML):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    yield
    if isinstance(item, IPyNbCell):
        OUTPUTS[item.path][item.cell.id] = item.test_outputs


def pytest_runtest_teardown(item, nextitem):
    is_last = nextitem is None or nextitem.path != item.path
    if isinstance(item, IPyNbCell) and is_last and item.path.parent == PUBLISHED:
        from publish import views

        views.keep(item.path, item.parent.nb, OUTPUTS.pop(item.path, {}))


def _compare(cell, new, stored):
    """Return whether a cell's new outputs match the stored ones; this replaces nbval's own comparison.

    The differences are kept in `cell.comparison_traceback`, which nbval prints as part of its message.
    """
    cell.comparison_traceback = differences(stored, new)
    return not cell.comparison_traceback
