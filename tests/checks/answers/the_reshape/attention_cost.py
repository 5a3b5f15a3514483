# %% right
my_cost = lambda n, d, h: (4 * n * d * d, 2 * h * n * n * (d // h), h * n * n)

# %% right
my_cost = lambda n, d, h: torch.tensor([4 * n * d * d, 2 * n * n * d, h * n * n]).tolist()

# %% right
def my_cost(num_tokens, d_out, num_heads):
    square = pow(num_tokens, 2)
    area = num_tokens * d_out
    return [(area * d_out) << 2, (area * num_tokens) << 1, square * num_heads]

# %% right
def my_cost(num_tokens, d_out, num_heads):
    table = torch.Size([num_heads, num_tokens, num_tokens])
    square = num_tokens ** 2
    return [d_out * d_out * num_tokens * 4, square * d_out + d_out * square, table.numel()]

# %% right
def my_cost(num_tokens, d_out, num_heads):
    from collections import namedtuple
    Cost = namedtuple("Cost", ["projections", "products", "weights"])
    square = num_tokens * num_tokens
    return Cost(
        projections=(2 * d_out) ** 2 * num_tokens, products=square * (d_out + d_out), weights=square * num_heads)

# %% right
def my_cost(num_tokens, d_out, num_heads):
    projections = products = kept = 0
    for _ in range(4):
        projections += num_tokens * d_out * d_out
    for _ in range(num_heads):
        products += 2 * num_tokens * num_tokens * d_out // num_heads
        kept += num_tokens * num_tokens
    return [projections, products, kept]

# %% right
from collections import namedtuple
Cost = namedtuple("Cost", "projections products weights")
def my_cost(num_tokens, d_out, num_heads):
    wide, narrow = (num_tokens, d_out), (num_tokens, d_out // num_heads)
    each = math.prod((*wide, d_out))
    per_head = math.prod((*narrow, num_tokens)) + math.prod((num_tokens, *narrow))
    return Cost(projections=each * 4, products=per_head * num_heads, weights=num_heads * num_tokens * num_tokens)

# %% right
def my_cost(num_tokens, d_out, num_heads):
    def product(n, k, m):
        return n * k * m
    projections = sum(product(num_tokens, d_out, d_out) for name in ("query", "key", "value", "out"))
    attending, kept = 0, 0
    for _ in range(num_heads):
        attending += product(num_tokens, d_out // num_heads, num_tokens)
        attending += product(num_tokens, num_tokens, d_out // num_heads)
        kept += num_tokens * num_tokens
    return projections, attending, kept

# %% right
def my_cost(num_tokens, d_out, num_heads):
    def mults(left, right):
        assert left[1] == right[0]
        return math.prod(left) * right[1]
    head_dim = d_out // num_heads
    projections = products = kept = 0
    for _ in range(4):
        projections += mults((num_tokens, d_out), (d_out, d_out))
    for _ in range(num_heads):
        products += mults((num_tokens, head_dim), (head_dim, num_tokens))
        products += mults((num_tokens, num_tokens), (num_tokens, head_dim))
        kept += num_tokens**2
    return projections, products, kept

# %% right
def my_cost(num_tokens, d_out, num_heads):
    def product(left, right):
        n, k = left
        _, m = right
        return n * k * m
    head_dim = d_out // num_heads
    projections = products = weights = 0
    for _ in ("query", "key", "value", "out"):
        projections += product((num_tokens, d_out), (d_out, d_out))
    for _ in range(num_heads):
        products += product((num_tokens, head_dim), (head_dim, num_tokens))
        products += product((num_tokens, num_tokens), (num_tokens, head_dim))
        weights += num_tokens * num_tokens
    return projections, products, weights

# %% wrong: - "Three numbers are asked for, in this order: `return projecti"
my_cost = lambda n, d, h: 4 * n * d ** 2

# %% wrong: - "With `num_tokens` twice as large, your products stay as many"
def my_cost(num_tokens, d_out, num_heads):
    return 4 * num_tokens * d_out ** 2, 2 * d_out ** 2 * num_heads, num_heads * num_tokens ** 2

# %% wrong: additions-counted
def my_cost(num_tokens, d_out, num_heads):
    def matmul(n, k, m):
        return 2 * n * k * m
    proj = 4 * matmul(num_tokens, d_out, d_out)
    hd = d_out // num_heads
    att = num_heads * (matmul(num_tokens, hd, num_tokens) + matmul(num_tokens, num_tokens, hd))
    return proj, att, num_heads * num_tokens**2

# %% wrong: bias-counted
def my_cost(num_tokens, d_out, num_heads):
    head_dim = d_out // num_heads
    projections = 4 * num_tokens * d_out * d_out + d_out
    products = 2 * num_heads * num_tokens * num_tokens * head_dim
    weights = num_heads * num_tokens * num_tokens
    return projections, products, weights

# %% wrong: causal-half
def my_cost(num_tokens, d_out, num_heads):
    n, d = num_tokens, d_out
    return 4 * n * d * d, 2 * n * n * d, num_heads * (n * (n + 1) // 2)

# %% wrong: cost-times-heads
def my_cost(num_tokens, d_out, num_heads):
    one_projection = num_tokens * d_out**2
    one_product = num_tokens**2 * d_out
    return 4 * one_projection, 2 * one_product * num_heads, num_tokens**2 * num_heads

# %% wrong: counts-swapped
def my_cost(num_tokens, d_out, num_heads):
    head_dim = d_out // num_heads
    projections = 4 * num_tokens * d_out * d_out
    products = 2 * num_heads * num_tokens * num_tokens * head_dim
    weights = num_heads * num_tokens * num_tokens
    return products, projections, weights

# %% wrong: float-size
my_cost = lambda n, d, h: (4 * n * d * d, 2 * n * n * d, h * n * n / 1)

# %% wrong: heads-uncounted
def my_cost(num_tokens, d_out, num_heads):
    n, d = num_tokens, d_out
    return 4 * n * d * d, 2 * n * n * d, n * n

# %% wrong: mix-uncounted
def my_cost(num_tokens, d_out, num_heads):
    def matmul_cost(n, k, m):
        return n * k * m
    proj = sum(matmul_cost(num_tokens, d_out, d_out) for _ in range(4))
    attn = num_heads * matmul_cost(num_tokens, d_out // num_heads, num_tokens)
    return proj, attn, num_heads * num_tokens * num_tokens

# %% wrong: one-head-counted
def my_cost(num_tokens, d_out, num_heads):
    head_dim = d_out // num_heads
    scores = num_tokens * head_dim * num_tokens
    mixing = num_tokens * num_tokens * head_dim
    return 4 * num_tokens * d_out * d_out, scores + mixing, num_heads * num_tokens * num_tokens

# %% wrong: out-proj-uncounted
def my_cost(num_tokens, d_out, num_heads):
    projections = 3 * num_tokens * d_out * d_out
    products = 2 * num_tokens * num_tokens * d_out
    weights = num_heads * num_tokens**2
    return projections, products, weights

# %% wrong: parameters-counted
def my_cost(n, d, h):
    return 4 * d * d, 2 * n * n * d, h * n * n

# %% wrong: parameters-kept
def my_cost(num_tokens, d_out, num_heads):
    n, d = num_tokens, d_out
    return 4 * n * d * d, 2 * n * n * d, 4 * d * d

# %% wrong: product-as-projection
def my_cost(num_tokens, d_out, num_heads):
    n, d, h = num_tokens, d_out, num_heads
    scores = n * d * n
    mix = n * d * d
    return 4 * n * d * d, scores + mix, h * n * n

# %% wrong: products-in-both
def my_cost(num_tokens, d_out, num_heads):
    head_dim = d_out // num_heads
    projections = 4 * num_tokens * d_out * d_out
    products = 2 * num_heads * num_tokens * num_tokens * head_dim
    weights = num_heads * num_tokens * num_tokens
    return projections + products, products, weights

# %% wrong: projections-times-heads
def my_cost(num_tokens, d_out, num_heads):
    qkv = 3 * num_tokens * d_out**2
    out = 0
    for head in range(num_heads):
        out += num_tokens * d_out * d_out
    head_dim = d_out // num_heads
    products = num_heads * 2 * num_tokens * num_tokens * head_dim
    return qkv + out, products, num_heads * num_tokens**2

# %% wrong: xor-for-power
def my_cost(num_tokens, d_out, num_heads):
    projections = 4 * num_tokens * d_out ^ 2
    products = 2 * num_tokens**2 * d_out
    weights = num_heads * num_tokens**2
    return projections, products, weights
