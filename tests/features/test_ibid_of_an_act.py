"""An *ibid.* is the Act that the footnote before it cites, in whatever form, and never an earlier case."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.styles import Style
from lexls.reading.draft_parser import DraftParser
from lexls.reading.edit import apply_edits
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS
from lexls.text.spans import Span
from lexls.writing.convert import convert_in

MARKDOWN = FORMATS["markdown"]
CASES = {
    "UK": "*Pell v Ryle* [2014] EWCA Civ 1117",
    "AU": "*Pell v Ryle* (2010) 239 CLR 931",
    "IN": "*Pell v State of Kerala* AIR 1997 SC 3911",
    "CA": "*Pell v Ryle*, [1996] 1 SCR 903",
}
ACTS = {
    "UK": ("*Carriage of Goods Act 1998* (UK)", "*Carriage of Goods Act*"),
    "AU": ("*Carriage of Goods Act 1995* (Cth)", "*Carriage of Goods Act*"),
    "IN": ("*Carriage of Goods Act 1960* (India)", "*Carriage of Goods Act*"),
    "CA": ("*Carriage of Goods Act*, RSC 1985, c C-46", "*Carriage of Goods Act*"),
}
SIGNALS = ["", "See ", "See, eg, ", "But see ", "Cf ", "The origin is ", "It is in the "]
BEHIND = [".", " (emphasis added).", ", where it was so.", ". That was so."]


def list_forms(place: str) -> list[str]:
    """The ways in which a footnote may cite an Act that an earlier footnote cites."""
    full, short = ACTS[place]
    again = [
        f"{short} (n 2)",
        f"{short} (n 2) s 6",
        f"{short}, *supra* note 2",
        f"{short}, *supra* note 2, s 6",
    ]
    return [full, f"{full}, s 6", *again, f"{short} s 6"]


@pytest.mark.parametrize("said", ["Ibid.", "*Ibid* s 7."])
@pytest.mark.parametrize("place", CASES)
def test_ibid_is_the_act_of_the_footnote_before(grammar: Grammar, place: str, said: str) -> None:
    case, (full, _) = CASES[place], ACTS[place]
    wrong = []
    for form, signal, behind in product(list_forms(place), SIGNALS, BEHIND):
        notes = [f"{case}.", f"{full} s 5; {case}.", f"{signal}{form}{behind}", said]
        draft = DraftParser(grammar, place).parse("file:///draft", write_notes(notes), MARKDOWN)
        found = [each for each in draft.citations if each.form == "id"]
        if [each.kind for each in found] != ["statute"] or not found[0].key:
            wrong.append(notes[2])
    assert wrong == []


def test_ibid_is_the_case_that_the_footnote_cites_beside_an_act(grammar: Grammar) -> None:
    case, (full, _) = CASES["UK"], ACTS["UK"]
    notes = [f"{full} s 5.", f"The {full} was read in {case}.", "Ibid."]
    draft = DraftParser(grammar, "UK").parse("file:///draft", write_notes(notes), MARKDOWN)
    assert [each.key for each in draft.citations if each.form == "id"] == ["[2014] EWCA Civ 1117"]


@pytest.mark.parametrize("style", ["bluebook", "oscola", "aglc4", "mcgill"])
@pytest.mark.parametrize("between", ["Quill, *On Carriage*, passim.", "So the practice is."])
def test_what_a_footnote_in_between_cites_may_be_unread(
    grammar: Grammar, library: Any, style: str, between: str
) -> None:
    """Converting never writes *ibid.* across a footnote: what that cites may be nothing that lexls reads."""
    case = "*Pell v. Ryle*, 531 U.S. 905, 909 (2001)"
    draft = DraftParser(grammar, "US").parse(
        "file:///draft", write_notes([f"{case}.", between, f"{case}."]), MARKDOWN
    )
    snapshot = Snapshot(draft, library, Searcher(library, grammar=grammar), Settings(jurisdiction="US"))
    whole = Span(0, len(draft.source))
    edits = convert_in(snapshot, whole, Style.load(style), CancelToken(), shorten=True)
    last = apply_edits(draft.source, edits).rpartition("[^3]: ")[2].casefold()
    assert "id." not in last
    assert "ibid" not in last


def write_notes(notes: list[str]) -> str:
    """A draft in Markdown with these footnotes."""
    marks = " ".join(f"So it is.[^{number}]" for number in range(1, len(notes) + 1))
    texts = "".join(f"[^{number}]: {text}\n" for number, text in enumerate(notes, 1))
    return f"{marks}\n\n{texts}"
