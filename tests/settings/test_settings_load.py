"""Layers of settings, and what is said about settings that cannot be taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from lexls.library.document import KINDS
from lexls.settings.declaration import AUTHORITY_KINDS, SETTINGS, Settings
from lexls.settings.diagnostics import DIAGNOSTICS, find_rule
from lexls.settings.load import SettingsProblem, load


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "matter"
    (folder / "drafts").mkdir(parents=True)
    return folder


def read(
    workspace: Path, toml: str = "", editor: Mapping[str, Any] | None = None, user: str = ""
) -> tuple[Settings, list[SettingsProblem]]:
    """Load with a ``lexls.toml`` in the workspace, the editor's settings and a user file."""
    if toml:
        (workspace / "lexls.toml").write_text(toml, encoding="utf-8")
    user_file = workspace.parent / "config.toml"
    if user:
        user_file.write_text(user, encoding="utf-8")
    return load(workspace, editor, user_file)


def reasons(problems: list[SettingsProblem]) -> list[tuple[str, str]]:
    return [(problem.key, problem.reason) for problem in problems]


def test_without_any_file_every_setting_has_its_default(workspace: Path) -> None:
    settings, problems = read(workspace)
    assert problems == []
    assert settings.get("hover.maxPassages") == settings.hover_max_passages == 3
    assert settings.embeddings_model == "all-MiniLM-L6-v2"
    assert settings.library_folders == ()
    assert settings.files == ()


def test_later_layers_win_key_by_key(workspace: Path) -> None:
    settings, problems = read(
        workspace,
        user='jurisdiction = "UK"\n[hover]\nmaxPassages = 5\n[completion]\nmaxItems = 7\n',
        toml='jurisdiction = "IN"\nhover.maxPassages = 6\n',
        editor={"hover": {"maxPassages": 9}},
    )
    assert problems == []
    assert settings.jurisdiction == "IN"
    assert settings.completion_max_items == 7
    assert settings.hover_max_passages == 9
    assert [path.name for path in settings.files] == ["config.toml", "lexls.toml"]


@pytest.mark.parametrize(
    "editor",
    [
        {"lexls": {"hover": {"propositions": False}}},
        {"hover": {"propositions": False}},
        {"lexls.hover.propositions": False},
        {"hover.propositions": False},
        {"lexls": {"hover.propositions": False}, "python": {"unrelated": 1}},
        {"lexls": {"hover": {"propositions": False, "maxPassages": None}, "completion": None, "library": []}},
    ],
)
def test_editors_may_nest_or_dot_their_keys(workspace: Path, editor: Mapping[str, Any]) -> None:
    settings, problems = read(workspace, editor=editor)
    assert problems == []
    assert settings.hover_propositions is False
    assert settings.hover_max_passages == 3


@pytest.mark.parametrize("start", ["drafts", "drafts/brief.md", "drafts/not-yet-saved.md"])
def test_workspace_file_is_found_above_a_draft(workspace: Path, start: str) -> None:
    (workspace / "drafts" / "brief.md").write_text("", encoding="utf-8")
    (workspace / "authorities").mkdir()
    (workspace / "lexls.toml").write_text('jurisdiction = "UK"\n', encoding="utf-8")
    settings, problems = load(workspace / start, None, workspace / "none.toml")
    assert problems == []
    assert settings.jurisdiction == "UK"
    assert settings.root == workspace
    assert settings.library_folders == (workspace / "authorities",)


def test_nearest_workspace_file_is_the_only_one_read(workspace: Path) -> None:
    (workspace / "drafts" / "lexls.toml").write_text("hover.maxPassages = 1\n", encoding="utf-8")
    (workspace / "lexls.toml").write_text('jurisdiction = "UK"\n', encoding="utf-8")
    settings, _ = load(workspace / "drafts", None, workspace / "none.toml")
    assert (settings.hover_max_passages, settings.jurisdiction) == (1, "")


def test_folders_start_from_the_file_that_names_them(workspace: Path) -> None:
    for name in ("law", "drafts/law", "drafts/own"):
        (workspace / name).mkdir()
    (workspace / "lexls.toml").write_text(
        'library.folders = ["law", "drafts/../law"]\nindex.path = "index.sqlite3"\n', encoding="utf-8"
    )
    none = workspace / "none.toml"
    settings, problems = load(workspace / "drafts", None, none)
    assert problems == []
    assert settings.library_folders == (workspace / "law",)
    assert settings.index_path == workspace / "index.sqlite3"
    settings, problems = load(workspace / "drafts", {"library.folders": ["own"]}, none)
    assert settings.library_folders == (workspace / "drafts" / "own",)


def test_library_folder_that_is_a_file_is_named_and_left_out(workspace: Path) -> None:
    settings, [problem] = read(workspace, toml='library.folders = ["lexls.toml", "drafts"]')
    assert settings.library_folders == (workspace / "drafts",)
    assert "is not a folder" in problem.reason


def test_home_folder_is_expanded(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (workspace / "law").mkdir()
    monkeypatch.setenv("HOME", str(workspace))
    monkeypatch.setenv("USERPROFILE", str(workspace))
    settings, problems = read(workspace, editor={"library.folders": ["~/law"]})
    assert (settings.library_folders, problems) == ((workspace / "law",), [])


def test_missing_library_folder_is_named_and_kept_since_a_drive_may_come_back(workspace: Path) -> None:
    settings, problems = read(workspace, toml='library.folders = ["nowhere"]')
    assert settings.library_folders == (workspace / "nowhere",)
    [problem] = problems
    assert problem.key == "library.folders"
    assert '"nowhere"' in problem.reason
    assert str(workspace / "nowhere") in problem.reason


@pytest.mark.parametrize(
    ("toml", "key", "reason"),
    [
        ("hover.maxPassage = 3", "hover.maxPassage", 'did you mean "hover.maxPassages"?'),
        ("hover.max_passages = 3", "hover.max_passages", 'did you mean "hover.maxPassages"?'),
        ("maxItems = 3", "maxItems", 'did you mean "completion.maxItems"?'),
        ("juristiction = 'UK'", "juristiction", 'did you mean "jurisdiction"?'),
        ("zebra = 1", "zebra", "is not a setting of lexls"),
        ("hover = true", "hover", 'is a group of settings, such as "hover.propositions"'),
        ("hover.propositions = 'yes'", "hover.propositions", "must be true or false"),
        ("hover.propositions = 1", "hover.propositions", "must be true or false, not 1"),
        ("hover.maxPassages = true", "hover.maxPassages", "must be a whole number, not true"),
        ("hover.maxPassages = 3.0", "hover.maxPassages", "must be a whole number, not 3.0"),
        ("hover.maxPassages = 0", "hover.maxPassages", "must be at least 1"),
        ("hover.maxPassages = 21", "hover.maxPassages", "must be at most 20"),
        ("jurisdiction = ['UK']", "jurisdiction", "must be a string, not a list"),
        ("diagnostics.notInLibrary = 'warn'", "diagnostics.notInLibrary", 'did you mean "warning"?'),
        ("diagnostics.notInLibrary = 2", "diagnostics.notInLibrary", 'must be a string, one of "error"'),
        ("support.kinds = ['case', 'statutes']", "support.kinds", 'did you mean "statute"?'),
        ("library.folders = 'law'", "library.folders", "must be a list of folders"),
        ("library.exclude = ['a', 1]", "library.exclude", "item 2 must be a string, not 1"),
        ("citations.forms = ['a']", "citations.forms", "item 1 must be a table"),
        ("index.path = 1", "index.path", "must be a string"),
        ("server.path = 'lexls'", "server.path", "can only be set in the editor"),
    ],
)
def test_what_cannot_be_taken_is_named_and_keeps_its_default(
    workspace: Path, toml: str, key: str, reason: str
) -> None:
    settings, problems = read(workspace, toml=toml)
    [problem] = problems
    assert (problem.source, problem.key) == (str(workspace / "lexls.toml"), key)
    assert reason in problem.reason
    assert str(problem) == f"{problem.source}: {key}: {problem.reason}"
    files = (workspace / "lexls.toml",)
    assert settings == Settings(library_folders=(), record_folders=(), root=workspace, files=files)


def test_every_problem_of_a_file_is_reported_and_the_rest_is_taken(workspace: Path) -> None:
    settings, problems = read(workspace, toml='jurisdiction = "IN"\nzebra = 1\n[hover]\nmaxPassages = "x"\n')
    assert [problem.key for problem in problems] == ["zebra", "hover.maxPassages"]
    assert settings.jurisdiction == "IN"


def test_bad_value_of_a_later_layer_gives_the_default_not_the_earlier_value(workspace: Path) -> None:
    settings, _ = read(workspace, toml="hover.maxPassages = 7", editor={"hover.maxPassages": "many"})
    assert settings.hover_max_passages == 3


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"jurisdiction = ", "is not valid TOML"),
        (b"a = 1\na = 2\n", "is not valid TOML"),
        (b"jurisdiction = '\xff'", "is not UTF-8 text (byte at offset 16)"),
    ],
)
def test_broken_file_is_named_and_nothing_fails(workspace: Path, content: bytes, reason: str) -> None:
    (workspace / "lexls.toml").write_bytes(content)
    settings, [problem] = load(workspace, {"jurisdiction": "UK"}, workspace / "none.toml")
    assert (problem.source, problem.key) == (str(workspace / "lexls.toml"), "")
    assert reason in problem.reason
    assert settings.jurisdiction == "UK"


def test_byte_order_mark_is_accepted(workspace: Path) -> None:
    (workspace / "lexls.toml").write_bytes(b'\xef\xbb\xbfjurisdiction = "UK"\r\n')
    settings, problems = load(workspace, None, workspace / "none.toml")
    assert (settings.jurisdiction, problems) == ("UK", [])


def test_editor_numbers_and_empty_tables_of_other_languages_are_understood(workspace: Path) -> None:
    settings, problems = read(workspace, editor={"hover": {"maxPassages": 4.0}, "support": {"kinds": {}}})
    assert problems == []
    assert (settings.hover_max_passages, settings.support_kinds) == (4, ())


def test_a_setting_that_was_dropped_is_reported_with_what_holds_instead(workspace: Path) -> None:
    _, problems = read(workspace, editor={"precedents": {"mode": "question", "k": 5}})
    assert reasons(problems) == [
        (
            "precedents.mode",
            "is not a setting of lexls any more: all of a precedent is compared; "
            "`lexls eval` measures each part on a case base",
        ),
        ("precedents.k", "is not a setting of lexls any more: the 100 precedents most like a sentence count"),
    ]


def test_editor_problems_name_the_editor(workspace: Path) -> None:
    _, problems = read(workspace, editor={"lexls": {"hover": {"maxPasages": 4}, "citations.forms": []}})
    assert reasons(problems) == [
        ("hover.maxPasages", 'is not a setting of lexls; did you mean "hover.maxPassages"?'),
        ("citations.forms", "can only be set in lexls.toml"),
    ]
    assert {problem.source for problem in problems} == {"editor"}


def test_forms_of_user_and_workspace_are_both_kept(workspace: Path) -> None:
    settings, problems = read(
        workspace, user='[[citations.forms]]\nid = "one"\n', toml='[[citations.forms]]\nid = "two"\n'
    )
    assert problems == []
    assert [form["id"] for form in settings.citations_forms] == ["one", "two"]


def test_every_diagnostic_has_its_setting() -> None:
    for declared in DIAGNOSTICS:
        assert SETTINGS[declared.key].default == declared.severity
        assert Settings().severities[declared.code] == declared.severity
        assert find_rule(declared.code) is declared
    with pytest.raises(KeyError):
        Settings().severities["unheard-of"]


def test_kinds_are_those_of_the_library() -> None:
    assert KINDS == AUTHORITY_KINDS


def test_the_default_folders_of_the_record_are_those_that_exist_and_are_no_library(workspace: Path) -> None:
    (workspace / "exhibits").mkdir()
    assert read(workspace)[0].record_folders == (workspace / "exhibits",)
    settings, problems = read(workspace, toml='library.folders = ["exhibits"]')
    assert (settings.record_folders, problems) == ((), [])


FORM_FILE = 'jurisdiction = "Aldmoor"\n[[forms]]\nid = "x"\npattern = "[{year}] ASC {number}"\n'


def test_forms_in_files_of_a_folder_are_read_with_their_file_and_jurisdiction(workspace: Path) -> None:
    folder = workspace / "forms"
    folder.mkdir()
    (folder / "aldmoor.toml").write_text(
        FORM_FILE + '[acts]\n"Harbours Act 1988" = ["HA"]\n', encoding="utf-8"
    )
    (folder / "notes.txt").write_text("no forms", encoding="utf-8")
    settings, problems = read(
        workspace, toml='citations.formFolders = ["forms"]\n[[citations.forms]]\nid = "own"\n'
    )
    assert problems == []
    own, form, acts = settings.citations_forms
    path = folder / "aldmoor.toml"
    assert own == {"id": "own"}
    assert (form["id"], form["jurisdiction"], form["source"]) == ("x", "Aldmoor", str(path))
    assert acts["acts"] == {"Harbours Act 1988": ["HA"]}
    assert {folder, path} <= set(settings.files)


def test_a_wrong_file_of_forms_is_named(workspace: Path) -> None:
    folder = workspace / "forms"
    folder.mkdir()
    (folder / "bad.toml").write_text("forms = [", encoding="utf-8")
    (folder / "odd.toml").write_text('forms = 3\nflavour = "odd"\n', encoding="utf-8")
    settings, problems = read(workspace, toml='citations.formFolders = ["forms", "none"]\n')
    assert settings.citations_forms == ()
    assert sorted((Path(problem.source).name, problem.key) for problem in problems) == [
        ("bad.toml", ""),
        ("lexls.toml", "citations.formFolders"),
        ("odd.toml", "flavour"),
        ("odd.toml", "forms"),
    ]


def test_every_setting_has_its_attribute_of_the_right_type() -> None:
    types = {
        "boolean": "bool",
        "integer": "int",
        "number": "float",
        "numbers": "tuple[float, ...]",
        "string": "str",
        "choice": "str",
        "strings": "tuple[str, ...]",
        "choices": "tuple[str, ...]",
        "folders": "tuple[Path, ...]",
        "path": "Path | None",
        "paths": "tuple[Path, ...]",
        "tables": "tuple[Mapping[str, Any], ...]",
    }
    attributes = {each.name: each.type for each in fields(Settings)}
    declared = {each.name: types[each.type] for each in SETTINGS.values() if not each.code}
    assert attributes == declared | {
        "severities": "Mapping[str, Severity]",
        "root": "Path | None",
        "files": "tuple[Path, ...]",
    }


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ('files = "*.jsonl"\ntext = "body"\ntitel = "name"', '"titel" is not known; did you mean "title"?'),
        ('files = "*.jsonl"\ntitle = "name"', '"text" is missing'),
        ('text = "body"', '"files" is missing'),
        ('files = "*.jsonl"\ntext = 3', '"text" must be the name of a field or a list of them'),
        ('files = []\ntext = "body"', '"files" must be a pattern of files or a list of them'),
        ('files = "a"\ntext = "b"\nvalues = { kinds = "case" }', '"values" knows no "kinds"; it may hold'),
    ],
)
def test_a_wrong_layout_of_records_is_named_and_costs_no_other(
    tmp_path: Path, table: str, reason: str
) -> None:
    (tmp_path / "lexls.toml").write_text(
        f'[[library.records]]\n{table}\n\n[[library.records]]\nfiles = "*.csv"\ntext = "words"\n'
    )
    settings, problems = load(tmp_path, user_file=tmp_path / "none")
    assert settings.library_records == ({"files": "*.csv", "text": "words"},)
    (problem,) = problems
    assert str(problem).startswith(f"{tmp_path}/lexls.toml: library.records: table 1: {reason}")
