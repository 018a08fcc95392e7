"""Find language model servers running on this machine. Used only if the user asks for it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lexls.models.web_address import BadAddress, HttpFailed, read_address

_SECONDS = 1.0
_MOST_BYTES = 1_000_000
_ANY_ADDRESS = ("", "0.0.0.0", "[::]")


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server on this machine. ``address`` is a value for ``openai.baseUrl``; ``models`` are the models it
    offers.
    """

    kind: str
    address: str
    models: tuple[str, ...]

    @property
    def settings(self) -> dict[str, str]:
        """The settings with which lexls uses the first model of this server for explanations."""
        return {"explain.generator": "openai", "openai.baseUrl": self.address, "openai.model": self.models[0]}


def find_local_servers() -> list[LocalServer]:
    """Return the Ollama and llama.cpp servers on this machine that respond and offer a model.

    Each server is looked for at its default address, or at the one in its environment variable
    (``OLLAMA_HOST``, ``LLAMA_ARG_PORT``). Other machines are not contacted, and no redirect is followed.
    """
    return list(_find())


def _find() -> Iterator[LocalServer]:
    ollama = _ollama_origin()
    llama_server = f"http://127.0.0.1:{os.environ.get('LLAMA_ARG_PORT', '').strip() or 8080}"
    for kind, origin, path, listed, name, is_own in (
        # Only models that Ollama runs itself; requests for others are forwarded to another server.
        ("Ollama", ollama, "/api/tags", "models", "name", lambda each: not each.get("remote_host")),
        (
            "llama-server",
            llama_server,
            "/v1/models",
            "data",
            "id",
            lambda each: each["owned_by"] == "llamacpp",
        ),
    ):
        try:
            if not read_address(origin).is_loopback:
                continue
            said = _ask(origin + path)[listed]
            if models := tuple(str(each[name]) for each in said if is_own(each)):
                yield LocalServer(kind, f"{origin}/v1", models)
        except (BadAddress, HttpFailed, ValueError, LookupError, TypeError, AttributeError, RecursionError):
            continue  # something else listens there, or nothing does


def _ollama_origin() -> str:
    """Return Ollama's address from its environment variable: a host, a port or both, with or without
    http:.
    """
    said = os.environ.get("OLLAMA_HOST", "").strip().removeprefix("http://").rstrip("/")
    host, colon, port = said.rpartition(":")
    if not colon or not port.isdigit():
        host, port = said, "11434"
    return f"http://{'127.0.0.1' if host in _ANY_ADDRESS else host}:{port}"


def _ask(url: str) -> Any:
    """Fetch JSON from an address of this machine. Raises ``HttpFailed`` and ``ValueError``."""
    from lexls.models.http import get

    until = time.monotonic() + _SECONDS
    said = bytearray()
    with get(url, {}, stop=lambda headers: True, seconds=_SECONDS) as opened:
        for piece in opened.pieces():
            said += piece
            if len(said) > _MOST_BYTES or time.monotonic() > until:
                raise ValueError(f"{opened.address.origin} does not come to an end")
    return json.loads(said)
