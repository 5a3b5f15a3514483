"""What a notebook calls once at its top, and how its figures and progress bars are shown."""

import importlib.util
import io
import re
import sys

from IPython import get_ipython
from IPython.display import display

from course_utils import ended, look

# What may be missing is imported where it is used: `check` must be able to say so.
NEEDED = ("torch", "matplotlib", "seaborn", "ipywidgets", "anywidget", "safetensors")
PYTHONS = (3, 11), (3, 13)

STYLE = {
    "figure.dpi": 80,  # so that 13 points are as large as the text of the page
    "figure.facecolor": "none",  # the page is the paper, light or dark
    "axes.facecolor": "none",
    "svg.hashsalt": "course",  # the same figure gives the same file
    "font.family": "DejaVu Sans",  # comes with matplotlib, so a figure has the same size everywhere
    "font.size": 13,
    "axes.titlesize": 14,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "lines.linewidth": 2.5,
    "legend.frameon": False,
}

# What happened, and what to do.
ENDED = (
    "<strong>The last kernel of this notebook was ended from outside, probably because the memory was used "
    "up.</strong> What you wrote is still in the page. What was computed is gone: run the cells again from the top.",
    "Before you do, make room: <em>Running Terminals and Kernels</em>, in the bar on the left, lists the notebooks "
    "whose kernels still run. Shut down those that you do not need now.",
)


def check():
    """Say whether everything is here that the course needs, and what to do about what is not.

    A font for Chinese, Japanese and Korean letters is not needed; where there is none, that is said, too.
    """
    version = ".".join(map(str, sys.version_info[:2]))
    problems = [
        f"{name} is missing. Choose Kernel, Change Kernel, Python 3. If that does not help, close JupyterLab and run "
        "`make lab` in the course's folder."
        for name in NEEDED
        if importlib.util.find_spec(name) is None
    ]
    if not PYTHONS[0] <= sys.version_info[:2] <= PYTHONS[1]:
        problems.insert(
            0,
            f"This is Python {version}. Install Python 3.11, 3.12 or 3.13, delete the folder .venv, and run `make lab` "
            "again.",
        )
    if get_ipython() is None:
        problems.append("No Jupyter kernel runs this cell. Open it in JupyterLab with `make lab`.")
    print("\n".join(problems) or "Everything is here. You can start.")
    if importlib.util.find_spec("matplotlib") is not None:
        _tell_of_fonts()


def _tell_of_fonts():
    from course_utils import fonts

    if missing := fonts.missing_scripts():
        print(
            f"No font here has letters of {', '.join(missing)}: figures show each as a code, such as U+4E2D. The "
            "course itself needs none of them. To see them in sentences of your own, install a font, on Debian and "
            "Ubuntu with `apt install fonts-noto-cjk`, and restart the kernel."
        )


def start(seed=123):
    """Make a notebook repeatable and legible: seed, four printed decimals, one figure style, captions.

    If the notebook's last kernel ended without leave, it says so.
    """
    import matplotlib
    import torch
    from matplotlib.figure import Figure

    from course_utils import spare

    shell = get_ipython()
    spare.start(shell)
    torch.manual_seed(seed)
    torch.set_printoptions(precision=4, sci_mode=False)
    matplotlib.rcParams.update(STYLE)
    if shell is not None:
        shell.display_formatter.ipython_display_formatter.for_type(Figure, show_figure)
        if ended.without_leave(shell):
            _tell_of_the_last_kernel()


def _tell_of_the_last_kernel():
    edge = look.COLOURS["chosen"].light  # plain: in a notebook that is not trusted, light-dark() does not get through
    shown = "".join(
        f"<p style='margin:{margin}'>{words}</p>" for margin, words in zip(("0", ".7em 0 0"), ENDED, strict=True)
    )
    data = {
        "text/html": f'<div role="group" aria-label="The last kernel" style="{look.panel(edge)}">{shown}</div>',
        "text/plain": re.sub("<.*?>", "", "\n".join(ENDED)),
    }
    display(data, raw=True)


def show_figure(figure):
    """Show a figure with its caption below, which is its alt text too: sharp at any zoom, light or dark as the page."""
    caption = getattr(figure, "caption", None) or ""
    shown = look.figure(_svg(figure), caption, caption, round(figure.get_figwidth() * figure.dpi))
    display({"text/html": shown, "text/plain": caption}, raw=True)


def _svg(figure):
    """The figure as SVG, without what matplotlib says about itself, and with no more digits than can be seen."""
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})
    text = re.sub(r"<metadata>.*?</metadata>\n?|<!--.*?-->\n?", "", drawn.getvalue(), flags=re.DOTALL)
    return re.sub(r"-?\d+\.\d{3,}", lambda number: f"{float(number[0]):.5g}", text[text.index("<svg") :])


def progress(steps, label, news=None):
    """Count through range(steps) with a live progress bar.

    news: a function without arguments; the text it returns stands beside the bar, and is renewed as the bar moves.
    What stays in a stored notebook is one line, the same on every run: the label and the number of steps.
    """
    from ipywidgets import HTML, HBox, IntProgress  # here, since a test of start() has no need of widgets

    bar = IntProgress(max=steps, layout={"width": "60%"})
    note = HTML()
    box = HBox([HTML(label), bar, note])
    view = box._repr_mimebundle_()
    view["text/plain"] = f"{label}: {steps} steps"
    display(view, raw=True)
    for step in range(steps):
        yield step
        if (step + 1) % max(1, steps // 100) == 0 or step + 1 == steps:  # a hundred messages, not one for each step
            bar.value = step + 1
            note.value = f"{step + 1} / {steps}" + (f" · {news()}" if news else "")
