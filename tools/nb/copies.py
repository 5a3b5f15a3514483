"""Make the learner's copies of the notebooks, and report which have changed since; this module imports nothing slow."""

import hashlib
import json

from course_utils import course
from nb.files import display_path, write_atomically

RECORD = ".copied.json"  # notebook name -> hash of its published sources at the time it was copied
NEWS = "news.txt"  # on a hub, nobody sees what the start of a server prints


def copy_notebooks(published, own, again="run `make lab` again"):
    """Copy the notebooks that a learner lacks, without outputs and never over a copy; return messages, a list of lines.

    The record of copies in `own` is updated. published, own: the folders to copy from and to, Paths. again: how to run
    this again, words for a message.
    """
    record, lines = _read_record(own / RECORD)
    copied, changed = [], []
    for source in sorted(published.glob("*.ipynb")):
        try:
            notebook = json.loads(source.read_bytes())
            now = _sources_hash(notebook)
        except (ValueError, LookupError, TypeError):
            restore = "restore it, for example with `git checkout`."
            lines.append(f"{display_path(source)} is damaged and was skipped: {restore}")
            continue
        copy = own / source.name
        if not copy.exists():
            write_atomically(copy, _without_results(notebook))
            copied.append(source.name)
            record[source.name] = now
        elif record.setdefault(source.name, now) != now:
            changed.append(source.name)
    data = json.dumps(record, indent=1, sort_keys=True).encode() + b"\n"
    if not (own / RECORD).exists() or (own / RECORD).read_bytes() != data:
        write_atomically(own / RECORD, data)
    return lines + _messages(own, copied, changed, _renamed(published, own), again)


def keep_news(own, lines):
    """Write messages, a list, to the file NEWS in the folder `own`; delete it if there are none."""
    if lines:
        text = "\n\n".join(["What the course had to say when your server started last.", *lines])
        write_atomically(own / NEWS, text.encode() + b"\n")
    else:
        (own / NEWS).unlink(missing_ok=True)


def _renamed(published, own):
    """Yield a text for each copy of a notebook of version 0.1, "old name (now new name and new name)".

    published, own: the folders of the present notebooks and of the copies. Names are without ending. A copy whose name
    a present notebook still has is left out.
    """
    for copy in sorted(own.glob("*.ipynb")):
        topics = course.BEFORE.get(copy.stem, ())
        if not (published / copy.name).exists() and topics:
            now = [path.stem for topic in topics for path in sorted(published.glob(f"??_{topic}.ipynb"))]
            yield f"{copy.stem} (now {' and '.join(now)})"


def _messages(own, copied, changed, renamed, again):
    """Return a list of lines: new copies, names of version 0.1 (only beside new copies), changed notebooks.

    own: the folder of the copies. copied, changed: lists of file names. renamed: texts for names of version 0.1. again:
    as in `copy_notebooks`.
    """
    lines = []
    if copied:
        names = copied[0] if len(copied) == 1 else f"{len(copied)} notebooks"
        lines.append(f"Copied {names} to {display_path(own)}/: yours to change.")
    if copied and (old := list(renamed)):
        stay = "Your copies of before stay as they are, and still work"
        lines.append(f"The course has a new order. {stay}: {', '.join(old)}.")
    if changed:
        lines.append(
            f"The course has since changed {', '.join(changed)}. Your copies stay as they are. To take the new one, "
            f"rename or delete yours in {display_path(own)}/ and {again}."
        )
    return lines


def _sources_hash(notebook):
    """Return a hash of the types and sources of a notebook's cells, in hex digits. notebook: parsed JSON."""
    sources = [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
    return hashlib.sha256(json.dumps(sources).encode()).hexdigest()


def _without_results(notebook):
    """Remove the outputs from a notebook, parsed JSON, in place; return it as bytes to store."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
    return json.dumps(notebook, indent=1, ensure_ascii=False).encode() + b"\n"


def _read_record(path):
    """Return (the record in the file `path`, messages about it); a damaged file is renamed, and the record is {}.

    The record is a dict, notebook name -> hash, and {} without a file. The messages are a list of at most one line.
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
