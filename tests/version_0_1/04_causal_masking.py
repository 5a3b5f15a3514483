tokens = ["dogs", "chase", "cats", "all", "day"]
words, batch = torch.randn(5, 4), torch.randn(2, 5, 4)
places = torch.randn(5, 4)
head = attention.SelfAttention(4, 3)
assert properties.permutation_equivariant(head, batch)
assert not properties.permutation_equivariant(lambda x: head(x + places), batch)

queries, keys, values = (layer(words).detach() for layer in (head.W_query, head.W_key, head.W_value))
attn_scores = queries @ keys.transpose(-2, -1) / 3**0.5
attn_weights = attention.softmax(attn_scores)
plots.attention_heatmap(attn_weights, tokens, mark=1, vmax=1.0, caption="Nothing is hidden yet.")
past = attention.causal_mask(5)
widgets.Predict("open-cells", "Mark each weight that may stay.", past, rows=tokens)
checks.causal_mask(my_causal_mask)

masked_scores = attn_scores.masked_fill(~past, -torch.inf)
masked_weights = attention.softmax(masked_scores)
plots.scores_and_weights(masked_scores, masked_weights, tokens, caption="The future is hidden.")
checks.additive_mask(my_additive_mask)
both = attention.scaled_dot_product_attention(queries, keys, values, past)
assert_close(both, (masked_weights @ values, masked_weights))
try:
    attention.scaled_dot_product_attention(queries, keys, values, past.float())
except ValueError as error:
    print(error)
assert attention.softmax(torch.full((3,), -torch.inf)).tolist() == [0, 0, 0]
checks.masked_weights(my_masked_weights)
widgets.MaskPainter(attn_scores, tokens)
checks.who_sees(my_who_sees)
checks.causal_attention(MyCausalAttention)

mine, causal_head = MyCausalAttention(4, 3, 7, 0.0), attention.CausalAttention(4, 3, 7)
mine.load_state_dict(causal_head.state_dict())
assert_close(mine(batch), causal_head(batch))
assert not properties.no_leak(head, batch) and properties.no_leak(causal_head, batch)
assert properties.rows_sum_to_one(causal_head(batch)[1]) and properties.samples_independent(causal_head, batch)
two_heads = torch.stack([attn_weights, masked_weights])
plots.attention_heatmap(two_heads, tokens, titles=["open", "causal"], vmax=1.0, caption="Two heads.")
quiz.show("04")
