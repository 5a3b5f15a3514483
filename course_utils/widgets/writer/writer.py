"""Writer: a view of a text that a language model writes on, token by token."""

import traitlets as t

from course_utils import inputs
from course_utils.inputs import as_weights
from course_utils.language import say
from course_utils.widgets.shared.view import View, check_pairs, error_text
from course_utils.widgets.writer.writer_picture import writer_picture
from course_utils.widgets.writer.written import Written, label_of, said, step_of

ENDED = "The model has ended its text here."


class Writer(View):
    """A view in which a language model writes a text on; each token shows its candidates, and where heads looked.

    The reader plays, goes one token on or back, stops, and lets the model write anew from any token, at another
    temperature; the text written before stays as a branch. What a head looked at is its row of weights for the token
    before the new one, from which the new one was chosen.
    model: `models.smollm.load()`, or anything with `ids(text)`, which returns a list of ids; `label(id)`, the text of a
    token; and `write(ids, num_new, temperature, top_k, seed, need_weights=True)`, which yields tokens: strs with id,
    logits (vocab_size,) and attn_weights (num_layers, num_heads, num_keys). None: show what was recorded.
    text: a str. num_new: how many tokens are written before the view is shown. recorded: instead of a text, what
    `recording()` of another Writer returned; with a model, it is written on.
    heads: pairs (layer, head) that the reader can choose, all if None; a recording has its own. Fewer make a recording
    and a page smaller: each takes a byte for each token and each token before it.
    most: the largest number of tokens written after the text. temperature, top_k, seed: as in SmolLM.write.
    These attributes say what is shown, and can be set before the view is: branch, the number of the branch; shown, how
    many of its tokens; token, the chosen token, counted from 0 at the start of the text; and head, the index of the
    chosen pair in heads. At first, the last token and the first head are chosen. `view.head = view.heads.index([5, 3])`
    chooses head 3 of layer 5, `view.token = 11` the first token written after a text of 11.
    An exported page shows a picture, and decodes the recording when the reader clicks it. 40 tokens after a text of 11
    take 70 kB there with 24 heads, 150 kB with 72, and 470 kB with all 270 of SmolLM2-135M. A page of the course has
    0.4 MB for all its recordings.
    Errors: ValueError for a model, heads or a recording that does not fit, and those of the model.
    """

    script = "writer.js"

    given = t.List(t.Unicode()).tag(sync=True)
    heads = t.List(t.List(t.Int())).tag(sync=True)
    branches = t.List(t.Dict()).tag(sync=True)
    weights = t.Bytes().tag(sync=True)
    live = t.Bool().tag(sync=True)
    temperature = t.Float(0.0).tag(sync=True)
    branch = t.Int(0, min=0).tag(sync=True)
    shown = t.Int(0, min=0).tag(sync=True)
    token = t.Int(0, min=0).tag(sync=True)
    head = t.Int(0, min=0).tag(sync=True)

    def __init__(
        self, model, text=None, *, num_new=1, recorded=None, heads=None, most=60, temperature=0.0, top_k=None, seed=0
    ):
        if (text is None) == (recorded is None):
            raise ValueError("give either a text, which the model writes on, or recorded, which is shown.")
        if heads is not None and recorded is not None:
            raise ValueError("recorded has its own heads: leave out heads, or record the text with them.")
        if model is None and recorded is None:
            raise ValueError("without a model, there must be something recorded: recorded=other.recording().")
        for name in ("ids", "label", "write"):
            if model is not None and not callable(getattr(model, name, None)):
                raise ValueError(f"the model needs a method {name}, as models.smollm has; got {type(model).__name__}.")
        inputs.check_whole("num_new", num_new)
        inputs.check_whole("most", most)
        self._model, self._most, self._top_k, self._seed = model, most, top_k, seed
        self._running = (None, None, None, None)  # the branch, its length, the temperature, and what write returned
        if recorded is None:
            ids = model.ids(text)
            self._written = Written([label_of(model.label(each)) for each in ids], ids, heads)
        else:
            self._written = Written.of(recorded)
        super().__init__(live=model is not None, temperature=temperature, given=self._written.given)
        if recorded is None:
            self.write(num_new)
        if not self._written.path(0):
            raise ValueError("there is nothing to show: the model ended its text at once.")
        self._show_all()
        self.on_msg(self._on_message)

    def write(self, num_new, temperature=None):
        """Write some tokens on in the branch that is shown, at once, and show them; return None.

        num_new: how many, fewer if the model ends its text or the view has its most tokens. temperature: that of the
        view if None. Errors: those of the model.
        """
        temperature = self.temperature if temperature is None else temperature
        for _ in range(num_new):
            answer = self._write_one(self.branch, len(self._written.path(self.branch)), temperature)
            if "step" not in answer:
                break
        self._show_all()

    def _show_all(self):
        self._sync()
        self.shown = len(self._written.path(self.branch))
        self.token = len(self.given) + self.shown - 1

    def recording(self):
        """Return what was written as a dict that can be stored as JSON, for `recorded` of another Writer."""
        return self._written.recording()

    def _sync(self):
        written = self._written
        with self.hold_sync():  # copies, because a trait that is changed in place is not sent
            self.branches = [branch | {"steps": [*branch["steps"]]} for branch in written.branches]
            self.heads, self.weights = written.heads, written.weights

    def _on_message(self, widget, content, buffers):
        """Write one token for the browser and send it, or the error that stopped it.

        The browser asks for one token after another, so that a stop needs no message, and other cells can run between.
        A message with "rest" says that it has stopped: then all branches and weights are sent.
        """
        if "rest" in content:
            return self._sync()
        row = b""
        try:
            answer = self._write_one(content["branch"], content["after"], content["temperature"])
            row = answer.pop("row", b"")
        except BaseException as problem:  # also an interrupt, because the browser waits for an answer
            self._running = (None, None, None, None)
            answer = {"error": error_text(problem)}
        self.send({"rev": content["rev"]} | answer, [row])

    def _write_one(self, branch, after, temperature):
        """Write one token after the first `after` steps of a branch; return a dict, the answer, without sending it.

        It has "branch", the number of the branch that has the new step, its "parent" and "start", the "step" and its
        "row" in bytes; or "note", the reason why there is no further token. Errors: those of `_row` and of the model.
        """
        written = self._written
        if after >= self._most:
            return {"note": say("{number} tokens are written: the view stops here.", number=self._most)}
        if self._running[:3] != (branch, after, temperature) or after < len(written.path(branch)):
            ids = written.ids + [step["id"] for step in written.path(branch)[:after]]
            number = branch if after == len(written.path(branch)) else len(written.branches)
            seed = self._seed + number * self._most + after  # of each branch, and after each pause, another
            tokens = self._model.write(ids, self._most - after, temperature, self._top_k, seed, need_weights=True)
            self._running = (branch, after, temperature, tokens)
        token = next(self._running[3], None)
        if token is None:
            return {"note": say(ENDED)}
        row = self._row(token, len(written.given) + after)
        step = step_of(token, temperature, self._top_k, self._model.label)
        branch = written.add(branch, after, step, row)
        self._running = (branch, after + 1, temperature, self._running[3])
        added = written.branches[branch]
        step = added["steps"][-1]
        answer = {"branch": branch, "parent": added["parent"], "start": added["start"], "step": step}
        return answer | {"row": written.weights[step["at"] :]}

    def _row(self, token, num_keys):
        """Return where the offered heads looked when a token was written, (num_heads, num_keys). Errors: ValueError."""
        attn_weights = getattr(token, "attn_weights", None)
        if attn_weights is None or not hasattr(token, "logits") or not hasattr(token, "id"):
            raise ValueError("each token that write yields needs id, logits and attn_weights, with need_weights=True.")
        array = as_weights(attn_weights)
        if array.ndim != 3 or array.shape[2] != num_keys:
            raise ValueError(
                f"the attn_weights of a token need the shape (num_layers, num_heads, {num_keys}), one weight for each "
                f"token before it, got {array.shape}."
            )
        inputs.check_shares(array, "attn_weights")
        num_layers, num_heads, _ = array.shape
        if not self._written.heads:
            self._written.heads = [[layer, head] for layer in range(num_layers) for head in range(num_heads)]
        check_pairs("heads", self._written.heads, num_layers, num_heads)
        return array[tuple(zip(*self._written.heads, strict=True))]

    def _open(self):
        return 'modules["view.js"].whenTouched(host, open);'  # until then, the page decodes nothing

    def _replay(self):
        return "state.live = false;"

    @property
    def _now(self):
        """Return what is shown, the arguments of `said` and of `writer_picture`: (names, token, step, pair, weights).

        names: of all tokens shown. token: the index of the chosen one. step: what wrote it, a dict, or None for a token
        of the given text. pair: the chosen [layer, head]. weights: of this head for the token, (num_keys,), or None.
        """
        branch = min(self.branch, len(self._written.branches) - 1)
        steps = self._written.path(branch)[: self.shown]
        names = self.given + [step["token"] for step in steps]
        token, head = min(self.token, len(names) - 1), min(self.head, len(self.heads) - 1)
        place = token - len(self.given)
        if place < 0:
            return names, token, None, self.heads[head], None
        return names, token, steps[place], self.heads[head], self._written.row(branch, place, head)

    def picture(self):
        return writer_picture(*self._now)

    def alt(self):
        """Return the text as shown, and a sentence of the chosen token, as `said` in writing.js gives it."""
        return f"{''.join(self._now[0])!r}; {said(*self._now)}"

    def __repr__(self):
        written = len(self._now[0]) - len(self.given)
        numbers = {"given": len(self.given), "written": written, "heads": len(self.heads)}
        return f"Writer: {say('{given} tokens given, {written} written, {heads} heads', **numbers)}; {self.alt()}"
