"""Rotary positions for a model: queries and keys turn by their places, as positions derives it."""

import torch


class Rotary:
    """Rotary positions with neighbours as pairs: a function (x, places) -> x, as MultiHeadAttention takes it.

    head_dim: the width of a head. base: pair i turns by base ** (-2 * i / head_dim) at each place. num_places: for how
    many places the turns are computed in advance. Used in a_language_model.
    """

    def __init__(self, head_dim, base, num_places):
        speeds = 1.0 / base ** (torch.arange(0, head_dim, 2, device="cpu") / head_dim)  # (num_pairs,)
        angles = torch.arange(num_places, device="cpu")[:, None] * speeds
        self.turns = torch.polar(torch.ones_like(angles), angles)  # (num_places, num_pairs), complex

    def __call__(self, x, places):
        """Turn each pair of numbers of x by its token's place times the pair's speed, in radians; return a new tensor.

        x: queries or keys (..., num_tokens, head_dim). places: whole numbers (num_tokens,).
        """
        # A pair as one complex number is turned by one product: half as many steps as with sines and cosines.
        pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())  # (..., num_tokens, num_pairs)
        return torch.view_as_real(pairs * self.turns[places]).flatten(-2)
