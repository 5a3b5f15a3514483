"""Make the learner's copies of the notebooks, and report which have changed since; this module imports nothing slow."""

import hashlib
import json

from course_utils import course, language
from course_utils.language import say
from nb.files import display_path, write_atomically

RECORD = ".copied.json"  # notebook name -> hash of its published sources at the time it was copied
NEWS = "news.txt"  # on a hub, nobody sees what the start of a server prints


def copy_notebooks(published, own, again="run `make lab` again"):
    """Copy the notebooks that a learner lacks, never over a copy, and without outputs but that of a cell tagged copied.

    Copies in another language than English lie in a folder of `own` with its name, so that no copy stands for another.
    Returns messages for the learner, a list of lines. published, own: the folders to copy from and to, Paths. The
    record of what was copied, a file in `own`, is updated. again: how to run this again, words for a message.
    """
    own = folder(own)
    record, lines = _read_record(own / RECORD)
    copied, changed = [], []
    for source in sorted(published.glob("*.ipynb")):
        try:
            notebook = _in_language(json.loads(source.read_bytes()), source.stem)
            now = _sources_hash(notebook)
        except (ValueError, LookupError, TypeError):
            template = "{file} is damaged and was skipped: restore it, for example with `git checkout`."
            lines.append(say(template, file=display_path(source)))
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


def choose(own, asked="", otherwise=language.ENGLISH):
    """Set the language of the course: the one asked for, else that of the learner's copies, else `otherwise`.

    Return nothing. own: the folder of the copies. asked: a code such as "zh". Errors: ValueError for a language that is
    not there.
    """
    there = [name for name in (language.ENGLISH, *language.available()) if any(folder(own, name).glob("*.ipynb"))]
    language.use(asked or (there[0] if there else otherwise))


def folder(own, name=None):
    """Return the folder, a Path, of the copies in a language, by default the current one: `own` itself for English.

    name: the code of the language, such as "zh". own: the folder of all copies.
    """
    name = name or language.current()
    return own if name == language.ENGLISH else own / name


def keep_news(own, lines):
    """Write messages, a list, to the file NEWS in the folder `own`; delete it if there are none."""
    if lines:
        text = "\n\n".join([say("What the course had to say when your server started last."), *lines])
        write_atomically(own / NEWS, text.encode() + b"\n")
    else:
        (own / NEWS).unlink(missing_ok=True)


def _renamed(published, own):
    """Yield a text for each copy that bears an earlier name of a notebook, "old name (now new name and new name)".

    published, own: the folders of the present notebooks and of the copies. Names are without ending. Earlier names are
    those of version 0.1, and the present topics with another number.
    """
    for copy in sorted(own.glob("??_*.ipynb")):
        topics = course.BEFORE.get(copy.stem, (copy.stem[3:],))
        now = [path.stem for topic in topics for path in sorted(published.glob(f"??_{topic}.ipynb"))]
        if now and not (published / copy.name).exists():
            yield f"{copy.stem} (now {' and '.join(now)})"


def _messages(own, copied, changed, renamed, again):
    """Return a list of lines for the learner: new copies, copies under earlier names, and notebooks that have changed.

    Earlier names are mentioned only beside new copies. own: the folder of the copies, a Path. copied, changed: lists of
    file names. renamed: texts for earlier names, as `_renamed` yields them. again: as in `copy_notebooks`.
    """
    lines = []
    if copied:
        names = copied[0] if len(copied) == 1 else say("{number} notebooks", number=len(copied))
        lines.append(say("Copied {names} to {folder}/: yours to change.", names=names, folder=display_path(own)))
    if copied and (old := list(renamed)):
        template = "The course has a new order. Your copies of before stay as they are, and still work: {names}."
        lines.append(say(template, names=", ".join(old)))
    if changed:
        template = (
            "The course has since changed {names}. Your copies stay as they are. To take the new one, "
            "rename or delete yours in {folder}/ and {again}."
        )
        lines.append(say(template, names=", ".join(changed), folder=display_path(own), again=say(again)))
    return lines


def _in_language(notebook, name):
    """Return a notebook, parsed JSON, with its texts translated into the current language. name: of its file.

    name has no folder and suffix. In English, the notebook itself is returned.
    """
    if language.current() == language.ENGLISH:
        return notebook
    from nb.translation.notebook import translated  # here, since it is slow, and English needs none of it

    return translated(notebook, name)


def _sources_hash(notebook):
    """Return a hash of the types and sources of a notebook's cells, a str of hex digits.

    notebook: parsed JSON, a dict.
    """
    sources = [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
    return hashlib.sha256(json.dumps(sources).encode()).hexdigest()


def _without_results(notebook):
    """Remove the outputs and execution counts from a notebook, in place; return it as the bytes of a file.

    The outputs of a cell tagged copied stay: the picture of a view, which a learner is to see before running anything.
    notebook: parsed JSON, a dict.
    """
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            stays = "copied" in cell["metadata"].get("tags", [])
            cell.update(outputs=cell["outputs"] if stays else [], execution_count=None)
    return json.dumps(notebook, indent=1, ensure_ascii=False).encode() + b"\n"


def _read_record(path):
    """Return (the record of what was copied, a list of at most one message about its file).

    The record is a dict, notebook name -> hash of the notebook that was copied. It is {} without a file, and for a
    damaged one, which is renamed, as the message says. path: of the file, a Path.
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
