"""``lexls check`` for builds: formats, levels, exit codes, folders."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

import pytest

from lexls.settings.diagnostics import DIAGNOSTICS

Run = Any
"""``Run`` of conftest.py."""
MISNAMED = "See *Gannet v Tern Harbour Board* [2031] UKSC 12 at [2].\n"


# -- levels and exit codes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ((), 1),
        (("--fail-on", "warning"), 1),
        (("--fail-on", "error"), 0),
        (("--fail-on", "never"), 0),
        (("--severity", "error", "--fail-on", "hint"), 0),
    ],
)
def test_the_exit_code_tells_whether_anything_of_the_level_was_told(
    lexls: Run, matter: Path, options: tuple[str, ...], code: int
) -> None:
    assert lexls("check", "draft.md", *options).code == code


def test_what_is_only_information_does_not_fail_unless_asked(lexls: Run, matter: Path) -> None:
    (matter / "draft.md").write_text("See *Gull v Heron* [1987] UKHL 3.\n", encoding="utf-8")
    assert lexls("check", "draft.md").code == 0
    assert "not-in-library" in lexls("check", "draft.md").out
    assert lexls("check", "draft.md", "--fail-on", "information").code == 1


def test_what_is_below_the_level_is_not_told(lexls: Run, matter: Path) -> None:
    found = lexls("check", "draft.md", "--severity", "warning", "--json").json["findings"]
    assert [each["code"] for each in found] == ["pinpoint-not-found"]


def test_what_cannot_be_checked_is_told_apart_from_findings(lexls: Run, matter: Path) -> None:
    result = lexls("check", "gone.md", "draft.md", "--sarif")
    assert result.code == 2
    assert result.err == "lexls: gone.md: no such file\n"
    [run] = result.json["runs"]
    assert run["results"]
    [invocation] = run["invocations"]
    assert invocation["executionSuccessful"] is False
    [notification] = invocation["toolExecutionNotifications"]
    assert notification["message"] == {"text": "no such file"}
    (matter / "library").rename(matter / "elsewhere")
    assert lexls("check", "draft.md").code == 2


def test_formats_exclude_each_other(lexls: Run, matter: Path) -> None:
    result = lexls("check", "draft.md", "--sarif", "--format", "github")
    assert (result.code, result.err) == (2, "lexls: the formats github and sarif exclude each other\n")
    assert lexls("check", "draft.md", "--sarif", "--format", "sarif").code == 1


def test_the_output_goes_to_a_file(lexls: Run, matter: Path) -> None:
    printed = lexls("check", "draft.md", "--sarif").out
    result = lexls("check", "draft.md", "--sarif", "--output", "found.sarif")
    assert (result.code, result.out) == (1, "")
    assert (matter / "found.sarif").read_text(encoding="utf-8") == printed
    refused = lexls("check", "draft.md", "--output", "nowhere/found.txt")
    assert (refused.code, refused.err) == (2, "lexls: nowhere/found.txt: No such file or directory\n")


# -- folders -------------------------------------------------------------------------------------------------


def test_drafts_below_a_folder_are_checked_and_authorities_are_not(lexls: Run, matter: Path) -> None:
    (matter / "sub" / ".cache").mkdir(parents=True)
    for name in ("sub/a.tex", "sub/.cache/b.md", "sub/~$c.md", "sub/d.csv"):
        (matter / name).write_text("See Gull v Heron [1987] UKHL 3.\n", encoding="utf-8")
    (matter / "library" / "cases" / "own.md").write_text(HARBOUR_CITES, encoding="utf-8")
    found = lexls("check", ".", "--json").json["findings"]
    assert [each["file"] for each in found] == ["draft.md", "draft.md", str(Path("sub") / "a.tex")]
    left = lexls("check", ".", "--exclude", "sub", "--json").json["findings"]
    assert {each["file"] for each in left} == {"draft.md"}
    named = lexls("check", "library/cases/own.md", "--json").json["findings"]
    assert {each["file"] for each in named} == {"library/cases/own.md"}


HARBOUR_CITES = "# Own\n\n[1] See Gull v Heron [1987] UKHL 3.\n"


def test_a_folder_without_drafts_is_named(lexls: Run, matter: Path) -> None:
    (matter / "empty").mkdir()
    result = lexls("check", "empty")
    assert (result.code, result.err) == (2, "lexls: empty: no draft lies below this folder\n")


# -- GitHub --------------------------------------------------------------------------------------------------


def test_workflow_commands_name_file_range_and_code(lexls: Run, matter: Path) -> None:
    (matter / "sub").mkdir()
    (matter / "sub" / "a, b.md").write_text("100 % wrong:\n" + MISNAMED, encoding="utf-8")
    [line] = lexls("check", str(matter / "sub" / "a, b.md"), "--format", "github").out.splitlines()
    start = MISNAMED.index("Gannet") + 1
    end = start + len("Gannet v Tern Harbour Board")
    assert line.startswith(
        f"::warning file=sub/a%2C b.md,line=2,endLine=2,col={start},endColumn={end},"
        "title=lexls%3A name-mismatch::"
    )
    assert line.split("::")[2].startswith("[2031] UKSC 12 is Ash Mooring Ltd v Tern Harbour Board")


def test_information_is_a_notice_and_a_file_that_cannot_be_read_an_error(lexls: Run, matter: Path) -> None:
    lines = lexls("check", "draft.md", "gone.md", "--format", "github").out.splitlines()
    assert lines[0] == "::error file=gone.md,title=lexls::no such file"
    assert [line.split(" ")[0] for line in lines[1:]] == ["::notice", "::warning"]


# -- SARIF ---------------------------------------------------------------------------------------------------


def test_sarif_is_as_the_standard_has_it(lexls: Run, matter: Path) -> None:
    (matter / "ü draft.md").write_text("𝔸 " + MISNAMED, encoding="utf-8")
    log = lexls("check", "draft.md", "ü draft.md", "--sarif").json
    assert (log["version"], set(log)) == ("2.1.0", {"$schema", "version", "runs"})
    [run] = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    driver = run["tool"]["driver"]
    assert driver["name"] == "lexls"
    assert [rule["id"] for rule in driver["rules"]] == [declared.code for declared in DIAGNOSTICS]
    for rule, declared in zip(driver["rules"], DIAGNOSTICS, strict=True):
        assert rule["shortDescription"]["text"] == declared.help
        assert rule["help"]["markdown"] == declared.documentation
        assert rule["defaultConfiguration"]["enabled"] == (declared.severity != "off")
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
    assert len(run["results"]) == 3
    prints = set()
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("note", "warning", "error")
        assert result["message"]["text"]
        for location in result["locations"] + result.get("relatedLocations", []):
            physical = location["physicalLocation"]
            assert opened(physical["artifactLocation"], run).is_file()
            sound(physical["region"])
        for change in (each for fix in result.get("fixes", []) for each in fix["artifactChanges"]):
            assert opened(change["artifactLocation"], run).is_file()
            for replacement in change["replacements"]:
                sound(replacement["deletedRegion"])
        prints |= set(result["partialFingerprints"].values())
    assert len(prints) == 3


def opened(artifact: Any, run: Any) -> Path:
    """The file that an artifact location stands for."""
    assert set(artifact) <= {"uri", "uriBaseId"}
    assert re.fullmatch(r"[\w./~:%-]+", artifact["uri"], re.ASCII)
    base = run["originalUriBaseIds"][artifact["uriBaseId"]]["uri"] if "uriBaseId" in artifact else ""
    assert not base or base.endswith("/")
    assert ("uriBaseId" in artifact) != artifact["uri"].startswith("file:///")
    return Path(unquote(urljoin(base, artifact["uri"]).removeprefix("file://")))


def sound(region: Any) -> None:
    """A region counts from 1 and does not end before it begins."""
    start, end = (region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"])
    assert (1, 1) <= start <= end


def test_sarif_marks_the_words_and_brings_the_fix_and_the_authority(lexls: Run, matter: Path) -> None:
    (matter / "draft.md").write_text("𝔸 " + MISNAMED, encoding="utf-8")
    [result] = lexls("check", "draft.md", "--sarif").json["runs"][0]["results"]
    name = "Gannet v Tern Harbour Board"
    region = result["locations"][0]["physicalLocation"]["region"]
    line = "𝔸 " + MISNAMED
    assert line[region["startColumn"] - 1 : region["endColumn"] - 1] == name
    [related] = result["relatedLocations"]
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "library/cases/ash-mooring.md"
    assert related["message"]["text"]
    [fix] = result["fixes"]
    [change] = fix["artifactChanges"]
    [replacement] = change["replacements"]
    assert replacement["deletedRegion"] == region
    assert replacement["insertedContent"] == {"text": "Ash Mooring Ltd v Tern Harbour Board"}


def test_fingerprints_stay_when_the_paragraph_moves(lexls: Run, matter: Path) -> None:
    def prints() -> list[str]:
        results = lexls("check", "draft.md", "--sarif").json["runs"][0]["results"]
        return [each for result in results for each in result["partialFingerprints"].values()]

    before = prints()
    text = (matter / "draft.md").read_text(encoding="utf-8")
    (matter / "draft.md").write_text("A new paragraph.\n\n" + text, encoding="utf-8")
    assert prints() == before
    (matter / "draft.md").write_text(text + "\n" + text.splitlines()[-1] + "\n", encoding="utf-8")
    doubled = prints()
    assert len(set(doubled)) == len(doubled) > len(before)


def test_json_brings_the_fix_there_is(lexls: Run, matter: Path) -> None:
    (matter / "draft.md").write_text(MISNAMED, encoding="utf-8")
    [found] = lexls("check", "draft.md", "--json").json["findings"]
    [edit] = found["fix"]["edits"]
    mended = MISNAMED[: edit["start"]] + edit["text"] + MISNAMED[edit["end"] :]
    assert mended == "See *Ash Mooring Ltd v Tern Harbour Board* [2031] UKSC 12 at [2].\n"


# -- verdicts, and drafts that are filed ---------------------------------------------------------------------

SURE = "See *Ash Mooring Ltd v Tern Harbour Board* [2031] UKSC 12 at [2].\n"


def test_json_has_a_verdict_on_each_citation_and_quotation(lexls: Run, matter: Path) -> None:
    quoted = "The duty “overrides any obligation to whoever pays”: [2033] EWCA Civ 210 at [2].\n"
    (matter / "draft.md").write_text(SURE + "\n" + MISNAMED + "\n" + quoted, encoding="utf-8")
    told = lexls("check", "draft.md", "--json").json
    assert next(iter(told)) == "summary"
    assert [each["verdict"] for each in told["citations"]] == ["verified", "wrong", "wrong"]
    assert told["summary"]["citations"]["verified"] == 1
    assert {each["element"]: each["status"] for each in told["citations"][1]["elements"]} == {
        "name": "differs",
        "citation": "agrees",
        "pinpoint": "agrees",
    }
    [quotation] = told["quotations"]
    assert (quotation["verdict"], quotation["reason"]) == (
        "differs",
        "the words are elsewhere in the authority",
    )
    assert told["citations"][0]["support"] is None


def test_sarif_has_the_verdicts_as_properties_of_the_run(lexls: Run, matter: Path) -> None:
    (matter / "draft.md").write_text(SURE, encoding="utf-8")
    [run] = lexls("check", "draft.md", "--sarif").json["runs"]
    assert [(each["verdict"], each["kind"]) for each in run["properties"]["citations"]] == [
        ("verified", "pass")
    ]
    assert run["results"] == []


@pytest.mark.parametrize(
    ("draft", "code", "said"),
    [
        (SURE, 0, "1 citation: 1 verified; 0 quotations"),
        (MISNAMED, 1, "error: [2031] UKSC 12 is Ash Mooring Ltd v Tern Harbour Board"),
        ("See *Gull v Heron* [1987] UKHL 3.\n", 1, "1 citation: 1 not in your library"),
        (
            SURE.replace("UKSC 12 at", "UKSC 12, [2031] AC 8 at"),
            1,
            "error: [2031] AC 8: 2031 is still to come",
        ),
        (
            "He said that “whoever pays the piper calls the tune”.\n",
            1,
            "Quotation not compared: no citation tells where the words are from",
        ),
    ],
)
def test_whatever_is_not_verified_fails_a_draft_that_is_filed(
    lexls: Run, matter: Path, draft: str, code: int, said: str
) -> None:
    (matter / "draft.md").write_text(draft, encoding="utf-8")
    result = lexls("check", "draft.md", "--strict")
    assert (result.code, said in result.out) == (code, True)
    assert lexls("check", "draft.md", "--strict", "--fail-on", "never", "--severity", "error").code == code


def test_the_profile_for_filing_is_a_setting_and_no_severity_weakens_it(lexls: Run, matter: Path) -> None:
    toml = matter / "lexls.toml"
    profile = '\n[check]\nprofile = "filing"\n\n[diagnostics]\nnameMismatch = "off"\n'
    toml.write_text(toml.read_text(encoding="utf-8") + profile, encoding="utf-8")
    (matter / "draft.md").write_text(MISNAMED, encoding="utf-8")
    result = lexls("check", "draft.md")
    assert result.code == 1
    assert "error: [2031] UKSC 12 is Ash" in result.out


def test_what_lay_outside_the_check_is_told_at_the_end(lexls: Run, matter: Path) -> None:
    (matter / "library" / "cases" / "broken.pdf").write_bytes(b"%PDF-1.4 torn")
    (matter / "library" / "cases" / "old.wpd").write_bytes(b"\xffWPC")
    (matter / "draft.md").write_text(SURE, encoding="utf-8")
    lines = lexls("check", "draft.md", "--strict").out.splitlines()
    assert lines[0] == "draft.md: 1 citation: 1 verified; 0 quotations"
    assert any("could not be read: broken.pdf" in each for each in lines[-3:])
    assert any("1 .wpd" in each for each in lines[-3:])
    outside = lexls("check", "draft.md", "--json").json["outside"]
    assert any("broken.pdf" in each for each in outside)


def test_a_file_of_that_name_that_cannot_be_read_may_be_the_authority(lexls: Run, matter: Path) -> None:
    (matter / "library" / "cases" / "Gull [1987] UKHL 3.pdf").write_bytes(b"%PDF-1.4 torn")
    (matter / "draft.md").write_text("See *Gull v Heron* [1987] UKHL 3.\n", encoding="utf-8")
    [cited] = lexls("check", "draft.md", "--json").json["citations"]
    assert cited["verdict"] == "not-checkable"
    assert "could not be read" in cited["reason"]


def test_the_papers_of_the_record_are_checked(lexls: Run, matter: Path) -> None:
    (matter / "exhibits").mkdir()
    (matter / "exhibits" / "Particulars of Claim.md").write_text(
        "# PARTICULARS OF CLAIM\n\n1. The claimant keeps a pontoon.\n\n2. The board moved it twice in May.\n",
        encoding="utf-8",
    )
    (matter / "draft.md").write_text(
        "The pontoon was moved. PoC ¶ 2. It is pleaded that the board “moved it thrice in May”. PoC ¶ 2. "
        "See PoC ¶ 7.\n",
        encoding="utf-8",
    )
    for command in ("check", "review"):
        found = lexls(command, "draft.md", "--json").json["findings"]
        assert [each["code"] for each in found] == ["misquotation", "pinpoint-not-found"]
