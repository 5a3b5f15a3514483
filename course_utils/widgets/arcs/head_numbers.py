"""The base class of views whose weights open to their numbers: how these are given, checked, and sent to a page."""

import numpy as np
import traitlets as t

from course_utils.inputs import as_floats
from course_utils.language import say
from course_utils.widgets.shared.view import View, check_pairs, error_text

NAMES = ("inputs", "queries", "keys", "values", "W_query", "bias")
CLOSE = 5e-3  # the stored weights are rounded to float16, and a model's numbers differ a little between machines
NONE_HERE = (
    "The numbers of this head are not here: those of other heads were given, or they are nan, as where a model's "
    "weights are missing. Choose the head with which the view began, or fetch the weights."
)


class WithNumbers(View):
    """A view of weights whose reader can open a weight, step by step, down to the numbers that it was computed from."""

    numbers = t.Dict().tag(sync=True)  # "heads": a list of [layer, head, width, head_dim, where its bytes begin]
    numbers_data = t.Bytes().tag(sync=True)
    wanted = t.List(t.Int()).tag(sync=True)  # [layer, head, a number that counts up]: what the browser asks for

    def _take(self, given, runs):
        """Check and keep the argument `numbers` of a view, and send the browser those that an exported page stores.

        given: a data.HeadNumbers for the only head, a dict from (layer, head) to it, a function (layer, head) that
        returns it, or None for no numbers; with two sentences, a list of two HeadNumbers in place of each.
        runs: a list with the weights of each sentence, arrays (layers, num_heads, num_queries, num_keys).
        Errors: ValueError if numbers are given for a head that does not exist, or do not give its weights.
        """
        self._find, self._runs, self._kept = None, runs, []
        if given is None:
            return
        layers, heads = runs[0].shape[:2]
        if not callable(given) and not isinstance(given, dict):
            if (layers, heads) != (1, 1):
                raise ValueError(
                    f"numbers of one head do for a view of one head, and this has {layers} x {heads}: give a dict from "
                    "(layer, head) to its numbers, or a function (layer, head)."
                )
            given = {(0, 0): given}
        self._kept = [] if callable(given) else list(given)
        check_pairs("the keys of numbers", self._kept, layers, heads)
        self._find = given if callable(given) else lambda layer, head: given.get((layer, head))
        self._store()

    def _store(self):
        """Send the browser the numbers that an exported page keeps: of the heads of a dict, else of the chosen head."""
        heads = self._kept or [(self.layer, self.head)]
        self._send_numbers({pair: self._packed(*pair) for pair in heads})

    def _send_numbers(self, packed, note=""):
        """Send the browser the `_packed` numbers of some heads, a dict, in place of those sent before.

        note: for the reader, the reason why there are none, or "".
        """
        heads, data = [], b""
        for pair, (sizes, part) in packed.items():
            heads += [[*pair, *sizes, len(data)]] if part else []
            data += part
        with self.hold_sync():
            self.numbers, self.numbers_data = {"heads": heads, "note": note, "live": True}, data

    @t.observe("wanted")
    def _answer(self, change):
        """Send the browser the numbers of the head that it asks for; an exception becomes a note for the reader."""
        if self._find is None or not change.new:
            return
        pair, packed, note = tuple(change.new[:2]), ([], b""), ""
        try:
            packed = self._packed(*pair)
            note = "" if packed[1] else say(NONE_HERE)
        except Exception as problem:  # the function is the caller's, and the browser waits for an answer
            note = error_text(problem)
        self._send_numbers({pair: packed}, note)

    def _packed(self, layer, head):
        """Return (sizes, bytes), the numbers of a head for head_numbers.js; ([], b"") if it has none or one is nan.

        sizes: a list [width, head_dim]. The bytes begin with bias, as float32, and W_query, as numbers of two bytes;
        then each sentence has queries, keys and values, as float32, and inputs, as numbers of two bytes.
        Errors: ValueError if a sentence or a part is missing, a shape does not fit, or they do not give the weights.
        """
        found = self._find(layer, head)
        if found is None:
            return [], b""
        given = found if isinstance(found, list | tuple) and not hasattr(found, "queries") else [found]
        if len(given) != len(self._runs):
            raise ValueError(f"give the numbers of each sentence, {len(self._runs)}, got those of {len(given)}.")
        sentences = [_arrays(each) for each in given]
        if any(np.isnan(part).any() for arrays in sentences for part in arrays.values()):
            return [], b""
        for arrays, run in zip(sentences, self._runs, strict=True):
            _check(arrays, run[layer, head])
        first = sentences[0]
        parts = [_floats(first["bias"]), _rounded(first["W_query"])]
        for arrays in sentences:
            parts += [*(_floats(arrays[name]) for name in ("queries", "keys", "values")), _rounded(arrays["inputs"])]
        return [first["inputs"].shape[1], len(first["bias"])], b"".join(parts)

    def _page(self, style, modules):
        if self._find is not None:
            self._store()
        return super()._page(style, modules)

    def _replay(self):
        return "" if self._find is None else "state.numbers.live = false;"


def _arrays(given):
    lacking = [name for name in NAMES if not hasattr(given, name)]
    if lacking:
        raise ValueError(f"the numbers of a head need {', '.join(NAMES)}; {type(given).__name__} has no {lacking[0]}.")
    return {name: as_floats(getattr(given, name), name) for name in NAMES}


def _check(arrays, weights):
    """Check that the numbers of a head fit in shape, and give its queries and weights, nearly. Errors: ValueError."""
    (num_queries, num_keys), (dim, width) = weights.shape, (*arrays["W_query"].shape, 0, 0)[:2]
    needed = {"inputs": (num_queries, width), "queries": (num_queries, dim), "keys": (num_keys, dim)}
    needed |= {"values": (num_keys, dim), "W_query": (dim, width), "bias": (dim,)}
    for name, shape in needed.items():
        got = arrays[name].shape
        if got != shape:
            raise ValueError(f"{name} needs the shape {shape} beside these weights and W_query, got {got}.")
    scores = arrays["queries"] @ arrays["keys"].T / np.sqrt(dim)
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    apart = np.abs(shares / shares.sum(-1, keepdims=True) - weights).max()
    if not apart <= CLOSE:
        raise ValueError(
            f"these numbers are of another head or sentence: softmax(queries @ keys.T / {dim} ** 0.5) is up to "
            f"{apart:.2f} away from the weights."
        )
    apart = np.abs(arrays["inputs"] @ arrays["W_query"].T + arrays["bias"] - arrays["queries"]).max()
    if not apart <= CLOSE * max(1, np.abs(arrays["queries"]).max()):
        raise ValueError(f"inputs @ W_query.T + bias must give the queries, and is up to {apart:.2f} away from them.")


def _floats(array):
    return array.astype("<f4").tobytes()


def _rounded(array):
    """Return an array in bytes: a step as float32, then how many steps each number has, in two bytes each.

    All is little-endian; the numbers of steps are signed, up to 32,767 for the number with the largest magnitude.
    """
    step = np.float32(np.abs(array).max() / 32767 or 1)
    return _floats(step) + np.rint(array / step).astype("<i2").tobytes()
