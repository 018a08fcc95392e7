"""docs/cli.md says what the commands really take and print."""

from __future__ import annotations

import argparse
import json
import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lexls.cli.main import build_parser
from lexls.index.connection import open_writer

Run = Any
"""``Run`` of conftest.py."""
DOCUMENT = Path(__file__).parents[2] / "docs" / "cli.md"


def sections() -> dict[str, str]:
    """The text below each heading of the second level."""
    parts = re.split(r"^## (.*)$", DOCUMENT.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name.strip("`"): text for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def example(command: str, number: int = 0, of: int = 1) -> Any:
    """The JSON that the manual shows for a command: its only example, or one of so many."""
    blocks = re.findall(
        r"^```json\n(.*?)^```", sections()[f"lexls {command}"], flags=re.MULTILINE | re.DOTALL
    )
    assert len(blocks) == of
    return json.loads(blocks[number])


def shape(data: Any) -> Any:
    """The keys of a JSON value, all the way down; a list has the shape of its first item."""
    if isinstance(data, dict):
        return {key: shape(value) for key, value in data.items()}
    if isinstance(data, list):
        return [shape(data[0])] if data else []
    return None


def commands() -> dict[str, argparse.ArgumentParser]:
    """Each command's own parser, by its words."""

    def below(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                return dict(action.choices)
        return {}

    found = {}
    for name, parser in below(build_parser()).items():
        inner = below(parser)
        found |= {f"{name} {each}": child for each, child in inner.items()} if inner else {name: parser}
    return found


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_and_its_options_are_in_the_manual(name: str) -> None:
    texts = sections()
    known = texts[f"lexls {name}"] + texts["What all commands share"]
    assert commands()[name]._actions
    for action in commands()[name]._actions:
        for option in action.option_strings:
            assert re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", known) or option in (
                "-h",
                "--help",
            ), option
    help_text = commands()[name].format_help()
    for option in re.findall(r"(?<![\w-])--?[a-z]+(?![\w-])", texts[f"lexls {name}"].split("```json")[0]):
        assert option in help_text, f"{option} is in the manual of {name} only"


def test_manual_has_no_command_that_does_not_exist() -> None:
    named = {title.removeprefix("lexls ") for title in sections() if title.startswith("lexls ")}
    assert named == set(commands())


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("read", ["read", "library/cases/ash-mooring.md"]),
        ("search", ["search", "harbour"]),
        ("support", ["support", "A board must find dangers in its channel."]),
        ("cite", ["cite", "draft.md"]),
        ("convert", ["convert", "draft.md", "--style", "mcgill"]),
        ("table", ["table", "draft.md"]),
        ("check", ["check", "draft.md"]),
        ("log verify", ["log", "verify", "log.json"]),
        ("explain", ["explain", "explained.md", "--line", "1"]),
        ("ask", ["ask", "Does the knowledge of each servant bind the board?"]),
        ("eval", ["eval", "benchmark.jsonl"]),
        ("tune", ["tune", "benchmark.jsonl", "--trials", "1", "--folds", "2", "--parameters", "rrf_k"]),
    ],
)
def test_printed_json_has_the_shape_of_the_manual(
    lexls: Run, matter: Path, command: str, arguments: list[str]
) -> None:
    (matter / "explained.md").write_text(
        "The knowledge of each servant who receives secret reports binds the board: [2031] UKSC 12 at [2].\n",
        encoding="utf-8",
    )
    asked = [
        {"id": "1", "text": "The board knew of the pontoon.", "gold": ["cases/ash-mooring.md"]},
        {"id": "2", "text": "An expert owes a duty to the court.", "gold": ["cases/lorne.md"]},
    ]
    (matter / "benchmark.jsonl").write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    if command == "check":
        with (matter / "draft.md").open("a", encoding="utf-8") as draft:
            draft.write("\nThe board “must take reasonable care to find dangers”: [2031] UKSC 12 at [1].\n")
            draft.write(
                "\nIt was told: [2031] UKSC 12 at [99]. <!-- lexls: ignore pinpoint-not-found: an annex -->\n"
            )
    if command == "log verify":
        lexls("check", "draft.md", "--log", "log.json")
        (matter / "draft.md").write_text("See [2031] UKSC 12.\n", encoding="utf-8")
    printed = lexls(*arguments, "--json").json
    expected = example(command, of=2 if command == "tune" else 1)
    if command == "explain":
        assert printed["explanations"][0]["statements"]
        for explanation in (*printed["explanations"], *expected["explanations"]):
            explanation["missing"] = explanation["notes"] = []
    if command == "log verify":
        printed["changes"] = [each for each in printed["changes"] if each["about"]]
    if command == "ask":
        for answer in (printed, expected):
            assert answer["sentences"]
            answer["missing"] = answer["notes"] = []
    if command == "eval":
        assert set(expected["figures"]) <= set(printed["figures"])
        assert set(expected["intervals"]) <= set(printed["figures"]) == set(printed["intervals"])
        for name in ("figures", "intervals"):
            printed[name] = expected[name]
    assert shape(printed) == shape(expected)


def test_catalogue_prints_the_shape_of_the_manual(lexls: Run, matter: Path) -> None:
    listed = matter / "judgments.csv"
    listed.write_text("name,citation,date\nHale v Ryle,[2031] UKSC 12,2031\n", encoding="utf-8")
    for action in ("add", "list", "remove"):
        files = [str(listed)] if action != "list" else []
        printed = lexls("catalogue", action, *files, "--json").json
        assert shape(printed) == shape(example(f"catalogue {action}"))


def test_index_and_doctor_print_the_shape_of_the_manual(lexls: Run, matter: Path) -> None:
    (matter / "library" / "bad.docx").write_bytes(b"no zip")
    (matter / "library" / "odd.wpd").write_bytes(b"no reader")
    assert shape(lexls("index", "--json").json) == shape(example("index"))
    toml = matter / "lexls.toml"
    toml.write_text(toml.read_text(encoding="utf-8") + "zebra = 1\n", encoding="utf-8")
    before = lexls("doctor", "--json").json
    assert before["verified"] is None
    with closing(open_writer(Path(before["library"]["index"]))) as index:
        index.execute("UPDATE documents SET title = 'Nobody v Nobody' WHERE relative = 'cases/lorne.md'")
    printed, expected = lexls("doctor", "--verify", "--json"), example("doctor")
    assert printed.code == 1
    printed = printed.json
    path = str(matter / "library" / "cases" / "lorne.md")
    assert [each["path"] for each in printed["verified"]["differences"]] == [path]
    assert "Verified    4 documents against their files: nothing differs" in lexls("doctor", "--verify").out
    for each in (printed, expected):
        each["packages"] = {"pygls": each["packages"]["pygls"]}
        each["extras"] = {"llama": each["extras"]["llama"]}
        each["library"] |= {"warnings": [], "unclear": []}
    assert shape(printed) == shape(expected)


def test_failure_is_json_too(lexls: Run, matter: Path) -> None:
    assert shape(lexls("cite", "gone.md", "--json").json) == {"error": None}
