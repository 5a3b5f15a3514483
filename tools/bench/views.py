"""Measure how fast live views respond in JupyterLab, beside `interact` with a new seaborn figure (`make bench`).

Times are medians in milliseconds, from a real key or mouse event to changed pixels, seen on animation frames.
"""

import base64
import gzip
import shutil
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from bench.cells import HANDLES, HEADS, LAB, LARGE, PICK, RANGE, SEABORN, SENTENCE, SETUP, STEPS, WATCH, WORD, WORDS

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "browser"))
import lab_server  # noqa: E402
from pixels import colours, pixels  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from course_utils import widgets  # noqa: E402
from course_utils.stopping import stoppable
from course_utils.widgets.shared.modules import bundle  # noqa: E402

SIZES = ((8, 16), (12, 64))  # heads, tokens
MOVES, SECONDS = 30, 1.0


class Bench:
    """A page of JupyterLab with one view in it, and methods that measure how fast that view responds.

    received: how many bytes the page has received over its websockets.
    """

    def __init__(self, lab, page, heads, tokens):
        self.lab, self.page, self.setup, self.received = lab, page, SETUP.format(heads=heads, tokens=tokens), 0
        page.on("websocket", lambda socket: socket.on("framereceived", self._receive))

    def _receive(self, payload):
        self.received += len(payload)

    def open(self, source: str):
        self.lab.open(self.page, [self.setup, source])
        self.page.evaluate(WATCH)
        self.page.wait_for_function("window.bench.sign()")

    def ask(self, expression: str) -> str:
        """Evaluate a Python expression in the kernel, which answers earlier requests first; return the value's repr."""
        return self.page.evaluate(
            """async (x) => (await window.jupyterapp.shell.currentWidget.sessionContext.session.kernel
                .requestExecute({ code: "", user_expressions: { x } }).done)
                .content.user_expressions.x.data["text/plain"]""",
            expression,
        )

    def key(self, selector: str, number=0, rounds=15, keys=("ArrowRight", "ArrowLeft")) -> float:
        """Return the median milliseconds from a key press on a control to changed pixels.

        keys: pressed in turn, so that each undoes the other; the first two presses warm up.
        """
        self.page.locator(selector).nth(number).focus()
        times = []
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

    def kernel(self) -> float:
        """Return the median milliseconds in which the kernel computed an update of the view."""
        return float(self.ask("statistics.median(times)"))


def last_is_right(bench: Bench) -> bool:
    """Return whether an AttentionLab shows, after a drag, the temperature and the weights that the kernel now has."""
    words = bench.page.locator(".av-lab output").first.inner_text()
    head = bench.page.locator(PICK).evaluate("chosen => [...chosen.parentElement.children].indexOf(chosen)")
    sent = f"__import__('base64').b64encode(view._array[0, {head}].tobytes()).decode()"
    weights = np.frombuffer(base64.b64decode(bench.ask(sent).strip("'")), "f4")
    canvas = pixels(bench.page.locator(".av-heatmap > canvas").first)
    expected = colours(weights.reshape(canvas.shape[:2]), float(bench.ask("view.answer['high']")))
    return float(bench.ask("view.settings['temperature']")) == float(words) and np.array_equal(canvas, expected)


@contextmanager
def opened(lab, browser, size: tuple[int, int], source: str):
    """Open a notebook in a new page that shows a view, and yield its Bench. size: heads, tokens. source: its cell."""
    page = browser.new_page(viewport={"width": 1400, "height": 1400})
    bench = Bench(lab, page, *size)
    bench.open(source)
    yield bench
    lab_server.shut_down(page)
    page.close()


def measure(lab, browser, size: tuple[int, int]):
    """Yield (name, kernel, slider, pick, frames of a drag, first pixels) for one size, in milliseconds or None."""
    with opened(lab, browser, size, SEABORN) as bench:
        first = bench.first(3)[0]  # first: after a drag, interact sometimes drops its picture when run again
        slider, pick = bench.key(HANDLES, rounds=5), bench.key(HANDLES, 1, rounds=5)
        yield "interact + a new seaborn figure", bench.kernel(), slider, pick, f"{bench.drag(HANDLES)}", first
    with opened(lab, browser, size, LAB) as bench:
        slider, pick = bench.key(RANGE), bench.key(PICK)
        kernel, frames = bench.kernel(), bench.drag(RANGE)
        right = "last right" if last_is_right(bench) else "LAST WRONG"
        yield "AttentionLab, through the kernel", kernel, slider, pick, f"{frames}, {right}", bench.first()[0]
    with opened(lab, browser, size, STEPS) as bench:
        slider, pick, frames = bench.key(RANGE), bench.key(PICK), bench.drag(RANGE)
        yield "StepScrubber, 40 stored steps", 0, slider, pick, f"{frames}", bench.first()[0]
    with opened(lab, browser, size, HEADS) as bench:
        pick, first = bench.key(PICK), bench.first()[0]
        yield "HeadsView", 0, None, pick, "", first
        bench.page.evaluate("""() => void window.jupyterapp.shell.currentWidget.sessionContext.session.kernel
            .requestExecute({ code: "time.sleep(4)" })""")
        begin = time.perf_counter()
        pick = bench.key(PICK)
        assert time.perf_counter() - begin < 4, "the kernel was no longer busy"
        yield "HeadsView, the kernel busy for 4 s", 0, None, pick, "", None


def largest_view() -> tuple[str, int]:
    scripts = {name: bundle(getattr(widgets, name).script) for name in widgets.__all__}
    return max(((name, len(gzip.compress(script.encode()))) for name, script in scripts.items()), key=lambda x: x[1])


def main():
    if not (chromium := shutil.which("chromium")):
        sys.exit(lab_server.NO_CHROMIUM)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright, lab_server.serve(Path(home)) as lab:
        browser = playwright.chromium.launch(executable_path=chromium, args=lab_server.CHROMIUM_OPTIONS)
        name, size = largest_view()
        print(f"the most JavaScript has {name}: {size:,} bytes gzipped\n")
        print("milliseconds, medians; first: from running the cell to the first pixels;")
        print("frames: shown of", MOVES, "moves dragged in", SECONDS, "s")
        for size in SIZES:
            print(f"\n{size[0]} heads, {size[1]} tokens")
            print(f"{'':36}{'kernel':>9}{'slider':>9}{'pick':>9}{'first':>9}   frames")
            for name, kernel, slider, pick, frames, first in measure(lab, browser, size):
                numbers = "".join(f"{'' if ms is None else f'{ms:.1f}':>9}" for ms in (kernel, slider, pick, first))
                print(f"{name:36}{numbers}   {frames}", flush=True)
        print()
        for tokens in (16, 64):
            with opened(lab, browser, (12, tokens), WORDS) as bench:
                word, first = bench.key(WORD, keys=("ArrowLeft", "ArrowRight")), bench.first()[0]
            print(f"SentenceView, 12 heads, {tokens} tokens: a word {word:.1f}, first pixels {first:.0f}", flush=True)
        print()
        for name, source in LARGE.items():
            with opened(lab, browser, (12, 64), source) as bench:
                (first, size), pick = bench.first(), bench.key(PICK)
            print(f"{name}: first pixels {first:.0f}, {size:,} bytes, pick a head {pick:.1f}", flush=True)
        with opened(lab, browser, (12, 64), SENTENCE) as bench:
            bench.page.locator(".av textarea").press("End")
            typed = bench.key(".av textarea", keys=("s", "Backspace"))
        print(f"a letter typed, the real model, 72 heads: {typed:.0f}")
        browser.close()


if __name__ == "__main__":
    with stoppable("Stopped."):
        main()
