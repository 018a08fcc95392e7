"""What is inserted is read back as the same authority, verified, in the table and in the form that is right.

A part of ``benchmarks/bench_insertions.py``, on a few authorities of each kind.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from inserted_citations import Desk, Insertion, insert_everywhere, list_habits

from lexls.citations.grammar import Grammar
from lexls.index.session import open_library
from lexls.settings.declaration import Settings

FRONT = (
    "---\ntitle: {title}\ncitation: {citation}\ncourt: {court}\ndate: {date}\nkind: case\n"
    "jurisdiction: {place}\n---\n\n"
)
_SAID = "The evidence of witness {} on this was heard for many days, and nobody now disputes any of it."


def fill(first: int) -> str:
    """A page of sentences, none of them like those of another page."""
    return " ".join(_SAID.format(f"{chr(first + number)}el{chr(first + number)}ow") for number in range(12))


NUMBERED = (
    f"[1] The keeper had a warehouse at the quay. {fill(65)}\n\n[2] {fill(77)} The court said"
    " that ``no keeper may leave grain in the wet'' and that he (as every bailee) answers for it. The"
    f" rule in section 4 is another matter.\n\n[3] The appeal fails because the merchant rendered no bill."
    f" {fill(97)}\n"
)
PAGED = (
    f"*84 The keeper had a warehouse. {fill(65)}\n\n*85 {fill(77)}"
    " The “keeper of grain must guard against damp.\n\n"
    f"*86 He did not. {fill(97)}\n"
)
REPORTED = {
    "traxon.md": (
        "Traxon Pty Ltd (ACN 006 123 456) v Elm (includes corrigendum dated 2 May 2006)", "[2006] FCA 450",
        "Federal Court of Australia", "2006-04-20", "AU", NUMBERED,
    ),
    "regulator.md": (
        "Australian Securities and Investments Commission v Orrinmark", "[2011] FCA 717",
        "Federal Court of Australia", "2011-06-27", "AU", NUMBERED,
    ),
    "hale.md": ("Hale v Ryle", "[2019] UKSC 41", "Supreme Court", "2019-05-14", "UK", NUMBERED),
    "weir.md": (
        "Weir v. Marden Grain Co.", "627 F.3d 84",
        "United States Court of Appeals for the Ninth Circuit", "2010-12-03", "US", PAGED,
    ),
    "bare.md": (
        "Orde v. i4x Holdings, Inc.", "611 F.3d 83",
        "United States Court of Appeals for the First Circuit", "2010-07-03", "US",
        "The keeper of grain must guard against damp, and he bears the burden of it all along the way.\n",
    ),
}  # fmt: skip
SLIP = """\
SUPREME COURT OF THE UNITED STATES

No. 11-7185

WILLIAM CALDER v. JANE T. MILES

[June 18, 2012]

JUSTICE ORDE delivered the opinion of the Court. Miles kept grain at the quay. Calder sued.
{one}
\fMiles says that she guarded against damp. Calder says that Miles never did, and we agree with him on this.
Every keeper of grain must guard against damp, and bears the burden of showing that he did it.
{two}
\fThe judgment is affirmed. It is so ordered.
\fSUPREME COURT OF THE UNITED STATES

No. 11-7185

JUSTICE PELL, dissenting. The burden of proof is on the merchant, as it has been for a hundred years now.
{three}
"""
PLACES = {"traxon.md": "AU", "regulator.md": "AU", "hale.md": "UK"}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[Insertion]:
    folder = tmp_path_factory.mktemp("library")
    for name, (title, citation, court, date, place, text) in REPORTED.items():
        head = FRONT.format(title=title, citation=f'"{citation}"', court=court, date=date, place=place)
        (folder / name).write_text(head + text, encoding="utf-8")
    (folder / "Calder v. Miles.txt").write_text(
        SLIP.format(one=fill(65), two=fill(77), three=fill(97)), encoding="utf-8"
    )
    by_regulator = SLIP.replace("WILLIAM CALDER v. JANE T. MILES", "FCC v. ORRIN STATIONS, INC.")
    (folder / "FCC v. Orrin Stations, Inc..txt").write_text(
        by_regulator.replace("11-7185", "10-1293").format(one=fill(66), two=fill(78), three=fill(96)),
        encoding="utf-8",
    )
    settings = Settings(jurisdiction="US", embeddings_model="")
    library, report = open_library([folder], folder.parent / "index.sqlite", settings, lexical_only=True)
    assert not report.failed
    desk = Desk(library, Grammar.load())
    found: list[Insertion] = []
    known = sorted(library.catalogue.all(), key=lambda each: each.path.name)
    for authority in known:
        place = PLACES.get(authority.path.name, "US")
        others = [each for each in known if each.jurisdiction == place and each.id != authority.id]
        other = others[0] if others else None
        found.extend(insert_everywhere(desk, authority, other, list_habits(place)))
    library.close()
    return found


def describe(found: Sequence[Insertion]) -> list[str]:
    return [
        f"{each.fault}: {each.style or each.place}, {each.position}, {each.way}: {each.written} {each.detail}"
        for each in found
    ]


def test_all_that_is_inserted_is_read_back(made: list[Insertion]) -> None:
    assert len(made) > 400
    assert describe([each for each in made if each.fault]) == []


@pytest.mark.parametrize(
    ("file", "position", "way", "written"),
    [
        ("traxon.md", "first", "for an agent", "_Traxon Pty Ltd v Elm_ [2006] FCA 450 at [2]."),
        ("weir.md", "first", "for an agent", "_Weir v. Marden Grain Co._, 627 F.3d 84, 85 (9th Cir. 2010)."),
        ("weir.md", "after another", "find support", "_Weir_, 627 F.3d at 85."),
        ("bare.md", "after another", "find support", "_Orde_, 611 F.3d at 83."),
        (
            "Calder v. Miles.txt", "first", "for an agent",
            "_Calder v. Miles_, No. 11-7185, slip op. at 2 (U.S. June 18, 2012).",
        ),
        ("Calder v. Miles.txt", "after another", "find support", "_Calder_, slip op. at 2."),
        ("regulator.md", "after another", "in short", ": _Orrinmark_ at [2]"),
        (
            "FCC v. Orrin Stations, Inc..txt", "right behind", "completion",
            "So it was held in _Orrin Stations_, slip op. at 1.",
        ),
    ],
)  # fmt: skip
def test_the_form_is_that_of_the_place(
    made: list[Insertion], file: str, position: str, way: str, written: str
) -> None:
    found = [
        each.written
        for each in made
        if each.authority is not None
        and (each.authority.path.name, each.position, each.way, each.style) == (file, position, way, "")
    ]
    assert found == [written]


def test_marks_of_a_quotation_are_closed(made: list[Insertion]) -> None:
    quoted = [each for each in made if each.way == "with its words" and not each.style]
    assert quoted
    assert not [each.written for each in quoted if "`" in each.written]
    assert all(each.written.count("“") == each.written.count("”") for each in quoted)
