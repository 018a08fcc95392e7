"""Every beginning of every name is completed, so that no editor closes the list while a name is typed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lexls.citations.grammar import Grammar
from lexls.features.completion import complete
from lexls.features.completion_item import CompletionItem
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

NAMES = (
    "A v Luff",
    "A&B Ropes, Inc. v. Carrow",
    "An Bord Pell v Stark",
    "Any Other Wool Ltd v Gannet",
    "Australian Tidal Commission v Orrin",
    "Ex parte Quillan",
    "In re Grey Gull Litigation",
    "In the Matter of Vantry",
    "Int'l Bhd. of Ostlers v. U.S. Mills, Inc.",
    "O'Hara v Weir",
    "R v Thornby",
    "M/s Heron Traders v State of North Wold",
    "Re Fair Isobel",
    "S. Pellatt v State of North Wold",
    "State of North Wold and Others v O. N. Orrin and Another",
    "The Owners of the Heron v Harbour Board",
    "United States v. $124,700 in Coin",
    "United States v. Luff",
)
OPENINGS = {
    "an italic mark": "The rule is old. *",
    "an italic mark that opens the line": "*",
    "an underline": "The rule is old. _",
    "a signal": "The rule is old. See ",
    "a signal within a sentence": "The rule is old; see also ",
}
Ask = Callable[[str], list[CompletionItem]]
AskWithin = Callable[[str, str], list[CompletionItem]]


@pytest.fixture(scope="module")
def ask(ask_within: AskWithin) -> Ask:
    """The proposals at the end of a draft."""
    return lambda source: ask_within(source, "")


@pytest.fixture(scope="module")
def ask_within(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AskWithin]:
    """The proposals between two parts of a draft, of a library of all the names."""
    folder = tmp_path_factory.mktemp("named")
    for number, name in enumerate(NAMES, 1):
        head = f"---\ntitle: {name!r}\ncitation: '[2011] UKSC {number}'\nkind: case\ndate: 2011-02-03\n---\n"
        head = head.replace('title: "', "title: >-\n  ").replace('"\n', "\n", 1)
        (folder / f"{number}.md").write_text(f"{head}\n[1] The pilot answers.\n", encoding="utf-8")
    index: Path = tmp_path_factory.mktemp("index") / "index.sqlite"
    settings = Settings(jurisdiction="UK", embeddings_model="")
    library: Library = open_library([folder], index, settings, lexical_only=True)[0]
    assert sorted(each.title for each in library.catalogue.all()) == sorted(NAMES)
    searcher, parser = Searcher(library), DraftParser(Grammar.load(), "UK")
    draft = parser.parse("file:///draft", "", FORMATS["markdown"])
    kept = Snapshot(draft, library, searcher, settings, parser=parser)

    def ask_within(before: str, after: str) -> list[CompletionItem]:
        draft = parser.parse("file:///draft", before + after, FORMATS["markdown"])
        return complete(replace(kept, draft=draft), len(before), CancelToken())

    yield ask_within
    library.close()


@pytest.mark.parametrize("opening", OPENINGS.values(), ids=OPENINGS)
@pytest.mark.parametrize("name", NAMES)
def test_no_beginning_of_a_name_is_without_it(ask: Ask, opening: str, name: str) -> None:
    lost = [
        name[:end]
        for end in range(1, len(name))
        if name not in {item.label for item in ask(opening + name[:end])}
    ]
    assert lost == []


@pytest.mark.parametrize("opening", OPENINGS.values(), ids=OPENINGS)
def test_an_opening_alone_has_a_list_whatever_stands_before(ask: Ask, opening: str) -> None:
    assert ask(opening)


@pytest.mark.parametrize("name", NAMES)
def test_a_proposal_goes_on_to_match_while_the_name_is_typed(ask: Ask, name: str) -> None:
    """Editors compare what is typed with the last answer until the next one comes."""
    for end in range(1, len(name)):
        typed = f"*{name[:end]}"
        item = next(item for item in ask(typed) if item.label == name)
        assert item.filter.startswith(f"*{name}")
        for sign in ".,'&/-)":
            rest = iter(item.filter)
            assert all(char in rest for char in f"{typed}{sign}")  # "S." for "Satish", "A&" for "A and B"


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Aus", "Australian Tidal Commission v Orrin"),
        ("Int", "Int'l Bhd. of Ostlers v. U.S. Mills, Inc."),
        ("O'Ha", "O'Hara v Weir"),
        ("An Bor", "An Bord Pell v Stark"),
        ("Any Other Woo", "Any Other Wool Ltd v Gannet"),
        ("Ex parte Qui", "Ex parte Quillan"),
        ("In re Gre", "In re Grey Gull Litigation"),
        ("Re Fai", "Re Fair Isobel"),
        ("A&B Rop", "A&B Ropes, Inc. v. Carrow"),
        ("United States v. L", "United States v. Luff"),
    ],
)
def test_three_letters_that_tell_a_name_are_enough_in_prose(ask: Ask, typed: str, name: str) -> None:
    assert name in {item.label for item in ask(f"It was said that {typed}")}


@pytest.mark.parametrize(
    ("typed", "name"),
    [("In the M", "In the Matter of Vantry"), ("Owners of the H", "The Owners of the Heron v Harbour Board"),
     ("In Va", "In the Matter of Vantry"), ("Grey Gull L", "In re Grey Gull Litigation"),
     ("Any Other Wool v. G", "Any Other Wool Ltd v Gannet"), ("Fair Is", "Re Fair Isobel"),
     ("Messrs. Heron T", "M/s Heron Traders v State of North Wold"),
     ("M/s. Ex parte Qui", "Ex parte Quillan"), ("Smt. Pellat", "S. Pellatt v State of North Wold"),
     ("Pellatt & Anr. v. State", "S. Pellatt v State of North Wold"),
     ("State of North Wold & Ors. v. O", "State of North Wold and Others v O. N. Orrin and Another")],
)  # fmt: skip
def test_small_words_may_be_left_out_or_begin_others(ask: Ask, typed: str, name: str) -> None:
    for end in range(2, len(typed) + 1):
        assert ask(f"So. *{typed[:end]}")
    assert name in {item.label for item in ask(f"So. *{typed}")}


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("State of N.W. v. O", "State of North Wold and Others v O. N. Orrin and Another"),
        ("State of N.W. v. O.N", "State of North Wold and Others v O. N. Orrin and Another"),
        ("United States v. L", "United States v. Luff"),
        ("R v T", "R v Thornby"),
    ],
)
def test_what_stands_behind_a_v_belongs_to_the_second_party(ask: Ask, typed: str, name: str) -> None:
    assert ask(f"So. *{typed}")[0].label == name


@pytest.mark.parametrize("behind", ["(2014) 31 AldLR 5", "[2011] UKSC 4", "2004 SCC 1"])
def test_a_name_is_typed_right_before_a_citation(ask_within: AskWithin, behind: str) -> None:
    for typed in ("*", "*T", "*The Own"):
        item = next(item for item in ask_within(f"So held in {typed}", f"{behind} at 3."))
        assert item.replace.end == len(f"So held in {typed}")


@pytest.mark.parametrize("behind", ["words", "word in italics*"])
def test_an_opening_before_words_that_are_there_is_quiet(ask_within: AskWithin, behind: str) -> None:
    assert ask_within("So held in *", behind) == []


@pytest.mark.parametrize("words", ["The", "In", "Any", "An", "A", "They", "It was Any", "He said that the"])
def test_a_word_of_prose_opens_no_list(ask: Ask, words: str) -> None:
    assert ask(f"It was said. {words}") == []


OTHERWISE = [
    ("In Interest of Luff", "A v Luff"),
    ("In the Interest of T. Orrin", "Australian Tidal Commission v Orrin"),
    ("Grace Quillan Clark", "Ex parte Quillan"),
    ("In re Complaint of Stark", "An Bord Pell v Stark"),
]
ABBREVIATED = [
    ("Austl. Tidal Comm'n", "Australian Tidal Commission v Orrin"),
    ("Austl. Tid", "Australian Tidal Commission v Orrin"),
    ("Heron v. Harbour Bd.", "The Owners of the Heron v Harbour Board"),
    ("U.S. v. Luff", "United States v. Luff"),
]


@pytest.mark.parametrize(("typed", "name"), OTHERWISE)
def test_a_matter_is_found_by_the_person_that_its_title_names_elsewhere(
    ask: Ask, typed: str, name: str
) -> None:
    """A list that an italic mark has opened stays open as far as the word that tells, and has the case."""
    word = next(end for end in range(len(typed), 0, -1) if typed[end - 1] == " " and typed[end].isupper())
    assert name in {item.label for item in ask(f"So. *{typed[: word + 3]}")} or "Clark" in typed
    end = typed.index("Quillan") + 4 if "Quillan" in typed else len(typed)
    assert name in {item.label for item in ask(f"So. *{typed[:end]}")}


@pytest.mark.parametrize(("typed", "name"), ABBREVIATED)
def test_words_may_be_typed_as_they_are_abbreviated(ask: Ask, typed: str, name: str) -> None:
    for end in range(3, len(typed) + 1):
        assert name in {item.label for item in ask(f"So. *{typed[:end]}")}, typed[:end]


@pytest.mark.parametrize(
    "prose",
    ["*Nothing In The Rule", "*Nothing in the ", "*Every Trial Judge", "*The Court of ", "Mr Quigley Luf"],
)
def test_emphasised_prose_opens_no_list_for_its_last_words(ask: Ask, prose: str) -> None:
    assert ask(f"It was said. {prose}") == []


@pytest.fixture(scope="module")
def numbered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """The proposals at the end of a draft, of a library of regulations whose titles end in a number."""
    folder = tmp_path_factory.mktemp("regulations")
    for title in NUMBERED:
        head = f"---\ntitle: {title}\nkind: regulation\njurisdiction: UK\n---\n\n# {title}\n\n"
        (folder / f"{title}.md").write_text(f"{head}## 5 Forms\n\nA form is signed.\n", encoding="utf-8")
    index: Path = tmp_path_factory.mktemp("index") / "index.sqlite"
    settings = Settings(jurisdiction="UK", embeddings_model="")
    library: Library = open_library([folder], index, settings, lexical_only=True)[0]
    parser = DraftParser(Grammar.load(), "UK")
    draft = parser.parse("file:///draft", "", FORMATS["markdown"])
    kept = Snapshot(draft, library, Searcher(library), settings, parser=parser)

    def ask(source: str) -> list[CompletionItem]:
        draft = parser.parse("file:///draft", source, FORMATS["markdown"])
        return complete(replace(kept, draft=draft), len(source), CancelToken())

    yield ask
    library.close()


NUMBERED = ("Fisheries Licensing (Applications) Regulations 2004", "Harbour Dues Regulations 2003")


@pytest.mark.parametrize("place", [", reg 5", ""])
@pytest.mark.parametrize("title", NUMBERED)
def test_the_number_in_a_title_is_no_place_of_what_was_cited(numbered: Ask, title: str, place: str) -> None:
    for end in range(3, len(title) + 1):
        typed = f"{title}{place}. So it was held in *{title[:end]}"
        assert title in {item.label for item in numbered(typed)}, typed
