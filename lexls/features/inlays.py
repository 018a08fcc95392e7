"""Find the text shown inside a draft: support above paragraphs, and the authorities meant after short
forms.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from lexls.assessing.assess import Assessment, assess, find_absence
from lexls.assessing.verdicts import decide, describe
from lexls.citations.case_names.shorten import choose_short_name, list_short_names
from lexls.citations.model import Citation
from lexls.index.records import Authority, OpenLocation
from lexls.reading.propositions import write_bare
from lexls.reading.resolve import find_authorities
from lexls.reading.snapshot import Draft, Snapshot
from lexls.retrieval.relevance import find_fitting
from lexls.text.cancel import CancelToken
from lexls.text.format import Mark
from lexls.text.formats.markdown import as_markdown
from lexls.text.phrases import compile_pattern, load_phrases
from lexls.text.spans import Span
from lexls.wording.descriptions import write_title
from lexls.wording.place_words import join_citation
from lexls.wording.prose import states

_FEWEST_WORDS = 8
_LOOKED_FOR = 12
_LAW = compile_pattern(load_phrases(__package__, "inlays.toml")["law"], {})


@dataclass(frozen=True, slots=True)
class Lens:
    """The text above a paragraph, and the words for which support is searched when it is clicked."""

    title: str
    wanted: Span


def find_lenses(snapshot: Snapshot, token: CancelToken) -> list[Span]:
    """Return the paragraphs that get a lens, in order: those that cite something or seem to state the law.

    Headings, footnotes and bare citations get none. `describe_lens` returns the text of the visible ones.
    """
    draft = snapshot.draft
    found = []
    for paragraph in _prose(draft):
        token.raise_if_cancelled()
        words = paragraph.of(draft.masked)
        if len(words.split()) < _FEWEST_WORDS:
            continue
        cites = draft.citations_in(paragraph) or _marks(draft, paragraph)
        if cites or (_LAW.search(words) and states(words)):
            found.append(paragraph)
    return found


def describe_lens(snapshot: Snapshot, start: int, token: CancelToken) -> Lens | None:
    """Return the text above the paragraph that begins at ``start``, or None if there is no longer such a
    paragraph.

    If the paragraph cites nothing, the text states how many of the library's authorities are relevant to its
    sentences.
    """
    draft = snapshot.draft
    paragraph = draft.paragraph_at(start)
    if paragraph is None or paragraph.start != start:
        return None
    known, missing = _cited(snapshot, paragraph)
    if known or missing:
        return Lens(_counted(known, missing), paragraph)
    wanted, count = paragraph, 0
    bearing: set[int] = set()
    for sentence in draft.sentences_of(paragraph):
        words = write_bare(draft, sentence)
        if not states(words) or not _LAW.search(words):
            continue
        token.raise_if_cancelled()
        hits = snapshot.find_passages_on(words, _LOOKED_FOR, token)
        fits = {fit.hit.authority.id for fit in find_fitting(words, hits, snapshot.tokens)}
        if len(fits) > count:
            wanted, count = sentence, len(fits)
        bearing |= fits
    if not bearing:
        return Lens("no authority", paragraph)
    return Lens(f"no authority · {len(bearing)} of your library may support it", wanted)


def _prose(draft: Draft) -> Iterator[Span]:
    """Yield the paragraphs that are neither headings nor footnotes."""
    headings = {heading.words.start for heading in draft.headings}
    notes = [note.content for note in draft.footnotes if note.label]
    starts = [note.start for note in notes]
    for paragraph in draft.paragraphs:
        place = bisect_right(starts, paragraph.end) - 1
        inside = place >= 0 and notes[place].start <= paragraph.end <= notes[place].end + 1
        if not inside and paragraph.start not in headings:
            yield paragraph


def _marks(draft: Draft, paragraph: Span) -> list[Mark]:
    """Return the footnote marks in a paragraph. A mark after the last word is included, although the masked
    paragraph ends before it.
    """
    end = draft.source.find("\n", paragraph.end)
    line = Span(paragraph.start, end if end >= 0 else len(draft.source))
    return draft.format.find_note_marks(draft.source, line)


def _cited(snapshot: Snapshot, paragraph: Span) -> tuple[int, int]:
    """Return two counts of the authorities that a paragraph and its footnotes cite: those in the library or
    not known to be missing, and those that are missing.
    """
    draft = snapshot.draft
    known: set[int | str] = set()
    missing: set[str] = set()
    for citation in _citations(draft, paragraph):
        found = find_authorities(snapshot, citation)
        if found:
            known.add(found[0])
        elif (absence := find_absence(snapshot, citation)) in ("missing", "reading", "unreadable", "unclear"):
            (missing if absence == "missing" else known).add(draft.group_of(citation)[0].key)
    return len(known), len(missing)


def _citations(draft: Draft, paragraph: Span) -> Iterator[Citation]:
    yield from draft.citations_in(paragraph)
    marks = _marks(draft, paragraph)
    if marks:
        notes = {note.label: note for note in draft.footnotes if note.label}
        for label in dict.fromkeys(mark.label for mark in marks):
            if label in notes:
                yield from draft.citations_in(notes[label].content)


def _counted(known: int, missing: int) -> str:
    total = known + missing
    words = f"{total} authorit{'y' if total == 1 else 'ies'}"
    if not missing:
        return words
    return f"{words} · {'not' if total == 1 else f'{missing} not'} in your library"


# -- hints: the authority of a short form, and the name of a citation without one ----------------------------

_DOUBTFUL = "≈"
LONGEST = 60
"""Maximum length of a hint in code points, since it is shown within a sentence."""
_LOOKED_BACK = 300
"""Number of code points before a bare citation in which its case may be named."""
_NAMED_BY_CASES = frozenset({"case", "journal", "book"})


@dataclass(frozen=True, slots=True)
class InlayHint:
    """Words shown at ``offset`` within the draft. ``behind`` is true if they belong to the text before them,
    false if to the text after them. ``core`` identifies the citation for `explain_hint`.
    """

    offset: int
    label: str
    core: Span
    behind: bool = True


def find_hints(snapshot: Snapshot, span: Span, token: CancelToken) -> list[InlayHint]:
    """Return the hints inside ``span`` of the draft, in order.

    After *ibid.*, *id.*, *supra* and the like, the hint gives the authority to which they refer. It does so
    after a bare section only if the words before it in its paragraph do not identify the Act. A citation
    without a name gets its authority's short name, unless the sentence has it. If a citation has an error, or
    only its name was found, the authority is doubtful and marked "≈".
    """
    settings, found = snapshot.settings, []
    for citation in snapshot.draft.citations_in(span):
        token.raise_if_cancelled()
        if citation.form == "full":
            hint = _name(snapshot, citation, token) if settings.inlay_hints_names else None
        else:
            hint = _antecedent(snapshot, citation, token) if settings.inlay_hints_short_forms else None
        if hint is not None and span.touches(hint.offset):
            found.append(hint)
    return found


def explain_hint(
    snapshot: Snapshot, offset: int, token: CancelToken
) -> tuple[str, OpenLocation | None] | None:
    """Return the details of the hint for the citation whose core begins at ``offset``: the authority and the
    result of the check.

    The result is Markdown and the location at which the authority opens (None if it is not in the library).
    Returns None if there is no longer a citation at ``offset``. Raises ``Cancelled``.
    """
    for citation in snapshot.draft.citations_in(Span(offset, offset + 1)):
        assessment = assess(snapshot, citation, token)
        verdict, authority = f"_{as_markdown(describe(assessment))}._", assessment.authority
        if authority is not None:
            return f"{write_title(authority)}\n\n{verdict}", snapshot.library.locate(authority.id, 0, 0)
        if citation.key:
            return verdict, None
    return None


def _antecedent(snapshot: Snapshot, citation: Citation, token: CancelToken) -> InlayHint | None:
    if not citation.key or not _is_opaque(snapshot.draft, citation):
        return None
    assessment = assess(snapshot, citation, token)
    words = _called(snapshot, citation, assessment.authority, with_name=citation.form != "supra")
    place = snapshot.draft.skip_marks(citation.core.end)
    sign = _DOUBTFUL if _is_doubtful(assessment) else "="
    return InlayHint(place, cut_hint(f"{sign} {words}"), citation.core) if words else None


def _is_doubtful(assessment: Assessment) -> bool:
    """Return whether the authority may differ from the one meant."""
    return decide(assessment) in ("wrong", "identified")


def _is_opaque(draft: Draft, citation: Citation) -> bool:
    """Return whether a short form does not itself identify its authority."""
    if citation.form == "supra":
        return True
    if citation.form == "id":
        earlier = _cited_before(draft, citation)
        return not earlier or earlier[-1].key not in {each.key for each in draft.group_of(citation)}
    if citation.form == "section" or (citation.form == "short" and citation.kind not in _NAMED_BY_CASES):
        if citation.form == "short" and citation.name:
            return False
        before = _provision_before(draft, citation)
        return before is None or before.key != citation.key
    return citation.form == "short" and not citation.name


def _provision_before(draft: Draft, citation: Citation) -> Citation | None:
    """Return the last authority other than a case cited before ``citation`` in its paragraph, or None; cases
    have no sections.
    """
    before = reversed(_cited_before(draft, citation))
    return next((each for each in before if each.kind not in _NAMED_BY_CASES), None)


def _cited_before(draft: Draft, citation: Citation) -> list[Citation]:
    """Return the citations before ``citation`` in its paragraph."""
    paragraph = draft.paragraph_at(citation.span.start)
    if paragraph is None:
        return []
    before = draft.citations_in(Span(paragraph.start, max(paragraph.start, citation.span.start)))
    return [each for each in before if each is not citation]


def _called(snapshot: Snapshot, citation: Citation, authority: Authority | None, *, with_name: bool) -> str:
    """Return the name and citation of a short form's authority, from the library or else from the draft."""
    full = snapshot.draft.antecedent_of(citation)
    if authority is not None and authority.title:
        name, cited = authority.title, authority.citation
        # The citation that the draft uses, if it is one of the authority's.
        if full is not None and full.key in authority.citations:
            cited = full.key
    else:
        name, cited = full.name if full is not None else "", citation.key
    if citation.kind not in _NAMED_BY_CASES:
        by_number = full is not None and not full.name and cited[:1].isdigit()
        return name if authority is not None and not by_number else cited
    country = authority.jurisdiction if authority is not None else citation.jurisdiction
    return join_citation(choose_short_name(name) if with_name else "", cited, country)


def _name(snapshot: Snapshot, citation: Citation, token: CancelToken) -> InlayHint | None:
    draft = snapshot.draft
    if citation.kind not in _NAMED_BY_CASES:
        return None
    group = draft.group_of(citation)
    keyed = draft.key_of(citation) is not None
    if citation is not group[0] or (any(each.name for each in group) and not keyed):
        return None
    assessment = assess(snapshot, citation, token)
    authority = assessment.authority
    if authority is None or not authority.title:
        return None
    doubtful = _is_doubtful(assessment)
    name = choose_short_name(authority.title)
    start = citation.core.start
    before = draft.masked[max(0, start - _LOOKED_BACK) : start].rpartition("\n\n")[2]
    parties = list_short_names(authority.title) or (authority.title,)
    if any(_first_word(each) in before for each in parties):
        return None
    if keyed:
        words = f"{_DOUBTFUL if doubtful else '='} {name} {authority.citation}".rstrip()
        return InlayHint(citation.core.end, cut_hint(words), citation.core)
    words = f"{_DOUBTFUL} {name}" if doubtful else name
    return InlayHint(start, cut_hint(words), citation.core, behind=False)


def _first_word(name: str) -> str:
    words = [word for word in name.split() if word[:1].isupper() and word not in ("The", "In", "Re")]
    return words[0] if words else name


def cut_hint(text: str) -> str:
    """Return ``text`` cut to `LONGEST` at a space."""
    if len(text) <= LONGEST:
        return text
    return text[: LONGEST - 1].rpartition(" ")[0].rstrip(" ,") + " …"
