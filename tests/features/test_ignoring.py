"""Findings that a comment of the draft, or the workspace's file, has ignored."""

import tomllib

import pytest

from lexls.assessing.ignoring import describe_ignored, ignore_here, name_authority
from lexls.assessing.rules.engine import check_all
from lexls.settings.values import IgnoredFindings, add_table, find_ignoring_fault

WRONG = "*Carrow v Luff* [2014] ASC 12 at [64]."
COMMENTS = {
    "markdown": "{} <!-- lexls: ignore {} -->",
    "latex": "{}\n% lexls: ignore {}",
    "typst": "{}\n// lexls: ignore {}",
    "asciidoc": "{}\n// lexls: ignore {}",
}


def _parts(checked):  # type: ignore[no-untyped-def]
    return list(checked.findings), list(checked.ignored)


def found(marked, token):  # type: ignore[no-untyped-def]
    told, ignored = _parts(check_all(marked.snapshot, token))
    return [each.code for each in told], [describe_ignored(each) for each in ignored]


@pytest.mark.parametrize("language", COMMENTS)
def test_a_comment_has_its_paragraph_ignored(read, token, language: str) -> None:
    beside = COMMENTS[language].format(WRONG, "pinpoint-not-found: the reporter misprints it")
    said = ["ignored by a comment of the draft (the reporter misprints it)"]
    assert found(read(f"{beside}|", markup=language), token) == ([], said)
    other = f"{beside}\n\nAgain *Carrow* [2014] ASC 12 at [65].|"
    assert found(read(other, markup=language), token) == (["pinpoint-not-found"], said)


def test_a_paragraph_that_begins_with_what_is_found_is_not_that_above(read, token) -> None:
    missing = "[2013] ACA 77 says so."
    marked = read(f"{missing} <!-- lexls: ignore -->\n\n{missing}|")
    told, ignored = _parts(check_all(marked.snapshot, token))
    assert {each.finding.span.start for each in ignored} == {0}
    assert {each.span.start for each in told} == {marked.draft.source.rindex(missing)}


@pytest.mark.parametrize(
    ("comment", "told"),
    [
        ("<!-- lexls: ignore -->", []),
        ("<!-- lexls: ignore misquotation, pinpoint-not-found -->", []),
        ("<!-- lexls: ignore misquotation -->", ["pinpoint-not-found"]),
        ("<!-- lexls: ignored -->", ["pinpoint-not-found"]),
        ("lexls: ignore", ["pinpoint-not-found"]),
    ],
)
def test_a_comment_says_which_checks(read, token, comment: str, told: list[str]) -> None:
    assert found(read(f"{WRONG} {comment}|"), token)[0] == told


@pytest.mark.parametrize("blank", ["\n\n", "\n\n\n\n"])
def test_a_comment_that_stands_alone_is_about_the_paragraph_below(read, token, blank: str) -> None:
    marked = read(f"{WRONG}\n\n<!-- lexls: ignore -->{blank}{WRONG}|")
    told, ignored = _parts(check_all(marked.snapshot, token))
    assert [each.span.start for each in told] == [WRONG.index("64")]
    assert len(ignored) == 1


@pytest.mark.parametrize("language", COMMENTS)
def test_the_comment_that_is_offered_is_read(read, token, language: str) -> None:
    marked = read(f"{WRONG}\n\nMore.|", markup=language)
    (finding,) = check_all(marked.snapshot, token).findings
    offered = ignore_here(marked.snapshot, finding)
    assert offered is not None
    edit, at = offered
    source = marked.draft.source
    for text in (edit.text, f"{edit.text[:at]}: why{edit.text[at:]}"):
        mended = source[: edit.span.start] + text + source[edit.span.end :]
        told, ignored = _parts(check_all(read(f"{mended}|", markup=language).snapshot, token))
        assert (told, len(ignored)) == ([], 1)
        assert ignored[0].reason in ("", "why")


def test_without_comments_the_file_has_the_words(read, token) -> None:
    marked = read(f"{WRONG}|", markup="plain")
    (finding,) = check_all(marked.snapshot, token).findings
    assert ignore_here(marked.snapshot, finding) is None
    table = {"words": "64", "reason": "agreed"}
    said = ["ignored by lexls.toml (agreed)"]
    assert found(read(f"{WRONG}|", markup="plain", check_ignore=(table,)), token) == ([], said)


@pytest.mark.parametrize(
    ("table", "ignored"),
    [
        ({"check": "pinpoint-not-found"}, True),
        ({"check": "misquotation"}, False),
        ({"authority": "[2014] ASC 12"}, True),
        ({"authority": "[2014] ASC 12", "check": "pinpoint-not-found"}, True),
        ({"authority": "[2014] ASC 13"}, False),
        ({"words": "65"}, False),
    ],
)
def test_the_workspaces_file_names_check_authority_or_words(read, token, table, ignored: bool) -> None:
    told, left_out = _parts(check_all(read(f"{WRONG}|", check_ignore=(table,)).snapshot, token))
    assert (len(told), len(left_out)) == ((0, 1) if ignored else (1, 0))


def test_an_authority_that_is_not_held_is_named_as_it_is_cited(read, token) -> None:
    draft = "Nobody v Someone [2013] ACA 77.|"
    marked = read(draft)
    (finding,) = check_all(marked.snapshot, token).findings
    assert name_authority(marked.snapshot, finding) == "[2013] ACA 77"
    told = check_all(read(draft, check_ignore=({"authority": "[2013] ACA 77"},)).snapshot, token).findings
    assert told == ()


def test_a_table_is_added_to_the_file_and_nothing_else_changes() -> None:
    ignored = IgnoredFindings(check="misquotation", authority='A "B"', reason="as § 3 has it")
    text = 'check.profile = "filing"\n\n# ours\n[library]\nfolders = ["a"]\n'
    once = add_table(text, ignored)
    assert once is not None
    assert once.startswith(text)
    twice = add_table(once, IgnoredFindings(words="to the court"))
    assert twice is not None
    assert tomllib.loads(twice) == {
        "check": {
            "profile": "filing",
            "ignore": [
                {"check": "misquotation", "authority": 'A "B"', "reason": "as § 3 has it"},
                {"words": "to the court"},
            ],
        },
        "library": {"folders": ["a"]},
    }
    assert add_table("", ignored) is not None
    assert add_table("check.ignore = []\n", ignored) is None
    assert add_table("check = 3\n", ignored) is None
    assert add_table("check = [\n", ignored) is None


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ({"check": "misquotation", "reason": "x"}, ""),
        ({"reason": "x"}, "names no check, no authority and no words"),
        ({"check": "nonsense"}, '"nonsense" is not a diagnostic of lexls'),
        ({"cheque": "x"}, '"cheque" is none of check, authority, words, reason'),
        ({"words": 3}, '"words" must be a string'),
    ],
)
def test_what_is_wrong_with_a_table_is_said(table, fault: str) -> None:
    assert find_ignoring_fault(table) == fault
