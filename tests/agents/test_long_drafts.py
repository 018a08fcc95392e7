"""A draft of any length is checked as far as time allows, and the answer says how far."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from conversation import Connect, ask

from lexls.agents.desk import AT_ONCE, Desk, Unanswerable, examine_within
from lexls.agents.tools import check_draft
from lexls.agents.tools.check_draft import CheckDraft
from lexls.reading.draft_source import DraftSource
from lexls.text.cancel import Cancelled, CancelToken
from lexls.text.formats import PLAIN

WRONG = "The carrier must show it: Carrow v Meridian [2014] ASC 12 at [999]. Number {}.\n\n"
LONGEST = 2_000_000
PATIENCE = 60.0
"""Seconds for reading the sample library."""


def write(length: int) -> str:
    """A draft of a ``length`` that cites wrongly in each paragraph."""
    count = length // len(WRONG) + 1
    return "".join(WRONG.format(number) for number in range(count))[:length]


@pytest.fixture
def desk(sample: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(sample.parent / "data"))
    made = Desk(sample, {"embeddings": {"model": ""}})
    made.start()
    until = time.monotonic() + PATIENCE
    while not made.snapshot(CancelToken()).library.complete:
        assert time.monotonic() < until, "the library was not read"
        time.sleep(0.05)
    yield made
    made.close()


def test_more_is_checked_while_time_is_left(desk: Desk) -> None:
    given = desk.read_draft(write(3 * AT_ONCE), "", "plaintext")
    found = examine_within(desk, given, CancelToken(), support=False, seconds=3600)
    assert found.end == given.length == len(found.snapshot.draft.source)


@pytest.mark.parametrize("name", ["draft.md", "draft.docx"])
def test_what_there_was_no_time_for_is_said(
    desk: Desk, sample: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("lexls.agents.desk._GROWTH", 1e9)
    if name.endswith(".docx"):
        import docx

        brief = docx.Document()
        for paragraph in write(2 * AT_ONCE).split("\n\n"):
            brief.add_paragraph(paragraph)
        brief.save(str(sample / name))
    else:
        (sample / name).write_text(write(2 * AT_ONCE))
    told = check_draft.answer(desk, CheckDraft(path=name), CancelToken())
    said = told.left_out[0]
    assert said.startswith("the draft was checked only up to ")
    assert f"Give them as `text` in parts of {AT_ONCE:,}" in said
    assert f"LEFT OUT: {said}." in told.write()
    last = max(each.at.end for each in told.citations)
    assert last < AT_ONCE
    assert len(told.findings) == check_draft._MOST_LISTED
    assert any(each.startswith("only the first 400 of ") for each in told.left_out)


def test_a_draft_whose_beginning_takes_too_long_is_refused(desk: Desk) -> None:
    given = desk.read_draft(write(AT_ONCE), "", "plaintext")
    with pytest.raises(Unanswerable, match="takes longer than 0 seconds; give a shorter part of it"):
        examine_within(desk, given, CancelToken(), support=False, seconds=0)


def test_whoever_cancels_is_not_told_of_time(desk: Desk) -> None:
    token = CancelToken()
    token.cancel()
    given = desk.read_draft(write(1000), "", "plaintext")
    with pytest.raises(Cancelled):
        examine_within(desk, given, token, support=False)


@pytest.mark.parametrize(
    ("text", "most", "end"),
    [
        ("one\n\ntwo three", 8, 5),
        ("one two\nthree", 10, 8),
        ("one two three", 9, 8),
        ("onetwothree", 6, 6),
        ("one", 6, 3),
    ],
)
def test_a_draft_is_cut_where_a_paragraph_a_line_or_a_word_ends(text: str, most: int, end: int) -> None:
    assert DraftSource("file:///x", text, PLAIN).find_end(most) == end


@pytest.mark.slow
@pytest.mark.parametrize("words", [WRONG, "105C82(1)", "s 1", "“never” [2014] ASC 12 at [23] ", "a"])
async def test_the_longest_draft_is_answered(connect: Connect, sample: Path, words: str) -> None:
    text = (words * (LONGEST // len(words) + 1))[:LONGEST]
    async with connect(sample) as client:
        told = await ask(client, "check_draft", text=text)
    assert told.data["summary"]
    assert all(len(told.data[name]) <= check_draft._MOST_LISTED for name in ("findings", "citations"))
