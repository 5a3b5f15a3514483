# %% right
from course_utils.models.ablation import ablated
def my_without_head(attention, x, head):
    with ablated(attention, head):
        return attention(x)[0]

# %% right
def my_without_head(attention, x, head):
    weight = attention.out_proj.weight.clone()
    weight.unflatten(1, (attention.num_heads, -1))[:, head] = 0
    output, _ = torch.func.functional_call(attention, {"out_proj.weight": weight}, (x,))
    return output

# %% right
def my_without_head(attention, x, head):
    from copy import deepcopy
    twin = deepcopy(attention)
    keep = F.one_hot(torch.tensor(head), twin.num_heads).eq(0).repeat_interleave(
        twin.out_proj.in_features // twin.num_heads)
    twin.out_proj.weight.data.mul_(keep)
    return twin(x)[0]

# %% right
from torch.func import functional_call
def my_without_head(attention, x, head):
    heads = torch.arange(attention.num_heads).repeat_interleave(attention.out_proj.in_features // attention.num_heads)
    factors = (heads != head).to(attention.out_proj.weight.dtype)
    context_vecs, _ = functional_call(attention, {"out_proj.weight": attention.out_proj.weight * factors}, (x,))
    return context_vecs

# %% wrong: - "`attention.split_heads` stops: `attention` is a module, `Mul"
def my_without_head(attention, x, head):
    queries = attention.split_heads(attention.W_query(x), attention.num_heads)
    keys = attention.split_heads(attention.W_key(x), attention.num_heads)
    values = attention.split_heads(attention.W_value(x), attention.num_heads)
    context_vecs, _ = attention.scaled_dot_product_attention(queries, keys, values)
    context_vecs[..., head, :, :] = 0
    return attention.out_proj(attention.merge_heads(context_vecs))
