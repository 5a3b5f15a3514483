# %% right
def my_measure_without(layers, measure):
    def without(layer, head):
        with silenced(layer.attention, head):
            return measure()
    return torch.tensor([[without(layer, head) for head in range(layer.attention.num_heads)] for layer in layers],
                        dtype=torch.float64)

# %% right
from course_utils.models.ablation import silenced
def my_measure_without(layers, measure):
    rows = []
    for layer in layers:
        row = []
        for head in range(layer.attention.num_heads):
            with silenced(layer.attention, head):
                row.append(measure())
        rows.append(row)
    return torch.tensor(rows)

# %% right
from course_utils.models.ablation import silenced
def my_measure_without(layers, measure):
    table = torch.empty(len(layers), layers[0].attention.num_heads)
    for number, layer in enumerate(layers):
        for head in range(table.shape[1]):
            with silenced(layer.attention, head):
                table[number, head] = measure()
    return table

# %% right
from itertools import product
def my_measure_without(layers, measure):
    def quiet(pair):
        with silenced(layers[pair[0]].attention, pair[1]):
            return torch.as_tensor(measure(), dtype=torch.float32)
    pairs = list(product(range(len(layers)), range(layers[0].attention.num_heads)))
    return torch.stack([quiet(pair) for pair in pairs]).view(len(layers), -1)

# %% right
from course_utils.models.ablation import silenced
def my_measure_without(layers, measure):
    return torch.tensor(without_as_a_list(layers, measure))
def without_as_a_list(layers, measure):
    def one(attention, head):
        with silenced(attention, head):
            return measure()
    return [[one(layer.attention, head) for head in range(layer.attention.num_heads)] for layer in layers]

# %% wrong: - "For the table, a list came back. `torch.tensor` makes one te"
def my_measure_without(layers, measure):
    def without(layer, head):
        with silenced(layer.attention, head):
            return measure()
    return [[without(layer, head) for head in range(layer.attention.num_heads)] for layer in layers]

# %% wrong: - "In your table, the first row alone, `[0]`, is filled, all el"
from course_utils.models.ablation import silenced
def my_measure_without(layers, measure):
    table = torch.zeros(len(layers), layers[0].attention.num_heads)
    for number, layer in enumerate(layers):
        for head in range(table.shape[1]):
            with silenced(layer.attention, head):
                table[number, head] = measure()
        return table

# %% wrong: - "`torch.tensor(values)` stops: a tensor is made of numbers, a"
def my_measure_without(layers, measure):
    values = []
    for layer in layers:
        for head in range(layer.attention.num_heads):
            with silenced(layer.attention, head):
                values.append(measure)
    return torch.tensor(values).reshape(len(layers), -1)

# %% wrong: all-before
def my_measure_without(layers, measure):
    rows = []
    for layer in layers:
        row = []
        for head in range(layer.attention.num_heads):
            with silenced(layer.attention, *range(head + 1)):
                row.append(measure())
        rows.append(row)
    return torch.tensor(rows)

# %% wrong: all-but-one
def my_measure_without(layers, measure):
    rows = []
    for layer in layers:
        heads = set(range(layer.attention.num_heads))
        row = []
        for head in sorted(heads):
            with silenced(layer.attention, *(heads - {head})):
                row.append(measure())
        rows.append(row)
    return torch.tensor(rows)

# %% wrong: counted-from-one
def my_measure_without(layers, measure):
    num_heads = layers[0].attention.num_heads
    out = torch.zeros(len(layers), num_heads)
    for i in range(len(layers)):
        for head in range(1, num_heads + 1):
            with silenced(layers[i].attention, head):
                out[i, head - 1] = measure()
    return out

# %% wrong: cut-in-wrong-order
from course_utils.models.ablation import silenced
def my_measure_without(layers, measure):
    row = []
    for head in range(layers[0].attention.num_heads):
        for layer in layers:
            with silenced(layer.attention, head):
                row.append(measure())
    return torch.tensor(row).view(len(layers), -1)

# %% wrong: difference-returned
def my_measure_without(layers, measure):
    whole = measure()
    out = torch.empty(len(layers), layers[0].attention.num_heads)
    for i, layer in enumerate(layers):
        for j in range(out.shape[1]):
            with silenced(layer.attention, j):
                out[i, j] = whole - measure()
    return out

# %% wrong: difference-returned + heads-typed-in
def my_measure_without(layers, measure):
    baseline = measure()
    scores = torch.zeros(len(layers), 4)
    for number, block in enumerate(layers):
        for head in range(4):
            with silenced(block.attention, head):
                scores[number, head] = measure() - baseline
    return scores

# %% wrong: every-layer
def my_measure_without(layers, measure):
    from contextlib import ExitStack
    out = torch.zeros(len(layers), layers[0].attention.num_heads)
    for head in range(out.shape[1]):
        with ExitStack() as stack:
            for layer in layers:
                stack.enter_context(silenced(layer.attention, head))
            out[:, head] = measure()
    return out

# %% wrong: function-stored
def my_measure_without(layers, measure):
    table = torch.zeros(len(layers), layers[0].attention.num_heads)
    table[0, 0] = measure

# %% wrong: layer-for-attention
def my_measure_without(layers, measure):
    rows = []
    for layer in layers:
        row = []
        for h in range(layer.attention.num_heads):
            with silenced(layer, h):
                row.append(measure())
        rows.append(row)
    return torch.tensor(rows)

# %% wrong: not-restored
def my_measure_without(layers, measure):
    found, quiet = [], []
    for layer in layers:
        row = []
        for head in range(layer.attention.num_heads):
            quiet.append(silenced(layer.attention, head))
            quiet[-1].__enter__()
            row.append(float(measure()))
        found.append(row)
    return torch.tensor(found)

# %% wrong: not-silenced
def my_measure_without(layers, measure):
    def one(layer, head):
        silenced(layer.attention, head)
        return measure()
    heads = range(layers[0].attention.num_heads)
    return torch.tensor([[one(layer, h) for h in heads] for layer in layers])

# %% wrong: one-column
def my_measure_without(layers, measure):
    num_heads = layers[0].attention.num_heads
    table = torch.zeros(len(layers), num_heads)
    for i, layer in enumerate(layers):
        weight = layer.attention.out_proj.weight
        for head in range(num_heads):
            kept = weight.detach().clone()
            with torch.no_grad():
                weight[:, head] = 0
            table[i, head] = measure()
            with torch.no_grad():
                weight.copy_(kept)
    return table

# %% wrong: one-row-for-all
def my_measure_without(layers, measure):
    results = []
    for layer in layers:
        for head in range(layer.attention.num_heads):
            with silenced(layer.attention, head):
                results.append(measure())
    return torch.tensor(results)

# %% wrong: query-zeroed
def my_measure_without(layers, measure):
    rows = []
    for layer in layers:
        mha = layer.attention
        size = mha.W_query.out_features // mha.num_heads
        kept, row = mha.W_query.weight.detach().clone(), []
        for head in range(mha.num_heads):
            with torch.no_grad():
                mha.W_query.weight[head * size:(head + 1) * size] = 0.0
            row.append(float(measure()))
            with torch.no_grad():
                mha.W_query.weight.copy_(kept)
        rows.append(row)
    return torch.tensor(rows)

# %% wrong: sizes-typed
def my_measure_without(layers, measure):
    out = torch.zeros(2, 4)
    for i in range(2):
        for h in range(4):
            with silenced(layers[i].attention, h):
                out[i, h] = measure()
    return out

# %% wrong: whole-layer
def my_measure_without(layers, measure):
    num_heads = layers[0].attention.num_heads
    found = torch.zeros(len(layers), num_heads)
    for i, layer in enumerate(layers):
        for head in range(num_heads):
            with silenced(layer.attention, *range(num_heads)):
                found[i, head] = measure()
    return found
