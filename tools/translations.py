"""Renew and check the translations of the course.

`python tools/translations.py update zh` renews the catalogues of a language, `check` names what is wrong or missing.

English is the one source. Another language is a folder of course_utils/locale/, and catalogues of gettext: two in each
lesson, for the page, and for its exercises and quiz; in the folder those for the library's words and for `site`. A new
one begins with an empty file, `touch lessons/start_here/fr.po`, and `update fr`; it needs nothing else. In its
folder, glossary.po has the terms that `check` looks for, several translations with `|` between them, and avoided.po
words of the language itself that the course does not use, each with the one it uses.

Notebooks: a unit is a paragraph, a heading, a list item or a row of a table, with the cell's id as its context. In
code, it is a comment, a docstring, or a string that is printed, a caption, a label, a title, the question of a
prediction. Any other string that is shown is listed in its cell's metadata, `"translate": ["larger", "about {share}
%"]`, an f-string as it is typed; a key of several cells in each of them.

The library: words go through `language.say("… {place} …", place=…)`, in scripts through `say` of words.js, in templates
through `_("…")`: literal texts, since `update` reads the source. Sentences of checks, by `sentences.sentence`, stay in
English, and are looked up where a panel shows them: so reports, grading and progress are the same in every language.

A changed sentence stops nobody. Its translation becomes fuzzy, `check` warns, and the page shows the English with a
mark until it is translated. `check` fails only where code, numbers, formulas, places, links or terms are others.
"""

import argparse
import sys

from nb.files import display_path

from course_utils import language
from course_utils.stopping import stoppable


def update(code: str) -> None:
    """Renew the catalogue files of a language, a folder such as "zh_Hans", and print those that changed."""
    from nb.translation import catalogues

    changed = [name for name in catalogues.names() if catalogues.update(code, name)]
    print(*(f"{display_path(catalogues.path(code, name))} renewed." for name in changed), sep="\n")


def check(code: str) -> bool:
    """Print a warning for each missing or fuzzy translation, and a line for each rule that a translation breaks.

    A catalogue without any translation is one warning. Return whether a rule is broken.
    """
    from nb.translation import catalogues, rules

    terms, avoided, broken, missing = rules.glossary(code), rules.avoided(code), [], []
    for name in catalogues.names():
        messages = catalogues.messages(code, name)
        done = [message for message in messages if not catalogues.is_open(message)]
        others = [message for message in messages if catalogues.is_open(message)]
        lines = [f"{name}: {'fuzzy' if one.fuzzy else 'missing'}: {one.id!r:.80}" for one in others]
        missing += lines if done else [f"{name}: nothing is translated yet"]
        for message in done:
            found = rules.findings(message.id, message.string, terms, avoided)
            broken += [f"{name}: {message.string!r:.60}: {finding}" for finding in found]
    print(*(f"warning: {line}" for line in missing), *broken, sep="\n")
    print(f"{len(missing)} warnings, {len(broken)} rules broken")
    return bool(broken)


@stoppable("Stopped: each catalogue is as it was, or renewed.")
def main(arguments: list[str] | None = None) -> int:
    """Run update or check for each language named, or all; return 1 if a rule is broken or one is unknown, else 0."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=("update", "check"))
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help="such as zh (default: all)")
    parsed = parser.parse_args(arguments)
    try:
        codes = list(map(language.find, parsed.languages)) or language.available()
    except ValueError as error:
        print(f"{error} A new one begins with a folder in {display_path(language.FOLDER)}.", file=sys.stderr)
        return 1
    command = {"update": update, "check": check}[parsed.command]
    return int(any([command(code) for code in codes]))


if __name__ == "__main__":
    sys.exit(main())
