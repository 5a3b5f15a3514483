"""Copy the figure that the README shows out of notebook 00, where it was computed."""

import base64
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def stored_figure():
    """The PNG of the cell of notebook 00 that compares the rows of "it"."""
    notebook = json.loads((ROOT / "notebooks" / "00_start_here.ipynb").read_text("utf-8"))
    cell = next(cell for cell in notebook["cells"] if "plots.attention_bars(rows" in "".join(cell["source"]))
    picture = next(output["data"]["image/png"] for output in cell["outputs"] if "image/png" in output.get("data", {}))
    return base64.b64decode("".join(picture))


if __name__ == "__main__":
    (ROOT / "docs" / "one_word.png").write_bytes(stored_figure())
