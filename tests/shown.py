"""Make all that a notebook stores and shows of a figure or of a view, and check that it can be written."""

import json
import warnings
from types import SimpleNamespace

from course_utils import figure_html
from course_utils.widgets.shared.view import View


def rendered(figure):
    """Render a figure as a notebook does, with warnings as errors; return a namespace of its texts and its caption."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure_html.svg(figure)
    figure.caption.encode()
    texts = [text.get_text() for text in figure.findobj(lambda part: hasattr(part, "get_text"))]
    return SimpleNamespace(texts=texts, caption=figure.caption)


def whole(view):
    """Make everything that a notebook stores and a page shows of a view, and check that it can be encoded as UTF-8.

    Returns the view's text and its page.
    """
    text, page = repr(view), view.to_html()
    bundle, _ = view._repr_mimebundle_()
    for part in (text, page, bundle["text/html"], view.alt(), json.dumps(sent(view), ensure_ascii=False)):
        part.encode()
    if type(view).picture is not View.picture:
        assert view.picture()[1] < 3000
    return text, page


def sent(view):
    """Return the traits that a view sends to the page, a dict, without bytes and private ones."""
    state = {name: getattr(view, name) for name in view.trait_names(sync=True) if name != "layout"}
    return {name: value for name, value in state.items() if not isinstance(value, bytes) and not name.startswith("_")}
