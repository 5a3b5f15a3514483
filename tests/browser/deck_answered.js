// Return {found, prompts}. found: what comes after a prompt on its slide and is visible before the prompt's step is
// over, for every step of every slide. prompts: how many prompts the deck has.
() => {
  const found = [];
  for (const slide of deck.getSlides()) {
    const { h, v } = deck.getIndices(slide);
    const parts = [...slide.querySelectorAll(".body > *, .body > .half > *")];
    for (const prompt of parts.filter((part) => part.matches(".predict, .view.asks"))) {
      const shows = (part) => part.checkVisibility({ visibilityProperty: true, opacityProperty: true });
      for (let step = -1; step < 12; step++) {
        deck.slide(h, v, step);
        const behind = parts.filter((part) => +part.dataset.order > +prompt.dataset.order && shows(part));
        // The step that shows the prompt is its own.
        const own = Number(prompt.dataset.fragmentIndex ?? -1);
        const seen = [...slide.querySelectorAll(".fragment.visible")].map((part) => +part.dataset.fragmentIndex);
        const now = Math.max(own, ...seen);
        if (shows(prompt) && now === own && behind.length)
          found.push(`${slide.dataset.title}: ${behind[0].textContent.trim().slice(0, 40)}`);
      }
    }
  }
  return { found, prompts: document.querySelectorAll(".predict, .view.asks").length };
}
