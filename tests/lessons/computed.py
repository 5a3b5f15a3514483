"""Format what the answers of the quizzes are computed to be: `answers` in quiz_answers.py of each lesson.

For each question, this generator yields a phrase of it; the text of the right choice, built from what it computed; and
any number of texts of wrong choices, built from what a mistake computes.
"""

from course_utils import checks, quiz

MEASURED = "the time of the fused kernel"  # a phrase of the one question whose answer is a time, which a clock measures


def shape(tensor):
    return str(tuple(tensor.shape))


def pair(numbers):
    return " and ".join(f"{number:.2f}" for number in numbers)


def row(tensor, form=".0f"):
    return " ".join(f"{number:{form}}" for number in tensor)


def wrong_of(name, id):
    return checks.all()[name].mistakes[id]


def asked(topic, phrase):
    """Return the one question of a quiz that holds the phrase, a dict."""
    (question,) = [question for question in quiz.load(topic) if phrase in question["question"]]
    return question
