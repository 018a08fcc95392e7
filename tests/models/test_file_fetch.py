"""Fetching model files from a real server on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ranged_files import RangedFile, gguf, ranges, sha256
from scripted_server import Asked, Handler, ScriptedServer, scripted

from lexls.models.file_fetch import Fetched, FetchFailed, ask_announced, fetch
from lexls.models.gguf_header import UnreadableModel, read_gguf_header

DATA = gguf()
OTHER = gguf(filler=11)


def fetched(server: ScriptedServer, folder: Path, digest: str = "", **more: Any) -> Fetched:
    more = {"pauses": (), "unverified": False} | more
    return fetch(
        server.url + "/hub/model.gguf",
        folder / "model.gguf",
        digest,
        "given" if digest else "",
        lambda doing, done, whole: None,
        read_gguf_header,
        **more,
    )


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if not path.name.endswith(".lock")}


def part(folder: Path) -> bytes:
    return (folder / "model.gguf.part").read_bytes()


def test_what_the_hub_announces_is_read_without_fetching() -> None:
    with scripted(RangedFile(DATA)) as server:
        told = ask_announced(server.url + "/hub/model.gguf")
        assert (told.bytes, told.sha256) == (len(DATA), sha256(DATA))
        assert [each.method for each in server.asked] == ["HEAD"]


def test_a_file_is_fetched_whole_and_compared_with_what_the_server_announced(tmp_path: Path) -> None:
    with scripted(RangedFile(DATA)) as server:
        done = fetched(server, tmp_path)
    assert done == Fetched(tmp_path / "model.gguf", len(DATA), sha256(DATA), "server")
    assert done.path.read_bytes() == DATA
    assert names(tmp_path) == {"model.gguf"}
    if os.name == "posix":
        assert done.path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("linked", [True, False])
def test_an_interrupted_download_goes_on_where_it_broke_off(tmp_path: Path, linked: bool) -> None:
    file = RangedFile(DATA, linked=linked, cut_after=100_000)
    with scripted(file) as server:
        with pytest.raises(FetchFailed, match="broke off"):
            fetched(server, tmp_path, sha256(DATA))
        assert part(tmp_path) == DATA[:100_000]
        assert "model.gguf" not in names(tmp_path)
        file.cut_after = 0
        assert fetched(server, tmp_path, sha256(DATA)).path.read_bytes() == DATA
        assert ranges(server.asked) == ["", "bytes=100000-"]
    assert names(tmp_path) == {"model.gguf"}


def test_a_broken_connection_is_opened_again_by_itself(tmp_path: Path) -> None:
    with scripted(RangedFile(DATA, cut_after=120_000)) as server:
        assert fetched(server, tmp_path, pauses=(0.0, 0.0, 0.0)).path.read_bytes() == DATA
        assert ranges(server.asked) == ["", "bytes=120000-", "bytes=240000-"]


@pytest.mark.parametrize("linked", [True, False])
def test_a_file_that_changed_meanwhile_is_fetched_from_its_start(tmp_path: Path, linked: bool) -> None:
    file = RangedFile(DATA, linked=linked, cut_after=100_000)
    with scripted(file) as server:
        with pytest.raises(FetchFailed):
            fetched(server, tmp_path, unverified=True)
        assert part(tmp_path) == DATA[:100_000]
        file.data, file.etag, file.cut_after = OTHER, '"version-2"', 0
        assert fetched(server, tmp_path, unverified=True).path.read_bytes() == OTHER


def test_a_server_without_ranges_starts_again(tmp_path: Path) -> None:
    file = RangedFile(DATA, with_ranges=False, cut_after=200_000)
    with scripted(file) as server:
        with pytest.raises(FetchFailed):
            fetched(server, tmp_path)
        file.cut_after = 0
        assert fetched(server, tmp_path).path.read_bytes() == DATA


def test_a_part_longer_than_the_file_is_thrown_away(tmp_path: Path) -> None:
    file = RangedFile(DATA, cut_after=100_000)
    with scripted(file) as server:
        with pytest.raises(FetchFailed):
            fetched(server, tmp_path)
        (tmp_path / "model.gguf.part").write_bytes(DATA + b"more")
        file.cut_after = 0
        assert fetched(server, tmp_path, pauses=(0.0,)).path.read_bytes() == DATA


def test_the_rest_of_another_address_is_never_put_to_a_part(tmp_path: Path) -> None:
    with scripted(RangedFile(DATA, cut_after=100_000)) as server, pytest.raises(FetchFailed):
        fetched(server, tmp_path)
    with scripted(RangedFile(DATA)) as server:
        fetched(server, tmp_path)
        assert ranges(server.asked) == [""]


def test_a_damaged_part_is_found_by_its_checksum_and_removed(tmp_path: Path) -> None:
    file = RangedFile(DATA, cut_after=100_000)
    with scripted(file) as server:
        with pytest.raises(FetchFailed):
            fetched(server, tmp_path)
        (tmp_path / "model.gguf.part").write_bytes(DATA[:99_999] + b"!")
        file.cut_after = 0
        with pytest.raises(FetchFailed, match="not " + sha256(DATA)):
            fetched(server, tmp_path)
        assert names(tmp_path) == set()
        assert fetched(server, tmp_path).path.read_bytes() == DATA


def test_a_wrong_checksum_is_refused_before_anything_is_fetched_where_the_server_tells(
    tmp_path: Path,
) -> None:
    with scripted(RangedFile(DATA)) as server:
        with pytest.raises(FetchFailed, match="another file now"):
            fetched(server, tmp_path, sha256(OTHER))
        assert ranges(server.asked) == []
    assert names(tmp_path) == set()


def test_a_wrong_checksum_is_refused_and_removed_where_the_server_does_not_tell(tmp_path: Path) -> None:
    with scripted(RangedFile(DATA, linked=False)) as server, pytest.raises(FetchFailed, match="was removed"):
        fetched(server, tmp_path, sha256(OTHER))
    assert names(tmp_path) == set()


def test_without_any_checksum_nothing_is_fetched_unless_asked(tmp_path: Path) -> None:
    with scripted(RangedFile(DATA, linked=False)) as server:
        with pytest.raises(FetchFailed, match="--unverified"):
            fetched(server, tmp_path)
        assert ranges(server.asked) == []
        assert fetched(server, tmp_path, unverified=True) == Fetched(
            tmp_path / "model.gguf", len(DATA), sha256(DATA), ""
        )


def test_what_does_not_fit_the_disk_is_not_begun(tmp_path: Path) -> None:
    with scripted(RangedFile(DATA, announced_size=10**17)) as server:
        with pytest.raises(FetchFailed, match="are free on this disk"):
            fetched(server, tmp_path)
        assert ranges(server.asked) == []
    assert names(tmp_path) == set()


def test_a_file_shorter_than_announced_is_not_whole(tmp_path: Path) -> None:
    with scripted(RangedFile(DATA, announced_size=len(DATA) + 5)) as server, pytest.raises(FetchFailed):
        fetched(server, tmp_path)
    assert "model.gguf" not in names(tmp_path)


def test_a_file_longer_than_announced_is_given_up(tmp_path: Path) -> None:
    with (
        scripted(RangedFile(DATA, announced_size=len(DATA) - 5)) as server,
        pytest.raises(FetchFailed, match="more than"),
    ):
        fetched(server, tmp_path)
    assert names(tmp_path) == set()


def test_a_file_without_an_end_does_not_fill_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(handler: Handler, asked: Asked) -> None:
        if asked.method == "HEAD":
            handler.whole(405, b"")
            return
        handler.begin()
        handler.chunk(DATA)
        # As if another program had taken what was free.
        monkeypatch.setattr("lexls.models.file_fetch.SPARE_BYTES", 10**18)
        for _ in range(1000):
            handler.chunk(b"x" * 65_536)
        handler.end()

    with scripted(endless) as server, pytest.raises(FetchFailed, match="the disk is full"):
        fetched(server, tmp_path, unverified=True)
    assert names(tmp_path) == set()


def test_a_page_of_the_web_is_no_model(tmp_path: Path) -> None:
    with (
        scripted(RangedFile(b"<html>" + b"x" * 100_000)) as server,
        pytest.raises(FetchFailed, match="no model file"),
    ):
        fetched(server, tmp_path)
    assert names(tmp_path) == set()


def test_a_damaged_header_is_refused_and_removed(tmp_path: Path) -> None:
    with scripted(RangedFile(b"GGUF" + b"\xff" * 1000)) as server, pytest.raises(UnreadableModel):
        fetched(server, tmp_path)
    assert names(tmp_path) == set()


@pytest.mark.parametrize(("status", "words"), [(401, "licence"), (404, "no such file"), (500, "500")])
def test_refusals_are_clear(tmp_path: Path, status: int, words: str) -> None:
    with (
        scripted(lambda handler, _: handler.whole(status, b"no")) as server,
        pytest.raises(FetchFailed, match=words),
    ):
        fetched(server, tmp_path, pauses=(0.0,))


def test_two_that_fetch_the_same_end_with_one_whole_file(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from lexls.models.file_fetch import fetch\n"
        "done = fetch(sys.argv[1], Path(sys.argv[2]), '', '', lambda *_: None, lambda path: None,\n"
        "             pauses=(0.0,) * 20)\n"
        "print(done.sha256)\n"
    )
    with scripted(RangedFile(DATA, cut_after=50_000)) as server:
        command = [
            sys.executable,
            "-c",
            program,
            server.url + "/hub/model.gguf",
            str(tmp_path / "model.gguf"),
        ]
        running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
        printed = [process.communicate(timeout=60)[0].strip() for process in running]
        starts = ranges(server.asked).count("")
    assert printed == [sha256(DATA)] * 2
    assert (tmp_path / "model.gguf").read_bytes() == DATA
    assert starts == 1
