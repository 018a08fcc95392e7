"""Describe what an indexer works on, and find where the index of a library lies."""

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
"""Bytes of a SQLite file up to the end of its ``user_version``, which is the index' schema."""
_OWN = f"-schema{SCHEMA_VERSION}"

READING = 10
"""Counts how texts are read: one more whenever readers, citations, treatments, passages or roles come out
otherwise than before, so that indexes made until then are read again."""


@dataclass(frozen=True, slots=True)
class PrepareOptions:
    """What the content of the index depends on beside the files.

    ``max_chars`` and ``overlap`` are the length and overlap of passages in code points, ``max_bytes`` the
    largest file that is read, ``reader_megabytes`` the memory that one may take (0: what fits the machine),
    ``forms`` the user's citation forms as a JSON array, ``jurisdiction`` the workspace's, ``records`` the
    user's layouts of records as another. ``ocr`` says how pages that are pictures are read ("": they cannot
    be), ``watermarks`` is the folder of samples of what to leave out.
    ``exhibits`` says that the files are papers of a record, and no authorities.
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
    """Where a Milvus server is, and the environment variable that holds the token for it ("" for none).

    ``url`` is one of ``https:``, or of ``http:`` on this machine, or the path of a ``.db`` that milvus-lite
    opens, which one process at a time can.
    """

    url: str
    token_env: str = ""


@dataclass(frozen=True, slots=True)
class IndexerConfig:
    """Everything an indexer process needs: index file, folders, what to leave out, options, embedder.

    ``embedder`` is a model's name or path, "" for none, and ``prompts`` are the user's own;
    ``milvus`` is the server that ranks passages (None: memory does). ``seed`` is another index, with a copy
    of which a new one begins; one that is ``alone`` takes over nothing else from any other index.
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
        """One line of JSON, for handing the configuration to another process."""
        return json.dumps(asdict(self), default=str)

    @classmethod
    def from_json(cls, text: str) -> IndexerConfig:
        """The inverse of ``to_json``."""
        data = json.loads(text)
        folders, options = tuple(map(Path, data["folders"])), PrepareOptions(**data["options"])
        milvus = MilvusAddress(**data["milvus"]) if data["milvus"] else None
        excluded, prompts = tuple(data["excluded"]), Prompts(**data["prompts"])
        seed = Path(data["seed"]) if data["seed"] else None
        places = Path(data["index"]), folders, excluded
        return cls(*places, options, data["embedder"], milvus, prompts, seed, data["alone"])

    def fingerprint(self, reading: int = READING) -> str:
        """Changes when documents must be read again although their files did not change.

        A new version of lexls may make something else of the same file; vectors of passages that stay the
        same are kept. ``reading`` is the ``READING`` of the lexls that made the index.
        """
        content = json.dumps([__version__, reading, asdict(self.options)], sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:16]


def make_indexer_config(
    folders: Iterable[Path], settings: Settings, index: Path | None = None, excluded: Iterable[str] = ()
) -> IndexerConfig:
    """The configuration for ``folders`` under ``settings``; ``index`` and ``excluded`` add to those."""
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
    """The user's own prompts for the embedding model, "" for those that it expects."""
    return Prompts(settings.embeddings_query_cue, settings.embeddings_passage_cue)


def make_record_config(settings: Settings) -> IndexerConfig | None:
    """The configuration for the papers of the record, which have an index of their own, so that nothing that
    is asked of the library can find them; None where the settings name no folder of them."""
    if not settings.record_folders:
        return None
    # Its few papers are ranked here, whatever ranks the library.
    plain = replace(
        settings, index_path=None, index_url="", library_exclude=(), record_folders=(), embeddings_model=""
    )
    config = make_indexer_config(settings.record_folders, plain)
    return replace(config, options=replace(config.options, exhibits=True))


def find_milvus(settings: Settings) -> MilvusAddress | None:
    """The server that the user has set to rank passages, None for memory."""
    return MilvusAddress(settings.index_url, settings.index_token_env) if settings.index_url else None


def _find_own(index: Path) -> Path:
    """``index``, or a file beside it where a newer lexls has made that one: both may be at work here."""
    with contextlib.suppress(OSError), open(index, "rb") as file:
        head = file.read(_HEAD)
        if head.startswith(b"SQLite format 3\0") and int.from_bytes(head[60:64]) > SCHEMA_VERSION:
            return index.with_name(f"{index.stem}{_OWN}{index.suffix}")
    return index


def is_beside_newer(index: Path) -> bool:
    """Return whether an index lies beside one that a newer lexls has made."""
    return index.stem.endswith(_OWN)


def find_default_path(folders: Iterable[Path]) -> Path:
    """Return where the index of these folders lies unless the user says otherwise: the user's data folder."""
    from platformdirs import user_data_path

    names = sorted(str(folder) for folder in folders)
    digest = hashlib.sha256("\n".join(names).encode()).hexdigest()[:12]
    label = Path(names[0]).name if names else "empty"
    return user_data_path("lexls", appauthor=False) / "indexes" / f"{label}-{digest}.sqlite3"


def find_writable(index: Path) -> Path:
    """``index`` if it is there, or can be made there; otherwise a file of its name among the temporary files,
    in a folder of the user's own, or ``index`` all the same where there is none."""
    if index.exists() or _can_write(index.parent):
        return index
    owner = os.getuid() if hasattr(os, "getuid") else 0
    spare = Path(tempfile.gettempdir(), f"lexls-{owner}")
    own = _can_write(spare) and not spare.is_symlink() and spare.stat().st_uid == owner
    return spare / index.name if own else index


def _can_write(folder: Path) -> bool:
    """Return whether files can be made in a folder, which is made if need be."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
