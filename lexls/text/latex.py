"""Masking LaTeX."""

from __future__ import annotations

import re

from lexls.text.blanking import Edits
from lexls.text.words import words

_BEGIN_DOCUMENT = re.compile(r"\\begin\s*\{document\}")
# What any of the marks begins with.
_SIGNS = re.compile(r"[\\%`'{}~$]")
_MARKS = re.compile(
    r"""
      (?P<escape>\\[&%$\#_{}])
    | (?P<sign>(?:\\[SP](?![A-Za-z])(?:\{\})?)+)
    | (?P<verb>\\(?:verb|lstinline)\*?(?P<bar>[^A-Za-z0-9\s*{])[^\n]*?(?P=bar))
    | (?P<environment>\\(?:begin|end)\s*\{(?P<name>[A-Za-z]+\*?)\})
    | (?P<math>\\\(|\\\[|\$\$?)
    | (?P<spacing>\\(?:[,;:!\ ]|\\(?:\[[^\]\n]*\])?))
    | (?P<accent>\\[`'"^~=.](?=[A-Za-z{]))
    | (?P<command>\\[A-Za-z@]+\*?)
    | (?P<comment>(?<!\\)%[^\n]*)
    | (?P<quotes>``|'')
    | (?P<brace>[{}~])
    """,
    re.VERBOSE,
)
# Environments whose content is no prose.
_OPAQUE = words(
    """
    verbatim lstlisting minted equation align gather multline displaymath math eqnarray tikzpicture
    comment filecontents thebibliography
    """
)
# Commands whose arguments are no prose: how many of them to blank ("-1": all that follow).
_ARGUMENTS = dict.fromkeys(
    words(
        """
    usepackage documentclass label ref pageref eqref autoref cref Cref nameref include input
    includegraphics bibliography bibliographystyle addbibresource url pagestyle thispagestyle setlength
    addtolength vspace hspace setcounter addtocounter newcommand renewcommand providecommand definecolor
    hypersetup cite citep citet citealp parencite textcite footcite autocite fullcite nocite index
    hyperref glsdesc gls foreignlanguage@ selectlanguage geometry DeclareUnicodeCharacter linespread
    fontsize
    """
    ),
    -1,
)
_ARGUMENTS |= {"href": 1, "textcolor": 1, "color": 1, "foreignlanguage": 1, "hypertarget": 1, "hyperlink": 1}
# Commands that print one character.
_PRINTED = {
    "textasciitilde": "~",
    "textasciicircum": "^",
    "textbackslash": "\\",
    "textsection": "§",
    "textparagraph": "¶",
    "textendash": "–",
    "textemdash": "—",
    "ldots": "…",
    "dots": "…",
    "ae": "æ",
    "oe": "œ",
    "ss": "ß",
    "o": "ø",
}
_OPTION = re.compile(r"\[[^\[\]\n]*\]")


def mask(source: str) -> str:
    """``source`` with LaTeX's commands, comments, mathematics and preamble blanked; same length.

    What stands in the braces of a command stays, unless it is no prose (``\\label{…}``). ``\\S``, ``\\P``,
    ``\\&`` and the like become the sign they print, ``~`` a space, two quotes one curly quote.
    """
    edits = Edits(source)
    begin = _BEGIN_DOCUMENT.search(source)
    position = begin.end() if begin else 0
    edits.blank(0, position)
    for sign in _SIGNS.finditer(source, position):
        start = sign.start()
        match = _MARKS.match(source, start) if start >= position else None
        if match is None:
            continue
        end = match.end()
        kind = match.lastgroup
        text = match.group()
        if kind == "escape":
            edits.put(start, " " if text[1] in "{}" else " " + text[1])
            if text[1] in "{}":
                edits.blank(start + 1, end)
        elif kind == "sign":
            signs = "".join("§" if char == "S" else "¶" for char in text if char in "SP")
            edits.put(start, signs + " " * (len(text) - len(signs)))
        elif kind == "brace":
            edits.put(start, " ")
        elif kind == "quotes":
            edits.put(start, " “" if text == "``" else "” ")
        elif kind == "environment" or kind == "name":
            end = _environment(source, match, edits)
        elif kind == "math":
            end = _math(source, start, text, edits)
        elif kind == "command":
            end = _command(source, start, end, edits)
        else:
            edits.blank(start, end)
        position = end
    return edits.apply()


def _environment(source: str, match: re.Match[str], edits: Edits) -> int:
    name = match["name"]
    end = match.end()
    if match.group().startswith("\\end"):
        if name == "document":
            end = len(source)
    elif name.rstrip("*") in _OPAQUE:
        close = source.find("\\end{" + name + "}", end)
        end = len(source) if close < 0 else close + len(name) + 6
    else:
        option = _OPTION.match(source, end)
        end = option.end() if option else end
    edits.blank(match.start(), end)
    return end


def _math(source: str, start: int, opening: str, edits: Edits) -> int:
    r"""Blanks mathematics; an opening without its closing in the paragraph (``$5``) stays as it is."""
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
        close = _closing(source, end)
        if close < 0:
            break
        end = close + 1
        arguments -= 1
        option = _OPTION.match(source, end)
        if arguments < 0 and option is not None and source[option.end() : option.end() + 1] == "{":
            end = option.end()
    edits.blank(start, end)
    return end


def _closing(source: str, opening: int) -> int:
    """Where the brace opened at ``opening`` closes, -1 if not within 2,000 code points."""
    depth = 0
    for match in re.compile(r"\\.|[{}]").finditer(source, opening, opening + 2000):
        if match.group() == "{":
            depth += 1
        elif match.group() == "}":
            depth -= 1
            if not depth:
                return match.start()
    return -1
