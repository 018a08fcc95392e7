from dataclasses import replace

import pytest

from lexls.features.find_support import describe_distance, find_support
from lexls.index.session import open_library
from lexls.retrieval.cited_for import CitedFor
from lexls.retrieval.model import Filters
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.spans import Span
from lexls.writing.placement import find_habit
from tests.features.proposition_edits import find_edits

DAMP = "A warehouse keeper must guard against damp and vermin"
BAKER = "A baker must feed the sourdough starter with rye flour each morning before kneading the loaves."
SINGER = "The soprano rehearses her aria with muted violins, and the tenor hums his cadenza in the wings."


def check(marked, token, expected: str, title: str = "Pell v Stark") -> None:  # type: ignore[no-untyped-def]
    """The draft after the citation of ``title`` is inserted for the cursor's sentence or the selection."""
    span = Span(marked.start, marked.end)
    options = find_support(marked.snapshot, span, 5, token)
    by_title = {option.hit.authority.title: option.hit for option in options}
    assert title in by_title, f"not offered; offered are {list(by_title)}"
    hit = by_title[title]
    edits = find_edits(marked.snapshot, span, hit.authority, hit.passage)
    assert edits
    source = marked.draft.source
    for edit in sorted(edits, key=lambda each: each.span, reverse=True):
        source = source[: edit.span.start] + edit.text + source[edit.span.end :]
    assert source == expected


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        (f"{DAMP}|.", f"{DAMP}: _Pell v Stark_, [2009] ACA 31 at [2]."),
        (f"|{DAMP}. Another sentence.", f"{DAMP}: _Pell v Stark_, [2009] ACA 31 at [2]. Another sentence."),
        (f"{DAMP}|", f"{DAMP}: _Pell v Stark_, [2009] ACA 31 at [2]"),
        (f"He said “{DAMP}|”.", f"He said “{DAMP}”: _Pell v Stark_, [2009] ACA 31 at [2]."),
        (f"He said “{DAMP}|.”", f"He said “{DAMP}.” _Pell v Stark_, [2009] ACA 31 at [2]."),
        (f"*{DAMP}|.*", f"*{DAMP}.* _Pell v Stark_, [2009] ACA 31 at [2]."),
        (f"{DAMP}|?", f"{DAMP}? _Pell v Stark_, [2009] ACA 31 at [2]."),
        (
            f"- {DAMP}|.\n- Another point.",
            f"- {DAMP}: _Pell v Stark_, [2009] ACA 31 at [2].\n- Another point.",
        ),
        (
            f"These:\n- {DAMP}|\n- another point",
            f"These:\n- {DAMP}: _Pell v Stark_, [2009] ACA 31 at [2]\n- another point",
        ),
        (
            "A warehouse keeper|\r\nmust guard against damp\r\nand vermin. He may not sleep.\r\n",
            "A warehouse keeper\r\nmust guard against damp\r\nand vermin: _Pell v Stark_, [2009] ACA 31"
            " at [2]. He may not sleep.\r\n",
        ),
    ],
)
def test_a_citation_goes_before_the_final_stop_and_behind_quotation_marks(
    read, token, draft, expected
) -> None:
    check(read(draft), token, expected)


def test_a_selection_inside_a_sentence_gets_its_citation_there(read, token) -> None:
    draft = "|A keeper must guard against damp and vermin|, although nobody told the merchant."
    expected = (
        "A keeper must guard against damp and vermin (_Pell v Stark_, [2009] ACA 31 at [2]), "
        "although nobody told the merchant."
    )
    check(read(draft), token, expected)


def test_a_selection_of_a_whole_sentence_is_cited_at_its_end(read, token) -> None:
    check(
        read(f"First. |{DAMP}.| Last."),
        token,
        f"First. {DAMP}: _Pell v Stark_, [2009] ACA 31 at [2]. Last.",
    )


@pytest.mark.parametrize(
    ("habit", "expected"),
    [
        (
            "The route binds (see *Carrow v Luff* [2014] ASC 12 at [3]).",
            f"{DAMP} (see *Pell v Stark* [2009] ACA 31 at [2]).",
        ),
        (
            "The route binds, *Carrow v Luff* [2014] ASC 12 at [3].",
            f"{DAMP}, *Pell v Stark* [2009] ACA 31 at [2].",
        ),
        (
            "The route binds the carrier. *Carrow v Luff* [2014] ASC 12 at [3].",
            f"{DAMP}. *Pell v Stark* [2009] ACA 31 at [2].",
        ),
    ],
)
def test_the_citation_is_attached_as_the_draft_does_it_elsewhere(
    read, token, habit: str, expected: str
) -> None:
    check(read(f"{habit}\n\n{DAMP}|."), token, f"{habit}\n\n{expected}")


def test_a_sentence_that_ends_in_a_citation_gets_another_behind_a_semicolon(read, token) -> None:
    check(
        read(f"{DAMP}|: *Carrow v Luff* [2014] ASC 12 at [3]."),
        token,
        f"{DAMP}: *Carrow v Luff* [2014] ASC 12 at [3]; *Pell v Stark* [2009] ACA 31 at [2].",
    )


def test_so_does_one_with_its_citation_in_brackets(read, token) -> None:
    check(
        read(f"{DAMP}| (see *Carrow v Luff* [2014] ASC 12 at [3])."),
        token,
        f"{DAMP} (see *Carrow v Luff* [2014] ASC 12 at [3]; *Pell v Stark* [2009] ACA 31 at [2]).",
    )


def test_so_does_one_that_a_citation_sentence_follows(read, token) -> None:
    check(
        read(f"{DAMP}|. See *Carrow v Luff* [2014] ASC 12 at [3]. More."),
        token,
        f"{DAMP}. See *Carrow v Luff* [2014] ASC 12 at [3]; *Pell v Stark* [2009] ACA 31 at [2]. More.",
    )


@pytest.mark.parametrize(
    ("markup", "draft", "expected"),
    [
        (
            "markdown",
            f"The route binds.[^1]\n\n{DAMP}|.\n\n[^1]: *Carrow v Luff* [2014] ASC 12 at [3].\n",
            f"The route binds.[^1]\n\n{DAMP}.[^2]\n\n[^1]: *Carrow v Luff* [2014] ASC 12 at [3].\n"
            "[^2]: *Pell v Stark* [2009] ACA 31 at [2].\n",
        ),
        (
            "markdown",
            f"{DAMP}|.[^1]\n\n[^1]: *Carrow v Luff* [2014] ASC 12 at [3].\n",
            f"{DAMP}.[^1]\n\n[^1]: *Carrow v Luff* [2014] ASC 12 at [3]; "
            "*Pell v Stark* [2009] ACA 31 at [2].\n",
        ),
        (
            "latex",
            "\\begin{document}\nThe route binds.\\footnote{\\textit{Carrow v Luff} [2014] ASC 12.}\n\n"
            f"{DAMP}|.\n",
            "\\begin{document}\nThe route binds.\\footnote{\\textit{Carrow v Luff} [2014] ASC 12.}\n\n"
            f"{DAMP}.\\footnote{{\\textit{{Pell v Stark}} [2009] ACA 31 at [2].}}\n",
        ),
        (
            "latex",
            f"\\begin{{document}}\n{DAMP}|.\\footnote{{\\textit{{Carrow v Luff}} [2014] ASC 12.}}\n",
            f"\\begin{{document}}\n{DAMP}.\\footnote{{\\textit{{Carrow v Luff}} [2014] ASC 12; "
            "\\textit{Pell v Stark} [2009] ACA 31 at [2].}\n",
        ),
        (
            "typst",
            f"The route binds.#footnote[_Carrow v Luff_ [2014] ASC 12.]\n\n{DAMP}|.\n",
            f"The route binds.#footnote[_Carrow v Luff_ [2014] ASC 12.]\n\n{DAMP}."
            "#footnote[_Pell v Stark_ [2009] ACA 31 at [2].]\n",
        ),
    ],
)
def test_drafts_that_cite_in_footnotes_get_footnotes(read, token, markup, draft, expected) -> None:
    check(read(draft, markup), token, expected)


def test_a_sentence_in_a_footnote_is_cited_there(read, token) -> None:
    before = "\\begin{document}\nThe route binds.\\footnote{\\textit{Carrow v Luff} [2014] ASC 12. "
    check(
        read(f"{before}{DAMP}|.}} More.\n", "latex"),
        token,
        f"{before}{DAMP}: \\textit{{Pell v Stark}} [2009] ACA 31 at [2].}} More.\n",
    )


def test_a_citation_that_is_part_of_the_sentence_is_not_joined(read, token) -> None:
    check(
        read(f"{DAMP}|, notwithstanding Carrow v Luff [2014] ASC 12 at [3]."),
        token,
        f"{DAMP}, notwithstanding Carrow v Luff [2014] ASC 12 at [3]: Pell v Stark [2009] ACA 31 at [2].",
    )


def test_latex_marks_around_the_sentence_are_not_broken(read, token) -> None:
    check(
        read(f"\\begin{{document}}\n\\emph{{{DAMP}|.}} More.\n", "latex"),
        token,
        f"\\begin{{document}}\n\\emph{{{DAMP}.}} \\textit{{Pell v Stark}}, [2009] ACA 31 at [2]. More.\n",
    )


@pytest.mark.parametrize(
    "draft",
    [
        f"{DAMP}|: Pell v Stark [2009] ACA 31 at [2].",
        f"{DAMP}|. See Pell v Stark [2009] ACA 31 at [2].",
        f"{DAMP}|.[^1]\n\n[^1]: Pell v Stark [2009] ACA 31.\n",
    ],
)
def test_an_authority_that_is_cited_already_is_not_offered(read, token, draft: str) -> None:
    marked = read(draft)
    options = find_support(marked.snapshot, Span(marked.start, marked.end), 8, token)
    assert "Pell v Stark" not in [option.hit.authority.title for option in options]


def test_an_option_shows_the_sentence_that_bears_on_it(read, token) -> None:
    marked = read(f"{DAMP}|.")
    option = find_support(marked.snapshot, Span(marked.start, marked.end), 3, token)[0]
    assert option.hit.authority.title == "Pell v Stark"
    assert option.place == "[2]"
    assert "A warehouse keeper must guard against damp and vermin" in option.quote


def test_authorities_that_do_not_bear_on_the_sentence_are_left_out(read, token) -> None:
    snapshot = read(f"{DAMP}|.").snapshot
    everything = snapshot.searcher.search(DAMP, 5, Filters(), token)
    offered = [option.hit.authority.title for option in find_support(snapshot, Span(5, 5), 5, token)]
    assert offered[0] == "Pell v Stark"
    assert len(everything) > len(offered)


def test_a_short_sentence_is_read_with_the_one_before_it(read, token) -> None:
    marked = read(f"{DAMP}. So it is here|.")
    option = find_support(marked.snapshot, Span(marked.start, marked.end), 3, token)[0]
    assert option.hit.authority.title == "Pell v Stark"


def test_the_kinds_offered_are_a_setting(read, token) -> None:
    marked = read("A carrier is liable for the loss of goods|.", support_kinds=("statute",))
    options = find_support(marked.snapshot, Span(marked.start, marked.end), 8, token)
    assert [option.hit.authority.title for option in options] == ["Carriage of Goods Act 1994"]


@pytest.mark.parametrize("draft", ["", "\n\n|\n\n", "# A heading on damp and ver|min\n\nText."])
def test_nothing_is_offered_where_there_is_no_sentence(read, token, draft: str) -> None:
    marked = read(draft if "|" in draft else draft + "|")
    assert find_support(marked.snapshot, Span(marked.start, marked.end), 8, token) == []


def test_american_drafts_without_habits_get_citation_sentences(read) -> None:
    assert find_habit(read("Nothing here.|", jurisdiction="US").draft).where == "after"
    assert find_habit(read("Nothing here.|").draft).where == "inside"


CONTRACT = """\
---
title: Berth Hire Agreement
kind: contract
---

# Berth Hire Agreement

1. The Owner lets the berth to the Hirer for the season.

2. The Hirer must insure the berth against fire and collision.

3. Either party may end the hire by a month's notice in writing.
"""


def test_a_clause_is_cited_by_its_number_only_where_the_number_stands(read, token, tmp_path) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "hire.md").write_text(CONTRACT)
    library, _ = open_library(
        [tmp_path / "library"], tmp_path / "index.sqlite3", Settings(), lexical_only=True
    )
    marked = read("A hirer must insure a berth against fire and collision|.")
    snapshot = replace(marked.snapshot, library=library, searcher=Searcher(library))
    span = Span(marked.start, marked.end)
    (option,) = find_support(snapshot, span, 1, token)
    assert option.hit.passage.paragraph == "2"
    (edit,) = find_edits(snapshot, span, option.hit.authority, option.hit.passage)
    assert edit.text.endswith("Berth Hire Agreement, cl 2")
    misled = replace(option.hit.passage, paragraph="3(b)")
    (edit,) = find_edits(snapshot, span, option.hit.authority, misled)
    assert edit.text.endswith("Berth Hire Agreement")
    library.close()


def test_an_option_says_what_its_passage_is_in_the_judgment(read, token) -> None:
    marked = read("The bales of wool arrived soaked with sea water|.")
    option = find_support(marked.snapshot, Span(marked.start, marked.end), 8, token)[0]
    assert (option.place, option.role) == ("[1]", "facts")


def test_the_roles_offered_are_a_setting(read, token) -> None:
    draft = "A carrier who leaves the agreed route answers for the loss; the appeal is allowed|."
    plain = read(draft)
    assert len(find_support(plain.snapshot, Span(plain.start, plain.end), 8, token)) > 1
    marked = read(draft, support_roles=("RPC",))
    options = find_support(marked.snapshot, Span(marked.start, marked.end), 8, token)
    assert [(option.hit.authority.title, option.role) for option in options] == [("Carrow v Luff", "order")]


@pytest.mark.parametrize(
    ("draft", "said"),
    [
        (f"{DAMP}|.", ""),
        ("A baker must feed a sourdough starter with rye flour|.", "it nowhere mentions"),
        (f"|{BAKER} {DAMP}. {SINGER}|", ""),
        (f"|{BAKER} So it is. {SINGER}|", "it nowhere mentions"),
    ],
)
def test_what_only_comes_nearest_is_said_to_be_far(read, token, draft, said) -> None:
    marked = read(draft)
    found = find_support(marked.snapshot, Span(marked.start, marked.end), 5, token)
    distance = describe_distance(marked.snapshot, found)
    assert found
    assert said in distance
    assert bool(said) is bool(distance)


def test_what_others_cite_for_the_same_is_not_far(read, token) -> None:
    marked = read(f"|{BAKER}|")
    far = find_support(marked.snapshot, Span(marked.start, marked.end), 5, token)
    assert describe_distance(marked.snapshot, far)
    known = CitedFor(far[-1].hit.authority.id, (), ())
    assert describe_distance(marked.snapshot, [*far[:-1], replace(far[-1], cited_for=known)]) == ""


def test_nothing_found_is_not_far(read, token) -> None:
    assert describe_distance(read("Zzyzx qwrk|.").snapshot, []) == ""
