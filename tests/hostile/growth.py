"""How the processor time that lexls takes grows with the length of a hostile text."""

from __future__ import annotations

import gc
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path
from types import FrameType

from hostile_files import FILES
from hostile_texts import HostileText

Job = Callable[[], object]
Work = Callable[[str], Job]
"""Makes ready for a text, and gives what is to be timed."""
JURISDICTION = "UK"
PRESSES = 3


def count_calls(job: Job) -> int:
    """Count the calls of Python functions and built-in ones that a job makes."""
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        job()
    finally:
        sys.setprofile(before)
    return calls


def cite(jurisdiction: str) -> Work:
    """Finding the citations of one paragraph."""
    from lexls.citations.grammar import Grammar

    grammar = Grammar.load()
    grammar.find("See Fern v Elm [2014] UKSC 1.", jurisdiction)
    return lambda text: partial(grammar.find, text, jurisdiction)


def check(index: Path, format: str, *, pressed: bool, jurisdiction: str = JURISDICTION) -> Work:
    """Reading a draft and checking it: for the first time, or after a key was pressed."""
    from lexls.assessing.rules.engine import FoundBefore
    from lexls.assessing.rules.engine import check as run_checks
    from lexls.citations.grammar import Grammar
    from lexls.index.library import Library
    from lexls.reading.draft_parser import DraftParser
    from lexls.reading.snapshot import Snapshot
    from lexls.retrieval.search import Searcher
    from lexls.settings.declaration import Settings
    from lexls.text.cancel import CancelToken
    from lexls.text.formats import FORMATS
    from lexls.text.lines import LineIndex

    grammar, library = Grammar.load(), Library(index)
    searcher, settings = Searcher(library, grammar=grammar), Settings(jurisdiction=jurisdiction)

    def begin() -> Callable[[str], object]:
        parser, before = DraftParser(grammar, jurisdiction), FoundBefore()

        def once(text: str) -> object:
            draft = parser.parse("file:///x", text, FORMATS[format])
            return run_checks(Snapshot(draft, library, searcher, settings), CancelToken(), before)

        return once

    begin()("See Fern v Elm [2014] UKSC 1.")

    def first(text: str) -> Job:
        return lambda: begin()(text)

    def press(text: str) -> Job:
        once, lines = begin(), LineIndex(text)
        once(text)

        def presses() -> None:
            typed = lines
            for number in range(PRESSES):
                at = len(text) * (number + 1) // (PRESSES + 1)
                typed = typed.edit(at, at, "x")
                once(typed.text)

        return presses

    return press if pressed else first


def read(suffix: str) -> Work:
    """Reading a file of the library into the rows of the index."""
    from lexls.index.config import PrepareOptions
    from lexls.index.prepare import Preparer
    from lexls.index.reconcile import FileKey, FileState

    preparer = Preparer(PrepareOptions(jurisdiction=JURISDICTION))
    folder = tempfile.TemporaryDirectory()

    def ready(text: str) -> Job:
        path = Path(folder.name, f"a.{suffix}")
        path.write_bytes(FILES[suffix](text))
        found = path.stat()
        file = FileState(FileKey(folder.name, path.name), found.st_size, found.st_mtime_ns)
        return partial(preparer.prepare, file)

    ready("See Fern v Elm [2014] UKSC 1.")()
    return ready


DRAFTS = ("markdown", "latex", "typst", "asciidoc", "plain")


def list_works(index: Path) -> Mapping[str, Callable[[], Work]]:
    """All that is measured, by its name."""
    drafts = {
        f"{name} {format}": partial(check, index, format, pressed=name == "press")
        for format in DRAFTS
        for name in ("check", "press")
    }
    places = {f"cite {place}": partial(cite, place) for place in ("UK", "US", "EU")}
    return {**places, **drafts, **{f"read {suffix}": partial(read, suffix) for suffix in FILES}}


@dataclass(frozen=True, slots=True)
class Taken:
    """What a text took: processor seconds for each size that came to an end, the most memory in bytes."""

    seconds: tuple[float, ...]
    memory: int


def measure(work: Work, text: HostileText, sizes: Sequence[int], most_seconds: int, rounds: int = 1) -> Taken:
    """What each size of a text takes at its best, in a process of its own that ends at ``most_seconds``."""

    def sizes_told() -> Iterator[str]:
        resource.setrlimit(resource.RLIMIT_CPU, (most_seconds, most_seconds))
        for size in sizes:
            yield str(take_seconds(work, text.make(size), rounds))

    told, memory = _distinguish(sizes_told)
    return Taken(tuple(map(float, told)), memory)


def list_suspects(
    suspect: Callable[[HostileText], bool], texts: Sequence[HostileText], most_seconds: int
) -> Sequence[HostileText]:
    """Those that are suspect to one process for all; also those that it did not come to, as it ends where
    one takes ``most_seconds``.
    """

    def verdicts() -> Iterator[str]:
        for text in texts:
            limit = int(time.process_time()) + most_seconds
            resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))
            yield "suspect" if suspect(text) else ""

    told, _ = _distinguish(verdicts)
    return [text for text, verdict in zip_longest(texts, told, fillvalue="suspect") if verdict]


def _distinguish(lines: Callable[[], Iterable[str]]) -> tuple[Sequence[str], int]:
    """The lines that a process of its own told before it ended, and the most bytes of memory it took."""
    reading, writing = os.pipe()
    gc.collect()
    gc.freeze()
    child = os.fork()
    if not child:
        try:
            os.close(reading)
            for line in lines():
                os.write(writing, f"{line}\n".encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        told = pipe.read().splitlines()
    _, _, used = os.wait4(child, 0)
    return told, used.ru_maxrss * 1024


def take_seconds(work: Work, text: str, rounds: int = 1) -> float:
    """The processor time that a text takes, the least of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        job = work(text)
        began = time.process_time()
        job()
        best = min(best, time.process_time() - began)
    return best
