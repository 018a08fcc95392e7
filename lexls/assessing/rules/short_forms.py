"""Report short forms with no antecedent or an ambiguous one, and unused definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise

from lexls.assessing.check import Problem, Related, WholeCheck, as_cited, is_quoted
from lexls.assessing.cross_references import find_note_number, list_named
from lexls.assessing.rules.lost_citations import restore_citation
from lexls.citations.asides import speaks_of_record
from lexls.citations.model import Citation
from lexls.reading.defined_terms import DefinedTerm, find_terms_in
from lexls.reading.draft import Draft
from lexls.reading.edit import Edit, Fix
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.text.lexicon import SMALL_WORDS, VERSUS, split_words
from lexls.text.phrases import compile_pattern, load_phrases
from lexls.text.spans import Span

NO_ANTECEDENT = DiagnosticRule(
    code="no-antecedent",
    severity="warning",
    order=120,
    filing="warning",
    help="A short form with no antecedent.",
    documentation="""\
An *ibid*, *id.* or *supra*, or a case cited by its volume and report ("*Gent*, 611 F.3d at 83"), comes
before any citation to which it could refer. The paragraph with the full citation was deleted or moved. If
your library has the case, the quick fix writes the full citation there.

A bare section, "the Act" and the like are never reported, since they are also ordinary words. Nor are
short forms that the draft quotes, or short forms whose antecedent may be an earlier citation that lexls
could not read.""",
)

AMBIGUOUS_IBID = DiagnosticRule(
    code="ambiguous-ibid",
    severity="warning",
    order=130,
    filing="warning",
    help="An ibid or id. after a footnote or sentence that cites more than one authority.",
    documentation="""\
*Ibid* and *id.* refer to the one authority cited immediately before. After a string of citations ("…;
…"), no reader can know which is meant, so use the short name. The related information lists the
authorities that it may refer to. Nothing is reported if only one of them can have the page in the
pinpoint.""",
)

UNUSED_DEFINITION = DiagnosticRule(
    code="unused-definition",
    severity="hint",
    order=140,
    unnecessary=True,
    help="A term defined for an authority but never used.",
    documentation="""\
The draft defines a term for an authority ("the Act", "*Carrow*"), but its words occur nowhere else. The
quick fix removes the definition. Words in brackets without quotation marks or an article ("(FAA)") do not
count as a definition, nor does anything that the draft quotes.""",
)


_PHRASES = load_phrases(__package__, "short_forms.toml")
_FORMS = frozenset(("id", "supra", "short"))
_MOST_STRING = 12
_DATABASE = re.compile(r"\b(?:WL|LEXIS)\b")
_LONGEST_SINCE = 400
"""Maximum distance, in code points, between the last citation of a string and the *ibid* that refers
to it.
"""
_MOST_PAGES = 150
_NEAR_PAGES = 20
_LAST_NUMBER = re.compile(r"(\d{1,6})\D*$")
_FIRST_NUMBER = re.compile(r"\d{1,6}")
_LIKE_CITATION = re.compile(r"\b\d{1,4}\s{1,3}[A-Z][\w.]|[\[(](?:1[89]|20)\d\d[\])]|\bNo\.\s|\bslip op")
_PARALLEL = re.compile(r"[,\[(—–-]\s*\Z")
"""Pattern of the text that ends directly before a volume number if the volume belongs to a parallel citation
of the previous one.
"""
_REACH = 200
"""Code points after a name that are searched for a citation with that name."""
_LONGEST_BETWEEN = 200
"""Maximum distance between two citations of one string, in code points: room for signals, or for a name that
was not read.
"""
_SENTENCE_END = re.compile(r"[.?!][”\"’)\]]*\s+[A-Z](?!\.)")
_VOLUME = re.compile(r"\d{1,4}\s+[A-Za-z][\w.' ]{0,24}?(?=,?\s+(?:at\b|\d))")
_UNREAD = compile_pattern(_PHRASES["unread"], {}, re.NOFLAG)
_PAGE_END = compile_pattern(_PHRASES["page_end"], {}, re.NOFLAG)
_NO_NAMES = split_words(_PHRASES["no_names"])
_PARTS = compile_pattern(_PHRASES["parts_of_drafts"], {})
_OPENINGS = compile_pattern(_PHRASES["openings"], {}, re.NOFLAG)
_WORD = re.compile(r"[A-Z][\w’'-]{2,}")


def check_short_forms(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """Report each *ibid*, *id.*, *supra* or short-form case with no antecedent, and each *ibid* or *id.*
    after a string of citations. Nothing is reported if lexls may have failed to read the antecedent, or
    within quoted text. A bare section or "the Act" is never reported, since these may be ordinary words.
    """
    draft = snapshot.draft
    citations = draft.citations
    for number, piece in enumerate(citations.pieces):
        for local in piece.doubtful:
            each = piece.citations[local]
            if each.form not in _FORMS:
                continue
            token.raise_if_cancelled()
            place = citations.firsts[number] + local
            citation = citations[place]
            if is_quoted(draft, citation.span.start):
                continue
            written = re.sub(r"\s+(?=[,.;])", "", " ".join(citation.span.of(draft.masked).split()))
            if each.ambiguous:
                several = _string_before(draft, place)
                if several:
                    message = f"“{written}” may be any of the {len(several)} authorities cited before it"
                    related = tuple(Related(as_cited(snapshot, cited), cited.span) for cited in several)
                    yield Problem(citation.span, AMBIGUOUS_IBID.code, message, related=related)
            elif _is_short_form(snapshot, citation):
                message = f"“{written}” stands for nothing that is cited before it"
                fixes = tuple(restore_citation(snapshot, citation))
                yield Problem(citation.span, NO_ANTECEDENT.code, message, fixes=fixes)


def _string_before(draft: Draft, place: int) -> list[Citation]:
    """Return the authorities of the string of citations directly before a short form, last first; [] if there
    is only one authority.
    """
    citations = draft.citations
    last = place - 1
    if last < 0:
        return []
    since = draft.masked[citations[last].span.end : citations[place].span.start]
    if (
        len(since) > _LONGEST_SINCE
        or len(_SENTENCE_END.findall(since)) > 1
        or since.count(")") > since.count("(")  # "(citing …; …)": the authority outside is meant
        or _UNREAD.search(since)
        or speaks_of_record(since)
        or _PAGE_END.search(since)
        or (";" in since and not _SENTENCE_END.search(since))
    ):
        return []
    found: dict[str, Citation] = {}
    while last >= max(0, place - _MOST_STRING):
        if not citations[last].key:
            return []
        while last > 0 and citations[last].group and citations[last - 1].group == citations[last].group:
            last -= 1  # parallel citations are of one authority
        found.setdefault(citations[last].key, citations[last])
        between = draft.masked[citations[last - 1].span.end : citations[last].span.start] if last else ""
        if (
            ";" not in between
            or len(between) > _LONGEST_BETWEEN
            or between.count("(") != between.count(")")
            or _SENTENCE_END.search(between.split(";", 1)[0])
        ):
            break
        last -= 1
    if _are_parallel(draft, citations[last:place]):
        return []
    several = [each for each in found.values() if _may_have_page(each, citations[place])]
    for fits in (_has_section, _points_near):
        if sum(fits(each, citations[place]) for each in several) == 1:
            return []
    return several if len(several) > 1 else []


def _are_parallel(draft: Draft, cited: Sequence[Citation]) -> bool:
    """Return whether citations separated by ";" are parallel citations of one case. In that case, only the
    first has a name and only the last a year: "*Warren v Bronson*, 241 Mich App 384, 388; 615 NW2d 759
    (2000)".
    """
    cases = [each for each in cited if each.form == "full" and each.kind == "case"]
    if len(cases) < len(cited) or len(cases) < 2 or not cases[0].name:
        return False
    first = cases[0]
    if not all(not each.name or (each.group and each.group == first.group) for each in cases[1:]):
        return False
    return not any("(" in draft.masked[one.core.end : other.core.start] for one, other in pairwise(cases))


def _has_section(cited: Citation, short: Citation) -> bool:
    """Return whether a short form's pinpoint is also the section in the citation."""
    if short.pinpoint is None or short.pinpoint.kind != "section" or cited.pinpoint is None:
        return False
    one, other = (_FIRST_NUMBER.match(each.pinpoint.labels[0]) for each in (cited, short) if each.pinpoint)
    return one is not None and other is not None and one[0] == other[0]


def _may_have_page(cited: Citation, short: Citation) -> bool:
    """Return whether the page in a short form may belong to the cited authority, judging by the authority's
    first page.
    """
    if short.pinpoint is None or short.pinpoint.kind != "page" or cited.kind != "case":
        return True
    first, page = _LAST_NUMBER.search(cited.key), _FIRST_NUMBER.match(short.pinpoint.labels[0])
    if first is None or page is None:
        return True
    return int(first[1]) <= int(page[0]) <= int(first[1]) + _MOST_PAGES


def _points_near(cited: Citation, short: Citation) -> bool:
    """Return whether the page in a short form is near the pinpoint of the citation."""
    pinpoints = [each.pinpoint for each in (cited, short)]
    pages = [
        _FIRST_NUMBER.match(each.labels[0]) if each is not None and each.kind == "page" else None
        for each in pinpoints
    ]
    one, other = pages
    return one is not None and other is not None and abs(int(one[0]) - int(other[0])) <= _NEAR_PAGES


def _is_short_form(snapshot: Snapshot, citation: Citation) -> bool:
    """Return whether a citation without an antecedent is certainly a short form of an authority, and no
    citation before it can have been missed.
    """
    draft = snapshot.draft
    before = draft.masked[: citation.span.start]
    if citation.form == "id":
        return not speaks_of_record(before[-_LONGEST_SINCE:])
    core = citation.core.of(draft.masked)
    if citation.form == "supra":
        line = before[before.rfind("\n") + 1 :][-40:]
        names = [each for each in _WORD.findall(citation.name or core) if each not in _NO_NAMES]
        if find_note_number(draft, citation) is not None and list_named(draft, citation.name):
            return False  # its number is wrong, and is reported
        if not names or _PARTS.search(core) or _PARTS.search(line) or _cited_behind(draft, citation):
            return False
        return not _named_in(before, names)
    volume = _VOLUME.search(f"{core} at")
    if re.search(rf"\s{VERSUS}", f"{citation.name} {core}", re.IGNORECASE):
        return False  # a citation in full that has no year
    if volume is None or _DATABASE.search(core):
        return False
    spelled = r"\s*".join(re.escape(word) for word in re.findall(r"\w+|[^\w\s]", volume.group()))
    names = _WORD.findall(citation.name)
    if not _is_of_report(snapshot, citation) or (not names and _PARALLEL.search(before[-_LONGEST_BETWEEN:])):
        return False
    return re.search(spelled, before) is None and not _may_be_cited(before, names)


def _is_of_report(snapshot: Snapshot, citation: Citation) -> bool:
    """Return whether the volume in a short form belongs to a law report, and not to a paper of the record ("5
    Dowell Dep. at 38").
    """
    grammar = snapshot.searcher.grammar
    if grammar is None:
        return True
    match = grammar.core_of(f"{citation.core.of(snapshot.draft.masked)} 1", citation.jurisdiction)
    return match is not None and match.form.kind == "case"


def _may_be_cited(text: str, names: list[str]) -> bool:
    """Return whether an earlier citation with one of the names may have been missed: the name is followed by
    an apparent citation, or occurs only in broken form, as in scanned text.
    """
    parts = [part for name in names for part in re.split(r"[-’']", name) if len(part) > 2]
    found = (place.end() for part in parts for place in re.finditer(re.escape(part), text))
    if any(_LIKE_CITATION.search(text, end, end + _REACH) is not None for end in found):
        return True
    return not any(part in text for part in parts) and _named_in(text, names)


def _named_in(text: str, names: list[str]) -> bool:
    """Return whether one of the names, or a part of one, occurs in a text, even if it is broken there, for
    example across two lines or pages.
    """
    parts = [part for name in names for part in re.split(r"[-’']", name) if len(part) > 2]
    if any(part in text for part in parts):
        return True
    spelled = [r"[-\s\u00ad]{0,3}".join(map(re.escape, part)) for part in parts]
    # The other half may be on the next page, after its header.
    spelled += [
        rf"{part[:at]}[-\u00ad]?\s*\n(?:.*\n){{1,9}}?{part[at:]}"
        for part in parts
        for at in range(3, len(part) - 2)
    ]
    return any(re.search(each, text) is not None for each in spelled)


def _cited_behind(draft: Draft, citation: Citation) -> bool:
    """Return whether another citation follows immediately: the full citation to which a *supra* refers."""
    end = citation.span.end
    return any(each.core.start >= end for each in draft.citations_in(Span(end, end + 6)))


_MOST_WORDS = 4
_MOST_DEFINED = 300
"""Maximum number of defined terms that are searched for in the whole draft. Each search takes a scan of the
draft.
"""
# "(“Clorox” bleach)": a remark about the case, not a term for it.
_GOES_ON = re.compile(r"[”’\"']{1,2},? (?!(?:or|and|collectively|hereinafter|for short|in short)\b)[a-z]")
_NO_TERM = re.compile(r"—|\bNo\.|\d-\d")
_SMALL = SMALL_WORDS | split_words("case rule decision judgment")


def check_definitions(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """Report each term that the draft defines and never uses in any spelling. A term counts only if it is in
    quotation marks, or follows "hereinafter" or an article, since a single word in brackets may be
    something else. A case's own name is not a term.
    """
    draft = snapshot.draft
    told: set[Span] = set()
    looked_for = 0
    for piece, start in zip(draft.citations.pieces, draft.citations.starts, strict=True):
        if not piece.citations:
            continue
        for opening in _openings(piece.text):
            token.raise_if_cancelled()
            for term in find_terms_in(draft, Span(start + opening, start + opening + 2)):
                if term.span in told or not _is_term(draft, term):
                    continue
                looked_for += 1
                if looked_for > _MOST_DEFINED:
                    return
                if not _used(draft, term):
                    told.add(term.span)
                    yield _problem(draft, term)


@lru_cache(maxsize=20_000)
def _openings(paragraph: str) -> tuple[int, ...]:
    """Return the offsets where definitions may begin in a paragraph. Cached, since most paragraphs do not
    change.
    """
    return tuple(match.start() for match in _OPENINGS.finditer(paragraph))


def _is_term(draft: Draft, term: DefinedTerm) -> bool:
    """Return whether the words can be a defined term. They cannot if they are a quoted sentence or a heading
    of the authority, or if the definition is within a quotation.
    """
    found = term.term.split()
    if _GOES_ON.match(draft.masked, term.words.end):
        return False
    telling = [word for word in found if word not in _SMALL]
    if _NO_TERM.search(term.term):
        return False
    if len(telling) > _MOST_WORDS or not all(word[:1].isupper() or word[:1].isdigit() for word in telling):
        return False
    if len(telling) > 2 and term.citation.pinpoint is not None:
        return False
    return not is_quoted(draft, term.span.start)


def _used(draft: Draft, term: DefinedTerm) -> bool:
    """Return whether the words occur outside the definition and its citation, even as part of longer words.
    Occurrences in an authority's full title do not count.
    """
    # "Cr.P.C." is used where "CrPC" is.
    spelled = (r"\.?\s?".join(map(re.escape, word.replace(".", ""))) for word in term.term.split())
    pattern = re.compile(r"[\s~.]+".join(spelled), re.IGNORECASE)
    behind = pattern.finditer(draft.masked, term.span.end)
    before = pattern.finditer(draft.masked, 0, term.citation.span.start)
    return any(not _cited_in_full(draft, match.start()) for match in chain(behind, before))


def _cited_in_full(draft: Draft, offset: int) -> bool:
    """Return whether the words at an offset are only part of the title in a full citation ("… Act 1994")."""
    return any(
        each.form == "full" and each.kind != "case" and each.core.start <= offset < each.core.end
        for each in draft.citations_in(Span(offset, offset + 1))
    )


def _problem(draft: Draft, term: DefinedTerm) -> Problem:
    message = f"the term “{term.term}” is defined here and not used"
    start = term.span.start
    while start > 0 and draft.source[start - 1] in " \t":
        start -= 1
    edit = Edit(Span(start, term.span.end), "")
    fix = Fix(f"Remove the definition of “{term.term}”", (edit,))
    return Problem(term.words, UNUSED_DEFINITION.code, message, fixes=(fix,))


CHECKS = (
    WholeCheck((NO_ANTECEDENT, AMBIGUOUS_IBID), check_short_forms),
    WholeCheck((UNUSED_DEFINITION,), check_definitions),
)
