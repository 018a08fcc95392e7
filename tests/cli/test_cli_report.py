"""``lexls check --report``: every citation and quotation with its verdict, on a page that can be printed."""

from __future__ import annotations

import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

Run = Any
"""``Run`` of conftest.py."""
ASH = "*Ash Mooring Ltd v Tern Harbour Board* [2031] UKSC 12"
VOID = {"meta", "link", "br", "img", "hr", "input"}


class Page(HTMLParser):
    """A page's elements; fails where they do not nest."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.links: list[str] = []
        self.elements: list[str] = []
        self.articles: list[str] = []
        self.marked: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag == "article":
            self.articles.append("")
        if tag == "mark":
            self.marked.append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "article" in self.open:
            self.articles[-1] += data if self.open[-1] != "article" else " "
        if self.open and self.open[-1] == "mark":
            self.marked[-1] += data


@pytest.fixture
def report(lexls: Run, matter: Path) -> Any:
    """The report on a draft with this text."""

    def make(text: str, name: str = "draft.md") -> Page:
        (matter / name).write_text(text, encoding="utf-8")
        lexls("check", name, "--report", "report.html")
        return Page((matter / "report.html").read_text(encoding="utf-8"))

    return make


def hold_knot(matter: Path) -> None:
    """Put one case more into the matter's library."""
    (matter / "library" / "knot.md").write_text(
        '---\ntitle: Knot v Sanderling\ncitation: "[2013] EWCA Civ 55"\ncourt: Court of Appeal\n'
        "kind: case\njurisdiction: UK\ndate: 2013-04-05\n---\n\n# Knot v Sanderling\n\nThe appeal fails.\n",
        encoding="utf-8",
    )


@pytest.mark.parametrize(
    ("cited", "verdict", "words"),
    [
        (f"{ASH} at [2]", "Verified", "is the knowledge of the board itself"),
        (f"{ASH} at [9]", "Wrong", "there is no [9]"),
        (
            "*Knot v Sanderling* [2013] EWCA Civ 55 at [4]",
            "Partly verified",
            "[4] not compared (the file has no paragraph numbers)",
        ),
        ("*Gannet v Petrel* [2031] UKSC 12", "Wrong", "not Gannet v Petrel"),
        ("*Gull v Heron* [1987] UKHL 3", "Not in your library", "Gull v Heron"),
        (
            "*Knot v Sanderling* [2013] 1 WLR 77",
            "Identified by name, not by citation",
            "[2013] EWCA Civ 55, does not give",
        ),
    ],
)
def test_every_citation_has_its_verdict(
    report: Any, matter: Path, cited: str, verdict: str, words: str
) -> None:
    hold_knot(matter)
    [article] = report(f"So it is: {cited}.\n").articles
    assert verdict in article
    assert words in article
    assert "line 1" in article


def test_citations_stand_in_the_order_of_the_draft_with_what_they_stand_for(report: Any) -> None:
    page = report(
        "See *Ash Mooring Ltd v Tern Harbour Board* [2031] UKSC 12 at [1].[^a] Also *Ibid* at [3].\n\n"
        "[^a]: *Lorne v Petrel Survey Co* [2033] EWCA Civ 210 at [1].\n"
    )
    first, second, third = page.articles
    assert "A harbour board that invites vessels" in first
    assert "An expert witness owes" in second
    assert "for Ash Mooring Ltd v Tern Harbour Board [2031] UKSC 12" in third
    assert "A yacht skipper told the office" in third


def test_parallel_citations_are_one_mention(report: Any) -> None:
    page = report("See *Ash Mooring Ltd v Tern Harbour Board* [2031] UKSC 12, [2031] AC 8 at [2].\n")
    assert len(page.articles) == 1


def test_a_short_form_of_a_misnamed_case_is_not_verified(report: Any) -> None:
    page = report("See *Gannet v Petrel* [2031] UKSC 12 at [1]. *Ibid* at [2].\n")
    assert ["not Gannet v Petrel" in article for article in page.articles] == [True, True]


def test_a_verdict_does_not_depend_on_what_the_settings_show(report: Any, matter: Path) -> None:
    toml = matter / "lexls.toml"
    off = 'diagnostics.nameMismatch = "off"\ndiagnostics.pinpointNotFound = "off"\n'
    toml.write_text(toml.read_text(encoding="utf-8") + off, encoding="utf-8")
    page = report("See *Gannet v Petrel* [2031] UKSC 12. And [2033] EWCA Civ 210 at [9].\n")
    assert "not Gannet v Petrel" in page.articles[0]
    assert "there is no [9]" in page.articles[1]
    assert all("Wrong" in article for article in page.articles)


def test_bad_treatment_is_told(report: Any, matter: Path) -> None:
    (matter / "library" / "cases" / "overruling.md").write_text(
        '---\ntitle: Shag v Eider\ncitation: "[2036] UKSC 5"\nkind: case\ndate: 2036-01-02\n'
        "jurisdiction: UK\n---\n\n# Shag v Eider\n\n"
        "[1] We overrule *Lorne v Petrel Survey Co* [2033] EWCA Civ 210.\n",
        encoding="utf-8",
    )
    [article] = report("See *Lorne v Petrel Survey Co* [2033] EWCA Civ 210 at [1].\n").articles
    assert "Treated badly" in article
    assert "Overruled in Shag v Eider [2036] UKSC 5" in article


def test_differing_words_are_marked_on_both_sides(report: Any) -> None:
    page = report(
        "The Court held that “a harbour board that invites vessels into its channel may take reasonable "
        f"care to find dangers there”: {ASH} at [1].\n"
    )
    [article] = page.articles
    assert "Quotation differs" in article
    assert page.marked == ["may", "must"]


def test_faithful_and_unattributed_quotations_are_told_apart(report: Any) -> None:
    page = report(
        "The board “must take reasonable care to find dangers there”: *Ash Mooring Ltd v Tern Harbour Board* "
        "[2031] UKSC 12 at [1].\n\nCounsel said that “the pontoon had been there for years”.\n"
    )
    cited, free = page.articles
    assert "Quotation as in the authority" in cited
    assert "Quotation not compared" in free


def test_links_are_relative_and_open_the_authority(report: Any, matter: Path) -> None:
    (matter / "library" / "cases" / "ash-mooring.md").rename(matter / "library" / "cases" / "ash #1 %20.md")
    page = report("See [2031] UKSC 12.\n")
    [link] = page.links
    assert not link.startswith(("/", "file:"))
    assert (matter / unquote(link)).is_file()


def test_the_page_needs_nothing_from_elsewhere(report: Any, matter: Path) -> None:
    page = report("See [2031] UKSC 12 and *Gull v Heron* [1987] UKHL 3.\n")
    assert not {"script", "link", "img", "iframe", "object", "base", "form"} & set(page.elements)
    text = (matter / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"https?:|url\(|@import", text)


def test_text_of_drafts_and_authorities_is_never_markup(report: Any, matter: Path) -> None:
    name = "<b>A&amp;</b><script>alert(1)</script>.md" if os.name == "posix" else "plain.md"
    plain = report("See [2031] UKSC 12 at [2].\n")
    case = matter / "library" / "cases" / "ash-mooring.md"
    text = case.read_text(encoding="utf-8")
    title = "<script>x</script> <img src=x>"
    case.write_text(text.replace("title: Ash", f"title: {title} Ash"), encoding="utf-8")
    page = report("<script>alert(2)</script> See [2031] UKSC 12 at [2].\n", name.replace("/", "_"))
    assert page.elements == plain.elements
    [article] = page.articles
    assert title in article


def test_several_drafts_are_on_one_page_with_their_counts(lexls: Run, matter: Path) -> None:
    (matter / "other.tex").write_text("See [2033] EWCA Civ 210 at [1].\n", encoding="utf-8")
    lexls("check", "draft.md", "other.tex", "gone.md", "--report", "report.html")
    text = (matter / "report.html").read_text(encoding="utf-8")
    page = Page(text)
    assert len(page.articles) == 4
    assert text.count('<section class="draft">') == 2
    assert re.search(r"Citations</td><td class=\"count\">3<", text)
    assert "gone.md could not be checked: no such file" in text


def test_a_key_is_shown_with_what_it_stands_for(report: Any, matter: Path) -> None:
    (matter / "refs.bib").write_text(
        "@jurisdiction{ash, title = {Ash Mooring Ltd v Tern Harbour Board}, number = {[2031] UKSC 12}}\n",
        encoding="utf-8",
    )
    page = report("\\addbibresource{refs.bib}\n\\begin{document}\nSee \\cite[para 2]{ash}.\n", "draft.tex")
    [article] = page.articles
    assert "\\cite[para 2]{ash}" in article
    assert "for Ash Mooring Ltd v Tern Harbour Board [2031] UKSC 12" in article
    assert "Verified" in article


def test_what_is_missing_is_told_once(report: Any, matter: Path) -> None:
    hold_knot(matter)
    held = (
        "*Lorne v Petrel Survey Co* [2033] EWCA Civ 210. *Rook Dredging Ltd v Curlew* [2034] EWHC 18 (Comm). "
        "*Knot v Sanderling* [2013] EWCA Civ 55"
    )
    (*_, missing) = report(f"{ASH}. {held}. *Gull v Heron* [1987] UKHL 3.\n").articles
    assert "which holds nearly all other cases" in missing
    assert missing.count("is not in your library") == 1
