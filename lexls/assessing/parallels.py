"""Compare the citations of one mention with the authority's, and with one another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from lexls.assessing.check import as_cited
from lexls.assessing.decisions import is_enacted
from lexls.assessing.fact import Fact
from lexls.citations.case_names.compare import is_other_name, is_plainly_same_name, same_name
from lexls.citations.model import Citation, fold
from lexls.citations.same_docket import find_docket
from lexls.index.records import Authority
from lexls.reading.resolve import Resolution
from lexls.reading.snapshot import Snapshot
from lexls.text.phrases import load_phrases

_PHRASES = load_phrases(__package__, "verdicts.toml")
_REASONS: Mapping[str, str] = _PHRASES["uncompared"]
_NAMES: Mapping[str, str] = _PHRASES["names"]


def compare_citations(
    snapshot: Snapshot, mention: Sequence[Resolution], authority: Authority
) -> Iterator[Fact]:
    """Yield a fact for each citation that identifies the authority: report and page, a neutral citation, or a
    title. Also yield a fact for an enactment's name that its file does not confirm.
    """
    yield from _compare_titles(mention, authority)
    own = snapshot.library.catalogue.keys_of(authority.id)
    other = _find_other_case(snapshot, mention)
    for each in mention:
        citation = each.citation
        docket = find_docket(snapshot.draft.masked, citation.core.start, citation.core.end)
        if docket is not None and not docket.of_year:
            continue
        stated = as_cited(snapshot, citation) if citation.form == "full" else citation.key
        if other is not None and other[0] is citation:
            yield other[1]
        elif apart := _find_apart(snapshot, citation, stated, authority):
            reason = _REASONS["uncertain"].format(held=apart)
            yield Fact("citation", "not-compared", stated, apart, citation.core, reason)
        elif each.by == "citation" or fold(citation.key) in own or _is_its_name(each) or _is_by_docket(each):
            yield Fact("citation", "agrees", stated, citation.key, citation.core)
        else:
            reason = _REASONS["parallel"].format(cited=authority.citation or authority.name)
            yield Fact("citation", "not-stated", stated, authority.citation, citation.core, reason)


def _is_its_name(resolution: Resolution) -> bool:
    """Return whether the title serves as the citation, as for contracts."""
    return resolution.is_sure and resolution.citation.kind not in ("case", "statute")


def _is_by_docket(resolution: Resolution) -> bool:
    """Return whether the citation was matched by its docket number."""
    return resolution.by == "docket"


def _compare_titles(mention: Sequence[Resolution], authority: Authority) -> Iterator[Fact]:
    """Yield a fact for each name of an enactment, stated next to its number, that the file's title does not
    confirm.
    """
    for each in mention:
        citation = each.citation
        if citation.kind != "statute" or citation.form != "full" or not citation.name or each.by == "name":
            continue
        name, title = fold(citation.name), fold(authority.title)
        if name not in title and (not title or title not in name):
            reason = _NAMES["unclear"].format(title=authority.name)
            yield Fact("name", "not-compared", citation.name, authority.title, citation.core, reason)


def _find_apart(snapshot: Snapshot, citation: Citation, stated: str, authority: Authority) -> str:
    """Return the authority's citation that has the same key but differs in a part that keys omit; "" if there
    is none.

    The same regulation is cited with and without its community ("(EC) No 44/2001"), and the same report with
    and without the reporter's name ("5 U.S. (1 Cranch) 137"). Keys omit these parts, so they are compared
    here.
    """
    grammar = snapshot.searcher.grammar
    if grammar is None or citation.form != "full" or fold(stated) == fold(citation.key):
        return ""
    match = grammar.core_of(stated, citation.jurisdiction)
    if match is None:
        return ""
    keys = ({part.text for part in key if part.kind == "token"} for key in match.form.keys)
    in_key = set.intersection(*keys)
    for written in authority.citations:
        own = grammar.core_of(written, authority.jurisdiction)
        if own is None or own.key != match.key:
            continue
        for token in match.values.keys() - in_key:
            if fold(own.values.get(token, "")) != fold(match.values[token]):
                return written
    return ""


def find_cases(
    snapshot: Snapshot, mention: Sequence[Resolution], most: int | None = None
) -> Iterator[tuple[Citation, Authority]]:
    """Yield the library's cases with a mention's citations, at most ``most`` for each citation."""
    catalogue = snapshot.library.catalogue
    for each in mention:
        for document in catalogue.find_key(each.citation.key)[:most] if each.citation.key else ():
            authority = catalogue.get(document)
            if authority is not None and not is_enacted(authority):
                yield each.citation, authority


def _find_other_case(snapshot: Snapshot, mention: Sequence[Resolution]) -> tuple[Citation, Fact] | None:
    """Return the parallel citation that belongs to another case, with the fact about it; None if all may
    belong to one case. It is the one that does not fit the draft's name; if both may fit, the later one. A
    case that is in the library twice, under one citation each, is still one case.
    """
    if len(mention) < 2 or mention[0].citation.form != "full":
        return None
    held = [(each, case) for each, case in find_cases(snapshot, mention, 1) if each.kind == "case"]
    for (first, authority), (second, other) in pairwise(held):
        names = [each.name for each, _ in held if each.name]
        if _different(authority, other) or _distinguish(names, authority, other):
            if _named(held, other) and not _named(held, authority):
                return first, _differ(snapshot, first, authority, second, other)
            return second, _differ(snapshot, second, other, first, authority)
    return None


def _differ(
    snapshot: Snapshot, wrong: Citation, authority: Authority, right: Citation, other: Authority
) -> Fact:
    stated, parallel = as_cited(snapshot, wrong), as_cited(snapshot, right)
    reason = f"{stated} is {authority.name}; {parallel} is another case, {other.name}"
    return Fact("citation", "differs", stated, authority.name, wrong.core, reason, "parallel")


def _different(one: Authority, other: Authority) -> bool:
    """Return whether two authorities are certainly different cases."""
    if one.id == other.id or same_name(one.title, other.title):
        return False
    return is_other_name(one.title, other.title) or _are_apart(one, other)


def _distinguish(names: Sequence[str], one: Authority, other: Authority) -> bool:
    """Return whether a name in the draft fits one of the two authorities and not the other."""
    return one.id != other.id and any(
        is_plainly_same_name(name, here.title) and not same_name(name, there.title)
        for name in names
        for here, there in ((one, other), (other, one))
    )


def _named(held: list[tuple[Citation, Authority]], authority: Authority) -> bool:
    return any(each.name and same_name(each.name, authority.title) for each, _ in held)


def _are_apart(one: Authority, other: Authority) -> bool:
    """Return whether two decisions are more than a year apart."""
    return one.year is not None and other.year is not None and abs(one.year - other.year) > 1
