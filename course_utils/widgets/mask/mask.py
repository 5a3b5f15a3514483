"""MaskPainter: a mask editor that shows the attention weights under the mask."""

import numpy as np
import torch
import traitlets as t

from course_utils import inputs, theme
from course_utils.inputs import as_floats
from course_utils.language import say
from course_utils.widgets.maps.heads_picture import heads_picture
from course_utils.widgets.shared.view import View


class MaskPainter(View):
    """A mask editor that shows the softmax of the scores under the mask while the reader opens and closes its cells.

    A cell is switched with a click, or with the arrow keys and the space bar.
    attn_scores: (num_tokens, num_tokens). tokens: one label per token. mask: bool, (num_tokens, num_tokens),
    True = may attend (default: causal). `painter.mask` is the present mask, and can be set.
    A row in which every cell is closed has weights 0, and is marked.
    Errors: ValueError for shapes that do not fit, scores that are nan or inf, and a mask that is not bool.
    """

    script = "mask.js"

    tokens = t.List(t.Unicode()).tag(sync=True)
    scores = t.Bytes().tag(sync=True)
    cells = t.List(t.List(t.Bool())).tag(sync=True)  # the mask
    palette = t.Bytes().tag(sync=True)

    def __init__(self, attn_scores, tokens, mask=None):
        tokens, scores = inputs.labels(tokens), as_floats(attn_scores, "attn_scores")
        size = len(tokens)
        if scores.shape != (size, size) or not size:
            raise ValueError(
                f"attn_scores need shape (num_tokens, num_tokens), one label a token; got shape {scores.shape} and "
                f"{size} tokens."
            )
        if np.isnan(scores).any() or (scores == np.inf).any():
            raise ValueError("attn_scores must be numbers or -inf, but some are nan or inf.")
        causal = torch.ones(size, size).tril().bool()
        self._scores = torch.from_numpy(scores)
        super().__init__(
            tokens=tokens,
            scores=scores.astype("<f4").tobytes(),
            cells=self._checked(causal if mask is None else mask),
            palette=theme.table(theme.WEIGHTS_MAP),
        )

    @property
    def mask(self):
        """Return the present mask: a bool tensor (num_tokens, num_tokens), True = may attend."""
        return torch.tensor(self.cells)

    @mask.setter
    def mask(self, mask):
        self.cells = self._checked(mask)

    def _checked(self, mask):
        dtype, shape = getattr(mask, "dtype", type(mask).__name__), tuple(getattr(mask, "shape", ()))
        if dtype not in (torch.bool, np.bool_):
            raise ValueError(f"mask must be a bool tensor with True = may attend, got {dtype}: try mask == 1.")
        if shape != tuple(self._scores.shape):
            raise ValueError(f"mask needs the shape of attn_scores, {tuple(self._scores.shape)}, got {shape}.")
        return mask.tolist()

    def _weights(self):
        """Return the weights under the present mask, (num_tokens, num_tokens); a row with nothing open has zeros."""
        masked = self._scores.masked_fill(~self.mask, -torch.inf)
        return masked.softmax(-1).masked_fill((masked == -torch.inf).all(-1, keepdim=True), 0.0)

    def picture(self):
        weights = self._weights().float().numpy()
        large = {say("may attend"): self.mask.numpy(), say("attention"): weights}
        return heads_picture({}, large, 1.0, self.tokens, self.tokens)

    def __repr__(self):
        size, empty = len(self.tokens), (self._weights().sum(-1) == 0).tolist()
        nothing = ", ".join(token for token, is_empty in zip(self.tokens, empty, strict=True) if is_empty)
        template = "{size} queries x {size} keys, {share} of the cells open; rows with nothing open: {nothing}"
        share = f"{self.mask.float().mean():.2f}"
        return f"MaskPainter: {say(template, size=size, share=share, nothing=nothing or say('none'))}"
