"""Whose words a quotation is: typographies, styles of citing and introductions, all combined."""

from __future__ import annotations

from itertools import cycle

import pytest

from lexls.assessing.excerpt import list_excerpts
from lexls.assessing.quotations import assess_quotation, find_attributions, find_block_attributions
from lexls.quotations.attribution import Attribution
from lexls.reading.quotations import Quotation
from lexls.reading.snapshot import Snapshot

WORDS = "A ferryman who sleeps at the oar answers for every hour that the passenger loses"
CITATIONS = {
    "*Wren v Tansy* [2017] ASC 31 at [8]": "Aldmoor",
    "[2017] ASC 31, [8]": "Aldmoor",
    "*Wren v Tansy* [2017] UKSC 31, [2017] 1 WLR 88 at [8]": "UK",
    "*Wren v Tansy* [2017] EWCA Civ 31, para 8 (Tansy LJ)": "UK",
    "*Wren v Tansy* (2017) 88 CLR 31, 40": "AU",
    "*Wren v. Tansy*, 831 F.3d 88, 91 (9th Cir. 2017)": "US",
    "831 F.3d 88, 91": "US",
    "*Wren v. Tansy*, 2017 SCC 31 at para. 8": "CA",
    "Wren v. State of Kerala, (2017) 8 SCC 31, para 8": "IN",
}
MARKS = (
    *("“{}.”", "“{}”.", "“{}”", "“{}.”.", "“{}…”", "“{}”,", "“{} …”"),
    *('"{}."', '"{}".', "‘{}.’", "‘{}’.", "'{}'.", "«{}.»", "« {}. »", "« {} ».", "„{}.“", "“‘{}.’”"),
)
DIRECTLY_AFTER = (
    *(
        "{q} {c}.",
        "{q} {c}",
        "{q}\n{c}.",
        "{q} ({c}).",
        "{q} ({c})",
        "{q} [{c}].",
        "{q} — {c}.",
        "{q} – {c}.",
    ),
    *("{q} (emphasis added) {c}.", "{q} [emphasis added] {c}.", "{q} (emphasis added): {c}."),
    *("{q} (footnotes omitted; emphasis added) ({c}).", "{q} [footnotes omitted] ({c})."),
    *(
        "{q} per Marlow J in {c}.",
        "{q} (per Marlow J in {c}).",
        "{q} Per Lord Marlow, {c}.",
        "{q} Marlow J in {c}.",
    ),
    *("{q}, as the court held in {c}.", "{q} (as held in {c}).", "{q}, said Marlow J in {c}."),
    *(
        "{q} So said the Supreme Court in {c}.",
        "{q} It was so held in {c}.",
        "{q} That was said by Marlow J in {c}.",
    ),
    *("{q} Quoted from {c}.", "{q} (taken from {c}).", "{q} at page 8 of {c}.", "{q} (paragraph 8 of {c})."),
    *("{q} {c}. The pilot has no answer to that.", "{q} {c} (emphasis added).", "{q} ({c}, per Marlow J)."),
    *("{q} {c}, followed in *Pell v Stark* [2009] ACA 31.", "{q} {c}; *Pell v Stark* [2009] ACA 31 at [2]."),
    *("{q}[^n]\n\n[^n]: {c}.", "{q} [^n] The pilot has no answer.\n\n[^n]: {c}.", "{q}^[{c}.]"),
    "{q}[^n]\n\n[^n]: Per Marlow J, {c}.",
)
INTRODUCTIONS = (
    *("", "The court said: ", "As the court put it, ", "The point is old. ", "Marlow J said: ", "12. ", "- "),
    *(
        "The claimant says otherwise. ",
        "Counsel relied on a lease. ",
        "*Pell v Stark* [2009] ACA 31 differs. ",
    ),
    "The defendant argues the contrary.\n\n",
)
SPOKEN_BY_OTHERS = (
    *(
        "The claimant’s counsel argued: ",
        "The defendant contends that ",
        "The lease provides: ",
        "Her letter says: ",
    ),
    *("The witness wrote: ", "The respondent submits: ", "The statute reads: ", "As the complaint states, "),
)


def attribute_all(snapshot: Snapshot) -> list[tuple[Quotation, Attribution | None]]:
    inline = (each for excerpt in list_excerpts(snapshot) for each in find_attributions(excerpt))
    return [*find_block_attributions(snapshot), *inline]


@pytest.fixture
def not_strong(read):  # type: ignore[no-untyped-def]
    """The drafts of which the quotation is not strongly attributed to the first citation behind it."""

    def find(drafts: list[str], jurisdiction: str) -> list[str]:
        failed = []
        for draft in drafts:
            snapshot = read(draft + "|", jurisdiction=jurisdiction).snapshot
            _, attributed = attribute_all(snapshot)[-1]
            cited = attributed.cited[0].citation if attributed is not None else None
            if cited is None or not attributed.strong or "31" not in cited.key + cited.name:
                failed.append(draft.replace(WORDS, "…"))
        return failed

    return find


@pytest.mark.parametrize("citation", CITATIONS)
@pytest.mark.parametrize("mark", MARKS)
def test_a_sentence_is_that_of_the_citation_directly_after_it(not_strong, mark: str, citation: str) -> None:
    quoted = mark.format(WORDS)
    drafts = [
        introduction + after.format(q=quoted, c=citation)
        for introduction, after in zip(cycle(INTRODUCTIONS), DIRECTLY_AFTER, strict=False)
    ]
    assert not_strong(drafts, CITATIONS[citation]) == []


@pytest.mark.parametrize("introduction", INTRODUCTIONS)
@pytest.mark.parametrize("mark", ["“{}.”", "'{}'."])
def test_no_introduction_loosens_that(not_strong, introduction: str, mark: str) -> None:
    citation = next(iter(CITATIONS))
    drafts = [introduction + after.format(q=mark.format(WORDS), c=citation) for after in DIRECTLY_AFTER]
    assert not_strong(drafts, "Aldmoor") == []


@pytest.mark.parametrize("spoken", SPOKEN_BY_OTHERS)
@pytest.mark.parametrize("citation", CITATIONS)
def test_what_somebody_else_says_is_not_strongly_the_citations(
    not_strong, spoken: str, citation: str
) -> None:
    drafts = [
        spoken + after.format(q=f"“{WORDS}.”", c=citation) for after in DIRECTLY_AFTER if "[^n]" not in after
    ]
    assert not_strong(drafts, CITATIONS[citation]) == [each.replace(WORDS, "…") for each in drafts]


@pytest.mark.parametrize(
    "after",
    [
        "{q} Dkt. 31 at 8. {c}.",
        "{q} See {c}.",
        "{q} The court said the opposite in {c}.",
        "{q} {c} is to the contrary.",
        "{q} The contrary was held in {c}.",
        "{q} However, {c}.",
        "({q}) {c}.",
    ],
)
@pytest.mark.parametrize("citation", CITATIONS)
def test_a_citation_that_may_be_of_something_else_is_not_strong(
    not_strong, after: str, citation: str
) -> None:
    drafts = [after.format(q=mark.format(WORDS), c=citation) for mark in ("“{}.”", "“{}”.", '"{}."')]
    assert not_strong(drafts, CITATIONS[citation]) == [each.replace(WORDS, "…") for each in drafts]


HALF_INVENTED = (
    "A carrier who leaves the agreed route must repay the freight to the merchant at once",
    "Necessity is judged at the time when the owner learns of it",
    "No court asks whether the cargo might have been lost anyway",
)


@pytest.mark.parametrize("words", HALF_INVENTED)
def test_a_whole_sentence_of_which_only_half_is_the_authoritys_is_reported(read, words: str) -> None:  # type: ignore[no-untyped-def]
    for introduction, after in zip(cycle(INTRODUCTIONS), DIRECTLY_AFTER, strict=False):
        draft = introduction + after.format(q=f"“{words}.”", c="*Carrow v Luff* [2014] ASC 12 at [3]")
        snapshot = read(draft + "|").snapshot
        quotation, attributed = attribute_all(snapshot)[-1]
        outcome = assess_quotation(snapshot, quotation, attributed).outcome
        assert outcome in ("absent", "differs"), draft


@pytest.mark.parametrize("words", HALF_INVENTED)
@pytest.mark.parametrize("spoken", SPOKEN_BY_OTHERS)
def test_a_party_may_say_half_of_what_the_authority_says(read, words: str, spoken: str) -> None:  # type: ignore[no-untyped-def]
    snapshot = read(f"{spoken}“{words}.” *Carrow v Luff* [2014] ASC 12 at [3].|").snapshot
    quotation, attributed = attribute_all(snapshot)[-1]
    assert assess_quotation(snapshot, quotation, attributed).outcome == "doubtful"


BLOCKS = {
    "markdown": ("> {q}", "^[{}]"),
    "latex": ("\\begin{{quote}}\n{q}\n\\end{{quote}}", "\\footnote{{{}}}"),
    "typst": ("#quote(block: true)[\n{q}\n]", "#footnote[{}]"),
    "asciidoc": ("____\n{q}\n____", "footnote:[{}]"),
}
CITED = "Wren v Tansy (2017) ASC 31, para 8"
OTHER = "Pell v Stark (2009) ACA 31, para 2"


@pytest.mark.parametrize("markup", BLOCKS)
@pytest.mark.parametrize(
    ("quoted", "expected"),
    [
        *((f"{WORDS}{end}[{CITED}.]", "Wren v Tansy") for end in (".", "", "…")),
        (f"{WORDS}[{CITED}.].", "Wren v Tansy"),
        (f"“{WORDS}.”[{CITED}.]", "Wren v Tansy"),
        (f"{WORDS}.[Per Marlow J in {CITED}, of ferries.]", "Wren v Tansy"),
        (f"A[{OTHER}.] {WORDS[2:]}.[{CITED}.]", "Wren v Tansy"),
        (f"{WORDS}.[{CITED}.][Many agree.]", "Wren v Tansy"),
        (f"{WORDS}. {CITED}.[Compare {OTHER}.]", "Wren v Tansy"),
        (f"A[{OTHER}.] {WORDS[2:]}.", None),
        (f"{WORDS}.[Many agree.]", None),
    ],
)
def test_a_footnote_written_in_a_block_is_none_of_its_words(
    read, markup: str, quoted: str, expected: str | None
) -> None:  # type: ignore[no-untyped-def]
    block, note = BLOCKS[markup]
    before, after = note.format("\0").split("\0")
    written = quoted.replace("[", before).replace("]", after)
    draft = "The claimant was late.\n\n" + block.format(q=written) + "\n\nThe pilot has no answer.|"
    ((quotation, attributed),) = find_block_attributions(read(draft, markup).snapshot)
    assert quotation.text.strip("“”.…") == WORDS
    cited = [] if attributed is None else [each.citation.name for each in attributed.cited]
    assert cited == ([] if expected is None else [expected])
    assert attributed is None or attributed.strong


@pytest.mark.parametrize(
    "draft",
    [
        "In *Wren v Tansy* [2017] ASC 31 at [8] the court said:\n\n> [!quote] {t}\n> {q}.",
        "> [!quote] *Wren v Tansy* [2017] ASC 31 at [8]\n> {q}.",
        "> [!quote]- {t}\n>\n> {q}.\n> *Wren v Tansy* [2017] ASC 31 at [8]",
        "> [!quote] {t}\n> {q}.\n\n*Wren v Tansy* [2017] ASC 31 at [8].",
    ],
)
def test_a_callout_quotes_what_its_title_or_what_stands_around_it_cites(read, draft: str) -> None:  # type: ignore[no-untyped-def]
    written = draft.format(t="Every ferryman sleeps at some hour of a long night", q=WORDS)
    ((quotation, attributed),) = find_block_attributions(read(written + "|").snapshot)
    assert quotation.text.strip(".") == WORDS
    assert attributed is not None
    assert [each.citation.name for each in attributed.cited] == ["Wren v Tansy"]
