"""Determine what an authority is, from facts that the file declares or else from the opening lines of its
text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lexls.citations.jurisdiction import find_court_of_citation
from lexls.library.case_heads import (
    is_case_number,
    is_case_title,
    is_no_name,
    is_no_title,
    is_reported_name,
    list_years,
    names_court_or_state,
    read_case_name,
    read_file_name,
    read_judgment,
    read_slip_opinion,
    settle,
)
from lexls.library.columns import STAMPED_IN
from lexls.library.decision_dates import DatedPaper, find_own_date, take_dated_text
from lexls.library.document import KINDS, AuthorityKind, Extract, FactSource, Metadata
from lexls.library.head import (
    Head,
    read_contract,
    read_enactment,
    read_section_file,
    read_united_states_code,
    take_head,
)
from lexls.library.implied_facts import add_implied_facts
from lexls.library.mail_heads import read_mail_head
from lexls.text.blanking import reveal
from lexls.text.dates import normalise_date

if TYPE_CHECKING:
    from lexls.citations.grammar import Grammar


def read_metadata(
    extract: Extract, path: Path, grammar: Grammar, described: Mapping[str, object] | None = None
) -> tuple[Metadata, Mapping[str, FactSource]]:
    """Return a document's metadata and the source of each field. The most reliable source that has a field is
    always used.

    Fields that the file declares come first, then those ``described`` by other files, then those in the
    opening lines of the text (title, court, date and citation lines before the reasons begin). A citation is
    never read from the body, where a judgment cites others. The file's name is the last resort for the title.
    Remaining fields are implied by the document's own citation, and are as certain as the citation.
    """
    found, sources = _read_stated(extract, path, grammar, described)
    found = replace(found, title=reveal(found.title), citation=reveal(found.citation))
    stated, teller = _known(found), sources.get("citation", "head")
    implied = add_implied_facts(found, grammar, stated_court=sources.get("court", "head") != "head")
    if sources.get("title") == "head":
        implied = replace(implied, title=_write_versus(implied))
    return implied, sources | {fact: teller for fact in _known(implied) if fact not in stated}


def _write_versus(found: Metadata) -> str:
    """Return the title. In an American paper, the caption's "-against-" or "VERSUS" is replaced with "v."."""
    american = found.kind in ("case", "other") and found.jurisdiction == STAMPED_IN
    return _BARE_VERSUS.sub("v.", found.title, count=1) if american else found.title


def _read_stated(
    extract: Extract, path: Path, grammar: Grammar, described: Mapping[str, object] | None
) -> tuple[Metadata, dict[str, FactSource]]:
    """Return the metadata given by the file, its catalogue and its opening lines, with the source of each
    field.
    """
    declared = _declared(extract.declared)
    body = extract.pieces[0].start if extract.pieces else 0
    mail = None if extract.declared_is_all else read_mail_head(extract.text[body:])
    head = take_head(extract.text, extract.pieces, extract.edges, extract.first_page)
    weak_title = declared.title if extract.declared_title_is_weak else ""
    if weak_title:
        declared = replace(declared, title="")
    known = _known(declared)
    sources: dict[str, FactSource] = dict.fromkeys(known, extract.declared_in)
    if described:
        more = {name: value for name, value in _known(_declared(described)).items() if name not in known}
        declared = replace(declared, **more)
        known |= more
        sources |= dict.fromkeys(more, "catalogue")
    if mail is not None:
        told = _known(_declared(mail))
        for fact in told:
            sources.setdefault(fact, "head")
        return replace(declared, **(told | known)), sources
    if extract.declared_is_all or (
        declared.title and declared.citation and declared.kind != "other" and declared.date
    ):
        return declared, sources
    found = read_head(head, path.stem, weak_title)
    jurisdiction = declared.jurisdiction or found.jurisdiction
    citations = [] if _is_filed(found) else _citations(head, grammar, jurisdiction)
    if not declared.title and found.kind in ("case", "other"):
        title, own = _without_citations(found.title, grammar, jurisdiction)
        found = replace(found, title=title or found.title)
        citations = [*own, *(citation for citation in citations if citation not in own)]
    if not declared.citation and not found.citation and citations:
        first = citations[0]
        if found.kind == "other" and not is_case_title(found.title) and is_no_name(found.title):
            found = replace(found, title="")
        found = replace(
            found,
            citation=first[0],
            parallel_citations=tuple(citation for citation, _ in citations[1:]),
            jurisdiction=first[1] or found.jurisdiction,
            kind="case" if found.kind == "other" else found.kind,
        )
    if found.kind == "case":
        found = settle(found)
        if not (found.title or declared.title) and (title := read_file_name(head, path.stem)):
            found = replace(found, title=title)
        if not declared.citation and not found.citation:
            # Tried last, since the year of a case number is not that of the decision.
            numbers = _read_lines(head.find_numbers(), grammar, jurisdiction or found.jurisdiction)
            for key, place in numbers[:1]:
                found = replace(found, citation=key, jurisdiction=found.jurisdiction or place)
    if found.kind in ("case", "other"):
        found = _add_stamped(found, head)
    stamped = found.kind == "other" and bool(head.stamps)
    if not declared.date and (found.kind == "case" or _is_filed(found) or stamped):
        date, in_head = _find_date(extract, head, found, declared.citation or found.citation)
        found = replace(found, date=date)
        if date and not in_head:
            sources["date"] = "body"
    if not found.title and not (found.citation or declared.citation or declared.title):
        found = replace(found, title=name_of(path.stem))
    if found.title and found.title == name_of(path.stem) != head.heading:
        sources.setdefault("title", "file name")
    for fact in _known(found):
        sources.setdefault(fact, "head")
    if found.citation and sources.get("citation") == "catalogue":
        cited = known["citation"], *known.get("parallel_citations", ())
        known["parallel_citations"] = tuple(dict.fromkeys([*cited, found.citation]))[1:]
    return replace(found, **known), sources


def _is_filed(found: Metadata) -> bool:
    """Return whether a paper was filed by a party and not written by the court."""
    return found.kind == "other" and bool(found.court)


def _add_stamped(found: Metadata, head: Head) -> Metadata:
    """Add the docket number of a paper's stamps, and the country whose courts stamp so, if nothing else gives
    them.
    """
    stamped = tuple(stamp.docket for stamp in head.stamps if stamp.docket)[:1]
    country = STAMPED_IN if stamped else ""
    return replace(found, docket=found.docket or stamped, jurisdiction=found.jurisdiction or country)


def _find_date(extract: Extract, head: Head, found: Metadata, citation: str) -> tuple[str, bool]:
    """Return the paper's own date, and whether it occurs at the beginning. The year of its ``citation``, if
    any, limits the possible dates.
    """
    lines = extract.text[extract.pieces[0].start :] if extract.pieces else ""
    opening = "\n".join(filter(None, (*extract.edges, extract.first_page)))
    if opening and not extract.first_page:
        opening = f"{opening}\n{lines}"
    text = take_dated_text(opening, lines)
    return find_own_date(DatedPaper(text, found.kind, found.jurisdiction, list_years(citation)))


def _known(metadata: Metadata) -> dict[str, Any]:
    """Return the fields that differ from their default, with their values."""
    given = ((each.name, getattr(metadata, each.name), each.default) for each in fields(metadata))
    return {name: value for name, value, unknown in given if value != unknown}


def _citations(head: Head, grammar: Grammar, jurisdiction: str) -> list[tuple[str, str]]:
    """Return the document's own citations with their jurisdictions, read from opening lines that contain
    nothing else.
    """
    lines = head.citation_lines
    if not any(labelled for _, labelled in lines) and "itation" in head.opening:
        lines = (*lines, *head.find_neutral_citations())
    printed = head.find_printed_citations()
    found = _read_lines(lines, grammar, jurisdiction) or _read_lines(printed, grammar, jurisdiction)
    return found or _find_reported_name(head, grammar, jurisdiction)


def _read_lines(
    lines: Iterable[tuple[str, bool]], grammar: Grammar, jurisdiction: str
) -> list[tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for line, labelled in lines:
        rest = line
        here: dict[str, tuple[str, str]] = {}
        for citation in grammar.find(line, jurisdiction):
            written = line[citation.core.start : citation.core.end]
            rest = rest.replace(written, " ", 1)
            if citation.form == "full" and citation.kind == "case":
                key = grammar.key_of(written)
                here.setdefault(key, (key, citation.jurisdiction))
        if labelled or not any(character.isalnum() for character in rest):
            for key, value in here.items():
                found.setdefault(key, value)
    return sorted(found.values(), key=lambda each: is_case_number(each[0]))


def _find_reported_name(head: Head, grammar: Grammar, jurisdiction: str) -> list[tuple[str, str]]:
    """Return the neutral citation at the end of a line at the very top that begins with the case's name."""
    for line in head.lines[:_REPORTED_WITHIN]:
        if not is_reported_name(line):
            continue
        _, own = _without_citations(line, grammar, jurisdiction)
        if (
            len(own) == 1
            and line.rstrip(" .)").endswith(own[0][0].rpartition(" ")[2].rstrip(")"))
            and find_court_of_citation(*own[0])
        ):
            return own
    return []


def _without_citations(title: str, grammar: Grammar, jurisdiction: str) -> tuple[str, list[tuple[str, str]]]:
    """Split a case's title into its name and the citations after it: "Carrow v Meridian [2014] ASC 12"."""
    if not any(character.isdigit() for character in title):
        return title, []
    found = [
        citation
        for citation in grammar.find(title, jurisdiction)
        if citation.form == "full" and citation.kind == "case"
    ]
    name = title[: found[0].core.start].rstrip(" ,;:(–—-") if found else ""
    if len(name) < 3:
        return title, []
    written = ((title[citation.core.start : citation.core.end], citation.jurisdiction) for citation in found)
    # A docket number may look like another country's citation.
    own = sorted(
        ((grammar.key_of(text), code) for text, code in written), key=lambda each: not each[0].startswith("[")
    )
    return name, [each for each in own if each[1] == own[0][1]]


def _declared(values: Mapping[str, object]) -> Metadata:
    """Return the declared metadata, skipping unknown keys and values of the wrong type."""
    lower = {re.sub("[ -]", "_", str(key).strip().lower()): value for key, value in values.items()}
    fields = ("title", "citation", "court", "jurisdiction", "short_title")
    plain = {field: _words(lower.get(field)) for field in fields}
    kind = _words(lower.get("kind")).lower()
    parallel = _list(lower.get("parallel_citations"))
    docket = lower.get("docket") or lower.get("docket_number")
    return Metadata(
        **plain,
        parallel_citations=tuple(other for other in parallel if other != plain["citation"]),
        date=normalise_date(lower["date"]) if lower.get("date") is not None else "",
        kind=cast(AuthorityKind, kind) if kind in KINDS else "other",
        docket=tuple(_list(docket)),
    )


def _words(value: object) -> str:
    if value is None or isinstance(value, (list, tuple, dict, set, bool)):
        return ""
    return " ".join(str(value).split())


def _list(value: object) -> list[str]:
    if isinstance(value, (list, tuple)):
        return [words for item in value if (words := _words(item))]
    return [words for item in str(value or "").split(";") if (words := _words(item))]


_LONGEST_TITLE = 120
_BARE_VERSUS = re.compile(r"(?<=\s)v(?=\s)")
_REPORTED_WITHIN = 4


def read_head(head: Head, stem: str, weak_title: str) -> Metadata:
    """Return the metadata in a text's opening lines. If these have no known form, only the title is set.

    The title is then a declared heading, else ``weak_title``, else a short first line.
    """
    found = (
        read_slip_opinion(head, stem)
        or read_judgment(head)
        or read_section_file(head)
        or read_united_states_code(head)
        or read_enactment(head)
        or read_contract(head, stem)
    )
    if found is not None:
        return found
    title = head.heading or weak_title or _first_line(head)
    title = "" if names_court_or_state(title) or is_no_title(title) else title
    return Metadata(title=read_case_name(title) if title and is_case_title(title) else title)


def name_of(stem: str) -> str:
    """Return a title made from a file's name, given without its suffix."""
    return " ".join(stem.replace("_", " ").split()) or stem


def _first_line(head: Head) -> str:
    """Return the first line if it may be a title: short, and neither a sentence nor a list item; otherwise
    "".
    """
    line = head.lines[0] if head.lines else ""
    if not line or len(line) > _LONGEST_TITLE or not line[0].isalpha() or line[0].islower():
        return ""
    if line[-1] in ".;:," and len(line.split()) > 6:
        return ""
    return line
