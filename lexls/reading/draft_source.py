"""Keep the text of a draft before it is parsed, so that its beginning can be parsed alone."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lexls.library.document import Extract
from lexls.reading.draft import Draft
from lexls.reading.draft_parser import DraftParser
from lexls.text.format import Format


@dataclass(frozen=True, slots=True)
class DraftSource:
    """A draft that is not parsed: its ``text`` in a ``format``. For a Word document, ``word`` is the text
    that the reader extracted.
    """

    uri: str
    text: str
    format: Format
    word: Extract | None = None

    def parse(self, parser: DraftParser, end: int | None = None) -> Draft:
        """Return the parsed draft, or only the part before offset ``end``."""
        text = self.text[:end]
        if self.word is None:
            return parser.parse(self.uri, text, self.format)
        from lexls.reading.word_draft import read_word_draft

        pieces = tuple(each for each in self.word.pieces if each.end <= len(text))
        notes = {number: place for number, place in self.word.notes.items() if place < len(pieces)}
        word = replace(self.word, text=text, pieces=pieces, notes=notes)
        return read_word_draft(self.uri, word, parser.grammar, parser.jurisdiction)

    def find_end(self, most: int) -> int:
        """Return the offset of the last end of a paragraph, a line or a word, in this order, within the
        second half of the first ``most`` code points. If there is none, return ``most``. If the text is
        shorter, return its length.
        """
        if most >= len(self.text):
            return len(self.text)
        ends = (self.text.rfind(sign, most // 2, most) + len(sign) for sign in ("\n\n", "\n", " "))
        return next((end for end in ends if end > most // 2), most)
