"""The data of a Writer: a text, what was written after it, in one or more branches, and where the heads looked."""

import base64

import numpy as np

from course_utils import inputs
from course_utils.language import say

MOST_CANDIDATES = 6  # how many candidates of a token are kept
BREAK = "⏎"  # stands for a line break in a token
# What a head looked at when a token was written: nothing, or one, two or three tokens.
LOOKED = (
    "Layer {layer}, head {head} looked at nothing.",
    "Layer {layer}, head {head} looked most at {first}.",
    "Layer {layer}, head {head} looked most at {first}, then at {second}.",
    "Layer {layer}, head {head} looked most at {first}, then at {second} and {third}.",
)


class Written:
    """A text and its branches: each branch shares the beginning of another one, its parent, and has steps of its own.

    given: the labels of the text's tokens, a list. ids: their ids, a list. heads: the (layer, head) pairs whose weights
    are kept, or [] as long as they are unknown.
    branches: a list of dicts with "parent", the number of another branch; "start", how many of its steps are shared;
    and "steps", a list of dicts as `step_of` makes them. weights: bytes, the rows of all steps one after the other; a
    step's row begins at its "at" and has, for each head, one byte per token before it, as from `encoded`.
    """

    def __init__(self, given, ids, heads):
        self.given, self.ids = given, ids
        self.heads = [list(pair) if np.iterable(pair) else pair for pair in heads or []]
        self.branches, self.weights = [{"parent": 0, "start": 0, "steps": []}], b""

    def path(self, number):
        """Return all steps of a branch, a list of dicts: first those shared with the branch it began in, then its own.

        number: of the branch, an int.
        """
        branch = self.branches[number]
        shared = self.path(branch["parent"])[: branch["start"]] if branch["start"] else []
        return shared + branch["steps"]

    def add(self, number, after, step, row):
        """Add a step to a branch after its first `after` steps; if it has more, in a new branch that shares those.

        step: a dict; its stored copy gets "at", the place of its weights. row: an array (num_heads, num_keys). Returns
        the number of the branch that has the step.
        """
        if after < len(self.path(number)):
            self.branches.append({"parent": number, "start": after, "steps": []})
            number = len(self.branches) - 1
        self.branches[number]["steps"].append(step | {"at": len(self.weights)})
        self.weights += encoded(row)
        return number

    def row(self, number, place, head):
        """Return the weights (num_keys,) that a head had when a step was written, to the nearest 1/254.

        number: of the branch; place: of the step in its path; head: the index of a pair in `heads`.
        """
        num_keys = len(self.given) + place
        start = self.path(number)[place]["at"] + head * num_keys
        return decoded(self.weights[start : start + num_keys])

    def recording(self):
        """Return the text, its branches and the weights as a dict that can be stored as JSON; `Written.of` reads it.

        Its keys are "given", "ids", "heads", "branches" and, in base64, "weights".
        """
        weights = base64.b64encode(self.weights).decode()
        names = ("given", "ids", "heads", "branches")
        return {name: getattr(self, name) for name in names} | {"weights": weights}

    @classmethod
    def of(cls, recording):
        """Return a new Written with the text, the branches and the weights of one whose `recording()` was stored.

        recording: the dict that `recording()` returned, as it was or read from JSON. Errors: ValueError for any other.
        """
        try:
            written = cls(recording["given"], recording["ids"], recording["heads"])
            written.branches = [branch | {"steps": [*branch["steps"]]} for branch in recording["branches"]]
            written.weights = base64.b64decode(recording["weights"])
            sizes = [
                (step["at"], len(written.heads) * (len(written.given) + branch["start"] + place))
                for branch in written.branches
                for place, step in enumerate(branch["steps"])
            ]
        except (KeyError, TypeError, ValueError):
            raise ValueError("recorded must be what view.recording() returns, a dict, unchanged.") from None
        if sum(size for _, size in sizes) != len(written.weights):
            raise ValueError("the weights in recorded do not fit its steps: record the text again.")
        return written


def label_of(token, most=inputs.LONGEST):
    """Return a token's text so that a page can show it, cut if it is long, with "⏎" for each line break.

    token: a str. most: the most characters of it.
    """
    return inputs.showable(token.replace("\n", BREAK), most)


def plain(label):
    """Return a token's label as a sentence names it: without spaces around it, as `plain` in writing.js does.

    White space alone stands in quotes, and a sign for a line break is explained.
    """
    return (label.strip() or repr(label)) + (say(" (line break)") if BREAK in label else "")


def said(names, token, step, pair, weights):
    """Return a sentence about the chosen token, as `said` in writing.js does.

    names: of all tokens shown. token: the index of the chosen one. step: the step that wrote it, a dict, or None. pair:
    (layer, head). weights: of this head, (num_keys,); not used if step is None.
    """
    name = plain(names[token])
    if step is None:
        return say("{name} was given, not written.", name=name)
    _, share = step["candidates"][min(step["rank"], len(step["candidates"])) - 1]
    had = {"share": f"{share:.2f}", "rank": step["rank"], "temperature": f"{step['temperature']:g}"}
    start = say("{name} had a share of {share}, rank {rank}, at temperature {temperature}.", name=name, **had)
    most = [place for place in (-weights).argsort(kind="stable")[:3] if weights[place] >= 0.005]
    shares = (f"{plain(names[place])} ({weights[place]:.2f})" for place in most)
    places = dict(zip(("first", "second", "third"), shares, strict=False))
    return say("{sentence} {next}", sentence=start, next=say(LOOKED[len(most)], layer=pair[0], head=pair[1], **places))


def encoded(row):
    """Return weights, an array of any shape, as bytes: 0 to 254 for 0 to 1, to the nearest 1/254, and 255 for nan."""
    return np.where(np.isnan(row), 255, np.rint(np.clip(row, 0, 1) * 254)).astype("u1").tobytes()


def decoded(row):
    """Return the weights in bytes that `encoded` made, as an array (n,) of float64."""
    values = np.frombuffer(row, "u1").astype("f8")
    return np.where(values == 255, np.nan, values / 254)


def step_of(token, temperature, top_k, label):
    """Return the record of a written token, a dict with "token", "id", "temperature", "rank" and "candidates".

    token: a str with id and logits (vocab_size,), as SmolLM.write yields it. temperature, top_k: as it was chosen.
    label: a function from an id to its text. "rank" counts from 1. "candidates" is a list of [text, share], the largest
    first, and the token itself the last if it is not among the first six. A share is the probability with which a
    candidate was drawn; at temperature 0, where the largest is taken, it is that of temperature 1.
    """
    logits = inputs.as_floats(token.logits, "logits").astype("f8")
    order = np.argsort(-logits, kind="stable")
    rank = int(np.flatnonzero(order == token.id)[0])
    exps = np.exp((logits - logits[order[0]]) / (temperature or 1))
    if temperature and top_k:
        exps[order[top_k:]] = 0
    shares = exps / exps.sum()
    kept = order[:MOST_CANDIDATES].tolist() + ([token.id] if rank >= MOST_CANDIDATES else [])
    return {
        "token": label_of(str(token) or label(token.id)),
        "id": int(token.id),
        "temperature": float(temperature),
        "rank": rank + 1,
        "candidates": [[label_of(label(each), inputs.MOST_WIDE), round(float(shares[each]), 4)] for each in kept],
    }
