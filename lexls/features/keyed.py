"""The citations that a draft makes by the keys of its bibliography, ready for the citation reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lexls.citations.bibliography.locators import pinpoint_of
from lexls.citations.bibliography.uses import KeyUse
from lexls.citations.keyed import KeyedCitations
from lexls.citations.mention import Mention
from lexls.features.bibliography import Bibliography
from lexls.features.blocks import Block
from lexls.text.blanking import blank


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A block's masked text without what is cited by key, and what that is."""

    text: str
    citations: KeyedCitations


@dataclass(frozen=True, slots=True)
class KeyedBlocks:
    """What the blocks of a draft cite by key, worked out once for each block.

    ``known`` is filled by `pieces`, for the blocks of the last version.
    """

    bibliography: Bibliography
    jurisdiction: str
    known: dict[Block, _Prepared] = field(default_factory=dict)

    def pieces(self, blocks: Sequence[Block]) -> tuple[list[str], Mapping[int, KeyedCitations]]:
        """The texts to read, and for the number of each that cites by key, its citations."""
        texts: list[str] = []
        keyed: dict[int, KeyedCitations] = {}
        now: dict[Block, _Prepared] = {}
        for number, block in enumerate(blocks):
            prepared = self._prepared(block) if block.keys else None
            if prepared is None:
                texts.append(block.masked)
                continue
            now[block] = prepared
            texts.append(prepared.text)
            keyed[number] = prepared.citations
        self.known.clear()
        self.known.update(now)
        return texts, keyed

    def _prepared(self, block: Block) -> _Prepared | None:
        known = self.known.get(block)
        if known is not None:
            return known
        text = block.masked
        found = []
        for use in block.keys:
            mention = self._mention(use, block.source)
            if mention is not None:
                found.append(mention)
                text = text[: use.span.start] + blank(use.span.of(text)) + text[use.span.end :]
        return _Prepared(text, KeyedCitations(tuple(found))) if found else None

    def _mention(self, use: KeyUse, source: str) -> Mention | None:
        entry = self.bibliography.entry(use.key, self.jurisdiction)
        if entry is None:
            return None
        pinpoint = pinpoint_of(source, use.locator, entry.style) if use.locator is not None else None
        return Mention(
            use.span.start,
            use.span.end,
            use.core,
            entry.kind,
            "full",
            entry.jurisdiction,
            entry.key,
            entry.name,
            entry.year,
            pinpoint,
            style=entry.style,
            written=use.span.of(source),
        )
