"""Over the wire: what an authority was cited for, in the library and in the user's own case base."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from raw_client import PATIENCE, RawClient

SAID = "A keeper of grain must guard it against damp and vermin by day and night"
CITED = "Hale v Ryle [2019] UKSC 41"
FOR_THIS = "cited for this in 1 judgment"


def judgment(title: str, citation: str, text: str) -> str:
    return f'---\ntitle: {title}\ncitation: "{citation}"\nkind: case\njurisdiction: UK\n---\n\n[1] {text}\n'


def test_hover_and_find_support_count_judgments_and_follow_the_case_base(
    tmp_path: Path, start: Callable[[], RawClient]
) -> None:
    work = tmp_path / "work"
    (work / "library").mkdir(parents=True)
    (work / "library" / "hale.md").write_text(judgment("Hale v Ryle", "[2019] UKSC 41", "He kept grain."))
    (work / "library" / "orme.md").write_text(judgment("Orme v Pike", "[2021] UKSC 5", f"{SAID}: {CITED}."))
    base = work / "own.jsonl"
    base.write_text("{broken\n", encoding="utf-8")
    (work / "lexls.toml").write_text(
        'jurisdiction = "UK"\nembeddings.model = ""\nprecedents.caseBases = ["own.jsonl"]\n', encoding="utf-8"
    )
    client = start()
    client.initialize(work, textDocument={"hover": {"contentFormat": ["markdown"]}})
    uri = client.open(work / "draft.md", f"{SAID}. See {CITED}.\n\n{SAID}.\n")

    def hover() -> str:
        place = {"line": 0, "character": len(SAID) + 8}
        found = client.result("textDocument/hover", {"textDocument": {"uri": uri}, "position": place})
        return str(found["contents"]["value"]) if found else ""

    def wait_for(words: str) -> str:
        end = time.monotonic() + PATIENCE
        while words not in (text := hover()):
            assert time.monotonic() < end, text
            time.sleep(0.2)
        return text

    assert "own cases" not in wait_for("Cited for this in 1 judgment of your library: [Orme v Pike](<")
    base.write_text(json.dumps({"question": f"{SAID}.", "answer": "Yes.", "citation": CITED}) + "\n")
    wait_for("and in 1 file of your own cases and drafts")

    place = {"line": 2, "character": 5}
    argument = {"uri": uri, "range": {"start": place, "end": place}}
    hits: list[dict[str, Any]] = client.result(
        "workspace/executeCommand", {"command": "lexls.findSupport", "arguments": [argument]}
    )
    (hale,) = (each for each in hits if each["title"] == "Hale v Ryle")
    assert hale["citedFor"]["count"] == 1
    assert hale["citedFor"]["label"].startswith(FOR_THIS)
    assert hale["citedFor"]["precedents"][0]["title"] == "Orme v Pike"
    assert hale["citedFor"]["precedents"][0]["target"]["uri"].endswith("orme.md")
