"""`my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each)`: how much memory a key–value cache needs."""

from course_utils.checks import outcome
from course_utils.checks.exercise import Exercise
from course_utils.lessons.whole_numbers import as_count, no_floats


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
    """Call an answer with sizes; return its count as a float64 tensor.

    Errors: Refused, with a message, for anything but one number, such as None, a string or a list.
    """
    count = answer(*sizes)
    if count is None:
        raise outcome.Refused("It ran to its end and gave nothing back: the last line needs a `return`.")
    if isinstance(count, str):
        template = "The text `{text}` came back where a number is asked for: return the count alone."
        raise outcome.Refused(template, text=count)
    if isinstance(count, tuple | list):
        template = "`{value}` came back. One number is asked for: the bytes of the whole cache."
        raise outcome.Refused(template, value=repr(count))
    return as_count(count)


MISTAKES = """
values-uncounted: Only half is counted. For each token a cache keeps a key *and* a value: twice as many numbers.
    2 * layers -> layers
queries-uncounted: You counted three vectors for each token, as if queries were kept. A cache keeps keys and values.
    2 * layers -> 3 * layers
pair-squared: You multiplied keys by values. They lie side by side, so add them up: twice as many as the keys alone.
    2 * layers * key_heads * head_dim * num_tokens -> (layers * key_heads * head_dim * num_tokens) ** 2
    or
    2 * layers * key_heads * head_dim * num_tokens -> layers * (key_heads * head_dim * num_tokens) ** 2
    or
    2 * layers * key_heads * head_dim * num_tokens -> layers * (key_heads * head_dim) ** 2 * num_tokens
head-dim-divided: You divide `head_dim` by the heads. It is the width of one head already.
    key_heads * head_dim -> key_heads * (head_dim // key_heads)
one-layer-half: Two factors are missing. Each layer keeps keys *and* values of its own: `2 * layers`.
    2 * layers * ->
one-layer: That is the cache of one layer. Each keeps its own: times `layers`.
    2 * layers * -> 2 *
heads-and-width-added: The number of heads and their width are added. Each key head has `head_dim` numbers: multiply.
    key_heads * head_dim -> (key_heads + head_dim)
one-head: That is the cache of one key head. Each keeps its own: times `key_heads`.
    * key_heads ->
one-token: That is what one token adds. The cache keeps all of them: times `num_tokens`.
    * num_tokens ->
tokens-squared: No cache is a table of tokens against tokens. Each is kept once: `num_tokens`, not its square.
    2 * layers * key_heads * head_dim * num_tokens -> layers * key_heads * num_tokens**2
bits-counted: You counted bits. `bytes_each` is in bytes already: no 8.
    numbers * bytes_each -> 8 * numbers * bytes_each
bytes-divided: The numbers are divided by `bytes_each`. Each takes that many bytes: multiply.
    numbers * bytes_each -> numbers / bytes_each
bytes-fixed: You took one size for every number. How many bytes it takes, the argument says: `bytes_each`.
    numbers * bytes_each -> numbers * 2
    or
    numbers * bytes_each -> numbers * 4
gigabytes: These are gigabytes or megabytes. Bytes are asked for: leave the last division out.
    numbers * bytes_each -> numbers * bytes_each / 1e9
    or
    numbers * bytes_each -> numbers * bytes_each / 1024**3
two-added: You add 2 to `bytes_each`. Keys and values are twice as many numbers, and each takes `bytes_each`: multiply.
    2 * layers -> layers
    numbers * bytes_each -> numbers * (2 + bytes_each)
steps-added: You add up the caches of all steps. It is one cache, and in the end it holds each token once: `num_tokens`.
    * num_tokens  # -> * (num_tokens * (num_tokens + 1) // 2)  #
added: Keys and values are added, and only one of the two is multiplied by the rest. Set brackets around the sum.
    2 * layers * key_heads * head_dim * num_tokens -> layers * key_heads * head_dim * (1 + num_tokens)
one-off: You left out a token, or counted one too many. All `num_tokens` of them are kept, also the newest.
    * num_tokens  # -> * (num_tokens - 1)  #
"""

FLOAT = "The count is right, and a float. A whole number is asked for: multiply whole numbers, and divide with `//`."
MUST_HOLD = (no_floats("float-size", FLOAT),)
exercise = Exercise(cache_bytes_solution, cases, MISTAKES, outputs=("bytes",), observe=counted, behaviours=MUST_HOLD)
