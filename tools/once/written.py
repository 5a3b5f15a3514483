"""Write data/written.json: what the language model wrote, recorded for the view of the notebook a_language_model.

Run it by hand, `python tools/once/written.py`; then put the new size and SHA-256 into data/README.md.
"""

import hashlib
import json

from course_utils import data, widgets
from course_utils.models import smollm

TEXT = "The robot could not climb the hill because it was too"
# Heads to look at: five that copy, four that look one back, one that rests on the first token, and 24.4.
HEADS = [(18, 6), (17, 3), (17, 4), (18, 7), (23, 2), (1, 2), (2, 1), (11, 1), (16, 0), (25, 5), (24, 4)]


def main():
    run = widgets.Writer(smollm.load(), TEXT, num_new=40, heads=HEADS).recording()
    print(f"{TEXT}|{''.join(step['token'] for step in run['branches'][0]['steps'])}")
    target = data.DATA / "written.json"
    target.write_text(json.dumps({"robot": run}, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{target.name}: {target.stat().st_size:,} bytes, SHA-256 {hashlib.sha256(target.read_bytes()).hexdigest()}")


if __name__ == "__main__":
    main()
