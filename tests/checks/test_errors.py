"""Test how errors in a learner's code are explained: with the shapes involved, and a change that really works."""

import pytest
import torch
from snippets import arguments, names, run

from course_utils.checks import errors


def explanation(snippet, source=True):
    """Return the explanation of the error that a snippet raises; raise what `explain` hides if explaining fails."""
    error, space = run(snippet, source)
    return (errors._first(errors.StoppedCode(errors.Caught(error), space)) or "").replace('"', "'")


# (the learner's code, words of the explanation, the suggested change,
#  the repaired line if the change is only a part of it, or None if the change alone cannot run)
CASES = [
    ("torch.tensor([torch.rand])", "one of them is a function", "", ""),
    ("torch.tensor([silent(1.0), 2.0])", "one of them is `None`", "", ""),
    ("queries @ keys", "(2, 5, 4) meets (2, 5, 4). A product needs the last axis of the left, 4, and the "
     "second-to-last of the right, 5, to be equal", "keys.transpose(-2, -1)", "queries @ keys.transpose(-2, -1)"),
    ("scores @ values.transpose(1, 2)", "meets (2, 4, 5)", "values", "scores @ values"),
    ("values @ scores", "(2, 5, 4) meets (2, 5, 5)", "scores @ values", ""),
    ("scores @ lens", "only axis of the right, 2", "", ""),
    ("torch.bmm(queries, keys)", "meets (2, 5, 4)", "keys.transpose(-2, -1)", "queries @ keys.transpose(-2, -1)"),
    ("torch.matmul(table[0], table)", "(4,) meets (5, 4)", "table.transpose(-2, -1)", ""),
    ("torch.mm(queries, table.T)", "(2, 5, 4) meets (4, 5)", "queries @ table.T", ""),
    ("torch.dot(table[0], table[:, 0])", "(4,) meets (5,)", "", ""),
    ("[keys @ one for one in queries]", "(2, 5, 4) meets (5, 4)", "one.transpose(-2, -1)",
     "[keys @ one.T for one in queries]"),
    ("queries @ three", "here (2,) meets (3,)", "", ""),
    ("queries @ lens.sum()", "meets ()", "", ""),
    ("queries @ d", "the number 4", "*", "queries * d"),
    ("self.W_query(table) @ self.W_key(table)", "(5, 3) meets (5, 3)", "self.W_key(table).transpose(-2, -1)", ""),
    ("torch.einsum('bqd,bkd->bqk', queries, scores)", "`d` would be 4 and 5", "", ""),
    ("torch.einsum('qd,kd->qk', queries, keys)", "`qd` names (2, 5, 4)", "'...qd,...kd->...qk'",
     "torch.einsum('...qd,...kd->...qk', queries, keys)"),
    ("queries / queries.sum(-1)", "here 4 meets 5", "queries.sum(-1, keepdim=True)",
     "queries / queries.sum(-1, keepdim=True)"),
    ("queries -= queries.mean(dim=-1)", "meets (2, 5)", "queries.mean(dim=-1, keepdim=True)", ""),
    ("queries * lens", "(2, 5, 4) meets (2,)", "lens[..., None, None]", "queries * lens[..., None, None]"),
    ("queries + table.T", "meets (4, 5)", "table", "queries + table"),
    ("table + three[0]", "(5, 4) meets (4, 5)", "three[0].transpose(-2, -1)", "table + three[0].transpose(-2, -1)"),
    ("torch.arange(5) < lens", "(5,) meets (2,)", "torch.arange(5) < lens[:, None]", ""),
    ("lens > torch.arange(5)", "has the shape (2, 5)", "lens[:, None] > torch.arange(5)", ""),
    ("scores.masked_fill(~mask, -torch.inf)", "shape (7, 7) meets (2, 5, 5)", "(~mask)[:5, :5]", ""),
    ("torch.where(mask, scores, 0)", "(7, 7) meets (2, 5, 5)", "mask[:5, :5]", "torch.where(mask[:5, :5], scores, 0)"),
    ("heads.masked_fill(padding, 0)", "meets (2, 2, 5, 5)", "padding[:, None, None]", ""),
    ("queries - queries.max(dim=-1)", "two tensors", "queries.max(dim=-1, keepdim=True).values", ""),
    ("queries.max(dim=-1).exp()", "two tensors", "queries.max(dim=-1).values", ""),
    ("torch.exp(queries.max(-1))", "two tensors", "queries.max(-1).values", ""),
    ("table.transpose(1, 2)", "(5, 4) has 2 axes", "table.transpose(-2, -1)", ""),
    ("torch.softmax(scores)", "needs the axis", "torch.softmax(scores, dim=-1)", ""),
    ("scores.cumsum()", "`cumsum` needs the axis", "scores.cumsum(dim=-1)", ""),
    ("torch.softmax(table, dim=2)", "Axis 2 is not", "torch.softmax(table, dim=-1)", ""),
    ("queries.view(2, 5, 3, 2)", "holds 40 numbers, and 2 · 5 · 3 · 2 is 60", "", ""),
    ("three.view(2, 4, 5)", "(3, 4, 5) holds 60", "three.view(three.shape[0], 4, 5)", ""),
    ("rows, width = queries.shape", "(2, 5, 4), 3 sizes for 2 names", "*_, rows, width = queries.shape", ""),
    ("first, second = table", "5 rows: (5, 4), for 2 names", "", ""),
    ("context, weights = scale(table)", "2 names stand for more parts", "", ""),
    ("table[0, 0, 0]", "(5, 4) has 2 axes", "", ""),
    ("three[:, torch.tensor([4])]", "axis 1 of (3, 4, 5) has 4 places, from 0 to 3, and 4", "", ""),
    ("table[0, 4] = queries.sum()", "axis 1 of (5, 4) has 4 places", "", ""),
    ("scores[:, :, 5]", "an axis of (2, 5, 5) has 5 places", "", ""),
    ("scores.topk(2) / 2", "two tensors", "scores.topk(2).indices", ""),
    ("queries.expand(3, 5, 4)", "(2, 5, 4)", "", ""),
    ("queries / torch.sqrt(keys.shape[-1])", "the number 4", "keys.shape[-1] ** 0.5", ""),
    ("torch.softmax([1.0, 2.0], dim=0)", "is a list", "torch.tensor([1.0, 2.0])", ""),
    ("torch.mean([table, table])", "is a list", "torch.stack([table, table])", ""),
    ("math.exp(table)", "20, (5, 4)", "torch.exp(table)", ""),
    ("scores.item()", "`scores` has 50, (2, 5, 5)", "", ""),
    ("torch.tensor([table, table])", "a list of tensors", "torch.stack([table, table])", ""),
    ("nn.Linear(d / 2, 3)", "`d / 2` is 2.0", "d // 2", "nn.Linear(d // 2, 3)"),
    ("torch.zeros(d / 2, 3)", "`d / 2` is 2.0", "d // 2", "torch.zeros(d // 2, 3)"),
    ("queries[:, : d / 2]", "`d / 2` is 2.0", "d // 2", "queries[:, : d // 2]"),
    ("[1.0, 2.0] @ values", "a list meets a tensor", "torch.tensor([1.0, 2.0])", ""),
    ("queries / queries.shape", "meets a shape", "queries.shape[-1]", "queries / queries.shape[-1]"),
    ("(queries, keys) / 2", "has 2", "", ""),
    ("queries.size * 2", "brackets are missing", "", ""),
    ("queries[lens.float() - 3]", "`torch.float32`", "", ""),
    ("table[lens.float() - 2]", "`torch.float32`", "(lens.float() - 2).long()", "table[(lens.float() - 2).long()]"),
    ("[queries, keys][:, 0]", "is a list", "torch.stack([queries, keys])", "torch.stack([queries, keys])[:, 0]"),
    ("if queries:\n    return 1", "40, (2, 5, 4)", "queries.any()", ""),
    ("if scores > 0:\n    return 1", "50, (2, 5, 5)", "(scores > 0).all()", ""),
    ("max(queries, keys)", "single numbers", "torch.maximum(queries, keys)", ""),
    ("not mask", "(7, 7)", "~mask", ""),
    ("scores.masked_fill(scores, 0)", "`torch.float32`", "scores != 0", "scores.masked_fill(scores != 0, 0)"),
    ("torch.where(scores, scores, 0)", "`torch.float32`", "scores != 0", "torch.where(scores != 0, scores, 0)"),
    ("~scores", "`torch.float32`", "scores == 0", ""),
    ("scores & scores", "`torch.float32`", "", ""),
    ("1 - mask", "has no minus", "~mask", ""),
    ("mask.cumsum(-1) - mask", "has no minus", "mask.long()", "mask.cumsum(-1) - mask.long()"),
    ("with torch.no_grad:\n    return 1", "its brackets are missing", "torch.no_grad()", None),
    ("table @ table.T.double()", "`torch.float32` meets `torch.float64`", "table.T.double().float()", ""),
    ("self.W_query(ints)", "`ints` `torch.int64`", "ints.float()", "self.W_query(ints.float())"),
    ("ints.mean(dim=-1)", "`torch.int64`", "ints.float().mean(dim=-1)", ""),
    ("torch.softmax(ints, dim=-1)", "`torch.int64`", "torch.softmax(ints.float(), dim=-1)", ""),
    ("self.W_key(split)", "apart", ".transpose(1, 2).flatten(-2)", "self.W_key(split.transpose(1, 2).flatten(-2))"),
    ("self.W_key(split.transpose(1, 2))", "apart", ".flatten(-2)", "self.W_key(split.transpose(1, 2).flatten(-2))"),
    ("[head(scores) for head in self.heads]", "`nn.Linear(4, 2)` takes inputs whose last axis is 4, and gets (2, 5, 5)",
     "nn.Linear(5, 2)", ""),
    ("Forgetful()", "missing", "super().__init__()", None),
    ("Late()(queries)", "missing", "super().__init__()", None),
    ("Twice()(queries)", "`self.mask` is None", "`register_buffer` makes `self.seen` itself", None),
    ("Generous(3)", "takes no arguments", "super().__init__()", None),
    ("Selfless()(queries)", "first argument must be `self`", "", ""),
    ("self.W_queri(queries)", "has no `W_queri`. It has `W_query`", "", ""),
    ("self.heads(queries)", "only holds modules", "", ""),
    ("self.dropout(queries)", "the number 0.1, not a function", "", ""),
    ("scale.weight", "`scale` is a function that was not called", "", ""),
    ("queries.softmx(-1)", "`softmax`", "", ""),
    ("torch.sofmax(queries, -1)", "torch", "torch.softmax", ""),
    ("[queries, keys].shape", "a list", "torch.stack([queries, keys])", "torch.stack([queries, keys]).shape"),
    ("pair_of(queries, 1).shape", "a tuple of 2", "first, *others = pair_of(queries, 1)", None),
    ("scale(nothing).shape", "`scale(nothing)` is None", "", ""),
    ("querys @ keys", "The closest is `queries`", "", ""),
    ("W_query(queries)", "belongs to the object", "self.W_query", ""),
    ("np.exp(d)", "import is missing", "import numpy as np", ""),
    ("pair_of(queries)", "needs `x`, `y`. Not handed over: `y`", "", ""),
    ("pair_of(1, 2, 3)", "2 in all, and gets 3", "", ""),
    ("pair_of(1, z=3)", "no `z`", "", ""),
    ("self.W_query(queries, keys)", "takes `input`, 1 in all, and gets 2", "", ""),
    ("queries.sum(keepdim=True)", "needs the axis", "queries.sum(dim=-1, keepdim=True)", ""),
    ("queries.shape()", "not a function", "queries.shape", ""),
    ("queries.shape(0)", "not a function", "queries.shape[0]", ""),
    ("queries.size[0]", "a function", "queries.size(0)", ""),
    ("scores(values)", "(2, 5, 5), not a function", "scores @ values", ""),
    ("nothing + queries", "`nothing` is None", "if nothing is None:", ""),
    ("silent(queries) @ keys", "`silent` has no `return`", "", ""),
    ("a, b = silent(queries)", "`silent` has no `return`", "", ""),
    ("for part in d:\n    pass", "the number 4", "range(d)", ""),
    ("queries.sum().backward()", "nothing that requires gradients", "", ""),
    ("nn.Parameter(mask)", "`torch.bool` cannot be changed by a little", "register_buffer", None),
    ("heads[padding] = 0", "a mask of shape (2, 5) picks from (2, 2, 5, 5)", "", ""),
    ("scores[mask[:5, :5]] = 0", "picks from (2, 5, 5)", "masked_fill", None),
    ("answer(**locals())", "calls itself without an end", "", ""),
    ("total = scores.sum(dim=-1)\nqueries / total", "(2, 5)", "scores.sum(dim=-1, keepdim=True)", ""),
    ("half = d / 2\nqueries.view(2, 5, 2, half)", "`half` is 2.0", "d // 2", "queries.view(2, 5, 2, d // 2)"),
    ("low = silent(queries)\nlow @ keys", "`silent` has no `return`", "", ""),
    ("mask and mask", "(7, 7)", "mask & mask", ""),
    ("(queries\n    .transpose(1, 2)\n    .view(2, 20))", "turned", "queries.transpose(1, 2).reshape(2, 20)", ""),
    ("self.W_query.weight += 1", "`self.W_query.weight += 1` stops", "with torch.no_grad():", ""),
    ("loss = self.W_query(queries)\nloss.backward()", "(2, 5, 3)", "loss.mean().backward()", ""),
    ("loss = self.W_query(queries).sum()\nloss.backward()\nloss.backward()", "gone after one", "", ""),
    ("w = self.W_key.weight * 1\ny = (w * w).sum()\nw += 1\ny.backward()", "changed in place", "", ""),
    ("d < [1, 2]", "the number 4 meets a list", "torch.tensor([1, 2])", "d < torch.tensor([1, 2])"),
    ("queries.tolist() > 0", "a list meets the number 0", "queries", "queries > 0"),
    ("nn.ModuleList(nn.Linear(2, 2) for _ in d)", "the number 4", "range(d)", ""),
    ("[table for _ in d]", "the number 4", "range(d)", ""),
    ("max(scores)", "of the whole table `scores.max()`", "scores.amax(dim=-1, keepdim=True)", ""),
    ("range(d)[:, None]", "is a `range`", "torch.arange(d)", "torch.arange(d)[:, None]"),
    ("torch.einsum('nd,bkd->bnk', table.double(), keys)", "`torch.float64` meets `torch.float32`",
     "table.double().float()", ""),
    ("max(lens, 3)", "Python's `max` compares", "lens.clamp(min=3)", ""),
    ("min(lens - 1, 3)", "Python's `min` compares", "(lens - 1).clamp(max=3)", ""),
    ("max(['a', 'b'], 3)", "`max` is handed `['a', 'b']` (a list of 2, the first of them a text) and the number 3", "",
     ""),
    ("sum(['a', 'b'])", "`sum` is handed `['a', 'b']`", "", ""),
    ("sorted([queries, None])", "`sorted` is handed `[queries, None]` (a list of 2, the first of them a tensor", "",
     ""),
    ("queries[padding[0]]", "a mask of shape (5,) picks from (2, 5, 4)", "queries[..., padding[0], :]", ""),
    ("scores[mask[0, :5]].mean(dim=-1)", "To pick along later axes", "scores[..., mask[0, :5]]", ""),
    ("[Table[i] for i in range(d)]", "reads `Table`, and nothing has that name. The closest is `table`", "", ""),
    ("[row[I] for i, row in enumerate(table)]", "reads `I`, and nothing has that name. The closest is `i`", "", ""),
]  # fmt: skip
# (the learner's code, words of the explanation), for what the cases above do not reach
MORE = [
    ("list(map(len, [1, 2]))", "it stops inside of `list`. Look up what that takes."),
    ("scale[0]", "`scale` is a function, and has no places in square brackets."),
    ("self.W_query(split.flatten(0, 1))", "Its axis 0 has 4: are the axes turned?"),
    ("queries.view(2, -1, 3)", "which cannot be dealt out as 2 · any · 3. Read sizes off the input"),
    ("queries[1.5]", "an index needs whole numbers, and `1.5` is the number 1.5."),
    ("Q @ keys", "Line 2 of `answer` reads `Q`, and nothing has that name. Known here are `queries`, `keys`"),
    ("for a in silent(queries):\n    pass", "`silent(queries)` is None, and has no parts. `silent` has no `return`"),
    ("torch.dot(table[0], table)", "For a table and a vector: `table @ table[0]`."),
    ("keys @ torch.transpose(values, 0, 1)", "Turn the last two axes instead: `values.transpose(-2, -1)`."),
    ("queries + three", "sizes must be equal or 1: here 4 meets 5."),
    ("lens.sum(1)", "(2,) has one axis, 0 or -1. Axis 1 is not among them. The last one is always -1"),
    ("a, b, c, e = scale(queries)", "4 names stand for fewer parts."),
    ("a, b = [1, 2, 3]", "`[1, 2, 3]` has 3 parts, for 2 names. Write as many names"),
    ("torch.zeros(2, 0)[:, 0]", "an axis of length 0 has no place 0."),
    ("scores and keys", "`scores` has 50, (2, 5, 5). Say which: `scores.any()` or `scores.all()`."),
    ("sorted(scores)", "Ask the tensor: `scores.sort()`."),
    ("table.masked_fill_(ints, 0)", "`ints != 0` is True wherever it is not 0."),
    ("half = math.sqrt(d)\nrange(half)", "`half` is 2.0. If it comes from a `/`: `//` gives whole numbers."),
    ("queries * self.W_query", "meets a module, `Linear`. A module is called: `self.W_query(…)`."),
    ("nn.Linear(2, bias_=3)", "and no `bias_`. The closest is `bias`."),
    ("torch.cat([queries, scores], dim=1)", "(2, 5, 5). They fit in `torch.cat([queries, scores], dim=-1)`"),
    ("torch.stack([queries, table])", "tensors of one shape, and here are (2, 5, 4) and (5, 4)."),
    ("torch.cat(queries, keys)", "it takes one list of tensors"),
    ("torch.stack([1, 2])", "part 0 of this one is a `int`"),
    ("torch.stack([])", "the list is empty"),
    ("queries.repeat(2)", "takes a number for each axis"),
    ("queries.shape[3]", "it has fewer parts"),
    ("scores.masked_fill(padding[:, None], '-inf')", "The number is `-torch.inf`."),
    ("table.repeat_interleave(d / 2, dim=0)", "`/` always gives a float: `d // 2`."),
    ("self.W_query.weight = table[:3]", "`weight` is a parameter, and must stay one."),
    ("self.load_state_dict(self.W_key.state_dict())", "The module waits for `W_query.weight`"),
    ("self.W_query.weight.data.copy_(table)", "`table` (a tensor of shape (5, 4)). Their axes do not fit together."),
    ("F.scaled_dot_product_attention(queries, scores, values)", "Their axes do not fit together."),
    ("mha(queries, keys, values, attn_mask=mask)", "`attn_mask` is (7, 7), and must be (5, 5)"),
    ("mha(queries, keys, values, is_causal=True)", "Hand over the mask too, `attn_mask`"),
    ("from course_utils import attention\nattention.merge_heads((heads, heads))", "it gets a tuple."),
    ("1 / (d - 4)", "nothing can be divided by 0."),
    ("if d > 4:\n    out = 1\nreturn out", "reads `out` before it has a value"),
    ("scale = scale(queries)\nscale", "The `scale` of the notebook is another one."),
    ("cache['values']", "`cache` has no such key. It has `'keys'`."),
    ("if self.W_query.weight:\n    pass", "Whether it is there: `self.W_query.weight is not None`."),
]  # fmt: skip
OWN = [
    "raise ValueError('five heads')",
    "raise RuntimeError('mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)')",
    "assert d == 5, 'The size of tensor a (3) must match the size of tensor b (2)'",
    "int('a')",
    "nn.Dropout(1.5)",
    "'a' + 1",
]


def run_change(snippet, change, repaired):
    """Run the suggested change, letting errors through: the repaired line if there is one, else the change by itself.

    Nothing is run if repaired is None, or if the change is only the beginning of a statement.
    """
    if repaired is not None and (repaired or change) and not change.startswith(("with ", "if ", "import ")):
        before = "" if snippet.startswith(("if", "for", "(")) else "\n".join(snippet.split("\n")[:-1])
        code = f"{before}\n{repaired or change}"
        with torch.set_grad_enabled("copy_" not in code):
            exec(code, names() | arguments())


@pytest.mark.parametrize("snippet, words, change, repaired", CASES)
def test_explained_with_a_change_that_works(snippet, words, change, repaired):
    sentence = explanation(snippet)
    assert words in sentence and change in sentence, sentence
    run_change(snippet, change, repaired)


@pytest.mark.parametrize("snippet, words", MORE)
def test_explained_in_other_words(snippet, words):
    assert words in explanation(snippet), explanation(snippet)


@pytest.mark.parametrize("snippet", [snippet for snippet, *_ in CASES + MORE])
def test_without_its_source_nothing_is_made_up(snippet):
    """Without source text, as for code that `exec` runs, an explanation must not quote a line of the code."""
    sentence = explanation(snippet, source=False)
    assert sentence == "" or not sentence.startswith("`") or "stops:" not in sentence


@pytest.mark.parametrize("source", [True, False])
@pytest.mark.parametrize("snippet", OWN)
def test_silent_where_the_message_is_the_learners_or_good(snippet, source):
    assert explanation(snippet, source) == ""
