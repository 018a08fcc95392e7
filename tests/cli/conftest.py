"""A small invented library and a draft that cites it, for the command line's tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import filing_logs
import pytest

from lexls.cli.main import main

HARBOUR = """---
title: Ash Mooring Ltd v Tern Harbour Board
citation: "[2031] UKSC 12"
court: Supreme Court
date: 2031-03-04
kind: case
jurisdiction: UK
---

# Ash Mooring Ltd v Tern Harbour Board

[1] A harbour board that invites vessels into its channel must take reasonable care to find dangers there.

[2] The knowledge of each servant whose task is to receive reports is the knowledge of the board itself.

[3] A yacht skipper told the office of the sunken pontoon. The board did nothing, and is liable for the loss.
"""

EXPERT = """---
title: Lorne v Petrel Survey Co
citation: "[2033] EWCA Civ 210"
court: Court of Appeal
date: 2033-10-11
kind: case
jurisdiction: UK
---

# Lorne v Petrel Survey Co

[1] An expert witness owes a duty to the court, which overrides any obligation to whoever pays.

[2] The surveyor was the claimant's brother, and said so in his report.
"""

DREDGING = """---
title: Rook Dredging Ltd v Curlew
citation: "[2034] EWHC 18 (Comm)"
court: High Court
date: 2034-01-20
kind: case
jurisdiction: UK
---

# Rook Dredging Ltd v Curlew

[1] A contractor who dredges for a harbour board is paid by measured depth.

[2] The board's engineer may certify less, but only for reasons that he gives in writing.
"""

WILL = """---
title: Re Dunlin's Will
citation: "[2029] EWHC 611 (Ch)"
court: High Court
date: 2029-06-02
kind: case
jurisdiction: UK
---

# Re Dunlin's Will

[1] A gift to a class closes when its first member is entitled to a share.
"""

DRAFT = """# Skeleton argument

The board knew of the pontoon: *Ash Mooring Ltd v Tern Harbour Board* [2031] UKSC 12 at [2].

An expert witness owes a duty to the court that overrides any obligation to whoever pays.

The rule is old: *Gull v Heron* [1987] UKHL 3. Compare *Ash Mooring* at [9].
"""


@dataclass(frozen=True)
class Result:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Result]


@pytest.fixture
def matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with lexls.toml, a library and a draft; the user's own folders are elsewhere."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    folder = tmp_path / "matter"
    (folder / "library" / "cases").mkdir(parents=True)
    (folder / "lexls.toml").write_text('jurisdiction = "UK"\nembeddings.model = ""\n', encoding="utf-8")
    (folder / "library" / "cases" / "ash-mooring.md").write_text(HARBOUR, encoding="utf-8")
    (folder / "library" / "cases" / "lorne.md").write_text(EXPERT, encoding="utf-8")
    (folder / "library" / "cases" / "rook.md").write_text(DREDGING, encoding="utf-8")
    (folder / "library" / "dunlin.md").write_text(WILL, encoding="utf-8")
    (folder / "draft.md").write_text(DRAFT, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(autouse=True)
def no_local_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever runs on this machine is not found where it usually is."""
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    monkeypatch.setenv("LLAMA_ARG_PORT", "9")


@pytest.fixture
def lexls(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command of lexls in this process."""

    def run(*arguments: str) -> Result:
        capsys.readouterr()
        try:
            code = main(list(arguments))
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return run


@pytest.fixture
def logged(lexls: Run, matter: Path) -> Path:
    """A matter whose draft has a log, in log.json."""
    (matter / "draft.md").write_text(filing_logs.DRAFT, encoding="utf-8")
    (matter / "exhibits").mkdir()
    (matter / "exhibits" / "Ex. 4 - Licence.txt").write_text(filing_logs.LICENCE, encoding="utf-8")
    made = lexls("check", "draft.md", "--library", "library", "--log", "log.json")
    assert "log.json: 7 entries, 0 ticked" in made.err
    return matter
