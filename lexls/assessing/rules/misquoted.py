"""Say how a quotation differs from its authority or where else it stands, and restore words and pinpoint."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import exp, log

from rapidfuzz.distance import OSA

from lexls.assessing.amendments import was_worded_so
from lexls.assessing.check import Problem, Related
from lexls.assessing.pinpoints import find_label, name_cited
from lexls.assessing.quotations import Misplaced, describe_misplaced
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.model import Pinpoint
from lexls.index.records import Authority
from lexls.quotations.comparison import Comparison, Difference, Verdict
from lexls.quotations.quoted_before import is_quoted_so
from lexls.quotations.vocabulary import MODALS, NEGATIONS
from lexls.quotations.word_likeness import compare_words
from lexls.reading.draft import Draft
from lexls.reading.edit import Edit, Fix
from lexls.reading.quotations import Quotation
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.spans import Span
from lexls.wording.descriptions import choose_pinpoint, describe_ocr
from lexls.wording.markdown import fold
from lexls.wording.place_words import put_in_marks, write_pinpoint

MISQUOTATION = DiagnosticRule(
    code="misquotation",
    severity="error",
    order=70,
    filing="error",
    help="A quotation whose words differ from those of the authority to which it is attributed.",
    documentation="""\
A negation, a modal verb, a number, a name or another word of substance differs, words are omitted without
an ellipsis, distant passages are joined without one, or the passage is not in the authority at all. The
differing words are marked, and the quick fix restores those of the authority. In joined passages, each
join is marked.

Quotation marks, dashes, spaces, ellipses, words in square brackets, star pages and the case of the first
letter do not count as differences.""",
)

QUOTATION_WORDING = DiagnosticRule(
    code="quotation-wording",
    severity="warning",
    order=80,
    filing="error",
    help="A quotation in which a small word differs from the authority's text.",
    documentation="""\
Only function words differ ("a" for "the", "which" for "that"). The quick fix restores those of the
authority.""",
)

QUOTATION_ALTERED = DiagnosticRule(
    code="quotation-altered",
    severity="warning",
    order=90,
    filing="error",
    help="An ellipsis or a bracket in a quotation that changes its meaning.",
    documentation="""\
The ellipsis omits a negation or an exception ("not", "unless", "except"), or the words in brackets change
a modal verb, a number or a negation of the original.""",
)

QUOTATION_SPELLING = DiagnosticRule(
    code="quotation-spelling",
    severity="hint",
    order=100,
    filing="warning",
    help="A quotation that differs from the authority's text by what looks like a scanning or typing error.",
    documentation="""\
Single letters differ ("rn" for "m", "l" for "1"), as happens when one of the two texts was scanned. Only
the printed report can show which is right. The same applies to words that other documents of the library
quote like the draft, and to several small words of a long quotation, in which editions differ.

If lexls itself read the authority's page by OCR, any word that differs by a letter or two is reported
here. The message says how reliable the OCR of that page is.""",
)

PINPOINT_ELSEWHERE = DiagnosticRule(
    code="pinpoint-elsewhere",
    severity="warning",
    order=60,
    filing="error",
    help="A quotation that is in the authority, but not at the pinpoint.",
    documentation="""\
The quoted words are in the authority, but not at the paragraph, page or section given in the citation.
The quick fix replaces the pinpoint with the right one. It is offered only if the words occur once.""",
)


_CODES: dict[Verdict, DiagnosticRule] = {
    "harmful": MISQUOTATION,
    "wording": QUOTATION_WORDING,
    "altered": QUOTATION_ALTERED,
    "spelling": QUOTATION_SPELLING,
}
_LONG = 60
"""Words from which on a quotation is long enough for editions to differ in it."""
_MANY = 5
"""Differences from which on the quotation is reported as a whole."""
_MOST_ASKED = 12
"""Differences of a quotation up to which others are asked how they quote its words."""
_SHOWN = 160
"""Code points of an authority that a message repeats."""
_NOUNS = {
    "exhibit": "the record",
    "statute": "the Act",
    "regulation": "the regulation",
    "contract": "the contract",
    "treaty": "the treaty",
}


def _name_text(authority: Authority) -> str:
    if authority.kind == "case":
        return f"the {find_jurisdiction(authority.jurisdiction).customs.decision}"
    return _NOUNS.get(authority.kind, "the authority")


def report_absence(snapshot: Snapshot, quotation: Quotation, authority: Authority) -> Problem:
    """The passage is not in the authority at all; pages without text, which may hold it, are counted."""
    copy = "" if authority.kind == "exhibit" else "your library’s copy of "
    message = f"this passage is not in {copy}{name_cited(authority)}"
    content = snapshot.library.contents.get(authority.id)
    if content is not None and (empty := content.count_empty_pages()):
        message += f", {empty} of whose {len(content.page_starts)} pages have no text"
    return Problem(quotation.inner, MISQUOTATION.code, message, authority.id)


def report_differences(
    snapshot: Snapshot, quotation: Quotation, authority: Authority, comparison: Comparison
) -> Iterator[Problem]:
    """A problem for each difference that matters; one for all where they are many."""
    harmful: list[Difference] = []
    slight: list[Difference] = []
    weighing = comparison.of_grade("harmful", "wording")
    for each in weighing:
        borne_out = len(weighing) <= _MOST_ASKED and (
            is_quoted_so(snapshot, quotation, authority, each)
            or _was_worded_so(snapshot, quotation, authority, each)
        )
        (slight if borne_out else harmful).append(each)
    text = snapshot.library.contents.text(authority.id)
    small = [each for each in harmful if each.grade == "wording" or _may_be_misprint(quotation, each, text)]
    small += comparison.of_grade("spelling")
    if quotation.words >= _LONG and len(small) + len(slight) > 1:
        # Editions and copies differ so, here and there; what is altered is altered once.
        slight += small
        harmful = [each for each in harmful if each not in small]
    if len(weighing) >= _MANY and comparison.place is not None:
        said = f"these words differ in {len(weighing)} places from {name_cited(authority)}"
        place = describe_where(snapshot, authority, comparison.place)
        place += _remark_on_ocr(snapshot, authority, comparison.place)
        if all(_may_be_misread(snapshot, quotation, authority, each) for each in harmful):
            worst = QUOTATION_SPELLING
        else:
            grades = {each.grade for each in harmful}
            worst = MISQUOTATION if "harmful" in grades else QUOTATION_WORDING
        related = (Related("What it says", comparison.place, authority.id),)
        yield Problem(quotation.inner, worst.code, said + place, authority.id, related)
        return
    for difference in comparison.of_grade("harmful", "wording", "altered", "spelling"):
        yield _problem(snapshot, quotation, authority, difference, slight=difference in slight)


def _was_worded_so(
    snapshot: Snapshot, quotation: Quotation, authority: Authority, difference: Difference
) -> bool:
    """Return whether the notes of a code say that a section had the words of the quotation before."""
    if authority.kind != "statute":
        return False
    label = find_label(snapshot, authority, "section", difference.original.start)
    written = difference.quoted.of(quotation.text)
    original = difference.original.of(snapshot.library.contents.text(authority.id))
    return bool(label) and was_worded_so(snapshot.library, authority.id, label, written, original)


def _problem(
    snapshot: Snapshot, quotation: Quotation, authority: Authority, difference: Difference, *, slight: bool
) -> Problem:
    """A difference as a problem; ``slight``: another edition, or the slip of a copy, may have made it."""
    span = quotation.in_source(difference.quoted)
    written = fold(difference.quoted.of(quotation.text))
    text = snapshot.library.contents.text(authority.id)
    original = fold(difference.original.of(text))
    noun = _name_text(authority)
    where = describe_where(snapshot, authority, difference.original)
    source = f"({name_cited(authority)}{where}{_remark_on_ocr(snapshot, authority, difference.original)})"
    misread = _may_be_misread(snapshot, quotation, authority, difference)
    code = (QUOTATION_SPELLING if misread else _CODES[difference.grade]).code
    if slight:
        code = QUOTATION_SPELLING.code
    elif code == QUOTATION_SPELLING.code and not misread and _is_another_word(snapshot, written, original):
        code = MISQUOTATION.code
    elif difference.kind in ("content", "name") and _is_slip_of_copy(
        snapshot, written, original, difference.kind == "content"
    ):
        code = QUOTATION_SPELLING.code
    marked = span
    if difference.kind == "ellipsis-sense":
        left = ", ".join(f"“{word}”" for word in difference.words)
        message = f"the ellipsis leaves out {left}: {noun} has “{_cut(original)}” {source}"
    elif difference.kind == "bracket-sense" and not original:
        message = f"“{written}” changes the sense: {noun} has no such word here {source}"
    elif not written:
        marked = _around(quotation, difference.quoted)
        message = f"{noun} has “{_cut(original)}” here {source}"
    elif not original:
        message = f"“{_cut(written)}” is not in {noun} here {source}"
    else:
        verb = "has" if code == QUOTATION_SPELLING.code else "says"
        message = f"“{_cut(written)}” — {noun} {verb} “{_cut(original)}” {source}"
    if code == QUOTATION_SPELLING.code and difference.kind == "scan":
        message += ": a slip of a scan?"
    elif slight:
        message += ": another edition?"
    around = _widened(text, difference.original)
    related = (Related(put_in_marks(_cut(fold(around.of(text)), 200)), around, authority.id),)
    fix = _fix(snapshot, quotation, difference, original)
    return Problem(marked, code, message, authority.id, related, (fix,) if fix is not None else ())


_MISREAD = 2
"""Letters of a long word that OCR may have misread; of a short one, one."""
_SHORT_WORD = 6


def _may_be_misread(
    snapshot: Snapshot, quotation: Quotation, authority: Authority, difference: Difference
) -> bool:
    """Return whether a word may differ only since OCR has misread a letter of the authority's."""
    if not len(difference.quoted) or not len(difference.original):
        return False
    if snapshot.library.contents.find_scan(authority.id, difference.original.start) is None:
        return False
    written = fold(difference.quoted.of(quotation.text))
    original = fold(difference.original.of(snapshot.library.contents.text(authority.id)))
    most = 1 if len(original) < _SHORT_WORD else _MISREAD
    return OSA.distance(written, original, score_cutoff=most) <= most


def _may_be_misprint(quotation: Quotation, difference: Difference, text: str) -> bool:
    """Return whether two words differ by a letter or two, and neither turns what is said."""
    written, original = (
        fold(difference.quoted.of(quotation.text)).casefold(),
        fold(difference.original.of(text)).casefold(),
    )
    if not (written.isalpha() and original.isalpha()) or NEGATIONS.intersection((written, original)):
        return False
    most = 1 if len(original) < _SHORT_WORD else _MISREAD
    return not MODALS.issuperset((written, original)) and (
        OSA.distance(written, original, score_cutoff=most) <= most
    )


_USUAL, _MOST_PASSAGES = 8, 1000
"""Passages of a library that hold a word which nobody takes for a slip: so many, and one in so many."""
_OFTENER, _UNHEARD = 20, 3
"""How much oftener a word stands than what is made of it; passages with a word that nobody else writes."""


def _is_another_word(snapshot: Snapshot, written: str, original: str) -> bool:
    """Return whether two words that differ by few letters are two words of the library, and no scanner's
    letters."""
    one, other = written.casefold(), original.casefold()
    if not (one.isalpha() and other.isalpha()) or compare_words(one, other) != "scan":
        return False
    rarities = _measure_rarities(snapshot, one, other)
    passages = snapshot.library.passage_count
    most = log(max(1, passages / max(_USUAL, passages / _MOST_PASSAGES)))
    return bool(rarities) and all(0 < each < most for each in rarities) and _ratio(rarities) < _OFTENER


def _is_slip_of_copy(snapshot: Snapshot, written: str, original: str, draft_too: bool) -> bool:
    """Return whether an authority's word is next to none, and that of the quotation a usual one much like
    it; with ``draft_too``, or the other way round.
    """
    one, other = (each.casefold().strip("[]").replace("]", "") for each in (written, original))
    most = max(2, max(len(one), len(other)) // 3)
    if not (one.isalpha() and other.isalpha()) or (one[0] != other[0] and one[-1] != other[-1]):
        return False
    if OSA.distance(one, other, score_cutoff=most) > most:
        return False
    passages = snapshot.library.passage_count
    counts = [passages / exp(each) if each > 0 else 0 for each in _measure_rarities(snapshot, one, other)]
    if not counts or min(counts) > _UNHEARD or max(counts) < _OFTENER * max(1, min(counts)):
        return False
    return counts[1] < counts[0] or draft_too


def _measure_rarities(snapshot: Snapshot, one: str, other: str) -> list[float]:
    """Return how rare two words are in the library, [] if they are one for its index."""
    terms = snapshot.tokens(f"{one} {other}")
    return snapshot.library.rarity(terms) if len(set(terms)) == 2 else []


def _ratio(rarities: Sequence[float]) -> float:
    """Return how many times as often the usual one of two words stands in the library."""
    return exp(max(rarities) - min(rarities))


def _remark_on_ocr(snapshot: Snapshot, authority: Authority, span: Span) -> str:
    """That a segment of an authority was read by OCR, behind where it is; "" if it was not."""
    said = describe_ocr(snapshot.library, authority.id, span.start)
    return f"; {said}: check the page" if said else ""


def _fix(snapshot: Snapshot, quotation: Quotation, difference: Difference, original: str) -> Fix | None:
    """Restoring the authority's words; None where the draft's markup or brackets would suffer."""
    if difference.kind == "ellipsis-sense":
        return None
    draft = snapshot.draft
    span = quotation.in_source(difference.quoted)
    if span.of(draft.source) != span.of(draft.masked):
        return None
    words = draft.format.escape(original)
    if not len(span):
        if not words:
            return None
        before = draft.source[span.start - 1 : span.start]
        after = draft.source[span.start : span.start + 1]
        left = "" if span.start == quotation.inner.start or before.isspace() else " "
        right = " " if not left and after and not after.isspace() else ""
        return Fix(f"Put in “{_cut(original)}”", (Edit(span, left + words + right),))
    if not words:
        if _in_markup(draft, span):
            return None
        end = span.end
        if draft.source[end : end + 1] == " " and end < quotation.inner.end:
            span = Span(span.start, end + 1)
        elif draft.source[span.start - 1 : span.start] == " " and span.start > quotation.inner.start:
            span = Span(span.start - 1, end)
        return Fix(f"Take out “{_cut(fold(difference.quoted.of(quotation.text)))}”", (Edit(span, ""),))
    return Fix(f"Restore “{_cut(original)}”", (Edit(span, words),))


def _in_markup(draft: Draft, span: Span) -> bool:
    """Return whether markup touches a segment of the source: without its words the marks would stand
    alone."""
    return any(
        draft.masked[at : at + 1].isspace() and not draft.source[at : at + 1].isspace()
        for at in (span.start - 1, span.end)
    )


def _around(quotation: Quotation, gap: Span) -> Span:
    """The word before a place in the quotation and the one behind it."""
    text = quotation.text
    start = gap.start
    while start > 0 and not text[start - 1].isspace():
        start -= 1
    end = gap.end
    while end < len(text) and text[end].isspace():
        end += 1
    while end < len(text) and not text[end].isspace():
        end += 1
    return quotation.in_source(Span(start, end)) if end > start else quotation.inner


def _widened(text: str, span: Span) -> Span:
    """The span with some words of its paragraph on either side, for showing."""
    before = text.rfind("\n\n", 0, span.start)
    behind = text.find("\n\n", span.end)
    start = max(before + 2 if before >= 0 else 0, span.start - 60)
    end = min(behind if behind >= 0 else len(text), span.end + 60)
    while 0 < start < span.start and not text[start - 1].isspace():
        start += 1
    while end < len(text) and end > span.end and not text[end].isspace():
        end -= 1
    return Span(start, max(end, start))


def _cut(text: str, limit: int = _SHOWN) -> str:
    if len(text) <= limit:
        return text
    space = text.rfind(" ", 0, limit)
    return text[: space if space > 0 else limit] + " …"


def name_place(snapshot: Snapshot, authority: Authority, span: Span) -> str:
    """An authority with the place of a segment of it: "the judgment ([2014] ASC 12 at [4])"."""
    return f"{_name_text(authority)} ({name_cited(authority)}{describe_where(snapshot, authority, span)})"


# -- places --------------------------------------------------------------------------------------------------


def describe_where(snapshot: Snapshot, authority: Authority, span: Span) -> str:
    """Return where a segment of an authority is, as it is cited behind the authority; "" if nobody
    numbered it."""
    kind = choose_pinpoint(authority)
    label = find_label(snapshot, authority, kind, span.start)
    if not label:
        return ""
    if kind == "page":
        return f", {label}"
    if kind == "paragraph":
        return f" at {label}" if ":" in label else f" at [{label}]"
    written = write_pinpoint(kind, label, authority.jurisdiction)
    return f" {written}" if written.startswith("§") else f", {written}"


def report_misplaced(snapshot: Snapshot, misplaced: Misplaced) -> Problem:
    """Report words that the authority has at another place than the pinpoint."""
    authority, pinpoint, labels = misplaced.authority, misplaced.pinpoint, misplaced.labels
    write = partial(write_pinpoint, pinpoint.kind, jurisdiction=authority.jurisdiction)
    related = tuple(Related("Here", span, authority.id) for span in misplaced.places[:3])
    fixes: tuple[Fix, ...] = ()
    if len(labels) == 1 and len(pinpoint.labels) == 1:
        fixes = (_quoted_elsewhere_fix(snapshot, pinpoint, labels[0], write(labels[0])),)
    return Problem(
        pinpoint.span, PINPOINT_ELSEWHERE.code, describe_misplaced(misplaced), authority.id, related, fixes
    )


def _quoted_elsewhere_fix(snapshot: Snapshot, pinpoint: Pinpoint, label: str, named: str) -> Fix:
    """The right label in the place of the wrong one, its brackets and signs kept."""
    source = snapshot.draft.source
    written = pinpoint.span.of(source)
    bare = written.strip("[]¶§ \t*")
    start = pinpoint.span.start + written.find(bare)
    span = Span(start, start + len(bare))
    return Fix(f"Change the pinpoint to {named}", (Edit(span, label),))
