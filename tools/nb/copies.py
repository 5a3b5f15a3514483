"""Make the learner's copies of the notebooks, and report which have changed since; this module imports nothing slow."""

import hashlib
import json
from pathlib import Path

from course_utils import language
from course_utils.files import display_path, read_record, write_atomically
from course_utils.language import say

RECORD = ".copied.json"  # notebook name -> hash of its published sources at the time it was copied
NEWS = "news.txt"  # on a hub, nobody sees what the start of a server prints


def copy_notebooks(published: Path, own: Path, again="run `make lab` again") -> list[str]:
    """Copy the notebooks that a learner lacks from one folder to another; return messages for the learner, lines.

    No copy is ever overwritten. A copy has no outputs, but that of a cell tagged copied. Copies in another language
    than English lie in a folder of `own` with its name. A damaged notebook is skipped. again: words for how to run this
    again.
    """
    own = folder(own)
    record, lines = _read_record(own / RECORD)
    copied, changed = [], []
    for source in sorted(published.glob("*.ipynb")):
        copy = own / source.name
        try:
            notebook = json.loads(source.read_bytes())
            if language.current() != language.ENGLISH:
                # here, since it is slow, and English needs none of it
                from nb.translation.notebook import in_words, translated

                stored = {cell["id"]: cell["outputs"] for cell in notebook["cells"] if _is_copied_whole(cell)}
                notebook = translated(notebook, source.stem)
                for cell in notebook["cells"]:
                    if cell["id"] in stored:
                        cell["outputs"] = in_words(stored[cell["id"]])
            sources = [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
            now = hashlib.sha256(json.dumps(sources).encode()).hexdigest()
            content = None if copy.exists() else _without_results(notebook)
        except (ValueError, LookupError, TypeError, AttributeError, SyntaxError, RecursionError):
            template = "{file} is damaged and was skipped: restore it, for example with `git checkout`."
            lines.append(say(template, file=display_path(source)))
            continue
        if content is not None:
            write_atomically(copy, content)
            copied.append(source.name)
            record[source.name] = now
        elif record.setdefault(source.name, now) != now:
            changed.append(source.name)
    data = json.dumps(record, indent=1, sort_keys=True).encode() + b"\n"
    if not (own / RECORD).exists() or (own / RECORD).read_bytes() != data:
        write_atomically(own / RECORD, data)
    return lines + _messages(own, copied, changed, _renamed(published, own), again)


def choose(own: Path, asked="", otherwise=language.ENGLISH):
    """Set the course's language: `asked`, such as "zh", else that of the copies below `own`, else `otherwise`."""
    there = [name for name in (language.ENGLISH, *language.available()) if any(folder(own, name).glob("*.ipynb"))]
    language.use(asked or (there[0] if there else otherwise))


def folder(own: Path, name: str | None = None) -> Path:
    """Return the folder of the copies in a language, "zh_Hans" (None: the current one): `own` itself for English."""
    name = name or language.current()
    return own if name == language.ENGLISH else own / name


def invitation() -> list[str]:
    """Return a line, in the system's language, that the course speaks it; [] if that is the course's language now."""
    now, other = language.current(), language.of_system()
    if other in (now, language.ENGLISH):
        return []
    language.use(other)
    line = say("The course is also in your language: `make lab LANGUAGE={code}`.", code=other.partition("_")[0])
    language.use(now)
    return [line]


def keep_news(own: Path, lines: list[str]):
    """Write messages to the file NEWS in the folder `own`, below a line of introduction; without any, delete it."""
    if lines:
        text = "\n\n".join([say("What the course had to say when your server started last."), *lines])
        write_atomically(own / NEWS, text.encode() + b"\n")
    else:
        (own / NEWS).unlink(missing_ok=True)


def _renamed(published: Path, own: Path):
    """Yield "old name (now new name)" for each copy in `own` whose notebook has another number in `published`."""
    for copy in sorted(own.glob("??_*.ipynb")):
        for now in published.glob(f"??_{copy.stem[3:]}.ipynb"):
            if not (published / copy.name).exists():
                yield f"{copy.stem} (now {now.stem})"


def _messages(own: Path, copied: list[str], changed: list[str], renamed, again: str) -> list[str]:
    """Return lines for the learner. Earlier names, `renamed`, are mentioned only beside new copies."""
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


def _without_results(notebook: dict) -> bytes:
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell.update(outputs=cell["outputs"] if _is_copied_whole(cell) else [], execution_count=None)
    return json.dumps(notebook, indent=1, ensure_ascii=False).encode() + b"\n"


def _is_copied_whole(cell: dict) -> bool:
    """Return whether a copy keeps the outputs of a cell: the picture of a view, to be seen before anything is run."""
    return cell["cell_type"] == "code" and "copied" in cell["metadata"].get("tags", [])


def _read_record(path: Path) -> tuple[dict[str, str], list[str]]:
    """Return (file name -> hash of its notebook when copied, a list of at most one message on a damaged record)."""
    record, copy = read_record(path, lambda found: {key: hash for key, hash in found.items() if isinstance(hash, str)})
    if copy is None:
        return record, []
    template = (
        "{file} was damaged and is now {copy}. What could be read of it is kept; for all other notebooks, it can no "
        "longer be told whether the course changed them before today. Your copies are untouched."
    )
    return record, [say(template, file=display_path(path), copy=display_path(copy))]
