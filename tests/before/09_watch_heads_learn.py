# %% import-torch-import-torch-nn [setup]
import torch
import torch.nn.functional as F
from torch import nn
from torch.testing import assert_close

from course_utils import attention, checks, data, plots, quiz, session, widgets
from course_utils.models import induction
from course_utils.models.ablation import silenced

torch.set_num_threads(1)  # so small a model trains fastest on one core
session.start()

# %% letters-abcdefghijklmnopqrst-def-as-toke
letters = "ABCDEFGHIJKLMNOPQRST"


def as_tokens(text):
    return torch.tensor([letters.index(letter) for letter in text])  # (num_tokens,)


tokens, embedding = as_tokens("ADAPT"), nn.Embedding(20, 8)
embedded = embedding(tokens)  # (num_tokens, width)
assert_close(embedded, F.one_hot(tokens, 20).float() @ embedding.weight)  # a single 1 picks its row
print(tokens.tolist())

# %% plots-token-vectors-embedding-embedded [figure]
plots.token_vectors({"embedding": embedded}, "ADAPT",
                    caption="Five letters, five rows of numbers. Both A have the same row.")

# %% positions-nn-embedding-30-8
positions = nn.Embedding(30, 8)
placed = embedded + positions(torch.arange(5))  # (num_tokens, width)
print("before:", torch.equal(embedded[0], embedded[2]), "  after:", torch.equal(placed[0], placed[2]))

# %% plots-token-vectors-letter-embedded [figure]
plots.token_vectors({"letter": embedded, "place": positions(torch.arange(5)), "sum": placed}, "ADAPT",
                    caption="Letter plus place: in the sum, the two A differ.")

# %% layer-attention-multiheadattention-8-8
layer = attention.MultiHeadAttention(8, 8, 2, causal=True)
delivered, _ = layer(placed)  # (num_tokens, width)
added = placed + delivered
print(f"came in {placed.abs().mean():.2f}   delivered {delivered.abs().mean():.2f}   (mean size of a number)")

# %% plots-token-vectors-came-in [figure]
plots.token_vectors({"came in": placed, "delivered": delivered, "goes on": added}, "ADAPT",
                    caption="What goes on is what came in plus what the heads delivered: still recognisable.")

# %% mean-added-mean-dim-1
mean = added.mean(dim=-1, keepdim=True)  # (num_tokens, 1)
variance = added.var(dim=-1, keepdim=True, correction=0)
normed = (added - mean) / (variance + 1e-5) ** 0.5  # 1e-5: never a division by 0
assert_close(normed, nn.LayerNorm(8)(added))
print("spread before", added.detach().std(dim=-1, correction=0))
print("spread after ", normed.detach().std(dim=-1, correction=0))

# %% plots-token-vectors-before-added [figure]
plots.token_vectors({"before": added, "after": normed}, "ADAPT",
                    caption="Before and after layer norm: each row on its own is centred and scaled.")

# %% widen-narrow-nn-linear-8
widen, narrow = nn.Linear(8, 32), nn.Linear(32, 8)
hidden = F.gelu(widen(normed))  # (num_tokens, 32): large numbers pass, those below 0 are flattened
changed = normed.clone()
changed[3] += 1.0
differs = (narrow(F.gelu(widen(changed))) != narrow(hidden)).any(dim=-1)
print("rows that changed:", differs.nonzero().flatten().tolist())

# %% plots-token-vectors-in-normed [figure]
plots.token_vectors({"in": normed, "widened": hidden, "out": narrow(hidden)}, "ADAPT",
                    caption="8 numbers, 32, and 8 again, for each token on its own: only attention mixes tokens.")

# %% sentence-data-load-sentence-pairs
sentence = data.load("sentence_pairs")["weak"]
on_cls = sentence.attn_weights[4, :, :, 0].mean(dim=-1)  # (num_heads,) weight on [CLS], mean over the queries
print(f"layer 4: a head's mean weight on {sentence.tokens[0]} lies between {on_cls.min():.2f} and {on_cls.max():.2f}")

# %% plots-attention-heatmap-sentence-attn [figure]
plots.attention_heatmap(sentence.attn_weights[4, on_cls.argmax()], sentence.tokens, vmax=1.0,
                        caption="In this head of layer 4 almost every word looks at [CLS], which is no word.")

# %% plots-diagram-tokens-0-7 [figure]
plots.diagram({"tokens": (0.7, 1.9, "tokens"), "tables": (2.3, 1.9, "embedding\n+ positions"),
               "one": (4.2, 0.6, "layer norm\n4 heads"), "add": (4.2, 1.9, "add"),
               "two": (5.9, 0.6, "layer norm\n4 heads"), "again": (5.9, 1.9, "add"),
               "out": (7.3, 1.9, "layer norm\nread-out")},
              [("tokens", "tables", ""), ("tables", "add", ""), ("tables", "one", ""), ("one", "add", ""),
               ("add", "again", ""), ("add", "two", ""), ("two", "again", ""), ("again", "out", "")],
              size=(8.0, 2.6),
              caption="The residual path runs straight through. Two layers read from it, and add what they find.")

# %% model-induction-inductionmodel-20-x
model = induction.InductionModel(20)
x = model.embedding(tokens) + model.positions(torch.arange(5))  # (num_tokens, width)
for layer in model.layers:
    delivered, _ = layer.attention(layer.norm(x))
    x = x + delivered
logits, attn_weights = model(tokens)
assert_close(model.read_out(model.norm(x)), logits)
print("scores ", tuple(logits.shape))  # (num_tokens, vocab_size)
print("weights", tuple(attn_weights.shape))  # (layers, num_heads, num_queries, num_keys)

# %% for-wrong-in-torch-tensor
for wrong in (torch.tensor([3, 20]), torch.zeros(31, dtype=torch.long), torch.rand(4)):
    try:
        model(wrong)
    except ValueError as error:
        print(error)

# %% def-my-repeat-segment-segments [exercise]
def my_repeat_segment(segments, num_tokens):
    ...

# %% checks-repeat-segment-my-repeat [check]
checks.repeat_segment(my_repeat_segment)

# %% def-repeat-segment-solution-segments [solution]
def repeat_segment_solution(segments, num_tokens):
    places = torch.arange(num_tokens) % segments.shape[-1]
    return segments[:, places]  # (batch, num_tokens)


assert_close(repeat_segment_solution(as_tokens("PLANETS")[None], 18)[0], as_tokens("PLANETSPLANETSPLAN"))

# %% batch-induction-repeat-batch-3
batch = induction.repeat_batch(3)
for row, known in zip(batch.inputs, batch.known):
    print("".join(letters[token] for token in row), " known from place", known.tolist().index(True))

# %% plots-diagram-p-0-6 [figure]
plots.diagram({"P": (0.6, 0.5, "P"), "L": (1.8, 0.5, "L"), "A": (3.0, 0.5, "A"), "dots": (4.2, 0.5, "N E T S"),
               "P2": (5.4, 0.5, "P"), "L2": (6.6, 0.5, "L"),
               "note": (3.0, 1.9, "layer 0 notes:\nA, after L"), "guess": (6.6, 2.9, "layer 1 adds:\nL, next is A")},
              [("L", "note", ""), ("A", "note", ""), ("note", "guess", ""), ("L2", "guess", "")],
              size=(8.0, 3.5),
              caption="Layer 0: A looks one step back and notes that it comes after L. "
                      "Layer 1: the second L asks who comes after L, and A answers.")

# %% word-as-tokens-planetsplanetsplan-18
word = as_tokens("PLANETSPLANETSPLAN")  # (18,)


def train(model, label, num_steps=201):
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.003)
    losses, accuracies, kept = [], [], []
    for step in session.progress(num_steps, label, lambda: f"loss {losses[-1]:.2f}, right {accuracies[-1]:.0%}"):
        batch = induction.repeat_batch(48)
        if step % 5 == 0:
            kept.append(model(word)[1].detach())  # (layers, num_heads, 18, 18)
        scores = model(batch.inputs)[0][batch.known]  # (number of known places, 20)
        targets = batch.targets[batch.known]
        loss = F.cross_entropy(scores, targets)
        losses.append(loss.item())
        accuracies.append((scores.argmax(dim=-1) == targets).float().mean().item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return losses, accuracies, torch.stack(kept)

# %% unseen-induction-repeat-batch-300
unseen = induction.repeat_batch(300)


@torch.no_grad()
def loss_and_accuracy(model):
    scores, targets = model(unseen.inputs)[0][unseen.known], unseen.targets[unseen.known]
    right = (scores.argmax(dim=-1) == targets).float().mean()
    return F.cross_entropy(scores, targets).item(), right.item()


assert loss_and_accuracy(model)[1] < 0.15
print("before training, fewer than 15 % are right: guessing among 20 letters gives 5 %")

# %% torch-manual-seed-1-single
torch.manual_seed(1)
single = induction.InductionModel(20, num_layers=1)
_, single_accuracies, _ = train(single, "Training, one layer")
assert 0.1 < loss_and_accuracy(single)[1] < 0.4
print("one layer: between 10 % and 40 % are right")

# %% torch-manual-seed-1-model
torch.manual_seed(1)
model = induction.InductionModel(20)
losses, accuracies, kept = train(model, "Training, two layers")
assert loss_and_accuracy(model)[1] > 0.95
print("two layers: more than 95 % are right, on sequences that it has never seen")

# %% plots-curves-range-201-two [figure]
plots.curves(range(201), {"two layers": accuracies, "one layer": single_accuracies},
             xlabel="step", ylabel="share of right answers",
             caption="Both models stay below a third at first. Then the one with two layers jumps, "
                     "and gets nearly all right; the other stays where it was.")

# %% low-max-step-for-step
low = max(step for step in range(201) if accuracies[step] < 0.3)
high = min(step for step in range(201) if accuracies[step] > 0.8)
assert high - low < 60 and accuracies[-1] > 0.95
print("from under 30 % to over 80 % in fewer than 60 of the 201 steps")

# %% guesses-join-letters-token-for
guesses = "".join(letters[token] for token in model(word)[0].argmax(dim=-1))
print("it read ", "PLANETSPLANETSPLAN"[7:])
print("it says ", guesses[7:])

# %% def-my-previous-score-attn [exercise]
def my_previous_score(attn_weights):
    ...

# %% checks-previous-score-my-previous [check]
checks.previous_score(my_previous_score)

# %% def-previous-score-solution-attn [solution]
def previous_score_solution(attn_weights):
    rows = torch.arange(1, attn_weights.shape[-1])  # the first token has none before it
    return attn_weights[..., rows, rows - 1].mean(dim=-1)  # (...)


assert_close(previous_score_solution(torch.eye(5).roll(-1, dims=1)), torch.tensor(1.0))

# %% def-my-induction-score-attn [exercise]
def my_induction_score(attn_weights, tokens):
    ...

# %% checks-induction-score-my-induction [check]
checks.induction_score(my_induction_score)

# %% def-induction-score-solution-attn [solution]
def induction_score_solution(attn_weights, tokens):
    same = tokens[:, None] == tokens  # (num_queries, num_keys)
    after = F.pad(same, (1, 0))[:, :-1].tril()  # True where the key followed an earlier place of the query's token
    on_marks = (attn_weights * after).sum(dim=-1)  # (..., num_queries)
    return on_marks[..., after.any(dim=-1)].mean(dim=-1)  # (...)


assert_close(induction_score_solution(torch.eye(4).roll(-1, dims=1), as_tokens("AABA")), torch.tensor(0.5))

# %% steps-list-range-0-201
steps = list(range(0, 201, 5))
previous = checks.previous_score.solution(kept)  # (steps, layers, num_heads)
following = checks.induction_score.solution(kept, word)  # (steps, layers, num_heads)
assert previous[0].max() < 0.3 and following[0].max() < 0.3
assert previous[-1, 0].max() > 0.4 and previous[-1, 1].max() < 0.35
assert following[-1, 1].max() > 0.75 and following[-1, 0].max() < 0.3
print("at first no head does either; at the end layer 0 looks one step back, and layer 1 does induction")

# %% plots-heads-over-steps-steps [figure]
plots.heads_over_steps(steps, {"one step back": previous, "induction": following},
                       caption="Both kinds of head appear at the same time, when the answers become right: "
                               "heads that look one step back in layer 0, induction heads in layer 1.")

# %% widgets-stepscrubber-kept-flatten-1 [widget]
widgets.StepScrubber(kept.flatten(1, 2), list("PLANETSPLANETSPLAN"), steps=steps,
                     curves={"loss": losses[::5], "right": accuracies[::5]}, query=13)

# %% best-previous-1-0-argmax [figure]
best = [previous[-1, 0].argmax(), following[-1, 1].argmax()]
plots.attention_heatmap(torch.stack([kept[-1, 0, best[0]], kept[-1, 1, best[1]]]), list("PLANETSPLANETSPLAN"), vmax=1.0,
                        titles=[f"layer 0, head {best[0]}", f"layer 1, head {best[1]}"],
                        caption="Step 200, the best head of each layer: on the left a line one step back; "
                                "on the right, from the second P on, lines on the letter that comes next.")

# %% whole-loss-and-accuracy-model
whole = loss_and_accuracy(model)
with silenced(model.layers[0].attention, 2):
    without = loss_and_accuracy(model)
assert without != whole and loss_and_accuracy(model) == whole
print("another result without the head; the same as before when it is back")

# %% def-my-measure-without-layers [exercise]
def my_measure_without(layers, measure):
    ...

# %% checks-measure-without-my-measure [check]
checks.measure_without(my_measure_without)

# %% def-measure-without-solution-layers [solution]
def measure_without_solution(layers, measure):
    table = torch.zeros(len(layers), layers[0].attention.num_heads)  # (num_layers, num_heads)
    for number, layer in enumerate(layers):
        for head in range(table.shape[1]):
            with silenced(layer.attention, head):
                table[number, head] = measure()
    return table


assert measure_without_solution(model.layers, lambda: 3.0).tolist() == [[3.0] * 4] * 2

# %% accuracy-without-checks-measure-without
accuracy_without = checks.measure_without.solution(model.layers, lambda: loss_and_accuracy(model)[1])
loss_without = checks.measure_without.solution(model.layers, lambda: loss_and_accuracy(model)[0])
assert accuracy_without[0].min() > 0.5 and accuracy_without[1].min() > 0.95
print("for none: without any one head of layer 1 it stays above 95 %, of layer 0 above 50 %")

# %% plots-heads-map-loss-without [figure]
plots.heads_map(loss_without, label="loss without this head", vmax=3.0,
                caption="The loss with one head silenced, on a scale up to 3, the loss of guessing among 20 letters: "
                        "all are weak.")

# %% def-right-without-number-scores
def right_without(number, scores):
    order = scores.argsort(descending=True).tolist()  # the heads of this layer, the best first
    found = []
    for count in range(5):
        with silenced(model.layers[number].attention, *order[:count]):
            found.append(loss_and_accuracy(model)[1])
    return found


right_0, right_1 = right_without(0, previous[-1, 0]), right_without(1, following[-1, 1])
assert right_0[4] < 0.3 and right_1[4] < 0.3 and right_1[2] > 0.9 and right_0[2] < right_1[2]
print("two heads of layer 1 can go; without either layer, fewer than 30 % are right")

# %% plots-curves-range-5-layer [figure]
plots.curves(range(5), {"layer 0": right_0, "layer 1": right_1},
             xlabel="heads silenced", ylabel="share of right answers",
             caption="Layer 1 can lose two or three of its four heads; layer 0 breaks sooner. "
                     "Without all heads of a layer the task is lost.")

# %% torch-manual-seed-1-pair
torch.manual_seed(1)
pair = induction.InductionModel(20, num_heads=1)
_ = train(pair, "One head per layer")
whole = loss_and_accuracy(pair)[1]
without = checks.measure_without.solution(pair.layers, lambda: loss_and_accuracy(pair)[1])  # (2, 1)
assert whole > 0.95 and without.max() < 0.3
print("with both heads more than 95 % are right, without either one fewer than 30 %")

# %% quiz-show-09
quiz.show("09")
