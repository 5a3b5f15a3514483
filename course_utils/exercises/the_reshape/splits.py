"""Mistakes in splitting queries, keys and values into heads: in all three, or in one of them."""

ALL_THREE = """
view-no-transpose: A head's rows hold several tokens' numbers, as after a `view` straight to the four axes. Cut the
    features first, `view(batch, num_tokens, num_heads, head_dim)`, then move the heads: `transpose(1, 2)`.
    x.view(*x.shape[:2], self.num_heads, -1).transpose(1, 2) -> x.view(len(x), self.num_heads, x.shape[1], -1)
split-tokens: The tokens are shared out among your heads. Cut the features, the last axis: every head sees every token.
    x.view(*x.shape[:2], self.num_heads, -1).transpose(1, 2) -> x.view(len(x), self.num_heads, -1, x.shape[-1])
    or
    x.view(*x.shape[:2], self.num_heads, -1).transpose(1, 2) -> x.view(len(x), self.num_heads, -1, x.shape[-1])
    num_tokens = x.shape[1] -> num_tokens = queries.shape[-2]
fixed-batch: Your split fits one number of texts alone. Read it off the input: `batch_size, num_tokens, _ = x.shape`.
    x.view(*x.shape[:2], self.num_heads, -1) -> x.view(2, x.shape[1], self.num_heads, x.shape[-1] // self.num_heads)
split-not-moved: Your scores compare the heads of one token with each other. Move the heads' axis before the tokens.
    self.num_heads, -1).transpose(1, 2) -> self.num_heads, -1)
sizes-swapped: You have `head_dim` heads, each `num_heads` wide. Cut the last axis the other way round, as
    `(num_heads, head_dim)`. (`split` takes the width of a piece, `chunk` the number of pieces.)
    self.num_heads, -1).transpose(1, 2) -> -1, self.num_heads).transpose(1, 2)
    or
    self.num_heads, -1).transpose(1, 2) -> -1, self.num_heads).transpose(1, 2)
    / queries.shape[-1] -> / queries.shape[1]
features-dealt-out: Head 0 has every so many features. A head takes neighbours: cut as `(num_heads, head_dim)`.
    self.num_heads, -1).transpose(1, 2) -> -1, self.num_heads).permute(0, 3, 1, 2)
shared-heads: All your heads have the same features, and so the same weights. Each needs its own slice.
    self.num_heads, -1).transpose(1, 2) -> self.num_heads, -1).transpose(1, 2)[:, :1].repeat(1, self.num_heads, 1, 1)
"""
QUERIES = """
split-missing: Not all of queries, keys and values are split. Each of the three needs its heads before they meet.
    self.split(self.W_query(x)) -> self.W_query(x)
    or
    self.split(self.W_query(x)) -> self.W_query(x).unsqueeze(1)
split-not-moved: The heads' axis of your queries stands behind the tokens. Move it as in the others: `transpose(1, 2)`.
    self.split(self.W_query(x)) -> self.W_query(x).view(*x.shape[:2], self.num_heads, -1)
view-no-transpose: In your queries, a head's rows hold several tokens' numbers. Split them as the two others:
    `view(batch, num_tokens, num_heads, head_dim)`, then `transpose(1, 2)`.
    self.split(self.W_query(x)) -> self.W_query(x).view(len(x), self.num_heads, x.shape[1], -1)
features-dealt-out: In your queries, the heads take turns. Cut them as the two others: `(num_heads, head_dim)`.
    self.split(self.W_query(x)) -> self.W_query(x).view(*x.shape[:2], -1, self.num_heads).permute(0, 3, 1, 2)
moved-before-cut: In your queries, a head's rows run along the tokens. Cut the features while they are the last axis,
    then move the heads.
    self.split(self.W_query(x)) -> self.W_query(x).transpose(1, 2).reshape(len(x), self.num_heads, x.shape[1], -1)
"""
KEYS = QUERIES.replace("W_query", "W_key").replace("your queries", "your keys")
VALUES = QUERIES.replace("W_query", "W_value").replace("your queries", "your values")
SPLITS = ALL_THREE + QUERIES + KEYS + VALUES
