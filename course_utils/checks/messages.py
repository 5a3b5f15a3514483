"""The messages of a check, other than those of the mistakes in the bank; most are templates for `sentence`."""

from . import captured, limits
from .sentences import sentence, together

NOT_ATTEMPTED = "not attempted yet: replace the ... in {stub}, run the cell, and come back."
COURSES_OWN = "not attempted: this is the course's own solution. Write {stub} yourself, run the cell, and come back."
NOT_RECORDED = (
    "This is not recorded: it has the name of the notebook's own solution, `{name}`. If you wrote it yourself, give it "
    "another name."
)
LAST_TIME = "Last time, on {day}, the check said: {words}"
PASSED, PASSED_ON = "passed: {stub} is right.", "passed: {stub} is right on {inputs} inputs."
EITHER, FIRST = "More than one mistake looks like this. Either:", "Two things at once. First:"
MOSTLY = "Most of what is wrong looks like one mistake."
UNASKED = "On {label}, which nobody asked for, your answer is not right yet. {words}"
REPLACED = "Your notebook had put something else in the place of {names}. It is PyTorch's own again."
LEAK = (
    "Your code reads {names} from the notebook. In a fresh kernel, or on other inputs, that is wrong: use the "
    "arguments, `self`, or what can be read off a shape."
)
CHANGED_SETTINGS = (
    "Your code changes {names}, for all code that runs after it. Leave that line out. (The check has put it back.)"
)
CHANGED_INPUT = "Your code changes its input: whoever called it finds other numbers in `{name}` afterwards. {look}"
CHANGED_AN_INPUT = (
    "Your code changes its input: whoever called it finds other numbers in one of them afterwards. {look}"
)
LOOK = "Look for `+=`, `-=`, `*=`, `/=`, `[...] =` or a method that ends in `_`, and make a new tensor instead."
SECOND_LOOK = "The numbers are right at first. In a further test, a second call or a backward pass, it fails. {raised}"
STOPPED = "Your code was stopped after {seconds} seconds of computing."
STOPPED_WAITING = (
    "Your code was stopped after {seconds} seconds. For most of them it did not compute: it waited for something, or "
    "this computer was busy with other work. If your code has a `sleep` or an `input`, take it out; if not, run the "
    "check again when the computer is less busy."
)


def main_sentence(message: str) -> str:
    """Return the first sentence of a check's message, without introduction, such as FIRST, and final full stop.

    The beginning "On {label}:" stays.
    """
    for lead in (EITHER, FIRST, MOSTLY):
        message = message.rpartition(f"{lead} ")[2]
    return message.split(". ")[0].rstrip(".")


def alike(sentences: list[str]) -> str:
    """Return the message for an answer that several mistakes explain equally well; equal messages count once."""
    first, *others = dict.fromkeys(sentences)
    return together(EITHER, first, *(sentence("Or: {words}", words=words) for words in others)) if others else first


def on(label: str, words: str) -> str:
    """Return a message on one input: "On {label}: {words}". label: of the input. words: what is wrong there."""
    return sentence("On {label}: {words}", label=label, words=words)


def timed_out(error: type[limits.TimeUp], output: captured.Printed) -> str:
    """Return the message for a stopped answer. error: TimeUp or WallTimeUp. output: what the answer had printed."""
    many = 100 * captured.MOST_PRINTED  # the message has this number, not the count, so that it is the same each time
    waited = error is limits.WallTimeUp
    seconds = limits.WALL_SECONDS if waited else limits.SECONDS
    words = [sentence(STOPPED_WAITING if waited else STOPPED, seconds=f"{seconds:.0f}")]
    if output.length > many:
        template = "It had printed more than {many} characters by then: take the `print` out of your loop."
        words.append(sentence(template, many=f"{many:,}"))
    elif not waited:
        words.append("Look at the line that should end your loop, and at loops inside loops.")
    return together(*words)


def printed(output: captured.Printed) -> list[str]:
    """Return a list with a note on what an answer printed; [] if that is nothing but line breaks."""
    start = output.start.rstrip("\n")
    if not start:
        return []
    if output.length <= len(output.start):
        return [sentence("Your code printed: {start}", start=start)]
    template = "Your code printed {length} characters. They begin: {start} …"
    return [sentence(template, length=f"{output.length:,}", start=start)]
