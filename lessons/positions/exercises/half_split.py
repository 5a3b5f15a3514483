"""`my_half_split(weight, num_heads)`: rows paired as neighbours, put in the order that pairs the halves of a head."""

from course_utils.checks.exercise import Exercise
from course_utils.lessons.arguments import TRAINABLE


def half_split_solution(weight, num_heads):
    d_out, d_in = weight.shape
    pairs = weight.view(num_heads, d_out // num_heads // 2, 2, d_in)  # two rows in each pair
    return pairs.transpose(1, 2).reshape(d_out, d_in)  # a head's first rows, then its second


def cases(draw):
    yield "2 heads 6 wide, 8 inputs", draw(12, 8), 2
    yield "3 heads 8 wide, 6 inputs", draw(24, 6), 3
    yield "as many heads as pairs in each", draw(18, 12), 3
    yield "as many inputs as rows", draw(12, 12), 2
    yield "one head", draw(8, 6), 1
    yield "heads 2 wide, in which nothing moves", draw(6, 12), 3


MISTAKES = """
backwards: You went from halves to neighbours. First come all even rows of a head, 0, 2, 4 …, then the others.
    d_out // num_heads // 2, 2, d_in) -> 2, d_out // num_heads // 2, d_in)
heads-ignored: All heads are reordered as one. Each keeps its rows together: cut the heads first, `view(num_heads, …)`.
    num_heads, d_out // num_heads // 2, 2 -> 1, d_out // 2, 2
backwards: You went from halves to neighbours, over all rows. Cut the heads first, each as `(head_dim / 2, 2)`.
    num_heads, d_out // num_heads // 2, 2, d_in) -> 1, 2, d_out // 2, d_in)
columns-moved: You reorder columns. A column is an input; the numbers of a query come from the rows, the first axis.
    pairs = weight.view(…) -> pairs = weight.view(d_out, num_heads, d_in // num_heads // 2, 2)
    pairs.transpose(1, 2) -> pairs.transpose(2, 3)
    or
    return pairs.transpose(1, 2).reshape(d_out, d_in) ->
        order = torch.arange(d_out).view(num_heads, -1, 2).transpose(1, 2).flatten() ⏎ return weight[:, order]
sizes-swapped: You have as many heads as one has rows or pairs: `view(num_heads, head_dim / 2, 2, d_in)`.
    num_heads, d_out // num_heads // 2, 2, d_in) -> d_out // num_heads, -1, 2, d_in)
sizes-swapped: Your heads are `num_heads` rows high. A head has `head_dim` rows, `d_out // num_heads`.
    return pairs.transpose(1, 2).reshape(d_out, d_in) ->
        return torch.cat([torch.cat([head[0::2], head[1::2]]) for head in weight.split(num_heads)])
neighbours-swapped: The rows of each pair are swapped. Put all first rows before all second ones.
    return pairs.transpose(1, 2).reshape(d_out, d_in) -> return pairs.flip(2).reshape(d_out, d_in)
heads-dealt-out: Head 0 has every so many rows. A head takes neighbours: cut as `(num_heads, …)`.
    num_heads, d_out // num_heads // 2, 2, d_in) -> d_out // num_heads, num_heads, d_in)
    pairs.transpose(1, 2) -> pairs.transpose(0, 1)
    or
    num_heads, d_out // num_heads // 2, 2, d_in) -> -1, 2, num_heads, d_in)
    pairs.transpose(1, 2) -> pairs.transpose(0, 1)
axes-swapped: Rows and columns are swapped. A weight is `(d_out, d_in)`: a row for each number of a query.
    d_out, d_in = weight.shape -> d_in, d_out = weight.shape
    reshape(d_out, d_in) -> reshape(d_in, d_out)
pair-swapped: The second row of each pair comes before the first: rows 0, 2, 4 … come first.
    pairs.transpose(1, 2) -> pairs.flip(2).transpose(1, 2)
not-contiguous: After `transpose`, `view` refuses. Use `reshape`, or `.contiguous()` right before `view`.
    .reshape( -> .view(
first-head-only: Only the first head's rows are reordered. Each head needs the same: look at where yours begins.
    return pairs.transpose(1, 2).reshape(d_out, d_in) ->
        changed = pairs.transpose(1, 2).reshape(d_out, d_in)[: d_out // num_heads] ⏎
        return torch.cat([changed, weight[d_out // num_heads :]])
shared-heads: All heads have the rows of one. Each keeps its own: head *i* begins at row `i * head_dim`.
    pairs.transpose(1, 2) -> pairs.transpose(1, 2)[:1].expand(num_heads, -1, -1, -1)
    or
    pairs.transpose(1, 2) -> pairs.transpose(1, 2)[-1:].expand(num_heads, -1, -1, -1)
slice-bounds: Your heads overlap. Head *i* begins at row `i * head_dim`.
    return pairs.transpose(1, 2).reshape(d_out, d_in) ->
        half = d_out // num_heads // 2 ⏎
        order = torch.cat([torch.arange(0, 2 * half, 2), torch.arange(1, 2 * half, 2)]) ⏎
        return torch.cat([weight[head * num_heads + order] for head in range(num_heads)])
halves-swapped: The halves of each head are swapped. Take every second row: 0, 2, 4 …, then the others.
    return pairs.transpose(1, 2).reshape(…) -> return weight.view(num_heads, 2, -1, d_in).flip(1).reshape(d_out, d_in)
order-returned: You return which row goes where, and not the rows: `weight[order]`.
    return pairs.transpose(1, 2).reshape(d_out, d_in) ->
        order = torch.arange(d_out).view(num_heads, d_out // num_heads // 2, 2) ⏎
        return order.transpose(1, 2).flatten()
sign-added: Rows have changed their sign. Only their order changes: the rotation is not yours here.
    pairs.transpose(1, 2) -> torch.stack([-pairs[:, :, 1], pairs[:, :, 0]], dim=1)
    or
    return pairs.transpose(1, 2).reshape(d_out, d_in) -> halves = weight.view(num_heads, 2, -1, d_in)
        ⏎ return torch.stack([-halves[:, 1], halves[:, 0]], dim=1).reshape(d_out, d_in)
head-size-typed: The size of a head is typed in. Heads have other sizes too: read it off, `d_out // num_heads`.
    return pairs.transpose(1, 2).reshape(d_out, d_in) ->
        heads = weight.view(num_heads, 8, -1) ⏎ return heads[:, [0, 2, 4, 6, 1, 3, 5, 7]].reshape(d_out, d_in)
firsts-twice: One row of each pair comes back twice, and the other is gone. First ones are `0::2`, second ones `1::2`.
    pairs.transpose(1, 2) -> pairs.transpose(1, 2)[:, :1].expand(-1, 2, -1, -1)
seconds-in-halves: The second rows of the pairs come from the second half of the head. They are `1::2`.
    return pairs.transpose(1, 2).reshape(d_out, d_in) -> heads = weight.view(num_heads, -1, d_in)
        ⏎ rows = torch.cat([heads[:, 0::2], heads[:, heads.shape[1] // 2 :]], dim=1) ⏎ return rows.reshape(d_out, d_in)
cat-side-by-side: First and second rows stand side by side. They belong one below the other: join them along the rows.
    pairs.transpose(1, 2).reshape(d_out, d_in) -> pairs.reshape(d_out // 2, 2 * d_in)
read-after-writing: You read rows that you have written already. Read from `weight`, and write into a tensor of its own.
    return pairs.transpose(1, 2).reshape(d_out, d_in) -> rows, half = weight.clone(), d_out // num_heads // 2
        ⏎ for head in range(0, d_out, 2 * half): ⏎     for i in range(half):
        ⏎         rows[head + i] = rows[head + 2 * i].clone()
        ⏎         rows[head + half + i] = rows[head + 2 * i + 1].clone() ⏎ return rows
heads-thinned: You take every second head. Rows of a head are on axis 1 here: `heads[:, 0::2]`.
    return pairs.transpose(1, 2).reshape(d_out, d_in) -> heads = weight.view(num_heads, -1, d_in)
        ⏎ return torch.cat([heads[0::2], heads[1::2]]).view(d_out, d_in)
"""
exercise = Exercise(half_split_solution, cases, MISTAKES, outputs=("weight",), **TRAINABLE)
