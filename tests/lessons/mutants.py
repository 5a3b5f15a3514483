"""Mutants: small mistakes that could creep into the engine, each of which an answer in these tests should notice.

They are written as learners' mistakes are (see `course_utils.checks.edits`): an id, what is then wrong, and edits
`old -> new` of a file. `run_mutants.py` tries them.
"""

from pathlib import Path
from typing import NamedTuple

from course_utils.checks import edits

ROOT = Path(edits.__file__).parents[2]
TABLES = {
    "course_utils/checks/outcome.py": """
tolerance-exact: Rounding counts as a difference.
    else (RTOL, ATOL) -> else (0.0, 0.0)
tolerance-tight: Rounding may be a hundredth of what it is.
    else (RTOL, ATOL) -> else (1e-6, 1e-7)
tolerance-wide: A difference of a hundredth counts as rounding.
    else (RTOL, ATOL) -> else (1e-2, 1e-2)
tolerance-loose-in-float64: float64 has the tolerance of float32.
    (1e-7, 1e-9) if -> (RTOL, ATOL) if
tolerance-strict-for-one-float64: One tensor of float64 is enough for the strict tolerance.
    if ours.dtype == theirs.dtype == torch.float64 -> if torch.float64 in (ours.dtype, theirs.dtype)
nan-never-equal: nan is not equal to nan.
    "equal_nan": True -> "equal_nan": False
close-of-any-shape: Tensors are compared that broadcast.
    if ours.shape != theirs.shape: -> if ours.dim() != theirs.dim():
close-in-own-dtype: Tensors are compared without a conversion to float64.
    torch.allclose(in_float64(ours), in_float64(theirs), -> torch.allclose(ours, theirs.to(ours.dtype),
same-of-any-kind: Booleans and floats that are equal count as the same result.
    _kind(a) == _kind(b) and close(a, b) -> close(a, b)
same-error-of-any-class: Two errors of different classes are the same.
    ours.error.kind is theirs.error.kind and -> True and
same-error-of-any-words: Two errors of one class are the same, whatever they say.
    and _gist(ours.error, exactly) == _gist(theirs.error, exactly) -> and True
gist-with-numbers: Two errors with other numbers in their messages differ.
    message if exactly else re.sub(r"-?\\d+", "", message) -> message
gist-with-class-names: Two errors differ if the learner's class has another name.
    re.sub(r"'(My\\w+|\\w+Solution)' object", "object", error.message) -> error.message
own-error-with-words: Errors that the answer raises itself must have the same words.
    error.is_a((ValueError, AssertionError)) and _is_own(error) -> False
tuple-of-one-refused-late: A tuple where one thing is asked for is handled as any other value.
    if isinstance(value, tuple): -> if False:
missing-return-unsaid: A missing return is told as None in place of a tensor.
    if value is None:…raise Refused("It ran -> if False:…raise Refused("It ran
list-of-tensors: A list of tensors is taken for one of numbers.
    any(map(torch.is_tensor, value)) -> False
numpy-array: A NumPy array is told as any other type.
    isinstance(value, np.ndarray) -> False
outputs-in-any-number: More outputs than asked for are taken.
    or len(value) != len(names): -> or len(value) < len(names):
copies-left-out: The result is kept itself, so that a later change of it counts.
    tensor.detach().clone() -> tensor.detach()
""",
    "course_utils/checks/faults.py": """
error-of-another-class: Where an error is asked for, any other is right, too.
    if not got.is_a(expected.kind): -> if False:
error-of-the-class-alone: Where an error is asked for, one of a subclass is wrong.
    if not got.is_a(expected.kind): -> if got.kind is not expected.kind:
dtype-not-looked-at: Results of whole numbers are right where floats are asked for.
    if ours.dtype not in (*FLOATS, theirs.dtype): -> if False:
dtype-the-same: float64 is wrong where float32 is asked for.
    ours.dtype not in (*FLOATS, theirs.dtype) -> ours.dtype != theirs.dtype
booleans-as-floats: Where booleans are asked for, 0 and 1 will do.
    if of_booleans and ours.dtype != torch.bool: -> if False:
numbers-for-booleans: Where booleans are asked for, other numbers are told as wrong numbers.
    if of_booleans and not ((ours == 0) | (ours == 1)).all(): -> if False:
nan-as-a-number: A nan is told as the first difference.
    if bad.any() and not torch.isinf(theirs).any(): -> if False:
inf-as-an-overflow: An infinity that is asked for elsewhere is told as an overflow.
    if bad.any() and not torch.isinf(theirs).any(): -> if bad.any():
axis-of-one-unsaid: Shapes that differ in an axis of length 1 are told as any others.
    if [size for size in ours.shape if size != 1] != [size for size in theirs.shape if size != 1]: -> if True:
whole-with-decimals: Whole numbers have decimals.
    0 if is_whole else decimals -> decimals
booleans-as-numbers: True and False are told as numbers.
    if expected.dtype == torch.bool and number in (0, 1): -> if False:
last-difference: The last difference is told in place of the first.
    .nonzero()[0].tolist() -> .nonzero()[-1].tolist()
long-messages-of-errors: The message of an error is not cut.
    if len(error.message) < 160 else -> if True else
""",
    "course_utils/checks/diagnosis.py": """
nothing-alike: No mistake is compared with the answer as a whole.
    if alike := _exactly_like(wrong, exercise.candidates): -> if alike := []:
no-pairs: Two mistakes at once are not looked for.
    elif alike := _two_at_once(wrong): -> elif alike := []:
few-pairs: A fifth of the pairs is tried.
    PAIRS = 150 -> PAIRS = 30
no-numbers-typed-in: Numbers typed in for a size are not looked for.
    elif typed_in := hard_coded.explain(exercise, answer, wrong.first): -> elif typed_in := None:
changed-input-first: A changed input is told before a known mistake.
    if alike := _exactly_like( -> if alike := [] if input_changed else _exactly_like(
changed-input-never: A changed input is not told where the numbers are wrong.
    elif input_changed and not any(result.error for result in outcomes): -> elif False:
most-like-never: A mistake that explains most of the numbers is not named.
    elif alike := _most_like(wrong): -> elif alike := []:
most-like-first: A mistake that explains most is named before a relation of the numbers is told.
    _explain(wrong, namespace): -> None if _most_like(wrong) else _explain(wrong, namespace):
most-like-with-less: A mistake is named that explains a quarter of the wrong numbers.
    GOOD_PART = 0.5 -> GOOD_PART = 0.25
most-like-with-all: A mistake is named that explains nine tenths of the wrong numbers, and not with less.
    GOOD_PART = 0.5 -> GOOD_PART = 0.9
nothing-is-denied: A mistake is named that is wrong where the learner is right.
    _spoils(wrong, candidate, index) -> False
errors-with-any-numbers: Where an answer only raises, the numbers in its messages do not count.
    exactly=not ran) -> exactly=False)
errors-with-all-numbers: The numbers in an error's message always count.
    exactly=not ran) -> exactly=True)
one-input-is-enough: A mistake is named that gives the same on the first input alone.
    for i in order) -> for i in order[:1])
row-sums-unsaid: Nothing is said of rows that do not add up to 1.
    if exercise.rows is None or -> if True or
relations-on-one-input: A relation is told that holds on the first wrong input alone.
    wrong.expected[index]) for index in wrong_on] -> wrong.expected[index]) for index in wrong_on[:1]]
    wrong.cases[index].args for index in wrong_on] -> wrong.cases[index].args for index in wrong_on[:1]]
""",
    "course_utils/checks/engine.py": """
leaks-allowed: An answer may read variables of the notebook.
    if names := source.leaks(answer): -> if names := []:
settings-may-change: An answer may change the settings of torch.
    if run.changed_settings: -> if False:
inputs-may-change: An answer may change its inputs.
    input_changed = _input_changed(exercise, cases) -> input_changed = None
behaviours-left-out: The behaviours of an exercise are not tried.
    [*exercise.behaviours, repeats] -> [repeats]
repeats-left-out: A right answer may give something else at a second call.
    [*exercise.behaviours, repeats] -> [*exercise.behaviours]
repeats-of-wrong-ones-left-out: Of a wrong answer, it is not said that each call gives something else.
    _first_of(exercise, answer, [repeats]) -> None
hints-fail: What no prompt asks for is asked for.
    [*exercise.behaviours, repeats] -> [*exercise.behaviours, *exercise.hints, repeats]
rules-left-out: What the prompt forbids is allowed.
    for rule in exercise.rules) -> for rule in ())
unasked-inputs-count: An answer must be right on inputs that no prompt asks for.
    enumerate(cases) if case.asked] -> enumerate(cases)]
not-implemented-is-a-try: An answer that raises NotImplementedError is wrong.
    if outcomes and all(_is_not_implemented(result.error, answer) for result in outcomes): -> if False:
""",
    "course_utils/checks/hard_coded.py": """
few-trials: A quarter of the replacements is tried.
    TRIALS = 40 -> TRIALS = 10
roots-left-out: A typed-in root of a size is not found.
    type(value) is float and _is_root(value) -> False
sizes-of-arguments-alone: Only the sizes of arguments are tried for a typed-in number.
    (_of_arguments, _of_variables) -> (_of_arguments,)
""",
    "course_utils/checks/messages.py": """
input-unnamed: A message does not say on which input.
    sentence("On {label}: {words}", label=label, words=words) -> words
mistakes-alike-alone: Of mistakes that look alike, only the first is told.
    if others else first -> if False else first
""",
    "course_utils/checks/modules.py": """
weights-by-another-name: Nothing is said of layers with other names than asked for.
    raise outcome.Refused(MISSING, layers=as_code(f"self.{layer}" for layer in layers)) from None -> raise
layers-in-a-list: Layers in a list are told as missing.
    if _keeps_layers_in_a_list(model): -> if False:
shared-layers: Two names may stand for one layer.
    if same_layer != layer: -> if False:
biases-random: Biases that nobody asked for keep their random numbers.
    if name.endswith(".bias") and id(parameter) not in filled: -> if False:
training-mode: Answers are called in training mode.
    return model.eval() -> return model.train()
arguments-in-order: Sizes are passed in the solution's order, whatever the answer calls them.
    if ours != names and set(ours) == set(names): -> if False:
""",
    "course_utils/checks/behaviours.py": """
gradients-on-one-input: Gradients are compared on the first input alone.
    range(min(3, len(exercise.inputs))):…if exercise.expected -> range(1):…if exercise.expected
""",
    "course_utils/checks/source.py": """
stubs-count: What is not written yet is an answer.
    if answer is None or answer is ...: -> if False:
constants-leak: A constant in capitals may not be read.
    and not name.isupper() -> and True
helpers-unread: The functions that an answer calls are not looked at.
    if _is_beside(value, part)] -> if False]
comprehensions-are-no-loops: Of loops, only `for` counts.
    isinstance(part, LOOPS) for node -> isinstance(part, ast.For) for node
""",
    "course_utils/checks/relations/__init__.py": """
relations-reversed: The least telling relation is told first.
    for relation in RELATIONS: -> for relation in reversed(RELATIONS):
relations-by-chance: A relation is told that holds by chance.
    if _telling(parts, [wrong.expected for wrong in outputs]): -> if True:
weights-last: The outputs are compared in their order, not the weights first.
    key=lambda named: "weights" not in named[0] -> key=lambda named: 0
unchanged-left-out: It is not told that what goes in comes back.
    numbers.unchanged, ->
sign-left-out: It is not told that every sign is turned around.
    right=torch.neg, -> right=torch.positive,
factor-left-out: It is not told that every number is too large by a factor.
    numbers.multiplied, ->
softmax-twice-left-out: It is not told that softmax is taken twice.
    rows.softmax_too_many, ->
shifted-left-out: It is not told that everything stands one place too late.
    places.shifted, ->
elsewhere-left-out: It is not told that the right numbers stand in wrong places.
    shapes.elsewhere, ->
large-tensors-left-out: Of tensors with more than 20 numbers, no relation is told.
    MOST = 4_000 -> MOST = 20
nan-explained: Where a nan came out, a relation of the other numbers is told.
    if any(got.isnan().any() and not expected.isnan().any() for got, expected in output): -> if False:
""",
    "course_utils/checks/relations/rows.py": """
sums-rounded-strictly: Rows add up to 1 only to the last bit.
    return close(sums, torch.ones_like(sums)) -> return torch.equal(sums, torch.ones_like(sums))
""",
    "course_utils/checks/errors/stopped.py": """
code-cut-short: Of an expression that stopped, 20 characters are shown.
    LONGEST = 90 -> LONGEST = 20
""",
    "course_utils/checks/errors/safe_value.py": """
values-of-five: What an expression gives is only known of values with at most five parts.
    LIMIT = 100_000 -> LIMIT = 5
""",
    "course_utils/checks/errors/names.py": """
names-alike-by-chance: A name is the closest that has little in common.
    least: float = 0.6 -> least: float = 0.3
""",
    "course_utils/checks/limits.py": """
time-short: An answer has a thousandth of a second.
    SECONDS = 3.0 -> SECONDS = 0.001
""",
    "course_utils/checks/training.py": """
one-call-in-training: What dropout does is judged by two calls.
    TIMES = 24 -> TIMES = 2
dropout-of-any-share: Any share may be dropped.
    or abs(share - rate) > 0.15: -> or False:
""",
    "course_utils/checks/settings.py": """
float64-by-default: In a check, float64 is torch's default.
    torch.set_default_dtype, torch.float32) -> torch.set_default_dtype, torch.float64)
""",
    "lessons/whole_numbers.py": """
whole-numbers-of-int64: Whole numbers must be of int64.
    return result.long() if whole else result -> return result
""",
    "course_utils/checks/errors/__init__.py": """
calls-unexplained: Errors of None, of brackets and of loops are not explained.
    calls, products, broadcasting -> products, broadcasting
foreign-calls-unexplained: Errors inside of a library are not explained.
    arguments, foreign_call] -> arguments]
errors-unexplained: Nothing is said of an error but its message.
    for kinds, pattern, explain in ROWS: -> for kinds, pattern, explain in []:
errors-explained-by-the-last: The last explanation of an error is taken.
    for kinds, pattern, explain in ROWS: -> for kinds, pattern, explain in reversed(ROWS):
errors-on-purpose: Errors that the answer raises on purpose are explained, too.
    if stop.on_purpose: -> if False:
""",
}


class Mutant(NamedTuple):
    """A mutant: its id, the changed file (a path from the root), the lines that change, and the file's new source."""

    id: str
    file: str
    lines: tuple[int, ...]
    source: str


def mutants() -> list[Mutant]:
    """Return all mutants. Errors: edits.TableError for an edit that does not stand exactly once in its file."""
    made = []
    for file, table in TABLES.items():
        plain = (ROOT / file).read_text("utf-8")
        for row in edits.rows(table):
            places = edits.places(plain, row)
            lines = tuple(plain.count("\n", 0, place.start) + 1 for place in places)
            made.append(Mutant(row.id, file, lines, edits.edited(plain, places)))
    return made
