# %% right
def my_measure_without(layers, measure):
    def without(layer, head):
        with ablated(layer.attention, head):
            return measure()
    return torch.tensor([[without(layer, head) for head in range(layer.attention.num_heads)] for layer in layers],
                        dtype=torch.float64)

# %% right
from course_utils.models.ablation import ablated
def my_measure_without(layers, measure):
    rows = []
    for layer in layers:
        row = []
        for head in range(layer.attention.num_heads):
            with ablated(layer.attention, head):
                row.append(measure())
        rows.append(row)
    return torch.tensor(rows)

# %% right
from course_utils.models.ablation import ablated
def my_measure_without(layers, measure):
    table = torch.empty(len(layers), layers[0].attention.num_heads)
    for number, layer in enumerate(layers):
        for head in range(table.shape[1]):
            with ablated(layer.attention, head):
                table[number, head] = measure()
    return table

# %% right
from itertools import product
def my_measure_without(layers, measure):
    def quiet(pair):
        with ablated(layers[pair[0]].attention, pair[1]):
            return torch.as_tensor(measure(), dtype=torch.float32)
    pairs = list(product(range(len(layers)), range(layers[0].attention.num_heads)))
    return torch.stack([quiet(pair) for pair in pairs]).view(len(layers), -1)

# %% wrong: - "For the table, a list came back. `torch.tensor` makes one te"
def my_measure_without(layers, measure):
    def without(layer, head):
        with ablated(layer.attention, head):
            return measure()
    return [[without(layer, head) for head in range(layer.attention.num_heads)] for layer in layers]

# %% wrong: - "In your table, the first row alone, `[0]`, is filled, all el"
from course_utils.models.ablation import ablated
def my_measure_without(layers, measure):
    table = torch.zeros(len(layers), layers[0].attention.num_heads)
    for number, layer in enumerate(layers):
        for head in range(table.shape[1]):
            with ablated(layer.attention, head):
                table[number, head] = measure()
        return table

# %% wrong: - "`torch.tensor(values)` stops: a tensor is made of numbers, a"
def my_measure_without(layers, measure):
    values = []
    for layer in layers:
        for head in range(layer.attention.num_heads):
            with ablated(layer.attention, head):
                values.append(measure)
    return torch.tensor(values).reshape(len(layers), -1)
