inputs = torch.randn(5, 3)
plain_vecs, plain_weights = attention.scaled_dot_product_attention(inputs, inputs, inputs)
plots.attention_heatmap(plain_weights, list("abcde"), vmax=1.0, caption="The inputs alone.")
checks.qk_scores(my_qk_scores)
checks.load(my_load)
checks.self_attention(MySelfAttention)

mine, head = MySelfAttention(3, 2), attention.SelfAttention(3, 2)
mine.load_state_dict(head.state_dict())
assert_close(mine(inputs), head(inputs))
assert_close(mine(torch.stack([inputs, 2 * inputs])), head(torch.stack([inputs, 2 * inputs])))

W_query, W_key, W_value = (nn.Parameter(torch.randn(3, 2)) for _ in range(3))
with torch.no_grad():
    head.W_query.weight.copy_(W_query.transpose(-2, -1))
    head.W_key.weight.copy_(W_key.transpose(-2, -1))
    head.W_value.weight.copy_(W_value.transpose(-2, -1))
by_hand = attention.scaled_dot_product_attention(inputs @ W_query, inputs @ W_key, inputs @ W_value)
assert_close(head(inputs), by_hand)
checks.training_step(my_training_step)

example = data.retrieval_batch(1)
labels = data.retrieval_labels(example.inputs[0])
head, read_out = attention.SelfAttention(16, 12), nn.Linear(12, 5)
optimizer = torch.optim.AdamW([*head.parameters(), *read_out.parameters()], lr=0.003)
losses, kept = [], []
for _ in session.progress(10, "Training"):
    train = data.retrieval_batch(64)
    digit_scores = read_out(head(train.inputs)[0][:, 5:])
    loss = F.cross_entropy(digit_scores.flatten(0, 1), train.targets.flatten())
    losses.append(loss.item())
    kept.append(head(example.inputs)[1][0, 5:].detach().clone())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
weights_by_step = torch.stack(kept)
plots.attention_heatmap(
    weights_by_step[[0, -1]], labels[5:], labels, titles=["first", "last"], caption="Three askers over eight tokens."
)
widgets.StepScrubber(weights_by_step, labels[5:], labels, steps=list(range(10)), curves={"loss": losses})
quiz.show("03")
