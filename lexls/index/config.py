"""Describe an indexer's configuration, and find the path of a library's index."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from lexls import __version__
from lexls.index.connection import SCHEMA_VERSION
from lexls.library.readers.picture_marks import describe_reading
from lexls.models.messages import NO_PROMPTS, Prompts
from lexls.settings.declaration import Settings

_HEAD = 64
"""Bytes of a SQLite file's header up to the end of ``user_version``, which is the index's schema version."""
_OWN = f"-schema{SCHEMA_VERSION}"

READING = 10
"""Version of how texts are read. Increase it whenever readers, citations, treatments, passages or roles give
other results than before, so that documents in older indexes are read again.
"""


@dataclass(frozen=True, slots=True)
class PrepareOptions:
    """Everything besides the files that determines the content of the index.

    ``max_chars`` and ``overlap`` are the length and overlap of passages in code points. ``max_bytes`` is the
    size of the largest file read, and ``reader_megabytes`` the memory a reader process may use (0: chosen to
    fit the machine). ``forms`` are the user's citation forms and ``records`` the user's record layouts, both
    JSON arrays; ``jurisdiction`` is the workspace's. ``ocr`` describes how scanned pages are read ("": not at
    all), and ``watermarks`` is the folder of sample watermarks to remove. If ``exhibits``, the files are
    papers of a record, not authorities.
    """

    max_chars: int = 1500
    overlap: int = 0
    max_bytes: int = 50 * 2**20
    reader_megabytes: int = 0
    jurisdiction: str = ""
    forms: str = "[]"
    records: str = "[]"
    ocr: str = ""
    watermarks: str = ""
    exhibits: bool = False


@dataclass(frozen=True, slots=True)
class MilvusAddress:
    """The address of a Milvus server, and the environment variable with its token ("": none).

    ``url`` is an ``https:`` URL, an ``http:`` URL on this machine, or the path of a ``.db`` file for
    milvus-lite, which only one process at a time can open.
    """

    url: str
    token_env: str = ""


@dataclass(frozen=True, slots=True)
class IndexerConfig:
    """Everything an indexer process needs: index file, folders, exclusions, options and embedder.

    ``embedder`` is a model's name or path ("": none), and ``prompts`` are the user's own. ``milvus`` is the
    server that ranks passages (None: they are ranked in memory). A new index starts as a copy of the index
    ``seed``. If ``alone``, nothing else is copied from other indexes.
    """

    index: Path
    folders: tuple[Path, ...]
    excluded: tuple[str, ...]
    options: PrepareOptions
    embedder: str
    milvus: MilvusAddress | None = None
    prompts: Prompts = NO_PROMPTS
    seed: Path | None = None
    alone: bool = False

    def to_json(self) -> str:
        """Return the configuration as one line of JSON, to pass it to another process."""
        return json.dumps(asdict(self), default=str)

    @classmethod
    def from_json(cls, text: str) -> IndexerConfig:
        """Parse the output of ``to_json``."""
        data = json.loads(text)
        folders, options = tuple(map(Path, data["folders"])), PrepareOptions(**data["options"])
        milvus = MilvusAddress(**data["milvus"]) if data["milvus"] else None
        excluded, prompts = tuple(data["excluded"]), Prompts(**data["prompts"])
        seed = Path(data["seed"]) if data["seed"] else None
        places = Path(data["index"]), folders, excluded
        return cls(*places, options, data["embedder"], milvus, prompts, seed, data["alone"])

    def fingerprint(self, reading: int = READING) -> str:
        """Return a hash that changes when documents must be read again even if their files did not change.

        A new version of lexls may read the same file differently. The vectors of unchanged passages are kept.
        ``reading`` is the ``READING`` of the lexls that made the index.
        """
        content = json.dumps([__version__, reading, asdict(self.options)], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]


def make_indexer_config(
    folders: Iterable[Path], settings: Settings, index: Path | None = None, excluded: Iterable[str] = ()
) -> IndexerConfig:
    """Return the configuration for ``folders`` under ``settings``. ``index`` overrides the index path in the
    settings, and ``excluded`` is added to their exclusions.
    """
    resolved = tuple(sorted({folder.expanduser().resolve() for folder in folders}))
    return IndexerConfig(
        index=_find_own((index or settings.index_path or find_default_path(resolved)).absolute()),
        folders=resolved,
        excluded=(*settings.library_exclude, *map(str, settings.record_folders), *excluded),
        options=PrepareOptions(
            max_chars=settings.passages_max_chars,
            overlap=settings.passages_overlap,
            max_bytes=settings.index_max_file_megabytes * 2**20,
            reader_megabytes=settings.index_reader_megabytes,
            jurisdiction=settings.jurisdiction,
            forms=json.dumps(list(settings.citations_forms)),
            records=json.dumps(list(settings.library_records)),
            ocr=describe_reading(str(settings.index_watermarks or "")),
            watermarks=str(settings.index_watermarks or ""),
        ),
        embedder=settings.embeddings_model,
        milvus=find_milvus(settings),
        prompts=find_chosen_prompts(settings),
    )


def find_chosen_prompts(settings: Settings) -> Prompts:
    """Return the user's own prompts for the embedding model; "" means the model's default."""
    return Prompts(settings.embeddings_query_cue, settings.embeddings_passage_cue)


def make_record_config(settings: Settings) -> IndexerConfig | None:
    """Return the configuration for the papers of the record, or None if the settings name no record folder.
    The papers have a separate index, so that searches of the library never find them.
    """
    if not settings.record_folders:
        return None
    # The few papers of a record are always ranked in memory.
    plain = replace(
        settings, index_path=None, index_url="", library_exclude=(), record_folders=(), embeddings_model=""
    )
    config = make_indexer_config(settings.record_folders, plain)
    return replace(config, options=replace(config.options, exhibits=True))


def find_milvus(settings: Settings) -> MilvusAddress | None:
    """Return the Milvus server set by the user to rank passages; None to rank them in memory."""
    return MilvusAddress(settings.index_url, settings.index_token_env) if settings.index_url else None


def _find_own(index: Path) -> Path:
    """Return ``index``. If a newer lexls made that file, return the path of a file next to it instead,
    because both versions may be in use on this machine.
    """
    with contextlib.suppress(OSError), open(index, "rb") as file:
        head = file.read(_HEAD)
        if head.startswith(b"SQLite format 3\0") and int.from_bytes(head[60:64]) > SCHEMA_VERSION:
            return index.with_name(f"{index.stem}{_OWN}{index.suffix}")
    return index


def is_beside_newer(index: Path) -> bool:
    """Return whether this index was placed next to one made by a newer lexls."""
    return index.stem.endswith(_OWN)


def find_default_path(folders: Iterable[Path]) -> Path:
    """Return the default path of the index of these folders, in the user's data folder."""
    from platformdirs import user_data_path

    names = sorted(str(folder) for folder in folders)
    digest = hashlib.sha256("\n".join(names).encode()).hexdigest()[:12]
    label = Path(names[0]).name if names else "empty"
    return user_data_path("lexls", appauthor=False) / "indexes" / f"{label}-{digest}.sqlite3"


def find_writable(index: Path) -> Path:
    """Return ``index`` if it exists or can be created. Otherwise return a file of that name in the user's own
    folder among the temporary files. If that folder cannot be used either, return ``index``.
    """
    if index.exists() or _can_write(index.parent):
        return index
    owner = os.getuid() if hasattr(os, "getuid") else 0
    spare = Path(tempfile.gettempdir(), f"lexls-{owner}")
    own = _can_write(spare) and not spare.is_symlink() and spare.stat().st_uid == owner
    return spare / index.name if own else index


def _can_write(folder: Path) -> bool:
    """Return whether files can be created in a folder; the folder is created if missing."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
