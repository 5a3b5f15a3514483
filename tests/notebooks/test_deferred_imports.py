"""Test that a notebook's usual work does not load PyTorch's compiler, and that whoever asks for it gets all of it."""

import subprocess
import sys

import pytest

from course_utils import progress

START = """
import sys, torch
from torch import nn
from torch.testing import assert_close
from course_utils import attention, session
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


def run(code):
    """Run START and `code` in a new Python process; return the words that it prints."""
    done = subprocess.run(
        [sys.executable, "-c", START + code], cwd=progress.COURSE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_training_and_comparing_load_no_compiler():
    code = """
model = nn.Linear(4, 2)
optimizer = train(model)
optimizer.load_state_dict(optimizer.state_dict())
attention.MultiHeadAttention(4, 4, 2)(torch.ones(3, 4))
assert_close(torch.ones(3), torch.ones(3))
import inspect, warnings; inspect.getmodule(train); warnings.simplefilter("always")
print(*sys.modules)"""
    assert set(run(code)) & HEAVY == set()


# Each way of asking must load the real torch._dynamo, and must leave no trace of the deferred one.
@pytest.mark.parametrize(
    "ask",
    [
        "import torch._dynamo; torch._dynamo.config",
        "import torch._dynamo.utils",
        "from torch._dynamo import config",
        "torch._dynamo.reset()",
        "torch.compiler.reset()",
        "torch.compiler.disable(print)",
        "torch.compile(nn.Linear(4, 2), backend='eager')(torch.ones(3, 4))",
    ],
)
def test_whoever_asks_for_the_compiler_gets_it(ask):
    code = f"""
train(nn.Linear(4, 2))
{ask}
real = sys.modules["torch._dynamo"]
assert real is torch._dynamo and type(real).__name__ == "module" and real.__file__
step = torch.optim.Optimizer.zero_grad.__wrapped__
assert not hasattr(step, "__dynamo_disable")
train(nn.Linear(4, 2))
assert getattr(step, "__dynamo_disable") is not step
print("done")"""
    assert run(code) == ["done"]


def test_a_compiled_model_trains_after_a_plain_one():
    code = """
train(nn.Linear(4, 2))
torch.manual_seed(1); plain = nn.Linear(4, 2); torch.manual_seed(1); compiled = nn.Linear(4, 2)
train(plain); train(torch.compile(compiled, backend="eager"))
assert_close(plain.weight, compiled.weight)
print("done")"""
    assert run(code) == ["done"]


def test_what_is_loaded_already_stays():
    code = """
import torch._dynamo, importlib
from course_utils import deferred_imports
real = importlib.import_module("torch._dynamo.config") and sys.modules["torch._dynamo"]
session.start()
assert sys.modules["torch._dynamo"] is real is torch._dynamo
print("done")"""
    assert run(code) == ["done"]
