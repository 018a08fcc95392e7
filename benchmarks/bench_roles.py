"""How well the rhetorical roles of sentences are read, and how long that takes.

python benchmarks/bench_roles.py --data ../shared/data --half development
python benchmarks/bench_roles.py --data ../shared/data --half heldout
python benchmarks/bench_roles.py --data ../shared/data --speed 300
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from labelled_roles import labelled, read_judgment
from measuring import table

from lexls.citations.grammar import Grammar
from lexls.index.tokens import Tokenizer
from lexls.library.roles.reader import Method, RoleReader
from lexls.library.roles.role import ROLES, Role

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
        "--data", type=Path, required=True, help="the folder that holds in-cases and us-cases"
    )
    parser.add_argument("--half", choices=("development", "heldout"))
    parser.add_argument("--speed", type=int, metavar="N", help="measure the speed on N judgments")
    options = parser.parse_args()
    if options.half:
        report(options.half, options.data)
    if options.speed:
        speed(options.data, options.speed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
