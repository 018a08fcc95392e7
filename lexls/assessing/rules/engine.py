"""Run the checks of this folder over a draft, and cache the results for unchanged paragraphs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import chain
from pkgutil import iter_modules
from typing import Literal

from lexls.assessing import rules
from lexls.assessing.assess import assess_excerpt
from lexls.assessing.check import Finding, LocalCheck, Problem, Related, Review, WholeCheck
from lexls.assessing.cross_references import list_notes_compared
from lexls.assessing.excerpt import find_notes, places_at, read_excerpt
from lexls.assessing.ignoring import Ignored, leave_out
from lexls.assessing.quotations import list_blocks
from lexls.assessing.rules.keys import drop_edits_of_keys
from lexls.assessing.verdicts import Verdict, decide
from lexls.citations.reading import Citations
from lexls.index.library import Library
from lexls.reading.draft import Draft
from lexls.reading.record import see_record
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.text.memory import Memory
from lexls.text.spans import Span


def find_checks() -> Iterator[LocalCheck | WholeCheck | Review]:
    """Yield the checks declared as ``CHECKS`` in the modules of this folder, in the order of module names."""
    for module in iter_modules(rules.__path__):
        if not module.name.startswith("_"):
            yield from getattr(import_module(f"{rules.__name__}.{module.name}"), "CHECKS", ())


def list_rules() -> list[DiagnosticRule]:
    """Return the diagnostics that the checks declare, in the order of the manual."""
    rules = {rule for check in find_checks() for rule in check.rules}
    return sorted(rules, key=lambda rule: rule.order)


_CHECKS = tuple(find_checks())


@dataclass(frozen=True, slots=True)
class CheckedDraft:
    """The findings of a draft in order, its ignored findings, and the number of citations with each
    verdict.
    """

    findings: tuple[Finding, ...]
    ignored: tuple[Ignored, ...]
    verdicts: Mapping[Verdict, int]


def check(
    snapshot: Snapshot,
    token: CancelToken,
    before: FoundBefore | None = None,
    late: FoundBefore | None = None,
) -> list[Finding]:
    """Return all findings about the draft's citations and quotations, in the order of the draft.

    Severities come from the settings; diagnostics that are "off" are not checked. lexls knows only the
    library, so no message says that an authority does not exist. Findings that the draft or the workspace
    ignores are omitted. ``before`` keeps the results for unchanged paragraphs from one version of the draft
    to the next, even if the check is cancelled. ``late`` has the results of `check_late` so far; without it,
    slow checks are skipped.
    """
    return list(check_all(snapshot, token, before, late).findings)


def check_all(
    snapshot: Snapshot,
    token: CancelToken,
    before: FoundBefore | None = None,
    late: FoundBefore | None = None,
) -> CheckedDraft:
    """Return the same findings as `check`, and also the ignored findings and the number of citations with
    each verdict.
    """
    severities = snapshot.settings.severities
    wanted = frozenset(code for code, severity in severities.items() if severity != "off")
    before = before if before is not None else FoundBefore()
    _renew(before, snapshot, wanted)
    verdicts: Counter[Verdict] = Counter()
    problems = [*_local(snapshot, wanted, token, before, verdicts), *_whole(snapshot, wanted, token)]
    if (seen := see_record(snapshot)) is not None:
        local = _local(seen, wanted, token, before, Counter(), of="record")
        own = (*local, *_whole(seen, wanted, token, of="record"))
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
    return CheckedDraft(tuple(_once(snapshot.draft, told)), tuple(ignored), verdicts)


def check_at_once(snapshot: Snapshot, token: CancelToken, *, support: bool) -> CheckedDraft:
    """Return the result of `check_all` for a draft that is not being edited. If ``support`` is true, also run
    the slow checks of whether authorities support what they are cited for.
    """
    late = FoundBefore() if support else None
    if late is not None:
        check_late(snapshot, token, late)
    return check_all(snapshot, token, late=late)


def check_late(snapshot: Snapshot, token: CancelToken, late: FoundBefore) -> bool:
    """Run the slow checks for paragraphs without results in ``late``; return whether they found anything new.
    If cancelled, ``late`` keeps the results so far. Raises ``Cancelled``.
    """
    severities = snapshot.settings.severities
    wanted = frozenset(code for code, severity in severities.items() if severity != "off")
    if not any(_is_late(each) and _is_wanted(each, wanted) for each in _CHECKS):
        return False
    known = len(late)
    _renew(late, snapshot, wanted)
    found = list(_local(snapshot, wanted, token, late, Counter(), late=True))
    return bool(found) and len(late) > known


def _is_late(check: LocalCheck | WholeCheck | Review) -> bool:
    return isinstance(check, LocalCheck) and check.late


def _known(snapshot: Snapshot, wanted: frozenset[str], late: FoundBefore) -> Iterator[Problem]:
    """Yield the problems that earlier slow checks found in paragraphs that have not changed since."""
    _renew(late, snapshot, wanted)
    if len(late):
        for place, key in enumerate(_list_keys(snapshot.draft)):
            known = late.get(key)
            if known is not None and known.problems:
                places = places_at(snapshot.draft, place)
                yield from (_restored(each, snapshot.draft, places) for each in known.problems)
    late.sweep()


def _is_wanted(check: LocalCheck | WholeCheck | Review, codes: frozenset[str]) -> bool:
    """Return whether the check can report at least one of ``codes``."""
    return any(rule.code in codes for rule in check.rules)


def _once(draft: Draft, found: Sequence[Finding]) -> Iterator[Finding]:
    """Yield the findings. If a diagnostic is reported only once per authority, yield its first finding, with
    links to the other places where the authority is cited.
    """
    first: dict[tuple[str, str], Finding] = {}
    for each in found:
        if each.rule.said_once:
            first.setdefault((each.code, each.message), each)
    keys = {id(each): _key_at(draft, each.span) for each in first.values()}
    mentions = _find_mentions(draft, frozenset(keys.values()) - {""})
    for each in found:
        if not each.rule.said_once:
            yield each
        elif id(each) in keys:
            again = [span for span in mentions.get(keys[id(each)], ()) if span != each.span]
            related = tuple(Related("Cited here, too", span) for span in again)
            yield replace(each, related=(*each.related, *related)) if related else each


def _key_at(draft: Draft, span: Span) -> str:
    citation = draft.citation_at(span.start)
    return citation.key if citation is not None else ""


def _find_mentions(draft: Draft, keys: frozenset[str]) -> Mapping[str, Sequence[Span]]:
    """Map the keys of authorities to the places where they are cited, in full or by a short form."""
    found: defaultdict[str, list[Span]] = defaultdict(list)
    for each in draft.citations.of(keys):
        found[each.key].append(each.core)
    return found


def _local(
    snapshot: Snapshot,
    wanted: frozenset[str],
    token: CancelToken,
    before: FoundBefore,
    verdicts: Counter[Verdict],
    *,
    late: bool = False,
    of: Literal["library", "record"] = "library",
) -> Iterator[Problem]:
    """Yield the results of the local checks, cached or new: of the slow checks if ``late`` is true, otherwise
    of the others. The counts in ``verdicts`` are increased by the citations' verdicts.
    """
    runs = [
        each.find
        for each in _CHECKS
        if isinstance(each, LocalCheck)
        and each.late == late
        and each.of in (of, "each")
        and _is_wanted(each, wanted)
    ]
    draft = snapshot.draft
    meant, noted = before.recall_meant(draft) if of == "library" and not late else ({}, {})
    decided_at: dict[int, tuple[Verdict, ...]] = {}
    for place, key in enumerate(_list_keys(draft)):
        if fulls := meant.get(place):
            # An error in a full citation also affects its short forms.
            key = (*key, *(decided_at.get(each, each) for each in fulls), *noted.get(place, ()))
        known = before.get(key)
        if known is not None:
            if known.verdicts:
                decided_at[place] = known.verdicts
            if known.problems:
                places = places_at(draft, place)
                yield from (_restored(each, draft, places) for each in known.problems)
            continue
        token.raise_if_cancelled()
        places = places_at(draft, place)
        excerpt = read_excerpt(snapshot, places)
        found = [problem for run in runs for problem in run(excerpt, token)] if excerpt else []
        decided: tuple[Verdict, ...] = ()
        if excerpt is not None and not late and of == "library":
            decided = tuple(map(decide, assess_excerpt(excerpt, token)))
        decided_at[place] = decided
        anchored = [_anchored(each, draft, places) for each in found]
        sure = tuple(each for each in anchored if each is not None)
        if len(sure) == len(found):
            before.keep(key, FoundHere(sure, decided))
        yield from found
    verdicts.update(chain.from_iterable(decided_at.values()))


def _whole(
    snapshot: Snapshot,
    wanted: frozenset[str],
    token: CancelToken,
    *,
    of: Literal["library", "record"] = "library",
) -> Iterator[Problem]:
    """Yield the results of the checks of the whole draft."""
    for each in _CHECKS:
        if isinstance(each, WholeCheck) and each.of in (of, "each") and _is_wanted(each, wanted):
            token.raise_if_cancelled()
            yield from each.find(snapshot, token)


def _renew(found: FoundBefore, snapshot: Snapshot, wanted: frozenset[str]) -> None:
    """Clear cached results if the library, the record, the catalogue or the settings have changed."""
    states = [(each.generation, each.complete) for each in list_libraries(snapshot)]
    listed = snapshot.cases.generation if snapshot.cases is not None else 0
    found.renew((*states, listed, wanted))


def list_libraries(snapshot: Snapshot) -> list[Library]:
    """Return the library and, if there is a record, the record's library."""
    return [snapshot.library, *([snapshot.record.library] if snapshot.record is not None else [])]


def _of_record(problem: Problem) -> Problem:
    """Return a problem found in the record, with its related passages marked as passages of the record's
    papers.
    """
    related = tuple(replace(each, of_record=each.authority is not None) for each in problem.related)
    return replace(problem, authority=None, related=related)


_Key = tuple[object, ...]
Meant = tuple[Mapping[int, list[int]], Mapping[int, _Key]]


@dataclass(frozen=True, slots=True)
class LocalProblem:
    """A problem whose spans are relative to the beginnings of blocks. ``anchors`` has an entry for each span:
    the index of the span's block among the blocks of the excerpt.
    """

    problem: Problem
    anchors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FoundHere:
    """The problems found in one paragraph, and the verdicts on its citations."""

    problems: tuple[LocalProblem, ...]
    verdicts: tuple[Verdict, ...]


class FoundBefore(Memory[_Key, FoundHere]):
    """Results of the local checks for the last version of a draft.

    The cache key of a paragraph contains its block and its citations. Both objects stay the same while the
    text and the keys of its short forms are unchanged. The key also contains its footnotes, the paragraphs
    that refer to it, adjacent block quotations that may be attributed to its citations, and the verdicts on
    its short forms' full citations.
    """

    def __init__(self) -> None:
        super().__init__()
        self._meant: tuple[Citations, Meant] | None = None

    def recall_meant(self, draft: Draft) -> Meant:
        """Return the result of `find_meant`, cached while every short form keeps its antecedent."""
        if self._meant is None or draft.footnotes or not draft.citations.stand_as(self._meant[0]):
            self._meant = draft.citations, find_meant(draft)
        return self._meant[1]


def _list_keys(draft: Draft) -> Sequence[_Key]:
    """Return the cache keys of the paragraphs, in the order of the blocks."""

    def collect() -> list[_Key]:
        keys: list[_Key] = list(zip(draft.blocks, draft.citations.pieces, strict=True))
        for place in find_notes(draft):
            keys[place] = _own_key(draft, place)
        for place, each in _find_around(draft).items():
            keys[place] += each
        return keys

    return draft.once("keys of paragraphs", collect)


def _own_key(draft: Draft, place: int) -> _Key:
    blocks, pieces = draft.blocks, draft.citations.pieces
    return tuple(each for at in places_at(draft, place) for each in (blocks[at], pieces[at]))


def _find_around(draft: Draft) -> Mapping[int, _Key]:
    """Map the index of a block to the keys of other blocks that affect its check: block quotations next to
    it, and paragraphs that refer to it as a footnote.
    """
    found: defaultdict[int, list[object]] = defaultdict(list)
    for block in list_blocks(draft):
        region = block.region
        for place in range(draft.block_at(region.start), draft.block_at(region.end) + 1):
            found[place].append(block.key)
    for place, notes in find_notes(draft).items():
        for note in notes:
            found[note].extend(_own_key(draft, place))
    return {place: tuple(each) for place, each in found.items()}


def find_meant(draft: Draft) -> Meant:
    """Return two mappings from the index of a block with short forms: to the indices of the blocks with their
    full citations, and to the numbers of the notes that cite their authorities.
    """
    meant: defaultdict[int, list[int]] = defaultdict(list)
    noted: defaultdict[int, _Key] = defaultdict(tuple)
    places, found = draft.citations.list_pieces(), list(draft.citations.list_antecedents())
    for place, at in sorted({(places[each], places[full]) for each, full in found}):
        if at != place:
            meant[place].append(at)
    for each, _ in found if draft.footnotes else ():
        noted[places[each]] += (list_notes_compared(draft, draft.citations[each]),)
    return meant, noted


def _anchored(problem: Problem, draft: Draft, places: Sequence[int]) -> LocalProblem | None:
    """Return the problem with its spans relative to its blocks; None if a span is in none of them."""
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
