"""Right answers to the exercises of *Debug clinic*, and wrong ones with the words they hear."""

import copy
import math

import torch
import torch.nn.functional as F
from torch import nn

from course_utils import attention

num_tokens = 5  # what the page leaves lying about


def weights_by_loop(queries, keys):
    if queries.dim() > 2:
        return torch.stack([weights_by_loop(*pair) for pair in zip(queries, keys, strict=True)])
    return torch.stack([torch.softmax(keys @ query / len(query) ** 0.5, dim=0) for query in queries])


def weights_by_identity(queries, keys):
    return F.scaled_dot_product_attention(queries, keys, torch.eye(keys.shape[-2], dtype=keys.dtype))


def row_in_place(queries, keys, row):
    scores = torch.zeros(len(keys), dtype=keys.dtype)
    for j in range(len(keys)):
        scores[j] = queries[row].dot(keys[j])
    return F.softmax(scores / math.sqrt(queries.shape[1]), dim=0)


def causal_by_infinity(queries, keys):
    scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
    return torch.softmax(scores + torch.full(scores.shape[-2:], -torch.inf).triu(1), dim=-1)


def causal_by_rows(queries, keys):
    weights = (queries @ keys.mT / keys.shape[-1] ** 0.5).softmax(-1)
    weights = torch.tril(weights)
    return weights.div(weights.sum(-1, keepdim=True))


def projected_by_einsum(inputs, W_query, W_key, W_value):
    q, k, v = (torch.einsum("...td,de->...te", inputs, matrix) for matrix in (W_query, W_key, W_value))
    weights = torch.einsum("...qe,...ke->...qk", q, k).div(W_query.shape[1] ** 0.5).softmax(dim=-1)
    return weights @ v, weights


def heads_by_slices(queries, keys, values, num_heads):
    parts = [part.chunk(num_heads, dim=-1) for part in (queries, keys, values)]
    return torch.cat([F.scaled_dot_product_attention(*head) for head in zip(*parts, strict=True)], dim=-1)


def heads_by_view(queries, keys, values, num_heads):
    batch_size, tokens, width = queries.shape
    q, k, v = (
        part.view(batch_size, -1, num_heads, width // num_heads).transpose(1, 2) for part in (queries, keys, values)
    )
    vecs = F.scaled_dot_product_attention(q, k, v)
    return vecs.transpose(1, 2).contiguous().view(batch_size, tokens, width)


def heads_by_einsum(queries, keys, values, num_heads):
    q, k, v = (part.unflatten(-1, (num_heads, -1)) for part in (queries, keys, values))
    weights = torch.einsum("bqhd,bkhd->bhqk", q, k).div(q.shape[-1] ** 0.5).softmax(dim=-1)
    return torch.einsum("bhqk,bkhd->bqhd", weights, v).flatten(-2)


def masked_afterwards(queries, keys, values, mask):
    scores = (queries @ keys.mT / keys.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1).masked_fill(~mask, 0.0)
    return weights @ values, weights


def masked_by_exponentials(queries, keys, values, mask):
    exps = torch.exp(queries @ keys.mT / keys.shape[-1] ** 0.5) * mask
    totals = exps.sum(dim=-1, keepdim=True)
    weights = exps / torch.where(totals == 0, 1.0, totals)
    return weights @ values, weights


def masked_with_a_billion(queries, keys, values, mask):
    scores = (queries @ keys.mT / keys.shape[-1] ** 0.5).masked_fill(~mask, -1e9)
    weights = torch.softmax(scores, dim=-1) * mask.any(dim=-1, keepdim=True)
    return weights @ values, weights


def asked_in_steps(queries, keys=None, values=None):
    if keys is None:
        keys = queries
    if values is None:
        values = keys
    weights = weights_by_identity(queries, keys)
    return F.scaled_dot_product_attention(queries, keys, values), weights


def asked_by_the_count(*texts):
    texts = [text for text in texts if text is not None]
    queries, keys, values = texts[0], texts[min(1, len(texts) - 1)], texts[-1]
    return attention.scaled_dot_product_attention(queries, keys, values)


def asked_in_one_line(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    return attention.scaled_dot_product_attention(queries, keys, keys if values is None else values)


class KeepsItsWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.d_out = d_out
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        scores = self.W_query(x) @ self.W_key(x).mT / self.d_out**0.5
        future = torch.ones(x.shape[-2], x.shape[-2]).triu(1).bool()
        weights = scores.masked_fill(future, -torch.inf).softmax(-1)
        return weights @ self.W_value(x), weights


class LayerWidth(KeepsItsWidth):
    def forward(self, x):
        mask = torch.tril(torch.ones(x.size(-2), x.size(-2))) == 1
        scores = self.W_query(x) @ self.W_key(x).mT / math.sqrt(self.W_key.out_features)
        weights = attention.softmax(torch.where(mask, scores, -torch.inf))
        return [weights @ self.W_value(x), weights]


class ByTheCourse(KeepsItsWidth):
    def forward(self, x):
        parts = (layer(x) for layer in (self.W_query, self.W_key, self.W_value))
        return attention.scaled_dot_product_attention(*parts, attention.causal_mask(x.shape[-2]))


def adopt_by_slices(ours, theirs):
    width = theirs.embed_dim
    with torch.no_grad():
        for i, layer in enumerate((ours.W_query, ours.W_key, ours.W_value)):
            layer.weight[:] = theirs.in_proj_weight[i * width : (i + 1) * width]
            layer.bias[:] = theirs.in_proj_bias[i * width : (i + 1) * width]
        ours.out_proj.weight.copy_(theirs.out_proj.weight)
        ours.out_proj.bias.copy_(theirs.out_proj.bias)


def adopt_by_data(ours, theirs):
    for layer, weight, bias in zip(
        (ours.W_query, ours.W_key, ours.W_value),
        theirs.in_proj_weight.data.chunk(3),
        theirs.in_proj_bias.data.split(theirs.embed_dim),
        strict=True,
    ):
        layer.weight.data, layer.bias.data = weight.clone(), bias.clone()
    ours.out_proj.load_state_dict(theirs.out_proj.state_dict())


def adopt_by_state(ours, theirs):
    state = {"out_proj.weight": theirs.out_proj.weight, "out_proj.bias": theirs.out_proj.bias}
    for kind in ("weight", "bias"):
        parts = getattr(theirs, f"in_proj_{kind}").unflatten(0, (3, -1))
        state |= {f"W_{name}.{kind}": part for name, part in zip(("query", "key", "value"), parts, strict=True)}
    ours.load_state_dict(state)


def same_by_copies(ours, theirs, inputs):
    results = [copy.deepcopy(module).eval()(inputs)[0] for module in (ours, theirs)]
    return torch.allclose(*results, atol=1e-5)


def same_by_assertion(ours, theirs, inputs):
    parts = [*ours.modules(), *theirs.modules()]
    modes = [part.training for part in parts]
    try:
        ours.eval(), theirs.eval()
        torch.testing.assert_close(ours(inputs)[0], theirs(inputs)[0])
        return True
    except AssertionError:
        return False
    finally:
        for part, mode in zip(parts, modes, strict=True):
            part.training = mode


def same_as_a_tensor(ours, theirs, inputs):
    ours, theirs = copy.deepcopy(ours).eval(), copy.deepcopy(theirs).eval()
    return ((ours(inputs)[0] - theirs(inputs)[0]).abs() < 1e-4).all()


def heads_half(queries, keys, values, num_heads):
    batch_size, tokens, width = queries.shape
    queries, keys, values = (
        part.view(batch_size, part.shape[1], num_heads, width // num_heads).transpose(1, 2)
        for part in (queries, keys, values)
    )
    context_vecs, _ = attention.scaled_dot_product_attention(queries, keys, values)
    return context_vecs.reshape(batch_size, tokens, width)


def mended_vectors_only(queries, keys, values, mask):
    scores = (queries @ keys.mT / keys.shape[-1] ** 0.5).masked_fill(~mask, -torch.inf)
    weights = torch.softmax(scores, dim=-1)
    return torch.nan_to_num(weights @ values), weights


def seeded(ours, theirs, inputs):
    torch.manual_seed(0)
    one = ours(inputs)[0]
    torch.manual_seed(0)
    return torch.allclose(one, theirs(inputs)[0], atol=1e-5)


class StillReadsTokens(KeepsItsWidth):
    def forward(self, x):
        scores = self.W_query(x) @ self.W_key(x).mT / self.d_out**0.5
        weights = scores.masked_fill(~attention.causal_mask(num_tokens), -torch.inf).softmax(-1)
        return weights @ self.W_value(x), weights


def divided_by_the_mask(queries, keys):
    weights = torch.softmax(queries @ keys.mT / keys.shape[-1] ** 0.5, dim=-1)
    mask = torch.ones(queries.shape[-2], keys.shape[-2]).tril()
    return weights * mask / mask.sum(dim=-1, keepdim=True)


RIGHT = {
    "row_weights": [
        weights_by_loop,
        weights_by_identity,
        lambda q, k: attention.softmax(q @ k.mT / k.shape[-1] ** 0.5),
    ],
    "one_row": [
        row_in_place,
        lambda queries, keys, row: weights_by_loop(queries, keys)[row],
        lambda queries, keys, row: (queries[row] * keys).sum(-1).div(keys.shape[1] ** 0.5).softmax(0),
    ],
    "causal_weights": [
        causal_by_infinity,
        causal_by_rows,
        lambda q, k: attention.scaled_dot_product_attention(q, k, k, attention.causal_mask(q.shape[-2]))[1],
    ],
    "projected_attention": [
        projected_by_einsum,
        lambda x, *matrices: attention.scaled_dot_product_attention(*(x @ matrix for matrix in matrices)),
        lambda x, q, k, v: (
            F.scaled_dot_product_attention(x @ q, x @ k, x @ v),
            weights_by_identity(x @ q, x @ k),
        ),
    ],
    "many_heads": [heads_by_slices, heads_by_view, heads_by_einsum],
    "masked_attention": [
        masked_afterwards,
        masked_by_exponentials,
        masked_with_a_billion,
        attention.scaled_dot_product_attention,
    ],
    "attend_to": [asked_in_steps, asked_by_the_count, asked_in_one_line],
    "any_width": [KeepsItsWidth, LayerWidth, ByTheCourse],
    "adopt": [adopt_by_slices, adopt_by_data, adopt_by_state],
    "same_outputs": [same_by_copies, same_by_assertion, same_as_a_tensor],
}


SAID = [
    (
        "row_weights",
        lambda q, k: torch.softmax(q @ k.mT / k.shape[-1] ** 0.5, dim=2),
        "`dim=2` mends the batch of three axes and nothing else",
    ),
    (
        "one_row",
        lambda q, k, row: torch.softmax(torch.stack([q[row] @ k[row]] * len(k)), dim=-1),
        "The query stays, the key runs",
    ),
    ("causal_weights", divided_by_the_mask, "divided by how many cells are open"),
    ("many_heads", heads_half, "the split is kept now, and the last line is still the old one"),
    (
        "masked_attention",
        mended_vectors_only,
        "the context vectors are mended, and the weights that come back still hold `nan`",
    ),
    ("any_width", StillReadsTokens, "reads `num_tokens` from the notebook"),
    ("same_outputs", seeded, "dropout draws anew for each module"),
]
