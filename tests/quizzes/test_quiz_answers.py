"""The answers of the quizzes are computed, not believed: a function for each question, and one test for them all.

A function returns the text of the right choice, made of what it computed. After it may come the texts of wrong choices,
made of what a mistake computes.
"""

import re
from unittest import mock

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from course_utils import attention, checks, data, measure, properties, quiz
from course_utils.models.ablation import silenced

COMPUTED = {}  # (number of the notebook, a phrase of the question) -> function
MEASURED = "the time of the fused kernel"  # the one number that only a clock can tell: notebook 08 measures it


def answers(number, phrase):
    def keep(compute):
        COMPUTED[number, phrase] = compute
        return compute

    return keep


def shape(tensor):
    return str(tuple(tensor.shape))


def pair(numbers):
    return " and ".join(f"{number:.2f}" for number in numbers)


def row(tensor, form=".0f"):
    return " ".join(f"{number:{form}}" for number in tensor)


def wrong_of(name, id):
    return checks.all()[name].mistakes[id]


# 00


@answers("00", "sum(dim=0)")
def _():
    table = torch.rand(2, 3)
    return shape(table.sum(dim=0)), shape(table.sum(dim=1)), shape(table.sum(dim=0, keepdim=True))


@answers("00", "table / sums")
def _():
    table = torch.rand(2, 3)
    with pytest.raises(RuntimeError):
        table / table.sum(dim=-1)
    return "It fails"


@answers("00", "view(3, 2)")
def _():
    table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    return row(table.view(3, 2)[0]), row(table.transpose(0, 1)[0]), row(table[0])


@answers("00", "Can its row of weights change?")
def _():
    """The weights in the question's explanation are those of the model."""
    for word, robot, hill in (("weak", 0.53, 0.14), ("steep", 0.11, 0.55)):
        sentence = data.load("sentence_pairs")[word]
        weights = sentence.attn_weights[3, 1, sentence.tokens.index("it")]
        assert weights[sentence.tokens.index("robot")].item() == pytest.approx(robot, abs=0.006)
        assert weights[sentence.tokens.index("hill")].item() == pytest.approx(hill, abs=0.006)
    return "Yes: it may turn from *robot* to *hill*"


# 01


@answers("01", "highest score")
def _():
    keys = torch.tensor([[1.0, 5.0], [3.0, 0.0], [-2.0, 1.0]])
    scores = keys @ torch.tensor([2.0, 0.0])
    assert scores.tolist() == [2, 6, -4] and keys.norm(dim=-1).argmax() == 0
    return "ABC"[scores.argmax()], "A, the longest"


@answers("01", "3, -2 and 1")
def _():
    scores = torch.tensor([3.0, -2.0, 1.0])
    found = torch.softmax(scores, dim=0), scores.exp(), scores / scores.sum()
    return tuple(f"{numbers[1]:.2f}" for numbers in found)


@answers("01", "all six")
def _():
    rows, columns = (attention.softmax(torch.zeros(2, 3), dim=dim)[0, 0].item() for dim in (-1, -2))
    return f"1/{1 / rows:.0f}", f"1/{1 / columns:.0f}", f"1/{torch.zeros(2, 3).numel()}"


@answers("01", "0, 1 and 0")
def _():
    values = torch.rand(3, 4)
    assert torch.equal(torch.tensor([0.0, 1.0, 0.0]) @ values, values[1])
    return "The second value"


@answers("01", "All values are doubled")
def _():
    queries, keys, values = torch.rand(3, 5, 4)
    before, after = (attention.scaled_dot_product_attention(queries, keys, part) for part in (values, 2 * values))
    assert torch.allclose(after[0], 2 * before[0]) and torch.equal(after[1], before[1])
    return "The context vectors double, the weights stay"


@answers("01", "transpose(-2, -1)")
def _():
    inputs = torch.rand(2, 5, 3)
    return shape(inputs.transpose(-2, -1)), shape(inputs.transpose(0, 2)), shape(inputs.permute(1, 0, 2))


# 02


@answers("02", "1000 and 1000")
def _():
    naive = torch.exp(torch.tensor([1000.0, 1000.0]))
    return pair(naive / naive.sum()), pair(naive)


@answers("02", "add 7 to every score")
def _():
    scores = torch.tensor([1.0, 3.0, -2.0])
    assert torch.allclose(attention.softmax(scores + 7), attention.softmax(scores))
    return "Nothing"


@answers("02", "temperature 10")
def _():
    scores, softmax = torch.tensor([2.0, 1.0]), attention.softmax
    found = softmax(scores / 10), softmax(scores), softmax(scores * 10), softmax(scores) / 10
    return tuple(map(pair, found))


@answers("02", "`head_dim` is 16")
def _():
    scores, softmax = torch.tensor([8.0, 4.0]), attention.softmax
    found = softmax(scores / 16**0.5), softmax(scores / 16), softmax(scores), softmax(scores) / 16**0.5
    return tuple(map(pair, found))


@answers("02", "768 wide")
def _():
    return f"{(768 / 12) ** 0.5:.0f}", f"{768**0.5:.1f}", f"{768 / 12:.0f}", f"{12**0.5:.1f}"


# 03


@answers("03", "`nn.Linear(3, 2)`")
def _():
    weight = nn.Linear(3, 2).weight
    return shape(weight), shape(weight.transpose(0, 1))


@answers("03", "change places")
def _():
    head, inputs = attention.SelfAttention(4, 3), torch.rand(5, 4)
    scores = head.W_query(inputs) @ head.W_key(inputs).transpose(-2, -1)
    swapped = head.W_key(inputs) @ head.W_query(inputs).transpose(-2, -1)
    assert torch.allclose(swapped, scores.transpose(-2, -1)) and not torch.allclose(swapped, scores)
    return "The scores are turned on their side: *big* now has a high score for *dog*"


@answers("03", "SelfAttention(4, 6)")
def _():
    context_vecs, attn_weights = attention.SelfAttention(4, 6)(torch.rand(2, 5, 4))
    return shape(attn_weights), shape(context_vecs)


@answers("03", "`W_query` are 0")
def _():
    head = attention.SelfAttention(3, 2)
    nn.init.zeros_(head.W_query.weight)
    (weight,) = head(torch.rand(5, 3))[1].unique().tolist()
    return f"All {weight:.1f}"


@answers("03", "`W_value` are 0")
def _():
    head, inputs = attention.SelfAttention(3, 2), torch.rand(5, 3)
    _, before = head(inputs)
    nn.init.zeros_(head.W_value.weight)
    context_vecs, attn_weights = head(inputs)
    assert torch.equal(attn_weights, before) and not context_vecs.any()
    return "The same weights as before, and context vectors of 0"


@answers("03", "w.grad")
def _():
    w, grads = nn.Parameter(torch.tensor(1.0)), []
    for _ in range(2):
        ((2 * w - 6) ** 2).backward()
        grads.append(w.grad.item())
    return f"{grads[1]:.0f}", f"{grads[0]:.0f}", f"{grads[0] ** 2:.0f}"


# 04


@answers("04", "exchange the first two")
def _():
    head, inputs = attention.SelfAttention(4, 3), torch.rand(2, 5, 4)
    assert properties.permutation_equivariant(head, inputs)
    places = [1, 0, 2, 3, 4]
    assert torch.allclose(head(inputs[:, places])[0], head(inputs)[0][:, places], atol=1e-6)
    return "The first two outputs are exchanged, all others stay as they were"


@answers("04", "causal mask of 6")
def _():
    mask = attention.causal_mask(6)
    return tuple(str(cells) for cells in (mask.sum().item(), mask.tril(-1).sum().item(), mask.numel()))


@answers("04", "0, 0 and 5")
def _():
    scores, past = torch.tensor([0.0, 0.0, 5.0]), torch.tensor([True, True, False])
    found = (torch.softmax(scores.masked_fill(~past, fill), dim=-1) for fill in (0.0, -torch.inf, 5.0))
    return tuple("{:.2f}, {:.2f} and {:.2f}".format(*weights.tolist()) for weights in found)


@answers("04", "nn.MultiheadAttention")
def _():
    layer, inputs = nn.MultiheadAttention(4, 1, batch_first=True), torch.rand(1, 5, 4)
    _, attn_weights = layer(inputs, inputs, inputs, attn_mask=attention.causal_mask(5))
    assert (attn_weights[0, 0] > 0).tolist() == [False, True, True, True, True]
    return "Everything but itself"


@answers("04", "`context_length` 7")
def _():
    head = attention.CausalAttention(4, 3, context_length=7)
    with mock.patch.object(attention, "scaled_dot_product_attention") as attend:
        head(torch.rand(2, 5, 4))
    *_, mask, _ = attend.call_args.args
    return shape(mask), shape(head.causal_mask)


@answers("04", "token 3")
def _():
    head, inputs = attention.CausalAttention(4, 3, context_length=6), torch.rand(6, 4)
    moved = (head(inputs + torch.eye(6)[:, 3:4])[0] != head(inputs)[0]).any(dim=-1)
    first, second, third = moved.nonzero().flatten().tolist()
    return f"{first}, {second} and {third}"


# 05


@answers("05", "full of 4")
def _():
    numbers = nn.Dropout(0.2)(torch.full((100, 100), 4.0)).unique().tolist()
    return " and ".join(f"{number:.0f}" for number in numbers), "0 and 4", f"0 and {4 / 0.2:.0f}", f"{4 * 0.8:.1f} only"


@answers("05", "add up to?")
def _():
    sums = nn.Dropout(0.3)(torch.full((20_000, 8), 1 / 8)).sum(dim=-1)
    assert len(sums.unique()) > 5
    return f"Something else in each draw, and {sums.mean():.0f} on average"


@answers("05", "lose both")
def _():
    share = (torch.rand(100_000, 2) < 0.1).all(dim=-1).float().mean()
    return tuple(f"In {number:.2f} of the draws" for number in (share, 0.1, 2 * 0.1))


@answers("05", "scores 2 and 0")
def _():
    scores = torch.tensor([2.0, 0.0])
    dropped = scores * torch.tensor([0.0, 1.0])
    hidden = torch.tensor([-torch.inf, 0.0])
    return tuple(pair(attention.softmax(numbers)) for numbers in (dropped, scores, hidden))


@answers("05", "Which line")
def _():
    model, x = nn.Dropout(0.5), torch.ones(1000)
    with torch.no_grad():
        assert not torch.equal(model(x), model(x))
    assert not torch.equal(model.train()(x), model(x))
    model.eval()
    assert torch.equal(model(x), model(x))
    return "`model.eval()`", "`model.train()`", "`torch.no_grad()`"


@answers("05", "dropout_p=0.1")
def _():
    class Careless(nn.Module):
        def forward(self, x):
            return F.scaled_dot_product_attention(x, x, x, dropout_p=0.1)

    model, x = Careless().eval(), torch.rand(40, 30, 8)
    assert not torch.equal(model(x), model(x))
    return "It goes on dropping"


# 06


@answers("06", "without a transpose")
def _():
    x = torch.arange(2 * 5 * 12).view(2, 5, 12)
    token = x.view(2, 4, 5, 3)[0, 0] // 12  # whose number each of head 0 is
    assert token.shape == (5, 3) and set(token.flatten().tolist()) == {0, 1} and (token == 1).sum() == 3
    return "The right shape, with tokens mixed between the heads"


@answers("06", "768 wide")
def _():
    _, num_tokens, head_dim = attention.split_heads(torch.rand(10, 768), 12).shape
    return f"{head_dim} features of all {num_tokens} tokens", f"768 features of all {num_tokens} tokens"


@answers("06", "torch.stack(notes, dim=-1)")
def _():
    notes = [torch.rand(2, 5, 3) for _ in range(4)]
    return shape(torch.stack(notes, dim=-1)), shape(torch.cat(notes, dim=-1)), shape(torch.cat(notes))


@answers("06", "leave `out_proj` out")
def _():
    vecs = torch.rand(1, 4, 5, 3)
    others = vecs.clone()
    others[:, 0] += 1
    changed = (attention.merge_heads(vecs) != attention.merge_heads(others)).any(dim=1).nonzero()[:, 1]
    assert changed.tolist() == [0, 1, 2]
    return "The heads' notes stay side by side: no feature of the result has two heads in it"


@answers("06", "What doubles?")
def _():
    few, many = (attention.MultiHeadAttention(16, 16, num_heads) for num_heads in (2, 4))
    numel = [sum(parameter.numel() for parameter in layer.parameters()) for layer in (few, many)]
    weights = [layer(torch.rand(1, 5, 16))[1].numel() for layer in (few, many)]
    assert numel[0] == numel[1] and weights[1] == 2 * weights[0]
    return "The numbers kept as weights", "The number of parameters"


@answers("06", "merges the heads")
def _():
    vecs, right, wrong = torch.rand(2, 4, 5, 3), [], []
    for choice in asked("06", "merges the heads")["choices"]:
        try:
            merged = eval(choice["text"].strip("`"), {"vecs": vecs})
        except RuntimeError:  # a view of what does not lie in a row
            merged = torch.empty(0)
        (right if torch.equal(merged, attention.merge_heads(vecs)) else wrong).append(choice["text"])
    (only,) = right
    return only, *wrong


# 07


@answers("07", "padding_mask([3, 2], 6)")
def _():
    mask = attention.padding_mask([3, 2], 6)
    return shape(mask), shape(mask[:, 0, 0])


@answers("07", "goes to padding")
def _():
    share = attention.softmax(torch.zeros(4))[2:].sum().item()
    return f"1/{1 / share:.0f}"


@answers("07", "-1e9")
def _():
    weights = torch.softmax(torch.full((4,), -1e9), dim=-1).unique().item()
    assert torch.softmax(torch.full((4,), -torch.inf), dim=-1).isnan().all()
    assert not attention.softmax(torch.full((4,), -torch.inf)).any()
    return f"All {weights}", "All nan", "All 0"


@answers("07", "joined with `|`")
def _():
    real, causal = attention.padding_mask([3], 5)[0, 0], attention.causal_mask(5)
    assert (real | causal)[0, :3].all() and not (real & causal)[0, 1:].any()
    return "Tokens see later real tokens"


@answers("07", "8 queries of width 12")
def _():
    layer = attention.MultiHeadAttention(12, 20, 4, kdim=30, vdim=7)
    out, weights = layer(torch.rand(8, 12), torch.rand(5, 30), torch.rand(5, 7))
    return f"Result {shape(out)}, weights {shape(weights)}"


@answers("07", "three heads")
def _():
    lens = torch.tensor([3, 2])
    return row(lens.repeat_interleave(3), "d"), row(lens.repeat(3), "d")


# 08


@answers("08", "12, 3, batch_first")
def _():
    layer, inputs = nn.MultiheadAttention(12, 3, batch_first=True), torch.rand(2, 5, 12)
    vecs, weights = layer(inputs, inputs, inputs)
    per_head = layer(inputs, inputs, inputs, average_attn_weights=False)[1]
    return shape(weights), shape(per_head), shape(vecs)


@answers("08", "What does row 0 see?")
def _():
    layer, inputs = nn.MultiheadAttention(12, 3, batch_first=True), torch.rand(2, 5, 12)
    weights = layer(inputs, inputs, inputs, attn_mask=attention.causal_mask(5))[1]
    assert (weights[:, 0] > 0).tolist() == [[False, True, True, True, True]] * 2 and weights[:, 4].isnan().all()
    return "Every token but itself"


@answers("08", "8 cached keys")
def _():
    seen = F.scaled_dot_product_attention(torch.rand(1, 4), torch.rand(8, 4), torch.eye(8), is_causal=True)
    ((_, key),) = seen.nonzero().tolist()
    return f"Key {key} alone"


@answers("08", "1,000 to 4,000")
def _():
    heads = attention.MultiHeadAttention(64, 64, 4, causal=True)

    def factor(need_weights):
        with torch.no_grad():
            few, many = (
                measure.peak_bytes(lambda x: heads(x, need_weights=need_weights), torch.rand(1, size, 64))
                for size in (512, 2048)
            )
        return many / few

    table, fused = factor(need_weights=True), factor(need_weights=False)
    assert 14 < table < 17 and 3.5 < fused < 5
    return "The table grows 16 times, the fused kernel's 4 times"


@answers("08", "key–value cache")
def _():
    head, inputs = attention.CausalAttention(4, 3, context_length=6), torch.rand(6, 4)
    for part in (head.W_key, head.W_value):
        assert torch.allclose(part(inputs)[:5], part(inputs[:5]))
    last, _ = attention.scaled_dot_product_attention(head.W_query(inputs[5:]), head.W_key(inputs), head.W_value(inputs))
    assert torch.allclose(last, head(inputs)[0][5:])
    return "The keys and values of the tokens so far: they never change, and every new query meets them"


# 09


@answers("09", "layer norm")
def _():
    x = torch.randn(4, 9, 64)
    normed = nn.LayerNorm(64)(x)
    assert normed.mean(dim=-1).abs().max() < 1e-5 and normed.mean(dim=1).abs().max() > 0.1
    means = normed.mean(dim=-1)  # one for each group of numbers
    return f"Over the {x.numel() // means.numel()} numbers of one token, {means.numel()} times"


@answers("09", "A B C A B")
def _():
    """A head that puts all of the last row's weight on one key, for each key in turn: which has the best score?"""
    tokens = torch.tensor([0, 1, 2, 0, 1])
    attn_weights = torch.eye(5).expand(5, 5, 5).clone()
    attn_weights[:, -1] = torch.eye(5)  # (num_heads, num_tokens, num_tokens): head i looks at key i
    scores = checks.all()["induction_score"].solution(attn_weights, tokens)
    before = checks.all()["previous_score"].solution(attn_weights)
    return (
        f"Place {scores.argmax()}, the {'ABC'[tokens[scores.argmax()]]}",
        f"Place {before.argmax()}, the second {'ABC'[tokens[before.argmax()]]}",
    )


@answers("09", "if it replaced the vector")
def _():
    """Two tokens with the same key and value, and other vectors: attention alone cannot tell them apart afterwards."""
    head = attention.MultiHeadAttention(6, 6, 2)
    nn.init.zeros_(head.W_query.weight)
    inputs = torch.rand(5, 6)
    delivered, _ = head(inputs)  # the same for each token: all ask the same question
    assert torch.allclose(delivered, delivered[:1].expand(5, 6), atol=1e-6)
    assert torch.cdist(inputs + delivered, inputs + delivered).fill_diagonal_(1).min() > 1e-3
    return "What the token itself was, for all later layers"


@answers("09", "You silence one head")
def _():
    """Two heads that do the same: either may go, both may not."""
    layer, inputs = attention.MultiHeadAttention(4, 4, 2, qkv_bias=True, out_bias=False), torch.rand(7, 4)
    with torch.no_grad():
        for part in (layer.W_query, layer.W_key, layer.W_value):
            part.weight[2:], part.bias[2:] = part.weight[:2], part.bias[:2]
        layer.out_proj.weight[:, 2:] = layer.out_proj.weight[:, :2]
    guess = [layer(inputs)[0].argmax(dim=-1)]
    for head in (0, 1):
        with silenced(layer, head):
            guess.append(layer(inputs)[0].argmax(dim=-1))
    assert torch.equal(guess[0], guess[1]) and torch.equal(guess[0], guess[2])
    with silenced(layer, 0, 1):
        assert not layer(inputs)[0].any()
    return "The model does not need this head as long as the others are there"


# 10


@answers("10", "read head 2")
def _():
    layer = attention.MultiHeadAttention(384, 384, 12)

    def columns(head):
        with silenced(layer, *(other for other in range(12) if other != head)):
            layer(torch.rand(5, 384))[0].sum().backward()
        read = layer.out_proj.weight.grad.any(dim=0).nonzero().flatten()
        layer.zero_grad()
        assert len(read) == read[-1] - read[0] + 1
        return f"{read[0]} to {read[-1]}"

    return columns(2), columns(1)


@answers("10", "a twentieth as long")
def _():
    value = F.normalize(torch.rand(8), dim=0)
    of_cls, of_word = (0.9 * value / 20).norm(), (0.1 * value).norm()
    assert of_word > of_cls
    return "The word"


@answers("10", "Inside `with silenced(layer.attention, 1):`")
def _():
    layer, inputs = attention.MultiHeadAttention(6, 6, 3), torch.rand(5, 6)
    before, attn_weights = layer(inputs)
    with silenced(layer, 1):
        after, meanwhile = layer(inputs)
    assert torch.equal(meanwhile, attn_weights) and not torch.allclose(after, before)
    assert (meanwhile[1] > 0).all() and meanwhile[1].std() > 0  # neither zeros nor an even share
    return "The same weights as before", "Zeros", "An even share for each token"


@answers("10", "marks 2 cells of row 5")
def _():
    attn_weights = torch.full((1, 1, 6, 6), 0.1)
    attn_weights[..., 5, 1], attn_weights[..., 5, 3] = 0.3, 0.4
    pattern = torch.zeros(6, 6, dtype=torch.bool)
    pattern[5, 1] = pattern[5, 3] = True
    score = checks.all()["pattern_scores"].solution(attn_weights, pattern).item()
    return f"{score:.1f}".lstrip("0"), f"{attn_weights[0, 0][pattern].mean():.2f}".lstrip("0")


# 11


@answers("11", "torch.ones(2, 5, 3)")
def _():
    ones = torch.ones(2, 5, 3)
    expected = F.scaled_dot_product_attention(ones, ones, ones)
    for id in ("no-scale", "softmax-axis", "qk-swapped", "scale-no-root"):
        assert torch.allclose(wrong_of("row_weights", id)(ones, ones) @ ones, expected)
    return "Next to nothing: only that it runs, and that the shape fits"


@answers("11", "says False for `queries`")
def _():
    W_query, W_key, inputs = torch.randn(4, 3), torch.randn(4, 3), torch.randn(2, 5, 4)
    cases = {
        "Softmax runs down the columns": wrong_of("causal_weights", "softmax-axis"),
        "The mask is normalised in place of the weights": wrong_of("causal_weights", "mask-normalised"),
        "Query and key are swapped": wrong_of("causal_weights", "qk-swapped"),
    }

    def fits(weights):
        queries, keys = inputs @ W_query, inputs @ W_key
        return (
            properties.rows_sum_to_one(weights(queries, keys))
            and properties.no_leak(lambda x: weights(x @ W_query, x @ W_key) @ x, inputs)
            and torch.allclose(weights(2 * queries + 1, keys), weights(queries, keys))
        )

    (only,) = [name for name, weights in cases.items() if fits(weights)]
    return only, *(cases.keys() - {only})


@answers("11", "`difference > 0.001`")
def _():
    difference = torch.tensor([0.0, torch.nan])
    assert not (difference > 0.001).any() and not difference.isfinite().all()
    return "Not if `nan` is among them"


@answers("11", "swapped when the weights were copied")
def _():
    theirs, inputs = nn.MultiheadAttention(12, 3, batch_first=True), 2 * torch.randn(2, 5, 12)
    ours = attention.MultiHeadAttention(12, 12, 3, qkv_bias=True)
    wrong_of("adopt", "qk-swapped")(ours, theirs)
    assert properties.rows_sum_to_one(ours(inputs)[1]) and properties.samples_independent(ours, inputs)
    assert properties.permutation_equivariant(ours, inputs)
    assert not torch.allclose(ours(inputs)[0], theirs(inputs, inputs, inputs)[0], atol=1e-5)
    return (
        "A comparison with the module that the weights came from",
        "`rows_sum_to_one`", "`samples_independent`", "`permutation_equivariant`",
    )  # fmt: skip


@answers("11", "rows that the loss leaves out")
def _():
    weight, mask = torch.randn(4, 3, requires_grad=True), attention.causal_mask(5).tril(-1)
    inputs = torch.randn(5, 4)
    attend = wrong_of("masked_attention", "all-masked-nan")
    loss = attend(inputs, inputs, inputs @ weight, mask)[0][1:].sum()
    loss.backward()
    assert loss.isfinite() and weight.grad.isnan().all()
    return "The shared weights get a gradient of `nan`", "The loss is `nan` in this step"


@answers("11", "dropout of .5")
def _():
    ours, inputs = attention.MultiHeadAttention(12, 12, 3, dropout=0.5), torch.randn(2, 5, 12)
    assert not torch.allclose(ours(inputs)[0], ours(inputs)[0])
    assert torch.equal(ours.eval()(inputs)[0], ours(inputs)[0])
    return "Compare a module with itself"


def asked(number, phrase):
    """The one question of this quiz that holds the phrase."""
    (question,) = [question for question in quiz.load(number) if phrase in question["question"]]
    return question


@pytest.mark.parametrize(("number", "phrase"), COMPUTED)
def test_what_is_computed_is_the_right_choice(number, phrase):
    torch.manual_seed(0)
    found = COMPUTED[number, phrase]()
    right, *wrong = [found] if isinstance(found, str) else found
    choices = {choice["text"]: choice["right"] for choice in asked(number, phrase)["choices"]}
    assert [text for text, is_right in choices.items() if is_right] == [right]
    assert set(wrong) <= {text for text, is_right in choices.items() if not is_right}


@pytest.mark.parametrize("number", sorted(path.stem for path in (data.DATA / "quizzes").glob("*.json")))
def test_every_answer_with_a_number_in_it_is_computed(number):
    computed = [asked(*key)["question"] for key in COMPUTED if key[0] == number]
    assert len(set(computed)) == len(computed) > 0  # no question twice
    for question in quiz.load(number):
        (right,) = [choice["text"] for choice in question["choices"] if choice["right"]]
        if re.search(r"\d", right) and MEASURED not in question["question"]:
            assert question["question"] in computed
