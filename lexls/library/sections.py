"""Sections of Acts, regulations and treaties, and clauses of contracts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from lexls.library.document import AuthorityKind, Block
from lexls.library.extract import Piece
from lexls.library.headings import heading_level, is_short_title
from lexls.library.marks import Step, marks_at, nest, readings
from lexls.library.tops import Top, choose, schedules, top_of

_INLINE = re.compile(r"(?:(?<=[.;:—–-])|(?<=[.;:—–-]\s))\s{0,2}\((\d{1,2}[A-Z]?)\)\s{1,3}(?=[A-Z\"“])")
_FIRST_INLINE = re.compile(r"[.:—–-]{1,3}\s{0,2}(\((?:1|a)\))")
_PARENT_TEXT = re.compile(
    r"[*_]{0,3}(?:Provided|PROVIDED|Explanation|EXPLANATION|Exception|EXCEPTION|Illustration|ILLUSTRATION)"
)
_APART = re.compile(
    r"-(?:CITE|EXPCITE|SOURCE|MISC\d*|REFTEXT|COD|CHANGE|TRANS|EXEC|SECREF|End)-", re.IGNORECASE
)


@dataclass(slots=True)
class _State:
    """Where the walk over the pieces stands: the label of the open section and the steps below it."""

    prefix: str = ""
    root: str | None = None
    number: int = 0
    base: str = ""
    stack: list[Step] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)


def section_blocks(text: str, pieces: Sequence[Piece], kind: AuthorityKind) -> tuple[Block, ...]:
    """Blocks of an Act, a regulation, a treaty or a contract; empty if nothing in it is numbered.

    A section's label is its number ("12", "12A"), a clause's its decimal number ("7.2"), and what is nested
    has its marks in brackets ("12(2)(a)"). Paragraphs of a schedule have labels such as "Sch 2 para 3(1)".
    Provisos and explanations belong to the subsection, or the section, that they follow.
    """
    tops = [
        top for position, piece in enumerate(pieces) if (top := top_of(text, piece, position)) is not None
    ]
    cuts = schedules(text, pieces, tops)
    regions = [(0, ""), *cuts, (len(pieces), "")]
    state = _State()
    numbered = False
    for (begin, prefix), (end, _) in pairwise(regions):
        here = [top for top in tops if begin <= top.piece < end]
        chosen = choose(pieces, here, end, gaps=kind != "contract")
        numbered = numbered or bool(chosen)
        state.prefix, state.root, state.base, state.stack = prefix, prefix or None, prefix, []
        state.number = 0
        _walk(text, pieces, range(begin, end), chosen, {top.piece: top for top in tops}, state)
    if not numbered and not any(block.label for block in state.blocks):
        return ()
    return tuple(state.blocks)


def _walk(
    text: str,
    pieces: Sequence[Piece],
    positions: range,
    chosen: dict[int, Top],
    tops: dict[int, Top],
    state: _State,
) -> None:
    for position in positions:
        piece = pieces[position]
        top = tops.get(position)
        if position in chosen and top is not None:
            _open_section(text, piece, top, state)
        elif (
            top is not None
            and top.decimals
            and (state.number or not chosen)
            and _follows_decimally(top, state)
        ):
            _open_decimal(text, piece, top, state)
        elif _APART.match(text, piece.start, piece.end):
            state.root, state.base, state.stack = None, "", []
            state.blocks.append(Block(piece.start, piece.end, "text"))
        elif (level := _heading(text, pieces, position, chosen, state)) > 0:
            state.stack = []
            if state.prefix and position == positions[0]:
                state.blocks.append(Block(piece.start, piece.end, "section", state.prefix, 1))
            else:
                state.root, state.base = state.prefix or None, state.prefix
                state.blocks.append(Block(piece.start, piece.end, "heading", level=level))
        elif state.root is None:
            state.blocks.append(Block(piece.start, piece.end, "text"))
        else:
            _nested(text, piece, top, state)


def _heading(text: str, pieces: Sequence[Piece], position: int, chosen: dict[int, Top], state: _State) -> int:
    """The level of the heading that a piece is, 0 if none: within a section only what is clearly one."""
    piece = pieces[position]
    level = heading_level(text, piece)
    if piece.heading or (state.prefix and state.root == state.prefix and position + 1 not in chosen):
        return level
    if level and state.root is not None and not _section_follows(text, pieces, position, chosen):
        return 0
    if level:
        return level
    return 5 if position + 1 in chosen and is_short_title(text, piece) else 0


def _section_follows(text: str, pieces: Sequence[Piece], position: int, chosen: dict[int, Top]) -> bool:
    """Whether only headings stand between a piece and the next section."""
    for following in range(position + 1, min(position + 5, len(pieces))):
        if following in chosen:
            return True
        piece = pieces[following]
        if not (heading_level(text, piece) or is_short_title(text, piece)):
            return False
    return False


def _open_section(text: str, piece: Piece, top: Top, state: _State) -> None:
    label = f"{state.prefix} para {top.label}" if state.prefix else top.label
    state.root, state.number, state.base, state.stack = label, top.number, label, []
    marks, _ = marks_at(text, top.after, piece.end, bulleted=False)
    if marks:
        _push(marks, state)
        _add(text, piece.start, piece.end, state)
        return
    inline = _FIRST_INLINE.search(text, top.after, min(piece.end, top.after + 200))
    if inline is None:
        _add(text, piece.start, piece.end, state)
        return
    _add(text, piece.start, inline.start(1), state)
    marks, _ = marks_at(text, inline.start(1), piece.end, bulleted=False)
    _push(marks, state)
    _add(text, inline.start(1), piece.end, state)


def _follows_decimally(top: Top, state: _State) -> bool:
    """Whether a decimal clause belongs to the open section, or begins the next one."""
    if state.root is not None and top.number == state.number:
        return True
    return top.number == state.number + 1 and top.decimals.lstrip(".0") in ("", "1")


def _open_decimal(text: str, piece: Piece, top: Top, state: _State) -> None:
    label = top.label + top.decimals
    state.base = f"{state.prefix} para {label}" if state.prefix else label
    state.root, state.number, state.stack = state.base, top.number, []
    marks, _ = marks_at(text, top.after, piece.end, bulleted=False)
    _push(marks, state)
    _add(text, piece.start, piece.end, state)


def _nested(text: str, piece: Piece, top: Top | None, state: _State) -> None:
    """A piece inside a section: a subsection, a proviso, or more of what is open."""
    marks: list[str] = []
    if not piece.quoted:
        marks, _ = marks_at(text, piece.start, piece.end)
        if not marks and top is not None and top.style == "point" and not top.decimals:
            # "1." below "Article 5" is its first paragraph.
            marks = [top.label]
    if marks and _push(marks, state):
        _add(text, piece.start, piece.end, state)
    elif _PARENT_TEXT.match(text, piece.start, piece.end):
        state.stack = [step for step in state.stack[:1] if step.type == "number"]
        _add(text, piece.start, piece.end, state)
    else:
        _extend(text, piece, state)


def _push(marks: Sequence[str], state: _State) -> bool:
    stack = state.stack
    for written in marks:
        deeper = nest(stack, written)
        if deeper is None:
            return False
        stack = deeper
    state.stack = stack
    return bool(marks)


def _label(state: _State) -> str:
    return state.base + "".join(f"({step.written})" for step in state.stack)


def _add(text: str, start: int, end: int, state: _State, since: int = -1) -> None:
    """Add a block with the label that is open; subsections that follow each other in it are split off.

    The first block begins at ``since`` if that is given.
    """
    while start < end and text[start].isspace():
        start += 1
    stop = end
    while stop > start and text[stop - 1].isspace():
        stop -= 1
    if start >= stop:
        return
    begin = start if since < 0 else since
    for match in _INLINE.finditer(text, start + 1, stop):
        if len(state.stack) > 1 and state.stack[0].type != "number":
            break
        open_number = state.stack[0] if state.stack and state.stack[0].type == "number" else None
        step = next(readings(match[1]))
        if step.ordinal != (open_number.ordinal + 1 if open_number else 1):
            continue
        if open_number is None and state.stack:
            break
        at = match.start(1) - 1
        _block(text, begin, at, state)
        state.stack = [step]
        begin = at
    _block(text, begin, stop, state)


def _block(text: str, start: int, end: int, state: _State) -> None:
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        state.blocks.append(
            Block(start, end, "section", _label(state), 1 + state.base.count(".") + len(state.stack))
        )


def _extend(text: str, piece: Piece, state: _State) -> None:
    """Prolong the open block by a piece, which may hold further subsections."""
    last = state.blocks[-1] if state.blocks else None
    if last is not None and last.kind == "section" and last.label == _label(state):
        state.blocks.pop()
        _add(text, piece.start, piece.end, state, since=last.start)
    else:
        _add(text, piece.start, piece.end, state)
