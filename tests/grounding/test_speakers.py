"""Whose words a judgment's sentence tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexls.grounding.answer import Sentence
from lexls.grounding.evidence import Evidence, TextSegment
from lexls.grounding.render import write_sentence
from lexls.index.records import Authority
from lexls.library.document import Block
from lexls.library.speakers import COURT, Speaker, find_speakers
from lexls.wording.prose import reports_a_party


@pytest.mark.parametrize(
    "sentence",
    [
        "The appellant says that the barge was late without excuse.",
        "[4] Mr Tarn for the respondent submitted that the notice was bad.",
        "Learned counsel appearing for the State, relying on the schedule, contended that none was needed.",
        "Counsel next argued that the clause is a penalty.",
        "It was further submitted that the tribunal had no power.",
        "It has been contended that the weir was never licensed.",
        "The plaintiffs’ second argument was that a crate is not a package.",
        "His second is that clause 9 is void.",
        "Plaintiff finally contends that the terms are unconscionable.",
        "Quenby’s answer was that the risk had passed.",
        "Mrs Calder KC, for the owners, says the hull was sound.",
        "The Authority said that to give reasons would be burdensome.",
    ],
)
def test_what_a_party_says_is_a_partys(sentence: str) -> None:
    assert reports_a_party(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "We reject the submission that the clause is a penalty.",
        "The appellant contended that leave was needed, but that argument fails.",
        "I accept that the respondent said nothing of the leak.",
        "The claimant must show a good arguable case on the merits of the claim.",
        "If the defendant knows the fact, then to say nothing is to hide it.",
        "A sum is a penalty only if it is extravagant.",
        "The first is whether the obligation arises on a breach.",
        "A plaintiff may rely on section 4.",
        "The Company maintained the weir and said nothing.",
    ],
)
def test_what_the_court_says_is_the_courts(sentence: str) -> None:
    assert not reports_a_party(sentence)


HEADED = (
    ("majority (HARLAN FISKE, Circuit Judge.)", "majority", ""),
    ("dissent (PELLEW, Circuit Judge,)", "dissent", "dissenting opinion of Pellew, Circuit Judge"),
    ("dissent (Mr. Justice O’Brien,)", "dissent", "dissenting opinion of O’Brien J."),
    ("Quarrington, C.J., dissenting", "dissent", "dissenting opinion of Quarrington C.J."),
    ("concurrence (Hale, J.,)", "concurrence", "concurring opinion of Hale J."),
    (
        "concurring-in-part-and-dissenting-in-part (TREVOR, J.)",
        "dissent",
        "opinion of Trevor J., dissenting in part",
    ),
    ("head-matter", "headnote", "headnote, not the court's words"),
    ("The argument for the owners", "counsel", "under the heading “The argument for the owners”"),
)


@pytest.mark.parametrize(("heading", "kind", "words"), HEADED)
def test_a_heading_says_whose_words_follow(heading: str, kind: str, words: str) -> None:
    text = f"{heading}\nThe moorings were the board's.\nmajority (WEIR, J.)\nThe appeal is dismissed.\n"
    second = text.index("majority (WEIR")
    blocks = [Block(0, len(heading), "heading"), Block(second, second + 19, "heading")]
    at, speaker = find_speakers(text, blocks)[0]
    assert (at, speaker.kind, speaker.words) == (0, kind, words)


@pytest.mark.parametrize(
    "heading",
    [
        "U. S. 262, 286–287 (1932) (dissenting opinion); Weir",
        "Finally, the owners assert (and the dissent repeats",
        "Why the owners’ argument is rejected",
        "The facts",
    ],
)
def test_a_heading_that_only_speaks_of_a_dissent_begins_none(heading: str) -> None:
    text = f"{heading}\nThe moorings were the board's."
    assert find_speakers(text, [Block(0, len(heading), "heading")]) in ([], [(0, Speaker())])


def test_lines_of_plain_text_say_whose_words_follow() -> None:
    text = (
        "Syllabus\n\nThe board moved a yacht. Held: it had to tell her owner.\n\n"
        "JUSTICE WEIR delivered the opinion of the Court.\n\nNotice must be given. See 1 U. S. 2 (QUILL, "
        "J.,\ndissenting).\n\nJUSTICE QUILL, with whom JUSTICE\nHARROW joins, dissenting.\n\nNone was due.\n"
    )
    assert [(text[at:].split()[0], each.words) for at, each in find_speakers(text, [])] == [
        ("Syllabus", "headnote, not the court's words"),
        ("JUSTICE", ""),
        ("JUSTICE", "dissenting opinion of Quill J."),
    ]


def test_what_a_court_argues_in_a_statute_is_the_statutes() -> None:
    assert _whose("statute", "The appellant submitted that the notice was bad.") == ""
    assert _whose("case", "The appellant submitted that the notice was bad.") == "what a party argued"
    assert _whose("case", "Held, dismissing the appeal, that the notice was bad.").startswith("headnote")
    assert _whose("case", "The notice was bad.") == ""


@pytest.mark.parametrize("sign", ["v", "v."])
@pytest.mark.parametrize(
    ("sentence", "cited"),
    [
        (
            "The answer comes from Elm {} Oak (1968) 1 AldLR 301, in which it was held that notice is due.",
            True,
        ),
        ("The rule goes back to Elm {} Oak, by which this Court had held that notice is due.", True),
        ("In Elm {} Oak [2001] UKHL 7, it was held that notice is due.", True),
        ("[14] In Elm {} Oak the Court of Appeal held that notice is due.", True),
        ("In Elm {} Oak, 12 U.S. 3, 4 (1990), this Court unanimously held that notice is due.", True),
        ("We agree with Elm {} Oak, in which it was held that notice is due.", False),
        ("I would follow Elm {} Oak: notice is due.", False),
        ("It is held that notice is due: Elm {} Oak.", False),
        ("The court held a hearing in which Elm {} Oak was cited.", False),
    ],
)
def test_what_another_decision_held_is_said_to_be_its(sentence: str, cited: bool, sign: str) -> None:
    assert (_whose("case", sentence.format(sign)) == "what another decision held") == cited


def test_whose_words_they_are_stands_beside_their_place() -> None:
    pin = _evidence("case", "No notice was due.", Speaker("dissent", "dissenting opinion of Quill J.")).pin(
        0, 18
    )
    sentence = Sentence("No notice was due.", (pin,), True, 1.0)
    assert list(write_sentence(sentence))[-1].endswith("at [3] (dissenting opinion of Quill J.)")


def _whose(kind: str, text: str) -> str:
    return _evidence(kind, text).pin(0, len(text)).whose


def _evidence(kind: str, text: str, speaker: Speaker = COURT) -> Evidence:
    authority = Authority(
        id=1,
        path=Path("alder.txt"),
        library=Path(),
        relative="alder.txt",
        title="Alder v Weir",
        short_title="",
        citations=("[2019] ACA 12",),
        court="",
        date="2019",
        kind=kind,
        jurisdiction="Aldmoor",
        is_text=True,
    )
    segments = (TextSegment(0, "3", speaker=speaker),)
    return Evidence("P1", authority, 0, len(text), text, segments, (0, len(text)))
