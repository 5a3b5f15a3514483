"""Where the lessons are, in a clone and in an installation.

A lesson is a folder named by its topic. As this module has a `__path__`, it is a package too: in both places,
`course_utils.lessons.dropout.exercises.evaluate` is the file lessons/dropout/exercises/evaluate.py.
"""

from course_utils.files import folder

FOLDER = folder("lessons")
__path__ = [str(FOLDER)]
