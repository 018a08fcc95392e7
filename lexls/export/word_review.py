"""Write a draft's findings, or a table of authorities that Word updates, into a copy of its Word document.

Findings become comments, or tracked changes if there is only one fix. The table consists of TA and TOA
fields.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from lexls.assessing.check import Finding
from lexls.assessing.excerpt import list_excerpts
from lexls.assessing.rules.support import check_propositions
from lexls.citations.styles import TableForm
from lexls.export.table_of_authorities import TableEntry
from lexls.export.word_comments import HeldComment
from lexls.export.word_copy import UnwritableCopy, WordCopy
from lexls.export.word_edits import Names, PartEdits
from lexls.features.find_support import SupportOption
from lexls.grounding.evidence import Pin, quote_pin
from lexls.reading.draft import Draft
from lexls.reading.edit import Edit, Fix
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.place_words import cite_authority, join_citation, put_in_marks

_SHOWN = 80
_LONGEST = 400
_FOUND = re.compile(r"\[[a-z]+(?:-[a-z]+)*\]")
_MORE = re.compile(r"Perhaps: .*\.|.*: “.*|.*: ‘.*")
_SUPPORT = ("These authorities may support this:", "This may support it:")


def review(copy: WordCopy, snapshot: Snapshot, findings: Iterable[Finding]) -> None:
    """Write a draft's findings into the copy of the document from which it was read.

    A preferred fix becomes a tracked change if Word can track it; otherwise a comment describes it. Word
    allows no comments in footnotes, endnotes, text boxes and equations (older versions refuse to open a file
    that has one). A comment on text in one of these is placed at the note's mark or at the box, and names the
    words it concerns.

    Comments of an earlier review are removed, except those that someone answered or edited and those on a
    pending change. Findings whose comments remain are not added again, and a rejected change is not made
    again.
    """
    held = [each for each in copy.find_held() if _FOUND.search(each.lead)]
    kept = [each for each in held if each.settled or not _is_untouched(each)]
    copy.withdraw([each for each in held if each not in kept])
    copy.kept = len(kept)
    made: set[Edit] = set()
    for finding in findings:
        mark = find_mark(snapshot.draft, finding.span.start)
        told = _tell(copy, snapshot.draft, finding, placed=mark is None)
        before = [each for each in held if told in each.lead and copy.is_at(each, finding.span, mark)]
        if any(each in kept for each in before):
            continue
        sure = [fix for fix in finding.fixes if fix.preferred]
        mended = not before and len(sure) == 1 and _make(copy, sure[0], made)
        lines = [told, *_quote(snapshot, finding)]
        if not mended:
            lines += [f"Perhaps: {each.title}." for each in finding.fixes if each.edits]
        copy.comment(finding.span, lines, at=mark)


def _is_untouched(comment: HeldComment) -> bool:
    """Return whether a comment contains only what a review has written, and nothing added by hand."""
    ends = list(_FOUND.finditer(comment.lead))[-1].end() == len(comment.lead)
    return ends and all(_MORE.fullmatch(each) for each in comment.paragraphs[1:])


def _tell(copy: WordCopy, draft: Draft, finding: Finding, *, placed: bool) -> str:
    """Return the finding as a sentence with its code. The sentence names the words concerned if the comment
    cannot be placed on them.
    """
    said = finding.message[:1].upper() + finding.message[1:]
    stop = "" if said[-1:] in ".?!" else "."
    words = textwrap.shorten(finding.span.of(draft.masked), _SHOWN, placeholder=" …")
    shown = (
        (placed and copy.stands_alone(finding.span)) or not words or said.startswith((words, f"“{words}”"))
    )
    where = "" if shown else f"At “{words}”: "
    return " ".join(f"{where}{said}{stop} [{finding.code}]".split())


def _quote(snapshot: Snapshot, finding: Finding) -> Iterator[str]:
    """Yield the quotations from authorities that explain a finding, except those that its message
    contains.
    """
    for related in finding.related:
        library = related.hold(snapshot)
        authority = library.catalogue.get(related.authority) if related.authority else None
        if authority is None or related.message in finding.message:
            continue
        if related.message == join_citation(authority.name, authority.citation, authority.jurisdiction):
            continue
        if related.message.startswith("“"):
            yield f"{cite_authority(authority)}: {related.message}"
        else:
            start, end = related.span.start, related.span.end
            text = library.contents.text(authority.id)[start:end]
            words = quote_pin(Pin("", authority, start, end, text, "", 0, False))
            words = put_in_marks(textwrap.shorten(words, _LONGEST, placeholder=" …"))
            yield f"{cite_authority(authority)}: {words}"


def find_unsupported(snapshot: Snapshot, token: CancelToken) -> Iterator[Span]:
    """Yield the sentences of a draft that state the law but have no authority cited nearby, in order."""
    for excerpt in list_excerpts(snapshot):
        yield from (each.span for each in check_propositions(excerpt, token))


def withdraw_support(copy: WordCopy, draft: Draft, sentences: Sequence[Span]) -> list[Span]:
    """Remove earlier comments of ``comment_support`` on these sentences, except those that someone answered.
    Return the sentences that then have no such comment.
    """
    held = [each for each in copy.find_held() if each.lead in _SUPPORT]
    at = {
        each: [one for one in held if copy.is_at(one, each, find_mark(draft, each.start))]
        for each in sentences
    }
    copy.withdraw([one for found in at.values() for one in found if not one.settled])
    return [each for each in sentences if not any(one.settled for one in at[each])]


def comment_support(copy: WordCopy, draft: Draft, sentence: Span, found: Sequence[SupportOption]) -> None:
    """Add a comment on a proposition that lists possible support: each authority, its pinpoint, a quotation
    and any warning.
    """
    lines = [_SUPPORT[0] if len(found) > 1 else _SUPPORT[1]]
    for each in found:
        warning = f" Warning: {each.warning}." if each.warning else ""
        words = textwrap.shorten(each.quote, _LONGEST, placeholder=" …")
        lines.append(f"{cite_authority(each.hit.authority, each.place)}: {put_in_marks(words)}{warning}")
    copy.comment(sentence, lines, at=find_mark(draft, sentence.start))


def _make(copy: WordCopy, fix: Fix, made: set[Edit]) -> bool:
    """Make the edits of a fix as tracked changes, and return True. If one of them cannot be made, make none
    and return False.
    """
    left = [each for each in fix.edits if each not in made]
    if not all(copy.can_change(each.span, each.text) for each in left):
        return False
    for each in left:
        copy.change(each.span, each.text)
    made.update(left)
    return True


def find_mark(draft: Draft, offset: int) -> Span | None:
    """Return the mark of the note that contains an offset; None if the offset is not in a note."""
    place = draft.block_at(offset)
    note = draft.blocks[place].note if place >= 0 else None
    if note is None:
        return None
    marks = (
        mark.span.shift(start)
        for block, start in zip(draft.blocks, draft.starts, strict=True)
        for mark in block.marks
        if mark.label == note.label
    )
    return next(marks, None)


# Word's numbers for the categories.
_CATEGORIES: Mapping[str, int] = {
    "cases": 1,
    "statutes": 2,
    "other": 3,
    "rules": 4,
    "regulations": 6,
    "constitution": 7,
}
_NAME = re.compile(r"(?P<name>.+?)(?=,? [\[(]?\d)")
_TABLE = re.compile(rb"(?:instrText[^<>]*>|instr=[\"'])\s*TOA\b")


def put_table(copy: WordCopy, found: Sequence[TableEntry], form: TableForm, before: int) -> None:
    """Insert a table of authorities with the entries ``found`` before the paragraph that contains the offset
    ``before`` of the document's text.

    Each citation becomes a TA field and each group a TOA field, which Word fills with pages when it opens the
    file; until then the table lists places. All of it is tracked. Raises ``UnwritableCopy`` if the document
    already has a table of authorities.
    """
    if copy.main is None:
        raise UnwritableCopy("no text in it")
    if _TABLE.search(copy.main.source.text):
        raise UnwritableCopy("it has a table of authorities, which Word updates (F9)")
    text = copy.extract.text
    for entry in found:
        for end in entry.mentions:
            at = end
            while at > 0 and not text[at - 1].isalnum() and text[at - 1] not in ")]":
                at -= 1
            copy.put_behind(at, _entry_field(copy.names, entry, whole=end == min(entry.mentions)))
    copy.put_before(before, "".join(_table(copy.main, found, form)))


def _run(names: Names, content: str, *marks: str) -> str:
    """Return a run formatted with the given marks: "b", "i" and "vanish", in this order."""
    return names.run(content, names.element("rPr", "".join(map(names.element, marks))) if marks else "")


def _name(entry: TableEntry) -> tuple[str, str]:
    """Return the italicised name of a case and the rest of its entry. For another authority, return "" and
    the whole entry.
    """
    name = _NAME.match(entry.text) if entry.group == "cases" else None
    return (name["name"], entry.text[name.end() :]) if name is not None else ("", entry.text)


def _entry_field(names: Names, entry: TableEntry, *, whole: bool) -> str:
    """Return the runs of a TA field: with the full authority at its first citation, later with only its short
    name.
    """
    short = _write_argument(entry.text)
    codes = [(f' TA \\s "{short}" ', False)]
    if whole:
        name, rest = map(_write_argument, _name(entry))
        category = _CATEGORIES.get(entry.group, 3)
        codes = [(' TA \\l "', False), (name, True), (f'{rest}" \\s "{short}" \\c {category} ', False)]
    written = [
        _run(names, names.text(code, "instrText"), *(["i"] if italic else []), "vanish")
        for code, italic in codes
        if code
    ]
    begin, end = (
        _run(names, names.element("fldChar", fldCharType=kind), "vanish") for kind in ("begin", "end")
    )
    return "".join([begin, *written, end])


def _write_argument(text: str) -> str:
    """Return text escaped for the quoted argument of a field code: backslashes are doubled and straight
    quotation marks replaced.
    """
    return text.replace("\\", "\\\\").replace('"', "”")


def _table(edits: PartEdits, found: Sequence[TableEntry], form: TableForm) -> Iterator[str]:
    """Yield the paragraphs of the table: its title, then for each group a heading and a TOA field."""
    names, passim = edits.names, " \\p" if form.passim else ""
    tab = names.element("tab", val="right", leader="dot", pos="9026")
    lined = names.element("tabs", tab)  # Word applies its own style to the entries
    yield edits.paragraph(_run(names, names.text(form.title), "b"))
    for group, title in form.groups:
        listed = [entry for entry in found if entry.group == group]
        if listed:
            yield edits.paragraph(_run(names, names.text(title), "b"))
        for number, entry in enumerate(listed):
            runs = []
            if number == 0:
                code = f' TOA \\c "{_CATEGORIES.get(group, 3)}"{passim} '
                runs = [
                    names.run(names.element("fldChar", fldCharType="begin", dirty="true")),
                    names.run(names.text(code, "instrText")),
                    names.run(names.element("fldChar", fldCharType="separate")),
                ]
            name, rest = _name(entry)
            if name:
                runs.append(_run(names, names.text(name), *(["i"] if form.italic else [])))
            runs += [names.run(each) for each in (names.text(rest), names.element("tab"))]
            runs.append(names.run(names.text(entry.places)))
            if number == len(listed) - 1:
                runs.append(names.run(names.element("fldChar", fldCharType="end")))
            yield edits.paragraph("".join(runs), lined)
