"""More wrong answers to the class of notebook 07: those that change its layers, or its forward as a whole."""

from torch import nn

from .. import attention
from . import notebook_07_cross as page
from . import steps
from .modules import MISSING
from .notebook_07_cross import cross, open_keys, sources

notebook_heads = 5  # lies about in the notebook


def whole(id, words):
    """Add a class whose forward is given in full."""

    def add(forward):
        page.cross_attention.mistake(id, words)(type("CrossAttention", (cross(),), {"forward": forward}))

    return add


def attend(self, queries, keys, values, valid_lens, project=None):
    """The right forward from the three inputs on; project: other layers than the class's own."""
    layers = project or (self.W_query, self.W_key, self.W_value)
    queries, keys, values = (
        attention.split_heads(layer(x), self.num_heads)
        for layer, x in zip(layers, (queries, keys, values), strict=True)
    )
    mask = open_keys(valid_lens, queries @ keys.transpose(-2, -1))
    context_vecs, attn_weights = attention.scaled_dot_product_attention(queries, keys, values, mask)
    return self.out_proj(attention.merge_heads(context_vecs)), attn_weights


def with_the_courses_functions(id, words, take, make_mask):
    """Add a class that is wrong in what it hands to the course's functions, which refuse some of it."""

    @whole(id, words)
    def _(self, queries, keys, values=None, valid_lens=None):
        inputs = take(queries, keys, values)
        mask = make_mask(valid_lens, queries, keys)
        layers = (self.W_query, self.W_key, self.W_value)
        heads = (attention.split_heads(layer(x), self.num_heads) for layer, x in zip(layers, inputs, strict=True))
        context_vecs, attn_weights = attention.scaled_dot_product_attention(*heads, mask)
        return self.out_proj(attention.merge_heads(context_vecs)), attn_weights


def right_mask(valid_lens, queries, keys):
    return None if valid_lens is None else attention.padding_mask(valid_lens, keys.shape[-2])


with_the_courses_functions("values-from-queries", *page.WRONG["values-from-queries"][::2], right_mask)
with_the_courses_functions("cross-from-queries", *page.WRONG["cross-from-queries"][::2], right_mask)
with_the_courses_functions(
    "lens-required",
    page.WRONG["lens-required"][0],
    sources,
    lambda valid_lens, queries, keys: attention.padding_mask(valid_lens, keys.shape[-2]),
)
with_the_courses_functions(
    "mask-from-queries",
    "Your mask is as long as the queries. Padding is a matter of the keys: count to `keys.shape[-2]`.",
    sources,
    lambda valid_lens, queries, keys: right_mask(valid_lens, keys, queries),
)
with_the_courses_functions(
    "values-or-keys",
    "`values or keys` asks whether a whole tensor is true, and fails. Ask whether it is there: "
    "`keys if values is None else values`.",
    lambda queries, keys, values: (queries, keys, values or keys),
    right_mask,
)


@whole("heads-forgotten", "There is one wide head: the features are never split. `attention.split_heads` comes first.")
def _(self, queries, keys, values=None, valid_lens=None):
    queries, keys, values = sources(queries, keys, values)
    queries, keys, values = self.W_query(queries), self.W_key(keys), self.W_value(values)
    mask = None if valid_lens is None else open_keys(valid_lens, queries @ keys.transpose(-2, -1))[:, 0]
    context_vecs, attn_weights = attention.scaled_dot_product_attention(queries, keys, values, mask)
    return self.out_proj(context_vecs), attn_weights


@whole(
    "merge-discarded",
    "The heads are merged, and that is not kept: your result has the heads' shape. Give the merged tensor a name.",
)
def _(self, queries, keys, values=None, valid_lens=None):
    context_vecs, attn_weights = attend(self, *sources(queries, keys, values), valid_lens)
    return attention.split_heads(context_vecs, self.num_heads), attn_weights


@whole("state-leak", "Your `forward` keeps a result on `self` and uses it again.")
def _(self, queries, keys, values=None, valid_lens=None):
    if not hasattr(self, "kept"):
        self.kept = keys
    return attend(self, queries, self.kept, keys if values is None else values, valid_lens)


@whole("dropout-in-eval", "Something still draws random numbers after `.eval()`.")
def _(self, queries, keys, values=None, valid_lens=None):
    context_vecs, attn_weights = attend(self, *sources(queries, keys, values), valid_lens)
    return nn.functional.dropout(context_vecs, 0.3), attn_weights


@whole("input-changed", "Your code changes its input: look for `*=`, `/=` and methods that end in `_`.")
def _(self, queries, keys, values=None, valid_lens=None):
    results = attend(self, *sources(queries, keys, values), valid_lens)
    keys.data.mul_(2)
    return results


@whole("global-leak", steps.LEAK)
def _(self, queries, keys, values=None, valid_lens=None):
    self.num_heads = notebook_heads
    return attend(self, *sources(queries, keys, values), valid_lens)


@page.cross_attention.mistake("names", MISSING.format("`self.W_query`, `self.W_key`, `self.W_value`, `self.out_proj`"))
class Renamed(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.num_heads = num_heads
        self.query, self.key, self.value = (nn.Linear(width, d_out, bias=False) for width in (d_in, kdim, vdim))
        self.out = nn.Linear(d_out, d_out)

    def forward(self, queries, keys, values=None, valid_lens=None):
        return queries, keys


@page.cross_attention.mistake(
    "widths-swapped", "The widths of keys and values have changed places: `W_key` takes `kdim`, `W_value` takes `vdim`."
)
class Turned(cross()):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__(d_in, d_out, num_heads, vdim, kdim)


@page.cross_attention.mistake(
    "one-width", "All three layers take `d_in` numbers. Keys are `kdim` wide when they come in, values `vdim`."
)
class OneWidth(cross()):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__(d_in, d_out, num_heads, d_in, d_in)


@page.cross_attention.mistake("extra-bias", "Your layers add a bias.")
class Biased(cross()):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__(d_in, d_out, num_heads, kdim, vdim)
        self.W_key = nn.Linear(kdim, d_out)
        nn.init.zeros_(self.W_key.bias)


@page.cross_attention.mistake(
    "out-proj-without-bias", "`out_proj` has a bias here: `nn.Linear(d_out, d_out)` as it is."
)
class Unbiased(cross()):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__(d_in, d_out, num_heads, kdim, vdim)
        self.out_proj = nn.Linear(d_out, d_out, bias=False)


@page.cross_attention.mistake("dropout-added", "No dropout is asked for here: leave it out.")
class Dropping(cross()):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__(d_in, d_out, num_heads, kdim, vdim)
        self.dropout = nn.Dropout(0.5)

    def forward(self, queries, keys, values=None, valid_lens=None):
        context_vecs, attn_weights = super().forward(queries, keys, values, valid_lens)
        return self.dropout(context_vecs), attn_weights


@page.cross_attention.mistake("heads-in-list", "Your layers lie in a Python list.")
class Listed(nn.Module):
    def __init__(self, d_in, d_out, num_heads, kdim, vdim):
        super().__init__()
        self.layers = [nn.Linear(width, d_out, bias=False) for width in (d_in, kdim, vdim)]

    def forward(self, queries, keys, values=None, valid_lens=None):
        return queries, keys
