"""`MyStackedHeads(d_in, head_dim, context_length, num_heads)`: single heads side by side."""

import torch
from torch import nn

from course_utils import attention
from course_utils.checks.modules import BEHAVIOURS, ModuleExercise
from course_utils.lessons.arguments import CONTEXT_AND_WEIGHTS


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


def heads_of_the_course(exercise, answer: type):
    """Yield ("not-used", message) if a head of the answer's module is no `attention.CausalAttention`."""
    heads = exercise.instance(answer, exercise.case(0).args[0]).heads
    if not all(isinstance(head, attention.CausalAttention) for head in heads):
        yield (
            "not-used",
            "The numbers are right, and your heads are of another class. The prompt says “each an "
            "`attention.CausalAttention`”.",
        )


MISTAKES = """
outputs-swapped: The two results have changed places: `return context_vecs, attn_weights`.
    return context_vecs, attn_weights -> return attn_weights, context_vecs
weights-taken-for-vecs: You took the wrong part of the pair. A head gives back the context vectors, then the weights.
    [vecs for vecs, _ -> [vecs for _, vecs
    or
    [weights for _, weights -> [weights for weights, _
heads-summed: The heads are added up. They should stand side by side: `torch.cat(…, dim=-1)`.
    torch.cat(…, dim=-1) -> sum(…)
names: After `__init__`, `self.heads` does not hold the heads that are asked for: it has another name, holds too few, or
    is filled in `forward`. Make it in `__init__`, with one head for each of `range(num_heads)`.
    self.heads ->> self.layers
head-dim-divided: Your heads are too narrow. `head_dim` is the width of one head already: do not divide it.
    (d_in, head_dim -> (d_in, head_dim // num_heads
sizes-swapped: Your heads have the wrong sizes. `CausalAttention` takes `(d_in, head_dim, context_length)`.
    (d_in, head_dim, context_length) for -> (d_in, context_length, head_dim) for
    or
    (d_in, head_dim, context_length) for -> (d_in, head_dim, num_heads) for
number-for-rate: The fourth argument is the rate of dropout. One object is one head: leave the number out.
    (d_in, head_dim, context_length) for -> (d_in, head_dim, context_length, num_heads) for
heads-chained: Your heads read what the one before gave out. All read the same `x`: give results other names.
    results = […] -> results = [] ⏎ for head in self.heads: ⏎     results.append(head(x)) ⏎     x = results[-1][0]
    or
    attention.CausalAttention(d_in, head_dim, context_length) for _ in ->
        attention.CausalAttention(head_dim if i else d_in, head_dim, context_length) for i in
    results = […] -> results = [] ⏎ for head in self.heads: ⏎     results.append(head(x)) ⏎     x = results[-1][0]
features-dealt-out: The heads' features take turns. Head 0 comes first with all of its features: `torch.cat(…, dim=-1)`.
    torch.cat(…, dim=-1) -> torch.stack(…, dim=-1).flatten(2)
cat-for-stack: The tables of weights are joined on an old axis. They need one of their own: `torch.stack(…, dim=1)`.
    torch.stack(…, dim=1) -> torch.cat(…, dim=1)
joins-exchanged: The two joins have changed places: `torch.cat` is for the vectors, `torch.stack` for the tables.
    torch.cat(…, dim=-1) -> torch.stack(…, dim=1)
    torch.stack(…, dim=1) -> torch.cat(…, dim=-1)
    or
    torch.cat(…, dim=-1) -> torch.stack(…, dim=1)
    torch.stack(…, dim=1) -> torch.cat(…, dim=1)
    or
    torch.cat(…, dim=-1) -> torch.stack(…, dim=-1)
    torch.stack(…, dim=1) -> torch.cat(…, dim=1)
view-no-transpose: The tables of weights are mixed up, as by a `view`. Put them on a new axis: `torch.stack(…, dim=1)`.
    torch.stack(…, dim=1) -> torch.stack(…).view(len(x), -1, x.shape[1], x.shape[1])
counts-swapped: There are `context_length` heads, made for `num_heads` tokens: the two have changed places.
    (d_in, head_dim, context_length) for -> (d_in, head_dim, num_heads) for
    range(num_heads) -> range(context_length)
heads-reversed: The last head comes first. Keep the order of `self.heads`: `append`, not `insert(0, …)`.
    vecs, _ in results -> vecs, _ in results[::-1]
    or
    in self.heads] -> in reversed(self.heads)]
cat-of-tokens: The heads' vectors stand one below the other. Join them along the features: `torch.cat(…, dim=-1)`.
    torch.cat(…, dim=-1) -> torch.cat(…, dim=1)
not-causal: Your heads see the future, as `attention.SelfAttention` does. Make each an `attention.CausalAttention`.
    attention.CausalAttention(d_in, head_dim, context_length) -> attention.SelfAttention(d_in, head_dim)
one-head-only: The first head answers each time. Call every one of them: `for head in self.heads`.
    [head(x) for head in self.heads] -> [self.heads[0](x) for head in self.heads]
out-proj-added: A layer mixes the heads' vectors. None is asked for here: return what `torch.cat` gives.
    for _ in range(num_heads)) -> for _ in range(num_heads))
        ⏎ self.out_proj = nn.Linear(num_heads * head_dim, num_heads * head_dim)
    return context_vecs -> return self.out_proj(context_vecs)
"""

exercise = ModuleExercise(
    StackedHeadsSolution, cases, MISTAKES, behaviours=(*BEHAVIOURS, heads_of_the_course), **CONTEXT_AND_WEIGHTS
)
