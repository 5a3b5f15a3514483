"""The base class of all views: how a view is shown live, stored in a notebook, and exported to a page."""

import base64
import json
from functools import cache

import anywidget

from course_utils import inputs, theme
from course_utils.widgets.modules import FOLDER, bundle
from course_utils.widgets.svg import standalone

# JavaScript for an exported page: a substitute for anywidget's model, with the stored state and no kernel behind it.
STAND_IN = """
const bytes = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
const model = { get: (name) => state[name], set: (name, value) => { state[name] = value; },
  on() {}, off() {}, save_changes() {}, send() {} };
"""


class View(anywidget.AnyWidget):
    """The base class of interactive views, which are drawn by JavaScript in the browser.

    A view also has a static picture and a text, for places where no script runs. A subclass sets `script`, the name of
    a file in this folder that exports `render`, and defines `picture` and `__repr__`.
    state: the values of its traits.
    """

    script = ""
    html_in_notebooks = False  # True: outputs contain `to_shared_html()`, so that pages made of them have a live view

    def __init__(self, **state):
        super().__init__(**inputs.encodable(state))  # no message to the browser can hold a lone surrogate

    @property
    def _esm(self):
        return f'{bundle(self.script)}export default {{ render: modules["{self.script}"].render }};\n'

    @property
    def _css(self):
        return _style(self.script)

    def picture(self):
        """Return the present state of the view as (SVG elements, width, height), in pixels."""
        raise NotImplementedError

    def alt(self):
        """Return the alt text of the picture, a sentence."""
        return repr(self)

    def to_html(self):
        """Return the view as self-contained HTML for an exported page.

        It works without a kernel or a network, and shows the static picture where scripts do not run.
        """
        return self._page(f"<style>{self._css}</style>\n", bundle(self.script))

    def to_shared_html(self):
        """Return the view as HTML for a page that contains `shared_style()` and, before any view, `shared_script()`."""
        return self._page("", "const modules = courseViews;\n")

    def _page(self, style, modules):
        """Return the view's HTML in an exported page: its picture, and a script that replaces it by the live view."""
        state = {name: getattr(self, name) for name in self.trait_names(sync=True) if not name.startswith("_")}
        state = {name: value for name, value in state.items() if name not in ("layout", "tabbable", "tooltip", "comm")}
        packed = {name: _base64(value) for name, value in state.items() if isinstance(value, bytes)}
        plain = {name: value for name, value in state.items() if name not in packed}
        return (
            f'<div class="av-page">{self._stand_in()}</div>{style}<script>(() => {{\n'
            "const host = document.currentScript.parentElement.querySelectorAll('.av-page:not(.av-live)')[0];\n"
            f"{modules}const state = {_json(plain)}, packed = {_json(packed)};\n{STAND_IN}"
            "for (const name in packed) state[name] = bytes(packed[name]);\n"
            "host.classList.add('av-live');\nhost.replaceChildren();\n"
            f'{self._replay()}\nmodules["{self.script}"].render({{ model, el: host }});\n}})();</script>'
        )

    def _stand_in(self):
        """Return the HTML that an exported page shows where scripts do not run."""
        return self._figure("")

    def _stored(self):
        """Return the HTML that a notebook stores for the view, shown where no kernel or script runs."""
        return self._figure("A picture of the view. Run the cell to use it.")

    def _figure(self, caption):
        """Return the HTML of the static picture, with its alt text; caption: the text below it, or "" for none."""
        picture = self.picture()
        return theme.figure(standalone(*picture), self.alt(), caption, picture[1])

    def _replay(self):
        """Return JavaScript that answers the view's messages in an exported page, if it sends any."""
        return ""

    def _repr_mimebundle_(self, **kwargs):
        made = super()._repr_mimebundle_(**kwargs)
        data, metadata = made if isinstance(made, tuple) else (made, {})
        page = self.to_shared_html() if self.html_in_notebooks else self._stored()
        return {**data, "text/html": page, "text/plain": repr(self)}, metadata


def shared_script():
    """Return the JavaScript of all views as one classic script, which defines `courseViews` for `to_shared_html()`."""
    return f"var courseViews = (() => {{\n{bundle(*_scripts())}return modules;\n}})();\n"


def shared_style():
    """Return the CSS of all views, as one text without a <style> element."""
    return _style(*_scripts())


def _scripts(kind=View):
    """Return the names of the scripts of a View class and of all its subclasses, as a sorted list."""
    found = {kind.script} if kind.script else set()
    return sorted(found.union(*(_scripts(one) for one in kind.__subclasses__())))


@cache
def _style(*scripts):
    """Return the CSS of some views: the colours, style.css, and the files named as their scripts that there are."""
    own = [(FOLDER / script).with_suffix(".css") for script in scripts]
    return theme.css() + "".join(file.read_text("utf-8") for file in (FOLDER / "style.css", *own) if file.is_file())


def _base64(data):
    """Return bytes as a base64 text."""
    return base64.b64encode(data).decode()


def _json(value):
    """Return a value as JSON that can stand in a script of an HTML page."""
    return json.dumps(value).replace("<", "\\u003c")  # a token with "</script>" must not end the script
