"""Find the name of a case before its citation."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence

from lexls.citations.case_names.alone import find_words_before
from lexls.citations.case_names.words import ABBREVIATIONS, BEGINNINGS, WORDS, is_abbreviated, is_capitalised
from lexls.citations.scan import PARAGRAPH_BREAK, VERSUS
from lexls.citations.tables import load_patterns
from lexls.text.spans import Span

_PATTERNS = load_patterns("case_names/patterns.toml")
_WINDOW = 320
_MOST_TAILS = 8
"""No more stands between a name and its citation: *supra*, a circuit, a number, a report without a page."""
_CONNECTORS = WORDS["connectors"]
_IN_FRENCH = WORDS["in_french"]
_PRONOUNS = WORDS["pronouns"]
_ORDINALS = WORDS["ordinals"]
_PLACES = WORDS["places"]
_SUFFIXES = WORDS["suffixes"]
_INTRODUCING = WORDS["introducing"]
_BRACKET = re.compile(r"[()]")
_CLOSED = re.compile(r"[^()]{1,60}\)[\s,;]{1,3}(?:and\s{1,3}|&\s{1,3})?")
_JOINING = frozenset({"of", "and", "for"})
IN_MATTER = _PATTERNS["in_matter"]


def find_name_before(text: str, start: int, floor: int = 0) -> Span | None:
    """The case name that ends right before a citation beginning at ``start``, or None.

    Nothing before ``floor`` (the end of the citation before) is looked at.
    """
    low, window = _last_paragraph(text, max(floor, start - _WINDOW), start)
    if window.rstrip(" \t\r\n,([")[-5:].casefold().endswith(("case", "cases")):
        cased = _PATTERNS["case"].search(window)
        if cased is not None:
            versus = _last_versus(window, cased.start())
            begin = _first_party(window, versus.start()) if versus is not None else None
            if begin is not None:
                return Span(low + begin, low + cased.start())
            words_span = find_words_before(window, cased.start())
            return words_span.shift(low) if words_span is not None else None
    end = _end_of_name(window)
    if end is None:
        return None
    versus = _last_versus(window, end)
    begin = _begin(window, end, versus)
    if begin is None:
        return None
    if window.startswith("Ex parte", begin):
        begin = _before_ex_parte(window, begin)
    if versus is not None and _PATTERNS["surname_first"].match(window, versus.start()):
        surname = _PATTERNS["surname"].search(window, 0, begin)
        begin = surname.start() if surname is not None else begin
    return Span(low + begin, low + end)


def _begin(window: str, end: int, versus: re.Match[str] | None) -> int | None:
    """Where the name that ends at ``end`` begins: before its "v", or with the words of one without."""
    return _first_party(window, versus.start()) if versus is not None else _other_name(window, end)


def _before_ex_parte(window: str, begin: int) -> int:
    """Where the case begins in which the application is made: "Re Kane; Ex parte Moss"."""
    end = len(window[:begin].rstrip()) - 1
    if not window.startswith(";", max(0, end)):
        return begin
    other = _begin(window, end, _last_versus(window, end))
    return other if other is not None else begin


def _last_paragraph(text: str, low: int, end: int) -> tuple[int, str]:
    """What of ``text`` between two places stands behind the last paragraph break, and where that begins."""
    window = text[low:end]
    found = list(PARAGRAPH_BREAK.finditer(window)) if "\n" in window else ()
    begin = found[-1].end() if found else 0
    return low + begin, window[begin:]


def find_first_party(text: str, versus: int) -> int | None:
    """Where the first party's name begins before a "v" at ``versus``, None if no name stands there."""
    low, window = _last_paragraph(text, max(0, versus - _WINDOW // 2), versus)
    begin = _first_party(window, len(window))
    return low + begin if begin is not None else None


def _end_of_name(window: str) -> int | None:
    gap = _rstrip(window, len(window), ",:([;-–—")
    low = max(0, gap - 40)
    near = "rep" in window[low:gap].casefold()
    reported = _PATTERNS["reported"].search(window, low, gap) if near else None
    if reported:
        gap = _rstrip(window, reported.start(), ",:([")
    if not gap:
        return None
    for _ in range(_MOST_TAILS):
        tail = _PATTERNS["behind_name"].search(window, max(0, gap - 70), gap)
        if tail is None:
            break
        gap = _rstrip(window, tail.start(), ",:(")
    # A full stop ends a name only in an abbreviation.
    if window[gap - 1] in "\"'”’":
        gap -= 1
    return gap or None


def _rstrip(window: str, end: int, signs: str) -> int:
    """The end without the white space and signs before it."""
    while end and (window[end - 1].isspace() or window[end - 1] in signs):
        end -= 1
    return end


def _last_versus(window: str, end: int) -> re.Match[str] | None:
    """The last "v" before ``end`` behind which only a party's name stands."""
    for versus, french in ((VERSUS, False), (_PATTERNS["french_versus"], True)):
        if french and " c" not in window:
            break
        found = deque(versus.finditer(window, 0, end), maxlen=1)
        if found and _is_party(window[found[0].end() : end], french):
            return found[0]
    return None


def _is_party(piece: str, french: bool = False, matter: bool = False) -> bool:
    """Whether a piece of text between "v" and a citation can be a party's name.

    A French one may have any words in lower case ("Conseil québécois sur le tabac"), a ``matter`` some more.
    """
    tokens = piece.split()
    if not tokens or len(tokens) > 24:
        return False
    depth = 0
    capital = False
    for position, token in enumerate(tokens):
        depth += token.count("(") - token.count(")")
        bare = token.strip("()[],.;:&\"'“”‘’").casefold()
        if token.startswith("(") and bare in WORDS["asides"]:
            return False  # "… v. Dunne, 12 F.2d 3 (quoting Pell"
        if token[0].isupper() or token.lstrip("(\"'“‘[").startswith(tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZÉÖÜÁÄ")):
            capital = True
        elif token[0].isdigit():
            if token.endswith((".", ";")) and len(token) > 2 and position + 1 < len(tokens):
                return False  # a page that ends a sentence
            continue
        elif (
            bare
            and bare not in _CONNECTORS
            and bare not in _SUFFIXES
            and depth <= 0
            and not token.endswith(")")
            and not (matter and bare in WORDS["in_matters"])
            and not (french and _PATTERNS["french"].fullmatch(bare))
        ):
            return False
        last = position + 1 == len(tokens)
        if token.endswith((";", ":", "?", "!")) and not last and depth <= 0:
            return False
        if token.endswith(".") and not (last or is_abbreviated(token) or _is_shortened(tokens, position)):
            return False
    return capital


def _is_shortened(tokens: Sequence[str], position: int) -> bool:
    """Whether a word with a point that no list has is in a company's name: "Pitts. Rys. Co."."""
    behind = [token.strip("(),.").casefold() for token in tokens[position + 1 :]]
    return (
        is_capitalised(tokens[position])
        and len(tokens[position]) < 11
        and (is_capitalised(tokens[position + 1]) or behind[0] in ("&", "and", "of"))
        and behind[0] not in _INTRODUCING - {"of", "and"}
        and any(word in _SUFFIXES or word in ABBREVIATIONS or word in BEGINNINGS for word in behind)
    )


def _first_party(window: str, end: int) -> int | None:
    """Where the first party's name begins, walking back from ``end``."""
    tokens = window[:end].split()
    begin: int | None = None
    others: int | None = None
    depth = 0
    unopened = _find_unopened(window, end)
    start = end
    for index in range(len(tokens) - 1, -1, -1):
        token = tokens[index]
        start = window.rindex(token, 0, start)
        stop = start + len(token)
        lone = sum(start <= each < stop for each in unopened)
        if lone and begin is not None:
            break  # "… no appeal lies vide ), Kane v"
        depth += token.count(")") - lone - token.count("(")
        bare = token.strip("()[],.;:\"'“”‘’*").casefold()
        if begin is not None and _PATTERNS["others_alone"].fullmatch(window, stop, end):
            begin, others = None, begin  # the party is still to come: "Pell Rlys. and Others v"
        if begin is not None and token.endswith(
            (";", ":", "?", "!", "—", "–", ".”", '."', ".’", ").", ".”)", '.")')
        ):
            break
        if begin is not None and bare == "and" and index and tokens[index - 1].strip(".,").isdigit():
            break  # "under Rule 1921 and Carrow v"
        dash = token.rfind("—") + 1
        if dash and token[dash:][:1].isupper():  # "the finding.—United States v"
            begin = start + dash
            break
        if (
            begin is not None
            and depth <= 0
            and token.endswith(".")
            and (not is_abbreviated(token) or _ends_sentence(tokens, index))
        ):
            break
        if begin is not None and token.endswith((",", "),")) and depth <= 0:
            rest = window[stop:end].strip().split(",")[0].split()
            following = rest[0].strip("().,;").casefold().replace(".", "") if rest else ""
            if (
                following not in _SUFFIXES
                and not window[stop:end].rstrip().endswith("Branch")
                and not _listed(tokens, index, window[stop:end])
            ):
                break
        if depth < 0:
            # An opening bracket that does not close before the name: the name stands in it.
            inner = start + token.rindex("(") + 1
            if (
                inner < stop
                and window[inner].isupper()
                and token[token.rindex("(") + 1 :].casefold() not in _INTRODUCING
            ):
                begin = inner
            break
        starts_upper = is_capitalised(token)
        if begin is None and token.startswith("(") and depth == 0:
            continue  # what stands in brackets belongs to the name before: "Bell Ltd (in liq) v"
        opened = token.startswith("(") and depth == 0 and index > 0
        if opened and begin is not None and begin > start and _names(tokens[index - 1]):
            continue  # "R (on the application of Kane)"
        if depth > 0 or starts_upper or bare in ("&",) or token[0].isdigit():
            if depth <= 0 and bare in _INTRODUCING and begin is not None and starts_upper:
                if bare in _PRONOUNS and index and is_capitalised(tokens[index - 1]):
                    continue  # "Make It 16 Inc"
                if bare in _ORDINALS and token[-1] != "," and not window.startswith("  ", start + len(token)):
                    begin = start + len(token) - len(token.lstrip("\"'“‘[("))
                    continue  # "First Nat'l Bank"
                if bare in _JOINING and index and _names(tokens[index - 1]):
                    continue  # "Union Of India", "Kane And Others"
                if start and _PATTERNS["others_alone"].fullmatch(window, start - 1, end):
                    continue  # "State of K.P. And Ors"
                if bare == "the" or (
                    bare == "in" and window[stop:begin].strip() == "" and IN_MATTER.match(window, start)
                ):
                    begin = start + len(token) - len(token.lstrip("\"'“‘["))
                break
            if starts_upper:
                begin = start + len(token) - len(token.lstrip("\"'“‘[(" if depth <= 0 else "\"'“‘["))
            elif begin is not None and _PATTERNS["numbered_company"].fullmatch(token):
                begin = start
            continue
        # "Mouvement laïque québécois": a French name may go on in lower case.
        french = bare in _IN_FRENCH or (bare.isalpha() and not bare.isascii())
        french = french or (bare == "et" and window[stop:].lstrip().startswith(("al", "ux", "vir")))
        if not french and (bare in _PLACES or not (bare in _CONNECTORS or bare in _SUFFIXES)):
            break
    begin = begin if begin is not None else others
    if begin is None:
        return None
    closed = _CLOSED.match(window, begin, end)
    if closed is not None and window[closed.end() : closed.end() + 1].isupper():
        begin = closed.end()
    number = _PATTERNS["number_first"].search(window, max(0, begin - 16), begin)
    if number is not None:
        return number.start(number.lastgroup or 0)
    motion = _PATTERNS["own_motion"].search(window, max(0, begin - 40), end)
    return motion.start() if motion is not None else begin


def _find_unopened(window: str, end: int) -> list[int]:
    """Where brackets close before ``end`` that none opens."""
    found: list[int] = []
    opened = 0
    for bracket in _BRACKET.finditer(window, 0, end):
        if bracket[0] == "(":
            opened += 1
        elif opened:
            opened -= 1
        else:
            found.append(bracket.start())
    return found


def _listed(tokens: Sequence[str], index: int, behind: str) -> bool:
    """Whether a word with a comma is in a list in a party's name: "Mining, Forestry and Energy Union"."""
    token = tokens[index]
    if index and tokens[index - 1].casefold() in WORDS["numbered"]:
        return True  # "Fire Fighters Union, Local 838, IAFF"
    if (
        not is_capitalised(token)
        or token.strip("(),").casefold() in _INTRODUCING
        or _PATTERNS["list"].match(behind) is None
    ):
        return False
    before = tokens[index - 1].casefold() if index else ""
    return before not in _PLACES and before not in ("the", "for", "from", "of", "under", "since")


def _names(token: str) -> bool:
    """Whether a name can go on behind a word."""
    return is_capitalised(token) and token[-1] not in ".,;:"


def _ends_sentence(tokens: Sequence[str], index: int) -> bool:
    """Whether an abbreviation's point also ends a sentence: in a lower-case word of more than a letter."""
    token = tokens[index]
    if token == "rel.":  # "State ex rel. Kane"
        return False
    return index > 0 and len(token.strip("().,")) > 1 and not token[0].isupper()


def _other_name(window: str, end: int) -> int | None:
    """Where "In re X", "Ex parte X", "Re X" begins, if only a name stands behind it."""
    twice = _PATTERNS["twice"].search(window, max(0, end - 90), end)
    if twice is not None:
        return twice.start()
    behind = _PATTERNS["re_behind"].search(window, max(0, end - 9), end)
    if behind is not None:
        name = find_words_before(window, behind.start())
        return name.start if name is not None else None
    for pattern in (_PATTERNS["family"], _PATTERNS["ship"]):
        named = pattern.search(window, max(0, end - 90), end)
        if named is not None:
            return named.start()
    found = _PATTERNS["prefix"].finditer(window, 0, end)
    return next((match.start() for match in found if _is_party(window[match.end() : end], matter=True)), None)
