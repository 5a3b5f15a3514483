# %% import-torch-import-torch-nn [setup]
import torch
import torch.nn.functional as F
from torch import nn
from torch.testing import assert_close

from course_utils import attention, checks, plots, properties, quiz, session, widgets

session.start()

# %% texts-the-robot-crossed-the
texts = [["the", "robot", "crossed", "the", "river"], ["it", "was", "cold", "[pad]", "[pad]"]]
valid_lens = torch.tensor([5, 3])  # (batch,)

inputs = 0.5 * torch.randn(2, 5, 8)  # (batch, num_tokens, d_in): numbers that stand for embeddings
inputs[1, 3:] = 0.0  # the padding

# %% plain-vecs-plain-weights-attention
plain_vecs, plain_weights = attention.scaled_dot_product_attention(inputs, inputs, inputs)
for token, weight in zip(texts[1], plain_weights[1, 0]):
    print(f"it → {token:5s} {weight:.2f}")
print(f"to padding {plain_weights[1, 0, 3:].sum():.2f}")

# %% unmasked-figure [figure]
plots.attention_heatmap(plain_weights[1], texts[1], vmax=0.6,
                        caption="Without a mask, each token gives a good part of its attention to the two paddings.")

# %% cold-inputs-1-3-3
cold = inputs[1, :3]  # (3, d_in): the real tokens alone
alone_vecs, alone_weights = attention.scaled_dot_product_attention(cold, cold, cold)
print("alone   ", alone_weights[0])
print("in batch", plain_weights[1, 0])
assert not torch.allclose(plain_vecs[1, :3], alone_vecs)

# %% allowed-torch-zeros-2-5
allowed = torch.zeros(2, 5, dtype=torch.bool)  # (batch, num_keys)
for text in range(2):
    for key in range(5):
        allowed[text, key] = key < valid_lens[text]
print(allowed.int())

# %% attn-scores-inputs-inputs-transpose
attn_scores = inputs @ inputs.transpose(-2, -1) / 8**0.5  # (batch, num_queries, num_keys)
masked_scores = attn_scores.masked_fill(~allowed[:, None, :], -torch.inf)  # mask (2, 1, 5)
attn_weights = attention.softmax(masked_scores)  # (2, 5, 5)

assert_close(attn_weights[1, :3, :3], alone_weights)
assert_close((attn_weights @ inputs)[1, :3], alone_vecs)
print(attn_weights[1, 0])

# %% masked-figure [figure]
plots.attention_heatmap(attn_weights[1], texts[1], vmax=0.6,
                        caption="With the mask the two columns of padding are empty, in every row.")

# %% def-my-padding-mask-valid [exercise]
def my_padding_mask(valid_lens, num_keys):
    ...

# %% checks-padding-mask-my-padding [check]
checks.padding_mask(my_padding_mask)

# %% def-padding-mask-solution-valid [solution]
def padding_mask_solution(valid_lens, num_keys):
    positions = torch.arange(num_keys)
    return (positions < valid_lens[:, None])[:, None, None, :]


assert torch.equal(padding_mask_solution(valid_lens, 5)[:, 0, 0], allowed)
assert torch.equal(padding_mask_solution(torch.tensor([0, 4]), 7), attention.padding_mask([0, 4], 7))

# %% spoiled-inputs-clone-spoiled-1
spoiled = inputs.clone()
spoiled[1, 3:] = 100.0
mask = attention.padding_mask(valid_lens, 5)[:, 0]  # (batch, 1, num_keys): no heads here

before, _ = attention.scaled_dot_product_attention(inputs, inputs, inputs, mask)
after, _ = attention.scaled_dot_product_attention(spoiled, spoiled, spoiled, mask)
print("real tokens moved by", (after - before)[1, :3].abs().max().item())

# %% turned-mask-transpose-2-1
turned = mask.transpose(-2, -1)  # (batch, num_queries, 1)
_, turned_weights = attention.scaled_dot_product_attention(inputs, inputs, inputs, turned)
print("it, over keys   ", attn_weights[1, 0])
print("it, over queries", turned_weights[1, 0])
print("a padding's row ", turned_weights[1, 3])

# %% keys-or-queries-figure [figure]
plots.attention_heatmap(torch.stack([attn_weights[1], turned_weights[1]]), texts[1],
                        titles=["over keys", "over queries"],
                        caption="Left, padded columns are empty: nobody looks at padding. Right, padded rows are empty, "
                                "and the real words still look at padding.")

# %% all-closed-torch-full-1
all_closed = torch.full((1, 4), -torch.inf)
print("torch.softmax       ", torch.softmax(all_closed, dim=-1))
print("filled with -1e9    ", torch.softmax(torch.full((1, 4), -1e9), dim=-1))
print("the course's softmax", attention.softmax(all_closed))

# %% queries-keys-torch-randn-2
queries, keys = torch.randn(2, 4, 8), torch.randn(2, 6, 8)  # (batch, num_queries, d_in), (batch, num_keys, d_in)
one_empty = attention.padding_mask([3, 0], 6)[:, 0]  # (batch, 1, num_keys)

ours, _ = attention.scaled_dot_product_attention(queries, keys, keys, one_empty)
fused = F.scaled_dot_product_attention(queries, keys, keys, one_empty)
module = nn.MultiheadAttention(8, 2, batch_first=True)
theirs, _ = module(queries, keys, keys, key_padding_mask=~one_empty[:, 0])

assert_close(ours, fused)
print("ours and F.scaled_dot_product_attention, all zero:", bool((ours[1] == 0).all()))
print("nn.MultiheadAttention, all nan:                   ", bool(theirs[1].isnan().all()))

# %% w-value-nn-linear-8
W_value = nn.Linear(8, 3, bias=False)
closed_scores = (queries @ keys.transpose(-2, -1)).masked_fill(~one_empty, -torch.inf)  # (2, 4, 6)


def gradient_with(softmax):
    context_vecs = softmax(closed_scores) @ W_value(keys)  # (2, 4, 3)
    loss = context_vecs[0].sum()  # text 0 alone
    return torch.autograd.grad(loss, W_value.weight)[0]


by_name = {"torch.softmax": lambda scores: torch.softmax(scores, dim=-1), "the course's softmax": attention.softmax}
for name, softmax in by_name.items():
    gradient = gradient_with(softmax)
    print(f"{name:20s} nan in {gradient.isnan().sum()} of {gradient.numel()} numbers")

# %% def-my-padded-softmax-scores [exercise]
def my_padded_softmax(scores, mask):
    ...

# %% checks-padded-softmax-my-padded [check]
checks.padded_softmax(my_padded_softmax)

# %% def-padded-softmax-solution-scores [solution]
def padded_softmax_solution(scores, mask):
    scores = scores.masked_fill(~mask, -torch.inf)
    highest = scores.amax(dim=-1, keepdim=True)
    exps = torch.exp(scores - highest.masked_fill(highest == -torch.inf, 0.0))
    totals = exps.sum(dim=-1, keepdim=True)
    return exps / totals.masked_fill(totals == 0, 1.0)


assert_close(padded_softmax_solution(closed_scores, one_empty), attention.softmax(closed_scores))

# %% padding-attention-padding-mask-valid
padding = attention.padding_mask(valid_lens, 5)[:, 0]  # (batch, 1, num_keys)
causal = attention.causal_mask(5)  # (num_tokens, num_tokens)
both, either = padding & causal, padding | causal  # (batch, num_tokens, num_tokens)
print("it, &", both[1, 0].int())
print("it, |", either[1, 0].int())

# %% and-or-figure [figure]
plots.mask_panels({"padding": padding[1].expand(5, 5), "causal": causal, "both: &": both[1], "either: |": either[1]},
                  texts[1], caption="Joined by &, a key must pass both masks. Joined by |, what one mask closes the "
                                    "other opens: the first word sees the two that follow.")

# %% for-name-joined-in-both
for name, joined in {"&": both, "|": either}.items():
    safe = properties.no_leak(lambda x, mask=joined: attention.scaled_dot_product_attention(x, x, x, mask), inputs)
    print(name, "no leak" if safe else "leaks")

# %% assert-torch-equal-both-1
assert torch.equal(both[1, :3], causal[:3])

# %% def-my-left-padded-mask [exercise]
def my_left_padded_mask(valid_lens, num_tokens):
    ...

# %% checks-left-padded-mask-my [check]
checks.left_padded_mask(my_left_padded_mask)

# %% def-left-padded-mask-solution [solution]
def left_padded_mask_solution(valid_lens, num_tokens):
    positions = torch.arange(num_tokens)
    is_real = positions >= num_tokens - valid_lens[:, None]  # (batch, num_tokens)
    return is_real[:, None, None, :] & attention.causal_mask(num_tokens)


small = left_padded_mask_solution(torch.tensor([2]), 3)[0, 0]
assert small.int().tolist() == [[0, 0, 0], [0, 1, 0], [0, 1, 1]]

# %% query-inputs-2-torch-randn
query_inputs = 2 * torch.randn(2, 4, 100)  # (batch, num_queries, d_in)
key_inputs = 2 * torch.randn(2, 6, 100)  # (batch, num_keys, d_in)
valid_lens = torch.tensor([3, 2])  # real keys of each text

cross = attention.MultiHeadAttention(100, 100, 5)  # d_in, d_out, num_heads

# %% queries-attention-split-heads-cross
queries = attention.split_heads(cross.W_query(query_inputs), 5)  # (batch, num_heads, num_queries, head_dim)
keys = attention.split_heads(cross.W_key(key_inputs), 5)  # (batch, num_heads, num_keys, head_dim)
values = attention.split_heads(cross.W_value(key_inputs), 5)  # as the keys
print("queries", tuple(queries.shape), "  keys and values", tuple(keys.shape))

# %% by-loop-torch-zeros-2
by_loop = torch.zeros(2, 5, 4, 6)  # (batch, num_heads, num_queries, num_keys)
for text in range(2):
    real = keys[text, :, : valid_lens[text]]  # (num_heads, valid_len, head_dim)
    for head in range(5):
        scores = queries[text, head] @ real[head].transpose(-2, -1) / 20**0.5  # (num_queries, valid_len)
        by_loop[text, head, :, : valid_lens[text]] = attention.softmax(scores)

# %% attn-scores-queries-keys-transpose
attn_scores = queries @ keys.transpose(-2, -1) / 20**0.5  # (2, 5, 4, 6)
mask = attention.padding_mask(valid_lens, 6)  # (2, 1, 1, 6)
attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))  # (2, 5, 4, 6)
assert_close(attn_weights, by_loop)

head_vecs = attn_weights @ values  # (2, 5, 4, 20)
context_vecs = cross.out_proj(attention.merge_heads(head_vecs))  # (2, 4, 100)
print("weights", tuple(attn_weights.shape), "  out", tuple(context_vecs.shape))

# %% five-heads-figure [figure]
plots.padded_heads(attn_weights, valid_lens, ["q0", "q1", "q2", "q3"], list("012345"),
                   caption="Five heads (columns) in two texts (rows). Hatched keys are padding: three in text 0, four "
                           "in text 1, and in every head they are empty.")

# %% print-largest-weight-on-padding
print("largest weight on padding:", attn_weights.masked_select(~mask).max().item())
print("every row sums to 1:      ", properties.rows_sum_to_one(attn_weights))

# %% widgets-headsview-attn-weights-q0 [widget]
widgets.HeadsView(attn_weights, ["q0", "q1", "q2", "q3"], [f"k{i}" for i in range(6)], axis="sample")

# %% assert-close-cross-query-inputs
assert_close(cross(query_inputs, key_inputs, mask=mask), (context_vecs, attn_weights))
assert_close(F.scaled_dot_product_attention(queries, keys, values, mask), head_vecs)

# %% forgotten-cross-query-inputs-print
forgotten, _ = cross(query_inputs)
print("forgotten", tuple(forgotten.shape), "  right", tuple(context_vecs.shape))

# %% others-torch-randn-2-6
others = torch.randn(2, 6, 100)
moved = cross(query_inputs, others, mask=mask)[0]
assert not torch.allclose(moved, context_vecs)
print("another sequence, another result")

# %% wide-attention-multiheadattention-100-10
wide = attention.MultiHeadAttention(100, 100, 5, kdim=30, vdim=7, out_bias=False)
narrow_keys, narrow_values = torch.randn(2, 6, 30), torch.randn(2, 6, 7)  # (batch, num_keys, kdim), (…, vdim)

wide_vecs, wide_weights = wide(query_inputs, narrow_keys, narrow_values, mask=mask)
for name in ("W_query", "W_key", "W_value"):
    print(name, tuple(getattr(wide, name).weight.shape))
print("out    ", tuple(wide_vecs.shape))

# %% theirs-nn-multiheadattention-100-5
theirs = nn.MultiheadAttention(100, 5, kdim=30, vdim=7, bias=False, batch_first=True)
with torch.no_grad():
    theirs.q_proj_weight.copy_(wide.W_query.weight)
    theirs.k_proj_weight.copy_(wide.W_key.weight)
    theirs.v_proj_weight.copy_(wide.W_value.weight)
    theirs.out_proj.weight.copy_(wide.out_proj.weight)

closed = ~mask[:, 0, 0]  # (batch, num_keys)
results = theirs(query_inputs, narrow_keys, narrow_values, key_padding_mask=closed, average_attn_weights=False)
assert_close(results, (wide_vecs, wide_weights))

# %% single-scores-query-inputs-key
single_scores = query_inputs @ key_inputs.transpose(-2, -1)  # (batch, num_queries, num_keys)
grown = single_scores.masked_fill(~mask, -torch.inf)
print(tuple(grown.shape))
print("open keys:", (grown > -torch.inf)[:, :, 0].sum(dim=-1).tolist())

# %% try-attention-scaled-dot-product
try:
    attention.scaled_dot_product_attention(query_inputs, key_inputs, key_inputs, mask)
except ValueError as error:
    print(error)
try:
    attention.padding_mask([3, 8], 6)
except ValueError as error:
    print(error)

# %% folded-queries-folded-keys-folded
folded_queries, folded_keys, folded_values = queries.flatten(0, 1), keys.flatten(0, 1), values.flatten(0, 1)
print(tuple(folded_queries.shape), tuple(folded_keys.shape))  # (2·5, 4, 20), (2·5, 6, 20)
print("repeat           ", valid_lens.repeat(5).tolist())
print("repeat_interleave", valid_lens.repeat_interleave(5).tolist())

# %% def-folded-weights-lens-mask
def folded_weights(lens):
    mask = attention.padding_mask(lens, 6)[:, 0]  # (10, 1, 6)
    _, weights = attention.scaled_dot_product_attention(folded_queries, folded_keys, folded_values, mask)
    return weights.unflatten(0, (2, 5))  # (10, 4, 6) → (2, 5, 4, 6)


assert_close(folded_weights(valid_lens.repeat_interleave(5)), attn_weights)

mixed_up = folded_weights(valid_lens.repeat(5))
print("spoiled:", ((mixed_up - attn_weights).abs() > 0.001).flatten(-2).any(dim=-1).int().tolist())

# %% repeat-figure [figure]
plots.padded_heads(mixed_up, valid_lens, ["q0", "q1", "q2", "q3"], list("012345"),
                   caption="Lengths by repeat: heads 1 and 3 have the other text's length. In text 0 they miss a real "
                           "key, in text 1 they attend to padding.")

# %% def-my-folded-with-lengths [exercise]
def my_folded_with_lengths(queries, keys, values, valid_lens):
    ...

# %% checks-folded-with-lengths-my [check]
checks.folded_with_lengths(my_folded_with_lengths)

# %% def-folded-with-lengths-solution [solution]
def folded_with_lengths_solution(queries, keys, values, valid_lens):
    num_heads = len(queries) // len(valid_lens)
    lens = valid_lens.repeat_interleave(num_heads)  # (batch · num_heads,)
    mask = attention.padding_mask(lens, keys.shape[-2])[:, 0]  # (batch · num_heads, 1, num_keys)
    return attention.scaled_dot_product_attention(queries, keys, values, mask)


folded_vecs, _ = folded_with_lengths_solution(folded_queries, folded_keys, folded_values, valid_lens)
assert_close(folded_vecs, head_vecs.flatten(0, 1))

# %% class-mycrossattention-nn-module-def [exercise]
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        ...

    def forward(self, queries, keys, values=None, valid_lens=None):
        ...

# %% checks-cross-attention-mycrossattention [check]
checks.cross_attention(MyCrossAttention)

# %% class-crossattentionsolution-nn-module-d [solution]
class CrossAttentionSolution(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(kdim, d_out, bias=False)
        self.W_value = nn.Linear(vdim, d_out, bias=False)
        self.out_proj = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        values = keys if values is None else values
        mask = None if valid_lens is None else attention.padding_mask(valid_lens, keys.shape[-2])
        projected = self.W_query(queries), self.W_key(keys), self.W_value(values)
        heads = (attention.split_heads(x, self.num_heads) for x in projected)
        context_vecs, attn_weights = attention.scaled_dot_product_attention(*heads, mask)
        return self.out_proj(attention.merge_heads(context_vecs)), attn_weights


solution = CrossAttentionSolution(100, 100, 5, 30, 7)
reference = attention.MultiHeadAttention(100, 100, 5, kdim=30, vdim=7)
solution.load_state_dict(reference.state_dict())
expected = reference(query_inputs, narrow_keys, narrow_values, mask=mask)
assert_close(solution(query_inputs, narrow_keys, narrow_values, valid_lens), expected)

# %% words-one-two-three-four
WORDS = ("one two three four five six seven eight nine "
         "twenty thirty forty fifty sixty seventy eighty ninety and [pad]").split()


def draw_numbers(batch_size):
    tens, units = torch.randint(2, 10, (batch_size, 3)), torch.randint(1, 10, (batch_size, 3))
    pair = torch.stack([tens + 7, units - 1], dim=-1)  # (batch, 3, 2): places in WORDS, tens first
    units_first = torch.rand(batch_size, 3, 1) < 0.5
    pair = torch.where(units_first, pair.flip(-1), pair)
    ands = torch.full((batch_size, 3), WORDS.index("and"))
    words = torch.stack([pair[..., 0], ands, pair[..., 1]], dim=-1).flatten(1)  # (batch, 9)
    digits = torch.stack([tens, units], dim=-1).flatten(1)  # (batch, 6)
    how_many = torch.randint(1, 4, (batch_size,))
    is_padding = torch.arange(9) >= 3 * how_many[:, None]  # (batch, 9)
    return words.masked_fill(is_padding, WORDS.index("[pad]")), digits, how_many

# %% torch-manual-seed-7-for
torch.manual_seed(7)
for words, digits, how_many in zip(*draw_numbers(3)):
    print(" ".join(WORDS[word] for word in words), "→", digits[: 2 * how_many].tolist())

# %% torch-manual-seed-0-translator
torch.manual_seed(0)
translator = attention.MultiHeadAttention(6, 5, 1, kdim=28, vdim=19)  # one head, 5 wide
read_out = nn.Linear(5, 10)  # a score for each digit from 0 to 9


def translate(words, how_many):
    what = F.one_hot(words, 19).float()  # (batch, 9, 19)
    what_and_where = torch.cat([what, torch.eye(9).expand(len(words), 9, 9)], dim=-1)  # (batch, 9, 28)
    places = torch.eye(6).expand(len(words), 6, 6)  # (batch, 6, 6)
    mask = attention.padding_mask(3 * how_many, 9)  # (batch, 1, 1, 9)
    context_vecs, attn_weights = translator(places, what_and_where, what, mask=mask)
    return read_out(context_vecs), attn_weights[:, 0]  # (batch, 6, 10), (batch, 6, 9)

# %% spoken-three-and-forty-seventy
spoken = "three and forty seventy and six [pad] [pad] [pad]".split()
example = torch.tensor([[WORDS.index(word) for word in spoken]])  # (1, 9)
written = ["4", "3", "7", "6"]


def look():
    """The weights of the example's four digits over the nine words."""
    return translate(example, torch.tensor([2]))[1][0, :4].detach()  # (4, 9)


untrained = look()

# %% optimizer-torch-optim-adamw-translator
optimizer = torch.optim.AdamW([*translator.parameters(), *read_out.parameters()], lr=0.005)
losses = []
for step in session.progress(1001, "Training"):
    words, digits, how_many = draw_numbers(64)
    digit_scores, _ = translate(words, how_many)  # (64, 6, 10)
    is_real = torch.arange(6) < 2 * how_many[:, None]  # (64, 6): which digits count
    loss = F.cross_entropy(digit_scores[is_real], digits[is_real])
    losses.append(loss.item())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

# %% words-digits-how-many-draw
words, digits, how_many = draw_numbers(1000)
is_real = torch.arange(6) < 2 * how_many[:, None]
right = translate(words, how_many)[0].argmax(dim=-1) == digits
assert right[is_real].float().mean() > 0.95
print("of 1000 new texts, more than 95 % of the digits are right")

# %% loss-figure [figure]
plots.curves(range(len(losses)), {"loss": losses}, xlabel="step", ylabel="loss",
             caption="The loss starts near log 10, which is guessing among ten digits, and falls to almost 0.")

# %% alignment-figure [figure]
plots.attention_heatmap(torch.stack([untrained, look()]), written, spoken, titles=["before", "after"],
                        caption="Four digits (rows) over nine words. Before training the weights are even. After it, "
                                "each digit looks at its own word: crossed in the first number, which was said units "
                                "first, and straight in the second. The padding is empty throughout.")

# %% trained-look-aligned-spoken-word
trained = look()
aligned = [spoken[word] for word in trained.argmax(dim=-1)]
assert aligned == ["forty", "three", "seventy", "six"]
assert (trained.amax(dim=-1) > 0.5).all() and (trained[:, 6:] == 0).all()
for digit, word in zip(written, aligned):
    print(f"{digit} ← {word}")

# %% quiz-show-07
quiz.show("07")
