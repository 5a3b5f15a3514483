"""Make the page of the web edition that lists the works which the course names, with the notebooks that name them."""

from nb import sources

from publish import markup, words
from publish.markup import inline
from publish.words import say

NAME = "sources"  # of the page


def page(around: dict, notebooks: dict) -> str:
    """Return the HTML of the page in the current language.

    around: the values of all pages, as around.values returns them. notebooks: path -> NotebookNode of those to read.
    """
    listed = {one.file: one for one in words.notebooks()}
    texts = {listed[path.stem]: "".join(cell.source for cell in notebook.cells) for path, notebook in notebooks.items()}
    works = []
    for work in sources.read():
        naming = [one for one, text in texts.items() if f"]({work.fields['url']})" in text]
        if naming:
            works.append((work.fields["url"], inline(sources.cited(work)), naming))
    title = say("Works that the course names")
    told = say("Papers, books and pages, each with the notebooks that name it. The links need a network.")
    return markup.template("site/sources.html").render(
        course=around, page=NAME, title=title, description=told, works=works
    )
