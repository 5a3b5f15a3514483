import inspect

inputs = torch.randn(2, 5, 4)
healthy = attention.CausalAttention(4, 3, context_length=8)
context_vecs, attn_weights = healthy(inputs)
assert properties.rows_sum_to_one(attn_weights) and properties.samples_independent(healthy, inputs)
assert properties.no_leak(healthy, inputs) and not properties.permutation_equivariant(healthy, inputs)
try:
    properties.no_leak(healthy, inputs[0])
except ValueError as error:
    print(error)
plots.attention_heatmap(
    torch.stack([attn_weights[0], attention.softmax(torch.randn(5, 5), dim=-2)]),
    list("abcde"),
    titles=["right", "case 1"],
    vmax=1.0,
    caption="Left, every row adds up to 1.",
)
assert_close(attention.padding_mask([5, 0], 5)[:, 0, 0], torch.tensor([[True] * 5, [False] * 5]))

checks.row_weights(my_row_weights)
checks.one_row(my_one_row)
checks.causal_weights(my_causal_weights)
checks.projected_attention(my_projected_attention)
checks.many_heads(my_many_heads)
checks.masked_attention(my_masked_attention)
checks.attend_to(my_attend_to)
checks.any_width(MyAnyWidth)
queries, keys, values = torch.randn(3, 2, 5, 12)
_, expected = attention.scaled_dot_product_attention(queries, keys, values, attention.causal_mask(5))
assert_close(my_causal_weights(queries, keys), expected)
split = (attention.split_heads(part, 4) for part in (queries, keys, values))
merged = attention.merge_heads(attention.scaled_dot_product_attention(*split)[0])
assert_close(my_many_heads(queries, keys, values, 4), merged)
assert not inspect.getclosurevars(MyAnyWidth.forward).globals.get("d_out")

theirs = nn.MultiheadAttention(12, 3, batch_first=True)
ours = attention.MultiHeadAttention(12, 12, 3, qkv_bias=True)
x = torch.randn(2, 5, 12)
checks.adopt(my_adopt)
checks.adopt.solution(ours, theirs)
ours.out_proj.load_state_dict(theirs.out_proj.state_dict())
their_vecs, their_weights = theirs(x, x, x, average_attn_weights=False)
assert_close(ours(x), (their_vecs, their_weights))
assert properties.permutation_equivariant(ours, x)
widgets.HeadsView(their_weights[0], list("abcde"), compare=ours(x)[1][0])
twin = attention.MultiHeadAttention(12, 12, 3, qkv_bias=True, dropout=0.5)
checks.adopt.solution(twin, theirs)
assert my_same_outputs(ours, twin, x)
checks.same_outputs(my_same_outputs)
quiz.show("11")
