"""Make the tree of CONTRIBUTING.md from the first lines of folders and files: `make tree`."""

import re
import textwrap

from nb.files import COURSE, write_atomically

from publish import around

GUIDE = COURSE / "CONTRIBUTING.md"
# What speaks for a folder that has neither a README.md nor an __init__.py.
SPEAKERS = {
    ".ci": "run", ".devcontainer": "devcontainer.json", ".github": "workflows/tests.yml", "binder": "environment.yml",
}  # fmt: skip
COMMENT = re.compile(r"^(?:#+(?!!)|//|/\*|\"\"\")\s*")
BLOCK = re.compile(r"(?<=```\n).*?(?=```)", re.DOTALL)
WIDTH = 120


def tree() -> str:
    """Return the tree of the course's files: the first level, and packages, with a line each. Errors: as `line_of`."""
    parts = [path.relative_to(COURSE).parts for path in around.files()]
    names = {part[0] + "/" * (len(part) > 1) for part in parts}
    names |= {f"{part[0]}/{part[1]}/" for part in parts if len(part) == 3 and part[2] == "__init__.py"}
    column = max(len(_indented(name)) for name in names) + 2
    lines = []
    for name in sorted(names):
        text = _indented(name).ljust(column) + line_of(name)
        lines += textwrap.wrap(text, WIDTH, subsequent_indent=" " * column, drop_whitespace=True)
    return "\n".join(lines) + "\n"


def line_of(name: str) -> str:
    """Return the first sentence of a file of the course, or of a folder, "name/". Errors: ValueError without one."""
    path = COURSE / name
    if name.endswith("/"):
        speakers = ["README.md", "__init__.py", SPEAKERS.get(name.rstrip("/"), "")]
        path = next((path / one for one in speakers if (path / one).is_file()), None)
        if path is None:
            raise ValueError(f"{name} says nothing of itself: give it a README.md whose heading says what it is for.")
    lines = [line.strip() for line in path.read_text("utf-8").splitlines() if not line.startswith("#!")]
    sentence = re.split(r"(?<=[^.][.?!])\s", COMMENT.sub("", lines[0]).removesuffix('"""').strip())[0].rstrip(".")
    if not sentence:
        raise ValueError(f"{name} says nothing of itself: begin it with a line that says what it is for.")
    return sentence


def _indented(name: str) -> str:
    above, _, last = name.rstrip("/").rpartition("/")
    return f"  {last}/" if above else name


if __name__ == "__main__":
    text = BLOCK.sub(lambda block: tree(), GUIDE.read_text("utf-8"), count=1)
    write_atomically(GUIDE, text.encode())
