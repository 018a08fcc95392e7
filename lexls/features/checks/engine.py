"""Running all checks over a draft."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lexls.features.checks import missing, pinpoints
from lexls.features.checks.excerpt import Excerpt
from lexls.features.checks.problem import Finding, Problem
from lexls.features.footnotes import Footnote, references
from lexls.features.resolve import Resolution, resolve
from lexls.features.snapshot import Snapshot
from lexls.settings import diagnostics as rules
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span

LocalCheck = Callable[[Excerpt, CancelToken], Iterator[Problem]]
"""What it finds in one paragraph; see `Excerpt` for what it may look at."""
WholeCheck = Callable[[Snapshot, CancelToken], Iterator[Problem]]
"""What it finds in the draft as a whole, at every key press: a few milliseconds in a long draft."""

LOCAL_CHECKS: tuple[tuple[tuple[rules.DiagnosticRule, ...], LocalCheck], ...] = (
    ((rules.NOT_IN_LIBRARY,), missing.check),
    ((rules.PINPOINT_NOT_FOUND,), pinpoints.check),
)
"""Each with the diagnostics it may report: where all of them are off it does not run."""
WHOLE_CHECKS: tuple[tuple[tuple[rules.DiagnosticRule, ...], WholeCheck], ...] = ()


def check(snapshot: Snapshot, token: CancelToken) -> list[Finding]:
    """Everything there is to report about the draft's citations and quotations, in the order of the draft.

    The severities are those of the settings; what is "off" is not looked for. lexls knows only the
    library: no message says that an authority does not exist.
    """
    severities = snapshot.settings.severities
    wanted = frozenset(code for code, severity in severities.items() if severity != "off")
    problems: list[Problem] = []
    local = [run for declared, run in LOCAL_CHECKS if any(rule.code in wanted for rule in declared)]
    for excerpt in excerpts(snapshot):
        for run in local:
            token.raise_if_cancelled()
            problems.extend(run(excerpt, token))
    for declared, whole in WHOLE_CHECKS:
        if any(rule.code in wanted for rule in declared):
            token.raise_if_cancelled()
            problems.extend(whole(snapshot, token))
    found = [Finding(each, severities[each.code]) for each in dict.fromkeys(problems) if each.code in wanted]
    return sorted(found, key=lambda each: (each.span, each.code))


def excerpts(snapshot: Snapshot) -> Iterator[Excerpt]:
    """The draft's paragraphs, each with its citations and the footnotes it refers to."""
    draft = snapshot.draft
    notes: dict[str, Footnote] = {note.label: note for note in draft.footnotes if note.label}
    cited_in: dict[str, tuple[Resolution, ...]] = {}
    for paragraph in draft.paragraphs:
        cited = _cited(snapshot, paragraph)
        marks = [mark for mark in references(draft.source, draft.markup, paragraph) if mark.label in notes]
        for mark in marks:
            if mark.label not in cited_in:
                cited_in[mark.label] = _cited(snapshot, notes[mark.label].content)
        yield Excerpt(
            snapshot,
            paragraph,
            cited,
            tuple(mark.span for mark in marks),
            tuple(notes[mark.label] for mark in marks),
            tuple(cited_in[mark.label] for mark in marks),
        )


def _cited(snapshot: Snapshot, span: Span) -> tuple[Resolution, ...]:
    draft = snapshot.draft
    return tuple(resolve(snapshot.library, draft, citation) for citation in draft.citations_in(span))
