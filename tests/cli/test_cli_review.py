"""``lexls review``: what a whole brief does not cite, and an opponent's brief beside it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from word_documents import write_word

Run = Any
"""``Run`` of conftest.py."""
ASH = "*Ash Mooring Ltd v Tern Harbour Board* [2031] UKSC 12"
EXPERT = "An expert witness owes a duty to the court, which overrides any obligation to whoever pays."
"""What *Lorne* says."""
MEASURED = "The contractor was paid by measured depth: *Rook Dredging Ltd v Curlew* [2034] EWHC 18 (Comm)."
OPPONENT = f"We distinguish {ASH} at [2]. The rule on gulls is old and settled: *Gull v Heron* [1987] UKHL 3."


@pytest.fixture
def opponent(matter: Path) -> str:
    (matter / "opponent.md").write_text(OPPONENT, encoding="utf-8")
    (matter / "draft.md").write_text(
        f"The board knew of the pontoon: {ASH} at [2].\n\n{EXPERT}\n\n{MEASURED}\n", encoding="utf-8"
    )
    return "opponent.md"


def test_the_review_says_what_is_not_cited_and_what_the_opponent_makes_of_the_rest(
    lexls: Run, opponent: str
) -> None:
    done = lexls("review", "draft.md", "--against", opponent)
    assert done.code == 0
    said = " ".join(done.out.split())
    assert "Not cited, though the argument calls for it: 1 1. Lorne v Petrel Survey Co" in said
    assert f"line 3: {EXPERT} “{EXPERT}” [1]" in said
    assert "the opponent departs from it (distinguished), the draft relies on it" in said
    assert "Cited only in opponent.md: 1 Gull v Heron [1987] UKHL 3 (not in your library)" in said


def test_what_is_wrong_comes_first_and_what_is_not_held_last(lexls: Run, matter: Path) -> None:
    (matter / "draft.md").write_text(
        f"So it was held long ago: *Gull v Heron* [1987] UKHL 3, *Smew v Teal* [1988] UKHL 4.\n\n"
        f"“The knowledge of every servant whose task is to receive reports is the knowledge of the board "
        f"itself”: {ASH} at [2].\n\nThe board is liable: {ASH} at [9].\n",
        encoding="utf-8",
    )
    said = " ".join(lexls("review", "draft.md").out.split())
    assert "Found wrong, or worth a look: 2 line 3: error: “every” — the judgment says “each”" in said
    assert "line 5: warning: " in said
    assert (
        "Not in your library, so that nothing was compared with it: 2 "
        "line 1: Gull v Heron [1987] UKHL 3; Smew v Teal [1988] UKHL 4 Not checked:"
    ) in said


def test_its_json_is_that_of_the_manual(lexls: Run, opponent: str) -> None:
    found = lexls("review", "draft.md", "--against", opponent, "--json").json
    manual = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
    section = manual.split("## `lexls review`")[1]
    shown = json.loads(re.search(r"```json\n(.*?)```", section, re.DOTALL)[1])  # type: ignore[index]
    assert found.keys() == shown.keys()
    for name in ("missing", "against"):
        assert _shape(found[name][0]) == _shape(shown[name][0])
    [call] = found["missing"][0]["calls"]
    text = Path("draft.md").read_text(encoding="utf-8")
    assert text[call["start"] : call["end"]] == EXPERT == call["passage"]["text"]


def _shape(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _shape(value) for key, value in data.items()}
    return [_shape(data[0])] if isinstance(data, list) and data else None


def test_a_brief_in_word_is_read_too_and_the_page_has_both(lexls: Run, matter: Path, opponent: str) -> None:
    write_word(matter / "reply.docx", OPPONENT.replace("*", ""))
    lexls("review", "draft.md", "--against", "reply.docx", "--report", "page.html")
    page = (matter / "page.html").read_text(encoding="utf-8")
    assert "Beside reply.docx" in page
    assert "Characterised differently" in page
    assert "paragraph 1; distinguished" in page
    assert "Not cited, though the argument calls for it" in page
    assert "<script" not in page


def test_without_a_library_there_is_no_review(lexls: Run, tmp_path: Path) -> None:
    (tmp_path / "alone").mkdir()
    (tmp_path / "alone" / "draft.md").write_text(EXPERT, encoding="utf-8")
    assert "needs a library" in lexls("review", str(tmp_path / "alone" / "draft.md")).err


def test_a_brief_as_a_page_is_read_and_what_is_text_stays_text(
    lexls: Run, matter: Path, opponent: str
) -> None:
    said = OPPONENT.replace("*", "")
    (matter / "reply.html").write_text(f"<p>{said}</p>", encoding="utf-8")
    (matter / "reply.xml").write_text(f"<unknown>{said}</unknown>", encoding="utf-8")
    found = lexls("review", "draft.md", "--against", "reply.html", "reply.xml", "--json").json["against"]
    assert [len(each["shared"]) for each in found] == [1, 1]
    assert [each["shared"][0]["opponent"][0]["stance"] for each in found] == ["distinguished"] * 2
