tokens, inputs = data.load("six_tokens")
query = inputs[1]
shares_of_cold = torch.softmax(inputs @ query, dim=0)
widgets.Predict("shares-of-cold", "How does cold share out its attention?", shares_of_cold, bars=tokens)
plots.vectors(torch.randn(4, 2), ["a", "b", "c", "d"])
plots.mixture(shares_of_cold, inputs, tokens, caption="The context vector of cold.")
checks.scores(my_scores)
checks.weights(my_weights)
checks.context_vector(my_context_vector)

attn_scores = inputs @ inputs.transpose(0, 1)
attn_weights = torch.softmax(attn_scores, dim=-1)
plots.scores_and_weights(attn_scores, attn_weights, tokens)


def attend(first, second, third):
    moved = inputs.clone()
    moved[3] = torch.tensor([first, second, third])
    return torch.softmax(moved @ moved.transpose(0, 1), dim=-1)


widgets.AttentionLab(attend, tokens, first=(0.0, 2.0, 0.22), second=(0.0, 2.0, 0.58), third=(0.0, 2.0, 0.33))

course_vecs, course_weights = attention.scaled_dot_product_attention(inputs, inputs, inputs, scale=1.0)
assert_close(course_vecs, F.scaled_dot_product_attention(inputs, inputs, inputs, scale=1.0))
assert_close(course_weights, attn_weights)
checks.batch_attention(my_batch_attention)
quiz.show("01")
