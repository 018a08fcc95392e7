"""Whether wrong citations, quotations and holdings are noticed: right ones of real paragraphs, altered.

Drafts are made of citing paragraphs of the library's own opinions, cut to the sentences whose citations all
resolve in the library and whose quotations compare verbatim. Each kind of `CITATIONS` and `QUOTATIONS` is
made once in each draft that admits it, and the altered paragraph is checked again: what is newly said at the
altered place counts where it names what is wrong, by default and in the profile for filing.
A holding that its authority bears out is turned, or stands beside another authority: there counts that the
authority no longer bears it out.
The drafts whose number's hash is even are for development, the others are the result ("unseen").

    python benchmarks/bench_alterations.py us-cases+us-code:US:us.sqlite3:130 in-cases:IN:in.sqlite3:130 \\
        examples:Aldmoor::40

A library is FOLDER:JURISDICTION:INDEX:DRAFTS, folders joined by "+"; an index that is there is used as it is.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from alterations import Altered, Base
from citation_alterations import CITATIONS
from correct_drafts import SEED, TOLD, Bench
from measuring import table, write_results
from quotation_alterations import HOLDINGS, QUOTATIONS

from lexls.assessing.check import Finding
from lexls.assessing.rules.engine import FoundBefore
from lexls.assessing.support import judge_proposition
from lexls.index.records import Authority
from lexls.reading.propositions import find_cited_part
from lexls.reading.resolve import Resolution
from lexls.settings.diagnostics import SEVERITIES, Severity
from lexls.text.cancel import CancelToken

_KINDS = {**CITATIONS, **QUOTATIONS}
_UNTOLD = ("citation-style", "unsupported-proposition")
_TIMES = 3
"""Quotations of a draft that are altered in each way; there are fewer than citations."""
_HALVES = ("shown", "unseen")


@dataclass(slots=True)
class Result:
    """What became of the alterations of one kind in one half of the drafts.

    ``told`` by default, ``filed`` in the profile for filing; ``codes`` are those of what was told when filed.
    """

    altered: int = 0
    told: int = 0
    filed: int = 0
    fixed: int = 0
    unnamed: int = 0
    lesser: int = 0
    silent: int = 0
    codes: Counter[str] = field(default_factory=Counter)


Results = dict[tuple[str, int], Result]


def half_of(library: str, number: int) -> int:
    """0 for a draft that may be looked at, 1 for an unseen one."""
    return hashlib.sha256(f"{library} {number}".encode()).digest()[0] % 2


def find_new(altered: Altered, before: set[tuple[str, str]], found: Sequence[Finding]) -> list[Finding]:
    """What is newly said at the altered place, the gravest first."""
    shift = len(altered.text) - len(altered.span)
    low, high = altered.around.start, altered.around.end + max(0, shift)
    new = [
        each
        for each in found
        if low <= each.span.end and each.span.start <= high
        and (each.code, each.message) not in before
        and each.code not in _UNTOLD
    ]  # fmt: skip
    return sorted(new, key=lambda each: SEVERITIES.index(each.severity))


def measure(bench: Bench, drafts: int, arguments: argparse.Namespace, results: Results) -> Iterator[str]:
    """Alter each draft in each way; yields what was not told in the drafts that may be looked at."""
    for number, source in enumerate(bench.drafts(drafts)):
        half = half_of(bench.name, number)
        if arguments.half is not None and half != arguments.half:
            continue
        results["drafts", half].altered += 1
        kept = FoundBefore()
        unaltered = bench.findings(source, kept)
        said = {(each.code, each.message) for each in unaltered}
        base = bench.base(source)
        own = results["unaltered", half]
        own.altered += len(base.cited)
        for each in unaltered:
            told = bench.severities[each.code] in TOLD
            own.told += told
            own.filed += each.severity in TOLD and each.code != "not-in-library"
            own.codes[each.code] += told
            if half == 0 and told:
                around = source[max(0, each.span.start - 150) : each.span.end + 100]
                yield f"== unaltered {bench.name} {number} {each.code}: {each.message}\n   {around!r}"
        made: set[tuple[str, Altered]] = set()
        for kind, again in product(_KINDS, range(_TIMES)):
            if not is_wanted(arguments, kind) or (again and kind in CITATIONS):
                continue
            chance = random.Random(f"{SEED} {bench.name} {number} {kind}{again or ''}")
            altered = _KINDS[kind].alter(base, chance)
            if altered is None or altered.text == altered.span.of(source) or (kind, altered) in made:
                continue
            made.add((kind, altered))
            text = source[: altered.span.start] + altered.text + source[altered.span.end :]
            new = find_new(altered, said, bench.findings(text, kept))
            told = count(results[kind, half], kind, altered, new, bench.severities)
            if half == 0 and not told:
                was = source[max(0, altered.around.start - 60) : altered.around.end + 30]
                now = altered.span.of(source), altered.text
                newly = "; ".join(f"{each.code}: {each.message}" for each in new[:2])
                yield f"== {kind} {bench.name} {number}: {now[0]!r} → {now[1]!r}\n   {was!r}\n   {newly}"
        chance = random.Random(f"{SEED} {bench.name} {number} holdings")
        yield from turn_holdings(bench, base, chance, arguments, results, f"{bench.name} {number}", half)


def is_wanted(arguments: argparse.Namespace, kind: str) -> bool:
    return not arguments.kind or any(each in kind for each in arguments.kind)


def count(
    result: Result, kind: str, altered: Altered, new: Sequence[Finding], severities: Mapping[str, Severity]
) -> bool:
    """Count what is said of one alteration; whether it is told by default."""
    named = [each for each in new if _KINDS[kind].is_named(altered, each.code, each.message)]
    told = [each for each in named if severities[each.code] in TOLD]
    filed = [each for each in named if each.severity in TOLD]
    result.altered += 1
    result.told += bool(told)
    result.filed += bool(filed)
    result.fixed += any(each.fixes for each in filed)
    result.lesser += bool(named) and not told
    result.unnamed += bool(new) and not named
    result.silent += not new
    result.codes.update({each.code for each in (filed or new)})
    return bool(told)


def turn_holdings(
    bench: Bench, base: Base, chance: random.Random, arguments: argparse.Namespace, results: Results,
    where: str, half: int,
) -> Iterator[str]:  # fmt: skip
    """Turn one holding of a draft in each way; yields those that its authority still bears out."""
    wanted = [kind for kind in HOLDINGS if is_wanted(arguments, kind)]
    snapshot, token = bench.snapshot(base.draft), CancelToken()
    for resolution, authority, said in list_holdings(bench, base, chance) if wanted else ():
        if not wanted:
            return
        if judge_proposition(snapshot, said, resolution, authority, token).verdict != "supported":
            continue
        for kind in list(wanted):
            strange = kind == "authority of another topic"
            edits = chance.sample(list(HOLDINGS[kind]), len(HOLDINGS[kind]))
            made = (edit(said, chance, base.words) for edit in edits)
            now = next((each for each in made if each is not None and (strange or each != said)), None)
            other = chance.choice(base.others) if strange else authority
            if now is None or (strange and other.id == authority.id):
                continue
            wanted.remove(kind)
            verdict = judge_proposition(snapshot, now, resolution, other, token).verdict
            result = results[kind, half]
            result.altered += 1
            result.told += verdict != "supported"
            result.codes[verdict] += 1
            if half == 0 and verdict == "supported":
                yield f"== {kind} {where}: {other.name}\n   {said}\n   {now}"


def list_holdings(
    bench: Bench, base: Base, chance: random.Random
) -> Iterator[tuple[Resolution, Authority, str]]:
    """What the draft cites cases for, in a random order: the citation, the case, the proposition."""
    for each in chance.sample(list(base.cited), len(base.cited)):
        if each.citation.kind != "case" or not each.authorities or each.by == "name":
            continue
        authority = bench.library.catalogue.get(each.authorities[0])
        part = find_cited_part(base.draft, each.citation)
        if authority is not None and part is not None and not part.against:
            yield each, authority, part.text


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "libraries", nargs="*", default=["examples:Aldmoor"], metavar="FOLDER:JURISDICTION:INDEX:DRAFTS"
    )
    parser.add_argument("--drafts", type=int, default=100, help="drafts of a library that does not say")
    parser.add_argument("--kind", action="append", help="only kinds that hold these words")
    parser.add_argument("--half", type=int, choices=(0, 1), help="only the shown (0) or unseen (1) half")
    parser.add_argument("--failures", type=Path, help="where to write what was not told in the shown half")
    parser.add_argument("--write", action="store_true", help="write its section of benchmarks/RESULTS.md")
    arguments = parser.parse_args()
    results: Results = defaultdict(Result)
    failures: list[str] = []
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        for each in arguments.libraries:
            folders, jurisdiction, index, drafts = (*each.split(":"), "", "", "")[:4]
            if missing := [folder for folder in folders.split("+") if not Path(folder).is_dir()]:
                sys.exit(f"there is no folder {missing[0]}")
            bench = Bench(folders, jurisdiction, Path(index) if index else None, Path(scratch))
            failures += measure(bench, int(drafts or arguments.drafts), arguments, results)
            bench.library.close()
    if arguments.failures:
        arguments.failures.write_text("\n".join(failures) + "\n", encoding="utf-8")
    parts = list(report(results))
    for part in parts:
        print(part)
    print(f"{time.perf_counter() - started:.0f} s")
    if arguments.write:
        command = f"    python benchmarks/bench_alterations.py {' '.join(arguments.libraries)}\n"
        write_results("Alterations", [command, *parts])
    return 0


def report(results: Results) -> Iterator[str]:
    """The tables, the sums first."""
    counted = " and ".join(f"{results['drafts', half].altered} {name}" for half, name in enumerate(_HALVES))
    yield (
        "Citations and quotations of drafts are altered; is a warning or an error reported, and when the "
        f"draft is checked for filing? Drafts: {counted}.\n"
    )
    rows, whole = [], []
    for title, group in (("citations", CITATIONS), ("quotations", QUOTATIONS)):
        sums = []
        for half in range(len(_HALVES)):
            found = [results[kind, half] for kind in group if (kind, half) in results]
            altered = sum(each.altered for each in found)
            told, filed = sum(each.told for each in found), sum(each.filed for each in found)
            sums.append([altered, share(told, altered), share(filed, altered)])
        rows.append([f"**all {title}**", *_join(sums), *[""] * 4])
    for kind in ["unaltered", *_KINDS]:
        halves = [one for half in range(len(_HALVES)) if (one := results.get((kind, half))) and one.altered]
        if not halves:
            continue
        if all(one.told == one.altered for one in halves):
            whole.append(f"{kind} {' and '.join(str(one.altered) for one in halves)}")
            continue
        cells = [
            [
                *(one.altered, share(one.told, one.altered), share(one.filed, one.altered)),
                *(one.fixed, one.lesser, one.unnamed, one.silent),
            ]
            for one in halves
        ]
        rows.append([kind, *_join(cells)])
    yield (
        "An invented citation is a warning only if nearly all other cases of the draft are in the library, "
        f"else information. Reported every time (number {' and '.join(_HALVES)}): {', '.join(whole)}.\n"
    )
    held = []
    for kind in HOLDINGS:
        for half, name in enumerate(_HALVES):
            if one := results.get((kind, half)):
                verdicts = ", ".join(f"{verdict} {number}" for verdict, number in one.codes.most_common())
                held.append(
                    f"{kind}, {name}: {one.told} of {one.altered} ({100 * one.told / one.altered:.1f}%; "
                    f"{verdicts})"
                )
    if held:
        yield f"Holdings that are turned, not plainly supported: {'; '.join(held)}.\n"
    yield table(
        ["; ".join(_HALVES), "number", "warning or error", "when filed", "with a fix", "less than a warning",
         "something else", "silent"], rows
    )  # fmt: skip


def _join(halves: Sequence[Sequence[object]]) -> list[str]:
    """The cells of both halves, each with its counterpart."""
    return ["; ".join(str(cell) for cell in cells) for cells in zip(*halves, strict=True)]


def share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.1f}%)"


if __name__ == "__main__":
    sys.exit(main())
