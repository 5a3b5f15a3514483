"""Compute the answers of the quiz."""

import torch
from torch import nn

from course_utils import attention, checks
from course_utils.models.ablation import ablated


def answers():
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
        f"Position {scores.argmax()}, the {'ABC'[tokens[scores.argmax()]]}",
        f"Position {before.argmax()}, the second {'ABC'[tokens[before.argmax()]]}",
    )

    # Attention delivers the same to all tokens if all queries are 0; only adding the input keeps them different.
    head = attention.MultiHeadAttention(6, 6, 2)
    nn.init.zeros_(head.W_query.weight)
    inputs = torch.rand(5, 6)
    delivered, _ = head(inputs)  # the same for each token, since all queries are 0
    assert torch.allclose(delivered, delivered[:1].expand(5, 6), atol=1e-6)
    assert torch.cdist(inputs + delivered, inputs + delivered).fill_diagonal_(1).min() > 1e-3
    yield "if it replaced the vector", "What the token itself was, for all later layers"

    # With two heads that do the same, ablating either one changes no guess, and ablating both leaves only zeros.
    layer, inputs = attention.MultiHeadAttention(4, 4, 2, qkv_bias=True, out_bias=False), torch.rand(7, 4)
    with torch.no_grad():
        for part in (layer.W_query, layer.W_key, layer.W_value):
            part.weight[2:], part.bias[2:] = part.weight[:2], part.bias[:2]
        layer.out_proj.weight[:, 2:] = layer.out_proj.weight[:, :2]
    guess = [layer(inputs)[0].argmax(dim=-1)]
    for head in (0, 1):
        with ablated(layer, head):
            guess.append(layer(inputs)[0].argmax(dim=-1))
    assert torch.equal(guess[0], guess[1]) and torch.equal(guess[0], guess[2])
    with ablated(layer, 0, 1):
        assert not layer(inputs)[0].any()
    yield "You ablate one head", "The model does not need this head as long as the others are there"
