from course_utils.models import minilm, stored
from course_utils.models.ablation import silenced

fetch_now = False
if fetch_now:
    fetch.minilm()
try:
    model = minilm.load()
except (FileNotFoundError, ValueError) as error:
    print(error)
    model = stored.SixSentences()

sentences = data.load("sentence_pairs")
for text, _tokens, attn_weights in sentences.values():
    assert_close(model(text).attn_weights, attn_weights, rtol=0, atol=1e-3)
weak = sentences["weak"]
read = model(weak.text)
it = read.tokens.index("it")
x, layer_3 = read.hidden_states[3], model.layers[3].attention
split = [attention.split_heads(layer(x), 12) for layer in (layer_3.W_query, layer_3.W_key, layer_3.W_value)]
context_vecs = F.scaled_dot_product_attention(*split)
assert_close(layer_3.out_proj(attention.merge_heads(context_vecs)), layer_3(x)[0], rtol=0, atol=1e-4)
for sentence in ("", "I am happy 🙂", "猫は川を渡れない", "word " * 600):
    try:
        print(model(sentence).tokens)
    except ValueError as error:
        print(error)

steep = model(sentences["steep"].text)
widgets.SentenceView(
    read.attn_weights, read.tokens, compare=steep.attn_weights, compare_tokens=steep.tokens, layer=3, head=1, query=it
)


def heads_of(sentence, layer):
    read = model(sentence)
    return read.attn_weights.flatten(0, 1) if layer == "all" else read.attn_weights[layer], read.tokens


lab = widgets.AttentionLab(heads_of, [], sentence=weak.text, layer=[3, 0, 1, 2, 4, 5, "all"])
lab.head, lab.query = 1, it

checks.same_pattern(my_same_pattern)
checks.pattern_scores(my_pattern_scores)
checks.top_heads(my_top_heads)
same_scores = checks.pattern_scores.solution(weak.attn_weights, checks.same_pattern.solution(weak.tokens))
assert checks.top_heads.solution(same_scores, 3).shape == (3, 2)
plots.heads_map(same_scores, label="weight on the same word", vmax=1.0, caption="The same word.")
plots.heads_map(same_scores, label="weight on the same word", caption="The same word.")


def my_without_head(attention, x, head):
    kept = attention.out_proj.weight.detach().clone()
    head_dim = attention.out_proj.in_features // attention.num_heads
    with torch.no_grad():
        attention.out_proj.weight[:, head * head_dim : (head + 1) * head_dim] = 0
    output, _ = attention(x)
    with torch.no_grad():
        attention.out_proj.weight.copy_(kept)
    return output


checks.without_head(my_without_head)
layer, some = attention.MultiHeadAttention(5, 12, 4), torch.rand(6, 5)
with silenced(layer, 1):
    expected, _ = layer(some)
assert_close(my_without_head(layer, some, 1), expected)
try:
    with silenced(model.layers[3].attention, 12):
        model("never read")
except ValueError as error:
    print(error)

with silenced(model.layers[3].attention, 1):
    after = model(weak.text)
assert torch.equal(read.attn_weights[3, 1], after.attn_weights[3, 1])
change = 100 * (after.hidden_states - read.hidden_states).norm(dim=-1) / read.hidden_states.norm(dim=-1)
plots.change_map(change[4:], weak.tokens, [3, 4, 5], label="change in %", caption="Head 3.1 silenced.")


def heads_without(sentence, word, silence, layer):
    if silence == "none":
        return heads_of(sentence, layer)
    at, head = map(int, silence.split("."))
    with silenced(model.layers[at].attention, head):
        return heads_of(sentence, layer)


lab = widgets.AttentionLab(heads_without, [], sentence=weak.text, word="it", silence=["none", "2.1"], layer=[3, 4, 5])
lab.head, lab.query = 1, it
for _ in session.progress(2, "Silencing one head after another"):
    pass
quiz.show("10")
