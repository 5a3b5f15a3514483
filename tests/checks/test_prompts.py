"""Test that checks enforce whatever a prompt forbids or demands, and that what a check quotes stands in the prompt.

A check enforces words of the prompt if a rule quotes them; or if they begin with *Try* and a hint quotes them; or if
the exercise has a mistake that breaks them, which `test_exercises.py` shows to be refused.
"""

import ast
import inspect
import re

import pytest
from nb.exercises import find
from nb.rules.minutes import HINTS

from course_utils import checks

EXERCISES = checks.all()
ASKS = re.compile(
    r"\b(no|nor|not|nothing|nobody|never|without|only|must|should|use|calls?|once|build|built|draw|keep|hold|leave"
    r"|yourself|by hand|loop|try)\b|\bwith `(torch|nn|F)\.",
    re.IGNORECASE,
)
QUOTES = re.compile(r"[Tt]he prompt says “([^”]*)”")

# Words of prompts that tests of numbers or behaviour enforce: exercise -> {words: id of a mistake that breaks them}.
MISTAKES = {
    "batch_attention": {"Return only the context vectors": "weights-as-well", "No text may see another": "batch-mixed"},
    "load": {"must become zero": "bias-kept", "Return nothing": "something-returned"},
    "self_attention": {"without bias": "extra-bias"},
    "masked_weights": {"nothing is open gets zeros": "all-masked-nan", "leave the scores as": "mask-in-place"},
    "who_sees": {"Leave `inputs` as they were": "input-changed"},
    "causal_attention": {"without bias": "extra-bias", "keep it in a buffer": "mask-not-buffer",
     "keep `self.dropout": "dropout-rate", "call it on the weights": "dropout-on-output"},
    "dropout": {"Leave `x` as it was": "input-changed"},
    "dropped_attention": {"Call it once, on the whole table": "drop-by-row"},
    "dropout_layer": {"anew at each call": "same-draw"},
    "evaluate": {"with nothing dropped": "no-eval", "leave the model as it came": "stays-in-eval",
     "must have the mode it had": "parts-forgotten", "when the call fails": "not-after-error"},
    "stacked_heads": {"without dropout": "number-for-rate"},
    "head_weights": {"without a mask": "mask-unasked"},
    "attention_cost": {"no biases": "bias-counted"},
    "multi_head": {"without bias": "extra-bias"},
    "padded_softmax": {"nothing open is all zeros": "all-masked-nan", "no `nan` reaches": "nan-gradient",
     "must not overflow": "naive-overflow"},
    "left_padded_mask": {"No token may attend to padding, nor to a later token": "masks-ored"},
    "cross_attention": {"without bias": "extra-bias", "Without `values`, take the keys": "values-required",
     "Without `valid_lens`, nothing is padding": "lens-required"},
    "copy_heads": {"must get its numbers": "bias-kept", "Return nothing": "something-returned"},
    "causal_layer": {"leave it as it is": "batch-first-set"},
    "fused_attention": {"nobody attends to padding": "all-masked-uniform"},
    "from_memory": {"without bias": "extra-bias", "not divide `d_out`": "not-divisible"},
    "blockwise_row": {"Hold no row longer than `block_size`": "whole-row", "keep no block's scores": "rows-gathered"},
    "cached_step": {"Do not change the cache": "cache-in-place"},
    "measure_without": {"without each": "not-silenced"},
    "pattern_scores": {"without any mark is a `ValueError`": "no-check"},
    "without_head": {"delivers nothing": "not-silenced", "must be as it was": "not-restored",
     "without weights": "pair-returned"},
    "token_shares": {"Only the `top_k` largest scores get a share": "top-k-ignored"},
    "rotary_attention": {"Values are not turned": "values-turned", "No bias": "extra-bias",
     "already turned": "stored-plain"},
    "write": {"must be given each token once": "whole-again", "does not belong to it": "end-kept"},
    "copying_scores": {"copies nothing": "control-ignored"},
    "frame_spectra": {"do not overlap": "frames-overlap", "does not fill a frame": "rest-kept"},
    "order_free": {"Draw at least ten orders": "few-orders", "Leave `items` as they were": "changed-in-place"},
    "masked_attention": {"nothing open gets zeros": "all-masked-nan", "no `nan` reaches": "nan-gradient"},
    "adopt": {"Return nothing": "something-returned"},
    "same_outputs": {"when nothing is dropped": "dropout-left-on", "leave all modes as they were": "stays-in-eval",
     "no difference": "exact"},
    "projected_attention": {"not given": "global-leak"},
    "any_width": {"keep `W_query`": "names", "without bias": "extra-bias"},
}  # fmt: skip

# Words of prompts that ask for nothing, but describe the input, explain a meaning, or allow something.
TELLS = {
    "scores": ["The loop above"],
    "context_vector": ["need not be the same vectors", "You may use `torch.softmax`"],
    "batch_attention": ["at once"],
    "tempered_softmax": ["makes no sense"],
    "additive_mask": ["it may not"],
    "causal_attention": ["changes nothing"],
    "dropout": ["makes no sense"],
    "head_weights": ["not yet split", "yours to use"],
    "rotate": ["at once"],
    "half_split": ["need not change, only the order"],
    "alibi": ["not its business"],
    "copy_heads": ["made without `qkv_bias`"],
    "causal_layer": ["made **without** `batch_first`"],
    "preallocated_step": ["not yet written to may be anything"],
    "gqa": ["gives no weights", "or do it by hand"],
    "pattern_scores": ["at once"],
    "rotary_attention": ["leave out `context_length`", "not where it stands", "come without one"],
    "copying_scores": ["is no copy"],
    "frame_spectra": ["does not stop"],
    "order_free": ["does not matter", "to try it on"],
    "many_heads": ["not yet split"],
}


def prompt_of(name):
    place = find(name)
    return HINTS.sub("", place.cells[place.prompt].source)


def quotes_of(exercise):
    """Return the words of the prompt that an exercise's rules and hints quote, a list."""
    source = inspect.getsource(inspect.getmodule(exercise.solution))
    texts = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    written = [quote for text in texts if isinstance(text, str) for quote in QUOTES.findall(text)]
    return written + [rule.prompt for rule in (*exercise.rules, *exercise.hints) if hasattr(rule, "prompt")]


# Return all words of the prompt that are enforced or that ask for nothing.
def held(name):
    return [*quotes_of(EXERCISES[name]), *MISTAKES.get(name, ()), *TELLS.get(name, ())]


def asked_and_not_held(prompt, quotes):
    """Return the words of a prompt that forbid or demand something and stand in none of the quotes, with context."""
    places = [range(at.start(), at.end()) for quote in quotes for at in re.finditer(re.escape(quote), prompt)]
    return [
        prompt[max(0, word.start() - 30) : word.end() + 30]
        for word in ASKS.finditer(prompt)
        if not any(word.start() in place for place in places)
    ]


@pytest.mark.parametrize("name", EXERCISES)
def test_what_a_prompt_forbids_or_demands_is_held(name):
    assert asked_and_not_held(prompt_of(name), held(name)) == []


@pytest.mark.parametrize("name", EXERCISES)
def test_what_is_quoted_stands_in_the_prompt(name):
    prompt = prompt_of(name)
    assert [quote for quote in held(name) if quote not in prompt] == []


@pytest.mark.parametrize("name", EXERCISES)
def test_a_rule_is_law_and_a_hint_says_try(name):
    exercise = EXERCISES[name]
    laws = [rule.prompt for rule in exercise.rules if hasattr(rule, "prompt")]
    hints = [hint.prompt for hint in exercise.hints if hasattr(hint, "prompt")]
    assert [law for law in laws if re.match("try", law, re.IGNORECASE)] == []
    assert [hint for hint in hints if not hint.startswith("Try")] == []


@pytest.mark.parametrize("name", MISTAKES)
def test_what_is_held_by_a_mistake_is_one_that_the_exercise_knows(name):
    every_exercise = {"input-changed", "global-leak"}
    assert set(MISTAKES[name].values()) <= EXERCISES[name].mistakes.keys() | every_exercise


@pytest.mark.parametrize(
    "more",
    [
        "No comprehension.",
        "Do it without `torch.einsum`.",
        "Use `torch.einsum`.",
        "Write it with `torch.einsum`.",
        "You must not sort.",
        "Only one call.",
        "Build the table yourself.",
        "Try it without a table.",
    ],
)
def test_words_that_a_prompt_gains_are_found(more):
    assert asked_and_not_held(f"{prompt_of('scores')} {more}", held("scores"))
