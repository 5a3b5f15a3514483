"""The base class of all views: how a view is shown live, stored in a notebook, and exported to a page.

What a view keeps to. Its arguments have the course's names, `attn_weights`, `tokens`; labels go through
`inputs.labels`, weights through `inputs.as_weights`. The labels of tokens are sent as the trait `tokens`. Numbers that
may be nan travel as bytes (`t.Bytes`, and `decode` in the script), and nan is shown. `alt()` is optional; `<name>.css`
is loaded with `<name>.js`, and so for files that the view imports. `following` of view.js is for a view that draws
itself anew at each change.

Each picture that can be operated has one tab stop, arrow keys by `arrow` of keys.js, and its state in `aria-valuetext`;
sliders and menus of elements.js have all that. What the picture alone shows stands in a table that is only heard
(`heard`). At a width of 320 pixels nothing stands out of the page. In JupyterLab at 1280 by 720, question, controls and
picture are in sight together: room.js says what height is left (`heightLeft`), and when that changes (`watchRoom`).
Letters are in the page's typeface, in SVG, too, and stay legible: a picture has a least size.
"""

import base64
import json
import os
import traceback
from functools import cache

import anywidget
import numpy as np

from course_utils import inputs, language, theme
from course_utils.widgets.shared.modules import bundle, find, scopes
from course_utils.widgets.shared.svg import standalone

LIVE_TYPE = "COURSE_LIVE_HTML"  # a variable of the environment: the MIME type under which outputs hold live HTML too

# JavaScript for an exported page: a substitute for anywidget's model, with the stored state and no kernel behind it.
STAND_IN = """
const bytes = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
const model = { get: (name) => state[name], set: (name, value) => { state[name] = value; },
  on() {}, off() {}, save_changes() {}, send() {} };
"""


class View(anywidget.AnyWidget):
    """The base class of interactive views, which are drawn by JavaScript in the browser.

    A view also has a static picture and a text, for places where no script runs. A subclass sets `script`, the name of
    the file in its folder that exports `render`, and defines `picture` and `__repr__`.
    state: keyword arguments, the first values of its traits; lone surrogates in them are replaced.
    """

    script = ""

    def __init__(self, **state):
        super().__init__(**inputs.encodable(state))  # no message to the browser can hold a lone surrogate

    @property
    def _esm(self):
        return f'{_spoken(self.script)}export default {{ render: modules["{self.script}"].render }};\n'

    @property
    def _css(self):
        return _style(self.script)

    def picture(self):
        """Return a picture of the view as it is now: (SVG elements as one str, width, height), in pixels.

        A subclass defines it; here it raises NotImplementedError.
        """
        raise NotImplementedError

    def alt(self):
        """Return the alt text of the picture for screen readers, a str: the repr, unless a subclass overrides it."""
        return repr(self)

    def to_html(self):
        """Return the live view in its present state as self-contained HTML, a str, for an exported page.

        It works without a kernel or a network, and shows the static picture where scripts do not run.
        """
        return self._page(f"<style>{self._css}</style>\n", _spoken(self.script))

    def to_shared_html(self):
        """Return the live view as HTML, a str, without the CSS and JavaScript that all views of a page share.

        The page must contain `shared_style()` and, before any view, `shared_script()`.
        """
        return self._page("", "const modules = courseViews;\n")

    def _page(self, style, modules):
        """Return the view's HTML in an exported page: its picture, `style`, and a script that opens it.

        modules: JavaScript that defines `modules`, as from `bundle`. The values of the view's traits are in the script.
        """
        state = {name: getattr(self, name) for name in self.trait_names(sync=True) if not name.startswith("_")}
        state = {name: value for name, value in state.items() if name not in ("layout", "tabbable", "tooltip", "comm")}
        packed = {name: _base64(value) for name, value in state.items() if isinstance(value, bytes)}
        plain = {name: value for name, value in state.items() if name not in packed}
        return (
            f'<div class="av-page">{self._stand_in()}</div>{style}<script>(() => {{\n'
            "const host = document.currentScript.parentElement.querySelectorAll('.av-page:not(.av-live)')[0];\n"
            f"{modules}const open = () => {{\nconst state = {_json(plain)}, packed = {_json(packed)};\n{STAND_IN}"
            "for (const name in packed) state[name] = bytes(packed[name]);\nhost.replaceChildren();\n"
            f'{self._replay()}\nmodules["{self.script}"].render({{ model, el: host }});\n}};\n'
            f"host.classList.add('av-live');\n{self._open()}\n}})();</script>"
        )

    def _stand_in(self):
        """Return the HTML, a str, that an exported page shows where no script runs: by default, the static picture."""
        return self._figure("")

    def _stored(self):
        """Return the HTML, a str, that a notebook stores for the view: its static picture, and how to get the view."""
        return self._figure(language.say("A picture of the view. Run the cell to use it."))

    def _figure(self, caption):
        """Return the HTML of the static picture, a str, with its alt text; caption: the text below it, "" for none."""
        picture = self.picture()
        return theme.figure(standalone(*picture), self.alt(), caption, picture[1])

    def _open(self):
        """Return JavaScript, a str, that calls the page's function `open` when the view is to show; here, at once."""
        return "open();"

    def _replay(self):
        """Return JavaScript, a str, that takes the kernel's part in an exported page; "" if the view needs none."""
        return ""

    def _repr_mimebundle_(self, **kwargs):
        """Return what Jupyter displays and stores: (a dict from MIME type to content, a dict of metadata).

        The dict has the widget, the HTML of `_stored`, and the view's repr as text; where the environment variable
        COURSE_LIVE_HTML names a MIME type, also the HTML of `to_shared_html`. kwargs: as Jupyter passes them.
        """
        made = super()._repr_mimebundle_(**kwargs)
        data, metadata = made if isinstance(made, tuple) else (made, {})
        live = {os.environ[LIVE_TYPE]: self.to_shared_html()} if LIVE_TYPE in os.environ else {}
        return {**data, **live, "text/html": self._stored(), "text/plain": repr(self)}, metadata


def shared_script():
    """Return the JavaScript of all views, a script that defines `courseViews` for the HTML of `to_shared_html()`.

    In another language than English, a page defines `courseWords` before it, for words.js.
    """
    return f"var courseViews = (() => {{\n{bundle(*_scripts())}return modules;\n}})();\n"


def shared_style():
    """Return the CSS of all views, as one str without a <style> element."""
    return _style(*_scripts())


def _scripts(kind=View):
    found = {kind.script} if kind.script else set()
    return sorted(found.union(*(_scripts(one) for one in kind.__subclasses__())))


def _spoken(*scripts):
    """Return JavaScript, a str, as `bundle` does; scripts: file names, such as "heads.js".

    In another language than English, a constant `courseWords` with the translations of its texts stands in front.
    """
    words = language.of_scripts(path.name for path in scopes(*scripts))
    return (f"const courseWords = {_json(words)};\n" if words else "") + bundle(*scripts)


@cache
def _style(*scripts):
    """Return the CSS of some views: colours, style.css, and .css files named as the files of their bundle; cached."""
    own = [script.with_suffix(".css") for script in scopes(*scripts)]
    return theme.css() + "".join(file.read_text("utf-8") for file in (find("style.css"), *own) if file.is_file())


def in_range(proposal, count, most=""):
    """Return proposal.value, the new value of a trait; proposal: what traitlets passes to a validator.

    Errors: ValueError if it is not one of 0 to count - 1. most: a note on count - 1 for the message, such as " (most)".
    """
    if not 0 <= proposal.value < count:
        raise ValueError(f"{proposal.trait.name} must lie between 0 and {count - 1}{most}, got {proposal.value}.")
    return proposal.value


def check_pairs(name, pairs, num_layers, num_heads):
    """Check that each of some pairs is (layer, head), of a layer and a head that exist, counted from 0.

    name: what the error message calls them. Errors: ValueError with the first that is not.
    """
    for pair in pairs:
        if np.shape(pair) != (2,) or not (0 <= pair[0] < num_layers and 0 <= pair[1] < num_heads):
            raise ValueError(
                f"{name} must be pairs (layer, head), with layers from 0 to {num_layers - 1} and heads from 0 to "
                f"{num_heads - 1}, got {pair!r:.80}."
            )


def error_text(problem):
    """Return an exception as its type and message, a str such as "ValueError: too hot", cut after 1000 letters."""
    return inputs.encodable("".join(traceback.format_exception_only(problem)).strip()[:1000])


def _base64(data):
    return base64.b64encode(data).decode()


def _json(value):
    """Return a value (str, number, list, dict and so on) as JSON, a str that can stand in a <script> of a page."""
    return json.dumps(value).replace("<", "\\u003c")  # a token with "</script>" must not end the script
