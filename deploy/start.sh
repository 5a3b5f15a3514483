#!/usr/bin/env bash
# Copies the notebooks to attention-course in the home directory, never over an existing copy, then replaces itself by
# the command in its arguments: `jupyterhub-singleuser` on a hub, `jupyter lab` on one machine. The command runs even if
# copying fails.
set -u
course=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$HOME" || exit
"${PYTHON:-python3}" "$course/tools/notebooks.py" copy attention-course || echo "The notebooks were not all copied." >&2
# The page that opens first is the student's own, in the language of the copies.
if [ -n "${JUPYTERHUB_DEFAULT_URL-}" ] && page=$("${PYTHON:-python3}" "$course/tools/notebooks.py" first attention-course); then
  export JUPYTERHUB_DEFAULT_URL="/lab/tree/$page"
fi
exec "$@"
