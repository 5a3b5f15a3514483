checks.dropout(my_dropout)
try:
    attention.CausalAttention(4, 3, context_length=8, dropout=1.5)
except ValueError as error:
    print(error)

tokens = ["ships", "leave", "the", "port", "at", "dawn"]
inputs = torch.randn(6, 4)
queries, keys, values = torch.randn(3, 6, 3)
past = attention.causal_mask(6)
dropped = []


def drop(x, p=0.5):
    dropped.append(nn.functional.dropout(x, p))
    return dropped[-1]


context_vecs, applied = attention.scaled_dot_product_attention(queries, keys, values, dropout=drop)
assert_close((context_vecs, applied), (dropped[-1] @ values, dropped[-1]))
plots.attention_heatmap(torch.stack([applied, applied]), tokens, titles=["once", "again"], caption="One draw.")
checks.dropped_attention(my_dropped_attention)


def attend_dropped(p, causal):
    mask = past if causal else None
    return attention.scaled_dot_product_attention(
        queries, keys, values, mask, dropout=lambda weights: drop(weights, p)
    )[1]


widgets.AttentionLab(attend_dropped, tokens, p=(0.0, 0.9, 0.0), causal=True)

causal_head = attention.CausalAttention(4, 3, context_length=8, dropout=0.5)
causal_head.load_state_dict(attention.SelfAttention(4, 3).state_dict())
checks.dropout_layer(MyDropout)
checks.evaluate(my_evaluate)
assert_close(my_evaluate(causal_head, inputs), causal_head.eval()(inputs))
assert not causal_head.dropout.training
assert data.retrieval_batch(2000).inputs.shape == (2000, 8, 16)
quiz.show("05")
