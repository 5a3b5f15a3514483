"""Mistakes in splitting queries, keys and values into heads: in all three, or in one of them."""

ALL_THREE = """
view-no-transpose: A head's rows hold several tokens' numbers. Cut the features first, then `transpose(1, 2)`.
    x.view(*x.shape[:2], self.num_heads, -1).transpose(1, 2) -> x.view(len(x), self.num_heads, x.shape[1], -1)
split-not-moved: Your scores compare the heads of one token with each other. Move the heads' axis before the tokens.
    self.num_heads, -1).transpose(1, 2) -> self.num_heads, -1)
sizes-swapped: You have `head_dim` heads, `num_heads` wide. Cut the last axis as `(num_heads, head_dim)`.
    self.num_heads, -1).transpose(1, 2) -> -1, self.num_heads).transpose(1, 2)
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
view-no-transpose: A head's rows hold several tokens' numbers. Cut the features first, then `transpose(1, 2)`.
    self.split(self.W_query(x)) -> self.W_query(x).view(len(x), self.num_heads, x.shape[1], -1)
"""
SPLITS = ALL_THREE + "".join(QUERIES.replace("W_query", layer) for layer in ("W_query", "W_key", "W_value"))
