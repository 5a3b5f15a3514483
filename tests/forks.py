"""Run pieces of Python in forks of one process, so that what takes seconds to import is imported once for all."""

import json
import os
import subprocess
import sys

# Where the system cannot fork, a process runs one piece, after the steps that come before it.
IN_FORKS = """
import json, os, sys, tempfile, traceback
for name, piece, is_step in json.loads(sys.argv[1]):
    if is_step:
        exec(piece)
        continue
    with tempfile.TemporaryFile("w+") as printed:
        if hasattr(os, "fork") and (child := os.fork()):
            os.waitpid(child, 0)
            printed.seek(0)
            print(json.dumps([name, printed.read()]), flush=True)
            continue
        kept = os.dup(1)
        os.dup2(printed.fileno(), 1), os.dup2(printed.fileno(), 2)
        try:
            exec(piece, globals())
        except SystemExit:
            pass
        except BaseException:
            print(traceback.format_exc())
        sys.stdout.flush(), sys.stderr.flush()
        if not hasattr(os, "fork"):
            printed.seek(0)
            os.write(kept, json.dumps([name, printed.read()]).encode())
        os._exit(0)
"""


def printed(pieces: list[tuple], folder, environment=()) -> dict[str, str]:
    """Run pieces of Python in a folder, in order; return name -> what each prints on stdout and stderr.

    pieces: (name, source, whether it is a step). A step is run in the process itself, all others in forks of it.
    environment: more variables.
    """
    batches = [pieces]
    if not hasattr(os, "fork"):
        places = [place for place, (_, _, is_step) in enumerate(pieces) if not is_step]
        batches = [[*filter(lambda row: row[2], pieces[:place]), pieces[place]] for place in places]
    options = {"cwd": folder, "env": os.environ | dict(environment), "stdout": subprocess.PIPE, "text": True}
    lines = []
    for batch in batches:
        command = [sys.executable, "-c", IN_FORKS, json.dumps(batch)]
        lines += subprocess.run(command, check=True, **options).stdout.splitlines()
    return dict(map(json.loads, lines))
