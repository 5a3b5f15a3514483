"""Find the words of an exercise's prompt that forbid or demand something, and that no check holds an answer to.

`lessons/<topic>/prompts.json` says of an exercise what its own file does not: under "held", words of the prompt and the
id of the mistake that breaks them; under "tells", words that ask for nothing; under "no tokens", why its inputs need
not be longer than the texts on the page; under "axis of tokens", where that is not the last but one.
"""

import ast
import json
import re

from course_utils import checks, lessons

HINTS = re.compile(r"<details>.*?</details>", re.DOTALL)
ASKS = re.compile(
    r"\b(no|nor|not|nothing|nobody|never|without|only|must|should|use|calls?|once|build|built|draw|keep|hold|leave"
    r"|yourself|by hand|loop|try)\b|\bwith `(torch|nn|F)\.",
    re.IGNORECASE,
)
QUOTES = re.compile(r"[Tt]he prompt says “([^”]*)”")
ALL_KNOW = {"input-changed", "global-leak"}  # ids of mistakes that every exercise finds


def notes(topic: str) -> dict[str, dict]:
    """Return name of an exercise -> what the lesson's prompts.json says of it; {} without the file."""
    path = lessons.FOLDER / topic / "prompts.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def faults(topic: str, name: str, prompt: str):
    """Yield a message for each word of a prompt that no check holds, and for each quote that does not fit."""
    exercise, said, prompt = getattr(checks, name), notes(topic).get(name, {}), HINTS.sub("", prompt)
    held, file = said.get("held", {}), f"lessons/{topic}/prompts.json"
    quotes = [*_quoted(exercise, topic), *held, *said.get("tells", ())]
    for words in not_held(prompt, quotes):
        yield (
            f"asks {words!r}, and no check of {name} holds an answer to it. Write a rule or a hint that quotes the "
            f"prompt (course_utils/checks/rules.py), or name the words in {file}, under {name!r}: "
            '"held": {"words": "id of the mistake that breaks them"}, or "tells": ["words that ask for nothing"]'
        )
    for quote in quotes:
        if quote not in prompt:
            yield f"does not say {quote!r}, which a rule or a hint of {name}, or {file} quotes: make the two the same"
    for quote, mistake in held.items():
        if mistake not in exercise.mistakes.keys() | ALL_KNOW:
            yield f"{file}: {mistake!r}, which should hold {quote!r}, is no mistake of {name}: name one of its table"
    for kind, some in (("rule", exercise.rules), ("hint", exercise.hints)):
        for words in (rule.prompt for rule in some if hasattr(rule, "prompt")):
            if words.startswith("Try") != (kind == "hint"):
                yield f"a {kind} of {name} quotes {words!r}: a hint quotes what begins with *Try*, a rule anything else"


def not_held(prompt: str, quotes) -> list[str]:
    """Return each word of a prompt that forbids or demands something and stands in none of the quotes, with context."""
    places = [range(at.start(), at.end()) for quote in quotes for at in re.finditer(re.escape(quote), prompt)]
    return [
        prompt[max(0, word.start() - 30) : word.end() + 30]
        for word in ASKS.finditer(prompt)
        if not any(word.start() in place for place in places)
    ]


def _quoted(exercise, topic: str) -> list[str]:
    source = (lessons.FOLDER / topic / "exercises" / f"{exercise.name}.py").read_text("utf-8")
    texts = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    written = [quote for text in texts if isinstance(text, str) for quote in QUOTES.findall(text)]
    return written + [rule.prompt for rule in (*exercise.rules, *exercise.hints) if hasattr(rule, "prompt")]
