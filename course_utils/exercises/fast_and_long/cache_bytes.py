"""`my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each)`: how much memory a key–value cache needs."""

from numbers import Number

import torch

from course_utils.checks import outcome
from course_utils.checks.exercise import Exercise


def cache_bytes_solution(layers, key_heads, head_dim, num_tokens, bytes_each):
    numbers = 2 * layers * key_heads * head_dim * num_tokens  # a key and a value each
    return numbers * bytes_each


def cases(draw):
    yield "1 layer, 3 key heads, 4 wide, 5 tokens, 2 bytes a number", 1, 3, 4, 5, 2
    yield "32 layers, 32 key heads, 128 wide, 100,000 tokens, 2 bytes", 32, 32, 128, 100_000, 2
    yield "32 layers, 8 key heads", 32, 8, 128, 100_000, 2
    yield "6 layers, one key head, 7 wide, 11 tokens, 4 bytes", 6, 1, 7, 11, 4
    yield "5 layers, 3 key heads, 64 wide, a single token, 1 byte", 5, 3, 64, 1, 1


def counted(answer, *sizes):
    """Return an answer's count as a float64 tensor. Errors: Refused, with a message, for anything but a number.

    answer: the learner's function. sizes: its arguments, numbers.
    """
    count = answer(*sizes)
    if count is None:
        raise outcome.Refused("It ran to its end and gave nothing back: the last line needs a `return`.")
    if isinstance(count, str):
        raise outcome.Refused(f"The text `{count}` came back where a number is asked for: return the count alone.")
    if isinstance(count, tuple | list):
        raise outcome.Refused(f"`{count!r}` came back. One number is asked for: the bytes of the whole cache.")
    if not isinstance(count, Number | torch.Tensor):
        raise outcome.Refused(f"`{count!r}` came back where a number is asked for.")
    return torch.as_tensor(count, dtype=torch.float64)


def whole_number(exercise, answer):
    """Yield ("float-size", message) if the count is not a whole number, for which the prompt asks.

    exercise: the Exercise, whose first case is tried. answer: the learner's function.
    """
    _, sizes = exercise.case(0)
    if torch.as_tensor(count := answer(*sizes)).is_floating_point():
        yield (
            "float-size",
            f"The count is right, and came back as `{count}`. A whole number is asked for: multiply whole numbers, "
            "and divide, if you must, with `//`.",
        )


MISTAKES = """
values-uncounted: Only half is counted. For each token a cache keeps a key *and* a value: twice as many numbers.
    2 * layers -> layers
queries-uncounted: You counted three vectors for each token, as if queries were kept. A cache keeps keys and values.
    2 * layers -> 3 * layers
kept-twice: You counted keys and values twice. There are two vectors for each token, layer and key head, each `head_dim`
    wide.
    2 * layers -> 4 * layers
pair-squared: You multiplied keys by values. They lie side by side, so add them up: twice as many as the keys alone.
    2 * layers * key_heads * head_dim * num_tokens -> (layers * key_heads * head_dim * num_tokens) ** 2
    or
    2 * layers * key_heads * head_dim * num_tokens -> layers * (key_heads * head_dim * num_tokens) ** 2
    or
    2 * layers * key_heads * head_dim * num_tokens -> layers * key_heads * (head_dim * num_tokens) ** 2
one-layer: That is the cache of one layer. Each layer keeps keys and values of its own: times `layers`.
    2 * layers * -> 2 *
one-layer-half: Two factors are missing. Each layer keeps keys *and* values of its own: `2 * layers`.
    2 * layers * ->
one-head: That is the cache of one key head. Each keeps its own: times `key_heads`.
    * key_heads ->
width-uncounted: A key is a vector, not one number: times `head_dim`.
    * head_dim ->
one-token: That is what one token adds. The cache keeps all of them: times `num_tokens`.
    * num_tokens ->
numbers-counted: You counted numbers, not bytes: each of them takes `bytes_each`.
    numbers * bytes_each -> numbers
tokens-squared: Nothing in a cache is a table of tokens against tokens. Each token is kept once: `num_tokens`, not its
    square.
    * num_tokens -> * num_tokens**2
    or
    2 * layers * key_heads * head_dim * num_tokens -> layers * key_heads * num_tokens**2
    or
    2 * layers * key_heads * head_dim * num_tokens -> 2 * layers * key_heads * num_tokens**2
    or
    * num_tokens  # -> * num_tokens * (num_tokens + 1) // 2  #
width-squared: The width enters once: a key is `head_dim` numbers, not a matrix.
    * head_dim -> * head_dim**2
heads-squared: The heads enter once. `head_dim` is the width of one of them: the keys of a token are `key_heads` times
    that.
    * key_heads -> * key_heads**2
heads-divided: The width given is that of one head: multiply it by `key_heads`, and do not divide.
    * key_heads * -> // key_heads *
    or
    * key_heads * head_dim -> * (head_dim // key_heads)
    or
    * key_heads * head_dim -> * (head_dim / key_heads)
layers-squared: The layers enter once: each keeps keys and values of its own.
    2 * layers -> 2 * layers**2
bits-counted: You counted bits. `bytes_each` is in bytes already: no 8.
    numbers * bytes_each -> 8 * numbers * bytes_each
bits-counted: You divided by 8, as if `bytes_each` were bits. It is in bytes already.
    numbers * bytes_each -> numbers * bytes_each / 8
    or
    numbers * bytes_each -> numbers * bytes_each // 8
bytes-divided: The numbers are divided by `bytes_each`. Each takes that many bytes: multiply.
    numbers * bytes_each -> numbers / bytes_each
    or
    numbers * bytes_each -> numbers // bytes_each
bytes-fixed: You took one size for every number. How many bytes it takes, the argument says: `bytes_each`.
    numbers * bytes_each -> numbers * 2
    or
    numbers * bytes_each -> numbers * 4
gigabytes: These are gigabytes or megabytes. Bytes are asked for: leave the last division out.
    numbers * bytes_each -> numbers * bytes_each / 1e9
    or
    numbers * bytes_each -> numbers * bytes_each / 1024**3
    or
    numbers * bytes_each -> numbers * bytes_each / 1e6
    or
    numbers * bytes_each -> numbers * bytes_each / 1024**2
    or
    numbers * bytes_each -> numbers * bytes_each // 10**9
    or
    numbers * bytes_each -> round(numbers * bytes_each / 1e9, 1)
    or
    numbers * bytes_each -> numbers * bytes_each / 1000
    or
    numbers * bytes_each -> numbers * bytes_each / 1024
added: You added sizes that should be multiplied: each layer keeps each head's vectors for each token.
    2 * layers * key_heads * head_dim * num_tokens -> 2 * (layers + key_heads + head_dim + num_tokens)
    or
    2 * layers * key_heads * head_dim * num_tokens -> 2 * layers * (key_heads + head_dim) * num_tokens
    or
    2 * layers * key_heads * head_dim * num_tokens -> 2 * layers * key_heads * (head_dim + num_tokens)
    or
    2 * layers * key_heads * head_dim * num_tokens -> 2 + layers * key_heads * head_dim * num_tokens
    or
    2 * layers * key_heads * head_dim * num_tokens -> layers * key_heads * head_dim * (num_tokens + 2)
added: Keys and values are added, and only one of the two is multiplied by the rest. Set brackets around the sum.
    2 * layers * key_heads * head_dim * num_tokens -> layers * key_heads * head_dim * (1 + num_tokens)
    or
    2 * layers -> layers
    numbers * bytes_each -> numbers + numbers * bytes_each
one-off: You left out a token, or counted one too many. All `num_tokens` of them are kept, also the newest.
    * num_tokens  # -> * (num_tokens - 1)  #
    or
    * num_tokens  # -> * (num_tokens + 1)  #
weights-counted: You counted the numbers in matrices, which are learnt. A cache keeps vectors: a key and a value of each
    token, `key_heads * head_dim` wide.
    2 * layers * key_heads * head_dim * num_tokens -> 2 * layers * (key_heads * head_dim) ** 2
    or
    2 * layers * key_heads * head_dim * num_tokens -> 4 * layers * (key_heads * head_dim) ** 2
    or
    2 * layers * key_heads * head_dim * num_tokens -> 2 * layers * (key_heads * head_dim) ** 2 * num_tokens
xor-for-power: In Python `^` is no power: it compares the bits of two numbers. Nothing here needs one.
    2 * layers -> 2 ^ layers
power-for-product: `**` is a power. A product has one star: `2 * layers`.
    2 * layers -> 2**layers
page-fixed: Your count fits the model of the page alone: a number stands where an argument belongs.
    layers * key_heads -> 32 * key_heads
    or
    head_dim * num_tokens -> 128 * num_tokens
    or
    * num_tokens  # -> * 100_000  #
    or
    layers * key_heads -> layers * 32
    or
    2 * layers * key_heads * head_dim * num_tokens -> 2 * 32 * key_heads * 128 * num_tokens
    or
    2 * layers * key_heads * head_dim * num_tokens -> 2 * 32 * key_heads * 128 * 100_000
nothing-returned: Your count is not given back. `print` only shows: end with a `return`.
    return numbers * bytes_each -> numbers * bytes_each
float-size:
    numbers * bytes_each -> numbers * float(bytes_each)
    or
    numbers * bytes_each -> numbers / (1 / bytes_each)
"""

exercise = Exercise(
    cache_bytes_solution,
    cases,
    MISTAKES,
    outputs=("bytes",),
    observe=counted,
    behaviours=(whole_number,),
)
