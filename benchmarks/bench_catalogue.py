"""Measure a catalogue of millions of cases, and whether it distinguishes altered citations from real ones.

    python benchmarks/bench_catalogue.py --cases 880000 --drafted 1500

Invented cases are written as CourtListener's bulk tables and added by `lexls catalogue add`, in a process of
its own: seconds, processor time and peak memory. Look-ups by place, by the cases around a place and by name
are then asked at random. For the trial, a tenth of the cases is left out of the catalogue; drafts cite cases
that it has, cases that were left out, and citations altered in each way of `ALTERATIONS`. An altered one is
told apart where the verdict is not `in-catalogue`; a real one is called wrong where it is `wrong`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from listed_cases import SERIES, BulkWriter, InventedCase, invent_cases, invent_name
from measuring import Spread, lexls, load, table, write_results

from lexls.assessing.assess import assess_excerpt
from lexls.assessing.excerpt import list_excerpts
from lexls.assessing.verdicts import decide
from lexls.citations.grammar import Grammar
from lexls.citations.report_places import ReportPlace
from lexls.index.case_catalogue import CaseCatalogue
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.settings.declaration import Settings
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS

SEED = 11
LEFT_OUT = 10
"""One case in so many is not in the catalogue."""
ASKED = 20_000
"""Look-ups of each kind."""
_OF_DRAFT = 50
"""Citations of one draft."""
_SHORTER = {"Insurance": "Ins.", "Company": "Co.", "Industries": "Indus.", "Transportation": "Transp."}
_SETTINGS = Settings(jurisdiction="US", embeddings_model="")


# -- drafts --------------------------------------------------------------------------------------------------


def cite(case: InventedCase, **changed: object) -> str:
    """A case as a draft cites it, but for what is changed."""
    said = {
        "name": case.name,
        "volume": case.volume,
        "report": case.series.name,
        "page": case.page,
        "court": case.court[1],
        "year": case.year,
        "pinpoint": "",
        **changed,
    }
    behind = f"{said['court']} {said['year']}".strip()
    return f"*{said['name']}*, {said['volume']} {said['report']} {said['page']}{said['pinpoint']} ({behind})"


def write_plainly(case: InventedCase, chance: random.Random) -> str:
    """A right citation as drafts have it: abbreviated, without given names, with a pinpoint."""
    name = case.name
    for long, short in _SHORTER.items():
        name = name.replace(long, short) if chance.random() < 0.5 else name
    if chance.random() < 0.5:
        for given in ("John ", "Mary ", "James L. ", "Anna ", "Robert "):
            name = name.replace(given, "")
    pinpoint = f", {case.page + chance.randrange(case.length)}" if chance.random() < 0.5 else ""
    return cite(case, name=name, pinpoint=pinpoint)


def _digit(number: int, chance: random.Random) -> int:
    text = str(number)
    place = chance.randrange(len(text))
    other = chance.choice([each for each in "123456789" if each != text[place]])
    return int(text[:place] + other + text[place + 1 :])


def _swap(number: int, chance: random.Random) -> int:
    text = str(number)
    place = chance.randrange(max(1, len(text) - 1))
    return int(text[:place] + text[place + 1 : place + 2] + text[place : place + 1] + text[place + 2 :])


def _party_changed(case: InventedCase, chance: random.Random) -> str | None:
    first, versus, second = case.name.partition(" v. ")
    other = invent_name(chance, case.series.office).split(" v. ")[-1].removeprefix("In re ")
    if not versus or chance.random() < 0.5:
        return cite(case, name=f"{first} v. {other}") if versus else None
    return cite(case, name=f"{other} v. {second}")


def _court_changed(case: InventedCase, chance: random.Random) -> str | None:
    others = [court for _, court in case.series.courts if court != case.court[1]]
    return cite(case, court=chance.choice(others)) if others else None


def _invent(case: InventedCase, chance: random.Random) -> str:
    series = chance.choice(SERIES)
    volume = chance.randint(1, series.volumes)
    court = chance.choice(series.courts)[1]
    behind = f"{court} {series.year(volume)}".strip()
    name, page = invent_name(chance, series.office), chance.randint(1, 1400)
    return f"*{name}*, {volume} {series.name} {page} ({behind})"


ALTERATIONS: Mapping[str, Callable[[InventedCase, random.Random], str | None]] = {
    "page: a digit": lambda case, chance: cite(case, page=_digit(case.page, chance)),
    "page: two digits swapped": lambda case, chance: cite(case, page=_swap(case.page, chance)),
    "page: a few off": lambda case, chance: cite(case, page=case.page + chance.choice((1, 2, 3))),
    "volume: a digit": lambda case, chance: cite(case, volume=_digit(case.volume, chance)),
    "report: another": lambda case, chance: cite(
        case, report=chance.choice([each.name for each in SERIES if each.name != case.series.name])
    ),
    "name: of another case": lambda case, chance: cite(case, name=invent_name(chance, case.series.office)),
    "name: one party": _party_changed,
    "year: some off": lambda case, chance: cite(case, year=case.year - chance.choice((2, 3, 4, 9))),
    "year: one off": lambda case, chance: cite(case, year=case.year - 1),
    "court: another": _court_changed,
    "invented": _invent,
}


# -- the trial -----------------------------------------------------------------------------------------------


class Judge:
    """Assesses citations with a catalogue beside a library that has none of them."""

    def __init__(self, catalogue: CaseCatalogue, folder: Path) -> None:
        (folder / "library").mkdir()
        self._grammar = Grammar.load()
        self._library, _ = open_library(
            [folder / "library"], folder / "index.sqlite3", _SETTINGS, lexical_only=True
        )
        self._cases = catalogue

    def judge(self, citations: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """The verdict on each, what the catalogue said, and the reason; "none" for what was not read."""
        for start in range(0, len(citations), _OF_DRAFT):
            yield from self._judge_draft(citations[start : start + _OF_DRAFT])

    def _judge_draft(self, citations: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        source = "\n\n".join(f"It was held so in {each}." for each in citations)
        draft = DraftParser(self._grammar, "US").parse("file:///draft", source, FORMATS["markdown"])
        searcher = Searcher(self._library, grammar=self._grammar)
        snapshot = Snapshot(draft, self._library, searcher, _SETTINGS, cases=self._cases)
        for excerpt in list_excerpts(snapshot):
            found = assess_excerpt(excerpt, CancelToken())
            if not found:
                yield "none", "", excerpt.paragraph.of(source)
            for each in found[:1]:
                yield decide(each), each.listing.outcome if each.listing else "", each.reason

    def close(self) -> None:
        """Close the library."""
        self._library.close()


def try_alterations(
    judge: Judge, listed: Sequence[InventedCase], left: Sequence[InventedCase], chance: random.Random
) -> Iterator[str]:
    """The trial's table, and what was not as it should be."""
    kinds: dict[str, list[str]] = {
        "real, in the catalogue": [write_plainly(each, chance) for each in listed],
        "real, not in the catalogue": [write_plainly(each, chance) for each in left],
    }
    for kind, alter in ALTERATIONS.items():
        made = (alter(each, chance) for each in listed)
        own = {cite(each) for each in listed}
        kinds[kind] = [each for each in made if each is not None and each not in own]
    rows, altered, missed = [], 0, 0
    for kind, citations in kinds.items():
        verdicts: Counter[str] = Counter()
        outcomes: Counter[str] = Counter()
        for citation, (verdict, outcome, reason) in zip(citations, judge.judge(citations), strict=True):
            verdicts[verdict] += 1
            outcomes[outcome or verdict] += 1
            real = kind.startswith("real")
            if (verdict == "wrong") if real else (verdict == "in-catalogue"):
                print(f"{kind}: {citation}: {reason}", file=sys.stderr)
        if not kind.startswith("real"):
            altered += len(citations)
            missed += verdicts["in-catalogue"]
        rest = ", ".join(f"{count} {each}" for each, count in outcomes.most_common())
        rows.append((kind, len(citations), verdicts["in-catalogue"], verdicts["wrong"], rest))
    yield table(("citations", "n", "in the catalogue", "wrong", "what the catalogue says"), rows)
    share = f"{1 - missed / max(1, altered):.1%}"
    yield f"Told apart: {altered - missed:,} of {altered:,} altered or invented ({share}).\n"


# -- costs ---------------------------------------------------------------------------------------------------


def add(paths: Sequence[Path], home: Path) -> tuple[dict[str, Any], dict[str, float]]:
    """Add lists by the command line; its answer, and what it took."""
    environment = {**os.environ, "XDG_DATA_HOME": str(home)}
    command = lexls("catalogue", "add", *map(str, paths), "--json")
    started, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    peak = 0.0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as running:
        while running.poll() is None:
            peak = max(peak, _read_peak(running.pid))
            time.sleep(0.05)
        assert running.stdout is not None
        said = running.stdout.read()
    seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    if running.returncode:
        sys.exit(said)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(said), {"seconds": seconds, "busy": busy, "megabytes": peak}


def _read_peak(process: int) -> float:
    """The peak memory of a process in megabytes; 0 where /proc does not say. What the system counts of an
    ended child begins with the memory of its parent."""
    with contextlib.suppress(OSError):
        status = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
        found = re.search(r"VmHWM:\s+(\d+)", status)
        return int(found[1]) / 1024 if found is not None else 0.0
    return 0.0


def ask(catalogue: CaseCatalogue, drawn: Sequence[InventedCase]) -> dict[str, list[float]]:
    """Milliseconds of look-ups of each kind."""
    times: defaultdict[str, list[float]] = defaultdict(list)
    chance = random.Random(SEED)
    for _ in range(ASKED):
        case = chance.choice(drawn)
        place = ReportPlace(f"# {case.series.name} #", case.volume, case.page, True)
        inside = ReportPlace(place.series, place.volume, case.page + 1, True)
        for kind, look_up in (
            ("the cases at a place", lambda place=place: catalogue.find_at(place)),
            ("the cases around a place", lambda inside=inside: catalogue.find_around(inside)),
            ("how many places a volume has", lambda place=place: catalogue.count_places(place)),
            (
                "cases of a name and year",
                lambda case=case: catalogue.find_named(case.name, (case.year, case.year - 1, case.year + 1)),
            ),
        ):
            started = time.perf_counter()
            look_up()
            times[kind].append((time.perf_counter() - started) * 1000)
    return times


def main() -> None:
    """Measure, and write the section of RESULTS.md unless told otherwise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=880_000)
    parser.add_argument("--drafted", type=int, default=1500)
    parser.add_argument("--packed", action="store_true", help="pack the tables by bzip2")
    parser.add_argument("--print", action="store_true", help="print the section, and leave RESULTS.md alone")
    arguments = parser.parse_args()
    chance = random.Random(SEED)
    with tempfile.TemporaryDirectory(prefix="lexls-catalogue-") as name:
        folder = Path(name)
        writer = BulkWriter(folder, arguments.packed)
        listed: list[InventedCase] = []
        left: list[InventedCase] = []
        every = max(1, arguments.cases // (arguments.drafted * 2))
        for case in invent_cases(arguments.cases):
            out = case.number % LEFT_OUT == 0
            if not out:
                writer.write(case)
            if chance.randrange(every) == 0:
                (left if out else listed).append(case)
        writer.close()
        chance.shuffle(listed)
        chance.shuffle(left)
        before = load()
        answer, took = add(writer.paths, folder / "home")
        path = folder / "home" / "lexls" / "catalogue.sqlite3"
        size = path.stat().st_size
        (source,) = answer["added"]
        read = writer.rows + 2 * source["cases"]
        rows = [
            ("rows read (citations, clusters, dockets)", f"{read:,}"),
            ("cases, citations", f"{source['cases']:,}, {source['places']:,}"),
            ("seconds, of the processor", f"{took['seconds']:.0f}, {took['busy']:.0f}"),
            ("load average before", f"{before:.1f}"),
            ("peak memory, MB", f"{took['megabytes']:.0f}"),
            ("the catalogue, MB", f"{size / 2**20:.0f}"),
            ("bytes a citation, a case", f"{size / source['places']:.0f}, {size / source['cases']:.0f}"),
        ]
        parts = [table(("adding CourtListener's tables", ""), rows)]
        catalogue = CaseCatalogue(path)
        started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        spreads = {kind: Spread.of(each) for kind, each in ask(catalogue, listed).items()}
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - started
        asked = ((kind, f"{each.p50:.3f}", f"{each.p95:.3f}") for kind, each in spreads.items())
        parts += [table(("look-up", "p50 ms", "p95 ms"), asked), f"Look-ups added {grown / 1024:.0f} MB.\n"]
        judge = Judge(catalogue, folder)
        drafted = arguments.drafted
        parts += try_alterations(judge, listed[:drafted], left[:drafted], chance)
        judge.close()
        catalogue.close()
    print("\n".join(parts)) if arguments.print else write_results("A catalogue of what exists", parts)


if __name__ == "__main__":
    main()
