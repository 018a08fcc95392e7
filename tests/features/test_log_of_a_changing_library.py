"""A log describes a single state of the library; if that changes meanwhile, the draft is checked again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lexls.export.log import making
from lexls.server.protocol import RequestRefused
from lexls.server.reporting import TRIES, _write_log
from lexls.text.cancel import CancelToken

SOURCE = "So it was held in Carrow v Luff [2014] ASC 12 at [3]."


def write_in_states(read: Any, folder: Path, monkeypatch: pytest.MonkeyPatch, states: Sequence[int]) -> bytes:
    """Write the log of a draft while the library has these generations, one after another."""
    path, passed = folder / "draft.md", iter(states)
    path.write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr(making, "find_state", lambda _: ((next(passed), True),))
    return _write_log(read(SOURCE).snapshot, path, {}, folder, "json", CancelToken())


def test_it_is_checked_again(read: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = json.loads(write_in_states(read, tmp_path, monkeypatch, [1, 2, 2, 2]))
    assert len(written["entries"]) == 1


def test_a_library_that_never_rests_is_named(
    read: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RequestRefused, match=r"draft\.md: the library has changed meanwhile"):
        write_in_states(read, tmp_path, monkeypatch, range(2 * TRIES))
