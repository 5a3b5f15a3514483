"""`my_rotate(x, places, speeds)`: pairs of neighbouring numbers are arrows, turned by place times speed."""

import torch

from course_utils.checks.exercise import Exercise
from course_utils.checks.form import Form

from .first_gradient import gradient_flows_to_the_first
from .turned_otherwise import BY_COMPLEX, BY_ROTATED_PAIRS
from .turns import BY_HAND


def rotate_solution(x, places, speeds):
    angles = places[:, None] * speeds  # (num_tokens, head_dim / 2)
    first, second = x[..., 0::2], x[..., 1::2]  # (..., num_tokens, head_dim / 2) each
    turned_first = first * angles.cos() - second * angles.sin()
    turned_second = first * angles.sin() + second * angles.cos()
    return torch.stack([turned_first, turned_second], dim=-1).flatten(-2)  # as x


def by_rotated_pairs(x, places, speeds):
    angles = (places[:, None] * speeds).repeat_interleave(2, dim=-1)  # (num_tokens, head_dim)
    across = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).flatten(-2)
    return x * angles.cos() + across * angles.sin()


def by_complex(x, places, speeds):
    angles = places[:, None] * speeds
    turns = torch.polar(torch.ones_like(angles), angles)
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    return torch.view_as_real(pairs * turns).flatten(-2)


def cases(draw):
    speeds = torch.tensor([1.0, 0.1, 0.01])
    yield "2 texts, 3 heads 6 wide, 5 tokens", draw(2, 3, 5, 6), torch.arange(5), speeds
    yield "a text that begins at position 100", draw(1, 2, 4, 6), torch.arange(100, 104), speeds
    yield "positions 3, 0, 7, 8, 20", draw(2, 2, 5, 4), torch.tensor([3, 0, 7, 8, 20]), torch.tensor([0.9, 0.3])
    yield "as many heads as tokens, and pairs", draw(2, 3, 3, 6), torch.arange(2, 5), torch.tensor([1.0, 0.3, 0.2])
    yield "as many texts as tokens", draw(4, 3, 4, 4), torch.arange(4), torch.tensor([2.5, 0.4])
    yield "a single pair", draw(2, 2, 11, 2), torch.arange(11), torch.tensor([0.7])
    yield "one new token, at position 12", draw(1, 2, 1, 8), torch.tensor([12]), torch.tensor([1.0, 0.5, 0.2, 0.1])


FORMS = (Form(__name__, "by_rotated_pairs", BY_ROTATED_PAIRS), Form(__name__, "by_complex", BY_COMPLEX))
HINTS = (gradient_flows_to_the_first,)
exercise = Exercise(rotate_solution, cases, BY_HAND, also=FORMS, outputs=("turned_x",), hints=HINTS)
