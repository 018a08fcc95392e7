"""Run the checks of this folder over a draft, and remember what they find in the paragraphs that stay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pkgutil import iter_modules
from typing import Literal

from lexls.assessing import rules
from lexls.assessing.check import Finding, LocalCheck, Problem, Review, WholeCheck
from lexls.assessing.excerpt import list_places, read_excerpt
from lexls.assessing.ignoring import Ignored, leave_out
from lexls.assessing.rules.keys import drop_edits_of_keys
from lexls.index.library import Library
from lexls.reading.draft import Draft
from lexls.reading.record import see_record
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.text.memory import Memory


def find_checks() -> Iterator[LocalCheck | WholeCheck | Review]:
    """The checks that the modules of this folder declare as their ``CHECKS``, by the modules' names."""
    for module in iter_modules(rules.__path__):
        if not module.name.startswith("_"):
            yield from getattr(import_module(f"{rules.__name__}.{module.name}"), "CHECKS", ())


def list_rules() -> list[DiagnosticRule]:
    """The diagnostics that the checks declare, in the order of the manual."""
    rules = {rule for check in find_checks() for rule in check.rules}
    return sorted(rules, key=lambda rule: rule.order)


_CHECKS = tuple(find_checks())


def check(
    snapshot: Snapshot,
    token: CancelToken,
    before: FoundBefore | None = None,
    late: FoundBefore | None = None,
) -> list[Finding]:
    """Everything there is to report about the draft's citations and quotations, in the order of the draft.

    The severities are those of the settings; what is "off" is not looked for. lexls knows only the
    library: no message says that an authority does not exist. What the draft or the workspace has ignored is
    left out. ``before`` keeps from one version of the draft
    to the next what was found in the paragraphs that stay; also when the check is cancelled. ``late`` is what
    `check_late` has found by now; without it what takes long is not looked for.
    """
    return check_all(snapshot, token, before, late)[0]


def check_all(
    snapshot: Snapshot,
    token: CancelToken,
    before: FoundBefore | None = None,
    late: FoundBefore | None = None,
) -> tuple[list[Finding], list[Ignored]]:
    """As `check`, with what is to be ignored beside it, in the order of the draft too."""
    severities = snapshot.settings.severities
    wanted = frozenset(code for code, severity in severities.items() if severity != "off")
    before = before if before is not None else FoundBefore()
    _renew(before, snapshot, wanted)
    problems = [*_local(snapshot, wanted, token, before), *_whole(snapshot, wanted, token)]
    if (seen := see_record(snapshot)) is not None:
        own = (*_local(seen, wanted, token, before, of="record"), *_whole(seen, wanted, token, of="record"))
        problems.extend(map(_of_record, own))
    before.sweep()
    if late is not None:
        problems.extend(_known(snapshot, wanted, late))
    for each in _CHECKS:
        if isinstance(each, Review) and _is_wanted(each, wanted):
            problems = list(each.tell(snapshot, problems))
    known = dict.fromkeys(drop_edits_of_keys(snapshot.draft, each) for each in problems)
    found = [Finding.of(each, severities[each.code]) for each in known if each.code in wanted]
    told, ignored = leave_out(snapshot, sorted(found, key=lambda each: (each.span, each.code)))
    return list(_once(told)), ignored


def check_at_once(
    snapshot: Snapshot, token: CancelToken, *, support: bool
) -> tuple[list[Finding], list[Ignored]]:
    """As `check_all` of a draft that nobody is writing in; ``support`` waits for the checks that take long,
    which ask whether authorities bear out what they are cited for."""
    late = FoundBefore() if support else None
    if late is not None:
        check_late(snapshot, token, late)
    return check_all(snapshot, token, late=late)


def check_late(snapshot: Snapshot, token: CancelToken, late: FoundBefore) -> bool:
    """Run the checks that take long where ``late`` does not know yet what they find.

    Whether they found anything new. Cancelled, ``late`` keeps what was found. Raises ``Cancelled``.
    """
    severities = snapshot.settings.severities
    wanted = frozenset(code for code, severity in severities.items() if severity != "off")
    if not any(_is_late(each) and _is_wanted(each, wanted) for each in _CHECKS):
        return False
    known = len(late)
    _renew(late, snapshot, wanted)
    found = list(_local(snapshot, wanted, token, late, late=True))
    return bool(found) and len(late) > known


def _is_late(check: LocalCheck | WholeCheck | Review) -> bool:
    return isinstance(check, LocalCheck) and check.late


def _known(snapshot: Snapshot, wanted: frozenset[str], late: FoundBefore) -> Iterator[Problem]:
    """What the checks that take long have found in the paragraphs that stay."""
    _renew(late, snapshot, wanted)
    if len(late):
        for places in list_places(snapshot.draft):
            known = late.get(_key(snapshot.draft, places)) or ()
            yield from (_restored(each, snapshot.draft, places) for each in known)
    late.sweep()


def _is_wanted(check: LocalCheck | WholeCheck | Review, codes: frozenset[str]) -> bool:
    """Whether one of ``codes`` is a diagnostic of the check."""
    return any(rule.code in codes for rule in check.rules)


def _once(found: Sequence[Finding]) -> Iterator[Finding]:
    """The findings, what is said of the draft as a whole only where it is said first."""
    told: set[tuple[str, str]] = set()
    for each in found:
        said = each.code, each.message
        if not each.rule.said_once or said not in told:
            told.add(said)
            yield each


def _local(
    snapshot: Snapshot,
    wanted: frozenset[str],
    token: CancelToken,
    before: FoundBefore,
    *,
    late: bool = False,
    of: Literal["library", "record"] = "library",
) -> Iterator[Problem]:
    """What the local checks find, those that take long or the others, remembered or found now."""
    runs = [
        each.find
        for each in _CHECKS
        if isinstance(each, LocalCheck)
        and each.late == late
        and each.of in (of, "each")
        and _is_wanted(each, wanted)
    ]
    draft = snapshot.draft
    for places in list_places(draft):
        key = _key(draft, places)
        known = before.get(key)
        if known is not None:
            yield from (_restored(each, draft, places) for each in known)
            continue
        token.raise_if_cancelled()
        excerpt = read_excerpt(snapshot, places)
        found = [problem for run in runs for problem in run(excerpt, token)] if excerpt else []
        anchored = [_anchored(each, draft, places) for each in found]
        sure = tuple(each for each in anchored if each is not None)
        if len(sure) == len(found):
            before.keep(key, sure)
        yield from found


def _whole(
    snapshot: Snapshot,
    wanted: frozenset[str],
    token: CancelToken,
    *,
    of: Literal["library", "record"] = "library",
) -> Iterator[Problem]:
    """What the checks of the whole draft find."""
    for each in _CHECKS:
        if isinstance(each, WholeCheck) and each.of in (of, "each") and _is_wanted(each, wanted):
            token.raise_if_cancelled()
            yield from each.find(snapshot, token)


def _renew(found: FoundBefore, snapshot: Snapshot, wanted: frozenset[str]) -> None:
    """Forget what was found in another state of the library, the record or the settings."""
    states = [(each.generation, each.complete) for each in list_libraries(snapshot)]
    found.renew((*states, wanted))


def list_libraries(snapshot: Snapshot) -> list[Library]:
    """The library and, if there is one, the record."""
    return [snapshot.library, *([snapshot.record.library] if snapshot.record is not None else [])]


def _of_record(problem: Problem) -> Problem:
    """A problem found in the record, whose numbers are those of its papers."""
    related = tuple(replace(each, of_record=each.authority is not None) for each in problem.related)
    return replace(problem, authority=None, related=related)


_Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class LocalProblem:
    """A problem whose spans of the draft count from the beginnings of blocks.

    ``anchors`` has for each of its spans which of the blocks that it was found with.
    """

    problem: Problem
    anchors: tuple[int, ...]


class FoundBefore(Memory[_Key, tuple[LocalProblem, ...]]):
    """What the local checks found in one draft's last version.

    A paragraph is known by its block and its piece of the citations, which stay the same objects while
    neither its text nor what its short forms stand for changes; so are the footnotes it refers to.
    """


def _key(draft: Draft, places: Sequence[int]) -> _Key:
    pieces = draft.citations.pieces
    if len(places) == 1:
        return draft.blocks[places[0]], pieces[places[0]]
    return tuple(each for place in places for each in (draft.blocks[place], pieces[place]))


def _anchored(problem: Problem, draft: Draft, places: Sequence[int]) -> LocalProblem | None:
    """The problem by the beginnings of its blocks; None if a span of it lies in none of them."""
    anchors = []
    spans = []
    for span in problem.spans:
        for anchor, place in enumerate(places):
            start = draft.starts[place]
            if start <= span.start <= span.end <= start + len(draft.blocks[place].source):
                anchors.append(anchor)
                spans.append(span.shift(-start))
                break
        else:
            return None
    return LocalProblem(problem.at(spans), tuple(anchors))


def _restored(kept: LocalProblem, draft: Draft, places: Sequence[int]) -> Problem:
    anchored = zip(kept.problem.spans, kept.anchors, strict=True)
    return kept.problem.at([span.shift(draft.starts[places[anchor]]) for span, anchor in anchored])
