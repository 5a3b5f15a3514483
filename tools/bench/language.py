"""Print how long the language model takes to load, and for a token, beside reading its weights once (`make bench`)."""

import statistics
import time

import torch

from bench.attention import print_ratios
from course_utils.models import smollm

BEGUN, NUM_NEW, ROUNDS = "Once upon a time, there was a little", 30, 5


def write(model: smollm.SmolLM) -> float:
    """Return the milliseconds for each token that the model writes."""
    begin = time.perf_counter()
    assert len(list(model.write(BEGUN, NUM_NEW))) == NUM_NEW
    return 1000 * (time.perf_counter() - begin) / NUM_NEW


def read(model: smollm.SmolLM) -> float:
    """Read every weight once, in products with vectors; return the milliseconds for all."""
    matrices = [weight for weight in model.parameters() if weight.dim() == 2]
    vectors = {width: torch.ones(width) for width in {weight.shape[1] for weight in matrices}}
    begin = time.perf_counter()
    for weight in matrices:
        torch.mv(weight, vectors[weight.shape[1]])
    return 1000 * (time.perf_counter() - begin)


def main():
    begin = time.perf_counter()
    try:
        model = smollm.load()
    except FileNotFoundError as error:
        print(f"language model: {error}")
        return
    print(f"language model: loaded in {time.perf_counter() - begin:.1f} s")
    rounds = [(read(model), write(model)) for _ in range(ROUNDS + 1)][1:]  # the first one warms up
    reading, writing = map(statistics.median, zip(*rounds, strict=True))
    title = f"a token of the language model, {torch.get_num_threads()} threads, milliseconds"
    print_ratios(title, {"reading the weights once": reading, "a token, with the cache": writing}, "reading once")
