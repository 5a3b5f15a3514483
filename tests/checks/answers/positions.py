"""Right answers to the exercises of *Positions*, and wrong ones with the words they hear."""

import math

import torch
import torch.nn.functional as F


def places_by_loops(is_token):
    places = torch.zeros(is_token.shape, dtype=torch.long)
    for text in range(is_token.shape[0]):
        count = 0
        for at in range(is_token.shape[1]):
            if is_token[text, at]:
                places[text, at] = count
                count += 1
    return places


def places_from_the_first_token(is_token):
    rows = []
    for row in is_token:
        num_paddings = len(row) - int(row.sum())
        rows.append(F.pad(torch.arange(len(row) - num_paddings), (num_paddings, 0)))
    return torch.stack(rows)


def places_before(is_token):
    """How many real tokens stand before each; in front of the first there are none."""
    return is_token.int().cumsum(1) - is_token.int()


def places_in_32_bits(is_token):
    return F.relu(is_token.cumsum(-1) - 1).to(torch.int32)


def rotate_by_loops(x, places, speeds):
    turned = torch.zeros_like(x)
    for at, place in enumerate(places.tolist()):
        for pair, speed in enumerate(speeds.tolist()):
            cos, sin = math.cos(place * speed), math.sin(place * speed)
            first, second = x[:, :, at, 2 * pair], x[:, :, at, 2 * pair + 1]
            turned[:, :, at, 2 * pair] = first * cos - second * sin
            turned[:, :, at, 2 * pair + 1] = first * sin + second * cos
    return turned


def rotate_by_complex_numbers(x, places, speeds):
    angles = torch.outer(places.to(speeds.dtype), speeds)
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * torch.exp(1j * angles)).reshape(x.shape)


def rotate_by_matrices(x, places, speeds):
    angles = places.unsqueeze(-1) * speeds.unsqueeze(0)
    rows = [torch.stack([angles.cos(), -angles.sin()], -1), torch.stack([angles.sin(), angles.cos()], -1)]
    return (torch.stack(rows, dim=-2) @ x.reshape(*x.shape[:-1], -1, 2, 1)).reshape(x.shape)


def rotate_by_rotated_pairs(x, places, speeds):
    angles = torch.einsum("t,p->tp", places, speeds).repeat_interleave(2, dim=-1)
    across = torch.empty_like(x)
    across[..., ::2], across[..., 1::2] = -x[..., 1::2], x[..., ::2]
    return x * torch.cos(angles) + across * torch.sin(angles)


def rotate_into_zeros(x, places, speeds):
    cos, sin = (wave(places[:, None] * speeds) for wave in (torch.cos, torch.sin))
    turned = x.new_zeros(x.shape)
    turned[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
    turned[..., 1::2] = x[..., 1::2] * cos + x[..., 0::2] * sin
    return turned


def half_split_by_loops(weight, num_heads):
    reordered, half = torch.empty_like(weight), len(weight) // num_heads // 2
    for row in range(len(weight)):
        head, within = divmod(row, 2 * half)
        pair, second = divmod(within, 2)
        reordered[head * 2 * half + second * half + pair] = weight[row]
    return reordered


def half_split_by_an_index(weight, num_heads):
    return weight[torch.arange(weight.size(0)).view(num_heads, -1, 2).permute(0, 2, 1).reshape(-1)]


def half_split_by_chunks(weight, num_heads):
    return torch.cat([torch.cat([head[::2], head[1::2]]) for head in weight.chunk(num_heads, dim=0)])


def half_split_by_a_matrix(weight, num_heads):
    head_dim = weight.shape[0] // num_heads
    order = [*range(0, head_dim, 2), *range(1, head_dim, 2)]
    return torch.block_diag(*[torch.eye(head_dim, dtype=weight.dtype)[order]] * num_heads) @ weight


def alibi_by_loops(attn_scores, slopes):
    lowered = attn_scores.clone()
    for head in range(len(slopes)):
        for query in range(attn_scores.shape[2]):
            for key in range(attn_scores.shape[3]):
                lowered[:, head, query, key] -= slopes[head] * abs(query - key)
    return lowered


def alibi_head_by_head(attn_scores, slopes):
    places = torch.arange(attn_scores.size(-1))
    distance = torch.maximum(places - places.unsqueeze(1), places.unsqueeze(1) - places)
    return torch.stack([attn_scores[:, head] - slope * distance for head, slope in enumerate(slopes)], dim=1)


def alibi_by_two_triangles(attn_scores, slopes):
    steps = torch.ones(attn_scores.shape[-2:], dtype=attn_scores.dtype).tril(-1).cumsum(0)
    return attn_scores - torch.einsum("h,qk->hqk", slopes, steps + steps.mT)


RIGHT = {
    "left_padded_places": [places_by_loops, places_from_the_first_token, places_before, places_in_32_bits],
    "rotate": [
        rotate_by_loops,
        rotate_by_complex_numbers,
        rotate_by_matrices,
        rotate_by_rotated_pairs,
        rotate_into_zeros,
    ],
    "half_split": [half_split_by_loops, half_split_by_an_index, half_split_by_chunks, half_split_by_a_matrix],
    "alibi": [alibi_by_loops, alibi_head_by_head, alibi_by_two_triangles],
}


def overwriting(x, places, speeds):
    x[..., 0::2], x[..., 1::2] = rotate_by_loops(x, places, speeds).unflatten(-1, (-1, 2)).unbind(-1)
    return x


SAID = [
    ("left_padded_places", lambda is_token: places_by_loops(is_token).float(), "A table is read at whole numbers"),
    ("left_padded_places", lambda is_token: places_by_loops(is_token).tolist(), "a list came back"),
    ("left_padded_places", lambda is_token: places_by_loops(is_token.flip(-1)), "if the padding stood at the end"),
    ("rotate", overwriting, "other numbers in `x` afterwards"),
    ("rotate", lambda x, places, speeds: rotate_by_loops(x, -places, speeds), "turn goes the other way round"),
    ("rotate", lambda x, places, speeds: print(rotate_by_loops(x, places, speeds)), "the last line needs a `return`"),
    ("half_split", lambda weight, num_heads: half_split_by_loops(weight, 1), "All heads are reordered as one"),
    ("half_split", lambda weight, num_heads: half_split_by_loops(weight.T, num_heads).T, "You reorder columns"),
    ("alibi", lambda attn_scores, slopes: alibi_by_loops(attn_scores, -slopes), "The penalty is added"),
    ("alibi", lambda attn_scores, slopes: alibi_by_loops(attn_scores, slopes.flip(0)), "the slope of another"),
]
