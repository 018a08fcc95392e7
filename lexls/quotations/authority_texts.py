"""Prepare the texts of authorities for comparison with quotations, and cache the ones used recently."""

from __future__ import annotations

from dataclasses import dataclass, field

from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.quotations.authority_text import AuthorityText
from lexls.quotations.compare import compare
from lexls.quotations.comparison import Comparison
from lexls.reading.snapshot import KeptTexts
from lexls.text.memory import Memory
from lexls.wording.prose import blank_markup

_KEPT_COMPARISONS = 1000
"""Maximum number of comparisons cached per authority."""


@dataclass(slots=True)
class _Ready:
    source: str
    generation: int
    text: AuthorityText
    compared: Memory[tuple[str, bool], Comparison] = field(default_factory=lambda: Memory(_KEPT_COMPARISONS))


def prepare_text(kept: KeptTexts, library: Library, authority: Authority) -> AuthorityText:
    """Return the authority's current text in the library, split into words."""
    return _prepare(kept, library, authority).text


def compare_with(
    kept: KeptTexts, library: Library, authority: Authority, quotation: str, *, closely: bool = False
) -> Comparison:
    """Compare a quotation with the authority's current text in the library by ``compare``; the result is
    cached.
    """
    ready = _prepare(kept, library, authority)
    return ready.compared.recall(
        (quotation, closely), lambda: compare(ready.text, quotation, closely=closely)
    )


def _prepare(kept: KeptTexts, library: Library, authority: Authority) -> _Ready:
    generation = library.generation
    ready: _Ready | None = kept.texts.get(authority.id)
    if ready is not None and ready.generation == generation:
        return ready
    source = library.contents.text(authority.id)
    if ready is not None and ready.source == source:
        ready.generation = generation
        return ready
    made = _Ready(source, generation, AuthorityText(blank_markup(authority, source)))
    kept.texts.keep(authority.id, made)
    return made
