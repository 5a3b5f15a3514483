# %% import-inspect-import-torch-import [setup]
import inspect

import torch
import torch.nn.functional as F
from torch import nn
from torch.testing import assert_close

from course_utils import attention, checks, plots, properties, quiz, session, widgets

session.start()

# %% inputs-torch-randn-2-5
inputs = torch.randn(2, 5, 4)  # (batch, num_tokens, d_in): no two lengths are equal
healthy = attention.CausalAttention(4, 3, context_length=8)


def unwell(x):
    queries, keys, values = healthy.W_query(x), healthy.W_key(x), healthy.W_value(x)
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    mask = attention.causal_mask(x.shape[-2])
    attn_weights = attention.softmax(attn_scores.masked_fill(~mask, 0.0))
    return attn_weights @ values, attn_weights

# %% def-examine-attend-inputs-context
def examine(attend, inputs):
    context_vecs, attn_weights = attend(inputs)
    return {
        "shapes": (tuple(context_vecs.shape), tuple(attn_weights.shape)),
        "all finite": bool(context_vecs.isfinite().all() and attn_weights.isfinite().all()),
        "rows_sum_to_one": properties.rows_sum_to_one(attn_weights),
        "samples_independent": properties.samples_independent(attend, inputs),
        "no_leak": properties.no_leak(attend, inputs),
    }


found, sick = examine(healthy, inputs), examine(unwell, inputs)
for name in found:
    print(f"{name:20s} {found[name]!s:25s} {sick[name]}")

# %% try-properties-no-leak-healthy
try:
    properties.no_leak(healthy, inputs[0])
except ValueError as error:
    print(error)

# %% attempts-right-lambda-q-k
attempts = {
    "right": lambda q, k, v: attention.softmax(q @ k.transpose(-2, -1) / 3**0.5) @ v,
    "not scaled": lambda q, k, v: attention.softmax(q @ k.transpose(-2, -1)) @ v,
    "softmax of columns":
        lambda q, k, v: attention.softmax(q @ k.transpose(-2, -1) / 3**0.5, dim=-2) @ v,
    "q and k swapped": lambda q, k, v: attention.softmax(k @ q.transpose(-2, -1) / 3**0.5) @ v,
    "keys delivered": lambda q, k, v: attention.softmax(q @ k.transpose(-2, -1) / 3**0.5) @ k,
}

# %% ones-random-torch-ones-2
ones, random = [torch.ones(2, 5, 3)] * 3, [torch.randn(2, 5, 3) for _ in range(3)]
for name, attend in attempts.items():
    passed = [torch.allclose(attend(*qkv), F.scaled_dot_product_attention(*qkv))
              for qkv in (ones, random)]
    print(f"{name:20s} on ones {passed[0]!s:6s} on random numbers {passed[1]}")

# %% mask-attention-padding-mask-5
mask = attention.padding_mask([5, 0], 5)[:, 0]  # (batch, 1, num_keys): the second text is empty
attn_scores = torch.randn(2, 5, 5).masked_fill(~mask, -torch.inf)
attn_weights = torch.softmax(attn_scores, dim=-1)
context_vecs = attn_weights @ torch.randn(2, 5, 3)
print("shape", tuple(context_vecs.shape))

# %% print-text-0-context-vecs
print("text 0", context_vecs[0, 0])
print("text 1", context_vecs[1, 0])
print("nan != nan", torch.nan != torch.nan)
print("nan > 5", torch.nan > 5, "  nan < 5", torch.nan < 5)
try:
    properties.no_leak(lambda x: x.cumsum(dim=1).flip(1) * torch.nan, inputs)
except ValueError as error:
    print("no_leak:", error)

# %% def-matters-function-at-arguments
def matters(function, at, *arguments):
    others = [2 * one + 1 if i == at else one for i, one in enumerate(arguments)]
    return not torch.allclose(function(*others), function(*arguments))


for at, name in enumerate(["queries", "keys", "values"]):
    print(f"{name:8s} right {matters(attempts['right'], at, *random)!s:6s}"
          f" keys delivered {matters(attempts['keys delivered'], at, *random)}")

# %% width-3-def-scaled-queries
width = 3


def scaled(queries, keys):
    return queries @ keys.transpose(-2, -1) / width**0.5


print("reads", [*inspect.getclosurevars(scaled).globals])
globals().pop("width")  # as in a fresh kernel, if the cell with `width = 3` is gone
try:
    scaled(*random[:2])
except NameError as error:
    print(error)

# %% w-query-w-key-w
W_query, W_key, W_value = (torch.randn(4, 3) for _ in range(3))  # (d_in, d_out)
queries, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value  # (2, 5, 3)
tokens = ["the", "robot", "saw", "a", "hill"]

# %% def-broken-row-weights-queries
def broken_row_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=1)


print("alone     ", broken_row_weights(queries[0], keys[0])[0])
print("in a batch", broken_row_weights(queries, keys)[0, 0])

# %% def-attend-1-x-return
def attend_1(x):
    return broken_row_weights(x @ W_query, x @ W_key) @ (x @ W_value)


print("samples_independent", properties.samples_independent(attend_1, inputs))
print("rows_sum_to_one    ", properties.rows_sum_to_one(broken_row_weights(queries, keys)))

# %% case-1-figure [figure]
right = attention.softmax(queries @ keys.transpose(-2, -1) / 3**0.5)
plots.attention_heatmap(torch.stack([right[0], broken_row_weights(queries, keys)[0]]), tokens,
                        titles=["right", "case 1"], vmax=1.0,
                        caption="Left, every row adds up to 1. Right, every column does.")

# %% def-my-row-weights-queries [exercise]
def my_row_weights(queries, keys):
    ...

# %% checks-row-weights-my-row [check]
checks.row_weights(my_row_weights)

# %% def-row-weights-solution-queries [solution]
def row_weights_solution(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=-1)  # the keys stand last, however many axes come before


assert_close(row_weights_solution(queries, keys)[0], broken_row_weights(queries[0], keys[0]))

# %% def-broken-one-row-queries
def broken_one_row(queries, keys, row):
    scores = []
    for j in range(len(keys)):
        scores.append(queries[j] @ keys[j])
    attn_scores = torch.stack(scores) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=-1)


print(broken_one_row(queries[0], keys[0], 1))

# %% for-at-name-in-enumerate
for at, name in enumerate(["queries", "keys", "row"]):
    print(f"{name:8s}", matters(broken_one_row, at, queries[0], keys[0], 1))

# %% def-my-one-row-queries [exercise]
def my_one_row(queries, keys, row):
    ...

# %% checks-one-row-my-one [check]
checks.one_row(my_one_row)

# %% def-one-row-solution-queries [solution]
def one_row_solution(queries, keys, row):
    attn_scores = torch.stack([queries[row] @ key for key in keys]) / keys.shape[-1] ** 0.5
    return torch.softmax(attn_scores, dim=-1)


assert_close(one_row_solution(queries[0], keys[0], 1), right[0, 1])

# %% def-broken-causal-weights-queries
def broken_causal_weights(queries, keys):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    mask = torch.ones(queries.shape[-2], keys.shape[-2]).tril()
    masked = attn_weights * mask
    masked = mask / mask.sum(dim=-1, keepdim=True)
    return masked.expand_as(attn_weights)

# %% case-3-figure [figure]
plots.attention_heatmap(broken_causal_weights(queries, keys)[0], tokens, vmax=1.0,
                        caption="Case 3: no token sees a later one, every row adds up to 1, "
                                "and each row is shared out evenly.")

# %% def-attend-3-x-return
def attend_3(x):
    return broken_causal_weights(x @ W_query, x @ W_key) @ (x @ W_value)


print("rows_sum_to_one", properties.rows_sum_to_one(broken_causal_weights(queries, keys)))
print("no_leak        ", properties.no_leak(attend_3, inputs))
for at, name in enumerate(["queries", "keys"]):
    print(f"{name} matter".ljust(15), matters(broken_causal_weights, at, queries, keys))

# %% def-my-causal-weights-queries [exercise]
def my_causal_weights(queries, keys):
    ...

# %% checks-causal-weights-my-causal [check]
checks.causal_weights(my_causal_weights)

# %% def-causal-weights-solution-queries [solution]
def causal_weights_solution(queries, keys):
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5, dim=-1)
    masked = attn_weights * attention.causal_mask(queries.shape[-2])
    return masked / masked.sum(dim=-1, keepdim=True)


_, expected = attention.scaled_dot_product_attention(queries, keys, values, attention.causal_mask(5))
assert_close(causal_weights_solution(queries, keys), expected)

# %% def-broken-projected-attention-inputs
def broken_projected_attention(inputs, W_query, W_key, W_value):
    querys, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_scores = queries @ keys.transpose(-2, -1) / querys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores, dim=-1)
    return attn_weights @ values, attn_weights


for name, batch in {"these inputs": inputs, "other inputs": torch.randn(2, 5, 4)}.items():
    context_vecs, _ = broken_projected_attention(batch, W_query, W_key, W_value)
    expected = F.scaled_dot_product_attention(batch @ W_query, batch @ W_key, batch @ W_value)
    print(name, torch.allclose(context_vecs, expected, atol=1e-5))

# %% def-attend-4-x-return
def attend_4(x):
    return broken_projected_attention(x, W_query, W_key, W_value)


print("permutation_equivariant", properties.permutation_equivariant(attend_4, inputs))
print("reads", sorted(inspect.getclosurevars(broken_projected_attention).globals))

# %% def-my-projected-attention-inputs [exercise]
def my_projected_attention(inputs, W_query, W_key, W_value):
    ...

# %% checks-projected-attention-my-projected [check]
checks.projected_attention(my_projected_attention)

# %% def-projected-attention-solution-inputs [solution]
def projected_attention_solution(inputs, W_query, W_key, W_value):
    queries, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value
    attn_weights = torch.softmax(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5, dim=-1)
    return attn_weights @ values, attn_weights


assert_close(projected_attention_solution(batch, W_query, W_key, W_value)[0], expected)

# %% def-broken-many-heads-queries
def broken_many_heads(queries, keys, values, num_heads):
    batch_size, num_tokens, d_out = queries.shape
    for part in (queries, keys, values):
        part.view(batch_size, part.shape[1], num_heads, d_out // num_heads).transpose(1, 2)
    context_vecs, _ = attention.scaled_dot_product_attention(queries, keys, values)
    return context_vecs.reshape(batch_size, num_tokens, d_out)


wide = [torch.randn(2, 5, 12) for _ in range(3)]  # queries, keys, values, 12 wide
for num_heads in (1, 2, 4):
    print("num_heads", num_heads, tuple(broken_many_heads(*wide, num_heads).shape))

# %% one-head-four-heads-broken
one_head, four_heads = broken_many_heads(*wide, 1), broken_many_heads(*wide, 4)
print("1 and 4 heads give the same:", torch.equal(one_head, four_heads))

# %% def-my-many-heads-queries [exercise]
def my_many_heads(queries, keys, values, num_heads):
    ...

# %% checks-many-heads-my-many [check]
checks.many_heads(my_many_heads)

# %% def-many-heads-solution-queries [solution]
def many_heads_solution(queries, keys, values, num_heads):
    queries, keys, values = (attention.split_heads(part, num_heads) for part in (queries, keys, values))
    context_vecs, _ = attention.scaled_dot_product_attention(queries, keys, values)
    return attention.merge_heads(context_vecs)  # (batch, num_queries, d_out)


by_slices = [F.scaled_dot_product_attention(*(part[..., i : i + 3] for part in wide)) for i in (0, 3, 6, 9)]
assert_close(many_heads_solution(*wide, 4), torch.cat(by_slices, dim=-1))

# %% def-broken-masked-attention-queries
def broken_masked_attention(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    return attn_weights @ values, attn_weights


is_real = torch.arange(5) >= torch.tensor([[3], [0]])  # (batch, num_tokens): three paddings, none
mask = is_real[:, None, :] & attention.causal_mask(5)  # (batch, num_queries, num_keys)
weight = W_value.clone().requires_grad_()  # trained
context_vecs, attn_weights = broken_masked_attention(queries, keys, inputs @ weight, mask)
loss = context_vecs[is_real].square().mean()  # real words only
print("shape", tuple(context_vecs.shape), f"  loss {loss.item():.4f}")

# %% loss-backward-print-gradient-weight
loss.backward()
print("gradient", weight.grad[0])
print("context vectors all finite:", bool(context_vecs.isfinite().all()))
print("rows_sum_to_one           :", properties.rows_sum_to_one(attn_weights.detach()))

# %% def-my-masked-attention-queries [exercise]
def my_masked_attention(queries, keys, values, mask):
    ...

# %% checks-masked-attention-my-masked [check]
checks.masked_attention(my_masked_attention)

# %% def-masked-attention-solution-queries [solution]
def masked_attention_solution(queries, keys, values, mask):
    attn_scores = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
    attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))  # a row of -inf gives zeros
    return attn_weights @ values, attn_weights


assert_close(masked_attention_solution(queries, keys, values, mask)[0],
             F.scaled_dot_product_attention(queries, keys, values, mask))

# %% def-broken-attend-to-queries
def broken_attend_to(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    values = queries if values is None else values
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights


asker, other = torch.randn(2, 5, 3), torch.randn(2, 5, 3)
for name, texts in {"queries alone": [asker], "one asks another": [asker, other]}.items():
    expected = F.scaled_dot_product_attention(asker, texts[-1], texts[-1])
    print(f"{name:17s}", torch.allclose(broken_attend_to(*texts)[0], expected, atol=1e-6))

# %% same-torch-tensor-7-0
same = torch.tensor([7.0, 8.0, 9.0]).expand(2, 5, 3)
print("delivered  ", broken_attend_to(asker, same)[0][0, 0])
try:
    broken_attend_to(asker, torch.randn(2, 6, 3))
except RuntimeError as error:
    print("with 6 keys", error)

# %% def-my-attend-to-queries [exercise]
def my_attend_to(queries, keys=None, values=None):
    ...

# %% checks-attend-to-my-attend [check]
checks.attend_to(my_attend_to)

# %% def-attend-to-solution-queries [solution]
def attend_to_solution(queries, keys=None, values=None):
    keys = queries if keys is None else keys
    values = keys if values is None else values
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5)
    return attn_weights @ values, attn_weights


assert_close(attend_to_solution(asker, other)[0], F.scaled_dot_product_attention(asker, other, other))

# %% d-in-d-out-num
d_in, d_out, num_tokens = 4, 12, 5


class BrokenAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        layers = [nn.Linear(d_in, d_out, bias=False) for _ in range(3)]
        self.W_query, self.W_key, self.W_value = layers

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = queries @ keys.transpose(-2, -1) / d_out**0.5
        mask = attention.causal_mask(num_tokens)
        attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
        return attn_weights @ values, attn_weights

# %% for-size-in-12-3
for size in (12, 3):
    theirs = attention.CausalAttention(4, size, context_length=8)
    broken = BrokenAnyWidth(4, size)
    broken.load_state_dict(theirs.state_dict())
    agrees = torch.allclose(broken(inputs)[0], theirs(inputs)[0], atol=1e-6)
    print(f"d_out {size:2d} agrees", agrees)
reads = inspect.getclosurevars(BrokenAnyWidth.forward).globals
print("reads the numbers", [name for name in sorted(reads) if isinstance(reads[name], int)])

# %% class-myanywidth-nn-module-def [exercise]
class MyAnyWidth(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        ...

    def forward(self, x):
        ...

# %% checks-any-width-myanywidth [check]
checks.any_width(MyAnyWidth)

# %% class-anywidthsolution-nn-module-def [solution]
class AnyWidthSolution(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        mask = attention.causal_mask(x.shape[-2])
        attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
        return attn_weights @ values, attn_weights


repaired = AnyWidthSolution(4, 3)
repaired.load_state_dict(theirs.state_dict())
assert_close(repaired(inputs[:, :4]), theirs(inputs[:, :4]))

# %% def-broken-adopt-ours-theirs
def broken_adopt(ours, theirs):
    with torch.no_grad():
        for layer, weight, bias in zip((ours.W_key, ours.W_query, ours.W_value),
                                       theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)):
            layer.weight.copy_(weight)
            layer.bias.copy_(bias)
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())


theirs = nn.MultiheadAttention(12, 3, batch_first=True)
ours = attention.MultiHeadAttention(12, 12, 3, qkv_bias=True)
broken_adopt(ours, theirs)
x = 2 * torch.randn(2, 5, 12)

# %% swapped-vecs-swapped-weights-ours
swapped_vecs, swapped_weights = ours(x)
print("all finite             ", bool(swapped_vecs.isfinite().all()))
print("rows_sum_to_one        ", properties.rows_sum_to_one(swapped_weights))
print("samples_independent    ", properties.samples_independent(ours, x))
print("permutation_equivariant", properties.permutation_equivariant(ours, x))

# %% their-vecs-their-weights-theirs
their_vecs, their_weights = theirs(x, x, x, average_attn_weights=False)
print("the same context vectors:", torch.allclose(swapped_vecs, their_vecs, atol=1e-5))

# %% widgets-headsview-their-weights-0 [widget]
widgets.HeadsView(their_weights[0], tokens, compare=swapped_weights[0])

# %% def-head-scores-queries-keys
def head_scores(queries, keys):  # returns (batch, num_heads, num_tokens, num_tokens)
    return attention.split_heads(queries, 3) @ attention.split_heads(keys, 3).transpose(-2, -1)


def mirrored(one, other):
    return torch.allclose(one, other.transpose(-2, -1), atol=1e-5)


to_queries, to_keys, _ = theirs.in_proj_weight.chunk(3)  # (width, width) each
their_scores = head_scores(F.linear(x, to_queries), F.linear(x, to_keys))
our_scores = head_scores(ours.W_query(x), ours.W_key(x))
print("the scores are mirrored: ", mirrored(our_scores, their_scores))
print("the weights are mirrored:", mirrored(swapped_weights, their_weights))

# %% def-my-adopt-ours-theirs [exercise]
def my_adopt(ours, theirs):
    ...

# %% checks-adopt-my-adopt [check]
checks.adopt(my_adopt)

# %% def-adopt-solution-ours-theirs [solution]
def adopt_solution(ours, theirs):
    with torch.no_grad():
        weights, biases = theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3)
        for i, layer in enumerate((ours.W_query, ours.W_key, ours.W_value)):
            layer.weight.copy_(weights[i])
            layer.bias.copy_(biases[i])
        ours.out_proj.load_state_dict(theirs.out_proj.state_dict())


trial = attention.MultiHeadAttention(12, 12, 3, qkv_bias=True)
adopt_solution(trial, theirs)
assert_close(trial(x), (their_vecs, their_weights))

# %% def-broken-same-outputs-ours
def broken_same_outputs(ours, theirs, inputs):
    with torch.no_grad():
        return torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)


ours = attention.MultiHeadAttention(12, 12, 3, qkv_bias=True, dropout=0.5)
twin = attention.MultiHeadAttention(12, 12, 3, qkv_bias=True, dropout=0.5)
checks.adopt.solution(ours, theirs)
checks.adopt.solution(twin, theirs)
print("the same:", broken_same_outputs(ours, twin, x))

# %% print-a-module-and-itself
print("a module and itself:", broken_same_outputs(ours, ours, x))

# %% def-my-same-outputs-ours [exercise]
def my_same_outputs(ours, theirs, inputs):
    ...

# %% checks-same-outputs-my-same [check]
checks.same_outputs(my_same_outputs)

# %% def-same-outputs-solution-ours [solution]
def same_outputs_solution(ours, theirs, inputs):
    modes = {part: part.training for module in (ours, theirs) for part in module.modules()}
    ours.eval(), theirs.eval()
    with torch.no_grad():
        same = torch.allclose(ours(inputs)[0], theirs(inputs)[0], atol=1e-5)
    for part, training in modes.items():
        part.training = training
    return same


assert same_outputs_solution(ours, twin, x) and ours.training and twin.training

# %% suspect-weights-broken-row-weights
suspect = {"weights": broken_row_weights(queries, keys)}
suspect["scores"] = queries @ keys.transpose(-2, -1) / keys.shape[-1] ** 0.5
suspect["context_vecs"] = suspect["weights"] @ values

known = {"scores": torch.einsum("bqd,bkd->bqk", queries, keys) / 3**0.5}
known["weights"] = attention.softmax(known["scores"])
known["context_vecs"] = F.scaled_dot_product_attention(queries, keys, values)
for stage in known:
    print(f"{stage:12s} the same: {torch.allclose(suspect[stage], known[stage], atol=1e-6)}")

# %% yours-attention-multiheadattention-4-6
yours = attention.MultiHeadAttention(4, 6, num_heads=2, causal=True)
for name, result in examine(yours, inputs).items():
    print(f"{name:20s} {result}")
assert torch.equal(yours.eval()(inputs)[0], yours(inputs)[0])  # nothing drawn
first = [attention.split_heads(layer(inputs), 2) for layer in (yours.W_query, yours.W_key, yours.W_value)]
fused = F.scaled_dot_product_attention(*first, is_causal=True)
assert_close(yours.out_proj(attention.merge_heads(fused)), yours(inputs)[0])
print("the same as PyTorch's")

# %% quiz-show-11
quiz.show("11")
