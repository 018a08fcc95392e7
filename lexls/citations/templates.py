"""Convert templates of citation forms ("[{year}] {volume?} {report} {page}") to regular expressions."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from lexls.text.dates import MONTH_START
from lexls.text.lexicon import split_words
from lexls.text.phrases import fill_pattern, load_phrases

# The pattern of each token without its own names. ``{section}`` and the like become the pinpoint.
TOKENS: Mapping[str, str] = {
    name: fill_pattern(pattern, {"month": MONTH_START})
    for name, pattern in load_phrases("lexls.citations", "templates.toml")["tokens"].items()
}
# Tokens that do not begin with letters.
_DIGITS = split_words(
    "year volume page number title largepage serial application nominative unnumbered agencies lacase"
)
_OPENING_DIGITS = split_words(
    "year volume number title celex application serial unnumbered agencies lacase msdocket"
)
PINPOINT_TOKENS = ("spacedrule", "ruleno", "dotted", "section", "article", "rule", "provision")

# A full stop at the end belongs to the sentence, unless the citation continues.
_POINT = r"(?:\.(?=[)\],;]))?"
_PART = re.compile(
    r"\{(?P<name>[a-z]+)(?P<optional>\?)?\}|(?P<group>[<>])|(?P<space>\s+)|(?P<word>[A-Za-z]+)|(?P<sign>.)"
)
_ORDINAL = re.compile(r"\d{1,2}(?:d|th|st|nd|rd)")
_ATOM = re.compile(r"[A-Z][a-zß-ÿ]+|[A-ZÀ-Þ]|[a-zß-ÿ]+|\d+[a-z]*|[^\w\s]|\s+")
# The same without full stops and spaces, which are optional.
_RUN = re.compile(r"[A-Z][a-z]+|[A-Z]|[a-z]+|[^\s.]")


class FormTemplateError(ValueError):
    """An invalid template; the message gives the reason."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a template: a token, a literal word or sign, a space, or a bracket around an optional
    group.
    """

    kind: str
    text: str
    optional: bool = False


@cache
def parse(template: str) -> tuple[Part, ...]:
    """Return the parts of a template.

    ``{name}`` is a token, ``{name?}`` an optional token, and ``<…>`` an optional group. A space matches any
    whitespace; next to a punctuation mark, it also matches none. Anything else is literal.
    """
    parts: list[Part] = []
    depth = 0
    for match in _PART.finditer(template):
        if match["name"]:
            parts.append(Part("token", match["name"], bool(match["optional"])))
        elif match["group"]:
            depth += 1 if match["group"] == "<" else -1
            if depth not in (0, 1):
                raise FormTemplateError(f"optional groups < > do not nest and must close in {template!r}")
            parts.append(Part("group", match["group"]))
        elif match["space"]:
            parts.append(Part("space", " "))
        elif match["word"]:
            parts.append(Part("word", match["word"]))
        else:
            parts.append(Part("sign", match["sign"]))
    if depth:
        raise FormTemplateError(f"an optional group < is not closed in {template!r}")
    if not parts:
        raise FormTemplateError("the template is empty")
    names = [part.text for part in parts if part.kind == "token"]
    for name in names:
        if names.count(name) > 1:
            raise FormTemplateError(f"token {{{name}}} stands twice in {template!r}")
    return tuple(parts)


def make_flexible(name: str) -> str:
    """Return a pattern of a reporter's or court's name with optional full stops and spaces ("U.S." = "U. S."
    = "US").
    """
    atoms = [atom for atom in _ATOM.findall(name) if not atom.isspace() and atom != "."]
    pieces = []
    for position, atom in enumerate(atoms):
        if atom in ("'", "’"):
            pieces.append("['’‘ʻ]?")
        elif atom == "&":
            pieces.append("(?:&|and)")
        elif _ORDINAL.fullmatch(atom):
            pieces.append(rf"(?:{atom}|\({atom}\))")  # Canada writes "F (3d)"
        else:
            pieces.append(re.escape(atom))
        if position + 1 < len(atoms):
            pieces.append(r"\.?\s{0,9}" if atom[-1].isalnum() else r"\s{0,9}")
    return "".join(pieces) + (r"\.?" if name[-1:].isalpha() or name.endswith(".") else "")


def list_first_words(name: str) -> list[str]:
    """Return every first word, as a run of letters, with which ``name`` can be written ("U.S." → "U",
    "US").
    """
    found: list[str] = []
    run = ""
    for atom in _RUN.findall(name):
        if not atom.isalpha():
            break
        run += atom
        found.append(run)
    return found


def check(parts: tuple[Part, ...], names: Container[str]) -> None:
    """Raise ``FormTemplateError`` if a template has an unknown token or starts with something that cannot
    start a citation.
    """
    for part in parts:
        if part.kind == "token" and part.text not in names and part.text not in TOKENS:
            raise _unknown(part.text)
    find_opening(parts)


def _unknown(name: str) -> FormTemplateError:
    return FormTemplateError(
        f"token {{{name}}} is unknown: give its names in a field `{name}`, or use one of {', '.join(TOKENS)}"
    )


def make_pattern(parts: tuple[Part, ...], names: Mapping[str, Sequence[str]]) -> str:
    """Return the regular expression of a template; ``names`` maps tokens to the variants of their names."""
    final = len(parts)
    while final and parts[final - 1].kind == "group":
        final -= 1
    pieces: list[str] = []
    for position, part in enumerate(parts):
        last = position + 1 == final
        pieces.append(_PIECES[part.kind](parts, position, names, last))
        if last:
            pieces.append(_tail(part, names))
    return "".join(pieces)


Names = Mapping[str, Sequence[str]]


def _token_piece(parts: tuple[Part, ...], position: int, names: Names, last: bool) -> str:
    part = parts[position]
    body = _token(part.text, names, last)
    if part.text == "year" and position and parts[position - 1].text in "[(":
        body = f"(?P<year>{TOKENS['year']}(?:[-–/]\\d{{1,4}})?)"
    return f"(?:{body})?" if part.optional else body


def _group_piece(parts: tuple[Part, ...], position: int, names: Names, last: bool) -> str:
    if parts[position].text == ">":
        return ")?"
    closed = ">" in [other.text for other in parts[position:-1]]
    return ("" if closed or not position else _tail(parts[position - 1], names)) + "(?:"


def _space_piece(parts: tuple[Part, ...], position: int, names: Names, last: bool) -> str:
    return _space(parts, position)


def _word_piece(parts: tuple[Part, ...], position: int, names: Names, last: bool) -> str:
    word = parts[position].text
    body = make_flexible(word) if word.isupper() else word + r"\.?"
    return body.removesuffix(r"\.?") + _POINT if last and body.endswith(r"\.?") else body


def _sign_piece(parts: tuple[Part, ...], position: int, names: Names, last: bool) -> str:
    sign = parts[position].text
    if sign == "." and position and parts[position - 1].kind == "word":
        return ""
    return _SIGNS.get(sign, re.escape(sign))


_PIECES: Mapping[str, Callable[[tuple[Part, ...], int, Names, bool], str]] = {
    "token": _token_piece,
    "group": _group_piece,
    "space": _space_piece,
    "word": _word_piece,
    "sign": _sign_piece,
}
_SIGNS = {
    **{sign: re.escape(sign) + r"\s{0,3}" for sign in "[("},
    **{sign: r"\s{0,3}" + re.escape(sign) for sign in "])"},
    "§": r"(?:§{1,2}|[Ss]ec(?:tion|s)?\b\.?)",
    "-": "[-‐‑–]",
}


def _tail(part: Part, names: Container[str]) -> str:
    """Return a negative lookahead for text that may not follow the last part of a citation."""
    if part.kind == "word":
        return r"(?!\w)"
    if part.kind != "token":
        return ""
    if part.text in names:
        return r"(?![A-Za-z\d])"
    # Indian texts run reports together: "AIR 1955 SC 8071955 Indlaw SC 135".
    # "12 ICC 17.02.110" is a section of a code.
    return r"(?!\.\d{1,3}\.\d)(?:(?!\d|[OoIl]\d|(?:d|nd|rd|th)\b)|(?=(?:1[89]|20)\d\d\s?Indlaw))"


def _token(name: str, names: Mapping[str, Sequence[str]], last: bool = False) -> str:
    variants = names.get(name)
    if variants is not None:
        ordered = sorted(set(variants), key=len, reverse=True)
        # A full stop at the end belongs to the sentence, unless the name is written with one.
        bodies = (
            make_flexible(variant).removesuffix(r"\.?") + _POINT
            if last and not variant.endswith(".")
            else ("" if len(variant) > 2 else r"(?<![^\W_])") + make_flexible(variant)
            for variant in ordered
        )
        return f"(?P<{name}>{'|'.join(bodies)})"
    if name in TOKENS:
        return f"(?P<{name}>{TOKENS[name]})"
    raise _unknown(name)


def _space(parts: tuple[Part, ...], position: int) -> str:
    """Return a pattern of the whitespace between two parts: optional between a digit and a letter or sign,
    required between digits or words.
    """
    before = parts[position - 1] if position else None
    after = parts[position + 1] if position + 1 < len(parts) else None
    if before and after and before.text in _DIGITS and after.text in _DIGITS and not before.optional:
        return r"\s{1,40}"
    if before and after and before.kind == "word" and after.kind == "word":
        return r"\s{1,40}"
    # A reprint's star page may be between volume and reporter: "135 *355 Mass. 147".
    if before and before.text == "volume" and after and after.text == "report":
        return r"(?:\s{0,40}\*{1,2}\d{1,5}(?=\s))?\s{0,40}"
    # Old opinions have a comma: "88 Iowa, 257".
    if before and before.text == "report" and after and after.text == "page":
        return r",?\s{0,40}"
    return r"\s{0,40}"


def render(parts: tuple[Part, ...], values: Mapping[str, str]) -> str:
    """Fill in a template's tokens; omit optional tokens and groups without values."""
    pieces: list[str] = []
    group: list[str] | None = None
    missing = False
    for part in parts:
        if part.kind == "group":
            if part.text == "<":
                group, missing = [], False
            else:
                pieces.extend([] if missing else group or [])
                group = None
            continue
        target = pieces if group is None else group
        if part.kind == "token":
            value = values.get(part.text, "")
            missing = missing or not value
            target.append(value)
        else:
            target.append(part.text)
    return " ".join("".join(pieces).split())


def find_opening(parts: tuple[Part, ...]) -> str:
    """Return what a template begins with: "bracket", "digit" or "word"."""
    first = next(part for part in parts if part.kind not in ("group", "space"))
    if first.kind == "sign" and first.text in "[(":
        return "bracket"
    if first.kind == "token" and first.text in _OPENING_DIGITS:
        return "digit"
    if first.kind == "sign":
        raise FormTemplateError(f"a template cannot begin with {first.text!r}")
    return "word"


def find_leading(parts: tuple[Part, ...], names: Container[str]) -> tuple[str, str]:
    """Return the token that supplies the first letters of every match, and "". If a literal word supplies
    them, return "" and the word.

    Returns two empty strings if a match may begin with any letters.
    """
    for part in parts:
        if part.kind == "word":
            return "", part.text
        if part.kind == "token" and part.text not in _DIGITS:
            return (part.text, "") if part.text in names else ("", "")
    return "", ""


def find_letters(parts: tuple[Part, ...], names: Container[str]) -> str:
    """Return the letters with which all matches of these parts begin. They end at the first digit, which is
    written "0".
    """
    found = ""
    for part in parts:
        digits = part.kind == "token" and part.text in _DIGITS - {"page"} and part.text not in names
        if part.text in "0123456789" or (digits and not part.optional):
            return f"{found}0"
        if part.kind in ("group", "token") or part.text == "§":
            return found
        found += part.text
    return found


def by_first_words(variants: Sequence[str]) -> dict[str, list[str]]:
    """Map each first word with which one of the names can be written to the names that begin with it."""
    found: dict[str, list[str]] = {}
    for variant in variants:
        for word in list_first_words(variant):
            found.setdefault(word, []).append(variant)
    return found
