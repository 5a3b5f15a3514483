"""Rules: checks of what a prompt forbids or demands. Each takes an answer and yields its findings as (id, message).

A rule inspects the compiled code, so it works for a class typed into a notebook as well as for a function. Its message
quotes the prompt, and the quoted words are kept as `rule.prompt`.
"""

from .source import has_loop, names


def forbids(*ready_made, prompt):
    """Return a rule, which yields ("ready-made", message) for an answer that calls or reads one of some names.

    A rule is a function of an answer. ready_made: the forbidden names. prompt: the words of the prompt that forbid
    them, which the message quotes.
    """

    def rule(answer):
        for name in ready_made:
            if name in names(answer):
                yield "ready-made", f"Your code uses `{name}`. The prompt says “{prompt}”."
                return

    rule.prompt = prompt
    return rule


def demands(*wanted, prompt):
    """Return a rule, which yields ("not-used", message) for an answer that calls and reads none of some names.

    A rule is a function of an answer. wanted: the names, the best known first. prompt: the words of the prompt that
    demand one, which the message quotes.
    """

    def rule(answer):
        if not set(wanted) & names(answer):
            yield "not-used", f"The numbers are right, and `{wanted[0]}` is not used. The prompt says “{prompt}”."

    rule.prompt = prompt
    return rule


def no_loop(exercise, answer):
    """Yield ("loop", hint) if an answer has a loop, which is right, too: the prompt only says *try* to do without.

    exercise: not used; a hint must take it. answer: the learner's function or class.
    """
    if has_loop(answer):
        yield "loop", f"Your loop is right. The prompt says “{no_loop.prompt}”: can one call do it for all at once?"


no_loop.prompt = "Try it without a loop"
