large_scores = torch.tensor([1000.0, 999.0, 998.0])
assert_close(attention.softmax(large_scores), torch.softmax(large_scores, dim=-1))
checks.softmax(my_softmax)
checks.tempered_softmax(my_tempered_softmax)

tokens, inputs = data.load("six_tokens")
by_temperature = {f"temperature {t}": attention.softmax(inputs @ inputs[1] / t) for t in (0.005, 1.0, 10.0)}
plots.attention_bars(by_temperature, tokens, caption="At a temperature of 0.005, cold takes nearly everything.")


def attend_at(temperature):
    return attention.softmax(inputs @ inputs.transpose(0, 1) / temperature)


widgets.AttentionLab(attend_at, tokens, temperature=(0.05, 3.0, 1.0))

widths = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
scores_by_width = {d: torch.randn(500, 1, d) @ torch.randn(500, 16, d).transpose(-2, -1) for d in widths}
variance = [scores_by_width[d].var() for d in widths]
for log_axes in ({"log_x": True, "log_y": True}, {"log_x": True}):
    plots.curves(widths, {"scores": variance}, xlabel="head_dim", ylabel="variance", caption="It grows.", **log_axes)
widgets.ScalingLab(scores_by_width)
plots.attention_heatmap(
    attention.softmax(torch.randn(2, 6, 8)),
    [f"q{i}" for i in range(6)],
    [f"k{i}" for i in range(8)],
    titles=["scores", "scores / √64"],
    caption="Weights of six random queries over eight keys.",
)
checks.scaled_scores(my_scaled_scores)
checks.scaled_attention(my_scaled_attention)

queries, keys, values = torch.rand(2, 3, 8), torch.rand(2, 5, 8), torch.rand(2, 5, 4)
course_vecs, course_weights = attention.scaled_dot_product_attention(queries, keys, values)
assert_close(course_vecs, F.scaled_dot_product_attention(queries, keys, values))
assert_close(course_weights, attention.softmax(queries @ keys.transpose(-2, -1) / 8**0.5))
try:
    attention.scaled_dot_product_attention(queries, keys[..., :6], values)
except ValueError as error:
    print(error)
quiz.show("02")
