"""Find a case's own docket numbers in the caption of its judgment, ignoring those of other cases."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from lexls.library.captions import relates_to_others
from lexls.library.columns import RULE, Row
from lexls.library.head import is_running
from lexls.text.dates import is_date
from lexls.text.lexicon import BETWEEN_PARTIES
from lexls.text.phrases import load_patterns

_PATTERNS = load_patterns(__package__, "dockets.toml")
_LONGEST_LINE = 200
_LINES_OF_TEXT = 2
"""Number of consecutive lines of running text that end the caption."""
_LONGEST_LABELLED = 50
"""Maximum length, in code points, of a line below running text that may still give the case's own number."""
_LONGEST_PARTY = 50
"""Maximum length, in code points, of a party's line with a number to its right; a longer line may be running
text.
"""
_BRACKETED = re.compile(r"^[(\[](.+)[)\]]$")
_HYPHENS = str.maketrans("−‐‑", "---")


@dataclass(slots=True)
class _Numbers:
    """The state of the search for docket numbers in the cells of a caption.

    ``spare`` numbers are used only if none are ``found``. ``labelled`` is true if the cell above gave a
    number, ``gave`` if this cell does. ``yearly`` is true for numbers with a year, as in India; while
    ``goes_on`` is true, the following cells may continue the list of numbers. ``below`` is true while the
    cells describe the court below. ``text`` is true once running text has begun; ``running`` counts its
    consecutive lines.
    """

    found: list[str] = field(default_factory=list)
    spare: list[str] = field(default_factory=list)
    labelled: bool = False
    gave: bool = False
    yearly: bool = False
    goes_on: bool = False
    below: bool = False
    text: bool = False
    running: int = 0
    ended: bool = False

    def add(self, numbers: Sequence[str], cell: _Cell, *, first: bool = False) -> None:
        """Add the numbers of a cell, before those of other cells if ``first``. Numbers that may not be the
        case's own are added to ``spare``.
        """
        counsel = _PATTERNS["counsel"].match(f"{cell.before} {cell.text}".lstrip())
        kept = self.spare if counsel or _PATTERNS["spare"].match(cell.text) else self.found
        at = 0 if first else len(kept)
        kept[at:at] = numbers
        self.gave = True


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell of a caption, with the text of the cell above it in its column and of the cell to its left in
    its row.
    """

    text: str
    above: str
    before: str


@dataclass(frozen=True, slots=True)
class DocketRule:
    """A reason for using the number in a cell or for skipping the cell, with an example.

    ``read`` returns whether the rule has handled the cell. If so, later rules are not applied.
    """

    reason: str
    example: str
    read: Callable[[_Numbers, _Cell], bool]


def read_docket(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return a case's own docket numbers as printed, without their labels."""
    numbers = _Numbers()
    above: dict[int, str] = {}
    before = ""
    for column, text in _join_labels(_list_own_cells(rows)):
        numbers.labelled, numbers.gave = numbers.gave, False
        cell = _Cell(text, above.get(column, ""), before if column else "")
        any(rule.read(numbers, cell) for rule in RULES)
        if numbers.ended:
            break
        above[column] = before = text
    found = numbers.found or numbers.spare or _find_within(rows)
    # At the top of later pages, the page number follows the docket number: "82266-3-I/2".
    return tuple(each for each in dict.fromkeys(found) if each.rpartition("/")[0] not in found)


def _find_within(rows: Sequence[Row]) -> list[str]:
    """Return a list with the first unlabelled number in a caption that only a court assigns; an empty list if
    there is none.
    """
    own = (each.translate(_HYPHENS).replace("–", "-") for each in itertools.chain.from_iterable(rows))
    for above, cell in itertools.pairwise(("", *own)):
        found = _PATTERNS["docket_within"].search(cell) if _is_own(cell) else None
        if found and not (_is_cited(cell, *found.span()) or _PATTERNS["court_above"].search(above)):
            return [found["number"]]
    return []


def _is_cited(cell: str, start: int, end: int) -> bool:
    """Return whether the number at ``start`` to ``end`` of a cell is that of another case, which a sentence
    cites.
    """
    return any((_PATTERNS["cited"].match(cell, end), _PATTERNS["prose"].search(cell, 0, start)))


def _leave_out_text(numbers: _Numbers, cell: _Cell) -> bool:
    numbers.running = numbers.running + 1 if is_running(cell.text) else 0
    numbers.text = numbers.text or (bool(numbers.found) and numbers.running == _LINES_OF_TEXT)
    opens = _PATTERNS["docket"].match(cell.text) is not None
    if numbers.text and not (opens and len(cell.text) <= _LONGEST_LABELLED):
        return True
    if len(cell.before) > _LONGEST_PARTY and is_running(cell.before):
        return True
    if cell.before[:1].islower() and BETWEEN_PARTIES.search(cell.before):
        return True  # "as in Pell v. Ryle,", then "No. 21-1061" behind a wide gap
    if _PATTERNS["cited_above"].search(cell.above):
        return True
    if opens and not _PATTERNS["mere_label"].match(cell.text):
        return False
    return is_running(cell.above) and cell.above[-1] not in ".:)"


def _take_in_front(numbers: _Numbers, cell: _Cell) -> bool:
    if in_front := _PATTERNS["docket_before"].match(cell.text):
        numbers.found += in_front["number"].split(", ")
    return False


def _leave_out_below(numbers: _Numbers, cell: _Cell) -> bool:
    numbers.below = numbers.below and cell.text != RULE and _PATTERNS["own_number"].match(cell.text) is None
    if _PATTERNS["below"].match(cell.text):
        # A form field may contain the case below; the court's own number may follow a rule.
        numbers.below = not cell.text.partition(":")[2]
        numbers.ended = numbers.below and bool(numbers.found)
        return True
    return numbers.below


def _take_of_year(numbers: _Numbers, cell: _Cell) -> bool:
    opens = numbers.goes_on or not numbers.found
    numbered = _PATTERNS["of_year"].match(cell.text.lstrip(" .")) if opens else None
    if numbered:
        numbers.found.append(numbered[0].rpartition(":")[2].strip(" ,"))
        numbers.yearly = True
    if numbers.yearly:
        # More numbers follow after "with"; those of the court below do not.
        behind = numbered.end() if numbered else 0
        numbers.goes_on = _PATTERNS["with_others"].search(cell.text, behind) is not None
    return numbers.yearly


def _leave_out_others(_: _Numbers, cell: _Cell) -> bool:
    numbered = any(map(str.isdecimal, cell.text)) and "itation" not in cell.text
    below = _PATTERNS["court_before"].search(cell.before) or _PATTERNS["court_above"].search(cell.above)
    return bool(below) or not (numbered and _is_own(cell.text))


def _take_of_kind(numbers: _Numbers, cell: _Cell) -> bool:
    kind = None if numbers.found else _PATTERNS["docket_of_kind"].match(cell.text)
    if kind:
        numbers.found.append(kind[1])
    return kind is not None


def _take_labelled(numbers: _Numbers, cell: _Cell) -> bool:
    labels = filter(None, (_PATTERNS[each].search(cell.text) for each in ("docket", "docket_label")))
    values = ((each, _PATTERNS["docket_value"].match(cell.text, each.end())) for each in labels)
    label, value = next((each for each in values if each[1]), (None, None))
    if label is None or value is None or not any(map(str.isdecimal, value[0])):
        return False
    if is_date(value[0]) and " " in value[0].strip():
        return False
    if _is_cited(cell.text, label.start(), value.end()):
        return True
    adversary = _PATTERNS["adversary"].match(label[0]) is not None
    numbers.add([*_list_numbers(value[0])], cell, first=adversary)
    return True


def _take_alone(numbers: _Numbers, cell: _Cell) -> bool:
    if not (numbers.labelled or not numbers.found) or not _PATTERNS["docket_alone"].match(cell.text):
        return False
    alone = _BRACKETED.sub(r"\1", _PATTERNS["label_before"].sub("", cell.text, count=1))
    numbers.add([*_list_numbers(alone)] if ", " in alone else [alone], cell)
    return True


RULES = (
    DocketRule("running text names other cases", "She sued in Pell v. Ryle, No. 21-1061,", _leave_out_text),
    DocketRule("the number stands before the case's name", "A23A0417. PELL v. RYLE.", _take_in_front),
    DocketRule("what follows is of the court below", "Appeal from the District Court", _leave_out_below),
    DocketRule("an Indian number has its year", "Civil Appeal No. 1533 of 2004", _take_of_year),
    DocketRule("a number of something else", "[Dkt. No. 86]", _leave_out_others),
    DocketRule("an Indian High Court's number", "CS(COMM) 123/2020", _take_of_kind),
    DocketRule("a number has its label", "Case No. 1:21-cv-01061", _take_labelled),
    DocketRule("a line is a number of a court's form", "B301234", _take_alone),
)
"""The rules for the cells of a caption, in the order in which they are applied."""


def _list_own_cells(rows: Sequence[Row]) -> Iterator[tuple[int, str]]:
    """Yield the cells with their columns and with plain hyphens, skipping lists of other cases in which the
    paper is also filed.
    """
    related = False
    for column, cell in itertools.chain.from_iterable(map(enumerate, rows)):
        related = cell != RULE and (related or relates_to_others(cell))
        if not related:
            yield column, cell.translate(_HYPHENS)


def _join_labels(cells: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the cells, joining each number with the label to its left or above it. Numbers labelled as those
    of the court below are skipped.
    """
    before: re.Match[str] | None = None
    above: dict[int, re.Match[str] | None] = {}
    for column, cell in cells:
        label = before or above.get(column)
        if label is None or not _PATTERNS["docket_value"].match(cell):
            yield column, cell
        elif not label["below"]:
            yield column, f"{label.string} {cell}"
        before = above[column] = _PATTERNS["label_alone"].match(cell)


def _is_own(cell: str) -> bool:
    return len(cell) <= _LONGEST_LINE and _PATTERNS["not_own"].match(cell) is None


def _list_numbers(value: str) -> Iterator[str]:
    for each in re.split(r"\s+(?:&|and)\s+|[,;]\s*", value):
        number = re.sub(r"(?:\s(?=-\s))?-\s+(?=\d)", "-", each.strip(" .,:&").replace("–", "-"))
        if number.count("(") != number.count(")"):
            number = number.rpartition("(")[0] or number.strip("()")
        if any(map(str.isdecimal, number)) and "__" not in number:
            yield number
