"""Each command on a small library: what it prints, in JSON and for people."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

Run = Any
"""``Run`` of conftest.py."""


def test_index_reports_what_it_did_and_then_that_nothing_changed(lexls: Run, matter: Path) -> None:
    (matter / "library" / "empty.md").write_text("", encoding="utf-8")
    first = lexls("index", "--json")
    assert first.code == 0
    report = first.json
    assert (report["documents"], report["added"], report["changed"], report["removed"]) == (4, 4, 0, 0)
    assert report["passages"] >= 5
    [failed] = report["failed"]
    assert failed["path"] == str(matter / "library" / "empty.md")
    assert failed["reason"]
    (matter / "library" / "cases" / "lorne.md").unlink()
    case = matter / "library" / "cases" / "ash-mooring.md"
    case.write_text(case.read_text(encoding="utf-8") + "\n[4] Costs follow.\n", encoding="utf-8")
    second = lexls("index", "--json").json
    assert (second["documents"], second["added"], second["changed"], second["removed"]) == (3, 0, 1, 1)
    third = lexls("index", "--json").json
    assert (third["added"], third["changed"], third["removed"]) == (0, 0, 0)


def test_index_takes_folders_and_a_place_for_the_index(lexls: Run, matter: Path) -> None:
    (matter / "other").mkdir()
    (matter / "library" / "cases" / "lorne.md").rename(matter / "other" / "lorne.md")
    place = matter / "made" / "here.sqlite3"
    report = lexls("index", "other", "--index", str(place), "--lexical", "--json").json
    assert report["documents"] == 1
    assert place.is_file()
    if os.name == "posix":
        assert place.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("excluded", ["library/cases", "cases/", "**/[alr]*.md"])
def test_index_leaves_out_paths_and_patterns(lexls: Run, matter: Path, excluded: str) -> None:
    assert lexls("index", "--exclude", excluded, "--json").json["documents"] == 1


def test_index_for_people_names_failures(lexls: Run, matter: Path) -> None:
    bad = matter / "library" / "bad.docx"
    bad.write_bytes(b"no zip")
    result = lexls("index")
    assert result.code == 0
    assert result.out.startswith("4 documents, ")
    assert "1 could not be read:" in result.out
    assert f"  {bad}: " in result.out


def test_index_and_doctor_name_files_that_nothing_reads(lexls: Run, matter: Path) -> None:
    odd = matter / "library" / "advice.wpd"
    odd.write_bytes(b"\xff")
    expected = [{"suffix": ".wpd", "count": 1, "paths": [str(odd)]}]
    assert lexls("index", "--json").json["unread"] == expected
    shown = lexls("index").out
    assert "they hold no authority: 1 .wpd" in shown
    assert f"  {odd}" in shown
    assert lexls("doctor", "--json").json["library"]["unread"] == expected
    assert f"Not read    1 .wpd: {odd}\n" in lexls("doctor").out


def test_search_gives_the_passage_with_its_place(lexls: Run, matter: Path) -> None:
    result = lexls("search", "knowledge of the servant who receives reports", "-k", "1", "--json")
    assert result.code == 0
    [hit] = result.json["hits"]
    assert (hit["rank"], hit["path"]) == (1, "cases/ash-mooring.md")
    assert hit["title"] == "Ash Mooring Ltd v Tern Harbour Board"
    assert (hit["citation"], hit["kind"], hit["paragraph"], hit["page"]) == (
        "[2031] UKSC 12",
        "case",
        "2",
        None,
    )
    text = (matter / "library" / hit["path"]).read_text(encoding="utf-8")
    assert text[hit["start"] : hit["end"]] == hit["text"]
    assert "knowledge of each servant" in hit["text"]


def test_search_for_people_names_authority_place_and_file(lexls: Run, matter: Path) -> None:
    result = lexls("search", "expert witness duty", "-k", "1")
    lines = result.out.splitlines()
    assert lines[0] == " 1. Lorne v Petrel Survey Co [2033] EWCA Civ 210 at [1]"
    assert lines[1] == "    cases/lorne.md"
    assert "An expert witness owes a duty" in lines[2]


def test_search_leaves_out_what_is_excluded(lexls: Run, matter: Path) -> None:
    def paths(*arguments: str) -> set[str]:
        return {hit["path"] for hit in lexls("search", "harbour board", *arguments, "--json").json["hits"]}

    assert paths() == {"cases/ash-mooring.md", "cases/rook.md"}
    assert paths("--exclude", "library/cases/rook.md") == {"cases/ash-mooring.md"}
    assert paths("--exclude", "cases/rook.md") == {"cases/ash-mooring.md"}
    assert paths("--exclude", "cases") == set()
    assert paths("--kind", "statute") == set()
    assert paths("--kind", "case", "--court", "high") == {"cases/rook.md"}
    assert paths("--to", "2033") == {"cases/ash-mooring.md"}
    assert paths("--from", "2034-01") == {"cases/rook.md"}


def test_search_answers_with_passages_of_a_role(lexls: Run, matter: Path) -> None:
    (matter / "library" / "cases" / "gull.md").write_text(
        '---\ntitle: Gull v Heron\ncitation: "[2030] UKSC 9"\nkind: case\n---\n\n# Gull v Heron\n\n'
        "## The facts\n\n[1] On 3 May 2028 the claimant was injured by a crane on the quay. "
        "She was taken to the hospital.\n\n## Disposal\n\n"
        "[2] The appeal about the crane on the quay is dismissed with costs.\n",
        encoding="utf-8",
    )
    assert lexls("index").code == 0
    hits = lexls("search", "a crane on the quay", "--role", "fac", "--json").json["hits"]
    assert [(hit["path"], hit["paragraph"], hit["role"]) for hit in hits] == [("cases/gull.md", "1", "FAC")]
    hits = lexls("search", "a crane on the quay", "--role", "RPC", "--json").json["hits"]
    assert [hit["paragraph"] for hit in hits if hit["path"] == "cases/gull.md"] == ["2"]
    shown = lexls("search", "a crane on the quay", "--role", "FAC").out
    assert "(facts)" in shown
    assert lexls("search", "a crane on the quay", "--role", "facts").out == shown
    both = lexls(
        "search", "a crane on the quay", "--role", "facts", "--role", "order", "--passages", "--json"
    )
    assert {hit["role"] for hit in both.json["hits"]} == {"FAC", "RPC"}
    wrong = lexls("search", "a crane", "--role", "dicta")
    assert wrong.code == 2
    assert "none of PREAMBLE, FAC (facts)" in wrong.err


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_search_leaves_out_what_is_excluded_however_it_is_spelled(lexls: Run, matter: Path) -> None:
    (matter / "law").symlink_to(matter / "library")
    for library, excluded in (
        ("library", "law/cases/rook.md"),
        ("law", "library/cases/rook.md"),
        ("law", "cases/rook.md"),
        ("drafts/../library", "./library/../library/cases/rook.md"),
    ):
        (matter / "drafts").mkdir(exist_ok=True)
        found = lexls("search", "harbour board", "--library", library, "--exclude", excluded, "--json").json
        assert {hit["path"] for hit in found["hits"]} == {"cases/ash-mooring.md"}, (library, excluded)


def test_search_names_an_excluded_path_that_is_not_there(lexls: Run, matter: Path) -> None:
    result = lexls("search", "x", "--exclude", "nowhere.md")
    assert (result.code, result.err) == (2, "lexls: --exclude nowhere.md: there is no such file or folder\n")


def test_search_finds_a_file_the_moment_it_is_there(lexls: Run, matter: Path) -> None:
    assert lexls("search", "quagga", "--json").json["hits"] == []
    (matter / "library" / "new.txt").write_text(
        "The quagga was exported without a licence.\n", encoding="utf-8"
    )
    [hit] = lexls("search", "quagga", "--json").json["hits"]
    assert hit["path"] == "new.txt"
    assert hit["title"]


def test_support_takes_the_proposition_from_a_line_without_its_citations(lexls: Run, matter: Path) -> None:
    given = lexls("support", "An expert witness owes a duty to the court", "--json").json
    assert given["hits"][0]["path"] == "cases/lorne.md"
    read = lexls("support", "--file", "draft.md", "--line", "3", "--json").json
    assert "knew of the pontoon" in read["proposition"]
    assert "UKSC" not in read["proposition"]
    assert read["hits"][0]["path"] == "cases/ash-mooring.md"


def test_support_says_that_what_it_found_is_far(lexls: Run, matter: Path) -> None:
    near = lexls("support", "An expert witness owes a duty to the court", "--json").json
    assert near["distance"] is None
    assert near["hits"][0]["quote"].startswith("An expert witness owes")
    far = lexls("support", "A baker owes a sourdough starter some rye flour")
    assert far.out.startswith("Nothing found in your library is near enough to this to rest on")
    assert " 1. " in far.out


def test_what_is_shown_of_a_passage_begins_with_its_nearest_sentence(lexls: Run, matter: Path) -> None:
    (matter / "library" / "moor.txt").write_text(
        "The harbour board sat in March. It heard nine owners.\n"
        "A quagga may be exported with a licence alone. Its owner pays.\n",
        encoding="utf-8",
    )
    for command in ("search", "support"):
        shown = lexls(command, "a quagga needs a licence to be exported").out
        assert "    … A quagga may be exported with a licence alone. Its owner pays.\n" in shown


def test_support_takes_the_sentence_at_a_character(lexls: Run, matter: Path) -> None:
    column = (matter / "draft.md").read_text(encoding="utf-8").splitlines()[6].index("Compare") + 2
    result = lexls("support", "--file", "draft.md", "--line", "7", "--character", str(column), "--json")
    assert result.json["proposition"].startswith("Compare")


def test_support_leaves_out_the_file_itself(lexls: Run, matter: Path) -> None:
    file = "library/cases/lorne.md"
    result = lexls("support", "--file", file, "--line", "12", "--json")
    assert "expert witness" in result.json["proposition"]
    assert "cases/lorne.md" not in {hit["path"] for hit in result.json["hits"]}


@pytest.mark.parametrize(
    ("line", "reason"),
    [("99", "draft.md has 7 lines, so no line 99"), ("2", "there is no sentence on line 2")],
)
def test_support_names_a_line_that_has_nothing(lexls: Run, matter: Path, line: str, reason: str) -> None:
    (matter / "draft.md").write_text("\n\n" + "A.\n" * 4 + "B", encoding="utf-8")
    result = lexls("support", "--file", "draft.md", "--line", line)
    assert result.code == 2
    assert reason in result.err


def test_cite_lists_citations_with_offsets_of_the_file(lexls: Run, matter: Path) -> None:
    result = lexls("cite", "draft.md", "--json")
    assert result.code == 0
    citations = result.json["citations"]
    text = (matter / "draft.md").read_text(encoding="utf-8")
    full, missing, short = citations
    assert (full["kind"], full["jurisdiction"], full["key"]) == ("case", "UK", "[2031] UKSC 12")
    assert (full["pinpoint"], full["resolved"], full["antecedent"]) == ("2", True, None)
    for each in citations:
        assert text[each["start"] : each["end"]] == each["text"]
    assert (missing["key"], missing["pinpoint"], missing["resolved"]) == ("[1987] UKHL 3", None, False)
    assert (short["key"], short["pinpoint"], short["antecedent"]) == ("[2031] UKSC 12", "9", 0)
    assert short["resolved"] is True


def test_cite_needs_no_library(lexls: Run, matter: Path) -> None:
    (matter / "library").rename(matter / "elsewhere")
    full, missing, short = lexls("cite", "draft.md", "--json").json["citations"]
    assert [each["resolved"] for each in (full, missing, short)] == [True, True, True]


def test_cite_ignores_a_byte_order_mark_and_keeps_line_ends(lexls: Run, matter: Path) -> None:
    plain = lexls("cite", "draft.md", "--json").json["citations"]
    text = (matter / "draft.md").read_text(encoding="utf-8").replace("\n", "\r\n")
    (matter / "draft.md").write_bytes(b"\xef\xbb\xbf" + text.encode())
    marked = lexls("cite", "draft.md", "--json").json["citations"]
    assert [each["key"] for each in marked] == [each["key"] for each in plain]
    for each in marked:
        assert text[each["start"] : each["end"]] == each["text"]


def test_cite_reads_authorities_in_other_formats(lexls: Run, matter: Path) -> None:
    page = "<html><body><h1>Note</h1><p>See <i>Ash</i> [2031] UKSC 12, at [2].</p></body></html>"
    (matter / "note.html").write_text(page, encoding="utf-8")
    [citation] = lexls("cite", "note.html", "--json").json["citations"]
    assert (citation["key"], citation["pinpoint"]) == ("[2031] UKSC 12", "2")


def test_cite_reads_forms_by_jurisdiction(lexls: Run, matter: Path) -> None:
    (matter / "note.txt").write_text("Compare (1998) 190 CLR 1 and [1978] 2 SCR 621.", encoding="utf-8")

    def places(*options: str) -> list[str]:
        found = lexls("cite", "note.txt", *options, "--json").json["citations"]
        return [each["jurisdiction"] for each in found]

    assert places("--jurisdiction", "CA")[-1] == "CA"
    (matter / "lexls.toml").write_text('jurisdiction = "IN"\n', encoding="utf-8")
    assert places()[-1] == "IN"


@pytest.mark.parametrize("command", [["cite"], ["explain", "--line", "1"], ["check"]])
@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("gone.md", None, "no such file"),
        ("scan.txt", b"\x89PNG \x00\x01 soci\xe9t\xe9", "not UTF-8 text"),
        ("bad.docx", b"no zip", "bad.docx"),
    ],
)
def test_file_that_cannot_be_read_fails_with_the_reason(
    lexls: Run, matter: Path, command: list[str], name: str, content: bytes | None, reason: str
) -> None:
    if content is not None:
        (matter / name).write_bytes(content)
    result = lexls(command[0], name, *command[1:])
    assert result.code == (2 if command == ["check"] else 3)
    assert result.out == ""
    assert name in result.err
    assert reason in result.err


def test_check_reports_what_diagnostics_show(lexls: Run, matter: Path) -> None:
    result = lexls("check", "draft.md", "--json")
    assert result.code == 1
    missing, pinpoint = result.json["findings"]
    assert (missing["file"], missing["code"], missing["severity"]) == (
        "draft.md",
        "not-in-library",
        "information",
    )
    assert "is not in your library" in missing["message"]
    assert (pinpoint["code"], pinpoint["severity"]) == ("pinpoint-not-found", "warning")
    text = (matter / "draft.md").read_text(encoding="utf-8")
    for each in (missing, pinpoint):
        assert each["line"] == text.count("\n", 0, each["start"]) + 1 == 7
        assert each["character"] == each["start"] - text.rindex("\n", 0, each["start"])
        assert each["fix"] is None
    assert text[missing["start"] : missing["end"]] == "[1987] UKHL 3"


def test_check_for_people_names_file_line_and_code(lexls: Run, matter: Path) -> None:
    first, second = lexls("check", "draft.md").out.splitlines()
    assert first.startswith("draft.md:7:33: information: ")
    assert first.endswith("[not-in-library]")
    assert "warning" in second


def test_check_is_fine_when_nothing_is_wrong(lexls: Run, matter: Path) -> None:
    (matter / "draft.md").write_text("See [2031] UKSC 12 at [3].\n", encoding="utf-8")
    assert lexls("check", "draft.md").code == 0
    found = lexls("check", "draft.md", "--json").json
    assert found["findings"] == []
    assert [each["verdict"] for each in found["citations"]] == ["verified"]


def test_check_goes_on_after_a_file_that_cannot_be_read(lexls: Run, matter: Path) -> None:
    result = lexls("check", "gone.md", "draft.md", "--json")
    assert result.code == 2
    assert len(result.json["findings"]) == 2
    assert "gone.md" in result.err


def test_check_uses_the_severities_of_the_settings(lexls: Run, matter: Path) -> None:
    toml = matter / "lexls.toml"
    rules = 'diagnostics.notInLibrary = "off"\ndiagnostics.pinpointNotFound = "error"\n'
    toml.write_text(toml.read_text(encoding="utf-8") + rules, encoding="utf-8")
    [finding] = lexls("check", "draft.md", "--json").json["findings"]
    assert (finding["code"], finding["severity"]) == ("pinpoint-not-found", "error")


def test_explain_quotes_the_authority_with_its_place(lexls: Run, matter: Path) -> None:
    (matter / "draft.md").write_text(
        "An expert witness owes a duty which overrides obligations to payers: [2033] EWCA Civ 210 at [1].\n",
        encoding="utf-8",
    )
    result = lexls("explain", "draft.md", "--line", "1", "--json")
    assert result.code == 0
    [found] = result.json["explanations"]
    assert found["authority"]["path"] == "cases/lorne.md"
    assert found["abstained"] is False
    text = (matter / "library" / "cases" / "lorne.md").read_text(encoding="utf-8")
    for statement in found["statements"]:
        assert text[statement["start"] : statement["end"]] == statement["text"]
    assert (found["statements"][0]["paragraph"], found["statements"][0]["at_pinpoint"]) == ("1", True)
    shown = lexls("explain", "draft.md", "--line", "1").out
    assert "Lorne v Petrel Survey Co" in shown
    assert "  Lorne v Petrel Survey Co [2033] EWCA Civ 210\n" in shown
    assert "        [1] (the place cited)\n" in shown


def test_explain_takes_every_citation_of_a_line_or_the_one_at_a_character(lexls: Run, matter: Path) -> None:
    both = lexls("explain", "draft.md", "--line", "7", "--json").json["explanations"]
    assert [each["authority"] and each["authority"]["path"] for each in both] == [
        None,
        "cases/ash-mooring.md",
    ]
    assert both[0]["abstained"] is True
    assert "is not in your library" in both[0]["notes"][0]
    column = (matter / "draft.md").read_text(encoding="utf-8").splitlines()[6].index("Ash") + 2
    [one] = lexls("explain", "draft.md", "--line", "7", "--character", str(column), "--json").json[
        "explanations"
    ]
    assert one["authority"]["path"] == "cases/ash-mooring.md"


def test_explain_says_that_a_line_has_no_citation(lexls: Run, matter: Path) -> None:
    assert lexls("explain", "draft.md", "--line", "5", "--json").json == {"explanations": []}
    assert lexls("explain", "draft.md", "--line", "5").out == "No citation there.\n"


def test_own_citation_forms_are_read_and_a_wrong_one_is_named(lexls: Run, matter: Path) -> None:
    toml = matter / "lexls.toml"
    toml.write_text(
        toml.read_text(encoding="utf-8") + '\n[[citations.forms]]\nid = "x"\nflavour = "odd"\n',
        encoding="utf-8",
    )
    for command in (["index"], ["cite", "draft.md"]):
        result = lexls(*command)
        assert result.code == 3
        assert result.err.count("citations.forms") == 1
    assert any(
        problem.startswith("citations.forms: ") for problem in lexls("doctor", "--json").json["problems"]
    )


def test_doctor_finds_nothing_wrong_with_a_good_library(lexls: Run, matter: Path) -> None:
    lexls("index")
    result = lexls("doctor", "--json")
    report = result.json
    assert report["problems"] == []
    assert result.code == 0
    library = report["library"]
    assert (library["documents"], library["vectors"], library["indexer_running"]) == (4, 0, False)
    assert library["schema"] == library["current_schema"] > 0
    assert Path(library["index"]).is_file()
    assert report["settings"]["workspace_file"] == str(matter / "lexls.toml")
    assert "Everything is as it should be." in lexls("doctor").out


def test_doctor_names_failed_files_settings_and_the_missing_model(lexls: Run, matter: Path) -> None:
    bad = matter / "library" / "bad.docx"
    bad.write_bytes(b"no zip")
    lexls("index")
    (matter / "lexls.toml").write_text('jurisdiction = "UK"\nzebra = 1\n', encoding="utf-8")
    result = lexls("doctor", "--json")
    assert result.code == 1
    report = result.json
    assert [each["path"] for each in report["library"]["failed"]] == [str(bad)]
    assert [each["key"] for each in report["settings"]["problems"]] == ["zebra"]
    assert report["model"]["ready"] is False
    assert "lexls models get" in report["model"]["reason"]
    text = "\n".join(report["problems"])
    assert str(bad) in text
    assert "zebra" in text
    assert "lexls models get" in text
    shown = lexls("doctor")
    assert shown.code == 1
    assert "Needs attention:" in shown.out


def test_doctor_without_an_index_or_a_library_says_what_to_do(lexls: Run, matter: Path) -> None:
    report = lexls("doctor", "--json").json
    assert report["library"]["exists"] is False
    assert "run `lexls index`" in report["problems"][0]
    (matter / "library").rename(matter / "elsewhere")
    assert "no library" in lexls("doctor", "--json").json["problems"][0]


def test_doctor_changes_nothing(lexls: Run, matter: Path) -> None:
    def files() -> list[str]:
        return sorted(str(path) for path in matter.parent.rglob("*"))

    before = files()
    lexls("doctor")
    assert files() == before


def test_doctor_names_a_damaged_index(lexls: Run, matter: Path) -> None:
    lexls("index")
    index = Path(lexls("doctor", "--json").json["library"]["index"])
    for side in (index.with_name(index.name + "-wal"), index.with_name(index.name + "-shm")):
        side.unlink(missing_ok=True)
    index.write_bytes(b"nothing of the kind" * 500)
    result = lexls("doctor", "--json")
    assert result.code == 1
    assert any("is not an index of lexls" in problem for problem in result.json["problems"])


def test_models_get_takes_weights_from_a_folder_only_if_they_are_right(lexls: Run, matter: Path) -> None:
    (matter / "weights").mkdir()
    result = lexls("models", "get", "all-MiniLM-L6-v2", "--from", "weights", "--json")
    assert result.code == 3
    assert "weights" in result.json["error"]


def test_models_get_without_a_model_in_the_settings_asks_for_its_name(lexls: Run, matter: Path) -> None:
    result = lexls("models", "get")
    assert result.code == 2
    assert "name the model" in result.err


def test_a_cross_encoder_is_prepared_and_doctor_tries_it(lexls: Run, matter: Path) -> None:
    from small_models import write_cross_encoder

    folder = write_cross_encoder(matter / "reranker")
    (matter / "lexls.toml").write_text(f'rerank.model = "{folder.as_posix()}"\nembeddings.model = ""\n')
    assert lexls("models", "get", str(folder), "--json").json == {"model": str(folder), "folder": str(folder)}
    reranker = lexls("doctor", "--json").json["reranker"]
    assert (reranker["ready"], reranker["reason"]) == (True, None)
    assert reranker["kind"].startswith("onnxruntime")
    assert "Reranker" in lexls("doctor").out
    (folder / "model.safetensors").unlink()
    (folder / "config.json").unlink()
    result = lexls("doctor", "--json")
    assert result.code == 1
    assert not result.json["reranker"]["ready"]
    assert result.json["reranker"]["reason"] in result.json["problems"]


def test_a_cross_encoder_that_cannot_be_fetched_says_why(
    lexls: Run, matter: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(matter / "hub"))
    result = lexls("models", "get", "cross-encoder/no-such-model")
    assert result.code == 3
    assert "cross-encoder/no-such-model could not be fetched: " in result.err
