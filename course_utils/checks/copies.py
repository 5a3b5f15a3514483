"""Find the exercises in a learner's copy of a notebook: where a link to each leads, and the heading above it."""

import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from course_utils.files import read_json

CHECK = re.compile(r"\bchecks\.(\w+)\(")
HEADING = re.compile(r"##+ (.+)")
MINUTES = re.compile(r" · \d+ [^\d ]+$")  # at the end of a heading, in any language


class Place(NamedTuple):
    """Where an exercise stands in a copy.

    link: the file's name and, as JupyterLab reads it, the id of the cell with the prompt. heading: the text of the last
    heading above it that is not an exercise's own, in Markdown and without its minutes; "" if there is none.
    """

    link: str
    heading: str


def places(file: Path) -> dict[str, Place]:
    """Return the Place of each exercise in a notebook, by its name; {} if the file is missing or no notebook."""
    found, link, heading = {}, file.name, ""
    try:
        for cell in read_json(file)["cells"]:
            source, tags = "".join(cell["source"]), cell["metadata"].get("tags", [])
            if "check" in tags:
                found |= dict.fromkeys(CHECK.findall(source), Place(link, heading))
            elif cell["cell_type"] == "markdown" and "exercise" in tags:
                link = f"{file.name}#cell-id={quote(cell['id'])}" if "id" in cell else file.name
            elif cell["cell_type"] == "markdown" and (first := HEADING.match(source)):
                heading = MINUTES.sub("", first[1].strip())
    except (AttributeError, LookupError, TypeError):
        return {}
    return found
