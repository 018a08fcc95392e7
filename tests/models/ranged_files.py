"""A file behind the scripted server, given out as a hub of models gives it: announced, in ranges, cut off."""

from __future__ import annotations

import hashlib
import re
import struct
from dataclasses import dataclass

from scripted_server import Asked, Handler


def gguf(size: int = 300_000, architecture: str = "llama", filler: int = 7, **more: str | int) -> bytes:
    """A file with a header in GGUF, and noise where the tensors would be."""
    values: dict[str, str | int] = {
        "general.architecture": architecture,
        "general.name": "Small Talker",
        "general.license": "apache-2.0",
        f"{architecture}.context_length": 2048,
        "tokenizer.chat_template": "{{ messages }}",
        **{key.replace("__", "."): value for key, value in more.items()},
    }
    data = b"GGUF" + struct.pack("<IQQ", 3, 0, len(values))
    for key, value in values.items():
        name = key.encode()
        data += struct.pack("<Q", len(name)) + name
        if isinstance(value, str):
            text = value.encode()
            data += struct.pack("<IQ", 8, len(text)) + text
        else:
            data += struct.pack("<II", 4, value)
    return data + bytes((number * filler) % 251 for number in range(size - len(data)))


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@dataclass
class RangedFile:
    """What the server has, and how it gives it."""

    data: bytes
    linked: bool = True
    """Whether it announces the digest, as the hub does for large files."""
    cut_after: int = 0
    """It hangs up after so many bytes of an answer (0: never)."""
    with_ranges: bool = True
    etag: str = '"version-1"'
    announced_size: int = 0
    """It announces this size instead of the true one."""

    def __call__(self, handler: Handler, asked: Asked) -> None:
        if not asked.path.startswith("/cdn"):
            headers = {"Location": "/cdn/file", "X-Repo-Commit": "abc"}
            if self.linked:
                headers["X-Linked-Size"] = str(self.announced_size or len(self.data))
                headers["X-Linked-ETag"] = f'"{sha256(self.data)}"'
            handler.whole(302, b"", **{key.replace("-", "_"): value for key, value in headers.items()})
            return
        start, status = 0, 200
        found = re.fullmatch(r"bytes=(\d+)-", asked.headers.get("range", ""))
        current = asked.headers.get("if-range", self.etag) == self.etag
        if found and self.with_ranges and current:
            start, status = int(found[1]), 206
            if start >= len(self.data):
                handler.whole(416, b"")
                return
        piece = self.data[start:]
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(piece)))
        if self.etag:
            handler.send_header("ETag", self.etag)
        if status == 206:
            handler.send_header("Content-Range", f"bytes {start}-{len(self.data) - 1}/{len(self.data)}")
        handler.end_headers()
        if asked.method == "HEAD":
            return
        if self.cut_after and len(piece) > self.cut_after:
            handler.wfile.write(piece[: self.cut_after])
            handler.hang_up()
        else:
            handler.wfile.write(piece)


def ranges(asked: list[Asked]) -> list[str]:
    """The ranges that were asked for, of the requests for the file itself."""
    return [each.headers.get("range", "") for each in asked if each.method == "GET" and "/cdn" in each.path]
