"""Right answers to the exercises of *Real heads*, written in several ways."""

import torch

from course_utils.attention import merge_heads, split_heads
from course_utils.models.ablation import silenced


def same_in_steps(tokens):
    pattern = torch.zeros(len(tokens), len(tokens), dtype=torch.bool)
    for i in range(len(tokens)):
        for j in range(len(tokens)):
            if i != j and tokens[i] == tokens[j]:
                pattern[i, j] = True
    return pattern


def same_by_numbers(tokens):
    ids = torch.tensor([sorted(set(tokens)).index(token) for token in tokens])
    return (ids[:, None] == ids[None, :]) & ~torch.eye(len(tokens), dtype=torch.bool)


def same_by_outer_difference(tokens):
    ids = torch.tensor([tokens.index(token) for token in tokens])
    pattern = ids.unsqueeze(1) - ids == 0
    pattern.fill_diagonal_(False)
    return pattern


def scores_by_loop(attn_weights, pattern):
    rows = [i for i in range(len(pattern)) if pattern[i].any()]
    if not rows:
        raise ValueError("nothing is marked")
    scores = torch.zeros(attn_weights.shape[:2], dtype=attn_weights.dtype)
    for layer in range(attn_weights.shape[0]):
        for head in range(attn_weights.shape[1]):
            for row in rows:
                scores[layer, head] += attn_weights[layer, head, row][pattern[row]].sum() / len(rows)
    return scores


def scores_by_einsum(attn_weights, pattern):
    num_rows = pattern.any(-1).sum()
    if num_rows == 0:
        raise ValueError("an empty pattern")
    return torch.einsum("lhqk,qk->lh", attn_weights, pattern.to(attn_weights.dtype)) / num_rows


def scores_by_filling(attn_weights, pattern):
    if pattern.sum() == 0:
        raise ValueError(pattern)
    marked = attn_weights.masked_fill(~pattern, 0).sum((-1, -2))
    return marked / torch.count_nonzero(pattern.any(dim=1))


def top_by_sorting(scores, count):
    places = [(layer, head) for layer in range(scores.shape[0]) for head in range(scores.shape[1])]
    places.sort(key=lambda place: scores[place].item(), reverse=True)
    return torch.tensor(places[:count])


def top_by_unravel(scores, count):
    return torch.stack(torch.unravel_index(scores.flatten().argsort(descending=True)[:count], scores.shape), dim=1)


def top_by_divmod(scores, count):
    best = torch.topk(scores.reshape(-1), k=count)[1].tolist()
    return torch.tensor([divmod(place, scores.size(1)) for place in best])


def without_by_context(attention, x, head):
    _, attn_weights = attention(x)
    context_vecs = attn_weights @ split_heads(attention.W_value(x), attention.num_heads)
    keep = torch.ones(attention.num_heads, 1, 1, dtype=x.dtype)
    keep[head] = 0
    return attention.out_proj(merge_heads(context_vecs * keep))


def without_by_subtraction(attention, x, head):
    full, attn_weights = attention(x)
    head_dim = attention.out_proj.in_features // attention.num_heads
    start = head * head_dim
    delivered = attn_weights[..., head, :, :] @ attention.W_value(x)[..., start : start + head_dim]
    return full - delivered @ attention.out_proj.weight[:, start : start + head_dim].T


def without_by_values(attention, x, head):
    rows = torch.arange(attention.W_value.out_features) // (attention.W_value.out_features // attention.num_heads)
    before = {name: tensor.clone() for name, tensor in attention.W_value.state_dict().items()}
    with torch.no_grad():
        attention.W_value.weight[rows == head] = 0
        attention.W_value.bias[rows == head] = 0
        output, _ = attention(x)
    attention.W_value.load_state_dict(before)
    return output


def without_by_the_course(attention, x, head):
    with silenced(attention, head):
        return attention(x)[0]


RIGHT = {
    "same_pattern": [same_in_steps, same_by_numbers, same_by_outer_difference],
    "pattern_scores": [scores_by_loop, scores_by_einsum, scores_by_filling],
    "top_heads": [top_by_sorting, top_by_unravel, top_by_divmod],
    "without_head": [without_by_context, without_by_subtraction, without_by_values, without_by_the_course],
}
