"""Register the functions that compute the answers of the quizzes, and format their results.

Such a function takes no arguments. It returns the text of the right choice, built from what it computed; or a tuple of
that and the texts of wrong choices, built from what a mistake computes.
"""

from course_utils import checks, quiz

COMPUTED = {}  # (topic of the notebook, a phrase of the question) -> function
MEASURED = "the time of the fused kernel"  # a phrase of the one question whose answer is a time, which a clock measures


# Return a decorator that registers a function for the question of a quiz that holds this phrase.
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
    """Return the one question of a quiz that holds the phrase, a dict."""
    (question,) = [question for question in quiz.load(topic) if phrase in question["question"]]
    return question
