"""Read damaged files of every format, and tell where a reader crashes, has no end, eats memory or wavers.

    python tests/hostile/mutants.py [--seed 1] [--count 5000] [--format pdf] [--folder FOLDER]

The sources are the documents that tests/library/made_documents makes, and those of the folder. A mutant has
bits flipped, is cut off, has a piece of itself or of another file put in, or a piece of it left out or
repeated. Each is read twice, as the index reads it, in processes with limits.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import resource
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "library"))
from made_documents import list_documents

from lexls.index.config import PrepareOptions
from lexls.index.prepare import Preparer
from lexls.index.reconcile import FileKey, FileState
from lexls.index.rows import FailedDocument
from lexls.library.readers import SUFFIXES

MOST_SECONDS = 20
"""Processor time for one file; a sound one of this size takes a tenth of a second."""
MOST_MEMORY = 2 * 2**30
"""Bytes of address space beyond what the process has when it begins to read."""
LARGEST_SOURCE = 100_000
FAULT = "a fault in lexls"


@dataclass(frozen=True, slots=True)
class Fault:
    """What a reader did to a mutant that it may not do; the mutant's number is that of its seed."""

    suffix: str
    number: int
    what: str


def find_sources(folder: Path | None = None) -> Mapping[str, Sequence[bytes]]:
    """The files that mutants are made of, by their suffixes."""
    found: defaultdict[str, list[bytes]] = defaultdict(list)
    for document in list_documents():
        found[Path(document.name).suffix.lower()].append(document.make())
    for path in sorted(folder.rglob("*")) if folder is not None else ():
        suffix = path.suffix.lower()
        if suffix in SUFFIXES and path.is_file() and path.stat().st_size <= LARGEST_SOURCE:
            found[suffix].append(path.read_bytes())
    return {suffix: [each for each in files if each] for suffix, files in sorted(found.items())}


def make_mutant(sources: Mapping[str, Sequence[bytes]], suffix: str, seed: str) -> bytes:
    """A damaged file; the same for the same seed."""
    chance = random.Random(seed)
    data = bytearray(chance.choice(sources[suffix]))
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        if not data:
            break
        first, second = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        kind = chance.random()
        if kind < 0.4:
            for _ in range(chance.choice((1, 4, 32))):
                data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        elif kind < 0.55:
            del data[first:]
        elif kind < 0.7:
            del data[first : min(second, first + 2000)]
        elif kind < 0.85:
            other = chance.choice(sources[chance.choice(list(sources))])
            at = chance.randrange(len(other) or 1)
            data[first:first] = other[at : at + chance.choice((1, 40, 2000))]
        else:
            piece = data[first : min(second, first + 500)]
            data[first:first] = piece * chance.choice((1, 10, 200))
    return bytes(data)


def read_mutants(
    preparer: Preparer, sources: Mapping[str, Sequence[bytes]], suffix: str, numbers: Sequence[int], seed: int
) -> Iterator[Fault]:
    """What goes wrong with these mutants of a format."""
    left = list(numbers)
    while left:
        told, died = _read_apart(preparer, sources, suffix, left, seed)
        for number, what in told:
            if what:
                yield Fault(suffix, number, what)
        if died:
            yield Fault(suffix, left[len(told)], died)
        left = left[len(told) + bool(died) :]


def _read_apart(
    preparer: Preparer, sources: Mapping[str, Sequence[bytes]], suffix: str, numbers: Sequence[int], seed: int
) -> tuple[list[tuple[int, str]], str]:
    """What is to be told of the mutants up to one that ended the process, and how that ended."""

    def read_each() -> Iterator[str]:
        with tempfile.TemporaryDirectory() as folder:
            for number in numbers:
                _limit_time()
                mutant = make_mutant(sources, suffix, f"{seed} {suffix} {number}")
                path = Path(folder, f"{number}{suffix}")
                path.write_bytes(mutant)
                verdicts = [_judge(preparer, path) for _ in range(2)]
                what = verdicts[0] if verdicts[0].startswith((FAULT, "takes more than")) else ""
                if verdicts[0] != verdicts[1]:
                    what = "another verdict the second time"
                yield f"{number}\t{what}"
                path.unlink()

    lines, exitcode = _do_apart(read_each, MOST_MEMORY)
    told = [(int(number), what) for number, what in (line.split("\t") for line in lines)]
    ended = len(told) < len(numbers)
    return told, f"ended its process ({exitcode})" if ended else ""


def judge_apart(preparer: Preparer, path: Path, most_memory: int = 2**30) -> str:
    """What comes of a file in a process with limits, or how that ended."""

    def read() -> Iterator[str]:
        _limit_time()
        yield _judge(preparer, path)

    lines, exitcode = _do_apart(read, most_memory)
    return lines[0] if lines else f"ended its process ({exitcode})"


def _do_apart(work: Callable[[], Iterator[str]], most_memory: int) -> tuple[list[str], int]:
    """The lines that ``work`` tells in a process that may take so much more memory, and how that ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 2)
            used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + most_memory, used + most_memory))
            for line in work():
                os.write(writing, f"{line}\n".encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as lines:
        told = [line.rstrip("\n") for line in lines]
    _, status = os.waitpid(child, 0)
    return told, os.waitstatus_to_exitcode(status)


def _limit_time() -> None:
    """Let this process take ``MOST_SECONDS`` more."""
    spent = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    resource.setrlimit(resource.RLIMIT_CPU, (int(spent) + MOST_SECONDS, resource.RLIM_INFINITY))


def _judge(preparer: Preparer, path: Path) -> str:
    """What comes of a file: the reason why it is not read, or a hash of all that the index would hold."""
    found = path.stat()
    rows = preparer.prepare(FileState(FileKey(str(path.parent), path.name), found.st_size, found.st_mtime_ns))
    if isinstance(rows, FailedDocument):
        return rows.reason
    return hashlib.sha256(repr(rows).encode("utf-8", "surrogatepass")).hexdigest()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=5000, help="mutants of each format")
    parser.add_argument("--format", action="append", default=[], help="only this suffix, without its point")
    parser.add_argument("--folder", type=Path, help="more sources")
    options = parser.parse_args()
    sources = find_sources(options.folder)
    preparer = Preparer(PrepareOptions(jurisdiction="UK"))
    _judge(preparer, Path(__file__).with_name("hostile_texts.toml"))
    faults = 0
    for suffix, files in sources.items():
        if options.format and suffix[1:] not in options.format:
            continue
        found = list(read_mutants(preparer, sources, suffix, range(options.count), options.seed))
        print(f"{suffix}: {options.count} mutants of {len(files)} files, {len(found)} faults", flush=True)
        for each in found:
            print(f"  {each.number}: {each.what}", flush=True)
        faults += len(found)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
