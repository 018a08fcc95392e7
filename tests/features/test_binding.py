"""A case whose file gives no report is found by its name, court, year and docket, and no other case is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from lexls.assessing.assess import assess
from lexls.assessing.verdicts import decide, describe
from lexls.citations.grammar import Grammar
from lexls.features.find_support import find_support
from lexls.features.support_edits import write_support
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.resolve import resolve
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS
from lexls.text.spans import Span

SUPREME = "Supreme Court of the United States"
FIFTH = "United States Court of Appeals for the Fifth Circuit"
SOUTHERN = "United States District Court for the Southern District of New York"
FILES = {
    "quill": ("Quill v. Jasper Thornby", SUPREME, "2009-12-07", "09-91"),
    "ostler": ("Dorothy Ostler v. Henry P. Luff", SUPREME, "2012-01-10", "10-1011"),
    "marlow": ("Marlow v. Environmental Protection Agency", SUPREME, "2012-03-21", "10-1062"),
    "wardens": ("Vellan v. Board of Harbor Wardens of County of Stannick", SUPREME, "2012-04-02", "10-945"),
    "tollen": ("Tollen, Petitioner v. City of Aldmoor, et al.", SUPREME, "2011-02-22", "09-1233"),
    "weavers": (
        "International Brotherhood of Weavers v. Carrow Shipping Company, Inc.",
        FIFTH,
        "2011-06-02",
        "",
    ),
    "holloway": ("Jane Holloway v. Marcus Vane, et al.", SOUTHERN, "2022-03-03", "1:21-cv-04471"),
    "twin": ("Orrin v. Pell", SUPREME, "2011-05-02", "10-5"),
    "other twin": ("Thomas Orrin v. Pell", SUPREME, "2011-06-02", "10-88"),
    "copy": ("Kane v. Moss", FIFTH, "2010-06-02", "09-30188"),
    "other copy": ("Kane v. Robert Moss", FIFTH, "2010-06-02", "09-30188"),
    "wendell": ("Aldous Grain Corp. v. Russ Wendell & Co.", SOUTHERN, "1984-06-07", ""),
    "alone": ("Moss v. Trevelyan", FIFTH, "1990-07-11", ""),
    "official": ("Ostrow v. Kemperman", FIFTH, "1990-03-11", ""),
    "matter": ("In re Cruddesturner", FIFTH, "1981-01-29", ""),
    "order": ("In re United States", FIFTH, "2010-09-07", ""),
    "amended": ("Grainger v. Pellmont", FIFTH, "2014-12-14", ""),
    "withdrawn": ("Harwick v. Ostrand", FIFTH, "2001-01-08", ""),
    "firm": ("Egilby v. Hackmann", SOUTHERN, "2005-11-10", ""),
    "first": ("Selwyn v. Tarrant", SOUTHERN, "1999-01-10", ""),
    "second": ("Selwyn v. Tarrent", SOUTHERN, "1999-06-10", ""),
    "mines": ("State of Louisiana, Department of Mines v. Wexcombe", FIFTH, "1997-04-10", ""),
    "quays": ("Tolliver v. Department of Quays", FIFTH, "1998-04-10", ""),
    "customs": ("Staedt v. United States", "", "1937-10-25", ""),
    "patents": ("Bramm v. Coe", "", "1942-03-02", ""),
}
CITED_AS = {"customs": "25 C.C.P.A. 136", "patents": "30 C.C.P.A. (Patents) 7"}
LOCK = "A lock keeper must keep the gate shut at night, and may open it only to a vessel in distress."
BODIES = {
    "quill": f"{LOCK}\n\nThornby kept the lock. Thornby opened it. The judgment is affirmed.",
    "amended": "Our opinion filed on December 14, 2014, is amended to include a footnote. Affirmed.",
    "alone": "Trevelyan, the debtor, moved to avoid a lien. Affirmed.",
    "withdrawn": "A petition for rehearing became moot when we withdrew our previous opinion. Affirmed.",
}
Ask = Callable[[str], Snapshot]


@pytest.fixture(scope="module")
def slips(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("slips")
    for name, (title, court, date, docket) in FILES.items():
        head = f'title: "{title}"\ncourt: {court}\ndate: {date}\ndocket: "{docket}"\nkind: case'
        head += f"\ncitation: {CITED_AS[name]}" if name in CITED_AS else ""
        (folder / f"{name}.md").write_text(
            f"---\n{head}\njurisdiction: US\n---\n\n{BODIES.get(name, 'Affirmed.')}\n", encoding="utf-8"
        )
    settings = Settings(jurisdiction="US", embeddings_model="")
    library, _ = open_library([folder], folder / "index.sqlite", settings, lexical_only=True)
    yield library
    library.close()


@pytest.fixture
def ask(slips: Library, grammar: Grammar) -> Ask:
    def ask(source: str) -> Snapshot:
        draft = DraftParser(grammar, "US").parse("file:///draft", source, FORMATS["markdown"])
        return Snapshot(draft, slips, Searcher(slips, grammar=grammar), Settings(jurisdiction="US"))

    return ask


def find(snapshot: Snapshot) -> tuple[set[str], str]:
    """The names of the files that the first citation of a draft is bound to, and by what."""
    found = resolve(snapshot.library, snapshot.draft, snapshot.draft.citations[0])
    files = (snapshot.library.catalogue.get(each) for each in found.authorities)
    return {each.relative.removesuffix(".md") for each in files if each is not None}, found.by


ALIKE = {
    "wendell": [
        ("Aldous Grain Corp. v. Russ Wendall & Co.", "the file spells it"),
        ("Aldous Grain Corp. v. Russ Wendill & Co., Inc.", "the file spells it"),
        ("Russ Wendell & Co. v. Aldous Grain Corp.", "the parties in the other order"),
        ("Grain Law Aldous Grain Corp. v. Russ Wendell & Co.", "does not have Grain Law"),
    ],
    "alone": [("In re Trevelyan", "has two parties"), ("In re Trevel-yan", "has two parties")],
    "matter": [("In re Cruddestumer", "the file spells it")],
    "order": [
        ("In re Application of the U.S. for an Order Authorizing a Pen Register", "does not have"),
        ("In re United States for an Order Directing a Provider", "does not have"),
    ],
    "firm": [("Egilby v. Keller & Hackmann, LLP", "does not have Keller")],
    "mines": [
        ("Dep’t of Mines v. Wexcombe", "also has State Louisiana"),
        ("State Department of Mines v. Wexcombe", "also has Louisiana"),
        ("State ex rel. Dep't of Mines v. Wexcombe", "also has Louisiana"),
    ],
    "quays": [
        ("Tolliver v. La. Dep't of Quays", "does not have La."),
        ("Tolliver v. State of Louisiana, Department of Quays", "does not have State Louisiana"),
    ],
}
"""Names that are no titles, and how the verdict says what differs."""


PRINTED = {
    "wendell": "590 F. Supp. 445",
    "alone": "907 F.2d 588",
    "official": "898 F.2d 12",
    "matter": "650 F.2d 581",
    "order": "618 F.3d 304",
    "amended": "775 F.3d 928",
    "withdrawn": "240 F.3d 868",
    "firm": "400 F. Supp. 2d 105",
    "first": "50 F. Supp. 2d 7",
    "mines": "112 F.3d 41",
    "quays": "141 F.3d 41",
}


def cite(file: str, name: str, year: int | None = None, court: str = "") -> str:
    _, decided_by, date, _ = FILES[file]
    usual = {FIFTH: "5th Cir.", SOUTHERN: "S.D.N.Y."}[decided_by]
    return f"So it is. *{name}*, {PRINTED[file]} ({court or usual} {year or date[:4]})."


@pytest.mark.parametrize(
    ("file", "name", "said"), [(file, *each) for file, names in ALIKE.items() for each in names]
)
def test_a_name_that_differs_binds_by_court_and_year_and_the_difference_is_said(
    ask: Ask, file: str, name: str, said: str
) -> None:
    snapshot = ask(cite(file, name))
    assert find(snapshot) == ({file}, "name")
    assessed = assess(snapshot, snapshot.draft.citations[0], CancelToken())
    assert decide(assessed) == "identified"
    assert said in describe(assessed)
    year = int(FILES[file][2][:4])
    for other in (year - 1, year + 1):
        assert find(ask(cite(file, name, other))) == (set(), "")
    for court in ("9th Cir.", "E.D. Tex.", "Tex."):
        assert find(ask(cite(file, name, court=court))) == (set(), "")


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("wendell", "Aldous Grain Corp. v. Russ Ostler & Co."),
        ("wendell", "Aldous Rail Corp. v. Russ Wendall & Co."),
        ("wendell", "United States v. Wendall"),
        ("matter", "In re Cranmer"),
        ("matter", "In re Turner"),
        ("order", "In re Application of the State for an Order"),
        ("firm", "Egilby v. Keller"),
        ("alone", "State v. Trevelyan"),
        ("official", "In re Kemperman"),
        ("first", "Selwyn v. Tarrint"),
        ("mines", "Department of Revenue v. Wexcombe"),
        ("mines", "Tex. Dep't of Mines v. Wexcombe"),
        ("quays", "Tolliver v. La. Dep't of Mines"),
        ("quays", "Tolliver v. Louisiana"),
    ],
)
def test_another_name_of_the_court_and_year_does_not_bind(ask: Ask, file: str, name: str) -> None:
    assert find(ask(cite(file, name))) == (set(), "")


@pytest.mark.parametrize("file", ["amended", "withdrawn"])
def test_an_amended_opinion_is_bound_with_the_next_year(ask: Ask, file: str) -> None:
    title, _, date, _ = FILES[file]
    year = int(date[:4])
    assert find(ask(cite(file, title, year + 1))) == ({file}, "name")
    for other in (year - 1, year + 2):
        assert find(ask(cite(file, title, other))) == (set(), "")


@pytest.mark.parametrize("court", ["D.N.Y.", "D.C.S.D.N.Y."])
def test_a_district_of_which_the_side_is_missing_leaves_the_court_open(ask: Ask, court: str) -> None:
    assert find(ask(cite("wendell", FILES["wendell"][0], court=court))) == ({"wendell"}, "name")
    assert find(ask(cite("wendell", "Aldous Grain Corp. v. Russ Wendall & Co.", court=court))) == (set(), "")


NAMES = {
    "quill": ["Quill v. Thornby", "Quill v. Jasper Thornby", "Quill v. J. Thornby"],
    "ostler": ["Ostler v. Luff", "Dorothy Ostler v. Luff", "Ostler v. Henry Luff"],
    "marlow": [
        "Marlow v. EPA",
        "Marlow v. E.P.A.",
        "Marlow v. Env’t Prot. Agency",
        "Marlow v. Envtl. Prot. Agency",
    ],
    "wardens": ["Vellan v. Board of Harbor Wardens", "Vellan v. Bd. of Harbor Wardens of Cnty. of Stannick"],
    "tollen": ["Tollen v. Aldmoor", "Tollen v. City of Aldmoor"],
}
REPORTS = ["565 U.S. 469, 471", "132 S. Ct. 1367", "182 L. Ed. 2d 367", "565 U.S. ___, ___"]


@pytest.mark.parametrize("report", REPORTS)
@pytest.mark.parametrize(("file", "name"), [(file, each) for file, names in NAMES.items() for each in names])
def test_a_shortened_name_with_its_court_and_year_finds_its_file(
    ask: Ask, file: str, name: str, report: str
) -> None:
    year = FILES[file][2][:4]
    assert find(ask(f"So it is. *{name}*, {report} ({year}).")) == ({file}, "decision")
    assert find(ask(f"So it is. *{name}*, {report} ({int(year) + 1}).")) == (set(), "")
    assert find(ask(f"So it is. *{name}*, 565 F.3d 469 (9th Cir. {year}).")) == (set(), "")


@pytest.mark.parametrize(
    "name", ["Int’l Bhd. of Weavers v. Carrow Shipping Co.", "Weavers v. Carrow Shipping Co."]
)
@pytest.mark.parametrize(
    ("behind", "found"),
    [
        ("644 F.3d 12 (5th Cir. 2011)", "decision"),
        ("644 F.3d 12 (9th Cir. 2011)", ""),
        ("644 F.3d 12 (5th Cir. 2013)", ""),
        ("564 U.S. 12 (2011)", ""),
        ("812 F. Supp. 2d 12 (S.D. Tex. 2011)", ""),
        ("644 F.3d 12", ""),
        ("___ P.3d ___ (2011)", ""),
    ],
)
def test_a_court_of_appeals_is_told_by_its_circuit(ask: Ask, name: str, behind: str, found: str) -> None:
    whole = name.startswith("Int")
    assert find(ask(f"So it is. *{name}*, {behind}."))[1] == (found if whole else "")


@pytest.mark.parametrize(
    ("written", "by"),
    [
        ("No. 21 Civ. 4471 (S.D.N.Y. Mar. 3, 2022)", "docket"),
        ("No. 21-cv-4471, 2022 WL 123456, at *3 (S.D.N.Y. Mar. 3, 2022)", "docket"),
        ("No. 1:21-cv-04471-AB (S.D.N.Y. Mar. 3, 2022)", "docket"),
        ("No. 21 Civ. 4472 (S.D.N.Y. Mar. 3, 2022)", ""),
        ("No. 21 Civ. 4471 (S.D.N.Y. Apr. 4, 2022)", ""),
        ("No. 21 Civ. 4471 (E.D.N.Y. Mar. 3, 2022)", ""),
    ],
)
def test_a_docket_binds_in_its_court_and_on_its_day(ask: Ask, written: str, by: str) -> None:
    assert find(ask(f"So it is. *Holloway v. Vane*, {written}.")) == ({"holloway"} if by else set(), by)


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("Holloway v. Vane", "verified"),
        ("Holloway v. Vain", "wrong"),
        ("Holloway v. Ashworth", "wrong"),
        ("Ashworth v. Vane", "wrong"),
        ("Ashworth v. Wren", "wrong"),
        ("In re Ashworth", "wrong"),
    ],
)
def test_a_wrong_name_before_the_right_docket_court_and_day_is_said(
    ask: Ask, name: str, verdict: str
) -> None:
    snapshot = ask(f"So it is. *{name}*, No. 21 Civ. 4471 (S.D.N.Y. Mar. 3, 2022).")
    assert find(snapshot) == ({"holloway"}, "docket")
    assert decide(assess(snapshot, snapshot.draft.citations[0], CancelToken())) == verdict


@pytest.mark.parametrize(
    "behind",
    ["No. 09-91 (U.S. Dec. 8, 2009)", "No. 09-92 (U.S. Dec. 7, 2009)", "571 F.3d 12 (9th Cir. 2009)"],
)
def test_a_file_of_the_name_and_years_is_told_where_something_else_speaks_against_it(
    ask: Ask, behind: str
) -> None:
    snapshot = ask(f"So it is. *Quill v. Thornby*, {behind}.")
    assert find(snapshot) == (set(), "")
    assessed = assess(snapshot, snapshot.draft.citations[0], CancelToken())
    assert assessed.reason.endswith("; it has Quill v. Jasper Thornby of 7 December 2009 (No. 09-91)")


@pytest.mark.parametrize("name", ["Judell v. Holdane", "Judell v. Eric Holdane"])
@pytest.mark.parametrize("blank", [",—U.S.-", ",-U.S.-", ", — U.S. -"])
def test_the_blank_of_a_report_is_no_part_of_the_name(ask: Ask, name: str, blank: str) -> None:
    snapshot = ask(f"So it is. {name}{blank}, 132 S.Ct. 476, 484 (2011).")
    assert snapshot.draft.citations[0].name == name


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("*Staedt v. United States*, 25 C. C. P. A. (Customs) 136", {"customs"}),
        ("*Staedt v. United States*, 25 C.C.P.A. 136", {"customs"}),
        ("*Staedt v. United States*, 25 C.C.P.A. (Patents) 136", {"customs"}),
        ("*Orme v. Dask*, 25 C. C. P. A. (Customs) 136", set()),
        ("*Staedt v. United States*, 26 C. C. P. A. (Customs) 136", set()),
        ("*Bramm v. Coe*, 30 C.C.P.A. 7", {"patents"}),
        ("*Bramm v. Coe*, 30 C.C.P.A. (Patents) 7", {"patents"}),
    ],
)
def test_a_report_in_divisions_is_cited_with_or_without_them(ask: Ask, written: str, found: set[str]) -> None:
    assert find(ask(f"So it is. {written}."))[0] == found


def test_two_files_that_fit_are_named_and_neither_is_bound(ask: Ask) -> None:
    snapshot = ask("So it is. *Orrin v. Pell*, 563 U.S. 12 (2011).")
    assessed = assess(snapshot, snapshot.draft.citations[0], CancelToken())
    assert (find(snapshot), decide(assessed)) == ((set(), ""), "not-checkable")
    for file in ("Orrin v. Pell (2 May 2011, twin.md)", "Thomas Orrin v. Pell (2 June 2011, other twin.md)"):
        assert file in describe(assessed)


def test_the_docket_tells_two_files_apart(ask: Ask) -> None:
    assert find(ask("So it is. *Orrin v. Pell*, No. 10-88 (U.S. June 2, 2011).")) == (
        {"other twin"},
        "docket",
    )


def test_two_copies_of_a_decision_are_one(ask: Ask) -> None:
    assert find(ask("So it is. *Kane v. Moss*, 611 F.3d 9 (5th Cir. 2010)."))[0] == {"copy", "other copy"}


def test_the_verdict_says_what_identifies_the_case_and_what_does_not(ask: Ask) -> None:
    snapshot = ask("So it is. *Quill v. Thornby*, 558 U.S. 45 (2009).")
    assessed = assess(snapshot, snapshot.draft.citations[0], CancelToken())
    assert decide(assessed) == "identified"
    assert describe(assessed).startswith("Identified by name, court and year: name and year agree")
    assert "558 U.S. 45 not confirmed" in describe(assessed)


@pytest.mark.parametrize(
    ("behind", "expected"),
    [
        ("", "_Quill v. Thornby_, No. 09-91, slip op. (U.S. Dec. 7, 2009)"),
        (
            " *Quill v. Thornby*, 558 U.S. 45, 47 (2012).",
            "*Quill v. Thornby*, No. 09-91, slip op. (U.S. Dec. 7, 2009).",
        ),
    ],
)
def test_a_slip_opinion_is_cited_by_docket_and_a_wrong_citation_repaired(
    ask: Ask, behind: str, expected: str
) -> None:
    snapshot = ask(f"{LOCK}{behind}\n")
    options = find_support(snapshot, Span(5, 5), len(FILES), CancelToken())
    option = next(each for each in options if each.hit.authority.title == FILES["quill"][0])
    (edit,) = write_support(snapshot, option).full
    source = snapshot.draft.source
    written = source[: edit.span.start] + edit.text + source[edit.span.end :]
    assert written.startswith(f"{LOCK} {expected}")
    assert written.count("Thornby") == 1


def test_the_citation_of_another_court_in_the_case_is_not_replaced(ask: Ask) -> None:
    below = "*Quill v. Thornby*, 31 F.3d 9 (5th Cir. 2007)"
    snapshot = ask(f"{LOCK} {below}.\n")
    options = find_support(snapshot, Span(5, 5), len(FILES), CancelToken())
    option = next(each for each in options if each.hit.authority.title == FILES["quill"][0])
    source = snapshot.draft.source
    for edit in sorted(write_support(snapshot, option).full, key=lambda each: each.span, reverse=True):
        source = source[: edit.span.start] + edit.text + source[edit.span.end :]
    assert below in source
    assert "No. 09-91" in source


CITED = ("*Harlan v. Pike*, 401 U.S. 97 (1971)", "*Marks v. Dole*, 401 U.S. 120 (1971)")


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    ("short", "meant"),
    [
        ("*Harlan*, 401 U.S. at 133", "401 U.S. 97"),
        ("*Pike*, 401 U.S., at 133", "401 U.S. 97"),
        ("*Marks*, 401 U.S. at 99", "401 U.S. 120"),
        ("401 U.S. at 133", "401 U.S. 120"),
        ("401 U.S. at 99", "401 U.S. 97"),
        ("*Weems*, 401 U.S. at 133", "401 U.S. 120"),
    ],
)
def test_the_name_governs_a_short_form_by_volume(ask: Ask, order: int, short: str, meant: str) -> None:
    first, second = CITED[::order]
    draft = ask(f"{first}, is first. {second}, is next. See {short}.").draft
    assert draft.citations[-1].key == meant
