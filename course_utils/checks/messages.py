"""The messages of a check, other than those of the mistakes in the bank."""

from . import limits, running
from .sentences import as_code, sentence, together

EITHER, FIRST = "More than one mistake looks like this. Either:", "Two things at once. First:"
MOSTLY = "On {label}, and most of what is wrong, it looks like this."


def not_attempted(stub):
    """Return the message for an answer that is still empty. stub: the answer's name in the notebook."""
    return sentence("not attempted yet: replace the ... in {stub}, run the cell, and come back.", stub=stub)


def passed(exercise, inputs):
    """Return the message for a right answer. exercise: its Exercise.

    inputs: the number of inputs on which it was tried.
    """
    if inputs > 1:
        return sentence("passed: {stub} is right on {inputs} inputs.", stub=exercise.stub, inputs=inputs)
    return sentence("passed: {stub} is right.", stub=exercise.stub)


def main_sentence(message):
    """Return the first sentence of a check's message, without introduction, such as FIRST, and final full stop.

    The beginning "On {label}:" stays.
    """
    for lead in (EITHER, FIRST, MOSTLY.removeprefix("On {label}")):
        message = message.rpartition(f"{lead} ")[2]
    return message.split(". ")[0].rstrip(".")


def alike(sentences):
    """Return the message for an answer that several mistakes explain equally well. sentences: the message of each."""
    first, *others = dict.fromkeys(sentences)
    return together(EITHER, first, *(sentence("Or: {words}", words=words) for words in others)) if others else first


def both(sentences):
    """Return the message for an answer with two mistakes at once. sentences: the messages of the two."""
    first, second = sentences
    return together(FIRST, first, sentence("Then: {words}", words=second))


def mostly(words, label):
    """Return the message for a mistake that explains most of what is wrong, but not all, a str.

    words: the message for the mistake alone. label: of the input on which it does not explain all.
    """
    return together(sentence(MOSTLY, label=label), words)


def on(label, words):
    """Return a message on one input: "On {label}: {words}". label: of the input. words: what is wrong there."""
    return sentence("On {label}: {words}", label=label, words=words)


def unasked(label, words):
    """Return the hint on an input that no prompt asks for. label: of the input. words: what is wrong there."""
    template = "On {label}, which nobody asked for, your answer is not right yet. {words}"
    return sentence(template, label=label, words=words)


def replaced(names):
    """Return a list with a note on the functions of PyTorch that the notebook had replaced; [] if `names` is empty."""
    template = "Your notebook had put something else in the place of {names}. It is PyTorch's own again."
    return [sentence(template, names=as_code(names))] if names else []


def leak(names):
    """Return the message for an answer that reads variables of the notebook. names: a list of the variables' names."""
    template = (
        "Your code reads {names} from the notebook. In a fresh kernel, or on other inputs, that is wrong: use the "
        "arguments, `self`, or what can be read off a shape."
    )
    return sentence(template, names=as_code(names))


def timed_out(error, output):
    """Return the message for a stopped answer. error: the type TimeUp or WallTimeUp. output: a running.Printed."""
    many = 100 * running.MOST_PRINTED  # the message has this number, not the count, so that it is the same each time
    if error is limits.WallTimeUp:
        template = (
            "Your code was stopped after {seconds} seconds. For most of them it did not compute: it waited for "
            "something, or this computer was busy with other work. If your code has a `sleep` or an `input`, take it "
            "out; if not, run the check again when the computer is less busy."
        )
        words = [sentence(template, seconds=f"{limits.WALL_SECONDS:.0f}")]
    else:
        template = "Your code was stopped after {seconds} seconds of computing."
        words = [sentence(template, seconds=f"{limits.SECONDS:.0f}")]
    if output.length > many:
        template = "It had printed more than {many} characters by then: take the `print` out of your loop."
        words.append(sentence(template, many=f"{many:,}"))
    elif error is not limits.WallTimeUp:
        words.append("Look at the line that should end your loop, and at loops inside loops.")
    return together(*words)


def changed_settings(names):
    """Return the message for an answer that changes settings of torch. names: a list of the settings, in words."""
    template = (
        "Your code changes {names}, for all code that runs after it. Leave that line out. (The check has put it back.)"
    )
    return sentence(template, names=", ".join(names))


def changed_input(name):
    """Return the message for an answer that changes its input. name: of the argument, or None if it is not known."""
    look = "Look for `-=`, `/=`, `[...] =` or a method that ends in `_`, and make a new tensor instead."
    if name is None:
        template = (
            "Your code changes its input: whoever called it finds other numbers in one of them afterwards. {look}"
        )
        return sentence(template, look=look)
    template = "Your code changes its input: whoever called it finds other numbers in `{name}` afterwards. {look}"
    return sentence(template, name=name, look=look)


def second_look(raised):
    """Return the message for an answer that gives right numbers, but raises in a further test.

    raised: a sentence on that.
    """
    template = "The numbers are right at first. In a further test, a second call or a backward pass, it fails. {raised}"
    return sentence(template, raised=raised)


def printed(output):
    """Return a list with a note on what an answer printed; [] if that is nothing but line breaks. output: a Printed."""
    start = output.start.rstrip("\n")
    if not start:
        return []
    if output.length <= len(output.start):
        return [sentence("Your code printed: {start}", start=start)]
    template = "Your code printed {length} characters. They begin: {start} …"
    return [sentence(template, length=f"{output.length:,}", start=start)]
