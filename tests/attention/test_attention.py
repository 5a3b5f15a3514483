"""course_utils.attention gives PyTorch's numbers, and has the properties the course claims."""

import inspect
import math
from functools import partial

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from oracles import (
    assert_same,
    attention_by_hand,
    drawn,
    heads_cases,
    left_unchanged,
    single_cases,
    torch_attention,
    torch_heads,
    torch_multihead,
)
from torch.autograd import gradcheck

from course_utils import attention
from course_utils.attention import (
    CausalAttention,
    MultiHeadAttention,
    SelfAttention,
    StackedHeads,
    causal_mask,
    merge_heads,
    padding_mask,
    scaled_dot_product_attention,
    softmax,
    split_heads,
)

D_IN, D_OUT, HEADS, TOKENS, BATCH, CONTEXT = 5, 6, 3, 4, 2, 7
MODULES = {
    "SelfAttention": partial(SelfAttention, D_IN, D_OUT),
    "CausalAttention": partial(CausalAttention, D_IN, D_OUT, CONTEXT),
    "StackedHeads": partial(StackedHeads, D_IN, D_OUT // HEADS, CONTEXT, HEADS),
    "MultiHeadAttention": partial(MultiHeadAttention, D_IN, D_OUT, HEADS),
    "MultiHeadAttention, causal": partial(MultiHeadAttention, D_IN, D_OUT, HEADS, causal=True),
}
CAUSAL = ["CausalAttention", "StackedHeads", "MultiHeadAttention, causal"]
all_modules = pytest.mark.parametrize("make", MODULES.values(), ids=MODULES)
causal_modules = pytest.mark.parametrize("make", [MODULES[name] for name in CAUSAL], ids=CAUSAL)
kernels = pytest.mark.parametrize("need_weights", [True, False])


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


def numbers(*shape, **options):
    return torch.randn(*shape, dtype=torch.float64, **options)


def inputs():
    return numbers(BATCH, TOKENS, D_IN)


# softmax


@drawn(60)
@given(
    shape=st.lists(st.integers(1, 5), min_size=1, max_size=4, unique=True),
    size=st.sampled_from([1, 30, 1000]),
    dtype=st.sampled_from([torch.float32, torch.float64]),
    data=st.data(),
)
def test_softmax_is_torch_softmax_and_zero_where_torch_has_nan(shape, size, dtype, data):
    dim = data.draw(st.integers(-len(shape), len(shape) - 1))
    scores = (torch.randn(shape, dtype=dtype) * size).masked_fill(torch.rand(shape) < 0.4, -torch.inf)
    with left_unchanged(scores):
        weights = softmax(scores, dim)
    assert_same(weights, torch.softmax(scores, dim).nan_to_num(0.0))


def test_softmax_takes_scores_of_a_thousand():
    assert_same(softmax(torch.tensor([1000.0, 999.0, -1000.0])), torch.softmax(torch.tensor([1.0, 0.0, -2000.0]), -1))


def test_softmax_does_not_change_when_all_scores_shift():
    scores = numbers(3, 4)
    assert_same(softmax(scores + 100.0), softmax(scores))


def test_softmax_of_no_scores_is_empty():
    assert softmax(torch.ones(3, 0)).shape == (3, 0)
    assert softmax(torch.ones(0, 3)).shape == (0, 3)


# scaled_dot_product_attention


@drawn(300)
@given(single_cases())
def test_attention_is_torch_attention(case):
    with left_unchanged(case.queries, case.keys, case.values, case.mask):
        got = scaled_dot_product_attention(case.queries, case.keys, case.values, case.mask, scale=case.scale)
    want = torch_attention(case.queries, case.keys, case.values, case.mask, case.scale)
    assert_same(got[0], want[0])
    assert_same(got[1], want[1])


matrices = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(st.floats(-3, 3), min_size=width, max_size=width), min_size=1, max_size=4)
)


@drawn(60)
@given(queries=matrices, data=st.data())
def test_attention_is_the_formula_in_plain_python(queries, data):
    width = len(queries[0])
    rows = st.lists(st.floats(-3, 3), min_size=width, max_size=width)
    keys = data.draw(st.lists(rows, min_size=1, max_size=5))
    values = [[sum(key), key[0] + 1, 2.0 * i] for i, key in enumerate(keys)]
    flags = st.lists(st.booleans(), min_size=len(keys), max_size=len(keys))
    mask = data.draw(st.lists(flags, min_size=len(queries), max_size=len(queries)))
    tensors = [torch.tensor(rows, dtype=torch.float64) for rows in (queries, keys, values)]
    got = scaled_dot_product_attention(*tensors, mask=torch.tensor(mask))
    for tensor, by_hand in zip(got, attention_by_hand(queries, keys, values, mask), strict=True):
        assert_same(tensor, torch.tensor(by_hand, dtype=torch.float64))


@drawn(60)
@given(single_cases())
def test_attention_has_the_gradients_of_torch_attention(case):
    leaves = [x.requires_grad_() for x in (case.queries, case.keys, case.values)]
    ours, _ = scaled_dot_product_attention(*leaves, case.mask, scale=case.scale)
    theirs, _ = torch_attention(*leaves, case.mask, case.scale)
    direction = torch.randn_like(ours)
    got, want = (torch.autograd.grad(out, leaves, direction) for out in (ours, theirs))
    for mine, torchs in zip(got, want, strict=True):
        size = torchs.abs().max().clamp(min=1)  # keys shared by all samples sum up many gradients
        assert_same(mine / size, torchs / size)


def test_a_query_with_nothing_to_attend_to_gives_zeros_and_finite_gradients():
    queries, keys, values = (numbers(BATCH, TOKENS, D_IN, requires_grad=True) for _ in range(3))
    mask = torch.tensor([[True] * TOKENS, [False] * TOKENS, [True] * TOKENS, [True] * TOKENS])
    context_vecs, attn_weights = scaled_dot_product_attention(queries, keys, values, mask)
    assert not context_vecs[:, 1].any() and not attn_weights[:, 1].any()
    assert_same(attn_weights[:, [0, 2, 3]].sum(-1), torch.ones(BATCH, 3, dtype=torch.float64))
    (context_vecs.square().sum() + attn_weights.square().sum()).backward()
    assert all(x.grad.isfinite().all() for x in (queries, keys, values))
    assert not queries.grad[:, 1].any() and keys.grad.any()


def test_attention_to_no_keys_at_all_gives_zeros():
    context_vecs, attn_weights = scaled_dot_product_attention(numbers(3, 5), numbers(0, 5), numbers(0, 2))
    assert context_vecs.shape == (3, 2) and not context_vecs.any()
    assert attn_weights.shape == (3, 0)


def test_attention_applies_dropout_to_the_weights_it_returns():
    queries, keys, values = numbers(3, 5), numbers(4, 5), numbers(4, 2)
    weights = torch_attention(queries, keys, values)[1]
    context_vecs, attn_weights = scaled_dot_product_attention(queries, keys, values, dropout=lambda w: w * 10)
    assert_same(attn_weights, weights * 10)
    assert_same(context_vecs, weights @ values * 10)


def test_a_masked_key_may_hold_anything_finite():
    queries, keys, values = numbers(3, 5), numbers(4, 5), numbers(4, 2)
    mask = torch.tensor([True, True, False, True])
    before, _ = scaled_dot_product_attention(queries, keys, values, mask)
    keys[2], values[2] = 1e100, -1e100
    assert_same(scaled_dot_product_attention(queries, keys, values, mask)[0], before)


# gradients


def test_gradcheck_of_softmax():
    allowed = torch.tensor([[True, False, True], [False, False, False]])
    assert gradcheck(
        lambda scores: softmax(scores.masked_fill(~allowed, -torch.inf)), numbers(2, 3, requires_grad=True)
    )
    assert gradcheck(partial(softmax, dim=0), numbers(2, 3, requires_grad=True))


def test_gradcheck_of_attention():
    mask = torch.tensor([[True, False, True], [False, False, False]])
    leaves = [numbers(2, rows, width, requires_grad=True) for rows, width in [(2, 4), (3, 4), (3, 2)]]
    assert gradcheck(partial(scaled_dot_product_attention, mask=mask), leaves)


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


# masks


def test_causal_mask_lets_each_token_see_itself_and_the_past():
    assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    assert causal_mask(1).tolist() == [[True]]
    assert causal_mask(2, device="meta").device.type == "meta"


@drawn(30)
@given(single_cases())
def test_causal_mask_is_what_torch_calls_is_causal(case):
    num_tokens = case.queries.shape[-2]
    keys, values = case.queries + 1, case.queries * 2
    got, _ = scaled_dot_product_attention(case.queries, keys, values, causal_mask(num_tokens))
    assert_same(got, F.scaled_dot_product_attention(case.queries, keys, values, is_causal=True))


@pytest.mark.parametrize("kind", [list, tuple, torch.tensor, partial(torch.tensor, dtype=torch.int32)])
def test_padding_mask_lets_through_the_first_keys_of_each_sample(kind):
    mask = padding_mask(kind([2, 0, 3]), 3)
    assert mask.shape == (3, 1, 1, 3) and mask.dtype == torch.bool
    assert mask[:, 0, 0].tolist() == [[True, True, False], [False, False, False], [True, True, True]]


@kernels
def test_padding_keys_are_not_seen(need_weights):
    module = MODULES["MultiHeadAttention"]().double()
    x, mask = inputs(), padding_mask([1, 3], TOKENS)
    keys = torch.cat([x, x], dim=1)[:, :TOKENS]
    keys[0, 1:], keys[1, 3:] = 100.0, -100.0
    shortened, _ = zip(*(module(x[i], x[i, :length]) for i, length in enumerate([1, 3])), strict=True)
    assert_same(module(x, keys, mask=mask, need_weights=need_weights)[0], torch.stack(shortened))


# heads


@pytest.mark.parametrize("leading", [(), (2,), (2, 5)])
def test_split_and_merge_are_view_and_transpose_and_inverses(leading):
    x = numbers(*leading, 4, 6)
    heads = split_heads(x, 3)
    assert torch.equal(heads, x.view(*leading, 4, 3, 2).transpose(-3, -2))
    assert torch.equal(merge_heads(heads), x)
    assert torch.equal(split_heads(merge_heads(heads), 3), heads)


def test_heads_split_the_features_not_the_tokens():
    x = torch.arange(24).view(4, 6)
    assert split_heads(x, 3)[1].tolist() == [[2, 3], [8, 9], [14, 15], [20, 21]]


def test_a_slice_of_features_changes_its_own_head_only():
    queries, keys, values = numbers(TOKENS, D_OUT), numbers(TOKENS, D_OUT), numbers(TOKENS, D_OUT)

    def attend():
        split = (split_heads(x, HEADS) for x in (queries, keys, values))
        return merge_heads(scaled_dot_product_attention(*split)[0])

    before = attend()
    for x in (queries, keys, values):
        x[:, 2:4] += 1
    changed = (attend() - before).abs().amax(dim=0) > 0
    assert changed.tolist() == [False, False, True, True, False, False]


# the modules


@drawn(60)
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


@drawn(150)
@given(heads_cases(max_leading=1, d_in_is_d_out=True))
def test_many_heads_are_torch_multihead_attention(case):
    keys = case.queries if case.keys is None else case.keys
    values = keys if case.values is None else case.values
    if case.mask is not None:
        case.mask[..., 0] = True  # PyTorch's module has nan in rows that may attend to nothing
    want = torch_multihead(case.module, case.queries, keys, values, case.mask)
    check_both_kernels(case, want)


@drawn(150)
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


@drawn(40)
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
    assert len(list(MODULES["StackedHeads"]().parameters())) == 3 * HEADS  # a shared one would count once


@kernels
def test_a_fully_masked_query_gives_out_proj_of_zero_and_finite_gradients(need_weights):
    module, x = MODULES["MultiHeadAttention, causal"]().double(), inputs().requires_grad_()
    mask = torch.ones(TOKENS, TOKENS, dtype=torch.bool)
    mask[0, 0] = False  # query 0 sees no later key either
    context_vecs, _ = module(x, mask=mask, need_weights=need_weights)
    assert_same(context_vecs[:, 0], module.out_proj.bias.expand(BATCH, D_OUT))
    context_vecs.square().sum().backward()
    assert all(leaf.grad.isfinite().all() for leaf in (x, *module.parameters()))


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
def test_a_module_comes_back_from_its_state_dict(make):
    module, other, x = make().double(), make().double(), inputs()
    assert not torch.equal(module(x)[0], other(x)[0])
    other.load_state_dict(module.state_dict())
    assert torch.equal(module(x)[0], other(x)[0])


@all_modules
def test_only_parameters_are_stored(make):
    module = make(qkv_bias=True)
    assert list(module.state_dict()) == [name for name, _ in module.named_parameters()]


@pytest.mark.parametrize("other_length", [TOKENS, CONTEXT + 5])
@pytest.mark.parametrize("name", ["CausalAttention", "StackedHeads"])
def test_what_is_stored_fits_another_context_length(name, other_length):
    module = MODULES[name]()
    sizes = list(MODULES[name].args)
    sizes[2] = other_length
    other = type(module)(*sizes)
    other.load_state_dict(module.state_dict())
    x = inputs().float()
    assert_same(other(x)[0], module(x)[0])


@all_modules
def test_every_parameter_takes_part(make):
    module = make(qkv_bias=True).double()
    context_vecs, attn_weights = module(inputs())
    (context_vecs.square().sum() + attn_weights[..., 1:, 0].sum()).backward()
    # the bias of the keys shifts all scores of a query alike, which softmax does not see
    moved = {name for name, parameter in module.named_parameters() if parameter.grad.abs().max() > 1e-12}
    assert moved == {name for name, _ in module.named_parameters() if not name.endswith("W_key.bias")}


SIGNATURES = {
    softmax: "(scores, dim=-1)",
    scaled_dot_product_attention: "(queries, keys, values, mask=None, dropout=None, scale=None)",
    causal_mask: "(num_tokens, device=None)",
    padding_mask: "(valid_lens, num_keys)",
    split_heads: "(x, num_heads)",
    merge_heads: "(x)",
    SelfAttention: "(d_in, d_out, qkv_bias=False)",
    CausalAttention: "(d_in, d_out, context_length, dropout=0.0, qkv_bias=False)",
    StackedHeads: "(d_in, head_dim, context_length, num_heads, dropout=0.0, qkv_bias=False)",
    MultiHeadAttention: (
        "(d_in, d_out, num_heads, *, kdim=None, vdim=None, dropout=0.0, causal=False, qkv_bias=False, out_bias=True)"
    ),
    SelfAttention.forward: "(self, x)",
    CausalAttention.forward: "(self, x)",
    StackedHeads.forward: "(self, x)",
    MultiHeadAttention.forward: "(self, queries, keys=None, values=None, *, mask=None, need_weights=True)",
}


@pytest.mark.parametrize("public", SIGNATURES, ids=lambda public: public.__qualname__)
def test_parameters_keep_their_names_order_and_defaults(public):
    assert str(inspect.signature(public)) == SIGNATURES[public]


def test_every_public_name_has_its_signature_here():
    ours = {thing for name, thing in vars(attention).items() if getattr(thing, "__module__", "") == attention.__name__}
    assert {thing for thing in ours if not thing.__name__.startswith("_")} == {
        public for public in SIGNATURES if "." not in public.__qualname__
    }


def test_the_parts_have_the_names_of_the_course():
    linears = ["W_query.weight", "W_key.weight", "W_value.weight"]
    assert list(SelfAttention(2, 3).state_dict()) == linears
    assert list(CausalAttention(2, 3, 4).state_dict()) == [*linears]
    assert list(MultiHeadAttention(2, 4, 2).state_dict()) == [*linears, "out_proj.weight", "out_proj.bias"]
    assert "out_proj.bias" not in MultiHeadAttention(2, 4, 2, out_bias=False).state_dict()
    assert [name for name, _ in StackedHeads(2, 3, 4, 2).named_children()] == ["heads"]
    with_bias = MultiHeadAttention(2, 4, 2, qkv_bias=True).state_dict()
    assert {"W_query.bias", "W_key.bias", "W_value.bias"} <= with_bias.keys()


def test_the_causal_mask_moves_with_the_module():
    module = CausalAttention(2, 3, 4)
    assert torch.equal(module.causal_mask, causal_mask(4))
    assert module.half().causal_mask.dtype == torch.bool
    assert module.to("meta").causal_mask.device.type == "meta"


@pytest.mark.parametrize("name", ["CausalAttention", "StackedHeads"])
@pytest.mark.parametrize("num_tokens", [1, CONTEXT - 1, CONTEXT])
def test_up_to_context_length_any_number_of_tokens_will_do(name, num_tokens):
    context_vecs, attn_weights = MODULES[name]().double()(numbers(BATCH, num_tokens, D_IN))
    assert context_vecs.shape == (BATCH, num_tokens, D_OUT)
    assert_same(attn_weights.sum(-1), torch.ones(attn_weights.shape[:-1], dtype=torch.float64))


@kernels
def test_autocast_casts_for_the_module(need_weights):
    module, x = MODULES["MultiHeadAttention, causal"](), inputs().float()
    for arriving in (x, x.bfloat16()):  # from the data, and from a layer before
        with torch.autocast("cpu", dtype=torch.bfloat16):
            context_vecs, _ = module(arriving, need_weights=need_weights)
        assert context_vecs.dtype == torch.bfloat16
        assert (context_vecs.float() - module(x)[0]).abs().max() < 0.05


# dropout

WITH_DROPOUT = {name: make for name, make in MODULES.items() if name != "SelfAttention"}
dropping_modules = pytest.mark.parametrize("make", WITH_DROPOUT.values(), ids=WITH_DROPOUT)


@dropping_modules
def test_nothing_is_dropped_in_eval(make):
    module, plain, x = make(dropout=0.5).double().eval(), make().double(), inputs()
    plain.load_state_dict(module.state_dict())
    for with_dropout, without in zip(module(x), plain(x), strict=True):
        assert torch.equal(with_dropout, without)


@dropping_modules
def test_the_weights_of_training_are_those_after_dropout(make):
    module, x = make(dropout=0.2).double(), numbers(40, TOKENS, D_IN)
    kept, dropped = module.eval()(x)[1], module.train()(x)[1]
    assert ((dropped == 0) | ((dropped - kept / 0.8).abs() < 1e-12)).all()
    share = (dropped[kept > 0] == 0).double().mean()
    assert 0.1 < share < 0.3


def test_the_context_vectors_of_training_use_the_weights_returned():
    module, x = CausalAttention(D_IN, D_OUT, CONTEXT, dropout=0.5).double(), inputs()
    context_vecs, attn_weights = module(x)
    assert_same(context_vecs, attn_weights @ module.W_value(x))


@kernels
def test_multi_head_attention_drops_in_training_only(need_weights):
    module, x = MultiHeadAttention(D_IN, D_OUT, HEADS, dropout=0.5).double(), inputs()
    first, second = (module(x, need_weights=need_weights)[0] for _ in range(2))
    assert not torch.equal(first, second)
    module.eval()
    first, second = (module(x, need_weights=need_weights)[0] for _ in range(2))
    assert torch.equal(first, second)


@kernels
def test_dropout_keeps_the_average(need_weights):
    module, x = MultiHeadAttention(D_IN, D_OUT, HEADS, dropout=0.5).double(), inputs()[:1]
    many = module(x.expand(4000, -1, -1), need_weights=need_weights)[0]
    standard_error = many.std(dim=0) / math.sqrt(len(many))
    assert ((many.mean(dim=0) - module.eval()(x)[0][0]).abs() < 5 * standard_error).all()
