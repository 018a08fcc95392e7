from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lexls.evaluation.asking import DocumentNames
from lexls.index.records import Authority

WEIR = Authority(1, Path("/l/a/weir.txt"), Path("/l"), "a/weir.txt", "", "", (), "", "", "case", "", True)
EELS = replace(WEIR, id=2, relative="eels.v2.txt")
OTHER_WEIR = replace(WEIR, id=3, relative="b/weir.md")


@pytest.mark.parametrize("name", ["weir", "weir.txt", "a/weir.txt"])
def test_a_document_has_three_names(name: str) -> None:
    names = DocumentNames([WEIR, EELS])
    assert names.find(name) == 1
    assert name in names


def test_documents_are_called_as_the_benchmark_writes_them() -> None:
    assert DocumentNames([WEIR, EELS], ["weir"]).called(2) == "eels.v2"
    assert DocumentNames([WEIR, EELS], ["weir.txt", "eels.v2.txt", "weir"]).called(2) == "eels.v2.txt"
    assert DocumentNames([WEIR, EELS], ["a/weir.txt"]).called(1) == "a/weir.txt"
    assert DocumentNames([WEIR, EELS], ["gone"]).called(1) == "weir.txt"


def test_a_name_of_two_documents_gives_way_to_the_path() -> None:
    names = DocumentNames([WEIR, EELS, OTHER_WEIR], ["eels.v2"])
    assert (names.called(1), names.called(2), names.called(3)) == ("a/weir.txt", "eels.v2", "b/weir.md")


def test_what_the_library_does_not_have_keeps_its_name() -> None:
    names = DocumentNames([WEIR], ["weir.txt"])
    assert names.same("weir") == "weir.txt"
    assert names.same("gone") == "gone"
