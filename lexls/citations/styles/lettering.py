"""Set names, abbreviations and labels with the letters, stops and dashes of a style."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lexls.citations.case_names.shorten import set_versus
from lexls.citations.keys import join_spaces

_INITIAL_SPACES = re.compile(r"(?<=\b[A-Z]\.)\s(?=[A-Z]\.)")
_INITIAL = re.compile(r"(?<![A-Za-z])([A-Z])\.(?=[\s,A-Z&)'’]|$)")
_ABBREVIATIONS = (
    r"Ltd|Inc|Co|Cos|Corp|Bros|Nos?|Dr|Mr|Mrs|Ms|St|Jr|Sr|Pty|Pvt|Anr|Ors|Assn|Dept|Govt|Intl|Mfg|Natl|Univ|Bd|Comm|Dist|"
    r"Cty|Ins|Indus|Ry|Sch|Sys|Rly|Commr|Commn|etc|al|vs?"
)
_ABBREVIATED = re.compile(rf"\b({_ABBREVIATIONS})\.(?!\w)")
_UNSTOPPED = re.compile(r"\b(Ltd|Inc|Co|Corp|Bros|No|Nos|Dr|Mr|Mrs|Ms|Jr)\b(?![.\w'’])")
_ORDINAL = re.compile(r"(?<=[A-Za-z.])\s?(\d{1,2}(?:d|st|nd|rd|th))(?=\s|$)")
_RANGE = re.compile(r"(\d{1,6})-(\d{1,6})")


def write_case_name(name: str, versus: str, stops: bool) -> str:
    """A case's name with the style's sign between the parties, abbreviations with or without full stops."""
    name = join_spaces(name)
    if stops:
        name = _UNSTOPPED.sub(r"\1.", name)
    else:
        name = _ABBREVIATED.sub(r"\1", _INITIAL_SPACES.sub("", name))
        name = _INITIAL.sub(r"\1", name)
    return set_versus(name, versus)


def write_abbreviation(text: str, stops: bool, ordinal: str) -> str:
    """A citation or court ("F.3d", "6th Cir.") as the style writes it; ``ordinal`` is "{}" or "({})"."""
    if stops:
        return text
    text = _ORDINAL.sub(lambda match: " " + ordinal.format(match[1]), text)
    text = re.sub(r"(?<=[A-Za-z)])\.(?=\s|[A-Za-z)]|$)", "", text)
    return join_spaces(re.sub(r"(?<=[A-Za-z])\.(?=[\d(])", " ", text))


def label_list(labels: Sequence[str], kind: str, dash: str, pages: str, brackets: bool, last: str) -> str:
    """A pinpoint's labels as one list; ``pages`` says how the end of a range of pages is shortened.

    A section's label may hold a hyphen of its own ("2-207"): only numbers of one length make a range of them.
    """
    written = [_label(each, kind, dash, pages, brackets) for each in labels]
    if last and len(written) > 1:
        return ", ".join(written[:-1]) + last + written[-1]
    return ", ".join(written)


def is_many(labels: Sequence[str], kind: str) -> bool:
    """Whether the labels name more than one place."""
    return len(labels) > 1 or any(_ends(each, kind) is not None for each in labels)


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
    if kind == "page":
        second = _shortened(first, second, pages)
    return f"{first}{dash}{second}"


def _shortened(first: str, second: str, pages: str) -> str:
    """The end of a range without the digits it shares: "all" keeps them, "two" leaves at least two, "one" the
    fewest, but never parts a number in the teens."""
    if pages == "all" or len(first) != len(second):
        return second
    shared = 0
    while shared < len(first) - 1 and first[shared] == second[shared]:
        shared += 1
    kept = len(second) - shared
    if pages == "two" or (len(second) > 1 and second[-2] == "1"):
        kept = max(2, kept)
    return second[-kept:] if kept < len(second) else second
