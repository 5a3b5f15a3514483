"""Limit this process's memory, time and files for good, and block the system calls that would circumvent the limits.

A sandbox protects everything outside it from a submission; these limits hold inside it. Linux supports all of them,
macOS some, Windows none.
"""

import ctypes
import errno
import platform
import struct
import sys
from pathlib import Path

MEMORY = 2 * 2**30  # bytes beyond what is in use at the start; torch and the checks need 512 MiB
WITHOUT_PROC = 4 * 2**30  # bytes of address space that Python and torch use, if the system does not say
FILE_SIZE = 2**24  # the most bytes of any file that is written
OPEN_FILES = 128

# System call numbers differ between processors; only those from 424 on are the same on both.
X86, ARM = 0xC000003E, 0xC00000B7  # seccomp's architecture constants
CLONE = {X86: 56, ARM: 220}
REFUSED = {
    # memory that no resource limit counts: shmget, msgget, semget, memfd_create, add_key, request_key, keyctl
    # new programs and processes: fork, vfork, execve, execveat, ptrace, unshare, setns
    # large kernel interfaces that no answer needs: bpf, userfaultfd, perf_event_open
    X86: (29, 68, 64, 319, 248, 249, 250, 57, 58, 59, 322, 101, 272, 308, 321, 323, 298),
    ARM: (194, 186, 190, 279, 217, 218, 219, 221, 281, 117, 97, 268, 280, 282, 241),
}
REFUSED_ON_BOTH = (425, 426, 427, 447)  # io_uring_setup, io_uring_enter, io_uring_register, memfd_secret
CLONE3, FIRST_UNKNOWN = 435, 463  # a filter cannot read the flags of clone3; calls after 462 were not reviewed
THREAD = 0x10000  # CLONE_THREAD

# A seccomp filter is a BPF program; each step is (operation, steps to skip if true, steps to skip if false, number).
LOAD, EQUAL, AT_LEAST, BIT_SET, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, PROCESSOR, FIRST_ARGUMENT = 0, 4, 16  # offsets in seccomp_data
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2


def limit(seconds: int) -> bool:
    """Limit this process's memory, file size, open files and CPU seconds, for good, as far as the system supports it.

    Return whether its system calls are filtered, too: then (on Linux on x86-64 and 64-bit ARM) no limit can be
    circumvented. After `seconds` of CPU time, SIGXCPU ends the process.
    """
    try:
        import resource
    except ImportError:  # Windows
        return False
    in_use = _addresses_in_use(resource.getpagesize())
    for name, soft, hard in (
        ("RLIMIT_AS", in_use + MEMORY, in_use + MEMORY),
        ("RLIMIT_DATA", 2 * MEMORY, 2 * MEMORY),
        ("RLIMIT_FSIZE", FILE_SIZE, FILE_SIZE),
        ("RLIMIT_NOFILE", OPEN_FILES, OPEN_FILES),
        ("RLIMIT_CPU", seconds, seconds + 5),  # code that ignores SIGXCPU is killed five seconds later
        ("RLIMIT_CORE", 0, 0),
    ):
        try:
            resource.setrlimit(getattr(resource, name), (soft, hard))
        except (AttributeError, ValueError, OSError):
            pass  # macOS does not support all of them
    return _filter_calls()


def _addresses_in_use(page: int) -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * page
    except OSError:
        return WITHOUT_PROC


def _filter_calls() -> bool:
    """Install a seccomp filter, for this process and those it starts; return whether Linux accepted it."""
    machine = {"x86_64": X86, "aarch64": ARM}.get(platform.machine())
    if sys.platform != "linux" or machine is None:
        return False
    steps = b"".join(struct.pack("HBBI", *step) for step in _steps(machine))
    program = ctypes.create_string_buffer(steps, len(steps))
    pointer = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(steps) // 8, ctypes.addressof(program)), 16)
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    return libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, pointer, 0, 0) == 0


def _steps(machine: int):
    """Yield the instructions of the seccomp filter: (operation, skip if true, skip if false, operand)."""
    not_permitted, not_implemented = (RETURN, 0, 0, REFUSE | errno.EPERM), (RETURN, 0, 0, REFUSE | errno.ENOSYS)
    yield LOAD, 0, 0, PROCESSOR
    yield EQUAL, 1, 0, machine
    yield not_permitted  # refuses system calls of another architecture, which have other numbers
    yield LOAD, 0, 0, NUMBER
    yield AT_LEAST, 0, 1, FIRST_UNKNOWN  # also covers the x32 calls of x86-64
    yield not_implemented
    yield EQUAL, 0, 1, CLONE3
    yield not_implemented  # the C library then falls back to clone
    for number in REFUSED[machine] + REFUSED_ON_BOTH:
        yield EQUAL, 0, 1, number
        yield not_permitted
    yield EQUAL, 0, 3, CLONE[machine]
    yield LOAD, 0, 0, FIRST_ARGUMENT
    yield BIT_SET, 1, 0, THREAD
    yield not_permitted
    yield RETURN, 0, 0, ALLOW
