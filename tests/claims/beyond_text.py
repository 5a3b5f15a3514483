"""Claims of the notebook beyond_text that go beyond its outputs."""

import functools
import re

import torch
import torch.nn.functional as F
from claiming import claims_of, definitions, differences_below, sources

from course_utils import attention, checks

claim = claims_of("beyond_text")

KEYS, SEEDS = "123456789", range(5)
READERS = {  # row of the stored table -> (with places, with attention, all pictures in one other order)
    "no places, no attention": (False, False, False),
    "attention without places": (False, True, False),
    "places without attention": (True, False, False),
    "places and attention": (True, True, False),
    "both, all pictures in one other order": (True, True, True),
}
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


def told_row(found):
    """Format shares as the stored tables do: their mean, and in brackets the lowest and the highest."""
    return f"{sum(found) / len(found):.2f} ({min(found):.2f} to {max(found):.2f})"


def stored(cell, row):
    """Return the decimal numbers in a row of a table of the notebook, a list. cell: the id of the table's cell."""
    (line,) = [line for line in sources("beyond_text")[cell].split("\n") if line.startswith(f"| {row} |")]
    return [float(number) for number in re.findall(r"\d\.\d+", line)]


@functools.cache
def readers(row):
    """Train the readers of a row of the table of digits; return (reader, patches it was trained on) for each seed."""
    *kind, other = READERS[row]
    found = []
    for seed in SEEDS:
        torch.manual_seed(seed)
        cut = page().digit_patches[:, torch.randperm(16)] if other else page().digit_patches
        found.append((page().train_reader(page().DigitReader(*kind), cut, ""), cut))
    return found


@functools.cache
def named(row):
    """Return the share of digits that each reader of a row names correctly, a list."""
    return [page().share_read(*reader) for reader in readers(row)]


def on_a_larger_sheet(with_attention):
    """Train twelve readers on digits at nine spots of a 12 by 12 sheet; return the shares they name correctly."""

    def placed(pixels):
        right, down = torch.randint(3, (2, len(pixels))) * 2
        sheets, near = torch.zeros(len(pixels), 12, 12), torch.arange(8)
        which, rows, columns = torch.arange(len(pixels)), down[:, None] + near, right[:, None] + near
        sheets[which[:, None, None], rows[:, :, None], columns[:, None, :]] = pixels
        return checks.patches.solution(sheets[:, None], 2)

    found = []
    for seed in range(12):
        torch.manual_seed(seed)
        model = page().DigitReader(True, with_attention, num_patches=36)
        optimizer = torch.optim.AdamW(model.parameters())
        rate = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01, total_steps=500)
        for _ in range(500):
            batch = torch.randint(1437, (64,))
            loss = F.cross_entropy(model(placed(page().pixels[batch])), page().digits[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            rate.step()
        with torch.no_grad():
            tested = placed(page().pixels[1437:].repeat(3, 1, 1))
            found.append((model(tested).argmax(dim=-1) == page().digits[1437:].repeat(3)).float().mean().item())
    return found


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
        found.append([goods.share_of_goods(model, part) for part in (goods.known, goods.never_seen)])
        if name == "one head":
            HEADS.append((model, goods.never_seen))
    return torch.tensor(found)


@functools.cache
def shares(with_places):
    """Train left-or-right models with five seeds; return their shares right, (5, 2): as drawn, and shuffled."""
    found = []
    for seed in range(5):
        torch.manual_seed(seed)
        model = page().LeftOrRight(with_places)
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


def told(numbers):
    return " ".join(f"{number:.3f}" for number in numbers)


@claim(
    "none-the-photo-and-its", "The photo and its snippets in a hat are the same to this layer.",
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


@claim("without-places-the-model", "Without places the model is a coin.", over="5 seeds")
def without_places_a_coin():
    return bool(((shares(False) - 0.5).abs() < 0.05).all()), f"right: {told(shares(False)[:, 0])}"


@claim("without-places-the-model", "With places it is hardly ever wrong", over="5 seeds")
def with_places_right():
    return bool((shares(True)[:, 0] > 0.95).all()), f"right: {told(shares(True)[:, 0])}"


@claim("without-places-the-model", "a coin again when the patches are shuffled", over="5 seeds")
def shuffled_a_coin_again():
    return bool(((shares(True)[:, 1] - 0.5).abs() < 0.05).all()), f"right: {told(shares(True)[:, 1])}"


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
    return fits == 20, f"{fits} of 20 fit; last: {told(weights)}"


TABLE = "more-than-half-from"


def told_rows(rows):
    return "; ".join(f"{row}: {told_row(named(row))}" for row in rows)


def holds_stored(rows):
    """Return whether five trainings give the stored mean of each row of the table of digits, within 0.03."""
    return all(abs(torch.tensor(named(row)).mean() - stored(TABLE, row)[0]) < 0.03 for row in rows)


@claim(TABLE, "More than half, from snippets in a heap", over="5 seeds")
def half_without_places():
    rows = ("no places, no attention", "attention without places")
    return holds_stored(rows) and min(map(min, map(named, rows))) > 0.5, told_rows(rows)


@claim(TABLE, "Places add about 0.3, and attention 0.02 at most.", over="5 seeds")
def places_add_and_attention_does_not():
    rows = list(READERS)[:4]
    means = torch.tensor([named(row) for row in rows]).mean(dim=1).view(2, 2)  # [with places, with attention]
    places, attends = means[1] - means[0], means[:, 1] - means[:, 0]
    holds = holds_stored(rows) and ((places - 0.3).abs() < 0.06).all() and attends.max() < 0.04
    return bool(holds), f"places add {told(places)}, attention {told(attends)}; {told_rows(rows)}"


@claim(TABLE, "both, all pictures in one other order", over="5 seeds, another order for each")
def one_other_order_costs_nothing():
    row = "both, all pictures in one other order"
    cost = torch.tensor(named("places and attention")).mean() - torch.tensor(named(row)).mean()
    return bool(holds_stored([row]) and cost < 0.04), f"it costs {cost:.3f}; {told_rows([row])}"


@claim("a-place-is-a-name", "the one with places is right hardly more often than a guess.", over="5 seeds")
def each_shuffled_on_its_own():
    stay, right = [], []
    for seed in SEEDS:
        torch.manual_seed(seed)
        cut = page().digit_patches
        shuffled = cut.take_along_dim(torch.rand(len(cut), 16, 1).argsort(dim=1), dim=1)[1437:]
        without, with_places = (readers(row)[seed][0] for row in ("attention without places", "places and attention"))
        stay.append((without(cut[1437:]).argmax(dim=-1) == without(shuffled).argmax(dim=-1)).sum().item())
        right.append((with_places(shuffled).argmax(dim=-1) == page().digits[1437:]).float().mean().item())
    return min(stay) >= 359 and max(right) < 0.16, f"{stay} of 360 stay; with places right: {told(right)}"


@claim(
    "where-attention-pays",
    "Over twelve trainings, of which these are the first five, it adds about 0.1 on average, and in some nothing.",
    over="12 seeds",
)  # fmt: skip
def attention_pays_on_a_larger_sheet():
    rows = {"places without attention": False, "places and attention": True}
    found = {row: on_a_larger_sheet(with_attention) for row, with_attention in rows.items()}
    of_five = {row: sum(shares[:5]) / 5 for row, shares in found.items()}
    kept = [abs(mean - stored("where-attention-pays", row)[0]) < 0.04 for row, mean in of_five.items()]
    without, attending = map(torch.tensor, found.values())
    gained = attending - without
    words = "; ".join(f"{row}: {told_row(shares)}" for row, shares in found.items())
    holds = all(kept) and 0.05 < gained.mean() < 0.15 and gained.min() < 0.03 and attending.max() < 0.7
    return bool(holds), f"{words}; gained {gained.min():.2f} to {gained.max():.2f}"


@claim(
    "the-names-are-wrong", "Without places the pieces are the same but for the edge, and so is most of what it says.",
    over="5 seeds, right and left",
)  # fmt: skip
def moved_by_a_patch():
    lost = {}
    for row in ("places and attention", "attention without places"):
        lost[row] = []
        for right in (-2, 2):
            cut = checks.patches.solution(page().moved(page().pixels, right, 0)[:, None], 2)
            for (reader, _), before in zip(readers(row), named(row), strict=True):
                lost[row].append(before - page().share_read(reader, cut))
    holds = min(lost["places and attention"]) > 0.6 and max(lost["attention without places"]) < 0.15
    return holds, "; ".join(f"{row} lose {min(low):.2f} to {max(low):.2f}" for row, low in lost.items())


@claim(
    "by-one-pixel-all-patches",
    "By one pixel, all patches are cut anew, and both readers with attention lose more than 30 points of a hundred",
    over="5 seeds, right and left",
)  # fmt: skip
def moved_by_a_pixel():
    lost = []
    for row in ("places and attention", "attention without places"):
        for right in (-1, 1):
            cut = checks.patches.solution(page().moved(page().pixels, right, 0)[:, None], 2)
            for (reader, _), before in zip(readers(row), named(row), strict=True):
                lost.append(before - page().share_read(reader, cut))
    return min(lost) > 0.3, f"they lose {min(lost):.2f} to {max(lost):.2f}"


@claim("by-nothing-the-sum-of", "By nothing.", over="5 seeds, other recipes for each")
def a_missing_good_needs_no_attention():
    found = []
    for seed in SEEDS:
        torch.manual_seed(seed)
        names = vars(page()).copy()
        exec(sources("beyond_text")["def-missing"], names)
        for with_attention in (False, True):
            model = names["Missing"](with_attention)
            optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
            for _ in range(300):
                goods, missing = names["draw_baskets"](64)
                loss = F.cross_entropy(model(goods), missing)
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            goods, missing = names["draw_baskets"](2000)
            found.append((model(goods).argmax(dim=-1) == missing).float().mean().item())
    return min(found) > 0.98, f"average alone {told(found[::2])}; attention {told(found[1::2])}"


FOUND = "the-head-did-not-learn"


@claim(FOUND, "a code that it has never met can be compared as well", over="5 seeds, other codes for each")
def one_head_finds_what_it_never_saw():
    shares = finders("one head")
    kept = (shares.mean(dim=0) - torch.tensor(stored(FOUND, "one head"))).abs().max() < 0.02
    return bool(kept and shares.min() > 0.98), f"known {told(shares[:, 0])}, never seen {told(shares[:, 1])}"


@claim(
    "of-what-it-gives", "nearly all of what the cartridge gives to printers goes to the one that fits",
    over="5 seeds of 1,000 orders",
)  # fmt: skip
def it_looks_at_the_one_that_fits():
    finders("one head")
    shares, less = [], []
    for model, codes in HEADS:
        things, items, _ = page().draw_orders(1000, codes)
        model(things, checks.basket_mask.solution(items))
        weights = model.attn_weights[:, 0, 0] * (things[..., -1] == 0)  # (batch, 6): weights on printers only
        asker = (things * things[..., -1:]).sum(dim=1, keepdim=True)
        fits = ((things[..., :8] - asker[..., :8]).abs().sum(dim=-1) < 1e-5) & (things[..., -1] == 0)
        to_it = (weights * fits).sum(dim=-1) / weights.sum(dim=-1)  # (batch,)
        shares.append(to_it.mean().item())
        less.append((to_it < 0.9).float().mean().item())
    holds = min(shares) > 0.9 and 0 < min(less) and max(less) < 0.2
    return holds, f"the one that fits gets {told(shares)} of it, in {told(less)} of the orders less than 0.9"


@claim(FOUND, "are right in about half of the orders", over="5 seeds, other codes for each")
def wide_ones_find_half():
    words, holds = [], True
    for name in FINDERS[1:]:
        shares = finders(name)
        kept = (shares.mean(dim=0) - torch.tensor(stored(FOUND, f"{name}, two wide layers"))).abs().max() < 0.03
        holds = holds and bool(kept and (shares - 0.48).abs().max() < 0.05)
        words.append(f"{name}: known {told(shares[:, 0])}, never seen {told(shares[:, 1])}")
    return holds, "; ".join(words)


@claim(
    FOUND, "who names the office that gets most printers is right in about half", over="5 seeds of 4,000 orders",
    quick=True,
)  # fmt: skip
def most_printers_is_half():
    found = []
    for seed in SEEDS:
        torch.manual_seed(seed)
        things, _, office = page().draw_orders(4000, page().known)
        found.append((things[..., 8:13].sum(dim=1).argmax(dim=-1) == office).float().mean().item())
    kept = abs(sum(found) / 5 - stored(FOUND, "naming the office with the most printers")[0]) < 0.02
    return kept and max(abs(share - 0.5) for share in found) < 0.05, told(found)
