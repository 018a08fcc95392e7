"""Store threads of questions and answers in files. Each is a tree of turns that can be continued from any
turn.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from lexls.grounding.answer import Turn
from lexls.models.gguf_files import write_whole

FORMAT = 1
"""Version of the file format. Files with a higher version come from a newer lexls and are not changed."""
LARGEST_FILE = 32_000_000
"""Maximum size of a thread's file in bytes (some thousands of turns); larger files are neither read nor
written.
"""
LOCK_SECONDS = 10.0
"""Maximum wait in seconds while another server changes the same threads."""
_WORKSPACE = "workspace"
"""Name of a file in a folder of threads. It contains the root of the workspace to which the threads
belong.
"""
_LONGEST_TITLE = 80
_TURNS = 4
_LONGEST_IN_HISTORY = 1500
"""Maximum number of characters of a question, and of its whole answer, that are given to a model again."""
_NAME = re.compile(r"[0-9]{8}-[0-9a-f]{12}")


class ThreadError(Exception):
    """Raised if a thread is not available. The message gives the reason and quotes no question or answer."""


@dataclass(frozen=True, slots=True)
class StoredPin:
    """A verbatim quotation from an authority as it was when it was cited.

    ``path`` is the authority's own path, ``title`` the citation ("Carrow v Luff [2014] ASC 12 at [23]") and
    ``place`` its pinpoint ("[23]"). ``[start, end)`` are code point offsets in the authority's text and
    ``text`` is the text there; ``words`` is the text as quoted.
    """

    path: str
    title: str
    place: str
    start: int
    end: int
    text: str
    words: str


@dataclass(frozen=True, slots=True)
class StoredSentence:
    """A sentence of an answer; ``extract`` is true if it is the text of its first pin."""

    text: str
    extract: bool
    pins: tuple[StoredPin, ...]


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A question and its answer.

    ``id`` counts from 1 in its thread, ``after`` is the preceding turn (0 for none) and ``when`` the time in
    ISO 8601, UTC. ``notes`` are lexls's remarks on the answer, ``closing`` names its author. ``nearest``
    lists the nearest passages if there is no answer.
    """

    question: str
    sentences: tuple[StoredSentence, ...]
    notes: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    nearest: tuple[StoredPin, ...] = ()
    generator: str = ""
    closing: str = ""
    id: int = 0
    after: int = 0
    when: str = ""


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread with all its turns in the order in which they were added."""

    name: str
    title: str
    turns: tuple[StoredTurn, ...] = ()

    @property
    def created(self) -> str:
        """Return the time of the first turn in ISO 8601, or an empty string."""
        return self.turns[0].when if self.turns else ""

    @property
    def changed(self) -> str:
        """Return the time of the last turn in ISO 8601, or an empty string."""
        return self.turns[-1].when if self.turns else ""

    def branch(self, turn: int = 0) -> tuple[StoredTurn, ...]:
        """Return the turns that lead to ``turn`` (0 for the newest), first to last.

        Raises ``ThreadError`` if there is no such turn.
        """
        turns = {each.id: each for each in self.turns}
        here = turn or (self.turns[-1].id if self.turns else 0)
        found: list[StoredTurn] = []
        while here:
            if here not in turns:
                raise ThreadError(f"the thread has no turn {here}")
            found.append(turns[here])
            here = turns[here].after
        return tuple(reversed(found))


def describe_history(branch: Sequence[StoredTurn]) -> tuple[Turn, ...]:
    """Return the last four turns of a branch for a generator, shortened if they are long."""
    told = []
    for turn in branch[-_TURNS:]:
        answer: list[str] = []
        left = _LONGEST_IN_HISTORY
        for sentence in turn.sentences:
            if len(sentence.text) > left:
                break
            answer.append(sentence.text)
            left -= len(sentence.text)
        told.append(Turn(turn.question[:_LONGEST_IN_HISTORY], tuple(answer)))
    return tuple(told)


def find_threads_folder(root: Path) -> Path:
    """Return the folder of a workspace's threads: in the user's data folder, named by a hash of its root."""
    from platformdirs import user_data_path

    digest = hashlib.sha256(os.fsencode(root)).hexdigest()[:16]
    return user_data_path("lexls", appauthor=False) / "threads" / digest


def open_threads(root: Path) -> Threads:
    """Open the threads of a workspace."""
    return Threads(find_threads_folder(root), root)


def list_threads_folders(folder: Path) -> Iterator[Path]:
    """Yield the thread folders of all present or former workspaces that are ``folder`` (absolute) or are
    inside it.
    """
    roots = {Path(root) for root, _, _ in os.walk(folder)} | {folder}
    own = {find_threads_folder(root) for root in roots}
    for kept in find_threads_folder(folder).parent.glob("*/"):
        if kept in own:
            yield kept
            continue
        with contextlib.suppress(OSError):  # one that an older lexls has made does not say it
            root = Path(os.fsdecode((kept / _WORKSPACE).read_bytes()))
            if root.is_relative_to(folder):
                yield kept


class Threads:
    """The threads of a workspace, stored as one JSON file each, which several servers may change.

    If the workspace's root is given, it is recorded in the folder. Files are replaced whole and under a lock,
    so neither a reader nor a crash sees half a file. A damaged file is renamed, and ``take_problems`` reports
    it.
    """

    def __init__(self, folder: Path, root: Path | None = None) -> None:
        self._folder = folder
        self._root = root
        self._problems: list[str] = []

    def take_problems(self) -> list[str]:
        """Return the problems found with files since the last call, as messages for the user."""
        found, self._problems = self._problems, []
        return found

    def all(self) -> list[Thread]:
        """Return all threads, the most recently changed first."""
        try:
            names = [path.stem for path in self._folder.glob("*.json") if _NAME.fullmatch(path.stem)]
        except OSError:
            names = []
        found = [thread for name in names if (thread := self._read(name)) is not None]
        return sorted(found, key=lambda each: (each.changed, each.name), reverse=True)

    def get(self, name: str) -> Thread:
        """Return a thread. Raises ``ThreadError`` if it does not exist or cannot be read."""
        thread = self._read(name) if _NAME.fullmatch(name) else None
        if thread is None:
            raise ThreadError("there is no such thread: it was deleted, or is of another workspace")
        return thread

    def add(self, turn: StoredTurn, name: str = "", after: int = 0) -> tuple[Thread, StoredTurn]:
        """Store a turn in a new thread, or in thread ``name`` after its turn ``after`` (0 for its newest).

        Returns the thread and the turn with its ``id``, ``after`` and ``when``. Raises ``ThreadError``.
        """
        now = datetime.now(UTC)
        with self._locked():
            if name:
                thread = self.get(name)
                after = after or thread.turns[-1].id
                thread.branch(after)
            else:
                name = f"{now:%Y%m%d}-{secrets.token_hex(6)}"
                thread, after = Thread(name, _title(turn.question)), 0
            number = max((each.id for each in thread.turns), default=0) + 1
            added = replace(turn, id=number, after=after, when=now.isoformat(timespec="milliseconds"))
            thread = replace(thread, turns=(*thread.turns, added))
            self._write(thread)
        return thread, added

    def delete(self, name: str) -> bool:
        """Delete a thread with all its turns. Returns whether it existed. Raises ``ThreadError``."""
        if not _NAME.fullmatch(name):
            return False
        with self._locked():
            try:
                self._file(name).unlink()
            except FileNotFoundError:
                return False
            except OSError as error:
                raise ThreadError(f"the thread cannot be deleted: {error.strerror}") from error
        return True

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = FileLock(self._folder / "lock", timeout=LOCK_SECONDS, mode=0o600)
            with lock:
                # Left over from an interrupted write; the lock excludes other writers.
                for each in self._folder.glob("*.new"):
                    each.unlink(missing_ok=True)
                if self._root is not None and not (self._folder / _WORKSPACE).exists():
                    write_whole(self._folder / _WORKSPACE, os.fsencode(self._root))
                yield
        except Timeout:
            raise ThreadError("the threads are being changed by another program; try again") from None
        except OSError as error:
            raise ThreadError(f"{self._folder}: cannot be written: {error.strerror}") from error

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.json"

    def _write(self, thread: Thread) -> None:
        text = json.dumps({"format": FORMAT, **asdict(thread)}, ensure_ascii=False, indent=1)
        data = text.encode("utf-8", "replace")  # half a surrogate pair is no character
        if len(data) > LARGEST_FILE:
            raise ThreadError("the thread is too long to go on; begin a new one")
        write_whole(self._file(thread.name), data)

    def _read(self, name: str) -> Thread | None:
        path = self._file(name)
        try:
            with path.open("rb") as stream:
                data = stream.read(LARGEST_FILE + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            self._problems.append(f"{path}: cannot be read: {error.strerror}")
            return None
        if len(data) > LARGEST_FILE:
            self._problems.append(f"{path}: is too large for a thread, and is not read")
            return None
        try:
            return _thread(name, json.loads(data))
        except _Newer:
            self._problems.append(f"{path}: was written by a newer version of lexls")
        except (ValueError, OverflowError, TypeError, KeyError, AttributeError, RecursionError):
            self._set_aside(path)
        return None

    def _set_aside(self, path: Path) -> None:
        aside = path.with_suffix(".damaged")
        with contextlib.suppress(OSError):  # another server was faster
            os.replace(path, aside)
            self._problems.append(f"a thread could not be read and was set aside as {aside}")


class _Newer(Exception):
    """Raised for a file whose format is newer than this version of lexls."""


def _title(question: str) -> str:
    line = " ".join(question.split())
    return line if len(line) <= _LONGEST_TITLE else line[:_LONGEST_TITLE].rsplit(" ", 1)[0] + " …"


def _thread(name: str, data: Any) -> Thread:
    """Return a thread from the JSON of its file. Raises ``ValueError`` and similar errors if it is
    invalid.
    """
    if int(data["format"]) > FORMAT:
        raise _Newer
    turns = tuple(_turn(each) for each in data["turns"])
    before: set[int] = {0}
    for each in turns:  # so that no branch can run in a circle
        if each.id in before or each.after not in before:
            raise ValueError("turns out of order")
        before.add(each.id)
    if not turns:
        raise ValueError("no turns")
    return Thread(name, str(data["title"]), turns)


def _turn(data: Any) -> StoredTurn:
    texts: dict[str, Any] = {name: str(data[name]) for name in ("question", "generator", "closing", "when")}
    lists: dict[str, Any] = {name: tuple(map(str, data[name])) for name in ("notes", "missing")}
    return StoredTurn(
        **texts,
        **lists,
        sentences=tuple(
            StoredSentence(str(each["text"]), bool(each["extract"]), _pins(each["pins"]))
            for each in data["sentences"]
        ),
        nearest=_pins(data["nearest"]),
        id=int(data["id"]),
        after=int(data["after"]),
    )


def _pins(data: Any) -> tuple[StoredPin, ...]:
    return tuple(
        StoredPin(
            **{name: str(each[name]) for name in ("path", "title", "place", "text", "words")},
            start=int(each["start"]),
            end=int(each["end"]),
        )
        for each in data
    )
