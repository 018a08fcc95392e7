"""Asking the library from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

Run = Any
"""``Run`` of conftest.py."""
CURLEW = """---
title: Tern Harbour Board v Curlew
citation: "[2036] UKSC 2"
court: Supreme Court
date: 2036-05-06
kind: case
jurisdiction: UK
---

# Tern Harbour Board v Curlew

[1] The pilot boat lay at the quay for a week.

[2] We overrule Ash Mooring Ltd v Tern Harbour Board [2031] UKSC 12.
"""


def test_an_answer_is_verbatim_at_its_place(lexls: Run, matter: Path) -> None:
    found = lexls("ask", "What duty does an expert witness owe to the court?", "--json").json
    assert found["question"] == "What duty does an expert witness owe to the court?"
    assert found["abstained"] is False
    assert found["generator"] == "extractive"
    pins = [pin for sentence in found["sentences"] for pin in sentence["pins"]]
    assert (pins[0]["path"], pins[0]["place"]) == ("cases/lorne.md", "[1]")
    for pin in pins:
        text = (matter / "library" / pin["path"]).read_text(encoding="utf-8")
        assert text[pin["start"] : pin["end"]] == pin["text"]


def test_people_read_the_words_the_place_and_who_chose_them(lexls: Run, matter: Path) -> None:
    shown = lexls("ask", "What duty does an expert witness owe to the court?").out
    assert shown.startswith("“An expert witness owes a duty to the court")
    assert "    Lorne v Petrel Survey Co [2033] EWCA Civ 210 at [1]\n" in shown
    assert shown.endswith("Selected from your library word for word (extractive).\n")


def test_what_the_library_does_not_know_is_not_answered(lexls: Run, matter: Path) -> None:
    question = "How is chlorophyll made in the court of alpine mosses?"
    found = lexls("ask", question, "--json").json
    assert found["abstained"] is True
    assert found["sentences"] == []
    assert found["notes"]
    assert "“chlorophyll”" in lexls("ask", question).out


def test_a_document_that_the_question_names_is_looked_into_alone(lexls: Run, matter: Path) -> None:
    found = lexls("ask", "In Rook Dredging Ltd v Curlew, what may the engineer of the board do?", "--json")
    paths = {pin["path"] for sentence in found.json["sentences"] for pin in sentence["pins"]}
    assert paths == {"cases/rook.md"}


def test_a_document_that_the_question_cites_is_looked_into_alone(lexls: Run, matter: Path) -> None:
    found = lexls("ask", "What does [2034] EWHC 18 (Comm) say of the board's engineer?", "--json").json
    paths = {pin["path"] for sentence in found["sentences"] for pin in sentence["pins"]}
    assert paths == {"cases/rook.md"}


def test_a_file_left_out_answers_nothing(lexls: Run, matter: Path) -> None:
    question = "What duty does an expert witness owe to the court?"
    found = lexls("ask", question, "--exclude", "cases/lorne.md", "--json").json
    pins = [pin["path"] for sentence in found["sentences"] for pin in sentence["pins"]]
    assert "cases/lorne.md" not in pins
    assert lexls("ask", question, "--exclude", "gone.md").code == 2


def test_an_authority_that_was_overruled_is_marked(lexls: Run, matter: Path) -> None:
    (matter / "library" / "cases" / "curlew.md").write_text(CURLEW, encoding="utf-8")
    question = "Must a harbour board take reasonable care to find dangers in its channel?"
    [pin] = [
        pin
        for sentence in lexls("ask", question, "--json").json["sentences"]
        for pin in sentence["pins"]
        if pin["path"] == "cases/ash-mooring.md"
    ][:1]
    assert pin["warning"] == "overruled in Tern Harbour Board v Curlew [2036] UKSC 2 at [2]"
    # How its lines are folded hangs on the length of the folder's name.
    assert "(warning: overruled in" in " ".join(lexls("ask", question).out.split())


def test_a_dry_run_shows_the_prompt_and_answers_nothing(lexls: Run, matter: Path) -> None:
    question = "What duty does an expert witness owe to the court?"
    found = lexls("ask", question, "--generator", "dry-run", "--json").json
    assert found["sentences"] == []
    assert "An expert witness owes a duty to the court" in found["prompt"]
    assert question in found["prompt"]
    assert found["template"]
    shown = lexls("ask", question, "--generator", "dry-run").out
    assert "An expert witness owes a duty to the court" in shown
    assert "this is the prompt" in shown


def test_a_generator_that_lacks_something_says_what(lexls: Run, matter: Path) -> None:
    result = lexls("ask", "Who is liable?", "--generator", "llama")
    assert result.code == 3
    assert "llama.model" in result.err
    asked = lexls("ask", "Who is liable?", "--generator", "openai", "--json")
    assert asked.code == 3
    assert "openai" in asked.json["error"]


@pytest.mark.parametrize("arguments", [["ask"], ["ask", " "], ["ask", "Who?", "--generator", "oracle"]])
def test_a_wrong_call_is_refused(lexls: Run, matter: Path, arguments: list[str]) -> None:
    assert lexls(*arguments).code == 2


def test_an_explanation_can_be_a_dry_run_too(lexls: Run, matter: Path) -> None:
    [found] = lexls("explain", "draft.md", "--line", "3", "--generator", "dry-run", "--json").json[
        "explanations"
    ]
    assert found["sentences"] == []
    assert "The knowledge of each servant" in found["prompt"]


def test_what_is_cited_and_absent_is_said_with_what_comes_nearest(lexls: Run, matter: Path) -> None:
    (matter / "draft.md").write_text(
        "An expert witness owes a duty to the court that overrides any obligation: [2001] UKHL 7 at [1].\n",
        encoding="utf-8",
    )
    [found] = lexls("explain", "draft.md", "--line", "1", "--json").json["explanations"]
    assert found["authority"] is None
    assert found["abstained"] is True
    assert found["notes"] == ["[2001] UKHL 7 is not in your library."]
    assert found["nearest"][0]["path"] == "cases/lorne.md"


def test_a_terminal_shows_an_answer_as_it_grows(lexls: Run, matter: Path, monkeypatch: Any) -> None:
    """The lines of the extracts are written over by those of the whole answer."""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    shown = lexls("ask", "What duty does an expert witness owe to the court?").out
    first, back, last = shown.partition("\x1b[")
    assert "An expert witness owes a duty to the court" in first
    assert "(extractive)" not in first
    assert back
    assert "An expert witness owes a duty to the court" in last
    assert "(extractive)" in last
