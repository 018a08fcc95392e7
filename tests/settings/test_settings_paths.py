"""Settings that are lists of files or folders."""

from __future__ import annotations

from pathlib import Path

from lexls.settings.load import load


def test_paths_start_from_the_file_that_names_them_and_missing_ones_are_told(tmp_path: Path) -> None:
    (tmp_path / "own.jsonl").write_text("", encoding="utf-8")
    (tmp_path / "old").mkdir()
    (tmp_path / "lexls.toml").write_text(
        'precedents.caseBases = ["own.jsonl", "none.jsonl", "own.jsonl"]\nprecedents.drafts = ["old"]\n',
        encoding="utf-8",
    )
    settings, problems = load(tmp_path, None, tmp_path / "none.toml")
    assert settings.precedents_case_bases == (tmp_path / "own.jsonl", tmp_path / "none.jsonl")
    assert settings.precedents_drafts == (tmp_path / "old",)
    (problem,) = problems
    assert problem.key == "precedents.caseBases"
    assert "none.jsonl" in problem.reason


def test_what_is_no_list_of_paths_is_refused(tmp_path: Path) -> None:
    for wrong in ('"own.jsonl"', "[7]", '["a\\u0000b"]'):
        (tmp_path / "lexls.toml").write_text(f"precedents.caseBases = {wrong}\n", encoding="utf-8")
        settings, (problem,) = load(tmp_path, None, tmp_path / "none.toml")
        assert settings.precedents_case_bases == ()
        assert problem.key == "precedents.caseBases"
