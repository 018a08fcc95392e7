"""Verify an index: read its folders anew beside it, compare, and mend what differs."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from lexls.index.beside import name_meanwhile
from lexls.index.comparison import IndexDifference, compare_indexes
from lexls.index.config import IndexerConfig, MilvusAddress
from lexls.index.indexer import Indexer
from lexls.index.lock import IndexBusy, is_indexer_running, lock_index
from lexls.index.mirror import Mirror
from lexls.index.reconcile import FileKey
from lexls.index.records import IndexProgress
from lexls.index.renewal import make_anew, renew_if_damaged
from lexls.index.session import bring_up_to_date
from lexls.index.soundness import DAMAGE, check_soundness
from lexls.index.status import IndexStatus
from lexls.index.wanted import RENEW, append_wishes

LOOKS = 3
"""A difference counts that is there after so many looks: others came of a file that was saved meanwhile."""

Look = Callable[[], list[IndexDifference]]
OnProgress = Callable[[IndexProgress], None]


@dataclass(frozen=True, slots=True)
class Verification:
    """What a comparison found: how many ``documents``, what differed, and what still does when mended."""

    documents: int
    differences: tuple[IndexDifference, ...]
    left: tuple[IndexDifference, ...]


def verify(config: IndexerConfig, on_progress: OnProgress = lambda progress: None) -> Verification:
    """Bring an index up to date, compare it with one that is made anew of the same folders, and mend it.

    An indexer that runs goes on and is asked to mend what differs; what a server holds of the index is then
    left to it. Raises what ``bring_up_to_date`` does.
    """
    bring_up_to_date(config, lexical_only=True)
    with reading_anew(config, on_progress) as look:
        found = look_repeatedly(config, look)
        left: list[IndexDifference] = []
        if found:
            mend(config, found)
            left = look_repeatedly(config, look)
    with contextlib.closing(IndexStatus(config.index)) as status:
        documents = status.counts()[0]
    if config.milvus is not None:
        with contextlib.suppress(IndexBusy):
            others = _verify_mirror(config.index, config.milvus)
            found, left = [*found, *others[0]], [*left, *others[1]]
    return Verification(documents, tuple(found), tuple(left))


def _verify_mirror(index: Path, milvus: MilvusAddress) -> tuple[list[IndexDifference], list[IndexDifference]]:
    """What a server holds otherwise than the index, and what still is so after it was written anew."""
    with lock_index(index), contextlib.closing(Mirror(index, milvus)) as mirror:
        mirror.catch_up()
        found = mirror.find_differences()
        left: list[str] = []
        if found:
            mirror.make_anew()
            mirror.catch_up()
            left = mirror.find_differences()
    of_server = [
        [IndexDifference("", "", f"on the server {milvus.url}: {words}") for words in each]
        for each in (found, left)
    ]
    return of_server[0], of_server[1]


def look_repeatedly(config: IndexerConfig, look: Look) -> list[IndexDifference]:
    """The differences that stay while index and folders are brought together."""
    found = look()
    for _ in range(LOOKS - 1):
        if not found or not all(each.path for each in found):
            break
        bring_up_to_date(config, lexical_only=True)
        again = set(look())
        found = [each for each in found if each in again]
    return found


@contextlib.contextmanager
def reading_anew(config: IndexerConfig, on_progress: OnProgress = lambda progress: None) -> Iterator[Look]:
    """A second index of the same folders in a folder beside the first, and what then compares the two; each
    look reads what was saved since the last. Scans are read as far as the first index has read them."""
    prefix = name_meanwhile(config.index, "-verify-")
    _remove_left_over(config.index.parent, prefix)
    with tempfile.TemporaryDirectory(prefix=prefix, dir=config.index.parent) as folder:
        anew = replace(
            config,
            index=Path(folder, "anew.sqlite3"),
            excluded=(*config.excluded, str(config.index)),
            options=replace(config.options, ocr=""),
            embedder="",
        )
        with lock_index(anew.index), contextlib.closing(Indexer(anew, on_progress)) as indexer:

            def look() -> list[IndexDifference]:
                try:
                    # What ties its tables together is compared with the files, and mended one by one.
                    if damage := check_soundness(config.index):
                        return [_tell_damage(damage)]
                    indexer.keep_scanned_pages(config.index)
                    indexer.reconcile()
                    indexer.read_scans()
                    return compare_indexes(config.index, anew.index)
                except DAMAGE as error:
                    return [_tell_damage(str(error))]

            yield look


def mend(config: IndexerConfig, found: Sequence[IndexDifference]) -> None:
    """Have what differs read again, or all of a damaged index, by the indexer that runs or here."""
    damaged = any(each.damaged for each in found)
    keys = list(dict.fromkeys(each.key for each in found)) if not damaged else []
    try:
        with lock_index(config.index):
            if damaged:
                make_anew(config.index)
            renew_if_damaged(config.index, partial(_mend_here, config, keys))
    except IndexBusy:
        append_wishes(config.index, [RENEW] if damaged else keys)
    bring_up_to_date(config, lexical_only=True)


def _mend_here(config: IndexerConfig, keys: Sequence[FileKey]) -> None:
    with contextlib.closing(Indexer(config)) as indexer:
        indexer.mend(keys)


def _tell_damage(damage: str) -> IndexDifference:
    return IndexDifference("", "", f"the index is damaged ({damage})", damaged=True)


def _remove_left_over(parent: Path, prefix: str) -> None:
    """Remove what verifications have left that were killed."""
    for folder in parent.glob(f"{prefix}*"):
        if not is_indexer_running(folder / "anew.sqlite3"):
            shutil.rmtree(folder, ignore_errors=True)
