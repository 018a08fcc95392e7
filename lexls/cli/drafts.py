"""Files of the command line as drafts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lexls.cli.failure import USAGE, CommandFailed
from lexls.settings.declaration import Settings

if TYPE_CHECKING:
    from lexls.citations.grammar import Grammar
    from lexls.features.snapshot import Draft


def load_grammar(settings: Settings) -> Grammar:
    """The citation forms with those of the settings. Raises ``CommandFailed`` for a wrong one."""
    from lexls.citations.form import FormError
    from lexls.citations.grammar import Grammar

    try:
        return Grammar.load(settings.citations_forms)
    except FormError as error:
        raise CommandFailed(str(error)) from error


def read_draft(path: Path, settings: Settings) -> Draft:
    """A draft, or an authority in any format of the library, with its citations.

    Offsets count in the decoded file for drafts, Markdown and plain text, in the extracted text for HTML,
    DOCX and PDF. Raises ``CommandFailed`` naming the reason when the file cannot be read.
    """
    from lexls.features.draft_parser import DraftParser
    from lexls.library.document import UnreadableFile
    from lexls.library.readers import ReadLimits, decode, read, read_bytes
    from lexls.text.markup import markup_of

    grammar = load_grammar(settings)
    limits = ReadLimits(max_bytes=settings.index_max_file_megabytes * 2**20)
    try:
        if is_word(path):
            return _read_word(path, read_bytes(path, limits), grammar, settings.jurisdiction)
        if path.suffix.lower() in (".html", ".htm", ".xhtml", ".pdf"):
            source = read(path, grammar, limits).text
            markup = markup_of("plaintext", "")
        else:
            source = decode(read_bytes(path, limits))
            markup = markup_of("", path.name)
    except UnreadableFile as error:
        raise CommandFailed(f"{path}: {error}") from error
    return DraftParser(grammar, settings.jurisdiction).parse(path.absolute().as_uri(), source, markup)


def is_word(path: Path) -> bool:
    """Whether a file is a Word document, whose places are paragraphs and not lines."""
    return path.suffix.lower() == ".docx"


def _read_word(path: Path, data: bytes, grammar: Grammar, jurisdiction: str) -> Draft:
    from lexls.features.word_draft import word_draft
    from lexls.library.document import UnreadableFile
    from lexls.library.readers.docx import extract

    found = extract(data)
    if not found.pieces:
        raise UnreadableFile("no text in it")
    return word_draft(path.absolute().as_uri(), found, grammar, jurisdiction)


def offset_of(draft: Draft, path: Path, line: int, character: int | None) -> int:
    """The offset of a place that counts from 1; of the line's first visible character without ``character``.

    Raises ``CommandFailed`` when the file has no such line.
    """
    from lexls.text.lines import LineIndex

    lines = LineIndex(draft.source)
    if line > lines.line_count:
        raise CommandFailed(f"{path} has {lines.line_count} lines, so no line {line}", USAGE)
    if character is not None:
        return lines.offset(line - 1, character - 1)
    span = lines.line_span(line - 1)
    visible = span.of(draft.masked)
    return span.start + len(visible) - len(visible.lstrip())
