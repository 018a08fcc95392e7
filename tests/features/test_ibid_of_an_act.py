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


WITH_SECTION = ["{} (n 1) s 6", "{} (n 1), ss 6, 8", "{}, *supra* note 1, ss 6–8", "{} s 6", "s 6 of the {}"]
"""How a section of an Act that the first footnote cites is cited again, by the Act's short title."""


def list_forms(place: str) -> list[str]:
    """The ways in which a footnote may cite an Act that an earlier footnote cites."""
    full, short = ACTS[place]
    whole = [full, f"{full}, s 6", f"{short} (n 1)", f"{short}, *supra* note 1"]
    return [*whole, *(form.format(short) for form in WITH_SECTION)]


@pytest.mark.parametrize("said", ["Ibid.", "*Ibid* s 7."])
@pytest.mark.parametrize("place", CASES)
def test_ibid_is_the_act_of_the_footnote_before(grammar: Grammar, place: str, said: str) -> None:
    case, (full, _) = CASES[place], ACTS[place]
    wrong = []
    for form, signal, behind in product(list_forms(place), SIGNALS, BEHIND):
        notes = [f"{full} s 5; {case}.", f"{case}.", f"{signal}{form}{behind}", said]
        draft = DraftParser(grammar, place).parse("file:///draft", write_notes(notes), MARKDOWN)
        found = [each for each in draft.citations if each.form == "id"]
        if [each.kind for each in found] != ["statute"] or not found[0].key:
            wrong.append(notes[2])
    assert wrong == []


@pytest.mark.parametrize("place", ACTS)
@pytest.mark.parametrize("noun", ["Act", "Code"])
@pytest.mark.parametrize("first", ["{own} s 5.", "{other} s 6; {own} s 5.", "{own} s 5; {other} s 6."])
def test_a_section_behind_an_act_and_its_note_is_of_that_act(
    grammar: Grammar, place: str, noun: str, first: str
) -> None:
    """Another Act had a section with this number last."""
    full, short = (each.replace(" Act", f" {noun}") for each in ACTS[place])
    other = full.replace("Carriage of Goods", "Harbour Dues").replace("C-46", "H-9")
    wrong = []
    for form in (each.format(short) for each in WITH_SECTION):
        notes = [first.format(own=full, other=other), f"{other} s 6.", f"See {form}.", "Ibid s 7."]
        draft = DraftParser(grammar, place).parse("file:///draft", write_notes(notes), MARKDOWN)
        own = draft.citations_in(draft.notes[0].content)
        key = own[0 if first.startswith("{own}") else 1].key
        found = [each for note in draft.notes[2:] for each in draft.citations_in(note.content)]
        if {each.key for each in found} != {key} or not any(each.pinpoint for each in found[:-1]):
            wrong.append(form)
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
