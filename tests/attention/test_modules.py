"""Test that the modules of course_utils.attention give PyTorch's numbers and have the properties the course claims."""

import oracles
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from oracles import assert_both_kernels, assert_same, cases, heads_cases, left_unchanged
from small_modules import HEADS, MODULES, all_modules, inputs, kernels, numbers
from torch.autograd import gradcheck

from course_utils.attention import CausalAttention, MultiHeadAttention, SelfAttention, StackedHeads


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
        want = oracles.torch_attention(*projected, mask)
        assert_same(got[0], want[0])
        assert_same(got[1], want[1])


@cases(60)
@given(heads_cases())
def test_many_heads_are_torch_attention_head_by_head(case):
    assert_both_kernels(case, oracles.torch_heads)


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
def test_gradcheck_of_multi_head_attention(need_weights):
    module = MultiHeadAttention(3, 4, 2, causal=True, qkv_bias=True).double()
    mask = torch.tensor([[False, True, True], [True, True, False], [True, False, True]])  # nothing left for query 0
    names, parameters = zip(*module.named_parameters(), strict=True)

    def run(queries, *parameters):
        options = dict(mask=mask, need_weights=need_weights)
        outputs = torch.func.functional_call(module, dict(zip(names, parameters, strict=True)), queries, options)
        return outputs if need_weights else outputs[0]

    assert gradcheck(run, (numbers(2, 3, 3, requires_grad=True), *parameters))


@all_modules
def test_every_parameter_takes_part(make):
    module = make(qkv_bias=True).double()
    context_vecs, attn_weights = module(inputs())
    (context_vecs.square().sum() + attn_weights[..., 1:, 0].sum()).backward()
    # the bias of the keys shifts all scores of a query by the same number, which does not change softmax
    moved = {name for name, parameter in module.named_parameters() if parameter.grad.abs().max() > 1e-12}
    assert moved == {name for name, _ in module.named_parameters() if not name.endswith("W_key.bias")}


@kernels
def test_autocast_casts_for_the_module(need_weights):
    module, x = MODULES["MultiHeadAttention, causal"](), inputs().float()
    for arriving in (x, x.bfloat16()):  # float32 from the data, bfloat16 from a layer before
        with torch.autocast("cpu", dtype=torch.bfloat16):
            context_vecs, _ = module(arriving, need_weights=need_weights)
        assert context_vecs.dtype == torch.bfloat16
        assert (context_vecs.float() - module(x)[0]).abs().max() < 0.05
