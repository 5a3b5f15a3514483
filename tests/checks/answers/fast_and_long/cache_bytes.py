# %% right
def my_cache_bytes(*sizes):
    return torch.tensor([2, *sizes]).prod()

# %% right
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 2 * math.prod([layers, key_heads, head_dim, num_tokens, bytes_each])

# %% right
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return layers * num_tokens * (key_heads * head_dim * bytes_each + key_heads * head_dim * bytes_each)

# %% right
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    total = 0
    for _ in range(layers):
        total += sum(num_tokens * key_heads * head_dim for _ in ("keys", "values"))
    return total * bytes_each

# %% right
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    """On the device `meta`, a tensor has a shape and no numbers."""
    cache = torch.empty(2, layers, key_heads, num_tokens, head_dim, dtype=torch.int8, device="meta")
    return cache.nbytes * bytes_each

# %% wrong: - "The text `240 bytes` came back where a number is asked for: "
def bytes_by_counting(layers, key_heads, head_dim, num_tokens, bytes_each):
    total = 0
    for _ in range(layers):
        total += sum(num_tokens * key_heads * head_dim for _ in ("keys", "values"))
    return total * bytes_each
my_cache_bytes = lambda *sizes: f'{bytes_by_counting(*sizes)} bytes'

# %% wrong: - "The text `240` came back where a number is asked for: return"
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return f"{2 * layers * key_heads * head_dim * num_tokens * bytes_each:,}"

# %% wrong: - "`(240, (1, 3, 4, 5, 2))` came back. One number is asked for:"
def bytes_by_counting(layers, key_heads, head_dim, num_tokens, bytes_each):
    total = 0
    for _ in range(layers):
        total += sum(num_tokens * key_heads * head_dim for _ in ("keys", "values"))
    return total * bytes_each
my_cache_bytes = lambda *sizes: (bytes_by_counting(*sizes), sizes)

# %% wrong: - "`(48, 240)` came back. One number is asked for: the bytes of"
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    per_token = 2 * layers * key_heads * head_dim * bytes_each
    return per_token, per_token * num_tokens

# %% wrong: - "`<built-in function sum>` came back where a number is asked "
my_cache_bytes = lambda *sizes: sum

# %% wrong: added
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return layers * (key_heads * head_dim + key_heads * head_dim * num_tokens) * bytes_each

# %% wrong: bits-counted
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 2 * layers * key_heads * head_dim * num_tokens * bytes_each * 8

# %% wrong: bytes-fixed
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 2 * layers * key_heads * head_dim * num_tokens * 4

# %% wrong: float-size
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 2.0 * layers * key_heads * head_dim * num_tokens * bytes_each

# %% wrong: gigabytes
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 2 * layers * key_heads * head_dim * num_tokens * bytes_each / 1e9

# %% wrong: head-dim-divided
# head_dim is the width of the model, shared out to the heads
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    per_head = head_dim // key_heads
    return 2 * layers * key_heads * per_head * num_tokens * bytes_each

# %% wrong: heads-and-width-added
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 2 * layers * num_tokens * (key_heads + head_dim) * bytes_each

# %% wrong: one-head
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 2 * layers * head_dim * num_tokens * bytes_each

# %% wrong: one-layer
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    keys = key_heads * head_dim * num_tokens
    values = key_heads * head_dim * num_tokens
    return (keys + values) * bytes_each

# %% wrong: one-layer-half
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return key_heads * head_dim * num_tokens * bytes_each

# %% wrong: one-off
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 2 * layers * key_heads * head_dim * (num_tokens - 1) * bytes_each

# %% wrong: one-token
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    per_token = 2 * layers * key_heads * head_dim * bytes_each
    return per_token

# %% wrong: pair-squared
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    keys = layers * key_heads * head_dim * num_tokens
    values = keys
    return keys * values * bytes_each

# %% wrong: queries-uncounted
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return 3 * layers * key_heads * head_dim * num_tokens * bytes_each

# %% wrong: steps-added
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    tokens = num_tokens * (num_tokens + 1) // 2  # 1 + 2 + ... as the text grows
    return 2 * layers * key_heads * head_dim * tokens * bytes_each

# %% wrong: tokens-squared
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return layers * key_heads * num_tokens ** 2 * bytes_each

# %% wrong: two-added
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return layers * key_heads * head_dim * num_tokens * (2 + bytes_each)

# %% wrong: values-uncounted
def my_cache_bytes(layers, key_heads, head_dim, num_tokens, bytes_each):
    return layers * key_heads * head_dim * num_tokens * bytes_each
