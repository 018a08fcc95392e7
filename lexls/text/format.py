"""Declare what lexls asks of a draft's format, and do what the formats share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, Literal, Self

from lexls.text.double_spaced import join_double_spaced
from lexls.text.lines import match_lines
from lexls.text.phrases import compile_pattern, load_phrases
from lexls.text.spans import Span

TABLE = "table-of-authorities"
"""The part of a draft that lexls writes itself, by the name that the marks around it have."""
LONGEST_NOTE = 10_000
"""Code points; a bracket that is open for longer was forgotten."""
LONGEST_QUOTATION = 8000
"""Code points; no quotation inside a paragraph is longer."""
_MOST_OPEN = 500
"""Footnotes in one paragraph, from which on one that does not end is the last to be read."""

FoldKind = Literal["section", "block", "comment"]


class UnclosedTable(ValueError):
    """The mark of a table's beginning stands without that of its end, or the other way round."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its depth (1 is the outermost that the format knows), its words without marks, the span
    of the whole heading with its marks and that of the words."""

    level: int
    title: str
    line: Span
    words: Span

    def shift(self, by: int) -> Heading:
        """The heading ``by`` code points further on."""
        return replace(self, line=self.line.shift(by), words=self.words.shift(by))


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote: the span of its words in the source, and its label ("" where the format counts)."""

    content: Span
    label: str

    def shift(self, by: int) -> Footnote:
        """The footnote ``by`` code points further on."""
        return Footnote(self.content.shift(by), self.label)


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark in the text that refers to a footnote written elsewhere: its span in the source, its label."""

    span: Span
    label: str


@dataclass(frozen=True, slots=True)
class InnerNote:
    """A footnote written where its mark stands: where its words begin, and where they end.

    The end is None if it does not lie in what was read.
    """

    start: int
    end: int | None


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines that fold into the first of them: from that line's part of ``span`` to the last one's."""

    span: Span
    kind: FoldKind


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A bibliography that a draft names: as it is written, and where."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class KeyUse:
    """A key cited in a draft.

    ``span`` is the citation ("@carrow, para 14"), ``core`` the key in it, ``locator`` the words that say
    where in the authority, None without any. ``sure`` is False where the words may be no citation at all: a
    key outside of brackets may be a name on some network, or refer to a figure.
    """

    span: Span
    core: Span
    key: str
    locator: Span | None
    sure: bool

    def shift(self, by: int) -> KeyUse:
        """The same ``by`` code points further on."""
        locator = self.locator.shift(by) if self.locator is not None else None
        return KeyUse(self.span.shift(by), self.core.shift(by), self.key, locator, self.sure)


_FORMATS = "lexls.text.formats"


@cache
def load_names() -> Mapping[str, Any]:
    """The names of all formats and of their files, without the formats themselves."""
    return load_phrases(_FORMATS, "names.toml")


@dataclass(frozen=True, eq=False, kw_only=True)
class Format:
    """A format that drafts are written in: its signs as fields, what takes more than signs as methods.

    Offsets and spans count code points of the source that a method is given. What a format does not have is
    empty, as it is in plain text.
    """

    name: str
    """What lexls itself calls it; ``title`` is for people."""
    title: str
    languages: tuple[str, ...]
    """The editors' language ids, that of the protocol first; ``filetypes`` are Vim's."""
    filetypes: tuple[str, ...]
    suffixes: tuple[str, ...]
    """Of files, in lower case; none belongs to two formats."""

    far: re.Pattern[str] | None = None
    """What reaches beyond its paragraph: where the old or new words of an edit hold it, all is masked anew.
    Brackets of the pairs in ``brackets`` do so where they do not close."""
    brackets: tuple[str, ...] = ()

    special: re.Pattern[str] | None = None
    """A character to be escaped: as ``escapes`` says, else by a backslash."""
    escapes: Mapping[str, str] = field(default_factory=dict)
    signs: tuple[tuple[str, str], ...] = ()
    """Signs of a pinpoint, and how they are written."""
    italics: tuple[tuple[str, str], ...] = ()
    """What stands around emphasised words, the usual marks of italics first."""
    emphasis: Mapping[str, str] = field(default_factory=dict)
    """The style, "B", "I" or "BI", of words between two equal runs of signs, or behind a command up to the
    bracket that closes the one it ends with."""
    ties: tuple[str, ...] = ()
    """Marks that are printed as a space; ``ellipses`` as dots."""
    ellipses: tuple[str, ...] = ()
    typeset: bool = True
    """Whether a range has an en dash; ``hyphens`` says that two hyphens print as one."""
    hyphens: bool = False

    comment: tuple[str, str] | None = None
    """What stands around a comment of one line."""
    headings: tuple[tuple[str, str], tuple[str, str]] = (("", ""), ("", ""))
    """What stands around a written heading of the first and the second depth."""
    list_ends: tuple[str, str] | None = None
    """Lines around a written list."""
    item: tuple[str, str] = ("", ": ")
    """What stands before an item, and between it and what is said of it."""

    page_mark: str = ""
    """What marks a place whose page a table tells, «number» being the mark's; empty without pages."""
    page_name: str = ""
    """How such a mark is named in ``page_list``, which writes the pages of the «names» and, from «passim» of
    them on (0: never), that word; ``page_definition`` are the lines that say how."""
    page_list: str = ""
    page_definition: str = ""

    note_opening: re.Pattern[str] | None = None
    """The mark of a footnote up to where its words begin; they end with ``note_brackets``."""
    note_brackets: str = "[]"
    new_note: tuple[str, str] | None = None
    """What stands around the words of a new footnote."""
    note_reference: re.Pattern[str] | None = None
    """A mark with the ``label`` of a footnote whose words, the ``content``, ``note_definition`` finds."""
    note_definition: re.Pattern[str] | None = None
    label_marks: tuple[str, str] = ("", "")
    """What stands around such a label; ``definition`` is what follows them before the words."""
    definition: str = ""
    supports: tuple[str, ...] = ()
    """What begins a footnote or a reference to a bibliography."""

    inclusion: re.Pattern[str] | None = None
    """What puts in the text of another file of the ``name``, in a ``folder``."""
    main_file: re.Pattern[str] | None = None
    """What says in such a file the ``name`` of the main one, from whose folder all names count."""
    count_anew: re.Pattern[str] | None = None
    """A heading behind which footnotes are numbered from 1 on."""

    quote_prefix: str = ""
    """What each line of a quoted block begins with."""
    quote_command: re.Pattern[str] | None = None
    """A command whose brackets hold a quotation; ``quote_signs`` are brackets, escapes and its beginning."""
    quote_signs: re.Pattern[str] | None = None
    quotation_marks: tuple[tuple[str, str, str], ...] = ()
    """Quotation marks beside the usual ones: a pattern for the opening one, and both as they are written."""

    pasted: bool = False
    """Whether the lines of double-spaced text that is pasted into a draft are joined to paragraphs."""
    typed_key: re.Pattern[str] | None = None
    """A ``key`` of a bibliography that is being typed at the end of a line's beginning."""
    hayagriva: bool = False
    """Whether bibliographies in YAML are Hayagriva and not CSL."""

    @classmethod
    def load(cls, name: str) -> Self:
        """The format with the signs that ``formats/NAME.toml`` declares, under the names of the fields.

        What it is called, and which files are of it, is in ``formats/names.toml``.
        """
        data = load_phrases(_FORMATS, f"{name}.toml") | load_names()[name]
        signs: dict[str, Any] = {}
        for each in fields(cls):
            if (value := data.get(each.name)) is not None:
                is_pattern = str(each.type).startswith("re.Pattern")
                signs[each.name] = compile_pattern(value, {}, 0) if is_pattern else _freeze(value)
        return cls(name=name, **signs)

    @property
    def italic(self) -> tuple[str, str]:
        """The usual marks of italics; two empty strings where there are none."""
        return self.italics[0] if self.italics else ("", "")

    # -- masking ---------------------------------------------------------------------------------------------

    def mask(self, source: str) -> str:
        """``source`` with its marks blanked, code point for code point of the same length.

        What is no prose (code, mathematics, comments, a preamble, front matter, lexls's own table of
        authorities) becomes spaces, line ends kept; marks around prose (emphasis, headings, commands) become
        spaces, the prose stays. So every offset in the masked text is an offset in the source. Lines end in a
        line feed, whatever ends them in the source; an item of a list begins with ``ITEM``, and ``LINE``
        joins the lines of double-spaced text. Unknown or broken marks stay as they are.
        """
        masked = self.blank(source)
        if "\r" in masked:
            masked = masked.replace("\r\n", " \n").replace("\r", "\n")
        if self.pasted:
            masked = join_double_spaced(masked)
        try:
            table = self.find_table(source)
        except UnclosedTable:
            table = None
        if table is not None:  # what it lists is cited elsewhere
            masked = masked[: table.start] + re.sub(r"[^\n]", " ", table.of(masked)) + masked[table.end :]
        if len(masked) != len(source):
            raise AssertionError(f"masking {self.name} changed the length: {len(source)}, {len(masked)}")
        return masked

    def blank(self, source: str) -> str:
        """``source`` with the format's own marks blanked; line ends and lexls's table are `mask`'s affair."""
        return source

    def reaches_far(self, source: str, was: str, now: str) -> bool:
        """Return whether an edit of ``source`` that makes ``was`` into ``now`` may change marks beyond
        them."""
        if self.far is not None and (self.far.search(was) or self.far.search(now)):
            return True
        return not all(_closed(text, pair) for pair in self.brackets for text in (was, now))

    def drop_lone_marks(self, text: str) -> str:
        """Masked ``text`` without the mark of an emphasis whose other mark lies outside of it."""
        return text

    # -- writing ---------------------------------------------------------------------------------------------

    def escape(self, text: str) -> str:
        """``text`` with the characters that mean something in the format escaped."""
        if self.special is None:
            return text
        return self.special.sub(lambda match: self.escapes.get(match.group(), "\\" + match.group()), text)

    def write_words(self, text: str) -> str:
        """Foreign words on one line, escaped so that they are these words and nothing else anywhere."""
        return self.escape(text)

    def write_at(self, source: str, offset: int, text: str) -> str:
        """``text``, which is written in the format, as it must be at ``offset``: where it would end what it
        stands in, that is escaped."""
        return text

    def write_signs(self, text: str) -> str:
        """Escaped ``text`` with the signs of a pinpoint as the format writes them."""
        for sign, written in self.signs:
            text = text.replace(sign, written)
        return text

    def write_heading(self, title: str, depth: int) -> str:
        """A heading of depth 1 or 2."""
        before, after = self.headings[depth - 1]
        return before + self.escape(title) + after

    def write_list(self, items: Sequence[tuple[str, str]]) -> Iterator[str]:
        """The lines of a list: each item and what is said of it ("" for nothing), written in the format."""
        before, between = self.item
        if self.list_ends is not None:
            yield self.list_ends[0]
        for item, said in items:
            yield before + item + (between + said if said else "")
        if self.list_ends is not None:
            yield self.list_ends[1]

    # -- the table of authorities ----------------------------------------------------------------------------

    @property
    def table_marks(self) -> tuple[str, str]:
        """The line before the table and the one behind it. Without comments they are words."""
        if self.comment is None:
            return "TABLE OF AUTHORITIES", "END OF THE TABLE OF AUTHORITIES"
        before, after = self.comment
        return f"{before}lexls:{TABLE}{after}", f"{before}/lexls:{TABLE}{after}"

    def find_page_marks(self, source: str) -> list[Span]:
        """The marks of places whose pages a table tells, in order."""
        if not self.page_mark:
            return []
        before, _, after = self.page_mark.partition("«number»")
        pattern = re.compile(rf"{re.escape(before)}\d{{1,6}}{re.escape(after)}")
        return [Span(*match.span()) for match in pattern.finditer(source)]

    def mark_page(self, number: int) -> str:
        """The mark of that number for a place whose page a table tells."""
        return self.page_mark.replace("«number»", str(number))

    def list_pages(self, numbers: Sequence[int], passim: int) -> str:
        """The pages of the marks of those numbers; from ``passim`` pages on (0: never) that word."""
        names = ", ".join(self.page_name.replace("«number»", str(number)) for number in numbers)
        return self.page_list.replace("«passim»", str(passim)).replace("«names»", names)

    def find_table(self, source: str) -> Span | None:
        """The table of authorities with its marks; None if the draft has none.

        Raises UnclosedTable where one of the marks is missing: then nobody knows what belongs to the table.
        """
        opening, closing = self.table_marks
        if opening not in source and closing not in source:
            return None
        last = next(_lines(source, closing), None)
        # The nearest mark above: where it is words, somebody may have written such a heading.
        before = [each for each in _lines(source, opening) if last is None or each.end <= last.start]
        first = before[-1] if before else None
        if first is None and last is None:
            return None
        if first is None or last is None:
            if self.comment is None:
                return None
            raise UnclosedTable(f"the table of authorities needs both its marks, {opening} and {closing}")
        return Span(first.start, last.end)

    # -- headings --------------------------------------------------------------------------------------------

    def find_headings(self, source: str, masked: str) -> tuple[Heading, ...]:
        """The headings in order; ``masked`` tells those in code or comments, which are left out."""
        return tuple(
            Heading(level, title, line, words)
            for level, line, words in self.find_heading_candidates(source)
            if (title := " ".join(words.of(masked).split()))
        )

    def find_heading_candidates(self, source: str) -> Iterator[tuple[int, Span, Span]]:
        """Return what looks like a heading: its depth, its whole span and that of its words."""
        return iter(())

    def find_body_end(self, source: str) -> int:
        """Return where the last section ends: what follows (notes, the end of the document) belongs to
        none."""
        return len(source)

    def find_folds(self, source: str) -> Iterator[Fold]:
        """Return what else can be folded: blocks, footnotes, comments; what stands on one line may be
        among it."""
        return iter(())

    # -- footnotes -------------------------------------------------------------------------------------------

    def find_note_marks(self, source: str, within: Span | None = None) -> list[Mark]:
        """The marks in a part of the source whose footnotes are written elsewhere."""
        if self.note_reference is None:
            return []
        start, end = (within.start, within.end) if within is not None else (0, len(source))
        found = self.note_reference.finditer(source, start, end)
        return [Mark(Span(*match.span()), match["label"]) for match in found]

    def find_defined_notes(self, source: str) -> list[Footnote]:
        """The footnotes that are written as paragraphs of their own, in order; each begins a line."""
        if self.note_definition is None or self.label_marks[0] not in source:
            return []
        found = match_lines(self.note_definition, source)
        return [Footnote(Span(*match.span("content")), match["label"]) for match in found]

    def find_inner_notes(self, source: str) -> list[InnerNote]:
        """The footnotes of a part of a source that are written where their marks stand."""
        found: list[InnerNote] = []
        for _, start, note in self._find_open(source):
            found.append(InnerNote(start, note.content.end if note is not None else None))
            if note is None and len(found) > _MOST_OPEN:
                break
        return found

    def _find_open(
        self, source: str, start: int = 0, end: int | None = None
    ) -> Iterator[tuple[int, int, Footnote | None]]:
        """Yield where marks with a footnote's words begin, where these do, and the footnote (None: no
        end)."""
        if self.note_opening is not None:
            for match in self.note_opening.finditer(source, start, len(source) if end is None else end):
                yield match.start(), match.end(), self.read_note(source, match.end())

    def read_note(self, source: str, start: int) -> Footnote | None:
        """The footnote written at its mark whose words begin at ``start``; None if it has no end."""
        end = find_closing(source, start, self.note_brackets)
        return Footnote(Span(start, end), "") if end >= 0 else None

    def find_notes(self, source: str) -> Iterator[Footnote]:
        """All footnotes of a draft: those written elsewhere, then those written at their marks."""
        yield from self.find_defined_notes(source)
        yield from (note for _, _, note in self._find_open(source) if note is not None)

    def find_note_at(self, source: str, offset: int) -> Footnote | None:
        """The footnote in whose words ``offset`` stands."""
        return next((note for note in self.find_notes(source) if note.content.touches(offset)), None)

    def find_note_behind(self, source: str, offset: int) -> Footnote | None:
        """The footnote whose mark stands right at ``offset``, before the one punctuation mark there, or right
        before a stop that ends there ("liable[^1].")."""
        for at in (offset, offset - 1):
            if at < 0:
                continue
            if self.note_reference is not None and (reference := self.note_reference.match(source, at)):
                note = self._labelled(source, reference["label"])
                if note is not None:
                    return note
            if self.note_opening is not None and (opening := self.note_opening.match(source, at)):
                return self.read_note(source, opening.end())
        end = offset - 1 if 0 < offset <= len(source) and source[offset - 1] in ".,;:?!" else offset
        if self.note_reference is None:
            return next((note for note in self.find_notes(source) if note.content.end + 1 == end), None)
        start = source.rfind(self.label_marks[0], max(0, end - 84), end)
        before = self.note_reference.match(source, start) if start >= 0 else None
        return self._labelled(source, before["label"]) if before and before.end() == end else None

    def _labelled(self, source: str, label: str) -> Footnote | None:
        return next((note for note in self.find_notes(source) if note.label == label), None)

    @property
    def has_notes(self) -> bool:
        """Return whether drafts of the format have footnotes."""
        return self.note_opening is not None or self.note_reference is not None

    def find_note_spans(self, source: str, within: Span) -> list[Span]:
        """The footnotes written in a part of the source, and the marks of others, each with its marks."""
        found = [mark.span for mark in self.find_note_marks(source, within)]
        opened = self._find_open(source, within.start, within.end)
        return sorted(
            [*found, *(Span(at, note.content.end + 1) for at, _, note in opened if note is not None)]
        )

    def skip_note_mark(self, source: str, at: int) -> int:
        """The place behind the mark of a footnote that stands at ``at``, with its words if they stand there;
        ``at`` itself if there is none."""
        if self.note_reference is not None and (reference := self.note_reference.match(source, at)):
            return reference.end()
        opening = self.note_opening.match(source, at) if self.note_opening is not None else None
        note = self.read_note(source, opening.end()) if opening else None
        return note.content.end + 1 if note is not None else at

    def insert_note(self, source: str, at: int, text: str) -> list[tuple[int, str]]:
        """The insertions (offset, text) that make a footnote with ``text`` as its words, its mark at ``at``.

        Without footnotes the words stand there in brackets.
        """
        if self.new_note is None:
            return [(at, f" ({text})")]
        before, after = self.new_note
        return [(at, before + (text if text.endswith(".") else text + ".") + after)]

    def find_lone_notes(self, source: str) -> Iterator[tuple[Span, str]]:
        """The marks without a footnote, and footnotes without a mark, that labels do not tell: where, and
        what is wrong."""
        return iter(())

    # -- quotations ------------------------------------------------------------------------------------------

    def find_commanded(self, source: str) -> Iterator[tuple[Span, Span]]:
        """Yield what stands in a command that quotes: with the command, and without."""
        if self.quote_command is None or self.quote_signs is None:
            return
        opened: list[Span | None] = []
        position = 0
        for match in self.quote_signs.finditer(source):
            at = match.start()
            if at < position:
                continue
            if match.group() in "}]":
                command = opened.pop() if opened else None
                if command is not None and at - command.end <= LONGEST_QUOTATION:
                    yield Span(command.start, at + 1), Span(command.end, at)
                continue
            quotes = self.quote_command.match(source, at)
            position = quotes.end() if quotes else match.end()
            if quotes or match.group() in "{[":
                opened.append(Span(*quotes.span()) if quotes else None)

    def find_block_quotations(
        self, source: str, read_paragraphs: Callable[[], Sequence[Span]]
    ) -> Iterator[int]:
        """Yield which of the paragraphs are quotations set off as blocks, by their places.

        ``read_paragraphs`` gives the paragraphs; they are asked for only where there may be such quotations.
        """
        if self.quote_prefix and self.quote_prefix in source:
            for place, paragraph in enumerate(read_paragraphs()):
                if self.is_quoted_line(source, paragraph.start):
                    yield place

    def is_quoted_line(self, source: str, offset: int) -> bool:
        """Return whether the line that holds ``offset`` is marked as one of a quoted block."""
        line = source.rfind("\n", 0, offset) + 1
        return bool(self.quote_prefix) and source[line : line + 4].lstrip().startswith(self.quote_prefix)

    def is_block_title(self, source: str, offset: int) -> bool:
        """Return whether the line that holds ``offset`` is the title of a block, which parts nothing from
        it."""
        return False

    # -- bibliographies --------------------------------------------------------------------------------------

    def find_keys(self, source: str, masked: str) -> tuple[KeyUse, ...]:
        """The keys cited in a block of a draft, in order; spans count from its beginning.

        ``masked`` is the block masked: what is code or a comment there cites nothing.
        """
        return ()

    def is_label(self, source: str, key: str) -> bool:
        """Return whether what looks like a key may name a place of the draft itself."""
        return False

    def find_front_matter(self, source: str) -> str:
        """The YAML at the draft's beginning, if it may declare a bibliography; "" otherwise."""
        return ""

    def find_bibliographies(self, source: str) -> Iterator[NamedFile]:
        """The files that commands of a draft name as its bibliography, in order."""
        return iter(())


def _freeze(value: Any) -> Any:
    """A value of TOML with tuples in place of lists."""
    return tuple(map(_freeze, value)) if isinstance(value, list) else value


def find_closing(source: str, start: int, pair: str, longest: int = LONGEST_NOTE) -> int:
    """Return where the bracket of a ``pair`` ("[]") that was opened before ``start`` closes; -1 if it does
    not.

    ``longest`` is how far is looked, in code points. What a backslash escapes does not count.
    """
    depth = 1
    for match in _brackets(pair).finditer(source, start, start + longest):
        sign = match.group()
        if sign == pair[0]:
            depth += 1
        elif sign == pair[1]:
            depth -= 1
            if depth == 0:
                return match.start()
    return -1


@cache
def _brackets(pair: str) -> re.Pattern[str]:
    return re.compile(rf"\\.|[{re.escape(pair)}]", re.DOTALL)


def find_places_within(
    read_paragraphs: Callable[[], Sequence[Span]], blocks: Sequence[Span]
) -> Iterator[int]:
    """The places of the paragraphs that lie in one of the blocks; both are in order."""
    at = 0
    for place, paragraph in enumerate(read_paragraphs() if blocks else ()):
        while at < len(blocks) and blocks[at].end <= paragraph.start:
            at += 1
        if at == len(blocks):
            return
        if blocks[at].start <= paragraph.start and paragraph.end <= blocks[at].end:
            yield place


def _lines(source: str, words: str) -> Iterator[Span]:
    """The lines that hold these words and nothing else."""
    at = source.find(words)
    while at >= 0:
        end = at + len(words)
        before = source[source.rfind("\n", 0, at) + 1 : at]
        stop = source.find("\n", end)
        after = source[end : stop if stop >= 0 else len(source)]
        if not before.strip() and not after.strip():
            yield Span(at, end)
        at = source.find(words, end)


def _closed(text: str, pair: str) -> bool:
    """Return whether every bracket of the kind that opens in a text closes in it, and the other way round."""
    depth = 0
    for match in _brackets(pair).finditer(text):
        if match.group() in pair:
            depth += 1 if match.group() == pair[0] else -1
            if depth < 0:
                return False
    return depth == 0
