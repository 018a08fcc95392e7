"""Measure whether the examples of `reporters-db` and the courts of `courts-db` are read as what they are.

Each stands in a sentence of its own, behind a case's name if it is a reporter. It is read if a citation there
is of its kind and has all of it, but for the letter behind a page that tells cases on that page apart; a
court stands behind a docket number, before the day. What
is not read is named with its reason, a row of ``REASONS``; the last column leaves out what is explained.

python benchmarks/bench_forms.py [--examples 40] [--write]
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from courts_db import courts
from measuring import listing, write_results
from reporters_db import JOURNALS, LAWS, REPORTERS

from lexls.citations.grammar import Grammar

SENTENCES = {
    "reporters": ("It is settled. See Orme v. Dask, {}. It is followed here.", {"case", "other"}),
    "laws": (
        "It is settled. See {}. It is followed here.",
        {"statute", "regulation", "rule", "constitution", "case"},
    ),
    "courts": ("It is settled. See Orme v. Dask, No. 12-345 ({} Mar. 3, 2012). It is followed.", {"case"}),
    "journals": ("It is settled. See Ann Orme, Notes on Dask, {}. It is followed here.", {"journal"}),
}
_PAGE_LETTER = re.compile(r"(?<=\d)\s?(?:[A-Za-z]|-[A-Z]|[\[(][AU][\])]|\s[A-Z]\d)$")
REASONS = {
    re.compile(pattern): why
    for why, pattern in {
        "an invented subject": r"\bEmpl\.|\bSvTr\b|ch\\w|\[Reg\.|\bry\b|^1 U\.S\.C\.U",
        "a roman first page, which sentences have too": r"\s(?:[IVXL]+|iv|ix)$",
        "a slip of the database or a scan": (
            r"^\d\d ?COA?\d|437 COA|108 MT|^\d{4} -\w+- \d|^2010 OH |IN Dec|^2009 1359R"
        ),
        "a pamphlet without a place in it": r"Adv\.$",
        '"page" between report and number': r"R\.?, p\.|Jur\., p\.|F\. Cas\. [Pp]age",
        "a single supplement volume": r"Supp\. 9$",
        "a publisher or state in the name": (
            r"CCH,? (?:OSHD|Unemployment)|Unemployment Ins\. Rep\. (?:W\.|\(|,)|Rep\., Me"
        ),
        "a volume or edition between name and page": (r"\(Ed\.|Adv\. Sh\.|\((?:Dav\. )?\d+,?\)"),
        "a number of a database or court": (r"SCDB|T\.C\.M\. \(RIA\)|Fed\.App\.|FED App|Fulton|Weekly Fed"),
        "a paragraph without its sign": r"(?:CCH\) |Guide )\d",
        "a number that begins with a zero": r"L\. \d+-0|^1 Ill\. Comp\. Stat\. 0",
        "no law": r"^Registration No",
        "the database's number of a circuit": r"Circ?\. Ct\., \d+$",
        "a publisher in square brackets": r"\[CCH\]",
        "a letter behind a page that nothing else has": r"567d$",
        "a section with an invented number": r"9,1$|73-757:13$",
        "a year without brackets behind a section": r"183\.04:688 1999$",
        "a letter behind a neutral citation, spaced apart": r"VI Super \d+ [PU]$",
    }.items()
}
"""The reasons why examples are not read, by a pattern of the example."""


def list_examples() -> Iterator[tuple[str, str]]:
    """Yield every example with the name of its table."""
    for name, tables in (("reporters", REPORTERS), ("laws", LAWS), ("journals", JOURNALS)):
        for entry in (each for entries in tables.values() for each in entries):
            yield from ((name, example) for example in entry.get("examples") or ())

    for court in courts:
        if court["citation_string"]:
            yield "courts", court["citation_string"].strip()


def is_read(grammar: Grammar, name: str, example: str) -> bool:
    """Return whether a citation in a sentence is read as one, whole and of its kind."""
    sentence, kinds = SENTENCES[name]
    text = sentence.format(example)
    wanted = _PAGE_LETTER.sub("", example.rstrip("."))
    found = (each for each in grammar.find(text, "US") if each.form == "full")
    return any(each.kind in kinds and wanted in each.text for each in found)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--examples", type=int, default=40)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    grammar = Grammar.load()
    counts: Counter[tuple[str, str]] = Counter()
    unread: list[str] = []
    explained: defaultdict[str, list[str]] = defaultdict(list)
    for name, example in list_examples():
        if is_read(grammar, name, example):
            counts[name, "read"] += 1
            continue
        reason = next((why for pattern, why in REASONS.items() if pattern.search(example)), "")
        counts[name, "explained" if reason else "unread"] += 1
        if reason:
            explained[reason].append(example)
        else:
            unread.append(f"{name}: {example}")
    rows = []
    for name in SENTENCES:
        read, known, rest = (counts[name, each] for each in ("read", "explained", "unread"))
        rows.append([name, read + known + rest, read, known, rest, f"{read / max(1, read + rest):.1%}"])
    ordered = sorted(explained.items(), key=lambda each: -len(each[1]))
    head = ["examples of", "all", "read", "explained", "unread", "read of unexplained"]
    shown = [
        "    python benchmarks/bench_forms.py --write\n",
        "Every example of the two databases in a sentence: is it read whole and as its kind? *Explained* are "
        "examples that lexls leaves unread for a known reason.\n",
        listing(head, rows),
        f"Why not: {'; '.join(f'{why} {len(found)}' for why, found in ordered)}.\n",
    ]
    print(*shown, sep="\n")
    for each in unread[: asked.examples]:
        print(each)
    if asked.write:
        write_results("Forms of reporters-db and courts-db", shown)


if __name__ == "__main__":
    main()
