"""Text that keeps its printed pages is read without what the pages repeat."""

from __future__ import annotations

from lexls.library.readers.plain import extract

HEAD = "Cite as: 512 Ald. ____ (2014)"
PAGES = [
    """\
(Slip Opinion)

SUPREME COURT OF ALDMOOR

No. 12-417

CARROW, PETITIONER v. LUFF

JUSTICE ANSELL delivered the opinion of the Court.
The carrier left the agreed route to collect a passenger, and
the wool that it carried arrived soaked with sea water. The
""",
    """\
2

CARROW v. LUFF
Opinion of the Court

master had told nobody on shore of his purpose. A carrier that
leaves the agreed route without necessity answers for every
loss that follows,1 and it is no defence that the weather was
——————
1 The rule is older than the Act. Pell v. Stark, 498 Ald.
31, does not doubt it.
""",
    f"""\
{HEAD}
3

Opinion of the Court

fair, or that the wool might have been lost on any route.
Necessity is judged at the time of the departure, and never
with hindsight.
The second question is shorter. Whether the shipper knew of
""",
    """\
4

CARROW v. LUFF
Opinion of the Court

the passenger is a question of fact.
It is so ordered.
""",
    f"""\
{HEAD}
1

GHALE, J., dissenting

JUSTICE GHALE, dissenting.
I would ask the pilot.
""",
    """\
2

CARROW v. LUFF
GHALE, J., dissenting

He knows the channel.
""",
    f"""\
{HEAD}
3

GHALE, J., dissenting

Nobody asked him.
""",
]
SOURCE = "\n\f".join(PAGES)


def test_heads_and_numbers_of_pages_are_left_out_and_sentences_run_on() -> None:
    found = extract(SOURCE.encode())
    assert "arrived soaked with sea water. The\nmaster had told nobody" in found.text
    assert "Whether the shipper knew of\nthe passenger is a question of fact" in found.text
    for head in (HEAD, "CARROW v. LUFF\n", "Opinion of the Court", "GHALE, J., dissenting"):
        assert head not in found.text
    assert "CARROW, PETITIONER v. LUFF" in found.text
    assert "JUSTICE GHALE, dissenting." in found.text


def test_a_note_stands_behind_the_paragraph_that_it_interrupted() -> None:
    found = extract(SOURCE.encode())
    assert "no defence that the weather was\nfair, or that the wool" in found.text
    note = found.text.index("1 The rule is older")
    assert found.text.index("with hindsight.") < note
    assert note < found.text.index("The second question is shorter.")
    assert "498 Ald.\n31, does not doubt it." in found.text


def test_pages_and_places_in_the_file_are_kept() -> None:
    found = extract(SOURCE.encode())
    openings = ["(Slip", "master", "fair,", "the passenger is", "JUSTICE GHALE", "He knows", "Nobody"]
    assert [
        found.text[start:].startswith(words) for start, words in zip(found.page_starts, openings, strict=True)
    ] == [True] * 7
    assert all(
        found.text[at : at + length] == SOURCE[place : place + length]
        for at, place, length in found.source_map
    )
    words = sum(len(found.text[at : at + length].split()) for at, _, length in found.source_map)
    assert words == len(found.text.split())


def test_pages_that_repeat_nothing_stay_as_they_are() -> None:
    source = "\n\f".join(
        f"The {name} ship sailed.\nIt came back {name}.\n" for name in ("first", "second", "third", "last")
    )
    found = extract(source.encode())
    assert found.text == source
    assert found.source_map == ()
    assert len(found.page_starts) == 4
