"""Read and check the arguments of figures: arrays of numbers, and labels that can be drawn."""

import numpy as np

from course_utils import fonts, inputs


def as_array(values, name="the numbers", *sizes, dtype=float):
    """Return numbers as a NumPy array of the same shape, as `inputs.as_array` does, and check the shape.

    sizes: the shape that they must have, as for check_shape; none: any. Errors: those of both.
    """
    array = inputs.as_array(values, name, dtype)
    if sizes:
        check_shape(name, array, *sizes)
    return array


def as_arrays(name, given, kind, *sizes):
    """Return a dict of numbers as a dict from str(key) to a NumPy array, each converted as by as_array.

    name: that of the argument, for the error message if it is empty. given: a dict from a key to a tensor, an array or
    nested lists. kind: what error messages call one of them, before its key, such as "row". sizes: the shape that each
    must have, as for check_shape. Errors: ValueError if `given` is empty, and those of as_array.
    """
    check_some(name, given)
    return {str(key): as_array(values, f"{kind} {str(key)!r}", *sizes) for key, values in given.items()}


def as_labels(tokens, name="tokens"):
    """Return labels as a list of strs that this machine's fonts can draw; one wider than 24 letters is cut, with "…".

    tokens: a list of labels, a str (one label per letter), or another iterable. A letter that no font has is replaced
    by its code. name: the labels' name in error messages.
    Errors: ValueError if tokens is not iterable, or is empty.
    """
    labels = inputs.labels(tokens, name)
    check_some(name, labels)
    return [inputs.cut(fonts.drawable(label)) for label in labels]


def check_shape(name, array, *sizes):
    """Check the shape of a NumPy array. name: the array's name in error messages.

    sizes: the size needed for each axis; a str stands for any size, and names the axis in the error message.
    Errors: ValueError for another number of axes, for other sizes, and for an empty array.
    """
    shape = tuple(array.shape)
    pairs = zip(shape, sizes, strict=False)
    if len(shape) != len(sizes) or any(isinstance(size, int) and size != has for has, size in pairs):
        needed = ", ".join(map(str, sizes))
        raise ValueError(f"{name} of shape {shape} do not fit the labels: they need shape ({needed}).")
    if 0 in shape:
        raise ValueError(f"{name} of shape {shape} are empty: give at least one token, and its numbers.")


def check_finite(name, array):
    """Check that a NumPy array holds neither nan nor inf. name: the array's name in the error message.

    Errors: ValueError that gives the index and value of the first nan or inf.
    """
    if not np.isfinite(array).all():
        index = tuple(np.argwhere(~np.isfinite(array))[0].tolist())
        raise ValueError(f"{name} must hold finite numbers, but at {list(index)} stands {array[index]}: leave it out.")


def check_some(name, given):
    """Check that `given`, a dict or a list, is not empty. Errors: ValueError, with `name` in its message, if it is."""
    if not len(given):
        raise ValueError(f"{name} is empty, so there is nothing to draw: give at least one.")


def longest(labels):
    """Return the width of the widest label (str), in Latin letters (a Chinese one counts as two); 0 without labels."""
    return max(map(inputs.width, labels), default=0)
