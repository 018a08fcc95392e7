"""What a local check looks at: one paragraph of a draft with its citations and footnotes."""

from __future__ import annotations

from dataclasses import dataclass

from lexls.citations.model import Citation
from lexls.features.footnotes import Footnote
from lexls.features.resolve import Resolution, authority_of
from lexls.features.snapshot import Snapshot
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.text.spans import Span


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One paragraph of the draft, in context. All spans are code points of the draft's source.

    ``cited`` are the paragraph's citations in order, each with the authorities it names. ``notes`` are the
    footnotes whose marks stand in the paragraph, in the order of their marks, where their words stand
    elsewhere (Markdown); ``marks`` are those marks, one for each note. What a note cites is in
    ``cited_in_notes``; a note's own paragraph is an excerpt of its own too, so a check of citations looks at
    ``cited`` only, and a check of what the paragraph *says* may look at both.

    Whatever a check finds is remembered until one of these, or the library, changes: it may look at nothing
    else of the draft.
    """

    snapshot: Snapshot
    paragraph: Span
    cited: tuple[Resolution, ...]
    marks: tuple[Span, ...] = ()
    notes: tuple[Footnote, ...] = ()
    cited_in_notes: tuple[tuple[Resolution, ...], ...] = ()

    @property
    def library(self) -> Library:
        """The library the draft is checked against."""
        return self.snapshot.library

    @property
    def text(self) -> str:
        """The paragraph's words, markup blanked; an offset in it plus ``paragraph.start`` is the draft's."""
        return self.paragraph.of(self.snapshot.draft.masked)

    @property
    def source(self) -> str:
        """The paragraph as it stands in the draft's source."""
        return self.paragraph.of(self.snapshot.draft.source)

    def authority(self, resolution: Resolution) -> Authority | None:
        """The authority of a resolution, None if the library holds none."""
        return authority_of(self.library, resolution)

    def group(self, citation: Citation) -> tuple[Resolution, ...]:
        """The parallel citations of the mention that ``citation`` belongs to, itself included, in order."""
        if not citation.group:
            return tuple(each for each in self.cited if each.citation is citation)
        return tuple(each for each in self.cited if each.citation.group == citation.group)
