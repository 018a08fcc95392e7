"""Measure how well the head of a court paper is read: title, court, date and docket of generated papers.

python benchmarks/bench_captions.py [--each N] [--pdf N] [--seed N] [--wrong N] [--layouts NAME ...] [--write]

Layouts (benchmarks/captions) meet real courts, invented parties, and five formats. A title is right if each
side has all words by which the party is cited and no word that its caption has not; a court if all its words
are there.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path

from caption_papers import (
    Paper,
    load_layouts,
    make_papers,
    save_docx,
    save_pdf,
    set_html,
    set_markdown,
    set_text,
)
from measuring import table, write_results

from lexls.citations.grammar import Grammar
from lexls.library.readers import read
from lexls.text.lexicon import split_words

FIELDS = ("title", "court", "date", "docket", "kind")
FORMATS: Mapping[str, Callable[[Paper, Path], object]] = {
    ".txt": lambda paper, path: path.write_text(set_text(paper), encoding="utf-8"),
    ".md": lambda paper, path: path.write_text(set_markdown(paper), encoding="utf-8"),
    ".html": lambda paper, path: path.write_text(set_html(paper), encoding="utf-8"),
    ".docx": save_docx,
    ".pdf": save_pdf,
}
_STOP = split_words("of the for in and at united states u s a an to")
_COURT_WORDS = split_words("court district circuit division tribunal courts appeals appellate")
_SAME = {"co": "company", "corp": "corporation", "ltd": "limited", "dept": "department"}


def words(text: str) -> list[str]:
    text = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    text = re.sub(r"(?<=\w)['’.](?=\w)|['’.]", "", text.casefold())
    return [_SAME.get(each, each) for each in re.findall(r"\w+", text)]


def title_right(paper: Paper, title: str) -> bool:
    """Return whether a title names the sides that the paper has, and nothing else."""
    if not paper.sides:
        return not title or title == "paper"  # the name of the file
    rest = re.sub(r"^(?:in re:?|in the matter of|re)\s+", "", title, flags=re.IGNORECASE)
    between = r"\s+(?:&|and)\s+" if "&" in paper.title else r"\s+vs?\.?\s+"
    parts = re.split(between, rest, maxsplit=1) if len(paper.sides) == 2 else [rest]
    if len(parts) != len(paper.sides):
        return False
    return all(
        set(words(side.cited))
        <= set(words(part))
        <= set(words(side.caption)) | {"the", "others", "another", "s"}
        for part, side in zip(parts, paper.sides, strict=True)
    )


def is_court(paper: Paper, title: str) -> bool:
    """Return whether the court became a party."""
    parties = {word for side in paper.sides for word in words(side.caption)}
    return bool((set(words(title)) - parties) & _COURT_WORDS)


def court_right(asked: str, court: str) -> bool:
    return set(words(asked)) - _STOP <= set(words(court)) and "from" not in words(court)


def fold(docket: str) -> str:
    return "".join(words(docket)).replace("no", "")


def read_paper(paper: Paper, suffix: str, grammar: Grammar, folder: Path) -> Mapping[str, tuple[bool, str]]:
    """Return for each field whether it was read right, and what was read."""
    path = folder / f"paper{suffix}"
    FORMATS[suffix](paper, path)
    found = read(path, grammar).metadata
    dockets = " ".join(found.docket)
    result = {
        "title": (title_right(paper, found.title), found.title),
        "kind": (found.kind == paper.kind, found.kind),
        "court as a party": (is_court(paper, found.title), found.title),
    }
    if paper.court_words is not None:
        result["court"] = (court_right(paper.court_words, found.court), found.court)
    if paper.date is not None:
        result["date"] = (found.date == paper.date, f"{found.date} for {paper.date}")
    if paper.docket is not None:
        result["docket"] = (fold(paper.docket) in fold(dockets), f"{dockets} for {paper.docket}")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=12, help="papers of each layout, in every format but PDF")
    parser.add_argument("--pdf", type=int, default=2, help="how many of those also as PDF")
    parser.add_argument("--seed", type=int, default=34)
    parser.add_argument("--layouts", nargs="+", default=["seen", "unseen"])
    parser.add_argument("--only", default="", help="part of a layout's name")
    parser.add_argument("--wrong", type=int, default=0, help="how many faults of each layout to show")
    parser.add_argument("--write", action="store_true", help="write the section of RESULTS.md")
    options = parser.parse_args()
    grammar, began = Grammar.load(), time.process_time()
    rows = []
    with tempfile.TemporaryDirectory() as name:
        for layouts in options.layouts:
            right: dict[str, int] = defaultdict(int)
            asked: dict[str, int] = defaultdict(int)
            faults: dict[tuple[str, str], list[str]] = defaultdict(list)
            chosen = [each for each in load_layouts(layouts) if options.only in each["name"]]
            for number, paper in enumerate(make_papers(chosen, options.each, options.seed)):
                for suffix in FORMATS:
                    if suffix == ".pdf" and number % options.each >= options.pdf:
                        continue
                    for field, (good, got) in read_paper(paper, suffix, grammar, Path(name)).items():
                        right[field] += good
                        asked[field] += 1
                        if good == (field == "court as a party"):
                            sides = " / ".join(side.caption for side in paper.sides)
                            faults[paper.layout, field].append(
                                f"{suffix} {number % options.each}: {got!r} ({sides}; {paper.court})"
                            )
            rows.append(
                [f"{layouts} ({len(chosen)})", asked["title"]]
                + [f"**{right[field] / asked[field]:.1%}**" if asked[field] else "–" for field in FIELDS]
                + [right["court as a party"]]
            )
            if options.wrong:
                for (layout, field), found in sorted(faults.items(), key=lambda each: -len(each[1])):
                    print(f"{layout}, {field}: {len(found)}")
                    print("".join(f"    {each}\n" for each in found[: options.wrong]), end="")
    shown = table(["layouts", "papers", *FIELDS, "courts as parties"], rows)
    print(shown)
    print(f"{time.process_time() - began:.0f} s of processor time")
    if options.write:
        command = f"    python benchmarks/bench_captions.py --each {options.each} --pdf {options.pdf}\n"
        about = (
            "What is read in the heads of invented papers in 72 layouts, as text, Markdown, HTML, Word and "
            "PDF, with real courts.\n"
        )
        write_results("Heads of court papers: layouts", [command, about, shown])


if __name__ == "__main__":
    main()
