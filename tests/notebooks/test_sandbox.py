"""Test that the sandbox blocks what hostile code tries, and that find() tries out what the machine allows."""

import json
import os
import platform
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from grading import sandbox
from nb.files import COURSE, NotebookError

CALLS = {  # numbers of the system calls for which Python has no function
    "x86_64": dict(shmget=29, msgget=68, clone=56, rt_sigqueueinfo=129, keyctl=250, unshare=272, perf_event_open=298)
    | dict(prlimit=302, ptrace=101, memfd_create=319, bpf=321, userfaultfd=323, x32_getpid=0x40000027),
    "aarch64": dict(shmget=194, msgget=186, clone=220, rt_sigqueueinfo=138, keyctl=219, unshare=97, perf_event_open=241)
    | dict(prlimit=261, ptrace=117, memfd_create=279, bpf=280, userfaultfd=282, x32_getpid=0x40000027),
}.get(platform.machine(), {}) | dict(io_uring_setup=425, pidfd_open=434, clone3=435, memfd_secret=447, newest=600)
PROBE = """
import ctypes, json, mmap, os, resource, socket, subprocess, sys, threading
from grading.resource_limits import limit
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    result = libc.syscall(number, *map(ctypes.c_long, arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def write_everywhere():
    written = []
    own = [sys.argv[2] + part for part in ("", "/data", "/tools", "/course_utils")] + [sys.prefix, sys.base_prefix]
    for folder in "/ /usr /bin /lib /etc /root /home /tmp /var/tmp /dev /dev/shm /proc /proc/sys/kernel".split() + own:
        try:
            open(folder + "/written", "w").close()
            written.append(folder)
        except OSError:
            pass
    return written
def open_settings():
    opened = []
    for folder, _, names in os.walk("/proc/sys"):
        for path in (os.path.join(folder, name) for name in names):
            try:
                os.close(os.open(path, os.O_WRONLY))
                opened.append(path)
            except OSError:
                pass
    return opened
def fill_disk():
    for number in range(100):
        open(f"part {number}", "wb").write(bytes(2**23))
def start_threads():
    done = []
    threads = [threading.Thread(target=done.append, args=[1]) for _ in range(4)]
    [thread.start() for thread in threads], [thread.join() for thread in threads]
    return sum(done)
assert limit(60)
for what, expression in json.loads(sys.argv[1]).items():
    try:
        said = f"gave {eval(expression)}"
    except BaseException as error:
        said = f"{type(error).__name__} {error}"
    print(json.dumps([what, said]), flush=True)
"""
NOT_PERMITTED = "Operation not permitted"
PROBES = {  # what the code tries -> (expression, part of what it prints)
    "fork": ("os.fork()", NOT_PERMITTED),
    "exec": ("os.execv(sys.executable, ['python'])", NOT_PERMITTED),
    "a program": ("subprocess.run(['ls'])", NOT_PERMITTED),
    "clone without a thread": ("call({clone}, 17, 0, 0, 0, 0)", NOT_PERMITTED),
    "clone3": ("call({clone3}, 0, 0)", "Function not implemented"),
    "threads": ("start_threads()", "gave 4"),
    "this machine's servers": ("socket.create_connection(('127.0.0.1', {port}), 5)", "ConnectionRefusedError"),
    "the network": ("socket.create_connection(('192.0.2.1', 80), 5)", "Network is unreachable"),
    "a socket in a file": ("socket.socket(socket.AF_UNIX).connect({unix!r})", "FileNotFoundError"),
    "a socket with a name": ("socket.socket(socket.AF_UNIX).connect({abstract!r})", "ConnectionRefusedError"),
    "network cards": ("[name for _, name in socket.if_nameindex()]", "gave ['lo']"),
    "files anywhere": ("write_everywhere()", "gave []"),
    "settings of the system": ("open_settings()", "gave []"),
    "what lies there": ("os.listdir()", "gave ['lent']"),
    "a lent file": ("open('lent').read(), open('lent', 'a')", "Read-only file system"),
    "a file of the teacher's": ("open({secret!r}).read()", "FileNotFoundError"),
    "what else is in the course": ("{{'.git', 'work', 'tests'}} & set(os.listdir({course!r}))", "gave set()"),
    "passwords": ("os.path.exists('/etc/passwd') or os.path.exists('/etc/shadow')", "gave False"),
    "variables": ("'MY_PASSWORD' in os.environ", "gave False"),
    "a large file": ("open('large', 'wb').write(bytes(2**25))", "File too large"),
    "the disk": ("fill_disk()", "No space left on device"),
    "many open files": ("[open(os.devnull) for _ in range(500)]", "Too many open files"),
    "a terminal": ("open('/dev/tty', 'w')", "OSError"),
    "memory": ("len(bytearray(2**32))", "MemoryError"),
    "shared memory": ("mmap.mmap(-1, 2**32)", "Cannot allocate memory"),
    "memory that outlives its process": ("call({shmget}, 0, 2**30, 0o1600)", NOT_PERMITTED),
    "a queue of messages": ("call({msgget}, 0, 0o1600)", NOT_PERMITTED),
    "a file in memory": ("os.memfd_create('x')", NOT_PERMITTED),
    "a secret memory": ("call({memfd_secret}, 0)", NOT_PERMITTED),
    "the keys": ("call({keyctl}, 0, -3, 1)", NOT_PERMITTED),
    "io_uring": ("call({io_uring_setup}, 8, 0)", NOT_PERMITTED),
    "bpf": ("call({bpf}, 0, 0, 0)", NOT_PERMITTED),
    "userfaultfd": ("call({userfaultfd}, 0)", NOT_PERMITTED),
    "perf": ("call({perf_event_open}, 0, 0, -1, -1, 0)", NOT_PERMITTED),
    "another user": ("os.setuid(1)", "Error"),
    "namespaces": ("call({unshare}, 0x10000000)", NOT_PERMITTED),
    "a mount": ("libc.mount(b'none', b'/submission', b'tmpfs', 0, None)", "gave -1"),
    "a signal": ("os.kill({victim}, 9)", "No such process"),
    "a signal with a value": ("call({rt_sigqueueinfo}, {victim}, 9, 0)", "Error"),
    "a limit of another's": ("call({prlimit}, {victim}, 7, 0, 0)", "No such process"),
    "a handle of another's": ("call({pidfd_open}, {victim}, 0)", "No such process"),
    "another's inside": ("call({ptrace}, 16, {victim}, 0, 0)", NOT_PERMITTED),
    "a limit lifted": ("resource.setrlimit(resource.RLIMIT_CPU, (-1, -1))", "not allowed to raise maximum limit"),
    "calls of the other kind": ("call({x32_getpid})", "Function not implemented"),
    "calls yet unknown": ("call({newest})", "Function not implemented"),
}


@pytest.fixture(scope="module")
def said(sandboxed):
    """Try all PROBES in one sandbox, beside things that it should not reach; return each with what it printed."""
    with (
        tempfile.TemporaryDirectory() as name,  # pytest's own folders are closed to the user nobody
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as victim,
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as unix,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        folder = Path(name)
        folder.chmod(0o755)
        (folder / "secret").write_text("secret")
        (folder / "lent").write_text("to be read")
        (folder / "lent").chmod(0o666)  # it is the sandbox that makes it read-only
        words = {"unix": str(folder / "socket"), "abstract": f"\0attention-course-{os.getpid()}", "course": str(COURSE)}
        words |= {"port": server.getsockname()[1], "victim": victim.pid, "secret": str(folder / "secret")}
        unix.bind(words["unix"]), abstract.bind(words["abstract"])
        unix.listen(), abstract.listen()
        expressions = {what: expression.format(**CALLS, **words) for what, (expression, _) in PROBES.items()}
        arguments = ["-c", PROBE, json.dumps(expressions), str(COURSE)]
        variables = {"PYTHONPATH": str(COURSE / "tools"), "PATH": os.environ["PATH"]}
        options = {"cwd": "/", "env": variables, "capture_output": True, "text": True, "check": True}
        command = sandboxed.sandbox.command(arguments, [folder / "lent"])
        tried = subprocess.run(command, **options, **sandboxed.sandbox.user_options())
        assert victim.poll() is None and not (COURSE / "data" / "written").exists()
        victim.stdin.close()
    return dict(map(json.loads, tried.stdout.splitlines()))


@pytest.mark.parametrize("what", PROBES)
def test_what_code_in_the_sandbox_tries(what, said):
    assert PROBES[what][1] in said[what]


def stand_in(folder, monkeypatch, name: str, script: str):
    """Put a shell script called `name` into a folder, and that first on the PATH; trials start without torch."""
    monkeypatch.setattr(sandbox, "TRIAL", "")
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has bubblewrap")
def test_where_bubblewrap_is_missing_it_is_said_how_to_go_on(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotebookError, match="(?s)bubblewrap is not installed.*apt install.*--in IMAGE.*--unconfined"):
        sandbox.find({})


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has bubblewrap")
def test_where_no_namespaces_are_allowed_bubblewraps_reason_is_said(tmp_path, monkeypatch):
    stand_in(tmp_path / "bin", monkeypatch, "bwrap", "echo bwrap: setting up uid map: Permission denied >&2; exit 1")
    with pytest.raises(NotebookError, match="(?s)uid map: Permission denied.*allow user namespaces.*--unconfined"):
        sandbox.find({})


def test_no_other_system_has_bubblewrap(monkeypatch):
    monkeypatch.setattr(sandbox.sys, "platform", "darwin")
    with pytest.raises(NotebookError, match="(?s)needs Linux.*--in IMAGE.*--unconfined"):
        sandbox.find({})


def test_a_container_that_refuses_a_proc_has_a_sandbox_without(sandboxed, tmp_path, monkeypatch):
    real = sandbox.shutil.which("bwrap")
    stand_in(tmp_path / "bin", monkeypatch, "bwrap", f'case "$*" in *--proc*) exit 1 ;; esac\nexec {real} "$@"')
    assert "--proc" not in sandbox.find({"PYTHONPATH": f"{COURSE}:{COURSE / 'tools'}"}).before


def test_where_systemd_counts_memory_it_does(sandboxed, tmp_path, monkeypatch):
    script = 'while :; do case "$1" in true|*/bwrap) exec "$@" ;; esac; shift; done'
    stand_in(tmp_path / "bin", monkeypatch, "systemd-run", script)
    found = sandbox.find({"PYTHONPATH": f"{COURSE}:{COURSE / 'tools'}"})
    assert "systemd counts" in found.protection and "MemoryMax=3G" in found.before
    assert found.before[0].endswith("/systemd-run")
    assert found.user is None and ("--user" in found.before) == (os.geteuid() != 0)


@pytest.mark.parametrize("nobody_can", [True, False])
def test_root_becomes_nobody_where_nobody_can_read_the_course(nobody_can, monkeypatch):
    def run(command, user=None, **options):
        return SimpleNamespace(returncode=0 if nobody_can or user is None else 1, stderr=b"")

    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    monkeypatch.setattr(sandbox.sys, "platform", "linux")
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: name if name == "bwrap" else None)
    monkeypatch.setattr(sandbox.subprocess, "run", run)
    found = sandbox.find({})
    assert found.user == (sandbox.NOBODY if nobody_can else None) and ("as nobody" in found.protection) == nobody_can
