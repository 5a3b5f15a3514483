"""Claims of the notebook beyond_text that go beyond its outputs."""

import functools
import re

import torch
import torch.nn.functional as F
from claiming import claims_of, definitions, differences_below, sources
from torch import nn

from course_utils import attention, checks

claim = claims_of("beyond_text")

KEYS, SEEDS = "123456789", range(5)
FINDERS = ("one head", "average", "all in a row")
HEADS = []  # (trained model, codes it has never seen), filled by finders("one head")


def defined():
    """Return what the notebook defines, a namespace, with newly drawn codes for the goods."""
    return definitions(
        "beyond_text", "def-frame-of-key", "def-band-weights", "def-draw-squares", "digits-load-cut",
        "def-digit-reader", "def-train-reader", "def-moved-digits", "def-draw-orders", "def-printer-finder",
        "train-finders",
    )  # fmt: skip


page = functools.cache(defined)


def stored(cell, row):
    """Return the decimal numbers in a row of a table of the notebook, a list. cell: the id of the table's cell."""
    (line,) = [line for line in sources("beyond_text")[cell].split("\n") if line.startswith(f"| {row} |")]
    return [float(number) for number in re.findall(r"\d\.\d+", line)]


@functools.cache
def finders(name):
    """Train one kind of finder with five seeds; return the shares it finds, (seeds, 2): known goods, unseen goods."""
    found = []
    for seed in SEEDS:
        torch.manual_seed(seed)
        goods = defined()  # each seed has other codes
        wide = {
            "average": (14, lambda things: things.mean(dim=1)),
            "all in a row": (84, lambda things: things.flatten(1)),
        }
        model = goods.Wide(*wide[name]) if name in wide else goods.OneHead()
        goods.train_on_goods(model, "", lr=0.003 if name in wide else 0.02)
        found.append([goods.accuracy_on_goods(model, part) for part in (goods.known, goods.never_seen)])
        if name == "one head":
            HEADS.append((model, goods.never_seen))
    return torch.tensor(found)


@functools.cache
def shares(with_positions):
    """Train left-or-right models with five seeds; return their shares right, (5, 2): as drawn, and shuffled."""
    found = []
    for seed in range(5):
        torch.manual_seed(seed)
        model = page().LeftOrRight(with_positions)
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
        for _ in range(200):
            pictures, left = page().draw_squares(64)
            loss = F.cross_entropy(model(pictures), left.long())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        pictures, left = page().draw_squares(2000)
        shuffled = pictures.take_along_dim(torch.rand(len(pictures), 16, 1).argsort(dim=1), dim=1)
        with torch.no_grad():
            found.append([(model(x).argmax(dim=-1) == left).float().mean() for x in (pictures, shuffled)])
    return torch.tensor(found)  # (seeds, 2)


def in_words(numbers):
    return " ".join(f"{number:.3f}" for number in numbers)


@claim(
    "none-the-photo-and-its", "To this layer, the photo and a jumble of its patches are the same.",
    over="10 layers and orders", quick=True,
)  # fmt: skip
@differences_below(1e-5)
def an_average_does_not_notice():
    for seed in range(10):
        torch.manual_seed(seed)
        layer, patches = attention.MultiHeadAttention(48, 32, 2), torch.rand(72, 48)
        with torch.no_grad():
            averages = [layer(x)[0].mean(dim=0) for x in (patches, patches[torch.randperm(72)])]
        yield averages[0] - averages[1]


@claim("without-places-the-model", "Without positions the model does no better than a coin toss.", over="5 seeds")
def without_positions_a_coin():
    return bool(((shares(False) - 0.5).abs() < 0.05).all()), f"right: {in_words(shares(False)[:, 0])}"


@claim("without-places-the-model", "With positions it is hardly ever wrong", over="5 seeds")
def with_positions_right():
    return bool((shares(True)[:, 0] > 0.95).all()), f"right: {in_words(shares(True)[:, 0])}"


@claim("without-places-the-model", "back to chance when the patches are shuffled", over="5 seeds")
def shuffled_a_coin_again():
    return bool(((shares(True)[:, 1] - 0.5).abs() < 0.05).all()), f"right: {in_words(shares(True)[:, 1])}"


@claim(
    "about-0-on-average", "About 0 on average, and anything between −1 and 1.", over="9 keys, 5 seeds of 100 pairs",
    quick=True,
)  # fmt: skip
def samples_of_one_key_disagree():
    means, lows, highs = [], [], []
    for seed in range(5):
        torch.manual_seed(seed)
        for key in KEYS:
            frames = torch.stack([page().frame(key) for _ in range(200)])
            cosines = F.cosine_similarity(frames[:100], frames[100:], dim=-1)
            means.append(cosines.mean().item()), lows.append(cosines.min().item()), highs.append(cosines.max().item())
    holds = max(map(abs, means)) < 0.2 and max(lows) < -0.8 and min(highs) > 0.8
    return (
        holds,
        f"means {min(means):.2f} to {max(means):.2f}, lows up to {max(lows):.2f}, highs from {min(highs):.2f}",
    )


@claim("the-same-key-the-same", "The same key, nearly the same vector.", over="9 keys, 5 seeds of 100 pairs")
def spectra_of_one_key_agree():
    lows = []
    for seed in range(5):
        torch.manual_seed(seed)
        for key in KEYS:
            heard = torch.fft.rfft(torch.stack([page().frame(key) for _ in range(200)])).abs()
            lows.append(F.cosine_similarity(heard[:100], heard[100:], dim=-1).min().item())
    return min(lows) > 0.95, f"the lowest cosine of a key is {min(lows):.3f} to {max(lows):.3f}"


@claim(
    "the-same-key-the-same", "Two tones that do, of 750 and 1,200 Hz, give the same vector each time.",
    over="9 keys", quick=True, apart=0.002,
)  # fmt: skip
def whole_waves_agree_exactly():
    def unlike(frames):
        heard = torch.fft.rfft(frames).abs()
        return 1 - F.cosine_similarity(heard[:100], heard[100:], dim=-1).min().item()

    times = torch.arange(160) / 8000
    for seed, key in enumerate(KEYS):
        torch.manual_seed(seed)
        starts = 2 * torch.pi * torch.rand(2, 200, 1)
        whole = sum(torch.sin(2 * torch.pi * hertz * times + starts[i]) for i, hertz in enumerate((750, 1200)))
        yield unlike(torch.stack([page().frame(key) for _ in range(200)])), unlike(whole)


@claim(
    "the-low-band-finds-the",
    "The low band finds the row of the telephone, 4 5 6. The high band finds the column, 1 4 7.",
    over="20 draws, all 9 keys", quick=True,
)  # fmt: skip
def bands_find_rows_and_columns():
    row, column = torch.arange(9) // 3, torch.arange(9) % 3
    right = {"low": row[:, None] == row, "high": column[:, None] == column}
    found, least = 0, 1.0
    for seed in range(20):
        torch.manual_seed(seed)
        for name, band in {"low": slice(0, 20), "high": slice(20, 81)}.items():
            weights = page().band_weights(KEYS, band)
            found += torch.equal(weights > 0.1, right[name])
            least = min(least, weights[right[name]].min().item())
    return found == 40, f"{found} of 40 tables; the least weight of a key that shares the tone is {least:.2f}"


@claim("in-4127364-the-low", "the two 4s get most, and keys that share one tone get a little", over="20 draws")
def the_whole_spectrum_finds_the_key():
    fits = 0
    for seed in range(20):
        torch.manual_seed(seed)
        weights = page().band_weights("4127364", slice(0, 81))[0]
        same, one_tone, none = weights[[0, 6]], weights[[1, 3, 5]], weights[[2, 4]]
        fits += bool(same.min() > 0.3 and one_tone.max() < 0.1 and one_tone.min() > none.max())
    return fits == 20, f"{fits} of 20 fit; last: {in_words(weights)}"


FOUND = "the-head-did-not-learn"


class BesideTheCartridge(nn.Module):
    """An MLP that reads each thing beside the cartridge, or beside itself; the mean is read by a second one."""

    def __init__(self, beside):
        super().__init__()
        self.beside = beside
        self.each = nn.Sequential(nn.Linear(28, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.read_out = nn.Sequential(nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 5))

    def forward(self, things, mask=None):
        asker = (things * things[..., -1:]).sum(dim=1, keepdim=True).expand_as(things)  # the cartridge, for each thing
        pairs = torch.cat([things, asker if self.beside else things], dim=-1)
        return self.read_out(self.each(pairs).mean(dim=1))


@claim(FOUND, "it is right in nearly all, too", over="3 seeds, other codes for each", apart=0.4)
def the_comparison_pays():
    """Yield the accuracy on unseen codes of an MLP beside the cartridge, and of the same MLP beside the thing alone."""
    for seed in range(8101, 8104):
        torch.manual_seed(seed)
        goods, right = defined(), []
        for beside in (True, False):
            model = goods.train_on_goods(BesideTheCartridge(beside), "", lr=0.003)
            right.append(goods.accuracy_on_goods(model, goods.never_seen))
        yield right


@claim(FOUND, "can be compared as well", over="5 seeds, other codes for each")
def one_head_finds_what_it_never_saw():
    shares = finders("one head")
    kept = (shares.mean(dim=0) - torch.tensor(stored(FOUND, "one head"))).abs().max() < 0.02
    return bool(kept and shares.min() > 0.98), f"known {in_words(shares[:, 0])}, never seen {in_words(shares[:, 1])}"


@claim(
    "of-what-it-gives", "nearly all of what the cartridge gives to printers goes to the one that fits",
    over="5 seeds of 1,000 baskets",
)  # fmt: skip
def it_looks_at_the_one_that_fits():
    finders("one head")
    shares, less = [], []
    for model, codes in HEADS:
        things, items, _ = page().draw_goods(1000, codes)
        model(things, checks.basket_mask.solution(items))
        weights = model.attn_weights[:, 0, 0] * (things[..., -1] == 0)  # (batch, 6): weights on printers only
        asker = (things * things[..., -1:]).sum(dim=1, keepdim=True)
        fits = ((things[..., :8] - asker[..., :8]).abs().sum(dim=-1) < 1e-5) & (things[..., -1] == 0)
        to_it = (weights * fits).sum(dim=-1) / weights.sum(dim=-1)  # (batch,)
        shares.append(to_it.mean().item())
        less.append((to_it < 0.9).float().mean().item())
    holds = min(shares) > 0.9 and 0 < min(less) and max(less) < 0.2
    return holds, f"the one that fits gets {in_words(shares)} of it, in {in_words(less)} of the baskets less than 0.9"


@claim(FOUND, "It learnt to compare two codes", over="5 seeds, other codes for each", apart=0.5)
def another_code_misleads_it():
    finders("one head")
    for model, codes in HEADS:
        things, items, office = page().draw_goods(4000, codes)
        misled, cartridge = things.clone(), things[..., -1].argmax(dim=1)
        misled[torch.arange(4000), cartridge, :8] = codes[torch.randint(40, (4000,))]
        mask = checks.basket_mask.solution(items)
        yield [(model(seen, mask).argmax(dim=-1) == office).float().mean() for seen in (things, misled)]


@claim("of-what-it-gives", "with its own key masked, it answers just as well", over="5 seeds, other codes for each")
def what_it_keeps_does_no_harm():
    finders("one head")
    changed, kept = [], []
    for model, codes in HEADS:
        things, items, office = page().draw_goods(4000, codes)
        asks, mask = things[..., -1] == 1, checks.basket_mask.solution(items)
        right = (model(things, mask).argmax(dim=-1) == office).float().mean()
        kept.append((model.attn_weights[:, 0, 0] * asks).sum(dim=-1).mean().item())
        closed = (model(things, mask & ~asks[:, None, None]).argmax(dim=-1) == office).float().mean()
        changed.append(abs(closed - right).item())
    return max(changed) < 0.01, f"it keeps {in_words(kept)}; closed, the share right moves by {in_words(changed)}"


class EachThenAverage(nn.Module):
    """A reader of each thing with two wide layers, which averages what it reads, and answers with two more."""

    def __init__(self):
        super().__init__()
        self.each = nn.Sequential(nn.Linear(14, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU())
        self.read_out = nn.Sequential(nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 5))

    def forward(self, things, mask=None):
        return self.read_out(self.each(things).mean(dim=1))


@claim(
    "recap-1-a-token-is",
    "is found by one small head, by its scores; the wide models here, which are not handed the two side by side, "
    "find half",
    over="5 seeds, other codes for each", apart=0.4,
)  # fmt: skip
def the_cartridge_needs_attention():
    for seed in SEEDS:
        torch.manual_seed(seed)
        goods = defined()
        reader = goods.train_on_goods(
            EachThenAverage(), "", lr=0.003
        )  # with four times the steps, 0.49 to 0.52 as well
        yield finders("one head")[seed].min(), goods.accuracy_on_goods(reader, goods.known)


@claim(FOUND, "are right in about half of the baskets", over="5 seeds, other codes for each")
def wide_ones_find_half():
    words, holds = [], True
    for name in FINDERS[1:]:
        shares = finders(name)
        kept = (shares.mean(dim=0) - torch.tensor(stored(FOUND, f"{name}, two wide layers"))).abs().max() < 0.03
        holds = holds and bool(kept and (shares - 0.48).abs().max() < 0.05)
        words.append(f"{name}: known {in_words(shares[:, 0])}, never seen {in_words(shares[:, 1])}")
    return holds, "; ".join(words)


@claim(
    FOUND, "who names the office that gets most printers is right in about half", over="5 seeds of 4,000 baskets",
    quick=True,
)  # fmt: skip
def most_printers_is_half():
    found = []
    for seed in SEEDS:
        torch.manual_seed(seed)
        things, _, office = page().draw_goods(4000, page().known)
        found.append((things[..., 8:13].sum(dim=1).argmax(dim=-1) == office).float().mean().item())
    kept = abs(sum(found) / 5 - stored(FOUND, "naming the office with the most printers")[0]) < 0.02
    return kept and max(abs(share - 0.5) for share in found) < 0.05, in_words(found)
