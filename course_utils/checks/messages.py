"""The messages of a check, other than those of the mistakes in the bank."""

from . import limits, running

EITHER, FIRST = "More than one mistake looks like this. Either: ", "Two things at once. First: "
MOSTLY = ", and most of what is wrong, it looks like this. "


def not_attempted(stub):
    """Return the message for an answer that is still empty. stub: its name."""
    return f"not attempted yet: replace the ... in {stub}, run the cell, and come back."


def passed(exercise, inputs):
    """Return the message for a right answer. exercise: an Exercise. inputs: on how many inputs it was tried."""
    tried = f" on {inputs} inputs" if inputs > 1 else ""
    return f"passed: {exercise.stub} is right{tried}."


def alone(message):
    """Return the sentence of a check's message that says what is wrong, without introduction and final full stop."""
    for lead in (EITHER, FIRST, MOSTLY):
        message = message.rpartition(lead)[2]
    return message.split(". ")[0].rstrip(".")


def alike(sentences):
    """Return the message for mistakes of which each alone explains everything wrong. sentences: the words of each."""
    sentences = list(dict.fromkeys(sentences))
    if len(sentences) == 1:
        return sentences[0]
    return EITHER + " Or: ".join(sentences)


def both(sentences):
    """Return the message for two mistakes that together explain everything wrong. sentences: the words of the two."""
    return f"{FIRST}{sentences[0]} Then: {sentences[1]}"


def mostly(sentence, label):
    """Return the message for a mistake that explains most of what is wrong. sentence: its words. label: of an input."""
    return f"On {label}{MOSTLY}{sentence}"


def on(label, words):
    """Return a message on one input. label: of the input. words: what is wrong there."""
    return f"On {label}: {words}"


def unasked(label, words):
    """Return the hint on an input that no prompt asks for. label: of the input. words: what is wrong there."""
    return f"On {label}, which nobody asked for, your answer is not right yet. {words}"


def replaced(names):
    """Return the note on functions of PyTorch that the notebook had replaced, in a list; [] if `names` is empty."""
    if not names:
        return []
    what = ", ".join(f"`{name}`" for name in names)
    return [f"Your notebook had put something else in the place of {what}. It is PyTorch's own again."]


def leak(names):
    """Return the message for an answer that reads variables of the notebook. names: of those."""
    what = ", ".join(f"`{name}`" for name in names)
    return (
        f"Your code reads {what} from the notebook. In a fresh kernel, or on other inputs, that is wrong: use the "
        "arguments, `self`, or what can be read off a shape."
    )


def timed_out(error, output):
    """Return the message for an answer that was stopped.

    error: the type of the exception that stopped it, limits.TimeUp or WallTimeUp. output: a running.Printed.
    """
    stopped = f"Your code was stopped after {limits.SECONDS:.0f} seconds of computing."
    if error is limits.WallTimeUp:
        stopped = (
            f"Your code was stopped after {limits.WALL_SECONDS:.0f} seconds. For most of them it did not compute: it "
            "waited for something, or this computer was busy with other work. If your code has a `sleep` or an "
            "`input`, take it out; if not, run the check again when the computer is less busy."
        )
    many = 100 * running.SHOWN  # the message has this number, not the count, so that it is the same each time
    if output.length > many:
        return f"{stopped} It had printed more than {many:,} characters by then: take the `print` out of your loop."
    if error is limits.WallTimeUp:
        return stopped
    return f"{stopped} Look at the line that should end your loop, and at loops inside loops."


def changed_settings(names):
    """Return the message for an answer that changes settings of torch. names: of those, in words."""
    return (
        f"Your code changes {', '.join(names)}, for all code that runs after it. Leave that line out. (The check has "
        "put it back.)"
    )


def changed_input(name):
    """Return the message for an answer that changes its input. name: of the argument, or None if it is not known."""
    where = f"in `{name}`" if name else "in one of them"
    return (
        f"Your code changes its input: whoever called it finds other numbers {where} afterwards. Look for `-=`, `/=`, "
        "`[...] =` or a method that ends in `_`, and make a new tensor instead."
    )


def second_look(raised):
    """Return the message for an error in a further test, after the numbers were right.

    raised: a sentence on the error.
    """
    return f"The numbers are right at first. In a further test, a second call or a backward pass, it fails. {raised}"


def printed(output):
    """Return the note on what an answer printed, in a list; [] if it printed nothing. output: a running.Printed."""
    start = output.start.rstrip("\n")
    if not start:
        return []
    if output.length <= len(output.start):
        return [f"Your code printed: {start}"]
    return [f"Your code printed {output.length:,} characters. They begin: {start} …"]
