"""Templates: lexls' own, those of the user, and what is wrong with one."""

from __future__ import annotations

import json
import re
from itertools import takewhile
from pathlib import Path

import pytest

from lexls.grounding.answer import Claim, Insufficient
from lexls.grounding.decoding import AnswerReader
from lexls.grounding.prompts.templates import (
    LONGEST,
    TEMPLATE_NAMES,
    PromptTemplateError,
    TemplateName,
    load_template,
    read_own_template,
    substitute,
)

ANSWERING: tuple[TemplateName, ...] = ("explain", "ask", "draft", "contrary")
OWN = read_own_template("ask")


def written(tmp_path: Path, text: str, name: str = "ask") -> Path:
    (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", TEMPLATE_NAMES)
def test_own_templates_load(name: TemplateName) -> None:
    template = load_template(name)
    assert (template.name, template.own) == (name, False)
    assert template.label == f"{name} {template.version}"


@pytest.mark.parametrize("name", ANSWERING)
def test_the_rules_are_the_same_for_every_question(name: TemplateName) -> None:
    template = load_template(name)
    assert re.findall(r"\{\{(\w+)\}\}", template.system) == ["sentences"]
    order = [template.user.index(f"{{{{{each}}}}}") for each in ("evidence", "history", "question")]
    assert order == sorted(order)


def test_all_tasks_begin_with_the_same_rules() -> None:
    """So a local model that has read them for one task need not read them again for another."""
    rules = [load_template(name).system for name in ANSWERING]
    shared = sum(1 for _ in takewhile(lambda each: len(set(each)) == 1, zip(*rules, strict=False)))
    assert all(shared > 0.7 * len(each) for each in rules)
    assert len(set(rules)) == len(rules)


@pytest.mark.parametrize("name", ANSWERING)
def test_the_form_that_the_rules_ask_for_is_the_one_that_is_read(name: TemplateName) -> None:
    shown = [line.strip() for line in load_template(name).system.splitlines() if line.startswith("  {")]
    read = [part for line in shown for part in AnswerReader().feed(line)]
    assert [type(part) for part in read] == [Claim, Insufficient]
    assert isinstance(read[0], Claim)
    assert [quoted.identifier for quoted in read[0].quoted] == ["P1"]


def test_own_file_of_the_user_takes_the_place_of_one_template(tmp_path: Path) -> None:
    folder = written(tmp_path, OWN.replace("version: 1", "version: 7").replace("lawyer's", "notary's"))
    template = load_template("ask", folder)
    assert "notary's" in template.system
    assert template.label == "ask 7 (your own)"
    assert load_template("explain", folder) == load_template("explain")


def test_line_ends_and_byte_order_mark_of_windows_are_read(tmp_path: Path) -> None:
    (tmp_path / "ask.md").write_bytes(b"\xef\xbb\xbf" + OWN.replace("\n", "\r\n").encode())
    assert load_template("ask", tmp_path).user == load_template("ask").user


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (OWN.replace("{{evidence}}", ""), "missing placeholder {{evidence}}"),
        (OWN + "{{answer}}", "unknown placeholder {{answer}}"),
        (OWN + "{{ question }}", "unknown placeholder {{ question }}"),
        (OWN + "{{pinpoint}}", "unknown placeholder {{pinpoint}}"),
        (OWN.replace("task: ask", "task: draft"), '"task" of the front matter must be "ask"'),
        (OWN.replace("version: 1", "version: one"), '"version" of the front matter'),
        (OWN.replace("version: 1", "version: 0"), '"version" of the front matter'),
        (OWN.replace("version: 1", "version: true"), '"version" of the front matter'),
        (OWN.replace("version: 1", "version: 1\nmodel: x"), 'front matter has "model"'),
        (OWN.replace("version: 1", "version: [1"), "front matter is not valid YAML (line"),
        (OWN.partition("---\n\n")[2], "it must begin with front matter"),
        (OWN.replace("# User", "# Asked"), 'the headings "# System" and "# User"'),
        (OWN + "\n# System\n\nagain", 'the headings "# System" and "# User"'),
        (OWN.replace("# System", "Hello\n\n# System"), 'text before the heading "# System"'),
        (OWN.partition("# User")[0] + "# User\n", 'nothing stands under "# User"'),
        ("", "it must begin with front matter"),
        (OWN + "x" * LONGEST, f"longer than {LONGEST} bytes"),
    ],
)
def test_what_is_wrong_with_a_template_is_said_with_its_file(tmp_path: Path, text: str, reason: str) -> None:
    folder = written(tmp_path, text)
    with pytest.raises(PromptTemplateError) as error:
        load_template("ask", folder)
    assert str(error.value).startswith(f"{folder / 'ask.md'}: ")
    assert reason in str(error.value)


def test_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ask.md").write_bytes(OWN.encode() + b"\xff\xfe")
    with pytest.raises(PromptTemplateError, match=r"ask\.md: not UTF-8 \(byte \d+\)"):
        load_template("ask", tmp_path)


def test_folder_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(PromptTemplateError, match=re.escape(str(tmp_path / "gone"))):
        load_template("ask", tmp_path / "gone")


def test_values_are_not_read_as_templates() -> None:
    assert substitute("{{a}} and {{b}}", {"a": "{{b}}", "b": "{{a}}"}) == "{{b}} and {{a}}"


def test_empty_value_leaves_no_gap() -> None:
    assert substitute("one\n\n{{a}}\n\n{{b}}\n\ntwo", {"a": "", "b": ""}) == "one\n\ntwo"
    assert substitute("one\n\n{{a}}\n\n{{b}}\n\ntwo", {"a": "", "b": "x"}) == "one\n\nx\n\ntwo"


def test_braces_of_json_are_no_placeholders() -> None:
    text = json.dumps({"answer": [{"evidence": [{"passage": "P1"}]}]}, separators=(",", ":"))
    assert substitute(text, {"answer": "x"}) == text
