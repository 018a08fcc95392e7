"""Report citations that the library does not hold or that cannot be, and offer what was meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from lexls.citations.case_names.compare import are_close, list_name_words, names_both_parties, same_name
from lexls.citations.case_names.shorten import list_short_names
from lexls.citations.grammar import find_impossibility
from lexls.citations.keys import fold
from lexls.citations.model import Citation
from lexls.features.checks.check import (
    Edit,
    Excerpt,
    Fix,
    LocalCheck,
    Problem,
    as_cited,
    as_named,
)
from lexls.features.snapshot import Snapshot
from lexls.features.wording import tell_codified
from lexls.index.records import Authority
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken

NOT_IN_LIBRARY = DiagnosticRule(
    code="not-in-library",
    severity="information",
    order=10,
    said_once=True,
    help="A citation of an authority that your library does not hold.",
    documentation="""\
The citation was read and understood, but no document of the library carries it. lexls knows only the
library it was given, so this says nothing about whether the authority exists: add its text to a library
folder and the message goes away, usually within a second.

It is reported once for each authority, where the draft cites it in full first. Short forms (*supra*, *id.*,
a bare section) follow the full citation they stand for and are not reported again. If the authority is in
the library and the message stays, the document's own citation was not recognised: give it in the front
matter (`citation:`, `parallel_citations:`), or declare the citation's form in `lexls.toml` under
`[[citations.forms]]`.

Where the library holds an authority of that name under a citation that a slip makes of this one (a digit
wrong, missing or swapped, a few pages off, the numbers in the wrong order, another court or report of the
same kind), the message asks whether it was meant, and a quick fix puts it in. For a citation without a name
the fixes are offered, and the message stays silent. Where only the name and the year agree, the message says
what the library has under that name: it may be another decision between the same parties.""",
)

IMPOSSIBLE_CITATION = DiagnosticRule(
    code="impossible-citation",
    severity="warning",
    order=30,
    help="A year, volume or court that the report or neutral citation cannot have.",
    documentation="""\
The court gave no neutral citations in that year, the report had not begun or had ended, the volume
belongs to other years, or the year is still to come. It is reported only where the report's own years are
known, and never of a citation that the library holds, or of a volume and year that several of its documents
cite. Where the library has an authority a slip away, it is
offered as for a citation that is not in the library.""",
)


def check_held(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """A problem for each authority that the paragraph cites in full and the library does not hold.

    While the library is being read for the first time, nobody knows what it does not hold. What cannot be a
    citation at all is told by the check of that.
    """
    if not excerpt.library.complete:
        return
    snapshot = excerpt.snapshot
    impossible_told = snapshot.settings.severities.get(IMPOSSIBLE_CITATION.code) != "off"
    reported: set[int] = set()
    told: set[str] = set()
    for resolution in excerpt.cited:
        citation = resolution.citation
        if resolution.authorities or citation.form != "full" or not citation.key:
            continue
        if citation.kind == "contract":  # an exhibit: the record's, not the law's
            continue
        if _begins_held_title(excerpt, citation) or _is_held_by_number(excerpt, citation):
            continue
        if citation.group:
            if citation.group in reported:
                continue
            reported.add(citation.group)
        if citation.key in told or (impossible_told and explain_impossible(snapshot, citation)):
            continue
        told.add(citation.key)
        token.raise_if_cancelled()
        found = offer(excerpt, citation)
        named = as_named(snapshot, citation) if citation.kind == "case" else citation.key
        elsewhere = tell_codified(excerpt.library, citation)
        message = f"{named} is not in your library{elsewhere or found.question}"
        span = found.citation.core
        yield Problem(span, NOT_IN_LIBRARY.code, message, found.authority, fixes=found.fixes)


def _begins_held_title(excerpt: Excerpt, citation: Citation) -> bool:
    """Whether an Act is named in the title of an instrument that is cited here and held.

    "Grain Act 1998 (Commencement) Order 1999, SI 1999/3" cites the Order alone.
    """
    if citation.kind == "case":
        return False
    written = excerpt.snapshot.draft.masked[citation.core.start : citation.core.start + _LONGEST_TITLE]
    written = " ".join(written.split())
    for resolution in excerpt.cited:
        for number in resolution.authorities[:1]:
            authority = excerpt.library.catalogue.get(number)
            _, named, rest = (authority.title if authority else "").partition(citation.key)
            if named and rest.strip() and written.startswith(f"{named}{rest}"):
                return True
    return False


def _is_held_by_number(excerpt: Excerpt, citation: Citation) -> bool:
    """Whether an Act's name stands before its number, by which the library has it: "… Act, Pub. L. …"."""
    if citation.kind != "statute":
        return False
    end = citation.span.end
    for resolution in excerpt.cited:
        behind = resolution.citation
        if behind.kind == "statute" and excerpt.snapshot.draft.masked[end : behind.span.start] == ", ":
            if resolution.authorities:
                return True
            end = behind.span.end
    return False


_LONGEST_TITLE = 400
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Offer:
    """The citation of a mention that something in the library is near; ``authority`` is the one meant in all
    likelihood.

    ``question`` is to be added to a message: "; did you mean …?", "" if nothing is likely enough to say so.
    """

    citation: Citation
    authority: int | None
    question: str
    fixes: tuple[Fix, ...]


def offer(excerpt: Excerpt, citation: Citation) -> Offer:
    """What may be offered for a mention that names no authority of the library, by any of its citations."""
    snapshot = excerpt.snapshot
    meant: tuple[Citation, Sequence[NearMiss]] = (citation, ())
    for each in excerpt.group(citation):
        near = find_near_misses(snapshot, each.citation)
        if near and (not meant[1] or (meant[1][0].slip == "name" and near[0].slip != "name")):
            meant = each.citation, near
    found = tuple(meant[1])
    fixes = tuple(_fix(snapshot, meant[0], each, len(found) == 1) for each in found)
    authority = found[0].authority.id if len(found) == 1 and found[0].named else None
    return Offer(meant[0], authority, _question(found), fixes)


def _question(near: Sequence[NearMiss]) -> str:
    if near and near[0].slip == "name":
        return f"; it has {near[0].authority.name} as {near[0].citation}"
    words = [each.citation for each in near if each.named and each.slip != "name"]
    if not words:
        return ""
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    return f"; did you mean {listed}?"


def _fix(snapshot: Snapshot, citation: Citation, near: NearMiss, alone: bool) -> Fix:
    written = _in_manner_of(as_cited(snapshot, citation), near.citation)
    title = f"Change to {written}"
    if not near.named or near.slip == "name":
        title = f"{title} ({near.authority.name})"
    edit = Edit(citation.core, snapshot.draft.format.escape(written))
    return Fix(title, (edit,), preferred=alone and near.named and near.slip == "number")


def _in_manner_of(written: str, citation: str) -> str:
    """A citation spaced and punctuated as the draft writes the one that only differs from it in numbers."""
    numbers = _NUMBER.findall(citation)
    if len(numbers) != len(_NUMBER.findall(written)):
        return citation
    values = iter(numbers)
    changed = _NUMBER.sub(lambda _: next(values), written)
    return changed if fold(changed) == fold(citation) else citation


def check_possible(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """A problem for each full citation that cannot be, unless the library holds an authority with it."""
    for resolution in excerpt.cited:
        token.raise_if_cancelled()
        citation = resolution.citation
        if resolution.by == "citation":
            continue
        reason = explain_impossible(excerpt.snapshot, citation)
        if reason:
            found = offer(excerpt, citation)
            fixes = found.fixes if found.citation is citation else ()
            message = f"{as_cited(excerpt.snapshot, citation)}: {reason}{found.question if fixes else ''}"
            yield Problem(citation.core, IMPOSSIBLE_CITATION.code, message, fixes=fixes)


def explain_impossible(snapshot: Snapshot, citation: Citation) -> str:
    """Why the report or court cannot have such a citation, "" if nothing certain speaks against it.

    What is known of the years of volumes gives way to what the library shows.
    """
    grammar = snapshot.searcher.grammar
    reason = find_impossibility(citation, grammar) if grammar is not None else ""
    if reason and citation.year is not None and snapshot.library.graph.attests(citation.key, citation.year):
        return ""
    return reason


# -- authorities a slip of the pen away ----------------------------------------------------------------------

Slip = Literal["number", "order", "report", "name"]
"""What differs: a digit of one number, the order of the numbers, the report or court; "name": all but the
name."""
_ORDER: tuple[Slip, ...] = ("number", "order", "report", "name")
# Not the number of a report's series ("F.2d").
_OWN_NUMBER = re.compile(r"\d+(?!\d*[a-z])")
_MOST = 3
_MOST_NAMES = 120
"""Names of a form's reports or courts that are all tried in place of the one cited."""
_FAR = 3
"""Pages by which a citation may be off."""
_BEFORE = 80
"""Code points before a citation in which its name is looked for where none was read."""
_NO_NAME = re.compile(r"^\W*\w+|\b(?:See|Cf|In|And|But|Compare|Also|Accord|E\.g|The|Court|As|At)\b")
_LONGEST = 80
"""Code points of the longest key that is varied."""


@dataclass(frozen=True, slots=True)
class NearMiss:
    """An authority that a citation may have meant, under the citation that is near.

    ``named`` says that the authority has the name that the draft gives.
    """

    authority: Authority
    citation: str
    slip: Slip
    named: bool


def find_near_misses(snapshot: Snapshot, citation: Citation) -> list[NearMiss]:
    """At most three authorities that a full citation without authority may have meant, the likeliest first.

    One of another name than the draft gives is none. Where no name was read, the words before the citation
    must speak of it; where these name nothing at all, only a slip in the numbers is likely enough, and if
    more than one is a slip away nobody knows.
    """
    if not citation.key or len(citation.key) > _LONGEST:
        return []
    if citation.kind == "statute" and citation.key[0].isdigit() and citation.name:
        return []  # a code by its name: no number of it can be wrong
    found: dict[int, NearMiss] = {}
    before = "" if citation.name else _words_before(snapshot, citation)
    bare = not citation.name and not any(map(str.isupper, before))
    for key, slip in _variants(snapshot, citation):
        if bare and slip != "number":
            continue
        for document in snapshot.library.catalogue.find_key(key):
            authority = snapshot.library.catalogue.get(document)
            if authority is None or document in found or authority.kind != _kind(citation, authority):
                continue
            if not _years_agree(citation, authority, key):
                continue
            named = _named(citation, authority) or (not citation.name and _speak_of(before, authority))
            if named or bare:
                found[document] = NearMiss(authority, _as_given(authority, key), slip, named)
    if not found:
        for each in _of_the_name(snapshot, citation):
            found.setdefault(each.authority.id, each)
    ranked = sorted(found.values(), key=lambda each: (not each.named, _ORDER.index(each.slip)))
    sure = [each for each in ranked if each.named and each.slip == "number"]
    if len(sure) == 1:
        return sure
    return ranked[:_MOST] if not bare or len(ranked) == 1 else []


def _kind(citation: Citation, authority: Authority) -> str:
    """The kind that an authority must have: that of the citation, where the two name kinds alike."""
    return citation.kind if citation.kind in ("case", "statute") else authority.kind


def _years_agree(citation: Citation, authority: Authority, key: str) -> bool:
    """Whether the years may be of one authority; a key that holds its year is as good as its numbers."""
    if citation.kind != "case":
        return True
    if citation.year is None or authority.year is None:
        # Hundreds of cases are called "R v Smith".
        return not citation.name or names_both_parties(citation.name)
    return abs(citation.year - authority.year) <= 1 or any(str(authority.year + by) in key for by in (0, 1))


def _named(citation: Citation, authority: Authority) -> bool:
    if citation.kind == "case":
        return bool(citation.name) and any(
            same_name(citation.name, title) for title in (authority.title, authority.short_title) if title
        )
    return _letters(citation.key) in {_letters(each) for each in (authority.title, *authority.citations)}


def _words_before(snapshot: Snapshot, citation: Citation) -> str:
    """What stands before a citation and may name it, the first word of its paragraph and signals left out."""
    draft = snapshot.draft
    paragraph = draft.paragraph_at(citation.core.start)
    start = max(paragraph.start if paragraph is not None else 0, citation.core.start - _BEFORE)
    return _NO_NAME.sub("", draft.masked[start : citation.core.start])


def _speak_of(words: str, authority: Authority) -> bool:
    """Whether words hold one of those that tell an authority's name."""
    telling = {
        word for name in list_short_names(authority.title) for word in list_name_words(name) if len(word) > 3
    }
    return not telling.isdisjoint(list_name_words(words))


def _letters(text: str) -> str:
    return _NUMBER.sub("", fold(text))


def _as_given(authority: Authority, key: str) -> str:
    """The citation of an authority that has this key."""
    wanted = fold(key)
    return next((each for each in authority.citations if fold(each) == wanted), key)


def _variants(snapshot: Snapshot, citation: Citation) -> Iterator[tuple[str, Slip]]:
    """The keys that are one slip away."""
    key = citation.key
    numbers = list(_OWN_NUMBER.finditer(key))
    for match in numbers:
        for other in _slips(match.group()):
            yield key[: match.start()] + other + key[match.end() :], "number"
    if citation.kind != "case":
        return
    for place, match in enumerate(numbers):
        for later in numbers[place + 1 :]:
            if match.group() != later.group():
                between = key[match.end() : later.start()]
                swapped = later.group() + between + match.group()
                yield key[: match.start()] + swapped + key[later.end() :], "order"
    yield from ((each, "report") for each in _other_reports(snapshot, citation))


def _slips(number: str) -> Iterator[str]:
    """A number with two digits swapped, one wrong, missing or too many, or a few pages off."""
    seen = {number}
    for place in range(len(number)):
        before, after = number[:place], number[place + 1 :]
        slipped = [before + digit + after for digit in "0123456789"]
        slipped.append(before + after)
        if len(number) < 4:
            slipped.extend(number[:place] + digit + number[place:] for digit in "0123456789")
        slipped.append(before + number[place] * 2 + after)
        if after:
            slipped.append(before + after[0] + number[place] + after[1:])
        elif len(number) < 4:
            slipped.extend(number + digit for digit in "0123456789")
        for each in slipped:
            if each and each[0] != "0" and each not in seen:
                seen.add(each)
                yield each
    if len(number) < 4 or int(number) > 2100:
        for off in range(1, _FAR + 1):
            for value in (int(number) - off, int(number) + off):
                if value > 0 and str(value) not in seen:
                    yield str(value)


def _other_reports(snapshot: Snapshot, citation: Citation) -> Iterator[str]:
    """The same numbers in the other courts or reports of the form; of many, those spelt alike."""
    grammar = snapshot.searcher.grammar
    match = grammar.core_of(citation.key, citation.jurisdiction) if grammar is not None else None
    if match is None:
        return
    for token, names in match.form.names.items():
        span = match.value_spans.get(token)
        if span is None or token not in ("court", "report"):
            continue
        written = fold(span.of(citation.key))
        for other in names:
            if fold(other) != written and (len(names) <= _MOST_NAMES or _are_alike(written, fold(other))):
                yield citation.key[: span.start] + other + citation.key[span.end :]


def _are_alike(one: str, other: str) -> bool:
    """Whether one of two abbreviations has a letter more, another one, or its letters in another order."""
    return are_close(one, other) or (len(one) == len(other) and sorted(one) == sorted(other))


def _of_the_name(snapshot: Snapshot, citation: Citation) -> Iterator[NearMiss]:
    """Cases of the same years whose both parties are those of the draft's name, under whatever citation."""
    if citation.kind != "case" or not names_both_parties(citation.name):
        return
    for document in snapshot.names.of(snapshot.library).by_name(f"{citation.name} ", 8):
        authority = snapshot.library.catalogue.get(document)
        if (
            authority is not None
            and authority.kind == "case"
            and authority.citation
            and citation.year is not None
            and authority.year is not None
            and abs(citation.year - authority.year) <= 1
            and names_both_parties(authority.title)
            and same_name(citation.name, authority.title)
        ):
            yield NearMiss(authority, authority.citation, "name", True)


CHECKS = (
    LocalCheck((NOT_IN_LIBRARY,), check_held),
    LocalCheck((IMPOSSIBLE_CITATION,), check_possible),
)
