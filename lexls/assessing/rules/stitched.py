"""Report the places where a quotation joins distant passages of an authority."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from lexls.assessing.check import Problem, Related
from lexls.assessing.pinpoints import name_cited
from lexls.assessing.rules.misquoted import MISQUOTATION, describe_where
from lexls.index.records import Authority
from lexls.quotations.stitched import StitchedPiece
from lexls.reading.edit import Edit, Fix
from lexls.reading.quotations import Quotation
from lexls.reading.snapshot import Snapshot
from lexls.text.spans import Span
from lexls.wording.markdown import fold
from lexls.wording.place_words import put_in_marks

_ELLIPSIS = " … "
_WORDS = 4
"""Number of words before and after a join that a message quotes."""
_SHOWN = 200
"""Maximum length of a passage quoted in a finding, in code points."""


def report_stitched(
    snapshot: Snapshot, quotation: Quotation, authority: Authority, pieces: Sequence[StitchedPiece]
) -> Iterator[Problem]:
    """Report each join between two passages of an authority, with the pinpoints of both passages."""
    text = snapshot.library.contents.text(authority.id)
    for before, after in pairwise(pieces):
        joint = Span(before.quoted.end, after.quoted.start)
        ends = fold(before.quoted.of(quotation.text)).split()[-_WORDS:]
        begins = fold(after.quoted.of(quotation.text)).split()[:_WORDS]
        places = [describe_where(snapshot, authority, each.original).strip(" ,") for each in (before, after)]
        known = all(places) and places[0] != places[1]
        where = f", {places[0]} and {places[1]}" if known else ""
        order = "distant passages" if after.forward else "passages in another order"
        message = (
            f"“… {' '.join(ends)}” and “{' '.join(begins)} …” are {order} of {name_cited(authority)}{where}, "
            "joined without an ellipsis"
        )
        related = tuple(
            Related(put_in_marks(fold(each.original.of(text))[:_SHOWN]), each.original, authority.id)
            for each in (before, after)
        )
        marked = quotation.in_source(_widen(quotation.text, joint))
        yield Problem(
            marked,
            MISQUOTATION.code,
            message,
            authority.id,
            related,
            tuple(_fix(snapshot, quotation, joint, after)),
        )


def _widen(text: str, joint: Span) -> Span:
    """Return the span of a join extended by the word before it and the word after it."""
    before, after = text[: joint.start].split()[-1:], text[joint.end :].split()[:1]
    return Span(joint.start - len("".join(before)), joint.end + len("".join(after)))


def _fix(snapshot: Snapshot, quotation: Quotation, joint: Span, after: StitchedPiece) -> Iterator[Fix]:
    """Yield the fix that inserts an ellipsis at a join, if the join has only whitespace and the passages are
    in the authority's order.
    """
    if after.forward and len(joint) and joint.of(quotation.text).isspace():
        span = quotation.in_source(joint)
        if span.of(snapshot.draft.source).isspace():
            yield Fix("Put in an ellipsis", (Edit(span, _ELLIPSIS),))
