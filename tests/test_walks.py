"""The walks of ARCHITECTURE.md as they are really taken: which rooms they enter, and what calls what."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

from lexls.citations.grammar import Grammar
from lexls.features.find_support import find_support
from lexls.features.hover import hover
from lexls.index.library import Library
from lexls.index.prepare import PrepareOptions, Preparer
from lexls.index.reconcile import FileKey, FileState
from lexls.index.session import open_library
from lexls.reading.draft_parser import DraftParser
from lexls.reading.snapshot import Snapshot
from lexls.retrieval.search import Searcher
from lexls.server.documents import OpenDocument
from lexls.server.session import Checker
from lexls.settings.load import load
from lexls.text.cancel import CancelToken
from lexls.text.formats import format_of
from lexls.text.lines import LineIndex
from lexls.text.spans import Span

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "lexls"
SAMPLE = ROOT / "examples"
DRAFT = SAMPLE / "drafts" / "skeleton-argument.md"
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
WALKS_TEXT = ARCHITECTURE.split("## Four walks")[1].split("## How it works")[0]
WALKS = {
    name: re.findall(r"`([\w/]+\.py):(\w+)`", stages)
    for name, stages in re.findall(r"(?<=\n\n)\*\*([^*]+)\.\*\* (`.+?)(?=\n\n)", WALKS_TEXT, re.S)
}
MOST_ROOMS = {"A changed text": 14, "A hover": 15, "Find support": 15, "A saved file": 15}
LAYERS = re.findall(r"^\| `lexls/(\w+)/` \|", ARCHITECTURE, re.M)
TOKEN = CancelToken()


@dataclass(slots=True)
class Walk:
    """What was called, in order, and from which room. A room is a folder of the package.

    ``visits`` has for each stage that is asked for when it was entered and left, from outside of itself.
    ``up`` are calls from a room to one above it that did not wait for the answer.
    """

    stages: list[tuple[str, str]]
    rooms: dict[str, None] = field(default_factory=dict)
    visits: dict[tuple[str, str], list[tuple[int, int]]] = field(default_factory=dict)
    up: set[str] = field(default_factory=set)
    _places: dict[CodeType, tuple[str, str] | None] = field(default_factory=dict)
    _stack: list[tuple[str, str]] = field(default_factory=list)
    _entered: list[int] = field(default_factory=list)
    _clock: int = 0

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event not in ("call", "return"):
            return
        place = self._find_place(frame.f_code)
        if place is None:
            return
        self._clock += 1
        if event == "call":
            self._enter(place)
        elif self._stack:
            self._stack.pop()
            entered = self._entered.pop()
            if place in self.stages and place not in self._stack:
                self.visits.setdefault(place, []).append((entered, self._clock))

    def _find_place(self, code: CodeType) -> tuple[str, str] | None:
        if code not in self._places:
            path = Path(code.co_filename)
            inside = path.is_relative_to(PACKAGE) and path.parent != PACKAGE
            self._places[code] = (path.relative_to(PACKAGE).as_posix(), code.co_name) if inside else None
        return self._places[code]

    def _enter(self, place: tuple[str, str]) -> None:
        room = find_room(place)
        self.rooms.setdefault(room)
        if self._stack:
            caller = find_room(self._stack[-1])
            waiting = {find_room(each) for each in self._stack}
            if find_layer(room) > find_layer(caller) and room not in waiting:
                self.up.add(f"{self._stack[-1][0]} calls {place[0]}:{place[1]}")
        self._stack.append(place)
        self._entered.append(self._clock)


def find_room(place: tuple[str, str]) -> str:
    return place[0].rpartition("/")[0]


def find_layer(room: str) -> int:
    """How high a room lies: the place of its folder in the table of layers."""
    order = ["text", "settings", *(each for each in LAYERS if each not in ("text", "settings"))]
    return order.index(room.partition("/")[0])


def record(name: str, go: Callable[[], object]) -> Walk:
    """What is called while ``go`` runs; it must find something."""
    walk = Walk(WALKS[name])
    sys.setprofile(walk)
    try:
        found = go()
    finally:
        sys.setprofile(None)
    assert found
    return walk


def check(name: str, walk: Walk) -> None:
    assert len(walk.rooms) <= MOST_ROOMS[name], list(walk.rooms)
    assert not walk.up
    missing = [each for each in walk.stages if each not in walk.visits]
    assert not missing
    first = [min(walk.visits[each])[0] for each in walk.stages]
    assert first == sorted(first), "the stages are not entered in this order"
    for place, (one, other) in enumerate(zip(walk.stages, walk.stages[1:], strict=False)):
        entered, left = min(walk.visits[one])[0], max(end for _, end in walk.visits[one])
        inside = entered < first[place + 1] < left
        assert inside or left <= first[place + 1], f"{one} is entered again after {other}"


@pytest.fixture(scope="module")
def library(sample_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    index = Path(shutil.copy(sample_index, tmp_path_factory.mktemp("index")))
    settings, _ = load(DRAFT, user_file=SAMPLE / "none.toml")
    opened, _ = open_library([SAMPLE / "library"], index, settings, lexical_only=True)
    yield opened
    opened.close()


@pytest.fixture
def read(library: Library) -> Callable[[str], Snapshot]:
    settings, _ = load(DRAFT, user_file=SAMPLE / "none.toml")
    grammar = Grammar.load(settings.citations_forms)
    parser, searcher = DraftParser(grammar, settings.jurisdiction), Searcher(library, grammar=grammar)
    language = format_of("", DRAFT.name)

    def read(source: str) -> Snapshot:
        return Snapshot(parser.parse(DRAFT.as_uri(), source, language), library, searcher, settings)

    return read


def open_document(source: str) -> OpenDocument:
    return OpenDocument(DRAFT.as_uri(), "markdown", 1, source, LineIndex(source))


def test_a_changed_text(read: Callable[[str], Snapshot]) -> None:
    before = DRAFT.read_text(encoding="utf-8")
    after = before.replace("[2014] ASC 12 at [23]", "[2014] ASC 12 at [24]", 1)
    assert after != before
    checker = Checker()
    checker.find(read(before), open_document(before), TOKEN)
    walk = record("A changed text", lambda: checker.find(read(after), open_document(after), TOKEN))
    check("A changed text", walk)


def test_a_hover(read: Callable[[str], Snapshot]) -> None:
    source = DRAFT.read_text(encoding="utf-8")
    snapshot = read(source)
    offset = source.index("[2014] ASC 12 at [23]") + 3
    walk = record("A hover", lambda: hover(snapshot, offset, TOKEN))
    check("A hover", walk)
    assert len(walk.visits["assessing/assess.py", "_assess"]) == 1


def test_find_support(read: Callable[[str], Snapshot]) -> None:
    source = DRAFT.read_text(encoding="utf-8")
    snapshot = read(source)
    start = source.index("An expert witness owes a duty to the court")
    walk = record("Find support", lambda: find_support(snapshot, Span(start, start), 5, TOKEN))
    check("Find support", walk)


def test_a_saved_file() -> None:
    file = next((SAMPLE / "library").rglob("*.md"))
    info = file.stat()
    state = FileState(FileKey(str(file.parent), file.name), info.st_size, info.st_mtime_ns)
    preparer = Preparer(PrepareOptions(jurisdiction="Aldmoor"))
    walk = record("A saved file", lambda: preparer.prepare(state))
    check("A saved file", walk)


def test_a_walk_for_each_limit() -> None:
    assert set(WALKS) == set(MOST_ROOMS)
