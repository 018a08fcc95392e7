"""Acts by their titles, well-known Acts by their names, and "the said Act"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexls.citations import templates
from lexls.citations.keys import fold, spaced
from lexls.citations.mention import Mention
from lexls.citations.model import CitationKind
from lexls.citations.registry import Act
from lexls.citations.scan import Scan
from lexls.text.spans import Span
from lexls.text.words import words

_NOUNS = frozenset(
    {
        *(
            "Act",
            "Acts",
            "Code",
            "Ordinance",
            "Rules",
            "Regulations",
            "Regulation",
            "Rule",
            "Order",
            "Sanhita",
            "Adhiniyam",
            "Statute",
        ),
        *("Decree", "Constitution", "Bill", "Charter", "ACT", "CODE"),
    }
)
_NEED_YEAR = frozenset(
    {"rules", "rule", "regulations", "regulation", "order", "bill", "charter", "decree", "statute"}
)
_STATES = (
    "Cth|NSW|Vic|Qld|WA|SA|Tas|ACT|NT|Imp|UK|U\\.K\\.|NI|NZ|"
    "Ont|BC|Alta|Sask|Man|Que|NB|NS|PEI|Nfld|HK|Sing|India"
)
_KEY_YEAR = re.compile(r" (\d{4})(?= \([A-Za-z.]{1,6}\)$|$)")
_YEAR = re.compile(
    r"(?:\s{0,9},)?\s{0,9}(?:of\s{1,9})?(?:\(?(?:Act\s{1,9})?(?:No\.?\s{0,3})?(?:[IVXLCM]{1,8}|\d{1,3})\s{1,9}of\s{1,9}"
    r"(?:the\s{1,9}year\s{1,9})?)?(?P<year>(?:1[2-9]|20)\d\d)\)?(?![\d/])(?!-\d)"
)
# An Act's chapter or number: "(c 46)", "(45 of 1860)", "(Act No. 2 of 1974)".
_NUMBERED = re.compile(
    r"\s{0,3}\((?:[Cc]h?\.?\s{0,3}\d{1,3}|(?:Act\s{1,3})?(?:No\.?\s{0,3})?(?:\d{1,3}|[IVXLC]{1,8})\s{1,3}of\s{1,3}\d{4})\)"
)
# The edition of an Act, or its number in Scotland and Wales: "(2020 Rev Ed)", "asp 2".
_REVISED = re.compile(
    r"\s{1,3}\((?:(?:1[89]|20)\d\d\s(?:Rev(?:ised)?\.?\sEd(?:ition)?\.?|Reprint|Ed)(?:,\s)?){1,2}\)"
    r"|,?\s{1,3}\(?(?:asp|anaw|asc|nawm)\s\d{1,3}\)?(?!\w)"
)
# The chapter behind an Act of another place: "Canada Act 1982 (UK), 1982, c 11".
_CHAPTER = re.compile(r",\s{1,3}(?:1[89]|20)\d\d,?\s{1,3}c\.?\s{0,3}\d{1,4}(?!\w)")
# The chapter that subsidiary legislation belongs to: "Immigration Regulations (Cap 115A)".
_IN_CHAPTER = re.compile(r",?\s{1,3}\(?Cap\.?\s{0,3}\d{1,4}")
_REGNAL = re.compile(
    r",?\s{1,3}\d{1,2}(?:\s?&\s?\d{1,2})?\s{1,3}(?:Vict?|Geo|Edw|Eliz|Will|Wm|Anne|Car|Hen)\.?(?:\s(?:[IVX]{1,4}|\d)\.?)?,?"
    r"\s{1,3}c\.?\s{0,3}\d{1,4}(?!\w)"
)
_STATE = re.compile(rf"\s{{0,9}}\((?P<state>{_STATES})\)")
_REFERENCE = re.compile(
    r"(?:\b(?P<article>the|this|that|said|such)\s{1,9})(?:(?:said|same|above|aforesaid|principal|parent|impugned)\s{1,9})?"
    r"(?:(?P<year>(?:1[6-9]|20)\d\d)\s{1,9})?\Z",
    re.IGNORECASE,
)
_INITIALS = re.compile(r"\.\s?[A-Za-z]{1,3}\Z")
_PLACES = words(
    "Victoria Queensland Tasmania Australia Canada Ontario Quebec India England Britain Scotland Ireland"
)
_WORD = re.compile(r"\S+")
_TITLE_CONNECTORS = words(
    """
    of and for in to on & or with against by from at
    """
)
# With one of these alone before the noun no Act is named ("the Central Act").
_GENERIC = words(
    """
    central state english british federal provincial model union local principal parent amending amendment
    validation validating special general original repealed impugned earlier later present existing foreign
    uk us india indian australian canadian imperial national enabling consolidating private public university
    """
)
_NO_TITLE = words(
    """
    section sections sec secs s ss article articles art arts rule rules regulation clause part chapter
    schedule order the this that said under in by see and of an a new old such any every no per with if
    when where whether while both our their his its his since as from but central-act parliament
    legislature because although also however section paragraph para subsection sub-section statute
    statutory read
    """
)


class ActNames:
    """The well-known Acts, found by any of their names."""

    def __init__(self, acts: Sequence[Act]) -> None:
        self._acts: dict[str, list[tuple[Act, bool]]] = {}  # folded name → Acts, and whether it is their own
        self._words: dict[str, list[str]] = {}
        self._regexes: dict[str, re.Pattern[str]] = {}
        for act in acts:
            for name in (*act.names, act.key, *act.own):
                self._acts.setdefault(fold(name), []).append((act, name in act.own))
                if name in act.names or name in act.own:
                    for word in templates.first_words(name):
                        self._words.setdefault(word, []).append(name)
        self._starts = frozenset(self._words)

    def find(self, scan: Scan, jurisdiction: str) -> list[tuple[Span, Act]]:
        """Where well-known Acts of the draft's jurisdiction (all, if it is open) are named."""
        found = []
        text = scan.text
        for start, word in scan.capitals:
            if word not in self._starts:
                continue
            match = self._regex(word).match(text, start)
            if match is None:
                continue
            act = self._meant(fold(match.group()), jurisdiction)
            if act is None:
                continue
            end = match.end()
            # The last point of "Cr.P.C." is the abbreviation's.
            if text.startswith(".", end) and _INITIALS.search(match.group()):
                end += 1
            found.append((Span(start, end), act))
        return found

    def _regex(self, word: str) -> re.Pattern[str]:
        """The names that can begin with a run of letters."""
        regex = self._regexes.get(word)
        if regex is None:
            names = sorted(set(self._words[word]), key=len, reverse=True)
            joined = "|".join(templates.flexible(name).removesuffix(r"\.?") for name in names)
            regex = self._regexes[word] = re.compile(rf"(?:{joined})(?!\w)")
        return regex

    def _meant(self, name: str, jurisdiction: str) -> Act | None:
        """The Act that a name means in a draft: its own jurisdiction's first."""
        acts = self._acts.get(name, ())
        for act, _ in acts:
            if act.jurisdiction == jurisdiction:
                return act
        for act, own in acts:
            if not own and (not jurisdiction or act.kind == "treaty"):
                return act
        return None


def find_acts(scan: Scan, names: ActNames, jurisdiction: str) -> list[Mention]:
    """Every mention of an Act by title or as "the (said) Act", in order, without sections."""
    text = scan.text
    mentions = []
    for span, act in names.find(scan, jurisdiction):
        known = _known(text, span, act, jurisdiction)
        if known is not None:
            mentions.append(known)
    for start, word in scan.capitals:
        if word not in _NOUNS:
            continue
        mention = _act(text, start, word)
        if mention is not None:
            mentions.append(mention)
    mentions.sort(key=lambda mention: (mention.start, -mention.end))
    kept: list[Mention] = []
    for mention in mentions:
        if kept and mention.start < kept[-1].end:
            longer = mention.end - mention.start > kept[-1].end - kept[-1].start
            # "Constitution" names one in its own country, where elsewhere "the Constitution" points back.
            if (mention.form == "full", longer) > (kept[-1].form == "full", not longer):
                kept[-1] = mention
            continue
        kept.append(mention)
    return kept


def _known(text: str, span: Span, act: Act, jurisdiction: str) -> Mention | None:
    """The mention of a well-known Act; None where year, state or draft say that it may be another's."""
    end, year, state = _year(text, span.end)
    name = spaced(span.of(text))
    key = act.key
    if state and key.endswith(")") and not key.endswith(f"({state})"):  # another state's of this name
        return None
    if act.kind == "statute" and act.jurisdiction != jurisdiction and act.jurisdiction:
        if state or (year is not None and not _is_of(key, year)):
            return None
        if year is None and len(name.split()) == 2:  # "Evidence Act": there are many
            return None
    if year is not None and act.kind == "statute" and not _is_of(key, year):
        key = _KEY_YEAR.sub(f" {year}", key) if _KEY_YEAR.search(key) else f"{key} {year}"
    core = Span(span.start, end)
    mention = Mention(core.start, end, core, act.kind, "full", act.jurisdiction, key, name, year)
    mention.acronym = name.replace(".", "").isupper() and act.jurisdiction != jurisdiction
    return mention


def _is_of(key: str, year: int) -> bool:
    """Whether the key of an Act has this year, its state behind it or not."""
    found = _KEY_YEAR.search(key)
    return found is not None and int(found[1]) == year


def _year(text: str, end: int) -> tuple[int, int | None, str]:
    """The end of an Act's year and state, the year, and the state, from the end of its title on."""
    match = _YEAR.match(text, end)
    if match is None:
        revised = _REVISED.match(text, end)
        if revised is not None:
            return revised.end(), None, ""
        state = _STATE.match(text, end)
        return (state.end(), None, state["state"]) if state else (end, None, "")
    numbered = _NUMBERED.match(text, match.end()) or _REVISED.match(text, match.end())
    end = numbered.end() if numbered is not None else match.end()
    state = _STATE.match(text, end)
    if state is None:
        return end, int(match["year"]), ""
    chapter = _CHAPTER.match(text, state.end()) or _REGNAL.match(text, state.end())
    return (chapter or state).end(), int(match["year"]), state["state"]


def _act(text: str, start_of_noun: int, word: str) -> Mention | None:
    end_of_noun = start_of_noun + len(word)
    end, year, state = _year(text, end_of_noun)
    start = _title_start(text, start_of_noun)
    kind: CitationKind = (
        "regulation"
        if word in ("Regulations", "Regulation", "Order", "Rules", "Rule")
        else "constitution"
        if word == "Constitution"
        else "statute"
    )
    if start is None:
        low = max(0, start_of_noun - 60)
        reference = _REFERENCE.search(text[low:start_of_noun])
        if reference is None or word in ("Order", "Rules", "Rule", "Regulations", "Regulation", "Bill"):
            return None
        begin = low + reference.start()
        by_year = int(reference["year"]) if reference["year"] else year
        mention = Mention(
            begin, end_of_noun, Span(begin, end_of_noun), kind, "short", "", "", "", by_year, reference=word
        )
        if (
            reference["article"].casefold() == "the"
            and "said" not in reference.group().casefold()
            and by_year is None
        ):
            mention.form = "defined"
        return mention
    if year is None and word.casefold() in _NEED_YEAR and not _IN_CHAPTER.match(text, end):
        return None
    if word == "Regulation" and not state:  # elsewhere the instruments are called Regulations
        return None
    title = spaced(text[start:end_of_noun])
    if title.split()[0].casefold() in _GENERIC and len(title.split()) == 2:
        return None
    if word == "Acts" or (
        year is None and text[start:start_of_noun].strip().isupper() and len(text[start:start_of_noun]) > 12
    ):
        return None
    key = f"{title} {year}" if year is not None else title
    if state:
        key = f"{key} ({state.replace('.', '')})"
    core = Span(start, end)
    return Mention(
        start, end, core, kind, "full", _state_jurisdiction(state), key, title, year, reference=word
    )


def _state_jurisdiction(state: str) -> str:
    if state in ("Cth", "NSW", "Vic", "Qld", "WA", "SA", "Tas", "ACT", "NT"):
        return "AU"
    return {"UK": "UK", "NI": "UK", "NZ": "NZ", "HK": "HK", "Sing": "SG", "India": "IN"}.get(state, "")


def _title_start(text: str, noun: int) -> int | None:
    """Where the title that ends with the noun at ``noun`` begins, None if no title word stands before it."""
    low = max(0, noun - 160)
    window = text[low:noun]
    cut = window.rfind("\n\n")
    base = low
    if cut >= 0:
        base, window = low + cut + 2, window[cut + 2 :]
    tokens = list(_WORD.finditer(window))
    begin: int | None = None
    depth = 0
    for index in range(len(tokens) - 1, -1, -1):
        token = tokens[index].group()
        depth += token.count(")") - token.count("(")
        bare = token.strip("()[],.;:\"'“”‘’*")
        folded = bare.casefold()
        last = index == len(tokens) - 1
        if depth < 0:
            opening = token.rindex("(") + 1
            if (
                opening < len(token)
                and token[opening].isupper()
                and token[opening:].casefold() not in _NO_TITLE
            ):
                begin = tokens[index].start() + opening
            break
        if depth == 0 and (token.endswith((".", ";", ":", "?", "!", "”", '"')) and not _initials(token)):
            break
        if token.endswith(",") and depth == 0 and not token.startswith("("):
            following = tokens[index + 1].group() if not last else ""
            listed = any(other.group() == "and" for other in tokens[index + 1 :]) and begin is not None
            if last or not listed or not following[:1].isupper():
                break
        if depth > 0 or (token.startswith("(") and depth == 0):
            if token.startswith("(") and depth == 0 and index == 0:
                break
            continue
        if token.endswith(("'s", "’s")) and token[:-2] in _PLACES:  # "Victoria's Charter"
            break
        if folded == "act":  # another Act's title
            break
        if folded == "the":
            previous = tokens[index - 1].group().casefold() if index else ""
            if previous != "against":
                break
            continue
        if token == "New" or (
            token == "A" and tokens[index + 1 : index + 2] and tokens[index + 1].group() == "New"
        ):
            begin = tokens[index].start()
            continue
        if folded in _NO_TITLE and not (folded in _TITLE_CONNECTORS and token.islower()):
            if token == "Order" and index and tokens[index - 1].group() == "Public":
                continue
            break
        if bare[:1].isupper():
            begin = tokens[index].start() + len(token) - len(token.lstrip("\"'“‘[("))
            continue
        if folded in _TITLE_CONNECTORS and not last:
            continue
        break
    return base + begin if begin is not None else None


def _initials(token: str) -> bool:
    return len(token.rstrip(".")) <= 2 or "." in token[:-1]
