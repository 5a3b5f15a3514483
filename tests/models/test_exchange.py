"""Test that a learner's own attention works in the language model, and that a message says what does not fit."""

import re

import pytest
import torch
from torch import nn

from course_utils import attention, checks
from course_utils.attention import MultiHeadAttention
from course_utils.models import made_up

TEXT, HEADS, KEY_HEADS, WIDTH = "To be or not", made_up.CONFIG.num_heads, made_up.CONFIG.key_heads, made_up.CONFIG.width
MODEL = made_up.language_model()


class MyAttention(checks.rotary_attention.solution):
    """The class of a_language_model, with two things that a learner's own may hold: a mask, and dropout."""

    def __init__(self, d_in, d_out, num_heads, key_heads, rotate, context_length=64):
        super().__init__(d_in, d_out, num_heads, key_heads, rotate)
        self.dropout = nn.Dropout(0.5)  # the model is not trained, so nothing is dropped
        self.register_buffer("mask", attention.causal_mask(context_length))

    def forward(self, x, cache=None):
        context_vecs, attn_weights = super().forward(x, cache)
        return self.dropout(context_vecs), attn_weights


def mine(kind=MyAttention, **changes):
    return kind(
        **{"d_in": WIDTH, "d_out": WIDTH, "num_heads": HEADS, "key_heads": KEY_HEADS, "rotate": MODEL.rotate} | changes
    )


ONE = mine()


def test_the_same_numbers_come_out():
    expected, got = MODEL(TEXT), MODEL.with_attention(mine)(TEXT)
    assert got.tokens == expected.tokens
    torch.testing.assert_close(got.attn_weights, expected.attn_weights)
    torch.testing.assert_close(got.logits, expected.logits)


@pytest.mark.parametrize("cache", [True, False])
def test_it_writes_the_same(cache):
    assert list(MODEL.with_attention(mine).write(TEXT, 20, cache=cache)) == list(MODEL.write(TEXT, 20, cache=cache))


def test_the_course_s_own_class_fits():
    options = dict(key_heads=KEY_HEADS, causal=True, out_bias=False, rotate=MODEL.rotate)
    other = MODEL.with_attention(lambda: MultiHeadAttention(WIDTH, WIDTH, HEADS, **options))
    assert torch.equal(other(TEXT).logits, MODEL(TEXT).logits)
    assert torch.equal(
        other.with_attention(mine).with_attention(mine)(TEXT).logits, MODEL.with_attention(mine)(TEXT).logits
    )


def test_weights_are_shared_and_nothing_else_changes():
    state, kind = torch.get_rng_state(), type(MODEL.layers[0].attention)
    other = MODEL.with_attention(mine)
    assert torch.equal(state, torch.get_rng_state())
    for name, parameter in MODEL.named_parameters():
        assert other.get_parameter(name).data_ptr() == parameter.data_ptr(), name
    assert {type(layer.attention) for layer in MODEL.layers} == {kind}
    assert {type(layer.attention) for layer in other.layers} == {MyAttention}
    assert not other.training and not any(parameter.requires_grad for parameter in other.parameters())


def test_another_custom_of_places_gives_other_numbers():
    def halves(x, places):
        swapped = torch.cat([x[..., 0::2], x[..., 1::2]], dim=-1)
        return MODEL.rotate(swapped, places)

    other = MODEL.with_attention(lambda: mine(rotate=halves))
    assert not torch.allclose(other(TEXT).attn_weights, MODEL(TEXT).attn_weights)


def with_parts(**parts):
    """Return a function that builds MyAttention with other parts; None takes a part away."""

    def make():
        layer = mine()
        for name, part in parts.items():
            delattr(layer, name)
            if part is not None:
                setattr(layer, name, part())
        return layer

    return make


def of_forward(forward):
    return lambda: mine(type("Changed", (MyAttention,), {"forward": forward}))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (None, "make must be a function without arguments that builds a layer"),
        (MyAttention, "make must be a function without arguments that builds a layer, such as lambda: MyAttention("),
        (lambda: None, "make must build a layer, an nn.Module, got NoneType"),
        (lambda: ONE, "make must build a new layer each time, and 2 calls returned one of them twice"),
        (with_parts(W_key=None), "W_key.weight is missing, an nn.Linear's of shape (8, 16)."),
        (lambda: mine(key_heads=HEADS),
         "W_key.weight has shape (16, 16), and the model's is (8, 16) (4 heads share 2 "),
        (lambda: mine(d_in=8), "W_query.weight has shape (16, 8), and the model's is (16, 16)."),
        (with_parts(out_proj=lambda: nn.Linear(16, 16)),
         "out_proj.bias is not in the model: build that layer with bias="),
        (with_parts(mask=lambda: nn.Parameter(torch.ones(3))), "mask is not in the model: leave it out."),
        (of_forward(lambda self, x: self.nowhere), "Changed failed on inputs of shape (1, 3, 16): AttributeError: "),
        (of_forward(lambda self, x: x), "Changed must return a pair of tensors, (context_vecs, attn_weights)."),
        (of_forward(lambda self, x: (x, None)), "Changed must return a pair of tensors"),
        (of_forward(lambda self, x: (x[0], x)),
         "returns context_vecs of shape (3, 16) for 3 tokens, and not (1, 3, 16)"),
        (of_forward(lambda self, x: (x, x)),
         "returns attn_weights of shape (1, 3, 16) for 3 tokens, and not (1, 4, 3, 3)"),
    ],
)  # fmt: skip
def test_a_message_says_what_does_not_fit(make, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        MODEL.with_attention(make)


def test_all_that_does_not_fit_is_said_at_once():
    make = with_parts(W_key=None, out_proj=lambda: nn.Linear(16, 16))
    with pytest.raises(ValueError, match="MyAttention does not fit into the model. .*W_key.*out_proj.bias"):
        MODEL.with_attention(make)


def test_a_class_without_a_cache_reads_and_writes_slowly():
    other = MODEL.with_attention(of_forward(lambda self, x: MyAttention.forward(self, x)))
    assert torch.allclose(other(TEXT).logits, MODEL(TEXT).logits, atol=1e-5)
    assert list(other.write(TEXT, 5, cache=False)) == list(MODEL.write(TEXT, 5))
    for begin in (lambda: other.write(TEXT, 5), other.reader):
        with pytest.raises(ValueError, match="the forward of Changed takes no cache: give it an argument cache=None"):
            begin()


@pytest.mark.parametrize("times", [0, 2])
def test_a_cache_that_is_not_filled_once_is_noticed(times):
    def forward(self, x, cache=None):
        for _ in range(times if cache is not None else 0):
            cache.add(*2 * [torch.zeros(1, KEY_HEADS, x.shape[1], WIDTH // HEADS)])
        return MyAttention.forward(self, x)

    other = MODEL.with_attention(of_forward(forward))
    with pytest.raises(ValueError, match="a cache, which should now hold 12 tokens and holds .*values = cache.add"):
        next(other.write(TEXT, 15))


@pytest.mark.parametrize("options", ["need_weights=True", "**options"])
def test_writing_asks_for_no_weights_where_it_can(options):
    seen = []
    code = f"def forward(self, x, cache=None, {options}):\n    seen.append(locals()); return base(self, x, cache)"
    names = {"seen": seen, "base": MyAttention.forward}
    exec(code, names)
    list(MODEL.with_attention(of_forward(names["forward"])).write(TEXT, 1))
    asked = [{**call, **call.get("options", {})}.get("need_weights") for call in seen]
    assert asked[-2:] == [False, False]
