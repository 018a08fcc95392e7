"""Read the addresses that may be asked, know which are this machine, and say how asking failed.

Nothing is resolved: a name is judged by its letters. What two readers of an address might read differently
(a user name in it, a backslash, spaces, letters beyond ASCII) is refused, so that the address that is judged
is the address that is asked.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Literal

_ADDRESS = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]{0,15})://"
    r"(?P<host>[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])"
    r"(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<rest>/[!$-;=?-Z_a-z~]{0,8000})?"
)
"""No ``@``-part before the host, no fragment, and after the host only letters that stand for themselves."""


class BadAddress(ValueError):
    """An address that is not asked; the message says why, for the user."""


@dataclass(frozen=True, slots=True)
class WebAddress:
    """An address that may be asked. ``origin`` is its scheme, host and port; ``rest`` begins with ``/``, or
    is "". ``is_loopback`` says whether it is this machine's own."""

    origin: str
    rest: str
    is_loopback: bool

    @property
    def url(self) -> str:
        """The whole address."""
        return self.origin + self.rest

    def __truediv__(self, path: str) -> WebAddress:
        """The address of ``path`` below this one."""
        return WebAddress(self.origin, f"{self.rest.rstrip('/')}/{path}", self.is_loopback)


def read_address(url: str) -> WebAddress:
    """Read an address. Raises ``BadAddress``, also for plain http to anything but this machine."""
    match = _ADDRESS.fullmatch(url.strip())
    if match is None:
        raise BadAddress(
            "is not an address such as https://host/path, in plain ASCII and without a user name"
        )
    scheme, host, port = match["scheme"].lower(), match["host"].lower(), match["port"]
    if scheme not in ("http", "https"):
        raise BadAddress(f"begins with {scheme}:, and only https: (and http: on this machine) is spoken")
    if port is not None and not 0 < int(port) < 65536:
        raise BadAddress(f"has the port {port}, which does not exist")
    if host.startswith("["):
        try:
            ipaddress.IPv6Address(host[1:-1])
        except ValueError:
            raise BadAddress("has a host in brackets that is no IPv6 address") from None
    loopback = _is_this_machine(host)
    if scheme == "http" and not loopback:
        raise BadAddress("is not encrypted: plain http: is spoken only with this machine; use https:")
    origin = f"{scheme}://{host}" + (f":{int(port)}" if port is not None else "")
    return WebAddress(origin, match["rest"] or "", loopback)


def _is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        if host.startswith("["):
            return ipaddress.IPv6Address(host[1:-1]) == ipaddress.IPv6Address("::1")
        return ipaddress.IPv4Address(host) in ipaddress.IPv4Network("127.0.0.0/8")
    except ValueError:
        return False


Failure = Literal[
    "address", "refused", "unknown host", "certificate", "unreachable", "status", "broken", "time"
]
"""``broken``: the connection ended early, or what came is not the protocol."""


class HttpFailed(Exception):
    """A request failed. The message is words for the user, without anything of the request but the host.

    ``status`` is the HTTP status (0 if none came), ``retry_after`` what the server says of waiting, in
    seconds (0 if nothing), ``codes`` the short names of errors in its answer, such as "model_not_found":
    for comparing with known ones only.
    """

    def __init__(
        self,
        kind: Failure,
        reason: str,
        status: int = 0,
        retry_after: int = 0,
        codes: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(reason)
        self.kind: Failure = kind
        self.reason = reason
        self.status = status
        self.retry_after = retry_after
        self.codes = codes
