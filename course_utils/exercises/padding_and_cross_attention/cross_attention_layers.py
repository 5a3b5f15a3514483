"""Mistakes in the layers of `MyCrossAttention`: how they are made, their widths, their biases, their names."""

LAYERS = """
widths-swapped: The widths of keys and values have changed places: `W_key` takes `kdim`, `W_value` takes `vdim`.
    nn.Linear(kdim -> nn.Linear(vdim
    nn.Linear(vdim -> nn.Linear(kdim
one-width: A layer takes another width than comes in. Queries are `d_in` wide, keys are `kdim` wide, values `vdim`.
    nn.Linear(kdim -> nn.Linear(d_in
    nn.Linear(vdim -> nn.Linear(d_in
out-proj-width: `out_proj` takes the merged heads, `d_out` wide, and returns as many: `nn.Linear(d_out, d_out)`.
    nn.Linear(d_out, d_out) -> nn.Linear(d_out, d_in)
out-proj-without-bias: `out_proj` has a bias here: `nn.Linear(d_out, d_out)` as it is.
    nn.Linear(d_out, d_out) -> nn.Linear(d_out, d_out, bias=False)
names:
    self.W_ ->> self.
heads-in-list:
    self.W_query = -> self.layers = [...] * 3; self.layers[0] =
    self.W_key = -> self.layers[1] =
    self.W_value = -> self.layers[2] =
    self.W_query(queries), self.W_key(keys), self.W_value(values) ->
        (layer(x) for layer, x in zip(self.layers, (queries, keys, values)))
extra-bias:
    , bias=False ->>
"""
