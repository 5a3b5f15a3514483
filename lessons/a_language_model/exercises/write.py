"""`my_write(read, ids, num_new, end)`: go on with the likeliest token, and give `read` each token once."""

from course_utils.checks.exercise import Exercise

from .reading import ids_stay, last_is_read, written_after


def write_solution(read, ids, num_new, end):
    written, unread = [], ids
    for _ in range(num_new):
        chosen = read(unread).argmax().item()
        if chosen in end:
            break
        written.append(chosen)
        unread = [chosen]  # all before it has been read
    return written


def cases(draw):
    yield "4 tokens after 3", [5, 8, 2], [7, 7, 31, 6, 9], 4, {0, 2}
    yield "an end token after 2", [4, 11], [9, 3, 0, 5, 6], 4, {0}
    yield "another of two end tokens, after 3", [4, 11, 6], [9, 3, 12, 40, 6], 5, {0, 40}
    yield "an end token at once", [4, 11, 6, 6], [17, 3, 5], 3, {17, 18}
    yield "an end token in the beginning, which ends nothing", [1, 9, 0], [9, 3, 8], 3, {0, 1}
    yield "no end tokens", [7], [0, 2, 4, 1, 3, 9], 6, set()
    yield "a single new token", [3, 3], [8, 5], 1, {0}
    yield "a beginning of 30 tokens", [*range(10, 40)], [2, 3, 44, 0, 7], 5, {0, 1}
    yield "the likeliest tokens of a model", [72, 101, 40], None, 6, {0, 1}


MISTAKES = """
whole-again: `read` is given the beginning again. It keeps what it has read: now give it the newest token alone.
    unread = [chosen] -> unread = ids + written
    or
    unread = [chosen] -> unread = unread + [chosen]
written-again: `read` is given all new tokens each time. It keeps what it has read: give it the newest alone.
    unread = [chosen] -> unread = list(written)
beginning-again: `read` is given the beginning at each step. Once is enough: next comes the newest token, `[chosen]`.
    unread = [chosen] ->
read-twice: You call `read` twice for the same tokens, and it reads them twice. Keep what the first call returns.
    chosen = read(unread) -> logits = read(unread) ⏎ chosen = read(unread)
last-again: The last token of the beginning is read twice. The scores for the first new one come from `read(ids)`.
    written, unread = [], ids -> read(ids) ⏎ written, unread = [], ids[-1:]
first-dropped: The token after the beginning was read, and is not in your list. Append it as well.
    unread = [], ids -> unread = [], [read(ids).argmax().item()]
beginning-unread: `read` never sees the beginning, or not all of it. The first call is `read(ids)`.
    unread = [], ids -> unread = [], ids[-1:]
end-kept: The end token stands in your list. It does not belong to the text: ask `if chosen in end` before you append.
    if chosen in end:…written.append(chosen) -> written.append(chosen) ⏎ if chosen in end: ⏎     break
end-ignored: An end token does not end your text. Ask `if chosen in end`, and leave the loop with `break`.
    if chosen in end:…break ->
end-skipped: The text goes on after an end token, and leaves it out. It ends there: leave the loop, with `break`.
    break -> continue
    or
    break -> unread = [chosen] ⏎ continue
    or
    if chosen in end:…written.append(chosen) -> if chosen not in end: ⏎     written.append(chosen)
one-end-token: Your text ends at one of the end tokens. `end` is a set, and any token of it ends the text: `in end`.
    chosen in end -> chosen == min(end, default=None)
    or
    chosen in end -> chosen == max(end, default=None)
end-typed: You typed in which token ends the text. That differs from model to model: ask `if chosen in end`.
    chosen in end -> chosen == 0
end-in-beginning: An end token in the beginning ends your text. A token that the model writes does: `chosen in end`.
    for _ in range(num_new): -> for _ in range(num_new): ⏎     if end & {*unread}: ⏎         break
all-lost: At an end token, what was written before is lost. Leave the loop with `break`, then return it.
    break -> return []
beginning-returned: The beginning comes back as well. Return the new tokens alone.
    return written -> return ids + written
one-too-few: Your list is one token too short. The loop runs `num_new` times, and the first token comes of `read(ids)`.
    range(num_new) -> range(num_new - 1)
beginning-counted: `num_new` counts the new tokens alone, and yours counts the beginning as well.
    range(num_new) -> range(num_new - len(ids))
least-likely: You took the lowest score. The likeliest token has the highest: `argmax`.
    argmax -> argmin
score-for-token: You took the score itself. The token is its place among the scores: `argmax`, not `max`.
    argmax -> max
number-for-list: `read` is given a bare number. It takes a list, also for one token: `[chosen]`.
    [chosen] -> chosen
ids-changed: Your code changes the list `ids`, which belongs to the caller. Begin a new one, `written = []`.
    written.append(chosen) -> written.append(chosen) ⏎ ids.append(chosen)
"""

exercise = Exercise(
    write_solution,
    cases,
    MISTAKES,
    outputs=("new_tokens",),
    observe=written_after,
    behaviours=(ids_stay,),
    hints=(last_is_read,),
)
