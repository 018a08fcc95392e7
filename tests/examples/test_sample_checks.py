"""What lexls finds in the sample's drafts: each check once in the slips, nothing in the clean draft."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from lexls.assessing.check import Finding
from lexls.assessing.rules.engine import FoundBefore, check, check_late
from lexls.assessing.rules.listed import CATALOGUE_MISMATCH, IN_CATALOGUE
from lexls.assessing.rules.missing import WHICH_FILE
from lexls.assessing.rules.unverified import NOT_FULLY_READ
from lexls.citations.grammar import Grammar
from lexls.index.config import make_record_config
from lexls.index.library import Library
from lexls.index.session import bring_up_to_date
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import CaseRecord, Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.diagnostics import DIAGNOSTICS
from lexls.text.cancel import CancelToken
from lexls.text.formats import format_of
from tests.examples.sample_settings import SAMPLE, settings_of

SLIPS = "slips/opinion.md"
NOTE = "slips/note.tex"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CaseRecord]:
    config = make_record_config(settings_of(SLIPS))
    assert config is not None
    config = replace(config, index=tmp_path_factory.mktemp("record") / "record.sqlite3")
    bring_up_to_date(config)
    papers = Library(config.index)
    yield CaseRecord(papers)
    papers.close()


def findings(
    library: Library, record: CaseRecord, draft: str, source: str | None = None
) -> tuple[str, list[Finding]]:
    """The draft's source and what is found in it, or in another source with its settings."""
    settings = settings_of(draft)
    path = SAMPLE / draft
    text = path.read_text(encoding="utf-8") if source is None else source
    grammar = Grammar.load(settings.citations_forms)
    parsed = DraftParser(grammar, settings.jurisdiction).parse(path.as_uri(), text, format_of("", path.name))
    searcher = Searcher(library, grammar=grammar)
    snapshot = Snapshot(
        parsed, library, searcher, settings, record=record if settings.record_folders else None
    )
    late = FoundBefore()
    check_late(snapshot, CancelToken(), late)
    return text, check(snapshot, CancelToken(), late=late)


def listed(draft: str) -> list[tuple[int, str, str]]:
    """The rows of a draft's table in the README: line, words, and the code that is shown."""
    section = (SAMPLE / "README.md").read_text(encoding="utf-8").split(f"## {draft}\n")[1].split("\n## ")[0]
    codes = {rule.code for rule in DIAGNOSTICS}
    rows = [line.split(" | ") for line in section.splitlines() if line.startswith("| ")]
    found = []
    for row in rows:
        shown = [code for code in codes if f"`{code}`" in row[-1]]
        if shown:
            found.append((int(row[0].lstrip("| ")), row[1].strip("`"), shown[0]))
    return found


def test_the_slips_show_each_check_once(library: Library, record: CaseRecord) -> None:
    found = [each for draft in (SLIPS, NOTE) for each in findings(library, record, draft)[1]]
    # No paragraph to open, no file of the sample that does not say which case it is, and no catalogue.
    of_catalogue = {IN_CATALOGUE.code, CATALOGUE_MISMATCH.code}
    shown = {rule.code for rule in DIAGNOSTICS} - {NOT_FULLY_READ.code, WHICH_FILE.code} - of_catalogue
    assert Counter(each.code for each in found) == dict.fromkeys(shown, 1)


@pytest.mark.parametrize("draft", [SLIPS, NOTE, "drafts/skeleton-argument.md", "drafts/memorandum.tex"])
def test_what_is_found_is_what_the_readme_says(library: Library, record: CaseRecord, draft: str) -> None:
    text, found = findings(library, record, draft)
    shown = sorted((text.count("\n", 0, each.span.start) + 1, each.code) for each in found)
    assert shown == sorted((line, code) for line, _, code in listed(draft))
    for line, words, code in listed(draft):
        (finding,) = [
            each for each in found if each.code == code and text.count("\n", 0, each.span.start) + 1 == line
        ]
        place = text.index(words, sum(len(each) + 1 for each in text.split("\n")[: line - 1]))
        assert finding.span.start < place + len(words)
        assert place < finding.span.end + 1


def test_a_clean_draft_shows_nothing(library: Library, record: CaseRecord) -> None:
    text, found = findings(library, record, "drafts/advice.typ")
    assert found == []
    for right, wrong in (
        ("[15]. A sum", "[95]. A sum"),
        ("need not be", "must be"),
        ("1 AldLR 402", "9 AldLR 402"),
    ):
        assert right in text
        assert findings(library, record, "drafts/advice.typ", text.replace(right, wrong))[1], wrong


def test_every_preferred_fix_mends_its_slip(library: Library, record: CaseRecord) -> None:
    text, found = findings(library, record, SLIPS)
    mended = [each for each in found if any(fix.preferred for fix in each.fixes)]
    assert len(mended) >= 8
    for finding in mended:
        fix = next(fix for fix in finding.fixes if fix.preferred)
        source = text
        for edit in sorted(fix.edits, key=lambda each: each.span, reverse=True):
            source = source[: edit.span.start] + edit.text + source[edit.span.end :]
        after = Counter(each.code for each in findings(library, record, SLIPS, source)[1])
        assert after[finding.code] == 0, finding.code
