import gc
import random
import weakref
from typing import Any

import pytest

from lexls.assessing.rules.engine import check
from lexls.citations.grammar import Grammar
from lexls.reading.draft import Draft
from lexls.reading.draft_parser import DraftParser
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

DRAFT = """# Opinion

The carrier left the customary route to collect a passenger, and the wool was soaked in the storm that came.
So it was held in *Carrow v Luff* [2014] ASC 12 at [3] (“the wool case”). *Ibid* at [4]. Weather is no excuse.

## The Act

By the Carriage of Goods Act 1994, s 12(1), a carrier is liable. Section 13 bars late claims, and the said Act
binds the Crown. It was so in *Carrow* at [5], whatever may be thought of the merits by those who lost the
case and had to pay for it in the end, which nobody denies.

As the court said in Pell v Stark [2009] ACA 31, 40, damp is the keeper's burden; see the wool case at [2].
"""
PIECES = [
    "\\", "}", "{", "`", "\\footnote{", "#footnote[", "%",
    "a", "e", " ", "x y", ".", ",", "\n", "\n\n", "the", " and so on", "Carrow", " v ", "[", "]", "(", "12",
    "s 9", " at [4]", "Ibid", "*", "_", "“the Act”", "supra", "Act", "section 3", "id", "#", "`", "T",
    " The ", "é", "Carrow Shipping", " Ltd", "Xander", " Crown", "the Act", "wool case", " of", " Luff",
]  # fmt: skip


NOTES = """\\begin{document}
\\section{Deviation}
So it was held.\\footnote{\\textit{Carrow v Luff} [2014] ASC~12.} And again.\\footnote{Ibid.}

\\begin{itemize}
\\item Damp is the keeper's burden (n 1).
\\item Nothing else.
\\end{itemize}
\\end{document}
"""
TYPST = """= Deviation
So it was held.#footnote[_Carrow v Luff_ [2014] ASC 12.] And again (n 1).

- one
- two, by Pell v Stark [2009] ACA 31

== More
Ibid.
"""


def said(draft: Draft) -> object:
    """All that a draft says of itself."""
    return draft.masked, draft.paragraphs, draft.headings, draft.footnotes, tuple(draft.citations)


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize(("markup", "start"), [("markdown", DRAFT), ("latex", NOTES), ("typst", TYPST)])
def test_reading_on_from_the_last_version_gives_what_reading_anew_gives(
    grammar: Grammar, seed: int, markup: str, start: str
) -> None:
    chance = random.Random(seed)
    parser = DraftParser(grammar, "Aldmoor")
    source = start
    parser.parse("draft", source, FORMATS[markup])
    for _ in range(25):
        at = chance.randrange(len(source) + 1)
        gone = chance.choice([0, 0, 0, 1, 3, 20])
        source = source[:at] + chance.choice(PIECES) + source[at + gone :]
        again = parser.parse("draft", source, FORMATS[markup])
        assert "".join(block.source for block in again.blocks) == source
        assert said(again) == said(DraftParser(grammar, "Aldmoor").parse("draft", source, FORMATS[markup]))


def test_what_was_not_touched_is_not_read_again(grammar: Grammar) -> None:
    parser = DraftParser(grammar, "Aldmoor")
    before = parser.parse("draft", DRAFT, FORMATS["markdown"])
    after = parser.parse("draft", DRAFT.replace("bars late", "bars all late"), FORMATS["markdown"])
    kept = [one is other for one, other in zip(before.blocks, after.blocks, strict=True)]
    assert kept.count(False) == 1
    pieces = zip(before.citations.pieces, after.citations.pieces, strict=True)
    assert [one is other for one, other in pieces] == kept


def test_a_citation_changed_far_above_changes_what_ibid_stands_for(grammar: Grammar) -> None:
    parser = DraftParser(grammar, "Aldmoor")
    parser.parse("draft", DRAFT, FORMATS["markdown"])
    draft = parser.parse("draft", DRAFT.replace("ASC 12 at", "ASC 19 at"), FORMATS["markdown"])
    assert {each.key for each in draft.citations if each.form in ("id", "defined")} >= {"[2014] ASC 19"}


AMERICAN = (
    "See *Bush v. Gore*, 531 U.S. 98, 104 (2000); 42 U.S.C. § 1983; *Roe v. Wade*, 410 U.S. 113 (1973).\n\n"
)


def test_a_draft_of_an_unsaid_jurisdiction_is_read_as_its_citations_tell(grammar: Grammar) -> None:
    parser = DraftParser(grammar)
    assert parser.parse("one", AMERICAN, FORMATS["markdown"]).jurisdiction == "US"
    assert parser.parse("two", DRAFT, FORMATS["markdown"]).jurisdiction == "Aldmoor"
    assert parser.parse("three", "Nothing is cited here.", FORMATS["markdown"]).jurisdiction == ""


def test_a_jurisdiction_is_guessed_anew_when_a_draft_grows(grammar: Grammar) -> None:
    parser = DraftParser(grammar)
    source = "Nothing is cited here."
    assert parser.parse("draft", source, FORMATS["markdown"]).jurisdiction == ""
    for word in AMERICAN.split(" "):
        source += " " + word
        draft = parser.parse("draft", source, FORMATS["markdown"])
    assert draft.jurisdiction == "US"
    assert said(draft) == said(DraftParser(grammar).parse("draft", source, FORMATS["markdown"]))


def test_what_the_draft_leaves_open_the_library_decides(grammar: Grammar) -> None:
    held: list[str] = []
    parser = DraftParser(grammar, also=lambda: held)
    source = "It was so held in [1978] 2 SCR 621.\n"
    for place in ("IN", "CA", "IN"):
        held[:] = [place]
        source += " "
        (citation,) = parser.parse("draft", source, FORMATS["markdown"]).citations
        assert citation.jurisdiction == place


def test_a_checked_draft_is_freed_when_a_newer_one_replaces_it(read: Any, token: CancelToken) -> None:
    """What checks remember of a draft refers back to it; no garbage collection is needed nevertheless."""
    source = "Carrow v Luff [2014] ASC 12 at [3] held that “the carrier must deliver”. Ibid."
    snapshot = read(source).snapshot
    check(snapshot, token)
    old, parser = weakref.ref(snapshot.draft), snapshot.parser
    assert parser is not None
    del snapshot
    gc.collect()
    gc.disable()
    try:
        assert old() is not None
        parser.parse("file:///draft", f"{source} More.", FORMATS["markdown"])
        assert old() is None
    finally:
        gc.enable()


def test_a_draft_that_was_replaced_can_still_be_read(read: Any, token: CancelToken) -> None:
    snapshot = read("Carrow v Luff [2014] ASC 12 at [3] held that “the carrier must deliver”. Ibid.").snapshot
    found = check(snapshot, token)
    assert snapshot.parser is not None
    snapshot.parser.parse("file:///draft", "Other words.", FORMATS["markdown"])
    assert check(snapshot, token) == found
