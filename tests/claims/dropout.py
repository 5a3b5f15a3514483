"""Claims of the notebook dropout that go beyond its outputs."""

import functools

import torch
import torch.nn.functional as F
from claiming import claims_of, definitions
from torch import nn

from course_utils import attention, data

claim = claims_of("dropout")

TASKS = {"marks": data.retrieval_batch}


@functools.cache
def page(steps=500):
    """Return the notebook's definitions of its task and training, a namespace; register the task `witnesses` in TASKS.

    steps: of the training; the notebook has 500.
    """
    found = definitions(
        "dropout", "def-witness-batch", "def-train-on-few-examples",
        change=lambda source: source.replace("range(500)", f"range({steps})"),
    )  # fmt: skip
    TASKS["witnesses"] = found.witness_batch
    return found


@torch.no_grad()
def measured(model, inputs, targets):
    """Return a model's share right and the attention weights of the asking tokens."""
    answers, attn_weights = page().asked(model, inputs, targets)
    return (answers.argmax(dim=-1) == targets).float().mean().item(), attn_weights


@functools.cache
def trained(task, p, seed, examples=30, steps=500):
    """Train a head on few examples; return the model, these examples, and 1,000 new ones. p: the dropout rate."""
    page(steps)
    torch.manual_seed(seed)
    few, new = TASKS[task](examples), TASKS[task](1000)
    return page(steps).train_on(*few, p), few, new


@functools.cache
def finder(seed):
    """Train a head on the task of trainable_qkv with a dropout of 0.3; return it and its read-out, in training mode."""
    torch.manual_seed(seed)
    head, read_out = attention.CausalAttention(16, 12, context_length=8, dropout=0.3), nn.Linear(12, 5)
    optimizer = torch.optim.AdamW([*head.parameters(), *read_out.parameters()], lr=0.005)
    for _ in range(500):
        train = data.retrieval_batch(64)
        loss = F.cross_entropy(read_out(head(train.inputs)[0][:, 5:]).flatten(0, 1), train.targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return head, read_out


def right_where_cut(seed):
    """Return three shares right, by what dropout did to the connection to the right carrier.

    They are: where it is kept, where it is cut, and where it is cut but all rows are scaled to one size.
    """
    head, read_out = (module.requires_grad_(False) for module in finder(seed))
    fresh = data.retrieval_batch(4000)
    marks = fresh.inputs[..., :10]
    own = marks[:, 5:] @ marks[:, :5].transpose(-2, -1) == 1
    context_vecs, applied = head(fresh.inputs)
    cut = (applied[:, 5:, :5] * own).sum(dim=-1) == 0
    right = read_out(context_vecs[:, 5:]).argmax(dim=-1) == fresh.targets
    rows = applied[:, 5:]
    alike = 0.2 * rows / rows.sum(dim=-1, keepdim=True).clamp(min=1e-6)  # scale all rows to one size
    still = read_out(alike @ head.W_value(fresh.inputs)).argmax(dim=-1) == fresh.targets
    return [hits.float().mean().item() for hits in (right[~cut], right[cut], still[cut])]


@claim("the-higher-the-rate-the-noisier", "The higher the rate, the noisier a draw", over="5 rows, 5 rates", quick=True)
def higher_rates_are_noisier():
    """Measure how far row sums are from 1 after dropout, on average over 4,096 draws, and for means of 16 and of 64."""
    torch.manual_seed(0)
    holds, ratios = True, []
    for num_keys in (2, 5, 16, 64, 256):
        row = torch.randn(num_keys).softmax(dim=-1)
        off = []
        for rate in (0.1, 0.3, 0.5, 0.7, 0.9):
            sums = (row * (torch.rand(4096, num_keys) >= rate) / (1 - rate)).sum(dim=-1)
            off.append((sums - 1).abs().mean().item())
            near, far = ((sums.view(-1, n).mean(dim=-1) - 1).pow(2).mean().sqrt().item() for n in (64, 16))
            ratios.append(far / near)
        holds &= off == sorted(off)
    holds &= all(1.4 < ratio < 2.8 for ratio in ratios) and abs(sum(ratios) / len(ratios) - 2) < 0.2
    return holds, f"ordered by rate; four times the draws bring it {sum(ratios) / len(ratios):.2f} times as near"


@claim(
    "one-time-in-four-ships", "A row with n connections is empty with a chance of p to the power of n",
    over="5 rates, 5 lengths", quick=True,
)  # fmt: skip
def empty_rows_come_with_p_to_the_n():
    """Measure the share of draws that lose all n connections."""
    torch.manual_seed(0)
    worst = 0.0
    for p in (0.1, 0.25, 0.5, 0.7, 0.9):
        for n in (1, 2, 3, 6, 12):
            empty = (torch.rand(20_000, n) < p).all(dim=-1).float().mean().item()
            worst = max(worst, abs(empty - p**n))
    return worst < 0.015, f"farthest from p to the power of n: {worst:.3f}"


@claim("with-the-mask-it-is", "With the mask it is the row that empties most often.", over="5 rates")
def the_first_row_empties_most():
    """Count how often each of six rows is empty, with the course's class in training mode."""
    torch.manual_seed(0)
    firsts = []
    for p in (0.1, 0.3, 0.5, 0.7, 0.9):
        head = attention.CausalAttention(4, 3, 6, dropout=p)
        empty = (head(torch.randn(6, 4).expand(4000, 6, 4))[1] == 0).all(dim=-1).float().mean(dim=0)
        firsts.append(empty.argmax().item())
    return firsts == [0] * 5, f"the row that is empty most often: {firsts}"


@claim("what-is-right-where-it-was-cut", "and is right somewhat more often", over="5 seeds")
def the_size_of_the_row_tells_something():
    """Compare the shares right of `right_where_cut`: the size of a row is what tells something where it was cut."""
    found = [right_where_cut(seed) for seed in range(5)]
    holds = all(kept > 0.98 and 0.22 < lost < 0.45 and still < 0.22 for kept, lost, still in found)
    words = " ".join(f"{kept:.2f}/{lost:.2f}/{still:.2f}" for kept, lost, still in found)
    return holds, f"kept/cut/cut with all rows of one size: {words}"


@claim("where-many-say-the-same", "the head without dropout is right on about one in three", over="5 seeds")
def overfitting_on_witnesses():
    """Measure, without dropout, the shares right on the training and on new examples, and the mean largest weight."""
    found = []
    for seed in range(5):
        model, few, new = trained("witnesses", 0.0, seed)
        share, attn_weights = measured(model, *new)
        found.append((measured(model, *few)[0], share, attn_weights.amax(dim=-1).mean().item()))
    holds = all(by_heart == 1 and 0.27 < share < 0.4 and largest > 0.5 for by_heart, share, largest in found)
    words = " ".join(f"{by_heart:.2f}/{share:.2f}/{largest:.2f}" for by_heart, share, largest in found)
    return holds, f"by heart/new/largest weight: {words}"


@claim("where-many-say-the-same", "It has learnt faces", over="5 seeds")
def faces_are_enough():
    """Measure the share right on the thirty training examples with all names drawn anew, so that only faces remain."""
    shares = []
    for seed in range(5):
        model, (inputs, targets), _ = trained("witnesses", 0.0, seed)
        inputs = inputs.clone()
        inputs[:, :16, :5] = F.one_hot(torch.randint(5, (30, 16)), 5).float()
        shares.append(measured(model, inputs, targets)[0])
    return all(share > 0.4 for share in shares), "right: " + " ".join(f"{share:.2f}" for share in shares)


@claim(
    "where-many-say-the-same",
    "dropout helps where many connections tell the same, and hurts where one must do it alone", over="5 seeds",
)  # fmt: skip
def helps_on_one_task_hurts_on_the_other():
    """Measure what a dropout of 0.3 adds to the share right on new examples, for both tasks."""
    gains = {
        task: [measured(*_new(task, 0.3, seed))[0] - measured(*_new(task, 0.0, seed))[0] for seed in range(5)]
        for task in ("marks", "witnesses")
    }
    holds = max(gains["marks"]) < 0 and min(gains["witnesses"]) > 0.2
    return holds, "; ".join(f"{task}: from {min(g):+.2f} to {max(g):+.2f}" for task, g in gains.items())


@claim(
    "where-it-is-used-today",
    "With a thousand examples of the witnesses, dropout changes little: in five trainings beside this page, 97 "
    "to 99 % are right without it, and 98 to 99 % with it.",
    over="5 seeds",
)  # fmt: skip
def with_many_examples_it_changes_little():
    found = [[measured(*_new("witnesses", p, seed, 1000))[0] for seed in range(5)] for p in (0.0, 0.3)]
    holds = all(0.965 < share < 0.995 for share in found[0]) and all(0.975 < share < 0.995 for share in found[1])
    return holds, "; ".join(" ".join(f"{share:.3f}" for share in shares) for shares in found)


# Return a model trained as by `trained`, and the inputs and targets of its new examples.
def _new(task, p, seed, examples=30, steps=500):
    model, _, (inputs, targets) = trained(task, p, seed, examples, steps)
    return model, inputs, targets
