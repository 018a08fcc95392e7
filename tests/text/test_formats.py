"""A format of drafts is one object, and only its own module says its name."""

from __future__ import annotations

import ast
from itertools import chain
from pathlib import Path

import pytest

from lexls.text.formats import FORMATS

PACKAGE = Path(__file__).parents[2] / "lexls"
NO_DRAFTS = {
    # What authorities are written in, by the modules that read them.
    "library/readers/__init__.py": {"markdown", "plain"},
    # A control word of RTF.
    "library/readers/rtf.py": {"plain"},
    # Plain ways of naming and of listing.
    "citations/steps.py": {"plain"},
    "citations/styles/shapes.py": {"plain"},
    "features/table_of_authorities.py": {"plain"},
    # Fields of answers and reports that hold Markdown which lexls writes itself.
    "cli/finding_formats.py": {"markdown"},
    "server/answering.py": {"markdown"},
    "server/asking.py": {"markdown"},
    # A program, called like the format for which it is run.
    "export/book/own_pdf.py": {"typst"},
    # Files of the library that may say of themselves what they are.
    "server/ignoring.py": {"markdown"},
}
"""Where a word that is also a format's name means something other than the format of a draft."""


def test_no_format_is_named_outside_of_its_module() -> None:
    names = {name for each in FORMATS.values() for name in (each.name, *each.languages)}
    names -= {"text", "context"}  # words for other things too
    assert names >= {"markdown", "latex", "typst", "plain", "plaintext"}
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        if place.startswith("text/formats/"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        named = {each for each in strings if isinstance(each, str) and each.casefold() in names}
        if named - NO_DRAFTS.get(place, set()):
            found[place] = named
    assert not found


def test_each_module_is_a_format_with_names() -> None:
    modules = {each.stem for each in (PACKAGE / "text" / "formats").glob("*.py")} - {"__init__"}
    assert modules == set(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_found_by_each_of_its_languages_and_suffixes(name: str) -> None:
    from lexls.text.formats import format_of

    each = FORMATS[name]
    assert all(suffix.startswith(".") and suffix == suffix.casefold() for suffix in each.suffixes)
    assert {format_of("", f"draft{suffix.upper()}").name for suffix in each.suffixes} == {name}
    assert {format_of(language, "").name for language in (*each.languages, *each.filetypes)} == {name}


def test_no_two_formats_share_a_language_or_a_suffix() -> None:
    for field in ("languages", "suffixes", "filetypes"):
        listed = list(chain.from_iterable(getattr(each, field) for each in FORMATS.values()))
        assert len(listed) == len(set(listed)) > 3
