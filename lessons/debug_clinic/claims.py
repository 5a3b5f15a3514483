"""Claims of the notebook debug_clinic that go beyond its outputs."""

import inspect
from functools import cache

import torch
import torch.nn.functional as F
from claiming import claims_of

from course_utils import attention, checks, properties
from course_utils.models import induction

claim = claims_of("debug_clinic")

SEEDS = range(1, 6)
torch.set_num_threads(1)  # steady, also where cores are shared


# Return a function that attends with three matrices; the options put one bug each into it.
def head(matrices, mask, *, root=3, fill=-torch.inf, dim=-1, deliver=2, swap=False):
    def attend(x):
        qkv = [x @ matrix for matrix in matrices]
        queries, keys = qkv[1::-1] if swap else qkv[:2]
        attn_scores = (queries @ keys.transpose(-2, -1) / root**0.5).masked_fill(~mask, fill)
        attn_weights = torch.softmax(attn_scores, dim=dim)
        return attn_weights @ qkv[deliver], attn_weights

    return attend


def passes(attend, x):
    vectors, attn_weights = attend(x)
    return (
        bool(vectors.isfinite().all())
        and properties.rows_sum_to_one(attn_weights)
        and properties.samples_independent(attend, x)
        and properties.no_leak(attend, x)
    )


# Return the notebook's ten broken heads by name, of which the first six pass its four properties.
def ten_heads(matrices):
    full = attention.causal_mask(5)
    below = full.tril(-1)
    below[0, 0] = True
    bugs = {
        "itself left out": {"mask": below}, "two back": {"mask": full.triu(-2)}, "no root": {"root": 1},
        "root of num_tokens": {"root": 5}, "keys": {"deliver": 1}, "swapped": {"swap": True}, "filled": {"fill": 0.0},
        "columns": {"dim": -2}, "batch": {"dim": 0}, "too far": {"mask": torch.ones(5, 5).tril(1).bool()},
    }  # fmt: skip
    return {name: head(matrices, **{"mask": full} | bug) for name, bug in bugs.items()}


# Return a table that is True where one of the texts shows that a token moves an output.
def seen_in(texts, attend):
    return torch.stack([checks.who_sees.solution(lambda x: attend(x)[0], text) for text in texts]).any(dim=0)


# Return new matrices and texts of a head, all random.
def drawn(num_texts):
    return [torch.randn(4, 3) for _ in range(3)], torch.randn(num_texts, 5, 4)


@claim("closing-is-invisible", "Six pass.", over="20 seeds", quick=True)
def six_of_ten():
    found = []
    for seed in range(20):
        torch.manual_seed(seed)
        matrices, x = drawn(2)
        found.append(sum(passes(attend, x) for attend in ten_heads(matrices).values()))
    return set(found) == {6}, f"of ten bugs {sorted(set(found))} pass"


@claim("closing-is-invisible", "It finds the two that closed too much.", over="20 seeds", quick=True)
def who_sees_finds_two():
    found = set()
    for seed in range(20):
        torch.manual_seed(seed)
        matrices, texts = drawn(10)
        six = list(ten_heads(matrices).items())[:6]
        found.add(", ".join(name for name, attend in six if not seen_in(texts, attend).equal(attention.causal_mask(5))))
    return found == {"itself left out, two back"}, f"it finds {found}"


@claim(
    "closing-is-invisible",
    "A comparison shows that, if no two lengths are equal.",
    over="5 seeds, 6 lengths",
    quick=True,
)
def one_length_may_hide_it():
    """Compare sound heads with the right one, head_dim 3: with three tokens their number has the same root."""
    hidden = set()
    for seed in range(5001, 5006):
        torch.manual_seed(seed)
        matrices, _ = drawn(1)
        for num_tokens in (2, 3, 4, 5, 7, 12):
            x, mask = torch.randn(2, num_tokens, 4), attention.causal_mask(num_tokens)
            right = head(matrices, mask)(x)[0]
            others = {"no root": {"root": 1}, "root of num_tokens": {"root": num_tokens}, "swapped": {"swap": True}}
            for name, bug in others.items():
                if torch.allclose(head(matrices, mask, **bug)(x)[0], right, atol=1e-5):
                    hidden.add((name, num_tokens))
    return hidden == {("root of num_tokens", 3)}, f"not seen: {hidden}"


# Return how many of the open cells of 20 sound heads do not show in some texts, each head with texts of its own.
def cells_not_seen(num_texts, size):
    missing, full = 0, attention.causal_mask(5)
    for _ in range(20):
        matrices, texts = drawn(num_texts)
        missing += (full & ~seen_in(size * texts, head(matrices, full))).sum().item()
    return missing


@claim(
    "a-hole-that-moves", "Where softmax gives nearly all to one key, the others hardly move the output.",
    over="5 seeds of 20 heads", quick=True, apart=10,
)  # fmt: skip
def sharp_rows_hide_cells():
    for seed in SEEDS:
        torch.manual_seed(seed)
        yield cells_not_seen(1, size=2), cells_not_seen(1, size=0.5)


@claim(
    "a-hole-that-moves", "A hole that moves from text to text is no hole in the mask.", over="5 seeds of 20 heads",
    quick=True, apart=10,
)  # fmt: skip
def ten_texts_show_all():
    for seed in SEEDS:
        torch.manual_seed(seed)
        yield cells_not_seen(1, size=2), cells_not_seen(10, size=2)


@claim("fresh-kernel", "It does not look into a function within it, such as a lambda.", over="3 functions", quick=True)
def inspect_stays_outside():
    def inner(x):
        def read():
            return x * SEEDS

        return read()

    outside = inspect.getclosurevars(lambda x: x * SEEDS).globals
    within = [inner, lambda x: (lambda: x * SEEDS)(), lambda x: sum(x * SEEDS for _ in range(2))]
    found = [sorted(inspect.getclosurevars(function).globals) for function in within]
    return [*outside] == ["SEEDS"] and found == [[], [], []], f"read outside {[*outside]}, read within {found}"


@claim("closing-is-invisible", "A head that closes too much leaks nothing", over="60 masks of 3 sizes", quick=True)
def closing_leaks_nothing():
    leaks = 0
    for seed in range(60):
        torch.manual_seed(seed)
        size = (4, 6, 9)[seed % 3]
        mask = attention.causal_mask(size) & ((torch.rand(size, size) < 0.5) | torch.eye(size).bool())
        matrices = [torch.randn(4, 3) for _ in range(3)]
        leaks += not properties.no_leak(head(matrices, mask), torch.randn(2, size, 4))
    return leaks == 0, f"{leaks} of 60 masks with random cells closed leak"


@claim("all-four-where-all-rows", "On ones only the row sums are tested", over="5 sizes", apart=-0.05)
def equal_rows():
    for size in (2, 3, 5, 8, 13):
        torch.manual_seed(size)
        q = torch.randn(1, 4).expand(2, size, 4)
        scores, expected = q @ q.transpose(-2, -1), F.scaled_dot_product_attention(q, q, q)
        sums_right = [
            torch.softmax(scores, dim=-1),
            torch.softmax(scores / 2, dim=-2),
            torch.softmax(scores / 9, dim=-1),
        ]
        sums_wrong = [scores, torch.sigmoid(scores), scores.exp()]
        off = [[(w @ q - expected).abs().max().item() for w in weights] for weights in (sums_right, sums_wrong)]
        yield max(off[0]), min(off[1])


@claim("story-4", "only when a batch holds a row with nothing open", over="5 sizes", quick=True, apart=10)
def only_empty_rows_spoil_the_gradient():
    for size in (4, 5, 6, 8, 12):
        torch.manual_seed(size)
        x, mask, spoilt = torch.randn(2, size, size), attention.causal_mask(size).repeat(2, 1, 1), []
        for first_row in (False, True):  # closed, and open, in the first text
            mask[0, 0, 0] = first_row
            weight = torch.randn(size, 3, requires_grad=True)
            vectors = torch.softmax((x @ x.mT).masked_fill(~mask, -torch.inf), dim=-1) @ (x @ weight)
            vectors[:, 1:].square().mean().backward()
            spoilt.append(weight.grad.isnan().sum().item())
        yield spoilt


@claim("repair-8", "The future leaks, and the rest holds", over="6 sizes and widths")
def product_of_masks():
    found = []
    for size, width in ((4, 2), (5, 3), (6, 2), (8, 5), (9, 3), (12, 4)):
        torch.manual_seed(size)
        additive = torch.full((size, size), torch.finfo(torch.float32).min).triu(1)
        mask, matrices = additive * torch.ones(size, size).tril().triu(1 - width), torch.randn(3, 4, 3)

        def attend(x, mask=mask, matrices=matrices):
            queries, keys, values = (x @ matrix for matrix in matrices)
            attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / 3**0.5 + mask, dim=-1)
            return attn_weights @ values, attn_weights

        x = torch.randn(2, size, 4)
        rest = properties.rows_sum_to_one(attend(x)[1]) and properties.samples_independent(attend, x)
        found.append(rest and not properties.no_leak(attend, x))
    return all(found), f"so it is for {sum(found)} of {len(found)} sizes"


# Train an induction model with one head per layer.
@cache
def reader(seed):
    torch.manual_seed(seed)
    model = induction.InductionModel(20, num_heads=1)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.003)
    for _ in range(151):
        batch = induction.repeat_batch(48)
        loss = F.cross_entropy(model(batch.inputs)[0][batch.known], batch.targets[batch.known])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.requires_grad_(False)


def share_right(logits, text):
    return (logits.argmax(dim=-1) == text.targets)[text.known].float().mean().item()


@claim("repair-6", "The longest text is read correctly; the more padding, the worse the result", over="5 seeds")
def padding_counts():
    holds, found = True, []
    for seed in SEEDS:
        model, shares = reader(seed), []
        for paddings in (0, 3, 6, 9, 12):
            text = induction.repeat_batch(200, 30 - paddings)
            x = model.embedding(text.inputs) + model.positions.weight[paddings:]  # masked padding shifts positions
            for layer in model.layers:
                x = layer(x)[0]
            shares.append(share_right(model.read_out(model.norm(x)), text))
        holds &= shares[0] > 0.97 and shares == sorted(shares, reverse=True)
        found.append(" ".join(f"{share:.2f}" for share in shares))
    return holds, f"right with 0, 3, 6, 9, 12 padding tokens: {'; '.join(found)}"


@claim("repair-6", "Masks hide the padding, yet it counts", over="5 seeds", apart=-0.3)
def positions_do_it():
    for seed in SEEDS:
        model, text, right = reader(seed), induction.repeat_batch(200, 18), []
        for first in (12, 0):  # the position of the first letter: after 12 padding tokens, and counted without them
            x = model.embedding(text.inputs) + model.positions.weight[first : first + 18]
            for layer in model.layers:
                x = layer(x)[0]
            right.append(share_right(model.read_out(model.norm(x)), text))
        yield right


@claim(
    "repair-7",
    "most answers survive: those whose letter stands in the prompt, since its keys and values are right",
    over="5 seeds",
    apart=0.6,
)  # fmt: skip
def the_prompt_answers():
    for seed in SEEDS:
        model, text = reader(seed), induction.repeat_batch(1000, 29)
        at = torch.arange(29)
        x = model.embedding(text.inputs) + model.positions(at * (at < 8))  # from position 8 on, each is told position 0
        for layer in model.layers:
            x = layer(x)[0]
        right = model.read_out(model.norm(x)).argmax(dim=-1) == text.targets
        lengths = (~text.known).sum(dim=1, keepdim=True)
        later, stands_there = text.known & (at >= 16), at % lengths + 1 < 8  # the letter and its follower are in it
        yield right[later & stands_there].float().mean(), right[later & ~stands_there].float().mean()


@claim("repair-7", "One too many costs few answers", over="5 seeds")
def one_too_many():
    found = []
    for seed in SEEDS:
        model, text = reader(seed), induction.repeat_batch(200, 29)
        # with causal attention, one pass equals a cache
        positions = torch.cat([torch.arange(8), torch.arange(8, 29) + 1])
        x = model.embedding(text.inputs) + model.positions(positions)
        for layer in model.layers:
            x = layer(x)[0]
        found.append(share_right(model.read_out(model.norm(x)), text))
    return all(0.88 < share < 0.98 for share in found), f"right: {', '.join(f'{share:.2f}' for share in found)}"
