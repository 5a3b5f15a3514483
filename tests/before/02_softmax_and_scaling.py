# %% import-torch-import-torch-nn [setup]
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from course_utils import attention, checks, data, plots, quiz, session, widgets

session.start()

# %% def-naive-softmax-scores-exps
def naive_softmax(scores):
    exps = torch.exp(scores)
    return exps / exps.sum(dim=-1, keepdim=True)

# %% large-scores-torch-tensor-1000
large_scores = torch.tensor([1000.0, 999.0, 998.0])
print("exponentials", torch.exp(large_scores))
print("weights     ", naive_softmax(large_scores))

# %% scores-torch-tensor-2-0
scores = torch.tensor([2.0, 1.0, 0.0])
for shift in (0.0, 5.0, -5.0):
    print(f"{shift:+.0f}", naive_softmax(scores + shift))

# %% naive-softmax-large-scores-large
naive_softmax(large_scores - large_scores.max())

# %% def-my-softmax-scores [exercise]
def my_softmax(scores):
    ...

# %% checks-softmax-my-softmax [check]
checks.softmax(my_softmax)

# %% def-softmax-solution-scores-highest [solution]
def softmax_solution(scores):
    highest = scores.amax(dim=-1, keepdim=True)  # (..., 1)
    exps = torch.exp(scores - highest)
    return exps / exps.sum(dim=-1, keepdim=True)


table = torch.tensor([[1000.0, 999.0, 998.0], [-3.0, 0.0, 2.0]])
assert_close(softmax_solution(table), torch.softmax(table, dim=-1))

# %% assert-close-attention-softmax-large
assert_close(attention.softmax(large_scores), torch.softmax(large_scores, dim=-1))
attention.softmax(large_scores)

# %% def-my-tempered-softmax-scores [exercise]
def my_tempered_softmax(scores, temperature):
    ...

# %% checks-tempered-softmax-my-tempered [check]
checks.tempered_softmax(my_tempered_softmax)

# %% def-tempered-softmax-solution-scores [solution]
def tempered_softmax_solution(scores, temperature):
    if temperature <= 0:
        raise ValueError(f"temperature must be above 0, got {temperature}.")
    return attention.softmax(scores / temperature)


assert_close(tempered_softmax_solution(torch.tensor([1.0, 3.0]), 2.0), torch.softmax(torch.tensor([0.5, 1.5]), dim=-1))
for wrong in (0, -1.0):
    try:
        tempered_softmax_solution(torch.tensor([1.0, 3.0]), wrong)
    except ValueError as error:
        print(error)

# %% tokens-inputs-data-load-six
tokens, inputs = data.load("six_tokens")
attn_scores = inputs @ inputs[1]  # (num_keys,) the query is "cold"
temperatures = [0.005, 0.1, 1.0, 10.0]
by_temperature = {f"temperature {t}": attention.softmax(attn_scores / t) for t in temperatures}
for name, row in by_temperature.items():
    print(f"{name:17s}", row)

# %% plots-attention-bars-by-temperature [figure]
plots.attention_bars(by_temperature, tokens,
                     caption="At a temperature of 0.005, cold takes nearly everything; "
                             "at 10, all six words get about a sixth.")

# %% def-attend-at-temperature-return [widget]
def attend_at(temperature):
    return attention.softmax(inputs @ inputs.transpose(0, 1) / temperature)


widgets.AttentionLab(attend_at, tokens, temperature=(0.05, 3.0, 1.0))

# %% def-entropy-attn-weights-return
def entropy(attn_weights):
    return torch.special.entr(attn_weights).sum(dim=-1)  # entr(w) is -w log w, and 0 where w is 0


for name, row in by_temperature.items():
    print(f"{name:17s} entropy {entropy(row):.2f}")

# %% nudge-0-001-print-f
nudge = 0.001
print(f"by a nudge  {((3 + nudge) ** 2 - 3**2) / nudge:.2f}")

x = torch.tensor(3.0, requires_grad=True)
(x * x).backward()
print(f"by backward {x.grad:.2f}")

# %% def-draw-scores-head-dim
def draw_scores(head_dim):
    queries = torch.randn(500, 1, head_dim)
    keys = torch.randn(500, 16, head_dim)
    return queries @ keys.transpose(-2, -1)  # (500, 1, 16): 500 times, one query meets 16 keys


widths = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
scores_by_width = {head_dim: draw_scores(head_dim) for head_dim in widths}
for head_dim in (1, 64, 128, 1024):
    print(f"head_dim {head_dim:4d}   variance {scores_by_width[head_dim].var():7.1f}")

# %% variance-scores-by-width-d
variance = [scores_by_width[d].var() for d in widths]
scaled_variance = [(scores_by_width[d] / d**0.5).var() for d in widths]
print("without", [f"{v:.1f}" for v in variance])
print("scaled ", [f"{v:.1f}" for v in scaled_variance])

# %% plots-curves-widths-scores-variance [figure]
plots.curves(widths, {"scores": variance, "scores / √head_dim": scaled_variance},
             xlabel="head_dim", ylabel="variance of the scores", log_x=True, log_y=True,
             caption="The variance of raw scores grows as head_dim. "
                     "Divided by the root of head_dim, it stays at about 1.")

# %% def-mean-entropy-attn-scores
def mean_entropy(attn_scores):
    return entropy(attention.softmax(attn_scores)).mean()


raw_entropy = [mean_entropy(scores_by_width[d]) for d in widths]
scaled_entropy = [mean_entropy(scores_by_width[d] / d**0.5) for d in widths]
print(f"head_dim 1024   without {raw_entropy[-1]:.2f}   scaled {scaled_entropy[-1]:.2f}")

# %% plots-curves-widths-scores-raw [figure]
plots.curves(widths, {"scores": raw_entropy, "scores / √head_dim": scaled_entropy},
             xlabel="head_dim", ylabel="entropy of the weights", log_x=True,
             caption="Without scaling, the entropy falls towards 0: one key takes all. "
                     "Scaled, it stays about the same at every width.")

# %% queries-keys-torch-randn-6 [figure]
queries, keys = torch.randn(6, 64), torch.randn(8, 64)
raw_scores = queries @ keys.transpose(-2, -1)
both = torch.stack([attention.softmax(raw_scores), attention.softmax(raw_scores / 64**0.5)])
plots.attention_heatmap(both, [f"q{i}" for i in range(6)], [f"k{i}" for i in range(8)],
                        titles=["scores", "scores / √64"],
                        caption="Weights of six random queries over eight keys: without the root "
                                "most rows have one strong cell, with it they are spread out.")

# %% def-gradient-size-attn-scores
def gradient_size(attn_scores):
    attn_scores = attn_scores.clone().requires_grad_()  # a copy that keeps note of its gradients
    attn_weights = attention.softmax(attn_scores)
    sizes = []
    for key in range(16):  # rows do not touch each other, so one sum serves all 500
        total = attn_weights[..., key].sum()
        (gradient,) = torch.autograd.grad(total, attn_scores, retain_graph=True)
        sizes.append(gradient.abs().mean())
    return torch.stack(sizes).mean()


raw_gradient = [gradient_size(scores_by_width[d]) for d in widths]
scaled_gradient = [gradient_size(scores_by_width[d] / d**0.5) for d in widths]
for i in (6, 10):
    print(f"head_dim {widths[i]:4d}   without {raw_gradient[i]:.4f}   scaled {scaled_gradient[i]:.4f}")
assert raw_gradient[-1] < scaled_gradient[-1] / 5

# %% plots-curves-widths-scores-raw-2 [figure]
plots.curves(widths, {"scores": raw_gradient, "scores / √head_dim": scaled_gradient},
             xlabel="head_dim", ylabel="mean size of the gradient", log_x=True, log_y=True,
             caption="Without scaling, the gradient shrinks as head_dim grows. Scaled, it keeps its size.")

# %% widgets-scalinglab-scores-by-width [widget]
widgets.ScalingLab(scores_by_width)

# %% two-scores-torch-tensor-112
two_scores = torch.tensor([112.0, 96.0])
print("undivided ", attention.softmax(two_scores))
print("divided   ", two_scores / 64**0.5)
print("weights   ", attention.softmax(two_scores / 64**0.5))

# %% def-my-scaled-scores-queries [exercise]
def my_scaled_scores(queries, keys):
    ...

# %% checks-scaled-scores-my-scaled [check]
checks.scaled_scores(my_scaled_scores)

# %% def-scaled-scores-solution-queries [solution]
def scaled_scores_solution(queries, keys):
    return queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5  # (..., num_queries, num_keys)


queries, keys = torch.rand(2, 3, 8), torch.rand(2, 5, 8)
by_einsum = torch.einsum("bqd,bkd->bqk", queries, keys) / 8**0.5
assert_close(scaled_scores_solution(queries, keys), by_einsum)

# %% for-width-in-64-768
for width in (64, 768):
    scores = scores_by_width[64] / width**0.5
    print(f"root of {width:3d}   variance {scores.var():.2f}   entropy {mean_entropy(scores):.2f}")

# %% def-my-scaled-attention-queries [exercise]
def my_scaled_attention(queries, keys, values):
    ...

# %% checks-scaled-attention-my-scaled [check]
checks.scaled_attention(my_scaled_attention)

# %% def-scaled-attention-solution-queries [solution]
def scaled_attention_solution(queries, keys, values):
    attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
    highest = attn_scores.amax(dim=-1, keepdim=True)
    exps = torch.exp(attn_scores - highest)
    attn_weights = exps / exps.sum(dim=-1, keepdim=True)
    return attn_weights @ values, attn_weights


queries, keys, values = torch.rand(2, 3, 8), torch.rand(2, 5, 8), torch.rand(2, 5, 4)
for factor in (1, 1000):  # large scores as well
    expected = F.scaled_dot_product_attention(factor * queries, keys, values)
    assert_close(scaled_attention_solution(factor * queries, keys, values)[0], expected)

# %% queries-keys-values-torch-rand
queries, keys, values = torch.rand(2, 3, 8), torch.rand(2, 5, 8), torch.rand(2, 5, 4)

attn_scores = queries @ keys.transpose(-2, -1) / 8**0.5  # (batch, num_queries, num_keys)
attn_weights = attention.softmax(attn_scores)
context_vecs = attn_weights @ values  # (batch, num_queries, value_dim)
print(context_vecs.shape)

# %% assert-close-context-vecs-f
assert_close(context_vecs, F.scaled_dot_product_attention(queries, keys, values))

course_vecs, course_weights = attention.scaled_dot_product_attention(queries, keys, values)
assert_close(course_vecs, context_vecs)
assert_close(course_weights, attn_weights)

# %% try-attention-scaled-dot-product
try:
    attention.scaled_dot_product_attention(queries, keys[..., :6], values)
except ValueError as error:
    print(error)

# %% quiz-show-02
quiz.show("02")
