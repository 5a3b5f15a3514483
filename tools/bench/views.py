"""Measure how fast live views respond in JupyterLab, beside `interact` with a new seaborn figure (`make bench`).

Times are medians in milliseconds, from a real key or mouse event to changed pixels, seen on animation frames.
"""

import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

from nb.files import COURSE

sys.path.insert(0, str(COURSE / "tests" / "browser"))
import lab_server  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

WATCH = """() => {
  const sign = (seen) => {
    if (!seen) return "";
    if (seen.tagName === "svg") return seen.innerHTML;
    if (seen.src) return seen.complete && seen.naturalWidth ? seen.src : "";
    const { data } = seen.getContext("2d").getImageData(0, 0, seen.width, seen.height);
    return data.reduce((hash, byte) => (hash * 31 + byte) | 0, 7);
  };
  const find = () => [".av-heatmap > canvas", ".av-text > svg", ".jp-OutputArea img"]
    .map((selector) => document.querySelector(selector)).find(Boolean);
  const bench = (window.bench = { sign: () => sign(find()) });
  const look = (isNew, start) => {
    if (isNew()) bench.ms = performance.now() - start;
    else requestAnimationFrame(() => look(isNew, start));
  };
  const differs = (before, now) => now && now !== before;
  bench.arm = () => {  // one move: from the time stamp of the key to the frame that finds other pixels
    const before = bench.sign();
    bench.ms = null;
    // Asks for frames from the key on: a page that rests is what a reader has.
    const begin = ({ timeStamp }) => requestAnimationFrame(() => look(() => differs(before, bench.sign()), timeStamp));
    addEventListener("keydown", begin, { capture: true, once: true });
  };
  bench.count = () => {  // many moves: how often the pixels changed
    let before = bench.sign();
    Object.assign(bench, { frames: 0, counting: true });
    const count = () => {
      const now = bench.sign();
      if (differs(before, now)) (before = now), bench.frames++;
      if (bench.counting) requestAnimationFrame(count);
    };
    count();
  };
  bench.first = () => {  // from running the cell to the first pixels of its view
    const old = find(), start = performance.now();
    bench.ms = null;
    window.jupyterapp.commands.execute("notebook:run-cell");
    look(() => differs(old, find()) && bench.sign(), start);
  };
}"""
SETUP = """import statistics, time, torch, numpy as np, matplotlib.pyplot as plt, seaborn as sns
from ipywidgets import FloatSlider, IntSlider, interact
from course_utils.widgets import AttentionLab, HeadsView, SentenceView, StepScrubber
heads, n = {heads}, {tokens}
torch.manual_seed(0)
scores, tokens, times = 3 * torch.randn(heads, n, n), [f"t{{i}}" for i in range(n)], []
def timed(function):
    def run(*arguments, **named):
        start = time.perf_counter()
        result = function(*arguments, **named)
        times.append(1000 * (time.perf_counter() - start))
        return result
    return run
def attend(temperature):
    return torch.softmax(scores / temperature, -1)
AttentionLab._show = timed(AttentionLab._show)"""
SEABORN = """@timed
def show(temperature, head):
    weights, names = attend(temperature), tokens if n < 20 else "auto"
    figure, panels = plt.subplots(-(-heads // 4), 4, figsize=(12, 3 * -(-heads // 4)))
    for i, panel in enumerate(panels.flat):
        sns.heatmap(weights[i], vmin=0, vmax=1, cmap="mako_r", square=True, cbar=False, ax=panel,
                    xticklabels=names, yticklabels=names)
        panel.set_title(f"head {i}" + ", chosen" * (i == head))
    plt.show()
interact(show, temperature=FloatSlider(1.0, min=0.5, max=4.0, step=0.05), head=IntSlider(0, 0, heads - 1));"""
LAB = "view = AttentionLab(attend, tokens, temperature=(0.5, 4.0, 1.0))\nview"
STEPS = "StepScrubber(torch.stack([attend(1 + i / 10) for i in range(40)]), tokens)"
WORDS = "SentenceView(attend(1.0), tokens)"
RANDOM = "weights = torch.randn({shape}).softmax(-1)\nHeadsView(weights, [f't{{i}}' for i in range(weights.shape[-1])])"
LARGE = {
    "12 heads, 64 tokens": "HeadsView(attend(1.0), tokens)",
    "12 layers, 12 heads, 64 tokens": RANDOM.format(shape="12, 12, 64, 64"),
    "30 layers, 9 heads, 40 tokens": RANDOM.format(shape="30, 9, 40, 40"),
    "12 heads, 256 tokens": RANDOM.format(shape="12, 256, 256"),
}
SENTENCE = """from course_utils.models import minilm
model = minilm.load()
def heads_of(sentence):
    read = model(sentence)
    return read.attn_weights.flatten(0, 1), read.tokens
AttentionLab(heads_of, [], sentence="The robot could not climb the hill because it was too weak")"""
PICK, RANGE = ".av-heads [aria-checked=true]", ".av input[type=range]"
WORD, HANDLE = ".av-word[aria-checked=true]", ".noUi-handle"
MOVES, SECONDS = 30, 1.0
ROWS = (  # name, cell, (heads, tokens), what is moved by the first pair of keys and dragged, what by the second
    *(
        row
        for size in ((8, 16), (12, 64))
        for row in (
            ("interact + a new seaborn figure", SEABORN, size, HANDLE, f"{HANDLE} >> nth=1"),
            ("AttentionLab, through the kernel", LAB, size, RANGE, PICK),
            ("StepScrubber, 40 stored steps", STEPS, size, RANGE, PICK),
        )
    ),
    *((f"HeadsView, {name}", source, (12, 64), None, PICK) for name, source in LARGE.items()),
    *(("SentenceView, a word", WORDS, (12, tokens), None, WORD) for tokens in (16, 64)),
    ("a letter typed, the real model", SENTENCE, (72, 14), None, ".av textarea"),
)
KEYS = {WORD: ("ArrowLeft", "ArrowRight"), ".av textarea": ("s", "Backspace")}  # others go right first, then left


class Bench:
    """A page of JupyterLab with one view in it. received: how many bytes it has received over its websockets."""

    def __init__(self, lab, page, size: tuple[int, int], source: str):
        self.page, self.received = page, 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._receive))
        lab.open(page, [SETUP.format(heads=size[0], tokens=size[1]), source])
        page.evaluate(WATCH)
        page.wait_for_function("window.bench.sign()")

    def _receive(self, payload):
        self.received += len(payload)

    def ask(self, expression: str) -> str:
        """Evaluate a Python expression in the kernel, which answers earlier requests first; return the value's repr."""
        return self.page.evaluate(
            """async (x) => (await window.jupyterapp.shell.currentWidget.sessionContext.session.kernel
                .requestExecute({ code: "", user_expressions: { x } }).done)
                .content.user_expressions.x.data["text/plain"]""",
            expression,
        )

    def key(self, selector: str, rounds: int) -> float:
        """Return the median milliseconds from a key press on a control to changed pixels; two presses warm up."""
        self.page.locator(selector).first.focus()
        keys, times = KEYS.get(selector, ("ArrowRight", "ArrowLeft")), []  # each undoes the other
        for turn in range(rounds + 2):
            self.page.evaluate("bench.arm()")
            self.page.keyboard.press(keys[turn % 2])
            times.append(self._ms())
        return statistics.median(times[2:])

    def _ms(self) -> float:
        # By default Playwright polls on every frame, and a page that draws all the time shows a change later.
        return self.page.wait_for_function("bench.ms", timeout=300_000, polling=50).json_value()

    def drag(self, selector: str) -> int:
        """Drag a slider, by its handle's CSS selector, from end to end; return how many frames changed the view."""
        handle = self.page.locator(selector).first
        handle.scroll_into_view_if_needed()
        box = handle.bounding_box()
        track = handle.locator("xpath=ancestor-or-self::*[contains(@class, 'noUi-target') or self::input]").first
        left, width = (lambda box: (box["x"], box["width"]))(track.bounding_box())
        y = box["y"] + box["height"] / 2
        self.page.mouse.move(box["x"] + box["width"] / 2 if "noUi" in selector else left + 8, y)
        self.page.mouse.down()
        self.page.mouse.move(left + 8, y)
        self._still()
        self.page.evaluate("bench.count()")
        begin = time.perf_counter()
        for move in range(1, MOVES + 1):
            time.sleep(max(0, begin + (move - 1) * SECONDS / MOVES - time.perf_counter()))
            self.page.mouse.move(left + 8 + (width - 16) * move / MOVES, y)
        frames = self.page.evaluate("bench.frames")
        self.page.mouse.up()
        self._still()
        self.page.evaluate("bench.counting = false")
        return frames

    def _still(self):
        """Wait until the kernel has answered every request and the page has drawn four more frames."""
        for _ in range(2):
            self.ask("0")
            self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def first(self, rounds=5) -> tuple[float, int]:
        """Run the cell some times; return (median milliseconds to first pixels, most bytes received in a run)."""
        times, sizes = [], []
        for _ in range(rounds):
            before = self.received
            self.page.evaluate("bench.first()")
            times.append(self._ms())
            sizes.append(self.received - before)
        return statistics.median(times), max(sizes)


def main():
    if not (chromium := shutil.which("chromium")):
        sys.exit(lab_server.NO_CHROMIUM)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright, lab_server.serve(Path(home)) as lab:
        browser = playwright.chromium.launch(executable_path=chromium, args=lab_server.CHROMIUM_OPTIONS)
        print("milliseconds, medians; first: from running the cell to the first pixels; bytes: that it sends;")
        print(f"frames: shown of {MOVES} moves dragged in {SECONDS} s\n")
        print(
            f"{'':41}{'heads':>7}{'tokens':>7}{'first':>9}{'kernel':>9}{'slider':>9}{'key':>9}{'frames':>7}     bytes"
        )
        for name, source, size, slider, control in ROWS:
            page = browser.new_page(viewport={"width": 1400, "height": 1400})
            bench, rounds = Bench(lab, page, size, source), 5 if source == SEABORN else 15
            first, sent = bench.first()  # before a drag, after which interact sometimes drops its picture
            moved, pressed = bench.key(slider, rounds) if slider else None, bench.key(control, rounds)
            numbers = first, float(bench.ask("statistics.median(times or [0])")), moved, pressed
            times = "".join(f"{'' if ms is None else f'{ms:.1f}':>9}" for ms in numbers)
            frames = bench.drag(slider) if slider else ""
            print(f"{name:41}{size[0]:7}{size[1]:7}{times}{frames:>7}{sent:10,}", flush=True)
            lab_server.shut_down(page)
            page.close()
        browser.close()
