"""Findings of behaviours whose sentences stand in the table of the exercise."""

from course_utils.checks.edits import TableError


def finding(exercise, id):
    """Return (id, message), what a behaviour yields: the message is the words of the exercise's Mistake with this id.

    Errors: TableError if no such mistake has words.
    """
    words = next((mistake.words for mistake in exercise.bank if mistake.id == id and mistake.words), None)
    if words is None:
        raise TableError(f"{id}: a behaviour of {exercise.name} finds it, so its row needs a sentence, `{id}: …`.")
    return id, words
