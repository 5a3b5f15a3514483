// Detect whether the page has a dark theme, whether from JupyterLab, from a slide deck or from the system.

function isDark() {
  const probe = document.createElement("i");
  probe.style.color = "light-dark(rgb(0, 0, 1), rgb(0, 0, 2))";
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color.endsWith("2)");
}

// Watch the theme. onChange(): called at every change. Returns an object with dark, whether the theme is dark now, and
// leave(), to call when the view is removed.
export function theme(onChange) {
  const now = { dark: isDark() };
  const look = () => {
    const dark = isDark();
    if (dark === now.dark) return;
    now.dark = dark;
    onChange();
  };
  const watcher = new MutationObserver(look);
  for (const element of [document.documentElement, document.body]) watcher.observe(element, { attributes: true });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", look);
  now.leave = () => {
    watcher.disconnect();
    system.removeEventListener("change", look);
  };
  return now;
}
