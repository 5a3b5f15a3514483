"""Tell what a handed-in file is, from its name and its first bytes, and what to hand in instead of it."""

import re

from grading.printable import cut, printable

ENDING = ".ipynb"
NOTEBOOK, ARCHIVE = "a notebook", "a zip archive"  # the kinds that are opened
HEAD = 512  # bytes of a file that are looked at
MOST_NAMES, LONGEST = 3, 60  # in a sentence: the most files that are named, and the most characters of a name
ENDINGS = {  # words -> endings of the names of such files
    "a Python program": "py pyc pyw",
    "a web page": "html htm xhtml mhtml maff webarchive",
    "a PDF": "pdf",
    "a text": "txt md rst tex log qmd rmd",
    "a document of a word processor": "doc docx odt rtf pages",
    "a spreadsheet or a table": "csv tsv xls xlsx ods numbers",
    "a set of slides": "ppt pptx odp key",
    "a picture": "png jpg jpeg gif webp bmp tif tiff heic svg",
    "a recording": "mp3 m4a mp4 mov webm avi mkv wav",
    "an archive that is no zip": "7z rar tar gz tgz bz2 xz zst",
    "a shortcut": "lnk url webloc desktop gdoc",
    "data in JSON": "json",
    "a set of tensors": "pt pth safetensors npy npz pkl",
    ARCHIVE: "zip",
}
WORDS = {ending: words for words, endings in ENDINGS.items() for ending in endings.split()}
BEGINS = {  # how such a file begins -> words
    b"%PDF": "a PDF",
    b"Rar!": "an archive that is no zip",
    b"7z\xbc\xaf": "an archive that is no zip",
    b"\x1f\x8b": "an archive that is no zip",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
}
ZIPS = (b"PK\x03\x04", b"PK\x05\x06")
IS_NOTEBOOK = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*"(cells|metadata|nbformat|nbformat_minor)"\s*:')
IS_PAGE = re.compile(rb"\s*<(!doctype|html|head|\?xml)", re.IGNORECASE)
NAMED = re.compile(r"\.ipynb(\.(txt|json)|[~ (_-].*)?$", re.IGNORECASE)  # as some browsers and editors save it
WANTED = f"hand in the notebook itself, the file whose name ends in {ENDING}"


def kind(name: str, head: bytes) -> str:
    """Return what a file is: NOTEBOOK, ARCHIVE, or words such as "a PDF". head: its first HEAD bytes.

    A file that has the name of a notebook is one, unless its first bytes say that it is something else.
    """
    ending = name.rpartition(".")[2].lower()
    if not head:
        return "an empty file"
    if words := next((words for begin, words in BEGINS.items() if head.startswith(begin)), None):
        return words
    if head.startswith(ZIPS):
        return WORDS.get(ending, ARCHIVE)  # documents of word processors are such archives, too
    if IS_PAGE.match(head):
        return WORDS.get(ending, "a web page")
    if NAMED.search(name) or IS_NOTEBOOK.match(head):
        return NOTEBOOK
    return WORDS.get(ending, "a file of another kind")


def stem(name: str) -> str:
    """Return the name of a file without endings that say what it is: "anna" for "anna.ipynb.txt", "anna.IPYNB"."""
    before, dot, ending = name.rpartition(".")
    return stem(before) if dot and ending.lower() in (*WORDS, "ipynb") else name


def instead_of(words: str) -> str:
    """Return a sentence on a file that is no notebook. words: what it is, such as "a PDF"."""
    return f"It is {words}, and no notebook: {WANTED}."


def nothing_in(what: str, files: list[tuple[str, str]], inside: str) -> str:
    """Return a sentence on a "folder" or "archive" without a notebook. files: (path, words) of what was found in it."""
    if not files:
        return f"The {what} is empty: {WANTED}."
    names = [f"{cut(printable(path.removeprefix(inside)), LONGEST)} ({words})" for path, words in files[:MOST_NAMES]]
    more = f" and {len(files) - len(names)} more" if len(files) > len(names) else ""
    return f"There is no notebook in the {what}, only {', '.join(names)}{more}: {WANTED}."
