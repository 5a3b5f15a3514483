"""Set up a notebook with one call at its top, and show its figures and progress bars."""

import importlib.util
import sys

from IPython import get_ipython
from IPython.display import display

from course_utils import figure_html, fonts
from course_utils.files import folder
from course_utils.language import ENGLISH, say
from course_utils.language import use as speak

# These packages are imported where they are used, not here, so that `check` can run and report a missing one.
NEEDED = ("torch", "matplotlib", "seaborn", "ipywidgets", "anywidget", "safetensors", "babel")
PYTHONS = (3, 11), (3, 13)
# Folder in data/ -> the notebook that needs the weights in it, and what they take. Not read from `fetch`, which needs
# packages that may be missing.
DATA = folder("data")
WEIGHTS = {"minilm": "*Real heads* (90 MB)", "smollm": "*A language model* (93 MB, and 640 MB on the disk)"}

STYLE = {
    "figure.dpi": 80,  # so that 13 points are as large as the text of the page
    "figure.facecolor": "none",  # transparent, for a light page and a dark one
    "axes.facecolor": "none",
    "svg.hashsalt": "course",  # so that the same figure gives the same file
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that a figure has the same size everywhere
    "font.size": 13,
    "axes.titlesize": 14,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "lines.linewidth": 2.5,
    "legend.frameon": False,
}


def check(language: str = ENGLISH) -> None:
    """Print what is wrong with the installation (Python, packages, kernel) and what to do, or that nothing is.

    The weights of the real models and a font for Chinese, Japanese and Korean letters are not needed to start: a line
    is printed if they are missing. language: in which the course speaks from now on, such as "zh".
    """
    speak(language)
    problems = []
    if not PYTHONS[0] <= sys.version_info[:2] <= PYTHONS[1]:
        version = ".".join(map(str, sys.version_info[:2]))
        remedy = "Install Python 3.11, 3.12 or 3.13, delete the folder .venv, and run `make lab` again."
        problems.append(say("This is Python {version}. {remedy}", version=version, remedy=say(remedy)))
    template = (
        "{name} is missing. Choose Kernel, Change Kernel, Python 3. If that does not help, close JupyterLab and run "
        "`make lab` in the course's folder."
    )
    problems += [say(template, name=name) for name in NEEDED if importlib.util.find_spec(name) is None]
    if get_ipython() is None:
        problems.append(say("No Jupyter kernel runs this cell. Open it in JupyterLab with `make lab`."))
    print("\n".join(problems) or say("Everything is here. You can start."))
    _tell_of_weights()
    if importlib.util.find_spec("matplotlib") is not None and (missing := fonts.note()):
        print(missing)


def _tell_of_weights():
    """Print which notebooks need weights of a real model that are not in data/, and how to get them; else nothing."""
    missing = [
        folder
        for folder in WEIGHTS
        if not all((DATA / folder / name).is_file() for name in ("model.safetensors", "tokenizer.json"))
    ]
    if missing:
        template = (
            "The weights of a real model are not here yet. They are needed for {pages}, and "
            "for no other notebook. To fetch them, run `%run -m course_utils.fetch {names}` in a cell. If "
            "it says that the folder cannot be written to, as on a hub, ask your teacher."
        )
        pages = say(" and ").join(say(WEIGHTS[folder]) for folder in missing)
        print(say(template, pages=pages, names=" ".join(missing)))


def start(seed: int = 123, language: str = ENGLISH) -> None:
    """Set up a notebook, or a script: to be called once, at its top.

    seed: torch's global seed from now on. language: in which the course speaks from now on, such as "zh". Tensors print
    four decimals, matplotlib gets the course's style, and some imports of torch are deferred. torch computes on one
    thread, until torch.set_num_threads gets another number. In a notebook, each Figure is from now on shown with its
    caption, and a message is displayed if the notebook's previous kernel was killed.
    """
    import matplotlib
    import torch
    from matplotlib.figure import Figure

    from course_utils import deferred_imports

    speak(language)
    shell = get_ipython()
    deferred_imports.start(shell)
    torch.manual_seed(seed)
    # On two free cores, a second thread saves less than a third of a notebook's time (five tried). Where other programs
    # keep the cores busy, threads wait for each other at every step: beside two busy loops, five small models trained 3
    # to 160 times as long on two threads as on one.
    torch.set_num_threads(1)
    torch.set_printoptions(precision=4, sci_mode=False)
    matplotlib.rcParams.update(STYLE)
    if shell is not None:
        shell.display_formatter.ipython_display_formatter.for_type(Figure, show_figure)


def show_figure(figure) -> None:
    """Display a matplotlib Figure below the cell, as an SVG that adapts to a light or dark page.

    The figure's attribute `caption`, a str, is shown below it and is its alt text; without it, both are empty.
    """
    display({"text/html": figure_html.html(figure), "text/plain": figure_html.caption_of(figure)}, raw=True)


def progress(steps, label, news=None):
    """Yield the numbers 0 to steps - 1, and display a live progress bar of how many of these steps are done.

    steps: an int. label: the text in front of the bar. news: None, or a function without arguments that returns a text;
    the text stands behind the bar, and is updated as the bar moves. A stored notebook keeps one line, which is the same
    on every run: the label and the number of steps.
    """
    from ipywidgets import HTML, HBox, IntProgress  # imported here, since a test of start() does not need widgets

    bar = IntProgress(max=steps, layout={"width": "60%"})
    note = HTML()
    box = HBox([HTML(label), bar, note])
    view = box._repr_mimebundle_()
    view["text/plain"] = say("{label}: {steps} steps", label=label, steps=steps)
    display(view, raw=True)
    for step in range(steps):
        yield step
        if (step + 1) % max(1, steps // 100) == 0 or step + 1 == steps:  # about 100 messages, not one for each step
            bar.value = step + 1
            note.value = f"{step + 1} / {steps}" + (f" · {news()}" if news else "")
