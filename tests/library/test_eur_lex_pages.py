"""Pages of EUR-Lex: three ages of the Official Journal, and the Commission's own documents."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lexls.library.document import SourceDocument
from lexls.library.places import list_labels

Reader = Callable[[str, str | bytes], SourceDocument]

_ARTICLES = """<p class="oj-normal">Having regard to the lamps,</p>
<p class="oj-ti-art">Article 1</p>
<p class="oj-sti-art">Lamps</p>
<p class="oj-normal">1. Every quay shall have lamps that burn from dusk until dawn.</p>
<p class="oj-normal">2. Lamps of oil shall be replaced within two years of the entry into force.</p>
<p class="oj-ti-art">Article 2</p>
<p class="oj-sti-art">Entry into force</p>
<p class="oj-normal">This Regulation shall enter into force on the day after its publication.</p>"""

MODERN = f"""<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml">
<head><title>L_1</title>
</head>
<body>
<table><tr><td><p class="oj-hd-ti">Official Journal</p></td>
<td><p class="oj-hd-coll">Series L</p></td>
</tr></table>
<table><tr><td/><td><p class="oj-hd-uniq">2031/61</p></td>
<td><p class="oj-hd-date">9.2.2031</p></td>
</tr></table>
<div class="eli-main-title"><p class="oj-doc-ti">COMMISSION REGULATION (EU) 2031/61</p>
<p class="oj-doc-ti">of 4 February 2031</p>
<p class="oj-doc-ti">on lamps</p>
</div>{_ARTICLES}
<p class="oj-doc-ti">ANNEX I</p></body></html>"""

OLDER = MODERN.replace("oj-", "").replace('<div class="eli-main-title">', "<div>").replace("Series L", "L")

CONSOLIDATED = f"""<html>
<head><title>Consolidated TEXT: 31995R0061</title>
</head>
<body><p class="disclaimer">Only a tool.</p>
<p class="title-doc-first">COUNCIL REGULATION (EC) No 61/95</p>
<p class="title-doc-first">of 4 February 1995</p>
<p class="title-doc-first">on lamps</p>
<p class="title-doc-oj-reference">(OJ L 7, 9.2.1995, p.12)</p>
<p class="title-doc-first">COUNCIL REGULATION (EC) No 61/95</p>
<p class="title-doc-first">of 4 February 1995</p>
<p class="title-doc-first">on lamps</p>{_ARTICLES.replace("oj-", "")}</body></html>"""

OLD = f"""<html>
<head><meta name="DC.description" content="Council Regulation (EC) No 61/95 of 4 February 1995 on lamps  ">
<meta name="DC.source" content="Official Journal L 007 , 09/02/1995 P. 0012 - 0014; ">
<meta name="DC.identifier" content="http://eur.example/LexUriServ.do?uri=CELEX:31995R0061:EN:HTML"></head>
<body><h1>31995R0061</h1><txt_te><p>Council Regulation (EC) No 61/95</p>{_ARTICLES}</txt_te></body></html>"""

PROPOSAL = """<html><body><p class="Emission">Brussels, 4.2.2031</p>
<p class="Rfrenceinstitutionnelle">COM(2031) 61 final</p>
<p class="Rfrenceinterinstitutionnelle">2031/0006(NLE)</p>
<p class="Statut">Proposal for a</p>
<p class="Typedudocument_cp">COUNCIL DECISION</p>
<p class="Titreobjet_cp">on lamps</p>
<p>EXPLANATORY MEMORANDUM</p></body></html>"""


@pytest.mark.parametrize(
    ("source", "title", "citations", "date"),
    [
        (
            MODERN,
            "Commission Regulation (EU) 2031/61 of 4 February 2031 on lamps",
            ("Regulation (EU) 2031/61", "OJ L, 2031/61, 9.2.2031"),
            "2031-02-04",
        ),
        (
            OLDER,
            "Commission Regulation (EU) 2031/61 of 4 February 2031 on lamps",
            ("Regulation (EU) 2031/61",),
            "2031-02-04",
        ),
        (
            CONSOLIDATED,
            "Council Regulation (EC) No 61/95 of 4 February 1995 on lamps",
            ("Regulation (EC) No 61/95", "OJ 1995 L 7/12"),
            "1995-02-04",
        ),
        (
            OLD,
            "Council Regulation (EC) No 61/95 of 4 February 1995 on lamps",
            ("Regulation (EC) No 61/95", "OJ 1995 L 7/12", "31995R0061"),
            "1995-02-04",
        ),
    ],
    ids=["modern", "older", "consolidated", "old"],
)
def test_acts(read_as: Reader, source: str, title: str, citations: tuple[str, ...], date: str) -> None:
    document = read_as("x.html", source)
    found = document.metadata
    assert (found.title, found.date, found.kind, found.jurisdiction) == (title, date, "regulation", "EU")
    assert {found.citation, *found.parallel_citations} == set(citations)
    assert list_labels(document.blocks, (), (), "section")[0].startswith("1")
    assert {label.partition("(")[0] for label in list_labels(document.blocks, (), (), "section")} >= {
        "1",
        "2",
    }
    assert document.format == "eur-lex"


def test_documents_of_the_commission(read_as: Reader) -> None:
    found = read_as("x.html", PROPOSAL).metadata
    assert found.title == "Proposal for a Council Decision on lamps"
    assert (found.citation, found.date, found.docket) == (
        "COM(2031) 61 final",
        "2031-02-04",
        ("2031/0006(NLE)",),
    )
    assert found.jurisdiction == "EU"
