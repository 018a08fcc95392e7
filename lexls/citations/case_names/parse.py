"""Find the name of a case before its citation."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence

from lexls.citations.case_names.alone import find_words_before
from lexls.citations.case_names.words import (
    ABBREVIATIONS,
    BEGINNINGS,
    WORDS,
    is_abbreviated,
    is_capitalised,
    is_coined,
    walk_back,
)
from lexls.citations.scan import PARAGRAPH_BREAK, VERSUS
from lexls.citations.tables import load_patterns
from lexls.text.spans import Span

_PATTERNS = load_patterns("case_names/patterns.toml")
_WINDOW = 320
_MOST_TAILS = 8
"""Maximum number of elements allowed between a name and its citation: *supra*, a circuit, a number, a report
without a page.
"""
_CONNECTORS = WORDS["connectors"]
_IN_FRENCH = WORDS["in_french"]
_PRONOUNS = WORDS["pronouns"]
_ORDINALS = WORDS["ordinals"]
_PLACES = WORDS["places"]
_SUFFIXES = WORDS["suffixes"]
_SPACED_SUFFIX = re.compile(r"(?:[A-Z]\.\s{1,2}){1,3}[A-Z]\.")
_INTRODUCING = WORDS["introducing"]
_BRACKET = re.compile(r"[()]")
_CLOSED = re.compile(r"[^()]{1,60}\)[\s,;]{1,3}(?:and\s{1,3}|&\s{1,3})?")
_CAPITALS = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZÉÖÜÁÄ")
# Punctuation after a word that ends any name.
_STOPS = (
    *(";", ":", "?", "!", "—", "–", ".”", '."', ".’", ").", ".”)", '.")'),
    *("?”", '?"', "!”", '!"', "’”", "'\""),
)
_JOINING = frozenset({"of", "and", "for"})
IN_MATTER = _PATTERNS["in_matter"]


def find_name_before(text: str, start: int, floor: int = 0) -> Span | None:
    """Return the case name that ends immediately before a citation at ``start``, or None.

    Text before ``floor``, the end of the previous citation, is ignored.
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
    """Return the start of the name that ends at ``end``. With a "v", this is the start of its first party."""
    return _first_party(window, versus.start()) if versus is not None else _other_name(window, end)


def _before_ex_parte(window: str, begin: int) -> int:
    """Return the start of the case before "; Ex parte …", in which the application is made: "Re Kane; Ex
    parte Moss".
    """
    end = len(window[:begin].rstrip()) - 1
    if not window.startswith(";", max(0, end)):
        return begin
    other = _begin(window, end, _last_versus(window, end))
    return other if other is not None else begin


def _last_paragraph(text: str, low: int, end: int) -> tuple[int, str]:
    """Return the offset of the last paragraph that begins between ``low`` and ``end``, and its text up to
    ``end``.
    """
    window = text[low:end]
    found = list(PARAGRAPH_BREAK.finditer(window)) if "\n" in window else ()
    begin = found[-1].end() if found else 0
    return low + begin, window[begin:]


def find_first_party(text: str, versus: int) -> int | None:
    """Return the start of the first party's name before a "v" at ``versus``, or None."""
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
    """Return ``end`` moved back over whitespace and the given characters."""
    while end and (window[end - 1].isspace() or window[end - 1] in signs):
        end -= 1
    return end


def _last_versus(window: str, end: int) -> re.Match[str] | None:
    """Return the last "v" before ``end`` that is followed only by a party's name."""
    for versus, french in ((VERSUS, False), (_PATTERNS["french_versus"], True)):
        if french and " c" not in window:
            break
        found = deque(versus.finditer(window, 0, end), maxlen=1)
        if found and _is_party(window[found[0].end() : end], french):
            return found[0]
    return None


def _is_party(piece: str, french: bool = False, matter: bool = False) -> bool:
    """Return whether the text between "v" and a citation can be a party's name.

    A French name may contain any lower-case word ("Conseil québécois sur le tabac"). If
    ``matter`` is true, a few more lower-case words are allowed, as in "In re …" titles.
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
        if token[0].isupper() or token.lstrip("(\"'“‘[").startswith(_CAPITALS) or is_coined(token):
            capital = True
        elif token[0].isdigit():
            if token.endswith((".", ";")) and len(token) > 2 and position + 1 < len(tokens):
                return False  # a page that ends a sentence
            continue
        elif depth <= 0 and not token.endswith(")") and not _is_small_word_of_name(bare, french, matter):
            return False
        if _ends_name(tokens, position, depth):
            return False
    return capital


def _is_small_word_of_name(bare: str, french: bool, matter: bool) -> bool:
    """Return whether a lower-case word may occur in a party's name. A token that is only punctuation, reduced
    to "", also may.
    """
    return (
        not bare
        or bare in _CONNECTORS
        or bare in _SUFFIXES
        or (matter and bare in WORDS["in_matters"])
        or (french and _PATTERNS["french"].fullmatch(bare) is not None)
    )


def _ends_name(tokens: Sequence[str], position: int, depth: int) -> bool:
    """Return whether the word at ``position``, if not the last, has a punctuation mark that ends a name."""
    token = tokens[position]
    if position + 1 == len(tokens):
        return False
    if token.endswith((";", ":", "?", "!")) and depth <= 0:
        return True
    return token.endswith(".") and not (is_abbreviated(token) or _is_shortened(tokens, position))


def _is_shortened(tokens: Sequence[str], position: int) -> bool:
    """Return whether a word with a full stop is an unlisted abbreviation in a company's name, as in "Pitts.
    Rys. Co.".
    """
    behind = [token.strip("(),.").casefold() for token in tokens[position + 1 :]]
    return (
        is_capitalised(tokens[position])
        and len(tokens[position]) < 11
        and (is_capitalised(tokens[position + 1]) or behind[0] in ("&", "and", "of"))
        and behind[0] not in _INTRODUCING - {"of", "and"}
        and any(word in _SUFFIXES or word in ABBREVIATIONS or word in BEGINNINGS for word in behind)
    )


def _first_party(window: str, end: int) -> int | None:
    """Return the start of the first party's name, walking back from ``end``."""
    begin = _FirstParty(window, end).find()
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


class _FirstParty:
    """Reads the name of a first party backwards, word by word.

    Each rule returns True if the name may continue before the current word, False if the name ends there, and
    None to leave the decision to the next rule. ``begin`` is the start of the name read so far.
    """

    def __init__(self, window: str, end: int) -> None:
        self.window = window
        self.end = end
        self.tokens = window[:end].split()
        self.unopened = _find_unopened(window, end)
        self.rules = _PARTY_RULES if "(" in window or ")" in window else _RULES_WITHOUT_BRACKETS
        self.begin: int | None = None
        self.others: int | None = None
        self.depth = 0
        # The current word.
        self.index = 0
        self.token = self.bare = ""
        self.start = self.stop = end
        self.upper = False

    def find(self) -> int | None:
        """Return the start of the name, or None if there is none."""
        for index, token, start in walk_back(self.window[: self.end]):
            self.index, self.token = index, token
            self.start, self.stop = start, start + len(token)
            self.bare = token.strip("()[],.;:\"'“”‘’*").casefold()
            self.upper = is_capitalised(token)
            for rule in self.rules:
                goes_on = rule(self)
                if goes_on is not None:
                    break
            if not goes_on:
                break
        return self.begin if self.begin is not None else self.others

    def _count_brackets(self) -> bool | None:
        """Stop at a closing bracket without an opening one, as in "… no appeal lies vide ), Kane v"."""
        lone = sum(self.start <= each < self.stop for each in self.unopened)
        if lone and self.begin is not None:
            return False
        self.depth += self.token.count(")") - lone - self.token.count("(")
        return None

    def _pass_others(self) -> bool | None:
        """Skip "and Others" and continue with the party before it: "Pell Rlys. and Others v"."""
        others = _PATTERNS["others_alone"]
        if self.begin is not None and others.fullmatch(self.window, self.stop, self.end):
            self.begin, self.others = None, self.begin
        return None

    def _stop_at_sign(self) -> bool | None:
        """Stop at a semicolon, a dash or a closing quotation mark."""
        return False if self.begin is not None and self.token.endswith(_STOPS) else None

    def _stop_at_number(self) -> bool | None:
        """Stop at an "and" after a number: "under Rule 1921 and Carrow v"."""
        if self.begin is None or self.bare != "and" or not self.index:
            return None
        return False if self.tokens[self.index - 1].strip(".,").isdigit() else None

    def _begin_behind_dash(self) -> bool | None:
        """Begin the name after a dash: "the finding.—United States v"."""
        dash = self.token.rfind("—") + 1
        if not dash or not self.token[dash:][:1].isupper():
            return None
        self.begin = self.start + dash
        return False

    def _stop_at_point(self) -> bool | None:
        """Stop at the end of a sentence."""
        if self.begin is None or self.depth > 0 or not self.token.endswith("."):
            return None
        return False if not is_abbreviated(self.token) or _ends_sentence(self.tokens, self.index) else None

    def _stop_at_comma(self) -> bool | None:
        """Stop at a comma, unless a company suffix follows, it is in a list, or the name ends with
        "Branch".
        """
        if self.begin is None or self.depth > 0 or not self.token.endswith((",", "),")):
            return None
        behind = self.window[self.stop : self.end].strip()
        piece = behind.split(",")[0].rstrip()
        rest = ["".join(piece.split())] if _SPACED_SUFFIX.fullmatch(piece) else piece.split()
        following = rest[0].strip("().,;").casefold().replace(".", "") if rest else ""
        goes_on = following in _SUFFIXES or behind.endswith("Branch")
        marked = self.window.endswith("  ", 0, self.start)  # the mark of italics
        goes_on = goes_on or _listed(self.tokens, self.index, self.window[self.stop : self.end], marked)
        return None if goes_on else False

    def _begin_in_bracket(self) -> bool | None:
        """Begin the name after an opening bracket that is not closed within the name: "(Kane v Moss"."""
        if self.depth >= 0:
            return None
        word = self.token[self.token.rindex("(") + 1 :]
        if word and word[0].isupper() and word.casefold() not in _INTRODUCING:
            self.begin = self.stop - len(word)
        return False

    def _pass_bracket_at_end(self) -> bool | None:
        """Include brackets at the end of the name: "Bell Ltd (in liq) v"."""
        return True if self.begin is None and self.token.startswith("(") and self.depth == 0 else None

    def _pass_bracket(self) -> bool | None:
        """Continue past a bracket within the name, as in "R (on the application of Kane)"."""
        opened = self.token.startswith("(") and self.depth == 0 and self.index > 0
        inside = self.begin is not None and self.begin > self.start
        return True if opened and inside and _names(self.tokens[self.index - 1]) else None

    def _pass_introducing(self) -> bool | None:
        """Accept a capitalised introducing word ("The", "First") only in places where names have one;
        otherwise stop.
        """
        if self.begin is None or self.depth > 0 or self.bare not in _INTRODUCING or not self.upper:
            return None
        before = self.tokens[self.index - 1] if self.index else ""
        if self.bare in _PRONOUNS and before and is_capitalised(before):
            return True  # "Make It 16 Inc"
        if self.bare in _ORDINALS and self.token[-1] != "," and not self.window.startswith("  ", self.stop):
            self.begin = self._unquoted("\"'“‘[(")
            return True  # "First Nat'l Bank"
        if self.bare in _JOINING and before and _names(before):
            return True  # "Union Of India", "Kane And Others"
        if self.start and _PATTERNS["others_alone"].fullmatch(self.window, self.start - 1, self.end):
            return True  # "State of K.P. And Ors"
        if self.bare == "the" or self._is_in_matter(self.begin):
            self.begin = self._unquoted("\"'“‘[")
        return False

    def _is_in_matter(self, begin: int) -> bool:
        """Return whether the word begins a matter's name: "In re Kane"."""
        right_before = self.bare == "in" and not self.window[self.stop : begin].strip()
        return right_before and IN_MATTER.match(self.window, self.start) is not None

    def _take_word(self) -> bool | None:
        """Accept a capitalised word, a number, "&", or any word in brackets."""
        if not (self.depth > 0 or self.upper or self.bare == "&" or self.token[0].isdigit()):
            return None
        if self.upper:
            self.begin = self._unquoted("\"'“‘[(" if self.depth <= 0 else "\"'“‘[")
        elif self.begin is not None and _PATTERNS["numbered_company"].fullmatch(self.token):
            self.begin = self.start
        return True

    def _take_small_word(self) -> bool | None:
        """Accept a lower-case word that occurs in names, including French ones: "Mouvement laïque
        québécois".
        """
        bare = self.bare
        if bare in _IN_FRENCH or (bare.isalpha() and not bare.isascii()):
            return True
        if bare == "et" and self.window[self.stop :].lstrip().startswith(("al", "ux", "vir")):
            return True
        return bare not in _PLACES and (bare in _CONNECTORS or bare in _SUFFIXES)

    def _unquoted(self, marks: str) -> int:
        """Return the offset at which the word begins, not counting any of these marks before it."""
        return self.stop - len(self.token.lstrip(marks))


_PARTY_RULES: Sequence[Callable[[_FirstParty], bool | None]] = (
    _FirstParty._count_brackets,
    _FirstParty._pass_others,
    _FirstParty._stop_at_sign,
    _FirstParty._stop_at_number,
    _FirstParty._begin_behind_dash,
    _FirstParty._stop_at_point,
    _FirstParty._stop_at_comma,
    _FirstParty._begin_in_bracket,
    _FirstParty._pass_bracket_at_end,
    _FirstParty._pass_bracket,
    _FirstParty._pass_introducing,
    _FirstParty._take_word,
    _FirstParty._take_small_word,
)
_OF_BRACKETS = (
    *(_FirstParty._count_brackets, _FirstParty._begin_in_bracket),
    *(_FirstParty._pass_bracket_at_end, _FirstParty._pass_bracket),
)
_RULES_WITHOUT_BRACKETS = tuple(rule for rule in _PARTY_RULES if rule not in _OF_BRACKETS)


def _find_unopened(window: str, end: int) -> list[int]:
    """Return the offsets of closing brackets before ``end`` without an opening bracket."""
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


def _listed(tokens: Sequence[str], index: int, behind: str, marked: bool) -> bool:
    """Return whether the comma after a word is part of a list in a party's name: "Mining, Forestry and Energy
    Union".

    The comma is not part of a list if the word follows "in" or the like, unless the word is ``marked`` as the
    beginning of an italic name.
    """
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
    return marked or (before not in _PLACES and before not in ("the", "for", "from", "of", "under", "since"))


def _names(token: str) -> bool:
    """Return whether a word is capitalised and has no punctuation after it, so that a name can continue."""
    return is_capitalised(token) and token[-1] not in ".,;:"


def _ends_sentence(tokens: Sequence[str], index: int) -> bool:
    """Return whether an abbreviation's full stop also ends a sentence, as after a lower-case word of more
    than one letter.
    """
    token = tokens[index]
    if token == "rel.":  # "State ex rel. Kane"
        return False
    return index > 0 and len(token.strip("().,")) > 1 and not token[0].isupper()


def _other_name(window: str, end: int) -> int | None:
    """Return the start of a name such as "In re X", "Ex parte X" or "Re X" that extends to ``end``,
    or None.
    """
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
