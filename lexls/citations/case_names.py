"""The name of a case before its citation."""

from __future__ import annotations

import re

from lexls.citations.scan import PARAGRAPH_BREAK, VERSUS
from lexls.text.spans import Span
from lexls.text.words import words

_WINDOW = 320
_CASE = re.compile(r"(?:[’']s)?\s{1,9}[Cc]ases?[\s,(\[]{0,40}\Z")
_TRAILING = " \t\r\n,.\"'”’“‘("
_REPORTED = re.compile(
    r"[\s,(\[]{1,40}(?:(?:since\s{1,40})?reported\s{1,40}(?:in|as|at)|[Uu]n-?rep(?:orted|\b)\.?)\Z"
)
# "R. c. Jordan"; in statutes a chapter stands behind the letter ("c C-46", "c 11").
_FRENCH_VERSUS = re.compile(
    r"c(?<=[\s).,].)\.?(?=\s{1,3}(?:[A-ZÀ-Þ][a-zß-ÿ.’']|[A-ZÀ-Þ]{1,6}\b(?!-\d)(?=[,\s])))"
)
_FRENCH = re.compile(r"[a-zß-ÿ’'-]{2,20}")
# Lower-case words that stand in a name.
_IN_NAMES = frozenset({"of", "and", "the", "for", "v", "vs", "&", "re", "parte", "de", "la"})
_TOKEN = re.compile(r"\S+")
_CONNECTORS = words(
    """
    of the state and for de la le du des van von der den di da ex rel re on to by in at & al et bin binte ibn
    d/o s/o w/o r/o anr ors another others y e parte matter application estate a/k/a d/b/a through thr
    as ki
    """
)
_PRONOUNS = words("it we us you he she they")
# These stand in a second party ("Board of Trade at Leeds"), but before a first one they introduce it.
_PLACES = words("in to by at on as through y e et")
_SUFFIXES = words(
    """
    inc ltd llc llp lp plc corp co company limited corporation incorporated na sa ag gmbh bv nv pty pvt
    jr sr ii iii iv et etc ors anr others another
    """
)
# Words that introduce a citation and belong to no name, though they may begin with a capital.
SIGNALS = words(
    """
    see cf also but accord contra compare with following applying per and in under as thus citing
    quoting overruling affirming reversing distinguishing eg e.g e.g. compare the that this when where
    while since because although though if after before later recently similarly likewise moreover
    however further furthermore then hence indeed here again cited decided followed case cases decision
    judgment held ratio from by to on at for of unlike like until whereas finally second third first
    so even just only what why how there it he she they we i did does is was both neither either yet still
    nor or can could may once consider
    applied discussed considered approved affirmed reversed sub nom relying upon id ibid article section
    rule act
    """
)
_ABBREVIATIONS = words(
    """
    st dr mr mrs ms jr sr co corp inc ltd bros dept ass'n assn int'l intl nat'l govt educ univ mfg no
    nos ors anr vs v bd comm'n dist elec eng'g exch fed fin gen hosp indus ins lab mach mem mun ry rr
    sch ser soc'y sys tel transp util pvt p pty ex rel
    corpn commr comnr asst dy engg secy regn instt coop mkg bldg
    md smt shri sri sh messrs m/s prop mohd ch etc al
    regl ctr cnty auth assocs auto am amer cas cent chem constr cntr dev distrib div env't equip fid grp
    defs wildlife indep bus envtl def found publ'g pub'g fed'n nat'l hosp gen'l comm'r comm'rs commc'ns
    eng'r entm't env't ent enters equal ests exp fedn fl fund gov't hous imp inst invs inv'r invs labs litig
    loc maint mgmt mach med merch metro mil mot mut nw ne sw se op ops partn'rs pers pharms pres prob proc
    prof'l props prot provs publ'n rd rec rehab rels reprod res resol resp rest ret sav'n sci s'holder
    stds stat subcomm sup surg techs tel temp twp transcon transp treas trib tchr tchrs unif utils vill vol
    welf wholesale assocs atl bankr behav bhd bldg bldgs broad cablev cas chi ctrs cir clin cmty cnties coal
    coll compar comput consol constr contemp contr coop corr cosm couns crim def det dem demog devs dir
    discip disp distrib econ ed emp emps
    guar inv liab ltd mkt mortg org pac pharm prods pub ref sav sec servs serv sts steel sur tech tele
    tr trs ala ariz ark cal colo conn del fla haw ill ind kan mass mich minn mont neb nev okla penn tenn tex
    va wash wis wyo
    """
)
_PREFIX = re.compile(
    r"[IERM](?<!\w.)(?:(?<=R)eferences?\s{1,9}re|(?<=I)n\s{1,40}(?:[Rr]e|the\s{1,40}[Mm]atter\s{1,40}of"
    r"|the\s{1,40}[Ee]state\s{1,40}of)|(?<=E)x\s{1,40}(?:[Pp]arte|p\.?)"
    r"|(?<=R)e|(?<=M)atter\s{1,40}of|(?<=E)state\s{1,40}of)(?:\s{0,9}:)?\s{1,40}"
)
# Surnames first, as in Singapore: "Reed, Michael v Bellingham, Alex".
_SURNAME_FIRST = re.compile(r"v\.?\s{1,3}[A-Z][\w’'-]{1,30},\s[A-Z]")
_SURNAME = re.compile(r"(?<![\w’'-])[A-Z][\w’'-]{1,30},\s\Z")
# Spouses: "Goode and Goode".
_TWICE = re.compile(r"(?<![\w’'&] )\b(?P<name>[A-Z][\w’'-]{1,30})\s{1,3}(?:and|&)\s{1,3}(?P=name)\Z")
_IN_FRENCH = words(
    "scolaire scolaires laïque sur aux par sociale sociaux municipale nationale canadien canadienne civil"
)
_FIRST_NATION = re.compile(
    r"\b(?:First|Second|Third)\s{1,3}(?=Nations?\b|National\b|Bank\b|Union\b|American\b|City\b)"
)
_NUMBERED_COMPANY = re.compile(r"\d{4}-\d{4}|\d{5,8}")  # "1704604 Ontario Ltd"
_OWN_MOTION = re.compile(r"\b(?:(?:High|Supreme)\s)?Court\s[Oo]n\s[Ii]ts\s[Oo]wn\s[Mm]otion\s{0,3}\Z")
# "Rizzo & Rizzo Shoes Ltd. (Re)", "Droit de la famille – 091768", "The Vasiliy Golovnin" (a ship).
_RE_BEHIND = re.compile(r"\s{1,3}\(Re\)\Z")
_FAMILY = re.compile(r"Droit de la famille\s?[-–—]{1,2}\s?\d{1,8}\Z")
_SHIP = re.compile(
    r"(?<![\w”’])The\s{1,3}(?!(?:Court|House|High|Supreme|Lords?|State|Government|Board|Act|Report|Judge"
    r"|Commission|Privy|Case"
    r"|Tribunal|Appeal|Constitution|Law|Full|Division|Chief|President|Crown|King|Queen|Attorney|Federal"
    r"|Article)\w*\b)"
    r"(?:[“\"‘'][A-Z][\w’'-]{1,20}(?:\s{1,3}[A-Z0-9][\w’'-]{0,20}){0,4}[”\"’']?"
    r"|[A-Z][\w’'-]{2,20}(?:\s{1,3}(?:of\s)?[A-Z][\w’'-]{1,20}){0,3})(?:\s{1,3}\(No\.?\s?\d{1,2}\))?\Z"
)
_IN_MATTER = re.compile(
    r"\b(?:in\s{1,40}re|re|ex\s{1,40}p(?:arte)?|"
    r"(?:in\s{1,40}the\s{1,40})?(?:matter|estate)\s{1,40}of)\b\s{0,40}:?\s{0,40}",
    re.IGNORECASE,
)


def name_before(text: str, start: int, floor: int = 0) -> Span | None:
    """The case name that ends right before a citation beginning at ``start``, or None.

    Nothing before ``floor`` (the end of the citation before) is looked at.
    """
    low = max(floor, start - _WINDOW)
    window = text[low:start]
    low, window = _last_paragraph(low, window)
    if window.rstrip(" \t\r\n,([")[-5:].casefold().endswith(("case", "cases")):
        cased = _CASE.search(window)
        if cased is not None:
            words_span = words_before(window, cased.start())
            return words_span.shift(low) if words_span is not None else None
    end = _end_of_name(window)
    if end is None:
        return None
    versus = _last_versus(window, end)
    begin = _first_party(window, versus.start()) if versus is not None else _other_name(window, end)
    if begin is None:
        return None
    if window.startswith("Ex parte", begin):
        other = _before_ex_parte(window, begin)
        begin = other if other is not None else begin
    if versus is not None and _SURNAME_FIRST.match(window, versus.start()):
        surname = _SURNAME.search(window, 0, begin)
        begin = surname.start() if surname is not None else begin
    return Span(low + begin, low + end)


def _before_ex_parte(window: str, begin: int) -> int | None:
    """Where the case begins in which the application is made: "Re Kane; Ex parte Moss"."""
    end = len(window[:begin].rstrip())
    if not window.endswith(";", 0, end):
        return None
    end -= 1
    versus = _last_versus(window, end)
    return _first_party(window, versus.start()) if versus is not None else _other_name(window, end)


def _last_paragraph(low: int, window: str) -> tuple[int, str]:
    """What of a window at ``low`` stands behind its last paragraph break, and where that begins."""
    breaks = list(PARAGRAPH_BREAK.finditer(window)) if "\n" in window else ()
    end = breaks[-1].end() if breaks else 0
    return low + end, window[end:]


def first_party(text: str, versus: int) -> int | None:
    """Where the first party's name begins before a "v" at ``versus``, None if no name stands there."""
    low = max(0, versus - _WINDOW // 2)
    window = text[low:versus]
    low, window = _last_paragraph(low, window)
    begin = _first_party(window, len(window))
    return low + begin if begin is not None else None


def titled_before(text: str, start: int, floor: int) -> Span | None:
    """The name without "v" that stands right before a citation with a year: "Kane's Application", "The Ida".

    Only what can hardly be anything else is one: a ship, a matter of somebody's, two parties, a name with a
    bracket at its end ("MN (Guardianship)").
    """
    low = max(floor, start - 160)
    window = text[low:start].rstrip(" ,")
    if not window or len(text[low:start]) - len(window) > 2 or "\n" in window[-60:]:
        return None
    tokens = list(_TOKEN.finditer(window))
    begin: int | None = None
    depth = 0
    first = len(tokens)
    for index in range(len(tokens) - 1, -1, -1):
        token = tokens[index].group()
        depth += token.count(")") - token.count("(")
        if depth < 0:
            break
        bare = token.strip("()[],.;:\"'“‘’”*").casefold()
        last = index + 1 == len(tokens)
        if not last and depth == 0 and token[-1] in ".,;:?!" and "(" not in token:
            break
        if depth > 0 or token.startswith("("):
            continue
        if _upper(token) and (bare not in SIGNALS or bare == "the"):
            begin, first = tokens[index].start() + len(token) - len(token.lstrip("\"'“‘[")), index
            if bare == "the":
                break
        elif bare not in _LOWER_IN_TITLES or last:
            break
    if begin is None or _NO_NAME.search(window, begin):
        return None
    if window.endswith("In the ", 0, begin) and window.startswith(("Marriage of ", "Matter of "), begin):
        begin -= len("In the ")
    title = window[begin:]
    if _MATTER.search(title) or (title.startswith("The ") and 2 <= len(tokens) - first <= 5):
        return Span(low + begin, low + len(window))
    parties = _PARTIES.fullmatch(title) is not None and _upper(title)
    bracketed = title.endswith(")") and (len(tokens) - first) >= 2 and _BRACKETED.search(title)
    return Span(low + begin, low + len(window)) if parties or bracketed else None


_LOWER_IN_TITLES = words("of the and for & de la ki o te von van")
_NO_NAME = re.compile(
    r"\b(?:Court|Tribunal|House of Lords|Privy Council|Committee|Commission of|Judges?|Justice|Act|Acts"
    r"|Rules|Regulations|"
    r"Order|Code|Convention|Article|Section|Chapter|Part|Schedule|Report|Lords?(?! Advocate['’]s)|Division"
    r"|Bench|Chamber|J|JJ|LJ|CJ|JA|P)\b"
)
_MATTER = re.compile(
    r"(?:['’]s?\s(?:Application|Reference|Petition|Estate|Trusts?|Settlement|Will|Case)"
    r"(?:\s\([^()]{1,40}\))?|\bCG)\Z|\AIn the (?:Marriage|Matter|Estate) of\b"
)
_PARTIES = re.compile(r"[A-Z][^,;:]{1,70}?\s(?:and|&)\s[A-Z][^,;:]{1,90}")
_BRACKETED = re.compile(r"\((?:No|Re|[A-Z][a-z]{4,})[^()]{0,40}\)\Z")


def words_before(text: str, end: int, inner: frozenset[str] = frozenset()) -> Span | None:
    """The capitalised words that end right before ``end``, signals and sentence starts left out.

    ``inner`` are further lower-case words that may stand between them.
    """
    low = max(0, end - 120)
    window = text[low:end].rstrip(_TRAILING)
    last = window[-40:].split()[-1:]
    if not last or not _may_end_name(last[0]):
        return None
    if "\n" in text[low + len(window) : end] and PARAGRAPH_BREAK.search(text, low + len(window), end):
        return None
    cut = max(window.rfind("\n\n"), window.rfind("; "), window.rfind(": "))
    base = low + cut + 1
    window = window[cut + 1 :]
    # A company's commas and points belong to its name, so words are walked back one by one.
    begin = position = len(window)
    for token in reversed(window.split()):
        position = window.rindex(token, 0, position)
        bare = token.strip("()[],.;:\"'“”‘’").casefold()
        upper = token.lstrip("\"'“‘([")[:1].isupper()
        ending = token.rstrip("\"'”’)]")
        if begin < len(window) and ending.endswith((".", "?", "!", ",")):
            quoted = ending != token and not ending.endswith(",")
            if quoted or not abbreviated(ending):
                break
        if bare in inner and not upper and begin < len(window):
            continue
        if bare in SIGNALS and not (bare in ("of", "for") and begin < len(window)):
            break
        if not upper and bare not in _IN_NAMES:
            break
        if upper:
            begin = position + len(token) - len(token.lstrip("\"'“‘(["))
    if begin >= len(window):
        return None
    return Span(base + begin, base + len(window))


def _may_end_name(token: str) -> bool:
    """Whether a name can end with a word."""
    bare = token.strip("()[],.;:\"'“”‘’").casefold()
    return (token.lstrip("\"'“‘([")[:1].isupper() or bare in _IN_NAMES) and bare not in SIGNALS


def _end_of_name(window: str) -> int | None:
    gap = len(window)
    while gap and (window[gap - 1].isspace() or window[gap - 1] in ",:([;-–—"):
        gap -= 1
    low = max(0, gap - 40)
    reported = _REPORTED.search(window, low, gap) if window.find("rep", low, gap) >= 0 else None
    if reported:
        gap = reported.start()
        while gap and (window[gap - 1].isspace() or window[gap - 1] in ",:(["):
            gap -= 1
    if not gap:
        return None
    # A full stop ends a name only in an abbreviation.
    if window[gap - 1] in "\"'”’":
        gap -= 1
    return gap or None


def _last_versus(window: str, end: int) -> re.Match[str] | None:
    """The last "v" before ``end`` behind which only a party's name stands."""
    found = None
    for match in VERSUS.finditer(window, 0, end):
        found = match
    if found is not None and _is_party(window[found.end() : end]):
        return found
    if " c" not in window:
        return None
    found = None
    for match in _FRENCH_VERSUS.finditer(window, 0, end):
        found = match
    if found is None or not _is_party(window[found.end() : end], french=True):
        return None
    return found


def _is_party(piece: str, french: bool = False) -> bool:
    """Whether a piece of text between "v" and a citation can be a party's name.

    A French one may have any words in lower case ("Conseil québécois sur le tabac").
    """
    tokens = _TOKEN.findall(piece)
    if not tokens or len(tokens) > 24:
        return False
    depth = 0
    capital = False
    for position, token in enumerate(tokens):
        depth += token.count("(") - token.count(")")
        bare = token.strip("()[],.;:&\"'“”‘’").casefold()
        if token[0].isupper() or token.lstrip("(\"'“‘[").startswith(tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZÉÖÜÁÄ")):
            capital = True
        elif token[0].isdigit():
            if token.endswith((".", ";")) and len(token) > 2 and position + 1 < len(tokens):
                return False  # a page that ends a sentence
            continue
        elif (
            bare
            and bare not in _CONNECTORS
            and bare not in _SUFFIXES
            and depth <= 0
            and not token.endswith(")")
            and not (french and _FRENCH.fullmatch(bare))
        ):
            return False
        last = position + 1 == len(tokens)
        if token.endswith((";", ":", "?", "!")) and not last and depth <= 0:
            return False
        if token.endswith(".") and not last and not abbreviated(token):
            return False
    return capital


def abbreviated(token: str) -> bool:
    """Whether a word's point can be that of an abbreviation or initial."""
    bare = token.strip("()[],\"'“”‘’")
    stem = bare.rstrip(".").casefold()
    return (
        len(stem) <= 2
        or "." in stem
        or stem in _ABBREVIATIONS
        or (len(stem) <= 5 and not re.search("[aeiouy]{1}", stem[1:]))
    )


def _first_party(window: str, end: int) -> int | None:
    """Where the first party's name begins, walking back from ``end``."""
    tokens = list(_TOKEN.finditer(window, 0, end))
    if not tokens:
        return None
    begin: int | None = None
    depth = 0
    index = len(tokens) - 1
    while index >= 0:
        match = tokens[index]
        token = match.group()
        depth += token.count(")") - token.count("(")
        bare = token.strip("()[],.;:\"'“”‘’*").casefold()
        if begin is not None and token.endswith((";", ":", "?", "!", "—", "–")):
            break
        if (
            begin is not None
            and depth <= 0
            and token.endswith(".")
            and (not abbreviated(token) or _ends_sentence(tokens, index))
        ):
            break
        if begin is not None and token.endswith((",", "),")) and depth <= 0:
            rest = window[match.end() : end].strip().split(",")[0].split()
            following = rest[0].strip("().,;").casefold() if rest else ""
            if (
                following not in _SUFFIXES
                and not window[match.end() : end].rstrip().endswith("Branch")
                and not _listed(tokens, index, window[match.end() : end])
            ):
                break
        if depth < 0:
            # An opening bracket that does not close before the name: the name stands in it.
            inner = match.start() + token.rindex("(") + 1
            if (
                inner < match.end()
                and window[inner].isupper()
                and token[token.rindex("(") + 1 :].casefold() not in SIGNALS
            ):
                begin = inner
            break
        starts_upper = _upper(token)
        if begin is None and token.startswith("(") and depth == 0:
            index -= 1  # what stands in brackets belongs to the name before: "Bell Ltd (in liq) v"
            continue
        opened = token.startswith("(") and depth == 0 and index > 0
        if opened and begin is not None and begin > match.start() and _names(tokens[index - 1].group()):
            index -= 1  # "R (on the application of Kane)"
            continue
        if depth > 0 or starts_upper or bare in ("&",) or token[0].isdigit():
            if depth <= 0 and bare in SIGNALS and begin is not None and starts_upper:
                if bare in _PRONOUNS and index and _upper(tokens[index - 1].group()):
                    index -= 1  # "Make It 16 Inc"
                    continue
                if bare == "the" or (
                    bare == "in"
                    and window[match.end() : begin].strip() == ""
                    and _IN_MATTER.match(window, match.start())
                ):
                    begin = match.start() + len(token) - len(token.lstrip("\"'“‘["))
                break
            if starts_upper:
                begin = match.start() + len(token) - len(token.lstrip("\"'“‘[(" if depth <= 0 else "\"'“‘["))
            elif begin is not None and _NUMBERED_COMPANY.fullmatch(token):
                begin = match.start()
            index -= 1
            continue
        if (bare in _CONNECTORS or bare in _SUFFIXES) and bare not in _PLACES:
            index -= 1
            continue
        # "Mouvement laïque québécois": a French name may go on in lower case.
        if bare in _IN_FRENCH or (bare.isalpha() and not bare.isascii()):
            index -= 1
            continue
        break
    if begin is not None:
        ordinal = _FIRST_NATION.search(window, max(0, begin - 12), end)
        if ordinal is not None and ordinal.end() == begin:
            return ordinal.start()
        motion = _OWN_MOTION.search(window, max(0, begin - 40), end)
        if motion is not None:
            return motion.start()
    return begin


_LIST = re.compile(
    r"(?:\s{1,3}[A-Z][\w’'-]{0,20},){0,4}\s{1,3}[A-Z][\w’'-]{0,20}\s{1,3}(?:and|&)\s{1,3}[A-Z]"
)


def _listed(tokens: list[re.Match[str]], index: int, behind: str) -> bool:
    """Whether a word with a comma is in a list in a party's name: "Mining, Forestry and Energy Union"."""
    token = tokens[index].group()
    if not _upper(token) or token.strip("(),").casefold() in SIGNALS or _LIST.match(behind) is None:
        return False
    before = tokens[index - 1].group().casefold() if index else ""
    return before not in _PLACES and before not in ("the", "for", "from", "of", "under", "since")


def _names(token: str) -> bool:
    """Whether a name can go on behind a word."""
    return _upper(token) and token[-1] not in ".,;:"


def _upper(token: str) -> bool:
    bare = token.lstrip("\"'“‘[(")
    return bool(bare) and (bare[0].isupper() or (bare[0] in "d’l" and bare[1:2] in "'’"))


def _ends_sentence(tokens: list[re.Match[str]], index: int) -> bool:
    """Whether an abbreviation's point also ends a sentence: in a lower-case word of more than a letter."""
    token = tokens[index].group()
    if token == "rel.":  # "State ex rel. Kane"
        return False
    return index > 0 and len(token.strip("().,")) > 1 and not token[0].isupper()


def _other_name(window: str, end: int) -> int | None:
    """Where "In re X", "Ex parte X", "Re X" begins, if only a name stands behind it."""
    twice = _TWICE.search(window, max(0, end - 90), end)
    if twice is not None:
        return twice.start()
    behind = _RE_BEHIND.search(window, max(0, end - 9), end)
    if behind is not None:
        name = words_before(window, behind.start())
        return name.start if name is not None else None
    for pattern in (_FAMILY, _SHIP):
        named = pattern.search(window, max(0, end - 90), end)
        if named is not None:
            return named.start()
    found = None
    for match in _PREFIX.finditer(window, 0, end):
        if _is_party(window[match.end() : end]):
            found = match
            break
    return found.start() if found is not None else None
