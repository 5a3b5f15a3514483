# %% import-torch-import-torch-nn [setup]
import torch
import torch.nn.functional as F

from course_utils import attention, checks, data, fetch, plots, quiz, session, widgets
from course_utils.models import minilm, stored
from course_utils.models.ablation import silenced

session.start()

# %% fetch-now-false-true-fetch
fetch_now = False  # True: fetch the weights now, a minute or so; what is there already is not fetched again
if fetch_now:
    fetch.minilm()

# %% load-the-model
try:
    model = minilm.load()
except (FileNotFoundError, ValueError) as error:
    print(error)
    model = stored.SixSentences()
print(len(model.layers), "layers; attention is", type(model.layers[3].attention).__name__,
      "with", model.layers[3].attention.num_heads, "heads")

# %% sentences-data-load-sentence-pairs
sentences = data.load("sentence_pairs")  # six texts, each with its tokens and the model's weights
read = model(sentences["weak"].text)
x, layer_3 = read.hidden_states[3], model.layers[3].attention  # x: (num_tokens, width)

queries, keys = layer_3.W_query(x)[:, 32:64], layer_3.W_key(x)[:, 32:64]  # (num_tokens, head_dim)
by_hand = attention.softmax(queries @ keys.transpose(-2, -1) / 32**0.5)  # (num_tokens, num_tokens)
it = read.tokens.index("it")
for token in ["robot", "hill", "weak"]:
    key = read.tokens.index(token)
    print(f"it → {token:6s} by hand {by_hand[it, key]:.4f}   in the model {read.attn_weights[3, 1, it, key]:.4f}")

# %% queries-attention-split-heads-layer
queries = attention.split_heads(layer_3.W_query(x), 12)  # (num_heads, num_tokens, head_dim)
keys = attention.split_heads(layer_3.W_key(x), 12)
all_heads = attention.softmax(queries @ keys.transpose(-2, -1) / 32**0.5)  # (num_heads, num_tokens, num_tokens)
print(f"weights: largest difference {(all_heads - read.attn_weights[3]).abs().max():.4f}")

values = attention.split_heads(layer_3.W_value(x), 12)
context_vecs = F.scaled_dot_product_attention(queries, keys, values)  # (num_heads, num_tokens, head_dim)
output = layer_3.out_proj(attention.merge_heads(context_vecs))  # (num_tokens, width)
print(f"output:  largest difference {(output - layer_3(x)[0]).abs().max():.4f}")

# %% for-text-tokens-attn-weights
for text, tokens, attn_weights in sentences.values():
    torch.testing.assert_close(model(text).attn_weights, attn_weights, rtol=0, atol=1e-3)
print(f"{len(sentences)} sentences: the same weights as in notebook 0")

# %% def-it-looks-at-text
def it_looks_at(text, nouns, layer=3, head=1):
    read = model(text)
    row = read.attn_weights[layer, head, read.tokens.index("it")]
    return torch.stack([row[read.tokens.index(noun)] for noun in nouns])  # one weight a noun


for word in ["weak", "steep"]:
    robot, hill = it_looks_at(sentences[word].text, ["robot", "hill"])
    print(f"{word:6s} it → robot {robot:.2f}   it → hill {hill:.2f}")

# %% the-pair-to-touch-view [widget]
pair = {word: model(sentences[word].text) for word in ("weak", "steep")}
widgets.SentenceView(pair["weak"].attn_weights, pair["weak"].tokens, compare=pair["steep"].attn_weights,
                     compare_tokens=pair["steep"].tokens, layer=3, head=1, query=it)

# %% def-heads-of-sentence-layer [widget]
def heads_of(sentence, layer):
    read = model(sentence)
    return read.attn_weights.flatten(0, 1) if layer == "all" else read.attn_weights[layer], read.tokens


lab = widgets.AttentionLab(heads_of, [], sentence=sentences["weak"].text, layer=[3, 0, 1, 2, 4, 5, "all"])
lab.head, lab.query = 1, it
lab

# %% for-sentence-in-i-am
for sentence in ["", "I am happy 🙂", "猫は川を渡れない", "Antidisestablishmentarianism!", "word " * 600]:
    try:
        print(model(sentence).tokens)
    except ValueError as error:
        print(error)

# %% def-previous-pattern-tokens-return
def previous_pattern(tokens):
    return torch.ones(len(tokens), len(tokens)).tril(-1).triu(-1).bool()  # (num_tokens, num_tokens)


weak = sentences["weak"]
previous = previous_pattern(weak.tokens)
previous[:4, :4]

# %% rows-row-for-row-in
rows = [row for row in range(len(previous)) if previous[row].any()]
on_marks = [weak.attn_weights[0, 2, row][previous[row]].sum() for row in rows]
print(f"{len(rows)} of {len(weak.tokens)} rows have a mark; score {torch.stack(on_marks).mean():.2f}")

# %% def-my-same-pattern-tokens [exercise]
def my_same_pattern(tokens):
    ...

# %% checks-same-pattern-my-same [check]
checks.same_pattern(my_same_pattern)

# %% def-same-pattern-solution-tokens [solution]
def same_pattern_solution(tokens):
    return torch.tensor([[query == key and i != j for j, key in enumerate(tokens)] for i, query in enumerate(tokens)])


assert same_pattern_solution(["no", "is", "no"]).nonzero().tolist() == [[0, 2], [2, 0]]

# %% def-my-pattern-scores-attn [exercise]
def my_pattern_scores(attn_weights, pattern):
    ...

# %% checks-pattern-scores-my-pattern [check]
checks.pattern_scores(my_pattern_scores)

# %% def-pattern-scores-solution-attn [solution]
def pattern_scores_solution(attn_weights, pattern):
    if not pattern.any():
        raise ValueError("the pattern marks no cell: there is nothing to score.")
    on_marks = (attn_weights * pattern).sum(dim=-1)  # (layers, num_heads, num_queries)
    return on_marks[..., pattern.any(dim=-1)].mean(dim=-1)  # (layers, num_heads)


torch.testing.assert_close(pattern_scores_solution(weak.attn_weights, previous)[0, 2], torch.stack(on_marks).mean())

# %% pattern-scores-checks-pattern-scores
pattern_scores = checks.pattern_scores.solution


def mean_scores(pattern_of):
    return torch.stack([pattern_scores(sentence.attn_weights, pattern_of(sentence.tokens))
                        for sentence in sentences.values()]).mean(dim=0)  # (layers, num_heads)


previous_scores = mean_scores(previous_pattern)

# %% plots-heads-map-previous-scores [figure]
plots.heads_map(previous_scores, label="weight on the token before", vmax=1.0,
                caption="The token before: one head stands out, layer 0, head 2, with 1.00.")

# %% def-my-top-heads-scores [exercise]
def my_top_heads(scores, count):
    ...

# %% checks-top-heads-my-top [check]
checks.top_heads(my_top_heads)

# %% def-top-heads-solution-scores [solution]
def top_heads_solution(scores, count):
    best = scores.flatten().topk(count).indices  # (count,)
    return torch.stack([best // scores.shape[-1], best % scores.shape[-1]], dim=-1)  # (count, 2)


assert top_heads_solution(previous_scores, 1).tolist() == [[0, 2]]

# %% nouns-robot-hill-cat-river
nouns = {"robot", "hill", "cat", "river", "piano", "door"}


def looks_at(special):  # a pattern: everyone else looks at this token
    return lambda tokens: torch.tensor([[query != special and key == special for key in tokens] for query in tokens])


patterns = {"next token": lambda tokens: previous_pattern(tokens).transpose(-2, -1),
            "same word": checks.same_pattern.solution,
            "[SEP]": looks_at("[SEP]"),
            "[CLS]": looks_at("[CLS]"),
            "it → noun": lambda tokens: torch.tensor([[query == "it" and key in nouns for key in tokens]
                                                      for query in tokens])}

# %% top-heads-checks-top-heads
top_heads = checks.top_heads.solution
for name, pattern_of in patterns.items():
    scores = mean_scores(pattern_of)
    best = [f"{layer}.{head} {scores[layer, head]:.2f}" for layer, head in top_heads(scores, 3).tolist()]
    print(f"{name:10s} best {'  '.join(best)}   above .50: {(scores > 0.5).sum()} heads")

# %% plots-heads-map-mean-scores [figure]
plots.heads_map(mean_scores(patterns["[CLS]"]), label="weight on [CLS]", vmax=1.0,
                caption="The weight that words give to [CLS]: low in layer 0, above one half in 25 heads of later layers.")

# %% sizes-for-layer-inputs-in
sizes = []
for layer, inputs in zip(model.layers, read.hidden_states):
    values = attention.split_heads(layer.attention.W_value(inputs), 12)  # (num_heads, num_tokens, head_dim)
    length = values.norm(dim=-1)  # (num_heads, num_tokens)
    sizes.append((length[:, 0] / length[:, 1:-1].mean(dim=-1)).median())
for number, size in enumerate(sizes):
    print(f"layer {number}: the value of [CLS] is {size:.2f} times as long as that of a word")

# %% others-the-soup-was-hot
others = [("The soup was hot, so the girl did not eat it.", "it", "soup"),
          ("The children were tired, but they kept on walking.", "they", "children"),
          ("The doctor washed his hands.", "his", "doctor")]
for text, pronoun, noun in others:
    found = model(text)
    row = found.attn_weights[:, :, found.tokens.index(pronoun), found.tokens.index(noun)]  # (layers, num_heads)
    before = pattern_scores(found.attn_weights, previous_pattern(found.tokens))[0, 2]
    print(f"{pronoun:5s}→ {noun:9s} 3.1: {row[3, 1]:.2f}   5.11: {row[5, 11]:.2f}   token before, 0.2: {before:.2f}")

# %% for-query-row-in-zip
for query, row in zip(weak.tokens, weak.attn_weights[3, 1]):
    key = row[1:].argmax() + 1
    if row[key] > 0.3:
        print(f"{query:6s}→ {weak.tokens[key]:6s} {row[key]:.2f}")

# %% other-rows-of-3-1 [widget]
widgets.SentenceView(weak.attn_weights[3, 1:2], weak.tokens, query=weak.tokens.index("the"))

# %% def-my-without-head-attention [exercise]
def my_without_head(attention, x, head):
    ...

# %% checks-without-head-my-without [check]
checks.without_head(my_without_head)

# %% def-without-head-solution-attention [solution]
def without_head_solution(attention, x, head):
    kept = attention.out_proj.weight.detach().clone()
    head_dim = attention.out_proj.in_features // attention.num_heads
    with torch.no_grad():
        attention.out_proj.weight[:, head * head_dim : (head + 1) * head_dim] = 0
    output, _ = attention(x)
    with torch.no_grad():
        attention.out_proj.weight.copy_(kept)
    return output


layer, some = attention.MultiHeadAttention(5, 12, 4), torch.rand(6, 5)
with silenced(layer, 1):
    expected, _ = layer(some)
torch.testing.assert_close(without_head_solution(layer, some, 1), expected)

# %% try-with-silenced-model-layers
try:
    with silenced(model.layers[3].attention, 12):
        model("never read")
except ValueError as error:
    print(error)

# %% before-model-weak-text-with
before = model(weak.text)
with silenced(model.layers[3].attention, 1):
    after = model(weak.text)
print("head 3.1 looks where it did:", torch.equal(before.attn_weights[3, 1], after.attn_weights[3, 1]))
change = 100 * (after.hidden_states - before.hidden_states).norm(dim=-1) / before.hidden_states.norm(dim=-1)

# %% plots-change-map-change-4 [figure]
plots.change_map(change[4:], weak.tokens, [3, 4, 5], label="change in %",
                 caption="Head 3.1 silenced: how much each token's vector changes, after layers 3, 4 and 5. "
                         "After layer 3 the tokens it, the (twice) and [SEP] have changed most.")

# %% def-it-alike-vecs-model
def it_alike():
    vecs = [model(sentences[word].text).hidden_states[:, it] for word in ["weak", "steep"]]  # (layers + 1, width)
    return F.cosine_similarity(*vecs, dim=-1)  # (layers + 1,)


whole = it_alike()
with silenced(model.layers[3].attention, 1):
    without = it_alike()
for name, alike in {"all heads": whole, "3.1 silenced": without}.items():
    print(f"{name:12s} " + "  ".join(f"after layer {layer}: {alike[layer + 1]:.3f}" for layer in (2, 3, 5)))

# %% def-show-flip-name-rows
def show_flip(name):
    rows = [it_looks_at(sentences[word].text, ["robot", "hill"]) for word in ["weak", "steep"]]
    print(f"{name:20s} weak: robot {rows[0][0]:.2f} hill {rows[0][1]:.2f}   "
          f"steep: robot {rows[1][0]:.2f} hill {rows[1][1]:.2f}")


show_flip("all heads")
for heads in ([1], [3], [1, 3]):
    with silenced(model.layers[2].attention, *heads):
        show_flip(f"without 2.{' and 2.'.join(map(str, heads))}")

# %% def-sentence-vec-text-return
def sentence_vec(text):
    return model(text).hidden_states[-1].mean(dim=0)  # (width,)


whole_vec, effect = sentence_vec(weak.text), torch.zeros(6, 12)
for step in session.progress(72, "Silencing one head after another"):
    with silenced(model.layers[step // 12].attention, step % 12):
        effect[step // 12, step % 12] = 100 * (1 - F.cosine_similarity(whole_vec, sentence_vec(weak.text), dim=0))

# %% plots-heads-map-effect-label [figure]
plots.heads_map(effect, label="turn of the sentence vector",
                caption="How far the sentence vector turns when one head is silenced: "
                        "the last layer matters most; head 3.1 is weak.")

# %% print-strongest-ten-join-f
print("strongest ten:", "  ".join(f"{layer}.{head}" for layer, head in top_heads(effect, 10).tolist()))
print(f"largest: {effect.max():.1f}   3.1: {effect[3, 1]:.1f}")

# %% my-sentence
my_sentence, pronoun, noun = "My brother lost the key, and he looked for it everywhere.", "it", "key"
try:
    found = model(my_sentence)
    print(*found.tokens)
    pattern = torch.tensor([[query == pronoun and key == noun for key in found.tokens] for query in found.tokens])
    scores = pattern_scores(found.attn_weights, pattern)  # (layers, num_heads)
    for layer, head in top_heads(scores, 3).tolist():
        print(f"{layer}.{head}  {pronoun} → {noun} {scores[layer, head]:.2f}")
except ValueError as error:
    print(error)

# %% places-f-layer-head-for [widget]
places = [f"{layer}.{head}" for layer in range(6) for head in range(12)]


def heads_without(sentence, word, silence, layer):
    before, tokens = heads_of(sentence, layer)
    if silence == "none":
        return before, tokens
    at, head = map(int, silence.split("."))
    with silenced(model.layers[at].attention, head):
        after, _ = heads_of(sentence, layer)
    if word not in tokens:
        print(f"{word!r} is no token here:", *tokens)
    else:
        moved = (after - before)[:, tokens.index(word)].abs().sum(dim=-1) / 2  # (num_heads,)
        print(f"row of {word}, moved in head 0 to 11: ", *(f"{share:.2f}" for share in moved))
    return after, tokens


lab = widgets.AttentionLab(heads_without, [], sentence=weak.text, word="it", silence=["none", *places], layer=[3, 4, 5])
lab.head, lab.query = 1, weak.tokens.index("it")
lab

# %% def-flips-first-second-nouns
def flips(first, second, nouns):
    moved = torch.zeros(6, 12)
    for word, sign in ((first, 1), (second, -1)):
        tokens, row = sentences[word].tokens, sentences[word].attn_weights[:, :, sentences[word].tokens.index("it")]
        moved += sign * (row[..., tokens.index(nouns[0])] - row[..., tokens.index(nouns[1])])
    return moved  # (layers, num_heads), from -2 to 2


for pair in (("weak", "steep", ["robot", "hill"]), ("sleepy", "deep", ["cat", "river"]),
             ("wide", "narrow", ["piano", "door"])):
    moved = flips(*pair)
    layer, head = top_heads(moved, 1)[0].tolist()
    print(f"{' / '.join(pair[:2]):14s} most in head {layer}.{head}: {moved.max():.2f}   in head 3.1: {moved[3, 1]:.2f}")

# %% more-the-truck-could-not
more = [("The truck could not climb the mountain because it was too {}.", "heavy steep", "truck mountain"),
        ("The animal did not drink the water because it was too {}.", "shy cold", "animal water"),
        ("The horse could not jump over the fence because it was too {}.", "lazy high", "horse fence"),
        ("The trophy did not fit in the suitcase because it was too {}.", "big small", "trophy suitcase"),
        ("The ball did not pass through the hole because it was too {}.", "big small", "ball hole"),
        ("The car did not enter the tunnel because it was too {}.", "wide narrow", "car tunnel")]
for text, words, pair in more:
    rows = [it_looks_at(text.format(word), pair.split()) for word in words.split()]
    print(f"{pair:16s} {words:12s} {rows[0][0]:.2f} {rows[0][1]:.2f} → {rows[1][0]:.2f} {rows[1][1]:.2f}")

# %% quiz-show-10
quiz.show("10")
