"""Claims of the notebook dropout about where it helps: faces and the number of connections, one without the other."""

import functools

import torch
import torch.nn.functional as F
from claiming import claims_of, definitions
from torch import nn

from course_utils import data
from course_utils.lessons.dropout.claims import TASKS, cost_with_copies, new_examples, trained, tried

claim = claims_of("dropout")


def faceless(batch_size):
    """Return a batch of the task `witnesses` in which all faces are 0."""
    inputs, targets = TASKS["witnesses"](batch_size)
    inputs = inputs.clone()
    inputs[:, :16, 5:21] = 0
    return inputs, targets


def faced(batch_size):
    """Return a batch of the task `marks` in which each carrier has sixteen random numbers more, (batch, 8, 32)."""
    inputs, targets = data.retrieval_batch(batch_size)
    faces = F.pad(torch.randn(batch_size, 5, 16), (0, 0, 0, 3))
    return torch.cat([inputs, faces], dim=-1), targets


TASKS |= {"faceless": faceless, "faced": faced}


def gain(task, seed, examples=30):
    """Return what a dropout of 0.3 adds to the accuracy on new examples of a task, a key of TASKS."""
    dropped, without = (tried(*new_examples(task, p, seed, examples))[0] for p in (0.3, 0.0))
    return dropped - without


@claim(
    "recap-1-dropout-sets-a", "with thirty examples, it helped where there was noise to memorise",
    over="5 seeds", apart=0.2, rival="many connections that tell the same, and no faces",
)  # fmt: skip
def helps_where_there_is_noise():
    """Yield what a dropout of 0.3 adds to the accuracy on new examples: of witnesses, of marks, of faceless witnesses.

    Marks have neither faces nor many connections that tell the same.
    """
    for seed in range(5):
        yield tuple(gain(task, seed) for task in ("witnesses", "marks", "faceless"))


@claim(
    "what-was-it-that-helped",
    "Without faces, nearly all witnesses are named right anyway, and dropout changes next to nothing, though many "
    "still tell the same.",
    over="5 seeds",
)  # fmt: skip
def faceless_witnesses():
    gains = [gain("faceless", seed) for seed in range(5)]
    return max(map(abs, gains)) < 0.02, "it added " + " ".join(f"{added:.3f}" for added in gains)


@claim(
    "what-was-it-that-helped", "With faces on the carriers, and a hundred examples, it helps the marks, too",
    over="5 seeds", apart=0.1, rival="a hundred examples without faces",
)  # fmt: skip
def marks_with_faces():
    """Yield what a dropout of 0.3 adds to the accuracy on new marks: 100 with faces, 30 without, 100 without."""
    for seed in range(5):
        yield gain("faced", seed, 100), gain("marks", seed), gain("marks", seed, 100)


@claim(
    "what-was-it-that-helped", "hurt where there was none and it cut the one connection that counts",
    over="5 seeds", apart=0.05, rival="dropout on all connections but the asker's own",
)  # fmt: skip
def hurts_where_it_cuts_the_one():
    """Yield what a dropout of 0.3 costs with marks: with one carrier of each mark, with three copies, and the rival."""
    for seed in range(5):
        yield cost_with_copies(1, seed), cost_with_copies(3, seed), cost_where_the_own_is_kept(seed)


class KeepOwn(nn.Module):
    """Dropout of rate p on the weights of the marks, which never falls on an asker's own carrier.

    inputs: the batch of the whole training, (batch, 8, 16).
    """

    def __init__(self, p, inputs):
        super().__init__()
        self.p, marks = p, inputs[..., :10]
        self.own = F.pad(marks[:, 5:] @ marks[:, :5].transpose(-2, -1), (0, 3, 5, 0)) == 1  # (batch, 8, 8)

    def forward(self, weights):
        return torch.where(self.own, weights, F.dropout(weights, self.p)) if self.training else weights


@functools.cache
def cost_where_the_own_is_kept(seed):
    """Return by how much a dropout of 0.3 that spares the asker's own carrier lowers the accuracy on new marks."""
    without, few, new = trained("marks", 0.0, seed)
    layer = KeepOwn(0.3, few[0])
    made = "    model = nn.ModuleDict"
    found = definitions(
        "dropout", "def-train-on-few-examples", layer=layer,
        change=lambda source: source.replace(made, f"    head.dropout = layer\n{made}"),
    )  # fmt: skip
    return tried(without, *new)[0] - tried(found.train_on(*few, 0.3), *new)[0]
