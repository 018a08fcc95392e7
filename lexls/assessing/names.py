"""Compare the draft's name of a case with the authority's title."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Literal

from lexls.assessing.check import as_cited
from lexls.assessing.decisions import is_enacted
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.fact import Fact, Fault, Status
from lexls.assessing.parallels import find_cases
from lexls.citations.case_names.compare import (
    cut_tail,
    is_matter,
    is_office,
    is_other_name,
    is_plainly_same_name,
    is_unclear,
    list_name_words,
    read_party,
    same_name,
)
from lexls.citations.case_names.exact import compare_name
from lexls.citations.case_names.exact_party import NameComparison, names_body
from lexls.citations.case_names.shorten import match_versus
from lexls.citations.case_names.strangers import Stranger, find_strangers, is_respelt, shares_party
from lexls.citations.case_names.word_relations import split_words
from lexls.citations.model import Citation, fold, join_spaces
from lexls.index.records import Authority
from lexls.reading.resolve import Resolution
from lexls.text.cancel import CancelToken
from lexls.text.lexicon import BETWEEN_PARTIES
from lexls.text.phrases import load_phrases
from lexls.text.spans import Span

_REASONS: Mapping[str, str] = load_phrases(__package__, "verdicts.toml")["names"]
_NAME_REACH = 160
"""Code points before a citation that are searched for its name."""
_OPENING = 1500
"""Length of an authority's opening, which names the parties, in code points."""
_SHORTEST = 3
_TELLING = 6
"""Minimum number of letters of a name for a match to count; a shorter name may match by chance."""
_AGAIN = 4
"""Minimum number of times that a text must repeat a name for it to count as a party's."""
_SEVERAL = 2
"""Minimum number of library documents that must use a spelling for it to count as common rather than
a slip.
"""
_BESIDE = 60
"""Maximum distance, in code points, between a name and a word that shows it to be a party's."""
_PARTY_SIGN = re.compile(
    r"\b(?:v|vs|versus|appeals?|appellants?|respondents?|petitioners?|plaintiffs?|defendants?|claimants?|applicants?)\b",
    re.IGNORECASE,
)
_JUDGE_BEFORE = re.compile(r"(?:Justice|Judge|Lord|Lady)\s+\Z", re.IGNORECASE)
_JUDGE_AFTER = re.compile(r",?\s+(?:[CLP]\.?\s?J|J\.?\s?A|JJ|J)\b")
_JOINED = re.compile(r"(?:[A-Z][\w.’'-]*\s+){1,5}(?:alias|@|a/k/a|and|AND|&)\s+\Z")
_WORD = re.compile(r"[A-Z][\w’'-]{3,}")


def compare_names(
    excerpt: Excerpt, mention: Sequence[Resolution], authority: Authority, token: CancelToken
) -> Iterator[Fact]:
    """Yield the fact about the name in a full citation of a case, if the mention has one. ``mention`` has the
    parallel citations of the case, ``authority`` is the authority that they name. A file of unknown kind
    is treated as a case; an enactment's title is not compared.
    """
    citation = find_named(mention)
    if citation is None or excerpt.snapshot.draft.key_of(mention[0].citation) is not None:
        return
    token.raise_if_cancelled()
    status, fault, reason = _assess(excerpt, mention, citation, authority)
    span = find_name_span(excerpt.snapshot.draft.masked, citation) or citation.core
    stated = write_name(citation)
    yield Fact("name", status, stated, authority.title, span, reason, fault)


def find_named(mention: Sequence[Resolution]) -> Citation | None:
    """Return the mention's first full citation of a case that states a name, or None."""
    found = (each.citation for each in mention)
    return next((each for each in found if each.form == "full" and each.kind == "case" and each.name), None)


def compare_listed_name(
    excerpt: Excerpt, citation: Citation, title: str, *, apart: bool
) -> Literal["same", "other", "unclear"]:
    """Compare a citation's name with the title of a case whose text is not available. ``apart`` is true if
    the two differ in year or court; in that case, names that merely share a party count as different
    cases.
    """
    names = tuple(_list_readings(excerpt, citation))
    found = [compare_name(name, title) for name in names]
    if any(each.outcome == "same" and not each.arrangement for each in found):
        return "same"
    if _stands_before(excerpt, citation, title) or any(map(is_unclear, names)):
        return "unclear"
    if all(is_other_name(name, title) or (apart and not same_name(name, title)) for name in names):
        return (
            "other" if all(BETWEEN_PARTIES.search(name) or is_matter(name) for name in names) else "unclear"
        )
    return "unclear"


def compare_title(name: str, authority: Authority) -> NameComparison:
    """Compare a name with an authority's title, or with its short title if only that matches."""
    best = compare_name(name, authority.title)
    if best.outcome != "same" and authority.short_title:
        short = compare_name(name, authority.short_title)
        return short if short.outcome == "same" else best
    return best


def correct_name(name: str, authority: Authority) -> str:
    """Return the name with misspelt words corrected from the title, or the whole title if this is not
    enough.
    """
    found = compare_title(name, authority)
    corrected = name
    for written, recorded in zip(found.written, found.recorded, strict=True):
        corrected = re.sub(
            rf"(?<!\w){re.escape(written)}(?!\w)",
            recorded.upper() if written.isupper() else recorded,
            corrected,
            count=1,
        )
    if found.outcome == "misspelt" and compare_title(corrected, authority).outcome == "same":
        return corrected
    return match_versus(authority.title, name)


def _assess(
    excerpt: Excerpt, mention: Sequence[Resolution], citation: Citation, authority: Authority
) -> tuple[Status, Fault, str]:
    """Return the result of comparing a name: its status, the kind of fault if it differs, and the reason (""
    if it agrees).
    """
    if is_enacted(authority):
        return "not-compared", "", _REASONS["enactment"]
    if not authority.title:
        return "not-stated", "", _REASONS["untitled"]
    names = tuple(_list_readings(excerpt, citation))
    found = [compare_title(name, authority) for name in names]
    cases = [(each, case) for each, case in find_cases(excerpt.snapshot, mention) if case.title]
    others = (compare_title(name, case) for _, case in cases for name in names)
    same = [each for each in chain(found, others) if each.outcome == "same"]
    if any(not each.arrangement for each in same):
        return "agrees", "", ""
    if same:
        return "not-compared", "", _REASONS[same[0].arrangement].format(title=authority.title)
    cases = cases or [(citation, authority)]
    attested = any(each.by == "docket" for each in mention) or any(
        _is_attested(excerpt, each, citation.name, case) for each, case in cases
    )
    if attested and _is_misnamed(excerpt, mention, citation, names, [case for _, case in cases]):
        named = next((each.citation for each in mention if each.by == "citation"), citation)
        cited, written = as_cited(excerpt.snapshot, named), write_name(citation)
        reason = _REASONS["misnamed"].format(cited=cited, title=authority.name, written=written)
        return "differs", "misnamed", reason
    misspelt = next((each for each in found if each.outcome == "misspelt"), None)
    if misspelt is not None:
        return _assess_spelling(excerpt, mention, authority, misspelt, attested)
    if any(found[0].written) and _stands_as_party(excerpt, authority, found[0].written):
        return "agrees", "", ""
    return "not-compared", "", _explain(found[0], authority)


def _is_misnamed(
    excerpt: Excerpt,
    mention: Sequence[Resolution],
    citation: Citation,
    names: Sequence[str],
    cases: Sequence[Authority],
) -> bool:
    """Return whether a name fits none of the cases with its citations, however it is read."""
    return all(
        _is_another(excerpt, mention, citation, name, case) for case in cases for name in names
    ) and not any(_stands_before(excerpt, citation, case.title) for case in cases)


def _assess_spelling(
    excerpt: Excerpt,
    mention: Sequence[Resolution],
    authority: Authority,
    found: NameComparison,
    attested: bool,
) -> tuple[Status, Fault, str]:
    """Return the result for a misspelt name. It agrees if the authority's text spells the name so. It is not
    compared if the spelling is common, or if the citation may not be the authority's. Otherwise it
    differs.
    """
    if _is_spelt_so(excerpt, authority, found):
        return "agrees", "", ""
    recorded, written = ", ".join(found.recorded), ", ".join(found.written)
    reason = _REASONS["spelling"].format(recorded=recorded, written=written)
    if not attested or _is_usual(excerpt, mention, authority, found):
        return "not-compared", "", reason
    return "differs", "misspelt", reason


def _explain(found: NameComparison, authority: Authority) -> str:
    """Explain why a name could not be compared with certainty."""
    written, recorded = (" ".join(filter(None, words)) for words in (found.written, found.recorded))
    kind: Literal["absent", "missing", "unclear"] = (
        "absent" if written else "missing" if recorded else "unclear"
    )
    return _REASONS[kind].format(written=written, recorded=recorded, title=authority.title)


# -- spelling -----------------------------------------------------------------------------------------------


def _is_spelt_so(excerpt: Excerpt, authority: Authority, found: NameComparison) -> bool:
    """Return whether the authority's own text spells its party as the draft does. A word that is common in
    names ("Properties") must occur together with its neighbouring words.
    """
    text = _blank_cited(excerpt, authority)
    return all(
        _is_party_in(text, phrase if names_body(split_words(word)) else word)
        for word, phrase in zip(found.written, found.phrases, strict=True)
    )


def _is_party_in(text: str, words: str) -> bool:
    """Return whether a text names a party by these words: in its opening, or repeatedly."""
    forms = (r"\s+".join(map(re.escape, each.split())) for each in (words, words.upper()))
    pattern = re.compile(rf"\b(?:{'|'.join(forms)})\b")
    return pattern.search(text, 0, _OPENING) is not None or len(pattern.findall(text)) >= _AGAIN


def _stands_as_party(excerpt: Excerpt, authority: Authority, words: Sequence[str]) -> bool:
    """Return whether the authority's opening names as a party the words of the draft's name that its title
    lacks.
    """
    opening = _blank_cited(excerpt, authority)[:_OPENING]
    telling = [word for each in words for word in each.split() if not names_body(split_words(word))]
    return bool(telling) and all(
        len(fold(word)) > _SHORTEST
        and any(_is_party_at(opening, found) for found in _find_word(opening, word))
        for word in telling
    )


def _find_word(text: str, word: str) -> Iterator[re.Match[str]]:
    return re.finditer(rf"\b(?:{re.escape(word)}|{re.escape(word.upper())})\b", text)


def _is_party_at(text: str, found: re.Match[str]) -> bool:
    """Return whether a name in a text is near a "v" or a word for parties, and is not a judge's name."""
    before, after = (
        text[max(0, found.start() - _BESIDE) : found.start()],
        text[found.end() : found.end() + _BESIDE],
    )
    judge = _JUDGE_BEFORE.search(before) or _JUDGE_AFTER.match(after)
    return judge is None and _PARTY_SIGN.search(f"{before} {after}") is not None


def _is_usual(
    excerpt: Excerpt, mention: Sequence[Resolution], authority: Authority, found: NameComparison
) -> bool:
    """Return whether several library documents cite the authority with the draft's spelling."""
    words = {fold(word) for each in found.written for word in each.split()}
    keys = dict.fromkeys(
        fold(key) for key in (*(each.citation.key for each in mention), *authority.citations) if key
    )
    documents = sum(
        count
        for key in keys
        for name, count in excerpt.library.graph.count_names(key).items()
        if words <= {*name.split()}
    )
    return documents >= _SEVERAL


def _blank_cited(excerpt: Excerpt, authority: Authority) -> str:
    """Return an authority's text in which the names of the cases it cites are blanked out."""
    text = excerpt.library.contents.text(authority.id)
    for _, start, end in excerpt.library.graph.find_names_in(authority.id):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


# -- another case -------------------------------------------------------------------------------------------


def _is_another(
    excerpt: Excerpt, mention: Sequence[Resolution], citation: Citation, name: str, authority: Authority
) -> bool:
    """Return whether a name is certainly not the authority's: it clearly belongs to another case, has a party
    unknown to the authority's text, or fits only in part while the year is different.
    """
    titles = _list_titles(name, authority)
    strangers = min((find_strangers(name, title) for title in titles), key=len)
    unknown = [each for each in strangers if not _knows(excerpt, mention, authority, each)]
    if all(is_other_name(name, title) for title in titles):
        if BETWEEN_PARTIES.search(name) is None:
            return _is_unknown_alone(excerpt, name, titles, authority)
        if strangers and not _is_in_opening(excerpt, name, authority):
            # Of appeals that were heard together one title is kept.
            return bool(unknown) or not any(shares_party(name, title) for title in titles)
    if is_unclear(name):
        return False
    if not any(same_name(name, title) for title in titles) and are_apart(citation.year, authority):
        return not _is_in_opening(excerpt, name, authority)
    return bool(unknown)


def _list_titles(name: str, authority: Authority) -> list[str]:
    """Return the authority's titles to compare with a name. For a name with two parties, only titles with two
    parties, if there are any.
    """
    titles = [title for title in (authority.title, authority.short_title) if title]
    if BETWEEN_PARTIES.search(name) is None:
        return titles
    return [title for title in titles if BETWEEN_PARTIES.search(title)] or titles


def _is_unknown_alone(excerpt: Excerpt, name: str, titles: Sequence[str], authority: Authority) -> bool:
    """Return whether a name without an opponent cannot be a popular name of the case, such as "the Coal
    Control Case".
    """
    words = _WORD.findall(name)
    text = excerpt.library.contents.text(authority.id)
    own = [each for title in titles for each in list_name_words(title) if len(each) > _SHORTEST]
    return bool(words) and not any(
        re.search(rf"\b{re.escape(word)}", text, re.IGNORECASE)
        or any(is_respelt(fold(word), each) for each in own)
        for word in words
    )


def _knows(excerpt: Excerpt, mention: Sequence[Resolution], authority: Authority, stranger: Stranger) -> bool:
    """Return whether a party that is missing from the authority's title is mentioned in its text, or by
    another document that cites it.
    """
    words = {word.casefold() for word in stranger.words}
    graph = excerpt.library.graph
    text = excerpt.library.contents.text(authority.id)
    if any(
        words <= {*name.replace("united states", "unitedstates").split()}
        for each in mention
        for name in graph.count_names(each.citation.key)
    ):
        return True
    if not stranger.is_named_in(text):
        return False
    cited = graph.find_names_in(authority.id)
    if not any(2 * len(words & {*name.split()}) > len(words) for name, _, _ in cited):
        return True
    # Nor is a party of a case that the authority cites one of its own.
    text = _blank_cited(excerpt, authority)
    return stranger.is_named_in(text[:_OPENING]) or stranger.is_spoken_of_in(text)


def _is_attested(excerpt: Excerpt, citation: Citation, name: str, authority: Authority) -> bool:
    """Return whether a citation is certainly the authority's: its file states it, or most documents that use
    the citation give the authority's name. Files of judgments may state no report citation. Their
    citations are found in citing documents, which may use other names.
    """
    if fold(citation.key) in excerpt.library.catalogue.own_keys_of(authority.id):
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


def are_apart(year: int | None, authority: Authority) -> bool:
    """Return whether a year shows that the decision is a different one: it is more than a year from the
    authority's.
    """
    return year is not None and authority.year is not None and abs(year - authority.year) > 1


def _is_in_opening(excerpt: Excerpt, name: str, authority: Authority) -> bool:
    """Return whether the name's first party is in the authority's opening, as if appeals were heard together.
    False if that party is in the authority's title, since then only the opponents differ.
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


# -- the name in the draft ----------------------------------------------------------------------------------


def find_name_span(masked: str, citation: Citation) -> Span | None:
    """Return the name's span in the draft; None if the name is not in one piece there."""
    pattern = r"\s+".join(re.escape(word) for word in cut_tail(citation.name).split())
    match = re.compile(pattern).search(masked, citation.span.start, citation.span.end)
    return Span(*match.span()) if match is not None else None


def write_name(citation: Citation) -> str:
    """Return the name as the draft states it, on one line, without additions at its end."""
    return join_spaces(cut_tail(citation.name))


def _list_readings(excerpt: Excerpt, citation: Citation) -> Iterator[str]:
    """Yield the readings of a name: as it was read, and with preceding words if it may be only the end of a
    longer name: "Ayya alias …".
    """
    yield citation.name
    masked = excerpt.snapshot.draft.masked
    named = find_name_span(masked, citation)
    if named is not None:
        before = _JOINED.search(masked, max(excerpt.paragraph.start, named.start - _NAME_REACH), named.start)
        if before is not None:
            yield f"{before.group()}{citation.name}"


def _stands_before(excerpt: Excerpt, citation: Citation, title: str) -> bool:
    """Return whether the authority's name precedes a citation of which only the end of the name was read:
    "*Carrow v Luff and Pell v Stark*", "*Carrow v. Luff, 1975 Retirement Plan*".
    """
    masked = excerpt.snapshot.draft.masked
    named = find_name_span(masked, citation) or citation.core
    start = max(excerpt.paragraph.start, citation.core.start - _NAME_REACH)
    ended = (each.citation.core.end for each in excerpt.cited if each.citation.core.end <= named.start)
    start = max(start, masked.rfind(";", start, named.start) + 1, *ended)
    between = list(BETWEEN_PARTIES.finditer(masked, start, named.start))
    parties = BETWEEN_PARTIES.split(title, maxsplit=1)[::2]
    first = [word.group().casefold() for word in map(_WORD.search, parties) if word is not None]
    return (
        len(first) == 2
        and bool(between)
        and first[0] in masked[start : between[-1].start()].casefold()
        and first[1] in masked[between[-1].end() : citation.core.start].casefold()
    )
