"""Running all checks over a draft."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from lexls.features.checks import (
    antecedents,
    impossible,
    keys,
    misnamed,
    missing,
    notes,
    parallels,
    pinpoints,
    quotations,
    style,
    superseded,
    treated,
    unsupported,
    unused,
)
from lexls.features.checks.excerpt import Excerpt
from lexls.features.checks.memory import Memory, State
from lexls.features.checks.problem import Finding, Problem
from lexls.features.resolve import Resolution, resolve
from lexls.features.snapshot import Snapshot
from lexls.settings import diagnostics as rules
from lexls.text.cancel import CancelToken

LocalCheck = Callable[[Excerpt, CancelToken], Iterator[Problem]]
"""What it finds in one paragraph; see `Excerpt` for what it may look at."""
WholeCheck = Callable[[Snapshot, CancelToken], Iterator[Problem]]
"""What it finds in the draft as a whole, at every key press: a few milliseconds in a long draft."""

LOCAL_CHECKS: tuple[tuple[tuple[rules.DiagnosticRule, ...], LocalCheck], ...] = (
    ((rules.NOT_IN_LIBRARY,), missing.check),
    ((rules.NAME_MISMATCH,), misnamed.check),
    ((rules.IMPOSSIBLE_CITATION,), impossible.check),
    ((rules.PARALLEL_MISMATCH,), parallels.check),
    ((rules.PINPOINT_NOT_FOUND,), pinpoints.check),
    (quotations.RULES, quotations.check),
    ((rules.NO_AUTHORITY,), unsupported.check),
    ((rules.CITATION_STYLE,), style.check),
)
"""Each with the diagnostics it may report: where all of them are off it does not run."""
SAID_ONCE = frozenset((rules.NOT_IN_LIBRARY.code,))
"""Diagnostics that are told where they are true first: another place with the same words adds nothing."""
WHOLE_CHECKS: tuple[tuple[tuple[rules.DiagnosticRule, ...], WholeCheck], ...] = (
    (quotations.RULES, quotations.check_blocks),
    ((rules.NO_ANTECEDENT, rules.AMBIGUOUS_IBID), antecedents.check),
    ((rules.NEGATIVE_TREATMENT,), treated.check),
    ((rules.UNUSED_DEFINITION,), unused.check),
    ((rules.MISSING_FOOTNOTE,), notes.check),
    ((rules.SUPERSEDED_PROVISION,), superseded.check),
    ((rules.UNKNOWN_KEY, rules.BIBLIOGRAPHY_UNREADABLE), keys.check),
)


def check(snapshot: Snapshot, token: CancelToken, memory: Memory | None = None) -> list[Finding]:
    """Everything there is to report about the draft's citations and quotations, in the order of the draft.

    The severities are those of the settings; what is "off" is not looked for. lexls knows only the
    library: no message says that an authority does not exist. ``memory`` keeps from one version of the draft
    to the next what was found in the paragraphs that stay; also when the check is cancelled.
    """
    severities = snapshot.settings.severities
    wanted = frozenset(code for code, severity in severities.items() if severity != "off")
    problems = list(_local(snapshot, wanted, token, memory if memory is not None else Memory()))
    for declared, whole in WHOLE_CHECKS:
        if any(rule.code in wanted for rule in declared):
            token.raise_if_cancelled()
            problems.extend(whole(snapshot, token))
    known = dict.fromkeys(keys.without_edits_of_keys(snapshot.draft, each) for each in problems)
    found = [Finding(each, severities[each.code]) for each in known if each.code in wanted]
    return list(_once(sorted(found, key=lambda each: (each.span, each.code))))


def _once(found: Sequence[Finding]) -> Iterator[Finding]:
    """The findings, what is said of the draft as a whole only where it is said first."""
    told: set[tuple[str, str]] = set()
    for each in found:
        said = each.code, each.message
        if each.code not in SAID_ONCE or said not in told:
            told.add(said)
            yield each


def _local(
    snapshot: Snapshot, wanted: frozenset[str], token: CancelToken, memory: Memory
) -> Iterator[Problem]:
    """What the local checks find, remembered or found now."""
    checks = [run for declared, run in LOCAL_CHECKS if any(rule.code in wanted for rule in declared)]
    library = snapshot.library
    memory.begin(State(library.generation, library.complete, wanted))
    draft = snapshot.draft
    notes = _note_blocks(snapshot)
    for place, block in enumerate(draft.blocks):
        places = [place, *(notes[mark.label] for mark in block.marks if mark.label in notes)]
        known = memory.recall(draft, places)
        if known is None:
            token.raise_if_cancelled()
            excerpt = _excerpt(snapshot, places)
            found = [problem for run in checks for problem in run(excerpt, token)] if excerpt else []
            known = memory.keep(draft, places, found)
        yield from known
    memory.end()


def excerpts(snapshot: Snapshot) -> Iterator[Excerpt]:
    """The paragraphs of the draft as the local checks are given them, in order."""
    notes = _note_blocks(snapshot)
    for place, block in enumerate(snapshot.draft.blocks):
        found = _excerpt(
            snapshot, [place, *(notes[mark.label] for mark in block.marks if mark.label in notes)]
        )
        if found is not None:
            yield found


def _note_blocks(snapshot: Snapshot) -> dict[str, int]:
    """The place of the block that is the footnote of each label."""
    found: dict[str, int] = {}
    for place, block in enumerate(snapshot.draft.blocks):
        if block.note is not None:
            found.setdefault(block.note.label, place)
    return found


def _excerpt(snapshot: Snapshot, places: Sequence[int]) -> Excerpt | None:
    """The excerpt of a block and the footnotes it refers to; None if there is nothing to read in it."""
    draft = snapshot.draft
    block, start = draft.blocks[places[0]], draft.starts[places[0]]
    if not len(block.words):
        return None
    notes = {draft.blocks[place].note: place for place in places[1:]}
    by_label = {note.label: (note, place) for note, place in notes.items() if note is not None}
    marks = [mark for mark in block.marks if mark.label in by_label]
    return Excerpt(
        snapshot,
        block.words.shift(start),
        _cited(snapshot, places[0]),
        tuple(mark.span.shift(start) for mark in marks),
        tuple(by_label[mark.label][0].moved(draft.starts[by_label[mark.label][1]]) for mark in marks),
        tuple(_cited(snapshot, by_label[mark.label][1]) for mark in marks),
    )


def _cited(snapshot: Snapshot, place: int) -> tuple[Resolution, ...]:
    draft = snapshot.draft
    return tuple(resolve(snapshot.library, draft, each) for each in draft.citations.in_piece(place))
