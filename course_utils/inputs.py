"""Check the arguments of figures and views: labels become texts that can be shown, weights must be shares."""

import unicodedata

import numpy as np

# The most letters of a label, in a picture and where a page can show more; a Chinese letter counts as two.
MOST_WIDE, LONGEST = 24, 80
AXES = ("layer", "head", "row", "key")


def encodable(value):
    """Return a text with each lone surrogate replaced by U+FFFD, or a list, tuple or dict with its texts so changed.

    A lone surrogate is half of a character that takes two in UTF-16; no file and no message can hold it.
    """
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {encodable(key): encodable(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(map(encodable, value))
    return list(map(encodable, value)) if isinstance(value, list) else value


def showable(label, most=MOST_WIDE):
    """Return a label as a text that can be shown: one line, encodable, control characters escaped, cut with "…".

    most: its greatest width, in letters.
    """
    text = encodable(as_text(label)[: 2 * most + 2])  # enough letters for the cut, however long the label is
    is_control = [unicodedata.category(letter) == "Cc" for letter in text]
    visible = (repr(letter)[1:-1] if control else letter for letter, control in zip(text, is_control, strict=True))
    return cut("".join(visible), most)


def as_text(label):
    """Return a label as a text, uncut; for a tensor or an array without axes, its number."""
    return str(label.item() if getattr(label, "ndim", None) == 0 else label)


def labels(given, name="tokens"):
    """Return labels as a list of texts that can be shown.

    given: a list, a text (one label per letter), or any other iterable. name: of the argument, for an error message.
    Errors: ValueError if it is not iterable.
    """
    return [showable(label, LONGEST) for label in as_list(given, name)]


def as_list(given, name):
    """Return the labels in an iterable as a list, each of them unchanged. name, errors: as for `labels`."""
    try:
        return list(given)
    except TypeError:
        raise ValueError(f"{name} must be a list of labels, one for each token, got {given!r:.80}.") from None


def width(label):
    """Return the width of a label in Latin letters; a Chinese letter, or an emoji, is as wide as two."""
    return len(label) if label.isascii() else sum(map(_columns, label))


def cut(label, most=MOST_WIDE):
    """Return a label; if it is wider than `most` letters, it is cut to that width and ends with "…"."""
    if width(label) <= most:
        return label
    kept, room = [], most - 1
    for letter in label:
        room -= _columns(letter)
        if room < 0:
            break
        kept.append(letter)
    return "".join(kept) + "…"


def check_whole(name, number):
    """Check that a number is whole and at least 1. Errors: ValueError, with `name` in its message, if not."""
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, got {number!r}.")


def check_shares(weights, name, *, rows=(), finite=False):
    """Check that no weight is below 0, as scores may be.

    weights: a NumPy array (..., num_queries, num_keys), or (num_keys,). name: of the argument, for an error message.
    rows: the labels of the queries. finite: whether nan and inf are errors, too; a heatmap shows them in grey.
    Errors: ValueError that says where the first wrong value is, what it is, and what to do.
    """
    wrong = np.nan_to_num(weights) < -1e-6  # a number that rounding leaves just below 0 counts as 0
    if finite:
        wrong |= ~np.isfinite(weights)
    if not wrong.any():
        return
    index = tuple(int(place) for place in np.argwhere(wrong)[0])
    names = [f"{axis} {at}" for axis, at in zip(AXES[-weights.ndim :], index, strict=True)]
    if weights.ndim > 1 and len(rows):
        names[-2] += f" ({rows[index[-2]]})"
    value = weights[index]
    todo = (
        "A row in which every key is hidden gives nan: open one, or leave the row out."
        if np.isnan(value)
        else "Give what softmax returns, not the scores."
    )
    raise ValueError(f"{name} must be shares, from 0 on, but {', '.join(names)} is {value:.4g}. {todo}")


def _columns(letter):
    """Return the width of a letter: 2 if it is as wide as two Latin letters, else 1."""
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
