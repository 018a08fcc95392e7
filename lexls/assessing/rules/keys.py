"""Report citation keys that are missing from the draft's bibliography, and bibliographies that cannot be
read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches

from lexls.assessing.check import Problem, WholeCheck
from lexls.reading.bibliography import Bibliography, find_named_files
from lexls.reading.draft import Draft
from lexls.reading.edit import Edit, Fix
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.text.format import KeyUse

UNKNOWN_KEY = DiagnosticRule(
    code="unknown-key",
    severity="warning",
    order=190,
    filing="warning",
    help="A key that is not in the draft's bibliography.",
    documentation="""\
The draft names a bibliography (`bibliography:` in the front matter, `\\addbibresource`, `\\bibliography`,
Typst's `#bibliography`) and cites a key that has no entry there. The quick fix writes a key that is
nearly the same.

Nothing is reported while a file of the bibliography cannot be read, or for keys that look like references
to figures, tables or sections. A key outside brackets is reported only if it is nearly the key of an
entry.""",
)

BIBLIOGRAPHY_UNREADABLE = DiagnosticRule(
    code="bibliography-unreadable",
    severity="warning",
    order=200,
    filing="warning",
    help="A bibliography that the draft names but that cannot be read.",
    documentation="""\
The file does not exist, is too large, or is not in the format of its suffix: CSL-JSON (`.json`), CSL-YAML
(`.yaml`; Hayagriva in Typst drafts), BibTeX or BibLaTeX (`.bib`). lexls looks for it in the draft's
folder and the three folders above it.""",
)


_CROSS = re.compile(
    r"(?:fig|sec|tbl|tab|eq|lst|thm|lem|cor|prp|cnj|def|exm|exr|sol|rem|alg|tip|nte|wrn|imp|cau|part|ch|app)[:\-_]",
    re.IGNORECASE,
)
"""Pattern of references to figures, tables and the like (pandoc-crossref, Quarto, Typst conventions)."""
_NEAR = 0.75
_MOST_COMPARED = 5_000
_ALIKE = 2


def check_keys(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """Report each key without an entry, and each bibliography file that cannot be read. If a file cannot be
    read, no keys are reported. A key outside brackets might be something else, so it is reported only if
    it resembles an entry's key.
    """
    draft, bibliography = snapshot.draft, snapshot.draft.bibliography
    if bibliography is None:
        return
    for named in find_named_files(draft.source, draft.format):
        reason = bibliography.unreadable.get(named.name)
        if reason:
            message = f"{named.name}: {reason}"
            yield Problem(named.span, BIBLIOGRAPHY_UNREADABLE.code, message)
    if bibliography.unreadable:
        return
    token.raise_if_cancelled()
    near: dict[str, list[str]] = {}
    for block, start in zip(draft.blocks, draft.starts, strict=True):
        for use in block.keys:
            if use.key in bibliography.records or _CROSS.match(use.key):
                continue
            if use.key not in near:
                near[use.key] = _near(use.key, bibliography)
            if near[use.key] or (use.sure and not draft.format.is_label(draft.source, use.key)):
                yield _problem(draft, use.shift(start), near[use.key])


def drop_edits_of_keys(draft: Draft, problem: Problem) -> Problem:
    """Return the problem without the fixes that would replace a citation key by a written citation."""
    if draft.bibliography is None or not problem.fixes or problem.code == UNKNOWN_KEY.code:
        return problem
    kept = tuple(
        fix
        for fix in problem.fixes
        if not any(
            draft.key_of(citation) is not None and citation.core.overlaps(edit.span)
            for edit in fix.edits
            for citation in draft.citations.between(edit.span.start, edit.span.end)
        )
    )
    return problem if len(kept) == len(problem.fixes) else replace(problem, fixes=kept)


def _near(key: str, bibliography: Bibliography) -> list[str]:
    """Return the entries' keys that may have been meant, most similar first."""
    if len(bibliography.records) > _MOST_COMPARED:
        return [each for each in bibliography.records if each.casefold() == key.casefold()]
    folded = {each.casefold(): each for each in bibliography.records}
    return [folded[each] for each in get_close_matches(key.casefold(), folded, _ALIKE, _NEAR)]


def _problem(draft: Draft, use: KeyUse, near: list[str]) -> Problem:
    names = list(dict.fromkeys(named.name for named in find_named_files(draft.source, draft.format)))
    where = names[0] if len(names) == 1 else "the bibliography"
    asked = f"; did you mean {' or '.join(near)}?" if near else ""
    fixes = (Fix(f"Change to {each}", (Edit(use.core, each),), preferred=len(near) == 1) for each in near)
    return Problem(use.core, UNKNOWN_KEY.code, f"{use.key} is not in {where}{asked}", fixes=tuple(fixes))


CHECKS = (WholeCheck((UNKNOWN_KEY, BIBLIOGRAPHY_UNREADABLE), check_keys),)
