"""Claims of the notebook causal_masking that go beyond its outputs."""

import functools
import itertools

import torch
from claiming import claims_of, definitions
from torch import nn

from course_utils import attention, properties

claim = claims_of("causal_masking")

PAST = attention.causal_mask(5)
ALMOST = ("erased_only", "filled_with_0", "mask_added")
GAME = ("def-draw-texts-batch-size", "class-nextletter-nn-module-def", "def-train-next-letter-model")
GAME += ("def-share-right-in-use",)
REPEATED = ("torch.randperm(26)[:9]", "torch.randint(26, (9,))")


@functools.cache
def game():
    """Return the definitions of the notebook's guessing game, a namespace."""
    return definitions("causal_masking", *GAME)


@functools.cache
def trained(kind, seed):
    """Train a model of the game; return it, its share right in training, and its shares in use, right and repeated.

    kind: "causal", "peeking" or "without positions".
    """
    model = fresh(kind, seed)
    game().train_next_letter(model, "")
    return model, game().accuracy_of(model), *game().accuracy_in_use(model)


def fresh(kind, seed):
    """Return a model of the game before its training; torch's seed is set.

    kind: "causal", "peeking" or "without positions".
    """
    torch.manual_seed(seed)
    made = {"causal": lambda: attention.CausalAttention(35, 24, context_length=9)}
    head = made.get(kind, lambda: attention.SelfAttention(35, 24))()
    return game().NextLetter(head, positions=kind != "without positions")


def heads_and_texts(seeds):
    for seed in range(seeds):
        torch.manual_seed(seed)
        yield attention.SelfAttention(4, 3), torch.randn(2, 5, 4)


def almost_masks(head):
    """Return the notebook's three attempts at a mask on a head, a dict from name to attention, and their scores_of."""
    page = definitions("causal_masking", "attempts-and-which-of-them-leak", head=head, past=PAST)
    return {name: getattr(page, name) for name in ALMOST}, page.scores_of


def moved(attend, texts):
    """Return the largest difference, a float, that a change of the last token makes in the outputs before it.

    attend: a function or module. texts: (batch, num_tokens, width).
    """
    changed = texts.clone()
    changed[:, -1] += 1.0
    return (vecs_of(attend, changed) - vecs_of(attend, texts))[:, :-1].abs().max().item()


def cut_off(attend, text):
    """Return the largest difference, a float, between an output and that of the text cut off after its token.

    attend: a function or module. text: (num_tokens, width).
    """
    prefixes = [vecs_of(attend, text[: n + 1])[-1] for n in range(len(text))]
    return (vecs_of(attend, text) - torch.stack(prefixes)).abs().max().item()


@torch.no_grad()
def vecs_of(attend, x):
    """Return the context vectors of x, which `attend` gives alone or first in a tuple."""
    found = attend(x)
    return found[0] if isinstance(found, tuple) else found


@claim("all-three-leak", "All three leak.", over="20 seeds", quick=True)
def almost_masks_leak():
    """Test each of the three attempts for leaks, on random heads and texts."""
    leaks = dict.fromkeys(ALMOST, 0)
    for head, texts in heads_and_texts(20):
        for name, attend in almost_masks(head)[0].items():
            leaks[name] += not properties.no_leak(attend, texts)
    return set(leaks.values()) == {20}, ", ".join(f"{name}: {count} of 20" for name, count in leaks.items())


@claim(
    "the-future-stays-in-the-denominator",
    "Way 1 divides once more, and there $Z$ cancels: renormalising closes the leak.",
    over="20 seeds", quick=True, apart=-0.001, rival="rows divided by their number of open keys",
)  # fmt: skip
def renormalising_closes_it():
    """Yield how far a later token moves earlier outputs: with erased weights renormalised, as they are, and rescaled.

    The rival also makes the weights of each row larger, by a factor that does not depend on the tokens.
    """
    for head, texts in heads_and_texts(20):
        erased = almost_masks(head)[0]["erased_only"]

        def divided(x, by, values=head.W_value, erased=erased):
            kept = erased(x)[1]
            return kept / by(kept) @ values(x), kept

        def renormalised(x, divided=divided):
            return divided(x, lambda kept: kept.sum(dim=-1, keepdim=True))

        def rescaled(x, divided=divided):
            return divided(x, lambda kept: torch.arange(1, 6)[:, None] / 5)

        yield moved(renormalised, texts), moved(erased, texts), moved(rescaled, texts)


@claim(
    "recap-1-attention-without-a", "Erased afterwards, it stays in the denominator.", over="20 seeds", quick=True,
    apart=0.001, rival="the future masked before softmax, and weights erased after it",
)  # fmt: skip
def erased_afterwards_it_leaks():
    """Yield how far a later token moves earlier outputs: erased after softmax, masked before it, and masked and erased.

    The rival asks whether erasing is the fault: the future is masked before softmax, and weights are erased after it.
    """
    for head, texts in heads_and_texts(20):
        attempts, scores_of = almost_masks(head)
        kept = torch.rand(5, 5) < 0.5

        def masked(x, erase, scores_of=scores_of, values=head.W_value):
            weights = attention.softmax(scores_of(x).masked_fill(~PAST, -torch.inf))
            return (weights * erase) @ values(x), weights

        yield (
            moved(attempts["erased_only"], texts),
            *(
                moved(lambda x, erase=erase, masked=masked: masked(x, erase), texts)
                for erase in (torch.ones(5, 5), kept)
            ),
        )


@claim("a-leak-could-hide-in", "counts a tiny difference as rounding", over="6 sizes", quick=True)
def how_much_is_rounding():
    """Test outputs of six sizes for leaks of 0.9 and of 1.1 times 0.00001 plus a ten-thousandth of the number."""
    texts, passed = torch.randn(2, 5, 4), {0.9: 0, 1.1: 0}
    for size in (0.0, 0.01, 0.1, 1.0, 10.0, 100.0):
        for share in passed:

            def attend(x, size=size, leak=share * (1e-5 + 1e-4 * size)):
                return torch.full_like(x, size + (0.0 if torch.equal(x, texts) else leak))

            passed[share] += properties.no_leak(attend, texts)
    return passed == {0.9: 6, 1.1: 0}, ", ".join(f"{share} of it: {n} of 6 pass" for share, n in passed.items())


@claim("a-leak-could-hide-in", "a tiny difference as rounding", over="5 seeds, two fills", quick=True)
def a_tiny_leak_passes():
    """Test heads for leaks whose future is filled with -5, and with -15, in place of minus infinity."""
    passed = {-5.0: 0, -15.0: 0}
    for head, texts in heads_and_texts(5):
        scores_of = almost_masks(head)[1]
        for fill in passed:

            def attend(x, fill=fill, values=head.W_value, scores_of=scores_of):
                return attention.softmax(scores_of(x).masked_fill(~PAST, fill)) @ values(x)

            passed[fill] += properties.no_leak(attend, texts)
    return passed == {-5.0: 0, -15.0: 5}, ", ".join(f"fill {fill:.0f}: {n} of 5 pass" for fill, n in passed.items())


@claim(
    "nothing-is-kept-beside-200", "In float32 the smallest number above 0 is about e to the power of -103",
    over="nine gaps", quick=True,
)  # fmt: skip
def way_1_breaks_from_some_gap_on():
    """Compute both ways on two open scores beside a huge hidden one, and find where nan begins."""
    broken, open_keys = [], torch.tensor([True, True, False])
    for high in (5, 20, 50, 80, 100, 110, 150, 200, 1000):
        row = torch.tensor([0.0, 1.0, float(high)])
        kept = attention.softmax(row) * open_keys
        if (kept / kept.sum()).isnan().any():
            broken.append(high)
        if not torch.allclose(
            attention.softmax(row.masked_fill(~open_keys, -torch.inf)), torch.tensor([0.2689, 0.7311, 0.0]), atol=1e-4
        ):
            return False, f"way 2 fails beside {high}"
    return broken == [110, 150, 200, 1000], f"way 1 gives nan beside {broken}, way 2 nowhere"


@claim("it-copies-the-answer-which", "it names one of them, and is right about one time in eight", over="5 seeds")
def without_places_one_in_eight():
    """Measure the share right of a head that sees all letters but not their positions."""
    shares = [trained("without positions", seed)[1] for seed in range(5)]
    return all(0.10 < share < 0.15 for share in shares), " ".join(f"{share:.1%}" for share in shares)


@claim(
    "the-share-fell-from-all", "whoever names no letter already read is right about one time in 21", over="5 seeds",
    quick=True,
)  # fmt: skip
def names_no_letter_already_read():
    """Guess at random among the letters not read, in 20,000 texts for each seed."""
    shares = []
    for seed in range(5):
        torch.manual_seed(seed)
        texts = game().draw_texts(20_000)
        right = [
            torch.rand(20_000, 26).scatter(1, texts[:, :n], -1.0).argmax(dim=-1) == texts[:, n] for n in range(1, 9)
        ]
        shares.append(torch.stack(right).float().mean().item())
    return all(1 / 22 < share < 1 / 20 for share in shares), " ".join(f"{share:.2%}" for share in shares)


@claim("worse-than-guessing-it-learnt", "Perfect in training, useless in use.", over="5 seeds")
def peeking_is_useless_in_use():
    """Measure the shares right in training and in use of a head that sees the future."""
    found = [trained("peeking", seed)[1:3] for seed in range(5)]
    holds = all(training > 0.99 and in_use < 0.02 for training, in_use in found)
    return holds, " ".join(f"{training:.1%} and {in_use:.1%}" for training, in_use in found)


@claim("worse-than-guessing-it-learnt", "No letter comes twice, so a copy is wrong.", over="5 seeds", apart=-0.02)
def copies_are_right_where_letters_come_twice():
    """Yield the share right in use of a head that sees the future, and the same in texts with repeated letters."""
    often = definitions("causal_masking", *GAME, change=lambda source: source.replace(*REPEATED))
    for seed in range(5):
        yield trained("peeking", seed)[2], often.accuracy_in_use(trained("peeking", seed)[0])[0]


@claim("the-share-fell-from-all", "What it scores in training, it scores in use as well.", over="5 seeds")
def causal_scores_the_same_in_use():
    """Measure the shares right in training and in use of a causal head."""
    found = [trained("causal", seed)[1:3] for seed in range(5)]
    holds = all(abs(training - in_use) < 0.02 and 0.03 < training < 0.065 for training, in_use in found)
    return holds, " ".join(f"{training:.1%} and {in_use:.1%}" for training, in_use in found)


@claim(
    "the-share-fell-from-all", "The head has learnt what there is to learn: not to name a letter already read.",
    over="5 seeds", apart=-0.1, rival="a training on texts in which letters come twice",
)  # fmt: skip
def it_learns_to_name_no_letter_already_read():
    """Yield the share of guesses that name a letter already read: after the training, before it, after the rival's."""
    often = definitions("causal_masking", *GAME, change=lambda source: source.replace(*REPEATED))
    for seed in range(5):
        other = fresh("causal", seed)
        often.train_next_letter(other, "")
        yield (
            trained("causal", seed)[3],
            *(game().accuracy_in_use(model)[1] for model in (fresh("causal", seed), other)),
        )


@claim(
    "recap-1-attention-without-a",
    "A model that may see the next token can copy it, and here it does: perfect in training, useless at inference.",
    over="5 seeds", apart=0.7, rival="all letters in sight, without their positions",
)  # fmt: skip
def it_copies_what_it_sees():
    """Yield the accuracy in training: of a head that sees the next letter, of a causal one, and without positions."""
    for seed in range(5):
        peeking, causal, without = (trained(kind, seed) for kind in ("peeking", "causal", "without positions"))
        yield (peeking[1], causal[1], without[1]) if peeking[2] < 0.02 else (0, 0, 0)


@claim(
    "row-n-of-the-whole", "So in one forward pass, each row solves the task of its own prefix.",
    over="4 lengths, 3 widths", apart=-0.01, rival="weights on the future erased after softmax",
)  # fmt: skip
def rows_of_the_whole_are_those_of_prefixes():
    """Yield how far row n of a whole text is from the last row of its first n tokens: causal, without a mask, rival."""
    for seed, (width, num_tokens) in enumerate(itertools.product((2, 16, 128), (2, 5, 17, 64))):
        torch.manual_seed(seed)
        causal = attention.CausalAttention(width, width, num_tokens)
        plain = attention.SelfAttention(width, width)
        text = torch.randn(num_tokens, width)

        def erased(x, plain=plain):
            return (plain(x)[1] * attention.causal_mask(len(x))) @ plain.W_value(x)

        yield cut_off(causal, text), cut_off(plain, text), cut_off(erased, text)


@claim(
    "what-the-leak-test-does-not-see",
    "Here is a causal head whose outputs are divided by the number of tokens. It passes the leak test.",
    over="5 seeds", quick=True, apart=0.05,
)  # fmt: skip
def length_leaks_unseen():
    """Yield how far outputs move when the text is cut off behind them, and when a later token is changed."""
    for seed in range(5):
        torch.manual_seed(seed)
        head, texts = attention.CausalAttention(4, 3, 7), torch.randn(2, 5, 4)
        by_length = definitions("causal_masking", "a-head-that-knows-the-length", causal_head=head).by_length
        assert properties.no_leak(by_length, texts)
        yield cut_off(by_length, texts[0]), moved(by_length, texts)


@claim("with-1e9-all-gaps-are", "the three hidden keys get a third each, and nothing tells you", over="seven fills")
def large_negative_fills_share_out_evenly():
    """Compute the weights of rows that are filled with one large negative number."""
    fills = (-1e3, -1e4, -1e5, -1e9, -1e20, -1e30, torch.finfo().min)
    rows = torch.stack([torch.softmax(torch.full((3,), fill), dim=-1) for fill in fills])
    return bool(torch.allclose(rows, torch.tensor(1 / 3))), f"weights from {rows.min():.4f} to {rows.max():.4f}"


@claim(
    "just-where-our-mask-says",
    "(With need_weights=False the nan is gone, too, in training: that row of this new layer gets zeros, and nothing "
    "warns you.)",
    over="5 seeds, 2 modes", quick=True,
)  # fmt: skip
def without_weights_the_nan_is_gone():
    """Compute the last row of PyTorch's older layer under our mask, with its weights asked for and without."""
    zeros = nans = 0
    for seed, training in itertools.product(range(5), (True, False)):
        torch.manual_seed(seed)
        layer, texts = nn.MultiheadAttention(4, 1, batch_first=True).train(training), torch.randn(1, 5, 4)
        silent, loud = (layer(texts, texts, texts, attn_mask=PAST, need_weights=w)[0][0, -1] for w in (False, True))
        zeros, nans = zeros + (silent == 0).all().item(), nans + loud.isnan().all().item()
    return zeros == nans == 10, f"zeros without the weights in {zeros} of 10, nan with them in {nans}"
