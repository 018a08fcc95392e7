"""Find Acts by their titles, well-known Acts by their names, and "the said Act"."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from lexls.citations import templates
from lexls.citations.jurisdiction import find_jurisdiction_of_state, load_jurisdictions
from lexls.citations.keys import fold, join_spaces
from lexls.citations.model import CitationForm, CitationKind, Mention, Pinpoint
from lexls.citations.registry import Act
from lexls.citations.scan import Scan
from lexls.citations.tables import load_patterns
from lexls.text.lexicon import split_words
from lexls.text.phrases import load_phrases
from lexls.text.spans import Span

_WORDS = {
    name: split_words(listed)
    for name, listed in load_phrases("lexls.citations", "statutes.toml")["words"].items()
}
_PATTERNS = load_patterns("statutes.toml")


class ActNames:
    """The well-known Acts, found by any of their names, and the words of titles in all jurisdictions.

    ``nouns`` end a title, ``generic`` ones alone before a noun name no Act, ``places`` may own one, and
    ``state`` matches a state in brackets behind one.
    """

    def __init__(self, acts: Sequence[Act]) -> None:
        statutes = [place.statutes for place in load_jurisdictions().values()]
        self.nouns = _WORDS["nouns"].union(_WORDS["agreements"], *(each.nouns for each in statutes))
        self.generic = _WORDS["generic"].union(*(each.adjectives for each in statutes))
        self.places = frozenset().union(*(each.places for each in statutes))
        states = "|".join(re.escape(state) for each in statutes for state in each.states)
        self.state = re.compile(rf"\s{{0,9}}\((?P<state>{states})\)")
        self._acts: dict[str, list[tuple[Act, bool]]] = {}  # folded name → Acts, and whether it is their own
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
        """Where well-known Acts of the draft's jurisdiction (all, if it is open) are named."""
        found = []
        text = scan.text
        for start, word in scan.capitals(self._words.keys()):
            match = self._regex(word).match(text, start)
            act = self._meant(fold(match.group()), jurisdiction) if match is not None else None
            if match is None or act is None:
                continue
            end = match.end()
            # The last point of "Cr.P.C.", "Gen. Stat." is the abbreviation's.
            if text.startswith(".", end) and (
                _PATTERNS["initials"].search(match.group())
                or f"{join_spaces(match.group())}." in self._words[word]
            ):
                end += 1
            found.append((Span(start, end), act))
        return found

    def _regex(self, word: str) -> re.Pattern[str]:
        """The names that can begin with a run of letters."""
        if word not in self._regexes:
            names = sorted(set(self._words[word]), key=len, reverse=True)
            flexible = (templates.make_flexible(name).removesuffix(r"\.?") for name in names)
            joined = "|".join(flexible).replace(r"\-", "[-‐‑–—]")
            self._regexes[word] = re.compile(rf"(?:{joined})(?!\w|\s{{1,9}}Bench)")
        return self._regexes[word]

    def _meant(self, name: str, jurisdiction: str) -> Act | None:
        """The Act that a name means in a draft: its own jurisdiction's first."""
        acts = self._acts.get(name, ())
        own = [act for act, _ in acts if act.jurisdiction == jurisdiction]
        known = [act for act, is_own in acts if not is_own and (not jurisdiction or act.kind == "treaty")]
        return next(iter([*own, *known]), None)


def find_acts(scan: Scan, names: ActNames, jurisdiction: str) -> list[Mention]:
    """Every mention of an Act by title or as "the (said) Act", in order, without sections."""
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
        # "Constitution" names one in its own country, where elsewhere "the Constitution" points back.
        if (mention.form == "full", longer) > (kept[-1].form == "full", not longer):
            kept[-1] = mention
    return kept


def _known(text: str, span: Span, act: Act, jurisdiction: str, names: ActNames) -> Mention | None:
    """The mention of a well-known Act; None where year, state or draft say that it may be another's."""
    end, year, state = _year(text, span.end, names.state)
    name = join_spaces(span.of(text))
    key = act.key
    if act.kind == "constitution" and _PATTERNS["longer"].match(text, end):  # "the Constitution Bench"
        return None
    if name in act.abbreviations and _PATTERNS["part_of"].match(text, end):  # "Title VII of the … Act"
        return None
    if state and key.endswith(")") and not key.endswith(f"({state})"):  # another state's of this name
        return None
    if act.kind == "statute" and act.jurisdiction != jurisdiction and act.jurisdiction:
        if state or (year is not None and not _is_of(key, year)):
            return None
        if year is None and len(name.split()) == 2:  # "Evidence Act": there are many
            return None
    dated = act.kind == "statute" or _PATTERNS["key_year"].search(key) is not None
    if year is not None and dated and not _is_of(key, year):
        if key[0].isdigit():  # the title of a code is no Act of another year
            return None
        key = (
            _PATTERNS["key_year"].sub(f" {year}", key)
            if _PATTERNS["key_year"].search(key)
            else f"{key} {year}"
        )
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


def _is_of(key: str, year: int) -> bool:
    """Whether the key of an Act has this year, its state behind it or not."""
    found = _PATTERNS["key_year"].search(key)
    return found is not None and int(found[1]) == year


def _year(text: str, end: int, states: re.Pattern[str]) -> tuple[int, int | None, str]:
    """The end of an Act's year and state, the year, and the state, from the end of its title on."""
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
    delegated = word in ("Regulations", "Regulation", "Order", "Rules", "Rule")
    kind: CitationKind = "regulation" if delegated else "statute"
    if word == "Constitution":
        kind = "constitution"
    if word in _WORDS["agreements"]:
        return _agreement(text, start, end_of_noun) if start is not None else None
    if start is None:
        low = max(0, start_of_noun - 48)
        reference = _PATTERNS["reference"].search(text[low:start_of_noun])
        if reference is None or delegated or word == "Bill" or _PATTERNS["longer"].match(text, end_of_noun):
            return None
        begin = low + reference.start()
        by_year = int(reference["year"]) if reference["year"] else _year(text, end_of_noun, names.state)[1]
        said = "said" in reference.group().casefold()
        defined = reference["article"].casefold() == "the" and not said and by_year is None
        form: CitationForm = "defined" if defined else "short"
        core = Span(begin, end_of_noun)
        return Mention(begin, core.end, core, kind, form, year=by_year, reference=word)
    end, year, state = _year(text, end_of_noun, names.state)
    if (
        year is None
        and word.casefold() in _WORDS["need_year"]
        and not _PATTERNS["in_chapter"].match(text, end)
    ):
        return None
    if word == "Regulation" and not state:  # elsewhere the instruments are called Regulations
        return None
    title = join_spaces(text[start:end_of_noun])
    if title.split()[0].casefold() in names.generic and len(title.split()) == 2:
        return None
    before = text[start:start_of_noun]
    if word == "Acts" or (year is None and before.strip().isupper() and len(before) > 12):
        return None
    key = f"{title} {year}" if year is not None else title
    if state:
        key = f"{key} ({state.replace('.', '')})"
    core = Span(start, end)
    return Mention(
        start, end, core, kind, "full", find_jurisdiction_of_state(state), key, title, year, reference=word
    )


def _agreement(text: str, start: int, end: int) -> Mention:
    """The mention of a contract by its title: one only with a section of it."""
    core = Span(start, end)
    title = join_spaces(core.of(text))
    return Mention(start, end, core, "contract", "full", "", title, title, acronym=True)


def _title_start(text: str, noun: int, places: Set[str]) -> int | None:
    """Where the title that ends with the noun at ``noun`` begins, None if no title word stands before it."""
    low = max(0, noun - 160)
    gap = text.rfind("\n\n", low, noun)
    base = gap + 2 if gap >= 0 else low
    window = text[base:noun]
    tokens = window.split()
    begin: int | None = None
    depth = 0
    start = len(window)
    for index in range(len(tokens) - 1, -1, -1):
        token = tokens[index]
        start = window.rindex(token, 0, start)
        depth += token.count(")") - token.count("(")
        bare = token.strip("()[],.;:\"'“”‘’*")
        folded = bare.casefold()
        last = index == len(tokens) - 1
        following = tokens[index + 1] if not last else ""
        if depth < 0:
            opening = token.rindex("(") + 1
            if token[opening:][:1].isupper() and token[opening:].casefold() not in _WORDS["no_title"]:
                begin = start + opening
            break
        if depth == 0 and (token.endswith((".", ";", ":", "?", "!", "”", '"')) and not _initials(token)):
            break
        if token.endswith(",") and depth == 0 and not token.startswith("("):
            listed = "and" in tokens[index + 1 :] and begin is not None
            if last or not listed or not following[:1].isupper():
                break
        if depth > 0 or (token.startswith("(") and depth == 0):
            if token.startswith("(") and depth == 0 and index == 0:
                break
            continue
        # "Victoria's Charter"; another Act's title.
        if (token.endswith(("'s", "’s")) and token[:-2] in places) or folded == "act":
            break
        if folded == "the":
            if index and tokens[index - 1].casefold() == "against":
                continue
            before = tokens[index - 2] if index > 1 and tokens[index - 1] in ("to", "of") else ""
            if before[:1].isupper() and before.casefold() in _WORDS["before_the"]:
                continue
            break
        if token == "New" or (token == "A" and following == "New"):
            begin = start
            continue
        if folded in _WORDS["no_title"] and not (folded in _WORDS["connectors"] and token.islower()):
            if token == "Order" and index and tokens[index - 1] == "Public":
                continue
            break
        if bare[:1].isupper():
            begin = start + len(token) - len(token.lstrip("\"'“‘[("))
            continue
        if folded in _WORDS["connectors"] and not last:
            continue
        break
    return base + begin if begin is not None else None


def _initials(token: str) -> bool:
    return len(token.rstrip(".")) <= 2 or "." in token[:-1]
