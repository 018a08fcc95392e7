"""Judge a citation: whether all that it says agrees with the authority that the library holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lexls.assessing.agreement import Agreement, compare_mention, find_held
from lexls.assessing.check import Excerpt, as_named
from lexls.assessing.rules.missing import CITATION_NUMBER, check_held, check_possible
from lexls.assessing.support import SupportVerdict
from lexls.citations.keys import fold
from lexls.citations.model import Citation
from lexls.index.records import Authority
from lexls.reading.resolve import resolve
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.phrases import load_phrases
from lexls.text.spans import Span
from lexls.wording.descriptions import tell_absence

Verdict = Literal["verified", "partly", "wrong", "not-in-library", "not-checkable"]
"""``verified``: every element was compared and agrees. ``partly``: those that were compared do, others could
not be. ``wrong``: one differs, or the citation cannot be. ``not-checkable``: nobody knows what is cited."""
VERDICTS: tuple[Verdict, ...] = ("verified", "partly", "wrong", "not-in-library", "not-checkable")

_PHRASES = load_phrases(__package__, "verdicts.toml")
_SHORTEST_KEY = 5
"""Letters and digits from which on a citation in a file's name is no chance."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a mention: ``elements`` are what was compared, ``reason`` is why it is not verified."""

    verdict: Verdict
    reason: str = ""
    authority: Authority | None = None
    elements: tuple[Agreement, ...] = ()


def judge_mention(snapshot: Snapshot, mention: Sequence[Citation], token: CancelToken) -> Judgement:
    """The verdict on parallel citations of one mention, or on one citation.

    What is wrong with a full citation is wrong with the short forms that stand for it.
    """
    draft = snapshot.draft
    found = tuple(resolve(snapshot.library, draft, each) for each in mention)
    span = Span(mention[0].span.start, mention[-1].span.end)
    excerpt = Excerpt(snapshot, span, found)
    first = mention[0]
    if not first.key:
        kind = "ambiguous" if first.ambiguous else "unread" if first.unread else "nothing"
        return Judgement("not-checkable", _PHRASES["reasons"][kind])
    full = _judge_antecedent(snapshot, first, token)
    if full is not None and full.verdict == "wrong":
        return Judgement("wrong", full.reason, full.authority)
    authority = find_held(snapshot, found)
    if authority is None:
        return full if full is not None and full.authority is None else _judge_absent(excerpt, token)
    elements = compare_mention(snapshot, found, token)
    wrong = [each.reason for each in elements if each.status == "differs"]
    if not wrong:
        wrong = [each.message for each in check_held(excerpt, token) if each.code == CITATION_NUMBER.code]
    if wrong:
        return Judgement("wrong", "; ".join(dict.fromkeys(wrong)), authority, elements)
    open_ones = [
        f"{_name(each)} not compared ({each.reason})" for each in elements if each.status == "unknown"
    ]
    return Judgement("partly" if open_ones else "verified", "; ".join(open_ones), authority, elements)


def _judge_antecedent(snapshot: Snapshot, citation: Citation, token: CancelToken) -> Judgement | None:
    full = snapshot.draft.antecedent_of(citation)
    if full is None or full is citation:
        return None
    draft, library = snapshot.draft, snapshot.library
    return draft.once(
        ("judgement", full.span, library.generation, library.complete),
        lambda: judge_mention(snapshot, draft.group_of(full), token),
    )


def _judge_absent(excerpt: Excerpt, token: CancelToken) -> Judgement:
    """The verdict on a full citation of which the library holds nothing."""
    snapshot, library = excerpt.snapshot, excerpt.library
    citation = excerpt.cited[0].citation
    if impossible := [each.message for each in check_possible(excerpt, token)]:
        return Judgement("wrong", impossible[0])
    if citation.kind == "contract":
        return Judgement("not-checkable", _PHRASES["reasons"]["record"])
    if not library.complete:
        return Judgement("not-checkable", f"{as_named(snapshot, citation)} {tell_absence(complete=False)}")
    absent = next(check_held(excerpt, token), None)
    if absent is not None and absent.code == CITATION_NUMBER.code:
        return Judgement("wrong", absent.message)
    if unread := _find_unread(snapshot, excerpt):
        return Judgement("not-checkable", unread)
    said = (
        absent.message
        if absent is not None
        else f"{as_named(snapshot, citation)} {tell_absence(complete=True)}"
    )
    return Judgement("not-in-library", said)


def _find_unread(snapshot: Snapshot, excerpt: Excerpt) -> str:
    """That a file of the library may be the authority, by its name, and could not be read; "" if none is."""
    keys = [fold(each.citation.key) for each in excerpt.cited]
    failed = snapshot.draft.once(
        ("unread files", snapshot.library.generation), lambda: tuple(snapshot.library.status.failed())
    )
    for each in failed:
        if any(len(key) >= _SHORTEST_KEY and key in fold(each.path.stem) for key in keys):
            return f"{each.path.name} could not be read: {each.reason}"
    return ""


def tell_judgement(judgement: Judgement) -> str:
    """A verdict in one line: "Verified: name, citation and year agree", "Wrong: …"."""
    words = name_verdict(judgement.verdict)
    parts = [each for each in (tell_agreement(judgement), judgement.reason) if each]
    return f"{words}: {'; '.join(parts)}" if parts else words


def tell_agreement(judgement: Judgement) -> str:
    """What of a citation agrees with the authority, in words; "" if nothing does or something is wrong."""
    agreeing = list(dict.fromkeys(_name(each) for each in judgement.elements if each.status == "agrees"))
    if not agreeing or judgement.verdict == "wrong":
        return ""
    listed = agreeing[0] if len(agreeing) == 1 else f"{', '.join(agreeing[:-1])} and {agreeing[-1]}"
    return f"{listed} agree{'s' if len(agreeing) == 1 else ''} with the library"


def name_verdict(verdict: Verdict) -> str:
    """A verdict as readers are told it: "Not in your library"."""
    return str(_PHRASES["verdicts"][verdict])


def name_support(verdict: SupportVerdict) -> str:
    """Whether an authority bears out what it is cited for, as readers are told it."""
    return str(_PHRASES["support"][verdict])


def _name(element: Agreement) -> str:
    """What an element is called: a place as it is cited."""
    if element.element == "pinpoint" or (element.element == "citation" and element.status == "unknown"):
        return element.said
    return str(_PHRASES["elements"][element.element])
