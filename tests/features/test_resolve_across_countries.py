"""Reports that several countries call alike are read by the library's contents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lexls.citations.grammar import Grammar
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.resolve import resolve
from lexls.settings.declaration import Settings
from lexls.text.formats import FORMATS

Found = Callable[[str, str], list[str]]


def judgment(title: str, jurisdiction: str, citation: str) -> str:
    return (
        f'---\ntitle: "{title}"\ncitation: "{citation}"\nkind: case\ndate: 1985-04-24\n'
        f"jurisdiction: {jurisdiction}\n---\n\n"
        "[1] The appeal is dismissed.\n"
    )


@pytest.fixture
def found(tmp_path: Path) -> Found:
    """``found(draft, jurisdiction)``: the titles that the draft's first citation resolves to, best first."""
    folder = tmp_path / "library"
    folder.mkdir()
    both = {"Orme v Luff": "CA", "Dask v State of Tarn": "IN"}
    for title, place in both.items():
        (folder / f"{place}.md").write_text(judgment(title, place, "[1985] 1 SCR 295"))
    (folder / "only.md").write_text(judgment("Pell v Union of India", "IN", "[1986] 2 SCR 40"))
    library, _ = open_library(
        [folder], tmp_path / "i.sqlite3", Settings(embeddings_model=""), lexical_only=True
    )
    grammar = Grammar.load()

    def found(draft: str, jurisdiction: str) -> list[str]:
        parsed = DraftParser(grammar, jurisdiction).parse("file:///d.md", draft, FORMATS["markdown"])
        resolution = resolve(library, parsed, parsed.citations[0])
        authorities = [library.catalogue.get(number) for number in resolution.authorities]
        return [authority.title for authority in authorities if authority is not None]

    return found


def test_the_name_tells_which_of_two_is_meant(found: Found) -> None:
    assert found("See Orme v Luff, [1985] 1 SCR 295.", "CA") == ["Orme v Luff"]
    assert found("See Dask v State of Tarn, [1985] 1 SCR 295.", "IN") == ["Dask v State of Tarn"]


def test_the_name_counts_more_than_the_draft_s_jurisdiction(found: Found) -> None:
    assert found("See Dask v State of Tarn, [1985] 1 SCR 295.", "CA")[0] == "Dask v State of Tarn"


def test_without_a_name_the_draft_s_jurisdiction_tells(found: Found) -> None:
    assert found("See [1985] 1 SCR 295.", "CA")[0] == "Orme v Luff"
    assert found("See [1985] 1 SCR 295.", "IN")[0] == "Dask v State of Tarn"


def test_a_case_of_another_country_and_name_is_not_meant(found: Found) -> None:
    assert found("See Thorne v Lathe, [1986] 2 SCR 40.", "CA") == []
    assert found("See Pell v Union of India, [1986] 2 SCR 40.", "CA") == ["Pell v Union of India"]
    assert found("See Thorne v Lathe, [1986] 2 SCR 40.", "IN") == ["Pell v Union of India"]
