"""Take messages off the wire, whatever comes: each is bounded, and what is none is answered with an error."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, BinaryIO

from lsprotocol.types import ErrorCodes

LARGEST_MESSAGE = 256 * 2**20
"""Bytes of one message; larger ones are passed over. JSON may write a code point as twelve bytes."""
LONGEST_HEADER = 8 * 2**10
"""Bytes of one line of a header."""
_PIECE = 2**20
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,18})[ \t]*", re.IGNORECASE)
_HEADER = re.compile(rb"[\w-]+[ \t]*:")


class FileReader:
    """Reads a file, such as stdin, on a thread of ``executor``; gives less than asked at the end alone."""

    def __init__(self, file: BinaryIO, executor: Executor) -> None:
        self._file = file
        self._executor = executor

    async def line(self) -> bytes:
        """The next line with its end, or the beginning of one that is longer than ``LONGEST_HEADER``."""
        return await self._run(self._file.readline, LONGEST_HEADER)

    async def take(self, count: int) -> bytes:
        """The next ``count`` bytes."""
        return await self._run(self._file.read, count)

    async def _run(self, read: Callable[[int], bytes], count: int) -> bytes:
        return await asyncio.get_running_loop().run_in_executor(self._executor, read, count)


async def read_messages(
    reader: FileReader,
    handle: Callable[[dict[str, Any]], None],
    refuse: Callable[[ErrorCodes, str], None],
) -> None:
    """Give each message to ``handle`` until the stream ends.

    What is no message goes to ``refuse``, with the protocol's code and the reason; reading goes on behind it.
    """
    length: int | None = None
    lost = False
    while line := await reader.line():
        text = line.strip()
        if text:
            if found := _LENGTH.fullmatch(text):
                length, lost = int(found[1]), False
            elif not lost and (text.lower().startswith(b"content-length") or not _HEADER.match(text)):
                # Said once: what follows may be the rest of it.
                lost = True
                refuse(ErrorCodes.ParseError, "a message begins with its Content-Length")
            continue
        if length is None:
            continue
        size, length = length, None
        if size > LARGEST_MESSAGE:
            refuse(ErrorCodes.InvalidRequest, f"a message has at most {LARGEST_MESSAGE} bytes")
            await _pass_over(reader, size)
            continue
        body = await reader.take(size)
        if len(body) < size:
            return
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            refuse(ErrorCodes.ParseError, "the message is not JSON")
            continue
        if isinstance(message, dict) and message.get("jsonrpc") == "2.0":
            handle(message)
        else:
            refuse(ErrorCodes.InvalidRequest, 'a message is a JSON object with "jsonrpc": "2.0"')


async def _pass_over(reader: FileReader, count: int) -> None:
    """Read so many bytes, or to the end of the stream, and hold none."""
    while count > 0 and (piece := await reader.take(min(count, _PIECE))):
        count -= len(piece)
