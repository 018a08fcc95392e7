"""Insert the citation of an authority in every way that lexls has, and read it back.

What is inserted into a draft must be read there as the same authority and be verified, must be in the table
of authorities, and must have the form that the style prescribes at that place: in full first, then in short.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lexls.assessing.assess import assess
from lexls.assessing.check import is_quoted
from lexls.assessing.verdicts import decide, explain
from lexls.citations.grammar import Grammar
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.styles import STYLES, Style
from lexls.export.report import compare_quotations
from lexls.export.table_of_authorities import list_entries
from lexls.features.completion import complete
from lexls.features.drafting import insert_sentence
from lexls.features.find_support import SupportOption, offer_hit
from lexls.features.inline_completion import propose_citation
from lexls.features.support_edits import write_support
from lexls.index.library import Library
from lexls.index.records import Authority, PassageRecord
from lexls.reading.draft_parser import DraftParser
from lexls.reading.edit import Edit, apply_edits
from lexls.reading.propositions import find_proposition
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.model import Hit
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS
from lexls.text.spans import Span
from lexls.writing.citing import make_reference

SENTENCE = "The parties agree on nothing else, and the point remains open."
POSITIONS = ("first", "after another", "right behind")
_CLUTTER = (
    ("company number", re.compile(r"\(A[BC]N\b|\bA[BC]N \d")),
    (
        "note of the file",
        re.compile(r"\((?:includes? )?(?:corrigendum|corrected|revised|restricted)\b", re.I),
    ),
    ("stray mark", re.compile(r"[`\u00ad]")),
    ("list of parties", re.compile(r"\bet al\b|, (?:petitioner|respondent|appellant|appellee)s?\b", re.I)),
)
_PAIRS = ("“”", "()", "[]")


@dataclass(frozen=True, slots=True)
class Insertion:
    """One insertion: in which ``style`` and ``place``, at which position of the draft, in which ``way``.

    ``source`` is the draft with it, ``spans`` what was inserted, ``written`` its words. ``fault`` is what is
    wrong with it by kind, "" for nothing, ``detail`` says it in words.
    """

    style: str
    place: str
    position: str
    way: str
    authority: Authority | None
    source: str
    spans: tuple[Span, ...]
    fault: str = ""
    detail: str = ""

    @property
    def written(self) -> str:
        """The words that were inserted."""
        return " … ".join(span.of(self.source) for span in self.spans).strip()


class Desk:
    """Reads and writes drafts on one library in every style."""

    def __init__(self, library: Library, grammar: Grammar) -> None:
        self.library = library
        self._grammar = grammar
        self._parsers: dict[str, DraftParser] = {}
        self._kept: dict[str, Snapshot] = {}

    def read(self, source: str, style: str, place: str) -> Snapshot:
        """A snapshot of a draft in Markdown."""
        if place not in self._parsers:
            self._parsers[place] = DraftParser(self._grammar, place)
        parser = self._parsers[place]
        draft = parser.parse("file:///draft.md", source, FORMATS["markdown"])
        settings = Settings(jurisdiction=place, citations_style=style, embeddings_model="")  # type: ignore[arg-type]
        kept = self._kept.setdefault(
            "", Snapshot(draft, self.library, Searcher(self.library, grammar=self._grammar), settings)
        )
        return Snapshot(
            draft, self.library, kept.searcher, settings, kept.names, kept.tokenizer, kept.quoted,
            kept.concordance, parser=parser,
        )  # fmt: skip


def insert_everywhere(
    desk: Desk, authority: Authority, other: Authority | None, habits: Sequence[tuple[str, str]]
) -> Iterator[Insertion]:
    """Insert the citation of an authority in each style, at each position and in each way, and judge it.

    ``other`` is cited between two citations of it, where there is one.
    """
    passage = choose_passage(desk.library, authority)
    for style, place in habits:
        for position in POSITIONS:
            if position == "after another" and other is None:
                continue
            source = write_before(desk, authority, passage, other, style, place, position)
            for way, edits in list_ways(desk, authority, passage, source, style, place):
                yield judge(desk, authority, source, edits, style, place, position, way)


def list_habits(home: str) -> list[tuple[str, str]]:
    """Every style of the settings, and none ("": the draft's place decides), for drafts in one place."""
    return [(style, home) for style in ("", *STYLES)]


def choose_passage(library: Library, authority: Authority) -> PassageRecord | None:
    """A passage in the middle of an authority, with a sentence in it."""
    text = library.contents.text(authority.id)
    for share in (50, 33, 25, 70, 85, 97, 12, 5):
        passage = library.contents.find_passage(authority.id, len(text) * share // 100)
        if passage is not None:
            return passage
    return None


def write_before(
    desk: Desk,
    authority: Authority,
    passage: PassageRecord | None,
    other: Authority | None,
    style: str,
    place: str,
    position: str,
) -> str:
    """A draft with the sentence to be cited for at its end."""
    start = f"It was said at the outset that much is in doubt.\n\n{SENTENCE}"
    if position == "first":
        return start
    source = _cite(desk, authority, passage, start, style, place)
    if position == "right behind":
        return f"{source} {SENTENCE}"
    assert other is not None
    source = f"{source}\n\nAnother matter has been settled by the courts for a long time."
    return f"{_cite(desk, other, None, source, style, place)}\n\n{SENTENCE}"


def _cite(
    desk: Desk, authority: Authority, passage: PassageRecord | None, source: str, style: str, place: str
) -> str:
    snapshot = desk.read(source, style, place)
    return apply(source, write_support(snapshot, _offer(snapshot, authority, passage)).full)[0]


def _offer(snapshot: Snapshot, authority: Authority, passage: PassageRecord | None) -> SupportOption:
    end = len(snapshot.draft.source) - 1
    target = find_proposition(snapshot.draft, Span(end, end)) or Span(0, end)
    passage = passage or choose_passage(snapshot.library, authority)
    assert passage is not None
    return offer_hit(snapshot, Hit(1, authority, passage, 1.0, 1.0, None), target, passage.text[:200])


def list_ways(
    desk: Desk, authority: Authority, passage: PassageRecord | None, source: str, style: str, place: str
) -> Iterator[tuple[str, Sequence[Edit]]]:
    """The edits of each way to insert a citation at the end of a draft."""
    snapshot = desk.read(source, style, place)
    option = _offer(snapshot, authority, passage)
    written = write_support(snapshot, option)
    yield "find support", written.full
    yield "with its words", written.quotation
    if written.short:
        yield "in short", written.short
    if written.citation and "Another" not in source and source.count(SENTENCE) == 1:
        yield "for an agent", (Edit(Span(len(source), len(source)), f" {written.citation}."),)
    if passage is not None:
        pin = option.pin
        at = len(source)
        yield "evidence", insert_sentence(snapshot, at, authority, Span(pin.start, pin.end))
    yield from _list_completed(desk, authority, source, style, place)
    yield from _list_inline(desk, option, source, style, place)


def _list_completed(
    desk: Desk, authority: Authority, source: str, style: str, place: str
) -> Iterator[tuple[str, Sequence[Edit]]]:
    name = " ".join(authority.name.split())[:60]
    typed = f"{source} So it was held in *{name}"
    snapshot = desk.read(typed, style, place)
    items = complete(snapshot, len(typed), CancelToken())
    found = [each for each in items if each.authority == authority.id]
    if not found:
        yield "completion", ()
    for number, item in enumerate(found):
        added = typed[len(source) : item.replace.start]
        way = "completion" if not number else "second completion"
        text, stop = item.bare, item.stop
        if stop is not None and (item.asks_on or text.endswith(" at ")):
            lead = f"{source}{added}{item.text[: stop.start]}"
            behind = item.text[stop.end :]
            places = complete(desk.read(lead + behind, style, place), len(lead), CancelToken())
            found_place = next((each for each in places if each.kind == "place"), None)
            label = found_place.text if found_place is not None else (authority.citation or "1").split()[-1]
            kept = lead[: found_place.replace.start] if found_place is not None else lead
            text = kept[len(source) + len(added) :] + label + behind
        yield way, (Edit(Span(len(source), len(source)), f"{added}{text}."),)


def _list_inline(
    desk: Desk, option: SupportOption, source: str, style: str, place: str
) -> Iterator[tuple[str, Sequence[Edit]]]:
    words = " ".join(option.quote.split())
    if not 40 < len(words) < 300 or re.search(r"[“”\"*_`\[\]\u00ad]", words):
        return
    typed = f"{source} {words.rstrip('.')}."
    proposal = propose_citation(desk.read(typed, style, place), len(typed), CancelToken())
    if proposal is not None:
        text = typed[len(source) : proposal.replace.start] + proposal.text
        yield "inline", (Edit(Span(len(source), len(source)), text),)


def apply(source: str, edits: Sequence[Edit]) -> tuple[str, tuple[Span, ...]]:
    """A draft with edits, and where what they insert stands."""
    spans, moved = [], 0
    for edit in sorted(edits, key=lambda each: each.span):
        start = edit.span.start + moved
        moved += len(edit.text) - len(edit.span)
        spans.append(Span(start, start + len(edit.text)))
    return apply_edits(source, edits), tuple(spans)


def judge(
    desk: Desk,
    authority: Authority,
    source: str,
    edits: Sequence[Edit],
    style: str,
    place: str,
    position: str,
    way: str,
) -> Insertion:
    """Read what was inserted back and say what is wrong with it."""
    now, spans = apply(source, edits)
    made = Insertion(style, place, position, way, authority, now, spans)
    fault, detail = _find_fault(desk, made)
    return Insertion(style, place, position, way, authority, now, spans, fault, detail)


def _find_fault(desk: Desk, made: Insertion) -> tuple[str, str]:
    if not made.spans:
        return "not offered", ""
    snapshot = desk.read(made.source, made.style, made.place)
    draft, token, authority = snapshot.draft, CancelToken(), made.authority
    assert authority is not None
    inserted = [each for span in made.spans for each in draft.citations_in(span)]
    words = " ".join(span.of(made.source) for span in made.spans)
    quoted = made.way in ("with its words", "evidence", "inline")
    own = []
    for each in inserted:
        if quoted and is_quoted(draft, each.span.start):
            continue
        found = assess(snapshot, each, token)
        if found.authority is not None and is_same(found.authority, authority):
            own.append(each)
            if decide(found) != "verified":
                return decide(found), explain(found)
        elif not quoted:
            if found.authority is not None:
                return "another authority", found.authority.name
            return f"unread: {found.absence}", explain(found)
    if not own:
        return ("unread", "") if made.way != "inline" else ("", "")
    if not made.way.startswith("second") and (fault := _find_wrong_form(desk, made, own[0].form)):
        return fault, own[0].form
    entries = list_entries(snapshot, token)
    ends = {end for entry in entries for end in entry.mentions}
    if not any(span.start <= end <= span.end + 2 for span in made.spans for end in ends):
        return "not in the table", ""
    name = words if not quoted else own[0].name
    for kind, pattern in _CLUTTER:
        if pattern.search(words if kind == "stray mark" else name):
            return kind, ""
    for passage, _ in compare_quotations(snapshot, token) if quoted else ():
        if passage.verdict == "differs" and any(span.touches(passage.span.start) for span in made.spans):
            return "misquoted", f"{passage.reason} {passage.remarks}"
    for opening, closing in _PAIRS:
        if words.count(opening) != words.count(closing):
            return f"unbalanced {opening}{closing}", ""
    return "", ""


def is_same(one: Authority, other: Authority) -> bool:
    """Return whether two authorities are one, or copies of one."""
    return one.id == other.id or not set(one.citations).isdisjoint(other.citations)


def _find_wrong_form(desk: Desk, made: Insertion, form: str) -> str:
    """Return whether a citation is in full where the style is short there, or in short where it cannot be."""
    assert made.authority is not None
    if made.position == "first":
        return "" if form == "full" else "in short, not in full"
    wants = find_jurisdiction(made.authority.jurisdiction).customs.court_and_year
    if made.style:
        style, snapshot = Style.load(made.style), desk.read(made.source, made.style, made.place)
        reference = make_reference(snapshot, made.authority, "page", "1")
        wants = not style.short_needs_note and reference is not None
        wants = wants and style.render(reference, "short", snapshot.draft.format) is not None
    if made.authority.kind != "case":
        return ""
    wants = wants or made.way == "in short"
    return "in full, not in short" if wants and form == "full" else ""
