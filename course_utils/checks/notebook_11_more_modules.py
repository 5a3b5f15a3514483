"""Further half-repairs of notebook 11, cases 8 to 10: modules made, copied and compared."""

import copy

import torch

from .. import attention
from .notebook_11_compare import close, same_outputs
from .notebook_11_copy import NAMES, adopt, adopting, copied_in_order
from .notebook_11_width import any_width, head_by, over_root_of

# ---- any_width


any_width.wrong_steps({
    "tokens-fixed-axis": (
        "Halfway: `x.shape[1]` counts the tokens of a batch, and the features of one text. Count from the end: "
        "`x.shape[-2]`.",
        "mask", lambda x: attention.causal_mask(x.shape[1]),
    ),
})  # fmt: skip


@any_width.mistake(
    "super-forgotten", "`super().__init__()` is missing: it must run before the first layer is put on `self`."
)
class NoSuper(torch.nn.Module):
    def __init__(self, d_in, d_out):
        self.W_query = torch.nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        return x, x


@any_width.mistake(
    "self-not-set",
    "`self.d_out` is read in `forward` and was never set. Put `self.d_out = d_out` into `__init__`, or read the width "
    "off the queries.",
)
class MyAnyWidth(head_by()):
    def __init__(self, d_in, d_out):
        super().__init__(d_in, d_out)
        del self.d_out

    def forward(self, x):
        return over_root_of(lambda self, x: self.d_out)(self, x)


# ---- adopt


@adopt.mistake(
    "names-differ",
    "The two classes name their parts differently, so `load_state_dict` does not find them: PyTorch keeps three "
    "matrices in one `in_proj_weight`. Cut it with `chunk(3)`, and copy each third.",
)
def _(ours, theirs):
    ours.load_state_dict(theirs.state_dict())


@adopt.mistake(
    "names-differ",
    "`strict=False` passes over every name that does not fit: only `out_proj` has been copied. Cut `in_proj_weight` "
    "and `in_proj_bias` with `chunk(3)`, and copy each third.",
)
def _(ours, theirs):
    ours.load_state_dict(theirs.state_dict(), strict=False)


@adopt.mistake(
    "chunk-axis",
    "You cut the stacked weight across its columns. It is `(3 * width, width)`: cut its rows, `chunk(3, dim=0)`.",
)
def _(ours, theirs):
    adopting(weight=copied_in_order(cut=lambda stacked: stacked.chunk(3, dim=-1)))(ours, theirs)


for order in ([2, 0, 1], [1, 2, 0], [2, 1, 0], [0, 2, 1]):
    _names = [NAMES[i] for i in order]
    adopt.mistake(
        "order-turned",
        "The thirds have landed in the wrong layers, weights and biases alike. From the top: queries, keys, values.",
    )(adopting(copied_in_order(_names), copied_in_order(_names, "bias")))


# ---- same_outputs


def judged(judge):
    """An answer that asks judge about copies in eval mode."""
    return lambda ours, theirs, inputs: judge(*(copy.deepcopy(one).eval()(inputs) for one in (ours, theirs)))


def asserted(ours, theirs):
    torch.testing.assert_close(ours[0], theirs[0], rtol=1e-4, atol=1e-5)
    return True


same_outputs.mistake(
    "assertion-raised",
    "Where the modules differ, your code stops: `assert` and `assert_close` raise an error. False is asked for: "
    "`return torch.allclose(…)`.",
)(judged(asserted))


@same_outputs.mistake(
    "copies-shallow",
    "`copy.copy` copies the module and shares its parts: `.eval()` reaches them, and they stay so. Take "
    "`copy.deepcopy`, or put back what `training` was.",
)
def _(ours, theirs, inputs):
    return close(*(copy.copy(one).eval()(inputs)[0] for one in (ours, theirs)))


@same_outputs.mistake(
    "one-put-back", "Halfway: only the first module gets its modes back. The second is left in eval mode."
)
def _(ours, theirs, inputs):
    modes = [part.training for part in ours.modules()]
    verdict = close(ours.eval()(inputs)[0], theirs.eval()(inputs)[0])
    for part, training in zip(ours.modules(), modes, strict=True):
        part.training = training
    return verdict
