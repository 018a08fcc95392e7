"""Define the interface of a draft's format, and the behaviour that formats share."""

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
"""Name written in the marks around the table of authorities that lexls generates."""
LONGEST_NOTE = 10_000
"""Maximum length of a footnote in code points; brackets left open for longer are ignored."""
LONGEST_QUOTATION = 8000
"""Maximum length of a quotation within a paragraph, in code points."""
_MOST_OPEN = 500
"""Number of footnotes in one paragraph after which the first unclosed one ends the search."""

FoldKind = Literal["section", "block", "comment"]


class UnclosedTable(ValueError):
    """Only one of the two marks around the table of authorities is present."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its depth (1 is the outermost in the format), its title without marks, and its spans.

    ``line`` covers the whole heading with its marks, ``words`` only the title.
    """

    level: int
    title: str
    line: Span
    words: Span

    def shift(self, by: int) -> Heading:
        """Return the heading moved by ``by`` code points."""
        return replace(self, line=self.line.shift(by), words=self.words.shift(by))


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote: the span of its text in the source, and its label ("" if the format numbers footnotes)."""

    content: Span
    label: str

    def shift(self, by: int) -> Footnote:
        """Return the footnote moved by ``by`` code points."""
        return Footnote(self.content.shift(by), self.label)


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark for a footnote whose text is elsewhere: its span in the source, and its label."""

    span: Span
    label: str


@dataclass(frozen=True, slots=True)
class InnerNote:
    """A footnote written at its mark: the start and end of its text.

    ``end`` is None if the footnote ends outside the text that was read.
    """

    start: int
    end: int | None


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines that an editor can fold into their first line.

    ``span`` begins in the first line and ends in the last.
    """

    span: Span
    kind: FoldKind


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A bibliography named in a draft: the name as written, and its span."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class KeyUse:
    """A bibliography key cited in a draft.

    ``span`` is the citation ("@carrow, para 14"), ``core`` the key in it, and ``locator`` the text of the
    pinpoint, or None. ``sure`` is False if it might not be a citation: a key outside brackets can be a
    social-media handle or a reference to a figure.
    """

    span: Span
    core: Span
    key: str
    locator: Span | None
    sure: bool

    def shift(self, by: int) -> KeyUse:
        """Return the key use moved by ``by`` code points."""
        locator = self.locator.shift(by) if self.locator is not None else None
        return KeyUse(self.span.shift(by), self.core.shift(by), self.key, locator, self.sure)


_FORMATS = "lexls.text.formats"


@cache
def load_names() -> Mapping[str, Any]:
    """Return the names of all formats and of their files, without loading any format."""
    return load_phrases(_FORMATS, "names.toml")


@dataclass(frozen=True, eq=False, kw_only=True)
class Format:
    """A format of drafts. Simple marks are fields; anything more complex is a method.

    Offsets and spans are in code points of the source given to a method. Features that the format lacks are
    empty, as in plain text.
    """

    name: str
    """The format's name within lexls; ``title`` is the name shown to users."""
    title: str
    languages: tuple[str, ...]
    """Language ids that editors send, the LSP's own first; ``filetypes`` are Vim's."""
    filetypes: tuple[str, ...]
    suffixes: tuple[str, ...]
    """File suffixes in lower case; no suffix belongs to two formats."""

    far: re.Pattern[str] | None = None
    """Pattern of marks that affect more than their paragraph.

    If the old or new text of an edit contains one, the whole draft is masked again. The same happens if the
    old or new text has unbalanced brackets of a pair in ``brackets``.
    """
    brackets: tuple[str, ...] = ()

    special: re.Pattern[str] | None = None
    """Pattern of a character to be escaped. The escape is in ``escapes``, or else a backslash is added."""
    escapes: Mapping[str, str] = field(default_factory=dict)
    signs: tuple[tuple[str, str], ...] = ()
    """Each sign used in pinpoints, and how the format writes it."""
    italics: tuple[tuple[str, str], ...] = ()
    """The marks around emphasised words. The usual marks of italics come first."""
    emphasis: Mapping[str, str] = field(default_factory=dict)
    """The style of emphasised words, "B", "I" or "BI", by mark.

    The words are between two equal marks or, if the mark is a command, in the command's brackets.
    """
    ties: tuple[str, ...] = ()
    """Marks printed as a space; ``ellipses`` are marks printed as dots."""
    ellipses: tuple[str, ...] = ()
    typeset: bool = True
    """True if a range is written with an en dash; ``hyphens`` is true if two hyphens print as one dash."""
    hyphens: bool = False

    comment: tuple[str, str] | None = None
    """The text before and after a one-line comment."""
    headings: tuple[tuple[str, str], tuple[str, str]] = (("", ""), ("", ""))
    """The text before and after a heading that lexls writes, for the first and the second depth."""
    list_ends: tuple[str, str] | None = None
    """The lines before and after a list that lexls writes."""
    item: tuple[str, str] = ("", ": ")
    """The text before a list item, and the text between the item and its description."""

    page_mark: str = ""
    """The mark for a place whose page number a table shows; «number» is the mark's number. Empty if the
    format has no pages.
    """
    page_name: str = ""
    """How ``page_list`` refers to a page mark.

    ``page_list`` writes the pages of the marks «names», or the word "passim" if there are at least «passim»
    of them (0: never). ``page_definition`` are the lines that define ``page_list``.
    """
    page_list: str = ""
    page_definition: str = ""

    note_opening: re.Pattern[str] | None = None
    """Pattern of a footnote's mark up to the start of its text. The closing one of ``note_brackets`` ends the
    text.
    """
    note_brackets: str = "[]"
    new_note: tuple[str, str] | None = None
    """The text before and after the words of a footnote that lexls adds."""
    note_reference: re.Pattern[str] | None = None
    """Pattern of a mark that refers to a footnote by its ``label``; ``note_definition`` matches the footnote
    itself, with its text as ``content``.
    """
    note_definition: re.Pattern[str] | None = None
    label_marks: tuple[str, str] = ("", "")
    """The text before and after a footnote's label; ``definition`` is the text between the label and the
    footnote's text.
    """
    definition: str = ""
    supports: tuple[str, ...] = ()
    """How footnotes and references to a bibliography begin."""

    inclusion: re.Pattern[str] | None = None
    """Pattern of a command that inserts another file; its groups are the file's ``name`` and ``folder``."""
    main_file: re.Pattern[str] | None = None
    """What says in such a file the ``name`` of the main one, from whose folder all names count."""
    file_link: re.Pattern[str] | None = None
    """A link to a file or a picture, whose path is the ``name``."""
    link_escaped: re.Pattern[str] | None = None
    """A character of such a path that has a backslash before it."""
    percent_links: bool = False
    """True if such a path is percent-encoded, and "#" begins a place in the file."""
    count_anew: re.Pattern[str] | None = None
    """Pattern of a heading after which footnotes are numbered from 1 again."""

    quote_prefix: str = ""
    """The beginning of each line of a quoted block."""
    quote_command: re.Pattern[str] | None = None
    """Pattern of a command with a quotation in its brackets; ``quote_signs`` matches brackets, escapes and
    the start of such a command.
    """
    quote_signs: re.Pattern[str] | None = None
    quotation_marks: tuple[tuple[str, str, str], ...] = ()
    """Quotation marks in addition to the usual ones: a pattern for the opening mark, then both marks as
    written.
    """

    pasted: bool = False
    """True if pasted double-spaced text is joined into paragraphs."""
    typed_key: re.Pattern[str] | None = None
    """Pattern of a bibliography ``key`` being typed; it must end at the cursor."""
    hayagriva: bool = False
    """True if bibliographies in YAML are Hayagriva rather than CSL."""

    @classmethod
    def load(cls, name: str) -> Self:
        """Load the format with the marks in ``formats/NAME.toml``, which has the names of the fields.

        The format's own names and its file suffixes are in ``formats/names.toml``.
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
        """The usual marks of italics; two empty strings if there are none."""
        return self.italics[0] if self.italics else ("", "")

    # -- masking ---------------------------------------------------------------------------------------------

    def mask(self, source: str) -> str:
        """Return ``source`` with its marks blanked, of the same length in code points.

        Anything but prose (code, mathematics, comments, a preamble, front matter, lexls's own table of
        authorities) becomes spaces, with line ends kept. Marks around prose (emphasis, headings, commands)
        become spaces, and the prose stays. Every offset in the masked text is therefore an offset in the
        source. Lines end with a line feed, whatever the source has; an item of a list begins with ``ITEM``,
        and ``LINE`` joins the lines of double-spaced text. Unknown or broken marks are kept.
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
        if table is not None:  # its entries are cited elsewhere
            masked = masked[: table.start] + re.sub(r"[^\n]", " ", table.of(masked)) + masked[table.end :]
        if len(masked) != len(source):
            raise AssertionError(f"masking {self.name} changed the length: {len(source)}, {len(masked)}")
        return masked

    def blank(self, source: str) -> str:
        """Return ``source`` with the format's own marks blanked; `mask` handles line ends and lexls's
        table.
        """
        return source

    def reaches_far(self, source: str, was: str, now: str) -> bool:
        """Return whether replacing the text ``was`` with ``now`` in ``source`` may change how other
        paragraphs are masked.
        """
        if self.far is not None and (self.far.search(was) or self.far.search(now)):
            return True
        return not all(_closed(text, pair) for pair in self.brackets for text in (was, now))

    def drop_lone_marks(self, text: str) -> str:
        """Remove every emphasis mark whose counterpart is outside the masked ``text``."""
        return text

    # -- writing ---------------------------------------------------------------------------------------------

    def escape(self, text: str) -> str:
        """Return ``text`` with the format's special characters escaped."""
        if self.special is None:
            return text
        return self.special.sub(lambda match: self.escapes.get(match.group(), "\\" + match.group()), text)

    def write_words(self, text: str) -> str:
        """Escape words from elsewhere so that they are printed literally anywhere, and put them on
        one line.
        """
        return self.escape(text)

    def write_at(self, source: str, offset: int, text: str) -> str:
        """Adapt ``text``, already in the format, to ``offset`` by escaping characters that would end the
        enclosing element.
        """
        return text

    def write_signs(self, text: str) -> str:
        """Replace the signs of a pinpoint in escaped ``text`` with the format's own."""
        for sign, written in self.signs:
            text = text.replace(sign, written)
        return text

    def write_heading(self, title: str, depth: int) -> str:
        """Return a heading of depth 1 or 2."""
        before, after = self.headings[depth - 1]
        return before + self.escape(title) + after

    def write_list(self, items: Sequence[tuple[str, str]]) -> Iterator[str]:
        """Yield the lines of a list in the format: each item and its description ("" for none)."""
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
        """The lines before and after the table. If the format has no comments, they are visible text."""
        if self.comment is None:
            return "TABLE OF AUTHORITIES", "END OF THE TABLE OF AUTHORITIES"
        before, after = self.comment
        return f"{before}lexls:{TABLE}{after}", f"{before}/lexls:{TABLE}{after}"

    def find_page_marks(self, source: str) -> list[Span]:
        """Return the marks of places whose page numbers a table shows, in order."""
        if not self.page_mark:
            return []
        before, _, after = self.page_mark.partition("«number»")
        pattern = re.compile(rf"{re.escape(before)}\d{{1,6}}{re.escape(after)}")
        return [Span(*match.span()) for match in pattern.finditer(source)]

    def mark_page(self, number: int) -> str:
        """Return the mark with this number, for a place whose page a table shows."""
        return self.page_mark.replace("«number»", str(number))

    def list_pages(self, numbers: Sequence[int], passim: int) -> str:
        """Return the text that prints the pages of the marks with these numbers. From ``passim`` pages on, it
        prints "passim" (0: never).
        """
        names = ", ".join(self.page_name.replace("«number»", str(number)) for number in numbers)
        return self.page_list.replace("«passim»", str(passim)).replace("«names»", names)

    def find_table(self, source: str) -> Span | None:
        """Return the table of authorities with its marks, or None if the draft has none.

        Raises UnclosedTable if one of the marks is missing, since the extent of the table is then unknown.
        """
        opening, closing = self.table_marks
        if opening not in source and closing not in source:
            return None
        last = next(_lines(source, closing), None)
        # The nearest mark above: if the mark is visible text, the draft may have such a heading of its own.
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
        """Return the headings in order, except those in code or comments, which are blank in ``masked``."""
        return tuple(
            Heading(level, title, line, words)
            for level, line, words in self.find_heading_candidates(source)
            if (title := " ".join(words.of(masked).split()))
        )

    def find_heading_candidates(self, source: str) -> Iterator[tuple[int, Span, Span]]:
        """Yield possible headings: depth, the whole span and the span of the title."""
        return iter(())

    def find_body_end(self, source: str) -> int:
        """Return the end of the last section. Any text after it (notes, the end of the document) belongs to
        no section.
        """
        return len(source)

    def find_folds(self, source: str) -> Iterator[Fold]:
        """Yield other foldable ranges: blocks, footnotes and comments. Some may be on a single line."""
        return iter(())

    # -- footnotes -------------------------------------------------------------------------------------------

    def find_note_marks(self, source: str, within: Span | None = None) -> list[Mark]:
        """Return the marks of footnotes whose text is elsewhere, in the source or in part of it."""
        if self.note_reference is None:
            return []
        start, end = (within.start, within.end) if within is not None else (0, len(source))
        found = self.note_reference.finditer(source, start, end)
        return [Mark(Span(*match.span()), match["label"]) for match in found]

    def find_defined_notes(self, source: str) -> list[Footnote]:
        """Return the footnotes written as separate paragraphs, in order; each begins a line."""
        if self.note_definition is None or self.label_marks[0] not in source:
            return []
        found = match_lines(self.note_definition, source)
        return [Footnote(Span(*match.span("content")), match["label"]) for match in found]

    def find_inner_notes(self, source: str) -> list[InnerNote]:
        """Return the footnotes in part of a source that are written at their marks."""
        found: list[InnerNote] = []
        for _, start, note in self._find_open(source):
            found.append(InnerNote(start, note.content.end if note is not None else None))
            if note is None and len(found) > _MOST_OPEN:
                break
        return found

    def _find_open(
        self, source: str, start: int = 0, end: int | None = None
    ) -> Iterator[tuple[int, int, Footnote | None]]:
        """Yield three values for each mark with a footnote's text: the start of the mark, the start of the
        text, and the footnote (None if it has no end).
        """
        if self.note_opening is not None:
            for match in self.note_opening.finditer(source, start, len(source) if end is None else end):
                yield match.start(), match.end(), self.read_note(source, match.end())

    def read_note(self, source: str, start: int) -> Footnote | None:
        """Return the footnote whose text begins at ``start``, at its mark. Return None if it has no end."""
        end = find_closing(source, start, self.note_brackets)
        return Footnote(Span(start, end), "") if end >= 0 else None

    def find_notes(self, source: str) -> Iterator[Footnote]:
        """Yield all footnotes of a draft: first those whose text is elsewhere, then those written at their
        marks.
        """
        yield from self.find_defined_notes(source)
        yield from (note for _, _, note in self._find_open(source) if note is not None)

    def find_note_at(self, source: str, offset: int) -> Footnote | None:
        """Return the footnote whose text contains or touches ``offset``, or None."""
        return next((note for note in self.find_notes(source) if note.content.touches(offset)), None)

    def find_note_behind(self, source: str, offset: int) -> Footnote | None:
        """Return the footnote whose mark adjoins ``offset``, or None.

        The mark begins at ``offset`` or one code point earlier, ends at ``offset``, or ends before a
        punctuation mark that ends there ("liable[^1].").
        """
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
        """True if drafts in the format have footnotes."""
        return self.note_opening is not None or self.note_reference is not None

    def find_note_spans(self, source: str, within: Span) -> list[Span]:
        """Return the spans of footnotes written in part of the source, and of marks whose footnotes are
        elsewhere.
        """
        found = [mark.span for mark in self.find_note_marks(source, within)]
        opened = self._find_open(source, within.start, within.end)
        return sorted(
            [*found, *(Span(at, note.content.end + 1) for at, _, note in opened if note is not None)]
        )

    def skip_note_mark(self, source: str, at: int) -> int:
        """Return the end of the footnote mark at ``at``, or ``at`` if there is none. If the footnote's text
        is written at the mark, the end of the text is returned.
        """
        if self.note_reference is not None and (reference := self.note_reference.match(source, at)):
            return reference.end()
        opening = self.note_opening.match(source, at) if self.note_opening is not None else None
        note = self.read_note(source, opening.end()) if opening else None
        return note.content.end + 1 if note is not None else at

    def insert_note(self, source: str, at: int, text: str) -> list[tuple[int, str]]:
        """Return the insertions (offset, text) that add a footnote with the words ``text`` and its mark at
        ``at``.

        If the format has no footnotes, the words are inserted at ``at`` in brackets.
        """
        if self.new_note is None:
            return [(at, f" ({text})")]
        before, after = self.new_note
        return [(at, before + (text if text.endswith(".") else text + ".") + after)]

    def find_lone_notes(self, source: str) -> Iterator[tuple[Span, str]]:
        """Yield footnote marks without a footnote, and footnotes without a mark, if comparing labels would
        not find them. Each comes with an error message.
        """
        return iter(())

    # -- quotations ------------------------------------------------------------------------------------------

    def find_commanded(self, source: str) -> Iterator[tuple[Span, Span]]:
        """Yield the text quoted by each quoting command, as two spans: with and without the command."""
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
        """Yield the indexes of the paragraphs that are block quotations.

        ``read_paragraphs`` returns the paragraphs; it is called only if there may be such quotations.
        """
        if self.quote_prefix and self.quote_prefix in source:
            for place, paragraph in enumerate(read_paragraphs()):
                if self.is_quoted_line(source, paragraph.start):
                    yield place

    def is_quoted_line(self, source: str, offset: int) -> bool:
        """Return whether the line at ``offset`` is marked as part of a quoted block."""
        line = source.rfind("\n", 0, offset) + 1
        return bool(self.quote_prefix) and source[line : line + 4].lstrip().startswith(self.quote_prefix)

    def is_block_title(self, source: str, offset: int) -> bool:
        """Return whether the line at ``offset`` is the title of a block. A title does not separate text from
        the block.
        """
        return False

    # -- bibliographies --------------------------------------------------------------------------------------

    def find_keys(self, source: str, masked: str) -> tuple[KeyUse, ...]:
        """Return the bibliography keys cited in a block of a draft, in order; spans are relative to the
        block's start.

        ``masked`` is the masked block. Code and comments in the block cite nothing.
        """
        return ()

    def is_label(self, source: str, key: str) -> bool:
        """Return whether an apparent bibliography key may refer to a label in the draft itself."""
        return False

    def find_front_matter(self, source: str) -> str:
        """Return the YAML at the draft's beginning if it may declare a bibliography, else ""."""
        return ""

    def find_bibliographies(self, source: str) -> Iterator[NamedFile]:
        """Yield the bibliography files named by commands in a draft, in order."""
        return iter(())


def _freeze(value: Any) -> Any:
    """Return a TOML value with its lists converted to tuples."""
    return tuple(map(_freeze, value)) if isinstance(value, list) else value


def find_closing(source: str, start: int, pair: str, longest: int = LONGEST_NOTE) -> int:
    """Return the offset of the bracket that closes one of a ``pair`` ("[]") opened before ``start``, or -1.

    At most ``longest`` code points are searched. Brackets escaped by a backslash do not count.
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
    """Yield the indexes of the paragraphs inside one of the blocks. Paragraphs and blocks are sorted."""
    at = 0
    for place, paragraph in enumerate(read_paragraphs() if blocks else ()):
        while at < len(blocks) and blocks[at].end <= paragraph.start:
            at += 1
        if at == len(blocks):
            return
        if blocks[at].start <= paragraph.start and paragraph.end <= blocks[at].end:
            yield place


def _lines(source: str, words: str) -> Iterator[Span]:
    """Yield the lines that consist only of these words."""
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
    """Return whether the brackets of this kind in a text are balanced."""
    depth = 0
    for match in _brackets(pair).finditer(text):
        if match.group() in pair:
            depth += 1 if match.group() == pair[0] else -1
            if depth < 0:
                return False
    return depth == 0
