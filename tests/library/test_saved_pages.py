"""Pages of legal sites as a browser saves them: the document without what stands around it."""

from __future__ import annotations

from collections.abc import Callable

from lexls.library.document import SourceDocument

Reader = Callable[[str, str | bytes], SourceDocument]

PARAGRAPHS = [
    "The plaintiff shipped grain that the carrier lost in the harbour.",
    "The carrier says that the grain was wet before it came on board.",
    "We do not think so, and the appeal must be allowed with costs. "
    + "It was dry rye of the best sort. " * 4,
]
NUMBERED = "\n".join(f"<P>{number}. {words}</P>" for number, words in enumerate(PARAGRAPHS, start=1))

AUSTLII = f"""<!DOCTYPE html>
<!-- saved from url=(0068)http://www7.austlii.edu.au/cgi-bin/viewdoc/au/cases/cth/HCA/1994/912.html -->
<html lang="en"><head>
<title>Carrow v Meridian Freight Pty Ltd ("Wet Grain case") [1994] HCA 912; (1994) 991 CLR 40
(3 June 1994)</title>
</head><body class="case">
<div id="ribbon"><ul><li class="ribbon-jurisdiction"><a><span>Commonwealth</span></a></li>
<li class="ribbon-database"><a><span>High Court of Australia</span></a></li>
<li class="ribbon-citation"><a><span>[1994] HCA 912</span></a></li></ul></div>
<header id="page-header"><h1>Search all databases</h1></header>
<div id="page-side"><p>Similar cases you might like</p></div>
<div id="page-main">
<article class="the-document">
<!--sino date 3 June 1994-->
<h2>HIGH COURT OF AUSTRALIA</h2>
{NUMBERED}
</article></div>
<footer id="page-footer"><p>Donate to keep us alive</p></footer>
</body></html>"""

OLD_AUSTLII = f"""<HTML><HEAD><TITLE>Brandt v Elm Shire [2001] HCA 930 (7 May 2001)</TITLE></HEAD><BODY>
<A HREF="http://www.austlii.edu.au">[AustLII]</A> <A HREF="/d.html">[Databases]</A> <A>[Help]</A><HR>
<P>You are here: <A>AustLII</A> &gt;&gt; <A>Databases</A> &gt;&gt;
<A>High Court of Australia</A> &gt;&gt; 2001</P>
<!--make_database header end--><!--sino date 7 May 2001-->
<P>Last Updated: 9 May 2001</P>
{NUMBERED}
<!--make_database footer start--><P>Related cases: Fern v Elm</P>
<P>AustLII: Copyright Policy | Disclaimers | Feedback</P></BODY></HTML>"""

BAILII = f"""<HTML><HEAD>
<TITLE>Carrow &amp; Anor v Meridian Freight Ltd [2013] EWHC 99812 (Ch) (18 December 2013)</TITLE></HEAD>
<BODY><TABLE><TR><TD><A HREF="http://www.bailii.org/bailii/"><IMG SRC="/logo.png" ALT="BAILII"></A></TD>
<TD><SMALL>[<A HREF="/">Home</A>] [<A HREF="/d">Databases</A>] [<A>World Law</A>]
[<A>Help</A>]</SMALL></TD></TR></TABLE>
<H1>England and Wales High Court (Chancery Division) Decisions</H1><HR>
<SMALL><B>You are here:</B> <A HREF="/">BAILII</A> &gt;&gt; <A>Databases</A> &gt;&gt;
<A>England and Wales High Court (Chancery Division) Decisions</A> &gt;&gt;
Carrow &amp; Anor v Meridian Freight Ltd [2013] EWHC 99812 (Ch) (18 December 2013)<BR>
URL: <I>http://www.bailii.org/ew/cases/EWHC/Ch/2013/99812.html</I><BR>
Cite as: [2014] 1 WLR 99812, [2013] EWHC 99812 (Ch)</SMALL><HR>
<P ALIGN="center">[<A>New search</A>] [<A>Printable PDF version</A>] [<A>Help</A>]</P><HR>
<TABLE><TR><TD></TD><TD ALIGN="right">Case No: <CASENUM>HC12B99812</CASENUM></TD></TR></TABLE>
<P>Neutral Citation Number: <CITATION>[2013] EWHC 99812 (Ch)</CITATION></P>
{NUMBERED}
<HR><SMALL><B>BAILII:</B> <A>Copyright Policy</A> | <A>Disclaimers</A> | <A>Feedback</A><BR>
URL: <I>http://www.bailii.org/ew/cases/EWHC/Ch/2013/99812.html</I></SMALL></BODY></HTML>"""

KANOON = f"""<html><head>
<title>Carrow Grain Mills vs State Of Elm &amp; Ors on 24 April, 1983</title></head><body>
<div class="top_div"><a href="https://indiankanoon.org/">Indian Kanoon</a> <form>Search</form></div>
<div class="docoptions">Mobile View</div>
<div class="judgments"><div class="ad_doc">Buy our premium plan today</div>
<h2 class="docsource_main">Supreme Court of India</h2>
<h2 class="doc_title">Carrow Grain Mills vs State Of Elm &amp; Ors on 24 April, 1983</h2>
<h3 class="doc_citations">Equivalent citations: 1983 AIR 99461, 1983 SCR (9) 912,
AIR 1983 SUPREME COURT 99461</h3>
<h3 class="doc_author">Author: O. Quill</h3>
{NUMBERED.replace("<P>", '<p id="p_1">')}
</div><div class="related">Cites 3 - Cited by 40: Fern vs Elm</div></body></html>"""

HUDOC = f"""<!-- saved from url=(0050)https://hudoc.echr.coe.int/eng?i=001-99912 -->
<html><head><title>HUDOC - European Court of Human Rights</title></head><body>
<div class="navigator-heading"><span class="lineone">3 of 40 | CASE OF FERN v. ELMONIA</span></div>
<div class="tabs">View Case Details Language versions</div>
<div class="content"><p>Print</p><div class="document-content">
<p class="s1">GRAND CHAMBER</p><p class="s2">CASE OF FERN AND OTHERS v. ELMONIA</p>
<p class="s3">(Applications nos. 99912/06 and 99913/06)</p><p>JUDGMENT</p><p>STRASBOURG</p><p>25 May 2019</p>
<p>In the case of Fern and Others v. Elmonia, delivers the following judgment,
which was adopted on 2 May 2019:</p>
{NUMBERED}
</div></div></body></html>"""


NEW_YORK = f"""<html><head><title>Matter of Fern (2031 NY Slip Op 59912(U))</title></head><body>
<table><tr><td><b>Matter of Fern</b></td></tr><tr><td>2031 NY Slip Op 59912(U) [99 Misc 3d 1299(A)]</td></tr>
<tr><td>Decided on June 3, 2031</td></tr><tr><td>Surrogate's Court, Elm County</td></tr>
<tr><td>Quill, S.</td></tr>
<tr><td>Published by <a href="x">New York State Law Reporting Bureau</a>
pursuant to Judiciary Law § 431.</td></tr>
<tr><td>This opinion is uncorrected and will not be published in the printed Official Reports.</td></tr>
</table>
<p>File No. 2030-991</p>{NUMBERED}</body></html>"""


def check_body(found: SourceDocument, *left_out: str) -> None:
    assert [block.label for block in found.blocks if block.kind == "paragraph"] == ["1", "2", "3"]
    assert PARAGRAPHS[1] in found.text
    for words in left_out:
        assert words not in found.text, words
    place = found.text.index("carrier lost")
    run = max(run for run in found.source_map if run[0] <= place)
    assert run[0] + run[2] > place


def test_austlii(read_as: Reader) -> None:
    found = read_as("912.html", AUSTLII)
    assert found.metadata.title == 'Carrow v Meridian Freight Pty Ltd ("Wet Grain case")'
    assert found.metadata.citation == "[1994] HCA 912"
    assert found.metadata.parallel_citations == ("(1994) 991 CLR 40",)
    assert (found.metadata.court, found.metadata.date) == ("High Court of Australia", "1994-06-03")
    assert (found.metadata.kind, found.metadata.jurisdiction) == ("case", "AU")
    assert found.sources["court"] == "mark-up"
    check_body(found, "Search all", "Similar cases", "Donate", "Commonwealth")


def test_austlii_as_it_was(read_as: Reader) -> None:
    found = read_as("930.html", OLD_AUSTLII)
    assert (found.metadata.title, found.metadata.citation) == ("Brandt v Elm Shire", "[2001] HCA 930")
    assert (found.metadata.court, found.metadata.date) == ("High Court of Australia", "2001-05-07")
    check_body(found, "AustLII", "You are here", "Last Updated", "Related cases", "Copyright")


def test_bailii(read_as: Reader) -> None:
    found = read_as("99812.html", BAILII)
    assert found.metadata.title == "Carrow & Anor v Meridian Freight Ltd"
    assert found.metadata.citation == "[2013] EWHC 99812 (Ch)"
    assert found.metadata.parallel_citations == ("[2014] 1 WLR 99812",)
    assert found.metadata.court == "High Court of Justice, Chancery Division"
    assert (found.metadata.date, found.metadata.docket) == ("2013-12-18", ("HC12B99812",))
    assert found.metadata.jurisdiction == "UK"
    check_body(
        found, "[Home]", "You are here", "Cite as", "New search", "Copyright", "Decisions", "bailii.org"
    )


def test_indian_kanoon(read_as: Reader) -> None:
    found = read_as("1.html", KANOON)
    assert found.metadata.title == "Carrow Grain Mills vs State Of Elm & Ors"
    assert found.metadata.citation == "1983 AIR 99461"
    assert found.metadata.parallel_citations == ("1983 SCR (9) 912", "AIR 1983 SUPREME COURT 99461")
    assert (found.metadata.court, found.metadata.date) == ("Supreme Court of India", "1983-04-24")
    assert (found.metadata.kind, found.metadata.jurisdiction) == ("case", "IN")
    check_body(found, "premium", "Cited by", "Mobile View", "Search")


def test_hudoc(read_as: Reader) -> None:
    found = read_as("001-99912.html", HUDOC)
    assert found.metadata.title == "Fern and Others v. Elmonia"
    assert found.metadata.court == "European Court of Human Rights (Grand Chamber)"
    assert (found.metadata.date, found.metadata.docket) == ("2019-05-25", ("99912/06", "99913/06"))
    assert (found.metadata.kind, found.metadata.jurisdiction) == ("case", "ECHR")
    check_body(found, "3 of 40", "Language versions", "Print")


def test_new_york(read_as: Reader) -> None:
    found = read_as("59912.html", NEW_YORK)
    assert (found.metadata.title, found.metadata.citation) == ("Matter of Fern", "2031 NY Slip Op 59912(U)")
    assert found.metadata.parallel_citations == ("99 Misc 3d 1299(A)",)
    assert (found.metadata.court, found.metadata.date) == ("Surrogate's Court, Elm County", "2031-06-03")
    assert (found.metadata.docket, found.metadata.jurisdiction) == (("2030-991",), "US")
    assert "uncorrected" not in found.text
    assert "Published by" not in found.text
    found = read_as("59912.html", NEW_YORK.replace("<p>File No. 2030-991</p>", "<p>712894/30</p>"))
    assert found.metadata.docket == ("712894/30",)


def test_links_to_other_pages_of_a_list_are_no_pages_of_a_report(read_as: Reader) -> None:
    links = "".join(f'<a class="page-number" href="?{number}">{number}</a> ' for number in range(2, 9))
    found = read_as("list.html", f"<p>The grain.</p><p>{links}</p><p>The rye.</p>")
    assert (found.page_starts, found.page_numbers) == ((), ())


def test_other_pages_of_a_site_declare_nothing(read_as: Reader) -> None:
    page = AUSTLII.replace("Carrow v Meridian", "GRAIN ACT 1968 - SECT 40 x").replace("[1994] HCA 912; ", "")
    found = read_as("s40.html", page.replace("(1994) 991 CLR 40\n(3 June 1994)", ""))
    assert {found.sources[fact] for fact in ("court", "jurisdiction", "kind")} == {"head"}


def test_a_page_that_only_links_to_a_site_is_read_as_it_stands(read_as: Reader) -> None:
    found = read_as(
        "note.html", '<p>You are here: home.</p><p>See <a href="http://www.nowhere.test/">this</a>.</p>'
    )
    assert found.text == "You are here: home.\n\nSee this."
    assert found.format == "html"
