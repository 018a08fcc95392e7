"""One paragraph's text with its citations."""

from __future__ import annotations

from dataclasses import dataclass

from lexls.citations.model import Citation


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """One paragraph's text with its citations, whose spans are relative to its beginning.

    Here a citation's ``antecedent`` is None and its ``group`` counts within the paragraph. The very same
    object comes again in the next reading when neither its text nor what its short forms stand for (key,
    parallel keys, jurisdiction, kind, name, year) changed, so that what was learnt from a piece can be
    remembered by its identity.
    """

    text: str
    citations: tuple[Citation, ...]
