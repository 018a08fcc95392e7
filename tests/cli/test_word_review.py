"""The review copy of Word briefs: comments at their words, tracked changes, and nothing else changed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from word_briefs import CITED, WRONG, make, paragraph, run, write_briefs
from word_changes import TEXT, commented_words, find_comments, normal_form, read_parts, settle

from lexls.library.readers.docx import extract

Run = Any
"""``Run`` of conftest.py."""
BRIEFS = write_briefs()
# Where Word writes the words anew itself, or has no place for a second change, there are comments alone.
UNCHANGED = {"fields": 1, "text boxes": 1, "controls": 1, "moved": 1}
MENDED = "“every” — the judgment says “each”"


def review(lexls: Run, folder: Path, data: bytes) -> tuple[list[Any], bytes]:
    """What is found in a document, and its copy."""
    (folder / "brief.docx").write_bytes(data)
    (folder / "out.docx").unlink(missing_ok=True)
    result = lexls("check", "brief.docx", "--json", "--review", "out.docx")
    assert result.code in (0, 1), result.err
    assert (folder / "brief.docx").read_bytes() == data
    return result.json["findings"], (folder / "out.docx").read_bytes()


@pytest.fixture(params=sorted(BRIEFS))
def reviewed(request: Any, lexls: Run, matter: Path) -> tuple[str, bytes, list[Any], bytes]:
    """The name of a brief, the brief, what is found in it, and its copy."""
    data = BRIEFS[request.param]
    return request.param, data, *review(lexls, matter, data)


def test_a_review_copy_has_comments_at_their_words_and_changes_nothing_else(
    reviewed: tuple[str, bytes, list[Any], bytes], lexls: Run, matter: Path
) -> None:
    name, data, findings, copy = reviewed
    text = extract(data).text
    assert findings
    old, new = read_parts(data), read_parts(copy)
    # Nothing but comments and what holds changes differs.
    touched = {each for each in new if old.get(each) != new[each]}
    about = r"word/comments\.xml|word/_rels/\w+\.xml\.rels|\[Content_Types\]\.xml"
    assert all(TEXT.fullmatch(each) or re.fullmatch(about, each) for each in touched)
    assert [each for each in new if each in old] == list(old)
    # Rejected, each part is what it was, its runs as they were before they were cut.
    rejected = settle(copy, accepted=False)
    assert extract(rejected).text == text
    for part, content in read_parts(rejected).items():
        if TEXT.fullmatch(part):
            assert normal_form(content) == normal_form(old[part])
    # Every finding is a comment at its words, or at the mark of its note, the box or the equation.
    told = list(commented_words(copy))
    assert len(told) == len(findings) == len(find_comments(copy))
    for each in findings:
        comment = next(both for both in told if each["code"] in both[1] and _message(each) in both[1])
        words = "".join(text[each["start"] : each["end"]].split())
        if "footnote" in each["place"]:
            assert comment[0] == "*"
        elif not comment[1].startswith("At “"):
            assert words in "".join(comment[0].replace("\u00ad", "").split())
        told.remove(comment)
    # Accepted, what was mended is found no more.
    (matter / "accepted.docx").write_bytes(settle(copy, accepted=True))
    left = lexls("check", "accepted.docx", "--json").json["findings"]
    before = sum(each["message"].startswith(MENDED) for each in findings)
    assert sum(each["message"].startswith(MENDED) for each in left) == UNCHANGED.get(name, 0)
    assert copy.count(b"PK\x01\x02") == len(new)
    assert (before > UNCHANGED.get(name, 0)) == (
        extract(data).text != extract(settle(copy, accepted=True)).text
    )


def test_paragraphs_without_findings_are_the_same_bytes(lexls: Run, matter: Path) -> None:
    data = make(paragraph(run(WRONG), CITED), *(paragraph(run(f"Paragraph {n} & more.")) for n in range(30)))
    _, copy = review(lexls, matter, data)
    old, new = (read_parts(each)["word/document.xml"].split(b"</w:p>") for each in (data, copy))
    assert [number for number, pair in enumerate(zip(old, new, strict=True)) if pair[0] != pair[1]] == [1]


def test_the_format_of_what_is_put_in_is_that_of_what_it_replaces(lexls: Run, matter: Path) -> None:
    _, copy = review(lexls, matter, BRIEFS["formatted"])
    [put_in] = re.findall(rb"<w:ins [^>]*>.*?</w:ins>", read_parts(copy)["word/document.xml"])
    assert b"<w:rPr><w:b/></w:rPr>" in put_in
    assert b">each<" in put_in


def test_a_comment_quotes_the_authority_and_has_the_code(lexls: Run, matter: Path) -> None:
    _, copy = review(lexls, matter, BRIEFS["plain"])
    said, absent = find_comments(copy).values()
    assert said.startswith("“every” — the judgment says “each” ([2031] UKSC 12 at [2]). [")
    assert "\nAsh Mooring Ltd v Tern Harbour Board [2031] UKSC 12: “" in said
    assert absent.endswith("[pinpoint-not-found]")


def test_comments_that_are_there_stay_and_a_draft_without_findings_is_copied(
    lexls: Run, matter: Path
) -> None:
    data = BRIEFS["comments"]
    findings, copy = review(lexls, matter, data)
    old, new = (read_parts(each)["word/comments.xml"] for each in (data, copy))
    assert new.startswith(old.removesuffix(b"</w:comments>"))
    assert len(find_comments(copy)) == len(findings)
    _, same = review(lexls, matter, make(paragraph(run("Nothing is cited here"))))
    assert not find_comments(same)


def test_what_cannot_be_a_copy_is_refused(lexls: Run, matter: Path) -> None:
    (matter / "brief.docx").write_bytes(BRIEFS["plain"])
    (matter / "other.docx").write_bytes(b"mine")
    for arguments, reason in (
        (("brief.docx", "--review", "brief.docx"), "is the draft itself"),
        (("brief.docx", "--review", "other.docx"), "other.docx is there already"),
        (("draft.md", "--review", "out.docx"), "draft.md: not a Word document"),
        (("brief.docx", "other.docx", "--review", "out.docx"), "one Word document at a time"),
        (("brief.docx", "--review", "nowhere/out.docx"), "nowhere/out.docx: No such file"),
    ):
        result = lexls("check", *arguments)
        assert result.code == 2
        assert reason in result.err
    assert (matter / "other.docx").read_bytes() == b"mine"
    assert (matter / "brief.docx").read_bytes() == BRIEFS["plain"]
    assert not list(matter.glob("*out*"))


def test_a_document_that_cannot_be_read_gets_no_copy(lexls: Run, matter: Path) -> None:
    encrypted = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")
    typed = make(
        change=lambda name, content: (
            content.replace(b"<w:document", b"<!DOCTYPE x><w:document")
            if name.endswith("document.xml")
            else content
        )
    )
    for data, reason in (
        (encrypted, "needs a password"),
        (b"PK\x03\x04 and no more", "damaged DOCX file"),
        (typed, "document type"),
    ):
        (matter / "brief.docx").write_bytes(data)
        result = lexls("check", "brief.docx", "--review", "out.docx")
        assert result.code == 2
        assert "brief.docx: " in result.err
        assert reason in result.err
        assert not (matter / "out.docx").exists()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")
def test_libreoffice_opens_every_copy(lexls: Run, matter: Path) -> None:
    for name, data in BRIEFS.items():
        _, copy = review(lexls, matter, data)
        (matter / f"{name}.docx").write_bytes(copy)
    profile = (matter / "profile").as_uri()
    command = ["soffice", "--headless", f"-env:UserInstallation={profile}", "--convert-to", "txt:Text"]
    subprocess.run(
        [*command, *(f"{name}.docx" for name in BRIEFS)], cwd=matter, check=True, capture_output=True
    )
    for name in BRIEFS:
        assert "The claim should succeed." in (matter / f"{name}.txt").read_text(encoding="utf-8-sig"), name


def _message(finding: Any) -> str:
    return str(finding["message"])[1:]
