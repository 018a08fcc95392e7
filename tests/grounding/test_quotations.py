# ruff: noqa: E501 (each case is one line)
"""Comparing a quotation with an invented judgment, by strings."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexls.quotations.authority_text import AuthorityText
from lexls.quotations.compare import compare, find_places
from lexls.quotations.comparison import Comparison
from lexls.quotations.quotation import read_items

JUDGMENT = """\
Luff v Harbour Trustees

[1] The trustees of the harbour at Aldmoor may close the inner basin after sunset, but they must not close it to a
vessel in distress. Notice of 14 days shall be given to the owners, unless the pilot Garrod certifies that
there is danger to life.

[2] A licence to moor is not an interest in land. It passes to nobody and *117 dies with the licensee, however
long the mooring was used. See Pell v Stark [2009] ACA 31 at [2]. The claimant kept three barges there for
twenty years and paid regu-
larly; that does not help him.1

[3] The court’s task is to determine what the parties agreed (emphasis added) and not what they should have agreed.
The master's conduct was seaworthy in every respect, and the cargo of modern machines was undamaged.

[4] Nobody doubts that the harbour master acted in good faith. The trustees are liable for the loss of the brig,
except where the owner left her without a watch. Costs follow the event.
"""
AUTHORITY = AuthorityText(JUDGMENT)


def seen(quotation: str) -> Comparison:
    found = compare(AUTHORITY, quotation)
    for each in found.differences:
        assert 0 <= each.quoted.start <= each.quoted.end <= len(quotation)
        assert 0 <= each.original.start <= each.original.end <= len(JUDGMENT)
    return found


def check(quotation: str, verdict: str, *expected: str) -> None:
    """Each difference as "kind | words of the quotation | words of the judgment"."""
    found = seen(quotation)
    differences = [
        f"{each.kind} | {each.quoted.of(quotation)} | {' '.join(each.original.of(JUDGMENT).split())}"
        for each in found.differences
        if each.grade != "lawful"
    ]
    assert (found.verdict, differences) == (verdict, list(expected))


@pytest.mark.parametrize(
    "quotation",
    [
        "A licence to moor is not an interest in land.",
        "it passes to nobody and dies with the licensee",
        "It passes to nobody and dies with the licensee, however long the mooring was used,",
        "kept three barges there for twenty years and paid regularly; that does not help him.",
        "paid regu\u00adlarly; that does not help him",
        "The court's task is to determine what the parties agreed and not what they should have agreed",
        "task  is to\ndetermine what the parties agreed (emphasis added) and not what they should have agreed",
        "Nobody doubts that the harbour master acted in good faith",
    ],
)
def test_what_stands_there_is_verbatim(quotation: str) -> None:
    assert seen(quotation).verdict == "verbatim"


@pytest.mark.parametrize(
    "quotation",
    [
        "[T]he trustees of the harbour … may close the inner basin after sunset",
        "[a] licence to moor is not an interest in land",
        "A licence to moor is not [a right] in land. It passes to nobody",
        "A licence [granted by the Trustees] to moor is not an interest in land",
        "It pass[ed] to nobody and die[d] with the licensee",
        "The trustees … are liable for the loss of the brig",
        "The claimant kept three barges [sic] there . . . and paid regularly",
        "The claimant * * * paid regularly; that does not help him [emphasis added]",
        "Para 4.- Nobody doubts that the harbour master acted in good faith",
        "The trustees are liable (supra) for the loss of the brig, Page 0183 except where the owner left her",
        "acted in good faith. 54. The trustees are liable for the loss of the brig",
        "acted in good faith. The trustees5 are liable for the loss of the brig",
        "Costs [...] follow the event",
        "Notice of fourteen days shall be given to the owners",
        "however long the mooring was used. The claimant kept three barges there for twenty years",
        "that does not help him. The court’s task is to determine what the parties agreed",
        "Nobody doubts that the harbor-master acted in good faith. The trustees are liable",
    ],
)
def test_what_may_be_changed_is_no_difference(quotation: str) -> None:
    assert seen(quotation).verdict in ("verbatim", "lawful", "spelling")


@pytest.mark.parametrize(
    ("quotation", "expected"),
    [
        ("the cargo of rnodern machines was undamaged", "scan | rnodern | modern"),
        ("the cargo of modern rnachines was unclamaged", "scan | rnachines was unclamaged | machines"),
        ("A 1icence to moor is not an interest in land", "scan | 1icence | licence"),
        ("A licence to moor is not aninterest in land", "scan | aninterest | an interest"),
        ("conduct was seaworthv in every respect, and the cargo", "scan | seaworthv | seaworthy"),
    ],
)
def test_what_scanners_confuse_is_a_slip(quotation: str, expected: str) -> None:
    found = seen(quotation)
    assert found.verdict == "spelling"
    kind, written, original = expected.split(" | ")
    first = found.of_grade("spelling")[0]
    assert first.kind == kind
    assert written.startswith(first.quoted.of(quotation))
    assert original.startswith(first.original.of(JUDGMENT))


@pytest.mark.parametrize(
    ("quotation", "difference"),
    [
        ("A licence to moor is an interest in land.", "negation |  | not"),
        ("they must close it to a vessel in distress", "negation |  | not"),
        ("they may not close it to a vessel in distress", "modal | may | must"),
        ("Notice of 15 days shall be given to the owners", "number | 15 | 14"),
        ("The claimant kept thirty barges there for twenty years", "number | thirty | three"),
        ("unless the pilot Farrow certifies that there is danger", "name | Farrow | Garrod"),
        ("the harbour master acted in bad faith", "content | bad | good"),
        ("the harbour acted master in good faith", "order | acted master | master acted"),
        ("It passes to nobody and survives the licensee", "content | survives | dies with"),
        ("The trustees are liable for loss or damage of the brig", "content | loss or damage | the loss"),
        ("the cargo of modern machines was damaged", "negation | damaged | undamaged"),
    ],
)
def test_what_changes_the_sense_is_harmful(quotation: str, difference: str) -> None:
    check(quotation, "harmful", difference)


@pytest.mark.parametrize(
    ("quotation", "difference"),
    [
        ("A licence to moor is not the interest in land.", "function | the | an"),
        ("that the harbour master acted with good faith", "function | with | in"),
        ("The claimant keeps three barges there for twenty year", "inflexion | year | years"),
    ],
)
def test_small_words_are_wording(quotation: str, difference: str) -> None:
    found = seen(quotation)
    kind, written, original = difference.split(" | ")
    assert any(
        (each.kind, each.quoted.of(quotation), each.original.of(JUDGMENT)) == (kind, written, original)
        for each in found.differences
    )


@pytest.mark.parametrize(
    ("quotation", "difference"),
    [
        ("they must … close it to a vessel in distress", "ellipsis-sense | … | not"),
        ("A licence to moor is . . . an interest in land", "ellipsis-sense | . . . | not"),
        (
            "shall be given to the owners … that there is danger to life",
            "ellipsis-sense | … | unless the pilot Garrod certifies",
        ),
        (
            "The trustees of the harbour at Aldmoor [must] close the inner basin",
            "bracket-sense | [must] | may",
        ),
        ("Notice of [40] days shall be given to the owners", "bracket-sense | [40] | 14"),
        ("A licence to moor is [surely] an interest in land", "bracket-sense | [surely] | not"),
    ],
)
def test_marks_that_change_the_sense_are_altered(quotation: str, difference: str) -> None:
    check(quotation, "altered", difference)


def test_an_ellipsis_over_whole_sentences_may_leave_out_a_negation() -> None:
    assert (
        seen("It passes to nobody and dies with the licensee … Costs follow the event").verdict == "verbatim"
    )


def test_other_words_are_absent() -> None:
    found = seen("The moon is made of the finest green cheese that money can buy in the market")
    assert found.verdict == "absent"
    assert found.share < 0.5


def test_all_places_of_a_repeated_passage_are_found() -> None:
    text = "The rule is plain and old. Much follows. The rule is plain and old."
    assert [span.of(text) for span in find_places(AuthorityText(text), "the rule is plain")] == [
        "The rule is plain",
        "The rule is plain",
    ]


def test_the_most_faithful_of_two_places_counts() -> None:
    text = "He may not sell the ship to her at all. In the end he may now sell the ship to her at once."
    assert compare(AuthorityText(text), "he may now sell the ship to her at once").verdict == "verbatim"
    assert compare(AuthorityText(text), "he may not sell the ship to her at all").verdict == "verbatim"


def test_words_left_out_are_found_where_the_others_are_rare() -> None:
    usual = "The licence is granted in the course of a voyage. " * 20
    other = "Nobody may anchor here after sunset, and no barge may lie across the channel at any tide. " * 5
    text = f"{usual}{other}The harbour works in the ordinary course of its operation. {other}"
    found = compare(AuthorityText(text), "in the course of its operation")
    assert [(each.kind, each.original.of(text)) for each in found.differences] == [("content", "ordinary")]


def test_words_left_out_near_the_beginning_of_a_short_quotation() -> None:
    text = "A tide table is a work based upon one or more earlier works. It is printed every year."
    found = compare(AuthorityText(text), "a work or more earlier works")
    assert [each.original.of(text) for each in found.differences] == ["based upon one"]


def test_an_ellipsis_over_a_whole_code_costs_no_more_than_its_text() -> None:
    text = (
        f"The owner of a barge shall moor it. {'Every tide is noted in the book. ' * 40_000}He pays the dues."
    )
    started = time.perf_counter()
    assert compare(AuthorityText(text), "The owner of a barge … pays the dues").verdict == "verbatim"
    assert time.perf_counter() - started < 20


def test_brackets_and_ellipses_are_items_of_their_own() -> None:
    found = read_items("[T]he court … held [in 1990] that . . . it determin[ed] [sic] nothing")
    assert [item.kind for item in found] == [
        "word", "word", "ellipsis", "word", "bracket", "word", "ellipsis", "word", "word", "word",
    ]  # fmt: skip
    assert found[0].norm == "the"
    assert found[8].same("determine")
    assert not found[8].same("detain")


# -- properties ----------------------------------------------------------------------------------------------

WORDS = JUDGMENT.split("[3]")[1].split("[4]")[0].replace("(emphasis added) ", "").split()
NEGATION = WORDS.index("not")


@st.composite
def segments(draw: st.DrawFn, least: int = 10) -> tuple[int, int]:
    start = draw(st.integers(0, len(WORDS) - least))
    return start, draw(st.integers(start + least, len(WORDS)))


@given(segments(), st.data())
@settings(max_examples=150, deadline=None)
def test_lawful_changes_are_never_flagged(segment: tuple[int, int], data: st.DataObject) -> None:
    words = WORDS[slice(*segment)]
    for _ in range(data.draw(st.integers(0, 2))):
        place = data.draw(st.integers(2, len(words) - 3))
        change = data.draw(st.sampled_from(("note", "space", "marks", "capital")))
        if change == "note" and not words[place].startswith("["):
            words[place] = "[sic] " + words[place]
        elif change == "space":
            words[place] = words[place] + "\u00a0"
        elif change == "marks":
            words[place] = "‘" + words[place] + "’"
        elif change == "capital" and words[0].isalpha():
            words[0] = f"[{words[0][0].swapcase()}]{words[0][1:]}"
    found = seen(" ".join(words))
    assert found.verdict in ("verbatim", "lawful"), found


@given(segments(), st.sampled_from(("drop", "modal", "add", "swap")), st.data())
@settings(max_examples=150, deadline=None)
def test_harmful_changes_are_always_flagged(
    segment: tuple[int, int], change: str, data: st.DataObject
) -> None:
    words = WORDS[slice(*segment)]
    place = data.draw(st.integers(3, len(words) - 4))
    if change == "drop":
        start, end = max(0, NEGATION - 6), min(len(WORDS), NEGATION + 7)
        words = WORDS[start:NEGATION] + WORDS[NEGATION + 1 : end]
    elif change == "modal":
        start, end = max(0, WORDS.index("should") - 6), WORDS.index("should") + 6
        words = ["must" if word == "should" else word for word in WORDS[start:end]]
    elif change == "add":
        words = [*words[:place], "never", *words[place:]]
    else:
        words = [*words[:place], "elephants", "whisper", *words[place + 2 :]]
    assert seen(" ".join(words)).verdict == "harmful"


@given(st.text(alphabet="abnot. […]*'“”-1\n\u00adé", max_size=200))
@settings(max_examples=300, deadline=None)
def test_spans_are_always_inside(quotation: str) -> None:
    seen(quotation)


@given(st.text(max_size=300), st.text(max_size=120))
@settings(max_examples=200, deadline=None)
def test_any_two_texts_can_be_compared(source: str, quotation: str) -> None:
    found = compare(AuthorityText(source), quotation)
    for each in found.differences:
        assert 0 <= each.quoted.start <= each.quoted.end <= len(quotation)
        assert 0 <= each.original.start <= each.original.end <= len(source)


COPY = """\
12. An inquiry under s. 300 must be held. In this court (t)otal income counts. See P Iqbal v Union of Tollen and
others : (1992) 1 SCC 434 1991 Indlaw SC 438 on live links. Id. Thus the widow may redeem her goods.

13. If § 506(d) is hard, the war on June 10,1890 was over. The parties agreed. The peace ended the Avar. The war
was long, and the trustee lost. A bird of prey was on the moor. A baker could copy and distribute a loaf in crusty
form. Sellers thought of distributing films in crusty form as well, and songs in crusty form, too.
The tru stee of the moor wept. A wherry that is moored [note 3] by one rope is not moored at all.
"""


@pytest.mark.parametrize(
    ("quotation", "verdict"),
    [
        ("An inquiry under Section 300 must be held.", "lawful"),
        ("An enquiry under s. 300 must be held.", "spelling"),
        ("In this court [t]otal income counts", "lawful"),
        ("34. An inquiry under s. 300 must be held.", "lawful"),
        ("An inquiry under s. 301 must be held.", "harmful"),
        ("P Iqbal v Union of Tollen and Ors 1991 Indlaw SC 438 on live links", "lawful"),
        ("P Iqbal v Union of Tollen and others (AIR 1992 SC 88) on live links", "lawful"),
        ("on live links. Thus the widow may redeem her goods", "lawful"),
        ("If 506(d) is hard, the war on June 10, 1890 was over", "lawful"),
        ("The peace ended the war.", "lawful"),
        ("The trustee of the moor wept.", "lawful"),
        ("income counts. P Iqbal v Union of Tollen", "lawful"),
        ("The peace ended the Avar.", "lawful"),
        ("The par\u00ad lies agreed. The peace ended", "spelling"),
        ("The par\u00ad ties agreed. The peace ended", "lawful"),
        ("A wherry that is moored by one rope is not moored at all.", "lawful"),
        ("could [use flour to] copy and distribute ... loaf[s] in crusty form", "lawful"),
        ("(A)n inquiry under s. 300 must be held", "lawful"),
        ("fa]n inquiry under s. 300 must be held", "lawful"),
        ("under s. 300 must be held. In th[e harbour] court", "lawful"),
        ("In this court total income counts. Xxx xxx xxx Thus the widow may redeem her goods", "lawful"),
        ("In this court total income counts. ... 14. Thus the widow may redeem her goods", "lawful"),
    ],
)
def test_what_copies_and_publishers_put_in_is_no_difference(quotation: str, verdict: str) -> None:
    found = compare(AuthorityText(COPY), quotation)
    assert ("lawful" if found.verdict == "verbatim" else found.verdict) == verdict, found.differences


SCANNED = AuthorityText(
    "[Wjhen the pilot came, the basin was closed ah hour before dark on 3 March 1998, and do vessel could\n"
    "enter it. The anticir-eumvention rule cf the harbour is the 3rdly of its rules, made u/s 5."
)


@pytest.mark.parametrize(
    ("quotation", "verdict"),
    [
        ("When the pilot came, the basin was closed", "verbatim"),
        ("the basin was closed an hour before dark", "spelling"),
        ("the basin was closed ah hour before dark on 03.03.1998, and do vessel could enter it", "lawful"),
        ("closed ah hour before dark on 4 March 1998, and", "harmful"),
        ("and no vessel could enter it", "spelling"),
        ("The anti-circumvention rule of the harbour is the", "spelling"),
        ("the harbour is the thirdly of its rules, made under s 5", "lawful"),
        ("closed anhourbefore dark on", "spelling"),
        ("When the pilot came, the basin ⅛ closed ah hour before dark", "spelling"),
        ("the basin was closed ah hour beforedar on 3 March 1998", "spelling"),
        ("the basin was closed ah hour_The anti-circumvention rule of the harbour", "spelling"),
        ("closed a day before dark on", "harmful"),
    ],
)
def test_what_scanners_and_publishers_make_of_words(quotation: str, verdict: str) -> None:
    assert compare(SCANNED, quotation).verdict == verdict


def test_an_abbreviation_is_the_word_that_it_stands_for() -> None:
    text = AuthorityText(
        "[1] By subcl. (b) of cls. 4 and 5 of the Standing Order no keeper may leave his light at night."
    )
    found = compare(
        text, "By Sub-clause (b) of Clauses 4 and 5 of the Standing Order no keeper may leave his light"
    )
    assert found.verdict in ("verbatim", "lawful")
    text = AuthorityText(
        "[1] By r. 4 of the Class IT g rules of the service no keeper may leave his light at night."
    )
    found = compare(
        text, "By rule 4 of the Class II rules of the service no keeper may leave his light at night"
    )
    assert found.verdict == "spelling"


def test_the_numbers_of_sections_and_lists_are_words() -> None:
    text = AuthorityText(
        "[1] He follows these: 1. The keeper shall wake, as enjoined by S. 227. If he sleeps, the harbour is lost."
    )
    for quotation in (
        "He follows these: 1. The keeper shall wake",
        "as enjoined by S. 227. If he sleeps, the harbour",
    ):
        assert compare(text, quotation).verdict == "verbatim"
    assert compare(text, "as enjoined by S. 228. If he sleeps, the harbour is lost").verdict == "harmful"


def test_a_publisher_may_put_a_report_in_the_place_of_supra() -> None:
    text = AuthorityText(
        "[1] The test laid down by Virgo's case supra for the applicability of the clause is now ingrained."
    )
    found = compare(
        text,
        "The test laid down by Virgo's case 1958 Indlaw SC 82 (supra) for the applicability of the clause",
    )
    assert found.verdict in ("verbatim", "lawful")


CITING_COPY = AuthorityText(
    "23. Notice was given to the keeper. The basin is closed at dusk, as was held in Garrod v. Union of Tollen and "
    "Ors. 1991 Indlaw SC 438 and H. Luff 1993 Indlaw SC 12 (supra) as to the the moor of Upper Aldmoor. The pilot must "
    "ring the bell of the tower."
)


@pytest.mark.parametrize(
    ("quotation", "verdict"),
    [
        ("at dusk, as was held in Garrod v. Union of Tollen 1991 Indlaw SC 438 and", "lawful"),
        (
            "Tollen and Ors. 1991 Indlaw SC 438 and State of Tollen v. H. Luff, (1993) 2 SCC 40 1993 Indlaw SC 12",
            "lawful",
        ),
        ("Garrod v. Union of Tollen and Ors. AIR 1991 SC 88 and H. Luff 1993 Indlaw SC 12", "lawful"),
        ("Garrod v. Union of Telling and Ors. 1991 Indlaw SC 438 and H. Luff 1993", "harmful"),
        (
            "Garrod v. Union of Tollen and Ors. 1991 Indlaw SC 438 and H. Pell 1993 Indlaw SC 12 (supra) as to",
            "harmful",
        ),
        ("as to the moor of Upper Aldmoor. The pilot must ring", "lawful"),
        ("as to the moor of Upper Aldmoor. 36. The pilot must ring", "lawful"),
        ("1993 Indlaw SC 12 (supra). 36. As to the moor of Upper Aldmoor.", "lawful"),
        ("as to the moor of U.A. The pilot must ring the bell", "spelling"),
        ("The basin is closed at dusk. xxx xxx xxx The pilot must ring the bell", "lawful"),
        (
            "as was held in Garrod v. Union of Tollen and Ors. [(1992) 2 SCC 40 1991 Indlaw SC 438] and H. Luff",
            "lawful",
        ),
        ("19........The basin is closed at dusk, as was held in Garrod", "lawful"),
        ("as to the moor1994 Indlaw SC 77 of Upper Aldmoor. The pilot must ring", "lawful"),
    ],
)
def test_publishers_write_citations_their_own_way(quotation: str, verdict: str) -> None:
    found = compare(CITING_COPY, quotation)
    assert ("lawful" if found.verdict == "verbatim" else found.verdict) == verdict, found.differences


def test_signs_letters_and_citations_between_words_are_no_other_words() -> None:
    text = AuthorityText(
        "[1] By Articles 4 or 5 of the code a keeper sleeps. Under the IPC a keeper pays dues at the rate of five crowns for every night that he sleeps. To wake is "
        "an “unmitigated good,” Virgo, 501 T. R., at 181, “essential to the harbour and to its light.”"
    )
    for quotation in (
        "By Art. 4 or 5 of the code a keeper",
        "Under the Penal Code a keeper pays dues at the rate of five crowns",
        "a keeper pays dues @ five crowns for every night that he sleeps",
        "To wake is an unmitigated good, essential to the harbour and to its light",
    ):
        assert compare(text, quotation).verdict in ("verbatim", "lawful", "spelling"), quotation
    assert compare(text, "a keeper pays dues of five crowns for every night").verdict == "harmful"


def test_the_notes_at_the_foot_of_a_page_do_not_part_a_sentence() -> None:
    text = AuthorityText(
        "The harbour rules established certain safeguards of procedure that require\n——————\nclear, however, where the "
        "keeper gives a plain statement of his reasons.\n\n8\n\npilots to warn the masters of vessels of the bar before "
        "they enter the inner basin."
    )
    said = (
        "certain safeguards of procedure that require pilots to warn the masters of vessels of the bar before"
    )
    assert compare(text, said).verdict in ("verbatim", "lawful")
    assert compare(text, said.replace("safeguards of procedure", "rules of prudence")).verdict == "harmful"
