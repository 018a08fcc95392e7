"""Threads of questions: kept, continued, branched, deleted, shared, and mended where a file is damaged."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from lexls.grounding.threads import (
    LARGEST_FILE,
    StoredPin,
    StoredSentence,
    StoredTurn,
    ThreadError,
    Threads,
    describe_history,
    find_threads_folder,
)


def turn(question: str, *said: str) -> StoredTurn:
    words = "the keeper must open"
    pin = StoredPin("/library/weir.md", "Weir v Sluice", "[3]", 10, 30, words, words)
    return StoredTurn(question, tuple(StoredSentence(each, False, (pin,)) for each in said), generator="test")


def questions(threads: Threads, name: str, end: int = 0) -> list[str]:
    return [each.question for each in threads.get(name).branch(end)]


def test_a_turn_is_kept_as_it_was(tmp_path: Path) -> None:
    thread, added = Threads(tmp_path).add(turn("Who opens the weir?", "The keeper opens it."))
    kept = Threads(tmp_path).get(thread.name)
    assert kept == thread
    assert kept.turns == (added,)
    assert (added.id, added.after) == (1, 0)
    assert kept.title == "Who opens the weir?"
    assert kept.turns[0].sentences[0].pins[0].text == "the keeper must open"


def test_a_thread_goes_on_and_branches(tmp_path: Path) -> None:
    threads = Threads(tmp_path)
    thread, first = threads.add(turn("one"))
    threads.add(turn("two"), thread.name)
    threads.add(turn("three"), thread.name)
    _, branched = threads.add(turn("two again"), thread.name, after=first.id)
    assert questions(threads, thread.name) == ["one", "two again"]
    assert questions(threads, thread.name, 3) == ["one", "two", "three"]
    threads.add(turn("three again"), thread.name)
    assert questions(threads, thread.name) == ["one", "two again", "three again"]
    assert branched.after == first.id


def test_what_is_not_there_cannot_be_continued(tmp_path: Path) -> None:
    threads = Threads(tmp_path)
    thread, _ = threads.add(turn("one"))
    with pytest.raises(ThreadError, match="no turn 7"):
        threads.add(turn("two"), thread.name, after=7)
    for name in ("20260101-0123456789ab", "../20260101-0123456789ab", ""):
        with pytest.raises(ThreadError, match="no such thread"):
            threads.get(name)
    assert questions(threads, thread.name) == ["one"]


def test_the_thread_changed_last_comes_first(tmp_path: Path) -> None:
    threads = Threads(tmp_path)
    old, _ = threads.add(turn("old"))
    time.sleep(0.01)
    new, _ = threads.add(turn("new"))
    assert [each.title for each in threads.all()] == ["new", "old"]
    time.sleep(0.01)
    threads.add(turn("more"), old.name)
    assert [each.title for each in threads.all()] == ["old", "new"]
    assert threads.delete(new.name)
    assert not threads.delete(new.name)
    assert [each.title for each in threads.all()] == ["old"]


def test_nothing_outside_the_folder_is_deleted(tmp_path: Path) -> None:
    outside = tmp_path / "20260101-0123456789ab.json"
    outside.write_text("{}")
    assert not Threads(tmp_path / "threads").delete("../20260101-0123456789ab")
    assert outside.exists()


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_only_the_user_may_read_them(tmp_path: Path) -> None:
    threads = Threads(tmp_path / "threads")
    threads.add(turn("one"))
    for path in (tmp_path / "threads").iterdir():
        assert path.stat().st_mode & 0o077 == 0, path
    assert (tmp_path / "threads").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"format": 1}',
        b'{"format": 1, "title": "t", "turns": []}',
        b'{"format": 1e999}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_is_set_aside_and_the_others_go_on(tmp_path: Path, damage: bytes) -> None:
    threads = Threads(tmp_path)
    good, _ = threads.add(turn("good"))
    bad, _ = threads.add(turn("bad"))
    (tmp_path / f"{bad.name}.json").write_bytes(damage)
    assert [each.name for each in threads.all()] == [good.name]
    (said,) = threads.take_problems()
    assert str(tmp_path / f"{bad.name}.damaged") in said
    assert (tmp_path / f"{bad.name}.damaged").read_bytes() == damage
    assert [each.name for each in threads.all()] == [good.name]
    assert threads.take_problems() == []


def test_turns_that_run_in_a_circle_are_damage(tmp_path: Path) -> None:
    threads = Threads(tmp_path)
    thread, _ = threads.add(turn("one"))
    path = tmp_path / f"{thread.name}.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    data["turns"][0]["after"] = 1
    path.write_text(json.dumps(data), encoding="utf-8")
    assert threads.all() == []
    assert len(threads.take_problems()) == 1


def test_a_file_too_large_for_a_thread_is_told_and_neither_read_nor_lost(tmp_path: Path) -> None:
    threads = Threads(tmp_path)
    good, _ = threads.add(turn("good"))
    large, _ = threads.add(turn("large"))
    path = tmp_path / f"{large.name}.json"
    with path.open("ab") as file:
        file.truncate(LARGEST_FILE + 1)
    assert [each.name for each in threads.all()] == [good.name]
    assert "too large" in threads.take_problems()[0]
    assert path.exists()


def test_a_thread_does_not_grow_beyond_what_is_read(tmp_path: Path) -> None:
    threads = Threads(tmp_path)
    thread, _ = threads.add(turn("one"))
    with pytest.raises(ThreadError, match="begin a new one"):
        threads.add(turn("x" * LARGEST_FILE), thread.name)
    assert questions(threads, thread.name) == ["one"]


def test_halves_of_surrogate_pairs_do_not_stop_it(tmp_path: Path) -> None:
    thread, _ = Threads(tmp_path).add(turn("Who opens \ud800 it?"))
    assert questions(Threads(tmp_path), thread.name) == ["Who opens ? it?"]
    assert find_threads_folder(Path("/drafts/\udcff")) != find_threads_folder(Path("/drafts"))


def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    threads = Threads(tmp_path)
    thread, _ = threads.add(turn("one"))
    path = tmp_path / f"{thread.name}.json"
    data = {**json.loads(path.read_text(encoding="utf-8")), "format": 99}
    path.write_text(json.dumps(data), encoding="utf-8")
    assert threads.all() == []
    assert "newer version" in threads.take_problems()[0]
    assert path.exists()


def test_two_servers_on_one_workspace_lose_no_turn(tmp_path: Path) -> None:
    thread, _ = Threads(tmp_path).add(turn("begun"))
    program = (
        "import sys\nfrom pathlib import Path\nfrom lexls.grounding.threads import StoredTurn, Threads\n"
        "for number in range(15):\n"
        "    Threads(Path(sys.argv[1])).add(StoredTurn(f'{sys.argv[3]} {number}', ()), sys.argv[2])\n"
    )
    servers = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path), thread.name, name])
        for name in ("a", "b")
    ]
    assert [each.wait(timeout=120) for each in servers] == [0, 0]
    turns = Threads(tmp_path).get(thread.name).turns
    assert [each.id for each in turns] == list(range(1, 32))
    assert sorted(each.question for each in turns[1:]) == sorted(
        f"{name} {number}" for name in ("a", "b") for number in range(15)
    )


def test_what_was_answered_survives_a_kill_in_the_middle_of_writing(tmp_path: Path) -> None:
    """A process that writes on and on is killed again and again: what it said it kept is there."""
    program = (
        "import sys\nfrom pathlib import Path\n"
        "from lexls.grounding.threads import StoredSentence, StoredTurn, Threads\n"
        "threads = Threads(Path(sys.argv[1]))\n"
        "for _ in range(10_000):\n"
        "    long = StoredSentence('x' * 20_000, False, ())\n"
        "    _, turn = threads.add(StoredTurn('q', (long,)), sys.argv[2])\n"
        "    print(turn.id, flush=True)\n"
    )
    thread, _ = Threads(tmp_path).add(turn("begun"))
    kept = 1
    for patience in (0.0, 0.003, 0.011, 0.02):
        server = subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path), thread.name], stdout=subprocess.PIPE, text=True
        )
        assert server.stdout is not None
        for _ in range(3):
            kept = int(server.stdout.readline())
        time.sleep(patience)
        server.send_signal(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)
        rest = server.stdout.read().split()
        kept = int(rest[-1]) if rest else kept
        server.wait(timeout=60)
        found = Threads(tmp_path)
        assert len(found.get(thread.name).turns) in (kept, kept + 1)
        assert found.take_problems() == []
        kept = len(found.get(thread.name).turns)
    Threads(tmp_path).add(turn("the last"), thread.name)
    assert {each.name for each in tmp_path.iterdir()} <= {"lock", f"{thread.name}.json"}


def test_many_threads_of_one_process_lose_no_turn(tmp_path: Path) -> None:
    threads = Threads(tmp_path)
    thread, _ = threads.add(turn("begun"))

    def add(number: int) -> None:
        threads.add(turn(str(number)), thread.name)

    workers = [threading.Thread(target=add, args=(number,)) for number in range(12)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    assert len(threads.get(thread.name).turns) == 13


def test_history_is_the_end_of_the_branch_and_bounded(tmp_path: Path) -> None:
    turns = [turn(f"{number} " + "q" * 3000, "a" * 1000, "b" * 1000) for number in range(9)]
    told = describe_history(turns)
    assert [each.question[0] for each in told] == ["5", "6", "7", "8"]
    assert all(len(each.question) == 1500 for each in told)
    assert [each.answer for each in told] == [("a" * 1000,)] * 4
    assert describe_history([]) == ()


def test_each_workspace_has_its_own(tmp_path: Path) -> None:
    assert find_threads_folder(tmp_path / "a") != find_threads_folder(tmp_path / "b")
    assert find_threads_folder(tmp_path / "a") == find_threads_folder(tmp_path / "a")
