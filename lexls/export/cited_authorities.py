"""List the authorities cited in a draft, each with its verdict and the places where it is cited."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from lexls.assessing.check import Finding, as_named
from lexls.assessing.verdicts import Verdict, describe, name_state
from lexls.export.report import CitedAuthority, make_report
from lexls.features.find_support import describe_warning
from lexls.index.records import Authority
from lexls.reading.resolve import find_country, settle
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.place_words import cite_behind_title

_WORST_FIRST: tuple[Verdict, ...] = (
    *("wrong", "not-in-library", "in-catalogue", "identified", "not-checkable", "partly", "verified"),
)


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A place where a draft cites an authority. ``span`` and ``text`` are the citation. ``state`` is its
    verdict in a word or two, ``reason`` the verdict in a sentence. ``passage`` is the cited passage of the
    authority, None if unknown. ``remarks`` are other problems found with the citation and its quotations.
    """

    span: Span
    text: str
    verdict: Verdict
    state: str
    reason: str
    passage: Span | None
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CitedEntry:
    """An authority cited in a draft. ``key`` identifies it as long as it is cited; ``cited`` is shown after
    its ``title``. ``authority`` is None if it is not in the library. ``verdict`` and ``state`` are the
    worst among its citations. ``warning`` describes negative treatment by documents in the library, or is
    "".
    """

    key: str
    title: str
    cited: str
    kind: str
    authority: Authority | None
    verdict: Verdict
    state: str
    warning: str
    places: tuple[CitedPlace, ...]


def list_cited(snapshot: Snapshot, findings: Sequence[Finding], token: CancelToken) -> list[CitedEntry]:
    """Return every authority cited in the draft, those with the worst verdict first, then by title.
    ``findings`` are the results of `check`. Raises ``Cancelled``.
    """
    draft = snapshot.draft
    by_key: defaultdict[str, list[CitedAuthority]] = defaultdict(list)
    for each in make_report(snapshot, findings, token).cited:
        citation = draft.citation_at(each.span.end - 1) or draft.citation_at(each.span.start)
        written = citation.key if citation is not None else ""
        by_key[f"{each.authority.id}" if each.authority is not None else written or each.text].append(each)
    entries = [_list_places(snapshot, key, found) for key, found in by_key.items()]
    return sorted(entries, key=lambda each: (_rank(each), each.title.casefold()))


def _rank(entry: CitedEntry) -> int:
    """Return the sort rank of an authority: those with wrong citations first, then those with remarks or a
    warning.
    """
    remarked = any(place.remarks for place in entry.places) or entry.warning
    rank = _WORST_FIRST.index(entry.verdict)
    return min(rank, 1) if remarked else rank


def _list_places(snapshot: Snapshot, key: str, found: Sequence[CitedAuthority]) -> CitedEntry:
    draft, first = snapshot.draft, found[0]
    country = find_country(snapshot.library, draft.jurisdiction)
    authority = settle(first.authority, country) if first.authority is not None else None
    places = tuple(map(_read_place, found))
    worst = min(places, key=lambda each: _WORST_FIRST.index(each.verdict))
    citation = draft.citation_at(first.span.end - 1) or draft.citation_at(first.span.start)
    named = as_named(snapshot, citation) if citation is not None and citation.key else first.text
    return CitedEntry(
        key,
        authority.name if authority is not None else first.stands_for or named,
        cite_behind_title(authority) if authority is not None else "",
        authority.kind if authority is not None else citation.kind if citation is not None else "other",
        authority,
        worst.verdict,
        worst.state,
        describe_warning(snapshot.library, authority) if authority is not None else "",
        places,
    )


def _read_place(each: CitedAuthority) -> CitedPlace:
    quoted = (remark for quotation in each.quotations for remark in quotation.remarks)
    told = dict.fromkeys((*each.remarks, *quoted))
    place = each.places[0] if each.places else None
    return CitedPlace(
        each.span,
        each.text,
        each.verdict,
        name_state(each.assessment),
        describe(each.assessment),
        Span(place.start, place.end) if place is not None else None,
        tuple(one for one in told if not (each.reason and one.startswith(each.reason))),
    )
