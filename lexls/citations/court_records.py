"""Name American courts by what records of them hold: identifiers of `courts-db`, the courts' own sites."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

_HOST = re.compile(r"(?:https?://)?(?:www\d?\.)?([a-z0-9.-]{4,80})", re.IGNORECASE)
_CIRCUIT = re.compile(r"Court of Appeals for the .*\bCircuit$")


def name_court(identifier: str) -> str:
    """The name of a court by its identifier ("ca1"), "" if there is none."""
    return _names()[0].get(identifier, "")


def name_court_of_site(address: str) -> str:
    """The name of the court whose own site an address is on, "" if it is no court's or several courts'."""
    host = _HOST.match(address)
    return _names()[1].get(host[1].lower(), "") if host else ""


@cache
def _names() -> tuple[Mapping[str, str], Mapping[str, str]]:
    from courts_db import courts

    by_identifier: dict[str, str] = {}
    by_site: dict[str, str] = {}
    for court in courts:
        name = court["name"]
        if _CIRCUIT.match(name):
            name = f"United States {name}"
        by_identifier[court["id"]] = name
        if host := _HOST.match(court.get("court_url") or ""):
            site = host[1].lower()
            by_site[site] = name if by_site.get(site, name) == name else ""
    return by_identifier, by_site
