"""Reading a case's normal key: neutral or of a report, its year if it has one, and its page."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lexls.text.words import words

# Series that are cited by year and page alone, so that they look like neutral citations.
_BY_YEAR = words(
    """
    ac qb kb ch fam p icr wlr flr fcr irlr rpc fsr emlr eglr eg stc piqr blr hlr irlb ecc slt sc sclr jc ni
    lgr plr bpir etmr ukhrr hrlr inlr wtlr clc rtr acd ehlr ptsr oplr bclc bcc scr exch nzlr vr vlr qwn mlj
    slr hkldr hklrd hkc cmlr ecr ehrr ir ilrm jt scale crimes air canlii st.r.qd sasr tasr crim
    """
)
_BRACKETED = re.compile(
    r"\[(?P<year>\d{4})\]\s(?P<court>[A-Za-z]{2,12}(?:\s(?:Civ|Crim|\([A-Za-z]{1,9}\)))?)\s\d{1,5}(?:\s\([A-Za-z]{1,12}\))?"
)
_PLAIN = re.compile(
    r"(?P<year>\d{4})[ :](?P<court>[A-Z][A-Za-z-]{1,11}(?:\s(?:App|Civ))?)[ :]\d{1,6}(?:-[A-Z]{2})?U?"
)
_ECLI = re.compile(r"ECLI:")
_YEAR = re.compile(r"[\[(](\d{4})\]?\)?|^(\d{4})(?=\s)|^[A-Z][A-Za-z. ]{1,8} (\d{4}) ")
_LAST_NUMBER = re.compile(r"^(?P<stem>.*\S)\s{1,40}(?P<page>\d+[A-Z]?)$")


@dataclass(frozen=True, slots=True)
class Report:
    """One citation of a case. ``stem`` is what stands before its last number (``page``) if it has one."""

    key: str
    neutral: bool
    year: int | None
    stem: str
    page: str


def read_report(key: str) -> Report:
    """What a normal key tells by its shape alone."""
    found = _BRACKETED.fullmatch(key) or _PLAIN.fullmatch(key)
    neutral = _ECLI.match(key) is not None
    if found is not None:
        neutral = found["court"].casefold() not in _BY_YEAR
    dated = _YEAR.search(key)
    year = int(next(each for each in dated.groups() if each)) if dated is not None else None
    last = _LAST_NUMBER.match(key)
    return Report(key, neutral, year, last["stem"] if last else key, last["page"] if last else "")
