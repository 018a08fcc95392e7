"""XML in which law is published: facts, pinpoints, quotations, and where it all stands in the source."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexls.library.document import Extract, Metadata, SourceDocument, UnreadableFile
from lexls.library.places import list_labels
from lexls.library.readers.legal_xml import extract
from lexls.library.readers.xml_text import read_number, read_schedule

Reader = Callable[[str, str | bytes], SourceDocument]

_FOLDER = Path(__file__).parent / "legal_xml"
JUDGMENT = (_FOLDER / "judgment.akn").read_text("utf-8")
AKN_ACT = (_FOLDER / "act.akn").read_text("utf-8")
INSTRUMENT = (_FOLDER / "instrument.xml").read_text("utf-8")
PUBLIC_LAW = (_FOLDER / "public_law.xml").read_text("utf-8")
CODE = (_FOLDER / "code.xml").read_text("utf-8")
DISTRICT = (_FOLDER / "district.xml").read_text("utf-8")
STATUTE = (_FOLDER / "statute.xml").read_text("utf-8")
GERMANY = (_FOLDER / "germany.xml").read_text("utf-8")
NEW_ZEALAND = (_FOLDER / "new_zealand.xml").read_text("utf-8")
REGULATION = (_FOLDER / "regulation.xml").read_text("utf-8")


def labels(document: SourceDocument) -> tuple[str, ...]:
    return tuple(dict.fromkeys(block.label for block in document.blocks if block.label))


def check_map(source: str, found: Extract) -> None:
    """Every run maps to the same characters, or to an entity that stands for them."""
    end = 0
    for text_start, source_start, length in found.source_map:
        assert text_start >= end
        end = text_start + length
        written = found.text[text_start:end]
        assert written == source[source_start : source_start + length] or source[source_start] == "&"


def test_a_judgment_in_akoma_ntoso(read_as: Reader) -> None:
    document = read_as("x.xml", JUDGMENT)
    found = document.metadata
    assert (found.title, found.citation, found.date) == (
        "Carrow & Sons v Meridian",
        "[2024] EWHC 71 (Comm)",
        "2024-02-07",
    )
    assert (found.kind, found.jurisdiction, found.docket) == ("case", "UK", ("HC-2023-000071",))
    assert found.court == "High Court of Justice, Commercial Court"
    assert set(document.sources.values()) == {"mark-up"}
    assert document.format == "akn"
    assert list_labels(document.blocks, (), (), "paragraph") == ("1", "2", "3", "4")
    assert "1. Meridian carried wheat from Odessa. [note 1]" in document.text
    assert "Note 1: Grade 2." in document.text
    assert "(a) the ship was late;" in document.text


@pytest.mark.parametrize(
    ("listed", "title"),
    [
        ("Carrow, R v", "R v Carrow"),
        ("Carrow, R (On the Application Of) v Meridian", "R (on the application of Carrow) v Meridian"),
    ],
)
def test_a_title_as_in_a_list_is_put_in_order(read_as: Reader, listed: str, title: str) -> None:
    source = JUDGMENT.replace("Carrow &amp; Sons v Meridian", listed)
    assert read_as("x.xml", source).metadata.title == title


def test_the_parties_make_the_title_where_the_mark_up_has_none(read_as: Reader) -> None:
    source = JUDGMENT.replace('<FRBRname value="Carrow &amp; Sons v Meridian"/>', "")
    assert read_as("x.xml", source).metadata.title == "Carrow & Sons v Meridian"


@pytest.mark.parametrize(
    ("source", "expected", "pinpoints"),
    [
        (
            AKN_ACT,
            Metadata("Quays Act", "Act 4 of 2019", date="2019-05-03", kind="statute", jurisdiction="KE"),
            "1; 1(1); 2",
        ),
        (
            INSTRUMENT,
            Metadata(
                "The Quays (Lighting) Order 2021",
                "SSI 2021/912",
                date="2021-03-09",
                kind="regulation",
                jurisdiction="UK",
            ),
            "1; 2; 2(1); 2(1)(a); 2(2); Sch 1; Sch 1 para 1",
        ),
        (
            PUBLIC_LAW,
            Metadata(
                "Quay Lighting Act",
                "Public Law 199–7",
                ("140 Stat. 12",),
                date="2086-02-03",
                kind="statute",
                jurisdiction="US",
                short_title="Quay Lighting Act",
            ),
            "1; 2(a); 2(b)",
        ),
        (
            CODE,
            Metadata("Title 61 – Quays and Piers", "61 U.S.C.", kind="statute", jurisdiction="US"),
            "101a",
        ),
        (
            DISTRICT,
            Metadata("§ 61-204.03. Lamps", "D.C. Code § 61-204.03", kind="statute", jurisdiction="US"),
            "61-204.03; 61-204.03(a); 61-204.03(a)(1)",
        ),
        (
            STATUTE,
            Metadata("Lamps Act", "S.C. 2011, c. 31", date="2011-06-09", kind="statute", jurisdiction="CA"),
            "1; 1(1); 1(1)(a); Sch",
        ),
        (
            REGULATION,
            Metadata(
                "Commission Regulation (EU) 2031/61 of 4 February 2031 on lamps",
                "Commission Regulation (EU) 2031/61",
                ("OJ 2031 L 61/5",),
                date="2031-02-04",
                kind="regulation",
                jurisdiction="EU",
            ),
            "1; 1(1); 1(1)(a); 2",
        ),
        (
            GERMANY,
            Metadata(
                "Gesetz über Kais",
                "KaiG",
                date="1961-04-05",
                kind="statute",
                jurisdiction="DE",
                short_title="Kaigesetz",
            ),
            "1a",
        ),
        (
            NEW_ZEALAND,
            Metadata("Quays Act 1997", "1997 No 61", date="1997-08-06", kind="statute", jurisdiction="NZ"),
            "1; 1(1); 1(1)(a); 1(2); Sch 1; Sch 1 para 1",
        ),
    ],
    ids=["akn", "clml", "pLaw", "usc", "dc", "lims", "formex", "gii", "nz"],
)
def test_enactments(read_as: Reader, source: str, expected: Metadata, pinpoints: str) -> None:
    document = read_as("x.xml", source)
    assert document.metadata == expected
    assert "; ".join(labels(document)) == pinpoints
    check_map(source, extract(source.encode()))


def test_a_section_begins_with_its_number_and_heading_as_printed() -> None:
    found = extract(INSTRUMENT.encode())
    lines = [found.text[piece.start : piece.end] for piece in found.pieces]
    assert lines[1:6] == [
        "1 Citation", "This is the Quays Order.", "2 Lamps", "(1) A quay has—", "(a) lamps; and",
    ]  # fmt: skip
    quoted = [found.text[piece.start : piece.end] for piece in found.pieces if piece.quoted]
    assert quoted == ["3 Old lamps", "Oil."]


def test_pages_of_the_printed_edition() -> None:
    found = extract(PUBLIC_LAW.encode())
    assert found.page_numbers == ("12", "13")
    assert found.text[found.page_starts[1] :].lstrip().startswith("are lit.")


@pytest.mark.parametrize("name", ["x.xml", "x.akn", "x.txt"])
def test_the_content_tells_the_format(read_as: Reader, name: str) -> None:
    assert read_as(name, JUDGMENT).format == "akn"


def test_a_wrapper_may_stand_around_the_document(read_as: Reader) -> None:
    document = read_as("x.xml", f"<ALL.FMX>\n{REGULATION}\n</ALL.FMX>")
    assert document.format == "formex"
    assert labels(document) == ("1", "1(1)", "1(1)(a)", "2")


def test_other_encodings(read_as: Reader) -> None:
    source = DISTRICT.replace("A quay has", "Café")
    for encoding in ("utf-16", "iso-8859-1", "utf-8-sig"):
        declared = f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>'
        assert "Café lamps." in read_as("x.xml", (declared + source).encode(encoding)).text


@pytest.mark.parametrize(
    ("written", "nested", "number"),
    [
        ("Article 5", False, "5"),
        ("Art. 1.", False, "1"),
        ("SEC. 2. ", False, "2"),
        ("§ 101a.", False, "101a"),
        ("§§ 3 to 5.", False, ""),
        ("Artículo 1º.-", False, "1"),
        ("Article IV", False, "4"),
        ("17-bis", False, "17-bis"),
        ("28:2-201", False, "28:2-201"),
        ("(a)", False, ""),
        ("(a)", True, "a"),
        ("ii)", True, "ii"),
        ("—", True, ""),
        ("", True, ""),
    ],
)
def test_numbers_of_units(written: str, nested: bool, number: str) -> None:
    assert read_number(written, nested=nested) == number


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("SCHEDULE 1", "Sch 1"),
        ("FIRST SCHEDULE", "Sch 1"),
        ("SCHEDULE", "Sch"),
        ("ANNEX IV", "Annex IV"),
        ("2", "Sch 2"),
        ("", "Sch"),
    ],
)
def test_labels_of_schedules(written: str, label: str) -> None:
    assert read_schedule(written, "Sch {}") == label


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            "<recipe><p>Flour</p></recipe>",
            r"an XML vocabulary that lexls does not know \(root element recipe\)",
        ),
        ("<ACT><TITLE>\n</ACT>", r"not well-formed XML \(line 2: mismatched tag\)"),
        ('<!DOCTYPE a [<!ENTITY b "&c;&c;">]><a>&b;</a>', r"entity of its own \(\"b\"\).*\(line 1\)"),
        (f'<!DOCTYPE a [<!ENTITY b "{"x" * 500}">]><a>&b;</a>', r"entity of its own"),
        ("<ACT>\n" + "<P>" * 500 + "</P>" * 500 + "</ACT>", r"nested more than \d+ elements deep \(line 2\)"),
        ("<ACT></ACT>", "no text in it"),
        ("<!-- nothing -->", "not well-formed XML"),
    ],
)
def test_what_cannot_be_read_says_why(read_as: Reader, source: str, reason: str) -> None:
    with pytest.raises(UnreadableFile, match=reason):
        read_as("x.xml", source)


def test_notes_and_units_in_any_number_are_read(read_as: Reader) -> None:
    many = 3000
    notes = "<ACT><P>a" + "<NOTE>b</NOTE>" * many + "</P></ACT>"
    assert f"Note {many}: b" in read_as("x.xml", notes).text
    units = "<ARTICLE><TI.ART>Article 1</TI.ART>" * 100 + "c" + "</ARTICLE>" * 100
    assert "c" in read_as("x.xml", f"<ACT><ENACTING.TERMS>{units}</ENACTING.TERMS></ACT>").text


def test_letters_of_any_alphabet_stand_where_they_are(read_as: Reader) -> None:
    source = JUDGMENT.replace("Carrow &amp; Sons v Meridian", "Żak &amp; Öl “A > B” v ΩMEGA 𝔘")
    source = source.replace("The facts", "Факты ÿ – &#8216;x&#8217; <Ωx y='é–'>𝔘 — §</Ωx>").replace(
        "\n", "\r\n"
    )
    document = read_as("x.akn", source)
    assert document.metadata.title == "Żak & Öl “A > B” v ΩMEGA 𝔘"
    assert "Факты ÿ – ‘x’ 𝔘 — §" in document.text
    for start, at, length in document.source_map:
        written = source[at : at + length].replace("\r", " ")
        assert document.text[start : start + length] == written or source[at] == "&"


def test_entities_that_a_file_declares_for_letters_are_read(read_as: Reader) -> None:
    declared = """<!DOCTYPE section [<!ENTITY dash "–"><!ENTITY four 'abcd'>]>"""
    text = read_as("x.xml", declared + DISTRICT.replace("lamps", "lamps&dash;&four; –")).text
    assert "lamps–abcd –" in text


def test_nothing_outside_the_file_is_opened(read_as: Reader) -> None:
    source = '<!DOCTYPE section SYSTEM "file:///nowhere.dtd">'
    source += DISTRICT.replace("lamps", "lamps&nbsp;&amp; more&unknown;")
    assert "A quay has lamps & more." in read_as("x.xml", source).text


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="<>/&;!-[]?ABC \n\"'x1=", max_size=300))
def test_no_input_crashes_the_reader(body: str) -> None:
    for source in (body, f"<ACT>{body}</ACT>", f"<?xml {body}"):
        with contextlib.suppress(UnreadableFile):
            check_map(source, extract(source.encode()))
