"""Test that the modules of course_utils.attention give PyTorch's numbers and have the properties the course claims."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from oracles import assert_same, cases, heads_cases, left_unchanged, torch_attention, torch_heads, torch_multihead
from small_modules import (
    BATCH,
    CONTEXT,
    D_IN,
    D_OUT,
    HEADS,
    MODULES,
    TOKENS,
    all_modules,
    causal_modules,
    inputs,
    kernels,
    numbers,
)
from torch.autograd import gradcheck

from course_utils.attention import CausalAttention, MultiHeadAttention, SelfAttention, StackedHeads, padding_mask


@cases(60)
@given(data=st.data(), bias=st.booleans(), num_leading=st.integers(0, 3))
def test_one_head_is_torch_attention(data, bias, num_leading):
    d_in, d_out, num_tokens, *leading = data.draw(st.permutations(range(1, 8)))[: 3 + num_leading]
    dtype = data.draw(st.sampled_from([torch.float32, torch.float64]))
    x = torch.randn(*leading, num_tokens, d_in, dtype=dtype)
    plain = SelfAttention(d_in, d_out, qkv_bias=bias).to(dtype)
    causal = CausalAttention(d_in, d_out, num_tokens + 2, qkv_bias=bias).to(dtype)
    for module, mask in [(plain, None), (causal, torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril())]:
        assert (module.W_query.bias is not None) == bias
        with left_unchanged(x):
            got = module(x)
        projected = [F.linear(x, layer.weight, layer.bias) for layer in (module.W_query, module.W_key, module.W_value)]
        want = torch_attention(*projected, mask)
        assert_same(got[0], want[0])
        assert_same(got[1], want[1])


@cases(60)
@given(heads_cases(max_leading=1, d_in_is_d_out=True))
def test_many_heads_are_torch_multihead_attention(case):
    keys = case.queries if case.keys is None else case.keys
    values = keys if case.values is None else case.values
    if case.mask is not None:
        case.mask[..., 0] = True  # PyTorch's module has nan in rows that may attend to nothing
    want = torch_multihead(case.module, case.queries, keys, values, case.mask)
    check_both_kernels(case, want)


@cases(60)
@given(heads_cases(max_leading=3, d_in_is_d_out=False))
def test_many_heads_are_torch_attention_head_by_head(case):
    keys = case.queries if case.keys is None else case.keys
    values = keys if case.values is None else case.values
    check_both_kernels(case, torch_heads(case.module, case.queries, keys, values, case.mask))


def check_both_kernels(case, want):
    with left_unchanged(case.queries, case.keys, case.values, case.mask):
        context_vecs, attn_weights = case.module(case.queries, case.keys, case.values, mask=case.mask)
        fused, nothing = case.module(case.queries, case.keys, case.values, mask=case.mask, need_weights=False)
    assert_same(context_vecs, want[0])
    assert_same(attn_weights, want[1])
    assert_same(fused, want[0])
    assert nothing is None


@cases(40)
@given(data=st.data(), bias=st.booleans())
def test_stacked_heads_are_multi_head_attention_without_out_proj(data, bias):
    num_heads, head_dim, d_in, num_tokens, batch = data.draw(st.permutations(range(1, 7)))[:5]
    stacked = StackedHeads(d_in, head_dim, num_tokens + 1, num_heads, qkv_bias=bias).double()
    together = MultiHeadAttention(d_in, num_heads * head_dim, num_heads, causal=True, qkv_bias=bias).double()
    state = {"out_proj.weight": torch.eye(num_heads * head_dim), "out_proj.bias": torch.zeros(num_heads * head_dim)}
    for name in together.state_dict().keys() - state.keys():
        state[name] = torch.cat([head.state_dict()[name] for head in stacked.heads])
    together.load_state_dict(state)
    x = numbers(batch, num_tokens, d_in)
    with left_unchanged(x):
        got = stacked(x)
    for mine, want in zip(got, together(x), strict=True):
        assert_same(mine, want)


def test_each_stacked_head_has_weights_of_its_own():
    assert len(list(MODULES["StackedHeads"]().parameters())) == 3 * HEADS  # a shared parameter would count once


@kernels
def test_padding_keys_are_not_seen(need_weights):
    module = MODULES["MultiHeadAttention"]().double()
    x, mask = inputs(), padding_mask([1, 3], TOKENS)
    keys = torch.cat([x, x], dim=1)[:, :TOKENS]
    keys[0, 1:], keys[1, 3:] = 100.0, -100.0
    shortened, _ = zip(*(module(x[i], x[i, :length]) for i, length in enumerate([1, 3])), strict=True)
    assert_same(module(x, keys, mask=mask, need_weights=need_weights)[0], torch.stack(shortened))


@kernels
def test_a_fully_masked_query_gives_out_proj_of_zero_and_finite_gradients(need_weights):
    module, x = MODULES["MultiHeadAttention, causal"]().double(), inputs().requires_grad_()
    mask = torch.ones(TOKENS, TOKENS, dtype=torch.bool)
    mask[0, 0] = False  # query 0 sees no later key either
    context_vecs, _ = module(x, mask=mask, need_weights=need_weights)
    assert_same(context_vecs[:, 0], module.out_proj.bias.expand(BATCH, D_OUT))
    context_vecs.square().sum().backward()
    assert all(leaf.grad.isfinite().all() for leaf in (x, *module.parameters()))


@kernels
def test_gradcheck_of_multi_head_attention(need_weights):
    module = MultiHeadAttention(3, 4, 2, causal=True, qkv_bias=True).double()
    mask = torch.tensor([[False, True, True], [True, True, False], [True, False, True]])  # nothing left for query 0
    names, parameters = zip(*module.named_parameters(), strict=True)

    def run(queries, *parameters):
        options = dict(mask=mask, need_weights=need_weights)
        outputs = torch.func.functional_call(module, dict(zip(names, parameters, strict=True)), queries, options)
        return outputs if need_weights else outputs[0]

    assert gradcheck(run, (numbers(2, 3, 3, requires_grad=True), *parameters))


@causal_modules
def test_no_output_depends_on_a_later_token(make):
    module, x = make().double(), inputs()
    context_vecs, attn_weights = module(x)
    for token in range(1, TOKENS):
        changed = x.clone()
        changed[:, token] += 10
        new_vecs, new_weights = module(changed)
        assert_same(new_vecs[:, :token], context_vecs[:, :token])
        assert_same(new_weights[..., :token, :], attn_weights[..., :token, :])
        assert (new_vecs - context_vecs)[:, token:].abs().amax(-1).min() > 0.01
    assert not attn_weights.triu(1).any()


def test_the_fused_kernel_does_not_see_later_tokens_either():
    module, x = MODULES["MultiHeadAttention, causal"]().double(), inputs()
    changed = x.clone()
    changed[:, 2] += 10
    for mask in (None, torch.ones(TOKENS, TOKENS, dtype=torch.bool)):
        before, after = (module(tokens, mask=mask, need_weights=False)[0] for tokens in (x, changed))
        assert_same(after[:, :2], before[:, :2])
        assert (after - before)[:, 2:].abs().amax(-1).min() > 0.01


@all_modules
def test_each_sample_is_computed_alone(make):
    module, x = make().double(), inputs()
    alone = [module(sample) for sample in x]
    for together, singles in zip(module(x), zip(*alone, strict=True), strict=True):
        assert_same(together, torch.stack(singles))


@pytest.mark.parametrize("name", ["SelfAttention", "MultiHeadAttention"])
def test_without_a_mask_the_order_of_the_tokens_only_orders_the_outputs(name):
    module, x, order = MODULES[name]().double(), inputs(), torch.tensor([2, 0, 3, 1])
    context_vecs, attn_weights = module(x)
    shuffled_vecs, shuffled_weights = module(x[:, order])
    assert_same(shuffled_vecs, context_vecs[:, order])
    assert_same(shuffled_weights, attn_weights[..., order, :][..., order])


def test_the_order_of_the_keys_does_not_matter_to_the_queries():
    module, x, keys, order = MODULES["MultiHeadAttention"]().double(), inputs(), inputs(), torch.tensor([2, 0, 3, 1])
    assert_same(module(x, keys[:, order])[0], module(x, keys)[0])


@all_modules
def test_a_module_works_in_double_and_gives_the_same_numbers(make):
    module, x = make(), inputs().float()
    single, _ = module(x)
    double, _ = module.double()(x.double())
    assert double.dtype == torch.float64
    assert_same(single, double.float())


@all_modules
def test_every_parameter_takes_part(make):
    module = make(qkv_bias=True).double()
    context_vecs, attn_weights = module(inputs())
    (context_vecs.square().sum() + attn_weights[..., 1:, 0].sum()).backward()
    # the bias of the keys shifts all scores of a query by the same number, which does not change softmax
    moved = {name for name, parameter in module.named_parameters() if parameter.grad.abs().max() > 1e-12}
    assert moved == {name for name, _ in module.named_parameters() if not name.endswith("W_key.bias")}


@pytest.mark.parametrize("name", ["CausalAttention", "StackedHeads"])
@pytest.mark.parametrize("num_tokens", [1, CONTEXT - 1, CONTEXT])
def test_up_to_context_length_any_number_of_tokens_will_do(name, num_tokens):
    context_vecs, attn_weights = MODULES[name]().double()(numbers(BATCH, num_tokens, D_IN))
    assert context_vecs.shape == (BATCH, num_tokens, D_OUT)
    assert_same(attn_weights.sum(-1), torch.ones(attn_weights.shape[:-1], dtype=torch.float64))


@kernels
def test_autocast_casts_for_the_module(need_weights):
    module, x = MODULES["MultiHeadAttention, causal"](), inputs().float()
    for arriving in (x, x.bfloat16()):  # float32 from the data, bfloat16 from a layer before
        with torch.autocast("cpu", dtype=torch.bfloat16):
            context_vecs, _ = module(arriving, need_weights=need_weights)
        assert context_vecs.dtype == torch.bfloat16
        assert (context_vecs.float() - module(x)[0]).abs().max() < 0.05
