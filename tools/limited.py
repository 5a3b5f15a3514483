"""Limits that a process sets itself, and cannot lift again: memory, files, time; no other process, and no network.

What the system does not know is left out: Linux knows all of them, macOS some, Windows none.
"""

import ctypes
import errno
import platform
import struct
import sys
from pathlib import Path

MEMORY = 2 * 2**30  # bytes beyond what is there already; torch and the checks need half of one
FILE_SIZE = 2**24  # bytes of any file that is written
OPEN_FILES = 128
SECONDS = 90  # of a processor: whoever started the process stops it sooner

# What a process may ask of Linux is told by numbers, which differ between processors.
X86, ARM = 0xC000003E, 0xC00000B7
CLONE = {X86: 56, ARM: 220}
REFUSED = {  # new programs and processes, signals to others, their memory, sockets
    X86: [41, 57, 58, 59, 62, 101, 200, 234, 310, 311, 322, 424, 425],
    ARM: [117, 129, 130, 131, 198, 221, 270, 271, 281, 424, 425],
}
CLONE3, THREAD = 435, 0x10000
LOAD, EQUAL, AT_LEAST, BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # of the small language of seccomp
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
NO_NEW_RIGHTS, SECCOMP, BY_FILTER = 38, 22, 2  # of prctl


def limit():
    """Set every limit that the system knows."""
    try:
        import resource
    except ImportError:  # Windows
        return
    used = _used()
    for name, most in {
        "RLIMIT_AS": used + MEMORY if used else resource.RLIM_INFINITY,
        "RLIMIT_DATA": 2 * MEMORY,
        "RLIMIT_FSIZE": FILE_SIZE,
        "RLIMIT_NOFILE": OPEN_FILES,
        "RLIMIT_CPU": SECONDS,
        "RLIMIT_CORE": 0,
    }.items():
        try:
            resource.setrlimit(getattr(resource, name), (most, most))
        except (AttributeError, ValueError, OSError):
            pass  # macOS does not take them all
    _stay_alone()


def _used():
    """The bytes of addresses in use, which count for the limit; 0 where the system does not tell, as on macOS."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 0
    import resource

    return pages * resource.getpagesize()


def _stay_alone():
    """No new process or program, no signal to another, no socket: Linux's seccomp refuses them from here on."""
    machine = {"x86_64": X86, "aarch64": ARM}.get(platform.machine())
    if sys.platform != "linux" or machine is None:
        return
    program = b"".join(struct.pack("HBBI", *step) for step in _steps(machine))
    steps = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(steps))
    libc = ctypes.CDLL(None)
    libc.prctl(NO_NEW_RIGHTS, 1, 0, 0, 0)
    libc.prctl(SECCOMP, BY_FILTER, ctypes.create_string_buffer(head, len(head)), 0, 0)


def _steps(machine):
    """The filter as steps: what to do, how many steps to leave out if so and if not, and a number.

    A call is given as its number, the kind of processor, and what is passed, at 0, 4 and 16.
    """
    no, unknown = REFUSE | errno.EPERM, REFUSE | errno.ENOSYS
    yield LOAD, 0, 0, 4
    yield from _unless(EQUAL, machine, no)
    yield LOAD, 0, 0, 0
    if machine == X86:
        yield from _when(AT_LEAST, 0x40000000, no)  # the same calls under other numbers
    for number in REFUSED[machine]:
        yield from _when(EQUAL, number, no)
    yield from _when(EQUAL, CLONE3, unknown)  # then clone is tried
    yield EQUAL, 0, 3, CLONE[machine]
    yield LOAD, 0, 0, 16
    yield BIT, 1, 0, THREAD
    yield RETURN, 0, 0, no
    yield RETURN, 0, 0, ALLOW


def _when(test, number, answer):
    return (test, 0, 1, number), (RETURN, 0, 0, answer)


def _unless(test, number, answer):
    return (test, 1, 0, number), (RETURN, 0, 0, answer)
