"""What in a query names a document, and what is asked about it.

"Consider the Supply Agreement between Tarn Ltd; Quenby Inc; who may assign it?" and "what does the lease
with Vale say about subletting?" name a document and ask something. The names say where to look and nothing
about which place there is meant, so the two are kept apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lexls.text.spans import Span

_ASKS = (
    r"(?:who|whom|whose|what|which|when|where|why|how|whether|is|are|was|were|does|do|did|can|could|may|must|shall"
    r"|should|will|would|has|have|had|tell|list|find|name|give|show|identify|explain|state|describe|summari[sz]e)\b"
)
_LEAD = re.compile(
    r"\s*(?:please\s+|now\s+)?(?:consider(?:ing)?|take|see|look(?:ing)?\s+at|read(?:ing)?|regarding|concerning"
    r"|given|as\s+(?:to|for)|with\s+(?:regard|respect|reference)\s+to|about|in|under|for|on|of|from|per|within"
    r"|pursuant\s+to|according\s+to)\b",
    re.IGNORECASE,
)
_BOUNDARY = re.compile(rf"[;:]\s*(?={_ASKS})|,\s*(?={_ASKS})", re.IGNORECASE)
_DOCUMENT_WORD = (
    r"(?:[Aa]greements?|AGREEMENTS?|[Cc]ontracts?|CONTRACTS?|[Ll]eases?|LEASES?|[Ll]icen[cs]es?|[Dd]eeds?|[Ii]ndentures?"
    r"|[Cc]harter(?:-?[Pp]art(?:y|ies))?|[Mm]emorand(?:um|a)|[Aa]ddend(?:um|a)|[Pp]olic(?:y|ies)"
    r"|[Cc]ase|[Jj]udgments?|[Dd]ecision|[Oo]pinion)"
)
_CONNECTIVE = r"(?:and|of|for|the|by|&|de|von|van|dated|made)"
_PROPER = r"[A-Z0-9(][^\s?;:!]*"
_PARTIES = (
    rf"\s+(?:by\s+and\s+between|between|among|with|of|dated)\s+(?:{_CONNECTIVE}\s+){{0,2}}{_PROPER}"
    rf"(?:\s+(?:{_CONNECTIVE}\s+){{0,3}}{_PROPER}){{0,30}}"
)
_BEFORE = (
    r"(?:\b(?:[Ii]n|[Uu]nder|[Oo]f|[Ff]rom|[Bb]y|[Pp]er|[Ww]ithin|[Ff]or|[Tt]o|[Dd]oes|[Dd]id|[Uu]nto)\s+)?"
    r"(?:\b(?:[Tt]he|[Oo]ur|[Tt]heir|[Ii]ts|[Tt]his|[Tt]hat|[Aa]n?)\s+(?:[a-z-]+\s+){0,2})?"
)
_KIND_OF = rf"(?:(?:\b[A-Z][\w.&'’/-]*,?\s+(?:{_CONNECTIVE}\s+){{0,2}}){{1,10}}(?:[a-z-]+\s+){{0,2}})?"
_REFERENCE = re.compile(rf"{_BEFORE}{_KIND_OF}\b{_DOCUMENT_WORD}\b(?:{_PARTIES})?")
_CASE_NAME = re.compile(
    r"(?:\b(?:[Ii]n|[Uu]nder|[Oo]f|[Ff]rom|[Bb]y|[Pp]er|[Dd]oes|[Dd]id)\s+)?"
    r"[A-Z][\w.'’&-]*(?:\s+(?:[A-Z][\w.'’&-]*|of|and|the|&)){0,7}\s+v(?:s?\.|s)?\s+"
    r"(?:the\s+)?[A-Z][\w.'’&-]*(?:\s+(?:[A-Z][\w.'’&-]*|of\s+[A-Z][\w.'’&-]*|and\s+[A-Z][\w.'’&-]*|&)){0,7}"
)
_NAME = re.compile(r"(?<![\w'’])[A-Z0-9][\w'’&.-]*")
_QUOTED = re.compile(r"[\"“]([^\"“”]{2,80})[\"”]")
_WORD = re.compile(r"[^\W\d_]{2,}")
_COMMA = re.compile(rf",\s+(?={_ASKS})", re.IGNORECASE)
_SENTENCE_START = re.compile(r"(?:^|[.?!;:])[\s\"'“‘(\[]*\Z")
LONGEST = 2000
"""Longer texts are narratives; they name no document to look into."""


@dataclass(frozen=True, slots=True)
class Naming:
    """``naming`` are the words of a query that name a document ("" if none do), ``rest`` what it asks.

    ``certain`` says that the form of the words shows it ("under the lease between …"); otherwise they
    are only names that stand in the query.
    """

    naming: str
    rest: str
    certain: bool = False


def split_naming(text: str) -> Naming:
    """Part ``text``, a query of prose on one line, into what names a document and what is asked about it.

    ``rest`` is never empty unless ``text`` is: where nothing else would remain, all of it is asked.
    """
    if len(text) > LONGEST:
        return Naming("", text)
    lead = _leading(text)
    spans = [lead] if lead is not None else []
    for pattern in (_CASE_NAME, _REFERENCE):
        for match in pattern.finditer(text, lead.end if lead is not None else 0):
            span = Span(*match.span())
            if pattern is _REFERENCE:
                comma = _COMMA.search(text, span.start, span.end)
                span = Span(span.start, comma.start() if comma else span.end)
            if any(span.overlaps(other) for other in spans):
                continue
            if _names_in(span.of(text)):
                spans.append(span)
    spans.sort()
    rest = _without(text, spans)
    if spans and len(_WORD.findall(rest)) >= 2:
        return Naming(" ".join(span.of(text) for span in spans), rest, certain=True)
    names = [match[1] for match in _QUOTED.finditer(text)]
    names += [match[0] for match in _NAME.finditer(text) if not _SENTENCE_START.search(text[: match.start()])]
    return Naming(" ".join(dict.fromkeys(names)), text)


def _leading(text: str) -> Span | None:
    """The clause before the question that names the document, up to where the question begins."""
    ends = [match for match in _BOUNDARY.finditer(text) if match[0][0] in ";:"]
    opens = _LEAD.match(text) is not None
    if not ends and opens:
        ends = list(_BOUNDARY.finditer(text))[:1]
    # A party's name may begin like a question ("May Mills Ltd"): the last such place is the question's.
    for match in ends[::-1]:
        head = text[: match.start()]
        if _names_in(head) and (opens or re.search(rf"\b{_DOCUMENT_WORD}\b", head)):
            return Span(0, match.end())
    return None


def _names_in(words: str) -> bool:
    """Whether a name stands in ``words``: one with a capital that does not merely begin them."""
    return any(match.start() > 0 and match[0][0].isupper() for match in _NAME.finditer(words)) or bool(
        _CASE_NAME.match(words)
    )


def _without(text: str, spans: list[Span]) -> str:
    pieces = []
    position = 0
    for span in spans:
        pieces.append(text[position : span.start])
        position = span.end
    pieces.append(text[position:])
    return " ".join(" ".join(pieces).split())
