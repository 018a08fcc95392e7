"""The vectors of a library on a Milvus server: how fast they go there, what they take, how they are searched.

    python benchmarks/bench_milvus_vectors.py --index large.sqlite3 --url http://127.0.0.1:19530
        [--token-env NAME] [--process PID --folder DATA] [--write]

Puts the vectors of an index, which ``large_library.py`` may have made, on a server as a mirror does, and
searches them there and in memory: exactly (``FLAT``), then with the index exchanged as whoever looks after
the server would. Of the first ``FOLDER_ROWS`` it also asks what a partition for each of a hundred folders
would gain. Words are left out, so that a server of 2.3 will do. ``--process`` and ``--folder`` are those of a
server on this machine, whose memory, processor time and disk are then told.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from bench_scale import QUESTIONS, memory, questions
from measuring import Spread, TreeWatch, load, machine, table, write_results
from numpy.typing import NDArray
from pymilvus import DataType

from lexls.index.config import MilvusAddress
from lexls.index.connection import has_vector_extension, load_vector_extension, open_reader, select
from lexls.index.embedding import open_embedder
from lexls.index.library import Library
from lexls.index.milvus import Limit, MilvusIndex
from lexls.index.mirror import BATCH_PASSAGES
from lexls.index.vectors import VectorStore

NAME, VECTORS, FOLDERS = "lexls_bench", "lexls_bench_vectors", "lexls_bench_folders"
DEPTHS = (16, 500)
AMONG = (64, 1_000, 10_000)
"""So many documents a search is limited to, if the library has as many."""
FOLDER_ROWS, FOLDER_COUNT = 200_000, 100
LARGE_SECONDS = 7_200
EXCHANGED: tuple[tuple[str, dict[str, Any], tuple[dict[str, Any], ...]], ...] = (
    ("IVF_SQ8", {"nlist": 1024}, ({"nprobe": 8}, {"nprobe": 64}, {"nprobe": 256})),
    ("HNSW", {"M": 16, "efConstruction": 200}, ({"ef": 500}, {"ef": 1000})),
)
"""The indexes that take FLAT's place: kind, how it is built, and how far it may be asked to look."""
Search = Callable[[NDArray[np.float32], int], tuple[NDArray[np.int64], NDArray[np.float64]]]


def read_vectors(index: Path) -> Iterator[tuple[list[int], list[int], NDArray[np.float32]]]:
    """Passages, their documents and their vectors, as a mirror reads them."""
    with closing(open_reader(index)) as connection:
        load_vector_extension(connection)
        store = VectorStore(connection, has_vector_extension(connection))
        sql = "SELECT id, document FROM passages WHERE embedded > 0 AND id > ? ORDER BY id LIMIT ?"
        last = 0
        while batch := list(select(connection, sql, (last, BATCH_PASSAGES))):
            owners: dict[int, int] = dict(batch)
            ids, vectors = store.of(list(owners))
            yield ids.tolist(), [owners[each] for each in ids.tolist()], vectors
            last = batch[-1][0]


def make(client: Any, name: str, dimension: int, version: str, partitioned: bool = False) -> None:
    """A collection as lexls makes it, but for the index over documents, which 2.3 has another of."""
    client.drop_collection(name)
    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("id", DataType.INT64, is_primary=True)
    schema.add_field("document", DataType.INT64)
    schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimension)
    indexes = client.prepare_index_params()
    indexes.add_index("document", index_type="STL_SORT" if version.startswith("v2.3") else "INVERTED")
    indexes.add_index("vector", index_type="FLAT", metric_type="IP")
    if partitioned:
        schema.add_field("folder", DataType.INT64, is_partition_key=True)
        client.create_collection(name, schema=schema, index_params=indexes, num_partitions=FOLDER_COUNT)
    else:
        client.create_collection(name, schema=schema, index_params=indexes)


def wait_for_index(client: Any, name: str) -> None:
    """Until the server has built the index of all that it sealed."""
    while True:
        told = client.describe_index(name, "vector")
        if int(told["pending_index_rows"]) == 0 and told["state"] == "Finished":
            return
        time.sleep(0.5)


def exchange(client: Any, name: str, kind: str, how: dict[str, Any]) -> float:
    """Put another index in the place of the vectors'; seconds until the collection can be searched again."""
    started = time.perf_counter()
    client.release_collection(name)
    client.drop_index(name, "vector")
    params = client.prepare_index_params()
    params.add_index("vector", index_type=kind, metric_type="IP", params=how)
    client.create_index(name, params, timeout=LARGE_SECONDS)
    wait_for_index(client, name)
    client.load_collection(name, timeout=LARGE_SECONDS)
    return time.perf_counter() - started


class Server:
    """What a server takes of this machine; all is 0 where its process or folder is not named."""

    def __init__(self, process: int | None, folder: Path | None) -> None:
        self._process, self._folder = process, folder

    @property
    def megabytes(self) -> int:
        """Its memory now."""
        if self._process is None:
            return 0
        with TreeWatch(self._process) as watch:
            time.sleep(0.5)
        return watch.pss // 2**20

    @property
    def seconds(self) -> float:
        """Its processor time so far."""
        if self._process is None:
            return 0.0
        fields = Path(f"/proc/{self._process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100

    @property
    def disk(self) -> int:
        """Megabytes in its folder."""
        if self._folder is None:
            return 0
        return sum(each.stat().st_size for each in self._folder.rglob("*") if each.is_file()) // 10**6


def time_searches(
    search: Search, asked: Sequence[NDArray[np.float32]], k: int, spent: Callable[[], float]
) -> tuple[list[str], list[set[int]]]:
    """Milliseconds of each search once all were asked before, p50 and p95, the processor time of one as
    ``spent`` says, and what was found.
    """
    found = [set(search(vector, k)[0].tolist()) for vector in asked]
    elapsed, before = [], spent()
    for vector in asked:
        started = time.perf_counter()
        search(vector, k)
        elapsed.append(1000 * (time.perf_counter() - started))
    used = 1000 * (spent() - before) / len(asked)
    spread = Spread.of(elapsed)
    return [f"{spread.p50:.1f}", f"{spread.p95:.1f}", f"{used:.0f}"], found


def recall(found: Sequence[set[int]], exact: Sequence[set[int]]) -> str:
    """The part of what is nearest that was found."""
    return f"{np.mean([len(a & b) / (len(b) or 1) for a, b in zip(found, exact, strict=True)]):.3f}"


def measure_limits(
    milvus: MilvusIndex, asked: Sequence[NDArray[np.float32]], documents: Sequence[int], server: Server
) -> str:
    """What it takes to limit a search to documents, by their list and by that of all others."""
    choose = np.random.default_rng(1).choice
    limits = [
        (f"{size:,} documents", Limit(choose(documents, size, replace=False).tolist()))
        for size in AMONG
        if size <= len(documents)
    ]
    limits.append((f"all but one, the list of {len(documents) - 1:,}", Limit(documents[1:])))
    limits.append(("all but one, the list of one", Limit(documents[:1], others=True)))
    rows = []
    for name, limit in limits:
        search = partial(milvus.search, "vectors", limit=limit)
        rows.append([name, *time_searches(search, asked[:20], 16, lambda: server.seconds)[0]])
        print(rows[-1], flush=True)
    return "Limited to documents" + _list_times(rows)


def measure_folders(
    client: Any, version: str, index: Path, asked: Sequence[NDArray[np.float32]], server: Server
) -> str:
    """What a search in one folder of a hundred takes: by the list of its documents, and by its partition."""
    make(client, FOLDERS, len(asked[0]), version, partitioned=True)
    inside: set[int] = set()
    rows = 0
    for ids, owners, vectors in read_vectors(index):
        data = [
            {"id": each, "document": owner, "vector": vector, "folder": owner % FOLDER_COUNT}
            for each, owner, vector in zip(ids, owners, vectors, strict=True)
        ]
        client.upsert(FOLDERS, data)
        inside.update(owner for owner in owners if owner % FOLDER_COUNT == 7)
        rows += len(ids)
        if rows >= FOLDER_ROWS:
            break
    client.flush(FOLDERS)
    wait_for_index(client, FOLDERS)
    client.query(FOLDERS, filter="id == 1", consistency_level="Strong")
    cells = []
    for name, limit in (
        ("all", ""),
        (f"the list of its {len(inside)} documents", Limit(sorted(inside)).expression),
        ("its partition", "folder == 7"),
        ("its partition, and the list", f"folder == 7 and {Limit(sorted(inside)).expression}"),
    ):

        def search(vector: NDArray[np.float32], k: int, limit: str = limit) -> Any:
            (hits,) = client.search(FOLDERS, data=[vector], limit=k, filter=limit)
            return np.array([hit["id"] for hit in hits]), None

        cells.append([name, *time_searches(search, asked, 16, lambda: server.seconds)[0]])
        print(cells[-1], flush=True)
    client.drop_collection(FOLDERS)
    return f"{rows:,} vectors in {FOLDER_COUNT} folders, limited to" + _list_times(cells)


def _list_times(rows: Sequence[Sequence[object]]) -> str:
    """The rows of a table of limits, as the end of a sentence."""
    said = "; ".join(f"{row[0]} {', '.join(map(str, row[1:]))}" for row in rows)
    return f" (p50, p95 ms; processor time of the server, ms): {said}.\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--url", required=True)
    parser.add_argument("--token-env", default="")
    parser.add_argument("--process", type=int)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    busy = load()
    asked = list(open_embedder().encode(questions(QUESTIONS, given.index, given.count)))
    milvus = MilvusIndex(MilvusAddress(given.url, given.token_env), NAME)
    client, server = milvus._client, Server(given.process, given.folder)
    version = client.get_server_version()
    empty, rows, documents = server.megabytes, 0, set[int]()
    make(client, VECTORS, len(asked[0]), version)
    started, used, spent, waited = time.perf_counter(), time.process_time(), server.seconds, 0.0
    for ids, owners, vectors in read_vectors(given.index):
        at = time.perf_counter()
        milvus.put("vectors", list(zip(ids, owners, vectors, strict=True)))
        waited += time.perf_counter() - at
        rows += len(ids)
        documents.update(owners)
        if rows % 100_000 < len(ids):
            print(f"{rows:,} after {time.perf_counter() - started:.0f} s", flush=True)
    put, used, spent = time.perf_counter() - started, time.process_time() - used, server.seconds - spent
    full = server.megabytes
    started = time.perf_counter()
    milvus.settle()
    wait_for_index(client, VECTORS)
    settled = time.perf_counter() - started
    assert milvus.count("vectors") == rows
    lines = [
        f"Milvus {version}. {rows:,} vectors of {len(asked[0])} components, {len(documents):,} documents. "
        f"Put there in {put:.0f} s, of which {waited:.0f} s waiting for the server; processor time: "
        f"{used:.0f} s here, {spent:.0f} s of the server. Settled in {settled:.0f} s more. The server's "
        f"memory: {empty} MB empty, {full} MB when all was there, {server.megabytes} MB when it was settled; "
        f"{server.disk} MB on disk. Load when it began: {busy:.1f}.\n"
    ]
    print(lines[0], flush=True)
    results: list[list[object]] = []
    exact: dict[int, list[set[int]]] = {}

    def add(name: str, search: Search, built: str, megabytes: object, spent: Callable[[], float]) -> None:
        for k in DEPTHS:
            cells, found = time_searches(search, asked, k, spent)
            exact.setdefault(k, found)
            results.append([name, k, *cells, recall(found, exact[k]), built, megabytes])
            print(results[-1], flush=True)

    def search_with(params: dict[str, Any]) -> Search:
        def search(vector: NDArray[np.float32], k: int) -> Any:
            (hits,) = client.search(VECTORS, data=[vector], limit=k, search_params={"params": params})
            return np.array([hit["id"] for hit in hits]), None

        return search

    add("Milvus, FLAT", partial(milvus.search, "vectors"), "", server.megabytes, lambda: server.seconds)
    limited = measure_limits(milvus, asked, sorted(documents), server)
    for kind, how, further in EXCHANGED:
        built = f"{exchange(client, VECTORS, kind, how):.0f}"
        told = ", ".join(f"{key} {value}" for key, value in how.items())
        taken = server.megabytes
        add(f"{kind} ({told})", partial(milvus.search, "vectors"), built, taken, lambda: server.seconds)
        for params in further:
            asked_with = ", ".join(f"{key} {value}" for key, value in params.items())
            add(f"… asked with {asked_with}", search_with(params), "", "", lambda: server.seconds)
    client.drop_collection(VECTORS)
    folders = measure_folders(client, version, given.index, asked, server)
    started, had = time.perf_counter(), memory("Pss")
    library = Library(given.index)
    opened, took = time.perf_counter() - started, memory("Pss") - had
    whole = " with all else of the index"
    add("memory of lexls", library.nearest, f"{opened:.0f}{whole}", f"{took}{whole}", time.process_time)
    library.close()
    head = [
        "",
        "p50, ms",
        "p95, ms",
        "processor time of one, ms",
        "of FLAT's found",
        "built and loaded, s",
    ]
    joined = []
    for first in range(0, len(results), len(DEPTHS)):
        cells = zip(*results[first : first + len(DEPTHS)], strict=True)
        name, _, *others = ["; ".join(dict.fromkeys(map(str, each))) for each in cells]
        joined.append([name, *others])
    head[0] = "; ".join(map(str, DEPTHS))
    lines += [limited, folders, table([*head, "memory then, MB"], joined)]
    print("\n".join([machine() + "\n", *lines]))
    if given.write:
        command = (
            f"    python benchmarks/bench_milvus_vectors.py --index {given.index.name} --url {given.url}\n"
        )
        write_results(f"Milvus: {rows:,} vectors", [command, *lines])


if __name__ == "__main__":
    main()
