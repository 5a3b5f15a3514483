"""Show, renew and check the translations of the course.

`python tools/translations.py update zh` renews the catalogues of a language, `check` names what is wrong or missing.
"""

import argparse
import sys

from nb.files import display_path

from course_utils import language


def status(code):
    """Print how many texts of each catalogue of a language are translated; return False.

    code: the language, such as "zh".
    """
    from nb.translation import catalogues

    total = [0, 0, 0]
    for name in catalogues.names():
        messages = [message for message in catalogues.renewed(code, name) if message.id]
        fuzzy = sum(message.fuzzy for message in messages)
        counts = [len(messages), sum(bool(message.string) for message in messages) - fuzzy, fuzzy]
        total = [a + b for a, b in zip(total, counts, strict=True)]
        print("{:45s} {:5d} units {:5d} translated {:4d} fuzzy".format(name, *counts))
    print("{:45s} {:5d} units {:5d} translated {:4d} fuzzy".format("all", *total))
    return False


def update(code):
    """Renew the catalogue files of a language from the course as it is now, and print those that changed; return False.

    code: the language, such as "zh".
    """
    from nb.translation import catalogues

    changed = [name for name in catalogues.names() if catalogues.update(code, name)]
    print(*(f"{display_path(catalogues.path(code, name))} renewed." for name in changed), sep="\n")
    return False


def check(code):
    """Print a line for each translation of a language that breaks a rule, and a warning for each missing or fuzzy one.

    Return whether a rule is broken, a bool. A catalogue without any translation is one warning. code: the language,
    such as "zh".
    """
    from nb.translation import catalogues, rules

    terms, broken, missing = rules.glossary(code), [], []
    for name in catalogues.names():
        messages = [message for message in catalogues.renewed(code, name) if message.id]
        open_ones = [message for message in messages if message.fuzzy or not message.string]
        if len(open_ones) == len(messages):
            missing.append(f"{name}: nothing is translated yet")
        else:
            missing += [f"{name}: {'fuzzy' if one.fuzzy else 'missing'}: {one.id!r:.80}" for one in open_ones]
        for message in messages:
            if message.string and not message.fuzzy:
                found = rules.findings(message.id, message.string, terms)
                broken += [f"{name}: {message.string!r:.60}: {finding}" for finding in found]
    print(*(f"warning: {line}" for line in missing), *broken, sep="\n")
    print(f"{len(missing)} warnings, {len(broken)} rules broken")
    return bool(broken)


def main(arguments=None):
    """Run the command status, update or check for each language named, or for all; return the exit code, 0 or 1.

    arguments: a list of str, by default those of the command line.
    """
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=("status", "update", "check"))
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help="such as zh (default: all)")
    parsed = parser.parse_args(arguments)
    try:
        codes = list(map(language.find, parsed.languages)) or language.available()
    except ValueError as error:
        print(f"{error} A new one begins with a folder in {display_path(language.FOLDER)}.", file=sys.stderr)
        return 1
    command = {"status": status, "update": update, "check": check}[parsed.command]
    return int(any([command(code) for code in codes]))


if __name__ == "__main__":
    sys.exit(main())
