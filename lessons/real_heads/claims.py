"""Claims of the notebook real_heads that go beyond its outputs."""

import functools
import itertools

import torch
import torch.nn.functional as F
from claiming import claims_of, definitions

from course_utils import attention, checks, data
from course_utils.models import minilm
from course_utils.models.ablation import ablated

claim = claims_of("real_heads")

TEXTS = """The train to the coast was late again this morning.
She put the letters into a drawer and locked it.
Most birds in this valley fly south before winter comes.
The committee will publish its report in the spring.
A boy found an old coin under the bridge.
Nobody knew why the lights of the tower went out.
My neighbour sells honey from her own bees.
The river rises when the snow in the mountains melts.
He played the piano for an hour after dinner.
Two of the windows were broken by the storm.
The museum opens at nine and closes at five.
Fresh bread smells better than any flower.
The doctor asked the patient how long it had hurt.
We walked along the beach until it became dark.
This engine needs oil before it can run.
The students wrote their names on the first page.
An apple a day is said to keep the doctor away.
The old clock in the hall has stopped.
They painted the door of the barn in a bright red.
Rain fell on the city for three days.
The soup was hot, so the girl did not eat it.
The children of the village sang in the square.
A bird on the roof of the house was singing.
The cup fell from the table, but it did not break.
The king of the island lived in a castle.
He read the book because it was short.
They could not open the door, for it was locked.
The keys to the cabinet are in the box.
Because of the rain the game on Sunday was cancelled.
The smell of the soup came from the kitchen.
A friend of mine lives in a house by the sea.
The dog chased a cat, but it was too slow.
It could be a sign of rain.
The cat slept on the chair, and then it woke.
The farmer looked for the sheep in the fog.
A piece of the puzzle was lost.
The story of a king and a horse was read to us.
For a year the shop in the street was closed.
She could not find it because of the dark.
The road to the farm was covered with snow.""".splitlines()

FRAMES = [
    ("The robot could not climb the hill because it was too {}.", "weak steep", "robot hill"),
    ("The cat did not swim across the river because it was too {}.", "sleepy deep", "cat river"),
    ("The truck could not climb the mountain because it was too {}.", "heavy steep", "truck mountain"),
    ("The animal did not drink the water because it was too {}.", "shy cold", "animal water"),
    ("The horse could not jump over the fence because it was too {}.", "lazy high", "horse fence"),
    ("The boy could not climb the ladder because it was too {}.", "tired high", "boy ladder"),
    ("The dog could not swim through the lake because it was too {}.", "tired cold", "dog lake"),
]  # in each, head 3.1 moves from the first noun to the second


def model(kept=[]):  # noqa: B006 (the default list caches the model)
    if not kept:
        kept.append(minilm.load())
    return kept[0]


# Return the sentence vector of a text: the mean of its last hidden states. choices: passed to the model.
def vec(text, **choices):
    return model()(text, **choices).hidden_states[-1].mean(dim=0)


# Return the cosine of a text's sentence vectors without and with these choices.
def alike(text, **choices):
    return F.cosine_similarity(vec(text), vec(text, **choices), dim=0).item()


def on(text, token=0, **choices):
    """Return the mean weight, 0 to 1, that the other tokens of a text give to one token in layers 1 to 5.

    token: its index. choices: keyword arguments of the model.
    """
    found = model()(text, **choices).attn_weights[1:]
    return found[:, :, [row for row in range(found.shape[-1]) if row != token], token].mean().item()


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers)


# Return a function from a word to the weight that "it" gives to it in this head.
def row(text, layer=3, head=1):
    found = model()(text)
    weights = found.attn_weights[layer, head, found.tokens.index("it")]
    return lambda word: weights[found.tokens.index(word)].item()


# Return how far the row of "it" moves from the first noun to the second when the adjective changes.
def flip(frame, words, nouns):
    first, second = (row(frame.format(word)) for word in words.split())
    noun, other = nouns.split()
    return first(noun) - first(other) - second(noun) + second(other)


def flips_without(heads, layer=2):
    with ablated(model().layers[layer].attention, *heads):
        return [flip(*frame) for frame in FRAMES]


@claim("it-is-mainly-place-0", "Either is enough: the position, or the token.", over="10 sentences", apart=0.15)
def place_or_token():
    """Yield the weight on the sink with only the place or only the token [CLS], whichever is less, and with neither."""
    for text in TEXTS[:10]:
        inside = " ".join([*text.split()[:3], "[CLS]", *text.split()[3:]])
        at = model()(inside, without=[0]).tokens.index("[CLS]")
        tokens = on(text, first_place=1), on(text, first_place=20), on(inside, at, without=[0], first_place=1)
        yield min(on(text, without=[0]), *tokens), on(text, without=[0], first_place=1)


@claim("it-is-mainly-place-0", "Hide another token, and far less changes on average.", over="10 sentences", apart=0.15)
def only_one_key_is_needed():
    """Yield the cosine to the whole with another token than the first hidden, on average, and with the first hidden."""
    for text in TEXTS[:10]:
        others = range(1, len(model()(text).tokens))
        yield mean(alike(text, hidden=[key]) for key in others), alike(text, hidden=[0])


@claim("the-token-or-its-place", "the cosine of these vectors is about 0.1 on average", over="20 sentences")
def sentences_differ():
    vecs = F.normalize(torch.stack([vec(text) for text in TEXTS[:20]]), dim=-1)
    average = (vecs @ vecs.T)[~torch.eye(20).bool()].mean().item()
    return round(average, 1) == 0.1, f"{average:.3f}"


@claim("why-a-sink-is-needed", "1 / (1 − s) times as much", over="72 heads, 10 sentences", quick=True)
def louder():
    """Compare in each head what the other keys contribute with the sink open and closed, on the model's own inputs."""
    largest = 0
    for text in TEXTS[:10]:
        read = model()(text)
        for layer, x, weights in zip(model().layers, read.hidden_states[:-1], read.attn_weights, strict=True):
            values = attention.split_heads(layer.attention.W_value(x), 12)
            others = weights[..., 1:] @ values[:, 1:]
            mask = torch.ones(len(x), len(x)).bool()
            mask[:, 0] = False
            closed = layer.attention(x, mask=mask)[1] @ values
            share = weights[..., :1]
            chosen = (share < 0.99).expand_as(closed)
            largest = max(largest, ((closed * (1 - share) - others).abs() / others.abs().max())[chosen].max().item())
    return largest < 1e-4, f"largest difference {largest:.1e} of the largest number"


# Return the cosine to the whole when `change` has changed the weights of all heads, a tensor (1, 12, rows, columns).
def cosine_with(change, text):
    def after(attend, args, output):
        weights, values = change(output[1]), attention.split_heads(attend.W_value(args[0]), 12)
        return attend.out_proj(attention.merge_heads(weights @ values)), output[1]

    whole, hooks = vec(text), [layer.attention.register_forward_hook(after) for layer in model().layers]
    try:
        return F.cosine_similarity(vec(text), whole, dim=0).item()
    finally:
        for hook in hooks:
            hook.remove()


@claim(
    "why-a-sink-is-needed", "Take the term away without that division, and the cosine stays at 0.99",
    over="20 sentences", apart=0.2,
)  # fmt: skip
def its_share_is_needed():
    """Compare the cosine when [CLS] delivers nothing: all other weights stay, or each row adds up to 1 again."""
    return [(cosine_with(without_cls, text), alike(text, hidden=[0])) for text in TEXTS[:20]]


def without_cls(weights):
    return weights.index_fill(-1, torch.tensor(0), 0)


@claim("from-layer-1-on-the", "In one head of layer 0 and in one of layer 3 it is about as long", over="10 sentences")
def two_exceptions():
    """Measure the heads' values of [CLS] beside those of words: all but head 0.3 and head 3.11 are far shorter."""
    sizes = []
    for text in TEXTS[:10]:
        for layer, x in zip(model().layers, model()(text).hidden_states[:-1], strict=True):
            length = attention.split_heads(layer.attention.W_value(x), 12).norm(dim=-1)
            sizes.append(length[:, 0] / length[:, 1:-1].mean(dim=-1))
    sizes = torch.stack(sizes).view(10, 6, 12)
    two, rest = sizes[:, [0, 3], [3, 11]], sizes.clone()
    rest[:, [0, 3], [3, 11]] = 0
    found = f"heads 0.3 and 3.11: {two.min():.2f} to {two.max():.2f}; the longest other in layers 1 to 5: "
    return two.min() > 0.8 and rest[:, 1:].max() < 0.5, f"{found}{rest[:, 1:].max():.2f}"


@claim("head-2-9-finds-it", "Head 2.9 finds them.", over="6 texts that repeat words", quick=True)
def copies():
    texts = """red blue green red blue green red blue green
Anna likes tea and Anna likes cake and Anna likes jam
a dog barked, so a second dog barked, and a third dog barked
Rain fell, snow fell, rain fell, snow fell.
The king saw the queen, and the queen saw the king.
one two three four one two three four""".splitlines()
    best = []
    for text in texts:
        read = model()(text)
        scores = checks.pattern_scores.solution(read.attn_weights, checks.same_pattern.solution(read.tokens))
        best.append((divmod(scores.argmax().item(), 12), round(scores.max().item(), 2)))
    return all(place == (2, 9) for place, _ in best), str(best)


@claim("why-no-induction-here", "no head does it", over="10 lists of words")
def no_induction():
    words = (
        "apple river chair music green stone window paper horse cloud bread silver garden doctor winter yellow".split()
    )
    behind = []
    for seed in range(10):
        torch.manual_seed(seed)
        chosen = [words[i] for i in torch.randperm(len(words))[:12]]
        weights = model()(" ".join(chosen * 2)).attn_weights
        behind.append(weights[:, :, torch.arange(13, 24), torch.arange(2, 13)].mean(dim=-1))
    most = torch.stack(behind).mean(dim=0).max().item()
    return most < 0.08, f"the best of 72 heads gives {most:.3f}, an even share is {1 / 26:.3f}"


@claim("three-ropes", "without all three its flip is down to 0.19", over="7 pairs")
def without_all_three():
    """Measure how much of the flip is left without heads 1, 3 and 8 of layer 2, and without three other heads."""
    whole, without = flips_without([]), flips_without([1, 3, 8])
    others = [flips_without(heads) for heads in ([0, 2, 4], [5, 6, 7], [9, 10, 11])]
    found = (
        f"{[round(x, 2) for x in whole]} → {[round(x, 2) for x in without]}; others leave {mean(map(mean, others)):.2f}"
    )
    return min(whole) > 0.25 and max(without) < 0.2 and mean(map(mean, others)) > 0.75 * mean(whole), found


@claim("three-ropes", "without it neither pair flips less", over="7 pairs")
def a_suspect_without_guilt():
    """Measure how much less the pairs flip without head 1.7, which gives half of its attention to the last word."""
    whole, without = flips_without([]), flips_without([7], layer=1)
    less = [one - other for one, other in zip(whole, without, strict=True)]
    return max(less) < 0.05 and max(less[:2]) < 0, f"moved less by {[round(x, 2) for x in less]}"


@claim("three-ropes", "They share the work", over="220 triples of layer 2")
def the_worst_of_all_triples():
    """Find the three heads of layer 2 without which the first pair flips least, among all triples."""
    worst = []
    for frame in FRAMES[:1]:
        found = {}
        for heads in itertools.combinations(range(12), 3):
            with ablated(model().layers[2].attention, *heads):
                found[heads] = flip(*frame)
        worst.append(min(found, key=found.get))
    return worst == [(1, 3, 8)], str(worst)


@claim("words-and-roles", "whatever the hill does", over="8 frames")
def robot_and_hill():
    """Check with robot and hill in swapped roles that weak still leads to robot and steep to hill."""
    verbs = "could not climb|did not reach|could not cross|was afraid of|did not go up|could not get over|did not like"
    kept = []
    for verb in [*verbs.split("|"), "could not leave"]:
        weak, steep = (row(f"The hill {verb} the robot because it was too {word}.") for word in ("weak", "steep"))
        kept.append(weak("robot") > weak("hill") and steep("hill") > steep("robot"))
    return all(kept), f"{sum(kept)} of {len(kept)} keep weak → robot, steep → hill"


@claim("the-head-with-the-clearest", "Nine of the strongest ten are in layer 5", over="5 sentences")
def next_to_the_exit():
    """Silence each head and count how many of the ten that move the sentence vector most are in layer 5."""
    many, stronger = [], []
    for sentence in list(data.load("sentence_pairs").values())[:5]:
        whole, turned = vec(sentence.text), torch.zeros(6, 12)
        for layer, head in itertools.product(range(6), range(12)):
            with ablated(model().layers[layer].attention, head):
                turned[layer, head] = 1 - F.cosine_similarity(whole, vec(sentence.text), dim=0)
        many.append((turned.flatten().topk(10).indices >= 60).sum().item())
        stronger.append((turned > turned[3, 1]).sum().item())
    return many[0] == 9 and min(many) >= 7 and min(stronger) >= 10, f"in layer 5: {many}; stronger than 3.1: {stronger}"


@functools.cache
def shuffled():
    """Return the page's function for shuffled rows, cosine_shuffled(text, chosen, first)."""
    names = {"model": model(), "sentence_vec": vec}
    return definitions("real_heads", "shuffle-the-rows", **names).cosine_shuffled


@claim("no-single-pattern", "can then be shuffled, and hardly anything happens", over="5 sentences")
def one_head_shuffled():
    torch.manual_seed(0)
    heads = torch.eye(72).bool().view(72, 6, 12)[::3]
    found = [mean(shuffled()(text, chosen, 1).item() > 0.99 for chosen in heads) for text in TEXTS[:5]]
    return min(found) > 0.8, f"share of heads above 0.99: {found}"


@claim("no-single-pattern", "Half of the fall, or more, was the sink's", over="8 sentences", apart=0.12)
def half_is_the_sink():
    """Yield the cosine with all rows shuffled but for the column of [CLS], and with all columns shuffled."""
    torch.manual_seed(0)
    everything = torch.ones(6, 12).bool()
    for text in TEXTS[:8]:
        yield tuple(mean(shuffled()(text, everything, first) for _ in range(3)) for first in (1, 0))
