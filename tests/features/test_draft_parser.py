import random

import pytest

from lexls.citations.grammar import Grammar
from lexls.features.draft_parser import DraftParser, moved

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
    "a", "e", " ", "x y", ".", ",", "\n", "\n\n", "the", " and so on", "Carrow", " v ", "[", "]", "(", "12",
    "s 9", " at [4]", "Ibid", "*", "_", "“the Act”", "supra", "Act", "section 3", "id", "#", "`", "T",
    " The ", "é", "Carrow Shipping", " Ltd", "Xander", " Crown", "the Act", "wool case", " of", " Luff",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_reading_on_from_the_last_version_gives_what_reading_anew_gives(grammar: Grammar, seed: int) -> None:
    chance = random.Random(seed)
    parser = DraftParser(grammar, "Aldmoor")
    source = DRAFT
    parser.parse("draft", source, "markdown")
    for _ in range(25):
        at = chance.randrange(len(source) + 1)
        gone = chance.choice([0, 0, 0, 1, 3, 20])
        source = source[:at] + chance.choice(PIECES) + source[at + gone :]
        fresh = DraftParser(grammar, "Aldmoor").parse("draft", source, "markdown")
        assert parser.parse("draft", source, "markdown") == fresh


@pytest.mark.parametrize("typed", [" need", "less", ", and so", " of the ship.", " The", "\n\n", " Xander"])
def test_ordinary_typing_only_moves_citations(grammar: Grammar, typed: str) -> None:
    old = (
        "Pell v Stark [2009] ACA 31 holds so in terms that leave no room for any doubt on this, and nobody "
        "now says that it was wrong in that, or that damp is not what a keeper of grain is there to prevent; "
        "which is so for wool too: Carrow v Luff [2014] ASC 12 at [3]."
    )
    new = old.replace("that damp", f"that{typed} damp")
    found = moved(grammar.find(old, "Aldmoor"), old, new)
    assert found == grammar.find(new, "Aldmoor")
    assert found


@pytest.mark.parametrize("typed", ["Carrow", "[2", "ibid", "section", "12", "v"])
def test_typing_that_may_become_a_citation_is_read_anew(grammar: Grammar, typed: str) -> None:
    old = (
        "It was so in Carrow, and the storm that followed was such as nobody had foreseen in these waters, "
        "although many a sailor lives there who has seen more than one."
    )
    assert moved((), old, old.replace("nobody", f"nobody {typed}")) is None
