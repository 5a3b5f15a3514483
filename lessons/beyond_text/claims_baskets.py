"""Claims of the notebook beyond_text on the missing good of a basket, which an average finds."""

import torch
import torch.nn.functional as F
from claiming import claims_of, sources

from course_utils.lessons.beyond_text.claims import SEEDS, in_words, page

claim = claims_of("beyond_text")


def found_missing(seed, with_attention, num_recipes=20, steps=300, added_back=False):
    """Train a model to name the missing good of a basket, with recipes of its own; return the share it finds.

    added_back: whether the input of the head is added to its output, a residual connection.
    """
    torch.manual_seed(seed)
    names = vars(page()).copy()
    source = sources("beyond_text")["def-missing"].replace("rand(20, 30)", f"rand({num_recipes}, 30)")
    source = source.replace("randint(20,", f"randint({num_recipes},")
    exec(source.replace("x = self.attend(x)[0] if", "x = x + self.attend(x)[0] if") if added_back else source, names)
    model = names["Missing"](with_attention)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for _ in range(steps):
        goods, missing = names["draw_baskets"](64)
        loss = F.cross_entropy(model(goods), missing)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    goods, missing = names["draw_baskets"](2000)
    return (model(goods).argmax(dim=-1) == missing).float().mean().item()


@claim("by-nothing-the-sum-of", "By nothing.", over="5 seeds, other recipes for each")
def a_missing_good_needs_no_attention():
    alone, found = ([found_missing(seed, with_attention) for seed in SEEDS] for with_attention in (False, True))
    return min(alone + found) > 0.98, f"average alone {in_words(alone)}; attention {in_words(found)}"


@claim("by-nothing-the-sum-of", "the average alone is right in about 0.98", over="5 seeds, other recipes for each")
def many_recipes():
    alone, found = ([found_missing(seed, how, 200, 1500) for seed in range(5001, 5006)] for how in (False, True))
    holds = min(alone) > 0.96 and 0.65 < min(found) and max(found) < 0.85
    return holds, f"average alone {in_words(alone)}; attention {in_words(found)}"


@claim(
    "by-nothing-the-sum-of",
    "the missing *residual connection* is a part of the cause",
    over="5 seeds, other recipes for each",
)
def a_residual_connection_is_a_part_of_it():
    plain = [found_missing(seed, True, 200, 1500) for seed in range(5001, 5006)]
    added = [found_missing(seed, True, 200, 1500, added_back=True) for seed in range(5001, 5006)]
    holds = min(added) > max(plain) + 0.03 and 0.88 < min(added) and max(added) < 0.97
    return holds, f"input added back {in_words(added)}; not added {in_words(plain)}"
