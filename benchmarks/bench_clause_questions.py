"""How many freely worded questions are recognised as asking for their kind of clause.

    python benchmarks/bench_clause_questions.py

``clause_questions.tsv`` holds questions of our own: set, kind, question. The triggers were mended after
set 1 was asked for the first time; set 2 was written after that and nothing was changed for it.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from lexls.index.tokens import Tokenizer
from lexls.retrieval.clauses import ClauseTypes
from lexls.retrieval.named_documents import split_naming

QUESTIONS = Path(__file__).with_name("clause_questions.tsv")


def main() -> None:
    types = ClauseTypes(Tokenizer())
    counts: dict[str, list[str]] = defaultdict(list)
    for line in QUESTIONS.read_text(encoding="utf-8").splitlines():
        part, kind, question = line.split("\t")
        found = [each.name for each in types.recognise(split_naming(question).rest)]
        verdict = (
            "alone" if found == [kind] else "among others" if kind in found else "wrong" if found else "none"
        )
        counts[part].append(verdict)
        if verdict != "alone":
            print(f"{part} {verdict}: {question} {found}")
    for part, verdicts in counts.items():
        told = ", ".join(
            f"{verdicts.count(each)} {each}" for each in ("alone", "among others", "wrong", "none")
        )
        print(f"set {part}: {len(verdicts)} questions: {told}")


if __name__ == "__main__":
    main()
