"""Build a fake hub machine with students' homes, and run `deploy/hub/homes.sh` on it."""

import os
import subprocess
import sys
from pathlib import Path

from nb.files import COURSE

SCRIPT = COURSE / "deploy" / "hub" / "homes.sh"
ROOT = sys.platform == "linux" and os.geteuid() == 0
STUDENT = 20001  # an unused user id. Root ignores permissions, so where root runs the tests, homes belong to this user
RUNUSER = f"""#!/bin/sh
[ "$1" = -u ] && [ "$3" = -- ] || exit 9
echo "$2" >> "$CALLS"
echo "$LC_ALL $LANGUAGE" >> "$CALLS-language"
case "$2" in
  jupyter-ghost) echo "runuser: user $2 does not exist" >&2; exit 1 ;;
  jupyter-slow) exec sleep 1000 ;;
esac
shift 3
exec {f"setpriv --reuid {STUDENT} --regid {STUDENT} --clear-groups" if ROOT else ""} "$@"
"""
ID = """#!/bin/sh
case "$2" in jupyter-teacher) echo users jupyterhub-admins ;; *) echo users jupyterhub-admins-of-old ;; esac
"""
ROUNDS = (("give", "sheet.ipynb"), ("take", "sheet.ipynb", "taken"), ("return", "feedback", "week.html"))


class Machine:
    """A folder with students' homes, with fake `runuser` and `id` programs, so that no real users are needed.

    folder: a Path; the homes are `home-NAME` in it. homes.sh runs there with the environment `variables`.
    """

    def __init__(self, folder):
        self.folder = folder
        programs = folder / "bin"
        self.mkdir(programs)
        for name, text in {"runuser": RUNUSER, "id": ID}.items():
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
        (folder / "sheet.ipynb").write_text("the sheet")
        self.variables = os.environ | {"HOMES": f"{folder}/home-", "CALLS": str(folder / "calls"), "PATIENCE": "100"}
        self.variables["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"

    def mkdir(self, path):
        path.mkdir(parents=True)
        path.chmod(0o755)

    # Where root runs the tests, give a path to the user STUDENT; return the path.
    def theirs(self, path):
        if ROOT:
            os.chown(path, STUDENT, STUDENT, follow_symlinks=False)
        return path

    def home(self, name: str) -> Path:
        """Create the home of a student with this name, and return the course's folder in it."""
        course = self.folder / f"home-{name}" / "attention-course"
        self.mkdir(course)
        self.theirs(course.parent)
        return self.theirs(course)

    def answer(self, name: str, text="my answer", file="sheet.ipynb") -> Path:
        """Write a file with this text into the course's folder of a student's home, and return its path."""
        path = self.folder / f"home-{name}" / "attention-course" / file
        path.write_text(text)
        return self.theirs(path)

    def pages(self, *names: str):
        """Write a feedback page for each of these students into the folder `feedback`, which is made."""
        self.mkdir(self.folder / "feedback")
        for name in names:
            (self.folder / "feedback" / f"{name}.html").write_text(f"for {name}")

    def run(self, *words: str, code=0, **variables: str) -> list[str]:
        """Run homes.sh with these arguments; return its lines: first what was done, then who was not served.

        code: the expected exit status, which is asserted. variables: added to the environment.
        """
        run = subprocess.run(
            [SCRIPT, *words],
            cwd=self.folder,
            env=self.variables | variables,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=600,  # seconds; the script must not hang
        )
        assert run.returncode == code, run.stdout + run.stderr
        lines = run.stderr.splitlines()
        assert code != 1 or lines[:2] == ["", "Not served:"], run.stderr
        return run.stdout.splitlines() + lines[2 if code == 1 else 0 :]
