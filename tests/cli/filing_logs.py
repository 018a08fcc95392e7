"""Logs of a draft for the tests of the command line, and what may change after one was written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lexls.export.log.file import hash_data

Change = Callable[[Path], None]

DRAFT = """# Skeleton argument

The board knew of the pontoon: *Ash Mooring Ltd v Tern Harbour Board* [2031] UKSC 12 at [2].

It “must take reasonable care to find dangers there”: *Ash Mooring* at [1].

The expert owed a duty: *Lorne v Petrel Survey Co* [2033] EWCA Civ 210 at [1].

The rule is old: *Gull v Heron* [1987] UKHL 3.

The dredger was paid: *Rook Dredging Ltd v Curlew* [2034] EWHC 18 (Comm) at [1].

The licence was for six weeks: Ex. 4 at 1.

Counsel said that “the pontoon had been there for years and years”.
"""
LICENCE = "The licence lets the north quay to the barge Lapwing for six weeks at nine pounds a night.\n"


def edit(name: str, before: str, after: str) -> Change:
    def change(matter: Path) -> None:
        text = (matter / name).read_text(encoding="utf-8")
        assert text.count(before) >= 1, (name, before)
        (matter / name).write_text(text.replace(before, after), encoding="utf-8")

    return change


def move(name: str, to: str) -> Change:
    return lambda matter: (matter / name).rename(matter / to) and None


def remove(name: str) -> Change:
    return lambda matter: (matter / name).unlink()


def write(name: str, text: str) -> Change:
    return lambda matter: (matter / name).write_text(text, encoding="utf-8") and None


def alter_log(alter: Callable[[dict[str, Any]], Any]) -> Change:
    def change(matter: Path) -> None:
        log = json.loads((matter / "log.json").read_text(encoding="utf-8"))
        alter(log)
        (matter / "log.json").write_text(json.dumps(log), encoding="utf-8")

    return change


def both(*changes: Change) -> Change:
    def change(matter: Path) -> None:
        for each in changes:
            each(matter)

    return change


def seal_again(log: dict[str, Any]) -> None:
    for entry in log["entries"]:
        entry["sha256"] = hash_data(entry)
    log["sha256"] = hash_data(log)


def alter_and_seal(alter: Callable[[dict[str, Any]], Any]) -> Change:
    """What another lexls, or the same one elsewhere, would have written."""
    return alter_log(lambda log: (alter(log), seal_again(log)))


def tick(matter: Path, *numbers: int) -> None:
    """Tick these entries, as the page of an editor would."""
    log = json.loads((matter / "log.json").read_text(encoding="utf-8"))
    for number in numbers:
        log["entries"][number - 1]["ticked"] = {"by": "RP", "day": "2036-05-04"}
    seal_again(log)
    (matter / "log.json").write_text(json.dumps(log), encoding="utf-8")
