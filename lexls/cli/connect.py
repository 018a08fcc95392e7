"""``lexls connect``: what an editor starts to speak with ``lexls serve --tcp`` on another machine."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import ssl
import sys
import threading
from pathlib import Path

from lexls.cli.output import FAILURE, CommandFailed
from lexls.server.tunnel import GREETING, PIECE, keep_alive

GREETING_SECONDS = 20.0
"""For the connection, the handshake of TLS and the server's answer to the token."""
_VARIABLE = "LEXLS_TOKEN"


def run_connect(options: argparse.Namespace) -> int:
    """Copy between standard input and output and the server until either ends."""
    try:
        token = read_token(options.token_file)
        context = open_context(options.ca)
        # A loop of its own: Python would wait for the threads that read and write.
        code = asyncio.new_event_loop().run_until_complete(_connect(options.server, token, context))
    except CommandFailed as error:
        _tell_editor(str(error))
        raise
    sys.stderr.flush()
    os._exit(code)


def read_token(file: Path | None) -> str:
    """The token of that file, or of the environment. Raises ``CommandFailed``."""
    token, where = os.environ.get(_VARIABLE, ""), _VARIABLE
    if file is not None:
        try:
            token, where = file.expanduser().read_text(encoding="utf-8"), str(file)
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "is not text"
            raise CommandFailed(f"{file}: the token cannot be read: {reason}") from error
    token = token.strip()
    if not token:
        raise CommandFailed(f"there is no token: put it into a file (--token-file) or {_VARIABLE}")
    if not token.isascii() or len(token.split()) > 1:
        raise CommandFailed(f"{where}: is not a token, which is one word")
    return token


def open_context(authorities: Path | None) -> ssl.SSLContext:
    """TLS 1.2 or newer; whom the system trusts, or only who is in that PEM file. Raises ``CommandFailed``."""
    try:
        context = ssl.create_default_context(cafile=authorities.expanduser() if authorities else None)
    except OSError as error:  # ssl.SSLError, too
        reason = "is no PEM file of certificates" if isinstance(error, ssl.SSLError) else error.strerror
        raise CommandFailed(f"{authorities}: {reason}") from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


async def _connect(address: tuple[str, int], token: str, context: ssl.SSLContext) -> int:
    host, port = address
    where = f"{host}:{port}"
    try:
        async with asyncio.timeout(GREETING_SECONDS):
            reader, writer = await asyncio.open_connection(host, port, ssl=context, limit=PIECE)
            keep_alive(writer.get_extra_info("socket"))
            writer.write(f"{GREETING} {token}\n".encode())
            answer = (await reader.readline()).decode("utf-8", "replace").strip()
    except ssl.SSLCertVerificationError as error:
        reason = error.verify_message.rstrip(".")
        hint = "" if "ostname" in reason or "expired" in reason else "; --ca FILE names who is trusted"
        raise CommandFailed(f"{where}: the certificate is not trusted: {reason}{hint}") from error
    except ssl.SSLError as error:
        raise CommandFailed(f"{where}: no TLS is spoken there ({error.reason or error})") from error
    except TimeoutError as error:
        raise CommandFailed(f"{where}: no answer in {GREETING_SECONDS:.0f} seconds") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CommandFailed(f"{where}: cannot be reached: {reason}") from error
    if answer != f"{GREETING} ok":
        said = answer.removeprefix(f"{GREETING} ") if answer.startswith(GREETING) else "is no lexls server"
        raise CommandFailed(f"{where}: {said if answer else 'the connection was closed'}")
    said_last = bytearray()
    loop = asyncio.get_running_loop()
    left = asyncio.Event()
    threading.Thread(target=_send, args=(loop, writer, said_last, left), daemon=True).start()
    down = loop.create_task(_receive(reader))
    await asyncio.wait({down, loop.create_task(left.wait())}, return_when=asyncio.FIRST_COMPLETED)
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(GREETING_SECONDS):
            writer.close()
            await writer.wait_closed()
    if left.is_set() or b'"exit"' in said_last:
        return 0
    print(f"lexls: {where}: the connection was lost", file=sys.stderr)
    return FAILURE


def _send(
    loop: asyncio.AbstractEventLoop, writer: asyncio.StreamWriter, said_last: bytearray, left: asyncio.Event
) -> None:
    """Runs on a thread of its own, as not every system can wait for standard input otherwise."""

    async def hand_on(piece: bytes) -> None:
        said_last[:] = (said_last + piece)[-256:]
        writer.write(piece)
        await writer.drain()

    with contextlib.suppress(OSError, RuntimeError):  # the server is gone, which `_receive` sees
        while piece := os.read(0, PIECE):
            asyncio.run_coroutine_threadsafe(hand_on(piece), loop).result()
        loop.call_soon_threadsafe(left.set)


async def _receive(reader: asyncio.StreamReader) -> None:
    def write(piece: bytes) -> None:
        while piece:
            piece = piece[os.write(1, piece) :]

    with contextlib.suppress(OSError):  # either is gone
        while piece := await reader.read(PIECE):
            await asyncio.get_running_loop().run_in_executor(None, write, piece)


def _tell_editor(reason: str) -> None:
    """Have the editor show why there is no server: what stands on standard error few editors show."""
    if sys.stdout.isatty():
        return
    params = {"type": 1, "message": f"lexls: {reason}"}
    body = json.dumps({"jsonrpc": "2.0", "method": "window/showMessage", "params": params})
    with contextlib.suppress(OSError):
        os.write(1, f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
