"""How well the rhetorical roles of sentences are read, and how long that takes.

python benchmarks/bench_roles.py --data ../shared/data --half development
python benchmarks/bench_roles.py --data ../shared/data --half heldout
python benchmarks/bench_roles.py --data ../shared/data --speed 300
python benchmarks/bench_roles.py --labels 200 --index us.sqlite3 --index in.sqlite3 [--unseen]
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from labelled_roles import labelled, read_judgment
from measuring import table

from lexls.citations.grammar import Grammar
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.library.roles.reader import Method, RoleReader
from lexls.library.roles.role import ROLES, Role
from lexls.library.speakers import COURTS_OWN

METHODS: tuple[Method, ...] = ("rules", "classifier", "both")
ROLE_GROUPS: Mapping[Role, str] = {
    "PREAMBLE": "other",
    "FAC": "facts",
    "RLC": "ruling",
    "ISSUE": "issue",
    "ARG_PETITIONER": "argument",
    "ARG_RESPONDENT": "argument",
    "ANALYSIS": "analysis",
    "STA": "statute",
    "PRE_RELIED": "precedent",
    "PRE_NOT_RELIED": "precedent",
    "RATIO": "analysis",
    "RPC": "ruling",
    "NONE": "other",
}
"""Seven coarse groups, beside "other": facts, issue, argument, statute, precedent, analysis, ruling."""


def predictions(half: str, data: Path, method: Method) -> tuple[list[Role], list[Role]]:
    """The labelled roles and those that ``method`` reads, in the same order."""
    reader = RoleReader.load(method)
    gold: list[Role] = []
    found: list[Role] = []
    for each in labelled(half, data):
        judgment = each.judgment
        read = reader.sentence_roles(judgment.texts, judgment.headings)
        spans, roles = [], []
        for passage, sentences in zip(judgment.passages, read, strict=True):
            spans += [sentence.span.shift(passage.start) for sentence in sentences]
            roles += [sentence.role for sentence in sentences]
        gold += each.roles
        found += [roles[row] for row in each.rows(spans)]
    return gold, found


def scores(gold: Sequence[str], found: Sequence[str], name: str) -> tuple[float, float, float, int]:
    """Precision, recall, F1 and the number of labelled sentences of one role or group."""
    hits = sum(a == b == name for a, b in zip(gold, found, strict=True))
    said, there = sum(b == name for b in found), sum(a == name for a in gold)
    precision, recall = hits / said if said else 0.0, hits / there if there else 0.0
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    return precision, recall, f1, there


def report(half: str, data: Path) -> None:
    """Print the figures of every method on one half of the labelled sentences."""
    summary = []
    details = {}
    for method in METHODS:
        gold, found = predictions(half, data, method)
        groups = [ROLE_GROUPS[each] for each in gold], [ROLE_GROUPS[each] for each in found]
        right = [
            sum(a == b for a, b in zip(*pair, strict=True)) / len(gold) for pair in ((gold, found), groups)
        ]
        macro = []
        for have, said in ((gold, found), groups):
            names = sorted(set(have))
            macro.append(sum(scores(have, said, name)[2] for name in names) / len(names))
        summary.append([method, *(f"{each:.3f}" for each in (right[0], macro[0], right[1], macro[1]))])
        details[method] = (gold, found, groups)
    print(f"{len(gold)} sentences of {half}\n")
    print(table(["by", "accuracy", "macro-F1", "accuracy, groups", "macro-F1, groups"], summary))
    for method, (gold, found, groups) in details.items():
        rows = []
        for names, (have, said) in ((ROLES, (gold, found)), (sorted(set(groups[0])), groups)):
            for name in names:
                precision, recall, f1, there = scores(have, said, name)
                if there:
                    rows.append([name, there, f"{precision:.2f}", f"{recall:.2f}", f"{f1:.2f}"])
        print(f"\n{method}\n")
        print(table(["role or group", "sentences", "precision", "recall", "F1"], rows))


def show_labels(indexes: Sequence[Path], count: int, unseen: bool) -> None:
    """Print labelled passages to be judged by eye: about ``count``, as many of each label of each index.

    ``unseen``: of the documents that were not looked at while the rules were written, every third by a hash.
    """
    drawn: list[list[str]] = []
    for index in indexes:
        library = Library(index)
        labelled: defaultdict[str, list[str]] = defaultdict(list)
        shuffled = sorted(library.catalogue.all(), key=lambda each: _hash(f"labels {each.relative}"))
        for authority in (each for each in shuffled if (_hash(each.relative) % 3 == 0) == unseen):
            passages = [each for each in library.contents.passages(authority.id) if each.label]
            for name in {each.speaker if each.speaker not in COURTS_OWN else each.label for each in passages}:
                named = [each for each in passages if name in (each.speaker, each.label)]
                chosen = min(named, key=lambda each: _hash(f"{authority.relative} {each.start}"))
                words = " ".join(chosen.text.split())
                head = f"{authority.relative} {chosen.start} | {chosen.heading[-60:]} | {chosen.label}"
                labelled[name].append(f"{head}\n    {words[:300]} … {words[-200:]}")
        drawn += labelled.values()
    most = max(1, count // max(1, len(drawn)))
    for each in drawn:
        print("\n".join(each[:most]))


def _hash(name: str) -> int:
    return int(hashlib.sha256(name.encode()).hexdigest(), 16)


def speed(data: Path, count: int) -> None:
    """Print the processor time of the roles and, to compare, of the BM25 tokenizer on the same passages."""
    grammar = Grammar.load()
    names = sorted(path.name for path in (data / "in-cases").glob("*.txt"))[:count]
    judgments = [read_judgment(data, f"in-cases/{name}", grammar) for name in names]
    texts = [each.texts for each in judgments]
    passages = sum(map(len, texts))
    started = time.process_time()
    reader = RoleReader.load()
    loaded = time.process_time() - started
    tokenizer = Tokenizer()
    rows = []
    for what in ("roles", "tokenizer", "roles", "tokenizer"):
        started = time.process_time()
        for judgment, pieces in zip(judgments, texts, strict=True):
            if what == "roles":
                reader.passage_roles(pieces, judgment.headings)
            else:
                for piece in pieces:
                    tokenizer.tokenize(piece)
        rows.append([what, f"{(time.process_time() - started) * 1e6 / passages:.0f}"])
    print(f"{len(names)} judgments, {passages} passages; loading takes {loaded:.2f} s of processor time\n")
    print(table(["what", "µs of processor time a passage"], rows))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--data", type=Path, default=Path(), help="the folder that holds in-cases and us-cases"
    )
    parser.add_argument("--half", choices=("development", "heldout"))
    parser.add_argument("--speed", type=int, metavar="N", help="measure the speed on N judgments")
    parser.add_argument("--labels", type=int, metavar="N", help="print N labels of passages")
    parser.add_argument("--index", type=Path, action="append", default=[])
    parser.add_argument("--unseen", action="store_true")
    options = parser.parse_args()
    if options.labels:
        show_labels(options.index, options.labels, options.unseen)
    if options.half:
        report(options.half, options.data)
    if options.speed:
        speed(options.data, options.speed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
