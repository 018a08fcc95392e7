"""Parse web addresses, recognise those of this machine, and describe failed requests.

Host names are not resolved: a host is judged by its spelling. Addresses that two parsers might read
differently (with a user name, a backslash, spaces or non-ASCII letters) are rejected, so that the address
checked is the address requested.
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
"""Pattern of allowed addresses: no user name, no fragment, and only unambiguous characters after the host."""


class BadAddress(ValueError):
    """Raised for an address that is not allowed; the message gives the user the reason."""


@dataclass(frozen=True, slots=True)
class WebAddress:
    """An allowed address. ``origin`` is its scheme, host and port; ``rest`` begins with ``/``, or is "".
    ``is_loopback`` says whether it is on this machine.
    """

    origin: str
    rest: str
    is_loopback: bool

    @property
    def url(self) -> str:
        """The whole address."""
        return self.origin + self.rest

    def __truediv__(self, path: str) -> WebAddress:
        """Return the address with ``path`` appended."""
        return WebAddress(self.origin, f"{self.rest.rstrip('/')}/{path}", self.is_loopback)


def read_address(url: str) -> WebAddress:
    """Parse an address. Raises ``BadAddress`` if the address is not allowed; plain http is allowed to this
    machine only.
    """
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
"""Kinds of failure; ``broken``: the connection ended early, or the data does not follow the protocol."""


class HttpFailed(Exception):
    """Raised if a request failed. The message is for the user, and contains no part of the request except the
    host.

    ``status`` is the HTTP status (0 if none), ``retry_after`` the server's suggested wait in seconds (0 if
    none), and ``codes`` the short error codes in its answer, such as "model_not_found". Use the codes only to
    compare them with known ones.
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
