// Show each slide with all its steps and return a list of {title, wrong, isHigh, inTalk, text}. wrong: what is wrong
// with the slide, in words. isHigh: its content ends in the upper half, and it is no cover or statement.
([TEXT, LABEL, CODE]) => deck.getSlides().map((slide) => {
  const { h, v } = deck.getIndices(slide);
  deck.slide(h, v, 99);
  const body = slide.querySelector(".body"), wrong = [];
  const { width, height, top } = slide.getBoundingClientRect(), box = body.getBoundingClientRect();
  const about = (part) => part.textContent.trim().slice(0, 30);
  if (box.height > height + 1) wrong.push(`${Math.round(box.height - height)} pixels too tall`);
  for (const part of body.querySelectorAll(":not(.view *, math *)"))
    if (part.getBoundingClientRect().right > width + 1) wrong.push(`<${part.tagName}> runs out on the right`);
  for (const code of body.querySelectorAll("pre")) {
    if (code.scrollWidth > code.clientWidth + 1) wrong.push("a line of code is cut off");
    const { whiteSpace } = getComputedStyle(code);
    if (whiteSpace !== "pre" && !code.matches(".output.wraps, .view pre")) wrong.push("code may be wrapped");
  }
  for (const formula of body.querySelectorAll("math"))
    if (formula.getBoundingClientRect().left + formula.scrollWidth * formula.currentCSSZoom > width + 1)
      wrong.push("a formula runs out on the right");
  for (const image of body.querySelectorAll("img")) {
    if (!image.alt.trim()) wrong.push("a picture has no alt text");
    const { width } = image.getBoundingClientRect(), isDrawn = image.src.startsWith("data:image/svg");
    if (!isDrawn && width > image.naturalWidth + 1) wrong.push("a picture is blurred");
    const size = (image.dataset.label * width) / image.getAttribute("width");
    if (size < LABEL - 0.1 && !slide.querySelector(".cover")) wrong.push(`labels of ${size.toFixed(1)} in a figure`);
  }
  // What is read: not the letters of formulas, nor what stands raised.
  const hasWords = (part) => [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  for (const part of body.querySelectorAll("*")) {
    if (!hasWords(part) || part.closest("math, sup, sub, script, style") || !part.checkVisibility()) continue;
    const units = part.ownerSVGElement?.viewBox.baseVal?.width;
    const drawn = units ? part.ownerSVGElement.getBoundingClientRect().width / (units * part.currentCSSZoom) : 1;
    const size = parseFloat(getComputedStyle(part).fontSize) * part.currentCSSZoom * drawn;
    const least = part.closest(".view, .running") ? LABEL : part.closest("pre") ? CODE : TEXT;
    if (size < least - 0.1) wrong.push(`${size.toFixed(1)} for ${least}: ${about(part)}`);
  }
  if (!slide.querySelector("aside.notes")?.textContent.trim()) wrong.push("has no note");
  const parts = [...body.children].filter((part) => !part.matches("h1, h2, h3, h4, .running") && part.offsetHeight);
  const ends = (Math.max(...parts.map((part) => part.getBoundingClientRect().bottom)) - top) / height;
  const isStatement = body.matches(".statement, .cover, .beside");
  return { title: `${h + 1}.${v + 1} ${slide.dataset.title}`, wrong, isHigh: ends < 0.5 && !isStatement,
    inTalk: "talk" in slide.dataset,
    text: parts.filter((part) => !part.matches("pre")).map((part) => part.innerText).join(" ") };
})
