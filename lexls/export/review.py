"""Review a whole brief: find authorities it should cite and authority contrary to it, and compare it with an
opponent's brief.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from lexls.export.missing_authorities import DISPOSES, MissingAuthority, Progress, find_arguing, find_missing
from lexls.export.opposing_briefs import ComparedBrief, compare_briefs
from lexls.features.gathering import gather_contrary
from lexls.grounding.answer import Sentence
from lexls.grounding.answering import write_answer
from lexls.grounding.generators.extractive import ExtractiveGenerator
from lexls.grounding.opposition import states_what_is_rejected
from lexls.grounding.verification.verifier import EvidenceVerifier
from lexls.reading.quotations import find_quotations
from lexls.reading.snapshot import Draft, Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.prose import reports_a_party, reports_another_court

MOST_MISSING = 10
"""Maximum number of authorities reported as missing."""
Tell = Callable[[str, int, int], None]
"""Called with the current task, the number of finished steps and their total."""


@dataclass(frozen=True, slots=True)
class BriefReview:
    """The review of a draft as a whole."""

    missing: tuple[MissingAuthority, ...]
    contrary: tuple[ContraryAuthority, ...]
    compared: tuple[ComparedBrief, ...]

    @property
    def uncited(self) -> list[MissingAuthority]:
        """Return the missing authorities that are not merely other decisions in cases that the draft
        cites.
        """
        return [each for each in self.missing if each.same_case is None]

    @property
    def of_same_case(self) -> list[MissingAuthority]:
        """Return the missing authorities that are other decisions in cases that the draft cites."""
        return [each for each in self.missing if each.same_case is not None]


def review_brief(
    snapshot: Snapshot,
    opposing: Sequence[Snapshot],
    token: CancelToken,
    tell: Tell = lambda what, done, total: None,
) -> BriefReview:
    """Review a draft and compare it with the ``opposing`` briefs, which must use the same library.

    Raises ``Cancelled``.
    """
    missing = find_missing(snapshot, MOST_MISSING, token, partial(tell, "searching for what is not cited"))
    contrary = find_contrary_authority(snapshot, token, partial(tell, "looking for contrary authority"))
    against = tuple(contrary)
    compared = []
    for place, each in enumerate(opposing):
        tell("comparing with the opponent", place, len(opposing))
        compared.append(compare_briefs(snapshot, each, token))
    return BriefReview(tuple(missing), against, tuple(compared))


_FEWEST_QUOTED = 4
"""Minimum number of words in a quotation on which a sentence relies; a shorter quotation is a term."""


@dataclass(frozen=True, slots=True)
class ContraryAuthority:
    """A sentence of a draft, as written without citations, and the passages (at least one) of contrary
    authorities, strongest first.
    """

    sentence: Span
    proposition: str
    against: tuple[Sentence, ...]


def find_contrary_authority(
    snapshot: Snapshot, token: CancelToken, tell: Progress = lambda done, total: None
) -> Iterator[ContraryAuthority]:
    """Yield the contrary authority for each argumentative sentence, in the order of the draft.

    A sentence is skipped if it reports a party's argument, another court's view or a rejected view, since
    authority against that view may well agree with the draft. Sentences that quote, or that report a court's
    disposition, are skipped too. Negative treatment of a cited authority is not reported here, but with its
    citation. Raises ``Cancelled``.
    """
    generator = ExtractiveGenerator(snapshot.tokens)
    verifier = EvidenceVerifier(snapshot.tokens, snapshot.settings.explain_entailment)
    asked = list(find_arguing(snapshot))
    for place, (sentence, query) in enumerate(asked):
        token.raise_if_cancelled()
        tell(place, len(asked))
        if not _states_law(snapshot.draft, sentence):
            continue
        gathered = gather_contrary(snapshot, sentence, token)
        if gathered is None or not gathered.request.evidence:
            continue
        for answer in write_answer(replace(gathered, first=()), generator, verifier, token):
            if answer.complete and answer.sentences:
                yield ContraryAuthority(sentence, query, answer.sentences)
    tell(len(asked), len(asked))


def _states_law(draft: Draft, sentence: Span) -> bool:
    """Return whether a sentence is the draft's own statement in its own words. It must not report a
    disposition or somebody else's view, nor quote.
    """
    said = draft.prose(sentence)
    if reports_a_party(said) or reports_another_court(said) or states_what_is_rejected(said):
        return False
    if DISPOSES.search(said) is not None:
        return False
    paragraph = draft.paragraph_at(sentence.start)
    quotations = find_quotations(draft, paragraph) if paragraph is not None else []
    return not any(each.outer.overlaps(sentence) and each.words >= _FEWEST_QUOTED for each in quotations)
