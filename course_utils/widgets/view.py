"""What all views share: how they reach the page, what a notebook stores of them, a page without a kernel."""

import base64
import html
import io
import json
from functools import cache
from pathlib import Path

import anywidget
import matplotlib
from PIL import Image, ImageFont

from course_utils import look
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
    html_in_notebooks = False  # True: an output holds `to_html()` too, so that slides can show it alive

    @property
    def _esm(self):
        return f'{bundle(self.script)}export default {{ render: modules["{self.script}"].render }};\n'

    @property
    def _css(self):
        return _style()

    def picture(self):
        """The default state as a PIL image: matplotlib would double the time to the first sight."""
        raise NotImplementedError

    def alt(self):
        """What the picture shows, in a sentence."""
        return repr(self)

    def to_html(self):
        """The same view with its data inside, alive without kernel or network; its picture where scripts do not run.

        Returns a piece of HTML for an exported page or a slide.
        """
        state = {name: getattr(self, name) for name in self.trait_names(sync=True) if not name.startswith("_")}
        state = {name: value for name, value in state.items() if name not in ("layout", "tabbable", "tooltip", "comm")}
        packed = {name: _base64(value) for name, value in state.items() if isinstance(value, bytes)}
        plain = {name: value for name, value in state.items() if name not in packed}
        image = f'<img alt="{html.escape(self.alt())}" src="data:image/png;base64,{_base64(self._png())}">'
        return (
            f'<div class="av-page">{image}</div><style>{self._css}</style>\n<script>(() => {{\n'
            "const host = document.currentScript.parentElement.querySelectorAll('.av-page:not(.av-live)')[0];\n"
            f"{bundle(self.script)}const state = {_json(plain)}, packed = {_json(packed)};\n{STAND_IN}"
            "for (const name in packed) state[name] = bytes(packed[name]);\n"
            "host.classList.add('av-live');\nhost.replaceChildren();\n"
            f'{self._replay()}\nmodules["{self.script}"].render({{ model, el: host }});\n}})();</script>'
        )

    def _replay(self):
        """JavaScript that answers for the kernel in an exported page; most views need no answers."""
        return ""

    def _png(self):
        buffer = io.BytesIO()
        # Part of the time to the first sight: twice as fast as Pillow's defaults, and truer in colour.
        few = self.picture().quantize(128, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        few.save(buffer, "png", compress_level=4)
        return buffer.getvalue()

    def _repr_mimebundle_(self, **kwargs):
        made = super()._repr_mimebundle_(**kwargs)
        data, metadata = made if isinstance(made, tuple) else (made, {})
        data |= {"image/png": _base64(self._png()), "text/plain": repr(self)}
        if self.html_in_notebooks:
            data["text/html"] = self.to_html()
        return data, {**metadata, "image/png": {"alt": self.alt()}}


@cache
def _style():
    return look.css() + (FOLDER / "style.css").read_text("utf-8")


def _base64(data):
    return base64.b64encode(data).decode()


def _json(value):
    return json.dumps(value).replace("<", "\\u003c")  # a token may hold markup; it must not end the script


@cache
def letters(size):
    """The font of pictures, which comes with matplotlib and so is the same everywhere."""
    return ImageFont.truetype(str(Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSans.ttf"), size)
