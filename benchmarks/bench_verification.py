"""How well the verification of sentences tells true ones from false ones, and orders to models from law.

Sentences of judgments, Acts and contracts, each with its paragraphs as evidence and itself as its quotation
and as the question (so that the question would bear out whatever the evidence does not), are changed in the
ways of ``sentence_edits`` and verified. Sentences of one half of the documents were looked at while the
checks were written, those of the other half never. Then the sentences of a sample are counted that are taken
for orders to a language model: all of them are law.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from measuring import Spread, listing, table, write_results
from sentence_edits import FALSE, TRUE, Edit

from lexls.citations.entities import find_names
from lexls.grounding.answer import Claim, Quoted, Request
from lexls.grounding.evidence import Evidence, TextSegment
from lexls.grounding.injection import find_order
from lexls.grounding.verification.verifier import EvidenceVerifier
from lexls.index.records import Authority
from lexls.index.tokens import Tokenizer
from lexls.text.cancel import CancelToken
from lexls.text.sentences import cut_sentences
from lexls.wording.prose import states

ROOT = Path(__file__).parents[1]
DATA = ROOT / ".." / "shared" / "data"
SAMPLE = ROOT / "examples" / "library"
CORPORA = ("us-cases", "in-cases", "contracts", "in-statutes", "us-code", "scotus")
SEED = 20261121
LONGEST_READ = 120_000
SHORTEST, LONGEST = 60, 420
_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Sample:
    """A sentence with the text around it, and whether its document is of the half never looked at."""

    text: str
    sentence: str
    start: int
    held_out: bool


def documents(folder: Path, chance: random.Random) -> Iterator[tuple[Path, str]]:
    """The texts of a folder in random order."""
    paths = sorted(path for path in folder.rglob("*") if path.suffix in (".txt", ".md"))
    chance.shuffle(paths)
    for path in paths:
        yield path, _FRONT.sub("", path.read_text("utf-8", "replace"))[:LONGEST_READ]


def samples(each_corpus: int, of_each: int) -> list[Sample]:
    """Sentences of all corpora, a few of each document."""
    found: list[Sample] = []
    for folder in [*(DATA / name for name in CORPORA), SAMPLE]:
        chance = random.Random(f"{SEED} {folder.name}")
        count = 0
        for number, (_, text) in enumerate(documents(folder, chance)):
            spans = [
                each for each in cut_sentences(text)
                if SHORTEST <= len(each) <= LONGEST and states(each.of(text)) and "\n" not in each.of(text)
                and each.of(text)[0].isupper()
            ]  # fmt: skip
            for span in chance.sample(spans, min(of_each, len(spans))):
                low, high = max(0, span.start - 900), min(len(text), span.end + 900)
                found.append(Sample(text[low:high], span.of(text), span.start - low, bool(number % 2)))
                count += 1
            if count >= each_corpus:
                break
    random.Random(SEED).shuffle(found)
    return found


def request_of(sample: Sample) -> Request:
    """The request whose evidence is the text around a sentence."""
    authority = Authority(
        1, Path("a.txt"), Path(), "a.txt", "", "", (), "", "", "case", "", True
    )  # fmt: skip
    core = (sample.start, sample.start + len(sample.sentence))
    breaks = [match.end() for match in re.finditer(r"\n\s*\n", sample.text)]
    segments = tuple(TextSegment(start) for start in [0, *breaks])
    evidence = Evidence("P1", authority, 0, len(sample.text), sample.text, segments, core)
    return Request("explain", sample.sentence, (evidence,))


@dataclass(slots=True)
class Tally:
    """What became of the claims of one kind: stood as written, by half, and the faults found first."""

    tried: Counter[bool]
    stood: Counter[bool]
    faults: Counter[str]
    examples: list[str]


def tally(
    edit: Edit, found: list[Sample], words: list[str], most: int, name: str, took: list[float]
) -> Tally:
    """Up to ``most`` claims of one kind, verified."""
    chance = random.Random(f"{SEED} {name}")
    result = Tally(Counter(), Counter(), Counter(), [])
    verifier, token = EvidenceVerifier(Tokenizer().tokenize, 0.6), CancelToken()
    for sample in found:
        if result.tried.total() >= most:
            break
        changed = edit(sample.sentence, chance, words)
        if changed is None or (changed == sample.sentence and name != "the sentence itself"):
            continue
        request = request_of(sample)
        claim = Claim(changed, (Quoted("P1", sample.sentence),))
        started = time.perf_counter()
        verdict = verifier.verify(claim, request, token)
        took.append((time.perf_counter() - started) * 1000)
        stands = verdict.sentence is not None and not verdict.sentence.is_extract
        result.tried[sample.held_out] += 1
        result.stood[sample.held_out] += stands
        for fault in verdict.faults[:1]:
            result.faults[fault.kind] += 1
        if stands == (name in FALSE) and not sample.held_out:
            why = "; ".join(f"{each.kind} {' '.join(each.words)}" for each in verdict.faults)
            result.examples.append(f"{changed}  <<  {sample.sentence}  [{why}]")
    return result


def verified(found: list[Sample], most: int, show: int) -> Iterator[str]:
    """Judge true and false claims; yield the figures, and a table of the kinds with misjudged claims."""
    words = sorted({word for each in found[::7] for word in re.findall(r"\b[a-z]{4,}\b", each.sentence)})
    words += sorted({name for each in found for _, name in find_names(each.sentence) if name.isalpha()})
    took: list[float] = []
    rows: list[list[object]] = []
    for kinds, should in ((TRUE, "stand"), (FALSE, "fail")):
        for name, edit in kinds.items():
            result = tally(edit, found, words, most, name, took)
            row: list[object] = [name, should]
            for half in (False, True):
                right = result.stood[half] if should == "stand" else result.tried[half] - result.stood[half]
                row.append(f"{right}/{result.tried[half]} ({right / max(1, result.tried[half]):.1%})")
            row.append(", ".join(f"{kind} {count}" for kind, count in result.faults.most_common(4)))
            rows.append(row)
            print(*row, sep=" | ", flush=True)
            for each in result.examples[:show]:
                print("    ", each)
    spread = Spread.of(took)
    perfect = [row for row in rows if all("(100.0%)" in str(cell) for cell in row[2:4])]
    said = ", ".join(f"{row[0]} {str(row[2]).split()[0]} and {str(row[3]).split()[0]}" for row in perfect)
    yield f"Right every time (first and second half), all to fail: {said}.\n"
    yield (
        f"A claim takes {spread.p50:.1f} ms to verify (p95 {spread.p95:.1f} ms), its evidence read anew "
        "each time.\n"
    )
    yield table(
        ["claim", "should", "first half: right", "second half: right", "faults named first"],
        [row for row in rows if row not in perfect],
    )


def false_orders(each_corpus: int) -> str:
    """Sentences of law that are taken for orders to a model."""
    rows: list[list[object]] = []
    for name in CORPORA:
        count, taken, seconds = 0, [], 0.0
        for _, text in documents(DATA / name, random.Random(f"{SEED} orders {name}")):
            cut = [span.of(text) for span in cut_sentences(text)]
            started = time.perf_counter()
            taken += [order for order in map(find_order, cut) if order]
            seconds += time.perf_counter() - started
            count += len(cut)
            if count >= each_corpus:
                break
        rows.append(
            [name, f"{count:,}", len(taken), "; ".join(f"“{each}”" for each in taken[:8]),
             f"{seconds / count * 1e6:.0f} µs"]
        )  # fmt: skip
        print(*rows[-1], sep=" | ", flush=True)
    head = ["corpus", "sentences", "taken for orders", "by these words", "a sentence takes"]
    return "Law taken for orders to a language model. " + listing(head, rows)


def main() -> None:
    """Measure, and write the section of RESULTS.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=600, help="of each kind")
    parser.add_argument("--sentences", type=int, default=100_000, help="of each corpus, for false orders")
    parser.add_argument(
        "--show", type=int, default=0, help="wrongly judged claims of the first half to print"
    )
    arguments = parser.parse_args()
    found = samples(arguments.claims * 6, 40)
    print(len(found), "sentences")
    parts = [
        "    python benchmarks/bench_verification.py"
        f" --claims {arguments.claims} --sentences {arguments.sentences}\n",
        "Sentences of judgments, Acts and contracts are changed and verified against their own paragraphs, "
        "with the sentence itself as quotation and as question. Right: a true one stands, a false one does "
        "not (an extract is shown instead). Wrongly judged sentences were read in the first half alone, so "
        "the second is unseen.\n",
    ]
    *said, shown = verified(found, arguments.claims, arguments.show)
    if arguments.sentences:
        parts += [false_orders(arguments.sentences), *said, shown]
        write_results("Verification", parts)


if __name__ == "__main__":
    main()
