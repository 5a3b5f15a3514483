"""Claims of the notebook positions that go beyond its outputs."""

import functools
import math

import torch
from claiming import claims_of, definitions, differences_below

from course_utils import attention, checks, properties

claim = claims_of("positions")

SPEEDS = torch.tensor([1.0, 0.1, 0.01, 0.001])


CELLS = (
    "def-sinusoids-places-speeds", "def-rotate-halves", "class-letterbefore-nn-module", "def-train-letter-before",
    "alibi-with-a-bent-reader",
)  # fmt: skip


@functools.cache
def page(change=lambda source: source):
    """Return the definitions of the notebook, a namespace; change: a function applied to each source."""
    return definitions("positions", *CELLS, change=change, rotate=checks.rotate.solution)


def without_decay(source):
    return source.replace("lr=0.01)", "lr=0.01, weight_decay=0)")


@claim(
    "places-in-the-inputs-are", "a mask, without any positions", over="20 heads of 4 lengths", quick=True, apart=0.01,
    rival="a second layer without a mask",
)  # fmt: skip
def a_mask_alone_notices():
    """Shuffle the tokens; compare how much the outputs change beyond their order, with a causal mask and without.

    The rival is a second layer without a mask.
    """
    for seed in range(20):
        torch.manual_seed(seed)
        num_tokens = (3, 6, 12, 24)[seed % 4]
        causal, plain = attention.CausalAttention(8, 8, num_tokens), attention.SelfAttention(8, 8)
        plain.load_state_dict(causal.state_dict())
        x, order = torch.randn(2, num_tokens, 8), torch.arange(num_tokens).flip(0)
        with torch.no_grad():
            moved = []
            for layers in ([causal], [plain], [plain, plain]):
                y, shuffled = x, x[:, order]
                for layer in layers:
                    y, shuffled = layer(y)[0], layer(shuffled)[0]
                moved.append((shuffled - y[:, order]).abs().max())
        yield moved


@claim(
    "the-more-it-mixes", "ten times as many make it about √10 = 3.2 times shorter.",
    over="5 texts of 4 widths, against equal tokens", quick=True, apart=1.5,
)  # fmt: skip
def a_mixture_of_many_is_short():
    """Compare the length of the mixture at token 30 with that at token 300, for different tokens and for equal ones."""
    for seed in range(5):
        torch.manual_seed(seed)
        values = torch.randn(200, 300, (8, 32, 64, 256)[seed % 4])
        ratios = []
        for tokens in (values, values[:, :1].expand_as(values)):
            length = (tokens.cumsum(dim=1) / torch.arange(1, 301)[:, None]).norm(dim=-1).mean(dim=0)
            ratios.append(length[29] / length[299])
        yield ratios


@claim(
    "what-the-longer-table-says", "its weight decay shrinks every row, read or not", over="5 trainings",
    quick=True, apart=0.005,
)  # fmt: skip
def unread_rows_shrink():
    for seed in range(5):
        torch.manual_seed(seed)
        drawn = page().LetterBefore("a table", 1.0, page().linear_read_out).table.weight[16:]
        trained = (
            each.train_letter_before("a table", steps=80 + 10 * seed, seed=seed)
            for each in (page(), page(without_decay))
        )
        yield [1 - (model.table.weight[16:].norm() / drawn.norm()).item() for model in trained]


@claim(
    "no-the-words-have-rows", "a position is counted from the first real word",
    over="20 texts after 1 to 4 padding tokens", quick=True,
)  # fmt: skip
def padding_in_front():
    """Compare context vectors after padding with those of the text alone, with positions by column and as counted."""
    worst, least = 0.0, torch.inf
    for seed in range(20):
        torch.manual_seed(seed)
        pads, num_words = 1 + seed % 4, int(torch.randint(2, 8, ()))
        table, text = torch.randn(16, 8), torch.randn(num_words, 8)
        padded = torch.cat([torch.zeros(pads, 8), text])
        is_token = torch.arange(len(padded)) >= pads
        counted = checks.left_padded_places.solution(is_token[None])[0]

        def attend(x, places, is_token, table=table):
            x = x + table[places]
            return attention.scaled_dot_product_attention(x, x, x, is_token[None])[0]

        alone = attend(text, torch.arange(num_words), is_token[pads:])
        worst = max(worst, (attend(padded, counted, is_token)[pads:] - alone).abs().max().item())
        by_column = attend(padded, torch.arange(len(padded)), is_token)[pads:]
        least = min(least, (by_column - alone).abs().max().item())
    return worst < 1e-5 and least > 0.01, f"counted: at most {worst:.1e} apart; by column: at least {least:.2f}"


@claim("no-longer-the-matrices-mix", "in equal parts", over="20 pairs of matrices", quick=True, apart=0.1)
def after_matrices_the_position_counts():
    """Measure how much the scores of one distance vary over positions, as a part of how much all scores vary.

    Yield the smaller number of two matrices of a head and of their diagonals, which mix nothing, and the number of one
    rotation for both, which mixes everything and keeps the products.
    """
    rows = page().sinusoids(torch.arange(200), SPEEDS)

    def varies(to_queries, to_keys):
        scores = (rows @ to_queries) @ (rows @ to_keys).T
        return (scores.diagonal(2).std() / scores.std()).item()

    for seed in range(20):
        torch.manual_seed(seed)
        head = attention.SelfAttention(8, 8)
        pair = [layer.weight.detach().T for layer in (head.W_query, head.W_key)]
        rotation = torch.linalg.qr(torch.randn(8, 8)).Q
        yield min(varies(*pair), varies(*(x.diag().diag() for x in pair))), varies(rotation, rotation)


@claim(
    "the-weights-stay-as-they", "The weights stay as they were, wherever the text stands.",
    over="10 texts, moved by 1 to 5,000 positions", quick=True,
)  # fmt: skip
@differences_below(0.002)
def rotary_weights_do_not_move():
    for seed in range(10):
        torch.manual_seed(seed)
        queries, keys, values = torch.randn(3, 12, 8)
        found = []
        for first in (0, 1, 50, 500, 5000):
            places = torch.arange(first, first + 12)
            rotated = (page().rotate(x, places, SPEEDS) for x in (queries, keys))
            found.append(attention.scaled_dot_product_attention(*rotated, values)[1])
        yield torch.stack(found) - found[0]


@claim(
    "four-pairs-four-speeds", "Each is rotated at its own frequency, as the hands before.",
    over="200 drawn cases, against a loop over tokens and pairs", quick=True,
)  # fmt: skip
@differences_below(1e-5)
def rotated_as_a_loop_rotates():
    for seed in range(200):
        torch.manual_seed(seed)
        pairs, num_tokens = 1 + seed % 5, 1 + seed % 7
        x, speeds = torch.randn(1 + seed % 2, 1 + seed % 3, num_tokens, 2 * pairs), torch.rand(pairs)
        places, plain = torch.randint(0, 30, (num_tokens,)), torch.empty_like(x)
        for n, place in enumerate(places.tolist()):
            for pair, speed in enumerate(speeds.tolist()):
                first, second = x[..., n, 2 * pair], x[..., n, 2 * pair + 1]
                cos, sin = math.cos(place * speed), math.sin(place * speed)
                plain[..., n, 2 * pair] = first * cos - second * sin
                plain[..., n, 2 * pair + 1] = first * sin + second * cos
        yield page().rotate(x, places, speeds) - plain


@claim(
    "either-custom-is-good", "Either convention works: the score depends on the distance alone.",
    over="20 heads of 4 widths", quick=True,
)  # fmt: skip
def both_conventions_know_the_distance_alone():
    right, least = 0, torch.inf
    for seed in range(20):
        torch.manual_seed(seed)
        head_dim = (4, 8, 32, 64)[seed % 4]
        (queries, keys), speeds = torch.randn(2, 1, 9, head_dim), 10000 ** (-torch.arange(0, head_dim, 2) / head_dim)

        def scores_at(places, way, queries=queries, keys=keys, speeds=speeds):
            return way(queries, places, speeds) @ way(keys, places, speeds).transpose(-2, -1)

        ways = page().rotate, page().rotate_halves
        right += sum(properties.distance_alone(functools.partial(scores_at, way=way), 9) for way in ways)
        two = (scores_at(torch.arange(9), way=way) for way in ways)
        least = min(least, torch.dist(*two).item())
    return (
        right == 40 and least > 1,
        f"{right} of 40 depend on the distance alone; the two are at least {least:.1f} apart",
    )


@claim(
    "three-of-five-stay", "A score then has products of a word with a row, and in these a position counts by itself",
    over="20 texts, sinusoids without matrices: added to words, and alone", quick=True, apart=0.1,
)  # fmt: skip
def words_make_the_position_count():
    """Move a text on by two positions; yield how far its scores move, as a part of the largest, with words and without.

    No matrix is used: the rows are compared as they are.
    """
    for seed in range(20):
        torch.manual_seed(seed)
        found = []
        for words in (torch.randn(3 + seed % 6, 8), torch.zeros(3 + seed % 6, 8)):
            places = torch.arange(len(words))
            scores, moved = ((x @ x.T) for x in (words + page().sinusoids(places + by, SPEEDS) for by in (0, 2)))
            found.append((moved - scores).abs().max() / scores.abs().max())
        yield found


@claim(
    "no-the-words-have-rows", "Rotary and ALiBi come to no harm", over="20 texts after 1 to 4 padding tokens",
    quick=True, apart=0.05,
)  # fmt: skip
def padding_does_relative_ways_no_harm():
    """Compare how far padding in front moves the outputs with a table, and with rotary or ALiBi at the most."""
    for seed in range(20):
        torch.manual_seed(seed)
        pads, num_words = 1 + seed % 4, 2 + seed % 6
        columns, found = torch.arange(pads + num_words), {}
        x, table, head = torch.randn(len(columns), 8), torch.randn(16, 8), attention.SelfAttention(8, 8)
        for cut in (0, pads):  # with padding, and without
            mask = ((columns >= pads) & attention.causal_mask(len(columns)))[cut:, cut:]
            places = columns[: len(columns) - cut]
            with torch.no_grad():
                for way in ("a table", "rotary", "ALiBi"):
                    inputs = x[cut:] + table[places] if way == "a table" else x[cut:]
                    q, k, v = (part(inputs)[None, None] for part in (head.W_query, head.W_key, head.W_value))
                    if way == "rotary":
                        q, k = (page().rotate(part, places, SPEEDS) for part in (q, k))
                    scores = q @ k.transpose(-2, -1)
                    if way == "ALiBi":
                        scores = checks.alibi.solution(scores, torch.tensor([0.5]))
                    outputs = attention.softmax(scores.masked_fill(~mask, -torch.inf)) @ v
                    found.setdefault(way, []).append(outputs[..., -num_words:, :])
        moved = {way: torch.dist(*outputs) for way, outputs in found.items()}
        yield moved["a table"], max(moved["rotary"], moved["ALiBi"])


@claim(
    "recap-1-without-places-and",
    "A causal mask alone can tell how far a token is from the start, if the first token is marked.",
    over="5 lengths, the correlation of 1/output with the position", quick=True, apart=0.9,
    rival="a mark without a mask",
)  # fmt: skip
def a_mask_and_a_mark_count():
    for num_tokens in (10, 30, 100, 300, 1000):
        mask, mark = attention.causal_mask(num_tokens), (torch.arange(num_tokens) == 0).double()
        found = []
        for opened, values in ((mask, mark), (mask, torch.ones_like(mark)), (torch.ones_like(mask), mark)):
            outputs = (opened.double() / opened.sum(dim=-1, keepdim=True)) @ values
            alike = torch.corrcoef(torch.stack([1 / outputs, torch.arange(num_tokens).double()]))[0, 1]
            found.append(alike.nan_to_num(0.0) if (1 / outputs).std() > 1e-9 else 0.0)
        yield found


@claim(
    "recap-1-without-places-and",
    "of two positions, only the relative position is left.",
    over="20 heads, 1 less how far a step of 37 positions moves the scores", quick=True, apart=0.2,
    rival="the inputs rotated before the matrices",
)  # fmt: skip
def only_the_distance_is_left():
    for seed in range(20):
        torch.manual_seed(seed)
        x, head = torch.randn(1, 6, 8), attention.SelfAttention(8, 8)
        rows = page().sinusoids

        def kept(scores_at):
            scores, moved = (scores_at(torch.arange(6) + by) for by in (0, 37))
            return 1 - ((moved - scores).norm() / scores.norm()).item()

        def scores(inputs, rotated=lambda part: part, head=head):
            return rotated(head.W_query(inputs)) @ rotated(head.W_key(inputs)).transpose(-2, -1)

        with torch.no_grad():
            yield (
                kept(lambda places, x=x, scores=scores: scores(x, lambda part: page().rotate(part, places, SPEEDS))),
                kept(lambda places, x=x, scores=scores, rows=rows: scores(x + rows(places, SPEEDS))),
                kept(lambda places, x=x, scores=scores: scores(page().rotate(x, places, SPEEDS))),
            )


@claim("44-is-nearly-seven-times", "A second hand, ten times slower, tells the two apart.", over="")
def a_second_hand_tells_44_from_0():
    one, two = (page().sinusoids(torch.tensor([0, 44]), SPEEDS[:hands]) for hands in (1, 2))
    apart = [(rows[0] - rows[1]).norm().item() for rows in (one, two)]
    return apart[0] < 0.02 and apart[1] > 1, f"apart with one hand {apart[0]:.3f}, with two {apart[1]:.3f}"
