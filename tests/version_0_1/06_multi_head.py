sentence = data.load("sentence_pairs")["weak"]
widgets.SentenceView(sentence.attn_weights[3], sentence.tokens, head=1, query=sentence.tokens.index("it"))

inputs = torch.randn(2, 5, 6)
heads = [attention.CausalAttention(6, 3, context_length=8) for _ in range(4)]
checks.stacked_heads(MyStackedHeads)
stacked = attention.StackedHeads(6, 3, context_length=8, num_heads=4)
for place, head in enumerate(heads):
    stacked.heads[place].load_state_dict(head.state_dict())
stacked_vecs, stacked_weights = stacked(inputs)
assert_close(stacked_vecs, torch.cat([head(inputs)[0] for head in heads], dim=-1))
mine = MyStackedHeads(6, 3, context_length=8, num_heads=4)
mine.load_state_dict(stacked.state_dict())
assert_close(mine(inputs), (stacked_vecs, stacked_weights))
plots.attention_heatmap(stacked_weights[0], list("abcde"), vmax=1.0, caption="Four causal heads on one text.")

plots.split_paths(num_tokens=4, num_heads=2, head_dim=3, caption="The right way cuts each row in two.")
widgets.ShapeTracer(num_tokens=4, num_heads=2, head_dim=3)
checks.split_heads(my_split_heads)
checks.head_weights(my_head_weights)
queries, keys, values = (
    torch.cat([getattr(head, name)(inputs) for head in heads], dim=-1) for name in ("W_query", "W_key", "W_value")
)
split = [attention.split_heads(part, 4) for part in (queries, keys, values)]
context_vecs, attn_weights = attention.scaled_dot_product_attention(*split, mask=attention.causal_mask(5))
assert_close(attn_weights, stacked_weights)
assert_close(attention.merge_heads(context_vecs), stacked_vecs)
checks.merge_heads(my_merge_heads)
plots.merge_paths(num_tokens=4, num_heads=2, head_dim=3, caption="The right way moves the axis back, then joins.")
checks.attention_cost(my_cost)
checks.multi_head(MyMultiHeadAttention)

plots.diagram(
    {"inputs": (4, 6.5, "inputs"), "split": (1.6, 4.4, "split")},
    [("inputs", "split", "(2, 5, 6)")],
    size=(8, 6.9),
    caption="Inputs are split.",
)
model = attention.MultiHeadAttention(6, 12, num_heads=4, causal=True)
by_hand = [attention.split_heads(layer(inputs), 4) for layer in (model.W_query, model.W_key, model.W_value)]
fused = F.scaled_dot_product_attention(*by_hand, is_causal=True)
assert_close(model.out_proj(attention.merge_heads(fused)), model(inputs)[0])
with torch.no_grad():
    model.W_query.weight.mul_(2)
    model.W_key.weight.mul_(2)
attention.MultiHeadAttention(6, 12, 4, causal=True)(inputs)
try:
    attention.MultiHeadAttention(6, 12, num_heads=5)
except ValueError as error:
    print(error)
MultiHead = checks.multi_head.solution


def attend_with(num_heads):
    return MultiHead(6, 12, num_heads, context_length=8).eval()(inputs)[1][0]


widgets.AttentionLab(attend_with, list("abcde"), num_heads=[4, 1, 2, 3, 5, 6, 12])
quiz.show("06")
