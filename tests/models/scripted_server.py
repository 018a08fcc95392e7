"""A real HTTP server on this machine that answers as a test scripts it, and remembers what it was asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Asked:
    """One request that came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ScriptedServer  # type: ignore[assignment]

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def _any(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        body = self.rfile.read(length)
        headers = {key.lower(): value for key, value in self.headers.items()}
        asked = Asked(self.command, self.path, headers, body)
        with self.server.lock:
            self.server.asked.append(asked)
        try:
            self.server.script(self, asked)
        except (BrokenPipeError, ConnectionResetError):
            pass
        finally:
            self.server.done.release()

    do_GET = do_POST = do_HEAD = do_CONNECT = _any

    def begin(self, content_type: str = "text/event-stream", status: int = 200, **headers: str) -> None:
        """The head of an answer whose body comes in chunks."""
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.flush()

    def chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def end(self) -> None:
        self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

    def hang_up(self) -> None:
        """Close the connection in the middle of whatever it is in."""
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(2)

    def whole(self, status: int, body: bytes, content_type: str = "application/json", **headers: str) -> None:
        """A whole answer."""
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def client_left(self, seconds: float) -> bool:
        """Whether the client closed the connection within so many seconds."""
        self.connection.settimeout(seconds)
        try:
            return self.connection.recv(1) == b""
        except TimeoutError:
            return False
        except OSError:
            return True


Script = Callable[[Handler, Asked], None]


@dataclass
class ScriptedServer(ThreadingHTTPServer):
    script: Script
    asked: list[Asked] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    done: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    """Released once for each request that was answered."""

    def __post_init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def scripted(script: Script) -> Iterator[ScriptedServer]:
    """A running server; it is closed at the end."""
    server = ScriptedServer(script)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
