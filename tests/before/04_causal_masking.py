# %% import-torch-import-torch-nn [setup]
import torch
import torch.nn.functional as F
from torch import nn
from torch.testing import assert_close

from course_utils import attention, checks, plots, properties, quiz, session, widgets

session.start()

# %% tokens-dogs-chase-cats-all
tokens = ["dogs", "chase", "cats", "all", "day"]
words = torch.randn(5, 4)  # (num_tokens, d_in) one row for each word
head = attention.SelfAttention(4, 3)
swap = [2, 1, 0, 3, 4]  # cats chase dogs all day

# %% print-dogs-chase-cats-head
print("dogs chase cats:", head(words)[0][1].detach())
print("cats chase dogs:", head(words[swap])[0][1].detach())

# %% order-torch-tensor-3-0
order = torch.tensor([3, 0, 4, 2, 1])
assert_close(head(words[order])[0], head(words)[0][order])

# %% batch-torch-randn-2-5
batch = torch.randn(2, 5, 4)  # (batch, num_tokens, d_in)
properties.permutation_equivariant(head, batch)

# %% places-torch-randn-5-4
places = torch.randn(5, 4)  # (num_tokens, d_in) one row for each place
print("dogs chase cats:", head(words + places)[0][1].detach())
print("cats chase dogs:", head(words[swap] + places)[0][1].detach())


def placed_head(x):
    return head(x + places)


assert not properties.permutation_equivariant(placed_head, batch)

# %% def-draw-texts-batch-size
def draw_texts(batch_size):
    return torch.rand(batch_size, 26).argsort(dim=-1)[:, :9]  # (batch, num_tokens) numbers 0 to 25


"".join("abcdefghijklmnopqrstuvwxyz"[code] for code in draw_texts(1)[0])

# %% class-nextletter-nn-module-def
class NextLetter(nn.Module):
    def __init__(self, head, places=True):
        super().__init__()
        self.head, self.read_out, self.places = head, nn.Linear(24, 26), places

    def forward(self, codes):
        letters = F.one_hot(codes, 26)  # (batch, num_tokens, 26)
        place = F.one_hot(torch.arange(codes.shape[1]), 9) * self.places  # (num_tokens, 9)
        x = torch.cat([letters, place.expand(*codes.shape, 9)], dim=-1).float()  # (batch, num_tokens, 35)
        return self.read_out(self.head(x)[0])  # (batch, num_tokens, 26)

# %% def-train-next-letter-model
def train_next_letter(model, label):
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.02)
    for step in session.progress(200, label):
        codes = draw_texts(64)
        letter_scores = model(codes)[:, :-1]  # (64, 8, 26)
        loss = F.cross_entropy(letter_scores.flatten(0, 1), codes[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def share_right(model):
    codes = draw_texts(1000)
    return (model(codes)[:, :-1].argmax(dim=-1) == codes[:, 1:]).float().mean().item()

# %% peeking-nextletter-attention-selfattenti
peeking = NextLetter(attention.SelfAttention(35, 24))
train_next_letter(peeking, "Training, with places")
assert share_right(peeking) > 0.99
print("with places: more than 99 % right")

# %% placeless-nextletter-attention-selfatten
placeless = NextLetter(attention.SelfAttention(35, 24), places=False)
train_next_letter(placeless, "Training, without places")
assert 0.08 < share_right(placeless) < 0.18
print("without places: between 8 % and 18 % right")

# %% codes-draw-texts-1-letters [figure]
codes = draw_texts(1)
letters = ["abcdefghijklmnopqrstuvwxyz"[code] for code in codes[0]]
x = torch.cat([F.one_hot(codes[0], 26), torch.eye(9)], dim=-1)  # (9, 35)
peeking_weights = peeking.head(x)[1]  # (num_tokens, num_tokens)
plots.attention_heatmap(peeking_weights, letters, vmax=1.0,
                        caption="The trained head: each letter looks at the next one. "
                                "The last has no next one to look at.")

# %% each-letter-looks-ahead
assert peeking_weights[:-1].argmax(dim=-1).tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
print("each of the first eight letters looks most at the one that follows it")

# %% def-share-right-in-use
def share_right_in_use(model):
    codes = draw_texts(1000)
    right = [model(codes[:, :n])[:, -1].argmax(dim=-1) == codes[:, n] for n in range(1, 9)]
    return torch.stack(right).float().mean().item()


assert share_right_in_use(peeking) < 0.02
print("in use: less than 2 % right")

# %% inputs-words-places-num-tokens [figure]
inputs = words + places  # (num_tokens, d_in)
queries, keys, values = (layer(inputs).detach() for layer in (head.W_query, head.W_key, head.W_value))
attn_scores = queries @ keys.transpose(-2, -1) / 3**0.5  # (num_tokens, num_tokens)
attn_weights = attention.softmax(attn_scores)
plots.attention_heatmap(attn_weights, tokens, mark=1, vmax=1.0,
                        caption="Nothing is hidden yet. In the framed row of chase, "
                                "cats, all and day are still to come.")

# %% open-cells-looked-up
open_cells = attention.causal_mask(5)  # (num_queries, num_keys) True = may attend

# %% predict-open-cells [widget]
widgets.Predict("open-cells", "Rows look, columns are looked at. Mark each weight that may stay.",
                open_cells, rows=tokens)

# %% kept-attn-weights-1-2
kept = attn_weights[1, :2]  # dogs, chase
print("kept      ", kept, "sum", f"{kept.sum():.4f}")
print("shared out", kept / kept.sum())

# %% rows-for-i-in-range
rows = []
for i in range(5):
    kept = attn_weights[i, : i + 1]
    rows.append(torch.cat([kept / kept.sum(), torch.zeros(4 - i)]))
by_loop = torch.stack(rows)  # (num_tokens, num_tokens)
print(by_loop)

# %% def-my-causal-mask-num [exercise]
def my_causal_mask(num_tokens):
    ...

# %% checks-causal-mask-my-causal [check]
checks.causal_mask(my_causal_mask)

# %% def-causal-mask-solution-num [solution]
def causal_mask_solution(num_tokens):
    return torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril()  # tril keeps the lower triangle


for num_tokens in (1, 3, 8):
    assert torch.equal(causal_mask_solution(num_tokens), attention.causal_mask(num_tokens))

# %% place-torch-arange-5-past
place = torch.arange(5)
past = place[None, :] <= place[:, None]  # (num_queries, num_keys) True = may attend
assert torch.equal(past, attention.causal_mask(5))

erased = attn_weights * past  # True counts as 1, False as 0
by_matrix = erased / erased.sum(dim=-1, keepdim=True)
assert_close(by_matrix, by_loop)
print(past)

# %% masked-scores-attn-scores-masked
masked_scores = attn_scores.masked_fill(~past, -torch.inf)  # ~ turns True into False and back
masked_weights = attention.softmax(masked_scores)
assert_close(masked_weights, by_matrix)
print(masked_scores)

# %% plots-scores-and-weights-masked [figure]
plots.scores_and_weights(masked_scores, masked_weights, tokens,
                         caption="Left, the scores: those of the future, in grey, are minus infinity. "
                                 "Right, the weights: exactly 0 there, and each row sums to 1.")

# %% def-my-additive-mask-mask [exercise]
def my_additive_mask(mask):
    ...

# %% checks-additive-mask-my-additive [check]
checks.additive_mask(my_additive_mask)

# %% def-additive-mask-solution-mask [solution]
def additive_mask_solution(mask):
    return torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)


assert_close(attn_scores + additive_mask_solution(past), masked_scores)

# %% m-torch-where-past-0
M = torch.where(past, 0.0, -torch.inf)  # (num_queries, num_keys)
assert_close(attention.softmax(attn_scores + M), masked_weights)
print(M)

# %% context-vecs-masked-weights-values
context_vecs = masked_weights @ values  # (num_tokens, d_out)
assert_close(F.scaled_dot_product_attention(queries, keys, values, attn_mask=past), context_vecs)
assert_close(F.scaled_dot_product_attention(queries, keys, values, attn_mask=M), context_vecs)
assert_close(F.scaled_dot_product_attention(queries, keys, values, is_causal=True), context_vecs)
print("four ways, the same context vectors")

# %% assert-close-attention-scaled-dot
assert_close(attention.scaled_dot_product_attention(queries, keys, values, past), (context_vecs, masked_weights))
try:
    attention.scaled_dot_product_attention(queries, keys, values, past.float())
except ValueError as error:
    print(error)

# %% layer-nn-multiheadattention-4-num
layer = nn.MultiheadAttention(4, num_heads=1, batch_first=True)
_, other_weights = layer(inputs[None], inputs[None], inputs[None], attn_mask=past)
print(other_weights[0].detach())

# %% other-weights-layer-inputs-none
_, other_weights = layer(inputs[None], inputs[None], inputs[None], attn_mask=~past)
assert (other_weights[0] == 0).equal(~past)
print(other_weights[0].detach())

# %% attempts-erased-after-softmax-not
attempts = {
    "erased after softmax, not shared out": attention.softmax(attn_scores) * past,
    "score 0 in place of minus infinity": attention.softmax(attn_scores.masked_fill(~past, 0.0)),
    "mask of 0 and 1 added to the scores": attention.softmax(attn_scores + past),
}
for name, attempt in attempts.items():
    print(f"{name:37s} on the future {attempt[0, 1:].sum():.2f}   row sum {attempt[0].sum():.2f}")

# %% row-hidden-torch-tensor-2
row, hidden = torch.tensor([2.0, 1.0, 0.0]), torch.tensor([True, True, True])
print("-1e9              ", torch.softmax(row.masked_fill(hidden, -1e9), dim=-1))
print("-inf, torch       ", torch.softmax(row.masked_fill(hidden, -torch.inf), dim=-1))
print("-inf, course      ", attention.softmax(row.masked_fill(hidden, -torch.inf)))

# %% print-largest-torch-finfo-torch
print("largest:", torch.finfo(torch.float16).max)
try:
    row.half().masked_fill(hidden, -1e9)
except RuntimeError as error:
    print(error)
print(row.half().masked_fill(hidden, -torch.inf))

# %% def-my-masked-weights-attn [exercise]
def my_masked_weights(attn_scores, mask):
    ...

# %% checks-masked-weights-my-masked [check]
checks.masked_weights(my_masked_weights)

# %% def-masked-weights-solution-attn [solution]
def masked_weights_solution(attn_scores, mask):
    weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
    return weights.masked_fill(~mask, 0.0)  # in an empty row, every cell is hidden


some_mask = past & torch.tensor([[False], [True], [True], [False], [True]])  # rows 0 and 3 are empty
assert_close(masked_weights_solution(attn_scores, past), masked_weights)
assert_close(masked_weights_solution(attn_scores, some_mask), masked_weights * some_mask.any(dim=-1, keepdim=True))

# %% widgets-maskpainter-attn-scores-tokens [widget]
widgets.MaskPainter(attn_scores, tokens)

# %% def-hide-future-x-mask
def hide_future(x):
    mask = attention.causal_mask(x.shape[-2])
    return attention.scaled_dot_product_attention(head.W_query(x), head.W_key(x), head.W_value(x), mask)


changed = torch.cat([inputs[:4], inputs[4:] + 1.0])  # another token in place 4
for name, attend in {"plain": head, "causal": hide_future}.items():
    moved = (attend(changed)[0] - attend(inputs)[0]).abs().amax(dim=-1)  # (num_tokens,)
    print(f"{name:6s}", moved.detach())

# %% for-name-attend-in-plain
for name, attend in {"plain": head, "causal": hide_future}.items():
    reached = []
    for at in range(1, 5):
        changed = torch.cat([inputs[:at], inputs[at : at + 1] + 1.0, inputs[at + 1 :]])
        reached.append(not torch.allclose(attend(changed)[0][:at], attend(inputs)[0][:at]))
    assert properties.no_leak(attend, batch) == (not any(reached))
    print(f"{name:6s} an earlier output moved, for tokens 1 to 4: {reached}")

# %% def-my-who-sees-attend [exercise]
def my_who_sees(attend, inputs):
    ...

# %% checks-who-sees-my-who [check]
checks.who_sees(my_who_sees)

# %% def-who-sees-solution-attend [solution]
def who_sees_solution(attend, inputs):
    before, columns = attend(inputs), []
    for j in range(len(inputs)):
        changed = inputs.clone()
        changed[j] += 1.0
        columns.append((attend(changed) - before).abs().amax(dim=-1) > 1e-5)  # (num_tokens,)
    return torch.stack(columns, dim=1)


assert torch.equal(who_sees_solution(lambda x: hide_future(x)[0], inputs), past)
assert who_sees_solution(lambda x: head(x)[0], inputs).all()

# %% class-keeper-nn-module-def
class Keeper(nn.Module):
    def __init__(self):
        super().__init__()
        self.parameter = nn.Parameter(torch.zeros(2))
        self.register_buffer("buffer", torch.zeros(2))
        self.plain = torch.zeros(2)


keeper = Keeper().to("meta")  # a device without memory, which every machine has
for name in ("parameter", "buffer", "plain"):
    print(f"{name:10s} on {getattr(keeper, name).device.type}")
print("stored     ", list(keeper.state_dict()))
print("trained    ", [name for name, _ in keeper.named_parameters()])

# %% full-mask-attention-causal-mask
full_mask = attention.causal_mask(7)  # (context_length, context_length)
assert torch.equal(full_mask[:5, :5], past)

batch_scores = torch.randn(2, 5, 5)  # (batch, num_tokens, num_tokens)
batch_weights = attention.softmax(batch_scores.masked_fill(~full_mask[:5, :5], -torch.inf))
for sample in range(2):
    assert_close(batch_weights[sample], attention.softmax(batch_scores[sample].masked_fill(~past, -torch.inf)))
print(tuple(batch_weights.shape))

# %% class-mycausalattention-nn-module-def [exercise]
class MyCausalAttention(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        ...

    def forward(self, x):
        ...

# %% checks-causal-attention-mycausalattentio [check]
checks.causal_attention(MyCausalAttention)

# %% class-causalattentionsolution-nn-module- [solution]
class CausalAttentionSolution(nn.Module):
    def __init__(self, d_in, d_out, context_length, dropout):
        super().__init__()
        self.W_query = nn.Linear(d_in, d_out, bias=False)
        self.W_key = nn.Linear(d_in, d_out, bias=False)
        self.W_value = nn.Linear(d_in, d_out, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("causal_mask", attention.causal_mask(context_length), persistent=False)

    def forward(self, x):
        num_tokens, context_length = x.shape[-2], len(self.causal_mask)
        if num_tokens > context_length:
            raise ValueError(f"{num_tokens} tokens are more than context_length = {context_length}.")
        queries, keys, values = self.W_query(x), self.W_key(x), self.W_value(x)  # (..., num_tokens, d_out)
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        mask = self.causal_mask[:num_tokens, :num_tokens]
        attn_weights = torch.softmax(attn_scores.masked_fill(~mask, -torch.inf), dim=-1)
        attn_weights = self.dropout(attn_weights)  # (..., num_tokens, num_tokens)
        return attn_weights @ values, attn_weights


solution, reference = CausalAttentionSolution(4, 3, 7, 0.0), attention.CausalAttention(4, 3, 7)
solution.load_state_dict(reference.state_dict())
assert_close(solution(batch), reference(batch))

# %% causal-head-attention-causalattention-4
causal_head = attention.CausalAttention(4, 3, context_length=7)
causal_head.load_state_dict(head.state_dict())  # the weights of the layers: the mask is not stored

assert_close(causal_head(inputs), (context_vecs, masked_weights))
for sample in range(2):
    assert_close(causal_head(batch)[0][sample], causal_head(batch[sample])[0])
print("stored: ", list(causal_head.state_dict()))
print("buffers:", [name for name, _ in causal_head.named_buffers()])
print("trained:", [name for name, _ in causal_head.named_parameters()])

# %% try-causal-head-torch-randn
try:
    causal_head(torch.randn(8, 4))
except ValueError as error:
    print(error)

# %% def-tested-attend-return-rows
def tested(attend):
    return {
        "rows_sum_to_one": properties.rows_sum_to_one(attend(batch)[1]),
        "samples_independent": properties.samples_independent(attend, batch),
        "permutation_equivariant": properties.permutation_equivariant(attend, batch),
        "no_leak": properties.no_leak(attend, batch),
    }


plain, causal = tested(head), tested(causal_head)
for name in plain:
    print(f"{name:24s} plain {plain[name]!s:6s} causal {causal[name]}")

# %% honest-nextletter-attention-causalattent
honest = NextLetter(attention.CausalAttention(35, 24, context_length=9))
train_next_letter(honest, "Training, causal")
assert share_right(honest) < 0.10 and share_right_in_use(honest) < 0.10
assert abs(share_right(honest) - share_right_in_use(honest)) < 0.03
print("in training and in use: less than 10 % right, and nearly the same in both")

# %% honest-weights-honest-head-x [figure]
honest_weights = honest.head(x)[1]  # (num_tokens, num_tokens)
assert_close(honest_weights, honest_weights.tril())
plots.attention_heatmap(torch.stack([peeking_weights, honest_weights]), letters, vmax=1.0,
                        titles=["sees the future", "causal"],
                        caption="Left, the head that reads the next letter. "
                                "Right, the causal head: nothing above the diagonal.")

# %% quiz-show-04
quiz.show("04")
