"""Claims of the notebook watch_heads_learn that go beyond its outputs."""

from functools import cache
from types import SimpleNamespace

import torch
import torch.nn.functional as F
from claiming import claims_of, definitions

from course_utils import attention, checks
from course_utils.models import induction
from course_utils.models.ablation import ablated

claim = claims_of("watch_heads_learn")

SEEDS, THREE = range(1, 6), range(1, 4)
torch.set_num_threads(1)  # steady, also where cores are shared
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


PAST = torch.ones(30, 30).tril()
FROZEN = {
    "back": torch.eye(30).roll(-1, dims=1).tril(),
    "mean": PAST / PAST.sum(dim=-1, keepdim=True),
    "itself": torch.eye(30),
    "older": torch.exp(0.3 * (torch.arange(30)[:, None] - torch.arange(30))).tril(),  # grows with distance
}
FROZEN["older"] = FROZEN["older"] / FROZEN["older"].sum(dim=-1, keepdim=True)
SIZES = {
    "single": {"num_layers": 1},
    "wide": {"num_layers": 1, "width": 128},
    "heads": {"num_layers": 1, "num_heads": 8},
    "pair": {"num_heads": 1},
    "longer": {"context_length": 40},
}


def start(kind, seed):
    """Return a new InductionModel, or its like, before its training; torch's seed is set. kind: as for `trained`."""
    torch.manual_seed(seed)
    if kind == "rotary":
        page = definitions("watch_heads_learn", "rotary-places", attention=attention, induction=induction)
        return page.rotary_model()
    model = induction.InductionModel(20, **SIZES.get(kind, {}))
    if kind in FROZEN:
        model.layers[0].attention = Frozen(model.layers[0].attention, FROZEN[kind])
    return model


def longer_batch(batch_size):
    """Return a RepeatBatch of batch_size random sequences of 40 tokens, whose segments have up to 20."""
    longest, induction.LONGEST = induction.LONGEST, 20
    try:
        return induction.repeat_batch(batch_size, 40)
    finally:
        induction.LONGEST = longest


def trained(kind, seed, steps=201):
    """Train a model; return it, its share right at each step, and its attention weights on WORD at every fifth step.

    The shares are a list, from 0 to 1; the weights (steps / 5, num_layers, num_heads, 18, 18). Cached.
    kind: "free"; "single" has one layer, and so have "wide", twice as wide, and "heads", with eight; "pair"
    has one head a layer; a key of FROZEN has these weights in layer 0; "rotary" has no table; "longer" learns segments
    of up to 20 letters.
    """
    return _trained(kind, seed, steps)


@cache
def _trained(kind, seed, steps):
    model = start(kind, seed)
    optimizer, right, kept = torch.optim.AdamW(model.parameters(), lr=0.003), [], []
    for step in range(steps):
        batch = longer_batch(48) if kind == "longer" else induction.repeat_batch(48)
        if step % 5 == 0:
            kept.append(model(WORD)[1].detach())
        scores, targets = model(batch.inputs)[0][batch.known], batch.targets[batch.known]
        loss = F.cross_entropy(scores, targets)
        right.append((scores.argmax(dim=-1) == targets).float().mean().item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.requires_grad_(False), right, torch.stack(kept)


def half(kind, seed, steps=201):
    """Return the index of the first step of a training at which more than half of the answers are right.

    Parameters: as for `trained`. Errors: StopIteration if there is no such step.
    """
    return next(step for step, share in enumerate(trained(kind, seed, steps)[1]) if share > 0.5)


def lately(kind, seed, steps=201):
    """Return the mean share right, 0 to 1, in the last ten steps of a training. Parameters: as for `trained`."""
    return sum(trained(kind, seed, steps)[1][-10:]) / 10


def share_right(model, batch):
    return (model(batch.inputs)[0].argmax(dim=-1) == batch.targets)[batch.known].float().mean().item()


def written(numbers):
    return ", ".join(f"{number:.2f}" if isinstance(number, float) else str(number) for number in numbers)


def right_at(model, place, count=300):
    """Return the share of right answers, 0 to 1, in `count` random texts of twenty letters and a repeated one.

    The letter to be named stands at the index `place`, after the first occurrence of the repeated letter.
    """
    letters = torch.rand(count, 20).argsort(dim=-1)
    guess = model(torch.cat([letters, letters[:, place - 1 : place]], dim=1))[0][:, -1].argmax(dim=-1)
    return (guess == letters[:, place]).float().mean().item()


@claim("with-another-seed-the-jump", "one half was passed between step 50 and step 100", over="5 seeds")
def all_jump():
    found = [half("free", seed) for seed in SEEDS]
    return all(50 < step < 100 for step in found), f"half passed at step {written(found)}"


@claim("the-two-rise-together-and", "By this score the induction heads are half way a little sooner", over="5 seeds")
def induction_first():
    found = []
    for seed in SEEDS:
        kept = trained("free", seed)[2]
        scores = checks.induction_score.solution(kept, WORD), checks.previous_score.solution(kept)
        best = [score.flatten(1).amax(dim=-1) for score in scores]
        found.append([5 * (one > (one[0] + one[-1]) / 2).int().argmax().item() for one in best])
    return all(one < note for one, note in found), f"induction and note half way up at {found}"


@claim("the-reader-forms-on-a-blur", "the jump comes earlier, by some twenty steps", over="5 seeds", apart=12)
def sharp_note():
    return [(half("free", seed), half("back", seed, 101)) for seed in SEEDS]


@claim("the-reader-forms-on-a-blur", "About 80 % come out right", over="5 seeds")
def blurred_note():
    found = [sum(trained("mean", seed)[1][-10:]) / 10 for seed in SEEDS]
    return all(0.74 < share < 0.86 for share in found), f"right with a mean of the past: {written(found)}"


@claim("the-reader-forms-on-a-blur", "a quarter comes out right, as with one layer", over="3 seeds", apart=0.15)
def no_note_at_all():
    return [(lately("mean", seed, 101), lately("itself", seed, 101)) for seed in THREE]


@claim("the-reader-forms-on-a-blur", "after as many steps more than half come out right all the same", over="3 seeds")
def a_blur_the_other_way_round():
    found = [lately("older", seed) for seed in THREE]
    return 0.5 < min(found) and max(found) < 0.65, f"right with weights that grow with distance: {written(found)}"


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


@claim("it-bets-on-a-period", "With twice the width, one layer gets further", over="3 seeds", apart=0.03)
def wider():
    return [(lately("wide", seed, 121), lately("single", seed, 121)) for seed in THREE]


@claim("it-bets-on-a-period", "twice the heads alone bring nothing", over="3 seeds")
def more_heads():
    gained = [lately("heads", seed, 121) - lately("single", seed, 121) for seed in THREE]
    return max(gained) < 0.03, f"gained {written(gained)}"


@claim("it-has-learnt-something-the", "Nearly every guess is a letter of the segment", over="5 seeds")
def from_the_segment():
    found = []
    for seed in SEEDS:
        batch = induction.repeat_batch(300)
        guess = trained("single", seed)[0](batch.inputs)[0].argmax(dim=-1)
        seen = (guess[..., None] == batch.inputs[:, None]).any(dim=-1)  # before a known place stands the whole segment
        found.append(seen[batch.known].float().mean().item())
    return min(found) > 0.95, f"share of guesses out of the segment {written(found)}"


@claim("it-stops-at-place-14", "It finds the answer up to position 14, and from 16 on hardly ever", over="5 seeds")
def stops():
    holds, found = True, []
    for seed in SEEDS:
        right = [right_at(trained("free", seed)[0], place) for place in range(1, 20)]
        holds &= min(right[:14]) > 0.8 and max(right[15:]) < 0.1
        found.append(f"{min(right[:14]):.2f} {right[14]:.2f} {max(right[15:]):.2f}")
    return holds, f"the least up to place 14, at 15, the most from 16 on: {'; '.join(found)}"


# Return the share of right answers at positions 16 to 18, which the task never needs.
def further_on(kind, seed, steps=201):
    return sum(right_at(trained(kind, seed, steps)[0], position) for position in (16, 17, 18)) / 3


@claim(
    "table-or-task",
    "Up to 18 nearly always, three positions beyond all that the task had asked for",
    over="3 seeds",
    apart=0.8,
)
def without_a_table():
    return [(further_on("rotary", seed, 121), further_on("free", seed)) for seed in THREE]


@claim("table-or-task", "in sequences of 40, it goes on to 18 too", over="3 seeds", apart=0.7)
def with_longer_segments():
    return [(further_on("longer", seed), further_on("free", seed)) for seed in THREE]


@claim("so-both-steps-are-needed", "Those of layer 1 all do the same work, and its best two can go", over="5 seeds")
def committee():
    holds, found = True, []
    for seed in SEEDS:
        (model, _, kept), batch, shares = trained("free", seed), induction.repeat_batch(200), []
        scores = checks.previous_score.solution(kept[-1])[0], checks.induction_score.solution(kept[-1], WORD)[1]
        for layer, score in zip(model.layers, scores, strict=True):
            with ablated(layer.attention, *score.argsort(descending=True)[:2].tolist()):
                shares.append(share_right(model, batch))
        holds &= shares[1] > 0.95 and shares[0] < 0.9
        found.append(written(shares))
    return holds, f"right without the two best heads of layer 0, of layer 1: {'; '.join(found)}"


@claim(
    "so-both-steps-are-needed", "without the worst two, nearly all answers stay right", over="5 seeds", apart=0.05,
)  # fmt: skip
def it_matters_which_two():
    """Yield the share right without the two heads of layer 0 that look back least, and without the best two."""
    for seed in SEEDS:
        model, _, kept = trained("free", seed)
        order = checks.previous_score.solution(kept[-1])[0].argsort().tolist()
        layer, batch, right = model.layers[0].attention, induction.repeat_batch(200), []
        for two in (order[:2], order[2:]):
            with ablated(layer, *two):
                right.append(share_right(model, batch))
        yield right


@claim(
    "so-both-steps-are-needed", "with all four heads at half their strength, nearly all answers stay right",
    over="5 seeds", apart=0.15,
)  # fmt: skip
def not_too_faint():
    """Yield the share right with layer 0 at half its strength, and without the two of its heads that look back most."""
    for seed in SEEDS:
        model, _, kept = trained("free", seed)
        layer, batch = model.layers[0].attention, induction.repeat_batch(200)
        halved = layer.out_proj.register_forward_pre_hook(lambda _, args: (args[0] / 2,))
        right = share_right(model, batch)
        halved.remove()
        best = checks.previous_score.solution(kept[-1])[0].argsort(descending=True)[:2]
        with ablated(layer, *best.tolist()):
            yield right, share_right(model, batch)


@claim(
    "keys-compose", "the key matrix fits the note better than by chance", over="3 seeds", apart=0.05,
    rival="the note of another training",
)  # fmt: skip
def composes():
    """Yield how well the keys fit the note; the largest of queries, values and untrained keys; keys, another's note."""
    score = definitions("watch_heads_learn", "composition-scores").composition
    for seed in THREE:
        pair, other = trained("pair", seed, 121)[0], trained("pair", seed % 3 + 1, 121)[0]
        others = [score(start("pair", seed), "W_key"), score(pair, "W_query"), score(pair, "W_value")]
        mixed = SimpleNamespace(layers=[other.layers[0], pair.layers[1]])
        yield score(pair, "W_key"), max(others), score(mixed, "W_key")


@claim("the-plan-stands-in-the-weights", "both diagonals stay whole", over="3 seeds")
def diagonals():
    """Count the letters on both diagonals, with the means of letters, places and notes added to each vector."""
    value_output = definitions("watch_heads_learn", "letter-finds-note").value_output
    found = []
    for seed in THREE:
        pair = trained("pair", seed, 121)[0]
        first, second = pair.layers
        letters, place = pair.embedding.weight, pair.positions.weight[:15].mean(dim=0)
        notes = value_output(first, letters)
        asking = second.norm(letters + place + notes.mean(dim=0))
        answering = second.norm(letters.mean(dim=0) + place + notes)
        scores = second.attention.W_query(asking) @ second.attention.W_key(answering).T
        brought = letters.mean(dim=0) + place + notes.mean(dim=0) + value_output(second, letters)
        both = scores, pair.read_out(pair.norm(brought))
        found.append([(table.argmax(dim=-1) == torch.arange(20)).sum().item() for table in both])
    return min(map(min, found)) >= 19, f"of 20 letters on the two diagonals: {found}"
