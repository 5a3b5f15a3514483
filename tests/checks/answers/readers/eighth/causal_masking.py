# %% wrong causal_mask: - "`r[:, None]` stops: `r` is a `range`, and takes one whole nu"
def my_causal_mask(num_tokens):
    r = range(num_tokens)
    return r[:, None] >= r

# %% wrong who_sees: - "`attend(inputs.tolist())` stops: `attend` is handed `inputs."
# list handed to attend
def my_who_sees(attend, inputs):
    before = attend(inputs.tolist())
    return before > 0

# %% wrong who_sees: - "`attend(inputs, 3)` stops: `attend` takes 1 argument. It is "
# two arguments
def my_who_sees(attend, inputs):
    before = attend(inputs, 3)
    return before > 0
