"""Claims of the notebook a_language_model about heads that look one back, copy, and look at a name."""

import functools
from contextlib import ExitStack, contextmanager

import torch
import torch.nn.functional as F
from claiming import claims_of

from course_utils import checks
from course_utils.lessons.a_language_model.claims import TEXTS, listed, model
from course_utils.models.ablation import ablated

claim = claims_of("a_language_model")

COPIERS = [(18, 6), (17, 3), (17, 4), (18, 7)]  # the page's four
NAMES = (
    "Helen George|Rose Martin|Clara Henry|Maria James|Ruth Adam|Susan Frank|Julia Robert|Nina Oscar|Diana Philip|"
    "Grace Daniel|Linda Thomas|Sophie Michael|Eva Charles|Rachel Joseph|Carol Steven|Karen Brian|Amy Kevin|"
    "Lisa Andrew|Barbara Edward|Nancy Richard"
).split("|")


@contextmanager
def without(heads):
    """Ablate heads, pairs (layer, head), within a `with` block."""
    with ExitStack() as stack:
        for layer, head in heads:
            stack.enter_context(ablated(model().layers[layer].attention, head))
        yield


def drawn(seed, twice=True, length=40):
    """Return 2 * length random token ids: the second half a copy of the first one, or other tokens."""
    generator = torch.Generator().manual_seed(seed)
    first, other = torch.randint(1000, 49000, (2, length), generator=generator)
    return torch.cat([first, first if twice else other])


@functools.cache
def named_right(seed, *heads, twice=True, length=40):
    """Return the share of tokens of the second half that are predicted correctly, 0 to 1, with heads ablated."""
    ids = drawn(seed, twice, length)
    with without(heads):
        guess = model()(ids).logits[length:-1].argmax(dim=-1)
    return (guess == ids[length + 1 :]).float().mean().item()


@functools.cache
def copying(*seeds):
    """Return the mean prefix-matching score of each head, (30, 9), over drawings with these seeds."""
    weights = ([model()(drawn(seed, twice)).attn_weights for twice in (True, False)] for seed in seeds)
    return torch.stack([checks.copying_scores.solution(*pair) for pair in weights]).mean(dim=0)


def best(scores, count):
    return [divmod(place, 9) for place in scores.flatten().topk(count).indices.tolist()]


def others(seed):
    """Return eight heads of layers 10 to 29, drawn at random from those that hardly copy."""
    known = set(best(copying(0, 1), 16))
    rest = [(layer, head) for layer in range(10, 30) for head in range(9) if (layer, head) not in known]
    order = torch.randperm(len(rest), generator=torch.Generator().manual_seed(seed))
    return [rest[place] for place in order[:8].tolist()]


@claim("one-back-read", "in layers 1, 2, 11 and 16", over="5 texts", quick=True)
def four_look_one_back():
    scores = [checks.previous_score.solution(model()(text).attn_weights) for text in TEXTS]
    same = [set(best(score, 4)) == {(1, 2), (2, 1), (11, 1), (16, 0)} for score in scores]
    fourth, fifth = zip(*(score.flatten().topk(5).values[3:].tolist() for score in scores), strict=True)
    found = f"the same four in {sum(same)} of {len(same)}; the fourth {listed(fourth)}, the fifth {listed(fifth)}"
    return all(same) and min(fourth) > 0.5 > max(fifth), found


@claim("it-copies", "when they come again", over="5 drawings", apart=0.25)
def it_copies():
    """Yield the share named right in a second half that is a copy, and in one that is none."""
    return [(named_right(seed), named_right(seed, twice=False)) for seed in range(30, 35)]


@claim("the-note-read", "three of the four copiers hardly look where the copy continues", over="5 drawings", apart=0.4)
def a_note_before():
    """Yield the mean prefix-matching score of the four copiers without another head of layer 16, and without 16.0."""
    for head, seed in enumerate(range(30, 35), 1):
        yield tuple(scores_without((16, silent), seed)[[18, 17, 17, 18], [6, 3, 4, 7]].mean() for silent in (head, 0))


def scores_without(head, seed):
    """Return the prefix-matching scores (30, 9) in one drawing with one head ablated, a pair (layer, head)."""
    with without([head]):
        return copying.__wrapped__(seed)  # not cached: the cache knows nothing of ablations


@claim("the-note-read", "One head, and the copying of random tokens is nearly gone", over="5 drawings", apart=0.2)
def no_note_no_copy():
    """Yield the share named right without another head of layer 16, and without 16.0."""
    return [(named_right(seed, (16, head)), named_right(seed, (16, 0))) for head, seed in enumerate(range(30, 35), 1)]


@contextmanager
def note_off(part):
    """Take what head 16.0 writes off the "queries", "keys" or "values" of layers 17 to 23, within a `with` block."""
    layers, kept, hooks = model().layers, {}, []

    def keep_note(out_proj, args):
        kept["note"] = F.linear(args[0][..., :64], out_proj.weight[:, :64])

    def keep_input(layer, args):
        kept["input"] = args[0]

    def take_off(layer, args):
        without_it = layer.attention_norm(kept["input"] - kept["note"])
        return tuple(without_it if each == part else args[0] for each in ("queries", "keys", "values"))

    hooks.append(layers[16].attention.out_proj.register_forward_pre_hook(keep_note))
    for layer in layers[17:24]:
        hooks.append(layer.register_forward_pre_hook(keep_input))
        taken = functools.partial(take_off, layer)
        hooks.append(layer.attention.register_forward_pre_hook(lambda _, args, taken=taken: taken(args)))
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


NOTE_IN_KEYS = "Subtract it from their queries or values instead, and most of the copying stays."


@claim("note-in-the-keys", NOTE_IN_KEYS, over="5 drawings, queries and values", apart=0.2)
def note_is_in_the_keys():
    """Yield the share named right with the note of 16.0 taken off queries, then off values, each against off keys."""
    for seed in range(30, 35):
        right = {}
        for part in ("queries", "keys", "values"):
            with note_off(part):
                right[part] = named_right.__wrapped__(seed)
        assert right["keys"] < 0.1 and min(right["queries"], right["values"]) > 0.5 * named_right(seed)
        yield right["queries"], right["keys"]
        yield right["values"], right["keys"]


@claim("four-of-270", "You found the four by a score on weights", over="4 pairs of drawings")
def the_same_four():
    """Rank heads by their score on other drawings: three of the four are the first three, the fourth near."""
    found = [best(copying(seed, seed + 1), 8) for seed in (20, 22, 24, 26)]
    ranks = [eight.index(COPIERS[3]) + 1 if COPIERS[3] in eight else 9 for eight in found]
    holds = all(set(eight[:3]) == set(COPIERS[:3]) for eight in found) and max(ranks) <= 8 and ranks.count(4) >= 3
    return holds, f"the first three {[eight[:3] for eight in found]}; 18.7 has the ranks {ranks}"


@claim("four-of-270", "Without four heads of 270 it predicts next to nothing correctly.", over="5 drawings, 3 lengths")
def four_are_needed():
    """Measure the share named right without the four best copiers, and with them."""
    runs = [(seed, 40) for seed in range(30, 35)] + [(40, 20), (41, 20), (40, 80)]
    left = [named_right(seed, *COPIERS, length=length) for seed, length in runs]
    whole = [named_right(seed, length=length) for seed, length in runs]
    return max(left) < 0.05 and min(whole) > 0.25, f"with them {listed(whole)}, without {listed(left)}"


@claim(
    "four-of-270",
    "Eight others, drawn from the same part of the model, are little missed beside these.",
    over="5 draws",
)
def others_are_not():
    """Compare the mean share named right on two drawings without eight other heads, and without the four copiers."""
    seeds = (31, 32)
    whole, few = (sum(named_right(seed, *heads) for seed in seeds) / 2 for heads in ([], COPIERS))
    left = [sum(named_right(seed, *others(draw)) for seed in seeds) / 2 for draw in range(1, 6)]
    found = f"the whole model {whole:.2f}, without eight others {listed(left)}, without the four {few:.2f}"
    return min(left) > 0.5 * whole > 10 * few, found


@claim("four-of-270", "Not any eight. 16.0, which comes next, is needed", over="5 drawings, 5 draws", apart=0.1)
def not_every_eight():
    """Yield the share named right without eight other heads, and with 16.0 in the place of the last of them."""
    for seed, draw in zip(range(30, 35), range(1, 6), strict=True):
        eight = others(draw)
        yield named_right(seed, *eight), named_right(seed, *eight[:-1], (16, 0))


@claim(
    "four-of-270", "19.8, whose prefix-matching score is 0.00, is missed about as much as 18.6, the best copier",
    over="5 drawings", apart=0.1,
    rival="another head of layer 19",
)  # fmt: skip
def missed_and_not_found():
    """Yield how much of the share right is lost without 19.8; without any head; and without another head of layer 19.

    The first is 0, and so fails the claim, if on average it is not within a tenth of the loss without 18.6, or if 19.8
    has a prefix-matching score.
    """
    seeds = range(30, 35)
    lost, best_copier = ([named_right(seed) - named_right(seed, head) for seed in seeds] for head in ((19, 8), (18, 6)))
    alike = abs(sum(lost) - sum(best_copier)) / 5 < 0.12 and abs(copying(0, 1)[19, 8]) < 0.02
    for seed, loss in zip(seeds, lost, strict=True):
        yield loss * alike, 0, named_right(seed) - named_right(seed, (19, seed % 5))


@claim("meaning-read", "92 % are right here", over="1 text, all heads beside it", quick=True)
def words_without_the_note():
    """Measure the share right in the page's text when it comes again, without 16.0 and with all heads."""
    text = (
        "My brother lost the key, and he looked for it everywhere. He looked under the bed, behind the door and in the "
        "pockets of his coat. In the end it was in the lock."
    )
    ids, right = torch.tensor(model().ids(text)), []
    for heads in ([(16, 0)], []):
        with without(heads):
            guess = model()(torch.cat([ids, ids])).logits[len(ids) : -1].argmax(dim=-1)
        right.append((guess == ids[1:]).float().mean().item())
    return abs(right[0] - 0.92) < 0.03 and right[1] - right[0] < 0.06, f"without 16.0 and with it {listed(right)}"


@claim(
    "meaning-read",
    "about half of the tokens correctly the second time, or more, and more than when they were new",
    over="5 texts",
)
def meaning_twice():
    """Measure the share named right in a text and in its copy without the four copiers, and in its copy with them."""
    new, left, whole = [], [], []
    for text in TEXTS:
        ids = torch.tensor(model().ids(text))
        twice, n = torch.cat([ids, ids]), len(ids)
        with without(COPIERS):
            right = (model()(twice).logits[:-1].argmax(dim=-1) == twice[1:]).float()
        new.append(right[: n - 1].mean().item())
        left.append(right[n:].mean().item())
        whole.append((model()(twice).logits[n:-1].argmax(dim=-1) == ids[1:]).float().mean().item())
    holds = all(a + 0.15 < b < c - 0.1 for a, b, c in zip(new, left, whole, strict=True)) and 0.4 < min(left)
    return holds, f"new {listed(new)}, again without copiers {listed(left)}, with them {listed(whole)}"


@claim(
    "meaning-read", "few are right when they are new, and about a quarter the second time", over="5 texts, 2 orders",
)  # fmt: skip
def words_in_any_order():
    """Measure the mean share right without the four copiers, of a text's words in any order: new, and again."""
    new, again = [], []
    for text in TEXTS:
        words = text.split()
        for seed in (1, 2):
            order = torch.randperm(len(words), generator=torch.Generator().manual_seed(seed)).tolist()
            ids = torch.tensor(model().ids(" ".join(words[place] for place in order)))
            twice, n = torch.cat([ids, ids]), len(ids)
            with without(COPIERS):
                right = (model()(twice).logits[:-1].argmax(dim=-1) == twice[1:]).float()
            new.append(right[: n - 1].mean().item())
            again.append(right[n:].mean().item())
    holds = max(new) < 0.2 and 0.12 < sum(again) / len(again) < 0.35
    return holds, f"new {listed(new)}, again {listed(again)}"


@functools.cache
def both_names(pair, *heads):
    """Return the logits of both names as the next token, (2,), hers first, with heads ablated."""
    first, second = pair.split()
    with without(heads):
        logits = model()(f"After {first} and {second} went to the park, {second} gave a ball to").logits[-1]
    return logits[[model().ids(f" {name}")[0] for name in (first, second)]]


@functools.cache
def share_of_name(pair, *heads):
    """Return the share of the first name as the next token, and the weights of heads 24.4 and 23.0 on it."""
    first, second = pair.split()
    text = f"After {first} and {second} went to the park, {second} gave a ball to"
    with without(heads):
        read = model()(text)
    look = read.attn_weights[[24, 23], [4, 0], -1, read.tokens.index(f" {first}")]
    return read.logits[-1].softmax(dim=-1)[model().ids(f" {first}")[0]].item(), look.tolist()


@claim(
    "nine-more-read", "her name gains when 24.4 is ablated", over="20 pairs of names, another frame", apart=0.04,
    rival="another head of layer 24",
)  # fmt: skip
def one_against():
    """Yield how much her probability gains without head 24.4; without any; and without another head of layer 24."""
    for number, pair in enumerate(NAMES):
        whole = share_of_name(pair)[0]
        other = share_of_name(pair, (24, 5 + number % 4))[0]
        yield share_of_name(pair, (24, 4))[0] - whole, 0, other - whole


@claim("nine-more-read", "Without 23.0 both logits fall", over="20 pairs of names, another frame")
def without_23_0_both_lose():
    """Measure how both names' logits change without 23.0: on average alike, so that her lead hardly moves."""
    change = torch.stack([both_names(pair, (23, 0)) - both_names(pair) for pair in NAMES]).mean(dim=0)
    holds = bool((change < -0.4).all()) and abs(change[0] - change[1]) < 0.4
    return holds, f"her logit changes by {change[0]:.2f} on average, his by {change[1]:.2f}"
