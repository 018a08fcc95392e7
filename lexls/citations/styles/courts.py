"""Courts as citations abbreviate them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lexls.citations.us_courts import court_and_year

# The court's name, folded, by jurisdiction; only where one abbreviation is sure.
_COURTS: Mapping[tuple[str, str], str] = {
    ("UK", "house of lords"): "HL",
    ("UK", "privy council"): "PC",
    ("UK", "judicial committee of the privy council"): "PC",
    ("UK", "court of appeal"): "CA",
    ("UK", "court of appeal of england and wales"): "CA",
    ("UK", "court of appeal (england and wales)"): "CA",
    ("CA", "supreme court of canada"): "SCC",
    ("CA", "federal court of appeal"): "FCA",
    ("CA", "court of appeal for ontario"): "ONCA",
    ("CA", "ontario court of appeal"): "ONCA",
    ("CA", "british columbia court of appeal"): "BCCA",
    ("CA", "court of appeal for british columbia"): "BCCA",
    ("CA", "alberta court of appeal"): "ABCA",
    ("CA", "court of appeal of alberta"): "ABCA",
    ("CA", "quebec court of appeal"): "QCCA",
    ("AU", "high court of australia"): "HCA",
    ("NZ", "court of appeal of new zealand"): "NZCA",
}
_BRACKETED = re.compile(r"\((?P<court>[^()]*?)\s?\d{4}\)")
# Courts that a citation names behind its report: "[1932] AC 562 (HL)".
WRITTEN_COURT = re.compile(
    r"\s{1,3}\((?P<court>HL|PC|CA|KB|QB|Ch|Fam|Com Ct|TCC|DC|CCA|EAT|SC|SCC|HCA|FC|NSWCA|VSCA|QCA|"
    r"[A-Z]{2}(?:CA|SC|QB|KB|CJ))\)"
)


def abbreviated_court(jurisdiction: str, citation: str, court: str, date: str) -> str:
    """A court by its full name as a citation abbreviates it; "" if that is not sure, or the report tells it.

    ``date`` is ISO 8601; ``citation`` the case's own.
    """
    if jurisdiction == "US":
        bracket = _BRACKETED.search(court_and_year(citation, court, date))
        return bracket["court"].strip() if bracket is not None else ""
    return _COURTS.get((jurisdiction, " ".join(court.split()).casefold()), "")
