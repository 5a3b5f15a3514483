"""Mistakes in the layers of `MyCrossAttention`: how they are made, their widths, their biases, their names."""

LAYERS = """
heads-not-kept: `forward` does not know the number of heads. Keep it in `__init__`: `self.num_heads = num_heads`.
    self.num_heads = num_heads ->
    or
    self.num_heads = num_heads ->
    split_heads(x, self.num_heads) -> split_heads(x, num_heads)
widths-swapped: The widths of keys and values have changed places: `W_key` takes `kdim`, `W_value` takes `vdim`.
    nn.Linear(kdim -> nn.Linear(vdim
    nn.Linear(vdim -> nn.Linear(kdim
one-width: A layer takes another width than comes in. Queries are `d_in` wide, keys are `kdim` wide, values `vdim`.
    nn.Linear(kdim -> nn.Linear(d_in
    nn.Linear(vdim -> nn.Linear(d_in
    or
    nn.Linear(kdim -> nn.Linear(d_in
    or
    nn.Linear(vdim -> nn.Linear(d_in
    or
    nn.Linear(vdim -> nn.Linear(kdim
head-count-dim: Your layers are too wide: `d_out` is the total of all heads. Write `nn.Linear(d_in, d_out)`.
    nn.Linear(d_in, d_out -> nn.Linear(d_in, num_heads * d_out
    nn.Linear(kdim, d_out -> nn.Linear(kdim, num_heads * d_out
    nn.Linear(vdim, d_out -> nn.Linear(vdim, num_heads * d_out
    nn.Linear(d_out -> nn.Linear(num_heads * d_out
head-count-dim: Your layers are as wide as one head. `d_out` is the total of all heads: `nn.Linear(d_in, d_out)`, and
    the split comes after it.
    nn.Linear(d_in, d_out -> nn.Linear(d_in, d_out // num_heads
    nn.Linear(kdim, d_out -> nn.Linear(kdim, d_out // num_heads
    nn.Linear(vdim, d_out -> nn.Linear(vdim, d_out // num_heads
out-proj-width: `out_proj` takes the merged heads, `d_out` wide, and returns as many: `nn.Linear(d_out, d_out)`.
    nn.Linear(d_out -> nn.Linear(d_in
    or
    nn.Linear(d_out -> nn.Linear(d_out // num_heads
    or
    nn.Linear(d_out, d_out) -> nn.Linear(d_out, d_in)
out-proj-without-bias: `out_proj` has a bias here: `nn.Linear(d_out, d_out)` as it is.
    nn.Linear(d_out, d_out) -> nn.Linear(d_out, d_out, bias=False)
super-forgotten: `super().__init__()` is missing: it must be the first line of `__init__`, before any layer is made.
    super().__init__() ->
names:
    self.W_ ->> self.
    or
    self.out_proj ->> self.projection
heads-in-list:
    self.W_query = -> self.layers = [...] * 3; self.layers[0] =
    self.W_key = -> self.layers[1] =
    self.W_value = -> self.layers[2] =
    self.W_query(queries), self.W_key(keys), self.W_value(values) ->
        (layer(x) for layer, x in zip(self.layers, (queries, keys, values)))
extra-bias:
    , bias=False ->>
"""
