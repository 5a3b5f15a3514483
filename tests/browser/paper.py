"""Check a page of the web edition as a browser prints it: answers at the end, nothing live, nothing cut off."""

SHEET = {"width": 673, "height": 1000}  # pixels: the printable width of a sheet, and some height
# Return, for a page on paper, what is wrong in words, and how many parts with an answer stand at its end.
MEASURE = """() => {
  const wrong = [], edge = document.documentElement.getBoundingClientRect().right + 1;
  const say = (what, part) => wrong.push(`<${part.tagName}> ${what}: ${(part.alt || part.textContent).slice(0, 60)}`);
  const seen = (part) => part.checkVisibility() && part.getBoundingClientRect().height > 0;
  const ends = document.querySelector(".answers").getBoundingClientRect().top;
  const answer = ".answers, .answer, .solution, .prose > details, .replies";
  for (const part of document.querySelectorAll("main *")) {
    if (!seen(part)) continue;
    const { top, right } = part.getBoundingClientRect();
    if (part.closest(answer) ? top < ends : top > ends) say("stands on the wrong side of the answers' heading", part);
    if (right > edge && !part.closest("pre > *")) say("runs out", part); // in code, a space may hang out of a line
    if (part.tagName === "PRE" && part.scrollWidth > part.clientWidth + 1) say("is cut off", part);
    if (part.tagName === "IMG" && !part.alt.trim()) say("has no alt text", part);
  }
  for (const part of document.querySelectorAll("nav, header, footer, form, button, input, audio, .view, .code-of"))
    if (seen(part)) say("is of no use", part);
  const answers = [...document.querySelectorAll(answer)];
  answers.forEach((part) => seen(part) || say("is missing", part));
  const shows = ([summary, ...rest], words) => rest.some(seen) || words.trim() !== summary.innerText.trim();
  for (const part of answers)
    if (part.tagName === "DETAILS" && !shows(part.children, part.innerText)) say("is shut", part);
  return [wrong, answers.length];
}"""


def assert_prints(page):
    page.set_viewport_size(SHEET)
    page.emulate_media(media="print")
    wrong, answers = page.evaluate(MEASURE)
    assert wrong == [] and answers > 3
    page.emulate_media(media="screen")
