"""Views whose tokens have no Latin letters, so that tests can find words that a view shows in English by mistake."""

import re

import torch

from course_utils import data, quiz, widgets

TOKENS = list("天地玄黄")
SENTENCE = list("天地玄黄宇宙洪荒日月盈昃辰宿列")
# Names of classes, arguments and methods, and words that the course's Chinese leaves in Latin letters.
KEPT = {
    *widgets.__all__, "Dropout", "Enter", "Esc", "False", "JupyterLab", "PNG", "PyTorch", "SVG", "True", "W_key",
    "W_query", "head_dim", "nan", "out_proj", "png", "reshape", "softmax", "svg", "transpose", "view",
}  # fmt: skip


def english(text):
    """Return the words of three or more Latin letters in a text that Chinese does not keep, as a sorted list."""
    return sorted({word for word in re.findall(r"[A-Za-z][A-Za-z_]{2,}", text)} - KEPT)


class Model:
    """A language model for a Writer, which writes one character after another."""

    def ids(self, text):
        return [SENTENCE.index(letter) for letter in text]

    def label(self, number):
        return SENTENCE[number]

    def write(self, ids, num_new, temperature=0.0, top_k=None, seed=0, need_weights=False):
        for number in range(len(ids), len(ids) + num_new):
            token = type("Token", (str,), {})(SENTENCE[number])
            token.id, token.logits = number, -(torch.arange(15) - number).abs().float()
            token.attn_weights = torch.arange(float(number)).softmax(-1).repeat(2, 2, 1)
            yield token


def views(tokens=TOKENS):
    """Return a dict from a name to a view, the same at each call: one of each class, and those with another beginning.

    tokens: four labels. Those that ask the reader something, Predict and Quiz, are in `questions`.
    """
    torch.manual_seed(0)
    weights = torch.rand(3, 2, 4, 4, generator=torch.Generator().manual_seed(0)).softmax(dim=-1)
    pair, numbers = data.load("sentence_pairs"), data.load("head_numbers")
    one, other = (pair[word].attn_weights[3, [1]] for word in ("weak", "steep"))
    scores = {width: torch.randn(20, 8) * width for width in (4, 64)}
    return {
        "heads": widgets.HeadsView(weights, tokens, compare=weights.flip(0)),
        "opened": widgets.HeadsView(one, SENTENCE, numbers=numbers["weak"]),
        "steps": widgets.StepScrubber(weights, tokens, curves={"损失": [3, 2, 1]}),
        "sentence": widgets.SentenceView(
            one, SENTENCE, compare=other, compare_tokens=[*SENTENCE[:-1], "张"],
            numbers=[numbers["weak"], numbers["steep"]],
        ),
        "guess": widgets.SentenceView(one, SENTENCE, guess=True, numbers=numbers["weak"]),
        "mask": widgets.MaskPainter(torch.rand(4, 4), tokens, mask=torch.eye(4).roll(1, 0).tril().bool()),
        "right way": widgets.ShapeTracer(),
        "wrong split": widgets.ShapeTracer(way=1),
        "scaling": widgets.ScalingLab(scores, temperature=0.1),
        "rotary": widgets.RotaryClock(torch.ones(4), torch.arange(4.0), [1.0, 0.1]),
        "after": widgets.RotaryClock(torch.ones(4), torch.arange(4.0), [1.0, 0.1], key_place=9),
        "writer": widgets.Writer(Model(), "天地玄", num_new=3),
        "lab": widgets.AttentionLab(lambda x: weights[0] * x, tokens, x=(0.0, 1.0)),
    }  # fmt: skip


def questions(tokens=TOKENS):
    """Return a dict from a name to a view that asks something: a Predict of each form, and a Quiz, in English."""
    return {
        "choice": widgets.Predict("who", "Who wins?", tokens[1], choices=tokens),
        "bars": widgets.Predict("row", "How much?", [0.1, 0.2, 0.3, 0.4], bars=tokens),
        "cells": widgets.Predict("cells", "Which?", torch.ones(4, 4).tril().bool(), rows=tokens),
        "quiz": quiz.view("start_here"),
    }
