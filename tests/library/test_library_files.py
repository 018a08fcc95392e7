"""Files that cannot be read say why; nothing is opened that would wait."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from lexls.citations.grammar import Grammar
from lexls.library.document import UnreadableFile
from lexls.library.readers import SUFFIXES, read
from lexls.library.readers.decoding import decode
from lexls.library.readers.opening import MAX_BYTES


def reason(path: Path, grammar: Grammar, max_bytes: int = MAX_BYTES) -> str:
    with pytest.raises(UnreadableFile) as caught:
        read(path, grammar, max_bytes)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.txt", b"", "empty file"),
        ("a.pdf", b"", "empty file"),
        ("a.docx", b"", "empty file"),
        ("a.txt", b" \r\n\t \n", "no text in it"),
        ("a.md", "\ufeff\n\u00a0\n".encode(), "no text in it"),
        ("a.md", b"---\ntitle: Only front matter\n---\n", "no text in it"),
        ("a.html", b"<html><body><script>x</script></body></html>", "no text in it"),
        ("a.txt", b"The carrier\xff shall", "not UTF-8 text (byte 0xff at offset 11)"),
        ("a.txt", b"\xef\xbb\xbfabc\x80", "not UTF-8 text (byte 0x80 at offset 6)"),
        ("a.txt", b"abc\x00def", "not UTF-8 text (byte 0x00 at offset 3)"),
        ("a.txt", b"\x89PNG\r\n\x1a\n\x00\x00", "not UTF-8 text (byte 0x89 at offset 0)"),
        ("a.xyz", b"text", 'no reader for ".xyz" files'),
        ("a.docx", b"not a zip at all", "not a DOCX file (no ZIP archive)"),
        ("a.pdf", b"plain words", "not a PDF file"),
    ],
)
def test_a_file_that_holds_nothing_readable_says_why(
    tmp_path: Path, grammar: Grammar, name: str, content: bytes, expected: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert reason(path, grammar) == expected


def test_a_file_over_the_limit_names_both_sizes_and_the_setting(tmp_path: Path, grammar: Grammar) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate(110_000_000)
    said = reason(path, grammar)
    assert said == "larger than the limit (104.9 MB > 50 MB); raise index.maxFileMegabytes to read it"
    small = tmp_path / "small.txt"
    small.write_bytes(b"x" * 11)
    assert "larger than the limit" in reason(small, grammar, 10)
    small.write_bytes(b"x" * 10)
    assert read(small, grammar, 10).text == "x" * 10


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_fifo_is_named_and_never_opened(tmp_path: Path, grammar: Grammar) -> None:
    path = tmp_path / "pipe.txt"
    os.mkfifo(path)
    assert reason(path, grammar) == "not a regular file"


def test_folders_devices_and_missing_files(tmp_path: Path, grammar: Grammar) -> None:
    folder = tmp_path / "folder.txt"
    folder.mkdir()
    assert reason(folder, grammar) == "not a regular file"
    assert reason(tmp_path / "gone.txt", grammar) == "no such file"
    link = tmp_path / "device.txt"
    link.symlink_to("/dev/zero")
    assert reason(link, grammar) == "not a regular file"


def test_symbolic_links_that_lead_nowhere(tmp_path: Path, grammar: Grammar) -> None:
    broken = tmp_path / "broken.txt"
    broken.symlink_to(tmp_path / "nothing.txt")
    assert reason(broken, grammar) == "broken symbolic link"
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.symlink_to(two)
    two.symlink_to(one)
    assert reason(one, grammar) == "symbolic link loop"


def test_a_symbolic_link_to_a_file_is_read(tmp_path: Path, grammar: Grammar) -> None:
    (tmp_path / "real.txt").write_text("Words.")
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    assert read(tmp_path / "link.txt", grammar).text == "Words."


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_permission_denied(tmp_path: Path, grammar: Grammar) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("words")
    path.chmod(0)
    assert reason(path, grammar) == "permission denied"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_text_is_decoded_without_its_byte_order_mark(encoding: str) -> None:
    assert decode("§ 12 “café” 𝄞\r\n".encode(encoding)) == "§ 12 “café” 𝄞\r\n"


def test_suffixes_are_read_in_any_case(tmp_path: Path, grammar: Grammar) -> None:
    assert {".txt", ".md", ".html", ".docx", ".pdf"} <= SUFFIXES
    path = tmp_path / "LOUD.TXT"
    path.write_text("Words.")
    assert read(path, grammar).text == "Words."


def test_megabytes_on_one_line_are_read(tmp_path: Path, grammar: Grammar) -> None:
    path = tmp_path / "line.txt"
    path.write_text("the carrier shall, subject to section 12, " * 150_000)
    document = read(path, grammar)
    assert [(block.kind, block.start) for block in document.blocks] == [("text", 0)]


ENGLISH = (
    "The tenant’s covenant — §\u00a012 of the Act — binds each assignee. “No waiver,” said the judge, "
    "“is implied by the café’s rent of £500 or €600.” The appeal was dismissed with costs."
)


def test_text_in_windows_1252_is_read_right_and_says_so(tmp_path: Path, grammar: Grammar) -> None:
    path = tmp_path / "old.txt"
    path.write_bytes(ENGLISH.encode("cp1252"))
    found = read(path, grammar)
    assert found.text == ENGLISH
    assert found.warnings == ("not UTF-8; read as Windows-1252",)
    (tmp_path / "old.html").write_bytes(f"<p>{ENGLISH}</p>".encode("cp1252"))
    found = read(tmp_path / "old.html", grammar)
    assert found.text.strip() == ENGLISH.replace("\u00a0", " ")
    assert found.warnings == ("not UTF-8; read as Windows-1252",)


def test_text_in_another_encoding_is_read_as_that(tmp_path: Path, grammar: Grammar) -> None:
    text = "Суд считает, что арендатор обязан платить арендную плату. Решение оставлено без изменения. " * 8
    path = tmp_path / "old.txt"
    path.write_bytes(text.encode("cp1251"))
    found = read(path, grammar)
    assert found.text == text
    assert found.warnings == ("not UTF-8; read as cp1251",)


@pytest.mark.parametrize("seed", range(6))
def test_rubbish_is_refused_whatever_its_suffix(tmp_path: Path, grammar: Grammar, seed: int) -> None:
    path = tmp_path / "rubbish.txt"
    path.write_bytes(random.Random(seed).randbytes(2000))
    assert reason(path, grammar).startswith("not UTF-8 text (byte 0x")
