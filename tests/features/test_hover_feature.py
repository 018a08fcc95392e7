import pytest

from lexls.features.hover import hover
from lexls.grounding.answer import Answer, Sentence
from lexls.grounding.evidence import Pin
from lexls.wording.descriptions import describe_citing


def check(marked, token, *expected: str, absent: tuple[str, ...] = ()) -> str:  # type: ignore[no-untyped-def]
    found = hover(marked.snapshot, marked.start, token)
    assert found is not None, "no hover"
    assert found.span.touches(marked.start)
    for part in expected:
        assert part in found.markdown
    for part in absent:
        assert part not in found.markdown
    return found.markdown


def quiet(marked, token) -> None:  # type: ignore[no-untyped-def]
    assert hover(marked.snapshot, marked.start, token) is None


def test_a_citation_shows_the_authority_and_the_words_of_its_pinpoint(read, token) -> None:
    check(
        read("So it is: *Carrow v Luff* [2014] A|SC 12 at [4]."),
        token,
        "**Carrow v Luff**",
        "Supreme Court of Aldmoor · 9 March 2014",
        "[2014] ASC 12; (2014) 31 AldLR 5",
        "Necessity is judged at the time of the departure",
        "Cited by 1 document of your library.",
        absent=("It is no defence",),
    )


def test_the_passage_stands_first_and_what_the_authority_is_in_one_line_below(read, token) -> None:
    found = hover(*_at(read("So it is: *Carrow v Luff* [2014] A|SC 12 at [4].")), token)
    assert found is not None
    place, passage, metadata, verdict, *_ = found.markdown.split("\n\n")
    assert place.startswith("[4]")
    assert passage.startswith("> Necessity")
    assert metadata == (
        "**Carrow v Luff** · [2014] ASC 12; (2014) 31 AldLR 5 · Supreme Court of Aldmoor · 9 March 2014 · "
        "Cited by 1 document of your library."
    )
    assert verdict.startswith("_Verified")


def test_who_cites_an_authority_is_told_as_far_as_the_library_has_been_read() -> None:
    assert describe_citing(0, complete=True) == "Not cited elsewhere in your library."
    assert (
        describe_citing(0, complete=False)
        == "Not cited elsewhere in your library as far as it has been read."
    )
    assert (
        describe_citing(2, complete=False)
        == "Cited by 2 documents of your library as far as it has been read."
    )


def test_what_is_not_certain_of_an_authority_names_its_source(read, token) -> None:
    check(
        read("So it is: *Pell v Stark* [2009] A|CA 31 at [2]."),
        token,
        "Court of Appeal of Aldmoor · CV-2008-000417 · 14 May 2009",
        "_Read title, citation, court, date, docket from its head._",
    )
    check(read("So it is: *Carrow v Luff* [2014] A|SC 12 at [4]."), token, absent=("from its head",))


@pytest.mark.parametrize(
    ("draft", "first"),
    [
        ("*Carrow v Luff* [2014] |1 WLR 33.", "_Identified by name, not by citation: "),
        ("*Carrow v Luff* [2014] |ASC 12 at [52].", "_Wrong: "),
        ("|*Ibid* at [3].", "_Not checkable: a short form with no antecedent._"),
    ],
)
def test_what_is_doubtful_is_said_first(read, token, draft: str, first: str) -> None:
    marked = read(draft)
    shown = hover(marked.snapshot, marked.start, token)
    assert shown is not None
    assert shown.markdown.startswith(first)


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        (
            "*Carrow v Luff* [2014] |ASC 12 at [3].",
            "_Verified: name, citation and [3] agree with the library._",
        ),
        (
            "*Carrow v Luff* [2014] |ASC 12, [2014] ALJ 8.",
            "_Verified: name and citation agree with the library._",
        ),
        (
            "*Gannet v Petrel* [2014] |ASC 12.",
            "_Wrong: [2014] ASC 12 is Carrow v Luff, not Gannet v Petrel._",
        ),
        (
            "*Gannet v Petrel* [2014] ASC 12. *|Ibid* at [3].",
            "_Wrong: [2014] ASC 12 is Carrow v Luff, not Gannet v Petrel._",
        ),
        (
            "(2014) |31 AldLR 5, 9.",
            "_Partly verified: citation agrees with the library; page 9 not compared "
            "(the file has no page numbers)._",
        ),
    ],
)
def test_a_citation_shows_what_of_it_was_compared(read, token, draft: str, verdict: str) -> None:
    marked = read(draft)
    shown = hover(marked.snapshot, marked.start, token)
    assert shown is not None
    assert verdict in shown.markdown


def test_a_range_shows_each_of_its_places(read, token) -> None:
    check(
        read("So it is: *Carrow v Luff* [2014] A|SC 12 at [3]–[4]."),
        token,
        "It is no defence",
        "Necessity is judged",
    )


def test_a_pinpoint_that_is_not_there_is_said_so(read, token) -> None:
    check(read("*Carrow v Luff* [2014] A|SC 12 at [64]."), token, "has paragraphs 1–5; there is no")


def test_a_citation_outside_the_library_says_that_and_nothing_else(read, token) -> None:
    found = hover(*_at(read("Nobody v Someone [2013] A|CA 77 at [3].")), token)
    assert found is not None
    assert found.markdown == "Nobody v Someone [2013] ACA 77 is not in your library"


def _at(marked):  # type: ignore[no-untyped-def]
    return marked.snapshot, marked.start


def test_a_statute_reference_shows_the_text_of_the_section(read, token) -> None:
    check(
        read("The Carriage of Goods Act 1994, s 1|3 bars it."),
        token,
        "**Carriage of Goods Act 1994**",
        "s 13",
        "No claim may be brought after one year from delivery.",
        absent=("bill of lading",),
    )


def test_a_bare_section_shows_that_of_the_act_named_before(read, token) -> None:
    check(
        read("The Carriage of Goods Act 1994 applies. Under section 1|3 it is late."),
        token,
        "one year from delivery",
    )


def test_text_of_an_authority_cannot_make_links_or_images(read, token) -> None:
    shown = check(read("*Carrow v Luff* [2014] A|SC 12 at [5]."), token, "The appeal is allowed")
    assert "](" not in shown.replace("\\](", "")
    assert "https://" not in shown


def test_places_are_links_only_where_the_caller_can_make_addresses(read, token) -> None:
    marked = read("*Carrow v Luff* [2014] A|SC 12 at [4].")
    found = hover(
        marked.snapshot, marked.start, token, lambda authority, start, end: f"open:{authority}/{start}-{end}"
    )
    assert found is not None
    assert "](<open:" in found.markdown


def test_a_proposition_without_a_citation_shows_what_the_library_says(read, token) -> None:
    shown = check(
        read("A warehouse keeper must guard against damp and bears the bur|den of showing that he did so."),
        token,
        "**Pell v Stark**",
        "[2009] ACA 31 at [2]",
        "must guard against damp and vermin",
    )
    assert len(shown.splitlines()) == 1


@pytest.mark.parametrize(
    "draft",
    [
        "The quick brown fox of the pre|amble jumps over nineteen lazy committees.",
        "# A warehouse keeper must guard against damp and ver|min\n\nText.",
        "A warehouse keeper must guard against damp an|d bears the burden of showing it.",
        "```\nA warehouse keeper must guard against damp and ver|min and bears the burden.\n```",
        "A warehouse keeper must guard against damp and ver|min: Pell v Stark [2009] ACA 31.",
        "  |  ",
        "",
    ],
)
def test_hover_is_quiet_where_nothing_fits(read, token, draft: str) -> None:
    quiet(read(draft), token)


def test_the_setting_turns_hovers_on_propositions_off_but_not_those_on_citations(read, token) -> None:
    draft = "A warehouse keeper must guard against damp and bears the bur|den of showing that he did so."
    quiet(read(draft, hover_propositions=False), token)
    check(read("*Carrow v Luff* [2014] A|SC 12.", hover_propositions=False), token, "**Carrow v Luff**")


@pytest.mark.parametrize(
    "draft",
    [
        "What the parties called a *bill of la|ding* was none: *Carrow v Luff* [2014] ASC 12.",
        "What the parties called a “bill of la|ding” was none.",
    ],
)
def test_a_marked_term_shows_passages_that_use_it(read, token, draft: str) -> None:
    marked = read(draft)
    shown = check(marked, token, "**Carriage of Goods Act 1994**", "issue a bill of lading on demand")
    found = hover(marked.snapshot, marked.start, token)
    assert found is not None
    assert found.span.of(marked.draft.source) == "bill of lading"
    assert shown


def test_the_number_of_passages_is_a_setting(read, token) -> None:
    draft = (
        "The carrier answers for every loss of the goods whatever the weather or the rou|te may have been."
    )
    one = hover(*_at(read(draft, hover_max_passages=1)), token)
    assert one is not None
    assert len(one.markdown.splitlines()) == 1


def test_a_place_says_what_it_is_in_its_judgment(read, token) -> None:
    check(read("*Carrow v Luff* [2014] A|SC 12 at [1]."), token, "· facts", "forty bales of wool")
    check(read("*Carrow v Luff* [2014] A|SC 12 at [5]."), token, "· order")


def test_a_section_of_a_statute_is_nothing_in_a_judgment(read, token) -> None:
    shown = check(read("The Carriage of Goods Act 1994, s 1|3 bars it."), token, "s 13")
    assert "facts" not in shown
    assert "s 13 ·" not in shown


def test_a_passage_on_a_proposition_says_what_it_is_in_its_judgment(read, token) -> None:
    shown = check(
        read("The appellant shipped forty bales of wool and the wool arri|ved soaked with sea water."),
        token,
        "**Carrow v Luff**",
    )
    assert "· facts —" in shown


def explanation(marked, *places: tuple[str, str]) -> Answer:  # type: ignore[no-untyped-def]
    """An explanation that is ready: what a model wrote ("" for an extract) with the words it quotes."""
    [carrow] = [each for each in marked.snapshot.library.catalogue.all() if each.title == "Carrow v Luff"]
    text = marked.snapshot.library.contents.text(carrow.id)
    sentences = []
    for written, words in places:
        start = text.index(words)
        label = marked.snapshot.library.contents.find_passage(carrow.id, start).paragraph
        pin = Pin("P1", carrow, start, start + len(words), words, label, 0, False)
        sentences.append(Sentence(written or words, (pin,), not written, 1.0))
    return Answer("explain", "", tuple(sentences), complete=True)


def explained(marked, token, answer: Answer | None) -> str:  # type: ignore[no-untyped-def]
    found = hover(
        marked.snapshot,
        marked.start,
        token,
        lambda authority, start, end: f"open:{authority}/{start}-{end}",
        lambda citation: answer if citation.key == "[2014] ASC 12" else None,
    )
    assert found is not None
    return found.markdown


def test_an_explanation_that_is_ready_is_shown_shortly(read, token) -> None:
    marked = read("A carrier answers for loss: *Carrow v Luff* [2014] A|SC 12 at [4].")
    answer = explanation(
        marked,
        (
            "Leaving the route makes a carrier liable for [all](https://example.test) loss.",
            "A carrier who leaves",
        ),
        ("Fair weather is no defence.", "It is no\ndefence"),
        ("A third sentence.", "Necessity"),
    )
    shown = explained(marked, token, answer)
    assert "Bears on the sentence:\n\nLeaving the route makes a carrier liable for [all\\](https" in shown
    assert "https://" not in shown
    assert "Fair weather is no defence. — [\\[3\\]](<open:" in shown
    assert "third sentence" not in shown


def test_an_extract_that_the_hover_shows_already_is_not_said_again(read, token) -> None:
    marked = read("A carrier answers for loss: *Carrow v Luff* [2014] A|SC 12 at [4].")
    words = "Necessity is judged at the time of the departure from the route and not with hindsight."
    assert explained(marked, token, explanation(marked, ("", words))) == explained(marked, token, None)


def test_that_nothing_bears_on_the_sentence_is_shown(read, token) -> None:
    marked = read("Trade marks lapse without use: *Carrow v Luff* [2014] A|SC 12.")
    note = "No passage of Carrow v Luff bears on this sentence."
    abstaining = Answer("explain", "", notes=(note,), complete=True)
    assert f"_{note}_" in explained(marked, token, abstaining)


def test_nothing_is_explained_for_another_citation(read, token) -> None:
    marked = read("A keeper bears the burden: *Pell v Stark* [2009] A|CA 31 at [2]. See [2014] ASC 12.")
    assert "Bears on" not in explained(marked, token, explanation(marked, ("", "Necessity is judged")))
