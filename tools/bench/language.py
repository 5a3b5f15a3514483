"""Print how long the language model takes to load and for a token, and what memory it takes (`make bench`).

A token is compared with reading the weights once, which no program can avoid, and with the library `transformers`, if
the variable TRANSFORMERS names a Python that has it, with accelerate, gguf and the same torch. All three take turns, so
that noise hits all alike.
"""

import os
import statistics
import subprocess
import sys
import time

import torch
from nb.files import COURSE

from bench.attention import print_ratios
from course_utils import data
from course_utils.models import smollm, smollm_files
from course_utils.stopping import stoppable

BEGUN, NUM_NEW, ROUNDS, CLASS = "Once upon a time, there was a little", 30, 5, 8

# The same work with transformers: for each line on stdin, NUM_NEW tokens are written, and their milliseconds printed.
THEIRS = """
import pathlib, sys, time, torch
from transformers import AutoModelForCausalLM, AutoTokenizer
path, begun, num_new, threads = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
torch.set_num_threads(threads)
tokenizer = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
model = AutoModelForCausalLM.from_pretrained(path.parent, gguf_file=path.name, dtype=torch.float32).eval()
inputs = tokenizer(begun, return_tensors="pt")
for line in sys.stdin:
    begin = time.perf_counter()
    model.generate(**inputs, do_sample=False, max_new_tokens=num_new, min_new_tokens=num_new)
    print(1000 * (time.perf_counter() - begin) / num_new, flush=True)
"""
LOADED = """
import sys, time, torch
begin = time.perf_counter()
from course_utils.models import smollm
model = smollm.load()
seconds = time.perf_counter() - begin
for token in model.write(sys.argv[1], int(sys.argv[2])):
    pass
print(seconds, flush=True)
sys.stdin.read()
"""


def ours(model: smollm.SmolLM) -> float:
    """Let the course's model write NUM_NEW tokens; return the milliseconds for each token."""
    begin = time.perf_counter()
    assert len(list(model.write(BEGUN, NUM_NEW))) == NUM_NEW
    return 1000 * (time.perf_counter() - begin) / NUM_NEW


def reading(model: smollm.SmolLM) -> float:
    """Read every weight once, in products with vectors; return the milliseconds for all."""
    matrices = [weight for weight in model.parameters() if weight.dim() == 2]
    vectors = {width: torch.ones(width) for width in {weight.shape[1] for weight in matrices}}
    begin = time.perf_counter()
    for weight in matrices:
        torch.mv(weight, vectors[weight.shape[1]])
    return 1000 * (time.perf_counter() - begin)


def theirs(python: str):
    """Start a process with the library transformers; return a function that lets it write NUM_NEW tokens.

    The function takes no arguments and returns the milliseconds for each token. python: the path of a Python that has
    the library; its process ends with this one.
    """
    arguments = [str(data.path(smollm_files.PUBLISHED)), BEGUN, str(NUM_NEW), str(torch.get_num_threads())]
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    process = subprocess.Popen([python, "-c", THEIRS, *arguments], **pipes)

    def write():
        process.stdin.write("\n")
        process.stdin.flush()
        return float(process.stdout.readline())

    return write


def a_token(model: smollm.SmolLM):
    """Print the median milliseconds for a token of the course's model, and for reading all weights.

    If the variable TRANSFORMERS is the path of a Python that has the library, print those of transformers, too.
    """
    ways = {"reading the weights once": lambda: reading(model), "ours, with the cache": lambda: ours(model)}
    if python := os.environ.get("TRANSFORMERS"):
        ways["transformers"] = theirs(python)
    times = {name: [] for name in ways}
    for round_number in range(ROUNDS + 1):
        for name, way in ways.items():
            milliseconds = way()
            if round_number:  # the first round warms up
                times[name].append(milliseconds)
    title = f"a token of the language model, {torch.get_num_threads()} threads, milliseconds"
    print_ratios(title, {name: statistics.median(values) for name, values in times.items()}, "reading once")


def memory():
    """Print the seconds that the model takes to load, and the memory (PSS, MiB) of a process that has written with it.

    The memory is measured for one process alone, and for CLASS processes at once.
    """
    processes = []
    try:
        for count in (1, CLASS):
            while len(processes) < count:
                command = [sys.executable, "-c", LOADED, BEGUN, str(NUM_NEW)]
                pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
                processes.append(subprocess.Popen(command, cwd=COURSE, **pipes))
                seconds = float(processes[-1].stdout.readline())
            sizes = [pss(process.pid) for process in processes]
            note = f"loaded in {seconds:.1f} s; " if count == 1 else ""
            print(f"{note}memory of one of {count}: {statistics.mean(sizes):.0f} MiB")
    finally:
        for process in processes:
            process.communicate()


def pss(pid: int) -> float:
    """Return the proportional set size of a process in MiB: its own memory, and its part of what it shares."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Pss:")) / 1024


def main():
    try:
        model = smollm.load()
    except FileNotFoundError as error:
        print(f"language model: {error}")
        return
    a_token(model)
    if sys.platform == "linux":
        memory()


if __name__ == "__main__":
    with stoppable("Stopped."):
        main()
