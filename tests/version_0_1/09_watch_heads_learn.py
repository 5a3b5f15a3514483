from course_utils.models import induction
from course_utils.models.ablation import silenced

tokens = torch.tensor([0, 3, 0, 15, 19])
plots.token_vectors({"embedding": torch.randn(5, 8)}, "ADAPT", caption="Five letters, five rows of numbers.")
plots.diagram(
    {"tokens": (0.7, 1.9, "tokens"), "add": (4.2, 1.9, "add")},
    [("tokens", "add", "")],
    size=(8.0, 2.6),
    caption="The residual path.",
)
sentence = data.load("sentence_pairs")["weak"]
plots.attention_heatmap(sentence.attn_weights[4, 0], sentence.tokens, vmax=1.0, caption="A head of layer 4.")
layer = attention.MultiHeadAttention(8, 8, 2, causal=True)
assert layer(torch.randn(5, 8))[0].shape == (5, 8)

model = induction.InductionModel(20)
x = model.embedding(tokens) + model.positions(torch.arange(5))
for layer in model.layers:
    x = x + layer.attention(layer.norm(x))[0]
logits, attn_weights = model(tokens)
assert_close(model.read_out(model.norm(x)), logits)
for wrong in (torch.tensor([3, 20]), torch.zeros(31, dtype=torch.long), torch.rand(4)):
    try:
        model(wrong)
    except ValueError as error:
        print(error)
checks.repeat_segment(my_repeat_segment)

unseen = induction.repeat_batch(30)
word = my_repeat_segment(torch.tensor([[15, 11, 0, 13, 4, 19, 18]]), 18)[0]
optimizer = torch.optim.AdamW(model.parameters(), lr=0.003)
losses, kept = [], []
for _ in session.progress(3, "Training", lambda: f"loss {losses[-1]:.2f}"):
    batch = induction.repeat_batch(48)
    kept.append(model(word)[1].detach())
    loss = F.cross_entropy(model(batch.inputs)[0][batch.known], batch.targets[batch.known])
    losses.append(loss.item())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
kept, steps = torch.stack(kept), list(range(3))
plots.curves(range(3), {"two layers": losses}, xlabel="step", ylabel="loss", caption="It falls.")
checks.previous_score(my_previous_score)
checks.induction_score(my_induction_score)
previous = checks.previous_score.solution(kept)
following = checks.induction_score.solution(kept, word)
plots.heads_over_steps(steps, {"one step back": previous, "induction": following}, caption="Two kinds of head.")
widgets.StepScrubber(kept.flatten(1, 2), list("PLANETSPLANETSPLAN"), steps=steps, curves={"loss": losses}, query=13)


@torch.no_grad()
def loss_of(model):
    return F.cross_entropy(model(unseen.inputs)[0][unseen.known], unseen.targets[unseen.known]).item()


whole = loss_of(model)
for heads in ((), (2,), (0, 1, 2, 3)):
    with silenced(model.layers[0].attention, *heads):
        assert (loss_of(model) == whole) == (not heads)
assert loss_of(model) == whole
checks.measure_without(my_measure_without)
for small in (induction.InductionModel(20, num_layers=1), induction.InductionModel(20, num_heads=1)):
    loss_without = checks.measure_without.solution(small.layers, lambda model=small: loss_of(model))
    assert loss_without.shape == (len(small.layers), small.layers[0].attention.num_heads)
plots.heads_map(loss_without, label="loss without this head", vmax=3.0, caption="The loss with one head silenced.")
quiz.show("09")
