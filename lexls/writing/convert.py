"""Rewrite a draft's citations in a style, if all the data that the style needs is known.

Each citation is replaced together with its emphasis marks; line ends are kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher

from lexls.citations.case_names.compare import same_name
from lexls.citations.courts import make_court_pattern
from lexls.citations.jurisdiction import load_jurisdictions
from lexls.citations.model import Citation, fold, join_spaces
from lexls.citations.pinpoints import find_end
from lexls.citations.styles import PinnedPlace, Reference, Rendered, Style, WrittenAs
from lexls.citations.styles.shapes import read_report
from lexls.reading.citation_order import find_earlier, list_keys, note_at
from lexls.reading.edit import Edit
from lexls.reading.propositions import is_attached
from lexls.reading.snapshot import Draft, Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.lexicon import BETWEEN_PARTIES, split_words
from lexls.text.spans import Span
from lexls.writing.citing import begins_note, choose_forms, find_short_name
from lexls.writing.written_reference import POINTING, find_mention, read_place, read_written

# A pinpoint that was not parsed as part of a short form.
_GOES_ON = re.compile(
    r"\s{0,3},?\s{0,3}(?:at\s|paras?\b|[\[§¶]|ss?\.?\s\d|pp?\.?\s\d|\d)"
    r"|\s[A-Z][A-Za-z.]{0,6}(?:\s?\d[a-z]{1,2})?,?\sat\s\d"
)
_WORD = re.compile(r"[^\W_]+")
_PARAGRAPH_SIGN = re.compile(r"\[\s?\d|\bpara|¶")
# Courts that are clear from the report: "[1932] AC 562".
_PLAIN_COURTS = ("HL", "PC")
_QUOTATION_MARKS = '“”"‘'
_BACKWARD = split_words("id ibid supra above note n fn nn")


def convert_at(
    snapshot: Snapshot, citation: Citation, style: Style, *, shorten: bool = False, local: bool = False
) -> Edit | None:
    """Return the edit that rewrites a citation in ``style``; None if nothing would change or the style needs
    unknown data.

    A short form becomes the style's own short form, if the style has one for that position. A full citation
    stays full, unless ``shorten`` is true and the style requires a short form after an earlier footnote has
    cited the authority in full. With ``local``, italics are looked for in the citation alone; a citation
    without them gets none.
    """
    converted = _converted(snapshot, citation, style, shorten, local)
    if converted is None or converted.text == converted.span.of(snapshot.draft.source):
        return None
    return converted


def write_as(snapshot: Snapshot, citation: Citation, style: Style) -> Edit | None:
    """Return the edit that writes a citation in ``style``, even if it changes nothing; None if the style
    needs unknown data.
    """
    return _converted(snapshot, citation, style, False, False)


def convert_in(
    snapshot: Snapshot, span: Span, style: Style, token: CancelToken, *, shorten: bool = False
) -> list[Edit]:
    """Return the edits that convert every citation that touches ``span``, in the order of the draft."""
    return list(find_conversions(snapshot, span, style, token, shorten=shorten))


def find_conversions(
    snapshot: Snapshot, span: Span, style: Style, token: CancelToken, *, shorten: bool = False
) -> Iterator[Edit]:
    """Yield the edits of `convert_in` one at a time, so that a caller can stop after the first."""
    draft, end = snapshot.draft, 0
    done: set[int] = set()
    for citation in draft.citations:
        if citation.span.end < span.start or citation.span.start > span.end:
            continue
        if draft.key_of(citation) is not None:
            continue  # it is formatted by the bibliography's style
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
    """Return whether a sentence discusses an Act ("section 6 of the Human Rights Act 1998 says") in a form
    that style guides allow.
    """
    pinpoint = citation.pinpoint
    if citation.kind == "constitution" and pinpoint is None:
        return True
    if pinpoint is not None and citation.kind != "case" and note_at(draft, citation.span.start) is None:
        lead = draft.masked[citation.core.end : pinpoint.span.end]
        if re.search(r"\b[Ss]ections?\b", lead):
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
        region = widen_to_marks(draft, find_mention(draft, citation))
        if region is None:
            return None
        italic = find_italics(draft, region, local=local)
        rendered = style.render(known, "full", draft.format, italic)
        if rendered is not None:
            region = widen_to_tail(draft, region, rendered.text)
        if shorten and note_at(draft, region.start) is not None:
            pointing = _back(draft, citation, known, region, style)
            if pointing is not None:
                return pointing
        if rendered is None:
            return None
        if not _keeps(draft, region, citation, known, rendered.text):
            return None
        if _repeats_year(draft, region, citation, rendered.text):
            return None
        old, text = region.of(draft.source), rendered.text
        if "§§" in old and "§§" not in text and re.search(r"\bet\sseqq?\b", text):
            text = text.replace("§", "§§", 1)  # "§§ 1 et seq." is as correct as "§ 1 et seq."
        return _replace(draft, region, text, style) if _reads_as(snapshot, rendered, known) else None
    return _pointing_back(snapshot, citation, style)


def _pointing_back(snapshot: Snapshot, citation: Citation, style: Style) -> Edit | None:
    """Return the edit that rewrites a short form, *supra* or *ibid.* in the style."""
    draft = snapshot.draft
    full = draft.antecedent_of(citation)
    if citation.form not in ("id", "supra", "short") or full is None:
        return None
    known = read_written(snapshot, full, whole=False)
    spoken = citation.form != "id" and _is_spoken(draft, citation)
    if spoken and not _is_short_of(citation, style):
        return None
    if known is None or citation.kind not in ("case", "journal", "book", "statute"):
        return None
    if citation.form == "supra" and not citation.name and _follows_name(draft, citation):
        return None
    text = citation.span.of(draft.masked)
    said = " ".join((known.name, *known.citations, citation.name))
    place = PinnedPlace("", known.pinpoint, ())
    if citation.pinpoint is not None:
        place = read_place(draft.masked, citation)
    told = " ".join((said, *place.labels, place.written))
    allowed = {fold(each) for each in _WORD.findall(told)} | POINTING | _BACKWARD
    # Ignore the number of a footnote, which may be out of date.
    bare = re.sub(r"\b(?:note|notes|nn?|fn)\.?\s?\d+", " ", text)
    if any(fold(word) not in allowed for word in _WORD.findall(bare)):
        return None
    region = widen_to_marks(draft, citation.span)
    if region is None or _GOES_ON.match(draft.masked, region.end):
        return None
    if place.labels and place.pinpoint == "paragraph" and _may_be_page(draft, citation, known):
        return None
    by_report = citation.form == "short" and citation.core.of(draft.masked)[:1].isdigit()
    if citation.form == "short" and not by_report and citation.pinpoint is None:
        return None  # a case mentioned by name, not cited
    known = replace(
        known,
        pinpoint=place.pinpoint,
        labels=place.labels,
        written=place.written,
        pinned="",
        more_pinned=(),
        short_name=_written_name(draft, citation),
    )
    if by_report and not style.short_needs_note:
        # Cite its own report, and add no name if it has none.
        known = replace(known, citations=(citation.key,), name=known.short_name)
    elif by_report and (not citation.name or _is_parallel(draft, citation)):
        return None
    elif not style.short_needs_note and citation.form != "id":
        # The report to which the pages of a short form refer: the only one, or the highest court's.
        reports = [full.key] if full.pinpoint is not None else list(known.citations)
        report = reports[0] if len(reports) == 1 else next((key for key in reports if " U.S. " in key), None)
        if report is None:
            return None
        known = replace(known, citations=(report,))
    return _back(draft, citation, known, region, style, spoken=spoken)


def _follows_name(draft: Draft, citation: Citation) -> bool:
    """Return whether the name immediately before *supra* is a separate mention of the authority: "the Act (n
    3)".
    """
    before = Span(max(0, citation.span.start - 4), citation.span.start)
    return any(each is not citation for each in draft.citations_in(before))


def _may_be_page(draft: Draft, citation: Citation, known: Reference) -> bool:
    """Return whether a bare number after a short form could mean a page or a paragraph: "Ibid 99".

    That is possible if the case has both a neutral citation and a report.
    """
    assert citation.pinpoint is not None
    reports = {read_report(key).neutral for key in known.citations}
    written = draft.masked[citation.span.start : citation.pinpoint.span.end]
    return len(reports) > 1 and _PARAGRAPH_SIGN.search(written) is None


def _is_short_of(citation: Citation, style: Style) -> bool:
    """Return whether the style's short form can replace *supra* within a sentence.

    "In *Carrow*, *supra*, at 39, the court" becomes "In *Carrow*, 627 F.3d at 39, the court".
    """
    return citation.form == "supra" and citation.pinpoint is not None and not style.short_needs_note


def _written_name(draft: Draft, citation: Citation) -> str:
    """Return the name in a short form or *supra* as the draft writes it, with the full stop of a final
    abbreviation.
    """
    if citation.form not in ("short", "supra") or not citation.name:
        return ""
    written = draft.masked[citation.span.start : max(citation.core.start, citation.span.start)]
    if citation.core.start == citation.span.start:
        written = citation.core.of(draft.masked)
    written = join_spaces(written).strip(" ,")
    return written if written.rstrip(".") == citation.name.rstrip(".") else citation.name


def _is_parallel(draft: Draft, citation: Citation) -> bool:
    """Return whether a short form that cites a report is adjacent to one that cites the same case in another
    report.
    """
    return any(
        each is not citation
        and each.form == "short"
        and draft.antecedent_of(each) is not None
        and each.key != citation.key
        and set(list_keys(draft, each)) & set(list_keys(draft, citation))
        for each in draft.citations_in(Span(citation.span.start - 4, citation.span.end + 4))
    )


def _is_spoken(draft: Draft, citation: Citation) -> bool:
    """Return whether a short form is part of a sentence of the text ("In Carrow, supra, the court"), not of a
    footnote.
    """
    if note_at(draft, citation.span.start) is not None:
        return False
    sentence = draft.sentence_at(citation.span.start)
    return sentence is None or not is_attached(draft, sentence, citation)


def _back(
    draft: Draft, citation: Citation, known: Reference, region: Span, style: Style, *, spoken: bool = False
) -> Edit | None:
    """Return the edit that rewrites a citation in the style's short form; None if the style requires a full
    citation there, or if its short form cannot be written.

    A ``spoken`` citation is part of its sentence, where *ibid.* is not possible.

    An existing *ibid.* is never replaced by a short form. It may have several possible antecedents, and only
    the reader can choose between them. It becomes the style's *ibid.* or is left unchanged.
    """
    before = find_earlier(draft, list_keys(draft, citation), citation.span.start)
    named = known.short_name or ("" if not known.name else find_short_name(draft, known))
    known = replace(known, note=before.note, short_name=named)
    in_note = note_at(draft, citation.span.start) is not None
    # A code or constitution cannot be cited without a section.
    bare = known.kind in ("statute", "regulation", "rule", "constitution") and not known.labels
    named_so = spoken or (citation.form == "short" and not style.short_needs_note)
    own: list[WrittenAs] = ["short"] if named_so else []
    # A short form may begin a footnote or sentence; *ibid.* keeps its initial letter.
    begins = begins_note(draft, citation.span.start)
    if citation.form == "id":
        begins = citation.core.of(draft.masked)[:1].isupper()
    italic = find_italics(draft, region)
    for form in own or choose_forms(style, before, in_note=in_note):
        if form == "full" or (form == "short" and (citation.form == "id" or bare)):
            return None
        if form == "short" and not style.short_needs_note and not known.labels:
            return None  # the page is unknown
        rendered = style.render(known, form, draft.format, italic, begins=begins)
        if rendered is not None:
            old, new = citation.span.of(draft.masked), draft.format.mask(rendered.text)
            if form == "ibid" and ("§" in old) != ("§" in new):
                return None
            return _replace(draft, region, rendered.text, style)
    return None


def _keeps(draft: Draft, region: Span, citation: Citation, known: Reference, text: str) -> bool:
    """Return whether every word, number and quotation mark of a full citation is in its replacement.

    Reports are not compared here, but when the result is parsed. The replacement may omit a report with its
    pinpoint, and a court that is clear from the report.
    """
    left = draft.masked[region.start : region.end]
    new = draft.format.mask(text)
    letters = fold(new)
    for each in draft.group_of(citation):
        end = each.core.end
        if fold(each.key) not in letters and each.pinpoint is not None and each.pinpoint.span.start >= end:
            end = find_end(draft.masked, each.pinpoint)
        start, stop = max(0, each.core.start - region.start), end - region.start
        left = left[:start] + " " * (stop - start) + left[stop:]
    court = make_court_pattern().search(left)
    if court is not None:
        if f"({court['court']})" not in new and court["court"] not in _PLAIN_COURTS:
            return False
        left = left[: court.start()] + left[court.end() :]
    if any(left.count(mark) > new.count(mark) for mark in _QUOTATION_MARKS):
        return False
    if new.count("(") != new.count(")"):
        return False
    old_words, new_words = (Counter(map(fold, _WORD.findall(each))) for each in (left, new))
    return all(count <= new_words[word] or _stands_for(word, new_words) for word, count in old_words.items())


def _repeats_year(draft: Draft, region: Span, citation: Citation, text: str) -> bool:
    """Return whether the new text repeats a year that the draft's citation already contains as part of a
    number or a date.

    Examples are "T.C. Memo. 1999-12 (1999)" and "(La. App. 4 Cir. 3/27/96) (1996)".
    """
    year = str(citation.year or "")
    return bool(year) and draft.format.mask(text).count(year) > region.of(draft.masked).count(year)


def _stands_for(word: str, written: Counter[str]) -> bool:
    """Return whether a rewritten citation may lack a word of the original: the word only introduces a
    pinpoint, or the rewrite has a shorter or longer form of it.
    """
    if word in POINTING or (word.isalpha() and len(word) < 3):
        return True
    if word.isdigit():
        return any(each.isdigit() and (word.endswith(each) or each.endswith(word)) for each in written)
    return len(word) > 2 and any(each.startswith(word) for each in written) and word not in written


def _reads_as(snapshot: Snapshot, rendered: Rendered, known: Reference) -> bool:
    """Return whether the rewritten citation parses as the same authority with the same pinpoint."""
    grammar = snapshot.searcher.grammar
    if grammar is None:
        return True
    text = snapshot.draft.format.mask(rendered.text)
    found = [each for each in grammar.find(text, known.jurisdiction) if each.form == "full"]
    keys = {_plain(each.key) for each in found}
    letters = fold(text)
    written = {key for key in map(_plain, known.citations) if key in letters}
    if not keys or not written <= keys <= {_plain(key) for key in known.citations}:
        return False
    labels = [each.pinpoint.labels for each in found if each.pinpoint is not None]
    further = [each.labels for each in known.more_pinned if _plain(each.report) in keys]
    named = [each.name for each in found if each.name]
    short = not named and BETWEEN_PARTIES.search(known.name) is None
    named_so = short or any(same_name(each, known.name) for each in named)
    if known.kind == "case" and known.name and not named_so:
        return False
    if known.kind == "constitution" or not known.labels or known.pinpoint == "page":
        return True
    return sorted(labels) == sorted([known.labels, *further])


def _plain(key: str) -> str:
    """Return a case-folded key without the state that some styles add after an Act's title."""
    styles = (style for place in load_jurisdictions().values() for style in place.styles.values())
    ends = tuple(f" ({style['state']})" for style in styles if "state" in style)
    found = next((end for end in ends if join_spaces(key).endswith(end)), "")
    return fold(join_spaces(key).removesuffix(found))


# -- the region that is replaced ------------------------------------------------------------------------

_SPACING = re.compile(r"(\s+|~)")
_SIGNS = re.compile(r"[.,]")
_DASH = re.compile(r"(?<=[\d\])])(?:--|[-–])(?=[\[(\d])")
# The text after a full stop that ends a sentence.
_ENDS_SENTENCE = re.compile(r"[)\]”’\"']{0,3}(?:\s*\Z|\s{0,3}\n|\s+[^\W\d_a-z]|\s+[“‘\"'\[(])")


def widen_to_marks(draft: Draft, span: Span) -> Span | None:
    """Return ``span``, extended over emphasis marks that open immediately before it and close immediately
    after it.

    Returns None if marks or brackets inside are unbalanced or the span ends within a word or a number, so
    that it cannot be replaced separately.
    """
    while (wider := _widen_by_a_mark(draft, span)) is not None:
        span = wider
    source, start, end = draft.source, span.start, span.end
    if any(source.count(each[0], start, end) != source.count(each[1], start, end) for each in ("()", "[]")):
        return None
    if source[end - 1 : end].isalnum() and source[end : end + 1].isalnum():
        return None  # the citation runs into the next word
    if source[end - 1 : end].isdigit() and re.match(r"-\d", source[end : end + 2]):
        return None  # "No. CA94-02-011"
    piece, masked = span.of(source), span.of(draft.masked)
    return span if _balanced(piece, masked) and draft.format.mask(piece).split() == masked.split() else None


def _widen_by_a_mark(draft: Draft, span: Span) -> Span | None:
    source, start, end = draft.source, span.start, span.end
    for opening, closing in draft.format.italics:
        if source.endswith(opening, 0, start) and not draft.masked[start - len(opening) : start].strip():
            if closing in span.of(source):
                return Span(start - len(opening), end)
            if source.startswith(closing, end):
                return Span(start - len(opening), end + len(closing))
    if not _balanced(span.of(source), span.of(draft.masked)):
        for _, closing in draft.format.italics:
            if source.startswith(closing, end) and not draft.masked[end : end + len(closing)].strip():
                return Span(start, end + len(closing))
    return None


def keep_spacing(old: str, new: str, style: Style) -> str:
    """Return ``new`` with the line ends and ties (non-breaking spaces) of ``old``, and with the punctuation
    of ``old`` if the style accepts it.

    Line ends and ties are kept between words that are adjacent in both texts.
    """
    pieces = _SPACING.split(old)
    words, gaps = pieces[::2], pieces[1::2]
    fresh = new.split(" ")
    before: dict[int, int] = {}
    # Words count as equal with and without a full stop or comma.
    bare, fresh_bare = ([_SIGNS.sub("", _plain_signs(word)) for word in each] for each in (words, fresh))
    for block in SequenceMatcher(None, bare, fresh_bare, autojunk=False).get_matching_blocks():
        before.update({block.b + step: block.a + step for step in range(block.size)})
    for number, place in before.items():
        if _accepts_signs(style, words[place], fresh[number]):
            fresh[number] = words[place]
    text = fresh[0]
    for number in range(1, len(fresh)):
        left, right = before.get(number - 1), before.get(number)
        kept = left is not None and right == left + 1
        text += (gaps[left] if kept and left is not None else " ") + fresh[number]
    return text


def _plain_signs(word: str) -> str:
    """Return text with dashes between numbers replaced by hyphens, and curly apostrophes by straight ones."""
    return _DASH.sub("-", word).replace("’", "'")


def _accepts_signs(style: Style, old: str, new: str) -> bool:
    """Return whether two words differ only in dashes and apostrophes, and the style accepts those of the old
    word.

    A style that joins numbers with a hyphen also accepts an en dash, but not the reverse.
    """
    if _plain_signs(old) != _plain_signs(new):
        return False
    return style.dash == "-" or _DASH.findall(old) == _DASH.findall(new)


def _keep_stop(draft: Draft, region: Span, text: str) -> tuple[Span, str]:
    """Return the region to replace and its new text, adjusted so that the sentence has exactly one full stop.

    The full stop of an abbreviation may also end the sentence. At the end of a note, "Ibid." keeps its full
    stop in a style that writes "ibid", and "ibid." becomes "id." with one full stop, not two.
    """
    stopped = [draft.format.mask(each).rstrip().endswith(".") for each in (region.of(draft.source), text)]
    if stopped == [True, False] and _ENDS_SENTENCE.match(draft.masked, region.end):
        return region, f"{text}."
    if stopped == [False, True] and draft.source.startswith(".", region.end):
        return Span(region.start, region.end + 1), text
    return region, text


def _replace(draft: Draft, region: Span, text: str, style: Style) -> Edit:
    """Return the edit that replaces a region with ``text``, keeping the region's spacing. The asterisk of a
    star page ("at *3") is escaped only if it was escaped before.
    """
    region, text = _keep_stop(draft, region, text)
    old = region.of(draft.source)
    if draft.format.hyphens and "--" in old:
        text = re.sub(r"(?<=\d)–(?=\d)", "--", text)
    text = draft.format.write_at(draft.source, region.start, keep_spacing(old, text, style))
    bare = re.sub(r"\\(?=\*\d)", "", text)
    same = draft.format.mask(bare).split() == draft.format.mask(text).replace("\\", " ").split()
    return Edit(region, bare if same and "\\*" not in old else text)


def _balanced(text: str, masked: str) -> bool:
    """Return whether the emphasis marks in a text are balanced. Characters that are also in ``masked`` are
    text, not marks.
    """
    marks = "".join(char if hidden != char else " " for char, hidden in zip(text, masked, strict=True))
    return (
        marks.count("{") == marks.count("}")
        and marks.replace("\\*", "").count("*") % 2 == 0
        and len(re.findall(r"(?<![\\\w])_|(?<!\\)_(?!\w)", marks)) % 2 == 0
    )


def find_italics(draft: Draft, region: Span, *, local: bool = False) -> tuple[str, str] | None:
    """Return the italic marks used in the citation, or those that the draft usually uses; None if there are
    none.

    With ``local``, only the citation itself is examined; if it has no italics, ("", "") is returned.
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
    """Return the region, extended by a bracket after it if the new text ends with the same bracket: "
    (HL)".
    """
    for at in (text.rfind(" ("), text.find(" (")):
        tail = text[at:] if at >= 0 else ""
        if tail and draft.source.startswith(tail, region.end) and not region.of(draft.source).endswith(tail):
            return Span(region.start, region.end + len(tail))
    written = make_court_pattern().match(draft.source, region.end)
    if written is not None and f"({written['court']})" in text:
        return Span(region.start, written.end())
    return region
