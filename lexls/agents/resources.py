"""Offer authorities, papers of the record, and their passages as resources, for clients that attach
documents."""

from __future__ import annotations

import re

from mcp import types as t

from lexls.agents.answer import Marks, name_cited, name_resource, quote, tell
from lexls.agents.desk import Desk, Unanswerable
from lexls.reading.record import see_record
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken

PAGE = 200
"""Authorities listed at a time."""
_LONGEST_READ = 400_000
"""Code points of one resource."""
_RESOURCE = re.compile(r"lexls://(authority|record)/(\d{1,12})(?:/passage/(\d{1,12})-(\d{1,12}))?/?")

TEMPLATES = tuple(
    t.ResourceTemplate(
        name=name,
        title=title,
        uri_template=f"lexls://{address}",
        description=f"{what}, marked as a quotation.",
        mime_type="text/plain",
    )
    for name, title, address, what in (
        (
            "authority",
            "An authority of the library",
            "authority/{number}",
            "The whole text of an authority",
        ),
        (
            "passage",
            "A passage of an authority",
            "authority/{number}/passage/{start}-{end}",
            "A range of an authority's text, in code points",
        ),
        (
            "paper",
            "A paper of the record",
            "record/{number}",
            "The whole text of an exhibit, a pleading or a transcript",
        ),
        (
            "paper-passage",
            "A passage of a paper of the record",
            "record/{number}/passage/{start}-{end}",
            "A range of a paper's text, in code points",
        ),
    )
)


def list_resources(desk: Desk, cursor: str | None, token: CancelToken) -> t.ListResourcesResult:
    """List authorities by name, then papers, by the page. Raises ``Unanswerable`` and ``Cancelled``."""
    snapshot = desk.snapshot(token)
    first = int(cursor) if cursor is not None and re.fullmatch(r"\d{1,9}", cursor) else 0
    libraries = [each.library for each in (snapshot, see_record(snapshot)) if each is not None]
    known = [
        each
        for library in libraries
        for each in sorted(library.catalogue.all(), key=lambda each: (each.name.casefold(), each.id))
    ]
    return t.ListResourcesResult(
        resources=[
            t.Resource(
                name=str(each.id),
                title=name_cited(each),
                uri=name_resource(each),
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
    snapshot: Snapshot | None = desk.snapshot(token)
    if named is not None and snapshot is not None and named[1] == "record":
        snapshot = see_record(snapshot)
    authority = snapshot.library.catalogue.get(int(named[2])) if named is not None and snapshot else None
    if named is None or snapshot is None or authority is None:
        raise Unanswerable(
            "no authority of the library has this address, and no paper of the record; its file may have "
            "changed since"
        )
    length = len(snapshot.library.contents.text(authority.id))
    start = min(int(named[3] or 0), length)
    asked = min(int(named[4] or length), length)
    end = min(asked, start + _LONGEST_READ)
    words = quote(snapshot, authority, start, max(start, end))
    marks = Marks()
    head = f"What stands between lines with the sign {marks.sign} is quoted from a document."
    text = f"{head}\n{marks.mark(words)}"
    if end < asked:
        text += f"\nThe text goes on at {end} of {length}: {name_resource(authority, end, asked)}"
    return t.ReadResourceResult(contents=[t.TextResourceContents(uri=uri, mime_type="text/plain", text=text)])
