# %% right
def my_cache_bytes(*sizes):
    return torch.tensor([2, *sizes]).prod()

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
