"""What stands around a citation's core besides its pinpoint: courts, editions, dates, a name behind it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lexls.citations.case_names import words_before
from lexls.citations.keys import spaced
from lexls.citations.model import Pinpoint
from lexls.citations.pinpoints import labels_of
from lexls.citations.scan import PARAGRAPH_BREAK
from lexls.text.spans import Span
from lexls.text.words import words

_IN_TITLES = words("of on the and for to in by from with against relating concerning between its or")
_PLACES = (
    "Ont|Alta|BC|Sask|Man|Que|Qué|Qc|NB|NS|PEI|Nfld|NL|NWT|Yuk|YT|Nu|Can|Fed|Eng|NSW|Vic|Qld|SA|WA|Tas|Scot"
    "|Ir|NZ|HK|Sing"
)
_COURTS = (
    "HL|CA|CCA|PC|NI|IH|OH|JCPC|SC|SCC|CSC|FC|FCA|CAF|FCTD|TD|HC|HCJ|HCA|FCAFC|FamCA|QB|KB|QBD|KBD"
    "|Ch|ChD|Ch D|Comm|Fam|Fam D|Pat"
    "|TCC|Admin|DC|Div Ct|DivCt|CJ|Ct J|Prov Ct|Prov Div|Gen Div|Sup Ct|Sup Ct J|SCJ|SCDC"
    "|SCTD|SCAD|CACM|Co Ct|Dist Ct|Mag Ct"
    "|Dist Ct J|Fam Ct|CS|CQ|CM|EAT|NIRC|EmpC|ERA"
    "|CAT|UT|FTT|CMAC|ECtHR|EComHR|ECJ|CJEU|GC|CFI|CFA|AG|Ex Ct|Ex Ch|Exch|CP|CCR|PDA|Adm|ICJ|PCIJ|NSWCA|VSCA"
    "|(?:SG|HK|ON|BC|AB|SK|MB|QC|NB|NS|NL)(?:CA|HC|SC|CFA|CFI|DC|QB|KB|CJ|PC|CS|CQ)"
    "|CanLII|QL|WL Can|Dec|Note|FB|DB|LB"
    "|Bom|Del|Cal|Mad|All|Kar|Karn|Kant|Ker|Guj|P ?& ?H|Raj|MP|AP|Pat|Ori|Gau|HP|J ?& ?K|Jhar|Chh|Trib|Tri"
    "|Mys|Lah|Nag|Hyd|Tel|Utt|Sikk|Delhi|Bombay|Madras|Calcutta"
    "|Mumbai|Karnataka|Kerala|Gujarat|Allahabad|Delhi - Trib"
    "|Mumbai - Trib|Bangalore - Trib|Chennai - Trib|Kolkata - Trib|Tri - Del|Tri - Mumbai|Tri - Bang|Delhi HC"
    "|CESTAT|CEGAT|ITAT|NCLT|NCLAT|NCDRC|SB|TM"
)
_WORD = re.compile(r"[A-Z](?=[A-Z])|(?<=[A-Za-z])(?=[ |)]|$)")


def _with_points(names: str) -> str:
    """The pattern of courts with the points and spaces that some write in them: "B.C. C.A.", "Gen. Div."."""
    return _WORD.sub(lambda match: f"{match.group()}\\.?\\s?", names).replace(" ", r"\s?")


_PAGE_BEHIND = re.compile(r"\s{1,3}(?P<pages>\d{1,5}(?:\s?[-–]\s?\d{1,5})?)(?![\w/]|\.\d|\s{1,3}[A-Z(\[])")
# The paragraph that tells more precisely than the page where: "162, 174 [7]".
_PARAGRAPHS = r"[Pp]ara(?:s|graphs?)?\b\.?\s{0,3}\d{1,4}(?:\s?[-–]\s?\d{1,4})?"
_PARAGRAPH = re.compile(
    r"\s{1,3}\[\d{1,4}\](?:\s?[-–]\s?\[\d{1,4}\])?"
    rf"|,?\s{{1,3}}(?:{_PARAGRAPHS}(?!\w)|\({_PARAGRAPHS}\))"
)
_COURT_BEHIND = re.compile(
    r",\s{1,3}(?:CA|HL|PC|EAT|DC|CCA|QBD|KBD|Ch D|NICA|CSIH|Fam D)(?=\s{0,3}(?:[.,;:)\n]|$)|\s(?:and|per"
    r"|which|where)\b)"
)
_FURTHER = re.compile(r",\s{1,3}\d{1,5}(?:\s?[-–]\s?\d{1,5})?\s{1,3}\[\d{1,4}\](?:\s?[-–]\s?\[\d{1,4}\])?")
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = rf"\d{{1,2}}\s{{1,3}}(?:{_MONTHS})\s{{1,3}}\d{{4}}"
# "(CA)", "(Ont. C.A.)", "(SC) (FB)", "(CA Qué)": the court, which many reports do not tell, or the day.
_COURT = re.compile(
    rf"(?:\s{{0,9}}\((?:(?:(?:{_with_points(_PLACES)})\s?)?(?:{_with_points(_COURTS)})(?:\s?Qu[eé]\.?)?"
    rf"|(?:judgment\s(?:of|delivered)\s)?{_DATE})\)){{1,3}}"
)
# "(ECtHR, 29 April 2002)", ", 25 May 2021", "(extracts)": a Strasbourg judgment's date and report.
_STRASBOURG = re.compile(
    rf"(?:\s{{1,3}}\((?:(?:ECtHR|ECHR|EComHR|Commission|Commission Decision|Court)[, ]\s?)?"
    rf"(?:\[?GC\]?,?\s)?{_DATE}\)"
    rf"|,\s{{1,3}}(?:(?:judgment|decision)\sof\s)?{_DATE}|\s\((?:extracts?|dec\.?|GC|Grand Chamber"
    rf"|just satisfaction)\)){{1,2}}"
)
_BEFORE = re.compile(
    rf"(?:[,(]\s{{0,9}}(?:(?:judgment|decision)\sof\s)?{_DATE})?(?:,\s{{1,3}}(?:§{{1,2}}|paras?\.?"
    rf"|paragraphs?)\s{{0,3}}(?P<paras>\d{{1,4}}"
    r"(?:(?:\s?[-–]\s?|,\s?|\s(?:and|to)\s)\d{1,4}){0,6}))?,\s{1,3}\Z"
)
# "(West 2015)", "(2018)", "(Supp. IV 2004)": the edition of a code.
_EDITION = re.compile(
    r"\s{1,9}\((?:(?:West|LexisNexis|Lexis|Matthew Bender|McKinney|Vernon|Deering|Purdon|Baldwin|Michie"
    r"|Consol|Supp|Cum|Am\. L(?:aw|\.) Inst|U\.S\. Sent['’]g Comm['’]n|Am\. Bar Ass['’]n|Unif\. L(?:aw"
    r"|\.) Comm['’]n|as amended(?: in)?|Thomson Reuters|Smith-Hurd|through)\b[\w\s.&,'’]{0,40}?\s?)?"
    r"(?:[A-Z][a-z]{2,8}\.?\s\d{1,2},\s)?(?:1[789]|20)\d\d(?:\s?(?:&|and)\s?(?:Cum\. )?Supp\.?[^()]{0,20})?\)"
)
_IN_FORCE = re.compile(
    r",?\s{1,3}\((?:entered into force|not yet in force|opened for signature|adopted|signed)[^()]{0,80}\)"
)
_BOXED = re.compile(r"(?:,\s{1,3}(?:[A-Z][a-z]{2,8}\s)?(?:1[89]|20)\d\d|\s\((?:1[89]|20)\d\d\))?\)")
_COMMENT = re.compile(
    r"(?:,?\s{1,3}(?:(?:&|and)\s)?(?:cmts?\.|illus\.|reporter['’]s\snotes?|subds?\.|subdiv\.)\s{0,3}"
    r"(?:n\.)?\w{1,4}(?:\([0-9A-Za-z]{1,4}\)){0,3}){1,2}"
    r"|,?\s{1,3}advisory\scommittee['’]s\snotes?(?:\s(?:to|on)\s(?:(?:1[89]|20)\d\d\samendments?|rules?)"
    r"|\s\((?:1[89]|20)\d\d\))?"
)
_DATE_BEHIND = re.compile(rf",\s{{1,3}}{_DATE}")
_DATED_BEHIND = re.compile(
    rf",?\s{{1,3}}(?:\((?:[A-Z]{{2,6}},?\s)?"
    rf"(?:(?:unrep(?:orted|\.)|judgment|dated|decided on|delivered)(?:\sof)?,?\s)?(?:{_DATE})\)"
    rf"|(?:(?:judgment of|dated|decided on|delivered on|order of)\s)?(?:{_DATE}"
    rf"|\d{{1,2}}\.\d{{1,2}}\.\d{{4}}))(?!\w)"
)
_OPINION = re.compile(
    r",?\s{1,3}\(?(?:Opinion\sof|per|View\sof)\s(?:(?:Mr|Ms|Mrs)\s)?"
    r"(?:AG|A\.G\.|Advocate\sGeneral)\s[A-Z][\w’'-]{1,20}"
    r"(?:\s[A-ZÀ-Þ][\w’'-]{1,20})?\)?"
)
_LONG_TITLE = re.compile(
    r"(?<!\w)(?P<title>(?:Loi|Code\s(?:de|du|des|civil|criminel)|Charte|Règlement|An Act)\s"
    r"(?:[^.;:()\n]|\([^()\n]{0,60}\)){3,140}),\s{1,3}\Z"
)
# What opens a title that ends with a quotation mark; an apostrophe opens only behind a space.
_OPENINGS: Mapping[str, re.Pattern[str]] = {
    "”": re.compile("“"),
    '"': re.compile(r'(?<!\w)"'),
    "’": re.compile("‘"),
    "'": re.compile(r"(?<![\w'])'(?=\w)"),
}
_DATED = re.compile(
    rf"(?:,?\s{{1,3}}\(?(?:(?:opened for signature|adopted|signed|done|concluded)\s)?{_DATE}\)?)?"
    r"(?:,?\s{1,3}\((?:entered into force|opened for signature|adopted|signed)[^()]{0,60}\))?,?\s{1,3}\(?\Z"
)
_TITLE_NOUN = re.compile(
    r"\b(?:Act|Regulations?|Rules?|Order|Code|Convention|Covenant|Protocol|Treaty|Agreement|Charter|Statute"
    r"|Pact)\b"
)
_NAME_BEHIND = re.compile(
    r"[\s,:]{1,9}(?P<name>(?!(?:The|In|It|This|That|At|On|As|See|And|For|Court|Advocate|Opinion|EU|ECLI"
    r"|Article|Regulation"
    r"|Directive)\b)[A-Z][\w.&’'-]{0,30}(?:\s{1,3}(?:and|others|v|of|the|for|de|la|le|du|di|der|von|van|et|&"
    r"|\([A-Z][^()\n]{0,40}\)|[A-Z][\w.&’'/-]{0,30}"
    r"|(?:on|in|to|los|en|e|y|und|für|zur|zum|bei|do|da|dos|das|delle|dei|gegen|contre|eV|mbH"
    r"|a\.s\.|s\.r\.o\.)\b)){0,16})(?=\s{0,3}(?:[,;([]|\.(?!\w)|E?CLI|EU:[CTF]:|$)|\s{1,3}(?:E?CLI"
    r"|EU:[CTF]:))"
)


def dated(text: str, end: int) -> int:
    """Where the date of a judgment known by its number ends ("HCA 2157/2010, 12 March 2012, at [22]")."""
    match = _DATED_BEHIND.match(text, end) or _OPINION.match(text, end)
    return match.end() if match is not None else end


def long_title(text: str, start: int, floor: int) -> Span | None:
    """The title before a Canadian statute's chapter that ends with no noun: "Loi sur …", "An Act to …"."""
    match = _LONG_TITLE.search(text, max(floor, start - 170), start)
    return Span(*match.span("title")) if match is not None else None


def court(text: str, end: int) -> int:
    """Where the court in brackets behind a report ends ("[1893] 1 QB 256 (CA)"), ``end`` if there is none."""
    match = _COURT.match(text, end)
    return match.end() if match is not None else end


def court_behind(text: str, end: int) -> int:
    """Where the court behind the page ends, in brackets or behind a comma: "(1880) 13 Ch D 696, 710, CA"."""
    match = _COURT_BEHIND.match(text, end)
    return match.end() if match is not None else court(text, end)


def date(text: str, end: int) -> int:
    """Where the day of a judgment behind its number ends (", 12 May 2010"), ``end`` if there is none."""
    match = _DATE_BEHIND.match(text, end)
    return match.end() if match is not None else end


def page_behind_court(text: str, end: int) -> tuple[Pinpoint, int] | None:
    """The page that follows the court without a comma: "[1932] AC 562 (HL) 580"."""
    match = _PAGE_BEHIND.match(text, end)
    if match is None:
        return None
    return Pinpoint("page", labels_of(match["pages"]), Span(*match.span("pages"))), match.end()


def paragraph_behind_page(text: str, end: int) -> int:
    """Where the bracketed paragraph behind a page ends, ``end`` if there is none."""
    match = _PARAGRAPH.match(text, end)
    while match is not None:
        end = match.end()
        match = _FURTHER.match(text, end)
    return end


def strasbourg_date(text: str, end: int) -> int:
    """Where the date or the note behind a citation of the European Court of Human Rights ends."""
    match = _STRASBOURG.match(text, end)
    return match.end() if match is not None else end


def before_strasbourg_report(text: str, start: int, floor: int) -> tuple[int, Pinpoint | None]:
    """Where the date and paragraphs before a Strasbourg report begin, and those paragraphs.

    "Marckx v. Belgium, 13 June 1979, § 31, Series A no. 31": the name ends before them.
    """
    match = _BEFORE.search(text, max(floor, start - 90), start)
    if match is None or match.end() - match.start() < 6:
        return start, None
    if match["paras"] is None:
        return match.start(), None
    span = Span(*match.span("paras"))
    return match.start(), Pinpoint("paragraph", labels_of(match["paras"]), span)


def in_force(text: str, end: int) -> int:
    """Where the note on a treaty's coming into force in brackets ends, ``end`` if there is none."""
    match = _IN_FORCE.match(text, end)
    return match.end() if match is not None else end


def boxed(text: str, start: int, end: int) -> int:
    """Where the brackets around a paper's number end ("(Cm 123, 1987)"), ``end`` if it stands in none."""
    match = _BOXED.match(text, end) if text[start - 1 : start] == "(" else None
    return match.end() if match is not None else end


def comment(text: str, end: int) -> int:
    """Where a comment or subdivision behind a section or rule ends ("§ 90 cmt. b"), else ``end``."""
    match = _COMMENT.match(text, end)
    return match.end() if match is not None else end


def edition(text: str, end: int) -> int:
    """Where the edition of a code in brackets ends: "(West 2015)"; ``end`` if there is none."""
    match = _EDITION.match(text, end)
    return match.end() if match is not None else end


def title_before(text: str, start: int, floor: int) -> Span | None:
    """The title of a treaty or regulation that is cited by its number at ``start``, a date left out."""
    match = _DATED.search(text, max(floor, start - 110), start)
    if match is None:
        return None
    title = words_before(text, match.start(), _IN_TITLES)
    if title is None or title.start < floor or _TITLE_NOUN.search(title.of(text)) is None:
        return None
    return title


def quoted_title(text: str, start: int, floor: int) -> Span | None:
    """The title in quotation marks right before a journal's citation, with its marks."""
    low = max(floor, start - 260)
    end = len(text[low:start].rstrip(" \t\r\n,(")) + low
    opening = _OPENINGS.get(text[end - 1 : end]) if end > low else None
    if opening is None or PARAGRAPH_BREAK.search(text, low, end):
        return None
    begin = max((match.end() - 1 for match in opening.finditer(text, low, end - 2)), default=-1)
    return Span(begin, end) if begin >= low else None


def strasbourg_limit(text: str, end: int) -> int:
    """Where the date behind a Strasbourg citation's pinpoint begins, the end of the text if there is none."""
    match = _DATE_BEHIND.search(text, end, min(len(text), end + 60))
    return match.start() if match is not None else len(text)


def name_behind(text: str, end: int, limit: int) -> tuple[str, int] | None:
    """The name behind a case's number, and where it ends: "Case C-621/18 Wightman and Others"."""
    match = _NAME_BEHIND.match(text, end)
    if match is None or match.end() > limit:
        return None
    return spaced(match["name"]), match.end()
