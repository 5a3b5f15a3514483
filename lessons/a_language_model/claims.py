"""Claims of the notebook a_language_model about its texts, its parts and its first token."""

import functools

import torch
import torch.nn.functional as F
from claiming import claims_of, definitions, differences_below

from course_utils import attention, checks, measure
from course_utils.models import smollm

claim = claims_of("a_language_model")

TEXTS = [
    "The old bridge was closed for a year, and the farmers had to drive around the lake. When it opened again, the "
    "whole village came to walk across it. Even the mayor was there.",
    "Honey keeps for years if no water gets into it. Bees carry the sweet juice of flowers home, and fan it with their "
    "wings until most of the water is gone.",
    "My sister wanted to learn the piano, but our flat was too small for one. So she went to the school every evening, "
    "and practised there until the lights went out.",
    "A train left the city at noon and another one left the coast an hour later. They met near a small station, where "
    "both of them had to wait for a cow.",
    "She opened the letter slowly, because she knew the hand that had written it. Her brother was coming home from the "
    "sea at last, and he would stay the winter.",
]
FIRST_WORDS = [
    "Nobody in the valley knew the name of the dog that came every evening, but all fed it.",
    "Three ships lay in the harbour that night, and none of them had a light.",
    "Cold rain had fallen since Monday, so the market was almost empty.",
    "We never found out who painted the door of the barn red.",
    "Most of the windows in the street were dark by ten.",
]
BEGINNINGS = [
    "Once upon a time there was a",
    "The capital of France is",
    "She opened the door and saw",
    "Water is made of",
    "The robot could not climb the hill because it was too",
]


@functools.cache
def model():
    return smollm.load()


def text_loss(read, text, since=0):
    """Return the mean loss, in nats, on the tokens of a text after token `since`. read: the model's Reading of it."""
    return F.cross_entropy(read.logits[since:-1], torch.tensor(model().ids(text)[since + 1 :])).item()


def with_class(kind, **choices):
    """Return the model with another class of attention in all layers. choices: replace the class's own arguments."""
    Hiding.hidden = ()  # the class is tried on three tokens
    options = {"key_heads": 3, "causal": True, "out_bias": False, "rotate": model().rotate, **choices}
    return model().with_attention(lambda: kind(576, 576, 9, **options))


def listed(numbers):
    return " ".join(f"{number:.2f}" for number in numbers)


class Hiding(attention.MultiHeadAttention):
    """The course's attention, with keys hidden from some queries: `hidden` has triples (first, end, key)."""

    hidden = ()

    def forward(self, x, **options):
        mask = torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool)
        for first, end, key in self.hidden:
            mask[first:end, key] = False
        return super().forward(x, mask=mask, **options)


@functools.cache
def hiding_model():
    return with_class(Hiding)


@functools.cache
def hiding(text, *hidden):
    """Return the Reading of a text with keys hidden: triples (first query, end, key), end None for all later ones."""
    read = hiding_model()  # before its keys are hidden: see with_class
    Hiding.hidden = hidden
    return read(text)


def most_weight(read, since=8):
    """Return the key that queries from `since` on give most weight, mean over all heads, and that weight."""
    weight, key = read.attn_weights[:, :, since:].mean(dim=(0, 1, 2)).max(dim=0)
    return key.item(), weight.item()


@claim("what-temperature-does", "At 2 it is most of the probability", over="5 sentences", quick=True, apart=0.6)
def hot():
    """Yield the chance outside the six likeliest words at temperature 2 (0 if below half), and at temperature 0.5."""
    for text in BEGINNINGS:
        logits = model()(text).logits[-1]
        hot, cold = (1 - checks.token_shares.solution(logits, heat, None).topk(6).values.sum() for heat in (2, 0.5))
        yield hot * (hot > 0.5), cold


@claim("loss-read", "Where the same words come in any order, a loss of 7", over="5 texts, 3 orders", apart=2.5)
def any_order():
    """Yield the loss of a text's words in another order, and that of the text."""
    for text in TEXTS:
        whole = text_loss(model()(text), text)
        for seed in (1, 2, 3):
            words = text.split()
            order = torch.randperm(len(words), generator=torch.Generator().manual_seed(seed))
            shuffled = " ".join(words[place] for place in order)
            yield text_loss(model()(shuffled), shuffled), whole


@claim("wrong-custom-read", "Something worse, and still English", over="5 texts")
def wrong_pairs():
    """Compare the losses with the stored pairs, with the page's other pairs, and without any rotation."""
    halves = definitions("a_language_model", "with-places", model=model()).halves_rotated
    right, wrong, none = (
        [text_loss(turned(text), text) for text in TEXTS]
        for turned in (model(), *(with_class(attention.MultiHeadAttention, rotate=rotate) for rotate in (halves, None)))
    )
    costs, without = ([b - a for a, b in zip(right, losses, strict=True)] for losses in (wrong, none))
    found = f"the other pairs cost {listed(costs)}, no rotation {listed(without)}"
    return min(costs) > 0.1 and max(wrong) < 6.5 and all(a < b for a, b in zip(costs, without, strict=True)), found


@claim("wrong-custom-read", "random tokens are no longer copied at all", over="5 drawings", apart=0.2)
def wrong_pairs_do_not_copy():
    """Yield the share right in a random text's copy with the stored pairs, and with the page's other pairs."""
    halves = definitions("a_language_model", "with-places", model=model()).halves_rotated
    wrong = with_class(attention.MultiHeadAttention, rotate=halves)
    for seed in range(30, 35):
        first = torch.randint(1000, 49000, (40,), generator=torch.Generator().manual_seed(seed))
        ids = torch.cat([first, first])
        yield [(each(ids).logits[40:-1].argmax(dim=-1) == ids[41:]).float().mean() for each in (model(), wrong)]


@claim("it-writes", "The scores are the same.", over="5 texts", quick=True)
@differences_below(1e-3)
def same_scores():
    solution = definitions("a_language_model", "rotary-attention-solution").RotaryAttentionSolution
    mine = model().with_attention(lambda: solution(576, 576, 9, 3, model().rotate))
    for text in TEXTS:
        yield mine(text).logits - model()(text).logits


@claim("cache-or-not", "the same tokens, with a cache and without", over="5 beginnings")
def same_tokens():
    """Compare seven greedy tokens with and without a cache, where no choice hangs on the last digits of a score."""
    write = definitions("a_language_model", "write-solution").write_solution
    same, leads = [], []
    for text in BEGINNINGS:
        tokens = list(model().write(text, 7, cache=False))
        ends = set(model().config.end_tokens)
        same.append(write(model().reader(64), model().ids(text), 7, ends) == [t.id for t in tokens])
        leads += [-token.logits.topk(2).values.diff().item() for token in tokens]
    return all(same) and min(
        leads
    ) > 0.05, f"{sum(same)} of {len(same)} the same; the smallest lead is {min(leads):.2f}"


@claim("cache-read", "Sixty tokens share that; a single one pays for it alone.", over="5 numbers of tokens", apart=0.4)
def read_together():
    """Yield 1, the time of a token read alone, and the time for each of several tokens that are read together."""
    ids = [token for text in TEXTS for token in model().ids(text)]
    alone = measure.seconds(lambda: model().reader(8)(ids[:1]))
    for count in (16, 32, 48, 64, 96):
        yield 1, measure.seconds(lambda count=count: model().reader(128)(ids[:count])) / count / alone


@claim("half-on-the-first", "Nearly half of all weight lies on the first token", over="10 first tokens")
def half_on_the_first():
    found = [model()(text).attn_weights[:, :, 2:, 0].mean().item() for text in TEXTS + FIRST_WORDS]
    return min(found) > 0.4 and max(found) < 0.65, listed(found)


@claim("half-on-the-first", "rests on whatever comes first", over="10 first tokens", apart=0.3)
def place_not_token():
    """Yield the later tokens' weight on the second word after it was moved to the front, and on the moved first one."""
    for text in TEXTS + FIRST_WORDS:
        ids = model().ids(text)
        weights = model()([*ids[1:6], ids[0], *ids[6:]]).attn_weights[:, :, 6:]
        yield weights[..., 0].mean(), weights[..., 5].mean()


@claim("hidden-read", "Hidden from all, the first token is hardly missed", over="5 texts", quick=True)
def hidden_from_all():
    costs = [text_loss(hiding(t, (1, None, 0)), t, 8) - text_loss(hiding(t), t, 8) for t in TEXTS]
    return max(costs) < 0.4, f"the loss rises by {listed(costs)}"


@claim("hidden-read", "the second now has the weight", over="5 texts", apart=0.3)
def second_takes_over():
    """Yield the weight on token 1 with token 0 hidden from all others, and from token 8 on alone."""
    for text in TEXTS:
        reads = hiding(text, (1, None, 0)), hiding(text, (8, None, 0))
        yield tuple(read.attn_weights[:, :, 8:, 1].mean() for read in reads)


@claim("hidden-read", "from token 8 on, it is sorely missed", over="5 texts, from 8 and from 12 on")
def hidden_late():
    """Measure how much the loss rises with token 0 hidden from token 8 on, and from token 12 on."""
    rises = {
        since: [text_loss(hiding(t, (since, None, 0)), t, since) - text_loss(hiding(t), t, since) for t in TEXTS]
        for since in (8, 12)
    }
    found = "; ".join(f"from {since} on by {listed(costs)}" for since, costs in rises.items())
    return min(rises[8]) > 0.25 and sum(cost > 1 for cost in rises[8]) >= 4 and min(rises[12]) > 0.8, found


@claim("hidden-read", "Hiding token 1 or 4 from the same tokens makes little difference.", over="5 texts, 4 tokens")
def others_hidden():
    costs = [
        text_loss(hiding(t, (8, None, key)), t, 8) - text_loss(hiding(t), t, 8) for t in TEXTS for key in (1, 2, 4, 6)
    ]
    return max(map(abs, costs)) < 0.3, f"the loss changes by {min(costs):.2f} to {max(costs):.2f}"


@claim(
    "hidden-read", "it takes the weight, and the loss comes down again", over="5 texts, tokens 1, 4 and 7", apart=0.1
)
def comes_down_again():
    """Yield the loss with token 0 hidden from token 8 on, and the same where one token saw itself alone."""
    for text in TEXTS:
        gone, whole = (8, None, 0), text_loss(hiding(text), text, 8)
        for token in (1, 4, 7):
            alone = hiding(text, *((token, token + 1, key) for key in range(token)), gone)
            assert text_loss(alone, text, 8) < whole + 0.3 and most_weight(alone)[0] == token
            yield text_loss(hiding(text, gone), text, 8), text_loss(alone, text, 8)


ALONE = "A token that saw nothing but itself served in all texts that we tried."


@claim("hidden-read", ALONE, over="5 texts, tokens 1, 4 and 7", apart=0.3)
def saw_itself_alone():
    """Yield the later weight on a token that saw itself alone, and on the same token where it saw all but token 0.

    Token 0 is hidden from token 8 on in both, so that it is not there to be chosen. Token 1 saw token 0 in the second.
    """
    for text in TEXTS:
        for token in (1, 4, 7):
            gone = (8, None, 0)
            alone = hiding(text, *((token, token + 1, key) for key in range(token)), gone)
            others = hiding(text, gone) if token == 1 else hiding(text, (token, token + 1, 0), gone)
            yield tuple(read.attn_weights[:, :, 8:, token].mean() for read in (alone, others))


@claim("hidden-read", "One that saw a single other token served in some of them", over="5 texts, tokens 0 and 3")
def saw_another_alone():
    """Count the texts in which token 4 takes the later weight where it saw token 0 alone, or token 3 alone."""
    weights = []
    for text in TEXTS:
        for key in (0, 3):
            hidden = [(4, 5, other) for other in range(5) if other != key]
            weights.append(hiding(text, *hidden, (8, None, 0)).attn_weights[:, :, 8:, 4].mean().item())
    served = sum(weight > 0.35 for weight in weights)
    return 2 <= served <= 7, f"in {served} of {len(weights)}: {listed(weights)}"


@claim(
    "hidden-read", "Positions are rotary, so only distances count: for a model that cannot see token 0, the text "
    "begins with token 1.", over="5 texts", apart=1,
)  # fmt: skip
def only_distances():
    """Yield how far scores with token 0 hidden are from those without it: keys alone rotated, and both."""
    for text in TEXTS:
        ids, far = model().ids(text), []
        for turned in (keys_rotated(), hiding_model()):
            Hiding.hidden = [(1, None, 0)]
            hidden = turned(ids).logits[1:]
            Hiding.hidden = []
            far.append((hidden - turned(ids[1:]).logits).abs().max())
        yield tuple(far)


@functools.cache
def keys_rotated():
    """Return the hiding model with its keys alone rotated, so that a score depends on the position of a key."""

    def rotate(x, places):
        return model().rotate(x, places) if x.shape[1] == 3 else x

    return with_class(Hiding, rotate=rotate)
