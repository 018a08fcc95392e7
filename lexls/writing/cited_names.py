"""Write the name of an authority as citations have it, without what only its file says."""

from __future__ import annotations

from lexls.citations.case_names.shorten import shorten_persons
from lexls.citations.case_names.tidy import tidy_title
from lexls.index.records import Authority
from lexls.reading.snapshot import Snapshot


def write_name(snapshot: Snapshot, authority: Authority) -> str:
    """Return the title of an authority as it is cited: a case's without given names, the parties' roles,
    numbers of companies and notes of who published it.

    Worked out once for each authority, since the opinion's text tells persons from companies.
    """
    if authority.kind != "case":
        return authority.title
    library = snapshot.library
    key = ("name", library.path, library.generation, authority.id)

    def write() -> str:
        return shorten_persons(tidy_title(authority.title), library.contents.text(authority.id))

    found: str = snapshot.judged.recall(key, write)
    return found
