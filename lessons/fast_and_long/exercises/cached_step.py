"""`my_cached_step(heads, token, cache)`: one step of causal attention, with past keys and values kept in a cache."""

import torch
import torch.nn.functional as F

from course_utils import attention
from course_utils.checks.exercise import Exercise
from course_utils.checks.form import Form
from course_utils.lessons import shared
from course_utils.lessons.filled_modules import filled
from course_utils.lessons.the_reshape.exercises.scores_of_heads import SCORES_OF_HEADS

from .token_by_token import leaves_the_old_cache, projects_each_token_once, text_after_text


def cached_step_solution(heads, token, cache):
    query = attention.split_heads(heads.W_query(token), heads.num_heads)  # (batch, num_heads, 1, head_dim)
    keys = attention.split_heads(heads.W_key(token), heads.num_heads)
    values = attention.split_heads(heads.W_value(token), heads.num_heads)
    if cache is not None:
        keys = torch.cat([cache[0], keys], dim=-2)  # (batch, num_heads, num_past + 1, head_dim)
        values = torch.cat([cache[1], values], dim=-2)
    context_vec = F.scaled_dot_product_attention(query, keys, values)
    return heads.out_proj(attention.merge_heads(context_vec)), (keys, values)


def spelled_out(heads, token, cache):
    queries = attention.split_heads(heads.W_query(token), heads.num_heads)
    keys = attention.split_heads(heads.W_key(token), heads.num_heads)
    values = attention.split_heads(heads.W_value(token), heads.num_heads)
    if cache is not None:
        keys = torch.cat([cache[0], keys], dim=-2)
        values = torch.cat([cache[1], values], dim=-2)
    attn_weights = attention.softmax(queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5)
    return heads.out_proj(attention.merge_heads(attn_weights @ values)), (keys, values)


def cases(draw):
    for label, (d_in, d_out, num_heads), inputs in (
        ("2 texts of 5 tokens, 6 wide to 12, 3 heads", (6, 12, 3), draw(2, 5, 6)),
        ("3 texts of 4 tokens, 8 wide to 8, 2 heads", (8, 8, 2), draw(3, 4, 8)),
        ("one head", (3, 5, 1), draw(2, 6, 3)),
        ("a batch of one", (4, 6, 2), draw(1, 17, 4)),
        ("large inputs", (4, 6, 2), draw(2, 3, 4) * 30),
    ):
        heads = filled(draw, attention.MultiHeadAttention, d_in, d_out, num_heads, dropout=0.2, causal=True)
        yield label, heads, inputs


JOINS = """
cat-wrong-axis: The past is joined along another axis than the tokens'. They are on the last but one: `dim=-2`.
    dim=-2 ->> dim=1
"""
MISTAKES = f"""{JOINS}
=the-course-attends:
    context_vec = F.scaled_dot_product_attention(…) -> context_vec, _ = attention.scaled_dot_product_attention(…)
cache-ignored: Each token sees itself alone. Join the new key *and* value to those of the cache: `torch.cat`.
    if cache is not None: -> if False:
cache-half-joined:
    values = torch.cat([cache[1], values], dim=-2) ->
cache-not-updated: The cache never grows past its first token. Return the joined keys and values, not what came in.
    (context_vec)), (keys, values) -> (context_vec)), cache or (keys, values)
cache-swapped: Keys and values change places at each step: return the cache in the order in which you read it.
    (context_vec)), (keys, values) -> (context_vec)), (values, keys)
cache-crossed: Keys and values are both joined with the past keys. The values need theirs, the other half of the cache.
    [cache[1], values] -> [cache[0], values]
newest-in-front: The new key stands before the old ones, the new value behind them. Join both behind: `[past, new]`.
    [cache[0], keys] -> [keys, cache[0]]
    or
    [cache[1], values] -> [values, cache[1]]
causal-top-left: Your query sees the first key alone: `is_causal=True` counts from there. No mask is needed.
    (query, keys, values) -> (query, keys, values, is_causal=True)
self-excluded: The new token does not see itself: its own key and value belong into the step, too.
    (query, keys, values) -> (query, *(cache or (keys, values)))
token-axis-lost: The axis of the token is lost. `context_vec` is `(batch, 1, d_out)`: a slice, `[:, -1:]`, keeps it.
    heads.out_proj(…), -> heads.out_proj(…)[:, 0],
no-out-proj: The heads are put side by side, and never mixed: send them through `heads.out_proj`.
    heads.out_proj(attention.merge_heads(context_vec)) -> attention.merge_heads(context_vec)
heads-unsplit: Keys and queries meet as one wide head. Split first: `attention.split_heads(…, heads.num_heads)`.
    attention.split_heads(…, heads.num_heads) ->> …
    attention.merge_heads(context_vec) -> context_vec
cache-first-none: At the first token the cache is None. Ask `if cache is not None` before you use it.
    if cache is not None: -> if True:
    or
    if cache is not None: -> past_keys, past_values = cache ⏎ if cache is not None:
cache-in-place: Your code changes the cache that it was given. Two continuations of one beginning could not share it:
    make new tensors with `torch.cat`, and return those.
    keys = torch.cat -> keys = cache[0] = torch.cat
    values = torch.cat -> values = cache[1] = torch.cat
    (context_vec)), (keys, values) -> (context_vec)), [keys, values]
cache-elsewhere: Two continuations of one beginning get mixed up: your code keeps keys and values somewhere else than in
    the cache. Read the past from the argument `cache` alone, and return all that the next step needs.
    if cache is not None: -> if hasattr(heads, "past"):
    cache[ ->> heads.past[
    context_vec = F. -> heads.past = keys, values ⏎ context_vec = F.
outputs-swapped:
    heads.out_proj(…), (keys, values) -> torch.stack([keys, values]), heads.out_proj(…)
random:
    (query, keys, values) -> (query, keys, values, dropout_p=heads.dropout.p)
cache-last-only: Your cache holds the newest token only. Return the past and the new one, joined.
    if cache -> text = token if cache is None else torch.cat([cache, token], dim=1)
        ⏎ return heads(text)[0][:, -1:], token ⏎ if cache
    or
    if cache is not None: -> newest = keys, values ⏎ if cache is not None:
    (context_vec)), (keys, values) -> (context_vec)), newest
rows-of-the-past: A row for each token so far comes back. Ask with the new query alone, or return the last row.
    if cache -> text = token if cache is None else torch.cat([cache, token], dim=1)
        ⏎ return heads(text)[0], text ⏎ if cache
"""
MORE = f"""{JOINS}
softmax-axis: Every past value counts in full. Softmax over the keys, `dim=-1`; join the past by `torch.cat`.
qk-swapped: Your weights stand in a column. It is `query @ keys.transpose(-2, -1)`, the query on the left.
cache-half-joined: Keys and values are not equally many. Join the new key *and* value to the cache: `torch.cat`.
    values = torch.cat([cache[1], values], dim=-2) ->
"""
FORMS = (Form(__name__, "spelled_out", MORE, shared=(SCORES_OF_HEADS, shared.SOFTMAX, shared.SCORES)),)
exercise = Exercise(
    cached_step_solution,
    cases,
    MISTAKES,
    also=FORMS,
    outputs=("context_vecs",),
    observe=text_after_text,
    behaviours=(leaves_the_old_cache,),
    hints=(projects_each_token_once,),
)
