"""Find the files in the library that do not clearly identify their case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lexls.index.records import Authority, FailedFile
from lexls.library.document import CONFIDENCE
from lexls.text.lexicon import BETWEEN_PARTIES

QUESTION = "Which case is this?"
NAMED_FILES = 20
"""Maximum number of unclear files named in a list; any others are only counted."""
_FACTS = ("title", "court", "date", "citation")


def list_missing(authority: Authority) -> tuple[str, ...]:
    """Return the unknown facts of a case, or none if the known ones identify it.

    A title with a citation identifies a case, and so does one with a court and a date. The file's name counts
    as a title if it names parties. Files of several documents are never reported.
    """
    sources = dict(authority.sources)
    named = BETWEEN_PARTIES.search(f" {authority.title} ") is not None
    known = {each for each in _FACTS if not is_guessed(authority, each)}
    known |= {"title"} if named else set()
    unread = authority.kind == "other" and named and known == {"title"} and sources["title"] == "file name"
    identified = "title" in known and ("citation" in known or {"court", "date"} <= known)
    if identified or authority.part or not (authority.kind == "case" or unread):
        return ()
    return tuple(each for each in _FACTS if each not in known)


def is_guessed(authority: Authority, fact: str) -> bool:
    """Return whether a fact is unknown, or known only from the file's name."""
    return CONFIDENCE[dict(authority.sources).get(fact, "file name")] == "guessed"


def describe_missing(missing: Sequence[str]) -> str:
    """Return the missing facts as words: "title, court and date"."""
    return missing[0] if len(missing) == 1 else f"{', '.join(missing[:-1])} and {missing[-1]}"


def ask_which(authority: Authority) -> str:
    """Return a question that asks the user which case a file contains and names the unknown facts; "" if the
    case is clear.
    """
    missing = list_missing(authority)
    return f"{QUESTION} Unknown: {describe_missing(missing)}" if missing else ""


def list_unclear(authorities: Sequence[Authority]) -> Iterator[FailedFile]:
    """Yield the first unclear files, each with the question to the user, and then an entry with the number of
    the others.
    """
    found = [(each.path, asked) for each in authorities if (asked := ask_which(each))]
    yield from (FailedFile(path, asked) for path, asked in found[:NAMED_FILES])
    if more := len(found[NAMED_FILES:]):
        yield FailedFile(found[NAMED_FILES][0].parent, f"{more:,} more files are as unclear")
