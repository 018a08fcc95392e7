"""Read the parts that American reports print above an opinion: the caption, the docket number, the dates.

The mark-up has already identified the parts; only their wording is read here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from lexls.library.party_names import trim_name
from lexls.library.title_case import in_capitals, write_title_case
from lexls.text.dates import find_dates
from lexls.text.lexicon import COMPANY_FORMS, SMALL_WORDS, VERSUS_WORDS, split_words
from lexls.text.phrases import load_patterns

_PATTERNS = load_patterns(__package__, "report_heads.toml")
_VERSUS = re.compile(r"(?:\s|^)(?:-\s?)?(?:v|vs|versus|against)\.?(?:\s?-)?(?=\s|$)", re.IGNORECASE)
_JOINING = SMALL_WORDS | split_words("& 'o de del ex la rel. v.")
_WORD = re.compile(r"[^\W\d_]{2}")
_IN_BRACKETS = re.compile(r"[^.;]{0,3}\(")
_LONGEST_NAME = 160
_LONGEST_CAPTION = 6000


def read_caption(caption: str, text: str = "") -> str:
    """Return the name by which a case is cited, from its caption, or "" if no name is certain: "Wilma T.
    CARROW, Petitioner, v. Otto BRANDT, Jr., Respondent" becomes "Carrow v. Brandt".

    Reports usually print the words by which a party is cited in capitals. If there are none, the party's name
    ends before its role in the case. ``text`` is the opinion; words that it writes in capitals ("DHL") stay
    in capitals.
    """
    lines = [line for line in caption[:_LONGEST_CAPTION].splitlines() if line.strip()]
    while len(lines) > 1 and _PATTERNS["no_caption"].match(lines[0].strip()):
        del lines[0]
    whole = " ".join(" ".join(lines).split())
    matter = _PATTERNS["matter"].match(whole)
    if matter is not None:
        opening = " ".join(matter["opening"].split())
        rest = _VERSUS.split(whole[matter.end() :], maxsplit=1)[0]
        name = read_party(rest, text)
        opening = "Estate of" if opening.lower().startswith("estate") else opening
        opening = "Ex parte" if opening.lower().startswith("ex ") else opening
        if opening.lower().startswith("in "):
            opening = "In re"
        elif opening.lower().startswith("matter"):
            opening = "Matter of"
        return f"{opening} {name.removeprefix('The ').removeprefix('the ')}" if name else ""
    sides = _VERSUS.split(whole, maxsplit=2)[:2]
    if len(sides) < 2:
        return ""
    names = [read_party(side, text) for side in sides]
    return " v. ".join(names) if all(names) else ""


def read_party(side: str, text: str = "") -> str:
    """Return the name of the first party of one side of a caption, or "" if it is not certain."""
    side = side.strip(" ,;:")
    words = side.split()
    if in_capitals(side):
        start, end = 0, len(words)
    else:
        start, end = _capitals(words)
    if end > start:
        chosen = " ".join(words[start:end])
        if start == 0 and end == len(words):
            chosen = _before_role(chosen)
        written = " ".join(_recase(word, text) for word in trim_name(chosen).split())
        return written[:1].upper() + written[1:]
    name = trim_name(_before_role(side))
    return name if name and len(name) <= _LONGEST_NAME else ""


def _before_role(side: str) -> str:
    ends = _PATTERNS["party_ends"].search(side, 1)
    name = side[: ends.start()] if ends else side
    first, *others = name.split(", ")
    for other in others:
        if other.strip(" .,").replace(".", "").casefold() not in COMPANY_FORMS:
            break
        first = f"{first}, {other}"
    return first


def _capitals(words: list[str]) -> tuple[int, int]:
    """Return the start and end of the first run of words in capitals, including small words and initials
    inside it; (0, 0) if there is none.
    """
    start = end = 0
    for position, word in enumerate(words):
        bare = word.strip(",;()")
        if _PATTERNS["capital"].match(bare):
            if not end:
                start = position
            end = position + 1
        elif not end:
            continue
        elif not (bare.casefold() in _JOINING or _PATTERNS["initials"].match(word)):
            break
        if end == position + 1 and word[-1] in ",;" and not _is_company(words, position + 1):
            break
    if not end:
        alone = [position for position, word in enumerate(words) if _PATTERNS["initials"].match(word)]
        if alone == [0]:
            return 0, 1
    return start, end


def _is_company(words: list[str], position: int) -> bool:
    return position < len(words) and words[position].strip(",.;").replace(".", "").casefold() in COMPANY_FORMS


def write_name(words: str, text: str) -> str:
    """Return the name of a case that is stored in lower case without punctuation ("fern v elm inc").

    Words are capitalised as in the opinion's ``text``.
    """
    written: list[str] = []
    for word in words.split():
        if word in VERSUS_WORDS and written:
            written.append("v.")
        elif written and (word in _JOINING or " ".join((*written, word)).casefold() in _OPENINGS):
            written.append(word)
        else:
            written.append(_find_capitals(word, text))
    return " ".join(written)


_OPENINGS = frozenset({"in re", "ex parte", "in the", "in the matter", "in the matter of", "matter of"})
_LONGEST_INITIALS = 6


def _recase(word: str, text: str) -> str:
    """Return a word in capitals as written in titles, unless the opinion itself writes it in capitals."""
    if word.casefold() in _JOINING:
        return word.casefold()
    if not _PATTERNS["capital"].match(word) or "." in word[:-1]:
        return word
    if word[0].isupper() and word[1:2].islower():
        # "McNAMARA": only the letters after the lower-case ones are in capitals.
        cut = next(at for at in range(2, len(word)) if word[at].isupper())
        return word[: cut + 1] + word[cut + 1 :].lower()
    bare = word.strip(",.;:")
    return word.replace(bare, _find_capitals(bare, text), 1)


def _find_capitals(word: str, text: str) -> str:
    """Return a word as ``text`` usually capitalises it, or else in title case."""
    forms: Counter[str] = Counter()
    whole = re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE)
    # Faster than the pattern alone, which is tried at each position of the text.
    small, sought = text.lower(), word.lower()
    at = small.find(sought)
    while at >= 0:
        if match := whole.match(text, at):
            forms[match[0]] += 1
        at = small.find(sought, at + 1)
    mixed = {form: count for form, count in forms.items() if not form.isupper() and not form.islower()}
    if mixed:
        return max(mixed, key=lambda form: mixed[form])
    if len(word) <= _LONGEST_INITIALS and forms[word.upper()] > 2 and not forms[word.lower()]:
        return word.upper()
    return write_title_case(word.upper())


def read_decision_date(written: str) -> str:
    """Return the date of the decision among the dates that a report prints, or "" if none is certain.

    It is the date after "Decided", "Filed" …, or else a date with no word before it. It is never a hearing
    date.
    """
    plain = ""
    before = 0
    for start, end, date in find_dates(written):
        label = written[before:start]
        before = end
        if _PATTERNS["decided"].search(label) and not _PATTERNS["not_decided"].search(label):
            return date
        alone = not _WORD.search(label) and not _IN_BRACKETS.match(written, end)
        if not plain and alone:
            plain = date
    return plain


def read_dockets(written: str) -> Iterator[str]:
    """Yield the court's own numbers of a case in a line that the mark-up identifies as docket numbers."""
    line = " ".join(written.split())
    if len(line) > 300 or _VERSUS.search(line):
        return
    rest = _PATTERNS["docket_label"].sub(" ", line)
    for part in re.split(r"[,;&]|\band\b|(?<=\S)\s{2,}|\.\s", rest):
        part = part.strip(" .")
        if part and (found := _PATTERNS["docket"].match(part)):
            yield found[0].strip()
