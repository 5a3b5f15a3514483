"""Claims of the notebook real_heads about words that stand twice, and about rows shuffled among the words alone."""

import itertools

import torch
import torch.nn.functional as F
from claiming import claims_of

from course_utils import attention, checks
from course_utils.lessons.real_heads.claims import FRAMES, TEXTS, cosine_with, flip, mean, model, shuffled
from course_utils.models.ablation import ablated

claim = claims_of("real_heads")

NOUNS_TWICE = """The robot could not climb because this robot was too weak.
A cat saw another cat near my house.
We lost our map, so he drew us some map of his own.
Snow fell on Monday and more snow came later.
Old friends make good friends.
This door leads to another door behind it.
Her brother met my brother in Rome.
One horse is brown, another horse is white.
A river may join a second river near its mouth.
He wrote a book after reading her book."""
IF_TWICE = """If it rains I stay, and if it snows I go.
She asked if he knew if it was late.
He will come if he can and if he may."""
NOUNS = """
apple river chair music stone window paper horse cloud bread silver garden doctor winter king school tree house
train book dog cat bird fish table door lamp clock road bridge tower castle ship boat letter pencil shoe hat coat
shirt milk cheese egg salt sugar honey soup rice corn potato knife fork spoon plate cup bottle box bag basket key
lock wall roof floor teacher farmer soldier sailor baker singer child girl boy woman man mother father brother
sister friend neighbour mountain hill valley lake sea island beach forest field flower grass leaf rain snow wind
storm sun moon star night morning evening summer spring autumn market shop street village city country map game
ball song dance picture story""".split()
THE_TWICE = """The farmer sold the tractor.
The cat saw the dog.
The judge read the letter twice before she answered.
The pilot told the passengers that it would be late.
The girl and the boy.
The north and the south.
The clock in the hall has stopped.
He found the coin under the bridge.
Rain fell on the roof of the barn.
She opened the door with the key."""


def by_2_9(text):
    """Return the mean weight that head 2.9 gives to the copy of a word, over the words that stand twice in a text."""
    read = model()(text)
    pattern = checks.same_pattern.solution(read.tokens)
    return checks.pattern_scores.solution(read.attn_weights, pattern)[2, 9].item()


@claim(
    "head-2-9-finds-it", "finds most nouns that stand twice, and hardly a the that does",
    over="20 sentences", quick=True,
)  # fmt: skip
def nouns_and_the():
    nouns, the = ([by_2_9(text) for text in texts.splitlines()] for texts in (NOUNS_TWICE, THE_TWICE))
    found = f"nouns {[round(x, 2) for x in nouns]}; the {[round(x, 2) for x in the]}"
    return sum(score > 0.4 for score in nouns) >= 7 and max(the) < 0.2, found


@claim("head-2-9-finds-it", "it is no noun head, since it finds if as well", over="3 sentences", quick=True, apart=0.1)
def finds_if():
    """Yield the weight of head 2.9 on the other *if* of a sentence, and on the other *the*, on average."""
    the = mean(by_2_9(text) for text in THE_TWICE.splitlines())
    return [(by_2_9(text), the) for text in IF_TWICE.splitlines()]


def resting(words):
    """Return how many of the 72 heads give [CLS] more than half of their weight in a text of these words."""
    return (model()(" ".join(words)).attn_weights[:, :, 1:, 0].mean(dim=-1) > 0.5).sum().item()


@claim(
    "trained-on-128-tokens", "What stands in the text counts more", over="5 drawings of 119 words", apart=15,
    rival="the words of a text in any order",
)  # fmt: skip
def nouns_and_text():
    """Yield the number of heads that rest on [CLS] in a list of nouns, in a text as long, and in its words shuffled."""
    words = " ".join(TEXTS).split()
    for seed in range(5):
        generator = torch.Generator().manual_seed(seed)
        listed = [NOUNS[i] for i in torch.randperm(len(NOUNS), generator=generator)]
        text = words[30 * seed : 30 * seed + len(listed)]
        mixed = [text[i] for i in torch.randperm(len(text), generator=generator)]
        yield resting(listed), resting(text), resting(mixed)


@claim(
    "three-ropes", "And 1.8, no suspect by this score, costs the second pair as much as 2.3 does", over="",
    quick=True,
)  # fmt: skip
def not_a_suspect():
    whole, lost = flip(*FRAMES[1]), []
    for layer, head in ((1, 8), (2, 3)):
        with ablated(model().layers[layer].attention, head):
            lost.append(whole - flip(*FRAMES[1]))
    return abs(lost[0] - lost[1]) < 0.05 and min(lost) > 0.2, f"1.8 costs {lost[0]:.2f}, 2.3 {lost[1]:.2f}"


@claim("head-1-8-looks-at", "In layer 0 the weight on it is low", over="40 sentences", quick=True)
def short_values_draw_layer_0():
    """Correlate, over the heads of layer 0, the length of the value of [CLS] beside a word's with the weight on it."""
    sizes, weights = [], []
    for text in TEXTS:
        read = model()(text)
        length = attention.split_heads(model().layers[0].attention.W_value(read.hidden_states[0]), 12).norm(dim=-1)
        sizes.append(length[:, 0] / length[:, 1:-1].mean(dim=-1))
        weights.append(read.attn_weights[:, :, 1:, 0].mean(dim=-1))
    weights = torch.stack(weights).mean(dim=0)  # (layers, heads)
    together = torch.corrcoef(torch.stack([torch.stack(sizes).mean(dim=0), weights[0]]))[0, 1]
    return weights[0].mean() < 0.25 and weights[1:5].mean() > 0.4 and together < -0.7, f"correlation {together:.2f}"


@claim("no-single-pattern", "of these about half keep their effect when shuffled", over="3 sentences")
def those_that_matter():
    """Count the heads without which the cosine falls to 0.99 or less, and those of them that fail when shuffled."""
    torch.manual_seed(5001)
    matter, fail = 0, 0
    for text in TEXTS[:3]:
        whole = model()(text).hidden_states[-1].mean(dim=0)
        for layer, head in itertools.product(range(6), range(12)):
            with ablated(model().layers[layer].attention, head):
                gone = model()(text).hidden_states[-1].mean(dim=0)
            if F.cosine_similarity(gone, whole, dim=0) <= 0.99:
                chosen = torch.zeros(6, 12, dtype=torch.bool)
                chosen[layer, head] = True
                matter += 1
                fail += (shuffled()(text, chosen, 1) <= 0.99).item()
    return 0.25 < fail / matter < 0.7, f"of {matter} heads that matter, {fail} fail when shuffled"


@claim("no-single-pattern", "keeping [SEP] in place too brings a few hundredths", over="10 sentences")
def with_sep_in_place():
    """Compare the cosine with all rows shuffled but for [CLS], and but for [CLS] and [SEP]."""

    def words_shuffled(weights):
        order = torch.rand_like(weights[..., 1:-1]).argsort(dim=-1)
        return torch.cat([weights[..., :1], weights[..., 1:-1].gather(-1, order), weights[..., -1:]], dim=-1)

    torch.manual_seed(5001)
    everything = torch.ones(6, 12).bool()
    cls = mean(shuffled()(text, everything, 1).item() for text in TEXTS[:10] for _ in range(3))
    both = mean(cosine_with(words_shuffled, text) for text in TEXTS[:10] for _ in range(3))
    return 0.02 < both - cls < 0.1, f"[CLS] in place {cls:.2f}, [SEP] as well {both:.2f}"


@claim("a-little-more-alike-895", "other heads had brought weak or steep to it by then", over="7 pairs", apart=0.03)
def brought_by_four_heads():
    """Yield 1 - cosine of the two "it" of a pair after layer 2, with heads 2.1, 2.3, 2.8 and 1.7, and without them."""

    def parted(frame, words):
        read = [model()(frame.format(word)) for word in words.split()]
        it, other = (one.hidden_states[3, one.tokens.index("it")] for one in read)
        return 1 - F.cosine_similarity(it, other, dim=0).item()

    for frame, words, _ in FRAMES:
        with ablated(model().layers[1].attention, 7), ablated(model().layers[2].attention, 1, 3, 8):
            without = parted(frame, words)
        yield parted(frame, words), without
