"""Put the lines of a PDF's pages into reading order: one column after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, islice, pairwise
from statistics import quantiles
from typing import NamedTuple

from lexls.library.readers.pdf_margins import join_parts
from lexls.library.readers.pdf_page import DIVIDED, Line, PrintedPage


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines in reading order, and the left and right edge of their column, if any."""

    lines: Sequence[Line]
    edges: tuple[float, float] | None = None


_FEWEST = 4
_NARROWEST = 0.15
"""Minimum width of a column, as a share of the text's width."""
_GUTTER = 5.0
_FULL = 0.75
_WIDE = 0.6
_MOSTLY = 0.45
_FEWEST_CHARACTERS = 14
_SAME = 6.0
_DEEPEST = 3


def order_pages(pages: Sequence[PrintedPage]) -> list[list[Stretch]]:
    """Return the lines of each page in reading order, as runs that belong to one column or to none.

    Columns are runs of lines that mostly fill their width, with a gap between them that no line crosses.
    Captions and tables, whose lines are short, stay in the order of the text layer.
    """
    orders: list[list[Stretch] | None] = []
    gutters: Counter[int] = Counter()
    for page in pages:
        runs, gutter = _find_columns(_atoms(page.lines), ()) if _may_have_columns(page.lines) else (None, 0.0)
        orders.append(runs)
        if runs is not None:
            gutters[round(gutter / _SAME)] += 1
    if not gutters:
        return [[Stretch(_set_strays(page.lines))] for page in pages]
    if sum(gutters.values()) >= len(pages) / 3:
        known = [place * _SAME for place, _ in gutters.most_common(4)]
        for position, page in enumerate(pages):
            if orders[position] is None:
                orders[position] = _find_columns(_atoms(page.lines), known)[0]
    return [
        [*runs, *_turned_lines(page)] if runs is not None else [Stretch(_set_strays(page.lines))]
        for runs, page in zip(orders, pages, strict=True)
    ]


def _may_have_columns(lines: Sequence[Line]) -> bool:
    """Return whether a page may have columns: some lines have wide gaps or begin far from the left edge."""
    if any(line.parts for line in lines):
        return True
    if len(lines) < 2 * _FEWEST:
        return False
    left = min(line.left for line in lines)
    inner = left + _NARROWEST * (max(line.right for line in lines) - left)
    return sum(line.left > inner for line in lines) >= _FEWEST


def _turned_lines(page: PrintedPage) -> list[Stretch]:
    turned = [line for line in page.lines if line.turned]
    return [Stretch(turned)] if turned else []


class _Atom(NamedTuple):
    """A line, or its part on one side of a wide gap. ``whole`` is the entire line and ``at`` its index."""

    line: Line
    whole: Line
    at: int


def _atoms(lines: Sequence[Line]) -> list[_Atom]:
    return [
        _Atom(part, line, at)
        for at, line in enumerate(lines)
        if not line.turned
        for part in (line.parts or (line,))
    ]


def _find_columns(
    atoms: Sequence[_Atom], known: Sequence[float], depth: int = 0
) -> tuple[list[Stretch] | None, float]:
    """Return the runs of a page with columns and the left edge of the second column; None if it has no
    columns.

    ``known`` are the left edges of columns on other pages; a few lines suffice there.
    """
    if len(atoms) < (2 if known else 2 * _FEWEST) or depth > _DEEPEST:
        return None, 0.0
    best: tuple[int, list[Stretch], float] | None = None
    for place in _list_places(atoms, known):
        covered, runs = _divide(atoms, place, bool(known), depth)
        if runs is not None and (best is None or covered > best[0]):
            best = covered, runs, place
    if best is None and known and (runs := _only_first(atoms, known)):
        return runs, known[0]
    return (best[1], best[2]) if best is not None else (None, 0.0)


def _list_places(atoms: Sequence[_Atom], known: Sequence[float]) -> list[float]:
    """Return the positions at which a second column may begin: those where the most lines begin. If there are
    ``known`` edges, only positions near them are returned.
    """
    left = min(atom.line.left for atom in atoms)
    width = max(atom.line.right for atom in atoms) - left
    starts = Counter(round(atom.line.left / 2) for atom in atoms)
    places = sorted(
        (2.0 * place for place, count in starts.items() if known or count + starts[place + 1] >= _FEWEST),
        key=lambda place: -starts[round(place / 2)],
    )[:12]
    if known:
        return [place for place in places if any(abs(place - each) < 2 * _SAME for each in known)]
    first, last = left + _NARROWEST * width, left + (1 - _NARROWEST) * width
    return [place for place in places if first < place < last]


def _divide(
    atoms: Sequence[_Atom], place: float, known: bool, depth: int
) -> tuple[int, list[Stretch] | None]:
    """Divide a page whose second column begins at ``place``. Return the number of lines in columns, and the
    stretches; these are None if too few lines are in columns.
    """
    before = [atom for atom in atoms if atom.line.right <= place - _GUTTER]
    behind = [atom for atom in atoms if atom.line.left >= place - 3]
    if not known and min(len(before), len(behind)) < _FEWEST:
        return 0, None
    sides = {id(atom): 0 for atom in before} | {id(atom): 1 for atom in behind}
    runs: list[Stretch] = []
    covered = 0
    ordered = sorted(atoms, key=lambda atom: (-atom.line.top, atom.line.left))
    _join_last_lines(ordered, sides)
    for across, band in groupby(_merge_bands(ordered, sides), key=lambda atom: id(atom) not in sides):
        found = list(band)
        columns = None if across else _columns_of(found, sides, known or covered > 0, depth)
        if columns is None:
            runs.append(Stretch(_whole_lines(found)))
        else:
            runs += columns
            covered += len(found)
    return covered, runs if covered >= (2 if known else 2 * _FEWEST) else None


def _join_last_lines(ordered: Sequence[_Atom], sides: dict[int, int]) -> None:
    """Remove the short last lines of full-width paragraphs from ``sides``, since they only seem to belong to
    the first column.
    """
    before: Line | None = None
    for atom, following in zip(ordered, (*ordered[1:], None), strict=True):
        line = atom.line
        if id(atom) not in sides:
            before = line
        elif (
            before is not None
            and sides[id(atom)] == 0
            and -0.5 * line.height < before.bottom - line.top < 0.7 * line.height
            and abs(before.height - line.height) < 0.05 * line.height
            and (following is None or following.line.top <= line.bottom + 0.3 * line.height)
        ):
            del sides[id(atom)]
            before = line
        else:
            before = None


def _merge_bands(ordered: Sequence[_Atom], sides: dict[int, int]) -> Iterator[_Atom]:
    """Yield the atoms from the top down. Atoms at the same height as a line that crosses the gap directly
    follow that line.
    """
    waiting: list[_Atom] = []
    for atom in ordered:
        if waiting and waiting[0].line.bottom >= (atom.line.top + atom.line.bottom) / 2:
            yield from waiting
            waiting = []
        if id(atom) in sides and not waiting:
            yield atom
        else:
            waiting.append(atom)
    yield from waiting


def _columns_of(
    band: Sequence[_Atom], sides: dict[int, int], known: bool, depth: int
) -> list[Stretch] | None:
    """Return the runs of a band that no line crosses, if both of its sides are columns of text; otherwise
    None.
    """
    halves = [[atom for atom in band if sides[id(atom)] == side] for side in (0, 1)]
    if not known and (min(map(len, halves)) < _FEWEST - 1 or not _stand_beside(*halves)):
        return None
    runs: list[Stretch] = []
    for half in halves:
        if not half:
            continue
        inner, _ = _find_columns(half, (), depth + 1)
        if inner is not None:
            runs += inner
        elif _is_prose(half) or (known and len(half) < _FEWEST and _is_prose(band)):
            lines = _column_lines(half)
            runs.append(Stretch(lines, _edges(lines)))
        else:
            return None
    return runs


def _stand_beside(left: Sequence[_Atom], right: Sequence[_Atom]) -> bool:
    """Return whether the two sides of a band are at the same height, not one above the other."""
    tops = [max(atom.line.top for atom in half) for half in (left, right)]
    bottoms = [min(atom.line.bottom for atom in half) for half in (left, right)]
    shared = min(tops) - max(bottoms)
    return shared > 0.5 * min(top - bottom for top, bottom in zip(tops, bottoms, strict=True))


def _is_prose(atoms: Sequence[_Atom]) -> bool:
    """Return whether lines mostly fill the width of their column, unlike those of a table or a caption."""
    left = min(atom.line.left for atom in atoms)
    width = max(atom.line.right for atom in atoms) - left
    full = [atom for atom in atoms if atom.line.right - atom.line.left > _FULL * width]
    if len(full) < _MOSTLY * len(atoms):
        return False
    return sum(len(atom.line.text) for atom in full) >= _FEWEST_CHARACTERS * len(full)


def _only_first(atoms: Sequence[_Atom], known: Sequence[float]) -> list[Stretch]:
    """Return the only run of a page whose text ends within its first column; an empty list for any other
    page.
    """
    right = max(atom.line.right for atom in atoms)
    if all(right > place for place in known) or not _is_prose(atoms):
        return []
    lines = _column_lines(atoms)
    return [Stretch(lines, _edges(lines))]


def _edges(lines: Sequence[Line]) -> tuple[float, float]:
    """Return the left edge at which most lines of a column begin, and the right edge that most of them stay
    within.
    """
    lefts = Counter(round(line.left) for line in lines)
    rights = sorted(line.right for line in lines)
    return float(lefts.most_common(1)[0][0]), rights[int(len(rights) * 0.9)]


def _column_lines(atoms: Sequence[_Atom]) -> list[Line]:
    """Return the lines of a column from the top down; parts at the same height are joined."""
    lines: list[list[Line]] = []
    for whole in sorted(_whole_lines(atoms), key=lambda line: -line.bottom):
        before = lines[-1][0] if lines else None
        if before is not None and _share_height(before, whole):
            lines[-1].append(whole)
        else:
            lines.append([whole])
    return [row[0] if len(row) == 1 else join_parts(sorted(row, key=lambda line: line.left)) for row in lines]


def _share_height(line: Line, other: Line) -> bool:
    shared = min(line.top, other.top) - max(line.bottom, other.bottom)
    return shared > 0.5 * min(line.top - line.bottom, other.top - other.bottom)


def _whole_lines(atoms: Sequence[_Atom]) -> list[Line]:
    """Return the whole lines to which the atoms belong, in the order of the text layer. If only some parts of
    a line are given, these parts are joined.
    """
    lines = []
    for _, group in groupby(sorted(atoms, key=lambda atom: atom.at), key=lambda atom: atom.at):
        row = list(group)
        whole = row[0].whole
        parts = sorted((atom.line for atom in row), key=lambda line: line.left)
        lines.append(whole if len(parts) == max(1, len(whole.parts)) else join_parts(parts))
    return lines


def _set_strays(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines, moving lines at the top of the page that are last in the text layer to the beginning.

    If the text layer does not have the full lines in order from the top down, all lines are sorted instead.
    """
    if len(lines) < 3:
        return lines
    wide = _WIDE * (max(line.right for line in lines) - min(line.left for line in lines))
    full = [line for line in lines if line.right - line.left > wide and not line.turned]
    if any(later.bottom >= earlier.top for earlier, later in pairwise(full)):
        return sorted(lines, key=lambda line: (-round((line.top + line.bottom) / 2), line.left))
    rest = list(lines)
    while len(rest) > 2 and rest[-1].bottom >= rest[0].top and not rest[-1].turned:
        rest.pop()
    high = lines[len(rest) :]
    if not high or any(line.top > min(each.bottom for each in high) for line in rest):
        # They are not above all other lines: this is the second column of a caption.
        return lines
    return [*high, *rest]


_NARROW = 4
"""Number of groups of equal size into which the letter widths are divided. The upper limit of the lowest
group is the width of a code point in the grid.
"""
_LONG_ENOUGH = 6
"""Minimum length, in code points, of a cell whose letter width is measured."""
_BETWEEN_CELLS = 3
_WIDEST = 300
"""Maximum grid column, in code points, at which a cell begins."""
_MOST_CELLS = 400
"""Maximum number of stretches, and of cells in each stretch, that are laid out; opening pages have no
more.
"""
_BLANK = 1.6
"""Minimum distance from the line above, in line heights, that is shown as a blank line."""


def lay_out(stretches: Sequence[Stretch]) -> str:
    """Return the lines of a page as they are laid out on it. Cells at the same height are separated by white
    space; columns of text follow each other.
    """
    cells = [[*islice(_list_cells(each), _MOST_CELLS)] for each in stretches[:_MOST_CELLS]]
    widths = [
        (cell.right - cell.left) / len(cell.text)
        for cell in chain.from_iterable(cells)
        if len(cell.text) >= _LONG_ENOUGH
    ]
    wide = max(quantiles(widths, n=_NARROW)[0], 1.0) if len(widths) > 1 else 1.0
    laid = chain.from_iterable(("", *_set_rows(each, wide)) for each in cells if each)
    return "\n".join(laid).replace(DIVIDED, "-")


def _list_cells(stretch: Stretch) -> Iterator[Line]:
    for line in stretch.lines:
        if not line.turned:
            yield from (line,) if stretch.edges else line.cells or line.parts or (line,)


def _set_rows(cells: Sequence[Line], wide: float) -> Iterator[str]:
    """Yield the text lines of a stretch, with each cell at its position in a grid of ``wide`` points per code
    point.
    """
    edge = min(cell.left for cell in cells)
    above: Line | None = None
    for row in _list_rows(cells):
        text = ""
        for cell in sorted(row, key=lambda each: each.left):
            column = min(round((cell.left - edge) / wide), _WIDEST)
            text = text.ljust(max(column, len(text) + _BETWEEN_CELLS if text else 0)) + cell.text
        if above is not None and above.bottom - row[0].bottom > _BLANK * max(above.height, row[0].height):
            yield ""
        yield text
        above = row[0]


def _list_rows(cells: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield groups of cells at the same height, from the top down."""
    row: list[Line] = []
    for cell in sorted(cells, key=lambda each: -(each.top + each.bottom)):
        if row and not _share_height(row[0], cell):
            yield row
            row = []
        row.append(cell)
    if row:
        yield row
