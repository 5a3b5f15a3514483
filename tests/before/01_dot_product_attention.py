# %% import-torch-import-torch-nn [setup]
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from course_utils import attention, checks, data, plots, quiz, session, widgets

session.start()

# %% tokens-inputs-data-load-six
tokens, inputs = data.load("six_tokens")
for token, embedding in zip(tokens, inputs):
    print(f"{token:5s}", embedding)

# %% inputs-shape-num-tokens-d
inputs.shape  # (num_tokens, d_in)

# %% a-torch-tensor-2-0
a = torch.tensor([2.0, 1.0])
b = torch.tensor([1.5, 1.5])
c = torch.tensor([-1.0, 2.0])
d = torch.tensor([-1.5, -1.0])

# %% plots-vectors-torch-stack-a [figure]
plots.vectors(torch.stack([a, b, c, d]), ["a", "b", "c", "d"])

# %% for-other-in-b-c
for other in (b, c, d):
    total = 0.0
    for i in range(2):
        total += a[i] * other[i]
    print(f"{total:.1f}")

# %% print-f-a-b-1f
print(f"{a @ b:.1f}  {a @ (2 * b):.1f}")

# %% cosine-a-b-a-norm
cosine = (a @ b) / (a.norm() * b.norm())
print(f"{cosine:.3f}  that is {torch.rad2deg(torch.acos(cosine)):.0f} degrees apart")

# %% query-inputs-1-d-in
query = inputs[1]  # (d_in,) the word "cold"

# %% attn-scores-torch-zeros-6
attn_scores = torch.zeros(6)
for i, key in enumerate(inputs):
    attn_scores[i] = (key * query).sum()
attn_scores  # (num_keys,)

# %% def-my-scores-query-keys [exercise]
def my_scores(query, keys):
    ...

# %% checks-scores-my-scores [check]
checks.scores(my_scores)

# %% def-scores-solution-query-keys [solution]
def scores_solution(query, keys):
    return keys @ query  # (num_keys, d_in) @ (d_in,) -> (num_keys,)


assert_close(scores_solution(query, inputs), attn_scores)

# %% first-try-attn-scores-attn
first_try = attn_scores / attn_scores.sum()
print(first_try)
print(f"sum {first_try.sum():.4f}")

# %% mixed-scores-torch-tensor-3
mixed_scores = torch.tensor([3.0, -2.0, 1.0])
mixed_scores / mixed_scores.sum()

# %% shares-of-cold
shares_of_cold = torch.softmax(attn_scores, dim=0)  # (num_keys,)

# %% predict-shares-of-cold [widget]
widgets.Predict("shares-of-cold", "How does cold share out its attention? Pull the bars up or down: "
                "what one takes, the others give.", shares_of_cold, bars=tokens)

# %% exps-torch-exp-attn-scores
exps = torch.exp(attn_scores)
attn_weights = exps / exps.sum()
print(attn_weights)
print(f"sum {attn_weights.sum():.4f}")

# %% assert-close-attn-weights-torch
assert_close(attn_weights, torch.softmax(attn_scores, dim=0))
torch.softmax(mixed_scores, dim=0)  # the three scores that gave -1 before

# %% for-scores-in-torch-tensor
for scores in (torch.tensor([1.0, 2.0]), torch.tensor([11.0, 12.0])):
    print("by the sum", scores / scores.sum(), "  softmax", torch.softmax(scores, dim=0))

# %% def-my-weights-scores [exercise]
def my_weights(scores):
    ...

# %% checks-weights-my-weights [check]
checks.weights(my_weights)

# %% def-weights-solution-scores-exps [solution]
def weights_solution(scores):
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1, keepdim=True)  # (num_queries, num_keys) / (num_queries, 1)


table = torch.tensor([[1.0, 2.0, 0.5], [0.0, -1.0, 3.0]])
assert_close(weights_solution(table), torch.softmax(table, dim=-1))

# %% context-vec-torch-zeros-3
context_vec = torch.zeros(3)
for weight, value in zip(attn_weights, inputs):
    context_vec += weight * value
context_vec  # (d_in,)

# %% plots-mixture-attn-weights-inputs [figure]
plots.mixture(attn_weights, inputs, tokens,
              caption="The context vector of cold: in each of its three numbers, "
                      "cold and icy give the two widest pieces.")

# %% def-my-context-vector-query [exercise]
def my_context_vector(query, keys, values):
    ...

# %% checks-context-vector-my-context [check]
checks.context_vector(my_context_vector)

# %% def-context-vector-solution-query [solution]
def context_vector_solution(query, keys, values):
    scores = keys @ query  # (num_keys,)
    weights = torch.softmax(scores, dim=-1)  # (num_keys,)
    return weights @ values  # (num_keys,) @ (num_keys, value_dim) -> (value_dim,)


assert_close(context_vector_solution(query, inputs, inputs), context_vec)
keys, values = torch.rand(4, 3), torch.rand(4, 2)
assert context_vector_solution(query, keys, values).shape == (2,)

# %% scores-by-loop-torch-empty
scores_by_loop = torch.empty(6, 6)
for i, query_i in enumerate(inputs):
    for j, key_j in enumerate(inputs):
        scores_by_loop[i, j] = query_i @ key_j
scores_by_loop  # (num_queries, num_keys)

# %% attn-scores-inputs-inputs-transpose
attn_scores = inputs @ inputs.transpose(0, 1)  # (6, 3) @ (3, 6) -> (num_queries, num_keys)
assert_close(attn_scores, scores_by_loop)

# %% attn-weights-torch-softmax-attn
attn_weights = torch.softmax(attn_scores, dim=-1)  # (num_queries, num_keys)
print(attn_weights)
print("sum of each row", attn_weights.sum(dim=-1))

# %% plots-scores-and-weights-attn [figure]
plots.scores_and_weights(attn_scores, attn_weights, tokens)

# %% torch-exp-attn-scores-sum
torch.exp(attn_scores).sum(dim=-1)

# %% def-attend-first-second-third [widget]
def attend(first, second, third):
    moved = inputs.clone()
    moved[3] = torch.tensor([first, second, third])  # new numbers for "wind"
    return torch.softmax(moved @ moved.transpose(0, 1), dim=-1)


widgets.AttentionLab(attend, tokens,
                     first=(0.0, 2.0, 0.22), second=(0.0, 2.0, 0.58), third=(0.0, 2.0, 0.33))

# %% context-vecs-attn-weights-inputs
context_vecs = attn_weights @ inputs  # (6, 6) @ (6, 3) -> (num_queries, d_in)
assert_close(context_vecs[1], context_vec)  # the one we made by hand
context_vecs

# %% one-line-torch-softmax-inputs
one_line = torch.softmax(inputs @ inputs.transpose(0, 1), dim=-1) @ inputs
assert_close(one_line, context_vecs)

# %% pytorch-vecs-f-scaled-dot
pytorch_vecs = F.scaled_dot_product_attention(inputs, inputs, inputs, scale=1.0)
assert_close(context_vecs, pytorch_vecs)

# the course's own function, which also returns the weights
course_vecs, course_weights = attention.scaled_dot_product_attention(
    inputs, inputs, inputs, scale=1.0)
assert_close(course_vecs, pytorch_vecs)
assert_close(course_weights, attn_weights)

# %% def-my-batch-attention-inputs [exercise]
def my_batch_attention(inputs):
    ...

# %% checks-batch-attention-my-batch [check]
checks.batch_attention(my_batch_attention)

# %% def-batch-attention-solution-inputs [solution]
def batch_attention_solution(inputs):
    scores = inputs @ inputs.transpose(-2, -1)  # (batch, num_tokens, num_tokens)
    return torch.softmax(scores, dim=-1) @ inputs  # (batch, num_tokens, d_in)


batch = torch.stack([inputs[:5], inputs[1:]])  # (2, 5, 3)
assert_close(batch_attention_solution(batch), F.scaled_dot_product_attention(batch, batch, batch, scale=1.0))

# %% for-token-row-in-zip
for token, row in zip(tokens, attn_weights):
    print(f"{token:5s} attends most to {tokens[row.argmax()]}")

# %% quiz-show-01
quiz.show("01")
