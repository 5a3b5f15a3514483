# %% import-torch-import-torch-nn [setup]
import torch
import torch.nn.functional as F
from torch import nn
from torch.testing import assert_close

from course_utils import attention, checks, data, plots, quiz, session, widgets

session.start()

# %% row-torch-tensor-0-40
row = torch.tensor([0.40, 0.25, 0.20, 0.10, 0.05])  # (num_keys,) the weights of one query
noise = torch.rand(5)  # (num_keys,) random numbers, evenly spread from 0 to 1
print(noise)

# %% p-0-5-after-for
p = 0.5
after = []
for weight, drawn in zip(row.tolist(), noise.tolist()):
    after.append(0.0 if drawn < p else weight)
    print(f"weight {weight:.2f}   noise {drawn:.2f}   becomes {after[-1]:.2f}")
print(f"sum {sum(after):.2f}")

# %% draws-torch-rand-10-000
draws = torch.rand(10_000, 5)  # (draws, num_keys)
sums = (row * (draws >= p)).sum(dim=-1)  # (draws,)
print(f"smallest {sums.min():.2f}   largest {sums.max():.2f}   mean {sums.mean():.2f}")

# %% def-my-dropout-x-noise [exercise]
def my_dropout(x, noise, p):
    ...

# %% checks-dropout-my-dropout [check]
checks.dropout(my_dropout)

# %% def-dropout-solution-x-noise [solution]
def dropout_solution(x, noise, p):
    if not 0 <= p < 1:
        raise ValueError(f"p must be in [0, 1), got {p}.")
    return x * (noise >= p) / (1 - p)


assert_close(dropout_solution(row, noise, 0.0), row)
assert_close(dropout_solution(row, draws, 0.5).mean(dim=0), row, atol=0.02, rtol=0)

# %% sums-row-draws-p-1
sums = (row * (draws >= p) / (1 - p)).sum(dim=-1)
print(f"smallest {sums.min():.2f}   largest {sums.max():.2f}   mean {sums.mean():.2f}")

# %% lengths-2n-for-n-in [figure]
lengths = [2**n for n in range(13)]
means = {}
for rate in (0.1, 0.5, 0.8):
    sums = (row * (torch.rand(4096, 5) >= rate) / (1 - rate)).sum(dim=-1)
    means[f"p = {rate}"] = [sums[:n].mean() for n in lengths]
plots.curves(lengths, means, xlabel="draws", ylabel="mean sum of the row", log_x=True,
             caption="The mean sum of the row comes to 1 for every rate. "
                     "With a rate of 0.8 it takes the most draws.")

# %% for-name-mean-in-means
for name, mean in means.items():
    print(f"{name}   mean of 4096 draws {mean[-1]:.2f}")
    assert abs(mean[-1] - 1) < 0.1

# %% layer-nn-dropout-0-25
layer = nn.Dropout(0.25)
ones = torch.ones(1000, 1000)
dropped = layer(ones)
print(f"the numbers in it  {[f'{number:.4f}' for number in dropped.unique()]}")
print(f"share of zeros     {(dropped == 0).float().mean():.2f}")
print(f"mean               {dropped.mean():.2f}")
print(f"the same again     {torch.equal(dropped, layer(ones))}")

# %% x-torch-randn-6-4
x = torch.randn(6, 4)
dropped = layer(x)
assert_close(dropped, x * (dropped != 0) / (1 - 0.25))

# %% try-attention-causalattention-4-3
try:
    attention.CausalAttention(4, 3, context_length=8, dropout=1.5)
except ValueError as error:
    print(error)

# %% tokens-ships-leave-the-port
tokens = ["ships", "leave", "the", "port", "at", "dawn"]
torch.manual_seed(60)  # the layer above has drawn, on each kind of computer in its own way: begin anew
inputs = 2 * torch.randn(6, 4)  # (num_tokens, d_in)
head = attention.SelfAttention(4, 3)
queries, keys, values = (layer(inputs).detach() for layer in (head.W_query, head.W_key, head.W_value))
_, attn_weights = attention.scaled_dot_product_attention(queries, keys, values)


def drop(x, p=0.5):
    return x * (torch.rand(x.shape) >= p) / (1 - p)

# %% once-drop-attn-weights-num
once = drop(attn_weights)  # (num_tokens, num_tokens)
print("before", attn_weights.sum(dim=-1))
print("after ", once.sum(dim=-1))

# %% plots-attention-heatmap-torch-stack [figure]
plots.attention_heatmap(torch.stack([attn_weights, once]), tokens, titles=["weights", "after one draw"],
                        caption="Left, the weights of six tokens. Right, after one draw: about half of the cells "
                                "are 0, and each of the others is twice what it was.")

# %% many-drop-attn-weights-expand
many = drop(attn_weights.expand(4000, 6, 6))  # (draws, num_tokens, num_tokens)
gap = (many.mean(dim=0) - attn_weights).abs().max()
vecs_gap = ((many @ values).mean(dim=0) - attn_weights @ values).abs().max()
assert gap < 0.05 and vecs_gap < 0.1
print(f"mean sum of each row: from {many.sum(-1).mean(0).min():.2f} to {many.sum(-1).mean(0).max():.2f}")
print(f"farthest from no dropout: a weight by {gap:.2f}, a number of a context vector by {vecs_gap:.2f}")

# %% some-scores-torch-tensor-2
some_scores = torch.tensor([2.0, 1.0, 0.5, -1.0, -2.0])
keep = torch.tensor([True, False, True, True, False])
print("no dropout   ", attention.softmax(some_scores))
print("scores cut   ", attention.softmax(some_scores * keep))
print("weights cut  ", attention.softmax(some_scores) * keep)

# %% def-my-dropped-attention-queries [exercise]
def my_dropped_attention(queries, keys, values, mask, drop):
    ...

# %% checks-dropped-attention-my-dropped [check]
checks.dropped_attention(my_dropped_attention)

# %% def-dropped-attention-solution-queries [solution]
def dropped_attention_solution(queries, keys, values, mask, drop):
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    attn_weights = drop(attn_weights)  # (..., num_queries, num_keys)
    return attn_weights @ values, attn_weights


everything = torch.ones(6, 6, dtype=torch.bool)
assert_close(dropped_attention_solution(queries, keys, values, everything, lambda weights: once)[1], once)
assert_close(dropped_attention_solution(queries, keys, values, everything, nn.Identity())[1], attn_weights)

# %% def-drop-as-before-x
def drop_as_before(x):
    return x * (once > 0) / (1 - 0.5)  # the draw of the heatmap


context_vecs, dropped_weights = attention.scaled_dot_product_attention(
    queries, keys, values, dropout=drop_as_before)
assert_close(dropped_weights, once)
assert_close(context_vecs, once @ values)

# %% past-attention-causal-mask-6
past = attention.causal_mask(6)
_, causal_weights = attention.scaled_dot_product_attention(queries, keys, values, past)
many = drop(causal_weights.expand(20_000, 6, 6), p=0.25)  # (draws, num_tokens, num_tokens)
empty = (many == 0).all(dim=-1).float().mean(dim=0)  # (num_tokens,) how often a whole row is dropped
for i, token in enumerate(tokens):
    print(f"{token:6s} open {i + 1}   empty in {empty[i]:.3f} of the draws   p ** {i + 1} is {0.25 ** (i + 1):.3f}")

# %% first-lost-many-many-0 [figure]
first_lost = many[(many[:, 0, 0] == 0).nonzero()[0, 0]]  # the first draw in which "ships" loses its connection
plots.attention_heatmap(torch.stack([causal_weights, first_lost]), tokens, titles=["weights", "one draw, p = 0.25"],
                        caption="Left, the causal weights. Right, a draw in which the first row has lost "
                                "its one connection: it holds zeros only.")

# %% print-weights-of-ships-first
print("weights of ships    ", first_lost[0])
print("its context vector  ", (first_lost @ values)[0])
assert torch.isfinite(first_lost @ values).all()

# %% def-attend-dropped-p-causal [widget]
def attend_dropped(p, causal):
    mask = past if causal else None
    _, applied = attention.scaled_dot_product_attention(
        queries, keys, values, mask,
        dropout=lambda weights: drop(weights, p))
    return applied


widgets.AttentionLab(attend_dropped, tokens, p=(0.0, 0.9, 0.0), causal=True)

# %% causal-head-attention-causalattention-4
causal_head = attention.CausalAttention(4, 3, context_length=8, dropout=0.5)
causal_head.load_state_dict(head.state_dict())

for mode in ("as made", "after .eval()"):
    first, second = causal_head(inputs)[1], causal_head(inputs)[1]
    sums_to_one = torch.allclose(first.sum(dim=-1), torch.ones(6))
    print(f"{mode:14s} training {causal_head.training!s:6s} two calls agree {torch.equal(first, second)!s:6s} "
          f"rows sum to 1 {sums_to_one}")
    causal_head.eval()

# %% assert-close-causal-head-inputs
assert_close(causal_head(inputs)[1], causal_weights)
assert_close(causal_head(inputs)[0], causal_weights @ values)

# %% calls-torch-stack-causal-weights [figure]
calls = torch.stack([causal_weights, drop(causal_weights), drop(causal_weights)])
plots.attention_heatmap(calls, tokens, titles=["eval mode", "forgotten, call 1", "forgotten, call 2"],
                        caption="Three heatmaps of one head on one text. In eval mode, its weights. "
                                "With .eval() forgotten, each call shows other holes, and weights above 1.")

# %% torch-manual-seed-0-finder
torch.manual_seed(0)
finder = nn.ModuleDict({"head": attention.CausalAttention(16, 12, context_length=8, dropout=0.3),
                        "read_out": nn.Linear(12, 5)})


def digits(x):
    context_vecs, _ = finder["head"](x)  # (batch, 8, 12)
    return finder["read_out"](context_vecs[:, 5:])  # (batch, 3, 5)

# %% optimizer-torch-optim-adamw-finder
optimizer = torch.optim.AdamW(finder.parameters(), lr=0.005)
for step in session.progress(500, "Training, with dropout"):
    train = data.retrieval_batch(64)
    loss = F.cross_entropy(digits(train.inputs).flatten(0, 1), train.targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# %% def-share-found-fresh-data
def share_found():
    fresh = data.retrieval_batch(2000)
    return (digits(fresh.inputs).argmax(dim=-1) == fresh.targets).float().mean().item()


forgotten = share_found()  # the mode of the training just now
finder.eval()
in_eval = share_found()
assert in_eval > 0.95 and 0.6 < forgotten < 0.9
print("right in eval mode: more than 95 %   with .eval() forgotten: 60 to 90 %")

# %% finder-train-fresh-data-retrieval
finder.train()
fresh = data.retrieval_batch(100).inputs  # (batch, 8, 16)
with torch.no_grad():
    print("training mode, no_grad: two calls agree", torch.equal(digits(fresh), digits(fresh)))
finder.eval()
print("eval mode:              two calls agree", torch.equal(digits(fresh), digits(fresh)))

# %% class-mydropout-nn-module-def [exercise]
class MyDropout(nn.Module):
    def __init__(self, p):
        super().__init__()
        ...

    def forward(self, x):
        ...

# %% checks-dropout-layer-mydropout [check]
checks.dropout_layer(MyDropout)

# %% class-dropoutsolution-nn-module-def [solution]
class DropoutSolution(nn.Module):
    def __init__(self, p):
        super().__init__()
        if not 0 <= p < 1:
            raise ValueError(f"p must be in [0, 1), got {p}.")
        self.p = p

    def forward(self, x):
        if not self.training:
            return x
        return x * (torch.rand_like(x) >= self.p) / (1 - self.p)


million = DropoutSolution(0.25)(ones)
assert_close(million.unique(), torch.tensor([0.0, 1 / 0.75]))
assert abs(million.mean() - 1) < 0.01 and torch.equal(DropoutSolution(0.25).eval()(ones), ones)

# %% class-careless-nn-module-def
class Careless(nn.Module):
    def forward(self, queries, keys, values):
        return F.scaled_dot_product_attention(queries, keys, values, dropout_p=0.5, is_causal=True)


careless = Careless().eval()
print("two calls agree, in eval mode:",
      torch.equal(careless(queries, keys, values), careless(queries, keys, values)))

# %% without-f-scaled-dot-product
without = F.scaled_dot_product_attention(queries, keys, values, dropout_p=0.0, is_causal=True)
assert_close(without, causal_head(inputs)[0])  # ours, in eval mode

batch = [tensor.expand(20_000, -1, -1) for tensor in (queries, keys, values)]  # each (20000, 6, 3)
dropping = F.scaled_dot_product_attention(*batch, dropout_p=0.5, is_causal=True)
assert (dropping.mean(dim=0) - without).abs().max() < 0.1
print(f"the first token's vector is all zeros in {(dropping[:, 0] == 0).all(dim=-1).float().mean():.1f} of the calls")

# %% def-my-evaluate-model-x [exercise]
def my_evaluate(model, x):
    ...

# %% checks-evaluate-my-evaluate [check]
checks.evaluate(my_evaluate)

# %% def-evaluate-solution-model-x [solution]
def evaluate_solution(model, x):
    modes = [part.training for part in model.modules()]
    model.eval()
    try:
        return model(x)
    finally:
        for part, training in zip(model.modules(), modes):
            part.training = training


causal_head.train()
assert_close(evaluate_solution(causal_head, inputs)[1], causal_weights)
assert causal_head.training and causal_head.dropout.training

# %% encoder-layer-nn-transformerencoderlayer
encoder_layer = nn.TransformerEncoderLayer(d_model=8, nhead=2, dropout=0.1)
for name, part in encoder_layer.named_modules():
    if isinstance(part, nn.Dropout):
        print(f"{name:9s} p = {part.p}")
print(f"on the attention weights: p = {encoder_layer.self_attn.dropout}")

# %% quiz-show-05
quiz.show("05")
