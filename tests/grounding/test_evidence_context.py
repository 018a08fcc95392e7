import pytest

from lexls.citations.model import Pinpoint, PinpointKind
from lexls.grounding.context import gather_evidence, gather_from_authority
from lexls.grounding.evidence import Evidence
from lexls.grounding.relevant_passages import find_relevant_passages
from lexls.index.library import Library
from lexls.index.records import Authority, Place
from lexls.index.tokens import Tokenizer
from lexls.retrieval.model import Filters, Hit
from lexls.retrieval.search import Searcher
from lexls.text.cancel import Cancelled, CancelToken
from lexls.text.spans import Span
from lexls.wording.prose import complete_sentences

ROOM = 20_000
NOTICE = "Notice of moving a vessel must be given in writing to her owner."


def authority(library: Library, name: str) -> Authority:
    return next(each for each in library.catalogue.all() if each.relative == name)


def passages(library: Library, name: str) -> dict[str, Hit]:
    """Hits of an authority's passages, by their labels."""
    found = authority(library, name)
    return {
        each.paragraph: Hit(1, found, each, 1.0, None, None)
        for each in library.contents.passages(found.id)
        if each.paragraph
    }


def place(library: Library, name: str, label: str) -> list[Place]:
    kind: PinpointKind = "section" if name == "moorings.md" else "paragraph"
    return library.contents.find_places(authority(library, name).id, Pinpoint(kind, (label,), Span(0, 0)))


def check(library: Library, found: tuple[Evidence, ...]) -> None:
    """What must hold of any evidence."""
    assert [each.identifier for each in found] == [f"P{number}" for number in range(1, len(found) + 1)]
    for each in found:
        assert each.text == library.contents.text(each.authority.id)[each.start : each.end]
        assert each.start <= each.core[0] < each.core[1] <= each.end
        assert each.segments[0].start == each.start
        assert [s.start for s in each.segments] == sorted({s.start for s in each.segments})
        assert each.segments[-1].start < each.end


def label_of(found: tuple[Evidence, ...], words: str) -> str:
    """The paragraph that a pin on these words names."""
    for each in found:
        at = each.text.find(words)
        if at >= 0:
            return each.pin(each.start + at, each.start + at + len(words)).label
    raise AssertionError(f"{words!r} is in no evidence")


def test_support_alone_is_the_passages_in_their_order(harbour_library: Library) -> None:
    own = passages(harbour_library, "harbour.md")
    hits = [own["6"], passages(harbour_library, "tithe.txt")["2"], own["4"]]
    found = gather_evidence(harbour_library, hits, "support", ROOM, 6)
    check(harbour_library, found)
    assert [each.segments[-1].label for each in found] == ["6", "2", "4"]
    assert "refloating" in found[0].text
    assert "fairway" not in found[0].text


def test_no_more_passages_are_taken_than_are_wanted(harbour_library: Library) -> None:
    own = passages(harbour_library, "harbour.md")
    assert len(gather_evidence(harbour_library, [own["1"], own["4"], own["6"]], "support", ROOM, 2)) == 2


def test_neighbours_stop_at_a_heading(harbour_library: Library) -> None:
    found = gather_evidence(
        harbour_library, [passages(harbour_library, "harbour.md")["4"]], "neighbours", ROOM, 6
    )
    check(harbour_library, found)
    assert "[3] Notice of moving" in found[0].text
    assert "[5] The board argued" in found[0].text
    assert "refloating" not in found[0].text
    assert "mud bank" not in found[0].text
    core = harbour_library.contents.text(found[0].authority.id)[found[0].core[0] : found[0].core[1]]
    assert core.startswith("[4] Where a vessel endangers")
    assert "[5]" not in core


def test_full_is_the_whole_document_where_it_fits_and_its_section_where_not(
    harbour_library: Library,
) -> None:
    hits = [passages(harbour_library, "harbour.md")["4"]]
    whole = gather_evidence(harbour_library, hits, "full", ROOM, 6)[0]
    assert (whole.start, whole.end) == (0, len(harbour_library.contents.text(whole.authority.id)))
    part = gather_evidence(harbour_library, hits, "full", len(whole.text) - 200, 6)[0]
    assert "## Notice" in part.text
    assert "mud bank" not in part.text


@pytest.mark.parametrize("room", [60, 150, 400, 700, 1200])
@pytest.mark.parametrize("width", ["support", "neighbours", "section", "full"])
def test_there_is_never_more_than_there_is_room_for(harbour_library: Library, room: int, width: str) -> None:
    own = passages(harbour_library, "harbour.md")
    hits = [own["3"], own["4"], passages(harbour_library, "bridge.md")["2"], own["1"]]
    found = gather_evidence(harbour_library, hits, width, room, 6)  # type: ignore[arg-type]
    check(harbour_library, found)
    assert 0 < sum(len(each.text) for each in found) <= room


def test_passages_have_their_room_before_surroundings(harbour_library: Library) -> None:
    own = passages(harbour_library, "harbour.md")
    hits = [own["4"], passages(harbour_library, "tithe.txt")["1"]]
    room = sum(len(hit.passage.text) for hit in hits) + 40
    found = gather_evidence(harbour_library, hits, "section", room, 6)
    assert [each.authority.relative for each in found] == ["harbour.md", "tithe.txt"]


def test_what_touches_is_one_piece_with_the_best_passage_as_its_core(harbour_library: Library) -> None:
    own = passages(harbour_library, "harbour.md")
    found = gather_evidence(harbour_library, [own["5"], own["4"]], "support", ROOM, 6)
    check(harbour_library, found)
    assert len(found) == 1
    assert found[0].core == (own["5"].passage.start, own["5"].passage.end)


def test_a_pin_anywhere_has_the_paragraph_it_stands_in(harbour_library: Library) -> None:
    found = gather_evidence(harbour_library, [passages(harbour_library, "harbour.md")["4"]], "full", ROOM, 6)
    for label, words in {
        "1": "Nobody told him of it.",
        "3": "The board shall not move a vessel",
        "4": "must give notice afterwards",
        "6": "reasonable steps",
    }.items():
        assert label_of(found, words) == label


def test_a_sentence_cut_by_the_end_of_a_passage_is_made_whole() -> None:
    text = "The first rule is old. A board that moves a vessel must tell her owner at once. It is simple."
    cut = Span(text.index("moves"), text.index("her owner"))
    assert (
        complete_sentences(text, cut).of(text) == "A board that moves a vessel must tell her owner at once."
    )
    kept = Span(text.index("A board"), text.index(" It is"))
    assert complete_sentences(text, kept) == kept


def test_a_pinpoint_comes_first_and_its_text_is_marked(harbour_library: Library) -> None:
    found = gather_from_authority(
        harbour_library,
        authority(harbour_library, "harbour.md"),
        NOTICE,
        Tokenizer().tokenize,
        "support",
        ROOM,
        places=place(harbour_library, "harbour.md", "6"),
    )
    check(harbour_library, found)
    assert "refloating" in found[0].text
    marked = [each.text[s.start - each.start :][:3] for each in found for s in each.segments if s.at_pinpoint]
    assert marked == ["[6]"]
    there = place(harbour_library, "harbour.md", "6")[0]
    assert found[0].core == (there.start, there.end)
    assert any("given in writing to her owner" in each.text for each in found)


def test_a_pinpoint_that_is_too_long_gives_what_bears(harbour_library: Library) -> None:
    owner = authority(harbour_library, "harbour.md")
    text = harbour_library.contents.text(owner.id)
    everything = Place(owner.id, 0, len(text), "1", 1, text)
    found = gather_from_authority(
        harbour_library,
        owner,
        "Whoever endangers the fairway is moved at once.",
        Tokenizer().tokenize,
        "support",
        400,
        places=[everything],
    )
    check(harbour_library, found)
    assert "endangers the fairway" in found[0].text
    assert sum(len(each.text) for each in found) <= 400


def test_the_sentences_that_cite_it_for_the_same_follow(harbour_library: Library, token: CancelToken) -> None:
    searcher = Searcher(harbour_library)
    cited = searcher.find_cited_for(NOTICE, Filters(), token)
    owner = authority(harbour_library, "harbour.md")
    assert owner.id in cited
    hits = [passages(harbour_library, "harbour.md")["3"]]
    found = gather_evidence(harbour_library, hits, "full", ROOM, 6, cited=cited)
    check(harbour_library, found)
    assert [each.authority.relative for each in found] == ["harbour.md", "bridge.md"]
    assert "given in writing to her owner" in found[1].text
    assert label_of(found[1:], "given in writing to her owner") == "2"
    narrow = gather_evidence(harbour_library, hits, "section", ROOM, 6, cited=cited)
    assert [each.authority.relative for each in narrow] == ["harbour.md"]


def test_several_passages_of_one_authority_are_found(harbour_library: Library, token: CancelToken) -> None:
    hits = find_relevant_passages(
        Searcher(harbour_library), "When must notice be given of moving a vessel?", 5, Filters(), token
    )
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    of_harbour = [hit for hit in hits if hit.authority.relative == "harbour.md"]
    assert {"3", "4"} <= {hit.passage.paragraph for hit in of_harbour}
    assert len(of_harbour) <= 3
    assert len({hit.passage.id for hit in hits}) == len(hits)


def test_documents_that_are_left_out_are_not_found(harbour_library: Library, token: CancelToken) -> None:
    left_out = authority(harbour_library, "harbour.md")
    filters = Filters(excluded=(left_out.path,))
    hits = find_relevant_passages(Searcher(harbour_library), NOTICE, 6, filters, token)
    assert hits
    assert all(hit.authority.id != left_out.id for hit in hits)


def test_an_unknown_width_is_refused(harbour_library: Library) -> None:
    with pytest.raises(ValueError, match="unknown width 'wide'"):
        gather_evidence(harbour_library, [], "wide", ROOM, 6)  # type: ignore[arg-type]


def test_gathering_hears_that_it_is_cancelled(harbour_library: Library) -> None:
    token = CancelToken()
    token.cancel()
    hits = [passages(harbour_library, "harbour.md")["3"]]
    with pytest.raises(Cancelled):
        gather_evidence(harbour_library, hits, "support", ROOM, 6, token=token)


@pytest.fixture
def token() -> CancelToken:
    return CancelToken()


def test_nothing_found_is_no_evidence(harbour_library: Library) -> None:
    assert gather_evidence(harbour_library, [], "full", ROOM, 6) == ()
