"""A hub's machine with students' homes, on which `deploy/hub/homes.sh` is run."""

import os
import subprocess
import sys

from notebook_files import COURSE

SCRIPT = COURSE / "deploy" / "hub" / "homes.sh"
ROOT = sys.platform == "linux" and os.geteuid() == 0
STUDENT = 20001  # a user id of nobody's: permissions mean nothing to root, so students are others where root runs this
RUNUSER = f"""#!/bin/sh
[ "$1" = -u ] && [ "$3" = -- ] || exit 9
echo "$2" >> "$CALLS"
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
    """A machine with homes, and in place of runuser and id programs that need no users of these names."""

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

    def theirs(self, path):
        if ROOT:
            os.chown(path, STUDENT, STUDENT, follow_symlinks=False)
        return path

    def home(self, name):
        """Return the course's folder in a new home of a student."""
        course = self.folder / f"home-{name}" / "attention-course"
        self.mkdir(course)
        self.theirs(course.parent)
        return self.theirs(course)

    def answer(self, name, text="my answer", file="sheet.ipynb"):
        """Write a file into a student's home."""
        path = self.folder / f"home-{name}" / "attention-course" / file
        path.write_text(text)
        return self.theirs(path)

    def pages(self, *names):
        """Write a page for each of some students, into the folder `feedback`."""
        self.mkdir(self.folder / "feedback")
        for name in names:
            (self.folder / "feedback" / f"{name}.html").write_text(f"for {name}")

    def run(self, *words, code=0, **variables):
        """Run homes.sh; return the lines of what is done, then those of who is not served."""
        run = subprocess.run(
            [SCRIPT, *words],
            cwd=self.folder,
            env=self.variables | variables,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=600,  # it never hangs
        )
        assert run.returncode == code, run.stdout + run.stderr
        lines = run.stderr.splitlines()
        assert code != 1 or lines[:2] == ["", "Not served:"], run.stderr
        return run.stdout.splitlines() + lines[2 if code == 1 else 0 :]
