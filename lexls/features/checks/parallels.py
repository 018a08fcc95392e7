"""Parallel citations of one mention that the library holds as different cases."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.citations.comparing_names import other_name, same_name
from lexls.citations.model import Citation
from lexls.features.checks.excerpt import Excerpt
from lexls.features.checks.problem import Problem
from lexls.features.checks.wording import as_cited, its_beginning, title_of
from lexls.index.records import Authority
from lexls.settings.diagnostics import PARALLEL_MISMATCH
from lexls.text.cancel import CancelToken


def check(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """A problem for each mention whose parallel citations are those of different cases.

    It stands at the citation that the name in the draft does not belong to, at the later of the two if that
    does not tell. A case that the library holds twice, under one citation each, is not two.
    """
    seen: set[int] = set()
    for resolution in excerpt.cited:
        citation = resolution.citation
        if not citation.group or citation.group in seen or citation.form != "full":
            continue
        seen.add(citation.group)
        token.raise_if_cancelled()
        held = list(_held(excerpt, citation))
        for place, (second, other) in enumerate(held[1:], start=1):
            first, authority = held[place - 1]
            if not _different(authority, other):
                continue
            if _named(held, authority) and not _named(held, other):
                yield _problem(excerpt, second, other, first, authority)
            elif _named(held, other) and not _named(held, authority):
                yield _problem(excerpt, first, authority, second, other)
            else:
                yield _problem(excerpt, second, other, first, authority)
            break


def _held(excerpt: Excerpt, citation: Citation) -> Iterator[tuple[Citation, Authority]]:
    """The citations of the mention that the library holds, each with its authority."""
    for each in excerpt.group(citation):
        if each.citation.kind != "case" or not each.citation.key:
            continue
        for document in excerpt.library.find_key(each.citation.key)[:1]:
            authority = excerpt.library.authority(document)
            if authority is not None and authority.kind == "case":
                yield each.citation, authority


def _different(one: Authority, other: Authority) -> bool:
    """Whether two authorities are certainly two cases."""
    return one.id != other.id and other_name(one.title, other.title)


def _named(held: list[tuple[Citation, Authority]], authority: Authority) -> bool:
    return any(each.name and same_name(each.name, authority.title) for each, _ in held)


def _problem(
    excerpt: Excerpt, wrong: Citation, authority: Authority, right: Citation, other: Authority
) -> Problem:
    snapshot = excerpt.snapshot
    cited, parallel = as_cited(snapshot, wrong), as_cited(snapshot, right)
    message = f"{cited} is {title_of(authority)}; {parallel} is another case, {title_of(other)}"
    related = (*its_beginning(snapshot, authority), *its_beginning(snapshot, other))
    return Problem(wrong.core, PARALLEL_MISMATCH.code, message, authority.id, related)
