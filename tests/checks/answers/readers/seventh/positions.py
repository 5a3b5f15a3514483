# %% wrong rotate: half-split
# Llama's way, from memory
def my_rotate(x, places, speeds):
    angles = torch.outer(places.float(), speeds)
    angles = torch.cat([angles, angles], dim=-1)
    half = x.shape[-1] // 2
    rotated = torch.cat([-x[..., half:], x[..., :half]], dim=-1)
    return x * angles.cos() + rotated * angles.sin()


# %% wrong rotate: angles-in-halves
# neighbours as pairs, but the angles repeated as a whole
def my_rotate(x, places, speeds):
    angles = torch.outer(places.float(), speeds)
    cos = torch.cat([angles, angles], dim=-1).cos()
    sin = torch.cat([angles, angles], dim=-1).sin()
    x1, x2 = x[..., ::2], x[..., 1::2]
    rotated = torch.stack((-x2, x1), dim=-1).flatten(-2)
    return x * cos + rotated * sin


# %% wrong rotate: put-back-in-halves
# joins the turned halves
def my_rotate(x, places, speeds):
    x1, x2 = x[..., ::2], x[..., 1::2]
    theta = places.unsqueeze(-1) * speeds
    c, s = torch.cos(theta), torch.sin(theta)
    return torch.cat((x1 * c - x2 * s, x1 * s + x2 * c), dim=-1)


# %% wrong rotate: already-turned
# overwrites in place: the second one uses the new first one
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    out = x.clone()
    out[..., 0::2] = out[..., 0::2] * angles.cos() - out[..., 1::2] * angles.sin()
    out[..., 1::2] = out[..., 0::2] * angles.sin() + out[..., 1::2] * angles.cos()
    return out


# %% wrong rotate: input-changed
# right numbers, written into x itself
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    first, second = x[..., 0::2].clone(), x[..., 1::2].clone()
    x[..., 0::2] = first * angles.cos() - second * angles.sin()
    x[..., 1::2] = first * angles.sin() + second * angles.cos()
    return x


# %% wrong rotate: turned-back
# transposed matrix
def my_rotate(x, places, speeds):
    out = torch.zeros_like(x)
    for t, place in enumerate(places):
        for i, speed in enumerate(speeds):
            a = place * speed
            R = torch.stack([torch.stack([a.cos(), -a.sin()]), torch.stack([a.sin(), a.cos()])])
            out[:, :, t, 2 * i : 2 * i + 2] = x[:, :, t, 2 * i : 2 * i + 2] @ R
    return out


# %% wrong rotate: places-ignored
# the loop counts the tokens, and forgets the places
def my_rotate(x, places, speeds):
    out = torch.empty_like(x)
    for t in range(x.shape[2]):
        for i, speed in enumerate(speeds):
            angle = t * speed
            a, b = x[:, :, t, 2 * i], x[:, :, t, 2 * i + 1]
            out[:, :, t, 2 * i] = a * angle.cos() - b * angle.sin()
            out[:, :, t, 2 * i + 1] = a * angle.sin() + b * angle.cos()
    return out


# %% wrong rotate: heads-for-tokens
# axes of tokens and heads confused
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    angles = angles[None, :, None, :]
    x1, x2 = x[..., 0::2], x[..., 1::2]
    return torch.stack([x1 * angles.cos() - x2 * angles.sin(), x1 * angles.sin() + x2 * angles.cos()], -1).flatten(-2)


# %% wrong rotate: complex-returned
# complex numbers, and stays with them
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    z = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    return z * torch.exp(1j * angles)


# %% wrong rotate: angles-no-axis
# places times speeds, one by one
def my_rotate(x, places, speeds):
    angles = places * speeds
    x1, x2 = x[..., 0::2], x[..., 1::2]
    return torch.stack([x1 * angles.cos() - x2 * angles.sin(), x1 * angles.sin() + x2 * angles.cos()], -1).flatten(-2)


# %% wrong rotate: - "It ran to its end and gave nothing back: the last line needs"
# prints it
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    x1, x2 = x[..., 0::2], x[..., 1::2]
    turned = torch.stack([x1 * angles.cos() - x2 * angles.sin(), x1 * angles.sin() + x2 * angles.cos()], -1)
    print(turned.flatten(-2))


# %% wrong rotate: first-pair-only
# only the first two numbers
def my_rotate(x, places, speeds):
    angle = places * speeds[0]
    x, y = x[..., 0], x[..., 1]
    return torch.stack([x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()], dim=-1)


# %% wrong rotate: turned-back
# a minus in the wrong line
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    x1, x2 = x[..., 0::2], x[..., 1::2]
    return torch.stack([x1 * angles.cos() + x2 * angles.sin(), x2 * angles.cos() - x1 * angles.sin()], -1).flatten(-2)


# %% wrong rotate: - "`batch, num_tokens, width = x.shape` stops: `x.shape` is (2,"
# one function for one head, unpacks three axes
def my_rotate(x, places, speeds):
    batch, num_tokens, width = x.shape
    angles = places.view(-1, 1) * speeds
    pairs = x.view(batch, num_tokens, width // 2, 2)
    a, b = pairs.unbind(-1)
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).view(x.shape)


# %% wrong rotate: taken-in-halves
# view cuts the head into (2, pairs)
def my_rotate(x, places, speeds):
    angles = places.view(-1, 1) * speeds
    a, b = x.view(*x.shape[:-1], 2, -1).unbind(-2)
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).view(x.shape)


# %% wrong rotate: first-text-only
# the page's turn for each arrow, which wants a number of Python, and the token index for the place
def turn(vector, angle):
    x, y = vector
    return torch.stack([x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()])


def my_rotate(x, places, speeds):
    rows = []
    for t in range(len(places)):
        rows.append(torch.cat([turn(x[0, 0, t, 2 * i : 2 * i + 2], places[t] * speeds[i]) for i in range(len(speeds))]))
    return torch.stack(rows)


# %% wrong rotate: - "`math.cos(angles)` stops: a single number is needed, and `an"
# math wants a number
import math


def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    x1, x2 = x[..., 0::2], x[..., 1::2]
    return torch.stack([x1 * math.cos(angles) - x2 * math.sin(angles), x1 * math.sin(angles) + x2 * math.cos(angles)], -1)


# %% wrong rotate: sinusoids-added
# the rule of the sinusoids once more
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2)


# %% wrong rotate: first-head-only
# distance between heads
def my_rotate(x, places, speeds):
    out = x.clone()
    for head in range(x.shape[1]):
        for pair in range(x.shape[-1] // 2):
            a, b = x[:, head, :, 2 * pair], x[:, head, :, 2 * pair + 1]
            angle = places * speeds[pair]
            out[:, head, :, 2 * pair] = a * angle.cos() - b * angle.sin()
            out[:, head, :, 2 * pair + 1] = a * angle.sin() + b * angle.cos()
        return out


# %% wrong rotate: pairs-overlap
# pairs overlap: (0, 1), (1, 2)
def my_rotate(x, places, speeds):
    out = x.clone()
    for pair in range(x.shape[-1] // 2):
        a, b = x[..., pair], x[..., pair + 1]
        angle = places * speeds[pair]
        out[..., pair] = a * angle.cos() - b * angle.sin()
        out[..., pair + 1] = a * angle.sin() + b * angle.cos()
    return out


# %% wrong rotate: turned-back
# a matrix for the turns, and values forgotten: einsum over the wrong letter
def my_rotate(x, places, speeds):
    a = places[:, None] * speeds
    R = torch.stack([torch.stack([a.cos(), a.sin()], -1), torch.stack([-a.sin(), a.cos()], -1)], -2)
    pairs = x.unflatten(-1, (-1, 2))
    return torch.einsum("bhtpi,tpji->bhtpj", pairs, R).flatten(-2)


# %% right rotate
def my_rotate(x, places, speeds):
    angles = torch.outer(places.float(), speeds)
    z = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(z * torch.polar(torch.ones_like(angles), angles)).reshape(x.shape)


# %% right rotate
def my_rotate(x, places, speeds):
    a = places[:, None] * speeds
    R = torch.stack([torch.stack([a.cos(), -a.sin()], -1), torch.stack([a.sin(), a.cos()], -1)], -2)
    return torch.einsum("tpij,bhtpj->bhtpi", R, x.unflatten(-1, (-1, 2))).flatten(-2)


# %% right rotate
def my_rotate(x, places, speeds):
    out = torch.empty_like(x)
    for t, place in enumerate(places):
        for i, speed in enumerate(speeds):
            cos, sin = torch.cos(place * speed), torch.sin(place * speed)
            out[:, :, t, 2 * i] = x[:, :, t, 2 * i] * cos - x[:, :, t, 2 * i + 1] * sin
            out[:, :, t, 2 * i + 1] = x[:, :, t, 2 * i] * sin + x[:, :, t, 2 * i + 1] * cos
    return out


# %% wrong alibi: no-abs
# the sign of the paper's formula, without its mask
def my_alibi(attn_scores, slopes):
    n = attn_scores.shape[-1]
    distance = torch.arange(n)[None, :] - torch.arange(n)[:, None]
    return attn_scores + slopes.view(-1, 1, 1) * distance


# %% wrong alibi: past-gains
# signed the other way
def my_alibi(attn_scores, slopes):
    n = attn_scores.shape[-1]
    distance = torch.arange(n)[None, :] - torch.arange(n)[:, None]
    return attn_scores - slopes.view(-1, 1, 1) * distance


# %% wrong alibi: slopes-on-keys
# slopes meet the keys
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.size(-1))
    return attn_scores - slopes * (places[:, None] - places[None, :]).abs()


# %% wrong alibi: slopes-on-queries
# slopes as a column
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.size(-1))
    return attn_scores - slopes.unsqueeze(-1) * (places[:, None] - places[None, :]).abs()


# %% wrong alibi: added
# adds
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.size(-1))
    bias = slopes[None, :, None, None] * (places[:, None] - places[None, :]).abs()
    return attn_scores + bias


# %% wrong alibi: input-changed
# changes the scores that came in
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.size(-1))
    attn_scores -= slopes[None, :, None, None] * (places[:, None] - places[None, :]).abs()
    return attn_scores


# %% wrong alibi: first-head-changed
# a loop that returns too early
def my_alibi(attn_scores, slopes):
    out = attn_scores.clone()
    n = attn_scores.shape[-1]
    for head, slope in enumerate(slopes):
        for q in range(n):
            for k in range(n):
                out[:, head, q, k] -= slope * abs(q - k)
        return out


# %% wrong alibi: one-side
# only the past
def my_alibi(attn_scores, slopes):
    out = attn_scores.clone()
    n = attn_scores.shape[-1]
    for head, slope in enumerate(slopes):
        for q in range(n):
            for k in range(q):
                out[:, head, q, k] -= slope * (q - k)
    return out


# %% wrong alibi: - "`attn_scores[head]` stops: axis 0 of (2, 3, 5, 5) has 2 plac"
# the loop uses head where text is meant
def my_alibi(attn_scores, slopes):
    out = attn_scores.clone()
    places = torch.arange(attn_scores.shape[-1])
    distance = (places[:, None] - places).abs()
    for head, slope in enumerate(slopes):
        out[head] = attn_scores[head] - slope * distance
    return out


# %% wrong alibi: mask-unasked
# hides the future too
def my_alibi(attn_scores, slopes):
    n = attn_scores.shape[-1]
    places = torch.arange(n)
    scores = attn_scores - slopes[:, None, None] * (places[:, None] - places).abs()
    return scores.masked_fill(~attention.causal_mask(n), -torch.inf)


# %% wrong alibi: places-of-heads
# the number of heads for the number of tokens
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.shape[1])
    return attn_scores - slopes[:, None, None] * (places[:, None] - places).abs()


# %% wrong alibi: penalty-lost
# one subtracts places from themselves
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.shape[-1])
    distance = torch.abs(places - places)
    return attn_scores - slopes[:, None, None] * distance


# %% wrong alibi: multiplied
# multiplies the scores
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.shape[-1])
    distance = torch.abs(places[:, None] - places)
    return attn_scores * slopes[:, None, None] * distance


# %% wrong alibi: - "It ran to its end and gave nothing back: the last line needs"
# forgets to give it back
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.shape[-1])
    distance = torch.abs(places[:, None] - places)
    attn_scores = attn_scores - slopes[:, None, None] * distance


# %% wrong alibi: own-slopes
# makes its own slopes, as in the paper
def my_alibi(attn_scores, slopes):
    num_heads = attn_scores.shape[1]
    places = torch.arange(attn_scores.shape[-1])
    own = torch.tensor([2 ** (-8 * (i + 1) / num_heads) for i in range(num_heads)])
    return attn_scores - own.view(1, -1, 1, 1) * (places[:, None] - places).abs()


# %% wrong alibi: from-the-end
# the bias of published code: distance from the last token
def my_alibi(attn_scores, slopes):
    n = attn_scores.shape[-1]
    bias = slopes.view(-1, 1, 1) * torch.arange(1 - n, 1).view(1, 1, n)
    return attn_scores + bias


# %% wrong alibi: range-for-arange
# range is no tensor
def my_alibi(attn_scores, slopes):
    places = range(attn_scores.shape[-1])
    distance = abs(places[:, None] - places)
    return attn_scores - slopes[:, None, None] * distance


# %% wrong alibi: - "For the attn scores, a list came back. `torch.stack` makes o"
# a list of heads
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.shape[-1])
    distance = (places[:, None] - places).abs()
    return [attn_scores[:, i] - slopes[i] * distance for i in range(len(slopes))]


# %% wrong alibi: heads-before-batch
# stacked on the wrong axis
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.shape[-1])
    distance = (places[:, None] - places).abs()
    return torch.stack([attn_scores[:, i] - slopes[i] * distance for i in range(len(slopes))])


# %% wrong alibi: weights-returned
# causal softmax at once
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.shape[-1])
    distance = (places[:, None] - places).abs()
    return attention.softmax(attn_scores - slopes.view(1, -1, 1, 1) * distance)


# %% right alibi
def my_alibi(attn_scores, slopes):
    batch, num_heads, num_tokens, _ = attn_scores.shape
    out = torch.zeros_like(attn_scores)
    for h in range(num_heads):
        for q in range(num_tokens):
            for k in range(num_tokens):
                out[:, h, q, k] = attn_scores[:, h, q, k] - slopes[h] * abs(q - k)
    return out


# %% right alibi
def my_alibi(attn_scores, slopes):
    places = torch.arange(attn_scores.shape[-1], dtype=attn_scores.dtype)
    distance = torch.cdist(places[:, None], places[:, None])
    return attn_scores - torch.einsum("h,qk->hqk", slopes, distance)


# %% wrong half_split: backwards
# the inverse
def my_half_split(weight, num_heads):
    d_out, d_in = weight.shape
    head_dim = d_out // num_heads
    return weight.view(num_heads, 2, head_dim // 2, d_in).transpose(1, 2).reshape(d_out, d_in)


# %% wrong half_split: heads-ignored
# no heads
def my_half_split(weight, num_heads):
    return torch.cat([weight[0::2], weight[1::2]])


# %% wrong half_split: columns-moved
# columns
def my_half_split(weight, num_heads):
    head_dim = weight.shape[1] // num_heads
    parts = []
    for head in range(num_heads):
        block = weight[:, head * head_dim : (head + 1) * head_dim]
        parts += [block[:, 0::2], block[:, 1::2]]
    return torch.cat(parts, dim=1)


# %% wrong half_split: not-contiguous
# view after transpose
def my_half_split(weight, num_heads):
    d_out, d_in = weight.shape
    return weight.view(num_heads, -1, 2, d_in).transpose(1, 2).view(d_out, d_in)


# %% wrong half_split: not-moved
# only cuts
def my_half_split(weight, num_heads):
    d_out, d_in = weight.shape
    pairs = weight.view(num_heads, -1, 2, d_in)
    pairs.transpose(1, 2)
    return pairs.reshape(d_out, d_in)


# %% wrong half_split: shared-heads
# order of the first head, for all
def my_half_split(weight, num_heads):
    head_dim = weight.shape[0] // num_heads
    order = list(range(0, head_dim, 2)) + list(range(1, head_dim, 2))
    return weight[order * num_heads]


# %% wrong half_split: first-head-only
# order of the first head alone
def my_half_split(weight, num_heads):
    head_dim = weight.shape[0] // num_heads
    order = list(range(0, head_dim, 2)) + list(range(1, head_dim, 2))
    return weight[order]


# %% wrong half_split: read-after-writing
# writes row by row where it reads
def my_half_split(weight, num_heads):
    head_dim = weight.shape[0] // num_heads
    for head in range(num_heads):
        for i in range(head_dim // 2):
            weight[head * head_dim + i] = weight[head * head_dim + 2 * i]
            weight[head * head_dim + head_dim // 2 + i] = weight[head * head_dim + 2 * i + 1]
    return weight


# %% wrong half_split: backwards
# the new weight is written the other way round
def my_half_split(weight, num_heads):
    head_dim = weight.shape[0] // num_heads
    new = torch.empty_like(weight)
    for head in range(num_heads):
        for i in range(head_dim // 2):
            new[head * head_dim + 2 * i] = weight[head * head_dim + i]
            new[head * head_dim + 2 * i + 1] = weight[head * head_dim + head_dim // 2 + i]
    return new


# %% wrong half_split: shared-heads
# forgets to add the head
def my_half_split(weight, num_heads):
    head_dim = weight.shape[0] // num_heads
    new = torch.empty_like(weight)
    for head in range(num_heads):
        for i in range(head_dim // 2):
            new[head * head_dim + i] = weight[2 * i]
            new[head * head_dim + head_dim // 2 + i] = weight[2 * i + 1]
    return new


# %% wrong half_split: heads-ignored
# puts the second ones at d_out / 2
def my_half_split(weight, num_heads):
    d_out = weight.shape[0]
    new = torch.zeros_like(weight)
    for i in range(d_out // 2):
        new[i] = weight[2 * i]
        new[i + d_out // 2] = weight[2 * i + 1]
    return new


# %% wrong half_split: sizes-swapped
# heads are num_heads wide
def my_half_split(weight, num_heads):
    blocks = weight.split(num_heads)
    return torch.cat([torch.cat([block[0::2], block[1::2]]) for block in blocks])


# %% wrong half_split: pair-swapped
# odd rows first
def my_half_split(weight, num_heads):
    blocks = weight.chunk(num_heads)
    return torch.cat([torch.cat([block[1::2], block[0::2]]) for block in blocks])


# %% wrong half_split: axes-left
# three axes
def my_half_split(weight, num_heads):
    heads = weight.unflatten(0, (num_heads, -1))
    return torch.cat([heads[:, ::2], heads[:, 1::2]], dim=1)


# %% wrong half_split: heads-thinned
# permutes heads instead
def my_half_split(weight, num_heads):
    heads = weight.unflatten(0, (num_heads, -1))
    return torch.cat([heads[::2], heads[1::2]]).flatten(0, 1)


# %% wrong half_split: order-returned
# gives back the index
def my_half_split(weight, num_heads):
    index = torch.arange(weight.shape[0]).view(num_heads, -1, 2)
    return index.transpose(1, 2).reshape(-1)


# %% wrong half_split: sign-added
# as rotate_half: a minus for the second half
def my_half_split(weight, num_heads):
    heads = weight.unflatten(0, (num_heads, -1))
    return torch.cat([-heads[:, 1::2], heads[:, ::2]], dim=1).flatten(0, 1)


# %% wrong half_split: neighbours-swapped
# swaps the neighbours
def my_half_split(weight, num_heads):
    return weight.view(-1, 2, weight.shape[1]).flip(1).reshape(weight.shape)


# %% wrong half_split: result-turned
# W is transposed first, as x @ W would want it
def my_half_split(weight, num_heads):
    heads = weight.T.reshape(weight.shape[1], num_heads, -1)
    return torch.cat([heads[..., ::2], heads[..., 1::2]], dim=-1).flatten(1)


# %% wrong half_split: float-size
# divides with /
def my_half_split(weight, num_heads):
    d_out, d_in = weight.shape
    head_dim = d_out / num_heads
    return weight.view(num_heads, head_dim / 2, 2, d_in).transpose(1, 2).reshape(d_out, d_in)


# %% right half_split
def my_half_split(weight, num_heads):
    head_dim = len(weight) // num_heads
    new = torch.empty_like(weight)
    for head in range(num_heads):
        start = head * head_dim
        for i in range(head_dim // 2):
            new[start + i] = weight[start + 2 * i]
            new[start + head_dim // 2 + i] = weight[start + 2 * i + 1]
    return new


# %% right half_split
def my_half_split(weight, num_heads):
    order = torch.arange(len(weight)).reshape(num_heads, -1, 2).mT.flatten()
    return weight[order]


# %% wrong left_padded_places: counts-from-1
# starts at 1
def my_left_padded_places(is_token):
    return is_token.cumsum(-1) * is_token


# %% wrong left_padded_places: padding-negative
# minus one at the padding
def my_left_padded_places(is_token):
    return is_token.long().cumsum(-1) - 1


# %% wrong left_padded_places: padding-one
# as in transformers
def my_left_padded_places(is_token):
    position_ids = is_token.long().cumsum(-1) - 1
    position_ids.masked_fill_(is_token == 0, 1)
    return position_ids


# %% wrong left_padded_places: places-of-the-row
# arange for every row
def my_left_padded_places(is_token):
    batch, num_tokens = is_token.shape
    return torch.arange(num_tokens).repeat(batch, 1)


# %% wrong left_padded_places: places-of-the-row
# arange where there are tokens
def my_left_padded_places(is_token):
    batch, num_tokens = is_token.shape
    return torch.where(is_token, torch.arange(num_tokens), 0)


# %% wrong left_padded_places: batch-mixed
# down the columns
def my_left_padded_places(is_token):
    return (is_token.cumsum(0) - 1).clamp(0)


# %% wrong left_padded_places: no-keepdim
# lengths against the row, no axis
def my_left_padded_places(is_token):
    lengths = is_token.sum(dim=-1)
    start = is_token.shape[-1] - lengths
    return (torch.arange(is_token.shape[-1]) - start).clamp(min=0)


# %% wrong left_padded_places: places-float
# floats
def my_left_padded_places(is_token):
    return torch.clamp(is_token.float().cumsum(-1) - 1, min=0)


# %% wrong left_padded_places: empty-text
# the first True by argmax
def my_left_padded_places(is_token):
    first = is_token.int().argmax(dim=-1, keepdim=True)
    return (torch.arange(is_token.shape[-1]) - first).clamp(min=0)


# %% wrong left_padded_places: batch-mixed
# a counter that is not put back for the next text
def my_left_padded_places(is_token):
    places = torch.zeros(is_token.shape, dtype=torch.long)
    count = 0
    for i in range(is_token.shape[0]):
        for j in range(is_token.shape[1]):
            if is_token[i, j]:
                places[i, j] = count
                count += 1
    return places


# %% wrong left_padded_places: counts-from-1
# a counter that goes up before
def my_left_padded_places(is_token):
    places = torch.zeros(is_token.shape, dtype=torch.long)
    for i in range(is_token.shape[0]):
        count = 0
        for j in range(is_token.shape[1]):
            if is_token[i, j]:
                count += 1
                places[i, j] = count
    return places


# %% wrong left_padded_places: places-of-the-row
# a counter that runs over paddings
def my_left_padded_places(is_token):
    places = torch.zeros(is_token.shape, dtype=torch.long)
    for i in range(is_token.shape[0]):
        count = 0
        for j in range(is_token.shape[1]):
            if is_token[i, j]:
                places[i, j] = count
            count += 1
    return places


# %% wrong left_padded_places: - "For the places, a list came back. `torch.tensor` makes one t"
# a list of lists
def my_left_padded_places(is_token):
    rows = []
    for row in is_token.tolist():
        n = sum(row)
        rows.append([0] * (len(row) - n) + list(range(n)))
    return rows


# %% wrong left_padded_places: moved-to-the-front
# places written at the front of the row
def my_left_padded_places(is_token):
    places = torch.zeros(is_token.shape, dtype=torch.long)
    for i, n in enumerate(is_token.sum(dim=-1).tolist()):
        places[i, :n] = torch.arange(n)
    return places


# %% wrong left_padded_places: empty-text
# a slice with minus n: 0 means all
def my_left_padded_places(is_token):
    places = torch.zeros(is_token.shape, dtype=torch.long)
    for i, n in enumerate(is_token.sum(dim=-1).tolist()):
        places[i, -n:] = torch.arange(n)
    return places


# %% wrong left_padded_places: lens-for-paddings
# takes the length off, not the paddings
def my_left_padded_places(is_token):
    lengths = is_token.sum(dim=-1, keepdim=True)
    return (torch.arange(is_token.shape[-1]) - lengths).clamp(min=0)


# %% wrong left_padded_places: - "`is_token - 1` stops: `is_token` holds True and False, and h"
# subtracts from booleans
def my_left_padded_places(is_token):
    return (is_token - 1).cumsum(-1)


# %% wrong left_padded_places: padding-counted
# takes the inverse mask
def my_left_padded_places(is_token):
    return (torch.cumsum(~is_token, dim=1) - 1).clamp(min=0)


# %% wrong left_padded_places: moved-together
# one row for all
def my_left_padded_places(is_token):
    num_paddings = (~is_token[0]).sum()
    return (torch.arange(is_token.shape[-1]) - num_paddings).clamp(min=0).expand(is_token.shape)


# %% wrong left_padded_places: flipped
# flips
def my_left_padded_places(is_token):
    return (is_token.flip(-1).cumsum(-1) - 1).clamp(min=0)


# %% wrong left_padded_places: - "It ran to its end and gave nothing back: the last line needs"
# prints
def my_left_padded_places(is_token):
    print((is_token.cumsum(-1) - 1).clamp(min=0))


# %% right left_padded_places
def my_left_padded_places(is_token):
    return torch.cumsum(is_token, dim=1) - is_token.long()


# %% right left_padded_places
def my_left_padded_places(is_token):
    places = torch.zeros(is_token.shape, dtype=torch.int64)
    for text, row in enumerate(is_token):
        n = int(row.sum())
        places[text, is_token.shape[1] - n :] = torch.arange(n)
    return places


# %% right left_padded_places
def my_left_padded_places(is_token):
    rows = []
    for row in is_token.tolist():
        n = sum(row)
        rows.append([0] * (len(row) - n) + list(range(n)))
    return torch.tensor(rows, dtype=torch.int32)


# %% wrong rotate: partners-in-halves
# halves with repeat_interleave angles
def my_rotate(x, places, speeds):
    angles = (places[:, None] * speeds).repeat_interleave(2, -1)
    d = x.shape[-1] // 2
    return x * angles.cos() + torch.cat([-x[..., d:], x[..., :d]], -1) * angles.sin()


# %% wrong rotate: - "`x * angles.cos()` stops: (2, 3, 5, 6) meets (30,). Counted "
# repeat for the interleave on axis 0
def my_rotate(x, places, speeds):
    angles = (places[:, None] * speeds).repeat_interleave(2)
    rot = torch.stack([-x[..., 1::2], x[..., ::2]], -1).flatten(-2)
    return x * angles.cos() + rot * angles.sin()


# %% wrong rotate: no-turn
# no minus in the partner
def my_rotate(x, places, speeds):
    angles = (places[:, None] * speeds).repeat_interleave(2, -1)
    rot = torch.stack([x[..., 1::2], x[..., ::2]], -1).flatten(-2)
    return x * angles.cos() + rot * angles.sin()


# %% wrong rotate: angles-turned
# speeds and places mixed up in the outer product
def my_rotate(x, places, speeds):
    angles = torch.outer(speeds, places.float())
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).flatten(-2)


# %% wrong rotate: heads-for-tokens
# takes places over the heads
def my_rotate(x, places, speeds):
    angles = places.view(1, -1, 1, 1) * speeds
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).flatten(-2)


# %% wrong rotate: heads-for-tokens
# places over the texts
def my_rotate(x, places, speeds):
    angles = places.view(-1, 1, 1, 1) * speeds
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).flatten(-2)


# %% wrong rotate: stack-no-dim
# stack without dim
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()]).flatten(-2)


# %% wrong rotate: - "`a * angles.cos()` stops: (2, 3, 5, 2) meets (5, 3). Counted"
# slices of neighbours miscounted: 0:2 and 1:2
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    a, b = x[..., 0:2], x[..., 1:2]
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).flatten(-2)


# %% wrong rotate: firsts-twice
# both from 0::2
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    a, b = x[..., 0::2], x[..., 0::2]
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).flatten(-2)


# %% wrong rotate: - "In your turned x, all is right but for places that hold 0 an"
# writes only half of the pairs: steps of 2 in the range as well
def my_rotate(x, places, speeds):
    out = torch.zeros_like(x)
    angles = places[:, None] * speeds
    for i in range(0, len(speeds), 2):
        a, b = x[..., 2 * i], x[..., 2 * i + 1]
        out[..., 2 * i] = a * angles[:, i].cos() - b * angles[:, i].sin()
        out[..., 2 * i + 1] = a * angles[:, i].sin() + b * angles[:, i].cos()
    return out


# %% wrong rotate: angles-divided
# angle divided by head_dim
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds / x.shape[-1]
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).flatten(-2)


# %% wrong rotate: angles-cut
# whole numbers: the angles are cut
def my_rotate(x, places, speeds):
    angles = torch.zeros(len(places), len(speeds), dtype=torch.long)
    for i, p in enumerate(places):
        for j, s in enumerate(speeds):
            angles[i, j] = p * s
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * angles.cos() - b * angles.sin(), a * angles.sin() + b * angles.cos()], -1).flatten(-2)


# %% wrong rotate: turned-back
# view_as_complex of a slice
def my_rotate(x, places, speeds):
    z = torch.complex(x[..., 0::2], x[..., 1::2])
    angles = places[:, None] * speeds
    z = z * torch.polar(torch.ones_like(angles), -angles)
    return torch.stack([z.real, z.imag], dim=-1).flatten(-2)


# %% wrong rotate: - "`x[t, 2 * i + 1]` stops: axis 1 of (2, 3, 5, 6) has 3 places"
# forgets two axes in the loop
def my_rotate(x, places, speeds):
    out = torch.zeros_like(x)
    for t in range(len(places)):
        for i in range(len(speeds)):
            angle = places[t] * speeds[i]
            a, b = x[t, 2 * i], x[t, 2 * i + 1]
            out[t, 2 * i] = a * angle.cos() - b * angle.sin()
            out[t, 2 * i + 1] = a * angle.sin() + b * angle.cos()
    return out


# %% wrong rotate: first-text-only
# batch and head 0 only
def my_rotate(x, places, speeds):
    out = x.clone()
    for t in range(len(places)):
        for i in range(len(speeds)):
            angle = places[t] * speeds[i]
            a, b = x[0, :, t, 2 * i], x[0, :, t, 2 * i + 1]
            out[0, :, t, 2 * i] = a * angle.cos() - b * angle.sin()
            out[0, :, t, 2 * i + 1] = a * angle.sin() + b * angle.cos()
    return out


# %% wrong rotate: already-turned
# a = cos * a; then uses a
def my_rotate(x, places, speeds):
    angles = places[:, None] * speeds
    a, b = x[..., 0::2], x[..., 1::2]
    a = a * angles.cos() - b * angles.sin()
    b = a * angles.sin() + b * angles.cos()
    return torch.stack((a, b), dim=-1).reshape(x.shape)


# %% wrong alibi: from-the-start
# forgets the places of the query: keys only, counted from 1
def my_alibi(attn_scores, slopes):
    penalty = slopes[:, None] * torch.arange(attn_scores.shape[-1])
    return attn_scores - penalty[None, :, None, :]


# %% wrong alibi: outer
# distance has two axes too few
def my_alibi(attn_scores, slopes):
    n = attn_scores.shape[-1]
    distance = torch.tensor([[abs(i - j) for j in range(n)] for i in range(n)])
    return attn_scores - torch.outer(slopes, distance)


# %% wrong alibi: heads-from-batch
# the number of texts for the number of heads
def my_alibi(attn_scores, slopes):
    i = torch.arange(attn_scores.shape[-1])
    out = attn_scores.clone()
    for h in range(attn_scores.shape[0]):
        out[:, h] = attn_scores[:, h] - slopes[h] * (i.view(-1, 1) - i.view(1, -1)).abs()
    return out


# %% wrong alibi: one-slope
# all heads in each: the scores go down again and again
def my_alibi(attn_scores, slopes):
    i = torch.arange(attn_scores.shape[-1])
    out = attn_scores
    for h in range(len(slopes)):
        out = out - slopes[h] * (i[:, None] - i).abs()
    return out


# %% wrong alibi: multiplied
# slopes times scores
def my_alibi(attn_scores, slopes):
    i = torch.arange(attn_scores.shape[-1])
    return slopes[:, None, None] * (attn_scores - (i[:, None] - i).abs())


# %% wrong alibi: one-step
# only the sign
def my_alibi(attn_scores, slopes):
    i = torch.arange(attn_scores.shape[-1])
    return attn_scores - slopes[:, None, None] * (i[:, None] - i).sign().abs()


# %% wrong alibi: power
# exponential slopes
def my_alibi(attn_scores, slopes):
    i = torch.arange(attn_scores.shape[-1])
    return attn_scores - 2 ** (-slopes[:, None, None]) * (i[:, None] - i).abs()


# %% wrong alibi: places-of-heads
# places of a wrong axis, the query's places as float
def my_alibi(attn_scores, slopes):
    batch, num_tokens, num_heads, _ = attn_scores.shape
    i = torch.arange(num_tokens)
    return attn_scores - slopes[:, None, None] * (i[:, None] - i).abs()


# %% wrong alibi: weights-returned
# causal softmax with the mask
def my_alibi(attn_scores, slopes):
    n = attn_scores.shape[-1]
    i = torch.arange(n)
    scores = attn_scores - slopes[:, None, None] * (i[:, None] - i).abs()
    return torch.softmax(scores.masked_fill(~torch.ones(n, n).tril().bool(), -torch.inf), -1)


# %% wrong alibi: mask-unasked
# a penalty for what comes later only by 0
def my_alibi(attn_scores, slopes):
    n = attn_scores.shape[-1]
    i = torch.arange(n)
    return (attn_scores - slopes[:, None, None] * (i[:, None] - i)).tril()


# %% wrong half_split: columns-moved
# pairs of columns in the last axis
def my_half_split(weight, num_heads):
    d_out, d_in = weight.shape
    return weight.view(d_out, num_heads, -1, 2).transpose(-2, -1).reshape(d_out, d_in)


# %% wrong half_split: halves-swapped
# flips the halves
def my_half_split(weight, num_heads):
    heads = weight.chunk(num_heads)
    out = []
    for h in heads:
        half = len(h) // 2
        out.append(torch.cat([h[half:], h[:half]]))
    return torch.cat(out)


# %% wrong half_split: backwards
# takes (i, i + half) and puts them next to each other
def my_half_split(weight, num_heads):
    out = []
    for h in weight.chunk(num_heads):
        half = len(h) // 2
        for i in range(half):
            out += [h[i], h[i + half]]
    return torch.stack(out)


# %% wrong half_split: list-returned
# lists of rows
def my_half_split(weight, num_heads):
    rows = []
    for h in weight.chunk(num_heads):
        rows += list(h[::2]) + list(h[1::2])
    return rows


# %% wrong half_split: backwards
# scatter: new[index] = weight
def my_half_split(weight, num_heads):
    index = torch.arange(len(weight)).view(num_heads, -1, 2).transpose(1, 2).reshape(-1)
    new = torch.empty_like(weight)
    new[index] = weight
    return new


# %% wrong half_split: - "`weight.view(num_heads, d_out // num_heads, 2, d_in)` stops:"
# head_dim // 2 forgotten
def my_half_split(weight, num_heads):
    d_out, d_in = weight.shape
    return weight.view(num_heads, d_out // num_heads, 2, d_in).transpose(1, 2).reshape(d_out, d_in)


# %% wrong half_split: first-head-only
# one head in the end
def my_half_split(weight, num_heads):
    d_out, d_in = weight.shape
    head_dim = d_out // num_heads
    for head in range(num_heads):
        block = weight[head * head_dim : (head + 1) * head_dim]
        new = torch.cat([block[::2], block[1::2]])
    return new


# %% wrong half_split: first-head-only
# returns in the loop
def my_half_split(weight, num_heads):
    d_out, d_in = weight.shape
    head_dim = d_out // num_heads
    new = weight.clone()
    for head in range(num_heads):
        block = weight[head * head_dim : (head + 1) * head_dim]
        new[head * head_dim : (head + 1) * head_dim] = torch.cat([block[::2], block[1::2]])
        return new


# %% wrong half_split: axes-left
# stack for cat
def my_half_split(weight, num_heads):
    return torch.stack([torch.cat([h[::2], h[1::2]]) for h in weight.chunk(num_heads)])


# %% wrong half_split: axes-swapped
# weight has no batch: unpacks wrongly
def my_half_split(weight, num_heads):
    d_in, d_out = weight.shape
    return weight.view(num_heads, d_out // num_heads // 2, 2, d_in).transpose(1, 2).reshape(d_in, d_out)


# %% wrong half_split: - "In your weight, the right numbers are all there, in the wron"
# treats it as heads of activations
def my_half_split(weight, num_heads):
    heads = attention.split_heads(weight, num_heads)
    return torch.cat([heads[..., ::2], heads[..., 1::2]], -1)


# %% wrong half_split: heads-dealt-out
# step of num_heads
def my_half_split(weight, num_heads):
    return torch.cat([weight[h::num_heads] for h in range(num_heads)])


# %% wrong left_padded_places: clamped-from-above
# clamp the wrong side
def my_left_padded_places(is_token):
    return (is_token.cumsum(-1) - 1).clamp(max=0)


# %% wrong left_padded_places: padding-negative
# subtract first place per row: min over where
def my_left_padded_places(is_token):
    start = (~is_token).sum(-1)
    return torch.arange(is_token.shape[1]) - start[:, None]


# %% wrong left_padded_places: moved-to-the-front
# pads behind
def my_left_padded_places(is_token):
    return torch.nn.utils.rnn.pad_sequence([torch.arange(n) for n in is_token.sum(-1).tolist()], batch_first=True)


# %% wrong left_padded_places: texts-joined
# nonzero gives columns
def my_left_padded_places(is_token):
    return is_token.nonzero()[:, 1]


# %% wrong left_padded_places: counted-backwards
# counts paddings behind the last
def my_left_padded_places(is_token):
    n = is_token.shape[-1]
    return (n - 1 - torch.arange(n)) * is_token


# %% wrong left_padded_places: - "`max(is_token.cumsum(-1) - 1, 0)` stops: Python's `max` comp"
# max with Python
def my_left_padded_places(is_token):
    return max(is_token.cumsum(-1) - 1, 0)


# %% wrong left_padded_places: texts-joined
# a loop with append, one row
def my_left_padded_places(is_token):
    places = []
    for row in is_token:
        count = -1
        for one in row:
            count += int(one)
            places.append(max(count, 0))
    return torch.tensor(places)


# %% wrong left_padded_places: places-bool
# begins one column late
def my_left_padded_places(is_token):
    places = torch.zeros_like(is_token)
    places[:, 1:] = is_token[:, :-1].cumsum(-1)
    return places


# %% wrong left_padded_places: places-bool
# zeros_like of a bool holds True and False
def my_left_padded_places(is_token):
    places = torch.zeros_like(is_token)
    for i, row in enumerate(is_token):
        n = int(row.sum())
        places[i, len(row) - n :] = torch.arange(n)
    return places


# %% wrong left_padded_places: lens-from-longest
# the longest text decides
def my_left_padded_places(is_token):
    longest = is_token.sum(-1).max()
    places = torch.zeros(is_token.shape, dtype=torch.long)
    for i, row in enumerate(is_token):
        n = int(row.sum())
        places[i, longest - n :] = torch.arange(n)
    return places


# %% right left_padded_places
# the place is right, whichever number the first column would have
def my_left_padded_places(is_token):
    places = torch.zeros_like(is_token, dtype=torch.long)
    places[:, 1:] = is_token[:, :-1].cumsum(-1)
    return places
