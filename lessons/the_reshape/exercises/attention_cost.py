"""`my_cost(num_tokens, d_out, num_heads)`: what attention costs, in three counts."""

import contextlib

import torch

from course_utils.checks import outcome, running
from course_utils.checks.exercise import Exercise
from course_utils.checks.sentences import sentence, together
from course_utils.lessons.whole_numbers import as_count, no_floats


def cost_solution(num_tokens, d_out, num_heads):
    projections = 4 * num_tokens * d_out**2  # queries, keys, values, out_proj
    products = 2 * num_tokens**2 * d_out  # per head num_tokens² · head_dim, times num_heads
    kept = num_heads * num_tokens**2
    return projections, products, kept


def cases(draw):
    yield "100 tokens, 512 wide, 8 heads", 100, 512, 8
    yield "2,000 tokens, 512 wide, 8 heads", 2000, 512, 8
    yield "7 tokens, 6 wide, 2 heads", 7, 6, 2
    yield "one head", 10, 4, 1
    yield "a single token", 1, 12, 3


def counted(answer, *sizes):
    """Call an answer with sizes; return its three counts, a tuple of float64 tensors.

    Errors: Refused for anything else.
    """
    counts = answer(*sizes)
    if counts is None:
        raise outcome.Refused("It ran to its end and gave nothing back: the last line needs a `return`.")
    if not isinstance(counts, tuple | list) or len(counts) != 3:
        raise outcome.Refused("Three numbers are asked for, in this order: `return projections, products, kept`.")
    return tuple(map(as_count, counts))


class Counts(Exercise):
    """An exercise whose answer is three formulas: a mistake that no row names is explained by how the counts grow."""

    def check(self, answer):
        report = super().check(answer)
        if report.status == "failed" and report.pair and not report.named:
            explanations = []
            running.run_limited(lambda: explanations.extend(wrong_growth(self, answer)))
            report.message = explanations[0] if explanations else report.message
        return report


def wrong_growth(exercise, answer):
    """Yield messages, str, on each of an answer's three counts that is wrong, by how it grows when a size is doubled.

    For each count: a message for each size with a wrong factor of growth, then one if the count itself is wrong.
    Nothing comes if the answer raises an error. exercise: the Exercise, whose solution is compared.
    """
    start, doubled = (6, 16, 4), {"num_tokens": (12, 16, 4), "d_out": (6, 32, 4), "num_heads": (6, 16, 8)}
    with contextlib.suppress(Exception):  # if an answer stops on these sizes, the report stays as it was
        ours, theirs = (
            [counted(formulas, *sizes) for sizes in (start, *doubled.values())]
            for formulas in (answer, exercise.solution)
        )
        for index, name in enumerate(map(outcome.in_words, exercise.outputs)):
            for size, mine, right in zip(doubled, ours[1:], theirs[1:], strict=True):
                grown, should = (many[index] / few[index] for many, few in ((mine, ours[0]), (right, theirs[0])))
                if grown.isfinite() and not torch.isclose(grown, should):
                    yield together(*_on_growth(size, name, f"{grown:.5g}", f"{should:.5g}"))
            if not torch.isclose(ours[0][index], theirs[0][index]):
                template = "You count {times} times as many {name} as there are: count them anew."
                yield sentence(template, times=f"{ours[0][index] / theirs[0][index]:.6g}", name=name)


def _on_growth(size, name, times, needed):
    """Yield sentences for the learner on a count that grows by a wrong factor when a size is doubled.

    size: the name of the size. name: that of the count. times, needed: the answer's factor and the right one, str.
    """
    if times == "1":
        yield sentence("With `{size}` twice as large, your {name} stay as many.", size=size, name=name)
    else:
        template = "With `{size}` twice as large, your {name} become {times} times as many."
        yield sentence(template, size=size, name=name, times=times)
    if needed == "1":
        yield "They should stay as many."
    else:
        yield sentence("They should become {needed} times as many.", needed=needed)
    yield "Write down n, k and m of each matrix product, and how many such products there are."


MISTAKES = """
out-proj-uncounted: One projection is missing: queries, keys, values, and the output projection make four.
    4 * num_tokens -> 3 * num_tokens
projections-times-heads: The four projections serve all heads together, `d_out` wide: leave `num_heads` out.
    4 * num_tokens * d_out**2 -> (3 + num_heads) * num_tokens * d_out**2
bias-counted: You counted biases. There are none here, and a bias is added, not multiplied.
    4 * num_tokens * d_out**2 -> 4 * num_tokens * (d_out**2 + d_out)
    or
    4 * num_tokens * d_out**2 -> 4 * num_tokens * d_out**2 + d_out
parameters-counted: You counted the numbers in the four matrices. Each token meets each of them: times `num_tokens`.
    4 * num_tokens * d_out**2 -> 4 * d_out**2
additions-counted: Your counts are too large, as with additions. Count multiplications alone: n · k · m for a product.
    4 * num_tokens -> 8 * num_tokens
    2 * num_tokens**2 -> 4 * num_tokens**2
    or
    4 * num_tokens * d_out**2 -> 4 * num_tokens * d_out * (2 * d_out - 1)
product-as-projection: The tokens enter squared, the width once: `(n, head_dim)` with `(head_dim, n)`, and back.
    2 * num_tokens**2 * d_out -> num_tokens**2 * d_out + num_tokens * d_out**2
mix-uncounted: There are two products: queries with keys, and weights with values. Each costs the same.
    2 * num_tokens**2 -> num_tokens**2
cost-times-heads: More heads do not make the products dearer: each is narrower. All together are `d_out` wide.
    2 * num_tokens**2 * d_out -> 2 * num_tokens**2 * d_out * num_heads
one-head-counted: You counted one head's products. Add up all heads: `num_heads * head_dim` is `d_out`.
    2 * num_tokens**2 * d_out -> 2 * num_tokens**2 * (d_out // num_heads)
heads-uncounted: Each head keeps a table of its own: the weights are `num_heads` tables.
    num_heads * num_tokens**2 -> num_tokens**2
causal-half: You left the masked weights out. They are computed and kept too, as zeros: count the whole table.
    num_heads * num_tokens**2 -> num_heads * num_tokens * (num_tokens + 1) // 2
parameters-kept: You counted parameters, which are learnt. Count weights: in each head, one for each query and key.
    num_heads * num_tokens**2 -> 4 * d_out**2
xor-for-power: In Python `^` is no power: it compares the bits of two numbers. Write `**`.
    **2 ->> ^2
    or
    d_out**2 -> d_out^2
causal-half: You left the masked cells out. They are computed as well, and hidden afterwards: count the whole table.
    2 * num_tokens**2 * d_out -> num_tokens * (num_tokens + 1) * d_out
    or
    2 * num_tokens**2 * d_out -> num_tokens * (num_tokens + 1) * d_out
    num_heads * num_tokens**2 -> num_heads * num_tokens * (num_tokens + 1) // 2
    or
    2 * num_tokens**2 * d_out -> 2 * (num_tokens * (num_tokens + 1) // 2) * d_out
    num_heads * num_tokens**2 -> num_heads * (num_tokens * (num_tokens + 1) // 2)
counts-swapped: Projections and products have changed places: `return projections, products, kept`.
    return projections, products -> return products, projections
products-in-both: The products are counted among the projections too. Keep the two counts apart.
    return projections, -> return projections + products,
"""

FLOATS = "The counts are right, and one is a float. Whole numbers are asked for: divide with `//`, not with `/`."
MUST_HOLD = (no_floats("float-size", FLOATS),)
OUTPUTS = ("projections", "products", "kept_weights")
exercise = Counts(cost_solution, cases, MISTAKES, outputs=OUTPUTS, observe=counted, behaviours=MUST_HOLD)
exercise.stub = "my_cost"  # the name on the page
