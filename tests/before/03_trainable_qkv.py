# %% import-torch-import-torch-nn [setup]
import torch
import torch.nn.functional as F
from torch import nn
from torch.testing import assert_close

from course_utils import attention, checks, data, plots, quiz, session, widgets

session.start()

# %% tokens-the-big-red-dog
tokens = ["the", "big", "red", "dog", "sleeps"]
inputs = torch.tensor([[0.0, 0.0, 0.1],   # the
                       [0.0, 0.9, 0.8],   # big: an adjective of size
                       [0.0, 0.9, -0.8],  # red: an adjective of colour
                       [1.0, 0.1, 0.0],   # dog: a noun
                       [0.0, 0.0, -0.2]]) # sleeps
inputs.shape  # (num_tokens, d_in)

# %% plain-vecs-plain-weights-attention
plain_vecs, plain_weights = attention.scaled_dot_product_attention(inputs, inputs, inputs)
for token, weight in zip(tokens, plain_weights[3]):
    print(f"dog → {token:6s} {weight:.2f}")

# %% plots-attention-heatmap-plain-weights [figure]
plots.attention_heatmap(plain_weights, tokens, vmax=1.0,
                        caption="Plain attention: big, red and dog look most at themselves.")

# %% w-query-nn-parameter-torch
W_query = nn.Parameter(torch.randn(3, 2))  # (d_in, d_out)
W_key = nn.Parameter(torch.randn(3, 2))
W_value = nn.Parameter(torch.randn(3, 2))
print(W_query)

# %% query-dog-inputs-3-w
query_dog = inputs[3] @ W_query  # (d_out,)
keys = inputs @ W_key  # (num_tokens, d_out)
values = inputs @ W_value  # (num_tokens, d_out)

scores_dog = keys @ query_dog / 2**0.5  # (num_tokens,)
weights_dog = attention.softmax(scores_dog)
context_dog = weights_dog @ values  # (d_out,)
print(weights_dog.detach(), context_dog.detach())

# %% queries-inputs-w-query-num
queries = inputs @ W_query  # (num_tokens, d_out)
attn_scores = queries @ keys.transpose(-2, -1) / 2**0.5  # (num_tokens, num_tokens)
attn_weights = attention.softmax(attn_scores)
context_vecs = attn_weights @ values  # (num_tokens, d_out)

assert_close(context_vecs[3], context_dog)

# %% plots-attention-heatmap-attn-weights [figure]
plots.attention_heatmap(attn_weights, tokens, vmax=1.0,
                        caption="With random matrices, the weights follow no plan.")

# %% def-my-qk-scores-inputs [exercise]
def my_qk_scores(inputs, W_query, W_key):
    ...

# %% checks-qk-scores-my-qk [check]
checks.qk_scores(my_qk_scores)

# %% def-qk-scores-solution-inputs [solution]
def qk_scores_solution(inputs, W_query, W_key):
    queries, keys = inputs @ W_query, inputs @ W_key  # (batch, num_tokens, d_out)
    return queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5


batch = torch.stack([inputs, 2 * inputs])  # (2, 5, 3)
assert_close(qk_scores_solution(batch, W_query, W_key), torch.stack([attn_scores, 4 * attn_scores]))

# %% with-torch-no-grad-w
with torch.no_grad():
    W_query.copy_(torch.tensor([[4.0, 0.0], [0.0, 0.0], [0.0, 0.0]]))  # noun → asks
    W_key.copy_(torch.tensor([[0.0, 0.0], [2.0, 0.0], [0.0, 0.0]]))  # adjective → answers
    W_value.copy_(torch.tensor([[0.0, 0.0], [0.5, 0.5], [0.5, -0.5]]))  # → size, colour

# %% queries-keys-values-inputs-w
queries, keys, values = inputs @ W_query, inputs @ W_key, inputs @ W_value  # each (num_tokens, d_out)
context_vecs, attn_weights = attention.scaled_dot_product_attention(queries, keys, values)
print("big delivers (size, colour) ", values[1].detach())
print("dog attends with            ", attn_weights[3].detach())
print("dog takes up (size, colour) ", context_vecs[3].detach())

# %% plots-attention-heatmap-attn-weights-2 [figure]
plots.attention_heatmap(attn_weights, tokens, vmax=1.0,
                        caption="Matrices chosen by hand: dog looks at big and red, half and half.")

# %% swapped-vecs-swapped-weights-attention
swapped_vecs, swapped_weights = attention.scaled_dot_product_attention(keys, queries, values)
assert not torch.allclose(swapped_weights, attn_weights)
swapped_weights.detach()

# %% plots-attention-heatmap-swapped-weights [figure]
plots.attention_heatmap(swapped_weights, tokens, vmax=1.0,
                        caption="Query and key swapped: big and red look at dog.")

# %% linear-nn-linear-3-2
linear = nn.Linear(3, 2, bias=False)
print("our matrix   ", tuple(W_query.shape))
print("linear.weight", tuple(linear.weight.shape))

# %% try-with-torch-no-grad
try:
    with torch.no_grad():
        linear.weight.copy_(W_query)
except RuntimeError as error:
    print(error)

# %% def-my-load-linear-matrix [exercise]
def my_load(linear, matrix):
    ...

# %% checks-load-my-load [check]
checks.load(my_load)

# %% def-load-solution-linear-matrix [solution]
def load_solution(linear, matrix):
    with torch.no_grad():
        linear.weight.copy_(matrix.transpose(-2, -1))
        if linear.bias is not None:
            linear.bias.zero_()


for bias in (True, False):
    layer, matrix = nn.Linear(4, 4, bias=bias), torch.rand(4, 4)
    load_solution(layer, matrix)
    assert_close(layer(torch.eye(4)), matrix)

# %% with-torch-no-grad-linear
with torch.no_grad():
    linear.weight.copy_(W_query.transpose(-2, -1))
assert_close(linear(inputs), queries)

# %% weight-copied-nn-parameter-torch
weight, copied = nn.Parameter(torch.zeros(2)), torch.ones(2)
copied.copy_(weight.detach())
same_memory = weight.detach()
kept = weight.detach().clone()
with torch.no_grad():
    weight.fill_(5.0)
print("copy_         ", copied)
print("detach        ", same_memory)
print("detach + clone", kept)

# %% class-scorer-nn-module-def
class Scorer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries, keys = self.W_query(x), self.W_key(x)  # (..., num_tokens, d_out)
        return queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5


Scorer(3, 2)(inputs).shape  # (num_tokens, num_tokens)

# %% class-myselfattention-nn-module-def [exercise]
class MySelfAttention(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        ...

    def forward(self, x):
        ...

# %% checks-self-attention-myselfattention [check]
checks.self_attention(MySelfAttention)

# %% class-selfattentionsolution-nn-module-de [solution]
class SelfAttentionSolution(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)  # (..., num_tokens, d_out)
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        attn_weights = attention.softmax(attn_scores)  # (..., num_tokens, num_tokens)
        return attn_weights @ values, attn_weights


solution, reference = SelfAttentionSolution(3, 2), attention.SelfAttention(3, 2)
solution.load_state_dict(reference.state_dict())  # all parameters, by name, from one into the other
assert_close(solution(inputs), reference(inputs))
assert_close(solution(batch), reference(batch))

# %% head-attention-selfattention-3-2
head = attention.SelfAttention(3, 2)
with torch.no_grad():
    head.W_query.weight.copy_(W_query.transpose(-2, -1))
    head.W_key.weight.copy_(W_key.transpose(-2, -1))
    head.W_value.weight.copy_(W_value.transpose(-2, -1))

assert_close(head(inputs), (context_vecs, attn_weights))
assert_close(F.scaled_dot_product_attention(queries, keys, values), context_vecs)

# %% six-tokens-torch-rand-6
six_tokens = torch.rand(6, 4)  # (num_tokens, d_model)
to_queries, to_keys, to_values = nn.Linear(4, 5), nn.Linear(4, 5), nn.Linear(4, 3)
out_proj = nn.Linear(3, 4)

narrow_vecs, six_weights = attention.scaled_dot_product_attention(
    to_queries(six_tokens), to_keys(six_tokens), to_values(six_tokens))
print("weights     ", tuple(six_weights.shape))
print("context_vecs", tuple(narrow_vecs.shape))
print("projected   ", tuple(out_proj(narrow_vecs).shape))

# %% w-nn-parameter-torch-tensor
w = nn.Parameter(torch.tensor(1.0))
print(w.item())

# %% loss-2-w-6-2
loss = (2 * w - 6) ** 2
loss.backward()
print(f"loss {loss.item():.1f}   gradient {w.grad.item():.1f}")

# %% optimizer-torch-optim-sgd-w
optimizer = torch.optim.SGD([w], lr=0.05)
optimizer.step()
print(f"w {w.item():.1f}   loss {((2 * w - 6) ** 2).item():.2f}")

# %% def-my-training-step-optimizer [exercise]
def my_training_step(optimizer, compute_loss):
    ...

# %% checks-training-step-my-training [check]
checks.training_step(my_training_step)

# %% def-training-step-solution-optimizer [solution]
def training_step_solution(optimizer, compute_loss):
    optimizer.zero_grad()
    loss = compute_loss()
    loss.backward()
    optimizer.step()
    return loss.item()


v = nn.Parameter(torch.tensor(1.0))
v_optimizer = torch.optim.SGD([v], lr=0.1)
losses = [training_step_solution(v_optimizer, lambda: v * v) for turn in range(2)]
assert_close(torch.tensor(losses), torch.tensor([1.0, 0.64]))  # v goes from 1 to 0.8 to 0.64

# %% for-step-in-range-20
for step in range(20):
    optimizer.zero_grad()
    loss = (2 * w - 6) ** 2
    loss.backward()
    optimizer.step()
print(f"w is now {w.item():.3f}")

# %% torch-manual-seed-5-example
torch.manual_seed(5)
example = data.retrieval_batch(1)
labels = data.retrieval_labels(example.inputs[0])
print("tokens ", labels)
print("answers", example.targets[0].tolist())
print("shape  ", tuple(example.inputs.shape))  # (batch, num_tokens, d_in)

# %% print-labels-0-example-inputs
print(labels[0], example.inputs[0, 0].int().tolist())
print(labels[5], example.inputs[0, 5].int().tolist())

# %% torch-manual-seed-0-head
torch.manual_seed(0)
head = attention.SelfAttention(16, 12)
read_out = nn.Linear(12, 5)


def answer(x):
    context_vecs, attn_weights = head(x)  # (batch, 8, 12), (batch, 8, 8)
    return read_out(context_vecs[:, 5:]), attn_weights[:, 5:]  # (batch, 3, 5), (batch, 3, 8)

# %% def-accuracy-fresh-data-retrieval
def accuracy():
    fresh = data.retrieval_batch(1000)
    return (answer(fresh.inputs)[0].argmax(dim=-1) == fresh.targets).float().mean().item()


assert 0.1 < accuracy() < 0.3
print("before training, between 10 % and 30 % are right: no better than guessing")

# %% optimizer-torch-optim-adamw-head
optimizer = torch.optim.AdamW([*head.parameters(), *read_out.parameters()], lr=0.003)
losses, kept = [], []
for step in session.progress(601, "Training"):
    train = data.retrieval_batch(64)
    digit_scores, _ = answer(train.inputs)  # (64, 3, 5)
    loss = F.cross_entropy(digit_scores.flatten(0, 1), train.targets.flatten())  # 192 answers
    losses.append(loss.item())
    if step % 25 == 0:
        kept.append(answer(example.inputs)[1][0].detach().clone())  # (3, 8)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# %% assert-accuracy-0-95-print
assert accuracy() > 0.95
print("after training, more than 95 % are right")

# %% plots-curves-range-len-losses [figure]
plots.curves(range(len(losses)), {"loss": losses}, xlabel="step", ylabel="loss",
             caption="The loss starts near log 5, which is guessing among five digits, "
                     "and falls to almost 0.")

# %% weights-by-step-torch-stack [figure]
weights_by_step = torch.stack(kept)  # (25, 3, 8)
plots.attention_heatmap(weights_by_step[[0, 6, 24]], labels[5:], labels,
                        titles=["step 0", "step 150", "step 600"],
                        caption="Three askers (rows) over eight tokens, at steps 0, 150 and 600: "
                                "even at first, then each finds the carrier of its own mark.")

# %% matches-label-0-for-label
matches = [[label[0] for label in labels[:5]].index(asker[0]) for asker in labels[5:]]
assert weights_by_step[-1].argmax(dim=-1).tolist() == matches
print("each asker looks most at the carrier of its own mark")

# %% steps-list-range-0-601 [widget]
steps = list(range(0, 601, 25))
widgets.StepScrubber(weights_by_step, labels[5:], labels, steps=steps,
                     curves={"loss": [losses[step] for step in steps]})

# %% quiz-show-03
quiz.show("03")
