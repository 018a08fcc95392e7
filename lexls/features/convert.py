"""Rewrite a draft's citations in a style, where everything the style needs is known.

A citation is replaced with its marks of emphasis, and keeps its line ends.
"""

from __future__ import annotations

import re
from dataclasses import replace
from difflib import SequenceMatcher

from lexls.citations.case_names.compare import same_name
from lexls.citations.courts import make_court_pattern
from lexls.citations.jurisdiction import load_jurisdictions
from lexls.citations.keys import fold, join_spaces
from lexls.citations.model import Citation
from lexls.citations.styles import Reference, Rendered, Style
from lexls.features.checks.check import Edit
from lexls.features.citation_order import find_earlier, list_keys, note_at
from lexls.features.citing import begins_note, choose_forms, find_short_name
from lexls.features.propositions import is_attached
from lexls.features.snapshot import Draft, Snapshot
from lexls.features.written_reference import POINTING, read_written
from lexls.text.cancel import CancelToken
from lexls.text.lexicon import split_words
from lexls.text.spans import Span

# A pinpoint that was not read as part of a short form.
_GOES_ON = re.compile(r"\s{0,3},?\s{0,3}(?:at\s|paras?\b|[\[§¶]|ss?\.?\s\d|pp?\.?\s\d|\d)")
_WORD = re.compile(r"[^\W_]+")
_BACKWARD = split_words("id ibid supra above note n fn nn")


def convert_at(
    snapshot: Snapshot, citation: Citation, style: Style, *, shorten: bool = False, local: bool = False
) -> Edit | None:
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


def write_as(snapshot: Snapshot, citation: Citation, style: Style) -> Edit | None:
    """One citation in ``style``, whether that changes it or not; None where the style needs more."""
    return _converted(snapshot, citation, style, False, False)


def convert_in(
    snapshot: Snapshot, span: Span, style: Style, token: CancelToken, *, shorten: bool = False
) -> list[Edit]:
    """The conversions of every citation that touches ``span``, in the order of the draft."""
    draft = snapshot.draft
    conversions: list[Edit] = []
    done: set[int] = set()
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
        if found is not None and (not conversions or found.span.start >= conversions[-1].span.end):
            conversions.append(found)
    return conversions


def _is_prose(draft: Draft, citation: Citation) -> bool:
    """Whether an Act is spoken of ("section 6 of the Human Rights Act 1998 says"), which no guide forbids."""
    pinpoint = citation.pinpoint
    if citation.kind == "constitution" and pinpoint is None:
        return True
    before = pinpoint is not None and citation.kind != "case" and pinpoint.span.start < citation.core.start
    return before and note_at(draft, citation.span.start) is None


def _converted(
    snapshot: Snapshot, citation: Citation, style: Style, shorten: bool, local: bool
) -> Edit | None:
    draft = snapshot.draft
    if citation.form == "full":
        known = read_written(snapshot, citation)
        if known is None or _is_prose(draft, citation):
            return None
        region = widen_to_marks(draft, draft.mention_of(citation))
        if region is None:
            return None
        if shorten and note_at(draft, region.start) is not None:
            pointing = _back(draft, citation, known, region, style)
            if pointing is not None:
                return pointing
        italic = find_italics(draft, region, local=local)
        rendered = style.render(known, "full", draft.format, italic)
        if rendered is None:
            return None
        region = widen_to_tail(draft, region, rendered.text)
        text = keep_spacing(region.of(draft.source), rendered.text)
        text = draft.format.write_at(draft.source, region.start, text)
        return Edit(region, text) if _reads_as(snapshot, rendered, known) else None
    return _pointing_back(snapshot, citation, style)


def _pointing_back(snapshot: Snapshot, citation: Citation, style: Style) -> Edit | None:
    """A short form, supra or *ibid.* as the style writes it there."""
    draft = snapshot.draft
    full = draft.antecedent_of(citation)
    if citation.form not in ("id", "supra", "short") or full is None:
        return None
    known = read_written(snapshot, full)
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
    region = widen_to_marks(draft, citation.span)
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
    return sentence is None or not is_attached(draft, sentence, citation)


def _back(draft: Draft, citation: Citation, known: Reference, region: Span, style: Style) -> Edit | None:
    """The citation as the style points back with it; None where it would be in full.

    What *ibid.* stands for is for its reader to say where more than one thing is cited before it: it becomes
    the style's *ibid.* or stays.
    """
    before = find_earlier(draft, list_keys(draft, citation), citation.span.start)
    known = replace(known, note=before.note, short_name=known.short_name or find_short_name(draft, known))
    in_note = note_at(draft, citation.span.start) is not None
    for form in choose_forms(style, before, in_note=in_note):
        if form == "full" or (form == "short" and (citation.form == "id" or _is_bare(known))):
            return None
        rendered = style.render(
            known, form, draft.format, find_italics(draft, region), begins=begins_note(draft, region.start)
        )
        if rendered is not None:
            text = keep_spacing(region.of(draft.source), rendered.text)
            return Edit(region, draft.format.write_at(draft.source, region.start, text))
    return None


def _reads_as(snapshot: Snapshot, rendered: Rendered, known: Reference) -> bool:
    """Whether what is written is read again as the same authority at the same place."""
    grammar = snapshot.searcher.grammar
    if grammar is None:
        return True
    text = snapshot.draft.format.mask(rendered.text)
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
    """A key folded, without the state that a style puts behind an Act."""
    styles = (style for place in load_jurisdictions().values() for style in place.styles.values())
    ends = tuple(f" ({style['state']})" for style in styles if "state" in style)
    found = next((end for end in ends if join_spaces(key).endswith(end)), "")
    return fold(join_spaces(key).removesuffix(found))


# -- the region that is replaced ------------------------------------------------------------------------

_SPACING = re.compile(r"(\s+|~)")
_SIGNS = re.compile(r"[.,]")


def widen_to_marks(draft: Draft, span: Span) -> Span | None:
    """``span`` with the marks of emphasis that open right before it and close right behind.

    None if the marks inside do not match: then it cannot be replaced by itself.
    """
    source = draft.source
    start, end = span.start, span.end
    grown = True
    while grown:
        grown = False
        for opening, closing in draft.format.italics:
            if source.endswith(opening, 0, start) and not draft.masked[start - len(opening) : start].strip():
                inside = source[start:end]
                if closing in inside or source.startswith(closing, end):
                    start -= len(opening)
                    if closing not in inside:
                        end += len(closing)
                    grown = True
                    break
        if not grown:
            for _, closing in draft.format.italics:
                inner = source[start:end]
                if (
                    source.startswith(closing, end)
                    and not draft.masked[end : end + len(closing)].strip()
                    and not _balanced(inner)
                ):
                    end += len(closing)
                    grown = True
                    break
    if any(source.count(each[0], start, end) != source.count(each[1], start, end) for each in ("()", "[]")):
        return None
    if source[end - 1 : end].isalnum() and source[end : end + 1].isalnum():
        return None  # words that have run together
    piece = source[start:end]
    if not _balanced(piece) or draft.format.mask(piece).split() != draft.masked[start:end].split():
        return None
    return Span(start, end)


def keep_spacing(old: str, new: str) -> str:
    """``new`` with the line ends and ties of ``old`` between the words that follow one another in both."""
    pieces = _SPACING.split(old)
    words, gaps = pieces[::2], pieces[1::2]
    fresh = new.split(" ")
    before: dict[int, int] = {}
    # A word is the same with and without a stop or comma.
    bare, fresh_bare = ([_SIGNS.sub("", word) for word in each] for each in (words, fresh))
    for block in SequenceMatcher(None, bare, fresh_bare, autojunk=False).get_matching_blocks():
        before.update({block.b + step: block.a + step for step in range(block.size)})
    text = fresh[0]
    for number in range(1, len(fresh)):
        left, right = before.get(number - 1), before.get(number)
        kept = left is not None and right == left + 1
        text += (gaps[left] if kept and left is not None else " ") + fresh[number]
    return text


def _balanced(text: str) -> bool:
    return (
        text.count("{") == text.count("}")
        and text.replace("\\*", "").count("*") % 2 == 0
        and len(re.findall(r"(?<![\\\w])_|(?<!\\)_(?!\w)", text)) % 2 == 0
    )


def find_italics(draft: Draft, region: Span, *, local: bool = False) -> tuple[str, str] | None:
    """The marks of italics that the citation has already, else those that the draft is seen to use.

    With ``local`` only the citation itself is looked at; one without italics stays so.
    """
    text = region.of(draft.source)
    for opening, closing in draft.format.italics:
        at = text.find(opening)
        if at >= 0 and closing in text[at + len(opening) :] and not draft.masked[region.start + at].strip():
            return opening, closing
    if local:
        return "", ""
    habit = draft.habits
    return habit.italic if habit.italic is not None and any(habit.italic) else None


def widen_to_tail(draft: Draft, region: Span, text: str) -> Span:
    """The region with what stands behind it already of the brackets that the new text ends in: " (HL)"."""
    for at in (text.rfind(" ("), text.find(" (")):
        tail = text[at:] if at >= 0 else ""
        if tail and draft.source.startswith(tail, region.end) and not region.of(draft.source).endswith(tail):
            return Span(region.start, region.end + len(tail))
    written = make_court_pattern().match(draft.source, region.end)
    if written is not None and f"({written['court']})" in text:
        return Span(region.start, written.end())
    return region
