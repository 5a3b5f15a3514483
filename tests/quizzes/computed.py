"""Keeps the functions that compute the answers of the quizzes, and what they share.

A function returns the text of the right choice, made of what it computed. After it may come the texts of wrong choices,
made of what a mistake computes.
"""

from course_utils import checks, quiz

COMPUTED = {}  # (topic of the notebook, a phrase of the question) -> function
MEASURED = "the time of the fused kernel"  # the one number that only a clock can tell: pytorch_attention measures it


def answers(topic, phrase):
    def keep(compute):
        COMPUTED[topic, phrase] = compute
        return compute

    return keep


def shape(tensor):
    return str(tuple(tensor.shape))


def pair(numbers):
    return " and ".join(f"{number:.2f}" for number in numbers)


def row(tensor, form=".0f"):
    return " ".join(f"{number:{form}}" for number in tensor)


def wrong_of(name, id):
    return checks.all()[name].mistakes[id]


def asked(topic, phrase):
    """The one question of this quiz that holds the phrase."""
    (question,) = [question for question in quiz.load(topic) if phrase in question["question"]]
    return question
