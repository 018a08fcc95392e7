"""How a text treats what it cites: who treats what, and what does not count as treatment."""

from __future__ import annotations

import pytest

from lexls.citations.grammar import Grammar
from lexls.citations.treatment import ELSEWHERE, WORST_FIRST, find_treatments
from lexls.text.sentences import cut_sentences

Said = set[tuple[str, str, str, str]]
PELL = "Pell v Stark [1999] 1 WLR 30"
DASK = "Dask v Orme [2004] EWCA Civ 12"
GROVE, LUMEN = "Grove v. Lumen, 123 F.2d 456 (2d Cir. 1990)", "Lumen v. Grove, 531 U.S. 98 (2000)"


@pytest.fixture(scope="module")
def said() -> object:
    grammar = Grammar.load()

    def said(text: str, jurisdiction: str = "UK") -> Said:
        citations = grammar.find(text, jurisdiction)
        found = find_treatments(text, citations, cut_sentences(text, [each.span for each in citations]))
        assert all(each.sentence.start <= each.span.start < each.sentence.end for each in found)
        return {(each.kind, each.key, each.by, each.extent) for each in found}

    return said


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        (f"We overrule {PELL}.", "overruled"),
        (f"{PELL} is overruled.", "overruled"),
        (f"{PELL} must now be taken as overruled.", "overruled"),
        (f"{PELL} should be overruled.", "overruled"),
        (f"The decision in {PELL} does not lay down the correct law.", "disapproved"),
        (f"In our view {PELL} was wrongly decided.", "disapproved"),
        (f"The judgment in {PELL} was given per incuriam.", "disapproved"),
        (f"We decline to follow {PELL}.", "not followed"),
        (
            f"I would not be bound by it; I respectfully dissent from the view taken in {PELL}.",
            "not followed",
        ),
        (f"I doubt whether {PELL} was correctly decided.", "doubted"),
        (f"I would distinguish {PELL}.", "distinguished"),
        (f"{PELL} is plainly distinguishable.", "distinguished"),
        (f"We follow {PELL}.", "followed"),
        (f"We apply the test in {PELL}.", "applied"),
        (f"We approve {PELL}.", "approved"),
    ],
)
def test_what_the_document_itself_does(said, sentence: str, kind: str) -> None:  # type: ignore[no-untyped-def]
    assert said(sentence) == {(kind, "[1999] 1 WLR 30", "", "")}


@pytest.mark.parametrize(
    ("sentence", "kind", "extent"),
    [
        (f"{PELL} was overruled in {DASK}.", "overruled", ""),
        (f"{PELL} was overruled by the Court of Appeal in {DASK} at [30].", "overruled", ""),
        (f"In {DASK} the court overruled {PELL}.", "overruled", ""),
        (f"In {DASK}, overruling {PELL}, the court took another view.", "overruled", ""),
        (f"The rule laid down in {PELL} was partly overruled in {DASK}.", "overruled", "in part"),
        (f"{PELL} was disapproved in {DASK}.", "disapproved", ""),
        (f"{PELL}, which was not followed in {DASK}, concerned a barge.", "not followed", ""),
        (f"{DASK}, distinguishing {PELL}, concerned a lighter.", "distinguished", ""),
        (f"{PELL} was considered in {DASK}.", "considered", ""),
        (f"{PELL} (applied in {DASK}) concerned a barge.", "applied", ""),
        (f"{PELL} was cited with approval in {DASK}.", "approved", ""),
        (f"The correctness of {PELL} was doubted in {DASK}.", "doubted", ""),
    ],
)
def test_what_another_authority_did(said, sentence: str, kind: str, extent: str) -> None:  # type: ignore[no-untyped-def]
    assert said(sentence) == {(kind, "[1999] 1 WLR 30", "[2004] EWCA Civ 12", extent)}


def test_what_an_authority_did_that_is_not_named(said) -> None:  # type: ignore[no-untyped-def]
    assert said(f"{PELL} has since been overruled.") == {("overruled", "[1999] 1 WLR 30", ELSEWHERE, "")}
    assert said(f"{PELL} is no longer good law.") == {("overruled", "[1999] 1 WLR 30", ELSEWHERE, "")}


@pytest.mark.parametrize(
    ("history", "kind", "extent"),
    [
        (f"{GROVE}, rev'd, {LUMEN}.", "reversed", ""),
        (f"{GROVE}, rev’d on other grounds, {LUMEN}.", "reversed", "on other grounds"),
        (f"{GROVE}, aff'd in part, rev'd in part, {LUMEN}.", "reversed", "in part"),
        (f"{GROVE}, rev'd sub nom. {LUMEN}.", "reversed", ""),
        (f"{GROVE} (per curiam), vacated and remanded, {LUMEN}.", "vacated", ""),
        (f"{GROVE}, aff'd, {LUMEN}.", "affirmed", ""),
        (f"{GROVE}, abrogated by {LUMEN}.", "overruled", ""),
        (f"{GROVE}, overruled in part by {LUMEN}.", "overruled", "in part"),
        (f"{GROVE}, cert. denied, 499 U.S. 1 (1991), overruled by {LUMEN}.", "overruled", ""),
        (f"{LUMEN}, rev'g {GROVE}.", "reversed", ""),
        (f"{GROVE}; rev'd {LUMEN}.", "reversed", ""),
        (f"{GROVE}, vacated {LUMEN}.", "vacated", ""),
        (f"{LUMEN}, expressly disapproved {GROVE} on this point.", "disapproved", ""),
    ],
)
def test_histories_treat_the_earlier_by_the_later(said, history: str, kind: str, extent: str) -> None:  # type: ignore[no-untyped-def]
    assert said(f"See {history}", "US") == {(kind, "123 F.2d 456", "531 U.S. 98", extent)}


def test_a_reversal_that_was_itself_reversed_warns_of_nothing_before_it(said) -> None:  # type: ignore[no-untyped-def]
    chain = (
        "Orme v. Dask, 31 F.R.D. 191 (S.D.N.Y. 1962), rev'd, 324 F.2d 359 (2d Cir. 1963), "
        "rev'd, 379 U.S. 227 (1964)."
    )
    assert said(chain, "US") == {("reversed", "324 F.2d 359", "379 U.S. 227", "")}


def test_a_statute_supersedes(said) -> None:  # type: ignore[no-untyped-def]
    found = said(f"{GROVE}, superseded by statute, 42 U.S.C. § 1983.", "US")
    assert [(kind, key) for kind, key, _, _ in found] == [("superseded", "123 F.2d 456")]


@pytest.mark.parametrize(
    "sentence",
    [
        f"We do not overrule {PELL}.",
        f"{DASK} does not overrule {PELL}.",
        f"It cannot be said that {PELL} has been overruled.",
        f"{PELL} has never been doubted.",
        f"We are not asked to overrule {PELL}.",
        f"We are asked to overrule {PELL}.",
        f"Counsel submitted that {PELL} was wrongly decided.",
        f"The appellant's case is that {PELL} was overruled in {DASK}.",
        f"If {PELL} were overruled the claim would succeed.",
        f"The question is whether {PELL} was wrongly decided.",
        f"Should {PELL} be overruled?",
        f"{PELL} may one day be overruled.",
        f"The objection was overruled. See {PELL}.",
        f"The magistrate overruled the objection in {PELL}.",
        f"The demurrer in {PELL} was overruled.",
        f"As in {PELL}, the order was reversed.",
        f"The guidelines laid down in the case of {PELL} were not followed.",
        f"In the years following {PELL} the trade grew.",
        f"The often doubted decision in {PELL} says so.",
        f"{PELL} held that the earlier rule was overruled.",
        f"Affirming the ratio of this decision the court in {PELL} said more.",
        f"The importance of applying the rule was noticed by the court in {PELL}.",
        f"It cannot possibly be held that the judgment of the Court of Appeal in {PELL} stood approved.",
        f"The defence is to be considered a plea, as in {PELL}.",
        f"In light of that, should this court overrule {PELL}, to the extent it so ruled[?]",
        f"We reheard the case to reconsider our opinion overruling {PELL}.",
        f"{PELL} is one that a court predicts will be overruled.",
        f"We reversed and rendered the judgment in {PELL}, since there was no evidence.",
        f"After we vacated the previous order in {PELL} the claimants came again.",
        "See Applied Genetics v Orme [1999] 1 WLR 30.",
        f"Having overruled the submission, the judge turned to {PELL}.",
    ],
)
def test_what_is_no_treatment(said, sentence: str) -> None:  # type: ignore[no-untyped-def]
    assert said(sentence) == set()


def test_the_other_citation_of_a_sentence_is_not_treated(said) -> None:  # type: ignore[no-untyped-def]
    found = said(f"{DASK} concerned a lighter, but {PELL} is overruled.")
    assert {key for _, key, _, _ in found} == {"[1999] 1 WLR 30"}


def test_parallel_citations_are_treated_together(said) -> None:  # type: ignore[no-untyped-def]
    text = "The view in Pell v. Orme, AIR 1976 SC 490 : (1976) 2 SCC 310 is overruled."
    assert {key for _, key, _, _ in said(text, "IN")} == {"AIR 1976 SC 490", "(1976) 2 SCC 310"}


def test_several_are_overruled_at_once(said) -> None:  # type: ignore[no-untyped-def]
    found = said(f"{PELL} and Orme v Luff [1990] 1 WLR 7 are overruled.")
    assert {(kind, key) for kind, key, _, _ in found} == {
        ("overruled", "[1999] 1 WLR 30"),
        ("overruled", "[1990] 1 WLR 7"),
    }


def test_a_case_is_known_by_its_short_name_once_it_was_cited(said) -> None:  # type: ignore[no-untyped-def]
    text = f"The claimant relied on {PELL}.\n\nThat case was about barges.\n\nI would overrule Pell."
    assert said(text) == {("overruled", "[1999] 1 WLR 30", "", "")}
    assert said(f"I would overrule Pell.\n\nSee {PELL}.") == set()
    assert (
        said(f"See {PELL}.\n\nThe tide reversed Pell's course and the court vacated Pell’s sentence.")
        == set()
    )


@pytest.mark.parametrize("heading", ["## Dissent (Orme J)", "Orme J, dissenting."])
def test_a_dissent_treats_nothing(said, heading: str) -> None:  # type: ignore[no-untyped-def]
    assert said(f"The appeal fails.\n\n{heading}\n\nI would overrule {PELL}.") == set()


def test_an_earlier_case_cannot_overrule_a_later_one(said) -> None:  # type: ignore[no-untyped-def]
    assert said(f"In {PELL} the court overruled {DASK}.") == set()


def test_every_kind_has_its_place_in_the_order_from_worst() -> None:
    assert len(set(WORST_FIRST)) == len(WORST_FIRST)
    assert WORST_FIRST[0] == "overruled"


@pytest.mark.parametrize(
    "unit",
    [
        f"the decision in {PELL} and ",
        f"{PELL}, overruled by ",
        "the decision of the ",
        "overruled the rule in the case of the view of ",
        "was held to be taken to be regarded as overruled ",
        "(overruled (",
        f"{PELL} which has since been expressly also ",
    ],
)
def test_hostile_text_is_read_in_bounded_steps(said, unit: str) -> None:  # type: ignore[no-untyped-def]
    said(f"{PELL} is overruled. " + unit * (100_000 // len(unit)))
