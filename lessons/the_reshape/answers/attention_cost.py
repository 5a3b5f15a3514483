# %% right
my_cost = lambda n, d, h: (4 * n * d * d, 2 * h * n * n * (d // h), h * n * n)

# %% right
def my_cost(num_tokens, d_out, num_heads):
    square = pow(num_tokens, 2)
    area = num_tokens * d_out
    return [(area * d_out) << 2, (area * num_tokens) << 1, square * num_heads]

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

# %% wrong: - "Three numbers are asked for, in this order: `return projecti"
my_cost = lambda n, d, h: 4 * n * d ** 2

# %% wrong: - "With `num_tokens` twice as large, your products stay as many"
def my_cost(num_tokens, d_out, num_heads):
    return 4 * num_tokens * d_out ** 2, 2 * d_out ** 2 * num_heads, num_heads * num_tokens ** 2
