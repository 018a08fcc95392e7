"""A small library of invented law, indexed once, and drafts that are read from marked strings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from lexls.assessing.check import Finding
from lexls.assessing.rules.engine import check
from lexls.citations.grammar import Grammar
from lexls.index.library import Library
from lexls.index.session import open_library
from lexls.reading.authority_names import NameIndexes
from lexls.reading.draft import Draft
from lexls.reading.draft_parser import DraftParser
from lexls.reading.edit import apply_edits
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

FORMS: list[dict[str, Any]] = [
    {
        "id": "aldmoor-neutral",
        "jurisdiction": "Aldmoor",
        "pattern": "[{year}] {court} {number}",
        "court": ["ASC", "ACA", "AHC"],
        "pinpoint": "paragraph",
    },
    {
        "id": "aldmoor-reports",
        "jurisdiction": "Aldmoor",
        "pattern": "({year}) {volume} {report} {page}",
        "report": ["AldLR"],
        "pinpoint": "page",
    },
]

AUTHORITIES = {
    "carrow.md": """\
---
title: Carrow v Luff
citation: "[2014] ASC 12"
parallel_citations: ["(2014) 31 AldLR 5"]
court: Supreme Court of Aldmoor
date: 2014-03-09
kind: case
jurisdiction: Aldmoor
---

# Carrow v Luff

## The facts

[1] The appellant shipped forty bales of wool in the brig Heron. The wool arrived soaked with sea water.

[2] The master had left the customary route to collect a passenger of his own. Nobody on shore knew of it.

## The law

[3] A carrier who leaves the agreed route without necessity answers for every loss that follows. It is no
defence that the weather was fair, or that the cargo might have been lost anyway. See Pell v Stark [2009]
ACA 31 at [2].

[4] Necessity is judged at the time of the departure from the route and not with hindsight.

## Disposal

[5] The appeal is allowed. See [the order](https://example.test/order) and ![seal](https://example.test/seal.png).
""",
    "pell.txt": """\
Pell v Stark

[2009] ACA 31

Case No: CV-2008-000417

Court of Appeal of Aldmoor

14 May 2009

[1] The respondent kept a warehouse for grain at the north quay.

[2] A warehouse keeper must guard against damp and vermin, and bears the burden of showing that he did.

[3] The demand for storage charges fails, because no bill was ever rendered to the merchant.
""",
    "thornby.md": """\
---
title: Thornby Estates Ltd v Registrar of Tides
citation: "(1987) 4 AldLR 212"
court: High Court of Aldmoor
date: 1987-11-02
kind: case
jurisdiction: Aldmoor
---

1. The claimant leases foreshore from the Crown of Aldmoor.

2. A licence to take seaweed is not an easement. It passes to nobody and dies with the licensee.

3. The registrar has no power to extend a licence after its term has run out.
""",
    "owners.md": """\
---
title: The Owners of the Grey Gull v Harbour Board
citation: "[2016] AHC 88"
court: High Court of Aldmoor
date: 2016-06-30
kind: case
jurisdiction: Aldmoor
---

[1] The Harbour Board moved the moorings without notice to the owners of the yacht.

[2] Notice must be given in writing, and a notice pinned to a post is no notice to a person abroad.

[3] The rule in Carrow v Luff [2014] ASC 12 at [3] says nothing on moorings.
""",
    "carriage.md": """\
---
title: Carriage of Goods Act 1994
citation: Carriage of Goods Act 1994
kind: statute
date: 1994
jurisdiction: Aldmoor
---

# Carriage of Goods Act 1994

## Part 1 Carriers

### 11 Bills of lading

(1) A carrier must issue a bill of lading on demand.

### 12 Liability of carriers

(1) A carrier is liable for loss of goods between loading and discharge.

(2) Subsection (1) does not apply where the shipper concealed the nature of the goods.

### 13 Limitation

No claim may be brought after one year from delivery.
""",
}


@dataclass(frozen=True)
class Marked:
    """A draft with the cursor's offset, or the selection."""

    snapshot: Snapshot
    start: int
    end: int

    @property
    def draft(self) -> Draft:
        return self.snapshot.draft


Read = Callable[..., Marked]


@pytest.fixture(scope="session")
def grammar() -> Grammar:
    return Grammar.load(FORMS)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("authorities")
    for name, text in AUTHORITIES.items():
        (folder / name).write_text(text, encoding="utf-8")
    index: Path = tmp_path_factory.mktemp("index") / "index.sqlite"
    settings = Settings(jurisdiction="Aldmoor", embeddings_model="", citations_forms=tuple(FORMS))
    library, report = open_library([folder], index, settings, lexical_only=True)
    assert not report.failed
    yield library
    library.close()


@pytest.fixture(scope="session")
def names() -> NameIndexes:
    return NameIndexes()


@pytest.fixture
def token() -> CancelToken:
    return CancelToken()


@pytest.fixture
def read(grammar: Grammar, library: Library, names: NameIndexes) -> Read:
    """``read("… | …")``: a snapshot with the cursor at the bar; with two bars, a selection.

    Further arguments are settings; ``severities`` only those that differ from the defaults.
    """

    def read(marked: str, markup: str = "markdown", **settings: Any) -> Marked:
        parts = marked.split("|")
        source = "".join(parts)
        start = len(parts[0])
        end = start + len(parts[1]) if len(parts) == 3 else start
        default = Settings(jurisdiction="Aldmoor")
        severities = {**default.severities, **settings.pop("severities", {})}
        current = replace(default, severities=severities, **settings)
        parser = DraftParser(grammar, current.jurisdiction)
        draft = parser.parse("file:///draft", source, FORMATS[markup])
        searcher = Searcher(library)
        return Marked(Snapshot(draft, library, searcher, current, names, parser=parser), start, end)

    return read


REPORTED = {
    **AUTHORITIES,
    "mills.md": """\
---
title: Mills Act 1988 (Grain) Order 1989
citation: SI 1989/77
kind: regulation
jurisdiction: UK
---

1. Every mill keeps a book of its grain.

2. The book lies open at noon.
""",
    "dunmore.md": """\
---
title: Stark v Dunmore
citation: "[2003] ACA 8"
court: Court of Appeal of Aldmoor
date: 2003-05-06
kind: case
jurisdiction: Aldmoor
---

[1] A ferryman who refuses a passenger at night owes him the price of a bed.

[2] The passenger need not ask twice.
""",
    "ketch.md": """\
---
title: Harrow v Ketch
citation: "[2018] ASC 4"
court: Supreme Court of Aldmoor
date: 2018-02-01
kind: case
jurisdiction: Aldmoor
---

[1] The ferry at Tollen does not run at night.

[2] We overrule Stark v Dunmore [2003] ACA 8.

[3] A ferryman may refuse whom he likes after dark.
""",
    "quill.md": """\
---
title: Quill v Marten
citation: "(2014) 12 AldLR 77"
court: High Court of Aldmoor
date: 2014-10-10
kind: case
jurisdiction: Aldmoor
---

[1] Geese on a common belong to whoever feeds them in winter.
""",
}
REPORTED["moorings.md"] = """\
---
title: Joint Moorings Services Agreement
kind: contract
date: 2018-02-01
---

# Joint Moorings Services Agreement

## 1. Moorings

The Harbour shall let forty moorings to the Club.

## 2. Rent

The Club shall pay rent on the first day of each quarter.

## Schedule 1

The moorings are those on the north quay.
"""
REPORTED["title_9.md"] = """\
---
title: Title 9 – Arbitration
citation: 9 U.S.C.
kind: statute
date: 2012
jurisdiction: US
---

## § 1. Exceptions

No pilot is bound.

## § 2. Validity

A bargain to arbitrate is a bargain.
"""
REPORTED["orr.md"] = """\
---
title: Orr v Ryle
citation: "[2018] ASC 3"
court: Supreme Court of Aldmoor
date: 2018-03-09
kind: case
jurisdiction: Aldmoor
---

[1] The tide table was wrong.

[2] Nobody read it.

[4] The pilot is not liable.
"""
REPORTED["moss.md"] = """\
---
title: R v Moss
citation: "978 F.3d 171"
court: Court of Appeals
date: 2020-10-10
kind: case
jurisdiction: US
---

[1] Moss is not evidence.
"""
REPORTED["sorrel.md"] = """\
---
title: Sorrel v Dock Co
citation: "[2011] NSWCA 15"
date: 2011-03-09
kind: case
jurisdiction: AU
---

## MARLOWE JA

[1] The appeal fails. In the court below it was said of the tide, at some length and with reason, that:

52. The tide turned before the gate was shut, and nobody can say which of the two came first.

53. The gate was shut before the tide turned, and nobody can say which of the two came last.

54. Neither the gate nor the tide was seen by anybody at all, which is what the case is about.

55. What nobody saw, nobody can prove, and what nobody can prove is not for this court to find.

[2] I agree with that, and with what was said of costs.

[3] Costs follow the event.
"""
REPORTED["ferrier.md"] = """\
---
title: Ferrier v Dock Co
citation: "[2009] NSWCA 77"
date: 2009-03-09
kind: case
jurisdiction: AU
---

[1] The appeal fails.

[2] The dock was open.
"""
REPORTED["dock.md"] = """\
---
title: Dunne v. Dock Corp.
citation: "769 So. 2d 903"
court: Supreme Court of Alabama
date: 2000-03-09
kind: case
jurisdiction: US
---

The judgment is affirmed.
"""
REPORTED["quay.md"] = """\
---
title: Quay v. Ostler
citation: "770 So. 2d 12"
court: Supreme Court of Alabama
date: 2000-05-04
kind: case
jurisdiction: US
---

We affirm. See Dunne v. Dock Corp., 769 So. 2d 903, 120 S. Ct. 1104 (2000).
"""
REPORTED["unni.md"] = """\
---
title: Vellan v Harbour Master
citation: "(2012) 29 AldLR 40"
court: High Court of Aldmoor
date: 2012-03-09
kind: case
jurisdiction: Aldmoor
---

[1] This judgment governs the appeal of Tam Osterly v Harbour Master too.
"""
REPORTED["looms.md"] = f"""\
---
title: Ambrose v. Tidewater Mills
citation: "88 So. 3d 41"
court: Supreme Court of Alabama
date: 2010-03-09
kind: case
jurisdiction: US
---

Ambrose wove by night and the mill paid by day. The State Board of Looms kept its own hours.

{"The mill's clock is no evidence of what it paid. " * 50}
"""
REPORTED["wreck.md"] = """\
---
title: Wreck Act 1931
citation: Wreck Act 1931
kind: statute
date: 1931
jurisdiction: Aldmoor
---

### 6 Finders

A finder must tell the receiver of wreck.
"""
_UNDERLINE = re.compile(r"^(?P<indent> *)(?P<mark>\^+) (?P<code>[a-z-]+)(?:: (?P<message>.*))?$")

CheckDraft = Callable[..., list[Finding]]


@pytest.fixture(scope="session")
def reported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """The invented library, with a judgment that another one overrules."""
    folder = tmp_path_factory.mktemp("reported")
    for name, text in REPORTED.items():
        (folder / name).write_text(text, encoding="utf-8")
    index: Path = tmp_path_factory.mktemp("index") / "index.sqlite"
    settings = Settings(jurisdiction="Aldmoor", embeddings_model="", citations_forms=tuple(FORMS))
    library, report = open_library([folder], index, settings, lexical_only=True)
    assert not report.failed
    yield library
    library.close()


@pytest.fixture
def check_draft(grammar: Grammar, reported: Library, token: CancelToken) -> CheckDraft:
    """``check_draft(draft)``: the findings of a draft must be those written under its lines, and no others.

    A line of "^" under words, followed by a code and, after a colon, the message if it matters, is what is
    expected there. ``also`` are codes that are off by default.
    """

    def check_draft(
        marked: str, markup: str = "markdown", also: Sequence[str] = (), jurisdiction: str = "Aldmoor"
    ) -> list[Finding]:
        lines: list[str] = []
        expected = []
        for line in marked.split("\n"):
            under = _UNDERLINE.match(line)
            if under is None:
                lines.append(line)
                continue
            start = sum(len(each) + 1 for each in lines[:-1]) + len(under["indent"])
            expected.append((start, start + len(under["mark"]), under["code"], under["message"]))
        default = Settings(jurisdiction=jurisdiction)
        severities = {**default.severities, **dict.fromkeys(also, "hint")}
        source = "\n".join(lines)
        draft = DraftParser(grammar, jurisdiction).parse("file:///draft", source, FORMATS[markup])
        snapshot = Snapshot(
            draft, reported, Searcher(reported, grammar=grammar), replace(default, severities=severities)
        )
        found = check(snapshot, token)
        told = {(code, at): message for at, _, code, message in expected}
        assert [
            (
                each.span.of(source),
                each.code,
                each.message if told.get((each.code, each.span.start)) else None,
            )
            for each in found
        ] == [(source[start:end], code, message) for start, end, code, message in sorted(expected)]
        assert [each.span.start for each in found] == sorted(start for start, *_ in expected)
        return found

    return check_draft


@pytest.fixture
def apply_fix() -> Callable[[str, Finding, int], str]:
    """``apply_fix(source, finding)``: the source after the finding's first fix, or the one counted."""

    def apply_fix(source: str, finding: Finding, number: int = 0) -> str:
        return apply_edits(source, finding.fixes[number].edits)

    return apply_fix
