"""What a workspace's file must not decide: where a user's words are sent, and what runs on the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from lexls.settings.declaration import SETTINGS
from lexls.settings.load import load

OWN = [key for key, setting in SETTINGS.items() if setting.scope == "user"]


def test_where_words_may_be_sent_is_the_users_own_decision() -> None:
    assert {"explain.generator", "openai.baseUrl", "anthropic.baseUrl", "remote.allowed"} <= set(OWN)


@pytest.mark.parametrize("key", ["remote.allowed", "openai.baseUrl"])
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
