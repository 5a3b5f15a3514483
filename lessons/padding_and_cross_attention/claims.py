"""Claims of the notebook padding_and_cross_attention that go beyond its outputs."""

import functools

import torch
from claiming import claims_of, definitions, differences_below
from torch import nn

from course_utils import attention

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


@claim(
    "large-and-finite", "padding that holds nan or inf can spoil the real tokens through a mask that is right",
    over="20 texts, against padding that holds 100", quick=True, apart=1,
)  # fmt: skip
def padding_must_be_finite():
    """Count the numbers of the real tokens that are nan."""
    for seed in range(20):
        inputs, mask, real = texts(seed)
        counts = []
        for filler in (torch.nan if seed % 2 else torch.inf, 100.0):
            inputs[1, real:] = filler
            outputs = attention.scaled_dot_product_attention(inputs, inputs, inputs, mask)[0]
            counts.append(outputs[1, :real].isnan().sum())
        yield counts


@claim(
    "with-torch-softmax-every-number", "every number of the gradient is nan",
    over="10 seeds, against a batch without an empty text", quick=True, apart=1, rival="an empty text and zeros",
)  # fmt: skip
def nan_spreads():
    """Count the numbers of the gradient that are nan; if some are not, none count."""
    by_torch = functools.partial(torch.softmax, dim=-1)
    for seed in range(10):
        torch.manual_seed(seed)
        queries, keys, layer = torch.randn(4, 4, 8), torch.randn(4, 6, 8), nn.Linear(8, 1 + seed % 5, bias=False)
        counts = []
        for lengths, softmax in (([3, 0, 6, 2], by_torch), ([3, 1, 6, 2], by_torch), ([3, 0, 6, 2], attention.softmax)):
            mask = attention.padding_mask(lengths, 6)[:, 0]
            scores = (queries @ keys.mT).masked_fill(~mask, -torch.inf)
            loss = (softmax(scores) @ layer(keys))[0].sum()
            is_nan = torch.autograd.grad(loss, layer.weight)[0].isnan()
            counts.append(is_nan.sum() * is_nan.all())
        yield counts


@claim(
    "three-with-a-key-that",
    "the future is back",
    over="10 seeds, | against &",
    quick=True,
    apart=0.01,
    rival="the causal mask alone",
)
def joined_by_or():
    """Change the last token of a text without padding; compare how far earlier outputs move with | and with &."""
    for seed in range(10):
        inputs, padding, _ = texts(seed)
        later, causal, moved = inputs.clone(), attention.causal_mask(6), []
        later[0, -1] += 1.0
        for mask in (padding | causal, padding & causal, causal):
            before, after = (attention.scaled_dot_product_attention(x, x, x, mask)[0] for x in (inputs, later))
            moved.append((after - before)[0, :-1].abs().max())
        yield moved


@functools.cache
def trained(seed, masked, steps=301):
    """Train the notebook's translator with another seed; return the page's definitions and its model."""

    def reseeded(source):
        return source.replace("torch.manual_seed(0)", f"torch.manual_seed({seed})").replace("1001", str(steps))

    page = definitions("padding_and_cross_attention", *TRANSLATOR, change=reseeded)
    translator = page.new_translator()
    page.train_translator(translator, masked)
    return page, translator


def moved(seed, masked, trained_masked=False):
    """Cut off the padding of 300 texts of one number; return the largest change of a score.

    masked, trained_masked: whether the translator has a mask in use, and whether it was trained with one.
    """
    page, translator = trained(seed, trained_masked)
    words, _, how_many = page.draw_numbers(1000)
    words, how_many = words[how_many == 1], how_many[how_many == 1]
    with torch.no_grad():
        padded, alone = (page.translate(translator, part, how_many, masked)[0][:, :2] for part in (words, words[:, :3]))
    return (alone - padded).abs().max().item()


@claim("the-first-digit-looks-past", "it asks for the tens of the first number, wherever they stand", over="5 seeds")
def digits_look_at_their_words():
    """Measure how many of the digits of 1000 texts look most at the word that they came from."""
    found = []
    for seed in range(5):
        page, translator = trained(seed, True)
        words, _, how_many = page.draw_numbers(1000)
        with torch.no_grad():
            most = page.translate(translator, words, how_many)[1].argmax(dim=-1)  # (1000, 6)
        is_tens = (words >= page.WORDS.index("twenty")) & (words <= page.WORDS.index("ninety"))
        tens = is_tens.view(-1, 3, 3).int().argmax(dim=-1)  # 0 or 2, in each number
        wanted = (torch.stack([tens, 2 - tens], dim=-1) + 3 * torch.arange(3)[:, None]).flatten(1)
        real = torch.arange(6) < 2 * how_many[:, None]
        found.append((most == wanted)[real].float().mean().item())
    return min(found) > 0.99, "of the digits, look at their word: " + " ".join(f"{share:.3f}" for share in found)


@claim("learnt-to-ignore", "Both are right.", over="5 seeds")
def with_and_without():
    found = []
    for seed in range(5):
        for masked in (True, False):
            page, translator = trained(seed, masked)
            words, digits, how_many = page.draw_numbers(1000)
            real = torch.arange(6) < 2 * how_many[:, None]
            with torch.no_grad():
                right = page.translate(translator, words, how_many, masked)[0].argmax(dim=-1) == digits
            found.append(right[real].float().mean().item())
    return min(found) > 0.99, "right, with the mask and without: " + " ".join(f"{share:.3f}" for share in found)


@claim(
    "learnt-to-ignore", "its scores depend on how many padding tokens follow",
    over="5 seeds, without the mask and with it", apart=0.1, rival="trained with the mask, and used with it",
)  # fmt: skip
def paddings_move_scores():
    for seed in range(5):
        yield moved(seed, False), moved(seed, True), moved(seed, True, trained_masked=True)


@claim(
    "learnt-to-ignore",
    "In a separate experiment it was stopped after 100 steps of training, with fewer than half of its digits right. It "
    "then wrote other digits for some texts when their padding was cut off.",
    over="5 seeds, digits that change without the mask, and with it", apart=2,
)  # fmt: skip
def paddings_change_digits_early():
    """Count the digits of texts of one number that change when their padding is cut off, after 100 steps."""
    for seed in range(5):
        changed = []
        for masked in (False, True):
            page, translator = trained(seed, masked, steps=100)
            words, _, how_many = page.draw_numbers(1000)
            words, how_many = words[how_many == 1], how_many[how_many == 1]
            with torch.no_grad():
                padded, alone = (
                    page.translate(translator, part, how_many, masked)[0][:, :2].argmax(dim=-1)
                    for part in (words, words[:, :3])
                )
            changed.append((padded != alone).sum())
        yield changed


@claim(
    "the-first-digit-looks-past", "In this model a digit can come only from the words that its row attends to.",
    over="5 seeds, digits right with the strongest weight of each row alone, and without it", apart=0.8,
)  # fmt: skip
def digits_come_from_the_strong_cells():
    for seed in range(5):
        page, (head, read_out) = trained(seed, True)
        words, digits, how_many = page.draw_numbers(1000)
        real = torch.arange(6) < 2 * how_many[:, None]
        with torch.no_grad():
            weights = page.translate((head, read_out), words, how_many)[1]  # (1000, 6, 9)
            values = head.W_value(nn.functional.one_hot(words, 19).float())
            strongest = weights == weights.amax(dim=-1, keepdim=True)
            named = [
                read_out(head.out_proj(weights * kept @ values)).argmax(dim=-1) for kept in (strongest, ~strongest)
            ]
        yield [(one == digits)[real].float().mean() for one in named]
