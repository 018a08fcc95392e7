"""The files that are generated from the declarations."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lexls import __version__
from lexls.agents.main import TOOLS, describe_fields, write_tools
from lexls.assessing.rules.engine import list_rules
from lexls.server.main import make_server
from lexls.settings.commands import COMMANDS, SERVER_COMMANDS
from lexls.settings.declaration import SETTINGS, Settings
from lexls.settings.diagnostics import DIAGNOSTICS
from lexls.settings.generate import (
    GENERATED,
    find_drifted,
    main,
    write,
    write_default_toml,
    write_neovim_table,
    write_settings_page,
    write_vscode_manifest,
)
from lexls.settings.load import load

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", list(GENERATED))
def test_generated_file_is_as_declared(name: str) -> None:
    assert name not in find_drifted(ROOT), "run make docs"


def test_extension_has_the_version_of_the_server_it_carries_and_asks_for_the_same_pythons() -> None:
    manifest = json.loads((ROOT / "editors/vscode/package.json").read_text(encoding="utf-8"))
    assert manifest["version"] == __version__
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    source = (ROOT / "editors/vscode/src/pythons.ts").read_text(encoding="utf-8")
    oldest, newest = map(int, re.findall(r"MINORS = \[(\d+), (\d+)\]", source)[0])
    assert project["requires-python"] == f">=3.{oldest},<3.{newest + 1}"


def test_diagnostics_are_as_the_checks_declare_them() -> None:
    declared = list_rules()
    assert list(DIAGNOSTICS) == declared, "run make docs"
    assert len({each.order for each in declared}) == len({each.code for each in declared}) == len(declared)


def test_tools_of_models_are_as_the_agents_declare_them() -> None:
    declared = write_tools()
    assert (ROOT / "lexls/settings/agent_tools.json").read_text(encoding="utf-8") == declared, "run make docs"
    manifest = json.loads(write_vscode_manifest("{}"))["contributes"]["languageModelTools"]
    for tool, (name, each) in zip(manifest, TOOLS.items(), strict=True):
        assert (tool["name"], tool["modelDescription"]) == (f"lexls_{name}", each.description)
        assert tool["inputSchema"] == describe_fields(each.asked)
        assert re.fullmatch(r"[\w-]+", tool["toolReferenceName"])


def test_keys_are_for_drafts_alone() -> None:
    bound = json.loads(write_vscode_manifest("{}"))["contributes"]["keybindings"]
    assert {each["command"] for each in bound} == {each.id for each in COMMANDS if each.key}
    keys = [each["key"] for each in bound]
    assert len(set(keys)) == len(keys)
    for each in bound:
        assert each["when"].startswith("editorTextFocus && editorLangId =~ /^(asciidoc|")
        assert each["mac"] == each["key"].replace("ctrl", "cmd")
    kept = [{"command": "lexls.copyCitation", "key": "ctrl+shift+c", "when": "inQuickInput"}]
    again = json.loads(write_vscode_manifest(json.dumps({"contributes": {"keybindings": [*bound, *kept]}})))
    assert again["contributes"]["keybindings"] == [*bound, *kept]


def test_defaults_file_without_its_comment_signs_holds_every_default(tmp_path: Path) -> None:
    text = re.sub(r"^#(?! |$)", "", write_default_toml(), flags=re.MULTILINE)
    (tmp_path / "user.toml").write_text(text, encoding="utf-8")
    parsed = tomllib.loads(text)
    for setting in SETTINGS.values():
        value = parsed
        for part in setting.key.split("."):
            value = value.get(part, {})
        assert value == ({} if setting.scope == "editor" else setting.default), setting.key
    for folder in (*SETTINGS["library.folders"].default, *SETTINGS["record.folders"].default):
        (tmp_path / folder).mkdir()
    settings, problems = load(tmp_path, None, tmp_path / "user.toml")
    assert problems == []
    expected = Settings(root=tmp_path, files=settings.files)
    library, record = (
        tuple(tmp_path / folder for folder in folders)
        for folders in (expected.library_folders, expected.record_folders)
    )
    assert settings == replace(expected, files=settings.files, library_folders=library, record_folders=record)


def test_defaults_file_as_it_is_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "lexls.toml").write_text(write_default_toml(), encoding="utf-8")
    settings, problems = load(tmp_path, None, tmp_path / "none.toml")
    assert problems == []
    assert settings == Settings(root=tmp_path, files=settings.files, library_folders=(), record_folders=())


def test_manual_names_every_setting_and_its_links_lead_somewhere() -> None:
    page = write_settings_page()
    headings = {
        re.sub(r"[^a-z0-9]", "", line.lower()) for line in page.splitlines() if line.startswith("## ")
    }
    assert headings == {re.sub(r"[^a-z0-9]", "", key.lower()) for key in SETTINGS}
    assert set(re.findall(r"\]\(#(.*?)\)", page)) == headings


def test_manifest_keeps_what_is_not_declared_here() -> None:
    before = {
        "name": "x",
        "contributes": {
            "menus": {"a": 1},
            "commands": [{"command": "lexls.showLog", "icon": "$(output)"}, {"command": "lexls.gone"}],
        },
        "main": "m",
    }
    after = json.loads(write_vscode_manifest(json.dumps(before)))
    assert (after["name"], after["main"], after["contributes"]["menus"]["a"]) == ("x", "m", 1)
    commands = {each["command"]: each for each in after["contributes"]["commands"]}
    assert set(commands) == {each.id for each in COMMANDS if each.in_palette or each.in_menu}
    assert commands["lexls.showLog"]["icon"] == "$(output)"


def properties_of(manifest: dict[str, Any]) -> dict[str, Any]:
    """The settings of all categories; each is in one of them."""
    categories = [each["properties"] for each in manifest["contributes"]["configuration"]]
    properties = {key: schema for each in categories for key, schema in each.items()}
    assert len(properties) == sum(map(len, categories))
    return properties


def test_manifest_schema_follows_the_types() -> None:
    properties = properties_of(json.loads(write_vscode_manifest("{}")))
    assert set(properties) == {f"lexls.{each.key}" for each in SETTINGS.values() if each.scope != "file"}
    severity = properties["lexls.diagnostics.notInLibrary"]
    assert (severity["type"], severity["enum"][0], severity["default"]) == ("string", "error", "information")
    assert properties["lexls.hover.maxPassages"]["maximum"] == 20
    assert properties["lexls.support.kinds"]["items"]["enum"][0] == "case"
    assert properties["lexls.server.path"]["scope"] == "machine-overridable"
    assert properties["lexls.search.rrfK"]["tags"] == ["advanced"]
    assert "`#lexls.explain.generator#`" in properties["lexls.llama.model"]["markdownDescription"]
    for schema in (each.get("items", each) for each in properties.values()):
        assert len(schema.get("enumDescriptions", schema.get("enum", ()))) == len(schema.get("enum", ()))


def test_untrusted_workspace_chooses_no_program_and_no_model() -> None:
    manifest = json.loads(write_vscode_manifest("{}"))
    restricted = manifest["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert {"lexls.server.path", "lexls.embeddings.model", "lexls.llama.contextTokens"} <= set(restricted)
    properties = properties_of(manifest)
    # No workspace sets these, trusted or not: VS Code takes them from the user alone.
    for key in ("explain.generator", "llama.model", "openai.baseUrl", "remote.allowed"):
        assert properties[f"lexls.{key}"]["scope"] == "machine"


def test_lua_table_quotes_what_it_holds() -> None:
    table = write_neovim_table()
    assert 'key = "hover.propositions", type = "boolean", default = true' in table
    assert 'default = { "library", "authorities" }' in table
    assert "\\u" not in table


def test_generator_completes_a_checkout_and_check_fails_on_drift(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = tmp_path / "editors" / "vscode" / "package.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text("{}", encoding="utf-8")
    assert main(["--check", "--root", str(tmp_path)]) == 1
    assert "docs/settings.md: differs" in capsys.readouterr().out
    assert write(tmp_path) == list(GENERATED)
    assert write(tmp_path) == []
    assert main(["--check", "--root", str(tmp_path)]) == 0


def test_server_commands_are_those_the_server_executes() -> None:
    assert set(make_server().protocol.fm.commands) == set(SERVER_COMMANDS)
