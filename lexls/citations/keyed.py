"""Citations that a paragraph makes by key, found outside of its masked text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lexls.citations.mention import Mention


@dataclass(frozen=True, slots=True, eq=False)
class KeyedCitations:
    """The citations by key of one paragraph, in order; where they stand its masked text is blank.

    One paragraph is told from another by this object itself: for the same paragraph it must be the same.
    """

    found: tuple[Mention, ...]

    def mentions(self) -> Iterator[Mention]:
        """The mentions, each a new one: whoever reads a paragraph may change them."""
        return (replace(mention) for mention in self.found)
