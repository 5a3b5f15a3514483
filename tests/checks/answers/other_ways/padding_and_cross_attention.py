# %% wrong padding_mask: lens-no-axis
def my_padding_mask(valid_lens, num_keys):
    return (torch.arange(num_keys) < valid_lens)[:, None, None]

# %% wrong padding_mask: lens-no-axis
def my_padding_mask(valid_lens, num_keys):
    return (torch.arange(num_keys) < valid_lens)[:, None, None, :]

# %% wrong padding_mask: slice-by-lens
def my_padding_mask(valid_lens, num_keys):
    mask = torch.zeros(len(valid_lens), 1, 1, num_keys, dtype=torch.bool)
    mask[..., :valid_lens] = True
    return mask

# %% wrong padded_softmax: all-masked-uniform
def masked(scores, mask, fill=-torch.inf):
    return scores.masked_fill(~mask, fill)


def my_padded_softmax(scores, mask):
    return torch.softmax(masked(scores, mask, -1e9), dim=-1)

# %% wrong padded_softmax: naive-overflow
def divided(exps):
    """Each row divided by its sum; an empty row stays 0."""
    totals = exps.sum(dim=-1, keepdim=True)
    return exps / totals.masked_fill(totals == 0, 1.0)


def my_padded_softmax(scores, mask):
    return divided(torch.exp(scores) * mask)

# %% wrong padded_softmax: softmax-axis
def masked(scores, mask, fill=-torch.inf):
    return scores.masked_fill(~mask, fill)


def my_padded_softmax(scores, mask):
    return torch.softmax(masked(scores, mask), dim=1)

# %% wrong padded_softmax: mask-after-softmax
def my_padded_softmax(scores, mask):
    return torch.softmax(scores, dim=-1) * mask

# %% wrong padded_softmax: max-over-closed
def divided(exps):
    """Each row divided by its sum; an empty row stays 0."""
    totals = exps.sum(dim=-1, keepdim=True)
    return exps / totals.masked_fill(totals == 0, 1.0)


def my_padded_softmax(scores, mask):
    return divided(torch.exp(scores - scores.amax(dim=-1, keepdim=True)) * mask)

# %% wrong padded_softmax: mask-normalised
def divided(exps):
    """Each row divided by its sum; an empty row stays 0."""
    totals = exps.sum(dim=-1, keepdim=True)
    return exps / totals.masked_fill(totals == 0, 1.0)


def my_padded_softmax(scores, mask):
    return divided(mask.to(scores.dtype).expand_as(scores))

# %% wrong left_padded_mask: mask-not-bool
def at_front(valid_lens, num_tokens):
    """The real keys where the padding comes first, (batch, 1, 1, num_tokens)."""
    return (torch.arange(num_tokens) >= num_tokens - valid_lens[:, None])[:, None, None, :]


def causal(num_tokens, diagonal=0):
    return torch.ones(num_tokens, num_tokens, dtype=torch.bool).tril(diagonal)


def my_left_padded_mask(valid_lens, num_tokens):
    return at_front(valid_lens, num_tokens) * causal(num_tokens).float()

# %% wrong folded_with_lengths: heads-as-float
def my_folded_with_lengths(queries, keys, values, valid_lens):
    num_heads = len(queries) / len(valid_lens)
    return attention.padding_mask(valid_lens.repeat_interleave(num_heads), keys.shape[-2])

# %% wrong folded_with_lengths: mask-too-flat
def my_folded_with_lengths(queries, keys, values, valid_lens):
    lens = valid_lens.repeat_interleave(len(queries) // len(valid_lens))
    mask = attention.padding_mask(lens, keys.shape[-2])[:, 0, 0]
    return attention.scaled_dot_product_attention(queries, keys, values, mask)

# %% wrong cross_attention: names
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.query, self.key, self.value = (nn.Linear(width, d_out, bias=False) for width in (d_in, kdim, vdim))
        self.out = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        return queries, keys

# %% wrong cross_attention: heads-in-list
class MyCrossAttention(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.layers = [nn.Linear(width, d_out, bias=False) for width in (d_in, kdim, vdim)]

    def forward(self, queries, keys, values=None, valid_lens=None):
        return queries, keys
