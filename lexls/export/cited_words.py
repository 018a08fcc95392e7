"""Read how a draft cites a provision of a code or an article, for the table of authorities."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lexls.citations.citing_sentences import SIGNALS
from lexls.citations.jurisdiction import find_jurisdiction
from lexls.citations.model import Citation, CitationKind, PinpointKind, fold, join_spaces
from lexls.citations.pinpoints import find_end
from lexls.citations.styles import Reference
from lexls.citations.styles.lettering import is_many
from lexls.citations.styles.shapes import match_act
from lexls.reading.citation_order import note_at
from lexls.reading.draft import Draft
from lexls.text.lexicon import PARTICLES
from lexls.text.spans import Span

_LONGEST = 300
"""Maximum distance between an author's name and the citation, in code points."""
_PARTICLES = "|".join(sorted(PARTICLES | {"der", "du", "di", "del"}))
_NAME = rf"(?:(?:{_PARTICLES})\s+){{0,2}}[^\W\d_a-z](?:[\w.’'-]|\.(?=[A-Z]))*"
# "Oliver Wendell Holmes, Jr.,", "A. Orr & B. Hale,", "Cass R. Sunstein et al.,".
_AUTHORS = re.compile(
    rf"(?<![\w.’'-])(?P<first>{_NAME}(?:\s+{_NAME}){{0,4}})"
    rf"(?:(?:,?\s+(?:&|and)\s+|,\s+){_NAME}(?:\s+{_NAME}){{0,4}}){{0,5}}(?:\s+et\s+al\.?)?\s*,\s*\Z"
)
_LEADING_SIGNAL = re.compile(rf"(?:(?:{SIGNALS})\W{{1,3}})+", re.IGNORECASE)
# "Oliver Holmes, The Path of the Law," if nothing marks the title.
_UNMARKED = re.compile(
    rf"(?<![\w.’'-]){_NAME}(?:\s+{_NAME}){{1,4}},\s+(?P<title>[A-Z][^(),.;]{{3,120}}),?\s*\Z"
)
# Kinds listed as a whole, and kinds of pinpoint that are not provisions.
_LISTED_WHOLE: frozenset[CitationKind] = frozenset(
    ("case", "treaty", "contract", "journal", "book", "record")
)
_ORDERS = ("Exec. Order", "Proclamation")
"""The beginnings of the keys of a President's orders, each of which is one document."""
_NO_PROVISIONS: frozenset[PinpointKind] = frozenset(("page", "paragraph", "note"))
# The end of a code's name before the number of its section: " § ", ", § ", " art. ", "/", " ".
_BEFORE_PLACE = re.compile(
    r"[ ,]{0,2}(?:§{1,2} ?|/ ?|(?:arts?|articles?|rules?|rr?|regs?|secs?|sections?|ss?|pts?|pars?)\.? )?\Z",
    re.I,
)
# An Act cited by its title.
_TITLE_OF_ACT = re.compile(r"\b(?:Act|Law)\b")
# Plural section signs and words, and their singular forms.
_SEVERAL = (
    (re.compile(r"§§"), "§"),
    (re.compile(r"\b(art|article|reg|sec|r|s|pt|rule|section)s(?=\b)"), r"\1"),
)
# The end of the full form of an authority other than a case, after its pinpoint.
_CLOSING = re.compile(
    r"(?:,? \d{1,3}(?:st|d|nd|rd|th) Cong\.(?:,? \d(?:st|d|nd) Sess\.)?)?"  # S. 512, 110th Cong.
    r"(?:\s?\((?:[^()\d]{0,60}\d{0,2},? )?(?:1[5-9]|20)\d\d\))?"  # (Am. L. Inst. 1981), (Feb. 1, 2018)
)


def list_provisions(citation: Citation, base: Citation | None) -> tuple[str, ...]:
    """Return the provisions of a code, a constitution or rules that a citation cites, since each is listed as
    an authority of its own. For any other authority, return ("",).

    An Act cited by its title is listed as a whole. "2252(a) and (b)" gives two provisions, 2252(a) and
    2252(b). ``base`` is the full citation to which a short form refers; its provision is used if the short
    form has none.
    """
    pinpoint = citation.pinpoint
    if pinpoint is None and base is not None and base.pinpoint is not None and len(base.pinpoint.labels) == 1:
        return list_provisions(base, None)
    if pinpoint is None or pinpoint.kind in _NO_PROVISIONS or not is_code(citation):
        return ("",)
    labels: list[str] = []
    for label in pinpoint.labels:
        section = labels[-1].partition("(")[0] if labels and label.startswith("(") else ""
        labels.append(section + label)
    return tuple(labels)


def is_code(citation: Citation) -> bool:
    """Return whether the table of authorities lists the provisions of an authority separately, as for a code,
    rules or a constitution.

    An Act cited by its title is listed as a whole, with or without its year, as is a President's order.
    """
    place = find_jurisdiction(citation.jurisdiction)
    if citation.kind in _LISTED_WHOLE or not place.customs.provisions or citation.key.startswith(_ORDERS):
        return False
    titled = citation.kind == "statute" and "." not in citation.key and _TITLE_OF_ACT.search(citation.key)
    return not titled and match_act(Reference(citation.kind, citations=(citation.key,))) is None


def read_words_of_code(draft: Draft, citation: Citation, label: str) -> str:
    """Return the text that the draft writes before a section number of a code: "Mass. Gen. Laws ch. 93A, § ";
    "" if unknown.

    For one section of a list ("§§ 1981, 1983"), the sign becomes "§"; a range keeps "§§". If the draft's name
    of the code differs from the citation key only in spelling, the key is used.
    """
    pinpoint = citation.pinpoint
    if not label or pinpoint is None or pinpoint.span.start <= citation.core.start:
        return ""
    sign = re.match(r"[^\w(]*(?:[A-Za-z]{1,8}\.?\s)?", pinpoint.span.of(draft.masked))
    end = pinpoint.span.start + (sign.end() if sign is not None else 0)
    # The bar keeps a trailing space.
    written = join_spaces(f"{draft.masked[citation.core.start : end]}|")[:-1]
    place = _BEFORE_PLACE.search(written)
    if place is None:
        return ""
    code, lead = written[: place.start()], place.group()
    for several, one in () if is_many((label,), pinpoint.kind) else _SEVERAL:
        lead = several.sub(one, lead)
    lead = re.sub(r"§(?=\Z)", "§ ", lead)
    return (citation.key if fold(code) == fold(citation.key) else code) + lead


def read_closing(draft: Draft, citation: Citation) -> str:
    """Return the text after the pinpoint that ends a citation's full form: " (Am. L. Inst. 1981)"; "" if
    there is none.
    """
    if citation.kind not in ("other", "statute", "contract", "journal") or (
        citation.kind == "statute" and citation.pinpoint is not None
    ):
        return ""
    end = citation.core.end
    if citation.pinpoint is not None and citation.pinpoint.span.start >= end:
        end = find_end(draft.masked, citation.pinpoint)
    found = _CLOSING.match(draft.masked, end)
    return f" {join_spaces(found.group())}".replace(" ,", ",") if found is not None and found.group() else ""


@dataclass(frozen=True, slots=True)
class CitedWork:
    """The author and title of an article, which extend from ``start`` to its citation.

    ``surname`` is the first author's, or "" if no author is given.
    """

    start: int
    surname: str


def find_work(draft: Draft, citation: Citation) -> CitedWork | None:
    """Return the author and title before an article's citation, or None if there is no title."""
    note = note_at(draft, citation.core.start)
    around = note.content if note is not None else draft.paragraph_at(citation.core.start)
    low = max(around.start if around is not None else 0, citation.core.start - _LONGEST)
    before = draft.citations_in(Span(low, citation.span.start)) if low < citation.span.start else []
    low = max([low, *(each.span.end for each in before if each.span.end <= citation.span.start)])
    title = _find_title(draft, citation, low)
    if title is None:
        return None
    written = draft.masked[low:title]
    authors = _AUTHORS.search(written)
    if authors is None:
        return CitedWork(title, "")
    start, first = authors.start("first"), authors["first"]
    signal = _LEADING_SIGNAL.match(first)
    if signal is not None:
        start, first = start + signal.end(), first[signal.end() :]
    return CitedWork(low + start, first.split()[-1] if first else "")


def _find_title(draft: Draft, citation: Citation, low: int) -> int | None:
    """Return the start offset of the article's title, which is in quotation marks, in italics, or after the
    author's comma; None if there is none.
    """
    if citation.name and citation.span.start < citation.core.start:
        return citation.span.start
    source, masked = draft.source, draft.masked
    end = low + len(source[low : citation.core.start].rstrip(" \t\r\n,~"))
    for opening, closing in draft.format.italics:
        if source.endswith(closing, low, end) and not masked[end - len(closing) : end].strip():
            at = source.rfind(opening, low, end - len(closing))
            if at >= 0 and not masked[at : at + len(opening)].strip():
                return at
    unmarked = _UNMARKED.search(masked[low : citation.core.start])
    return low + unmarked.start("title") if unmarked is not None else None
