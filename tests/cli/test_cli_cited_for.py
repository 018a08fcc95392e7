"""``lexls support`` says what an authority was cited for before."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]

SAID = "A surveyor who is paid by the day owes the board an account of every tide"
CITED = "Lorne v Petrel Survey Co [2033] EWCA Civ 210"


def test_support_counts_judgments_and_own_files(lexls: Run, matter: Path) -> None:
    text = (matter / "library" / "dunlin.md").read_text(encoding="utf-8")
    (matter / "library" / "dunlin.md").write_text(f"{text}\n[2] {SAID}: {CITED}.\n", encoding="utf-8")
    case = {"question": f"{SAID}.", "answer": "So it does.", "citation": CITED}
    (matter / "own.jsonl").write_text(f"{json.dumps(case)}\n{{broken\n", encoding="utf-8")
    with open(matter / "lexls.toml", "a", encoding="utf-8") as settings:
        settings.write('precedents.caseBases = ["own.jsonl"]\n')
    found = lexls("support", f"{SAID}.", "--json")
    assert "own.jsonl:2: not JSON" in found.err
    counts = {hit["path"]: hit["cited_for"] for hit in found.json["hits"]}
    assert counts["cases/lorne.md"] == {"documents": 1, "own": 1}
    assert all(not any(each.values()) for path, each in counts.items() if path != "cases/lorne.md")
    words = lexls("support", f"{SAID}.").out
    assert "cited for this in 1 judgment of your library and in 1 file of your own cases and drafts" in words


def test_support_says_nothing_where_precedents_are_switched_off(lexls: Run, matter: Path) -> None:
    text = (matter / "library" / "dunlin.md").read_text(encoding="utf-8")
    (matter / "library" / "dunlin.md").write_text(f"{text}\n[2] {SAID}: {CITED}.\n", encoding="utf-8")
    with open(matter / "lexls.toml", "a", encoding="utf-8") as settings:
        settings.write("precedents.enabled = false\n")
    hits = lexls("support", f"{SAID}.", "--json").json["hits"]
    assert hits
    assert all(hit["cited_for"] == {"documents": 0, "own": 0} for hit in hits)
