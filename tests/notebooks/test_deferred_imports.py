"""Test that a notebook's usual work does not load PyTorch's compiler, and that whoever asks for it gets all of it."""

import json
import os
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

# Run each snippet in a fork of this process, so that PyTorch is imported once for all of them.
IN_FORKS = """
import contextlib, io, json, os, traceback
for name, snippet in json.loads(sys.argv[1]).items():
    if hasattr(os, "fork") and os.fork():
        os.wait()
        continue
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            exec(snippet, globals())
        except BaseException:
            print(traceback.format_exc())
    print(json.dumps([name, printed.getvalue()]), flush=True)
    os._exit(0)
"""
SYMPY = "\nimport sympy  # torch._dynamo imports it, for seconds: it is read once for all forks, too\n"
USUAL_WORK = """
model = nn.Linear(4, 2)
optimizer = train(model)
optimizer.load_state_dict(optimizer.state_dict())
attention.MultiHeadAttention(4, 4, 2)(torch.ones(3, 4))
assert_close(torch.ones(3), torch.ones(3))
import inspect, warnings; inspect.getmodule(train); warnings.simplefilter("always")
print(*sys.modules)"""

# Each way of asking must load the real torch._dynamo, and must leave no trace of the deferred one.
WAYS_OF_ASKING = [
    "import torch._dynamo; torch._dynamo.config",
    "import torch._dynamo.utils",
    "from torch._dynamo import config",
    "torch._dynamo.reset()",
]
ASK = """
train(nn.Linear(4, 2))
{way}
real = sys.modules["torch._dynamo"]
assert real is torch._dynamo and type(real).__name__ == "module" and real.__file__
step = torch.optim.Optimizer.zero_grad.__wrapped__
assert not hasattr(step, "__dynamo_disable")
train(nn.Linear(4, 2))
assert getattr(step, "__dynamo_disable") is not step
print("done")"""
DONE = {way: ASK.format(way=way) for way in WAYS_OF_ASKING} | {
    "a compiled model trains after a plain one": """
train(nn.Linear(4, 2))
torch.manual_seed(1); plain = nn.Linear(4, 2); torch.manual_seed(1); compiled = nn.Linear(4, 2)
train(plain); train(torch.compile(compiled, backend="eager"))
assert_close(plain.weight, compiled.weight)
print("done")""",
    "what is loaded already stays": """
import torch._dynamo, importlib
from course_utils import deferred_imports
real = importlib.import_module("torch._dynamo.config") and sys.modules["torch._dynamo"]
session.start()
assert sys.modules["torch._dynamo"] is real is torch._dynamo
print("done")""",
}


@pytest.fixture(scope="module")
def printed():
    """Run all snippets in new processes; return name -> list of the words that each prints, with any traceback."""
    words = {}
    asking = [DONE] if hasattr(os, "fork") else [{name: DONE[name]} for name in DONE]
    for first, batch in ("", {"usual work": USUAL_WORK}), *((SYMPY, batch) for batch in asking):
        command = [sys.executable, "-c", START + first + IN_FORKS, json.dumps(batch)]
        lines = subprocess.run(command, cwd=progress.COURSE, stdout=subprocess.PIPE, text=True, check=True).stdout
        words |= {name: text.split() for name, text in map(json.loads, lines.splitlines())}
    return words


def test_training_and_comparing_load_no_compiler(printed):
    assert "torch" in printed["usual work"] and not HEAVY.intersection(printed["usual work"])


@pytest.mark.parametrize("name", DONE)
def test_whoever_asks_for_the_compiler_gets_it(name, printed):
    assert printed[name] == ["done"]
