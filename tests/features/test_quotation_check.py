# ruff: noqa: E501 (drafts stand on one line, with marks beneath them)
"""Quotations in drafts against the invented library: what is marked, what is said, what the fix writes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lexls.assessing.check import Finding
from lexls.assessing.rules.engine import check as run
from lexls.assessing.rules.misquoted import (
    MISQUOTATION,
    PINPOINT_ELSEWHERE,
    QUOTATION_ALTERED,
    QUOTATION_SPELLING,
    QUOTATION_WORDING,
)
from lexls.citations.grammar import Grammar
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.quotations import Quotation, find_quotations
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.formats import FORMATS

CODES = {
    rule.code
    for rule in (MISQUOTATION, PINPOINT_ELSEWHERE, QUOTATION_ALTERED, QUOTATION_SPELLING, QUOTATION_WORDING)
}
Found = Callable[..., list[Finding]]


@pytest.fixture
def found(read, token) -> Found:  # type: ignore[no-untyped-def]
    """The quotation findings of a draft."""

    def found(draft: str, markup: str = "markdown", **settings: object) -> list[Finding]:
        marked = read(draft + "|", markup, **settings)
        findings = [each for each in run(marked.snapshot, token) if each.code in CODES]
        for each in findings:
            assert 0 <= each.span.start < each.span.end <= len(draft)
            for fix in each.fixes:
                for edit in fix.edits:
                    assert 0 <= edit.span.start <= edit.span.end <= len(draft)
        return findings

    return found


@pytest.fixture
def check(found: Found) -> Callable[..., None]:
    """A draft, under it ``^^^`` where something is marked, and each "code | message" in order."""

    def check(draft: str, marks: str, *expected: str, markup: str = "markdown") -> None:
        findings = found(draft, markup)
        assert [f"{each.code} | {each.message}" for each in findings] == list(expected)
        line = [" "] * len(draft)
        for each in findings:
            line[each.span.start : each.span.end] = "^" * len(each.span)
        assert "".join(line).rstrip() == marks.rstrip()

    return check


@pytest.fixture
def fixed(found: Found) -> Callable[..., str]:
    """A draft with the fix of every finding applied."""

    def fixed(draft: str, markup: str = "markdown") -> str:
        findings = found(draft, markup)
        assert findings
        edits = [edit for each in findings for fix in each.fixes[:1] for edit in fix.edits]
        for edit in sorted(edits, key=lambda each: each.span, reverse=True):
            draft = draft[: edit.span.start] + edit.text + draft[edit.span.end :]
        return draft

    return fixed


def test_a_changed_word_is_marked_and_the_judgments_word_named(check) -> None:
    check(
        "“The demand for storage charges succeeds, because no bill was ever rendered”: *Pell v Stark* [2009] ACA 31.",
        "                                ^^^^^^^^",
        "misquotation | “succeeds” — the judgment says “fails” ([2009] ACA 31 at [3])",
    )


def test_a_lost_negation_is_marked_where_it_is_missing(check) -> None:
    check(
        "In *Carrow v Luff* [2014] ASC 12 at [4] it was held that necessity is “judged at the time of the departure "
        "from the route and with hindsight”.",
        " " * 122 + "^^^^^^^^",
        "misquotation | the judgment has “not” here ([2014] ASC 12 at [4])",
    )


def test_an_act_speaks_its_own_words_and_not_those_of_a_case(found) -> None:
    strange = "the lantern of a lighthouse is lit by the keeper and by nobody else"
    (finding,) = found(f"The Act states that “{strange}.” Carriage of Goods Act 1994, s 11(1).")
    assert finding.message == "this passage is not in your library’s copy of Carriage of Goods Act 1994"
    (finding,) = found(
        f"The Wool Trade Act 1901 has “a bill” and says that “{strange}” for wool. Carriage of Goods Act 1994, s 11(1)."
    )
    assert finding.message == "this passage is not in your library’s copy of Carriage of Goods Act 1994"
    assert found(f"The Act states that “{strange}.” *Carrow v Luff* [2014] ASC 12 at [4].") == []


def test_an_added_word_a_modal_and_an_act(check) -> None:
    check(
        "“A carrier may issue a bill of lading on demand.” Carriage of Goods Act 1994, s 11(1).",
        "           ^^^",
        "misquotation | “may” — the Act says “must” (Carriage of Goods Act 1994, s 11(1))",
    )
    check(
        "“Notice must never be given in writing” (*The Owners of the Grey Gull v Harbour Board* [2016] AHC 88 at [2]).",
        "             ^^^^^",
        "misquotation | “never” is not in the judgment here ([2016] AHC 88 at [2])",
    )


def test_a_small_word_is_a_warning_of_its_own(check) -> None:
    check(
        "“The claimant leases the foreshore from the Crown of Aldmoor”: *Thornby Estates Ltd v Registrar of Tides* "
        "(1987) 4 AldLR 212.",
        "                     ^^^",
        "quotation-wording | “the” is not in the judgment here ((1987) 4 AldLR 212)",
    )


def test_an_ellipsis_that_swallows_a_negation(check) -> None:
    check(
        "“A licence to take seaweed is … an easement”: *Thornby Estates Ltd v Registrar of Tides* (1987) 4 AldLR 212.",
        "                              ^",
        "quotation-altered | the ellipsis leaves out “not”: the judgment has “not” ((1987) 4 AldLR 212)",
    )


def test_a_bracket_that_changes_a_modal(check) -> None:
    check(
        "“A warehouse keeper [may] guard against damp and vermin”: *Pell v Stark* [2009] ACA 31 at [2].",
        "                    ^^^^^",
        "quotation-altered | “[may]” — the judgment says “must” ([2009] ACA 31 at [2])",
    )


def test_a_scanners_slip_is_a_hint(found: Found) -> None:
    (finding,) = found(
        "“The registrar has no power to extend a 1icence after its terrn has run out”: "
        "*Thornby Estates Ltd v Registrar of Tides* (1987) 4 AldLR 212."
    )[:1]
    assert (finding.code, finding.severity) == ("quotation-spelling", "hint")
    assert finding.message.endswith(": a slip of a scan?")


def test_a_passage_that_is_not_there_is_marked_whole(check) -> None:
    check(
        "“The moon is made of the finest green cheese that one can buy.” *Carrow v Luff* [2014] ASC 12 at [4].",
        " " + "^" * 61,
        "misquotation | this passage is not in your library’s copy of [2014] ASC 12",
    )


def test_a_right_quotation_at_the_wrong_place(check, fixed) -> None:
    draft = "“Necessity is judged at the time of the departure”: *Carrow v Luff* [2014] ASC 12 at [3]."
    check(
        draft,
        " " * 85 + "^^^",
        "pinpoint-elsewhere | these words are at [4] of [2014] ASC 12, not at [3]",
    )
    assert fixed(draft) == draft.replace("[3]", "[4]")


@pytest.mark.parametrize(
    ("draft", "markup"),
    [
        ("“Necessity is judged at the time of the departure from the route”: *Carrow v Luff* [2014] ASC 12 at [4].", "markdown"),
        ("“[N]ecessity is *judged* at the time … and not with hindsight”: *Carrow v Luff* [2014] ASC 12 at [4].", "markdown"),
        ("'Necessity is judged at the time of the departure': Carrow v Luff [2014] ASC 12 at [4].", "plain"),
        ("``Necessity is \\emph{judged} at the time \\ldots{} and not with hindsight'': Carrow v Luff [2014] ASC 12 at [4].", "latex"),
        ("\\enquote{Necessity is judged at the time of the departure}\\footnote{Carrow v Luff [2014] ASC 12 at [4].}", "latex"),
        ("#quote[Necessity is judged at the time of the departure] Carrow v Luff [2014] ASC 12 at [4].", "typst"),
        ("The court in *Carrow v Luff* [2014] ASC 12 at [4] said “necessity is judged[^1] at the time of the departure”.\n\n[^1]: A note.", "markdown"),
        ("> Necessity is judged at the time of the departure from the route and not with hindsight.\n\n*Carrow v Luff* [2014] ASC 12 at [4].", "markdown"),
    ],
)  # fmt: skip
def test_faithful_quotations_are_left_alone(found: Found, draft: str, markup: str) -> None:
    assert found(draft, markup) == []
    broken = draft.replace("time", "weather")
    assert [each.code for each in found(broken, markup)] == ["misquotation"]


@pytest.mark.parametrize(
    "draft",
    [
        "The contract says “the moon is made of the finest green cheese that one can buy”, so *Carrow v Luff* "
        "[2014] ASC 12 at [4] applies.",
        "Counsel argued that “the carrier may leave the route whenever the weather is fair enough”. *Carrow v Luff* "
        "[2014] ASC 12 holds otherwise.",
        "He spoke of “necessity”: *Carrow v Luff* [2014] ASC 12 at [4].",
        "The so-called “departure rule of thumb” is old. *Carrow v Luff* [2014] ASC 12.",
        "“The moon is made of the finest green cheese that one can buy.” See *Carrow v Luff* [2014] ASC 12.",
        "“The moon is made of the finest green cheese that one can buy.” Nobody v Someone [2013] ACA 77 at [3].",
        "“A warehouse keeper must guard against damp and vermin”: *Carrow v Luff* [2014] ASC 12 at [4], quoting "
        "*Pell v Stark* [2009] ACA 31 at [2].",
    ],
)
def test_what_is_not_attributed_to_the_authority_is_left_alone(found: Found, draft: str) -> None:
    assert found(draft) == []


def test_a_block_is_compared_with_the_citation_that_introduces_it(found: Found) -> None:
    draft = (
        "As was said in *Pell v Stark* [2009] ACA 31 at [3]:\n\n"
        "> The demand for storage charges must fail, because no bill was ever rendered to the merchant.\n"
    )
    (finding,) = found(draft)
    assert finding.span.of(draft) == "must fail"


def test_a_footnote_says_where_a_quotation_comes_from(found: Found) -> None:
    draft = "It is said that “no bill was ever rendered to the captain.”[^1]\n\n[^1]: Pell v Stark [2009] ACA 31 at [3]."
    (finding,) = found(draft)
    assert finding.message == "“captain” — the judgment says “merchant” ([2009] ACA 31 at [3])"
    assert finding.related[0].authority == finding.authority


@pytest.mark.parametrize(
    ("draft", "markup", "expected"),
    [
        (
            "“Necessity is *always* judged at a time of [his] departure”: *Carrow v Luff* [2014] ASC 12 at [4].",
            "markdown",
            "“Necessity is *always* judged at the time of [his] departure”: *Carrow v Luff* [2014] ASC 12 at [4].",
        ),
        (
            "“a licence to take seaweed is an easement”: *Thornby Estates Ltd v Registrar of Tides* (1987) 4 AldLR 212.",
            "markdown",
            "“a licence to take seaweed is not an easement”: *Thornby Estates Ltd v Registrar of Tides* (1987) 4 AldLR 212.",
        ),
        (
            "``The Harbour Board moved \\emph{all} the moorings with notice to the owners of the yacht'': "
            "The Owners of the Grey Gull v Harbour Board [2016] AHC 88 at [1].",
            "latex",
            "``The Harbour Board moved \\emph{all} the moorings without notice to the owners of the yacht'': "
            "The Owners of the Grey Gull v Harbour Board [2016] AHC 88 at [1].",
        ),
    ],
)
def test_fixes_restore_the_words_and_spare_markup_and_brackets(
    fixed, draft: str, markup: str, expected: str
) -> None:
    assert fixed(draft, markup) == expected


def test_severities_come_from_the_settings(found: Found) -> None:
    draft = "“A carrier may issue a bill of lading on demand.” Carriage of Goods Act 1994, s 11(1)."
    assert [each.severity for each in found(draft)] == ["error"]
    assert found(draft, severities={"misquotation": "off"}) == []
    assert [each.severity for each in found(draft, severities={"misquotation": "hint"})] == ["hint"]


def test_a_quotation_goes_with_the_citation_of_the_sentence_before(check, found: Found) -> None:
    check(
        "It was so in *Carrow v Luff* [2014] ASC 12 at [4]. The court there said that “necessity is judged before the time of the departure”.",
        " " * 98 + "^^^^^^",
        "misquotation | “before” — the judgment says “at” ([2014] ASC 12 at [4])",
    )
    # What the pinpoint says is of its own sentence, and words that are nowhere may be anybody's.
    assert (
        found(
            "It was so in *Carrow v Luff* [2014] ASC 12 at [3]. The court went on: “necessity is judged at the time of the departure”."
        )
        == []
    )
    assert (
        found(
            "It was so in *Carrow v Luff* [2014] ASC 12 at [4]. The master wrote “we leave at dawn whatever the weather may bring”."
        )
        == []
    )


MOON = "the moon is made of the finest green cheese that one can buy"


@pytest.mark.parametrize(
    "draft",
    [
        # The words in brackets are those of the case before them, which the library lacks.
        f"Nobody v Someone [2013] ACA 77 at [3] (“{MOON}”); *Carrow v Luff* [2014] ASC 12 at [4].",
        f"Moses, On the Moon 7 (1996) (“{MOON}”); *Carrow v Luff* [2014] ASC 12 at [4].",
        # Another numbered paragraph, or another sentence, begins behind them.
        f"34. The court opined:\n“{MOON}.”\n35. However, in *Carrow v Luff* [2014] ASC 12 (2014) 31 AldLR 5, another bench said no.",
        f"It was observed: “{MOON}.” Again in *Carrow v Luff* [2014] ASC 12 (2014) 31 AldLR 5 this court said no.",
        # Pieces of the authority put together are not strange to it.
        "“A licence to take seaweed is not an easement; whoever fishes by night with lamps and drums and horns and "
        "bells and whistles from a boat, ship, barge or raft, however small or great, old or new, red or blue, or of "
        "whatever make, is free”: *Thornby Estates Ltd v Registrar of Tides* (1987) 4 AldLR 212.",
        # Whoever quotes may have changed the words, and is not in the library.
        "“Necessity is judged at the moment of the departure from the route”: *Nobody v Someone* [2013] ACA 77 at [3], "
        "quoting *Carrow v Luff* [2014] ASC 12 at [4].",
        # A reference that is not read follows, or the citation before is only what another case quotes.
        "So *Carrow v Luff* [2014] ASC 12 at [4]. It forbids what is “judged at the hour of the departure from the "
        "route and not with hindsight” (Tide Rules 84-10).",
        "So *Nobody v Someone* [2013] ACA 77 (quoting *Carrow v Luff* [2014] ASC 12 at [4]). The court said that "
        "“necessity is judged at the hour of the departure from the route”.",
    ],
)
def test_words_that_may_be_anothers_are_left_alone(found: Found, draft: str) -> None:
    assert found(draft) == []


@pytest.mark.parametrize(
    "draft",
    [
        f"The court thought “{MOON}” an open question. *Carrow v Luff* [2014] ASC 12 at [4].",
        f"In *Carrow v Luff* [2014] ASC 12 the carrier was to prove “{MOON}” and more.",
        f"*Carrow v Luff* [2014] ASC 12 at [4] (holding in a case on wool “{MOON}”).",
        f"*Carrow v Luff* [2014] ASC 12 at [4] is the rule. The court said “{MOON}”: *ibid*.",
        f"The court reads this statute with care: “{MOON}.” *Carrow v Luff* [2014] ASC 12 at [4].",
        "The court thought “of sealing wax and cabbages and kings” there. *Carrow v Luff* [2014] ASC 12 at [4].",
        # Small words side by side are everywhere.
        "“Of the route and at the end of the moon with it”: *Carrow v Luff* [2014] ASC 12 at [4].",
    ],
)
def test_words_that_the_only_authority_cited_has_not_are_told(found: Found, draft: str) -> None:
    (finding,) = found(draft)
    assert finding.message == "this passage is not in your library’s copy of [2014] ASC 12"


@pytest.mark.parametrize(
    "draft",
    [
        f"In *Carrow v Luff* [2014] ASC 12 the carrier lost; and the harbour master “{MOON}” too.",
        f"In *Carrow v Luff* [2014] ASC 12 the letter says that “{MOON}” and more.",
        f"In *Carrow v Luff* [2014] ASC 12 (a case on wool) the carrier was to prove “{MOON}” and more.",
        f"The court thought “{MOON}” true; others did not. *Carrow v Luff* [2014] ASC 12 at [4].",
        f"The lease provides “{MOON}” in terms. *Carrow v Luff* [2014] ASC 12 at [4].",
        f"*Carrow v Luff* [2014] ASC 12 at [4] (holding, where it was argued that “{MOON}”, for the owner).",
    ],
)
def test_words_that_the_sentence_may_have_from_elsewhere_are_left_alone(found: Found, draft: str) -> None:
    assert found(draft) == []


def test_a_short_quotation_in_the_midst_of_a_sentence_lacks_a_word(check) -> None:
    check(
        "In *Carrow v Luff* [2014] ASC 12 necessity is “judged at the of the departure” from port.",
        " " * 57 + "^^^^^^",
        "misquotation | the judgment has “time” here ([2014] ASC 12 at [4])",
    )


def test_an_act_that_a_sentence_names_may_be_the_one_cited_behind_it(found: Found) -> None:
    (finding,) = found(
        "The Wool Trade Act 1901 has it that “a carrier may issue a bill of lading on demand” for wool. Carriage of "
        "Goods Act 1994, s 11(1)."
    )
    assert finding.message.startswith("“may” — the Act says “must”")


def test_words_in_brackets_are_those_of_the_case_before_them(check) -> None:
    check(
        "*Carrow v Luff* [2014] ASC 12 at [4] (“necessity is judged at the moment of the departure from the route”); *Pell v Stark* [2009] ACA 31.",
        " " * 66 + "^^^^^^",
        "misquotation | “moment” — the judgment says “time” ([2014] ASC 12 at [4])",
    )


def test_pages_without_text_are_counted_where_a_passage_is_missed(tmp_path, grammar, token) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "library"
    folder.mkdir()
    head = "Pell v Stark\n\n[2009] ACA 31\n\n14 May 2009\n\n"
    (folder / "pell.txt").write_text(f"{head}[1] The grain was dry.\n\f\n\f[2] The mill was not.\n")
    settings = Settings(jurisdiction="Aldmoor", embeddings_model="")
    library, _ = open_library([folder], tmp_path / "i.sqlite3", settings, lexical_only=True)
    source = 'He held that "no miller may refuse to grind what his own tenants have brought to him": Pell v Stark [2009] ACA 31.'
    draft = DraftParser(grammar, "Aldmoor").parse("file:///draft", source, FORMATS["markdown"])
    (found,) = run(Snapshot(draft, library, Searcher(library, grammar=grammar), settings), token)
    assert found.message.endswith("copy of [2009] ACA 31, 1 of whose 3 pages have no text")
    library.close()


@pytest.mark.parametrize(
    "draft",
    [
        # Brackets tell whose words they are, whatever else they say, and what follows them is of something else.
        "*Carrow v Luff* [2014] ASC 12 at [4] (holding that “necessity is judged at the moment of the departure”); *Pell v Stark* [2009] ACA 31.",
        "*Carrow v Luff* [2014] ASC 12 at [4] (per curiam) (the court added, obiter, that “necessity is judged at the moment of the departure”); *Pell v Stark* [2009] ACA 31.",
        # What was done to a case on appeal makes it no subject of another sentence.
        "“Necessity is judged at the moment of the departure.” *Carrow v Luff* [2014] ASC 12, aff’d, [2015] ASC 3.",
        # One citation behind a sentence with several quotations; a sentence or two between the citation and the words.
        "It held “as it must” that “necessity is judged at the moment of the departure.” *Carrow v Luff* [2014] ASC 12 at [4].",
        "It was so in *Carrow v Luff* [2014] ASC 12 at [4]. The master had no time to ask. The court said that “necessity is judged at the moment of the departure”.",
    ],
)
def test_whose_words_they_are(found: Found, draft: str) -> None:
    assert [each.span.of(draft) for each in found(draft)] == ["moment"]


def test_the_next_case_is_never_tried(found: Found) -> None:
    words = "necessity is judged at the moment of the departure from the route"
    assert (
        found(
            f"Nobody v Someone [2013] ACA 77 (the court holding that “{words}”); *Carrow v Luff* [2014] ASC 12."
        )
        == []
    )
    assert (
        found(
            f"Nobody v Someone [2013] ACA 77 (“{words}”) *Carrow v Luff* [2014] ASC 12 is to the same effect."
        )
        == []
    )


WRONG = "necessity is judged at the moment of the departure from the route and not with hindsight"


@pytest.mark.parametrize(
    "draft",
    [
        # The sentence before a block goes on with the authority of the one before it.
        f"It was so in *Carrow v Luff* [2014] ASC 12 at [4]. The court said:\n\n> {WRONG}",
        f"In *Carrow v Luff* [2014] ASC 12 at [4] the rule was stated. It is old. The court said:\n\n> {WRONG}",
        # A paragraph between quotation marks is a block too, with or without a colon before it.
        f"In *Carrow v Luff* [2014] ASC 12 at [4] the court observed:\n\n“{WRONG}.”",
        f'In Carrow v Luff [2014] ASC 12, this court held as under :-\n\n"{WRONG}" (emphasis supplied).',
        f"In *Carrow v Luff* [2014] ASC 12 the court held:\n\n“Nobody is bound to.\n\n“N{WRONG[1:]}.”",
        # A short paragraph between two blocks leads from one to the other.
        "In *Carrow v Luff* [2014] ASC 12 the court held:\n\n> necessity is judged at the time of the departure\n\n"
        f"The court went on to say:\n\n> {WRONG}",
        # Footnotes at the end of a block and of the sentence before it.
        f"The rule is old:\n\n> {WRONG}.[^1]\n\n[^1]: *Carrow v Luff* [2014] ASC 12 at [4].",
        f"The court in *Carrow* said so:[^1]\n\n> {WRONG}.\n\n[^1]: *Carrow v Luff* [2014] ASC 12 at [4].",
    ],
)
def test_whose_words_a_block_has(found: Found, draft: str) -> None:
    assert [each.span.of(draft) for each in found(draft) if each.code == "misquotation"] == ["moment"]


@pytest.mark.parametrize(
    "draft",
    [
        f"*Carrow v Luff* [2014] ASC 12 is distinguishable.\n\n“{WRONG}.”",
        f"It was so in *Carrow v Luff* [2014] ASC 12. The contract says:\n\n> {WRONG}",
        # A mark that was never closed reaches no further than the next sentence that introduces a quotation.
        f"In *Pell v Stark* [2009] ACA 31 the court held:\n\n“Nobody knows.\n\nIn Nobody v Someone it said:\n\n{MOON}.”",
        f"In Nobody v Someone [2013] ACA 77 it was said:\n\n“{WRONG}.”\n\n*Carrow v Luff* [2014] ASC 12 is later.",
    ],
)
def test_a_block_of_nobody_is_left_alone(found: Found, draft: str) -> None:
    assert found(draft) == []


def test_words_may_be_those_of_the_nearest_authority_which_the_library_lacks(found: Found) -> None:
    assert found(f"“{WRONG}.” Tide Act 1914, s 3. See *Carrow v Luff* [2014] ASC 12 at [4].") == []


def test_a_copy_with_separate_opinions_alone_lacks_what_the_court_said(tmp_path, grammar, token) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "pell.md").write_text(
        "---\ntitle: Pell v Stark\ncitation: '[2009] ACA 31'\n---\n\n# Pell v Stark\n\n## Dissent (Judge Luff)\n\n"
        "The grain was dry, and the mill was not.\n"
    )
    settings = Settings(jurisdiction="Aldmoor", embeddings_model="")
    library, _ = open_library([folder], tmp_path / "i.sqlite3", settings, lexical_only=True)
    source = "He held that “no miller may refuse to grind what his own tenants have brought to him”: Pell v Stark [2009] ACA 31."
    draft = DraftParser(grammar, "Aldmoor").parse("file:///draft", source, FORMATS["markdown"])
    assert not [
        each
        for each in run(Snapshot(draft, library, Searcher(library, grammar=grammar), settings), token)
        if each.code in CODES
    ]


def test_words_that_stand_twice_are_compared_where_the_pinpoint_says(tmp_path, grammar, token) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "library"
    folder.mkdir()
    rule = "No miller may refuse to grind what his own tenants have brought to him."
    (folder / "pell.txt").write_text(
        f"Pell v Stark\n\n[2009] ACA 31\n\n14 May 2009\n\n[1] {rule}\n\n[2] The grain was dry.\n\n[3] {rule}\n"
    )
    settings = Settings(jurisdiction="Aldmoor", embeddings_model="")
    library, _ = open_library([folder], tmp_path / "i.sqlite3", settings, lexical_only=True)
    for label in (1, 3):
        source = f"“{rule.replace('grind', 'store')}” Pell v Stark [2009] ACA 31 at [{label}]."
        draft = DraftParser(grammar, "Aldmoor").parse("file:///draft", source, FORMATS["markdown"])
        (each,) = run(Snapshot(draft, library, Searcher(library, grammar=grammar), settings), token)
        assert each.message == f"“store” — the judgment says “grind” ([2009] ACA 31 at [{label}])"
    library.close()


def test_a_sentence_of_its_own_behind_a_quotation_is_not_what_is_quoted(found: Found) -> None:
    draft = (
        'Merle v Dask [1990] ASC 7 was put thus;\n"Nobody who keeps a boat on the lake may leave it there through the '
        'winter without a watch."\nThis Court in Ropes Ltd., Pell v Stark [2009] ACA 31 went on from there.'
    )
    assert not found(draft, "plain")


@pytest.mark.parametrize(
    ("written", "code"), [("realistic", QUOTATION_SPELLING.code), ("realised", MISQUOTATION.code)]
)
def test_a_word_that_the_copy_alone_has_is_its_slip(
    tmp_path, grammar, token, written: str, code: str
) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "library"
    folder.mkdir()
    for number in range(1, 61):
        word = "realisc" if number == 1 else "realistic"
        (folder / f"{number}.md").write_text(
            f"---\ntitle: Pell v Stark (No {number})\ncitation: '[2009] ACA {number}'\n---\n\n"
            f"[1] The traditional approach to the tides of the bay number {number} has to be replaced by a {word} one.\n"
        )
    settings = Settings(jurisdiction="Aldmoor", embeddings_model="")
    library, _ = open_library([folder], tmp_path / "i.sqlite3", settings, lexical_only=True)
    source = f"“The traditional approach to the tides of the bay number 1 has to be replaced by a {written} one”: [2009] ACA 1."
    draft = DraftParser(grammar, "Aldmoor").parse("file:///draft", source, FORMATS["markdown"])
    snapshot = Snapshot(draft, library, Searcher(library, grammar=grammar), settings)
    assert [each.code for each in run(snapshot, token) if each.code in CODES] == [code]


def test_parallel_citations_that_begin_a_sentence_are_not_what_is_quoted(found: Found) -> None:
    draft = (
        'Merle v Dask [1990] ASC 7 was put thus.\n"Nobody who keeps a boat on the lake may leave it there through the '
        'winter without a watch."\nIn Carrow v Luff [2014] ASC 12, (2014) 31 AldLR 5 this Court went on from there.'
    )
    assert not found(draft, "plain")


@pytest.mark.parametrize(
    ("draft", "told"),
    [
        ("Section 11 of the Carriage of Goods Act 1994 provides that “{}”.", True),
        ("“{}” Carriage of Goods Act 1994, s 11.", True),
        ("He says that it is valid under the Carriage of Goods Act 1994, s 11: “{}”.", False),
        ("There is no breach of the Carriage of Goods Act 1994, s 11 that requires “{}”.", False),
    ],
)
def test_an_act_that_is_named_need_not_speak(found: Found, draft: str, told: bool) -> None:
    words = "no miller may refuse to grind what his own tenants have brought to him"
    assert bool(found(draft.format(words))) is told


def test_a_sentence_of_its_own_may_begin_with_the_place_of_an_act(found: Found) -> None:
    draft = (
        "By the Carriage of Goods Act 1994, s 12, there is none “where the shipper concealed the nature of the "
        "goods.” Under the Carriage of Goods Act 1994, s 11, a carrier has other duties."
    )
    assert not found(draft)
    assert found(draft.replace("goods.” Under the", "goods.” See").replace(", a carrier", ". A carrier"))


def test_a_bracket_that_a_page_has_cut_in_two_belongs_to_what_stood_before_it(found: Found) -> None:
    words = "“judged at the end of the departure from the route”"
    draft = f"Nobody v Someone [1901] AHC 7 (finding\n\nit {words}); see also *Carrow v Luff* [2014] ASC 12."
    assert not found(draft)
    assert found(draft.replace(");", ";"))


def test_a_form_that_the_draft_made_its_own_is_where_it_says(found: Found) -> None:
    draft = "“appl[ying] where the shipper concealed the nature of the goods”: Carriage of Goods Act 1994, s 12({})."
    assert not found(draft.format("2"))
    assert [each.code for each in found(draft.format("1"))] == [PINPOINT_ELSEWHERE.code]


def test_who_explains_a_case_speaks_for_himself(found: Found) -> None:
    words = "“no miller may refuse to grind what his own tenants have brought to him”"
    assert found(f"In *Pell v Stark* [2009] ACA 31 the rule was put as follows: {words}.")
    assert not found(f"*Pell v Stark* [2009] ACA 31 was explained by the Board as follows: {words}.")


def test_a_dissent_may_not_be_in_the_copy(found: Found) -> None:
    words = "“no miller may refuse to grind what his own tenants have brought to him”"
    assert not found(f"Judge Stark, dissenting, said that {words}: *Pell v Stark* [2009] ACA 31.")
    assert found(f"Judge Stark said that {words}: *Pell v Stark* [2009] ACA 31.")


def test_marks_behind_a_space_end_a_quotation_where_none_opens(found: Found) -> None:
    draft = (
        'In Merle v Dask [1990] ASC 7 it was said: "Nobody who keeps a boat on the lake may leave it there at night.... "\n'
        'Of that nothing need be said here. In the yard another clerk wrote: "The lamps of the harbour burn."'
    )
    assert [draft[each.outer.start : each.outer.end] for each in _quoted(draft)] == [
        '"Nobody who keeps a boat on the lake may leave it there at night.... "',
        '"The lamps of the harbour burn."',
    ]
    draft = (
        'It was held thus: "The keeper shall wake. The court found:\n"(1) he slept, and\n(2) the lamp was out."\n'
        'In another case it held thus: "A lamp that burns is no watch."'
    )
    assert [draft[each.outer.start : each.outer.end] for each in _quoted(draft)] == [
        '"The keeper shall wake. The court found:\n"(1) he slept, and\n(2) the lamp was out."',
        '"A lamp that burns is no watch."',
    ]


def _quoted(draft: str) -> list[Quotation]:
    read = DraftParser(Grammar.load(), "Aldmoor").parse("file:///draft", draft, FORMATS["plain"])
    return find_quotations(read, read.paragraphs[0])


@pytest.mark.parametrize("leaning", ["relying on", "after referring to"])
def test_who_leans_on_an_authority_speaks_for_himself(found: Found, leaning: str) -> None:
    words = "“no miller may refuse to grind what his own tenants have brought to him”"
    assert found(f"The court in *Pell v Stark* [2009] ACA 31 held that {words}.")
    assert not found(f"The tribunal, {leaning} *Pell v Stark* [2009] ACA 31, held that {words}.")


LONG = (
    "The keeper of the lamp shall wake from dusk till dawn, and shall ring the bell of the tower at every hour, so "
    "that the masters of the vessels in the basin may know that he wakes and that the gate is kept; and if he sleeps, "
    "or leaves the tower before another keeper has come, the trustees may take the lamp from him and give it to "
    "another, whose wages shall be paid out of what the first keeper would have earned in that season."
)


@pytest.mark.parametrize(
    ("written", "codes"),
    [
        ([("the basin", "basin")], [QUOTATION_WORDING.code]),
        ([("the basin", "basin"), ("the tower at", "tower at")], [QUOTATION_SPELLING.code] * 2),
        ([("the basin", "basin"), ("wakes and", "wake and")], [QUOTATION_SPELLING.code] * 2),
        (
            [("the basin", "basin"), ("the tower at", "tower at"), ("every hour", "every second hour")],
            [QUOTATION_SPELLING.code, MISQUOTATION.code, QUOTATION_SPELLING.code],
        ),
        ([("the basin", "basin"), ("may take", "must take")], [QUOTATION_WORDING.code, MISQUOTATION.code]),
    ],
)
def test_editions_differ_in_small_words_of_a_long_passage(
    tmp_path, grammar, token, written: list[tuple[str, str]], codes: list[str]
) -> None:  # type: ignore[no-untyped-def]
    words = LONG
    for original, changed in written:
        words = words.replace(original, changed)
    files = {"lamp": f"---\ntitle: Pell v Stark\ncitation: '[2009] ACA 1'\n---\n\n[1] {LONG}\n"}
    assert _codes(tmp_path, grammar, token, files, f"“{words}”: [2009] ACA 1.") == codes


def test_words_that_another_document_quotes_so_are_the_copys_slip(tmp_path, grammar, token) -> None:  # type: ignore[no-untyped-def]
    said = "The keeper of the lamp shall wake from dusk till the morning bell rings."
    files = {
        "lamp": f"---\ntitle: Pell v Stark\ncitation: '[2009] ACA 1'\n---\n\n[1] {said.replace('morning', 'evening')}\n",
        "boat": "---\ntitle: Garrod v Luff\ncitation: '[2010] ACA 2'\n---\n\n[1] It was held in *Pell v Stark* "
        f"[2009] ACA 1 that “{said}”\n",
    }
    draft = f"Of the harbour it is rightly written that “{said}”: *Pell v Stark* [2009] ACA 1."
    assert _codes(tmp_path, grammar, token, files, draft) == [QUOTATION_SPELLING.code]
    del files["boat"]
    assert _codes(tmp_path / "alone", grammar, token, files, draft) == [MISQUOTATION.code]


def _codes(tmp_path, grammar, token, files: dict[str, str], draft: str) -> list[str]:  # type: ignore[no-untyped-def]
    """The codes found in quotations of a draft, with a library of these files."""
    folder = tmp_path / "library"
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text)
    settings = Settings(jurisdiction="Aldmoor", embeddings_model="")
    library, _ = open_library([folder], tmp_path / "i.sqlite3", settings, lexical_only=True)
    read = DraftParser(grammar, "Aldmoor").parse("file:///draft", draft, FORMATS["markdown"])
    snapshot = Snapshot(read, library, Searcher(library, grammar=grammar), settings)
    return [each.code for each in run(snapshot, token) if each.code in CODES]
