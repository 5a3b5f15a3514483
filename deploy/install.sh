#!/usr/bin/env bash
# Installs the course into a Python environment, for a container, a hub's machine or Binder: the required packages,
# those of a hub, and the course itself with its settings for JupyterLab and the weights of the real models.
#
#     deploy/install.sh [packages] [hub] [course]      without arguments: all three
#
# PYTHON names the Python (default: python3). pip reads its own variables: PIP_EXTRA_INDEX_URL can name an index with
# CPU builds of PyTorch. Without it, Linux gets the build for graphics cards, 5 GB more.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=${PYTHON:-python3}

packages() {
  "$python" -m pip install --no-cache-dir -r requirements.lock
}

hub() {
  "$python" -m pip install --no-cache-dir -r deploy/hub.lock --constraint requirements.lock
}

# Editable, because the code finds its data beside itself. Compiled now, because students cannot write here later.
course() {
  "$python" -m pip install --no-deps --no-build-isolation --editable .
  "$python" -m course_utils.fetch
  "$python" -m compileall -q course_utils tools
  "$python" -c "from course_utils.models import minilm, smollm; minilm.load(), smollm.load()"
}

if [ $# -eq 0 ]; then
  set -- packages hub course
fi
for part in "$@"; do
  case $part in
    packages | hub | course) ;;
    *) echo "There is no part $part: choose from packages, hub and course." >&2; exit 2 ;;
  esac
done
for part in "$@"; do
  "$part"
done

# With these two packages, jsonschema checks one kind of web address by a grammar, which nobody here needs. It costs
# each server 0.7 s when it starts, and 17 MB.
"$python" -m pip uninstall --quiet --yes rfc3987-syntax lark
