"""Compute the answers of the quizzes on PyTorch's attention, trained heads, real heads and bugs."""

import torch
import torch.nn.functional as F
from computed import answers, shape, wrong_of
from torch import nn

from course_utils import attention, checks, measure, properties
from course_utils.models.ablation import silenced


@answers
def pytorch_attention():
    layer, inputs = nn.MultiheadAttention(12, 3, batch_first=True), torch.rand(2, 5, 12)
    vecs, weights = layer(inputs, inputs, inputs)
    per_head = layer(inputs, inputs, inputs, average_attn_weights=False)[1]
    yield "12, 3, batch_first", shape(weights), shape(per_head), shape(vecs)

    layer, inputs = nn.MultiheadAttention(12, 3, batch_first=True), torch.rand(2, 5, 12)
    weights = layer(inputs, inputs, inputs, attn_mask=attention.causal_mask(5))[1]
    assert (weights[:, 0] > 0).tolist() == [[False, True, True, True, True]] * 2 and weights[:, 4].isnan().all()
    yield "What does row 0 see?", "Every token but itself"

    names = ("queries", "keys", "values")
    yield "row 16", *(f"A feature of the {names[row // 12]}" for row in (16, 5, 30))

    queries, keys = torch.rand(2, 4), torch.rand(5, 4)
    seen = F.scaled_dot_product_attention(queries, keys, torch.eye(5), is_causal=True) > 0
    last = F.scaled_dot_product_attention(queries, keys, torch.eye(5), attn_mask=attention.causal_mask(5)[-2:]) > 0
    yield (
        "of which the last 2 are their own",
        *("{} and {} keys".format(*table.sum(dim=-1).tolist()) for table in (seen, last)),
    )


@answers
def fast_and_long():
    seen = F.scaled_dot_product_attention(torch.rand(1, 4), torch.rand(8, 4), torch.eye(8), is_causal=True)
    ((_, key),) = seen.nonzero().tolist()
    yield "8 cached keys", f"Key {key} alone"

    old, new = torch.tensor([1.0, 1.0]), torch.tensor(3.0)  # two scores whose maximum is 1 and whose sum is 2
    wrong = (2 + 1, 2 * torch.exp(new - 1) + 1, 2 + torch.exp(new - 1))
    right = torch.exp(torch.cat([old, new[None]]) - new).sum()
    yield "computed in pieces", *(f"{number:.2f}" for number in (right, *wrong))

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
    yield "1,000 to 4,000", "The table grows 16 times, the fused kernel's 4 times"

    head, inputs = attention.CausalAttention(4, 3, context_length=6), torch.rand(6, 4)
    for part in (head.W_key, head.W_value):
        assert torch.allclose(part(inputs)[:5], part(inputs[:5]), atol=1e-5)
    last, _ = attention.scaled_dot_product_attention(head.W_query(inputs[5:]), head.W_key(inputs), head.W_value(inputs))
    assert torch.allclose(last, head(inputs)[0][5:], atol=1e-5)
    yield (
        "key–value cache",
        "The keys and values of the tokens so far: they never change, and every new query meets them",
    )

    window, layers = 100, 3
    places = torch.arange(400)
    near = ((places[:, None] >= places) & (places[:, None] < places + window)).double()
    yield "window of 100", str(int((torch.linalg.matrix_power(near, layers)[-1] > 0).sum()))


@answers
def watch_heads_learn():
    x = torch.randn(4, 9, 64)
    normed = nn.LayerNorm(64)(x)
    assert normed.mean(dim=-1).abs().max() < 1e-5 and normed.mean(dim=1).abs().max() > 0.1
    means = normed.mean(dim=-1)  # one for each group of numbers
    yield "layer norm", f"Over the {x.numel() // means.numel()} numbers of one token, {means.numel()} times"

    # Score heads whose last row puts all its weight on one key, for each key in turn, and find the best one.
    tokens = torch.tensor([0, 1, 2, 0, 1])
    attn_weights = torch.eye(5).expand(5, 5, 5).clone()
    attn_weights[:, -1] = torch.eye(5)  # (num_heads, num_tokens, num_tokens): head i looks at key i
    scores = checks.all()["induction_score"].solution(attn_weights, tokens)
    before = checks.all()["previous_score"].solution(attn_weights)
    yield (
        "A B C A B",
        f"Place {scores.argmax()}, the {'ABC'[tokens[scores.argmax()]]}",
        f"Place {before.argmax()}, the second {'ABC'[tokens[before.argmax()]]}",
    )

    # Attention delivers the same to all tokens if all queries are 0; only adding the input keeps them different.
    head = attention.MultiHeadAttention(6, 6, 2)
    nn.init.zeros_(head.W_query.weight)
    inputs = torch.rand(5, 6)
    delivered, _ = head(inputs)  # the same for each token, since all queries are 0
    assert torch.allclose(delivered, delivered[:1].expand(5, 6), atol=1e-6)
    assert torch.cdist(inputs + delivered, inputs + delivered).fill_diagonal_(1).min() > 1e-3
    yield "if it replaced the vector", "What the token itself was, for all later layers"

    # With two heads that do the same, silencing either one changes no guess, and silencing both leaves only zeros.
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
    yield "You silence one head", "The model does not need this head as long as the others are there"


@answers
def real_heads():
    layer = attention.MultiHeadAttention(384, 384, 12)

    def columns(head):
        with silenced(layer, *(other for other in range(12) if other != head)):
            layer(torch.rand(5, 384))[0].sum().backward()
        read = layer.out_proj.weight.grad.any(dim=0).nonzero().flatten()
        layer.zero_grad()
        assert len(read) == read[-1] - read[0] + 1
        return f"{read[0]} to {read[-1]}"

    yield "read head 2", columns(2), columns(1)

    value = F.normalize(torch.rand(8), dim=0)
    of_cls, of_word = (0.9 * value / 20).norm(), (0.1 * value).norm()
    assert of_word > of_cls
    yield "a twentieth as long", "The word"

    layer, inputs = attention.MultiHeadAttention(6, 6, 3), torch.rand(5, 6)
    before, attn_weights = layer(inputs)
    with silenced(layer, 1):
        after, meanwhile = layer(inputs)
    assert torch.equal(meanwhile, attn_weights) and not torch.allclose(after, before, atol=1e-5)
    assert (meanwhile[1] > 0).all() and meanwhile[1].std() > 0  # neither zeros nor an even share
    yield (
        "Inside `with silenced(layer.attention, 1):`",
        "The same weights as before",
        "Zeros",
        "An even share for each token",
    )

    attn_weights = torch.full((1, 1, 6, 6), 0.1)
    attn_weights[..., 5, 1], attn_weights[..., 5, 3] = 0.3, 0.4
    pattern = torch.zeros(6, 6, dtype=torch.bool)
    pattern[5, 1] = pattern[5, 3] = True
    score = checks.all()["pattern_scores"].solution(attn_weights, pattern).item()
    yield "marks 2 cells of row 5", f"{score:.1f}", f"{attn_weights[0, 0][pattern].mean():.2f}"


@answers
def debug_clinic():
    ones = torch.ones(2, 5, 3)
    expected = F.scaled_dot_product_attention(ones, ones, ones)
    for id in ("no-scale", "softmax-axis", "qk-swapped", "scale-no-root"):
        assert torch.allclose(wrong_of("row_weights", id)(ones, ones) @ ones, expected, atol=1e-5)
    yield "torch.ones(2, 5, 3)", "Little: that it runs, that the shape fits, and that rows add up to 1"

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
            and torch.allclose(weights(2 * queries + 1, keys), weights(queries, keys), atol=1e-5)
        )

    (only,) = [name for name, weights in cases.items() if fits(weights)]
    yield "says False for `queries`", only, *(cases.keys() - {only})

    difference = torch.tensor([0.0, torch.nan])
    assert not (difference > 0.001).any() and not difference.isfinite().all()
    yield "`difference > 0.001`", "Not if `nan` is among them"

    theirs, inputs = nn.MultiheadAttention(12, 3, batch_first=True), 2 * torch.randn(2, 5, 12)
    ours = attention.MultiHeadAttention(12, 12, 3, qkv_bias=True)
    wrong_of("adopt", "qk-swapped")(ours, theirs)
    assert properties.rows_sum_to_one(ours(inputs)[1]) and properties.samples_independent(ours, inputs)
    assert properties.permutation_equivariant(ours, inputs)
    assert not torch.allclose(ours(inputs)[0], theirs(inputs, inputs, inputs)[0], atol=1e-5)
    yield (
        "swapped when the weights were copied",
        "A comparison with the module that the weights came from",
        "`rows_sum_to_one`",
        "`samples_independent`",
        "`permutation_equivariant`",
    )

    weight, mask = torch.randn(4, 3, requires_grad=True), attention.causal_mask(5).tril(-1)
    inputs = torch.randn(5, 4)
    attend = wrong_of("masked_attention", "all-masked-nan")
    loss = attend(inputs, inputs, inputs @ weight, mask)[0][1:].sum()
    loss.backward()
    assert loss.isfinite() and weight.grad.isnan().all()
    yield (
        "rows that the loss leaves out",
        "The shared weights get a gradient of `nan`",
        "The loss is `nan` in this step",
    )

    ours, inputs = attention.MultiHeadAttention(12, 12, 3, dropout=0.5), torch.randn(2, 5, 12)
    assert not torch.allclose(ours(inputs)[0], ours(inputs)[0], atol=1e-5)
    assert torch.equal(ours.eval()(inputs)[0], ours(inputs)[0])
    yield "dropout of 0.5", "Compare a module with itself"
