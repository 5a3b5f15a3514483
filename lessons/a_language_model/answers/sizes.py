# %% right
def my_sizes(config):
    c = {"num_key_value_heads": None, "head_dim": None, "tie_word_embeddings": False, **config}
    h, d = c["num_attention_heads"], c["hidden_size"]
    kv = h if c["num_key_value_heads"] is None else c["num_key_value_heads"]
    hd = d // h if c["head_dim"] is None else c["head_dim"]
    shapes = [(h * hd, d), (kv * hd, d), (kv * hd, d), (d, h * hd)]
    shapes += [(c["intermediate_size"], d)] * 2 + [(d, c["intermediate_size"])] + [(d,), (d,)]
    shapes *= c["num_hidden_layers"]
    shapes += [(d,)] + [(c["vocab_size"], d)] * (2 - c["tie_word_embeddings"])
    return h, kv, hd, c["intermediate_size"], sum(math.prod(shape) for shape in shapes)

# %% right
def my_sizes(config):
    n_heads = config["num_attention_heads"]
    try:
        n_kv = int(config["num_key_value_heads"])
    except (KeyError, TypeError):
        n_kv = n_heads
    head_dim = config.get("head_dim")
    if not head_dim:
        head_dim = config["hidden_size"] // n_heads
    numbers = config["vocab_size"] * config["hidden_size"]
    if not config.get("tie_word_embeddings"):
        numbers *= 2
    numbers += config["hidden_size"]
    for _ in range(config["num_hidden_layers"]):
        numbers += config["hidden_size"] * head_dim * (n_heads + n_kv) * 2
        numbers += config["hidden_size"] * (config["intermediate_size"] * 3 + 2)
    return torch.tensor([n_heads, n_kv, head_dim, config["intermediate_size"], numbers])

# %% right
def my_sizes(config):
    """On the device `meta`, a tensor has a shape and no numbers."""
    width, heads, wide = config["hidden_size"], config["num_attention_heads"], config["intermediate_size"]
    keys = config.get("num_key_value_heads") or heads
    head_dim = config.get("head_dim") or width // heads
    linear = lambda i, o: nn.Linear(i, o, bias=False, device="meta")

    def layer():
        parts = [linear(width, heads * head_dim), linear(width, keys * head_dim), linear(width, keys * head_dim),
                 linear(heads * head_dim, width), linear(width, wide), linear(width, wide), linear(wide, width),
                 nn.RMSNorm(width, device="meta"), nn.RMSNorm(width, device="meta")]
        return nn.ModuleList(parts)

    count = lambda module: sum(p.numel() for p in module.parameters())
    total = count(layer()) * config["num_hidden_layers"]
    total += count(nn.Embedding(config["vocab_size"], width, device="meta")) + count(nn.RMSNorm(width, device="meta"))
    if not config.get("tie_word_embeddings", False):
        total += count(linear(width, config["vocab_size"]))
    return [heads, keys, head_dim, wide, total]

# %% wrong: - "A dict came back. Return the five numbers themselves, in the"
def my_sizes(config):
    width, heads = config["hidden_size"], config["num_attention_heads"]
    keys = config.get("num_key_value_heads") or heads
    head_dim = config.get("head_dim") or width // heads
    layer = 2 * width * (heads + keys) * head_dim + 3 * width * config["intermediate_size"] + 2 * width
    tables = 2 - bool(config.get("tie_word_embeddings"))
    total = config["num_hidden_layers"] * layer + tables * config["vocab_size"] * width + width
    return {"heads": heads, "key_heads": keys, "head_dim": head_dim, "parameters": total}

# %% wrong: group-size
def my_sizes(config):
    width, heads = config["hidden_size"], config["num_attention_heads"]
    keys = config.get("num_key_value_heads") or heads
    head_dim = config.get("head_dim") or width // heads
    layer = 2 * width * (heads + keys) * head_dim + 3 * width * config["intermediate_size"] + 2 * width
    tables = 2 - bool(config.get("tie_word_embeddings"))
    total = config["num_hidden_layers"] * layer + tables * config["vocab_size"] * width + width
    return heads, heads // keys, head_dim, config["intermediate_size"], total

# %% wrong: - "Line 2 of `my_sizes` reads `model`, and nothing has that nam"
def my_sizes(config):
    return sum(p.numel() for p in model.parameters())

# %% wrong: - "`2964` came back. Five numbers are asked for: `return query_"
def my_sizes(config):
    width, heads = config["hidden_size"], config["num_attention_heads"]
    keys = config.get("num_key_value_heads") or heads
    head_dim = config.get("head_dim") or width // heads
    layer = 2 * width * (heads + keys) * head_dim + 3 * width * config["intermediate_size"] + 2 * width
    tables = 2 - bool(config.get("tie_word_embeddings"))
    return config["num_hidden_layers"] * layer + tables * config["vocab_size"] * width + width
