"""Run the views' JavaScript in Node, without a browser. Tests that do so have the mark needs_node."""

import atexit
import base64
import json
import re
import subprocess
from functools import cache

import numpy as np

from course_utils.widgets.shared.modules import bundle, find

NODE = "node"

# The DataView begins at an odd offset, as the view of a part of a message may.
VIEW_OF = """function viewOf(base64) {
  const bytes = Buffer.from(base64, "base64");
  const moved = new Uint8Array(bytes.length + 1);
  moved.set(bytes, 1);
  return new DataView(moved.buffer, 1);
}
"""
# Read functions' bodies, a JSON string a line, call each, and print what it returns, or the error, as JSON.
SERVE = """
import readline from "node:readline";
for await (const line of readline.createInterface({ input: process.stdin })) {
  let result;
  try {
    result = new Function(JSON.parse(line))();
  } catch (error) {
    result = JSON.stringify({ error: error.stack });
  }
  console.log(result);
}
"""
# JSON has no nan or infinity, so they become strings.
NUMBERS = '(_, value) => (typeof value === "number" && !Number.isFinite(value) ? `${value}` : value)'


@cache
def _server():
    """Start a Node process that runs SERVE for all tests, since starting one takes longer than most tests."""
    command = [NODE, "--input-type=module", "--eval", SERVE]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    atexit.register(server.communicate)  # closes its stdin, which ends it
    return server


def run(code, script, *others, **names):
    """Run code, the body of a JavaScript function, and return its result; nan and infinity are strings for float().

    script: a JavaScript file, whose exports the code can use by name. others: further files, for `modules`. names:
    further values for the code; a numpy array becomes the DataView as which it would be sent.
    """
    given = "".join(f"const {name} = {_javascript(value)};\n" for name, value in names.items())
    source = (
        f'"use strict";\n{bundle(script, *others)}const {{ {", ".join(_exports(script))} }} = modules["{script}"];\n'
        f"{VIEW_OF}{given}const result = (() => {{\n{code}\n}})();\nreturn JSON.stringify({{ result }}, {NUMBERS});\n"
    )
    server = _server()
    print(json.dumps(source), file=server.stdin, flush=True)
    answer = json.loads(server.stdout.readline())
    assert "error" not in answer, answer["error"]
    return answer.get("result")


def _javascript(value):
    if isinstance(value, np.ndarray):
        value = value.tobytes()
    if isinstance(value, bytes):
        return f'viewOf("{base64.b64encode(value).decode()}")'
    return json.dumps(value)  # json writes NaN and Infinity, which are valid in JavaScript


def _exports(script):
    return re.findall(r"^export \w+ (\w+)", find(script).read_text("utf-8"), re.MULTILINE)


# Run a JavaScript module in Node and return what it prints. options: for subprocess.run.
def run_module(source, **options):
    done = subprocess.run(
        [NODE, "--input-type=module"], input=source, capture_output=True, text=True, encoding="utf-8", **options
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
