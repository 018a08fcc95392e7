"""Find the sections of Acts, regulations and treaties, and the clauses and schedules of contracts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from lexls.library.document import AuthorityKind, Block, ExtractedPiece
from lexls.library.headings import find_heading_level, is_short_title
from lexls.library.marks import MarkStep, Numbered, find_rising, list_readings, nest, read_marks
from lexls.text.lexicon import FIRST_TO_TENTH, ORDINALS, read_roman

_TOP = re.compile(
    r"""[\#*_>\s]{0,12}
    (?:(?P<word>section|sec\.|s\.|article|art\.|rule|regulation|reg\.|clause|§)\s*)?
    (?:(?P<number>\d{1,4})(?P<suffix>[A-Z]{0,3})|(?P<roman>[IVXL]{1,7}))
    (?P<decimals>(?:\.\d{1,3}){0,4})
    (?P<after>\s?\\?[.):]{1,2}|\s?[—–-]|)[*_]{0,3}
    (?P<gap>\s*)(?P<next>[A-Z"“‘'(\[*_—–-]|$)""",
    re.VERBOSE | re.IGNORECASE,
)
_SCHEDULE = re.compile(
    rf"[\#*_\s]*(?:(?:the\s+)?(?P<ordinal>{FIRST_TO_TENTH})\s+schedule"
    r"|(?:the\s+)?(?P<word>schedule|annex(?:ure)?|appendix|exhibit(?!\s*\d{1,3}\.\d))"
    r"\s*(?P<label>[\dIVXL]{1,5}(?:\.\d{1,2})*[A-Z]?\b|[A-Z]\b)?)",
    re.IGNORECASE,
)
# "Exhibit 10.2" is the number under which a contract was filed.
_STYLE_WEIGHT = {"word": 1.6, "point": 1.0, "bare": 0.9}
_BODY = 60
_SHORT_WEIGHT = 0.6


@dataclass(frozen=True, slots=True)
class Top:
    """A piece that may open a section: its number, its style, and the offset after its mark."""

    piece: int
    number: int
    label: str
    decimals: str
    style: str
    after: int
    suffix: str = ""


def find_top(text: str, piece: ExtractedPiece, position: int) -> Top | None:
    """Return the number with which a piece opens, if it may be a section's; ``position`` is the piece's
    index.
    """
    if piece.quoted:
        return None
    match = _TOP.match(text, piece.start, min(piece.end, piece.start + 60))
    if match is None:
        return None
    word, after, decimals = match["word"], match["after"].strip(), match["decimals"]
    following = match["next"]
    ended = match.end() >= piece.end
    if match["roman"]:
        number, suffix = read_roman(match["roman"]), ""
        if not word or match["roman"] != match["roman"].upper() or not number:
            return None
        label = str(number)
    else:
        number, suffix = int(match["number"]), match["suffix"]
        label = match["number"] + suffix
    if suffix != suffix.upper() or (following.isalpha() and not following.isupper()):
        return None
    if word:
        if not (after or ended or (match["gap"] and following not in "[—–-")):
            return None
        style = "word"
    elif decimals or (after and after[0] in ".):—–-"):
        if not match["gap"] and following.isalpha() and not after:
            return None
        style = "point"
    else:
        if not match["gap"] or not following or following in "—–-":
            return None
        style = "bare"
    return Top(position, number, label, decimals, style, match.end() - len(following), suffix)


def choose(pieces: Sequence[ExtractedPiece], tops: Sequence[Top], end: int, *, gaps: bool) -> dict[int, Top]:
    """Return the tops that open sections, by piece: the heaviest rising sequence of numbers in one style.

    With ``gaps``, numbers may be missing (repealed sections, extracts from an Act).
    """
    best: list[Top] = []
    best_score = 0.0
    whole = [top for top in tops if not top.decimals]
    for style, style_weight in _STYLE_WEIGHT.items():
        candidates = [top for top in whole if top.style == style]
        if not candidates:
            continue
        bodies = _bodies(pieces, candidates, end)
        numbered = [
            Numbered(top.piece, top.number, top.suffix, 1.0 if body >= _BODY else _SHORT_WEIGHT)
            for top, body in zip(candidates, bodies, strict=True)
        ]
        chain = find_rising(numbered, any_gap=gaps or style == "word")
        score = sum(numbered[index].weight for index in chain) * style_weight
        alone = len(chain) < 2 and style != "word"
        if alone and not (chain and numbered[chain[0]].number == 1 and bodies[chain[0]] >= _BODY):
            continue
        if score > best_score:
            best, best_score = [candidates[index] for index in chain], score
    return {top.piece: top for top in best}


def _bodies(pieces: Sequence[ExtractedPiece], tops: Sequence[Top], end: int) -> list[int]:
    """Return the length of the text from each top to the next, in code points."""
    ends = [top.piece for top in tops[1:]] + [end]
    return [pieces[stop - 1].end - pieces[top.piece].start for top, stop in zip(tops, ends, strict=True)]


def find_schedules(text: str, pieces: Sequence[ExtractedPiece], tops: Sequence[Top]) -> list[tuple[int, str]]:
    """Return the pieces at which schedules begin, with their labels, ignoring a table of contents."""
    found: list[tuple[int, str]] = []
    for position, piece in enumerate(pieces):
        if piece.quoted or piece.end - piece.start > 110 or not find_heading_level(text, piece):
            continue
        if match := _SCHEDULE.match(text, piece.start, piece.end):
            found.append((position, _schedule_label(match)))
    for index, (position, _) in enumerate(found):
        before = [top for top in tops if top.piece < position]
        chain = list(choose(pieces, before, position, gaps=True).values())
        bodies = _bodies(pieces, chain, position) if chain else []
        if bodies and sum(body >= _BODY for body in bodies) * 2 >= len(bodies):
            return found[index:]
    return []


def _schedule_label(match: re.Match[str]) -> str:
    if match["ordinal"]:
        return f"Sch {ORDINALS[match['ordinal'].lower()]}"
    word = match["word"].lower()
    name = "Sch" if word == "schedule" else word.capitalize()
    return f"{name} {match['label'] or ''}".strip()


_INLINE = re.compile(r"(?:(?<=[.;:—–-])|(?<=[.;:—–-]\s))\s{0,2}\((\d{1,2}[A-Z]?)\)\s{1,3}(?=[A-Z\"“])")
_FIRST_INLINE = re.compile(r"[.:—–-]{1,3}\s{0,2}(\((?:1|a)\))")
_PARENT_TEXT = re.compile(
    r"[*_]{0,3}(?:Provided|PROVIDED|Explanation|EXPLANATION|Exception|EXCEPTION|Illustration|ILLUSTRATION)"
)
_APART = re.compile(
    r"-(?:CITE|EXPCITE|SOURCE|MISC\d*|REFTEXT|COD|CHANGE|TRANS|EXEC|SECREF|End)-", re.IGNORECASE
)


class _Walk:
    """Collects the blocks of a text from its pieces.

    ``_prefix`` is the label of the current schedule. ``_root`` is the label of the open section or clause,
    and ``_number`` is its number. Blocks nested in it are labelled ``_base`` followed by the steps in
    ``_stack``.
    """

    def __init__(self, text: str, pieces: Sequence[ExtractedPiece]) -> None:
        self.blocks: list[Block] = []
        self._text = text
        self._pieces = pieces
        self._root: str | None = None
        self._number = 0
        self._prefix = self._base = ""
        self._stack: list[MarkStep] = []

    def walk(self, positions: range, prefix: str, chosen: Mapping[int, Top], tops: Mapping[int, Top]) -> None:
        """Process the pieces at ``positions``: a schedule with the label ``prefix``, or text outside
        schedules ("").

        ``chosen`` are those of ``tops`` (by piece) that open sections.
        """
        self._prefix = self._base = prefix
        self._root, self._number, self._stack = prefix or None, 0, []
        for position in positions:
            piece, top = self._pieces[position], tops.get(position)
            if position in chosen:
                self._open(piece, chosen[position])
            elif top is not None and top.decimals and (self._number or not chosen) and self._follows(top):
                self._open(piece, top)
            elif _APART.match(self._text, piece.start, piece.end):
                self._root, self._base, self._stack = None, "", []
                self.blocks.append(Block(piece.start, piece.end, "text"))
            elif (level := self._heading(position, chosen)) > 0:
                self._stack = []
                if prefix and position == positions[0]:
                    self.blocks.append(Block(piece.start, piece.end, "section", prefix, 1))
                else:
                    self._root, self._base = prefix or None, prefix
                    self.blocks.append(Block(piece.start, piece.end, "heading", level=level))
            elif self._root is None:
                self.blocks.append(Block(piece.start, piece.end, "text"))
            else:
                self._nest(piece, top)

    def _heading(self, position: int, chosen: Mapping[int, Top]) -> int:
        """Return the level of a piece's heading, or 0; inside a section, only clear headings count."""
        piece = self._pieces[position]
        level = find_heading_level(self._text, piece)
        opens = position + 1 in chosen
        if piece.heading or (self._prefix and self._root == self._prefix and not opens):
            return level
        if level:
            return level if self._root is None or self._section_follows(position, chosen) else 0
        return 5 if opens and is_short_title(self._text, piece) else 0

    def _section_follows(self, position: int, chosen: Mapping[int, Top]) -> bool:
        """Return whether only headings separate a piece from the next section."""
        for following in range(position + 1, min(position + 5, len(self._pieces))):
            if following in chosen:
                return True
            piece = self._pieces[following]
            if not (find_heading_level(self._text, piece) or is_short_title(self._text, piece)):
                return False
        return False

    def _follows(self, top: Top) -> bool:
        """Return whether a decimal clause belongs to the open section, or begins the next one."""
        if self._root is not None and top.number == self._number:
            return True
        return top.number == self._number + 1 and top.decimals.lstrip(".0") in ("", "1")

    def _open(self, piece: ExtractedPiece, top: Top) -> None:
        """Open a section or a decimal clause; its first subsection may be on the same line."""
        label = top.label + top.decimals
        self._root = self._base = f"{self._prefix} para {label}" if self._prefix else label
        self._number, self._stack, start = top.number, [], piece.start
        marks, _ = read_marks(self._text, top.after, piece.end, bulleted=False)
        if not marks and not top.decimals:
            inline = _FIRST_INLINE.search(self._text, top.after, min(piece.end, top.after + 200))
            if inline is not None:
                start = inline.start(1)
                self._add(piece.start, start)
                marks, _ = read_marks(self._text, start, piece.end, bulleted=False)
        self._push(marks)
        self._add(start, piece.end)

    def _nest(self, piece: ExtractedPiece, top: Top | None) -> None:
        """Add a piece inside a section: a subsection, a proviso, or a continuation."""
        marks = [] if piece.quoted else read_marks(self._text, piece.start, piece.end)[0]
        if not marks and top is not None and top.style == "point" and not top.decimals:
            # "1." below "Article 5" is its first paragraph.
            marks = [top.label]
        since = -1
        if self._push(marks):
            pass
        elif _PARENT_TEXT.match(self._text, piece.start, piece.end):
            self._stack = [step for step in self._stack[:1] if step.type == "number"]
        elif self.blocks and self.blocks[-1].kind == "section" and self.blocks[-1].label == self._label():
            since = self.blocks.pop().start
        self._add(piece.start, piece.end, since)

    def _push(self, marks: Sequence[str]) -> bool:
        stack = self._stack
        for written in marks:
            deeper = nest(stack, written)
            if deeper is None:
                return False
            stack = deeper
        self._stack = stack
        return bool(marks)

    def _label(self) -> str:
        return self._base + "".join(f"({step.written})" for step in self._stack)

    def _add(self, start: int, end: int, since: int = -1) -> None:
        """Add a block with the current label, splitting off consecutive subsections inside it.

        The first block begins at ``since`` if that is given.
        """
        written = self._text[start:end]
        start, stop = end - len(written.lstrip()), start + len(written.rstrip())
        if start >= stop:
            return
        begin = start if since < 0 else since
        for match in _INLINE.finditer(self._text, start + 1, stop):
            if len(self._stack) > 1 and self._stack[0].type != "number":
                break
            open_number = self._stack[0] if self._stack and self._stack[0].type == "number" else None
            step = next(list_readings(match[1]))
            if step.ordinal != (open_number.ordinal + 1 if open_number else 1):
                continue
            if open_number is None and self._stack:
                break
            at = match.start(1) - 1
            self._block(begin, at)
            self._stack = [step]
            begin = at
        self._block(begin, stop)

    def _block(self, start: int, end: int) -> None:
        end = start + len(self._text[start:end].rstrip())
        if end > start:
            level = 1 + self._base.count(".") + len(self._stack)
            self.blocks.append(Block(start, end, "section", self._label(), level))


def find_sections(text: str, pieces: Sequence[ExtractedPiece], kind: AuthorityKind) -> tuple[Block, ...]:
    """Return the blocks of an Act, a regulation, a treaty or a contract; empty if nothing in it is numbered.

    A section's label is its number ("12", "12A"), a clause's its decimal number ("7.2"); nested units add
    their marks in brackets ("12(2)(a)"). Paragraphs of a schedule have labels such as "Sch 2 para 3(1)".
    Provisos and explanations belong to the subsection or section that they follow.
    """
    found = (find_top(text, piece, position) for position, piece in enumerate(pieces))
    tops = {top.piece: top for top in found if top is not None}
    regions = [(0, ""), *find_schedules(text, pieces, list(tops.values())), (len(pieces), "")]
    walk = _Walk(text, pieces)
    numbered = False
    for (begin, prefix), (end, _) in pairwise(regions):
        here = [top for top in tops.values() if begin <= top.piece < end]
        chosen = choose(pieces, here, end, gaps=kind != "contract")
        numbered = numbered or bool(chosen)
        walk.walk(range(begin, end), prefix, chosen, tops)
    return tuple(walk.blocks) if numbered or any(block.label for block in walk.blocks) else ()
