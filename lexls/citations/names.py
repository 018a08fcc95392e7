"""Names of authorities: compared, and shortened as drafts do."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from lexls.text.words import words

_IN_MATTER = re.compile(
    r"\b(?:in\s{1,40}re|re|ex\s{1,40}p(?:arte)?|"
    r"(?:in\s{1,40}the\s{1,40})?(?:matter|estate)\s{1,40}of)\b\s{0,40}:?\s{0,40}",
    re.IGNORECASE,
)
_VERSUS = re.compile(r"\s{1,40}(?:v|vs|versus)\b\.?\s{1,40}", re.IGNORECASE)
_TITLE_TAIL = re.compile(
    r"[\s,]{1,40}(?:anr|ors|another|others|and\s{1,40}(?:anr|ors|another|others)|&\s{0,40}(?:anr|ors|another|others)|et\s{1,40}al|et\s{1,40}ux|etc)\.?$",
    re.IGNORECASE,
)
_COMPANY = re.compile(
    r"[\s,]{1,40}(?:ltd|limited|inc|incorporated|llc|llp|lp|plc|corp|corporation|co|company|pty|pvt|private|\(p\)|n\.?a|s\.?a|ag|gmbh)\.?$",
    re.IGNORECASE,
)
_ACT_YEAR = re.compile(
    r"[\s,]{0,40}(?:of\s{1,40})?\(?(?:1[2-9]|20)\d\d\)?(?:\s{0,40}\([A-Z][A-Za-z]{1,4}\))?\s{0,40}$"
)
_ACT = re.compile(
    r"\b(?:Act|Code|Ordinance|Rules|Regulations|Order|Sanhita|Adhiniyam|Constitution|Statute|Charter)\b"
)
# Parties that name no case, because thousands of cases have them.
_COMMON = re.compile(
    r"^(?:the\s{1,40})?(?:r|rex|regina|the\s{1,40}king|the\s{1,40}queen|state(?:\s{1,40}of\s{1,40}.*)?|people(?:\s{1,40}of\s{1,40}.*)?|united\s{1,40}states(?:\s{1,40}of\s{1,40}america)?|"
    r"union\s{1,40}of\s{1,40}india|commonwealth(?:\s{1,40}of\s{1,40}.*)?|"
    r"crown|attorney[- ]general(?:\s{1,40}.*)?|commissioner(?:\s{1,40}.*)?|"
    r"secretary\s{1,40}of\s{1,40}state(?:\s{1,40}.*)?|director\s{1,40}of\s{1,40}public\s{1,40}prosecutions|dpp|minister(?:\s{1,40}.*)?|government\s{1,40}of\s{1,40}.*|in\s{1,40}re)$",
    re.IGNORECASE,
)


@lru_cache(maxsize=4096)
def short_names(title: str) -> tuple[str, ...]:
    """What drafts call an authority: the first party, the second, each without its company suffix; an Act's
    title without its year. Parties that tell nothing ("State of Kerala", "R") are left out.
    """
    title = " ".join(title.split())
    if not title:
        return ()
    if _VERSUS.search(title) is None and _ACT.search(title):
        bare = _ACT_YEAR.sub("", title).strip()
        return (bare,) if bare and bare != title else ()
    matter = _IN_MATTER.match(title)
    parties = [title[matter.end() :]] if matter else _VERSUS.split(title)
    found: list[str] = []
    for party in parties:
        party = re.sub(r"\s{0,40}\((?:No\.?\s{0,40})?\d+\)$", "", party.strip(" ,.;"))
        for name in (_shortened(party, _TITLE_TAIL), _shortened(_shortened(party, _TITLE_TAIL), _COMPANY)):
            if len(name) > 1 and name not in found and name != title and not _COMMON.match(name):
                found.append(name)
    return tuple(found)


@lru_cache(maxsize=4096)
def openings(title: str) -> tuple[str, ...]:
    """The first words of a case's parties by which drafts also call it ("Carrow" for *Carrow Shipping Ltd v
    Meridian Grain Traders Ltd*); none that begins thousands of names ("National", "Bank of").
    """
    if _VERSUS.search(title) is None:
        return ()
    found: list[str] = []
    for name in short_names(title):
        parts = name.split()
        for count in range(1, len(parts)):
            bare = parts[count - 1].strip(",.()&").casefold()
            if len(bare) > 2 and bare not in _NO_OPENING and parts[count - 1][:1].isupper():
                found.append(" ".join(parts[:count]))
    return tuple(dict.fromkeys(found))


_NO_OPENING = words(
    """
    the of and for state states union united new national federal central royal american north south east
    west northern southern eastern western great general international bank city county board council town
    port borough district commissioner commissioners commission committee chief director secretary
    minister ministry department estate trustees owners people public first second san los saint attorney
    superintendent registrar inspector collector
    """
)


def _shortened(name: str, tail: re.Pattern[str]) -> str:
    while True:
        shorter = tail.sub("", name).strip(" ,;&")
        if shorter == name or not shorter:
            return name
        name = shorter


@lru_cache(maxsize=4096)
def name_tokens(name: str) -> tuple[str, ...]:
    """The words of a case name that tell it from others, folded, "v" kept; no suffixes or courtesies."""
    plain = name.replace("&", " and ").casefold()
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain)
        plain = "".join(character for character in plain if not unicodedata.combining(character))
    plain = _IN_MATTER.sub(" ", re.sub(r"\bvs?\b\.?|\bversus\b", " v ", plain))
    words = re.findall(r"[^\W_]+(?:['’][^\W_]+)*", plain)
    return tuple(word.replace("'", "").replace("’", "") for word in words if word not in _DROPPED)


_DROPPED = words(
    """
    the of and ltd limited inc incorporated llc llp lp plc co company corp corporation pty pvt private p
    anr another ors others other et al etc ux uxor sa ag gmbh no nos mr mrs ms dr smt shri sri ex rel on
    application r
    """
)
