"""ShapeTracer: a view that traces a number through the split and merge of heads, the right way and two wrong ways."""

from itertools import product

import torch
import traitlets as t

from course_utils.inputs import check_whole
from course_utils.language import say
from course_utils.widgets.shapes.shapes_picture import LETTERS, draw_stage, html, place
from course_utils.widgets.shared.svg import moved, text
from course_utils.widgets.shared.view import View, in_range

MOST_FEATURES = 16
NO_BATCH = "The batch axis is left out: each sample goes the same way."
MARKED = "{ stroke: #111111; stroke-width: 5; paint-order: stroke }"  # as shapes.css marks the chosen number
STAGES = 5  # of the right way; a wrong one leaves out a transpose
# The axes of a stage, from the first to the last; "row" is the axis of tokens.
OUTPUT = ("row", "column")
BY_ROW, BY_HEAD = ("row", "head", "column"), ("head", "row", "column")


class ShapeTracer(View):
    """A view in which the reader follows a number through the split and merge of heads, the right way or a wrong one.

    num_tokens: 1 to 6. num_heads, head_dim: at least 1; num_heads * head_dim is at most 16. There is no batch axis.
    state: number, the index of the number chosen at first, counted row by row through the input (default: the last of
    the second token), and way, the way chosen at first: 0 is the right one (default), 1 a wrong split, 2 a wrong merge.
    Errors: ValueError for other sizes or choices.
    """

    script = "shapes.js"

    ways = t.List(t.Dict()).tag(sync=True)
    names = t.List(t.Unicode()).tag(sync=True)
    way = t.Int(0).tag(sync=True)
    number = t.Int(0).tag(sync=True)

    def __init__(self, num_tokens=3, num_heads=2, head_dim=2, **state):
        for name, size in {"num_tokens": num_tokens, "num_heads": num_heads, "head_dim": head_dim}.items():
            check_whole(name, size)
        d_out = num_heads * head_dim
        if num_tokens > len(LETTERS) or d_out > MOST_FEATURES:
            raise ValueError(
                f"ShapeTracer draws up to {len(LETTERS)} tokens and {MOST_FEATURES} features (num_heads * head_dim), "
                f"got {num_tokens} tokens and {num_heads} * {head_dim} = {d_out} features."
            )
        self.sizes, self._paths = (num_tokens, num_heads, head_dim), paths(num_tokens, num_heads, head_dim)
        self._stages = [[draw_stage(*stage, d_out) for stage in stages] for stages in self._paths.values()]
        super().__init__(
            ways=[
                {
                    "name": name,
                    "summary": say("{sentence} {next}", sentence=summary(path, d_out), next=say(NO_BATCH)),
                    "html": "".join(map(html, stages)),
                }
                for (name, path), stages in zip(self._paths.items(), self._stages, strict=True)
            ],
            names=[
                say("token {letter}, feature {number}", letter=letter, number=feature)
                for letter, feature in product(LETTERS[:num_tokens], range(d_out))
            ],
            number=state.pop("number", min(2, num_tokens) * d_out - 1),
            **state,
        )

    @t.validate("way", "number")
    def _in_range(self, proposal):
        return in_range(proposal, len({"way": self.ways, "number": self.names}[proposal.trait.name]))

    def picture(self):
        stages, top, left, parts = self._stages[self.way], 56, 8, []
        for stage in stages:
            parts += [text(left, 15 + 16 * line, words, 12) for line, words in enumerate(stage[:3])]
            parts.append(moved(left, top, stage.svg))
            left += max(stage.width, 7 * len(stage.code)) + 24
        style = f"rect + text {{ text-anchor: middle }} rect[data-n='{self.number}'] {MARKED}"
        inside = f'<style>{style}</style><g font-size="12">{"".join(parts)}</g>'
        return inside, left - 8, max(stage.height for stage in stages) + top

    def alt(self):
        steps = say(", ").join(f"{stage.title} {stage.shape}" for stage in self._stages[self.way])
        template = "The {way}, each number in the colour of its token: {steps}. {summary}"
        way = self.ways[self.way]
        return say(template, way=way["name"], steps=steps, summary=way["summary"])

    def __repr__(self):
        num_tokens, num_heads, head_dim = self.sizes
        shapes = " -> ".join(stage.shape for stage in self._stages[0])
        counted = {name: foreign_rows(stages, num_heads * head_dim) for name, stages in self._paths.items()}
        mixed = [
            say("{name} {number} of {total}", name=name, number=len(foreign), total=total)
            for name, (foreign, total) in counted.items()
        ]
        template = (
            "ShapeTracer: {tokens} tokens, {heads} heads x {features} features; {shapes}; rows that hold another "
            "token's numbers: {mixed}"
        )
        places = {"tokens": num_tokens, "heads": num_heads, "features": head_dim, "shapes": shapes}
        return say(template, **places, mixed=say(", ").join(mixed))


def paths(num_tokens, num_heads, head_dim):
    """Return every stage of each way through split and merge.

    Returns a dict: name of the way -> list of stages (title, code, names of the axes, tensor of numbers). A number is
    its own index in the input (num_tokens, num_heads * head_dim), counted row by row.
    """
    d_out = num_heads * head_dim
    per_token, per_head = (num_tokens, num_heads, head_dim), (num_heads, num_tokens, head_dim)
    x = torch.arange(num_tokens * d_out).view(num_tokens, d_out)
    split = x.view(per_token)
    heads = split.transpose(-3, -2)
    wrong = x.view(per_head)
    swap, reshape = ".transpose(-3, -2)", f".reshape({num_tokens}, {d_out})"
    start = (say("input"), "x", OUTPUT, x)
    right = [start, (say("split"), f".view{per_token}", BY_ROW, split), (say("heads"), swap, BY_HEAD, heads)]
    wrong_split, wrong_merge = say("wrong split"), say("wrong merge")
    return {
        say("right way"): [*right, *_merged(heads, swap, reshape)],
        wrong_split: [start, (wrong_split, f".view{per_head}", BY_HEAD, wrong), *_merged(wrong, swap, reshape)],
        wrong_merge: [*right, (wrong_merge, reshape, OUTPUT, heads.reshape(x.shape))],
    }


def _merged(heads, swap, reshape):
    rows = heads.transpose(-3, -2)
    return [(say("merge"), swap, BY_ROW, rows), (say("output"), reshape, OUTPUT, rows.reshape(len(rows), -1))]


def foreign_rows(stages, d_out):
    """Find the rows of a way that hold numbers of another token than their own.

    The two stages after the input are searched first, then the output; the first stage with such rows counts.
    stages: one value of the dict of `paths`. d_out: numbers per token. Returns a tuple: a list of (place of the row in
    words, list of its numbers), empty if there are none, and how many rows the stage has.
    """
    for _, _, axes, numbers in (*stages[1:3], stages[-1]):
        rows, places = numbers.flatten(0, -2).tolist(), product(*map(range, numbers.shape[:-1]))
        foreign = [
            (place(axes, indices), row)
            for indices, row in zip(places, rows, strict=True)
            if any(number // d_out != indices[axes.index("row")] for number in row)
        ]
        if foreign:
            break
    return foreign, len(rows)


def summary(stages, d_out):
    """Return a text that says how many rows of a way mix tokens, with the first as an example, or that none does.

    stages: one value of the dict of `paths`. d_out: numbers per token.
    """
    foreign, total = foreign_rows(stages, d_out)
    if not foreign:
        if len(stages) == STAGES:
            return say("Nothing is mixed: every row holds the numbers of its own token.")
        return say("Nothing is mixed at this size: every row holds the numbers of its own token.")
    place, numbers = foreign[0]
    names = " ".join(f"{LETTERS[number // d_out]}{number % d_out}" for number in numbers)
    template = "Mixed: {number} of {total} rows hold numbers of another token. For example {place}: {names}."
    return say(template, number=len(foreign), total=total, place=place, names=names)
