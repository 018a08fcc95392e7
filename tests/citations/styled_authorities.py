"""Genuine authorities as a style knows them, each under a short name."""

from __future__ import annotations

from lexls.citations.styles import Reference


def _case(name: str, jurisdiction: str, *keys: str, court: str = "", year: int = 0) -> Reference:
    return Reference("case", name, keys, jurisdiction, court, year or None)


AUTHORITIES = {
    "donoghue": _case("Donoghue v Stevenson", "UK", "[1932] AC 562", court="HL"),
    "carlill": _case("Carlill v. Carbolic Smoke Ball Co.", "UK", "[1893] 1 QB 256", court="CA"),
    "miller": _case("R (Miller) v Prime Minister", "UK", "[2020] AC 373", "[2019] UKSC 41"),
    "corr": _case("Corr v IBC Vehicles Ltd", "UK", "[2008] UKHL 13", "[2008] 1 AC 884"),
    "callery": _case("Callery v Gray", "UK", "[2001] EWCA Civ 1117"),
    "mabo": _case("Mabo v Queensland (No 2)", "AU", "[1992] HCA 23", "(1992) 175 CLR 1"),
    "coleman": _case("Coleman v Power", "AU", "[2004] HCA 39", "(2004) 220 CLR 1"),
    "kirk": _case("Kirk v Industrial Court (NSW)", "AU", "(2010) 239 CLR 531"),
    "bush": _case("Bush v. Gore", "US", "531 U.S. 98", year=2000),
    "miranda": _case("Miranda v. Arizona", "US", "384 U.S. 436", year=1966),
    "roe": _case("Roe v. Wade", "US", "410 U.S. 113", "93 S. Ct. 705", year=1973),
    "napster": _case(
        "A&M Records, Inc. v. Napster, Inc.", "US", "239 F.3d 1004", court="9th Cir.", year=2001
    ),
    "microsoft": _case("United States v. Microsoft Corp.", "US", "253 F.3d 34", year=2001),
    "jordan": _case("R v Jordan", "CA", "2016 SCC 27"),
    "vavilov": _case("Canada (Minister of Citizenship and Immigration) v Vavilov", "CA", "2019 SCC 65"),
    "oakes": _case("R. v. Oakes", "CA", "[1986] 1 SCR 103"),
    "macmillan": _case(
        "MacMillan Bloedel Ltd v British Columbia", "CA", "(1996) 22 BCLR (3d) 137", court="BCCA"
    ),
    "kesavananda": _case("Kesavananda Bharati v. State of Kerala", "IN", "(1973) 4 SCC 225"),
    "maneka": _case("Maneka Gandhi v Union of India", "IN", "(1978) 1 SCC 248", "AIR 1978 SC 597"),
    "puttaswamy": _case("K.S. Puttaswamy v. Union of India", "IN", "(2017) 10 SCC 1"),
    "vishaka": _case("Vishaka vs. State of Rajasthan", "IN", "AIR 1997 SC 3011"),
    "gopalan": _case("A. K. Gopalan v. State of Madras", "IN", "AIR 1950 SC 27"),
    "hra": Reference("statute", "Human Rights Act", ("Human Rights Act 1998",), "UK"),
    "theft": Reference("statute", "Theft Act", ("Theft Act 1968",), "UK"),
    "corporations": Reference("statute", "Corporations Act", ("Corporations Act 2001 (Cth)",), "AU"),
    "crimes": Reference("statute", "Crimes Act", ("Crimes Act 1900 (NSW)",), "AU"),
    "stateless": Reference("statute", "Evidence Act", ("Evidence Act 1995",), "AU"),
    "ipc": Reference("statute", "Indian Penal Code", ("Indian Penal Code 1860",), "IN"),
    "contract": Reference("statute", "Indian Contract Act", ("Indian Contract Act 1872",), "IN"),
    "criminal": Reference("statute", "Criminal Code", ("RSC 1985, c C-46",), "CA"),
    "evidence": Reference("statute", "Canada Evidence Act", ("RSC 1985, c C-5",), "CA"),
    "civil rights": Reference("statute", "", ("42 U.S.C.",), "US"),
    "exchange": Reference("statute", "", ("15 U.S.C.",), "US"),
    "cfr": Reference("regulation", "", ("17 C.F.R.",), "US"),
    "constitution": Reference("constitution", "", ("U.S. Const.",), "US"),
    "india": Reference("constitution", "Constitution of India", ("Constitution of India",), "IN"),
    "frcp": Reference("rule", "", ("Fed. R. Civ. P.",), "US"),
    "gdpr": Reference("regulation", "", ("Regulation 2016/679",), "EU"),
    "hart": Reference("book", "The Concept of Law", (), "", year=1961, author="HLA Hart", source="OUP"),
}
