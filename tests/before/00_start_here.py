# %% session-check [setup]
from course_utils import session

session.check()

# %% import-torch-from-course-utils [setup]
import torch

from course_utils import checks, data, plots, quiz, widgets

session.start()

# %% the-weak-sentence [widget]
sentences = data.load("sentence_pairs")
weak = sentences["weak"]
it = weak.tokens.index("it")
widgets.SentenceView(weak.attn_weights[3, 1:2], weak.tokens, query=it)

# %% steep-looked-up
steep = sentences["steep"]
looks_at = steep.tokens[steep.attn_weights[3, 1, it].argmax()]

# %% predict-it-in-steep [widget]
widgets.Predict("it-in-steep", "The robot could not climb the hill because it was too steep. "
                "Which word does it look at most?", looks_at, choices=["robot", "hill", "steep", "[CLS]"])

# %% both-sentences [widget]
widgets.SentenceView(weak.attn_weights[3, 1:2], weak.tokens, compare=steep.attn_weights[3, 1:2],
                     compare_tokens=steep.tokens, query=it)

# %% rows-too-weak-weak-attn
rows = {"too weak": weak.attn_weights[3, 1, it],  # layer 3, head 1, row of "it"
        "too steep": steep.attn_weights[3, 1, it]}
robot, hill = weak.tokens.index("robot"), weak.tokens.index("hill")
for name, row in rows.items():
    print(f"{name:10s} robot {row[robot]:.2f}   hill {row[hill]:.2f}")

# %% weak-attn-weights-shape-layers
weak.attn_weights.shape  # (layers, num_heads, num_tokens, num_tokens)

# %% it-weak-tokens-index-it [figure]
plots.attention_heatmap(weak.attn_weights[3, 1], weak.tokens, mark=it,
                        caption="Layer 3, head 1, on the sentence that ends in weak: "
                                "the row of it is strongest at robot.")

# %% last-weak-tokens-index-weak
last = weak.tokens.index("weak")
for layer in (3, 2):
    print(f"layer {layer}, head 1   it → weak {weak.attn_weights[layer, 1, it, last]:.2f}")

# %% widgets-headsview-weak-attn-weights [widget]
labels = [token.replace("weak", "weak / steep") for token in weak.tokens]
widgets.HeadsView(weak.attn_weights, labels, compare=steep.attn_weights, layer=3, head=1, query=it)

# %% sleepy-deep-sentences-sleepy-sentences
sleepy, deep = sentences["sleepy"], sentences["deep"]
it, cat, river = sleepy.tokens.index("it"), sleepy.tokens.index("cat"), sleepy.tokens.index("river")
for name, sentence in (("too sleepy", sleepy), ("too deep", deep)):
    row = sentence.attn_weights[3, 1, it]
    print(f"{name:10s} cat {row[cat]:.2f}   river {row[river]:.2f}")

# %% narrow-looked-up
wide, narrow = sentences["wide"], sentences["narrow"]
it, piano, door = wide.tokens.index("it"), wide.tokens.index("piano"), wide.tokens.index("door")
row = narrow.attn_weights[3, 1, it]
looks_at = "piano" if row[piano] > row[door] else "door"

# %% predict-it-in-narrow [widget]
widgets.Predict("it-in-narrow", "The piano did not go through the door because it was too narrow. "
                "At which of the two does the head look more?", looks_at, choices=["piano", "door"])

# %% wide-narrow-sentences-wide-sentences
for name, sentence in (("too wide", wide), ("too narrow", narrow)):
    row = sentence.attn_weights[3, 1, it]
    print(f"{name:10s} piano {row[piano]:.2f}   door {row[door]:.2f}")

# %% plots-path-0-start-here [figure]
plots.path(["0  Start here\na real model", "1  Dot product\n+ scores and mix",
            "2  Scaling\n+ the right root", "3  Q, K and V\n+ learning",
            "4  Causal mask\n+ hide the future", "5  Dropout\n+ noise in training",
            "6  Many heads\n+ several views", "7  Padding\n+ unequal texts",
            "8  PyTorch\n+ speed", "9  Heads form\n+ watch training",
            "10  Real heads\n+ look inside", "11  Clinic\n+ find the bug"],
           columns=4, caption="The path of the course: a real model, one head, many heads, "
                              "PyTorch's own, heads that form, real heads, a clinic for bugs.")

# %% my-guess [exercise]
my_guess = ...

# %% it-last-word-steep-tokens [solution]
it, last_word = steep.tokens.index("it"), steep.tokens.index("steep")
print(f"steep → it {steep.attn_weights[3, 1, last_word, it]:.2f}")

# %% table-torch-tensor-1-0
table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
table.shape

# %% my-batch [exercise]
my_batch = ...

# %% checks-batch-my-batch [check]
checks.batch(my_batch)

# %% batch-solution-torch-zeros-4 [solution]
batch_solution = torch.zeros(4, 5, 3)  # (batch, num_tokens, width)
batch_solution.shape

# %% print-table-sum-dim-0
print(table.sum(dim=0))
print(table.sum(dim=-1))
print(table.sum(dim=-1, keepdim=True))

# %% my-means [exercise]
my_means = ...

# %% checks-means-my-means [check]
checks.means(my_means)

# %% means-solution-table-mean-dim [solution]
means_solution = table.mean(dim=-1, keepdim=True)  # (2, 1)
print(means_solution)

# %% other-torch-tensor-1-0
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])  # (3, 4)
print(table @ other)  # (2, 3) @ (3, 4) -> (2, 4)
print("the first number by hand:", 1 * 1 + 2 * 0 + 3 * 1)
print(table @ torch.tensor([1.0, 0.0, 1.0]))  # (2, 3) @ (3,) -> (2,)

# %% weights-torch-tensor-0-5 [exercise]
weights = torch.tensor([0.5, 0.3, 0.2])
my_mix = ...

# %% checks-mix-my-mix [check]
checks.mix(my_mix)

# %% mix-solution-torch-tensor-0 [solution]
mix_solution = torch.tensor([0.5, 0.3, 0.2]) @ other  # (3,) @ (3, 4) -> (4,)
print(mix_solution)

# %% print-table-torch-tensor-1
print(table - torch.tensor([[1.0], [4.0]]))  # (2, 3) - (2, 1)
print(table * torch.tensor([1.0, 10.0, 100.0]))  # (2, 3) * (3,)

# %% my-shares [exercise]
my_shares = ...

# %% checks-shares-my-shares [check]
checks.shares(my_shares)

# %% shares-solution-table-table-sum [solution]
shares_solution = table / table.sum(dim=-1, keepdim=True)  # (2, 3) / (2, 1)
print(shares_solution, shares_solution.sum(dim=-1))

# %% print-table-view-3-2
print(table.view(3, 2))
print(table.transpose(0, 1))

# %% two-tokens-torch-tensor-0 [exercise]
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = ...

# %% checks-pieces-my-pieces [check]
checks.pieces(my_pieces)

# %% two-tokens-torch-tensor-0-2 [solution]
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
pieces_solution = two_tokens.view(2, 3, 2).transpose(0, 1)  # (2, 6) -> (2, 3, 2) -> (3, 2, 2)
print(pieces_solution[0])  # tensor([[0, 1], [6, 7]]): the first two numbers of each token

# %% quiz-show-00
quiz.show("00")
