"""Report how a quotation differs from its authority, or where the authority has its words, and offer fixes
for the words or the pinpoint.
"""

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
"""Minimum number of words of a quotation for a few small differences to be explained by another edition."""
_MANY = 5
"""Minimum number of differences for a quotation to be reported as one problem."""
_MOST_ASKED = 12
"""Maximum number of differences in a quotation for other documents that quote the same words to be
consulted.
"""
_SHOWN = 160
"""Maximum length of an authority's text in a message, in code points."""
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
    """Report that the passage is not in the authority. If pages of the authority have no text, their number
    is added, since they may contain the passage.
    """
    copy = "" if authority.kind == "exhibit" else "your library’s copy of "
    message = f"this passage is not in {copy}{name_cited(authority)}"
    content = snapshot.library.contents.get(authority.id)
    if content is not None and (empty := content.count_empty_pages()):
        message += f", {empty} of whose {len(content.page_starts)} pages have no text"
    return Problem(quotation.inner, MISQUOTATION.code, message, authority.id)


def report_differences(
    snapshot: Snapshot, quotation: Quotation, authority: Authority, comparison: Comparison
) -> Iterator[Problem]:
    """Report each significant difference; if there are many, report them as one problem."""
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
    """Return whether a code's notes show that the section formerly read as the quotation does."""
    if authority.kind != "statute":
        return False
    label = find_label(snapshot, authority, "section", difference.original.start)
    written = difference.quoted.of(quotation.text)
    original = difference.original.of(snapshot.library.contents.text(authority.id))
    return bool(label) and was_worded_so(snapshot.library, authority.id, label, written, original)


def _problem(
    snapshot: Snapshot, quotation: Quotation, authority: Authority, difference: Difference, *, slight: bool
) -> Problem:
    """Return the problem for a difference. ``slight`` means that another edition or a misprint in the
    library's copy may explain it.
    """
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
"""Maximum number of misread letters for OCR to explain a different long word; for a short word, one."""
_SHORT_WORD = 6


def _may_be_misread(
    snapshot: Snapshot, quotation: Quotation, authority: Authority, difference: Difference
) -> bool:
    """Return whether the two words may differ only because OCR misread the authority's."""
    if not len(difference.quoted) or not len(difference.original):
        return False
    if snapshot.library.contents.find_scan(authority.id, difference.original.start) is None:
        return False
    written = fold(difference.quoted.of(quotation.text))
    original = fold(difference.original.of(snapshot.library.contents.text(authority.id)))
    most = 1 if len(original) < _SHORT_WORD else _MISREAD
    return OSA.distance(written, original, score_cutoff=most) <= most


def _may_be_misprint(quotation: Quotation, difference: Difference, text: str) -> bool:
    """Return whether two words differ by a letter or two without changing the meaning."""
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
"""Thresholds for a common word: the larger of ``_USUAL`` passages and one in ``_MOST_PASSAGES`` of the
library's passages must have it.
"""
_OFTENER, _UNHEARD = 20, 3
"""Minimum ratio of the frequencies of a common word and an unusual variant, and maximum number of passages
that have the variant.
"""


def _is_another_word(snapshot: Snapshot, written: str, original: str) -> bool:
    """Return whether two similar words are both established words in the library, so that OCR does not
    explain the difference.
    """
    one, other = written.casefold(), original.casefold()
    if not (one.isalpha() and other.isalpha()) or compare_words(one, other) != "scan":
        return False
    rarities = _measure_rarities(snapshot, one, other)
    passages = snapshot.library.passage_count
    most = log(max(1, passages / max(_USUAL, passages / _MOST_PASSAGES)))
    return bool(rarities) and all(0 < each < most for each in rarities) and _ratio(rarities) < _OFTENER


def _is_slip_of_copy(snapshot: Snapshot, written: str, original: str, draft_too: bool) -> bool:
    """Return whether the library's copy is probably misprinted, since its word is hardly ever used and the
    quotation's similar word is common. If ``draft_too`` is true, also return true for the reverse.
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
    """Return how rare each of two words is in the library; [] if the index treats them as the same word."""
    terms = snapshot.tokens(f"{one} {other}")
    return snapshot.library.rarity(terms) if len(set(terms)) == 2 else []


def _ratio(rarities: Sequence[float]) -> float:
    """Return the ratio of the frequencies of two words in the library, at least 1."""
    return exp(max(rarities) - min(rarities))


def _remark_on_ocr(snapshot: Snapshot, authority: Authority, span: Span) -> str:
    """Return a remark that OCR read this part of an authority; "" if it did not."""
    said = describe_ocr(snapshot.library, authority.id, span.start)
    return f"; {said}: check the page" if said else ""


def _fix(snapshot: Snapshot, quotation: Quotation, difference: Difference, original: str) -> Fix | None:
    """Return the fix that restores the authority's words; None if the edit would damage the draft's markup or
    brackets.
    """
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
    """Return whether markup is directly before or after a part of the source, so that deleting the part would
    leave empty markup.
    """
    return any(
        draft.masked[at : at + 1].isspace() and not draft.source[at : at + 1].isspace()
        for at in (span.start - 1, span.end)
    )


def _around(quotation: Quotation, gap: Span) -> Span:
    """Return the span of the source around a gap in the quotation, from the word before the gap to the word
    after it.
    """
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
    """Return the span with up to 60 code points of context from its paragraph on either side."""
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
    """Return the name of an authority with a pinpoint: "the judgment ([2014] ASC 12 at [4])"."""
    return f"{_name_text(authority)} ({name_cited(authority)}{describe_where(snapshot, authority, span)})"


# -- places --------------------------------------------------------------------------------------------------


def describe_where(snapshot: Snapshot, authority: Authority, span: Span) -> str:
    """Return the pinpoint of a span of an authority, in the form used after its citation; "" if the authority
    has no numbering.
    """
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
    """Report words that the authority has elsewhere than at the pinpoint."""
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
    """Return the fix that changes the label in the pinpoint and keeps the brackets and signs around it."""
    source = snapshot.draft.source
    written = pinpoint.span.of(source)
    bare = written.strip("[]¶§ \t*")
    start = pinpoint.span.start + written.find(bare)
    span = Span(start, start + len(bare))
    return Fix(f"Change the pinpoint to {named}", (Edit(span, label),))
