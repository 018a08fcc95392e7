"""Short forms by volume and page whose full citation is gone, and the fix that writes it there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from lexls.assessing.check import Problem
from lexls.assessing.rules.short_forms import check_short_forms
from lexls.citations.case_names.words import WORDS
from lexls.citations.grammar import Grammar
from lexls.features.hover import hover
from lexls.features.navigation import find_definitions
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

WEIR = """\
---
title: Weir v. Marden Grain Co.
citation: "627 F.3d 84"
court: United States Court of Appeals for the Ninth Circuit
date: 2010-12-03
kind: case
jurisdiction: US
---

*84 The keeper had a warehouse. *85 He must guard it against damp. *86 He did not.
"""


@pytest.fixture(scope="module")
def law(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    folder = tmp_path_factory.mktemp("library")
    (folder / "weir.md").write_text(WEIR, encoding="utf-8")
    (folder / "rule.md").write_text(RULE, encoding="utf-8")
    settings = Settings(jurisdiction="US", embeddings_model="")
    library, _ = open_library([folder], folder.parent / "index.sqlite", settings, lexical_only=True)
    grammar = Grammar.load()
    parser = DraftParser(grammar, "US")
    draft = parser.parse("file:///draft", "", FORMATS["markdown"])
    yield Snapshot(draft, library, Searcher(library, grammar=grammar), settings, parser=parser)
    library.close()


def read(law: Snapshot, text: str) -> Snapshot:
    assert law.parser is not None
    return replace(law, draft=law.parser.parse("file:///draft", text, FORMATS["markdown"]))


def find(law: Snapshot, text: str) -> list[Problem]:
    return [
        each for each in check_short_forms(read(law, text), CancelToken()) if each.code == "no-antecedent"
    ]


@pytest.mark.parametrize(
    ("draft", "lost"),
    [
        ("*Gent*, 611 F.3d at 83", "Gent, 611 F.3d at 83"),
        ("In *Malone* the court spoke of it. So *Malone*, 610 N.W.2d at 22.", "Malone, 610 N.W.2d at 22"),
        ("So it was held. 627 F.3d at 36.", "627 F.3d at 36"),
        ("Hall v. Orr, 432 U.S. 98 (1977). And *Barkley*, 627 F.3d at . *Id.* at 3.", "Barkley, 627 F.3d at"),
        # What may just not have been read, papers of the record, parallel reports.
        ("Malone v. Orr, 610 Xyz. 12. So *Malone*, 611 F.3d at 22.", ""),
        ("He denied it. 5 Dowell Dep. at 38.", ""),
        ("Hall v. Orr, 432 U.S. 98, 109 S. Ct. 12 (1977). *Hall*, 432 U.S. at 99, 109 S. Ct. at 14.", ""),
        ("Hall v. Orr, 432 U.S. 98 (1977). *Hall*, 432 U.S. at .", ""),
    ],
)
def test_a_short_form_whose_full_citation_is_gone(law: Snapshot, draft: str, lost: str) -> None:
    found = find(law, draft)
    told = [f"“{lost}” stands for nothing that is cited before it"] if lost else []
    assert [each.message for each in found] == told


def test_id_behind_a_lost_short_form_is_no_older_case(law: Snapshot) -> None:
    text = "Hall v. Orr, 432 U.S. 98 (1977). And *Barkley*, 627 F.3d at . *Id.* at 3."
    (last,) = [each for each in read(law, text).draft.citations if each.form == "id"]
    assert last.key == ""


@pytest.mark.parametrize(
    ("draft", "after"),
    [
        ("So *Weir*, 627 F.3d at 85.", "So *Weir v. Marden Grain Co.*, 627 F.3d 84, 85 (9th Cir. 2010)."),
        ("So 627 F.3d at 85.", "So _Weir v. Marden Grain Co._, 627 F.3d 84, 85 (9th Cir. 2010)."),
        ("So *Weir*, 627 F.3d at .", "So *Weir v. Marden Grain Co.*, 627 F.3d 84 (9th Cir. 2010) ."),
        # Another case of the volume, and a page before the case.
        ("So *Elm*, 627 F.3d at 85.", ""),
        ("So *Weir*, 627 F.3d at 12.", ""),
    ],
)
def test_the_full_citation_is_written_there(law: Snapshot, draft: str, after: str) -> None:
    (found,) = find(law, draft)
    assert bool(found.fixes) == bool(after)
    for fix in found.fixes:
        (edit,) = fix.edits
        assert draft[: edit.span.start] + edit.text + draft[edit.span.end :] == after


RULE = """\
---
title: Rule v. Fort Marden Grain, Inc.
citation: "607 F.3d 250"
court: United States Court of Appeals for the First Circuit
date: 2010-06-02
kind: case
jurisdiction: US
---

*250 The keeper had a warehouse. *251 He must guard it against damp. *252 He did not.
"""
CITED = "*Rule v. Fort Marden Grain, Inc.*, 607 F.3d 250 (1st Cir. 2010)."


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"{CITED} So *Rule*, 607 F.3d at 252.", "Rule"),
        (f"{CITED} See Rule, 607 F.3d at 252.", "Rule"),
        (f"{CITED} That is the Rule, 607 F.3d at 252.", ""),
        (f"{CITED} See, 607 F.3d at 252.", ""),
    ],
)
def test_a_party_called_by_a_common_word_is_a_name(law: Snapshot, text: str, name: str) -> None:
    snapshot = read(law, text)
    short = snapshot.draft.citations[-1]
    assert (short.name, short.key) == (name, "607 F.3d 250")
    at = text.rindex("Rule")
    if name:
        assert snapshot.draft.citation_at(at + 1) == short
        (target, *_) = find_definitions(snapshot, at + 1, CancelToken())
        authority = law.library.catalogue.get(target.authority)
        assert authority is not None
        assert authority.path.name == "rule.md"
        assert hover(snapshot, at + 1, CancelToken()) is not None


SIGNALS = """
    see cf also but and accord contra compare with citing quoting overruling affirming reversing following eg
    distinguishing applying cited applied discussed considered approved affirmed reversed followed id ibid sub
    nom relying upon e.g e.g. i
"""
PLAIN = {"Rule", "Section", "Article", "Act", "Case", "Code", "May", "Decision", "Price", "Will", "State"}
MARKED = {"markdown": "*{}*", "latex": "\\emph{{{}}}", "typst": "_{}_", "asciidoc": "_{}_"}


@pytest.mark.parametrize("language", MARKED)
@pytest.mark.parametrize("word", sorted({*WORDS["introducing"], *map(str.lower, PLAIN)} - {*SIGNALS.split()}))
def test_a_party_may_be_called_by_any_word_that_is_no_signal(word: str, language: str) -> None:
    name = word.capitalize()
    written = [MARKED[language], *(["{}"] if name in PLAIN else [])]
    parser = DraftParser(Grammar.load(), "US")
    for each in written:
        cited = f"In {name} v. Pell, 607 F.3d 250, 251 (1st Cir. 2010), it was so."
        source = f"{cited}\n\n{each.format(name)}, 607 F.3d at 252.\n"
        draft = parser.parse("file:///draft", source, FORMATS[language])
        [short] = [found for found in draft.citations if found.form == "short"]
        assert (short.name, short.key) == (name, "607 F.3d 250")


@pytest.mark.parametrize("word", ["But", "First", "Here", "Under", "Later", "Because"])
def test_a_word_that_begins_a_sentence_in_plain_text_is_no_name(word: str) -> None:
    cited = "In Kane v. Pell, 607 F.3d 250, 251 (1st Cir. 2010), it was so."
    source = f"{cited}\n\n{word}, 607 F.3d at 252 says more.\n"
    draft = DraftParser(Grammar.load(), "US").parse("file:///draft", source, FORMATS["markdown"])
    assert [found.name for found in draft.citations if found.form == "short"] == [""]
