"""Rewriting a draft's citations in a style, where everything the style needs is known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lexls.citations.comparing_names import same_name
from lexls.citations.keys import fold, spaced
from lexls.citations.model import Citation
from lexls.citations.styles import Reference, Rendered, Style
from lexls.features.citation_order import earlier, keys_of, note_at
from lexls.features.cited_region import italic_of, whole, with_spacing_of, with_tail
from lexls.features.propositions import attached
from lexls.features.snapshot import Draft, Snapshot
from lexls.features.styled import begins_note, forms, short_name_of
from lexls.features.written_reference import POINTING, as_written
from lexls.text.cancel import CancelToken
from lexls.text.markup import mask
from lexls.text.spans import Span
from lexls.text.words import words

# A pinpoint that was not read as part of a short form.
_GOES_ON = re.compile(r"\s{0,3},?\s{0,3}(?:at\s|paras?\b|[\[§¶]|ss?\.?\s\d|pp?\.?\s\d|\d)")
_WORD = re.compile(r"[^\W_]+")
_BACKWARD = words("id ibid supra above note n fn nn")


@dataclass(frozen=True, slots=True)
class Conversion:
    """``text`` in place of ``span`` of the draft's source: the citation there in another style."""

    span: Span
    text: str


def convert_at(
    snapshot: Snapshot, citation: Citation, style: Style, *, shorten: bool = False, local: bool = False
) -> Conversion | None:
    """One citation in ``style``; None where nothing would change or something the style needs is not known.

    A short form becomes the style's own, if the style has one for that place. A full citation stays full,
    unless ``shorten`` asks for the form that the style wants after what a footnote before cites in full.
    ``local``: nothing but the citation is looked at, and what has no italics gets none.
    """
    converted = _converted(snapshot, citation, style, shorten, local)
    if converted is None or converted.text == converted.span.of(snapshot.draft.source):
        return None
    return converted


def _is_bare(known: Reference) -> bool:
    """Whether a code or constitution would be cited without a section, which says nothing."""
    return known.kind in ("statute", "regulation", "rule", "constitution") and not known.labels


def written_as(snapshot: Snapshot, citation: Citation, style: Style) -> Conversion | None:
    """One citation in ``style``, whether that changes it or not; None where the style needs more."""
    return _converted(snapshot, citation, style, False, False)


def convert_in(
    snapshot: Snapshot, span: Span, style: Style, token: CancelToken, *, shorten: bool = False
) -> list[Conversion]:
    """The conversions of every citation that touches ``span``, in the order of the draft."""
    return list(_each(snapshot, span, style, token, shorten))


def _each(
    snapshot: Snapshot, span: Span, style: Style, token: CancelToken, shorten: bool
) -> Iterator[Conversion]:
    draft = snapshot.draft
    done: set[int] = set()
    end = -1
    for citation in draft.citations:
        if citation.span.end < span.start or citation.span.start > span.end:
            continue
        if draft.key_of(citation) is not None:
            continue  # the bibliography's own style writes it
        token.raise_if_cancelled()
        if citation.group and citation.form == "full":
            if citation.group in done:
                continue
            done.add(citation.group)
        found = convert_at(snapshot, citation, style, shorten=shorten)
        if found is not None and found.span.start >= end:
            end = found.span.end
            yield found


def _is_prose(draft: Draft, citation: Citation) -> bool:
    """Whether an Act is spoken of ("section 6 of the Human Rights Act 1998 says"), which no guide forbids."""
    pinpoint = citation.pinpoint
    if citation.kind == "constitution" and pinpoint is None:
        return True
    before = pinpoint is not None and citation.kind != "case" and pinpoint.span.start < citation.core.start
    return before and note_at(draft, citation.span.start) is None


def _converted(
    snapshot: Snapshot, citation: Citation, style: Style, shorten: bool, local: bool
) -> Conversion | None:
    draft = snapshot.draft
    if citation.form == "full":
        known = as_written(snapshot, citation)
        if known is None or _is_prose(draft, citation):
            return None
        region = whole(draft, draft.mention_of(citation))
        if region is None:
            return None
        if shorten and note_at(draft, region.start) is not None:
            pointing = _back(draft, citation, known, region, style)
            if pointing is not None:
                return pointing
        italic = italic_of(draft, region, local=local)
        rendered = style.render(known, "full", draft.markup, italic)
        if rendered is None:
            return None
        region = with_tail(draft, region, rendered.text)
        text = with_spacing_of(region.of(draft.source), rendered.text)
        return Conversion(region, text) if _reads_as(snapshot, rendered, known) else None
    return _pointing_back(snapshot, citation, style)


def _pointing_back(snapshot: Snapshot, citation: Citation, style: Style) -> Conversion | None:
    """A short form, supra or *ibid.* as the style writes it there."""
    draft = snapshot.draft
    if citation.form not in ("id", "supra", "short") or citation.antecedent is None:
        return None
    full = draft.citations[citation.antecedent]
    known = as_written(snapshot, full)
    if citation.form != "id" and _is_spoken(draft, citation):
        return None
    if known is None or citation.kind not in ("case", "journal", "book", "statute"):
        return None
    text = citation.span.of(draft.masked)
    said = " ".join((known.name, *known.citations, citation.name))
    pinpoint = citation.pinpoint
    labels = pinpoint.labels if pinpoint is not None else ()
    allowed = {fold(each) for each in _WORD.findall(" ".join((said, *labels)))} | POINTING | _BACKWARD
    # A footnote's number may be an old one: it is not counted as part of what is cited.
    bare = re.sub(r"\b(?:note|notes|nn?|fn)\.?\s?\d+", " ", text)
    if any(fold(word) not in allowed for word in _WORD.findall(bare)):
        return None
    region = whole(draft, citation.span)
    if region is None or _GOES_ON.match(draft.masked, region.end):
        return None
    known = replace(
        known,
        pinpoint=pinpoint.kind if pinpoint is not None else known.pinpoint,
        labels=labels,
        pinned="",
        short_name=citation.name if citation.form in ("short", "supra") else "",
    )
    return _back(draft, citation, known, region, style)


def _is_spoken(draft: Draft, citation: Citation) -> bool:
    """Whether a short form is a part of its sentence ("In Carrow, supra, the court"), outside a footnote."""
    if note_at(draft, citation.span.start) is not None:
        return False
    sentence = draft.sentence_at(citation.span.start)
    return sentence is None or not attached(draft, sentence, citation)


def _back(
    draft: Draft, citation: Citation, known: Reference, region: Span, style: Style
) -> Conversion | None:
    """The citation as the style points back with it; None where it would be in full.

    What *ibid.* stands for is for its reader to say where more than one thing is cited before it: it becomes
    the style's *ibid.* or stays.
    """
    before = earlier(draft, keys_of(draft, citation), citation.span.start)
    known = replace(known, note=before.note, short_name=known.short_name or short_name_of(draft, known))
    in_note = note_at(draft, citation.span.start) is not None
    for form in forms(style, before, in_note=in_note):
        if form == "full" or (form == "short" and (citation.form == "id" or _is_bare(known))):
            return None
        rendered = style.render(
            known, form, draft.markup, italic_of(draft, region), begins=begins_note(draft, region.start)
        )
        if rendered is not None:
            return Conversion(region, with_spacing_of(region.of(draft.source), rendered.text))
    return None


def _reads_as(snapshot: Snapshot, rendered: Rendered, known: Reference) -> bool:
    """Whether what is written is read again as the same authority at the same place."""
    grammar = snapshot.searcher.grammar
    if grammar is None:
        return True
    text = mask(rendered.text, snapshot.draft.markup)
    found = [each for each in grammar.find(text, known.jurisdiction) if each.form == "full"]
    keys = {_plain(each.key) for each in found}
    if not keys or not keys <= {_plain(key) for key in known.citations}:
        return False
    labels = [each.pinpoint.labels for each in found if each.pinpoint is not None]
    if known.kind == "case" and known.name and not any(same_name(each.name, known.name) for each in found):
        return False
    if known.kind == "constitution" or not known.labels or known.pinpoint == "page":
        return True
    return labels == [known.labels]


def _plain(key: str) -> str:
    return fold(re.sub(r"\s\((?:UK|NZ|India|Singapore|Hong Kong|Austl|Sing)\)$", "", spaced(key)))
