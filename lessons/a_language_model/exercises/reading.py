"""Readers for `my_write` that record what they are given, and refuse a token given twice."""

import functools

import torch

from course_utils.checks.outcome import Refused
from course_utils.lessons.findings import finding
from course_utils.models import made_up

VOCAB_SIZE = 50  # of a planned reader


class Reader:
    """A function read(new) that returns the scores of the next token, (vocab_size,), and records what it has read.

    ids: the beginning. num_new: the most tokens to write. next_scores: a function (new, text) -> scores, where `text`
    holds all tokens read so far, with the new ones.
    Errors: Refused, from a call with anything but a list of whole numbers, with tokens that it has read before, with
    other tokens before the beginning is read, and from calls without end.
    """

    def __init__(self, ids, num_new, next_scores):
        self.ids, self.num_new, self.next_scores, self.text = ids, num_new, next_scores, []

    def __call__(self, new):
        _check_tokens(new)
        unread, past = self.ids[len(self.text) :], len(self.text)
        if unread and new != unread[: len(new)]:
            self._refuse_beginning(new, unread)
        if not unread and len(new) > 1:
            template = (
                "After {past} tokens, `read` was given {count} more: `{new}`. One of them is new. It keeps what it has "
                "read, so give it the newest token alone, `read([chosen])`."
            )
            raise Refused(template, past=past, count=len(new), new=new)
        if past > len(self.ids) + self.num_new:
            template = "`read` was given more than {count} new tokens. Stop after `num_new` of them."
            raise Refused(template, count=self.num_new)
        self.text += new
        return self.next_scores(new, self.text)

    def _refuse_beginning(self, new, unread):
        """Raise Refused always: its message tells the learner that `new` does not continue the text's beginning.

        new: the tokens given, a list. unread: the tokens of the beginning that have not been read yet, a list.
        """
        if len(unread) == len(self.ids):
            template = "`read` was first given `{new}`. First comes the beginning, `ids`: all of it, `{ids}`."
            raise Refused(template, new=new, ids=self.ids)
        template = "`read` was given `{new}` before it had read all of the beginning: `{unread}` is still missing."
        raise Refused(template, new=new, unread=unread)


def _check_tokens(new):
    """Raise Refused, with a message for the learner, unless `new` is a list of at least one int (a bool is none)."""
    if not isinstance(new, list):
        template = "`read` was given `{new}`. It takes a list of tokens, even for a single one: `read([chosen])`."
        raise Refused(template, new=new)
    if not new:
        raise Refused("`read` was given an empty list. Each call needs the tokens that it has not read yet.")
    for token in new:
        if torch.is_tensor(token):
            template = "`read` was given a list with a tensor in it, `{token}`. Tokens are whole numbers: `.item()`."
            raise Refused(template, token=token)
        if isinstance(token, bool) or not isinstance(token, int):
            template = "`read` was given `{token}` as a token. Tokens are whole numbers: which score is the largest?"
            raise Refused(template, token=token)


def planned(ids, num_new, plan):
    """Return a Reader, a fake model, whose likeliest tokens are those of the list `plan`, one after the other.

    It follows the plan as long as it is given ids and then the plan's tokens; afterwards the likeliest token depends on
    all that it was given. ids: the beginning of the text, a list. num_new: how many tokens are asked for.
    """
    right = [*ids, *plan]

    def next_scores(new, text):
        on_plan = text == right[: len(text)] and len(ids) <= len(text) < len(right)
        likeliest = right[len(text)] if on_plan else sum(place * token for place, token in enumerate(text, 3))
        scores = -1.0 - (torch.arange(VOCAB_SIZE) * 7 + len(text)) % VOCAB_SIZE / 10  # all negative, none equal
        scores[likeliest % VOCAB_SIZE] = -0.5
        return scores

    return Reader(ids, num_new, next_scores)


@functools.cache
def _model():
    """Return a SmolLM with made-up weights, the same object each time, whose likeliest next token varies."""
    return made_up.language_model(num_layers=3, end_tokens=())


def of_a_model(ids, num_new):
    """Return a Reader: it records what it is given to read, and returns the scores of a made-up language model for it.

    ids: the beginning of the text, a list. num_new: how many tokens are asked for.
    """
    read = _model().reader(len(ids) + num_new + 2)
    return Reader(ids, num_new, lambda new, text: read(new))


def written_after(answer, ids, plan, num_new, end):
    """Call an answer, a function of (read, ids, num_new, end), and return the tokens that it writes, a tensor of int64.

    plan: the likeliest tokens, a list, or None for those of a model. end: the token after which the answer should stop.
    Errors: Refused if the answer does not return a list of ints.
    """
    return _written(answer, _reader(ids, num_new, plan), ids, num_new, end)


def _reader(ids, num_new, plan):
    """Return a new Reader: of a made-up model if `plan` is None, else one whose likeliest tokens are those of `plan`.

    ids is copied, since an answer may change it.
    """
    return of_a_model([*ids], num_new) if plan is None else planned([*ids], num_new, plan)


def _written(answer, read, ids, num_new, end):
    """Call an answer, a function of (read, ids, num_new, end), and return the tokens that it writes, a tensor of int64.

    read: the Reader. end: the token that should end the text. Errors: Refused if it does not return a list of ints.
    """
    written = answer(read, ids, num_new, end)
    if written is None:
        raise Refused("It ran to its end and gave nothing back: the last line needs a `return`.")
    if not isinstance(written, list):
        template = "A `{type}` came back. A list is asked for, the new tokens: `return written`."
        raise Refused(template, type=type(written).__name__)
    for token in written:
        if isinstance(token, bool) or not isinstance(token, int):
            template = "The list has `{token}` in it. Whole numbers are asked for: `.argmax().item()` gives one."
            raise Refused(template, token=token)
    return torch.tensor(written, dtype=torch.long)


def ids_stay(exercise, answer):
    """Yield ("ids-changed", message) if the answer changes `ids`, the list with the beginning of the text."""
    ids, plan, num_new, end = exercise.case(0).args
    before = [*ids]
    written_after(answer, ids, plan, num_new, end)
    if ids != before:
        yield finding(exercise, "ids-changed")


def last_is_read(exercise, answer):
    """Yield ("read-for-nothing", hint) if the answer writes num_new tokens and reads the last: allowed, but useless."""
    ids, plan, num_new, end = exercise.case(0).args
    read = _reader(ids, num_new, plan)
    written = _written(answer, read, ids, num_new, end)
    if len(read.text) == len(ids) + len(written) and len(written) == num_new:
        yield (
            "read-for-nothing",
            "The tokens are right, and `read` is given the last one, too. Nobody asks what comes after it: one call "
            "fewer would do.",
        )
