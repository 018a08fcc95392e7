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
        f"Applied {PELL}.",
        f"{PELL}. Affirmed.",
        f"{PELL}. {DASK}. Affirmed.",
        f"The observations in {PELL} are considered relevant.",
        f"The observations in {PELL} were considered wholly sufficient.",
        f"In {PELL} this court quoted with approval what was said in the old case.",
    ],
)
def test_what_is_no_treatment(said, sentence: str) -> None:  # type: ignore[no-untyped-def]
    assert said(sentence) == set()


VERBS = {  # present, past and gerund of a verb that treats
    "overruled": ("overrules", "overruled", "overruling"),
    "distinguished": ("distinguishes", "distinguished", "distinguishing"),
    "disapproved": ("disapproves", "disapproved", "disapproving"),
    "applied": ("applies", "applied", "applying"),
    "followed": ("follows", "followed", "following"),
    "approved": ("approves", "approved", "approving"),
}


@pytest.mark.parametrize("kind", VERBS)
@pytest.mark.parametrize(
    "frame",
    [
        # grounds of appeal, and faults found with another's reasons
        "The primary judge erred by incorrectly {gerund} {pell}.",
        "Ground 2: the learned judge erred in law in {gerund} {pell}.",
        "The tribunal fell into error by {gerund} {pell}.",
        "The state court had unreasonably {past} {pell}.",
        "The Court of Appeal was wrong to say that {dask} {past} {pell}.",
        "Her Honour failed to consider whether she was right in {gerund} {pell}.",
        "The delegate misdirected herself in {gerund} {pell}.",
        "The officer {past} {pell} at the interview.",
        "Our colleagues conclude that the court {past} {pell}.",
        "The High Court ought to have {past} {pell}.",
        "The tribunal should have {past} the decision in {pell}.",
        "The Division Bench felt that {pell} was {past}.",
        "{gerund} {pell}, the learned counsel for the carrier would contend that it is met.",
        "The matter is referred to a larger bench for {gerund} {pell}.",
        # denied
        "I doubt that {dask} {past} {pell}.",
        "I do not read {dask} as {gerund} {pell}.",
        "We reject the suggestion that {dask} {past} {pell}.",
        "It is difficult to see that {dask} {past} {pell}.",
        "I am unpersuaded that {dask} {past} {pell}.",
        "The court rejected both grounds for {gerund} {pell}.",
        "That submission misreads {dask} as {gerund} {pell}.",
        # of another decision that is said in it
        "The court {past} this conclusion in {pell}.",
        "The court {past} the said policy in the case of {pell}.",
        "{gerund} the said decision a Division Bench of the court in {pell} made the order.",
        # a person
        "See {pell}.\n\nThe court {past} Justice Pell.",
    ],
)
def test_faults_denials_and_others_are_no_treatment(said, frame: str, kind: str) -> None:  # type: ignore[no-untyped-def]
    present, past, gerund = VERBS[kind]
    sentence = frame.format(present=present, past=past, gerund=gerund, pell=PELL, dask=DASK)
    assert said(sentence[0].upper() + sentence[1:]) == set()


@pytest.mark.parametrize("kind", VERBS)
@pytest.mark.parametrize(
    "frame",
    [
        "The judge erred; in {dask} the court {past} {pell}.",
        "The appeal was brought late, and in {dask} the court {past} {pell}.",
        "In {dask} the court {past} the decision of a Division Bench in {pell}.",
        "In {dask} the court, {gerund} {pell}, dismissed the appeal.",
        "It was an error, and this court in {dask} {past} {pell}.",
        "In {dask} the court, reviewing an arbitrator’s award, {past} {pell}.",
    ],
)
def test_a_fault_elsewhere_hides_no_treatment(said, frame: str, kind: str) -> None:  # type: ignore[no-untyped-def]
    _, past, gerund = VERBS[kind]
    found = said(frame.format(past=past, gerund=gerund, pell=PELL, dask=DASK))
    assert found == {(kind, "[1999] 1 WLR 30", "[2004] EWCA Civ 12", "")}


@pytest.mark.parametrize(
    "said_of",
    [
        "whether the principle in {pell} has a material role",
        "that the decision in {pell} assists the appellant",
        "whether {pell} applies here",
        "if {pell} is of any relevance",
        "whether the reasoning in {pell} reaches so far",
    ],
)
@pytest.mark.parametrize("opening", ["I doubt", "We question", "Lord Orme doubted"])
def test_doubt_whether_a_case_matters_is_no_doubt_of_it(said, opening: str, said_of: str) -> None:  # type: ignore[no-untyped-def]
    assert said(f"{opening} {said_of.format(pell=PELL)}.") == set()


def test_doubt_whether_a_case_was_rightly_decided_is(said) -> None:  # type: ignore[no-untyped-def]
    doubt = ("doubted", "[1999] 1 WLR 30")
    assert said(f"I doubt whether {PELL} was rightly decided.") == {(*doubt, "", "")}
    assert said(f"In {DASK} Lord Orme doubted whether {PELL} was rightly decided.") == {
        (*doubt, "[2004] EWCA Civ 12", "")
    }


@pytest.mark.parametrize(
    "sentence",
    [
        f"In the period following {PELL} the trade grew.",
        f"The landscape following {PELL} is another.",
        f"Following {PELL}, shippers write other clauses.",
        f"The court made the following observations in {PELL}.",
        f"The court made following observations in {PELL}.",
    ],
)
def test_what_comes_after_a_case_does_not_follow_it(said, sentence: str) -> None:  # type: ignore[no-untyped-def]
    assert said(sentence) == set()


@pytest.mark.parametrize(
    "sentence",
    [
        f"Following {PELL}, the court dismissed the claim.",
        f"12. Following the decision in {PELL}, we dismiss the appeal.",
        f"The court, following {PELL}, dismissed the claim.",
        f"It was held, following {PELL}, that the claim failed.",
        f"While following {PELL} the judge added that the rule is narrow.",
    ],
)
def test_a_court_follows(said, sentence: str) -> None:  # type: ignore[no-untyped-def]
    assert {(kind, key) for kind, key, _, _ in said(sentence)} == {("followed", "[1999] 1 WLR 30")}


LUFF = "Orme v Luff [1990] 1 WLR 7"


@pytest.mark.parametrize("first", [PELL, DASK])
@pytest.mark.parametrize(
    "listing",
    [
        "{0} applied {1} cited {2} distinguished",
        "{0} applied; {1} cited; {2} distinguished.",
        "{0}, applied. {1}, referred to. {2}, distinguished.",
        "{0} (applied); {1} (cited); {2} (distinguished)",
        "{0} applied\n{1} discussed\n{2} distinguished\n",
        "Cases cited:\n\n{0} – applied\n{1} – cited\n{2} – distinguished\n",
        "Applied: {0}\nCited: {1}\nDistinguished: {2}\n",
    ],
)
def test_a_list_says_its_verb_behind_or_before_each_case(said, listing: str, first: str) -> None:  # type: ignore[no-untyped-def]
    second = DASK if first is PELL else PELL
    keys = {PELL: "[1999] 1 WLR 30", DASK: "[2004] EWCA Civ 12"}
    assert said(listing.format(first, second, LUFF)) == {
        ("applied", keys[first], "", ""),
        ("distinguished", "[1990] 1 WLR 7", "", ""),
    }


@pytest.mark.parametrize("verb", ["overruled", "reversed", "affirmed", "not followed"])
def test_what_another_court_may_have_done_is_said_by_no_list(said, verb: str) -> None:  # type: ignore[no-untyped-def]
    assert said(f"{PELL} ({verb})") == set()
    assert said(f"{PELL} ({verb}); {DASK} (cited); {LUFF} ({verb})") == set()


def test_a_case_with_a_name_that_is_not_read_does_not_treat_its_neighbours_in_a_list(said) -> None:  # type: ignore[no-untyped-def]
    assert said(f"Ex parte the Board of Trade, unreported, applied {PELL} cited") == set()


def test_what_is_said_of_the_judgment_below_in_a_syllabus(said) -> None:  # type: ignore[no-untyped-def]
    for verb, kind in (("affirmed", "affirmed"), ("reversed and remanded", "reversed")):
        assert said(f"598 F. 3d 831, {verb}.", "US") == {(kind, "598 F.3d 831", "", "")}
    assert said("598 F. 3d 831, affirmed in part, reversed in part, and remanded.", "US") == set()


def test_the_next_string_of_citations_is_not_treated_as_the_first(said) -> None:  # type: ignore[no-untyped-def]
    other = "Orme v. Dask, 31 F.R.D. 191 (S.D.N.Y. 1962), aff'd, 324 F.2d 359 (2d Cir. 1963)"
    text = f"See {LUMEN}, rev'g {GROVE}; {other}."
    assert said(text, "US") == {
        ("reversed", "123 F.2d 456", "531 U.S. 98", ""),
        ("affirmed", "31 F.R.D. 191", "324 F.2d 359", ""),
    }


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
