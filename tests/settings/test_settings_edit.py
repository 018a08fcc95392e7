"""A settings file is changed in one place and stays as it is in all others."""

from __future__ import annotations

from pathlib import Path

from lexls.settings.edit import change_file, change_settings
from lexls.settings.values import IgnoredFindings, add_table


def test_a_file_keeps_the_ends_of_its_lines_and_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "lexls.toml"
    before = b'# Ours.\r\njurisdiction = "UK"\r\n\r\n[library]\r\nfolders = ["a"] # one\r\n'
    path.write_bytes(before)
    path.chmod(0o640)
    assert change_settings(path, {"jurisdiction": "US"})
    assert path.read_bytes() == before.replace(b"UK", b"US")
    assert change_file(path, lambda text: add_table(text, IgnoredFindings(words="to the court")))
    assert path.read_bytes().startswith(before.replace(b"UK", b"US"))
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_file_that_only_its_owner_should_change_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "lexls.toml"
    path.write_text("check.ignore = []\n")
    assert not change_file(path, lambda text: add_table(text, IgnoredFindings(words="to the court")))
    assert path.read_text() == "check.ignore = []\n"
    assert [each.name for each in tmp_path.iterdir()] == ["lexls.toml"]
