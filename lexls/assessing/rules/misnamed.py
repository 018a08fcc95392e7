"""Report case names that belong to another case, and parallel citations of different cases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from lexls.assessing.check import LocalCheck, Problem, as_cited, find_beginning
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.fact import Fact
from lexls.citations.case_names.compare import (
    cut_tail,
    is_office,
    is_other_name,
    is_plainly_same_name,
    is_unclear,
    list_name_words,
    read_party,
    same_name,
)
from lexls.citations.case_names.shorten import match_versus
from lexls.citations.case_names.strangers import Stranger, find_strangers, is_respelt, shares_party
from lexls.citations.keys import fold, join_spaces
from lexls.citations.model import Citation
from lexls.index.records import Authority
from lexls.reading.edit import Edit, Fix
from lexls.reading.resolve import Resolution
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.text.lexicon import BETWEEN_PARTIES
from lexls.text.phrases import load_phrases
from lexls.text.spans import Span

NAME_MISMATCH = DiagnosticRule(
    code="name-mismatch",
    severity="warning",
    order=20,
    filing="error",
    help="A case name that is not that of the case with this citation.",
    documentation="""\
The library holds an authority with the citation, and it has another name: either the name or the
numbers are wrong. The message gives the authority's name, the quick fix writes it, and the related
information opens the authority.

Names are the same for lexls however courts and reports write them: abbreviated ("Ass'n", "Dep't", "CFTC"),
with initials, in capitals, without accents, with or without "Ltd" and "& Ors", with a letter of a
transliterated name changed, with the parties in the other order, as "In re", or by one party alone. Where
the names share a party, and the other or a word of it is not the same, it is reported if the year is not
that of the decision, or if neither the text of the authority, but for the names of other cases in it, nor
another document that cites it has the draft's words. An office in place of a party ("State",
"Commissioner") is reported if no such office stands in the text, "State" or "United States" as a party in
its beginning; a short text tells nothing of them. What a file does not name as its citation, and only other
documents call so, must be called so by more of them than agree with the draft.""",
)


_REASONS: Mapping[str, str] = load_phrases("lexls.assessing", "verdicts.toml")["uncompared"]
_NAME_REACH = 160
"""Code points before a citation in which its name stands."""
_OPENING = 1500
"""Code points of an authority in which its parties are named."""
_SHORTEST = 3
_TELLING = 6
"""Letters from which on a name is not found by chance."""
_JOINED = re.compile(r"(?:[A-Z][\w.’'-]*\s+){1,5}(?:alias|@|a/k/a|and|AND|&)\s+\Z")
_WORD = re.compile(r"[A-Z][\w’'-]{3,}")


def check_names(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """A problem for each full citation of a case under a name that its authority does not have.

    Where one of the parallel citations belongs to a case of that name, the name is right.
    """
    seen: set[int] = set()
    for resolution in excerpt.cited:
        citation = resolution.citation
        if citation.form != "full" or citation.kind != "case" or not citation.name:
            continue
        if citation.group:
            if citation.group in seen:
                continue
            seen.add(citation.group)
        token.raise_if_cancelled()
        held = [(each, authority) for each, authority in _held(excerpt, citation) if authority.title]
        if (
            held
            and all(
                _differs(excerpt, citation, name, authority)
                for _, authority in held
                for name in _list_readings(excerpt, citation)
            )
            and not any(_stands_before(excerpt, citation, authority) for _, authority in held)
            and any(_is_attested(excerpt, each, citation.name, authority) for each, authority in held)
        ):
            yield _problem(excerpt, citation, *held[0])


def compare_names(
    excerpt: Excerpt, mention: Sequence[Resolution], authority: Authority, token: CancelToken
) -> Iterator[Fact]:
    """Compare the name that a full citation states with the authority's."""
    first = mention[0].citation
    name = join_spaces(next((each.citation.name for each in mention if each.citation.name), ""))
    if not name or first.form != "full" or excerpt.snapshot.draft.key_of(first) is not None:
        return
    alone = replace(excerpt, cited=tuple(mention))
    problem = next(check_names(alone, token), None) if first.kind == "case" else None
    if problem is not None:
        yield Fact("name", "differs", name, authority.name, problem.span, problem.message, "misnamed")
    elif authority.title:
        yield Fact("name", "agrees", name, authority.title, first.span)
    else:
        yield Fact("name", "not-stated", name, "", first.span, _REASONS["title"])


def _held(
    excerpt: Excerpt, citation: Citation, most: int | None = None
) -> Iterator[tuple[Citation, Authority]]:
    """The cases that the library holds under the mention's citations, at most ``most`` under each."""
    catalogue = excerpt.library.catalogue
    for each in excerpt.group(citation):
        for document in catalogue.find_key(each.citation.key)[:most] if each.citation.key else ():
            authority = catalogue.get(document)
            if authority is not None and authority.kind == "case":
                yield each.citation, authority


def _differs(excerpt: Excerpt, citation: Citation, name: str, authority: Authority) -> bool:
    """Whether a name is not the authority's: plainly another, or one strange to its text or to its year."""
    titles = [title for title in (authority.title, authority.short_title) if title]
    if BETWEEN_PARTIES.search(name) is not None:
        titles = [title for title in titles if BETWEEN_PARTIES.search(title)] or titles
    strangers = min((find_strangers(name, title) for title in titles), key=len)
    if all(is_other_name(name, title) for title in titles):
        if BETWEEN_PARTIES.search(name) is None:
            # One name alone may be what the case is called by: "the Coal Control Case".
            words = _WORD.findall(name)
            return bool(words) and not _mentions(excerpt, authority, words) and not _respells(words, titles)
        if strangers and not _is_in_opening(excerpt, name, authority):
            # Of appeals that were heard together one title is kept.
            return not any(shares_party(name, title) for title in titles) or not all(
                _knows(excerpt, authority, citation, each) for each in strangers
            )
    if is_unclear(name):
        return False
    if not any(same_name(name, title) for title in titles) and _are_apart(citation.year, authority):
        return not _is_in_opening(excerpt, name, authority)
    return any(not _knows(excerpt, authority, citation, each) for each in strangers)


def _respells(words: Sequence[str], titles: Sequence[str]) -> bool:
    """Whether one of some words may be one of a title's, with a letter or two wrong."""
    own = [each for title in titles for each in list_name_words(title) if len(each) > _SHORTEST]
    return any(is_respelt(fold(word), each) for word in words for each in own)


def _mentions(excerpt: Excerpt, authority: Authority, words: Sequence[str]) -> bool:
    """Whether an authority's text has one of some words."""
    text = excerpt.library.contents.text(authority.id)
    return any(re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE) for word in words)


def _knows(excerpt: Excerpt, authority: Authority, citation: Citation, stranger: Stranger) -> bool:
    """Whether an authority's text, or another document that cites it, has a party that its title has not."""
    words = {word.casefold() for word in stranger.words}
    graph = excerpt.library.graph
    text = excerpt.library.contents.text(authority.id)
    if any(
        words <= {*name.replace("united states", "unitedstates").split()}
        for each in excerpt.group(citation)
        for name in graph.count_names(each.citation.key)
    ):
        return True
    if not stranger.is_named_in(text):
        return False
    cited = graph.find_names_in(authority.id)
    if not any(2 * len(words & {*name.split()}) > len(words) for name, _, _ in cited):
        return True
    # Nor is a party of a case that the authority cites one of its own.
    for _, start, end in cited:
        text = text[:start] + " " * (end - start) + text[end:]
    return stranger.is_named_in(text[:_OPENING]) or stranger.is_spoken_of_in(text)


def _is_attested(excerpt: Excerpt, citation: Citation, name: str, authority: Authority) -> bool:
    """Whether a citation is certainly the authority's: its file says so, or more documents than call it so.

    Files of judgments may name no report: theirs are learnt from those that cite them, under other names too.
    """
    if fold(citation.key) in map(fold, authority.citations):
        return True
    right = wrong = 0
    for each, documents in excerpt.library.graph.count_names(citation.key).items():
        if is_plainly_same_name(each, authority.title):
            right += documents
        elif same_name(each, name) and not find_strangers(name, each):
            wrong += documents
        elif same_name(each, authority.title):
            right += documents
    return right > wrong


def _list_readings(excerpt: Excerpt, citation: Citation) -> Iterator[str]:
    """The name that was read, and with the words before it where it may be but their end: "Ayya alias …"."""
    yield citation.name
    masked = excerpt.snapshot.draft.masked
    named = _name_span(masked, citation)
    if named is not None:
        before = _JOINED.search(masked, max(excerpt.paragraph.start, named.start - _NAME_REACH), named.start)
        if before is not None:
            yield f"{before.group()}{citation.name}"


def _are_apart(year: int | None, authority: Authority) -> bool:
    """Whether a decision of that year is certainly another one."""
    return year is not None and authority.year is not None and abs(year - authority.year) > 1


def _stands_before(excerpt: Excerpt, citation: Citation, authority: Authority) -> bool:
    """Whether the authority's name stands before a citation of whose name only an end was read.

    "*Carrow v Luff and Pell v Stark*", "*Carrow v. Luff, 1975 Retirement Plan*".
    """
    masked = excerpt.snapshot.draft.masked
    named = _name_span(masked, citation) or citation.core
    start = max(excerpt.paragraph.start, citation.core.start - _NAME_REACH)
    ended = (each.citation.core.end for each in excerpt.cited if each.citation.core.end <= named.start)
    start = max(start, masked.rfind(";", start, named.start) + 1, *ended)
    between = list(BETWEEN_PARTIES.finditer(masked, start, named.start))
    parties = BETWEEN_PARTIES.split(authority.title, maxsplit=1)[::2]
    first = [word.group().casefold() for word in map(_WORD.search, parties) if word is not None]
    return (
        len(first) == 2
        and bool(between)
        and first[0] in masked[start : between[-1].start()].casefold()
        and first[1] in masked[between[-1].end() : citation.core.start].casefold()
    )


def _is_in_opening(excerpt: Excerpt, name: str, authority: Authority) -> bool:
    """Whether the first party of a name stands at the beginning of an authority: its appeal was heard too.

    Not where the authority's own name has it: then the opponents are two.
    """
    first, *opponents = BETWEEN_PARTIES.split(name, maxsplit=1)
    party = list_name_words(first)
    if is_office(read_party(first)) and opponents:
        party = list_name_words(opponents[-1])
    if sum(map(len, party)) < _TELLING or (
        opponents and all(word in fold(authority.title) for word in party)
    ):
        return False
    opening = fold(excerpt.library.contents.text(authority.id)[:_OPENING])
    return all(word in opening for word in party)


def _problem(excerpt: Excerpt, citation: Citation, found: Citation, authority: Authority) -> Problem:
    snapshot = excerpt.snapshot
    span = _name_span(snapshot.draft.masked, citation)
    name = " ".join(cut_tail(citation.name).split())
    message = f"{as_cited(snapshot, found)} is {authority.name}, not {name}"
    fixes: tuple[Fix, ...] = ()
    if span is not None:
        written = match_versus(authority.title, name)
        edit = Edit(span, snapshot.draft.format.escape(written))
        fixes = (Fix(f"Change the name to {written}", (edit,)),)
    related = find_beginning(snapshot, authority)
    return Problem(span or citation.core, NAME_MISMATCH.code, message, authority.id, related, fixes)


def _name_span(masked: str, citation: Citation) -> Span | None:
    """Where the name stands in the draft; None if it is broken up there."""
    pattern = r"\s+".join(re.escape(word) for word in cut_tail(citation.name).split())
    match = re.compile(pattern).search(masked, citation.span.start, citation.span.end)
    return Span(*match.span()) if match is not None else None


CHECKS = (LocalCheck((NAME_MISMATCH,), check_names),)
