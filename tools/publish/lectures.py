"""Make the pages of the web edition for teachers: the guide, and a page for each notebook's presenter. In English."""

import re
from pathlib import Path

from nb.files import COURSE

from course_utils import course, lessons
from publish import markup
from publish.around import address
from publish.article import PageRenderer
from publish.markup import plain, to_html

GUIDE, NAME = "teaching", "teaching_{}"  # of the guide's page; of a notebook's, with its file
SLIDE = re.compile(r"^(### .+?) +\{#[^}\s]*( \.talk)?\} *$", re.MULTILINE)
TITLE = re.compile(r"# (.+)\n")


class LectureRenderer(PageRenderer):
    """A renderer in which a link to a presenter's page, or to the guide, leads to its page in the web edition."""

    def link(self, text, url, title=None):
        path, hash, anchor = url.partition("#")
        target = (self.folder / path).resolve()
        if target.name == "teaching.md" and target.parent.parent == lessons.FOLDER:
            return f'<a href="{name_of(target.parent.name)}.html{hash}{anchor}">{text}</a>'
        if path and target == COURSE / "docs" / "teaching" / "README.md":
            return f'<a href="{GUIDE}.html{hash}{anchor}">{text}</a>'
        is_ours = path and "://" not in url and target.is_relative_to(COURSE)
        return super().link(text, f"{target.relative_to(COURSE)}{hash}{anchor}" if is_ours else url, title)

    def heading(self, text, level, **attributes):
        """As on GitHub: the guide's own links name its headings in small letters."""
        made = super().heading(text, level, **attributes)
        _, anchor, _ = self.headings[-1]
        small = re.sub(r"[^\w-]", "", anchor.lower())
        return (
            made if small == anchor else made.replace(f'id="{anchor}">', f'id="{anchor}"><span id="{small}"></span>', 1)
        )


def name_of(topic: str) -> str:
    """Return the name of the presenter's page about a notebook, without suffix."""
    return NAME.format(next(one.file for one in course.notebooks() if one.topic == topic))


def pages(around: dict) -> dict[str, str]:
    """Return file name -> HTML of the guide and of each presenter's page.

    around: the values of all pages, as around.values returns them.
    """
    made = {f"{GUIDE}.html": _page(around, COURSE / "docs" / "teaching" / "README.md", None)}
    for entry in course.notebooks():
        made[f"{name_of(entry.topic)}.html"] = _page(around, lessons.FOLDER / entry.topic / "teaching.md", entry)
    return made


def _page(around: dict, path: Path, entry) -> str:
    """Return the HTML of a Markdown page for teachers. entry: the course.Notebook it is about; None for the guide."""
    source = path.read_text("utf-8")
    title = plain(TITLE.match(source)[1])
    source = SLIDE.sub(
        lambda match: match[1] + (" · in the talk" if match[2] else ""), source[len(TITLE.match(source)[0]) :]
    )
    return markup.template("site/teaching.html").render(
        course=around,
        page=name_of(entry.topic) if entry else GUIDE,
        title=title,
        description="What to say, ask and draw, and the wrong answers to expect."
        if entry
        else "Teaching with the course",
        entry=entry,
        lectures=[(name_of(one.topic), one) for one in course.notebooks()],
        article=to_html(source, LectureRenderer(path.parent, address())),
    )
