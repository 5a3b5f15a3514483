"""A notebook with the course's views, each below its question and with its code, as their pages have them.

`cells` takes both from the stored notebooks, and puts before them what the code needs from cells further up.
"""

from nb.files import find_notebooks
from nb.format import read_notebook

START = """import torch
from torch import nn
from course_utils import attention, checks, data, plots, quiz, session, widgets
session.start()
torch.manual_seed(0)
pairs = data.load("sentence_pairs")
weak, steep = pairs["weak"], pairs["steep"]
it, numbers = weak.tokens.index("it"), data.load("head_numbers")
words = ["journey", "starts", "with", "one", "cold", "step"]"""

# (number of the notebook, id of the view's cell) -> code that defines what the cell uses, as its page does further up;
# numbers that only a model knows are random there.
NEEDS = {
    ("00", "the-weak-sentence"): "",
    ("00", "both-sentences"): "",
    ("00", "widgets-headsview-weak-attn-weights"): "",
    ("00", "predict-it-in-steep"): "looks_at = 'hill'",
    ("01", "def-attend-first-second-third"): "inputs, tokens = torch.rand(6, 3), words",
    ("02", "def-attend-at-temperature-return"): "",
    ("02", "widgets-scalinglab-scores-by-width"):
        "scores_by_width = {d: torch.randn(50, 16) * d**0.5 for d in (4, 16, 64)}",
    ("03", "steps-list-range-0-601"):
        "weights_by_step = torch.rand(25, 3, 8).softmax(-1)\nlabels = [f'{word}{i}' for i, word in enumerate("
        "[*words[:5], 'one?', 'cold?', 'step?'])]\nlosses = torch.linspace(2, 0, 601).tolist()",
    ("04", "widgets-maskpainter-attn-scores-tokens"): "attn_scores, tokens = torch.randn(5, 5), words[:5]",
    ("05", "def-attend-dropped-p-causal"):
        "queries, keys, values, past, tokens = *torch.randn(3, 6, 3), attention.causal_mask(6), words\n"
        "def drop(x, p=0.5):\n    return nn.functional.dropout(x, p)",
    ("06", "plots-attention-bars-rows-of"): "sentence = weak",
    ("07", "widgets-shapetracer-num-tokens-4"): "",
    ("07", "multihead-checks-multi-head-solution"): "inputs, letters = torch.randn(2, 5, 6), list('abcde')",
    ("08", "widgets-headsview-attn-weights-q0"): "attn_weights = torch.rand(2, 5, 4, 6).softmax(-1)",
    ("09", "widgets-rotaryclock-queries-0"):
        "queries, keys, speeds = *torch.randn(2, 1, 6, 8), torch.tensor([1.0, 0.1, 0.01, 0.001])",
    ("10", "widgets-headsview-heads-real-tokens"):
        "real, heads = weak, weak.attn_weights[3]\naverage = heads.mean(dim=0)",
    ("11", "look-back"):
        "def sliding_window(n, window):\n    far = torch.arange(n)[:, None] - torch.arange(n)\n"
        "    return (far >= 0) & (far < window)\n"
        "def last_hears(near, layers):\n    return int((torch.linalg.matrix_power(near, layers)[-1] > 0).sum())",
    ("12", "widgets-stepscrubber-kept-flatten-1"):
        "kept, steps = torch.rand(41, 2, 4, 18, 18).softmax(-1), list(range(0, 201, 5))\n"
        "losses = accuracies = torch.rand(201).tolist()",
    ("13", "the-pair-to-touch-view"):
        "sentences = pairs\nmodel = lambda text: next(pair for pair in pairs.values() if pair.text == text)\n"
        "numbers_of = lambda *given: {(3, 1): [numbers['weak'], numbers['steep']]}",
    ("13", "def-heads-of-sentence-layer"):
        "model = lambda text: (weak.tokens, weak.attn_weights, None)",
    ("13", "places-f-layer-head-for"):
        "import contextlib\nmodel.layers = [nn.Module() for _ in range(6)]\n"
        "for layer in model.layers:\n    layer.attention = None\n"
        "def ablated(attention, head):\n    return contextlib.nullcontext()\n"
        "def heads_of(sentence, layer):\n    return torch.rand(12, 15, 15).softmax(-1), weak.tokens",
    ("14", "the-first-view-view"): "is_real, model = False, None",
    ("15", "dialled-own-number"):
        "bands = {'low band': slice(0, 20), 'high band': slice(20, 81)}\n"
        "band_weights = lambda keys, band: torch.rand(len(keys), len(keys)).softmax(-1)",
    ("15", "lab-move-a-digit"):
        "class Classifier(nn.Module):\n    def forward(self, cut):\n        return torch.rand(10)\n"
        "    def embedded(self, cut):\n        return cut\n"
        "    def attend(self, cut):\n        return None, torch.rand(1, 4, 16, 16).softmax(-1)\n"
        "kinds = {'without positions': 0, 'with positions': 1, 'no attention': 2}\n"
        "classifiers = dict.fromkeys(kinds, Classifier())\n"
        "pixels, digits = torch.rand(1797, 8, 8), [3] * 1797\n"
        "def moved(picture, right, down):\n    return picture",
    ("16", "widgets-headsview-their-weights-0"):
        "tokens, their_weights, weights_9 = words[:5], *torch.rand(2, 1, 3, 5, 5).softmax(-1)",
}  # fmt: skip


def cells():
    """Return a list of (name, code that must run before, the question, code of the view, metadata that folds it)."""
    found = []
    for (number, name), needs in NEEDS.items():
        page = read_notebook(find_notebooks([number])[0]).cells
        at = next(i for i, cell in enumerate(page) if cell.id == name)
        question = page[at - 1].source if page[at - 1].cell_type == "markdown" else ""
        fold = {key: kept for key, kept in page[at].metadata.items() if key == "jupyter"}
        found.append((f"{number} {name}", needs, question, page[at].source, fold))
    return found
