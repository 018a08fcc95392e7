"""Find short forms in a text: id., ibid., supra, "Carrow at [14]", "531 U.S., at 104"."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import merge
from itertools import chain

from lexls.citations import pinpoints
from lexls.citations.behind import skip
from lexls.citations.case_names.alone import find_words_before
from lexls.citations.case_names.parse import find_first_party, find_name_before
from lexls.citations.case_names.words import WORDS, is_abbreviated
from lexls.citations.model import Mention, Pinpoint, join_spaces
from lexls.citations.scan import Scan
from lexls.citations.tables import load_patterns
from lexls.text.dates import FULL_MONTH
from lexls.text.spans import Span

_PATTERNS = load_patterns("shorts.toml")
_NO_NAMES = WORDS["introducing"] | WORDS["generic"]
# Without the first letter, since the other letters are a rarer literal to search for.
_SUPRAS = (
    re.compile(r"upra\b(?<=[sS]upra)(?<!\w.upra)(?:\s{0,3}\))?"),
    re.compile(r"UPRA\b(?<=[sS]UPRA)(?<!\w.UPRA)(?:\s{0,3}\))?"),
)
_NEAR_ACT = 9
"""Maximum distance, in code points, of an Act's name before a back-reference that belongs to it."""
_NO_PLACE = re.compile(r"(?<=\s)at(?=\s{0,3}[.;,)\]])")
"""Pattern of the "at" before a missing page number."""
# Text that can only begin a pinpoint; a short name may precede it.
_PLACES = (
    re.compile(
        r"at\s{1,9}(?=\[\s?\d|para|¶|pp?\.?\s?\d|page|\*?\d)"
        r"(?!\d{1,2}(?:[:.]\d\d)?\s?(?:(?:[ap]\.?\s?m|noon|midnight|hours|hrs|GMT|BST)\b|[oO][’']))"
    ),
    re.compile(r"\[(?=\s?\d{1,4}\s?[\]–-])"),
    re.compile(r"para(?=(?:graph)?s?\b\.?\s?\[?\d)"),
    re.compile(r"¶(?=¶?\s?\d)"),
)
_CASE_WORDS = tuple(
    re.compile(rf"{word}\b(?!\s{{1,40}}(?:law|no\b))(?<=\s{word})")
    for word in ("case", "decision", "principle")
)
_MONTH = re.compile(FULL_MONTH, re.IGNORECASE)
_CITS = tuple(re.compile(rf"{cit}\b\.?(?<!\w{cit})(?<!\w{cit}\.)") for cit in ("cit", "Cit"))  # "op. cit."


def find_ids(scan: Scan, starts: Sequence[int] = ()) -> Iterator[Mention]:
    """Yield *id.* and *ibid.* with their pinpoints, except an *id.* that replaces a reporter ("83 id. 154").

    ``starts`` are the offsets of other mentions, where a pinpoint must end: "id. ¶ 39, 176 Vt. 476" has one
    paragraph.
    """
    text = scan.text
    for core, volume in scan.ids:
        if volume:
            continue
        after = pinpoints.find_after_case(text, core.end, "page")
        limit = bisect_left(starts, core.end)
        if after is not None and limit < len(starts) and after[1] > starts[limit]:
            after = pinpoints.find_between(text, core.end, starts[limit], "page")
        if after is None and text[core.end - 1] != ".":
            after = _page_behind(text, core.end)
        pinpoint, stop = after if after is not None else (None, core.end)
        yield Mention(core.start, stop, core, "other", "id", pinpoint=pinpoint)


def find_supras(scan: Scan, acts: Mapping[int, Mention]) -> Iterator[Mention]:
    """Yield *supra*, "above n 12", "(n 3)" and *op. cit.*, each with the name before it.

    ``acts`` are mentions of Acts by the end of their names; a form behind one does not include its name.

    Without a name, the form refers to a footnote; without either, to the text itself. *Loc. cit.* alone
    refers to the authority cited last.
    """
    text = scan.text
    for pattern in _SUPRAS:
        for match in pattern.finditer(text):
            note = _PATTERNS["note"].match(text, match.end())
            end = note.end() if note else match.end()
            yield from _supra(scan, acts, match.start() - 1, end, note, ")" in match.group())
    for match in _PATTERNS["cited_above"].finditer(text) if "above" in text else ():
        start = match.start()
        cited = _PATTERNS["cited"].search(text, max(0, start - 9), start)
        start = cited.start() if cited is not None else start
        if text[max(0, start - 2) : start].strip() == ",":
            yield from _supra(scan, acts, start, match.end(), None, False, True)
    for match in _PATTERNS["above"].finditer(text) if "above" in text else ():
        note = _PATTERNS["note"].match(text, match.end())
        if note is not None:
            yield from _supra(scan, acts, match.start(), note.end(), note, False)
            continue
        note = _PATTERNS["note_before"].search(text, max(0, match.start() - 16), match.start())
        if note is not None:
            yield from _supra(scan, acts, note.start("word"), match.end(), note, False)
    for match in _PATTERNS["in_note"].finditer(text) if "(n" in text or "(above" in text else ():
        yield from _supra(scan, acts, match.start(), match.end(), match, True)
    for match in chain.from_iterable(pattern.finditer(text) for pattern in _CITS):
        work = _PATTERNS["work"].search(text, max(0, match.start() - 8), match.start())
        if work is not None:
            yield from _supra(scan, acts, work.start("work"), match.end(), None, False)


def _supra(
    scan: Scan,
    acts: Mapping[int, Mention],
    start: int,
    end: int,
    note: re.Match[str] | None,
    closed: bool,
    signs: bool = False,
) -> Iterator[Mention]:
    """Yield the mention for a back-reference from ``start`` to ``end``; ``note`` is the match of its footnote
    number, if any.
    """
    text = scan.text
    name = find_name_before(text, start) or find_words_before(text, start)
    behind = text[max(0, start - _NEAR_ACT) : start]
    act = acts.get(start - len(behind) + len(behind.rstrip(" ,\n")))
    name = None if act is not None else name
    number = note["number"] if note is not None else ""
    local = text[start : start + 1] in "lL"
    doubtful = _find_word(text, start, "word_before_comma") if name is None else None
    if name is None and doubtful is None and text[start] == "(":
        doubtful = scan.find_italics_before(start)
    if name is None and not number and not local and doubtful is None:
        return
    if number and _PATTERNS["text_of_note"].match(text, end):  # "supra note 3 and accompanying text"
        return
    after = pinpoints.find_after_case(text, end, "page", signs)
    if after is None and text[start] == "(":
        after = _page_behind(text, end)
    pinpoint, stop = after if after is not None else (None, end)
    if name is None:
        core = Span(start, end)
        if local:
            yield Mention(start, stop, core, "other", "id", pinpoint=pinpoint)
        else:
            mention = Mention(start, stop, core, "other", "supra", pinpoint=pinpoint, note=number, loose=True)
            yield replace(mention, doubtful=doubtful, reference=act.name if act is not None else "")
        return
    opened = "(" in text[name.end : start] and not closed
    closing = _PATTERNS["closing"].match(text, stop) if opened else None
    reference = join_spaces(name.of(text))
    yield Mention(
        name.start,
        closing.end() if closing is not None else stop,
        name,
        "other",
        "supra",
        name=reference,
        pinpoint=pinpoint,
        reference=reference,
        note=number,
        loose=text[start] == "(",
    )


def _page_behind(text: str, end: int) -> tuple[Pinpoint, int] | None:
    """Return the pages immediately after "(n 3)" or "ibid", and their end ("ibid 101, 115"), or None."""
    page = _PATTERNS["page_behind"].match(text, end)
    if page is None:
        return None
    pinpoint, stop = pinpoints.read_pages(text, page)
    return pinpoint, skip("paragraph-behind-page", text, stop)


def find_named(scan: Scan, taken: Callable[[int, int], bool]) -> Iterator[Mention]:
    """Yield the words before a pinpoint or the word "case" that may be a short name, skipping taken spans."""
    text = scan.text
    for pattern in _PLACES:
        for match in pattern.finditer(text):
            before = text[max(0, match.start() - 3) : match.start()]
            if not before.endswith((" ", "(", "\n", "\t")) or not (
                before.strip(" (,\n\t") or len(before) == 3
            ):
                continue
            slip = _PATTERNS["slip"].search(text, max(0, match.start() - 12), match.start())
            start = slip.start() if slip is not None else match.start()
            name, doubtful = _find_called(scan, start)
            end = max((each.end for each in (name, doubtful) if each is not None), default=-1)
            if name is not None and text.startswith(".", end) and is_abbreviated(name.of(text).split()[-1]):
                end += 1  # "*Orrin Stations, Inc.* at 4"
            after = pinpoints.find_after_case(text, end, "page") if end >= 0 else None
            if after is not None:
                yield _named(text, name or Span(start, after[1]), after[1], after[0], doubtful)
    for match in chain.from_iterable(pattern.finditer(text) for pattern in _CASE_WORDS):
        name, doubtful = (None, None) if taken(*match.span()) else _find_called(scan, match.start())
        if name is not None or doubtful is not None:
            yield _named(text, name or Span(*match.span()), match.end(), doubtful=doubtful)


def _find_called(scan: Scan, end: int) -> tuple[Span | None, Span | None]:
    """Return the words before ``end`` that may be a short name. If there are none, return any words in
    italics there as the second value; these are usually not a name.
    """
    name, italics = find_words_before(scan.text, end), scan.find_italics_before(end)
    if name is None or italics is None:
        return name, italics
    return Span(min(name.start, italics.start), name.end), None


def find_in_italics(scan: Scan, taken: Callable[[int, int], bool]) -> Iterator[Mention]:
    """Yield words in italics that may be just a case's name: "So it was held in *Greyling*."."""
    for italics in scan.italics:
        words = {word.strip(".,'’").casefold() for word in italics.of(scan.text).split()}
        if not taken(italics.start, italics.end) and not words <= _NO_NAMES:
            yield _named(scan.text, italics, italics.end, doubtful=italics)


def _named(
    text: str, core: Span, end: int, pinpoint: Pinpoint | None = None, doubtful: Span | None = None
) -> Mention:
    """Return the mention of a case named at ``core``, ending at ``end``.

    If ``doubtful`` is given, the mention gets no name yet. It is a citation only if the words at ``doubtful``
    turn out to be a case's name.
    """
    said = join_spaces(core.of(text)) if doubtful is None else ""
    mention = Mention(core.start, end, core, "case", "short", name=said, reference=said, pinpoint=pinpoint)
    return replace(mention, doubtful=doubtful)


def find_by_report(scan: Scan, taken: Callable[[int, int], bool]) -> Iterator[Mention]:
    """Yield each volume and reporter whose only page is a pinpoint ("531 U.S., at 104"), skipping taken
    spans.

    The page may be missing ("531 U.S. at ."). The mention then has no pinpoint, but a following *id.* refers
    to its case.
    """
    text = scan.text
    floor = 0
    for match in merge(_PLACES[0].finditer(text), _NO_PLACE.finditer(text), key=re.Match.start):
        if taken(*match.span()):
            continue
        cited = _PATTERNS["report"].search(text, max(0, match.start() - 50), match.start())
        if cited is None or _MONTH.search(cited["report"]):
            continue
        after = pinpoints.find_after_case(text, cited.end("report"), "page")
        if after is None and (match.re is not _NO_PLACE or "." not in cited["report"]):
            continue
        core = Span(cited.start(), cited.end("report"))
        name = find_name_before(text, core.start, floor) or find_words_before(text, core.start)
        name = name or _find_word(text, core.start, "common_name", "marked_name")
        # "115 N.M. at 49, 846 P.2d at 355": the name belongs to the page before.
        if name is not None and (name.start < floor or taken(name.start, core.start)):
            name = None
        doubtful = _find_word(text, core.start, "word_before_comma") if name is None else None
        pinpoint, floor = after if after is not None else (None, match.end())
        yield Mention(
            name.start if name is not None else core.start,
            floor,
            core,
            "case",
            "short",
            pinpoint=pinpoint,
            volume=cited["volume"],
            report=join_spaces(cited["report"]),
            name=join_spaces(name.of(text)) if name is not None else "",
            doubtful=doubtful,
        )


def _find_word(text: str, end: int, *kinds: str) -> Span | None:
    """Return a word before ``end`` that may be a party's name, though such a word usually just introduces a
    citation.

    ``kinds`` are the patterns to try; the first match is used. Example: "*Rule*, 607 F.3d at 252".
    """
    for kind in kinds:
        found = _PATTERNS[kind].search(text, max(0, end - 40), end)
        if found is not None:
            return Span(*found.span("name"))
    return None


def find_versus(scan: Scan, taken: Callable[[int, int], bool]) -> Iterator[Mention]:
    """Yield every "X v Y" without a citation of its own. The second party may end before the mention does."""
    text = scan.text
    for versus in scan.versus:
        if taken(versus, versus + 1) or versus in scan.headings:
            continue
        behind = _PATTERNS["party"].match(text, versus)
        start = find_first_party(text, versus) if behind is not None else None
        if start is None or behind is None:
            continue
        yield replace(_named(text, Span(start, behind.end()), behind.end()), open_end=True)
