"""Loaded by every Python that starts with this folder on its path: no socket can be opened in it.

Whatever opens one is written into the file that SOCKETS_SEEN names, with the process, and refused. Where
SOCKETS_KILL is set, the kernel (Linux) ends any process of the family that asks it for a socket of the
network, whatever language it does so in.
"""

import ctypes
import os
import platform
import struct
import sys

SEEN = os.environ.get("SOCKETS_SEEN", "")
REFUSED = os.environ.get("SOCKETS_REFUSED", "yes") == "yes"
_CALLS = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
"""The kernel's name of the machine (AUDIT_ARCH_…) and its number of the call socket()."""


def _note(line: str) -> None:
    number = os.open(SEEN, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(number, f"{line} {os.getpid()}\n".encode())
    os.close(number)


def _look(event: str, arguments: tuple[object, ...]) -> None:
    if event.startswith("socket.") and event != "socket.gethostname":
        _note(event)
        if REFUSED:
            raise PermissionError("this test refuses sockets")


def _kill_for_sockets() -> None:
    machine, call = _CALLS[platform.machine()]
    steps = [
        (0x20, 0, 0, 4),  # load the machine
        (0x15, 1, 0, machine),  # this one: go on
        (0x06, 0, 0, 0x80000000),  # else end the process
        (0x20, 0, 0, 0),  # load the number of the call
        (0x15, 0, 2, call),  # any other call is allowed
        (0x20, 0, 0, 16),  # load the family of the socket
        (0x15, 0, 1, 1),  # within the machine (AF_UNIX): allowed
        (0x06, 0, 0, 0x7FFF0000),  # allow
        (0x06, 0, 0, 0x80000000),  # end the process
    ]
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    held = ctypes.create_string_buffer(code)
    program = struct.pack("HxxxxxxP", len(steps), ctypes.addressof(held))
    libc = ctypes.CDLL(None, use_errno=True)
    refused = libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.create_string_buffer(program))
    if refused:
        _note("no filter:")


if SEEN:
    if os.environ.get("SOCKETS_KILL"):
        _kill_for_sockets()
    sys.addaudithook(_look)
    _note("started")
