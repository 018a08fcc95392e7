"""Determine a side's first party, named as cases are cited, from the lines of a caption that name the
side.
"""

from __future__ import annotations

from collections.abc import Sequence

from lexls.library.title_case import in_capitals, write_title_case
from lexls.text.lexicon import BETWEEN_PARTIES, COMPANY_FORMS
from lexls.text.phrases import load_patterns

_PATTERNS = load_patterns(__package__, "captions.toml")
_LONG_NAME = 20
"""Minimum length, in code points, of a line whose name may continue on the next line because its column is
full.
"""


def trim_name(name: str) -> str:
    """Return a name without punctuation at its ends, keeping an abbreviation's full stop: "Ada Tarn." becomes
    "Ada Tarn", "Pell Co." is unchanged.
    """
    ends = ' ,;:…“”"' if _PATTERNS["initials_alone"].fullmatch(name) else ' ,;:-–—…“”"'
    name = name.strip(ends).lstrip(".")
    last = name.rpartition(" ")[2].strip(".,").casefold()
    abbreviated = last in COMPANY_FORMS or _PATTERNS["abbreviated"].search(name)
    return name if abbreviated and not name.endswith("..") else name.rstrip(" .")


def is_upper(line: str) -> bool:
    """Return whether a party's name is in capitals, apart from words that are always in lower case."""
    return in_capitals(_PATTERNS["small"].sub("", line))


def opens_with_form(line: str) -> bool:
    """Return whether a line begins with a company suffix: "LIMITED"."""
    return line.partition(" ")[0].strip(".,").replace(".", "").casefold() in COMPANY_FORMS


def _leave_out_above(lines: list[str]) -> list[str]:
    """Return the lines of a party, skipping lines above its name that give the court, its place or a
    number.
    """
    names = ("above_party", "place_above") if lines and lines[-1][-1] in ",;" else ("above_party",)
    while (
        len(lines) > 1
        and any(_PATTERNS[each].match(lines[0]) for each in names)
        and not _PATTERNS["above_goes_on"].match(lines[1])
    ):
        lines = lines[1:]
    return lines


def name_side(names: Sequence[str]) -> str:
    """Return the first party of a side as cases are cited: without its number, its description or "Mr"."""
    lines = _leave_out_above([line for line in names if line != "and"])
    if not lines:
        return ""
    crown = _PATTERNS["crown"].match(lines[0])
    if crown is None:
        return name_party(lines)
    rest = [line for line in (lines[0][crown.end() :], *lines[1:]) if line.strip(" ,(")]
    applied = _PATTERNS["applied"].match(rest[0]) if rest else None
    if applied is None:
        return "R"
    rest = [line.strip(" )") for line in (rest[0][applied.end() :], *rest[1:]) if line.strip(" )")]
    applicant = name_party(rest) if rest else ""
    return f"R (on the application of {applicant})" if applicant else "R"


def name_goes_on(name: str, line: str, shortest: int = _LONG_NAME) -> bool:
    """Return whether a name continues on the next line.

    ``name`` may be that of a case; then its last side is checked. A name continues if it ends in "of", or if
    the next line begins with words that can only be a continuation ("Limited", "of Internal Revenue"). It
    also continues if it has at least ``shortest`` code points and the next line completes the name of a
    company or institution.
    """
    side = BETWEEN_PARTIES.split(f"{name} ")[-1].strip()
    if not side or side[-1] in ",;":
        return False
    if opens_with_form(line):
        return True
    if is_upper(side) != is_upper(line.partition(",")[0]):
        return False
    if _PATTERNS["of_name"].match(line) or _PATTERNS["unfinished"].search(side):
        return True
    words = side.casefold().replace(".", "").replace(",", "").split()
    ended = _PATTERNS["ended"].search(side) is not None or not COMPANY_FORMS.isdisjoint(words)
    return len(name) >= shortest and not ended and _PATTERNS["company_ends"].match(line) is not None


def name_party(lines: Sequence[str]) -> str:
    """Return the first party named in some lines, converting a name in capitals to title case; "" if they
    name no party.
    """
    name = _PATTERNS["number_before"].sub("", lines[0], count=1)
    numbered = _PATTERNS["number"].match(name)
    # If names end with commas, a line without one does not end a name.
    punctuated = lines[-1][-1] in ",;" and not numbered
    for line in lines[1:]:
        if numbered and _PATTERNS["number"].match(line.removeprefix("and ")):
            break
        alike = is_upper(name) == is_upper(line.partition(",")[0])
        unfinished = punctuated and name[-1] not in ",;" and alike
        goes_on = _PATTERNS["goes_on"].match(line) and (alike or line[0].islower() or line[0] == "&")
        if not (unfinished or goes_on or name_goes_on(name, line) or _PATTERNS["unfinished"].search(name)):
            break
        name = f"{name} {line}"
    name = _PATTERNS["other_parties"].sub("", name)
    if numbered:
        name = name[numbered.end() :]
    name = _PATTERNS["numbered_behind"].sub("", name)
    name = _PATTERNS["described"].sub("", _PATTERNS["footnote"].sub("", name))
    name = trim_name(name)
    for opening in ("numbered_party", "case_of", "honour"):
        if found := _PATTERNS[opening].match(name):
            name = name[found.end() :]
    if (
        not any(character.isalpha() for character in name)
        or (" " in name and _PATTERNS["sentence"].search(name))
        or _PATTERNS["no_party"].match(name)
    ):
        return ""
    if person := _PATTERNS["surname_in_capitals"].match(name):
        surname = write_title_case(person["surname"])
        name = f"{name[: person.start('surname')]}{surname}{name[person.end() :]}"
    return _PATTERNS["nation"].sub("United States", write_title_case(name) if in_capitals(name) else name)
