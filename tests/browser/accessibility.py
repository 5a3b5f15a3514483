"""What axe-core finds in a page, in words."""

# A page has thousands of coloured words in its code, and axe looks at each for seconds: of those that the style sheets
# cannot tell apart, one stays, and the others become plain text of the line they stand in.
ONE_OF_EACH_COLOUR = """() => {
  const seen = new Set();
  const kindOf = (one) => `${one.tagName}.${one.className} ${one.style.cssText}`;
  const chain = (one) => (one ? kindOf(one) + "|" + chain(one.parentElement) : "");
  for (const word of document.querySelectorAll("pre span:not(:has(*))")) {
    const kind = chain(word);
    if (seen.has(kind)) word.replaceWith(...word.childNodes);
    seen.add(kind);
  }
}"""


def violations(page, inside=None, **options):
    """Return what axe finds, a line for each element; options: axe's own. inside: a selector; None: the whole page."""
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate(ONE_OF_EACH_COLOUR)
    if page.evaluate("!window.axe"):
        page.evaluate(Axe().axe_script)
    options |= {"preload": False, "resultTypes": ["violations"]}  # else it asks for the style sheets again
    where = "document" if inside is None else "{ include: [[selector]] }"
    found = page.evaluate(f"([selector, options]) => axe.run({where}, options)", [inside, options])
    assert found["passes"] or found["violations"], f"axe looked at nothing inside {inside or 'the page'}"
    return [f"{rule['help']}: {node['html'][:160]}" for rule in found["violations"] for node in rule["nodes"]]
