"""Rules: checks of what a prompt forbids or demands. Each takes an answer and yields (mistake id, message).

A rule inspects the code, of a class typed into a notebook as well as of a function. Its message quotes the prompt, and
the quoted words are kept as `rule.prompt`.
"""

from .sentences import sentence
from .source import has_loop, names


def forbids(*ready_made: str, prompt: str):
    """Return a rule, a function of an answer that yields ("ready-made", message) if its code uses any of the names.

    ready_made: names of functions, classes or attributes, as `source.names` finds them; the message has the first used.
    prompt: words of the exercise's prompt, which the message quotes; they are also the rule's attribute `prompt`.
    """

    def rule(answer):
        if used := [name for name in ready_made if name in names(answer)]:
            template = "Your code uses `{name}`. The prompt says “{prompt}”."
            yield "ready-made", sentence(template, name=used[0], prompt=prompt)

    rule.prompt = prompt
    return rule


def demands(*wanted: str, prompt: str):
    """Return a rule, a function of an answer that yields ("not-used", message) if its code uses none of the names.

    wanted: names of functions, classes or attributes, as `source.names` finds them; the message has the first.
    prompt: words of the exercise's prompt, which the message quotes; they are also the rule's attribute `prompt`.
    """

    def rule(answer):
        if not set(wanted) & names(answer):
            template = "The numbers are right, and `{name}` is not used. The prompt says “{prompt}”."
            yield "not-used", sentence(template, name=wanted[0], prompt=prompt)

    rule.prompt = prompt
    return rule


def no_loop(exercise, answer):
    """Yield ("loop", message) if an answer's code has a loop. It is a hint: the prompt only says to try without one."""
    if has_loop(answer):
        template = "Your loop is right. The prompt says “{prompt}”: can one call do it for all at once?"
        yield "loop", sentence(template, prompt=no_loop.prompt)


no_loop.prompt = "Try it without a loop"
