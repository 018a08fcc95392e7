"""Read and write LaTeX, including accents written as commands."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from lexls.text.blanking import FILLER, Edits
from lexls.text.format import Fold, Format, KeyUse, NamedFile, find_closing, find_places_within
from lexls.text.lexicon import split_words
from lexls.text.phrases import load_phrases
from lexls.text.spans import Span

_COMBINING = dict(
    zip(
        "`'^~\"=.cdHkruv",
        "\u0300\u0301\u0302\u0303\u0308\u0304\u0307\u0327\u0323\u030b\u0328\u030a\u0306\u030c",
        strict=True,
    )
)
ACCENTS = "".join(_COMBINING)
"""TeX's accent commands, each a single character."""


def compose(accent: str, letter: str, length: int) -> str:
    """Return the letter with the accent, padded with fillers to ``length``.

    If Unicode has no such letter, the letter is returned without the accent.
    """
    composed = unicodedata.normalize("NFC", letter + _COMBINING[accent])
    return (composed if len(composed) == 1 else letter).ljust(length, FILLER)


_BEGIN_DOCUMENT = re.compile(r"\\begin\s*\{document\}")
# The characters with which marks begin.
_SIGNS = re.compile(r"[\\%`'{}~$]")
_MARKS = re.compile(
    rf"""
      (?P<escape>\\[&%$\#_{{}}])
    | (?P<sign>(?:\\[SP](?![A-Za-z])(?:\{{\}})?)+)
    | (?P<nothing>\\[-/]|\{{\}})
    | (?P<verb>\\(?:verb|lstinline)\*?(?P<bar>[^A-Za-z0-9\s*{{])[^\n]*?(?P=bar))
    | (?P<environment>\\(?:begin|end)\s*\{{(?P<name>[A-Za-z]+\*?)\}})
    | (?P<math>\\\(|\\\[|\$\$?)
    | (?P<spacing>\\(?:[,;:!\ ]|\\(?:\[[^\]\n]*\])?))
    | (?P<accent>\\(?P<over>[{ACCENTS}])(?:(?<![a-zA-Z])[ \t]*|[ \t]+|(?=[{{\\]))
        (?:\{{\\?(?P<braced>[A-Za-z])\}}|(?P<letter>[A-Za-z])
          |\\(?P<dotless>[ij])(?![A-Za-z])(?:[ \t]+|\{{\}})?))
    | (?P<over_words>\\[`'"^~=.](?=[A-Za-z{{]))
    | (?P<command>\\[A-Za-z@]+\*?)
    | (?P<comment>(?<!\\)%[^\n]*)
    | (?P<quotes>``|'')
    | (?P<brace>[{{}}])
    | (?P<tie>~)
    """,
    re.VERBOSE,
)
_TABLES = load_phrases(__package__, "latex.toml")
_OPAQUE = split_words(_TABLES["opaque"])
# How many arguments of a command to blank ("-1": all that follow).
_ARGUMENTS = dict.fromkeys(split_words(_TABLES["hidden"]), -1) | dict.fromkeys(
    split_words(_TABLES["first_hidden"]), 1
)
_PRINTED: Mapping[str, str] = _TABLES["printed"]
_PARTING = split_words(_TABLES["parting"])
"""Commands that separate the words around them by printing something: text, a space or a note."""
_INSERTING = split_words(_TABLES["inserting"])
"""Commands that insert another file."""
_BLANKS = re.compile(r"[ \t]*")
_OPTION = re.compile(r"\[[^\[\]\n]*\]")
_LONGEST_ARGUMENT = 2000

_HEADING = re.compile(
    r"\\(?P<command>part|chapter|section|subsection|subsubsection|paragraph|subparagraph)\*?"
    r"[ \t]*(?:\[[^\]\r\n]*\])?[ \t]*\{"
)
_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
_PARAGRAPH_END = re.compile(r"\n(?=[\r\n]|\Z)|\Z")
_NOTE_PART = re.compile(r"\\footnote(?P<kind>mark|text)(?![A-Za-z])(?:\[(?P<number>\d{1,5})\])?")
_COMMENTED = re.compile(r"(?<!\\)%")
_LISTED = re.compile(r"[^\s,](?:[^,]*[^\s,])?")
"""Pattern of an item in a comma-separated list, without the whitespace around it."""
_QUOTE_BLOCK = re.compile(r"\\(begin|end)\s{0,3}\{(quote|quotation|displayquote|quoting|blockquote)\}")
_PREAMBLE = re.compile(r"\\documentclass\b.*?(?=\\begin\s*\{document\})", re.DOTALL)
_ENVIRONMENT = re.compile(r"(?<!\\)(?P<comment>%[^\n]*)|\\(?P<what>begin|end)\s*\{(?P<name>[A-Za-z]+\*?)\}")
_VERBATIM = frozenset({"verbatim", "lstlisting", "minted", "comment", "filecontents"})
_LONGEST_GROUP = 400
"""Maximum length of the options or keys of a citation command, in code points."""
_CITE = re.compile(
    r"\\(?:[cC]ite(?:p|t|alp|alt|author|title|year)?|[pP]arencite|[tT]extcite|[fF]ootcite(?:text)?|"
    r"[aA]utocite|[sS]martcite|[fF]ullcite|footfullcite|supercite)(?:s(?=[\[({]))?\*?(?=[\[({])"
)
_BIBLIOGRAPHY = re.compile(
    r"\\(?:addbibresource|addglobalbib|addsectionbib|(?P<plain>bibliography))\s{0,9}(?:\[[^\[\]\n]{0,200}\]\s{0,9})?"
    r"\{(?P<names>[^{}]{1,1000})\}"
)


def _environment(source: str, match: re.Match[str], edits: Edits) -> int:
    name, end = match["name"], match.end()
    if match.group().startswith("\\end"):
        end = len(source) if name == "document" else end
    elif name.rstrip("*") in _OPAQUE:
        close = source.find("\\end{" + name + "}", end)
        end = len(source) if close < 0 else close + len(name) + 6
    else:
        option = _OPTION.match(source, end)
        end = option.end() if option else end
    edits.blank(match.start(), end)
    return end


def _math(source: str, start: int, opening: str, edits: Edits) -> int:
    r"""Blank mathematics and return its end. An opening mark without a closing one in its paragraph (``$5``)
    is kept.
    """
    closing = {"\\(": "\\)", "\\[": "\\]"}.get(opening, opening)
    begin = start + len(opening)
    limit = source.find("\n\n", begin, begin + 5000)
    close = source.find(closing, begin, limit if limit >= 0 else begin + 5000)
    if close < 0:
        return begin
    end = close + len(closing)
    edits.blank(start, end)
    return end


def _command(source: str, start: int, end: int, edits: Edits) -> int:
    name = source[start + 1 : end].rstrip("*")
    if name in _PRINTED:
        end += 2 if source.startswith("{}", end) else 0
        edits.put(start, _PRINTED[name] + " " * (end - start - 1))
        return end
    arguments = _ARGUMENTS.get(name, 0)
    option = _OPTION.match(source, end)
    # An option belongs to a command only if an argument follows or the command takes none.
    while option is not None and (arguments or source[option.end() : option.end() + 1] in ("{", "[")):
        end = option.end()
        option = _OPTION.match(source, end)
    if name == "item":
        edits.item(start, end)
        return end
    while arguments and source[end : end + 1] == "{":
        close = find_closing(source, end + 1, "{}", _LONGEST_ARGUMENT)
        if close < 0:
            break
        end = close + 1
        arguments -= 1
        option = _OPTION.match(source, end)
        if arguments < 0 and option is not None and source[option.end() : option.end() + 1] == "{":
            end = option.end()
    if name in _INSERTING:
        edits.insert(start, end)
    elif name in _PARTING:
        edits.blank(start, end)
    else:  # spaces after a name belong to it
        gap = _BLANKS.match(source, end) if source[end - 1].isalpha() else None
        edits.silence(start, gap.end() if gap is not None else end)
    return end


class _Latex(Format):
    def blank(self, source: str) -> str:
        r"""Return ``source`` with LaTeX's commands, comments, mathematics and preamble blanked, of the same
        length.

        Text in the braces of a command stays, unless it is not prose (``\label{…}``). ``\S``, ``\P``, ``\&``
        and the like become the sign that they print, ``~`` becomes a space, and two quotes become one curly
        quote.
        """
        edits = Edits(source)
        begin = _BEGIN_DOCUMENT.search(source)
        position = begin.end() if begin else 0
        edits.blank(0, position)
        groups: list[bool] = []  # for each open brace, whether it and its partner print nothing
        parted = -1  # the end of a command that separates words
        for sign in _SIGNS.finditer(source, position):
            start = sign.start()
            match = _MARKS.match(source, start) if start >= position else None
            if match is None:
                continue
            end = match.end()
            kind = match.lastgroup
            text = match.group()
            if kind == "escape":
                edits.put(start, "  " if text[1] in "{}" else " " + text[1])
            elif kind == "sign":
                signs = "".join("§" if char == "S" else "¶" for char in text if char in "SP")
                edits.put(start, signs + " " * (len(text) - len(signs)))
            elif kind == "nothing":
                edits.put(start, FILLER * 2)
            elif kind == "quotes":
                edits.put(start, " “" if text == "``" else "” ")
            elif kind == "environment" or kind == "name":
                end = _environment(source, match, edits)
            elif kind == "math":
                end = _math(source, start, text, edits)
            elif kind == "command":
                end = _command(source, start, end, edits)
                parted = end if text[1:].rstrip("*") in _PARTING else -1
            elif match["over"]:
                letter = match["braced"] or match["dotless"] or match["letter"]
                edits.put(start, compose(match["over"], letter, end - start))
            elif text == "{" or text == "}":
                silent = start != parted if text == "{" else not groups or groups.pop()
                groups += [silent] if text == "{" else []
                (edits.silence if silent else edits.blank)(start, end)
            elif kind == "over_words":
                edits.silence(start, end)
            else:
                edits.blank(start, end)
            position = end
        return edits.apply()

    def find_heading_candidates(self, source: str) -> Iterator[tuple[int, Span, Span]]:
        for match in _HEADING.finditer(source):
            limit = _PARAGRAPH_END.search(source, match.end())
            longest = (limit.start() if limit else len(source)) - match.end()
            end = find_closing(source, match.end(), "{}", longest)
            if end >= 0:
                level = _LEVELS.index(match["command"]) + 1
                yield level, Span(match.start(), end + 1), Span(match.end(), end)

    def find_body_end(self, source: str) -> int:
        end = source.rfind("\\end{document}")
        return end if end >= 0 else len(source)

    def find_folds(self, source: str) -> Iterator[Fold]:
        for note in self.find_notes(source):
            yield Fold(Span(source.rfind("\n", 0, note.content.start) + 1, note.content.end), "block")
        preamble = _PREAMBLE.search(source, 0, min(len(source), 100_000))
        position = 0
        if preamble is not None:
            yield Fold(Span(*preamble.span()), "block")
            position = preamble.end()
        open_: list[tuple[str, int]] = []
        waiting: Counter[str] = Counter()
        start = 0
        while (match := _ENVIRONMENT.search(source, position)) is not None:
            position = match.end()
            name = match["name"]
            if name is None or name == "document":
                continue
            if match["what"] == "begin":
                open_.append((name, match.start()))
                waiting[name] += 1
                if name.rstrip("*") in _VERBATIM:
                    close = source.find(f"\\end{{{name}}}", position)
                    position = close if close >= 0 else len(source)
            elif waiting[name]:
                begun = ""
                while begun != name:
                    begun, start = open_.pop()
                    waiting[begun] -= 1
                yield Fold(Span(start, match.end()), "block")

    def find_lone_notes(self, source: str) -> Iterator[tuple[Span, str]]:
        r"""Yield each ``\footnotemark`` and ``\footnotetext`` without its counterpart. They are matched by
        order or number.
        """
        found = [each for each in _NOTE_PART.finditer(source) if not _is_commented(source, each.start())]
        numbers = dict.fromkeys(each["number"] for each in found)
        if None in numbers and len(numbers) > 1:
            return  # \\footnotetext[3] may belong to the third \\footnotemark
        for number in numbers:
            marks = [each for each in found if each["number"] == number and each["kind"] == "mark"]
            texts = [each for each in found if each["number"] == number and each["kind"] == "text"]
            if number is None:
                lone = marks[len(texts) :] or texts[len(marks) :]
            else:
                lone = [] if marks and texts else marks or texts
            for each in lone:
                there = "text" if each["kind"] == "mark" else "mark"
                yield Span(*each.span()), f"{each.group()} has no \\footnote{there}"

    def find_block_quotations(
        self, source: str, read_paragraphs: Callable[[], Sequence[Span]]
    ) -> Iterator[int]:
        return find_places_within(read_paragraphs, list(_quote_blocks(source)))

    def find_keys(self, source: str, masked: str) -> tuple[KeyUse, ...]:
        return tuple(_keys(source)) if "cite" in source else ()

    def find_bibliographies(self, source: str) -> Iterator[NamedFile]:
        if "\\addbib" not in source and "\\bibliography" not in source and "\\addglobal" not in source:
            return
        for match in _BIBLIOGRAPHY.finditer(source):
            if _is_commented(source, match.start()):
                continue
            for name in _LISTED.finditer(source, *match.span("names")):
                suffix = ".bib" if match["plain"] and not name.group().endswith(".bib") else ""
                yield NamedFile(name.group() + suffix, Span(*name.span()))


def _is_commented(source: str, offset: int) -> bool:
    return _COMMENTED.search(source, source.rfind("\n", 0, offset) + 1, offset) is not None


def _quote_blocks(source: str) -> Iterator[Span]:
    opened = -1
    for match in _QUOTE_BLOCK.finditer(source):
        if match[1] == "begin" and opened < 0:
            opened = match.end()
        elif match[1] == "end" and opened >= 0:
            yield Span(opened, match.start())
            opened = -1


def _keys(source: str) -> Iterator[KeyUse]:
    r"""Yield the keys in ``\cite[14]{a}`` and similar commands."""
    position = 0
    line_end = comment = -1
    for match in _CITE.finditer(source):
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
            braced = source[opening : opening + 1] == "{"
            closing = find_closing(source, opening + 1, "{}", _LONGEST_GROUP) if braced else -1
            if closing < 0:
                break
            option = options[-1] if options else None
            yield from _keys_of_group(source, begin, Span(opening + 1, closing), option)
            position = begin = at = closing + 1
            if not several:
                break


def _options(source: str, at: int) -> tuple[list[Span], int]:
    """Return the options in brackets from ``at`` on, skipping those in parentheses, and their end."""
    found = []
    while source[at : at + 1] in ("[", "("):
        closing = find_closing(source, at + 1, "[]" if source[at] == "[" else "()", _LONGEST_GROUP)
        if closing < 0:
            break
        if source[at] == "[":
            found.append(Span(at + 1, closing))
        at = closing + 1
    return found, at


def _keys_of_group(source: str, begin: int, inside: Span, option: Span | None) -> Iterator[KeyUse]:
    """Yield the keys in one pair of braces. A locator applies only if there is a single key."""
    listed = [Span(*match.span()) for match in _LISTED.finditer(source, inside.start, inside.end)]
    spans = [each for each in listed if not set("{}\\#%").intersection(each.of(source))]
    locator = option if option is not None and len(option) else None
    for number, core in enumerate(spans):
        first, last = number == 0, number == len(spans) - 1
        span = Span(begin if first else core.start, inside.end + 1 if last else core.end)
        yield KeyUse(span, core, core.of(source), locator if len(spans) == 1 else None, sure=True)


FORMAT = _Latex.load("latex")
