"""The notebook cells that `views.py` runs, and the JavaScript with which it detects that a view has changed."""

WATCH = """() => {
  const sign = (seen) => {
    if (!seen) return "";
    if (seen.tagName === "svg") return seen.innerHTML;
    if (seen.src) return seen.complete && seen.naturalWidth ? seen.src : "";
    const { data } = seen.getContext("2d").getImageData(0, 0, seen.width, seen.height);
    return data.reduce((hash, byte) => (hash * 31 + byte) | 0, 7);
  };
  const find = () => [".av-heatmap > canvas", ".av-text > svg", ".jp-OutputArea img"]
    .map((selector) => document.querySelector(selector)).find(Boolean);
  const bench = (window.bench = { sign: () => sign(find()) });
  bench.arm = () => {  // one move: from the time stamp of the key to the frame that finds other pixels
    const before = bench.sign();
    bench.ms = null;
    const look = (start) => {  // asks for frames from the key on: a page that rests is what a reader has
      const now = bench.sign();
      if (now && now !== before) bench.ms = performance.now() - start;
      else requestAnimationFrame(() => look(start));
    };
    const begin = (event) => requestAnimationFrame(() => look(event.timeStamp));
    addEventListener("keydown", begin, { capture: true, once: true });
  };
  bench.count = () => {  // many moves: how often the pixels changed, and when last
    let before = bench.sign();
    Object.assign(bench, { frames: 0, changed: performance.now(), counting: true });
    const look = () => {
      const now = bench.sign();
      if (now && now !== before) (before = now), bench.frames++, (bench.changed = performance.now());
      if (bench.counting) requestAnimationFrame(look);
    };
    look();
  };
  bench.first = async () => {  // from running the cell to the first pixels of its view
    const app = window.jupyterapp, old = find(), start = performance.now();
    bench.ms = null;
    app.commands.execute("notebook:run-cell");
    const look = () => {
      const view = find();
      if (view && view !== old && bench.sign()) bench.ms = performance.now() - start;
      else requestAnimationFrame(look);
    };
    look();
  };
}"""
SETUP = """import statistics, time, torch, numpy as np, matplotlib.pyplot as plt, seaborn as sns
from ipywidgets import FloatSlider, IntSlider, interact
from course_utils.widgets import AttentionLab, HeadsView, SentenceView, StepScrubber
heads, n = {heads}, {tokens}
torch.manual_seed(0)
scores, tokens, times = 3 * torch.randn(heads, n, n), [f"t{{i}}" for i in range(n)], []
def timed(function):
    def run(*arguments, **named):
        start = time.perf_counter()
        result = function(*arguments, **named)
        times.append(1000 * (time.perf_counter() - start))
        return result
    return run
def attend(temperature):
    return torch.softmax(scores / temperature, -1)
AttentionLab._show = timed(AttentionLab._show)"""
SEABORN = """@timed
def show(temperature, head):
    weights, names = attend(temperature), tokens if n < 20 else "auto"
    figure, panels = plt.subplots(-(-heads // 4), 4, figsize=(12, 3 * -(-heads // 4)))
    for i, panel in enumerate(panels.flat):
        sns.heatmap(weights[i], vmin=0, vmax=1, cmap="mako_r", square=True, cbar=False, ax=panel,
                    xticklabels=names, yticklabels=names)
        panel.set_title(f"head {i}" + ", chosen" * (i == head))
    plt.show()
interact(show, temperature=FloatSlider(1.0, min=0.5, max=4.0, step=0.05), head=IntSlider(0, 0, heads - 1));"""
LAB = "view = AttentionLab(attend, tokens, temperature=(0.5, 4.0, 1.0))\nview"
STEPS = "StepScrubber(torch.stack([attend(1 + i / 10) for i in range(40)]), tokens)"
WORDS = "SentenceView(attend(1.0), tokens)"
RANDOM = "weights = torch.randn({shape}).softmax(-1)\nHeadsView(weights, [f't{{i}}' for i in range(weights.shape[-1])])"
LARGE = {
    "12 heads, 64 tokens": "HeadsView(attend(1.0), tokens)",
    "12 layers, 12 heads, 64 tokens": RANDOM.format(shape="12, 12, 64, 64"),
    "30 layers, 9 heads, 40 tokens": RANDOM.format(shape="30, 9, 40, 40"),
    "12 heads, 256 tokens": RANDOM.format(shape="12, 256, 256"),
}
SENTENCE = """from course_utils.models import minilm
model = minilm.load()
def heads_of(sentence):
    read = model(sentence)
    return read.attn_weights.flatten(0, 1), read.tokens
AttentionLab(heads_of, [], sentence="The robot could not climb the hill because it was too weak")"""
PICK, RANGE = ".av-heads [aria-checked=true]", ".av input[type=range]"
WORD, HANDLE = ".av-word[aria-checked=true]", ".noUi-handle"
