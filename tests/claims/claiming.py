"""A claim is a sentence of a page that goes beyond the output beside it, with the function that tries it again."""

from typing import NamedTuple


class Claim(NamedTuple):
    """sentence: as it stands in the cell. over: what it is tried on, "8 seeds". quick: a few seconds, so CI runs it."""

    topic: str
    cell: str
    sentence: str
    over: str
    quick: bool
    attempt: object


CLAIMS = []


def claim(topic, cell, sentence, *, over, quick=False):
    """Keep a function that returns whether the sentence holds, and in words what was found.

    topic, cell: the notebook, and the id of the cell in which the sentence stands, markup and line breaks aside.
    over: the seeds, sizes or sentences that it is tried on, at least five or several; "" for a claim about one example.
    """

    def keep(attempt):
        CLAIMS.append(Claim(topic, cell, sentence, over, quick, attempt))
        return attempt

    return keep
