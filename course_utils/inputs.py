"""Check the arguments of figures and views: labels become texts that can be shown, weights must be shares."""

import unicodedata

import numpy as np

from course_utils import model_outputs

# The most letters of a label, in a picture and where a page can show more; a Chinese letter counts as two.
MOST_WIDE, LONGEST = 24, 80
AXES = ("layer", "head", "row", "key")


def encodable(value):
    """Return a str with each lone surrogate replaced by U+FFFD.

    Of a list, tuple or dict, return a copy in which all strs are replaced so, nested ones and keys, too. Any other
    value is returned as it is. A lone surrogate is half of a character that takes two in UTF-16; no file and
    no message can hold it.
    """
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {encodable(key): encodable(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(map(encodable, value))
    return list(map(encodable, value)) if isinstance(value, list) else value


def showable(label, most=MOST_WIDE):
    """Return a label as a str that can be shown: one line, without lone surrogates, control characters as in repr.

    label: a str, a tensor or array without axes, or any other object. most: the greatest width, in Latin letters; a
    longer text is cut and ends with "…".
    """
    text = encodable(as_text(label)[: 2 * most + 2])  # enough letters for the cut, however long the label is
    is_control = [unicodedata.category(letter) == "Cc" for letter in text]
    visible = (repr(letter)[1:-1] if control else letter for letter, control in zip(text, is_control, strict=True))
    return cut("".join(visible), most)


def as_text(label):
    """Return a label of any type as str(label), uncut; of a tensor or an array without axes, its number as a str."""
    return str(label.item() if getattr(label, "ndim", None) == 0 else label)


def labels(given, name="tokens") -> list[str]:
    """Return labels that can be shown, as `showable` returns them, each at most 80 Latin letters wide.

    given: a list, a str (one label per letter), or any other iterable; it may be empty. name: that of the argument, for
    the error message. Errors: ValueError if given is not iterable.
    """
    return [showable(label, LONGEST) for label in as_list(given, name)]


def as_list(given, name):
    """Return list(given). Errors: ValueError, with `name` of the argument in its message, if it is not iterable."""
    try:
        return list(given)
    except TypeError:
        raise ValueError(f"{name} must be a list of labels, one for each token, got {given!r:.80}.") from None


def width(label: str) -> int:
    """Return the width of a label as a number of Latin letters; a Chinese letter or an emoji counts as two."""
    return len(label) if label.isascii() else sum(map(_columns, label))


def cut(label: str, most: int = MOST_WIDE) -> str:
    """Return a label unchanged if it is at most `most` Latin letters wide; else cut to that, ending in "…".

    The "…" counts as one letter, a Chinese character as two.
    """
    if width(label) <= most:
        return label
    kept, room = [], most - 1
    for letter in label:
        room -= _columns(letter)
        if room < 0:
            break
        kept.append(letter)
    return "".join(kept) + "…"


def check_whole(name: str, number) -> None:
    """Check that a number is an int of at least 1, and no bool. Errors: ValueError, with `name` in it, if not."""
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise ValueError(f"{name} must be a whole number of at least 1, got {number!r}.")


def check_shares(weights, name, *, rows=(), finite=False):
    """Check that no weight is below 0 (by more than 1e-6), as scores may be; that rows sum to 1 is not checked.

    weights: a NumPy array (..., num_queries, num_keys), or (num_keys,). name: that of the argument, for the error
    message. rows: the labels of the queries, for it; () for none. finite: whether nan and inf are errors, too.
    Errors: ValueError with the indices of the first wrong value, the value, and what to do.
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


def _columns(letter: str) -> int:
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def as_array(values, name="the numbers", dtype=float):
    """Return numbers as a NumPy array of the same shape.

    values: a tensor, an array, or lists or tuples of numbers, arrays or tensors. A tensor keeps its dtype, but bfloat16
    becomes float32. name: their name in error messages. dtype: that of the result if values is no tensor; None lets
    NumPy choose it.
    Errors: ValueError, with `name` in its message, if the values are not numbers in rows of one length.
    """
    try:
        array = _without_tensors(values)
        return array if hasattr(values, "detach") else np.asarray(array, dtype=dtype)
    except (TypeError, ValueError):
        raise ValueError(
            f"{name} must be a tensor, or numbers in rows of one length, got {type(values).__name__} {values!r:.60}."
        ) from None


def _without_tensors(values):
    """Return values with a NumPy array in place of each tensor: of one alone, and of those in lists and tuples."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        return (values.float() if "bfloat16" in str(values.dtype) else values).numpy()
    return [*map(_without_tensors, values)] if isinstance(values, list | tuple) else values


def as_floats(values, name="the numbers"):
    """Return what `as_array` does, as float32."""
    return np.asarray(as_array(values, name), dtype="f4")


def as_weights(weights, name="attn_weights"):
    """Return attention weights as a float32 NumPy array of the same shape.

    weights: as for `as_array`, or what a model of Hugging Face's transformers returns: a tuple with a tensor
    (1, num_heads, num_queries, num_keys) for each layer, which becomes (layers, num_heads, num_queries, num_keys).
    name: that of the argument, for error messages. Errors: those of `as_array` and of `model_outputs.of_one_sample`.
    """
    return as_floats(model_outputs.of_one_sample(weights, name), name)


def one_layer(weights):
    """Return a NumPy array of weights as (num_heads, num_queries, num_keys) if it is of one layer; else as it is.

    Of one layer are (num_queries, num_keys), the weights of one head, and (1, num_heads, num_queries, num_keys).
    """
    if weights.ndim == 2:
        return weights[None]
    return weights[0] if weights.ndim == 4 and len(weights) == 1 else weights
