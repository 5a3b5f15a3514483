"""Test what Python loads with the course's modules, with a figure, and with PyTorch's compiler: as late as possible."""

import sys
from pathlib import Path

import forks
import pytest

COURSE = Path(__file__).parents[2]

MODULES = "print(*sys.modules)"
ATTENTION = f"before = {{*sys.modules}}\nimport course_utils.attention\n{MODULES.replace('s)', 's.keys() - before)')}"
PROFILER = "from course_utils import measure; print(measure.peak_bytes(lambda: torch.zeros(25)))"
LATIN_FIGURE = """
import io
from course_utils import fonts
figure = plots.attention_heatmap([[0.5, 0.5], [0.0, 1.0]], ["robot", "hill…"])
figure.savefig(io.BytesIO(), format="svg")
widgets.HeadsView([[[1.0]]], ["robot"]).picture()
print(fonts.families.cache_info().currsize)"""
FIGURES = {  # name -> (what draws it, whether it needs seaborn)
    "the session": ("session.start()", False),
    "a flow": ('plots.flow("dropout")._repr_html_()', False),
    "a view": ('widgets.HeadsView([[[0.5, 0.5], [0.0, 1.0]]], ["a", "b"])._repr_mimebundle_()', False),
    "a heatmap": ('plots.attention_heatmap([[0.5, 0.5], [0.0, 1.0]], ["a", "b"], caption="Two rows.")', True),
}
START = """
from torch import nn
from torch.testing import assert_close
session.start()

def train(model):
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        loss = model(torch.ones(3, 4)).sum()
        loss.backward()
        optimizer.step()
    return optimizer
"""
HEAVY = {"sympy", "torch.distributed.tensor", "torch._inductor", "torch._dynamo.eval_frame", "torch._dynamo.config"}
USUAL_WORK = f"""
model = nn.Linear(4, 2)
optimizer = train(model)
optimizer.load_state_dict(optimizer.state_dict())
attention.MultiHeadAttention(4, 4, 2)(torch.ones(3, 4))
assert_close(torch.ones(3), torch.ones(3))
import inspect, warnings; inspect.getmodule(train); warnings.simplefilter("always")
{MODULES}"""

# Each way of asking must load the real torch._dynamo, and must leave no trace of the deferred one.
WAYS_OF_ASKING = ["import torch._dynamo.utils", "from torch._dynamo import config"]
ASK = """
train(nn.Linear(4, 2))
{way}
real = sys.modules["torch._dynamo"]
assert real is torch._dynamo and type(real).__name__ == "module" and real.__file__
step = torch.optim.Optimizer.zero_grad.__wrapped__
assert not hasattr(step, "__dynamo_disable")
train(nn.Linear(4, 2))
assert getattr(step, "__dynamo_disable") is not step
session.start()  # what is loaded already stays
assert sys.modules["torch._dynamo"] is real is torch._dynamo
print("done")"""
ASKING = {way: ASK.format(way=way) for way in WAYS_OF_ASKING} | {
    "a compiled model trains after a plain one": """
train(nn.Linear(4, 2))
torch.manual_seed(1); plain = nn.Linear(4, 2); torch.manual_seed(1); compiled = nn.Linear(4, 2)
train(plain); train(torch.compile(compiled, backend="eager"))
assert_close(plain.weight, compiled.weight)
print("done")""",
}
SNIPPETS = [
    ("the package", f"import course_utils\n{MODULES}", False),
    ("import torch", "import torch", True),
    ("attention", ATTENTION, False),
    ("the profiler", PROFILER, False),
    ("imports", "from course_utils import attention, checks, plots, properties, quiz, session, widgets", True),
    *((name, f"{use}\n{MODULES}", False) for name, (use, _) in FIGURES.items()),
    ("a Latin figure", LATIN_FIGURE, False),
    ("start", START, True),
    ("usual work", USUAL_WORK, False),
    ("import sympy", "import sympy  # torch._dynamo imports it, for seconds", True),
    *((name, snippet, False) for name, snippet in ASKING.items()),
]


@pytest.fixture(scope="module")
def printed():
    return forks.printed(SNIPPETS, COURSE)


def test_importing_the_package_does_not_load_torch(printed):
    assert "course_utils" in printed["the package"].split() and "torch" not in printed["the package"].split()


def test_importing_attention_loads_nothing_but_torch(printed):
    added = {name.split(".")[0] for name in printed["attention"].split()} - sys.stdlib_module_names
    assert added == {"course_utils"}


def test_the_profiler_writes_nothing(printed):
    assert printed["the profiler"] == "100\n"


@pytest.mark.parametrize("name", FIGURES)
def test_seaborn_is_loaded_with_the_first_figure_that_needs_it(name, printed):
    """Importing seaborn loads pandas, together 34 MiB, which a kernel without such a figure saves."""
    _, with_seaborn = FIGURES[name]
    modules = set(printed[name].split())
    assert "matplotlib" in modules
    assert {"pandas", "scipy", "seaborn", "sympy"} & modules == ({"pandas", "seaborn"} if with_seaborn else set())


def test_a_latin_figure_asks_for_no_fonts(printed):
    """A figure with only Latin letters must not list the installed fonts, which costs each kernel time and memory."""
    assert printed["a Latin figure"] == "0\n"


def test_training_and_comparing_load_no_compiler(printed):
    modules = set(printed["usual work"].split())
    assert "torch" in modules and not HEAVY & modules


@pytest.mark.parametrize("name", ASKING)
def test_whoever_asks_for_the_compiler_gets_it(name, printed):
    assert printed[name] == "done\n"


def test_a_test_run_builds_no_grammar():
    """conftest.py keeps nbval's imports from building a grammar for IRIs, which takes seconds in each process."""
    assert "nbval.plugin" in sys.modules and "lark" not in sys.modules
