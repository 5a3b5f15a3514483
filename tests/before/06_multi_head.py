# %% import-torch-import-torch-nn [setup]
import torch
import torch.nn.functional as F
from torch import nn
from torch.testing import assert_close

from course_utils import attention, checks, data, plots, quiz, session, widgets

session.start()

# %% sentence-data-load-sentence-pairs
sentence = data.load("sentence_pairs")["weak"]
it = sentence.tokens.index("it")
rows_of_it = {f"head {head}": sentence.attn_weights[3, head, it] for head in (1, 8)}  # (num_tokens,) each
for name, row in rows_of_it.items():
    print(f"{name}: most on {sentence.tokens[row.argmax()]}, {row.max():.2f}")

# %% plots-attention-bars-rows-of [widget]
widgets.SentenceView(sentence.attn_weights[3], sentence.tokens, head=1, query=it)

# %% first-story-torch-tensor-1
first_story = torch.tensor([[1.0, 0.0, 2.0],  # robot carries 2
                            [0.0, 1.0, 5.0]])  # hill carries 5
second_story = torch.tensor([[1.0, 0.0, 5.0],  # robot carries 5
                             [0.0, 1.0, 2.0]])  # hill carries 2
one_row = torch.tensor([0.5, 0.5])

# %% print-first-story-one-row
print("first story ", one_row @ first_story)
print("second story", one_row @ second_story)

# %% for-trial-in-range-100
for trial in range(100):
    any_values = torch.randn(3, 2)
    assert_close(one_row @ (first_story @ any_values), one_row @ (second_story @ any_values))
print("100 value matrices drawn: the two stories never differed")

# %% two-rows-torch-tensor-1
two_rows = torch.tensor([[1.0, 0.0],  # head 0 looks at robot
                         [0.0, 1.0]])  # head 1 looks at hill
for story in (first_story, second_story):
    print((two_rows @ story[:, 2:]).flatten())  # what is carried, one number a head

# %% torch-manual-seed-1-inputs
torch.manual_seed(1)
inputs = torch.randn(2, 5, 6)  # (batch, num_tokens, d_in)
heads = [attention.CausalAttention(6, 3, context_length=8) for _ in range(4)]
notes = [head(inputs)[0] for head in heads]  # four times (2, 5, 3)
print([tuple(note.shape) for note in notes])

# %% print-cat-tuple-torch-cat
print("cat  ", tuple(torch.cat(notes, dim=-1).shape))
print("stack", tuple(torch.stack(notes, dim=-1).shape))

# %% class-inalist-nn-module-def
class InAList(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = [nn.Linear(6, 3) for _ in range(4)]


class InAModuleList(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList(nn.Linear(6, 3) for _ in range(4))


for model in (InAList(), InAModuleList()):
    print(type(model).__name__, sum(parameter.numel() for parameter in model.parameters()))

# %% class-mystackedheads-nn-module-def [exercise]
class MyStackedHeads(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        ...

    def forward(self, x):
        ...

# %% checks-stacked-heads-mystackedheads [check]
checks.stacked_heads(MyStackedHeads)

# %% class-stackedheadssolution-nn-module-def [solution]
class StackedHeadsSolution(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))

    def forward(self, x):
        results = [head(x) for head in self.heads]
        context_vecs = torch.cat([vecs for vecs, _ in results], dim=-1)  # (batch, num_tokens, num_heads * head_dim)
        attn_weights = torch.stack([weights for _, weights in results], dim=1)  # (batch, num_heads, t, t)
        return context_vecs, attn_weights


solution = StackedHeadsSolution(6, 3, num_heads=4, context_length=8)
reference = attention.StackedHeads(6, 3, num_heads=4, context_length=8)
solution.load_state_dict(reference.state_dict())
assert_close(solution(inputs), reference(inputs))

# %% stacked-attention-stackedheads-6-3
stacked = attention.StackedHeads(6, 3, context_length=8, num_heads=4)
for place, head in enumerate(heads):
    stacked.heads[place].load_state_dict(head.state_dict())
stacked_vecs, stacked_weights = stacked(inputs)  # (2, 5, 12), (2, 4, 5, 5)
assert_close(stacked_vecs, torch.cat(notes, dim=-1))

# %% letters-a-b-c-d [figure]
letters = ["a", "b", "c", "d", "e"]
plots.attention_heatmap(stacked_weights[0], letters, vmax=1.0,
                        caption="Four causal heads on one text: the same tokens, four different tables of weights.")

# %% w-query-w-key-w
W_query, W_key, W_value = (nn.Linear(6, 12, bias=False) for _ in range(3))
with torch.no_grad():
    for name, layer in {"W_query": W_query, "W_key": W_key, "W_value": W_value}.items():
        layer.weight.copy_(torch.cat([getattr(head, name).weight for head in heads]))  # 4 × (3, 6) → (12, 6)
queries, keys, values = W_query(inputs), W_key(inputs), W_value(inputs)  # (2, 5, 12) each

# %% for-place-head-in-enumerate
for place, head in enumerate(heads):
    features = queries[..., 3 * place : 3 * place + 3]  # (2, 5, 3)
    assert_close(features, head.W_query(inputs))
    print(f"head {place}: features {3 * place} to {3 * place + 2}")

# %% def-my-split-heads-x [exercise]
def my_split_heads(x, num_heads):
    ...

# %% checks-split-heads-my-split [check]
checks.split_heads(my_split_heads)

# %% def-split-heads-solution-x [solution]
def split_heads_solution(x, num_heads):
    batch_size, num_tokens, d_out = x.shape
    if d_out % num_heads:
        raise ValueError(f"d_out = {d_out} is not divisible by num_heads = {num_heads}.")
    x = x.view(batch_size, num_tokens, num_heads, d_out // num_heads)  # cut the features
    return x.transpose(1, 2)  # (batch, num_heads, num_tokens, head_dim)


assert_close(split_heads_solution(queries, 4), attention.split_heads(queries, 4))
by_slices = torch.stack([queries[..., 3 * head : 3 * head + 3] for head in range(4)], dim=1)
assert_close(split_heads_solution(queries, 4), by_slices)

# %% plots-split-paths-num-tokens [figure]
plots.split_paths(num_tokens=4, num_heads=2, head_dim=3,
                  caption="The right way cuts each row in two, then moves the axis: every row stays one token's. "
                          "The wrong view gives the same shape, and 6 of 8 rows hold another token's numbers.")

# %% numbered-torch-arange-24-view
numbered = torch.arange(24).view(4, 6)  # (num_tokens, d_out)
right = numbered.view(4, 2, 3).transpose(-3, -2)  # (num_heads, num_tokens, head_dim)
wrong = numbered.view(2, 4, 3)
assert right.shape == wrong.shape
print("right, head 0:", right[0].tolist())
print("wrong, head 0:", wrong[0].tolist())

# %% widgets-shapetracer-num-tokens-4 [widget]
widgets.ShapeTracer(num_tokens=4, num_heads=2, head_dim=3)

# %% a-torch-arange-24-0
a = torch.arange(24.0).view(1, 2, 3, 4) / 10  # (batch, num_heads, num_tokens, head_dim)
products = a @ a.transpose(2, 3)  # (1, 2, 3, 3)
for head in range(2):
    assert_close(products[0, head], a[0, head] @ a[0, head].transpose(0, 1))
print(products)

# %% def-my-head-weights-queries [exercise]
def my_head_weights(queries, keys, num_heads):
    ...

# %% checks-head-weights-my-head [check]
checks.head_weights(my_head_weights)

# %% def-head-weights-solution-queries [solution]
def head_weights_solution(queries, keys, num_heads):
    queries = attention.split_heads(queries, num_heads)  # (batch, num_heads, num_queries, head_dim)
    keys = attention.split_heads(keys, num_heads)  # (batch, num_heads, num_keys, head_dim)
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    return attention.softmax(attn_scores)  # (batch, num_heads, num_queries, num_keys)


for place, head in enumerate(heads):
    _, alone = attention.scaled_dot_product_attention(head.W_query(inputs), head.W_key(inputs), head.W_value(inputs))
    assert_close(head_weights_solution(queries, keys, 4)[:, place], alone)

# %% split-attention-split-heads-part
split = [attention.split_heads(part, 4) for part in (queries, keys, values)]  # (2, 4, 5, 3) each
mask = attention.causal_mask(5)
context_vecs, attn_weights = attention.scaled_dot_product_attention(*split, mask=mask)
print(tuple(context_vecs.shape), tuple(attn_weights.shape))
assert_close(attn_weights, stacked_weights)

# %% def-my-merge-heads-x [exercise]
def my_merge_heads(x):
    ...

# %% checks-merge-heads-my-merge [check]
checks.merge_heads(my_merge_heads)

# %% def-merge-heads-solution-x [solution]
def merge_heads_solution(x):
    batch_size, num_heads, num_tokens, head_dim = x.shape
    x = x.transpose(1, 2)  # (batch, num_tokens, num_heads, head_dim)
    return x.reshape(batch_size, num_tokens, num_heads * head_dim)


assert_close(merge_heads_solution(context_vecs), attention.merge_heads(context_vecs))
assert_close(merge_heads_solution(split_heads_solution(queries, 4)), queries)  # there and back

# %% plots-merge-paths-num-tokens [figure]
plots.merge_paths(num_tokens=4, num_heads=2, head_dim=3,
                  caption="The right way moves the axis back, then joins: every row is one token's. "
                          "The wrong reshape gives the same shape, and every row holds two tokens' numbers.")

# %% turned-context-vecs-transpose-1
turned = context_vecs.transpose(1, 2)  # (2, 5, 4, 3)
print("in order:", turned.is_contiguous())
try:
    turned.view(2, 5, 12)
except RuntimeError as error:
    print(error)

# %% merged-turned-contiguous-view-2
merged = turned.contiguous().view(2, 5, 12)  # (batch, num_tokens, d_out)
assert_close(merged, turned.reshape(2, 5, 12))
assert_close(merged, stacked_vecs)
print("the loop over heads and the reshape give the same", tuple(merged.shape))

# %% out-proj-nn-linear-12
out_proj = nn.Linear(12, 12)
other_vecs = context_vecs.clone()
other_vecs[:, 0] += 1.0  # head 0 says something else
other_merged = attention.merge_heads(other_vecs)


def changed(before, after):
    return (before != after).flatten(0, 1).any(dim=0).nonzero().flatten().tolist()


print("side by side  ", changed(merged, other_merged))
print("after out_proj", changed(out_proj(merged), out_proj(other_merged)))

# %% boxes-inputs-4-6-5 [figure]
boxes = {
    "inputs": (4, 6.5, "inputs"),
    "query": (1.6, 5.45, "W_query"), "key": (4, 5.45, "W_key"), "value": (6.4, 5.45, "W_value"),
    "split": (4, 4.4, "split: view, transpose"),
    **{f"head {i}": (0.8 + 2.13 * i, 3.3, f"head {i}\nattends") for i in range(4)},
    "merge": (4, 2.15, "merge: transpose, reshape"),
    "out_proj": (4, 1.25, "out_proj"),
    "output": (4, 0.35, "output"),
}
arrows = [
    ("inputs", "query", ""), ("inputs", "key", " (2, 5, 6)"), ("inputs", "value", ""),
    ("query", "split", ""), ("key", "split", " (2, 5, 12)"), ("value", "split", ""),
    ("split", "head 0", ""), ("split", "head 1", ""), ("split", "head 2", ""), ("split", "head 3", "(2, 4, 5, 3)"),
    ("head 0", "merge", ""), ("head 1", "merge", "(2, 4, 5, 3)"), ("head 2", "merge", ""), ("head 3", "merge", ""),
    ("merge", "out_proj", " (2, 5, 12)"), ("out_proj", "output", " (2, 5, 12)"),
]
plots.diagram(boxes, arrows, size=(8, 6.9),
              caption="Inputs (2, 5, 6) are projected to queries, keys and values (2, 5, 12), split into four heads "
                      "(2, 4, 5, 3), merged to (2, 5, 12), and projected once more.")

# %% two-tokens-torch-randn-1
two_tokens = torch.randn(1, 2, 512)  # (batch, num_tokens, d_in)
large = attention.MultiHeadAttention(512, 512, num_heads=8)
output, weights_of_8 = large(two_tokens)
values_of_all = large.W_value(two_tokens)
values_of_8 = attention.split_heads(values_of_all, 8)
notes_of_8 = weights_of_8 @ values_of_8

stages = [("inputs", two_tokens), ("values", values_of_all), ("split", values_of_8),
          ("weights", weights_of_8), ("notes", notes_of_8),
          ("merged", attention.merge_heads(notes_of_8)), ("output", output)]
for name, tensor in stages:
    print(f"{name:8s} {tuple(tensor.shape)}")

# %% for-num-heads-in-1
for num_heads in (1, 8, 64):
    layer = attention.MultiHeadAttention(512, 512, num_heads)
    print(f"{num_heads:2d} heads of {512 // num_heads:3d}: {sum(p.numel() for p in layer.parameters()):,} parameters")

# %% def-my-cost-num-tokens [exercise]
def my_cost(num_tokens, d_out, num_heads):
    ...

# %% checks-attention-cost-my-cost [check]
checks.attention_cost(my_cost)

# %% def-cost-solution-num-tokens [solution]
def cost_solution(num_tokens, d_out, num_heads):
    projections = 4 * num_tokens * d_out**2  # queries, keys, values, out_proj
    products = 2 * num_tokens**2 * d_out  # per head num_tokens² · head_dim, times num_heads
    kept = num_heads * num_tokens**2
    return projections, products, kept


assert cost_solution(10, 4, 2) == (640, 800, 200)

# %% print-tokens-projections-products-weight
print("tokens    projections         products    weights (8 heads)")
for num_tokens in (100, 1_000, 10_000):
    products = 2 * num_tokens**2 * 512
    print(f"{num_tokens:6,} {4 * num_tokens * 512**2:14,} {products:16,} {8 * num_tokens**2:20,}")

# %% class-mymultiheadattention-nn-module-def [exercise]
class MyMultiHeadAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        ...

    def forward(self, x):
        ...

# %% checks-multi-head-mymultiheadattention [check]
checks.multi_head(MyMultiHeadAttention)

# %% class-multiheadattentionsolution-nn-modu [solution]
class MultiHeadAttentionSolution(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"d_out = {d_out} is not divisible by num_heads = {num_heads}.")
        self.num_heads = num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length), persistent=False)

    def split(self, x):
        return x.view(*x.shape[:2], self.num_heads, -1).transpose(1, 2)  # (batch, num_heads, num_tokens, head_dim)

    def forward(self, x):
        queries, keys, values = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5  # (batch, num_heads, t, t)
        num_tokens = x.shape[1]
        mask = self.mask[:num_tokens, :num_tokens]
        attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
        attn_weights = self.dropout(attn_weights)
        context_vecs = (attn_weights @ values).transpose(1, 2)  # (batch, num_tokens, num_heads, head_dim)
        return self.out_proj(context_vecs.flatten(2)), attn_weights


solution = MultiHeadAttentionSolution(6, 12, 4, context_length=8)
reference = attention.MultiHeadAttention(6, 12, 4, causal=True)
solution.load_state_dict(reference.state_dict())
assert_close(solution(inputs), reference(inputs))

# %% many-attention-multiheadattention-6-12
many = attention.MultiHeadAttention(6, 12, num_heads=4, causal=True)
parts = {"W_query": W_query, "W_key": W_key, "W_value": W_value, "out_proj": out_proj}
for name, layer in parts.items():
    getattr(many, name).load_state_dict(layer.state_dict())

assert_close(many(inputs), (out_proj(merged), stacked_weights))
assert_close(F.scaled_dot_product_attention(*split, is_causal=True), context_vecs)

# %% try-attention-multiheadattention-6-12
try:
    attention.MultiHeadAttention(6, 12, num_heads=5)
except ValueError as error:
    print(error)

# %% multihead-checks-multi-head-solution [widget]
MultiHead = checks.multi_head.solution  # or MyMultiHeadAttention


def attend_with(num_heads):
    torch.manual_seed(2)
    model = MultiHead(6, 12, num_heads, context_length=8).eval()
    return model(4 * inputs)[1][0]  # (num_heads, num_tokens, num_tokens); 4 times, so that the weights differ more


widgets.AttentionLab(attend_with, letters, num_heads=[4, 1, 2, 3, 5, 6, 12])

# %% num-heads-2-torch-set
NUM_HEADS = 2

torch.set_printoptions(precision=3, sci_mode=False)
torch.manual_seed(7)
words = ["the", "robot", "is", "weak"]
layer = attention.MultiHeadAttention(8, 8, NUM_HEADS, causal=True)
with torch.no_grad():
    layer.W_query.weight.mul_(3)
    layer.W_key.weight.mul_(3)
walk_inputs = torch.randn(1, 4, 8)  # (batch, num_tokens, d_in)
head_dim = 8 // NUM_HEADS
print(walk_inputs)

# %% walk-queries-walk-keys-walk
walk_queries, walk_keys, walk_values = layer.W_query(walk_inputs), layer.W_key(walk_inputs), layer.W_value(walk_inputs)
for name, table in {"queries": walk_queries, "keys": walk_keys, "values": walk_values}.items():
    print(name, tuple(table.shape), table[0].detach(), sep="\n")

# %% q-k-v-attention-split
q, k, v = (attention.split_heads(part, NUM_HEADS) for part in (walk_queries, walk_keys, walk_values))
print("queries, split", tuple(q.shape))  # (batch, num_heads, num_tokens, head_dim)
print(q[0].detach())

# %% scores-q-k-transpose-2
scores = q @ k.transpose(-2, -1) / head_dim**0.5  # (batch, num_heads, num_tokens, num_tokens)
print(scores[0].detach())

start = 8 - head_dim  # the last head's first feature
by_hand = sum(walk_queries[0, 3, i] * walk_keys[0, 0, i] for i in range(start, 8)) / head_dim**0.5
assert_close(scores[0, -1, 3, 0], by_hand)
print(f"by hand: {by_hand.item():.3f}")

# %% masked-scores-scores-masked-fill
masked_scores = scores.masked_fill(~attention.causal_mask(4), -torch.inf)
print(masked_scores[0].detach())

# %% weights-attention-softmax-masked-scores
weights = attention.softmax(masked_scores)  # (batch, num_heads, num_tokens, num_tokens)
print(weights[0].detach())
print("row sums", weights[0].sum(dim=-1).detach(), sep="\n")

# %% plots-attention-heatmap-weights-0 [figure]
plots.attention_heatmap(weights[0], words, vmax=1.0,
                        caption="The weights of each head of the walk, on one scale: nothing above the diagonal, "
                                "and the heads do not agree.")

# %% mixed-weights-v-batch-num
mixed = weights @ v  # (batch, num_heads, num_tokens, head_dim)
print(mixed[0].detach())
assert_close(mixed[0, :, 0], v[0, :, 0])

# %% plots-mixture-weights-0-0 [figure]
plots.mixture(weights[0, 0, 2], v[0, 0], words,
              caption="Head 0, third token: each number of its context vector is stacked from the shares "
                      "of the tokens that it sees.")

# %% side-by-side-attention-merge
side_by_side = attention.merge_heads(mixed)  # (batch, num_tokens, d_out)
print(side_by_side[0].detach())

# %% summary-layer-out-proj-side
summary = layer.out_proj(side_by_side)  # (batch, num_tokens, d_out)
print(summary[0].detach())
assert_close(layer(walk_inputs), (summary, weights))
torch.set_printoptions(precision=4, sci_mode=False)  # as before the walk

# %% folded-part-flatten-0-1
folded = [part.flatten(0, 1) for part in split]  # (2 · 4, 5, 3) each
folded_vecs, folded_weights = attention.scaled_dot_product_attention(*folded, mask=mask)
print(tuple(folded_vecs.shape), tuple(folded_weights.shape))
assert_close(folded_vecs.unflatten(0, (2, 4)), context_vecs)
assert_close(folded_weights.unflatten(0, (2, 4)), attn_weights)

# %% single-attention-causalattention-6-12
single = attention.CausalAttention(6, 12, context_length=8)
one_head = attention.MultiHeadAttention(6, 12, num_heads=1, causal=True)
for name in ("W_query", "W_key", "W_value"):
    getattr(one_head, name).load_state_dict(getattr(single, name).state_dict())
assert_close(one_head(inputs)[0], one_head.out_proj(single(inputs)[0]))

# %% def-train-finder-num-heads
def train_finder(num_heads):
    torch.manual_seed(0)
    finder, read_out = attention.MultiHeadAttention(16, 12, num_heads), nn.Linear(12, 5)
    optimizer = torch.optim.AdamW([*finder.parameters(), *read_out.parameters()], lr=0.003)
    for _ in session.progress(601, f"Training with num_heads={num_heads}"):
        train = data.retrieval_batch(64)
        digit_scores = read_out(finder(train.inputs)[0][:, 5:])  # (64, 3, 5)
        loss = F.cross_entropy(digit_scores.flatten(0, 1), train.targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return finder, read_out


trained = {num_heads: train_finder(num_heads) for num_heads in (1, 3, 12)}

# %% torch-manual-seed-1-fresh
torch.manual_seed(1)
fresh = data.retrieval_batch(1000)
marks = fresh.inputs[..., :10]  # (1000, 8, 10)
carrier = (marks[:, 5:] @ marks[:, :5].transpose(-2, -1)).argmax(dim=-1)  # (1000, 3): who has the asker's mark
share_right, best_head = {}, {}
with torch.no_grad():
    for num_heads, (finder, read_out) in trained.items():
        vecs, weights_found = finder(fresh.inputs)  # (1000, 8, 12), (1000, num_heads, 8, 8)
        digits = read_out(vecs[:, 5:]).argmax(dim=-1)
        share_right[num_heads] = (digits == fresh.targets).float().mean().item()
        hits = weights_found[:, :, 5:].argmax(dim=-1) == carrier[:, None]  # (1000, num_heads, 3)
        best_head[num_heads] = hits.float().mean(dim=(0, 2)).max().item()

# %% assert-share-right-1-0
assert share_right[1] > 0.95 and share_right[3] > 0.95
assert 0.5 < share_right[12] < 0.95
assert best_head[1] > 0.95 and best_head[12] < 0.5
print("right answers: above 95 % with 1 head and with 3, between 50 % and 95 % with 12")
print("strongest weight on the right carrier: above 95 % in the single wide head,")
print("below 50 % in the best of the 12 narrow heads")

# %% labels-data-retrieval-labels-fresh [figure]
labels = data.retrieval_labels(fresh.inputs[0])
with torch.no_grad():
    one_wide, twelve_narrow = (trained[n][0](fresh.inputs[:1])[1][0, :, 5:] for n in (1, 12))
plots.attention_heatmap(torch.cat([one_wide, twelve_narrow[:2]]), labels[5:], labels,
                        titles=["1 head, 12 wide", "12 heads: no. 0", "12 heads: no. 1"],
                        caption="Three askers over eight tokens. The wide head finds the carrier of each mark; "
                                "neither of the two heads of width 1 finds all three.")

# %% with-torch-no-grad-winners
with torch.no_grad():
    winners = {n: trained[n][0](fresh.inputs)[1].argmax(dim=-1) for n in (1, 12)}  # (1000, num_heads, 8)
for num_heads, tokens in winners.items():
    most = max(len(set(queries_of_one)) for queries_of_one in tokens.flatten(0, 1).tolist())
    print(f"num_heads={num_heads:2d}: more than two winners in some table of weights:", most > 2)
    assert (most > 2) == (num_heads == 1)

all_three = (winners[12][:, :, 5:] == carrier[:, None]).all(dim=-1)  # (1000, 12)
assert not all_three.any()
print("in none of 1000 examples does a narrow head find all three carriers")

# %% quiz-show-06
quiz.show("06")
