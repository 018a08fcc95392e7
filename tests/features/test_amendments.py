# ruff: noqa: E501 (drafts stand on one line)
"""What a code's own notes say of sections as they were before."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from lexls.assessing.rules.engine import check
from lexls.citations.grammar import Grammar
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

TITLE = """\
-CITE-
    55 USC TITLE 55 - HARBOURS                                  01/03/2012 (112-90)

-EXPCITE-
    TITLE 55 - HARBOURS

-HEAD-
                           TITLE 55 - HARBOURS


-CITE-
    55 USC Sec. 101                                             01/03/2012 (112-90)

-EXPCITE-
    TITLE 55 - HARBOURS

-HEAD-
    Sec. 101. Pilots

-STATUTE-
      (a) Whoever enters a harbour shall take a pilot on
    board before the tide of 122 inches turns, where the ship -
        (1) is laden with grain;
        (2) carries more than nine persons; or
        (3) has been refused by another harbour.

      (b) No pilot shall ask for more than the dues of the harbour.

                                AMENDMENTS
      2002 - Subsec. (a). Pub. L. 107-900 substituted "122" for "121".
      1999 - Subsec. (a). Pub. L. 106-900 substituted "121" for "118".

                     EFFECTIVE DATE OF 1999 AMENDMENT
      Subsec. (b) was redesignated for vessels that lie at anchor.

-CITE-
    55 USC Sec. 102                                             01/03/2012 (112-90)

-EXPCITE-
    TITLE 55 - HARBOURS

-HEAD-
    Sec. 102. Dues

-STATUTE-
      (a) The harbour may ask for dues.

      (b) The dues are paid at the quay.

                                AMENDMENTS
      1998 - Pub. L. 105-900 designated existing provisions as subsecs.
    (a) and (b).

-CITE-
    55 USC Sec. 103                                             01/03/2012 (112-90)

-EXPCITE-
    TITLE 55 - HARBOURS

-HEAD-
    Sec. 103. Watchmen

-STATUTE-
      (a) A watchman shall be kept on the quay through the winter.

      (b) He shall carry a lamp.

                              PRIOR PROVISIONS
      Prior sections 104 to 106 were repealed.
      Section 106, Pub. L. 94-900, related to lamps.
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("code") / "library"
    folder.mkdir()
    (folder / "Title_55.txt").write_text(TITLE, encoding="utf-8")
    index = folder.parent / "index.sqlite3"
    opened, _ = open_library([folder], index, Settings(embeddings_model=""), lexical_only=True)
    yield opened
    opened.close()


@pytest.fixture
def say(library: Library, grammar: Grammar, token: CancelToken) -> Callable[[str], list[str]]:
    """What is said of a draft: each code and message."""

    def say(source: str) -> list[str]:
        settings = Settings(jurisdiction="US", embeddings_model="")
        draft = DraftParser(grammar, "US").parse("file:///draft", source, FORMATS["markdown"])
        snapshot = Snapshot(draft, library, Searcher(library, grammar=grammar), settings)
        return [f"{each.code}: {each.message}" for each in check(snapshot, token)]

    return say


@pytest.mark.parametrize(
    ("section", "has", "wanted"),
    [
        ("§ 107", "sections 101–103", "§ 107"),
        ("§ 101(c)", "§ 101 with (a)–(b)", "§ 101(c)"),
        ("§ 101(a)(4)", "§ 101(a) with (1)–(3)", "§ 101(a)(4)"),
        ("§ 107 (1990)", "sections 101–103", "§ 107"),
    ],
)
def test_a_place_that_a_code_has_not_is_told_with_the_year_of_the_copy(
    say: Callable[[str], list[str]], section: str, has: str, wanted: str
) -> None:
    told = f"pinpoint-not-found: 55 U.S.C. (2012) has {has}; there is no {wanted}"
    assert say(f"So it is. 55 U.S.C. {section}.") == [told]


@pytest.mark.parametrize("section", ["§ 106", "§ 102(1)", "§ 102(c)", "§ 41 (1909)", "§ 107 (1994 ed.)"])
def test_a_place_that_a_code_may_have_had_is_not(say: Callable[[str], list[str]], section: str) -> None:
    assert say(f"So it is. 55 U.S.C. {section}.") == []


def test_words_that_a_section_had_before_may_be_another_editions(say: Callable[[str], list[str]]) -> None:
    quoted = "Whoever enters a harbour shall take a pilot on board before the tide of {} inches turns"
    assert say(f"“{quoted.format(122)}.” 55 U.S.C. § 101(a).") == []
    (older,) = say(f"“{quoted.format(118)}.” 55 U.S.C. § 101(a).")
    assert older.startswith("quotation-spelling: ")
    assert older.endswith(": another edition?")
    (wrong,) = say(f"“{quoted.format(119)}.” 55 U.S.C. § 101(a).")
    assert wrong.startswith("misquotation: ")


def test_the_words_that_begin_a_section_go_with_its_parts(say: Callable[[str], list[str]]) -> None:
    quoted = "Whoever enters a harbour shall take a pilot on board"
    assert say(f"“{quoted}.” 55 U.S.C. § 101(a)(2).") == []
    (told,) = say(f"“{quoted}.” 55 U.S.C. § 101(b).")
    assert told.startswith("pinpoint-elsewhere: ")


def test_words_may_be_those_of_a_section_that_is_cited_behind_them(say: Callable[[str], list[str]]) -> None:
    said = "If it is due, see 55 U.S.C. § 102(b); if, however, “a watchman shall be kept on the quay through the winter,” "
    (told,) = say(f"{said}then it is not due.")
    assert told.startswith("pinpoint-elsewhere: ")
    assert say(f"{said}then it is not due to the harbour, 55 U.S.C. § 103(a).") == []
