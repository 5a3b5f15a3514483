"""Print how long it takes to grade forty notebooks, three of them hostile (`make bench`)."""

import tempfile
import time
from pathlib import Path

from notebook_files import PUBLISHED
from notebook_format import read_notebook, to_bytes
from notebook_grading import grade
from notebook_solutions import with_solutions

NUMBER, STUDENTS = "06", 40
HOSTILE = {
    "crashes": "import os\nos._exit(1)",
    "hangs": "sum(range(10**13))",
    "prints": "while True:\n    print('x' * 1000)",
}


def main():
    [path] = PUBLISHED.glob(f"{NUMBER}_*.ipynb")
    solved, _ = with_solutions(read_notebook(path))
    with tempfile.TemporaryDirectory() as folder:
        for student in range(STUDENTS - len(HOSTILE)):
            (Path(folder) / f"student{student:02}.ipynb").write_bytes(to_bytes(solved))
        for name, source in HOSTILE.items():
            stub = next(
                cell
                for cell in solved.cells
                if "exercise" in cell.metadata.get("tags", []) and cell.cell_type == "code"
            )
            before, stub.source = stub.source, f"{stub.source}\n{source}"
            (Path(folder) / f"{name}.ipynb").write_bytes(to_bytes(solved))
            stub.source = before
        start = time.perf_counter()
        lines = grade(folder)
        seconds = time.perf_counter() - start
    spared = sum(line.startswith("student") and line.endswith(_all(lines)) for line in lines)
    print(f"grading {STUDENTS} notebooks {NUMBER}, {len(HOSTILE)} hostile: {seconds:.0f} s; "
          f"{spared} of {STUDENTS - len(HOSTILE)} others unharmed")  # fmt: skip


def _all(lines):
    exercises = len(lines[0].split()) - 2
    return f"{exercises} of {exercises}"


if __name__ == "__main__":
    main()
