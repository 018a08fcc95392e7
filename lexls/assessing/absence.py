"""Explain why a citation matches no authority in the library, and suggest what the author may have meant."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from lexls.assessing.excerpt import Excerpt
from lexls.assessing.listing import contradicts
from lexls.assessing.near_misses import NearMiss, find_near_misses
from lexls.citations.grammar import find_impossibility
from lexls.citations.model import Citation, fold
from lexls.index.records import Authority
from lexls.index.unclear import describe_missing, is_guessed, list_missing
from lexls.reading.binding import is_called, may_be
from lexls.reading.resolve import Resolution
from lexls.reading.snapshot import Snapshot
from lexls.text.dates import write_date
from lexls.text.lexicon import BETWEEN_PARTIES
from lexls.text.phrases import load_phrases

Absence = Literal[
    "missing",
    "reading",
    "unreadable",
    "unclear",
    "several",
    "record",
    "named",
    "no-antecedent",
    "ambiguous",
    "unread",
]
"""The reason why a citation has no authority. ``missing``: it is not in the library. ``reading``: the library
is still being read. ``unreadable``: a file that may contain it could not be read. ``unclear``: a file may
be the case cited, but does not identify its case. ``several``: files of several decisions fit equally
well. ``record``: it is a paper of the record. ``named``: it is only named as part of another citation. The
last three are for a short form: ``no-antecedent``: it has no antecedent. ``ambiguous``: it has several
possible ones. ``unread``: its antecedent was not read.
"""

_REASONS: Mapping[str, str] = load_phrases(__package__, "verdicts.toml")["reasons"]
_WORD = re.compile(r"[^\W\d_]{4,}")
_CALLED = re.compile(r"(?:[A-Z][a-z.]|[A-Z.&]+) Act")
_JOINED = ", "
_LONGEST_TITLE = 400
_SHORTEST_KEY = 5
"""Minimum length of a citation, in letters and digits, for it to be searched for in file names."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Suggestions for an unmatched mention: the authorities ``near``, likeliest first, and the ``citation``
    of the mention that they resemble.

    ``near`` is empty if there are no suggestions. ``question`` ends a message: "; did you mean …?", or "" if
    nothing is likely enough.
    """

    citation: Citation | None = None
    near: tuple[NearMiss, ...] = ()
    question: str = ""

    @property
    def certain(self) -> NearMiss | None:
        """The authority meant, or None if there is any doubt."""
        return self.near[0] if len(self.near) == 1 and self.near[0].certain else None

    @property
    def authority(self) -> int | None:
        """The id of the authority most probably meant, or None."""
        return self.near[0].authority.id if len(self.near) == 1 and self.near[0].named else None


def explain_absence(excerpt: Excerpt, mention: Sequence[Resolution]) -> tuple[Absence, str]:
    """Return why a full citation matches no authority, with details for the user, such as the name and error
    of an unreadable file.
    """
    citation = mention[0].citation
    if citation.kind == "contract":
        return "record", ""
    if _is_only_named(excerpt, citation):
        return "named", ""
    if rivals := next((each.rivals for each in mention if each.rivals), ()):
        return "several", _name_files(excerpt, rivals)
    if not excerpt.library.complete:
        return "reading", ""
    unread = _find_unreadable(excerpt.snapshot, mention)
    if unread:
        return "unreadable", unread
    unclear = find_unclear(excerpt.snapshot, mention)
    return ("unclear", describe_unclear(unclear)) if unclear else ("missing", "")


def find_unclear(snapshot: Snapshot, mention: Sequence[Resolution]) -> list[Authority]:
    """Return the library files that do not identify their case, but may be the case cited, judging by their
    names.
    """
    citations = [each.citation for each in mention]
    first = citations[0]
    if first.kind != "case" or first.form != "full" or not first.name:
        return []
    parties = [set(_WORD.findall(party.casefold())) for party in BETWEEN_PARTIES.split(first.name)[::2]]
    found = []
    for each in snapshot.library.catalogue.list_unclear():
        words = set(_WORD.findall(each.path.stem.replace("_", " ").casefold()))
        named = all(party & words for party in parties)
        if not named or not is_guessed(each, "title"):
            named = is_called(first.name, each)
        if named and may_be(snapshot.draft, citations, each):
            found.append(each)
    return found


def describe_unclear(files: Sequence[Authority]) -> str:
    """Describe files that may be the case cited, and the details that are unknown for each."""
    known = [f"{each.relative} (unknown: {describe_missing(list_missing(each))})" for each in files]
    return _REASONS["unclear"].format(files=" or ".join(known))


def _name_files(excerpt: Excerpt, documents: Sequence[int]) -> str:
    """List the files that fit a citation equally well, with their dates, so that the user can choose."""
    found = (excerpt.library.catalogue.get(each) for each in documents)
    files = [f"{each.name} ({write_date(each.date)}, {each.relative})" for each in found if each is not None]
    return _REASONS["several"].format(files=f"{', '.join(files[:-1])} and {files[-1]}")


def offer(excerpt: Excerpt, mention: Sequence[Resolution]) -> Offer:
    """Return suggestions for a mention that matches no authority in the library. All its parallel citations
    are tried.
    """
    snapshot = excerpt.snapshot
    meant: tuple[Citation, Sequence[NearMiss]] = (mention[0].citation, ())
    for each in mention:
        near = find_near_misses(snapshot, each.citation)
        if near and (not meant[1] or (meant[1][0].slip == "name" and near[0].slip != "name")):
            meant = each.citation, near
    return Offer(meant[0], tuple(meant[1]), _question(meant[1]))


def _question(near: Sequence[NearMiss]) -> str:
    if near and near[0].slip == "name":
        authority = near[0].authority
        numbers = f" (No. {authority.docket[0]})" if authority.docket else ""
        of = f"of {write_date(authority.date)}{numbers}" if authority.date else f"without a date{numbers}"
        return f"; it has {authority.name} {f'as {near[0].citation}' if near[0].citation else of}"
    words = [each.citation for each in near if each.named and each.slip != "name"]
    if not words:
        return ""
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    return f"; did you mean {listed}?"


def explain_impossible(snapshot: Snapshot, citation: Citation) -> str:
    """Return why the report or court cannot have such a citation, or "" if the citation may exist. A citation
    outside the known years of its report may still exist if the library or the user's catalogue shows that
    it does.
    """
    grammar = snapshot.searcher.grammar
    reason = find_impossibility(citation, grammar) if grammar is not None else ""
    if reason and citation.year is not None and snapshot.library.graph.attests(citation.key, citation.year):
        return ""
    if reason and grammar is not None and contradicts(snapshot, citation, grammar):
        return ""
    return reason


def _is_only_named(excerpt: Excerpt, citation: Citation) -> bool:
    """Return whether an Act is only named here and not cited as an authority: by a short name that the draft
    defines, as the beginning of another title, or before the number under which the library has it.
    """
    if citation.kind == "statute" and _CALLED.fullmatch(citation.key):
        return True
    return _begins_held_title(excerpt, citation, _held_titles(excerpt)) or _is_held_by_number(
        excerpt, citation
    )


def _held_titles(excerpt: Excerpt) -> Sequence[str]:
    """Return the titles of the authorities that the paragraph cites and the library has. Cached."""
    library = excerpt.library

    def find() -> list[str]:
        numbers = dict.fromkeys(number for each in excerpt.cited for number in each.authorities[:1])
        found = (library.catalogue.get(number) for number in numbers)
        return [authority.title for authority in found if authority is not None]

    key = "cited titles", excerpt.paragraph, library.path, library.generation
    return excerpt.snapshot.draft.once(key, find)


def _begins_held_title(excerpt: Excerpt, citation: Citation, titles: Sequence[str]) -> bool:
    """Return whether the Act's name is only the beginning of a longer title that the paragraph cites and the
    library has. "Grain Act 1998 (Commencement) Order 1999, SI 1999/3" cites the Order alone.
    """
    if citation.kind == "case" or not titles:
        return False
    written = excerpt.snapshot.draft.masked[citation.core.start : citation.core.start + _LONGEST_TITLE]
    written = " ".join(written.split())
    for title in titles:
        _, named, rest = title.partition(citation.key)
        if named and rest.strip() and written.startswith(f"{named}{rest}"):
            return True
    return False


def _is_held_by_number(excerpt: Excerpt, citation: Citation) -> bool:
    """Return whether the Act's name only precedes the number under which the library has the Act: "… Act,
    Pub. L. …".
    """
    if citation.kind != "statute":
        return False
    end = citation.span.end
    following = bisect_left(excerpt.cited, end, key=lambda each: each.citation.span.start)
    for place in range(following, len(excerpt.cited)):
        resolution = excerpt.cited[place]
        behind = resolution.citation
        if behind.span.start > end + len(_JOINED):
            return False
        if behind.kind == "statute" and excerpt.snapshot.draft.masked[end : behind.span.start] == _JOINED:
            if resolution.authorities:
                return True
            end = behind.span.end
    return False


def _find_unreadable(snapshot: Snapshot, mention: Sequence[Resolution]) -> str:
    """Return the name and error of an unreadable library file whose name contains one of the mention's
    citations, or "".
    """
    keys = [fold(each.citation.key) for each in mention]
    failed = snapshot.draft.once(
        ("unread files", snapshot.library.generation), lambda: tuple(snapshot.library.status.failed())
    )
    for each in failed:
        if any(len(key) >= _SHORTEST_KEY and key in fold(each.path.stem) for key in keys):
            return f"{each.path.name} could not be read: {each.reason}"
    return ""
