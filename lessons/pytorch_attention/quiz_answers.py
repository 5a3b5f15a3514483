"""Compute the answers of the quiz."""

import torch
import torch.nn.functional as F
from computed import shape
from torch import nn

from course_utils import attention


def answers():
    layer, inputs = nn.MultiheadAttention(12, 3, batch_first=True), torch.rand(2, 5, 12)
    vecs, weights = layer(inputs, inputs, inputs)
    per_head = layer(inputs, inputs, inputs, average_attn_weights=False)[1]
    yield "12, 3, batch_first", shape(weights), shape(per_head), shape(vecs)

    layer, inputs = nn.MultiheadAttention(12, 3, batch_first=True), torch.rand(2, 5, 12)
    weights = layer(inputs, inputs, inputs, attn_mask=attention.causal_mask(5))[1]
    assert (weights[:, 0] > 0).tolist() == [[False, True, True, True, True]] * 2 and weights[:, 4].isnan().all()
    yield "What does row 0 see?", "Every token but itself"

    names = ("queries", "keys", "values")
    yield "its row 16", *(f"A feature of the {names[row // 12]}" for row in (16, 5, 30))

    queries, keys = torch.rand(2, 4), torch.rand(5, 4)
    seen = F.scaled_dot_product_attention(queries, keys, torch.eye(5), is_causal=True) > 0
    last = F.scaled_dot_product_attention(queries, keys, torch.eye(5), attn_mask=attention.causal_mask(5)[-2:]) > 0
    yield (
        "of which the last 2 are their own",
        *("{} and {} keys".format(*table.sum(dim=-1).tolist()) for table in (seen, last)),
    )
