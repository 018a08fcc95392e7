"""Where a draft cites by key: pandoc's ``[@a, p. 2]``, LaTeX's ``\\cite[14]{a}``, Typst's ``@a[p. 3]``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lexls.text.markup import Markup
from lexls.text.spans import Span

_LONGEST = 400
"""Code points of a group of citations; an opening bracket further off does not belong to a key."""
_PANDOC = re.compile(
    r"(?<![\w.@\\/])-?@(?:\{(?P<braced>[^{}\s]{1,200})\}|(?P<key>\w(?:[:.#$%&\-+?<>~/]?\w){0,200}))"
)
_TYPST = re.compile(r"(?<![\w.@\\/])@(?P<key>\w(?:[:.\-]{0,2}\w){0,200})")
_TYPST_CITE = re.compile(r"#cite\(\s{0,20}<(?P<key>[\w:.\-]{1,200})>")
_SUPPLEMENT = re.compile(
    r"supplement:\s{0,20}\[(?P<words>[^\[\]]{0,200}(?:\[[^\[\]]{0,60}\][^\[\]]{0,60}){0,3})\]"
)
_LATEX = re.compile(
    r"\\(?:[cC]ite(?:p|t|alp|alt|author|title|year)?|[pP]arencite|[tT]extcite|[fF]ootcite(?:text)?|"
    r"[aA]utocite|[sS]martcite|[fF]ullcite|footfullcite|supercite)(?:s(?=[\[({]))?\*?(?=[\[({])"
)
_BRACKETS = {"[": re.compile(r"[\[\]]"), "(": re.compile(r"[()]"), "{": re.compile(r"[{}]")}
_DEEPEST = 8
_COMMENTED = re.compile(r"(?<!\\)%")
_BLANKS = " \t\r\n"


@dataclass(frozen=True, slots=True)
class KeyUse:
    """A key cited in a draft.

    ``span`` is the citation ("@carrow, para 14"), ``core`` the key in it, ``locator`` the words that say
    where in the authority, None without any. ``sure`` is False where the words may be no citation at all: a
    key outside of brackets may be a name on some network, or refer to a figure.
    """

    span: Span
    core: Span
    key: str
    locator: Span | None
    sure: bool

    def moved(self, by: int) -> KeyUse:
        """The same ``by`` code points further on."""
        locator = self.locator.shift(by) if self.locator is not None else None
        return KeyUse(self.span.shift(by), self.core.shift(by), self.key, locator, self.sure)


def key_uses(source: str, masked: str, markup: Markup) -> tuple[KeyUse, ...]:
    """The keys cited in a block of a draft, in order; spans count from its beginning.

    ``masked`` is the block masked: what is code or a comment there cites nothing.
    """
    if markup == "markdown" and "@" in source:
        return tuple(_pandoc(source, masked))
    if markup == "typst" and ("@" in source or "#cite(" in source):
        return tuple(sorted(_typst(source, masked), key=lambda each: each.span))
    if markup == "latex" and "cite" in source:
        return tuple(_latex(source))
    return ()


# -- Markdown ------------------------------------------------------------------------------------------------


def _pandoc(source: str, masked: str) -> Iterator[KeyUse]:
    position = 0
    for match in _PANDOC.finditer(source):
        group = "braced" if match["braced"] is not None else "key"
        core = Span(*match.span(group))
        if match.start() < position or masked[core.start - 1 - (group == "braced")] != "@":
            continue
        bracket = _closing_around(source, match.start(), match.end())
        if bracket >= 0:
            end = source.find(";", match.end(), bracket)
            end = bracket if end < 0 else end
            locator = _trimmed(source, match.end(), end)
        else:
            end, locator = match.end(), None
            if source.startswith(" [", end) or source.startswith("[", end):
                opening = source.index("[", end)
                closing = _closing(source, opening + 1, "[", "]")
                if closing >= 0 and source[closing + 1 : closing + 2] not in ("(", "[", ":"):
                    locator = Span(opening + 1, closing)
                    end = closing + 1
        span = Span(match.start(), locator.end if locator is not None and bracket >= 0 else end)
        if locator is None and bracket >= 0:
            span = Span(match.start(), match.end())
        position = span.end
        yield KeyUse(span, core, core.of(source), locator, sure=bracket >= 0)


def _closing_around(source: str, start: int, end: int) -> int:
    """Where the brackets around a key close, -1 if it stands in none."""
    depth = 0
    at = start - 1
    lowest = max(0, start - _LONGEST)
    while at >= lowest:
        char = source[at]
        if char == "]":
            depth += 1
        elif char == "[":
            if depth == 0:
                break
            depth -= 1
        at -= 1
    if at < lowest or source[at + 1 : at + 2] == "^":
        return -1
    return _closing(source, end, "[", "]")


def _closing(source: str, start: int, opening: str, closing: str) -> int:
    """Where the bracket that was opened before ``start`` closes, -1 if not near."""
    depth = 1
    for match in _BRACKETS[opening].finditer(source, start, start + _LONGEST):
        depth += 1 if match.group() == opening else -1
        if depth == 0:
            return match.start()
        if depth > _DEEPEST:
            return -1
    return -1


def _trimmed(source: str, start: int, end: int) -> Span | None:
    """The words between, without the comma and the blanks around them; None if nothing remains."""
    while start < end and source[start] in _BLANKS + ",{":
        start += 1
    while start < end and source[end - 1] in _BLANKS + "}":
        end -= 1
    return Span(start, end) if start < end else None


# -- Typst ---------------------------------------------------------------------------------------------------


def _typst(source: str, masked: str) -> Iterator[KeyUse]:
    for match in _TYPST.finditer(source):
        core = Span(*match.span("key"))
        if masked[match.start()] != "@":
            continue
        end, locator = match.end(), None
        if source.startswith("[", end):
            closing = _closing(source, end + 1, "[", "]")
            if closing >= 0:
                locator, end = Span(end + 1, closing), closing + 1
        yield KeyUse(Span(match.start(), end), core, core.of(source), locator, sure=False)
    for match in _TYPST_CITE.finditer(source):
        line = source.rfind("\n", 0, match.start()) + 1
        if "//" in source[line : match.start()].replace("://", ""):
            continue
        closing = _closing(source, match.end(), "(", ")")
        if closing < 0:
            continue
        words = _SUPPLEMENT.search(source, match.end(), closing)
        core = Span(*match.span("key"))
        locator = Span(*words.span("words")) if words is not None else None
        yield KeyUse(Span(match.start(), closing + 1), core, core.of(source), locator, sure=True)


# -- LaTeX ---------------------------------------------------------------------------------------------------


def _latex(source: str) -> Iterator[KeyUse]:
    position = 0
    line_end = comment = -1
    for match in _LATEX.finditer(source):
        if match.start() > line_end:
            line = source.rfind("\n", 0, match.start()) + 1
            line_end = source.find("\n", match.start())
            line_end = len(source) if line_end < 0 else line_end
            found = _COMMENTED.search(source, line, line_end)
            comment = found.start() if found is not None else line_end
        if match.start() < position or match.start() > comment:
            continue
        several = match.group().rstrip("*").endswith("s")
        begin, at = match.start(), match.end()
        while True:
            options, opening = _options(source, at)
            if source[opening : opening + 1] != "{":
                break
            closing = _closing(source, opening + 1, "{", "}")
            if closing < 0:
                break
            yield from _keys(source, begin, Span(opening + 1, closing), options[-1] if options else None)
            position = at = closing + 1
            begin = at
            if not several:
                break


def _options(source: str, at: int) -> tuple[list[Span], int]:
    """The options in brackets from ``at`` on, those in parentheses passed over, and where they end."""
    found = []
    while source[at : at + 1] in ("[", "("):
        pair = ("[", "]") if source[at] == "[" else ("(", ")")
        closing = _closing(source, at + 1, *pair)
        if closing < 0:
            break
        if pair[0] == "[":
            found.append(Span(at + 1, closing))
        at = closing + 1
    return found, at


def _keys(source: str, begin: int, inside: Span, option: Span | None) -> Iterator[KeyUse]:
    """The keys of one pair of braces; a locator belongs to a key that stands alone."""
    spans = []
    start = inside.start
    for part in inside.of(source).split(","):
        key = part.strip()
        if key and not any(char in "{}\\#%" for char in key):
            at = start + part.index(key)
            spans.append(Span(at, at + len(key)))
        start += len(part) + 1
    locator = option if option is not None and len(option) else None
    for number, core in enumerate(spans):
        first, last = number == 0, number == len(spans) - 1
        span = Span(begin if first else core.start, inside.end + 1 if last else core.end)
        yield KeyUse(span, core, core.of(source), locator if len(spans) == 1 else None, sure=True)
