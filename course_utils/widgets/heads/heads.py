"""HeadsView, a view of many attention heads, and StepScrubber, the same over the stored steps of a training."""

import numpy as np
import traitlets as t

from course_utils import inputs, theme
from course_utils.inputs import as_weights
from course_utils.language import say
from course_utils.widgets.arcs.head_numbers import WithNumbers
from course_utils.widgets.maps.heads_picture import heads_picture
from course_utils.widgets.shared.head_weights import check_weights, entropies, pack
from course_utils.widgets.shared.view import in_range

AXES = {"layer": "{number} layers", "sample": "{number} samples", "step": "{number} steps"}


def counted(axis, number):
    """Return a number of things in words, such as "6 layers". axis: in the singular; those in AXES are translated."""
    return say(AXES[axis], number=number) if axis in AXES else f"{number} {axis}s"


class HeadsView(WithNumbers):
    """A view of attention heads, whose reader chooses layer, head and query by mouse or keyboard.

    attn_weights: (num_heads, num_queries, num_keys), or with one more axis in front, which `axis` names ("layer",
    "sample" or "step"); or the tuple of layers that a model of Hugging Face's transformers returns. tokens: one label
    per query. key_tokens: one label per key (default: tokens).
    compare: the weights of a second run, of the same shape, to be shown beside the first or as a difference; or None.
    group: a str, or None; what is chosen in one view is then chosen in all views of the same group in the page.
    numbers: from what the weights were computed, or None; the reader then opens a weight, step by step, down to them:
    a data.HeadNumbers for the only head, a dict from (layer, head) to it, or a function (layer, head) that returns it
    and is called when the reader opens a weight of that head; with compare, a list of two of them in its place. An
    exported page stores the numbers of the heads of the dict, or of the chosen head: 60 kB for 15 tokens of MiniLM.
    state: any other trait, such as layer, head and query, the indices chosen at first (default 0).
    Rows need not sum to 1, and nan is drawn grey; the view says so in both cases.
    Errors: ValueError if shapes and labels do not fit together, and for weights below 0.
    """

    script = "heads.js"

    shape = t.List(t.Int()).tag(sync=True)
    tokens = t.List(t.Unicode()).tag(sync=True)
    key_tokens = t.List(t.Unicode()).tag(sync=True)
    axis = t.Unicode().tag(sync=True)
    positions = t.List(t.Unicode()).tag(sync=True)
    weights = t.Bytes().tag(sync=True)
    other = t.Bytes().tag(sync=True)
    high = t.Float().tag(sync=True)
    spread = t.Float().tag(sync=True)
    palette = t.Bytes().tag(sync=True)
    diverging = t.Bytes().tag(sync=True)
    layer = t.Int(0).tag(sync=True)
    head = t.Int(0).tag(sync=True)
    query = t.Int(0).tag(sync=True)
    group = t.Unicode().tag(sync=True)

    def __init__(
        self, attn_weights, tokens, key_tokens=None, *, axis="layer", compare=None, group=None, numbers=None, **state
    ):
        weights = as_weights(attn_weights)
        tokens = inputs.labels(tokens)
        key_tokens = tokens if key_tokens is None else inputs.labels(key_tokens, "key_tokens")
        array = check_weights(weights, tokens, key_tokens)
        second = None if compare is None else as_weights(compare, "compare")
        if second is not None:
            if second.shape != weights.shape:
                raise ValueError(f"compare needs the shape of attn_weights, {weights.shape}, got {second.shape}.")
            inputs.check_shares(second, "compare", rows=tokens)
            second = second.reshape(array.shape)
        high = max(_largest(array), 0.0 if second is None else _largest(second)) or 1.0
        self._array, self._second = array, second
        super().__init__(
            shape=list(array.shape), tokens=tokens, key_tokens=key_tokens, axis=axis, high=high, group=group or "",
            positions=state.pop("positions", [str(i) for i in range(len(array))]), weights=pack(array, high),
            other=b"" if second is None else pack(second, high),
            spread=1.0 if second is None else _largest_difference(second, array) or 1.0,
            palette=theme.table(theme.WEIGHTS_MAP), diverging=theme.table(theme.SIGNED_MAP), **state,
        )  # fmt: skip
        self._take(numbers, [array] if second is None else [array, second])

    @t.validate("layer", "head", "query")
    def _in_range(self, proposal):
        return in_range(proposal, self._count(proposal.trait.name) if self.shape else 1)

    def _count(self, name):
        return self.shape[("layer", "head", "query").index(name)]

    def picture(self):
        title, one = self._title(self.layer), self._array[self.layer, self.head]
        if self._second is not None:
            large = {
                say("{title}: {mode}", title=title, mode=say("first")): one,
                say("{title}: {mode}", title=title, mode=say("second")): self._second[self.layer, self.head],
            }
            return heads_picture({}, large, self.high, self.tokens, self.key_tokens, self.query)
        small = {say("head {head}", head=head): matrix for head, matrix in enumerate(self._array[self.layer])}
        return heads_picture(small, {title: one}, self.high, self.tokens, self.key_tokens, self.query)

    def _title(self, layer):
        layers, heads, *_ = self.shape
        place = [say("{axis} {number}", axis=say(self.axis), number=self.positions[layer])] if layers > 1 else []
        place += [say("head {head}", head=self.head)] if heads > 1 else []
        return say(", ").join(place) or say("attention")

    def __repr__(self):
        layers, heads, queries, keys = self.shape
        over = f"{counted(self.axis, layers)} x " if layers > 1 else ""
        size = say("{heads} heads, {queries} queries x {keys} keys", heads=heads, queries=queries, keys=keys)
        return f"{type(self).__name__}: {over}{size}; {self._summary()}"

    def _summary(self):
        numbers = " ".join(f"{value:.2f}" for value in entropies(self._array[self.layer]))
        if self.shape[0] == 1:
            return say("entropy per head: {numbers}", numbers=numbers)
        where = say("{axis} {number}", axis=say(self.axis), number=self.positions[self.layer])
        return say("entropy per head in {where}: {numbers}", where=where, numbers=numbers)


class StepScrubber(HeadsView):
    """A HeadsView over the stored steps of a training, with a slider for the step, and curves above the heads.

    attn_weights: (num_steps, num_heads, num_queries, num_keys), or (num_steps, num_queries, num_keys) for one head.
    tokens, key_tokens: as in HeadsView. steps: the number of each stored step (default: 0, 1, 2 and so on).
    curves: dict from a name to one number for each stored step, nan for none. state: any other parameter of HeadsView.
    The view's repr contains no weights, because those of a training differ between machines.
    Errors: ValueError if shapes, labels, steps and curves do not fit together.
    """

    script = "steps.js"

    curves = t.Dict().tag(sync=True)

    def __init__(self, attn_weights, tokens, key_tokens=None, *, steps=None, curves=None, **state):
        weights = as_weights(attn_weights)
        weights = weights[:, None] if weights.ndim == 3 else weights
        steps = range(len(weights)) if steps is None else steps
        curves = {
            str(name): [float(value) if np.isfinite(value) else None for value in values]  # JSON has no nan
            for name, values in (curves or {}).items()
        }
        for name, values in {"steps": steps, **curves}.items():
            if len(values) != len(weights):
                raise ValueError(f"{name} needs one number for each of the {len(weights)} steps, got {len(values)}.")
        positions = [str(step) for step in steps]
        super().__init__(weights, tokens, key_tokens, axis="step", positions=positions, curves=curves, **state)

    def picture(self):
        chosen = np.linspace(0, len(self._array) - 1, min(4, len(self._array))).round().astype(int)
        titles = [say("{axis} {number}", axis=say("step"), number=self.positions[i]) for i in chosen]
        small = dict(zip(titles, self._array[chosen, self.head], strict=True))
        large = {self._title(-1): self._array[-1, self.head]}
        return heads_picture(small, large, self.high, self.tokens, self.key_tokens, self.query)

    def _summary(self):
        return say("from step {first} to step {last}", first=self.positions[0], last=self.positions[-1])


@np.errstate(invalid="ignore")
def _largest_difference(one, other):
    return _largest(np.abs(one - other))


def _largest(array):
    return float(np.max(array, initial=0.0, where=np.isfinite(array)))
