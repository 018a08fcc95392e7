"""The year, the court and the docket of a citation beside those of the case that the library holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lexls.assessing.check import Finding
from lexls.assessing.rules.decisions import DECISION_MISMATCH
from lexls.assessing.rules.engine import check
from lexls.citations.grammar import Grammar
from lexls.citations.same_court import compare_bracketed, compare_courts
from lexls.citations.same_docket import read_serials
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

CASES = {
    "tarn.md": """\
---
title: Tarn v. Sedge Mills, Inc.
citation: "921 F.3d 114"
court: United States Court of Appeals for the Sixth Circuit
date: 2016-05-02
docket: "15-3411"
kind: case
jurisdiction: US
---

The mill stood on the river.
""",
    "amended.md": """\
---
title: Ferrier v. Dock Corp.
citation: "922 F.3d 300"
court: United States Court of Appeals for the Sixth Circuit
date: 2016-12-14
kind: case
jurisdiction: US
---

Our opinion filed on December 14, 2016, is amended to include a footnote.
""",
    "withdrawn.md": """\
---
title: Heron v. Otter Corp.
citation: "923 F.3d 400"
court: United States Court of Appeals for the Sixth Circuit
date: 2016-12-14
kind: case
jurisdiction: US
---

The otter swam.
""",
    "one.md": """\
---
title: Vole v. Rat
citation: "924 F.3d 500"
kind: case
jurisdiction: US
---

See Heron v. Otter Corp., 923 F.3d 400 (6th Cir. 2017).
""",
    "two.md": """\
---
title: Rat v. Vole
citation: "924 F.3d 600"
kind: case
jurisdiction: US
---

But see Heron v. Otter Corp., 923 F.3d 400 (6th Cir. 2017).
""",
    "orchard.md": """\
---
title: Orchard v. Teal
citation: "588 U.S. 98"
court: Supreme Court of the United States
date: 2000-12-12
kind: case
jurisdiction: US
---

The orchard was walled.
""",
    "weir.md": """\
---
title: Weir v. Marsh
citation: "12 Wall. 40"
court: Supreme Court of the United States
date: 1871-01-30
kind: case
jurisdiction: US
---

The weir was let.
""",
    "marl.md": """\
---
title: Marl v. Ditch
citation: "925 N.W.2d 548"
court: South Dakota Supreme Court
date: 1999-03-17
kind: case
jurisdiction: US
---

By § 4-1 of the N.D.C.C. a ditch is dug in spring. N.D.R.Civ.P. 52(a) is plain, and § 4-2 of the N.D.C.C.
""",
    "kestrel.md": """\
---
title: Kestrel v Wren
citation: "[1962] AC 411"
court: House of Lords
date: 1962-03-05
kind: case
jurisdiction: UK
---

The appeal is allowed.
""",
    "banyan.txt": """\
Supreme Court of India
Banyan Mills v State of Kerala
5 March 1999
Civil Appeal Nos. 412-414 of 1997
1999 INSC 77

The Judgment was delivered by: Rao J.
1. These appeals, with Civil Appeal No. 500 of 1997, arise from an order of the High Court.
""",
    "heath.txt": """\
Heath v. Furze

United States Court of Appeals for the Third Circuit

921 F.3d 700

May 2, 2016

Heath sued Furze for a fence.
""",
}


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("cases")
    for name, text in CASES.items():
        (folder / name).write_text(text, encoding="utf-8")
    index: Path = tmp_path_factory.mktemp("index") / "index.sqlite"
    library, report = open_library([folder], index, Settings(embeddings_model=""), lexical_only=True)
    assert not report.failed
    yield library
    library.close()


Mismatches = Callable[[str], list[Finding]]


@pytest.fixture
def mismatches(cases: Library) -> Mismatches:
    """The mismatches found in an American draft."""
    grammar = Grammar.load()

    def find(source: str) -> list[Finding]:
        draft = DraftParser(grammar, "US").parse("file:///draft", source, FORMATS["markdown"])
        snapshot = Snapshot(draft, cases, Searcher(cases, grammar=grammar), Settings(jurisdiction="US"))
        return [each for each in check(snapshot, CancelToken()) if each.code == DECISION_MISMATCH.code]

    return find


@pytest.mark.parametrize(
    ("wrong", "marked", "right"),
    [
        ("921 F.3d 114 (5th Cir. 2016)", "5th Cir.", "921 F.3d 114 (6th Cir. 2016)"),
        ("921 F.3d 114 (6th Cir. 2017)", "2017", "921 F.3d 114 (6th Cir. 2016)"),
        ("921 F.3d 114, 116 (C.A.6 2061)", "2061", "921 F.3d 114, 116 (C.A.6 2016)"),
        ("921 F.3d 114 (S.D. Ohio 2016)", "S.D. Ohio", "921 F.3d 114 (6th Cir. 2016)"),
        ("921 F.3d 114 (6th Cir. 0216)", "0216", "921 F.3d 114 (6th Cir. 2016)"),
        ("588 U.S. 98 (2003)", "2003", "588 U.S. 98 (2000)"),
        ("588 U.S. 98 (2d Cir. 2000)", "2d Cir.", "588 U.S. 98 (2000)"),
        ("12 Wall. 40 (1877)", "1877", "12 Wall. 40 (1871)"),
    ],
)
def test_a_wrong_year_or_court_is_told_and_mended(
    mismatches: Mismatches, apply_fix: Callable[[str, Finding], str], wrong: str, marked: str, right: str
) -> None:
    source = f"So it is. {wrong}. Nobody doubts it."
    (finding,) = mismatches(source)
    assert finding.severity == "warning"
    assert finding.span.of(source) == marked
    assert apply_fix(source, finding) == f"So it is. {right}. Nobody doubts it."


def test_a_misspelt_name_hides_no_other_mistake(mismatches: Mismatches) -> None:
    (finding,) = mismatches("See *Tarne v. Sedge Mills, Inc.*, 921 F.3d 114 (6th Cir. 2011).")
    assert finding.message == "921 F.3d 114, Tarn v. Sedge Mills, Inc., is of 2016, not 2011"
    assert mismatches("See *Ostrander v. Quill*, 921 F.3d 114 (6th Cir. 2011).") == []


def test_a_file_that_names_another_state_than_its_decision_is_not_believed(mismatches: Mismatches) -> None:
    source = "See *Marl v. Ditch*, 925 N.W.2d 548 (N.D. 1999)."
    assert not mismatches(source)
    assert mismatches(source.replace("N.D.", "Neb."))


def test_a_wrong_docket_is_told(mismatches: Mismatches) -> None:
    source = "See *Tarn v. Sedge Mills, Inc.*, No. 15-3141, 921 F.3d 114 (6th Cir. 2016)."
    (finding,) = mismatches(source)
    assert finding.message == "921 F.3d 114, Tarn v. Sedge Mills, Inc., is No. 15-3411, not 15-3141"
    assert not mismatches(source.replace("15-3141", "15-03411"))


def test_an_indian_docket_is_one_of_those_that_the_judgment_names(mismatches: Mismatches) -> None:
    source = "In *Banyan Mills v State of Kerala*, Civil Appeal No. 415 of 1997, 1999 INSC 77, it was."
    (finding,) = mismatches(source)
    assert finding.span.of(source) == "415 of 1997"
    assert "is Civil Appeal Nos. 412-414 of 1997, not 415 of 1997" in finding.message
    assert [each.edits[0].text for each in finding.fixes] == ["412-414 of 1997"]
    for right in ("413 of 1997", "412-13 of 1997", "500 of 1997", "500/1997", "414 and 500 of 1997"):
        assert not mismatches(source.replace("415 of 1997", right))


@pytest.mark.parametrize(
    "docket",
    [
        "CIVIL APPEAL NO . {} OF 1997,",
        "Appeal (Civil) {} of 1997,",
        "Civil appeal No. {}A of 1997,",
        "Civil Appeal No. {} of1997,",
        "No. {} of 1997,",
        "Civil Appeal No. {} of 1997 reported in [",
        "C.A. No. {} of 1997 -",
    ],
)
def test_an_indian_docket_is_compared_however_it_is_written(mismatches: Mismatches, docket: str) -> None:
    source = f"In *Banyan Mills v State of Kerala*, {docket} 1999 INSC 77, it was."
    (finding,) = mismatches(source.format(415))
    assert finding.message.partition("not ")[2].startswith("415")
    assert not mismatches(source.format(413))


def test_a_docket_that_is_a_citation_of_its_own_is_compared(mismatches: Mismatches) -> None:
    source = "In *Banyan Mills v State of Kerala*, Civil Appeal No. 415 of 1989 (1999 INSC 77), it was."
    (finding,) = mismatches(source)
    assert finding.span.of(source) == "415 of 1989"


def test_a_court_in_brackets_behind_a_report_is_compared(mismatches: Mismatches) -> None:
    source = "See *Kestrel v Wren* [1962] AC 411 (CA) 415."
    (finding,) = mismatches(source)
    assert finding.span.of(source) == "CA"
    assert finding.message == "[1962] AC 411, Kestrel v Wren, is of the HL, not the CA"
    assert not mismatches(source.replace("CA", "HL"))
    assert not mismatches(source.replace("(CA)", "(Note)"))


@pytest.mark.parametrize(
    "right",
    [
        "*Tarn v. Sedge Mills, Inc.*, 921 F.3d 114, 117 (6th Cir. 2016) (en banc).",
        "921 F.3d 114 (CA6 2016), cert. denied, 590 U.S. 12 (2017).",
        "921 F.3d 114 (6th Cir.2016).",
        "921 F.3d 114 (6th Cir. May 2, 2016).",
        "921 F.3d 114 (per curiam).",
        "588 U.S. 98, 121 S. Ct. 525 (2000).",
        "921 F.3d 114 (construing § 1201).",
        "12 Wall. 40 (1870).",
        # Which of the districts is not said.
        "*Heron v. Otter Corp.*, 923 F.3d 400 (D.C.D. Cal. 2016).",
        # Others cite it so.
        "*Heron v. Otter Corp.*, 923 F.3d 400 (6th Cir. 2017).",
        # It was amended, in the next year perhaps.
        "*Ferrier v. Dock Corp.*, 922 F.3d 300 (6th Cir. 2017).",
        # Where the year was read in the text of a file, it may be another date.
        "921 F.3d 700 (3d Cir. 2015).",
        # Of another case the name is told, and no more.
        "*Alder v. Rush*, 921 F.3d 114 (5th Cir. 2013).",
    ],
)
def test_what_is_right_or_not_sure_is_not_told(mismatches: Mismatches, right: str) -> None:
    assert not mismatches(f"So it is. {right}")


@pytest.mark.parametrize(
    ("written", "court", "compared"),
    [
        ("2nd Cir.", "United States Court of Appeals for the Second Circuit", "same"),
        ("CA DC", "United States Court of Appeals for the District of Columbia Circuit", "same"),
        ("D.D.C.", "United States Court of Appeals for the District of Columbia Circuit", "other"),
        ("Bankr. S.D.N.Y.", "United States District Court for the Southern District of New York", "other"),
        ("S.D.N.Y.", "United States Bankruptcy Court for the Southern District of New York", "open"),
        ("E.D.N.Y.", "United States Bankruptcy Court for the Southern District of New York", "other"),
        ("9th Cir.", "United States Bankruptcy Appellate Panel for the Ninth Circuit", "open"),
        ("8th Cir.", "United States Bankruptcy Appellate Panel for the Ninth Circuit", "other"),
        ("S. D. N. Y.", "United States District Court for the Southern District of New York", "same"),
        ("E.D.N.Y.", "United States District Court for the Southern District of New York", "other"),
        ("9th Cir. BAP", "United States Court of Appeals for the Ninth Circuit", "other"),
        ("Mich. App.", "Michigan Court of Appeals", "same"),
        ("Mich.", "Michigan Court of Appeals", "other"),
        ("Ohio", "Michigan Court of Appeals", "other"),
        ("Md. App.", "Court of Appeals of Maryland", "open"),
        ("Ct. App.", "Michigan Court of Appeals", "open"),
        ("per curiam", "Michigan Court of Appeals", "open"),
        # As old reports write districts, and with the Post's codes.
        ("Bankr. C.D. Ca.", "United States Bankruptcy Court for the Central District of California", "same"),
        ("Bkrtcy.Or.", "United States Bankruptcy Court for the District of Oregon", "same"),
        ("E. Mich.", "United States District Court for the Eastern District of Michigan", "same"),
        ("S. Cal.", "United States District Court for the Northern District of California", "other"),
        ("W.D. Wa.", "United States District Court for the Western District of Washington", "same"),
        ("Bankr. 9th Cir.", "United States Bankruptcy Appellate Panel of the Ninth Circuit", "same"),
        # Counties that are called like states.
        ("Columbia Cty. Super. Ct.", "Columbia County Superior Court, Ga.", "open"),
        ("Ohio Circ. Ct., Ky.", "Ohio Circuit Court, Kentucky", "open"),
    ],
)
def test_courts_are_told_apart_however_they_are_written(written: str, court: str, compared: str) -> None:
    assert compare_courts(written, court) == compared


@pytest.mark.parametrize(
    ("written", "court", "place", "compared"),
    [
        ("HL", "House of Lords", "UK", "same"),
        ("HL", "Court of Appeal (Civil Division)", "UK", "other"),
        ("CA", "Court of Appeal (Civil Division)", "UK", "same"),
        ("QB", "High Court of Justice, Queen's Bench Division", "UK", "same"),
        ("QB", "Court of Appeal", "UK", "other"),
        ("CA", "High Court of New Zealand", "NZ", "other"),
        ("HCA", "High Court of Australia", "AU", "same"),
        ("HL", "Court of the Lord Lyon", "UK", "open"),
        ("Note", "House of Lords", "UK", "open"),
    ],
)
def test_courts_in_brackets_are_those_of_their_place(
    written: str, court: str, place: str, compared: str
) -> None:
    assert compare_bracketed(written, court, place) == compared


@pytest.mark.parametrize(
    ("written", "serials"),
    [
        ("2:11-cv-00445-ABC", {("445", "11")}),
        ("Civil Appeal Nos. 12-14 of 1999", {("12", "1999"), ("13", "1999"), ("14", "1999")}),
        ("Criminal Appeal Nos. 657-58 of 1986", {("657", "1986"), ("658", "1986")}),
        ("W.P. Nos. 157 and 203/1966", {("157", "1966"), ("203", "1966")}),
        ("530", {("530", "")}),
        ("464(NM) of 1985", {("464", "1985")}),
        ("A-12", set()),
    ],
)
def test_the_numbers_of_a_docket_are_read(written: str, serials: set[tuple[str, str]]) -> None:
    assert read_serials(written) == serials
