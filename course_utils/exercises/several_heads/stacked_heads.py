"""`MyStackedHeads(d_in, head_dim, context_length, num_heads)`: single heads side by side."""

import torch
from torch import nn

from course_utils import attention
from course_utils.checks.exercise import Unasked
from course_utils.checks.modules import BEHAVIOURS, ModuleExercise


class StackedHeadsSolution(nn.Module):
    def __init__(self, d_in, head_dim, context_length, num_heads):
        super().__init__()
        self.heads = nn.ModuleList(attention.CausalAttention(d_in, head_dim, context_length) for _ in range(num_heads))

    def forward(self, x):
        results = [head(x) for head in self.heads]
        context_vecs = torch.cat([vecs for vecs, _ in results], dim=-1)  # (batch, num_tokens, num_heads * head_dim)
        attn_weights = torch.stack([weights for _, weights in results], dim=1)  # (batch, num_heads, t, t)
        return context_vecs, attn_weights


def cases(draw):
    yield "2 texts of 5 tokens, 6 wide, 4 heads of 3", (6, 3, 8, 4), draw(2, 5, 6)
    yield "a full context, 2 heads of 4", (3, 4, 5, 2), draw(3, 5, 3)
    yield "as many heads as tokens", (4, 2, 6, 3), draw(2, 3, 4)
    yield "as many texts as heads, widths alike", (3, 3, 6, 2), draw(2, 4, 3)
    yield "one head, 11 tokens", (3, 4, 11, 1), draw(2, 11, 3)
    yield "a batch of one, a single token", (5, 2, 4, 3), draw(1, 1, 5)
    yield Unasked("float64"), (6, 3, 8, 4), draw(2, 5, 6, dtype=torch.float64)


def heads_of_the_course(exercise, answer):
    """Yield ("not-used", message) if a head is no `attention.CausalAttention`, for which the prompt asks.

    exercise: the Exercise. answer: the learner's class.
    """
    heads = exercise.built(answer, exercise.case(0).args[0]).heads
    if not all(isinstance(head, attention.CausalAttention) for head in heads):
        yield (
            "not-used",
            "The numbers are right, and your heads are of another class. The prompt says “each an "
            "`attention.CausalAttention`”.",
        )


MISTAKES = """
heads-too-many: You make more heads than `num_heads`: one for each of `range(num_heads)`.
    range(num_heads) -> range(num_heads + 1)
fixed-width: Your number of heads is typed in: make one for each of `range(num_heads)`.
    range(num_heads) -> range(4)
fixed-context: Your heads are made for texts of one length. Longer ones come, too: hand on `context_length`.
    head_dim, context_length) for -> head_dim, 5) for
    or
    head_dim, context_length) for -> head_dim, 8) for
heads-in-list:
    nn.ModuleList(… for _ in range(num_heads)) -> [… for _ in range(num_heads)]
    or
    nn.ModuleList(… for _ in range(num_heads)) -> {i: … for i in range(num_heads)}
names: After `__init__`, `self.heads` does not hold the heads that are asked for: it has another name, holds too few, or
    is filled in `forward`. Make it in `__init__`, with one head for each of `range(num_heads)`.
    self.heads ->> self.layers
super-forgotten: A module has to be set up before layers are put on it: begin `__init__` with `super().__init__()`.
    super().__init__() ->
shared-heads: Your heads are one and the same: their weights are equal. Make a new one in each turn, not `[head] * 3`.
    nn.ModuleList(… for _ in range(num_heads)) -> nn.ModuleList([…] * num_heads)
head-count-dim: Each head is as wide as all should be together. `head_dim` is the width of one: do not multiply it.
    (d_in, head_dim -> (d_in, num_heads * head_dim
head-dim-divided: Your heads are too narrow. `head_dim` is the width of one head already: do not divide it.
    (d_in, head_dim -> (d_in, head_dim // num_heads
    or
    (d_in, head_dim -> (d_in, max(1, head_dim // num_heads)
sizes-swapped: Your heads are made with the wrong sizes. `attention.CausalAttention` takes the width that comes in, the
    width that goes out, and `context_length`: `(d_in, head_dim, context_length)`.
    (d_in, head_dim, context_length) for -> (d_in, context_length, head_dim) for
    or
    (d_in, head_dim, context_length) for -> (head_dim, d_in, context_length) for
    or
    (d_in, head_dim, context_length) for -> (d_in, head_dim, num_heads) for
    or
    (d_in, head_dim, context_length) for -> (d_in, num_heads, context_length) for
number-for-rate: The fourth argument of `attention.CausalAttention` is the rate of dropout. One object is one head, and
    takes no number of heads: `(d_in, head_dim, context_length)`.
    (d_in, head_dim, context_length) for -> (d_in, head_dim, context_length, num_heads) for
output-projected: A layer of its own comes after the heads. None is asked for: return them side by side, as they are.
    for _ in range(num_heads)) ->
        for _ in range(num_heads)) ⏎ self.out_proj = nn.Linear(num_heads * head_dim, num_heads * head_dim)
    return context_vecs -> return self.out_proj(context_vecs)
mask-missing: Your heads see the future. Causal heads are asked for: `attention.CausalAttention`.
    attention.CausalAttention(d_in, head_dim, context_length) -> attention.SelfAttention(d_in, head_dim)
inputs-shared-out: Each of your heads gets a part of `x`, or is made for a part of the features. Every head reads the
    whole of `x`: it is `d_in` wide, and called as `head(x)`.
    [head(x) for head in self.heads] ->
        [head(part) for head, part in zip(self.heads, x.chunk(len(self.heads), dim=1))]
    or
    [head(x) for head in self.heads] ->
        [head(part) for head, part in zip(self.heads, x.chunk(len(self.heads), dim=-1))]
    or
    (d_in, head_dim -> (d_in // num_heads, head_dim
    [head(x) for head in self.heads] ->
        [head(part) for head, part in zip(self.heads, x.chunk(len(self.heads), dim=-1))]
heads-chained: Your heads read what the one before gave out. All read the same `x`: call each as `head(x)`, in a loop,
    and give results other names.
    results = [head(x) for head in self.heads] -> return nn.Sequential(*self.heads)(x)
    or
    results = [head(x) for head in self.heads] ->
        results = [] ⏎ for head in self.heads: ⏎     results.append(head(x)) ⏎     x = results[-1][0]
    or
    results = [head(x) for head in self.heads] ->
        results = [] ⏎ for head in self.heads: ⏎     results.append(head(x)) ⏎     x = results[-1][0]
    torch.cat(…, dim=-1) -> x
first-head-only: Only one head comes back. Collect all in lists: look at what your loop returns or overwrites.
    for head in self.heads] -> for head in self.heads[:1]]
    or
    for head in self.heads] -> for head in self.heads[-1:]]
    or
    return context_vecs, attn_weights -> return results[0]
    or
    return context_vecs, attn_weights -> return results[-1]
heads-left-out: The first head or the last is left out. Go through all of `self.heads`, from 0 on.
    for head in self.heads] -> for head in self.heads[1:]]
    or
    for head in self.heads] -> for head in self.heads[:-1]]
heads-reversed: The heads come back in reversed order: the last one's numbers stand first. Begin with head 0.
    for head in self.heads] -> for head in reversed(self.heads)]
fixed-batch: Your results have room for one number of texts alone. Make room as `x` asks for it, `len(x)`.
    return context_vecs, -> vecs = torch.zeros(2, *context_vecs.shape[1:]) ⏎ vecs[:] = context_vecs ⏎ return vecs,
    or
    return context_vecs, -> vecs = torch.zeros(2, *context_vecs.shape[1:]) ⏎ vecs[:] = context_vecs ⏎ return vecs,
    torch.stack(…, dim=1) -> torch.zeros(2, len(results), x.shape[1], x.shape[1]).copy_(torch.stack(…, dim=1))
pairs-joined: You joined the heads' pairs. Take them apart first: the vectors into one list, the weights into another.
    [vecs for vecs, _ in results] -> results
weights-taken-for-vecs: You took the wrong part of the pair. A head gives back the context vectors, then the weights.
    [vecs for vecs, _ -> [vecs for _, vecs
    [weights for _, weights -> [weights for weights, _
    or
    [weights for _, weights -> [weights for weights, _
    or
    [vecs for vecs, _ -> [vecs for _, vecs
stack-for-cat: The heads' outputs lie on an axis of their own. They belong side by side: `torch.cat(…, dim=-1)`.
    torch.cat(…, dim=-1) -> torch.stack(…, dim=1)
    or
    torch.cat(…, dim=-1) -> torch.stack(…, dim=-1)
    or
    torch.cat(…, dim=-1) -> torch.stack(…, dim=2)
    or
    torch.cat(…, dim=-1) -> torch.stack(…)
split-tokens: The heads' outputs lie one below the other, as if they were more tokens. Side by side is `dim=-1`.
    torch.cat(…, dim=-1) -> torch.cat(…, dim=1)
batch-mixed: The heads' outputs lie one below the other, as if they were more texts. Side by side is `dim=-1`.
    torch.cat(…, dim=-1) -> torch.cat(…)
features-dealt-out: The heads' features take turns. Head 0 comes first with all of its features: `torch.cat(…, dim=-1)`.
    torch.cat(…, dim=-1) -> torch.stack(…, dim=-1).flatten(2)
merge-no-transpose: One row holds numbers of several tokens. Lay the heads side by side: `torch.cat(…, dim=-1)`.
    torch.cat(…, dim=-1) -> torch.stack(…, dim=1).reshape(*x.shape[:2], -1)
    or
    torch.cat(…, dim=-1) -> torch.stack(…).reshape(*x.shape[:2], -1)
heads-summed: The heads are added up. They should stand side by side: `torch.cat(…, dim=-1)`.
    torch.cat(…, dim=-1) -> sum(…)
heads-averaged: The heads are averaged. They should stand side by side: `torch.cat(…, dim=-1)`.
    torch.cat(…, dim=-1) -> torch.stack(…).mean(dim=0)
weights-averaged: The weights are averaged over the heads. Each head's table is asked for: `torch.stack(…, dim=1)`.
    torch.stack(…, dim=1) -> torch.stack(…, dim=1).mean(dim=1)
weights-summed: The heads' tables of weights are added up. Each head's table is asked for: `torch.stack(…, dim=1)`.
    torch.stack(…, dim=1) -> sum(…)
cat-for-stack: The tables of weights are joined on an old axis. They need one of their own: `torch.stack(…, dim=1)`.
    torch.stack(…, dim=1) -> torch.cat(…, dim=1)
    or
    torch.stack(…, dim=1) -> torch.cat(…, dim=-1)
    or
    torch.stack(…, dim=1) -> torch.cat(…)
heads-before-batch: In your weights, the heads stand before the batch. They come after it: `torch.stack(…, dim=1)`.
    torch.stack(…, dim=1) -> torch.stack(…)
view-no-transpose: The tables of weights are mixed up, as by a `view`. Put them on a new axis: `torch.stack(…, dim=1)`.
    torch.stack(…, dim=1) -> torch.cat(…, dim=-1).view(len(x), -1, x.shape[1], x.shape[1])
    or
    torch.stack(…, dim=1) -> torch.stack(…).view(len(x), -1, x.shape[1], x.shape[1])
heads-last: In your weights, the heads stand behind the queries, or last. They belong right after the batch: `dim=1`.
    torch.stack(…, dim=1) -> torch.stack(…, dim=-1)
    or
    torch.stack(…, dim=1) -> torch.stack(…, dim=2)
lists-returned: A list came back, one entry for each head. Make one tensor of it: `torch.cat(…, dim=-1)` joins the
    context vectors, `torch.stack(…, dim=1)` the weights.
    torch.cat(…, dim=-1) -> …
    or
    torch.stack(…, dim=1) -> …
outputs-swapped: The two results have changed places: `return context_vecs, attn_weights`.
    return context_vecs, attn_weights -> return attn_weights, context_vecs
weights-missing: The weights are asked for as well: `return context_vecs, attn_weights`.
    return context_vecs, attn_weights -> return context_vecs
"""

exercise = ModuleExercise(
    StackedHeadsSolution,
    cases,
    MISTAKES,
    outputs=("context_vecs", "attn_weights"),
    rows="attn_weights",
    behaviours=(*BEHAVIOURS, heads_of_the_course),
)
