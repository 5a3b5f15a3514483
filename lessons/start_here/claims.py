"""Claims of the notebook start_here that go beyond its outputs."""

import functools
import itertools

import torch
from claiming import claims_of

from course_utils import attention, data
from course_utils.models import minilm, smollm

claim = claims_of("start_here")

LAYER, HEAD = 3, 1

# (sentence, two nouns, two adjectives): "it" means the first noun with the first adjective, the second with the second.
PAIRS = [
    ("The horse could not climb the mountain because it was too {}.", "horse", "mountain", "tired", "steep"),
    ("The dog did not swim across the lake because it was too {}.", "dog", "lake", "lazy", "deep"),
    ("The horse did not swim across the river because it was too {}.", "horse", "river", "tired", "wide"),
    ("The trophy did not fit into the suitcase because it was too {}.", "trophy", "suitcase", "big", "small"),
    ("The book did not fit into the bag because it was too {}.", "book", "bag", "large", "small"),
    ("The ball did not fit into the box because it was too {}.", "ball", "box", "big", "small"),
    ("The animal could not cross the street because it was too {}.", "animal", "street", "tired", "wide"),
    ("The truck could not cross the bridge because it was too {}.", "truck", "bridge", "heavy", "weak"),
    ("The crane could not lift the car because it was too {}.", "crane", "car", "weak", "heavy"),
    ("The donkey could not jump over the fence because it was too {}.", "donkey", "fence", "weak", "high"),
    ("The ship could not enter the harbor because it was too {}.", "ship", "harbor", "big", "small"),
    ("The key did not fit the lock because it was too {}.", "key", "lock", "big", "small"),
    ("The truck did not go under the bridge because it was too {}.", "truck", "bridge", "high", "low"),
    ("The camel could not cross the desert because it was too {}.", "camel", "desert", "old", "hot"),
    ("The boy could not climb the tree because it was too {}.", "boy", "tree", "weak", "tall"),
    ("The snake could not cross the road because it was too {}.", "snake", "road", "slow", "wide"),
    ("The sheep did not jump over the wall because it was too {}.", "sheep", "wall", "lazy", "high"),
    ("The table did not go into the room because it was too {}.", "table", "room", "wide", "narrow"),
    ("The cow did not drink from the lake because it was too {}.", "cow", "lake", "tired", "cold"),
    ("The bird could not leave the cage because it was too {}.", "bird", "cage", "fat", "small"),
    ("The boat could not pass the channel because it was too {}.", "boat", "channel", "wide", "narrow"),
    ("The fox could not reach the nest because it was too {}.", "fox", "nest", "tired", "high"),
]
SENTENCES = [
    "A cold icy wind blew in.",
    "She read the letter twice before she burned it.",
    "Birds sing early in the morning.",
    "The old man walked slowly to the small shop.",
    "We bought bread, milk and three apples.",
    "My sister plays the piano every evening.",
    "The train was late because of the snow.",
    "Nobody knew who had opened the door.",
    "Water boils at a lower temperature in the mountains.",
    "He forgot his keys and had to wait outside.",
]


@functools.cache
def read(sentence):
    """Return the model's output for a sentence, with tokens and attn_weights."""
    return model()(sentence)


@functools.cache
def model():
    return minilm.load()


def at(sentence, word):
    return sentence.tokens.index(word)


def leaning(sentence, first, second):
    """Return how much more weight "it" gives the first noun than the second in each head, (layers, num_heads).

    sentence: a data.Sentence or minilm.Encoded. first, second: the nouns, among its tokens.
    """
    row = sentence.attn_weights[:, :, at(sentence, "it")]
    return row[..., at(sentence, first)] - row[..., at(sentence, second)]


@claim(
    "this-time-the-weights-do", "In most of them, 18, the larger weight did not move to the other noun", over="22 pairs"
)
def seldom_turns():
    turned = [pair[1] for pair in PAIRS if turns(*pair)]
    return turned == ["horse", "camel", "cow", "fox"], f"it turned in {len(turned)} of {len(PAIRS)}: {' '.join(turned)}"


def turns(frame, first, second, one, other):
    """Return whether the head's larger weight moves from the first noun to the second, from one adjective to another.

    frame: a sentence with {} for the adjective. first, second: the nouns. one, other: the adjectives.
    """
    leans = [leaning(read(frame.format(word)), first, second)[LAYER, HEAD].item() for word in (one, other)]
    return leans[0] > 0 > leans[1]


@claim(
    "this-time-the-weights-do",
    "with swim across, the weight did not move from horse to river; with cross, it does",
    over="",
    quick=True,
)
def the_verb_counts():
    frames = PAIRS[2][0], PAIRS[2][0].replace("swim across", "cross")
    found = [turns(frame, *PAIRS[2][1:]) for frame in frames]
    return found == [False, True], f"swim across, cross: {found}"


@claim(
    "with-weak-it-takes-53", "because this model reads the whole sentence before it answers", over="6 pairs", apart=0.1,
    rival="its layers four times, each token seeing itself and those before it",
)  # fmt: skip
def only_a_reader_of_the_whole_sentence_turns():
    for frame, *_, one, other in PAIRS[:6]:
        pair = frame.format(one), frame.format(other)
        yield change_of_it(*pair, causal=False), change_of_it(*pair, causal=True), change_of_it(*pair, True, times=4)


def change_of_it(one, other, causal, times=1):
    """Return by how much the weights that "it" gives change at most between two sentences, in any head.

    causal: whether each token may look at itself and those before it alone. times: how often the layers are run.
    """
    rows = []
    for sentence in (one, other):
        encoding = model().tokenizer.encode(sentence)
        x, weights = model()._embed(torch.tensor(encoding.ids), 0), []
        for layer in list(model().layers) * times:
            x, attn_weights = layer(x, attention.causal_mask(len(encoding.ids)) if causal else None)
            weights.append(attn_weights[:, encoding.tokens.index("it")])
        rows.append(torch.stack(weights))
    return (rows[0] - rows[1]).abs().max().item()


@claim(
    "we-chose-layer-3-head",
    "its weight moves from robot to hill more clearly than that of the other 71",
    over="",
    quick=True,
)
def clearest_of_all():
    weak, steep = (data.load("sentence_pairs")[word] for word in ("weak", "steep"))
    moved = leaning(weak, "robot", "hill") - leaning(steep, "robot", "hill")
    best, second = moved.flatten().topk(2).values
    chosen = moved.flatten().argmax().item() == LAYER * moved.shape[1] + HEAD
    return chosen, f"the weights move by {best:.2f} in this head, by {second:.2f} in the next"


@claim(
    "go-on-a-hunt-in", "in layer 0 there is a head in which every token but the first looks at the token before it",
    over="10 sentences",
)  # fmt: skip
def looks_one_back():
    lowest = min(read(s).attn_weights[0, 2].diagonal(offset=-1).min().item() for s in SENTENCES)
    return lowest > 0.95, f"head 2 of layer 0 gives the token before at least {lowest:.3f}"


@claim("go-on-a-hunt-in", "the lowest of the layer", over="10 sentences")
def most_decided():
    lowest = []
    for sentence in SENTENCES:
        weights = read(sentence).attn_weights[0]
        lowest.append(torch.special.entr(weights).sum(-1).mean(-1).argmin().item())
    return set(lowest) == {2}, f"the head of the lowest entropy: {lowest}"


@claim(
    "in-layer-2-it-takes",
    "it gives more than half of its weight in that head to the last word",
    over="6 sentences",
    quick=True,
)
def the_last_word_is_taken_up():
    given = []
    for word, sentence in data.load("sentence_pairs").items():
        given.append(sentence.attn_weights[2, 1, at(sentence, "it"), at(sentence, word)].item())
    return min(given) > 0.5, " ".join(f"{share:.2f}" for share in given)


@claim("your-turn-1-minute-it", "A row and a column of a heatmap need not agree", over="10 sentences")
def rows_and_columns_differ():
    gaps = []
    for sentence in SENTENCES:
        weights = read(sentence).attn_weights[LAYER, HEAD]
        gaps.append((weights - weights.transpose(-2, -1)).abs().max().item())
    return min(gaps) > 0.1, f"the largest difference between the two directions: {min(gaps):.2f} to {max(gaps):.2f}"


@claim(
    "same-shape-other-order-view", "Attention code can take one for the other and run on, with wrong numbers",
    over="6 sizes, 5 seeds each", quick=True,
)  # fmt: skip
def a_view_for_a_transpose_runs_on():
    """Split heads with one `view`, without the `transpose`, and compare the notes with those of the right split."""
    apart = []
    for seed, num_heads, num_tokens in itertools.product(range(5), (2, 4), (2, 5, 9)):
        torch.manual_seed(seed)
        x = torch.randn(1, num_tokens, 12)
        right, wrong = attention.split_heads(x, num_heads), x.view(1, num_heads, num_tokens, -1)
        notes = [attention.scaled_dot_product_attention(heads, heads, heads)[0] for heads in (right, wrong)]
        apart.append((notes[0] - notes[1]).abs().max().item())
    return min(apart) > 0.1, f"no error; the notes differ by {min(apart):.2f} to {max(apart):.2f}"


@claim("in-words-1-to-3", "it wrote: far away", over="", quick=True)
def a_language_model_goes_on():
    written = "".join(smollm.load().write("The robot could not climb the hill because it was too", num_new=3))
    return written == " far away.", repr(written)
