"""Let editors on other machines in (``lexls serve --tcp``): TLS, a token, and a server of its own for each.

The client's first line is ``lexls/1 TOKEN``. It is answered with ``lexls/1 ok``, and all behind that is what
``lexls serve`` speaks over standard input and output; or with ``lexls/1 refused: REASON``, and the end.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import logging
import re
import signal
import socket
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from lexls.index.process import make_command, make_environment
from lexls.server.tunnel import GREETING, PIECE, keep_alive

SHORTEST_TOKEN = 32
"""Characters; a token is kept as a hash, which a short one could be guessed from."""
GREETING_SECONDS = 10.0
"""For the handshake of TLS and the token."""
MOST_UNKNOWN = 64
"""Connections that have not said a token yet; others wait until one of them has, or has been given up."""
END_SECONDS = 10.0
"""How long a server may take to end when its editor is gone."""
_LONGEST_GREETING = 1024
_TOKEN = re.compile(r"([A-Za-z0-9_][A-Za-z0-9._-]*):([0-9a-f]{64})")
_TIMES = {9: "is not valid yet", 10: "has expired"}
"""By OpenSSL's numbers: what is wrong with a certificate's dates."""

log = logging.getLogger(__name__)


class GateClosed(Exception):
    """Editors cannot be let in; the message says why, for the user."""


@dataclass(frozen=True, slots=True)
class Door:
    """Where editors come in, and how.

    ``certificate`` and ``key`` are PEM files (None: plain text, on loopback alone), ``tokens`` a file with a
    line for each editor, its name and its token's SHA-256. ``shared`` are folders that editors have at the
    same path. At most ``most`` editors are served at a time.
    """

    address: tuple[str, int]
    tokens: Path
    certificate: Path | None = None
    key: Path | None = None
    shared: tuple[Path, ...] = ()
    most: int = 16


def read_tokens(path: Path, *, strict: bool = False) -> Sequence[tuple[str, bytes]]:
    """The editors' names, each with the hash of its token; one may have several. Raises ``GateClosed``.

    A line that is wrong, as while the file is being written, lets nobody in and is logged; if ``strict`` it
    raises ``GateClosed``, too.
    """
    found = []
    for number, line in enumerate(_read(path).splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        matched = _TOKEN.fullmatch(line.strip())
        if matched is None:
            fault = f"{path}: line {number} is not a name, a colon and the SHA-256 of a token"
            if strict:
                raise GateClosed(fault)
            log.error("%s; nobody is let in by it", fault)
            continue
        found.append((matched[1], bytes.fromhex(matched[2])))
    return found


def find_name(tokens: Sequence[tuple[str, bytes]], token: str) -> str:
    """Whose token it is, "" if nobody's; the time that takes tells nothing of the tokens."""
    digest = hashlib.sha256(token.encode()).digest()
    names = [name for name, known in tokens if hmac.compare_digest(known, digest)]
    return names[0] if names and len(token) >= SHORTEST_TOKEN else ""


def open_context(certificate: Path, key: Path) -> ssl.SSLContext:
    """TLS 1.2 or newer with that certificate. Raises ``GateClosed``."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    for path in (certificate, key):
        if "-----BEGIN " not in _read(path):
            raise GateClosed(f"{path}: is not a PEM file")
    try:
        # With no password nobody is asked for one.
        context.load_cert_chain(certificate, key, password="")
    except ssl.SSLError as error:
        wrong = "does not belong to" if error.reason == "KEY_VALUES_MISMATCH" else "cannot be used with"
        reason = (error.reason or "encrypted, or not whole").replace("_", " ").lower()
        raise GateClosed(f"{key}: the key {wrong} the certificate {certificate} ({reason})") from error
    return context


def check_dates(context: ssl.SSLContext, certificate: Path) -> None:
    """Raises ``GateClosed`` where the certificate is not valid at this time."""
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.check_hostname = False
    client.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    client.load_verify_locations(certificate)
    up, down = ssl.MemoryBIO(), ssl.MemoryBIO()
    ends = (client.wrap_bio(down, up), context.wrap_bio(up, down, server_side=True))
    try:
        for end in ends * 2:
            with contextlib.suppress(ssl.SSLWantReadError):
                end.do_handshake()
    except ssl.SSLCertVerificationError as error:
        if error.verify_code in _TIMES:
            raise GateClosed(f"{certificate}: the certificate {_TIMES[error.verify_code]}") from error


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise GateClosed(f"{path}: cannot be read: {error.strerror or error}") from error


def listen(door: Door) -> None:
    """Let editors in until the process is asked to end. Raises ``GateClosed``."""
    logging.basicConfig(level=logging.INFO, format="lexls: %(message)s")
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    asyncio.run(Gate(door).listen())


class Gate:
    """Watches a door. The files are read anew for each editor: tokens and certificates come and go."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._context = self._open_context()
        if self._context is not None and door.certificate is not None:
            check_dates(self._context, door.certificate)
        if not read_tokens(door.tokens, strict=True):
            raise GateClosed(f"{door.tokens}: there is no token")
        self._unknown = asyncio.Semaphore(MOST_UNKNOWN)
        self._served = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def _open_context(self) -> ssl.SSLContext | None:
        certificate = self._door.certificate
        return open_context(certificate, self._door.key or certificate) if certificate is not None else None

    async def listen(self) -> None:
        """Let editors in until SIGTERM or SIGINT; then the servers end, too. Raises ``GateClosed``."""
        loop, stopped = asyncio.get_running_loop(), asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            with contextlib.suppress(NotImplementedError):  # Windows
                loop.add_signal_handler(number, stopped.set)
        with self._open_socket() as listener:
            tasks = {loop.create_task(self._accept(listener)), loop.create_task(stopped.wait())}
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (*tasks, *self._tasks):
                    task.cancel()
                await asyncio.gather(*tasks, *self._tasks, return_exceptions=True)
        for task in tasks:
            if not task.cancelled():
                task.result()

    def _open_socket(self) -> socket.socket:
        host, port = self._door.address
        where = f"{host}:{port}"
        try:
            family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            if self._context is None and not ip_address(address[0]).is_loopback:
                raise GateClosed(f"{where}: without --cert this machine alone can be served (127.0.0.1)")
            listener = socket.create_server(address[:2], family=family)
        except OSError as error:
            raise GateClosed(f"cannot listen on {where}: {error.strerror or error}") from error
        listener.setblocking(False)
        port = listener.getsockname()[1]
        log.info("listening on %s:%s, %s", host, port, "with TLS" if self._context else "in plain text")
        return listener

    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await self._unknown.acquire()
            try:
                connection, peer = await loop.sock_accept(listener)
            except OSError as error:  # too many files are open
                self._unknown.release()
                log.error("a connection was not taken: %s", error.strerror or error)
                await asyncio.sleep(1)
                continue
            task = loop.create_task(self._let_in(connection, str(peer[0])))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _let_in(self, connection: socket.socket, peer: str) -> None:
        writer = None
        try:
            reader, writer = await self._open_stream(connection)
            async with asyncio.timeout(GREETING_SECONDS):
                name = await self._greet(reader, writer)
        except TimeoutError:
            log.warning("%s: said nothing in time", peer)
            if writer is not None:
                writer.transport.abort()
            return
        except (GateClosed, OSError, EOFError, asyncio.LimitOverrunError) as error:
            reason = getattr(error, "reason", None) or getattr(error, "strerror", None) or error
            # Of who only looks whether the door is there nothing is said.
            if not isinstance(error, EOFError | ConnectionResetError):
                log.warning("%s: refused: %s", peer, reason)
            if writer is not None:
                writer.close()
            return
        finally:
            self._unknown.release()
        self._served += 1
        log.info("%s from %s: connected (%s of %s)", name, peer, self._served, self._door.most)
        try:
            await self._serve(name, reader, writer)
        except OSError as error:
            log.error("%s from %s: %s", name, peer, error.strerror or error)
        finally:
            self._served -= 1
            writer.transport.abort()
            log.info("%s from %s: gone", name, peer)

    async def _open_stream(
        self, connection: socket.socket
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        keep_alive(connection)
        try:
            self._context = self._open_context()
        except GateClosed as error:
            log.error("%s; the certificate that was read before is used", error)
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(limit=PIECE)
        protocol = asyncio.StreamReaderProtocol(reader)
        seconds = GREETING_SECONDS if self._context is not None else None
        transport, _ = await loop.connect_accepted_socket(
            lambda: protocol,
            connection,
            ssl=self._context,
            ssl_handshake_timeout=seconds,
            ssl_shutdown_timeout=seconds,
        )
        return reader, asyncio.StreamWriter(transport, protocol, reader, loop)

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> str:
        """The editor's name. Raises ``GateClosed`` for whom it has refused."""
        line = (await reader.readuntil(b"\n"))[: _LONGEST_GREETING + 1].decode("utf-8", "replace")
        said, _, token = line.strip().partition(" ")
        try:
            if said != GREETING or len(line) > _LONGEST_GREETING:
                raise GateClosed(f"the first line is not {GREETING} and a token, as lexls connect says it")
            name = find_name(read_tokens(self._door.tokens), token)
            if not name:
                raise GateClosed("the token is none of this server's")
            if self._served >= self._door.most:
                raise GateClosed(f"{self._served} editors are served already, and no more at a time")
        except GateClosed as error:
            known = str(error).replace(str(self._door.tokens), "the tokens")
            writer.write(f"{GREETING} refused: {known}\n".encode())
            raise
        writer.write(f"{GREETING} ok\n".encode())
        return name

    async def _serve(self, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        shared = [word for folder in self._door.shared for word in ("--shared", str(folder))]
        process = await asyncio.create_subprocess_exec(
            *make_command("lexls", "serve", "--client", name, *shared),
            env=make_environment(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        loop = asyncio.get_running_loop()
        up = loop.create_task(copy(reader, process.stdin))
        down = loop.create_task(copy(process.stdout, writer))
        try:
            await asyncio.wait({up, down}, return_when=asyncio.FIRST_COMPLETED)
            up.cancel()
            process.stdin.close()
            # What the server still says on its way out.
            await asyncio.wait({down}, timeout=END_SECONDS)
            writer.close()
            with contextlib.suppress(OSError):  # TimeoutError, too
                async with asyncio.timeout(END_SECONDS):
                    await writer.wait_closed()
        finally:
            process.stdin.close()
            for task in (up, down):
                task.cancel()
            await asyncio.gather(up, down, return_exceptions=True)
            try:
                async with asyncio.timeout(END_SECONDS):
                    await process.wait()
            except TimeoutError:
                process.kill()
                await process.wait()


async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Hand on what comes until it ends, no faster than it is taken."""
    with contextlib.suppress(OSError):  # either is gone, which is an end, too
        while piece := await reader.read(PIECE):
            writer.write(piece)
            await writer.drain()
