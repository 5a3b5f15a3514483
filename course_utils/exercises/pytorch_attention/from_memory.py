"""`MyFromMemory(d_in, d_out, num_heads, context_length, dropout=0.0)`: the class of `multi_head`, once more.

Its inputs and mistakes are those of `multi_head`; the functions of the course and of PyTorch may be used here.
"""

import torch
from torch import nn

from course_utils import attention
from course_utils.checks.modules import ModuleExercise
from course_utils.exercises.arguments import CONTEXT_AND_WEIGHTS
from course_utils.exercises.the_reshape import multi_head


class FromMemorySolution(nn.Module):
    def __init__(self, d_in, d_out, num_heads, context_length, dropout=0.0):
        super().__init__()
        if d_out % num_heads:
            raise ValueError(f"d_out = {d_out} is not divisible by num_heads = {num_heads}.")
        self.num_heads = num_heads
        self.W_query, self.W_key, self.W_value = (nn.Linear(d_in, d_out, bias=False) for _ in range(3))
        self.out_proj = nn.Linear(d_out, d_out)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("mask", attention.causal_mask(context_length), persistent=False)

    def split(self, x):
        return x.view(*x.shape[:2], self.num_heads, -1).transpose(1, 2)  # (batch, num_heads, num_tokens, head_dim)

    def forward(self, x):
        queries, keys, values = self.split(self.W_query(x)), self.split(self.W_key(x)), self.split(self.W_value(x))
        attn_scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5  # (batch, num_heads, t, t)
        num_tokens = x.shape[1]
        mask = self.mask[:num_tokens, :num_tokens]
        attn_weights = attention.softmax(attn_scores.masked_fill(~mask, -torch.inf))
        attn_weights = self.dropout(attn_weights)
        context_vecs = (attn_weights @ values).transpose(1, 2)  # (batch, num_tokens, num_heads, head_dim)
        return self.out_proj(context_vecs.flatten(2)), attn_weights


LAST_STEP = """
residual-added: The inputs are added to the result. That belongs to a block, around attention: here `out_proj` is last.
    self.out_proj(…), attn_weights -> x + self.out_proj(…), attn_weights
weights-unmasked: The context vectors are masked, and the weights that come back are not. Return those that were used.
    self.out_proj(…), attn_weights -> self.out_proj(…), attention.softmax(attn_scores)
weights-are-none: None comes back for the weights. `attention.scaled_dot_product_attention` gives them.
    self.out_proj(…), attn_weights -> self.out_proj(…), None
"""
SHARED = (LAST_STEP, *multi_head.SHARED)
exercise = ModuleExercise(
    FromMemorySolution,
    multi_head.cases,
    multi_head.MISTAKES,
    shared=SHARED,
    behaviours=multi_head.MUST_HOLD,
    **CONTEXT_AND_WEIGHTS,
)
