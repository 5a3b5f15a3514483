"""Claims of the notebook watch_heads_learn that go beyond its outputs."""

from functools import cache

import torch
import torch.nn.functional as F
from claiming import claims_of

from course_utils import checks
from course_utils.models import induction
from course_utils.models.ablation import silenced

claim = claims_of("watch_heads_learn")

SEEDS = range(1, 6)
torch.set_num_threads(1)  # a model this small trains fastest on one core
WORD = torch.tensor(["ABCDEFGHIJKLMNOPQRST".index(letter) for letter in "PLANETSPLANETSPLAN"])


class Frozen(torch.nn.Module):
    """Attention with four heads whose weights are fixed, whatever its input is.

    attention: the module whose W_value and out_proj it uses. attn_weights: the fixed weights, for the longest input.
    """

    def __init__(self, attention, attn_weights):
        super().__init__()
        self.W_value, self.out_proj, self.attn_weights = attention.W_value, attention.out_proj, attn_weights

    def forward(self, x):
        weights = self.attn_weights[: x.shape[-2], : x.shape[-2]]
        return self.out_proj(weights @ self.W_value(x)), weights.expand(*x.shape[:-2], 4, *weights.shape)


def frozen_weights(kind):
    past = torch.ones(30, 30).tril()
    return {"back": torch.eye(30).roll(-1, dims=1).tril(), "mean": past / past.sum(dim=-1, keepdim=True)}[kind]


@cache
def trained(kind, seed):
    """Train a model; return it, its share right at each step, and its attention weights on WORD at every fifth step.

    kind: "free"; "single" has one layer; "back" and "mean" have Frozen weights in layer 0.
    """
    torch.manual_seed(seed)
    model = induction.InductionModel(20, num_layers=1 if kind == "single" else 2)
    if kind in ("back", "mean"):
        model.layers[0].attention = Frozen(model.layers[0].attention, frozen_weights(kind))
    optimizer, right, kept = torch.optim.AdamW(model.parameters(), lr=0.003), [], []
    for step in range(201):
        batch = induction.repeat_batch(48)
        if step % 5 == 0:
            kept.append(model(WORD)[1].detach())
        scores, targets = model(batch.inputs)[0][batch.known], batch.targets[batch.known]
        loss = F.cross_entropy(scores, targets)
        right.append((scores.argmax(dim=-1) == targets).float().mean().item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.requires_grad_(False), right, torch.stack(kept)


# Return the first step at which more than half of the answers are right.
def half(kind, seed):
    return next(step for step, share in enumerate(trained(kind, seed)[1]) if share > 0.5)


def share_right(model, batch):
    return (model(batch.inputs)[0].argmax(dim=-1) == batch.targets)[batch.known].float().mean().item()


def written(numbers):
    return ", ".join(f"{number:.2f}" if isinstance(number, float) else str(number) for number in numbers)


@claim("with-another-seed-the-jump", "one half was passed between step 50 and step 100", over="5 seeds")
def all_jump():
    found = [half("free", seed) for seed in SEEDS]
    return all(50 < step < 100 for step in found), f"half passed at step {written(found)}"


@claim("the-two-rise-together-and", "The reader is first, and not by much", over="5 seeds")
def reader_first():
    found = []
    for seed in SEEDS:
        kept = trained("free", seed)[2]
        scores = checks.induction_score.solution(kept, WORD), checks.previous_score.solution(kept)
        best = [score.flatten(1).amax(dim=-1) for score in scores]
        found.append([5 * (one > (one[0] + one[-1]) / 2).int().argmax().item() for one in best])
    return all(reader < note for reader, note in found), f"reader and note half way up at {found}"


@claim("the-reader-forms-on-a-blur", "the jump comes earlier, by some twenty steps", over="5 seeds")
def sharp_note():
    found = [half("free", seed) - half("back", seed) for seed in SEEDS]
    return all(12 <= steps <= 30 for steps in found), f"earlier by {written(found)} steps"


@claim("the-reader-forms-on-a-blur", "About 80 % come out right", over="5 seeds")
def blurred_note():
    found = [sum(trained("mean", seed)[1][-10:]) / 10 for seed in SEEDS]
    return all(0.74 < share < 0.86 for share in found), f"right with a mean of the past: {written(found)}"


@claim("the-reader-forms-on-a-blur", "before training its weights are close to even", over="20 seeds", quick=True)
def even_at_first():
    found = []
    for seed in range(20):
        torch.manual_seed(seed)
        weights = induction.InductionModel(20)(induction.repeat_batch(5).inputs)[1][:, 0].detach()
        found.append((weights.amax(dim=-1) * torch.arange(1, 31)).mean().item())
    return max(found) < 2, f"the largest weight is {min(found):.2f} to {max(found):.2f} times the even share"


@claim(
    "it-bets-on-a-period", "Segments of 6 and of 12 letters come out far better than those of 9 to 11", over="5 seeds"
)
def bets():
    holds, found = True, []
    for seed in SEEDS:
        model, shares = trained("single", seed)[0], {}
        for length in range(6, 16):
            letters = torch.rand(200, 20).argsort(dim=-1)[:, :length][:, torch.arange(31) % length]
            right = model(letters[:, :-1])[0].argmax(dim=-1) == letters[:, 1:]
            shares[length] = right[:, length:].float().mean().item()
        good, bad = min(shares[6], shares[12]), max(shares[9], shares[10], shares[11])
        holds &= good > 2 * bad
        found.append(f"{good:.2f} and {bad:.2f}")
    return holds, f"the worse of 6 and 12, the best of 9 to 11: {'; '.join(found)}"


@claim("it-has-learnt-something-the", "Nearly every guess is a letter of the segment", over="5 seeds")
def from_the_segment():
    found = []
    for seed in SEEDS:
        batch = induction.repeat_batch(300)
        guess = trained("single", seed)[0](batch.inputs)[0].argmax(dim=-1)
        seen = (guess[..., None] == batch.inputs[:, None]).any(dim=-1)  # before a known place stands the whole segment
        found.append(seen[batch.known].float().mean().item())
    return min(found) > 0.95, f"share of guesses out of the segment {written(found)}"


@claim("it-stops-at-place-14", "It finds the answer up to place 14, and from 15 on hardly ever", over="5 seeds")
def stops():
    holds, found = True, []
    for seed in SEEDS:
        letters, right = torch.rand(500, 20).argsort(dim=-1), []
        for place in range(1, 20):
            asked = torch.cat([letters, letters[:, place - 1 : place]], dim=1)
            guess = trained("free", seed)[0](asked)[0][:, -1].argmax(dim=-1)
            right.append((guess == letters[:, place]).float().mean().item())
        holds &= min(right[:14]) > 0.8 and max(right[15:]) < 0.1
        found.append(f"{min(right[:14]):.2f} {right[14]:.2f} {max(right[15:]):.2f}")
    return holds, f"the least up to place 14, at 15, the most from 16 on: {'; '.join(found)}"


@claim("only-the-key-matters", "Only the keys need it", over="5 seeds")
def key_alone():
    holds, found = True, []
    for seed in SEEDS:
        model, batch = trained("free", seed)[0], induction.repeat_batch(200)
        first, second = model.layers
        before = model.embedding(batch.inputs) + model.positions.weight
        after, shares = first(before)[0], {}
        for missing in ("queries", "keys", "values"):
            parts = {name: second.norm(before if name == missing else after) for name in ("queries", "keys", "values")}
            scores = model.read_out(model.norm(after + second.attention(**parts)[0]))
            shares[missing] = (scores.argmax(dim=-1) == batch.targets)[batch.known].float().mean().item()
        holds &= shares["keys"] < 0.25 and min(shares["queries"], shares["values"]) > 0.97
        found.append(written(shares.values()))
    return holds, f"right without it in queries, keys, values: {'; '.join(found)}"


@claim("so-both-steps-are-needed", "Those of layer 1 all do the same work, and two of them can go", over="5 seeds")
def committee():
    holds, found = True, []
    for seed in SEEDS:
        (model, _, kept), batch, shares = trained("free", seed), induction.repeat_batch(200), []
        scores = checks.previous_score.solution(kept[-1])[0], checks.induction_score.solution(kept[-1], WORD)[1]
        for layer, score in zip(model.layers, scores, strict=True):
            with silenced(layer.attention, *score.argsort(descending=True)[:2].tolist()):
                shares.append(share_right(model, batch))
        holds &= shares[1] > 0.95 and shares[0] < 0.9
        found.append(written(shares))
    return holds, f"right without the two best heads of layer 0, of layer 1: {'; '.join(found)}"
