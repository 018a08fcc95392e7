"""Report parallel citations of different cases."""

from __future__ import annotations

from collections.abc import Iterator

from lexls.assessing.assess import assess_excerpt
from lexls.assessing.check import LocalCheck, Problem, find_beginning
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.parallels import find_cases
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken

PARALLEL_MISMATCH = DiagnosticRule(
    code="parallel-mismatch",
    severity="warning",
    order=40,
    filing="error",
    help="Parallel citations of one case that belong to different cases.",
    documentation="""\
Two citations stand side by side as those of one case, and the library holds them as two of different names.
It is reported at the citation that the name in the draft does not belong to. The related information opens
both.""",
)


def check_parallels(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each mention whose parallel citations are those of different cases."""
    for assessment in assess_excerpt(excerpt, token):
        for fact in assessment.facts:
            if fact.fault == "parallel":
                found = dict(find_cases(excerpt.snapshot, assessment.cited, 1)).values()
                cases = sorted(found, key=lambda each: each.name != fact.recorded)
                opened = tuple(one for case in cases for one in find_beginning(excerpt.snapshot, case))
                yield Problem(fact.span, PARALLEL_MISMATCH.code, fact.reason, cases[0].id, opened)


CHECKS = (LocalCheck((PARALLEL_MISMATCH,), check_parallels),)
