"""Report sentences that their authorities do not support, and propositions of law without an authority."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lexls.assessing.check import LocalCheck, Problem, Related, as_named, is_quoted
from lexls.assessing.excerpt import Excerpt
from lexls.assessing.support import Support, judge_support
from lexls.reading.propositions import write_bare
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.text.phrases import compile_pattern, load_phrases
from lexls.wording.markdown import shorten

CONTRADICTED = DiagnosticRule(
    code="support-contradicted",
    severity="warning",
    filing="error",
    order=92,
    help="A case cited for the opposite of what it says.",
    documentation="""\
The case contains the sentence for which it is cited, but with or without a "not", with "may" for "must",
or with "denied" for "granted". A sentence, or the words in brackets after the citation ("(holding that
…)"), is reported only if its words are nearly those of the authority. It is not reported if another
passage of the authority supports it. Arguments of counsel or a party in the authority do not count. lexls
looks for this while you are not typing, and for `lexls check --report` and `--strict`.""",
)
NOT_FOUND = DiagnosticRule(
    code="support-not-found",
    severity="off",
    order=94,
    help="A case that does not discuss what it is cited for.",
    documentation="""\
No passage of the case shares enough words with the sentence, or with the words in brackets after the
citation, to support it even in part. Courts often say the same in other words, so this is off by default.
Set it to "hint" to see which citations need another look. lexls looks for this while you are not typing,
and for `lexls check --report` and `--strict`.""",
)
ELSEWHERE = DiagnosticRule(
    code="support-elsewhere",
    severity="information",
    filing="warning",
    order=93,
    help="A case that does not discuss what it is cited for, although other cases of your library do.",
    documentation="""\
No passage of the case supports the sentence, and at least five other documents of your library fit its
words far better. Perhaps another case was meant. Only sentences of some length that cite a case by its
own citation are compared.

In published judgments, this check questioned between one (United States) and sixteen (India) of a
thousand such sentences with the right case. With a randomly chosen case in place of the right one, it
questioned 510 to 630 of a thousand. lexls looks for this while you are not typing, and for `lexls check
--report` and `--strict`.""",
)
_LONGEST = 240
_BY_NUMBER = ("full", "short")
"""Citation forms that name an authority by its own citation, independently of earlier citations."""


def check_support(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each case that contradicts what it is cited for, or does not discuss it."""
    groups: set[int] = set()
    for resolution in excerpt.cited:
        citation = resolution.citation
        if not resolution.authorities or resolution.by == "name" or citation.group in groups - {0}:
            continue
        token.raise_if_cancelled()
        if is_quoted(excerpt.snapshot.draft, citation.core.start):
            continue
        support = judge_support(excerpt.snapshot, resolution, token)
        if support.verdict not in ("contradicted", "not-found"):
            continue
        groups.add(citation.group)
        named = as_named(excerpt.snapshot, citation)
        if support.verdict == "contradicted":
            said = shorten(support.text, _LONGEST)
            message = f"{named} says the contrary of what it is cited for: “{said}”"
            yield Problem(citation.core, CONTRADICTED.code, message, support.authority, _related(support))
        elif support.elsewhere and citation.form in _BY_NUMBER:
            message = f"other cases of your library discuss what {named} is cited for, but it does not"
            yield Problem(citation.core, ELSEWHERE.code, message, support.authority)
        else:
            message = f"no passage of {named} was found that discusses what it is cited for"
            yield Problem(citation.core, NOT_FOUND.code, message, support.authority)


def _related(support: Support) -> tuple[Related, ...]:
    if support.span is None or support.authority is None:
        return ()
    return (Related("what it says", support.span, support.authority),)


NO_AUTHORITY = DiagnosticRule(
    code="no-authority",
    severity="off",
    order=160,
    help="A proposition of law without any authority.",
    documentation="""\
The sentence says what the law is ("must", "is liable unless"), but nothing is cited in it, in the next
sentence, in a footnote of either or at the end of the paragraph. Sentences about the parties and
conclusions are skipped. This is off by default. Set it to "hint" to see the propositions that need
support.""",
)


_PHRASES = load_phrases(__package__, "unsupported.toml")
_LAW = compile_pattern(_PHRASES["law"], {})
_OF_THE_CASE = compile_pattern(_PHRASES["of_the_case"], {})
_NAMED = compile_pattern(_PHRASES["named"], {}, re.NOFLAG)
_POINTING = compile_pattern(_PHRASES["pointing"], {})
_FEWEST = 8
"""Minimum number of words for a sentence to be a proposition of law."""


def check_propositions(excerpt: Excerpt, token: CancelToken) -> Iterator[Problem]:
    """Report each sentence that states the law without an authority nearby. The authority may be cited in the
    sentence, in the next one, in a footnote to either, or in the paragraph's last sentence.
    """
    draft = excerpt.snapshot.draft
    if draft.heading_at(excerpt.paragraph.start) is not None:
        return
    sentences = draft.sentences_of(excerpt.paragraph)
    supported = [
        any(each.citation.span.overlaps(sentence) for each in excerpt.cited)
        or any(sentence.touches(mark.start) for mark in excerpt.marks)
        or _has_inner_note(excerpt, sentence.start, sentence.end)
        for sentence in sentences
    ]
    for place, sentence in enumerate(sentences):
        token.raise_if_cancelled()
        if any(supported[place : place + 2]) or (supported and supported[-1]):
            continue
        text = write_bare(draft, sentence)
        if len(text.split()) < _FEWEST or _OF_THE_CASE.search(text) or _POINTING.search(text):
            continue
        if text.rstrip(") ").endswith(".") and text[:1].isupper() and _is_general(text) and _LAW.search(text):
            yield Problem(sentence, NO_AUTHORITY.code, "nothing is cited for this proposition of law")


def _is_general(text: str) -> bool:
    """Return whether a sentence has no name and no quotation, as is typical of a statement of a
    general rule.
    """
    return not any(sign in text for sign in '“”"') and _NAMED.search(text, 1) is None


def _has_inner_note(excerpt: Excerpt, start: int, end: int) -> bool:
    source = excerpt.snapshot.draft.source[start : end + 2]
    return any(sign in source for sign in excerpt.snapshot.draft.format.supports)


CHECKS = (
    LocalCheck((CONTRADICTED, ELSEWHERE, NOT_FOUND), check_support, late=True),
    LocalCheck((NO_AUTHORITY,), check_propositions),
)
