# %% right
from course_utils.models.ablation import silenced
def my_without_head(attention, x, head):
    with silenced(attention, head):
        return attention(x)[0]

# %% right
import copy
def my_without_head(attention, x, head):
    twin = copy.deepcopy(attention)
    blocks = twin.out_proj.weight.data.view(twin.out_proj.out_features, twin.num_heads, -1)
    blocks[:, head] = 0
    return twin(x)[0]

# %% right
def my_without_head(attention, x, head):
    weight = attention.out_proj.weight.clone()
    weight.unflatten(1, (attention.num_heads, -1))[:, head] = 0
    output, _ = torch.func.functional_call(attention, {"out_proj.weight": weight}, (x,))
    return output

# %% right
import copy
def my_without_head(attention, x, head):
    double = copy.deepcopy(attention)
    head_dim = double.out_proj.in_features // double.num_heads
    keep = torch.ones(double.num_heads, head_dim)
    keep[head] = 0
    double.out_proj.weight.data *= keep.flatten()
    return double(x)[0]

# %% right
def my_without_head(attention, x, head):
    from copy import deepcopy
    twin = deepcopy(attention)
    keep = F.one_hot(torch.tensor(head), twin.num_heads).eq(0).repeat_interleave(
        twin.out_proj.in_features // twin.num_heads)
    twin.out_proj.weight.data.mul_(keep)
    return twin(x)[0]

# %% right
def my_without_head(attention, x, head):
    _, attn_weights = attention(x)
    context_vecs = attn_weights @ split_heads(attention.W_value(x), attention.num_heads)
    others = torch.arange(attention.num_heads) != head
    return attention.out_proj(merge_heads(context_vecs * others[:, None, None]))

# %% right
def my_without_head(attention, x, head):
    import copy
    twin = copy.deepcopy(attention)
    width = twin.out_proj.in_features // twin.num_heads
    mask = torch.ones(twin.out_proj.in_features)
    mask[head * width:(head + 1) * width] = 0
    twin.out_proj.weight.data *= mask
    return twin(x)[0]

# %% right
def my_without_head(attention, x, head):
    weight = attention.out_proj.weight
    of_column = torch.arange(weight.shape[1]) // (weight.shape[1] // attention.num_heads)
    masked = torch.where(of_column == head, torch.zeros_like(weight), weight)
    return torch.func.functional_call(attention, {"out_proj.weight": masked}, (x,))[0]

# %% right
def my_without_head(attention, x, head):
    full, attn_weights = attention(x)
    head_dim = attention.out_proj.in_features // attention.num_heads
    start = head * head_dim
    delivered = attn_weights[..., head, :, :] @ attention.W_value(x)[..., start : start + head_dim]
    return full - delivered @ attention.out_proj.weight[:, start : start + head_dim].T

# %% right
from torch.func import functional_call
def my_without_head(attention, x, head):
    heads = torch.arange(attention.num_heads).repeat_interleave(attention.out_proj.in_features // attention.num_heads)
    factors = (heads != head).to(attention.out_proj.weight.dtype)
    context_vecs, _ = functional_call(attention, {"out_proj.weight": attention.out_proj.weight * factors}, (x,))
    return context_vecs

# %% right
def my_without_head(attention, x, head):
    def silence(module, args):
        (notes,) = args
        per_head = notes.unflatten(-1, (attention.num_heads, -1)).clone()
        per_head[..., head, :] = 0.0
        return (per_head.flatten(-2),)
    handle = attention.out_proj.register_forward_pre_hook(silence)
    try:
        output, _ = attention(x)
    finally:
        handle.remove()
    return output

# %% right
def my_without_head(attention, x, head):
    rows = torch.arange(attention.W_value.out_features) // (attention.W_value.out_features // attention.num_heads)
    before = {name: tensor.clone() for name, tensor in attention.W_value.state_dict().items()}
    with torch.no_grad():
        attention.W_value.weight[rows == head] = 0
        attention.W_value.bias[rows == head] = 0
    try:
        return attention(x)[0]
    finally:
        attention.W_value.load_state_dict(before)

# %% wrong: - "`attention.split_heads` stops: `attention` is a module, `Mul"
def my_without_head(attention, x, head):
    queries = attention.split_heads(attention.W_query(x), attention.num_heads)
    keys = attention.split_heads(attention.W_key(x), attention.num_heads)
    values = attention.split_heads(attention.W_value(x), attention.num_heads)
    context_vecs, _ = attention.scaled_dot_product_attention(queries, keys, values)
    context_vecs[..., head, :, :] = 0
    return attention.out_proj(attention.merge_heads(context_vecs))

# %% wrong: bias-silenced
def my_without_head(attention, x, head):
    seen = []
    handle = attention.out_proj.register_forward_pre_hook(lambda module, args: seen.append(args[0]))
    output, _ = attention(x)
    handle.remove()
    alone = torch.zeros_like(seen[0])
    dim = alone.shape[-1] // attention.num_heads
    alone[..., head * dim:(head + 1) * dim] = seen[0][..., head * dim:(head + 1) * dim]
    return output - attention.out_proj(alone)

# %% wrong: causal-forgotten
def my_without_head(attention, x, head):
    q, k, v = (split_heads(layer(x), attention.num_heads)
               for layer in (attention.W_query, attention.W_key, attention.W_value))
    weights = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, dim=-1)
    keep = torch.arange(attention.num_heads) != head
    context = (weights @ v) * keep[:, None, None]
    return attention.out_proj(merge_heads(context))

# %% wrong: frozen
def my_without_head(attention, x, head):
    weight = attention.out_proj.weight
    size = weight.shape[1] // attention.num_heads
    columns = slice(head * size, (head + 1) * size)
    weight.requires_grad_(False)
    kept = weight[:, columns].clone()
    weight[:, columns] = 0.0
    result, _ = attention(x)
    weight[:, columns] = kept
    return result

# %% wrong: heads-interleaved
def my_without_head(attention, x, head):
    weight = attention.out_proj.weight
    saved = weight.detach().clone()
    with torch.no_grad():
        weight[:, head::attention.num_heads] = 0
        out, _ = attention(x)
        weight.copy_(saved)
    return out

# %% wrong: not-restored
def my_without_head(attention, x, head):
    head_dim = attention.out_proj.in_features // attention.num_heads
    start, end = head * head_dim, head * head_dim + head_dim
    with torch.no_grad():
        attention.out_proj.weight[:, start:end] = 0.0
    output, _ = attention(x)
    return output

# %% wrong: not-restored-after-error
def my_without_head(attention, x, head):
    kept = attention.out_proj.weight.detach().clone()
    head_dim = attention.out_proj.in_features // attention.num_heads
    with torch.no_grad():
        attention.out_proj.weight[:, head * head_dim : (head + 1) * head_dim] = 0
    output, _ = attention(x)
    with torch.no_grad():
        attention.out_proj.weight.copy_(kept)
    return output

# %% wrong: output-columns
def my_without_head(attention, x, head):
    head_dim = attention.out_proj.in_features // attention.num_heads
    output = attention(x)[0].clone()
    output[..., head * head_dim : (head + 1) * head_dim] = 0
    return output

# %% wrong: pair-returned
def my_without_head(attention, x, head):
    layer = attention.out_proj
    size = layer.in_features // attention.num_heads
    original = layer.weight.detach().clone()
    try:
        with torch.no_grad():
            layer.weight[:, head * size:(head + 1) * size].zero_()
        result = attention(x)
    finally:
        with torch.no_grad():
            layer.weight.copy_(original)
    return result

# %% wrong: query-zeroed
def my_without_head(attention, x, head):
    kept = {name: tensor.clone() for name, tensor in attention.state_dict().items()}
    head_dim = attention.out_proj.in_features // attention.num_heads
    rows = slice(head * head_dim, (head + 1) * head_dim)
    with torch.no_grad():
        attention.W_query.weight[rows], attention.W_query.bias[rows] = 0, 0
    found = attention(x)[0]
    attention.load_state_dict(kept)
    return found

# %% wrong: rows-for-columns
def my_without_head(attention, x, head):
    weight = attention.out_proj.weight
    width = attention.out_proj.in_features // attention.num_heads
    kept = weight.detach().clone()
    with torch.no_grad():
        weight[head * width:(head + 1) * width] = 0
        output = attention(x)[0]
        weight.copy_(kept)
    return output

# %% wrong: value-bias-left
def my_without_head(attention, x, head):
    d = attention.W_value.out_features // attention.num_heads
    saved = attention.W_value.weight.detach().clone()
    with torch.no_grad():
        attention.W_value.weight[d * head:d * head + d] = 0
    out, _ = attention(x)
    with torch.no_grad():
        attention.W_value.weight.copy_(saved)
    return out

# %% wrong: width-of-inputs
def my_without_head(attention, x, head):
    import copy
    twin = copy.deepcopy(attention)
    head_dim = x.shape[-1] // twin.num_heads
    twin.out_proj.weight.data[:, head * head_dim:(head + 1) * head_dim] = 0
    return twin(x)[0]

# %% wrong: width-typed
def my_without_head(attention, x, head):
    kept = attention.out_proj.weight.detach().clone()
    try:
        with torch.no_grad():
            attention.out_proj.weight[:, 32 * head : 32 * (head + 1)] = 0.0
        return attention(x)[0]
    finally:
        with torch.no_grad():
            attention.out_proj.weight.copy_(kept)
