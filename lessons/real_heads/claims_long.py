"""Claims of the notebook real_heads about texts longer than those of the model's training."""

from claiming import claims_of

from course_utils.lessons.real_heads.claims import TEXTS, mean, model

claim = claims_of("real_heads")


@claim("trained-on-128-tokens", "all but perfect up to 125 tokens", over="6 texts, 4 lengths")
def up_to_125():
    """Measure head 0.2's weight on the previous token, and count heads that rest on [CLS], in texts of six lengths."""
    short, long, resting = [], [], []
    for start in range(0, 36, 6):
        words = " ".join(TEXTS[start:] + TEXTS[:start]).split()
        for count in (30, 60, 90, 108, 155, 220):
            read = model()(" ".join(words[:count]))
            score = read.attn_weights[0, 2].diagonal(-1).mean().item()
            (short if len(read.tokens) <= 126 else long).append(score)
            resting.append((count, (read.attn_weights[:, :, 1:, 0].mean(dim=-1) > 0.5).sum().item()))
    many = [mean(number for size, number in resting if size == count) for count in (30, 60, 90, 108, 155, 220)]
    found = f"short: least {min(short):.3f}; long: most {max(long):.3f}; heads on [CLS] by length: {many}"
    return min(short) > 0.99 and max(long) < 0.97 and many[0] > 2 * many[1] > 4 * many[5], found


@claim("trained-on-128-tokens", "Hide those keys, and these rows are all but perfect again", over="5 texts", apart=0.3)
def later_places_mislead():
    """Yield head 0.2's score in rows 1 to 100 of a long text without the keys from place 128 on, and with them."""
    for start in range(0, 40, 8):
        text = " ".join(TEXTS[start:] + TEXTS[:start])
        whole = model()(text)
        hidden = model()(text, hidden=list(range(128, len(whole.tokens))))
        yield tuple(read.attn_weights[0, 2].diagonal(-1)[:100].mean() for read in (hidden, whole))


@claim(
    "trained-on-128-tokens", "a long text set wholly on positions from 130 on scores 0.98 and more", over="5 texts",
    apart=0.1,
)  # fmt: skip
def later_places_alone():
    """Yield head 0.2's score in a text of at least 150 tokens from place 130 on (0 if below 0.98), and from place 0."""
    for start, count in zip(range(0, 40, 8), (150, 170, 200, 230, 260), strict=True):
        text = " ".join(" ".join(TEXTS[start:] + TEXTS[:start]).split()[:count])
        later, early = (model()(text, first_place=place).attn_weights[0, 2].diagonal(-1).mean() for place in (130, 0))
        yield later * (later >= 0.98), early
