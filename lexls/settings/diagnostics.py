"""The diagnostics that lexls publishes, as ``diagnostics.toml`` declares them, in the order of the manual."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType
from typing import Literal

Severity = Literal["error", "warning", "information", "hint", "off"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "information", "hint", "off")


@dataclass(frozen=True, slots=True)
class DiagnosticRule:
    """A diagnostic: its code, its default severity, one line of help and the text of its manual page.

    ``unnecessary`` says that editors may fade out what it is about. ``said_once`` says that it is told where
    it is true first: another place with the same words adds nothing.
    """

    code: str
    severity: Severity
    help: str
    documentation: str
    unnecessary: bool = False
    said_once: bool = False

    @property
    def key(self) -> str:
        """The setting that changes its severity: ``not-in-library`` → ``diagnostics.notInLibrary``."""
        first, *rest = self.code.split("-")
        return "diagnostics." + first + "".join(word.capitalize() for word in rest)


_DECLARED = (resources.files("lexls.settings") / "diagnostics.toml").read_text(encoding="utf-8")
_BY_CODE = MappingProxyType(
    {code: DiagnosticRule(code, **each) for code, each in tomllib.loads(_DECLARED).items()}
)
DIAGNOSTICS: tuple[DiagnosticRule, ...] = tuple(_BY_CODE.values())


def find_rule(code: str) -> DiagnosticRule:
    """The diagnostic with that code; KeyError if there is none."""
    return _BY_CODE[code]
