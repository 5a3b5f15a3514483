"""Run the views' JavaScript in Node, without a browser.

Tests that import this module are skipped if Node is missing; with NEEDS_NODE=1, which `make test-browser` sets, that is
an error.
"""

import base64
import json
import os
import re
import shutil
import subprocess

import numpy as np
import pytest

from course_utils.widgets.modules import FOLDER, bundle

NODE = shutil.which("node")
if not NODE:
    missing = "What the views' JavaScript computes is tested in Node, which is missing: `apt-get install nodejs`."
    if os.environ.get("NEEDS_NODE"):
        pytest.fail(missing, pytrace=False)
    pytest.skip(missing, allow_module_level=True)

# The DataView begins at an odd offset, as the view of a part of a message may.
VIEW_OF = """function viewOf(base64) {
  const bytes = Buffer.from(base64, "base64");
  const moved = new Uint8Array(bytes.length + 1);
  moved.set(bytes, 1);
  return new DataView(moved.buffer, 1);
}
"""
# JSON has no nan or infinity, so they become strings.
NUMBERS = '(_, value) => (typeof value === "number" && !Number.isFinite(value) ? `${value}` : value)'


def run(code, script, *others, **names):
    """Run code, the body of a JavaScript function, and return its result; nan and infinity are strings for float().

    script: a JavaScript file, whose exports the code can use by name. others: further files, for `modules`. names:
    further values for the code; a numpy array becomes the DataView as which it would be sent.
    """
    given = "".join(f"const {name} = {_javascript(value)};\n" for name, value in names.items())
    source = (
        f'{bundle(script, *others)}const {{ {", ".join(_exports(script))} }} = modules["{script}"];\n{VIEW_OF}{given}'
        f"const result = (() => {{\n{code}\n}})();\nconsole.log(JSON.stringify(result, {NUMBERS}));\n"
    )
    return json.loads(run_module(source))


def _javascript(value):
    if isinstance(value, np.ndarray):
        value = value.tobytes()
    if isinstance(value, bytes):
        return f'viewOf("{base64.b64encode(value).decode()}")'
    return json.dumps(value)  # json writes NaN and Infinity, which are valid in JavaScript


def _exports(script):
    return re.findall(r"^export \w+ (\w+)", (FOLDER / script).read_text("utf-8"), re.MULTILINE)


# Run a JavaScript module in Node and return what it prints. options: for subprocess.run.
def run_module(source, **options):
    done = subprocess.run(
        [NODE, "--input-type=module"], input=source, capture_output=True, text=True, encoding="utf-8", **options
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
