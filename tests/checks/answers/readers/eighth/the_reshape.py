# %% wrong attention_cost: - "With twice as many tokens, your products stay as many. They "
def my_cost(num_tokens, d_out, num_heads):
    return 4 * num_tokens * d_out ** 2, 2 * d_out ** 2 * num_heads, num_heads * num_tokens ** 2
