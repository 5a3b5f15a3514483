"""What goes wrong where queries, keys and values are split: in all three, or in one of them."""

SPLITS = """
view-no-transpose: Your `view` or `reshape` goes straight to `(batch, num_heads, num_tokens, head_dim)`. It only counts
    numbers off in their order, and a head's rows fill up with other tokens' numbers. Cut the features first,
    `view(batch, num_tokens, num_heads, head_dim)`, then move the axis: `transpose(1, 2)`.
    x.view(*x.shape[:2], self.num_heads, -1).transpose(1, 2) -> x.view(len(x), self.num_heads, x.shape[1], -1)
split-tokens: Your heads share out the tokens, so each sees a part of the text. They should share out the features, the
    last axis: every head sees every token.
    x.view(*x.shape[:2], self.num_heads, -1).transpose(1, 2) -> x.view(len(x), self.num_heads, -1, x.shape[-1])
    or
    x.view(*x.shape[:2], self.num_heads, -1).transpose(1, 2) -> x.view(len(x), self.num_heads, -1, x.shape[-1])
    num_tokens = x.shape[1] -> num_tokens = queries.shape[-2]
split-not-moved: Your scores compare the heads of one token with each other. Move the heads' axis before tokens.
    self.num_heads, -1).transpose(1, 2) -> self.num_heads, -1)
sizes-swapped: In your split, `num_heads` and `head_dim` have changed places: the heads come first, then the features of
    each. (Of `split`: it takes the width of a piece, `chunk` takes their number.)
    self.num_heads, -1).transpose(1, 2) -> -1, self.num_heads).transpose(1, 2)
features-dealt-out: Your heads take turns: head 0 has every so many features, as cards are dealt out. A head takes
    neighbours: cut the last axis as `(num_heads, head_dim)`.
    self.num_heads, -1).transpose(1, 2) -> -1, self.num_heads).permute(0, 3, 1, 2)
shared-heads: All your heads are one and the same: their weights are equal. Each needs numbers of its own. `[head] * 3`
    is three times the same head.
    self.num_heads, -1).transpose(1, 2) -> self.num_heads, -1).transpose(1, 2)[:, :1].repeat(1, self.num_heads, 1, 1)
split-missing: Of queries and keys, only one is split. Both need their heads before they meet.
    self.split(self.W_query(x)) -> self.W_query(x)
    or
    self.split(self.W_query(x)) -> self.W_query(x).unsqueeze(1)
split-not-moved: Your queries are cut, and their heads' axis has stayed behind the tokens. Move it, as the two others':
    `transpose(1, 2)`.
    self.split(self.W_query(x)) -> self.W_query(x).view(*x.shape[:2], self.num_heads, -1)
view-no-transpose: Your queries are split by a `view` alone, and a head's rows fill up with other tokens' numbers. Split
    them as the two others: `view(batch, num_tokens, num_heads, head_dim)`, then `transpose(1, 2)`.
    self.split(self.W_query(x)) -> self.W_query(x).view(len(x), self.num_heads, x.shape[1], -1)
features-dealt-out: In your queries, the heads take turns: head 0 has every so many features. Cut them as the others:
    `(num_heads, head_dim)`.
    self.split(self.W_query(x)) -> self.W_query(x).view(*x.shape[:2], -1, self.num_heads).permute(0, 3, 1, 2)
moved-before-cut: In your queries, tokens and features have changed places before the cut. Cut the features while they
    are the last axis, then move the heads.
    self.split(self.W_query(x)) ->
        self.W_query(x).transpose(1, 2).reshape(len(x), self.num_heads, x.shape[1], -1)
split-missing: Of queries and keys, only one is split. Both need their heads before they meet.
    self.split(self.W_key(x)) -> self.W_key(x)
    or
    self.split(self.W_key(x)) -> self.W_key(x).unsqueeze(1)
split-not-moved: Your keys are cut, and their heads' axis has stayed behind the tokens. Move it, as the two others':
    `transpose(1, 2)`.
    self.split(self.W_key(x)) -> self.W_key(x).view(*x.shape[:2], self.num_heads, -1)
view-no-transpose: Your keys are split by a `view` alone, and a head's rows fill up with other tokens' numbers. Split
    them as the two others: `view(batch, num_tokens, num_heads, head_dim)`, then `transpose(1, 2)`.
    self.split(self.W_key(x)) -> self.W_key(x).view(len(x), self.num_heads, x.shape[1], -1)
features-dealt-out: In your keys, the heads take turns: head 0 has every so many features. Cut them as the others:
    `(num_heads, head_dim)`.
    self.split(self.W_key(x)) -> self.W_key(x).view(*x.shape[:2], -1, self.num_heads).permute(0, 3, 1, 2)
moved-before-cut: In your keys, tokens and features have changed places before the cut. Cut the features while they
    are the last axis, then move the heads.
    self.split(self.W_key(x)) ->
        self.W_key(x).transpose(1, 2).reshape(len(x), self.num_heads, x.shape[1], -1)
split-missing: Your values are not split, and the two others are. Each of the three needs its heads before they meet.
    self.split(self.W_value(x)) -> self.W_value(x)
    or
    self.split(self.W_value(x)) -> self.W_value(x).unsqueeze(1)
split-not-moved: Your values are cut, and their heads' axis has stayed behind the tokens. Move it, as the two others':
    `transpose(1, 2)`.
    self.split(self.W_value(x)) -> self.W_value(x).view(*x.shape[:2], self.num_heads, -1)
view-no-transpose: Your values are split by a `view` alone, and a head's rows fill up with other tokens' numbers. Split
    them as the two others: `view(batch, num_tokens, num_heads, head_dim)`, then `transpose(1, 2)`.
    self.split(self.W_value(x)) -> self.W_value(x).view(len(x), self.num_heads, x.shape[1], -1)
features-dealt-out: In your values, the heads take turns: head 0 has every so many features. Cut them as the others:
    `(num_heads, head_dim)`.
    self.split(self.W_value(x)) -> self.W_value(x).view(*x.shape[:2], -1, self.num_heads).permute(0, 3, 1, 2)
moved-before-cut: In your values, tokens and features have changed places before the cut. Cut the features while they
    are the last axis, then move the heads.
    self.split(self.W_value(x)) ->
        self.W_value(x).transpose(1, 2).reshape(len(x), self.num_heads, x.shape[1], -1)
"""
