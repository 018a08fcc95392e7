"""Provisions of the replaced Indian codes in drafts, and an invented library of a new code."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lexls.assessing.check import Problem
from lexls.assessing.related_provisions import RelatedProvision, find_related_provisions
from lexls.assessing.rules import outdated
from lexls.citations.concordance import Concordance
from lexls.citations.grammar import Grammar
from lexls.features.hover import hover
from lexls.features.navigation import find_definitions
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

SANHITA = """\
---
title: Bharatiya Nyaya Sanhita, 2023
citation: Bharatiya Nyaya Sanhita, 2023
kind: statute
date: 2023
jurisdiction: IN
---

# Bharatiya Nyaya Sanhita, 2023

## Chapter 1 Invented offences

### 103 Taking the ferry away

(1) Whoever unmoors a ferry at night shall pay for a new rope.

(2) Where five or more unmoor it together, each pays for a rope of his own.

### 318 Misleading a lighthouse keeper

(4) Whoever tells a lighthouse keeper the wrong hour shall wind the clock for a year.
"""

MURDER = (
    "Section 302 of the Indian Penal Code is section 103(1) of the Bharatiya Nyaya Sanhita, 2023, for"
    " offences committed on or after 1 July 2024"
)

Read = Callable[..., Snapshot]
Check = Callable[..., list[Problem]]


@pytest.fixture(scope="module")
def indian_library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("acts")
    (folder / "sanhita.md").write_text(SANHITA, encoding="utf-8")
    index: Path = tmp_path_factory.mktemp("index") / "index.sqlite"
    library, report = open_library(
        [folder], index, Settings(jurisdiction="IN", embeddings_model=""), lexical_only=True
    )
    assert not report.failed
    yield library
    library.close()


@pytest.fixture(scope="module")
def indian_grammar() -> Grammar:
    return Grammar.load()


@pytest.fixture
def read_indian(indian_library: Library, indian_grammar: Grammar) -> Read:
    def read(source: str, markup: str = "markdown") -> Snapshot:
        draft = DraftParser(indian_grammar, "IN").parse("file:///draft", source, FORMATS[markup])
        return Snapshot(draft, indian_library, Searcher(indian_library), Settings(jurisdiction="IN"))

    return read


@pytest.fixture
def check(read_indian: Read) -> Check:
    def check(source: str, markup: str = "markdown") -> list[Problem]:
        return list(outdated.check_provisions(read_indian(source, markup), CancelToken()))

    return check


@pytest.fixture
def related(read_indian: Read) -> Callable[[str], tuple[RelatedProvision, ...]]:
    def related(source: str) -> tuple[RelatedProvision, ...]:
        snapshot = read_indian(source)
        return find_related_provisions(snapshot.library, snapshot.concordance, snapshot.draft.citations[0])

    return related


# -- what is told ------------------------------------------------------------------------------------------


def test_a_provision_of_a_replaced_code_is_told_with_its_successor(check: Check) -> None:
    source = "The accused is charged under s. 302 IPC."
    (problem,) = check(source)
    assert (problem.code, problem.message) == ("superseded-provision", MURDER)
    assert problem.span.of(source) == "s. 302 IPC"


def test_the_fix_adds_the_one_successor_behind_the_citation(check: Check) -> None:
    source = "Charged under s. 302 IPC, he pleads alibi."
    (problem,) = check(source)
    (fix,) = problem.fixes
    (edit,) = fix.edits
    assert not fix.preferred
    fixed = source[: edit.span.start] + edit.text + source[edit.span.end :]
    assert fixed == (
        "Charged under s. 302 IPC, now section 103(1) of the Bharatiya Nyaya Sanhita, 2023, he pleads alibi."
    )
    assert check(fixed) == []


def test_the_fix_stays_outside_an_emphasis(check: Check) -> None:
    source = "Charged under section 302 of the *Indian Penal Code* alone."
    (edit,) = check(source)[0].fixes[0].edits
    assert source[: edit.span.start].endswith("*Indian Penal Code*")


def test_a_citation_that_goes_on_has_no_fix(check: Check) -> None:
    murder, common = check("The Indian Penal Code governs; section 302/34 is charged.")
    assert (murder.message, murder.fixes) == (MURDER, ())
    assert common.message.startswith("Section 34 of the Indian Penal Code is section 3(5) of the Bharatiya")
    assert common.fixes == ()


def test_a_split_is_said_and_has_no_fix(check: Check) -> None:
    (problem,) = check("Cruelty is punished by section 498-A of the Indian Penal Code.")
    assert "Section 498A of the Indian Penal Code was split into sections 85 and 86" in problem.message
    assert problem.fixes == ()


def test_a_merger_is_said(check: Check) -> None:
    (problem,) = check("Mischief to cattle falls under section 429 of the Indian Penal Code.")
    assert "merged with section 428, section 325 of the Bharatiya Nyaya Sanhita" in problem.message
    assert len(problem.fixes) == 1


def test_a_provision_without_a_successor_is_said_to_have_none(check: Check) -> None:
    (problem,) = check("The charge under section 497 of the Indian Penal Code fails.")
    assert "has no successor" in problem.message
    assert problem.fixes == ()


def test_a_subsection_is_answered_by_its_section_without_a_fix(check: Check) -> None:
    (problem,) = check("Cognizance was taken under section 190(1)(b) CrPC.")
    assert "to which section 190(1)(b) belongs, is section 210" in problem.message
    assert problem.fixes == ()


def test_each_provision_of_a_list_is_told_at_its_place(check: Check) -> None:
    source = "The accused is charged under sections 302 and 304B IPC."
    assert [(each.span.of(source), "103(1)" in each.message) for each in check(source)] == [
        ("302", True),
        ("304B", False),
    ]
    assert all(each.fixes == () for each in check(source))


def test_the_ends_of_a_range_are_told(check: Check) -> None:
    messages = [each.message for each in check("See sections 56 to 60 CrPC.")]
    assert [message.split(" of ")[0] for message in messages] == ["Section 56", "Section 60"]
    assert ["section 57" in messages[0], "section 61" in messages[1]] == [True, True]


def test_bare_sections_of_the_code_named_before_are_told_too(check: Check) -> None:
    problems = check("The Indian Penal Code governs. Section 420 applies to the bargain.")
    assert ["318(4)" in each.message for each in problems] == [True]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("He applies under section 438 of the Code of Criminal Procedure, 1973.", "section 482"),
        (
            "The certificate under section 65B(4) of the Indian Evidence Act, 1872 is missing.",
            "section 63(4)",
        ),
    ],
)
def test_all_three_codes_are_told(check: Check, source: str, told: str) -> None:
    (problem,) = check(source)
    assert told in problem.message
    assert "then pending" in problem.message


def test_a_provision_is_told_once_in_a_draft(check: Check) -> None:
    problems = check(
        "He relies on s. 302 IPC.\n\nSection 302 of the Indian Penal Code again, and s. 307 IPC.\n"
    )
    assert [each.message.split(" of ")[0] for each in problems] == ["Section 302", "Section 307"]


# -- where nothing is told ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        "Charged under s. 302 IPC (now s. 103(1) BNS).",
        "Section 302 IPC and section 103 of the Bharatiya Nyaya Sanhita, 2023 differ little.",
        "In the FIR of 12 March 2019 the offence is one under s. 302 IPC.",
        "On 14.05.2023 he struck her; s. 302 IPC applies.",
        "On 14/05/2024 he struck her; s. 302 IPC applies.",
        "In March 2024 he struck her; s. 302 IPC applies.",
        "2019 was the year of the quarrel; s. 302 IPC applies.",
        "The quarrel (2020/21) ended in death; s. 302 IPC applies.",
        "On June 30, 2024 he struck her; s. 302 IPC applies.",
        "Section 302 of the erstwhile Indian Penal Code provided for death.",
        "The Bharatiya Nyaya Sanhita changed little of section 302 of the Indian Penal Code.",
        "Charged under s. 103(1) BNS.",
        "Charged under section 161 of the Indian Penal Code.",
        "Section 236 of the Indian Penal Code is rarely used.",
        "The Indian Penal Code has many sections.",
        "Section 302 of the Companies Act, 2013 is about winding up.",
    ],
)
def test_nothing_is_told_where_the_author_means_the_old_law_or_knows_the_new(
    check: Check, source: str
) -> None:
    assert check(source) == []


@pytest.mark.parametrize(
    "source",
    [
        "On 3 August 2024 he struck her; s. 302 IPC applies.",
        "On 14.09.2024 he struck her; s. 302 IPC applies.",
        "On Sept. 3rd, 2024 he struck her; s. 302 IPC applies.",
        "The plot of 12019 square yards was in dispute; s. 302 IPC applies.",
        "On 5 May 2025 he struck her; s. 302 IPC applies.",
        "As held in K.M. Nanavati v State of Maharashtra AIR 1962 SC 605, s. 302 IPC applies.",
    ],
)
def test_a_later_day_and_the_year_of_a_case_do_not_silence(check: Check, source: str) -> None:
    assert [each.message for each in check(source)] == [MURDER]


def test_a_provision_once_cited_beside_its_successor_is_settled_for_the_draft(check: Check) -> None:
    assert check("He relies on s. 302 IPC.\n\nSection 302 IPC, now section 103(1) BNS, is plain.\n") == []


def test_another_new_provision_beside_it_settles_nothing_elsewhere(check: Check) -> None:
    problems = check("He relies on s. 302 IPC.\n\nSection 302 IPC is no section 303(2) BNS.\n")
    assert [each.message for each in problems] == [MURDER]


@pytest.mark.parametrize(
    "facts",
    [
        "FIR No. 45/2019 was registered at Aldmoor.",
        "F.I.R. No. 45 of 2019 was registered at Aldmoor.",
        "The FIR, dated 12.03.2019, names two men.",
        "Criminal Appeal No. 118 of 2022 is before this Court.",
        "The appellant was convicted by the Sessions Court on 4 May 2021.",
        "On 14.05.2018 the deceased left home.",
        "The occurrence took place on the night of March 3rd, 2024.",
    ],
)
def test_nothing_is_told_in_a_draft_about_a_case_from_before_the_change(check: Check, facts: str) -> None:
    assert check(f"{facts}\n\nHe is charged under s. 302 IPC and applies under section 438 CrPC.\n") == []


@pytest.mark.parametrize(
    "facts",
    [
        "FIR No. 45/2025 was registered at Aldmoor.",
        "The FIR of 2 September 2024 names two men.",
        "The appellant was convicted by the Sessions Court on 4 May 2026.",
        "The deceased was born on a farm; AIR 1962 SC 605 concerned another incident.",
    ],
)
def test_a_case_from_after_the_change_silences_nothing(check: Check, facts: str) -> None:
    assert [each.message for each in check(f"{facts}\n\nHe is charged under s. 302 IPC.\n")] == [MURDER]


# -- related provisions ------------------------------------------------------------------------------------


def test_the_library_s_copy_of_the_new_code_answers_for_the_old_one(
    indian_library: Library, related: Callable[[str], tuple[RelatedProvision, ...]]
) -> None:
    (found,) = related("Charged under s. 302 IPC.")
    assert found.correspondence.labels == ("103(1)",)
    assert found.authority is not None
    authority = indian_library.catalogue.get(found.authority)
    assert authority is not None
    assert authority.title == "Bharatiya Nyaya Sanhita, 2023"
    assert [place.text.strip() for place in found.places] == [
        "(1) Whoever unmoors a ferry at night shall pay for a new rope."
    ]


def test_a_new_provision_is_related_to_the_old_one_that_the_library_lacks(
    related: Callable[[str], tuple[RelatedProvision, ...]],
) -> None:
    (found,) = related("Charged under section 318(4) of the Bharatiya Nyaya Sanhita, 2023.")
    assert (found.correspondence.other, found.correspondence.labels) == ("Indian Penal Code 1860", ("420",))
    assert (found.authority, found.places) == (None, ())


def test_each_section_of_a_list_is_related(related: Callable[[str], tuple[RelatedProvision, ...]]) -> None:
    found = related("Charged under sections 302 and 420 IPC.")
    assert [(each.label, len(each.places)) for each in found] == [("302", 1), ("420", 1)]


def test_other_acts_are_related_to_nothing(related: Callable[[str], tuple[RelatedProvision, ...]]) -> None:
    assert related("Under section 302 of the Companies Act, 2013 the company is wound up.") == ()


def test_the_concordance_is_read_only_for_a_draft_that_cites_a_code(read_indian: Read) -> None:
    snapshot = read_indian("Under section 302 of the Companies Act, 2013 the company is wound up.")
    assert list(outdated.check_provisions(snapshot, CancelToken())) == []
    assert vars(snapshot.concordance) == vars(Concordance.load())


def test_hovering_an_old_provision_shows_its_successor_in_the_library(read_indian: Read) -> None:
    source = "Charged under s. 302 IPC."
    shown = hover(read_indian(source), source.index("302"), CancelToken())
    assert shown is not None
    said = shown.markdown.replace("\\", "")
    assert "Indian Penal Code 1860 is not in your library" in said
    assert MURDER in said
    assert "Whoever unmoors a ferry at night" in said


def test_hovering_a_new_provision_says_what_it_was(read_indian: Read) -> None:
    source = "Charged under section 318(4) of the Bharatiya Nyaya Sanhita, 2023."
    shown = hover(read_indian(source), source.index("318"), CancelToken())
    assert shown is not None
    said = shown.markdown.replace("\\", "")
    assert "shall wind the clock for a year" in said
    assert "was section 420 of the Indian Penal Code" in said


def test_an_old_provision_leads_to_its_successor_where_only_that_is_held(read_indian: Read) -> None:
    source = "Charged under s. 420 IPC."
    snapshot = read_indian(source)
    (found,) = find_definitions(snapshot, source.index("420"), CancelToken())
    text = snapshot.library.contents.text(found.authority)
    assert "wrong hour" in text[found.location.start : found.location.end]


def test_an_old_provision_without_a_successor_leads_nowhere(read_indian: Read) -> None:
    source = "Charged under s. 497 IPC."
    assert find_definitions(read_indian(source), source.index("497"), CancelToken()) == []
