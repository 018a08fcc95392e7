# ruff: noqa: E501 (drafts stand on one line, with marks beneath them)
"""Contracts are cited by their titles, and Acts that a code holds by the names they had."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lexls.citations.grammar import Grammar
from lexls.features.gathering import gather_answer
from lexls.grounding.render import place_of
from lexls.index.session import open_library
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.wording.descriptions import describe_codified


@pytest.mark.parametrize(
    ("text", "key", "label"),
    [
        ("Joint Moorings Services Agreement § 2 (Feb. 1, 2018).", "Joint Moorings Services Agreement", "2"),
        ("By section 2 of the Joint Moorings Services Agreement,", "Joint Moorings Services Agreement", "2"),
        ("Under the Quay Lease, s 4(1), rent is due.", "Quay Lease", "4(1)"),
    ],
)
def test_a_contract_is_cited_by_a_section_of_it(text: str, key: str, label: str) -> None:
    (citation,) = Grammar.load().find(text, "US")
    assert (citation.kind, citation.key, citation.pinpoint and citation.pinpoint.labels) == (
        "contract",
        key,
        (label,),
    )


@pytest.mark.parametrize(
    "text",
    [
        "The Joint Moorings Services Agreement is silent.",
        "By this Agreement, § 4, the Club pays.",
        "Section 4 of the said Agreement is void.",
        "42 U.S.C. is not meant: the Agreement § 4 is.",
    ],
)
def test_a_contract_is_no_authority_without_title_and_section(text: str) -> None:
    assert not [each for each in Grammar.load().find(text, "US") if each.pinpoint is not None]


def test_sections_of_contracts_are_looked_up_in_them(check_draft) -> None:
    check_draft(
        """\
The rent is quarterly. 9 U.S.C. § 2. Joint Moorings Services Agreement § 2. Id. § 1.

No more is said. Joint Moorings Services Agreement § 7.
                                                     ^ pinpoint-not-found: Joint Moorings Services Agreement has sections 1–2; there is no § 7

A contract that lies elsewhere is no authority that the library lacks. Quay Repairs Agreement § 3.
""",
        jurisdiction="US",
    )


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Copyright Act § 107", "17 U.S.C."),
        ("the Copyright Act of 1976, § 107", "17 U.S.C."),
        ("Copyright Act of 1909, § 4", "Copyright Act 1909"),
        ("section 362(a) of the Bankruptcy Code", "11 U.S.C."),
    ],
)
def test_a_code_is_cited_by_the_name_of_its_act(text: str, key: str) -> None:
    (citation,) = Grammar.load().find(text, "US")
    assert citation.key == key


def test_copyright_is_another_act_elsewhere() -> None:
    assert [each.key for each in Grammar.load().find("Copyright Act 1968 s 10", "AU")] == [
        "Copyright Act 1968"
    ]


def test_an_act_that_the_library_s_code_holds_is_said_to_be_there(check_draft) -> None:
    check_draft(
        """\
A bargain is kept, 12 F.3d 34 (9th Cir. 1993), under the Federal Arbitration Act of 1925, § 2.
                   ^^^^^^^^^^ not-in-library
                                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ not-in-library: Federal Arbitration Act 1925 is not in your library; 9 U.S.C. §§ 1–16, where it is codified, is
""",
        jurisdiction="US",
    )


def test_the_section_of_the_code_that_a_section_became_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    folder.mkdir()
    head = "---\ncitation: 29 U.S.C.\nkind: statute\njurisdiction: US\n---\n\n"
    (folder / "labor.md").write_text(
        f"{head}§ 1132. Who may sue\n\nA participant may sue.\n", encoding="utf-8"
    )
    settings = Settings(embeddings_model="")
    library, _ = open_library([folder], tmp_path / "index.sqlite3", settings, lexical_only=True)
    (citation,) = Grammar.load().find("ERISA § 502(a)(1)", "US")
    assert describe_codified(library, citation) == "; 29 U.S.C. § 1132(a)(1), where it is codified, is"
    library.close()


def test_an_act_is_held_by_the_number_behind_its_name(check_draft) -> None:
    check_draft(
        """\
A bargain is kept. Quayside Bargains Act of 2012, 9 U.S.C. § 2.

No other is. Quayside Bargains Act of 2012.
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ not-in-library
""",
        jurisdiction="US",
    )


LEASE = """\
---
title: Berth Hire Agreement
kind: contract
---

# Berth Hire Agreement

1. The Owner lets the berth to the Hirer for the season.

2. The Hirer must insure the berth against fire and collision before the season begins.
"""
OPINION = """\
---
title: Quay v. Ostler
citation: "770 So. 2d 12"
kind: case
jurisdiction: US
---

The judgment on the herring is affirmed.
"""


@pytest.mark.parametrize(
    ("jurisdiction", "place"),
    [("", "§ 2"), ("UK", "clause 2"), ("US", "§ 2")],  # the library's, else the workspace's
)
def test_an_answer_cites_a_contract_as_the_country_of_the_library_does(
    read, token, tmp_path: Path, jurisdiction: str, place: str
) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "hire.md").write_text(LEASE)
    (tmp_path / "library" / "quay.md").write_text(OPINION)
    library, _ = open_library(
        [tmp_path / "library"], tmp_path / "index.sqlite3", Settings(), lexical_only=True
    )
    snapshot = replace(
        read("|", jurisdiction=jurisdiction).snapshot, library=library, searcher=Searcher(library)
    )
    evidence = gather_answer(
        snapshot, "What must the Hirer insure the berth against?", (), token
    ).request.evidence
    assert [place_of(each.pin(*each.core)) for each in evidence[:1]] == [place]
    library.close()
