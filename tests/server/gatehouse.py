"""A firm's server on loopback, with real certificates, and editors that come in through ``lexls connect``."""

from __future__ import annotations

import datetime
import hashlib
import ipaddress
import secrets
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from raw_client import PATIENCE, RawClient, environment

LEXLS = (sys.executable, "-m", "lexls")


def write_certificate(folder: Path, name: str, days: int = 1, password: str = "") -> tuple[Path, Path]:
    """A certificate for ``name`` that signs itself and ends in so many days, and its key; their PEM files."""
    key = ec.generate_private_key(ec.SECP256R1())
    known_as = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    alternative: x509.GeneralName = x509.DNSName(name)
    if name[0].isdigit():
        alternative = x509.IPAddress(ipaddress.ip_address(name))
    made = (
        x509.CertificateBuilder()
        .subject_name(known_as)
        .issuer_name(known_as)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=9))
        .not_valid_after(now + datetime.timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
        .sign(key, hashes.SHA256())
    )
    encryption: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if password:
        encryption = serialization.BestAvailableEncryption(password.encode())
    folder.mkdir(parents=True, exist_ok=True)
    files = folder / f"{name}.pem", folder / f"{name}.key"
    files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    files[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption)
    )
    return files


def write_token(folder: Path, name: str) -> tuple[Path, str]:
    """A file with a new token, and the line that lets it in under that name."""
    token = secrets.token_hex(32)
    file = folder / f"{name}.token"
    file.write_text(f"{token}\n", encoding="utf-8")
    return file, f"{name}:{hashlib.sha256(token.encode()).hexdigest()}\n"


@dataclass
class Gatehouse:
    """``lexls serve --tcp`` for alice and bob, whose files lie below ``home``."""

    home: Path
    certificate: Path
    port: int = 0
    log: list[str] = field(default_factory=list)
    clients: list[RawClient] = field(default_factory=list)

    @classmethod
    def open(cls, home: Path, *options: str, tls: bool = True) -> Gatehouse:
        """Start it, and wait until it listens."""
        certificate, key = write_certificate(home, "127.0.0.1")
        house = cls(home, certificate)
        lines = [write_token(home, name)[1] for name in ("alice", "bob")]
        house.tokens.write_text("# whom we know\n" + "".join(lines), encoding="utf-8")
        files = ["--tokens", str(house.tokens)]
        if tls:
            files += ["--cert", str(certificate), "--key", str(key)]
        house.process = subprocess.Popen(
            [*LEXLS, "serve", "--tcp", "127.0.0.1:0", *files, *options],
            stderr=subprocess.PIPE,
            text=True,
            env=environment(home),
        )
        threading.Thread(target=house._hear, daemon=True).start()
        house.port = int(house.wait_for("listening on").split(",")[0].rsplit(":", 1)[1])
        return house

    process: subprocess.Popen[str] = field(init=False)

    @property
    def tokens(self) -> Path:
        return self.home / "tokens"

    def _hear(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log.append(line.rstrip("\n"))

    def wait_for(self, words: str, times: int = 1) -> str:
        """The first line of the log with these words, once there are as many such lines."""
        until = time.monotonic() + PATIENCE
        while len(found := [line for line in list(self.log) if words in line]) < times:
            assert time.monotonic() < until, self.log
            assert self.process.poll() is None or found, self.log
            time.sleep(0.02)
        return found[0]

    def command(self, name: str = "alice") -> Sequence[str]:
        """What that person's editor starts."""
        where, token = f"127.0.0.1:{self.port}", str(self.home / f"{name}.token")
        return [*LEXLS, "connect", where, "--ca", str(self.certificate), "--token-file", token]

    def editor(self, name: str = "alice") -> RawClient:
        """That person's editor, not yet initialized."""
        client = RawClient(self.home / f"{name}-at-home", command=self.command(name))
        self.clients.append(client)
        return client

    def reach(self) -> ssl.SSLSocket:
        """A connection with TLS on which nothing was said."""
        context = ssl.create_default_context(cafile=self.certificate)
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        return context.wrap_socket(plain, server_hostname="127.0.0.1")

    def close(self) -> None:
        for client in self.clients:
            client.process.kill()
            client.process.wait()
        self.process.kill()
        self.process.wait()
