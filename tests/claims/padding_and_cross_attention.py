"""Claims of the notebook padding_and_cross_attention that go beyond its outputs."""

import torch
from claiming import claims_of, definitions, differences_below
from torch import nn

from course_utils import attention, properties

claim = claims_of("padding_and_cross_attention")

TRANSLATOR = ("words-one-two-three-four", "torch-manual-seed-0-translator", "optimizer-torch-optim-adamw-translator")


def texts(seed, num_tokens=6):
    """Return two random texts (2, num_tokens, 8), their padding mask (2, 1, num_tokens), and the second's real length.

    The second text has 1 to num_tokens - 1 real tokens.
    """
    torch.manual_seed(seed)
    lengths = [num_tokens, int(torch.randint(1, num_tokens, ()))]
    return torch.randn(2, num_tokens, 8), attention.padding_mask(lengths, num_tokens)[:, 0], lengths[1]


@claim("in-the-batch-the-three", "the three words now get what they got alone", over="20 seeds and lengths")
@differences_below(1e-5)
def batch_and_alone():
    for seed in range(20):
        inputs, mask, real = texts(seed)
        together = attention.scaled_dot_product_attention(inputs, inputs, inputs, mask)[0][1, :real]
        cut = inputs[1, :real]
        alone = attention.scaled_dot_product_attention(cut, cut, cut)[0]
        yield together - alone


@claim(
    "module-against-itself", "takes a third, its fast path, and there nan is back",
    over="5 widths and numbers of heads", quick=True,
)  # fmt: skip
def empty_rows():
    """Check which ways of calling PyTorch's layer give nan for an empty text.

    Nan is expected with weights, and without weights in eval and no_grad; zeros in the other calls.
    """
    expected, found = [True, False, True, False, True, True], []
    for width, num_heads in ((8, 2), (12, 4), (16, 8), (12, 6), (64, 4)):
        layer, x = nn.MultiheadAttention(width, num_heads, batch_first=True), torch.randn(3, 6, width)
        closed, outcomes = ~attention.padding_mask([3, 0, 6], 6)[:, 0, 0], []
        for training, with_grad in ((True, True), (False, True), (False, False)):
            layer.train(training)
            for need_weights in (True, False):
                with torch.set_grad_enabled(with_grad):
                    row = layer(x, x, x, key_padding_mask=closed, need_weights=need_weights)[0][1]
                outcomes.append(bool(row.isnan().all()))
        found.append(outcomes == expected)
    return all(found), f"{sum(found)} of {len(found)} give the table of the page"


@claim("with-torch-softmax-every-number", "every number of the gradient is nan", over="10 seeds")
def nan_spreads():
    spoiled = 0
    for seed in range(10):
        torch.manual_seed(seed)
        queries, keys, layer = torch.randn(4, 4, 8), torch.randn(4, 6, 8), nn.Linear(8, 3, bias=False)
        mask = attention.padding_mask([3, 0, 6, 2], 6)[:, 0]
        scores = (queries @ keys.mT).masked_fill(~mask, -torch.inf)
        loss = (torch.softmax(scores, dim=-1) @ layer(keys))[0].sum()
        spoiled += bool(torch.autograd.grad(loss, layer.weight)[0].isnan().all())
    return spoiled == 10, f"{spoiled} of 10 gradients are nan throughout"


@claim("three-with-a-key-that", "the future is back", over="10 seeds and lengths")
def joined_by_or():
    """Run the leak test with the masks joined by & (it must pass) and by | (it must fail)."""
    found = []
    for seed in range(10):
        inputs, padding, _ = texts(seed)
        causal = attention.causal_mask(6)
        for mask in (padding & causal, padding | causal):

            def attend(x, mask=mask):
                return attention.scaled_dot_product_attention(x, x, x, mask)[0]

            found.append(properties.no_leak(attend, inputs))
    return all(found[::2]) and not any(found[1::2]), f"&: {sum(found[::2])} of 10 safe; |: {sum(found[1::2])} of 10"


def trained(seed, masked):
    """Train the notebook's translator with another seed.

    Returns the share right, the mean weight on padding, and how far scores move if the padding is cut off.
    """
    page = definitions("padding_and_cross_attention", *TRANSLATOR)
    torch.manual_seed(seed)
    translator = page.new_translator()
    page.train_translator(translator, masked)
    words, digits, how_many = page.draw_numbers(1000)
    with torch.no_grad():
        scores, weights = page.translate(translator, words, how_many, masked)
        one = how_many == 1
        alone, _ = page.translate(translator, words[one][:, :3], how_many[one], masked)
    real = torch.arange(6) < 2 * how_many[:, None]
    right = (scores.argmax(dim=-1) == digits)[real].float().mean().item()
    return right, weights[one][:, :2, 3:].sum(-1).mean().item(), (alone - scores[one])[:, :2].abs().max().item()


@claim("learnt-to-ignore", "Both are right.", over="5 seeds")
def with_and_without():
    """Train without a mask: the translator is right and gives padding little weight, but padding moves its scores."""
    found = [trained(seed, False) for seed in range(5)]
    holds = all(right > 0.99 and to_padding < 0.05 < moved for right, to_padding, moved in found)
    return holds, "without: " + "; ".join("{:.3f} right, {:.3f}, moved {:.2f}".format(*one) for one in found)
