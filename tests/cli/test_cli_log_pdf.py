"""A log as a PDF: the same entries, in any script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from filing_logs import seal_again, tick

from lexls.export.log.file import read_log
from lexls.export.log.pdf import FAMILIES, write_pdf
from lexls.export.system_fonts import find_font


def read_pages(data: bytes) -> str:
    """The words of a PDF's pages, white space folded."""
    with pypdfium2.PdfDocument(data) as document:
        return " ".join("".join(page.get_textpage().get_text_range() for page in document).split())


@pytest.mark.parametrize("fonts", [find_font(FAMILIES), ()], ids=["system", "core"])
def test_the_pdf_shows_every_entry_and_has_the_log_attached(logged: Path, fonts: Any) -> None:
    tick(logged, 2)
    log = read_log((logged / "log.json").read_bytes())
    data = write_pdf(log, fonts)
    assert read_log(data) == log
    said = read_pages(data)
    for entry in log["entries"]:
        assert entry["text"] in said
        for each in filter(None, [entry.get("authority"), *entry.get("papers", ())]):
            assert each["path"] in said
            assert each["sha256"] in said
    assert said.count("Not ticked") == 6
    assert "Ticked by RP, 4 May 2036" in said
    assert log["draft"]["sha256"] in said


SCRIPTS = {
    "Greek": "Νικολάου κατά Δήμου",
    "Cyrillic": "Иванов против Порта",
    "Vietnamese": "Nguyễn kiện Cảng vụ",
    "Hebrew": "לוי נגד הנמל",
    "Arabic": "سالم ضد الميناء",
    "Armenian": "Պետրոսյան",
    "Chinese": "王诉港务局",
    "Hindi": "राम बनाम बंदरगाह",
    "emoji": "Gull 🐦 v Heron",
    "controls": "Gull\u202e v\x07 Heron\n\t",
    "long": "A" * 3000,
    "lone half": "Gull \ud83d v Heron",
    "nothing": "",
}


@pytest.mark.parametrize("fonts", [find_font(FAMILIES), ()], ids=["system", "core"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_names_of_any_script_are_shown_or_visibly_replaced(logged: Path, script: str, fonts: Any) -> None:
    name = SCRIPTS[script]
    log = read_log((logged / "log.json").read_bytes())
    log["draft"]["file"] = f"{name}.md"
    for entry in log["entries"]:
        entry["text"] = name
        if entry.get("authority"):
            entry["authority"]["title"] = name
    seal_again(log)
    data = write_pdf(log, fonts)
    assert read_log(data) == log
    said = read_pages(data)
    if script not in ("controls", "lone half"):
        signs = [sign for sign in name if not sign.isspace()]
        assert all(sign in said or f"U+{ord(sign):04X}" in said for sign in signs)
    if script in ("Greek", "Cyrillic", "Vietnamese", "Armenian") and fonts:
        assert name in said
    if script == "emoji":
        assert "Gull [U+1F426] v Heron" in said
        assert "Signs that the font of this PDF lacks" in said
