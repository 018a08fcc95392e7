"""A review copy that was worked in and is reviewed again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from word_briefs import CASE, CITED, WRONG, make, paragraph, run, write_briefs
from word_changes import TEXT, W, commented_words, find_comments, normal_form, read_parts, settle
from word_threads import SPACES, save_in_word, write_parts

from lexls.cli.main import parse
from lexls.cli.word_copies import ReviewCopies
from lexls.library.readers.docx import extract

Run = Any
"""``Run`` of conftest.py."""
BRIEFS = write_briefs()
ABSENT = paragraph(run(f"The board is liable: {CASE} at [9]."))
ABOUT = re.compile(r"word/comments\w*\.xml")


@pytest.fixture
def review(lexls: Run, matter: Path) -> Any:
    """The review copy of a document."""

    def write(data: bytes) -> bytes:
        (matter / "brief.docx").write_bytes(data)
        (matter / "out.docx").unlink(missing_ok=True)
        result = lexls("check", "brief.docx", "--review", "out.docx")
        assert result.code in (0, 1), result.err
        return (matter / "out.docx").read_bytes()

    return write


def count_changes(data: bytes) -> int:
    """How many changes by lexls wait."""
    return sum(
        each.get(f"{W}author") == "lexls"
        for name, content in read_parts(data).items()
        if TEXT.fullmatch(name)
        for each in etree.fromstring(content).iter(f"{W}ins", f"{W}del")
    )


def find_number(data: bytes, words: str) -> str:
    """The number of the one comment of lexls that has these words."""
    [number] = [number for number, said in find_comments(data).items() if words in said]
    return number


@pytest.mark.parametrize("name", sorted(BRIEFS))
def test_a_copy_that_is_reviewed_again_is_the_same_copy(name: str, review: Any) -> None:
    data = BRIEFS[name]
    first = review(data)
    again = review(first)
    assert sorted(commented_words(again)) == sorted(commented_words(first))
    assert count_changes(again) == count_changes(first)
    assert extract(settle(again, accepted=True)).text == extract(settle(first, accepted=True)).text
    # Rejected, it is the draft still, and nothing but comments and what holds changes differs.
    back, old, new = (read_parts(each) for each in (settle(again, accepted=False), data, again))
    for part, content in read_parts(first).items():
        if TEXT.fullmatch(part):
            assert normal_form(back[part]) == normal_form(old[part])
        elif not ABOUT.fullmatch(part):
            assert new[part] == content
    marks = re.findall(rb"commentRangeStart|commentRangeEnd|commentReference", new_main(again))
    assert len(marks) == 3 * new_comments(again)


def new_main(data: bytes) -> bytes:
    """The source of the main part, in UTF-8."""
    parts = read_parts(data)
    content = parts.get("word/document.xml") or parts["word/main.xml"]
    return content.decode("utf-16").encode() if content.startswith((b"\xff\xfe", b"\xfe\xff")) else content


def new_comments(data: bytes) -> int:
    """How many comments there are, by anybody."""
    return len(etree.fromstring(read_parts(data)["word/comments.xml"]))


def test_what_is_mended_loses_its_comment_and_all_that_tells_of_it(review: Any) -> None:
    first = save_in_word(review(make(ABSENT, comment="Is this right? — W.")))
    [gone] = find_comments(first)
    parts = read_parts(first)
    parts["word/document.xml"] = parts["word/document.xml"].replace(b">9<", b">2<")
    again = read_parts(review(write_parts(parts)))
    assert not find_comments(write_parts(again))
    assert "Is this right?" in again["word/comments.xml"].decode()
    name = f"{int(gone) + 1:04X}0000"
    assert name.encode() in parts["word/commentsExtended.xml"]
    for part in SPACES:
        assert name[1:].encode() not in again[f"word/{part}.xml"]
        assert len(etree.fromstring(again[f"word/{part}.xml"])) == 1
    assert again["word/document.xml"].count(b"commentRangeStart") == 1


def test_an_answered_or_resolved_comment_stays_and_is_not_repeated(review: Any) -> None:
    first = review(
        make(paragraph(run(WRONG), CITED), ABSENT, paragraph(run("See Gull v Heron [1987] UKHL 3.")))
    )
    absent, unheld = find_number(first, "[pinpoint-not-found]"), find_number(first, "Gull v Heron")
    worked_in = save_in_word(
        first, answers={absent: "It is; see the bound volume."}, resolved=frozenset({unheld})
    )
    again = review(worked_in)
    old, new = (find_comments(each) for each in (worked_in, again))
    assert {number: new[number] for number in (absent, unheld)} == {
        number: old[number] for number in (absent, unheld)
    }
    assert sorted(new.values()) == sorted(old.values())
    parts = read_parts(again)
    assert b"It is; see the bound volume." in parts["word/comments.xml"]
    assert len(etree.fromstring(parts["word/commentsExtended.xml"])) == 4
    # The words that it is on are others now, and so is what is wrong with them.
    parts["word/document.xml"] = parts["word/document.xml"].replace(b">9<", b">8<")
    more = find_comments(review(write_parts(parts)))
    assert sum("[pinpoint-not-found]" in each for each in more.values()) == 2


def test_a_comment_that_somebody_wrote_in_stays(review: Any) -> None:
    for words in (
        "[pinpoint-not-found] Leave it. KL",
        "[pinpoint-not-found]</w:t></w:r></w:p><w:p><w:r><w:t>Leave it.",
        "[pinpoint-not-found]</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>Leave it."
        "</w:t></w:r></w:p></w:tc></w:tr></w:tbl><w:p><w:r><w:t>Perhaps: at [2].",
    ):
        parts = read_parts(review(make(ABSENT)))
        parts["word/comments.xml"] = parts["word/comments.xml"].replace(
            b"[pinpoint-not-found]", words.encode()
        )
        [said] = find_comments(review(write_parts(parts))).values()
        assert "Leave it." in said


def test_a_change_that_was_rejected_is_not_made_again(review: Any) -> None:
    data = make(paragraph(run(WRONG), CITED))
    first = review(data)
    parts = read_parts(first)
    parts["word/document.xml"] = re.sub(
        rb"<w:ins [^>]*>.*?</w:ins>|</?w:del\b[^>]*>", b"", parts["word/document.xml"]
    ).replace(b"delText", b"t")
    rejected = write_parts(parts)
    assert extract(rejected).text == extract(data).text
    again = review(rejected)
    assert (count_changes(first), count_changes(again)) == (2, 0)
    [said] = find_comments(again).values()
    assert "\nPerhaps: " in said
    assert sorted(find_comments(review(again)).values()) == [said]


def test_support_is_found_again_where_nobody_answered(lexls: Run, matter: Path) -> None:
    duty = "An expert witness owes a duty to the court that overrides any obligation to whoever pays."
    (matter / "brief.docx").write_bytes(make(paragraph(run(duty)), paragraph(run(WRONG), CITED)))
    command = ("support", "--lexical", "--file")
    assert lexls(*command, "brief.docx", "--output", "first.docx").code == 0
    first = (matter / "first.docx").read_bytes()
    [number] = find_comments(first)
    (matter / "answered.docx").write_bytes(save_in_word(first, answers={number: "Taken."}))
    for name in ("first.docx", "answered.docx"):
        assert lexls(*command, name, "--output", f"of-{name}").code == 0
        assert list(commented_words((matter / f"of-{name}").read_bytes())) == list(commented_words(first))
    # A review leaves them alone.
    assert lexls("check", "first.docx", "--review", "both.docx").code == 1
    assert len(find_comments((matter / "both.docx").read_bytes())) == 2


def test_a_watched_folder_in_which_copies_lie_is_quiet_after_a_round(
    review: Any, matter: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drafts = matter / "drafts"
    drafts.mkdir()
    (drafts / "brief.docx").write_bytes(BRIEFS["plain"])
    (drafts / "brief (reviewed).docx").write_bytes(review(BRIEFS["plain"]))
    copies = ReviewCopies(parse(["watch", "drafts"]))
    copies.renew()
    out = drafts / "lexls-review"
    one, other = ((out / name).read_bytes() for name in ("brief.docx", "brief (reviewed).docx"))
    assert sorted(commented_words(one)) == sorted(commented_words(other))
    capsys.readouterr()
    files = sorted(str(each) for each in drafts.rglob("*"))
    for _ in range(3):
        copies.renew(files)
    ReviewCopies(parse(["watch", "drafts"])).renew()
    assert sorted(str(each) for each in drafts.rglob("*")) == files
    assert [(out / name).read_bytes() for name in ("brief.docx", "brief (reviewed).docx")] == [one, other]
