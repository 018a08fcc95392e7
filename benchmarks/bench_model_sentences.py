"""How many true and how many false sentences of small models stand above the quotation they were written on.

    python benchmarks/bench_model_sentences.py [FILE.tsv…] [--show] [--write]

``model_sentences.tsv`` has sentences in the manner of real ones, all invented: "true" is what the quotation
says, "false" what says otherwise or more, "beyond" what may be so but the quotation does not say. Files of
real ones can be named beside it; a column ``part`` parts those that were looked at from the unseen, and a
column ``title`` says what the authority is called.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from measuring import Spread, listing, write_results

from lexls.grounding.answer import Claim, Quoted, Request
from lexls.grounding.evidence import Evidence, TextSegment
from lexls.grounding.verification.verifier import EvidenceVerifier
from lexls.index.records import Authority
from lexls.index.tokens import Tokenizer
from lexls.text.cancel import CancelToken

ROWS = Path(__file__).with_name("model_sentences.tsv")
LABELS = ("true", "false", "beyond")


@dataclass
class Tally:
    """The sentences of one part of a file by their labels: how many were tried, and how many stood."""

    tried: Counter[str] = field(default_factory=Counter)
    stood: Counter[str] = field(default_factory=Counter)

    def cells(self) -> Iterator[str]:
        """A cell for each label."""
        for label in LABELS:
            share = self.stood[label] / max(1, self.tried[label])
            yield f"{self.stood[label]} of {self.tried[label]} ({share:.0%})"


def judge(path: Path, took: list[float], show: bool) -> dict[str, Tally]:
    """The sentences of a file, by its parts; ``took`` gets the milliseconds of each."""
    verifier, token = EvidenceVerifier(Tokenizer().tokenize, 0.6), CancelToken()
    found: defaultdict[str, Tally] = defaultdict(Tally)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            text, tally = row["quotation"], found[row.get("part", "")]
            title = row.get("title") or ""
            authority = Authority(1, Path("a.txt"), Path(), "a.txt", title, "", (), "", "", "case", "", True)
            evidence = Evidence("P1", authority, 0, len(text), text, (TextSegment(0),), (0, len(text)))
            request = Request("ask", row["question"], (evidence,))
            started = time.perf_counter()
            verdict = verifier.verify(Claim(row["sentence"], (Quoted("P1", text),)), request, token)
            took.append((time.perf_counter() - started) * 1000)
            stands = verdict.sentence is not None and not verdict.sentence.is_extract
            tally.tried[row["label"]] += 1
            tally.stood[row["label"]] += stands
            if show and stands != (row["label"] == "true"):
                faults = "; ".join(f"{each.kind} {' '.join(each.words)}" for each in verdict.faults)
                print(f"{row['label']}: {row['sentence']}  <<  {text}  [{faults}]")
    return found


def main() -> None:
    """Measure, and write the section of RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="*", default=[ROWS])
    parser.add_argument("--show", action="store_true", help="sentences that are judged wrongly")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    took: list[float] = []
    rows = [
        [" ".join((path.stem, part)).strip(), *tally.cells()]
        for path in arguments.files
        for part, tally in judge(path, took, arguments.show).items()
    ]
    spread = Spread.of(took)
    shown = f"A sentence takes {spread.p50:.1f} ms (p95 {spread.p95:.1f} ms). "
    shown += listing(["sentences", *(f"{each}: stood" for each in LABELS)], rows)
    print(shown)
    if arguments.write:
        note = (
            "Sentences of SmolLM2-135M and Qwen2.5-Coder (0.5B and 1.5B) on questions and citing sentences "
            "of three libraries, labelled one by one: how many pass the checks (*stood*). The unseen half "
            "(by question) was not looked at. *model_sentences* are what the checks were written for.\n"
        )
        parts = ["    python benchmarks/bench_model_sentences.py [FILE.tsv…]\n", note, shown]
        write_results("Sentences of small models", parts)


if __name__ == "__main__":
    main()
