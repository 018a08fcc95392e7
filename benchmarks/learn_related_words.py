"""Learn which words of law go together, for ``lexls/retrieval/data/related_words.npz``.

    python benchmarks/learn_related_words.py ../shared/data/in-cases ../shared/data/us-cases

Judgments tell facts in plain words and then name the offence, the remedy, the doctrine. So words that
judgments use together carry a narrative ("stabbed", "deceased") to the words of a provision ("murder").
This is latent semantic analysis (Deerwester et al., "Indexing by latent semantic analysis", 1990): the
leading right singular vectors of the matrix of judgments by terms, each entry (1 + ln f) · ln(N / n), rows of
length 1. Terms that are rare, that more than half of the judgments have, or that are nearly always written
with a capital (names of people and places) are left out. What is kept is a row of whole numbers for each
term, of which no text can be made again.

Needs SciPy (extra ``eval``) and takes about a minute.
"""

from __future__ import annotations

import argparse
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import svds

from lexls.index.tokens import Tokenizer

TARGET = Path(__file__).parents[1] / "lexls" / "retrieval" / "data" / "related_words.npz"
DIMENSIONS = 64
FEWEST = 30
"""A term of fewer judgments is left out."""
WIDEST = 0.5
"""So is one that a larger share of the judgments have."""
SMALL_LETTERS = 0.1
"""A term is a name if a smaller share of its occurrences begin with a small letter."""
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def main() -> None:
    """Read the folders, write the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--target", type=Path, default=TARGET)
    parser.add_argument(
        "--without", type=Path, help="a file with names of judgments to leave out, one a line"
    )
    asked = parser.parse_args()
    without = set(asked.without.read_text(encoding="utf-8").split()) if asked.without else set()
    terms, matrix, small = counted(texts(asked.folders, without))
    print(f"{matrix.shape[0]} judgments, {matrix.shape[1]} terms")
    kept, idf, vectors = learnt(terms, matrix, small)
    scale = float(np.abs(vectors).max()) / 127
    asked.target.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        asked.target,
        words=np.frombuffer("\n".join(kept).encode(), dtype=np.uint8),
        idf=idf.astype(np.float32),
        vectors=np.round(vectors / scale).astype(np.int8),
    )
    print(f"{len(kept)} terms in {asked.target}, {asked.target.stat().st_size / 1000:.0f} kB")


def texts(folders: list[Path], without: set[str]) -> Iterator[str]:
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".txt", ".md") and path.stem not in without:
                yield _FRONT_MATTER.sub("", path.read_text(encoding="utf-8", errors="replace"))


def counted(judgments: Iterator[str]) -> tuple[list[str], sparse.csr_matrix, np.ndarray]:
    """The terms, how often each judgment has each, and the share of a term's words in small letters."""
    tokenizer = Tokenizer()
    numbers: dict[str, int] = {}
    rows: list[int] = []
    columns: list[int] = []
    values: list[int] = []
    cased: Counter[str] = Counter()
    row = -1
    for row, text in enumerate(judgments):
        for term, count in Counter(tokenizer.tokenize(text)).items():
            rows.append(row)
            columns.append(numbers.setdefault(term, len(numbers)))
            values.append(count)
        cased.update(_WORD.findall(text))
    matrix = sparse.csr_matrix((values, (rows, columns)), shape=(row + 1, len(numbers)), dtype=np.float64)
    small, all_cases = np.zeros(len(numbers)), np.zeros(len(numbers))
    for word, count in cased.items():
        for term in tokenizer.tokenize(word):
            number = numbers.get(term)
            if number is not None:
                all_cases[number] += count
                small[number] += count if word[0].islower() else 0
    return list(numbers), matrix, small / np.maximum(all_cases, 1)


def learnt(
    terms: list[str], matrix: sparse.csr_matrix, small: np.ndarray
) -> tuple[list[str], np.ndarray, np.ndarray]:
    """The terms that are kept, their idf, and a row of ``DIMENSIONS`` numbers each."""
    judgments = matrix.shape[0]
    frequency = np.asarray((matrix > 0).sum(axis=0)).ravel()
    lettered = np.array([any(letter.isalpha() for letter in term) and len(term) > 1 for term in terms])
    kept = np.flatnonzero(
        (frequency >= FEWEST) & (frequency <= WIDEST * judgments) & (small >= SMALL_LETTERS) & lettered
    )
    idf = np.log(judgments / frequency[kept])
    weighted = matrix[:, kept].tocsr()
    weighted.data = 1 + np.log(weighted.data)
    weighted = weighted @ sparse.diags(idf)
    lengths = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
    weighted = sparse.diags(1 / np.maximum(lengths, 1e-12)) @ weighted
    _, singular, right = svds(weighted.tocsc(), k=DIMENSIONS, random_state=0)
    order = np.argsort(-singular)
    return [terms[number] for number in kept], idf, right[order].T


if __name__ == "__main__":
    main()
