"""The diagnostics that lexls publishes, as declared by the checks in `lexls.assessing.rules`.

They are read from ``diagnostics.json``, which ``make docs`` writes, so that the checks need not be imported
at startup.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

Severity = Literal["error", "warning", "information", "hint", "off"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "information", "hint", "off")


@dataclass(frozen=True, slots=True)
class DiagnosticRule:
    """A diagnostic: its code, its default severity, one line of help and the text of its manual page.

    ``order`` is its position in the manual. ``unnecessary`` lets editors fade out the text concerned. If
    ``said_once``, findings with the same message are reported only once, where the first occurs. ``filing``
    is the minimum severity when a draft is checked before filing; "off" changes nothing.
    """

    code: str
    severity: Severity
    order: int
    help: str
    documentation: str
    unnecessary: bool = False
    said_once: bool = False
    filing: Severity = "off"

    @property
    def key(self) -> str:
        """Return the key of the setting for its severity: ``not-in-library`` →
        ``diagnostics.notInLibrary``.
        """
        first, *rest = self.code.split("-")
        return "diagnostics." + first + "".join(word.capitalize() for word in rest)


def to_json(rules: Iterable[DiagnosticRule]) -> str:
    """Return the contents of ``diagnostics.json`` for these diagnostics, in this order."""
    return json.dumps([asdict(each) for each in rules], indent=2, ensure_ascii=False) + "\n"


_DECLARED = Path(__file__).with_name("diagnostics.json").read_text(encoding="utf-8")
DIAGNOSTICS: tuple[DiagnosticRule, ...] = tuple(DiagnosticRule(**each) for each in json.loads(_DECLARED))
_BY_CODE = MappingProxyType({each.code: each for each in DIAGNOSTICS})


def find_rule(code: str) -> DiagnosticRule:
    """Return the diagnostic with that code. Raises ``KeyError`` if there is none."""
    return _BY_CODE[code]


def raise_for_filing(severities: Mapping[str, Severity]) -> dict[str, Severity]:
    """Return the severities by diagnostic code, raised to the minimum required for filing."""
    floors = {each.code: each.filing for each in DIAGNOSTICS}
    return {
        code: min(each, floors.get(code, each), key=SEVERITIES.index) for code, each in severities.items()
    }
