"""What a draft cites of the record: shown, opened, compared; and never taken for an authority."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lexls.assessing.check import Finding
from lexls.assessing.rules.engine import FoundBefore, check, check_late
from lexls.export.cited_authorities import list_cited
from lexls.export.report import DraftReport, make_report
from lexls.export.table_of_authorities import list_entries
from lexls.features.completion import complete, describe_item
from lexls.features.hover import hover
from lexls.features.inlays import find_lenses
from lexls.features.navigation import (
    find_definitions,
    find_graph_items,
    find_links,
    find_references,
    find_target,
)
from lexls.index.config import make_record_config
from lexls.index.library import Library
from lexls.index.session import bring_up_to_date
from lexls.reading.citation_order import find_earlier
from lexls.reading.snapshot import CaseRecord, Snapshot
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken

SAID = (
    "Q.  Did you look at the moorings that night?",
    "A.  I looked once before supper and not again.",
    "Q.  Why did you not look again?",
    "A.  The rain had set in and I was tired.",
    "Q.  Where was the barge then?",
    "A.  She lay easy at the north quay with both lines out.",
    "Q.  Who held the key of the lock?",
)


def page(number: int) -> str:
    said = [f"{n:>2}   {SAID[n % 7] if number == 45 else 'A.  I do not recall it.'}" for n in range(1, 26)]
    return "\n".join([f"{' ' * 50}{number}", "", *said, ""])


PAPERS = {
    "Complaint.md": """\
# IN THE HIGH COURT OF ALDMOOR

# COMPLAINT

1. The plaintiff owns the barge Lapwing.

2. On 3 May the defendant agreed to moor the barge at the north quay, and to look at her lines twice in
each night.

3. The defendant looked at the lines once, and the barge sank at her moorings before the night was over.
""",
    "Ex. 4 - Licence.txt": (
        "The licence lets the north quay to the barge Lapwing for six weeks at nine pounds a night.\n"
    ),
    "Ex. 12.txt": "Receipt for two ropes of hemp.\n",
    "Ex. 5 - Invoice.txt": "Invoice for a rope.\n",
    "Exhibit 5 (copy).txt": "A copy of the invoice.\n",
    "Exhibit A.txt": (
        "A chart of the moorings at the north quay, drawn by the harbour master in his own hand.\n"
    ),
    "Marlow Decl.md": (
        "# DECLARATION OF EDNA MARLOW\n\n1. I keep the north quay.\n\n2. Nobody came to the quay.\n"
    ),
    "Oakes Depo Vol 1.txt": "DEPOSITION OF RUTH OAKES\n\n" + "\n".join(map(page, (44, 45, 46))),
    "Photographs/Ex. 7.jpg": "no picture",
    "Carrow v Luff [2014] ASC 12.md": (
        "# Carrow v Luff\n\n[2014] ASC 12\n\n[1] A copy with a note in the margin.\n"
    ),
}


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CaseRecord]:
    folder: Path = tmp_path_factory.mktemp("matter") / "exhibits"
    for name, text in PAPERS.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    config = make_record_config(Settings(record_folders=(folder,)))
    assert config is not None
    config = replace(config, index=folder.parent / "record.sqlite3")
    bring_up_to_date(config, lexical_only=True)
    library = Library(config.index)
    yield CaseRecord(library)
    library.close()


@pytest.fixture
def see(read: Any, record: CaseRecord) -> Callable[..., Any]:
    """As ``read``, with the record beside the library."""

    def see(marked: str, **settings: Any) -> Any:
        made = read(marked, **settings)
        return replace(made, snapshot=replace(made.snapshot, record=record))

    return see


def problems(snapshot: Snapshot) -> list[Finding]:
    return check(snapshot, CancelToken())


def told(snapshot: Snapshot) -> list[tuple[str, str]]:
    return [(each.code, each.span.of(snapshot.draft.source)) for each in problems(snapshot)]


# -- shown and opened --------------------------------------------------------------------------------------


def check_hover(marked: Any, token: CancelToken, *shown: str) -> None:
    """What a hover shows at the cursor has all of this."""
    found = hover(marked.snapshot, marked.start, token)
    assert found is not None
    assert [each for each in shown if each not in found.markdown] == []


@pytest.mark.parametrize(
    ("draft", "shown", "file"),
    [
        ("The barge sank. Com|pl. ¶ 2.", "look at her lines twice", "exhibits/Complaint.md"),
        ("The barge was let. Ex|. 4.", "for six weeks at nine pounds", "exhibits/Ex. 4 - Licence.txt"),
        ("Nobody came. Marlow De|cl. ¶ 2.", "Nobody came to the quay", "exhibits/Marlow Decl.md"),
        ("He slept. Oakes Dep|. 45:8–9.", "45:8 A.", "exhibits/Oakes Depo Vol 1.txt"),
        ("He slept. Oakes Dep|. at 45.", "The rain had set in", "exhibits/Oakes Depo Vol 1.txt"),
        ("The chart is old. Marlow Decl. Ex. A|.", "A chart of the moorings", "exhibits/Exhibit A.txt"),
    ],
)
def test_hover_shows_the_place_and_the_file(
    see: Any, token: CancelToken, draft: str, shown: str, file: str
) -> None:
    check_hover(see(draft), token, shown, file)


def test_hover_shows_each_line_with_its_number(see: Any, token: CancelToken) -> None:
    marked = see("He slept. Oakes Dep|. 45:8–10.")
    found = hover(marked.snapshot, marked.start, token)
    assert found is not None
    assert [line[:7] for line in found.markdown.splitlines() if line.startswith("> ")] == [
        "> 45:8 ",
        "> 45:9 ",
        "> 45:10",
    ]


def test_hover_names_both_where_two_are_called_alike(see: Any, token: CancelToken) -> None:
    marked = see("The rope was new. Ex|. 5.")
    found = hover(marked.snapshot, marked.start, token)
    assert found is not None
    assert "Ex. 5 - Invoice.txt" in found.markdown
    assert "Exhibit 5 (copy).txt" in found.markdown


def test_hover_tells_that_a_paper_or_its_place_is_not_there(see: Any, token: CancelToken) -> None:
    missing, beyond = see("The rope was old. Ex|. 14."), see("The barge sank. Com|pl. ¶ 9.")
    one, other = (hover(each.snapshot, each.start, token) for each in (missing, beyond))
    assert one is not None
    assert one.markdown == "_No file of the record is called so._"
    assert other is not None
    assert "Complaint has paragraphs 1–3; there is no ¶ 9" in other.markdown.replace("[9]", "¶ 9")


@pytest.mark.parametrize(
    ("draft", "opened"),
    [
        ("The barge sank. Com|pl. ¶ 3.", [("Complaint.md", "3. The defendant looked")]),
        ("The barge was let. Ex|. 4.", [("Ex. 4 - Licence.txt", "The licence lets")]),
        ("He slept. Oakes Dep|. 45:8–9.", [("Oakes Depo Vol 1.txt", "A.  I looked once")]),
        (
            "The rope was new. Ex|. 5.",
            [("Ex. 5 - Invoice.txt", "Invoice for"), ("Exhibit 5 (copy).txt", "A copy of")],
        ),
        ("The rope was old. Ex|. 14.", []),
    ],
)
def test_definition_opens_the_file_at_the_place(
    see: Any, token: CancelToken, draft: str, opened: list[tuple[str, str]]
) -> None:
    marked = see(draft)
    found = [each.location for each in find_definitions(marked.snapshot, marked.start, token)]
    assert [
        (each.file.name, each.text[each.start :][: len(words)])
        for each, (_, words) in zip(found, opened, strict=True)
    ] == opened


def test_links_lead_to_the_papers_that_are_there(see: Any, token: CancelToken) -> None:
    marked = see("It sank. Compl. ¶ 3. See *Carrow v Luff* [2014] ASC 12, Ex. 14, Ex. 5 and Ex. 4.")
    links = find_links(marked.snapshot, token)
    source = marked.snapshot.draft.source
    assert [(each.span.of(source), each.of_record) for each in links] == [
        ("Compl.", True),
        ("[2014] ASC 12", False),
        ("Ex. 4", True),
    ]
    places = [
        find_target(marked.snapshot, each.span, each.authority, of_record=each.of_record) for each in links
    ]
    assert [place.file.name for place in places if place is not None] == [
        "Complaint.md",
        "carrow.md",
        "Ex. 4 - Licence.txt",
    ]


def test_completion_lists_the_exhibits_in_the_order_of_their_numbers(see: Any, token: CancelToken) -> None:
    marked = see("The rope was new. Ex. |")
    items = complete(marked.snapshot, marked.start, token)
    assert [(each.label, each.description) for each in items] == [
        ("4", "Ex. 4 - Licence.txt"),
        ("5", "Ex. 5 - Invoice.txt"),
        ("12", "Ex. 12.txt"),
        ("A", "Exhibit A.txt"),
    ]
    assert {describe_item(marked.snapshot, each.authority, "", marked.start, token) for each in items} == {""}
    typed = see("The rope was new. Exhibit 1|")
    assert [each.label for each in complete(typed.snapshot, typed.start, token)] == ["12"]


# -- id. ---------------------------------------------------------------------------------------------------

CASE = "See *Carrow v Luff* [2014] ASC 12 at [3]. "


@pytest.mark.parametrize(
    ("draft", "shown", "file"),
    [
        (
            "It sank. Compl. ¶ 1. He looked once. *Id|.* ¶ 3.",
            "the barge sank at her moorings",
            "Complaint.md",
        ),
        ("It sank. Compl. ¶ 1. He looked once. I|d. ¶¶ 2–3.", "look at her lines twice", "Complaint.md"),
        ("It sank. Compl. ¶ 1. *Id.* ¶ 3. He agreed. *I|d.* ¶ 2.", "look at her lines twice", "Complaint.md"),
        ("He agreed. Compl. ¶ 2. To look twice. I|d.", "look at her lines twice", "Complaint.md"),
        ("It sank. Compl. ¶ 1. *Id.* ¶ 2. To look. I|d.", "look at her lines twice", "Complaint.md"),
        ("He slept. Oakes Dep. 45:2. It rained. Ib|id at 45:4.", "45:4 Q.", "Oakes Depo Vol 1.txt"),
        (f"{CASE}It sank. Compl. ¶ 1. He looked once. I|d. ¶ 3.", "the barge sank", "Complaint.md"),
        (f"It sank. Compl. ¶ 1 (quoting {CASE[4:-2]}). I|d. ¶ 3.", "the barge sank", "Complaint.md"),
        (
            "It was let.[^1] It sank.[^2]\n\n[^1]: Compl. ¶ 1.\n\n[^2]: I|d. ¶ 3.\n",
            "the barge sank",
            "Complaint.md",
        ),
        ("It sank. Compl. ¶ 1.\n\nHe looked once. I|d. ¶ 3.", "the barge sank", "Complaint.md"),
    ],
)
def test_id_goes_to_the_paper_that_was_cited_last(
    see: Any, token: CancelToken, draft: str, shown: str, file: str
) -> None:
    marked = see(draft)
    check_hover(marked, token, shown, file)
    assert [each.location.file.name for each in find_definitions(marked.snapshot, marked.start, token)] == [
        file
    ]


@pytest.mark.parametrize(
    "draft",
    [
        f"It sank. Compl. ¶ 1. {CASE}I|d. at [4].",
        f"{CASE[:-2]} (quoting Compl. ¶ 1). I|d. at [4].",
        f"It sank. Compl. ¶ 1. {CASE}It rained. I|d. at [4].",
    ],
)
def test_id_behind_a_case_is_the_case(see: Any, token: CancelToken, draft: str) -> None:
    marked = see(draft)
    found = find_definitions(marked.snapshot, marked.start, token)
    assert [each.location.file.name for each in found] == ["carrow.md"]


@pytest.mark.parametrize(
    "draft",
    [
        "It sank. Compl. ¶ 1; Marlow Decl. ¶ 1. I|d. ¶ 2.",
        "It sank. Compl. ¶ 1.[^1]\n\n[^1]: I|d. ¶ 2.\n",
        f"{CASE[:-2]}; Compl. ¶ 1. I|d. ¶ 2.",
        "She signed Exhibit 4 in May. I|d. ¶ 2.",
        "It sank. Compl. ¶ 1. The Act says more. I|d. § 12(1).",
    ],
)
def test_id_that_may_stand_for_another_goes_nowhere(see: Any, token: CancelToken, draft: str) -> None:
    marked = see(draft)
    assert find_definitions(marked.snapshot, marked.start, token) == []


def test_id_behind_two_papers_is_reported_where_both_have_the_place(see: Any) -> None:
    both = see("It sank. Compl. ¶ 1; Marlow Decl. ¶ 1. *Id.* ¶ 2.")
    assert told(both.snapshot) == [("ambiguous-ibid", "Id.* ¶ 2")]
    (found,) = problems(both.snapshot)
    assert "“Complaint.md”, “Marlow Decl.md”" in found.message
    assert told(see("It sank. Compl. ¶ 1; Marlow Decl. ¶ 1. *Id.* ¶ 3.").snapshot) == []
    assert told(see("It sank. Compl. ¶ 1; Oakes Dep. 45:1. *Id.* at 45:2.").snapshot) == []


@pytest.mark.parametrize(
    ("draft", "last"),
    [
        (f"{CASE}It sank. | So it was.", True),
        (f"{CASE}It sank. Compl. ¶ 1. It rained. | So it was.", False),
        (f"It sank. Compl. ¶ 1. {CASE}It rained. | So it was.", True),
    ],
)
def test_what_is_cited_before_a_paper_is_no_longer_the_last(read: Any, draft: str, last: bool) -> None:
    marked = read(draft)
    assert find_earlier(marked.draft, ["[2014] ASC 12"], marked.start).last == last


@pytest.mark.parametrize(
    ("first", "right_before"), [("See [2014] ASC 12 at [3].", True), ("[2014] ASC 12; Compl. ¶ 1.", False)]
)
def test_a_note_that_cites_a_paper_does_not_cite_one_authority_alone(
    read: Any, first: str, right_before: bool
) -> None:
    marked = read(f"It sank.[^1] It rained.[^2]\n\n[^1]: {first}\n\n[^2]: See |.\n")
    assert find_earlier(marked.draft, ["[2014] ASC 12"], marked.start).right_before == right_before


# -- compared ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "draft",
    [
        "The defendant “agreed to moor the barge at the north quay”. Compl. ¶ 2.",
        "The licence “lets the north quay to the barge Lapwing for six weeks”. Ex. 4.",
        "The witness said that she “looked once before supper and not again.” Oakes Dep. 45:8.",
        "The plaintiff alleged that she “sank at her moorings before the night was over” (Compl. ¶ 3).",
        "See Compl. ¶¶ 1–3; Oakes Dep. 44:1–46:25; Marlow Decl. ¶ 1; Ex. 4; Ex. 7; Marlow Decl. Ex. A.",
        "See Compl. ¶ 2, Ex. 9; id. Ex. 14.",
        "It sank. Compl. ¶ 1. He “agreed to moor the barge at the north quay”. *Id.* ¶ 2.",
        f"{CASE}It sank. Compl. ¶ 1. He “agreed to moor the barge at the north quay”. *Id.* ¶ 2.",
        "He slept. Oakes Dep. 45:2. She “looked once before supper and not again.” *Id.* at 45:8.",
        "He slept. Oakes Dep. 45:2. She says that she “looked once before supper and not again.” *Id.*",
        "See Dkt. 31; Tab 4; Smith Decl. ¶ 7; Answer ¶ 4; [B/2/45]; Pl.'s Ex. 9; Compl. Ex. Z.",
    ],
)
def test_a_true_citation_is_not_accused(see: Any, draft: str) -> None:
    assert told(see(draft).snapshot) == []


@pytest.mark.parametrize(
    ("draft", "code", "words"),
    [
        (
            "The defendant agreed to “moor the barge at the north quay, and to look at her lines thrice in "
            "each night”. Compl. ¶ 2.",
            "misquotation",
            "thrice",
        ),
        (
            "The licence “lets the north quay to the barge Lapwing for nine weeks at nine pounds”. Ex. 4.",
            "misquotation",
            "nine",
        ),
        ("She “looked once before supper and never again.” Oakes Dep. 45:8.", "misquotation", "never"),
        (
            "The barge “sank at her moorings before the night was over.” Compl. ¶ 2.",
            "pinpoint-elsewhere",
            "2",
        ),
        (
            f"{CASE}It sank. Compl. ¶ 1. He “agreed to moor the barge at the south quay”. *Id.* ¶ 2.",
            "misquotation",
            "south",
        ),
        ("The barge sank. Compl. ¶ 3. It rained. *Id.* ¶ 9.", "pinpoint-not-found", "9"),
        ("He slept. Oakes Dep. 45:2. It rained. *Id.* at 45:30.", "pinpoint-not-found", "45:30"),
        ("The barge sank. Compl. ¶ 9.", "pinpoint-not-found", "9"),
        ("He slept. Oakes Dep. 45:30.", "pinpoint-not-found", "45:30"),
        ("The rope was old. Ex. 14.", "exhibit-not-found", "Ex. 14"),
        ("The rope was new. Ex. 5.", "exhibit-ambiguous", "Ex. 5"),
        ("The rope was new. Marlow Decl. Ex. 5.", "exhibit-ambiguous", "Marlow Decl. Ex. 5"),
    ],
)
def test_what_is_wrong_is_told_as_of_authorities(see: Any, draft: str, code: str, words: str) -> None:
    assert told(see(draft).snapshot) == [(code, words)]


def test_the_message_names_the_record_and_opens_the_paper(see: Any) -> None:
    marked = see("She “looked once before supper and never again.” Oakes Dep. 45:8.")
    (found,) = problems(marked.snapshot)
    assert found.message == "“never” — the record says “not” (Oakes Depo Vol 1 at 45:8)"
    assert found.authority is None
    (place,) = found.related
    assert place.hold(marked.snapshot) is marked.snapshot.record.library
    assert place.authority is not None
    assert "once before supper" in place.span.of(
        marked.snapshot.record.library.contents.text(place.authority)
    )


def test_a_block_quotation_is_compared(see: Any) -> None:
    draft = (
        "The complaint says:\n\n> On 3 May the defendant agreed to moor the barge at the south quay, and to "
        "look at her lines twice in each night.\n\nCompl. ¶ 2.\n"
    )
    assert told(see(draft).snapshot) == [("misquotation", "south")]


def test_a_quotation_of_an_authority_near_by_is_not_held_against_the_record(see: Any) -> None:
    draft = (
        "The barge sank. Compl. ¶ 3. “A carrier who leaves the agreed route without necessity answers for "
        "every loss that follows.” *Carrow v Luff* [2014] ASC 12 at [3]. See Compl. ¶ 1."
    )
    assert told(see(draft).snapshot) == []


def test_exhibits_of_two_papers_are_not_taken_for_one_another(see: Any) -> None:
    draft = (
        "The chart “shows nine buoys of the harbour trust”. Marlow Decl. Ex. A. See also Oakes Decl. Ex. A."
    )
    assert told(see(draft).snapshot) == []


def test_without_a_record_nothing_is_said(read: Any) -> None:
    draft = "The defendant “agreed to moor the barge at the south quay for good”. Compl. ¶ 2. See Ex. 14."
    assert told(read(draft).snapshot) == []


def test_what_was_found_is_remembered_and_the_same(see: Any) -> None:
    marked = see("See Ex. 14.\n\nShe “looked once before supper and never again.” Oakes Dep. 45:8.")
    before = FoundBefore()
    first = check(marked.snapshot, CancelToken(), before)
    assert check(marked.snapshot, CancelToken(), before) == first == problems(marked.snapshot)


# -- reported ----------------------------------------------------------------------------------------------


def report_on(snapshot: Snapshot) -> DraftReport:
    return make_report(snapshot, problems(snapshot), CancelToken())


def test_the_report_tells_which_papers_are_there(see: Any) -> None:
    report = report_on(see("See Compl. ¶ 2; Ex. 5; Ex. 14. It sank. Compl. ¶ 9. *Id.* ¶ 3.").snapshot)
    assert [
        (each.text, each.verdict, each.place.replace("[", "").replace("]", "")) for each in report.of_record
    ] == [
        ("Compl. ¶ 2", "found", "2"),
        ("Ex. 5", "ambiguous", ""),
        ("Ex. 14", "not-in-record", ""),
        ("Compl. ¶ 9", "place-not-found", ""),
        ("Id. ¶ 3", "found", "3"),
    ]
    assert report.cited == ()


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        ("The defendant “agreed to moor the barge at the north quay”. Compl. ¶ 2.", "verified"),
        ("The defendant “agreed to moor the barge at the south quay”. Compl. ¶ 2.", "differs"),
        ("The defendant “agreed to moor the barge at the north quay”. Dkt. 31.", "not-compared"),
        (
            "The complaint says:\n\n> On 3 May the defendant agreed to moor the barge at the north quay, "
            "and to look at her lines twice in each night.\n\nCompl. ¶ 2.\n",
            "verified",
        ),
    ],
)
def test_a_quotation_of_a_paper_has_its_verdict_from_it(see: Any, draft: str, verdict: str) -> None:
    (passage,) = report_on(see(draft).snapshot).quoted
    assert passage.verdict == verdict
    filed = see(draft, severities={"unverified": "warning"})
    late = FoundBefore()
    check_late(filed.snapshot, CancelToken(), late)
    codes = [each.code for each in check(filed.snapshot, CancelToken(), late=late)]
    assert ("unverified" in codes) == (verdict == "not-compared")


# -- and no authorities ------------------------------------------------------------------------------------


def test_the_table_of_authorities_has_no_paper(see: Any, token: CancelToken) -> None:
    marked = see("See *Carrow v Luff* [2014] ASC 12 at [3]; Compl. ¶ 2; Ex. 4.")
    (entry,) = list_entries(marked.snapshot, token)
    assert "Carrow" in str(entry)


def test_an_exhibit_called_like_a_case_is_not_what_a_citation_names(see: Any, token: CancelToken) -> None:
    marked = see("See *Carrow v Luff* [2014] A|SC 12.")
    found = find_definitions(marked.snapshot, marked.start, token)
    assert [each.location.file.name for each in found] == ["carrow.md"]
    alone = see("See *Carrow v Luff* [2031] ASC 1 at [99].")
    assert all(each.code != "pinpoint-not-found" for each in problems(alone.snapshot))


def test_papers_are_neither_cited_authorities_nor_missing_ones(see: Any, token: CancelToken) -> None:
    marked = see("See Compl. ¶ 2, Ex. 14 and *Carrow v Luff* [2014] ASC 12 at [3].")
    assert "not-in-library" not in {code for code, _ in told(marked.snapshot)}
    cited = list_cited(marked.snapshot, problems(marked.snapshot), token)
    assert [each.title for each in cited] == ["Carrow v Luff"]


def test_references_lenses_and_the_graph_know_no_paper(see: Any, token: CancelToken) -> None:
    marked = see("The barge sank. Com|pl. ¶ 2.")
    assert find_references(marked.snapshot, marked.start, [], token).declaration is None
    assert find_graph_items(marked.snapshot, marked.start, Path("/nowhere")) == []
    assert all("Compl" not in str(each) for each in find_lenses(marked.snapshot, token))


# -- places that are being typed -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("draft", "label", "words"),
    [
        ("It is his barge. Compl. ¶ |", "¶ 2", "On 3 May the defendant agreed"),
        ("It is his barge. Compl. ¶|", "¶ 2", "On 3 May the defendant agreed"),
        ("It is his barge. Compl. ¶ 1. *Id.* ¶ |", "¶ 2", "On 3 May the defendant agreed"),
        ("He looked once. Oakes Dep. 45:|", "45:4", "Where was the barge"),
        ("He looked once. Oakes Dep. 45:2. Ibid at 45:|", "45:4", "Where was the barge"),
    ],
)
def test_the_places_of_a_paper_are_completed(
    see: Any, token: CancelToken, draft: str, label: str, words: str
) -> None:
    marked = see(draft)
    found = {each.label: each.description for each in complete(marked.snapshot, marked.start, token)}
    assert words in found[label]
