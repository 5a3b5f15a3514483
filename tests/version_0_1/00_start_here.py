sentences = data.load("sentence_pairs")
weak, steep = sentences["weak"], sentences["steep"]
it = weak.tokens.index("it")
looks_at = steep.tokens[steep.attn_weights[3, 1, it].argmax()]
widgets.SentenceView(weak.attn_weights[3, 1:2], weak.tokens, query=it)
widgets.SentenceView(
    weak.attn_weights[3, 1:2], weak.tokens, compare=steep.attn_weights[3, 1:2], compare_tokens=steep.tokens, query=it
)
widgets.Predict("it-in-steep", "Which word does it look at most?", looks_at, choices=["robot", "hill", "steep"])
widgets.HeadsView(weak.attn_weights, weak.tokens, compare=steep.attn_weights, layer=3, head=1, query=it)
plots.attention_heatmap(weak.attn_weights[3, 1], weak.tokens, mark=it, caption="Layer 3, head 1.")
plots.path(["0  Start here\na real model", "1  Dot product\n+ scores and mix"], columns=4, caption="The path.")

table = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
other = torch.tensor([[1.0, 0.0, 2.0, 5.0], [0.0, 1.0, 2.0, 5.0], [1.0, 1.0, 0.0, 5.0]])
my_batch = torch.zeros(4, 5, 3)
checks.batch(my_batch)
my_means = table.mean(dim=-1, keepdim=True)
checks.means(my_means)
my_mix = torch.tensor([0.5, 0.3, 0.2]) @ other
checks.mix(my_mix)
my_shares = table / table.sum(dim=-1, keepdim=True)
checks.shares(my_shares)
two_tokens = torch.tensor([[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]])
my_pieces = two_tokens.view(2, 3, 2).transpose(0, 1)
checks.pieces(my_pieces)
quiz.show("00")
