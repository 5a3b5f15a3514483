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

# Contrast is what axe needs most time for, element by element. This script marks one text of each appearance: the same
# colours, sizes and grounds all the way up. A text that may lie over something else (absolute) is marked in any case.
# Words in SVG are never marked: axe cannot determine what lies behind them, and leaves all of them undecided.
ONE_OF_EACH_APPEARANCE = """() => {
  const seen = new Set(), known = new Map([[null, ""]]);
  const parts = ["color", "backgroundColor", "backgroundImage", "opacity", "fontSize", "fontWeight"];
  const appearance = (one) => {
    if (!known.has(one)) {
      const style = getComputedStyle(one);
      const alone = style.position === "absolute" ? `number ${known.size}` : "";
      known.set(one, [appearance(one.parentElement), alone, ...parts.map((part) => style[part])].join());
    }
    return known.get(one);
  };
  for (const one of document.body.querySelectorAll("*")) {
    const speaks = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!speaks && !one.matches("input, select, textarea")) continue;
    one.toggleAttribute("data-contrast", !seen.has(appearance(one)) && !one.closest("svg"));
    seen.add(appearance(one));
  }
  axe.configure({ rules: [{ id: "color-contrast", selector: "[data-contrast]" }] });
}"""


def violations(page, inside=None, **options):
    """Return axe's violations in a page, or in the part that is the selector `inside`: "rule: HTML of the element", ….

    options: passed to `axe.run`. For speed, most coloured words of code on the page become plain text, for good, and
    only one text of each look is checked for contrast. Errors: AssertionError if axe finds nothing to check there.
    """
    from axe_playwright_python.sync_playwright import Axe

    if page.evaluate("!window.axe"):
        page.evaluate(Axe().axe_script)
    page.evaluate(ONE_OF_EACH_COLOUR)
    page.evaluate(ONE_OF_EACH_APPEARANCE)
    options |= {"preload": False, "resultTypes": ["violations"]}  # preload=True would fetch the style sheets again
    where = "document" if inside is None else "{ include: [[selector]] }"
    found = page.evaluate(f"([selector, options]) => axe.run({where}, options)", [inside, options])
    assert found["passes"] or found["violations"], f"axe looked at nothing inside {inside or 'the page'}"
    return [f"{rule['help']}: {node['html'][:160]}" for rule in found["violations"] for node in rule["nodes"]]
