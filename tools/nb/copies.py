"""Make the learner's copies of the notebooks, and report which have changed since; this module imports nothing slow."""

import hashlib
import json

from course_utils import course
from nb.files import display_path, write_atomically

RECORD = ".copied.json"  # notebook name -> hash of its published sources at the time it was copied
NEWS = "news.txt"


def copy_notebooks(published, own, again="run `make lab` again"):
    """Copy the notebooks that a learner lacks, without outputs and never over a copy; return messages, a list of lines.

    published, own: the folders to copy from and to, Paths. again: how to run this again, in words for the learner.
    """
    record, lines = _read_record(own / RECORD)
    copied, changed = [], []
    for source in sorted(published.glob("*.ipynb")):
        try:
            notebook = json.loads(source.read_bytes())
            now = _sources_hash(notebook)
        except (ValueError, LookupError, TypeError):
            lines.append(
                f"{display_path(source)} is damaged and was skipped: restore it, for example with `git checkout`."
            )
            continue
        copy = own / source.name
        if not copy.exists():
            write_atomically(copy, _without_results(notebook))
            copied.append(source.name)
            record[source.name] = now
        elif record.setdefault(source.name, now) != now:
            changed.append(source.name)
    _write_record(own / RECORD, record)
    return lines + _messages(own, copied, changed, _renamed(published, own), again)


def keep_news(own, lines):
    """Write the messages to news.txt in the folder of the copies, or delete that file if there are none.

    own: that folder, a Path. lines: the messages, a list of strings. On a hub nobody sees what the start
    of a server prints.
    """
    if lines:
        text = "\n\n".join(["What the course had to say when your server started last.", *lines])
        write_atomically(own / NEWS, text.encode() + b"\n")
    else:
        (own / NEWS).unlink(missing_ok=True)


def _renamed(published, own):
    """Yield a text for each copy of a notebook of version 0.1: its name, and those of the notebooks that it has become.

    published: the folder of the present notebooks. own: the folder of the copies.
    """
    for copy in sorted(own.glob("*.ipynb")):
        topics = course.BEFORE.get(copy.stem, ())
        if not (published / copy.name).exists() and topics:
            now = [path.stem for topic in topics for path in sorted(published.glob(f"??_{topic}.ipynb"))]
            yield f"{copy.stem} (now {' and '.join(now)})"


def _messages(own, copied, changed, renamed, again):
    """Return the messages about new copies, a new order of the course and changed notebooks, as a list of lines.

    own: the folder of the copies. copied, changed: file names of notebooks that were copied now, and of those that have
    changed since they were copied. renamed: as `_renamed` yields them. again: how to run this again, in words.
    """
    lines = []
    if copied:
        names = copied[0] if len(copied) == 1 else f"{len(copied)} notebooks"
        lines.append(f"Copied {names} to {display_path(own)}/: yours to change.")
    if copied and (old := list(renamed)):
        lines.append(
            f"The course has a new order. Your copies of before stay as they are, and still work: {', '.join(old)}."
        )
    if changed:
        lines.append(
            f"The course has since changed {', '.join(changed)}. Your copies stay as they are. To take the new one, "
            f"rename or delete yours in {display_path(own)}/ and {again}."
        )
    return lines


def _sources_hash(notebook):
    """Return a hash of the cells' types and sources, in hex digits. notebook: parsed JSON.

    Outputs and metadata are not in it, since they may change without a message to the learner.
    """
    sources = [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
    return hashlib.sha256(json.dumps(sources).encode()).hexdigest()


def _without_results(notebook):
    """Remove the outputs of a notebook, and return it as bytes, since a learner predicts before looking.

    notebook: parsed JSON, which is changed.
    """
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
    return json.dumps(notebook, indent=1, ensure_ascii=False).encode() + b"\n"


def _read_record(path):
    """Return (record of copies, messages about it); a damaged file is renamed and a new record begun.

    path: of the file RECORD. The record is a dict, {} if there is no file, and the messages are a list of lines.
    """
    try:
        record = json.loads(path.read_bytes())
        if not isinstance(record, dict) or not all(isinstance(value, str) for value in record.values()):
            raise ValueError
        return record, []
    except FileNotFoundError:
        return {}, []
    except ValueError:
        aside = path.with_name(path.name + ".damaged")
        path.replace(aside)
        return {}, [
            f"{display_path(path)} was damaged and is now {aside.name}: a new one is begun; which notebooks the course "
            "changed before today can no longer be told. Your copies are untouched."
        ]


def _write_record(path, record):
    """Write the record of copies, a dict, to the file at `path` if it has changed."""
    data = json.dumps(record, indent=1, sort_keys=True).encode() + b"\n"
    if not path.exists() or path.read_bytes() != data:
        write_atomically(path, data)
