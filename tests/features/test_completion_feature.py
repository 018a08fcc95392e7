import pytest

from lexls.features.completion import complete, describe_item
from lexls.features.completion_item import CompletionItem


def proposals(marked, token) -> list[CompletionItem]:  # type: ignore[no-untyped-def]
    items = complete(marked.snapshot, marked.start, token)
    for item in items:
        assert item.replace.touches(marked.start)
        assert "\n" not in item.replace.of(marked.draft.source)
        assert item.filter.startswith(marked.draft.source[item.replace.start : marked.start])
    assert [item.order for item in items] == sorted({item.order for item in items})
    return items


def check(marked, token, expected: str) -> CompletionItem:  # type: ignore[no-untyped-def]
    """The draft with the first proposal accepted, as plain text; its stop between « and »."""
    items = proposals(marked, token)
    assert items, "no proposal"
    item = items[0]
    text = item.text
    if item.stop is not None:
        text = f"{text[: item.stop.start]}«{item.stop.of(text)}»{text[item.stop.end :]}"
    source = marked.draft.source
    assert source[: item.replace.start] + text + source[item.replace.end :] == expected
    return item


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ("It is settled: Carr|", "It is settled: _Carrow v Luff_, [2014] ASC 12 at [«n»]"),
        ("It is settled: Carrow v Lu|", "It is settled: _Carrow v Luff_, [2014] ASC 12 at [«n»]"),
        ("It is settled: Carrow v. L|", "It is settled: _Carrow v Luff_, [2014] ASC 12 at [«n»]"),
        ("It is settled: Carow v Lu|", "It is settled: _Carrow v Luff_, [2014] ASC 12 at [«n»]"),
        ("The rule in Luf|", "The rule in _Carrow v Luff_, [2014] ASC 12 at [«n»]"),
        ("The rule in *Carr|", "The rule in _Carrow v Luff_, [2014] ASC 12 at [«n»]"),
        ("The rule in *Carr|*", "The rule in _Carrow v Luff_, [2014] ASC 12 at [«n»]"),
        ("The rule in *Carr|ow*", "The rule in _Carrow v Luff_, [2014] ASC 12 at [«n»]"),
        ("The rule (see Pell v S|)", "The rule (see _Pell v Stark_, [2009] ACA 31 at [«n»])"),
        (
            "It is settled by The Owners of the Gr|",
            "It is settled by _The Owners of the Grey Gull v Harbour Board_, [2016] AHC 88 at [«n»]",
        ),
        ("The rule: [2014] AS|", "The rule: _Carrow v Luff_, [2014] ASC 12 at [«n»]"),
        ("The rule: [2014|]", "The rule: _Carrow v Luff_, [2014] ASC 12 at [«n»]"),
        (
            "The rule: (1987) 4 Al|",
            "The rule: _Thornby Estates Ltd v Registrar of Tides_, (1987) 4 AldLR 212, «n»",
        ),
        ("The rule: *Carrow v Luff* [2014] AS|", "The rule: *Carrow v Luff* [2014] ASC 12 at [«n»]"),
        ("It is barred: Carriage of G|", "It is barred: Carriage of Goods Act 1994, s «n»"),
        (
            "It is barred by section 13 of the Carr|",
            "It is barred by section 13 of the Carriage of Goods Act 1994",
        ),
    ],
)
def test_an_authority_is_completed_from_its_name_or_citation(read, token, draft: str, expected: str) -> None:
    check(read(draft), token, expected)


@pytest.mark.parametrize(
    ("markup", "draft", "expected"),
    [
        (
            "latex",
            r"The rule in \textit{Carr|}",
            r"The rule in \textit{Carrow v Luff}, [2014] ASC 12 at [«n»]",
        ),
        ("latex", r"The rule in \emph{Carr|", r"The rule in \textit{Carrow v Luff}, [2014] ASC 12 at [«n»]"),
        ("typst", "The rule in _Carr|_", "The rule in _Carrow v Luff_, [2014] ASC 12 at [«n»]"),
        ("plain", "The rule in Carr|", "The rule in Carrow v Luff, [2014] ASC 12 at [«n»]"),
    ],
)
def test_the_citation_is_written_in_the_format_of_the_draft(read, token, markup, draft, expected) -> None:
    wrapped = "\\begin{document}\n" if markup == "latex" else ""
    check(read(wrapped + draft, markup), token, wrapped + expected)


def test_the_citation_follows_the_habits_of_the_draft(read, token) -> None:
    before = "First *Pell v Stark* [2009] ACA 31, para 2.\n\n"
    check(read(before + "Then Carr|"), token, before + "Then *Carrow v Luff* [2014] ASC 12, para «n»")


def test_the_pinpoint_is_a_snippet_stop_and_left_out_without_snippets(read, token) -> None:
    item = check(read("So: Carr|"), token, "So: _Carrow v Luff_, [2014] ASC 12 at [«n»]")
    assert item.snippet() is None  # nothing but its end to stop at
    assert item.snippet(transforms=True) == "_Carrow v Luff_, [2014] ASC 12${1/^([^\\s,(\\[].*)/ at [$1]/}$0"
    assert item.bare == "_Carrow v Luff_, [2014] ASC 12"


def test_a_section_keeps_its_sign_for_an_act_is_hardly_cited_as_a_whole(read, token) -> None:
    item = check(read("Carriage of G|"), token, "Carriage of Goods Act 1994, s «n»")
    assert item.snippet() == "Carriage of Goods Act 1994, s $1$0"
    assert item.snippet(transforms=True) == "Carriage of Goods Act 1994${1/^([^\\s,(\\[].*)/, s $1/}$0"


CITED = "First *Carrow v Luff* [2014] ASC 12 at [2]. "


def labels(marked, token) -> list[str]:  # type: ignore[no-untyped-def]
    return [item.label for item in proposals(marked, token)]


def test_what_was_cited_is_offered_by_its_short_form_too(read, token) -> None:
    full, short = proposals(read(f"{CITED}Then *Carr|"), token)[:2]
    assert full.order < short.order
    assert (full.label, short.label, short.description) == ("Carrow v Luff", "Carrow", "short form")
    assert (short.text, short.snippet(), short.bare) == ("*Carrow* at [n]", None, "*Carrow*")
    assert "Carrow" not in labels(read("Then *Carr|"), token)
    called = f"{CITED}So *Luff* at [3]. Then *Carr|"
    assert "Luff" in labels(read(called), token)


def test_behind_in_what_was_cited_comes_first(read, token) -> None:
    draft = "Pell v Stark [2009] ACA 31. Necessity is judged when the ship departs, as in |"
    assert labels(read(draft), token)[0] == "Pell v Stark"
    assert "Carrow v Luff" in labels(read("Necessity is judged when the ship departs, as in |"), token)


def test_behind_id_its_places_are_offered_with_their_at(read, token) -> None:
    items = proposals(read(f"{CITED}*Id.* |"), token)
    assert {item.kind for item in items} == {"place"}
    assert "at [4]" in [item.text for item in items]


def test_no_list_offers_an_ordinal_behind_a_signal(read, token) -> None:
    found = labels(read("Necessity is judged when the ship departs. See |"), token)
    assert found[0] == "Carrow v Luff"
    assert not [each for each in found if each[:1].isdigit()]


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ("A claim is late under s 13|", "A claim is late under Carriage of Goods Act 1994, s 13"),
        ("A claim is late under section 13|.", "A claim is late under Carriage of Goods Act 1994, s 13."),
        ("By the Carriage of Goods Act 1994, s 1|", "By the Carriage of Goods Act 1994, s 11"),
        ("By the Carriage of Goods Act 1994, s 12(|", "By the Carriage of Goods Act 1994, s 12(1)"),
    ],
)
def test_sections_are_completed(read, token, draft: str, expected: str) -> None:
    check(read(draft), token, expected)


def test_paragraphs_behind_a_citation_are_those_of_the_authority_the_fitting_one_first(read, token) -> None:
    draft = (
        "Necessity is judged when the ship departs and without hindsight: *Carrow v Luff* [2014] ASC 12 at [|"
    )
    marked = read(draft)
    item = check(marked, token, draft.replace("|", "4]"))
    assert "Necessity is judged" in item.description
    assert sorted(each.label for each in proposals(marked, token)) == ["[1]", "[2]", "[3]", "[4]", "[5]"]


def test_behind_an_opening_the_paragraph_decides(read, token) -> None:
    damp = "A warehouse keeper must keep damp and vermin from the grain. See *|"
    assert check(read(damp), token, damp.replace("*|", "_Pell v Stark_, [2009] ACA 31 at [«n»]"))
    weed = "A licence to take seaweed dies with the licensee. See *|"
    assert proposals(read(weed), token)[0].label == "Thornby Estates Ltd v Registrar of Tides"


@pytest.mark.parametrize(
    "signal",
    [
        "See ",
        "see also ",
        "*See* ",
        "See, e.g., ",
        "But see ",
        "Cf. ",
        "See generally ",
        "(quoting ",
        "_See also_ ",
    ],
)
def test_behind_a_signal_the_paragraph_decides(read, token, signal: str) -> None:
    opened = "; " if signal[0] == "s" else ". "
    damp = f"A warehouse keeper must keep damp and vermin from the grain{opened}{signal}"
    check(read(damp + "|"), token, damp + "_Pell v Stark_, [2009] ACA 31 at [«n»]")


@pytest.mark.parametrize("typed", ["See P", "See also Pe", "See, e.g., Pel"])
def test_behind_a_signal_the_first_letters_of_a_name_are_enough(read, token, typed: str) -> None:
    items = proposals(read(f"A warehouse keeper must keep damp from the grain. {typed}|"), token)
    assert "Pell v Stark" in [item.label for item in items]
    # Editors keep it while more of it is typed.
    assert any(item.filter.startswith("Pell v Stark") for item in items)
    assert (
        proposals(read(f"A warehouse keeper must keep damp from the grain, we {typed.lower()}|"), token) == []
    )


@pytest.mark.parametrize("words", ["We see |", "I compare |", "See |damp grain", "They quoting |", "Seen |"])
def test_a_word_of_prose_is_no_signal(read, token, words: str) -> None:
    assert (
        proposals(read(f"A warehouse keeper must keep damp and vermin from the grain. {words}"), token) == []
    )


def test_of_equal_names_the_one_that_fits_the_paragraph_comes_first(read, token) -> None:
    # Both the yacht case and the licence case begin with nothing typed; only the paragraph tells them apart.
    draft = "The board moved the moorings of the yacht without notice in writing. See *|"
    assert proposals(read(draft), token)[0].label == "The Owners of the Grey Gull v Harbour Board"


@pytest.mark.parametrize(
    "draft",
    [
        "The carrier left the rou|",
        "In |",
        "The |",
        "It was 1987 |",
        "```\nCarr|\n```",
        "- |",
        "* |",
        "The parties had 12 |",
        "*emphasis* |",
        "Counsel for the Regis|",
        "This was said by Mr Justice Carro|",
        "It was said of Carrow a|",
        "The bill named Carrow and 12 Luff|",
        "The Registrar of t|",
        "It came before the Court of App|",
        "Zzyzx v Q|",
        "",
    ],
)
def test_ordinary_writing_is_left_alone(read, token, draft: str) -> None:
    assert proposals(read(draft if "|" in draft else draft + "|"), token) == []


def test_the_number_of_proposals_is_a_setting(read, token) -> None:
    draft = "The carrier and the notice of the board and the warehouse. See *|"
    assert len(proposals(read(draft, completion_max_items=2), token)) == 2


def test_documentation_shows_the_authority_and_its_best_paragraph(read, token) -> None:
    marked = read("Necessity is judged when the ship departs and without hindsight: Carr|")
    item = proposals(marked, token)[0]
    shown = describe_item(marked.snapshot, item.authority, item.label_of_place, marked.start, token)
    assert "**Carrow v Luff**" in shown
    assert "[4]\n\n> [4] Necessity is judged" in shown


def test_documentation_of_a_section_shows_its_text(read, token) -> None:
    marked = read("A claim is late under s 13|")
    item = proposals(marked, token)[0]
    shown = describe_item(marked.snapshot, item.authority, item.label_of_place, marked.start, token)
    assert "No claim may be brought after one year" in shown
