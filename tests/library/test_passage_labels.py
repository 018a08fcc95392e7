"""What people are shown of a judgment's passages, and whose words these have."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from lexls.citations.grammar import Grammar
from lexls.library.document import Block
from lexls.library.passages import cut_passages
from lexls.library.readers import parse
from lexls.library.roles.role import ROLE_WORDS, ROLES, Role
from lexls.library.speakers import (
    COURT,
    COURTS_OWN,
    HEADNOTE,
    Speaker,
    find_speaker_at,
    find_speakers,
    label_passage,
    label_sentence,
)
from lexls.text.phrases import load_phrases

RULES = load_phrases("lexls.library", "speakers.toml")["labels"]
DISSENT = Speaker("dissent", "dissenting opinion of Quill J.")


def _label(role: Role, text: str, *, heading: str = "", speaker: Speaker = COURT) -> str:
    return label_passage(role, 1.0, 1.0, heading, speaker, text).label


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["label"])
def test_every_label_is_shown_where_its_rule_says(rule: dict) -> None:
    for role in rule["roles"]:
        assert ROLE_WORDS[role] == rule["label"]
        heading, place = ("The facts", 0.2) if "heading" in rule else ("", 1.0)
        assert label_passage(role, 1.0, place, heading, COURT, rule["example"]).label == rule["label"]
        assert label_sentence("majority", rule["label"], rule["example"]) == rule["label"]


@pytest.mark.parametrize(
    ("rule", "speaker"), list(itertools.product(RULES, (DISSENT, HEADNOTE))), ids=lambda each: str(each)[:20]
)
def test_who_speaks_comes_before_what_the_words_do(rule: dict, speaker: Speaker) -> None:
    for role in rule["roles"]:
        assert _label(role, rule["example"], speaker=speaker) == speaker.words
        assert label_sentence(speaker.kind, speaker.words, rule["example"]) == speaker.words


@pytest.mark.parametrize("role", ROLES)
def test_only_the_court_holds_and_orders(role: Role) -> None:
    text = "Notice was due."
    assert label_passage(role, 1.0, 1.0, "", DISSENT, text).role not in ("RATIO", "RPC")
    assert all(label_passage(role, 1.0, 1.0, "", Speaker(kind), text).role == role for kind in COURTS_OWN)


@pytest.mark.parametrize(
    ("text", "argued"),
    [
        ("The owners submit that no notice was due.", True),
        ("We have gone through the evidence, and no notice was given.", False),
        ("The owners submit that no notice was due. We reject that submission.", False),
    ],
)
def test_a_heading_alone_makes_no_argument(text: str, argued: bool) -> None:
    headed = Speaker("counsel", "under the heading “Submissions”")
    found = label_passage("NONE", 1.0, 0.5, "Submissions", headed, text)
    assert (found.speaker, found.label) == (("counsel", headed.words) if argued else ("", ""))


@pytest.mark.parametrize(
    ("role", "text"),
    [
        ("RATIO", "In Carrow the court said: “We hold that notice must be given in writing.”"),
        ("RATIO", "If we hold that notice was due, the claim fails."),
        ("RATIO", "The clause was held to be a penalty by the court in Carrow v Vale."),
        ("RATIO", "We hold a hearing in every such matter."),
        ("RATIO", "The High Court further stated We, therefore, hold that notice was due."),
        ("RPC", "We turn to whether the appeal should be dismissed for want of notice."),
        ("RPC", "It was held that the appeal is dismissed where no notice is given."),
        ("ISSUE", "The trial judge asked whether notice was due; the question is whether he was right."),
        ("ARG_PETITIONER", "The appellant submits that no notice was due, but we reject that argument."),
        (
            "ARG_PETITIONER",
            "While the appellant claims otherwise, no notice was ever given by anybody at all.",
        ),
        (
            "ARG_RESPONDENT",
            "Notice must be given in writing, and the owners gave none before the barge left.",
        ),
        ("RLC", "A trial judge who finds the facts must say which witness was believed by the court."),
        ("FAC", "A mooring was lost where the statute required notice, and none was given by the owners."),
        ("FAC", "In Carrow v. Vale the barge left the mooring and struck the weir."),
        ("FAC", "The appellant submits that the barge left the mooring on 3 June and struck the weir."),
    ],
)
def test_what_is_not_certain_is_not_labelled(role: Role, text: str) -> None:
    assert _label(role, text) == ""


@pytest.mark.parametrize(
    "heading", ["RELEVANT LEGAL PRINCIPLES", "II › Standard of review", "Conclusions of law"]
)
def test_there_are_no_facts_under_a_heading_of_the_law(heading: str) -> None:
    text = "On 3 June the barge left the mooring and struck the weir."
    assert _label("FAC", text, heading="The facts") == "facts"
    assert _label("FAC", text, heading=heading) == ""


def test_an_order_stands_at_the_end_and_facts_need_certainty() -> None:
    order, facts = "The appeal is dismissed with costs.", "The barge left the mooring and struck the weir."
    assert label_passage("RPC", 1.0, 0.5, "", COURT, order).label == ""
    assert label_passage("FAC", 0.5, 0.1, "", COURT, facts).label == ""


def test_one_sentence_of_a_labelled_passage_has_the_label_only_if_it_alone_would() -> None:
    assert label_sentence("", "holding", "The barge had left the mooring before that.") == ""
    assert label_sentence("", "holding", "We hold that notice must be given.") == "holding"
    assert label_sentence("", "", "We hold that notice must be given.") == ""


SEPARATE = (
    ("QUILL, Circuit Judge, dissenting:", "dissenting opinion of Quill, Circuit Judge"),
    ("QUILL, J., Concurring and Dissenting.", "dissenting opinion of Quill J."),
    ("Quill, J. (dissenting).", "dissenting opinion of Quill J."),
    ("QUILL, J., concurring in judgment", "concurring opinion of Quill J."),
    ("Justice QUILL, dissenting.", "dissenting opinion of Quill J."),
)


@pytest.mark.parametrize(("line", "words"), SEPARATE)
def test_a_passage_ends_where_another_judge_begins(line: str, words: str, grammar: Grammar) -> None:
    text = f"JUSTICE WEIR delivered the opinion of the Court.\n\nNotice is due.\n\n{line}\n\nNone was due.\n"
    head = "---\nkind: case\ntitle: Alder v Weir\n---\n\n"
    source = parse(Path("alder.md"), f"{head}{text}".encode(), grammar)
    speakers = find_speakers(source.text, source.blocks)
    found = [
        (source.text[each.start : each.end].split()[-1], find_speaker_at(speakers, each.end - 1).words)
        for each in cut_passages(source)
    ]
    assert [each for _, each in found if each] == [words]
    assert found[-1] == ("due.", words)


@pytest.mark.parametrize(
    "line",
    [
        "SCALIA, J., dissenting). The rule is another.",
        "SCALIA, J., dissenting).",
        "Opinion by Judge Quill; Dissent by Judge Weir.",
        "Weir, P. J., and Quill, J., concurred.",
    ],
)
def test_a_line_that_only_names_an_opinion_begins_none(line: str) -> None:
    text = f"PER CURIAM.\n\nNotice is due. See Carrow, 1 U. S. 2, 3 (\n{line}\n\nNone was due.\n"
    assert [each.kind for _, each in find_speakers(text, [])] == ["majority"]


def test_headings_of_separate_opinions_come_before_lines() -> None:
    first, second = "majority (Weir, J.)", "dissent (Quill, J.)"
    text = f"{first}\nNotice is due.\nJustice QUILL, dissenting.\n1 . See above.\n{second}\nNone was due.\n"
    at = text.index(second)
    blocks = [Block(0, len(first), "heading"), Block(at, at + len(second), "heading")]
    assert [(place, each.kind) for place, each in find_speakers(text, blocks)] == [
        (0, "majority"),
        (at, "dissent"),
    ]


def test_the_caption_of_a_slip_is_no_headnote() -> None:
    text = (
        "SUPREME COURT OF THE UNITED STATES\nSyllabus\n\nHeld: Notice was due.\n\n"
        "SUPREME COURT OF THE UNITED STATES\n_________________\nNo. 1\n\n"
        "JUSTICE WEIR delivered the opinion of the Court.\n\nNotice is due.\n"
    )
    assert [each.kind for _, each in find_speakers(text, [])] == ["headnote", "", "majority"]
