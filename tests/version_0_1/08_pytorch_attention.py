ours, theirs = attention.MultiHeadAttention(12, 12, 3), nn.MultiheadAttention(12, 3, batch_first=True)
checks.copy_heads(my_copy_heads)
checks.copy_heads.solution(ours, theirs)
assert_close(theirs.out_proj.state_dict(), ours.out_proj.state_dict())
inputs, mask = torch.rand(2, 5, 12), attention.causal_mask(5)
causal_vecs, causal_weights = ours(inputs, mask=mask)
blocked = {"attn_mask": ~mask, "average_attn_weights": False}
assert_close(theirs(inputs, inputs, inputs, **blocked), (causal_vecs, causal_weights))
assert properties.samples_independent(lambda x: theirs(x, x, x)[0], inputs)
checks.causal_layer(my_causal_layer)
for attempt in (lambda: attention.MultiHeadAttention(12, 12, 5), lambda: ours(inputs, mask=mask.float())):
    try:
        attempt()
    except ValueError as error:
        print(error)

real = data.load("sentence_pairs")["weak"]
heads = real.attn_weights[3]
average = heads.mean(dim=0)
widgets.HeadsView(heads, real.tokens, compare=average.expand_as(heads), head=1, query=real.tokens.index("it"))
plots.attention_bars({"head 1": heads[1, 3], "average": average[3]}, real.tokens, caption="One row.")
columns = [f"t{i}" for i in range(5)]
two_tables = torch.stack([causal_weights[0, 0, -2:], causal_weights[0, 1, -2:]])
plots.attention_heatmap(two_tables, ["t3", "t4"], columns, titles=["0", "1"], vmax=1.0, caption="Two rows.")

queries, keys, values = (attention.split_heads(layer(inputs), 3) for layer in (ours.W_query, ours.W_key, ours.W_value))
by_hand, _ = attention.scaled_dot_product_attention(queries, keys, values, mask)
assert_close(F.scaled_dot_product_attention(queries, keys, values, is_causal=True), by_hand)
checks.fused_attention(my_fused_attention)
checks.cached_step(my_cached_step)
cached_step = checks.cached_step.solution
first_vec, cache = cached_step(ours, inputs[:, :1], None)
assert_close(cached_step(ours, inputs[:, 1:2], cache)[0], causal_vecs[:, 1:2])

explicit = attention.MultiHeadAttention(64, 64, 4, causal=True).eval()
sizes, megabytes = [64, 128, 256], []
with torch.no_grad():
    for size in sizes:
        x = torch.rand(1, size, 64)
        megabytes.append(measure.peak_bytes(lambda x: explicit(x), x) / 1e6)
    assert measure.seconds(lambda x: explicit(x), x) > 0
    assert measure.seconds(lambda x: explicit(x), x, rounds=2) > 0
    assert measure.seconds(lambda: explicit(x, need_weights=False)) > 0
    assert measure.peak_bytes(lambda: explicit(x, need_weights=False)) > 0
slopes = {"explicit": measure.slope(sizes[1:], megabytes[1:])}
plots.growth(sizes, {"explicit": megabytes}, slopes, since=128, xlabel="tokens", ylabel="MB", caption="It climbs.")

checks.from_memory(MyFromMemory)
mine = MyFromMemory(12, 12, 3, 7)
mine.load_state_dict(ours.state_dict())
assert_close(mine(inputs), (causal_vecs, causal_weights))
quiz.show("08")
