"""AttentionLab: a view whose sliders, choices and text boxes call a function of the reader's own."""

import io
import math
import traceback
from contextlib import redirect_stderr, redirect_stdout

import numpy as np
import torch
import traitlets as t

from course_utils import inputs, theme
from course_utils.inputs import as_weights, one_layer
from course_utils.language import say
from course_utils.widgets.lab.controls import Control, plan
from course_utils.widgets.maps.heads_picture import heads_picture
from course_utils.widgets.shared.head_weights import check_weights, entropies, pack
from course_utils.widgets.shared.svg import text
from course_utils.widgets.shared.view import View, _base64, _json

# JavaScript for an exported page: it answers each message of the view from stored results, as the kernel would.
REPLAY = """
const stored = bytes(%(data)s), frames = {}, start = %(start)s, note = document.createElement("p");
note.textContent = %(note)s;
host.before(note);
for (const frame of %(frames)s) frames[Object.values(frame.settings)] = frame;
let answered, tokens = state.answer.tokens;
state.controls = %(controls)s;
state.answer.settings = start;
model.on = (name, callback) => { if (name === "change:answer") answered = callback; };
model.send = ({ rev, settings }) => {
  // Where not every combination is stored, what was moved last is shown, and the rest goes back to the start.
  const now = state.answer.settings, moved = {};
  for (const name in start) moved[name] = settings[name] === now[name] ? start[name] : settings[name];
  const frame = frames[Object.values(settings)] ?? frames[Object.values(moved)];
  if (frame.tokens) {
    state.query = modules["lab.js"].placeOfWord(tokens, state.query, frame.tokens);
    tokens = frame.tokens;
  }
  state.answer = { ...frame, rev };
  if (frame.shape.length) state.weights = new DataView(stored.buffer, frame.at, frame.shape.reduce((a, b) => a * b));
  answered();
};
"""


class AttentionLab(View):
    """A view that calls the reader's own function whenever a control is moved, and shows the weights it returns.

    attend: a function that takes one keyword argument for each control, and returns weights (num_heads, num_queries,
    num_keys) or, for one head, (num_queries, num_keys), with as many queries as keys; if the tokens change, a pair
    (weights, tokens). tokens: one label per token.
    controls: a value for each control, which decides its kind: True or False is a checkbox, a str is a text box, a list
    is a menu of choices that starts at the first, and (low, high) or (low, high, start) is a slider, in whole steps if
    all of them are whole.
    The view shows what attend prints, any error that it raises, and what is wrong with a result that is not weights,
    such as scores.
    head, query: the numbers of the chosen ones, which can be read and set: after `lab.head = 1`, the view starts there.
    A number that is too large is lowered to the last one. If the tokens change, the chosen query stays at its word, and
    returns to a word that was gone for a while, as when a sentence is retyped.
    Errors: ValueError for an attend that is no function, and for a control of another form; traitlets.TraitError for
    a head or query that is not a whole number of at least 0.
    """

    script = "lab.js"

    controls = t.List(t.Dict()).tag(sync=True)
    answer = t.Dict().tag(sync=True)  # rev and settings of the request; shape, tokens and high; error and prints
    weights = t.Bytes().tag(sync=True)
    palette = t.Bytes().tag(sync=True)
    head = t.Int(0, min=0).tag(sync=True)  # no parameter of __init__, where any keyword is a control
    query = t.Int(0, min=0).tag(sync=True)

    def __init__(self, attend, tokens, **controls):
        if not callable(attend):
            raise ValueError(f"attend must be a function that returns weights, got {type(attend).__name__}.")
        self._attend, self._tokens, self._array, self._word = attend, inputs.labels(tokens), None, None
        self._controls = [Control.of(name, value) for name, value in controls.items()]
        super().__init__(
            controls=[control.sent() for control in self._controls],
            answer={"shape": [], "tokens": [], "high": 1.0},
            palette=theme.table(theme.WEIGHTS_MAP),
        )
        self._show(0, {control.name: control.start for control in self._controls})
        self.on_msg(self._on_message)

    @t.validate("head", "query")
    def _at_most_the_last(self, proposal):
        # Lowered, not refused: a reader may click in the old picture while attend returns fewer tokens.
        place = 1 + ("head", "query").index(proposal.trait.name)
        shape = self.answer["shape"]
        return min(proposal.value, shape[place] - 1) if shape else proposal.value

    @property
    def settings(self):
        """Return the present values of the controls: a dict from the name of each to its value, as attend gets it."""
        return self._values(self.answer["settings"])

    def _values(self, settings):
        return {control.name: control.value(settings[control.name]) for control in self._controls}

    def _on_message(self, widget, content, buffers):
        # Catch BaseException, because the browser waits for an answer even if attend is interrupted or calls exit().
        self._show(content["rev"], content["settings"], BaseException)

    def _show(self, rev, settings, caught=Exception):
        """Call attend, and send its weights or error to the browser, as traits; errors of class `caught` are shown."""
        array, frame = self._run(self._values(settings), caught)
        with self.hold_sync():  # send all changes in one message
            if array is not None:  # otherwise keep the weights of the last call that succeeded
                self._array, self.weights = array, pack(array, frame["high"])
            self.answer = self.answer | frame | {"rev": rev, "settings": settings}
            self.head = self.head  # validates it again, since there may be fewer heads now
            self._follow_word()

    def _follow_word(self):
        """Set `query` to the place of the word that the reader chose last; one that is gone is kept for later."""
        word = self._word
        self.query = self.query if word is None else _place_of(*word, self.answer["tokens"], self.query)
        self._note_word()
        self._word = word or self._word

    @t.observe("query")
    def _note_word(self, change=None):
        """Store the word of the chosen query, if there is one, in `_word`: (word, number of equal ones before it)."""
        tokens = self.answer["tokens"]
        if self.query < len(tokens):
            word = tokens[self.query]
            self._word = word, tokens[: self.query].count(word)

    def _run(self, values, caught=Exception):
        """Call attend; return (weights (1, num_heads, num_queries, num_keys) or None, a part of `answer`)."""
        prints, array, frame, error = io.StringIO(), None, {}, ""
        try:
            with redirect_stdout(prints), redirect_stderr(prints):
                array, tokens = _understood(self._attend(**values), self._tokens)
            # At least 1, so that the scale stays the same while a control moves.
            high = float(np.max(array, where=np.isfinite(array), initial=1.0))
            frame = {"shape": list(array.shape), "tokens": tokens, "high": high}
        except caught as problem:
            error = "".join(traceback.format_exception_only(problem)).strip()
        return array, frame | {"error": _plain(error), "prints": _plain(prints.getvalue())}

    def _plan(self):
        return plan(self._controls, self.answer["settings"])

    def _replay(self):
        kept, combinations = self._plan()
        frames, data = [], b""
        with torch.random.fork_rng(devices=[]):  # reproducible, and the caller's generator is left as it is
            for combination in combinations:
                torch.manual_seed(0)
                settings = {control.name: at for control, at in zip(kept, combination, strict=True)}
                array, frame = self._run({control.name: control.value(settings[control.name]) for control in kept})
                frames.append({"shape": [], **frame, "settings": settings, "at": len(data)})
                data += b"" if array is None else pack(array, frame["high"], limit=0)
        is_whole = len(combinations) == math.prod(len(control.settings) for control in kept)
        note = "Saved page: it replays {number} stored steps."
        alone = "Saved page: it replays {number} stored steps, one control moved at a time."
        return REPLAY % {
            "data": _json(_base64(data)),
            "frames": _json(frames),
            "start": _json({control.name: control.start for control in kept}),
            "controls": _json([control.sent() for control in kept]),
            "note": _json(say(note if is_whole else alone, number=len(combinations))),
        }

    def picture(self):
        if self._array is not None:
            heads, queries, _ = self._array[0].shape
            tokens, head, query = self.answer["tokens"], min(self.head, heads - 1), min(self.query, queries - 1)
            small = {say("head {head}", head=number): matrix for number, matrix in enumerate(self._array[0])}
            large = {say("head {head}", head=head) if heads > 1 else say("attention"): self._array[0, head]}
            return heads_picture(small, large, self.answer["high"], tokens, tokens, query)
        return text(6, 24, self.answer["error"].partition("\n")[0][:100], 12), 640, 40

    def __repr__(self):
        settings = "".join(f"{name}={value!r}; " for name, value in self.settings.items())
        if self.answer["error"]:
            return f"AttentionLab: {settings}{self.answer['error']}"
        _, heads, queries, keys = self._array.shape
        numbers = " ".join(f"{value:.2f}" for value in entropies(self._array[0]))
        size = say("{heads} heads, {queries} queries x {keys} keys", heads=heads, queries=queries, keys=keys)
        return f"AttentionLab: {size}; {settings}{say('entropy per head: {numbers}', numbers=numbers)}"


def _understood(result, tokens):
    """Return (weights, labels) from the result of attend. Errors: ValueError for what AttentionLab does not allow."""
    if isinstance(result, tuple):
        if len(result) != 2 or hasattr(result[1], "shape") or isinstance(result[1], str):
            raise ValueError(
                "attend must return the weights alone, or (weights, tokens) with a list of tokens; got a tuple of "
                f"{' and '.join(type(part).__name__ for part in result)}. Of (context_vecs, attn_weights), return the "
                "second."
            )
        result, tokens = result[0], inputs.labels(result[1], "the tokens that attend returned")
    if result is None:
        raise ValueError("attend returned None: let it end with `return attn_weights`.")
    weights = one_layer(as_weights(result, "what attend returns"))
    if weights.ndim != 3:
        raise ValueError(
            "attend must return weights (num_heads, num_queries, num_keys) or (num_queries, num_keys), got shape "
            f"{weights.shape}. Of a batch, return one: attn_weights[0]."
        )
    if weights.shape[1:] != (len(tokens), len(tokens)):
        raise ValueError(
            f"attend returned weights of shape {weights.shape} for {len(tokens)} tokens: the last two axes need one "
            "place a token. Where the tokens change, return (weights, tokens)."
        )
    return check_weights(weights, tokens, tokens, "what attend returns"), tokens


def _plain(text, most=1000):
    """Return a text without lone surrogates, for the browser; cut after `most` characters, with a note of how many."""
    text = inputs.encodable(str(text))
    return text if len(text) <= most else text[:most] + say(" … ({number} more characters)", number=len(text) - most)


def _place_of(word, nth, tokens, query):
    """Return the index of a word in tokens, a list: of its nth occurrence, from 0, or its last; if none, `query`."""
    places = [place for place, token in enumerate(tokens) if token == word]
    return places[min(nth, len(places) - 1)] if places else query
