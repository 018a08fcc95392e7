"""A citation in any of the ways in which it is written leads to the instrument in the library."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lexls.citations.grammar import Grammar
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.resolve import resolve
from lexls.settings.declaration import Settings
from lexls.text.formats import FORMATS
from lexls.wording.descriptions import write_title

INSTRUMENTS = {
    "[2022] UKFTT 144 (GRC)": ("Tarn v Quay Commissioner", "case", "UK"),
    "[2021] UKFTT 00155 (TC)": ("Luff v Quay Commissioner", "case", "UK"),
    "410 U. S. 113": ("Tarn v. Pell", "case", "US"),
    "2009 c. 24": ("Carriers Act 2009", "statute", "UK"),
    "SI 2006/3313": ("Carriage of Grain Regulations 2006", "regulation", "UK"),
    "SI 2019/7": ("The Mills Act 1988 (Grain) (Wales) Order 2019", "regulation", "UK"),
    "Public Law 117–328": ("Grain Act, 2023", "statute", "US"),
    "D.C. Law 20-155": ("Grain Omnibus Act of 2014", "statute", "US"),
    "H. R. 1234": ("A bill to carry grain", "statute", "US"),
    "S. 555": ("A bill to store grain", "statute", "US"),
    "Directive 2014/92/EU": ("Directive 2014/92/EU on grain", "statute", "EU"),
    "Regulation (EU) 2016/679": ("Regulation (EU) 2016/679 on mills", "regulation", "EU"),
    "Case C-123/20": ("Tarn Getreide v Pell Line", "case", "EU"),
    "RSC 1985, c A-1": ("Access to Grain Act", "statute", "CA"),
    "2021 SCC 99": ("Orme v Luff", "case", "CA"),
    "[2021] JMSC Civ 99": ("Orme v Tarn", "case", ""),
    "[2023] UKFTT 9 (TC)": ("", "case", "UK"),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("library")
    for number, (citation, (title, kind, place)) in enumerate(INSTRUMENTS.items()):
        (folder / f"{number}.md").write_text(
            f'---\ntitle: "{title}"\ncitation: "{citation}"\nkind: {kind}\njurisdiction: "{place}"\n---\n\n'
            "1. The carrier carries.\n\n2. The carrier delivers.\n\n3. Costs follow.\n"
        )
    library, _ = open_library(
        [folder],
        tmp_path_factory.mktemp("index") / "i.sqlite3",
        Settings(embeddings_model=""),
        lexical_only=True,
    )
    yield library
    library.close()


WRITTEN = {
    "UK": """
        Tarn v Quay Commissioner: [2022] UKFTT 00144 (GRC); [2022] UKFTT 144 (GRC)
        Luff v Quay Commissioner: [2021] UKFTT 155 (TC); [2021] UKFTT 00155 (TC)
        Carriers Act 2009: 2009 c. 24, s 2; 2009 c 24; Carriers Act 2009 (c. 24)
        Carriage of Grain Regulations 2006: SI 2006/3313, reg 2; S.I. 2006/3313; SI 2006 No 3313
        Carriage of Grain Regulations 2006: S.I. 2006 No. 3313
        Carriage of Grain Regulations 2006: Statutory Instrument 2006 No. 3313; SI No 3313 of 2006
        Directive 2014/92/EU on grain: Directive 2014/92/EU; Council Directive 2014/92, art 2
    """,
    "US": """
        Tarn v. Pell: 410 U.S. 113; 410 U. S. 113; 410 US 113
        Grain Act, 2023: Pub. L. 117-328, § 2; Pub. L. No. 117-328; Public Law 117–328; P.L. 117-328
        Grain Act, 2023: PL 117-328
        Grain Act, 2023: Public Law No. 117-328; Pub.L. 117-328; P. L. 117–328; Pub. L. No. 117–328
        Grain Omnibus Act of 2014: D.C. Law 20-155; DC Law 20-155; D.C. Law No. 20-155; D. C. Law 20-155
        A bill to carry grain: H.R. 1234, § 2; H. R. 1234; HR 1234; H.R. 1234, 117th Cong. § 2 (2021)
        A bill to store grain: S. 555, 117th Cong. § 2 (2021)
    """,
    "EU": """
        Directive 2014/92/EU on grain: Directive 2014/92/EU, art 2; Directive 2014/92
        Regulation (EU) 2016/679 on mills: Regulation (EU) 2016/679; Regulation (EU) No 2016/679
        Regulation (EU) 2016/679 on mills: Regulation 2016/679
        Tarn Getreide v Pell Line: Case C-123/20; C-123/20; C‑123/20; Case C‑123/20, para 2
    """,
    "CA": """
        Access to Grain Act: RSC 1985, c A-1, s 2; R.S.C. 1985, c. A-1; R.S.C., 1985, c. A-1
        Orme v Luff: 2021 SCC 99; 2021 CSC 99
        Orme v Tarn: [2021] JMSC Civ 99
    """,
}


def list_forms() -> Iterator[tuple[str, str, str]]:
    for jurisdiction, lines in WRITTEN.items():
        for title, _, forms in (line.strip().partition(": ") for line in lines.strip().splitlines()):
            yield from ((jurisdiction, written, title) for written in forms.split("; "))


@pytest.mark.parametrize(("jurisdiction", "written", "title"), list(list_forms()))
def test_a_form_leads_to_its_authority(library: Library, jurisdiction: str, written: str, title: str) -> None:
    draft = DraftParser(Grammar.load(), jurisdiction).parse(
        "file:///d.md", f"The carrier is bound: {written}.", FORMATS["markdown"]
    )
    assert draft.citations, written
    found = [
        authority.title
        for citation in draft.citations
        for number in resolve(library, draft, citation).authorities
        if (authority := library.catalogue.get(number)) is not None
    ]
    assert found[:1] == [title]


def test_a_case_without_parties_goes_by_its_citation(library: Library) -> None:
    draft = DraftParser(Grammar.load(), "UK").parse(
        "file:///d.md", "See [2023] UKFTT 9 (TC).", FORMATS["markdown"]
    )
    (number,) = resolve(library, draft, draft.citations[0]).authorities
    authority = library.catalogue.get(number)
    assert authority is not None
    assert (authority.title, authority.name) == ("", "[2023] UKFTT 9 (TC)")
    assert write_title(authority) == "**[2023] UKFTT 9 (TC)** · First-tier Tribunal (Tax Chamber)"
