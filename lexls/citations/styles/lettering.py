"""Fill the templates of a style, and write names and labels with the style's abbreviations, full stops and
dashes.

Templates contain ``{token}``, ``<text omitted if a token in it is empty>`` and ``*italic*``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lexls.citations.case_names.shorten import set_versus
from lexls.citations.model import join_spaces
from lexls.citations.pinpoints import read_labels

_INITIAL_SPACES = re.compile(r"(?<=\b[A-Z]\.)\s(?=[A-Z]\.)")
_STOP = re.compile(r"(?<=[^\W\d_])\.(?=[A-Z]\b|[\s,;:&)\]'’\"”]|$)")
_UNSTOPPED = re.compile(r"(?<=[\s(])(Ltd|Inc|Co|Corp|Bros|No|Nos|Dr|Mr|Mrs|Ms|Jr)\b(?![.\w'’-])")
_NUMBERED = re.compile(r"\[(Nos?\.?\s\d[^\]]{0,10})\]")
_ORDINAL = re.compile(r"(?<=[A-Za-z.])\s?(\d{1,2}(?:d|st|nd|rd|th))(?=\s|$)")
_RANGE = re.compile(r"(\d{1,6})-(\d{1,6})")
_NOTE = re.compile(
    r"(?<![\s,])[\s,]*(?:(?P<also>&|\band\b)\s*)?\b(?P<sign>nn?|fn|notes?|footnotes?)\.?\s?"
    r"(?P<numbers>\d+(?:\s?(?:[-–,&]|and)\s?\d+)*)"
)
_THOUSANDS = re.compile(r"\d,\d{3}(?!\d)")
_FOLLOWING = re.compile(r"(?<!\s)\s*(?P<words>et\s+seqq?\b\.?|ff\b\.?)\Z")
_TO = re.compile(r"(?<!\d)(\d+)(\s?(?:[-–—]|to)\s?)(\d+)(?![\w.(-])")
_LAST = re.compile(r",?\s(?:and|&)\s(?=[^,;]{0,60}\Z)")


def write_case_name(name: str, versus: str, stops: bool, square: bool) -> str:
    """Return a case name with the style's "v", and with abbreviations with or without full stops as in the
    style.

    If ``square`` is false, the number of a decision is put in round brackets: "(No 2)" for "[No 2]".
    """
    name = join_spaces(name)
    name = name if square else _NUMBERED.sub(r"(\1)", name)
    name = _UNSTOPPED.sub(r"\1.", name) if stops else _STOP.sub("", _INITIAL_SPACES.sub("", name))
    return set_versus(name, versus)


def write_abbreviation(text: str, stops: bool, ordinal: str) -> str:
    """Write a citation or court ("F.3d", "6th Cir.") in the style; ``ordinal`` is "{}" or "({})"."""
    if stops:
        return text
    text = _ORDINAL.sub(lambda match: " " + ordinal.format(match[1]), text)
    text = re.sub(r"(?<=[A-Za-z)])\.(?=\s|[A-Za-z)]|$)", "", text)
    return join_spaces(re.sub(r"(?<=[A-Za-z])\.(?=[\d(])", " ", text))


def label_list(labels: Sequence[str], kind: str, dash: str, pages: str, brackets: bool, last: str) -> str:
    """Join a pinpoint's labels into one list. ``pages`` says how the last page of a range is shortened
    ("all", "two", "one").

    A section's label may contain a hyphen ("2-207"), so only numbers of equal length count as a range.
    """
    written = [_label(each, kind, dash, pages, brackets) for each in labels]
    if last and len(written) > 1:
        return ", ".join(written[:-1]) + last + written[-1]
    return ", ".join(written)


def is_many(labels: Sequence[str], kind: str, written: str = "") -> bool:
    """Return whether the labels name more than one place.

    If their ``written`` form is given, several subdivisions of one section count as one place ("6(1) and
    (3)").
    """
    if written and kind not in ("page", "paragraph"):
        labels = [each for each in read_labels(_FOLLOWING.sub("", written)) if not each.startswith("(")]
    return len(labels) > 1 or any(_ends(each, kind) is not None for each in labels)


def write_listed(written: str, kind: str, dash: str, pages: str, stops: bool, last: str) -> str:
    """Write a draft's list of places ("745 n. 1", "6(1) and (3)", "101 et seq.") with the signs of a style.

    Nothing in the list is omitted. ``last`` is the text before the last of several sections; "" keeps the
    draft's own.
    """
    if kind not in ("page", "paragraph"):
        text = _TO.sub(lambda match: _join_range(match, kind, dash), written)
        return _LAST.sub(last, text) if last else text
    if _THOUSANDS.search(written):
        return written.replace("-", dash)
    text, end = "", 0
    for note in (*_NOTE.finditer(written), None):
        places = written[end : note.start() if note is not None else len(written)].strip(" ,")
        following = _FOLLOWING.search(places)
        if following is not None:
            places = places[: following.start()]
        listed = label_list(read_labels(places), kind, dash, pages, False, "")
        text += f"{', ' if text and listed else ''}{listed}"
        text += f" {following['words']}" if following is not None else ""
        if note is not None:
            sign = "nn" if note["sign"].startswith("nn") else "n"
            numbers = _RANGE.sub(rf"\1{dash}\2", note["numbers"])
            text += f"{' & ' if note['also'] else ' '}{sign}{'.' if stops else ' '}{numbers}"
            end = note.end()
    return text.strip()


def _join_range(match: re.Match[str], kind: str, dash: str) -> str:
    ranged = _ends(f"{match[1]}-{match[3]}", kind) is not None
    return f"{match[1]}{dash}{match[3]}" if ranged else match.group()


def _ends(label: str, kind: str) -> tuple[str, str] | None:
    match = _RANGE.fullmatch(label)
    if match is None:
        return None
    first, second = match[1], match[2]
    if len(second) < len(first):
        second = first[: len(first) - len(second)] + second
    if int(second) <= int(first) or (kind not in ("page", "paragraph") and len(match[2]) != len(first)):
        return None  # "2-207" is one section
    return first, second


def _label(label: str, kind: str, dash: str, pages: str, brackets: bool) -> str:
    ends = _ends(label, kind)
    if ends is None:
        return f"[{label}]" if brackets else label
    first, second = ends
    if brackets:
        return f"[{first}]{dash}[{second}]"
    second = _shortened(first, second, pages) if kind == "page" else label.partition("-")[2]
    return f"{first}{dash}{second}"


def _shortened(first: str, second: str, pages: str) -> str:
    """Shorten the end of a range by the digits that it shares with the start.

    "all" keeps all digits, "two" at least two, and "one" as few as possible without splitting a number in the
    teens.
    """
    if pages == "all" or len(first) != len(second):
        return second
    shared = 0
    while shared < len(first) - 1 and first[shared] == second[shared]:
        shared += 1
    kept = len(second) - shared
    if pages == "two" or (len(second) > 1 and second[-2] == "1"):
        kept = max(2, kept)
    return second[-kept:] if kept < len(second) else second


_PART = re.compile(r"\{(?P<token>[a-z_]+)\}|(?P<mark>[<>*])|(?P<text>[^{}<>*]+)")


class TemplateError(ValueError):
    """An invalid template; the message shows where the error is."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text in a filled template: the text, whether it is italic, and the token that it comes from
    ("" if none).
    """

    text: str
    italic: bool
    token: str = ""


@dataclass(frozen=True, slots=True)
class _Part:
    kind: str
    text: str


@lru_cache(maxsize=512)
def parse(template: str) -> tuple[_Part, ...]:
    """Return the parts of a template; raise TemplateError if brackets do not match."""
    parts: list[_Part] = []
    position = depth = stars = 0
    while position < len(template):
        match = _PART.match(template, position)
        if match is None:
            raise TemplateError(f"{template!r} goes wrong at {template[position:]!r}")
        if match["token"]:
            parts.append(_Part("token", match["token"]))
        elif match["mark"]:
            depth += {"<": 1, ">": -1}.get(match["mark"], 0)
            stars += match["mark"] == "*"
            if depth not in (0, 1):
                raise TemplateError(
                    f"{template!r}: an optional part in another, or one that was never opened"
                )
            parts.append(_Part(match["mark"], ""))
        else:
            parts.append(_Part("text", match["text"]))
        position = match.end()
    if depth or stars % 2:
        raise TemplateError(f"{template!r}: something is not closed")
    return tuple(parts)


def list_tokens(parts: Sequence[_Part]) -> set[str]:
    """Return the names of a template's tokens."""
    return {part.text for part in parts if part.kind == "token"}


def list_missing(parts: Sequence[_Part], values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the tokens outside optional parts of a template that have no value."""
    found = []
    optional = False
    for part in parts:
        if part.kind in "<>":
            optional = part.kind == "<"
        elif part.kind == "token" and not optional and not values.get(part.text):
            found.append(part.text)
    return tuple(found)


def fill(parts: Sequence[_Part], values: Mapping[str, str]) -> Iterator[Piece]:
    """Yield the runs of a template with its values filled in. Tokens without a value give empty text."""
    italic = False
    index = 0
    while index < len(parts):
        part = parts[index]
        if part.kind == "<":
            end = next(at for at in range(index, len(parts)) if parts[at].kind == ">")
            if any(not values.get(name) for name in list_tokens(parts[index:end])):
                index = end
        elif part.kind == "*":
            italic = not italic
        elif part.kind == "token":
            yield Piece(values.get(part.text, ""), italic, part.text)
        elif part.kind == "text":
            yield Piece(part.text, italic)
        index += 1
