"""What a review says of a whole brief, on the small library of conftest.py."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from lexls.export.missing_authorities import describe_ties, find_missing, states_plain_facts
from lexls.export.opposing_briefs import ComparedBrief, compare_briefs
from lexls.export.review import find_contrary_authority, review_brief
from lexls.reading.snapshot import Snapshot
from lexls.text.cancel import Cancelled, CancelToken

Brief = Callable[[str], Snapshot]
DEVIATES = "A carrier who leaves the agreed route without necessity answers for every loss that follows."
GUARDS = "A warehouse keeper must guard against damp and vermin, and bears the burden of showing that he did."
PELL, CARROW = "*Pell v Stark* [2009] ACA 31 at [2]", "*Carrow v Luff* [2014] ASC 12 at [3]"
TOKEN = CancelToken()


@pytest.fixture
def brief(read: Callable[..., Any]) -> Brief:
    """A snapshot of a draft with this text, the cursor nowhere in it."""
    return lambda text: read(f"{text}|").snapshot


def missing(snapshot: Snapshot) -> list[str]:
    return [each.authority.title for each in find_missing(snapshot, 10, TOKEN)]


def test_an_authority_that_a_sentence_calls_for_is_named_with_its_passage(brief: Brief) -> None:
    [found, *_] = find_missing(brief(f"# Argument\n\n{DEVIATES} {GUARDS} {PELL}.\n"), 10, TOKEN)
    assert found.authority.title == "Carrow v Luff"
    assert found.calls[0].words == DEVIATES
    assert found.calls[0].option.quote == DEVIATES
    assert found.calls[0].option.place == "[3]"
    assert found.ties.cites == 1  # Carrow cites Pell, which is cited
    assert describe_ties(found) == "cites 1 of the authorities that the draft cites"


def test_what_is_cited_anywhere_is_not_missing(brief: Brief) -> None:
    assert "Carrow v Luff" not in missing(brief(f"{DEVIATES}\n\nSo it is: {CARROW}.\n"))


@pytest.mark.parametrize(
    "text",
    [
        f"# Statement of Facts\n\n{DEVIATES}\n",
        f"# Statement of Facts\n\n## The voyage\n\n{DEVIATES}\n",
        f"# {DEVIATES}\n",
        "The wine was sold at noon by two clerks in the market hall.\n",
        "See the rule in that case here.\n",
        f"See, e.g., {PELL} ({DEVIATES.lower()[:-1]}).\n",
        "Starling on the Route Agreed, Loss, Necessity and Carriers § 9-1, at 489 (2d ed. 1994).\n",
        "",
    ],
)
def test_what_argues_nothing_calls_for_nothing(brief: Brief, text: str) -> None:
    assert missing(brief(text)) == []


WHO = (
    "The plaintiff",
    "The two parties",
    "Officer Hale",
    "Mr. Orrin",
    "She",
    "The vessel",
    "His younger brother",
)
WHEN = ("", "On 3 March 2019, ", "After supper, ", "Early in the winter of 2011, ")


@pytest.mark.parametrize("when", WHEN)
@pytest.mark.parametrize("who", WHO)
def test_plain_facts_call_for_no_authority(who: str, when: str) -> None:
    begins = when + (who if not when or who[:1] in "OM" else who[0].lower() + who[1:])
    for done in (
        "was arrested on a Tuesday",
        "drove along the quay to the mill in a grey van",
        "left Sallowmouth with a cargo of grain for the northern islands",
        "had bought four barges from Pell Line for 40,000 crowns",
        "signed the first draft of the charter at the office of the agent",
    ):
        assert states_plain_facts(f"{begins} {done}.")
        for argued in (
            "without probable cause",
            "and is entitled to damages",
            "and so broke the duty of a bailee",
            "because the notice was invalid",
            "and did not know of the danger",
            "which the court found unreasonable",
            "in breach of the lease",
        ):
            assert not states_plain_facts(f"{begins} {done} {argued}.")


@pytest.mark.parametrize(
    "argued",
    [
        DEVIATES,
        GUARDS,
        "Speech on matters of public concern is protected even from an employer.",
        "Deviation displaces the contract of carriage altogether.",
        "The defendant was under a duty to warn of the danger in the channel.",
        "A pilot who leaves the bridge answers for the grounding.",
        "The Fourth Circuit rejected an invitation to revisit that question.",
        "We have repeatedly emphasized that dependence on each other supports that inference.",
    ],
)
def test_what_argues_tells_no_plain_facts(argued: str) -> None:
    assert not states_plain_facts(argued)


def test_behind_the_facts_the_argument_begins_again(brief: Brief) -> None:
    text = f"# Facts\n\n## The voyage\n\nIt rained.\n\n# Argument\n\n{DEVIATES}\n"
    assert missing(brief(text)) == ["Carrow v Luff"]


def test_work_can_be_cancelled_and_tells_how_far_it_is(brief: Brief) -> None:
    told: list[tuple[str, int, int]] = []
    token = CancelToken()

    def tell(what: str, done: int, total: int) -> None:
        told.append((what, done, total))
        if what == "looking for contrary authority":
            token.cancel()

    with pytest.raises(Cancelled):
        review_brief(brief(f"{DEVIATES} {GUARDS}"), [], token, tell)
    assert ("searching for what is not cited", 2, 2) in told


def test_what_denies_a_sentence_is_contrary_and_what_it_says_is_not(brief: Brief) -> None:
    text = f"A licence to take seaweed from the shore is an easement. {DEVIATES}\n"
    [found] = find_contrary_authority(brief(text), TOKEN)
    assert found.proposition == "A licence to take seaweed from the shore is an easement."
    assert "is not an easement" in found.against[0].text


@pytest.mark.parametrize(
    "text",
    [
        "The claimant argues that a licence to take seaweed from the shore is an easement.",
        "The court rejected the argument that a licence to take seaweed from the shore is an easement.",
        'He wrote that "a licence to take seaweed from the shore is an easement".',
        "We reverse the finding that a licence to take seaweed from the shore is an easement.",
    ],
)
def test_what_states_no_law_is_contradicted_by_nothing(brief: Brief, text: str) -> None:
    assert list(find_contrary_authority(brief(text), TOKEN)) == []


def compare(brief: Brief, ours: str, theirs: str) -> ComparedBrief:
    draft = brief(ours)
    return compare_briefs(draft, replace(draft, draft=brief(theirs).draft), TOKEN)


def test_authorities_are_shared_by_what_they_are_and_not_by_how_they_are_cited(brief: Brief) -> None:
    compared = compare(
        brief,
        f"{DEVIATES} {CARROW}. {GUARDS} {PELL}.",
        f"{DEVIATES} *Carrow v Luff* (2014) 31 AldLR 5. Every gull is white. *Gull v Heron* [1987] ASC 3. "
        "A notice pinned to a post is no notice. "
        "*The Owners of the Grey Gull v Harbour Board* [2016] AHC 88.",
    )
    assert [each.name for each in compared.shared] == ["Carrow v Luff [2014] ASC 12"]
    assert [(each.name, each.authority is None) for each in compared.missing] == [
        ("Gull v Heron [1987] ASC 3", True),
        ("The Owners of the Grey Gull v Harbour Board [2016] AHC 88", False),
    ]
    assert compared.missing[1].theirs[0].text == "A notice pinned to a post is no notice."
    assert compared.only_ours == ("Pell v Stark [2009] ACA 31",)


@pytest.mark.parametrize(
    ("ours", "theirs", "difference"),
    [
        (
            f"{DEVIATES} {CARROW}.",
            f"We distinguish {CARROW}.",
            "the opponent departs from it (distinguished)",
        ),
        (f"But see {CARROW}.", f"{DEVIATES} {CARROW}.", ""),
        (f"{DEVIATES} {CARROW}.", f"{DEVIATES} {CARROW}.", ""),
        (
            f"{DEVIATES} {CARROW}.",
            "A carrier who leaves the agreed route without necessity does not answer for every loss that "
            f"follows. {CARROW}.",
            "it says the contrary of what the opponent cites it for",
        ),
    ],
)
def test_what_is_characterised_differently(brief: Brief, ours: str, theirs: str, difference: str) -> None:
    [shared] = compare(brief, ours, theirs).shared
    assert any(each.startswith(difference) for each in shared.differences) if difference else True
    assert bool(shared.differences) == bool(difference)
