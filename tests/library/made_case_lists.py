"""Lists of invented cases, written in each form that a catalogue is made of."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PACKED: Mapping[str, Callable[[bytes], bytes]] = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress}


@dataclass(frozen=True)
class MadeCase:
    """A case: ``court`` is CourtListener's identifier, ``court_name`` the full name."""

    name: str
    citations: tuple[str, ...]
    court: str
    court_name: str
    date: str
    docket: str
    last_page: int = 0


THIRD = ("ca3", "Court of Appeals for the Third Circuit")
TEXAS = ("tex", "Texas Supreme Court")
CASES = (
    MadeCase("Carrow v. Luff", ("712 F.3d 1184", "2013 WL 1000001"), *THIRD, "2013-05-02", "12-1001", 1189),
    MadeCase("Pell v. Stark", ("712 F.3d 1190",), *THIRD, "2013-05-03", "12-1002", 1199),
    MadeCase("In re Vane", ("712 F.3d 1200",), *THIRD, "2013-05-06", "12-1003", 1210),
    MadeCase("United States v. Moss", ("713 F.3d 5",), *THIRD, "2013-05-09", "12-1004", 20),
    MadeCase(
        "Ayre v. Holt", ("400 S.W.3d 10", "56 Tex. Sup. Ct. J. 700"), *TEXAS, "2013-06-07", "11-0001", 19
    ),
    MadeCase("Tarn v. Quorn", ("400 S.W.3d 20",), *TEXAS, "2013-06-14", "11-0002", 31),
    MadeCase("Orr v. Kane", ("400 S.W.3d 32",), *TEXAS, "2013-06-21", "11-0003", 44),
)


def write_table(rows: Sequence[Mapping[str, Any]], escaped: bool = False) -> bytes:
    """Rows as CSV; ``escaped`` as CourtListener's bulk files are, every cell quoted."""
    text = io.StringIO()
    style: dict[str, Any] = {"quoting": csv.QUOTE_ALL, "doublequote": False, "escapechar": "\\"}
    writer = csv.DictWriter(text, [*rows[0]], lineterminator="\n", **(style if escaped else {}))
    text.write(",".join(rows[0]) + "\n")
    writer.writerows(rows)
    return text.getvalue().encode()


def write_csv(cases: Sequence[MadeCase]) -> dict[str, bytes]:
    """A table whose columns have usual names."""
    rows = [
        {
            "case name": each.name,
            "citation": "; ".join(each.citations),
            "court": each.court_name,
            "decided": each.date,
            "docket number": each.docket,
        }
        for each in cases
    ]
    return {"cases.csv": write_table(rows)}


def write_lines(cases: Sequence[MadeCase]) -> dict[str, bytes]:
    """A JSON object a line."""
    rows = (
        {"title": each.name, "citations": each.citations, "court": each.court_name, "date": each.date}
        for each in cases
    )
    return {"cases.jsonl": "".join(f"{json.dumps(each)}\n" for each in rows).encode()}


def write_cap(cases: Sequence[MadeCase]) -> dict[str, bytes]:
    """Metadata as the Caselaw Access Project has them."""
    rows = [
        {
            "id": number,
            "name": f"{each.name}, Appellants",
            "name_abbreviation": each.name,
            "decision_date": each.date,
            "docket_number": each.docket,
            "first_page": each.citations[0].rpartition(" ")[2],
            "last_page": str(each.last_page),
            "citations": [{"type": "official", "cite": cite} for cite in each.citations],
            "court": {"name_abbreviation": "", "id": number, "name": each.court_name},
        }
        for number, each in enumerate(cases, 1)
    ]
    return {"CasesMetadata.json": json.dumps(rows, indent=2).encode()}


def write_court_listener(cases: Sequence[MadeCase]) -> dict[str, bytes]:
    """The three tables of CourtListener, with clusters and dockets that nothing cites among them."""
    citations, clusters, dockets = [], [], []
    for number, each in enumerate(cases, 1):
        for cite in each.citations:
            volume, reporter, page = (
                cite.split(" ", 1)[0],
                cite.split(" ", 1)[1].rpartition(" ")[0],
                cite.split()[-1],
            )
            row = {"id": len(citations) + 1, "volume": volume, "reporter": reporter, "page": page, "type": 1}
            citations.append({**row, "cluster_id": number * 10})
        named = {"case_name_short": "", "case_name": each.name, "case_name_full": f'"{each.name}"\nAppeal'}
        clusters.append(
            {
                "id": number * 10,
                "date_filed": each.date,
                **named,
                "syllabus": 'a "b", c\\',
                "docket_id": number * 100,
            }
        )
        dockets.append({"id": number * 100, "court_id": each.court, "docket_number": each.docket})
        clusters.append({**clusters[-1], "id": number * 10 + 1, "case_name": "Nobody v. Someone"})
        dockets.append({**dockets[-1], "id": number * 100 + 1})
    tables = {"citations": citations, "opinion-clusters": clusters, "dockets": dockets}
    return {f"{name}-2026-01-01.csv": write_table(rows, escaped=True) for name, rows in tables.items()}


FORMS: Mapping[str, Callable[[Sequence[MadeCase]], dict[str, bytes]]] = {
    "csv": write_csv,
    "jsonl": write_lines,
    "cap": write_cap,
    "court-listener": write_court_listener,
}


def write_lists(folder: Path, form: str, packed: str, cases: Sequence[MadeCase] = CASES) -> list[Path]:
    """Write cases as a list of a form, packed or not; its files."""
    paths = []
    for name, data in FORMS[form](cases).items():
        paths.append(folder / f"{name}{packed}")
        paths[-1].write_bytes(PACKED[packed](data))
    return paths
