"""Claims of the notebook debug_clinic that go beyond its outputs."""

from functools import cache

import torch
import torch.nn.functional as F
from claiming import claims_of

from course_utils import attention, properties
from course_utils.models import induction

claim = claims_of("debug_clinic")

SEEDS = range(1, 6)
torch.set_num_threads(1)  # a model this small trains fastest on one core


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


@claim("closing-is-invisible", "Six.", over="20 seeds", quick=True)
def six_of_ten():
    found, full = [], attention.causal_mask(5)
    below = full.tril(-1)
    below[0, 0] = True
    for seed in range(20):
        torch.manual_seed(seed)
        matrices, x = [torch.randn(4, 3) for _ in range(3)], torch.randn(2, 5, 4)
        bugs = [
            {"mask": below}, {"mask": full.triu(-2)}, {"root": 1}, {"root": 5}, {"deliver": 1}, {"swap": True},
            {"fill": 0.0}, {"dim": -2}, {"dim": 0}, {"mask": torch.ones(5, 5).tril(1).bool()},
        ]  # fmt: skip
        found.append(sum(passes(head(matrices, **{"mask": full} | bug), x) for bug in bugs))
    return set(found) == {6}, f"of ten bugs {sorted(set(found))} pass"


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


@claim("all-four-where-all-rows", "On equal rows only the row sums are tested", over="5 sizes")
def equal_rows():
    passed, tried, seen = 0, 0, 0
    for size in (2, 3, 5, 8, 13):
        q = torch.randn(1, 4).expand(2, size, 4)
        expected = F.scaled_dot_product_attention(q, q, q)
        scores = q @ q.transpose(-2, -1)
        wrong = [
            torch.softmax(scores, dim=-1) @ q, torch.softmax(scores / 2, dim=-2) @ q, torch.softmax(scores / 9, -1) @ q
        ]  # fmt: skip
        passed, tried = passed + sum(torch.allclose(one, expected, atol=1e-5) for one in wrong), tried + len(wrong)
        off = [scores @ q, torch.sigmoid(scores) @ q, scores.exp() @ q]  # weights whose rows do not add up to 1
        seen += sum(not torch.allclose(one, expected, atol=1e-5) for one in off)
    found = (
        f"{passed} of {tried} wrong attentions agree with PyTorch on equal rows; {seen} of 15 with wrong sums do not"
    )
    return passed == tried and seen == 15, found


@claim("repair-10", "The future leaks, and the rest holds", over="6 sizes and widths")
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


@claim("repair-8", "The longest is right, and the more padding, the worse", over="5 seeds")
def padding_counts():
    holds, found = True, []
    for seed in SEEDS:
        model, shares = reader(seed), []
        for paddings in (0, 3, 6, 9, 12):
            text = induction.repeat_batch(200, 30 - paddings)
            x = model.embedding(text.inputs) + model.positions.weight[paddings:]  # masked padding shifts places
            for layer in model.layers:
                x = layer(x)[0]
            shares.append(share_right(model.read_out(model.norm(x)), text))
        holds &= shares[0] > 0.97 and shares == sorted(shares, reverse=True)
        found.append(" ".join(f"{share:.2f}" for share in shares))
    return holds, f"right with 0, 3, 6, 9, 12 paddings: {'; '.join(found)}"


@claim("repair-9", "One too many costs some answers in a hundred", over="5 seeds")
def one_too_many():
    found = []
    for seed in SEEDS:
        model, text = reader(seed), induction.repeat_batch(200, 29)
        places = torch.cat([torch.arange(8), torch.arange(8, 29) + 1])  # with causal attention, one pass equals a cache
        x = model.embedding(text.inputs) + model.positions(places)
        for layer in model.layers:
            x = layer(x)[0]
        found.append(share_right(model.read_out(model.norm(x)), text))
    return all(0.88 < share < 0.98 for share in found), f"right: {', '.join(f'{share:.2f}' for share in found)}"
