"""Write the name of an authority as it is cited, without details that belong only in its file."""

from __future__ import annotations

from lexls.citations.case_names.shorten import shorten_persons
from lexls.citations.case_names.tidy import tidy_title
from lexls.index.records import Authority
from lexls.reading.snapshot import Snapshot


def write_name(snapshot: Snapshot, authority: Authority) -> str:
    """Return an authority's title as it is cited. For a case, omit given names, parties' roles, company
    numbers and publishers' notes.

    The result is cached for each authority, since the opinion's text is searched to distinguish persons from
    companies.
    """
    if authority.kind != "case":
        return authority.title
    library = snapshot.library
    key = ("name", library.path, library.generation, authority.id)

    def write() -> str:
        return shorten_persons(tidy_title(authority.title), library.contents.text(authority.id))

    found: str = snapshot.judged.recall(key, write)
    return found
