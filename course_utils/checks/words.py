"""What a check says when no mistake of the bank says it better."""

from . import running


def not_attempted(stub):
    return f"not attempted yet: replace the ... in {stub}, run the cell, and come back."


def passed(exercise, inputs):
    tried = f" on {inputs} inputs" if inputs > 1 else ""
    return f"passed: {exercise.stub} is right{tried}."


def alike(sentences):
    """sentences: what there is to say about each mistake that explains all that is wrong."""
    sentences = list(dict.fromkeys(sentences))
    if len(sentences) == 1:
        return sentences[0]
    return "More than one mistake looks like this. Either: " + " Or: ".join(sentences)


def both(sentences):
    """sentences: what there is to say about each of two mistakes that together explain all that is wrong."""
    return f"Two things at once. First: {sentences[0]} Then: {sentences[1]}"


def mostly(sentence):
    return f"{sentence} Something else is wrong as well: look again once this is right."


def leak(names):
    what = ", ".join(f"`{name}`" for name in names)
    return (
        f"Your code reads {what} from the notebook. In a fresh kernel, or on other inputs, that is wrong: use the "
        "arguments, `self`, or what can be read off a shape."
    )


def timed_out():
    return (
        f"Your code was stopped after {running.SECONDS:.0f} seconds. Look at the line that should end your loop, "
        "and at loops inside loops."
    )


def changed_settings(names):
    return (
        f"Your code changes {', '.join(names)}, for all code that runs after it. Leave that line out. (The check has "
        "put it back.)"
    )


def changed_input(name):
    return (
        f"Your code changes its input: whoever called it finds other numbers in `{name}` afterwards. Look for `-=`, "
        "`/=`, `[...] =` or a method that ends in `_`, and make a new tensor instead."
    )


def second_look(raised):
    return f"The numbers are right at first. In a further test, a second call or a backward pass, it fails. {raised}"


def printed(output):
    """output: what the answer printed, with its length. Returns a list of no note, or one."""
    start = output.start.rstrip("\n")
    if not start:
        return []
    if output.length <= len(output.start):
        return [f"Your code printed: {start}"]
    return [f"Your code printed {output.length:,} characters. They begin: {start} …"]
