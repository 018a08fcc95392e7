"""The table of authorities in every markup: what it lists, where, and that a second run changes nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lexls.citations.grammar import Grammar
from lexls.export.table_of_authorities import edit_draft, edit_table, find_usual_place, list_entries
from lexls.reading.draft_parser import DraftParser
from lexls.reading.edit import apply_edits
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.format import UnclosedTable
from lexls.text.formats import FORMATS


@pytest.fixture(scope="module")
def everything() -> Grammar:
    return Grammar.load()


@pytest.fixture
def snapshot_of(everything: Grammar, library: Any) -> Any:
    def make(source: str, markup: str = "markdown", place: str = "UK", style: str = "") -> Snapshot:
        draft = DraftParser(everything, place).parse("file:///draft", source, FORMATS[markup])
        chosen = Settings(jurisdiction=place, citations_style=style)
        return Snapshot(draft, library, Searcher(library, grammar=everything), chosen)

    return make


@pytest.fixture
def listed(snapshot_of: Any) -> Any:
    """The lines of a draft's table: group, authority, places."""

    def run(source: str, markup: str = "markdown", place: str = "UK", style: str = "") -> list[str]:
        found = list_entries(snapshot_of(source, markup, place, style), CancelToken())
        return [f"{each.group}: {each.text}: {each.places}" for each in found]

    return run


@pytest.fixture
def written(snapshot_of: Any) -> Any:
    """A draft with its table inserted at the bar, or brought up to date."""

    def run(source: str, markup: str = "markdown", place: str = "UK", style: str = "") -> str:
        at = source.find("|")
        source = source.replace("|", "", 1)
        snapshot = snapshot_of(source, markup, place, style)
        edit = edit_table(snapshot, at if at >= 0 else None, CancelToken())
        if edit is None:
            return source
        return source[: edit.span.start] + edit.text + source[edit.span.end :]

    return run


NUMBERED = """\
1. The carrier answers: _Hale v Ryle_ [2019] UKSC 41 at [3]; _Donoghue v Stevenson_ [1932] AC 562, 580.

2. So held in _Hale v Ryle_ [2019] UKSC 41 at [9]. Ibid at [10].

3. The Human Rights Act 1998, s 6(1) binds it; section 8 of that Act gives the remedy.

4. Again Hale at [12].
"""


def test_paragraphs_are_named_where_the_draft_numbers_them(listed: Any) -> None:
    assert listed(NUMBERED) == [
        "cases: _Donoghue v Stevenson_ [1932] AC 562: [1]",
        "cases: _Hale v Ryle_ [2019] UKSC 41: [1], [2], [4]",
        "statutes: Human Rights Act 1998: [3]",
    ]


NOTED = """\
# Skeleton

First.[^z] It binds.[^a] So it was held.[^b] It binds still.[^c] It always did.[^d]

[^a]: _Hale v Ryle_ [2019] UKSC 41 at [3]; _In re Orr_ [2018] UKSC 7.
[^b]: _Donoghue v Stevenson_ [1932] AC 562.
[^c]: Ibid.
[^d]: _Hale v Ryle_ [2019] UKSC 41; _Donoghue v Stevenson_ [1932] AC 562.
[^z]: _Hale v Ryle_ [2019] UKSC 41.
"""


def test_footnotes_are_named_by_the_number_that_readers_see(listed: Any) -> None:
    assert [each for each in listed(NOTED) if "Donoghue" in each or "Hale" in each] == [
        "cases: _Donoghue v Stevenson_ [1932] AC 562: nn 3–5",
        "cases: _Hale v Ryle_ [2019] UKSC 41: nn 1, 2, 5",
    ]


def test_in_re_does_not_count_for_the_order(listed: Any) -> None:
    source = (
        "_In re Gault_, 387 U.S. 1 (1967). _Hale v. Orr_, 384 U.S. 4 (1966). _Abel v. Orr_, 1 U.S. 1 (1790)."
    )
    names = [each.split(": ")[1].split(",")[0] for each in listed(source, place="US")]
    assert names == ["_Abel v. Orr_", "_In re Gault_", "_Hale v. Orr_"]


def test_sections_are_named_where_nothing_is_numbered(listed: Any) -> None:
    source = (
        "# Skeleton\n\n## Facts\n\nNothing.\n\n## Argument\n\n_Hale v Ryle_ [2019] UKSC 41 binds.\n\n"
        "## Relief\n\nAs in _Hale v Ryle_ [2019] UKSC 41.\n"
    )
    assert listed(source) == ["cases: _Hale v Ryle_ [2019] UKSC 41: Argument; Relief"]


def test_parallel_citations_are_one_authority_however_cited(listed: Any) -> None:
    source = (
        "_Mabo v Queensland (No 2)_ [1992] HCA 23; (1992) 175 CLR 1 at 42.\n\nSo (1992) 175 CLR 1 at 44.\n"
    )
    assert listed(source, place="AU") == [
        "cases: _Mabo v Queensland (No 2)_ [1992] HCA 23; (1992) 175 CLR 1: "
    ]


def test_a_note_cited_with_the_page_does_not_hide_the_court(listed: Any) -> None:
    assert listed("_20th Century Ferries v. Orr_, 629 F.3d 928, 953 n.16 (9th Cir. 2010).", place="US") == [
        "cases: _20th Century Ferries v. Orr_, 629 F.3d 928 (9th Cir. 2010): "
    ]


def test_every_authority_has_its_places(listed: Any) -> None:
    assert listed(
        "# One\n\nThe Human Rights Act 1998 binds; so does the Theft Act 1968.\n\n"
        "# Two\n\nSee Quay Repairs Agreement, s 4."
    ) == [
        "statutes: Human Rights Act 1998: One",
        "statutes: Theft Act 1968: One",
        "other: Quay Repairs Agreement: Two",
    ]


def test_a_code_is_listed_by_section(listed: Any) -> None:
    source = "Under 42 U.S.C. § 1983 and 42 U.S.C. §§ 1985, 1983 it lies."
    assert listed(source, place="US") == [
        "statutes: 42 U.S.C. § 1983: ",
        "statutes: 42 U.S.C. § 1985: ",
    ]


def test_an_order_of_the_president_is_one_document(listed: Any) -> None:
    source = (
        "Exec. Order No. 14999, § 3(a), and Exec. Order No. 14999, § 6, rest on Proclamation No. 9999, § 2."
    )
    assert listed(source, place="US") == [
        "regulations: Exec. Order No. 14999: ",
        "regulations: Proclamation No. 9999: ",
    ]


def test_the_style_writes_the_entries_and_names_the_groups(written: Any) -> None:
    source = "|See *Bush v. Gore*, 531 U.S. 98, 99 (2000) and 42 U.S.C. § 1983."
    assert written(source, place="US", style="bluebook").splitlines()[:11] == [
        "<!-- lexls:table-of-authorities -->",
        "",
        "# Table of Authorities",
        "",
        "## Cases",
        "",
        "- *Bush v. Gore*, 531 U.S. 98 (2000)",
        "",
        "## Statutes",
        "",
        "- 42 U.S.C. § 1983",
    ]
    oscola = written(source, place="US", style="oscola")
    assert "## Table of Cases\n\n- Bush v Gore 531 US 98 (2000)\n" in oscola


def test_an_american_table_has_its_groups_and_counts_numbers_as_numbers(written: Any) -> None:
    source = (
        "|*Weir v. Orr*, 21 F.3d 5, 7 (9th Cir. 1994); 102 U.S.C. § 3; 24 U.S.C. § 5; 5 U.S.C. §§ 702, 24. "
        "U.S. Const. amend. IV; U.S. Const. art. I, § 8; 29 C.F.R. § 1604.11 (2010); 29 C.F.R. § 825 (2010); "
        "Fed. R. Civ. P. 12(b)(6); Fed. R. Civ. P. 9(b). Quay Repairs Agreement § 4 (Feb. 1, 2018). "
        "*Weir v. Orr*, 2012 WL 123456, at *3 (D.N.J. July 17, 2012)."
    )
    table = written(source, place="US").partition("<!-- /lexls")[0]
    assert [line for line in table.splitlines() if line.startswith(("#", "-"))][1:] == [
        "## Cases",
        "- *Weir v. Orr*, 21 F.3d 5 (9th Cir. 1994)",
        "- *Weir v. Orr*, 2012 WL 123456 (D.N.J. July 17, 2012)",
        "## Constitutional Provisions",
        "- U.S. Const. art. I, § 8",
        "- U.S. Const. amend. IV",
        "## Statutes",
        "- 5 U.S.C. § 24",
        "- 5 U.S.C. § 702",
        "- 24 U.S.C. § 5",
        "- 102 U.S.C. § 3",
        "## Regulations",
        "- 29 C.F.R. § 825",
        "- 29 C.F.R. § 1604.11",
        "## Rules",
        "- Fed. R. Civ. P. 9(b)",
        "- Fed. R. Civ. P. 12(b)(6)",
        "## Other Authorities",
        "- Quay Repairs Agreement (Feb. 1, 2018)",
    ]


FULL_FORMS = [
    ("U.C.C. § 2-314 governs; so do U.C.C. §§ 2-314, 2-315.", "other", ["U.C.C. § 2-314", "U.C.C. § 2-315"]),
    (
        "Restatement (Second) of Contracts § 90 (Am. L. Inst. 1981).",
        "other",
        ["Restatement (Second) of Contracts § 90 (Am. L. Inst. 1981)"],
    ),
    (
        "Mass. Gen. Laws ch. 93A, § 9; Mass. Gen. Laws ch. 93A, §§ 2, 11; Mass. Gen. Laws ch. 93A, § 2.",
        "statutes",
        [
            "Mass. Gen. Laws ch. 93A, § 2",
            "Mass. Gen. Laws ch. 93A, § 9",
            "Mass. Gen. Laws ch. 93A, § 11",
        ],
    ),
    (
        "18 U.S.C. § 2252(b); 18 U.S.C. § 2; 18 U.S.C. § 2252(a)(4)(B) and (b); 18 U.S.C. § 2252A.",
        "statutes",
        [
            "18 U.S.C. § 2",
            "18 U.S.C. § 2252(a)(4)(B)",
            "18 U.S.C. § 2252(b)",
            "18 U.S.C. § 2252A",
        ],
    ),
    (
        "N.Y. C.P.L.R. 3211(a)(7); 735 ILCS 5/2-619.",
        "statutes",
        ["735 ILCS 5/2-619", "N.Y. C.P.L.R. 3211(a)(7)"],
    ),
    ("La. Civ. Code art. 2315.", "statutes", ["La. Civ. Code art. 2315"]),
    ("Clean Air Act of 1970 § 4.", "statutes", ["Clean Air Act of 1970"]),
    ("S. 512, 110th Cong. (2007).", "statutes", ["S. 512, 110th Cong. (2007)"]),
    ("See *People v. Orr* (S245395).", "cases", ["*People v. Orr* No. S245395"]),
    ("H.R. Rep. No. 94-1476, at 62 (1976).", "other", ["H.R. Rep. No. 94-1476 (1976)"]),
    (
        "See Oliver Wendell Holmes, Jr., *The Path of the Law*, 10 Harv. L. Rev. 457, 459 (1897). "
        "*Cf.* Cass R. Sunstein & A. Abel, *The First*, 20 Yale L.J. 5 (1990); "
        "Note, *A Right*, 30 Yale L.J. 7 (1995).",
        "other",
        [
            "Oliver Wendell Holmes, Jr., *The Path of the Law*, 10 Harv. L. Rev. 457 (1897)",
            "Note, *A Right*, 30 Yale L.J. 7 (1995)",
            "Cass R. Sunstein & A. Abel, *The First*, 20 Yale L.J. 5 (1990)",
        ],
    ),
]


@pytest.mark.parametrize("style", ["", "bluebook"])
@pytest.mark.parametrize(("source", "group", "expected"), FULL_FORMS)
def test_every_sort_of_authority_is_listed_in_full(
    listed: Any, source: str, group: str, expected: list[str], style: str
) -> None:
    found = [each.removesuffix(": ") for each in listed(source, place="US", style=style)]
    if style:  # the guide's own commas and signs
        found = [each.replace("Orr*, No.", "Orr* No.").replace("R. § 3211", "R. 3211") for each in found]
        expected = sorted(expected, key=lambda each: found.index(f"{group}: {each}"))
    assert found == [f"{group}: {each}" for each in expected]


def test_bare_sections_and_id_count_for_their_code(listed: Any) -> None:
    source = (
        "# One\n\n42 U.S.C. § 1983 governs.\n\n# Two\n\nSee 42 U.S.C. § 1983. *Id.*\n\n"
        "# Three\n\nSee 42 U.S.C. § 1983. *Id.* § 1985. Under *id.* § 1985(3), it is so. Section 1983 is.\n"
    )
    assert listed(source, place="US") == [
        "statutes: 42 U.S.C. § 1983: One; Two; Three",
        "statutes: 42 U.S.C. § 1985: Three",
        "statutes: 42 U.S.C. § 1985(3): Three",
    ]
    source = "See Mass. Gen. Laws ch. 93A, § 2. *Id.* § 9."
    assert listed(source, place="US") == [
        "statutes: Mass. Gen. Laws ch. 93A, § 2: ",
        "statutes: Mass. Gen. Laws ch. 93A, § 9: ",
    ]


@pytest.mark.parametrize(
    ("source", "place", "expected"),
    [
        (
            "A Orr, ‘The Path of the Law’ (2010) 30 OJLS 1.",
            "UK",
            "A Orr, ‘The Path of the Law’ (2010) 30 OJLS 1",
        ),
        ("In *Orr v Fen*, App no 5493/72, it was so.", "ECHR", "App no 5493/72"),
    ],
)
def test_what_a_key_does_not_tell_is_as_the_draft_writes_it(
    listed: Any, source: str, place: str, expected: str
) -> None:
    (found,) = listed(source, place=place)
    assert expected in found


def _layouts(text: str) -> list[str]:
    return [
        f"See {text}.",
        f"It is so ({text}).",
        f"So.[^1]\n\n[^1]: {text}.\n",
        f"So.[^1] So.[^2]\n\n[^1]: See {text}, which binds.\n[^2]: Cf {text}.\n",
    ]


def test_every_form_is_listed_once_and_read_again(everything: Grammar, snapshot_of: Any) -> None:
    """The matrix: each example of each citation form, each in one of several places of a draft."""
    lost = []
    for number, form in enumerate(everything.forms):
        for turn, example in enumerate(form.examples):
            source = _layouts(example.text)[(number + turn) % 4]
            snapshot = snapshot_of(source, place=form.jurisdiction)
            cited = {each.key for each in snapshot.draft.citations if each.form == "full" and each.key}
            lines = [each.text for each in list_entries(snapshot, CancelToken())]
            text = "\n\n".join(lines).replace("_", " ").replace("\\", "").replace("*", " ")
            again = {each.key for each in everything.find(text, form.jurisdiction)}
            unpaged = {key for key in cited if "___" in key}
            if not cited - unpaged <= again or len(lines) != len(set(lines)) or (cited and not lines):
                lost.append((form.id, example.text, lines))
    assert [each for each in lost if each[0] not in _READ_AT_HOME] == []


_READ_AT_HOME = frozenset({"ca-scr-old"})
"""Forms whose key another form reads, with another comma."""


def test_an_entry_with_a_wrong_citation_is_marked_and_says_why(snapshot_of: Any, written: Any) -> None:
    right = "*Weir v. Orr*, 384 U.S. 4 (1966)"
    wrong = "*Fen v. Orr*, 384 U.S. 9 (1899)"  # volume 384 is of 1966
    entries = list_entries(snapshot_of(f"{right}. {wrong}.", place="US"), CancelToken())
    assert [bool(each.doubt) for each in entries] == [True, False]
    assert "384" in entries[0].doubt
    table = written(f"|{right}. {wrong}.", place="US")
    assert re.search(r"384 U\.S\. 9 \(1899\) \\?\[check\\?\]\n", table)
    assert table.count("check") == 1


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        (
            ["Introduction", "IV. " + "Long words of it. " * 4],
            "Introduction; IV. Long words of it. Long words of it…",
        ),
        (
            ["I. Facts", "II. " + "Long words of it. " * 4],
            "I. Facts; II. Long words of it. Long words of it…",
        ),
    ],
)
def test_a_long_heading_without_a_short_one_above_tells_its_words(
    listed: Any, headings: list[str], expected: str
) -> None:
    source = "\n\n".join(f"# {each}\n\n*Weir v. Orr*, 384 U.S. 4 (1966)." for each in headings)
    assert listed(source, place="US") == [f"cases: *Weir v. Orr*, 384 U.S. 4 (1966): {expected}"]
    titled = "# Brief for Orr\n\n" + source.replace("# ", "## ")
    assert listed(titled, place="US") == [f"cases: *Weir v. Orr*, 384 U.S. 4 (1966): {expected}"]


def test_long_headings_are_shortened_and_five_places_are_passim(listed: Any) -> None:
    held = "The order must be reversed as it rests on a rule that does not exist."
    cite = "*Weir v. Orr*, 384 U.S. 4 (1966).\n\n"
    source = f"# Argument\n\n## I. {held}\n\n{cite}### B. {held}\n\n{cite}# {held}\n\n{cite}"
    (found,) = listed(source, place="US")
    assert found.endswith(": Argument I; Argument I.B; The order must be reversed as it rests…")
    source += f"# Relief\n\n{cite}# Costs\n\n{cite}"
    assert listed(source, place="US") == ["cases: *Weir v. Orr*, 384 U.S. 4 (1966): passim"]
    assert "passim" not in listed(source, place="UK")[0]


PAGED = {
    "latex": (
        "\\section{Argument}\n\\textit{Weir v. Orr}, 384 U.S. 4, 9 (1966). \\textit{Id.} at 9."
        "\\footnote{Again \\textit{Weir}, 384 U.S. at 7.}\n",
        "\\textit{Weir v. Orr}, 384 U.S. 4, 9 (1966).\\label{lexls:1} \\textit{Id.} at 9.\\label{lexls:2}"
        "\\footnote{Again \\textit{Weir}, 384 U.S. at 7.\\label{lexls:3}}\n",
        "\\dotfill\\ \\lexlspages{5}{lexls:1, lexls:2, lexls:3}\n",
    ),
    "typst": (
        "= Argument\n\n_Weir v. Orr_, 384 U.S. 4, 9 (1966). _Id._ at 9."
        "#footnote[Again _Weir_, 384 U.S. at 7.]\n",
        "_Weir v. Orr_, 384 U.S. 4, 9 (1966).#metadata(none)<lexls-1> _Id._ at 9.#metadata(none)<lexls-2>"
        "#footnote[Again _Weir_, 384 U.S. at 7.#metadata(none)<lexls-3>]\n",
        ": #lexls-pages(5, <lexls-1>, <lexls-2>, <lexls-3>)\n",
    ),
}


@pytest.mark.parametrize("markup", PAGED)
def test_a_table_tells_pages_by_marks_behind_the_mentions(snapshot_of: Any, markup: str) -> None:
    def run(source: str, *, pages: bool) -> str:
        snapshot = snapshot_of(source, markup, "US")
        edits = edit_draft(snapshot, find_usual_place(snapshot.draft), CancelToken(), pages=pages)
        return apply_edits(source, edits)

    source, body, entry = PAGED[markup]
    once = run(source, pages=True)
    assert once.endswith(body)
    assert entry in once
    # A table that tells pages goes on doing so, and nothing changes where nothing is new.
    assert run(once, pages=False) == once
    # Marks whose mention is gone go too, and the others are counted anew.
    fewer = run(
        once.replace("Again", "By 5 U.S.C. § 7, again").replace("384 U.S. at 7.", "at 7."), pages=False
    )
    marks = snapshot_of(fewer, markup, "US").draft.format.find_page_marks(fewer)
    assert [each.of(fewer)[-2] for each in marks] == ["1", "2", "3", "4"]
    assert "§ 7," + FORMATS[markup].mark_page(3) in fewer
    assert run(fewer, pages=False) == fewer


def test_the_fullest_mention_tells_court_and_year(listed: Any) -> None:
    source = "*Weir v. Orr*, 21 F.3d 5, is that case. *Weir v. Orr*, 21 F.3d 5 (9th Cir. 1994)."
    assert listed(source, place="US") == ["cases: *Weir v. Orr*, 21 F.3d 5 (9th Cir. 1994): "]


DRAFTS: dict[str, str] = {
    "markdown": f"# Skeleton\n\n|{NUMBERED}",
    "latex": (
        "\\documentclass{article}\n\\begin{document}\n\\section{Argument}\n"
        "|It binds: \\textit{A \\& B v Ryle} [2019] UKSC 41, [3].\\footnote{\\textit{Hale v Orr} [2018] "
        "UKSC 7; Human Rights Act 1998, s 6.}\n\n[2017] UKSC 3 too.\n\\end{document}\n"
    ),
    "typst": (
        "= Argument\n\n|It binds: _A v Ryle_ [2019] UKSC 41, [3].#footnote[_Hale v Orr_ [2018] UKSC 7.]\n\n"
        "[2017] UKSC 3 too.\n"
    ),
    "plain": f"|{NUMBERED.replace('_', '')}",
}


@pytest.mark.parametrize("markup", DRAFTS)
def test_a_second_run_changes_nothing(written: Any, markup: str) -> None:
    once = written(DRAFTS[markup], markup)
    assert once.count(FORMATS[markup].table_marks[0]) >= 1
    assert once != DRAFTS[markup].replace("|", "")
    assert written(once, markup) == once
    windows = DRAFTS[markup].replace("\n", "\r\n")
    once = written(windows, markup)
    assert "\n" not in once.replace("\r\n", "")
    assert written(once, markup) == once


@pytest.mark.parametrize("markup", DRAFTS)
def test_the_table_is_not_read_as_citations_of_the_draft(written: Any, snapshot_of: Any, markup: str) -> None:
    bare = DRAFTS[markup].replace("|", "")
    with_table = written(DRAFTS[markup], markup)
    before, after = snapshot_of(bare, markup).draft, snapshot_of(with_table, markup).draft
    assert [(each.key, each.antecedent) for each in after.citations] == [
        (each.key, each.antecedent) for each in before.citations
    ]
    assert [each.title for each in after.headings] == [each.title for each in before.headings]
    assert len(after.paragraphs) == len(before.paragraphs)


def test_the_table_in_latex(written: Any) -> None:
    source = written(DRAFTS["latex"], "latex", style="oscola")
    table = source[source.index("% lexls:") : source.index("It binds")]
    assert table.splitlines() == [
        "% lexls:table-of-authorities",
        "",
        "\\section*{Table of Authorities}",
        "",
        "\\subsection*{Table of Cases}",
        "",
        "\\begin{itemize}",
        "  \\item {}[2017] UKSC 3 \\dotfill\\ Argument",
        "  \\item {}A \\& B v Ryle [2019] UKSC 41 \\dotfill\\ Argument",
        "  \\item {}Hale v Orr [2018] UKSC 7 \\dotfill\\ n 1",
        "\\end{itemize}",
        "",
        "\\subsection*{Table of Legislation}",
        "",
        "\\begin{itemize}",
        "  \\item {}Human Rights Act 1998 \\dotfill\\ n 1",
        "\\end{itemize}",
        "",
        "% /lexls:table-of-authorities",
        "",
    ]


def test_the_table_in_typst(written: Any) -> None:
    source = written(DRAFTS["typst"], "typst")
    assert "== Cases\n\n- [2017] UKSC 3: Argument\n- _A v Ryle_ [2019] UKSC 41: Argument\n" in source
    assert "- _Hale v Orr_ [2018] UKSC 7: n 1\n\n// /lexls:table-of-authorities\n" in source


def test_the_table_follows_the_draft(written: Any) -> None:
    once = written(DRAFTS["markdown"])
    more = once + "\n5. Also _Able v Orr_ [2020] UKSC 5.\n"
    again = written(more)
    assert "- _Able v Orr_ [2020] UKSC 5: [5]\n- _Donoghue" in again
    gone = again.replace("\n5. Also _Able v Orr_ [2020] UKSC 5.\n", "")
    assert written(gone) == once


def test_without_a_table_or_a_place_nothing_is_inserted(written: Any) -> None:
    assert written(NUMBERED) == NUMBERED


def test_the_usual_place_is_below_the_title(snapshot_of: Any) -> None:
    source = "# Skeleton\n\n## Facts\n\nNothing.\n"
    assert find_usual_place(snapshot_of(source).draft) == source.index("## Facts")
    assert find_usual_place(snapshot_of("Nothing.\n").draft) == 0


@pytest.mark.parametrize("mark", FORMATS["markdown"].table_marks)
def test_a_table_with_one_mark_is_not_touched(written: Any, mark: str) -> None:
    with pytest.raises(UnclosedTable):
        written(f"Text.\n\n{mark}\n\nMore text: _Hale v Ryle_ [2019] UKSC 41.\n")


PIECES = [
    "1. _Hale v Ryle_ [2019] UKSC 41 at [3].\n\n",
    "2. Ibid at [4].\n\n",
    "# Heading\n\n",
    "Text.[^1]\n\n",
    "[^1]: See *Donoghue v Stevenson* [1932] AC 562, 580.\n\n",
    "Human Rights Act 1998, s 6 and section 8 of the Act.\n\n",
    "```\ncode [2019] UKSC 41\n```\n\n",
    "TABLE OF AUTHORITIES\n\n",
    "In re A*B_C [2018] UKSC 7 & <x>\r\n\r\n",
    "- item: _Pell v Orr_ [2016] UKSC 2\n",
]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.sampled_from(PIECES), max_size=8),
    st.integers(min_value=0, max_value=400),
    st.sampled_from(sorted(FORMATS)),
    st.sampled_from(["", "oscola", "bluebook"]),
)
def test_any_draft_keeps_its_table_and_its_own_words(
    snapshot_of: Any, pieces: list[str], at: int, markup: str, style: str
) -> None:
    source = "".join(pieces)
    first = edit_table(snapshot_of(source, markup, style=style), min(at, len(source)), CancelToken())
    assert first is not None
    # Inside code the marks are no marks; nobody puts the cursor of the command there.
    if source[: first.span.start].count("```") % 2:
        return
    once = source[: first.span.start] + first.text + source[first.span.end :]
    assert once.replace(first.text, "", 1) == source
    assert len(FORMATS[markup].mask(once)) == len(once)
    second = edit_table(snapshot_of(once, markup, style=style), None, CancelToken())
    assert second is None, (once, second)
