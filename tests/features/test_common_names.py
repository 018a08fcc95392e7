"""A party called by a common word ("Rule", "But") is a name in every form, where such a case is cited."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lexls.citations.case_names.words import WORDS
from lexls.citations.grammar import Grammar
from lexls.features.completion import complete
from lexls.features.hover import hover
from lexls.features.navigation import find_definitions
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

POINTING = {"id", "ibid", "i", "e.g", "e.g."}
"""What is no word that a party is called by, or points back by itself."""
COMMON = sorted({*WORDS["introducing"], "may", "will", "bill", "grant", "code", "price", "union"} - POINTING)
MARDEN = "Fort Marden Grain, Inc."
FORMS = {
    "after the full citation's name": "*{}* v. Fort Marden Grain, Inc., {} F.3d 250, 251 (1st Cir. 2010)",
    "before a volume": "*{}*, {} F.3d at 252",
    "before a volume in plain text": "{}, {} F.3d at 252",
    "before at": "*{}* at 252",
    "before at and a comma": "*{}*, at 252",
    "before supra": "*{}*, *supra*, at 252",
    "before supra in plain text": "{}, supra, at 252",
    "before supra and a note": "*{}*, *supra* note 1, at 252",
    "before a note in brackets": "*{}* (n 1) 252",
    "before above and a note": "*{}*, above n 1, at 252",
    "before case": "the *{}* case",
}
LEADS = ("So it is. {}.", "So it is. *See* {}.", "The court followed {} on that.")


@pytest.fixture(scope="module")
def law(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    """A draft on a library with a case for each word."""
    folder: Path = tmp_path_factory.mktemp("common")
    for volume, word in enumerate(COMMON, 1):
        (folder / f"{word}.md").write_text(
            f'---\ntitle: "{word.capitalize()} v. {MARDEN}"\ncitation: "{volume} F.3d 250"\n'
            "court: United States Court of Appeals for the First Circuit\ndate: 2010-06-02\nkind: case\n"
            "jurisdiction: US\n---\n\n*250 The keeper had a warehouse. *251 He must. *252 He did not.\n",
            encoding="utf-8",
        )
    settings = Settings(jurisdiction="US", embeddings_model="")
    index = tmp_path_factory.mktemp("index") / "index.sqlite"
    library, _ = open_library([folder], index, settings, lexical_only=True)
    parser = DraftParser(Grammar.load(), "US")
    draft = parser.parse("file:///draft", "", FORMATS["markdown"])
    yield Snapshot(draft, library, Searcher(library), settings, parser=parser)
    library.close()


def read(law: Snapshot, source: str) -> Snapshot:
    assert law.parser is not None
    return replace(law, draft=law.parser.parse("file:///draft", source, FORMATS["markdown"]))


def write_cited(word: str) -> str:
    """The start of a draft that cites the case called so, in its text and in its first footnote."""
    cited = f"*{word.capitalize()} v. {MARDEN}*, {COMMON.index(word) + 1} F.3d 250, 251 (1st Cir. 2010)"
    return f"[^1]: {cited}.\n\nIt was held in {cited}.[^1]\n\n"


@pytest.mark.parametrize("word", COMMON)
def test_hover_and_definition_work_on_the_name_in_every_form(law: Snapshot, word: str) -> None:
    name = word.capitalize()
    source, places = write_cited(word), {}
    for kind, form in FORMS.items():
        for lead in LEADS:
            written = lead.format(form.format(name, COMMON.index(word) + 1))
            begin = written.index("followed") + 8 if "followed" in lead else written.index(". ") + 2
            begin += 5 if "*See*" in lead else 0
            places[kind, lead] = len(source) + written.index(name, begin) + 1
            source += f"{written}\n\n"
    snapshot, token = read(law, source), CancelToken()
    lost = []
    for place, at in places.items():
        citation = snapshot.draft.citation_at(at)
        known = [law.library.catalogue.get(each.authority) for each in find_definitions(snapshot, at, token)]
        found = {each.path.stem for each in known if each is not None}
        named = citation is not None and citation.name.startswith(name)
        if not named or found != {word} or hover(snapshot, at, token) is None:
            lost.append(place)
    assert not lost, lost


@pytest.mark.parametrize("word", COMMON)
def test_completion_works_on_the_name(law: Snapshot, word: str) -> None:
    name, lost = word.capitalize(), []
    for cited in ("", write_cited(word)):
        for opening in ("So it is. *", "So it is. *See* *", "So it is. See "):
            for end in {min(3, len(name)), len(name)}:
                source = f"{cited}{opening}{name[:end]}"
                items = complete(read(law, source), len(source), CancelToken())
                known = [law.library.catalogue.get(each.authority) for each in items]
                if word not in {each.path.stem for each in known if each is not None}:
                    lost.append((bool(cited), opening, name[:end]))
    assert not lost, lost


@pytest.mark.parametrize(
    "written",
    [
        "So it is. {}, 607 F.3d at 252 says so.",
        "So it is. *{}*, *supra*, at 252.",
        "So it is. *{}* at 252.",
        "So it is in the *{}* case.",
        "So it is. *Kane v. {}* at 252.",
    ],
)
@pytest.mark.parametrize("word", COMMON)
def test_a_word_by_which_no_cited_case_is_called_is_no_name(law: Snapshot, word: str, written: str) -> None:
    named = {"rule", "section", "article", "act", "case", "code", "may", "decision", "judgment", "ratio"}
    if written.startswith("So it is. {}, 607") and (word in named or word not in WORDS["introducing"]):
        pytest.skip("a noun before a volume is read as a name, cited or not")
    if "607" not in written and word not in WORDS["introducing"]:
        pytest.skip("no word that introduces anything")
    cited = "In *Kane v. Pell*, 607 F.3d 250, 251 (1st Cir. 2010), it was so."
    draft = read(law, f"{cited}\n\n{written.format(word.capitalize())}").draft
    assert [each.name for each in draft.citations if each.form != "full"] in ([], [""])


@pytest.mark.parametrize(
    "written",
    [
        "So it is. {} at 252 says so.",
        "So it is. {}, at 252, it says so.",
        "So it is. *{}* supra note 1, at 252.",
        "So it is. {} above n 1, at 252.",
        "So it is. {} (n 1) 252.",
        "So it is. *{}* 607 F.3d at 252.",
        "That is the {}, 607 F.3d at 252.",
        "So it is in the {} case.",
    ],
)
@pytest.mark.parametrize("word", sorted(WORDS["introducing"] - POINTING))
def test_a_word_in_the_place_of_a_signal_is_no_name_though_a_case_is_called_so(
    law: Snapshot, word: str, written: str
) -> None:
    written = written.format(word.capitalize()).replace("607", str(COMMON.index(word) + 1))
    draft = read(law, f"{write_cited(word)}{written}").draft
    assert {each.name for each in draft.citations if each.form != "full"} <= {""}
