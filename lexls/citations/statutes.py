"""Find Acts by their titles, well-known Acts by their names, and references such as "the said Act"."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set

from lexls.citations import templates
from lexls.citations.case_names.words import walk_back
from lexls.citations.jurisdiction import find_jurisdiction_of_state, load_jurisdictions
from lexls.citations.model import CitationForm, CitationKind, Mention, Pinpoint, fold, join_spaces
from lexls.citations.registry import Act
from lexls.citations.scan import Scan
from lexls.citations.tables import load_patterns
from lexls.text.lexicon import SMALL_WORDS, split_words
from lexls.text.phrases import load_phrases
from lexls.text.spans import Span

_WORDS = {
    name: split_words(listed)
    for name, listed in load_phrases("lexls.citations", "statutes.toml")["words"].items()
}
_PATTERNS = load_patterns("statutes.toml")
_DELEGATED = frozenset({"Regulations", "Regulation", "Order", "Rules", "Rule"})
_MARKS = "()[],.;:\"'“”‘’*"


class ActNames:
    """The well-known Acts, found by any of their names, and the words used in titles in all jurisdictions.

    ``nouns`` end a title. ``generic`` words alone before a noun do not make a title. ``places`` may precede
    an Act as its owner. ``state`` is the pattern of a state or country in brackets after an Act;
    ``countries`` are those of its words that do not tell the state.
    """

    def __init__(self, acts: Sequence[Act]) -> None:
        statutes = [place.statutes for place in load_jurisdictions().values()]
        self.nouns = _WORDS["nouns"].union(_WORDS["agreements"], *(each.nouns for each in statutes))
        self.generic = _WORDS["generic"].union(*(each.adjectives for each in statutes))
        self.places = frozenset().union(*(each.places for each in statutes))
        self.countries = frozenset(filter(None, (each.country for each in statutes)))
        written = self.countries.union(*(each.states for each in statutes))
        states = "|".join(map(re.escape, sorted(written, reverse=True)))
        self.state = re.compile(rf"\s{{0,9}}\((?P<state>{states})\)")
        self._acts: dict[str, list[tuple[Act, bool]]] = {}  # folded name → Acts, and if it is in ``own``
        self._words: dict[str, list[str]] = {}
        self._regexes: dict[str, re.Pattern[str]] = {}
        for act in acts:
            own = (*act.own, *act.abbreviations, *act.provisions)
            for name in (*act.names, act.key, *own):
                self._acts.setdefault(fold(name), []).append((act, name in own))
                if name in act.names or name in own:
                    for word in templates.list_first_words(name):
                        self._words.setdefault(word, []).append(name)

    def find(self, scan: Scan, jurisdiction: str) -> list[tuple[Span, Act]]:
        """Return the places in a text where well-known Acts of the draft's jurisdiction are named. If
        ``jurisdiction`` is "", all Acts count.
        """
        found = []
        text = scan.text
        for start, word in scan.capitals(self._words.keys()):
            match = self._regex(word).match(text, start)
            act = self._meant(fold(match.group()), jurisdiction) if match is not None else None
            if match is None or act is None:
                continue
            end = match.end()
            # The last full stop of "Cr.P.C.", "Gen. Stat." belongs to the abbreviation.
            if text.startswith(".", end) and (
                _PATTERNS["initials"].search(match.group())
                or f"{join_spaces(match.group())}." in self._words[word]
            ):
                end += 1
            found.append((Span(start, end), act))
        return found

    def _regex(self, word: str) -> re.Pattern[str]:
        """Return the pattern of the names that can begin with this word."""
        if word not in self._regexes:
            names = sorted(set(self._words[word]), key=len, reverse=True)
            flexible = (templates.make_flexible(name).removesuffix(r"\.?") for name in names)
            joined = "|".join(flexible).replace(r"\-", "[-‐‑–—]")
            self._regexes[word] = re.compile(rf"(?:{joined})(?!\w|\s{{1,9}}Bench)")
        return self._regexes[word]

    def _meant(self, name: str, jurisdiction: str) -> Act | None:
        """Return the Act that a name means in a draft, preferring Acts of the draft's jurisdiction; None if
        unknown.
        """
        acts = self._acts.get(name, ())
        own = [act for act, _ in acts if act.jurisdiction == jurisdiction]
        known = [act for act, is_own in acts if not is_own and (not jurisdiction or act.kind == "treaty")]
        return next(iter([*own, *known]), None)


def find_acts(scan: Scan, names: ActNames, jurisdiction: str) -> list[Mention]:
    """Return every mention of an Act by its title or as "the (said) Act", in order, without its sections."""
    text = scan.text
    found = [
        *(_known(text, span, act, jurisdiction, names) for span, act in names.find(scan, jurisdiction)),
        *(_act(text, start, word, names) for start, word in scan.capitals(names.nouns)),
    ]
    mentions = [mention for mention in found if mention is not None]
    kept: list[Mention] = []
    for mention in sorted(mentions, key=lambda mention: (mention.start, -mention.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
            continue
        longer = mention.end - mention.start > kept[-1].end - kept[-1].start
        # "Constitution" names the Act in its own country; elsewhere "the Constitution" refers back.
        if (mention.form == "full", longer) > (kept[-1].form == "full", not longer):
            kept[-1] = mention
    return kept


def _known(text: str, span: Span, act: Act, jurisdiction: str, names: ActNames) -> Mention | None:
    """Return the mention of a well-known Act, or None if the year, the state or the draft suggests another
    Act.
    """
    end, year, state = _year(text, span.end, names.state)
    name = join_spaces(span.of(text))
    if act.kind == "constitution" and _PATTERNS["longer"].match(text, end):  # "the Constitution Bench"
        return None
    if name in act.abbreviations and _PATTERNS["part_of"].match(text, end):  # "Title VII of the … Act"
        return None
    key = _key_of_year(act, name, year, state, jurisdiction)
    if not key:
        return None
    core = Span(span.start, end)
    mention = Mention(core.start, end, core, act.kind, "full", act.jurisdiction, key, name, year)
    place = next((place for each, place in act.provisions.items() if fold(each) == fold(name)), None)
    if place is not None:
        within = _PATTERNS["within"].match(text, end)
        mention.end = within.end() if within is not None else end
        label = place + (within.group() if within is not None else "")
        mention.pinpoint, mention.name = Pinpoint("section", (label,), Span(core.start, mention.end)), ""
    foreign = name.replace(".", "").isupper() and act.jurisdiction != jurisdiction
    mention.acronym = foreign or name in act.abbreviations
    return mention


def _key_of_year(act: Act, name: str, year: int | None, state: str, jurisdiction: str) -> str:
    """Return the key of an Act named with a year and a state, or "" if the name is probably another Act's."""
    key, found = act.key, _PATTERNS["key_year"].search(act.key)
    if state and key.endswith(")") and not key.endswith(f"({state})"):  # another state's Act of this name
        return ""
    if find_jurisdiction_of_state(state) not in ("", act.jurisdiction):  # or another country's
        return ""
    other = year is not None and not _is_of(key, year)
    foreign = act.kind == "statute" and act.jurisdiction not in (jurisdiction, "")
    if foreign and (state or other or (year is None and len(name.split()) == 2)):  # many Acts have such names
        return ""
    if not other or not (act.kind == "statute" or found is not None):
        return key
    if key[0].isdigit():  # a title of a code is not an Act of another year
        return ""
    title, written = _list_words(_PATTERNS["key_year"].sub("", key)), _list_words(name)
    if title & written and not title <= written:  # "Evidence Act 1995" is not the Indian Evidence Act 1872
        return ""
    return _PATTERNS["key_year"].sub(f" {year}", key) if found is not None else f"{key} {year}"


def _list_words(title: str) -> frozenset[str]:
    """Return the words of a title, case-folded, without small ones and a country in brackets."""
    return frozenset(
        word for word in split_words(title.casefold().replace("-", " ")) - SMALL_WORDS if word[0] != "("
    )


def _is_of(key: str, year: int) -> bool:
    """Return whether an Act's key has this year, with or without a state after it."""
    found = _PATTERNS["key_year"].search(key)
    return found is not None and int(found[1]) == year


def _year(text: str, end: int, states: re.Pattern[str]) -> tuple[int, int | None, str]:
    """Return the end of the year and state after a title, the year (None if missing), and the state ("" if
    missing).
    """
    match = _PATTERNS["year"].match(text, end)
    if match is None:
        revised = _PATTERNS["revised"].match(text, end)
        if revised is not None:
            return revised.end(), None, ""
        state = states.match(text, end)
        return (state.end(), None, state["state"]) if state else (end, None, "")
    numbered = _PATTERNS["numbered"].match(text, match.end()) or _PATTERNS["revised"].match(text, match.end())
    end = numbered.end() if numbered is not None else match.end()
    state = states.match(text, end)
    if state is None:
        return end, int(match["year"]), ""
    chapter = _PATTERNS["chapter"].match(text, state.end()) or _PATTERNS["regnal"].match(text, state.end())
    return (chapter or state).end(), int(match["year"]), state["state"]


def _act(text: str, start_of_noun: int, word: str, names: ActNames) -> Mention | None:
    end_of_noun = start_of_noun + len(word)
    start = _title_start(text, start_of_noun, names.places)
    if word in _WORDS["agreements"]:
        return _agreement(text, start, end_of_noun) if start is not None else None
    kind: CitationKind = "regulation" if word in _DELEGATED else "statute"
    if word == "Constitution":
        kind = "constitution"
    if start is None:
        return _back_reference(text, start_of_noun, word, kind, names)
    end, year, state = _year(text, end_of_noun, names.state)
    title, before = join_spaces(text[start:end_of_noun]), text[start:start_of_noun]
    needs_year = word.casefold() in _WORDS["need_year"] and not _PATTERNS["in_chapter"].match(text, end)
    alone = title.split()[0].casefold() in names.generic and len(title.split()) == 2
    heading = before.strip().isupper() and len(before) > 12
    # Only some states have an instrument called "Regulation"; elsewhere it is "Regulations".
    if word == "Acts" or alone or (word == "Regulation" and not state):
        return None
    if year is None and (needs_year or heading):
        return None
    key = f"{title} {year}" if year is not None else title
    if state and state not in names.countries:
        key = f"{key} ({state.replace('.', '')})"
    core = Span(start, end)
    return Mention(
        start, end, core, kind, "full", find_jurisdiction_of_state(state), key, title, year, reference=word
    )


def _back_reference(text: str, noun: int, word: str, kind: CitationKind, names: ActNames) -> Mention | None:
    """Return the mention of an Act by the noun at offset ``noun`` alone ("the Act", "the said Act", "the 1994
    Act"), or None.
    """
    end = noun + len(word)
    low = max(0, noun - 48)
    reference = _PATTERNS["reference"].search(text[low:noun])
    if reference is None or kind == "regulation" or word == "Bill" or _PATTERNS["longer"].match(text, end):
        return None
    by_year = int(reference["year"]) if reference["year"] else _year(text, end, names.state)[1]
    said = "said" in reference.group().casefold()
    defined = reference["article"].casefold() == "the" and not said and by_year is None
    core = Span(low + reference.start(), end)
    form: CitationForm = "defined" if defined else "short"
    return Mention(core.start, end, core, kind, form, year=by_year, reference=word)


def _agreement(text: str, start: int, end: int) -> Mention:
    """Return the mention of a contract by its title. It counts only with a section."""
    core = Span(start, end)
    title = join_spaces(core.of(text))
    return Mention(start, end, core, "contract", "full", "", title, title, acronym=True)


def _title_start(text: str, noun: int, places: Set[str]) -> int | None:
    """Return the start of the title whose noun is at ``noun``, or None if no title word precedes it."""
    low = max(0, noun - 160)
    gap = text.rfind("\n\n", low, noun)
    base = gap + 2 if gap >= 0 else low
    begin = _Title(text[base:noun], places).find()
    return base + begin if begin is not None else None


class _Title:
    """The words of a title before its noun, read backwards word by word.

    Each rule returns True if the title may continue before the current word, False if it ends there, and None
    to leave the decision to the next rule. ``begin`` is the start of the title read so far.
    """

    def __init__(self, window: str, places: Set[str]) -> None:
        self.window = window
        self.places = places
        self.tokens = window.split()
        self.begin: int | None = None
        self.depth = 0
        # The current word, and the word after it.
        self.index = 0
        self.token = self.folded = self.following = ""
        self.start = len(window)

    def find(self) -> int | None:
        """Return the start of the title, or None if there is none."""
        for index, token, start in walk_back(self.window):
            self.following = self.token
            self.index, self.token, self.start = index, token, start
            self.depth += token.count(")") - token.count("(")
            self.folded = token.strip(_MARKS).casefold()
            for rule in _TITLE_RULES:
                goes_on = rule(self)
                if goes_on is not None:
                    break
            if not goes_on:
                break
        return self.begin

    def _begin_in_bracket(self) -> bool | None:
        """Begin the title inside a bracket that is not closed before its noun: "(Carriers Act"."""
        if self.depth >= 0:
            return None
        word = self.token[self.token.rindex("(") + 1 :]
        if word[:1].isupper() and word.casefold() not in _WORDS["no_title"]:
            self.begin = self.start + len(self.token) - len(word)
        return False

    def _stop_at_sentence(self) -> bool | None:
        stops = self.token.endswith((".", ";", ":", "?", "!", "”", '"')) and not _initials(self.token)
        return False if self.depth == 0 and stops else None

    def _stop_at_comma(self) -> bool | None:
        """Stop at a comma, except in a list: "Trade, Shipping and Carriers Act"."""
        if not self.token.endswith(",") or self.depth != 0 or self.token.startswith("("):
            return None
        listed = "and" in self.tokens[self.index + 1 :] and self.begin is not None
        return None if listed and self.following[:1].isupper() else False

    def _pass_bracket(self) -> bool | None:
        opens = self.token.startswith("(") and self.depth == 0
        return not (opens and self.index == 0) if self.depth > 0 or opens else None

    def _stop_at_other(self) -> bool | None:
        """Stop at a word that owns the title ("Victoria's" in "Victoria's Charter"), and at another Act's
        title.
        """
        owner = self.token.endswith(("'s", "’s")) and self.token[:-2] in self.places
        return False if owner or self.folded == "act" else None

    def _pass_the(self) -> bool | None:
        """Continue past a "the" that is part of a title ("Offences against the Person Act"). Stop at any
        other "the".
        """
        if self.folded != "the":
            return None
        before = ["", "", *self.tokens[: self.index]]
        if before[-1].casefold() == "against":
            return True
        other = before[-2] if before[-1] in ("to", "of") else ""
        return other[:1].isupper() and other.casefold() in _WORDS["before_the"]

    def _take_new(self) -> bool | None:
        """Accept "New" and "A New" as the beginning of a title, though they usually precede a title."""
        if self.token != "New" and not (self.token == "A" and self.following == "New"):
            return None
        self.begin = self.start
        return True

    def _stop_at_no_title(self) -> bool | None:
        """Stop at words that no title contains. Exceptions are lower-case connectives and the "Order" of
        "Public Order".
        """
        connects = self.folded in _WORDS["connectors"] and self.token.islower()
        if self.folded not in _WORDS["no_title"] or connects:
            return None
        return self.token == "Order" and self.index > 0 and self.tokens[self.index - 1] == "Public"

    def _take_word(self) -> bool | None:
        if self.token.strip(_MARKS)[:1].isupper():
            self.begin = self.start + len(self.token) - len(self.token.lstrip("\"'“‘[("))
            return True
        return self.folded in _WORDS["connectors"] and self.following != ""


_TITLE_RULES: Sequence[Callable[[_Title], bool | None]] = (
    _Title._begin_in_bracket,
    _Title._stop_at_sentence,
    _Title._stop_at_comma,
    _Title._pass_bracket,
    _Title._stop_at_other,
    _Title._pass_the,
    _Title._take_new,
    _Title._stop_at_no_title,
    _Title._take_word,
)


def _initials(token: str) -> bool:
    return len(token.rstrip(".")) <= 2 or "." in token[:-1]
