from collections.abc import Sequence

import pytest

from lexls.features.drafting import draft_sentence
from lexls.grounding.answer import Answer, Sentence
from lexls.grounding.evidence import Pin
from lexls.reading.propositions import write_bare
from lexls.text.spans import Span

DEVIATION = "A carrier who leaves the agreed route without necessity answers for every loss that follows."
WAREHOUSE = (
    "A warehouse keeper must guard against damp and vermin, and bears the burden of showing that he did."
)


def pin(marked, words: str, whose: str = "") -> Pin:  # type: ignore[no-untyped-def]
    """The piece of the library that has these words."""
    library = marked.snapshot.library
    for authority in library.catalogue.all():
        text = library.contents.text(authority.id)
        start = text.find(words)
        if start >= 0:
            passage = library.contents.find_passage(authority.id, start)
            return Pin("P1", authority, start, start + len(words), words, passage.paragraph, 0, False, whose)
    raise AssertionError(words)


def after(marked, *sentences: str | tuple[str, Sequence[str]]) -> str:  # type: ignore[no-untyped-def]
    """The draft after drafting: a string is an extract, a pair what a model wrote with its quotations."""
    made = tuple(
        Sentence(each, (pin(marked, each),), True, 1.0)
        if isinstance(each, str)
        else Sentence(each[0], tuple(pin(marked, words) for words in each[1]), False, 0.9)
        for each in sentences
    )
    sentence = marked.draft.sentence_at(marked.start)
    question = write_bare(marked.draft, sentence) if sentence is not None else ""
    answer = Answer("draft", question, made, complete=True)
    source = marked.draft.source
    for edit in sorted(
        draft_sentence(marked.snapshot, Span(marked.start, marked.end), answer), key=lambda e: e.span
    )[::-1]:
        source = source[: edit.span.start] + edit.text + source[edit.span.end :]
    return source


def test_an_extract_leaves_the_drafters_words_and_quotes_behind_them(read) -> None:
    assert after(read("A carrier must keep to the r|oute."), DEVIATION) == (
        "A carrier must keep to the route: _Carrow v Luff_, [2014] ASC 12 at [3] "
        "(“A carrier who leaves the agreed route without necessity answers for every loss that follows”)."
    )


def test_the_drafts_own_habits_are_kept(read) -> None:
    marked = read("It was 'so' (see *Pell v Stark* [2009] ACA 31 at [1]). A carrier must keep to the r|oute.")
    assert after(marked, DEVIATION).endswith(
        "A carrier must keep to the route (see *Carrow v Luff* [2014] ASC 12 at [3] "
        "(“A carrier who leaves the agreed route without necessity answers for every loss that follows”))."
    )
    quoting = read("He said ‘so’ and ‘thus’. A carrier must keep to the r|oute.")
    assert "(‘A carrier who leaves" in after(quoting, DEVIATION)


def test_in_a_draft_with_footnotes_the_quotation_stands_in_one(read) -> None:
    marked = read(
        "So it is.[^1] A carrier must keep to the r|oute.\n\n[^1]: *Pell v Stark* [2009] ACA 31 at [1].\n"
    )
    assert after(marked, DEVIATION) == (
        "So it is.[^1] A carrier must keep to the route.[^2]\n\n[^1]: *Pell v Stark* [2009] ACA 31 at [1].\n"
        "[^2]: *Carrow v Luff* [2014] ASC 12 at [3]: "
        "“A carrier who leaves the agreed route without necessity answers for every loss that follows”.\n"
    )


def test_a_written_sentence_takes_the_place_of_plain_words(read) -> None:
    marked = read("It rained. A carrier must keep to the r|oute. It stopped.")
    assert after(marked, ("A carrier who leaves the route answers for every loss.", [DEVIATION])) == (
        "It rained. A carrier who leaves the route answers for every loss: "
        "_Carrow v Luff_, [2014] ASC 12 at [3]. It stopped."
    )


def test_a_written_sentence_goes_into_a_footnote_draft_with_a_new_note(read) -> None:
    marked = read(
        "So it is.[^1] A carrier must keep to the r|oute.\n\n[^1]: *Pell v Stark* [2009] ACA 31 at [1].\n"
    )
    assert after(marked, ("A carrier who leaves the route answers for every loss.", [DEVIATION])) == (
        "So it is.[^1] A carrier who leaves the route answers for every loss.[^2]\n\n"
        "[^1]: *Pell v Stark* [2009] ACA 31 at [1].\n[^2]: *Carrow v Luff* [2014] ASC 12 at [3].\n"
    )


def test_each_authority_that_a_sentence_rests_on_is_cited_once(read) -> None:
    found = after(
        read("Care is o|wed."), ("Carriers and keepers answer for loss.", [DEVIATION, WAREHOUSE, DEVIATION])
    )
    assert found == (
        "Carriers and keepers answer for loss: _Carrow v Luff_, [2014] ASC 12 at [3]; "
        "_Pell v Stark_, [2009] ACA 31 at [2]."
    )


@pytest.mark.parametrize(
    "draft",
    [
        "A *carrier* must keep to the r|oute.",
        "A carrier must keep to the r|oute.[^1]\n\n[^1]: *Pell v Stark* [2009] ACA 31.",
        "A carrier must keep to the r|oute[^1].\n\nSo it is.\n\n[^1]: *Pell v Stark* [2009] ACA 31.",
        "A carrier must keep to the r|oute.^[*Pell v Stark* [2009] ACA 31.] So it is.",
        "A carrier must keep to the r|oute: *Pell v Stark* [2009] ACA 31.",
        "A carrier must |keep| to the route.",
    ],
)
def test_nothing_of_the_drafters_is_lost_where_it_has_markup_citations_or_is_a_part(read, draft: str) -> None:
    marked = read(draft)
    found = after(marked, ("A carrier who leaves the route answers for every loss.", [DEVIATION]))
    rest = found
    for piece in draft.replace("|", "").replace("[^1]", " [^1] ").split():
        assert piece in rest
        rest = rest[rest.index(piece) :]
    assert "A carrier who leaves the route answers for every loss" in found.split("\n")[0]


@pytest.mark.parametrize(
    ("markup", "draft", "expected"),
    [
        (
            "latex",
            r"``So'' it is.\footnote{\textit{Pell v Stark} [2009] ACA 31.} Care is o|wed.",
            r"``So'' it is.\footnote{\textit{Pell v Stark} [2009] ACA 31.} "
            r"Care of 100\% \& more is owed \{\textbackslash{}x\}."
            r"\footnote{\textit{Carrow v Luff} [2014] ASC 12 at [3].}",
        ),
        (
            "typst",
            "So it is.#footnote[_Pell v Stark_ [2009] ACA 31.] Care is o|wed.",
            "So it is.#footnote[_Pell v Stark_ [2009] ACA 31.] "
            r"Care of 100% & more is owed {\\x}.#footnote[_Carrow v Luff_ [2014] ASC 12 at [3].]",
        ),
        (
            "plain",
            "Care is o|wed.",
            r"Care of 100% & more is owed {\x}: Carrow v Luff, [2014] ASC 12 at [3].",
        ),
    ],
)
def test_words_are_escaped_for_the_markup(read, markup: str, draft: str, expected: str) -> None:
    written = (r"Care of 100% & more is owed {\x}.", [DEVIATION])
    assert after(read(draft, markup), written) == expected


@pytest.mark.parametrize("markup", ["markdown", "latex", "typst", "plain"])
@pytest.mark.parametrize(
    "hostile",
    [
        "Care [is](https://example.test) owed ![now](x.png).",
        r"Care \input{/etc/passwd} } ] is owed $x$ #eval(1) ^[x] [^1] @pell // so /* or.",
        "Care is owed.\n\n# Heading\n\n```\ncode\n```",
        "Care `is` *owed* _now_ <b>so</b>",
    ],
)
def test_a_written_sentence_stays_the_words_it_is(read, markup, hostile: str) -> None:
    marked = read("Before it. Care is o|wed. After it.", markup)
    found = after(marked, (hostile, [DEVIATION]))
    again = read(found + "|", markup).draft
    assert "\n" not in found
    assert len(again.paragraphs) == 1
    assert not again.footnotes
    assert (
        "example.test" not in found
        or markup in ("plain", "latex", "typst")
        or "](" not in found.replace("\\](", "")
    )
    words = "".join(char for char in again.masked if char.isalnum())
    for each in ("Beforeit", "Afterit", "owed", "CarrowvLuff2014ASC12at3"):
        assert each in words, (each, found)


@pytest.mark.parametrize(
    "draft",
    [
        "A carrier who leaves the agreed route never answers for the loss that fo|llows.",
        "A carrier is paid before the voyage if the shipper asks for a lower pr|ice.",
    ],
)
def test_no_extract_is_quoted_for_what_it_denies_or_hardly_mentions(read, draft: str) -> None:
    marked = read(draft)
    assert after(marked, DEVIATION) == marked.draft.source


def test_no_dissent_is_quoted(read) -> None:
    marked = read("A carrier who leaves the agreed route answers for every loss that fo|llows.")
    span, question = Span(marked.start, marked.end), marked.draft.source
    for whose, written in (("", True), ("dissenting opinion of Quill J.", False)):
        sentence = Sentence(DEVIATION, (pin(marked, DEVIATION, whose),), True, 1.0)
        answer = Answer("draft", question, (sentence,), complete=True)
        assert bool(draft_sentence(marked.snapshot, span, answer)) is written


def test_the_extract_that_says_most_of_the_sentence_is_quoted(read) -> None:
    marked = read("A warehouse keeper bears the burden of showing that he guarded against da|mp.")
    found = after(marked, "The respondent kept a warehouse for grain at the north quay.", WAREHOUSE)
    assert "“A warehouse keeper must guard against damp" in found


def test_an_answer_that_abstains_changes_nothing(read) -> None:
    marked = read("A carrier must keep to the r|oute.")
    assert after(marked) == marked.draft.source


def test_there_is_nothing_to_draft_where_there_is_no_sentence(read) -> None:
    marked = read("# Head|ing\n\nText.")
    assert after(marked, DEVIATION) == marked.draft.source
