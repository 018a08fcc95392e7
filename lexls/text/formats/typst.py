"""Read and write Typst."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from lexls.text.blanking import Edits
from lexls.text.format import Fold, Format, KeyUse, NamedFile, find_closing, find_places_within
from lexls.text.lexicon import split_words
from lexls.text.lines import match_lines
from lexls.text.phrases import load_phrases
from lexls.text.spans import Span

_PARTING = split_words(load_phrases(__package__, "typst.toml")["parting"])
"""Functions whose content is separate from the words around it. Other functions only style words."""

# The characters with which marks begin, and line ends, after which some marks are possible.
_SIGNS = re.compile(r"[\n\\/`$#<\[\]*_~]")
_BREAK = re.compile(r"\n[ \t\r]*(?=\n)")
_LINE = re.compile(r"=+(?=[ \t])|[ \t]*[-+](?=[ \t])")
_STATEMENT = re.compile(r"#(?:set|show|import|include|let)\b")
_MARKS = re.compile(
    r"""
      (?P<escape>\\.)
    | (?P<comment>(?<!:)//[^\n]*|/\*)
    | (?P<raw>`+)
    | (?P<math>\$)
    | (?P<function>\#[A-Za-z][\w.-]*)
    | (?P<label><[A-Za-z][\w:.-]*>)
    | (?P<open>\[)
    | (?P<close>\])
    | (?P<star>\*)
    | (?P<under>_)
    | (?P<tilde>~)
    """,
    re.VERBOSE,
)


_BETWEEN = re.compile(r"[\[\]]|/(?=[/*])|(?<=\*)/")
_HEADING = re.compile(
    r"^[ \t]*(?P<marks>={1,6})[ \t]+(?P<title>[^\r\n]*?)(?:[ \t]*<[\w:.-]+>)?[ \t]*\r?$", re.MULTILINE
)
_NOTE_AGAIN = re.compile(r"#footnote\(\s*<(?P<label>[\w.:-]{1,80})>\s*\)")
_FOLDING = re.compile(
    r"\\.|\"(?:\\.|[^\"\\\n])*\"|//[^\n]*|(?P<raw>`{3,})|(?P<open_comment>/\*)|(?P<open>[\[({])|(?P<close>[\])}])"
)
_CLOSES = {"[": "]", "(": ")", "{": "}"}
_LONGEST_GROUP = 400
"""Maximum length of the brackets after a key, in code points."""
_KEY = re.compile(r"(?<![\w.@\\/])@(?P<key>\w(?:[:.\-]{0,2}\w){0,200})")
_CITE = re.compile(r"#cite\(\s{0,20}<(?P<key>[\w:.\-]{1,200})>")
_SUPPLEMENT = re.compile(
    r"supplement:\s{0,20}\[(?P<words>[^\[\]]{0,200}(?:\[[^\[\]]{0,60}\][^\[\]]{0,60}){0,3})\]"
)
_BIBLIOGRAPHY = re.compile(r"(?<![\w-])bibliography\(\s{0,99}(?P<names>\(?[^()]{1,1000})")
_STRING = re.compile(r'"([^"\\\n]{1,500}\.(?:bib|ya?ml))"', re.IGNORECASE)


def _line(source: str, start: int, edits: Edits) -> int:
    """Blank the mark of a heading or list item at the start of a line; return the offset of the
    line's text.
    """
    match = _LINE.match(source, start)
    if match is None:
        return start
    if match.group().endswith(("-", "+")):
        edits.item(start, match.end())
    else:
        edits.blank(start, match.end())
    return match.end()


def _emphasis(source: str, start: int, emphasis: dict[str, int], edits: Edits) -> None:
    """Pair ``_`` or ``*`` with an open mark of its kind in the paragraph. Within a word, the mark is
    literal.
    """
    mark = source[start]
    before = source[start - 1] if start else " "
    after = source[start + 1] if start + 1 < len(source) else " "
    if before.isalnum() and after.isalnum():
        return
    opening = emphasis.pop(mark, None)
    if opening is not None and not before.isspace():
        edits.blank(opening, opening + 1)
        edits.blank(start, start + 1)
    elif not after.isspace() and not before.isalnum():
        emphasis[mark] = start


def _arguments(source: str, position: int) -> int:
    """Return the end of the argument list in parentheses at ``position``, or ``position`` if there is
    none.
    """
    if source[position : position + 1] != "(":
        return position
    depth = 0
    for match in re.compile(r'"(?:\\.|[^"\\\n])*"|[()]').finditer(source, position, position + 4000):
        depth += (match.group() == "(") - (match.group() == ")")
        if not depth:
            return match.end()
    return position


def _statement(source: str, position: int) -> int:
    """Return the end of a ``#set`` or ``#let`` statement: the end of its line or, if brackets are open there,
    of the line where they close.
    """
    depth = 0
    for match in re.compile(r'"(?:\\.|[^"\\\n])*"|[()\[\]{}]|\n').finditer(
        source, position, position + 20000
    ):
        token = match.group()
        if token == "\n" and depth <= 0:
            return match.start()
        depth += (token in "([{") - (token in ")]}")
    return len(source) if len(source) < position + 20000 else source.find("\n", position)


def _find_end(source: str, match: re.Match[str]) -> int:
    """Return the end of the comment, raw text or mathematics that a mark opens. For any other mark, return
    the mark's own end.

    Returns -1 for unclosed raw text and mathematics, which are kept.
    """
    mark, end = match.group(), match.end()
    if match.lastgroup == "comment" and mark == "/*":
        close = source.find("*/", end)
        return len(source) if close < 0 else close + 2
    if match.lastgroup == "raw" and len(mark) != 2:  # two backticks are empty raw text
        close = source.find(mark, end)
        return -1 if close < 0 else close + len(mark)
    if match.lastgroup == "math":
        close = source.find("$", end, end + 5000)
        return -1 if close < 0 or "\n\n" in source[end:close] else close + 1
    return end


class _Typst(Format):
    def blank(self, source: str) -> str:
        """Return ``source`` with Typst's marks, code, mathematics and comments blanked, of the same length.

        The content of a function's brackets (``#emph[…]``, ``#footnote[…]``) stays.
        """
        edits = Edits(source)
        # For each open "[", how the marks of the function whose content it opened are blanked.
        brackets: list[Callable[[int, int], None] | None] = []
        emphasis: dict[str, int] = {}
        position = _line(source, 0, edits)
        for sign in _SIGNS.finditer(source):
            start = sign.start()
            if start < position:
                continue
            if source[start] == "\n":
                if _BREAK.match(source, start):
                    emphasis.clear()
                position = _line(source, start + 1, edits)
                continue
            match = _MARKS.match(source, start)
            if match is None:
                continue
            end = match.end()
            kind = match.lastgroup
            if kind == "star" or kind == "under":
                _emphasis(source, start, emphasis, edits)
            elif kind == "open":
                brackets.append(None)
            elif kind == "close":
                if brackets and (hide := brackets.pop()) is not None:
                    hide(start, end)
                    # "#link(…)[a][b]": further content follows at once.
                    if source[end : end + 1] == "[":
                        edits.blank(end, end + 1)
                        brackets.append(hide)
                        end += 1
            elif kind == "function" and _STATEMENT.fullmatch(match.group()):
                end = _statement(source, end)
                (edits.insert if match.group() == "#include" else edits.blank)(start, end)
            elif kind == "function":
                end = _arguments(source, end)
                hide = edits.blank
                if source[end : end + 1] == "[":
                    end += 1
                    hide = edits.blank if match.group() in _PARTING else edits.silence
                    brackets.append(hide)
                hide(start, end)
            elif kind == "escape":
                edits.put(start, " ")
            elif (whole := _find_end(source, match)) >= 0:
                end = whole
                (edits.silence if kind in ("comment", "label") else edits.blank)(start, end)
            position = end
        return edits.apply()

    def write_words(self, text: str) -> str:
        return _BETWEEN.sub(r"\\\g<0>", self.escape(text))

    def find_heading_candidates(self, source: str) -> Iterator[tuple[int, Span, Span]]:
        for match in match_lines(_HEADING, source):
            yield len(match["marks"]), Span(*match.span()), Span(*match.span("title"))

    def find_folds(self, source: str) -> Iterator[Fold]:
        open_: list[tuple[str, int]] = []
        position = 0
        while (match := _FOLDING.search(source, position)) is not None:
            position = match.end()
            if match["raw"]:
                close = source.find(match["raw"], position)
                position = close + len(match["raw"]) if close >= 0 else len(source)
                yield Fold(Span(match.start(), position), "block")
            elif match["open_comment"]:
                close = source.find("*/", position)
                position = close + 2 if close >= 0 else len(source)
                yield Fold(Span(match.start(), position), "comment")
            elif match["open"]:
                open_.append((match["open"], match.start()))
            elif match["close"] and open_ and _CLOSES[open_[-1][0]] == match["close"]:
                _, start = open_.pop()
                yield Fold(Span(start, match.end()), "block")

    def find_lone_notes(self, source: str) -> Iterator[tuple[Span, str]]:
        """Yield each ``#footnote(<label>)``, which refers to another footnote, if no footnote has
        that label.
        """
        for match in _NOTE_AGAIN.finditer(source):
            label = match["label"]
            again = re.findall(rf"#footnote\(\s*<{re.escape(label)}>", source)
            if source.count(f"<{label}>") == len(again):
                yield Span(*match.span()), f"there is no footnote labelled <{label}>"

    def find_block_quotations(
        self, source: str, read_paragraphs: Callable[[], Sequence[Span]]
    ) -> Iterator[int]:
        blocks = []
        for _, inner in self.find_commanded(source):
            line = source[source.rfind("\n", 0, inner.start) + 1 : inner.start]
            if "\n\n" in inner.of(source) or line.lstrip().startswith("#quote("):
                blocks.append(inner)
        return find_places_within(read_paragraphs, blocks)

    def find_keys(self, source: str, masked: str) -> tuple[KeyUse, ...]:
        return tuple(sorted(_keys(source, masked), key=lambda each: each.span))

    def is_label(self, source: str, key: str) -> bool:
        return f"<{key}>" in source or "#include" in source

    def find_bibliographies(self, source: str) -> Iterator[NamedFile]:
        for match in _BIBLIOGRAPHY.finditer(source):
            if not _is_commented(source, match.start()):
                for name in _STRING.finditer(source, match.start("names"), match.end("names")):
                    yield NamedFile(name[1], Span(*name.span(1)))


def _is_commented(source: str, offset: int) -> bool:
    return "//" in source[source.rfind("\n", 0, offset) + 1 : offset].replace("://", "")


def _keys(source: str, masked: str) -> Iterator[KeyUse]:
    """Yield the keys in ``@a[p. 3]`` and ``#cite(<a>, supplement: [p. 3])``."""
    for match in _KEY.finditer(source):
        core = Span(*match.span("key"))
        if masked[match.start()] != "@":
            continue
        end, locator = match.end(), None
        if source.startswith("[", end):
            closing = find_closing(source, end + 1, "[]", _LONGEST_GROUP)
            if closing >= 0:
                locator, end = Span(end + 1, closing), closing + 1
        yield KeyUse(Span(match.start(), end), core, core.of(source), locator, sure=False)
    for match in _CITE.finditer(source):
        closing = find_closing(source, match.end(), "()", _LONGEST_GROUP)
        if _is_commented(source, match.start()) or closing < 0:
            continue
        words = _SUPPLEMENT.search(source, match.end(), closing)
        core = Span(*match.span("key"))
        locator = Span(*words.span("words")) if words is not None else None
        yield KeyUse(Span(match.start(), closing + 1), core, core.of(source), locator, sure=True)


FORMAT = _Typst.load("typst")
