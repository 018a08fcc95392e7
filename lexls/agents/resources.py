"""Offer authorities and their passages as resources, for clients that attach documents."""

from __future__ import annotations

import re

from mcp import types as t

from lexls.agents.answer import Marks, name_cited, name_resource, quote, tell
from lexls.agents.desk import Desk, Unanswerable
from lexls.text.cancel import CancelToken

PAGE = 200
"""Authorities listed at a time."""
_LONGEST_READ = 400_000
"""Code points of one resource."""
_RESOURCE = re.compile(r"lexls://authority/(\d{1,12})(?:/passage/(\d{1,12})-(\d{1,12}))?/?")

TEMPLATES = (
    t.ResourceTemplate(
        name="authority",
        title="An authority of the library",
        uri_template="lexls://authority/{number}",
        description="The whole text of an authority, marked as a quotation.",
        mime_type="text/plain",
    ),
    t.ResourceTemplate(
        name="passage",
        title="A passage of an authority",
        uri_template="lexls://authority/{number}/passage/{start}-{end}",
        description="A range of an authority's text, in code points, marked as a quotation.",
        mime_type="text/plain",
    ),
)


def list_resources(desk: Desk, cursor: str | None, token: CancelToken) -> t.ListResourcesResult:
    """The authorities by name, a page at a time. Raises ``Unanswerable`` and ``Cancelled``."""
    snapshot = desk.snapshot(token)
    first = int(cursor) if cursor is not None and re.fullmatch(r"\d{1,9}", cursor) else 0
    known = sorted(snapshot.library.catalogue.all(), key=lambda each: (each.name.casefold(), each.id))
    return t.ListResourcesResult(
        resources=[
            t.Resource(
                name=str(each.id),
                title=name_cited(each),
                uri=name_resource(each.id),
                description=tell(each.relative),
                mime_type="text/plain",
            )
            for each in known[first : first + PAGE]
        ],
        next_cursor=str(first + PAGE) if first + PAGE < len(known) else None,
    )


def read_resource(desk: Desk, uri: str, token: CancelToken) -> t.ReadResourceResult:
    """The words at an address, between marks. Raises ``Unanswerable`` and ``Cancelled``."""
    named = _RESOURCE.fullmatch(uri)
    snapshot = desk.snapshot(token)
    authority = snapshot.library.catalogue.get(int(named[1])) if named is not None else None
    if named is None or authority is None:
        raise Unanswerable("no authority of the library has this address; its file may have changed since")
    length = len(snapshot.library.contents.text(authority.id))
    start = min(int(named[2] or 0), length)
    asked = min(int(named[3] or length), length)
    end = min(asked, start + _LONGEST_READ)
    words = quote(snapshot, authority, start, max(start, end))
    marks = Marks()
    head = f"What stands between lines with the sign {marks.sign} is quoted from a document."
    text = f"{head}\n{marks.mark(words)}"
    if end < asked:
        text += f"\nThe text goes on at {end} of {length}: {name_resource(authority.id, end, asked)}"
    return t.ReadResourceResult(contents=[t.TextResourceContents(uri=uri, mime_type="text/plain", text=text)])
