"""How exactly and how fast files of each format are read.

    python benchmarks/bench_reading.py
    python benchmarks/bench_reading.py ../shared/authority-formats --write

First the documents that tests/library/made_documents makes: how many characters of what was put into them
are read wrongly. Then the speed of each reader, beside that of the library that it builds on; both read each
file in turn, and the least time of some rounds counts. Without a folder long documents that are made are
read, with one its files, in sets by its subfolders.
"""

from __future__ import annotations

import argparse
import csv
import email
import io
import json
import sys
import tempfile
import time
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from email import policy
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pypdfium2
from lxml import etree
from measuring import load, table, write_results

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "library"))

from made_documents import law_files, list_documents, office_files, plain_files, web_files, word_files  # noqa: E402
from made_documents.invented import JUDGMENT, repeat_units, without_ligatures, write_lines  # noqa: E402
from made_documents.made_document import count_errors  # noqa: E402
from made_documents.typesetter import make_pdf  # noqa: E402

from lexls.citations.grammar import Grammar  # noqa: E402
from lexls.library import readers  # noqa: E402
from lexls.library.document import UnreadableFile  # noqa: E402

ROUNDS = 3
LONGER = 60
LARGEST = 4_000_000
MOST = 60
"""So many files of a set are read, the first by their names."""


def measure_errors(grammar: Grammar) -> str:
    """Print how the made documents are read, by format, and return it in a sentence."""
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder:
        for document in list_documents():
            path = Path(folder, document.name)
            path.write_bytes(document.make())
            row = rows[document.format or "cannot be read"]
            row["documents"] += 1
            try:
                found = readers.read(path, grammar)
            except UnreadableFile as error:
                refused = bool(document.reason) and document.reason in str(error)
                row["refused"] += refused
                row["wrong"] += not refused
                continue
            errors, characters = count_errors(document, found)
            row["characters"] += characters
            row["errors"] += errors
            row["wrong"] += bool(errors or document.reason)
    total = sum(rows.values(), Counter())
    cells = [
        [
            name,
            row["documents"],
            f"{row['characters']:,}" if row["characters"] else "",
            row["errors"] if row["characters"] else "",
            "" if not row["characters"] else f"{100 * row['errors'] / row['characters']:.3f}%",
            f"{row['refused']} for the right reason" if row["refused"] else row["wrong"],
        ]
        for name, row in [*rows.items(), ("all", total)]
    ]
    head = ["format", "documents", "characters", "wrong characters", "share", "wrong documents"]
    print(table(head, cells), flush=True)
    formats = sum(bool(row["characters"]) for row in rows.values())
    return (
        f"{total['documents']} invented documents in {formats} formats, read character by character: "
        f"{total['errors']} of {total['characters']:,} characters and {total['wrong']} documents are wrong, "
        f"and {total['refused']} documents that cannot be read are refused for the right reason."
    )


# -- speed -------------------------------------------------------------------------------------------------


def read_pdf(data: bytes) -> None:
    document = pypdfium2.PdfDocument(data)
    for page in document:
        page.get_textpage().get_text_range()
    document.close()


def read_archive(data: bytes) -> None:
    """The parts of the document that hold text, unpacked and parsed."""
    parser = etree.XMLParser(recover=True)  # the pages of books are not always well-formed
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            if name.endswith((".xml", ".xhtml", ".opf", ".html")):
                etree.fromstring(archive.read(name), parser)


def read_rows(data: bytes) -> None:
    csv.field_size_limit(LARGEST)
    list(csv.reader(io.StringIO(data.decode("utf-8"))))


def read_mail(data: bytes) -> None:
    for part in email.message_from_bytes(data, policy=policy.default).walk():
        part.get_payload(decode=True)


RAW: dict[str, tuple[str, Callable[[bytes], Any]]] = {
    "text": ("bytes.decode", lambda data: data.decode("utf-8", "replace")),
    "markdown": ("bytes.decode", lambda data: data.decode("utf-8", "replace")),
    "rtf": ("bytes.decode", lambda data: data.decode("latin-1")),
    "html": ("lxml", etree.HTML),
    "xml": ("lxml", etree.fromstring),
    "docx": ("zipfile, lxml", read_archive),
    "odt": ("zipfile, lxml", read_archive),
    "epub": ("zipfile, lxml", read_archive),
    "json": ("json.loads", json.loads),
    "table": ("csv", read_rows),
    "e-mail": ("email", read_mail),
    "mhtml": ("email", read_mail),
    "pdf": ("pypdfium2", read_pdf),
}


@dataclass(slots=True)
class Speeds:
    """The files of one format in a set: their bytes, and the least seconds of each by what was done."""

    sizes: dict[Path, int] = field(default_factory=dict)
    least: dict[str, dict[Path, float]] = field(default_factory=lambda: defaultdict(dict))

    def add(self, path: Path, data: bytes, steps: dict[str, Callable[[], object]]) -> None:
        """Do each step once, in turn."""
        self.sizes[path] = len(data)
        for name, step in steps.items():
            started = time.process_time()
            step()
            seconds = time.process_time() - started
            self.least[name][path] = min(seconds, self.least[name].get(path, seconds))

    def row(self, raw: str) -> list[object]:
        seconds = {name: sum(each.values()) or 1e-9 for name, each in self.least.items()}
        megabytes, count = sum(self.sizes.values()) / 1e6, len(self.sizes)
        return [
            count,
            f"{megabytes:.2f}",
            f"{raw}: {megabytes / seconds['raw']:,.1f}",
            f"**{megabytes / seconds['reader']:.1f}**",
            f"{count / seconds['reader']:,.0f}",
            f"{seconds['reader'] / seconds['raw']:.1f}",
            f"{count / seconds['whole']:,.0f}",
        ]


def measure_speed(files: dict[str, list[Path]], grammar: Grammar) -> str:
    """Each file is read by the library alone, by the reader, and with its head and structure."""
    rows: dict[str, list[list[object]]] = {}
    for name, paths in files.items():
        formats: dict[str, Speeds] = defaultdict(Speeds)
        for _ in range(ROUNDS):
            for path in paths:
                data = path.read_bytes()
                try:
                    format = readers.find_format(path, data)
                    module, function, _ = readers._READERS[format]
                    read = getattr(import_module(f"lexls.library.readers.{module}"), function)
                    steps = {
                        "raw": partial(RAW[format][1], data),
                        "reader": partial(read, data),
                        "whole": partial(readers.parse, path, data, grammar),
                    }
                    for step in list(steps.values()) if path not in formats[format].sizes else []:
                        step()  # what is loaded where it is used first does not count
                    formats[format].add(path, data, steps)
                except (UnreadableFile, KeyError, ValueError, etree.XMLSyntaxError):
                    continue
        for format, speeds in formats.items():
            if speeds.sizes:
                rows.setdefault(format, []).append([name, *speeds.row(RAW[format][0])])
                print(" | ".join(map(str, [format, *rows[format][-1]])), flush=True)
    head = [
        *("format", "files: reader, MB/s", "library alone, MB/s", "times the library's", "documents/s"),
        "with head and structure",
    ]
    return table(head, [_join(format, found) for format, found in rows.items()])


def _join(format: str, found: Sequence[Sequence[object]]) -> list[str]:
    """The row of a format: the figures of each set of files, with their counterparts."""
    names = "; ".join(f"{name} {reader}" for name, _, _, _, reader, *_ in found)
    return [format, names, *("; ".join(str(row[at]) for row in found) for at in (3, 6, 5, 7))]


def make_files(folder: Path) -> dict[str, list[Path]]:
    """Long judgments in each format."""
    parts = repeat_units(without_ligatures(JUDGMENT), LONGER)
    text = "\n\n".join(write_lines(parts))
    makers: dict[str, Callable[[], bytes]] = {
        "judgment.txt": text.encode,
        "windows.txt": partial(text.encode, "cp1252"),
        "judgment.html": web_files.write_html(parts).encode,
        "saved.html": web_files.write_saved_page(parts).encode,
        "judgment.akn": law_files.make_akn_judgment(parts).encode,
        "judgment.docx": lambda: word_files.save(word_files.make_docx(parts)),
        "judgment.odt": lambda: office_files.make_odt(parts),
        "judgment.rtf": lambda: office_files.make_rtf(parts),
        "judgment.epub": lambda: web_files.make_epub(parts),
        "judgment.eml": lambda: plain_files.make_mail("quoted", parts),
        "judgment.mhtml": lambda: web_files.make_mhtml("base64", parts),
        "judgment.json": law_files.make_courtlistener_json("html_with_citations", parts).encode,
        "judgment.csv": law_files.make_table(parts).encode,
        "judgment.pdf": lambda: make_pdf(parts)[0],
    }
    for name, make in makers.items():
        (folder / name).write_bytes(make())
    return {"made": [folder / name for name in makers]}


def find_files(folder: Path) -> dict[str, list[Path]]:
    """The files of each subfolder that can be read."""

    def choose(below: Path) -> Iterator[Path]:
        for path in sorted(below.rglob("*")):
            if path.suffix.lower() in readers.SUFFIXES and path.is_file() and path.stat().st_size < LARGEST:
                yield path

    sets = {below.name: list(choose(below))[:MOST] for below in sorted(folder.iterdir()) if below.is_dir()}
    return {name: paths for name, paths in sets.items() if paths}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", help="real documents, in sets by its subfolders")
    parser.add_argument("--write", action="store_true", help="write its section of benchmarks/RESULTS.md")
    arguments = parser.parse_args()
    grammar = Grammar.load()
    before = load()
    errors = measure_errors(grammar)
    with tempfile.TemporaryDirectory() as folder:
        files = make_files(Path(folder))
        if arguments.folder is not None:
            files |= find_files(arguments.folder)
        speeds = measure_speed(files, grammar)
    if arguments.write:
        command = f"    python benchmarks/bench_reading.py {arguments.folder or ''}".rstrip() + " --write\n"
        what = (
            f"{errors} Then the readers beside the libraries that they build on, each file by both in turn, "
            f"the least processor time of {ROUNDS} rounds. Load average before and after: "
            f"{before:.1f} and {load():.1f}.\n"
        )
        write_results("Reading", [command, what, speeds])
    return 0


if __name__ == "__main__":
    sys.exit(main())
