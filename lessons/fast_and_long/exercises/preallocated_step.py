"""`my_preallocated_step(heads, token, cache)`: a step of causal attention that writes into a preallocated cache."""

import torch.nn.functional as F

from course_utils import attention
from course_utils.checks.exercise import Exercise
from course_utils.lessons.filled_modules import filled

from . import cached_step
from .room_made_once import leaves_the_rest_alone, room_may_hold_nan, token_by_token, two_texts_in_turn


def preallocated_step_solution(heads, token, cache):
    keys, values, past = cache  # room for all tokens, and how many have come
    query = attention.split_heads(heads.W_query(token), heads.num_heads)  # (batch, num_heads, 1, head_dim)
    keys[:, :, past] = attention.split_heads(heads.W_key(token), heads.num_heads)[:, :, 0]
    values[:, :, past] = attention.split_heads(heads.W_value(token), heads.num_heads)[:, :, 0]
    past = past + 1  # this token has come as well
    context_vec = F.scaled_dot_product_attention(query, keys[:, :, :past], values[:, :, :past])
    return heads.out_proj(attention.merge_heads(context_vec)), (keys, values, past)


def cases(draw):
    for label, (d_in, d_out, num_heads), inputs, most_tokens, past in (
        ("room for 7, a text of 5, 6 wide to 12, 3 heads", (6, 12, 3), draw(2, 5, 6), 7, 0),
        ("room for 4, and a text of 4", (8, 8, 2), draw(3, 4, 8), 4, 0),
        ("2 tokens are past already, 4 come", (3, 8, 4), draw(2, 6, 3), 9, 2),
        ("one head", (3, 5, 1), draw(2, 6, 3), 8, 0),
        ("a batch of one", (4, 6, 2), draw(1, 17, 4), 18, 0),
        ("large inputs", (4, 6, 2), draw(2, 3, 4) * 30, 5, 1),
    ):
        heads = filled(draw, attention.MultiHeadAttention, d_in, d_out, num_heads, dropout=0.2, causal=True)
        yield label, heads, inputs, most_tokens, past


MISTAKES = """
whole-room: Your query meets places that nobody has written to. Take those that have come: `[:, :, : past + 1]`.
    [:, :, :past] ->>
zeros-for-scores: A score of 0 gets its share of the weight all the same. Leave the places that nobody has written to
    out: `[:, :, : past + 1]`.
    context_vec = F.scaled_dot_product_attention(query, keys[:, :, :past], values[:, :, :past]) ->
        scores = query @ keys.mT / query.shape[-1] ** 0.5 * (torch.arange(keys.shape[2]) < past)
        ⏎ context_vec = attention.softmax(scores) @ values
self-excluded: The new token does not see itself. After `past` old ones, the slice ends at `past + 1`.
    [:, :, :past] ->> [:, :, : past - 1]
one-too-many: The slice ends one place too late, and takes in a place that nobody has written to.
    [:, :, :past] ->> [:, :, : past + 1]
newest-only: Each token meets its own key alone. The places before it are the past: attend to `[:, :, : past + 1]`.
    [:, :, :past] ->> [:, :, past - 1 : past]
causal-top-left: Your query sees the first key alone. Give it all up to its own, `[:, :, : past + 1]`, and no mask.
    [:, :, :past] ->> [:, :, :1]
past-not-counted: `past` comes back as it came, so the next token is written over this one. Return `past + 1`.
    (keys, values, past) -> cache
written-one-late: Key and value are written one place too late. Places count from 0: the next is `past`.
    [:, :, past] = ->> [:, :, past + 1] =
written-over-past: The new key is written over all places up to its own, and the past is lost. Write into one place:
    `keys[:, :, past]`.
    keys[:, :, past] = …[:, :, 0] -> keys[:, :, : past + 1] = …
    values[:, :, past] = …[:, :, 0] -> values[:, :, : past + 1] = …
written-last: The key and the value are written to the end of the room. The next free place is `past`.
    [:, :, past] = ->> [:, :, -1] =
nothing-written: Neither the key nor the value is in the room. Write them there, `keys[:, :, past] = …`.
    keys[:, :, past] = -> key =
    values[:, :, past] = -> value =
room-copied: The step leaves the room as it was. Write into what came, `keys[:, :, past] = …`, and return it.
    keys, values, past = cache -> keys, values, past = cache ⏎ keys, values = keys.clone(), values.clone()
room-cut: The room comes back cut to what has come, and the next token has no place in it. Return the whole room.
    (keys, values, past) -> (keys[:, :, :past], values[:, :, :past], past)
attends-first: The query attends before the new key and value are in the room. Write them first.
    keys[:, :, past] = -> context_vec = F.scaled_dot_product_attention(query, keys[:, :, : past + 1],
        values[:, :, : past + 1]) ⏎ keys[:, :, past] =
    context_vec = F.scaled_dot_product_attention(query, keys[:, :, :past], values[:, :, :past]) ->
first-sample-only: Only the first text is written into the room. Each has its place there: `keys[:, :, past]`.
    keys[:, :, past] = …[:, :, 0] -> keys[:1, :, past] = …[:1, :, 0]
    values[:, :, past] = …[:, :, 0] -> values[:1, :, past] = …[:1, :, 0]
value-over-key: The value is written over the key. It belongs into a room of its own: `values[:, :, past] = …`.
    values[:, :, past] = -> keys[:, :, past] =
room-made-anew: The step makes new room, and all that was past is gone. Write into the room that came.
    keys, values, past = cache ->
        keys, values, past = cache ⏎ keys, values = torch.zeros_like(keys), torch.zeros_like(values)
joined-behind: Key and value are joined behind the room. They belong into it: `keys[:, :, past] = …`.
    keys[:, :, past] = …[:, :, 0] -> keys = torch.cat([keys, …], dim=-2)
    values[:, :, past] = …[:, :, 0] -> values = torch.cat([values, …], dim=-2)
    [:, :, :past] ->>
wrong-axis: The place is counted on the heads' axis. Tokens are on the third: `keys[:, :, past]`.
    keys[:, :, past] = …[:, :, 0] -> keys[:, past] = …
    values[:, :, past] = …[:, :, 0] -> values[:, past] = …
axis-too-many: The new key has an axis more than its place: take `[:, :, 0]`, or write into `past : past + 1`.
    keys[:, :, past] = …[:, :, 0] -> keys[:, :, past] = …
    values[:, :, past] = …[:, :, 0] -> values[:, :, past] = …
features-dealt-out: A head has every so many features. Split with `attention.split_heads(…, heads.num_heads)`.
    keys[:, :, past] = attention.split_heads(heads.W_key(token), heads.num_heads)[:, :, 0] ->
        keys[:, :, past] = heads.W_key(token).view(len(token), -1, heads.num_heads).mT
    values[:, :, past] = attention.split_heads(heads.W_value(token), heads.num_heads)[:, :, 0] ->
        values[:, :, past] = heads.W_value(token).view(len(token), -1, heads.num_heads).mT
past-elsewhere: The tokens that have come are counted elsewhere. Take `keys, values, past = cache`.
    keys, values, past = cache -> keys, values, _ = cache ⏎ past = getattr(heads, "past", 0)
    past = past + 1 -> past = heads.past = past + 1
keys-for-values: Your values are what `W_key` gives. They come from `W_value`.
    heads.W_value(token) -> heads.W_key(token)
kv-swapped: Key and value have changed places: the key comes from `W_key`, the value from `W_value`.
    heads.W_key -> heads.W_value
    heads.W_value -> heads.W_key
=the-course-attends:
    context_vec = F.scaled_dot_product_attention(…) -> context_vec, _ = attention.scaled_dot_product_attention(…)
tuple-changed: A tuple cannot be changed. Take it apart, `keys, values, past = cache`, and return a new one.
    past = past + 1 -> cache[2] = past + 1
unsplit: What the layers give is not split into heads, as the room is: `attention.split_heads(…, heads.num_heads)`.
    attention.split_heads(…, heads.num_heads)[:, :, 0] ->> …
    query = attention.split_heads(…, heads.num_heads)  # -> query = …  #
    attention.merge_heads(context_vec) -> context_vec
nan-in-room: Where the room holds `nan` in places not yet written to, your result is `nan`: a mask gives them the weight
    0, and 0 times `nan` is `nan`. Leave them out, with a slice: `[:, :, : past + 1]`.
    context_vec = F.scaled_dot_product_attention(query, keys[:, :, :past], values[:, :, :past]) ->
        mask = (torch.arange(keys.shape[2]) < past)[None] ⏎
        context_vec, _ = attention.scaled_dot_product_attention(query, keys, values, mask)
cache-elsewhere: Two texts that are written in turn get mixed up: your code keeps keys, values or their number somewhere
    else than in the cache. Read all that is past from the argument `cache` alone.
    keys, values, past = cache -> keys, values, past = cache ⏎ past = getattr(heads, "past", past) if past else 0
    past = past + 1 -> past = heads.past = past + 1
"""

exercise = Exercise(
    preallocated_step_solution,
    cases,
    MISTAKES,
    shared=(cached_step.MISTAKES,),
    outputs=("context_vecs", "keys_in_the_room", "values_in_the_room"),
    observe=token_by_token,
    behaviours=(two_texts_in_turn, room_may_hold_nan),
    hints=(leaves_the_rest_alone,),
)
