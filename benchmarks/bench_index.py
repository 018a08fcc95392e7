"""Indexing a library as a user does: the time until it is searchable, memory, vectors, saved files.

    python benchmarks/bench_index.py ../shared/data/in-cases --jurisdiction IN

Runs the real ``lexls index`` and the real indexer process on a fresh index. A few files of the library are
copied beside it into a folder of their own, so that they can be changed. ``--index`` keeps the finished
index for ``bench_server.py``.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from measuring import Spread, TreeWatch, as_row, lexls, load, machine, run_json, table, write_results

from lexls.index.config import IndexerConfig, make_indexer_config
from lexls.index.embedding import open_embedder
from lexls.index.library import Library
from lexls.index.process import start_indexer
from lexls.index.status import IndexStatus
from lexls.index.tokens import Tokenizer
from lexls.settings.load import load as load_settings

SAVED = 20
WISHES = 5
WISHED = 50
SAMPLE = 768
BATCH = 64
PATIENCE = 120.0
LOOK_SECONDS = 0.02
QUESTIONS = (
    "compensation for land acquired for a public purpose",
    "the burden of proving that a dying declaration was made voluntarily",
    "whether a tenant in arrears of rent is protected from eviction",
    "dismissal of a civil servant without a reasonable opportunity to show cause",
    "limitation for an application to set aside an arbitral award",
)


class Bench:
    """One run over one library, in a folder that is thrown away."""

    def __init__(self, library: Path, jurisdiction: str, index: Path, folder: Path) -> None:
        self.index = index
        self.changing = folder / "changing"
        self.changing.mkdir()
        files = sorted(each for each in library.rglob("*") if each.suffix in (".txt", ".md"))
        step = max(1, len(files) // SAVED)
        for file in files[::step][:SAVED]:
            shutil.copy(file, self.changing / f"changing-{file.name}")
        self.arguments = [
            "index", str(library), str(self.changing), "--index", str(index), "--jurisdiction", jurisdiction
        ]  # fmt: skip
        settings, _ = load_settings(library)
        self.config: IndexerConfig = make_indexer_config(
            [library, self.changing], replace(settings, jurisdiction=jurisdiction), index
        )

    # -- lexical -------------------------------------------------------------------------------------------

    def lexical(self) -> dict[str, Any]:
        """The first run, until text and postings are in, and three with nothing changed."""
        before = load()
        started = time.perf_counter()
        process = subprocess.Popen(lexls(*self.arguments, "--lexical", "--json"), stdout=subprocess.PIPE)
        with TreeWatch(process.pid) as watch:
            words = self._wait_for_words(process)
            output, _ = process.communicate()
        seconds = time.perf_counter() - started
        report = json.loads(output)
        again = [run_json(*self.arguments, "--lexical")[1] for _ in range(3)]
        return {
            "documents": report["documents"],
            "passages": report["passages"],
            "failed": len(report["failed"]),
            "words_seconds": round(words - started, 1),
            "seconds": round(seconds, 1),
            "processor_seconds": round(watch.processor_seconds, 1),
            "peak_pss_mb": watch.pss // 2**20,
            "peak_rss_mb": watch.rss // 2**20,
            "processes": watch.processes,
            "second_run_seconds": sorted(round(each, 2) for each in again)[1],
            "load": [round(before, 1), round(load(), 1)],
        }

    def _wait_for_words(self, process: subprocess.Popen[bytes]) -> float:
        """When all words are in, so that what the judgments cite is read."""
        with closing(IndexStatus(self.index)) as status:
            while process.poll() is None:
                if status.progress().phase == "citations":
                    break
                time.sleep(LOOK_SECONDS)
        return time.perf_counter()

    # -- while vectors are made ------------------------------------------------------------------------

    def beside_embedding(self) -> dict[str, Any]:
        """Save-to-searchable and wished-for passages, while an indexer makes vectors."""
        with self._indexer() as process, TreeWatch(process.pid) as watch, _open(self.index) as library:
            self._until(
                "embedding",
                lambda: library.status.progress().phase == "embedding" and library.has_vectors,
                library,
            )
            found = {"saved": self._saved(library), "wished": self._wished(library)}
            phase = library.status.progress().phase
        return {
            **found,
            "still_embedding": phase == "embedding",
            "peak_pss_mb": watch.pss // 2**20,
            "peak_rss_mb": watch.rss // 2**20,
        }

    def _saved(self, library: Library) -> dict[str, float]:
        """Milliseconds from the end of a write until a search finds the new word."""
        tokenizer = Tokenizer()
        spent = []
        for number, file in enumerate(sorted(self.changing.iterdir())):
            word = f"zyxnonce{number:02}qv"
            (token,) = tokenizer.tokenize(word)
            with open(file, "a", encoding="utf-8") as stream:
                stream.write(f"\n\nThe word {word} was added just now.\n")
            started = time.perf_counter()
            self._until(word, lambda token=token: len(library.lexical([token], 1)[0]) > 0, library)  # type: ignore[misc]
            spent.append((time.perf_counter() - started) * 1000)
            time.sleep(0.5)
        return Spread.of(spent).data(0)

    def _wished(self, library: Library) -> dict[str, float]:
        """Seconds until the best passages of a search have their vectors."""
        tokenizer = Tokenizer()
        spent = []
        for question in QUESTIONS[:WISHES]:
            passages, _ = library.lexical(tokenizer.tokenize(question), WISHED)
            started = time.perf_counter()
            library.want(passages.tolist())
            self._until(
                question, lambda p=passages: all(library.has_vector(int(each)) for each in p), library
            )  # type: ignore[misc]
            spent.append(time.perf_counter() - started)
        return Spread.of(spent).data(2)

    def _until(self, what: str, reached: Callable[[], bool], library: Library) -> None:
        end = time.monotonic() + PATIENCE
        while not reached():
            if time.monotonic() > end:
                raise SystemExit(
                    f"{what}: not within {PATIENCE:.0f} s; the indexer: {library.status.progress()}"
                )
            time.sleep(LOOK_SECONDS)
            library.refresh()

    @contextmanager
    def _indexer(self) -> Iterator[subprocess.Popen[str]]:
        process = start_indexer(self.config)
        try:
            yield process
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(30)

    # -- the rate of vectors ---------------------------------------------------------------------------

    def vectors(self, minutes: float) -> dict[str, Any]:
        """``lexls index`` to its end, or for some minutes, against the graph alone on the same passages.

        If it is stopped, the graph is measured before on passages that it will likely come to, and afterwards
        on those that it came to.
        """
        waiting = self._passages(embedded=False)
        quick, _ = raw_rate(self.config.embedder, _spread(waiting, BATCH))
        likely = waiting[: int(minutes * 60 * quick)] if minutes else waiting
        before, before_cpu = raw_rate(self.config.embedder, _spread(likely, SAMPLE))
        started = time.perf_counter()
        process = subprocess.Popen(lexls(*self.arguments, "--json"), stdout=subprocess.PIPE)
        with TreeWatch(process.pid) as watch:
            try:
                process.communicate(timeout=minutes * 60 if minutes else None)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
                process.communicate()
        seconds = time.perf_counter() - started
        done = self._passages(embedded=True)
        with_vector = {passage for passage, _ in done}
        texts = [each for each in waiting if each[0] in with_vector]
        made = len(texts)
        after, after_cpu = raw_rate(self.config.embedder, _spread(texts, SAMPLE))
        raw = 2 / (1 / before + 1 / after)
        return {
            "made": made,
            "seconds": round(seconds, 1),
            "rate": round(made / seconds, 1),
            "raw_before": round(before, 1),
            "raw_after": round(after, 1),
            "share": round(made / seconds / raw, 3),
            "processor_ms": round(watch.processor_seconds / made * 1000, 1),
            "raw_processor_ms": round((before_cpu + after_cpu) / 2 * 1000, 1),
            "processor_share": round((before_cpu + after_cpu) / 2 / (watch.processor_seconds / made), 3),
            "peak_pss_mb": watch.pss // 2**20,
            "peak_rss_mb": watch.rss // 2**20,
        }

    def _passages(self, *, embedded: bool) -> list[tuple[int, str]]:
        """Ids and texts of the passages that have a vector, or of those that have none, in order."""
        with _open(self.index) as library:
            return [
                (passage.id, passage.text)
                for authority in library.catalogue.all()
                for passage in library.contents.passages(authority.id)
                if library.has_vector(passage.id) == embedded
            ]


def _spread(passages: list[tuple[int, str]], count: int) -> list[str]:
    """The texts of ``count`` passages spread evenly over the list."""
    return [text for _, text in passages[:: max(1, len(passages) // count)][:count]]


def raw_rate(model: str, texts: list[str]) -> tuple[float, float]:
    """Passages a second, and processor seconds a passage, of the graph alone: nothing else runs."""
    embedder = open_embedder(model)
    embedder.encode(texts[:8])
    started, cpu = time.perf_counter(), time.process_time()
    for first in range(0, len(texts), BATCH):
        embedder.encode(texts[first : first + BATCH])
    seconds = time.perf_counter() - started
    return len(texts) / seconds, (time.process_time() - cpu) / len(texts)


@contextmanager
def _open(index: Path) -> Iterator[Library]:
    library = Library(index)
    try:
        yield library
    finally:
        library.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("--jurisdiction", default="")
    parser.add_argument("--lexical-only", action="store_true", help="make no vectors")
    parser.add_argument("--minutes", type=float, default=0, help="stop making vectors then (0: at the end)")
    parser.add_argument("--index", type=Path, help="where the index is made and kept (must not exist)")
    parser.add_argument("--note", default="", help="what a reader of the results must know of this run")
    parser.add_argument("--json", action="store_true", help="print JSON and write no results")
    options = parser.parse_args()
    if options.index is not None and options.index.exists():
        parser.error("the index exists already: the first run is to be measured")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        index = (options.index or folder / "index.sqlite3").absolute()
        bench = Bench(options.library.resolve(), options.jurisdiction, index, folder)
        found: dict[str, Any] = {"lexical": bench.lexical()}
        found["index_mb"] = index.stat().st_size // 2**20
        if not options.lexical_only:
            found["beside"] = bench.beside_embedding()
            found["vectors"] = bench.vectors(options.minutes)
    if options.json:
        print(json.dumps({"machine": machine(), "library": options.library.name, **found}, indent=2))
    else:
        command = f"bench_index.py {options.library} --jurisdiction {options.jurisdiction}"
        command += f" --minutes {options.minutes:g}" if options.minutes else ""
        section = write_results(
            "Index", [f"    python benchmarks/{command}\n", options.note + "\n", *_parts(found)]
        )
        print(section)
    return 0


def _parts(found: dict[str, Any]) -> Iterator[str]:
    lexical = found["lexical"]
    yield (
        f"{lexical['documents']:,} documents, {lexical['passages']:,} passages, {lexical['failed']} files "
        f"not readable. Load average before and after the first run: {lexical['load'][0]} and "
        f"{lexical['load'][1]}.\n"
    )
    parts = [lexical, *(found[key] for key in ("beside", "vectors") if key in found)]
    pss, rss = (max(each[key] for each in parts) for key in ("peak_pss_mb", "peak_rss_mb"))
    rows = [
        ["every judgment searchable by words", f"**{lexical['words_seconds']} s**"],
        [
            "… and the citations in it read",
            f"**{lexical['seconds']} s** ({lexical['processor_seconds']} s of processor time)",
        ],
        ["second run, nothing changed (median of 3)", f"**{lexical['second_run_seconds']} s**"],
        ["peak memory of all processes (PSS; RSS in brackets)", f"**{pss} MB** ({rss} MB)"],
    ]
    if "vectors" in found:
        v, saved, wished = found["vectors"], found["beside"]["saved"], found["beside"]["wished"]
        rows += [
            [
                "vectors made",
                f"{v['made']:,} in {v['seconds']:,} s: {v['rate']} a second; **{v['share']:.1%}** of the "
                f"rate of the graph alone ({v['raw_before']} before, {v['raw_after']} after)",
            ],
            [
                "processor time a passage, `lexls index` and graph alone",
                f"{v['processor_ms']} ms and {v['raw_processor_ms']} ms ({v['processor_share']:.1%})",
            ],
            [
                f"changed file searchable while others are embedded ({saved['n']} saves; p50, p95, max)",
                f"**{', '.join(as_row(saved))} ms**",
            ],
            [
                f"vectors of the {WISHED} best passages of a search ({wished['n']} searches; p50, p95, max)",
                f"{', '.join(as_row(wished))} s",
            ],
        ]
    yield table(["", ""], rows)


if __name__ == "__main__":
    sys.exit(main())
