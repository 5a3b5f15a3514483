"""Start a Python script where it can change nothing: unshare … python tools/confined.py FOLDER SCRIPT.

`unshare` gives the process a view of its own of disks, network and other processes; here that view is made poor: all
that is mounted becomes read-only, and FOLDER becomes a small disk in memory, in which the script starts, with what lay
in it. Then the right to change any of this is given up for good. Linux alone.
"""

import ctypes
import os
import sys
from pathlib import Path

UNSHARE = "unshare --user --map-root-user --mount --net --ipc --pid --fork --kill-child=KILL".split()
ROOM, FILES = 64 * 2**20, 2000  # of the disk in memory: bytes, and files
ALL_BELOW, READ_ONLY, HERE = 0x8000, 1, -100  # AT_RECURSIVE, MOUNT_ATTR_RDONLY, AT_FDCWD
MOUNT_SETATTR = 442  # the number of this call, the same on every kind of processor
NO_SUID_NO_DEVICES = 2 | 4  # MS_NOSUID, MS_NODEV
NEW_USER = 0x10000000  # CLONE_NEWUSER


def confine(folder):
    """Make everything read-only but `folder`, go there, and give up the right to undo it. Errors: OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    kept = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
    libc.mount(b"proc", b"/proc", b"proc", NO_SUID_NO_DEVICES, None)  # shows no other processes; some systems refuse
    attributes = (ctypes.c_uint64 * 4)(READ_ONLY)  # what to set, what to clear, how it spreads, whose ids
    _done(libc.syscall(MOUNT_SETATTR, HERE, b"/", ALL_BELOW, attributes, ctypes.sizeof(attributes)))
    options = f"size={ROOM},nr_inodes={FILES},mode=0700".encode()
    _done(libc.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", NO_SUID_NO_DEVICES, options))
    os.chdir(folder)
    for name, data in kept.items():
        Path(name).write_bytes(data)
    _done(libc.unshare(NEW_USER))  # to a new space of users, whom the disks do not belong to


def _done(result):
    if result:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


if __name__ == "__main__":
    confine(sys.argv[1])
    os.execv(sys.executable, [sys.executable, *sys.argv[2:]])
