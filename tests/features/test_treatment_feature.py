"""The sample library's citation graph: who overruled whom, in the library's answers, hover and hierarchy."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lexls.citations.grammar import Grammar
from lexls.features.find_support import CONTRARY, find_support
from lexls.features.hover import hover
from lexls.features.navigation import Call, find_graph_items, find_incoming, find_outgoing
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.reading.snapshot import DraftParser, Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS
from lexls.text.spans import Span
from lexls.wording.descriptions import describe_treatment

SAMPLE = Path(__file__).parents[2] / "examples"
FORMS = tuple(tomllib.loads((SAMPLE / "lexls.toml").read_text())["citations"]["forms"])
ORRIN, CARROW, TERN = "(1968) 1 AldLR 301", "[2014] ASC 12", "[2009] ACA 31"
Read = Callable[[str], Snapshot]


@pytest.fixture(scope="module")
def sample(sample_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    settings = Settings(jurisdiction="Aldmoor", embeddings_model="", citations_forms=FORMS)
    index = Path(shutil.copy(sample_index, tmp_path_factory.mktemp("index")))
    library, _ = open_library([SAMPLE / "library"], index, settings, lexical_only=True)
    yield library
    library.close()


@pytest.fixture(scope="module")
def snapshot(sample: Library) -> Read:
    parser = DraftParser(Grammar.load(FORMS), "Aldmoor")

    def snapshot(source: str) -> Snapshot:
        draft = parser.parse("file:///draft.md", source, FORMATS["markdown"])
        return Snapshot(draft, sample, Searcher(sample), Settings(jurisdiction="Aldmoor"))

    return snapshot


def only(library: Library, key: str) -> int:
    (found,) = library.catalogue.find_key(key)
    return found


def test_the_overruled_chain_of_the_sample_is_found_exactly(sample: Library) -> None:
    found = sample.graph.find_treatments(only(sample, ORRIN))
    assert [describe_treatment(sample, each) for each in found] == [
        "overruled in Carrow Shipping Ltd v Meridian Grain Traders Ltd [2014] ASC 12 at [23]",
        "doubted in Thornbury Textiles Ltd v Gannet Shipping Co Ltd (1987) 4 AldLR 212 at [17]",
        "distinguished in Lathe & Sons v Owners of the Silver Tern [2009] ACA 31 at [22]",
        "considered by Thornbury Textiles Ltd v Gannet Shipping Co Ltd (1987) 4 AldLR 212, "
        "as said in Carrow Shipping Ltd v Meridian Grain Traders Ltd [2014] ASC 12 at [11]",
    ]
    assert [each.treating == each.citing for each in found] == [True, True, True, False]


def test_nothing_else_in_the_sample_is_treated_badly(sample: Library) -> None:
    worst = {each.id: sample.graph.find_worst_treatment(each.id) for each in sample.catalogue.all()}
    bad = {number: found.treatment for number, found in worst.items() if found is not None}
    assert bad == {only(sample, ORRIN): "overruled"}


def test_find_support_offers_good_law_first_and_warns_of_what_is_not(snapshot: Read) -> None:
    source = "An unjustified deviation does not deprive the carrier of a limit of liability.\n"
    options = find_support(snapshot(source), Span(5, 5), 8, CancelToken())
    titles = [option.hit.authority.title for option in options]
    overruled = next(option for option in options if option.hit.authority.title.startswith("Orrin Grain"))
    assert titles.index(overruled.hit.authority.title) > titles.index(
        "Carrow Shipping Ltd v Meridian Grain Traders Ltd"
    )
    assert overruled.warning == (
        f"{CONTRARY}; overruled in Carrow Shipping Ltd v Meridian Grain Traders Ltd [2014] ASC 12 at [23]"
    )
    # The sentence of Thornbury reports what Orrin Grain held.
    others = {each.hit.authority.title.split()[0]: each.warning for each in options if each is not overruled}
    assert {title: warning for title, warning in others.items() if warning} == {"Thornbury": CONTRARY}


def test_a_hover_tells_the_treatment_and_what_a_case_is_cited_for(snapshot: Read) -> None:
    draft = snapshot(f"The old rule was in *Orrin Grain Co v Pell Line Ltd* {ORRIN}.")
    shown = hover(draft, draft.draft.source.index("1968"), CancelToken())
    assert shown is not None
    assert (
        "**Overruled in Carrow Shipping Ltd v Meridian Grain Traders Ltd [2014] ASC 12 at [23]**"
        in shown.markdown
    )
    assert "**Doubted in Thornbury" in shown.markdown
    assert "Distinguished in 1, considered in 1 document of your library." in shown.markdown
    assert "Most cited at page 303, by 2 documents:" in shown.markdown
    page = draft.library.graph.find_most_quoted(only(draft.library, ORRIN))
    assert page is not None
    quoted = draft.library.contents.text(page.document)[page.start : page.end]
    assert " ".join(quoted.split()[:5]) in shown.markdown


def test_with_a_pinpoint_a_hover_shows_that_place_instead(snapshot: Read) -> None:
    draft = snapshot(f"*Carrow Shipping Ltd v Meridian Grain Traders Ltd* {CARROW} at [23].")
    shown = hover(draft, draft.draft.source.index("2014"), CancelToken())
    assert shown is not None
    assert "should be overruled" in shown.markdown
    assert "Most cited" not in shown.markdown


def names(calls: list[Call]) -> list[tuple[str, str, int]]:
    return [(call.item.name.split()[0], call.treatment, len(call.places)) for call in calls]


def test_who_cites_an_authority_comes_in_with_treatment_and_places(sample: Library, snapshot: Read) -> None:
    draft = snapshot(f"See *Orrin Grain* {ORRIN}.")
    (item,) = find_graph_items(draft, draft.draft.source.index("1968"), Path("/draft.md"))
    assert (item.name, item.detail, item.bad) == ("Orrin Grain Co v Pell Line Ltd", ORRIN, True)
    calls = find_incoming(sample, item.authority, CancelToken())
    assert [(name, treatment) for name, treatment, _ in names(calls)] == [
        ("Carrow", "overruled"),
        ("Thornbury", "doubted"),
        ("Lathe", "distinguished"),
        ("Greyling", "cited"),
        ("Marlowe", "cited"),
    ]
    assert calls[0].item.detail == "[2014] ASC 12 · overruled"
    for call in calls:
        assert call.places
        for place in call.places:
            said = place.text[place.start : place.end]
            assert "Orrin Grain" in said or ORRIN in " ".join(said.split())


def test_what_an_authority_cites_goes_out(sample: Library) -> None:
    calls = find_outgoing(sample, only(sample, CARROW), CancelToken())
    assert calls[0].item.name == "Orrin Grain Co v Pell Line Ltd"
    assert calls[0].treatment == "overruled"
    assert {"Thornbury", "Lathe", "Attorney"} <= {call.item.name.split()[0] for call in calls}
    carrow = sample.catalogue.get(only(sample, CARROW))
    assert carrow is not None
    assert {place.file for call in calls for place in call.places} == {carrow.path}


def test_an_open_authority_is_an_item_itself_and_so_is_its_readable_copy(
    sample: Library, snapshot: Read
) -> None:
    draft = snapshot("A sentence without any citation.")
    tern, orrin = sample.catalogue.get(only(sample, TERN)), sample.catalogue.get(only(sample, ORRIN))
    assert tern is not None
    assert orrin is not None
    assert [each.authority for each in find_graph_items(draft, 3, tern.path)] == [tern.id]
    copy = sample.locate(orrin.id, 0, 0)
    assert copy is not None
    assert copy.file != orrin.path
    assert [each.authority for each in find_graph_items(draft, 3, copy.file)] == [orrin.id]
    assert find_graph_items(draft, 3, Path("/elsewhere/draft.md")) == []


def test_american_sections_are_written_as_americans_do(snapshot: Read) -> None:
    draft = snapshot("See 42 U.S.C. § 1983 and more.")
    shown = hover(draft, draft.draft.source.index("1983"), CancelToken())
    assert shown is not None
    assert shown.markdown == "42 U.S.C. § 1983 is not in your library"
