"""``lexls prompts``: showing, writing out and checking the prompts of models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lexls.grounding.prompts.templates import TEMPLATE_NAMES, load_template, read_own_template
from lexls.settings.load import find_user_settings

Run = Any
"""``Run`` of conftest.py."""


@pytest.mark.parametrize("name", TEMPLATE_NAMES)
def test_show_prints_the_prompt_as_it_is_written(lexls: Run, matter: Path, name: str) -> None:
    assert lexls("prompts", "show", name).out == read_own_template(name)  # type: ignore[arg-type]
    printed = lexls("prompts", "show", name, "--json").json
    assert printed == {"name": name, "version": 1, "file": None, "text": read_own_template(name)}  # type: ignore[arg-type]


def test_show_of_an_unknown_prompt_names_those_there_are(lexls: Run, matter: Path) -> None:
    result = lexls("prompts", "show", "poem")
    assert result.code == 2
    assert "explain, ask, draft, contrary, sentence, keywords" in result.err


def test_written_prompts_are_those_of_lexls_and_are_used_from_there(lexls: Run, matter: Path) -> None:
    folder = matter / "new" / "prompts"
    printed = lexls("prompts", "write", "--to", str(folder), "--json").json
    assert printed == {"written": [str(folder / f"{name}.md") for name in TEMPLATE_NAMES], "kept": []}
    for name in TEMPLATE_NAMES:
        own = load_template(name, folder)
        assert own.own
        assert (own.system, own.user) == (load_template(name).system, load_template(name).user)
    assert lexls("prompts", "check", str(folder)).code == 0


def test_writing_never_changes_a_file_that_is_there(lexls: Run, matter: Path) -> None:
    folder = matter / "prompts"
    folder.mkdir()
    (folder / "ask.md").write_text("mine", encoding="utf-8")
    printed = lexls("prompts", "write", "--to", str(folder), "--json").json
    assert printed["kept"] == [str(folder / "ask.md")]
    assert len(printed["written"]) == len(TEMPLATE_NAMES) - 1
    assert (folder / "ask.md").read_text(encoding="utf-8") == "mine"


def test_writing_where_a_file_lies_fails_with_its_name(lexls: Run, matter: Path) -> None:
    (matter / "taken").write_text("x", encoding="utf-8")
    result = lexls("prompts", "write", "--to", str(matter / "taken"))
    assert result.code == 3
    assert "taken" in result.err


def test_check_tells_every_file_that_cannot_be_used(lexls: Run, matter: Path) -> None:
    folder = matter / "prompts"
    folder.mkdir()
    good = read_own_template("draft").replace("version: 1", "version: 4")
    (folder / "draft.md").write_text(good, encoding="utf-8")
    (folder / "ask.md").write_text(read_own_template("ask").replace("{{evidence}}", ""), encoding="utf-8")
    (folder / "poem.md").write_text("roses", encoding="utf-8")
    result = lexls("prompts", "check", str(folder), "--json")
    assert result.code == 1
    assert result.json["templates"] == [{"name": "draft", "version": 4, "file": str(folder / "draft.md")}]
    first, second = result.json["problems"]
    assert first == f"{folder / 'ask.md'}: missing placeholder {{{{evidence}}}}"
    assert second.startswith(f"{folder / 'poem.md'}: no prompt is called so")


def test_check_needs_a_folder(lexls: Run, matter: Path) -> None:
    assert lexls("prompts", "check").code == 2
    assert lexls("prompts", "check", str(matter / "gone")).code == 2


def test_folder_of_the_settings_is_shown_and_checked(lexls: Run, matter: Path) -> None:
    folder = matter / "own"
    folder.mkdir()
    text = read_own_template("ask").replace("version: 1", "version: 9")
    (folder / "ask.md").write_text(text, encoding="utf-8")
    file = find_user_settings()
    file.parent.mkdir(parents=True)
    file.write_text(f"explain.promptFolder = '{folder}'\n", encoding="utf-8")
    shown = lexls("prompts", "show", "ask", "--json").json
    assert shown == {"name": "ask", "version": 9, "file": str(folder / "ask.md"), "text": text}
    assert lexls("prompts", "show", "draft", "--json").json["file"] is None
    checked = lexls("prompts", "check", "--json")
    assert checked.code == 0
    assert [each["version"] for each in checked.json["templates"]] == [9]


def test_folder_of_a_workspace_is_not_trusted(lexls: Run, matter: Path) -> None:
    """A foreign workspace must not decide what a model is told."""
    folder = matter / "own"
    folder.mkdir()
    (folder / "ask.md").write_text(read_own_template("ask").replace("lawyer", "thief"), encoding="utf-8")
    toml = matter / "lexls.toml"
    toml.write_text(f"{toml.read_text('utf-8')}explain.promptFolder = '{folder}'\n", encoding="utf-8")
    shown = lexls("prompts", "show", "ask", "--json")
    assert shown.json["file"] is None
    assert "explain.promptFolder" in shown.err
