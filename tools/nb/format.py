"""Read and validate notebooks, strip what is not content, and turn them into the bytes that are stored."""

import codecs
import json
import sys
import warnings

# With this module, jsonschema builds a grammar of web addresses, which takes a second and which no notebook needs.
sys.modules.setdefault("rfc3987_syntax", None)

import nbformat  # noqa: E402
from jsonschema import ValidationError  # noqa: E402
from nbformat.warnings import DuplicateCellId, MissingIDFieldWarning  # noqa: E402

from nb.files import NotebookError  # noqa: E402

KERNELSPEC = {"display_name": "Python 3", "language": "python", "name": "python3"}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
KEPT = ("tags", "slideshow", "reason", "answers", "outcome", "translate", "after")  # keys of a cell's metadata
LIVE_HTML = "text/x-course-live-html"  # the live HTML of a view, in outputs where the environment asks for it


def read_notebook(path, strict=False) -> nbformat.NotebookNode:
    """Read the notebook at a Path. Errors: NotebookError if it is unreadable or not valid format 4.

    strict: refuse also what `clean` would put right, missing or repeated cell ids and a format before 4.5.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NotebookError(f"cannot be read ({error.strerror}): check that it exists and is yours to read.") from None
    return parse_notebook(data, strict)


def parse_notebook(data: bytes, strict=False) -> nbformat.NotebookNode:
    """Return the notebook in the content of a file. Errors, strict: as in `read_notebook`."""
    text, stored = _json(data)
    if not isinstance(stored, dict) or stored.get("nbformat") != 4:
        raise NotebookError("is not a notebook of format 4: open it in JupyterLab and save it, or restore the file.")
    if strict and stored.get("nbformat_minor", 0) < 5:
        raise NotebookError(f"has format 4.{stored.get('nbformat_minor')}, 4.5 is needed for cell ids: run `clean`.")
    return _validated(text, strict)


def parse_sources(data: bytes) -> nbformat.NotebookNode:
    """Return the cells of a notebook that any editor has stored, as a notebook with their types and sources only.

    All else may be missing, or be other than the format allows; a cell whose source is no text is left out. Errors:
    NotebookError if the file is not JSON, or has no list of cells.
    """
    stored = _json(data)[1]
    stored = stored if isinstance(stored, dict) else {}
    sheets = stored.get("worksheets")  # of format 3, in which the source of code is its "input"
    parts = [stored, *(sheets if isinstance(sheets, list) else [])]
    lists = [part["cells"] for part in parts if isinstance(part, dict) and isinstance(part.get("cells"), list)]
    if not lists:
        raise NotebookError("is not a notebook (it has no list of cells): restore the file, or save it in JupyterLab.")
    notebook = nbformat.v4.new_notebook()
    for cell in (cell for cells in lists for cell in cells if isinstance(cell, dict)):
        source, kind = cell.get("source", cell.get("input")), cell.get("cell_type")
        lines = source if isinstance(source, list) else [source]
        if all(isinstance(line, str) for line in lines):
            kind = kind if kind in ("code", "markdown") else "raw"
            notebook.cells.append(nbformat.from_dict({"cell_type": kind, "source": "".join(lines), "metadata": {}}))
    return notebook


def _json(data: bytes) -> tuple:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise NotebookError("is stored as UTF-16: save it as UTF-8, or save it again in JupyterLab.")
    try:
        text = data.decode("utf-8-sig")  # some editors write a byte order mark
        return text, json.loads(text)
    except UnicodeDecodeError as error:
        byte = f"byte {data[error.start]:#04x} at {error.start}"
        raise NotebookError(f"is not UTF-8 ({byte}): save it as UTF-8, or save it again in JupyterLab.") from None
    except ValueError as error:
        raise NotebookError(f"is not JSON ({error}): restore the file, or resolve its merge conflict.") from None
    except RecursionError:
        raise NotebookError("is not JSON that can be read (brackets inside brackets): restore the file.") from None


def _validated(text: str, strict: bool) -> nbformat.NotebookNode:
    with warnings.catch_warnings():
        warnings.simplefilter("error" if strict else "ignore", DuplicateCellId)
        warnings.simplefilter("error" if strict else "ignore", MissingIDFieldWarning)
        try:
            notebook = nbformat.reads(text, as_version=4)
            nbformat.validate(notebook)
        except (DuplicateCellId, MissingIDFieldWarning):
            raise NotebookError("has a cell without an id, or one id twice: run `clean`, which mends that.") from None
        except ValidationError as error:
            reason = str(error.message).splitlines()[0][:200]
            raise NotebookError(f"is not a valid notebook ({reason}): restore the file, or mend that entry.") from None
        except (AttributeError, KeyError, TypeError):
            reason = "an entry, such as its list of cells, is missing or null"
            raise NotebookError(f"is not a valid notebook ({reason}): restore the file.") from None
        except RecursionError:
            raise NotebookError("is not a valid notebook (brackets inside brackets): restore the file.") from None
    return notebook


def clean(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Drop from a notebook what the course does not store, in place where its format allows, and return it.

    A notebook older than format 4.5 is upgraded, and its cells get ids.
    """
    if notebook.nbformat_minor < 5:
        notebook = nbformat.v4.upgrade(notebook)  # this gives every cell an id
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNELSPEC})
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(_content_metadata(cell.metadata))
        if cell.cell_type == "code":
            cell.outputs = [output for output in map(_clean_output, cell.outputs) if output]
    return notebook


def to_bytes(notebook: nbformat.NotebookNode) -> bytes:
    """Return a notebook as the bytes to store: JSON with sorted keys, indented by 1, UTF-8, ending in a newline."""
    return (nbformat.writes(notebook, version=nbformat.NO_CONVERT) + "\n").encode("utf-8")


def tags(cell) -> list[str]:
    return cell.metadata.get("tags", [])


def code_cells(notebook, tag: str | None = None) -> list:
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return cells if tag is None else [cell for cell in cells if tag in tags(cell)]


def _content_metadata(metadata: dict) -> dict:
    kept = {key: metadata[key] for key in KEPT if metadata.get(key)}
    if metadata.get("jupyter", {}).get("source_hidden"):
        kept["jupyter"] = {"source_hidden": True}
    return kept


def _clean_output(output):
    """Drop a widget view, and all metadata but a PNG's alt and width, from an output; return it, None if empty."""
    if "data" not in output:
        return output
    output.data.pop(WIDGET_VIEW, None)
    image = output.metadata.get("image/png", {})
    kept = {key: image[key] for key in ("alt", "width") if key in image} if isinstance(image, dict) else {}
    output.metadata = nbformat.from_dict({"image/png": kept} if kept else {})
    return output if output.data else None
