"""What all views share: how they reach the page, what a notebook stores of them, a page without a kernel."""

import base64
import io
import json
from functools import cache

import anywidget
from PIL import Image

from course_utils import inputs, look
from course_utils.widgets.modules import FOLDER, bundle

# The live view's model, without a kernel behind it: values as they were stored, and callbacks.
STAND_IN = """
const bytes = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
const model = { get: (name) => state[name], set: (name, value) => { state[name] = value; },
  on() {}, off() {}, save_changes() {}, send() {} };
"""


class View(anywidget.AnyWidget):
    """A live view: drawn and driven in the browser, with a picture and a text for where nothing runs.

    A subclass names its script, a file that exports `render`, and writes `picture` and `__repr__`.
    """

    script = ""
    picture_scale = 1  # pixels of the picture for each one of the page
    html_in_notebooks = False  # True: an output holds `to_shared_html()`, so that other pages can show it alive

    def __init__(self, **state):
        super().__init__(**inputs.encodable(state))  # else no message to the page could hold it

    @property
    def _esm(self):
        return f'{bundle(self.script)}export default {{ render: modules["{self.script}"].render }};\n'

    @property
    def _css(self):
        return _style(self.script)

    def picture(self):
        """The default state as a PIL image: matplotlib would double the time to the first sight."""
        raise NotImplementedError

    def alt(self):
        """What the picture shows, in a sentence."""
        return repr(self)

    def to_html(self):
        """The same view with its data inside, alive without kernel or network; its picture where scripts do not run.

        Returns a piece of HTML for an exported page.
        """
        return self._page(f"<style>{self._css}</style>\n", bundle(self.script))

    def to_shared_html(self):
        """The same for a page that holds `shared_style()` and, before any view, `shared_script()`."""
        return self._page("", "const modules = courseViews;\n")

    def _page(self, style, modules):
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
        """What an exported page shows where scripts do not run."""
        return self._figure("")

    def _stored(self):
        """What a notebook stores, for where nothing runs."""
        return self._figure("A picture of the view. Run the cell to use it.")

    def _figure(self, caption):
        picture = self.picture()
        width, height = picture.size
        image = f'<image width="{width}" height="{height}" href="data:image/png;base64,{_base64(_png(picture))}"/>'
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{image}</svg>'
        return look.figure(svg, self.alt(), caption, width // self.picture_scale, look.DARK_PICTURE)

    def _replay(self):
        """JavaScript that answers for the kernel in an exported page; most views need no answers."""
        return ""

    def _repr_mimebundle_(self, **kwargs):
        made = super()._repr_mimebundle_(**kwargs)
        data, metadata = made if isinstance(made, tuple) else (made, {})
        page = self.to_shared_html() if self.html_in_notebooks else self._stored()
        return {**data, "text/html": page, "text/plain": repr(self)}, metadata


def shared_script():
    """What all views of a page share, as a classic script: it makes `courseViews`, which `to_shared_html()` reads."""
    return f"var courseViews = (() => {{\n{bundle(*_scripts())}return modules;\n}})();\n"


def shared_style():
    """The style of all views."""
    own = [(FOLDER / name).with_suffix(".css") for name in _scripts()]
    return look.css() + "".join(file.read_text("utf-8") for file in (FOLDER / "style.css", *own) if file.is_file())


def _scripts(kind=View):
    """The scripts of all kinds of view."""
    found = {kind.script} if kind.script else set()
    return sorted(found.union(*(_scripts(one) for one in kind.__subclasses__())))


def _png(picture):
    """The picture in few colours: twice as fast as Pillow's defaults, and truer. White is left to the page."""
    few = picture.quantize(128, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    white = [i for i, colour in enumerate(zip(*[iter(few.getpalette())] * 3, strict=True)) if colour == (255, 255, 255)]
    buffer = io.BytesIO()
    few.save(buffer, "png", compress_level=4, **({"transparency": white[0]} if white else {}))
    return buffer.getvalue()


@cache
def _style(script):
    """The colours, the style of all views, and that of this one, which stands beside its script where it has one."""
    own = (FOLDER / script).with_suffix(".css")
    files = [FOLDER / "style.css", *([own] if own.is_file() else [])]
    return look.css() + "".join(file.read_text("utf-8") for file in files)


def _base64(data):
    return base64.b64encode(data).decode()


def _json(value):
    return json.dumps(value).replace("<", "\\u003c")  # a token may hold markup; it must not end the script
