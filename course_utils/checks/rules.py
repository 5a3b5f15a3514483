"""What a prompt forbids or demands in words. Each rule takes an answer and yields what it finds as (id, words).

A rule is read off the compiled code, so it holds for a class typed into a notebook as well as for a function. It quotes
the prompt, and keeps these words as `rule.prompt`.
"""

from .source import has_loop, names


def forbids(*ready_made, prompt):
    """Return a rule: none of these names may be called or read. prompt: the words of the prompt that say so."""

    def rule(answer):
        for name in ready_made:
            if name in names(answer):
                yield "ready-made", f"Your code uses `{name}`. The prompt says “{prompt}”."
                return

    rule.prompt = prompt
    return rule


def demands(*wanted, prompt):
    """Return a rule: one of these names must be called. prompt: the words of the prompt that say so."""

    def rule(answer):
        if not set(wanted) & names(answer):
            yield "not-used", f"The numbers are right, and `{wanted[0]}` is not used. The prompt says “{prompt}”."

    rule.prompt = prompt
    return rule


def no_loop(exercise, answer):
    """Yield a hint for a loop, which gives the right answer too: so the prompt says *try*."""
    if has_loop(answer):
        yield "loop", f"Your loop is right. The prompt says “{no_loop.prompt}”: can one call do it for all at once?"


no_loop.prompt = "Try it without a loop"
