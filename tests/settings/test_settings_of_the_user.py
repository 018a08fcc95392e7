"""What a workspace's file must not decide: where a user's words are sent, and what runs on the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexls.settings.declaration import SETTINGS
from lexls.settings.load import load

OWN = [key for key, setting in SETTINGS.items() if setting.scope == "user"]


def test_where_words_may_be_sent_is_the_users_own_decision() -> None:
    addresses = {"openai.baseUrl", "anthropic.baseUrl", "index.url"}
    assert {"explain.generator", "remote.allowed", *addresses} <= set(OWN)


@pytest.mark.parametrize("key", ["remote.allowed", "openai.baseUrl", "index.url"])
def test_a_workspace_file_cannot_decide_it(tmp_path: Path, key: str) -> None:
    value = "true" if SETTINGS[key].type == "boolean" else '"https://elsewhere.example"'
    (tmp_path / "lexls.toml").write_text(f"{key} = {value}\n", encoding="utf-8")
    settings, problems = load(tmp_path, None, tmp_path / "none.toml")
    assert settings.get(key) == SETTINGS[key].default
    assert [problem.key for problem in problems] == [key]
    assert "your own settings" in problems[0].reason


def test_the_users_own_file_and_the_editor_can(tmp_path: Path) -> None:
    (tmp_path / "user.toml").write_text("remote.allowed = true\n", encoding="utf-8")
    settings, problems = load(tmp_path, {"openai": {"baseUrl": "http://localhost:1"}}, tmp_path / "user.toml")
    assert not problems
    assert (settings.remote_allowed, settings.openai_base_url) == (True, "http://localhost:1")


def test_prompts_of_the_users_own_are_never_found_in_a_workspace(tmp_path: Path) -> None:
    own, work = tmp_path / "own", tmp_path / "work"
    for folder in (own, work):
        (folder / "prompts").mkdir(parents=True)
    (own / "config.toml").write_text('explain.promptFolder = "prompts"\n', encoding="utf-8")
    settings, problems = load(work, None, own / "config.toml")
    assert not problems
    assert settings.explain_prompt_folder == own / "prompts"
    settings, problems = load(work, {"explain.promptFolder": "prompts"}, own / "none.toml")
    assert settings.explain_prompt_folder is None
    assert [problem.key for problem in problems] == ["explain.promptFolder"]
    settings, problems = load(work, {"explain.promptFolder": str(own / "prompts")}, own / "none.toml")
    assert not problems
    assert settings.explain_prompt_folder == own / "prompts"


@pytest.mark.parametrize(
    "place", ["../i.db", "elsewhere/i.db", "library/../../i.db", "//host.example/x/i.db"]
)
def test_a_workspace_has_the_index_written_nowhere_but_in_itself(tmp_path: Path, place: str) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "other").mkdir()
    if place.startswith("elsewhere"):
        try:
            (work / "elsewhere").symlink_to(tmp_path / "other")
        except OSError:
            pytest.skip("links cannot be made here")
    (work / "lexls.toml").write_text(f'index.path = "{place}"\n', encoding="utf-8")
    settings, problems = load(work, None, tmp_path / "none.toml")
    assert settings.index_path is None
    assert [problem.key for problem in problems] == ["index.path"]
    assert "outside its folder" in problems[0].reason
    (tmp_path / "user.toml").write_text(
        f'index.path = "{(tmp_path / "i.db").as_posix()}"\n', encoding="utf-8"
    )
    (work / "lexls.toml").unlink()
    assert load(work, None, tmp_path / "user.toml")[0].index_path == tmp_path / "i.db"


@pytest.mark.parametrize("key", ["precedents.drafts", "precedents.caseBases", "index.watermarks"])
def test_a_workspace_has_nothing_read_that_lies_elsewhere(tmp_path: Path, key: str) -> None:
    work, other = tmp_path / "work", tmp_path / "other"
    for folder in (work / "own", other):
        folder.mkdir(parents=True)
    name = {"precedents.drafts": "precedents_drafts", "precedents.caseBases": "precedents_case_bases"}.get(
        key
    )

    def load_key(path: Path, file: Path) -> tuple[object, list[str]]:
        listed = f'["{path.as_posix()}"]' if name else f'"{path.as_posix()}"'
        file.write_text(f"{key} = {listed}\n", encoding="utf-8")
        settings, problems = load(work, None, tmp_path / "user.toml")
        file.unlink()
        return getattr(settings, name or "index_watermarks"), [each.reason for each in problems]

    for outside in (other, Path("../other"), Path("/etc")):
        value, reasons = load_key(outside, work / "lexls.toml")
        assert not value
        assert ["outside its folder" in each for each in reasons] == [True]
    for place, file in ((work / "own", work / "lexls.toml"), (other, tmp_path / "user.toml")):
        assert load_key(place, file) == (((place,) if name else place), [])
