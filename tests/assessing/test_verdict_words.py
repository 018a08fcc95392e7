"""Every verdict has its words and its look on every face."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from lexls.assessing.verdicts import VERDICTS

ROOT = Path(__file__).parents[2]
TABLES = {
    "assessing/verdicts.toml": ("verdicts", "states", "counted"),
    "export/report_page.toml": ("verdicts",),
    "cli/tables.toml": ("sarif_kinds",),
}


@pytest.mark.parametrize(
    ("file", "table"), [(file, each) for file, tables in TABLES.items() for each in tables]
)
def test_a_table_knows_each_verdict(file: str, table: str) -> None:
    tables = tomllib.loads((ROOT / "lexls" / file).read_text(encoding="utf-8"))
    assert set(VERDICTS) <= tables[table].keys()


def test_the_extension_knows_each_verdict() -> None:
    protocol = (ROOT / "editors/vscode/src/protocol.ts").read_text(encoding="utf-8")
    (declared,) = re.findall(r"export type Verdict = ([^;]+);", protocol)
    assert re.findall(r'"([^"]+)"', declared) == list(VERDICTS)
