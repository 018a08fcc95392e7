"""A draft written as a style wants it stays as it is in that style, and cites the same in any other."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lexls.citations.grammar import Grammar
from lexls.citations.model import PinpointKind
from lexls.citations.styles import STYLES, Reference, Style, WrittenAs
from lexls.citations.styles.shapes import read_report
from lexls.reading.draft import Draft
from lexls.reading.draft_parser import DraftParser
from lexls.reading.edit import apply_edits
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS
from lexls.text.spans import Span
from lexls.writing.convert import convert_in
from tests.citations.styled_authorities import AUTHORITIES

MARKDOWN = FORMATS["markdown"]
PINPOINTS: dict[str, list[tuple[PinpointKind, str]]] = {
    "reported": [("page", "99"), ("page", "99-100"), ("page", "101-115"), ("page", "101, 115, 120-122")],
    "neutral": [
        ("paragraph", "7"),
        ("paragraph", "12-14"),
        ("paragraph", "12, 14"),
        ("paragraph", "9-11, 20"),
    ],
    "statute": [("section", "6"), ("section", "6(1)"), ("section", "6, 8"), ("section", "6-8")],
    "regulation": [("section", "6"), ("article", "6"), ("regulation", "6")],
    "rule": [("rule", "12"), ("rule", "12(b)(6)"), ("rule", "9, 12")],
    "constitution": [("article", "art. I § 8 cl. 3"), ("article", "amend. XIV § 1"), ("article", "21")],
    "book": [("page", "9"), ("page", "9-12")],
}
"""What each sort of authority is pinpointed by: one place, a range, several places."""
OTHERS = [
    "callery",
    "theft",
    "miranda",
    "napster",
    "kirk",
    "coleman",
    "oakes",
    "jordan",
    "gopalan",
    "vishaka",
]
"""What is cited between two citations of the same authority."""
DRAFTS_DRAWN = 2000
"""How many drafts are drawn; 10,000 take a minute."""
BEFORE = ["", "See ", "See, eg, "]
BEHIND = ["", ".", ", where it was so.", ". That was so.", " (dissenting)."]


@pytest.fixture(scope="module")
def everything() -> Grammar:
    return Grammar.load()


@dataclass(frozen=True)
class Cited:
    """One footnote: what it cites, where, and the words around."""

    name: str
    kind: PinpointKind = "page"
    labels: tuple[str, ...] = ()
    before: str = ""
    behind: str = "."

    @property
    def reference(self) -> Reference:
        """What is cited, under the name by which drafts call it."""
        authority = AUTHORITIES[self.name]
        short = re.split(r" vs?\.? ", authority.name)[0]
        return replace(authority, pinpoint=self.kind, labels=self.labels, short_name=short)


def sort_of(authority: Reference) -> str:
    """The sort of an authority, by which its places are counted."""
    if authority.kind != "case":
        return authority.kind
    return "neutral" if all(read_report(key).neutral for key in authority.citations) else "reported"


def may_be_either(authority: Reference) -> bool:
    """Whether a bare number behind the authority's short form may be a paragraph or a page."""
    return len({read_report(key).neutral for key in authority.citations}) > 1


def list_pinpoints(name: str) -> list[tuple[PinpointKind, tuple[str, ...]]]:
    """The places that a citation of the authority may name, none among them."""
    listed = [(kind, tuple(text.split(", "))) for kind, text in PINPOINTS[sort_of(AUTHORITIES[name])]]
    return [("page", ()), *listed]


def write_draft(style: Style, cited: list[Cited]) -> str:
    """A draft in the style with a footnote for each citation; "" if the style cannot cite one of them.

    What was cited before is cited in the style's short form, right behind itself by its *ibid.*
    """
    first: dict[str, int] = {}
    notes: list[str] = []
    for number, each in enumerate(cited, start=1):
        forms: list[WrittenAs] = ["full"]
        if each.name in first:
            again = notes and cited[number - 2].name == each.name
            forms = ["ibid", "short", "full"] if again and style.ibid != "never" else ["short", "full"]
        reference = replace(each.reference, note=first.get(each.name))
        if "short" in forms and not style.short_needs_note and not each.labels:
            forms = [form for form in forms if form != "short"]
        begins = not each.before
        written = [style.render(reference, form, MARKDOWN, ("*", "*"), begins=begins) for form in forms]
        text = next((one.text for one in written if one is not None), "")
        if not text:
            return ""
        first.setdefault(each.name, number)
        behind = each.behind
        if text.rstrip("*").endswith("."):
            behind = behind.removeprefix(".")
        notes.append(f"[^{number}]: {each.before}{text}{behind}\n")
    marks = " ".join(f"So it is.[^{number}]" for number in range(1, len(notes) + 1))
    return f"{marks}\n\n{''.join(notes)}"


@pytest.fixture
def snapshot_of(everything: Grammar, library: Any) -> Any:
    def make(source: str, place: str) -> Snapshot:
        draft = DraftParser(everything, place).parse("file:///draft", source, MARKDOWN)
        return Snapshot(draft, library, Searcher(library, grammar=everything), Settings(jurisdiction=place))

    return make


@pytest.fixture
def convert(snapshot_of: Any) -> Any:
    """``convert("…", "oscola", "UK")``: the whole draft in a style, short forms where it wants them."""

    def run(source: str, style: str, place: str) -> str:
        whole = Span(0, len(source))
        edits = convert_in(snapshot_of(source, place), whole, Style.load(style), CancelToken(), shorten=True)
        return apply_edits(source, edits)

    return run


def list_cited(draft: Draft) -> list[tuple[frozenset[str], tuple[str, ...]]]:
    """What each mention cites, and its places, in order; ranges in full, an Act without its state."""
    found = []
    groups: set[int] = set()
    for citation in draft.citations:
        if not citation.key or (citation.form == "full" and citation.group and citation.group in groups):
            continue
        groups.add(citation.group)
        group = draft.group_of(draft.antecedent_of(citation) or citation)
        own = draft.group_of(citation) if citation.form == "full" else [citation]
        keys = frozenset(re.sub(r" \((?:UK|India)\)$", "", each.key) for each in group)
        labels = [label for each in own if each.pinpoint for label in each.pinpoint.labels]
        found.append((keys, tuple(_spell_out(label) for label in labels)))
    return found


def _spell_out(label: str) -> str:
    first, _, second = label.removeprefix("art ").partition("-")
    if first.isdigit() and second.isdigit() and len(second) < len(first):
        second = first[: len(first) - len(second)] + second
    return f"{first}-{second}" if second else first


def list_drafts() -> Iterator[tuple[str, str, str]]:
    """For each style and authority that it can cite, and each place in it: style, jurisdiction, draft."""
    for style in STYLES:
        for number, (name, authority) in enumerate(AUTHORITIES.items()):
            other = next(
                (
                    each
                    for each in OTHERS
                    if each != name
                    and AUTHORITIES[each].jurisdiction == authority.jurisdiction
                    and write_draft(Style.load(style), [Cited(each)])
                ),
                name,
            )
            for turn, (kind, labels) in enumerate(list_pinpoints(name)):
                before, behind = BEFORE[(number + turn) % len(BEFORE)], BEHIND[(number + turn) % len(BEHIND)]
                again = Cited(name, kind, labels, before, behind)
                cited = [again, replace(again, before=""), Cited(other), again, again]
                if source := write_draft(Style.load(style), cited):
                    yield style, authority.jurisdiction, source


DRAFTS = list(list_drafts())


def test_the_matrix_has_every_style_and_sort() -> None:
    assert len(DRAFTS) > 400
    assert {style for style, _, _ in DRAFTS} == set(STYLES)


@pytest.mark.parametrize("style", STYLES)
def test_a_draft_in_its_own_style_stays_to_the_byte(convert: Any, style: str) -> None:
    drafts = [(place, source) for own, place, source in DRAFTS if own == style]
    changed = [
        (source, after) for place, source in drafts if (after := convert(source, style, place)) != source
    ]
    assert changed == []


@pytest.mark.parametrize("markup", ["latex", "typst", "plain", "asciidoc"])
@pytest.mark.parametrize("style", STYLES)
def test_it_stays_in_every_markup(everything: Grammar, library: Any, style: str, markup: str) -> None:
    chosen, format = Style.load(style), FORMATS[markup]
    for number, (name, authority) in enumerate(AUTHORITIES.items()):
        kind, labels = list_pinpoints(name)[number % 3]
        written = chosen.render(Cited(name, kind, labels).reference, "full", format)
        if written is None:
            continue
        source = f"See {written.text}. It was so."
        draft = DraftParser(everything, authority.jurisdiction).parse("file:///draft", source, format)
        settled = Settings(jurisdiction=authority.jurisdiction)
        snapshot = Snapshot(draft, library, Searcher(library, grammar=everything), settled)
        assert convert_in(snapshot, Span(0, len(source)), chosen, CancelToken(), shorten=True) == []


@pytest.mark.parametrize(("style", "other"), [(style, other) for style in STYLES for other in ("–", "-")])
def test_a_dash_that_the_style_accepts_stays(convert: Any, style: str, other: str) -> None:
    dash = Style.load(style).dash
    if dash == "–" and other == "-":
        return  # a guide that wants an en dash accepts no hyphen
    drafts = [
        (place, re.sub(rf"(?<=[\d\]]){dash}(?=[\[\d])", other, source))
        for own, place, source in DRAFTS
        if own == style and re.search(rf"\d\]?{dash}\[?\d", source)
    ]
    assert drafts
    for place, source in drafts[::3]:
        assert convert(source, style, place) == source


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_draft_in_a_style_stays_and_cites_the_same_in_another(
    convert: Any, snapshot_of: Any, data: st.DataObject
) -> None:
    style = data.draw(st.sampled_from(STYLES))
    fitting = [name for name in AUTHORITIES if write_draft(Style.load(style), [Cited(name)])]
    place = data.draw(st.sampled_from(sorted({AUTHORITIES[name].jurisdiction for name in fitting})))
    names = [name for name in fitting if AUTHORITIES[name].jurisdiction == place]
    cited = []
    for _ in range(data.draw(st.integers(min_value=1, max_value=5))):
        name = data.draw(st.sampled_from(names))
        kind, labels = data.draw(st.sampled_from(list_pinpoints(name)))
        before, behind = data.draw(st.sampled_from(BEFORE)), data.draw(st.sampled_from(BEHIND))
        cited.append(Cited(name, kind, labels, before, behind))
    source = write_draft(Style.load(style), cited)
    if not source:
        return
    assert convert(source, style, place) == source
    if any(may_be_either(each.reference) for each in cited):
        return  # which it is another style may decide, by the citation that it leaves out
    was = list_cited(snapshot_of(source, place).draft)
    for other in STYLES:
        once = convert(source, other, place)
        assert convert(once, other, place) == once, (source, once)
        now = list_cited(snapshot_of(once, place).draft)
        assert [labels for _, labels in now] == [labels for _, labels in was], (source, once)
        assert all(new <= old for (new, _), (old, _) in zip(now, was, strict=True)), (source, once)


@pytest.mark.slow
def test_thousands_of_drafts_stay_to_the_byte(convert: Any) -> None:
    """A few authorities, again and again, also of other countries: what examples do not reach."""
    chance, names, changed, left = random.Random(20_261_201), list(AUTHORITIES), [], DRAFTS_DRAWN
    while left:
        style, place = chance.choice(list(STYLES)), AUTHORITIES[chance.choice(names)].jurisdiction
        own = [name for name in names if AUTHORITIES[name].jurisdiction == place]
        few = [chance.choice(own if chance.random() < 0.8 else names) for _ in range(chance.randint(1, 3))]
        cited = []
        for _ in range(chance.randint(2, 7)):
            name = chance.choice(few)
            kind, labels = chance.choice(list_pinpoints(name))
            cited.append(Cited(name, kind, labels, chance.choice(BEFORE), chance.choice(BEHIND)))
        if source := write_draft(Style.load(style), cited):
            left -= 1
            if (after := convert(source, style, place)) != source:
                changed.append((style, place, source, after))
    assert changed == []
