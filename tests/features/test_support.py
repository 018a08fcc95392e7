"""Whether the library's text of an authority bears out the sentence that cites it."""

from __future__ import annotations

import pytest

from lexls.assessing.rules.engine import FoundBefore, check, check_late
from lexls.assessing.support import Support, judge_support
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.propositions import find_cited_part
from lexls.reading.resolve import resolve
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.formats import FORMATS

CARROW = "*Carrow v Luff* [2014] ASC 12"
PELL = "*Pell v Stark* [2009] ACA 31"
THORNBY = "*Thornby Estates Ltd v Registrar of Tides* (1987) 4 AldLR 212"


@pytest.fixture
def judge(read, token):
    def judge(draft: str) -> Support:
        snapshot = read(draft).snapshot
        citation = snapshot.draft.citations[-1]
        return judge_support(snapshot, resolve(snapshot.library, snapshot.draft, citation), token)

    return judge


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        (
            f"A carrier who leaves the agreed route without necessity answers for every loss: {CARROW}.",
            "supported",
        ),
        (
            f"Necessity of a departure from the route is not judged with hindsight: {CARROW} at [4].",
            "supported",
        ),
        (f"The owner of a lighthouse may charge foreign vessels double dues: {CARROW}.", "not-found"),
        (f"{CARROW}.", "not-judged"),
        (f"A carrier who leaves the route answers for every loss. But see {CARROW}.", "not-judged"),
    ],
)
def test_a_sentence_is_held_against_what_it_cites(judge, draft: str, verdict: str) -> None:
    assert judge(draft).verdict == verdict


@pytest.mark.parametrize(
    "draft",
    [
        f"A carrier who leaves the agreed route without necessity does not answer for loss: {CARROW}.",
        f"A warehouse keeper need not guard against damp and vermin: {PELL}.",
    ],
)
def test_what_is_turned_is_not_supported(judge, draft: str) -> None:
    assert judge(draft).verdict in ("weakly", "contradicted")


@pytest.mark.parametrize(
    ("draft", "words"),
    [
        (
            f"A carrier answers for every loss, {CARROW}, and a keeper must guard against vermin, {PELL}.",
            "and a keeper must guard against vermin",
        ),
        (
            f"Wool is perishable. {CARROW}; {PELL} (holding that a keeper must guard against damp).",
            "a keeper must guard against damp",
        ),
        (
            f"A keeper must guard against damp and vermin. {CARROW}; {PELL}.",
            "A keeper must guard against damp and vermin.",
        ),
        (
            f"In {PELL}, the court held that a keeper must guard against damp.",
            "the court held that a keeper must guard against damp.",
        ),
    ],
)
def test_each_citation_has_its_own_part(read, draft: str, words: str) -> None:
    snapshot = read(draft).snapshot
    part = find_cited_part(snapshot.draft, snapshot.draft.citations[-1])
    assert part is not None
    assert part.text == words


TURNED = f"A carrier who leaves the agreed route without necessity does not answer for every loss: {CARROW}."


def test_a_contradiction_is_reported_when_there_was_time_to_look(read, token) -> None:
    snapshot = read(f"{TURNED}\n\nNecessity is judged at the time of the departure: {CARROW}.").snapshot
    late = FoundBefore()
    assert not [each for each in check(snapshot, token, late=late) if each.code.startswith("support")]
    assert check_late(snapshot, token, late)
    assert not check_late(snapshot, token, late)
    (found,) = [each for each in check(snapshot, token, late=late) if each.code.startswith("support")]
    assert found.code == "support-contradicted"
    assert found.span.of(snapshot.draft.source) == "[2014] ASC 12"
    assert "answers for every loss" in found.message
    (related,) = found.related
    assert related.authority is not None
    text = snapshot.library.contents.text(related.authority)
    assert "A carrier who leaves the agreed route" in related.span.of(text)


def test_what_the_authority_does_not_speak_of_is_reported_where_asked_for(read, token) -> None:
    draft = f"The owner of a lighthouse may charge foreign vessels double dues: {CARROW}."
    for severity, codes in (("hint", ["support-not-found"]), ("off", [])):
        snapshot = read(draft, severities={"support-not-found": severity}).snapshot
        late = FoundBefore()
        check_late(snapshot, token, late)
        found = check(snapshot, token, late=late)
        assert [each.code for each in found if each.code.startswith("support")] == codes


def test_a_case_on_another_topic_than_others_that_fit_is_reported(tmp_path, grammar, token) -> None:
    dues = "The owner of a lighthouse may charge foreign vessels double dues for the season"
    for number in range(1, 7):
        said = (
            f"{dues}, but no more than the tariff of harbour {number} allows."
            if number > 1
            else "Wool is wet."
        )
        (tmp_path / f"{number}.md").write_text(
            f'---\ntitle: Pell v Stark {number}\ncitation: "[20{number + 10}] UKSC {number}"\nkind: case\n'
            f"jurisdiction: UK\n---\n\n[1] {said}\n"
        )
    settings = Settings(embeddings_model="", jurisdiction="UK")
    library, _ = open_library([tmp_path], tmp_path / "index.sqlite3", settings, lexical_only=True)
    parser = DraftParser(grammar, "UK")

    def list_codes(draft: str) -> list[str]:
        parsed = parser.parse("file:///draft.md", draft, FORMATS["markdown"])
        snapshot = Snapshot(parsed, library, Searcher(library), settings)
        late = FoundBefore()
        check_late(snapshot, token, late)
        found = check(snapshot, token, late=late)
        return [each.code for each in found if each.code.startswith("support")]

    assert list_codes(f"{dues}: Pell v Stark 1 [2011] UKSC 1.") == ["support-elsewhere"]
    assert list_codes(f"{dues}: Pell v Stark 3 [2013] UKSC 3.") == []
    assert list_codes("Dues are doubled: Pell v Stark 1 [2011] UKSC 1.") == []
    library.close()


@pytest.mark.parametrize(
    "draft",
    [
        f"{CARROW} at [4] (citations and quotation marks omitted).",
        f"The same conclusion was reached in {CARROW}.",
        f"It was pointed out long ago by this Court in Registrar, {CARROW}.",
        f"See Master of Wharves and the Board of Tides for Aldmoor, {CARROW}.",
    ],
)
def test_where_nothing_is_claimed_nothing_is_judged(judge, draft: str) -> None:
    assert judge(draft).verdict == "not-judged"


@pytest.mark.parametrize(
    "draft",
    [
        f"The plaintiff argues that a carrier who leaves the route does not answer for every loss: {CARROW}.",
        f"A carrier who leaves the agreed route does not answer for every loss. Contra {CARROW}.",
        f"Unlike in {CARROW}, a carrier who leaves the agreed route does not answer for every loss.",
        f"“A carrier who leaves the agreed route does not answer for every loss”: {CARROW}.",
    ],
)
def test_what_is_not_cited_in_support_is_not_judged(judge, draft: str) -> None:
    assert judge(draft).verdict == "not-judged"


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        (f"Necessity is judged with hindsight and not at the time of the departure: {CARROW}.", "weakly"),
        (
            f"Every carrier who departs from the route out of necessity answers for each loss: {CARROW}.",
            "weakly",
        ),
        (f"{CARROW} (holding that a carrier answers for every loss).", "supported"),
        (
            f"A warehouse keeper bears the burden of showing that he guarded against damp: {PELL}.",
            "supported",
        ),
        (f"A warehouse keeper may guard against damp and vermin: {PELL}.", "weakly"),
    ],
)
def test_what_turns_or_limits_a_holding_counts(judge, draft: str, verdict: str) -> None:
    assert judge(draft).verdict == verdict


@pytest.mark.parametrize(
    "draft",
    [
        f"A licence to take seaweed is not an easement. {THORNBY}.",
        f"The court held that the registrar has no power to extend a licence after its term: {THORNBY}.",
        f"It is no defence that the weather was fair, or the cargo might have been lost: {CARROW}.",
        f"The court found that necessity is judged at that time and not with hindsight: {CARROW}.",
    ],
)
def test_what_the_authority_says_itself_is_never_its_contrary(judge, draft: str) -> None:
    assert judge(draft).verdict == "supported"
