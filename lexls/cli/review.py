"""``lexls review``: review a whole brief for missing and contrary authority, and compare it with an
opponent's.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from lexls.assessing.check import Finding
from lexls.assessing.rules.missing import NOT_IN_LIBRARY
from lexls.assessing.support import Support, SupportVerdict
from lexls.assessing.verdicts import name_support
from lexls.cli.context import find_workspace
from lexls.cli.drafts import read_brief
from lexls.cli.finding_formats import write_outside, write_summaries
from lexls.cli.libraries import Libraries
from lexls.cli.output import FINE, CommandFailed, emit, save, show_progress, wrap
from lexls.export.missing_authorities import MissingAuthority, describe_ties
from lexls.export.opposing_briefs import ComparedBrief, Saying
from lexls.export.page_parts import NamedDraft
from lexls.export.report import CitedAuthority, examine
from lexls.export.report_data import ReportedDraft, describe_reports
from lexls.export.report_page import write_page
from lexls.export.review import BriefReview, review_brief
from lexls.grounding.evidence import Pin, quote_pin
from lexls.grounding.render import place_of
from lexls.index.records import Authority
from lexls.reading.draft_places import Places, name_places
from lexls.settings.diagnostics import SEVERITIES
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.descriptions import describe_absence, name_file
from lexls.wording.place_words import add_place, cite_authority


def run_review(options: argparse.Namespace) -> int:
    """Review a brief and compare it with opponents' briefs. The command succeeds even if the brief has
    problems.
    """
    place = find_workspace(options, options.file)
    if not place.folders:
        raise CommandFailed("a review needs a library: name one with --library, or in lexls.toml")
    draft, places = read_brief(options.file, place.settings)
    others = [read_brief(each, place.settings) for each in options.against]
    opposing = tuple(
        NamedDraft(str(path), name_places(told))
        for path, (_, told) in zip(options.against, others, strict=True)
    )
    token = CancelToken()
    with closing(Libraries()) as opened:
        snapshot = opened.snapshot(place, draft)
        with show_progress("reading", "sentences") as show:
            findings, report = examine(snapshot, token, support=True)
            briefs = [replace(snapshot, draft=each) for each, _ in others]
            review = review_brief(
                snapshot, briefs, token, lambda what, done, total: show(done, total, what=what)
            )
        made = ReportedDraft(options.file, places, replace(report, review=review), opposing)
        if options.report is not None:
            save(options.report, write_page([made.on_page()], [], options.report.parent))
        emit(options, _describe(made, findings, review), _write(made, findings, review))
    return FINE


# -- text ----------------------------------------------------------------------------------------------------


def _write(made: ReportedDraft, findings: Sequence[Finding], review: BriefReview) -> Iterator[str]:
    where = name_places(made.places)
    yield from write_summaries([made])
    absent = [each for each in findings if each.code == NOT_IN_LIBRARY.code]
    found = sorted(
        (each for each in findings if each.code != NOT_IN_LIBRARY.code),
        key=lambda each: SEVERITIES.index(each.severity),
    )
    yield from _section("Found wrong, or worth a look", len(found))
    for finding in found:
        yield from wrap(f"{where(finding.span)}: {finding.severity}: {finding.message}", "  ", 12)
    yield from _write_judged("Not borne out by what is cited", made, ("contradicted", "not-found"))
    treated = {each.authority.id: each for each in made.report.cited if each.authority and each.warned}
    yield from _section("Treated badly", len(treated))
    for cited in treated.values():
        yield from wrap(f"{where(cited.span)}: {cited.text}: {'; '.join(cited.treatment)}", "  ")
    yield from _write_missing(review, where)
    yield from _section("Contrary authority, as far as words tell", len(review.contrary))
    for contrary in review.contrary:
        yield from wrap(f"{where(contrary.sentence)}: {contrary.proposition}", "  ")
        for each in contrary.against:
            pin = each.pins[0]
            whose = f" ({pin.whose})" if pin.whose else ""
            at = add_place(cite_authority(pin.authority), place_of(pin))
            yield from wrap(f"{at}{whose}: “{quote_pin(pin)}”", "      ", 6)
    for compared, brief in zip(review.compared, made.opposing, strict=True):
        yield from _write_compared(compared, brief, made)
    # Most correct citations are supported only in part by keyword comparison: list them briefly, at the end.
    weakly = list(_list_judged(made, ("weakly",)))
    yield from _section("Borne out in part, as far as words tell", len(weakly))
    for cited, support in weakly:
        yield from wrap(f"{where(cited.span)}: {cited.text}{_part(support)}", "  ")
    yield from _section("Not in your library, so that nothing was compared with it", len(absent))
    absence = describe_absence(complete=made.report.complete)
    by_place: defaultdict[str, list[str]] = defaultdict(list)
    for finding in absent:
        by_place[where(finding.span)].append(finding.message.removesuffix(absence).strip())
    for at, names in by_place.items():
        yield from wrap(f"{at}: {'; '.join(names)}", "  ", 12)
    yield ""
    yield from write_outside([made])


def _section(title: str, count: int) -> Iterator[str]:
    yield ""
    yield f"{title}: {count or 'nothing'}"


def _write_missing(review: BriefReview, where: Callable[[Span], str]) -> Iterator[str]:
    yield from _section("Not cited, though the argument calls for it", len(review.uncited))
    for number, missing in enumerate(review.uncited, 1):
        yield from wrap(f"{number:2}. {cite_authority(missing.authority)}", "  ")
        for note in filter(None, (describe_ties(missing), missing.warning)):
            yield from wrap(note, "      ")
        first, *others = missing.calls
        yield from wrap(f"{where(first.option.proposition)}: {first.words}", "      ", 3)
        yield from wrap(f"“{first.option.quote}” {place_of(first.option.pin)}".rstrip(), "        ")
        if others:
            places = dict.fromkeys(where(each.option.proposition) for each in others)
            yield from wrap(f"also for {', '.join(places)}", "      ")
    if review.of_same_case:
        yield from wrap("Other decisions in cases that are cited:", "  ")
    for missing in review.of_same_case:
        same = f"the case of {cite_authority(missing.same_case)}" if missing.same_case is not None else ""
        notes = filter(None, (cite_authority(missing.authority), same, missing.warning))
        yield from wrap("; ".join(notes), "    ")


def _list_judged(
    made: ReportedDraft, verdicts: Sequence[SupportVerdict]
) -> Iterator[tuple[CitedAuthority, Support]]:
    for cited in made.report.cited:
        if cited.support is not None and cited.support.verdict in verdicts:
            yield cited, cited.support


def _part(support: Support) -> str:
    return f": they part on “{'”, “'.join(support.reasons)}”" if support.reasons else ""


def _write_judged(title: str, made: ReportedDraft, verdicts: Sequence[SupportVerdict]) -> Iterator[str]:
    where = name_places(made.places)
    judged = list(_list_judged(made, verdicts))
    yield from _section(title, len(judged))
    for cited, support in judged:
        said = name_support(support.verdict).lower()
        yield from wrap(f"{where(cited.span)}: {cited.text}: {said}{_part(support)}", "  ")
        yield from wrap(f"draft: {support.proposition}", "      ")
        if support.text:
            yield from wrap(f"authority: {support.text}", "      ")


def _write_compared(compared: ComparedBrief, brief: NamedDraft, made: ReportedDraft) -> Iterator[str]:
    ours = name_places(made.places)
    yield from _section(f"Cited in {brief.name}, too", len(compared.shared))
    for shared in compared.shared:
        yield from wrap(shared.name, "  ")
        for difference in shared.differences:
            yield from wrap(f"characterised differently: {difference}", "      ")
        for side, sayings, where in (("draft", shared.ours, ours), ("opponent", shared.theirs, brief.where)):
            for each in sayings:
                yield from wrap(f"{side}, {where(each.span)}: {_say(each)}", "      ", 3)
    yield from _section(f"Cited only in {brief.name}", len(compared.missing))
    for missing in compared.missing:
        yield from wrap(missing.name + ("" if missing.authority else " (not in your library)"), "  ")
        if missing.warning:
            yield from wrap(missing.warning, "      ")
        for each in missing.theirs:
            yield from wrap(f"{brief.where(each.span)}: {_say(each)}", "      ", 3)
    yield from _section("Cited only in the draft", len(compared.only_ours))
    for name in compared.only_ours:
        yield from wrap(name, "  ")


def _say(saying: Saying) -> str:
    notes = [saying.stance] if saying.stance else []
    if saying.support.verdict not in ("supported", "not-judged"):
        notes.append(name_support(saying.support.verdict).lower())
    return saying.text + (f" ({'; '.join(notes)})" if notes else "")


# -- data ----------------------------------------------------------------------------------------------------


def _describe(made: ReportedDraft, findings: Sequence[Finding], review: BriefReview) -> Mapping[str, Any]:
    return {
        **describe_reports([made]),
        "findings": [
            {
                "start": each.span.start,
                "end": each.span.end,
                "code": each.code,
                "severity": each.severity,
                "message": each.message,
            }
            for each in findings
        ],
        "missing": [_missing(each, made.places) for each in review.missing],
        "contrary": [
            {
                "start": each.sentence.start,
                "end": each.sentence.end,
                "line": made.places(each.sentence).line,
                "proposition": each.proposition,
                "against": [_pin(one.pins[0]) for one in each.against],
            }
            for each in review.contrary
        ],
        "against": [
            {
                "file": brief.name,
                "shared": [
                    {
                        "authority": _authority(each.authority, each.name),
                        "differences": list(each.differences),
                        "draft": [_saying(one) for one in each.ours],
                        "opponent": [_saying(one) for one in each.theirs],
                    }
                    for each in compared.shared
                ],
                "missing": [
                    {
                        "authority": _authority(each.authority, each.name),
                        "warning": each.warning or None,
                        "opponent": [_saying(one) for one in each.theirs],
                    }
                    for each in compared.missing
                ],
                "only_draft": list(compared.only_ours),
            }
            for compared, brief in zip(review.compared, made.opposing, strict=True)
        ],
    }


def _missing(missing: MissingAuthority, places: Places) -> Mapping[str, Any]:
    return {
        "authority": _authority(missing.authority, cite_authority(missing.authority)),
        "ties": {
            "cites": missing.ties.cites,
            "cited_by": missing.ties.cited_by,
            "together": missing.ties.together,
        },
        "same_case": cite_authority(missing.same_case) if missing.same_case is not None else None,
        "warning": missing.warning or None,
        "calls": [
            {
                "start": each.option.proposition.start,
                "end": each.option.proposition.end,
                "line": places(each.option.proposition).line,
                "proposition": each.words,
                "passage": _pin(each.option.pin),
            }
            for each in missing.calls
        ],
    }


def _authority(authority: Authority | None, name: str) -> Mapping[str, Any]:
    """Describe an authority in a review. An authority that is not in the library has only a name."""
    if authority is None:
        return {"name": name}
    return {"name": name, **name_file(authority), "title": authority.title, "citation": authority.citation}


def _pin(pin: Pin) -> Mapping[str, Any]:
    return {
        **_authority(pin.authority, cite_authority(pin.authority)),
        "place": place_of(pin) or None,
        "start": pin.start,
        "end": pin.end,
        "text": quote_pin(pin),
        "whose": pin.whose or None,
    }


def _saying(saying: Saying) -> Mapping[str, Any]:
    return {
        "start": saying.span.start,
        "end": saying.span.end,
        "text": saying.text,
        "stance": saying.stance or None,
        "support": saying.support.verdict,
    }
