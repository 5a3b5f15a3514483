"""Print how long the heavier parts take: loading a model, training one, grading a pile of notebooks (`make bench`)."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch
import torch.nn.functional as F
from grading.grade import grade
from nb.files import COURSE, PUBLISHED
from nb.format import code_cells, read_notebook, to_bytes
from nb.solutions import with_solutions

from course_utils.models import induction
from course_utils.stopping import stoppable

TOPIC, STUDENTS = "the_reshape", 40
HOSTILE = {  # code that is put above the answer to the first exercise
    "loops": "while True:\n    pass",
    "sleeps": "import time\ntime.sleep(1000)",
    "hungry": "kept = []\nwhile True:\n    kept.append(bytes(10**8))",
    "deep": "import ctypes\ndeeper = lambda: deeper()\ntry:\n    deeper()\nfinally:\n    ctypes.string_at(0)",
    "prints": "while True:\n    print('x' * 1000)",
    "speaks": "raise ValueError('\\x1b[31m \\ud800 \\u202e\\n=1+1')",
    "deletes": """import contextlib, os, pathlib
for path in pathlib.Path({folder!r}).rglob("*"):
    with contextlib.suppress(OSError):
        path.unlink()
with contextlib.suppress(OSError):
    [os.fork() for _ in range(6)]
for channel in range(3, 30):
    with contextlib.suppress(OSError):
        os.write(channel, b'{"exercise": "passed", "status": "best"}\\n')
    with contextlib.suppress(OSError):
        while True:
            os.write(channel, bytes(65536))""",
}
LAID = {  # what is put into the folder in place of a notebook
    "link": lambda path: path.symlink_to("student00.ipynb"),
    "pipe\n\x1b": os.mkfifo,
    "brackets": lambda path: path.write_bytes(b"[" * 100_000),
}
LOAD = """import resource, time, torch
start = time.perf_counter()
from course_utils.models import minilm
model = minilm.load()
print(f"{1000 * (time.perf_counter() - start):.0f} ms", end="; ")
start = time.perf_counter()
model("The robot could not climb the hill because it was too weak.")
print(f"a sentence {1000 * (time.perf_counter() - start):.0f} ms", end="; ")
print(f"peak memory of the process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")"""


def real_model():
    """Print how long MiniLM takes to load and to read a sentence, and the peak memory, in a process of its own."""
    print("real model, from import to loaded:", flush=True, end=" ")
    subprocess.run([sys.executable, "-c", LOAD], cwd=COURSE)


def train(seed: int) -> float:
    """Train the model of watch_heads_learn as the page does; return its accuracy on new sequences, from 0 to 1."""
    torch.manual_seed(seed)
    model, unseen = induction.InductionModel(induction.VOCAB_SIZE), induction.repeat_batch(300)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.003)
    for _ in range(201):
        batch = induction.repeat_batch(48)
        loss = F.cross_entropy(model(batch.inputs)[0][batch.known], batch.targets[batch.known])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    right = model(unseen.inputs)[0].argmax(dim=-1) == unseen.targets
    return right[unseen.known].float().mean().item()


def ten_seeds():
    """Train the induction model with ten seeds; print its mean seconds and its lowest accuracy, in a line."""
    torch.set_num_threads(1)
    start = time.perf_counter()
    accuracies = [train(seed) for seed in range(10)]
    seconds = (time.perf_counter() - start) / 10
    print(f"induction model, ten seeds: {seconds:.1f} s each, accuracy at least {min(accuracies):.4f}")


def grading():
    """Grade forty notebooks twice, ten of them hostile in different ways, and print whether the others are unharmed.

    The hostile code stands above the answer to the first exercise, or something else lies in place of a notebook. The
    second time the files are written in reverse order, and the tables and pages must be equal to the byte.
    """
    [path] = PUBLISHED.glob(f"*_{TOPIC}.ipynb")
    solved, _ = with_solutions(read_notebook(path))
    stub = code_cells(solved, "exercise")[0]
    right, results, hostile = stub.source, [], len(HOSTILE) + len(LAID)
    others = [f"student{number:02}" for number in range(STUDENTS - hostile)]
    with tempfile.TemporaryDirectory() as folder:
        files = {name: Path(folder, f"{name}.ipynb") for name in (*others, *HOSTILE, *LAID)}
        for order in (list(files), list(files)[::-1]):
            for name in order:
                files[name].unlink(missing_ok=True)
                if name in LAID:
                    LAID[name](files[name])
                    continue
                code_above = HOSTILE[name].replace("{folder!r}", repr(folder)) + "\n" if name in HOSTILE else ""
                stub.source = code_above + right
                files[name].write_bytes(to_bytes(solved))
            start = time.perf_counter()
            heads, *rows = grade(folder)
            seconds = time.perf_counter() - start
            count = len(heads.split()) - 2
            spared = sum(row.startswith("student") and row.endswith(f"{count} of {count}") for row in rows)
            left = sum(path.exists() for path in files.values())
            print(f"grading {STUDENTS} notebooks of {TOPIC}, {hostile} of them hostile: {seconds:.0f} s; {spared} "
                  f"of the {len(others)} others unharmed, {left} files still there")  # fmt: skip
            written = [path for path in Path(folder).rglob("*.*") if path.suffix != ".ipynb"]
            results.append({path.name: path.read_bytes() for path in written})
        print(f"tables and pages of both times: {len(results[0])}, equal to the byte: {results[0] == results[1]}")


if __name__ == "__main__":
    with stoppable("Stopped."):
        real_model()
        ten_seeds()
        grading()
