inputs, valid_lens = torch.randn(2, 5, 8), torch.tensor([5, 3])
tokens = ["it", "was", "cold", "[pad]", "[pad]"]
padding, causal = attention.padding_mask(valid_lens, 5)[:, 0], attention.causal_mask(5)
both, either = padding & causal, padding | causal
checks.padding_mask(my_padding_mask)
one_empty = attention.padding_mask([3, 0], 5)[:, 0]
ours, _ = attention.scaled_dot_product_attention(inputs, inputs, inputs, one_empty)
assert_close(ours, F.scaled_dot_product_attention(inputs, inputs, inputs, one_empty))
checks.padded_softmax(my_padded_softmax)
closed_scores = torch.randn(2, 5, 5).masked_fill(~one_empty, -torch.inf)
assert_close(my_padded_softmax(closed_scores, one_empty), attention.softmax(closed_scores))

plots.mask_panels(
    {"padding": padding[1].expand(5, 5), "causal": causal, "both: &": both[1], "either: |": either[1]},
    tokens,
    caption="Joined by &, a key must pass both masks.",
)
for joined in (both, either):
    safe = properties.no_leak(lambda x, mask=joined: attention.scaled_dot_product_attention(x, x, x, mask), inputs)
    assert safe == (joined is both)
checks.left_padded_mask(my_left_padded_mask)

query_inputs, key_inputs = torch.randn(2, 4, 100), torch.randn(2, 6, 100)
valid_lens = torch.tensor([3, 2])
mask = attention.padding_mask(valid_lens, 6)
cross = attention.MultiHeadAttention(100, 100, 5)
context_vecs, attn_weights = cross(query_inputs, key_inputs, mask=mask)
queries, keys, values = (
    attention.split_heads(part, 5)
    for part in (cross.W_query(query_inputs), cross.W_key(key_inputs), cross.W_value(key_inputs))
)
head_vecs, by_hand = attention.scaled_dot_product_attention(queries, keys, values, mask)
assert_close(F.scaled_dot_product_attention(queries, keys, values, mask), head_vecs)
assert_close(attention.softmax((queries @ keys.transpose(-2, -1) / 20**0.5).masked_fill(~mask, -torch.inf)), by_hand)
assert properties.rows_sum_to_one(attn_weights)
assert_close(cross.out_proj(attention.merge_heads(head_vecs)), context_vecs)
plots.padded_heads(attn_weights, valid_lens, ["q0", "q1", "q2", "q3"], list("012345"), caption="Hatched is padding.")
widgets.HeadsView(attn_weights, ["q0", "q1", "q2", "q3"], [f"k{i}" for i in range(6)], axis="sample")
try:
    attention.scaled_dot_product_attention(query_inputs, key_inputs, key_inputs, mask)
except ValueError as error:
    print(error)
try:
    attention.padding_mask([3, 8], 6)
except ValueError as error:
    print(error)
checks.folded_with_lengths(my_folded_with_lengths)
folded = [part.flatten(0, 1) for part in (queries, keys, values)]
assert_close(my_folded_with_lengths(*folded, valid_lens)[0], head_vecs.flatten(0, 1))

checks.cross_attention(MyCrossAttention)
narrow_keys, narrow_values = torch.randn(2, 6, 30), torch.randn(2, 6, 7)
mine, reference = MyCrossAttention(100, 100, 5, 30, 7), attention.MultiHeadAttention(100, 100, 5, kdim=30, vdim=7)
mine.load_state_dict(reference.state_dict())
expected = reference(query_inputs, narrow_keys, narrow_values, mask=mask)
assert_close(mine(query_inputs, narrow_keys, narrow_values, valid_lens), expected)
wide = attention.MultiHeadAttention(100, 100, 5, kdim=30, vdim=7, out_bias=False)
with torch.no_grad():
    wide.out_proj.weight.copy_(reference.out_proj.weight)
assert wide(query_inputs, narrow_keys, narrow_values, mask=mask)[0].shape == (2, 4, 100)
quiz.show("07")
