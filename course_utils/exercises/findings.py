"""Findings of behaviours whose sentences stand in the table of the exercise."""

from course_utils.checks.edits import TableError


def finding(exercise, id):
    """Return (id, the sentence in that row of the exercise's tables). Errors: TableError if no row has one."""
    words = next((mistake.words for mistake in exercise.bank if mistake.id == id and mistake.words), None)
    if words is None:
        raise TableError(f"{id}: a behaviour of {exercise.name} finds it, so its row needs a sentence, `{id}: …`.")
    return id, words
