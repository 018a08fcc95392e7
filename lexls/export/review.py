"""Review a whole brief: what it should cite, what stands against its sentences, and an opponent's brief."""

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
"""Authorities that are named as missing."""
Tell = Callable[[str, int, int], None]
"""Told what is done, and of how many steps how many are."""


@dataclass(frozen=True, slots=True)
class BriefReview:
    """What the report on a draft says of it as a whole."""

    missing: tuple[MissingAuthority, ...]
    contrary: tuple[ContraryAuthority, ...]
    compared: tuple[ComparedBrief, ...]

    @property
    def uncited(self) -> list[MissingAuthority]:
        """Return what is missing, but for other decisions in cases that the draft cites."""
        return [each for each in self.missing if each.same_case is None]

    @property
    def of_same_case(self) -> list[MissingAuthority]:
        """Other decisions in cases that the draft cites."""
        return [each for each in self.missing if each.same_case is not None]


def review_brief(
    snapshot: Snapshot,
    opposing: Sequence[Snapshot],
    token: CancelToken,
    tell: Tell = lambda what, done, total: None,
) -> BriefReview:
    """The review of a draft beside the ``opposing`` briefs, which are read with the same library.

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
"""Words of a quotation that a sentence rests on; fewer are a term."""


@dataclass(frozen=True, slots=True)
class ContraryAuthority:
    """A sentence of a draft, as it stands there without citations, and the words of authorities that stand
    against it, the strongest first; at least one."""

    sentence: Span
    proposition: str
    against: tuple[Sentence, ...]


def find_contrary_authority(
    snapshot: Snapshot, token: CancelToken, tell: Progress = lambda done, total: None
) -> Iterator[ContraryAuthority]:
    """Return what stands against each sentence that argues, in the order of the draft, in the library's
    words.

    What tells of a party's argument, of another court or of a view that is rejected is passed over, as what
    stands against its words may well agree with it, and so is what quotes, or tells what a court did. That an
    authority it cites was treated badly is said with the citation, not here. Raises ``Cancelled``.
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
    """Return whether a sentence states something itself, in its own words."""
    said = draft.prose(sentence)
    if reports_a_party(said) or reports_another_court(said) or states_what_is_rejected(said):
        return False
    if DISPOSES.search(said) is not None:
        return False
    paragraph = draft.paragraph_at(sentence.start)
    quotations = find_quotations(draft, paragraph) if paragraph is not None else []
    return not any(each.outer.overlaps(sentence) and each.words >= _FEWEST_QUOTED for each in quotations)
