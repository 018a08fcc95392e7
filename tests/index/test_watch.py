"""When a watcher hands on what happened: at once what one save did, and only as a whole what hangs together.

Where a burst would never be over, whatever is handed on was handed on at once.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lexls.index import watch
from lexls.index.watch import Watcher

PATIENCE = 60.0
NEVER = 3600.0


class HandedOn:
    """What a watcher of a folder hands on, where only Markdown matters; paths are told by their names."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._told: queue.SimpleQueue[dict[str, int]] = queue.SimpleQueue()
        self.watcher = Watcher([folder], self._keep, lambda path: path.endswith(".md"))
        self.watcher.start()

    def _keep(self, paths: frozenset[str]) -> None:
        sizes = {path: os.path.getsize(path) if os.path.exists(path) else 0 for path in paths}
        self._told.put({os.path.basename(path): size for path, size in sizes.items()})

    def hear(self, *names: str, saved: str = "", of_folder: bool = False) -> None:
        """Tell the watcher of an event."""
        path = str(self._folder / saved) if saved else ""
        self.watcher.hear({str(self._folder / name) for name in names}, path, of_folder)

    def next(self) -> dict[str, int]:
        """The names handed on next, and the sizes of the files then."""
        return self._told.get(timeout=PATIENCE)


@pytest.fixture
def handed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HandedOn]:
    monkeypatch.setattr(watch, "QUIET_SECONDS", NEVER)
    monkeypatch.setattr(watch, "LONGEST_BURST_SECONDS", NEVER)
    # Outside, so that it hears only what it is told of; the clock may have begun when the machine did.
    (tmp_path / "library").mkdir()
    made = HandedOn(tmp_path / "library")
    made.watcher._last = -NEVER
    yield made
    made.watcher.stop()


@pytest.fixture
def elsewhere(tmp_path: Path, handed_on: HandedOn) -> Path:
    """A folder whose files the watcher is told of by the test alone."""
    handed_on._folder = tmp_path / "elsewhere"
    handed_on._folder.mkdir()
    for name in ("a.md", "b.md", "a.md~"):
        (handed_on._folder / name).write_text("The pilot.")
    return handed_on._folder


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell when a file is closed")
def test_a_file_that_was_written_is_handed_on_at_once(tmp_path: Path, handed_on: HandedOn) -> None:
    (tmp_path / "library" / "a.md").write_text("The pilot.")
    assert handed_on.next() == {"a.md": 10}


def test_a_file_that_took_the_place_of_another_is_handed_on_at_once(
    tmp_path: Path, handed_on: HandedOn
) -> None:
    beside = tmp_path / "library" / ".a.new"
    beside.write_text("The pilot.")
    beside.replace(tmp_path / "library" / "a.md")
    assert handed_on.next() == {".a.new": 0, "a.md": 10}


def test_a_file_that_was_set_aside_is_waited_for(elsewhere: Path, handed_on: HandedOn) -> None:
    """As editors do that keep the file of before: for a moment there is none of that name."""
    handed_on.hear("a.md", "a.md~", saved="a.md~")
    handed_on.hear("b.md", saved="b.md")
    handed_on.hear("a.md")
    handed_on.hear("a.md", saved="a.md")
    assert handed_on.next().keys() == {"a.md", "a.md~", "b.md"}


def test_a_file_that_was_emptied_is_waited_for(elsewhere: Path, handed_on: HandedOn) -> None:
    (elsewhere / "a.md").write_text("")
    handed_on.hear("a.md", saved="a.md")
    (elsewhere / "a.md").write_text("The surveyor.")
    handed_on.hear("a.md", saved="a.md")
    assert handed_on.next() == {"a.md": 13}


def test_a_renamed_file_is_handed_on_with_its_old_name_in_a_burst(
    elsewhere: Path, handed_on: HandedOn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "LONGEST_BURST_SECONDS", 0.5)
    handed_on.hear("a.md", "b.md", saved="b.md")
    handed_on.hear("c.md")
    assert handed_on.next().keys() == {"a.md", "b.md", "c.md"}


@pytest.mark.parametrize("of_folder", [True, False])
def test_many_are_handed_on_together(
    elsewhere: Path, handed_on: HandedOn, monkeypatch: pytest.MonkeyPatch, of_folder: bool
) -> None:
    """The first alone, unless a folder changed; the others when it was quiet, or took long enough."""
    if not of_folder:
        handed_on.hear("a.md", saved="a.md")
        assert handed_on.next().keys() == {"a.md"}
    monkeypatch.setattr(watch, "LONGEST_BURST_SECONDS", 0.5)
    handed_on.hear("volume", of_folder=of_folder)
    handed_on.hear("b.md", saved="b.md")
    handed_on.hear("a.md~", saved="a.md~")
    assert handed_on.next().keys() == {"volume", "b.md", "a.md~"}


def exhaust(limit: str, code: str, *arguments: str) -> str:
    """What Python prints in a user namespace of its own with a limit of inotify ("instances", "watches")."""
    name, number = limit.split()
    command = f'echo {number} > /proc/sys/user/max_inotify_{name} && exec "$@"'
    unshare = ["unshare", "--user", "--map-root-user", "/bin/sh", "-c", command, "sh"]
    try:
        done = subprocess.run(
            [*unshare, sys.executable, "-c", code, *arguments],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except FileNotFoundError:
        pytest.skip("there is no unshare")
    if "unshare failed" in done.stderr or "max_inotify" in done.stderr:
        pytest.skip("this system gives no user namespace of its own")
    assert not done.stderr
    return done.stdout


WATCHING = """
import sys
from pathlib import Path
from lexls.index.watch import Watcher

watcher = Watcher(map(Path, sys.argv[1:]), print)
print([folder.name for folder in watcher.start()], watcher.misses())
watcher.stop()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ("instances 0", "['one', 'two'] True"),
        ("watches 1", "['two'] True"),
        # Each has a folder below it.
        ("watches 3", "[] True"),
        ("watches 100", "[] False"),
    ],
)
def test_where_the_system_takes_no_more_watches_it_is_known(limit: str, said: str, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        (folder / "below").mkdir(parents=True)
    assert exhaust(limit, WATCHING, *map(str, folders)).splitlines() == [said]


STOPPING_AT_ONCE = """
import sys
from pathlib import Path
from lexls.index.watch import Watcher

sys.setswitchinterval(1e-6)
for _ in range(200):
    watcher = Watcher(map(Path, sys.argv[1:]), print)
    watcher.start()
    watcher.stop()
"""


def test_nothing_is_printed_if_it_is_stopped_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-c", STOPPING_AT_ONCE, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout + done.stderr == ""


def test_a_missing_folder_is_known_and_the_others_are_watched(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    heard: queue.SimpleQueue[frozenset[str]] = queue.SimpleQueue()
    watcher = Watcher([tmp_path / "none", tmp_path / "one"], heard.put)
    try:
        assert watcher.start() == [tmp_path / "none"]
        assert not watcher.misses()  # that it comes back is noticed otherwise
        (tmp_path / "one" / "new.md").write_text("x", encoding="utf-8")
        assert str(tmp_path / "one" / "new.md") in heard.get(timeout=PATIENCE)
    finally:
        watcher.stop()
