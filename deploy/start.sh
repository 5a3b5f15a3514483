#!/usr/bin/env bash
# Makes a student's copies of the notebooks in the home directory, by the rules of work/, then becomes the command given:
# `jupyterhub-singleuser` on a hub, `jupyter lab` on one machine. What cannot be copied stops nobody.
set -u
course=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$HOME" || exit
"${PYTHON:-python3}" "$course/tools/notebooks.py" copy attention-course || echo "The notebooks were not all copied." >&2
if [ "${1-}" = jupyterhub-singleuser ]; then
  shift
  exec "${PYTHON:-python3}" "$course/deploy/hub/singleuser.py" "$@" # the same, and smaller
fi
exec "$@"
