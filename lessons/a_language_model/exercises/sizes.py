"""`my_sizes(config)`: the sizes of a Llama model and the number of its parameters, read off its configuration."""

from numbers import Integral

import torch

from course_utils.checks.exercise import Exercise
from course_utils.checks.outcome import Refused
from course_utils.lessons.whole_numbers import as_count, no_floats

NAMES = ("query_heads", "key_heads", "head_dim", "feed_forward_width", "parameters")


def sizes_solution(config):
    width, heads = config["hidden_size"], config["num_attention_heads"]
    key_heads = config.get("num_key_value_heads") or heads
    head_dim = config.get("head_dim") or width // heads
    inner = config["intermediate_size"]

    attention = 2 * width * heads * head_dim  # the matrices of queries and of the output
    attention += 2 * width * key_heads * head_dim  # those of keys and of values
    feed_forward = 3 * width * inner  # one widens, one makes the gate, one narrows
    layer = attention + feed_forward + 2 * width  # with two norms
    tables = 1 if config.get("tie_word_embeddings") else 2
    parameters = config["num_hidden_layers"] * layer + tables * config["vocab_size"] * width + width
    return heads, key_heads, head_dim, inner, parameters


def configuration(layers, width, heads, inner, vocab_size, **more):
    """Return a configuration with the names that Hugging Face gives to the sizes of a Llama model."""
    sizes = {"hidden_size": width, "num_attention_heads": heads, "intermediate_size": inner}
    rest = {"num_hidden_layers": layers, "vocab_size": vocab_size, "max_position_embeddings": 64, "rope_theta": 1e4}
    return sizes | rest | more


def cases(draw):
    tied, untied = {"tie_word_embeddings": True}, {"tie_word_embeddings": False}
    yield "2 layers, 12 wide, one table", configuration(2, 12, 6, 20, 50, num_key_value_heads=3, **tied)
    yield "two tables", configuration(2, 12, 6, 20, 50, num_key_value_heads=3, **untied)
    yield "`head_dim` given", configuration(3, 10, 5, 16, 40, num_key_value_heads=1, head_dim=7, **tied)
    yield "names left out", configuration(5, 8, 4, 24, 30)
    yield "`None` for what may be left out", configuration(4, 6, 2, 9, 20, num_key_value_heads=None, head_dim=None)
    yield "SmolLM2-135M", configuration(30, 576, 9, 1536, 49152, num_key_value_heads=3, **tied)
    yield "Llama 2 7B", configuration(32, 4096, 32, 11008, 32000, num_key_value_heads=32, **untied)


def counted(answer, config):
    """Call an answer with a configuration; return its five counts as tensors.

    Errors: Refused, with a message, for anything but five numbers in a tuple, list or tensor.
    """
    sizes = answer(config)
    if sizes is None:
        raise Refused("It ran to its end and gave nothing back: the last line needs a `return`.")
    if isinstance(sizes, dict):
        raise Refused("A dict came back. Return the five numbers themselves, in the order of the prompt.")
    if torch.is_tensor(sizes) and sizes.dim() == 1:
        sizes = list(sizes)
    if not isinstance(sizes, tuple | list):
        template = "`{value}` came back. Five numbers are asked for: `return {names}`."
        raise Refused(template, value=repr(sizes), names=", ".join(NAMES))
    if len(sizes) != len(NAMES):
        template = "{count} numbers came back. Five are asked for, in this order: `return {names}`."
        raise Refused(template, count=len(sizes), names=", ".join(NAMES))
    # whole numbers are compared exactly, floats up to rounding
    return [torch.tensor(size) if isinstance(size, Integral) else as_count(size) for size in sizes]


MISTAKES = """
head-dim-derived: You always divide the width by the heads. A configuration may name `head_dim`, and then that counts.
    config.get("head_dim") or width // heads -> width // heads
head-dim-of-key-heads: You divide the width by the heads of keys. `head_dim` is the width divided by the heads of
    queries: keys must be as wide as the queries that meet them.
    width // heads -> width // key_heads
head-dim-needed: `head_dim` need not be there, and may be `None`: `config.get("head_dim") or width // heads`.
    config.get("head_dim") or width // heads -> config["head_dim"]
    or
    config.get("head_dim") or width // heads -> config.get("head_dim", width // heads)
key-heads-needed: `num_key_value_heads` need not be there, and may be `None`: then there are as many as heads of
    queries.
    config.get("num_key_value_heads") or heads -> config["num_key_value_heads"]
    or
    config.get("num_key_value_heads") or heads -> config.get("num_key_value_heads", heads)
key-heads-unread: You give every head of queries keys of its own. How many heads of keys there are,
    `num_key_value_heads` says.
    config.get("num_key_value_heads") or heads -> heads
group-size: That is how many heads of queries share a head of keys. Asked for is the number of heads of keys.
    return heads, key_heads -> return heads, heads // key_heads
key-heads-uncounted: The matrices of keys and values are counted as large as that of queries. They make only
    `key_heads` heads, `key_heads * head_dim` numbers for each token.
    2 * width * key_heads * head_dim -> 2 * width * heads * head_dim
    or
    attention = 2 * width * heads * head_dim -> attention = 4 * width * width
    2 * width * key_heads * head_dim -> 0
square-matrices: You count the matrices of queries and of the output as width times width. They have
    `heads * head_dim` on one side, and that need not be the width.
    attention = 2 * width * heads * head_dim -> attention = 2 * width * width
output-uncounted: The matrix behind the heads is missing, `o_proj`. It is as large as that of queries.
    2 * width * heads * head_dim -> width * heads * head_dim
values-uncounted: Keys are counted, values are not. Each has a matrix of its own, of the same size.
    2 * width * key_heads * head_dim -> width * key_heads * head_dim
gate-uncounted: The feed-forward part has a gate: three matrices, not two. One widens, one makes the gate, one narrows.
    3 * width * inner -> 2 * width * inner
gate-widened: The gate does not double the feed-forward width: the two rows that are multiplied have
    `intermediate_size` numbers each.
    , inner, parameters -> , 2 * inner, parameters
norms-uncounted: The norms are not counted. Each has one number for each of the `hidden_size`: two in a layer, and one
    at the end.
    + 2 * width  # -> #
    * width + width -> * width
last-norm-uncounted: The norm before the output table is missing: `hidden_size` numbers more.
    * width + width -> * width
one-norm-each: A layer has two norms, one before attention and one before the feed-forward part. One of them is missing.
    + 2 * width  # -> + width  #
norms-of-last-alone: The two norms of each layer are missing: one before attention, one before the feed-forward part.
    + 2 * width  # -> #
norms-with-shift: RMSNorm has one number for each feature, and no shift. You count two.
    + 2 * width  # -> + 4 * width  #
    * width + width -> * width + 2 * width
biases-counted: You count a bias for each matrix. In this family no part has one.
    + 2 * width  # -> + 2 * width + heads * head_dim + 2 * key_heads * head_dim + width  #
    or
    + 2 * width  # -> + 2 * width + heads * head_dim + 2 * key_heads * head_dim + width + 2 * inner + width  #
tied-twice: With `tie_word_embeddings` the output table *is* the embedding: count it once.
    1 if config.get("tie_word_embeddings") else 2 -> 2
untied-once: Without `tie_word_embeddings` the output table is a second one, as large as the embedding. Count both.
    1 if config.get("tie_word_embeddings") else 2 -> 1
tied-the-other-way: One and two have changed places. True means one table, used twice.
    1 if config.get("tie_word_embeddings") else 2 -> 2 if config.get("tie_word_embeddings") else 1
tie-needed: `tie_word_embeddings` need not be there: `config.get("tie_word_embeddings")` is `None` then, which counts
    as False.
    config.get("tie_word_embeddings") -> config["tie_word_embeddings"]
tables-uncounted: The embedding is not counted: a row for each token of the vocabulary, `hidden_size` numbers each.
    + tables * config["vocab_size"] * width ->
one-layer: That is a model of one layer. Each layer has parameters of its own: times `num_hidden_layers`.
    config["num_hidden_layers"] * layer -> layer
all-times-layers: The tables of tokens, or the last norm, are multiplied by the layers. They stand once in the model.
    config["num_hidden_layers"] * layer + tables * config["vocab_size"] * width + width ->
        config["num_hidden_layers"] * (layer + tables * config["vocab_size"] * width + width)
    or
    config["num_hidden_layers"] * layer + tables * config["vocab_size"] * width + width ->
        config["num_hidden_layers"] * (layer + width) + tables * config["vocab_size"] * width
    or
    config["num_hidden_layers"] * layer + tables * config["vocab_size"] * width + width ->
        config["num_hidden_layers"] * (layer + tables * config["vocab_size"] * width) + width
positions-counted: A table of positions is counted. Positions are rotary here: angles are computed, and nothing is
    stored that is trained.
    * width + width -> * width + width + config["max_position_embeddings"] * width
millions: These are millions or billions of parameters. Return the count itself, a whole number.
    heads, key_heads, head_dim, inner, parameters -> heads, key_heads, head_dim, inner, parameters / 1e6
    or
    heads, key_heads, head_dim, inner, parameters -> heads, key_heads, head_dim, inner, parameters / 1e9
"""

FLOAT = "The counts are right, and one is a float. Whole numbers are asked for: divide with `//`."
MUST_HOLD = (no_floats("float-sizes", FLOAT),)
exercise = Exercise(sizes_solution, cases, MISTAKES, outputs=NAMES, observe=counted, behaviours=MUST_HOLD)
