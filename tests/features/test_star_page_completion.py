"""Star pages of an American case are offered wherever its page is cited."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lexls.citations.grammar import Grammar
from lexls.features.completion import complete
from lexls.features.completion_item import CompletionItem
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

CASES = {
    "Barkley v. Luff": ("627 F.3d 34", 35, "The pilot", "The master"),
    "Gannet v. Pell": ("627 F.3d 800", 801, "A ferry", "A barge"),
    "Stark v. Orrin": ("531 U.S. 98", 99, "The mill", "The grain"),
}
CITED = (
    "*Barkley v. Luff*, 627 F.3d 34 (1st Cir. 2010); *Gannet v. Pell*, 627 F.3d 800 (1st Cir. 2010); "
    "*Stark v. Orrin*, 531 U.S. 98 (2000). "
)
Ask = Callable[..., list[CompletionItem]]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """The proposals at the bar of a draft."""
    folder = tmp_path_factory.mktemp("reported")
    for number, (name, (citation, page, first, second)) in enumerate(CASES.items()):
        head = (
            f"---\ntitle: {name}\ncitation: {citation}\nkind: case\njurisdiction: US\ndate: 2010-02-03\n---\n"
        )
        body = f"It begins. *{page} {first} answers. *{page + 1} {second} does not. *{page + 2} Affirmed."
        (folder / f"{number}.md").write_text(f"{head}\n{body}\n", encoding="utf-8")
    index: Path = tmp_path_factory.mktemp("index") / "index.sqlite"
    settings = Settings(jurisdiction="US", embeddings_model="")
    library = open_library([folder], index, settings, lexical_only=True)[0]
    parser = DraftParser(Grammar.load(), "US")
    empty = parser.parse("file:///draft", "", FORMATS["markdown"])
    kept = Snapshot(empty, library, Searcher(library), settings, parser=parser)

    def ask(marked: str, **asked: bool) -> list[CompletionItem]:
        before, _, after = marked.partition("|")
        draft = parser.parse("file:///draft", before + after, FORMATS["markdown"])
        return complete(replace(kept, draft=draft), len(before), CancelToken(), **asked)

    yield ask
    library.close()


@pytest.mark.parametrize(
    ("draft", "page"),
    [
        ("*Barkley v. Luff*, 627 F.3d 34, |", "35"),
        ("*Barkley v. Luff*, 627 F.3d 34, | (1st Cir. 2010)", "35"),
        (f"{CITED}*Barkley*, 627 F.3d at |", "35"),
        (f"{CITED}*Gannet*, 627 F.3d at |", "801"),
        (f"{CITED}*Gannet*, 627 F.3d at 80|", "801"),
        (f"{CITED}531 U.S. at |", "99"),
        (f"{CITED}*Id.* at |", "99"),
        (f"{CITED}*Stark v. Orrin*, 531 U.S. at |", "99"),
    ],
)
def test_the_pages_are_those_of_the_case_cited(ask: Ask, draft: str, page: str) -> None:
    pages = {str(int(page) + more) for more in range(-1, 3)}  # the text begins on the first page
    items = ask(draft)
    assert {item.text for item in items} == pages
    assert all(item.kind == "place" and item.description for item in items)


def test_pages_follow_an_accepted_citation_and_an_accepted_short_form(ask: Ask) -> None:
    item = next(each for each in ask("It is so. *Bark|") if each.label == "Barkley v. Luff")
    assert item.asks_on
    at = item.text.index("n", item.text.index("F.3d 34"))
    found = ask(f"It is so. {item.text[: at - 2]}|{item.text[at + 1 :]}", behind=True)
    assert sorted(each.text for each in found) == [", 34", ", 35", ", 36", ", 37"]
    short = next(each for each in ask(f"{CITED}*Bark|") if each.description == "short form")
    assert short.asks_on
    assert sorted(each.text for each in ask(f"{CITED}{short.bare}|", behind=True)) == ["34", "35", "36", "37"]
