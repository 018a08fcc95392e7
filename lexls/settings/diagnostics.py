"""The diagnostics that lexls publishes, as the checks of `lexls.assessing.rules` declare them.

They are read from ``diagnostics.json``, which ``make docs`` writes, so that a start needs no check.
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

    ``order`` is its place in the manual. ``unnecessary`` says that editors may fade out what it is about.
    ``said_once`` says that it is told where it is true first: another place with the same words adds nothing.
    ``filing`` is what its severity is at least where a draft is checked for filing; "off" changes nothing.
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
        """The setting that changes its severity: ``not-in-library`` → ``diagnostics.notInLibrary``."""
        first, *rest = self.code.split("-")
        return "diagnostics." + first + "".join(word.capitalize() for word in rest)


def to_json(rules: Iterable[DiagnosticRule]) -> str:
    """The contents of ``diagnostics.json`` for these diagnostics, in this order."""
    return json.dumps([asdict(each) for each in rules], indent=2, ensure_ascii=False) + "\n"


_DECLARED = Path(__file__).with_name("diagnostics.json").read_text(encoding="utf-8")
DIAGNOSTICS: tuple[DiagnosticRule, ...] = tuple(DiagnosticRule(**each) for each in json.loads(_DECLARED))
_BY_CODE = MappingProxyType({each.code: each for each in DIAGNOSTICS})


def find_rule(code: str) -> DiagnosticRule:
    """The diagnostic with that code; KeyError if there is none."""
    return _BY_CODE[code]


def raise_for_filing(severities: Mapping[str, Severity]) -> dict[str, Severity]:
    """The severities of the diagnostics by code, none below what a draft that is filed asks for."""
    floors = {each.code: each.filing for each in DIAGNOSTICS}
    return {
        code: min(each, floors.get(code, each), key=SEVERITIES.index) for code, each in severities.items()
    }
