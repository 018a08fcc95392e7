"""Learn how courts give the day of a paper (``lexls/library/decision_dates.tsv``).

    python benchmarks/train_dates.py [--data ../shared] [--validate] [--write]

Taught are invented court papers (``court_papers.jsonl.xz``: sets of papers, each set by one writer;
``dated_heads.toml``: heads that the sets lack), papers of the layouts in ``captions``, and, where the folder
``--data`` is there, the documents of ``authority-formats`` whose mark-up does not tell the day.
All are read as lexls reads them. A softmax over the days of a paper and "none of them" is fitted with a
penalty on the squares of the weights; each paper counts a second time, little, without its day: then none
is right. ``--validate`` fits once for each set without it, and says how many days of that set are found,
how many that are given are wrong, and how often a day is given for a paper whose own was taken away.

Needs SciPy.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from bench_court_papers import load_papers
from caption_papers import load_layouts, make_papers, set_text, write_date
from scipy import sparse
from scipy.optimize import minimize

from lexls.citations.grammar import Grammar
from lexls.library import decision_dates, metadata
from lexls.library.decision_dates import (
    NO_DAY,
    DateCandidate,
    DatedPaper,
    choose_date,
    find_days,
    list_candidates,
    write_plainly,
)
from lexls.library.readers import parse, read

FOLDER = Path(__file__).resolve().parent
OUT = Path(decision_dates.__file__).with_suffix(".tsv")
SETS_OF_FORMATS = ("scotus-text", "uk-docx", "us-court-files", "us-court-pdf", "in-text")
PENALTY = 0.2
WITHOUT_DAY = 0.1
"""How much a paper counts whose day was taken away."""
WEIGHTS = {"heads": 0.15, "captions": 0.5, "in-text": 0.2}
"""How much a paper counts of the sets whose papers are much alike; others 1."""
DAYS = (
    (date(2021, 3, 16), date(2021, 3, 18), date(2020, 11, 5), date(2020, 8, 27)),
    (date(2019, 12, 4), date(2019, 12, 9), date(2019, 2, 22), date(2018, 10, 31)),
)
"""The paper's own day, one soon after it, and two before it, for each of the ``dated_heads``."""
FORMS = {"US": ("month", "MONTH", "us", "ordinal"), "UK": ("dmy", "DMY", "uk"), "AU": ("dmy", "eu")}
"""The ways in which the days of the heads are written, as ``write_date`` names them."""
INVENTED = frozenset(("oak", "vane", "ryle", "ash", "elm"))
"""Names in the ``dated_heads``, of which nothing is to be learned."""
FEWEST_PAPERS = 3
"""Minimum number of papers with a feature that has a weight."""
SMALLEST = 0.15
"""Weights nearer to 0 are left out; 0.02 keeps two and a half times as many, for 5 more of 2,002 papers."""


@dataclass(frozen=True, slots=True)
class Taught:
    """A paper with the days that are right, and its candidates, with and without those."""

    group: str
    name: str
    right: frozenset[str]
    candidates: Sequence[DateCandidate]
    without: Sequence[DateCandidate]


class Recorder:
    """Reads papers as lexls does, and keeps what its reader of dates is given."""

    def __init__(self) -> None:
        self._grammar = Grammar.load()
        self._asked: list[DatedPaper] = []
        vars(metadata)["find_own_date"] = self._record

    def _record(self, paper: DatedPaper) -> tuple[str, bool]:
        self._asked.append(paper)
        return "", False

    def read(self, path: Path, text: str | None = None) -> DatedPaper | None:
        """Return what the reader of dates is given, None if nothing; ``text`` replaces that of the file."""
        self._asked.clear()
        if text is None:
            read(path, self._grammar)
        else:
            parse(path, text.encode(), self._grammar)
        return self._asked[-1] if self._asked else None


def teach(group: str, name: str, paper: DatedPaper, right: frozenset[str]) -> Taught:
    text = write_plainly(paper.text)
    bare = text
    for start, end, day in find_days(text, paper):
        if day in right:
            bare = bare[:start] + re.sub(r"\w", "_", bare[start:end]) + bare[end:]
    return Taught(
        group,
        name,
        right,
        list_candidates(paper),
        list_candidates(replace(paper, text=bare)) if right else (),
    )


def read_papers(data: Path) -> Iterator[Taught]:
    recorder = Recorder()
    for each in load_papers():
        paper = recorder.read(Path(each["file"]), each["text"])
        right = frozenset(filter(None, (each.get("date"), *each.get("dates", ()))))
        if paper:
            yield teach(each["set"], each["file"], paper, right)
    heads = tomllib.loads((FOLDER / "dated_heads.toml").read_text("utf-8"))
    for number, (jurisdiction, head) in enumerate(
        (jurisdiction, head) for jurisdiction, texts in heads.items() for head in texts
    ):
        for days, form in itertools.product(DAYS, FORMS[jurisdiction]):
            text = head
            for name, day in zip(("own", "other later", "other", "third"), days, strict=True):
                text = text.replace(f"{{{name}}}", write_date(day, form))
            right = frozenset([days[0].isoformat()] if "{own}" in head else ())
            yield teach("heads", f"{number}", DatedPaper(text, "case", jurisdiction), right)
    layouts = [*load_layouts("seen"), *load_layouts("unseen")]
    for number, drawn in enumerate(make_papers(layouts, 6, 11)):
        paper = recorder.read(Path(f"{number}.txt"), set_text(drawn))
        if paper and drawn.date:
            yield teach("captions", f"{drawn.layout} {number}", paper, frozenset((drawn.date,)))
    yield from _read_formats(recorder, data)


def _read_formats(recorder: Recorder, data: Path) -> Iterator[Taught]:
    for name in SETS_OF_FORMATS:
        gold = data / "authority-formats" / "gold" / f"{name}.dev.jsonl"
        folder = data / "data" / "in-cases" if name == "in-text" else data / "authority-formats" / name
        for each in map(json.loads, gold.open(encoding="utf-8") if gold.exists() else ()):
            right = frozenset(filter(None, (each.get("date"), *(each.get("dates") or ()))))
            if right and not each.get("unreadable") and (paper := recorder.read(folder / each["file"])):
                yield teach(name, each["file"], paper, right)


def fit(papers: Sequence[Taught]) -> Mapping[str, float]:
    """The weights that make the right days of the papers likeliest."""
    told_in: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for paper in papers:
        for candidate in paper.candidates:
            for feature in candidate.features:
                told_in[feature].add((paper.group, paper.name))
    names = sorted(
        name
        for name, where in told_in.items()
        if len(where) >= FEWEST_PAPERS and INVENTED.isdisjoint(name.split())
    )
    columns = {name: column for column, name in enumerate(names)}
    choices = [
        (candidates, right, weight * WEIGHTS.get(paper.group, 1.0))
        for paper in papers
        for candidates, right, weight in (
            (paper.candidates, paper.right or {NO_DAY}, 1.0),
            (paper.without, {NO_DAY}, WITHOUT_DAY),
        )
        if any(each.date in right for each in candidates) and len(candidates) > 1
    ]
    rows = [each for candidates, *_ in choices for each in candidates]
    told = [[columns[name] for name in each.features if name in columns] for each in rows]
    counts = np.array([0, *map(len, told)]).cumsum()
    indices = np.array([column for each in told for column in each])
    matrix = sparse.csr_matrix((np.ones(len(indices)), indices, counts), shape=(len(rows), len(names)))
    right = np.array([float(each.date in days) for candidates, days, _ in choices for each in candidates])
    sizes = [len(candidates) for candidates, *_ in choices]
    starts = np.array([0, *sizes]).cumsum()[:-1]
    choice_of = np.repeat(np.arange(len(choices)), sizes)
    weight = np.array([weight for *_, weight in choices])

    def lose(weights: np.ndarray[Any, Any]) -> tuple[float, np.ndarray[Any, Any]]:
        values = matrix @ weights
        shares = np.exp(values - np.maximum.reduceat(values, starts)[choice_of])
        shares /= np.add.reduceat(shares, starts)[choice_of]
        hit = np.add.reduceat(shares * right, starts)
        moved = (shares * right / hit[choice_of] - shares) * weight[choice_of]
        penalty = PENALTY * (weights @ weights)
        return penalty - weight @ np.log(hit), 2 * PENALTY * weights - matrix.T @ moved

    found = minimize(lose, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 100}).x
    return {name: float(value) for name, value in zip(names, found, strict=True) if abs(value) >= SMALLEST}


def validate(papers: Sequence[Taught]) -> None:
    """Print, for each set of papers, what is found when only the other sets are taught."""
    total = np.zeros(6, int)
    for group in dict.fromkeys(paper.group for paper in papers):
        weights = fit([paper for paper in papers if paper.group != group])
        counts = np.zeros(6, int)
        for paper in (paper for paper in papers if paper.group == group):
            day = choose_date(paper.candidates, weights)
            bare = choose_date(paper.without, weights) if paper.without else ""
            known = bool(paper.right)
            found = day in paper.right if known else not day
            wrong = bool(day) and day not in paper.right
            counts += [1, found, bool(day), wrong, len(paper.without) > 1, bool(bare)]
        print(f"{group:>14}: {_report(counts)}")
        total += counts
    print(f"{'all':>14}: {_report(total)}")


def _report(counts: np.ndarray[Any, Any]) -> str:
    papers, found, given, wrong, without, invented = counts
    return f"{found} of {papers} right; {wrong} of {given} given wrong; {invented} of {without} without a day"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", type=Path, default=FOLDER.parent.parent / "shared")
    arguments.add_argument("--validate", action="store_true")
    arguments.add_argument("--write", action="store_true")
    options = arguments.parse_args()
    papers = [*read_papers(options.data)]
    if options.validate:
        validate(papers)
    if options.write:
        weights = fit(papers)
        lines = (f"{name}\t{value:.2f}\n" for name, value in sorted(weights.items()))
        OUT.write_text("".join(lines), encoding="utf-8")
        print(f"{len(weights)} weights of {len(papers)} papers: {OUT.name}")


if __name__ == "__main__":
    main()
