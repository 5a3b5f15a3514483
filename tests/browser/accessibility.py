"""Check pages for accessibility with axe-core."""

# The code on a page has thousands of coloured words, and axe needs seconds for all of them. This script keeps one word
# of each group that the style sheets cannot tell apart, and turns the others into plain text of their line.
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
    """Return axe's violations in a page as a list of lines, one for each element.

    inside: the CSS selector of the part to check; None checks the whole page. options: passed to `axe.run`.
    Words of equal style in the page's code lose their colour (see ONE_OF_EACH_COLOUR).
    """
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate(ONE_OF_EACH_COLOUR)
    if page.evaluate("!window.axe"):
        page.evaluate(Axe().axe_script)
    options |= {"preload": False, "resultTypes": ["violations"]}  # preload=True would fetch the style sheets again
    where = "document" if inside is None else "{ include: [[selector]] }"
    found = page.evaluate(f"([selector, options]) => axe.run({where}, options)", [inside, options])
    assert found["passes"] or found["violations"], f"axe looked at nothing inside {inside or 'the page'}"
    return [f"{rule['help']}: {node['html'][:160]}" for rule in found["violations"] for node in rule["nodes"]]
